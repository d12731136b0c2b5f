/* Steps that evaluations report, and evaluations that are ended early. Runs on SQLite files of its own, or on the
 * database of LOCBO_TEST_DB (tests/with-postgres). */
#include <inttypes.h>
#include <locbo/study.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "own_store.h"
#include "clock.h"
#include "draw.h"
#include "hopeless.h"
#include "store.h"

enum { STEPS = 10, SEED = 5 };

static locbo_study *study;

/* ---- set-up ------------------------------------------------------------------------------------ */

static locbo_study *make_study(const char *name, locbo_prune rule, locbo_direction direction) {
    locbo_space *space;
    locbo_options options;
    locbo_plan plan;
    locbo_study *made;
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_real(space, "x", 0, 1, LOCBO_LINEAR, &error));
    locbo_options_init(&options);
    options.method = LOCBO_METHOD_RANDOM;
    options.seed = SEED;
    options.direction = direction;
    locbo_plan_init(&plan);
    plan.prune = rule;
    locbo_definition d = {.struct_size = sizeof d, .space = space, .options = &options};
    locbo_study_delete(own_store, name, NULL);
    check_ok(locbo_study_create(&made, own_store, name, &d, &plan, &error));
    locbo_space_destroy(space);
    return made;
}

static int open_scene(void **state) {
    if (own_store_open(state) != 0) return -1;
    study = make_study("a", LOCBO_PRUNE_RISK, LOCBO_MINIMIZE);
    return 0;
}

static int close_scene(void **state) {
    locbo_study_close(study);
    return own_store_close(state);
}

static uint64_t ask(locbo_study *s) {
    locbo_assignment a;
    double x[4];
    check_ok(locbo_study_ask(s, NULL, &a, x, &error));
    return a.trial;
}

static void tell(locbo_study *s, uint64_t trial, double value) {
    locbo_measurement m = {value, (double)NAN, 1};
    check_ok(locbo_study_tell(s, trial, 0, 1, &m, &error));
}

static int report_one(locbo_study *s, uint64_t trial, uint64_t step, double value) {
    int end = -1;
    check_ok(locbo_study_report(s, trial, 0, 1, &(locbo_step){step, value}, &end, &error));
    return end;
}

/* A curve that falls to its final value. */
static double curve_at(double final, uint64_t step) { return final + (step < STEPS ? 2 * exp(-(double)step / 3) : 0); }

/* Evaluate one trial with this final value. Returns the step at which it was ended; 0: it is complete. */
static uint64_t evaluate(locbo_study *s, double final) {
    uint64_t trial = ask(s);
    for (uint64_t t = 1; t <= STEPS; t++)
        if (report_one(s, trial, t, curve_at(final, t))) return t;
    tell(s, trial, final);
    return 0;
}

static locbo_census census_of(locbo_study *s) {
    locbo_census c;
    check_ok(locbo_study_census(s, &c, &error));
    return c;
}

static locbo_ended ended_of(locbo_study *s) {
    locbo_ended e = {.struct_size = sizeof e};
    check_ok(locbo_study_ended(s, &e, &error));
    return e;
}

typedef struct found {
    locbo_state state;
    uint64_t failure, attempt;
    size_t count;
    int decided;
    locbo_decision decision;
} found;

static int take_found(const locbo_record *r, void *user) {
    found *f = user;
    *f = (found){r->state, r->failure, r->attempt, r->count, r->decision != NULL, {.step = 0}};
    if (r->decision) f->decision = *r->decision;
    return 1;
}

static found look(locbo_study *s, uint64_t trial) {
    found f = {.failure = 0};
    locbo_filter one = {.struct_size = sizeof one, .first = trial, .limit = 1};
    check_ok(locbo_study_each(s, &one, take_found, &f, &error));
    return f;
}

typedef struct drawn {
    size_t curves, count;
    uint64_t trial, attempt;
    locbo_step step[32]; /* of the last curve, the first of them */
    double sum;
} drawn;

