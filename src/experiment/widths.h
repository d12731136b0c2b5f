/* widths.h - two statistics of the widths of the final prediction intervals over the grid of a run. */
#ifndef WIDTHS_H
#define WIDTHS_H

#include "results.h"

typedef struct widths {
    double uneven; /* coefficient of variation over the grid: 0 if all widths are equal */
    double near;   /* mean within WIDTHS_NEAR of the greatest truth, over the mean of all */
    size_t capped; /* infinite intervals, which count as wide as the widest finite one */
} widths;

extern const double WIDTHS_NEAR; /* in units of x */

/* NANs for a run without a grid, with NANs in its intervals, or without a finite interval. */
locbo_status widths_measure(const results_run *run, widths *measured, locbo_error *error);

#endif
