/* definition.c - the JSON texts of the database. Layer: study, bottom; the only file of the layer that uses jansson.
 *
 * definition: {"parameters": [{"name", "type": "float" | "int" | "categorical" ..., "low", "high", "log", "values",
 *                              "retired", "frozen", "past", "fidelity" ...}],
 *              "options": {name: text}, "command": [words],
 *              "outputs": [{"name", "goal", "bound", "baseline", "reference", "scale", "low", "high", "expression"}],
 *              "constraints": [texts], "cost": text}
 *             without "outputs" there is one; those of their fields that say nothing are left out
 * plan:       {"trials": 60, "timeout": 10.0, ...}: fields that are not set are left out
 * params:     {"x": 0.5, "n": 3, "mode": "a"} */
#include "definition.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "plan_fields.h"
#include "sized.h"
#include "text.h"

static locbo_status damaged(locbo_error *error, const char *where) {
    return status_fail(error, LOCBO_ERR_IO, "the database holds a damaged %s", where);
}

/* Write as text. Releases the reference to `json`. */
static locbo_status dump(json_t *json, char **text, locbo_error *error) {
    const size_t flags = JSON_COMPACT | JSON_REAL_PRECISION(17);
    size_t size = json ? json_dumpb(json, NULL, 0, flags) : 0;
    char *made = size > 0 ? mem_new(size + 1, 1) : NULL;
    if (made && json_dumpb(json, made, size, flags) != size) {
        mem_free(made);
        made = NULL;
    }
    json_decref(json);
    if (!made) return status_no_memory(error);
    *text = made;
    return LOCBO_OK;
}

/* Append an item, whose reference the array takes. Returns the array; without memory it is released and NULL returned.
 */
static json_t *append(json_t *array, json_t *item) {
    if (json_array_append_new(array, item) == 0) return array;
    json_decref(array);
    return NULL;
}

/* The same for a member of an object. */
static json_t *put(json_t *object, const char *key, json_t *value) {
    if (json_object_set_new(object, key, value) == 0) return object;
    json_decref(object);
    return NULL;
}

static json_t *load(const char *text) { return json_loads(text, JSON_REJECT_DUPLICATES, NULL); }

/* ---- values ------------------------------------------------------------------------------------ */

static json_t *write_value(const locbo_parameter *p, double value) {
    if (isnan(value)) return json_null(); /* it is not active */
    if (p->count > 0) return json_string(p->categories[(size_t)value]);
    if (p->kind == LOCBO_BOOL) return json_boolean(value != 0);
    /* a past point may have a part of a number that became whole; -0 is 0 */
    return p->kind == LOCBO_INT && value == floor(value) ? json_integer((json_int_t)value) : json_real(value + 0.0);
}

/* null: it is not active. */
static int read_value(const locbo_parameter *p, const json_t *json, double *value) {
    *value = (double)NAN;
    if (json_is_null(json)) return 1;
    if (p->kind == LOCBO_BOOL) {
        *value = json_is_true(json);
        return json_is_boolean(json);
    }
    if (p->count == 0) {
        *value = json_number_value(json);
        return json_is_number(json);
    }
    const char *text = json_string_value(json);
    for (size_t k = 0; text && k < p->count; k++)
        if (strcmp(text, p->categories[k]) == 0) {
            *value = (double)k;
            return 1;
        }
    return 0;
}

/* ---- the definition ---------------------------------------------------------------------------- */

static const char *const kinds[] = {"float", "int", "categorical", "ordered", "bool"};

static json_t *texts(size_t count, const char *const *items) {
    json_t *array = json_array();
    for (size_t i = 0; array && i < count; i++) array = append(array, json_string(items[i]));
    return array;
}

static json_t *numbers(size_t count, const double *items) {
    json_t *array = json_array();
    for (size_t i = 0; array && i < count; i++) array = append(array, json_real(items[i]));
    return array;
}

static json_t *write_retired(const locbo_parameter *p) {
    json_t *array = json_array();
    for (size_t k = 0; array && k < p->count; k++)
        if (p->retired[k]) array = append(array, json_string(p->categories[k]));
    return array;
}