static int take_curve(const locbo_curve *c, void *user) {
    drawn *d = user;
    d->curves++;
    d->trial = c->trial;
    d->attempt = c->attempt;
    d->count = c->count;
    for (size_t i = 0; i < c->count; i++) {
        if (i < 32) d->step[i] = c->steps[i];
        d->sum += c->steps[i].value * (double)(c->steps[i].step + 3 * c->trial + 7 * c->attempt);
        assert_true(i == 0 || c->steps[i].step > c->steps[i - 1].step);
    }
    return 0;
}

static drawn curves_of(locbo_study *s, uint64_t trial) {
    drawn d = {0};
    check_ok(locbo_study_each_curve(s, trial, take_curve, &d, &error));
    return d;
}

static void refuse_report(uint64_t trial, uint64_t attempt, locbo_status expected, const char *words) {
    locbo_error error = {LOCBO_OK, ""};
    int end = -1;
    locbo_status status = locbo_study_report(study, trial, attempt, 1, &(locbo_step){99, 1}, &end, &error);
    check_that(status == expected && strstr(error.message, words), "%d '%s'", (int)status, error.message);
    assert_int_equal(end, -1);
}

/* ---- steps ------------------------------------------------------------------------------------- */

static void what_is_stored(void **state) {
    (void)state;
    uint64_t trial = ask(study);
    int end;
    const locbo_step steps[] = {{2, 1.5},  {1, 9},    {2, 8}, {3, (double)NAN}, {3, (double)INFINITY},   {4, -INFINITY},
                                {5, 1.25}, {5, 1.25}, {4, 1}, {UINT64_MAX, 1},  {UINT64_C(1) << 53, 0.5}};
    check_ok(locbo_study_report(study, trial, 1, sizeof steps / sizeof steps[0], steps, &end, &error));
    assert_int_equal(end, 0);
    drawn d = curves_of(study, trial);
    assert_int_equal(d.count, 3);
    assert_int_equal(d.step[0].step, 2);
    check_same(d.step[1].value, 1.25);
    assert_true(d.step[2].step == UINT64_C(1) << 53);
    check_ok(locbo_study_report(study, trial, 1, 0, NULL, &end, &error));
    trial = ask(study);
    assert_int_equal(report_one(study, trial, 0, 3), 0); /* a first step may be 0 */
    assert_int_equal(report_one(study, trial, 0, 4), 0);
    d = curves_of(study, trial);
    assert_true(d.count == 1 && d.step[0].value == 3);
    assert_int_equal(curves_of(study, 0).curves, 2);
    locbo_error error;
    assert_int_equal(locbo_study_each_curve(study, 77, take_curve, &d, &error), LOCBO_ERR_NOT_FOUND);
    assert_int_equal(locbo_study_report(study, trial, 1, 1, NULL, &end, &error), LOCBO_ERR_ARGUMENT);
    assert_int_equal(locbo_study_report(study, trial, 1, 0, NULL, NULL, &error), LOCBO_ERR_ARGUMENT);
    assert_int_equal(locbo_study_report(NULL, trial, 1, 0, NULL, &end, &error), LOCBO_ERR_ARGUMENT);
}

static void who_may_report(void **state) {
    (void)state;
    uint64_t trial = ask(study), waits;
    report_one(study, trial, 1, 5);
    refuse_report(77, 0, LOCBO_ERR_NOT_FOUND, "no trial 77");
    refuse_report(trial, 2, LOCBO_ERR_STATE, "has no attempt 2");
    check_ok(locbo_study_requeue(study, trial, 1, LOCBO_REQUEUE_SAME, 0, &error));
    refuse_report(trial, 1, LOCBO_ERR_STATE, "handed back");
    assert_int_equal(ask(study), trial);
    refuse_report(trial, 1, LOCBO_ERR_STATE, "attempt 2 has replaced it");
    report_one(study, trial, 1, 6); /* a new curve */
    drawn d = curves_of(study, trial);
    assert_true(d.curves == 2 && d.attempt == 2 && d.count == 1 && d.step[0].value == 6);
    tell(study, trial, 6);
    refuse_report(trial, 2, LOCBO_ERR_STATE, "has ended: COMPLETE");
    check_ok(locbo_study_enqueue(study, (double[]){0.5}, &waits, &error));
    refuse_report(waits, 0, LOCBO_ERR_STATE, "has not been handed out");
    assert_int_equal(ask(study), waits);
    check_ok(locbo_study_tell_failed(study, waits, 1, "broke", &error));
    refuse_report(waits, 1, LOCBO_ERR_STATE, "has ended: FAILED");
    /* one whose lease has ended, and that nobody else has got */
    locbo_assignment a;
    double x[1];
    locbo_request brief = {.struct_size = sizeof brief, .lease = 0.01};
    uint64_t requeued;
    check_ok(locbo_study_ask(study, &brief, &a, x, &error));
    usleep(30000);
    check_ok(locbo_study_expire(study, &requeued, &error));
    assert_int_equal(requeued, 1);
    report_one(study, a.trial, 1, 5);
    assert_int_equal(curves_of(study, a.trial).count, 1);
}

