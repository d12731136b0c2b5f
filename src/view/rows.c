/* rows.c - trials, choices and definitions as JSON. Layer: view, shapes. */
#include "rows.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "belief.h"
#include "warp.h"
#include "buffer.h"
#include "mean.h"
#include "mem.h"
#include "number.h"
#include "origin.h"
#include "plan_fields.h"
#include "goal.h"
#include "json_build.h"
#include "status.h"
#include "text.h"
#include "value.h"

/* ---- texts ----------------------------------------------------------------------------------- */

json_t *rows_bytes(const char *bytes, size_t size) {
    buffer clean = {0};
    for (size_t i = 0; i < size;) {
        size_t n = text_character(bytes + i, size - i);
        if (n > size - i) n = 0;
        if (n)
            buffer_add(&clean, bytes + i, n);
        else
            buffer_text(&clean, "\xef\xbf\xbd");
        i += n ? n : 1;
    }
    json_t *text = clean.failed ? NULL : json_stringn(clean.data ? clean.data : "", clean.size);
    mem_free(clean.data);
    return text;
}

json_t *rows_text(const char *text) { return rows_bytes(text, strlen(text)); }

static json_t *word_cell(const void *words, size_t i) { return rows_text(((const char *const *)words)[i]); }

json_t *rows_words(size_t count, const char *const *words) { return build_list(word_cell, words, count, NULL); }

json_t *rows_tags(const char *tags) {
    json_t *list = json_array();
    int bad = !list;
    for (tags += strspn(tags, " "); *tags && !bad; tags += strspn(tags, " ")) {
        size_t size = strcspn(tags, " ");
        bad = json_array_append_new(list, rows_bytes(tags, size));
        tags += size;
    }
    return build_finish(list, bad);
}

json_t *rows_note(const char *note) { return note[0] ? rows_text(note) : json_null(); }

/* ---- numbers --------------------------------------------------------------------------------- */

json_t *rows_interval(double low, double high) {
    if (isnan(low) || isnan(high)) return json_null();
    return json_pack("[o, o]", value_real(low), value_real(high));
}

double rows_real(const json_t *json) {
    double value = (double)NAN;
    if (json_is_string(json)) number_parse(json_string_value(json), &value);
    return json_is_number(json) ? json_number_value(json) : value;
}

double rows_real_of(const json_t *row, const char *key) { return rows_real(json_object_get(row, key)); }

/* ---- assignments and beliefs ----------------------------------------------------------------- */

json_t *rows_assignment(const locbo_space *space, const locbo_assignment *a, const double *x) {
    json_t *row = json_object();
    int bad = build_put(row, "trial", build_count(a->trial));
    bad |= build_put(row, "attempt", build_count(a->attempt));
    bad |= build_put(row, "seed", build_count(a->seed));
    bad |= build_put(row, "params", value_object(space, x));
    return build_finish(row, bad);
}

#define PUT(field) bad |= build_put(row, #field, value_real(b->field));
/* By what a result is judged, if not on the user's scale. */
static json_t *judged_scale(const locbo_belief *b) {
    json_t *row = json_object();
    int bad = 0;
    BELIEF_SCALE(PUT)
    return build_finish(row, bad);
}

json_t *rows_belief(const locbo_belief *b) {
#define PUT_INTERVAL(member, low, high) bad |= build_put(row, #member, rows_interval(b->low, b->high));
    json_t *row = json_object();
    int bad = 0;
    BELIEF_MEMBERS(PUT, PUT_INTERVAL)
    if (belief_is_bent(b)) bad |= build_put(row, "scale", judged_scale(b));
    return build_finish(row, bad);
}

