/* mean.h - means of measured values, each of which may itself be the mean of n repetitions. The mean of one value is
 * that value, bit for bit, and so is that of equal values: what is equal to a bound keeps to it. */
#ifndef MEAN_H
#define MEAN_H

#include <math.h>

/* One more value that counts n times (0: once; NAN: it is left out). Both begin as 0. */
static inline void mean_add(double *mean, double *weight, double value, double n) {
    if (isnan(value)) return;
    if (!(n > 0)) n = 1;
    *weight += n;
    *mean += value * (n / *weight) - *mean * (n / *weight);
}

/* NAN if there was none. */
static inline double mean_of(double mean, double weight) { return weight > 0 ? mean : (double)NAN; }

#endif
