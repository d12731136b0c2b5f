/* axis.h - one parameter as the axis of a picture: which one is meant, and the values to look at.
 * */
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

/* The parameter of that name; `key` is what it was asked by, for the messages.
 * LOCBO_ERR_ARGUMENT: no name was given, or
 * there is no such parameter; the message lists those there are. The axis has no grid yet. */
locbo_status axis_find(axis *a, const locbo_space *space, const char *key, const char *name, locbo_error *error);
/* At most `points` >= 2 values from low to high, even in the parameter's own scale. Whole numbers
 * and categories: each once,
 * or, if there are more, those nearest to such an even choice. */
locbo_status axis_divide(axis *a, size_t points, locbo_error *error);
void axis_release(axis *a);

#endif
