/* maximum.c - draws of the largest value of f, and the score given them. Layer: core, above gp and entropy.
 * Cost: a draw O(n^3 + n^2 rows) for n points, once for each surface; a point 50 us with its gradient, and O(draws
 * rows) if there are outstanding trials. */
#include "maximum.h"

#include <math.h>
#include <string.h>

#include "entropy.h"
#include "linalg.h"
#include "mem.h"

/* On the diagonal of the joint covariance, relative to the signal: many of the points are close to each other. It grows
 * tenfold until the factorisation succeeds. */
static const double first_jitter = 1e-9, last_jitter = 1e-3;
/* The least variance of f(x): where nothing is left to learn the logarithm stays finite. */
static const double least_variance = 1e-24;

void maximum_release(maximum *m) {
    gp_work_release(&m->work);
    mem_free(m->weight);
    mem_free(m->slope);
    memset(m, 0, sizeof *m);
}

/* ---- draws ------------------------------------------------------------------------------------- */

/* The Cholesky factor of the covariance, in `factor`. Returns 0 if there is none. */
static int factor_of(size_t n, const double *covariance, double signal_var, double *factor) {
    for (double jitter = first_jitter; jitter < 2 * last_jitter; jitter *= 10) {
        memcpy(factor, covariance, n * n * sizeof *factor);
        for (size_t i = 0; i < n; i++) factor[i + i * n] += jitter * signal_var;
        if (linalg_cholesky(n, factor, n)) return 1;
    }
    return 0;
}

/* a_s, from innovations of the pending rows; every second draw is the negative of the one before. */
static locbo_status draw_pending(maximum *m, const gp *model, rng *stream, locbo_error *error) {
    size_t data = gp_rows(model), rows = data + gp_pending(model), stride;
    const double *L = gp_factor_matrix(model, &stride);
    m->rows = rows;
    m->moved = gp_pending(model) > 0;
    if (!m->moved) return LOCBO_OK;
    if (!m->slope) m->slope = mem_new(gp_get_spec(model)->columns, sizeof *m->slope);
    if (!m->slope) return status_no_memory(error);
    if (!mem_reserve(&m->weight, &m->capacity, rows, MAXIMUM_DRAWS * sizeof *m->weight)) return status_no_memory(error);
    for (size_t s = 0; s < MAXIMUM_DRAWS; s++) {
        double *a = m->weight + s * rows;
        for (size_t i = 0; i < rows; i++)
            a[i] = s % 2 ? -m->weight[(s - 1) * rows + i] : i < data ? 0 : rng_normal(stream);
        if (s % 2 == 0) linalg_solve_lower_t(rows, L, stride, a);
    }
    return LOCBO_OK;
}

/* The largest value of each draw; f: scratch for two draws. */
static void draw_values(maximum *m, size_t n, const double *mu, const double *rho, const double *factor, rng *stream,
                        double *f) {
    for (size_t s = 0; s < MAXIMUM_DRAWS; s++) {
        double t[MAXIMUM_DRAWS];
        if (s % 2 == 0) {
            for (size_t i = 0; i < n; i++) f[i] = rng_normal(stream);
            linalg_mul_lower(n, factor, n, f);
        }
        m->value[s] = -INFINITY;
        for (size_t i = 0; i < n; i++) {
            maximum_tie(m, &m->work, i, t);
            m->value[s] = fmax(m->value[s], mu[i] + rho[i] * (t[s] + (s % 2 ? -f[i] : f[i])));
        }
    }
}

locbo_status maximum_draw(maximum *m, const gp *model, size_t n, const double *u, const double *rho, rng stream,
                          locbo_error *error) {
    double *block = mem_new(n * (2 * n + 3), sizeof *block);
    double *covariance = block, *factor = block + n * n, *mu = block + 2 * n * n, *v = mu + n, *f = v + n;
    m->drawn = 0;
    locbo_status status = block ? gp_predict(model, n, u, mu, v, &m->work, error) : status_no_memory(error);
    if (status == LOCBO_OK) status = gp_covariance(model, n, &m->work, covariance, error);
    if (status == LOCBO_OK && !factor_of(n, covariance, gp_signal_var(model), factor))
        status = status_fail(error, LOCBO_ERR_NUMERIC, "the joint covariance of %zu points cannot be factored", n);
    if (status == LOCBO_OK) status = draw_pending(m, model, &stream, error);
    if (status == LOCBO_OK) {
        draw_values(m, n, mu, rho, factor, &stream, f);
        m->drawn = 1;
    }
    mem_free(block);
    return status;
}

