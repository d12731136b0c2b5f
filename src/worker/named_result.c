/* named_result.c - rows of measurements from results with names. Lines and bare numbers are made into the object that
 * says the same, so that there is one way from values to rows. Layer: worker. Cost: linear in the text, and every
 * output's name is looked up in it. */
#include "named_result.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "expression.h"
#include "mem.h"
#include "reading.h"
#include "value.h"

/* ---- the table --------------------------------------------------------------------------------- */

static locbo_output_spec output_at(const locbo_outputs *outputs, size_t index) {
    locbo_output_spec spec = {.struct_size = sizeof spec};
    locbo_outputs_get(outputs, index, &spec, NULL);
    return spec;
}

int named_result_applies(const locbo_outputs *outputs) {
    size_t count = locbo_outputs_count(outputs);
    return count > 1 || (count == 1 && strcmp(output_at(outputs, 0).name, "value") != 0);
}

size_t named_result_measured(const locbo_outputs *outputs) {
    size_t measured = 0;
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++) measured += !output_at(outputs, i).expression;
    return measured;
}

void named_result_names(const locbo_outputs *outputs, char text[NAMED_RESULT_LIST]) {
    const size_t room = NAMED_RESULT_LIST - sizeof ", ...";
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++) {
        locbo_output_spec spec = output_at(outputs, i);
        char one[48];
        if (spec.expression) continue;
        size_t size = (size_t)snprintf(one, sizeof one, "%s%.40s", used ? ", " : "", spec.name);
        if (used + size > room) {
            strcpy(text + used, ", ...");
            return;
        }
        memcpy(text + used, one, size + 1);
        used += size;
    }
}

void named_result_example(const locbo_outputs *outputs, char text[NAMED_RESULT_LIST]) {
    size_t measured = named_result_measured(outputs), shown = 0, used = 0;
    for (size_t i = 0; i < locbo_outputs_count(outputs) && shown < (measured > 2 ? 1 : measured); i++) {
        locbo_output_spec spec = output_at(outputs, i);
        if (spec.expression) continue;
        used += (size_t)snprintf(text + used, NAMED_RESULT_LIST - used, "%s\"%.24s\": 0.5", shown++ ? ", " : "{",
                                 spec.name);
    }
    snprintf(text + used, NAMED_RESULT_LIST - used, "%s", measured > 2 ? ", ...}" : "}");
}

/* ---- lines ------------------------------------------------------------------------------------- */

/* Whether "name" or 'name' stands in the line. */
static int has_quoted(const char *line, size_t size, const char *name) {
    size_t length = strlen(name);
    const char *at = line, *end = line + size;
    while ((at = memmem(at, (size_t)(end - at), name, length))) {
        if (at > line && at + length < end && (at[-1] == '"' || at[-1] == '\'') && at[length] == at[-1]) return 1;
        at++;
    }
    return 0;
}

static int mentions(const locbo_outputs *outputs, const char *line, size_t size) {
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++) {
        locbo_output_spec spec = output_at(outputs, i);
        if (!spec.expression && has_quoted(line, size, spec.name)) return 1;
    }
    return 0;
}

static int has_output(const locbo_outputs *outputs, const json_t *object) {
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++) {
        locbo_output_spec spec = output_at(outputs, i);
        if (!spec.expression && json_object_get(object, spec.name)) return 1;
    }
    return 0;
}

int named_result_is_object(const locbo_outputs *outputs, const char *line, size_t size) {
    if (size == 0 || line[0] != '{') return 0;
    int meant = mentions(outputs, line, size);
    if (!meant && !memchr(line, '\\', size)) return 0; /* \u00e9 may be a character of a name */
    json_error_t why;
    json_t *json = reading_json(line, size, &why);
    int yes = json ? has_output(outputs, json) : meant;
    json_decref(json);
    return yes;
}

int named_result_is_line(const locbo_outputs *outputs, const char *line, size_t size, size_t *output,
                         const char **value, size_t *value_size) {
    const char *sign = memchr(line, '=', size), *name = line;
    if (!sign) return 0;
    size_t length = (size_t)(sign - line);
    reading_trim(&name, &length, " \t\r");
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++) {
        locbo_output_spec spec = output_at(outputs, i);
        if (spec.expression || strlen(spec.name) != length || memcmp(spec.name, name, length) != 0) continue;
        *output = i;
        *value = sign + 1;
        *value_size = size - (size_t)(sign + 1 - line);
        reading_trim(value, value_size, " \t\r");
        return 1;
    }
    return 0;
}

/* ---- rows -------------------------------------------------------------------------------------- */

