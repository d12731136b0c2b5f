/* surface.h - the acquisition as a function of the encoded point: model -> calibrator -> law, for each output, ->
 * acquisition, times the probability of success. acqmax.c maximises it, and predictions show it.
 *
 * A surface is built once and then only read. A proposal has two: what is believed, from told results
 * alone, and what is searched, with the outstanding trials (prepare.c). */
#ifndef SURFACE_H
#define SURFACE_H

#include "acquisition.h"
#include "calibrator.h"
#include "feasible.h"
#include "screen.h"

enum { SURFACE_BLOCK = 256 }; /* points a batch: keeps the workspace of n x SURFACE_BLOCK small */

/* Scratch memory; surfaces that are used in turn may share it. */
typedef struct surface_work {
    gp_work gp;
    double *mu, *v, *log_w; /* a batch; log_w: weights, or probabilities, of success */
    size_t batch;
    const double *local;   /* of a batch: calibrator_local; NULL: it is not known */
    double here;           /* the same of one point */
    double *dmu, *dv, *dp; /* gradients, columns each */
} surface_work;

/* One output of a surface: its model, and what calibrates it. */
typedef struct surface_part {
    const gp *model;
    double noise_var; /* of one measurement */
    const calibrator *calibrator;
    surface_work *work;
    screen *screen; /* for surface_screen; NULL: nothing is kept */
} surface_part;

typedef struct surface {
    surface_part part[OUTPUTS_MODELLED]; /* as many as the acquisition has parts: the objectives, then constraints */
    acquisition acquisition;
    feasible *success; /* NULL: every point succeeds */
    size_t columns;
} surface;

locbo_status surface_work_init(surface_work *work, size_t columns, locbo_error *error);
void surface_work_release(surface_work *work);

/* The models at m points at once; afterwards the functions below give what is known at point i of that batch: by the
 * model of one part, the law of it, and all that a score depends on, an entry for each part. */
locbo_status surface_predict(const surface *s, size_t m, const double *u, locbo_error *error);
/* Means of the models alone, in part[k].work->mu. */
locbo_status surface_means(const surface *s, size_t m, const double *u, locbo_error *error);
calibrator_point surface_point(const surface *s, size_t part, const double *u, size_t i);
void surface_at(const surface *s, const double *u, size_t i, acquisition_point *at);

/* What is added to a score: the log weight of success, which is given, and that of constraints that the score does not
 * contain. */
double surface_log_weight(const surface *s, const acquisition_point *at, double log_success);

/* Scores of m points (larger is better), finite always. */
locbo_status surface_score(const surface *s, size_t m, const double *u, double *score, locbo_error *error);
/* The same, of candidates that the next calls may be for, too. */
locbo_status surface_screen(const surface *s, size_t m, const double *u, double *score, locbo_error *error);
/* Score of one point and its gradient (columns). */
locbo_status surface_score_grad(const surface *s, const double *u, double *score, double *grad, locbo_error *error);

#endif
