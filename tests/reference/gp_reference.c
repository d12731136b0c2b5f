/* gp_reference.c - see the header. C is formed entry by entry and inverted by Gauss-Jordan
 * elimination. */
#include "gp_reference.h"

#include <math.h>
#include <stdlib.h>

/* What f fades by at x, from 1 at h = 0 to exp(-fade) at h = 1. */
static long double faded(const gp_spec *spec, const double *theta, const double *x) {
    if (!spec->trend) return 1;
    long double h = fminl(fmaxl(1 - (long double)x[spec->trend - 1], 0), 1);
    return 1 - (1 - expl(-expl(theta[spec->lengths]))) * (expl(3 * h) - 1) / (expl(3) - 1);
}

static long double signal_of(const gp_spec *spec, const double *theta) {
    return expl(theta[spec->lengths + (spec->trend != 0)]);
}

static long double correlation(const gp_spec *spec, const double *theta, const double *a, const double *b) {
    long double r2 = 0;
    for (size_t c = 0; c < spec->columns; c++) {
        long double u = ((long double)a[c] - b[c]) / expl(theta[spec->group[c]]);
        r2 += u * u;
    }
    long double s;
    switch (spec->family) {
    case LOCBO_KERNEL_MATERN52:
        s = sqrtl(5 * r2);
        return (1 + s + s * s / 3) * expl(-s);
    case LOCBO_KERNEL_MATERN32:
        s = sqrtl(3 * r2);
        return (1 + s) * expl(-s);
    default:
        return expl(-r2 / 2);
    }
}

long double gp_reference_correlation(const gp_spec *spec, const double *theta, const double *a, const double *b) {
    return faded(spec, theta, a) * correlation(spec, theta, a, b) * faded(spec, theta, b);
}

long double *gp_reference_invert(size_t n, const long double *matrix, long double *log_det) {
    long double *a = calloc(n * n + 1, sizeof *a), *b = calloc(n * n + 1, sizeof *b);
    if (!a || !b) abort();
    for (size_t i = 0; i < n * n; i++) a[i] = matrix[i];
    for (size_t i = 0; i < n; i++) b[i * n + i] = 1;
    *log_det = 0;
    for (size_t p = 0; p < n; p++) {
        long double pivot = a[p * n + p];
        *log_det += logl(pivot);
        for (size_t j = 0; j < n; j++) a[p * n + j] /= pivot, b[p * n + j] /= pivot;
        for (size_t i = 0; i < n; i++) {
            long double factor = a[i * n + p];
            if (i == p || factor == 0) continue;
            for (size_t j = 0; j < n; j++) {
                a[i * n + j] -= factor * a[p * n + j];
                b[i * n + j] -= factor * b[p * n + j];
            }
        }
    }
    free(a);
    return b;
}

static const double *row_of(const gp_spec *spec, const gp_data *data, const double *x_pending, size_t i) {
    return i < data->n ? data->x + i * spec->columns : x_pending + (i - data->n) * spec->columns;
}

/* The covariance of the outputs of all rows, data first. */
static long double *covariance(const gp_spec *spec, const double *theta, const gp_data *data, double jitter,
                               size_t pending, const double *x_pending) {
    size_t rows = data->n + pending;
    long double signal = signal_of(spec, theta), noise = expl(theta[spec->lengths + 1 + (spec->trend != 0)]);
    long double *c = calloc(rows * rows + 1, sizeof *c);
    if (!c) abort();
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < rows; j++) {
            const double *a = row_of(spec, data, x_pending, i);
            const double *b = row_of(spec, data, x_pending, j);
            c[i * rows + j] = signal * gp_reference_correlation(spec, theta, a, b);
            if (i != j) continue;
            c[i * rows + i] += signal * jitter;
            c[i * rows + i] += i < data->n ? noise * data->scale[i] + data->extra[i] : noise;
        }
    return c;
}

/* The mean: a constant and, with a trend, powers 1, 2, 4, 8 along a column. */
typedef struct mean_terms {
    long double b[5];
} mean_terms;
static const long double mean_precision[5] = {1, 0.01L, 0.01L, 0.01L, 0.01L};

static long double term(const gp_spec *spec, const double *x, size_t k) {
    if (k == 0) return spec->estimate_mean;
    return spec->trend ? powl(fminl(fmaxl(1 - (long double)x[spec->trend - 1], 0), 1), (long double)(1 << (k - 1))) : 0;
}

