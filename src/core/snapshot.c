/* snapshot.c - save and load: the facts as JSON with exact doubles. Layer: core, top.
 *
 * Only facts are saved: space, outputs, options, trials with what was believed when they were asked, results in the
 * order told, failures in the order told, the last fits, and the reference point of several objectives. Everything else
 * is computed again by the same functions in the same order, so a loaded optimizer continues bit for bit. Cost:
 * O(size). */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "mem.h"
#include "number.h"
#include "optimizer.h"

enum { FORMAT_VERSION = 1 };

/* ---- writing ----------------------------------------------------------------------------------- */
/* The functions json_*_new and json_pack accept NULL items and then fail: one check at the end is enough. */

/* Append `item`, which may be NULL; if that fails, *array is released and becomes NULL. */
static void append(json_t **array, json_t *item) {
    if (json_array_append_new(*array, item) == 0) return;
    json_decref(*array);
    *array = NULL;
}

/* JSON has no NaN and no infinities: these are texts. */
static json_t *write_number(double value) {
    if (isfinite(value)) return json_real(value);
    char text[NUMBER_TEXT];
    number_print(value, text);
    return json_string(text);
}

static json_t *write_numbers(size_t n, const double *values) {
    json_t *array = json_array();
    for (size_t i = 0; array && i < n; i++) append(&array, write_number(values[i]));
    return array;
}

/* 64-bit numbers as text: JSON integers are signed. */
static json_t *write_count(uint64_t value) {
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    return json_string(text);
}

/* Add a member, which may be NULL; if that fails, *object is released and becomes NULL. */
static void put(json_t **object, const char *key, json_t *item) {
    if (json_object_set_new(*object, key, item) == 0) return;
    json_decref(*object);
    *object = NULL;
}

static json_t *write_flags(size_t n, const unsigned char *flags) {
    json_t *array = json_array();
    for (size_t i = 0; array && i < n; i++) append(&array, json_integer(flags[i] != 0));
    return array;
}

/* What an older library does not know is left out where it is not set. */
static json_t *write_parameter(const locbo_space *space, const locbo_parameter *p) {
    json_t *categories = json_array();
    locbo_parameter parent;
    for (size_t k = 0; categories && k < p->count; k++) append(&categories, json_string_nocheck(p->categories[k]));
    json_t *item =
        json_pack("{s:o, s:i, s:i, s:f, s:f, s:o}", "name", json_string_nocheck(p->name), "kind", (int)p->kind, "scale",
                  (int)p->scale, "low", p->low, "high", p->high, "categories", categories);
    if (p->step > 0) put(&item, "step", json_real(p->step));
    if (p->numbers) put(&item, "numbers", write_numbers(p->count, p->numbers));
    if (p->retired) put(&item, "retired", write_flags(p->count, p->retired));
    if (!isnan(p->frozen)) put(&item, "frozen", json_real(p->frozen));
    if (!isnan(p->past)) put(&item, "past", json_real(p->past));
    if (p->fidelity) put(&item, "fidelity", json_integer(1));
    if (p->parent == SIZE_MAX) return item;
    locbo_space_parameter(space, p->parent, &parent, NULL);
    put(&item, "parent", json_string_nocheck(parent.name));
    put(&item, "when", write_numbers(p->when_count, p->when));
    return item;
}

static json_t *write_space(const locbo_space *space) {
    json_t *array = json_array();
    for (size_t i = 0; array && i < locbo_space_dim(space); i++) {
        locbo_parameter p;
        locbo_space_parameter(space, i, &p, NULL);
        append(&array, write_parameter(space, &p));
    }
    return array;
}

static json_t *write_constraints(const locbo_space *space) {
    json_t *array = json_array();
    for (size_t i = 0; array && i < locbo_space_constraint_count(space); i++)
        append(&array, json_string_nocheck(locbo_space_constraint(space, i)));
    return array;
}

