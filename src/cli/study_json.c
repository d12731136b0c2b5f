/* study_json.c - an exported study read back. Layer: cli, middle. Cost: linear in the file.
 *
 * Version 1 has no table of outputs, version
 * 2 has one: results, beliefs and fits then have the names of outputs, and there may be a reference point. Version 3
 * may have one, and parameters with steps, orders and conditions, and constraints. Version 4 may have all that, and
 * changes, notes, tags, a pause, results that were taken back and points outside the space. Version 5 may have all
 * that, a fidelity parameter and a cost, curves of evaluations and decisions to end them early. What a trial says is
 * checked again by locbo_study_create_from, which believes nothing. */
#include "study_json.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "buffer.h"
#include "early_end.h"
#include "fit_numbers.h"
#include "mem.h"
#include "rows.h"
#include "study_head.h"
#include "value.h"

static locbo_status bad(locbo_error *error, const char *path, const char *list, size_t i, const char *what) {
    return status_fail(error, LOCBO_ERR_FORMAT, "%.100s: %s[%zu]: %s", path, list, i, what);
}

/* ---- trials -------------------------------------------------------------------------------------- */

static int read_count(const json_t *item, const char *key, uint64_t *count) {
    const json_t *value = json_object_get(item, key);
    json_int_t number = json_integer_value(value);
    *count = number > 0 ? (uint64_t)number : 0;
    return json_is_null(value) || (json_is_integer(value) && number >= 0 && number <= INT32_MAX);
}

static int read_state(const json_t *item, locbo_state *state) {
    const char *name = json_string_value(json_object_get(item, "state"));
    for (int i = 0; name && i < LOCBO_STATES; i++)
        if (strcmp(name, locbo_state_name((locbo_state)i)) == 0) {
            *state = (locbo_state)i;
            return 1;
        }
    return 0;
}

static int read_measurement(const json_t *item, locbo_measurement *m) {
    uint64_t n = 1;
    int good = read_count(item, "n", &n);
    *m = (locbo_measurement){.value = rows_real_of(item, "value"), .sd = rows_real_of(item, "sd"), .n = (unsigned)n};
    return good;
}

/* The name of an output; "value" without a table. */
static const char *output_name(const study_json *r, size_t index) {
    locbo_output_spec spec = {.struct_size = sizeof spec};
    locbo_outputs_get(r->file.outputs, index, &spec, NULL);
    return r->file.outputs ? spec.name : "value";
}

static int is_output(const study_json *r, const char *name) {
    return locbo_outputs_find(r->file.outputs, name, &(size_t){0}, NULL) == LOCBO_OK;
}

/* The first key that is no output; NULL: none. */
static const char *unknown_output(const study_json *r, json_t *object) {
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value) {
        if (!is_output(r, name)) return name;
    }
    return NULL;
}

/* A result: one measurement for each output, those that are lacking NAN. */
static int read_result(const study_json *r, json_t *item, locbo_measurement *row) {
    json_t *outputs = json_object_get(item, "outputs");
    int good = 1;
    if (!r->file.outputs) return read_measurement(item, row);
    for (size_t i = 0; good && i < r->width; i++) {
        const json_t *one = json_object_get(outputs, output_name(r, i));
        row[i] = (locbo_measurement){(double)NAN, (double)NAN, 1};
        if (one) good = read_measurement(one, &row[i]);
    }
    return good && json_is_object(outputs) && !unknown_output(r, outputs);
}

/* What was believed: of the only output in the trial itself, with several one for each of them. */
static int read_beliefs(const study_json *r, json_t *item, locbo_belief *beliefs, locbo_record *to) {
    json_t *list = json_object_get(item, "beliefs");
    to->outputs = r->width;
    if (!r->file.outputs) return (to->trial.belief = rows_read_belief(json_object_get(item, "belief")), 1);
    for (size_t i = 0; i < r->width; i++) beliefs[i] = rows_read_belief(json_object_get(list, output_name(r, i)));
    to->trial.belief = beliefs[r->first];
    to->beliefs = r->width > 1 ? beliefs : NULL;
    return (!list || json_is_object(list)) && !unknown_output(r, list);
}

