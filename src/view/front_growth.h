/* front_growth.h - the measured Pareto front of a study with several objectives, how it grew, and its volume. As
 * locbo_optimizer_front has it, by the mean of what was measured at each point: trials at one point are one. */
#ifndef FRONT_GROWTH_H
#define FRONT_GROWTH_H

#include "trial_table.h"

typedef struct front_growth_point {
    size_t row;       /* the first trial there: index into the rows of the table */
    size_t completed; /* trials with a result until its first one, that one included */
    trial_feasible feasible;
    int is_whole; /* all objectives were measured */
    size_t begin; /* the step with which it came onto the front; SIZE_MAX: never */
    size_t end;   /* the step of the point that dominates it; SIZE_MAX: none does */
} front_growth_point;

typedef struct front_growth {
    size_t count; /* points with a result, in the order of their first ones */
    front_growth_point *point;
    point_means means;   /* of them, with the same numbers */
    const double *value; /* in `means`: count rows of the mean of each output; NAN: not measured */
    size_t steps;        /* how often a point came onto the front */
    size_t *step;        /* which */
    size_t front;        /* points on it now */
    size_t most;         /* on it at any time */
    size_t completed;
} front_growth;

/* A point counts if it has all objectives and all constraints, and keeps to `bounds`. Its mean is that of now: results
 * of later trials at the same point change the past too. Release `g` also after a failure. */
locbo_status front_growth_find(front_growth *g, const trial_table *t, const double *bounds, locbo_error *error);
void front_growth_release(front_growth *g);

/* Whether a point is on the front now. */
int front_growth_has(const front_growth *g, size_t point);
/* Whether the reference of every objective is known. */
int front_growth_is_measurable(const output_list *list, const double *reference);
/* The hypervolume after the first `steps`, by locbo_hypervolume; the reference must be known. */
locbo_status front_growth_volume(const front_growth *g, const output_list *list, const double *reference, size_t steps,
                                 double *volume, locbo_error *error);

#endif
