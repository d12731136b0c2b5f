/* propose.c - ask: where to evaluate next. Layer: core, top.
 *
 * ask:  space -> dataset -> GP (mu, v, s2) -> calibrator (threshold) -> law of f(x) -> acquisition -> maximiser ->
 * trial Outstanding trials condition the variance of the model that is maximised, not its mean; the belief that is
 * stored with the trial, and that its result is judged by, rests on told results alone. Cost: see surrogate.c,
 * acqmax.c. */
#include <math.h>
#include <string.h>

#include "mem.h"
#include "optimizer.h"
#include "sized.h"

enum { ANCHORS = 6 };

/* ---- the model --------------------------------------------------------------------------------- */

/* The success model, fitted again when there are new labels. */
static locbo_status refresh_success(locbo_optimizer *o, locbo_error *error) {
    if (o->failures == 0) {
        if (o->success) feasible_clear(o->success);
        return LOCBO_OK;
    }
    locbo_status status = LOCBO_OK;
    if (!o->success) status = feasible_create(&o->success, gp_get_spec(o->surrogate.model), o->dim, error);
    if (status != LOCBO_OK) return status;
    if (o->success_rows == o->data.n && o->success_failures == o->failures) return LOCBO_OK;
    double *u = mem_new(o->failures * o->columns, sizeof *u);
    int *sure = mem_new(o->failures, sizeof *sure);
    status = u && sure ? LOCBO_OK : status_no_memory(error);
    for (size_t i = 0; status == LOCBO_OK && i < o->failures; i++) {
        size_t place = o->failure[i];
        memcpy(u + i * o->columns, o->trial_u + place * o->columns, o->columns * sizeof *u);
        sure[i] = o->trial[place].state == LOCBO_TRIAL_INFEASIBLE;
    }
    if (status == LOCBO_OK)
        status = feasible_fit(o->success, o->data.n, o->data.u, o->failures, u, sure,
                              rng_open(o->options.seed, o->data.n, RNG_FEASIBLE), error);
    mem_free(u);
    mem_free(sure);
    if (status == LOCBO_ERR_MEMORY) return status;
    o->success_rows = o->data.n;
    o->success_failures = o->failures;
    return LOCBO_OK; /* without a success model every point is as good as the objective says */
}

locbo_status optimizer_refresh(locbo_optimizer *o, int may_fit, int *ready, locbo_error *error) {
    *ready = 0;
    if (o->options.method == LOCBO_METHOD_RANDOM) return LOCBO_OK; /* it has no model */
    locbo_status status = surrogate_refresh(&o->surrogate, &o->data, may_fit, &o->events, ready, error);
    if (status == LOCBO_OK && *ready) status = refresh_success(o, error);
    return status;
}

/* Posterior means at the data rows, in o->fitted. */
static locbo_status refresh_fitted(locbo_optimizer *o, locbo_error *error) {
    size_t rows = gp_rows(o->surrogate.model);
    if (!mem_reserve(&o->fitted, &o->fitted_capacity, rows, sizeof *o->fitted)) return status_no_memory(error);
    gp_fitted(o->surrogate.model, o->fitted);
    return LOCBO_OK;
}

static double incumbent(const locbo_optimizer *o) {
    size_t rows = gp_rows(o->surrogate.model);
    const double *values =
        o->options.incumbent == LOCBO_INCUMBENT_OBSERVED ? gp_outputs(o->surrogate.model) : o->fitted;
    double best = values[0];
    for (size_t i = 1; i < rows; i++) best = fmax(best, values[i]);
    return best;
}

static int wants_baseline(const locbo_optimizer *o) {
    locbo_acquisition kind = o->options.acquisition;
    return o->options.incumbent == LOCBO_INCUMBENT_SAMPLED && !o->score &&
           (kind == LOCBO_ACQUISITION_EI || kind == LOCBO_ACQUISITION_LOG_EI);
}

/* The baseline of the rows whose means are in o->fitted. */
static locbo_status prepare_baseline(locbo_optimizer *o, locbo_error *error) {
    const gp *model = o->surrogate.model;
    baseline *b = &o->baseline;
    double rho[BASELINE_POINTS];
    baseline_choose(b, model, o->fitted);
    locbo_status status = surface_predict(&o->surface, b->points, baseline_inputs(b), error);
    for (size_t k = 0; k < b->points && status == LOCBO_OK; k++) {
        calibrator_point p = surface_point(&o->surface, baseline_inputs(b), k);
        law l;
        calibrator_law(o->calibrator, &p, &l);
        rho[k] = surface_stretch(&o->surface, &l, NULL);
    }
    if (status != LOCBO_OK) return status;
    rng stream = rng_open(o->options.seed, o->data.n, RNG_BASELINE);
    return baseline_prepare(b, model, rho, stream, error);
}

