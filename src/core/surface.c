/* surface.c - scores of points, in batches through BLAS, and one at a time with gradients (eq:locbo_utility).
 * The score is a logarithm for EI and PI, and a caller's own is taken for one, so the log weight of success is added to
 * it; a UCB, or a sampled value of f, is lowered by it in units of the predictive standard deviation. Layer: core,
 * below acqmax. Cost: O(n^2) a point, no allocation once the workspace has grown. */
#include "surface.h"

#include <math.h>
#include <string.h>

#include "mem.h"

locbo_status surface_work_init(surface_work *work, size_t columns, locbo_error *error) {
    memset(work, 0, sizeof *work);
    work->dmu = mem_new(columns, sizeof *work->dmu);
    work->dv = mem_new(columns, sizeof *work->dv);
    work->dp = mem_new(columns, sizeof *work->dp);
    if (work->dmu && work->dv && work->dp) return LOCBO_OK;
    surface_work_release(work);
    return status_no_memory(error);
}

void surface_work_release(surface_work *work) {
    gp_work_release(&work->gp);
    double *arrays[] = {work->mu, work->v, work->log_w, work->dmu, work->dv, work->dp};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
    memset(work, 0, sizeof *work);
}

locbo_status surface_predict(const surface *s, size_t m, const double *u, locbo_error *error) {
    surface_work *w = s->work;
    mem_array arrays[] = {{&w->mu, sizeof *w->mu}, {&w->v, sizeof *w->v}, {&w->log_w, sizeof *w->log_w}};
    if (!mem_reserve_all(3, arrays, &w->batch, m)) return status_no_memory(error);
    return gp_predict(s->model, m, u, w->mu, w->v, &w->gp, error);
}

/* The model at x, its numbers there being point i of what it has just predicted. */
static calibrator_point point_of(const surface *s, const double *x, double mu, double v, size_t i) {
    size_t rows = gp_rows(s->model) + gp_pending(s->model);
    return (calibrator_point){
        .x = x, .mu = mu, .v = v, .s2 = s->noise_var, .w = s->work->gp.w + i * rows, .rows = rows};
}

calibrator_point surface_point(const surface *s, const double *u, size_t i) {
    return point_of(s, u + i * s->columns, s->work->mu[i], s->work->v[i], i);
}

static void look_at(const surface *s, const calibrator_point *p, size_t i, acquisition_point *at) {
    calibrator_law(s->calibrator, p, &at->law);
    if (s->acquisition.baseline) baseline_tie(s->acquisition.baseline, &s->work->gp, i, at->tie);
}

void surface_at(const surface *s, const double *u, size_t i, acquisition_point *at) {
    calibrator_point p = surface_point(s, u, i);
    look_at(s, &p, i, at);
}

double surface_success_weight(const surface *s, const law *l) {
    return acquisition_is_logarithm(&s->acquisition) ? 1 : sqrt(l->v + l->s2);
}

static locbo_status score_block(const surface *s, size_t m, const double *u, double *score, locbo_error *error) {
    locbo_status status = surface_predict(s, m, u, error);
    if (status == LOCBO_OK && s->success) status = feasible_log_weight(s->success, m, u, s->work->log_w, error);
    for (size_t i = 0; status == LOCBO_OK && i < m; i++) {
        acquisition_point at;
        status = watcher_check(gp_watcher(s->model), error); /* CBO's law costs O(n^2) */
        surface_at(s, u, i, &at);
        score[i] = acquisition_score(&s->acquisition, &at, NULL);
        if (s->success) score[i] += surface_success_weight(s, &at.law) * s->work->log_w[i];
    }
    return status;
}

locbo_status surface_score(const surface *s, size_t m, const double *u, double *score, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t at = 0; status == LOCBO_OK && at < m; at += SURFACE_BLOCK) {
        size_t count = m - at < SURFACE_BLOCK ? m - at : SURFACE_BLOCK;
        status = score_block(s, count, u + at * s->columns, score + at, error);
    }
    return status;
}

locbo_status surface_score_grad(const surface *s, const double *u, double *score, double *grad, locbo_error *error) {
    surface_work *w = s->work;
    double mu, v, log_w = 0;
    locbo_status status = gp_predict_grad(s->model, u, &mu, &v, w->dmu, w->dv, &w->gp, error);
    if (status == LOCBO_OK && s->success) status = feasible_log_weight_grad(s->success, u, &log_w, w->dp, error);
    if (status != LOCBO_OK) return status;

    calibrator_point p = point_of(s, u, mu, v, 0);
    acquisition_point at;
    acquisition_grad g;
    look_at(s, &p, 0, &at);
    *score = acquisition_score(&s->acquisition, &at, &g);
    /* by the mean and the variance, by the ties to the baseline, by the shape of the law */
    for (size_t c = 0; c < s->columns; c++) grad[c] = g.law.mu * w->dmu[c] + g.law.v * w->dv[c];
    if (s->acquisition.baseline) baseline_chain(s->acquisition.baseline, s->model, &w->gp, g.tie, grad);
    calibrator_chain(s->calibrator, &p, &at.law, &g.law, grad);
    if (!s->success) return LOCBO_OK;

    double weight = surface_success_weight(s, &at.law);
    *score += weight * log_w;
    for (size_t c = 0; c < s->columns; c++) {
        grad[c] += weight * w->dp[c];
        /* the weight is the predictive sd, which depends on v */
        if (!acquisition_is_logarithm(&s->acquisition)) grad[c] += log_w * w->dv[c] / (2 * weight);
    }
    return LOCBO_OK;
}
