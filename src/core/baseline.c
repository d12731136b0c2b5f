/* baseline.c - noisy expected improvement: which points may be the best, draws of f there, and the score given them.
 * Layer: core, above gp and law. Cost: prepare O(points n^2); a point O(points n), its gradient O(points n columns). */
#include "baseline.h"

#include <math.h>
#include <string.h>

#include "law.h"
#include "linalg.h"
#include "mem.h"

/* On the diagonal of the joint covariance, relative to the signal: points that are close to each other have almost the
 * same f. It grows tenfold until the factorisation succeeds. */
static const double first_jitter = 1e-9, last_jitter = 1e-3;
/* What is left of v(x) when f(A) is known, at least: next to one of the points only rounding is left. */
static const double least_share = 1e-12, least_variance = 1e-300;

locbo_status baseline_init(baseline *b, size_t columns, locbo_error *error) {
    memset(b, 0, sizeof *b);
    b->x = mem_new(BASELINE_POINTS * columns, sizeof *b->x);
    b->slope = mem_new(columns, sizeof *b->slope);
    if (b->x && b->slope) return LOCBO_OK;
    baseline_release(b);
    return status_no_memory(error);
}

void baseline_release(baseline *b) {
    gp_work_release(&b->work);
    double *arrays[] = {b->white, b->weight, b->x, b->slope, b->combined};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
    memset(b, 0, sizeof *b);
}

/* ---- the points -------------------------------------------------------------------------------- */

static int is_chosen(const baseline *b, const gp *model, size_t row) {
    size_t columns = gp_get_spec(model)->columns;
    const double *inputs = gp_inputs(model), *x = inputs + row * columns;
    for (size_t k = 0; k < b->points; k++)
        if (memcmp(x, inputs + b->row[k] * columns, columns * sizeof *x) == 0) return 1;
    return 0;
}

const double *baseline_inputs(const baseline *b) { return b->x; }

void baseline_choose(baseline *b, const gp *model, const double *mean, const unsigned char *out) {
    size_t rows = gp_rows(model) + gp_pending(model), columns = gp_get_spec(model)->columns;
    for (b->points = 0; b->points < BASELINE_BEST; b->points++) {
        size_t best = rows;
        for (size_t i = 0; i < rows; i++)
            if (!(out && out[i]) && (best == rows || mean[i] > mean[best]) && !is_chosen(b, model, i)) best = i;
        if (best == rows) return;
        b->row[b->points] = best;
        memcpy(b->x + b->points * columns, gp_inputs(model) + best * columns, columns * sizeof *b->x);
    }
}

void baseline_take(baseline *b, const gp *model, size_t n, const size_t *rows) {
    size_t columns = gp_get_spec(model)->columns;
    memcpy(b->row, rows, n * sizeof *rows);
    for (size_t k = 0; k < n; k++)
        memcpy(b->x + k * columns, gp_inputs(model) + rows[k] * columns, columns * sizeof *b->x);
    b->points = n;
}

/* F from the joint covariance. Returns 0 if there is none. */
static int factor(baseline *b, const double *covariance, double signal_var) {
    size_t n = b->points;
    for (double jitter = first_jitter; jitter < 2 * last_jitter; jitter *= 10) {
        memcpy(b->factor, covariance, n * n * sizeof *covariance);
        for (size_t k = 0; k < n; k++) b->factor[k + k * n] += jitter * signal_var;
        if (linalg_cholesky(n, b->factor, n)) return 1;
    }
    return 0;
}

static void draw_best(baseline *b, const double *rho, rng *stream) {
    size_t n = b->points;
    for (size_t s = 0; s < BASELINE_DRAWS; s++) {
        double f[BASELINE_POINTS], *e = b->draw[s];
        for (size_t k = 0; k < n; k++) e[k] = s % 2 ? -b->draw[s - 1][k] : rng_normal(stream);
        memcpy(f, e, sizeof f);
        linalg_mul_lower(n, b->factor, n, f);
        b->best[s] = -INFINITY;
        for (size_t k = 0; k < n; k++) {
            b->value[s][k] = b->mu[k] + rho[k] * f[k];
            b->best[s] = fmax(b->best[s], b->value[s][k]);
        }
    }
}

/* L^-1 k and C^-1 k of the chosen rows, the former from the prediction at them. */
static locbo_status keep_weights(baseline *b, const gp *model, locbo_error *error) {
    size_t rows = gp_rows(model) + gp_pending(model), stride, size = BASELINE_POINTS;
    mem_array arrays[] = {
        {&b->white, size * sizeof(double)}, {&b->weight, size * sizeof(double)}, {&b->combined, sizeof(double)}};
    if (!mem_reserve_all(3, arrays, &b->capacity, rows)) return status_no_memory(error);
    const double *L = gp_factor_matrix(model, &stride);
    b->rows = rows;
    memcpy(b->white, b->work.w, rows * b->points * sizeof *b->white);
    memcpy(b->weight, b->work.w, rows * b->points * sizeof *b->weight);
    linalg_solve_lower_t_many(rows, b->points, L, stride, b->weight, rows);
    return watcher_check(gp_watcher(model), error);
}

