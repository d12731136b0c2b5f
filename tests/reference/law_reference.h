/* law_reference.h - slow, obvious functionals of a law, as an oracle for law.h.
 *
 * Nothing here uses the closed forms: expectations are integrals over z' and the noise e (LAW_SET),
 * or over the level u (LAW_QUANTILE), summed on many Gauss-Legendre panels; derivatives are those
 * of the integrand. */
#ifndef LAW_REFERENCE_H
#define LAW_REFERENCE_H

#include "law.h"

/* Every number but pdf times exp(-log_scale): EI and PI may be far below the range of a double. */
typedef struct law_reference {
    double log_scale;
    double ei, pi, pdf;
    law_grad ei_grad, pi_grad;
    /* size of the terms a derivative is the sum of: what rounding and tolerances are relative to */
    law_grad ei_size, pi_size;
} law_reference;

/* At f = best. v > 0, or LAW_QUANTILE; s2 = 0 is allowed, with ei_grad.s2 then left 0. */
law_reference law_reference_at(const law *l, double best);

/* Node i and its weight of the Gauss-Legendre rule on [0, 1] that all of this uses. */
enum { LAW_REFERENCE_POINTS = 16 };
void law_reference_node(int i, double *x, double *w);

/* Phi^{-1} by bisection and Newton on erfcl. */
long double law_reference_quantile(long double p);

#endif