/* The result while it is read: what each output has, NULL where it is lacking, and how many rows that makes. */
typedef struct table {
    const locbo_outputs *outputs;
    size_t width, rows;
    const char *listed; /* the first output with a list; NULL: none */
    struct part {
        size_t count;
        locbo_measurement *m;
    } * parts;
} table;

static locbo_status read_part(table *t, size_t index, const json_t *json, locbo_error *error) {
    locbo_output_spec spec = output_at(t->outputs, index);
    struct part *p = &t->parts[index];
    locbo_error inner;
    locbo_status status = reading_any(json, &p->count, &p->m, &inner);
    if (status == LOCBO_ERR_MEMORY) return status_no_memory(error);
    if (status != LOCBO_OK) return status_fail(error, status, "%.40s: %s", spec.name, inner.message);
    int is_list = json_is_array(json) || json_object_get(json, "values");
    if (!is_list) return LOCBO_OK;
    if (t->listed && p->count != t->rows)
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "the lists of one result must be of one length, got %zu for "
                           "%.40s and %zu for %.40s",
                           t->rows, t->listed, p->count, spec.name);
    if (!t->listed) t->listed = spec.name;
    t->rows = p->count;
    return LOCBO_OK;
}

static locbo_status read_parts(table *t, const json_t *object, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < t->width && status == LOCBO_OK; i++) {
        locbo_output_spec spec = output_at(t->outputs, i);
        const json_t *json = spec.expression ? NULL : json_object_get(object, spec.name);
        if (json) status = read_part(t, i, json, error);
    }
    return status;
}

static void fill_rows(const table *t, locbo_measurement *rows) {
    for (size_t i = 0; i < t->rows * t->width; i++) {
        const struct part *p = &t->parts[i % t->width];
        size_t row = i / t->width;
        rows[i] = row < p->count ? p->m[row] : (locbo_measurement){NAN, NAN, 1};
    }
}

/* ---- what a row must have ---------------------------------------------------------------------- */

/* Whether all that the expression names is there; outputs before `index` are marked in `there`. */
static locbo_status check_derived(const locbo_outputs *outputs, size_t index, char *there, locbo_error *error) {
    expression *e = NULL;
    locbo_status status = expression_parse(&e, output_at(outputs, index).expression, NULL);
    there[index] = status == LOCBO_OK;
    for (size_t i = 0; status == LOCBO_OK && i < expression_name_count(e); i++) {
        size_t needed = index;
        if (locbo_outputs_find(outputs, expression_name(e, i), &needed, NULL) != LOCBO_OK || needed >= index ||
            !there[needed])
            there[index] = 0;
    }
    if (status == LOCBO_OK) expression_destroy(e);
    return status == LOCBO_ERR_MEMORY ? status_no_memory(error) : LOCBO_OK;
}

/* Whether the row has an objective or a constraint, or all that a derived one needs. */
static locbo_status check_row(const locbo_outputs *outputs, const locbo_measurement *row, char *there, int *good,
                              locbo_error *error) {
    locbo_status status = LOCBO_OK;
    *good = 0;
    for (size_t i = 0; i < locbo_outputs_count(outputs) && status == LOCBO_OK && !*good; i++) {
        locbo_output_spec spec = output_at(outputs, i);
        there[i] = (char)!isnan(row[i].value);
        if (spec.expression) status = check_derived(outputs, i, there, error);
        *good = there[i] && spec.goal != LOCBO_GOAL_RECORD;
    }
    return status;
}

static locbo_status refuse_row(const table *t, size_t row, locbo_error *error) {
    char which[60] = "the result";
    if (t->rows > 1) snprintf(which, sizeof which, "replicate %zu of %zu", row + 1, t->rows);
    return status_fail(error, LOCBO_ERR_ARGUMENT, "%s has no value of an objective or constraint", which);
}

static locbo_status check_rows(const table *t, const locbo_measurement *rows, locbo_error *error) {
    char *there = mem_new(t->width, 1);
    locbo_status status = there ? LOCBO_OK : status_no_memory(error);
    for (size_t i = 0; i < t->rows && status == LOCBO_OK; i++) {
        int good = 0;
        status = check_row(t->outputs, rows + i * t->width, there, &good, error);
        if (status == LOCBO_OK && !good) status = refuse_row(t, i, error);
    }
    mem_free(there);
    return status;
}

/* ---- from an object to rows -------------------------------------------------------------------- */

