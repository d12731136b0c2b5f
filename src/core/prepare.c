/* prepare.c - what a proposal and an answer start from: the model brought up to date, and the surfaces over it.
 *
 *     believed   told results alone: what is stored with a trial, judged, predicted and recommended
 *     searched   the same with the outstanding trials: they reduce the variance of a copy of the model and leave its
 *                mean; only what exceeds their expected values is an improvement
 *
 * Both are built once and then only read. Layer: core, top. Cost: see surrogate.c; with outstanding trials
 * O(n^2) for the copy and for each of them. */
#include <math.h>
#include <string.h>

#include "mem.h"
#include "optimizer.h"

/* ---- every call -------------------------------------------------------------------------------- */

locbo_status optimizer_begin(locbo_optimizer *o, locbo_error *error) {
    surrogate_remember(&o->surrogate);
    o->watcher.cancelled = 0;
    return watcher_check(&o->watcher, error);
}

locbo_status optimizer_end(locbo_optimizer *o, locbo_status status) {
    if (status == LOCBO_OK) return status;
    surrogate_put_back(&o->surrogate);
    average_forget(o->average); /* it may be of the fit that was put back */
    return status;
}

/* ---- the models -------------------------------------------------------------------------------- */

/* The success model, fitted again when there are new results or failures. */
static locbo_status refresh_success(locbo_optimizer *o, locbo_error *error) {
    if (o->failures == 0) {
        if (o->success) feasible_clear(o->success);
        return LOCBO_OK;
    }
    locbo_status status = LOCBO_OK;
    if (!o->success) status = feasible_create(&o->success, gp_get_spec(o->surrogate.model), o->dim, error);
    if (status != LOCBO_OK) return status;
    feasible_watch(o->success, &o->watcher);
    if (o->success_rows == o->data.n && o->success_failures == o->failures) return LOCBO_OK;
    double *u = mem_new(o->failures * o->columns, sizeof *u);
    int *sure = mem_new(o->failures, sizeof *sure);
    status = u && sure ? LOCBO_OK : status_no_memory(error);
    for (size_t i = 0; status == LOCBO_OK && i < o->failures; i++) {
        size_t index = o->failure[i];
        memcpy(u + i * o->columns, o->trial_u + index * o->columns, o->columns * sizeof *u);
        sure[i] = o->trial[index].state == LOCBO_TRIAL_INFEASIBLE;
    }
    if (status == LOCBO_OK)
        status = feasible_fit(o->success, o->data.n, o->data.u, o->data.point, o->failures, u, sure,
                              rng_open(o->options.seed, o->data.n, RNG_FEASIBLE), error);
    mem_free(u);
    mem_free(sure);
    if (watcher_is_end(status)) return status;
    o->success_rows = o->data.n;
    o->success_failures = o->failures;
    return LOCBO_OK; /* without a success model every point counts as one that succeeds */
}

locbo_status optimizer_refresh(locbo_optimizer *o, int may_fit, int *ready, locbo_error *error) {
    *ready = 0;
    if (o->options.method == LOCBO_METHOD_RANDOM) return LOCBO_OK; /* it has no model */
    locbo_status status = surrogate_refresh(&o->surrogate, &o->data, may_fit, &o->events, ready, error);
    if (status == LOCBO_OK && *ready) status = refresh_success(o, error);
    return status;
}

/* Posterior means at the rows of the model, in o->fitted. */
static locbo_status refresh_fitted(locbo_optimizer *o, locbo_error *error) {
    size_t rows = gp_rows(o->surrogate.model);
    if (!mem_reserve(&o->fitted, &o->fitted_capacity, rows, sizeof *o->fitted)) return status_no_memory(error);
    gp_fitted(o->surrogate.model, o->fitted);
    return LOCBO_OK;
}

double optimizer_mean(const locbo_optimizer *o, size_t row) { return o->fitted[o->data.point[row]]; }

/* The best measured value or, by the option, the best posterior mean. */
static double incumbent(const locbo_optimizer *o) {
    int observed = o->options.incumbent == LOCBO_INCUMBENT_OBSERVED;
    double best = -INFINITY;
    for (size_t i = 0; i < gp_measurements(o->surrogate.model); i++)
        best = fmax(best, observed ? o->data.y[i] : optimizer_mean(o, i));
    return best;
}

/* ---- the best so far --------------------------------------------------------------------------- */

/* Means of f at all rows of the surface's model, in o->fitted: it has those of the data rows already. */
static locbo_status extend_fitted(locbo_optimizer *o, const surface *s, locbo_error *error) {
    size_t rows = gp_rows(s->model), pending = gp_pending(s->model);
    if (!mem_reserve(&o->fitted, &o->fitted_capacity, rows + pending, sizeof *o->fitted))
        return status_no_memory(error);
    if (pending == 0) return LOCBO_OK;
    locbo_status status = surface_predict(s, pending, gp_inputs(s->model) + rows * o->columns, error);
    if (status == LOCBO_OK) memcpy(o->fitted + rows, s->work->mu, pending * sizeof *o->fitted);
    return status;
}

/* Choose the points and draw f there; the calibration stretches the spread of f (acquisition_stretch). */
static locbo_status fill_baseline(locbo_optimizer *o, const surface *s, baseline *b, locbo_error *error) {
    double rho[BASELINE_POINTS];
    locbo_status status = extend_fitted(o, s, error);
    if (status != LOCBO_OK) return status;
    baseline_choose(b, s->model, o->fitted);
    status = surface_predict(s, b->points, baseline_inputs(b), error);
    for (size_t k = 0; k < b->points && status == LOCBO_OK; k++) {
        calibrator_point p = surface_point(s, baseline_inputs(b), k);
        law l;
        calibrator_law(s->calibrator, &p, &l);
        rho[k] = acquisition_stretch(&s->acquisition, &l, NULL);
    }
    if (status != LOCBO_OK) return status;
    return baseline_prepare(b, s->model, rho, rng_open(o->options.seed, o->data.n, RNG_BASELINE), error);
}

