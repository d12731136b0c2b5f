/* box_cox.c - Box-Cox of a loss with straight ends, its derivative and its inverse. Layer: base. Cost: O(1) a value. */
#include "box_cox.h"

#include <math.h>

/* Below it the power is 0 to all digits: c is at most 1e12. */
static const double no_power = 1e-18;

static double box(double c, double power) { return fabs(power) < no_power ? log(c) : expm1(power * log(c)) / power; }

static double unbox(double t, double power) { return fabs(power) < no_power ? exp(t) : exp(log1p(power * t) / power); }

/* dB/dc */
static double steepness(double c, double power) { return exp((power - 1) * log(c)); }

/* The unit of c, negative when maximising. */
static double unit(const box_cox *b) { return b->low - b->offset; }

static double limited(const box_cox *b, double y) {
    return fmin(fmax(y, fmin(b->low, b->high)), fmax(b->low, b->high));
}

int box_cox_is_set(const box_cox *b) { return b->low < b->high || b->low > b->high; }

int box_cox_is_valid(const box_cox *b) {
    double range = b->high - b->low, share = unit(b) / range;
    return fabs(b->power) <= 1 && fabs(range) <= 1e250 && fabs(unit(b)) >= 1e-250 && share >= 1e-12 && share <= 1e12;
}

double box_cox_at(const box_cox *b, double y) {
    double at = limited(b, y), c = (at - b->offset) / unit(b), inside = box(c, b->power);
    return y == at ? inside : inside + (y - at) / unit(b) * steepness(c, b->power);
}

double box_cox_slope(const box_cox *b, double y) {
    return steepness((limited(b, y) - b->offset) / unit(b), b->power) / fabs(unit(b));
}

/* The inverse image of t, less `low`. */
static double from_low(const box_cox *b, double t) {
    double c = (b->high - b->offset) / unit(b), top = box(c, b->power);
    if (t <= 0) return t * unit(b);
    if (t >= top) return b->high - b->low + (t - top) / steepness(c, b->power) * unit(b);
    return fmin(unbox(t, b->power), c) * unit(b) - unit(b); /* fmin: t near `top` is rounded */
}

double box_cox_inverse(const box_cox *b, double t) { return b->low + from_low(b, t); }

/* The difference of two images less `low`: those of results of one size that lie close together have no digits left. */
double box_cox_sd(const box_cox *b, double t, double sd) { return fabs(from_low(b, t + sd) - from_low(b, t - sd)) / 2; }
