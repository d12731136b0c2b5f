/* outputs.c - the table of outputs: what an evaluation measures, and what is wanted of it. Layer: core.
 * Cost: O(count) an output. */
#include "outputs.h"

#include <math.h>
#include <string.h>

#include "mem.h"
#include "sized.h"
#include "text.h"

struct locbo_outputs {
    size_t count, capacity;
    locbo_output_spec *spec;
};

locbo_status locbo_outputs_create(locbo_outputs **outputs, locbo_error *error) {
    if (!outputs) return status_fail(error, LOCBO_ERR_ARGUMENT, "outputs must not be NULL");
    locbo_outputs *o = mem_new(1, sizeof *o);
    if (!o) return status_no_memory(error);
    *outputs = o;
    return status_ok(error);
}

static void release_texts(locbo_output_spec *spec) {
    mem_free((void *)spec->name);
    mem_free((void *)spec->expression);
}

void locbo_outputs_destroy(locbo_outputs *outputs) {
    if (!outputs) return;
    for (size_t i = 0; i < outputs->count; i++) release_texts(&outputs->spec[i]);
    mem_free(outputs->spec);
    mem_free(outputs);
}

/* ---- one output -------------------------------------------------------------------------------- */

int outputs_is_objective(const locbo_output_spec *spec) {
    return spec->goal == LOCBO_GOAL_MINIMIZE || spec->goal == LOCBO_GOAL_MAXIMIZE;
}

int outputs_is_constraint(const locbo_output_spec *spec) {
    return spec->goal == LOCBO_GOAL_AT_MOST || spec->goal == LOCBO_GOAL_AT_LEAST;
}

double outputs_sign(const locbo_output_spec *spec) {
    return spec->goal == LOCBO_GOAL_MAXIMIZE || spec->goal == LOCBO_GOAL_AT_LEAST ? 1 : -1;
}

warp outputs_warp(const locbo_output_spec *spec) {
    if (spec->goal == LOCBO_GOAL_RECORD) return (warp){0, 0, 0, 0};
    return warp_of(spec->scale, spec->scale_low, spec->scale_high);
}

locbo_status outputs_check_value(const locbo_output_spec *spec, const char *what, double value, locbo_error *error) {
    warp w = outputs_warp(spec);
    if (warp_holds(&w, value)) return LOCBO_OK;
    if (spec->scale == LOCBO_MODEL_SCALE_LOG)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "output '%.40s' has a log scale: %s must be positive, got %g",
                           spec->name, what, value);
    return status_fail(error, LOCBO_ERR_ARGUMENT,
                       "output '%.40s' has a logit scale: %s must lie between %g and %g, got %g", spec->name, what,
                       w.low, w.high, value);
}

static locbo_status check_name(const locbo_outputs *o, const char *name, locbo_error *error) {
    if (!name || !*name) return status_fail(error, LOCBO_ERR_ARGUMENT, "output %zu has no name", o->count + 1);
    if (!text_is_valid(name))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "the name of output %zu is not UTF-8", o->count + 1);
    if (locbo_outputs_find(o, name, NULL, NULL) == LOCBO_OK)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "output '%.40s' exists already", name);
    return LOCBO_OK;
}

static locbo_status check_scale(const locbo_output_spec *s, locbo_error *error) {
    if ((int)s->scale < LOCBO_MODEL_SCALE_OPTION || s->scale > LOCBO_MODEL_SCALE_LOGIT)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "output '%.40s': unknown scale %d", s->name, (int)s->scale);
    warp w = warp_of(s->scale, s->scale_low, s->scale_high);
    if (s->scale == LOCBO_MODEL_SCALE_LOGIT && !warp_is_valid(&w))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "output '%.40s': logit needs low < high at a finite distance, got %g and %g", s->name,
                           s->scale_low, s->scale_high);
    int multiple = s->baseline && s->scale == LOCBO_MODEL_SCALE_LOGIT; /* of a value that is not known yet */
    locbo_status status = LOCBO_OK;
    if (outputs_is_constraint(s) && !multiple) status = outputs_check_value(s, "the bound", s->bound, error);
    if (status == LOCBO_OK && s->referenced) status = outputs_check_value(s, "the reference", s->reference, error);
    return status;
}

static locbo_status check_spec(const locbo_outputs *o, const locbo_output_spec *s, locbo_error *error) {
    locbo_status status = check_name(o, s->name, error);
    if (status != LOCBO_OK) return status;
    if ((int)s->goal < LOCBO_GOAL_MINIMIZE || s->goal > LOCBO_GOAL_RECORD)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "output '%.40s': unknown goal %d", s->name, (int)s->goal);
    if (outputs_is_constraint(s) && !isfinite(s->bound))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "output '%.40s': the bound must be finite, got %g", s->name,
                           s->bound);
    if (s->referenced && !(outputs_is_objective(s) && isfinite(s->reference)))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "output '%.40s': %s, got %g", s->name,
                           outputs_is_objective(s) ? "the reference must be finite"
                                                   : "only an objective has a reference",
                           s->reference);
    if (s->baseline && !outputs_is_constraint(s))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "output '%.40s': only a constraint has a baseline", s->name);
    if (s->expression && !text_is_valid(s->expression))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "output '%.40s': its expression is not UTF-8", s->name);
    return check_scale(s, error);
}

