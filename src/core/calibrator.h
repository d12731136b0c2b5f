/* calibrator.h - how a method turns the model's three numbers into a law, and learns from results.
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
    const double
        *w;      /* L^{-1} k, a column of gp_work, with an entry for each of the model's rows; only CBO looks at it */
    size_t rows; /* data and pending rows of the model */
} calibrator_point;

/* The calibrator of options->method, for encoded points of so many columns and so many parameters. */
locbo_status calibrator_create(calibrator **out, const locbo_options *options, size_t columns, size_t dim,
                               locbo_error *error);
void calibrator_destroy(calibrator *c);

/* Once per proposal or prediction, after the model changed: lets CBO compute its weights. `low`,
 * `high` bound the free encoded coordinates; the incumbent is that of the acquisition. Others do
 * nothing. The model must stay as it is until the next call; points may be of a copy of it with pending rows. On
 * failure CBO goes on without what it could not compute: with all weights 1, or, if even the
 * model's rows could not be learnt and before the first call, with the model as it is (like BO). */
typedef struct calibrator_scene {
    const gp *model;
    double best; /* incumbent, standardised */
    const double *low, *high;
    rng stream;
    const unsigned char *held; /* `columns` flags of one-hot columns: CBO's chains take them from a
                                  past query and move only the others; NULL: none */
} calibrator_scene;
locbo_status calibrator_prepare(calibrator *c, const calibrator_scene *scene, locbo_error *error);

/* The law of f at p. Allocates nothing, but CBO and only CBO uses scratch memory of c. Where CBO's
 * set is everything (the normalised weight of x exceeds alpha) the acquisition is to be 0: the law
 * is then that of the model moved CALIBRATOR_WORTHLESS below, so that expected improvement and
 * probability of improvement are exactly 0, quantiles are below all others, and log forms still
 * order such points among themselves (by the model, the least known first) with the right gradient.
 * calibrator_set_at shows an unbounded set there. */
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

/* Turn the law at p, the set there being `set`, into the one that people are shown: another one where the law only
 * ranks points (CBO). */
void calibrator_show(const calibrator *c, const calibrator_point *p, const calibrator_set *set, law *l);

/* The raw threshold lambda(x) now; NAN if the method has none. */
double calibrator_threshold(const calibrator *c, const double *x);

/* A result: z by what was believed when x was asked; `asked` is the set shown then. Decides whether
 * it was covered, with the threshold current now (BO and CBO: by `asked`), then
 * updates. On failure nothing changes. */
locbo_status calibrator_tell(calibrator *c, const double *x, double z, const calibrator_set *asked, int *covered,
                             locbo_error *error);

/* The theory's upper bound on the share of errors after T rounds, or NAN if it says nothing (none,
 * a condition fails, or 1 and more), and the words for it: one line that fits 256 bytes. */
double calibrator_guarantee(const calibrator *c, uint64_t T, char *text, size_t size);

#endif