locbo_status baseline_prepare(baseline *b, const gp *model, const double *rho, rng stream, locbo_error *error) {
    double v[BASELINE_POINTS], covariance[BASELINE_POINTS * BASELINE_POINTS];
    locbo_status status = gp_predict(model, b->points, b->x, b->mu, v, &b->work, error);
    if (status == LOCBO_OK) status = gp_covariance(model, b->points, &b->work, covariance, error);
    if (status == LOCBO_OK && !factor(b, covariance, gp_signal_var(model)))
        status = status_fail(error, LOCBO_ERR_NUMERIC, "the joint covariance of the %zu best points cannot be factored",
                             b->points);
    if (status == LOCBO_OK) status = keep_weights(b, model, error);
    if (status == LOCBO_OK) draw_best(b, rho, &stream);
    if (status != LOCBO_OK) b->points = 0;
    return status;
}

/* ---- a point ----------------------------------------------------------------------------------- */

void baseline_tie(const baseline *b, const gp_work *work, size_t i, double d[BASELINE_POINTS]) {
    size_t rows = b->rows;
    for (size_t k = 0; k < b->points; k++)
        d[k] =
            work->k[i * work->stride + b->row[k]] - linalg_dot(rows, work->w + i * work->stride, b->white + k * rows);
    linalg_solve_lower(b->points, b->factor, b->points, d);
}

void baseline_chain(const baseline *b, const gp *model, const gp_work *work, const double weight[BASELINE_POINTS],
                    double *grad) {
    double by_covariance[BASELINE_POINTS]; /* d = F^-1 c, so weight.d = (F^-T weight).c */
    memcpy(by_covariance, weight, b->points * sizeof *weight);
    linalg_solve_lower_t(b->points, b->factor, b->points, by_covariance);
    /* c_k = k(x, row_k) - weight_k.k(x): all of them together are one combination of the covariances with the rows */
    linalg_gemv(b->rows, b->points, -1, b->weight, b->rows, by_covariance, 0, b->combined);
    for (size_t k = 0; k < b->points; k++) b->combined[b->row[k]] += by_covariance[k];
    gp_combination_grad(model, work, b->combined, b->slope);
    for (size_t c = 0; c < gp_get_spec(model)->columns; c++) grad[c] += b->slope[c];
}

/* What is left of v when f(A) is known, at least `least`. */
static double left_over(const baseline *b, const baseline_view *at, int *is_least) {
    double free = at->v - linalg_dot(b->points, at->d, at->d), least = least_share * at->v + least_variance;
    if (is_least) *is_least = !(free > least);
    return fmax(free, least);
}

double baseline_mean(const baseline *b, size_t s, const baseline_view *at) {
    return at->mu + at->rho * linalg_dot(b->points, at->d, b->draw[s]);
}

double baseline_var(const baseline *b, const baseline_view *at) { return at->rho * at->rho * left_over(b, at, NULL); }

void baseline_add(const baseline *b, size_t s, const baseline_view *at, double share, double by_mean, double by_var,
                  baseline_view *grad) {
    double moved = linalg_dot(b->points, at->d, b->draw[s]);
    grad->mu += share * by_mean;
    grad->v += share * by_var * at->rho * at->rho;
    grad->rho += share * (by_mean * moved + by_var * 2 * at->rho * left_over(b, at, NULL));
    for (size_t k = 0; k < b->points; k++) grad->d[k] += share * by_mean * at->rho * b->draw[s][k];
}

void baseline_end(const baseline *b, const baseline_view *at, baseline_view *grad) {
    int is_least;
    left_over(b, at, &is_least);
    if (is_least)
        grad->v *= least_share; /* what is left does not move with d */
    else
        for (size_t k = 0; k < b->points; k++) grad->d[k] -= 2 * grad->v * at->d[k];
}

double baseline_log_ei(const baseline *b, const baseline_view *at, baseline_view *grad) {
    double score[BASELINE_DRAWS], top = -INFINITY, sum = 0;
    law given = {.kind = LAW_NORMAL, .v = baseline_var(b, at)};
    law_grad part[BASELINE_DRAWS];
    for (size_t s = 0; s < BASELINE_DRAWS; s++) {
        given.mu = baseline_mean(b, s, at);
        score[s] = law_log_ei(&given, b->best[s], grad ? &part[s] : NULL);
        top = fmax(top, score[s]);
    }
    for (size_t s = 0; s < BASELINE_DRAWS; s++) sum += exp(score[s] - top);
    if (!grad) return top + log(sum / BASELINE_DRAWS);
    *grad = (baseline_view){.mu = 0};
    for (size_t s = 0; s < BASELINE_DRAWS; s++)
        baseline_add(b, s, at, exp(score[s] - top) / sum, part[s].mu, part[s].v, grad);
    baseline_end(b, at, grad);
    return top + log(sum / BASELINE_DRAWS);
}
