/* compare.c - whether a study has a given definition; if not, what differs first. Layer: study, middle. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "definition.h"
#include "ledger.h"
#include "number.h"

static locbo_status differs(const char *what, const char *stored, const char *given, locbo_error *error) {
    return status_fail(error, LOCBO_ERR_STATE, "%s differs: %s in the study, %s given", what, stored, given);
}

/* The words of a command, or the values of a categorical parameter: `n` of the study, `m` given. */
static locbo_status compare_texts(const char *item, const char *what, size_t n, const char *const *stored, size_t m,
                                  const char *const *given, locbo_error *error) {
    for (size_t i = 0; i < n || i < m; i++) {
        const char *a = i < n ? stored[i] : NULL, *b = i < m ? given[i] : NULL;
        if (!a || !b || strcmp(a, b) != 0)
            return status_fail(error, LOCBO_ERR_STATE, "%s %zu of %s differs: %s%s%s in the study, %s%s%s given", item,
                               i + 1, what, a ? "'" : "", a ? a : "none", a ? "'" : "", b ? "'" : "", b ? b : "none",
                               b ? "'" : "");
    }
    return LOCBO_OK;
}

/* "1, 4, 9", or as many as there is room for. */
static void list_numbers(size_t count, const double *items, char *text, size_t size) {
    size_t used = 0;
    text[0] = '\0';
    for (size_t i = 0; i < count && used + NUMBER_TEXT + 8 < size; i++) {
        char number[NUMBER_TEXT];
        number_print(items[i], number);
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? ", " : "", number);
    }
}

static locbo_status compare_numbers(const char *what, size_t n, const double *stored, size_t m, const double *given,
                                    locbo_error *error) {
    char a[100], b[100];
    if (n == m && (n == 0 || memcmp(stored, given, n * sizeof *stored) == 0)) return LOCBO_OK;
    list_numbers(n, stored, a, sizeof a);
    list_numbers(m, given, b, sizeof b);
    return differs(what, n ? a : "none", m ? b : "none", error);
}

