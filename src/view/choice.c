/* choice.c - the best and the recommended point, or fronts. Layer: view, shapes. Cost: that of the model, O(n^3). */
#include "choice.h"

#include <math.h>
#include <stdlib.h>

#include "belief.h"
#include "json_build.h"
#include "mem.h"
#include "rows.h"
#include "value.h"
#include "within.h"

locbo_status choice_plain(locbo_study *study, const locbo_census *census, json_t **row, locbo_error *error) {
    json_t *trial = NULL;
    if (census->best_trial == 0)
        return status_fail(error, LOCBO_ERR_NOTHING, "no measured point of the study '%s' is the best",
                           locbo_study_name(study));
    locbo_status status = rows_find(study, census->best_trial, 0, &trial, error);
    if (status != LOCBO_OK) return status;
    *row = json_pack("{s:I, s:O, s:o, s:I, s:n, s:n}", "trial", (json_int_t)census->best_trial, "params",
                     json_object_get(trial, "params"), "value", value_real(census->best_value), "results",
                     (json_int_t)census->best_count, "interval", "level");
    json_decref(trial);
    return *row ? status_ok(error) : status_no_memory(error);
}

/* What the optimizer cannot answer yet, since there is no model or the objective was never measured, is nothing to
 * show, and no error of the caller. */
static locbo_status as_nothing(locbo_status status, locbo_error *error) {
    if (status != LOCBO_ERR_STATE) return status;
    if (error) error->status = LOCBO_ERR_NOTHING;
    return LOCBO_ERR_NOTHING;
}

/* ---- one objective --------------------------------------------------------------------------- */

/* "holds": whether the point is one where the constraints hold, and not the nearest to that; null: there are none.
 * Recommended: with the probability of the option `feasibility`, best: by what was measured, as the front of one. */
static locbo_status add_holds(json_t *row, locbo_optimizer *optimizer, const locbo_outputs *outputs, int recommended,
                              double feasible, locbo_error *error) {
    locbo_options options = {.struct_size = sizeof options};
    locbo_front_point point;
    double *x = mem_new(locbo_space_dim(locbo_optimizer_space(optimizer)), sizeof *x);
    size_t count = 0, constraints = 0;
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++) {
        locbo_output_spec spec = {.struct_size = sizeof spec};
        constraints += locbo_outputs_get(outputs, i, &spec, NULL) == LOCBO_OK && rows_is_constraint(&spec);
    }
    locbo_status status = x ? locbo_optimizer_options(optimizer, &options, error) : status_no_memory(error);
    if (status == LOCBO_OK && constraints && !recommended)
        status = locbo_optimizer_front(optimizer, LOCBO_FRONT_MEASURED, 1, &point, x, NULL, NULL, &count, error);
    mem_free(x);
    if (status != LOCBO_OK) return status;
    int holds = recommended ? feasible >= options.feasibility : count > 0;
    int known = constraints && !(recommended && isnan(feasible));
    return build_put(row, "holds", known ? json_boolean(holds) : json_null()) ? status_no_memory(error) : LOCBO_OK;
}

/* The best point of an altered study may lie outside its space. */
static int is_outside(const locbo_space *space, const double *x) {
    return locbo_space_check(space, x, NULL) != LOCBO_OK;
}

/* What the model believes of all outputs at x; nothing outside the space. */
static locbo_status believe(locbo_optimizer *optimizer, const locbo_outputs *outputs, const double *x,
                            locbo_belief *beliefs, locbo_error *error) {
    if (!is_outside(locbo_optimizer_space(optimizer), x))
        return locbo_optimizer_predict_outputs(optimizer, 1, x, beliefs, NULL, error);
    for (size_t i = 0; i < (outputs ? locbo_outputs_count(outputs) : 1); i++) beliefs[i] = BELIEF_NONE;
    return LOCBO_OK;
}

/* "outputs", "feasible": what the model believes of all outputs at x. */
static locbo_status add_outputs(json_t *row, locbo_optimizer *optimizer, const locbo_outputs *outputs, const double *x,
                                double feasible, locbo_error *error) {
    locbo_belief *beliefs = mem_new(locbo_outputs_count(outputs), sizeof *beliefs);
    locbo_status status = beliefs && row ? believe(optimizer, outputs, x, beliefs, error) : status_no_memory(error);
    if (status == LOCBO_OK && (build_put(row, "outputs", rows_beliefs(outputs, NULL, beliefs)) ||
                               build_put(row, "feasible", value_real(feasible))))
        status = status_no_memory(error);
    mem_free(beliefs);
    return status;
}

/* "success": the probability that an evaluation there succeeds, by the failures so far; null without a model. */
static locbo_status add_success(json_t *row, locbo_optimizer *optimizer, const locbo_outputs *outputs, const double *x,
                                locbo_error *error) {
    locbo_belief *beliefs = mem_new(outputs ? locbo_outputs_count(outputs) : 1, sizeof *beliefs);
    locbo_status status = beliefs && row ? believe(optimizer, outputs, x, beliefs, error) : status_no_memory(error);
    if (status == LOCBO_OK &&
        build_put(row, "success", value_real(beliefs[rows_first_objective(outputs)].success)) != 0)
        status = status_no_memory(error);
    mem_free(beliefs);
    return status;
}

