/* replicates.h - measurements of one point as one row of the model.
 *
 * Measurement i of a point is f plus noise of variance D_i = noise_var scale_i + extra_i. All m of them together say of
 * f what one measurement does, their weighted mean:
 *
 *     y = sum_i s_i y_i,   s_i = D / D_i,   D = 1 / sum_i (1 / D_i)
 *
 * and the rest of their likelihood does not depend on f:
 *
 *     sum_i log N(y_i; f, D_i) = log N(y; f, D) - 1/2 [(m-1) log(2 pi) + sum_i log D_i - log D + sum_i (y_i-y)^2 / D_i]
 *
 * So nothing is lost: under normal noise the posterior of f and the likelihood of theta are those of m rows. D is again
 * noise_var scale + extra, with scale = sum_i s_i^2 scale_i and extra = sum_i s_i^2 extra_i. */
#ifndef REPLICATES_H
#define REPLICATES_H

#include "gp.h"

/* Measurements of one point whose variances keep their proportions at every noise_var: those without a known sd, or
 * with the same n and sd. They are added up once, whatever noise_var is tried. */
typedef struct replicates_part {
    double y, scale, extra; /* the weighted mean; its variance D is noise_var scale + extra */
    double more;            /* measurements beyond the first */
    double spread;          /* sum_i s_i (y_i - y)^2 */
    double shares;          /* - sum_i log s_i */
    double weight;          /* sum of the weights, while they are added up */
} replicates_part;

/* The rows of some data. Zero-initialise, release once. */
typedef struct replicates {
    size_t rows;
    double *x;                 /* rows x columns */
    double *count;             /* measurements of each row */
    double *y, *scale, *extra; /* at the noise variance of the last replicates_at */
    size_t *first;             /* rows + 1: the parts of row p are first[p] .. first[p + 1] - 1 */
    replicates_part *part;
    size_t *order; /* scratch: measurements by row */
    size_t row_capacity, capacity;
} replicates;
void replicates_release(replicates *r);

/* Take the measurements of `data`; needs scale > 0 where a row has several. Returns 0 without memory. */
int replicates_build(replicates *r, const gp_data *data, size_t columns);
/* The rows at this noise variance; valid until the next call. A row of one measurement is that measurement. */
gp_data replicates_at(replicates *r, double noise_var);

/* The log likelihood inside the rows at the noise variance of replicates_at: 0 if each is one measurement. */
double replicates_within(const replicates *r, double noise_var);
/* Its derivative by noise_var, and that of the marginal likelihood of the rows through their y, which moves with the
 * shares; alpha: C^-1 (y - mean) of the rows. */
double replicates_slope(const replicates *r, double noise_var, const double *alpha);

#endif