/* What is not set is left out. */
static json_t *write_parameter(const locbo_space *space, const locbo_parameter *p) {
    int has_range = p->kind == LOCBO_REAL || p->kind == LOCBO_INT;
    json_t *item = json_pack("{s:s, s:s}", "name", p->name, "type", kinds[p->kind]);
    if (item && has_range) item = put(item, "low", json_real(p->low));
    if (item && has_range) item = put(item, "high", json_real(p->high));
    if (item && (has_range || p->numbers)) item = put(item, "log", json_boolean(p->scale == LOCBO_LOG));
    if (item && p->step > 0) item = put(item, "step", json_real(p->step));
    if (item && p->count > 0) item = put(item, "values", texts(p->count, p->categories));
    if (item && p->numbers) item = put(item, "numbers", numbers(p->count, p->numbers));
    if (item && p->parent != SIZE_MAX) {
        locbo_parameter parent;
        locbo_space_parameter(space, p->parent, &parent, NULL);
        item = put(item, "parent", json_string(parent.name));
        if (item) item = put(item, "when", numbers(p->when_count, p->when));
    }
    if (item && p->retired) item = put(item, "retired", write_retired(p));
    if (item && !isnan(p->frozen)) item = put(item, "frozen", write_value(p, p->frozen));
    if (item && !isnan(p->past)) item = put(item, "past", write_value(p, p->past));
    if (item && p->fidelity) item = put(item, "fidelity", json_true());
    return item;
}

static json_t *write_space(const locbo_space *space) {
    json_t *array = json_array();
    for (size_t i = 0; array && i < locbo_space_dim(space); i++) {
        locbo_parameter p;
        locbo_space_parameter(space, i, &p, NULL);
        array = append(array, write_parameter(space, &p));
    }
    return array;
}

static json_t *write_constraints(const locbo_space *space) {
    json_t *array = json_array();
    for (size_t i = 0; array && i < locbo_space_constraint_count(space); i++)
        array = append(array, json_string(locbo_space_constraint(space, i)));
    return array;
}

static json_t *write_options(const locbo_options *options) {
    json_t *object = json_object();
    for (size_t i = 0; object && i < locbo_option_count(); i++) {
        locbo_option option;
        char text[64];
        locbo_option_describe(i, &option, NULL);
        locbo_options_get(options, option.name, text, sizeof text, NULL);
        object = put(object, option.name, json_string(text));
    }
    return object;
}

static const char *const goals[] = {"minimize", "maximize", "at_most", "at_least", "record"};
static const char *const scales[] = {"option", "none", "log", "logit"};

static json_t *write_output(const locbo_output_spec *s) {
    json_t *item = json_pack("{s:s, s:s}", "name", s->name, "goal", goals[s->goal]);
    if (item && (s->goal == LOCBO_GOAL_AT_MOST || s->goal == LOCBO_GOAL_AT_LEAST))
        item = put(item, "bound", json_real(s->bound));
    if (item && s->baseline) item = put(item, "baseline", json_integer((json_int_t)s->baseline));
    if (item && s->referenced) item = put(item, "reference", json_real(s->reference));
    if (item && s->scale != LOCBO_MODEL_SCALE_OPTION) item = put(item, "scale", json_string(scales[s->scale]));
    if (item && s->scale == LOCBO_MODEL_SCALE_LOGIT) {
        item = put(item, "low", json_real(s->scale_low));
        if (item) item = put(item, "high", json_real(s->scale_high));
    }
    if (item && s->expression) item = put(item, "expression", json_string(s->expression));
    return item;
}

static json_t *write_outputs(const locbo_outputs *outputs) {
    json_t *array = json_array();
    for (size_t i = 0; array && i < locbo_outputs_count(outputs); i++) {
        locbo_output_spec s = {.struct_size = sizeof s};
        locbo_outputs_get(outputs, i, &s, NULL);
        array = append(array, write_output(&s));
    }
    return array;
}

static locbo_status check_texts(const char *what, size_t count, const char *const *items, locbo_error *error) {
    for (size_t i = 0; i < count; i++)
        if (!items[i] || !text_is_valid(items[i]))
            return status_fail(error, LOCBO_ERR_ARGUMENT, "%s: not UTF-8: '%s'", what, items[i] ? items[i] : "NULL");
    return LOCBO_OK;
}