static void one_hundred_thousand(void **state) {
    (void)state;
    enum { MANY = 100000 };
    locbo_step *steps = malloc(MANY * sizeof *steps);
    uint64_t trial = ask(study);
    int end;
    assert_non_null(steps);
    for (size_t i = 0; i < MANY; i++) steps[i] = (locbo_step){i + 1, 1 + 1.0 / (double)(i + 1)};
    double begin = clock_now();
    check_ok(locbo_study_report(study, trial, 1, MANY, steps, &end, &error));
    double stored = clock_now();
    assert_int_equal(curves_of(study, trial).count, MANY);
    double read = clock_now();
    tell(study, trial, 1);
    for (int i = 0; i < 5; i++) { /* complete, so that the rule has curves of this length */
        trial = ask(study);
        check_ok(locbo_study_report(study, trial, 1, MANY, steps, &end, &error));
        tell(study, trial, 1);
    }
    trial = ask(study);
    for (size_t i = 0; i < MANY; i++) steps[i].value = 1.5; /* better than the bound at first, and then not */
    double before = clock_now();
    check_ok(locbo_study_report(study, trial, 1, MANY, steps, &end, &error));
    found f = look(study, trial);
    assert_true(f.decided && f.decision.step > 1 && f.decision.step < 1000);
    print_message("100000 steps: stored in %.2f s, read in %.2f s, judged and stored in %.2f s\n", stored - begin,
                  read - stored, clock_now() - before);
    free(steps);
}

static uint64_t stamp(void) {
    locbo_pulse p;
    check_ok(locbo_study_pulse(study, &p, &error));
    return p.stamp;
}

static void the_pulse_sees_steps(void **state) {
    (void)state;
    uint64_t trial = ask(study), before = stamp(), after;
    assert_true(stamp() == before);
    report_one(study, trial, 1, 5);
    after = stamp();
    assert_true(after != before);
    report_one(study, trial, 1, 6); /* skipped */
    assert_true(stamp() == after);
    report_one(study, trial, 2, 6);
    assert_true(stamp() != after);
}

/* ---- the rule of the risk ---------------------------------------------------------------------- */