static int read_facts(const json_t *item, locbo_record *to) {
    const char *origin = json_string_value(json_object_get(item, "origin"));
    int good = read_count(item, "trial", &to->trial.id) && read_state(item, &to->state) && origin &&
               rows_origin(origin, &to->trial.origin) && read_count(item, "told", &to->trial.told) &&
               read_count(item, "attempt", &to->attempt) && read_count(item, "retries", &to->retries) &&
               read_count(item, "failure", &to->failure) &&
               (!json_object_get(item, "lost") || read_count(item, "lost", &to->lost)); /* older exports have none */
    to->worker = json_string_value(json_object_get(item, "worker"));
    to->message = json_string_value(json_object_get(item, "message"));
    to->asked = rows_real(json_object_get(item, "asked"));
    to->started = rows_real(json_object_get(item, "started"));
    to->ended = rows_real(json_object_get(item, "ended"));
    return good;
}

/* Of version 4: since when it is outside, note and tags, which are "" without. */
static int read_marks(const study_json *r, const json_t *item, locbo_record *to, char **tags) {
    json_t *outside = json_object_get(item, "outside");
    const char *note = json_string_value(json_object_get(item, "note"));
    int good = !r->altered || !outside || read_count(item, "outside", &to->outside);
    *tags = mem_text("");
    if (!*tags) return 0;
    to->note = r->altered && note ? note : "";
    if (r->altered && good) good = study_json_tags(json_object_get(item, "tags"), tags);
    to->tags = *tags;
    return good;
}

static int is_list_of_numbers(const json_t *list) {
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!json_is_integer(json_array_get(list, i))) return 0;
    return json_is_array(list);
}

/* A point of an altered study, which may lie outside its space: numbers beyond a range, or nothing. */
static locbo_status read_anywhere(const locbo_space *space, const json_t *params, double *x, locbo_error *error) {
    size_t dim = locbo_space_dim(space);
    if (!json_is_object(params) || json_object_size(params) != dim)
        return status_fail(error, LOCBO_ERR_FORMAT, "params must be an object with all %zu parameters", dim);
    for (size_t j = 0; j < dim; j++) {
        locbo_parameter p;
        locbo_space_parameter(space, j, &p, NULL);
        const json_t *value = json_object_get(params, p.name);
        int number = (p.kind == LOCBO_REAL || p.kind == LOCBO_INT) && json_is_number(value);
        x[j] = number ? json_number_value(value) : (double)NAN;
        if (number || json_is_null(value)) continue;
        locbo_status status = value_from_json(&p, value, &x[j], error);
        if (status != LOCBO_OK) return status;
    }
    return LOCBO_OK;
}

/* Results from row `row` on. */
static int read_results(study_json *r, const json_t *list, size_t row) {
    for (size_t k = 0; k < json_array_size(list); k++, row++) {
        json_t *result = json_array_get(list, k);
        r->told[row] = rows_real_of(result, "told");
        if (!read_result(r, result, r->measurements + row * r->width) ||
            !read_count(result, "sequence", &r->sequence[row]) ||
            (json_object_get(result, "by") && !read_count(result, "by", &r->by[row])))
            return 0;
    }
    return 1;
}

/* Results that were taken back. */
static const json_t *retracted_of(const study_json *r, const json_t *item) {
    return r->altered ? json_object_get(item, "retracted") : NULL;
}

