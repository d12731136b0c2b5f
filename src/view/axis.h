/* axis.h - one parameter as the axis of a picture: which parameter, and the grid of its values. */
#ifndef AXIS_H
#define AXIS_H

#include <locbo/locbo.h>

#include "status.h"

typedef struct axis {
    size_t index; /* of the parameter in its space */
    locbo_parameter parameter;
    size_t count;
    double *grid; /* ascending */
} axis;

/* The parameter `name`; `key` is the key of the query that gave the name, for the messages. LOCBO_ERR_ARGUMENT: no name
 * was given, there is no such parameter, or it is frozen; the message lists the others. The axis has no grid yet. */
locbo_status axis_find(axis *a, const locbo_space *space, const char *key, const char *name, locbo_error *error);
/* At most `points` >= 2 values from low to high, evenly spaced in the parameter's scale. Whole numbers, steps,
 * categories and bools: every value, or, if there are more than `points`, evenly spaced values rounded to theirs. */
locbo_status axis_divide(axis *a, size_t points, locbo_error *error);
void axis_release(axis *a);

#endif