int optimizer_wants_baseline(const locbo_optimizer *o, const surface *s) {
    return o->options.incumbent == LOCBO_INCUMBENT_SAMPLED && acquisition_takes_baseline(&s->acquisition);
}

/* The baseline of all rows of the surface's model, in b; if f cannot be drawn there, the incumbent stays one number. */
static locbo_status attach_baseline(locbo_optimizer *o, surface *s, baseline *b, locbo_error *error) {
    s->acquisition.baseline = NULL;
    if (!optimizer_wants_baseline(o, s)) return LOCBO_OK;
    locbo_status status = fill_baseline(o, s, b, error);
    if (status == LOCBO_OK) s->acquisition.baseline = b;
    return status == LOCBO_ERR_NUMERIC ? LOCBO_OK : status;
}

/* ---- believed ---------------------------------------------------------------------------------- */

/* The encoded box of a proposal, in o->low and o->high: columns of fixed parameters have no width. */
static void box(locbo_optimizer *o, const double *fixed) {
    for (size_t c = 0; c < o->columns; c++) {
        size_t j = space_group(o->space)[c];
        int categorical = o->held[c] = space_kind(o->space, j) == LOCBO_CATEGORICAL;
        double top = categorical ? sqrt(0.5) : 1;
        o->low[c] = 0;
        o->high[c] = top;
        if (space_is_free(fixed, j)) continue;
        if (categorical)
            o->low[c] = o->high[c] = c - space_column(o->space, j) == (size_t)fixed[j] ? top : 0;
        else
            o->low[c] = o->high[c] = space_encode_value(o->space, j, fixed[j]);
    }
}

locbo_status optimizer_believed(locbo_optimizer *o, const double *fixed, surface *believed, locbo_error *error) {
    locbo_status status = refresh_fitted(o, error);
    if (status != LOCBO_OK) return status;
    const locbo_options *options = &o->options;
    int may_fail = o->failures > 0 && o->success && !feasible_is_trivial(o->success);
    surface s = {.model = o->surrogate.model,
                 .noise_var = surrogate_noise_var(&o->surrogate),
                 .calibrator = o->calibrator,
                 .acquisition = {.kind = options->acquisition,
                                 .best = incumbent(o),
                                 .ucb_level = options->ucb_level,
                                 .alpha = options->alpha,
                                 .caution = options->caution,
                                 .score = o->score,
                                 .user = o->score_user},
                 .success = may_fail ? o->success : NULL,
                 .columns = o->columns,
                 .work = &o->work};
    box(o, fixed);
    calibrator_context context = {.model = s.model,
                                  .best = s.acquisition.best,
                                  .low = o->low,
                                  .high = o->high,
                                  .stream = rng_open(options->seed, o->data.n, RNG_CHAINS),
                                  .held = o->held};
    status = calibrator_prepare(o->calibrator, &context, error);
    if (status == LOCBO_ERR_NUMERIC) status = LOCBO_OK; /* CBO then uses equal weights */
    if (status == LOCBO_OK) status = attach_baseline(o, &s, &o->baseline_believed, error);
    if (status == LOCBO_OK) *believed = s;
    return status;
}

/* ---- searched ---------------------------------------------------------------------------------- */

/* The incumbent counts the expected values of the outstanding trials: only more than these is an improvement. Otherwise
 * all outstanding trials would lie where the mean is above the incumbent, however well known f is there. */
static locbo_status raise_incumbent(const locbo_optimizer *o, const surface *believed, double *best,
                                    locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < o->trials && status == LOCBO_OK; i++) {
        if (o->trial[i].state != LOCBO_TRIAL_PENDING) continue;
        status = surface_predict(believed, 1, o->trial_u + i * o->columns, error);
        if (status == LOCBO_OK) *best = fmax(*best, believed->work->mu[0]);
    }
    return status;
}

/* A copy of the model with the outstanding trials as pending rows, in o->conditioned. */
static locbo_status condition_on_pending(locbo_optimizer *o, size_t pending, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    const gp *model = o->surrogate.model;
    if (!o->conditioned) status = gp_create(&o->conditioned, gp_get_spec(model), error);
    if (status == LOCBO_OK) gp_watch(o->conditioned, &o->watcher);
    if (status == LOCBO_OK) status = gp_copy(o->conditioned, model, pending, error);
    for (size_t i = 0; i < o->trials && status == LOCBO_OK; i++) {
        if (o->trial[i].state != LOCBO_TRIAL_PENDING) continue;
        status = gp_append_pending(o->conditioned, o->trial_u + i * o->columns, error);
        if (status == LOCBO_ERR_NUMERIC) status = LOCBO_OK; /* it adds nothing new */
    }
    return status;
}

locbo_status optimizer_searched(locbo_optimizer *o, const surface *believed, surface *searched, locbo_error *error) {
    surface s = *believed;
    size_t pending = optimizer_count(o, LOCBO_TRIAL_PENDING);
    locbo_status status = raise_incumbent(o, believed, &s.acquisition.best, error);
    if (status == LOCBO_OK && pending) status = condition_on_pending(o, pending, error);
    if (status == LOCBO_OK && pending && gp_pending(o->conditioned)) {
        s.model = o->conditioned;
        status = attach_baseline(o, &s, &o->baseline_searched, error);
    }
    if (status == LOCBO_OK) *searched = s;
    return status;
}
