/* optimizer.c - the life of an optimizer and what it is told. Layer: core, top.
 *
 * tell:  trial (what was believed when asked) + y -> covered? -> calibrator update -> dataset
 * for each output that was measured (quantity.c). Initial design, added and replicated results are data only.
 * Cost: O(t) a tell. */
#include "optimizer.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "announced.h"
#include "design.h"
#include "fidelity.h"
#include "mem.h"
#include "origin.h"
#include "region.h"

/* ---- life -------------------------------------------------------------------------------------- */

/* The design of a space with known constraints; it is an error if none of its points satisfies them. */
static locbo_status build_allowed(locbo_optimizer *o, rng *stream, locbo_error *error) {
    region all = {.space = o->space};
    double *first = mem_new(o->dim, sizeof *first);
    locbo_status status = first ? region_draw(&all, 1, stream, first, error) : status_no_memory(error);
    mem_free(first);
    if (status != LOCBO_OK) return status;
    if (o->options.design == LOCBO_DESIGN_UNIFORM) return region_draw(&all, o->initial, stream, o->design, error);
    return region_spread(&all, o->initial, stream, o->design, error);
}

static locbo_status build_design(locbo_optimizer *o, locbo_error *error) {
    int fidelity = space_fidelity(o->space) != SIZE_MAX;
    o->initial = options_initial(&o->options, fidelity ? o->dim - 1 : o->dim);
    if (fidelity && o->options.initial == 0) o->initial = fidelity_design_size(o->initial);
    if (o->initial > SIZE_MAX / sizeof(double) / o->dim) return status_no_memory(error);
    o->design = mem_new(o->initial * o->dim, sizeof *o->design);
    if (!o->design) return status_no_memory(error);
    rng stream = rng_open(o->options.seed, 0, RNG_DESIGN);
    if (space_limits(o->space)) return build_allowed(o, &stream, error);
    return design_make(o->options.design, o->initial, o->dim, &stream, o->design, error);
}

/* The modelled outputs, objectives first. */
static void list_quantities(locbo_optimizer *o) {
    for (int constraints = 0; constraints < 2; constraints++)
        for (size_t i = 0; i < locbo_outputs_count(o->outputs); i++) {
            const locbo_output_spec *spec = outputs_at(o->outputs, i);
            if (constraints ? !outputs_is_constraint(spec) : !outputs_is_objective(spec)) continue;
            if (!constraints) o->reference[o->objectives++] = spec->referenced ? spec->reference : (double)NAN;
            o->listed[o->quantities++] = i;
        }
}

static locbo_status build_quantities(locbo_optimizer *o, locbo_error *error) {
    list_quantities(o);
    o->quantity = mem_new(o->quantities, sizeof *o->quantity);
    locbo_status status = o->quantity ? LOCBO_OK : status_no_memory(error);
    for (size_t k = 0; k < o->quantities && status == LOCBO_OK; k++)
        status = quantity_init(&o->quantity[k], o->space, &o->options, outputs_at(o->outputs, o->listed[k]),
                               &o->watcher, error);
    o->leaders = (leaders){&o->told, o->outputs, o->space, o->listed, o->objectives, o->quantities};
    for (size_t k = 0; k < o->quantities && o->quantities > 1 && status == LOCBO_OK; k++)
        surrogate_lead(&o->quantity[k].surrogate, &o->leaders, k);
    return status;
}

/* What is fixed at full fidelity. */
static locbo_status build_full(locbo_optimizer *o, locbo_error *error) {
    locbo_parameter p;
    if (o->fidelity == SIZE_MAX) return LOCBO_OK;
    o->full = mem_new(o->dim, sizeof *o->full);
    o->searched_at = mem_new(o->dim, sizeof *o->searched_at);
    if (!o->full || !o->searched_at) return status_no_memory(error);
    for (size_t j = 0; j < o->dim; j++) o->full[j] = (double)NAN;
    locbo_space_parameter(o->space, o->fidelity, &p, NULL);
    o->full[o->fidelity] = p.high;
    return LOCBO_OK;
}