static locbo_status check_space(const locbo_space *space, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    if (locbo_space_dim(space) == 0) return status_fail(error, LOCBO_ERR_ARGUMENT, "the space has no parameters");
    for (size_t i = 0; i < locbo_space_dim(space) && status == LOCBO_OK; i++) {
        locbo_parameter p;
        locbo_space_parameter(space, i, &p, NULL);
        status = check_texts("parameter", 1, &p.name, error);
        if (status == LOCBO_OK) status = check_texts(p.name, p.count, p.categories, error);
    }
    return status;
}

/* The direction of the first objective. */
static locbo_direction direction_of(const locbo_outputs *outputs) {
    locbo_output_spec s = {.struct_size = sizeof s, .goal = LOCBO_GOAL_RECORD};
    for (size_t i = 0; i < locbo_outputs_count(outputs) && s.goal > LOCBO_GOAL_MAXIMIZE; i++)
        locbo_outputs_get(outputs, i, &s, NULL);
    return s.goal == LOCBO_GOAL_MAXIMIZE ? LOCBO_MAXIMIZE : LOCBO_MINIMIZE;
}

locbo_status definition_take(const locbo_definition *given, locbo_definition *d, locbo_options *options,
                             locbo_error *error) {
    *d = (locbo_definition){.struct_size = sizeof *d};
    locbo_options_init(options);
    locbo_status status = sized_take("definition", d, sizeof *d, given, error);
    if (status == LOCBO_OK && !d->space)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "definition and its space must not be NULL");
    if (status == LOCBO_OK) status = sized_take("options", options, sizeof *options, d->options, error);
    if (d->outputs) options->direction = direction_of(d->outputs);
    d->options = options;
    return status;
}

locbo_status definition_write(const locbo_definition *definition, char **text, locbo_error *error) {
    locbo_status status = locbo_options_check(definition->options, error);
    if (status == LOCBO_OK) status = check_space(definition->space, error);
    if (status == LOCBO_OK) status = check_texts("command", definition->command_count, definition->command, error);
    if (status == LOCBO_OK && definition->outputs) status = locbo_outputs_check(definition->outputs, error);
    if (status != LOCBO_OK) return status;
    json_t *root =
        json_pack("{s:o, s:o, s:o}", "parameters", write_space(definition->space), "options",
                  write_options(definition->options), "command", texts(definition->command_count, definition->command));
    if (root && definition->outputs) root = put(root, "outputs", write_outputs(definition->outputs));
    if (root && locbo_space_constraint_count(definition->space) > 0)
        root = put(root, "constraints", write_constraints(definition->space));
    const char *cost = locbo_space_cost(definition->space);
    if (root && cost) root = put(root, "cost", json_string(cost));
    return dump(root, text, error);
}

/* The texts of an array in one allocation: the pointers, a NULL, and then the texts. */
static locbo_status read_texts(const json_t *array, char ***items, size_t *count, const char *where,
                               locbo_error *error) {
    size_t n = json_array_size(array), bytes = (n + 1) * sizeof(char *);
    for (size_t i = 0; i < n; i++) {
        if (!json_is_string(json_array_get(array, i))) return damaged(error, where);
        bytes += json_string_length(json_array_get(array, i)) + 1;
    }
    char **made = mem_new(bytes, 1);
    if (!made) return status_no_memory(error);
    char *end = (char *)(made + n + 1);
    for (size_t i = 0; i < n; i++) {
        made[i] = strcpy(end, json_string_value(json_array_get(array, i)));
        end += strlen(end) + 1;
    }
    *items = made;
    *count = n;
    return LOCBO_OK;
}

/* The number of a word in a list; `count` if it is not there. */
static size_t find_word(const char *word, size_t count, const char *const *words) {
    size_t i = 0;
    while (i < count && (!word || strcmp(word, words[i]) != 0)) i++;
    return i;
}

/* A member that may be missing: then `number` stays. Returns 0 if it is no number. */
static int read_member(const json_t *object, const char *key, double *number) {
    const json_t *value = json_object_get(object, key);
    if (value) *number = json_number_value(value);
    return !value || json_is_number(value);
}

/* A list of numbers of the definition, or NULL if there is none; *good becomes 0 if it cannot be read. */
static double *read_numbers(const json_t *array, size_t *count, int *good) {
    *count = json_array_size(array);
    if (!array) return NULL;
    double *list = mem_new(*count + 1, sizeof *list);
    *good = *good && list && json_is_array(array);
    for (size_t i = 0; *good && i < *count; i++) {
        *good = json_is_number(json_array_get(array, i));
        list[i] = json_number_value(json_array_get(array, i));
    }
    return list;
}

