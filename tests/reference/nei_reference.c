/* nei_reference.c - see the header. */
#include "nei_reference.h"

#include <math.h>
#include <stdlib.h>

#include "gp_reference.h"

/* The leading n x n part of an array with `stride` columns. */
static long double *leading(size_t n, size_t stride, const double *cov) {
    long double *a = calloc(n * n + 1, sizeof *a);
    if (!a) abort();
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) a[i * n + j] = cov[i * stride + j];
    return a;
}

/* Lower factor of a positive definite matrix, in place, row by row. A variance of 0 gives a row of 0. */
static void factor(size_t n, long double *a) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            long double sum = a[i * n + j];
            for (size_t k = 0; k < j && k < i; k++) sum -= a[i * n + k] * a[j * n + k];
            if (j < i) a[i * n + j] = a[j * n + j] > 0 ? sum / a[j * n + j] : 0;
            if (j == i) a[i * n + j] = sum > 0 ? sqrtl(sum) : 0;
            if (j > i) a[i * n + j] = 0;
        }
}

/* E (N(mean, v) - best)_+ */
static long double expected_improvement(long double mean, long double v, long double best) {
    long double sd = sqrtl(v), u = (mean - best) / sd, pi = acosl(-1);
    return sd * (expl(-u * u / 2) / sqrtl(2 * pi) + u * erfcl(-u / sqrtl(2)) / 2);
}

double nei_reference_log(size_t n, const double *mu, const double *cov, size_t draws, const double *draw, size_t stride,
                         double *left) {
    size_t all = n + 1;
    long double log_det, *F = leading(n, all, cov), sum = 0;
    long double *inverse = gp_reference_invert(n, F, &log_det);
    factor(n, F);
    for (size_t s = 0; s < draws; s++) {
        long double mean = mu[n], v = cov[n * all + n], best = -INFINITY;
        for (size_t j = 0; j < n; j++) {
            long double above = 0, weight = 0; /* f_j - mu_j; its weight in f(x) */
            for (size_t k = 0; k <= j; k++) above += F[j * n + k] * draw[s * stride + k];
            for (size_t k = 0; k < n; k++) weight += cov[n * all + k] * inverse[k * n + j];
            mean += weight * above;
            v -= weight * cov[j * all + n];
            best = fmaxl(best, mu[j] + above);
        }
        sum += expected_improvement(mean, v, best);
        *left = (double)v;
    }
    free(inverse);
    free(F);
    return (double)logl(sum / (long double)draws);
}

double nei_reference_monte_carlo(size_t n, const double *mu, const double *cov, size_t draws, rng *stream,
                                 double *error) {
    size_t all = n + 1;
    long double *wide = leading(all, all, cov);
    double *F = calloc(all * all, sizeof *F), *e = calloc(all, sizeof *e), sum = 0, squares = 0;
    if (!F || !e) abort();
    factor(all, wide);
    for (size_t i = 0; i < all * all; i++) F[i] = (double)wide[i];
    for (size_t s = 0; s < draws; s++) {
        double best = -INFINITY, f = 0;
        for (size_t j = 0; j < all; j++) {
            e[j] = rng_normal(stream);
            f = mu[j];
            for (size_t k = 0; k <= j; k++) f += F[j * all + k] * e[k];
            if (j < n) best = fmax(best, f);
        }
        double gain = fmax(0, f - best);
        sum += gain;
        squares += gain * gain;
    }
    free(wide);
    free(F);
    free(e);
    double mean = sum / (double)draws;
    *error = sqrt((squares / (double)draws - mean * mean) / (double)draws);
    return mean;
}
