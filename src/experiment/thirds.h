/* thirds.h - coverage by distance: the rounds of a run, sorted by distance from one point and split into three parts.
 */
#ifndef THIRDS_H
#define THIRDS_H

#include "problems.h"

/* A round with a set for its result. */
typedef struct thirds_query {
    double x[PROBLEM_MAX_DIM]; /* in the problem's own units */
    int in_set, in_interval;   /* y in its set, f in its interval */
    double distance;           /* set by thirds_measure, like `order` */
    size_t order;
} thirds_query;

/* Shares in the nearest, middle and farthest third; NAN: an empty third. */
typedef struct thirds {
    double in_set[3], in_interval[3];
} thirds;

/* Sorts the n queries by their Euclidean distance from `at` in the unit cube, where different categories are 1 apart;
 * equal distances keep their order. The sizes of the parts differ by at most one; the nearer parts are the larger ones.
 */
thirds thirds_measure(const problem *p, const double *at, size_t n, thirds_query *query);

#endif
