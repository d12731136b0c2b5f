/* surface.h - the acquisition as a function of the encoded point: model -> calibrator -> law -> acquisition, times the
 * probability of success. What acqmax.c climbs and optimizer_predict shows. */
#ifndef SURFACE_H
#define SURFACE_H

#include "acquisition.h"
#include "baseline.h"
#include "calibrator.h"
#include "feasible.h"

enum { SURFACE_BLOCK = 256 }; /* points a batch: keeps the workspace of n x SURFACE_BLOCK small */

typedef struct surface {
    const gp *model;
    double noise_var; /* of one measurement */
    const calibrator *calibrator;
    acquisition acquisition;
    const baseline *baseline; /* NULL: improvements are over acquisition.best */
    double alpha, caution;    /* with a baseline: level of the calibrated set, exponent of its stretch */
    feasible *success;        /* NULL: every point succeeds */
    size_t columns;
    /* workspace */
    gp_work work;
    double *mu, *v, *log_w; /* a batch; log_w: weights, or probabilities, of success */
    size_t batch;
    double *dmu, *dv, *dp; /* gradients, columns each */
} surface;

/* The workspace lives as long as the optimizer; the other fields are set before each use. */
locbo_status surface_init(surface *s, size_t columns, locbo_error *error);
void surface_release(surface *s);

/* The model at m points at once; afterwards surface_point gives it at point i of that batch. */
locbo_status surface_predict(surface *s, size_t m, const double *u, locbo_error *error);
calibrator_point surface_point(const surface *s, const double *u, size_t i);

/* What the user is shown of the acquisition at point i of that batch, l being the law there: see acquisition_value. */
double surface_value(const surface *s, const law *l, size_t i);

/* How many times the model's spread of f at a point the baseline takes it to be, l being the calibrated law there.
 * `grad` may be NULL; it receives derivatives by the shape. */
double surface_stretch(const surface *s, const law *l, law_grad *grad);

/* What the log weight of success is multiplied by before it is added to a score under l. */
double surface_success_weight(const surface *s, const law *l);

/* Scores of m points (larger is better), finite always. */
locbo_status surface_score(surface *s, size_t m, const double *u, double *score, locbo_error *error);
/* Score of one point and its gradient (columns). */
locbo_status surface_score_grad(surface *s, const double *u, double *score, double *grad, locbo_error *error);

#endif
