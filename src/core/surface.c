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

static int reserve_batch(surface_work *w, size_t m) {
    mem_array arrays[] = {{&w->mu, sizeof *w->mu}, {&w->v, sizeof *w->v}, {&w->log_w, sizeof *w->log_w}};
    return mem_reserve_all(3, arrays, &w->batch, m);
}

static locbo_status predict_part(const surface_part *p, size_t m, const double *u, locbo_error *error) {
    surface_work *w = p->work;
    if (!reserve_batch(w, m)) return status_no_memory(error);
    return gp_predict(p->model, m, u, w->mu, w->v, &w->gp, error);
}

locbo_status surface_predict(const surface *s, size_t m, const double *u, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t k = 0; k < s->acquisition.parts && status == LOCBO_OK; k++)
        status = predict_part(&s->part[k], m, u, error);
    return status;
}

locbo_status surface_means(const surface *s, size_t m, const double *u, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t k = 0; k < s->acquisition.parts && status == LOCBO_OK; k++) {
        surface_work *w = s->part[k].work;
        status = reserve_batch(w, m) ? gp_predict_mean(s->part[k].model, m, u, w->mu, &w->gp, error)
                                     : status_no_memory(error);
    }
    return status;
}

/* The model at x, its numbers there being point i of what it has just predicted. */
static calibrator_point point_of(const surface_part *p, const double *x, double mu, double v, size_t i) {
    size_t rows = gp_rows(p->model) + gp_pending(p->model);
    return (calibrator_point){.x = x,
                              .mu = mu,
                              .v = v,
                              .s2 = p->noise_var,
                              .w = p->work->gp.w + i * p->work->gp.stride,
                              .rows = rows,
                              .local = p->work->local ? p->work->local + i : NULL};
}

calibrator_point surface_point(const surface *s, size_t part, const double *u, size_t i) {
    const surface_part *p = &s->part[part];
    return point_of(p, u + i * s->columns, p->work->mu[i], p->work->v[i], i);
}

/* The baseline of a part; NULL: none. */
static const baseline *baseline_of(const surface *s, size_t part) {
    return s->acquisition.joint ? s->acquisition.joint->base[part] : part == 0 ? s->acquisition.baseline : NULL;
}

/* The draws of the maximum, for the first part; NULL: none. */
static const maximum *maximum_of(const surface *s, size_t part) { return part == 0 ? s->acquisition.maximum : NULL; }

static void look_at(const surface *s, size_t part, const calibrator_point *p, size_t i, acquisition_point *at) {
    const baseline *b = baseline_of(s, part);
    calibrator_law(s->part[part].calibrator, p, &at->law);
    if (b) baseline_tie(b, &s->part[part].work->gp, i, at->tie);
    if (maximum_of(s, part)) maximum_tie(maximum_of(s, part), &s->part[part].work->gp, i, at->tie);
}

void surface_at(const surface *s, const double *u, size_t i, acquisition_point *at) {
    for (size_t k = 0; k < s->acquisition.parts; k++) {
        calibrator_point p = surface_point(s, k, u, i);
        look_at(s, k, &p, i, &at[k]);
    }
}

/* What the sum of log weights is multiplied by before it is added to a score under l. */
static double weight_of(const surface *s, const law *l) {
    return acquisition_is_logarithm(&s->acquisition) ? 1 : sqrt(l->v + l->s2);
}

double surface_log_weight(const surface *s, const acquisition_point *at, double log_success) {
    int apart = s->acquisition.parts > 1 && !acquisition_has_constraints(&s->acquisition);
    if (!s->success && !apart) return 0;
    double sum = (s->success ? log_success : 0) + (apart ? acquisition_log_feasible(&s->acquisition, at, NULL) : 0);
    return weight_of(s, &at->law) * sum;
}

/* Scores of m points that the models have just predicted. */
static locbo_status score_predicted(const surface *s, size_t m, const double *u, double *score, locbo_error *error) {
    double *log_w = s->part->work->log_w;
    locbo_status status = s->success ? feasible_log_weight(s->success, m, u, log_w, error) : LOCBO_OK;
    for (size_t i = 0; status == LOCBO_OK && i < m; i++) {
        acquisition_point at[OUTPUTS_MODELLED];
        status = watcher_check(gp_watcher(s->part[0].model), error); /* CBO's law costs O(n^2) */
        surface_at(s, u, i, at);
        score[i] = acquisition_score(&s->acquisition, at, NULL) + surface_log_weight(s, at, log_w[i]);
    }
    return status;
}

locbo_status surface_score(const surface *s, size_t m, const double *u, double *score, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t at = 0; status == LOCBO_OK && at < m; at += SURFACE_BLOCK) {
        size_t count = m - at < SURFACE_BLOCK ? m - at : SURFACE_BLOCK;
        status = surface_predict(s, count, u + at * s->columns, error);
        if (status == LOCBO_OK) status = score_predicted(s, count, u + at * s->columns, score + at, error);
    }
    return status;
}

/* What the calibrator of a part says of a block of candidates, from what is kept of them. */
static void recall_local(const surface_part *p, size_t columns, size_t number, size_t m, const double *u) {
    int *known;
    double *local = screen_local(p->screen, number, &known);
    for (size_t i = 0; !*known && i < m; i++)
        if (!calibrator_local(p->calibrator, u + i * columns, &local[i])) return;
    *known = 1;
    p->work->local = local;
}

