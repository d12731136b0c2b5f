/* contenders.h - the points where f may be largest, and draws of its maximum there (maximum.h). */
#ifndef CONTENDERS_H
#define CONTENDERS_H

#include "optimizer.h"

/* Draw the maximum of the first objective, of the surface's models, where all constraints are expected to hold; with a
 * fidelity parameter, at its upper end. After optimizer_believed has computed the means at the rows. LOCBO_ERR_NUMERIC
 * if f cannot be drawn. */
locbo_status contenders_draw(locbo_optimizer *o, const surface *s, maximum *m, locbo_error *error);

#endif
