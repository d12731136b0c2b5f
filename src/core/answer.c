/* answer.c - what an optimizer answers without being changed: predict, best, recommend, summary.
 * Layer: core, top. Cost: a prediction O(n^2) a point; before the first fit also that of a preview (surrogate.h). */
#include <math.h>
#include <string.h>

#include "announced.h"
#include "mem.h"
#include "optimizer.h"
#include "selection.h"
#include "together.h"

/* The believed surface, in `memory`; *believed is NULL if there is no model: too few results, or random search. */
static locbo_status open_model(locbo_optimizer *o, surface *memory, const surface **believed, locbo_error *error) {
    int ready = 0;
    locbo_status status = optimizer_refresh(o, 0, &ready, error);
    if (status == LOCBO_OK && ready) status = optimizer_believed(o, NULL, memory, error);
    *believed = status == LOCBO_OK && ready ? memory : NULL;
    return status;
}

/* ---- predict ----------------------------------------------------------------------------------- */

/* Beliefs of all quantities at n points, in blocks: the models predict in batches. `holding` may be NULL. */
static locbo_status predict_all(locbo_optimizer *o, const surface *believed, size_t n, const double *x,
                                locbo_belief *out, double *holding, locbo_error *error) {
    double *u = mem_new(SURFACE_BLOCK * o->columns, sizeof *u);
    locbo_status status = u ? LOCBO_OK : status_no_memory(error);
    for (size_t at = 0; at < n && status == LOCBO_OK; at += SURFACE_BLOCK) {
        size_t count = n - at < SURFACE_BLOCK ? n - at : SURFACE_BLOCK;
        for (size_t i = 0; i < count; i++) space_encode(o->space, x + (at + i) * o->dim, u + i * o->columns);
        status = optimizer_beliefs(o, believed, count, u, 1, out + at * o->quantities, error);
        for (size_t i = 0; holding && i < count && status == LOCBO_OK; i++)
            holding[at + i] = together_feasible(believed, u, i);
    }
    mem_free(u);
    return status;
}

static locbo_status predict(locbo_optimizer *o, size_t n, const double *x, locbo_belief *out, double *holding,
                            int *known, locbo_error *error) {
    surface memory;
    const surface *believed = NULL;
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < n && status == LOCBO_OK; i++) status = locbo_space_check(o->space, x + i * o->dim, error);
    if (status == LOCBO_OK) status = optimizer_begin(o, error);
    if (status != LOCBO_OK) return status;
    if (n > 0) status = open_model(o, &memory, &believed, error);
    if (status == LOCBO_OK && believed) status = predict_all(o, believed, n, x, out, holding, error);
    *known = believed != NULL;
    return optimizer_end(o, status == LOCBO_OK ? status_ok(error) : status);
}

/* One row of beliefs, of quantities, as one of outputs. */
static void spread_out(const locbo_optimizer *o, const locbo_belief *from, locbo_belief *to) {
    for (size_t i = 0; i < locbo_outputs_count(o->outputs); i++) to[i] = BELIEF_NONE;
    for (size_t k = 0; from && k < o->quantities; k++) to[o->listed[k]] = from[k];
}

locbo_status locbo_optimizer_predict_outputs(locbo_optimizer *optimizer, size_t n, const double *x,
                                             locbo_belief *beliefs, double *holding, locbo_error *error) {
    if (!optimizer || (n > 0 && (!x || !beliefs)))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer, x and beliefs must not be NULL");
    locbo_optimizer *o = optimizer;
    size_t outputs = locbo_outputs_count(o->outputs);
    int known = 0;
    locbo_belief *out = mem_new(n * o->quantities, sizeof *out);
    double *p = mem_new(n, sizeof *p);
    locbo_status status = out && p ? predict(o, n, x, out, holding ? p : NULL, &known, error) : status_no_memory(error);
    for (size_t i = 0; i < n && status == LOCBO_OK; i++) {
        spread_out(o, known ? out + i * o->quantities : NULL, beliefs + i * outputs);
        if (holding) holding[i] = known ? p[i] : (double)NAN;
    }
    mem_free(out);
    mem_free(p);
    return status;
}

