/* hopeless.c - which evaluations may be ended early. Layer: base. Cost of a decision: O(curves log points).
 *
 * The rule `risk`: w_t is the largest final - v_t of the complete curves, so tau = 1 says that no curve gains more than
 * one has gained. (A root mean square is far too small as long as most complete curves are bad ones: then whatever
 * would be the best so far is ended at its first steps.) It begins with
 *
 *     TAU = 1.5: half as much again. With 1.4 more is saved, and final quality is lost: docs/defaults.md
 *     ETA = 0.1: a kept trial that beats its incumbent raises tau by 10 ETA = 1; a resolved trial lowers it by
 *     ETA delta, so that with delta = 0.05 tau falls from 1.5 to 1 in 100 trials. A smaller ETA would follow more
 *     slowly, and its bound (range of tau) / (ETA N) would say less; a larger one would forget TAU at once
 *
 * What an ended trial would have ended with is read off a line in v_t, fitted to the complete curves.
 */
#include "hopeless.h"

#include <math.h>

#include "draw.h"

static const double TAU = 1.5, ETA = 0.1, FLOOR = 0.05;
enum { REDUCTION = 3, FEW = 5 /* complete curves, for the rule `median` and for the line */ };

/* ---- curves ------------------------------------------------------------------------------------ */

