/* explore.h - a point far from everything that was tried. */
#ifndef EXPLORE_H
#define EXPLORE_H

#include "optimizer.h"

/* x receives the farthest of some random points of the space from all results and trials; a point of the request as
 * acqmax_random gives it: fixed coordinates as given, not a taken one unless all are. */
locbo_status explore_point(locbo_optimizer *o, const acqmax_request *r, double *x, locbo_error *error);

#endif
