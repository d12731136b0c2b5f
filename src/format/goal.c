/* goal.c - outputs from "NAME~GOAL,SETTING,..." and back. The text is copied and split at its commas; the first part is
 * the goal or the bound, each other part one setting. Layer: format. Cost: linear in the text; a name of an expression
 * is compared with every output. */
#include "goal.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "buffer.h"
#include "expression.h"
#include "mem.h"
#include "nearest.h"
#include "number.h"
#include "value.h"

static const char *const words[] = {"minimize", "maximize", "record"};
static const locbo_goal goals[] = {LOCBO_GOAL_MINIMIZE, LOCBO_GOAL_MAXIMIZE, LOCBO_GOAL_RECORD};
enum { WORDS = sizeof words / sizeof words[0] };

static int is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_'; }
static int is_digit(char c) { return c >= '0' && c <= '9'; }
static int is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* ---- one output -------------------------------------------------------------------------------- */

locbo_status goal_check_name(const char *name, locbo_error *error) {
    /* keys of requests of `locbo pipe`, and columns of tables */
    static const char *const taken[] = {"attempt", "id", "op", "outputs", "state", "token", "trial"};
    int good = is_letter(name[0]);
    for (const char *c = name; *c; c++) good = good && (is_letter(*c) || is_digit(*c));
    if (!good)
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "an output's name is made of letters, digits and _, with no digit first, got '%.40s'", name);
    for (size_t i = 0; i < sizeof taken / sizeof taken[0]; i++)
        if (strcmp(name, taken[i]) == 0)
            return status_fail(error, LOCBO_ERR_ARGUMENT,
                               "an output cannot be named '%s': the word has a meaning of its own beside results",
                               name);
    return status_ok(error);
}

static locbo_output_spec output_at(const locbo_outputs *outputs, size_t index) {
    locbo_output_spec spec = {.struct_size = sizeof spec};
    locbo_outputs_get(outputs, index, &spec, NULL);
    return spec;
}

enum { HINT = 80 };

/* "; did you mean 'loss'?", or nothing. */
static void hint_output(const locbo_outputs *outputs, const char *name, char hint[HINT]) {
    nearest guess = {.word = name};
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++) nearest_consider(&guess, output_at(outputs, i).name);
    nearest_hint(&guess, "", hint, HINT);
}

/* A name of an expression that no output before it has. */
static locbo_status refuse_unknown(const locbo_outputs *outputs, const char *own, const char *name,
                                   locbo_error *error) {
    char hint[HINT];
    if (strcmp(own, name) == 0)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "output '%.40s': it cannot be computed from itself", own);
    hint_output(outputs, name, hint);
    return status_fail(error, LOCBO_ERR_ARGUMENT, "output '%.40s': there is no output '%.40s' before it%s", own, name,
                       hint);
}

static locbo_status check_expression(const locbo_outputs *outputs, const char *own, const char *text,
                                     locbo_error *error) {
    expression *e = NULL;
    locbo_error inner;
    locbo_status status = expression_parse(&e, text, &inner);
    if (status == LOCBO_ERR_MEMORY) return status_no_memory(error);
    if (status != LOCBO_OK) return status_fail(error, status, "output '%.40s': %.200s", own, inner.message);
    if (expression_name_count(e) == 0)
        status =
            status_fail(error, LOCBO_ERR_ARGUMENT, "output '%.40s': the expression '%.60s' names no output", own, text);
    for (size_t i = 0; i < expression_name_count(e) && status == LOCBO_OK; i++)
        if (locbo_outputs_find(outputs, expression_name(e, i), NULL, NULL) != LOCBO_OK)
            status = refuse_unknown(outputs, own, expression_name(e, i), error);
    expression_destroy(e);
    return status;
}

