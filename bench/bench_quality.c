/* bench_quality.c - how good are the proposals? Final simple regret on noise-free functions with default settings and a
 * refit every round: 10 initial points and 90 rounds, many seeds, the median with its quartiles, beside the best peer.
 *
 *   bench_quality [seeds [name=value ...]]      options of the table may be overridden, for experiments
 *
 * The seeds are divided among the processors; a run does not depend on their number. */
#define _DEFAULT_SOURCE
#include <locbo/locbo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "problems.h"
#include "stats.h"

enum { INITIAL = 10, ROUNDS = 90, MOST_SEEDS = 1000 };

/* The lowest median regret of the peers that were measured the same way. */
static const struct {
    const char *problem, *peer;
    double regret;
} best_peer[] = {{"branin", "bayesopt", 4.2e-5},
                 {"hartmann6", "bayesopt, refit each round", 3.0e-5},
                 {"levy5", "bayesopt, refit each round", 0.455},
                 {"ackley2-shifted", "CMA-ES", 0.204}};

typedef struct run_result {
    double regret, recommended, ms;
} run_result;

static void die(const locbo_error *e) {
    fprintf(stderr, "bench_quality: %s\n", e->message);
    exit(1);
}

static locbo_outcome evaluate(const double *x, size_t dim, const locbo_trial *trial, locbo_measurement *m, void *user) {
    const problem *p = user;
    (void)dim;
    (void)trial;
    m->value = problem_value(p, x);
    return LOCBO_EVALUATED;
}

static double cpu_ms(void) { return 1e3 * (double)clock() / CLOCKS_PER_SEC; }

static run_result run(const problem *p, const locbo_options *options) {
    locbo_error e;
    locbo_space *space;
    locbo_optimizer *o;
    locbo_choice best, recommended;
    double x[PROBLEM_MAX_DIM];
    char name[24];
    if (locbo_space_create(&space, &e)) die(&e);
    for (size_t i = 0; i < p->dim; i++) {
        snprintf(name, sizeof name, "x%zu", i);
        if (locbo_space_add_real(space, name, p->low[i], p->high[i], LOCBO_LINEAR, &e)) die(&e);
    }
    if (locbo_optimizer_create(&o, space, options, &e)) die(&e);
    if (locbo_optimizer_run(o, INITIAL, evaluate, (void *)p, &e)) die(&e);
    double start = cpu_ms();
    if (locbo_optimizer_run(o, ROUNDS, evaluate, (void *)p, &e)) die(&e);
    double ms = (cpu_ms() - start) / ROUNDS;
    if (locbo_optimizer_best(o, &best, x, &e)) die(&e);
    if (locbo_optimizer_recommend(o, &recommended, x, &e)) die(&e);
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
    return (run_result){best.value - p->optimum, problem_regret(p, x), ms};
}

static void report(const problem *p, const char *method, size_t n, const run_result *r) {
    double regret[MOST_SEEDS], recommended[MOST_SEEDS], ms = 0;
    for (size_t i = 0; i < n; i++) {
        regret[i] = r[i].regret;
        recommended[i] = r[i].recommended;
        ms += r[i].ms / (double)n;
    }
    stats_sort(n, regret);
    stats_sort(n, recommended);
    double median = stats_quantile_sorted(n, regret, 0.5);
    printf("%-16s  %-6s  %8.2e [%8.2e, %8.2e]  %11.2e  %8.1f", p->name, method, median,
           stats_quantile_sorted(n, regret, 0.25), stats_quantile_sorted(n, regret, 0.75),
           stats_quantile_sorted(n, recommended, 0.5), ms);
    for (size_t k = 0; k < sizeof best_peer / sizeof best_peer[0]; k++)
        if (strcmp(best_peer[k].problem, p->name) == 0)
            printf("  %9.2e  %-10s  %s\n", best_peer[k].regret, median <= best_peer[k].regret ? "yes" : "no",
                   best_peer[k].peer);
    fflush(stdout);
}

/* All seeds of one problem and method, on all processors. */
static void measure(const problem *p, const locbo_options *base, int seeds, run_result *results) {
    long workers = sysconf(_SC_NPROCESSORS_ONLN);
    for (long w = 0; w < workers; w++) {
        pid_t pid = fork();
        if (pid < 0) {
            perror("fork");
            exit(1);
        }
        if (pid > 0) continue;
        for (int s = (int)w; s < seeds; s += (int)workers) {
            locbo_options options = *base;
            options.seed = (uint64_t)s + 1;
            results[s] = run(p, &options);
        }
        _exit(0);
    }
    for (long w = 0; w < workers; w++) {
        int status;
        if (wait(&status) < 0 || status != 0) {
            fprintf(stderr, "bench_quality: a worker failed\n");
            exit(1);
        }
    }
}

int main(int argc, char **argv) {
    const char *methods[] = {"locbo", "bo", "random"};
    int seeds = argc > 1 ? atoi(argv[1]) : 30;
    if (seeds < 1 || seeds > MOST_SEEDS) {
        fprintf(stderr, "usage: bench_quality [seeds, 1 to %d [name=value ...]]\n", MOST_SEEDS);
        return 2;
    }
    run_result *results =
        mmap(NULL, MOST_SEEDS * sizeof *results, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (results == MAP_FAILED) {
        perror("mmap");
        return 1;
    }
    printf(
        "Simple regret of the point measured best, functions without noise: median over %d seeds and its quartiles\n"
        "after %d initial points and %d rounds, a refit every round. Recommended: the same of the recommended point.\n"
        "Best peer: the lowest median of the libraries measured earlier on the same kind of machine.\n\n",
        seeds, INITIAL, ROUNDS);
    printf("%-16s  %-6s  %30s  %11s  %8s  %9s  %-10s  %s\n", "problem", "method", "median", "recommended", "ms/round",
           "best peer", "as good as", "which");
    for (size_t k = 0; k < sizeof best_peer / sizeof best_peer[0]; k++)
        for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
            const problem *p = problem_find(best_peer[k].problem);
            locbo_options options;
            locbo_error e;
            locbo_options_init(&options);
            options.initial = INITIAL;
            if (locbo_options_set(&options, "method", methods[m], &e)) die(&e);
            for (int i = 2; i < argc; i++) {
                char *value = strchr(argv[i], '=');
                char name[64];
                if (!value) continue;
                snprintf(name, sizeof name, "%.*s", (int)(value - argv[i]), argv[i]);
                if (locbo_options_set(&options, name, value + 1, &e)) die(&e);
            }
            measure(p, &options, seeds, results);
            report(p, methods[m], (size_t)seeds, results);
        }
    return 0;
}
