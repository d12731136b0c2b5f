/* growth.h - how the measured Pareto front of a study with several objectives grew, trial by trial, and its volume. */
#ifndef GROWTH_H
#define GROWTH_H

#include "trial_table.h"

/* A trial that came onto the front. */
typedef struct growth_step {
    size_t row;       /* index into the rows of the table */
    size_t completed; /* trials with a result until then, this one included */
    size_t end;       /* the step whose trial dominates it; SIZE_MAX: it is on the front now */
} growth_step;

typedef struct growth {
    size_t count; /* of steps, in the order told */
    growth_step *steps;
    size_t points;    /* on the front now */
    size_t most;      /* on it at any time */
    size_t completed; /* trials with a result */
} growth;

/* By the mean of what each trial measured. A trial counts if it has all objectives and all constraints, and keeps to
 * `bounds`. Release `g` also after a failure. */
locbo_status growth_find(growth *g, const trial_table *t, const double *bounds, locbo_error *error);
void growth_release(growth *g);

/* Whether the reference of every objective is known. */
int growth_is_measurable(const output_list *list, const double *reference);
/* The hypervolume after the first `steps`, by locbo_hypervolume; the reference must be known. */
locbo_status growth_volume(const growth *g, const trial_table *t, const double *reference, size_t steps, double *volume,
                           locbo_error *error);

#endif
