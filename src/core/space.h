/* space.h - the search space, for the core's own use.
 *
 * Three ways to write a point: x, the user's values (`dim` doubles); t, one number in [0,1] per parameter, from
 * which any point can be drawn; u, encoded for the model (`columns` doubles): a real or integer parameter is
 * one column in [0,1] (log scales taken), a categorical one has a column per category, 1/sqrt(2) at the present one
 * and 0 elsewhere, so that |u-u'|^2 is the distance in the unit cube plus 1 for each differing category. Ordered
 * categories and bools are one column too. A parameter that is not active has no value: x is NAN, and its columns have
 * one place.
 *
 * A point of the space is in the ranges, has values for the active parameters alone, and satisfies the known
 * constraints (space_limits); what draws points here looks at the first two only: region.h draws points of the space.
 */
#ifndef SPACE_H
#define SPACE_H

#include "constraints.h"
#include "status.h"

locbo_status space_copy(locbo_space **out, const locbo_space *space, locbo_error *error);
/* Parameter i, as locbo_space_add takes it; its texts and lists belong to the space. */
locbo_parameter_spec space_spec(const locbo_space *s, size_t i);
/* The known constraints; NULL: there are none. */
const constraint_list *space_limits(const locbo_space *s);

size_t space_columns(const locbo_space *s);
const size_t *space_group(const locbo_space *s);     /* the parameter of each column */
size_t space_column(const locbo_space *s, size_t i); /* the first column of parameter i */
locbo_kind space_kind(const locbo_space *s, size_t i);
size_t space_categories(const locbo_space *s, size_t i);
size_t space_fidelity(const locbo_space *s); /* the fidelity parameter; SIZE_MAX: there is none */
double space_full(const locbo_space *s);     /* the column value of its upper end */
/* Whether it is a real parameter without steps. */
int space_is_continuous(const locbo_space *s, size_t i);
/* The next value of a parameter that is neither continuous nor categorical, up (1) or down (-1); NAN: there is none. */
double space_neighbour(const locbo_space *s, size_t i, double value, int direction);

/* Whether a parameter depends on another. */
int space_is_conditional(const locbo_space *s);
/* Whether parameter i is active, given the values of those before it. */
int space_is_active(const locbo_space *s, const double *x, size_t i);
/* Values of inactive parameters become NAN. */
void space_settle(const locbo_space *s, double *x);
/* The same, and active ones that have no value get the one in the middle. */
void space_complete(const locbo_space *s, double *x);

/* The point at t, rounded to the values of its parameters; inactive ones are NAN. */
void space_from_unit(const locbo_space *s, const double *t, double *x);
/* A t that space_from_unit turns into x: the middle of the range of such t. */
void space_to_unit(const locbo_space *s, const double *x, double *t);
void space_encode(const locbo_space *s, const double *x, double *u);
/* The column value of a real or integer parameter. */
double space_encode_value(const locbo_space *s, size_t i, double value);
/* The value of a parameter with a range at t in [0,1], as that of space_from_unit. */
double space_value_at(const locbo_space *s, size_t i, double t);
/* The value of the real parameter i at column value u. */
double space_decode_real(const locbo_space *s, size_t i, double u);

/* Coordinates that a proposal holds fixed: `dim` values, NAN where free, or NULL. */
int space_is_free(const double *fixed, size_t i);
/* Whether parameter i is free and may be active. */
int space_is_open(const locbo_space *s, const double *fixed, size_t i);
/* LOCBO_OK if the fixed values are possible together, and each fixed parameter is active by other fixed ones. */
locbo_status space_check_fixed(const locbo_space *s, const double *fixed, locbo_error *error);
/* Give x the fixed values. */
void space_hold(const locbo_space *s, const double *fixed, double *x);
/* Whether x has them. */
int space_is_held(const locbo_space *s, const double *fixed, const double *x);

/* How many points there are with these coordinates fixed (NAN where free; NULL: all free), or more: INFINITY with a
 * free continuous parameter. In a conditional space several numbers give one point. */
double space_points(const locbo_space *s, const double *fixed);
/* Number k of them, if they are finitely many; returns 0 if a smaller number gives the same point. */
int space_point(const locbo_space *s, const double *fixed, uint64_t k, double *x);
/* The (smallest) number of a point that agrees with `fixed`. */
uint64_t space_number(const locbo_space *s, const double *fixed, const double *x);
int space_same(const locbo_space *s, const double *a, const double *b);
/* LOCBO_OK if x has a place in the encoding: it may be a point of the space as it was before it changed (outside the
 * ranges, of a retired category), or all NAN, if it had no place. */
locbo_status space_check_placed(const locbo_space *s, const double *x, locbo_error *error);
/* LOCBO_OK if parameter i may have this value. */
locbo_status space_check_value(const locbo_space *s, size_t i, double value, locbo_error *error);

#endif
