/* normal.c - the standard normal law and its repeated tail integrals.
 *
 * With I_{-1} = phi, I_0 = Q, I_1 = G, I_2 = H and I_n the tail integral of I_{n-1},
 *
 *     n I_n(u) = I_{n-2}(u) - u I_{n-1}(u).
 *
 * Forward, the recurrence cancels for large u; for the ratios rho_n = I_n / I_{n-1} it reads
 * rho_{n-1} = 1 / (u + n rho_n), a continued fraction of positive terms that is run backward.
 * Negative arguments go through Q(u) + Q(-u) = 1, G(u) - G(-u) = -u, H(u) + H(-u) = (u^2 + 1)/2.
 *
 * Layer: core, below the law. Cost: 10 to 100 ns per call. */
#include "normal.h"

#include <cerf.h>
#include <math.h>

#define SQRT_HALF 0.70710678118654752440
#define SQRT_2PI 2.50662827463100050242
#define SQRT_HALF_PI 1.25331413731550025121
#define LOG_SQRT_2PI 0.91893853320467274178
#define INV_SQRT_2PI 0.39894228040143267794

double normal_pdf(double u) { return INV_SQRT_2PI * exp(-0.5 * u * u); }
double normal_log_pdf(double u) { return -0.5 * u * u - LOG_SQRT_2PI; }
double normal_sf(double u) { return 0.5 * erfc(SQRT_HALF * u); }
double normal_cdf(double u) { return 0.5 * erfc(-SQRT_HALF * u); }

/* The continued fraction, started at a depth where the guess of its tail (the positive root of
 * n rho^2 + u rho = 1) leaves an error below 1e-16. Between, rho is the fraction over / under: products are several
 * times as fast as divisions, and stay below 1e60 for u < 30. */
static normal_ratios ratios_by_fraction(double u) {
    int depth = u < 4 ? 48 : u < 6 ? 33 : u < 10 ? 21 : u < 30 ? 13 : u < 1000 ? 7 : 4;
    double n = depth + 1;
    double rho = 2 / (u + sqrt(u * u + 4 * n));
    if (u < 30) {
        double over = rho, under = 1;
        for (int i = depth; i >= 3; --i) {
            double next = u * under + i * over;
            over = under;
            under = next;
        }
        rho = over / under;
    } else {
        for (int i = depth; i >= 3; --i) rho = 1 / (u + i * rho);
    } /* rho is now rho_2 */
    double rho1 = 1 / (u + 2 * rho);
    double rho0 = 1 / (u + rho1);
    normal_ratios x = {rho0, rho0 * rho1, rho0 * rho1 * rho};
    return x;
}

/* For u < 3 the plain recurrence loses at most u^4 roundings, 1e-14. */
normal_ratios normal_scaled(double u) {
    if (u >= 3) return ratios_by_fraction(u);
    normal_ratios x;
    x.Q = SQRT_HALF_PI * erfcx(SQRT_HALF * u);
    x.G = 1 - u * x.Q;
    x.H = 0.5 * (x.Q - u * x.G);
    return x;
}

double normal_mills(double u) { return SQRT_HALF_PI * erfcx(SQRT_HALF * u); }

double normal_G(double u) {
    if (u < 0) return normal_G(-u) - u;
    return normal_pdf(u) * normal_scaled(u).G;
}

double normal_H(double u) {
    if (u < 0) return 0.5 * (u * u + 1) - normal_H(-u);
    return normal_pdf(u) * normal_scaled(u).H;
}

double normal_log_sf(double u) {
    if (u < 0) return log1p(-normal_sf(-u));
    return normal_log_pdf(u) + log(normal_scaled(u).Q);
}

double normal_log_G(double u) {
    if (u < 0) return log(normal_G(u));
    return normal_log_pdf(u) + log(normal_scaled(u).G);
}

double normal_log_H(double u) {
    if (u < -1e150) return 2 * log(-u) - log(2); /* u^2 would overflow */
    if (u < 0) return log(normal_H(u));
    return normal_log_pdf(u) + log(normal_scaled(u).H);
}

/* Q^{-1}(p) for 0 < p < 1/4: Hastings' rational guess (error below 5e-4; Abramowitz and Stegun
 * 26.2.23), then Newton on log Q, whose curvature is small, with Halley's correction. */
static double isf_tail(double p) {
    double log_p = log(p), t = sqrt(-2 * log_p);
    double x = t - (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    for (int i = 0; i < 3; ++i) {
        double m = normal_scaled(x).Q;
        double excess = normal_log_pdf(x) + log(m) - log_p; /* log (Q(x)/p) */
        if (p > 1e-290) excess = log1p((normal_sf(x) - p) / p);
        double step = excess * m;
        x += step / (1 + 0.5 * excess * (1 - x * m));
        if (fabs(step) < 1e-6 * x) break; /* cubic: the next step would be below 1e-17 */
    }
    return x;
}

/* Q^{-1}(1/2 - y), |y| <= 1/4, from erf, so that it is accurate relative to its size near 0. */
static double isf_centre(double y) {
    double x = SQRT_2PI * y * (1 + 1.0471975511965976 * y * y); /* pi/3 */
    for (int i = 0; i < 4; ++i) {
        double d = (0.5 * erf(SQRT_HALF * x) - y) / normal_pdf(x);
        x -= d / (1 + 0.5 * x * d);
        if (fabs(d) < 1e-6 * fabs(x)) break;
    }
    return x;
}

double normal_isf(double p) {
    if (!(p >= 0 && p <= 1)) return NAN;
    if (p == 0) return INFINITY;
    if (p == 1) return -INFINITY;
    if (p < 0.25) return isf_tail(p);
    if (p > 0.75) return -isf_tail(1 - p);
    return isf_centre(0.5 - p);
}

double normal_quantile(double p) { return -normal_isf(p); }