static locbo_status find_point(locbo_optimizer *optimizer, const locbo_outputs *outputs, int recommended, json_t **row,
                               locbo_error *error) {
    const locbo_space *space = locbo_optimizer_space(optimizer);
    locbo_choice choice;
    json_t *made = NULL;
    double *x = mem_new(locbo_space_dim(space), sizeof *x);
    if (!x) return status_no_memory(error);
    locbo_status status = recommended ? locbo_optimizer_recommend(optimizer, &choice, x, error)
                                      : locbo_optimizer_best(optimizer, &choice, x, error);
    status = as_nothing(status, error);
    if (status == LOCBO_OK) {
        made = rows_choice(space, &choice, x, recommended);
        if (is_outside(space, x) && build_put(made, "outside", json_true()) != 0) status = status_no_memory(error);
        if (recommended && status == LOCBO_OK) status = add_success(made, optimizer, outputs, x, error);
        if (outputs && status == LOCBO_OK) status = add_outputs(made, optimizer, outputs, x, choice.feasible, error);
        if (outputs && status == LOCBO_OK)
            status = add_holds(made, optimizer, outputs, recommended, choice.feasible, error);
    }
    mem_free(x);
    if (status == LOCBO_OK && !made) status = status_no_memory(error);
    if (status == LOCBO_OK)
        *row = made;
    else
        json_decref(made);
    return status == LOCBO_OK ? status_ok(error) : status;
}

/* ---- several objectives ------------------------------------------------------------------------ */

/* A front, and the memory that it is in. */
typedef struct points {
    const locbo_space *space;
    const locbo_outputs *outputs;
    size_t outputs_count, dim;
    size_t count, shown; /* of the front */
    locbo_front_point *point;
    double *x, *values, *reference;
    locbo_belief *beliefs;
} points;

static void release(points *p) {
    void *arrays[] = {p->point, p->x, p->values, p->reference, p->beliefs};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
}

static locbo_status read_front(points *p, locbo_optimizer *optimizer, int recommended, locbo_error *error) {
    locbo_front_by by = recommended ? LOCBO_FRONT_BELIEVED : LOCBO_FRONT_MEASURED;
    p->point = mem_new(CHOICE_FRONT, sizeof *p->point);
    p->x = mem_new(CHOICE_FRONT * p->dim, sizeof *p->x);
    p->values = mem_new(CHOICE_FRONT * p->outputs_count, sizeof *p->values);
    p->beliefs = mem_new(CHOICE_FRONT * p->outputs_count, sizeof *p->beliefs);
    p->reference = mem_new(p->outputs_count, sizeof *p->reference);
    if (!p->point || !p->x || !p->values || !p->beliefs || !p->reference) return status_no_memory(error);
    locbo_status status =
        locbo_optimizer_front(optimizer, by, CHOICE_FRONT, p->point, p->x, p->values, p->beliefs, &p->count, error);
    status = as_nothing(status, error);
    if (status == LOCBO_OK) status = locbo_optimizer_reference(optimizer, p->reference, error);
    p->shown = p->count < CHOICE_FRONT ? p->count : CHOICE_FRONT;
    return status;
}

static json_t *point_cell(const void *source, size_t i) {
    const points *p = source;
    size_t at = i * p->outputs_count;
    json_t *row = json_object();
    int bad = build_put(row, "trial", p->point[i].trial ? build_count(p->point[i].trial) : json_null());
    bad |= build_put(row, "params", value_object(p->space, p->x + i * p->dim));
    bad |= build_put(row, "outputs", rows_beliefs(p->outputs, p->values + at, p->beliefs + at));
    bad |= build_put(row, "feasible", value_real(p->point[i].feasible));
    return build_finish(row, bad);
}

typedef struct ranked {
    double key; /* less is better */
    size_t index;
} ranked;

static int compare(const void *a, const void *b) {
    const ranked *p = a, *q = b;
    if (p->key != q->key) return p->key < q->key ? -1 : 1;
    return (p->index > q->index) - (p->index < q->index);
}

/* The points, the best in the first objective first. NULL: no memory. */
static json_t *list_points(const points *p, int recommended) {
    locbo_output_spec spec = {.struct_size = sizeof spec};
    size_t first = rows_first_objective(p->outputs), *order = mem_new(p->shown, sizeof *order);
    ranked *list = mem_new(p->shown, sizeof *list);
    json_t *made = NULL;
    locbo_outputs_get(p->outputs, first, &spec, NULL);
    for (size_t i = 0; list && i < p->shown; i++) {
        size_t at = i * p->outputs_count + first;
        double y = recommended ? p->beliefs[at].mean : p->values[at];
        list[i] = (ranked){spec.goal == LOCBO_GOAL_MAXIMIZE ? -y : y, i};
    }
    if (list && order && p->shown > 1) qsort(list, p->shown, sizeof *list, compare);
    for (size_t i = 0; list && order && i < p->shown; i++) order[i] = list[i].index;
    if (list && order) made = build_list(point_cell, p, p->shown, order);
    mem_free(order);
    mem_free(list);
    return made;
}

