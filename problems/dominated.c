/* dominated.c - the volume that points dominate: slices along the third objective, each with the staircase of the first
 * two of all points below it. Layer: problems. Cost: O(n log n), and a move of part of the staircase for each point
 * that changes it. */
#include "dominated.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "number.h"

/* A corner of the staircase: in their order a rises and b falls. */
typedef struct corner {
    double a, b;
} corner;

static int by_third(const void *p, const void *q) {
    const dominated_point *first = p, *second = q;
    return number_ascending(&first->f[2], &second->f[2]);
}

/* How many corners have a <= `a`. */
static size_t count_left(size_t n, const corner *stairs, double a) {
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (stairs[middle].a <= a)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Puts a corner in the place of those that it dominates. Returns the area that the staircase gains: 0, and nothing
 * changes, if one of its corners dominates the new one. */
static double insert(size_t *n, corner *stairs, corner c, const dominated_point *reference) {
    size_t begin = count_left(*n, stairs, c.a), end;
    if (begin > 0 && stairs[begin - 1].b <= c.b) return 0;
    if (begin > 0 && stairs[begin - 1].a == c.a) begin--;
    double gain = 0, left = c.a, b = begin > 0 ? stairs[begin - 1].b : reference->f[1];
    for (end = begin; end < *n && stairs[end].b >= c.b; end++) {
        gain += (stairs[end].a - left) * (b - c.b);
        left = stairs[end].a;
        b = stairs[end].b;
    }
    gain += ((end < *n ? stairs[end].a : reference->f[0]) - left) * (b - c.b);
    memmove(stairs + begin + 1, stairs + end, (*n - end) * sizeof *stairs);
    stairs[begin] = c;
    *n = *n + 1 - (end - begin);
    return gain;
}

double dominated_volume(size_t n, dominated_point *p, const dominated_point *reference) {
    corner *stairs = mem_new(n, sizeof *stairs);
    size_t steps = 0;
    double volume = 0, area = 0;
    if (!stairs) return NAN;
    qsort(p, n, sizeof *p, by_third);
    for (size_t i = 0; i < n && p[i].f[2] < reference->f[2]; i++) {
        corner c = {p[i].f[0], p[i].f[1]};
        double next = i + 1 < n ? fmin(p[i + 1].f[2], reference->f[2]) : reference->f[2];
        if (c.a < reference->f[0] && c.b < reference->f[1]) area += insert(&steps, stairs, c, reference);
        volume += area * (next - p[i].f[2]);
    }
    mem_free(stairs);
    return volume;
}