/* Two trials that decide how a decision is made: poor ones from the sixth on. */
static void ended_or_kept(void **state) {
    (void)state;
    for (int i = 0; i < 5; i++) assert_int_equal(evaluate(study, 1 + 0.1 * i), 0);
    uint64_t kept = 0, ended = 0;
    for (uint64_t trial = 6; trial <= 40; trial++) {
        uint64_t step = evaluate(study, 10);
        double coin = hopeless_coin(SEED, trial);
        found f = look(study, trial);
        assert_true(f.decided && f.decision.rule == LOCBO_PRUNE_RISK && f.decision.step == 1);
        check_same(f.decision.coin, coin);
        check_same(f.decision.incumbent, 1);
        check_same(f.decision.value, curve_at(10, 1));
        assert_int_equal(step, hopeless_is_kept(coin) ? 0 : 1);
        assert_int_equal(f.state, step ? LOCBO_PRUNED : LOCBO_COMPLETE);
        assert_true(f.decision.event == (step ? trial : 0) && f.failure == f.decision.event);
        assert_true(f.count == (step ? 0 : 1));
        /* what is expected: as the complete ones fell after the first step; nothing is better than the incumbent */
        if (step) check_close(f.decision.expected, 10, 1e-12, 0); /* all curves have one shape: rounding */
        if (step) assert_true(f.decision.expected_sd >= 0 && f.decision.expected_sd < 1e-12);
        kept += step == 0;
        ended += step != 0;
    }
    assert_true(kept > 0 && ended > kept); /* by the coins of this seed */
    locbo_ended e = ended_of(study);
    assert_true(e.could_end == 35 && e.ended == ended && e.kept == kept && e.kept_beat == 0 && e.resolved == 40);
    check_close(e.tau, 2 - 0.1 * 0.05 * 40, 1e-12, 0); /* rounding of forty steps */
    check_same(e.estimate, 0);
    check_close(e.bound, 0.05 + ((2 - e.tau) / 0.1 + 10) / 40, 1e-12, 0);
    check_close(e.steps_saved, 9.0 * (double)ended, 1e-12, 0);
    check_close(e.steps, 10.0 * (double)(5 + kept) + (double)ended, 1e-12, 0);
    locbo_census c = census_of(study);
    assert_true(c.state[LOCBO_PRUNED] == ended && c.state[LOCBO_COMPLETE] == 5 + kept && c.best_trial == 1);
    assert_true(c.since_best == 39 && c.failures_in_row == 0);
}

/* The first trial from `from` on that the coin keeps, or ends. */
static uint64_t next_coin(uint64_t from, int kept) {
    while (hopeless_is_kept(hopeless_coin(SEED, from)) != kept) from++;
    return from;
}

/* Complete trials without steps, up to this number. */
static void fill(locbo_study *s, uint64_t until) {
    while (census_of(s).trials < until) tell(s, ask(s), 5);
}

static void a_kept_one_is_never_ended(void **state) {
    (void)state;
    for (int i = 0; i < 5; i++) evaluate(study, 1);
    uint64_t kept = next_coin(6, 1);
    fill(study, kept - 1);
    assert_int_equal(ask(study), kept);
    assert_int_equal(report_one(study, kept, 1, 50), 0);
    assert_true(look(study, kept).decided);
    check_ok(locbo_study_requeue(study, kept, 1, LOCBO_REQUEUE_SAME, 0, &error));
    assert_int_equal(ask(study), kept);
    for (uint64_t t = 1; t < STEPS; t++) assert_int_equal(report_one(study, kept, t, 70), 0);
    assert_int_equal(look(study, kept).decision.attempt, 1);
    assert_int_equal(ended_of(study).outstanding, 1);
    tell(study, kept, 0.5); /* it beats its incumbent */
    locbo_ended e = ended_of(study);
    assert_true(e.kept_beat == 1 && e.resolved == 6 && e.outstanding == 0);
    check_close(e.tau, 2 - 6 * 0.005 + 1, 1e-12, 0);
    check_close(e.estimate, 10.0 / 6, 1e-12, 0);
}

static void ended_once(void **state) {
    (void)state;
    for (int i = 0; i < 5; i++) evaluate(study, 1);
    uint64_t trial = next_coin(6, 0);
    fill(study, trial - 1);
    assert_int_equal(ask(study), trial);
    assert_int_equal(report_one(study, trial, 1, 50), 1);
    assert_int_equal(report_one(study, trial, 1, 50), 1); /* a repeated call */
    assert_int_equal(report_one(study, trial, 2, 1), 1);
    assert_int_equal(curves_of(study, trial).count, 1);
    int end = 0;
    check_ok(locbo_study_report(study, trial, 1, 0, NULL, &end, &error));
    assert_int_equal(end, 1);
    assert_int_equal(locbo_study_tell_failed(study, trial, 1, NULL, NULL), LOCBO_ERR_STATE);
    assert_int_equal(locbo_study_beat(study, trial, 1, 60, NULL), LOCBO_ERR_STATE);
    locbo_ended before = ended_of(study);
    found was = look(study, trial);
    tell(study, trial, 0.25); /* a late value is kept, and the account stays */
    found f = look(study, trial);
    assert_true(f.state == LOCBO_COMPLETE && f.failure == 0 && f.count == 1 && f.decided);
    assert_memory_equal(&f.decision, &was.decision, sizeof f.decision);
    locbo_ended e = ended_of(study);
    assert_true(e.ended == before.ended && e.resolved == before.resolved && e.kept_beat == 0);
    check_same(e.tau, before.tau);
    check_same(census_of(study).best_value, 0.25);
}