locbo_status goal_add_spec(locbo_outputs *outputs, const locbo_output_spec *spec, locbo_error *error) {
    locbo_status status = goal_check_name(spec->name, error);
    if (status == LOCBO_OK && spec->expression) status = check_expression(outputs, spec->name, spec->expression, error);
    return status == LOCBO_OK ? locbo_outputs_add(outputs, spec, error) : status;
}

locbo_status goal_check(const locbo_outputs *outputs, locbo_error *error) {
    static const char *const taken[] = {"sd", "n", "values"};
    for (size_t i = 0; i < sizeof taken / sizeof taken[0] && locbo_outputs_count(outputs) > 1; i++)
        if (locbo_outputs_find(outputs, taken[i], NULL, NULL) == LOCBO_OK)
            return status_fail(error, LOCBO_ERR_ARGUMENT,
                               "of several outputs none can be named '%s': the word has a meaning of its own in "
                               "results",
                               taken[i]);
    return locbo_outputs_check(outputs, error);
}

size_t goal_objectives(const locbo_outputs *outputs) {
    size_t count = !outputs;
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++)
        count += output_at(outputs, i).goal <= LOCBO_GOAL_MAXIMIZE;
    return count;
}

size_t goal_constraints(const locbo_outputs *outputs) {
    size_t count = 0;
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++) {
        locbo_goal goal = output_at(outputs, i).goal;
        count += goal == LOCBO_GOAL_AT_MOST || goal == LOCBO_GOAL_AT_LEAST;
    }
    return count;
}

locbo_status goal_find_target(const locbo_outputs *outputs, const char *name, size_t *number, locbo_error *error) {
    char hint[HINT];
    size_t before = 0;
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++) {
        locbo_output_spec spec = output_at(outputs, i);
        int recorded = spec.goal == LOCBO_GOAL_RECORD;
        if (strcmp(spec.name, name) != 0) {
            before += !recorded;
            continue;
        }
        if (recorded)
            return status_fail(error, LOCBO_ERR_ARGUMENT, "'%.40s' is recorded only, so it has no target", name);
        *number = before;
        return status_ok(error);
    }
    hint_output(outputs, name, hint);
    return status_fail(error, LOCBO_ERR_ARGUMENT, "there is no output '%.40s'%s", name, hint);
}

/* ---- parts of a text --------------------------------------------------------------------------- */

/* The text without the blanks around it; shortens it in place. */
static char *trim(char *text) {
    while (is_blank(*text)) text++;
    size_t size = strlen(text);
    while (size > 0 && is_blank(text[size - 1])) text[--size] = '\0';
    return text;
}

/* End the text at its first comma outside parentheses and backquotes; returns what follows, or NULL. */
static char *cut_part(char *text) {
    int depth = 0, quoted = 0;
    for (char *c = text; *c; c++) {
        if (*c == '`') quoted = !quoted;
        if (quoted) continue;
        if (*c == '(') depth++;
        if (*c == ')' && depth > 0) depth--;
        if (*c != ',' || depth > 0) continue;
        *c = '\0';
        return c + 1;
    }
    return NULL;
}

/* The text between the parentheses of WORD(...), in `inside`; returns 0 if it is of another form. */
static int read_call(const char *text, const char *word, char *inside, size_t room) {
    size_t length = strlen(word), size = strlen(text);
    if (strncmp(text, word, length) != 0) return 0;
    while (is_blank(text[length])) length++;
    if (text[length] != '(' || text[size - 1] != ')' || size - length - 2 >= room) return 0;
    memcpy(inside, text + length + 1, size - length - 2);
    inside[size - length - 2] = '\0';
    return 1;
}

static int read_number(char *text, double *number) { return number_parse(trim(text), number) && isfinite(*number); }

int goal_parse_word(const char *text, locbo_goal *goal) {
    for (size_t i = 0; i < WORDS; i++)
        if (strcmp(text, words[i]) == 0) {
            *goal = goals[i];
            return 1;
        }
    return 0;
}

