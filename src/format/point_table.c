/* point_table.c - points and results from files. Layer: format. Cost: linear in the cells. */
#include "point_table.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "mem.h"
#include "number.h"
#include "text.h"
#include "value.h"

void point_table_release(point_table *p) {
    mem_free(p->x);
    mem_free(p->measurements);
    mem_free(p->sequence);
    mem_free(p->state);
    for (size_t i = 0; p->message && i < p->count; i++) mem_free(p->message[i]);
    mem_free(p->message);
    mem_free(p->group);
    *p = (point_table){0};
}

/* What is measured: `width` outputs, one called "value" if there is no table. */
typedef struct subject {
    point_reading how;
    const locbo_space *space;
    const locbo_outputs *outputs; /* NULL: no table */
    size_t dim, width;
} subject;

static subject subject_of(const point_reading *how) {
    return (subject){.how = *how,
                     .space = how->space,
                     .outputs = how->outputs,
                     .dim = locbo_space_dim(how->space),
                     .width = how->outputs ? locbo_outputs_count(how->outputs) : 1};
}

static locbo_output_spec output_at(const locbo_outputs *outputs, size_t index) {
    locbo_output_spec spec = {.struct_size = sizeof spec};
    locbo_outputs_get(outputs, index, &spec, NULL);
    return spec;
}

/* One more, a complete one whose values are not set, in a group of its own; NULL without memory. */
static double *add_point(point_table *p, const subject *s) {
    mem_array arrays[] = {{&p->x, s->dim * sizeof *p->x},      {&p->measurements, s->width * sizeof *p->measurements},
                          {&p->sequence, sizeof *p->sequence}, {&p->state, sizeof *p->state},
                          {&p->message, sizeof *p->message},   {&p->group, sizeof *p->group}};
    size_t i = p->count;
    if (!mem_reserve_all(6, arrays, &p->capacity, i + 1)) return NULL;
    for (size_t k = 0; k < s->width; k++)
        p->measurements[i * s->width + k] = (locbo_measurement){(double)NAN, (double)NAN, 1};
    p->state[i] = LOCBO_COMPLETE;
    p->message[i] = NULL;
    p->group[i] = i;
    return p->x + p->count++ * s->dim;
}

static void drop_points(point_table *p, size_t count) {
    while (p->count > count) mem_free(p->message[--p->count]);
}

static double fill_of(const subject *s, size_t parameter) { return s->how.fill ? s->how.fill[parameter] : (double)NAN; }

/* Whether the values are possible on the scales of their outputs: the study would refuse them without naming the line.
 */
static locbo_status check_scales(const subject *s, const locbo_measurement *m, locbo_error *error) {
    for (size_t i = 0; s->outputs && i < s->width; i++) {
        locbo_output_spec spec = output_at(s->outputs, i);
        double y = m[i].value;
        if (spec.scale == LOCBO_MODEL_SCALE_LOG && y <= 0)
            return status_fail(error, LOCBO_ERR_IO, "%.60s must be positive (it has a log scale), got %.17g", spec.name,
                               y);
        if (spec.scale == LOCBO_MODEL_SCALE_LOGIT && (y <= spec.scale_low || y >= spec.scale_high))
            return status_fail(error, LOCBO_ERR_IO, "%.60s must lie between %.17g and %.17g (its scale), got %.17g",
                               spec.name, spec.scale_low, spec.scale_high, y);
    }
    return LOCBO_OK;
}

static int has_value(const subject *s, const locbo_measurement *m) {
    for (size_t i = 0; i < s->width; i++)
        if (!isnan(m[i].value)) return 1;
    return 0;
}

/* ---- the columns of a CSV file --------------------------------------------------------------- */

typedef enum role { ROLE_NONE, ROLE_PARAMETER, ROLE_VALUE, ROLE_SD, ROLE_N, ROLE_STATE, ROLE_TRIAL, ROLE_MESSAGE } role;

typedef struct columns {
    subject of;
    const char *file;
    csv table;
    role *role;
    locbo_parameter *parameter; /* of ROLE_PARAMETER */
    size_t *index;              /* of the parameter or output */
} columns;

