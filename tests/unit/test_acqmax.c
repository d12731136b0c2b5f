/* test_acqmax.c - the maximiser against dense grids and complete lists. */
#include "acqmax.h"

#include "design.h"
#include "stage.h"

static acqmax_request request(stage *s, uint64_t seed) {
    return (acqmax_request){.space = s->space,
                            .surface = &s->surface,
                            .anchors = s->x,
                            .anchor_count = 4,
                            .refine = 4,
                            .stream = rng_open(seed, 1, RNG_CANDIDATES),
                            .path = rng_open(seed, 1, RNG_THOMPSON)};
}

static double score_of(stage *s, const double *x) {
    double u[STAGE_MAX], score;
    space_encode(s->space, x, u);
    check_ok(surface_score(&s->surface, 1, u, &score, &error));
    return score;
}

/* Run once; the score that comes back is that of the point. */
static double run(stage *s, const acqmax_request *r, double *x) {
    acqmax *a = NULL;
    double score;
    check_ok(acqmax_create(&a, s->dim, s->columns, &error));
    check_ok(acqmax_run(a, r, x, &score, &error));
    check_ok(locbo_space_check(s->space, x, &error));
    if (s->surface.acquisition.kind != LOCBO_ACQUISITION_THOMPSON)
        check_close(score, score_of(s, x), 1e-9, 1e-9); /* batches order sums by their size */
    acqmax_destroy(a);
    return score;
}

/* ---- against a grid -------------------------------------------------------------------------- */

static double grid_best(stage *s, size_t n) {
    double best = -INFINITY;
    for (size_t i = 0; i < n * n; i++) {
        double x[] = {(double)(i % n) / (double)(n - 1), (double)(i / n) / (double)(n - 1)};
        best = fmax(best, score_of(s, x));
    }
    return best;
}

static void refined_points_beat_a_grid(void **state) {
    (void)state;
    locbo_space *space = scene_cube(2);
    for (size_t k = 0; k + 1 < SCENE_METHOD_COUNT; k++) {
        if (strcmp(SCENE_METHODS[k].method, "cbo") == 0) continue; /* its surface has jumps */
        for (int kind = LOCBO_ACQUISITION_LOG_EI; kind <= LOCBO_ACQUISITION_UCB; kind += 3) {
            stage *s = stage_open(space, &SCENE_METHODS[k], 80 + k);
            double x[2];
            s->surface.acquisition.kind = (locbo_acquisition)kind;
            if (k % 2) s->surface.success = s->success;
            acqmax_request r = request(s, 5);
            double found = run(s, &r, x), grid = grid_best(s, 101);
            check_that(found >= grid - 1e-9, "%s: found %.12g, on the grid %.12g", SCENE_METHODS[k].label, found, grid);
            stage_close(s);
        }
    }
    locbo_space_destroy(space);
}

/* Refinement never loses: with the same candidates it is at least as good as without. */
static void refinement_improves(void **state) {
    (void)state;
    locbo_space *space = scene_mixed();
    for (size_t k = 0; k + 1 < SCENE_METHOD_COUNT; k++) {
        stage *s = stage_open(space, &SCENE_METHODS[k], 90 + k);
        acqmax_request r = request(s, 6);
        double x[3];
        r.candidates = 50;
        r.refine = 0;
        double before = run(s, &r, x);
        r.refine = 3;
        double after = run(s, &r, x);
        assert_true(after >= before);
        stage_close(s);
    }
    locbo_space_destroy(space);
}

/* ---- finite spaces --------------------------------------------------------------------------- */

static locbo_space *finite_space(void) {
    static const char *const words[] = {"a", "b", "c"};
    locbo_space *space = NULL;
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_int(space, "n", 0, 9, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_categorical(space, "w", 3, words, &error));
    check_ok(locbo_space_add_int(space, "m", 1, 20, LOCBO_LOG, &error));
    return space;
}

/* The best point that agrees with `fixed` and is not among the taken ones, by trying all 600. */
static double list_best(stage *s, const acqmax_request *r) {
    double best = -INFINITY;
    for (uint64_t k = 0; k < 600; k++) {
        double x[3];
        int fits = 1;
        space_point(s->space, NULL, k, x);
        for (int j = 0; r->fixed && j < 3; j++) fits = fits && (isnan(r->fixed[j]) || x[j] == r->fixed[j]);
        if (fits && !acqmax_is_taken(r, x, r->taken_count)) best = fmax(best, score_of(s, x));
    }
    return best;
}

