/* several_outputs.h - studies with two objectives, a measured constraint, a derived one and a recorded output. The
 * recorded one is the first of the table, so that no output has the number of its model by chance. */
#ifndef SEVERAL_OUTPUTS_H
#define SEVERAL_OUTPUTS_H

#include "fixture.h"

enum { EPOCHS, LOSS, MEMORY, SPEED, COST, OUTPUTS };

static const char *const output_name[OUTPUTS] = {"epochs", "loss", "memory", "speed", "cost"};

static inline void several_add(locbo_outputs *t, locbo_output_spec spec) {
    spec.struct_size = sizeof spec;
    check_ok(locbo_outputs_add(t, &spec, &error));
}

/* `objectives`: 1: the speed is recorded. `referenced`: whether the table has the reference point. */
static inline locbo_study *several_study(const char *name, size_t objectives, int referenced) {
    locbo_outputs *t;
    locbo_options options;
    uint64_t given = referenced && objectives > 1;
    locbo_options_init(&options);
    check_ok(locbo_outputs_create(&t, &error));
    several_add(t, (locbo_output_spec){.name = "epochs", .goal = LOCBO_GOAL_RECORD});
    several_add(t, (locbo_output_spec){.name = "loss", .referenced = given, .reference = 20});
    several_add(t, (locbo_output_spec){.name = "memory", .goal = LOCBO_GOAL_AT_MOST, .bound = 9});
    several_add(t, (locbo_output_spec){.name = "speed",
                                       .goal = objectives > 1 ? LOCBO_GOAL_MAXIMIZE : LOCBO_GOAL_RECORD,
                                       .referenced = given,
                                       .reference = -20});
    several_add(t, (locbo_output_spec){
                       .name = "cost", .goal = LOCBO_GOAL_AT_MOST, .bound = 15, .expression = "loss + memory / 2"});
    locbo_study *s = fixture_create(name, &options, t);
    locbo_outputs_destroy(t);
    return s;
}

static inline void several_measure(const double *x, draw *d, locbo_measurement *m) {
    const double value[OUTPUTS] = {floor(100 * draw_uniform(d)), fixture_objective(x) + 0.3 * draw_normal(d),
                                   x[0] / 2 + x[2] + 0.1 * draw_normal(d),
                                   x[0] - fabs(log10(x[1])) + 0.1 * draw_normal(d), (double)NAN};
    for (size_t k = 0; k < OUTPUTS; k++) m[k] = (locbo_measurement){value[k], (double)NAN, 1};
}

/* Rounds of ask and tell. Every fifth result lacks the memory, every seventh the speed, every sixth has a replicate
 * that has nothing but the loss. */
static inline void several_play(locbo_study *study, int rounds, draw *d) {
    double x[4];
    locbo_measurement m[2 * OUTPUTS];
    for (int i = 0; i < rounds; i++) {
        uint64_t trial = fixture_ask(study, "me", x);
        several_measure(x, d, m);
        several_measure(x, d, m + OUTPUTS);
        for (size_t k = 0; k < OUTPUTS; k++)
            if (k != LOSS) m[OUTPUTS + k].value = (double)NAN;
        if (trial % 5 == 0) m[MEMORY].value = (double)NAN;
        if (trial % 7 == 0) m[SPEED].value = (double)NAN;
        check_ok(locbo_study_tell(study, trial, 0, trial % 6 == 0 ? 2 : 1, m, &error));
    }
}

#endif
