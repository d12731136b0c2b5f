/* design.h - the points that are evaluated before there is a model. */
#ifndef DESIGN_H
#define DESIGN_H

#include "rng.h"
#include "status.h"

/* n points of [0,1]^dim (row-major): a Latin hypercube, the most spread out of a few, or uniform. */
locbo_status design_make(locbo_design design, size_t n, size_t dim, rng *r, double *t, locbo_error *error);

#endif
