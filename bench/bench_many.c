/* bench_many.c - many results: what an ask and a tell cost in the long run, fits included, beside the linear algebra of
 * the model's size; the first ask after an import, and what answers take; the same of results that were judged; memory;
 * batches; and how far the model with landmarks is from the exact one, on histories that the optimizer made and on
 * uniform ones.
 *
 *   bench_many [part]     part: speed, judged, batch or agreement; all by default
 */
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

/* The one thing that a part does, in a process of its own: its memory is its own, too. */
static void apart(void (*work)(size_t, size_t), size_t n, size_t dim) {
    fflush(stdout);
    pid_t child = fork();
    if (child < 0) die("no process");
    if (child == 0) {
        work(n, dim);
        fflush(stdout);
        _exit(0);
    }
    int status;
    if (waitpid(child, &status, 0) != child || status != 0) die("a part failed");
}

static double objective(size_t dim, const double *x) {
    double sum = 0;
    for (size_t i = 0; i < dim; i++) sum += sin(5 * x[i] + (double)i) + (x[i] - 0.4) * (x[i] - 0.4);
    return sum;
}

static locbo_optimizer *create(size_t dim, const char *exact_rows) {
    locbo_error e;
    locbo_space *space;
    locbo_optimizer *o;
    locbo_options options;
    locbo_options_init(&options);
    if (exact_rows && locbo_options_set(&options, "exact_rows", exact_rows, &e)) die(e.message);
    if (locbo_space_create(&space, &e)) die(e.message);
    for (size_t i = 0; i < dim; i++) {
        char name[24];
        snprintf(name, sizeof name, "x%zu", i);
        if (locbo_space_add_real(space, name, 0, 1, LOCBO_LINEAR, &e)) die(e.message);
    }
    if (locbo_optimizer_create(&o, space, &options, &e)) die(e.message);
    locbo_space_destroy(space);
    return o;
}

static void add(locbo_optimizer *o, const double *x, double value) {
    locbo_error e;
    locbo_measurement m = {value, NAN, 1};
    if (locbo_optimizer_add(o, x, &m, &e)) die(e.message);
}

/* n results at random points. */
static locbo_optimizer *imported(size_t n, size_t dim, draw *noise) {
    double x[PROBLEM_MAX_DIM];
    locbo_optimizer *o = create(dim, NULL);
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < dim; i++) x[i] = draw_uniform(noise);
        add(o, x, objective(dim, x) + 0.1 * draw_normal(noise));
    }
    return o;
}

/* ---- speed ------------------------------------------------------------------------------------- */

static double raw_s(size_t n) {
    double *a = malloc(n * n * sizeof *a);
    if (!a) die("out of memory");
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) a[i * n + j] = exp(-fabs((double)i - (double)j) / 10) + (i == j ? 0.1 : 0);
    double begin = cpu_s();
    if (!lapack_inverse(n, a)) die("dpotrf failed");
    double took = cpu_s() - begin;
    free(a);
    return took;
}

/* n results of trials that, but for the initial design, a model proposed, half of them at random points and half of
 * them about one place, as a search has them: each is judged by what was believed, too certain by a third. *took: CPU
 * seconds of telling them. */
static locbo_optimizer *judged(size_t n, size_t dim, draw *noise, double *took) {
    locbo_error e;
    double x[PROBLEM_MAX_DIM];
    locbo_optimizer *o = create(dim, NULL);
    double begin = cpu_s();
    for (size_t k = 0; k < n; k++) {
        for (size_t i = 0; i < dim; i++)
            x[i] = k % 2 ? fmin(fmax(0.6 + 0.1 * draw_normal(noise), 0), 1) : draw_uniform(noise);
        double f = objective(dim, x);
        locbo_trial t = {.id = k + 1, .origin = k < 20 ? LOCBO_ORIGIN_DESIGN : LOCBO_ORIGIN_MODEL, .told = k};
        t.belief = (locbo_belief){.mean = f + 0.1 * draw_normal(noise), .sd_f = 0.07, .sd_y = 0.1, .threshold = 0.2};
        t.belief.y_low = t.belief.mean - 0.13, t.belief.y_high = t.belief.mean + 0.13;
        locbo_measurement m = {f + 0.1 * draw_normal(noise), NAN, 1};
        if (locbo_optimizer_restore_trial(o, &t, x, &e) || locbo_optimizer_tell(o, t.id, &m, &e)) die(e.message);
    }
    *took = cpu_s() - begin;
    return o;
}

