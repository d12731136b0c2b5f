/* Every kind of parameter, conditions and known constraints with every method: proposals are points of the space, no
 * two are equal, and the optimizer goes on the same, to the bit, when it is saved and loaded, or built again from its
 * facts.
 */
#include "scene.h"
#include "space.h"

enum { DIM = 9, ROUNDS = 22, SAVED = 11 };

static const char *const WORDS[] = {"tiny", "small", "large", "huge"};
static const double SIZES[] = {1, 3, 10, 100};

static void add(locbo_space *s, locbo_parameter_spec spec) {
    spec.struct_size = sizeof spec;
    check_ok(locbo_space_add(s, &spec, &error));
}

/* One parameter of each kind; some depend on others, one on such a one. */
static locbo_space *all_kinds(const char *const *constraints, size_t count) {
    locbo_space *s = scene_cube(0);
    check_ok(locbo_space_add_categorical(s, "kernel", 3, WORDS, &error));
    check_ok(locbo_space_add_real(s, "x", 0, 1, LOCBO_LINEAR, &error));
    add(s, (locbo_parameter_spec){.name = "y", .high = 2, .step = 0.25});
    add(s, (locbo_parameter_spec){.name = "n", .kind = LOCBO_INT, .scale = LOCBO_LOG, .high = 100});
    add(s, (locbo_parameter_spec){
               .name = "size", .kind = LOCBO_ORDERED, .count = 4, .categories = WORDS, .numbers = SIZES});
    add(s, (locbo_parameter_spec){.name = "flag", .kind = LOCBO_BOOL});
    add(s, (locbo_parameter_spec){.name = "rate",
                                  .low = 1e-3,
                                  .high = 1,
                                  .scale = LOCBO_LOG,
                                  .parent = "kernel",
                                  .when_count = 2,
                                  .when = (double[]){0, 2}});
    add(s, (locbo_parameter_spec){.name = "degree",
                                  .kind = LOCBO_INT,
                                  .low = 8,
                                  .high = 40,
                                  .step = 8,
                                  .parent = "flag",
                                  .when_count = 1,
                                  .when = (double[]){1}});
    add(s, (locbo_parameter_spec){.name = "choice",
                                  .kind = LOCBO_CATEGORICAL,
                                  .count = 2,
                                  .categories = WORDS,
                                  .parent = "degree",
                                  .when_count = 2,
                                  .when = (double[]){8, 24}});
    for (size_t i = 0; i < count; i++) check_ok(locbo_space_add_constraint(s, constraints[i], &error));
    return s;
}

static double measure(const double *x, uint64_t k) {
    double sum = pow(x[1] - 0.3, 2) + 0.3 * x[2] + 0.01 * x[3] + 0.1 * x[4] + (x[0] == 1 ? 0.4 : 0);
    if (!isnan(x[6])) sum += 0.1 * pow(log10(x[6]) + 1, 2);
    if (!isnan(x[7])) sum += 0.01 * x[7] - 0.2;
    if (!isnan(x[8])) sum += 0.1 * x[8];
    return sum + 0.02 * sin(100 * (double)k);
}

/* One round with two trials outstanding now and then, and failures. */
static void live(locbo_optimizer *o, size_t rounds, double *x) {
    for (size_t i = 0; i < rounds; i++) {
        uint64_t id = scene_ask(o, NULL, x + i * DIM);
        if (id % 7 == 3) {
            check_ok(locbo_optimizer_tell_failed(o, id, &error));
        } else {
            scene_tell(o, id, measure(x + i * DIM, id));
        }
    }
}

static void check_distinct(const locbo_space *s, const double *x, size_t n) {
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++)
            check_that(!space_same(s, x + i * DIM, x + k * DIM), "proposals %zu and %zu are equal", k + 1, i + 1);
}

static void check_same_points(const double *a, const double *b, size_t n) {
    for (size_t i = 0; i < n * DIM; i++)
        if (!(isnan(a[i]) && isnan(b[i]))) check_same(a[i], b[i]);
}

