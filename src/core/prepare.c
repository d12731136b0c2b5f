/* prepare.c - what a proposal and an answer start from: the models brought up to date, and the surfaces over them.
 *
 *     believed   told results alone: what is stored with a trial, judged, predicted and recommended
 *     searched   the same with the outstanding trials: they reduce the variance of a copy of the model and leave its
 *                mean; only what exceeds their expected values is an improvement
 *
 * Both are built once and then only read. Layer: core, top. Cost: see surrogate.c; with outstanding trials
 * O(n^2) for the copy and for each of them. */
#include <math.h>
#include <string.h>

#include "contenders.h"
#include "fidelity.h"
#include "mem.h"
#include "optimizer.h"
#include "together.h"

/* ---- every call -------------------------------------------------------------------------------- */

locbo_status optimizer_begin(locbo_optimizer *o, locbo_error *error) {
    for (size_t k = 0; k < o->quantities; k++) surrogate_remember(&o->quantity[k].surrogate);
    o->watcher.cancelled = 0;
    return watcher_check(&o->watcher, error);
}

locbo_status optimizer_end(locbo_optimizer *o, locbo_status status) {
    if (status == LOCBO_OK) return status;
    for (size_t k = 0; k < o->quantities; k++) {
        surrogate_put_back(&o->quantity[k].surrogate);
        average_forget(o->quantity[k].average); /* it may be of the fit that was put back */
    }
    return status;
}

/* ---- the models -------------------------------------------------------------------------------- */

enum { LABELS = 400 }; /* of many results, and failures, that the success model sees */

/* Fit it to the results, each of which is a success, and to the failures, whose points are u. */
static locbo_status fit_success(locbo_optimizer *o, const double *u, const int *sure, locbo_error *error) {
    const dataset *d = &o->quantity->data;
    size_t n = o->told.n;
    const size_t *point = d->n == n ? d->point : NULL; /* known if every result has the first objective */
    rng stream = rng_open(o->options.seed, n, RNG_FEASIBLE);
    size_t most = o->quantity->surrogate.exact_rows > 0 ? LABELS : 0;
    return feasible_fit(o->success, most, n, o->told.u, point, o->failures, u, sure, stream, error);
}

/* The success model, fitted again when there are new results or failures. */
static locbo_status refresh_success(locbo_optimizer *o, locbo_error *error) {
    if (o->failures == 0) {
        if (o->success) feasible_clear(o->success);
        return LOCBO_OK;
    }
    locbo_status status = LOCBO_OK;
    if (!o->success) status = feasible_create(&o->success, gp_get_spec(o->quantity->surrogate.model), o->dim, error);
    if (status != LOCBO_OK) return status;
    feasible_watch(o->success, &o->watcher);
    if (o->success_rows == o->told.n && o->success_failures == o->failures) return LOCBO_OK;
    double *u = mem_new(o->failures * o->columns, sizeof *u);
    int *sure = mem_new(o->failures, sizeof *sure);
    status = u && sure ? LOCBO_OK : status_no_memory(error);
    for (size_t i = 0; status == LOCBO_OK && i < o->failures; i++) {
        size_t index = o->failure[i];
        memcpy(u + i * o->columns, o->trial_u + index * o->columns, o->columns * sizeof *u);
        sure[i] = o->trial[index].state == LOCBO_TRIAL_INFEASIBLE;
    }
    if (status == LOCBO_OK) status = fit_success(o, u, sure, error);
    mem_free(u);
    mem_free(sure);
    if (watcher_is_end(status)) return status;
    o->success_rows = o->told.n;
    o->success_failures = o->failures;
    return LOCBO_OK; /* without a success model every point counts as one that succeeds */
}

locbo_status optimizer_refresh(locbo_optimizer *o, int may_fit, int *ready, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    int all = o->options.method != LOCBO_METHOD_RANDOM; /* it has no model */
    *ready = 0;
    for (size_t k = 0; all && k < o->quantities && status == LOCBO_OK; k++) {
        quantity *q = &o->quantity[k];
        q->data.misled = fidelity_misleads(o);
        status = surrogate_refresh(&q->surrogate, &q->data, may_fit, &o->events, &all, error);
    }
    *ready = status == LOCBO_OK && all;
    return *ready ? refresh_success(o, error) : status;
}

