/* constraints.c - known constraints: which points may be evaluated at all. Layer: core. Cost: that of the expressions,
 * linear in their texts; nothing is allocated. */
#include "constraints.h"

#include <math.h>
#include <string.h>

#include "buffer.h"
#include "mem.h"
#include "number.h"
#include "space.h"

enum { NAMES = 64 }; /* that one constraint may mention */

struct constraint {
    char *text;
    expression *formula;
    size_t names;
    size_t parameter[NAMES];
    const double *numbers[NAMES]; /* of an ordered parameter; they belong to the space */
    expression_relation relation;
};

static void release_one(constraint *c) {
    mem_free(c->text);
    expression_destroy(c->formula);
}

void constraints_release(constraint_list *c) {
    for (size_t i = 0; i < c->count; i++) release_one(&c->list[i]);
    mem_free(c->list);
    if (c->cost) release_one(c->cost);
    mem_free(c->cost);
    *c = (constraint_list){.count = 0};
}

int constraints_any(const constraint_list *c) { return c->count > 0 || c->allow; }

size_t constraints_count(const constraint_list *c) { return c->count; }

const char *constraints_text(const constraint_list *c, size_t i) { return c->list[i].text; }

/* ---- adding ------------------------------------------------------------------------------------ */

/* `what` it is, for messages. */
static locbo_status find_names(constraint *c, const char *what, const locbo_space *space, locbo_error *error) {
    c->names = expression_name_count(c->formula);
    if (c->names == 0) return status_fail(error, LOCBO_ERR_ARGUMENT, "%s '%.80s' names no parameter", what, c->text);
    if (c->names > NAMES)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "%s '%.80s' names %zu parameters, at most %d are possible", what,
                           c->text, c->names, (int)NAMES);
    for (size_t k = 0; k < c->names; k++) {
        const char *name = expression_name(c->formula, k);
        locbo_parameter p;
        if (locbo_space_find(space, name, &c->parameter[k], NULL) != LOCBO_OK)
            return status_fail(error, LOCBO_ERR_ARGUMENT, "%s '%.80s': there is no parameter '%.40s'", what, c->text,
                               name);
        locbo_space_parameter(space, c->parameter[k], &p, NULL);
        if (p.kind == LOCBO_CATEGORICAL || (p.kind == LOCBO_ORDERED && !p.numbers))
            return status_fail(error, LOCBO_ERR_ARGUMENT, "%s '%.80s': the categories of '%.40s' are no numbers", what,
                               c->text, name);
        c->numbers[k] = p.numbers;
    }
    return LOCBO_OK;
}

locbo_status constraints_add(constraint_list *c, const locbo_space *space, const char *text, locbo_error *error) {
    constraint one = {.text = mem_text(text)};
    locbo_status status = one.text ? expression_parse(&one.formula, text, error) : status_no_memory(error);
    if (status == LOCBO_OK) status = find_names(&one, "constraint", space, error);
    if (status == LOCBO_OK && !expression_is_condition(one.formula))
        status = status_fail(error, LOCBO_ERR_ARGUMENT,
                             "constraint '%.80s' is a number, not a condition: compare it, as in a + b <= 1", text);
    if (status == LOCBO_OK && !mem_reserve(&c->list, &c->capacity, c->count + 1, sizeof *c->list))
        status = status_no_memory(error);
    if (status != LOCBO_OK) {
        release_one(&one);
        return status;
    }
    one.relation = expression_relation_of(one.formula);
    c->list[c->count++] = one;
    return status_ok(error);
}

/* A name as expressions have it: in backquotes, which are doubled inside. */
static void write_name(buffer *b, const char *name) {
    buffer_text(b, "`");
    for (; *name; name++) {
        if (*name == '`') buffer_text(b, "`");
        buffer_add(b, name, 1);
    }
    buffer_text(b, "`");
}