static locbo_status build(locbo_optimizer *o, locbo_error *error) {
    locbo_status status = build_design(o, error);
    if (status == LOCBO_OK) status = build_quantities(o, error);
    if (status == LOCBO_OK) status = acqmax_create(&o->maximiser, o->dim, o->columns, error);
    if (status != LOCBO_OK) return status;
    o->encoded = mem_new(o->columns, sizeof *o->encoded);
    o->low = mem_new(o->columns, sizeof *o->low);
    o->high = mem_new(o->columns, sizeof *o->high);
    o->held = mem_new(o->columns, sizeof *o->held);
    if (!o->encoded || !o->low || !o->high || !o->held) return status_no_memory(error);
    return build_full(o, error);
}

/* What the methods and acquisitions can do with these outputs. */
static locbo_status check_outputs(const locbo_outputs *outputs, const locbo_options *options, locbo_error *error) {
    size_t objectives = 0;
    locbo_status status = locbo_outputs_check(outputs, error);
    if (status != LOCBO_OK) return status;
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++)
        objectives += (size_t)outputs_is_objective(outputs_at(outputs, i));
    if (objectives == 1) return LOCBO_OK;
    int known = options->method == LOCBO_METHOD_LOCBO || options->method == LOCBO_METHOD_BO ||
                options->method == LOCBO_METHOD_RANDOM;
    int improves = options->acquisition == LOCBO_ACQUISITION_EI || options->acquisition == LOCBO_ACQUISITION_LOG_EI;
    if (!known)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "%zu objectives need method locbo, bo or random", objectives);
    if (!improves || options->incumbent != LOCBO_INCUMBENT_SAMPLED)
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "%zu objectives need acquisition ei or log-ei and incumbent sampled", objectives);
    return LOCBO_OK;
}

static locbo_status check_fidelity(const locbo_space *space, const locbo_outputs *outputs, locbo_error *error) {
    size_t objectives = 0;
    if (locbo_space_fidelity(space) == SIZE_MAX) return LOCBO_OK;
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++)
        objectives += (size_t)outputs_is_objective(outputs_at(outputs, i));
    if (objectives == 1) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_ARGUMENT, "a fidelity parameter needs one objective, got %zu", objectives);
}

static locbo_status create(locbo_optimizer *o, const locbo_space *space, const locbo_outputs *outputs,
                           locbo_error *error) {
    locbo_status status = space_copy(&o->space, space, error);
    if (status == LOCBO_OK)
        status = outputs ? outputs_copy(&o->outputs, outputs, error)
                         : outputs_plain(&o->outputs, o->options.direction, error);
    if (status != LOCBO_OK) return status;
    o->dim = locbo_space_dim(space);
    o->columns = space_columns(space);
    o->fidelity = space_fidelity(o->space);
    told_init(&o->told, o->dim, o->columns, locbo_outputs_count(o->outputs));
    return build(o, error);
}

locbo_status locbo_optimizer_create_for(locbo_optimizer **optimizer, const locbo_space *space,
                                        const locbo_outputs *outputs, const locbo_options *options,
                                        locbo_error *error) {
    if (!optimizer || !space) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer and space must not be NULL");
    if (locbo_space_dim(space) == 0) return status_fail(error, LOCBO_ERR_ARGUMENT, "the space has no parameters");
    locbo_options resolved;
    locbo_status status = options_resolve(options, &resolved, error);
    if (status == LOCBO_OK && outputs) status = check_outputs(outputs, &resolved, error);
    if (status == LOCBO_OK && outputs) status = check_fidelity(space, outputs, error);
    if (status != LOCBO_OK) return status;

    locbo_optimizer *o = mem_new(1, sizeof *o);
    if (!o) return status_no_memory(error);
    o->options = resolved;
    status = create(o, space, outputs, error);
    if (status != LOCBO_OK) {
        locbo_optimizer_destroy(o);
        return status;
    }
    *optimizer = o;
    return status_ok(error);
}

