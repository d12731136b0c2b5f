/* Calls that are repeated, workers that are lost, proposers that die: nothing is doubled, and nobody waits for the
 * dead. Runs on SQLite files of its own, or on the database of LOCBO_TEST_DB (tests/with-postgres). */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask.h"
#include "own_store.h"
#include "mem.h"

static locbo_study *study;

static locbo_study *make_study(const char *name, locbo_method method) {
    locbo_space *space;
    locbo_options options;
    locbo_study *made;
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_real(space, "x", 0, 1, LOCBO_LINEAR, &error));
    locbo_options_init(&options);
    options.method = method;
    locbo_definition d = {.struct_size = sizeof d, .space = space, .options = &options};
    locbo_study_delete(own_store, name, NULL);
    check_ok(locbo_study_create(&made, own_store, name, &d, NULL, &error));
    locbo_space_destroy(space);
    return made;
}

static int open_scene(void **state) {
    if (own_store_open(state) != 0) return -1;
    study = make_study("a", LOCBO_METHOD_RANDOM);
    return 0;
}

static int close_scene(void **state) {
    locbo_study_close(study);
    return own_store_close(state);
}

static locbo_assignment ask_as(const char *worker, double lease) {
    locbo_assignment a;
    double x;
    locbo_request r = {.struct_size = sizeof r, .worker = worker, .lease = lease};
    check_ok(locbo_study_ask(study, &r, &a, &x, &error));
    return a;
}

static locbo_census census(void) {
    locbo_census c;
    check_ok(locbo_study_census(study, &c, &error));
    return c;
}

typedef struct seen {
    locbo_record record;
    char message[128];
} seen;

static int keep(const locbo_record *r, void *user) {
    seen *s = user;
    s->record = *r;
    snprintf(s->message, sizeof s->message, "%s", r->message);
    return 0;
}

static seen look(uint64_t trial) {
    seen s = {0};
    locbo_filter f = {.struct_size = sizeof f, .first = trial, .limit = 1};
    check_ok(locbo_study_each(study, &f, keep, &s, &error));
    assert_int_equal(s.record.trial.id, trial);
    return s;
}

static locbo_status run_sql(locbo_store *st, void *user, locbo_error *e) {
    return store_query(st, user, 0, NULL, NULL, NULL, NULL, e);
}

static void sql(const char *text) { check_ok(store_write(own_store, run_sql, (void *)text, &error)); }

/* ---- tokens ------------------------------------------------------------------------------------ */

static void a_repeated_call_does_nothing_and_answers_the_same(void **state) {
    (void)state;
    locbo_measurement m = {1, (double)NAN, 1};
    double x = 0.25, points[2] = {0.5, 0.75};
    locbo_measurement both[2] = {m, m};
    uint64_t first[2], trial[2], requeued[2];
    for (int i = 0; i < 2; i++) {
        locbo_store_token(own_store, 11);
        check_ok(locbo_study_enqueue(study, &x, &trial[i], &error));
        locbo_store_token(own_store, 12);
        check_ok(locbo_study_import(study, 2, points, both, &first[i], &error));
    }
    assert_true(trial[0] == 1 && trial[1] == 1 && first[0] == 2 && first[1] == 2);
    assert_int_equal(census().trials, 3);
    locbo_store_token(own_store, 13);
    locbo_assignment a = ask_as("me", 100);
    locbo_store_token(own_store, 13);
    locbo_assignment again = ask_as("me", 100);
    assert_true(a.trial == 1 && again.trial == 1 && a.attempt == 1 && again.attempt == 1 && a.seed == again.seed);
    for (int i = 0; i < 2; i++) {
        locbo_store_token(own_store, 14);
        check_ok(locbo_study_tell(study, 1, 1, 1, &m, &error));
    }
    assert_int_equal(census().measurements, 3);
    locbo_assignment b = ask_as("me", 100), c = ask_as("other", 100);
    for (int i = 0; i < 2; i++) {
        locbo_store_token(own_store, 15);
        check_ok(locbo_study_tell_failed(study, b.trial, 1, "no", &error));
        locbo_store_token(own_store, 16);
        check_ok(locbo_study_forget_worker(study, "other", &requeued[i], &error));
        locbo_store_token(own_store, 17);
        check_ok(locbo_study_stop(study, "enough", &error));
    }
    assert_true(requeued[0] == 1 && requeued[1] == 1);
    assert_int_equal(look(c.trial).record.lost, 1);
    assert_int_equal(census().events, 5); /* three results, a failure, a stop */
    /* a token belongs to one call */
    locbo_store_token(own_store, 14);
    check_fails(locbo_study_tell_infeasible(study, c.trial, 1, NULL, &error), LOCBO_ERR_ARGUMENT,
                "token 14 was used by another call: tell");
    /* it is used up by the next call, even by one that is refused */
    locbo_store_token(own_store, 18);
    check_fails(locbo_study_tell(study, 1, 1, 0, NULL, &error), LOCBO_ERR_ARGUMENT, "no measurement");
    check_ok(locbo_study_tell(study, 1, 1, 1, &m, &error));
    locbo_store_token(own_store, 18);
    check_ok(locbo_study_tell(study, 1, 1, 1, &m, &error));
    assert_int_equal(census().measurements, 5);
}