static void finite_spaces_are_searched_completely(void **state) {
    (void)state;
    locbo_space *space = finite_space();
    const double fixed[][3] = {{NAN, NAN, NAN}, {NAN, 2, NAN}, {4, NAN, 7}, {NAN, 0, 20}};
    for (size_t k = 0; k + 1 < SCENE_METHOD_COUNT; k++) {
        stage *s = stage_open(space, &SCENE_METHODS[k], 100 + k);
        for (size_t f = 0; f < 4; f++) {
            acqmax_request r = request(s, f);
            double x[3];
            r.fixed = fixed[f];
            r.taken = s->x;
            r.taken_count = STAGE_ROWS;
            double found = run(s, &r, x);
            for (int j = 0; j < 3; j++) assert_true(isnan(fixed[f][j]) || x[j] == fixed[f][j]);
            assert_false(acqmax_is_taken(&r, x, STAGE_ROWS));
            check_close(found, list_best(s, &r), 1e-9, 1e-9); /* as in run */
        }
        stage_close(s);
    }
    locbo_space_destroy(space);
}

/* Points are taken one by one: no repetition until all 600 are, for every way of choosing. */
static void no_repetition_before_the_end(void **state) {
    (void)state;
    locbo_space *space = finite_space();
    stage *s = stage_open(space, &SCENE_METHODS[2], 110);
    for (int way = 0; way < 4; way++) { /* maximise, Thompson, random, three uniform candidates */
        acqmax *a = NULL;
        double *taken = calloc(620 * 3, sizeof *taken), score;
        check_ok(acqmax_create(&a, 3, s->columns, &error));
        s->surface.acquisition.kind = way == 1 ? LOCBO_ACQUISITION_THOMPSON : LOCBO_ACQUISITION_LOG_EI;
        for (size_t n = 0; n < 620; n++) {
            acqmax_request r = request(s, n);
            double *x = taken + 3 * n;
            r.taken = taken;
            r.taken_count = n;
            if (way == 3) {
                r.candidates = 3;
                r.uniform_only = 1;
            }
            check_ok(way == 2 ? acqmax_random(a, &r, x, &error) : acqmax_run(a, &r, x, &score, &error));
            check_ok(locbo_space_check(space, x, &error));
            check_that(acqmax_is_taken(&r, x, n) == (n >= 600), "way %d, proposal %zu", way, n);
        }
        acqmax_destroy(a);
        free(taken);
    }
    stage_close(s);
    locbo_space_destroy(space);
}

/* All told, some of them pending again: the pending ones are not proposed, unless all are. */
static void pending_points_come_last(void **state) {
    (void)state;
    locbo_space *space = finite_space();
    stage *s = stage_open(space, &SCENE_METHODS[2], 111);
    double *taken = calloc(600 * 3, sizeof *taken), x[3], score;
    for (uint64_t k = 0; k < 600; k++) space_point(space, NULL, k, taken + 3 * k);
    const size_t pending[] = {0, 300, 599, 600};
    for (int way = 0; way < 4; way++)
        for (int p = 0; p < 4; p++) {
            acqmax *a = NULL;
            acqmax_request r = request(s, 7);
            check_ok(acqmax_create(&a, 3, s->columns, &error));
            s->surface.acquisition.kind = way == 1 ? LOCBO_ACQUISITION_THOMPSON : LOCBO_ACQUISITION_LOG_EI;
            r.taken = taken;
            r.taken_count = 600;
            r.pending_count = pending[p];
            r.uniform_only = way == 3;
            if (way == 3) r.candidates = 1;
            check_ok(way == 2 ? acqmax_random(a, &r, x, &error) : acqmax_run(a, &r, x, &score, &error));
            check_that(acqmax_is_taken(&r, x, pending[p]) == (pending[p] == 600), "way %d, %zu", way, pending[p]);
            acqmax_destroy(a);
        }
    free(taken);
    stage_close(s);
    locbo_space_destroy(space);
}