locbo_status constraints_add_linear(constraint_list *c, const locbo_space *space, const double *coefficients,
                                    double bound, locbo_error *error) {
    buffer b = {.data = NULL};
    char number[NUMBER_TEXT];
    if (!isfinite(bound)) return status_fail(error, LOCBO_ERR_ARGUMENT, "the bound must be finite, got %g", bound);
    for (size_t i = 0; i < locbo_space_dim(space); i++) {
        locbo_parameter p;
        if (coefficients[i] == 0) continue;
        locbo_space_parameter(space, i, &p, NULL);
        if (!isfinite(coefficients[i])) {
            mem_free(b.data);
            return status_fail(error, LOCBO_ERR_ARGUMENT, "the coefficient of '%.40s' must be finite, got %g", p.name,
                               coefficients[i]);
        }
        number_print(fabs(coefficients[i]), number);
        buffer_text(&b, coefficients[i] < 0 ? " - " : b.size > 0 ? " + " : "");
        buffer_text(&b, number);
        buffer_text(&b, "*");
        write_name(&b, p.name);
    }
    number_print(bound, number);
    buffer_text(&b, b.size > 0 ? " <= " : "0 <= ");
    buffer_text(&b, number);
    buffer_char(&b, '\0', 1);
    locbo_status status = b.failed ? status_no_memory(error) : constraints_add(c, space, b.data, error);
    mem_free(b.data);
    return status;
}

/* ---- whether they hold ------------------------------------------------------------------------- */

/* The values of the names; 0 if one of them has none: the constraint is not applied. */
static int take_values(const constraint *c, const double *x, double values[NAMES]) {
    for (size_t k = 0; k < c->names; k++) {
        double value = x[c->parameter[k]];
        if (isnan(value)) return 0;
        values[k] = c->numbers[k] ? c->numbers[k][(size_t)value] : value;
    }
    return 1;
}

locbo_status constraints_set_cost(constraint_list *c, const locbo_space *space, const char *text, locbo_error *error) {
    constraint *cost = text ? mem_new(1, sizeof *cost) : NULL;
    locbo_status status = text && !cost ? status_no_memory(error) : LOCBO_OK;
    if (cost && !(cost->text = mem_text(text))) status = status_no_memory(error);
    if (cost && status == LOCBO_OK) status = expression_parse(&cost->formula, text, error);
    if (cost && status == LOCBO_OK) status = find_names(cost, "cost", space, error);
    if (cost && status == LOCBO_OK && expression_is_condition(cost->formula))
        status = status_fail(error, LOCBO_ERR_ARGUMENT, "cost '%.80s' is a condition, not a number", text);
    constraint *gone = status == LOCBO_OK ? c->cost : cost;
    if (gone) release_one(gone);
    mem_free(gone);
    if (status != LOCBO_OK) return status;
    c->cost = cost;
    return status_ok(error);
}

const char *constraints_cost_text(const constraint_list *c) { return c->cost ? c->cost->text : NULL; }

double constraints_cost_at(const constraint_list *c, const double *x) {
    double values[NAMES];
    return c->cost && take_values(c->cost, x, values) ? expression_value(c->cost->formula, values) : (double)NAN;
}

int constraints_hold_one(const constraint_list *c, size_t i, const double *x) {
    double values[NAMES];
    if (!take_values(&c->list[i], x, values)) return 1;
    double truth = expression_value(c->list[i].formula, values);
    return truth != 0 && !isnan(truth);
}

int constraints_hold(const constraint_list *c, const double *x, size_t dim) {
    for (size_t i = 0; i < c->count; i++)
        if (!constraints_hold_one(c, i, x)) return 0;
    return !c->allow || c->allow(x, dim, c->user) != 0;
}

locbo_status constraints_check(const constraint_list *c, const double *x, size_t dim, locbo_error *error) {
    for (size_t i = 0; i < c->count; i++)
        if (!constraints_hold_one(c, i, x))
            return status_fail(error, LOCBO_ERR_ARGUMENT, "the point does not satisfy the constraint '%.120s'",
                               c->list[i].text);
    if (!c->allow || c->allow(x, dim, c->user) != 0) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_ARGUMENT, "the point is not allowed by the caller's function");
}

int constraints_excess(const constraint_list *c, size_t i, const double *x, double *excess) {
    double values[NAMES];
    const constraint *one = &c->list[i];
    int above = one->relation == EXPRESSION_GREATER || one->relation == EXPRESSION_GREATER_EQUAL;
    int below = one->relation == EXPRESSION_LESS || one->relation == EXPRESSION_LESS_EQUAL;
    if ((!above && !below) || !take_values(one, x, values)) return 0;
    double difference = expression_difference(one->formula, values);
    *excess = above ? -difference : difference;
    return 1;
}

int constraints_mentions(const constraint_list *c, size_t i, size_t j) {
    for (size_t k = 0; k < c->list[i].names; k++)
        if (c->list[i].parameter[k] == j) return 1;
    return 0;
}
