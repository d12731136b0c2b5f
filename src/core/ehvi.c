/* ehvi.c - expected hypervolume improvement of a normal vector, its log and its gradient.
 *
 * With h = (t - mu_k)/sd_k, EI_k(t) = sd_k G(h), dEI_k/dmu_k = Q(h), dEI_k/dsd_k = phi(h) (normal.h): these are
 * computed once per level, not per box.
 *
 * What a difference EI_k(l) - EI_k(u) loses by cancellation is small against the sum: with a box [l_c, u_c) all that
 * lies above l_c belongs to the region, so the sum is at least prod_k EI_k(l_ck), for every c. The same bound says when
 * plain doubles suffice, and which boxes do not count in the log form
 *
 *     log EHVI = M + log sum_c exp(B_c - M) prod_k (1 - exp(log EI_k(u_ck) - log EI_k(l_ck))),
 *     B_c = sum_k log EI_k(l_ck),   M = max_c B_c:   the sum is at least 1, and a box adds at most exp(B_c - M).
 *
 * Layer: core, above normal and front. Cost: about 30 ns per level and 3 ns per box; where the log form is needed,
 * another 30 to 60 ns per level, and 100 ns per box that counts. */
#include "ehvi.h"

#include <float.h>
#include <math.h>

#include "normal.h"

#define LOG_2 0.69314718055994530942

/* The floor of law.h's normal law, and a bound of h: squares stay finite. */
static const double least_sd = 1e-70, most_h = 1e150;
/* Beyond it phi is below 1e-305. */
static const double plain_h = 37.5;
/* Relative to the largest possible terms: above it, what underflows does not count. */
static const double least_plain = 1e-280;
/* In the log form boxes below exp(-80) = 2e-35 of the sum are left out. */
static const double least_log = -80;

/* Of one level: G, Q, phi at h. In the log form log G, Q/G, phi/G. */
typedef struct level_value {
    double G, Q, phi;
} level_value;

typedef struct table {
    double sd[FRONT_OBJECTIVES];
    level_value at[FRONT_OBJECTIVES][FRONT_LEVELS];
} table;

/* The sum over boxes of prod_k [G(l_k) - G(u_k)], which is EHVI / prod_k sd_k; and the sums of the same products with
 * Q, or phi, instead of G in objective k: divided by `value` and sd_k, the derivatives of log EHVI by mu_k and sd_k. */
typedef struct sums {
    double value, Q[FRONT_OBJECTIVES], phi[FRONT_OBJECTIVES];
} sums;

static double standardise(double level, double mu, double sd) { return fmax(fmin((level - mu) / sd, most_h), -most_h); }

/* ---- in plain doubles -------------------------------------------------------------------------- */

/* From Mills' ratio M = Q/phi. Up to h = 8, phi (1 - h M) loses h^2 roundings, as many as G does by the rounding of h;
 * above, normal_scaled is as fast. */
static level_value plain_level(double h) {
    if (fabs(h) > plain_h) return (level_value){fmax(-h, 0), h < 0, 0};
    double phi = normal_pdf(h);
    if (h > 8) {
        normal_ratios x = normal_scaled(h);
        return (level_value){phi * x.G, phi * x.Q, phi};
    }
    double tail = h > -9 ? phi * normal_mills(fabs(h)) : 0; /* beyond -9 below 1e-18 */
    if (h < 0) return (level_value){phi - h * (1 - tail), 1 - tail, phi};
    return (level_value){phi - h * tail, tail, phi};
}

/* Returns the product of the largest factors, each at least 1. */
static double fill_plain(const front_boxes *b, const double *mu, table *t) {
    double most = 1;
    for (size_t k = 0; k < b->m; k++) {
        size_t last = b->levels[k] - 1;
        for (size_t j = 0; j < last; j++) t->at[k][j] = plain_level(standardise(b->level[k][j], mu[k], t->sd[k]));
        t->at[k][last] = (level_value){0, 0, 0};
        most *= fmax(1, t->at[k][0].G);
    }
    return most;
}

/* rest[k]: the product of all of w but w[k]. Returns the product of all. */
static inline double products(size_t m, const double *w, double *rest) {
    double before = 1, after = 1;
    for (size_t k = 0; k < m; k++) {
        rest[k] = before;
        before *= w[k];
    }
    for (size_t k = m; k-- > 0;) {
        rest[k] *= after;
        after *= w[k];
    }
    return before;
}

static inline sums plain_sums(const front_boxes *b, size_t m, const table *t) {
    sums s = {0};
    for (size_t c = 0; c < b->boxes; c++) {
        const front_box *box = &b->box[c];
        double w[FRONT_OBJECTIVES], rest[FRONT_OBJECTIVES];
        for (size_t k = 0; k < m; k++) w[k] = t->at[k][box->low[k]].G - t->at[k][box->high[k]].G;
        s.value += products(m, w, rest);
        for (size_t k = 0; k < m; k++) {
            const level_value *low = &t->at[k][box->low[k]], *high = &t->at[k][box->high[k]];
            s.Q[k] += rest[k] * (low->Q - high->Q);
            s.phi[k] += rest[k] * (low->phi - high->phi);
        }
    }
    return s;
}