/* Trial i, its results from row `row` on. */
static locbo_status read_trial(const char *path, study_json *r, size_t i, size_t *row, locbo_error *error) {
    json_t *item = json_array_get(json_object_get(r->root, "trials"), i);
    const json_t *list = json_object_get(item, "measurements");
    const json_t *pending = json_object_get(item, "pending"), *retracted = retracted_of(r, item);
    locbo_record *to = &r->records[i];
    double *x = r->numbers + i * locbo_space_dim(r->file.space);
    locbo_error why;
    if (!read_facts(item, to))
        return bad(error, path, "trials", i,
                   "trial, state, origin, told, attempt, retries or failure is missing or wrong");
    locbo_status status = r->altered ? read_anywhere(r->file.space, json_object_get(item, "params"), x, &why)
                                     : value_from_object(r->file.space, json_object_get(item, "params"), 0, x, &why);
    if (status != LOCBO_OK) return bad(error, path, "trials", i, why.message);
    if (!read_marks(r, item, to, &r->tags[i]))
        return r->tags[i] ? bad(error, path, "trials", i, "outside or tags are wrong") : status_no_memory(error);
    if (!is_list_of_numbers(pending)) return bad(error, path, "trials", i, "pending is not a list of trial numbers");
    r->pending[i] = json_dumps(pending, JSON_COMPACT);
    if (!r->pending[i]) return status_no_memory(error);
    to->x = x;
    to->pending = r->pending[i];
    to->count = json_array_size(list);
    to->measurements = r->measurements + *row * r->width;
    to->sequence = r->sequence + *row;
    to->told = r->told + *row;
    if (!read_beliefs(r, item, r->beliefs + i * r->width, to))
        return bad(error, path, "trials", i, "beliefs are not an object with names of outputs");
    size_t taken = *row + to->count; /* row of the first result that was taken back */
    to->retracted_count = json_array_size(retracted);
    to->retracted = r->measurements + taken * r->width;
    to->retracted_sequence = r->sequence + taken;
    to->retracted_by = r->by + taken;
    to->retracted_told = r->told + taken;
    if (!read_results(r, list, *row) || !read_results(r, retracted, taken))
        return bad(error, path, "trials", i,
                   r->file.outputs ? "outputs, n or sequence of a measurement is missing or wrong"
                                   : "n or sequence of a measurement is missing or wrong");
    *row = taken + to->retracted_count;
    const json_t *decision = r->cheaper ? json_object_get(item, "decision") : NULL;
    if (decision && !early_end_read_decision(decision, &r->decisions[i]))
        return bad(error, path, "trials", i, "rule, attempt, step or event of the decision is missing or wrong");
    if (decision) to->decision = &r->decisions[i];
    return LOCBO_OK;
}

static locbo_status read_trials(const char *path, study_json *r, locbo_error *error) {
    const json_t *trials = json_object_get(r->root, "trials");
    size_t rows = 0, dim = locbo_space_dim(r->file.space), row = 0;
    r->record_count = json_array_size(trials);
    for (size_t i = 0; i < r->record_count; i++) {
        const json_t *item = json_array_get(trials, i);
        rows += json_array_size(json_object_get(item, "measurements")) + json_array_size(retracted_of(r, item));
    }
    r->records = mem_new(r->record_count, sizeof *r->records);
    r->numbers = mem_new(r->record_count * dim, sizeof *r->numbers);
    r->pending = mem_new(r->record_count, sizeof *r->pending);
    r->measurements = mem_new(rows, r->width * sizeof *r->measurements);
    r->beliefs = mem_new(r->record_count, r->width * sizeof *r->beliefs);
    r->sequence = mem_new(rows, sizeof *r->sequence);
    r->told = mem_new(rows, sizeof *r->told);
    r->by = mem_new(rows, sizeof *r->by);
    r->tags = mem_new(r->record_count, sizeof *r->tags);
    r->decisions = mem_new(r->record_count, sizeof *r->decisions);
    if (!r->records || !r->numbers || !r->pending || !r->measurements || !r->beliefs || !r->sequence || !r->told ||
        !r->by || !r->tags || !r->decisions)
        return status_no_memory(error);
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < r->record_count && status == LOCBO_OK; i++) status = read_trial(path, r, i, &row, error);
    return status;
}

/* ---- fits ---------------------------------------------------------------------------------------- */

