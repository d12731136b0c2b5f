/* outputs_run.h - one run of a task whose problem has several outputs: objectives, and constraints that are measured.
 *
 * The setting `outputs` says how the library's optimizer sees them:
 *   model      a table of outputs: constrained noisy expected improvement, or that of the hypervolume
 *   penalty    one output: objective + OUTPUTS_PENALTY s_0 sum_k max(0, g_k)/s_k, where g_k is what was measured of
 *              constraint k, s_k its spread over the box and s_0 that of the objective
 *   exit-code  one output, the objective; where a measured constraint does not hold the evaluation is infeasible
 *   scalarize  one output in place of the objectives, beside the constraints: ParEGO's (Knowles 2006)
 *              max_k w_k z_k + 0.05 sum_k w_k z_k, z_k the objective scaled to [0, 1] over the results so far, w drawn
 *              uniformly from the simplex in every round. Each round has a new optimizer with all results
 *
 * Reported are, after a row's round: with one objective the point that the optimizer recommends; with several the
 * believed front (LOCBO_FRONT_BELIEVED), for scalarize that of a model of all outputs; for random search and external
 * methods what was measured best (outputs_log_front). An external method with one objective recommends its own point.
 */
#ifndef OUTPUTS_RUN_H
#define OUTPUTS_RUN_H

#include "task.h"

extern const double OUTPUTS_PENALTY;

/* The task has been checked; the record has room for its rows. */
locbo_status outputs_run(const problem_outputs *p, const task *t, uint64_t seed, task_record *record,
                         locbo_error *error);

#endif
