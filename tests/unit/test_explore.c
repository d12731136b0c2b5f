/* test_explore.c - points far from everything that was tried. */
#include "explore.h"

#include "scene.h"

static double distance2(const double *a, const double *b) { return pow(a[0] - b[0], 2) + pow(a[1] - b[1], 2); }

/* Results in the lower left, an outstanding trial in the upper right: the point lies in one of the other corners, and
 * nearer to the left upper one if the result of the lower right is added. A cancelled trial does not count. */
static void it_is_far_from_results_and_trials(void **state) {
    (void)state;
    locbo_space *space = scene_cube(2);
    for (uint64_t seed = 1; seed <= 5; seed++) {
        locbo_options options = scene_options(&SCENE_METHODS[0], seed);
        locbo_optimizer *o = scene_optimizer(space, &options);
        const double low[] = {0.05, 0.05}, right[] = {0.95, 0.05}, corners[][2] = {{0, 1}, {1, 1}};
        double x[2], fixed[] = {1, 1};
        locbo_trial t;
        locbo_ask_options how = {.struct_size = sizeof how, .fixed = fixed};
        acqmax_request r = {.space = o->space};
        scene_add(o, low, 1);
        scene_add(o, right, 1);
        check_ok(locbo_optimizer_ask_with(o, &how, &t, x, &error));
        check_ok(explore_point(o, &r, EXPLORE_FAR, NULL, x, &error));
        check_that(distance2(x, corners[0]) < 0.2, "at %g %g", x[0], x[1]);
        check_ok(locbo_optimizer_cancel(o, t.id, &error));
        scene_add(o, corners[0], 1);
        check_ok(explore_point(o, &r, EXPLORE_FAR, NULL, x, &error));
        check_that(distance2(x, corners[1]) < 0.2, "at %g %g", x[0], x[1]);
        locbo_optimizer_destroy(o);
    }
    locbo_space_destroy(space);
}

static void fixed_values_stay_and_trials_differ(void **state) {
    (void)state;
    locbo_space *space = scene_mixed();
    locbo_options options = scene_options(&SCENE_METHODS[0], 3);
    locbo_optimizer *o = scene_optimizer(space, &options);
    const double fixed[] = {NAN, 7, 2};
    double x[3], y[3], spare[3];
    acqmax_request r = {.space = o->space, .fixed = fixed};
    check_ok(explore_point(o, &r, EXPLORE_FAR, NULL, x, &error));
    check_ok(locbo_space_check(space, x, &error));
    check_same(x[1], 7);
    check_same(x[2], 2);
    scene_ask(o, NULL, spare);
    check_ok(explore_point(o, &r, EXPLORE_FAR, NULL, y, &error));
    assert_true(x[0] != y[0]);
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_far_from_results_and_trials),
        cmocka_unit_test(fixed_values_stay_and_trials_differ),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