/* ---- a point ----------------------------------------------------------------------------------- */

void maximum_tie(const maximum *m, const gp_work *work, size_t i, double t[MAXIMUM_DRAWS]) {
    for (size_t s = 0; s < MAXIMUM_DRAWS; s++)
        t[s] = m->moved ? linalg_dot(m->rows, m->weight + s * m->rows, work->k + i * work->stride) : 0;
}

void maximum_chain(const maximum *m, const gp *model, const gp_work *work, const double by[MAXIMUM_DRAWS],
                   double *grad) {
    for (size_t s = 0; m->moved && s < MAXIMUM_DRAWS; s++) {
        gp_combination_grad(model, work, m->weight + s * m->rows, m->slope);
        for (size_t c = 0; c < gp_get_spec(model)->columns; c++) grad[c] += by[s] * m->slope[c];
    }
}

/* The largest f(x) that draw s allows, in standard deviations of f(x). */
static double distance(const maximum *m, size_t s, const maximum_view *at, double sd) {
    return (m->value[s] - at->mu - at->rho * at->t[s]) / (at->rho * sd);
}

/* The log of the mean of exp(score), and in score the share that each has of it. */
static double log_mean(double score[MAXIMUM_DRAWS]) {
    double top = -INFINITY, sum = 0;
    for (size_t s = 0; s < MAXIMUM_DRAWS; s++) top = fmax(top, score[s]);
    for (size_t s = 0; s < MAXIMUM_DRAWS; s++) sum += exp(score[s] - top);
    for (size_t s = 0; s < MAXIMUM_DRAWS; s++) score[s] = exp(score[s] - top) / sum;
    return top + log(sum / MAXIMUM_DRAWS);
}

double maximum_log_gain(const maximum *m, const maximum_view *at, maximum_view *grad) {
    double sd = sqrt(fmax(at->v, least_variance)), noise = sqrt(at->s2), score[MAXIMUM_DRAWS];
    double angle = atan2(at->rho * sd, noise);
    entropy_grad part[MAXIMUM_DRAWS];
    for (size_t s = 0; s < MAXIMUM_DRAWS; s++)
        score[s] = entropy_log_gain(distance(m, s, at, sd), angle, grad ? &part[s] : NULL);
    double gain = log_mean(score);
    if (!grad) return gain;
    *grad = (maximum_view){.mu = 0};
    double by_angle = 0, by_sd = 0; /* by_sd: of the distance, in units of 1/sd */
    for (size_t s = 0; s < MAXIMUM_DRAWS; s++) {
        double by_b = score[s] * part[s].b, b = distance(m, s, at, sd);
        by_angle += score[s] * part[s].angle;
        grad->mu -= by_b / (at->rho * sd);
        grad->t[s] = -by_b / sd;
        grad->rho -= by_b * (m->value[s] - at->mu) / (at->rho * at->rho * sd);
        by_sd -= by_b * b;
    }
    /* angle = atan(rho sd / noise) */
    double square = at->rho * at->rho * sd * sd + at->s2;
    grad->rho += by_angle * sd * noise / square;
    grad->v = at->v > least_variance ? (by_sd / sd + by_angle * at->rho * noise / square) / (2 * sd) : 0;
    grad->s2 = at->s2 > 0 ? -by_angle * at->rho * sd / (2 * noise * square) : 0;
    return gain;
}

double maximum_log_gain_of(const maximum *m, const maximum_view *at, double correlation) {
    double sd = sqrt(fmax(at->v, least_variance)), score[MAXIMUM_DRAWS];
    double angle = asin(fmin(fmax(fabs(correlation), 1e-12), 1));
    for (size_t s = 0; s < MAXIMUM_DRAWS; s++) score[s] = entropy_log_gain(distance(m, s, at, sd), angle, NULL);
    return log_mean(score);
}
