/* hopeless_reference.h - the rule of the risk, slow and obvious: every curve at every whole step in a
 * table, all sums written out. */
#ifndef HOPELESS_REFERENCE_H
#define HOPELESS_REFERENCE_H

#include <stddef.h>

/* A table of `count` complete curves with values at the steps 1 ... `last`, row by row; final values. Whether a trial
 * with `value` at `step` could be ended. */
int hopeless_reference(size_t count, size_t last, const double *table, const double *final, double tau,
                       double incumbent, size_t step, double value);

#endif
