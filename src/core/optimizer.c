/* optimizer.c - the life of an optimizer and what it is told. Layer: core, top.
 *
 * tell:  trial (what was believed when asked) + y -> covered? -> calibrator update -> dataset
 * The calibrator decides with the belief stored at ask and the threshold current at tell, in the order told
 * (eq:locp_update_rule_const); whether y lay in the set announced at ask is counted beside it. Initial design, added
 * and replicated results are data only. Cost: O(t) a tell. */
#include "optimizer.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "announced.h"
#include "design.h"
#include "mem.h"
#include "origin.h"

/* ---- life -------------------------------------------------------------------------------------- */

static locbo_status build_design(locbo_optimizer *o, locbo_error *error) {
    o->initial = options_initial(&o->options, o->dim);
    if (o->initial > SIZE_MAX / sizeof(double) / o->dim) return status_no_memory(error);
    o->design = mem_new(o->initial * o->dim, sizeof *o->design);
    if (!o->design) return status_no_memory(error);
    rng stream = rng_open(o->options.seed, 0, RNG_DESIGN);
    return design_make(o->options.design, o->initial, o->dim, &stream, o->design, error);
}

static locbo_status build(locbo_optimizer *o, locbo_error *error) {
    locbo_options plain = o->options;
    plain.method = LOCBO_METHOD_BO;
    locbo_status status = build_design(o, error);
    if (status == LOCBO_OK) status = surrogate_init(&o->surrogate, o->space, &o->options, error);
    if (status == LOCBO_OK) surrogate_watch(&o->surrogate, &o->watcher);
    if (status == LOCBO_OK) status = calibrator_create(&o->calibrator, &o->options, o->columns, o->dim, error);
    if (status == LOCBO_OK) status = calibrator_create(&o->plain, &plain, o->columns, o->dim, error);
    if (status == LOCBO_OK) status = average_create(&o->average, error);
    if (status == LOCBO_OK) status = surface_work_init(&o->work, o->columns, error);
    if (status == LOCBO_OK) status = baseline_init(&o->baseline_believed, o->columns, error);
    if (status == LOCBO_OK) status = baseline_init(&o->baseline_searched, o->columns, error);
    if (status == LOCBO_OK) status = acqmax_create(&o->maximiser, o->dim, o->columns, error);
    if (status != LOCBO_OK) return status;
    o->encoded = mem_new(o->columns, sizeof *o->encoded);
    o->low = mem_new(o->columns, sizeof *o->low);
    o->high = mem_new(o->columns, sizeof *o->high);
    o->held = mem_new(o->columns, sizeof *o->held);
    if (!o->encoded || !o->low || !o->high || !o->held) return status_no_memory(error);
    return LOCBO_OK;
}

locbo_status locbo_optimizer_create(locbo_optimizer **optimizer, const locbo_space *space, const locbo_options *options,
                                    locbo_error *error) {
    if (!optimizer || !space) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer and space must not be NULL");
    if (locbo_space_dim(space) == 0) return status_fail(error, LOCBO_ERR_ARGUMENT, "the space has no parameters");
    locbo_options resolved;
    locbo_status status = options_resolve(options, &resolved, error);
    if (status != LOCBO_OK) return status;

    locbo_optimizer *o = mem_new(1, sizeof *o);
    if (!o) return status_no_memory(error);
    o->options = resolved;
    o->threshold_min = o->threshold_max = (double)NAN; /* no threshold so far */
    status = space_copy(&o->space, space, error);
    if (status == LOCBO_OK) {
        o->dim = locbo_space_dim(space);
        o->columns = space_columns(space);
        dataset_init(&o->data, o->dim, o->columns, resolved.direction == LOCBO_MAXIMIZE ? 1 : -1);
        o->data.merged = resolved.replicates == LOCBO_REPLICATES_MERGED;
        status = build(o, error);
    }
    if (status != LOCBO_OK) {
        locbo_optimizer_destroy(o);
        return status;
    }
    *optimizer = o;
    return status_ok(error);
}

