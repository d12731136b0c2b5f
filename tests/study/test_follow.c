/* An optimizer that is kept between asks and given what is new, against one that is built anew for each ask: the same
 * trials to the same bits, whatever happened to the study meanwhile. And proposals for those who wait. On SQLite and
 * PostgreSQL. */
#include <inttypes.h>
#include <stdio.h>

#include "own_sql.h"
#include "own_study.h"

enum { DIM = 2, STEPS = 60, SLOTS = 3 };

static locbo_space *make_space(void) {
    locbo_space *space;
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_real(space, "x", 0, 1, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_int(space, "n", 0, 30, LOCBO_LINEAR, &error));
    return space;
}

/* The model has landmarks from `exact_rows` points on. */
static locbo_study *make_study(const char *name, const char *exact_rows, const locbo_plan *plan) {
    locbo_options options;
    locbo_options_init(&options);
    check_ok(locbo_options_set(&options, "exact_rows", exact_rows, &error));
    return own_study_create(name, make_space(), &options, plan);
}

static locbo_study *open_again(const char *name) {
    locbo_study *s;
    check_ok(locbo_study_open(&s, own_store, name, &error));
    return s;
}

static double value_at(const double *x) { return sin(7 * x[0]) + 0.01 * (x[1] - 11) * (x[1] - 11); }

/* So many trials of `study`, one after the other. */
static void play(int rounds) {
    double x[DIM];
    for (int i = 0; i < rounds; i++) {
        uint64_t trial = ask(study, x);
        tell(study, trial, value_at(x));
    }
}

/* ---- kept or built anew ------------------------------------------------------------------------ */

/* Two studies to which the same happens. */
typedef struct pair {
    locbo_study *kept[2]; /* as in two processes; they ask in turn */
    uint64_t outstanding[SLOTS], ended;
    double x[SLOTS][DIM];
    unsigned seed;
    int turn;
} pair;

static unsigned draw(pair *p, unsigned below) {
    p->seed = p->seed * 1664525u + 1013904223u;
    return (p->seed >> 8) % below;
}

static void check_same_belief(const locbo_belief *a, const locbo_belief *b) {
    check_same(a->mean, b->mean);
    check_same(a->sd_f, b->sd_f);
    check_same(a->sd_y, b->sd_y);
    check_same(a->threshold, b->threshold);
}

static void ask_both(pair *p, int slot) {
    locbo_study *fresh = open_again("fresh");
    locbo_assignment a, b;
    double x[DIM];
    check_ok(locbo_study_ask(p->kept[p->turn ^= draw(p, 3) > 0], NULL, &a, p->x[slot], &error));
    check_ok(locbo_study_ask(fresh, NULL, &b, x, &error));
    locbo_study_close(fresh);
    assert_int_equal(a.trial, b.trial);
    assert_int_equal(a.info.told, b.info.told);
    for (int i = 0; i < DIM; i++) check_same(p->x[slot][i], x[i]);
    check_same_belief(&a.info.belief, &b.info.belief);
    p->outstanding[slot] = a.trial;
}

typedef void deed(locbo_study *s, uint64_t trial, double value);

static void do_tell(locbo_study *s, uint64_t trial, double value) { tell(s, trial, value); }
static void do_fail(locbo_study *s, uint64_t trial, double value) {
    (void)value;
    check_ok(locbo_study_tell_failed(s, trial, 0, "it broke", &error));
}
static void do_retract(locbo_study *s, uint64_t trial, double value) {
    (void)value;
    check_ok(locbo_study_retract(s, trial, 0, "wrong", &error));
}
static void do_import(locbo_study *s, uint64_t trial, double value) {
    double x[DIM] = {value - floor(value), (double)(trial % 30)};
    locbo_measurement m = {value, (double)NAN, 1};
    check_ok(locbo_study_import(s, 1, x, &m, NULL, &error));
}

static void both(pair *p, deed *what, uint64_t trial, double value) {
    locbo_study *fresh = open_again("fresh");
    what(p->kept[draw(p, 2)], trial, value);
    what(fresh, trial, value);
    locbo_study_close(fresh);
}