int goal_parse_scale(const char *text, locbo_output_spec *spec) {
    char inside[128], *comma;
    double low, high;
    if (strcmp(text, "none") == 0 || strcmp(text, "log") == 0) {
        spec->scale = *text == 'n' ? LOCBO_MODEL_SCALE_NONE : LOCBO_MODEL_SCALE_LOG;
        return 1;
    }
    if (!read_call(text, "logit", inside, sizeof inside) || !(comma = strchr(inside, ','))) return 0;
    *comma = '\0';
    if (!read_number(inside, &low) || !read_number(comma + 1, &high)) return 0;
    spec->scale = LOCBO_MODEL_SCALE_LOGIT;
    spec->scale_low = low;
    spec->scale_high = high;
    return 1;
}

/* ---- reading ----------------------------------------------------------------------------------- */

static const char FORMS[] = "loss~minimize, memory<=512 or epochs~record";

static locbo_status refuse(const char *text, const char *what, const char *example, locbo_error *error) {
    return status_fail(error, LOCBO_ERR_ARGUMENT, "%s in '%.60s'; write it as in %s", what, text, example);
}

static locbo_status read_goal(const char *text, const char *part, locbo_output_spec *spec, locbo_error *error) {
    char what[120], hint[60];
    nearest guess = {.word = part};
    if (goal_parse_word(part, &spec->goal)) return LOCBO_OK;
    for (size_t i = 0; i < WORDS; i++) nearest_consider(&guess, words[i]);
    nearest_hint(&guess, "", hint, sizeof hint);
    snprintf(what, sizeof what, "unknown goal '%.40s'%s", part, hint);
    return refuse(text, what, FORMS, error);
}

static locbo_status read_bound(const char *text, char *part, locbo_output_spec *spec, locbo_error *error) {
    static const char example[] = "memory<=512 or memory<=1.1*trial(3)";
    char inside[32], *star = strchr(part, '*');
    int64_t trial = 0;
    if (star) *star = '\0';
    if (!read_number(part, &spec->bound)) return refuse(text, "the bound is no number", example, error);
    if (star &&
        (!read_call(trim(star + 1), "trial", inside, sizeof inside) || !value_whole(trim(inside), &trial) || trial < 1))
        return refuse(text, "there is no trial(K) after '*'", example, error);
    spec->baseline = (uint64_t)trial;
    return LOCBO_OK;
}

static locbo_status read_scale(const char *text, char *value, locbo_output_spec *spec, locbo_error *error) {
    if (spec->scale != LOCBO_MODEL_SCALE_OPTION) return refuse(text, "scale is given twice", "scale=log", error);
    if (goal_parse_scale(value, spec)) return LOCBO_OK;
    return refuse(text, "unknown scale", "scale=none, scale=log or scale=logit(0,1)", error);
}

static locbo_status read_reference(const char *text, char *value, locbo_output_spec *spec, locbo_error *error) {
    if (spec->referenced) return refuse(text, "reference is given twice", "reference=3", error);
    if (!read_number(value, &spec->reference)) return refuse(text, "the reference is no number", "reference=3", error);
    spec->referenced = 1;
    return LOCBO_OK;
}

static locbo_status read_expression(const char *text, char *value, locbo_output_spec *spec, locbo_error *error) {
    if (spec->expression) return refuse(text, "of is given twice", "of=loss + 0.1*latency", error);
    spec->expression = value;
    return LOCBO_OK;
}

static locbo_status read_setting(const char *text, char *part, locbo_output_spec *spec, locbo_error *error) {
    static const char example[] = "scale=log, reference=3 or of=loss + 0.1*latency";
    static const struct {
        const char *key;
        locbo_status (*read)(const char *text, char *value, locbo_output_spec *spec, locbo_error *error);
    } rows[] = {{"scale", read_scale}, {"reference", read_reference}, {"of", read_expression}};
    char what[80], *sign = strchr(part, '=');
    if (sign) *sign = '\0';
    const char *key = trim(part);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0] && sign; i++)
        if (strcmp(key, rows[i].key) == 0) return rows[i].read(text, trim(sign + 1), spec, error);
    snprintf(what, sizeof what, "unknown setting '%.40s'", key);
    return refuse(text, what, example, error);
}

