/* test_confirm.c - asks for the recommended point (locbo_ask_options.confirm). */
#include "belief.h"
#include "scene.h"

static const scene_method *LOCBO = &SCENE_METHODS[0];
static const scene_method *RANDOM = &SCENE_METHODS[6];

static locbo_trial ask_confirm(locbo_optimizer *o, double *x) {
    locbo_trial t;
    locbo_ask_options how = {.struct_size = sizeof how, .confirm = 1};
    check_ok(locbo_optimizer_ask_with(o, &how, &t, x, &error));
    return t;
}

static locbo_optimizer *begun(const locbo_options *options, size_t rounds) {
    locbo_space *space = scene_cube(2);
    locbo_optimizer *o = scene_optimizer(space, options);
    rng r = rng_open(options->seed, 3, RNG_DESIGN);
    scene_rounds(o, rounds, 0.05, &r);
    locbo_space_destroy(space);
    return o;
}

/* For every rule of recommending; the same point while nothing is told, and its results are judged. */
static void it_is_the_recommended_point(void **state) {
    (void)state;
    const char *const rules[] = {"anywhere", "evaluated", "observed"};
    for (int i = 0; i < 3; i++) {
        locbo_options options = scene_options(LOCBO, 4);
        scene_set(&options, "recommendation", rules[i]);
        locbo_optimizer *o = begun(&options, 12);
        uint64_t judged = scene_summary(o).judged;
        double x[2], y[2], recommended[2];
        locbo_choice choice;
        locbo_trial t = ask_confirm(o, x), u = ask_confirm(o, y);
        check_ok(locbo_optimizer_recommend(o, &choice, recommended, &error));
        for (int j = 0; j < 2; j++) {
            check_same(x[j], recommended[j]);
            check_same(y[j], recommended[j]);
        }
        assert_int_equal(t.origin, LOCBO_ORIGIN_CONFIRM);
        assert_int_equal(u.id, t.id + 1);
        check_same(t.belief.f_low, choice.low);
        if (i < 2) check_same(t.belief.mean, choice.value);
        scene_tell(o, t.id, t.belief.mean);
        scene_tell(o, u.id, t.belief.mean + 100 * t.belief.sd_y);
        locbo_summary s = scene_summary(o);
        assert_int_equal(s.judged, judged + 2);
        assert_int_equal(s.judged_by[LOCBO_ORIGIN_CONFIRM], 2);
        assert_int_equal(s.inside_by[LOCBO_ORIGIN_CONFIRM], 1);
        locbo_optimizer_destroy(o);
    }
}

/* Random search has no model, and one result makes none: the best measured point, without a prediction. */
static void without_a_model_it_is_the_best_measured_point(void **state) {
    (void)state;
    for (int random = 0; random < 2; random++) {
        locbo_options options = scene_options(random ? RANDOM : LOCBO, 4);
        locbo_optimizer *o = begun(&options, random ? 9 : 1), *loaded = NULL;
        double x[2], best[2];
        locbo_choice choice;
        char *text;
        check_ok(locbo_optimizer_best(o, &choice, best, &error));
        locbo_trial t = ask_confirm(o, x);
        assert_int_equal(t.origin, LOCBO_ORIGIN_CONFIRM);
        check_same(x[0], best[0]);
        check_same(x[1], best[1]);
        assert_true(isnan(t.belief.mean) && isnan(t.belief.sd_y));
        check_ok(locbo_optimizer_save(o, &text, NULL, &error)); /* a trial without a prediction can be restored */
        check_ok(locbo_optimizer_load(&loaded, text, strlen(text), &error));
        scene_tell(loaded, t.id, 0.5);
        assert_int_equal(scene_summary(loaded).judged, 0);
        locbo_free(text);
        locbo_optimizer_destroy(loaded);
        locbo_optimizer_destroy(o);
    }
}

/* A restored trial with half a prediction is refused, as for the other origins of the model. */
static void a_restored_prediction_is_whole_or_missing(void **state) {
    (void)state;
    locbo_options options = scene_options(LOCBO, 4);
    locbo_optimizer *o = begun(&options, 0);
    const double x[] = {0.5, 0.5};
    for (int origin = 0; origin <= LOCBO_ORIGINS; origin++) {
        locbo_trial t = {.id = scene_summary(o).asked + 1, .origin = (locbo_origin)origin, .belief = BELIEF_NONE};
        int allowed = origin == LOCBO_ORIGIN_DESIGN || origin == LOCBO_ORIGIN_RANDOM || origin == LOCBO_ORIGIN_GIVEN ||
                      origin == LOCBO_ORIGIN_CONFIRM;
        locbo_error why;
        locbo_status status = locbo_optimizer_restore_trial(o, &t, x, &why);
        check_that((status == LOCBO_OK) == allowed, "origin %d: %s", origin, why.message);
        if (origin != LOCBO_ORIGIN_CONFIRM) continue;
        t.id++;
        t.belief.mean = 1;
        check_fails(locbo_optimizer_restore_trial(o, &t, x, &error), LOCBO_ERR_ARGUMENT, "sd_y > 0");
    }
    locbo_optimizer_destroy(o);
}

static void before_the_first_result_it_has_no_effect(void **state) {
    (void)state;
    locbo_options options = scene_options(LOCBO, 4);
    locbo_optimizer *o = begun(&options, 0), *other = begun(&options, 0);
    double x[2], y[2];
    assert_int_equal(ask_confirm(o, x).origin, LOCBO_ORIGIN_DESIGN);
    scene_ask(other, NULL, y);
    check_same(x[0], y[0]);
    locbo_optimizer_destroy(o);
    locbo_optimizer_destroy(other);
}

static void fixed_values_are_refused(void **state) {
    (void)state;
    locbo_options options = scene_options(LOCBO, 4);
    locbo_optimizer *o = begun(&options, 6);
    double x[2], fixed[] = {NAN, 0.25};
    locbo_trial t;
    locbo_ask_options how = {.struct_size = sizeof how, .fixed = fixed, .confirm = 1};
    check_fails(locbo_optimizer_ask_with(o, &how, &t, x, &error), LOCBO_ERR_ARGUMENT, "got 0.25");
    fixed[1] = NAN;
    check_ok(locbo_optimizer_ask_with(o, &how, &t, x, &error));
    locbo_optimizer_destroy(o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_recommended_point),
        cmocka_unit_test(without_a_model_it_is_the_best_measured_point),
        cmocka_unit_test(a_restored_prediction_is_whole_or_missing),
        cmocka_unit_test(before_the_first_result_it_has_no_effect),
        cmocka_unit_test(fixed_values_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
