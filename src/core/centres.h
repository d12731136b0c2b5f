/* centres.h - a function g(x) = sum_s coefficient_s exp(-|x_s - x|^2 / length^2), to which terms are added one by one;
 * `levels` such functions that share their centres x_s.
 *
 * With a limit on the number of centres, one that would be too many is merged into those next to it (centres.c), so
 * that a value costs O(limit) however many terms were added. What is merged depends on the terms and their order alone.
 * At each level the sum of |coefficient| never grows by merging: what follows for the size of g from that sum
 * holds with a limit as well as without. */
#ifndef CENTRES_H
#define CENTRES_H

#include <stddef.h>

#include "status.h"

typedef struct centres {
    size_t columns, levels;
    double length;
    size_t most; /* of centres; 0: no limit */
    size_t n, capacity;
    double *x;           /* n x columns */
    double *coefficient; /* n x levels */
    /* with a limit, of each centre: the nearest other one, their squared distance, and what share of the term's squared
     * norm would be lost if it was merged into that one alone */
    size_t *nearest;
    double *apart, *lost;
} centres;

/* `length` must be finite. */
void centres_init(centres *c, size_t columns, size_t levels, double length, size_t most);
void centres_release(centres *c);
/* Memory for the next centres_add; on failure c is as it was. */
locbo_status centres_reserve(centres *c, locbo_error *error);
/* Add a term whose coefficients are unit * factor[i]. Needs centres_reserve. */
void centres_add(centres *c, const double *x, double unit, const double *factor);
/* Multiply g. */
void centres_multiply(centres *c, double factor);
/* g = 0 */
void centres_clear(centres *c);

/* values[i] += g_i(x) */
void centres_values(const centres *c, const double *x, double *values);
/* dx += scale * sum_i weight[i] dg_i/dx */
void centres_chain(const centres *c, const double *x, double scale, const double *weight, double *dx);

#endif