locbo_status locbo_optimizer_predict(locbo_optimizer *optimizer, size_t n, const double *x, locbo_belief *beliefs,
                                     locbo_error *error) {
    if (optimizer && locbo_outputs_count(optimizer->outputs) > 1)
        return status_fail(error, LOCBO_ERR_STATE,
                           "the optimizer has several outputs: use locbo_optimizer_predict_outputs");
    return locbo_optimizer_predict_outputs(optimizer, n, x, beliefs, NULL, error);
}

/* ---- best and recommended ---------------------------------------------------------------------- */

/* The interval of f at x, and the posterior mean if `mean`; none without a model. */
static locbo_status choice_at(locbo_optimizer *o, const surface *believed, const double *x, int mean,
                              locbo_choice *choice, locbo_error *error) {
    choice->level = 1 - o->options.alpha;
    choice->low = choice->high = choice->feasible = (double)NAN;
    if (!believed) return LOCBO_OK;
    locbo_belief b[OUTPUTS_MODELLED];
    space_encode(o->space, x, o->encoded);
    locbo_status status = optimizer_beliefs(o, believed, 1, o->encoded, 1, b, error);
    if (status != LOCBO_OK) return status;
    choice->low = b->f_low;
    choice->high = b->f_high;
    choice->feasible = together_feasible(believed, o->encoded, 0);
    if (mean) choice->value = b->mean;
    return LOCBO_OK;
}

static locbo_status check_choice(const locbo_optimizer *o, const locbo_choice *choice, const double *x,
                                 locbo_error *error) {
    if (!o || !choice || !x) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer, choice and x must not be NULL");
    if (o->objectives > 1)
        return status_fail(error, LOCBO_ERR_STATE,
                           "%zu objectives have a front, not a best value: locbo_optimizer_front", o->objectives);
    if (o->told.n == 0) return status_fail(error, LOCBO_ERR_STATE, "there is no result yet");
    if (o->quantity->data.n == 0)
        return status_fail(error, LOCBO_ERR_STATE, "no result has the objective '%.40s'",
                           outputs_at(o->outputs, *o->listed)->name);
    return LOCBO_OK;
}

/* The data row `row` as a choice. */
static locbo_status choose_row(locbo_optimizer *o, const surface *believed, size_t row, int mean, locbo_choice *choice,
                               double *x, locbo_error *error) {
    const dataset *d = &o->quantity->data;
    const double *at = d->x + row * o->dim;
    locbo_choice chosen = {.trial = d->trial[row], .value = d->measured[row].value};
    locbo_status status = choice_at(o, believed, at, mean, &chosen, error);
    if (status != LOCBO_OK) return status;
    *choice = chosen;
    memcpy(x, at, o->dim * sizeof *x);
    return status_ok(error);
}

/* The row of the best measured value, of points of the space if there are such. With constraints, of those where they
 * hold; if there is none, where they hold most probably, or without a model the best of all. */
static locbo_status best_row(locbo_optimizer *o, const surface *believed, size_t *row, locbo_error *error) {
    const dataset *d = &o->quantity->data;
    size_t best = SIZE_MAX;
    for (size_t i = 0; i < d->n; i++)
        if ((best == SIZE_MAX || d->scale.sign * d->measured[i].value > d->scale.sign * d->measured[best].value) &&
            optimizer_row_counts(o, i))
            best = i;
    *row = best == SIZE_MAX ? dataset_best(d) : best;
    return o->quantities == 1 ? LOCBO_OK : selection_best_row(o, believed, row, error);
}

