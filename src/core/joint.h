/* joint.h - noisy expected improvement of several outputs: objectives and measured constraints.
 *
 * The outputs are independent given x, and each has a baseline (baseline.h) of the same points A. Draw s gives all
 * outputs at A. Of the points of A where the drawn constraints hold, it takes the best value of the one objective, or
 * the Pareto front of several. Given the draw, every output at x is normal, so the score of the draw is closed form,
 *
 *     [ improvement of the objectives at x ] * prod_j P(f_j(x) >= bound_j)
 *
 * with the expected improvement over the best value or the expected hypervolume improvement over the front (ehvi.h).
 * The score is the mean over the draws. Standardised units; everything maximises, and constraints hold above their
 * bounds. */
#ifndef JOINT_H
#define JOINT_H

#include "baseline.h"
#include "front.h"
#include "outputs.h"

typedef struct joint {
    size_t objectives, parts; /* parts 0 .. objectives - 1 are objectives, the others constraints */
    const baseline *base[OUTPUTS_MODELLED];
    double bound[OUTPUTS_MODELLED];    /* of the constraints; -INFINITY: it always holds */
    double best[BASELINE_DRAWS];       /* one objective: the value to improve on */
    front_boxes boxes[BASELINE_DRAWS]; /* several: what improves on the front */
    double *scratch;                   /* BASELINE_POINTS x OUTPUTS_OBJECTIVES */
} joint;

void joint_release(joint *j);

/* After the baselines have drawn, and objectives, parts, base and bound are set: what each draw improves on. `floor`,
 * of one objective: what a draw improves on in which no point is feasible; `reference`: of several. */
locbo_status joint_prepare(joint *j, double floor, const double *reference, locbo_error *error);

/* What is known of n points: rows of an entry for each part; bound: as above. */
typedef struct joint_points {
    size_t objectives, parts, n;
    const double *mean, *sd, *bound;
} joint_points;
/* Which of them may be the best, feasible ones, or in the front of several objectives: those that are most often, in
 * independent draws of each output at each point. At most `most`, for which `chosen` has room; `count`: how many. */
locbo_status joint_choose(const joint_points *points, size_t most, rng stream, size_t *chosen, size_t *count,
                          locbo_error *error);

/* Log of the score at x, always finite; at and grad, which may be NULL, have an entry for each part. */
double joint_log_score(const joint *j, const baseline_view *at, baseline_view *grad);

/* log P(f >= bound), f ~ N(mean, var), always finite, with its derivatives. */
double joint_log_above(double mean, double var, double bound, double *by_mean, double *by_var);

#endif