static void a_repeated_creation_gives_the_same_study(void **state) {
    (void)state;
    locbo_definition d = {.struct_size = sizeof d};
    check_ok(locbo_study_definition(study, &d, &error));
    for (int i = 0; i < 2; i++) {
        locbo_study *made;
        locbo_store_token(own_store, 21);
        check_ok(locbo_study_create(&made, own_store, "b", &d, NULL, &error));
        locbo_study_close(made);
    }
    for (int i = 0; i < 2; i++) {
        locbo_store_token(own_store, 22);
        check_ok(locbo_study_delete(own_store, "b", &error));
    }
}

static void a_repeated_ask_is_stale_once_another_has_the_trial(void **state) {
    (void)state;
    locbo_assignment a;
    double x;
    locbo_store_token(own_store, 31);
    assert_int_equal(ask_as("me", 100).trial, 1);
    check_ok(locbo_study_forget_worker(study, "me", NULL, &error));
    locbo_store_token(own_store, 31);
    check_fails(locbo_study_ask(study, NULL, &a, &x, &error), LOCBO_ERR_STATE, "stale: attempt 1 of trial 1 is over");
    assert_int_equal(ask_as("you", 100).attempt, 2);
}

/* What is older than a week goes; a token that is a multiple of 100 tidies up. */
static void old_tokens_are_deleted(void **state) {
    (void)state;
    double x = 0.5;
    locbo_store_token(own_store, 41);
    check_ok(locbo_study_enqueue(study, &x, NULL, &error));
    sql("UPDATE locbo_request SET time = time - 8 * 86400 WHERE token = 41");
    locbo_store_token(own_store, 4200);
    check_ok(locbo_study_enqueue(study, &x, NULL, &error));
    locbo_store_token(own_store, 41);
    check_ok(locbo_study_enqueue(study, &x, NULL, &error));
    assert_int_equal(census().trials, 3);
}

/* ---- several at once --------------------------------------------------------------------------- */

static void waiting_trials_are_handed_out_together(void **state) {
    (void)state;
    locbo_assignment a[8];
    double x[8];
    size_t count = 0;
    for (int i = 0; i < 5; i++) check_ok(locbo_study_enqueue(study, (double[]){0.1 * i}, NULL, &error));
    check_ok(locbo_study_ask_many(study, NULL, 3, a, x, &count, &error));
    assert_int_equal(count, 3);
    uint64_t sum = a[0].trial + a[1].trial + a[2].trial;
    assert_int_equal(sum, 6);
    check_ok(locbo_study_ask_many(study, NULL, 8, a, x, &count, &error));
    assert_int_equal(count, 2);
    assert_int_equal(a[0].trial + a[1].trial, 9);
    for (int i = 0; i < 2; i++) assert_true(x[i] == 0.1 * (double)(a[i].trial - 1));
    check_ok(locbo_study_ask_many(study, NULL, 8, a, x, &count, &error));
    assert_true(count == 1 && a[0].trial == 6);
    check_fails(locbo_study_ask_many(study, NULL, 0, a, x, &count, &error), LOCBO_ERR_ARGUMENT, "at least one");
}

/* ---- lost workers ------------------------------------------------------------------------------ */

static void a_trial_that_is_lost_too_often_has_failed(void **state) {
    (void)state;
    locbo_plan plan = {.struct_size = sizeof plan};
    check_ok(locbo_study_plan(study, &plan, &error));
    plan.max_lost = 2;
    check_ok(locbo_study_set_plan(study, &plan, &error));
    for (uint64_t i = 0; i < 3; i++) {
        const char *name = "w"; /* the same name may be another process */
        locbo_assignment a = ask_as(name, 100);
        assert_true(a.trial == 1 && a.attempt == i + 1 && a.lost == i);
        if (i == 1) { /* an orderly stop is not counted */
            check_ok(locbo_study_requeue(study, 1, 2, LOCBO_REQUEUE_SAME, 0, &error));
            assert_int_equal(look(1).record.lost, 1);
            assert_int_equal(ask_as(name, 100).attempt, 3);
            sql("UPDATE locbo_trial SET attempt = 2");
        }
        sql("UPDATE locbo_trial SET lease = 1");
        check_ok(locbo_study_expire(study, NULL, &error));
    }
    seen s = look(1);
    assert_int_equal(s.record.state, LOCBO_STATE_FAILED);
    assert_int_equal(s.record.lost, 3);
    assert_string_equal(s.message, "its worker was lost, or it was killed, 3 times");
    assert_int_equal(census().events, 2); /* the plan, the failure */
    assert_int_equal(ask_as("w", 100).trial, 2);
    locbo_measurement m = {1, (double)NAN, 1}; /* a late value is kept all the same */
    check_ok(locbo_study_tell(study, 1, 3, 1, &m, &error));
    assert_int_equal(look(1).record.state, LOCBO_COMPLETE);
}