/* A list of numbers, all finite, in *theta, which mem_free releases; NULL without memory. */
static int read_theta(const json_t *list, size_t *count, const double **theta) {
    double *made = mem_new(json_array_size(list), sizeof *made);
    int good = 1;
    *theta = made;
    *count = made ? json_array_size(list) : 0;
    for (size_t k = 0; k < *count; k++) {
        made[k] = rows_real(json_array_get(list, k));
        good = good && isfinite(made[k]);
    }
    return good;
}

/* What a fit and its candidates have in common; the scale is checked when it is used. */
#define READ_SCALE(to, item)                                                                                           \
    (to)->shift = rows_real_of(item, "shift"), (to)->spread = rows_real_of(item, "spread"),                            \
    (to)->power = rows_real_of(item, "power"), (to)->offset = rows_real_of(item, "offset"),                            \
    (to)->low = rows_real_of(item, "low"), (to)->high = rows_real_of(item, "high")

static int read_member(const json_t *item, locbo_member *to) {
    const char *law = json_string_value(json_object_get(item, "law"));
    READ_SCALE(to, item);
    to->score = rows_real_of(item, "score");
    int good = read_theta(json_object_get(item, "theta"), &to->count, &to->theta);
    return good && law && rows_law(law, &to->law) && isfinite(to->score) && isfinite(to->shift) && to->spread > 0;
}

/* The candidates, which older exports do not have. */
static locbo_status read_members(const char *path, const json_t *item, size_t i, locbo_fit *to, locbo_error *error) {
    const json_t *list = json_object_get(item, "members");
    size_t count = json_array_size(list);
    uint64_t chosen = 0;
    if (!list) return LOCBO_OK;
    if (!read_count(item, "chosen", &chosen) || chosen >= count || count > FIT_MEMBERS)
        return bad(error, path, "fits", i, "members are too many, or chosen is not the number of one");
    locbo_member *members = mem_new(count, sizeof *members);
    to->chosen = (size_t)chosen;
    to->members = members;
    if (!members) return status_no_memory(error);
    for (size_t k = 0; k < count; k++) {
        to->member_count = k + 1;
        int good = read_member(json_array_get(list, k), &members[k]);
        if (!members[k].theta) return status_no_memory(error);
        if (!good)
            return bad(error, path, "fits", i, "law, score, shift, spread or theta of a member is missing or wrong");
    }
    return LOCBO_OK;
}

static locbo_status read_fit(const char *path, const study_json *r, const json_t *item, size_t i, locbo_fit *to,
                             locbo_error *error) {
    const char *output = json_string_value(json_object_get(item, "output"));
    READ_SCALE(to, item);
    to->log_posterior = rows_real_of(item, "log_posterior");
    int good = read_theta(json_object_get(item, "theta"), &to->count, &to->theta);
    if (!to->theta) return status_no_memory(error);
    good = good && read_count(item, "rows", &to->rows) && isfinite(to->shift) && to->spread > 0;
    if (!good) return bad(error, path, "fits", i, "rows, shift, spread or theta is missing or wrong");
    if (r->file.outputs && (!output || locbo_outputs_find(r->file.outputs, output, &to->output, NULL) != LOCBO_OK))
        return bad(error, path, "fits", i, "output is not the name of one");
    return read_members(path, item, i, to, error);
}

static locbo_status read_fits(const char *path, study_json *r, locbo_error *error) {
    const json_t *fits = json_object_get(r->root, "fits");
    size_t count = json_array_size(fits);
    r->fits = mem_new(count, sizeof *r->fits);
    locbo_status status = r->fits ? LOCBO_OK : status_no_memory(error);
    for (size_t i = 0; i < count && status == LOCBO_OK; i++) {
        r->fit_count = i + 1;
        status = read_fit(path, r, json_array_get(fits, i), i, &r->fits[i], error);
    }
    return status;
}

/* ---- curves -------------------------------------------------------------------------------------- */

