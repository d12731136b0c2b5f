/* test_region.c - points that satisfy known constraints: all of them do, evenly, however small the region is. */
#include "region.h"

#include "scene.h"

static region of(const locbo_space *s) { return (region){.space = s}; }

static double *draw(const region *r, size_t n, uint64_t seed, int spread) {
    size_t dim = locbo_space_dim(r->space);
    double *t = calloc(n * dim, sizeof *t), *x = calloc(dim, sizeof *x);
    rng stream = scene_random(seed);
    check_ok(spread ? region_spread(r, n, &stream, t, &error) : region_draw(r, n, &stream, t, &error));
    for (size_t i = 0; i < n; i++) {
        region_point(r, t + i * dim, x);
        check_ok(locbo_space_check(r->space, x, &error));
        assert_true(space_is_held(r->space, r->fixed, x));
    }
    free(x);
    return t;
}

/* The share of points of a triangle a + b <= size below a line through its middle is the same as that of its area,
 * whether points are drawn from the box (size 0.5) or by walks (below). */
static void points_are_even(void **state) {
    (void)state;
    static const double sizes[] = {1, 0.5, 0.05, 0.005, 1e-4};
    enum { N = 4000 };
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++) {
        locbo_space *s = scene_cube(2);
        char text[64];
        snprintf(text, sizeof text, "x0 + x1 <= %g", sizes[k]);
        check_ok(locbo_space_add_constraint(s, text, &error));
        region r = of(s);
        double *t = draw(&r, N, 20 + k, 0), sum = 0;
        size_t half = 0, inner = 0;
        for (size_t i = 0; i < N; i++) {
            half += t[2 * i] < t[2 * i + 1];
            inner += t[2 * i] + t[2 * i + 1] < sizes[k] / 2;
            sum += t[2 * i];
        }
        /* standard errors 0.008 and 0.007 of independent draws; walks from few points may have twice that */
        check_close((double)half / N, 0.5, 0, 0.05);
        check_close((double)inner / N, 0.25, 0, 0.05);
        check_close(sum / N / sizes[k], 1. / 3, 0, 0.03);
        free(t);
        locbo_space_destroy(s);
    }
}

/* A shell, two separate discs, a thin curved band, a mixed space: all points are inside. */
static void regions_of_any_shape(void **state) {
    (void)state;
    static const char *const texts[] = {
        "(x0 - 0.5)^2 + (x1 - 0.5)^2 > 0.24 and x2 < 0.5",
        "min((x0 - 0.1)^2 + (x1 - 0.1)^2, (x0 - 0.9)^2 + (x1 - 0.8)^2) <= 0.002",
        "abs(x1 - 0.5 - 0.4*x0^2) < 0.0005",
        "x0 > 0.99 and x1 > 0.99",
    };
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
        for (int spread = 0; spread < 2; spread++) {
            locbo_space *s = scene_cube(3);
            check_ok(locbo_space_add_constraint(s, texts[k], &error));
            region r = of(s);
            free(draw(&r, 200, 30 + k, spread));
            locbo_space_destroy(s);
        }
    locbo_space *s = scene_mixed();
    check_ok(locbo_space_add_constraint(s, "rate*layers < 0.001", &error));
    const double fixed[] = {(double)NAN, 7, (double)NAN};
    region r = of(s), held = {.space = s, .fixed = fixed};
    free(draw(&r, 100, 40, 0));
    free(draw(&held, 100, 41, 1));
    locbo_space_destroy(s);
}

/* Both discs of a region in two parts get points, since each was found by drawing from the box. */
static void both_parts_are_found(void **state) {
    (void)state;
    locbo_space *s = scene_cube(2);
    check_ok(locbo_space_add_constraint(s, "min((x0 - 0.1)^2 + (x1 - 0.1)^2, (x0 - 0.9)^2 + (x1 - 0.8)^2) <= 0.002",
                                        &error));
    region r = of(s);
    double *t = draw(&r, 400, 50, 0);
    size_t left = 0;
    for (size_t i = 0; i < 400; i++) left += t[2 * i] < 0.5;
    assert_true(left > 120 && left < 280); /* equal parts; a standard error is 10 of independent draws */
    free(t);
    locbo_space_destroy(s);
}

