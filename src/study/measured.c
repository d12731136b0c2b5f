/* measured.c - the outputs of a study: rows checked, derived outputs computed, constraints. Layer: study, bottom.
 * Cost: O(outputs) a row, and the length of the expressions. */
#include "measured.h"

#include <inttypes.h>
#include <math.h>

#include "mem.h"
#include "warp.h"

/* ---- the table --------------------------------------------------------------------------------- */

static int is_objective(const locbo_output_spec *s) {
    return s->goal == LOCBO_GOAL_MINIMIZE || s->goal == LOCBO_GOAL_MAXIMIZE;
}

static locbo_status find_inputs(measured *m, measured_output *o, const locbo_outputs *outputs, locbo_error *error) {
    size_t own = (size_t)(o - m->output), names = expression_name_count(o->formula);
    if (names == 0)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "output '%.40s': its expression '%.80s' names no output",
                           o->spec.name, o->spec.expression);
    o->inputs = mem_new(names, sizeof *o->inputs);
    if (!o->inputs) return status_no_memory(error);
    for (size_t i = 0; i < names; i++) {
        const char *name = expression_name(o->formula, i);
        if (locbo_outputs_find(outputs, name, &o->inputs[i], NULL) != LOCBO_OK)
            return status_fail(error, LOCBO_ERR_ARGUMENT, "output '%.40s': its expression names '%.40s', no output",
                               o->spec.name, name);
        if (o->inputs[i] >= own)
            return status_fail(error, LOCBO_ERR_ARGUMENT,
                               "output '%.40s': its expression names '%.40s', which is not declared before it",
                               o->spec.name, name);
    }
    return LOCBO_OK;
}

static locbo_status take_output(measured *m, size_t index, const locbo_outputs *outputs, locbo_error *error) {
    measured_output *o = &m->output[index];
    locbo_error why;
    o->spec.struct_size = sizeof o->spec;
    locbo_status status = locbo_outputs_get(outputs, index, &o->spec, error);
    if (status != LOCBO_OK) return status;
    if (is_objective(&o->spec) && m->objectives++ == 0) m->first = index;
    if (o->spec.baseline > INT64_MAX) /* the database has numbers up to this one */
        return status_fail(error, LOCBO_ERR_ARGUMENT, "output '%.40s': there is no trial %" PRIu64, o->spec.name,
                           o->spec.baseline);
    if (!o->spec.expression) return LOCBO_OK;
    status = expression_parse(&o->formula, o->spec.expression, &why);
    if (status != LOCBO_OK) return status_fail(error, status, "output '%.40s': %.200s", o->spec.name, why.message);
    return find_inputs(m, o, outputs, error);
}

locbo_status measured_init(measured *m, const locbo_outputs *outputs, locbo_error *error) {
    size_t count = outputs ? locbo_outputs_count(outputs) : 1;
    *m = (measured){.count = count, .objectives = outputs ? 0 : 1};
    m->output = mem_new(count, sizeof *m->output);
    m->values = mem_new(count, sizeof *m->values); /* an expression names each output once at most */
    locbo_status status = m->output && m->values ? LOCBO_OK : status_no_memory(error);
    for (size_t i = 0; outputs && i < count && status == LOCBO_OK; i++) status = take_output(m, i, outputs, error);
    return status;
}

void measured_release(measured *m) {
    for (size_t i = 0; m->output && i < m->count; i++) {
        expression_destroy(m->output[i].formula);
        mem_free(m->output[i].inputs);
    }
    mem_free(m->output);
    mem_free(m->values);
    *m = (measured){.count = 0};
}

int measured_is_derived(const measured *m, size_t output) { return m->output[output].formula != NULL; }

/* ---- a row ------------------------------------------------------------------------------------- */

static int is_on_scale(const locbo_output_spec *s, double value) {
    warp w = warp_of(s->scale, s->scale_low, s->scale_high);
    return warp_holds(&w, value);
}

