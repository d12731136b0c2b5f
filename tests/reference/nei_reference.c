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

long double nei_reference_ei(long double mean, long double v, long double best) {
    long double sd = sqrtl(v), u = (mean - best) / sd, pi = acosl(-1);
    return sd * (expl(-u * u / 2) / sqrtl(2 * pi) + u * erfcl(-u / sqrtl(2)) / 2);
}

/* Values at the points given the draw e, and mean and variance of f(x) given these. */
static void condition(size_t n, const double *mu, const double *cov, const long double *F, const long double *inverse,
                      const double *e, nei_reference_given *g) {
    size_t all = n + 1;
    g->mean = mu[n];
    g->v = cov[n * all + n];
    for (size_t j = 0; j < n; j++) {
        long double above = 0, weight = 0; /* f_j - mu_j; its weight in f(x) */
        for (size_t k = 0; k <= j; k++) above += F[j * n + k] * e[k];
        for (size_t k = 0; k < n; k++) weight += cov[n * all + k] * inverse[k * n + j];
        g->mean += weight * above;
        g->v -= weight * cov[j * all + n];
        g->value[j] = mu[j] + above;
    }
}

void nei_reference_condition(size_t n, const double *mu, const double *cov, size_t draws, const double *draw,
                             size_t stride, nei_reference_given *given) {
    long double log_det, *F = leading(n, n + 1, cov), *inverse = gp_reference_invert(n, F, &log_det);
    factor(n, F);
    for (size_t s = 0; s < draws; s++) condition(n, mu, cov, F, inverse, draw + s * stride, &given[s]);
    free(inverse);
    free(F);
}

double nei_reference_log(size_t n, const double *mu, const double *cov, size_t draws, const double *draw, size_t stride,
                         double *left) {
    nei_reference_given *given = calloc(draws, sizeof *given);
    long double sum = 0;
    if (!given) abort();
    nei_reference_condition(n, mu, cov, draws, draw, stride, given);
    for (size_t s = 0; s < draws; s++) {
        long double best = -INFINITY;
        for (size_t j = 0; j < n; j++) best = fmaxl(best, given[s].value[j]);
        sum += nei_reference_ei(given[s].mean, given[s].v, best);
        *left = (double)given[s].v;
    }
    free(given);
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