locbo_belief rows_read_belief(const json_t *json) {
#define GET(field) .field = rows_real(json_object_get(json, #field)),
#define GET_INTERVAL(member, low, high)                                                                                \
    .low = rows_real(json_array_get(json_object_get(json, #member), 0)),                                               \
    .high = rows_real(json_array_get(json_object_get(json, #member), 1)),
    locbo_belief b = {BELIEF_MEMBERS(GET, GET_INTERVAL)};
#define GET_SCALE(field) b.field = rows_real(json_object_get(json_object_get(json, "scale"), #field));
    BELIEF_SCALE(GET_SCALE)
    return b;
}

/* ---- results of several outputs -------------------------------------------------------------- */

static locbo_output_spec spec_of(const locbo_outputs *outputs, size_t i) {
    locbo_output_spec spec = {.struct_size = sizeof spec};
    locbo_outputs_get(outputs, i, &spec, NULL);
    return spec;
}

int rows_is_objective(const locbo_output_spec *s) {
    return s->goal == LOCBO_GOAL_MINIMIZE || s->goal == LOCBO_GOAL_MAXIMIZE;
}

int rows_is_constraint(const locbo_output_spec *s) {
    return s->goal == LOCBO_GOAL_AT_MOST || s->goal == LOCBO_GOAL_AT_LEAST;
}

int rows_is_modelled(const locbo_output_spec *s) { return s->goal != LOCBO_GOAL_RECORD; }

size_t rows_objectives(const locbo_outputs *outputs) { return goal_objectives(outputs); }

size_t rows_first_objective(const locbo_outputs *outputs) {
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++) {
        locbo_output_spec spec = spec_of(outputs, i);
        if (rows_is_objective(&spec)) return i;
    }
    return 0;
}

locbo_status rows_study_read(rows_study *made, locbo_study *study, locbo_error *error) {
    locbo_definition d = {.struct_size = sizeof d};
    locbo_status status = locbo_study_definition(study, &d, error);
    if (status != LOCBO_OK) return status;
    rows_study s = {.space = d.space, .outputs = d.outputs};
    if (d.outputs) {
        s.bounds = mem_new(locbo_outputs_count(d.outputs), sizeof *s.bounds);
        status = s.bounds ? locbo_study_bounds(study, s.bounds, error) : status_no_memory(error);
    }
    if (status == LOCBO_OK)
        *made = s;
    else
        mem_free(s.bounds);
    return status;
}

void rows_study_release(rows_study *s) {
    mem_free(s->bounds);
    *s = (rows_study){NULL, NULL, NULL};
}

int rows_is_feasible(const locbo_outputs *outputs, const double *bounds, const double *values) {
    int lacking = 0, constraints = 0;
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++) {
        locbo_output_spec spec = spec_of(outputs, i);
        if (!rows_is_constraint(&spec)) continue;
        constraints++;
        lacking += isnan(values[i]) != 0;
        if (spec.goal == LOCBO_GOAL_AT_MOST ? values[i] > bounds[i] : values[i] < bounds[i]) return 0;
    }
    return constraints > 0 && lacking == 0 ? 1 : -1;
}

json_t *rows_numbers(const locbo_outputs *outputs, const double *values, int (*wanted)(const locbo_output_spec *)) {
    json_t *row = json_object();
    int bad = 0;
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++) {
        locbo_output_spec spec = spec_of(outputs, i);
        if (!wanted || wanted(&spec)) bad |= build_put(row, spec.name, value_real(values[i]));
    }
    return build_finish(row, bad);
}

json_t *rows_beliefs(const locbo_outputs *outputs, const double *values, const locbo_belief *beliefs) {
    json_t *row = json_object();
    int bad = 0;
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++) {
        locbo_output_spec spec = spec_of(outputs, i);
        if (!rows_is_modelled(&spec)) continue;
        json_t *one = json_object();
        if (values) bad |= build_put(one, "value", value_real(values[i]));
        bad |= build_put(one, "mean", value_real(beliefs[i].mean));
        bad |= build_put(one, "interval", rows_interval(beliefs[i].f_low, beliefs[i].f_high));
        bad |= build_put(row, spec.name, one);
    }
    return build_finish(row, bad);
}

static double mean_measured(const locbo_record *r, size_t outputs, size_t output) {
    double mean = 0, weight = 0;
    for (size_t i = 0; i < r->count; i++) {
        const locbo_measurement *m = &r->measurements[i * outputs + output];
        mean_add(&mean, &weight, m->value, m->n);
    }
    return mean_of(mean, weight);
}

void rows_means(const rows_study *study, const locbo_record *record, double *means) {
    size_t count = locbo_outputs_count(study->outputs);
    for (size_t i = 0; i < count; i++) means[i] = mean_measured(record, count, i);
}

/* "outputs", "feasible" */
static int put_outputs(json_t *row, const rows_study *s, const locbo_record *r) {
    size_t count = locbo_outputs_count(s->outputs);
    double *mean = mem_new(count, sizeof *mean);
    if (!mean) return 1;
    rows_means(s, r, mean);
    int feasible = rows_is_feasible(s->outputs, s->bounds, mean);
    int bad = build_put(row, "outputs", rows_numbers(s->outputs, mean, NULL));
    bad |= build_put(row, "feasible", feasible < 0 ? json_null() : json_boolean(feasible));
    mem_free(mean);
    return bad;
}

/* What a trial was believed to measure: {"loss":{...}}, the outputs of which something was believed. */
static json_t *beliefs_of(const locbo_outputs *outputs, const locbo_record *r) {
    json_t *row = json_object();
    int bad = 0;
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++) {
        const locbo_belief *b = r->beliefs ? &r->beliefs[i] : &r->trial.belief;
        if (!isnan(b->mean)) bad |= build_put(row, spec_of(outputs, i).name, rows_belief(b));
    }
    return build_finish(row, bad);
}

const char *rows_printed_key(const locbo_outputs *outputs) { return outputs ? "attempts" : "outputs"; }

/* ---- trials ---------------------------------------------------------------------------------- */

/* A record with the outputs of its study, as what a cell is made from. */
typedef struct record_of {
    const locbo_record *record;
    const locbo_outputs *outputs; /* NULL: one, without a name */
    size_t count, first;          /* of the outputs; the first objective */
} record_of;

static record_of see_record(const locbo_outputs *outputs, const locbo_record *r) {
    return (record_of){r, outputs, outputs ? locbo_outputs_count(outputs) : 1, rows_first_objective(outputs)};
}

static json_t *value_cell(const void *source, size_t i) {
    const record_of *s = source;
    return value_real(s->record->measurements[i * s->count + s->first].value);
}

static int put_measured(json_t *row, const locbo_measurement *m) {
    int bad = build_put(row, "value", value_real(m->value));
    bad |= build_put(row, "sd", value_real(m->sd));
    return bad | build_put(row, "n", build_count(m->n));
}

/* {"loss":{"value","sd","n"}}, those that were measured or derived. */
static json_t *measured_json(const locbo_outputs *outputs, const locbo_measurement *m) {
    json_t *row = json_object();
    int bad = 0;
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++) {
        if (isnan(m[i].value)) continue;
        json_t *one = json_object();
        bad |= put_measured(one, &m[i]);
        bad |= build_put(row, spec_of(outputs, i).name, one);
    }
    return build_finish(row, bad);
}

