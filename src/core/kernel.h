/* kernel.h - stationary covariance functions of the squared scaled distance (eq:matern_kernel). */
#ifndef KERNEL_H
#define KERNEL_H

#include <locbo/locbo.h>

/* Turn n squared distances into correlations: k[i] = k(r2[i]), and, if slope is not NULL,
 * slope[i] = dk/d(r2). In-place (k == r2) is allowed. A r2 that rounding made negative counts as 0; a
 * NaN stays. */
void kernel_eval(locbo_kernel family, size_t n, const double *r2, double *k, double *slope);

/* n encoded points (rows of x) in units of the length scales: z has a point per column (`columns`
 * rows), and norm[i] = |z_i|^2. The unit cube's centre is moved to the origin, which quarters the
 * rounding error of the distances below and does not change them. */
void kernel_scale(size_t n, size_t columns, const double *x, const double *inv_length, double *z, double *norm);

/* Correlations of n scaled points with each other: lower triangle of k (leading dimension ldk), and
 * of the slopes with the same leading dimension if slope is not NULL. */
void kernel_gram(locbo_kernel family, size_t n, size_t columns, const double *z, const double *norm, double *k,
                 size_t ldk, double *slope);

/* Correlations of n scaled points (rows of k) with m others (columns of k). */
void kernel_cross(locbo_kernel family, size_t n, size_t m, size_t columns, const double *z, const double *norm,
                  const double *z_other, const double *norm_other, double *k, size_t ldk, double *slope);

#endif