/* Words that would belong to an output, but stand beside all of them. */
static locbo_status check_words(const locbo_outputs *outputs, const json_t *object, locbo_error *error) {
    static const char *const words[] = {"sd", "n", "values"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (json_object_get(object, words[i]) && locbo_outputs_find(outputs, words[i], NULL, NULL) != LOCBO_OK)
            return status_fail(error, LOCBO_ERR_ARGUMENT,
                               "\"%s\" must stand in the object of its output, as in {\"%.40s\": {\"value\": 0.5, "
                               "\"sd\": 0.1, \"n\": 4}}",
                               words[i], output_at(outputs, 0).name);
    return LOCBO_OK;
}

static locbo_status read_rows(table *t, const json_t *object, locbo_measurement **rows, locbo_error *error) {
    locbo_status status = read_parts(t, object, error);
    if (status != LOCBO_OK) return status;
    locbo_measurement *made = mem_new(t->rows * t->width, sizeof *made);
    if (!made) return status_no_memory(error);
    fill_rows(t, made);
    status = check_rows(t, made, error);
    if (status == LOCBO_OK)
        *rows = made;
    else
        mem_free(made);
    return status;
}

locbo_status named_result_object(const locbo_outputs *outputs, const json_t *object, size_t *count,
                                 locbo_measurement **measurements, locbo_error *error) {
    table t = {.outputs = outputs, .width = locbo_outputs_count(outputs), .rows = 1};
    if (!has_output(outputs, object)) {
        char names[NAMED_RESULT_LIST], example[NAMED_RESULT_LIST];
        named_result_names(outputs, names);
        named_result_example(outputs, example);
        return status_fail(error, LOCBO_ERR_NOT_FOUND, "the JSON object has none of the outputs %s; write %s", names,
                           example);
    }
    locbo_status status = check_words(outputs, object, error);
    if (status != LOCBO_OK) return status;
    t.parts = mem_new(t.width, sizeof *t.parts);
    if (!t.parts) return status_no_memory(error);
    status = read_rows(&t, object, measurements, error);
    if (status == LOCBO_OK) *count = t.rows;
    for (size_t i = 0; i < t.width; i++) mem_free(t.parts[i].m);
    mem_free(t.parts);
    return status;
}

/* ---- from texts -------------------------------------------------------------------------------- */

enum { KEY = 48 }; /* bytes of a key that messages show */

/* The last key of the outermost object before `end`, for messages: most of what is no JSON is a value like NaN. */
static void find_key(const char *text, size_t end, char key[KEY]) {
    int depth = 0;
    key[0] = '\0';
    for (size_t i = 0; i < end; i++) {
        depth += text[i] == '{' || text[i] == '[';
        depth -= text[i] == '}' || text[i] == ']';
        if (text[i] != '"') continue;
        size_t start = ++i;
        while (i < end && text[i] != '"') i += text[i] == '\\' ? 2 : 1;
        size_t next = i + 1;
        while (next < end && strchr(" \t\r\n", text[next]) && text[next]) next++;
        if (next >= end || text[next] != ':' || depth != 1) continue;
        reading_clean(key, KEY, text + start, i - start);
    }
}

static locbo_status parse_object(const locbo_outputs *outputs, const char *text, size_t size, size_t *count,
                                 locbo_measurement **measurements, locbo_error *error) {
    json_error_t why = {0};
    json_t *json = reading_json(text, size, &why);
    if (!json) {
        char key[KEY], where[KEY + 16] = "";
        size_t end = why.position > 0 && (size_t)why.position < size ? (size_t)why.position : size;
        find_key(text, end, key);
        /* of a key that is given twice jansson's reason has the name */
        if (key[0] && json_error_code(&why) != json_error_duplicate_key)
            snprintf(where, sizeof where, "after \"%s\": ", key);
        return reading_not_json(&why, where, text, size, error);
    }
    locbo_status status = named_result_object(outputs, json, count, measurements, error);
    json_decref(json);
    return status;
}

/* The value of one line, or LOCBO_ERR_ARGUMENT. */
static locbo_status read_text(const char *name, const char *text, json_t **json, locbo_error *error) {
    double number;
    char shown[READING_SHOWN + 1] = "";
    json_error_t why;
    size_t size = strlen(text);
    reading_clean(shown, sizeof shown, text, size);
    int is_number = reading_number(text, size, &number);
    if (is_number && !isfinite(number))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "%.40s: the value must be finite, got %s", name, shown);
    *json = is_number ? json_real(number) : reading_json(text, size, &why);
    if (*json) return LOCBO_OK;
    if (is_number || json_error_code(&why) == json_error_out_of_memory) return status_no_memory(error);
    return status_fail(error, LOCBO_ERR_ARGUMENT, "%.40s: '%s' is not a number", name, shown);
}

static locbo_status add_text(json_t *object, const char *name, const char *text, locbo_error *error) {
    json_t *json = NULL;
    locbo_status status = read_text(name, text, &json, error);
    if (status != LOCBO_OK) return status;
    return json_object_set_new(object, name, json) == 0 ? LOCBO_OK : status_no_memory(error);
}

