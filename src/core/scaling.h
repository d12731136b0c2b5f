/* scaling.h - the scale of the outputs on which the model works: larger is better, mean 0 and standard deviation 1 at
 * the last fit.
 *
 *     z = sign (y - shift) / spread         affine
 *     z = sign (W(y) - shift) / spread      W: log or logit, the user's own choice (warp.h)
 *     z = -(B(y) - shift) / spread          B: Box-Cox of the loss (warp.h)
 *
 * sign is -1 when minimising. All are increasing (decreasing when minimising) bijections of the whole line, or of the
 * range of W, with a continuous derivative, so an interval of z is one of y, and a quantile is a quantile. The image of
 * a mean is not the mean: on a scale that is not affine the model's mean is a median of y. */
#ifndef SCALING_H
#define SCALING_H

#include <stddef.h>

#include "warp.h"

typedef struct scaling {
    double sign, shift, spread;
    warp bend; /* not set: affine */
} scaling;

int scaling_is_affine(const scaling *s);
int scaling_is_box_cox(const scaling *s);
double scaling_in(const scaling *s, double value);
double scaling_out(const scaling *s, double z);
/* The known standard deviation sd of a measured value as the model sees it: sd |dz/dvalue|. */
double scaling_sd_in(const scaling *s, double value, double sd);
/* |dz/dvalue| */
double scaling_slope(const scaling *s, double value);
/* The standard deviation sd at mu in the user's units: half the length of the inverse image of [mu - sd, mu + sd]. */
double scaling_sd_out(const scaling *s, double mu, double sd);
/* The B or W of the value whose image is z; without them that value. */
double scaling_centre(const scaling *s, double z);

/* W of a value, and its inverse; without W the value itself. */
double scaling_natural(const scaling *s, double value);
double scaling_unnatural(const scaling *s, double w);
/* The rest of a scale with W, which takes values of W: scaling_in(s, y) is that of scaling_natural(s, y). */
scaling scaling_rest(const scaling *s);

/* A scale from stored numbers; `bend` may be one that is not set. Its B or W as it is stored: all NAN if it is affine.
 */
scaling scaling_restore(double sign, double shift, double spread, warp bend);
warp scaling_bend(const scaling *s);
/* Whether stored numbers make a scale. */
int scaling_is_valid(const scaling *s);

/* For n losses (y when minimising, -y when maximising) in ascending order: */

/* The affine scale `plain`, or with W and losses of W, unless a few results are so far from the others that its spread
 * is more than three times what the quartiles say (their distance is 1.349 standard deviations of a normal law): then
 * the median and these three times. */
scaling scaling_robust(scaling plain, size_t n, const double *losses);
/* A Box-Cox scale: the offset such that the least loss is a tenth of the lower quartile's distance from it away, the
 * power of largest likelihood of independent normal numbers in -1, -0.95 .. 1, then mean and standard deviation.
 * Returns 0, and leaves *s, if there is none: fewer than a quarter of the losses above the least, or numbers that
 * overflow. */
int scaling_box_cox(scaling *s, double sign, size_t n, const double *losses);

#endif