/* A real coordinate that is fixed leaves a finite choice: the same rules. */
static void a_finite_choice_in_an_infinite_space(void **state) {
    (void)state;
    locbo_space *space = scene_mixed();
    stage *s = stage_open(space, &SCENE_METHODS[2], 112);
    for (int way = 0; way < 3; way++) {
        acqmax *a = NULL;
        double taken[40 * 3], score;
        const double fixed[] = {0.01, NAN, NAN};
        check_ok(acqmax_create(&a, 3, s->columns, &error));
        for (size_t n = 0; n < 40; n++) { /* 36 choices */
            acqmax_request r = request(s, n);
            double *x = taken + 3 * n;
            r.fixed = fixed;
            r.taken = taken;
            r.taken_count = n;
            r.uniform_only = way == 2;
            if (way == 2) r.candidates = 1;
            check_ok(way == 1 ? acqmax_random(a, &r, x, &error) : acqmax_run(a, &r, x, &score, &error));
            check_same(x[0], 0.01);
            check_that(acqmax_is_taken(&r, x, n) == (n >= 36), "way %d, proposal %zu", way, n);
        }
        acqmax_destroy(a);
    }
    stage_close(s);
    locbo_space_destroy(space);
}

/* ---- conditions ------------------------------------------------------------------------------ */

static void fixed_coordinates(void **state) {
    (void)state;
    locbo_space *space = scene_mixed();
    for (size_t k = 0; k + 1 < SCENE_METHOD_COUNT; k++) {
        stage *s = stage_open(space, &SCENE_METHODS[k], 120 + k);
        const double fixed[][3] = {{0.0123, NAN, NAN}, {NAN, 7, 2}, {NAN, NAN, 0}, {0.5, 3, NAN}};
        for (size_t f = 0; f < 4; f++) {
            acqmax_request r = request(s, f);
            double x[3];
            r.fixed = fixed[f];
            run(s, &r, x);
            for (int j = 0; j < 3; j++)
                if (!isnan(fixed[f][j])) check_same(x[j], fixed[f][j]);
        }
        stage_close(s);
    }
    locbo_space_destroy(space);
}

/* Exactly the best of k uniform points drawn from the same stream. */
static void best_of_k_uniform_candidates(void **state) {
    (void)state;
    locbo_space *space = scene_cube(2);
    stage *s = stage_open(space, &SCENE_METHODS[0], 130);
    for (int k = 1; k <= 100; k += 33) {
        acqmax_request r = request(s, (uint64_t)k);
        double x[2], t[200], best = -INFINITY;
        rng stream = r.stream;
        r.candidates = k;
        r.uniform_only = 1;
        double found = run(s, &r, x);
        check_ok(design_make(LOCBO_DESIGN_UNIFORM, (size_t)k, 2, &stream, t, &error));
        for (int i = 0; i < k; i++) best = fmax(best, score_of(s, t + 2 * i));
        check_close(found, best, 1e-9, 1e-9); /* as in run */
    }
    stage_close(s);
    locbo_space_destroy(space);
}

/* A path is a random choice, but the same one from the same stream. */
static void thompson_paths(void **state) {
    (void)state;
    locbo_space *space = scene_cube(2);
    stage *s = stage_open(space, &SCENE_METHODS[0], 131);
    double a[2], b[2], c[2];
    s->surface.acquisition.kind = LOCBO_ACQUISITION_THOMPSON;
    s->surface.success = s->success;
    acqmax_request r = request(s, 1);
    run(s, &r, a);
    run(s, &r, b);
    assert_memory_equal(a, b, sizeof a);
    r.path = rng_open(2, 1, RNG_THOMPSON);
    run(s, &r, c);
    assert_memory_not_equal(a, c, sizeof a);
    stage_close(s);
    locbo_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(refined_points_beat_a_grid),
        cmocka_unit_test(refinement_improves),
        cmocka_unit_test(finite_spaces_are_searched_completely),
        cmocka_unit_test(no_repetition_before_the_end),
        cmocka_unit_test(pending_points_come_last),
        cmocka_unit_test(a_finite_choice_in_an_infinite_space),
        cmocka_unit_test(fixed_coordinates),
        cmocka_unit_test(best_of_k_uniform_candidates),
        cmocka_unit_test(thompson_paths),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
