/* bench_outputs.c - what does a proposal with several outputs cost? CPU time of one ask + tell, with a refit, at n =
 * 100 results in 6 dimensions, as a ratio to that of one output, measured in the same run, in turn.
 *
 *   bench_outputs [repetitions] */
#define _DEFAULT_SOURCE
#include <locbo/locbo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cpu_time.h"
#include "draw.h"

enum { DIM = 6, RESULTS = 100, MOST = 4, TABLES = 5, MOST_REPETITIONS = RESULTS };
static const double NOISE = 0.1; /* half of its range; the outputs have values of 1 or so */
static const double GOAL = 4;    /* of two objectives and a constraint */

static const struct {
    const char *name;
    size_t objectives, constraints;
} tables[TABLES] = {{"1 objective", 1, 0},
                    {"1 objective, 1 constraint", 1, 1},
                    {"2 objectives", 2, 0},
                    {"2 objectives, 1 constraint", 2, 1},
                    {"3 objectives", 3, 0}};

/* Output k at x; each has its optimum elsewhere, so that objectives conflict and a constraint limits them. */
static double output(size_t k, const double *x) {
    double sum = 0, centre = 0.2 + 0.2 * (double)k;
    for (size_t i = 0; i < DIM; i++) sum += 0.2 * sin(5 * x[i] + (double)(i + k)) + (x[i] - centre) * (x[i] - centre);
    return sum;
}

static void measure(size_t count, const double *x, draw *d, locbo_measurement *m) {
    for (size_t k = 0; k < count; k++)
        m[k] = (locbo_measurement){output(k, x) + NOISE * (2 * draw_uniform(d) - 1), NAN, 1};
}

static locbo_outputs *make_table(size_t t) {
    static const char *const names[MOST] = {"a", "b", "c", "d"};
    locbo_outputs *made;
    locbo_error e;
    if (locbo_outputs_create(&made, &e)) die(e.message);
    for (size_t k = 0; k < tables[t].objectives + tables[t].constraints; k++) {
        int objective = k < tables[t].objectives;
        locbo_output_spec spec = {.struct_size = sizeof spec,
                                  .name = names[k],
                                  .goal = objective ? LOCBO_GOAL_MINIMIZE : LOCBO_GOAL_AT_MOST,
                                  .bound = objective ? 0 : 1};
        if (locbo_outputs_add(made, &spec, &e)) die(e.message);
    }
    return made;
}

/* An optimizer with `results` results at random points, the same for all tables. */
static locbo_optimizer *start(size_t t, int results) {
    locbo_error e;
    locbo_space *space;
    locbo_optimizer *o;
    locbo_outputs *table = make_table(t);
    draw d = draw_open(7, 1);
    if (locbo_space_create(&space, &e)) die(e.message);
    for (size_t i = 0; i < DIM; i++) {
        char name[24];
        snprintf(name, sizeof name, "x%zu", i);
        if (locbo_space_add_real(space, name, 0, 1, LOCBO_LINEAR, &e)) die(e.message);
    }
    if (locbo_optimizer_create_for(&o, space, table, NULL, &e)) die(e.message);
    locbo_space_destroy(space);
    locbo_outputs_destroy(table);
    for (int n = 0; n < results; n++) {
        double x[DIM];
        locbo_measurement m[MOST];
        for (size_t i = 0; i < DIM; i++) x[i] = draw_uniform(&d);
        measure(MOST, x, &d, m);
        if (locbo_optimizer_add_outputs(o, x, m, &e)) die(e.message);
    }
    return o;
}

/* Seconds of one round. */
static double round_cost(locbo_optimizer *o, size_t count, draw *d) {
    double x[DIM], begin = cpu_s();
    locbo_measurement m[MOST];
    locbo_trial trial;
    locbo_error e;
    if (locbo_optimizer_ask(o, &trial, x, &e)) die(e.message);
    double asked = cpu_s();
    measure(count, x, d, m);
    double measured = cpu_s();
    if (locbo_optimizer_tell_outputs(o, trial.id, m, &e)) die(e.message);
    return asked - begin + cpu_s() - measured;
}

int main(int argc, char **argv) {
    int repetitions = argc > 1 ? atoi(argv[1]) : 40;
    if (repetitions < 1 || repetitions > MOST_REPETITIONS) die("repetitions must be 1 to 100");
    locbo_optimizer *o[TABLES];
    double total[TABLES] = {0};
    draw d = draw_open(11, 1);
    for (size_t t = 0; t < TABLES; t++) o[t] = start(t, RESULTS - repetitions / 2); /* so many on average */
    for (int r = -1; r < repetitions; r++) /* the first round, which fits from scratch, is not counted */
        for (size_t t = 0; t < TABLES; t++) {
            double cost = round_cost(o[t], tables[t].objectives + tables[t].constraints, &d);
            if (r >= 0) total[t] += cost / repetitions;
        }
    printf("Mean CPU ms of one ask + tell with refit at n = %d results in %d dimensions, over %d rounds; x: times that "
           "of\n"
           "one output.\n\n%-26s  %8s  %5s\n",
           RESULTS, DIM, repetitions, "outputs", "ms", "x");
    for (size_t t = 0; t < TABLES; t++) {
        printf("%-26s  %8.1f  %5.2f\n", tables[t].name, 1e3 * total[t], total[t] / total[0]);
        locbo_optimizer_destroy(o[t]);
    }
    printf("\n%s: %.1f times one output (goal: %g): %s\n", tables[3].name, total[3] / total[0], GOAL,
           total[3] / total[0] <= GOAL ? "met" : "MISSED");
    return 0;
}
