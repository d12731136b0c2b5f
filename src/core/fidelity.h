/* fidelity.h - at which fidelity a point is evaluated. */
#ifndef FIDELITY_H
#define FIDELITY_H

#include "optimizer.h"

/* Fixed values of a search for the point that is best to know: `fixed` (NULL: none) at full fidelity. */
const double *fidelity_full(const locbo_optimizer *o, const double *fixed);
/* How many points the initial design has in place of n at full fidelity. */
size_t fidelity_design_size(size_t n);
/* Point k of the initial design: *row receives its number among the drawn ones. It begins with pairs: a point at full
 * fidelity, and the same one at a lower fidelity, which costs little and shows how far the two agree. If they do, the
 * other points are of lower fidelity, otherwise of full fidelity. *found receives the fixed values. */
locbo_status fidelity_design(const locbo_optimizer *o, const double *fixed, size_t k, size_t *row, const double **found,
                             locbo_error *error);
/* Whether results of lower fidelity mislead, by the pairs of the design: then the model hears nothing of them, and all
 * proposals are at full fidelity. */
int fidelity_misleads(const locbo_optimizer *o);
/* Choose the fidelity of x, a point at full fidelity that the model, the surface s, proposes: the one at which a
 * measurement tells most about the maximum for its cost. `taken`: points that were evaluated, which are not evaluated
 * again below full fidelity. */
locbo_status fidelity_choose(locbo_optimizer *o, const surface *s, const acqmax_request *taken, double *x,
                             locbo_error *error);

#endif
