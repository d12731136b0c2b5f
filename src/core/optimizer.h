/* optimizer.h - the state of an optimizer, shared by the files that make up its public functions:
 * optimizer.c (life, tell), propose.c (ask), answer.c (predict, best, recommend, summary), snapshot.c (save, load). */
#ifndef OPTIMIZER_H
#define OPTIMIZER_H

#include "acqmax.h"
#include "belief.h"
#include "calibrator.h"
#include "dataset.h"
#include "options.h"
#include "surface.h"
#include "surrogate.h"

typedef struct trial_record {
    locbo_trial info; /* info.id is its place in the list + 1 */
    locbo_trial_state state;
} trial_record;

struct locbo_optimizer {
    locbo_space *space;
    locbo_options options;
    size_t dim, columns, initial;
    notifier events;
    locbo_score_fn *score; /* the caller's own; NULL: the option `acquisition` */
    void *score_user;

    /* facts */
    dataset data;
    size_t trials, trial_capacity;
    trial_record *trial;
    double *trial_x, *trial_u; /* trials x dim, trials x columns */
    size_t failures, failure_capacity;
    size_t *failure; /* places of failed and infeasible trials, in the order told */

    /* derived from the facts */
    surrogate surrogate;
    calibrator *calibrator;
    calibrator *plain; /* the model as it is, for recommendations */
    feasible *success;
    size_t success_rows, success_failures; /* what `success` was fitted to; 0, 0: nothing */
    uint64_t judged, covered;
    double threshold_min, threshold_max, threshold_sum; /* NAN for methods without a threshold */

    /* workspace */
    surface surface;
    baseline baseline; /* option incumbent=sampled */
    acqmax *maximiser;
    double *design;      /* initial x dim, unit coordinates */
    double *encoded;     /* one encoded point */
    double *low, *high;  /* encoded box of a proposal */
    unsigned char *held; /* flags of the columns of categorical parameters */
    double *taken;       /* x rows not to be proposed again */
    size_t taken_capacity;
    double *fitted; /* posterior mean at the rows */
    size_t fitted_capacity;
    double *anchors;
};

/* A new trial at x; on failure nothing changes. */
locbo_status optimizer_append_trial(locbo_optimizer *o, const locbo_trial *info, const double *x,
                                    locbo_trial_state state, locbo_error *error);
/* One result of a trial (place) or, with place = SIZE_MAX, of none: data and, for the first result of a proposal by the
 * model, calibration. The one way rows come in, live or replayed. */
locbo_status optimizer_append_result(locbo_optimizer *o, size_t place, const double *x, const locbo_measurement *m,
                                     locbo_error *error);
locbo_status optimizer_append_failure(locbo_optimizer *o, size_t place, locbo_trial_state state, locbo_error *error);
size_t optimizer_count(const locbo_optimizer *o, locbo_trial_state state);

/* Make the model (and the success model) ready; see surrogate_refresh. */
locbo_status optimizer_refresh(locbo_optimizer *o, int may_fit, int *ready, locbo_error *error);
/* Set the surface up for a proposal with these fixed coordinates (NULL: none): incumbent, calibrator, success model;
 * o->fitted gets the posterior means at the data rows. */
locbo_status optimizer_prepare(locbo_optimizer *o, const double *fixed, locbo_error *error);
/* The beliefs at n encoded points, in the user's units; the surface is prepared. */
locbo_status optimizer_beliefs(locbo_optimizer *o, size_t n, const double *u, locbo_belief *beliefs,
                               locbo_error *error);

#endif