static const char of_params[] = "params.", of_outputs[] = "outputs.";

/* The name after a prefix; NULL: it does not begin with it. */
static const char *after(const char *name, const char *prefix) {
    size_t skip = strlen(prefix);
    return strncmp(name, prefix, skip) == 0 ? name + skip : NULL;
}

static int has_column(const columns *s, const char *prefix, const char *name) {
    char full[300];
    snprintf(full, sizeof full, "%s%.250s", prefix, name);
    return csv_find(&s->table, full, &(size_t){0});
}

/* Whether a column means a parameter: by its name, unless "params.NAME" is there and so the name is one of ours. */
static int is_parameter(const columns *s, const char *name, size_t *index) {
    const char *inner = after(name, of_params);
    if (inner && locbo_space_find(s->of.space, inner, index, NULL) == LOCBO_OK) return 1;
    return locbo_space_find(s->of.space, name, index, NULL) == LOCBO_OK && !has_column(s, of_params, name);
}

/* "memory", "memory.sd" or "memory.n" of an output. What is derived is computed anew, whatever the file says. */
static int is_part(const columns *s, const char *name, size_t *index, role *found) {
    static const struct {
        const char *ending;
        role is;
    } parts[] = {{"", ROLE_VALUE}, {".sd", ROLE_SD}, {".n", ROLE_N}};
    for (size_t i = 0; i < s->of.width; i++) {
        locbo_output_spec spec = output_at(s->of.outputs, i);
        const char *ending = after(name, spec.name);
        for (size_t k = 0; ending && k < sizeof parts / sizeof parts[0]; k++) {
            if (strcmp(ending, parts[k].ending) != 0) continue;
            *index = i;
            *found = spec.expression ? ROLE_NONE : parts[k].is;
            return 1;
        }
    }
    return 0;
}

/* The same with "outputs." before it; without it, unless there is a column with it and so the name is one of ours. */
static int is_output(const columns *s, const char *name, size_t *index, role *found) {
    const char *inner = after(name, of_outputs);
    if (!s->of.outputs) return 0;
    if (inner && is_part(s, inner, index, found)) return 1;
    return is_part(s, name, index, found) && !has_column(s, of_outputs, name);
}

/* Other columns that `export` and `trials` write. Without a table of outputs those of the value are among them. */
static int is_ours(const columns *s, const char *name, role *found) {
    static const struct {
        const char *name;
        role is;
        int tables; /* with a table of outputs: 1 or 0, -1: both */
    } ours[] = {{"value", ROLE_VALUE, 0},
                {"sd", ROLE_SD, 0},
                {"n", ROLE_N, 0},
                {"trial", ROLE_TRIAL, -1},
                {"state", ROLE_STATE, -1},
                {"message", ROLE_MESSAGE, -1},
                {"note", ROLE_NONE, -1},
                {"tags", ROLE_NONE, -1},
                {"feasible", ROLE_NONE, 1},
                {"pruned_step", ROLE_NONE, -1},
                {"pruned_value", ROLE_NONE, -1}};
    for (size_t i = 0; i < sizeof ours / sizeof ours[0]; i++) {
        if (strcmp(name, ours[i].name) != 0 || ours[i].tables == (s->of.outputs == NULL)) continue;
        *found = ours[i].is;
        return 1;
    }
    return 0;
}

static locbo_status name_role(columns *s, size_t column, locbo_error *error) {
    const char *name = csv_name(&s->table, column);
    if (!name[0]) return LOCBO_OK; /* the index of a data frame */
    if (is_parameter(s, name, &s->index[column])) {
        s->role[column] = ROLE_PARAMETER;
        return locbo_space_parameter(s->of.space, s->index[column], &s->parameter[column], error);
    }
    if (s->of.how.measured && is_output(s, name, &s->index[column], &s->role[column])) return LOCBO_OK;
    s->index[column] = 0;
    if (s->of.how.measured && is_ours(s, name, &s->role[column])) return LOCBO_OK;
    if (s->of.how.ignore_extra) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_IO, "%.100s:1: unknown column '%.60s' (--ignore-extra skips such columns)",
                       s->file, name);
}

