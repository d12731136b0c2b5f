/* remeasure.h - which result is too good to believe and is measured again. */
#ifndef REMEASURE_H
#define REMEASURE_H

#include "optimizer.h"

/* *row: the data row whose point the next proposal measures again, among those that agree with `fixed` (NAN where free;
 * NULL: all free); SIZE_MAX: none. Needs the posterior means of optimizer_believed. */
locbo_status remeasure_row(const locbo_optimizer *o, const double *fixed, size_t *row, locbo_error *error);

#endif
