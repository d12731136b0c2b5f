/* hopeless.h - evaluations that report values while they run: which of them may be ended, by three rules.
 *
 * A curve is what one evaluation reported: values at growing steps. Here larger values are better; who minimises gives
 * the values with the other sign.
 *
 *     risk      the final value is believed to be at most v_t + tau w_t. If that lies below the incumbent, the trial
 * could be ended. One of ten such trials is kept all the same; tau follows what they turn out to be, so that of all
 * resolved trials a share of at most delta could be ended and would have beaten their incumbent median    the best
 * value so far is worse than those of most complete evaluations at this step halving   asynchronous successive halving,
 * the variant that stops: at steps b, 3 b, 9 b ... only the best third of the values that were reported there goes on
 */
#ifndef HOPELESS_H
#define HOPELESS_H

#include <stddef.h>
#include <stdint.h>

typedef struct hopeless_curve {
    size_t count;
    const uint64_t *steps; /* growing */
    const double *values;
    double final; /* of the complete evaluation */
} hopeless_curve;

/* With fewer complete curves than FEW the rule `risk` ends nothing; of more than CURVES the last ones are used; KEPT:
 * one of how many that could be ended is kept; a curve in memory has at most POINTS points. */
enum { HOPELESS_FEW = 10, HOPELESS_CURVES = 200, HOPELESS_KEPT = 10, HOPELESS_POINTS = 256 };

/* Complete evaluations, at most HOPELESS_CURVES. */
typedef struct hopeless_set {
    size_t count;
    const hopeless_curve *curves;
    double floor; /* of the scale w_t, see hopeless_floor */
} hopeless_set;

/* The value at a step, linear between the two that are next to it; NAN before the first and after the last. */
double hopeless_value(const hopeless_curve *curve, uint64_t step);
/* How many of the `count` points of a curve to keep, at most HOPELESS_POINTS, the first and the last among them and
 * more at the beginning, where curves bend: the numbers of those points go to `kept`. */
size_t hopeless_thin(size_t count, size_t kept[HOPELESS_POINTS]);
/* The least scale: a twentieth of how far curves move in all (root mean square). Without it a step at which all
 * complete curves were flat would have the scale 0, and no tau could protect a late rise there. */
double hopeless_floor(size_t count, const hopeless_curve *curves);

/* A line y + slope (v - x)/unit: the means of v and of what was to come, and its standard deviation about the line. */
typedef struct hopeless_line {
    double x, y, slope, unit; /* unit: the largest |v - x| */
    double square;            /* sum of ((v - x)/unit)^2 */
    double sd;
} hopeless_line;

/* What was still to come at a step, final - v_t, of the complete curves that go on after it. */
typedef struct hopeless_rest {
    size_t count;       /* of them */
    double scale;       /* w_t: the largest, at least the floor; 0 if no curve goes on */
    hopeless_line line; /* in v_t */
} hopeless_rest;
hopeless_rest hopeless_look(const hopeless_set *set, uint64_t step);

/* Whether the trial could be ended at this step. All say no while too few complete curves go on after it: at the last
 * step of the others there is nothing to save. */
int hopeless_by_risk(const hopeless_rest *rest, double tau, double incumbent, double value);
int hopeless_by_median(const hopeless_set *set, uint64_t step, double best_so_far);
/* `others`: the values of other trials at this rung. */
int hopeless_by_halving(size_t count, const double *others, double value);
/* The last rung in (before, step] of those that begin with `first`; 0: none. */
uint64_t hopeless_rung(uint64_t first, uint64_t before, uint64_t step);

/* The final value of a trial that is ended at `value`, and its standard deviation: not better than the incumbent. Both
 * are NAN if nothing is known. */
void hopeless_expect(const hopeless_rest *rest, double value, double incumbent, double *mean, double *sd);

/* A number in (0, 1) for each trial, whatever its attempt: the trial is kept if it is below 1 / HOPELESS_KEPT. */
double hopeless_coin(uint64_t seed, uint64_t trial);
int hopeless_is_kept(double coin);

/* The threshold of the rule `risk`, and what it rests on. */
typedef struct hopeless_risk {
    double delta;
    double tau, low, high; /* now, and its range */
    uint64_t resolved;     /* trials */
    uint64_t beaten;       /* of them: kept, and better than their incumbent in the end */
} hopeless_risk;
/* delta in (0, 1). */
hopeless_risk hopeless_begin(double delta);
/* A trial is resolved: complete or ended. `beat`: it was kept, and its final value beat the incumbent of its decision.
 */
void hopeless_resolve(hopeless_risk *risk, int beat);
/* The share of resolved trials that could be ended and would have beaten their incumbent: estimated, and its bound,
 * which the estimate keeps to on every sequence. Both are NAN before the first. */
double hopeless_estimate(const hopeless_risk *risk);
double hopeless_bound(const hopeless_risk *risk, uint64_t outstanding);

#endif
