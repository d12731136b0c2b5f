/* test_slice_point.c - slices and contours of a study with conditions, steps and constraints: through which point they
 * go, what is active along them, and that all of it is what the optimizer predicts. */
#include "axis.h"
#include "fixture.h"

enum { KERNEL, DEGREE, GAMMA, A, B, FLAG, RARE, DIM };

/* `rare` is active in no trial. */
static locbo_study *make_study(void) {
    static const char *const kernels[] = {"linear", "poly", "rbf", "none"};
    const double poly[] = {1}, several[] = {1, 2}, none[] = {3};
    const locbo_parameter_spec specs[] = {
        {.name = "kernel", .kind = LOCBO_CATEGORICAL, .count = 4, .categories = kernels},
        {.name = "degree", .kind = LOCBO_INT, .low = 2, .high = 5, .parent = "kernel", .when_count = 1, .when = poly},
        {.name = "gamma",
         .low = 1e-3,
         .high = 10,
         .scale = LOCBO_LOG,
         .parent = "kernel",
         .when_count = 2,
         .when = several},
        {.name = "a", .high = 1, .step = 0.05},
        {.name = "b", .high = 1},
        {.name = "flag", .kind = LOCBO_BOOL},
        {.name = "rare", .low = 4, .high = 8, .parent = "kernel", .when_count = 1, .when = none},
    };
    locbo_options options;
    locbo_space *space;
    locbo_study *study;
    locbo_options_init(&options);
    check_ok(locbo_space_create(&space, &error));
    for (size_t i = 0; i < DIM; i++) {
        locbo_parameter_spec spec = specs[i];
        spec.struct_size = sizeof spec;
        check_ok(locbo_space_add(space, &spec, &error));
    }
    check_ok(locbo_space_add_constraint(space, "a + b <= 1", &error));
    locbo_definition d = {.struct_size = sizeof d, .space = space, .options = &options};
    check_ok(locbo_study_create(&study, own_store, "c", &d, NULL, &error));
    locbo_space_destroy(space);
    return study;
}

/* Results of three kernels, rbf the best and poly the second; the best of poly is trial 2, of linear trial 1. */
static void import(locbo_study *study) {
    const double nan = (double)NAN;
    double x[8][DIM] = {{0, nan, nan, 0.5, 0.1, 0, nan},  {1, 4, 0.1, 0.25, 0.5, 1, nan},
                        {1, 2, 1, 0.75, 0.25, 0, nan},    {2, nan, 0.02, 0.3, 0.4, 1, nan},
                        {2, nan, 5, 0.05, 0.9, 0, nan},   {0, nan, nan, 0.1, 0.8, 1, nan},
                        {1, 5, 0.01, 0.5, 0.125, 1, nan}, {2, nan, 0.3, 0.6, 0.3, 1, nan}};
    const double y[8] = {1, 0.5, 0.9, 0.1, 0.4, 1.5, 0.8, 0.3};
    locbo_measurement m[8];
    for (int i = 0; i < 8; i++) m[i] = (locbo_measurement){y[i], nan, 1};
    check_ok(locbo_study_import(study, 8, &x[0][0], m, NULL, &error));
}

typedef struct scene {
    locbo_study *study;
    cache *cache;
    locbo_optimizer *optimizer;
} scene;

static scene open_scene(void) {
    scene s = {.study = make_study()};
    import(s.study);
    s.cache = fixture_cache("c");
    check_ok(cache_model(s.cache, &s.optimizer, &error));
    return s;
}

static void close_scene(scene *s) {
    cache_close(s->cache);
    locbo_study_close(s->study);
}

/* The mean at a point is that of the answer. */
static void check_mean(const scene *s, json_t *answer, size_t i, const double *x) {
    locbo_belief b;
    check_ok(locbo_optimizer_predict(s->optimizer, 1, x, &b, &error));
    char path[32];
    snprintf(path, sizeof path, "mean.%zu", i);
    check_that(check_agrees(fixture_real(answer, path), b.mean, 1e-12, 0), "mean %zu is %g, not %g", i,
               fixture_real(answer, path), b.mean);
}

/* At the best point, which is rbf, degree is not active: the slice goes through the best trial of poly. */
static void in_place_of_the_best(void **state) {
    (void)state;
    scene s = open_scene();
    json_t *answer = fixture_answer(s.cache, "slice", "parameter", "degree", "at", "best", NULL);
    assert_string_equal(fixture_text(answer, "at.what"), "trial");
    assert_string_equal(fixture_text(answer, "at.instead"), "best");
    assert_int_equal(fixture_count(answer, "at.trial"), 2);
    assert_int_equal(json_array_size(json_object_get(answer, "grid")), 4);
    double x[DIM] = {1, 4, 0.1, 0.25, 0.5, 1, (double)NAN};
    for (size_t i = 0; i < 4; i++) {
        x[DEGREE] = 2 + (double)i;
        check_mean(&s, answer, i, x);
    }
    json_decref(answer);
    answer = fixture_answer(s.cache, "slice", "parameter", "gamma", "at", "best", NULL);
    assert_string_equal(fixture_text(answer, "at.what"), "best");
    assert_null(fixture_at(answer, "at.instead"));
    assert_true(json_is_null(fixture_at(answer, "at.params.degree")));
    json_decref(answer);
    close_scene(&s);
}