/* Values of a parameter: "poly, rbf" or "1, 4", or as many as there is room for. */
static void list_values(const locbo_parameter *p, size_t count, const double *items, char *text, size_t size) {
    size_t used = 0;
    if (p->count == 0) {
        list_numbers(count, items, text, size);
        return;
    }
    for (size_t i = 0; i < count && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%.40s", i ? ", " : "", p->categories[(size_t)items[i]]);
}

/* On what a parameter depends, by name and values. The parents have been compared, as they come before it. */
static locbo_status compare_conditions(const locbo_space *s, const locbo_parameter *a, const locbo_space *t,
                                       const locbo_parameter *b, locbo_error *error) {
    locbo_parameter p = {.name = "nothing"}, q = p;
    char what[96], stored[100], given[100];
    locbo_space_parameter(s, a->parent, &p, NULL);
    locbo_space_parameter(t, b->parent, &q, NULL);
    snprintf(what, sizeof what, "what parameter %.40s depends on", a->name);
    if (strcmp(p.name, q.name) != 0) return differs(what, p.name, q.name, error);
    size_t n = a->when_count, m = b->when_count;
    if (n == m && (n == 0 || memcmp(a->when, b->when, n * sizeof *a->when) == 0)) return LOCBO_OK;
    list_values(&p, n, a->when, stored, sizeof stored);
    list_values(&q, m, b->when, given, sizeof given);
    snprintf(what, sizeof what, "the condition on %.30s of parameter %.30s", p.name, a->name);
    return differs(what, stored, given, error);
}

static locbo_status compare_ranges(const char *what, const locbo_parameter *a, const locbo_parameter *b,
                                   locbo_error *error) {
    const double ends[4] = {a->low, a->high, b->low, b->high};
    char text[4][NUMBER_TEXT];
    if (a->low == b->low && a->high == b->high) return LOCBO_OK;
    for (int i = 0; i < 4; i++) number_print(ends[i], text[i]);
    return status_fail(error, LOCBO_ERR_STATE, "%s differs: [%s, %s] in the study, [%s, %s] given", what, text[0],
                       text[1], text[2], text[3]);
}

/* The categories that further points may have: who gives the others, retired ones, must say so too. */
static locbo_status compare_categories(const char *what, const locbo_parameter *a, const locbo_parameter *b,
                                       locbo_error *error) {
    size_t i = 0, k = 0;
    while (i < a->count || k < b->count) {
        const char *p = i < a->count ? a->categories[i] : NULL, *q = k < b->count ? b->categories[k] : NULL;
        int retired = p && a->retired && a->retired[i], given = p && q && strcmp(p, q) == 0;
        int also = given && b->retired && b->retired[k];
        if (retired && !given) {
            i++;
            continue;
        }
        if (given && retired != also)
            return status_fail(error, LOCBO_ERR_STATE, "value %zu of %s differs: '%.40s' is %sretired in the study",
                               k + 1, what, p, retired ? "" : "not ");
        if (!given) return compare_texts("value", what, a->count, a->categories, b->count, b->categories, error);
        i++, k++;
    }
    return LOCBO_OK;
}

static locbo_status compare_frozen(const char *what, const locbo_parameter *a, const locbo_parameter *b,
                                   locbo_error *error) {
    char stored[NUMBER_TEXT + 16] = "not frozen", given[NUMBER_TEXT + 16] = "not frozen", number[NUMBER_TEXT];
    if ((isnan(a->frozen) && isnan(b->frozen)) || a->frozen == b->frozen) return LOCBO_OK;
    number_print(a->frozen, number);
    if (!isnan(a->frozen)) snprintf(stored, sizeof stored, "frozen at %s", number);
    number_print(b->frozen, number);
    if (!isnan(b->frozen)) snprintf(given, sizeof given, "frozen at %s", number);
    return differs(what, stored, given, error);
}

static locbo_status compare_parameter(const locbo_parameter *a, const locbo_parameter *b, locbo_error *error) {
    static const char *const kinds[][2] = {{"float", "float (log)"},
                                           {"int", "int (log)"},
                                           {"categorical", ""},
                                           {"ordered", "ordered (log)"},
                                           {"bool", ""}};
    char what[96], part[128];
    snprintf(what, sizeof what, "parameter %.60s", a->name);
    if (a->kind != b->kind || a->scale != b->scale)
        return differs(what, kinds[a->kind][a->scale], kinds[b->kind][b->scale], error);
    locbo_status frozen = compare_frozen(what, a, b, error);
    if (frozen != LOCBO_OK) return frozen;
    if (a->count > 0) {
        locbo_status status = compare_categories(what, a, b, error);
        snprintf(part, sizeof part, "the scale of %s", what);
        if (status != LOCBO_OK || a->count != b->count) return status;
        return compare_numbers(part, a->numbers ? a->count : 0, a->numbers, b->numbers ? b->count : 0, b->numbers,
                               error);
    }
    locbo_status status = compare_ranges(what, a, b, error);
    snprintf(part, sizeof part, "the step of %s", what);
    if (status != LOCBO_OK) return status;
    if (a->fidelity != b->fidelity)
        return differs(what, a->fidelity ? "the fidelity" : "not the fidelity",
                       b->fidelity ? "the fidelity" : "not the fidelity", error);
    return compare_numbers(part, a->step > 0, &a->step, b->step > 0, &b->step, error);
}

/* In the order of the definitions. */
static locbo_status compare_constraints(const locbo_space *a, const locbo_space *b, locbo_error *error) {
    size_t n = locbo_space_constraint_count(a), m = locbo_space_constraint_count(b);
    for (size_t i = 0; i < n || i < m; i++) {
        const char *p = locbo_space_constraint(a, i), *q = locbo_space_constraint(b, i);
        if (p && q && strcmp(p, q) == 0) continue;
        return status_fail(error, LOCBO_ERR_STATE, "constraint %zu differs: %.80s in the study, %.80s given", i + 1,
                           p ? p : "none", q ? q : "none");
    }
    return LOCBO_OK;
}

static locbo_status compare_costs(const locbo_space *a, const locbo_space *b, locbo_error *error) {
    const char *p = locbo_space_cost(a), *q = locbo_space_cost(b);
    if (p == q || (p && q && strcmp(p, q) == 0)) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_STATE, "the cost differs: %.80s in the study, %.80s given", p ? p : "measured",
                       q ? q : "measured");
}

