/* test_surface.c - scores in batches and one by one, and their gradients against central
 * differences, for every method and acquisition, a score of the caller's own included, with and without a success
 * model. */
#include "own_score.h"
#include "stage.h"

enum { POINTS = 12 };
static const double STEP = 1e-5;

/* Score at u with the shape of the law as it is at `centre`: what CBO's gradient is the gradient
 * of. */
static double score_with_shape(stage *s, const double *u, const law *centre) {
    double log_p = 0;
    check_ok(surface_predict(&s->surface, 1, u, &error));
    acquisition_point at = {.law = *centre};
    at.law.mu = s->work.mu[0] - (centre->kind == LAW_NORMAL ? CALIBRATOR_WORTHLESS : 0);
    at.law.v = s->work.v[0];
    double score = acquisition_score(&s->surface.acquisition, &at, NULL);
    if (!s->surface.success) return score;
    check_ok(feasible_log_weight(s->success, 1, u, &log_p, &error));
    int ucb = s->surface.acquisition.kind == LOCBO_ACQUISITION_UCB && !s->surface.acquisition.score;
    return score + (ucb ? sqrt(at.law.v + at.law.s2) : 1) * log_p;
}

static double score_at(stage *s, const double *u, const law *shape) {
    if (shape) return score_with_shape(s, u, shape);
    double score;
    check_ok(surface_score(&s->surface, 1, u, &score, &error));
    return score;
}

static void check_gradient(stage *s, const scene_method *m, const double *u) {
    double score, grad[STAGE_MAX], at[STAGE_MAX], size = 0;
    law shape;
    int frozen = strcmp(m->method, "cbo") == 0;
    check_ok(surface_score_grad(&s->surface, u, &score, grad, &error));
    double plain = score_at(s, u, NULL);
    check_close(score, plain, 1e-10, 1e-10); /* the same numbers through dgemm and dgemv */
    calibrator_point p = surface_point(&s->surface, 0, u, 0);
    calibrator_law(s->calibrator, &p, &shape);
    for (size_t c = 0; c < s->columns; c++) size = fmax(size, fabs(grad[c]));
    for (size_t c = 0; c < s->columns; c++) {
        memcpy(at, u, s->columns * sizeof *at);
        at[c] = u[c] + STEP;
        double up = score_at(s, at, frozen ? &shape : NULL);
        at[c] = u[c] - STEP;
        double slope = (up - score_at(s, at, frozen ? &shape : NULL)) / (2 * STEP);
        /* differences: third derivatives of size up to 1e3 times STEP^2, and rounding of scores
         * that the model knows to 1e-12 or so over STEP: 1e-6 together; asked for is 1e-5 of the
         * largest slope */
        if (!check_agrees(grad[c], slope, 0, 1e-5 * size + 1e-6))
            fail_msg("%s, acquisition %d%s, success %d, column %zu: %.12g, by differences %.12g", m->label,
                     (int)s->surface.acquisition.kind, s->surface.acquisition.score ? " replaced" : "",
                     s->surface.success != NULL, c, grad[c], slope);
    }
}

static void gradients(const locbo_space *space) {
    for (size_t k = 0; k + 1 < SCENE_METHOD_COUNT; k++) {
        stage *s = stage_open(space, &SCENE_METHODS[k], 40 + k);
        for (int kind = LOCBO_ACQUISITION_LOG_EI; kind <= LOCBO_ACQUISITION_UCB + 1; kind++)
            for (int success = 0; success < 2; success++) {
                rng r = rng_open(9, k, RNG_DESIGN);
                int own = kind > LOCBO_ACQUISITION_UCB; /* then the kind, UCB, must not matter */
                s->surface.acquisition.score = own ? own_score : NULL;
                if (!own) s->surface.acquisition.kind = (locbo_acquisition)kind;
                s->surface.success = success ? s->success : NULL;
                for (int i = 0; i < POINTS; i++) {
                    double x[STAGE_MAX], u[STAGE_MAX];
                    stage_point(s, &r, x, u);
                    check_gradient(s, &SCENE_METHODS[k], u);
                }
            }
        stage_close(s);
    }
}

static void gradients_on_the_cube(void **state) {
    (void)state;
    locbo_space *space = scene_cube(3);
    gradients(space);
    locbo_space_destroy(space);
}

static void gradients_with_categories(void **state) {
    (void)state;
    locbo_space *space = scene_mixed();
    gradients(space);
    locbo_space_destroy(space);
}

/* A batch longer than a block gives what single points give, and every score is finite. */
static void batches(void **state) {
    (void)state;
    enum { MANY = 600 };
    locbo_space *space = scene_mixed();
    for (size_t k = 0; k + 1 < SCENE_METHOD_COUNT; k++) {
        stage *s = stage_open(space, &SCENE_METHODS[k], 60 + k);
        double *u = calloc(MANY * s->columns, sizeof *u), *score = calloc(MANY, sizeof *score), x[3];
        rng r = rng_open(10, k, RNG_DESIGN);
        for (size_t i = 0; i < MANY; i++) stage_point(s, &r, x, u + i * s->columns);
        s->surface.success = s->success;
        check_ok(surface_score(&s->surface, MANY, u, score, &error));
        for (size_t i = 0; i < MANY; i++) {
            assert_true(isfinite(score[i]));
            if (i % 50) continue;
            double alone = score_at(s, u + i * s->columns, NULL);
            check_close(score[i], alone, 1e-10, 1e-10); /* dgemm orders sums by size of the batch */
        }
        free(u);
        free(score);
        stage_close(s);
    }
    locbo_space_destroy(space);
}

/* The success model only lowers a score, and more where trials failed. */
static void success_lowers_scores(void **state) {
    (void)state;
    locbo_space *space = scene_cube(2);
    stage *s = stage_open(space, &SCENE_METHODS[2], 70);
    for (int kind = LOCBO_ACQUISITION_LOG_EI; kind <= LOCBO_ACQUISITION_UCB; kind++) {
        double good[] = {0.2, 0.5}, bad[] = {0.95, 0.5}, drop[2];
        s->surface.acquisition.kind = (locbo_acquisition)kind;
        for (int i = 0; i < 2; i++) {
            s->surface.success = NULL;
            double before = score_at(s, i ? bad : good, NULL);
            s->surface.success = s->success;
            drop[i] = before - score_at(s, i ? bad : good, NULL);
        }
        assert_true(drop[0] >= 0 && drop[1] > drop[0]);
    }
    stage_close(s);
    locbo_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradients_on_the_cube),
        cmocka_unit_test(gradients_with_categories),
        cmocka_unit_test(batches),
        cmocka_unit_test(success_lowers_scores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