/* The baseline of all rows that the model has now; without one the incumbent is the best posterior mean. */
static locbo_status refresh_baseline(locbo_optimizer *o, locbo_error *error) {
    const gp *model = o->surrogate.model;
    size_t rows = gp_rows(model), pending = gp_pending(model);
    o->surface.baseline = NULL;
    if (!wants_baseline(o)) return LOCBO_OK;
    if (!mem_reserve(&o->fitted, &o->fitted_capacity, rows + pending, sizeof *o->fitted))
        return status_no_memory(error);
    const double *waiting = gp_inputs(model) + rows * o->columns;
    locbo_status status = surface_predict(&o->surface, pending, waiting, error);
    if (status == LOCBO_OK && pending) memcpy(o->fitted + rows, o->surface.mu, pending * sizeof *o->fitted);
    if (status == LOCBO_OK) status = prepare_baseline(o, error);
    if (status == LOCBO_OK) o->surface.baseline = &o->baseline;
    return status == LOCBO_ERR_NUMERIC ? LOCBO_OK : status;
}

/* A proposal tells of it; who only looks does not. */
static void tell_of_no_baseline(locbo_optimizer *o) {
    locbo_error why = {LOCBO_ERR_NUMERIC, "f at the best points cannot be drawn"};
    if (wants_baseline(o) && !o->surface.baseline)
        surrogate_trouble(&o->surrogate, &o->events, o->data.n, "the incumbent is a mean", &why);
}

/* The encoded box of a proposal: columns of fixed parameters have no width. */
static void box(locbo_optimizer *o, const double *fixed) {
    for (size_t c = 0; c < o->columns; c++) {
        size_t j = space_group(o->space)[c];
        size_t category = c - space_column(o->space, j);
        o->held[c] = space_kind(o->space, j) == LOCBO_CATEGORICAL;
        o->low[c] = 0;
        o->high[c] = space_kind(o->space, j) == LOCBO_CATEGORICAL ? sqrt(0.5) : 1;
        if (space_is_free(fixed, j)) continue;
        if (space_kind(o->space, j) == LOCBO_CATEGORICAL)
            o->low[c] = o->high[c] = category == (size_t)fixed[j] ? sqrt(0.5) : 0;
        else
            o->low[c] = o->high[c] = space_encode_value(o->space, j, fixed[j]);
    }
}

locbo_status optimizer_prepare(locbo_optimizer *o, const double *fixed, locbo_error *error) {
    locbo_status status = refresh_fitted(o, error);
    if (status != LOCBO_OK) return status;
    surface *s = &o->surface;
    s->model = o->surrogate.model;
    s->noise_var = surrogate_noise_var(&o->surrogate);
    s->alpha = o->options.alpha;
    s->caution = o->options.caution;
    s->calibrator = o->calibrator;
    s->success = o->failures > 0 && o->success && !feasible_is_trivial(o->success) ? o->success : NULL;
    s->acquisition = (acquisition){.kind = o->options.acquisition,
                                   .best = incumbent(o),
                                   .ucb_level = o->options.ucb_level,
                                   .score = o->score,
                                   .user = o->score_user};
    box(o, fixed);
    s->baseline = NULL;
    calibrator_scene scene = {.model = s->model,
                              .best = s->acquisition.best,
                              .low = o->low,
                              .high = o->high,
                              .stream = rng_open(o->options.seed, o->data.n, RNG_CHAINS),
                              .held = o->held};
    status = calibrator_prepare(o->calibrator, &scene, error);
    if (status == LOCBO_ERR_NUMERIC) status = LOCBO_OK; /* it goes on with equal weights */
    return status == LOCBO_OK ? refresh_baseline(o, error) : status;
}

/* ---- beliefs ----------------------------------------------------------------------------------- */

