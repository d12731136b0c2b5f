/* test_misuse.c - every public function with NULL, NaN, infinite, wrong and out-of-range arguments:
 * a status and one line that names the culprit, nothing changed, nothing worse. */
#include "scene.h"

/* The call must be refused with this status and these words, and likewise when the caller passes no locbo_error.
 * It refers to its last argument as `error`. */
#define refused(code, words, call)                                                                                     \
    do {                                                                                                               \
        locbo_error filled_ = {LOCBO_OK, ""}, *error = &filled_;                                                       \
        locbo_status status_ = (call);                                                                                 \
        if (status_ != (code) || filled_.status != (code) || !strstr(filled_.message, (words)) ||                      \
            strchr(filled_.message, '\n'))                                                                             \
            fail_msg("%s: status %d '%s', expected %d with '%s'", #call, (int)status_, filled_.message, (int)(code),   \
                     (words));                                                                                         \
        error = NULL;                                                                                                  \
        if ((call) != (code)) fail_msg("%s: another status without an error", #call);                                  \
    } while (0)
#define bad(words, call) refused(LOCBO_ERR_ARGUMENT, words, call)

static const double ODD[] = {NAN, INFINITY, -INFINITY};

/* ---- plain functions ------------------------------------------------------------------------- */

static void statuses_have_texts(void **state) {
    (void)state;
    for (int i = LOCBO_OK; i <= LOCBO_ERR_CANCELLED; i++) assert_true(strlen(locbo_status_text((locbo_status)i)) > 3);
    assert_string_equal(locbo_status_text((locbo_status)-1), locbo_status_text((locbo_status)99));
    char version[32];
    snprintf(version, sizeof version, "%d.%d.%d", LOCBO_VERSION_MAJOR, LOCBO_VERSION_MINOR, LOCBO_VERSION_PATCH);
    assert_string_equal(locbo_version(), version);
}

static void destroying_nothing(void **state) {
    (void)state;
    locbo_space_destroy(NULL);
    locbo_optimizer_destroy(NULL);
    locbo_free(NULL);
    locbo_options_init(NULL);
    locbo_optimizer_on_event(NULL, NULL, NULL);
    assert_null(locbo_optimizer_space(NULL));
    assert_int_equal(locbo_space_dim(NULL), 0);
}

/* A message stays one line of 255 bytes whatever the caller's texts are. */
static void messages_stay_one_line(void **state) {
    (void)state;
    char name[2000];
    memset(name, 'n', sizeof name);
    name[sizeof name - 1] = '\0';
    name[3] = '\n';
    locbo_space *space = scene_cube(1);
    size_t index;
    refused(LOCBO_ERR_NOT_FOUND, "nnn?nn", locbo_space_find(space, name, &index, error));
    check_ok(locbo_space_add_real(space, name, 0, 1, LOCBO_LINEAR, &error));
    bad("nnn?nn", locbo_space_check(space, (double[]){0.5, 2}, error));
    locbo_space_destroy(space);
}

/* ---- space ----------------------------------------------------------------------------------- */

static void space_functions(void **state) {
    (void)state;
    locbo_space *space = scene_mixed();
    locbo_parameter p;
    size_t index;
    const char *const words[] = {"a", "b"};
    bad("NULL", locbo_space_create(NULL, error));
    bad("NULL", locbo_space_add_real(NULL, "x", 0, 1, LOCBO_LINEAR, error));
    bad("NULL", locbo_space_add_real(space, NULL, 0, 1, LOCBO_LINEAR, error));
    bad("NULL", locbo_space_add_int(NULL, "x", 0, 1, LOCBO_LINEAR, error));
    bad("NULL", locbo_space_add_int(space, NULL, 0, 1, LOCBO_LINEAR, error));
    bad("NULL", locbo_space_add_categorical(NULL, "x", 2, words, error));
    bad("NULL", locbo_space_add_categorical(space, NULL, 2, words, error));
    bad("'x'", locbo_space_add_categorical(space, "x", 2, NULL, error));
    bad("'x'", locbo_space_add_categorical(space, "x", 0, words, error));
    bad("7", locbo_space_add_real(space, "x", 0, 1, (locbo_scale)7, error));
    bad("-1", locbo_space_add_int(space, "x", 0, 1, (locbo_scale)-1, error));
    bad("NULL", locbo_space_parameter(NULL, 0, &p, error));
    bad("NULL", locbo_space_parameter(space, 0, NULL, error));
    refused(LOCBO_ERR_NOT_FOUND, "3", locbo_space_parameter(space, 3, &p, error));
    refused(LOCBO_ERR_NOT_FOUND, "", locbo_space_parameter(space, SIZE_MAX, &p, error));
    bad("NULL", locbo_space_find(NULL, "rate", &index, error));
    bad("NULL", locbo_space_find(space, NULL, &index, error));
    bad("NULL", locbo_space_find(space, "rate", NULL, error));
    refused(LOCBO_ERR_NOT_FOUND, "'speed'", locbo_space_find(space, "speed", &index, error));
    bad("NULL", locbo_space_check(NULL, (double[]){1, 1, 1}, error));
    bad("NULL", locbo_space_check(space, NULL, error));
    assert_int_equal(locbo_space_dim(space), 3);
    locbo_space_destroy(space);
}

/* Points that are not of the mixed space: which parameter, and what is shown. */
static const struct {
    double x[3];
    const char *name, *value;
} WRONG_POINTS[] = {
    {{0, 3, 1}, "rate", "got 0"},         {{2, 3, 1}, "rate", "got 2"},
    {{-1, 3, 1}, "rate", "got -1"},       {{NAN, 3, 1}, "rate", "nan"},
    {{INFINITY, 3, 1}, "rate", "inf"},    {{0.1, 0, 1}, "layers", "got 0"},
    {{0.1, 13, 1}, "layers", "got 13"},   {{0.1, 2.5, 1}, "layers", "got 2.5"},
    {{0.1, NAN, 1}, "layers", "nan"},     {{0.1, -INFINITY, 1}, "layers", "-inf"},
    {{0.1, 3, 3}, "colour", "got 3"},     {{0.1, 3, -1}, "colour", "got -1"},
    {{0.1, 3, 0.5}, "colour", "got 0.5"}, {{0.1, 3, NAN}, "colour", "nan"},
};
enum { WRONG_COUNT = sizeof WRONG_POINTS / sizeof WRONG_POINTS[0] };

static void points_outside(void **state) {
    (void)state;
    locbo_space *space = scene_mixed();
    locbo_options options = scene_options(&SCENE_METHODS[0], 1);
    locbo_optimizer *o = scene_optimizer(space, &options);
    locbo_measurement m = {1, NAN, 1};
    for (size_t k = 0; k < WRONG_COUNT; k++) {
        const double *x = WRONG_POINTS[k].x;
        double two[] = {0.5, 2, 1, x[0], x[1], x[2]}, out[3];
        locbo_belief b[2];
        locbo_trial t;
        bad(WRONG_POINTS[k].name, locbo_space_check(space, x, error));
        bad(WRONG_POINTS[k].value, locbo_space_check(space, x, error));
        bad(WRONG_POINTS[k].name, locbo_optimizer_add(o, x, &m, error));
        bad(WRONG_POINTS[k].value, locbo_optimizer_predict(o, 2, two, b, error));
        if (strcmp(WRONG_POINTS[k].value, "nan") == 0) continue; /* NAN means free */
        locbo_ask_options how = {sizeof how, x, 0, 0};
        bad(WRONG_POINTS[k].value, locbo_optimizer_ask_with(o, &how, &t, out, error));
    }
    assert_int_equal(scene_summary(o).asked + scene_summary(o).added, 0);
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

/* ---- options --------------------------------------------------------------------------------- */

static void option_functions(void **state) {
    (void)state;
    locbo_options options, shorter;
    locbo_option option;
    char text[64];
    locbo_options_init(&options);
    shorter = options;
    shorter.struct_size = 8;
    bad("NULL", locbo_options_set(NULL, "alpha", "0.1", error));
    bad("NULL", locbo_options_set(&options, NULL, "0.1", error));
    bad("NULL", locbo_options_set(&options, "alpha", NULL, error));
    bad("'alpha'", locbo_options_set(&shorter, "alpha", "0.1", error));
    bad("'alhpa'", locbo_options_set(&options, "alhpa", "0.1", error));
    bad("NULL", locbo_options_get(NULL, "alpha", text, sizeof text, error));
    bad("NULL", locbo_options_get(&options, NULL, text, sizeof text, error));
    bad("NULL", locbo_options_get(&options, "alpha", NULL, 64, error));
    bad("4 bytes, got 3", locbo_options_get(&options, "alpha", text, 3, error));
    bad("got 0", locbo_options_get(&options, "alpha", text, 0, error));
    bad("'alhpa'", locbo_options_get(&options, "alhpa", text, sizeof text, error));
    bad("'alpha'", locbo_options_get(&shorter, "alpha", text, sizeof text, error));
    shorter.struct_size = 3;
    bad("struct_size", locbo_options_get(&shorter, "alpha", text, sizeof text, error));
    bad("NULL", locbo_options_check(NULL, error));
    bad("struct_size", locbo_options_check(&shorter, error));
    bad("NULL", locbo_option_describe(0, NULL, error));
    refused(LOCBO_ERR_NOT_FOUND, "", locbo_option_describe(locbo_option_count(), &option, error));
    refused(LOCBO_ERR_NOT_FOUND, "", locbo_option_describe(SIZE_MAX, &option, error));
}

/* ---- optimizer ------------------------------------------------------------------------------- */

static void creating(void **state) {
    (void)state;
    locbo_optimizer *o = NULL;
    locbo_space *empty = NULL, *space = scene_cube(1);
    locbo_options options;
    locbo_options_init(&options);
    check_ok(locbo_space_create(&empty, &error));
    bad("NULL", locbo_optimizer_create(NULL, space, &options, error));
    bad("NULL", locbo_optimizer_create(&o, NULL, &options, error));
    bad("no parameters", locbo_optimizer_create(&o, empty, &options, error));
    options.struct_size = 0; /* forgot locbo_options_init */
    bad("struct_size", locbo_optimizer_create(&o, space, &options, error));
    options.struct_size = sizeof options + 8; /* made for a later version */
    bad("struct_size", locbo_optimizer_create(&o, space, &options, error));
    locbo_options_init(&options);
    options.alpha = 1.2;
    bad("alpha", locbo_optimizer_create(&o, space, &options, error));
    bad("1.2", locbo_optimizer_create(&o, space, &options, error));
    assert_null(o);
    check_ok(locbo_optimizer_create(&o, space, NULL, &error)); /* NULL: the defaults */
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
    locbo_space_destroy(empty);
}

static void measurements(locbo_optimizer *o, uint64_t id) {
    double x[] = {0.1, 3, 1};
    for (size_t k = 0; k < 3; k++) {
        locbo_measurement value = {ODD[k], NAN, 1}, sd = {1, ODD[k], 1};
        bad("value", locbo_optimizer_tell(o, id, &value, error));
        bad("value", locbo_optimizer_add(o, x, &value, error));
        if (isnan(ODD[k])) continue; /* an unknown sd */
        bad("sd", locbo_optimizer_tell(o, id, &sd, error));
        bad("sd", locbo_optimizer_add(o, x, &sd, error));
    }
    locbo_measurement negative = {1, -0.5, 1}, fine = {1, NAN, 1};
    bad("-0.5", locbo_optimizer_tell(o, id, &negative, error));
    bad("NULL", locbo_optimizer_tell(o, id, NULL, error));
    bad("NULL", locbo_optimizer_tell(NULL, id, &fine, error));
    bad("NULL", locbo_optimizer_add(o, x, NULL, error));
    bad("NULL", locbo_optimizer_add(o, NULL, &fine, error));
    bad("NULL", locbo_optimizer_add(NULL, x, &fine, error));
}

static void trial_numbers(locbo_optimizer *o) {
    locbo_measurement fine = {1, NAN, 1};
    const uint64_t none[] = {0, 1000, UINT64_MAX};
    for (int k = 0; k < 3; k++) {
        refused(LOCBO_ERR_NOT_FOUND, "no trial", locbo_optimizer_tell(o, none[k], &fine, error));
        refused(LOCBO_ERR_NOT_FOUND, "no trial", locbo_optimizer_tell_failed(o, none[k], error));
        refused(LOCBO_ERR_NOT_FOUND, "no trial", locbo_optimizer_tell_infeasible(o, none[k], error));
        refused(LOCBO_ERR_NOT_FOUND, "no trial", locbo_optimizer_cancel(o, none[k], error));
    }
    bad("NULL", locbo_optimizer_tell_failed(NULL, 1, error));
    bad("NULL", locbo_optimizer_tell_infeasible(NULL, 1, error));
    bad("NULL", locbo_optimizer_cancel(NULL, 1, error));
}

static void asking(locbo_optimizer *o) {
    double x[3];
    locbo_trial t;
    bad("NULL", locbo_optimizer_ask(NULL, &t, x, error));
    bad("NULL", locbo_optimizer_ask(o, NULL, x, error));
    bad("NULL", locbo_optimizer_ask(o, &t, NULL, error));
    locbo_ask_options how = {0, NULL, 0, 0};
    bad("struct_size", locbo_optimizer_ask_with(o, &how, &t, x, error));
    how.struct_size = sizeof how + 8; /* made for a later version */
    bad("struct_size", locbo_optimizer_ask_with(o, &how, &t, x, error));
    how = (locbo_ask_options){sizeof how, NULL, -1, 0};
    bad("-1", locbo_optimizer_ask_with(o, &how, &t, x, error));
    how.candidates = 0;
    bad("NULL", locbo_optimizer_ask_with(NULL, &how, &t, x, error));
    bad("NULL", locbo_optimizer_ask_with(o, &how, NULL, x, error));
    bad("NULL", locbo_optimizer_ask_with(o, &how, &t, NULL, error));
}

static void questions(locbo_optimizer *o) {
    double x[3] = {0};
    locbo_belief b;
    locbo_choice c;
    locbo_summary s;
    locbo_options options;
    bad("NULL", locbo_optimizer_predict(NULL, 1, x, &b, error));
    bad("NULL", locbo_optimizer_predict(o, 1, NULL, &b, error));
    bad("NULL", locbo_optimizer_predict(o, 1, (double[]){0.1, 1, 1}, NULL, error));
    bad("NULL", locbo_optimizer_best(NULL, &c, x, error));
    bad("NULL", locbo_optimizer_best(o, NULL, x, error));
    bad("NULL", locbo_optimizer_best(o, &c, NULL, error));
    bad("NULL", locbo_optimizer_recommend(NULL, &c, x, error));
    bad("NULL", locbo_optimizer_recommend(o, NULL, x, error));
    bad("NULL", locbo_optimizer_recommend(o, &c, NULL, error));
    bad("NULL", locbo_optimizer_summary(NULL, &s, error));
    bad("NULL", locbo_optimizer_summary(o, NULL, error));
    bad("NULL", locbo_optimizer_importance(NULL, 0, x, x, error));
    bad("NULL", locbo_optimizer_length_scales(NULL, x, error));
    bad("NULL", locbo_optimizer_length_scales(o, NULL, error));
    bad("NULL", locbo_optimizer_length_scales_of(o, 0, NULL, error));
    bad("NULL", locbo_optimizer_length_scales_of(NULL, 0, x, error));
    bad("NULL", locbo_optimizer_options(NULL, &options, error));
    bad("NULL", locbo_optimizer_options(o, NULL, error));
}

static locbo_outcome never_called(const double *x, size_t dim, const locbo_trial *t, locbo_measurement *m, void *user) {
    (void)x, (void)dim, (void)t, (void)m, (void)user;
    fail_msg("%s", "the objective was called");
    return LOCBO_STOP;
}

static void saving(locbo_optimizer *o) {
    char *text = NULL;
    size_t length;
    locbo_optimizer *other = NULL;
    bad("NULL", locbo_optimizer_save(NULL, &text, &length, error));
    bad("NULL", locbo_optimizer_save(o, NULL, &length, error));
    bad("NULL", locbo_optimizer_load(NULL, "{}", 2, error));
    bad("NULL", locbo_optimizer_load(&other, NULL, 2, error));
    refused(LOCBO_ERR_FORMAT, "", locbo_optimizer_load(&other, "{}", 0, error));
    bad("NULL", locbo_optimizer_run(NULL, 1, never_called, NULL, error));
    bad("NULL", locbo_optimizer_run(o, 1, NULL, NULL, error));
    assert_true(!text && !other);
    check_ok(locbo_optimizer_save(o, &text, NULL, &error)); /* the length is optional */
    locbo_free(text);
}

/* All of it on one optimizer, early and late in its life: what it saves stays the same. */
static void misuse_changes_nothing(void **state) {
    (void)state;
    for (size_t k = 0; k < SCENE_METHOD_COUNT; k++) {
        locbo_options options = scene_options(&SCENE_METHODS[k], 3);
        locbo_space *space = scene_mixed();
        locbo_optimizer *o = scene_optimizer(space, &options);
        rng r = rng_open(1, 1, RNG_DESIGN);
        for (int late = 0; late < 2; late++) {
            if (late) scene_rounds(o, 10, 0.1, &r);
            double x[3];
            char *before, *after;
            uint64_t id = scene_ask(o, NULL, x);
            check_ok(locbo_optimizer_save(o, &before, NULL, &error));
            measurements(o, id);
            trial_numbers(o);
            asking(o);
            questions(o);
            saving(o);
            check_ok(locbo_optimizer_save(o, &after, NULL, &error));
            assert_string_equal(after, before);
            locbo_free(before);
            locbo_free(after);
        }
        locbo_optimizer_destroy(o);
        locbo_space_destroy(space);
    }
}

/* ---- objectives that misbehave --------------------------------------------------------------- */

static locbo_outcome odd_objective(const double *x, size_t dim, const locbo_trial *t, locbo_measurement *m,
                                   void *user) {
    (void)x, (void)dim, (void)t;
    int what = *(int *)user;
    if (what == 0) return LOCBO_EVALUATED; /* forgot the value */
    m->value = what == 1 ? INFINITY : 1;
    if (what == 2) m->sd = -1;
    return what == 3 ? (locbo_outcome)99 : LOCBO_EVALUATED;
}

static void odd_objectives(void **state) {
    (void)state;
    locbo_space *space = scene_cube(1);
    locbo_optimizer *o = scene_optimizer(space, NULL);
    int what = 0;
    bad("nan", locbo_optimizer_run(o, 1, odd_objective, &what, error));
    what = 1;
    bad("inf", locbo_optimizer_run(o, 1, odd_objective, &what, error));
    what = 2;
    bad("-1", locbo_optimizer_run(o, 1, odd_objective, &what, error));
    what = 3;
    refused(LOCBO_ERR_STOPPED, "stopped", locbo_optimizer_run(o, 1, odd_objective, &what, error));
    what = 4;
    check_ok(locbo_optimizer_run(o, 3, odd_objective, &what, &error));
    assert_int_equal(scene_summary(o).told, 3);
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

/* On success the error is cleared. */
static void success_clears_the_error(void **state) {
    (void)state;
    locbo_error error = {LOCBO_ERR_NUMERIC, "old"};
    locbo_space *space = NULL;
    assert_int_equal(locbo_space_create(&space, &error), LOCBO_OK);
    assert_true(error.status == LOCBO_OK && error.message[0] == '\0');
    locbo_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(statuses_have_texts),
        cmocka_unit_test(destroying_nothing),
        cmocka_unit_test(messages_stay_one_line),
        cmocka_unit_test(space_functions),
        cmocka_unit_test(points_outside),
        cmocka_unit_test(option_functions),
        cmocka_unit_test(creating),
        cmocka_unit_test(misuse_changes_nothing),
        cmocka_unit_test(odd_objectives),
        cmocka_unit_test(success_clears_the_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
