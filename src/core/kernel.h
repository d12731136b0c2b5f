/* kernel.h - stationary covariance functions of the squared scaled distance (eq:matern_kernel). */
#ifndef KERNEL_H
#define KERNEL_H

#include <locbo/locbo.h>

/* Turn n squared distances into correlations: k[i] = k(r2[i]), and, if slope is not NULL,
 * slope[i] = dk/d(r2). In-place (k == r2) is allowed. Negative rounding in r2 counts as 0. */
void kernel_eval(locbo_kernel family, size_t n, const double *r2, double *k, double *slope);

#endif