/* Far less than one of 200 000 draws: found by descent, then by walks. */
static void a_tiny_region_is_found(void **state) {
    (void)state;
    locbo_space *s = scene_cube(6);
    check_ok(locbo_space_add_constraint(s, "x0 + x1 + x2 + x3 + x4 + x5 <= 0.05", &error)); /* 2e-11 of the cube */
    check_ok(locbo_space_add_constraint(s, "x0 > x1", &error));
    region r = of(s);
    free(draw(&r, 50, 60, 1));
    locbo_space_destroy(s);
}

/* Points of a spread are farther apart than drawn ones. */
static void a_spread_fills_the_region(void **state) {
    (void)state;
    locbo_space *s = scene_cube(2);
    check_ok(locbo_space_add_constraint(s, "x0 + x1 <= 0.14", &error)); /* 1 % of the square */
    region r = of(s);
    enum { N = 12 };
    double least[2] = {INFINITY, INFINITY};
    for (int spread = 0; spread < 2; spread++) {
        double *t = draw(&r, N, 70, spread);
        for (size_t i = 0; i < N; i++)
            for (size_t k = 0; k < i; k++)
                least[spread] = fmin(least[spread], hypot(t[2 * i] - t[2 * k], t[2 * i + 1] - t[2 * k + 1]));
        free(t);
    }
    check_that(least[1] > 0.02 && least[1] > 2 * least[0], "%g drawn, %g spread", least[0], least[1]);
    locbo_space_destroy(s);
}

static void nothing_is_allowed(void **state) {
    (void)state;
    double t[3];
    rng stream = scene_random(80);
    locbo_space *s = scene_cube(3);
    region r = of(s);
    check_ok(locbo_space_add_constraint(s, "x0 < 0.9", &error));
    check_ok(locbo_space_add_constraint(s, "x0 + x1 >= 2.5", &error));
    check_fails(region_draw(&r, 1, &stream, t, &error), LOCBO_ERR_ARGUMENT,
                "no point was found that satisfies the constraints; 'x0 + x1 >= 2.5' holds at 0 of 2000 random points");
    locbo_options options = scene_options(&SCENE_METHODS[0], 1);
    locbo_optimizer *o = NULL;
    check_fails(locbo_optimizer_create(&o, s, &options, &error), LOCBO_ERR_ARGUMENT, "no point was found");
    assert_null(o);
    locbo_space_destroy(s);
    s = scene_cube(2);
    check_ok(locbo_space_add_constraint(s, "x0 + x1 < 1", &error));
    const double fixed[] = {1, (double)NAN};
    region held = {.space = s, .fixed = fixed};
    check_fails(region_draw(&held, 1, &stream, t, &error), LOCBO_ERR_ARGUMENT, "with these values fixed");
    locbo_space_destroy(s);
}

/* Where drawing from the box finds next to nothing: new points and not the known ones, evenly enough. */
static void fresh_points_are_new(void **state) {
    (void)state;
    enum { N = 300, KNOWN = 500 };
    locbo_space *s = scene_cube(2);
    check_ok(locbo_space_add_constraint(s, "x0 + x1 <= 1e-4", &error));
    region r = of(s);
    double *known = draw(&r, KNOWN, 31, 0), t[2 * N], sum = 0;
    r.known = known; /* in this space t is x */
    for (size_t count = 1; count <= KNOWN; count += KNOWN - 1) {
        rng stream = scene_random(32);
        r.known_count = count;
        check_ok(region_draw_fresh(&r, N, &stream, t, &error));
        sum = 0;
        for (size_t i = 0; i < N; i++) {
            sum += t[2 * i] / N;
            check_ok(locbo_space_check(s, t + 2 * i, &error));
            for (size_t k = 0; k < count; k++)
                assert_true(t[2 * i] != known[2 * k] || t[2 * i + 1] != known[2 * k + 1]);
        }
        /* the standard error of independent draws is 0.014; walks are not quite that */
        check_close(sum / 1e-4, 1. / 3, 0, 0.06);
    }
    free(known);
    locbo_space_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_are_even),           cmocka_unit_test(regions_of_any_shape),
        cmocka_unit_test(both_parts_are_found),      cmocka_unit_test(a_tiny_region_is_found),
        cmocka_unit_test(a_spread_fills_the_region), cmocka_unit_test(nothing_is_allowed),
        cmocka_unit_test(fresh_points_are_new),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
