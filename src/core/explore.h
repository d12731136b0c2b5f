/* explore.h - proposals that are not where the model expects the most, but where little is known. */
#ifndef EXPLORE_H
#define EXPLORE_H

#include "optimizer.h"

typedef enum explore_way {
    EXPLORE_NOT,
    EXPLORE_RANDOM,   /* a random point */
    EXPLORE_FAR,      /* far from all results and trials */
    EXPLORE_PROMISING /* by the model, which has to be there */
} explore_way;

/* Whether and how the next proposal explores. */
explore_way explore_due(const locbo_optimizer *o, const acqmax_request *r);

/* x receives a random point of the space, the farthest of some random points from all results and trials, or the most
 * promising of some. A point of the request as acqmax_random gives it: fixed coordinates as given, not a taken one
 * unless all are. Points that would probably fail by `success` (NULL: none would) are left out unless all are such. */
locbo_status explore_point(locbo_optimizer *o, const acqmax_request *r, explore_way way, feasible *success, double *x,
                           locbo_error *error);

#endif