locbo_status locbo_outputs_add(locbo_outputs *outputs, const locbo_output_spec *spec, locbo_error *error) {
    if (!outputs || !spec) return status_fail(error, LOCBO_ERR_ARGUMENT, "outputs and spec must not be NULL");
    locbo_output_spec own = {.struct_size = sizeof own};
    locbo_status status = sized_take("output", &own, sizeof own, spec, error);
    if (status == LOCBO_OK) status = check_spec(outputs, &own, error);
    if (status != LOCBO_OK) return status;
    const char *expression = own.expression;
    own.name = mem_text(own.name);
    own.expression = expression ? mem_text(expression) : NULL;
    if (!own.name || (expression && !own.expression) ||
        !mem_reserve(&outputs->spec, &outputs->capacity, outputs->count + 1, sizeof own)) {
        release_texts(&own);
        return status_no_memory(error);
    }
    outputs->spec[outputs->count++] = own;
    return status_ok(error);
}

/* ---- the table --------------------------------------------------------------------------------- */

size_t locbo_outputs_count(const locbo_outputs *outputs) { return outputs ? outputs->count : 0; }

const locbo_output_spec *outputs_at(const locbo_outputs *outputs, size_t index) { return &outputs->spec[index]; }

locbo_status locbo_outputs_get(const locbo_outputs *outputs, size_t index, locbo_output_spec *spec,
                               locbo_error *error) {
    if (!outputs || !spec) return status_fail(error, LOCBO_ERR_ARGUMENT, "outputs and spec must not be NULL");
    if (index >= outputs->count)
        return status_fail(error, LOCBO_ERR_NOT_FOUND, "there is no output %zu: the table has %zu", index,
                           outputs->count);
    return sized_give("output", &outputs->spec[index], sizeof outputs->spec[index], spec, error);
}

locbo_status locbo_outputs_find(const locbo_outputs *outputs, const char *name, size_t *index, locbo_error *error) {
    if (!outputs || !name) return status_fail(error, LOCBO_ERR_ARGUMENT, "outputs and name must not be NULL");
    for (size_t i = 0; i < outputs->count; i++) {
        if (strcmp(outputs->spec[i].name, name) != 0) continue;
        if (index) *index = i;
        return status_ok(error);
    }
    return status_fail(error, LOCBO_ERR_NOT_FOUND, "there is no output '%.40s'", name);
}

locbo_status locbo_outputs_check(const locbo_outputs *outputs, locbo_error *error) {
    size_t objectives = 0, constraints = 0;
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++) {
        objectives += (size_t)outputs_is_objective(&outputs->spec[i]);
        constraints += (size_t)outputs_is_constraint(&outputs->spec[i]);
    }
    if (objectives == 0) return status_fail(error, LOCBO_ERR_ARGUMENT, "no output is minimized or maximized");
    if (objectives > OUTPUTS_OBJECTIVES)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "at most %d outputs can be objectives, got %zu",
                           (int)OUTPUTS_OBJECTIVES, objectives);
    if (objectives + constraints > OUTPUTS_MODELLED)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "at most %d outputs can be objectives or constraints, got %zu",
                           (int)OUTPUTS_MODELLED, objectives + constraints);
    return status_ok(error);
}

locbo_status outputs_copy(locbo_outputs **out, const locbo_outputs *outputs, locbo_error *error) {
    locbo_outputs *copy = NULL;
    locbo_status status = locbo_outputs_create(&copy, error);
    for (size_t i = 0; i < locbo_outputs_count(outputs) && status == LOCBO_OK; i++)
        status = locbo_outputs_add(copy, &outputs->spec[i], error);
    if (status == LOCBO_OK)
        *out = copy;
    else
        locbo_outputs_destroy(copy);
    return status;
}

locbo_status outputs_plain(locbo_outputs **out, locbo_direction direction, locbo_error *error) {
    locbo_output_spec value = {.struct_size = sizeof value,
                               .name = "value",
                               .goal = direction == LOCBO_MAXIMIZE ? LOCBO_GOAL_MAXIMIZE : LOCBO_GOAL_MINIMIZE};
    locbo_outputs *table = NULL;
    locbo_status status = locbo_outputs_create(&table, error);
    if (status == LOCBO_OK) status = locbo_outputs_add(table, &value, error);
    if (status == LOCBO_OK)
        *out = table;
    else
        locbo_outputs_destroy(table);
    return status;
}