/* One result of the record. */
static json_t *result_json(const record_of *s, const locbo_measurement *m, uint64_t sequence, double told) {
    json_t *row = json_object();
    int bad = s->outputs ? build_put(row, "outputs", measured_json(s->outputs, m)) : put_measured(row, m);
    bad |= build_put(row, "sequence", build_count(sequence));
    bad |= build_put(row, "told", value_real(told));
    return build_finish(row, bad);
}

static json_t *measurement_cell(const void *source, size_t i) {
    const record_of *s = source;
    const locbo_record *r = s->record;
    return result_json(s, r->measurements + i * s->count, r->sequence[i], r->told[i]);
}

/* A result that was taken back, and by which event. */
static json_t *retracted_cell(const void *source, size_t i) {
    const record_of *s = source;
    const locbo_record *r = s->record;
    json_t *row = result_json(s, r->retracted + i * s->count, r->retracted_sequence[i], r->retracted_told[i]);
    if (row && build_put(row, "by", build_count(r->retracted_by[i])) != 0) return build_finish(row, 1);
    return row;
}

static const char *const origins[LOCBO_ORIGINS] = {"design", "model", "random", "given", "again", "explore", "confirm"};

const char *rows_origin_name(locbo_origin origin) {
    return (unsigned)origin < LOCBO_ORIGINS ? origins[origin] : "unknown";
}

int rows_origin(const char *name, locbo_origin *origin) {
    for (unsigned i = 0; i < LOCBO_ORIGINS; i++)
        if (strcmp(name, origins[i]) == 0) {
            *origin = (locbo_origin)i;
            return 1;
        }
    return 0;
}

json_t *rows_by_origin(const uint64_t judged[LOCBO_ORIGINS], const uint64_t inside[LOCBO_ORIGINS]) {
    json_t *list = json_array();
    int bad = !list;
    for (int i = 0; i < LOCBO_ORIGINS && !bad; i++)
        if (judged[i] > 0)
            bad = json_array_append_new(list,
                                        json_pack("{s:s, s:I, s:I, s:o}", "origin", origins[i], "judged",
                                                  (json_int_t)judged[i], "inside", (json_int_t)inside[i], "coverage",
                                                  value_real((double)inside[i] / (double)judged[i]))) != 0;
    return build_finish(list, bad);
}

/* A parameter with one or two values has nothing but bounds; neither has one without a range. A frozen one may lie on a
 * bound, but the model did not choose that; full fidelity is no bound to move. */
static int is_on_bound(const locbo_space *space, const double *x) {
    for (size_t i = 0; i < locbo_space_dim(space); i++) {
        locbo_parameter p;
        locbo_space_parameter(space, i, &p, NULL);
        double least = p.step > 0 ? p.step : p.kind == LOCBO_INT;
        if (p.fidelity) continue;
        if ((p.kind != LOCBO_REAL && p.kind != LOCBO_INT) || p.high - p.low < 2 * least || !isnan(p.frozen)) continue;
        if (x[i] == p.low || x[i] == p.high) return 1;
    }
    return 0;
}

