/* surface.c - scores of points, in batches through BLAS, and one at a time with gradients (eq:locbo_utility).
 * The score is a logarithm for EI and PI, and a caller's own is taken for one, so the log weight of success is added to
 * it; a UCB, or a sampled value of f, is lowered by it in units of the predictive standard deviation. Layer: core,
 * below acqmax. Cost: O(n^2) a point, no allocation once the workspace has grown. */
#include "surface.h"

#include <math.h>
#include <string.h>

#include "mem.h"

locbo_status surface_init(surface *s, size_t columns, locbo_error *error) {
    memset(s, 0, sizeof *s);
    s->columns = columns;
    s->dmu = mem_new(columns, sizeof *s->dmu);
    s->dv = mem_new(columns, sizeof *s->dv);
    s->dp = mem_new(columns, sizeof *s->dp);
    if (s->dmu && s->dv && s->dp) return LOCBO_OK;
    surface_release(s);
    return status_no_memory(error);
}

void surface_release(surface *s) {
    gp_work_release(&s->work);
    double *arrays[] = {s->mu, s->v, s->log_w, s->dmu, s->dv, s->dp};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
    memset(s, 0, sizeof *s);
}

static int reserve(surface *s, size_t m) {
    size_t real = sizeof(double);
    mem_array arrays[] = {{&s->mu, real}, {&s->v, real}, {&s->log_w, real}};
    return mem_reserve_all(sizeof arrays / sizeof arrays[0], arrays, &s->batch, m);
}

locbo_status surface_predict(surface *s, size_t m, const double *u, locbo_error *error) {
    if (!reserve(s, m)) return status_no_memory(error);
    return gp_predict(s->model, m, u, s->mu, s->v, &s->work, error);
}

calibrator_point surface_point(const surface *s, const double *u, size_t i) {
    size_t rows = gp_rows(s->model) + gp_pending(s->model);
    return (calibrator_point){
        .x = u + i * s->columns, .mu = s->mu[i], .v = s->v[i], .s2 = s->noise_var, .w = s->work.w + i * rows};
}

double surface_success_weight(const surface *s, const law *l) {
    return acquisition_is_logarithm(&s->acquisition) ? 1 : sqrt(l->v + l->s2);
}

double surface_stretch(const surface *s, const law *l, law_grad *grad) {
    double rho = law_stretch(l, s->alpha, grad), used = pow(rho, s->caution);
    for (size_t i = 0; grad && i < l->shape_n; i++) grad->shape[i] *= s->caution * used / rho;
    return used;
}

/* Log noisy EI at point i of the batch the model has just predicted, l being the calibrated law there. The mean is the
 * law's: CBO moves it where a point is to be worthless. */
static double noisy_score(const surface *s, const law *l, size_t i) {
    baseline_view at = {l->mu, s->v[i], surface_stretch(s, l, NULL), {0}};
    baseline_tie(s->baseline, &s->work, i, at.d);
    return baseline_log_ei(s->baseline, &at, NULL);
}

double surface_value(const surface *s, const law *l, size_t i) {
    if (!s->baseline) return acquisition_value(&s->acquisition, l);
    double score = noisy_score(s, l, i);
    return s->acquisition.kind == LOCBO_ACQUISITION_EI ? exp(score) : score;
}

static locbo_status score_block(surface *s, size_t m, const double *u, double *score, locbo_error *error) {
    locbo_status status = surface_predict(s, m, u, error);
    if (status == LOCBO_OK && s->success) status = feasible_log_weight(s->success, m, u, s->log_w, error);
    for (size_t i = 0; status == LOCBO_OK && i < m; i++) {
        calibrator_point p = surface_point(s, u, i);
        law l;
        calibrator_law(s->calibrator, &p, &l);
        score[i] = s->baseline ? noisy_score(s, &l, i) : acquisition_score(&s->acquisition, &l, NULL);
        if (s->success) score[i] += surface_success_weight(s, &l) * s->log_w[i];
    }
    return status;
}

locbo_status surface_score(surface *s, size_t m, const double *u, double *score, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t at = 0; status == LOCBO_OK && at < m; at += SURFACE_BLOCK) {
        size_t count = m - at < SURFACE_BLOCK ? m - at : SURFACE_BLOCK;
        status = score_block(s, count, u + at * s->columns, score + at, error);
    }
    return status;
}

/* The same at the point p of gp_predict_grad, with its gradient. */
static double noisy_score_grad(const surface *s, const calibrator_point *p, const law *l, double *grad) {
    law_grad by;
    baseline_view g, at = {l->mu, p->v, surface_stretch(s, l, &by), {0}};
    baseline_tie(s->baseline, &s->work, 0, at.d);
    double score = baseline_log_ei(s->baseline, &at, &g);
    for (size_t c = 0; c < s->columns; c++) grad[c] = g.mu * s->dmu[c] + g.v * s->dv[c];
    baseline_chain(s->baseline, s->model, &s->work, g.d, grad);
    if (l->kind == LAW_NORMAL) return score;
    for (size_t i = 0; i < l->shape_n; i++) by.shape[i] *= g.rho;
    calibrator_chain(s->calibrator, p, l, &by, grad);
    return score;
}

/* The acquisition under the law l of the point p, with its gradient. */
static double plain_score_grad(const surface *s, const calibrator_point *p, const law *l, double *grad) {
    law_grad g;
    double score = acquisition_score(&s->acquisition, l, &g);
    for (size_t c = 0; c < s->columns; c++) grad[c] = g.mu * s->dmu[c] + g.v * s->dv[c];
    calibrator_chain(s->calibrator, p, l, &g, grad);
    return score;
}

locbo_status surface_score_grad(surface *s, const double *u, double *score, double *grad, locbo_error *error) {
    double mu, v, log_w = 0;
    locbo_status status = gp_predict_grad(s->model, u, &mu, &v, s->dmu, s->dv, &s->work, error);
    if (status == LOCBO_OK && s->success) status = feasible_log_weight_grad(s->success, u, &log_w, s->dp, error);
    if (status != LOCBO_OK) return status;

    calibrator_point p = {.x = u, .mu = mu, .v = v, .s2 = s->noise_var, .w = s->work.w};
    law l;
    calibrator_law(s->calibrator, &p, &l);
    *score = s->baseline ? noisy_score_grad(s, &p, &l, grad) : plain_score_grad(s, &p, &l, grad);
    if (!s->success) return LOCBO_OK;

    double weight = surface_success_weight(s, &l);
    *score += weight * log_w;
    for (size_t c = 0; c < s->columns; c++) {
        grad[c] += weight * s->dp[c];
        /* the predictive sd as a weight moves with v */
        if (!acquisition_is_logarithm(&s->acquisition)) grad[c] += log_w * s->dv[c] / (2 * weight);
    }
    return LOCBO_OK;
}