/* The same by the means of points, for `best`: recommendations, which trials may measure, keep to the rule above. */
static locbo_status best_mean(locbo_optimizer *o, const surface *believed, dataset_mean *best, locbo_error *error) {
    const dataset *d = &o->quantity->data;
    locbo_status status = dataset_best_mean(d, best, error);
    if (status != LOCBO_OK || o->quantities == 1) return status;
    size_t row = best->row;
    status = selection_best_mean(o, believed, &row, error);
    if (status == LOCBO_OK) *best = dataset_mean_at(d, row);
    return status;
}

locbo_status locbo_optimizer_best(locbo_optimizer *optimizer, locbo_choice *choice, double *x, locbo_error *error) {
    surface memory;
    const surface *believed;
    dataset_mean best;
    locbo_status status = check_choice(optimizer, choice, x, error);
    if (status == LOCBO_OK) status = optimizer_begin(optimizer, error);
    if (status != LOCBO_OK) return status;
    status = open_model(optimizer, &memory, &believed, error);
    if (status == LOCBO_OK) status = best_mean(optimizer, believed, &best, error);
    if (status == LOCBO_OK) status = choose_row(optimizer, believed, best.row, 0, choice, x, error);
    if (status == LOCBO_OK) {
        choice->value = best.value;
        choice->results = best.results;
    }
    return optimizer_end(optimizer, status);
}

/* The row of the best posterior mean, of points of the space if there are such; with constraints, where they hold with
 * the probability of the option feasibility, or most probably. */
static locbo_status best_fitted(locbo_optimizer *o, const surface *believed, size_t *row, double *mean_there,
                                locbo_error *error) {
    const quantity *q = o->quantity;
    size_t best = SIZE_MAX, any = 0;
    for (size_t i = 0; i < gp_measurements(q->surrogate.model); i++) {
        double mean = quantity_mean(q, i);
        if (mean > quantity_mean(q, any)) any = i;
        if ((best == SIZE_MAX || mean > quantity_mean(q, best)) && optimizer_row_counts(o, quantity_source(q, i)))
            best = i;
    }
    if (best == SIZE_MAX) best = any;
    *row = quantity_source(q, best);
    *mean_there = quantity_mean(q, best);
    return o->quantities == 1 ? LOCBO_OK : selection_safe_row(o, believed, row, error);
}

/* The surface that a recommendation maximises: the mean of the objective by the model without calibration; with
 * constraints, where they hold. */
static surface surface_of_means(const locbo_optimizer *o, const surface *believed) {
    surface means = *believed;
    means.part->calibrator = o->quantity->plain;
    means.acquisition = (acquisition){.kind = LOCBO_ACQUISITION_UCB, .ucb_level = 0.5, .parts = 1};
    if (o->quantities == 1) return means;
    means.acquisition.parts = o->quantities;
    means.acquisition.bound = o->bound;
    means.acquisition.alpha = o->options.alpha;
    means.acquisition.caution = o->options.caution;
    means.acquisition.safety = together_safety(o);
    return means;
}

/* Whether the constraints hold at a point that was found with the probability of the option feasibility, or more
 * probably than at the row: the search weighs probability against the mean. Where both are 0, far tails of the model,
 * which are longest where it knows least, say nothing: the row is kept. */
static locbo_status is_safe_enough(const locbo_optimizer *o, const surface *believed, const locbo_choice *found,
                                   size_t row, int *safe, locbo_error *error) {
    const double *u = o->quantity->data.u + row * o->columns;
    *safe = o->quantities == 1 || found->feasible >= o->options.feasibility;
    if (*safe) return LOCBO_OK;
    locbo_status status = surface_predict(believed, 1, u, error);
    if (status == LOCBO_OK) *safe = found->feasible > together_feasible(believed, u, 0);
    return status;
}

