/* ratio.h - likelihood ratios w(x) = p'(x)/p(x) of CBO: p' the next query, p the past ones.
 *
 * p' is sampled by Langevin chains; the ratio comes from a ridge logistic regression that separates
 * the two samples. */
#ifndef RATIO_H
#define RATIO_H

#include "rng.h"
#include "watcher.h"

/* The box of the chains. A column with low = high is fixed; a column that is `held` stays at the
 * value it has in a random past query (one-hot columns: points between categories do not exist).
 * Only the others, the free ones, move and are features of the regression. */
typedef struct ratio_box {
    size_t columns;
    const double *low, *high;
    const unsigned char *held; /* columns flags; NULL: none */
} ratio_box;

/* Log density at x, up to a constant; fills grad (columns). LOCBO_OK, or the reason why not. */
typedef locbo_status ratio_density_fn(const double *x, double *value, double *grad, void *user, locbo_error *error);

/* Sampling: `chains` chains of `steps` steps; points of the second half of each are kept. */
typedef struct ratio_chains {
    int chains, steps;
    ratio_density_fn *density;
    void *user;
} ratio_chains;

/* How many points ratio_sample writes. */
size_t ratio_sample_size(const ratio_chains *c);
/* samples: ratio_sample_size x columns. `start`: chains x columns, inside the box. */
locbo_status ratio_sample(const ratio_chains *c, const ratio_box *box, const double *start, rng *stream,
                          double *samples, locbo_error *error);
/* `chains` starting points: uniform in the box, held columns from a random one of n >= 1 past
 * queries. */
void ratio_starts(const ratio_box *box, size_t chains, size_t n, const double *past, rng *stream, double *start);

/* A fitted ratio. */
typedef struct ratio ratio;
/* From m >= 1 points of p' and n >= 1 of p. The box is copied. The watcher (may be NULL) is asked at each step. */
locbo_status ratio_fit(ratio **out, const ratio_box *box, size_t m, const double *next, size_t n, const double *past,
                       watcher *w, locbo_error *error);
void ratio_destroy(ratio *r);
/* Within [1/RATIO_LIMIT, RATIO_LIMIT]. */
#define RATIO_LIMIT 100.0
double ratio_at(const ratio *r, const double *x);

#endif