/* What a space that has changed says of a parameter: categories that are retired, the values `frozen` and `past`. *good
 * becomes 0 if it cannot be read. Returns the flags of the categories, NULL: none. */
static unsigned char *read_changes(const json_t *item, locbo_parameter_spec *spec, int *good) {
    const locbo_parameter p = {.kind = spec->kind, .count = spec->count, .categories = spec->categories};
    const json_t *retired = json_object_get(item, "retired"), *frozen = json_object_get(item, "frozen"),
                 *past = json_object_get(item, "past");
    unsigned char *flags = retired ? mem_new(spec->count + 1, sizeof *flags) : NULL;
    *good = *good && (!retired || (flags && json_is_array(retired)));
    for (size_t i = 0; *good && i < json_array_size(retired); i++) {
        double category = (double)NAN;
        *good = read_value(&p, json_array_get(retired, i), &category) && spec->count > 0 && !isnan(category);
        if (*good) flags[(size_t)category] = 1;
    }
    spec->is_frozen = frozen != NULL;
    spec->has_past = past != NULL;
    *good = *good && (!frozen || read_value(&p, frozen, &spec->frozen)) && (!past || read_value(&p, past, &spec->past));
    return flags;
}

static locbo_status read_parameter(locbo_space *space, const json_t *item, locbo_error *error) {
    const json_t *values = json_object_get(item, "values");
    size_t kind = find_word(json_string_value(json_object_get(item, "type")), LOCBO_BOOL + 1, kinds), count = 0;
    locbo_parameter_spec spec = {.struct_size = sizeof spec,
                                 .name = json_string_value(json_object_get(item, "name")),
                                 .parent = json_string_value(json_object_get(item, "parent")),
                                 .scale = json_is_true(json_object_get(item, "log")) ? LOCBO_LOG : LOCBO_LINEAR,
                                 .fidelity = json_is_true(json_object_get(item, "fidelity"))};
    int has_range = kind == LOCBO_REAL || kind == LOCBO_INT;
    int good = spec.name && kind <= LOCBO_BOOL && read_member(item, "low", &spec.low) &&
               read_member(item, "high", &spec.high) && read_member(item, "step", &spec.step);
    if (!good || (has_range && (!json_object_get(item, "low") || !json_object_get(item, "high"))))
        return damaged(error, "definition");
    char **words = NULL;
    locbo_status status = values ? read_texts(values, &words, &spec.count, "definition", error) : LOCBO_OK;
    double *list = read_numbers(json_object_get(item, "numbers"), &count, &good);
    double *when = read_numbers(json_object_get(item, "when"), &spec.when_count, &good);
    spec.kind = (locbo_kind)kind;
    spec.categories = (const char *const *)words;
    spec.numbers = list;
    spec.when = when;
    unsigned char *retired = read_changes(item, &spec, &good);
    spec.retired = retired;
    if (status == LOCBO_OK && json_object_get(item, "retired") && !retired) status = status_no_memory(error);
    if (status == LOCBO_OK && (!good || (list && count != spec.count))) status = damaged(error, "definition");
    if (status == LOCBO_OK) status = locbo_space_add(space, &spec, error);
    mem_free(words);
    mem_free(list);
    mem_free(when);
    mem_free(retired);
    return status;
}

static locbo_status read_space(const json_t *root, locbo_space **space, locbo_error *error) {
    const json_t *array = json_object_get(root, "parameters"), *limits = json_object_get(root, "constraints");
    locbo_status status = locbo_space_create(space, error);
    for (size_t i = 0; status == LOCBO_OK && i < json_array_size(array); i++)
        status = read_parameter(*space, json_array_get(array, i), error);
    for (size_t i = 0; status == LOCBO_OK && i < json_array_size(limits); i++) {
        const char *text = json_string_value(json_array_get(limits, i));
        status = text ? locbo_space_add_constraint(*space, text, error) : damaged(error, "definition");
    }
    const json_t *cost = json_object_get(root, "cost");
    if (status == LOCBO_OK && cost)
        status = json_is_string(cost) ? locbo_space_set_cost(*space, json_string_value(cost), error)
                                      : damaged(error, "definition");
    if (status == LOCBO_OK && locbo_space_dim(*space) == 0) status = damaged(error, "definition");
    return status;
}