void locbo_optimizer_destroy(locbo_optimizer *o) {
    if (!o) return;
    locbo_space_destroy(o->space);
    dataset_release(&o->data);
    surrogate_release(&o->surrogate);
    calibrator_destroy(o->calibrator);
    calibrator_destroy(o->plain);
    average_destroy(o->average);
    feasible_destroy(o->success);
    surface_work_release(&o->work);
    baseline_release(&o->baseline_believed);
    baseline_release(&o->baseline_searched);
    gp_destroy(o->conditioned);
    acqmax_destroy(o->maximiser);
    void *arrays[] = {o->trial, o->trial_x, o->trial_u, o->failure, o->design,  o->encoded, o->low,
                      o->high,  o->held,    o->taken,   o->fitted,  o->anchors, o};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
}

void locbo_optimizer_on_event(locbo_optimizer *optimizer, locbo_event_fn *fn, void *user) {
    if (optimizer) optimizer->events = (notifier){fn, user};
}

void locbo_optimizer_watch(locbo_optimizer *optimizer, locbo_watch_fn *fn, void *user) {
    if (optimizer) optimizer->watcher = (watcher){fn, user, 0};
}

locbo_status locbo_optimizer_set_score(locbo_optimizer *optimizer, locbo_score_fn *fn, void *user, locbo_error *error) {
    if (!optimizer) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer must not be NULL");
    if (fn && optimizer->options.acquisition == LOCBO_ACQUISITION_THOMPSON)
        return status_fail(error, LOCBO_ERR_STATE, "acquisition thompson maximises a sampled path and takes no score");
    optimizer->score = fn;
    optimizer->score_user = user;
    return status_ok(error);
}

const locbo_space *locbo_optimizer_space(const locbo_optimizer *optimizer) {
    return optimizer ? optimizer->space : NULL;
}

locbo_status locbo_optimizer_options(const locbo_optimizer *optimizer, locbo_options *options, locbo_error *error) {
    if (!optimizer || !options) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer and options must not be NULL");
    return options_export(&optimizer->options, options, error);
}

/* ---- facts ------------------------------------------------------------------------------------- */

locbo_status optimizer_append_trial(locbo_optimizer *o, const locbo_trial *info, const double *x,
                                    locbo_trial_state state, locbo_error *error) {
    mem_array arrays[] = {
        {&o->trial, sizeof *o->trial}, {&o->trial_x, o->dim * sizeof *x}, {&o->trial_u, o->columns * sizeof *x}};
    if (!mem_reserve_all(3, arrays, &o->trial_capacity, o->trials + 1)) return status_no_memory(error);
    memcpy(o->trial_x + o->trials * o->dim, x, o->dim * sizeof *x);
    space_encode(o->space, x, o->trial_u + o->trials * o->columns);
    o->trial[o->trials++] = (trial_record){*info, state};
    return LOCBO_OK;
}

/* The set shown when the trial was asked, as the calibrator sees it: in predictive standard deviations, larger is
 * better. */
static calibrator_set asked_set(const locbo_optimizer *o, const locbo_belief *b) {
    double low, high;
    announced_set(b, &low, &high);
    calibrator_set set = {b->threshold, low, high};
    if (o->data.scale.sign < 0) {
        set.low = -high;
        set.high = -low;
    }
    return set;
}

