/* answer.c - what an optimizer answers without being changed: predict, best, recommend, summary.
 * Layer: core, top. Cost: a prediction O(n^2) a point; before the first fit also that of a preview (surrogate.h). */
#include <math.h>
#include <string.h>

#include "mem.h"
#include "optimizer.h"

/* The believed surface, in `memory`; *believed is NULL if there is no model: too few results, or random search. */
static locbo_status open_model(locbo_optimizer *o, surface *memory, const surface **believed, locbo_error *error) {
    int ready = 0;
    locbo_status status = optimizer_refresh(o, 0, &ready, error);
    if (status == LOCBO_OK && ready) status = optimizer_believed(o, NULL, memory, error);
    *believed = status == LOCBO_OK && ready ? memory : NULL;
    return status;
}

/* Beliefs at n points, in blocks: the model predicts in batches. */
static locbo_status predict_all(locbo_optimizer *o, const surface *believed, size_t n, const double *x,
                                locbo_belief *out, locbo_error *error) {
    double *u = mem_new(SURFACE_BLOCK * o->columns, sizeof *u);
    locbo_status status = u ? LOCBO_OK : status_no_memory(error);
    for (size_t at = 0; at < n && status == LOCBO_OK; at += SURFACE_BLOCK) {
        size_t count = n - at < SURFACE_BLOCK ? n - at : SURFACE_BLOCK;
        for (size_t i = 0; i < count; i++) space_encode(o->space, x + (at + i) * o->dim, u + i * o->columns);
        status = optimizer_beliefs(o, believed, count, u, 1, out + at, error);
    }
    mem_free(u);
    return status;
}

locbo_status locbo_optimizer_predict(locbo_optimizer *optimizer, size_t n, const double *x, locbo_belief *beliefs,
                                     locbo_error *error) {
    if (!optimizer || (n > 0 && (!x || !beliefs)))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer, x and beliefs must not be NULL");
    locbo_optimizer *o = optimizer;
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < n && status == LOCBO_OK; i++) status = locbo_space_check(o->space, x + i * o->dim, error);
    if (status == LOCBO_OK) status = optimizer_begin(o, error);
    if (status != LOCBO_OK) return status;
    surface memory;
    const surface *believed = NULL;
    if (n > 0) status = open_model(o, &memory, &believed, error);
    locbo_belief *out = status == LOCBO_OK ? mem_new(n, sizeof *out) : NULL;
    if (status == LOCBO_OK && !out) status = status_no_memory(error);
    if (status == LOCBO_OK && believed) status = predict_all(o, believed, n, x, out, error);
    for (size_t i = 0; i < n && status == LOCBO_OK; i++) beliefs[i] = believed ? out[i] : BELIEF_NONE;
    mem_free(out);
    return optimizer_end(o, status == LOCBO_OK ? status_ok(error) : status);
}

/* ---- best and recommended ---------------------------------------------------------------------- */

/* The interval of f at x, and the posterior mean if `mean`; none without a model. */
static locbo_status choice_at(locbo_optimizer *o, const surface *believed, const double *x, int mean,
                              locbo_choice *choice, locbo_error *error) {
    choice->level = 1 - o->options.alpha;
    choice->low = choice->high = (double)NAN;
    if (!believed) return LOCBO_OK;
    locbo_belief b;
    space_encode(o->space, x, o->encoded);
    locbo_status status = optimizer_beliefs(o, believed, 1, o->encoded, 1, &b, error);
    if (status != LOCBO_OK) return status;
    choice->low = b.f_low;
    choice->high = b.f_high;
    if (mean) choice->value = b.mean;
    return LOCBO_OK;
}

static locbo_status check_choice(const locbo_optimizer *o, const locbo_choice *choice, const double *x,
                                 locbo_error *error) {
    if (!o || !choice || !x) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer, choice and x must not be NULL");
    if (o->data.n == 0) return status_fail(error, LOCBO_ERR_STATE, "there is no result yet");
    return LOCBO_OK;
}

/* The data row `row` as a choice. */
static locbo_status choose_row(locbo_optimizer *o, const surface *believed, size_t row, int mean, locbo_choice *choice,
                               double *x, locbo_error *error) {
    const double *at = o->data.x + row * o->dim;
    locbo_choice chosen = {.trial = o->data.trial[row], .value = o->data.measured[row].value};
    locbo_status status = choice_at(o, believed, at, mean, &chosen, error);
    if (status != LOCBO_OK) return status;
    *choice = chosen;
    memcpy(x, at, o->dim * sizeof *x);
    return status_ok(error);
}

locbo_status locbo_optimizer_best(locbo_optimizer *optimizer, locbo_choice *choice, double *x, locbo_error *error) {
    surface memory;
    const surface *believed;
    locbo_status status = check_choice(optimizer, choice, x, error);
    if (status == LOCBO_OK) status = optimizer_begin(optimizer, error);
    if (status != LOCBO_OK) return status;
    status = open_model(optimizer, &memory, &believed, error);
    if (status == LOCBO_OK)
        status = choose_row(optimizer, believed, dataset_best(&optimizer->data), 0, choice, x, error);
    return optimizer_end(optimizer, status);
}

