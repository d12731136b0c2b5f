/* test_remeasure.c - results too good to believe are measured again (option remeasure), within their limits. */
#include <jansson.h>

#include "scene.h"

static const scene_method PLAIN = {"bo", "bo", "0.25"};
static const double here[] = {0.8, 0.2}, there[] = {0.15, 0.9}, elsewhere[] = {0.9, 0.85}, bottom[] = {0.3, 0.4};

/* Noise of Student's t, and as many rounds of measuring again as there are reasons. */
static locbo_options options_of(uint64_t seed) {
    locbo_options options = scene_options(&PLAIN, seed);
    scene_set(&options, "noise_law", "student");
    scene_set(&options, "remeasure", "1");
    scene_set(&options, "explore", "none");
    return options;
}

/* 25 results of the bowl with little noise, at random points. */
static locbo_optimizer *informed(const locbo_options *options) {
    locbo_space *space = scene_cube(2);
    locbo_optimizer *o = scene_optimizer(space, options);
    rng r = rng_open(options->seed, 9, RNG_DESIGN);
    for (size_t i = 0; i < 25; i++) {
        double x[] = {rng_uniform(&r), rng_uniform(&r)};
        scene_add(o, x, scene_bowl(space, x) + 0.02 * rng_normal(&r));
    }
    locbo_space_destroy(space);
    return o;
}

static int is_at(const double *x, const double *point) { return x[0] == point[0] && x[1] == point[1]; }

/* An ordinary result of a trial at x; `k` makes it differ from the others there. */
static void tell_usual(locbo_optimizer *o, uint64_t id, const double *x, int k) {
    scene_tell(o, id, scene_bowl(locbo_optimizer_space(o), x) + 0.003 * k);
}

static locbo_origin ask_origin(locbo_optimizer *o, locbo_trial *t, double *x) {
    scene_ask(o, t, x);
    return t->origin;
}

/* Twice, one at a time, with a prediction that is judged. */
static void a_result_too_good_is_measured_twice(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        locbo_options options = options_of(seed);
        locbo_optimizer *o = informed(&options);
        double x[2];
        locbo_trial t, other;
        scene_add(o, here, -4);
        for (int k = 1; k <= 2; k++) {
            assert_int_equal(ask_origin(o, &t, x), LOCBO_ORIGIN_AGAIN);
            assert_true(is_at(x, here));
            assert_true(isfinite(t.belief.mean) && t.belief.sd_y > 0);
            assert_int_equal(ask_origin(o, &other, x), LOCBO_ORIGIN_MODEL); /* while it is outstanding */
            assert_false(is_at(x, here));
            tell_usual(o, t.id, here, k);
            tell_usual(o, other.id, x, 0);
        }
        for (int k = 0; k < 3; k++) {
            assert_int_equal(ask_origin(o, &t, x), LOCBO_ORIGIN_MODEL);
            tell_usual(o, t.id, x, 0);
        }
        locbo_summary s = scene_summary(o);
        assert_int_equal(s.judged, 7);
        assert_int_equal(s.judged_by[LOCBO_ORIGIN_AGAIN], 2);
        assert_int_equal(s.judged_by[LOCBO_ORIGIN_MODEL], 5);
        locbo_optimizer_destroy(o);
    }
}

/* Without the second measurement the model does not believe it; with it, it recommends the point. */
static void a_true_one_is_believed_then(void **state) {
    (void)state;
    locbo_options options = options_of(1);
    options.noise_law = LOCBO_NOISE_LAW_AUTO;
    options.recommendation = LOCBO_RECOMMEND_EVALUATED;
    locbo_optimizer *o = informed(&options);
    double x[2];
    locbo_trial t;
    locbo_choice choice;
    scene_add(o, here, -4);
    assert_int_equal(ask_origin(o, &t, x), LOCBO_ORIGIN_AGAIN);
    check_ok(locbo_optimizer_recommend(o, &choice, x, &error));
    assert_false(is_at(x, here));
    for (int k = 1; t.origin == LOCBO_ORIGIN_AGAIN; k++) {
        scene_tell(o, t.id, -4 + 0.01 * k);
        ask_origin(o, &t, x);
    }
    check_ok(locbo_optimizer_recommend(o, &choice, x, &error));
    assert_true(is_at(x, here));
    locbo_optimizer_destroy(o);
}