static locbo_status compare_spaces(const locbo_space *a, const locbo_space *b, locbo_error *error) {
    size_t at, next = 0, n = locbo_space_dim(a), m = locbo_space_dim(b), moved = n, found = 0;
    locbo_parameter p, q;
    for (size_t j = 0; j < n; j++) {
        locbo_space_parameter(a, j, &p, NULL);
        int there = locbo_space_find(b, p.name, &at, NULL) == LOCBO_OK;
        if (!there && !isnan(p.frozen)) continue; /* it is as good as removed */
        if (!there) return status_fail(error, LOCBO_ERR_STATE, "parameter %s of the study is not given", p.name);
        locbo_space_parameter(b, at, &q, NULL);
        locbo_status status = compare_parameter(&p, &q, error);
        if (status == LOCBO_OK) status = compare_conditions(a, &p, b, &q, error);
        if (status != LOCBO_OK) return status;
        if (at != next && moved == n) {
            moved = j;
            found = next;
        }
        next++;
    }
    for (size_t j = 0; j < m; j++) {
        locbo_space_parameter(b, j, &q, NULL);
        if (locbo_space_find(a, q.name, &at, NULL) != LOCBO_OK)
            return status_fail(error, LOCBO_ERR_STATE, "parameter %s is given and is not in the study", q.name);
    }
    if (moved == n) {
        locbo_status status = compare_constraints(a, b, error);
        return status == LOCBO_OK ? compare_costs(a, b, error) : status;
    }
    locbo_space_parameter(a, moved, &p, NULL);
    locbo_space_parameter(b, found, &q, NULL);
    return differs("the order of the parameters", p.name, q.name, error);
}

/* What is wanted of an output, and the scale of its model; an expression is not part of it. */
static void describe_output(const locbo_output_spec *s, char *text, size_t size) {
    static const char *const goals[] = {"minimize", "maximize", "at most", "at least", "record"};
    static const char *const scales[] = {"", ", scale none", ", scale log", ", scale logit"};
    char number[NUMBER_TEXT], low[NUMBER_TEXT], high[NUMBER_TEXT];
    int used = snprintf(text, size, "%s", goals[s->goal]);
#define ADD(...) used += snprintf(text + used, size - (size_t)used, __VA_ARGS__)
    number_print(s->referenced ? s->reference : s->bound, number);
    number_print(s->scale_low, low);
    number_print(s->scale_high, high);
    if (s->goal == LOCBO_GOAL_AT_MOST || s->goal == LOCBO_GOAL_AT_LEAST) ADD(" %s", number);
    if (s->baseline) ADD(" times trial %" PRIu64, s->baseline);
    if (s->referenced) ADD(", reference %s", number);
    ADD("%s", scales[s->scale]);
    if (s->scale == LOCBO_MODEL_SCALE_LOGIT) ADD(" %s to %s", low, high);
#undef ADD
}

static locbo_status compare_output(const locbo_output_spec *a, const locbo_output_spec *b, locbo_error *error) {
    char what[96], stored[160], given[160];
    describe_output(a, stored, sizeof stored);
    describe_output(b, given, sizeof given);
    snprintf(what, sizeof what, "output %.40s", a->name);
    if (strcmp(stored, given) != 0) return differs(what, stored, given, error);
    const char *p = a->expression, *q = b->expression;
    if (p == q || (p && q && strcmp(p, q) == 0)) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_STATE, "the expression of %s differs: %.60s in the study, %.60s given", what,
                       p ? p : "none", q ? q : "none");
}

