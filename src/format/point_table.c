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
#include "value.h"

void point_table_release(point_table *p) {
    mem_free(p->x);
    mem_free(p->measurements);
    mem_free(p->sequence);
    *p = (point_table){0};
}

/* One more, its values not set; NULL without memory. */
static double *add_point(point_table *p, size_t dim) {
    mem_array arrays[] = {
        {&p->x, dim * sizeof *p->x}, {&p->measurements, sizeof *p->measurements}, {&p->sequence, sizeof *p->sequence}};
    if (!mem_reserve_all(3, arrays, &p->capacity, p->count + 1)) return NULL;
    p->measurements[p->count] = (locbo_measurement){.value = (double)NAN, .sd = (double)NAN, .n = 1};
    return p->x + p->count++ * dim;
}

/* ---- the columns of a CSV file --------------------------------------------------------------- */

typedef enum role { ROLE_NONE, ROLE_PARAMETER, ROLE_VALUE, ROLE_SD, ROLE_N } role;

typedef struct columns {
    const locbo_space *space;
    const char *file;
    size_t dim;
    csv table;
    role *role;
    locbo_parameter *parameter; /* of ROLE_PARAMETER */
    size_t *index;
    int measured, ignore_extra;
} columns;

static const char prefix[] = "params.";

/* Whether a column means a parameter: by its name, unless "params.NAME" is there and so the name is one of ours. */
static int is_parameter(const columns *s, const char *name, size_t *index) {
    char full[300];
    size_t other, skip = sizeof prefix - 1;
    if (strncmp(name, prefix, skip) == 0 && locbo_space_find(s->space, name + skip, index, NULL) == LOCBO_OK) return 1;
    if (locbo_space_find(s->space, name, index, NULL) != LOCBO_OK) return 0;
    snprintf(full, sizeof full, "%s%.250s", prefix, name);
    return !csv_find(&s->table, full, &other);
}

static locbo_status name_role(columns *s, size_t column, locbo_error *error) {
    static const struct {
        const char *name;
        role role;
    } ours[] = {{"value", ROLE_VALUE}, {"sd", ROLE_SD}, {"n", ROLE_N}, {"trial", ROLE_NONE}, {"state", ROLE_NONE}};
    const char *name = csv_name(&s->table, column);
    if (is_parameter(s, name, &s->index[column])) {
        s->role[column] = ROLE_PARAMETER;
        return locbo_space_parameter(s->space, s->index[column], &s->parameter[column], error);
    }
    for (size_t i = 0; s->measured && i < sizeof ours / sizeof ours[0]; i++)
        if (strcmp(name, ours[i].name) == 0) return (s->role[column] = ours[i].role, LOCBO_OK);
    if (s->ignore_extra) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_IO, "%.100s:1: unknown column '%.60s' (--ignore-extra skips such columns)",
                       s->file, name);
}

static int has_role(const columns *s, role wanted, size_t index) {
    for (size_t i = 0; i < s->table.columns; i++)
        if (s->role[i] == wanted && (wanted != ROLE_PARAMETER || s->index[i] == index)) return 1;
    return 0;
}

static locbo_status check_columns(const columns *s, locbo_error *error) {
    for (size_t j = 0; j < s->dim; j++) {
        locbo_parameter p;
        locbo_space_parameter(s->space, j, &p, NULL);
        if (!has_role(s, ROLE_PARAMETER, j))
            return status_fail(error, LOCBO_ERR_IO, "%.100s:1: there is no column '%.60s'", s->file, p.name);
    }
    if (s->measured && !has_role(s, ROLE_VALUE, 0))
        return status_fail(error, LOCBO_ERR_IO, "%.100s:1: there is no column 'value'%s", s->file,
                           locbo_space_find(s->space, "value", &(size_t){0}, NULL) == LOCBO_OK
                               ? " besides the parameter of this name, whose column is then 'params.value'"
                               : "");
    return LOCBO_OK;
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

static locbo_status read_value(const char *text, double *value, locbo_error *error) {
    if (!text[0]) return status_fail(error, LOCBO_ERR_IO, "value is missing");
    if (number_parse(text, value) && isfinite(*value)) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_IO, "value must be a finite number, got '%.40s'", text);
}

