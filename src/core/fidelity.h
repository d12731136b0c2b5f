/* fidelity.h - at which fidelity a point is evaluated. */
#ifndef FIDELITY_H
#define FIDELITY_H

#include "optimizer.h"

/* Fixed values of a search for the point that is best to know: `fixed` (NULL: none) at full fidelity. */
const double *fidelity_full(const locbo_optimizer *o, const double *fixed);
/* Point k of the initial design: every third is at full fidelity, the others where the design has them. */
const double *fidelity_design(const locbo_optimizer *o, const double *fixed, size_t k);
/* Choose the fidelity of x, a point at full fidelity that the model, the surface s, proposes: the one at which a
 * measurement tells most about the maximum for its cost. `taken`: points that were evaluated, which are not evaluated
 * again below full fidelity. */
locbo_status fidelity_choose(locbo_optimizer *o, const surface *s, const acqmax_request *taken, double *x,
                             locbo_error *error);

#endif