static int has_role(const columns *s, role wanted, size_t index) {
    for (size_t i = 0; i < s->table.columns; i++)
        if (s->role[i] == wanted && s->index[i] == index) return 1;
    return 0;
}

static locbo_status no_value_column(const columns *s, locbo_error *error) {
    size_t i = 0;
    if (!s->of.outputs)
        return status_fail(error, LOCBO_ERR_IO, "%.100s:1: there is no column 'value'%s", s->file,
                           locbo_space_find(s->of.space, "value", &(size_t){0}, NULL) == LOCBO_OK
                               ? " besides the parameter of this name, whose column is then 'params.value'"
                               : "");
    while (i + 1 < s->of.width && output_at(s->of.outputs, i).expression) i++;
    return status_fail(error, LOCBO_ERR_IO, "%.100s:1: there is no column of an output, such as '%.60s'", s->file,
                       output_at(s->of.outputs, i).name);
}

static locbo_status check_columns(const columns *s, locbo_error *error) {
    int value = 0;
    for (size_t j = 0; j < s->of.dim; j++) {
        locbo_parameter p;
        locbo_space_parameter(s->of.space, j, &p, NULL);
        if (!has_role(s, ROLE_PARAMETER, j) && isnan(fill_of(&s->of, j)))
            return status_fail(error, LOCBO_ERR_IO,
                               "%.100s:1: there is no column '%.60s' (--fill '%.60s=VALUE' gives all rows a value)",
                               s->file, p.name, p.name);
    }
    for (size_t j = 0; j < s->of.width; j++) value |= has_role(s, ROLE_VALUE, j);
    return !s->of.how.measured || value ? LOCBO_OK : no_value_column(s, error);
}

static locbo_status name_columns(columns *s, locbo_error *error) {
    size_t n = s->table.columns;
    s->role = mem_new(n, sizeof *s->role);
    s->parameter = mem_new(n, sizeof *s->parameter);
    s->index = mem_new(n, sizeof *s->index);
    if (!s->role || !s->parameter || !s->index) return status_no_memory(error);
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < n && status == LOCBO_OK; i++) status = name_role(s, i, error);
    return status == LOCBO_OK ? check_columns(s, error) : status;
}

/* ---- the cells of a CSV file ----------------------------------------------------------------- */

/* An empty cell: there is none. */
static locbo_status read_value(const char *name, const char *text, double *value, locbo_error *error) {
    *value = (double)NAN;
    if (!text[0] || (number_parse(text, value) && isfinite(*value))) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_IO, "%.60s must be a finite number, got '%.40s'", name, text);
}

static locbo_status read_sd(const char *name, const char *text, double *sd, locbo_error *error) {
    *sd = (double)NAN;
    if (!text[0] || (number_parse(text, sd) && isfinite(*sd) && *sd >= 0)) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_IO, "%.60s must be a number of at least 0, got '%.40s'", name, text);
}

static locbo_status read_n(const char *name, const char *text, unsigned *n, locbo_error *error) {
    int64_t whole = 1;
    if (!text[0] || (value_whole(text, &whole) && whole >= 1 && whole <= INT_MAX)) {
        *n = (unsigned)whole;
        return LOCBO_OK;
    }
    return status_fail(error, LOCBO_ERR_IO, "%.60s must be a whole number of at least 1, got '%.40s'", name, text);
}

/* What is read of a row beside its point and values. */
typedef struct row_notes {
    const char *state, *message, *trial; /* "": not given */
    int outside;                         /* of the space */
} row_notes;

/* An empty cell may be filled; what is outside the space ends the row, or the reading. */
static locbo_status read_parameter(const columns *s, size_t column, const char *text, double *x, row_notes *notes,
                                   locbo_error *error) {
    size_t index = s->index[column];
    const locbo_parameter *p = &s->parameter[column];
    double number;
    if (!text[0] && (!isnan(x[index]) || p->parent != SIZE_MAX)) return LOCBO_OK; /* filled, or perhaps not active */
    locbo_status status = value_parse(p, text, &x[index], error);
    if (status == LOCBO_OK || !s->of.how.skip_outside || !text[0]) return status;
    if (p->count == 0 && !number_parse(text, &number)) return status;
    notes->outside = 1;
    return LOCBO_OK;
}

