/* tradeoff.c - two objectives and a measured constraint: how quick a pump can be, how little power it needs, and how
 * loud it may be.
 *
 * A made-up pump has a speed and a pressure. Its flow is to be large and its power small, which contradict each other,
 * so there is no best point but a front; and its noise must stay below 70 dB. All three are measured with errors. */
#include <locbo/locbo.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SPEED, PRESSURE, DIM };
enum { FLOW, POWER, LOUDNESS, OUTPUTS };
enum { TRIALS = 40, SHOWN = 40 };

static void check(locbo_status status, const locbo_error *error) {
    if (status == LOCBO_OK) return;
    fprintf(stderr, "tradeoff: %s\n", error->message);
    exit(1);
}

/* The truth without errors. */
static void pump(const double *x, double *y) {
    double slip = 0.3 * x[PRESSURE] * x[PRESSURE];
    y[FLOW] = 10 * x[SPEED] * (1 - slip);
    y[POWER] = 1 + 4 * pow(x[SPEED], 3) + 2 * x[SPEED] * x[PRESSURE];
    y[LOUDNESS] = 55 + 25 * x[SPEED] * x[SPEED];
}

static double error_of(double sd) { /* the sum of 12 uniform numbers is all but normal, with variance 1 */
    double sum = 0;
    for (int i = 0; i < 12; i++) sum += rand() / (double)RAND_MAX - 0.5;
    return sd * sum;
}

static void measure(const double *x, locbo_measurement *m) {
    static const double sd[OUTPUTS] = {0.1, 0.1, 0.5};
    double y[OUTPUTS];
    pump(x, y);
    for (int i = 0; i < OUTPUTS; i++) m[i] = (locbo_measurement){.value = y[i] + error_of(sd[i]), .sd = NAN, .n = 1};
}

static locbo_optimizer *start(locbo_error *error) {
    locbo_output_spec flow = {.struct_size = sizeof flow, .name = "flow", .goal = LOCBO_GOAL_MAXIMIZE};
    locbo_output_spec power = {.struct_size = sizeof power, .name = "power", .goal = LOCBO_GOAL_MINIMIZE};
    locbo_output_spec loudness = {
        .struct_size = sizeof loudness, .name = "loudness", .goal = LOCBO_GOAL_AT_MOST, .bound = 70};
    locbo_space *space;
    locbo_outputs *outputs;
    locbo_optimizer *o;
    check(locbo_space_create(&space, error), error);
    check(locbo_space_add_real(space, "speed", 0, 1, LOCBO_LINEAR, error), error);
    check(locbo_space_add_real(space, "pressure", 0, 1, LOCBO_LINEAR, error), error);
    check(locbo_outputs_create(&outputs, error), error);
    check(locbo_outputs_add(outputs, &flow, error), error);
    check(locbo_outputs_add(outputs, &power, error), error);
    check(locbo_outputs_add(outputs, &loudness, error), error);
    check(locbo_optimizer_create_for(&o, space, outputs, NULL, error), error); /* NULL: the default options */
    locbo_space_destroy(space);                                                /* both are copied */
    locbo_outputs_destroy(outputs);
    return o;
}

int main(void) {
    locbo_error error;
    locbo_optimizer *o = start(&error);
    for (int i = 0; i < TRIALS; i++) {
        locbo_trial trial;
        double x[DIM];
        locbo_measurement m[OUTPUTS];
        check(locbo_optimizer_ask(o, &trial, x, &error), &error);
        measure(x, m);
        check(locbo_optimizer_tell_outputs(o, trial.id, m, &error), &error);
    }

    locbo_front_point point[SHOWN];
    double x[SHOWN][DIM];
    locbo_belief belief[SHOWN][OUTPUTS];
    size_t count;
    check(locbo_optimizer_front(o, LOCBO_FRONT_BELIEVED, SHOWN, point, x[0], NULL, belief[0], &count, &error), &error);
    printf("%zu of %d trials are in the front\n", count, TRIALS);
    printf("trial  speed  pressure   flow  power  quiet enough with probability\n");
    for (size_t i = 0; i < count && i < SHOWN; i++)
        printf("%5d  %5.2f  %8.2f  %5.2f  %5.2f  %.3f\n", (int)point[i].trial, x[i][SPEED], x[i][PRESSURE],
               belief[i][FLOW].mean, belief[i][POWER].mean, point[i].feasible);

    size_t loud = 0;
    for (size_t i = 0; i < count && i < SHOWN; i++) {
        double y[OUTPUTS];
        pump(x[i], y);
        loud += y[LOUDNESS] > 70;
    }
    printf("%zu of them are in truth too loud\n", loud);
    locbo_optimizer_destroy(o);
    return 0;
}