/* Somebody looks at one of them, or plays with what was lent. */
static void look(pair *p) {
    locbo_optimizer *o;
    locbo_choice choice;
    locbo_trial t;
    locbo_belief belief;
    double x[DIM] = {0.4, 12};
    check_ok(locbo_study_optimizer(p->kept[draw(p, 2)], &o, &error));
    check_ok(locbo_optimizer_predict(o, 1, x, &belief, &error));
    if (belief.sd_f > 0) check_ok(locbo_optimizer_recommend(o, &choice, x, &error));
    if (draw(p, 4) == 0) check_ok(locbo_optimizer_ask(o, &t, x, &error));
    if (draw(p, 4) == 0) check_ok(locbo_optimizer_add(o, x, &(locbo_measurement){-9, (double)NAN, 1}, &error));
}

/* A result, a failure, a late result of one that had failed, one taken back, an import. */
static void end_slot(pair *p, int slot) {
    double value = value_at(p->x[slot]) + 0.2 * (draw(p, 1000) / 1000.0 - 0.5);
    uint64_t trial = p->outstanding[slot];
    unsigned what = draw(p, 12);
    both(p, what == 0 ? do_fail : do_tell, trial, value);
    if (what == 0) p->ended = trial;
    if (what == 1 && p->ended) {
        both(p, do_tell, p->ended, value);
        p->ended = 0;
    }
    if (what == 2) both(p, do_retract, trial, value);
    if (what == 3) both(p, do_import, trial, value);
    p->outstanding[slot] = 0;
}

static void go_on(const char *exact_rows, unsigned seed) {
    pair p = {.seed = seed};
    print_message("exact_rows %s, seed %u\n", exact_rows, seed);
    p.kept[0] = make_study("kept", exact_rows, NULL);
    p.kept[1] = open_again("kept");
    locbo_study_close(make_study("fresh", exact_rows, NULL));
    for (int i = 0; i < STEPS; i++) {
        int slot = (int)draw(&p, SLOTS);
        if (draw(&p, 5) == 0) look(&p);
        if (p.outstanding[slot])
            end_slot(&p, slot);
        else
            ask_both(&p, slot);
    }
    locbo_study_close(p.kept[0]);
    locbo_study_close(p.kept[1]);
}

static void kept_as_built_anew(void **state) {
    (void)state;
    go_on("1000", 1);
    go_on("12", 2);
}

/* ---- the database is not what it was ----------------------------------------------------------- */

/* The next trial of the kept study is that of one who knows nothing else. */
static void check_next(void) {
    locbo_study *copy, *fresh = open_again("a");
    double x[DIM], y[DIM];
    locbo_study_delete(own_store, "copy", NULL);
    check_ok(locbo_study_copy(&copy, fresh, own_store, "copy", 1, &error));
    uint64_t trial = ask(study, x);
    assert_int_equal(trial, ask(copy, y));
    for (int i = 0; i < DIM; i++) check_same(x[i], y[i]);
    locbo_study_close(copy);
    locbo_study_close(fresh);
    tell(study, trial, value_at(x));
}

static void a_restored_database_is_read_anew(void **state) {
    (void)state;
    play(9);
    check_next(); /* it knows trial 10 and event 9 now; event 10 it was told itself */
    own_sql_change(
        "UPDATE locbo_measurement SET value = value + 1, told = told + 1 WHERE event = 9"); /* others told it */
    check_next();
    own_sql_change(
        "UPDATE locbo_trial SET params = '{\"x\":0.25,\"n\":3}' WHERE number = 11"); /* others asked for it */
    check_next();
    own_sql_change("DELETE FROM locbo_measurement WHERE event > 10"); /* there was less: event 11 is known */
    own_sql_change("DELETE FROM locbo_fit WHERE result_rows > 10");
    own_sql_change("UPDATE locbo_study SET events = 10, results = NULL");
    own_sql_change("UPDATE locbo_trial SET state = 'FAILED', failure = 10 WHERE number > 10");
    check_next();
}

/* All that the database has is known. */
static void know(void) {
    locbo_optimizer *o;
    check_ok(locbo_study_optimizer(study, &o, &error));
}

/* The last event that is known is a failure: results before it are compared all the same, and who has failed. */
static void a_restored_database_that_ends_with_a_failure(void **state) {
    (void)state;
    play(9);
    check_ok(locbo_study_tell_failed(study, ask(study, NULL), 0, "it broke", &error));
    know();
    own_sql_change("UPDATE locbo_measurement SET value = value + 1, told = told + 1 WHERE event = 9");
    check_next(); /* trial 11, event 11 */
    tell(study, ask(study, NULL), 2);
    check_ok(locbo_study_tell_failed(study, ask(study, NULL), 0, "it broke", &error));
    know();
    own_sql_change("UPDATE locbo_measurement SET trial = 13 WHERE trial = 12"); /* it was the other one that failed */
    own_sql_change("UPDATE locbo_trial SET state = 'COMPLETE', failure = NULL WHERE number = 13");
    own_sql_change("UPDATE locbo_trial SET state = 'FAILED', failure = 13 WHERE number = 12");
    check_next();
}

