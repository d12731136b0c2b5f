/* remeasure.c - results too good to believe. Layer: core, top.
 *
 * Noise with heavy tails is a guess: a result far above the others is then an outlier, and the model gives it little
 * weight. If it was true after all, the best point is lost. One more measurement there decides. So a result is measured
 * again if its weight is 1/3 or less and it would be the best: better than every posterior mean at a measured point.
 *
 * Everything is derived from the facts (trials and results), so it is the same after a restart and with many workers.
 * Cost: O(n + trials), and O(n log n) in rounds that have such a result. */
#include "remeasure.h"

#include <math.h>
#include <stdlib.h>

#include "mem.h"
#include "origin.h"

enum {
    LIGHT = 3, /* a weight is small at 1/LIGHT */
    TIMES = 2  /* proposals at one point */
};

/* Whether one more would exceed the share of the rounds, this one included. */
static int is_share_used(const locbo_optimizer *o) {
    size_t rounds = 1, again = 1;
    for (size_t i = 0; i < o->trials; i++) {
        rounds += (size_t)origin_is_model(o->trial[i].info.origin);
        again += o->trial[i].info.origin == LOCBO_ORIGIN_AGAIN;
    }
    return (double)again > o->options.remeasure * (double)rounds;
}

/* Whether the noise law gives row i a small weight: noise_scale is 1/n divided by the weight. */
static int is_light(const dataset *d, size_t i) {
    double n = d->measured[i].n ? d->measured[i].n : 1;
    return d->noise_scale[i] * n >= LIGHT;
}

/* Whether the point of row i may be measured once more: nothing is outstanding there, and it is not decided yet. */
static int is_open(const locbo_optimizer *o, size_t i) {
    const double *x = o->quantity->data.x + i * o->dim;
    size_t times = 0;
    for (size_t k = 0; k < o->trials; k++) {
        int again = o->trial[k].info.origin == LOCBO_ORIGIN_AGAIN;
        int pending = o->trial[k].state == LOCBO_TRIAL_PENDING;
        if ((!again && !pending) || !space_same(o->space, o->trial_x + k * o->dim, x)) continue;
        times += (size_t)again;
        if (pending || times >= TIMES) return 0;
    }
    return 1;
}

/* A result, and the number of its point. */
typedef struct outcome {
    double value;
    size_t point, row;
} outcome;

static int compare_outcomes(const void *a, const void *b) {
    const outcome *p = a, *q = b;
    if (p->value != q->value) return p->value < q->value ? -1 : 1;
    return p->point < q->point ? -1 : p->point > q->point;
}

/* Whether one of the n, sorted, is that of an earlier one at the same point of the space. Only points that rounding
 * makes one are compared in vain. */
static int has_same(const locbo_optimizer *o, size_t n, const outcome *sorted) {
    const double *x = o->quantity->data.x;
    for (size_t i = 1; i < n; i++)
        for (size_t k = i; k-- > 0 && compare_outcomes(&sorted[k], &sorted[i]) == 0;)
            if (space_same(o->space, x + sorted[i].row * o->dim, x + sorted[k].row * o->dim)) return 1;
    return 0;
}

/* Whether two results at one point were the same: measuring again tells nothing. */
static locbo_status find_deterministic(const locbo_optimizer *o, int *is, locbo_error *error) {
    const dataset *d = &o->quantity->data;
    outcome *sorted = mem_new(d->n, sizeof *sorted);
    if (!sorted) return status_no_memory(error);
    for (size_t i = 0; i < d->n; i++)
        sorted[i] = (outcome){d->measured[i].value, dataset_find(d, d->u + i * d->columns), i};
    qsort(sorted, d->n, sizeof *sorted, compare_outcomes);
    *is = has_same(o, d->n, sorted);
    mem_free(sorted);
    return LOCBO_OK;
}

/* The result that is too good to believe, whether or not it can be told by measuring again; SIZE_MAX: none. */
static size_t find_doubtful(const locbo_optimizer *o, const double *fixed) {
    const dataset *d = &o->quantity->data;
    size_t rows = gp_measurements(o->quantity->surrogate.model), found = SIZE_MAX;
    double best = -INFINITY;
    if (o->quantities > 1) return SIZE_MAX; /* the best of several outputs is not one result */
    if (!(o->quantity->surrogate.dof > 0) || is_share_used(o)) return SIZE_MAX; /* normal noise: all weights are 1 */
    for (size_t i = 0; i < rows; i++) best = fmax(best, quantity_mean(o->quantity, i));
    for (size_t i = 0; i < o->quantity->surrogate.told; i++) {
        if (!(d->y[i] > best) || !is_light(d, i) || d->measured[i].sd == 0) continue;
        if (!space_is_held(o->space, fixed, d->x + i * o->dim) || !is_open(o, i)) continue;
        if (!optimizer_row_counts(o, i)) continue;
        best = d->y[i];
        found = i;
    }
    return found;
}

locbo_status remeasure_row(const locbo_optimizer *o, const double *fixed, size_t *row, locbo_error *error) {
    int deterministic = 0;
    size_t found = find_doubtful(o, fixed);
    locbo_status status = found == SIZE_MAX ? LOCBO_OK : find_deterministic(o, &deterministic, error);
    if (status == LOCBO_OK) *row = deterministic ? SIZE_MAX : found;
    return status;
}