static locbo_status read_cell(const columns *s, size_t column, const char *text, double *x, locbo_measurement *m,
                              row_notes *notes, locbo_error *error) {
    const char *name = csv_name(&s->table, column);
    size_t index = s->index[column];
    switch (s->role[column]) {
    case ROLE_PARAMETER:
        return read_parameter(s, column, text, x, notes, error);
    case ROLE_VALUE:
        return read_value(name, text, &m[index].value, error);
    case ROLE_SD:
        return read_sd(name, text, &m[index].sd, error);
    case ROLE_N:
        return read_n(name, text, &m[index].n, error);
    case ROLE_STATE:
        notes->state = text;
        break;
    case ROLE_MESSAGE:
        notes->message = text;
        break;
    case ROLE_TRIAL:
        notes->trial = text;
        break;
    case ROLE_NONE:
        break;
    }
    return LOCBO_OK;
}

/* What is known of a value that is not there belongs elsewhere. */
static locbo_status check_lacking(const columns *s, const locbo_measurement *m, locbo_error *error) {
    for (size_t i = 0; s->of.outputs && i < s->of.width; i++)
        if (isnan(m[i].value) && (!isnan(m[i].sd) || m[i].n != 1))
            return status_fail(error, LOCBO_ERR_IO, "%.60s is empty, but has %s", output_at(s->of.outputs, i).name,
                               isnan(m[i].sd) ? "n" : "sd");
    return LOCBO_OK;
}

/* Whether a text is a word of capital letters, in any case. */
static int is_word(const char *text, const char *word) {
    for (; *text && *word; text++, word++)
        if (*text != *word && *text != *word - 'A' + 'a') return 0;
    return *text == *word;
}

/* FAILED and INFEASIBLE, in any case, are outcomes; so is FAIL, as another program writes it. */
static int is_failure(const char *text, locbo_state *state) {
    int failed = is_word(text, "FAILED") || is_word(text, "FAIL");
    if (!failed && !is_word(text, "INFEASIBLE")) return 0;
    *state = failed ? LOCBO_STATE_FAILED : LOCBO_STATE_INFEASIBLE;
    return 1;
}

/* Counts a trial that has not ended, was taken back or ended early: whatever else the file has of it does not matter. A
 * word that is no state is an error. */
static locbo_status leave_out(point_table *p, const char *state, int *left_out, locbo_error *error) {
    locbo_state failure;
    size_t *count = is_word(state, "RETRACTED")                              ? &p->retracted
                    : is_word(state, "PRUNED")                               ? &p->pruned
                    : is_word(state, "RUNNING") || is_word(state, "WAITING") ? &p->left_out
                                                                             : NULL;
    if (count) ++*count;
    *left_out = count != NULL;
    if (count || !state[0] || is_word(state, "COMPLETE") || is_failure(state, &failure)) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_IO,
                       "state must be COMPLETE, FAILED, INFEASIBLE, RUNNING, WAITING, RETRACTED or PRUNED, got '%.40s'",
                       state);
}

/* Counts a failure that has a value: it is neither a result nor a failure as others. */
static int is_contradiction(point_table *p, const char *state) {
    locbo_state failure;
    if (!is_failure(state, &failure)) return 0;
    p->failed++;
    return 1;
}

static locbo_status keep_message(point_table *p, const char *text, locbo_error *error) {
    if (!text || !text[0]) return LOCBO_OK;
    if (!text_is_valid(text)) return status_fail(error, LOCBO_ERR_IO, "message is not UTF-8");
    p->message[p->count - 1] = mem_text(text);
    return p->message[p->count - 1] ? LOCBO_OK : status_no_memory(error);
}

