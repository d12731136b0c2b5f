/* region.h - the points of a space that satisfy its known constraints: drawn evenly, and spread over it. In a space
 * without constraints every t of the unit cube is one of them (space_from_unit). */
#ifndef REGION_H
#define REGION_H

#include "rng.h"
#include "space.h"

/* What is drawn from: the points with these coordinates fixed. `known`: points of the space that were found before
 * (rows of dim); they need not have the fixed values. */
typedef struct region {
    const locbo_space *space;
    const double *fixed; /* NAN where free; NULL: all free */
    const double *known;
    size_t known_count;
} region;

/* Whether x, a point in the ranges with its inactive values NAN, satisfies the constraints. */
int region_holds(const region *r, const double *x);
/* The point at t: space_from_unit with the fixed values. */
void region_point(const region *r, const double *t, double *x);

/* n values of t (rows of dim) whose points are in the region, distributed evenly over it, or nearly: if it is a small
 * part of the box they come from random walks inside it. LOCBO_ERR_ARGUMENT if no point was found: the message names a
 * constraint. */
locbo_status region_draw(const region *r, size_t n, rng *stream, double *t, locbo_error *error);
/* The same, but none of the points is a known one: random walks begin there. */
locbo_status region_draw_fresh(const region *r, size_t n, rng *stream, double *t, locbo_error *error);
/* n of them that are far from each other. */
locbo_status region_spread(const region *r, size_t n, rng *stream, double *t, locbo_error *error);

#endif
