/* dominated.h - the volume that points dominate, up to a reference point: the hypervolume of up to three objectives. */
#ifndef DOMINATED_H
#define DOMINATED_H

#include <stddef.h>

/* Objectives, smaller is better. Of two objectives the third is 0, and 1 in the reference point. */
typedef struct dominated_point {
    double f[3];
} dominated_point;

/* The volume of all points that are at most `reference` and at least one of the n points p, which are sorted by the
 * third objective. A point with a NAN adds nothing. NAN if there is no memory. */
double dominated_volume(size_t n, dominated_point *p, const dominated_point *reference);

#endif
