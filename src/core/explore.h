/* explore.h - proposals that are not where the model expects the most, but where little is known. */
#ifndef EXPLORE_H
#define EXPLORE_H

#include "optimizer.h"

typedef enum explore_way {
    EXPLORE_NOT,
    EXPLORE_RANDOM, /* a random point */
    EXPLORE_FAR     /* far from all results and trials */
} explore_way;

/* Whether and how the next proposal explores, before the acquisition is searched. */
explore_way explore_at_once(const locbo_optimizer *o, const acqmax_request *r);
/* The same after r->surface was searched; `score` is its maximum. */
explore_way explore_instead(const locbo_optimizer *o, const acqmax_request *r, double score);

/* x receives a random point of the space or the farthest of some random points from all results and trials. A point of
 * the request as acqmax_random gives it: fixed coordinates as given, not a taken one unless all are. Points that would
 * probably fail by `success` (NULL: none would) are left out unless all are such. */
locbo_status explore_point(locbo_optimizer *o, const acqmax_request *r, explore_way way, feasible *success, double *x,
                           locbo_error *error);

#endif
