/* What a study keeps in place of counting it: results, the best point, seconds; against a fresh count, after random
 * sequences of everything that changes them, on SQLite and PostgreSQL. And an import that is killed. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>

#include "mem.h"
#include "own_sql.h"
#include "own_study.h"

enum { DIM = 2, STEPS = 120, MANY = 20000 };

static locbo_space *make_space(void) {
    locbo_space *space;
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_int(space, "k", 0, 3, LOCBO_LINEAR, &error)); /* points are measured again and again */
    check_ok(locbo_space_add_int(space, "n", 0, 2, LOCBO_LINEAR, &error));
    return space;
}

static locbo_study *make_study(const char *name, locbo_direction direction) {
    locbo_options options;
    locbo_options_init(&options);
    options.method = LOCBO_METHOD_RANDOM;
    options.direction = direction;
    return own_study_create(name, make_space(), &options, NULL);
}

static int open_scene(void **state) {
    if (own_store_open(state) != 0) return -1;
    study = make_study("a", LOCBO_MINIMIZE);
    return 0;
}

/* ---- against a fresh count --------------------------------------------------------------------- */

/* The sums are made in another order: 1000 additions of numbers of one size. */
static void check_near(double a, double b) { check_close(a, b, 1e-12, 1e-12); }

/* What the row of a study keeps. */
typedef struct kept_row {
    store_value results, timed, seconds;
} kept_row;

static locbo_status take_row(const store_value *columns, size_t count, void *user, locbo_error *e) {
    (void)count, (void)e;
    *(kept_row *)user = (kept_row){columns[0], columns[1], columns[2]};
    return LOCBO_OK;
}

static locbo_status put_row(locbo_store *store, void *user, locbo_error *e) {
    const kept_row *r = user;
    return store_query(store, "UPDATE locbo_study SET results = $1, timed = $2, seconds = $3 WHERE name = $4",
                       VALUES(r->results, r->timed, r->seconds, store_text("changes")), NULL, NULL, NULL, e);
}

/* What is kept of the study "changes" is as if it were counted now. */
static void check_kept(locbo_study *s) {
    kept_row row, none = {.results = {.kind = STORE_NULL}};
    check_ok(store_single(own_store, "SELECT results, timed, seconds FROM locbo_study WHERE name = 'changes'", 0, NULL,
                          take_row, &row, NULL, &error));
    assert_true(row.results.kind == STORE_INT && row.timed.kind == STORE_INT);
    locbo_census kept = census_of(s);
    check_ok(store_write(own_store, put_row, &none, &error));
    locbo_census fresh = census_of(s);
    check_ok(store_write(own_store, put_row, &row, &error));
    assert_int_equal(kept.measurements, fresh.measurements);
    assert_int_equal(kept.best_trial, fresh.best_trial);
    assert_int_equal(kept.best_count, fresh.best_count);
    assert_int_equal(kept.since_best, fresh.since_best);
    if (fresh.best_trial) check_near(kept.best_value, fresh.best_value);
    check_near(kept.cost, fresh.cost);
    check_near(kept.cost_expected, fresh.cost_expected);
}

static unsigned draw(unsigned *seed, unsigned below) {
    *seed = *seed * 1664525u + 1013904223u;
    return (*seed >> 8) % below;
}

static uint64_t any_trial(unsigned *seed, locbo_study *s) {
    uint64_t trials = census_of(s).trials;
    return trials ? 1 + draw(seed, (unsigned)trials) : 0;
}

static void import_some(locbo_study *s, unsigned *seed) {
    double x[6 * DIM];
    locbo_measurement m[6];
    for (int i = 0; i < 6; i++) {
        x[DIM * i] = draw(seed, 4);
        x[DIM * i + 1] = draw(seed, 3);
        m[i] = (locbo_measurement){draw(seed, 1000) / 7.0, (double)NAN, 1 + draw(seed, 3)};
    }
    check_ok(locbo_study_import(s, 6, x, m, NULL, &error));
}

/* Some calls are refused: the trial has ended, or has not. */
static void change_something(locbo_study *s, unsigned *seed) {
    uint64_t trial = any_trial(seed, s);
    locbo_measurement m[2] = {{draw(seed, 1000) / 7.0, (double)NAN, 1}, {draw(seed, 1000) / 7.0, (double)NAN, 2}};
    switch (draw(seed, 8)) {
    case 0:
        import_some(s, seed);
        break;
    case 1:
        if (trial) locbo_study_retract(s, trial, 0, "wrong", NULL);
        break;
    case 2:
        if (trial) locbo_study_fail(s, trial, LOCBO_STATE_FAILED, "after all", NULL);
        break;
    case 3:
        if (trial) locbo_study_tell_failed(s, trial, 0, "it broke", NULL);
        break;
    case 4:
        if (trial) locbo_study_tell(s, trial, 0, 1 + draw(seed, 2), m, NULL); /* also of one that has ended */
        break;
    case 5:
        if (trial) locbo_study_requeue(s, trial, 0, LOCBO_REQUEUE_SAME, 0, NULL);
        break;
    default:
        tell(s, ask(s, NULL), m[0].value);
    }
}

