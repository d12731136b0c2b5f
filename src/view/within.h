/* within.h - how far each parameter may move from the recommended point while the objective stays near its best. */
#ifndef WITHIN_H
#define WITHIN_H

#include <jansson.h>
#include <locbo/study.h>

#include "status.h"

/* For each parameter, the others at the recommended point `x`: the values where the model gives at least probability
 * `level` to f being at most `delta` worse than its mean at x.
 *     {"delta":0.1,"level":0.8,"parameters":[{"name":"x","low":0.2,"high":0.4,"values":null},
 *      {"name":"mode","low":null,"high":null,"values":["a","b"]}]}
 * A parameter that is not active at x has null in all three; values that the space does not have with the others as
 * they are (another parameter would become active) are left out. A range is that around x, on a grid of WITHIN_POINTS
 * values; low and high are null if x itself is not known that well. Each point is judged on its own, by its normal law
 * of f. `outputs` NULL: one output; several must have one objective. LOCBO_ERR_NOTHING: there is no model yet. Cost: a
 * prediction for each value. */
enum { WITHIN_POINTS = 201 };
locbo_status within_find(locbo_optimizer *optimizer, const locbo_outputs *outputs, const double *x, double delta,
                         double level, json_t **made, locbo_error *error);

#endif