/* As a database does it: the trials, then the outcomes, then the last fit. */
static locbo_optimizer *rebuild(locbo_optimizer *from, const locbo_options *options) {
    locbo_optimizer *o = scene_optimizer(locbo_optimizer_space(from), options);
    uint64_t asked = scene_summary(from).asked;
    locbo_trial trial;
    locbo_trial_state state;
    double x[DIM];
    locbo_fit fit;
    for (uint64_t id = 1; id <= asked; id++) {
        check_ok(locbo_optimizer_trial(from, id, &trial, &state, x, &error));
        check_ok(locbo_optimizer_restore_trial(o, &trial, x, &error));
    }
    for (uint64_t id = 1; id <= asked; id++) {
        check_ok(locbo_optimizer_trial(from, id, &trial, &state, x, &error));
        if (state == LOCBO_TRIAL_FAILED)
            check_ok(locbo_optimizer_tell_failed(o, id, &error));
        else
            scene_tell(o, id, measure(x, id));
    }
    check_ok(locbo_optimizer_fit(from, &fit, &error));
    if (fit.rows > 0) check_ok(locbo_optimizer_restore_fit(o, &fit, &error));
    return o;
}

static void proposals_of_every_method(void **state) {
    (void)state;
    static const char *const wide[] = {"x + y <= 2", "size*x < 20"};            /* three quarters of the box or so */
    static const char *const narrow[] = {"x + y <= 0.1", "rate < 2*x + 0.002"}; /* about one hundredth */
    static const struct {
        const char *const *texts;
        size_t count;
    } limits[] = {{NULL, 0}, {wide, 2}, {narrow, 2}};
    for (size_t m = 0; m < SCENE_METHOD_COUNT; m++)
        for (size_t k = 0; k < 3; k++) {
            locbo_space *s = all_kinds(limits[k].texts, limits[k].count);
            locbo_options options = scene_options(&SCENE_METHODS[m], 10 * m + k);
            double x[ROUNDS * DIM], again[ROUNDS * DIM];
            char *text = NULL;
            locbo_optimizer *o = scene_optimizer(s, &options), *loaded = NULL;
            print_message("%s, constraints %zu\n", SCENE_METHODS[m].label, k);
            live(o, SAVED, x);
            check_ok(locbo_optimizer_save(o, &text, NULL, &error));
            check_ok(locbo_optimizer_load(&loaded, text, strlen(text), &error));
            locbo_optimizer *rebuilt = rebuild(o, &options);
            live(o, ROUNDS - SAVED, x + SAVED * DIM);
            check_distinct(s, x, ROUNDS);
            live(loaded, ROUNDS - SAVED, again);
            check_same_points(x + SAVED * DIM, again, ROUNDS - SAVED);
            live(rebuilt, ROUNDS - SAVED, again);
            check_same_points(x + SAVED * DIM, again, ROUNDS - SAVED);
            locbo_choice choice;
            check_ok(locbo_optimizer_recommend(o, &choice, again, &error));
            check_ok(locbo_space_check(s, again, &error));
            locbo_free(text);
            locbo_optimizer_destroy(rebuilt);
            locbo_optimizer_destroy(loaded);
            locbo_optimizer_destroy(o);
            locbo_space_destroy(s);
        }
}

