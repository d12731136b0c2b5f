/* outputs_log.h - the points that a run with several outputs has measured, and what points are worth by the truth. */
#ifndef OUTPUTS_LOG_H
#define OUTPUTS_LOG_H

#include "problem_outputs.h"
#include "status.h"

/* A point, with the mean of what was measured there. */
typedef struct outputs_log_point {
    double x[PROBLEM_MAX_DIM], y[PROBLEM_MAX_OUTPUTS];
    unsigned n; /* measurements */
} outputs_log_point;

typedef struct outputs_log {
    const problem_outputs *problem;
    size_t n, room;
    outputs_log_point *point; /* all different, in the order of their first measurement */
} outputs_log;

/* A measurement of all outputs at x. */
locbo_status outputs_log_add(outputs_log *log, const double *x, const double *y, locbo_error *error);
void outputs_log_release(outputs_log *log);
/* The points, of those where the measured constraints hold, than which no other of them was measured better: the best
 * one if there is one objective, otherwise the front. `x` has room for all points, in rows of PROBLEM_MAX_DIM; returns
 * how many it has received. */
size_t outputs_log_front(const outputs_log *log, double *x);

/* What reported points are worth. */
typedef struct outputs_worth {
    /* One objective: the true regret of the only point, `worst` (problem_outputs_worst) if a constraint does not hold
     * there or there is no point. Several: the volume of the front less that of the points that are feasible. */
    double regret;
    double feasible; /* share of the points where all constraints hold; 0 if there is no point */
} outputs_worth;
/* n rows of PROBLEM_MAX_DIM. */
locbo_status outputs_worth_of(const problem_outputs *p, double worst, size_t n, const double *x, outputs_worth *worth,
                              locbo_error *error);

#endif
