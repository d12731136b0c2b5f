/* propose.c - ask: where to evaluate next. Layer: core, top.
 *
 * ask:  space -> dataset -> GP (mu, v, s2) -> calibrator (threshold) -> law of f(x) -> acquisition -> maximum -> trial
 *
 * The surface that is searched includes the outstanding trials; the belief that is stored with the trial, and by which
 * its result is judged, is from told results alone (prepare.c). Cost: see surrogate.c, acqmax.c. */
#include <math.h>
#include <string.h>

#include "explore.h"
#include "fidelity.h"
#include "mem.h"
#include "optimizer.h"
#include "origin.h"
#include "region.h"
#include "remeasure.h"
#include "sized.h"
#include "together.h"

enum { ANCHORS = 6, FRONT_ANCHORS = 24 }; /* at most: of one objective, of several */

/* Points that are not to be proposed again: those of outstanding trials first, then all others. */
static locbo_status collect_taken(locbo_optimizer *o, acqmax_request *r, locbo_error *error) {
    size_t most = o->trials + o->told.n, n = 0, size = o->dim * sizeof *o->taken;
    if (!mem_reserve(&o->taken, &o->taken_capacity, most, size)) return status_no_memory(error);
    for (int pending = 1; pending >= 0; pending--) {
        for (size_t i = 0; i < o->trials; i++) {
            if ((o->trial[i].state == LOCBO_TRIAL_PENDING) != pending || o->trial[i].state == LOCBO_TRIAL_CANCELLED)
                continue;
            memcpy(o->taken + n++ * o->dim, o->trial_x + i * o->dim, size);
        }
        if (pending) r->pending_count = n;
    }
    for (size_t i = 0; i < o->told.n; i++)
        if (o->told.trial[i] == 0) memcpy(o->taken + n++ * o->dim, o->told.x + i * o->dim, size);
    r->taken = o->taken;
    r->taken_count = n;
    return LOCBO_OK;
}

/* The best measured row, and those with the best posterior means; with constraints, where their means hold. Returns how
 * many. */
static size_t best_rows(const locbo_optimizer *o, size_t *chosen) {
    const quantity *q = o->quantity;
    size_t rows = gp_measurements(q->surrogate.model), n = 0;
    if (o->quantities == 1) chosen[n++] = dataset_best(&q->data);
    while (n < ANCHORS && n < rows) {
        size_t best = rows;
        for (size_t i = 0; i < rows; i++) {
            int used = o->quantities > 1 && !together_means_hold(o, i);
            for (size_t k = 0; k < n; k++) used = used || chosen[k] == quantity_source(q, i);
            if (!used && (best == rows || quantity_mean(q, i) > quantity_mean(q, best))) best = i;
        }
        if (best == rows) break;
        chosen[n++] = quantity_source(q, best);
    }
    return n;
}

/* The rows that are most often the best, or in the front, by the draws of several outputs. */
static size_t drawn_rows(const locbo_optimizer *o, const joint *j, size_t *chosen) {
    size_t most = o->objectives == 1 ? ANCHORS : FRONT_ANCHORS, n = 0;
    for (; n < most && n < j->base[0]->points; n++)
        chosen[n] = quantity_source(o->quantity, quantity_rows(o->quantity)->first[j->base[0]->row[n]]);
    return n;
}

/* Good points that were evaluated, for the maximiser to begin from. */
static locbo_status collect_anchors(locbo_optimizer *o, const surface *believed, acqmax_request *r,
                                    locbo_error *error) {
    if (!o->anchors) o->anchors = mem_new(FRONT_ANCHORS * o->dim, sizeof *o->anchors);
    if (!o->anchors) return status_no_memory(error);
    const quantity *q = o->quantity;
    const joint *j = believed->acquisition.joint;
    size_t chosen[FRONT_ANCHORS], n = j ? drawn_rows(o, j, chosen) : best_rows(o, chosen);
    for (size_t k = 0; k < n; k++)
        memcpy(o->anchors + k * o->dim, q->data.x + chosen[k] * o->dim, o->dim * sizeof *o->anchors);
    r->anchors = o->anchors;
    r->anchor_count = n;
    return LOCBO_OK;
}

static int all_fixed(const locbo_optimizer *o, const double *fixed) {
    for (size_t j = 0; j < o->dim; j++)
        if (space_is_open(o->space, fixed, j)) return 0;
    return 1;
}

static size_t designed(const locbo_optimizer *o) {
    size_t count = 0;
    for (size_t i = 0; i < o->trials; i++) count += o->trial[i].info.origin == LOCBO_ORIGIN_DESIGN;
    return count;
}

