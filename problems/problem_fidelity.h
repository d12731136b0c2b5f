/* problem_fidelity.h - test problems that can be evaluated at lower fidelity, for less: what counts is the value at
 * full fidelity, whose optimum is known. libm only. */
#ifndef PROBLEM_FIDELITY_H
#define PROBLEM_FIDELITY_H

#include "noise.h"
#include "problems.h"

typedef struct problem_fidelity {
    problem full;      /* at full fidelity: name, box, optimum; its parameters do not include the fidelity */
    problem_kind kind; /* of the fidelity: PROBLEM_REAL or PROBLEM_INTEGER */
    double low, high;  /* its range; `high` is full fidelity */
    int is_curve;      /* the fidelity is a number of steps: an evaluation at `high` reports the values of all */
    const char *cost;  /* of an evaluation, as an expression of `fidelity`: 1 at `high` ... */
    double (*price)(double s);                  /* ... and as a function; it does not fall */
    double (*value)(const double *x, double s); /* the noiseless truth at fidelity s; at `high` that of `full` */
} problem_fidelity;

/* The problems by name; NULL if there is none. They are in a list of their own: problem_find does not know them.
 *
 *   branin-fidelity, hartmann6-fidelity   fidelity in [0, 1]: the augmented functions of Wu et al. 2020, Practical
 *                                         multi-fidelity Bayesian optimization for hyperparameter tuning
 *   borehole8-fidelity, currin-fidelity   fidelity 1 or 2: the low and the high one of Xiong et al. 2013, Sequential
 *                                         design and analysis of high-accuracy and low-accuracy computer codes; the
 *                                         largest value of currin is wanted
 *   branin-against, hartmann3-against     in [0, 1]; 1 or 2: the cheapest is the opposite of the function
 *   training-crossing, training-plain     the error of a network after 1 to 81 epochs; in the first one settings that
 *                                         learn fast end worse, in the second all learn equally fast
 *
 * Costs: 0.05 + 0.95 s^1.5 in [0, 1]; 0.1 of the lower of two levels; s/81 after s epochs. */
const problem_fidelity *problem_fidelity_find(const char *name);
/* All of them: 0, 1, ...; NULL after the last. */
const problem_fidelity *problem_fidelity_at(size_t i);

/* The truth at x and fidelity s of a problem `full` that is p->full, or that one moved (problem_move). */
double problem_fidelity_value(const problem_fidelity *p, const problem *full, const double *x, double s);
/* One measurement there: its error is drawn as that of a measurement at x and full fidelity. */
double problem_fidelity_measure(const problem_fidelity *p, const problem *full, const noise *n, double spread,
                                const double *x, double s, draw *d);
/* The largest fidelity whose cost is at most `cost`; NAN if there is none. */
double problem_fidelity_for(const problem_fidelity *p, double cost);

#endif