/* The acquisition at point i of the batch that the surface has just predicted, l being the law there. */
static double acquisition_out(const locbo_optimizer *o, const law *l, size_t i) {
    const scaling *s = &o->data.scale;
    double value = surface_value(&o->surface, l, i);
    if (o->surface.acquisition.score) return value; /* as the caller computed it */
    switch (o->surface.acquisition.kind) {
    case LOCBO_ACQUISITION_EI:
        return value * s->spread;
    case LOCBO_ACQUISITION_LOG_EI:
        return value + log(s->spread);
    case LOCBO_ACQUISITION_UCB:
        return scaling_out(s, value);
    case LOCBO_ACQUISITION_PI:
        return value;
    case LOCBO_ACQUISITION_THOMPSON:
        break;
    }
    return (double)NAN; /* a sampled path has no value of its own at a point */
}

/* [low, high] in standardised units becomes an interval in the user's. Empty stays empty. */
static void interval_out(const scaling *s, double low, double high, double *out_low, double *out_high) {
    *out_low = scaling_out(s, s->sign > 0 ? low : high);
    *out_high = scaling_out(s, s->sign > 0 ? high : low);
}

/* The belief at point i of the batch u that the surface has just predicted. */
static locbo_belief belief_at(const locbo_optimizer *o, const double *u, size_t i) {
    const scaling *s = &o->data.scale;
    calibrator_point p = surface_point(&o->surface, u, i);
    calibrator_set set;
    law l;
    calibrator_law(o->surface.calibrator, &p, &l);
    calibrator_set_at(o->surface.calibrator, &p, &set);
    double sy = sqrt(p.v + p.s2), alpha = o->options.alpha;
    locbo_belief b = {.mean = scaling_out(s, p.mu),
                      .sd_f = sqrt(p.v) * s->spread,
                      .sd_y = sy * s->spread,
                      .threshold = set.threshold,
                      .acquisition = acquisition_out(o, &l, i)};
    /* where CBO's set is everything its law only ranks points; f is then as the model has it */
    if (o->options.method == LOCBO_METHOD_CBO && set.low == -INFINITY && set.high == INFINITY)
        calibrator_law(o->plain, &p, &l);
    interval_out(s, p.mu + sy * set.low, p.mu + sy * set.high, &b.y_low, &b.y_high);
    interval_out(s, law_quantile(&l, alpha / 2, NULL), law_quantile(&l, 1 - alpha / 2, NULL), &b.f_low, &b.f_high);
    return b;
}

locbo_status optimizer_beliefs(locbo_optimizer *o, size_t n, const double *u, locbo_belief *beliefs,
                               locbo_error *error) {
    surface *s = &o->surface;
    locbo_status status = surface_predict(s, n, u, error);
    if (status == LOCBO_OK && s->success) status = feasible_probability(s->success, n, u, s->log_w, error);
    for (size_t i = 0; status == LOCBO_OK && i < n; i++) {
        beliefs[i] = belief_at(o, u, i);
        beliefs[i].success = s->success ? s->log_w[i] : 1;
    }
    return status;
}

/* ---- the proposal ------------------------------------------------------------------------------ */

/* Points not to be proposed again: outstanding ones first, then all others. */
static locbo_status collect_taken(locbo_optimizer *o, acqmax_request *r, locbo_error *error) {
    size_t most = o->trials + o->data.n, n = 0, size = o->dim * sizeof *o->taken;
    if (!mem_reserve(&o->taken, &o->taken_capacity, most, size)) return status_no_memory(error);
    for (int pending = 1; pending >= 0; pending--) {
        for (size_t i = 0; i < o->trials; i++) {
            if ((o->trial[i].state == LOCBO_TRIAL_PENDING) != pending || o->trial[i].state == LOCBO_TRIAL_CANCELLED)
                continue;
            memcpy(o->taken + n++ * o->dim, o->trial_x + i * o->dim, size);
        }
        if (pending) r->pending_count = n;
    }
    for (size_t i = 0; i < o->data.n; i++)
        if (o->data.trial[i] == 0) memcpy(o->taken + n++ * o->dim, o->data.x + i * o->dim, size);
    r->taken = o->taken;
    r->taken_count = n;
    return LOCBO_OK;
}