locbo_status named_result_values(const locbo_outputs *outputs, char *const *values, size_t *count,
                                 locbo_measurement **measurements, locbo_error *error) {
    json_t *object = json_object();
    locbo_status status = object ? LOCBO_OK : status_no_memory(error);
    for (size_t i = 0; i < locbo_outputs_count(outputs) && status == LOCBO_OK; i++)
        if (values[i]) status = add_text(object, output_at(outputs, i).name, values[i], error);
    if (status == LOCBO_OK) status = named_result_object(outputs, object, count, measurements, error);
    json_decref(object);
    return status;
}

/* The value of one line into `values`, which has room for a text for each output. */
static locbo_status keep_line(const locbo_outputs *outputs, const char *line, size_t size, char **values,
                              locbo_error *error) {
    char shown[READING_SHOWN + 1] = "", names[NAMED_RESULT_LIST];
    const char *value;
    size_t output, value_size;
    reading_clean(shown, sizeof shown, line, size);
    named_result_names(outputs, names);
    if (!named_result_is_line(outputs, line, size, &output, &value, &value_size))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "'%s' is not NAME=VALUE of one of the outputs %s", shown, names);
    if (values[output])
        return status_fail(error, LOCBO_ERR_ARGUMENT, "%.40s is given twice", output_at(outputs, output).name);
    if (memchr(value, '\0', value_size))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "'%s' contains a NUL byte", shown);
    values[output] = mem_new(value_size + 1, 1);
    if (!values[output]) return status_no_memory(error);
    memcpy(values[output], value, value_size);
    return LOCBO_OK;
}

static locbo_status keep_lines(const locbo_outputs *outputs, const char *text, size_t size, char **values,
                               locbo_error *error) {
    locbo_status status = LOCBO_OK;
    while (size > 0 && status == LOCBO_OK) {
        const char *end = memchr(text, '\n', size), *line = text;
        size_t length = end ? (size_t)(end - text) : size, step = length + (end != NULL);
        reading_trim(&line, &length, " \t\r");
        if (length > 0) status = keep_line(outputs, line, length, values, error);
        text += step;
        size -= step;
    }
    return status;
}

static locbo_status parse_lines(const locbo_outputs *outputs, const char *text, size_t size, size_t *count,
                                locbo_measurement **measurements, locbo_error *error) {
    size_t width = locbo_outputs_count(outputs);
    char **values = mem_new(width, sizeof *values);
    if (!values) return status_no_memory(error);
    locbo_status status = keep_lines(outputs, text, size, values, error);
    if (status == LOCBO_OK) status = named_result_values(outputs, values, count, measurements, error);
    for (size_t i = 0; i < width; i++) mem_free(values[i]);
    mem_free(values);
    return status;
}

/* A bare number for the one output that is measured. */
static locbo_status read_bare(const locbo_outputs *outputs, const char *number, size_t *count,
                              locbo_measurement **measurements, locbo_error *error) {
    json_t *object = json_object();
    locbo_status status = object ? LOCBO_OK : status_no_memory(error);
    for (size_t i = 0; i < locbo_outputs_count(outputs) && status == LOCBO_OK; i++) {
        locbo_output_spec spec = output_at(outputs, i);
        if (!spec.expression) status = add_text(object, spec.name, number, error);
    }
    if (status == LOCBO_OK) status = named_result_object(outputs, object, count, measurements, error);
    json_decref(object);
    return status;
}

static locbo_status parse_number(const locbo_outputs *outputs, const char *text, size_t size, size_t *count,
                                 locbo_measurement **measurements, locbo_error *error) {
    double number;
    char names[NAMED_RESULT_LIST], example[NAMED_RESULT_LIST], shown[READING_SHOWN + 1] = "";
    named_result_names(outputs, names);
    named_result_example(outputs, example);
    reading_clean(shown, sizeof shown, text, size);
    if (!reading_number(text, size, &number))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "'%s' is no result of the outputs %s; write %s", shown, names,
                           example);
    if (named_result_measured(outputs) != 1)
        return status_fail(error, LOCBO_ERR_NOT_FOUND, "a bare number is not enough for the outputs %s; write %s",
                           names, example);
    char line[READING_NUMBER]; /* a number fits */
    snprintf(line, sizeof line, "%.*s", (int)size, text);
    return read_bare(outputs, line, count, measurements, error);
}

locbo_status named_result_parse(const locbo_outputs *outputs, const char *text, size_t size, size_t *count,
                                locbo_measurement **measurements, locbo_error *error) {
    if (size > 0 && text[0] == '{') return parse_object(outputs, text, size, count, measurements, error);
    if (memchr(text, '=', size)) return parse_lines(outputs, text, size, count, measurements, error);
    return parse_number(outputs, text, size, count, measurements, error);
}