static locbo_status read_options(json_t *object, locbo_options *options, locbo_error *error) {
    const char *name;
    json_t *value;
    locbo_status status = json_is_object(object) ? LOCBO_OK : damaged(error, "definition");
    locbo_options_init(options);
    locbo_options_set_older(options); /* those that the study does not mention */
    json_object_foreach(object, name, value) {
        const char *text = json_string_value(value);
        if (status == LOCBO_OK && !text) status = damaged(error, "definition");
        if (status == LOCBO_OK) status = locbo_options_set(options, name, text, error);
    }
    return status == LOCBO_OK ? locbo_options_check(options, error) : status;
}

static locbo_status read_output(locbo_outputs *outputs, const json_t *item, locbo_error *error) {
    locbo_output_spec s = {.struct_size = sizeof s,
                           .name = json_string_value(json_object_get(item, "name")),
                           .referenced = json_object_get(item, "reference") != NULL,
                           .expression = json_string_value(json_object_get(item, "expression"))};
    const json_t *scale = json_object_get(item, "scale"), *baseline = json_object_get(item, "baseline");
    size_t goal = find_word(json_string_value(json_object_get(item, "goal")), LOCBO_GOAL_RECORD + 1, goals);
    size_t way = scale ? find_word(json_string_value(scale), LOCBO_MODEL_SCALE_LOGIT + 1, scales) : 0;
    if (goal > LOCBO_GOAL_RECORD || way > LOCBO_MODEL_SCALE_LOGIT || json_integer_value(baseline) < 0 ||
        (json_object_get(item, "expression") && !s.expression) || !read_member(item, "bound", &s.bound) ||
        !read_member(item, "reference", &s.reference) || !read_member(item, "low", &s.scale_low) ||
        !read_member(item, "high", &s.scale_high))
        return damaged(error, "definition");
    s.goal = (locbo_goal)goal;
    s.scale = (locbo_model_scale)way;
    s.baseline = (uint64_t)json_integer_value(baseline);
    return locbo_outputs_add(outputs, &s, error);
}

/* NULL: the definition has no table of outputs. */
static locbo_status read_outputs(const json_t *array, locbo_outputs **outputs, locbo_error *error) {
    if (!array) return LOCBO_OK;
    locbo_status status = locbo_outputs_create(outputs, error);
    for (size_t i = 0; status == LOCBO_OK && i < json_array_size(array); i++)
        status = read_output(*outputs, json_array_get(array, i), error);
    return status == LOCBO_OK ? locbo_outputs_check(*outputs, error) : status;
}

locbo_status definition_read(const char *text, definition_parts *parts, locbo_error *error) {
    json_t *root = load(text);
    *parts = (definition_parts){.space = NULL};
    locbo_status status = root ? LOCBO_OK : damaged(error, "definition");
    if (status == LOCBO_OK) status = read_space(root, &parts->space, error);
    if (status == LOCBO_OK) status = read_options(json_object_get(root, "options"), &parts->options, error);
    if (status == LOCBO_OK) status = read_outputs(json_object_get(root, "outputs"), &parts->outputs, error);
    if (status == LOCBO_OK)
        status =
            read_texts(json_object_get(root, "command"), &parts->command, &parts->command_count, "definition", error);
    json_decref(root);
    /* the library writes only what it accepts: what it refuses was changed or damaged */
    if (status == LOCBO_ERR_ARGUMENT && error) error->status = LOCBO_ERR_IO;
    return status == LOCBO_ERR_ARGUMENT ? LOCBO_ERR_IO : status;
}

static int member_equal(const json_t *a, const json_t *b, const char *key) {
    const json_t *x = json_object_get(a, key), *y = json_object_get(b, key);
    return (!x && !y) || json_equal(x, y);
}