locbo_status locbo_optimizer_create(locbo_optimizer **optimizer, const locbo_space *space, const locbo_options *options,
                                    locbo_error *error) {
    return locbo_optimizer_create_for(optimizer, space, NULL, options, error);
}

void locbo_optimizer_destroy(locbo_optimizer *o) {
    if (!o) return;
    locbo_space_destroy(o->space);
    locbo_outputs_destroy(o->outputs);
    told_release(&o->told);
    for (size_t k = 0; o->quantity && k < o->quantities; k++) quantity_release(&o->quantity[k]);
    feasible_destroy(o->success);
    joint_release(&o->joint_believed);
    joint_release(&o->joint_searched);
    acqmax_destroy(o->maximiser);
    void *arrays[] = {o->quantity, o->trial, o->trial_x, o->trial_u, o->others,  o->failure, o->design,      o->encoded,
                      o->low,      o->high,  o->held,    o->taken,   o->anchors, o->full,    o->searched_at, o};
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
    if (fn && optimizer->objectives > 1)
        return status_fail(error, LOCBO_ERR_STATE, "a score is of one objective, the optimizer has %zu",
                           optimizer->objectives);
    optimizer->score = fn;
    optimizer->score_user = user;
    return status_ok(error);
}

const locbo_outputs *locbo_optimizer_outputs(const locbo_optimizer *optimizer) {
    return optimizer ? optimizer->outputs : NULL;
}

locbo_status locbo_optimizer_set_allowed(locbo_optimizer *optimizer, locbo_allow_fn *fn, void *user,
                                         locbo_error *error) {
    if (!optimizer) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer must not be NULL");
    locbo_optimizer *o = optimizer;
    const constraint_list *old = space_limits(o->space);
    locbo_allow_fn *old_fn = old ? old->allow : NULL;
    void *old_user = old ? old->user : NULL;
    double *design = o->design;
    locbo_space_set_allowed(o->space, fn, user);
    locbo_status status = build_design(o, error);
    if (status == LOCBO_OK) {
        mem_free(design);
        for (size_t k = 0; k < o->quantities && (fn != old_fn || user != old_user); k++)
            surrogate_forget(&o->quantity[k].surrogate); /* leaders are points that are allowed */
        return status_ok(error);
    }
    locbo_space_set_allowed(o->space, old_fn, old_user);
    mem_free(o->design);
    o->design = design;
    return status;
}

const locbo_space *locbo_optimizer_space(const locbo_optimizer *optimizer) {
    return optimizer ? optimizer->space : NULL;
}

locbo_status locbo_optimizer_options(const locbo_optimizer *optimizer, locbo_options *options, locbo_error *error) {
    if (!optimizer || !options) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer and options must not be NULL");
    return options_export(&optimizer->options, options, error);
}

/* ---- facts ------------------------------------------------------------------------------------- */

locbo_status optimizer_append_trial(locbo_optimizer *o, const locbo_trial *info, const locbo_belief *others,
                                    const double *x, locbo_trial_state state, locbo_error *error) {
    size_t more = o->quantities - 1;
    mem_array arrays[] = {{&o->trial, sizeof *o->trial},
                          {&o->trial_x, o->dim * sizeof *x},
                          {&o->trial_u, o->columns * sizeof *x},
                          {&o->others, more * sizeof *o->others}};
    if (!mem_reserve_all(more ? 4 : 3, arrays, &o->trial_capacity, o->trials + 1)) return status_no_memory(error);
    memcpy(o->trial_x + o->trials * o->dim, x, o->dim * sizeof *x);
    space_encode(o->space, x, o->trial_u + o->trials * o->columns);
    for (size_t k = 0; k < more; k++) o->others[o->trials * more + k] = others ? others[k] : BELIEF_NONE;
    o->trial[o->trials++] = (trial_record){*info, state, (double)NAN};
    return LOCBO_OK;
}

quantity *optimizer_quantity_of(const locbo_optimizer *o, size_t output) {
    for (size_t k = 0; k < o->quantities; k++)
        if (o->listed[k] == output) return &o->quantity[k];
    return NULL;
}

