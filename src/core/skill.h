/* skill.h - how much better than a constant the model predicts. */
#ifndef SKILL_H
#define SKILL_H

#include "surrogate.h"

/* The largest log likelihood of n > 0 independent numbers about a constant, with normal noise or with Student's t of 4
 * degrees of freedom, whichever is larger, less 2 for the two numbers that were fitted: location and scale. */
double skill_of_constant(size_t n, const double *z);

/* The leave-one-out score of the last fit less that of a constant; INFINITY if it is not known: the fit did not choose
 * between candidates. d must be on the scale of the last fit, as surrogate_refresh leaves it. A function of the results
 * and the stored fit alone. */
double skill_of_model(const surrogate *s, const dataset *d);

#endif