int optimizer_is_inside(const locbo_optimizer *o, const double *x) {
    return locbo_space_check(o->space, x, NULL) == LOCBO_OK;
}

int optimizer_row_counts(const locbo_optimizer *o, size_t row) {
    const dataset *d = &o->quantity->data;
    return dataset_counts(d, row) && optimizer_is_inside(o, d->x + row * o->dim);
}

unsigned char *optimizer_find_outside(const locbo_optimizer *o, const dataset *d, size_t rows) {
    unsigned char *flags = mem_new(rows + 1, sizeof *flags);
    size_t outside = 0, points = d->points < rows ? d->points : rows;
    for (size_t i = 0; flags && i < points; i++) {
        size_t row = d->first[i];
        flags[i] = !(dataset_counts(d, row) && optimizer_is_inside(o, d->x + row * o->dim));
        outside += flags[i];
    }
    if (flags && outside == points) memset(flags, 0, points);
    for (size_t i = 0, row = points; flags && o->full && i < o->trials && row < rows; i++)
        if (o->trial[i].state == LOCBO_TRIAL_PENDING)
            flags[row++] = o->trial_x[i * o->dim + o->fidelity] != o->full[o->fidelity];
    return flags;
}

/* The best measured value: of all results, since a landmark has only the first measurement of its point. */
static double best_measured(const locbo_optimizer *o) {
    const quantity *q = o->quantity;
    double best = -INFINITY, any = -INFINITY;
    for (size_t i = 0; i < q->surrogate.told; i++) {
        double value = q->data.y[i];
        any = fmax(any, value);
        if (value > best && optimizer_row_counts(o, i)) best = value;
    }
    return best > -INFINITY ? best : any;
}

/* The best posterior mean. */
static double best_mean(const locbo_optimizer *o) {
    const quantity *q = o->quantity;
    double best = -INFINITY, any = -INFINITY;
    for (size_t i = 0; i < gp_measurements(q->surrogate.model); i++) {
        double value = quantity_mean(q, i);
        any = fmax(any, value);
        if (value > best && optimizer_row_counts(o, quantity_source(q, i))) best = value;
    }
    return best > -INFINITY ? best : any;
}

/* One of them, by the option; of points of the space, unless there is none. */
static locbo_status find_incumbent(locbo_optimizer *o, double *best, locbo_error *error) {
    if (o->quantities > o->objectives) return together_incumbent(o, best, error);
    *best = o->options.incumbent == LOCBO_INCUMBENT_OBSERVED ? best_measured(o) : best_mean(o);
    return LOCBO_OK;
}

/* ---- the best so far --------------------------------------------------------------------------- */

/* Means of f at all rows of the surface's first model, in `fitted`: it has those of the data rows already. */
static locbo_status extend_fitted(locbo_optimizer *o, const surface *s, locbo_error *error) {
    quantity *q = o->quantity;
    const gp *model = s->part->model;
    size_t rows = gp_rows(model), pending = gp_pending(model);
    if (!mem_reserve(&q->fitted, &q->fitted_capacity, rows + pending, sizeof *q->fitted))
        return status_no_memory(error);
    if (pending == 0) return LOCBO_OK;
    locbo_status status = surface_means(s, pending, gp_inputs(model) + rows * o->columns, error);
    if (status == LOCBO_OK) memcpy(q->fitted + rows, s->part->work->mu, pending * sizeof *q->fitted);
    return status;
}

