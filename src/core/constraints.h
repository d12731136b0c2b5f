/* constraints.h - known constraints of a space: expressions of its parameters, and a function of the caller's. */
#ifndef CONSTRAINTS_H
#define CONSTRAINTS_H

#include "expression.h"

typedef struct constraint constraint;

typedef struct constraint_list {
    size_t count, capacity;
    constraint *list;
    locbo_allow_fn *allow; /* NULL: none */
    void *user;
    constraint *cost; /* no constraint: the cost of an evaluation, a number; NULL: none */
} constraint_list;

void constraints_release(constraint_list *c);
int constraints_any(const constraint_list *c); /* whether there is one at all */
size_t constraints_count(const constraint_list *c);
const char *constraints_text(const constraint_list *c, size_t i);

/* Add one whose names are parameters of the space; errors quote the text. */
locbo_status constraints_add(constraint_list *c, const locbo_space *space, const char *text, locbo_error *error);
/* sum_i coefficients[i] x[i] <= bound, written as a text. */
locbo_status constraints_add_linear(constraint_list *c, const locbo_space *space, const double *coefficients,
                                    double bound, locbo_error *error);

/* Whether all hold at x, whose values are those of the parameters; `error` NULL: only whether. */
locbo_status constraints_check(const constraint_list *c, const double *x, size_t dim, locbo_error *error);
int constraints_hold(const constraint_list *c, const double *x, size_t dim);
/* Whether constraint i holds at x. */
int constraints_hold_one(const constraint_list *c, size_t i, const double *x);

/* The cost of an evaluation as an expression of parameters; text NULL: none. */
locbo_status constraints_set_cost(constraint_list *c, const locbo_space *space, const char *text, locbo_error *error);
const char *constraints_cost_text(const constraint_list *c); /* NULL: none */
/* Its value at x; NAN if there is none, or if it names a parameter that has no value there. */
double constraints_cost_at(const constraint_list *c, const double *x);

/* How much constraint i is exceeded at x: it holds where this is at most 0 (or below 0, for < and >). Returns 0 if it
 * has no such number: it is no comparison but ==, !=, or conditions joined; or it is not applied at x. */
int constraints_excess(const constraint_list *c, size_t i, const double *x, double *excess);
/* Whether constraint i mentions parameter j. */
int constraints_mentions(const constraint_list *c, size_t i, size_t j);

#endif
