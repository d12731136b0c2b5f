/* curve_end.h - evaluations of a simulated run that report their steps one after another, and the rule that ends some
 * of them (hopeless.h). */
#ifndef CURVE_END_H
#define CURVE_END_H

#include "status.h"

typedef enum curve_rule { CURVE_END_NONE, CURVE_END_RISK, CURVE_END_MEDIAN, CURVE_END_HALVING } curve_rule;

typedef struct curve_end curve_end;

/* `risk`: the share of the evaluations that CURVE_END_RISK may end by mistake. `from`: the first step after which one
 * may be ended, the first rung of CURVE_END_HALVING. A complete evaluation has the steps 1 to `last`. */
locbo_status curve_end_create(curve_end **made, curve_rule rule, double risk, uint64_t from, uint64_t last,
                              uint64_t seed, locbo_error *error);
void curve_end_destroy(curve_end *e);

/* The next evaluation begins. */
void curve_end_begin(curve_end *e);
/* The value at its next step, 1, 2, ...; larger is better. *is_ended: the rule has ended it. It is complete after the
 * last step, if not ended before. */
locbo_status curve_end_report(curve_end *e, double value, int *is_ended, locbo_error *error);
/* The final value that was to be expected of the evaluation that was ended last, with its standard deviation, larger is
 * better; NAN: nothing is known. */
void curve_end_expected(const curve_end *e, double *mean, double *sd);

#endif