/* Choose the points and draw f there. */
static locbo_status fill_baseline(locbo_optimizer *o, const surface *s, baseline *b, locbo_error *error) {
    locbo_status status = extend_fitted(o, s, error);
    unsigned char *outside =
        optimizer_find_outside(o, quantity_rows(o->quantity), gp_rows(s->part->model) + gp_pending(s->part->model));
    if (status == LOCBO_OK && !outside) status = status_no_memory(error);
    if (status == LOCBO_OK) baseline_choose(b, s->part->model, o->quantity->fitted, outside);
    mem_free(outside);
    if (status != LOCBO_OK) return status;
    status = surface_predict(s, b->points, baseline_inputs(b), error);
    return status == LOCBO_OK ? together_draw(o, s, 0, b, error) : status;
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

/* The same for several quantities. */
static locbo_status attach_joint(locbo_optimizer *o, surface *s, int searched, locbo_error *error) {
    s->acquisition.joint = NULL;
    if (!optimizer_wants_baseline(o, s)) return LOCBO_OK;
    joint *j = searched ? &o->joint_searched : &o->joint_believed;
    locbo_status status = together_fill(o, s, searched, j, error);
    if (status == LOCBO_OK) s->acquisition.joint = j;
    return status == LOCBO_ERR_NUMERIC ? LOCBO_OK : status;
}

/* The draws of the maximum; if f cannot be drawn, the score is log EI. */
static locbo_status attach_maximum(locbo_optimizer *o, surface *s, int searched, locbo_error *error) {
    maximum *m = &o->quantity->maximum[searched];
    s->acquisition.maximum = NULL;
    locbo_status status = contenders_draw(o, s, m, error);
    if (status == LOCBO_OK) s->acquisition.maximum = m;
    return status == LOCBO_ERR_NUMERIC ? LOCBO_OK : status;
}

static locbo_status attach(locbo_optimizer *o, surface *s, int searched, locbo_error *error) {
    if (acquisition_wants_maximum(&s->acquisition)) return attach_maximum(o, s, searched, error);
    if (o->quantities > 1) return attach_joint(o, s, searched, error);
    return attach_baseline(o, s, &o->quantity->baseline[searched], error);
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

/* Part k of the surface. */
static locbo_status prepare_part(locbo_optimizer *o, size_t k, surface *s, locbo_error *error) {
    quantity *q = &o->quantity[k];
    s->part[k] = (surface_part){.model = q->surrogate.model,
                                .noise_var = surrogate_noise_var(&q->surrogate),
                                .calibrator = q->calibrator,
                                .work = &q->work};
    o->bound[k] = k < o->objectives ? -INFINITY : together_bound(o, k);
    return quantity_refresh_fitted(q, error);
}

/* What the calibrator of part k computes once for all points. */
static locbo_status prepare_calibrator(locbo_optimizer *o, size_t k, const surface *s, locbo_error *error) {
    double bound = isfinite(o->bound[k]) ? o->bound[k] : 0; /* what CBO's first guess of its weights improves on */
    calibrator_context context = {.model = s->part[k].model,
                                  .best = k == 0 ? s->acquisition.best : bound,
                                  .low = o->low,
                                  .high = o->high,
                                  .stream = rng_open(o->options.seed, o->told.n, RNG_CHAINS),
                                  .held = o->held};
    locbo_status status = calibrator_prepare(o->quantity[k].calibrator, &context, error);
    return status == LOCBO_ERR_NUMERIC ? LOCBO_OK : status; /* CBO then uses equal weights */
}

locbo_status optimizer_believed(locbo_optimizer *o, const double *fixed, surface *believed, locbo_error *error) {
    const locbo_options *options = &o->options;
    int may_fail = o->failures > 0 && o->success && !feasible_is_trivial(o->success);
    surface s = {.acquisition = {.kind = options->acquisition,
                                 .ucb_level = options->ucb_level,
                                 .parts = o->quantities,
                                 .bound = o->bound,
                                 .alpha = options->alpha,
                                 .caution = options->caution,
                                 .score = o->score,
                                 .user = o->score_user},
                 .success = may_fail ? o->success : NULL,
                 .columns = o->columns};
    locbo_status status = LOCBO_OK;
    for (size_t k = 0; k < o->quantities && status == LOCBO_OK; k++) status = prepare_part(o, k, &s, error);
    if (status != LOCBO_OK) return status;
    box(o, fixed);
    status = find_incumbent(o, &s.acquisition.best, error);
    for (size_t k = 0; k < o->quantities && status == LOCBO_OK; k++) status = prepare_calibrator(o, k, &s, error);
    if (status == LOCBO_OK) status = attach(o, &s, 0, error);
    if (status == LOCBO_OK) *believed = s;
    return status;
}

/* ---- searched ---------------------------------------------------------------------------------- */

/* Whether the means of all constraints hold at point i of those that were just predicted. */
static int is_expected_feasible(const locbo_optimizer *o, const surface *believed, size_t i) {
    for (size_t k = o->objectives; k < o->quantities; k++)
        if (!(believed->part[k].work->mu[i] >= o->bound[k])) return 0;
    return 1;
}

/* The incumbent counts the expected values of the outstanding trials: only more than these is an improvement. Otherwise
 * all outstanding trials would lie where the mean is above the incumbent, however well known f is there. */
static locbo_status raise_incumbent(const locbo_optimizer *o, const surface *believed, double *best,
                                    locbo_error *error) {
    double *u = mem_new(SURFACE_BLOCK * o->columns, sizeof *u);
    size_t n = 0;
    locbo_status status = u ? LOCBO_OK : status_no_memory(error);
    for (size_t i = 0; i < o->trials && status == LOCBO_OK; i++) {
        if (o->trial[i].state == LOCBO_TRIAL_PENDING)
            memcpy(u + n++ * o->columns, o->trial_u + i * o->columns, o->columns * sizeof *u);
        if (n == 0 || (n < SURFACE_BLOCK && i + 1 < o->trials)) continue;
        status = surface_means(believed, n, u, error);
        for (size_t k = 0; k < n && status == LOCBO_OK; k++)
            if (is_expected_feasible(o, believed, k)) *best = fmax(*best, believed->part->work->mu[k]);
        n = 0;
    }
    mem_free(u);
    return status;
}

/* How many of the outstanding trials, in their order, q->conditioned has as its pending rows; -1: it is another model,
 * or has others. */
static long already_conditioned(const locbo_optimizer *o, const quantity *q) {
    size_t k = 0;
    if (!q->conditioned || q->conditioned_version == 0 || q->conditioned_version != q->surrogate.version) return -1;
    for (size_t i = 0; i < o->trials && k < q->conditioned_count; i++)
        if (o->trial[i].state == LOCBO_TRIAL_PENDING && q->conditioned_on[k++] != i) return -1;
    return k == q->conditioned_count ? (long)k : -1;
}

/* A copy of quantity k's model with the outstanding trials as pending rows. Of many asks in a row each adds one. */
static locbo_status condition_on_pending(locbo_optimizer *o, size_t k, size_t pending, locbo_error *error) {
    quantity *q = &o->quantity[k];
    locbo_status status = LOCBO_OK;
    const gp *model = q->surrogate.model;
    long already = already_conditioned(o, q);
    if (!mem_reserve(&q->conditioned_on, &q->conditioned_capacity, pending, sizeof *q->conditioned_on))
        return status_no_memory(error);
    if (!q->conditioned) status = gp_create(&q->conditioned, gp_get_spec(model), error);
    if (status == LOCBO_OK) gp_watch(q->conditioned, &o->watcher);
    if (status == LOCBO_OK && already < 0) {
        q->conditioned_count = 0;
        q->conditioned_made++;
        status = gp_copy(q->conditioned, model, pending, error);
    }
    q->conditioned_version = 0;
    size_t next = 0;
    for (size_t i = 0; i < o->trials && status == LOCBO_OK; i++) {
        if (o->trial[i].state != LOCBO_TRIAL_PENDING || next++ < q->conditioned_count) continue;
        status = gp_append_pending(q->conditioned, o->trial_u + i * o->columns, error);
        if (status == LOCBO_ERR_NUMERIC) status = LOCBO_OK; /* it adds nothing new */
        q->conditioned_on[q->conditioned_count++] = i;
    }
    if (status == LOCBO_OK) q->conditioned_version = q->surrogate.version;
    return status;
}

locbo_status optimizer_searched(locbo_optimizer *o, const surface *believed, surface *searched, locbo_error *error) {
    surface s = *believed;
    size_t pending = optimizer_count(o, LOCBO_TRIAL_PENDING);
    int changed = 0;
    locbo_status status = raise_incumbent(o, believed, &s.acquisition.best, error);
    for (size_t k = 0; pending && k < o->quantities && status == LOCBO_OK; k++) {
        status = condition_on_pending(o, k, pending, error);
        if (status != LOCBO_OK || gp_pending(o->quantity[k].conditioned) == 0) continue;
        s.part[k].model = o->quantity[k].conditioned;
        if (pending >= OPTIMIZER_CROWD) {
            screen_renew(&o->quantity[k].screen, o->quantity[k].conditioned_made);
            s.part[k].screen = &o->quantity[k].screen;
        }
        changed = 1;
    }
    if (status == LOCBO_OK && changed) status = attach(o, &s, 1, error);
    if (status == LOCBO_OK) *searched = s;
    return status;
}
