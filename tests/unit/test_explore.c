/* test_explore.c - proposals that explore (option explore): when, and where. */
#include "explore.h"

#include <jansson.h>

#include "scene.h"
#include "skill.h"

/* ---- where ------------------------------------------------------------------------------------- */

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

/* Far points where evaluations succeed: not in the left half, where every one failed. */
static void points_that_fail_are_left_out(void **state) {
    (void)state;
    locbo_space *space = scene_cube(2);
    locbo_options options = scene_options(&SCENE_METHODS[0], 4);
    locbo_optimizer *o = scene_optimizer(space, &options);
    rng r = scene_random(6);
    acqmax_request request = {.space = o->space};
    double x[2];
    for (int i = 0; i < 24; i++) {
        double fixed[] = {(i + 0.5) / 24, rng_uniform(&r)};
        locbo_trial t;
        locbo_ask_options how = {.struct_size = sizeof how, .fixed = fixed};
        check_ok(locbo_optimizer_ask_with(o, &how, &t, x, &error));
        if (x[0] < 0.5)
            check_ok(locbo_optimizer_tell_infeasible(o, t.id, &error));
        else
            scene_tell(o, t.id, rng_normal(&r));
    }
    for (int i = 0; i < 20; i++) {
        explore_way way = i % 2 ? EXPLORE_RANDOM : EXPLORE_FAR;
        scene_ask(o, NULL, x); /* the next points are other ones */
        check_ok(explore_point(o, &request, way, o->success, x, &error));
        check_that(x[0] > 0.5, "point %d at %g %g", i, x[0], x[1]);
    }
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

static size_t calls;
static int is_near_the_corner(const double *x, size_t dim, void *user) {
    (void)dim, (void)user;
    calls++;
    return x[0] + x[1] <= 0.2;
}

/* Of a fiftieth of the space that is allowed: the function is asked about no more points than it takes to find some,
 * fifty for each of 32. No point is one that was tried. */
static void allowed_points_are_looked_for_once(void **state) {
    (void)state;
    locbo_space *space = scene_cube(2);
    locbo_space_set_allowed(space, is_near_the_corner, NULL);
    for (int way = EXPLORE_RANDOM; way <= EXPLORE_FAR; way++) {
        locbo_options options = scene_options(&SCENE_METHODS[0], 5);
        locbo_optimizer *o = scene_optimizer(space, &options);
        double x[2], taken[] = {0.1, 0.05};
        acqmax_request r = {.space = o->space, .taken = taken, .taken_count = 1, .pending_count = 1};
        scene_add(o, taken, 1);
        calls = 0;
        check_ok(explore_point(o, &r, (explore_way)way, NULL, x, &error));
        print_message("way %d: %zu points were asked about\n", way, calls);
        assert_true(calls < 2 * 32 * 50); /* twice what is expected, far beyond chance */
        assert_true(x[0] + x[1] <= 0.2 && !(x[0] == taken[0] && x[1] == taken[1]));
        locbo_optimizer_destroy(o);
    }
    locbo_space_destroy(space);
}

/* ---- when -------------------------------------------------------------------------------------- */

/* Options under which nothing is measured again. */
static locbo_options options_of(uint64_t seed) {
    locbo_options options = scene_options(&SCENE_METHODS[0], seed);
    scene_set(&options, "remeasure", "0");
    return options;
}

/* Noise alone. */
static void without_skill_a_third_of_the_rounds(void **state) {
    (void)state;
    locbo_space *space = scene_cube(2);
    for (uint64_t seed = 1; seed <= 3; seed++) {
        locbo_options options = options_of(seed);
        locbo_optimizer *o = scene_optimizer(space, &options);
        rng r = scene_random(seed);
        size_t rounds = 0, explored = 0;
        for (int i = 0; i < 40; i++) {
            locbo_trial t;
            double x[2];
            scene_ask(o, &t, x);
            if (t.origin != LOCBO_ORIGIN_DESIGN) {
                int due =
                    3 * (explored + 1) <= rounds + 1 && skill_of_model(&o->quantity->surrogate, &o->quantity->data) < 2;
                check_that((t.origin == LOCBO_ORIGIN_EXPLORE) == due, "trial %d: origin %d", i + 1, (int)t.origin);
                assert_true(isfinite(t.belief.mean) && t.belief.sd_y > 0);
                rounds++;
                explored += (size_t)due;
            }
            scene_tell(o, t.id, rng_normal(&r));
        }
        print_message("%zu of %zu rounds explored\n", explored, rounds);
        assert_in_range(explored, 3, rounds / 3);
        locbo_summary s = scene_summary(o);
        assert_int_equal(s.judged, rounds);
        assert_int_equal(s.judged_by[LOCBO_ORIGIN_EXPLORE], explored);
        locbo_optimizer_destroy(o);
    }
    locbo_space_destroy(space);
}

/* The same optimizer from its saved text, in which the option has another value (NULL: is missing). */
static locbo_optimizer *copy_with(const locbo_optimizer *o, const char *explore) {
    char *text;
    locbo_optimizer *copy = NULL;
    check_ok(locbo_optimizer_save(o, &text, NULL, &error));
    json_t *root = json_loads(text, 0, NULL), *options = json_object_get(root, "options");
    assert_int_equal(json_object_del(options, "explore"), 0);
    if (explore) json_object_set_new(options, "explore", json_string(explore));
    char *changed = json_dumps(root, JSON_REAL_PRECISION(17));
    check_ok(locbo_optimizer_load(&copy, changed, strlen(changed), &error));
    free(changed);
    json_decref(root);
    locbo_free(text);
    return copy;
}

/* n rounds of the noisy bowl; how many explored. In `ids`, if given, bit k stands for trial k. */
static int explored_in(const locbo_space *space, const locbo_options *options, const locbo_ask_options *how,
                       locbo_score_fn *score, uint64_t n, uint64_t *ids) {
    locbo_optimizer *o = scene_optimizer(space, options);
    rng r = rng_open(options->seed, 1, RNG_DESIGN);
    int count = 0;
    if (score) check_ok(locbo_optimizer_set_score(o, score, NULL, &error));
    for (uint64_t id = 1; id <= n; id++) {
        locbo_trial t;
        double x[11];
        check_ok(locbo_optimizer_ask_with(o, how, &t, x, &error));
        for (size_t j = 0; how && how->fixed && j < 3; j++)
            if (!isnan(how->fixed[j])) check_same(x[j], how->fixed[j]);
        count += t.origin == LOCBO_ORIGIN_EXPLORE;
        if (ids && t.origin == LOCBO_ORIGIN_EXPLORE) *ids |= (uint64_t)1 << id;
        scene_tell(o, id, scene_bowl(space, x) + 0.1 * rng_normal(&r));
    }
    locbo_optimizer_destroy(o);
    return count;
}

static double mean_alone(const locbo_view *view, void *user) {
    (void)user;
    return view->mean;
}

/* Every fourth proposal, unless the category is fixed. A large signal: the model has skill. */
static void with_categories_every_fourth_proposal(void **state) {
    (void)state;
    locbo_space *space = scene_mixed();
    locbo_options options = options_of(3), none = options, paper = options, gamma = options;
    scene_set(&none, "explore", "none");
    scene_set(&paper, "surrogate", "paper");
    scene_set(&gamma, "surrogate", "gamma");
    const double category[] = {NAN, NAN, 1}, layers[] = {NAN, 5, NAN};
    const locbo_ask_options red = {.struct_size = sizeof red, .fixed = category};
    const locbo_ask_options five = {.struct_size = sizeof five, .fixed = layers};
    const locbo_ask_options random = {.struct_size = sizeof random, .candidates = 50};
    const uint64_t all = 1 << 8 | 1 << 12 | 1 << 16 | 1 << 20 | 1 << 24;
    uint64_t ids = 0, ids_of_five = 0, ids_of_red = 0;
    explored_in(space, &options, NULL, NULL, 24, &ids);
    explored_in(space, &options, &five, NULL, 24, &ids_of_five);
    explored_in(space, &options, &red, NULL, 24, &ids_of_red);
    assert_true((ids & all) == all && (ids_of_five & all) == all && (ids_of_red & all) != all);
    assert_int_equal(explored_in(space, &none, NULL, NULL, 24, NULL), 0);
    assert_int_equal(explored_in(space, &paper, NULL, NULL, 24, NULL), 0);
    assert_int_equal(explored_in(space, &gamma, NULL, NULL, 24, NULL), 0);
    assert_int_equal(explored_in(space, &options, &random, NULL, 24, NULL), 0);
    assert_int_equal(explored_in(space, &options, NULL, mean_alone, 24, NULL), 0);
    locbo_space_destroy(space);
}

/* Every fourth proposal from so many results on: of up to ten parameters, and not if it is switched off. */
static void after_many_results_every_fourth_proposal(void **state) {
    (void)state;
    for (size_t dim = 2; dim <= 11; dim += dim < 9 ? 4 : 1) {
        locbo_space *space = scene_cube(dim);
        locbo_options options = options_of(3), never = options, none = options;
        options.explore_from = 30;
        never.explore_from = none.explore_from = 0;
        scene_set(&none, "explore", "none");
        const uint64_t due = (uint64_t)0x111 << 36; /* 36, 40, 44: after the initial points */
        uint64_t ids = 0, ids_of_never = 0;
        explored_in(space, &options, NULL, NULL, 44, &ids);
        explored_in(space, &never, NULL, NULL, 44, &ids_of_never);
        check_that((ids & due) == (dim <= 10 ? due : 0), "%zu parameters: %llx", dim, (unsigned long long)ids);
        assert_true((ids_of_never & due) == 0);
        none.explore_from = 30;
        assert_int_equal(explored_in(space, &none, NULL, NULL, 44, NULL), 0);
        locbo_space_destroy(space);
    }
}

/* The most promising of random points: better than most of them by mean and sd of the model. */
static void a_promising_point(void **state) {
    (void)state;
    enum { OTHERS = 200 };
    locbo_space *space = scene_cube(2);
    locbo_options options = options_of(4);
    locbo_optimizer *o = scene_optimizer(space, &options);
    rng r = scene_random(10);
    double x[2 * (OTHERS + 1)];
    locbo_belief b[OTHERS + 1];
    int worse = 0;
    scene_rounds(o, 30, 0.1, &r);
    acqmax_request request = {.space = o->space};
    check_ok(explore_point(o, &request, EXPLORE_PROMISING, NULL, x, &error));
    for (size_t i = 2; i < 2 * (OTHERS + 1); i++) x[i] = rng_uniform(&r);
    check_ok(locbo_optimizer_predict(o, OTHERS + 1, x, b, &error));
    for (size_t i = 1; i <= OTHERS; i++) worse += b[i].mean - b[i].sd_f >= b[0].mean - b[0].sd_f;
    print_message("better than %d of %d\n", worse, OTHERS);
    assert_in_range(worse, OTHERS * 3 / 4, OTHERS);
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

/* As many proposals as there are points: no two are equal. */
static void no_point_twice(void **state) {
    (void)state;
    static const char *const words[] = {"red", "green", "blue"};
    locbo_space *space = NULL;
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_int(space, "n", 0, 5, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_categorical(space, "colour", 3, words, &error));
    locbo_options options = options_of(5);
    locbo_optimizer *o = scene_optimizer(space, &options);
    rng r = scene_random(8);
    int seen[18] = {0}, explored = 0;
    for (int i = 0; i < 18; i++) {
        double x[2];
        locbo_trial t;
        scene_ask(o, &t, x);
        assert_int_equal(seen[(int)x[0] * 3 + (int)x[1]]++, 0);
        explored += t.origin == LOCBO_ORIGIN_EXPLORE;
        scene_tell(o, t.id, rng_normal(&r));
    }
    assert_true(explored >= 3);
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

/* A category with one choice leaves nothing to explore. */
static void one_choice_is_no_category(void **state) {
    (void)state;
    static const char *const word[] = {"only"};
    locbo_space *space = scene_cube(2);
    check_ok(locbo_space_add_categorical(space, "kind", 1, word, &error));
    locbo_options options = options_of(3);
    uint64_t ids = 0;
    explored_in(space, &options, NULL, NULL, 24, &ids);
    assert_true((ids & (1 << 12 | 1 << 16 | 1 << 20 | 1 << 24)) == 0);
    locbo_space_destroy(space);
}

/* A state without the option was saved before there was one. */
static void an_older_state_never_explores(void **state) {
    (void)state;
    locbo_space *space = scene_mixed();
    locbo_options options = options_of(3), loaded;
    locbo_optimizer *o = scene_optimizer(space, &options);
    rng r = scene_random(9);
    locbo_trial t;
    double x[3];
    scene_rounds(o, 11, 0.1, &r);
    locbo_optimizer *older = copy_with(o, NULL);
    locbo_options_init(&loaded);
    check_ok(locbo_optimizer_options(older, &loaded, &error));
    assert_int_equal(loaded.explore, LOCBO_EXPLORE_NONE);
    scene_ask(older, &t, x);
    assert_int_equal(t.origin, LOCBO_ORIGIN_MODEL);
    scene_ask(o, &t, x);
    assert_int_equal(t.origin, LOCBO_ORIGIN_EXPLORE);
    locbo_optimizer_destroy(older);
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_far_from_results_and_trials),
        cmocka_unit_test(fixed_values_stay_and_trials_differ),
        cmocka_unit_test(allowed_points_are_looked_for_once),
        cmocka_unit_test(points_that_fail_are_left_out),
        cmocka_unit_test(without_skill_a_third_of_the_rounds),
        cmocka_unit_test(with_categories_every_fourth_proposal),
        cmocka_unit_test(after_many_results_every_fourth_proposal),
        cmocka_unit_test(a_promising_point),
        cmocka_unit_test(no_point_twice),
        cmocka_unit_test(one_choice_is_no_category),
        cmocka_unit_test(an_older_state_never_explores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
