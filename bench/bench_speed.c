/* bench_speed.c - what does a proposal cost? CPU time of one ask + tell, with a refit, at n results in d dimensions, as
 * a ratio to the linear algebra that it needs at least (one dpotrf and one dpotri of size n, measured in the same run),
 * its growth exponent, and the peak memory of a study of 100 rounds.
 *
 *   bench_speed [repetitions]
 *
 * The peers' figures are one step in 6 dimensions (add an observation, refit, propose) on the same kind of machine. */
#define _DEFAULT_SOURCE
#include <locbo/locbo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cpu_time.h"
#include "draw.h"
#include "lapack.h"
#include "problems.h"
#include "stats.h"

enum { SIZES = 6, MOST_REPETITIONS = 101 };
static const size_t sizes[SIZES] = {25, 50, 100, 200, 400, 800};
static const size_t dims[] = {2, 6, 18};

/* The fastest peer at each size, seconds; 0: not measured. */
static const double peer_s[SIZES] = {0, 0.05, 0.27, 0.65, 2.9, 14.6};
static const char *const peer[SIZES] = {"", "limbo", "limbo", "BoTorch", "BoTorch", "BoTorch"};

static double median(int n, double *values) {
    stats_sort((size_t)n, values);
    return values[n / 2];
}

static double objective(size_t dim, const double *x) {
    double sum = 0;
    for (size_t i = 0; i < dim; i++) sum += sin(5 * x[i] + (double)i) + (x[i] - 0.4) * (x[i] - 0.4);
    return sum;
}

/* dpotrf + dpotri of size n, seconds. */
static double raw_cost(size_t n, int repetitions) {
    double *a = malloc(n * n * sizeof *a), *l = malloc(n * n * sizeof *l);
    double times[MOST_REPETITIONS];
    if (!a || !l) die("out of memory");
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) a[i * n + j] = exp(-fabs((double)i - (double)j) / 10) + (i == j ? 0.1 : 0);
    for (int r = 0; r < repetitions; r++) {
        memcpy(l, a, n * n * sizeof *l);
        double start = cpu_s();
        if (!lapack_inverse(n, l)) die("dpotrf failed");
        times[r] = cpu_s() - start;
    }
    free(a);
    free(l);
    return median(repetitions, times);
}

static locbo_optimizer *start(size_t dim, const char *method, size_t n) {
    locbo_error e;
    locbo_space *space;
    locbo_optimizer *o;
    locbo_options options;
    draw noise = {7};
    double x[PROBLEM_MAX_DIM];
    locbo_options_init(&options);
    if (locbo_options_set(&options, "method", method, &e)) die(e.message);
    if (locbo_space_create(&space, &e)) die(e.message);
    for (size_t i = 0; i < dim; i++) {
        char name[24];
        snprintf(name, sizeof name, "x%zu", i);
        if (locbo_space_add_real(space, name, 0, 1, LOCBO_LINEAR, &e)) die(e.message);
    }
    if (locbo_optimizer_create(&o, space, &options, &e)) die(e.message);
    locbo_space_destroy(space);
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < dim; i++) x[i] = draw_uniform(&noise);
        locbo_measurement m = {objective(dim, x) + 0.1 * (draw_uniform(&noise) - 0.5), NAN, 1};
        if (locbo_optimizer_add(o, x, &m, &e)) die(e.message);
    }
    return o;
}

/* Mean seconds of one ask + tell at n results: the mean, since not every fit makes restarts. The first, which fits
 * from scratch, is not counted. */
static double step_cost(size_t dim, const char *method, size_t n, int repetitions) {
    double total = 0, x[PROBLEM_MAX_DIM];
    locbo_optimizer *o = start(dim, method, n);
    locbo_error e;
    locbo_trial trial;
    draw noise = {11};
    for (int r = -1; r < repetitions; r++) {
        double begin = cpu_s();
        if (locbo_optimizer_ask(o, &trial, x, &e)) die(e.message);
        locbo_measurement m = {objective(dim, x) + 0.1 * (draw_uniform(&noise) - 0.5), NAN, 1};
        if (locbo_optimizer_tell(o, trial.id, &m, &e)) die(e.message);
        if (r >= 0) total += cpu_s() - begin;
    }
    locbo_optimizer_destroy(o);
    return total / repetitions;
}

/* One row a size; below, the growth from n = 100 to 800. */
static void speed(const char *method, int repetitions) {
    double first[3] = {0}, last[3] = {0};
    for (size_t i = 0; i < SIZES; i++) {
        double raw = raw_cost(sizes[i], repetitions);
        printf("%-6s  %4zu  %13.3f", method, sizes[i], 1e3 * raw);
        for (size_t k = 0; k < 3; k++) {
            double cost = step_cost(dims[k], method, sizes[i], repetitions);
            printf("  %8.1f  %6.0f", 1e3 * cost, cost / raw);
            if (sizes[i] == 100) first[k] = cost;
            last[k] = cost;
        }
        if (peer_s[i] > 0)
            printf("  %8.0f  %s\n", 1e3 * peer_s[i], peer[i]);
        else
            printf("  %8s  -\n", "-");
        fflush(stdout);
    }
    printf("%-6s  growth, power of n from 100 to 800:", method);
    for (size_t k = 0; k < 3; k++) printf("  d = %zu: %.2f", dims[k], log(last[k] / first[k]) / log(8));
    printf("\n");
}

/* Peak memory of a process that does nothing but a study of 100 rounds. */
static void memory(void) {
    pid_t pid = fork();
    if (pid < 0) die("fork failed");
    if (pid == 0) {
        locbo_optimizer *o = start(6, "locbo", 0);
        locbo_error e;
        for (int r = 0; r < 100; r++) {
            locbo_trial trial;
            double x[PROBLEM_MAX_DIM];
            if (locbo_optimizer_ask(o, &trial, x, &e)) _exit(1);
            locbo_measurement m = {objective(6, x), NAN, 1};
            if (locbo_optimizer_tell(o, trial.id, &m, &e)) _exit(1);
        }
        _exit(0);
    }
    struct rusage usage;
    int status;
    if (wait4(pid, &status, 0, &usage) < 0 || status != 0) die("the study failed");
    double mb = (double)usage.ru_maxrss / 1024;
    printf("Peak memory of a study of 100 rounds in 6 dimensions: %.1f MB (goal: below 20): %s\n\n", mb,
           mb < 20 ? "met" : "MISSED");
}

int main(int argc, char **argv) {
    int repetitions = argc > 1 ? atoi(argv[1]) : 8;
    if (repetitions < 1 || repetitions > MOST_REPETITIONS) die("repetitions must be 1 to 101");
    memory(); /* first: a child inherits the pages of its parent */
    printf("Mean CPU ms of one ask + tell with refit at n results in d dimensions; x: times the dpotrf + dpotri of\n"
           "size n; peer: the fastest at d = 6, measured earlier on the same kind of machine.\n\n%-6s  %4s  %13s",
           "method", "n", "dpotrf+dpotri");
    for (size_t k = 0; k < 3; k++) printf("  %6s%-2zu  x d=%-2zu", "d=", dims[k], dims[k]);
    printf("  %8s  which\n", "peer");
    speed("locbo", repetitions);
    speed("bo", repetitions);
    double raw = raw_cost(400, 21), cost = step_cost(6, "locbo", 400, 16);
    printf("\nA proposal with refit at n = 400, d = 6, mean of 16: %.0f times dpotrf + dpotri "
           "(goal: 60): %s\n",
           cost / raw, cost / raw <= 60 ? "met" : "MISSED");
    return 0;
}
