/* cost.h - what evaluations cost, as a function of the point: by the expression of the space or, without one, by a
 * small model of what was told, on the log scale. */
#ifndef COST_H
#define COST_H

#include "optimizer.h"

typedef struct cost {
    const locbo_optimizer *o;
    double *weight; /* of the model: constant, fidelity, the other columns; NULL: there is an expression */
} cost;

/* The cost of the optimizer's evaluations as it is known now; it is valid until the optimizer changes. */
locbo_status cost_init(cost *c, const locbo_optimizer *o, locbo_error *error);
void cost_release(cost *c);
/* The log of the expected cost of an evaluation at x; always finite. */
double cost_log(const cost *c, const double *x);
/* What trial `index` has cost: as told, otherwise as expected. */
double cost_of_trial(const cost *c, size_t index);

#endif
