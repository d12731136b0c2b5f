/* law_mean.c - averages of phi, Q and G over an interval: the law of a uniform plus a normal variable.
 *
 * Each is a difference of the next tail integral over the length of the interval,
 *
 *     mean phi = (Q1 - Q2)/2d,   mean Q = (G1 - G2)/2d,   mean G = (H1 - H2)/2d,
 *
 * which cancels when the interval is short; then the Taylor series about its centre is summed, whose
 * terms are Hermite polynomials. Left of 0 everything is reflected, so that only tails are subtracted.
 *
 * Layer: core, below the law. Cost: two evaluations of the tail integrals, 50 to 150 ns. */
#include "law_parts.h"
#include "normal.h"

#include <math.h>

/* Beyond this the exponential is taken out. */
static const double far_right = 5;

/* With a_n = He_n(c) d^n / n!, (n+1) a_{n+1} = c d a_n - d^2 a_{n-1}:
 *   mean phi = phi sum a_2k/(2k+1),          mean Q = Q + phi d sum a_2k-1/(2k (2k+1)),
 *   mean G = G + phi d^2 sum a_2k/((2k+1)(2k+2)(2k+3)), and the derivatives by d term by term. */
static law_means by_series(double c, double d) {
    normal_ratios at = normal_scaled(c);
    double even = 1, odd = c * d, dd = d * d;
    double phi = 0, Q = 0, G = 0, Qd = 0, Gd = 0;
    for (double n = 0; n < 40; n += 2) {
        phi += even / (n + 1);
        G += even / ((n + 1) * (n + 2) * (n + 3));
        Gd += even / ((n + 1) * (n + 3));
        Q += odd / ((n + 2) * (n + 3));
        Qd += odd / (n + 3);
        even = (c * d * odd - dd * even) / (n + 2);
        odd = (c * d * even - dd * odd) / (n + 3);
        if (fabs(even) + fabs(odd) < 1e-17) break;
    }
    law_means m = {0, phi, c * phi - d * Qd, at.Q + d * Q, Qd, at.G + dd * G, d * Gd};
    if (c > far_right) {
        m.L = normal_log_pdf(c);
        return m;
    }
    double scale = normal_pdf(c);
    m.phi *= scale, m.uphi *= scale, m.Q *= scale, m.Qd *= scale, m.G *= scale, m.Gd *= scale;
    return m;
}

/* Tail integrals at u times exp(-L). */
static void tails_at(double u, double L, double *phi, double *Q, double *G, double *H) {
    normal_ratios x = normal_scaled(fabs(u));
    double e = L == 0 ? normal_pdf(u) : exp(normal_log_pdf(u) - L);
    *phi = e;
    *Q = e * x.Q, *G = e * x.G, *H = e * x.H;
    if (u < 0) *Q = 1 - *Q, *G -= u, *H = 0.5 * (u * u + 1) - *H;
}

static law_means by_difference(double d, double u1, double u2) {
    law_means m;
    double phi1, Q1, G1, H1, phi2, Q2, G2, H2;
    m.L = u1 > far_right ? normal_log_pdf(u1) : 0;
    tails_at(u1, m.L, &phi1, &Q1, &G1, &H1);
    tails_at(u2, m.L, &phi2, &Q2, &G2, &H2);
    double scale = 0.5 / d;
    m.phi = scale * (Q1 - Q2);
    m.uphi = scale * (phi1 - phi2);
    m.Q = scale * (G1 - G2);
    m.G = scale * (H1 - H2);
    m.Qd = (0.5 * (Q1 + Q2) - m.Q) / d;
    m.Gd = (0.5 * (G1 + G2) - m.G) / d;
    return m;
}

law_means law_mean_ends(double c, double d, double u1, double u2) {
    if (c < 0) { /* Q(u) = 1 - Q(-u), G(u) = G(-u) - u */
        law_means m = law_mean_ends(-c, d, -u2, -u1);
        double e = m.L == 0 ? 1 : exp(m.L);
        law_means left = {0, e * m.phi, -e * m.uphi, 1 - e * m.Q, -e * m.Qd, e * m.G - c, e * m.Gd};
        return left;
    }
    return d * (1 + c) < 0.5 ? by_series(c, d) : by_difference(d, u1, u2);
}

law_means law_mean(double c, double d) { return law_mean_ends(c, d, c - d, c + d); }