/* Results at points that the caller chose: each replaces a point of the initial design. */
static size_t given(const locbo_optimizer *o) {
    size_t count = 0;
    for (size_t i = 0; i < o->told.n; i++) {
        uint64_t id = o->told.trial[i];
        count += id == 0 || o->trial[id - 1].info.origin == LOCBO_ORIGIN_GIVEN;
    }
    return count;
}

/* Point k of the initial design; a random point if rounding or fixed values made it equal to an earlier one, or one
 * that known constraints do not allow. */
static locbo_status propose_design(locbo_optimizer *o, acqmax_request *r, size_t k, double *x, locbo_error *error) {
    region points = {.space = o->space, .fixed = r->fixed};
    region_point(&points, o->design + k * o->dim, x);
    if (region_holds(&points, x) && !acqmax_is_taken(r, x, r->taken_count)) return LOCBO_OK;
    return acqmax_random(o->maximiser, r, x, error);
}

/* A proposal reports a baseline that could not be drawn; a prediction, which changes nothing, does not. */
static void report_missing_baseline(locbo_optimizer *o, const surface *searched) {
    locbo_error why = {LOCBO_ERR_NUMERIC, "f at the best points cannot be drawn"};
    if (acquisition_wants_maximum(&searched->acquisition) && !searched->acquisition.maximum)
        surrogate_trouble(&o->quantity->surrogate, &o->events, o->told.n, "the acquisition is expected improvement",
                          &why);
    if (optimizer_wants_baseline(o, searched) && !searched->acquisition.baseline && !searched->acquisition.joint)
        surrogate_trouble(&o->quantity->surrogate, &o->events, o->told.n, "the incumbent is the best posterior mean",
                          &why);
}

/* A trial while it is proposed. */
typedef struct draft {
    locbo_trial info;                      /* `belief` is filled in at the end */
    locbo_belief belief[OUTPUTS_MODELLED]; /* of each quantity */
    double *x;
    const double *fixed; /* by the caller; the request has full fidelity too */
} draft;

static void forget_beliefs(draft *d) {
    for (size_t k = 0; k < OUTPUTS_MODELLED; k++) d->belief[k] = BELIEF_NONE;
}

/* The beliefs at d->x, from told results alone: the trial's result is judged by them. `thorough`: see
 * optimizer_beliefs. */
static locbo_status believe_at(locbo_optimizer *o, const surface *believed, int thorough, draft *d,
                               locbo_error *error) {
    space_encode(o->space, d->x, o->encoded);
    return optimizer_beliefs(o, believed, 1, o->encoded, thorough, d->belief, error);
}

/* The same for a result that is judged: they must be usable. */
static locbo_status announce(locbo_optimizer *o, const surface *believed, int thorough, draft *d, locbo_error *error) {
    locbo_status status = believe_at(o, believed, thorough, d, error);
    for (size_t k = 0; k < o->quantities && status == LOCBO_OK; k++) {
        const locbo_belief *b = &d->belief[k];
        if (!(isfinite(b->mean) && isfinite(b->sd_y) && b->sd_y > 0))
            status = status_fail(error, LOCBO_ERR_NUMERIC, "the model predicts %g with sd %g", b->mean, b->sd_y);
    }
    return status;
}

/* The fidelity of d->x: what the caller fixed, or what is best. */
static locbo_status settle_fidelity(locbo_optimizer *o, const surface *s, const acqmax_request *r, draft *d,
                                    locbo_error *error) {
    if (!o->full) return LOCBO_OK;
    if (space_is_free(d->fixed, o->fidelity))
        return fidelity_misleads(o) ? LOCBO_OK : fidelity_choose(o, s, r, d->x, error);
    d->x[o->fidelity] = d->fixed[o->fidelity];
    return LOCBO_OK;
}

/* With many outstanding trials several proposals have the same candidates, of which the predictions are kept
 * (screen.h): then most of the time goes into the refinement. Half of the starts have to do, and fewer digits: what
 * comes of the other outstanding trials moves the maximum by more. */
static void share_candidates(const locbo_optimizer *o, uint64_t id, acqmax_request *r) {
    enum { SHARED = 16 };
    int crowd = optimizer_count(o, LOCBO_TRIAL_PENDING) >= OPTIMIZER_CROWD;
    r->stream = rng_open(o->options.seed, crowd ? id - id % SHARED : id, RNG_CANDIDATES);
    if (!crowd) return;
    r->refine = (r->refine + 1) / 2;
    r->coarse = 1;
}