static void a_late_heartbeat_shows_that_nothing_was_lost(void **state) {
    (void)state;
    ask_as("me", 100);
    sql("UPDATE locbo_trial SET lease = 1");
    check_ok(locbo_study_expire(study, NULL, &error));
    assert_int_equal(look(1).record.lost, 1);
    check_ok(locbo_study_beat(study, 1, 1, 100, &error));
    assert_int_equal(look(1).record.lost, 0);
    check_ok(locbo_study_requeue(study, 1, 1, LOCBO_REQUEUE_KILLED, 0, &error));
    assert_int_equal(look(1).record.lost, 1);
    assert_int_equal(ask_as("me", 100).lost, 1); /* killed here: not forgiven */
}

/* The clock was a day ahead when the leases were taken. */
static void a_lease_is_not_longer_than_it_was_taken_for(void **state) {
    (void)state;
    ask_as("me", 50);
    check_ok(locbo_study_enqueue(study, (double[]){0.5}, NULL, &error));
    sql("UPDATE locbo_trial SET lease = lease + 86400 WHERE number = 1");
    assert_int_equal(ask_as("you", 50).trial, 2);
    seen s = look(1);
    assert_true(s.record.state == LOCBO_RUNNING && s.record.lease < census().now + 51);
}

/* ---- proposers --------------------------------------------------------------------------------- */

static void use_model(void) {
    locbo_study_close(study);
    study = make_study("a", LOCBO_METHOD_LOCBO);
}

/* Write the identity of a process that has ended as the proposer's. */
static void leave_dead_proposer(void) {
    asking a = {.study = study};
    int won;
    check_ok(identity_make(a.identity, &error));
    check_ok(proposer_become(&a, &won, &error));
    assert_true(won);
}

static void in_child(void (*fn)(void)) {
    pid_t pid = fork();
    if (pid == 0) {
        check_ok(locbo_store_open(&own_store, own_url, LOCBO_STORE_EXISTING, &error));
        check_ok(locbo_study_open(&study, own_store, "a", &error));
        fn();
        kill(getpid(), SIGKILL);
    }
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
}

static int never(const char *why, double waited, void *user) {
    (void)waited, (void)user;
    fprintf(stderr, "waits: %s\n", why);
    return 1;
}

static void a_dead_proposer_is_seen_at_once(void **state) {
    (void)state;
    use_model();
    in_child(leave_dead_proposer);
    locbo_store_patience(own_store, 30, never, NULL);
    assert_int_equal(ask_as("me", 100).trial, 1);
}

static void a_proposer_of_another_machine_is_waited_for_and_then_replaced(void **state) {
    (void)state;
    use_model();
    locbo_assignment a;
    double x;
    sql("UPDATE locbo_study SET proposer = 'far:1:1:x', proposer_until = {now} + 10");
    locbo_store_patience(own_store, 0.2, NULL, NULL);
    check_fails(locbo_study_ask(study, NULL, &a, &x, &error), LOCBO_ERR_BUSY, "computes a proposal (waited 0.");
    sql("UPDATE locbo_study SET proposer_until = {now} - 1");
    assert_int_equal(ask_as("me", 100).trial, 1);
    sql("UPDATE locbo_study SET proposer = 'far:1:1:x', proposer_until = {now} + 86400"); /* the clock was set back */
    assert_int_equal(ask_as("me", 100).trial, 2);
}

static void what_needs_no_model_waits_for_nobody(void **state) {
    (void)state;
    uint64_t trial;
    locbo_store_patience(own_store, 30, never, NULL);
    sql("UPDATE locbo_study SET proposer = 'far:1:1:x', proposer_until = {now} + 10");
    assert_int_equal(ask_as("me", 100).trial, 1); /* method random */
    use_model();
    sql("UPDATE locbo_study SET proposer = 'far:1:1:x', proposer_until = {now} + 10");
    check_ok(locbo_study_enqueue(study, (double[]){0.5}, &trial, &error));
    assert_int_equal(ask_as("me", 100).trial, trial);
}