static locbo_status read_sd(const char *text, double *sd, locbo_error *error) {
    *sd = (double)NAN;
    if (!text[0] || (number_parse(text, sd) && isfinite(*sd) && *sd >= 0)) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_IO, "sd must be a number of at least 0, got '%.40s'", text);
}

static locbo_status read_n(const char *text, unsigned *n, locbo_error *error) {
    int64_t whole = 1;
    if (!text[0] || (value_whole(text, &whole) && whole >= 1 && whole <= INT_MAX)) {
        *n = (unsigned)whole;
        return LOCBO_OK;
    }
    return status_fail(error, LOCBO_ERR_IO, "n must be a whole number of at least 1, got '%.40s'", text);
}

static locbo_status read_cell(const columns *s, size_t column, const char *text, double *x, locbo_measurement *m,
                              locbo_error *error) {
    switch (s->role[column]) {
    case ROLE_PARAMETER:
        return value_parse(&s->parameter[column], text, &x[s->index[column]], error);
    case ROLE_VALUE:
        return read_value(text, &m->value, error);
    case ROLE_SD:
        return read_sd(text, &m->sd, error);
    case ROLE_N:
        return read_n(text, &m->n, error);
    case ROLE_NONE:
        break;
    }
    return LOCBO_OK;
}

static locbo_status read_rows(const columns *s, point_table *p, locbo_error *error) {
    for (size_t i = 0; i < s->table.rows; i++) {
        double *x = add_point(p, s->dim);
        if (!x) return status_no_memory(error);
        for (size_t j = 0; j < s->table.columns; j++) {
            locbo_error why;
            locbo_status status = read_cell(s, j, csv_cell(&s->table, i, j), x, &p->measurements[p->count - 1], &why);
            if (status != LOCBO_OK)
                return status_fail(error, LOCBO_ERR_IO, "%.100s:%zu: %s", s->file, s->table.line[i], why.message);
        }
    }
    return LOCBO_OK;
}

