/* scaling.c - affine, log, logit and Box-Cox scales of the outputs. Layer: core. Cost: O(1) a value, the choice of a
 * power 41 n. */
#include "scaling.h"

#include <float.h>
#include <math.h>

int scaling_is_affine(const scaling *s) { return !warp_is_set(&s->bend); }

int scaling_is_box_cox(const scaling *s) { return warp_is_set(&s->bend) && !warp_is_natural(&s->bend); }

double scaling_natural(const scaling *s, double value) {
    return warp_is_natural(&s->bend) ? warp_at(&s->bend, value) : value;
}

double scaling_unnatural(const scaling *s, double w) {
    return warp_is_natural(&s->bend) ? warp_inverse(&s->bend, w) : w;
}

scaling scaling_rest(const scaling *s) {
    return warp_is_natural(&s->bend) ? (scaling){.sign = s->sign, .shift = s->shift, .spread = s->spread} : *s;
}

/* Halves: the difference of two finite values may be infinite. */
double scaling_in(const scaling *s, double value) {
    if (scaling_is_box_cox(s)) return -(warp_at(&s->bend, value) - s->shift) / s->spread;
    return s->sign * ((scaling_natural(s, value) / 2 - s->shift / 2) / (s->spread / 2));
}

double scaling_centre(const scaling *s, double z) {
    return scaling_is_box_cox(s) ? s->shift - z * s->spread : s->shift + s->sign * z * s->spread;
}

double scaling_out(const scaling *s, double z) {
    double centre = scaling_centre(s, z);
    return scaling_is_affine(s) ? centre : warp_inverse(&s->bend, centre);
}

double scaling_sd_in(const scaling *s, double value, double sd) {
    return (scaling_is_affine(s) ? sd : sd * warp_slope(&s->bend, value)) / s->spread;
}

double scaling_slope(const scaling *s, double value) { return scaling_sd_in(s, value, 1); }

double scaling_sd_out(const scaling *s, double mu, double sd) {
    if (scaling_is_affine(s)) return sd * s->spread;
    return warp_sd(&s->bend, scaling_centre(s, mu), sd * s->spread);
}

scaling scaling_restore(double sign, double shift, double spread, warp bend) {
    return (scaling){sign, shift, spread, warp_is_set(&bend) ? bend : (warp){0, 0, 0, 0}};
}

warp scaling_bend(const scaling *s) {
    const double none = (double)NAN;
    return scaling_is_affine(s) ? (warp){none, none, none, none} : s->bend;
}

int scaling_is_valid(const scaling *s) {
    int bent = !scaling_is_affine(s);
    return isfinite(s->shift) && s->spread > 0 && isfinite(s->spread) && (!bent || warp_is_valid(&s->bend));
}

scaling scaling_robust(scaling plain, size_t n, const double *losses) {
    if (n == 0) return plain;
    double limit = 3 * ((losses[3 * (n - 1) / 4] - losses[(n - 1) / 4]) / 1.349);
    if (!(limit >= DBL_MIN) || plain.spread <= limit) return plain;
    plain.shift = -plain.sign * losses[(n - 1) / 2];
    plain.spread = limit;
    return plain;
}

/* Log likelihood of the losses if B of them are independent normal numbers, up to a constant; s gets their mean and
 * standard deviation. */
static double likelihood(scaling *s, size_t n, const double *losses) {
    double mean = 0, square = 0, slopes = 0;
    for (size_t i = 0; i < n; i++) {
        double y = -s->sign * losses[i], t = warp_at(&s->bend, y), step = t - mean;
        mean += step / (double)(i + 1);
        square += step * (t - mean);
        slopes += log(warp_slope(&s->bend, y));
    }
    s->shift = mean;
    s->spread = sqrt(square / (double)(n - 1));
    return slopes - (double)n * log(s->spread);
}

int scaling_box_cox(scaling *s, double sign, size_t n, const double *losses) {
    enum { STEPS = 20 };
    if (n < 2) return 0;
    double low = losses[0], offset = low - (losses[(n - 1) / 4] - low) / 10, most = -INFINITY;
    scaling try = {.sign = sign, .bend = {0, -sign * offset, -sign * low, -sign * losses[n - 1]}}, best = try;
    if (!warp_is_set(&try.bend) || !warp_is_valid(&try.bend)) return 0;
    for (int k = -STEPS; k <= STEPS; k++) {
        try.bend.power = (double)k / STEPS;
        double value = likelihood(&try, n, losses);
        if (!(value > most) || !(try.spread > 0)) continue;
        most = value;
        best = try;
    }
    if (!isfinite(most) || !isfinite(best.shift) || !isfinite(best.spread)) return 0;
    *s = best;
    return 1;
}