static locbo_status judge(locbo_optimizer *o, size_t index, const locbo_measurement *m, locbo_error *error) {
    const locbo_belief *b = &o->trial[index].info.belief;
    const double *u = o->trial_u + index * o->columns;
    calibrator_set asked = asked_set(o, b);
    double threshold = calibrator_threshold(o->calibrator, u); /* before the update */
    double z = o->data.scale.sign * announced_score(b, m);
    int online = 0;
    locbo_status status = calibrator_tell(o->calibrator, u, z, &asked, &online, error);
    if (status != LOCBO_OK) return status;
    locbo_origin origin = o->trial[index].info.origin;
    uint64_t inside = (uint64_t)announced_holds(b, m);
    o->judged++;
    o->covered += inside;
    o->judged_by[origin]++;
    o->covered_by[origin] += inside;
    o->covered_online += online != 0;
    o->threshold_min = fmin(o->threshold_min, threshold);
    o->threshold_max = fmax(o->threshold_max, threshold);
    o->threshold_sum += threshold;
    return LOCBO_OK;
}

/* A trial that was told as failed has a result after all. */
static void forget_failure(locbo_optimizer *o, size_t index) {
    for (size_t i = 0; i < o->failures; i++)
        if (o->failure[i] == index) {
            memmove(o->failure + i, o->failure + i + 1, (o->failures - i - 1) * sizeof *o->failure);
            o->failures--;
            return;
        }
}

locbo_status optimizer_append_result(locbo_optimizer *o, size_t index, const double *x, const locbo_measurement *m,
                                     locbo_error *error) {
    int of_trial = index != SIZE_MAX;
    uint64_t id = of_trial ? o->trial[index].info.id : 0;
    if (of_trial) x = o->trial_x + index * o->dim;
    space_encode(o->space, x, o->encoded);
    locbo_status status = dataset_append(&o->data, x, o->encoded, m, id, error);
    if (status != LOCBO_OK || !of_trial) return status;
    trial_record *t = &o->trial[index];
    if (t->state != LOCBO_TRIAL_TOLD && origin_is_judged(&t->info)) status = judge(o, index, m, error);
    if (status != LOCBO_OK) {
        dataset_remove_last(&o->data);
        return status;
    }
    forget_failure(o, index);
    t->state = LOCBO_TRIAL_TOLD;
    return LOCBO_OK;
}

locbo_status optimizer_append_failure(locbo_optimizer *o, size_t index, locbo_trial_state state, locbo_error *error) {
    if (!mem_reserve(&o->failure, &o->failure_capacity, o->failures + 1, sizeof *o->failure))
        return status_no_memory(error);
    o->failure[o->failures++] = index;
    o->trial[index].state = state;
    return LOCBO_OK;
}

size_t optimizer_count(const locbo_optimizer *o, locbo_trial_state state) {
    size_t count = 0;
    for (size_t i = 0; i < o->trials; i++) count += o->trial[i].state == state;
    return count;
}

/* ---- tell -------------------------------------------------------------------------------------- */

static locbo_status find_trial(const locbo_optimizer *o, uint64_t trial, size_t *index, locbo_error *error) {
    if (!o) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer must not be NULL");
    if (trial == 0 || trial > o->trials)
        return status_fail(error, LOCBO_ERR_NOT_FOUND, "there is no trial %" PRIu64 ": %zu were asked for", trial,
                           o->trials);
    *index = (size_t)(trial - 1);
    return LOCBO_OK;
}

locbo_status locbo_optimizer_trial(const locbo_optimizer *optimizer, uint64_t id, locbo_trial *trial,
                                   locbo_trial_state *state, double *x, locbo_error *error) {
    size_t index = 0;
    locbo_status status = find_trial(optimizer, id, &index, error);
    if (status != LOCBO_OK) return status;
    const locbo_optimizer *o = optimizer;
    if (trial) *trial = o->trial[index].info;
    if (state) *state = o->trial[index].state;
    if (x) memcpy(x, o->trial_x + index * o->dim, o->dim * sizeof *x);
    return status_ok(error);
}

locbo_status locbo_optimizer_tell(locbo_optimizer *optimizer, uint64_t trial, const locbo_measurement *measurement,
                                  locbo_error *error) {
    size_t index = 0;
    locbo_status status = find_trial(optimizer, trial, &index, error);
    if (status == LOCBO_OK) status = dataset_check(measurement, error);
    if (status == LOCBO_OK) status = optimizer_append_result(optimizer, index, NULL, measurement, error);
    return status == LOCBO_OK ? status_ok(error) : status;
}

