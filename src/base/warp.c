/* warp.c - Box-Cox of a loss with straight ends, log and logit: image, derivative, inverse. Layer: base.
 * Cost: O(1) a value. */
#include "warp.h"

#include <float.h>
#include <math.h>

static int is_log(const warp *w) { return w->power == LOCBO_MODEL_SCALE_LOG; }

static int is_logit(const warp *w) { return w->power == LOCBO_MODEL_SCALE_LOGIT; }

int warp_is_natural(const warp *w) { return is_log(w) || is_logit(w); }

warp warp_of(locbo_model_scale scale, double low, double high) {
    if (scale == LOCBO_MODEL_SCALE_LOGIT) return (warp){scale, 0, low, high};
    return (warp){scale == LOCBO_MODEL_SCALE_LOG ? scale : 0, 0, 0, 0};
}

/* ---- Box-Cox ----------------------------------------------------------------------------------- */

/* Below it the power is 0 to all digits: c is at most 1e12. */
static const double no_power = 1e-18;

static double box(double c, double power) { return fabs(power) < no_power ? log(c) : expm1(power * log(c)) / power; }

static double unbox(double t, double power) { return fabs(power) < no_power ? exp(t) : exp(log1p(power * t) / power); }

/* dB/dc */
static double steepness(double c, double power) { return exp((power - 1) * log(c)); }

/* The unit of c, negative when maximising. */
static double unit(const warp *w) { return w->low - w->offset; }

static double limited(const warp *w, double y) { return fmin(fmax(y, fmin(w->low, w->high)), fmax(w->low, w->high)); }

static int box_cox_is_valid(const warp *w) {
    double range = w->high - w->low, share = unit(w) / range;
    return fabs(w->power) <= 1 && fabs(range) <= 1e250 && fabs(unit(w)) >= 1e-250 && share >= 1e-12 && share <= 1e12;
}

static double box_cox_at(const warp *w, double y) {
    double at = limited(w, y), c = (at - w->offset) / unit(w), inside = box(c, w->power);
    return y == at ? inside : inside + (y - at) / unit(w) * steepness(c, w->power);
}

static double box_cox_slope(const warp *w, double y) {
    return steepness((limited(w, y) - w->offset) / unit(w), w->power) / fabs(unit(w));
}

/* The inverse image of t, less `low`. */
static double from_low(const warp *w, double t) {
    double c = (w->high - w->offset) / unit(w), top = box(c, w->power);
    if (t <= 0) return t * unit(w);
    if (t >= top) return w->high - w->low + (t - top) / steepness(c, w->power) * unit(w);
    return fmin(unbox(t, w->power), c) * unit(w) - unit(w); /* fmin: t near `top` is rounded */
}

/* The difference of two images less `low`: those of results of one size that lie close together have no digits left. */
static double box_cox_sd(const warp *w, double t, double sd) {
    return fabs(from_low(w, t + sd) - from_low(w, t - sd)) / 2;
}

/* ---- log and logit ----------------------------------------------------------------------------- */

static double log_inverse(double t) {
    if (!isfinite(t)) return exp(t);
    return fmin(fmax(exp(t), DBL_TRUE_MIN), DBL_MAX);
}

/* From the nearer end, where y has most digits. */
static double logit_inverse(const warp *w, double t) {
    double share = 1 / (1 + exp(fabs(t))), step = (w->high - w->low) * share,
           y = t < 0 ? w->low + step : w->high - step;
    if (!isfinite(t)) return y;
    return fmin(fmax(y, nextafter(w->low, w->high)), nextafter(w->high, w->low));
}

/* (e^(t + sd) - e^(t - sd))/2 */
static double log_sd(double t, double sd) { return exp(t + sd) * -expm1(-2 * sd) / 2; }

/* (high - low)/2 sinh sd / (cosh t + cosh sd), with factors that do not overflow */
static double logit_sd(const warp *w, double t, double sd) {
    double far = fabs(t), sum = exp(far - sd) + exp(-far - sd) + 1 + exp(-2 * sd);
    return (w->high - w->low) / 2 * (-expm1(-2 * sd) / sum);
}

/* ---- each of them ------------------------------------------------------------------------------ */

int warp_is_set(const warp *w) { return warp_is_natural(w) || w->low < w->high || w->low > w->high; }

int warp_is_valid(const warp *w) {
    if (is_log(w)) return w->offset == 0 && w->low == 0 && w->high == 0;
    if (is_logit(w)) return w->offset == 0 && w->low < w->high && isfinite(w->high - w->low);
    return box_cox_is_valid(w);
}

int warp_holds(const warp *w, double y) {
    if (is_log(w)) return y > 0;
    return !is_logit(w) || (w->low < y && y < w->high);
}

double warp_direction(const warp *w) { return !warp_is_natural(w) && w->low > w->high ? -1 : 1; }

double warp_at(const warp *w, double y) {
    if (is_log(w)) return y <= 0 ? -INFINITY : log(y); /* NAN of NAN: a result that lacks the output */
    if (!is_logit(w)) return box_cox_at(w, y);
    if (y <= w->low) return -INFINITY;
    return y >= w->high ? INFINITY : log(y - w->low) - log(w->high - y); /* the quotient might overflow */
}

double warp_slope(const warp *w, double y) {
    if (is_log(w)) return fmin(1 / y, DBL_MAX);
    if (is_logit(w)) return fmin(1 / (y - w->low) + 1 / (w->high - y), DBL_MAX);
    return box_cox_slope(w, y);
}

double warp_inverse(const warp *w, double t) {
    if (is_log(w)) return log_inverse(t);
    return is_logit(w) ? logit_inverse(w, t) : w->low + from_low(w, t);
}

double warp_sd(const warp *w, double t, double sd) {
    if (!warp_is_natural(w)) return box_cox_sd(w, t, sd);
    double half = is_log(w) ? log_sd(t, sd) : logit_sd(w, t, sd);
    return sd > 0 ? fmin(fmax(half, DBL_TRUE_MIN), DBL_MAX) : 0;
}
