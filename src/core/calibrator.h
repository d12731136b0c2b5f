/* calibrator.h - how a method turns the model's mu, v and s2 into a law, and learns from results.
 *
 * One file per method (calibrate_*.c), one row of the table in calibrator.c.
 * A calibrator sees encoded points and standardised scores z = (y - mu)/sy in the maximising
 * direction. */
#ifndef CALIBRATOR_H
#define CALIBRATOR_H

#include "gp.h"
#include "law.h"
#include "rng.h"

typedef struct calibrator calibrator;

/* The model at one point: what gp_predict computed there. */
typedef struct calibrator_point {
    const double *x; /* encoded */
    double mu, v, s2;
    const double *w; /* L^{-1} k, a column of gp_work, with an entry for each of the model's rows; only CBO reads it */
    size_t rows;     /* data and pending rows of the model */
    const double *local; /* calibrator_local at x, if the caller has it; NULL: it is computed */
} calibrator_point;

/* The calibrator of options->method, for encoded points of `columns` numbers and `dim` parameters. */
locbo_status calibrator_create(calibrator **out, const locbo_options *options, size_t columns, size_t dim,
                               locbo_error *error);
void calibrator_destroy(calibrator *c);

/* What costs most of a law at the encoded point x, and stays until the next result is told: LOCBO's threshold. Returns
 * 0 if the method has no such number. */
int calibrator_local(const calibrator *c, const double *x, double *local);
/* Once per proposal or prediction, after the model changed: CBO computes its weights, other methods do nothing. `low`
 * and `high` bound the free encoded coordinates; the incumbent is that of the acquisition. The model must not change
 * until the next call; points may be of a copy of it with pending rows. On failure CBO uses weights of 1 or, if the
 * model's rows could not be read, and also before the first call, the model without calibration (like BO). */
typedef struct calibrator_context {
    const gp *model;
    double best; /* incumbent, standardised */
    const double *low, *high;
    rng stream;
    const unsigned char *held; /* `columns` flags of one-hot columns: CBO's chains take their values from a past
                                  query and move only the others; NULL: none */
} calibrator_context;
locbo_status calibrator_prepare(calibrator *c, const calibrator_context *context, locbo_error *error);

/* The law of f at p. Allocates nothing; CBO alone uses scratch memory of c. Where CBO's set is unbounded (the
 * normalised weight of x exceeds alpha) the acquisition has to be 0: the law is then the model's, with its mean lowered
 * by CALIBRATOR_WORTHLESS. Expected improvement and probability of improvement are then exactly 0, quantiles are below
 * all others, and log forms still order such points (by the model, the largest variance first) with the right gradient.
 * calibrator_set_at gives an unbounded set there. */
#define CALIBRATOR_WORTHLESS 1e6
void calibrator_law(const calibrator *c, const calibrator_point *p, law *l);
/* Add to dx (columns) what a change of x does through the shape alone: dx += J_shape(x)^T g->shape.
 * `l` is the law that calibrator_law gave at p. */
void calibrator_chain(const calibrator *c, const calibrator_point *p, const law *l, const law_grad *g, double *dx);

/* What is shown of the calibrated set of z = (y-mu)/sy at p. */
typedef struct calibrator_set {
    double threshold; /* raw lambda(x); NAN if the method has none */
    double low, high; /* of z; infinite where everything is covered, low > high where nothing is */
} calibrator_set;
void calibrator_set_at(const calibrator *c, const calibrator_point *p, calibrator_set *set);

/* Turn the law at p, the set there being `set`, into the one that is shown to the user: they differ where the law only
 * ranks points (CBO). */
void calibrator_show(const calibrator *c, const calibrator_point *p, const calibrator_set *set, law *l);

/* Memory for the next calibrator_tell, which then does not fail for want of it. */
locbo_status calibrator_reserve(calibrator *c, locbo_error *error);
/* A result: z by the mean and deviation believed when x was asked; `asked` is the set announced then. Decides whether z
 * was covered, by the current threshold (BO and CBO: by `asked`), then updates. *threshold (may be NULL): the raw
 * lambda(x) that decided; NAN if the method has none. On failure nothing changes. */
locbo_status calibrator_tell(calibrator *c, const double *x, double z, const calibrator_set *asked, double *threshold,
                             int *covered, locbo_error *error);

/* The theory's upper bound on the share of errors after T rounds, or NAN if there is none, a
 * condition of it fails or it is not below 1; `text` receives a sentence about it: one line of at most 255 bytes. */
double calibrator_guarantee(const calibrator *c, uint64_t T, char *text, size_t size);

#endif