/* The best posterior mean anywhere: the maximiser run on the means, from the best row. */
static locbo_status recommend_anywhere(locbo_optimizer *o, const surface *believed, locbo_choice *choice, double *x,
                                       locbo_error *error) {
    size_t row;
    double score, at_row;
    locbo_status status = best_fitted(o, believed, &row, &at_row, error);
    if (status != LOCBO_OK) return status;
    double *found = mem_new(o->dim, sizeof *found);
    locbo_choice chosen = {.trial = 0};
    int better = 0;
    surface means = surface_of_means(o, believed);
    acqmax_request r = {.space = o->space,
                        .fixed = o->full,
                        .surface = &means,
                        .anchors = o->quantity->data.x + row * o->dim,
                        .anchor_count = 1,
                        .candidates = o->options.candidates,
                        .refine = o->options.refine > 0 ? o->options.refine : 1,
                        .stream = rng_open(o->options.seed, o->told.n, RNG_RECOMMEND)};
    if (!found) return status_no_memory(error);
    status = acqmax_run(o->maximiser, &r, found, &score, error);
    if (status == LOCBO_OK && o->quantities > 1)
        status = surface_score(&means, 1, o->quantity->data.u + row * o->columns, &at_row, error);
    int outside = !optimizer_row_counts(o, row); /* the space has changed, or no result is at full fidelity */
    if (status == LOCBO_OK && (score > at_row || outside)) {
        status = choice_at(o, believed, found, 1, &chosen, error);
        if (status == LOCBO_OK) status = is_safe_enough(o, believed, &chosen, row, &better, error);
        better = better || outside;
    }
    if (status == LOCBO_OK && better) {
        *choice = chosen;
        memcpy(x, found, o->dim * sizeof *x);
    } else if (status == LOCBO_OK) {
        status = choose_row(o, believed, row, 1, choice, x, error);
    }
    mem_free(found);
    return status == LOCBO_OK ? status_ok(error) : status;
}

locbo_status optimizer_recommend(locbo_optimizer *o, const surface *believed, locbo_choice *choice, double *x,
                                 locbo_error *error) {
    locbo_recommendation by = o->options.recommendation;
    size_t row;
    if (believed && by == LOCBO_RECOMMEND_ANYWHERE) return recommend_anywhere(o, believed, choice, x, error);
    int fitted = believed && by == LOCBO_RECOMMEND_EVALUATED;
    double mean;
    locbo_status status = fitted ? best_fitted(o, believed, &row, &mean, error) : best_row(o, believed, &row, error);
    if (status == LOCBO_OK && believed && !optimizer_row_counts(o, row))
        return recommend_anywhere(o, believed, choice, x, error);
    return status == LOCBO_OK ? choose_row(o, believed, row, believed != NULL, choice, x, error) : status;
}

locbo_status locbo_optimizer_recommend(locbo_optimizer *optimizer, locbo_choice *choice, double *x,
                                       locbo_error *error) {
    locbo_status status = check_choice(optimizer, choice, x, error);
    if (status == LOCBO_OK) status = optimizer_begin(optimizer, error);
    if (status != LOCBO_OK) return status;
    surface memory;
    const surface *believed;
    status = open_model(optimizer, &memory, &believed, error);
    if (status == LOCBO_OK) status = optimizer_recommend(optimizer, believed, choice, x, error);
    return optimizer_end(optimizer, status);
}

/* ---- fronts ------------------------------------------------------------------------------------ */

/* The first n points of a front: its rows of the first objective's dataset, and the beliefs there. */
static locbo_status answer_front(locbo_optimizer *o, const surface *believed, size_t n, const size_t *row,
                                 locbo_front_point *points, double *x, locbo_belief *beliefs, locbo_error *error) {
    const dataset *d = &o->quantity->data;
    double *at = mem_new(n * o->dim, sizeof *at), *holding = mem_new(n, sizeof *holding);
    locbo_belief *b = mem_new(n * o->quantities, sizeof *b);
    locbo_status status = at && holding && b ? LOCBO_OK : status_no_memory(error);
    for (size_t i = 0; i < n && status == LOCBO_OK; i++)
        memcpy(at + i * o->dim, d->x + row[i] * o->dim, o->dim * sizeof *at);
    if (status == LOCBO_OK && believed) status = predict_all(o, believed, n, at, b, holding, error);
    for (size_t i = 0; i < n && status == LOCBO_OK; i++) {
        if (points) points[i] = (locbo_front_point){d->trial[row[i]], believed ? holding[i] : (double)NAN};
        if (x) memcpy(x + i * o->dim, at + i * o->dim, o->dim * sizeof *x);
        if (beliefs)
            spread_out(o, believed ? b + i * o->quantities : NULL, beliefs + i * locbo_outputs_count(o->outputs));
    }
    mem_free(at);
    mem_free(holding);
    mem_free(b);
    return status;
}

