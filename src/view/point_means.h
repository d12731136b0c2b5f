/* point_means.h - the means of what was measured at each point of a study: trials at one point are one. */
#ifndef POINT_MEANS_H
#define POINT_MEANS_H

#include <stddef.h>

#include "status.h"

typedef struct point_means {
    size_t dim, outputs; /* set by the caller, at least 1; all else begins as 0 */
    size_t count, capacity;
    size_t *first; /* of each point: the row with which it was added */
    double *x;     /* count rows of dim */
    double *mean;  /* count rows of the mean of each output; NAN, once finished, if it was not measured */
    double *weight;
    size_t slots_size, *slots; /* hash table that is never full, of point numbers plus 1; 0: free */
} point_means;

/* The number of the point at `x`: with `row` as its first row if it is new. */
locbo_status point_means_add(point_means *p, const double *x, size_t row, size_t *point, locbo_error *error);
/* The same; SIZE_MAX if it was not added. */
size_t point_means_find(const point_means *p, const double *x);
/* A value of an output at a point, which counts as often as `weight` says; NAN is left out. */
void point_means_take(point_means *p, size_t point, size_t output, double value, double weight);
/* No value is taken after this. */
void point_means_finish(point_means *p);
void point_means_release(point_means *p); /* also after a failure */

#endif
