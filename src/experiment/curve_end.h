/* curve_end.h - evaluations of a simulated run that report their steps one after another, and the rule that ends some of
 * them (hopeless.h). */
#ifndef CURVE_END_H
#define CURVE_END_H

#include "task.h"

typedef struct curve_end curve_end;

/* By the settings end (not TASK_END_NONE), end_risk and end_from of the task. A complete evaluation has the steps 1 to
 * `last`. */
locbo_status curve_end_create(curve_end **made, const task *t, uint64_t last, uint64_t seed, locbo_error *error);
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
