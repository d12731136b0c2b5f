/* landmarks.h - many measurements summed up at few of their points.
 *
 * f at the landmarks Z is u. Of f at another row i, u says  k_i' K^-1 u,  and the rest of it has the variance
 * r_i = k(x_i, x_i) - k_i' K^-1 k_i  (K: covariances of u; k_i: of f(x_i) with u). If these rests are taken as
 * independent of each other, the measurements of the other rows say the same of u as one measurement of each landmark
 * does, whose noise goes together:
 *
 *     P = sum_i b_i b_i' / D_i,   b_i = K^-1 k_i,   D_i = noise_i + r_i      (a landmark: b_i a unit vector, r_i = 0)
 *     y = P^-1 sum_i b_i y_i / D_i,   noise covariance P^-1
 *
 * (known as FITC: Snelson and Ghahramani 2006). The rests make the model less certain than the exact one, never more
 * certain of what it did not measure. If all rows are landmarks, nothing is approximated. Points may be kept apart:
 * they are neither landmarks nor summed up, and become rows of their own (gp_append). */
#ifndef LANDMARKS_H
#define LANDMARKS_H

#include "gp.h"

typedef struct landmarks {
    size_t n, apart; /* landmarks; after them, points that are kept apart */
    size_t *row;     /* n + apart: the first measurement at each, ascending in both parts */
    /* what gp_factor_summary takes, and then gp_append */
    double *x, *y, *scale, *extra; /* of the point's own measurements: scale, extra, and y of those apart */
    double *noise, *terms;
    gp_summary summary;
} landmarks;

/* How many landmarks at most, and the measurements whose points are kept apart. */
typedef struct landmarks_plan {
    size_t most, apart;
    const size_t *row; /* apart */
} landmarks_plan;

/* Choose landmarks among the points of `data`, some of them where results are best or latest, the others everywhere,
 * each where f is least known from those before; then sum up all measurements. On failure *out can be released. */
locbo_status landmarks_make(landmarks *out, const gp_spec *spec, const double *theta, const gp_data *data,
                            const landmarks_plan *plan, watcher *w, locbo_error *error);
void landmarks_release(landmarks *l);

/* The landmarks, without those apart, as rows for gp_factor_summary. */
gp_data landmarks_data(const landmarks *l);

#endif