/* The rows with the best posterior means, and the best measured one. */
static locbo_status collect_anchors(locbo_optimizer *o, acqmax_request *r, locbo_error *error) {
    if (!o->anchors) o->anchors = mem_new(ANCHORS * o->dim, sizeof *o->anchors);
    if (!o->anchors) return status_no_memory(error);
    size_t rows = gp_rows(o->surrogate.model), n = 0, chosen[ANCHORS];
    chosen[n++] = dataset_best(&o->data);
    while (n < ANCHORS && n < rows) {
        size_t best = rows;
        for (size_t i = 0; i < rows; i++) {
            int used = 0;
            for (size_t k = 0; k < n; k++) used = used || chosen[k] == i;
            if (!used && (best == rows || o->fitted[i] > o->fitted[best])) best = i;
        }
        if (best == rows) break;
        chosen[n++] = best;
    }
    for (size_t k = 0; k < n; k++)
        memcpy(o->anchors + k * o->dim, o->data.x + chosen[k] * o->dim, o->dim * sizeof *o->anchors);
    r->anchors = o->anchors;
    r->anchor_count = n;
    return LOCBO_OK;
}

static int all_fixed(const locbo_optimizer *o, const double *fixed) {
    for (size_t j = 0; j < o->dim; j++)
        if (space_is_free(fixed, j)) return 0;
    return 1;
}

static size_t designed(const locbo_optimizer *o) {
    size_t count = 0;
    for (size_t i = 0; i < o->trials; i++) count += o->trial[i].info.origin == LOCBO_ORIGIN_DESIGN;
    return count;
}

/* Results that the caller chose the place of: they do for points of the design. */
static size_t given(const locbo_optimizer *o) {
    size_t count = 0;
    for (size_t i = 0; i < o->data.n; i++) {
        uint64_t id = o->data.trial[i];
        count += id == 0 || o->trial[id - 1].info.origin == LOCBO_ORIGIN_GIVEN;
    }
    return count;
}

/* Point k of the initial design; a random one where rounding or fixing made it a repetition. */
static locbo_status propose_design(locbo_optimizer *o, acqmax_request *r, size_t k, double *x, locbo_error *error) {
    space_from_unit(o->space, o->design + k * o->dim, x);
    space_hold(o->space, r->fixed, x);
    return acqmax_is_taken(r, x, r->taken_count) ? acqmax_random(o->maximiser, r, x, error) : LOCBO_OK;
}

static locbo_status condition_on_pending(locbo_optimizer *o, locbo_error *error) {
    for (size_t i = 0; i < o->trials; i++) {
        if (o->trial[i].state != LOCBO_TRIAL_PENDING) continue;
        locbo_status status = gp_append_pending(o->surrogate.model, o->trial_u + i * o->columns, error);
        if (status == LOCBO_ERR_MEMORY) return status; /* numerically: it adds nothing new */
    }
    return LOCBO_OK;
}

/* Outstanding trials will bring about what the model expects of them: only more than that is an improvement. Without
 * this, all of them would gather where the mean is above the incumbent, however well known that place is. */
static locbo_status raise_incumbent(locbo_optimizer *o, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < o->trials && status == LOCBO_OK; i++) {
        if (o->trial[i].state != LOCBO_TRIAL_PENDING) continue;
        status = surface_predict(&o->surface, 1, o->trial_u + i * o->columns, error);
        if (status == LOCBO_OK) o->surface.acquisition.best = fmax(o->surface.acquisition.best, o->surface.mu[0]);
    }
    return status;
}

/* A trial is judged by its belief, so that must be one. */
static locbo_status check_belief(const locbo_belief *b, locbo_error *error) {
    if (isfinite(b->mean) && isfinite(b->sd_y) && b->sd_y > 0) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_NUMERIC, "the model predicts %g with sd %g", b->mean, b->sd_y);
}

static locbo_status propose_by_model(locbo_optimizer *o, acqmax_request *r, locbo_trial *trial, double *x,
                                     locbo_error *error) {
    double score;
    gp *model = o->surrogate.model;
    locbo_status status = optimizer_prepare(o, r->fixed, error);
    if (status == LOCBO_OK) status = collect_anchors(o, r, error);
    double best = o->surface.acquisition.best;
    if (status == LOCBO_OK) status = raise_incumbent(o, error);
    if (status == LOCBO_OK) status = condition_on_pending(o, error);
    if (status == LOCBO_OK && gp_pending(model)) status = refresh_baseline(o, error);
    if (status == LOCBO_OK) {
        tell_of_no_baseline(o);
        trial->pending = gp_pending(model);
        status = acqmax_run(o->maximiser, r, x, &score, error);
    }
    gp_drop_pending(model);
    o->surface.acquisition.best = best;
    if (status == LOCBO_OK && trial->pending) status = refresh_baseline(o, error);
    if (status != LOCBO_OK) return status;
    space_encode(o->space, x, o->encoded);
    status = optimizer_beliefs(o, 1, o->encoded, &trial->belief, error);
    return status == LOCBO_OK ? check_belief(&trial->belief, error) : status;
}