/* Of the values, or of the means; NAN: the reference is not known. With more points than shown it is that of the
 * shown ones, so it is not known either. */
static double volume_of(const points *p, int recommended) {
    double volume;
    size_t n = p->shown * p->outputs_count;
    double *y = mem_new(n, sizeof *y);
    for (size_t i = 0; y && i < n; i++) y[i] = recommended ? p->beliefs[i].mean : p->values[i];
    int known = y && p->count == p->shown &&
                locbo_hypervolume(p->outputs, p->shown, y, p->reference, &volume, NULL) == LOCBO_OK;
    mem_free(y);
    return known ? volume : (double)NAN;
}

static locbo_status find_front(locbo_optimizer *optimizer, const locbo_outputs *outputs, int recommended, json_t **row,
                               locbo_error *error) {
    const locbo_space *space = locbo_optimizer_space(optimizer);
    points p = {.space = space,
                .outputs = outputs,
                .outputs_count = locbo_outputs_count(outputs),
                .dim = locbo_space_dim(space)};
    locbo_options options = {.struct_size = sizeof options};
    locbo_status status = locbo_optimizer_options(optimizer, &options, error);
    if (status == LOCBO_OK) status = read_front(&p, optimizer, recommended, error);
    if (status == LOCBO_OK) {
        json_t *made = json_object();
        int bad = build_put(made, "front", list_points(&p, recommended));
        bad |= build_put(made, "points", build_count(p.count));
        bad |= build_put(made, "level", value_real(1 - options.alpha));
        bad |= build_put(made, "reference", rows_numbers(outputs, p.reference, rows_is_objective));
        bad |= build_put(made, "hypervolume", value_real(volume_of(&p, recommended)));
        status = build_answer(made, bad, row, error);
    }
    release(&p);
    return status;
}

/* ---- both ------------------------------------------------------------------------------------ */

int choice_takes_long(const locbo_options *options, uint64_t results) {
    int limited =
        options->exact_rows > 0 && options->surrogate == LOCBO_SURROGATE_MAP && options->method != LOCBO_METHOD_CBO;
    return results > CHOICE_MANY && !limited;
}

locbo_status choice_of(locbo_optimizer *optimizer, const locbo_outputs *outputs, int recommended, json_t **row,
                       locbo_error *error) {
    *row = NULL;
    return rows_objectives(outputs) > 1 ? find_front(optimizer, outputs, recommended, row, error)
                                        : find_point(optimizer, outputs, recommended, row, error);
}

locbo_status choice_find(locbo_study *study, const locbo_census *census, int recommended, json_t **row,
                         locbo_error *error) {
    locbo_definition d = {.struct_size = sizeof d};
    locbo_optimizer *optimizer;
    *row = NULL;
    if (census->measurements == 0)
        return status_fail(error, LOCBO_ERR_NOTHING, "the study '%s' has no result yet", locbo_study_name(study));
    if (census->measurements > CHOICE_MANY && !recommended && census->best_trial > 0)
        return choice_plain(study, census, row, error);
    locbo_status status = locbo_study_definition(study, &d, error);
    if (status == LOCBO_OK) status = locbo_study_optimizer(study, &optimizer, error);
    return status == LOCBO_OK ? choice_of(optimizer, d.outputs, recommended, row, error) : status;
}

locbo_status choice_within(locbo_study *study, double delta, double level, json_t **row, locbo_error *error) {
    locbo_definition d = {.struct_size = sizeof d};
    locbo_optimizer *optimizer;
    json_t *ranges = NULL, *made = NULL;
    locbo_status status = locbo_study_definition(study, &d, error);
    if (status == LOCBO_OK) status = locbo_study_optimizer(study, &optimizer, error);
    if (status == LOCBO_OK) status = choice_of(optimizer, d.outputs, 1, &made, error);
    if (status == LOCBO_ERR_STATE)
        return status_fail(error, LOCBO_ERR_NOTHING, "the study '%s' has no result yet", locbo_study_name(study));
    if (status != LOCBO_OK) return status;
    double *x = mem_new(locbo_space_dim(d.space), sizeof *x);
    status = x ? value_from_object(d.space, json_object_get(made, "params"), 0, x, error) : status_no_memory(error);
    if (status == LOCBO_OK) status = within_find(optimizer, d.outputs, x, delta, level, &ranges, error);
    if (status == LOCBO_OK && build_put(made, "within", ranges) != 0) status = status_no_memory(error);
    mem_free(x);
    if (status == LOCBO_OK)
        *row = made;
    else
        json_decref(made);
    return status;
}