/* -0 and 0 are one point. */
static void zero_has_no_sign(void **state) {
    (void)state;
    locbo_space *space;
    const double x[] = {-0.0, 0, 0.25};
    const locbo_measurement m[] = {{1, (double)NAN, 1}, {3, (double)NAN, 1}, {1.5, (double)NAN, 1}};
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_real(space, "x", -1, 1, LOCBO_LINEAR, &error));
    locbo_study *s = own_study_create("changes", space, NULL, NULL);
    check_ok(locbo_study_import(s, 3, x, m, NULL, &error));
    check_kept(s);
    assert_int_equal(census_of(s).best_trial, 3);
    locbo_study_close(s);
}

static void random_changes(locbo_direction direction, unsigned seed) {
    locbo_study *s = make_study("changes", direction), *copy;
    print_message("seed %u\n", seed);
    for (int i = 0; i < STEPS; i++) {
        change_something(s, &seed);
        if (i % 5 == 0) check_kept(s);
    }
    check_kept(s);
    check_ok(locbo_study_rename(s, "original", &error));
    check_ok(locbo_study_copy(&copy, s, own_store, "changes", 1, &error));
    check_kept(copy);
    tell(copy, ask(copy, NULL), direction == LOCBO_MINIMIZE ? -1 : 1e6);
    check_kept(copy);
    locbo_study_close(copy);
    locbo_study_close(s);
    check_ok(locbo_study_delete(own_store, "original", &error));
}

static void kept_is_counted(void **state) {
    (void)state;
    for (unsigned seed = 1; seed <= 4; seed++) random_changes(seed % 2 ? LOCBO_MINIMIZE : LOCBO_MAXIMIZE, seed);
}

/* A study that was created before schema version 8. */
static void a_study_of_before_is_counted(void **state) {
    (void)state;
    own_sql_change("UPDATE locbo_study SET results = NULL, timed = NULL, seconds = NULL");
    tell(study, ask(study, NULL), 3);
    tell(study, ask(study, NULL), 2);
    locbo_census c = census_of(study);
    assert_int_equal(c.measurements, 2);
    check_same(c.best_value, 2);
    assert_int_equal(own_sql_number("SELECT count(*) FROM locbo_point"), 0);
}

/* ---- statements that the server keeps ---------------------------------------------------------- */

/* As behind a pooler: the server process has not what was prepared. */
static void a_forgetful_server(void **state) {
    (void)state;
    if (!getenv("LOCBO_TEST_DB")) skip();
    for (int i = 0; i < 4; i++) tell(study, ask(study, NULL), i);
    assert_true(own_sql_number("SELECT count(*) FROM pg_prepared_statements") > 5);
    own_sql_change("DEALLOCATE ALL");
    for (int i = 0; i < 4; i++) tell(study, ask(study, NULL), i);
    assert_int_equal(own_sql_number("SELECT count(*) FROM pg_prepared_statements"), 0);
    assert_int_equal(census_of(study).measurements, 8);
}

/* ---- an import that is killed ------------------------------------------------------------------ */

static void import_many(void) {
    double *x = mem_new(MANY, DIM * sizeof *x);
    locbo_measurement *m = mem_new(MANY, sizeof *m);
    locbo_store *store = own_store_again(LOCBO_STORE_EXISTING);
    locbo_study *s;
    for (int i = 0; i < MANY; i++) {
        x[DIM * i] = i % 4;
        m[i] = (locbo_measurement){i, (double)NAN, 1};
    }
    check_ok(locbo_study_open(&s, store, "a", &error));
    check_ok(locbo_study_import(s, MANY, x, m, NULL, &error));
}

static void killed_import_leaves_nothing(void **state) {
    (void)state;
    int nothing = 0;
    for (int k = 0; k < 12; k++) {
        struct timespec pause = {0, 4000000L * (1 + k * k)};
        pid_t child = fork();
        if (child == 0) {
            import_many();
            _exit(0);
        }
        nanosleep(&pause, NULL);
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        locbo_census c = census_of(study);
        if (c.trials == 0) nothing++;
        assert_int_equal(c.trials % MANY, 0);
        assert_int_equal(c.measurements, c.trials);
        assert_int_equal(own_sql_number("SELECT count(*) FROM locbo_measurement"), c.trials);
        assert_int_equal(own_sql_number("SELECT CAST(coalesce(sum(results), 0) AS BIGINT) FROM locbo_point"), c.trials);
        if (c.trials > 0) break;
    }
    assert_true(nothing > 0);
}

#define with_scene(test) cmocka_unit_test_setup_teardown(test, open_scene, own_study_close)

int main(void) {
    const struct CMUnitTest tests[] = {with_scene(kept_is_counted), with_scene(zero_has_no_sign),
                                       with_scene(a_study_of_before_is_counted), with_scene(a_forgetful_server),
                                       with_scene(killed_import_leaves_nothing)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
