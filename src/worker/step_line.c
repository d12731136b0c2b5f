/* step_line.c - steps in the output of an evaluation. Layer: worker. Cost: linear in the line; most lines are known to
 * be no step by their first byte. */
#include "step_line.h"

#include <math.h>
#include <string.h>

#include "reading.h"

static const double LAST = 9007199254740992; /* 2^53 */

static int is_blank(char c) { return c == ' ' || c == '\t'; }

static step_line judge(double number, double value, locbo_step *step) {
    if (!(number >= 0 && number <= LAST) || floor(number) != number || !isfinite(value)) return STEP_LINE_BAD;
    *step = (locbo_step){(uint64_t)number, value};
    return STEP_LINE_GOOD;
}

/* "step 10 0.53", without blanks around it. `step = 3` is the value of an output. */
static step_line read_words(const char *line, size_t size, locbo_step *step) {
    const size_t word = strlen("step");
    double number, value;
    if (size == word) return STEP_LINE_BAD;
    if (!is_blank(line[word])) return STEP_LINE_OTHER;
    line += word;
    size -= word;
    reading_trim(&line, &size, " \t");
    if (line[0] == '=') return STEP_LINE_OTHER;
    size_t first = 0;
    while (first < size && !is_blank(line[first])) first++;
    const char *rest = line + first;
    size_t left = size - first;
    reading_trim(&rest, &left, " \t");
    if (!reading_number(line, first, &number) || !reading_number(rest, left, &value)) return STEP_LINE_BAD;
    return judge(number, value, step);
}

/* ---- objects ----------------------------------------------------------------------------------- */

/* The first objective: whose value a step has. */
static const char *objective_of(const locbo_outputs *outputs) {
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++) {
        locbo_output_spec spec = {.struct_size = sizeof spec};
        if (locbo_outputs_get(outputs, i, &spec, NULL) != LOCBO_OK) break;
        if (spec.goal == LOCBO_GOAL_MINIMIZE || spec.goal == LOCBO_GOAL_MAXIMIZE) return spec.name;
    }
    return "value";
}

/* Whether the object would be a result if it had no step. */
static int has_output(const locbo_outputs *outputs, const json_t *object) {
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++) {
        locbo_output_spec spec = {.struct_size = sizeof spec};
        if (locbo_outputs_get(outputs, i, &spec, NULL) == LOCBO_OK && json_object_get(object, spec.name)) return 1;
    }
    return json_object_get(object, "value") || json_object_get(object, "values");
}

static int has(const char *text, size_t size, const char *word) {
    return memmem(text, size, word, strlen(word)) != NULL;
}

static step_line read_object(const locbo_outputs *outputs, const char *line, size_t size, locbo_step *step) {
    json_error_t why;
    if (!has(line, size, "\"step\"") && !has(line, size, "'step'")) return STEP_LINE_OTHER;
    if (outputs && locbo_outputs_find(outputs, "step", &(size_t){0}, NULL) == LOCBO_OK) return STEP_LINE_OTHER;
    json_t *json = reading_json(line, size, &why);
    const json_t *number = json_object_get(json, "step"), *value = json_object_get(json, objective_of(outputs));
    if (!value) value = json_object_get(json, "value");
    step_line kind = STEP_LINE_OTHER;
    if (!json || (number && has_output(outputs, json))) kind = STEP_LINE_BAD; /* Python's NaN is no JSON */
    if (json_is_number(number) && json_is_number(value))
        kind = judge(json_number_value(number), json_number_value(value), step);
    json_decref(json);
    return kind;
}

step_line step_line_read(const locbo_outputs *outputs, const char *line, size_t size, locbo_step *step) {
    reading_trim(&line, &size, " \t\r");
    if (size > 0 && line[0] == '{') return read_object(outputs, line, size, step);
    if (size >= strlen("step") && memcmp(line, "step", strlen("step")) == 0) return read_words(line, size, step);
    return STEP_LINE_OTHER;
}