static long double mean_at(const gp_spec *spec, const mean_terms *m, const double *x) {
    long double sum = 0;
    for (size_t k = 0; k < 5; k++) sum += m->b[k] * term(spec, x, k);
    return sum;
}

/* (H'C^-1 H + prior) b = H'C^-1 y, by elimination. */
static mean_terms find_mean(const gp_spec *spec, const gp_data *data, const long double *inverse) {
    long double A[5][6] = {{0}};
    mean_terms found;
    size_t d = spec->columns, n = data->n;
    for (size_t k = 0; k < 5; k++) {
        A[k][k] = mean_precision[k];
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) {
                long double left = term(spec, data->x + i * d, k) * inverse[i * n + j];
                for (size_t l = 0; l < 5; l++) A[k][l] += left * term(spec, data->x + j * d, l);
                A[k][5] += left * data->y[j];
            }
    }
    for (size_t p = 0; p < 5; p++)
        for (size_t i = 0; i < 5; i++) {
            long double factor = i == p ? 0 : A[i][p] / A[p][p];
            for (size_t j = 0; j < 6; j++) A[i][j] -= factor * A[p][j];
        }
    for (size_t k = 0; k < 5; k++) found.b[k] = A[k][5] / A[k][k];
    return found;
}

double gp_reference_likelihood(const gp_spec *spec, const double *theta, const gp_data *data, double jitter) {
    size_t n = data->n;
    long double *c = covariance(spec, theta, data, jitter, 0, NULL), log_det;
    long double *inverse = gp_reference_invert(n, c, &log_det);
    mean_terms mean = find_mean(spec, data, inverse);
    long double square = 0, prior = 0;
    for (size_t k = 0; k < 5; k++) prior += mean_precision[k] * mean.b[k] * mean.b[k];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++)
            square += (data->y[i] - mean_at(spec, &mean, data->x + i * spec->columns)) * inverse[i * n + j] *
                      (data->y[j] - mean_at(spec, &mean, data->x + j * spec->columns));
    free(c);
    free(inverse);
    return (double)(-square / 2 - log_det / 2 - (long double)n / 2 * logl(2 * acosl(-1)) - prior / 2);
}

void gp_reference_predict(const gp_spec *spec, const double *theta, const gp_data *data, double jitter, size_t pending,
                          const double *x_pending, size_t m, const double *x, double *mu, double *v, double *cov,
                          double *mean) {
    size_t n = data->n, rows = n + pending;
    long double signal = signal_of(spec, theta), log_det;
    long double *c = covariance(spec, theta, data, jitter, 0, NULL);
    long double *inverse = gp_reference_invert(n, c, &log_det);
    long double *c_all = covariance(spec, theta, data, jitter, pending, x_pending);
    long double *inverse_all = gp_reference_invert(rows, c_all, &log_det);
    mean_terms terms = find_mean(spec, data, inverse);
    long double *k = calloc(rows * m + 1, sizeof *k);
    if (!k) abort();
    if (mean) *mean = (double)terms.b[0];
    for (size_t p = 0; p < m; p++)
        for (size_t i = 0; i < rows; i++)
            k[p * rows + i] =
                signal * gp_reference_correlation(spec, theta, x + p * spec->columns, row_of(spec, data, x_pending, i));
    for (size_t p = 0; p < m; p++) {
        long double sum = mean_at(spec, &terms, x + p * spec->columns);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                sum += k[p * rows + i] * inverse[i * n + j] *
                       (data->y[j] - mean_at(spec, &terms, data->x + j * spec->columns));
        if (mu) mu[p] = (double)sum;
        for (size_t q = 0; q < m; q++) {
            if (!cov && !(v && p == q)) continue;
            long double both =
                signal * gp_reference_correlation(spec, theta, x + p * spec->columns, x + q * spec->columns);
            for (size_t i = 0; i < rows; i++)
                for (size_t j = 0; j < rows; j++) both -= k[p * rows + i] * inverse_all[i * rows + j] * k[q * rows + j];
            if (cov) cov[p * m + q] = (double)both;
            if (v && p == q) v[p] = (double)both;
        }
    }
    free(c);
    free(inverse);
    free(c_all);
    free(inverse_all);
    free(k);
}