void rows_count_bounds(rows_bounds *count, const locbo_space *space, const locbo_trial *trial, const double *x) {
    if (!origin_is_model(trial->origin)) return;
    count->proposals++;
    count->on_bound += (uint64_t)is_on_bound(space, x);
}

json_t *rows_bounds_json(const rows_bounds *count) {
    if (count->proposals == 0) return json_null();
    return json_pack("{s:I, s:I}", "proposals", (json_int_t)count->proposals, "on_bound", (json_int_t)count->on_bound);
}

static int put_rest(json_t *row, const record_of *s) {
    const locbo_record *r = s->record;
    int bad = build_put(row, "measurements", build_list(measurement_cell, s, r->count, NULL));
    bad |= build_put(row, "origin", json_string(rows_origin_name(r->trial.origin)));
    bad |= build_put(row, "told", build_count(r->trial.told));
    bad |= build_put(row, "pending", json_loads(r->pending, 0, NULL));
    bad |= s->outputs ? build_put(row, "beliefs", beliefs_of(s->outputs, r))
                      : build_put(row, "belief", rows_belief(&r->trial.belief));
    bad |= build_put(row, "attempt", build_count(r->attempt));
    bad |= build_put(row, "retries", build_count(r->retries));
    bad |= build_put(row, "lost", build_count(r->lost));
    bad |= build_put(row, "seed", build_count(r->seed));
    bad |= build_put(row, "worker", rows_text(r->worker));
    bad |= build_put(row, "message", rows_text(r->message));
    bad |= build_put(row, "failure", r->failure ? build_count(r->failure) : json_null());
    bad |= build_put(row, "asked", value_real(r->asked));
    bad |= build_put(row, "started", value_real(r->started));
    bad |= build_put(row, "ended", value_real(r->ended));
    bad |= build_put(row, "lease", value_real(r->lease));
    if (r->outside) bad |= build_put(row, "outside", build_count(r->outside));
    if (r->retracted_count) bad |= build_put(row, "retracted", build_list(retracted_cell, s, r->retracted_count, NULL));
    return bad;
}

json_t *rows_record(const rows_study *study, const locbo_record *r, int full) {
    record_of s = see_record(study->outputs, r);
    int one = rows_objectives(study->outputs) == 1;
    json_t *row = json_object();
    int bad = build_put(row, "trial", build_count(r->trial.id));
    bad |= build_put(row, "state", json_string(locbo_state_name(r->state)));
    bad |= build_put(row, "params", value_object(study->space, r->x));
    bad |= build_put(row, "value", one ? value_real(r->value) : json_null());
    bad |= build_put(row, "values", build_list(value_cell, &s, one ? r->count : 0, NULL));
    if (study->outputs) bad |= put_outputs(row, study, r);
    bad |= build_put(row, "note", rows_note(r->note));
    bad |= build_put(row, "tags", rows_tags(r->tags));
    if (full) bad |= put_rest(row, &s);
    return build_finish(row, bad);
}

json_t *rows_choice(const locbo_space *space, const locbo_choice *c, const double *x, int recommended) {
    json_t *row = json_object();
    int bad = build_put(row, "trial", c->trial ? build_count(c->trial) : json_null());
    bad |= build_put(row, "params", value_object(space, x));
    bad |= build_put(row, recommended ? "mean" : "value", value_real(c->value));
    if (!recommended) bad |= build_put(row, "results", build_count(c->results));
    bad |= build_put(row, "interval", rows_interval(c->low, c->high));
    bad |= build_put(row, "level", value_real(isnan(c->low) ? (double)NAN : c->level));
    return build_finish(row, bad);
}

void rows_drop_results(json_t *row) {
    static const char *const keys[] = {"value", "values", "outputs", "feasible", "note", "tags"};
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) json_object_del(row, keys[i]);
}

typedef struct finding {
    rows_study study;
    uint64_t number;
    int full;
    json_t *row;
    int found;
} finding;

static int take(const locbo_record *record, void *user) {
    finding *f = user;
    if (record->trial.id != f->number) return 1;
    f->found = 1;
    f->row = rows_record(&f->study, record, f->full);
    return 1;
}

locbo_status rows_find(locbo_study *study, uint64_t number, int full, json_t **row, locbo_error *error) {
    locbo_filter one = {.struct_size = sizeof one, .first = number, .limit = 1};
    finding f = {.number = number, .full = full};
    locbo_status status = rows_study_read(&f.study, study, error);
    if (status == LOCBO_OK) status = locbo_study_each(study, &one, take, &f, error);
    rows_study_release(&f.study);
    if (status != LOCBO_OK) return status;
    if (!f.found)
        return status_fail(error, LOCBO_ERR_NOT_FOUND, "the study '%s' has no trial %" PRIu64, locbo_study_name(study),
                           number);
    *row = f.row;
    return f.row ? status_ok(error) : status_no_memory(error);
}

