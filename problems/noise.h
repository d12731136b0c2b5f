/* noise.h - noise laws: what is measured instead of the noiseless value. Each has a scale, some also a shape. */
#ifndef NOISE_H
#define NOISE_H

#include "draw.h"
#include "problems.h"

typedef enum noise_kind {
    NOISE_NONE = 0,
    NOISE_GAUSSIAN, /* sd `scale` */
    NOISE_NORM,     /* the paper's: Gaussian of variance (|x| + shape) / scale */
    NOISE_INPUT,    /* Gaussian, sd `scale` times 0.2 to 1.8, growing with the mean of the unit-cube coordinates */
    NOISE_STUDENT,  /* `scale` times Student's t with `shape` > 0 degrees of freedom, not
                     * only whole ones; NAN for others */
    NOISE_OUTLIERS, /* Gaussian of sd `scale`; with probability `shape` of ten times that */
    NOISE_MULTIPLICATIVE, /* y = f (1 + scale z) + 0.1 scale spread z', z and z' standard normal */
    NOISE_SKEWED          /* `scale` times (a standard exponential - 1): mean 0, median below */
} noise_kind;

typedef struct noise {
    noise_kind kind;
    double scale, shape;
} noise;

/* "none", "gaussian", "norm", "input", "student", "outliers", "multiplicative", "skewed"; returns 0 if it is none of
 * them. */
int noise_kind_parse(const char *text, noise_kind *kind);
const char *noise_kind_text(noise_kind kind);

/* One measurement at x. How much is drawn from `d` does not depend on x, so that paired runs stay paired. `spread` is
 * problem_spread of the problem (used by NOISE_MULTIPLICATIVE). */
double noise_measure(const noise *n, const problem *p, double spread, const double *x, draw *d);
/* b_xi (eq:noise_imbalance): the least probability of either sign; 0.5 without noise. */
double noise_symmetry(const noise *n);

#endif