const locbo_belief *optimizer_trial_belief(const locbo_optimizer *o, size_t index, size_t k) {
    return k == 0 ? &o->trial[index].info.belief : &o->others[index * (o->quantities - 1) + k - 1];
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

locbo_status optimizer_check_result(const locbo_optimizer *o, const locbo_measurement *measured, locbo_error *error) {
    size_t count = locbo_outputs_count(o->outputs), values = 0;
    if (!measured) return status_fail(error, LOCBO_ERR_ARGUMENT, "measurement must not be NULL");
    for (size_t i = 0; i < count; i++) {
        const locbo_output_spec *spec = outputs_at(o->outputs, i);
        locbo_error why;
        if (isnan(measured[i].value) && count > 1) continue;
        values++;
        if (dataset_check(&measured[i], &why) != LOCBO_OK)
            return count == 1 ? status_fail(error, LOCBO_ERR_ARGUMENT, "%s", why.message)
                              : status_fail(error, LOCBO_ERR_ARGUMENT, "output '%.40s': %s", spec->name, why.message);
        locbo_status status = outputs_check_value(spec, "values", measured[i].value, error);
        if (status != LOCBO_OK) return status;
    }
    if (values > 0) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_ARGUMENT,
                       "a result needs the value of an output, got none of %zu; report a failure with tell_failed",
                       count);
}

/* Whether a result of trial `index` is judged for quantity k: it is the first, and there was a belief. */
static int is_judged(const locbo_optimizer *o, size_t index, size_t k) {
    const trial_record *t = &o->trial[index];
    return t->state != LOCBO_TRIAL_TOLD && origin_is_model(t->info.origin) &&
           optimizer_trial_belief(o, index, k)->sd_y > 0;
}

/* What of a result quantity k has; NULL: nothing. */
static const locbo_measurement *part_of(const locbo_optimizer *o, size_t k, const locbo_measurement *measured) {
    const locbo_measurement *m = &measured[o->listed[k]];
    return isnan(m->value) ? NULL : m;
}

/* Take back the last result, of which the first `count` quantities have got their rows. */
static void remove_rows(locbo_optimizer *o, size_t count, const locbo_measurement *measured) {
    told_remove_last(&o->told);
    for (size_t k = 0; k < count; k++)
        if (part_of(o, k, measured)) dataset_remove_last(&o->quantity[k].data);
}

/* A row for each quantity, and memory for what follows. */
static locbo_status append_rows(locbo_optimizer *o, const double *x, uint64_t id, const locbo_measurement *measured,
                                locbo_error *error) {
    locbo_status status = told_append(&o->told, x, o->encoded, id, measured, error);
    if (status != LOCBO_OK) return status;
    size_t done = 0;
    while (done < o->quantities && status == LOCBO_OK) {
        quantity *q = &o->quantity[done];
        const locbo_measurement *m = part_of(o, done, measured);
        if (m) status = calibrator_reserve(q->calibrator, error);
        if (m && status == LOCBO_OK) status = dataset_append(&q->data, x, o->encoded, m, id, error);
        if (status == LOCBO_OK) done++;
    }
    if (status != LOCBO_OK) remove_rows(o, done, measured);
    return status;
}

/* Every quantity that the result has learns from it. */
static locbo_status judge(locbo_optimizer *o, size_t index, const locbo_measurement *measured, locbo_error *error) {
    const double *u = o->trial_u + index * o->columns;
    locbo_status status = LOCBO_OK;
    size_t judged = 0, covered = 0;
    for (size_t k = 0; k < o->quantities && status == LOCBO_OK; k++) {
        const locbo_measurement *m = part_of(o, k, measured);
        const locbo_belief *b = optimizer_trial_belief(o, index, k);
        if (!m || !is_judged(o, index, k)) continue;
        status = quantity_judge(&o->quantity[k], u, o->trial[index].info.origin, b, m, error);
        judged++;
        covered += (size_t)announced_holds(b, m);
    }
    o->judged_whole += judged == o->quantities;
    o->covered_whole += covered == o->quantities;
    return status;
}

