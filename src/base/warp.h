/* warp.h - a transformation of an output before it is standardised: Box-Cox of the loss, log or logit.
 *
 *     power in [-1, 1]   B(y) = (c^power - 1)/power, c = (y - offset)/(low - offset), between `low` and `high`
 *     LOG  (power 2)     log y                         y > 0;           offset, low and high are 0
 *     LOGIT (power 3)    log((y - low)/(high - y))     low < y < high;  offset is 0
 *
 * B is log c if power is 0, and outside it is straight lines with the derivatives at `low` and `high`: B maps the whole
 * line onto itself, has a continuous derivative and increases with the loss, so a result better than all others has a
 * finite image. `low` is the result of least loss, `high` that of greatest: offset < low < high when minimising,
 * offset > low > high when maximising, and the formula is the same. c is 1 at `low`: (c^power - 1) loses no digits
 * whatever the unit of y is.
 *
 * Log and logit are the user's own choice (locbo_model_scale, whose numbers `power` has). They increase with y and map
 * an open range onto the whole line: that range is all that y can be. The four numbers are what files store. */
#ifndef WARP_H
#define WARP_H

#include <locbo/locbo.h>

typedef struct warp {
    double power, offset, low, high;
} warp;

/* LOG, LOGIT with its limits, or, for the other scales, one that is not set. */
warp warp_of(locbo_model_scale scale, double low, double high);
/* Whether there is a transformation: none if all fields are 0, or `low` or `high` is NAN. */
int warp_is_set(const warp *w);
/* Whether it is log or logit. */
int warp_is_natural(const warp *w);
/* Whether nothing overflows, of one that is set: the fields may come from a file. */
int warp_is_valid(const warp *w);
/* Whether y can be: log and logit have no images of the others. */
int warp_holds(const warp *w, double y);
/* 1 if it increases with y, -1 if it decreases: Box-Cox when maximising. */
double warp_direction(const warp *w);

/* The image of y, infinite at the ends of the range of log and logit and beyond. */
double warp_at(const warp *w, double y);
/* |dW/dy| > 0, finite */
double warp_slope(const warp *w, double y);
/* The y whose image is t. It lies inside the range of log and logit, and at an end of it if t is infinite. */
double warp_inverse(const warp *w, double t);
/* Half the length of the inverse image of [t - sd, t + sd]. Of log and logit it is finite, and positive if sd is. */
double warp_sd(const warp *w, double t, double sd);

#endif
