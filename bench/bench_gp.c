/* bench_gp.c - what the model costs, in microseconds of CPU time (medians) and, in brackets, in
 * units of the dpotrf + dpotri of the same size, measured in the same run. One line per (n, d):
 *
 *     chol+inv   one dpotrf and one dpotri
 *     objective  log posterior with its gradient
 *     value      log posterior alone
 *     fit        a whole gpfit_run from the theta of three rows ago
 *     factor     gp_factor
 *     append     gp_append of one row
 *     predict    gp_predict of 1000 points
 *     gradient   gp_predict_grad at one point
 *
 * and evals: the fit's time over the objective's. */
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <gp.h>
#include <gpfit.h>
#include <stats.h>

#include "lapack.h"

enum { MAX_N = 800, MAX_D = 18, POINTS = 1000, NEW_ROWS = 3 };

typedef struct bench {
    size_t n, d;
    double *x, *y, *scale, *extra, *at, *a, *work_a;
    double theta[MAX_D + 2], found[MAX_D + 2], grad[MAX_D + 2], value;
    gp_spec spec;
    gp *model;
    gp_work work;
    gpfit_work *fit;
    gpfit_config config;
    double mu[POINTS], v[POINTS];
} bench;

static double cpu_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(locbo_status status) {
    if (status == LOCBO_OK) return;
    fprintf(stderr, "bench_gp: %s\n", locbo_status_text(status));
    exit(1);
}

static gp_data data_of(const bench *b, size_t n) { return (gp_data){n, b->x, b->y, b->scale, b->extra, NULL}; }

static void run_cholesky(bench *b) {
    memcpy(b->work_a, b->a, b->n * b->n * sizeof(double));
    if (!lapack_inverse(b->n, b->work_a)) must(LOCBO_ERR_NUMERIC);
}

static void run_objective(bench *b) {
    gp_data data = data_of(b, b->n);
    must(gpfit_objective(b->fit, &b->config, &data, b->theta, &b->value, b->grad, NULL));
}

static void run_value(bench *b) {
    gp_data data = data_of(b, b->n);
    must(gpfit_objective(b->fit, &b->config, &data, b->theta, &b->value, NULL, NULL));
}

static void run_fit(bench *b) {
    gp_data data = data_of(b, b->n);
    rng r = rng_open(1, 1, RNG_FIT);
    must(gpfit_run(b->fit, &b->config, &data, b->theta, &r, b->found, &b->value, NULL));
}

static void run_factor(bench *b) {
    gp_data data = data_of(b, b->n - 1);
    must(gp_factor(b->model, b->theta, &data, NULL));
}

/* Only after run_factor, and never so often that the factor must grow. */
static void run_append(bench *b) { must(gp_append(b->model, b->x + (b->n - 1) * b->d, b->y[b->n - 1], 1, 0, NULL)); }

static void run_predict(bench *b) { must(gp_predict(b->model, POINTS, b->at, b->mu, b->v, &b->work, NULL)); }

static void run_gradient(bench *b) {
    double dv[MAX_D];
    must(gp_predict_grad(b->model, b->at, b->mu, b->v, b->grad, dv, &b->work, NULL));
}

/* Median microseconds of one call; short ones are repeated inside a sample. */
static double median(void (*run)(bench *), bench *b, int samples) {
    double times[32], start = cpu_seconds();
    run(b); /* warm-up */
    double once = cpu_seconds() - start;
    int inner = once < 1e-3 && samples > 10 ? (int)(1e-3 / (once + 1e-7)) + 1 : 1;
    for (int s = 0; s < samples; s++) {
        start = cpu_seconds();
        for (int i = 0; i < inner; i++) run(b);
        times[s] = (cpu_seconds() - start) / inner;
    }
    stats_sort((size_t)samples, times);
    return 1e6 * times[samples / 2];
}

static void fill(bench *b, size_t n, size_t d) {
    rng r = rng_open(7, n * 100 + d, RNG_DESIGN);
    b->n = n, b->d = d;
    for (size_t i = 0; i < n; i++) {
        double y = 0;
        for (size_t c = 0; c < d; c++) {
            double u = b->x[i * d + c] = rng_uniform(&r);
            y += sin(5 * u / (double)(1 + c)) + (c ? u * b->x[i * d + c - 1] : 0);
        }
        b->y[i] = y / sqrt((double)d) + 0.05 * rng_normal(&r);
        b->scale[i] = 1, b->extra[i] = 0;
    }
    for (size_t i = 0; i < POINTS * d; i++) b->at[i] = rng_uniform(&r);
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < n; i++) b->a[i + j * n] = exp(-fabs((double)i - (double)j)) + (i == j);
}

static void measure(bench *b, size_t n, size_t d, const size_t *group) {
    fill(b, n, d);
    b->spec = (gp_spec){LOCBO_KERNEL_MATERN52, d, d, group, 1, 0};
    b->work = (gp_work){0};
    must(gp_create(&b->model, &b->spec, NULL));
    must(gpfit_work_create(&b->fit, &b->spec, NULL));
    gpfit_settings settings = {LOCBO_SURROGATE_MAP, NAN, NAN, 1e-8, 1, 0, 0, 0};
    must(gpfit_config_init(&b->config, &b->spec, d, &settings, NULL));
    gp_data before = data_of(b, n - NEW_ROWS); /* the fit that the warm one starts from */
    rng r = rng_open(1, 0, RNG_FIT);
    must(gpfit_run(b->fit, &b->config, &before, NULL, &r, b->theta, &b->value, NULL));
    double unit = median(run_cholesky, b, 15);
    double objective = median(run_objective, b, 15), value = median(run_value, b, 15);
    double fit = median(run_fit, b, 3);
    double factor = median(run_factor, b, 15), append = median(run_append, b, 7);
    run_factor(b);
    double predict = median(run_predict, b, 7), gradient = median(run_gradient, b, 15);
    const double times[] = {objective, value, fit, factor, append, predict, gradient};
    printf("%4zu %3zu %9.1f", n, d, unit);
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) printf(" %9.1f (%6.2f)", times[i], times[i] / unit);
    printf(" %5.1f\n", fit / objective);
    fflush(stdout);
    gp_work_release(&b->work);
    gpfit_config_release(&b->config);
    gpfit_work_destroy(b->fit);
    gp_destroy(b->model);
}

int main(void) {
    static bench b;
    size_t group[MAX_D];
    for (size_t c = 0; c < MAX_D; c++) group[c] = c;
    b.x = malloc(MAX_N * MAX_D * sizeof(double)), b.at = malloc(POINTS * MAX_D * sizeof(double));
    b.y = malloc(MAX_N * sizeof(double)), b.scale = malloc(MAX_N * sizeof(double));
    b.extra = malloc(MAX_N * sizeof(double));
    b.a = malloc(MAX_N * MAX_N * sizeof(double)), b.work_a = malloc(MAX_N * MAX_N * sizeof(double));
    if (!b.x || !b.at || !b.y || !b.scale || !b.extra || !b.a || !b.work_a) return 1;
    printf("   n   d  chol+inv          objective              value                fit"
           "             factor             append       predict 1000           gradient evals\n");
    const size_t sizes[] = {50, 100, 200, 400, 800}, dims[] = {2, 6, 18};
    for (size_t i = 0; i < 5; i++)
        for (size_t j = 0; j < 3; j++) measure(&b, sizes[i], dims[j], group);
    free(b.x), free(b.at), free(b.y), free(b.scale), free(b.extra), free(b.a), free(b.work_a);
    return 0;
}