static void taken_back(void **state) {
    (void)state;
    for (int i = 0; i < 5; i++) evaluate(study, 1);
    uint64_t trials[2], next = 6;
    for (int i = 0; i < 2; i++) {
        trials[i] = next_coin(next, 0);
        next = trials[i] + 1;
        fill(study, trials[i] - 1);
        assert_int_equal(ask(study), trials[i]);
        assert_int_equal(report_one(study, trials[i], 1, 50), 1);
    }
    assert_int_equal(ended_of(study).resolved, 7);
    check_ok(locbo_study_retract(study, trials[0], 0, "no", &error));
    assert_int_equal(look(study, trials[0]).state, LOCBO_RETRACTED);
    check_ok(locbo_study_fail(study, trials[1], LOCBO_STATE_FAILED, "no", &error));
    assert_int_equal(look(study, trials[1]).state, LOCBO_STATE_FAILED);
    locbo_ended e = ended_of(study);
    assert_true(e.could_end == 2 && e.ended == 0 && e.resolved == 5);
    locbo_optimizer *o;
    check_ok(locbo_study_optimizer(study, &o, &error));
    /* and results, which the rule has seen: the incumbent is the next best */
    check_ok(locbo_study_retract(study, 1, 0, NULL, &error));
    assert_int_equal(ended_of(study).resolved, 4);
}

static void how_many_are_wanted(void **state) {
    (void)state;
    locbo_plan plan = {.struct_size = sizeof plan};
    for (int i = 0; i < 5; i++) evaluate(study, 1);
    for (int i = 0; i < 10; i++) evaluate(study, 10);
    locbo_census c = census_of(study);
    assert_true(c.state[LOCBO_PRUNED] > 0);
    check_ok(locbo_study_plan(study, &plan, &error));
    plan.trials = 15;
    check_ok(locbo_study_set_plan(study, &plan, &error));
    assert_int_equal(locbo_study_end(study, &plan, &c), LOCBO_END_TRIALS);
    locbo_assignment a;
    double x[1];
    assert_int_equal(locbo_study_ask(study, NULL, &a, x, NULL), LOCBO_ERR_NOTHING);
    plan.trials = 0;
    plan.evaluations = 15;
    assert_int_equal(locbo_study_end(study, &plan, &c), LOCBO_END_EVALUATIONS);
    plan.evaluations = 0;
    plan.no_improvement = 14;
    assert_int_equal(locbo_study_end(study, &plan, &c), LOCBO_END_NO_IMPROVEMENT);
    /* only what has happened since is listed */
    locbo_filter after = {.struct_size = sizeof after, .changed_after = c.events - 1};
    found f;
    check_ok(locbo_study_each(study, &after, take_found, &f, &error));
    assert_true(f.decided);
    locbo_filter pruned = {.struct_size = sizeof pruned, .states = 1u << LOCBO_PRUNED};
    check_ok(locbo_study_each(study, &pruned, take_found, &f, &error));
    assert_int_equal(f.state, LOCBO_PRUNED);
}

#define with_scene(test) cmocka_unit_test_setup_teardown(test, open_scene, close_scene)

int main(void) {
    const struct CMUnitTest tests[] = {
        with_scene(what_is_stored),       with_scene(who_may_report), with_scene(one_hundred_thousand),
        with_scene(the_pulse_sees_steps), with_scene(ended_or_kept),  with_scene(a_kept_one_is_never_ended),
        with_scene(ended_once),           with_scene(taken_back),     with_scene(how_many_are_wanted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