static void count_anew(locbo_optimizer *o) {
    for (size_t k = 0; k < o->quantities; k++) quantity_begin_segment(&o->quantity[k]);
    o->judged_whole = o->covered_whole = 0;
}

locbo_status locbo_optimizer_begin_segment(locbo_optimizer *optimizer, locbo_error *error) {
    if (!optimizer) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer must not be NULL");
    optimizer->segment = optimizer->told.n;
    count_anew(optimizer);
    return status_ok(error);
}

locbo_status optimizer_append_result(locbo_optimizer *o, size_t index, const double *x,
                                     const locbo_measurement *measured, locbo_error *error) {
    int of_trial = index != SIZE_MAX;
    uint64_t id = of_trial ? o->trial[index].info.id : 0;
    if (of_trial) x = o->trial_x + index * o->dim;
    space_encode(o->space, x, o->encoded);
    if (o->segment > 0 && o->told.n == o->segment) count_anew(o);
    locbo_status status = append_rows(o, x, id, measured, error);
    if (status != LOCBO_OK || !of_trial) return status;
    status = judge(o, index, measured, error);
    if (status != LOCBO_OK) {
        remove_rows(o, o->quantities, measured);
        return status;
    }
    forget_failure(o, index);
    o->trial[index].state = LOCBO_TRIAL_TOLD;
    return LOCBO_OK;
}

locbo_status optimizer_append_ended(locbo_optimizer *o, size_t index, const double *x,
                                    const locbo_measurement *measured, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    if (measured) {
        if (!x) x = o->trial_x + index * o->dim;
        space_encode(o->space, x, o->encoded);
        if (o->segment > 0 && o->told.n == o->segment) count_anew(o);
        status = append_rows(o, x, o->trial[index].info.id, measured, error);
        if (status != LOCBO_OK) return status;
        o->told.aside[o->told.n - 1] = 1;
        for (size_t k = 0; k < o->quantities; k++)
            if (part_of(o, k, measured)) dataset_set_aside(&o->quantity[k].data);
    }
    o->trial[index].state = LOCBO_TRIAL_ENDED;
    return status;
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

locbo_status locbo_optimizer_trial_beliefs(const locbo_optimizer *optimizer, uint64_t id, locbo_belief *beliefs,
                                           locbo_error *error) {
    size_t index = 0;
    locbo_status status = find_trial(optimizer, id, &index, error);
    if (status == LOCBO_OK && !beliefs) status = status_fail(error, LOCBO_ERR_ARGUMENT, "beliefs must not be NULL");
    if (status != LOCBO_OK) return status;
    for (size_t i = 0; i < locbo_outputs_count(optimizer->outputs); i++) beliefs[i] = BELIEF_NONE;
    for (size_t k = 0; k < optimizer->quantities; k++)
        beliefs[optimizer->listed[k]] = *optimizer_trial_belief(optimizer, index, k);
    return status_ok(error);
}

/* The functions for one measurement need an optimizer of one output. */
static locbo_status check_single(const locbo_optimizer *o, locbo_error *error) {
    size_t count = o ? locbo_outputs_count(o->outputs) : 1;
    if (count == 1) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_STATE,
                       "the optimizer has %zu outputs: use locbo_optimizer_tell_outputs and _add_outputs", count);
}

/* A trial that was ended early is over. */
static locbo_status check_not_ended(const locbo_optimizer *o, size_t index, locbo_error *error) {
    if (o->trial[index].state != LOCBO_TRIAL_ENDED) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_STATE, "trial %zu was ended early", index + 1);
}

locbo_status locbo_optimizer_tell_outputs(locbo_optimizer *optimizer, uint64_t trial,
                                          const locbo_measurement *measurements, locbo_error *error) {
    size_t index = 0;
    locbo_status status = find_trial(optimizer, trial, &index, error);
    if (status == LOCBO_OK) status = check_not_ended(optimizer, index, error);
    if (status == LOCBO_OK) status = optimizer_check_result(optimizer, measurements, error);
    if (status == LOCBO_OK) status = optimizer_append_result(optimizer, index, NULL, measurements, error);
    return status == LOCBO_OK ? status_ok(error) : status;
}

