/* training - a study whose evaluations report steps, for the tests of the page and of the figures:
 *     training DB NAME create RULE      RULE: none, risk, median, halving
 *     training DB NAME play N           N evaluations to their ends
 *     training DB NAME begin STEPS      one evaluation that goes on running; prints its number
 *     training DB NAME report TRIAL FROM TO LEVEL    its steps, all of this value; prints "ended" if it is ended early
 *     training DB NAME tell TRIAL VALUE */
#include <inttypes.h>
#include <locbo/study.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"

enum { STEPS = 40 };

static locbo_error error;

static void must(locbo_status status) {
    if (status == LOCBO_OK) return;
    fprintf(stderr, "training: %s\n", error.message);
    exit(1);
}

static void create(locbo_store *store, const char *name, const char *rule) {
    locbo_space *space;
    locbo_study *study;
    locbo_options options;
    locbo_plan plan;
    const char *words[] = {"./train", "{rate}", "{width}"};
    must(locbo_space_create(&space, &error));
    must(locbo_space_add_real(space, "rate", 1e-4, 1, LOCBO_LOG, &error));
    must(locbo_space_add_int(space, "width", 8, 256, LOCBO_LOG, &error));
    locbo_options_init(&options);
    options.seed = 7; /* and so the same coins each time */
    options.candidates = 100;
    options.refine = 2;
    locbo_plan_init(&plan);
    plan.trials = 80;
    while (plan.prune + 1 < LOCBO_PRUNES && strcmp(rule, locbo_prune_name((locbo_prune)plan.prune)) != 0) plan.prune++;
    locbo_definition d = {
        .struct_size = sizeof d, .space = space, .options = &options, .command_count = 3, .command = words};
    must(locbo_study_create(&study, store, name, &d, &plan, &error));
    locbo_study_close(study);
    locbo_space_destroy(space);
}

static locbo_assignment ask(locbo_study *study, double *x) {
    locbo_assignment a;
    locbo_request request = {.struct_size = sizeof request, .worker = "rig", .lease = 600};
    must(locbo_study_ask(study, &request, &a, x, &error));
    return a;
}

/* A loss that falls with the steps, the sooner the larger the rate. */
static double loss_at(const double *x, int step, draw *noise) {
    double far = log10(x[0]) + 2, last = 0.2 + 0.15 * far * far + 0.1 * fabs(log2(x[1]) - 6);
    return last + 1.5 * exp(-step / (9 - 2 * far)) + 0.02 * draw_normal(noise);
}

static int report(locbo_study *study, const locbo_assignment *a, uint64_t step, double value) {
    int end;
    must(locbo_study_report(study, a->trial, a->attempt, 1, &(locbo_step){step, value}, &end, &error));
    return end;
}

static void tell(locbo_study *study, uint64_t trial, double value) {
    must(locbo_study_tell(study, trial, 0, 1, &(locbo_measurement){value, (double)NAN, 1}, &error));
}

static void play(locbo_study *study, int count) {
    double x[2], loss = 0;
    for (int i = 0; i < count; i++) {
        locbo_assignment a = ask(study, x);
        draw noise = draw_open(a.seed, 1);
        int end = 0;
        for (int step = 1; step <= STEPS && !end; step++)
            end = report(study, &a, (uint64_t)step, loss = loss_at(x, step, &noise));
        if (!end) tell(study, a.trial, loss);
    }
}

static void begin(locbo_study *study, int steps) {
    double x[2];
    locbo_assignment a = ask(study, x);
    draw noise = draw_open(a.seed, 1);
    for (int step = 1; step <= steps; step++)
        if (report(study, &a, (uint64_t)step, loss_at(x, step, &noise))) break;
    printf("%" PRIu64 "\n", a.trial);
}

static void go_on(locbo_study *study, char **words) {
    locbo_assignment a = {.trial = strtoull(words[0], NULL, 10), .attempt = 1};
    int end = 0;
    for (uint64_t step = strtoull(words[1], NULL, 10); step <= strtoull(words[2], NULL, 10) && !end; step++)
        end = report(study, &a, step, strtod(words[3], NULL));
    printf("%s\n", end ? "ended" : "running");
}

int main(int count, char **words) {
    locbo_store *store;
    locbo_study *study;
    if (count < 5) return 2;
    const char *verb = words[3];
    must(locbo_store_open(&store, words[1], LOCBO_STORE_CREATE, &error));
    if (strcmp(verb, "create") == 0) {
        create(store, words[2], words[4]);
    } else {
        must(locbo_study_open(&study, store, words[2], &error));
        if (strcmp(verb, "play") == 0) play(study, atoi(words[4]));
        if (strcmp(verb, "begin") == 0) begin(study, atoi(words[4]));
        if (strcmp(verb, "report") == 0 && count == 8) go_on(study, words + 4);
        if (strcmp(verb, "tell") == 0 && count == 6) tell(study, strtoull(words[4], NULL, 10), strtod(words[5], NULL));
        locbo_study_close(study);
    }
    locbo_store_close(store);
    return 0;
}
