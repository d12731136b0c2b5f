/* robust.h - noise with heavy tails, and which noise explains the rows best.
 *
 * Student's t with dof degrees of freedom is a normal law whose precision is lambda times the usual one, lambda drawn
 * from Gamma(dof/2, dof/2) for each measurement. Given the model, measurement i's lambda is expected to be
 *
 *     lambda_i = (dof + 1) / (dof + (r_i^2 + v_i) / noise_i),      (r_i, v_i: posterior mean and variance of its noise)
 *
 * and the model with noise_i / lambda_i has normal noise: a few rounds of this are expectation maximisation.
 * Rows that fit have lambda about 1, an outlier's falls to 0. */
#ifndef ROBUST_H
#define ROBUST_H

#include "gp.h"

/* Reusable memory; zero-initialise, release once. */
typedef struct robust_work {
    double *inverse, *diagonal, *fitted;
    size_t inverse_size, rows;
} robust_work;
void robust_work_release(robust_work *work);

/* Variance of Student's t, or of a standard normal number (dof 0). */
double robust_variance(double dof);

/* scale[i] = base[i] / lambda_i for each measurement under the present model; base are the scales without weights. */
locbo_status robust_weigh(const gp *model, double dof, const double *base, double *scale, robust_work *work,
                          locbo_error *error);

/* The same from predictions: mean mu and variance v of f at the point of each of the measurements `rows`, whose scales
 * are those of the model that predicts. */
void robust_weigh_predicted(const gp_data *rows, const double *mu, const double *v, double noise_var, double dof,
                            const double *base, double *scale);

/* Factor rows at theta. dof > 0: a few rounds of weights, from those of `base`, into `scale`, which is rows->scale. */
locbo_status robust_factor(gp *model, const double *theta, const gp_data *rows, double dof, const double *base,
                           double *scale, robust_work *work, locbo_error *error);

/* Sum over the measurements of the log density of y_i predicted by the model from all others (Sundararajan and Keerthi
 * 2001), its constant mean held. dof > 0: the noise of the measurement that is left out is Student's t, not what its
 * weight says; 0: normal. */
locbo_status robust_leave_one_out(const gp *model, double dof, const double *base, double *score, robust_work *work,
                                  locbo_error *error);
/* The same over the measurements without a flag in `out` (NULL: over all). */
locbo_status robust_leave_one_out_of(const gp *model, double dof, const double *base, const unsigned char *out,
                                     double *score, robust_work *work, locbo_error *error);

#endif