locbo_status definition_differences(const char *a, const char *b, unsigned *parts, locbo_error *error) {
    json_t *x = load(a), *y = load(b);
    locbo_status status = x && y ? LOCBO_OK : damaged(error, "definition");
    *parts = 0;
    if (status == LOCBO_OK && !json_equal(x, y)) {
        unsigned bits = (member_equal(x, y, "parameters") ? 0 : DEFINITION_PARAMETERS) |
                        (member_equal(x, y, "options") ? 0 : DEFINITION_OPTIONS);
        int others = member_equal(x, y, "outputs") && member_equal(x, y, "command") &&
                     member_equal(x, y, "constraints") && member_equal(x, y, "cost");
        *parts = bits | (others ? 0 : DEFINITION_OTHERS);
    }
    json_decref(x);
    json_decref(y);
    return status;
}

void definition_release(definition_parts *parts) {
    locbo_space_destroy(parts->space);
    locbo_outputs_destroy(parts->outputs);
    mem_free(parts->command);
}

/* ---- the plan ---------------------------------------------------------------------------------- */

void locbo_plan_init_sized(locbo_plan *plan, size_t size) {
    locbo_plan standard = {.time = (double)NAN,
                           .target = (double)NAN,
                           .timeout = (double)NAN,
                           .expected_gain = (double)NAN,
                           .prune_risk = 0.05,
                           .budget = (double)NAN,
                           .retries = 3,
                           .retry_delay = 1,
                           .max_failures = 5,
                           .lease = 60};
    if (!plan || size < sizeof plan->struct_size) return;
    for (size_t k = 0; k < LOCBO_MAX_TARGETS; k++) standard.targets[k] = (double)NAN;
    memset(plan, 0, size);
    memcpy(plan, &standard, size < sizeof standard ? size : sizeof standard);
    plan->struct_size = size;
}

/* The fields by name, for reading and for writing. */
typedef struct plan_field {
    const char *name;
    uint64_t *count;
    double *real;
} plan_field;

#define ONE(field) +1
enum { PLAN_COUNT = 0 PLAN_FIELDS(ONE, ONE, ONE, ONE) };
_Static_assert(sizeof(locbo_plan) == sizeof(size_t) + (PLAN_COUNT + LOCBO_MAX_TARGETS) * sizeof(double),
               "PLAN_FIELDS lacks a field");

static void plan_fields(locbo_plan *p, plan_field fields[PLAN_COUNT]) {
#define COUNT(field) {#field, &p->field, NULL},
#define REAL(field) {#field, NULL, &p->field},
    const plan_field list[PLAN_COUNT] = {PLAN_FIELDS(COUNT, COUNT, REAL, COUNT)};
    memcpy(fields, list, sizeof list);
}

static locbo_status check_duration(const char *name, double value, double least, locbo_error *error) {
    if (isnan(value) || (value >= least && value < 1e10)) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_ARGUMENT, "%s must be at least %g seconds, got %g", name, least, value);
}

locbo_status definition_check_plan(const locbo_plan *plan, locbo_error *error) {
    if (isinf(plan->target))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "target must be finite, got %g", plan->target);
    for (size_t k = 0; k < LOCBO_MAX_TARGETS; k++) {
        if (isinf(plan->targets[k]))
            return status_fail(error, LOCBO_ERR_ARGUMENT, "target must be finite, got %g", plan->targets[k]);
        if (!isnan(plan->targets[k]) && !isnan(plan->target))
            return status_fail(error, LOCBO_ERR_ARGUMENT, "there is a target %g and a target %g of an output: give one",
                               plan->target, plan->targets[k]);
    }
    if (!isnan(plan->expected_gain) && !(plan->expected_gain > 0 && isfinite(plan->expected_gain)))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "expected_gain must be positive, got %g", plan->expected_gain);
    if (plan->prune >= LOCBO_PRUNES)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "prune must be a rule from 0 to %d, got %" PRIu64,
                           (int)LOCBO_PRUNES - 1, plan->prune);
    if (!(plan->prune_risk > 0 && plan->prune_risk < 1))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "prune_risk must lie in (0,1), got %g", plan->prune_risk);
    if (!isnan(plan->budget) && !(plan->budget > 0 && isfinite(plan->budget)))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "budget must be positive, got %g", plan->budget);
    if (!(plan->lease >= 1 && plan->lease < 1e10))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "lease must be at least 1 second, got %g", plan->lease);
    if (!(plan->retry_delay >= 0 && plan->retry_delay < 1e10))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "retry_delay must not be negative, got %g", plan->retry_delay);
    const uint64_t counts[] = {plan->trials,   plan->no_improvement, plan->retries,    plan->max_failures,
                               plan->max_lost, plan->confirm,        plan->evaluations};
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (counts[i] > INT32_MAX)
            return status_fail(error, LOCBO_ERR_ARGUMENT, "a count of the plan is too large: %" PRIu64, counts[i]);
    if (plan->confirm > 0 && plan->trials == 0)
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "confirm %" PRIu64 " needs a number of trials, the last of which measure the recommended"
                           " point: set trials too, or confirm to 0",
                           plan->confirm);
    if (plan->confirm > 0 && plan->confirm >= plan->trials)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "confirm must be below trials, got %" PRIu64 " of %" PRIu64,
                           plan->confirm, plan->trials);
    locbo_status status = check_duration("timeout", plan->timeout, 0.001, error);
    return status == LOCBO_OK ? check_duration("time", plan->time, 0, error) : status;
}