/* Values that are fixed stay, and what they make inactive has none. */
static void fixed_values(void **state) {
    (void)state;
    const double nan = (double)NAN;
    static const char *const limits[] = {"x + y <= 1"};
    locbo_space *s = all_kinds(limits, 1);
    locbo_options options = scene_options(&SCENE_METHODS[0], 5);
    locbo_optimizer *o = scene_optimizer(s, &options);
    double x[40 * DIM];
    locbo_trial trial;
    live(o, 12, x);
    const double fixed[] = {1, nan, 0.5, nan, nan, 0, nan, nan, nan};
    locbo_ask_options how = {.struct_size = sizeof how, .fixed = fixed};
    for (int i = 0; i < 4; i++) {
        check_ok(locbo_optimizer_ask_with(o, &how, &trial, x, &error));
        check_ok(locbo_space_check(s, x, &error));
        assert_true(x[0] == 1 && x[2] == 0.5 && x[1] <= 0.5 && isnan(x[6]) && isnan(x[7]) && isnan(x[8]));
        scene_tell(o, trial.id, measure(x, trial.id));
    }
    const double given[] = {1, 0.25, 0.5, 3, 2, 0, nan, nan, nan}, wrong[] = {1, 0.75, 0.5, 3, 2, 0, nan, nan, nan};
    how.fixed = given;
    check_ok(locbo_optimizer_ask_with(o, &how, &trial, x, &error));
    assert_int_equal(trial.origin, LOCBO_ORIGIN_GIVEN);
    how.fixed = wrong;
    check_fails(locbo_optimizer_ask_with(o, &how, &trial, x, &error), LOCBO_ERR_ARGUMENT, "'x + y <= 1'");
    const double child[] = {nan, nan, nan, nan, nan, nan, 0.1, nan, nan};
    how.fixed = child;
    check_fails(locbo_optimizer_ask_with(o, &how, &trial, x, &error), LOCBO_ERR_ARGUMENT, "'rate' is fixed at 0.1");
    const double none[] = {nan, nan, 2, nan, nan, nan, nan, nan, nan};
    how.fixed = none;
    check_fails(locbo_optimizer_ask_with(o, &how, &trial, x, &error), LOCBO_ERR_ARGUMENT, "with these values fixed");
    locbo_optimizer_destroy(o);
    locbo_space_destroy(s);
}

/* The good points, near which the maximiser searches, do not satisfy the constraints with the fixed value. */
static void a_fixed_value_far_from_good_points(void **state) {
    (void)state;
    const double nan = (double)NAN, fixed[] = {0.9, nan};
    double x[2];
    locbo_space *s = scene_cube(2);
    check_ok(locbo_space_add_constraint(s, "x0 + x1 <= 1", &error));
    locbo_options options = scene_options(&SCENE_METHODS[0], 3);
    locbo_optimizer *o = scene_optimizer(s, &options);
    locbo_ask_options how = {.struct_size = sizeof how};
    locbo_trial trial;
    for (int i = 0; i < 24; i++) {
        how.fixed = i >= 12 ? fixed : NULL;
        check_ok(locbo_optimizer_ask_with(o, &how, &trial, x, &error));
        check_ok(locbo_space_check(s, x, &error));
        scene_tell(o, trial.id, pow(x[0] - 0.3, 2) + pow(x[1] - 0.6, 2)); /* best at 0.3, 0.6 */
    }
    locbo_optimizer_destroy(o);
    locbo_space_destroy(s);
}