static locbo_status end_trial(locbo_optimizer *o, uint64_t trial, locbo_trial_state state, locbo_error *error) {
    size_t index = 0;
    locbo_status status = find_trial(o, trial, &index, error);
    if (status != LOCBO_OK) return status;
    if (o->trial[index].state != LOCBO_TRIAL_PENDING)
        return status_fail(error, LOCBO_ERR_STATE, "trial %" PRIu64 " is not outstanding", trial);
    if (state == LOCBO_TRIAL_CANCELLED)
        o->trial[index].state = state;
    else
        status = optimizer_append_failure(o, index, state, error);
    return status == LOCBO_OK ? status_ok(error) : status;
}

locbo_status locbo_optimizer_tell_failed(locbo_optimizer *optimizer, uint64_t trial, locbo_error *error) {
    return end_trial(optimizer, trial, LOCBO_TRIAL_FAILED, error);
}

locbo_status locbo_optimizer_tell_infeasible(locbo_optimizer *optimizer, uint64_t trial, locbo_error *error) {
    return end_trial(optimizer, trial, LOCBO_TRIAL_INFEASIBLE, error);
}

locbo_status locbo_optimizer_cancel(locbo_optimizer *optimizer, uint64_t trial, locbo_error *error) {
    return end_trial(optimizer, trial, LOCBO_TRIAL_CANCELLED, error);
}

locbo_status locbo_optimizer_add(locbo_optimizer *optimizer, const double *x, const locbo_measurement *measurement,
                                 locbo_error *error) {
    if (!optimizer || !x) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer and x must not be NULL");
    locbo_status status = locbo_space_check(optimizer->space, x, error);
    if (status == LOCBO_OK) status = dataset_check(measurement, error);
    if (status == LOCBO_OK) status = optimizer_append_result(optimizer, SIZE_MAX, x, measurement, error);
    return status == LOCBO_OK ? status_ok(error) : status;
}

/* ---- run --------------------------------------------------------------------------------------- */

static locbo_status evaluate(locbo_optimizer *o, const locbo_trial *trial, const double *x,
                             locbo_objective_fn *objective, void *user, locbo_error *error) {
    locbo_measurement m = {.value = (double)NAN, .sd = (double)NAN, .n = 1};
    switch (objective(x, o->dim, trial, &m, user)) {
    case LOCBO_EVALUATED:
        return locbo_optimizer_tell(o, trial->id, &m, error);
    case LOCBO_FAILED:
        return locbo_optimizer_tell_failed(o, trial->id, error);
    case LOCBO_INFEASIBLE:
        return locbo_optimizer_tell_infeasible(o, trial->id, error);
    case LOCBO_STOP:
        break;
    }
    locbo_status status = locbo_optimizer_cancel(o, trial->id, error);
    if (status != LOCBO_OK) return status;
    return status_fail(error, LOCBO_ERR_STOPPED, "the objective stopped the run at trial %" PRIu64, trial->id);
}

locbo_status locbo_optimizer_run(locbo_optimizer *optimizer, size_t n, locbo_objective_fn *objective, void *user,
                                 locbo_error *error) {
    if (!optimizer || !objective)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer and objective must not be NULL");
    double *x = mem_new(optimizer->dim, sizeof *x);
    if (!x) return status_no_memory(error);
    locbo_status status = status_ok(error);
    for (size_t i = 0; i < n && status == LOCBO_OK; i++) {
        locbo_trial trial;
        status = locbo_optimizer_ask(optimizer, &trial, x, error);
        if (status == LOCBO_OK) status = evaluate(optimizer, &trial, x, objective, user, error);
    }
    mem_free(x);
    return status;
}
