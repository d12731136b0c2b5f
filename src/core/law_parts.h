/* law_parts.h - what the files of the law share. */
#ifndef LAW_PARTS_H
#define LAW_PARTS_H

#include "law.h"

/* Floors under which v and rr are taken to be these: so small that no double tells the difference,
 * so large that squares of h and of h/rr stay finite. They make v = 0 and s2 = 0 ordinary cases. */
#define LAW_V_MIN 1e-140
#define LAW_RR_MIN 1e-60

/* Where EI (PI) is exactly 0 its log continues from here, falling linearly in `best`. */
#define LAW_LOG_ZERO (-1000.0)

/* Averages over u in [c-d, c+d] of phi, u phi, Q and G, and those weighted towards one end: with t
 * running from 1 at the lower to -1 at the upper end, u = c - d t,
 *   Ql, Qu = mean (1 -+ t) phi(u),   Gl, Gu = mean (1 -+ t) Q(u).
 * Each times exp(-L); L = 0 unless the interval lies so far right that exp(L) would hide them. */
typedef struct law_means {
    double L, phi, uphi, Q, G, Ql, Qu, Gl, Gu;
} law_means;
law_means law_mean(double c, double d);
/* The same with the ends u1 = c-d and u2 = c+d as the caller knows them. */
law_means law_mean_ends(double c, double d, double u1, double u2);

/* A LAW_SET in standard form: Z = (f - mu)/sd = r z' + rr e. */
typedef struct law_std {
    double sd, sy, r, rr;
    double ql, qu, tail_mass;
    double accuracy; /* relative, of E and P: decides when the closed form of the tails will do */
} law_std;

/* Functionals of Z at h, each times exp(-L): E = E(Z-h)_+, P = P(Z>h) and the density p at h; the
 * first moments of z' and e over {Z > h} (z, e) and over {Z = h} (zp, ep), through which E and P
 * depend on r and rr; derivatives of E and P by ql and qu. */
typedef struct law_moments {
    double L, E, P, p, z, e, zp, ep, El, Eu, Pl, Pu;
} law_moments;

/* total += weight * part, on the larger of the two scales. */
void law_moments_add(law_moments *total, double weight, const law_moments *part);

/* (x - r y)/rr. Near r = 1 the small difference is x - y and what r lacks of 1, rr^2/(1 + r). */
static inline double law_offset(double x, double y, double r, double rr) {
    return r < 0.5 ? (x - r * y) / rr : (x - y) / rr + y * (rr / (1 + r));
}

law_std law_standardise(const law *l);
/* f = mu + alpha z' + beta e: the derivatives by mu, v and s2 of a functional whose weights are
 * `one`, `z` and `e`. */
void law_chain(const law_std *s, double one, double z, double e, law_grad *grad);
law_moments law_set_moments(const law_std *s, double h);
/* The unnormalised law N(0,1) restricted to z' > qu and z' < ql. `inside` is the contribution of
 * the rest of the law, against which the accuracy that is needed is judged; `weight` multiplies the
 * tails. */
law_moments law_tail_moments(const law_std *s, double h, double weight, const law_moments *inside);

double law_set_pdf(const law *l, double f);
double law_set_cdf(const law *l, double f);
double law_set_quantile(const law *l, double p, law_grad *grad);

/* LAW_QUANTILE */
double law_steps_pdf(const law *l, double f);
double law_steps_cdf(const law *l, double f);
double law_steps_quantile(const law *l, double p, law_grad *grad);
double law_steps_ei(const law *l, double best, law_grad *grad);
double law_steps_pi(const law *l, double best, law_grad *grad);
/* The top of the support. */
double law_steps_upper(const law *l, law_grad *grad);

#endif
