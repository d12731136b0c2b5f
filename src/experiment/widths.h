/* widths.h - how wide the final prediction intervals of a run are over its grid, in two numbers. */
#ifndef WIDTHS_H
#define WIDTHS_H

#include "results.h"

typedef struct widths {
    double uneven; /* coefficient of variation over the grid: 0 if all are as wide */
    double near;   /* mean within WIDTHS_NEAR of the greatest truth, over the mean of all */
    size_t capped; /* intervals without an end, which count as wide as the widest that has two */
} widths;

extern const double WIDTHS_NEAR; /* in units of x */

/* NANs for a run without a grid, with intervals that are not numbers, or with none that has two
 * ends. */
locbo_status widths_measure(const results_run *run, widths *measured, locbo_error *error);

#endif