/* A space of few points is listed; the value that is fixed leaves none of them. */
static void a_fixed_value_that_leaves_nothing(void **state) {
    (void)state;
    const double nan = (double)NAN, fixed[] = {2, nan};
    double x[2];
    locbo_space *s = scene_cube(0);
    check_ok(locbo_space_add_int(s, "a", 0, 4, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_int(s, "b", 0, 4, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_constraint(s, "a < 2 or a > 2", &error));
    locbo_options options = scene_options(&SCENE_METHODS[0], 3);
    locbo_optimizer *o = scene_optimizer(s, &options);
    locbo_ask_options how = {.struct_size = sizeof how};
    locbo_trial trial;
    for (int i = 0; i < 9; i++) {
        check_ok(locbo_optimizer_ask(o, &trial, x, &error));
        scene_tell(o, trial.id, x[0] + x[1] + 0.1 * i);
    }
    how.fixed = fixed;
    check_fails(locbo_optimizer_ask_with(o, &how, &trial, x, &error), LOCBO_ERR_ARGUMENT, "with these values fixed");
    locbo_optimizer_destroy(o);
    locbo_space_destroy(s);
}

/* Without noise, the best point lies on a constraint, straight or curved: it is recommended to 1e-6 or so. */
static void a_best_point_on_the_boundary(void **state) {
    (void)state;
    static const struct {
        const char *text;
        double x, y; /* the best point: nearest to (0.8, 0.7) */
    } cases[] = {{"x0 + x1 <= 1", 0.55, 0.45},
                 {"x0^2 + x1^2 <= 0.25", 0.4 / 1.0630145812734649, 0.35 / 1.0630145812734649},
                 {"1 > 2*x0", 0.5, 0.7}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        locbo_space *s = scene_cube(2);
        locbo_options options;
        locbo_choice choice;
        double x[2];
        check_ok(locbo_space_add_constraint(s, cases[k].text, &error));
        locbo_options_init(&options);
        options.kernel = LOCBO_KERNEL_RBF; /* a quadratic is then known exactly enough */
        options.scale = LOCBO_OUTPUT_SCALE_NONE;
        locbo_optimizer *o = scene_optimizer(s, &options);
        for (int i = 0; i < 30; i++) {
            uint64_t id = scene_ask(o, NULL, x);
            scene_tell(o, id, pow(x[0] - 0.8, 2) + pow(x[1] - 0.7, 2));
        }
        check_ok(locbo_optimizer_recommend(o, &choice, x, &error));
        check_ok(locbo_space_check(s, x, &error));
        /* the constraint is reached to 1e-6; along it the model's own error, of a flat optimum, is larger */
        double reached = k == 0 ? x[0] + x[1] - 1 : k == 1 ? hypot(x[0], x[1]) - 0.5 : x[0] - 0.5;
        check_that(reached <= 0 && reached >= -1e-6, "%s is missed by %g", cases[k].text, reached);
        check_that(hypot(x[0] - cases[k].x, x[1] - cases[k].y) < 2e-3, "%s: (%.8f, %.8f)", cases[k].text, x[0], x[1]);
        locbo_optimizer_destroy(o);
        locbo_space_destroy(s);
    }
}

static int allow_disc(const double *x, size_t dim, void *user) {
    (void)dim, (void)user;
    return hypot(x[0] - 0.5, x[1] - 0.5) < 0.1;
}

/* A function of the caller's, which a saved state does not have. */
static void the_callers_function(void **state) {
    (void)state;
    locbo_space *s = scene_cube(2);
    locbo_space_set_allowed(s, allow_disc, NULL);
    locbo_options options = scene_options(&SCENE_METHODS[0], 3);
    locbo_optimizer *o = scene_optimizer(s, &options), *loaded = NULL;
    double a[2], b[2];
    char *text = NULL;
    for (int i = 0; i < 3; i++) {
        uint64_t id = scene_ask(o, NULL, a);
        scene_tell(o, id, a[0]);
    }
    check_ok(locbo_optimizer_save(o, &text, NULL, &error));
    check_ok(locbo_optimizer_load(&loaded, text, strlen(text), &error));
    check_ok(locbo_optimizer_set_allowed(loaded, allow_disc, NULL, &error));
    for (int i = 0; i < 12; i++) {
        uint64_t id = scene_ask(o, NULL, a);
        assert_int_equal(id, scene_ask(loaded, NULL, b));
        assert_true(allow_disc(a, 2, NULL));
        for (int j = 0; j < 2; j++) check_same(a[j], b[j]);
        scene_tell(o, id, a[0] + a[1]);
        scene_tell(loaded, id, a[0] + a[1]);
    }
    locbo_free(text);
    locbo_optimizer_destroy(loaded);
    locbo_optimizer_destroy(o);
    locbo_space_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proposals_of_every_method),          cmocka_unit_test(fixed_values),
        cmocka_unit_test(a_fixed_value_far_from_good_points), cmocka_unit_test(a_fixed_value_that_leaves_nothing),
        cmocka_unit_test(a_best_point_on_the_boundary),       cmocka_unit_test(the_callers_function),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