int definition_has_targets(const locbo_plan *plan) {
    for (size_t k = 0; k < LOCBO_MAX_TARGETS; k++)
        if (!isnan(plan->targets[k])) return 1;
    return 0;
}

/* [0.1, null, ...]; NULL: no memory. */
static json_t *write_targets(const locbo_plan *plan) {
    json_t *list = json_array();
    for (size_t k = 0; list && k < LOCBO_MAX_TARGETS; k++) {
        double target = plan->targets[k];
        if (json_array_append_new(list, isnan(target) ? json_null() : json_real(target)) == 0) continue;
        json_decref(list);
        return NULL;
    }
    return list;
}

static int read_targets(const json_t *list, locbo_plan *plan) {
    if (!list) return 1;
    if (!json_is_array(list) || json_array_size(list) > LOCBO_MAX_TARGETS) return 0;
    for (size_t k = 0; k < json_array_size(list); k++) {
        const json_t *target = json_array_get(list, k);
        if (!json_is_number(target) && !json_is_null(target)) return 0;
        if (json_is_number(target)) plan->targets[k] = json_number_value(target);
    }
    return 1;
}

locbo_status definition_write_plan(const locbo_plan *plan, char **text, locbo_error *error) {
    plan_field fields[PLAN_COUNT];
    locbo_plan copy = *plan;
    json_t *object = json_object();
    plan_fields(&copy, fields);
    for (size_t i = 0; object && i < PLAN_COUNT; i++) {
        const plan_field *f = &fields[i];
        if (f->real && isnan(*f->real)) continue;
        object = put(object, f->name, f->count ? json_integer((json_int_t)*f->count) : json_real(*f->real));
    }
    if (object && definition_has_targets(plan)) object = put(object, "targets", write_targets(plan));
    return dump(object, text, error);
}

locbo_status definition_read_plan(const char *text, locbo_plan *plan, locbo_error *error) {
    plan_field fields[PLAN_COUNT];
    json_t *root = load(text);
    int good = json_is_object(root);
    locbo_plan_init(plan);
    plan_fields(plan, fields);
    for (size_t i = 0; good && i < PLAN_COUNT; i++) {
        const json_t *value = json_object_get(root, fields[i].name);
        if (!value) continue;
        good = fields[i].count ? json_is_integer(value) && json_integer_value(value) >= 0 : json_is_number(value);
        if (good && fields[i].count) *fields[i].count = (uint64_t)json_integer_value(value);
        if (good && fields[i].real) *fields[i].real = json_number_value(value);
    }
    good = good && read_targets(json_object_get(root, "targets"), plan);
    json_decref(root);
    return good && definition_check_plan(plan, NULL) == LOCBO_OK ? LOCBO_OK : damaged(error, "plan");
}

/* ---- params, lists ----------------------------------------------------------------------------- */

locbo_status definition_write_params(const locbo_space *space, const double *x, char **text, locbo_error *error) {
    json_t *object = json_object();
    for (size_t j = 0; object && j < locbo_space_dim(space); j++) {
        locbo_parameter p;
        locbo_space_parameter(space, j, &p, NULL);
        object = put(object, p.name, write_value(&p, x[j]));
    }
    return dump(object, text, error);
}