locbo_status locbo_optimizer_front(locbo_optimizer *optimizer, locbo_front_by by, size_t most,
                                   locbo_front_point *points, double *x, double *values, locbo_belief *beliefs,
                                   size_t *count, locbo_error *error) {
    locbo_optimizer *o = optimizer;
    if (!o || !count) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer and count must not be NULL");
    if (by != LOCBO_FRONT_MEASURED && by != LOCBO_FRONT_BELIEVED)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "there is no front by %d", (int)by);
    surface memory;
    const surface *believed = NULL;
    int plain = by == LOCBO_FRONT_MEASURED && !points && !beliefs; /* nothing that a model says is wanted */
    size_t n = 0, *row = mem_new(o->quantity->data.n, sizeof *row);
    locbo_status status = row ? optimizer_begin(o, error) : status_no_memory(error);
    if (status != LOCBO_OK) {
        mem_free(row);
        return status;
    }
    if (!plain) status = open_model(o, &memory, &believed, error);
    if (status == LOCBO_OK && by == LOCBO_FRONT_BELIEVED && !believed)
        status = status_fail(error, LOCBO_ERR_STATE, "there is no model yet");
    if (status == LOCBO_OK)
        status = by == LOCBO_FRONT_BELIEVED ? selection_believed_front(o, believed, &n, row, error)
                                            : selection_measured_front(o, &n, row, error);
    if (status == LOCBO_OK) status = answer_front(o, believed, n < most ? n : most, row, points, x, beliefs, error);
    if (status == LOCBO_OK && values) status = selection_measured_values(o, n < most ? n : most, row, values, error);
    if (status == LOCBO_OK) *count = n;
    mem_free(row);
    return optimizer_end(o, status == LOCBO_OK ? status_ok(error) : status);
}

/* ---- summary ----------------------------------------------------------------------------------- */

static void summarise_model(const quantity *q, locbo_summary *s) {
    const surrogate *m = &q->surrogate;
    s->noise_var = s->signal_var = s->length_min = s->length_max = (double)NAN;
    s->log_posterior = (double)NAN;
    s->fits = m->fits;
    s->troubles = m->troubles;
    if (!m->fitted) return;
    size_t lengths = gp_get_spec(m->model)->lengths;
    s->signal_var = exp(m->theta[lengths]);
    s->noise_var = exp(m->theta[lengths + 1]) * robust_variance(m->dof);
    s->length_min = s->length_max = exp(m->theta[0]);
    for (size_t i = 1; i < lengths; i++) {
        s->length_min = fmin(s->length_min, exp(m->theta[i]));
        s->length_max = fmax(s->length_max, exp(m->theta[i]));
    }
    s->log_posterior = m->value;
    s->jitter = m->holds == MODEL_FIT ? gp_jitter(m->model) : 0;
}