/* The maximum of the acquisition. */
static locbo_status search(locbo_optimizer *o, acqmax_request *r, const surface *believed, draft *d,
                           locbo_error *error) {
    double score;
    surface searched;
    locbo_status status = collect_anchors(o, believed, r, error);
    if (status == LOCBO_OK) status = optimizer_searched(o, believed, &searched, error);
    if (status != LOCBO_OK) return status;
    if (o->objectives > 1 && !searched.acquisition.joint) /* they have no other score */
        return status_fail(error, LOCBO_ERR_NUMERIC, "the objectives cannot be drawn at points that have all of them");
    report_missing_baseline(o, &searched);
    acqmax_request own = *r;
    own.surface = &searched;
    if (!own.uniform_only) share_candidates(o, d->info.id, &own);
    d->info.pending = gp_pending(searched.part->model);
    status = acqmax_run(o->maximiser, &own, d->x, &score, error);
    return status == LOCBO_OK ? settle_fidelity(o, &searched, r, d, error) : status;
}

static locbo_status propose_by_model(locbo_optimizer *o, acqmax_request *r, draft *d, locbo_error *error) {
    surface believed;
    locbo_status status = optimizer_believed(o, r->fixed, &believed, error);
    if (status != LOCBO_OK) return status;
    size_t doubtful = SIZE_MAX;
    if (!r->uniform_only) status = remeasure_row(o, r->fixed, &doubtful, error);
    if (status != LOCBO_OK) return status;
    explore_way way = doubtful == SIZE_MAX ? explore_due(o, r) : EXPLORE_NOT;
    d->info.pending = optimizer_count(o, LOCBO_TRIAL_PENDING);
    if (doubtful != SIZE_MAX) {
        d->info.origin = LOCBO_ORIGIN_AGAIN;
        memcpy(d->x, o->quantity->data.x + doubtful * o->dim, o->dim * sizeof *d->x);
    } else if (way != EXPLORE_NOT) {
        d->info.origin = LOCBO_ORIGIN_EXPLORE;
        status = explore_point(o, r, way, believed.success, d->x, error);
        if (status == LOCBO_OK) status = settle_fidelity(o, &believed, r, d, error);
    } else {
        d->info.origin = LOCBO_ORIGIN_MODEL;
        status = search(o, r, &believed, d, error);
    }
    if (status == LOCBO_OK && locbo_space_check(o->space, d->x, NULL) != LOCBO_OK) /* stored, it could not be read */
        status = status_fail(error, LOCBO_ERR_NUMERIC, "the proposed point is no point of the space");
    return status == LOCBO_OK ? announce(o, &believed, 0, d, error) : status;
}

/* The beliefs at a given point, if there is a model. */
static locbo_status believe_given(locbo_optimizer *o, draft *d, locbo_error *error) {
    int ready;
    surface believed;
    locbo_status status = optimizer_refresh(o, 0, &ready, error);
    if (status != LOCBO_OK || !ready) return status;
    status = optimizer_believed(o, NULL, &believed, error);
    return status == LOCBO_OK ? believe_at(o, &believed, 0, d, error) : status;
}

/* The recommended point with its beliefs; `ready`: there is a model. */
static locbo_status recommend_now(locbo_optimizer *o, int ready, draft *d, locbo_error *error) {
    locbo_choice choice;
    surface believed;
    locbo_status status = ready ? optimizer_believed(o, NULL, &believed, error) : LOCBO_OK;
    if (status == LOCBO_OK) status = optimizer_recommend(o, ready ? &believed : NULL, &choice, d->x, error);
    if (status == LOCBO_OK && !optimizer_is_inside(o, d->x))
        status = status_fail(error, LOCBO_ERR_STATE, "no result lies in the space as it is now: nothing to confirm");
    return status == LOCBO_OK && ready ? announce(o, &believed, 1, d, error) : status;
}

/* The point that is recommended after a fit, if one is due. */
static locbo_status propose_confirm(locbo_optimizer *o, draft *d, locbo_error *error) {
    int ready;
    locbo_error why = {LOCBO_OK, ""};
    locbo_status status = optimizer_refresh(o, 1, &ready, error);
    if (status != LOCBO_OK) return status;
    d->info.origin = LOCBO_ORIGIN_CONFIRM;
    status = recommend_now(o, ready, d, &why);
    if (status == LOCBO_OK) return status;
    if (status != LOCBO_ERR_NUMERIC) return status_fail(error, status, "%s", why.message);
    surrogate_trouble(&o->quantity->surrogate, &o->events, o->told.n, "no recommendation by the model", &why);
    forget_beliefs(d);
    return recommend_now(o, 0, d, error);
}

