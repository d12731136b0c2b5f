/* maximum.h - draws of the largest value of f, and what a measurement tells about it: max-value entropy search (Wang
 * and Jegelka 2017), with noise and outstanding trials.
 *
 * f at many points where it may be largest is drawn jointly; m_s is the largest value of draw s. With outstanding
 * trials their results are drawn too, as standard normal innovations z_s of the model's pending rows: given them, f(x)
 * has variance v(x), which the pending rows have already reduced, and mean
 *
 *     mu(x) + t_s(x),    t_s(x) = a_s . k(x),    a_s = L^-T (0, z_s)
 *
 * Calibration stretches the model's sd of f by rho(x), as in baseline.h. The score is the mean over draws of the
 * information between a measurement at x and "f(x) is at most m_s" (entropy.h). Standardised units; everything
 * maximises. */
#ifndef MAXIMUM_H
#define MAXIMUM_H

#include "gp.h"
#include "rng.h"

enum { MAXIMUM_DRAWS = 16 };

typedef struct maximum {
    int drawn; /* 0: there are no draws */
    double value[MAXIMUM_DRAWS];
    int moved;      /* whether the model has pending rows */
    double *weight; /* a_s: MAXIMUM_DRAWS x rows */
    size_t rows, capacity;
    double *slope; /* scratch, columns */
    gp_work work;
} maximum;

void maximum_release(maximum *m);

/* Draw f at n points (encoded), where the model is stretched by rho. LOCBO_ERR_NUMERIC if their covariance cannot be
 * factored. */
locbo_status maximum_draw(maximum *m, const gp *model, size_t n, const double *u, const double *rho, rng stream,
                          locbo_error *error);

/* t at point i of the batch that gp_predict left in `work`. */
void maximum_tie(const maximum *m, const gp_work *work, size_t i, double t[MAXIMUM_DRAWS]);
/* grad += sum_s by_s dt_s/dx at the point of gp_predict_grad, which left `work`. */
void maximum_chain(const maximum *m, const gp *model, const gp_work *work, const double by[MAXIMUM_DRAWS],
                   double *grad);

/* What the model has at x: f is N(mu + t_s, v), stretched by rho; a measurement has noise of variance s2. */
typedef struct maximum_view {
    double mu, v, rho, s2, t[MAXIMUM_DRAWS];
} maximum_view;
/* Log of the information about the maximum, in natural units; always finite. `grad` (may be NULL) receives the
 * derivatives. */
double maximum_log_gain(const maximum *m, const maximum_view *at, maximum_view *grad);
/* The same of a measurement that has this correlation with f(x), e.g. of a cheaper fidelity. */
double maximum_log_gain_of(const maximum *m, const maximum_view *at, double correlation);

#endif