static void summarise_calibration(const locbo_optimizer *o, const quantity *q, locbo_summary *s) {
    double judged = (double)q->judged;
    s->judged = q->judged;
    s->coverage = q->judged ? (double)q->covered / judged : (double)NAN;
    s->coverage_online = q->judged ? (double)q->covered_online / judged : (double)NAN;
    s->target = 1 - o->options.alpha;
    double misses =
        calibrator_guarantee(q->calibrator, q->judged_before + q->judged, s->guarantee, sizeof s->guarantee);
    /* Lemma 2 (eq:mistake_bound_th_noiseless): f is missed at most 1/b_xi times as often as y */
    double misses_f = misses / o->options.noise_symmetry;
    s->coverage_bound = 1 - misses;
    s->coverage_bound_f = misses_f < 1 ? 1 - misses_f : (double)NAN;
    memcpy(s->judged_by, q->judged_by, sizeof s->judged_by);
    memcpy(s->inside_by, q->covered_by, sizeof s->inside_by);
    s->threshold_min = q->threshold_min;
    s->threshold_max = q->threshold_max;
    s->threshold_mean = q->judged ? q->threshold_sum / judged : (double)NAN;
}

static locbo_summary summarise(const locbo_optimizer *o, const quantity *q) {
    locbo_summary s;
    memset(&s, 0, sizeof s);
    s.asked = o->trials;
    s.pending = optimizer_count(o, LOCBO_TRIAL_PENDING);
    s.told = optimizer_count(o, LOCBO_TRIAL_TOLD);
    s.failed = optimizer_count(o, LOCBO_TRIAL_FAILED);
    s.infeasible = optimizer_count(o, LOCBO_TRIAL_INFEASIBLE);
    for (size_t i = 0; i < o->told.n; i++) s.added += o->told.trial[i] == 0;
    summarise_calibration(o, q, &s);
    summarise_model(q, &s);
    return s;
}

locbo_status locbo_optimizer_summary(locbo_optimizer *optimizer, locbo_summary *summary, locbo_error *error) {
    if (!optimizer || !summary) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer and summary must not be NULL");
    *summary = summarise(optimizer, optimizer->quantity);
    return status_ok(error);
}

locbo_status locbo_optimizer_summary_of(locbo_optimizer *optimizer, size_t output, locbo_summary *summary,
                                        locbo_error *error) {
    if (!optimizer || !summary) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer and summary must not be NULL");
    const quantity *q = optimizer_quantity_of(optimizer, output);
    if (!q) return status_fail(error, LOCBO_ERR_NOT_FOUND, "output %zu is not modelled", output);
    *summary = summarise(optimizer, q);
    return status_ok(error);
}

locbo_status locbo_optimizer_whole_coverage(const locbo_optimizer *optimizer, uint64_t *judged, uint64_t *inside,
                                            locbo_error *error) {
    if (!optimizer || !judged || !inside)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer, judged and inside must not be NULL");
    *judged = optimizer->judged_whole;
    *inside = optimizer->covered_whole;
    return status_ok(error);
}

int locbo_belief_holds(const locbo_belief *belief, const locbo_measurement *measurement) {
    return belief && measurement && announced_holds(belief, measurement);
}

static locbo_status read_lengths(const locbo_optimizer *o, const quantity *q, double *lengths, locbo_error *error) {
    const surrogate *m = &q->surrogate;
    int isotropic = gp_get_spec(m->model)->lengths == 1;
    for (size_t j = 0; j < o->dim; j++) lengths[j] = m->fitted ? exp(m->theta[isotropic ? 0 : j]) : (double)NAN;
    return status_ok(error);
}

locbo_status locbo_optimizer_length_scales(locbo_optimizer *optimizer, double *lengths, locbo_error *error) {
    if (!optimizer || !lengths) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer and lengths must not be NULL");
    return read_lengths(optimizer, optimizer->quantity, lengths, error);
}

locbo_status locbo_optimizer_length_scales_of(locbo_optimizer *optimizer, size_t output, double *lengths,
                                              locbo_error *error) {
    if (!optimizer || !lengths) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer and lengths must not be NULL");
    const quantity *q = optimizer_quantity_of(optimizer, output);
    if (!q) return status_fail(error, LOCBO_ERR_NOT_FOUND, "output %zu is not modelled", output);
    return read_lengths(optimizer, q, lengths, error);
}
