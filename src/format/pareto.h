/* pareto.h - the measured front of several objectives in two numbers, for all who show how far a study is. */
#ifndef PARETO_H
#define PARETO_H

#include "status.h"

/* How many points the front has by the means of what was measured, and its hypervolume in the product of the
 * objectives' units; NAN: the reference point is not known yet. Needs no model. */
locbo_status pareto_measured(locbo_optimizer *optimizer, uint64_t *points, double *volume, locbo_error *error);

#endif
