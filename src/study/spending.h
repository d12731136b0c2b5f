/* spending.h - what the evaluations of a study have cost. */
#ifndef SPENDING_H
#define SPENDING_H

#include "ledger.h"

typedef struct spending {
    double all;      /* of the trials that were handed out and have ended */
    double below;    /* what of it was spent below full fidelity */
    double expected; /* of the trials that run or wait */
} spending;

/* Inside a transaction: add up all trials. */
locbo_status spending_read(const locbo_study *study, spending *s, locbo_error *error);

typedef locbo_status spending_fn(uint64_t trial, double cost, void *user, locbo_error *error);
/* Inside a transaction: `fn` is called with each trial that has ended and whose cost the optimizer cannot compute
 * itself, by number. */
locbo_status spending_each_measured(const locbo_study *study, spending_fn *fn, void *user, locbo_error *error);

/* Inside a transaction in which the study's row is locked: add up the seconds of all trials, for the study's row. */
locbo_status spending_recount(const locbo_study *study, locbo_error *error);

#endif
