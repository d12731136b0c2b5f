/* expression.c - the value of an expression, and its coefficients if it is linear: the steps of expression_parse.c on a
 * stack. Layer: base. Cost: linear in the steps; the coefficients, times the names. */
#include "expression.h"

#include <math.h>

#include "expression_steps.h"
#include "mem.h"

void expression_destroy(expression *e) {
    if (!e) return;
    for (size_t i = 0; i < e->name_count; i++) mem_free(e->names[i]);
    mem_free(e->names);
    mem_free(e->steps);
    mem_free(e);
}

size_t expression_name_count(const expression *e) { return e->name_count; }

const char *expression_name(const expression *e, size_t index) { return e->names[index]; }

/* ---- its value ------------------------------------------------------------------------------- */

static int is_true(double x) { return x != 0 && !isnan(x); }

static double negate(double x) { return -x; }

static double invert(double x) { return isnan(x) ? NAN : x == 0; }

static double apply_one(operation does, double x) {
    static double (*const function[])(double) = {
        [NEGATE] = negate, [NOT] = invert, [ABS] = fabs,    [CEIL] = ceil, [EXP] = exp,
        [FLOOR] = floor,   [LOG] = log,    [LOG10] = log10, [SQRT] = sqrt};
    return function[does](x);
}

/* One of them may be NAN, that is unknown. */
static double apply_logic(operation does, double x, double y) {
    if (does == OR && (is_true(x) || is_true(y))) return 1;
    if (does == AND && (x == 0 || y == 0)) return 0;
    return isnan(x) || isnan(y) ? NAN : does == AND;
}

static double compare(operation does, double x, double y) {
    if (isnan(x) || isnan(y)) return NAN;
    if (does == EQUAL || does == NOT_EQUAL) return (x == y) == (does == EQUAL);
    if (does == LESS || does == GREATER_EQUAL) return (x < y) == (does == LESS);
    return (x > y) == (does == GREATER);
}

static double apply_two(operation does, double x, double y) {
    switch (does) {
    case ADD:
        return x + y;
    case SUBTRACT:
        return x - y;
    case MULTIPLY:
        return x * y;
    case DIVIDE:
        return x / y;
    case POWER:
        return pow(x, y);
    case MIN:
        return isnan(x) || x < y ? x : y;
    case MAX:
        return isnan(x) || x > y ? x : y;
    case OR:
    case AND:
        return apply_logic(does, x, y);
    default:
        return compare(does, x, y);
    }
}

/* The value after `count` steps, with what is left on the stack below it. */
static void run_steps(const expression *e, size_t count, const double *values, double *stack) {
    size_t height = 0;
    for (const step *s = e->steps; s < e->steps + count; s++) {
        if (s->does < NEGATE) {
            stack[height++] = s->does == PUSH_NUMBER ? s->number : values[s->name];
        } else if (s->does < ADD) {
            stack[height - 1] = apply_one(s->does, stack[height - 1]);
        } else {
            height--;
            stack[height - 1] = apply_two(s->does, stack[height - 1], stack[height]);
        }
    }
}

double expression_value(const expression *e, const double *values) {
    double stack[EXPRESSION_DEPTH];
    run_steps(e, e->step_count, values, stack);
    return stack[0];
}

double expression_difference(const expression *e, const double *values) {
    double stack[EXPRESSION_DEPTH];
    int compares = e->steps[e->step_count - 1].does >= LESS;
    run_steps(e, e->step_count - (size_t)compares, values, stack);
    return compares ? stack[0] - stack[1] : stack[0];
}

/* The steps after which a condition is on top of the stack, each from what was there before it. */
int expression_is_condition(const expression *e) {
    char condition[EXPRESSION_DEPTH];
    size_t height = 0;
    for (const step *s = e->steps; s < e->steps + e->step_count; s++) {
        if (s->does < NEGATE) {
            condition[height++] = 0;
        } else if (s->does < ADD) {
            condition[height - 1] = s->does == NOT && condition[height - 1];
        } else {
            height--;
            int both = condition[height - 1] && condition[height];
            condition[height - 1] = s->does >= LESS || ((s->does == AND || s->does == OR) && both);
        }
    }
    return condition[0];
}

/* ---- linear expressions ---------------------------------------------------------------------- */

/* slope * x + constant, plus multiples of other names */
typedef struct line {
    double slope, constant;
    int has_names;
} line;

/* Both return 0 if the result is not linear. */
static int line_one(operation does, line *x) {
    if (x->has_names && does != NEGATE) return 0;
    if (x->has_names) x->slope = -x->slope;
    x->constant = apply_one(does, x->constant);
    return 1;
}

static int line_two(operation does, line *x, line y) {
    int linear = does == ADD || does == SUBTRACT || (does == MULTIPLY && !(x->has_names && y.has_names)) ||
                 (does == DIVIDE && !y.has_names) || !(x->has_names || y.has_names);
    if (does == ADD || does == SUBTRACT)
        x->slope = apply_two(does, x->slope, y.slope);
    else if (y.has_names)
        x->slope = x->constant * y.slope;
    else if (x->has_names)
        x->slope = apply_two(does, x->slope, y.constant);
    x->constant = apply_two(does, x->constant, y.constant);
    x->has_names |= y.has_names;
    return linear;
}

/* The expression as a line in one of its names; a comparison at its end is a difference. */
static int find_line(const expression *e, size_t name, line *found) {
    line stack[EXPRESSION_DEPTH] = {{0}};
    size_t height = 0;
    int is_linear = 1;
    for (size_t i = 0; i < e->step_count && is_linear; i++) {
        const step *s = &e->steps[i];
        operation does = s->does >= LESS && i + 1 == e->step_count ? SUBTRACT : s->does;
        if (does == PUSH_NUMBER) {
            stack[height++] = (line){.constant = s->number};
        } else if (does == PUSH_NAME) {
            stack[height++] = (line){.slope = s->name == name, .has_names = 1};
        } else if (does < ADD) {
            is_linear = line_one(does, &stack[height - 1]);
        } else {
            height--;
            is_linear = line_two(does, &stack[height - 1], stack[height]);
        }
    }
    *found = stack[0];
    return is_linear && isfinite(found->slope) && isfinite(found->constant);
}

expression_relation expression_relation_of(const expression *e) {
    operation last = e->steps[e->step_count - 1].does;
    return last >= LESS ? (expression_relation)(EXPRESSION_LESS + (last - LESS)) : EXPRESSION_NO_RELATION;
}

int expression_linear(const expression *e, double *coefficients, double *constant) {
    line found;
    for (size_t i = 0; i < e->name_count; i++)
        if (!find_line(e, i, &found)) return 0;
    if (!find_line(e, e->name_count, &found)) return 0;
    *constant = found.constant;
    for (size_t i = 0; i < e->name_count; i++) {
        find_line(e, i, &found);
        coefficients[i] = found.slope;
    }
    return 1;
}