static locbo_status check_value(const locbo_output_spec *s, const locbo_measurement *m, measured_when when,
                                locbo_error *error) {
    if (!isfinite(m->value))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "the measured value must be finite, got %g", m->value);
    if (!isnan(m->sd) && !(m->sd >= 0 && isfinite(m->sd)))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "the sd of a measurement must be finite and not negative, or nan, got %g", m->sd);
    if (when == MEASURED_PAST || is_on_scale(s, m->value)) return LOCBO_OK;
    if (s->scale == LOCBO_MODEL_SCALE_LOG)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "a value on a log scale must be positive, got %g", m->value);
    return status_fail(error, LOCBO_ERR_ARGUMENT, "a value on this logit scale must lie between %g and %g, got %g",
                       s->scale_low, s->scale_high, m->value);
}

locbo_status measured_check(const measured *m, const locbo_measurement *row, measured_when when, locbo_error *error) {
    size_t values = 0;
    if (m->count == 1) return check_value(&m->output->spec, row, when, error);
    for (size_t i = 0; i < m->count; i++) {
        const measured_output *o = &m->output[i];
        locbo_error why;
        if (isnan(row[i].value) || (o->formula && when != MEASURED_NOW)) continue;
        if (o->formula)
            return status_fail(error, LOCBO_ERR_ARGUMENT,
                               "output '%.40s' is derived from others: its value must be nan, got %g", o->spec.name,
                               row[i].value);
        locbo_status status = check_value(&o->spec, &row[i], when, &why);
        if (status != LOCBO_OK) return status_fail(error, status, "output '%.40s': %s", o->spec.name, why.message);
        values++;
    }
    if (values > 0) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_ARGUMENT,
                       "a result needs the value of an output, got none of %zu; report a failure with tell_failed",
                       m->count);
}

size_t measured_drop(const measured *m, locbo_measurement *row) {
    size_t left = 0;
    for (size_t i = 0; i < m->count; i++) {
        if (!is_on_scale(&m->output[i].spec, row[i].value)) row[i].value = (double)NAN;
        left += !isnan(row[i].value);
    }
    return left;
}

void measured_clear(const measured *m, locbo_measurement *row) {
    for (size_t i = 0; i < m->count; i++) row[i] = (locbo_measurement){(double)NAN, (double)NAN, 1};
}

static locbo_measurement derive(const measured *m, const measured_output *o, const locbo_measurement *row) {
    locbo_measurement made = {(double)NAN, (double)NAN, 0};
    for (size_t i = 0; i < expression_name_count(o->formula); i++) {
        const locbo_measurement *input = &row[o->inputs[i]];
        if (made.n == 0 || input->n < made.n) made.n = input->n;
        m->values[i] = input->value;
        if (isnan(input->value)) return (locbo_measurement){(double)NAN, (double)NAN, 1};
    }
    double value = expression_value(o->formula, m->values);
    if (isfinite(value) && is_on_scale(&o->spec, value)) made.value = value;
    return made;
}

void measured_derive(const measured *m, locbo_measurement *row) {
    for (size_t i = 0; i < m->count; i++)
        if (m->output[i].formula) row[i] = derive(m, &m->output[i], row);
}

/* ---- goals ------------------------------------------------------------------------------------- */

int measured_is_objective(const measured *m, size_t output) { return is_objective(&m->output[output].spec); }

int measured_is_constraint(const measured *m, size_t output) {
    locbo_goal goal = m->output[output].spec.goal;
    return goal == LOCBO_GOAL_AT_MOST || goal == LOCBO_GOAL_AT_LEAST;
}

int measured_is_modelled(const measured *m, size_t output) { return m->output[output].spec.goal != LOCBO_GOAL_RECORD; }

int measured_wants_more(const measured *m, size_t output) {
    locbo_goal goal = m->output[output].spec.goal;
    return goal == LOCBO_GOAL_MAXIMIZE || goal == LOCBO_GOAL_AT_LEAST;
}

double measured_bound(const measured *m, size_t output, double baseline) {
    const locbo_output_spec *s = &m->output[output].spec;
    if (!measured_is_constraint(m, output)) return (double)NAN;
    return s->baseline ? s->bound * baseline : s->bound;
}

int measured_holds(const measured *m, size_t output, double bound, double value) {
    if (isnan(value)) return 0;
    return measured_wants_more(m, output) ? !(value < bound) : !(value > bound);
}
