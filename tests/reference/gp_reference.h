/* gp_reference.h - Gaussian process regression as in a textbook: slow, obvious, in long double. An
 * oracle for tests; shares no code with the library. */
#ifndef GP_REFERENCE_H
#define GP_REFERENCE_H

#include <gp.h>

/* k(x, x') / signal_var at encoded points; theta as in gp.h. */
long double gp_reference_correlation(const gp_spec *spec, const double *theta, const double *a, const double *b);

/* Inverse of the n x n matrix, to be freed, and the log of its determinant. */
long double *gp_reference_invert(size_t n, const long double *matrix, long double *log_det);

/* Posterior mean and variance of f at m points and their covariance (m x m), any of which may be
 * NULL; the data are followed by `pending` rows at x_pending. `mean` receives the constant. jitter
 * is relative. */
void gp_reference_predict(const gp_spec *spec, const double *theta, const gp_data *data, double jitter, size_t pending,
                          const double *x_pending, size_t m, const double *x, double *mu, double *v, double *cov,
                          double *mean);

/* Log marginal likelihood, with -mean^2/2 if the mean is estimated. */
double gp_reference_likelihood(const gp_spec *spec, const double *theta, const gp_data *data, double jitter);

#endif
