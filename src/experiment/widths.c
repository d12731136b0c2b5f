/* widths.c - widths of prediction intervals over a grid (fig:prediction_interval): their spread,
 * and how narrow they are near the optimum. Layer: experiment, above results. */
#include "widths.h"

#include <math.h>

#include "mem.h"
#include "stats.h"

const double WIDTHS_NEAR = 0.5;

/* Fills in the widths; returns the number of infinite ones, which become as wide as the widest finite one. An empty set
 * (high < low) has width 0. */
static size_t fill(const results_run *run, double *width) {
    double widest = (double)NAN;
    size_t capped = 0;
    for (size_t i = 0; i < run->points; i++) {
        double w = run->point[i].high - run->point[i].low;
        width[i] = w < 0 ? 0 : w;
        if (isfinite(width[i])) widest = fmax(widest, width[i]);
    }
    for (size_t i = 0; i < run->points; i++)
        if (isinf(width[i])) {
            width[i] = widest;
            capped++;
        }
    return capped;
}

static double optimum_of(const results_run *run) {
    size_t best = 0;
    for (size_t i = 1; i < run->points; i++)
        if (run->point[i].truth > run->point[best].truth) best = i;
    return run->point[best].x;
}

/* The tolerance includes points on the edge, whatever the rounding of x. */
static double mean_near(const results_run *run, const double *width) {
    double at = optimum_of(run), sum = 0, count = 0;
    for (size_t i = 0; i < run->points; i++)
        if (fabs(run->point[i].x - at) <= WIDTHS_NEAR + 1e-9) {
            sum += width[i];
            count++;
        }
    return sum / count;
}

locbo_status widths_measure(const results_run *run, widths *measured, locbo_error *error) {
    *measured = (widths){(double)NAN, (double)NAN, 0};
    if (run->points < 2) return LOCBO_OK;
    double *width = mem_new(run->points, sizeof *width);
    if (!width) return status_no_memory(error);
    measured->capped = fill(run, width);
    double mean = stats_mean(run->points, width);
    measured->uneven = stats_sd(run->points, width) / mean;
    measured->near = mean_near(run, width) / mean;
    mem_free(width);
    return LOCBO_OK;
}
