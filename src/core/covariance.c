/* covariance.c - covariances of f between sets of points. Layer: core, above kernel. Cost: a product of the points'
 * coordinates, and one value of the kernel for each pair. */
#include "covariance.h"

#include <math.h>

#include "kernel.h"
#include "mem.h"

int covariance_init(covariance *c, const gp_spec *spec, const double *theta) {
    *c = (covariance){.spec = spec, .inv_length = mem_new(spec->columns, sizeof *c->inv_length)};
    if (!c->inv_length) return 0;
    for (size_t k = 0; k < spec->columns; k++) c->inv_length[k] = exp(-theta[spec->group[k]]);
    c->fade = spec->trend ? exp(theta[spec->lengths]) : 0;
    c->signal_var = exp(theta[gp_thetas(spec) - 2]);
    return 1;
}

void covariance_release(covariance *c) { mem_free(c->inv_length); }

int covariance_place(const covariance *c, size_t n, const double *x, covariance_points *points) {
    size_t columns = c->spec->columns, trend = c->spec->trend;
    mem_array arrays[] = {{&points->z, columns * sizeof *points->z},
                          {&points->norm, sizeof *points->norm},
                          {&points->by, sizeof *points->by}};
    if (!mem_reserve_all(3, arrays, &points->capacity, n ? n : 1)) return 0;
    points->n = n;
    kernel_scale(n, columns, x, c->inv_length, points->z, points->norm);
    for (size_t i = 0; i < n; i++) points->by[i] = trend ? gp_fade_at(c->fade, x[i * columns + trend - 1]).by : 1;
    return 1;
}

void covariance_points_release(covariance_points *points) {
    mem_free(points->z);
    mem_free(points->norm);
    mem_free(points->by);
}

static void scale_column(const covariance *c, size_t n, const double *by, double own, double *column) {
    double factor = c->signal_var * own;
    for (size_t i = 0; i < n; i++) column[i] *= factor * by[i];
}

void covariance_cross(const covariance *c, const covariance_points *a, const covariance_points *b, double *k,
                      size_t ldk) {
    if (a->n == 0) return;
    kernel_cross(c->spec->family, a->n, b->n, c->spec->columns, a->z, a->norm, b->z, b->norm, k, ldk, NULL);
    for (size_t j = 0; j < b->n; j++) scale_column(c, a->n, a->by, b->by[j], k + j * ldk);
}

void covariance_gram(const covariance *c, const covariance_points *a, double *k, size_t ldk) {
    kernel_gram(c->spec->family, a->n, c->spec->columns, a->z, a->norm, k, ldk, NULL);
    for (size_t j = 0; j < a->n; j++) scale_column(c, a->n - j, a->by + j, a->by[j], k + j * ldk + j);
}

double covariance_own(const covariance *c, const covariance_points *a, size_t i) {
    return c->signal_var * a->by[i] * a->by[i];
}
