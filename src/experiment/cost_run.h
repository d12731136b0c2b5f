/* cost_run.h - one run of a problem whose evaluations may be of lower fidelity, and cost less: what is recorded is the
 * regret at full fidelity by what has been spent. */
#ifndef COST_RUN_H
#define COST_RUN_H

#include "problem_fidelity.h"
#include "task.h"

/* LOCBO_ERR_ARGUMENT if the settings do not fit the problem; `p` NULL: one without a fidelity. */
locbo_status cost_run_check(const problem_fidelity *p, const task *t, locbo_error *error);
/* The record has room for task_rows; row t is what is known when t full evaluations, or their cost, are spent. */
locbo_status cost_run(const problem_fidelity *p, const task *t, uint64_t seed, task_record *record, locbo_error *error);

#endif
