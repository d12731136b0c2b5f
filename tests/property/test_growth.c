/* test_growth.c - the heap grows with the data and with nothing else.
 *
 * Accounting. A trial is a record, a point and its code; a result is a point, its code, a
 * measurement, a trial number and three numbers for the model; the list of points not to be
 * proposed again holds both. Arrays double, so up to twice that is reserved. A model of n rows is a
 * few n x n matrices. A copy made by save and load holds the same things: an optimizer that lived
 * long may hold no more than its copy does after one proposal. */
#include <malloc.h>

#include "scene.h"

static int can_measure(void) { return !CHECK_SANITIZED; } /* the sanitizer's allocator does not tell */

static size_t heap(void) {
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/* Bytes that one round may add: generous for the record, exact for the rest. */
static size_t bytes_per_round(size_t dim, size_t columns) {
    size_t record = sizeof(locbo_trial) + 2 * sizeof(uint64_t);
    size_t trial = record + (dim + columns) * sizeof(double);
    size_t result = (dim + columns + 3) * sizeof(double) + sizeof(locbo_measurement) + 8;
    return trial + result + 2 * dim * sizeof(double);
}

/* glibc counts the blocks it keeps for each thread as used: 64 sizes up to 1 KiB, seven of each,
 * are 240 KB. */
enum { SLACK = 256 * 1024 };

static locbo_options cheap(const char *method, uint64_t seed) {
    scene_method m = {method, method, "0.25"};
    locbo_options options = scene_options(&m, seed);
    options.candidates = 4;
    options.refine = 0;
    options.fit_restarts = 0;
    options.cbo_chains = 1;
    options.cbo_steps = 4;
    options.refit_every = 1000;
    return options;
}

static void random_search_grows_by_its_data(void **state) {
    (void)state;
    if (!can_measure()) skip();
    rng r = rng_open(1, 1, RNG_DESIGN);
    locbo_space *space = scene_mixed();
    locbo_options options = cheap("random", 1);
    locbo_optimizer *o = scene_optimizer(space, &options);
    scene_rounds(o, 1000, 0.1, &r);
    size_t before = heap();
    scene_rounds(o, 1000, 0.1, &r);
    size_t grown = heap() - before, allowed = 2 * 1000 * bytes_per_round(3, 5) + SLACK;
    print_message("1000 rounds: %zu bytes, allowed %zu\n", grown, allowed);
    assert_true(grown <= allowed);
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

/* Memory of a copy that has made one proposal. */
static size_t size_of_a_copy(const locbo_optimizer *o) {
    char *text;
    double x[3];
    locbo_optimizer *copy;
    check_ok(locbo_optimizer_save(o, &text, NULL, &error));
    size_t before = heap();
    check_ok(locbo_optimizer_load(&copy, text, strlen(text), &error));
    scene_ask(copy, NULL, x);
    size_t size = heap() - before;
    locbo_optimizer_destroy(copy);
    locbo_free(text);
    return size;
}

/* A fit every 1000 results. */
static void a_long_life_holds_what_its_copy_holds(void **state) {
    (void)state;
    if (!can_measure()) skip();
    const struct {
        const char *method;
        size_t rounds;
    } lives[] = {{"bo", 600}, {"locbo", 300}, {"ocbo-l", 300}, {"cbo", 150}, {"ocbo", 50}};
    for (size_t k = 0; k < sizeof lives / sizeof lives[0]; k++) {
        rng r = rng_open(2, k, RNG_DESIGN);
        locbo_space *space = scene_cube(2);
        locbo_options options = cheap(lives[k].method, 3);
        options.exact_rows = 0; /* with landmarks the model may have become smaller */
        size_t before = heap();
        locbo_optimizer *o = scene_optimizer(space, &options);
        scene_rounds(o, lives[k].rounds, 0.1, &r);
        size_t lived = heap() - before, copy = size_of_a_copy(o);
        locbo_optimizer_destroy(o);
        size_t left = heap() > before ? heap() - before : 0;
        print_message("%s: %zu rounds, %zu bytes, its copy %zu, %zu after destroy\n", lives[k].method, lives[k].rounds,
                      lived, copy, left);
        /* workspaces double at other moments: half as much again */
        assert_true(lived <= copy + copy / 2 + SLACK);
        assert_true(left <= SLACK);
        locbo_space_destroy(space);
    }
}

/* With landmarks the model stays as large as it is: what grows is the data. */
static void landmarks_do_not_grow(void **state) {
    (void)state;
    if (!can_measure()) skip();
    rng r = rng_open(5, 0, RNG_DESIGN);
    locbo_space *space = scene_cube(2);
    locbo_options options = cheap("locbo", 3);
    options.exact_rows = 60;
    options.refit_every = 50;
    locbo_optimizer *o = scene_optimizer(space, &options);
    scene_rounds(o, 700, 0.1, &r);
    size_t before = heap();
    scene_rounds(o, 500, 0.1, &r);
    size_t grown = heap() > before ? heap() - before : 0, allowed = 4 * 500 * bytes_per_round(2, 2) + SLACK;
    print_message("500 rounds more: %zu bytes, allowed %zu\n", grown, allowed);
    assert_true(grown <= allowed);
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

/* Results that are added after the last fit, and only looked at: as rows of an exact model they would be n^2 numbers.
 */
static void results_without_a_fit_do_not_grow(void **state) {
    (void)state;
    if (!can_measure()) skip();
    enum { ADDED = 3000 };
    rng r = rng_open(6, 0, RNG_DESIGN);
    locbo_space *space = scene_cube(2);
    locbo_options options = cheap("locbo", 3);
    options.exact_rows = 60;
    options.refit_every = 50;
    locbo_optimizer *o = scene_optimizer(space, &options);
    scene_rounds(o, 100, 0.1, &r);
    locbo_belief b;
    double x[2] = {0.5, 0.5};
    check_ok(locbo_optimizer_predict(o, 1, x, &b, &error));
    size_t before = heap();
    for (int i = 0; i < ADDED; i++) {
        double at[2] = {rng_uniform(&r), rng_uniform(&r)};
        locbo_measurement m = {scene_bowl(space, at) + 0.1 * rng_normal(&r), NAN, 1};
        check_ok(locbo_optimizer_add(o, at, &m, &error));
    }
    check_ok(locbo_optimizer_predict(o, 1, x, &b, &error));
    size_t grown = heap() > before ? heap() - before : 0, exact = sizeof(double) * ADDED * ADDED;
    print_message("%d results more: %zu bytes, an exact model has %zu\n", ADDED, grown, exact);
    assert_true(grown <= exact / 8); /* the data, landmarks, and at most 250 appended rows */
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

/* At a fixed number of results, proposals that are cancelled leave their records only. */
static void cancelled_proposals_leave_records(void **state) {
    (void)state;
    if (!can_measure()) skip();
    for (size_t k = 0; k < SCENE_METHOD_COUNT; k++) {
        rng r = rng_open(3, k, RNG_DESIGN);
        locbo_space *space = scene_mixed();
        locbo_options options = cheap(SCENE_METHODS[k].method, 4);
        scene_set(&options, "localization", SCENE_METHODS[k].localization);
        options.refine = 1;
        locbo_optimizer *o = scene_optimizer(space, &options);
        double x[3];
        scene_rounds(o, 20, 0.1, &r);
        check_ok(locbo_optimizer_tell_failed(o, scene_ask(o, NULL, x), &error));
        locbo_belief b;
        for (int i = 0; i < 20; i++) check_ok(locbo_optimizer_cancel(o, scene_ask(o, NULL, x), &error));
        check_ok(locbo_optimizer_predict(o, 1, x, &b, &error)); /* an answer keeps its average for the next one */
        size_t before = heap();
        for (int i = 0; i < 300; i++) {
            check_ok(locbo_optimizer_cancel(o, scene_ask(o, NULL, x), &error));
            check_ok(locbo_optimizer_predict(o, 1, x, &b, &error));
        }
        size_t grown = heap() - before, allowed = 2 * 320 * bytes_per_round(3, 5);
        print_message("%s: %zu bytes, allowed %zu\n", SCENE_METHODS[k].label, grown, allowed);
        assert_true(grown <= allowed);
        locbo_optimizer_destroy(o);
        locbo_space_destroy(space);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_search_grows_by_its_data),
        cmocka_unit_test(a_long_life_holds_what_its_copy_holds),
        cmocka_unit_test(landmarks_do_not_grow),
        cmocka_unit_test(results_without_a_fit_do_not_grow),
        cmocka_unit_test(cancelled_proposals_leave_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
