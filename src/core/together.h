/* together.h - what the quantities of one optimizer are to each other: bounds of constraints, which points may be the
 * best, draws of all of them there, and the reference point of several objectives. */
#ifndef TOGETHER_H
#define TOGETHER_H

#include "optimizer.h"

/* The bound of constraint k in the user's units; NAN: it is a multiple of what a trial measures that has no result.
 * O(results) if it is such a multiple. */
double together_user_bound(const locbo_optimizer *o, size_t k);
/* Those of all constraints, bound[k] of quantity k. */
void together_user_bounds(const locbo_optimizer *o, double bound[OUTPUTS_MODELLED]);
/* Whether a measured value of constraint k holds, with this bound; a bound that is not known yet always does. */
int together_holds(const locbo_optimizer *o, size_t k, double bound, double value);
/* The bound of constraint k on the scale of its model: f is to be above it. -INFINITY: there is none yet. */
double together_bound(const locbo_optimizer *o, size_t k);
/* Whether the means of all constraints hold at data row `row` of the first objective. After the means of all quantities
 * are known. */
int together_means_hold(const locbo_optimizer *o, size_t row);
/* The best posterior mean, or measured value, by the option incumbent, of the first objective at such rows; if there is
 * none, a value that every point improves on. */
locbo_status together_incumbent(const locbo_optimizer *o, double *best, locbo_error *error);

/* The probability that all constraints hold at point i of the batch that the surface has just predicted. */
double together_feasible(const surface *s, const double *u, size_t i);
double together_log_feasible(const surface *s, const double *u, size_t i); /* its logarithm */
/* What a recommended point is searched with: a little more than the option feasibility, which the search may then miss
 * by rounding. */
double together_safety(const locbo_optimizer *o);
/* Draw quantity k at the points of b, at which the surface has just predicted; the calibration stretches the spread of
 * f (acquisition_stretch). */
locbo_status together_draw(locbo_optimizer *o, const surface *s, size_t k, baseline *b, locbo_error *error);
/* Choose the points, draw all quantities there, and prepare j; searched: into the baselines of the searched surface. */
locbo_status together_fill(locbo_optimizer *o, const surface *s, int searched, joint *j, locbo_error *error);

/* The reference point of several objectives in the user's units: what the user gave, what was inferred at the first
 * proposal by the model, or, before that, what would be inferred now: the worst value of each objective over the front
 * of the results whose measured constraints hold, less a tenth of its range there (over all results if that front has
 * fewer than two). */
locbo_status together_reference(const locbo_optimizer *o, double reference[OUTPUTS_OBJECTIVES], locbo_error *error);

#endif
