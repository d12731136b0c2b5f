/* law_mean.c - averages of phi, Q and G over an interval: the law of a uniform plus a normal
 * variable.
 *
 * Each is a difference of the next tail integral over the length of the interval,
 *
 *     mean phi = (Q1 - Q2)/2d,   mean Q = (G1 - G2)/2d,   mean G = (H1 - H2)/2d,
 *
 * which cancels when the interval is short; then the Taylor series about its centre is summed,
 * whose terms are Hermite polynomials. Left of 0 everything is reflected, so that only tails are
 * subtracted.
 *
 * Layer: core, below the law. Cost: two evaluations of the tail integrals, 50 to 150 ns. */
#include "law_parts.h"
#include "normal.h"

#include <math.h>

/* Beyond this the exponential is taken out. */
static const double far_right = 5;

/* With a_n = He_n(c) d^n / n!, (n+1) a_{n+1} = c d a_n - d^2 a_{n-1}:
 *   mean phi = phi sum a_2k/(2k+1),          mean Q = Q + phi d sum a_2k-1/(2k (2k+1)),
 *   mean G = G + phi d^2 sum a_2k/((2k+1)(2k+2)(2k+3)),
 * and mean t phi(c - d t), mean t Q(c - d t) are the derivatives by d of the last two. */
static law_means by_series(double c, double d) {
    normal_ratios at = normal_scaled(c);
    double even = 1, odd = c * d, dd = d * d;
    double phi = 0, Q = 0, G = 0, tphi = 0, tQ = 0;
    for (double n = 0; n < 40; n += 2) {
        phi += even / (n + 1);
        G += even / ((n + 1) * (n + 2) * (n + 3));
        tQ += even / ((n + 1) * (n + 3));
        Q += odd / ((n + 2) * (n + 3));
        tphi += odd / (n + 3);
        even = (c * d * odd - dd * even) / (n + 2);
        odd = (c * d * even - dd * odd) / (n + 3);
        if (fabs(even) + fabs(odd) < 1e-17) break;
    }
    double e = c > far_right ? 1 : normal_pdf(c);
    law_means m;
    m.L = c > far_right ? normal_log_pdf(c) : 0;
    m.phi = e * phi;
    m.uphi = e * (c * phi - d * tphi);
    m.Q = e * (at.Q + d * Q);
    m.G = e * (at.G + dd * G);
    m.Ql = e * (phi - tphi), m.Qu = e * (phi + tphi);
    m.Gl = m.Q - e * d * tQ, m.Gu = m.Q + e * d * tQ;
    return m;
}

/* phi and its tail integrals at one u, times exp(-L). */
typedef struct tails {
    double phi, Q, G, H;
} tails;

static tails tails_at(double u, double L) {
    normal_ratios x = normal_scaled(fabs(u));
    double e = L == 0 ? normal_pdf(u) : exp(normal_log_pdf(u) - L);
    tails t = {e, e * x.Q, e * x.G, e * x.H};
    if (u < 0) t.Q = 1 - t.Q, t.G -= u, t.H = 0.5 * (u * u + 1) - t.H;
    return t;
}

static law_means by_difference(double d, double u1, double u2) {
    law_means m;
    m.L = u1 > far_right ? normal_log_pdf(u1) : 0;
    tails a = tails_at(u1, m.L), b = tails_at(u2, m.L);
    double scale = 0.5 / d;
    m.phi = scale * (a.Q - b.Q);
    m.uphi = scale * (a.phi - b.phi);
    m.Q = scale * (a.G - b.G);
    m.G = scale * (a.H - b.H);
    m.Ql = (m.Q - b.Q) / d, m.Qu = (a.Q - m.Q) / d;
    m.Gl = (m.G - b.G) / d, m.Gu = (a.G - m.G) / d;
    return m;
}

/* Q(u) = 1 - Q(-u), G(u) = G(-u) - u; the ends change places. */
static law_means reflected(const law_means *m, double c) {
    double e = m->L == 0 ? 1 : exp(m->L);
    law_means x = {0,         e * m->phi, -e * m->uphi,  1 - e * m->Q, e * m->G - c,
                   e * m->Qu, e * m->Ql,  1 - e * m->Gu, 1 - e * m->Gl};
    return x;
}

law_means law_mean_ends(double c, double d, double u1, double u2) {
    if (c < 0) {
        law_means m = law_mean_ends(-c, d, -u2, -u1);
        return reflected(&m, c);
    }
    return d * (1 + c) < 0.5 ? by_series(c, d) : by_difference(d, u1, u2);
}

law_means law_mean(double c, double d) { return law_mean_ends(c, d, c - d, c + d); }