/* The values that are there; NAN for a parameter that is not. */
static int read_point(const locbo_space *space, const json_t *object, size_t least, double *x) {
    size_t found = 0, dim = locbo_space_dim(space);
    int good = json_is_object(object);
    for (size_t j = 0; good && j < dim; j++) {
        locbo_parameter p;
        locbo_space_parameter(space, j, &p, NULL);
        const json_t *value = json_object_get(object, p.name);
        x[j] = (double)NAN;
        found += value != NULL;
        good = !value || read_value(&p, value, &x[j]);
    }
    return good && found >= least && found == json_object_size(object);
}

/* A number as JSON writes them, at the beginning of a text; returns what follows, NULL: there is none. With another
 * decimal point than '.' in the caller's locale strtod ends before the fraction: none either. */
static const char *scan_number(const char *text, double *value) {
    const char *digits = text + (*text == '-');
    size_t length = strspn(text, "0123456789+-.eE");
    char *end = NULL;
    if (!(*digits >= '1' && *digits <= '9') && !(*digits == '0' && (digits[1] < '0' || digits[1] > '9'))) return NULL;
    *value = strtod(text, &end);
    return end == text + length && isfinite(*value) ? end : NULL;
}

/* Params as they are written, of real parameters alone: most are, and a study may have many. 0: read them as JSON. */
static int scan_params(const locbo_space *space, const char *text, double *x) {
    size_t dim = locbo_space_dim(space);
    if (*text++ != '{') return 0;
    for (size_t j = 0; j < dim; j++) {
        locbo_parameter p;
        locbo_space_parameter(space, j, &p, NULL);
        size_t length = strlen(p.name);
        if (p.kind != LOCBO_REAL || p.count > 0 || strpbrk(p.name, "\"\\")) return 0; /* those names are escaped */
        if (*text++ != '"' || strncmp(text, p.name, length) != 0 || strncmp(text + length, "\":", 2) != 0) return 0;
        text = scan_number(text + length + 2, &x[j]);
        if (!text || *text++ != (j + 1 < dim ? ',' : '}')) return 0;
    }
    return *text == '\0';
}

static int load_params(const locbo_space *space, const char *text, double *x) {
    json_t *object = load(text);
    int good = read_point(space, object, locbo_space_dim(space), x);
    json_decref(object);
    return good;
}

locbo_status definition_read_params(const locbo_space *space, const char *text, double *x, locbo_error *error) {
    int good = scan_params(space, text, x) || load_params(space, text, x);
    return good && locbo_space_check(space, x, error) == LOCBO_OK ? LOCBO_OK : damaged(error, "list of params");
}

locbo_status definition_read_past(const locbo_space *space, const char *text, double *x, int *placed,
                                  locbo_error *error) {
    json_t *object = load(text);
    double *raw = mem_new(locbo_space_dim(space), sizeof *raw);
    int good = raw && read_point(space, object, 1, x);
    json_decref(object);
    if (good) memcpy(raw, x, locbo_space_dim(space) * sizeof *raw);
    *placed = good && locbo_space_place(space, x, NULL) == LOCBO_OK;
    if (good && !*placed) memcpy(x, raw, locbo_space_dim(space) * sizeof *raw);
    locbo_status status = raw ? LOCBO_OK : status_no_memory(error);
    mem_free(raw);
    return status == LOCBO_OK && !good ? damaged(error, "list of params") : status;
}

locbo_status definition_write_list(size_t count, const double *numbers, char **text, locbo_error *error) {
    json_t *array = json_array();
    for (size_t i = 0; array && i < count; i++) array = append(array, json_real(numbers[i]));
    return dump(array, text, error);
}

locbo_status definition_read_list(const char *text, size_t *count, double **numbers, locbo_error *error) {
    json_t *array = load(text);
    size_t n = json_array_size(array);
    double *list = mem_new(n, sizeof *list);
    locbo_status status = list ? LOCBO_OK : status_no_memory(error);
    if (!json_is_array(array)) status = damaged(error, "list of numbers");
    for (size_t i = 0; i < n && status == LOCBO_OK; i++) {
        if (!json_is_number(json_array_get(array, i))) status = damaged(error, "list of numbers");
        list[i] = json_number_value(json_array_get(array, i));
    }
    json_decref(array);
    if (status == LOCBO_OK) {
        *numbers = list;
        *count = n;
    } else {
        mem_free(list);
    }
    return status;
}
