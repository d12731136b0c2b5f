/* average.h - the law of f averaged over laws of the noise, scales of the outputs and hyper-parameters.
 *
 * One fit leaves out most of the doubt when results are few. So f at x is believed to have the law
 *
 *     P(f worse than y) = sum_k w_k Phi((T_k(y) - mu_k) / sqrt(v'_k))
 *     v'_k = v_k + (a max(rho^2 - 1, 0) + b / (1 + learnt)) (v_k + s2_k)
 *
 * with T_k the scale of part k, mu_k, v_k and s2_k those of its model, a = 0.2, b = 1, and the interval of f is that
 * between two of its quantiles, in the user's units. rho, by law_stretch, is how many times wider than the model's the
 * calibrated set of y is: a part of what the model does not know of y it does not know of f. The last term is for the
 * time before much was learnt: results that were judged, or all but 20 if that is more.
 *
 * The parts come from the candidates of the last choice (members.h), in groups of one kind of scale. A group weighs
 * exp(best leave-one-out score in it). With few rows the parts of a group are a grid of noise variances and length
 * scales about its candidates, weighed by their posterior under a wide prior of the noise; otherwise the candidates
 * themselves, weighed by their scores. Nothing is drawn at random, and the surrogate and the dataset do not change. */
#ifndef AVERAGE_H
#define AVERAGE_H

#include "surrogate.h"

enum {
    AVERAGE_LEAST = LOCBO_AVERAGING_RESULTS, /* with fewer results no interval is believable */
    AVERAGE_GRID_ROWS = 100 /* with more the hyper-parameters are known well enough, and a grid costs */
};

typedef struct average average;

locbo_status average_create(average **out, locbo_error *error);
void average_destroy(average *a);
/* Drop what was prepared, with its memory. */
void average_forget(average *a);

/* Whether intervals are averaged over the candidates of this surrogate: its fits choose the law of the noise. */
int average_applies(const surrogate *s);
/* Make the parts for the present rows and candidates, unless they are there already:
 *
 *     answer (`thorough`)   up to 100 rows: the grid; up to 500: the candidates; more: the chosen one
 *     trial                 the same without the grid if this call made a fit; otherwise the chosen one
 *
 * *parts is their number: 0 if there are no candidates, or none could be factored. s changes in its workspace only. On
 * failure nothing is prepared. */
locbo_status average_prepare(average *a, surrogate *s, const dataset *d, int thorough, size_t *parts,
                             locbo_error *error);

/* The parts at m encoded points; afterwards average_interval gives the interval of f at level 1 - alpha, in the user's
 * units, at point i of that batch. */
locbo_status average_predict(average *a, size_t m, const double *u, locbo_error *error);
typedef struct average_doubt {
    double alpha, stretch; /* stretch: rho at the point */
    uint64_t judged;       /* results that the calibration has learnt from */
} average_doubt;
void average_interval(const average *a, size_t i, const average_doubt *doubt, double *low, double *high);

/* A part at one point: f on its scale is normal. */
typedef struct average_normal {
    const scaling *scale;
    double mu, sd, weight; /* sd > 0; the weights sum to 1 */
} average_normal;
/* The value, in the user's units, that f is worse than with probability p, 0 < p < 1; n > 0, all of one direction. */
double average_quantile(size_t n, const average_normal *parts, double p);

#endif
