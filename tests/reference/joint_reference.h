/* joint_reference.h - constrained noisy expected improvement, and noisy expected hypervolume improvement with
 * constraints, as in a textbook: draw by draw, slow, obvious, in long double. */
#ifndef JOINT_REFERENCE_H
#define JOINT_REFERENCE_H

#include <stddef.h>

/* One output: the joint posterior of f at n points A and, last, at x, and the draws at A (rows `stride` apart). */
typedef struct joint_reference_part {
    const double *mu;  /* n + 1 */
    const double *cov; /* (n + 1) x (n + 1) */
    const double *draw;
    size_t stride;
    double bound; /* of a constraint: f is to be at least this */
} joint_reference_part;

/* The log of the mean over the draws of [ improvement of the objectives at x ] prod_j P(f_j(x) >= bound_j). The first
 * `objectives` of the `parts` are objectives. One objective improves on its best value at the points where the drawn
 * constraints hold, on `floor` if there is none; several improve the volume above `reference`. */
double joint_reference_log(size_t n, size_t objectives, size_t parts, const joint_reference_part *part, size_t draws,
                           double floor, const double *reference);

#endif