/* The steps of one curve, from `to` on. What they are is checked by locbo_study_create_from. */
static int read_curve(const json_t *item, locbo_curve *curve, locbo_step *to) {
    const json_t *step = json_object_get(item, "step"), *value = json_object_get(item, "value");
    curve->count = json_array_size(step);
    curve->steps = to;
    if (!read_count(item, "trial", &curve->trial) || !read_count(item, "attempt", &curve->attempt)) return 0;
    if (!json_is_array(step) || json_array_size(value) != curve->count) return 0;
    for (size_t i = 0; i < curve->count; i++) {
        const json_t *number = json_array_get(step, i);
        if (!json_is_integer(number) || json_integer_value(number) < 0) return 0;
        to[i] = (locbo_step){(uint64_t)json_integer_value(number), rows_real(json_array_get(value, i))};
    }
    return 1;
}

static locbo_status read_curves(const char *path, study_json *r, locbo_error *error) {
    const json_t *list = r->cheaper ? json_object_get(r->root, "curves") : NULL;
    size_t count = json_array_size(list), steps = 0, at = 0;
    if (list && !json_is_array(list)) return status_fail(error, LOCBO_ERR_FORMAT, "%.100s: curves is no list", path);
    for (size_t i = 0; i < count; i++) steps += json_array_size(json_object_get(json_array_get(list, i), "step"));
    r->curves = mem_new(count, sizeof *r->curves);
    r->steps = mem_new(steps, sizeof *r->steps);
    if (!r->curves || !r->steps) return status_no_memory(error);
    r->curve_count = count;
    for (size_t i = 0; i < count; i++) {
        if (!read_curve(json_array_get(list, i), &r->curves[i], r->steps + at))
            return bad(error, path, "curves", i, "trial, attempt, step or value is missing or wrong");
        at += r->curves[i].count;
    }
    return LOCBO_OK;
}

/* ---- the reference point ------------------------------------------------------------------------- */

static locbo_status read_reference(const char *path, study_json *r, locbo_error *error) {
    json_t *point = json_object_get(r->root, "reference");
    if (!r->file.outputs || !point || json_is_null(point)) return LOCBO_OK;
    if (!json_is_object(point) || unknown_output(r, point))
        return status_fail(error, LOCBO_ERR_FORMAT, "%.100s: reference is not an object with names of outputs", path);
    r->reference = mem_new(r->width, sizeof *r->reference);
    if (!r->reference) return status_no_memory(error);
    for (size_t i = 0; i < r->width; i++) r->reference[i] = rows_real_of(point, output_name(r, i));
    return LOCBO_OK;
}

/* ---- what was changed ---------------------------------------------------------------------------- */

int study_json_tags(const json_t *list, char **text) {
    buffer b = {0};
    size_t i;
    json_t *tag;
    int good = !list || json_is_array(list);
    json_array_foreach(list, i, tag) {
        good = good && json_is_string(tag);
        if (i > 0) buffer_char(&b, ' ', 1);
        buffer_text(&b, good ? json_string_value(tag) : "");
    }
    buffer_char(&b, '\0', 1);
    mem_free(*text);
    *text = b.data;
    if (!b.failed) return good;
    mem_free(b.data);
    *text = NULL;
    return 0;
}

/* The study's own note, tags and pause, and its changes. */
static locbo_status read_altered(const char *path, study_json *r, locbo_error *error) {
    const json_t *note = json_object_get(r->root, "note"), *paused = json_object_get(r->root, "paused");
    if (!r->altered) return LOCBO_OK;
    if (!study_json_tags(json_object_get(r->root, "tags"), &r->study_tags))
        return r->study_tags ? status_fail(error, LOCBO_ERR_FORMAT, "%.100s: tags is not a list of texts", path)
                             : status_no_memory(error);
    if ((note && !json_is_null(note) && !json_is_string(note)) ||
        (paused && !json_is_null(paused) && !json_is_string(paused)))
        return status_fail(error, LOCBO_ERR_FORMAT, "%.100s: %s is neither a text nor null", path,
                           json_is_null(note) || json_is_string(note) ? "paused" : "note");
    r->note = json_string_value(note);
    r->paused = json_string_value(paused);
    return change_json_read(path, r->root, &r->file, &r->changes, error);
}

