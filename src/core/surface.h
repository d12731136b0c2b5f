/* surface.h - the acquisition as a function of the encoded point: model -> calibrator -> law -> acquisition, times the
 * probability of success. acqmax.c maximises it, and predictions show it.
 *
 * A surface is built once and then only read. A proposal has two: what is believed, from told results
 * alone, and what is searched, with the outstanding trials (prepare.c). */
#ifndef SURFACE_H
#define SURFACE_H

#include "acquisition.h"
#include "calibrator.h"
#include "feasible.h"

enum { SURFACE_BLOCK = 256 }; /* points a batch: keeps the workspace of n x SURFACE_BLOCK small */

/* Scratch memory; surfaces that are used in turn may share it. */
typedef struct surface_work {
    gp_work gp;
    double *mu, *v, *log_w; /* a batch; log_w: weights, or probabilities, of success */
    size_t batch;
    double *dmu, *dv, *dp; /* gradients, columns each */
} surface_work;

typedef struct surface {
    const gp *model;
    double noise_var; /* of one measurement */
    const calibrator *calibrator;
    acquisition acquisition;
    feasible *success; /* NULL: every point succeeds */
    size_t columns;
    surface_work *work;
} surface;

locbo_status surface_work_init(surface_work *work, size_t columns, locbo_error *error);
void surface_work_release(surface_work *work);

/* The model at m points at once; afterwards the two below give what is known at point i of that batch. */
locbo_status surface_predict(const surface *s, size_t m, const double *u, locbo_error *error);
calibrator_point surface_point(const surface *s, const double *u, size_t i);
void surface_at(const surface *s, const double *u, size_t i, acquisition_point *at);

/* What the log weight of success is multiplied by before it is added to a score under l. */
double surface_success_weight(const surface *s, const law *l);

/* Scores of m points (larger is better), finite always. */
locbo_status surface_score(const surface *s, size_t m, const double *u, double *score, locbo_error *error);
/* Score of one point and its gradient (columns). */
locbo_status surface_score_grad(const surface *s, const double *u, double *score, double *grad, locbo_error *error);

#endif