typedef struct result_finding {
    uint64_t trial, number, sequence; /* sequence 0: there is no such result */
    size_t count;                     /* how many the trial has */
    int found;
} result_finding;

static int take_result(const locbo_record *record, void *user) {
    result_finding *f = user;
    if (record->trial.id != f->trial) return 1;
    f->found = 1;
    f->count = record->count;
    if (f->number > 0 && f->number <= record->count) f->sequence = record->sequence[f->number - 1];
    return 1;
}

locbo_status rows_find_result(locbo_study *study, uint64_t trial, uint64_t number, uint64_t *sequence,
                              locbo_error *error) {
    locbo_filter one = {.struct_size = sizeof one, .first = trial, .limit = 1};
    result_finding f = {.trial = trial, .number = number};
    locbo_status status = locbo_study_each(study, &one, take_result, &f, error);
    if (status != LOCBO_OK) return status;
    if (!f.found)
        return status_fail(error, LOCBO_ERR_NOT_FOUND, "the study '%s' has no trial %" PRIu64, locbo_study_name(study),
                           trial);
    if (f.sequence == 0)
        return status_fail(error, LOCBO_ERR_NOT_FOUND, "trial %" PRIu64 " has %s, no result number %" PRIu64, trial,
                           value_count(f.count, "result").text, number);
    *sequence = f.sequence;
    return LOCBO_OK;
}

/* ---- definitions ----------------------------------------------------------------------------- */

static json_t *kind_json(const locbo_parameter *p) {
    static const char *const kinds[] = {"float", "int", "categorical", "ordered", "bool"};
    return json_string(kinds[p->kind]);
}

static int has_range(const locbo_parameter *p) { return p->kind == LOCBO_REAL || p->kind == LOCBO_INT; }

static json_t *number_cell(const void *numbers, size_t i) { return value_real(((const double *)numbers)[i]); }

/* Where ordered categories stand; an empty list: equally spaced. */
static json_t *numbers_json(const locbo_parameter *p) {
    return build_list(number_cell, p->numbers, p->numbers ? p->count : 0, NULL);
}

/* {"kernel":["rbf","poly"]}, a parameter and its values for which p is active. */
static json_t *when_json(const locbo_space *space, const locbo_parameter *p) {
    locbo_parameter parent;
    locbo_space_parameter(space, p->parent, &parent, NULL);
    json_t *row = json_object(), *values = json_array();
    int bad = !values;
    for (size_t k = 0; k < p->when_count && !bad; k++)
        bad = json_array_append_new(values, value_json(&parent, p->when[k]));
    bad |= build_put(row, parent.name, values);
    return build_finish(row, bad);
}

/* The categories that no further trial has. */
static json_t *retired_json(const locbo_parameter *p) {
    json_t *list = json_array();
    int bad = !list;
    for (size_t k = 0; k < p->count && !bad; k++)
        if (p->retired[k]) bad = json_array_append_new(list, rows_text(p->categories[k]));
    return build_finish(list, bad);
}

/* What only a parameter of an altered study has, or the fidelity. */
static int put_altered(json_t *row, const locbo_parameter *p) {
    int bad = 0;
    if (!isnan(p->frozen)) bad |= build_put(row, "frozen", value_json(p, p->frozen));
    if (p->retired) bad |= build_put(row, "retired", retired_json(p));
    if (!isnan(p->past)) bad |= build_put(row, "past", value_json(p, p->past));
    if (p->fidelity) bad |= build_put(row, "fidelity", json_true());
    return bad;
}

static json_t *values_json(const locbo_parameter *p) {
    if (p->count > 0) return rows_words(p->count, p->categories);
    return p->kind == LOCBO_BOOL ? json_pack("[b, b]", 0, 1) : json_null();
}

json_t *rows_parameter(const locbo_space *space, const locbo_parameter *p) {
    int range = has_range(p), scale = range || p->kind == LOCBO_ORDERED;
    json_t *row = json_object();
    int bad = build_put(row, "name", json_string(p->name));
    bad |= build_put(row, "type", kind_json(p));
    bad |= build_put(row, "low", range ? value_json(p, p->low) : json_null());
    bad |= build_put(row, "high", range ? value_json(p, p->high) : json_null());
    bad |= build_put(row, "log", scale ? json_boolean(p->scale == LOCBO_LOG) : json_null());
    bad |= build_put(row, "values", values_json(p));
    if (p->step > 0) bad |= build_put(row, "step", value_json(p, p->step));
    if (p->numbers) bad |= build_put(row, "numbers", numbers_json(p));
    if (p->parent != SIZE_MAX) bad |= build_put(row, "when", when_json(space, p));
    return build_finish(row, bad | put_altered(row, p));
}

