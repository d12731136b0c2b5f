/* ackley.c - an example: maximise the noisy 2-D Ackley function of the paper (eq:2D_ackley)
 * with LOCBO, and, for comparison, by random search.
 *
 *     ackley [rounds [seed]]        default: 50 rounds after 5 initial points, seed 1
 *
 * The noise grows with the distance from the optimum (variance (|x| + 10)/20), which the Gaussian
 * process, with its one noise variance, does not know: the calibration has something to do. Results
 * go to standard output, progress to standard error: a bar on a terminal, plain lines otherwise.
 * Exit codes: 0 done, 1 the library reported an error, 2 the command line makes no sense. */
#define _POSIX_C_SOURCE 200809L /* isatty, clock_gettime */

#include <locbo/locbo.h>

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { INITIAL = 5, DIM = 2 };

static const double PI = 3.14159265358979323846;

/* The true function; its maximum is 0, at the origin. */
static double ackley(const double *x) {
    double square = (x[0] * x[0] + x[1] * x[1]) / 2;
    double wave = (cos(2 * PI * x[0]) + cos(2 * PI * x[1])) / 2;
    return 20 * exp(-0.2 * sqrt(square)) + exp(wave) - 20 - exp(1.0);
}

/* splitmix64: a small generator, so that the example is the same everywhere. */
static uint64_t next_bits(uint64_t *state) {
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static double uniform(uint64_t *state) { return ((double)(next_bits(state) >> 12) + 0.5) * 0x1p-52; }

/* Standard normal, by Box and Muller. */
static double normal(uint64_t *state) {
    double radius = sqrt(-2 * log(uniform(state)));
    return radius * cos(2 * PI * uniform(state));
}

/* What an experiment at x would measure. */
static double measure(const double *x, uint64_t *state) {
    double variance = (hypot(x[0], x[1]) + 10) / 20;
    return ackley(x) + sqrt(variance) * normal(state);
}

static void show_progress(long done, long rounds, double best, const locbo_summary *s, int terminal) {
    enum { WIDTH = 30 };
    char bar[WIDTH + 1];
    if (terminal) {
        for (int i = 0; i < WIDTH; i++) bar[i] = i < done * WIDTH / rounds ? '#' : '.';
        bar[WIDTH] = 0;
        fprintf(stderr, "\r[%s] %3ld/%ld  observed best %7.3f", bar, done, rounds, best);
    } else if (done % 10 == 0 || done == rounds) {
        fprintf(stderr, "evaluation %3ld of %ld  observed best %7.3f", done, rounds, best);
    } else {
        return;
    }
    if (s->judged > 0) fprintf(stderr, "  coverage %5.1f %%", 100 * s->coverage);
    if (!terminal || done == rounds) fputc('\n', stderr);
}

/* What a run ends with. */
typedef struct run {
    locbo_choice best, bet; /* best observed, recommended */
    double best_x[DIM], bet_x[DIM];
    locbo_summary summary;
} run;

static void show_result(const run *r, const run *random, double seconds) {
    const locbo_summary *s = &r->summary;
    double truth = ackley(r->bet_x);
    int inside = r->bet.low <= truth && truth <= r->bet.high;
    printf("observed best  %7.3f measured at (%.3f, %.3f)\n", r->best.value, r->best_x[0], r->best_x[1]);
    printf("recommended    %7.3f expected at (%.3f, %.3f), f between %.3f and %.3f at level %.2f\n", r->bet.value,
           r->bet_x[0], r->bet_x[1], r->bet.low, r->bet.high, r->bet.level);
    if (s->judged > 0)
        printf("coverage       %5.1f %%  of %llu measurements fell inside their calibrated set, "
               "target %.1f %%\n",
               100 * s->coverage, (unsigned long long)s->judged, 100 * s->target);
    printf("guarantee      %s\n\n", s->guarantee);

    printf("Since this function is known, we can look behind the noise; its maximum is 0:\n");
    printf("the true f at the recommended point is %.3f, %s its interval,\n", truth, inside ? "inside" : "outside");
    printf("which rests on the model: only the sets of measurements are calibrated.\n");
    printf("true regret    %7.3f of the best observed point\n", 0 - ackley(r->best_x));
    printf("random search  %7.3f of its best observed point, with the same number of evaluations\n",
           0 - ackley(random->best_x));
    printf("elapsed time   %7.2f s for %llu evaluations\n", seconds, (unsigned long long)s->asked);
}

/* INITIAL + rounds evaluations. Random search runs silently. */
static locbo_status optimise(const locbo_space *space, locbo_method method, long rounds, uint64_t seed, run *r,
                             locbo_error *error) {
    locbo_options options;
    locbo_options_init(&options);
    options.direction = LOCBO_MAXIMIZE;
    options.method = method;
    options.initial = INITIAL;
    options.seed = seed;
    locbo_optimizer *o = NULL;
    locbo_status status = locbo_optimizer_create(&o, space, &options, error);

    uint64_t noise = seed;
    int terminal = isatty(STDERR_FILENO);
    for (long done = 1; done <= INITIAL + rounds && status == LOCBO_OK; done++) {
        locbo_trial trial;
        double x[DIM];
        if ((status = locbo_optimizer_ask(o, &trial, x, error)) != LOCBO_OK) break;
        locbo_measurement y = {.value = measure(x, &noise), .sd = NAN, .n = 1};
        if ((status = locbo_optimizer_tell(o, trial.id, &y, error)) != LOCBO_OK ||
            (status = locbo_optimizer_best(o, &r->best, r->best_x, error)) != LOCBO_OK ||
            (status = locbo_optimizer_summary(o, &r->summary, error)) != LOCBO_OK)
            break;
        if (method != LOCBO_METHOD_RANDOM) show_progress(done, INITIAL + rounds, r->best.value, &r->summary, terminal);
    }
    if (status == LOCBO_OK) status = locbo_optimizer_recommend(o, &r->bet, r->bet_x, error);
    locbo_optimizer_destroy(o);
    return status;
}

/* Both runs and the result. */
static locbo_status demonstrate(locbo_space *space, long rounds, uint64_t seed, locbo_error *error) {
    locbo_status status;
    if ((status = locbo_space_add_real(space, "x", -10, 10, LOCBO_LINEAR, error)) != LOCBO_OK ||
        (status = locbo_space_add_real(space, "y", -10, 10, LOCBO_LINEAR, error)) != LOCBO_OK)
        return status;
    run ours = {0}, random = {0};
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    status = optimise(space, LOCBO_METHOD_LOCBO, rounds, seed, &ours, error);
    clock_gettime(CLOCK_MONOTONIC, &to);
    if (status == LOCBO_OK) status = optimise(space, LOCBO_METHOD_RANDOM, rounds, seed, &random, error);
    if (status != LOCBO_OK) return status;
    show_result(&ours, &random, (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec));
    return LOCBO_OK;
}

/* A whole decimal number in [low, high], or -1. */
static long long number(const char *text, long long low, long long high) {
    char *end;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    return errno || end == text || *end || value < low || value > high ? -1 : value;
}

int main(int argc, char **argv) {
    long long rounds = argc > 1 ? number(argv[1], 1, 10000) : 50;
    long long seed = argc > 2 ? number(argv[2], 0, INT64_MAX) : 1;
    if (argc > 3 || rounds < 0 || seed < 0) {
        fprintf(stderr, "usage: ackley [rounds (1 .. 10000) [seed (0 ..)]]\n");
        return 2;
    }

    printf("Maximising the noisy 2-D Ackley function over [-10, 10]^2 with LOCBO (locbo %s): "
           "%d initial points, then %lld rounds.\n",
           locbo_version(), INITIAL, rounds);
    fflush(stdout);

    locbo_error error = {LOCBO_OK, ""};
    locbo_space *space = NULL;
    locbo_status status = locbo_space_create(&space, &error);
    if (status == LOCBO_OK) status = demonstrate(space, (long)rounds, (uint64_t)seed, &error);
    locbo_space_destroy(space);
    if (status != LOCBO_OK) {
        fprintf(stderr, "ackley: %s\n", error.message);
        return 1;
    }
    printf("Next: docs/guide.md, another seed (build/examples/ackley 50 2), build/examples/mixed, "
           "make test.\n");
    return 0;
}