static int count_down(void *user) { return --*(int *)user <= 0; }

static void an_ask_can_be_cancelled(void **state) {
    (void)state;
    use_model();
    locbo_assignment a;
    double x;
    int left = 3;
    locbo_study_watch(study, count_down, &left);
    sql("UPDATE locbo_study SET proposer = 'far:1:1:x', proposer_until = {now} + 10");
    check_fails(locbo_study_ask(study, NULL, &a, &x, &error), LOCBO_ERR_CANCELLED, "cancelled");
    sql("UPDATE locbo_study SET proposer = NULL");
    left = 1; /* while computing; the proposer is free afterwards */
    check_fails(locbo_study_ask(study, NULL, &a, &x, &error), LOCBO_ERR_CANCELLED, "cancelled");
    locbo_study_watch(study, NULL, NULL);
    locbo_store_patience(own_store, 30, never, NULL);
    assert_int_equal(ask_as("me", 100).trial, 1);
    assert_int_equal(census().trials, 1);
}

static locbo_status hold_one(locbo_store *other, void *user, locbo_error *e) {
    locbo_measurement m = {1, (double)NAN, 1};
    store_value id = store_int(*(int64_t *)user);
    locbo_status status =
        store_query(other, "UPDATE locbo_study SET events = events WHERE id = $1{queue}", 1, &id, NULL, NULL, NULL, e);
    return status == LOCBO_OK ? locbo_study_tell(study, 1, 1, 1, &m, e) : status;
}

/* PostgreSQL: while one study is being written to, another one can be. */
static void studies_do_not_wait_for_each_other(void **state) {
    (void)state;
    locbo_store *other;
    if (!getenv("LOCBO_TEST_DB")) skip(); /* SQLite has one writer */
    locbo_study *b = make_study("b", LOCBO_METHOD_RANDOM);
    locbo_study_close(make_study("c", LOCBO_METHOD_RANDOM));
    sql("ANALYZE locbo_study");
    assert_int_equal(ask_as("me", 100).trial, 1);
    check_ok(locbo_store_open(&other, own_url, LOCBO_STORE_EXISTING, &error));
    locbo_store_patience(own_store, 0, NULL, NULL);
    check_ok(store_write(other, hold_one, &b->id, &error));
    locbo_store_close(other);
    locbo_study_close(b);
}

/* Method random asks the same points, whether it has read all trials at once or one after the other. */
static void random_points_do_not_depend_on_who_asks(void **state) {
    (void)state;
    locbo_study *other;
    locbo_store *second;
    double x[12], y;
    locbo_assignment a;
    for (int i = 0; i < 12; i++) {
        check_ok(locbo_study_ask(study, NULL, &a, &x[i], &error));
        locbo_measurement m = {1, (double)NAN, 1};
        if (i % 3 == 0) check_ok(locbo_study_tell(study, a.trial, 1, 1, &m, &error));
        if (i % 3 == 1) check_ok(locbo_study_tell_failed(study, a.trial, 1, "no", &error));
        if (i % 6 == 1) check_ok(locbo_study_tell(study, a.trial, 1, 1, &m, &error)); /* after all */
    }
    locbo_study_close(study);
    study = make_study("a", LOCBO_METHOD_RANDOM);
    check_ok(locbo_store_open(&second, own_url, LOCBO_STORE_EXISTING, &error));
    for (int i = 0; i < 12; i++) {
        check_ok(locbo_study_open(&other, second, "a", &error));
        check_ok(locbo_study_ask(i % 2 ? study : other, NULL, &a, &y, &error));
        assert_true(y == x[i]);
        locbo_study_close(other);
    }
    locbo_store_close(second);
}

#define with_scene(test) cmocka_unit_test_setup_teardown(test, open_scene, close_scene)

int main(void) {
    const struct CMUnitTest tests[] = {
        with_scene(a_repeated_call_does_nothing_and_answers_the_same),
        with_scene(a_repeated_creation_gives_the_same_study),
        with_scene(a_repeated_ask_is_stale_once_another_has_the_trial),
        with_scene(old_tokens_are_deleted),
        with_scene(waiting_trials_are_handed_out_together),
        with_scene(a_trial_that_is_lost_too_often_has_failed),
        with_scene(a_late_heartbeat_shows_that_nothing_was_lost),
        with_scene(a_lease_is_not_longer_than_it_was_taken_for),
        with_scene(a_dead_proposer_is_seen_at_once),
        with_scene(a_proposer_of_another_machine_is_waited_for_and_then_replaced),
        with_scene(what_needs_no_model_waits_for_nobody),
        with_scene(an_ask_can_be_cancelled),
        with_scene(studies_do_not_wait_for_each_other),
        with_scene(random_points_do_not_depend_on_who_asks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
