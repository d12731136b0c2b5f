/* robust.c - weights of rows under Student's t, and the leave-one-out score that chooses between laws of the noise.
 *
 * With C the covariance of the outputs, alpha = C^-1 (y - m) and c_i the diagonal of C^-1, f at row i has the posterior
 *
 *     mean y_i - noise_i alpha_i,   variance noise_i - noise_i^2 c_i,
 *
 * and without row i, y_i has the mean y_i - alpha_i / c_i and the variance 1 / c_i. Where several measurements of a
 * point are one row, both hold for each measurement with the alpha_i and c_i it would have as a row (gp_split): each
 * has its own weight, and one measurement is left out, not its point. What is asked is which noise predicts a
 * measurement, and the other measurements of its point know most about that.
 *
 * Layer: core, above gp. Cost: one dpotri (2 n^3/3) a call, and O(1) a measurement. */
#define _DEFAULT_SOURCE /* lgamma_r: lgamma writes a global */
#include "robust.h"

#include <math.h>

#include "mem.h"

static const double log_two_pi = 1.8378770664093453;

void robust_work_release(robust_work *work) {
    mem_free(work->inverse);
    mem_free(work->diagonal);
    mem_free(work->fitted);
    *work = (robust_work){0};
}

double robust_variance(double dof) { return dof > 2 ? dof / (dof - 2) : 1; }

/* The diagonal of C^-1, in work, and memory for one number a row. */
static locbo_status invert_diagonal(const gp *model, robust_work *work, locbo_error *error) {
    size_t n = gp_rows(model);
    mem_array arrays[] = {{&work->diagonal, sizeof(double)}, {&work->fitted, sizeof(double)}};
    if (!mem_reserve_all(2, arrays, &work->rows, n) ||
        !mem_reserve(&work->inverse, &work->inverse_size, n * n, sizeof *work->inverse))
        return status_no_memory(error);
    gp_inverse_diagonal(model, work->inverse, work->diagonal);
    return watcher_check(gp_watcher(model), error);
}

/* The scale of a measurement that is `off` from the mean of f; D: the variance of its noise, `extra` the known part;
 * `diagonal`: its entry in the diagonal of C^-1. */
static double weighed(double off, double diagonal, double D, double extra, double noise_var, double dof, double base) {
    double own = D - extra, residual = off * (own / D); /* what does not come from the known sd */
    double v = fmax(own - own * own * diagonal, 0);
    double squares = (residual * residual + v) / (noise_var * base);
    return base * (dof + fmin(squares, 1e12)) / (dof + 1);
}

void robust_weigh_predicted(const gp_data *rows, const double *mu, const double *v, double noise_var, double dof,
                            const double *base, double *scale) {
    for (size_t i = 0; i < rows->n; i++) {
        double D = noise_var * rows->scale[i] + rows->extra[i];
        double diagonal = fmax(1 - v[i] / D, 0) / D; /* v = D - D^2 c */
        scale[i] = weighed(rows->y[i] - mu[i], diagonal, D, rows->extra[i], noise_var, dof, base[i]);
    }
}

locbo_status robust_weigh(const gp *model, double dof, const double *base, double *scale, robust_work *work,
                          locbo_error *error) {
    locbo_status status = invert_diagonal(model, work, error);
    if (status != LOCBO_OK) return status;
    gp_fitted(model, work->fitted);
    double noise_var = gp_noise_var(model);
    for (size_t i = 0; i < gp_measurements(model); i++) {
        gp_measurement m = gp_measurement_at(model, i);
        double alpha = 0, diagonal = work->diagonal[m.row];
        gp_split(model, i, &alpha, &diagonal);
        scale[i] = weighed(m.y - work->fitted[m.row], diagonal, m.noise, m.extra, noise_var, dof, base[i]);
    }
    return LOCBO_OK;
}

locbo_status robust_factor(gp *model, const double *theta, const gp_data *rows, double dof, const double *base,
                           double *scale, robust_work *work, locbo_error *error) {
    enum { WEIGH_ROUNDS = 4 };
    locbo_status status = gp_factor(model, theta, rows, error);
    for (int k = 0; dof > 0 && k < WEIGH_ROUNDS && status == LOCBO_OK; k++) {
        status = robust_weigh(model, dof, base, scale, work, error);
        if (status == LOCBO_OK) status = gp_factor(model, theta, rows, error);
    }
    return status;
}

/* Log density at r of a normal number of variance v plus one of variance `extra` plus sqrt(noise) times Student's t:
 * the integral over the precision lambda, by the trapezoidal rule in log lambda, whose integrand falls off at both
 * ends. Its top is at about 1, as wide as sqrt(2 / dof), or, for an outlier, as far down as noise / r^2. */
static double log_student(double r, double v, double noise, double extra, double dof) {
    double outlying = fmax(log(noise) - 2 * log(fabs(r)), -600); /* beyond, noise / lambda overflows */
    const double from = fmin(-16, floor(outlying) - 8), to = 4, step = fmin(0.25, 1 / sqrt(dof));
    double top = -INFINITY, sum = 0, half = dof / 2;
    int sign;
    for (double u = from; u <= to; u += step) {
        double lambda = exp(u), variance = v + extra + noise / lambda;
        double term = half * (u - lambda) - 0.5 * (log(variance) + r * r / variance);
        if (term > top) {
            sum = sum * exp(top - term) + 1;
            top = term;
        } else {
            sum += exp(term - top);
        }
    }
    return top + log(sum * step) + half * log(half) - lgamma_r(half, &sign) - 0.5 * log_two_pi;
}

locbo_status robust_leave_one_out(const gp *model, double dof, const double *base, double *score, robust_work *work,
                                  locbo_error *error) {
    return robust_leave_one_out_of(model, dof, base, NULL, score, work, error);
}

locbo_status robust_leave_one_out_of(const gp *model, double dof, const double *base, const unsigned char *out,
                                     double *score, robust_work *work, locbo_error *error) {
    locbo_status status = invert_diagonal(model, work, error);
    if (status != LOCBO_OK) return status;
    double *alpha = work->fitted; /* (y - fitted) / noise has no digits left where the noise is below y's rounding */
    gp_weights(model, alpha);
    *score = 0;
    for (size_t i = 0; i < gp_measurements(model); i++) {
        if (out && out[i]) continue;
        gp_measurement m = gp_measurement_at(model, i);
        double weight = alpha[m.row], diagonal = work->diagonal[m.row];
        gp_split(model, i, &weight, &diagonal);
        double variance = 1 / diagonal, residual = weight * variance;
        if (dof > 0)
            *score += log_student(residual, fmax(variance - m.noise, 0), gp_noise_var(model) * base[i], m.extra, dof);
        else
            *score -= 0.5 * (residual * residual / variance + log(variance) + log_two_pi);
    }
    return LOCBO_OK;
}