static json_t *write_options(const locbo_options *options) {
    json_t *object = json_object();
    for (size_t i = 0; object && i < locbo_option_count(); i++) {
        locbo_option option;
        char text[64];
        locbo_option_describe(i, &option, NULL);
        locbo_options_get(options, option.name, text, sizeof text, NULL);
        if (json_object_set_new(object, option.name, json_string(text)) != 0) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

static json_t *write_belief(const locbo_belief *b) {
    double values[BELIEF_COUNT];
    memcpy(values, b, sizeof values);
    return write_numbers(belief_is_bent(b) ? BELIEF_COUNT : BELIEF_SHOWN_COUNT, values);
}

/* The beliefs of the quantities after the first. */
static json_t *write_others(const locbo_optimizer *o, size_t index) {
    json_t *array = json_array();
    for (size_t k = 1; array && k < o->quantities; k++)
        append(&array, write_belief(optimizer_trial_belief(o, index, k)));
    return array;
}

static json_t *write_trials(const locbo_optimizer *o) {
    json_t *array = json_array();
    for (size_t i = 0; array && i < o->trials; i++) {
        const trial_record *t = &o->trial[i];
        json_t *item =
            json_pack("{s:i, s:i, s:o, s:I, s:o, s:o}", "state", (int)t->state, "origin", (int)t->info.origin, "told",
                      write_count(t->info.told), "pending", (json_int_t)t->info.pending, "x",
                      write_numbers(o->dim, o->trial_x + i * o->dim), "belief", write_belief(&t->info.belief));
        if (o->quantities > 1) put(&item, "others", write_others(o, i));
        if (!isnan(t->cost)) put(&item, "cost", json_real(t->cost));
        append(&array, item);
    }
    return array;
}

static json_t *write_measurement(const locbo_measurement *m) {
    return json_pack("[o, o, I]", write_number(m->value), write_number(m->sd), (json_int_t)m->n);
}

/* A result of one output has value, sd and n; one of several a list of these for each. */
static json_t *write_result(const told *t, size_t i) {
    const locbo_measurement *m = t->measured + i * t->outputs;
    json_t *item = json_pack("{s:o}", "trial", write_count(t->trial[i])), *values = json_array();
    if (t->outputs == 1) {
        put(&item, "value", write_number(m->value));
        put(&item, "sd", write_number(m->sd));
        put(&item, "n", json_integer((json_int_t)m->n));
        json_decref(values);
    } else {
        for (size_t k = 0; values && k < t->outputs; k++) append(&values, write_measurement(&m[k]));
        put(&item, "values", values);
    }
    if (t->trial[i] == 0 || t->aside[i]) put(&item, "x", write_numbers(t->dim, t->x + i * t->dim));
    if (t->aside[i]) put(&item, "ended", json_true());
    return item;
}

static json_t *write_results(const locbo_optimizer *o) {
    json_t *array = json_array();
    for (size_t i = 0; array && i < o->told.n; i++) append(&array, write_result(&o->told, i));
    return array;
}

static json_t *write_failures(const locbo_optimizer *o) {
    json_t *array = json_array();
    for (size_t i = 0; array && i < o->failures; i++) append(&array, write_count(o->failure[i] + 1));
    return array;
}

static json_t *write_fit(const locbo_optimizer *o, size_t k) {
    locbo_fit f;
    locbo_optimizer_fit_of(o, o->listed[k], &f, NULL);
    if (f.rows == 0) return json_null();
    json_t *item = json_pack("{s:I, s:o, s:o, s:o, s:o}", "rows", (json_int_t)f.rows, "shift", write_number(f.shift),
                             "spread", write_number(f.spread), "value", write_number(f.log_posterior), "theta",
                             write_numbers(f.count, f.theta));
    size_t count = fit_numbers_count(&f);
    if (count == 0 || !item) return item;
    double *numbers = mem_new(count, sizeof *numbers);
    if (numbers) fit_numbers_write(&f, numbers);
    put(&item, "choice", numbers ? write_numbers(count, numbers) : NULL);
    mem_free(numbers);
    return item;
}

static json_t *write_spec(const locbo_output_spec *s) {
    json_t *item =
        json_pack("{s:o, s:i, s:o, s:o, s:b, s:o, s:i, s:o, s:o}", "name", json_string_nocheck(s->name), "goal",
                  (int)s->goal, "bound", write_number(s->bound), "reference", write_number(s->reference), "referenced",
                  (int)(s->referenced != 0), "baseline", write_count(s->baseline), "scale", (int)s->scale, "low",
                  write_number(s->scale_low), "high", write_number(s->scale_high));
    if (item && s->expression) put(&item, "expression", json_string_nocheck(s->expression));
    return item;
}

/* Whether the table of outputs says no more than the option `direction`: states of one output have none. */
static int is_plain(const locbo_optimizer *o) {
    const locbo_output_spec *s = outputs_at(o->outputs, 0);
    int maximized = o->options.direction == LOCBO_MAXIMIZE;
    return locbo_outputs_count(o->outputs) == 1 && strcmp(s->name, "value") == 0 && !s->referenced &&
           s->scale == LOCBO_MODEL_SCALE_OPTION && !s->expression &&
           s->goal == (maximized ? LOCBO_GOAL_MAXIMIZE : LOCBO_GOAL_MINIMIZE);
}

/* What only an optimizer with a table of outputs has: older libraries need not read the others' states differently. */
static void put_outputs(const locbo_optimizer *o, json_t **root) {
    json_t *table = json_array(), *fits = json_array();
    for (size_t i = 0; table && i < locbo_outputs_count(o->outputs); i++)
        append(&table, write_spec(outputs_at(o->outputs, i)));
    for (size_t k = 1; fits && k < o->quantities; k++)
        append(&fits, json_pack("[o, o, o]", write_fit(o, k), write_count(o->quantity[k].surrogate.fits),
                                write_count(o->quantity[k].surrogate.troubles)));
    put(root, "outputs", table);
    put(root, "other_fits", fits);
    put(root, "reference_point", write_numbers(o->objectives, o->reference));
}

/* As text from mem_new, for locbo_free: the host program may have given jansson another allocator. */
static char *dump(const json_t *root) {
    const size_t flags = JSON_COMPACT | JSON_REAL_PRECISION(17);
    size_t size = json_dumpb(root, NULL, 0, flags);
    char *text = size > 0 ? mem_new(size + 1, 1) : NULL;
    if (!text) return NULL;
    if (json_dumpb(root, text, size, flags) == size) return text;
    mem_free(text);
    return NULL;
}

locbo_status locbo_optimizer_save(const locbo_optimizer *optimizer, char **text, size_t *length, locbo_error *error) {
    if (!optimizer || !text) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer and text must not be NULL");
    const locbo_optimizer *o = optimizer;
    json_t *root = json_pack(
        "{s:s, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "format", "locbo optimizer", "version", FORMAT_VERSION,
        "space", write_space(o->space), "options", write_options(&o->options), "trials", write_trials(o), "results",
        write_results(o), "failures", write_failures(o), "fit", write_fit(o, 0), "fits",
        write_count(o->quantity->surrogate.fits), "troubles", write_count(o->quantity->surrogate.troubles));
    if (root && !is_plain(o)) put_outputs(o, &root);
    if (root && locbo_space_constraint_count(o->space) > 0) put(&root, "constraints", write_constraints(o->space));
    if (root && locbo_space_cost(o->space)) put(&root, "cost", json_string_nocheck(locbo_space_cost(o->space)));
    if (root && o->segment > 0) put(&root, "segment", write_count(o->segment));
    char *dumped = root ? dump(root) : NULL;
    json_decref(root);
    if (!dumped) return status_no_memory(error);
    *text = dumped;
    if (length) *length = strlen(dumped);
    return status_ok(error);
}

/* ---- reading ----------------------------------------------------------------------------------- */

static locbo_status damaged(locbo_error *error, const char *where) {
    return status_fail(error, LOCBO_ERR_FORMAT, "the saved state is damaged at '%s'", where);
}

static int read_number(const json_t *item, double *value) {
    if (json_is_string(item)) return number_parse(json_string_value(item), value);
    *value = json_number_value(item);
    return json_is_number(item);
}

static int read_numbers(const json_t *array, size_t n, double *values) {
    if (json_array_size(array) != n) return 0;
    for (size_t i = 0; i < n; i++)
        if (!read_number(json_array_get(array, i), &values[i])) return 0;
    return 1;
}

static int read_count(const json_t *item, uint64_t *value) {
    const char *text = json_string_value(item);
    char *end;
    if (!text || text[0] < '0' || text[0] > '9') return 0;
    *value = strtoull(text, &end, 10);
    return *end == '\0';
}

static int read_int(const json_t *item, int low, int high, int *value) {
    json_int_t number = json_integer_value(item);
    if (!json_is_integer(item) || number < low || number > high) return 0;
    *value = (int)number;
    return 1;
}

/* A list of numbers, in memory that the caller releases; NULL if it is none, or without memory. */
static double *read_list(const json_t *array, size_t *count) {
    double *list = json_is_array(array) ? mem_new(json_array_size(array) + 1, sizeof *list) : NULL;
    *count = json_array_size(array);
    if (list && read_numbers(array, *count, list)) return list;
    mem_free(list);
    return NULL;
}

/* Flags of as many categories as there are; NULL if there is no such list, or without memory. */
static unsigned char *read_flags(const json_t *array, size_t count) {
    unsigned char *flags = json_array_size(array) == count && count > 0 ? mem_new(count, sizeof *flags) : NULL;
    for (size_t i = 0; flags && i < count; i++) flags[i] = json_integer_value(json_array_get(array, i)) != 0;
    return flags;
}

static int read_optional(const json_t *item, const char *key, uint64_t *there, double *value) {
    const json_t *number = json_object_get(item, key);
    *there = number != NULL;
    return !number || read_number(number, value);
}

static locbo_status read_parameter(locbo_space *space, const json_t *item, locbo_error *error) {
    const json_t *texts = json_object_get(item, "categories"), *step = json_object_get(item, "step");
    locbo_parameter_spec spec = {.struct_size = sizeof spec,
                                 .name = json_string_value(json_object_get(item, "name")),
                                 .parent = json_string_value(json_object_get(item, "parent"))};
    int kind, scale, good = 1;
    if (!spec.name || !read_int(json_object_get(item, "kind"), LOCBO_REAL, LOCBO_BOOL, &kind) ||
        !read_int(json_object_get(item, "scale"), LOCBO_LINEAR, LOCBO_LOG, &scale) ||
        !read_number(json_object_get(item, "low"), &spec.low) ||
        !read_number(json_object_get(item, "high"), &spec.high) || (step && !read_number(step, &spec.step)) ||
        !read_optional(item, "frozen", &spec.is_frozen, &spec.frozen) ||
        !read_optional(item, "past", &spec.has_past, &spec.past))
        return damaged(error, "space");
    spec.kind = (locbo_kind)kind;
    spec.scale = (locbo_scale)scale;
    spec.fidelity = json_integer_value(json_object_get(item, "fidelity")) != 0;
    spec.count = json_array_size(texts);
    const char **names = mem_new(spec.count + 1, sizeof *names);
    for (size_t k = 0; names && k < spec.count; k++) names[k] = json_string_value(json_array_get(texts, k));
    size_t numbers = spec.count;
    double *list = read_list(json_object_get(item, "numbers"), &numbers);
    double *when = read_list(json_object_get(item, "when"), &spec.when_count);
    unsigned char *retired = read_flags(json_object_get(item, "retired"), spec.count);
    good = (numbers == spec.count || !list) && (retired || !json_object_get(item, "retired"));
    spec.retired = retired;
    spec.categories = names;
    spec.numbers = list;
    spec.when = when;
    locbo_status status = !names ? status_no_memory(error)
                          : good ? locbo_space_add(space, &spec, error)
                                 : damaged(error, "space");
    mem_free(names);
    mem_free(list);
    mem_free(when);
    mem_free(retired);
    return status;
}

static locbo_status read_space(locbo_space **space, const json_t *root, locbo_error *error) {
    const json_t *array = json_object_get(root, "space"), *texts = json_object_get(root, "constraints");
    locbo_status status = locbo_space_create(space, error);
    for (size_t i = 0; status == LOCBO_OK && i < json_array_size(array); i++)
        status = read_parameter(*space, json_array_get(array, i), error);
    for (size_t i = 0; status == LOCBO_OK && i < json_array_size(texts); i++) {
        const char *text = json_string_value(json_array_get(texts, i));
        status = text ? locbo_space_add_constraint(*space, text, error) : damaged(error, "constraints");
    }
    const char *cost = json_string_value(json_object_get(root, "cost"));
    return status == LOCBO_OK && cost ? locbo_space_set_cost(*space, cost, error) : status;
}

static locbo_status read_options(locbo_options *options, json_t *object, locbo_error *error) {
    const char *name;
    json_t *value;
    locbo_options_init(options);
    locbo_options_set_older(options); /* those that the state does not mention */
    if (!json_is_object(object)) return damaged(error, "options");
    json_object_foreach(object, name, value) {
        if (!json_is_string(value)) return damaged(error, "options");
        locbo_status status = locbo_options_set(options, name, json_string_value(value), error);
        if (status != LOCBO_OK) return status;
    }
    return LOCBO_OK;
}

static int read_belief(const json_t *array, locbo_belief *b) {
    double values[BELIEF_COUNT];
    *b = BELIEF_NONE;
    size_t count = json_array_size(array) > BELIEF_SHOWN_COUNT ? BELIEF_COUNT : BELIEF_SHOWN_COUNT;
    if (!read_numbers(array, count, values)) return 0;
    memcpy(b, values, count * sizeof *values);
    return 1;
}

/* Beliefs of all outputs: the first quantity's, which is given, and the list of the others. */
static int read_beliefs(const locbo_optimizer *o, const json_t *others, const locbo_belief *first,
                        locbo_belief *beliefs) {
    for (size_t i = 0; i < locbo_outputs_count(o->outputs); i++) beliefs[i] = BELIEF_NONE;
    beliefs[o->listed[0]] = *first;
    if (json_array_size(others) != o->quantities - 1) return 0;
    for (size_t k = 1; k < o->quantities; k++)
        if (!read_belief(json_array_get(others, k - 1), &beliefs[o->listed[k]])) return 0;
    return 1;
}

static locbo_status read_trial(locbo_optimizer *o, const json_t *item, double *x, int *state, locbo_error *error) {
    locbo_trial info = {.id = o->trials + 1};
    int origin;
    json_int_t pending = json_integer_value(json_object_get(item, "pending"));
    if (!read_int(json_object_get(item, "state"), LOCBO_TRIAL_PENDING, LOCBO_TRIAL_ENDED, state) ||
        !read_int(json_object_get(item, "origin"), LOCBO_ORIGIN_DESIGN, LOCBO_ORIGINS - 1, &origin) ||
        !read_count(json_object_get(item, "told"), &info.told) || pending < 0 ||
        !read_numbers(json_object_get(item, "x"), o->dim, x) ||
        !read_belief(json_object_get(item, "belief"), &info.belief))
        return damaged(error, "trials");
    info.origin = (locbo_origin)origin;
    info.pending = (size_t)pending;
    locbo_belief *beliefs = mem_new(locbo_outputs_count(o->outputs), sizeof *beliefs);
    if (!beliefs) return status_no_memory(error);
    /* every trial starts as outstanding: results and failures follow in the order told */
    locbo_status status = read_beliefs(o, json_object_get(item, "others"), &info.belief, beliefs)
                              ? locbo_optimizer_restore_trial_outputs(o, &info, beliefs, x, error)
                              : damaged(error, "trials");
    mem_free(beliefs);
    const json_t *cost = json_object_get(item, "cost");
    double spent;
    if (status != LOCBO_OK || !cost) return status;
    if (!read_number(cost, &spent)) return damaged(error, "trials");
    return locbo_optimizer_tell_cost(o, info.id, spent, error);
}

static int read_measurement(const json_t *value, const json_t *sd, const json_t *n, locbo_measurement *m) {
    json_int_t count = json_integer_value(n);
    if (count < 0 || count > UINT32_MAX || !read_number(value, &m->value) || !read_number(sd, &m->sd)) return 0;
    m->n = (unsigned)count;
    return 1;
}

static int read_measurements(const json_t *item, size_t outputs, locbo_measurement *m) {
    const json_t *values = json_object_get(item, "values");
    if (outputs == 1 && !values)
        return read_measurement(json_object_get(item, "value"), json_object_get(item, "sd"), json_object_get(item, "n"),
                                m);
    if (json_array_size(values) != outputs) return 0;
    for (size_t k = 0; k < outputs; k++) {
        const json_t *one = json_array_get(values, k);
        if (!read_measurement(json_array_get(one, 0), json_array_get(one, 1), json_array_get(one, 2), &m[k])) return 0;
    }
    return 1;
}

static locbo_status read_result(locbo_optimizer *o, const json_t *item, locbo_measurement *m, double *x,
                                locbo_error *error) {
    uint64_t trial;
    if (!read_count(json_object_get(item, "trial"), &trial) || trial > o->trials ||
        !read_measurements(item, o->told.outputs, m))
        return damaged(error, "results");
    locbo_status status = optimizer_check_result(o, m, error);
    int ended = json_is_true(json_object_get(item, "ended"));
    if (ended && (trial == 0 || o->trial[trial - 1].state != LOCBO_TRIAL_PENDING)) return damaged(error, "results");
    if (status == LOCBO_OK && (trial == 0 || ended)) {
        if (!read_numbers(json_object_get(item, "x"), o->dim, x)) return damaged(error, "results");
        status = space_check_placed(o->space, x, error);
    }
    size_t index = trial ? (size_t)trial - 1 : SIZE_MAX;
    if (status == LOCBO_OK && ended) return locbo_optimizer_tell_ended(o, trial, x, m, error);
    return status == LOCBO_OK ? optimizer_append_result(o, index, x, m, error) : status;
}

static locbo_status read_results(locbo_optimizer *o, const json_t *results, double *x, locbo_error *error) {
    locbo_measurement *m = mem_new(o->told.outputs, sizeof *m);
    locbo_status status = m ? LOCBO_OK : status_no_memory(error);
    for (size_t i = 0; status == LOCBO_OK && i < json_array_size(results); i++)
        status = read_result(o, json_array_get(results, i), m, x, error);
    mem_free(m);
    return status;
}

static locbo_status read_failure(locbo_optimizer *o, const json_t *item, const int *state, locbo_error *error) {
    uint64_t trial;
    if (!read_count(item, &trial) || trial == 0 || trial > o->trials ||
        o->trial[trial - 1].state != LOCBO_TRIAL_PENDING ||
        (state[trial - 1] != LOCBO_TRIAL_FAILED && state[trial - 1] != LOCBO_TRIAL_INFEASIBLE))
        return damaged(error, "failures");
    return optimizer_append_failure(o, (size_t)trial - 1, (locbo_trial_state)state[trial - 1], error);
}

static locbo_status read_fit(locbo_optimizer *o, size_t k, const json_t *item, locbo_error *error) {
    if (json_is_null(item)) return LOCBO_OK;
    const json_t *choice = json_object_get(item, "choice"); /* older states have none */
    size_t count = json_array_size(json_object_get(item, "theta")), more = json_array_size(choice);
    json_int_t rows = json_integer_value(json_object_get(item, "rows"));
    if (count > o->quantity[k].surrogate.config.count + 1) return damaged(error, "fit");
    double *theta = mem_new(count, sizeof *theta), *numbers = mem_new(more, sizeof *numbers);
    locbo_fit fit = {.rows = (uint64_t)rows, .count = count, .theta = theta, .output = o->listed[k]};
    locbo_member candidates[FIT_MEMBERS];
    locbo_status status = theta && numbers ? LOCBO_OK : status_no_memory(error);
    if (status == LOCBO_OK &&
        (rows < 0 || !read_number(json_object_get(item, "shift"), &fit.shift) ||
         !read_number(json_object_get(item, "spread"), &fit.spread) ||
         !read_number(json_object_get(item, "value"), &fit.log_posterior) ||
         !read_numbers(json_object_get(item, "theta"), count, theta) || !read_numbers(choice, more, numbers) ||
         !fit_numbers_read(more, numbers, &fit, candidates)))
        status = damaged(error, "fit");
    if (status == LOCBO_OK) status = locbo_optimizer_restore_fit(o, &fit, error);
    mem_free(theta);
    mem_free(numbers);
    return status;
}

/* Trials, results, failures and cancellations, in this order. */
static locbo_status replay(locbo_optimizer *o, const json_t *root, double *x, int *state, locbo_error *error) {
    const json_t *trials = json_object_get(root, "trials");
    const json_t *results = json_object_get(root, "results");
    const json_t *failures = json_object_get(root, "failures");
    locbo_status status = LOCBO_OK;
    if (!json_is_array(trials) || !json_is_array(results) || !json_is_array(failures)) return damaged(error, "trials");
    for (size_t i = 0; status == LOCBO_OK && i < json_array_size(trials); i++)
        status = read_trial(o, json_array_get(trials, i), x, &state[i], error);
    if (status == LOCBO_OK) status = read_results(o, results, x, error);
    for (size_t i = 0; status == LOCBO_OK && i < json_array_size(failures); i++)
        status = read_failure(o, json_array_get(failures, i), state, error);
    for (size_t i = 0; status == LOCBO_OK && i < o->trials; i++) {
        int quiet = state[i] == LOCBO_TRIAL_CANCELLED || state[i] == LOCBO_TRIAL_ENDED;
        if (quiet && o->trial[i].state == LOCBO_TRIAL_PENDING) o->trial[i].state = (locbo_trial_state)state[i];
        if ((int)o->trial[i].state != state[i]) status = damaged(error, "trials");
    }
    return status;
}

/* The last fit of quantity k and the counts beside it. */
static locbo_status read_model(locbo_optimizer *o, size_t k, const json_t *fit, const json_t *fits,
                               const json_t *troubles, locbo_error *error) {
    surrogate *s = &o->quantity[k].surrogate;
    locbo_status status = read_fit(o, k, fit, error);
    if (status == LOCBO_OK && (!read_count(fits, &s->fits) || !read_count(troubles, &s->troubles)))
        status = damaged(error, "fits");
    return status;
}

/* The fits of the quantities after the first, and the reference point. */
static locbo_status read_others(locbo_optimizer *o, const json_t *root, locbo_error *error) {
    const json_t *fits = json_object_get(root, "other_fits");
    double reference[OUTPUTS_OBJECTIVES];
    if (json_array_size(fits) != o->quantities - 1 ||
        !read_numbers(json_object_get(root, "reference_point"), o->objectives, reference))
        return damaged(error, "other_fits");
    locbo_status status = optimizer_take_reference(o, reference, error);
    for (size_t k = 1; k < o->quantities && status == LOCBO_OK; k++) {
        const json_t *one = json_array_get(fits, k - 1);
        status = read_model(o, k, json_array_get(one, 0), json_array_get(one, 1), json_array_get(one, 2), error);
    }
    return status;
}

/* How many results had been told when coverage was last counted anew. */
static locbo_status read_segment(locbo_optimizer *o, const json_t *root, locbo_error *error) {
    const json_t *item = json_object_get(root, "segment");
    uint64_t count = 0;
    if (item && (!read_count(item, &count) || count > json_array_size(json_object_get(root, "results"))))
        return damaged(error, "segment");
    o->segment = (size_t)count;
    return LOCBO_OK;
}

static locbo_status restore(locbo_optimizer *o, const json_t *root, locbo_error *error) {
    size_t trials = json_array_size(json_object_get(root, "trials"));
    double *x = mem_new(o->dim, sizeof *x);
    int *state = mem_new(trials, sizeof *state);
    locbo_status status = x && state ? read_segment(o, root, error) : status_no_memory(error);
    if (status == LOCBO_OK) status = replay(o, root, x, state, error);
    if (status == LOCBO_OK && o->segment == o->told.n) status = locbo_optimizer_begin_segment(o, error);
    if (status == LOCBO_OK)
        status = read_model(o, 0, json_object_get(root, "fit"), json_object_get(root, "fits"),
                            json_object_get(root, "troubles"), error);
    if (status == LOCBO_OK && json_object_get(root, "outputs")) status = read_others(o, root, error);
    mem_free(x);
    mem_free(state);
    return status;
}

static locbo_status read_output(locbo_outputs *table, const json_t *item, locbo_error *error) {
    locbo_output_spec spec = {.struct_size = sizeof spec, .name = json_string_value(json_object_get(item, "name"))};
    int goal, scale;
    if (!read_int(json_object_get(item, "goal"), LOCBO_GOAL_MINIMIZE, LOCBO_GOAL_RECORD, &goal) ||
        !read_int(json_object_get(item, "scale"), LOCBO_MODEL_SCALE_OPTION, LOCBO_MODEL_SCALE_LOGIT, &scale) ||
        !read_number(json_object_get(item, "low"), &spec.scale_low) ||
        !read_number(json_object_get(item, "high"), &spec.scale_high) ||
        !read_number(json_object_get(item, "bound"), &spec.bound) ||
        !read_number(json_object_get(item, "reference"), &spec.reference) ||
        !read_count(json_object_get(item, "baseline"), &spec.baseline))
        return damaged(error, "outputs");
    spec.goal = (locbo_goal)goal;
    spec.scale = (locbo_model_scale)scale;
    spec.expression = json_string_value(json_object_get(item, "expression"));
    spec.referenced = json_is_true(json_object_get(item, "referenced"));
    return locbo_outputs_add(table, &spec, error);
}

/* NULL if the state has none. */
static locbo_status read_outputs(locbo_outputs **table, const json_t *array, locbo_error *error) {
    if (!array) return LOCBO_OK;
    locbo_status status = locbo_outputs_create(table, error);
    for (size_t i = 0; status == LOCBO_OK && i < json_array_size(array); i++)
        status = read_output(*table, json_array_get(array, i), error);
    return status;
}

static locbo_status check_head(const json_t *root, locbo_error *error) {
    const char *format = json_string_value(json_object_get(root, "format"));
    json_int_t version = json_integer_value(json_object_get(root, "version"));
    if (!format || strcmp(format, "locbo optimizer") != 0)
        return status_fail(error, LOCBO_ERR_FORMAT, "this is not a saved optimizer");
    if (version != FORMAT_VERSION)
        return status_fail(error, LOCBO_ERR_FORMAT,
                           "saved by format version %" JSON_INTEGER_FORMAT ", this library reads version %d", version,
                           FORMAT_VERSION);
    return LOCBO_OK;
}

static locbo_status load(locbo_optimizer **optimizer, const char *text, size_t length, locbo_error *error) {
    json_error_t where;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &where);
    if (!root)
        return status_fail(error, LOCBO_ERR_FORMAT, "the saved state is damaged at line %d: %s", where.line,
                           where.text);
    locbo_space *space = NULL;
    locbo_outputs *outputs = NULL;
    locbo_optimizer *o = NULL;
    locbo_options options;
    locbo_status status = check_head(root, error);
    if (status == LOCBO_OK) status = read_space(&space, root, error);
    if (status == LOCBO_OK) status = read_options(&options, json_object_get(root, "options"), error);
    if (status == LOCBO_OK) status = read_outputs(&outputs, json_object_get(root, "outputs"), error);
    if (status == LOCBO_OK) status = locbo_optimizer_create_for(&o, space, outputs, &options, error);
    if (status == LOCBO_OK) status = restore(o, root, error);
    locbo_space_destroy(space);
    locbo_outputs_destroy(outputs);
    json_decref(root);
    if (status == LOCBO_OK)
        *optimizer = o;
    else
        locbo_optimizer_destroy(o);
    return status;
}

locbo_status locbo_optimizer_load(locbo_optimizer **optimizer, const char *text, size_t length, locbo_error *error) {
    if (!optimizer || !text) return status_fail(error, LOCBO_ERR_ARGUMENT, "optimizer and text must not be NULL");
    locbo_status status = load(optimizer, text, length, error);
    if (status == LOCBO_ERR_FORMAT) {
        /* jansson 2.14 reports a lack of memory as a syntax error, or reads a shortened text: try again if there is
         * memory */
        void *probe = mem_new(length + 1, 1);
        if (!probe) return status_no_memory(error);
        mem_free(probe);
        status = load(optimizer, text, length, error);
    }
    if (status == LOCBO_OK) return status_ok(error);
    /* to the caller a value that is refused means that the text is damaged */
    if (status == LOCBO_ERR_ARGUMENT && error) error->status = LOCBO_ERR_FORMAT;
    return status == LOCBO_ERR_ARGUMENT ? LOCBO_ERR_FORMAT : status;
}
