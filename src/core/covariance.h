/* covariance.h - covariances of f between sets of points, at given hyper-parameters: the kernel, the signal and, with a
 * trend, how f fades along its column (gp.h). */
#ifndef COVARIANCE_H
#define COVARIANCE_H

#include "gp.h"

/* The function; `spec` is not owned. */
typedef struct covariance {
    const gp_spec *spec;
    double *inv_length; /* columns */
    double signal_var, fade;
} covariance;
/* Returns 0 without memory. */
int covariance_init(covariance *c, const gp_spec *spec, const double *theta);
void covariance_release(covariance *c);

/* Points in units of the length scales. Zero-initialise, release once; made again, it keeps its memory. */
typedef struct covariance_points {
    size_t n, capacity;
    double *z, *norm, *by; /* n x columns; squared norms; what the sd of f is smaller by, 1 without a trend */
} covariance_points;
/* n points (rows of x). Returns 0 without memory. */
int covariance_place(const covariance *c, size_t n, const double *x, covariance_points *points);
void covariance_points_release(covariance_points *points);

/* Of each point of a (rows of k) with each of b (columns), leading dimension ldk. */
void covariance_cross(const covariance *c, const covariance_points *a, const covariance_points *b, double *k,
                      size_t ldk);
/* Of the points with each other: the lower triangle. */
void covariance_gram(const covariance *c, const covariance_points *a, double *k, size_t ldk);
/* The variance of f at point i. */
double covariance_own(const covariance *c, const covariance_points *a, size_t i);

#endif