/* One block of candidates, the parts' predictions from what is kept of them. */
static locbo_status screen_points(const surface *s, size_t number, size_t m, const double *u, double *score,
                                  locbo_error *error) {
    locbo_status status = LOCBO_OK;
    size_t done = 0;
    for (; done < s->acquisition.parts && status == LOCBO_OK; done++) {
        const surface_part *p = &s->part[done];
        surface_work *w = p->work;
        if (!reserve_batch(w, m)) status = status_no_memory(error);
        if (status == LOCBO_OK && p->screen)
            status = screen_predict(p->screen, number, p->model, m, u, w->mu, w->v, &w->gp, error);
        else if (status == LOCBO_OK)
            status = gp_predict(p->model, m, u, w->mu, w->v, &w->gp, error);
        if (status != LOCBO_OK) break;
        if (p->screen) recall_local(p, s->columns, number, m, u);
    }
    if (status == LOCBO_OK) status = score_predicted(s, m, u, score, error);
    for (size_t k = 0; k < done; k++) {
        s->part[k].work->local = NULL;
        if (s->part[k].screen) screen_return(s->part[k].screen, number, &s->part[k].work->gp);
    }
    return status;
}

locbo_status surface_screen(const surface *s, size_t m, const double *u, double *score, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t at = 0, number = 0; status == LOCBO_OK && at < m; at += SURFACE_BLOCK, number++) {
        size_t count = m - at < SURFACE_BLOCK ? m - at : SURFACE_BLOCK;
        status = screen_points(s, number, count, u + at * s->columns, score + at, error);
    }
    return status;
}

/* What is known at one point, with the gradients of every model in its work. */
static locbo_status look_closely(const surface *s, const double *u, calibrator_point *p, acquisition_point *at,
                                 locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t k = 0; k < s->acquisition.parts && status == LOCBO_OK; k++) {
        surface_work *w = s->part[k].work;
        double mu, v;
        status = gp_predict_grad(s->part[k].model, u, &mu, &v, w->dmu, w->dv, &w->gp, error);
        if (status != LOCBO_OK) return status;
        p[k] = point_of(&s->part[k], u, mu, v, 0);
        if (calibrator_local(s->part[k].calibrator, u, &w->here)) p[k].local = &w->here;
        look_at(s, k, &p[k], 0, &at[k]);
    }
    return status;
}

/* grad += the derivatives g of part k in the encoded coordinates: by the mean and the variance, by the ties
 * to the baseline, by the shape of the law. */
static void chain_part(const surface *s, size_t k, const calibrator_point *p, const acquisition_point *at,
                       const acquisition_grad *g, double *grad) {
    const surface_part *part = &s->part[k];
    const baseline *b = baseline_of(s, k);
    for (size_t c = 0; c < s->columns; c++) grad[c] += g->law.mu * part->work->dmu[c] + g->law.v * part->work->dv[c];
    if (b) baseline_chain(b, part->model, &part->work->gp, g->tie, grad);
    if (maximum_of(s, k)) maximum_chain(maximum_of(s, k), part->model, &part->work->gp, g->tie, grad);
    calibrator_chain(part->calibrator, p, &at->law, &g->law, grad);
}

/* Constraints that the score does not contain: their log probability is weighed as that of success is. */
static double add_constraints(const surface *s, const calibrator_point *p, const acquisition_point *at, double weight,
                              double *grad) {
    acquisition_grad g[OUTPUTS_MODELLED];
    double log_feasible = acquisition_log_feasible(&s->acquisition, at, g);
    for (size_t k = 1; k < s->acquisition.parts; k++) {
        law_scale_grad(&g[k].law, at[k].law.shape_n, weight);
        chain_part(s, k, &p[k], &at[k], &g[k], grad);
    }
    return log_feasible;
}

locbo_status surface_score_grad(const surface *s, const double *u, double *score, double *grad, locbo_error *error) {
    size_t parts = s->acquisition.parts, scored = acquisition_has_constraints(&s->acquisition) ? parts : 1;
    surface_work *w = s->part[0].work;
    calibrator_point p[OUTPUTS_MODELLED];
    acquisition_point at[OUTPUTS_MODELLED];
    acquisition_grad g[OUTPUTS_MODELLED];
    double log_w = 0;
    locbo_status status = look_closely(s, u, p, at, error);
    if (status == LOCBO_OK && s->success) status = feasible_log_weight_grad(s->success, u, &log_w, w->dp, error);
    if (status != LOCBO_OK) return status;

    *score = acquisition_score(&s->acquisition, at, g);
    for (size_t c = 0; c < s->columns; c++) grad[c] = 0;
    for (size_t k = 0; k < scored; k++) chain_part(s, k, &p[k], &at[k], &g[k], grad);
    if (!s->success && scored == parts) return LOCBO_OK;

    double weight = weight_of(s, &at->law);
    if (scored < parts) log_w += add_constraints(s, p, at, weight, grad);
    *score += weight * log_w;
    for (size_t c = 0; c < s->columns; c++) {
        if (s->success) grad[c] += weight * w->dp[c];
        /* the weight is the predictive sd, which depends on v */
        if (!acquisition_is_logarithm(&s->acquisition)) grad[c] += log_w * w->dv[c] / (2 * weight);
    }
    return LOCBO_OK;
}
