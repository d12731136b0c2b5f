/* thirds.c - shares of the nearest, the middle and the farthest rounds of a run.
 * Layer: experiment, above the problems. Cost: O(n log n). */
#include "thirds.h"

#include <math.h>
#include <stdlib.h>

static double distance(const problem *p, const double *a, const double *b) {
    double sum = 0;
    for (size_t i = 0; i < p->dim; i++) {
        double step = (a[i] - b[i]) / (p->high[i] - p->low[i]);
        if (problem_kind_of(p, i) == PROBLEM_CATEGORY) step = a[i] != b[i];
        sum += step * step;
    }
    return sqrt(sum);
}

static int by_distance(const void *a, const void *b) {
    const thirds_query *x = a, *y = b;
    if (x->distance != y->distance) return x->distance < y->distance ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* Where part k begins: n k/3, rounded up. */
static size_t beginning(size_t n, size_t k) { return n / 3 * k + (n % 3 * k + 2) / 3; }

thirds thirds_measure(const problem *p, const double *at, size_t n, thirds_query *query) {
    thirds found;
    for (size_t i = 0; i < n; i++) {
        query[i].distance = distance(p, query[i].x, at);
        query[i].order = i;
    }
    if (n > 0) qsort(query, n, sizeof *query, by_distance);
    for (size_t k = 0; k < 3; k++) {
        size_t from = beginning(n, k), to = beginning(n, k + 1);
        double count = to > from ? (double)(to - from) : (double)NAN, set = 0, interval = 0;
        for (size_t i = from; i < to; i++) {
            set += query[i].in_set;
            interval += query[i].in_interval;
        }
        found.in_set[k] = set / count;
        found.in_interval[k] = interval / count;
    }
    return found;
}
