/* announced.c - measurements against the sets announced for them. Layer: base. */
#include "announced.h"

#include <math.h>

double announced_score(const locbo_belief *b, const locbo_measurement *m) {
    /* halves: neither the difference nor the sum of squares of finite numbers overflows */
    double f = b->sd_f / b->sd_y, noise = sqrt(fmax(1 - f * f, 0) / (m->n ? m->n : 1));
    double sd = hypot(b->sd_y / 2 * hypot(f, noise), isnan(m->sd) ? 0 : m->sd / 2);
    return (m->value / 2 - b->mean / 2) / sd;
}

int announced_holds(const locbo_belief *b, const locbo_measurement *m) {
    double z = announced_score(b, m);
    return (b->y_low - b->mean) / b->sd_y <= z && z <= (b->y_high - b->mean) / b->sd_y;
}