static locbo_status propose(locbo_optimizer *o, acqmax_request *r, draft *d, locbo_error *error) {
    if (all_fixed(o, d->fixed)) {
        d->info.origin = LOCBO_ORIGIN_GIVEN;
        memcpy(d->x, d->fixed, o->dim * sizeof *d->x);
        return believe_given(o, d, error);
    }
    size_t k = designed(o);
    if (k + given(o) < o->initial) {
        d->info.origin = LOCBO_ORIGIN_DESIGN;
        size_t row;
        locbo_status status = fidelity_design(o, d->fixed, k, &row, &r->fixed, error);
        return status == LOCBO_OK ? propose_design(o, r, row, d->x, error) : status;
    }
    int ready;
    locbo_status status = optimizer_refresh(o, 1, &ready, error);
    if (status == LOCBO_OK && ready) {
        locbo_error why = {LOCBO_OK, ""};
        status = propose_by_model(o, r, d, &why);
        if (status == LOCBO_OK) return status;
        if (status != LOCBO_ERR_NUMERIC) return status_fail(error, status, "%s", why.message);
        surrogate_trouble(&o->quantity->surrogate, &o->events, o->told.n, "no proposal by the model", &why);
        forget_beliefs(d);
        d->info.pending = 0;
        status = LOCBO_OK;
    }
    if (status != LOCBO_OK) return status;
    d->info.origin = LOCBO_ORIGIN_RANDOM;
    if (o->full && !space_is_free(d->fixed, o->fidelity)) r->fixed = d->fixed;
    return acqmax_random(o->maximiser, r, d->x, error);
}

/* The draft becomes a trial. The first proposal by the model makes the reference point of several objectives a fact, if
 * a result has all of them. */
static locbo_status keep_draft(locbo_optimizer *o, draft *d, locbo_error *error) {
    double reference[OUTPUTS_OBJECTIVES];
    memcpy(reference, o->reference, sizeof reference);
    d->info.belief = d->belief[0];
    locbo_status status = LOCBO_OK;
    if (origin_is_model(d->info.origin) && d->belief[0].sd_y > 0) status = together_reference(o, reference, error);
    if (status == LOCBO_OK || status == LOCBO_ERR_NUMERIC)
        status = optimizer_append_trial(o, &d->info, d->belief + 1, d->x, LOCBO_TRIAL_PENDING, error);
    if (status == LOCBO_OK) memcpy(o->reference, reference, sizeof reference);
    return status;
}

static locbo_status check_ask(const locbo_optimizer *o, const locbo_ask_options *how, locbo_error *error) {
    locbo_options options = o->options; /* the range is that of the option `candidates` */
    options.candidates = how->candidates;
    locbo_status status = locbo_options_check(&options, error);
    if (status == LOCBO_OK) status = space_check_fixed(o->space, how->fixed, error);
    if (status == LOCBO_OK && all_fixed(o, how->fixed)) status = locbo_space_check(o->space, how->fixed, error);
    if (how->confirm && o->objectives > 1 && status == LOCBO_OK)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "confirm needs one objective, got %zu", o->objectives);
    for (size_t j = 0; j < o->dim && status == LOCBO_OK; j++)
        if (how->confirm && !space_is_free(how->fixed, j))
            status =
                status_fail(error, LOCBO_ERR_ARGUMENT,
                            "confirm proposes the recommended point: no value may be fixed, got %g for parameter %zu",
                            how->fixed[j], j + 1);
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
    if (status == LOCBO_OK) status = optimizer_begin(o, error);
    if (status != LOCBO_OK) return status;

    draft asked = {
        .info = {.id = o->trials + 1, .told = o->told.n}, .x = mem_new(o->dim, sizeof *asked.x), .fixed = with.fixed};
    uint64_t seed = o->options.seed;
    forget_beliefs(&asked);
    acqmax_request r = {.space = o->space,
                        .fixed = fidelity_full(o, with.fixed),
                        .candidates = with.candidates ? with.candidates : o->options.candidates,
                        .refine = o->options.refine,
                        .uniform_only = with.candidates > 0,
                        .stream = rng_open(seed, asked.info.id, RNG_CANDIDATES),
                        .path = rng_open(seed, asked.info.id, RNG_THOMPSON)};
    status = asked.x ? collect_taken(o, &r, error) : status_no_memory(error);
    int confirms = with.confirm && o->told.n > 0;
    if (status == LOCBO_OK) status = confirms ? propose_confirm(o, &asked, error) : propose(o, &r, &asked, error);
    if (status == LOCBO_OK) status = keep_draft(o, &asked, error);
    if (status == LOCBO_OK) {
        *trial = asked.info;
        memcpy(x, asked.x, o->dim * sizeof *x);
        status_ok(error);
    }
    mem_free(asked.x);
    for (size_t k = 0; k < o->quantities; k++)
        average_forget(o->quantity[k].average); /* the next result makes another */
    return optimizer_end(o, status);
}

locbo_status locbo_optimizer_ask(locbo_optimizer *optimizer, locbo_trial *trial, double *x, locbo_error *error) {
    return locbo_optimizer_ask_with(optimizer, NULL, trial, x, error);
}
