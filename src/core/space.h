/* space.h - the search space, for the core's own use.
 *
 * Three ways to write a point: x, the user's values (`dim` doubles); t, one number in [0,1] per parameter, from
 * which any point can be drawn; u, encoded for the model (`columns` doubles): a real or integer parameter is
 * one column in [0,1] (log scales taken), a categorical one has a column per category, 1/sqrt(2) at the present one
 * and 0 elsewhere, so that |u-u'|^2 is the distance in the unit cube plus 1 for each differing category. */
#ifndef SPACE_H
#define SPACE_H

#include "status.h"

locbo_status space_copy(locbo_space **out, const locbo_space *space, locbo_error *error);

size_t space_columns(const locbo_space *s);
const size_t *space_group(const locbo_space *s);     /* the parameter of each column */
size_t space_column(const locbo_space *s, size_t i); /* the first column of parameter i */
locbo_kind space_kind(const locbo_space *s, size_t i);
size_t space_categories(const locbo_space *s, size_t i);

/* The point of the space at t: rounded to a feasible one. */
void space_from_unit(const locbo_space *s, const double *t, double *x);
/* A t that space_from_unit turns into x: the middle of the range of such t. */
void space_to_unit(const locbo_space *s, const double *x, double *t);
void space_encode(const locbo_space *s, const double *x, double *u);
/* The column value of a real or integer parameter. */
double space_encode_value(const locbo_space *s, size_t i, double value);
/* The value of the real parameter i at column value u. */
double space_decode_real(const locbo_space *s, size_t i, double u);

/* Coordinates that a proposal holds fixed: `dim` values, NAN where free, or NULL. */
int space_is_free(const double *fixed, size_t i);
/* Give x the fixed values. */
void space_hold(const locbo_space *s, const double *fixed, double *x);
/* Whether x has them. */
int space_is_held(const locbo_space *s, const double *fixed, const double *x);

/* How many points there are with these coordinates fixed (NAN where free; NULL: all free): INFINITY with a free real
 * parameter. */
double space_points(const locbo_space *s, const double *fixed);
/* Number k of them, if they are finitely many. */
void space_point(const locbo_space *s, const double *fixed, uint64_t k, double *x);
/* The number of a point that agrees with `fixed`. */
uint64_t space_number(const locbo_space *s, const double *fixed, const double *x);
int space_same(const locbo_space *s, const double *a, const double *b);
/* LOCBO_OK if parameter i may have this value. */
locbo_status space_check_value(const locbo_space *s, size_t i, double value, locbo_error *error);

#endif