/* Keys that only some parameters have are left out of the others, so that these are as they always were. */
static json_t *parameter_of(const locbo_space *space, const locbo_parameter *p) {
    json_t *row = json_object();
    int bad = build_put(row, "type", kind_json(p));
    if (p->count > 0) bad |= build_put(row, "values", rows_words(p->count, p->categories));
    if (has_range(p)) {
        bad |= build_put(row, "low", value_json(p, p->low));
        bad |= build_put(row, "high", value_json(p, p->high));
    }
    if (has_range(p) || p->kind == LOCBO_ORDERED) bad |= build_put(row, "log", json_boolean(p->scale == LOCBO_LOG));
    if (p->step > 0) bad |= build_put(row, "step", value_json(p, p->step));
    if (p->kind == LOCBO_ORDERED) bad |= build_put(row, "numbers", numbers_json(p));
    if (p->parent != SIZE_MAX) bad |= build_put(row, "when", when_json(space, p));
    return build_finish(row, bad | put_altered(row, p));
}

json_t *rows_parameters(const locbo_space *space) {
    json_t *all = json_object();
    int bad = !all;
    for (size_t i = 0; i < locbo_space_dim(space) && !bad; i++) {
        locbo_parameter p;
        bad = locbo_space_parameter(space, i, &p, NULL) != LOCBO_OK ||
              build_put(all, p.name, parameter_of(space, &p)) != 0;
    }
    return build_finish(all, bad);
}

json_t *rows_space(const locbo_space *space) {
    json_t *list = json_array();
    int bad = !list;
    for (size_t i = 0; i < locbo_space_dim(space) && !bad; i++) {
        locbo_parameter p;
        bad = locbo_space_parameter(space, i, &p, NULL) != LOCBO_OK ||
              json_array_append_new(list, rows_parameter(space, &p)) != 0;
    }
    return build_finish(list, bad);
}

static json_t *constraint_cell(const void *space, size_t i) { return rows_text(locbo_space_constraint(space, i)); }

json_t *rows_constraints(const locbo_space *space) {
    return build_list(constraint_cell, space, locbo_space_constraint_count(space), NULL);
}

rows_fidelity rows_fidelity_of(const locbo_space *space) {
    rows_fidelity f = {locbo_space_fidelity(space), (double)NAN};
    locbo_parameter p;
    if (f.at != SIZE_MAX && locbo_space_parameter(space, f.at, &p, NULL) == LOCBO_OK) f.full = p.high;
    return f;
}

int rows_is_below(rows_fidelity fidelity, const double *x) {
    return fidelity.at != SIZE_MAX && x[fidelity.at] != fidelity.full;
}

json_t *rows_spent(const locbo_space *space, const locbo_plan *plan, const locbo_census *c) {
    if (locbo_space_fidelity(space) == SIZE_MAX && !locbo_space_cost(space) && isnan(plan->budget)) return json_null();
    return json_pack("{s:o, s:o, s:o}", "cost", value_real(c->cost), "below", value_real(c->cost_below), "expected",
                     value_real(c->cost_expected));
}

int rows_is_altered(const locbo_space *space) {
    for (size_t i = 0; i < locbo_space_dim(space); i++) {
        locbo_parameter p;
        locbo_space_parameter(space, i, &p, NULL);
        if (p.retired || !isnan(p.frozen) || !isnan(p.past)) return 1;
    }
    return 0;
}

int rows_is_plain(const locbo_space *space) {
    for (size_t i = 0; i < locbo_space_dim(space); i++) {
        locbo_parameter p;
        locbo_space_parameter(space, i, &p, NULL);
        int from_zero = p.kind == LOCBO_INT && p.scale == LOCBO_LOG && p.low < 1;
        if (p.kind > LOCBO_CATEGORICAL || p.step > 0 || p.parent != SIZE_MAX || from_zero) return 0;
    }
    return locbo_space_constraint_count(space) == 0;
}

/* ---- the table of outputs -------------------------------------------------------------------- */

static const char *const goals[] = {"minimize", "maximize", "at_most", "at_least", "record"};

const char *rows_goal_name(locbo_goal goal) { return goals[goal]; }