locbo_status locbo_optimizer_tell(locbo_optimizer *optimizer, uint64_t trial, const locbo_measurement *measurement,
                                  locbo_error *error) {
    locbo_status status = check_single(optimizer, error);
    return status == LOCBO_OK ? locbo_optimizer_tell_outputs(optimizer, trial, measurement, error) : status;
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

/* The point where an ended trial is known: its own but for the fidelity. */
static locbo_status check_ended_at(const locbo_optimizer *o, size_t index, const double *x, locbo_error *error) {
    const double *own = o->trial_x + index * o->dim;
    for (size_t j = 0; x && j < o->dim; j++)
        if (j != o->fidelity && x[j] != own[j] && !(isnan(x[j]) && isnan(own[j])))
            return status_fail(error, LOCBO_ERR_ARGUMENT,
                               "trial %zu was ended at another point: parameter %zu is %g, not %g", index + 1, j + 1,
                               x[j], own[j]);
    return x ? space_check_placed(o->space, x, error) : LOCBO_OK;
}

locbo_status locbo_optimizer_tell_ended(locbo_optimizer *optimizer, uint64_t trial, const double *x,
                                        const locbo_measurement *measurements, locbo_error *error) {
    size_t index = 0;
    locbo_status status = find_trial(optimizer, trial, &index, error);
    if (status == LOCBO_OK && optimizer->trial[index].state != LOCBO_TRIAL_PENDING)
        status = status_fail(error, LOCBO_ERR_STATE, "trial %" PRIu64 " is not outstanding", trial);
    if (status == LOCBO_OK) status = check_ended_at(optimizer, index, x, error);
    if (status == LOCBO_OK && measurements) status = optimizer_check_result(optimizer, measurements, error);
    if (status == LOCBO_OK) status = optimizer_append_ended(optimizer, index, x, measurements, error);
    return status == LOCBO_OK ? status_ok(error) : status;
}

locbo_status locbo_optimizer_tell_cost(locbo_optimizer *optimizer, uint64_t trial, double cost, locbo_error *error) {
    size_t index = 0;
    locbo_status status = find_trial(optimizer, trial, &index, error);
    if (status != LOCBO_OK) return status;
    if (!(cost > 0 && isfinite(cost)))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "a cost must be positive and finite, got %g", cost);
    optimizer->trial[index].cost = cost;
    return status_ok(error);
}

locbo_status locbo_optimizer_add_outputs(locbo_optimizer *optimizer, const double *x,
                                         const locbo_measurement *measurements, locbo_error *error) {
    if (!optimizer || !x) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer and x must not be NULL");
    locbo_status status = locbo_space_check(optimizer->space, x, error);
    if (status == LOCBO_OK) status = optimizer_check_result(optimizer, measurements, error);
    if (status == LOCBO_OK) status = optimizer_append_result(optimizer, SIZE_MAX, x, measurements, error);
    return status == LOCBO_OK ? status_ok(error) : status;
}

locbo_status locbo_optimizer_add(locbo_optimizer *optimizer, const double *x, const locbo_measurement *measurement,
                                 locbo_error *error) {
    locbo_status status = check_single(optimizer, error);
    return status == LOCBO_OK ? locbo_optimizer_add_outputs(optimizer, x, measurement, error) : status;
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
    locbo_status status = check_single(optimizer, error);
    if (status != LOCBO_OK) return status;
    double *x = mem_new(optimizer->dim, sizeof *x);
    if (!x) return status_no_memory(error);
    status_ok(error);
    for (size_t i = 0; i < n && status == LOCBO_OK; i++) {
        locbo_trial trial;
        status = locbo_optimizer_ask(optimizer, &trial, x, error);
        if (status == LOCBO_OK) status = evaluate(optimizer, &trial, x, objective, user, error);
    }
    mem_free(x);
    return status;
}
