/* nei_reference.h - noisy expected improvement as in a textbook, from the joint posterior of f at n points A and, last,
 * at x: means (n + 1) and covariances ((n + 1) x (n + 1)). Slow, obvious, in long double; shares nothing with the
 * library but random numbers. */
#ifndef NEI_REFERENCE_H
#define NEI_REFERENCE_H

#include <stddef.h>

#include "rng.h"

/* E (N(mean, v) - best)_+ */
long double nei_reference_ei(long double mean, long double v, long double best);

/* f at the n points, and mean and variance of f(x) given these. */
enum { NEI_REFERENCE_POINTS = 64 };
typedef struct nei_reference_given {
    long double value[NEI_REFERENCE_POINTS], mean, v;
} nei_reference_given;
/* For each row e of `draw` (`stride` apart): f(A) = mu + F e, F the lower factor of its covariance, and f(x) given it.
 */
void nei_reference_condition(size_t n, const double *mu, const double *cov, size_t draws, const double *draw,
                             size_t stride, nei_reference_given *given);

/* The log of the mean, over the rows e of `draw` (`stride` apart), of the expected improvement of f(x) over the largest
 * entry of f(A), given that f(A) = mu + F e with F the lower factor of its covariance. -INFINITY where that underflows.
 * `left` receives the variance of f(x) given f(A). */
double nei_reference_log(size_t n, const double *mu, const double *cov, size_t draws, const double *draw, size_t stride,
                         double *left);

/* The mean of max(0, f(x) - max f(A)) over joint draws of both, and its standard error. */
double nei_reference_monte_carlo(size_t n, const double *mu, const double *cov, size_t draws, rng *stream,
                                 double *error);

#endif