/* What is believed of a point, by all that the database has. */
static locbo_belief believe(locbo_study *s) {
    locbo_optimizer *o;
    locbo_belief belief;
    double x[DIM] = {0.4, 12};
    check_ok(locbo_study_optimizer(s, &o, &error));
    check_ok(locbo_optimizer_predict(o, 1, x, &belief, &error));
    return belief;
}

static void check_model(void) {
    locbo_study *fresh = open_again("a");
    locbo_belief kept = believe(study), anew = believe(fresh);
    check_same_belief(&kept, &anew);
    locbo_study_close(fresh);
}

/* The last result that is known is gone, and its event number is one of something else, or of nothing. */
static void a_restored_database_that_lacks_a_result(void **state) {
    (void)state;
    play(6);
    uint64_t trial = ask(study, NULL);
    tell(study, trial, -1);
    know();
    own_sql_change("DELETE FROM locbo_measurement WHERE event = 7");
    own_sql_change("UPDATE locbo_trial SET state = 'RUNNING' WHERE number = 7");
    own_sql_change("UPDATE locbo_study SET events = 6, results = NULL");
    check_ok(locbo_study_pause(study, NULL, &error));
    check_ok(locbo_study_resume(study, NULL, &error));
    check_model();
    tell(study, trial, 0.5);
    check_model();
}

/* ---- for those who wait ------------------------------------------------------------------------ */

static void begin_crowd(const locbo_plan *plan) {
    locbo_study_close(study);
    study = make_study("a", "1000", plan);
    play(7);
}

/* The others' trials are those of one who asks again and again. */
static void those_who_wait_are_proposed_for(void **state) {
    (void)state;
    locbo_study *copy, *other;
    double x[DIM], y[DIM];
    begin_crowd(NULL);
    check_ok(locbo_study_copy(&copy, study, own_store, "copy", 1, &error));
    own_sql_change("UPDATE locbo_study SET waiting = 3 WHERE name = 'a'");
    assert_int_equal(ask(study, NULL), 8);
    assert_int_equal(own_sql_number("SELECT count(*) FROM locbo_trial WHERE state = 'WAITING' AND attempt = 0"), 3);
    assert_int_equal(own_sql_number("SELECT waiting FROM locbo_study WHERE name = 'a'"), 0);
    other = open_again("a");
    ask(copy, NULL);
    for (uint64_t k = 9; k <= 12; k++) { /* the last one is new, by who made the others and knows them */
        assert_int_equal(ask(k < 12 ? other : study, x), k);
        assert_int_equal(ask(copy, y), k);
        for (int i = 0; i < DIM; i++) check_same(x[i], y[i]);
    }
    assert_int_equal(own_sql_number("SELECT count(*) FROM (SELECT a.number FROM locbo_trial a JOIN locbo_trial b"
                                    " ON a.number = b.number AND a.study < b.study WHERE a.pending = b.pending) same"),
                     12);
    locbo_study_close(other);
    locbo_study_close(copy);
}

static void nobody_is_proposed_for_beyond_the_limit(void **state) {
    (void)state;
    locbo_plan plan;
    locbo_assignment a;
    double x[DIM];
    locbo_plan_init(&plan);
    plan.trials = 10;
    begin_crowd(&plan);
    check_ok(locbo_study_tell_failed(study, ask(study, NULL), 0, "it broke", &error));
    own_sql_change("UPDATE locbo_study SET waiting = 9");
    assert_int_equal(ask(study, NULL), 9);
    assert_int_equal(own_sql_number("SELECT trials FROM locbo_study"), 11);
    for (uint64_t k = 10; k <= 11; k++) assert_int_equal(ask(study, NULL), k);
    assert_int_equal(locbo_study_ask(study, NULL, &a, x, NULL), LOCBO_ERR_NOTHING);
}