/* The belief at a given point, if there is a model to ask. */
static locbo_status believe_given(locbo_optimizer *o, locbo_trial *trial, const double *x, locbo_error *error) {
    int ready;
    locbo_status status = optimizer_refresh(o, 0, &ready, error);
    if (status != LOCBO_OK || !ready) return status;
    status = optimizer_prepare(o, NULL, error);
    space_encode(o->space, x, o->encoded);
    if (status == LOCBO_OK) status = optimizer_beliefs(o, 1, o->encoded, &trial->belief, error);
    return status;
}

static locbo_status propose(locbo_optimizer *o, acqmax_request *r, locbo_trial *trial, double *x, locbo_error *error) {
    if (all_fixed(o, r->fixed)) {
        trial->origin = LOCBO_ORIGIN_GIVEN;
        memcpy(x, r->fixed, o->dim * sizeof *x);
        return believe_given(o, trial, x, error);
    }
    size_t k = designed(o);
    if (k + given(o) < o->initial) {
        trial->origin = LOCBO_ORIGIN_DESIGN;
        return propose_design(o, r, k, x, error);
    }
    int ready;
    locbo_status status = optimizer_refresh(o, 1, &ready, error);
    if (status == LOCBO_OK && ready) {
        locbo_error why = {LOCBO_OK, ""};
        trial->origin = LOCBO_ORIGIN_MODEL;
        status = propose_by_model(o, r, trial, x, &why);
        if (status == LOCBO_OK) return status;
        if (status != LOCBO_ERR_NUMERIC) return status_fail(error, status, "%s", why.message);
        surrogate_trouble(&o->surrogate, &o->events, o->data.n, "no proposal by the model", &why);
        trial->belief = BELIEF_NONE;
        trial->pending = 0;
        status = LOCBO_OK;
    }
    if (status != LOCBO_OK) return status;
    trial->origin = LOCBO_ORIGIN_RANDOM;
    return acqmax_random(o->maximiser, r, x, error);
}

static locbo_status check_ask(const locbo_optimizer *o, const locbo_ask_options *how, locbo_error *error) {
    locbo_options options = o->options; /* the limits are those of the option */
    options.candidates = how->candidates;
    locbo_status status = locbo_options_check(&options, error);
    for (size_t j = 0; j < o->dim && status == LOCBO_OK; j++)
        if (!space_is_free(how->fixed, j)) status = space_check_value(o->space, j, how->fixed[j], error);
    return status;
}

locbo_status locbo_optimizer_ask_with(locbo_optimizer *optimizer, const locbo_ask_options *how, locbo_trial *trial,
                                      double *x, locbo_error *error) {
    if (!optimizer || !trial || !x)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer, trial and x must not be NULL");
    locbo_optimizer *o = optimizer;
    locbo_ask_options with = {.struct_size = sizeof with};
    locbo_status status = sized_take("ask options", &with, sizeof with, how, error);
    if (status == LOCBO_OK) status = check_ask(o, &with, error);
    if (status != LOCBO_OK) return status;

    locbo_trial asked = {.id = o->trials + 1, .told = o->data.n, .belief = BELIEF_NONE};
    uint64_t seed = o->options.seed;
    acqmax_request r = {.space = o->space,
                        .surface = &o->surface,
                        .fixed = with.fixed,
                        .candidates = with.candidates ? with.candidates : o->options.candidates,
                        .refine = o->options.refine,
                        .uniform_only = with.candidates > 0,
                        .stream = rng_open(seed, asked.id, RNG_CANDIDATES),
                        .path = rng_open(seed, asked.id, RNG_THOMPSON)};
    double *point = mem_new(o->dim, sizeof *point);
    status = point ? collect_taken(o, &r, error) : status_no_memory(error);
    if (status == LOCBO_OK) status = propose(o, &r, &asked, point, error);
    if (status == LOCBO_OK) status = optimizer_append_trial(o, &asked, point, LOCBO_TRIAL_PENDING, error);
    if (status == LOCBO_OK) {
        *trial = asked;
        memcpy(x, point, o->dim * sizeof *x);
        status_ok(error);
    }
    mem_free(point);
    return status;
}

locbo_status locbo_optimizer_ask(locbo_optimizer *optimizer, locbo_trial *trial, double *x, locbo_error *error) {
    return locbo_optimizer_ask_with(optimizer, NULL, trial, x, error);
}