/* "log", "logit(0,1)"; null: by the option. */
static json_t *scale_json(const locbo_output_spec *s) {
    char low[NUMBER_TEXT], high[NUMBER_TEXT];
    if (s->scale == LOCBO_MODEL_SCALE_OPTION) return json_null();
    if (s->scale != LOCBO_MODEL_SCALE_LOGIT) return json_string(s->scale == LOCBO_MODEL_SCALE_LOG ? "log" : "none");
    number_print(s->scale_low, low);
    number_print(s->scale_high, high);
    return json_sprintf("logit(%s,%s)", low, high);
}

static json_t *trial_json(uint64_t trial) { return trial ? build_count(trial) : json_null(); }

static json_t *reference_json(const locbo_output_spec *s) {
    return s->referenced ? value_real(s->reference) : json_null();
}

static json_t *expression_json(const locbo_output_spec *s) {
    return s->expression ? rows_text(s->expression) : json_null();
}

/* Without the keys that are not set. */
static int put_set(json_t *row, const char *key, json_t *value) {
    if (!json_is_null(value)) return build_put(row, key, value);
    return 0;
}

int rows_put_spent(json_t *row, const locbo_space *space, const locbo_plan *plan, const locbo_census *census) {
    return put_set(row, "spent", rows_spent(space, plan, census));
}

static json_t *output_of(const locbo_output_spec *s) {
    json_t *row = json_object();
    int bad = rows_is_constraint(s) ? build_put(row, goals[s->goal], value_real(s->bound))
                                    : build_put(row, "goal", json_string(goals[s->goal]));
    bad |= put_set(row, "relative_to", trial_json(s->baseline));
    bad |= put_set(row, "scale", scale_json(s));
    bad |= put_set(row, "reference", reference_json(s));
    bad |= put_set(row, "of", expression_json(s));
    return build_finish(row, bad);
}

json_t *rows_outputs(const locbo_outputs *outputs) {
    if (!outputs) return json_null();
    json_t *all = json_object();
    int bad = !all;
    for (size_t i = 0; i < locbo_outputs_count(outputs) && !bad; i++) {
        locbo_output_spec spec = spec_of(outputs, i);
        bad = build_put(all, spec.name, output_of(&spec));
    }
    return build_finish(all, bad);
}

static json_t *output_cell(const void *outputs, size_t i) {
    locbo_output_spec s = spec_of(outputs, i);
    json_t *row = json_object();
    int bad = build_put(row, "name", json_string(s.name));
    bad |= build_put(row, "goal", json_string(goals[s.goal]));
    bad |= build_put(row, "bound", rows_is_constraint(&s) ? value_real(s.bound) : json_null());
    bad |= build_put(row, "relative_to", trial_json(s.baseline));
    bad |= build_put(row, "scale", scale_json(&s));
    bad |= build_put(row, "reference", reference_json(&s));
    bad |= build_put(row, "of", expression_json(&s));
    return build_finish(row, bad);
}

json_t *rows_output_list(const locbo_outputs *outputs) {
    return outputs ? build_list(output_cell, outputs, locbo_outputs_count(outputs), NULL) : json_null();
}

/* ---- options, fits, the plan ------------------------------------------------------------------- */

/* A number where JSON has it; a seed above 2^63 and nan stay texts, which --set accepts too. */
static json_t *option_json(const locbo_option *option, const char *text) {
    double number;
    int64_t whole;
    int is_real = strcmp(option->type, "real") == 0;
    if (strcmp(option->type, "choice") == 0) return json_string(text);
    if (is_real && number_parse(text, &number) && isfinite(number)) return json_real(number);
    if (!is_real && value_whole(text, &whole)) return json_integer(whole);
    return json_string(text);
}

json_t *rows_options(const locbo_options *options) {
    json_t *all = json_object();
    int bad = !all;
    for (size_t i = 0; i < locbo_option_count() && !bad; i++) {
        locbo_option option;
        char text[64];
        bad = locbo_option_describe(i, &option, NULL) != LOCBO_OK ||
              locbo_options_get(options, option.name, text, sizeof text, NULL) != LOCBO_OK ||
              build_put(all, option.name, option_json(&option, text)) != 0;
    }
    return build_finish(all, bad);
}

json_t *rows_option(const locbo_options *options, const char *name) {
    char text[64];
    if (locbo_options_get(options, name, text, sizeof text, NULL) != LOCBO_OK) return NULL;
    return json_string(text);
}

static const char *const laws[] = {"auto", "little", "gaussian", "student", "much"};

int rows_law(const char *name, locbo_noise_law *law) {
    for (unsigned i = 1; i < sizeof laws / sizeof laws[0]; i++)
        if (strcmp(name, laws[i]) == 0) {
            *law = (locbo_noise_law)i;
            return 1;
        }
    return 0;
}

