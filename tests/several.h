/* several.h - optimizers of several outputs that tests share. The table has what is recorded first, then constraints,
 * then objectives, so that no output has the number of its model by chance. */
#ifndef SEVERAL_H
#define SEVERAL_H

#include "scene.h"

enum { SEVERAL_MOST = 12, SEVERAL_DIM = 4 };

static inline void several_add(locbo_outputs *t, locbo_output_spec spec) {
    spec.struct_size = sizeof spec;
    check_ok(locbo_outputs_add(t, &spec, &error));
}

static inline locbo_outputs *several_table(size_t recorded, size_t constraints, size_t objectives) {
    locbo_outputs *t = NULL;
    char name[32];
    check_ok(locbo_outputs_create(&t, &error));
    for (size_t i = 0; i < recorded + constraints + objectives; i++) {
        locbo_goal goal = i < recorded                 ? LOCBO_GOAL_RECORD
                          : i < recorded + constraints ? LOCBO_GOAL_AT_MOST
                          : i % 2                      ? LOCBO_GOAL_MAXIMIZE
                                                       : LOCBO_GOAL_MINIMIZE;
        snprintf(name, sizeof name, "y%zu", i);
        several_add(t, (locbo_output_spec){.name = name, .goal = goal, .bound = 0.3});
    }
    return t;
}

static inline locbo_output_spec several_spec(const locbo_outputs *t, size_t i) {
    locbo_output_spec spec = {.struct_size = sizeof spec};
    check_ok(locbo_outputs_get(t, i, &spec, &error));
    return spec;
}

static inline locbo_optimizer *several_optimizer(const locbo_space *space, const locbo_outputs *t,
                                                 const locbo_options *options) {
    locbo_optimizer *o = NULL;
    check_ok(locbo_optimizer_create_for(&o, space, t, options, &error));
    return o;
}

/* The outputs at x, without noise: bowls with different bottoms; with its sign turned where larger is better. */
static inline void several_values(const locbo_optimizer *o, const double *x, double *value) {
    const locbo_space *space = locbo_optimizer_space(o);
    const locbo_outputs *t = locbo_optimizer_outputs(o);
    for (size_t i = 0; i < locbo_outputs_count(t); i++) {
        locbo_goal goal = several_spec(t, i).goal;
        value[i] = 0;
        for (size_t j = 0; j < locbo_space_dim(space); j++) {
            locbo_parameter p;
            check_ok(locbo_space_parameter(space, j, &p, &error));
            double u =
                p.scale == LOCBO_LOG ? log(x[j] / p.low) / log(p.high / p.low) : (x[j] - p.low) / (p.high - p.low);
            value[i] += pow(u - 0.2 - 0.25 * (double)((i + j) % 3), 2);
        }
        if (goal == LOCBO_GOAL_MAXIMIZE || goal == LOCBO_GOAL_AT_LEAST) value[i] = 1 - value[i];
    }
}

/* Noisy measurements of them. */
static inline void several_measure(const locbo_optimizer *o, const double *x, double noise, rng *r,
                                   locbo_measurement *m) {
    double value[SEVERAL_MOST];
    several_values(o, x, value);
    for (size_t i = 0; i < locbo_outputs_count(locbo_optimizer_outputs(o)); i++)
        m[i] = (locbo_measurement){value[i] + (noise > 0 ? noise * rng_normal(r) : 0), NAN, 1};
}

/* n rounds with this noise. */
static inline void several_rounds(locbo_optimizer *o, size_t n, double noise, rng *r) {
    for (size_t i = 0; i < n; i++) {
        double x[SEVERAL_DIM];
        locbo_measurement m[SEVERAL_MOST];
        uint64_t id = scene_ask(o, NULL, x);
        several_measure(o, x, noise, r, m);
        check_ok(locbo_optimizer_tell_outputs(o, id, m, &error));
    }
}

#endif
