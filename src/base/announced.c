/* announced.c - measurements against the sets announced for them. Layer: base. */
#include "announced.h"

#include <math.h>

#include "belief.h"
#include "warp.h"

/* What a measurement is compared with, on the scale on which it is judged. */
typedef struct frame {
    double mean, sd_f, sd_y, sign; /* sign -1: the scale falls as y rises */
    warp bend;                     /* not set: the user's scale */
} frame;

static frame frame_of(const locbo_belief *b) {
    if (!belief_is_bent(b)) return (frame){b->mean, b->sd_f, b->sd_y, 1, {0, 0, 0, 0}};
    warp bend = {b->power, b->offset, b->low, b->high};
    return (frame){b->centre, b->unit_f, b->unit_y, warp_direction(&bend), bend};
}

static int is_bent(const frame *f) { return warp_is_set(&f->bend); }

static double known_sd(const frame *f, const locbo_measurement *m) {
    if (isnan(m->sd)) return 0;
    return is_bent(f) ? m->sd * warp_slope(&f->bend, m->value) : m->sd;
}

double announced_score(const locbo_belief *b, const locbo_measurement *m) {
    frame at = frame_of(b);
    /* halves: neither the difference nor the sum of squares of finite numbers overflows */
    double f = at.sd_f / at.sd_y, noise = sqrt(fmax(1 - f * f, 0) / (m->n ? m->n : 1));
    double sd = hypot(at.sd_y / 2 * hypot(f, noise), known_sd(&at, m) / 2);
    double y = is_bent(&at) ? warp_at(&at.bend, m->value) : m->value;
    return at.sign * (y / 2 - at.mean / 2) / sd;
}

/* The end y of the set. */
static double end_at(const frame *f, double y) {
    return f->sign * ((is_bent(f) ? warp_at(&f->bend, y) : y) - f->mean) / f->sd_y;
}

void announced_set(const locbo_belief *b, double *low, double *high) {
    frame at = frame_of(b);
    *low = end_at(&at, b->y_low);
    *high = end_at(&at, b->y_high);
}

int announced_holds(const locbo_belief *b, const locbo_measurement *m) {
    double z = announced_score(b, m), low, high;
    announced_set(b, &low, &high);
    return low <= z && z <= high;
}

int announced_is_valid(const locbo_belief *b) {
    frame at = frame_of(b);
    if (!belief_is_bent(b)) return 1;
    return warp_is_valid(&at.bend) && isfinite(at.mean) && at.sd_f >= 0 && at.sd_f <= at.sd_y && isfinite(at.sd_y);
}