static size_t best_fitted(const locbo_optimizer *o) {
    size_t best = 0;
    for (size_t i = 1; i < gp_measurements(o->surrogate.model); i++)
        if (optimizer_mean(o, i) > optimizer_mean(o, best)) best = i;
    return best;
}

/* The best posterior mean anywhere: the maximiser run on the median of the model without calibration, from the best
 * row. */
static locbo_status recommend_anywhere(locbo_optimizer *o, const surface *believed, locbo_choice *choice, double *x,
                                       locbo_error *error) {
    size_t row = best_fitted(o);
    double score, *found = mem_new(o->dim, sizeof *found);
    surface median = *believed;
    median.calibrator = o->plain;
    median.acquisition = (acquisition){.kind = LOCBO_ACQUISITION_UCB, .ucb_level = 0.5};
    acqmax_request r = {.space = o->space,
                        .surface = &median,
                        .anchors = o->data.x + row * o->dim,
                        .anchor_count = 1,
                        .candidates = o->options.candidates,
                        .refine = o->options.refine > 0 ? o->options.refine : 1,
                        .stream = rng_open(o->options.seed, o->data.n, RNG_RECOMMEND)};
    if (!found) return status_no_memory(error);
    locbo_status status = acqmax_run(o->maximiser, &r, found, &score, error);
    if (status == LOCBO_OK && score > optimizer_mean(o, row)) {
        locbo_choice chosen = {.trial = 0};
        status = choice_at(o, believed, found, 1, &chosen, error);
        if (status == LOCBO_OK) {
            *choice = chosen;
            memcpy(x, found, o->dim * sizeof *x);
        }
    } else if (status == LOCBO_OK) {
        status = choose_row(o, believed, row, 1, choice, x, error);
    }
    mem_free(found);
    return status == LOCBO_OK ? status_ok(error) : status;
}

locbo_status optimizer_recommend(locbo_optimizer *o, const surface *believed, locbo_choice *choice, double *x,
                                 locbo_error *error) {
    locbo_recommendation by = o->options.recommendation;
    if (believed && by == LOCBO_RECOMMEND_ANYWHERE) return recommend_anywhere(o, believed, choice, x, error);
    int fitted = believed && by == LOCBO_RECOMMEND_EVALUATED;
    size_t row = fitted ? best_fitted(o) : dataset_best(&o->data);
    return choose_row(o, believed, row, believed != NULL, choice, x, error);
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

/* ---- summary ----------------------------------------------------------------------------------- */

static void summarise_model(const locbo_optimizer *o, locbo_summary *s) {
    const surrogate *m = &o->surrogate;
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

static void summarise_calibration(const locbo_optimizer *o, locbo_summary *s) {
    double judged = (double)o->judged;
    s->judged = o->judged;
    s->coverage = o->judged ? (double)o->covered / judged : (double)NAN;
    s->coverage_online = o->judged ? (double)o->covered_online / judged : (double)NAN;
    s->target = 1 - o->options.alpha;
    double misses = calibrator_guarantee(o->calibrator, o->judged, s->guarantee, sizeof s->guarantee);
    /* Lemma 2 (eq:mistake_bound_th_noiseless): f is missed at most 1/b_xi times as often as y */
    double misses_f = misses / o->options.noise_symmetry;
    s->coverage_bound = 1 - misses;
    s->coverage_bound_f = misses_f < 1 ? 1 - misses_f : (double)NAN;
    memcpy(s->judged_by, o->judged_by, sizeof s->judged_by);
    memcpy(s->inside_by, o->covered_by, sizeof s->inside_by);
    s->threshold_min = o->threshold_min;
    s->threshold_max = o->threshold_max;
    s->threshold_mean = o->judged ? o->threshold_sum / judged : (double)NAN;
}

locbo_status locbo_optimizer_summary(locbo_optimizer *optimizer, locbo_summary *summary, locbo_error *error) {
    if (!optimizer || !summary) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer and summary must not be NULL");
    locbo_summary s;
    memset(&s, 0, sizeof s);
    s.asked = optimizer->trials;
    s.pending = optimizer_count(optimizer, LOCBO_TRIAL_PENDING);
    s.told = optimizer_count(optimizer, LOCBO_TRIAL_TOLD);
    s.failed = optimizer_count(optimizer, LOCBO_TRIAL_FAILED);
    s.infeasible = optimizer_count(optimizer, LOCBO_TRIAL_INFEASIBLE);
    for (size_t i = 0; i < optimizer->data.n; i++) s.added += optimizer->data.trial[i] == 0;
    summarise_calibration(optimizer, &s);
    summarise_model(optimizer, &s);
    *summary = s;
    return status_ok(error);
}

locbo_status locbo_optimizer_length_scales(locbo_optimizer *optimizer, double *lengths, locbo_error *error) {
    if (!optimizer || !lengths) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer and lengths must not be NULL");
    const surrogate *m = &optimizer->surrogate;
    int isotropic = gp_get_spec(m->model)->lengths == 1;
    for (size_t j = 0; j < optimizer->dim; j++) lengths[j] = m->fitted ? exp(m->theta[isotropic ? 0 : j]) : (double)NAN;
    return status_ok(error);
}