/* The number of the last point at or before the step; the first is. */
static size_t find(const hopeless_curve *c, uint64_t step) {
    size_t low = 0, high = c->count - 1;
    while (low < high) {
        size_t middle = high - (high - low) / 2;
        if (c->steps[middle] <= step)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

double hopeless_value(const hopeless_curve *c, uint64_t step) {
    if (c->count == 0 || step < c->steps[0] || step > c->steps[c->count - 1]) return (double)NAN;
    size_t i = find(c, step);
    if (c->steps[i] == step) return c->values[i];
    double part = (double)(step - c->steps[i]) / (double)(c->steps[i + 1] - c->steps[i]);
    return (1 - part) * c->values[i] + part * c->values[i + 1];
}

size_t hopeless_thin(size_t count, size_t kept[HOPELESS_POINTS]) {
    size_t used = 0;
    for (size_t k = 0; k < HOPELESS_POINTS && count > 0; k++) {
        double x = (double)k / (HOPELESS_POINTS - 1);
        size_t at = count <= HOPELESS_POINTS ? k : (size_t)((double)(count - 1) * x * x * x);
        if (k == HOPELESS_POINTS - 1 && count > HOPELESS_POINTS) at = count - 1;
        if (at < count && (used == 0 || at > kept[used - 1])) kept[used++] = at;
    }
    return used;
}

/* Root mean square: neither overflows nor vanishes where the numbers do not. */
static double root_mean_square(size_t count, const double *numbers) {
    double most = 0, sum = 0;
    for (size_t i = 0; i < count; i++) most = fmax(most, fabs(numbers[i]));
    if (!(most > 0) || isinf(most)) return most;
    for (size_t i = 0; i < count; i++) sum += numbers[i] / most * (numbers[i] / most);
    return most * sqrt(sum / (double)count);
}

double hopeless_floor(size_t count, const hopeless_curve *curves) {
    double spans[HOPELESS_CURVES];
    for (size_t i = 0; i < count; i++) {
        double low = curves[i].final, high = curves[i].final;
        for (size_t k = 0; k < curves[i].count; k++) {
            low = fmin(low, curves[i].values[k]);
            high = fmax(high, curves[i].values[k]);
        }
        spans[i] = high - low;
    }
    return FLOOR * root_mean_square(count, spans);
}

/* ---- a step ------------------------------------------------------------------------------------ */

/* Whether a complete curve has begun at this step and goes on after it. */
static int goes_on(const hopeless_curve *c, uint64_t step) {
    return c->count > 0 && c->steps[0] <= step && step < c->steps[c->count - 1];
}

/* The least squares line through n points, at most HOPELESS_CURVES. */
static hopeless_line fit_line(size_t n, const double *x, const double *y) {
    hopeless_line l = {.slope = 0};
    double residual[HOPELESS_CURVES], product = 0, most = 0;
    for (size_t i = 0; i < n; i++) l.x += (x[i] - l.x) / (double)(i + 1), l.y += (y[i] - l.y) / (double)(i + 1);
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(x[i] - l.x));
    l.unit = most;
    for (size_t i = 0; i < n && most > 0; i++) {
        double off = (x[i] - l.x) / most; /* at most 1: no square overflows or vanishes */
        l.square += off * off;
        product += off * (y[i] - l.y);
    }
    if (most > 0) l.slope = product / l.square;
    for (size_t i = 0; i < n; i++) residual[i] = y[i] - l.y - (most > 0 ? l.slope * ((x[i] - l.x) / most) : 0);
    l.sd = n > 2 ? root_mean_square(n, residual) * sqrt((double)n / (double)(n - 2)) : (double)NAN;
    return l;
}

hopeless_rest hopeless_look(const hopeless_set *set, uint64_t step) {
    double value[HOPELESS_CURVES], rest[HOPELESS_CURVES];
    hopeless_rest r = {.count = 0};
    for (size_t i = 0; i < set->count; i++) {
        if (!goes_on(&set->curves[i], step)) continue;
        value[r.count] = hopeless_value(&set->curves[i], step);
        rest[r.count] = set->curves[i].final - value[r.count];
        r.scale = fmax(r.scale, rest[r.count++]);
    }
    if (r.count == 0) return r;
    r.scale = fmax(r.scale, set->floor);
    r.line = fit_line(r.count, value, rest);
    return r;
}

int hopeless_by_risk(const hopeless_rest *rest, double tau, double incumbent, double value) {
    return rest->count >= HOPELESS_FEW && value + tau * rest->scale < incumbent;
}

int hopeless_by_median(const hopeless_set *set, uint64_t step, double best_so_far) {
    size_t count = 0, better = 0;
    for (size_t i = 0; i < set->count; i++) {
        if (!goes_on(&set->curves[i], step)) continue;
        count++;
        better += hopeless_value(&set->curves[i], step) > best_so_far;
    }
    return count >= FEW && 2 * better > count;
}

/* Of n values n / 3 go on, and always the best. */
int hopeless_by_halving(size_t count, const double *others, double value) {
    size_t better = 0, n = count + 1;
    for (size_t i = 0; i < count; i++) better += others[i] > value;
    return n >= REDUCTION && better >= n / REDUCTION;
}

uint64_t hopeless_rung(uint64_t first, uint64_t before, uint64_t step) {
    uint64_t rung = first > 0 ? first : 1;
    if (step < rung) return 0;
    while (rung <= step / REDUCTION) rung *= REDUCTION;
    return rung > before ? rung : 0;
}

void hopeless_expect(const hopeless_rest *rest, double value, double incumbent, double *mean, double *sd) {
    const hopeless_line *l = &rest->line;
    double off = l->unit > 0 ? (value - l->x) / l->unit : 0, n = (double)rest->count;
    double expected = value + l->y + l->slope * off, doubt = 1 + 1 / n + (l->unit > 0 ? off * off / l->square : 0);
    int known = rest->count >= FEW && isfinite(expected) && isfinite(l->sd * sqrt(doubt));
    *mean = known ? fmin(expected, incumbent) : (double)NAN;
    *sd = known ? l->sd * sqrt(doubt) : (double)NAN;
}

/* ---- the coin, and tau ------------------------------------------------------------------------- */

double hopeless_coin(uint64_t seed, uint64_t trial) {
    static const uint64_t coin = UINT64_C(0x636f696e); /* no other stream of the seed has this key */
    draw d = draw_open(seed ^ coin << 32, trial);
    return draw_uniform(&d);
}

int hopeless_is_kept(double coin) { return coin * HOPELESS_KEPT < 1; }

hopeless_risk hopeless_begin(double delta) { return (hopeless_risk){delta, TAU, TAU, TAU, 0, 0}; }

void hopeless_resolve(hopeless_risk *r, int beat) {
    r->resolved++;
    r->beaten += beat != 0;
    r->tau = fmax(0, r->tau + ETA * (HOPELESS_KEPT * (beat != 0) - r->delta));
    r->low = fmin(r->low, r->tau);
    r->high = fmax(r->high, r->tau);
}

double hopeless_estimate(const hopeless_risk *r) {
    return r->resolved ? HOPELESS_KEPT * (double)r->beaten / (double)r->resolved : (double)NAN;
}

double hopeless_bound(const hopeless_risk *r, uint64_t outstanding) {
    if (r->resolved == 0) return (double)NAN;
    return r->delta + ((r->high - r->low) / ETA + HOPELESS_KEPT * ((double)outstanding + 1)) / (double)r->resolved;
}
