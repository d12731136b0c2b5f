/* scene.h - spaces, objectives and optimizers that several tests share. */
#ifndef SCENE_H
#define SCENE_H

#include "check.h"
#include "rng.h"

/* Every method, and the two that are one method with other settings. */
typedef struct scene_method {
    const char *label, *method, *localization;
} scene_method;

static const scene_method SCENE_METHODS[] = {
    {"locbo", "locbo", "0.25"}, {"locbo, l = inf", "locbo", "inf"}, {"bo", "bo", "0.25"},        {"cbo", "cbo", "0.25"},
    {"ocbo", "ocbo", "0.25"},   {"ocbo-l", "ocbo-l", "0.25"},       {"random", "random", "0.25"}};
enum { SCENE_METHOD_COUNT = sizeof SCENE_METHODS / sizeof SCENE_METHODS[0] };

static inline void scene_set(locbo_options *options, const char *name, const char *value) {
    check_ok(locbo_options_set(options, name, value, &error));
}

/* The defaults with this method, cheap enough for a test. */
static inline locbo_options scene_options(const scene_method *m, uint64_t seed) {
    locbo_options options;
    locbo_options_init(&options);
    scene_set(&options, "method", m->method);
    scene_set(&options, "localization", m->localization);
    options.seed = seed;
    options.cbo_steps = 10;
    options.refine = 2;
    options.candidates = 100;
    return options;
}

/* The unit cube. */
static inline locbo_space *scene_cube(size_t dim) {
    locbo_space *space = NULL;
    check_ok(locbo_space_create(&space, &error));
    for (size_t i = 0; i < dim; i++) {
        char name[32];
        snprintf(name, sizeof name, "x%zu", i);
        check_ok(locbo_space_add_real(space, name, 0, 1, LOCBO_LINEAR, &error));
    }
    return space;
}

/* One parameter of every kind. */
static inline locbo_space *scene_mixed(void) {
    static const char *const words[] = {"red", "green", "blue"};
    locbo_space *space = NULL;
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_real(space, "rate", 1e-4, 1, LOCBO_LOG, &error));
    check_ok(locbo_space_add_int(space, "layers", 1, 12, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_categorical(space, "colour", 3, words, &error));
    return space;
}

/* A bowl with its bottom inside each of the two kinds of space; smaller is better. */
static inline double scene_bowl(const locbo_space *space, const double *x) {
    double sum = 0;
    for (size_t i = 0; i < locbo_space_dim(space); i++) {
        locbo_parameter p;
        check_ok(locbo_space_parameter(space, i, &p, &error));
        double t = p.scale == LOCBO_LOG ? log(x[i] / p.low) / log(p.high / p.low) : (x[i] - p.low) / (p.high - p.low);
        double d = p.kind == LOCBO_CATEGORICAL ? 0.4 * (x[i] != 1) : t - 0.3 - 0.1 * (double)i;
        sum += d * d;
    }
    return 4 * sum;
}

static inline locbo_optimizer *scene_optimizer(const locbo_space *space, const locbo_options *options) {
    locbo_optimizer *o = NULL;
    check_ok(locbo_optimizer_create(&o, space, options, &error));
    return o;
}

static inline uint64_t scene_ask(locbo_optimizer *o, locbo_trial *trial, double *x) {
    locbo_trial spare;
    if (!trial) trial = &spare;
    check_ok(locbo_optimizer_ask(o, trial, x, &error));
    check_ok(locbo_space_check(locbo_optimizer_space(o), x, &error));
    return trial->id;
}

static inline void scene_tell(locbo_optimizer *o, uint64_t id, double value) {
    locbo_measurement m = {value, NAN, 1};
    check_ok(locbo_optimizer_tell(o, id, &m, &error));
}

static inline void scene_add(locbo_optimizer *o, const double *x, double value) {
    locbo_measurement m = {value, NAN, 1};
    check_ok(locbo_optimizer_add(o, x, &m, &error));
}

static inline locbo_summary scene_summary(locbo_optimizer *o) {
    locbo_summary s;
    check_ok(locbo_optimizer_summary(o, &s, &error));
    return s;
}

/* n rounds on the noisy bowl. */
static inline void scene_rounds(locbo_optimizer *o, size_t n, double noise, rng *r) {
    double x[32];
    for (size_t i = 0; i < n; i++) {
        uint64_t id = scene_ask(o, NULL, x);
        scene_tell(o, id, scene_bowl(locbo_optimizer_space(o), x) + noise * rng_normal(r));
    }
}

/* A stream for a random test; its seed is printed so that a failure can be repeated. */
static inline rng scene_random(uint64_t seed) {
    print_message("random test, seed %llu\n", (unsigned long long)seed);
    return rng_open(seed, 0, RNG_DESIGN);
}

#endif