/* Rounds up to the second fit from here on: all of what comes back again and again. */
static void speed_of(locbo_optimizer *o, size_t n, size_t dim, double told, draw *noise) {
    locbo_error e;
    locbo_trial t;
    double x[PROBLEM_MAX_DIM];
    double begin = cpu_s();
    if (locbo_optimizer_ask(o, &t, x, &e)) die(e.message);
    double first = cpu_s() - begin;
    add(o, x, objective(dim, x));
    if (locbo_optimizer_cancel(o, t.id, &e)) die(e.message);
    size_t step = n < 200 ? 1 : n / 100 < 250 ? n / 100 : 250, rounds = 2 * step + 2;
    begin = cpu_s();
    for (size_t r = 0; r < rounds; r++) {
        if (locbo_optimizer_ask(o, &t, x, &e)) die(e.message);
        locbo_measurement m = {objective(dim, x) + 0.1 * draw_normal(noise), NAN, 1};
        if (locbo_optimizer_tell(o, t.id, &m, &e)) die(e.message);
    }
    double round = (cpu_s() - begin) / (double)rounds;
    locbo_choice choice;
    begin = cpu_s();
    if (locbo_optimizer_recommend(o, &choice, x, &e)) die(e.message);
    double answer = cpu_s() - begin;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    printf("%7zu  %3zu  %8.2f  %8.2f  %9.3f  %6zu  %9.3f  %9ld\n", n, dim, told, first, round, rounds, answer,
           usage.ru_maxrss / 1024);
    locbo_optimizer_destroy(o);
}

static void speed_imported(size_t n, size_t dim) {
    draw noise = {7};
    double begin = cpu_s();
    locbo_optimizer *o = imported(n, dim, &noise);
    speed_of(o, n, dim, cpu_s() - begin, &noise);
}

static void speed_judged(size_t n, size_t dim) {
    draw noise = {7};
    double told;
    locbo_optimizer *o = judged(n, dim, &noise, &told);
    speed_of(o, n, dim, told, &noise);
}

static void print_head(void) {
    printf("%7s  %3s  %8s  %8s  %9s  %6s  %9s  %9s\n", "n", "d", "told", "first", "a round", "rounds", "recommend",
           "MB");
}

static void speed(void) {
    static const size_t sizes[] = {400, 1000, 2000, 10000, 100000};
    printf(
        "CPU seconds after an import of n results in d dimensions: telling them; the first ask; an ask + tell, mean of "
        "so many\n"
        "rounds (two fits and what lies between them); a recommendation. Peak memory. dpotrf + dpotri of 1000 rows: "
        "%.3f s.\n\n",
        raw_s(1000));
    print_head();
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) apart(speed_imported, sizes[i], 6);
    apart(speed_imported, 100000, 20);
}

static void speed_of_judged(void) {
    static const size_t sizes[] = {2000, 10000, 20000, 100000};
    printf("The same of results of proposed trials, by which the calibration learns:\n\n");
    print_head();
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) apart(speed_judged, sizes[i], 6);
}

/* ---- batches ----------------------------------------------------------------------------------- */

static void batch_at(size_t n, size_t dim) {
    enum { BATCH = 64 };
    locbo_error e;
    locbo_trial t;
    double x[PROBLEM_MAX_DIM];
    draw noise = {8};
    locbo_optimizer *o = imported(n, dim, &noise);
    if (locbo_optimizer_ask(o, &t, x, &e)) die(e.message); /* the fit */
    double begin = cpu_s();
    for (int i = 1; i <= BATCH; i++)
        if (locbo_optimizer_ask(o, &t, x, &e)) die(e.message);
    printf("%d trials more, none told, after %zu results in %zu dimensions: %.2f s\n", BATCH, n, dim, cpu_s() - begin);
    locbo_optimizer_destroy(o);
}

/* ---- agreement --------------------------------------------------------------------------------- */

typedef struct history {
    size_t n, dim;
    double *x, *y;
} history;

static double noisy(const problem *p, const double *u, draw *noise) {
    double x[PROBLEM_MAX_DIM];
    for (size_t i = 0; i < p->dim; i++) x[i] = p->low[i] + u[i] * (p->high[i] - p->low[i]);
    return problem_value(p, x) + 0.1 * problem_spread(p) * draw_normal(noise);
}

/* Of a search, or at random points. */
static history make_history(const problem *p, size_t n, int searched) {
    history h = {n, p->dim, malloc(n * p->dim * sizeof(double)), malloc(n * sizeof(double))};
    draw noise = {9};
    locbo_error e;
    locbo_trial t;
    locbo_optimizer *o = create(p->dim, "300");
    if (!h.x || !h.y) die("out of memory");
    for (size_t k = 0; k < n; k++) {
        double *x = h.x + k * p->dim;
        if (searched && locbo_optimizer_ask(o, &t, x, &e)) die(e.message);
        for (size_t i = 0; !searched && i < p->dim; i++) x[i] = draw_uniform(&noise);
        h.y[k] = noisy(p, x, &noise);
        locbo_measurement m = {h.y[k], NAN, 1};
        if (searched && locbo_optimizer_tell(o, t.id, &m, &e)) die(e.message);
    }
    locbo_optimizer_destroy(o);
    return h;
}

