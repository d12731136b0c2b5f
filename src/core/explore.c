/* explore.c - a point far from everything that was tried: what to measure while the model cannot predict.
 * Layer: core, top. Cost: O(n + trials) for each of POINTS random points. */
#include "explore.h"

#include <math.h>
#include <string.h>

#include "mem.h"

enum { POINTS = 32 };

/* The squared distance from the encoded point u to the nearest of n rows; trials that were cancelled do not count. */
static double nearest(const locbo_optimizer *o, const double *u, const double *rows, size_t n, int trials) {
    double least = INFINITY;
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        if (trials && o->trial[i].state == LOCBO_TRIAL_CANCELLED) continue;
        for (size_t c = 0; c < o->columns; c++) sum += pow(rows[i * o->columns + c] - u[c], 2);
        least = fmin(least, sum);
    }
    return least;
}

locbo_status explore_point(locbo_optimizer *o, const acqmax_request *r, double *x, locbo_error *error) {
    double farthest = -1, *drawn = mem_new(o->dim, sizeof *drawn);
    locbo_status status = drawn ? LOCBO_OK : status_no_memory(error);
    for (uint64_t k = 0; k < POINTS && status == LOCBO_OK; k++) {
        acqmax_request one = *r;
        one.stream = rng_open(o->options.seed, POINTS * (uint64_t)(o->trials + 1) + k, RNG_EXPLORE);
        status = acqmax_random(o->maximiser, &one, drawn, error);
        if (status != LOCBO_OK) break;
        space_encode(o->space, drawn, o->encoded);
        double far =
            fmin(nearest(o, o->encoded, o->data.u, o->data.n, 0), nearest(o, o->encoded, o->trial_u, o->trials, 1));
        if (!(far > farthest)) continue;
        farthest = far;
        memcpy(x, drawn, o->dim * sizeof *x);
    }
    mem_free(drawn);
    return status;
}