/* One loop per number of objectives, so that the compiler unrolls what is inside. The derivatives cost so little that
 * they are always computed. */
static sums sum_plain(const front_boxes *b, const table *t) {
    switch (b->m) {
    case 1:
        return plain_sums(b, 1, t);
    case 2:
        return plain_sums(b, 2, t);
    case 3:
        return plain_sums(b, 3, t);
    default:
        return plain_sums(b, 4, t);
    }
}

/* ---- in logarithms ----------------------------------------------------------------------------- */

static level_value log_level(double h) {
    if (h < 0) {
        level_value v = plain_level(h);
        return (level_value){log(v.G), v.Q / v.G, v.phi / v.G};
    }
    normal_ratios x = normal_scaled(h);
    return (level_value){normal_log_pdf(h) + log(x.G), x.Q / x.G, 1 / x.G};
}

/* log G descends strictly but for rounding; the bounds above need that it does not ascend. */
static void fill_logs(const front_boxes *b, const double *mu, table *t) {
    for (size_t k = 0; k < b->m; k++) {
        size_t last = b->levels[k] - 1;
        for (size_t j = 0; j < last; j++) {
            t->at[k][j] = log_level(standardise(b->level[k][j], mu[k], t->sd[k]));
            if (j > 0) t->at[k][j].G = fmin(t->at[k][j].G, t->at[k][j - 1].G);
        }
        t->at[k][last] = (level_value){-INFINITY, 0, 0};
    }
}

/* B_c */
static double log_bound(const front_boxes *b, const table *t, size_t c) {
    double sum = 0;
    for (size_t k = 0; k < b->m; k++) sum += t->at[k][b->box[c].low[k]].G;
    return sum;
}

/* Add a box; `factor` is exp(B_c - M). */
static void add_box(const front_boxes *b, const table *t, size_t c, double factor, sums *s) {
    const front_box *box = &b->box[c];
    double w[FRONT_OBJECTIVES], rest[FRONT_OBJECTIVES];
    for (size_t k = 0; k < b->m; k++) w[k] = -expm1(t->at[k][box->high[k]].G - t->at[k][box->low[k]].G);
    s->value += factor * products(b->m, w, rest);
    for (size_t k = 0; k < b->m; k++) {
        const level_value *low = &t->at[k][box->low[k]], *high = &t->at[k][box->high[k]];
        s->Q[k] += factor * rest[k] * (low->Q - (1 - w[k]) * high->Q);
        s->phi[k] += factor * rest[k] * (low->phi - (1 - w[k]) * high->phi);
    }
}

/* Divided by exp(M); returns M. */
static double sum_logs(const front_boxes *b, const table *t, sums *s) {
    double top = -INFINITY;
    for (size_t c = 0; c < b->boxes; c++) top = fmax(top, log_bound(b, t, c));
    *s = (sums){0};
    for (size_t c = 0; c < b->boxes; c++) {
        double below = log_bound(b, t, c) - top;
        if (below > least_log) add_box(b, t, c, exp(below), s);
    }
    return top;
}

/* ---- both -------------------------------------------------------------------------------------- */

/* log (x sd_0 ... sd_{m-1}) by mantissas and exponents: a sum of logs that cancel would lose their size in roundings.
 */
static double log_product(double x, size_t m, const double *sd) {
    int exponent, sum;
    x = frexp(x, &sum);
    for (size_t k = 0; k < m; k++) {
        x = frexp(x * sd[k], &exponent);
        sum += exponent;
    }
    return log(x) + LOG_2 * sum;
}

static double finite_slope(double x) { return fmin(fmax(x, -DBL_MAX), DBL_MAX); }

double ehvi_log(const front_boxes *b, const double *mu, const double *sd, double *dmu, double *dsd) {
    table t;
    double top = 0;
    for (size_t k = 0; k < b->m; k++) t.sd[k] = fmax(sd[k], least_sd);
    double least = least_plain * fill_plain(b, mu, &t);
    sums s = sum_plain(b, &t);
    if (!(s.value > least && s.value < INFINITY)) {
        fill_logs(b, mu, &t);
        top = sum_logs(b, &t, &s);
    }
    for (size_t k = 0; k < b->m; k++) {
        if (dmu) dmu[k] = finite_slope(s.Q[k] / s.value / t.sd[k]);
        if (dsd) dsd[k] = sd[k] < least_sd ? 0 : finite_slope(s.phi[k] / s.value / t.sd[k]);
    }
    return top + log_product(s.value, b->m, t.sd);
}
