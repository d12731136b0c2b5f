/* acquisition.h - the utility of evaluating x: an expectation under what is known of f at x, or a score of the caller's
 * own. Noisy expected improvement, the default, is one of them: it also uses the covariance of f(x) with f at the
 * points that may be the best so far (baseline.h). Each is one row of the table in acquisition.c.
 *
 * With several outputs noisy expected improvement is that of joint.h. The other acquisitions are of the one objective;
 * the probability that the constraints hold is a factor of theirs, as that of success is. */
#ifndef ACQUISITION_H
#define ACQUISITION_H

#include "dataset.h"
#include "joint.h"
#include "law.h"
#include "maximum.h"

typedef struct acquisition {
    locbo_acquisition kind;   /* THOMPSON is scored by a sampled path, not here */
    double best;              /* incumbent, standardised */
    double ucb_level;         /* ucb: level of the quantile */
    const baseline *baseline; /* ei, log-ei: draws of the best of f, which improvements are over; NULL: `best` is it */
    const joint *joint;       /* the same for several outputs */
    const maximum *maximum;   /* mes: draws of the largest value of f; NULL: log EI over `best` instead */
    size_t parts;             /* outputs: the objective, or the objectives, then constraints */
    const double *bound;      /* of each part, standardised: a constraint is to be above it; -INFINITY: no constraint */
    double safety;            /* > 0, instead of `kind`: the mean of the objective where the constraints hold with at
                                 least this probability; below it, a number that falls steeply with the probability */
    double alpha, caution;    /* with a baseline: level of the calibrated set, exponent of its stretch */
    locbo_score_fn *score;    /* the caller's own, instead of `kind`; NULL: none */
    void *user;
} acquisition;

/* What is known of one output at a point. A score depends on those of all parts: arrays of them are passed. */
typedef struct acquisition_point {
    law law;                     /* by the calibrator */
    double tie[BASELINE_POINTS]; /* with a baseline baseline_tie, with draws of the maximum maximum_tie */
} acquisition_point;

/* The derivatives of a score by them. */
typedef struct acquisition_grad {
    law_grad law;
    double tie[BASELINE_POINTS];
} acquisition_grad;

/* What the maximiser ranks by; larger is better: log EI for EI and LOG_EI (they have the same maximiser, and the log
 * does not underflow), log PI for PI, the log information for MES, the law's quantile at ucb_level for UCB, or the
 * caller's own score, a huge negative number where that is not finite. `grad` may be NULL; with a score of the caller's
 * own its s2 is 0: the noise does not depend on x. */
double acquisition_score(const acquisition *a, const acquisition_point *at, acquisition_grad *grad);
/* What the user is shown: EI, log EI, the probability PI, the information in natural units, the quantile, or the
 * caller's own score; NAN for THOMPSON. */
double acquisition_value(const acquisition *a, const acquisition_point *at);
/* A value in the user's units; on a scale that is not affine EI and log EI stay in the model's. */
double acquisition_out(const acquisition *a, const scaling *s, double value);
/* Whether log weights may simply be added to the score. */
int acquisition_is_logarithm(const acquisition *a);
/* Whether it is scored by a sampled path. */
int acquisition_is_path(const acquisition *a);
/* Whether it needs draws of the maximum. */
int acquisition_wants_maximum(const acquisition *a);
/* Whether it can take a baseline. */
int acquisition_takes_baseline(const acquisition *a);

/* Whether the score itself contains the probability that the constraints hold. */
int acquisition_has_constraints(const acquisition *a);
/* The log probability that the constraints hold at a point; `grad` (may be NULL) has parts entries, of which those of
 * the constraints are set. */
double acquisition_log_feasible(const acquisition *a, const acquisition_point *at, acquisition_grad *grad);

/* The factor by which a baseline multiplies the model's sd of f at a point, l being the calibrated law there: a power
 * of law_stretch. `grad` may be NULL; it receives derivatives by the shape. */
double acquisition_stretch(const acquisition *a, const law *l, law_grad *grad);

#endif
