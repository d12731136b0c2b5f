/* thirds.h - coverage by distance: the rounds of a run in the order of their distance from one
 * point, cut into three parts. */
#ifndef THIRDS_H
#define THIRDS_H

#include "problems.h"

/* A round whose result had a set to lie in. */
typedef struct thirds_query {
    double x[PROBLEM_MAX_DIM]; /* in the problem's own units */
    int in_set, in_interval;   /* y in its set, f in its interval */
    double distance;           /* filled in by thirds_measure, as is `order` */
    size_t order;
} thirds_query;

/* Shares of the nearest third, the next and the farthest; NAN: there is none. */
typedef struct thirds {
    double in_set[3], in_interval[3];
} thirds;

/* Sorts the n queries by their Euclidean distance from `at` in the unit cube, equal distances as
 * they came; the parts differ by one at most, and what is left over belongs to the nearer ones. */
thirds thirds_measure(const problem *p, const double *at, size_t n, thirds_query *query);

#endif