/* The last row has no value: it is a failure, or a mistake. */
static locbo_status keep_failure(point_table *p, const char *state, const char *message, const char *lacking,
                                 locbo_error *error) {
    if (is_failure(state, &p->state[p->count - 1])) return keep_message(p, message, error);
    return status_fail(error, LOCBO_ERR_IO, "%s", lacking);
}

/* Results of one trial: the row before has its number and its point. */
static void join_group(const columns *s, point_table *p, const char *trial, const char *before) {
    size_t i = p->count - 1, dim = s->of.dim;
    if (i == 0 || !trial[0] || strcmp(trial, before) != 0 || p->state[i - 1] != LOCBO_COMPLETE) return;
    if (memcmp(p->x + i * dim, p->x + (i - 1) * dim, dim * sizeof *p->x) == 0) p->group[i] = p->group[i - 1];
}

/* `trial` is that of the row before, and becomes that of this one. */
/* The values together: which are active, and whether known constraints hold. */
static locbo_status check_point(const subject *of, const double *x, row_notes *notes, locbo_error *error) {
    locbo_status status = value_check_point(of->how.space, x, error);
    if (status != LOCBO_ERR_ARGUMENT || !of->how.skip_outside) return status;
    notes->outside = 1;
    return LOCBO_OK;
}

/* What a row says of its state; "": nothing. */
static const char *state_of(const columns *s, size_t row) {
    for (size_t j = 0; j < s->table.columns; j++)
        if (s->role[j] == ROLE_STATE) return csv_cell(&s->table, row, j);
    return "";
}

static locbo_status read_row(const columns *s, size_t row, const char **trial, point_table *p, locbo_error *error) {
    int left_out;
    locbo_status status = leave_out(p, state_of(s, row), &left_out, error);
    if (status != LOCBO_OK || left_out) return status;
    double *x = add_point(p, &s->of);
    if (!x) return status_no_memory(error);
    locbo_measurement *m = p->measurements + (p->count - 1) * s->of.width;
    row_notes notes = {"", "", "", 0};
    for (size_t j = 0; j < s->of.dim; j++) x[j] = fill_of(&s->of, j);
    for (size_t j = 0; j < s->table.columns && status == LOCBO_OK; j++)
        status = read_cell(s, j, csv_cell(&s->table, row, j), x, m, &notes, error);
    if (status == LOCBO_OK && has_value(&s->of, m) && is_contradiction(p, notes.state))
        return (drop_points(p, p->count - 1), LOCBO_OK);
    if (status == LOCBO_OK && !notes.outside) status = check_point(&s->of, x, &notes, error);
    if (status == LOCBO_OK) status = check_lacking(s, m, error);
    if (status == LOCBO_OK) status = check_scales(&s->of, m, error);
    if (status != LOCBO_OK) return status;
    const char *before = *trial;
    *trial = notes.trial;
    if (notes.outside) {
        drop_points(p, p->count - 1);
        p->outside++;
        return LOCBO_OK;
    }
    if (s->of.how.measured && !has_value(&s->of, m))
        return keep_failure(p, notes.state, notes.message,
                            s->of.outputs ? "there is no value of an output" : "value is missing", error);
    join_group(s, p, notes.trial, before);
    return LOCBO_OK;
}

static locbo_status read_rows(const columns *s, point_table *p, locbo_error *error) {
    const char *trial = "";
    for (size_t i = 0; i < s->table.rows; i++) {
        locbo_error why;
        locbo_status status = read_row(s, i, &trial, p, &why);
        if (status == LOCBO_ERR_MEMORY) return status_no_memory(error);
        if (status != LOCBO_OK)
            return status_fail(error, LOCBO_ERR_IO, "%.100s:%zu: %s", s->file, s->table.line[i], why.message);
    }
    return LOCBO_OK;
}

