/* ackley.c - the demo: maximise the noisy two-dimensional Ackley function of the paper (eq:2D_ackley) with LOCBO.
 *
 *     ackley [rounds [seed]]        default: 50 rounds after 5 initial points, seed 1
 *
 * The noise grows with the distance from the optimum (variance (|x| + 10)/20), which the Gaussian process, with its
 * one noise variance, does not know: the calibration has something to do. Results go to standard output, progress
 * to standard error: a bar on a terminal, plain lines otherwise.
 * Exit codes: 0 done, 1 the library reported an error, 2 the command line makes no sense. */
#define _POSIX_C_SOURCE 200809L /* isatty */

#include <locbo/locbo.h>

#include <errno.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { INITIAL = 5, DIM = 2 };

static const double PI = 3.14159265358979323846;

/* The true function; its maximum is 0, at the origin. */
static double ackley(const double *x) {
    double square = (x[0] * x[0] + x[1] * x[1]) / 2;
    double wave = (cos(2 * PI * x[0]) + cos(2 * PI * x[1])) / 2;
    return 20 * exp(-0.2 * sqrt(square)) + exp(wave) - 20 - exp(1.0);
}

/* splitmix64: a small generator, so that the demo is the same everywhere. */
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

static void show_result(const locbo_choice *best, const double *best_x, const locbo_choice *bet,
                        const double *bet_x, const locbo_summary *s) {
    printf("observed best  %7.3f measured at (%.3f, %.3f), where the true f is %.3f\n", best->value,
           best_x[0], best_x[1], ackley(best_x));
    printf("recommended    %7.3f expected at (%.3f, %.3f), f between %.3f and %.3f at level %.2f\n", bet->value,
           bet_x[0], bet_x[1], bet->low, bet->high, bet->level);
    double truth = ackley(bet_x);
    printf("true regret    %7.3f there: the true f is %.3f, %s the interval; its maximum is 0, at the origin\n",
           0 - truth, truth, bet->low <= truth && truth <= bet->high ? "inside" : "outside");
    if (s->judged > 0)
        printf("coverage       %5.1f %%  of %llu measurements fell inside their calibrated set, target %.1f %%\n",
               100 * s->coverage, (unsigned long long)s->judged, 100 * s->target);
    printf("guarantee      %s\n", s->guarantee);
}

/* All the work; the caller destroys what was created. */
static locbo_status optimise(long rounds, uint64_t seed, locbo_space *space, locbo_optimizer **optimizer,
                             locbo_error *error) {
    locbo_options options;
    locbo_options_init(&options);
    options.direction = LOCBO_MAXIMIZE;
    options.method = LOCBO_METHOD_LOCBO;
    options.initial = INITIAL;
    options.seed = seed;

    locbo_status status;
    if ((status = locbo_space_add_real(space, "x", -10, 10, LOCBO_LINEAR, error)) != LOCBO_OK ||
        (status = locbo_space_add_real(space, "y", -10, 10, LOCBO_LINEAR, error)) != LOCBO_OK ||
        (status = locbo_optimizer_create(optimizer, space, &options, error)) != LOCBO_OK)
        return status;

    uint64_t noise = seed;
    int terminal = isatty(STDERR_FILENO);
    locbo_choice best = {0}, bet = {0};
    locbo_summary summary = {0};
    double best_x[DIM], bet_x[DIM];
    for (long done = 1; done <= INITIAL + rounds; done++) {
        locbo_trial trial;
        double x[DIM];
        if ((status = locbo_optimizer_ask(*optimizer, &trial, x, error)) != LOCBO_OK) return status;
        locbo_measurement y = {.value = measure(x, &noise), .sd = NAN, .n = 1};
        if ((status = locbo_optimizer_tell(*optimizer, trial.id, &y, error)) != LOCBO_OK ||
            (status = locbo_optimizer_best(*optimizer, &best, best_x, error)) != LOCBO_OK ||
            (status = locbo_optimizer_summary(*optimizer, &summary, error)) != LOCBO_OK)
            return status;
        show_progress(done, INITIAL + rounds, best.value, &summary, terminal);
    }
    if ((status = locbo_optimizer_recommend(*optimizer, &bet, bet_x, error)) != LOCBO_OK) return status;
    show_result(&best, best_x, &bet, bet_x, &summary);
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
           "%d initial points, then %lld rounds.\n", locbo_version(), INITIAL, rounds);
    fflush(stdout);

    locbo_error error = {LOCBO_OK, ""};
    locbo_space *space = NULL;
    locbo_optimizer *optimizer = NULL;
    locbo_status status = locbo_space_create(&space, &error);
    if (status == LOCBO_OK) status = optimise((long)rounds, (uint64_t)seed, space, &optimizer, &error);
    locbo_optimizer_destroy(optimizer);
    locbo_space_destroy(space);
    if (status != LOCBO_OK) {
        fprintf(stderr, "ackley: %s\n", error.message);
        return 1;
    }
    printf("Next: read examples/ackley.c, try another seed (build/examples/ackley 50 2), or make test.\n");
    return 0;
}
