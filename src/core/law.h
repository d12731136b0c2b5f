/* law.h - the calibrated law of f(x): the one abstraction every method of the paper shares.
 *
 * At one point x a law is described by the model's three numbers (mu, v, s2) and a short vector,
 * its shape, which the calibrator fills in. Standardised units; everything maximises.
 *
 *   LAW_NORMAL    f ~ N(mu, v). shape_n = 0.                                              (BO)
 *   LAW_SET       z' = (y'-mu)/sy is, with probability 1 - tail_mass, uniform on
 *                 [ql, qu] = shape[0..1], otherwise standard normal conditioned on z' outside;
 *                 f = mu + sqrt(v) (r z' + rr e)  (eq:locbo_likelihood, eq:LOCBO_decomp).
 *                 ql = qu: the flat part is a point mass. shape_n = 2.          (LOCBO, CBO)
 *   LAW_QUANTILE  the quantile function of f at level u is mu + sy Phi^{-1}(R(u)), R piecewise
 *                 linear through (0, Q(z_max)), (level[i], shape[i]), (1, 1-Q(z_max)); shape
 *                 ascends within these limits; a segment of zero slope is a constant quantile.
 *                 shape_n = M.                                               (OCBO, OCBO-L)
 *
 * with sy = sqrt(v+s2), r = sqrt(v)/sy, rr = sqrt(s2)/sy. v = 0 and s2 = 0 are allowed: limits are
 * taken, one-sided or 0 where a derivative is singular. No finite input gives a NaN. */
#ifndef LAW_H
#define LAW_H

#include <stddef.h>

enum { LAW_MAX_SHAPE = 64 };
#define LAW_LEAST_STRETCH 0.1 /* an empty set does not make the model certain */
#define LAW_MOST_STRETCH 10.0

typedef enum law_kind { LAW_NORMAL, LAW_SET, LAW_QUANTILE } law_kind;

typedef struct law {
    law_kind kind;
    double mu, v, s2;
    double tail_mass;    /* LAW_SET: probability outside the set, alpha * tail, in [0, 1) */
    double z_max;        /* LAW_QUANTILE: limits of R */
    const double *level; /* LAW_QUANTILE: ascending in (0, 1); not owned */
    size_t shape_n;
    double shape[LAW_MAX_SHAPE];
} law;

/* Partial derivatives of a functional of the law. */
typedef struct law_grad {
    double mu, v, s2;
    double shape[LAW_MAX_SHAPE]; /* the first shape_n are set */
} law_grad;

static inline void law_zero_grad(law_grad *g, size_t n) {
    g->mu = g->v = g->s2 = 0;
    for (size_t i = 0; i < n; ++i) g->shape[i] = 0;
}

static inline void law_scale_grad(law_grad *g, size_t n, double factor) {
    g->mu *= factor, g->v *= factor, g->s2 *= factor;
    for (size_t i = 0; i < n; ++i) g->shape[i] *= factor;
}

/* The density; atoms (v = 0, constant quantiles) are left out. */
double law_pdf(const law *l, double f);
double law_cdf(const law *l, double f);
/* The smallest f with cdf(f) >= p, 0 < p < 1. `grad` may be NULL, here and below. */
double law_quantile(const law *l, double p, law_grad *grad);

/* E (f - best)_+, and below P(f > best): relative error 1e-9 or better where |h| <= 6, h being
 * (best - mu)/sqrt(v); the log forms to 1e-6 beyond. With s2 = 0, best on an atom counts half of
 * it. */
double law_ei(const law *l, double best, law_grad *grad);
/* log of it, accurate where it underflows, always finite, falling in `best`: where EI is exactly 0
 * (bounded support) it continues as an ordering by the upper end of the support. */
double law_log_ei(const law *l, double best, law_grad *grad);
/* P(f > best) and its log (finite, with the same rule). */
double law_pi(const law *l, double best, law_grad *grad);
double law_log_pi(const law *l, double best, law_grad *grad);

/* rho: how many times wider than the model's the law's central interval of y at level 1 - alpha is, at least
 * LAW_LEAST_STRETCH and at most LAW_MOST_STRETCH; 1 for LAW_NORMAL. `grad` receives its derivatives by the shape; it
 * depends on nothing else. */
double law_stretch(const law *l, double alpha, law_grad *grad);

/* Half the width of LOCBO's set in z: q = Q^{-1}(threshold/2) with threshold clamped to
 * [2 Q(z_max), 1]. Returns q; *slope = dq/dthreshold (0 where clamped) if not NULL. */
double law_half_width(double threshold, double z_max, double *slope);

#endif