locbo_status point_table_from_csv(const point_reading *how, const char *file, char *text, size_t size,
                                  point_table *made, locbo_error *error) {
    columns s = {.of = subject_of(how), .file = file};
    *made = (point_table){0};
    locbo_status status = csv_parse(file, text, size, &s.table, error);
    if (status == LOCBO_OK) status = name_columns(&s, error);
    if (status == LOCBO_OK) status = read_rows(&s, made, error);
    if (status != LOCBO_OK) point_table_release(made);
    csv_release(&s.table);
    mem_free(s.role);
    mem_free(s.parameter);
    mem_free(s.index);
    return status;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static locbo_status not_right(const char *what, locbo_error *error) {
    return status_fail(error, LOCBO_ERR_IO, "%s", what);
}

/* {"value":0.5,"sd":null,"n":1}, or a bare number. */
static locbo_status take_measurement(const json_t *json, locbo_measurement *m, locbo_error *error) {
    const json_t *value = json_is_object(json) ? json_object_get(json, "value") : json;
    const json_t *sd = json_object_get(json, "sd"), *n = json_object_get(json, "n");
    if (!json_is_number(value) || !isfinite(json_number_value(value)))
        return not_right("value must be a finite number", error);
    if (sd && !json_is_null(sd) && !(json_is_number(sd) && json_number_value(sd) >= 0))
        return not_right("sd must be a number of at least 0, or null", error);
    if (n && !(json_is_integer(n) && json_integer_value(n) >= 1 && json_integer_value(n) <= INT_MAX))
        return not_right("n must be a whole number of at least 1", error);
    m->value = json_number_value(value);
    m->sd = json_is_number(sd) ? json_number_value(sd) : (double)NAN;
    m->n = n ? (unsigned)json_integer_value(n) : 1;
    return LOCBO_OK;
}

/* One of {"loss":0.5,"memory":{"value":401,"sd":2,"n":4},"epochs":null}. */
static locbo_status take_output(const subject *s, const char *name, const json_t *json, locbo_measurement *row,
                                locbo_error *error) {
    size_t index;
    locbo_error why;
    if (locbo_outputs_find(s->outputs, name, &index, NULL) != LOCBO_OK) {
        if (s->how.ignore_extra) return LOCBO_OK;
        return status_fail(error, LOCBO_ERR_IO, "unknown output '%.60s' (--ignore-extra skips such outputs)", name);
    }
    if (json_is_null(json) || output_at(s->outputs, index).expression) return LOCBO_OK;
    locbo_status status = take_measurement(json, &row[index], &why);
    return status == LOCBO_OK ? status : status_fail(error, status, "%.60s: %s", name, why.message);
}

/* A result: with a table of outputs an object that has them, otherwise as a measurement. */
static locbo_status take_result(const subject *s, json_t *json, locbo_measurement *row, locbo_error *error) {
    const char *name;
    json_t *value, *values = json_object_get(json, "outputs");
    locbo_status status = LOCBO_OK;
    if (!s->outputs) return take_measurement(json, row, error);
    if (!json_is_object(values)) return not_right("\"outputs\" must be an object", error);
    json_object_foreach(values, name, value) {
        status = take_output(s, name, value, row, error);
        if (status != LOCBO_OK) return status;
    }
    return has_value(s, row) ? check_scales(s, row, error) : not_right("there is no value of an output", error);
}

static int any_value(const json_t *values) {
    const char *name;
    json_t *value;
    json_object_foreach((json_t *)values, name, value) {
        if (!json_is_null(value)) return 1;
    }
    return 0;
}

/* The results of a trial: a list to be read one by one, or the trial itself. NULL: there is none. */
static json_t *results_of(const subject *s, json_t *trial) {
    json_t *list = json_object_get(trial, "measurements");
    if (!list && !s->outputs) list = json_object_get(trial, "values");
    if (list) return json_array_size(list) > 0 ? list : NULL;
    if (s->outputs) return any_value(json_object_get(trial, "outputs")) ? trial : NULL;
    const json_t *value = json_object_get(trial, "value");
    return value && !json_is_null(value) ? trial : NULL;
}

/* Whether a value lies outside its parameter's range; one of another type is a mistake. */
static int is_outside(const locbo_parameter *p, const json_t *json) {
    double value;
    int typed = p->kind == LOCBO_CATEGORICAL ? json_is_string(json) || json_is_number(json) || json_is_boolean(json)
                                             : json_is_number(json);
    return typed && value_from_json(p, json, &value, NULL) != LOCBO_OK;
}

/* What the file lacks of the active parameters; which are active depends on those before. */
static locbo_status fill_active(const subject *s, double *x, locbo_error *error) {
    unsigned char *active = mem_new(s->dim, sizeof *active);
    locbo_status status = active ? LOCBO_OK : status_no_memory(error);
    for (size_t j = 0; j < s->dim && status == LOCBO_OK; j++) {
        if (!isnan(x[j])) continue;
        status = locbo_space_active(s->space, x, active, error);
        if (active[j]) x[j] = s->how.fill[j];
    }
    mem_free(active);
    return status;
}

/* Whether a point that is refused lacks nothing: then it is outside the space. */
static int has_all(const subject *s, const double *x) {
    for (size_t j = 0; j < s->dim; j++) {
        locbo_parameter p;
        locbo_space_parameter(s->space, j, &p, NULL);
        if (isnan(x[j]) && p.parent == SIZE_MAX) return 0;
    }
    return 1;
}

/* The point of a trial, filled where it has none; `outside`: it is skipped. */
static locbo_status take_point(const subject *s, json_t *params, double *x, int *outside, locbo_error *error) {
    *outside = 0;
    for (size_t j = 0; s->how.skip_outside && j < s->dim; j++) {
        locbo_parameter p;
        locbo_space_parameter(s->space, j, &p, NULL);
        *outside |= is_outside(&p, json_object_get(params, p.name));
    }
    if (*outside) return LOCBO_OK;
    locbo_status status = value_from_object(s->space, params, 1, x, error);
    if (status == LOCBO_OK && s->how.fill) status = fill_active(s, x, error);
    if (status != LOCBO_OK) return status;
    status = value_check_point(s->space, x, error);
    if (status != LOCBO_ERR_ARGUMENT || !s->how.skip_outside || !has_all(s, x)) return status;
    *outside = 1;
    return LOCBO_OK;
}

static uint64_t order_of(const json_t *number) {
    return json_is_integer(number) ? (uint64_t)json_integer_value(number) : 0;
}

/* A trial without a result. */
static locbo_status take_failure(const subject *s, json_t *trial, const char *state, point_table *p,
                                 locbo_error *error) {
    const char *message = json_string_value(json_object_get(trial, "message"));
    int outside;
    double *x = add_point(p, s);
    if (!x) return status_no_memory(error);
    p->sequence[p->count - 1] = order_of(json_object_get(trial, "failure"));
    locbo_status status =
        keep_failure(p, state, message, s->outputs ? "it has no \"outputs\" with a value" : "it has no value", error);
    if (status != LOCBO_OK) return status;
    status = take_point(s, json_object_get(trial, "params"), x, &outside, error);
    if (status != LOCBO_OK || !outside) return status;
    drop_points(p, p->count - 1);
    p->outside++;
    return LOCBO_OK;
}

/* What a trial says of its state; "": nothing. NULL: it is no word. */
static const char *state_in(const json_t *trial) {
    const json_t *state = json_object_get(trial, "state");
    return state && !json_is_null(state) ? json_string_value(state) : "";
}

static locbo_status take_trial(const subject *s, json_t *trial, point_table *p, locbo_error *error) {
    size_t first = p->count;
    int outside = 0, left_out;
    if (!json_is_object(trial)) return not_right("it must be an object", error);
    const char *state = state_in(trial);
    if (!state) return not_right("\"state\" must be a text", error);
    locbo_status known = leave_out(p, state, &left_out, error);
    if (known != LOCBO_OK || left_out) return known;
    json_t *results = results_of(s, trial);
    if (!results) return take_failure(s, trial, state, p, error);
    if (is_contradiction(p, state)) return LOCBO_OK;
    size_t count = json_is_array(results) ? json_array_size(results) : 1;
    for (size_t i = 0; i < count; i++) {
        json_t *one = json_is_array(results) ? json_array_get(results, i) : results;
        double *x = add_point(p, s);
        if (!x) return status_no_memory(error);
        size_t k = p->count - 1;
        locbo_status status = take_result(s, one, p->measurements + k * s->width, error);
        p->sequence[k] = order_of(json_object_get(one, "sequence"));
        p->group[k] = first;
        if (status == LOCBO_OK && i == 0) status = take_point(s, json_object_get(trial, "params"), x, &outside, error);
        if (status != LOCBO_OK) return status;
        if (i > 0) memcpy(x, p->x + first * s->dim, s->dim * sizeof *x);
    }
    if (!outside) return LOCBO_OK;
    p->outside += count;
    drop_points(p, first);
    return LOCBO_OK;
}

typedef struct ranked {
    uint64_t sequence;
    size_t index;
} ranked;

static int compare(const void *a, const void *b) {
    const ranked *p = a, *q = b;
    if (p->sequence != q->sequence) return p->sequence < q->sequence ? -1 : 1;
    return (p->index > q->index) - (p->index < q->index);
}

/* In the order told, where that is known. */
static locbo_status sort_points(point_table *p, const subject *s, locbo_error *error) {
    size_t dim = s->dim, width = s->width, n = p->count;
    ranked *order = mem_new(n, sizeof *order);
    point_table to = {.capacity = n,
                      .x = mem_new(n, dim * sizeof *to.x),
                      .measurements = mem_new(n, width * sizeof *to.measurements),
                      .sequence = mem_new(n, sizeof *to.sequence),
                      .state = mem_new(n, sizeof *to.state),
                      .message = mem_new(n, sizeof *to.message),
                      .group = mem_new(n, sizeof *to.group),
                      .left_out = p->left_out,
                      .failed = p->failed,
                      .retracted = p->retracted,
                      .pruned = p->pruned,
                      .outside = p->outside};
    int memory = order && to.x && to.measurements && to.sequence && to.state && to.message && to.group;
    for (size_t i = 0; memory && i < n; i++) order[i] = (ranked){p->sequence[i], i};
    if (memory && n > 1) qsort(order, n, sizeof *order, compare);
    for (size_t i = 0; memory && i < n; i++) {
        size_t from = order[i].index;
        memcpy(to.x + i * dim, p->x + from * dim, dim * sizeof *to.x);
        memcpy(to.measurements + i * width, p->measurements + from * width, width * sizeof *to.measurements);
        to.sequence[i] = p->sequence[from];
        to.state[i] = p->state[from];
        to.message[i] = p->message[from];
        to.group[i] = p->group[from];
        p->message[from] = NULL; /* it belongs to the sorted table now */
        to.count++;
    }
    mem_free(order);
    point_table_release(memory ? p : &to);
    if (memory) *p = to;
    return memory ? LOCBO_OK : status_no_memory(error);
}

static locbo_status take_trials(const subject *s, const char *file, const json_t *list, point_table *p,
                                locbo_error *error) {
    if (!json_is_array(list))
        return status_fail(error, LOCBO_ERR_IO, "%.100s: neither a list of trials nor an object with \"trials\"", file);
    for (size_t i = 0; i < json_array_size(list); i++) {
        locbo_error why;
        locbo_status status = take_trial(s, json_array_get(list, i), p, &why);
        if (status == LOCBO_ERR_MEMORY) return status_no_memory(error);
        if (status != LOCBO_OK)
            return status_fail(error, LOCBO_ERR_IO, "%.100s: trial %zu of the list: %s", file, i + 1, why.message);
    }
    return sort_points(p, s, error);
}

locbo_status point_table_from_json(const point_reading *how, const char *file, const char *text, size_t size,
                                   point_table *made, locbo_error *error) {
    json_error_t why;
    subject s = subject_of(how);
    *made = (point_table){0};
    json_t *json = json_loadb(text, size, JSON_REJECT_DUPLICATES, &why);
    if (!json) return status_fail(error, LOCBO_ERR_IO, "%.100s:%d: not JSON: %.100s", file, why.line, why.text);
    const json_t *list = json_is_object(json) ? json_object_get(json, "trials") : json;
    locbo_status status = take_trials(&s, file, list, made, error);
    if (status != LOCBO_OK) point_table_release(made);
    json_decref(json);
    return status;
}
