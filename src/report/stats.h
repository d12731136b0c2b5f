/* stats.h - statistics for comparisons: medians, bootstrap intervals, signed ranks, corrections. */
#ifndef STATS_H
#define STATS_H

#include <stddef.h>
#include <stdint.h>

#include "draw.h"
#include "status.h"

double stats_mean(size_t n, const double *x); /* NAN if n is 0 */
double stats_sd(size_t n, const double *x);   /* of the sample, n - 1; NAN if n < 2 */
/* The q-quantile (type 7, linear) of ascending values. */
double stats_quantile_sorted(size_t n, const double *sorted, double q);
void stats_sort(size_t n, double *x);     /* ascending; NANs last */
double stats_median(size_t n, double *x); /* sorts x; NAN if n is 0 */
/* The median of n values drawn from x with replacement; `d` NULL: of x itself. `room` has space for n values. */
double stats_resampled_median(size_t n, const double *x, draw *d, double *room);

typedef struct stats_interval {
    double low, value, high;
} stats_interval;

/* `value`, and the interval at `level` between quantiles of the resampled values `drawn`, which are sorted here. */
stats_interval stats_percentiles(double value, size_t draws, double *drawn, double level);

typedef enum stats_measure { STATS_MEAN, STATS_MEDIAN } stats_measure;

/* The measure of x and its percentile bootstrap interval at `level`, from `draws` resamples (reproducible: the stream
 * is keyed by `seed`). n = 1: the interval is (-inf, inf). n = 0: NANs. */
locbo_status stats_bootstrap(stats_measure measure, size_t n, const double *x, double level, size_t draws,
                             uint64_t seed, stats_interval *interval, locbo_error *error);

/* Two-sided p-value of Wilcoxon's signed-rank test that the differences are symmetric about 0. Zeros are dropped
 * (Wilcoxon), ties get mean ranks; exact for n <= 25 without ties, otherwise the normal approximation with tie and
 * continuity correction. *sum is the rank sum of the positive differences (may be NULL). 1 if nothing is left. */
locbo_status stats_wilcoxon(size_t n, const double *difference, double *p, double *sum, locbo_error *error);

/* Holm's step-down correction of n p-values, in place; `stride` is the number of bytes from one to the next. NANs stay
 * and are not counted. */
locbo_status stats_holm(size_t n, double *p, size_t stride, locbo_error *error);

#endif
