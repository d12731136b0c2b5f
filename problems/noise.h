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
    NOISE_SKEWED,         /* `scale` times (a standard exponential - 1): mean 0, median below */
    NOISE_GROWING,        /* the loss (distance of f from the optimum) times exp(scale z) */
    NOISE_UNIFORM,        /* Hansen et al.'s: the loss times U^b max(1, (1e9/loss)^(a U')), U and U' uniform, a =
                           * shape (0.49 + 1/dim), b = shape: 1 is severe, 0.01 mild; no scale */
    NOISE_CAUCHY,         /* with probability `shape` worse than f by `scale` times |a Cauchy number|, otherwise f */
    NOISE_ONESIDED,       /* worse than f by scale |z| exp(z') */
    NOISE_WILD,           /* Gaussian of sd 0.1 spread, with probability 0.05 of sd `scale` (relative: to the range) */
    NOISE_NEAR            /* Gaussian of sd `scale` (relative: to the smallest losses, see problem_near) */
} noise_kind;

typedef struct noise {
    noise_kind kind;
    double scale, shape;
} noise;

/* What f is of the law of a measurement y. */
typedef enum noise_centre { NOISE_NEITHER = 0, NOISE_MEAN = 1, NOISE_MEDIAN = 2, NOISE_BOTH = 3 } noise_centre;

/* "none", "gaussian", "norm", "input", "student", "outliers", "multiplicative", "skewed", "growing", "uniform",
 * "cauchy", "onesided", "wild", "near"; returns 0 if it is none of them. */
int noise_kind_parse(const char *text, noise_kind *kind);
const char *noise_kind_text(noise_kind kind);

/* One measurement at x. How much is drawn from `d` does not depend on x, so that paired runs stay paired. `spread` is
 * problem_spread of the problem (used by NOISE_MULTIPLICATIVE and NOISE_WILD). */
double noise_measure(const noise *n, const problem *p, double spread, const double *x, draw *d);
/* The unit of a relative scale: the spread, or what the law's comment says; 1 for laws that are always relative. */
double noise_unit(const noise *n, const problem *p, double spread);
/* b_xi (eq:noise_imbalance): the least probability of either sign, a zero counting as both; at most 0.5. */
double noise_symmetry(const noise *n);
noise_centre noise_centre_of(const noise *n);
/* The width of the law at x: half the difference of its quantiles 0.16 and 0.84, the sd if it is normal. */
double noise_level(const noise *n, const problem *p, double spread, const double *x);

#endif
