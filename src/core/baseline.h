/* baseline.h - what an improvement is measured from under noise: the best of f over the points evaluated so far, which
 * is not known (noisy expected improvement; Letham et al. 2019, Balandat et al. 2020).
 *
 * f at the points A that may be the best is a normal vector, m + F e with F F' the joint posterior covariance and e
 * standard normal. Given e, f(x) is normal too, and the improvement is over the largest entry of m + F e:
 *
 *     d = F^-1 cov(f(A), f(x)),   mean mu(x) + d.e,   variance v(x) - d.d
 *
 * Calibration has found the model's sets of y too narrow or too wide by a factor (law_stretch); f's standard deviation
 * is multiplied by rho(x), a power of it, correlations are left as they are: what departs from m_k, and from mu(x), is
 * multiplied by rho there. The expectation over e is the mean over a few antithetic draws that stay the same for all x
 * of a proposal, so the score is smooth in x. Standardised units; everything maximises. */
#ifndef BASELINE_H
#define BASELINE_H

#include "gp.h"
#include "rng.h"

enum {
    BASELINE_POINTS = 64, /* at most */
    BASELINE_BEST = 12,   /* points that may be the best of one objective */
    BASELINE_DRAWS = 16
};

typedef struct baseline {
    size_t points;               /* 0: none is prepared */
    size_t row[BASELINE_POINTS]; /* of the model, data or pending */
    double mu[BASELINE_POINTS];
    double factor[BASELINE_POINTS * BASELINE_POINTS]; /* F, lower, column-major */
    double draw[BASELINE_DRAWS][BASELINE_POINTS];     /* e */
    double value[BASELINE_DRAWS][BASELINE_POINTS];    /* m + rho F e: f there */
    double best[BASELINE_DRAWS];                      /* its largest entry */
    /* of the chosen rows: L^-1 k and C^-1 k, `rows` numbers each */
    double *white, *weight;
    size_t rows, capacity;
    double *x, *slope; /* points x columns; columns */
    double *combined;  /* rows: scratch */
    gp_work work;
} baseline;

locbo_status baseline_init(baseline *b, size_t columns, locbo_error *error);
void baseline_release(baseline *b);

/* Choose the rows with the largest means (`mean`: of all rows of the model, data and pending), none twice, and none
 * with a flag in `out`; NULL: no flags. */
void baseline_choose(baseline *b, const gp *model, const double *mean, const unsigned char *out);
/* Choose the given rows, at most BASELINE_POINTS. */
void baseline_take(baseline *b, const gp *model, size_t n, const size_t *rows);
/* Their encoded inputs, b->points of them. */
const double *baseline_inputs(const baseline *b);
/* Draw f at the chosen rows; rho: b->points numbers. LOCBO_ERR_NUMERIC if their covariance cannot be factored. */
locbo_status baseline_prepare(baseline *b, const gp *model, const double *rho, rng stream, locbo_error *error);

/* d at point i of the batch that gp_predict left in `work`. */
void baseline_tie(const baseline *b, const gp_work *work, size_t i, double d[BASELINE_POINTS]);
/* grad += sum_k weight_k dd_k/dx at the point of gp_predict_grad, which left `work`. */
void baseline_chain(const baseline *b, const gp *model, const gp_work *work, const double weight[BASELINE_POINTS],
                    double *grad);

/* What the model has at x: N(mu, v) tied by d, stretched by rho. */
typedef struct baseline_view {
    double mu, v, rho, d[BASELINE_POINTS];
} baseline_view;
/* Log of the noisy expected improvement, always finite; `grad` (may be NULL) receives the derivatives. */
double baseline_log_ei(const baseline *b, const baseline_view *at, baseline_view *grad);

/* What a score of several outputs is made of (joint.h). Given draw s, f(x) is N(baseline_mean, baseline_var); the
 * variance is the same for all draws. */
double baseline_mean(const baseline *b, size_t s, const baseline_view *at);
double baseline_var(const baseline *b, const baseline_view *at);
/* The derivatives of a score: *grad begins as 0, each draw adds `share` of its derivatives by mean and variance, and
 * the last step passes those by the variance on to d. */
void baseline_add(const baseline *b, size_t s, const baseline_view *at, double share, double by_mean, double by_var,
                  baseline_view *grad);
void baseline_end(const baseline *b, const baseline_view *at, baseline_view *grad);

#endif
