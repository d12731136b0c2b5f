/* rate.c - the mean rate of a faded link among faded interferers, exactly. With S and I_b
 * exponential of means p_s and p_b, and the identity
 * ln(1 + S/J) = int_0^inf e^{-zJ} (1 - e^{-zS}) dz/z:
 *
 *   E log2(1 + S/(I + N)) = (1/ln 2) int_0^inf e^{-zN} p_s/(1 + z p_s) prod_b 1/(1 + z p_b) dz
 *
 * The means span dozens of decades, so the integral is taken over s = ln z, where the integrand is
 * unimodal and analytic about the real line: the trapezoid rule converges exponentially in the
 * inverse of its step.
 * On the left it falls only like e^s; s = t - e^{-t} turns that into a double exponential.
 * Layer: problems. Cost: 30 to 80 nodes of `count` products each; about 2 us for 9 stations. */
#include "radio.h"

#include <math.h>

#define STEP 0.3125      /* in t; the noise limits the strip to pi/2: error e^{-pi^2/STEP} */
#define FIRST (-3.375)   /* the first node: what lies below is less than 1e-13 of the whole */
#define MARGIN 1.25      /* t - e^{-t} at which z is one over the sum of all means and the noise */
#define NEGLIGIBLE 1e-13 /* of the sum so far: the first falling term as small as this ends it */
#define LAST_UNIT 1e200  /* of z times that sum: what is weaker by as much does not count */

/* z times the integrand. */
static double integrand(size_t count, const double *power, double noise, double z) {
    double product = 1;
    for (size_t b = 0; b < count; b++) product *= 1 + z * power[b];
    return z * power[0] * exp(-z * noise) / product;
}

/* The sum of the means and the noise; NAN if one of them is not a number from 0 up. */
static double total(size_t count, const double *power, double noise) {
    double sum = noise;
    int valid = noise >= 0;
    for (size_t b = 0; b < count; b++) {
        sum += power[b];
        valid = valid && power[b] >= 0;
    }
    return valid && isfinite(sum) ? sum : NAN;
}

double radio_mean_rate(size_t count, const double *power, double noise) {
    double all = total(count, power, noise), sum = 0, before = 0;
    if (isnan(all)) return NAN;
    if (count == 0 || power[0] == 0) return 0;
    for (double t = FIRST;; t += STEP) {
        double fold = exp(-t), unit = exp(t - fold - MARGIN);
        if (unit > LAST_UNIT) return sum > 0 ? INFINITY : 0; /* nothing against it; or lost */
        double term = (1 + fold) * integrand(count, power, noise, unit / all);
        sum += term;
        if (term < before && term < NEGLIGIBLE * sum) return STEP * sum / log(2);
        before = term;
    }
}