locbo_contents study_json_contents(const study_json *r) {
    return (locbo_contents){.record_count = r->record_count,
                            .records = r->records,
                            .fit_count = r->fit_count,
                            .fits = r->fits,
                            .reference = r->reference,
                            .change_count = r->changes.count,
                            .changes = r->changes.changes,
                            .note = r->note,
                            .tags = r->study_tags,
                            .paused = r->paused,
                            .curve_count = r->curve_count,
                            .curves = r->curves};
}

/* ---- all of it ----------------------------------------------------------------------------------- */

static locbo_status check_format(const char *path, const json_t *root, locbo_error *error) {
    const char *format = json_string_value(json_object_get(root, "format"));
    json_int_t version = json_integer_value(json_object_get(root, "version"));
    if (!format || strcmp(format, "locbo study") != 0)
        return status_fail(error, LOCBO_ERR_FORMAT, "%.100s: not a study as `locbo export` writes it", path);
    if (version < 1 || version > 5)
        return status_fail(error, LOCBO_ERR_FORMAT,
                           "%.100s: export version %" JSON_INTEGER_FORMAT ", this program reads versions 1 to 5", path,
                           version);
    if (version < 3 && json_is_object(json_object_get(root, "outputs")) != (version == 2))
        return status_fail(error, LOCBO_ERR_FORMAT, "%.100s: %s", path,
                           version == 2 ? "there are no 'outputs'" : "there are 'outputs', but the version is 1");
    if (!json_is_array(json_object_get(root, "trials")))
        return status_fail(error, LOCBO_ERR_FORMAT, "%.100s: there is no list 'trials'", path);
    return LOCBO_OK;
}

/* How many there are, and which is the first objective. */
static void count_outputs(study_json *r) {
    r->width = r->file.outputs ? locbo_outputs_count(r->file.outputs) : 1;
    r->first = rows_first_objective(r->file.outputs);
}

locbo_status study_json_read(const char *path, const char *text, size_t size, study_json *read, locbo_error *error) {
    json_error_t where;
    memset(read, 0, sizeof *read);
    read->root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &where);
    if (!read->root) return status_fail(error, LOCBO_ERR_FORMAT, "%.100s:%d: %s", path, where.line, where.text);
    locbo_status status = check_format(path, read->root, error);
    if (status == LOCBO_OK) status = study_head_read(path, read->root, &read->file, error);
    if (status == LOCBO_OK) count_outputs(read);
    read->altered = json_integer_value(json_object_get(read->root, "version")) >= 4;
    read->cheaper = json_integer_value(json_object_get(read->root, "version")) >= 5;
    if (status == LOCBO_OK) status = read_trials(path, read, error);
    if (status == LOCBO_OK) status = read_fits(path, read, error);
    if (status == LOCBO_OK) status = read_curves(path, read, error);
    if (status == LOCBO_OK) status = read_reference(path, read, error);
    if (status == LOCBO_OK) status = read_altered(path, read, error);
    if (status != LOCBO_OK) study_json_release(read);
    return status;
}

void study_json_release(study_json *r) {
    for (size_t i = 0; r->pending && i < r->record_count; i++) free(r->pending[i]);
    for (size_t i = 0; r->tags && i < r->record_count; i++) mem_free(r->tags[i]);
    change_json_release(&r->changes);
    for (size_t i = 0; i < r->fit_count; i++) {
        for (size_t k = 0; k < r->fits[i].member_count; k++) mem_free((void *)r->fits[i].members[k].theta);
        mem_free((void *)r->fits[i].members);
        mem_free((void *)r->fits[i].theta);
    }
    void *arrays[] = {r->records,  r->fits,       r->numbers,   r->measurements, r->beliefs,
                      r->sequence, r->told,       r->pending,   r->reference,    r->by,
                      r->tags,     r->study_tags, r->decisions, r->curves,       r->steps};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
    study_file_release(&r->file);
    json_decref(r->root);
    memset(r, 0, sizeof *r);
}
