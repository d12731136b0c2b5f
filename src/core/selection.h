/* selection.h - which evaluated points an answer names when there are several outputs: the best where constraints hold,
 * and Pareto fronts. Rows are those of the first objective's dataset. */
#ifndef SELECTION_H
#define SELECTION_H

#include "optimizer.h"

/* The best measured row of those whose measured constraints hold; if there is none, the row where they hold most
 * probably, or without a model (`believed` NULL) *row as it was. */
locbo_status selection_best_row(const locbo_optimizer *o, const surface *believed, size_t *row, locbo_error *error);
/* The same by the means of points: the first row at the best point. */
locbo_status selection_best_mean(const locbo_optimizer *o, const surface *believed, size_t *row, locbo_error *error);
/* The row of the best mean of those where the constraints hold with the probability of the option feasibility; if there
 * is none, where they hold most probably. */
locbo_status selection_safe_row(const locbo_optimizer *o, const surface *believed, size_t *row, locbo_error *error);
/* The fronts of locbo_front_by, the first row of each point, in ascending order; `row` has room for all. */
locbo_status selection_measured_front(const locbo_optimizer *o, size_t *n, size_t *row, locbo_error *error);
locbo_status selection_believed_front(const locbo_optimizer *o, const surface *believed, size_t *n, size_t *row,
                                      locbo_error *error);

/* The means of what was measured at the points of n rows: rows of an entry for each output, NAN if there is none. */
locbo_status selection_measured_values(const locbo_optimizer *o, size_t n, const size_t *row, double *values,
                                       locbo_error *error);

#endif
