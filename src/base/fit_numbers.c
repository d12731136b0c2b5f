/* fit_numbers.c - scale and candidates of a fit as a list of numbers. Layer: base. Cost: linear in the list. */
#include "fit_numbers.h"

#include <string.h>

#include "warp.h"

enum { HEAD = 5, MEMBER_HEAD = 9 };

/* The scale at `to`; four zeros if it is affine. */
static void write_scale(warp w, double *to) {
    if (!warp_is_set(&w)) w = (warp){0, 0, 0, 0};
    const double numbers[] = {w.power, w.offset, w.low, w.high};
    memcpy(to, numbers, sizeof numbers);
}

size_t fit_numbers_count(const locbo_fit *f) {
    warp own = {f->power, f->offset, f->low, f->high};
    size_t count = HEAD;
    if (f->member_count == 0 && !warp_is_set(&own)) return 0;
    for (size_t i = 0; i < f->member_count; i++) count += MEMBER_HEAD + f->members[i].count;
    return count;
}

void fit_numbers_write(const locbo_fit *f, double *to) {
    if (fit_numbers_count(f) == 0) return;
    write_scale((warp){f->power, f->offset, f->low, f->high}, to);
    to[4] = (double)f->chosen;
    to += HEAD;
    for (size_t i = 0; i < f->member_count; i++) {
        const locbo_member *m = &f->members[i];
        to[0] = m->law;
        to[1] = m->score;
        to[2] = m->shift;
        to[3] = m->spread;
        write_scale((warp){m->power, m->offset, m->low, m->high}, to + 4);
        to[8] = (double)m->count;
        memcpy(to + MEMBER_HEAD, m->theta, m->count * sizeof *to);
        to += MEMBER_HEAD + m->count;
    }
}

/* A whole number in [0, most]. */
static int is_whole(double value, double most) { return value >= 0 && value <= most && value == (double)(size_t)value; }

int fit_numbers_read(size_t n, const double *from, locbo_fit *f, locbo_member members[FIT_MEMBERS]) {
    if (n == 0) return 1; /* from may be NULL */
    const double *end = from + n;
    if (n < HEAD || !is_whole(from[4], FIT_MEMBERS)) return 0;
    f->power = from[0], f->offset = from[1], f->low = from[2], f->high = from[3];
    f->chosen = (size_t)from[4];
    f->members = members;
    for (from += HEAD; from < end; f->member_count++) {
        if (end - from < MEMBER_HEAD || f->member_count == FIT_MEMBERS || !is_whole(from[0], LOCBO_NOISE_LAW_MUCH) ||
            !is_whole(from[8], (double)(end - from - MEMBER_HEAD)))
            return 0;
        members[f->member_count] = (locbo_member){.law = (locbo_noise_law)from[0],
                                                  .score = from[1],
                                                  .shift = from[2],
                                                  .spread = from[3],
                                                  .power = from[4],
                                                  .offset = from[5],
                                                  .low = from[6],
                                                  .high = from[7],
                                                  .count = (size_t)from[8],
                                                  .theta = from + MEMBER_HEAD};
        from += MEMBER_HEAD + (size_t)from[8];
    }
    return 1;
}