/* Limits hold for what was made ahead, too: it waits until they are raised. What a person wants is handed out. */
static void what_was_made_ahead_waits_for_the_limit(void **state) {
    (void)state;
    locbo_assignment a;
    double x[DIM] = {0.3, 4};
    uint64_t wanted;
    begin_crowd(NULL);
    own_sql_change("UPDATE locbo_study SET waiting = 9");
    assert_int_equal(ask(study, NULL), 8);
    assert_int_equal(own_sql_number("SELECT count(*) FROM locbo_trial WHERE state = 'WAITING'"), 9);
    locbo_request nine = {.struct_size = sizeof nine, .limit = 9};
    check_ok(locbo_study_ask(study, &nine, &a, x, &error));
    assert_int_equal(a.trial, 9);
    assert_int_equal(locbo_study_ask(study, &nine, &a, x, NULL), LOCBO_ERR_NOTHING);
    check_ok(locbo_study_enqueue(study, x, &wanted, &error));
    check_ok(locbo_study_ask(study, &nine, &a, x, &error));
    assert_int_equal(a.trial, wanted);
    assert_int_equal(locbo_study_ask(study, &nine, &a, x, NULL), LOCBO_ERR_NOTHING);
    check_ok(locbo_study_tell_failed(study, 8, 0, "it broke", &error)); /* it does not count: one more */
    locbo_assignment some[9];
    double points[9 * DIM];
    size_t count;
    nine.limit = 12; /* 8 and those two, so two more; the one that failed makes room for a third */
    check_ok(locbo_study_ask_many(study, &nine, 9, some, points, &count, &error));
    assert_int_equal(count, 3);
    assert_int_equal(some[0].trial + some[1].trial + some[2].trial, 10 + 11 + 12); /* in any order */
    assert_int_equal(locbo_study_ask(study, &nine, &a, x, NULL), LOCBO_ERR_NOTHING);
    assert_int_equal(ask(study, NULL), 13);
}

static locbo_end end_of(const locbo_plan *plan) {
    locbo_census census;
    check_ok(locbo_study_census(study, &census, &error));
    return locbo_study_end(study, plan, &census);
}

/* A plan that is done does not wait for what was made ahead, but for what a person wants. */
static void what_was_made_ahead_keeps_nobody(void **state) {
    (void)state;
    double x[DIM] = {0.3, 4};
    locbo_plan plan;
    locbo_census census;
    uint64_t wanted;
    locbo_plan_init(&plan);
    begin_crowd(NULL);
    own_sql_change("UPDATE locbo_study SET waiting = 3");
    assert_int_equal(ask(study, NULL), 8);
    check_ok(locbo_study_census(study, &census, &error));
    assert_int_equal(census.state[LOCBO_WAITING], 3);
    assert_int_equal(census.ahead, 3);
    plan.trials = 8;
    assert_int_equal(end_of(&plan), LOCBO_END_NOT);
    tell(study, 8, 2);
    assert_int_equal(end_of(&plan), LOCBO_END_TRIALS);
    plan.trials = 9; /* one of them */
    assert_int_equal(end_of(&plan), LOCBO_END_NOT);
    plan.trials = 8;
    check_ok(locbo_study_enqueue(study, x, &wanted, &error));
    assert_int_equal(end_of(&plan), LOCBO_END_NOT);
    tell(study, wanted, 3);
    assert_int_equal(end_of(&plan), LOCBO_END_TRIALS);
    assert_int_equal(ask(study, NULL), 9);
    check_ok(locbo_study_requeue(study, 9, 0, LOCBO_REQUEUE_SAME, 0, &error)); /* it was handed out: it is awaited */
    check_ok(locbo_study_census(study, &census, &error));
    assert_int_equal(census.ahead, 2);
    plan.trials = 9;
    assert_int_equal(end_of(&plan), LOCBO_END_NOT);
}

/* With a budget they cost nothing until they are handed out, one at a time. */
static void what_was_made_ahead_fits_a_budget(void **state) {
    (void)state;
    locbo_space *space = make_space();
    locbo_request four = {.struct_size = sizeof four, .budget = 12};
    locbo_assignment some[4];
    double x[4 * DIM];
    size_t count;
    locbo_census census;
    locbo_study_close(study);
    check_ok(locbo_space_set_cost(space, "1 + 0 * x", &error));
    study = own_study_create("a", space, NULL, NULL);
    play(7);
    own_sql_change("UPDATE locbo_study SET waiting = 6");
    assert_int_equal(ask(study, NULL), 8);
    check_ok(locbo_study_census(study, &census, &error));
    check_same(census.cost, 7);
    check_same(census.cost_expected, 1); /* trial 8 */
    for (uint64_t k = 9; k <= 12; k++) {
        check_ok(locbo_study_ask_many(study, &four, 4, some, x, &count, &error));
        assert_int_equal(count, 1);
        assert_int_equal(some[0].trial, k);
    }
    assert_int_equal(locbo_study_ask_many(study, &four, 4, some, x, &count, NULL), LOCBO_ERR_NOTHING);
    check_ok(locbo_study_tell_failed(study, 8, 0, "it broke", &error)); /* it has cost 1 all the same */
    assert_int_equal(locbo_study_ask_many(study, &four, 4, some, x, &count, NULL), LOCBO_ERR_NOTHING);
}