/* What is proposed after 25 usual results and the given ones. */
typedef struct extra {
    const double *x;
    locbo_measurement m;
} extra;

static locbo_origin origin_after(const locbo_options *options, size_t n, const extra *results, double *x) {
    locbo_optimizer *o = informed(options);
    locbo_trial t;
    for (size_t i = 0; i < n; i++) check_ok(locbo_optimizer_add(o, results[i].x, &results[i].m, &error));
    ask_origin(o, &t, x);
    locbo_optimizer_destroy(o);
    return t.origin;
}

static void only_where_the_rule_says(void **state) {
    (void)state;
    const extra good = {here, {-4, NAN, 1}}, better = {there, {-5, NAN, 1}}, bad = {here, {9, NAN, 1}};
    const extra exact = {here, {-4, 0, 1}}, mean_of_many = {bottom, {-0.1, NAN, 4}};
    const extra same = {elsewhere, {1, NAN, 1}};
    locbo_options options = options_of(1), normal = options, never = options, rows = options;
    scene_set(&normal, "noise_law", "gaussian");
    scene_set(&never, "remeasure", "0");
    scene_set(&rows, "replicates", "rows");
    const struct {
        const char *what;
        const locbo_options *options;
        size_t count;
        extra results[3];
        const double *again; /* NULL: no point is measured again */
    } cases[] = {{"good", &options, 1, {good}, here},
                 {"the best of two", &options, 2, {good, better}, there},
                 {"a mean of many", &options, 1, {mean_of_many}, bottom},
                 {"too bad to believe", &options, 1, {bad}, NULL},
                 {"exact by its sd", &options, 1, {exact}, NULL},
                 {"normal noise", &normal, 1, {good}, NULL},
                 {"never", &never, 1, {good}, NULL},
                 {"two results, not the same", &options, 3, {good, same, {elsewhere, {1.01, NAN, 1}}}, here},
                 {"two results, the same", &options, 3, {good, same, same}, NULL},
                 {"a row each", &rows, 1, {good}, here},
                 {"two results, the same, a row each", &rows, 3, {good, same, same}, NULL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double x[2];
        locbo_origin origin = origin_after(cases[i].options, cases[i].count, cases[i].results, x);
        check_that((origin == LOCBO_ORIGIN_AGAIN) == (cases[i].again != NULL), "%s: origin %d", cases[i].what, origin);
        if (cases[i].again) check_that(is_at(x, cases[i].again), "%s: at %g %g", cases[i].what, x[0], x[1]);
    }
}

/* Points with all fixed coordinates as given; none if the candidates are to be random ones. */
static void conditions_of_the_ask_hold(void **state) {
    (void)state;
    const double fixed[][2] = {{NAN, NAN}, {0.8, NAN}, {NAN, 0.9}, {0.5, NAN}};
    const double *again[] = {there, here, there, NULL};
    locbo_options options = options_of(2);
    for (int i = 0; i < 5; i++) {
        locbo_optimizer *o = informed(&options);
        double x[2];
        locbo_trial t;
        locbo_ask_options how = {.struct_size = sizeof how, .fixed = i < 4 ? fixed[i] : NULL};
        if (i == 4) how.candidates = 50;
        scene_add(o, here, -4);
        scene_add(o, there, -5);
        check_ok(locbo_optimizer_ask_with(o, &how, &t, x, &error));
        assert_int_equal(t.origin, i < 3 ? LOCBO_ORIGIN_AGAIN : LOCBO_ORIGIN_MODEL);
        if (i < 3) assert_true(is_at(x, again[i]));
        locbo_optimizer_destroy(o);
    }
}

/* At every moment, also of those that are outstanding. */
static void the_share_is_kept(void **state) {
    (void)state;
    locbo_options options = options_of(3);
    options.remeasure = 0.15;
    locbo_optimizer *o = informed(&options);
    rng r = scene_random(5);
    double x[3][2];
    size_t again = 0, rounds = 0;
    for (int k = 0; k < 20; k++) { /* three workers; every second result is too good */
        locbo_trial t[3];
        for (int w = 0; w < 3; w++) {
            again += ask_origin(o, &t[w], x[w]) == LOCBO_ORIGIN_AGAIN;
            rounds++;
            check_that((double)again <= 0.15 * (double)rounds, "%zu of %zu", again, rounds);
        }
        for (int w = 0; w < 3; w++)
            if (rng_uniform(&r) < 0.5)
                scene_tell(o, t[w].id, -4 - 0.1 * k - rng_uniform(&r));
            else
                tell_usual(o, t[w].id, x[w], k);
    }
    print_message("%zu of %zu rounds measured again\n", again, rounds);
    assert_in_range(again, 2, 9);
    locbo_optimizer_destroy(o);
}

static void workers_measure_different_points(void **state) {
    (void)state;
    locbo_options options = options_of(4);
    locbo_optimizer *o = informed(&options);
    const double *points[] = {there, here, elsewhere};
    double x[2];
    locbo_trial t;
    for (int k = 0; k < 3; k++) scene_add(o, points[k], -5 + 0.5 * k);
    for (int k = 0; k < 3; k++) { /* the best first */
        assert_int_equal(ask_origin(o, &t, x), LOCBO_ORIGIN_AGAIN);
        assert_true(is_at(x, points[k]));
        assert_int_equal(t.pending, k);
    }
    assert_int_equal(ask_origin(o, &t, x), LOCBO_ORIGIN_MODEL);
    locbo_optimizer_destroy(o);
}

/* ---- saved states ---------------------------------------------------------------------------- */

static locbo_optimizer *load(const char *text) {
    locbo_optimizer *o = NULL;
    check_ok(locbo_optimizer_load(&o, text, strlen(text), &error));
    return o;
}

static char *save(const locbo_optimizer *o) {
    char *text;
    check_ok(locbo_optimizer_save(o, &text, NULL, &error));
    return text;
}

/* The same rounds from the state after each, in which one, two and three proposals have been made. */
static void a_saved_state_continues(void **state) {
    (void)state;
    locbo_options options = options_of(1);
    locbo_optimizer *o = informed(&options);
    double x[2], y[2];
    locbo_trial t, u;
    scene_add(o, here, -4);
    for (int k = 0; k < 5; k++) {
        char *text = save(o);
        locbo_optimizer *loaded = load(text);
        scene_ask(loaded, &u, y);
        scene_ask(o, &t, x);
        assert_int_equal(t.origin, u.origin);
        assert_int_equal(t.origin, k == 0 || k == 2 ? LOCBO_ORIGIN_AGAIN : LOCBO_ORIGIN_MODEL);
        check_same(x[0], y[0]);
        check_same(x[1], y[1]);
        check_same(t.belief.mean, u.belief.mean);
        if (k >= 1) tell_usual(o, (uint64_t)k, k % 2 ? here : x, k); /* the first stays outstanding at first */
        locbo_free(text);
        locbo_optimizer_destroy(loaded);
    }
    locbo_optimizer_destroy(o);
}

/* A state without the option was saved before there was one. */
static void an_older_state_never_measures_again(void **state) {
    (void)state;
    locbo_options options = options_of(1), loaded_options;
    locbo_optimizer *o = informed(&options);
    double x[2];
    locbo_trial t;
    scene_add(o, here, -4);
    char *text = save(o);
    json_t *root = json_loads(text, 0, NULL);
    assert_int_equal(json_object_del(json_object_get(root, "options"), "remeasure"), 0);
    char *older = json_dumps(root, JSON_REAL_PRECISION(17));
    locbo_optimizer *loaded = load(older);
    locbo_options_init(&loaded_options);
    check_ok(locbo_optimizer_options(loaded, &loaded_options, &error));
    check_same(loaded_options.remeasure, 0);
    assert_int_equal(ask_origin(loaded, &t, x), LOCBO_ORIGIN_MODEL);
    assert_int_equal(ask_origin(o, &t, x), LOCBO_ORIGIN_AGAIN);
    free(older);
    json_decref(root);
    locbo_free(text);
    locbo_optimizer_destroy(loaded);
    locbo_optimizer_destroy(o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_result_too_good_is_measured_twice),
        cmocka_unit_test(a_true_one_is_believed_then),
        cmocka_unit_test(only_where_the_rule_says),
        cmocka_unit_test(conditions_of_the_ask_hold),
        cmocka_unit_test(the_share_is_kept),
        cmocka_unit_test(workers_measure_different_points),
        cmocka_unit_test(a_saved_state_continues),
        cmocka_unit_test(an_older_state_never_measures_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
