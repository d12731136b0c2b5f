/* thin.c - a choice of at most so many of n points to show. Layer: view, facts. Cost: O(n). */
#include "thin.h"

#include <math.h>

#include "mem.h"

/* The marked indices, into `chosen`, which has room for `most`. */
static size_t collect(size_t n, const unsigned char *marked, size_t most, size_t *chosen) {
    size_t count = 0;
    for (size_t i = 0; i < n && count < most; i++)
        if (marked[i]) chosen[count++] = i;
    return count;
}

/* The lowest and the highest of one run, its first and its middle, so that other values are shown too. */
static void mark_run(const double *value, size_t from, size_t to, unsigned char *marked) {
    size_t low = from, high = from;
    for (size_t i = from; i < to; i++) {
        if (isnan(value[i])) continue;
        if (isnan(value[low]) || value[i] < value[low]) low = i;
        if (isnan(value[high]) || value[i] > value[high]) high = i;
    }
    marked[low] = marked[high] = 1;
    marked[from] = marked[from + (to - from) / 2] = 1;
}

static void mark_extremes(size_t n, const double *value, size_t most, unsigned char *marked) {
    size_t runs = most > 2 ? (most - 2) / 4 : 0;
    for (size_t j = 0; j < runs; j++) /* long double: n * runs need not fit a size_t */
        mark_run(value, (size_t)((long double)n * (long double)j / (long double)runs),
                 (size_t)((long double)n * (long double)(j + 1) / (long double)runs), marked);
    marked[0] = 1;
    marked[n - 1] = 1;
}

locbo_status thin_extremes(size_t n, const double *value, size_t most, size_t **chosen, size_t *count,
                           locbo_error *error) {
    if (n <= most) return thin_evenly(n, most, chosen, count, error);
    unsigned char *marked = mem_new(n, 1);
    size_t *kept = mem_new(most, sizeof *kept);
    if (!marked || !kept) {
        mem_free(marked);
        mem_free(kept);
        return status_no_memory(error);
    }
    mark_extremes(n, value, most, marked);
    *count = collect(n, marked, most, kept);
    *chosen = kept;
    mem_free(marked);
    return status_ok(error);
}

locbo_status thin_evenly(size_t n, size_t most, size_t **chosen, size_t *count, locbo_error *error) {
    size_t kept = n < most ? n : most;
    size_t *all = mem_new(kept, sizeof *all);
    if (!all) return status_no_memory(error);
    for (size_t i = 0; i < kept; i++) {
        long double step = kept > 1 ? (long double)(n - 1) / (long double)(kept - 1) : 0;
        all[i] = kept == n ? i : (size_t)roundl((long double)i * step);
    }
    *chosen = all;
    *count = kept;
    return status_ok(error);
}
