/* bvn.c - upper orthant probability of the bivariate standard normal.
 *
 * Plackett's identity, dP/dr = density at (h, k), integrated over the angle asin(r) from
 * independence (Drezner and Wesolowsky 1990); near |r| = 1 from complete dependence, with the
 * singular part of the integrand taken out and integrated by hand (Genz 2004).
 *
 * Layer: core, below the law. Cost: 6, 12 or 20 exponentials. */
#include "bvn.h"

#include "normal.h"

#include <math.h>
#include <stddef.h>

#define TWO_PI 6.28318530717958647693
#define SQRT_2PI 2.50662827463100050242

typedef struct node {
    double x, w;
} node;

/* Gauss-Legendre on [-1, 1], the positive half. */
static const node rule6[] = {{0.93246951420315202781, 0.17132449237917034504},
                             {0.66120938646626451366, 0.36076157304813860757},
                             {0.23861918608319690863, 0.46791393457269104739}};
static const node rule12[] = {
    {0.98156063424671925069, 0.047175336386511827195}, {0.90411725637047485668, 0.10693932599531843096},
    {0.76990267419430468704, 0.16007832854334622633},  {0.5873179542866174473, 0.20316742672306592175},
    {0.36783149899818019375, 0.23349253653835480876},  {0.12523340851146891547, 0.249147045813402785}};
static const node rule20[] = {
    {0.99312859918509492479, 0.017614007139152118312}, {0.96397192727791379127, 0.040601429800386941331},
    {0.91223442825132590587, 0.06267204833410906357},  {0.83911697182221882339, 0.083276741576704748725},
    {0.74633190646015079261, 0.10193011981724043504},  {0.63605368072651502545, 0.11819453196151841731},
    {0.510867001950827098, 0.1316886384491766269},     {0.37370608871541956067, 0.14209610931838205133},
    {0.22778585114164507808, 0.14917298647260374679},  {0.076526521133497333755, 0.1527533871307258507}};

/* P - Q(h) Q(k) = (1/2 pi) integral_0^asin(r) exp(-(h^2 + k^2 - 2 h k sin t)/(2 cos^2 t)) dt */
static double from_independence(double h, double k, double r) {
    const node *rule = rule20;
    size_t n = sizeof rule20 / sizeof *rule20;
    if (fabs(r) < 0.3) {
        rule = rule6;
        n = sizeof rule6 / sizeof *rule6;
    } else if (fabs(r) < 0.75) {
        rule = rule12;
        n = sizeof rule12 / sizeof *rule12;
    }
    double half = 0.5 * asin(r), hk = h * k, hs = 0.5 * (h * h + k * k), sum = 0;
    for (size_t i = 0; i < n; ++i) {
        double s1 = sin(half * (1 - rule[i].x)), s2 = sin(half * (1 + rule[i].x));
        sum += rule[i].w * (exp((s1 * hk - hs) / (1 - s1 * s1)) + exp((s2 * hk - hs) / (1 - s2 * s2)));
    }
    return normal_sf(h) * normal_sf(k) + half * sum / TWO_PI;
}

/* P at r = 1 minus P at r > 0, as an integral over s = sqrt(1 - rho^2) from 0 to rr. The integrand
 * is exp(-(h-k)^2/(2 s^2) - hk/(1 + rho))/rho; its expansion 1 + c s^2 + c d s^4 of the smooth
 * factor is integrated in closed form, what remains by quadrature. */
static double from_dependence(double h, double k, double rr) {
    double hk = h * k, bs = (h - k) * (h - k), as = rr * rr;
    double c = (4 - hk) / 8, d = (12 - hk) / 16, sum = 0;
    double e = -0.5 * (bs / as + hk);
    if (e > -100) sum = rr * exp(e) * (1 - c * (bs - as) * (1 - d * bs / 5) / 3 + c * d * as * as / 5);
    if (hk > -100) {
        double b = sqrt(bs);
        sum -= exp(-0.5 * hk) * SQRT_2PI * normal_sf(b / rr) * b * (1 - c * bs * (1 - d * bs / 5) / 3);
    }
    double half = 0.5 * rr;
    for (size_t i = 0; i < 2 * (sizeof rule20 / sizeof *rule20); ++i) {
        const node *p = &rule20[i / 2];
        double s = half * (1 + (i % 2 ? p->x : -p->x)), ss = s * s;
        e = -0.5 * (bs / ss + hk);
        if (e <= -100) continue;
        double rho = sqrt(1 - ss);
        double whole = exp(-0.5 * hk * ss / ((1 + rho) * (1 + rho))) / rho;
        sum += half * p->w * exp(e) * (whole - (1 + c * ss * (1 + d * ss)));
    }
    return sum / TWO_PI;
}

double bvn_upper_rr(double h, double k, double r, double rr) {
    if (h == INFINITY || k == INFINITY) return 0;
    if (h == -INFINITY) return normal_sf(k);
    if (k == -INFINITY) return normal_sf(h);
    double p;
    if (fabs(r) < 0.925) {
        p = from_independence(h, k, r);
    } else if (r > 0) {
        p = normal_sf(fmax(h, k)) - (rr > 0 ? from_dependence(h, k, rr) : 0);
    } else {
        /* P(Z > h, W > k; r) = P(Z > h) - P(Z > h, -W > -k; -r), the smaller way round */
        p = rr > 0 ? from_dependence(h, -k, rr) : 0;
        if (h < -k) p += h < 0 ? normal_cdf(-k) - normal_cdf(h) : normal_sf(h) - normal_sf(-k);
    }
    return fmin(fmax(p, 0), 1);
}

double bvn_upper(double h, double k, double r) { return bvn_upper_rr(h, k, r, sqrt((1 - r) * (1 + r))); }