static void nothing_to_go_through(void **state) {
    (void)state;
    scene s = open_scene();
    json_t *answer = fixture_answer(s.cache, "slice", "parameter", "degree", "at", "1", NULL);
    assert_string_equal(fixture_text(answer, "nothing"), "degree is not active in trial 1");
    json_decref(answer);
    answer = fixture_answer(s.cache, "slice", "parameter", "rare", NULL);
    assert_string_equal(fixture_text(answer, "nothing"), "rare is active in no trial with a value");
    json_decref(answer);
    answer = fixture_answer(s.cache, "contour", "x", "rare", "y", "degree", NULL);
    assert_non_null(strstr(fixture_text(answer, "nothing"), "together active in no trial"));
    json_decref(answer);
    close_scene(&s);
}

/* Along the parameter that others depend on: each has a value where it is active, the best trial's or the middle. */
static void along_a_parent(void **state) {
    (void)state;
    scene s = open_scene();
    const double nan = (double)NAN;
    const double expected[4][DIM] = {{0, nan, nan, 0.3, 0.4, 1, nan},
                                     {1, 4, 0.02, 0.3, 0.4, 1, nan}, /* degree as in trial 2 */
                                     {2, nan, 0.02, 0.3, 0.4, 1, nan},
                                     {3, nan, nan, 0.3, 0.4, 1, 6}}; /* no trial has rare */
    json_t *answer = fixture_answer(s.cache, "slice", "parameter", "kernel", "at", "best", NULL);
    for (size_t i = 0; i < 4; i++) check_mean(&s, answer, i, expected[i]);
    json_decref(answer);
    close_scene(&s);
}

/* No trial can be where a constraint does not hold, or an axis is not active. */
static void cells_without_a_point(void **state) {
    (void)state;
    scene s = open_scene();
    json_t *answer = fixture_answer(s.cache, "contour", "x", "a", "y", "b", "points", "21", NULL);
    for (size_t i = 0; i < 21 * 21; i++) {
        double a = json_number_value(json_array_get(fixture_at(answer, "x.grid"), i % 21));
        double b = json_number_value(json_array_get(fixture_at(answer, "y.grid"), i / 21));
        check_that(json_is_null(json_array_get(fixture_at(answer, "mean"), i)) == (a + b > 1), "at %g, %g", a, b);
    }
    json_decref(answer);
    answer = fixture_answer(s.cache, "contour", "x", "kernel", "y", "degree", NULL);
    for (size_t i = 0; i < 16; i++)
        assert_true(json_is_null(json_array_get(fixture_at(answer, "sd_f"), i)) == (i % 4 != 1));
    json_decref(answer);
    close_scene(&s);
}

/* ---- the values of an axis ----------------------------------------------------------------------- */

static void check_grid(locbo_parameter p, size_t points, size_t count, const double *expected) {
    axis a = {.parameter = p};
    check_ok(axis_divide(&a, points, &error));
    assert_int_equal(a.count, count);
    for (size_t i = 0; i < count; i++) check_same(a.grid[i], expected[i]);
    axis_release(&a);
}

static void grids(void **state) {
    (void)state;
    check_grid((locbo_parameter){.high = 0.2, .step = 0.05}, 9, 5, (double[]){0, 0.05, 0.1, 0.15, 0.2});
    check_grid((locbo_parameter){.high = 1, .step = 0.05}, 3, 3, (double[]){0, 0.5, 1});
    check_grid((locbo_parameter){.kind = LOCBO_INT, .low = 8, .high = 32, .step = 8}, 9, 4, (double[]){8, 16, 24, 32});
    check_grid((locbo_parameter){.kind = LOCBO_INT, .scale = LOCBO_LOG, .high = 80}, 3, 3, (double[]){0, 8, 80});
    check_grid((locbo_parameter){.kind = LOCBO_BOOL, .high = 1}, 9, 2, (double[]){0, 1});
    check_grid((locbo_parameter){.kind = LOCBO_ORDERED, .scale = LOCBO_LOG, .high = 2, .count = 3}, 9, 3,
               (double[]){0, 1, 2});
}

/* ---- what is listed of the space ------------------------------------------------------------------- */

static void the_definition(void **state) {
    (void)state;
    scene s = open_scene();
    json_t *answer = fixture_answer(s.cache, "definition", NULL);
    assert_string_equal(fixture_text(answer, "constraints.0"), "a + b <= 1");
    assert_string_equal(fixture_text(answer, "parameters.2.when.kernel.1"), "rbf");
    check_same(fixture_real(answer, "parameters.3.step"), 0.05);
    assert_true(json_is_false(fixture_at(answer, "parameters.5.values.0")));
    assert_null(fixture_at(answer, "parameters.0.when"));
    json_decref(answer);
    answer = fixture_answer(s.cache, "parameters", NULL);
    assert_true(json_is_null(fixture_at(answer, "columns.params.degree.0")));
    assert_true(json_is_true(fixture_at(answer, "columns.params.flag.1")));
    json_decref(answer);
    close_scene(&s);
}

#define in_a_store(name) cmocka_unit_test_setup_teardown(name, own_store_open, own_store_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        in_a_store(in_place_of_the_best),  in_a_store(nothing_to_go_through), in_a_store(along_a_parent),
        in_a_store(cells_without_a_point), cmocka_unit_test(grids),           in_a_store(the_definition),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