/* "power", "offset", "low", "high", unless the scale is affine. */
static int put_warp(json_t *row, warp b) {
    if (!warp_is_set(&b)) return 0;
    int bad = build_put(row, "power", value_real(b.power));
    bad |= build_put(row, "offset", value_real(b.offset));
    bad |= build_put(row, "low", value_real(b.low));
    return bad | build_put(row, "high", value_real(b.high));
}

static json_t *member_cell(const void *members, size_t i) {
    const locbo_member *m = (const locbo_member *)members + i;
    json_t *row = json_object();
    int bad = build_put(row, "law", json_string(laws[m->law]));
    bad |= build_put(row, "score", value_real(m->score));
    bad |= build_put(row, "shift", value_real(m->shift));
    bad |= build_put(row, "spread", value_real(m->spread));
    bad |= put_warp(row, (warp){m->power, m->offset, m->low, m->high});
    bad |= build_put(row, "theta", build_list(number_cell, m->theta, m->count, NULL));
    return build_finish(row, bad);
}

json_t *rows_fit(const locbo_outputs *outputs, const locbo_fit *f) {
    json_t *row = json_object();
    int bad = build_put(row, "rows", build_count(f->rows));
    if (outputs) bad |= build_put(row, "output", json_string(spec_of(outputs, f->output).name));
    bad |= build_put(row, "shift", value_real(f->shift));
    bad |= build_put(row, "spread", value_real(f->spread));
    bad |= put_warp(row, (warp){f->power, f->offset, f->low, f->high});
    bad |= build_put(row, "log_posterior", value_real(f->log_posterior));
    bad |= build_put(row, "theta", build_list(number_cell, f->theta, f->count, NULL));
    if (f->member_count == 0) return build_finish(row, bad);
    bad |= build_put(row, "chosen", build_count(f->chosen));
    bad |= build_put(row, "members", build_list(member_cell, f->members, f->member_count, NULL));
    return build_finish(row, bad);
}

/* {"loss":0.1}; null if no output has a target. */
static json_t *targets_json(const locbo_outputs *outputs, const locbo_plan *p) {
    json_t *row = json_object();
    int bad = 0;
    for (size_t i = 0, k = 0; i < locbo_outputs_count(outputs) && k < LOCBO_MAX_TARGETS; i++) {
        locbo_output_spec spec = spec_of(outputs, i);
        if (!rows_is_modelled(&spec)) continue;
        if (!isnan(p->targets[k])) bad |= build_put(row, spec.name, value_real(p->targets[k]));
        k++;
    }
    if (bad || json_object_size(row) > 0) return build_finish(row, bad);
    json_decref(row);
    return json_null();
}

/* A value that is not set is null. */
json_t *rows_plan(const locbo_outputs *outputs, const locbo_plan *p) {
#define PUT_LIMIT(field) bad |= build_put(row, #field, p->field ? build_count(p->field) : json_null());
#define PUT_COUNT(field) bad |= build_put(row, #field, build_count(p->field));
#define PUT_REAL(field) bad |= build_put(row, #field, value_real(p->field));
#define PUT_RULE(field) bad |= build_put(row, #field, json_string(locbo_prune_name((locbo_prune)p->field)));
    json_t *row = json_object(), *targets = targets_json(outputs, p);
    int bad = !targets;
    PLAN_FIELDS(PUT_LIMIT, PUT_COUNT, PUT_REAL, PUT_RULE)
    if (json_is_object(targets)) bad |= json_object_set(row, "target", targets);
    json_decref(targets);
    return build_finish(row, bad);
}

json_t *rows_definition(const locbo_definition *d) {
    json_t *row = json_object();
    int bad = build_put(row, "parameters", rows_parameters(d->space));
    if (locbo_space_constraint_count(d->space)) bad |= build_put(row, "constraints", rows_constraints(d->space));
    if (locbo_space_cost(d->space)) bad |= build_put(row, "cost", rows_text(locbo_space_cost(d->space)));
    if (d->outputs) bad |= build_put(row, "outputs", rows_outputs(d->outputs));
    bad |= build_put(row, "options", rows_options(d->options));
    bad |= build_put(row, "command", rows_words(d->command_count, d->command));
    return build_finish(row, bad);
}

json_t *rows_change(const locbo_change *c) {
    json_t *row = json_object();
    int bad = build_put(row, "event", build_count(c->event));
    bad |= build_put(row, "time", value_real(c->time));
    bad |= build_put(row, "author", rows_text(c->author));
    bad |= build_put(row, "kind", json_string(locbo_change_name(c->kind)));
    bad |= build_put(row, "trial", c->trial ? build_count(c->trial) : json_null());
    bad |= build_put(row, "text", rows_text(c->text));
    return build_finish(row, bad);
}