static locbo_status compare_tables(const locbo_outputs *a, const locbo_outputs *b, locbo_error *error) {
    size_t at, n = locbo_outputs_count(a), m = locbo_outputs_count(b), moved = n;
    locbo_output_spec p = {.struct_size = sizeof p}, q = {.struct_size = sizeof q};
    for (size_t i = 0; i < n; i++) {
        locbo_outputs_get(a, i, &p, NULL);
        if (locbo_outputs_find(b, p.name, &at, NULL) != LOCBO_OK)
            return status_fail(error, LOCBO_ERR_STATE, "output %.40s of the study is not given", p.name);
        locbo_outputs_get(b, at, &q, NULL);
        locbo_status status = compare_output(&p, &q, error);
        if (status != LOCBO_OK) return status;
        if (at != i && moved == n) moved = i;
    }
    for (size_t i = 0; i < m; i++) {
        locbo_outputs_get(b, i, &q, NULL);
        if (locbo_outputs_find(a, q.name, &at, NULL) != LOCBO_OK)
            return status_fail(error, LOCBO_ERR_STATE, "output %.40s is given and is not in the study", q.name);
    }
    if (moved == n) return LOCBO_OK;
    locbo_outputs_get(a, moved, &p, NULL);
    locbo_outputs_get(b, moved, &q, NULL);
    return differs("the order of the outputs", p.name, q.name, error);
}

/* The outputs of a definition without a table. */
static locbo_status make_plain(locbo_outputs **outputs, locbo_direction direction, locbo_error *error) {
    const locbo_output_spec value = {.struct_size = sizeof value,
                                     .name = "value",
                                     .goal = direction == LOCBO_MAXIMIZE ? LOCBO_GOAL_MAXIMIZE : LOCBO_GOAL_MINIMIZE};
    locbo_status status = locbo_outputs_create(outputs, error);
    return status == LOCBO_OK ? locbo_outputs_add(*outputs, &value, error) : status;
}

static locbo_status compare_outputs(const locbo_study *study, const locbo_definition *d, locbo_error *error) {
    const locbo_outputs *a = study->outputs, *b = d->outputs;
    locbo_outputs *plain = NULL;
    if (!a && !b) return LOCBO_OK; /* their directions are options */
    locbo_status status = LOCBO_OK;
    if (!a || !b) status = make_plain(&plain, a ? d->options->direction : study->options.direction, error);
    if (status == LOCBO_OK) status = compare_tables(a ? a : plain, b ? b : plain, error);
    locbo_outputs_destroy(plain);
    return status;
}

static locbo_status compare_options(const locbo_options *a, const locbo_options *b, locbo_error *error) {
    for (size_t i = 0; i < locbo_option_count(); i++) {
        locbo_option option;
        char stored[64], given[64], what[64];
        locbo_option_describe(i, &option, NULL);
        locbo_options_get(a, option.name, stored, sizeof stored, NULL);
        locbo_options_get(b, option.name, given, sizeof given, NULL);
        snprintf(what, sizeof what, "option %s", option.name);
        /* a study that is older than this option has its old value, a definition that does not mention it the default
         */
        if (option.older_text && strcmp(given, option.default_text) == 0) continue;
        if (strcmp(stored, given) != 0) return differs(what, stored, given, error);
    }
    return LOCBO_OK;
}

locbo_status locbo_study_compare(const locbo_study *study, const locbo_definition *definition, locbo_error *error) {
    if (!study) return status_fail(error, LOCBO_ERR_ARGUMENT, "study must not be NULL");
    locbo_definition d;
    locbo_options options;
    locbo_status status = definition_take(definition, &d, &options, error);
    if (status == LOCBO_OK) status = compare_spaces(study->space, d.space, error);
    if (status == LOCBO_OK) status = compare_outputs(study, &d, error);
    if (status == LOCBO_OK) status = compare_options(&study->options, &options, error);
    if (status == LOCBO_OK && d.command_count > 0)
        status = compare_texts("word", "the command", study->command_count, (const char *const *)study->command,
                               d.command_count, d.command, error);
    return status == LOCBO_OK ? status_ok(error) : status;
}
