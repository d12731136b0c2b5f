/* test_alter.c - another space or other options with the facts of an optimizer: ranges wider and narrower, parameters
 * added and frozen, categories added and retired, what has no place set aside. */
#include "scene.h"
#include "space.h"

static const char *const WORDS[] = {"a", "b", "c", "d"};

static locbo_space *make_space(double high, size_t categories) {
    locbo_space *s = scene_cube(0);
    check_ok(locbo_space_add_real(s, "x", 0, high, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_int(s, "n", 0, 9, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_categorical(s, "word", categories, WORDS, &error));
    return s;
}

static void add(locbo_space *s, locbo_parameter_spec spec) {
    spec.struct_size = sizeof spec;
    check_ok(locbo_space_add(s, &spec, &error));
}

static double measure(const double *x, uint64_t k) {
    return pow(x[0] - 0.4, 2) + 0.05 * fabs(x[1] - 4) + 0.1 * x[2] + 0.02 * sin(50 * (double)k);
}

/* 14 trials: results, a failure, an infeasible one, a cancelled one, an added point, one outstanding. */
static locbo_optimizer *make_optimizer(const locbo_space *space, const scene_method *m) {
    locbo_options options = scene_options(m, 3);
    locbo_optimizer *o = scene_optimizer(space, &options);
    double x[3];
    for (uint64_t k = 1; k <= 14; k++) {
        uint64_t id = scene_ask(o, NULL, x);
        if (k == 3) check_ok(locbo_optimizer_tell_failed(o, id, &error));
        if (k == 5) check_ok(locbo_optimizer_tell_infeasible(o, id, &error));
        if (k == 6) check_ok(locbo_optimizer_cancel(o, id, &error));
        if (k != 3 && k != 5 && k != 6 && k != 14) scene_tell(o, id, measure(x, k));
    }
    scene_add(o, (double[]){0.5, 4, 1}, 0.11);
    return o;
}

static locbo_optimizer *alter(const locbo_optimizer *o, const locbo_space *space, uint64_t lost) {
    locbo_optimizer *altered = NULL;
    uint64_t aside = 99;
    check_ok(locbo_optimizer_alter(&altered, o, space, NULL, &aside, &error));
    assert_int_equal(aside, lost);
    return altered;
}

/* The same space: the same proposals as an optimizer that was rebuilt without its fit. */
static void nothing_changed(void **state) {
    (void)state;
    for (size_t m = 0; m < SCENE_METHOD_COUNT; m++) {
        locbo_space *s = make_space(1, 3);
        locbo_optimizer *o = make_optimizer(s, &SCENE_METHODS[m]), *a = alter(o, s, 0), *b = alter(a, s, 0);
        locbo_summary was = scene_summary(o), is = scene_summary(a);
        assert_true(was.asked == is.asked && was.told == is.told && was.failed == is.failed && was.added == is.added);
        assert_true(was.pending == is.pending && was.infeasible == is.infeasible);
        assert_true(is.judged == 0 && isnan(is.coverage_online) && is.judged_by[LOCBO_ORIGIN_MODEL] == 0);
        assert_string_equal(was.guarantee, is.guarantee); /* what was learnt stays */
        double x[3], y[3];
        for (int k = 0; k < 3; k++) {
            uint64_t id = scene_ask(a, NULL, x);
            assert_int_equal(scene_ask(b, NULL, y), id);
            assert_memory_equal(x, y, sizeof x);
            scene_tell(a, id, measure(x, id));
            scene_tell(b, id, measure(x, id));
        }
        locbo_optimizer_destroy(b);
        locbo_optimizer_destroy(a);
        locbo_optimizer_destroy(o);
        locbo_space_destroy(s);
    }
}

/* A narrower range: results outside stay, proposals keep inside; a wider one reaches further. */
static void ranges(void **state) {
    (void)state;
    locbo_space *s = make_space(1, 3), *narrow = make_space(0.3, 3), *wide = make_space(5, 3);
    locbo_optimizer *o = make_optimizer(s, &SCENE_METHODS[0]), *a = alter(o, narrow, 0), *b = alter(o, wide, 0);
    locbo_trial trial;
    double x[3], most = 0;
    check_ok(locbo_optimizer_trial(a, 1, &trial, NULL, x, &error));
    double u[8];
    space_encode(locbo_optimizer_space(a), (double[]){0.6, 1, 0}, u);
    check_same(u[0], 2); /* twice the range */
    for (int k = 0; k < 12; k++) {
        uint64_t id = scene_ask(a, NULL, x);
        assert_true(x[0] <= 0.3);
        scene_tell(a, id, measure(x, id));
        id = scene_ask(b, NULL, x);
        most = fmax(most, x[0]);
        scene_tell(b, id, measure(x, id));
    }
    assert_true(most > 1);
    locbo_belief far;
    check_ok(locbo_optimizer_predict(b, 1, (double[]){4, 4, 1}, &far, &error));
    assert_true(isfinite(far.mean));
    locbo_optimizer_destroy(a);
    locbo_optimizer_destroy(b);
    locbo_optimizer_destroy(o);
    locbo_space_destroy(s);
    locbo_space_destroy(narrow);
    locbo_space_destroy(wide);
}

/* A parameter added with its past value, one frozen, a category added and one retired; saved and loaded. */
static void parameters_and_categories(void **state) {
    (void)state;
    locbo_space *s = make_space(1, 3), *t = scene_cube(0);
    const unsigned char retired[] = {1, 0, 0, 0};
    check_ok(locbo_space_add_real(t, "x", 0, 1, LOCBO_LINEAR, &error));
    add(t, (locbo_parameter_spec){.name = "extra", .low = -1, .high = 1, .has_past = 1, .past = 0.5});
    add(t, (locbo_parameter_spec){.name = "n", .kind = LOCBO_INT, .high = 9, .is_frozen = 1, .frozen = 4});
    add(t, (locbo_parameter_spec){
               .name = "word", .kind = LOCBO_CATEGORICAL, .count = 4, .categories = WORDS, .retired = retired});
    locbo_optimizer *o = make_optimizer(s, &SCENE_METHODS[0]), *a = alter(o, t, 0), *loaded = NULL;
    char *text = NULL;
    double x[4], y[4], old[3];
    locbo_trial trial;
    check_ok(locbo_optimizer_trial(o, 2, &trial, NULL, old, &error));
    check_ok(locbo_optimizer_trial(a, 2, &trial, NULL, x, &error));
    assert_true(x[0] == old[0] && x[1] == 0.5 && x[2] == old[1] && x[3] == old[2]);
    check_ok(locbo_optimizer_save(a, &text, NULL, &error));
    check_ok(locbo_optimizer_load(&loaded, text, strlen(text), &error));
    for (int k = 0; k < 6; k++) {
        uint64_t id = scene_ask(a, NULL, x);
        assert_int_equal(scene_ask(loaded, NULL, y), id);
        assert_memory_equal(x, y, sizeof x);
        assert_true(x[2] == 4 && x[3] != 0);
        double value = measure((double[]){x[0], x[2], x[3]}, id) + x[1] * x[1];
        scene_tell(a, id, value);
        scene_tell(loaded, id, value);
    }
    locbo_optimizer *again = NULL;
    locbo_free(text);
    check_ok(locbo_optimizer_save(a, &text, NULL, &error));
    check_ok(locbo_optimizer_load(&again, text, strlen(text), &error));
    assert_true(scene_summary(a).judged == scene_summary(again).judged && scene_summary(a).judged <= 6);
    assert_true(scene_summary(loaded).judged == scene_summary(a).judged); /* saved when nothing was judged yet */
    locbo_optimizer_destroy(again);
    int seen[4] = {0};
    rng r = scene_random(7);
    for (int k = 0; k < 100; k++) {
        for (int j = 0; j < 4; j++) y[j] = rng_uniform(&r);
        space_from_unit(t, y, x);
        check_ok(locbo_space_check(t, x, &error));
        seen[(int)x[3]]++;
    }
    assert_true(seen[0] == 0 && seen[1] > 10 && seen[2] > 10 && seen[3] > 10);
    check_fails(locbo_space_check(t, (double[]){0.5, 0, 3, 1}, &error), LOCBO_ERR_ARGUMENT,
                "'n' is frozen at 4, got 3");
    check_fails(locbo_space_check(t, (double[]){0.5, 0, 4, 0}, &error), LOCBO_ERR_ARGUMENT,
                "the category 'a' is retired");
    locbo_free(text);
    locbo_optimizer_destroy(loaded);
    locbo_optimizer_destroy(a);
    locbo_optimizer_destroy(o);
    locbo_space_destroy(s);
    locbo_space_destroy(t);
}

/* Results outside inform the model, and are not recommended, confirmed or measured again. */
static void recommendations_keep_inside(void **state) {
    (void)state;
    static const char *const ways[] = {"anywhere", "evaluated", "observed"};
    locbo_space *s = make_space(1, 3), *narrow = make_space(0.25, 3), *frozen = scene_cube(0);
    check_ok(locbo_space_add_real(frozen, "x", 0, 1, LOCBO_LINEAR, &error));
    add(frozen, (locbo_parameter_spec){.name = "n", .kind = LOCBO_INT, .high = 9, .is_frozen = 1, .frozen = 9});
    check_ok(locbo_space_add_categorical(frozen, "word", 3, WORDS, &error));
    for (size_t w = 0; w < 3; w++) {
        locbo_options options = scene_options(&SCENE_METHODS[0], 3);
        check_ok(locbo_options_set(&options, "recommendation", ways[w], &error));
        check_ok(locbo_options_set(&options, "remeasure", "1", &error));
        locbo_optimizer *o = scene_optimizer(s, &options);
        double x[3];
        for (int k = 0; k < 14; k++) {
            uint64_t id = scene_ask(o, NULL, x);
            scene_tell(o, id, k == 9 ? -20 : measure(x, id)); /* one that is too good to believe */
        }
        locbo_space *spaces[] = {narrow, frozen};
        for (size_t i = 0; i < 2; i++) {
            locbo_optimizer *a = alter(o, spaces[i], 0);
            locbo_choice choice;
            for (int k = 0; k < 4; k++) {
                check_ok(locbo_optimizer_recommend(a, &choice, x, &error));
                check_ok(locbo_space_check(spaces[i], x, &error));
                locbo_ask_options how = {.struct_size = sizeof how, .confirm = k == 2};
                locbo_trial trial;
                check_ok(locbo_optimizer_ask_with(a, &how, &trial, x, &error));
                check_ok(locbo_space_check(spaces[i], x, &error));
                scene_tell(a, trial.id, measure(x, trial.id));
            }
            locbo_optimizer_destroy(a);
        }
        locbo_optimizer_destroy(o);
    }
    locbo_space_destroy(s);
    locbo_space_destroy(narrow);
    locbo_space_destroy(frozen);
}

/* The past value of a parameter that was added may be a category that is retired later. */
static void a_past_that_is_retired(void **state) {
    (void)state;
    locbo_space *s = make_space(1, 3), *t = make_space(1, 3);
    const unsigned char retired[] = {1, 0};
    double x[4];
    locbo_trial trial;
    add(t, (locbo_parameter_spec){.name = "k",
                                  .kind = LOCBO_CATEGORICAL,
                                  .count = 2,
                                  .categories = WORDS,
                                  .retired = retired,
                                  .has_past = 1,
                                  .past = 0});
    locbo_optimizer *o = make_optimizer(s, &SCENE_METHODS[0]), *a = alter(o, t, 0);
    check_ok(locbo_optimizer_trial(a, 2, &trial, NULL, x, &error));
    check_same(x[3], 0);
    scene_ask(a, NULL, x);
    check_same(x[3], 1);
    locbo_optimizer_destroy(a);
    locbo_optimizer_destroy(o);
    locbo_space_destroy(s);
    locbo_space_destroy(t);
}

/* A category that the new space lacks: its results are set aside and counted, and the others stay. */
static void what_has_no_place(void **state) {
    (void)state;
    locbo_space *s = make_space(1, 3), *t = make_space(1, 2);
    locbo_optimizer *o = make_optimizer(s, &SCENE_METHODS[0]), *a = NULL;
    uint64_t aside = 0, expected = 0;
    locbo_trial_state was;
    double x[3];
    for (uint64_t id = 1; id <= 14; id++) {
        check_ok(locbo_optimizer_trial(o, id, NULL, &was, x, &error));
        expected += x[2] == 2 && was != LOCBO_TRIAL_PENDING && was != LOCBO_TRIAL_CANCELLED;
    }
    assert_true(expected > 0);
    check_ok(locbo_optimizer_alter(&a, o, t, NULL, &aside, &error));
    assert_int_equal(aside, expected);
    assert_int_equal(scene_summary(a).asked, 14);
    for (int k = 0; k < 4; k++) {
        uint64_t id = scene_ask(a, NULL, x);
        scene_tell(a, id, measure(x, 3));
    }
    locbo_optimizer_destroy(a);
    locbo_optimizer_destroy(o);
    locbo_space_destroy(s);
    locbo_space_destroy(t);
}

static void other_options(void **state) {
    (void)state;
    locbo_space *s = make_space(1, 3);
    locbo_optimizer *o = make_optimizer(s, &SCENE_METHODS[0]), *a = NULL;
    locbo_options options = scene_options(&SCENE_METHODS[0], 3);
    options.alpha = 0.4;
    check_ok(locbo_optimizer_alter(&a, o, s, &options, NULL, &error));
    check_same(scene_summary(a).target, 0.6);
    locbo_optimizer_destroy(a);
    locbo_optimizer_destroy(o);
    locbo_space_destroy(s);
}

static void mistakes(void **state) {
    (void)state;
    locbo_space *s = make_space(1, 3), *less = scene_cube(0), *more = make_space(1, 3), *kind = scene_cube(0);
    locbo_optimizer *o = make_optimizer(s, &SCENE_METHODS[6]), *a = NULL;
    check_ok(locbo_space_add_real(less, "x", 0, 1, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_real(more, "extra", 0, 1, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_categorical(kind, "x", 2, WORDS, &error));
    check_fails(locbo_optimizer_alter(&a, o, less, NULL, NULL, &error), LOCBO_ERR_ARGUMENT,
                "'n' is not in the new space: freeze it");
    check_fails(locbo_optimizer_alter(&a, o, more, NULL, NULL, &error), LOCBO_ERR_ARGUMENT, "'extra' is new: it needs");
    check_fails(locbo_optimizer_alter(&a, o, kind, NULL, NULL, &error), LOCBO_ERR_ARGUMENT, "of another kind");
    check_fails(locbo_optimizer_alter(&a, o, NULL, NULL, NULL, &error), LOCBO_ERR_ARGUMENT, "must not be NULL");
    assert_null(a);
    const unsigned char all[] = {1, 1};
    const locbo_parameter_spec bad[] = {
        {.struct_size = sizeof *bad,
         .name = "p",
         .kind = LOCBO_CATEGORICAL,
         .count = 2,
         .categories = WORDS,
         .retired = all},
        {.struct_size = sizeof *bad, .name = "p", .high = 1, .is_frozen = 1, .frozen = 3},
        {.struct_size = sizeof *bad, .name = "p", .high = 1, .has_past = 1, .past = INFINITY},
        {.struct_size = sizeof *bad, .name = "p", .high = 1, .is_frozen = 7}};
    static const char *const words[] = {"no category is left",
                                        "frozen: parameter 'p' must be a number in [0, 1], got 3", "must be finite",
                                        "must be 0 or 1"};
    for (size_t i = 0; i < 4; i++) check_fails(locbo_space_add(less, &bad[i], &error), LOCBO_ERR_ARGUMENT, words[i]);
    locbo_optimizer_destroy(o);
    locbo_space_destroy(s);
    locbo_space_destroy(less);
    locbo_space_destroy(more);
    locbo_space_destroy(kind);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_changed),
        cmocka_unit_test(ranges),
        cmocka_unit_test(parameters_and_categories),
        cmocka_unit_test(recommendations_keep_inside),
        cmocka_unit_test(a_past_that_is_retired),
        cmocka_unit_test(what_has_no_place),
        cmocka_unit_test(other_options),
        cmocka_unit_test(mistakes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
