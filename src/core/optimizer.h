/* optimizer.h - the state of an optimizer, shared by the files that make up its public functions:
 * optimizer.c (life, tell), prepare.c (the surfaces), believe.c (beliefs), propose.c (ask), answer.c (predict, best,
 * recommend, summary), restore.c (trials and fits put back), snapshot.c (save, load).
 *
 * The modelled outputs are its quantities: the objectives first, then the constraints. Without a table of outputs there
 * is one. What is about one objective uses the first. */
#ifndef OPTIMIZER_H
#define OPTIMIZER_H

#include "acqmax.h"
#include "belief.h"
#include "options.h"
#include "outputs.h"
#include "quantity.h"
#include "told.h"

enum { OPTIMIZER_CROWD = 8 }; /* with so many outstanding trials proposals share what they can */

typedef struct trial_record {
    locbo_trial info; /* info.id is its index in the list + 1 */
    locbo_trial_state state;
    double cost; /* as told; NAN: not told */
} trial_record;

struct locbo_optimizer {
    locbo_space *space;
    locbo_options options;
    locbo_outputs *outputs;
    size_t dim, columns, initial;
    size_t fidelity; /* number of the fidelity parameter; SIZE_MAX: there is none */
    double *full;    /* fixed values of points at full fidelity: NAN but for that parameter; NULL: there is none */
    notifier events;
    watcher watcher;       /* the models point to it */
    locbo_score_fn *score; /* the caller's own; NULL: the option `acquisition` */
    void *score_user;

    /* facts */
    told told;
    size_t trials, trial_capacity;
    trial_record *trial;
    double *trial_x, *trial_u;            /* trials x dim, trials x columns */
    locbo_belief *others;                 /* trials x (quantities - 1): the beliefs of all but the first */
    double reference[OUTPUTS_OBJECTIVES]; /* of several objectives, in the user's units; NAN: not known yet */
    size_t failures, failure_capacity;
    size_t *failure; /* indices of failed and infeasible trials, in the order told */
    size_t segment;  /* results before coverage was counted anew; 0: never */

    /* derived from the facts */
    size_t quantities, objectives;
    quantity *quantity;
    size_t listed[OUTPUTS_MODELLED]; /* the number of each in the table of outputs */
    leaders leaders;                 /* of several quantities */
    feasible *success;
    size_t success_rows, success_failures; /* what `success` was fitted to; 0, 0: not fitted */
    uint64_t judged_whole, covered_whole;  /* results with all outputs; those with all of them inside their sets */

    /* workspace */
    joint joint_believed, joint_searched; /* several quantities, option incumbent=sampled */
    double bound[OUTPUTS_MODELLED];       /* of constraints, standardised */
    acqmax *maximiser;
    double *design;      /* initial x dim, unit coordinates */
    double *encoded;     /* one encoded point */
    double *low, *high;  /* encoded box of a proposal */
    unsigned char *held; /* flags of the columns of categorical parameters */
    double *taken;       /* x rows not to be proposed again */
    size_t taken_capacity;
    double *anchors;
    double *searched_at; /* fixed values of a search */
};

/* A new trial at x; `others`: beliefs of the quantities after the first, NULL: none. On failure nothing changes. */
locbo_status optimizer_append_trial(locbo_optimizer *o, const locbo_trial *info, const locbo_belief *others,
                                    const double *x, locbo_trial_state state, locbo_error *error);
/* The quantity of an output; NULL: it is not modelled, or there is no such output. */
quantity *optimizer_quantity_of(const locbo_optimizer *o, size_t output);
/* What was believed of quantity k when trial `index` was asked. */
const locbo_belief *optimizer_trial_belief(const locbo_optimizer *o, size_t index, size_t k);
/* LOCBO_OK if these measurements, one for each output, can be a result: there is a value, and all are acceptable. */
locbo_status optimizer_check_result(const locbo_optimizer *o, const locbo_measurement *measured, locbo_error *error);
/* One result of the trial at `index`, or of no trial (SIZE_MAX): a data row of each quantity that it has and, for the
 * first result of a trial that is judged (origin.h), an update of the calibration. Every row comes in here, told or
 * restored. */
locbo_status optimizer_append_result(locbo_optimizer *o, size_t index, const double *x,
                                     const locbo_measurement *measured, locbo_error *error);
/* The trial was ended early. `measured` (NULL: nothing) is what is known of it at x (NULL: at its own point). */
locbo_status optimizer_append_ended(locbo_optimizer *o, size_t index, const double *x,
                                    const locbo_measurement *measured, locbo_error *error);
locbo_status optimizer_append_failure(locbo_optimizer *o, size_t index, locbo_trial_state state, locbo_error *error);
size_t optimizer_count(const locbo_optimizer *o, locbo_trial_state state);
/* Whether a point that was evaluated is one of the space: not always, if the space has changed since. */
int optimizer_is_inside(const locbo_optimizer *o, const double *x);
/* Whether the first objective's data row may be the best: it is inside, and counts (dataset_counts). */
int optimizer_row_counts(const locbo_optimizer *o, size_t row);
/* The same of the first objective's points, which are the first rows of its model: 1 for each that does not count, of
 * `rows` rows; pending rows below full fidelity do not count either. All 0 if none counts, so that those who look for
 * the best of them find one. mem_free; NULL: no memory. */
unsigned char *optimizer_find_outside(const locbo_optimizer *o, const dataset *d, size_t rows);
/* The reference point, an entry for each objective, NAN: not known yet; from outside, so it is checked. */
locbo_status optimizer_take_reference(locbo_optimizer *o, const double *reference, locbo_error *error);

/* Around every call that computes. optimizer_begin asks the watcher; if it fails, the call is over. Otherwise the call
 * ends with optimizer_end, which makes the optimizer what it was if `status`, which it returns, is a failure. */
locbo_status optimizer_begin(locbo_optimizer *o, locbo_error *error);
locbo_status optimizer_end(locbo_optimizer *o, locbo_status status);

/* Make the model (and the success model) ready; see surrogate_refresh. */
locbo_status optimizer_refresh(locbo_optimizer *o, int may_fit, int *ready, locbo_error *error);
/* The surface of the told results, for these fixed coordinates (NULL: none); the models must be ready. The quantities
 * get the posterior means at the rows of their models. The surface is valid until the optimizer changes. */
locbo_status optimizer_believed(locbo_optimizer *o, const double *fixed, surface *believed, locbo_error *error);
/* The same with the outstanding trials: what a proposal searches. */
locbo_status optimizer_searched(locbo_optimizer *o, const surface *believed, surface *searched, locbo_error *error);
/* Whether improvements are over draws of f at the best points (noisy EI). */
int optimizer_wants_baseline(const locbo_optimizer *o, const surface *s);
/* The beliefs at n encoded points, in the user's units: n rows of an entry for each quantity. `thorough`: see
 * average_prepare; answers have it, and trials that confirm one. */
locbo_status optimizer_beliefs(locbo_optimizer *o, const surface *believed, size_t n, const double *u, int thorough,
                               locbo_belief *beliefs, locbo_error *error);
/* The recommended point (option `recommendation`); `believed` NULL: there is no model. There must be a result. */
locbo_status optimizer_recommend(locbo_optimizer *o, const surface *believed, locbo_choice *choice, double *x,
                                 locbo_error *error);

#endif