/* Which sign stands first, '~', "<=" or ">="; NULL: none of them. It is cut off from the name. */
static char *cut_name(char *copy, char *sign) {
    char *end = strpbrk(copy, "~<>=");
    *sign = end ? *end : '\0';
    if (!end || *end == '=' || (*end != '~' && end[1] != '=')) return NULL;
    char *rest = end + (*end == '~' ? 1 : 2);
    *end = '\0';
    return rest;
}

/* `copy` is the text, to be split; the spec points into it. */
static locbo_status read_output(const char *text, char *copy, locbo_output_spec *spec, locbo_error *error) {
    char sign, *part = cut_name(copy, &sign);
    if (!part && (sign == '<' || sign == '>')) return refuse(text, "a bound needs <= or >=", FORMS, error);
    if (!part) return refuse(text, "there is no goal and no bound", FORMS, error);
    char *rest = cut_part(part);
    spec->name = trim(copy);
    spec->goal = sign == '<' ? LOCBO_GOAL_AT_MOST : LOCBO_GOAL_AT_LEAST;
    locbo_status status = sign == '~' ? read_goal(text, trim(part), spec, error) : read_bound(text, part, spec, error);
    while (rest && status == LOCBO_OK) {
        part = rest;
        rest = cut_part(part);
        status = read_setting(text, part, spec, error);
    }
    return status;
}

locbo_status goal_add(locbo_outputs *outputs, const char *text, locbo_error *error) {
    locbo_output_spec spec = {.struct_size = sizeof spec};
    char *copy = mem_text(text);
    if (!copy) return status_no_memory(error);
    locbo_status status = read_output(text, copy, &spec, error);
    if (status == LOCBO_OK) status = goal_add_spec(outputs, &spec, error);
    mem_free(copy);
    return status;
}

/* ---- writing ----------------------------------------------------------------------------------- */

static void write_number(buffer *b, const char *before, double number) {
    char text[NUMBER_TEXT];
    number_print(number, text);
    buffer_text(b, before);
    buffer_text(b, text);
}

static void write_goal(buffer *b, const locbo_output_spec *spec) {
    for (size_t i = 0; i < WORDS; i++)
        if (goals[i] == spec->goal) {
            buffer_text(b, "~");
            buffer_text(b, words[i]);
            return;
        }
    write_number(b, spec->goal == LOCBO_GOAL_AT_MOST ? "<=" : ">=", spec->bound);
    if (spec->baseline) buffer_print(b, "*trial(%llu)", (unsigned long long)spec->baseline);
}

static void write_scale(buffer *b, const locbo_output_spec *spec) {
    if (spec->scale == LOCBO_MODEL_SCALE_NONE) buffer_text(b, ",scale=none");
    if (spec->scale == LOCBO_MODEL_SCALE_LOG) buffer_text(b, ",scale=log");
    if (spec->scale != LOCBO_MODEL_SCALE_LOGIT) return;
    write_number(b, ",scale=logit(", spec->scale_low);
    write_number(b, ",", spec->scale_high);
    buffer_text(b, ")");
}

char *goal_text(const locbo_output_spec *spec) {
    buffer b = {.data = NULL};
    buffer_text(&b, spec->name);
    write_goal(&b, spec);
    write_scale(&b, spec);
    if (spec->referenced) write_number(&b, ",reference=", spec->reference);
    if (spec->expression) {
        buffer_text(&b, ",of=");
        buffer_text(&b, spec->expression);
    }
    buffer_add(&b, "", 1);
    if (!b.failed) return b.data;
    mem_free(b.data);
    return NULL;
}
