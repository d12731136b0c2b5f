/* baseline.h - what an improvement is measured from under noise: the best of f over the points evaluated so far, which
 * nobody has seen (noisy expected improvement; Letham et al. 2019, Balandat et al. 2020).
 *
 * f at the points A that may be the best is a normal vector, m + F e with F F' the joint posterior covariance and e
 * standard normal. Given e, f(x) is normal too, and the improvement is over the largest entry of m + F e:
 *
 *     d = F^-1 cov(f(A), f(x)),   mean mu(x) + d.e,   variance v(x) - d.d
 *
 * The expectation over e is the mean over a few antithetic draws that stay the same for all x of a proposal, so the
 * score is smooth in x. Standardised units; everything maximises. */
#ifndef BASELINE_H
#define BASELINE_H

#include "gp.h"
#include "rng.h"

enum { BASELINE_POINTS = 12, BASELINE_DRAWS = 16 };

typedef struct baseline {
    size_t points;               /* 0: none is prepared */
    size_t row[BASELINE_POINTS]; /* of the model, data or pending */
    double mu[BASELINE_POINTS];
    double factor[BASELINE_POINTS * BASELINE_POINTS]; /* F, lower, column-major */
    double draw[BASELINE_DRAWS][BASELINE_POINTS];     /* e */
    double best[BASELINE_DRAWS];                      /* the largest entry of m + F e */
    /* of the chosen rows: L^-1 k and C^-1 k, `rows` numbers each */
    double *white, *weight;
    size_t rows, capacity;
    double *x, *slope; /* points x columns; columns */
    gp_work work;
} baseline;

locbo_status baseline_init(baseline *b, size_t columns, locbo_error *error);
void baseline_release(baseline *b);

/* Choose the rows with the largest means (`mean`: of all rows of the model, data and pending), none twice, and draw.
 * LOCBO_ERR_NUMERIC if their covariance cannot be factored. */
locbo_status baseline_prepare(baseline *b, const gp *model, const double *mean, rng stream,
                              locbo_error *error);

/* d at point i of the batch that gp_predict left in `work`. */
void baseline_tie(const baseline *b, const gp_work *work, size_t i, double d[BASELINE_POINTS]);
/* grad += sum_k weight_k dd_k/dx at the point of gp_predict_grad, which left `work`. */
void baseline_chain(const baseline *b, const gp *model, const gp_work *work,
                    const double weight[BASELINE_POINTS], double *grad);

/* One normal law of f(x): N(mu, v), tied by d. Its noisy expected improvement, as a logarithm, always finite; `grad` (may
 * be NULL) receives the derivatives by mu, v and the entries of d. */
typedef struct baseline_grad {
    double mu, v, d[BASELINE_POINTS];
} baseline_grad;
double baseline_log_ei(const baseline *b, double mu, double v, const double d[BASELINE_POINTS],
                       baseline_grad *grad);

#endif