locbo_status point_table_from_csv(const locbo_space *space, const char *file, char *text, size_t size, int measured,
                                  int ignore_extra, point_table *made, locbo_error *error) {
    columns s = {.space = space,
                 .file = file,
                 .dim = locbo_space_dim(space),
                 .measured = measured,
                 .ignore_extra = ignore_extra};
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

/* {"value":0.5,"sd":null,"n":1,"sequence":7}, or a bare number. */
static locbo_status take_measurement(const json_t *json, locbo_measurement *m, uint64_t *sequence, locbo_error *error) {
    const json_t *value = json_is_object(json) ? json_object_get(json, "value") : json;
    const json_t *sd = json_object_get(json, "sd"), *n = json_object_get(json, "n");
    const json_t *order = json_object_get(json, "sequence");
    if (!json_is_number(value) || !isfinite(json_number_value(value)))
        return not_right("value must be a finite number", error);
    if (sd && !json_is_null(sd) && !(json_is_number(sd) && json_number_value(sd) >= 0))
        return not_right("sd must be a number of at least 0, or null", error);
    if (n && !(json_is_integer(n) && json_integer_value(n) >= 1 && json_integer_value(n) <= INT_MAX))
        return not_right("n must be a whole number of at least 1", error);
    m->value = json_number_value(value);
    m->sd = json_is_number(sd) ? json_number_value(sd) : (double)NAN;
    m->n = n ? (unsigned)json_integer_value(n) : 1;
    *sequence = json_is_integer(order) ? (uint64_t)json_integer_value(order) : 0;
    return LOCBO_OK;
}

/* The results of a trial: a list to be read one by one, or the trial itself. NULL: there is none.
 */
static const json_t *results_of(const json_t *trial) {
    const json_t *list = json_object_get(trial, "measurements");
    if (!list) list = json_object_get(trial, "values");
    if (list) return json_array_size(list) > 0 ? list : NULL;
    const json_t *value = json_object_get(trial, "value");
    return value && !json_is_null(value) ? trial : NULL;
}

static locbo_status take_trial(const locbo_space *space, json_t *trial, point_table *p, locbo_error *error) {
    size_t dim = locbo_space_dim(space), first = p->count;
    if (!json_is_object(trial)) return not_right("it must be an object", error);
    const json_t *results = results_of(trial);
    if (!results && json_object_get(trial, "state")) return (p->left_out++, LOCBO_OK);
    if (!results) return not_right("it has no value", error);
    size_t count = json_is_array(results) ? json_array_size(results) : 1;
    for (size_t i = 0; i < count; i++) {
        const json_t *one = json_is_array(results) ? json_array_get(results, i) : results;
        double *x = add_point(p, dim);
        if (!x) return status_no_memory(error);
        size_t k = p->count - 1;
        locbo_status status = take_measurement(one, &p->measurements[k], &p->sequence[k], error);
        if (status == LOCBO_OK && i == 0)
            status = value_from_object(space, json_object_get(trial, "params"), 0, x, error);
        if (status != LOCBO_OK) return status;
        if (i > 0) memcpy(x, p->x + first * dim, dim * sizeof *x);
    }
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
static locbo_status sort_points(point_table *p, size_t dim, locbo_error *error) {
    ranked *order = mem_new(p->count, sizeof *order);
    point_table sorted = {.count = p->count,
                          .x = mem_new(p->count, dim * sizeof *sorted.x),
                          .measurements = mem_new(p->count, sizeof *sorted.measurements),
                          .sequence = mem_new(p->count, sizeof *sorted.sequence),
                          .left_out = p->left_out};
    int memory = order && sorted.x && sorted.measurements && sorted.sequence;
    for (size_t i = 0; memory && i < p->count; i++) order[i] = (ranked){p->sequence[i], i};
    if (memory && p->count > 1) qsort(order, p->count, sizeof *order, compare);
    for (size_t i = 0; memory && i < p->count; i++) {
        size_t from = order[i].index;
        memcpy(sorted.x + i * dim, p->x + from * dim, dim * sizeof *sorted.x);
        sorted.measurements[i] = p->measurements[from];
        sorted.sequence[i] = p->sequence[from];
    }
    mem_free(order);
    point_table_release(memory ? p : &sorted);
    if (memory) *p = sorted;
    return memory ? LOCBO_OK : status_no_memory(error);
}

static locbo_status take_trials(const locbo_space *space, const char *file, const json_t *list, point_table *p,
                                locbo_error *error) {
    if (!json_is_array(list))
        return status_fail(error, LOCBO_ERR_IO, "%.100s: neither a list of trials nor an object with \"trials\"", file);
    for (size_t i = 0; i < json_array_size(list); i++) {
        locbo_error why;
        locbo_status status = take_trial(space, json_array_get(list, i), p, &why);
        if (status == LOCBO_ERR_MEMORY) return status_no_memory(error);
        if (status != LOCBO_OK)
            return status_fail(error, LOCBO_ERR_IO, "%.100s: trial %zu of the list: %s", file, i + 1, why.message);
    }
    return sort_points(p, locbo_space_dim(space), error);
}

locbo_status point_table_from_json(const locbo_space *space, const char *file, const char *text, size_t size,
                                   point_table *made, locbo_error *error) {
    json_error_t why;
    *made = (point_table){0};
    json_t *json = json_loadb(text, size, JSON_REJECT_DUPLICATES, &why);
    if (!json) return status_fail(error, LOCBO_ERR_IO, "%.100s:%d: not JSON: %.100s", file, why.line, why.text);
    const json_t *list = json_is_object(json) ? json_object_get(json, "trials") : json;
    locbo_status status = take_trials(space, file, list, made, error);
    if (status != LOCBO_OK) point_table_release(made);
    json_decref(json);
    return status;
}