static locbo_optimizer *with_history(const history *h, const char *exact_rows) {
    locbo_optimizer *o = create(h->dim, exact_rows);
    for (size_t k = 0; k < h->n; k++) add(o, h->x + k * h->dim, h->y[k]);
    return o;
}

enum { RANDOM = 1000, BEST = 100 };

/* Random points, then those of the best results. */
static double *places(const history *h) {
    double *x = malloc((RANDOM + BEST) * h->dim * sizeof *x);
    unsigned char *used = calloc(h->n, 1);
    draw r = {10};
    if (!x || !used) die("out of memory");
    for (size_t i = 0; i < RANDOM * h->dim; i++) x[i] = draw_uniform(&r);
    for (size_t k = 0; k < BEST; k++) {
        size_t best = h->n;
        for (size_t i = 0; i < h->n; i++)
            if (!used[i] && (best == h->n || h->y[i] < h->y[best])) best = i;
        used[best] = 1;
        memcpy(x + (RANDOM + k) * h->dim, h->x + best * h->dim, h->dim * sizeof *x);
    }
    free(used);
    return x;
}

/* Mean and sd on the scale of the model, in units of the exact sd; means over the points. */
static void differ(const locbo_belief *a, const locbo_belief *exact, size_t n, double *mean, double *sd) {
    *mean = *sd = 0;
    for (size_t i = 0; i < n; i++) {
        int bent = exact[i].unit_f > 0;
        double unit = bent ? exact[i].unit_f : exact[i].sd_f;
        *mean += fabs(bent ? a[i].centre - exact[i].centre : a[i].mean - exact[i].mean) / unit / (double)n;
        *sd += fabs((bent ? a[i].unit_f : a[i].sd_f) - unit) / unit / (double)n;
    }
}

static void compare(const char *name, size_t n, int searched, const char *exact_rows) {
    const problem *p = problem_find(name);
    if (!p) die(name);
    history h = make_history(p, n, searched);
    locbo_optimizer *few = with_history(&h, exact_rows), *exact = with_history(&h, "0");
    locbo_error e;
    locbo_trial t;
    locbo_fit fit;
    double x[PROBLEM_MAX_DIM], mean[2], sd[2], *at = places(&h);
    locbo_belief *a = calloc(RANDOM + BEST, sizeof *a), *b = calloc(RANDOM + BEST, sizeof *b);
    if (!a || !b) die("out of memory");
    if (locbo_optimizer_ask(few, &t, x, &e) || locbo_optimizer_fit(few, &fit, &e) ||
        locbo_optimizer_restore_fit(exact, &fit, &e) || locbo_optimizer_predict(few, RANDOM + BEST, at, a, &e) ||
        locbo_optimizer_predict(exact, RANDOM + BEST, at, b, &e))
        die(e.message);
    differ(a, b, RANDOM, &mean[0], &sd[0]);
    differ(a + RANDOM, b + RANDOM, BEST, &mean[1], &sd[1]);
    printf("%-12s  %2zu  %5zu  %-8s  %10s  %6.3f  %6.3f  %11.3f  %9.3f\n", name, p->dim, n,
           searched ? "searched" : "uniform", exact_rows, mean[0], sd[0], mean[1], sd[1]);
    fflush(stdout);
    locbo_optimizer_destroy(few);
    locbo_optimizer_destroy(exact);
    free(h.x), free(h.y), free(at), free(a), free(b);
}

static void agreement(void) {
    static const char *const names[] = {"hartmann6", "ackley6", "borehole8", "rosenbrock8", "levy10", "rosenbrock20"};
    printf("Noise 0.1 of the spread. The model with landmarks and the exact one, with the same hyper-parameters: "
           "differences of\n"
           "mean and sd of f in units of the exact sd, means over %d random points and the %d best.\n\n",
           RANDOM, BEST);
    printf("%-12s  %2s  %5s  %-8s  %10s  %6s  %6s  %11s  %9s\n", "problem", "d", "n", "history", "exact_rows", "mean",
           "sd", "mean (best)", "sd (best)");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        compare(names[i], 1000, 1, "500");
        compare(names[i], 2000, 0, "1000");
        compare(names[i], 4000, 0, "2000");
    }
}

int main(int argc, char **argv) {
    const char *part = argc > 1 ? argv[1] : "";
    if (!*part || strcmp(part, "speed") == 0) speed();
    if (!*part) printf("\n");
    if (!*part || strcmp(part, "judged") == 0) speed_of_judged();
    if (!*part) printf("\n");
    if (!*part || strcmp(part, "batch") == 0) apart(batch_at, 1000, 6);
    if (!*part) printf("\n");
    if (!*part || strcmp(part, "agreement") == 0) agreement();
    return 0;
}
