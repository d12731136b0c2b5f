/* stage.h - a model with data, a calibrator that has learnt, a success model and their surface,
 * without an optimizer around them. */
#ifndef STAGE_H
#define STAGE_H

#include "scene.h"
#include "space.h"
#include "surface.h"

enum { STAGE_ROWS = 20, STAGE_FAILURES = 5, STAGE_MAX = 16 };

typedef struct stage {
    const locbo_space *space;
    size_t dim, columns;
    gp *model;
    calibrator *calibrator;
    feasible *success;
    surface surface;
    surface_work work;
    double x[STAGE_ROWS * STAGE_MAX], u[STAGE_ROWS * STAGE_MAX], y[STAGE_ROWS];
    double low[STAGE_MAX], high[STAGE_MAX];
    unsigned char held[STAGE_MAX];
} stage;

static inline void stage_point(const stage *s, rng *r, double *x, double *u) {
    double t[STAGE_MAX];
    for (size_t j = 0; j < s->dim; j++) t[j] = rng_uniform(r);
    space_from_unit(s->space, t, x);
    space_encode(s->space, x, u);
}

static inline void stage_model(stage *s, rng *r) {
    double theta[STAGE_MAX + 2], ones[STAGE_ROWS], none[STAGE_ROWS] = {0};
    gp_spec spec = {LOCBO_KERNEL_MATERN52, s->columns, s->dim, space_group(s->space), 1, 0};
    for (size_t i = 0; i < STAGE_ROWS; i++) {
        stage_point(s, r, s->x + i * s->dim, s->u + i * s->columns);
        s->y[i] = 1 - 2 * scene_bowl(s->space, s->x + i * s->dim) + 0.2 * rng_normal(r);
        ones[i] = 1;
    }
    for (size_t j = 0; j < s->dim; j++) theta[j] = log(0.4 + 0.1 * (double)j);
    theta[s->dim] = log(1.2);
    theta[s->dim + 1] = log(0.05);
    gp_data data = {STAGE_ROWS, s->u, s->y, ones, none, NULL};
    check_ok(gp_create(&s->model, &spec, &error));
    check_ok(gp_factor(s->model, theta, &data, &error));
    /* labels: what is far from the middle fails */
    double bad[STAGE_FAILURES * STAGE_MAX], spare[STAGE_MAX];
    int sure[STAGE_FAILURES];
    for (size_t i = 0; i < STAGE_FAILURES; i++) {
        stage_point(s, r, spare, bad + i * s->columns);
        bad[i * s->columns] = 0.8 + 0.04 * (double)i;
        sure[i] = i % 2 == 0;
    }
    check_ok(feasible_create(&s->success, &spec, s->dim, &error));
    check_ok(feasible_fit(s->success, 0, STAGE_ROWS, s->u, NULL, STAGE_FAILURES, bad, sure, *r, &error));
}

/* The calibrator of a method after 25 results, with steps large enough to see. */
static inline void stage_calibrate(stage *s, const scene_method *m, rng *r) {
    locbo_options o = scene_options(m, 1);
    locbo_options config = {.method = o.method,
                            .alpha = o.alpha,
                            .eta0 = 0.05,
                            .step_power = 0.1,
                            .localization = o.localization,
                            .gain = 1,
                            .decay = 0.01,
                            .tail = 1,
                            .z_max = 3.4,
                            .levels = 9,
                            .cbo_temperature = 0.1,
                            .cbo_chains = 4,
                            .cbo_steps = 20};
    check_ok(calibrator_create(&s->calibrator, &config, s->columns, s->dim, &error));
    for (int i = 0; i < 25; i++) {
        double x[STAGE_MAX], u[STAGE_MAX];
        int covered;
        calibrator_set asked = {NAN, -1, 1};
        stage_point(s, r, x, u);
        check_ok(calibrator_tell(s->calibrator, u, 1.5 * rng_normal(r), &asked, NULL, &covered, &error));
    }
}

/* Everything for one method on one space; `seed` decides data and results. */
static inline stage *stage_open(const locbo_space *space, const scene_method *m, uint64_t seed) {
    stage *s = calloc(1, sizeof *s);
    rng r = rng_open(seed, 1, RNG_DESIGN);
    s->space = space;
    s->dim = locbo_space_dim(space);
    s->columns = space_columns(space);
    stage_model(s, &r);
    stage_calibrate(s, m, &r);
    check_ok(surface_work_init(&s->work, s->columns, &error));
    s->surface = (surface){
        .part = {{s->model, gp_noise_var(s->model), s->calibrator, &s->work, NULL}},
        .acquisition =
            {.kind = LOCBO_ACQUISITION_LOG_EI, .best = 0.8, .ucb_level = 0.9, .parts = 1, .alpha = 0.1, .caution = 0.7},
        .columns = s->columns};
    for (size_t c = 0; c < s->columns; c++) {
        s->held[c] = space_kind(space, space_group(space)[c]) == LOCBO_CATEGORICAL;
        s->high[c] = s->held[c] ? sqrt(0.5) : 1;
    }
    calibrator_context scene = {s->model, 0.8, s->low, s->high, rng_open(seed, 2, RNG_CHAINS), s->held};
    check_ok(calibrator_prepare(s->calibrator, &scene, &error));
    return s;
}

static inline void stage_close(stage *s) {
    surface_work_release(&s->work);
    calibrator_destroy(s->calibrator);
    feasible_destroy(s->success);
    gp_destroy(s->model);
    free(s);
}

/* The gradient of the surface against central differences of the scores of batches. */
static inline void stage_check_gradient(const surface *f, const double *u) {
    double here, grad[64], at[2 * 64], both[2], size = 0, step = 1e-6;
    size_t columns = f->columns;
    check_ok(surface_score_grad(f, u, &here, grad, &error));
    check_ok(surface_score(f, 1, u, both, &error));
    check_close(here, both[0], 1e-8, 1e-8); /* the same numbers through dgemm and dgemv */
    for (size_t c = 0; c < columns; c++) size = fmax(size, fabs(grad[c]));
    for (size_t c = 0; c < columns; c++) {
        for (size_t k = 0; k < 2; k++) {
            memcpy(at + k * columns, u, columns * sizeof *at);
            at[k * columns + c] += k ? -step : step;
        }
        check_ok(surface_score(f, 2, at, both, &error));
        double slope = (both[0] - both[1]) / (2 * step);
        /* third derivatives times step^2, and rounding of 1e-13 or so of the scores over the step */
        check_that(fabs(grad[c] - slope) <= 1e-6 * size + 1e-6, "column %zu: %.12g, by differences %.12g", c, grad[c],
                   slope);
    }
}

#endif