/* Those who waited for a process that was lost may be lost as well; and who adds a trial forgets them. */
static void those_who_waited_for_what_is_over_are_forgotten(void **state) {
    (void)state;
    double x[DIM] = {0.3, 4};
    begin_crowd(NULL);
    own_sql_change("UPDATE locbo_study SET waiting = 8, proposer = 'far:1:1:x', proposer_until = {now} - 1");
    assert_int_equal(ask(study, NULL), 8);
    assert_int_equal(own_sql_number("SELECT trials FROM locbo_study"), 8);
    own_sql_change("UPDATE locbo_study SET waiting = 8");
    check_ok(locbo_study_enqueue(study, x, NULL, &error));
    assert_int_equal(own_sql_number("SELECT waiting FROM locbo_study"), 0);
    own_sql_change("UPDATE locbo_study SET waiting = 8");
    check_ok(locbo_study_import(study, 1, x, &(locbo_measurement){1, (double)NAN, 1}, NULL, &error));
    assert_int_equal(own_sql_number("SELECT waiting FROM locbo_study"), 0);
}

static int64_t longest; /* milliseconds */

static int note_lease(void *user) {
    (void)user;
    int64_t left = own_sql_number("SELECT CAST(1000 * (coalesce(proposer_until, 0) - {now}) AS BIGINT) FROM"
                                  " locbo_study WHERE name = 'a'");
    if (left > longest) longest = left;
    return 0;
}

/* A model of landmarks is never long away: its proposer's lease does not grow with the results. */
static void a_lost_proposer_of_many_results_is_soon_replaced(void **state) {
    (void)state;
    enum { MANY = 4000 };
    static double x[MANY * DIM];
    static locbo_measurement m[MANY];
    unsigned seed = 1;
    locbo_study_close(study);
    study = make_study("a", "50", NULL);
    for (int i = 0; i < MANY; i++) {
        seed = seed * 1664525u + 1013904223u;
        x[DIM * i] = (seed >> 8) / 0x1p24;
        x[DIM * i + 1] = i % 31;
        m[i] = (locbo_measurement){value_at(x + DIM * i), (double)NAN, 1};
    }
    check_ok(locbo_study_import(study, MANY, x, m, NULL, &error));
    longest = 0;
    locbo_study_watch(study, note_lease, NULL);
    ask(study, NULL);
    locbo_study_watch(study, NULL, NULL);
    assert_true(longest > 10000 && longest < 16000); /* by n^3 it would be 21 s */
}

/* ------------------------------------------------------------------------------------------------ */

static int open_scene(void **state) {
    if (own_store_open(state) != 0) return -1;
    study = make_study("a", "1000", NULL);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(kept_as_built_anew, open_scene, own_study_close),
        cmocka_unit_test_setup_teardown(a_restored_database_is_read_anew, open_scene, own_study_close),
        cmocka_unit_test_setup_teardown(a_restored_database_that_ends_with_a_failure, open_scene, own_study_close),
        cmocka_unit_test_setup_teardown(a_restored_database_that_lacks_a_result, open_scene, own_study_close),
        cmocka_unit_test_setup_teardown(those_who_wait_are_proposed_for, open_scene, own_study_close),
        cmocka_unit_test_setup_teardown(nobody_is_proposed_for_beyond_the_limit, open_scene, own_study_close),
        cmocka_unit_test_setup_teardown(what_was_made_ahead_waits_for_the_limit, open_scene, own_study_close),
        cmocka_unit_test_setup_teardown(what_was_made_ahead_keeps_nobody, open_scene, own_study_close),
        cmocka_unit_test_setup_teardown(what_was_made_ahead_fits_a_budget, open_scene, own_study_close),
        cmocka_unit_test_setup_teardown(those_who_waited_for_what_is_over_are_forgotten, open_scene, own_study_close),
        cmocka_unit_test_setup_teardown(a_lost_proposer_of_many_results_is_soon_replaced, open_scene, own_study_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
