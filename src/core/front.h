/* front.h - Pareto fronts of several objectives, all maximised: which vectors are not dominated, the volume that
 * vectors dominate above a reference point r, and the region above r that they do not dominate as disjoint boxes.
 *
 * Vectors are rows of m = 1 .. FRONT_OBJECTIVES numbers. y is dominated by p if p_k >= y_k for every k and p is not y.
 */
#ifndef FRONT_H
#define FRONT_H

#include <stddef.h>

#include <locbo/locbo.h>

enum { FRONT_OBJECTIVES = 4, FRONT_POINTS = 64, FRONT_LEVELS = FRONT_POINTS + 2 };

/* The indices, ascending, of those of n vectors that are above `reference` in every objective and that no other one
 * dominates; of equal vectors the first. `index` has room for n. Returns their number. A vector with a NaN is never
 * among them. `reference` NULL: any finite vector is above it. */
size_t front_find(size_t m, size_t n, const double *y, const double *reference, size_t *index);

/* The volume of {z : reference <= z <= y_i for some i}. Numbers must be finite; vectors that are dominated, equal to
 * another or not above the reference are allowed. LOCBO_ERR_ARGUMENT, LOCBO_ERR_MEMORY. */
locbo_status front_volume(size_t m, size_t n, const double *y, const double *reference, double *volume,
                          locbo_error *error);

/* The box of all y with level[k][low[k]] <= y_k < level[k][high[k]] for each objective k. */
typedef struct front_box {
    unsigned char low[FRONT_OBJECTIVES], high[FRONT_OBJECTIVES];
} front_box;

/* A corner of the region; see front.c. */
typedef struct front_corner {
    unsigned char point[FRONT_OBJECTIVES];
} front_corner;

/* The region {y >= reference : no p of the front has y_k < p_k for every k}. All zero: nothing is made yet. */
typedef struct front_boxes {
    size_t m;
    /* For each objective: the reference, then the front's distinct coordinates, ascending, and +INFINITY; how many. */
    double level[FRONT_OBJECTIVES][FRONT_LEVELS];
    size_t levels[FRONT_OBJECTIVES];
    front_box *box; /* disjoint, none is empty; their union is the region */
    size_t boxes, capacity;
    front_corner *corner; /* work space */
    size_t corner_capacity;
} front_boxes;

/* The boxes of n <= FRONT_POINTS vectors, as front_volume takes them. With f points in the front there is 1 box for one
 * objective, there are at most f + 1 for two, 2 f + 1 for three, (f + 1)^2 for four (random
 * fronts on a sphere: about 150 for 30 points, 350 for 64). Memory grows only when it must. LOCBO_ERR_ARGUMENT,
 * LOCBO_ERR_MEMORY; then `b` is as it was. */
locbo_status front_boxes_make(front_boxes *b, size_t m, size_t n, const double *y, const double *reference,
                              locbo_error *error);
void front_boxes_release(front_boxes *b);

#endif
