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

#include "own_study.h"
#include "clock.h"
#include "draw.h"
#include "hopeless.h"
#include "store.h"

enum { STEPS = 10, SEED = 5, FEW = HOPELESS_FEW };
static const double TAU = 1.5; /* where the rule begins */

/* ---- set-up ------------------------------------------------------------------------------------ */

static locbo_study *make_study(const char *name, locbo_prune rule, locbo_direction direction) {
    locbo_space *space;
    locbo_options options;
    locbo_plan plan;
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_real(space, "x", 0, 1, LOCBO_LINEAR, &error));
    locbo_options_init(&options);
    options.method = LOCBO_METHOD_RANDOM;
    options.seed = SEED;
    options.direction = direction;
    locbo_plan_init(&plan);
    plan.prune = rule;
    return own_study_create(name, space, &options, &plan);
}

static int open_scene(void **state) {
    if (own_store_open(state) != 0) return -1;
    study = make_study("a", LOCBO_PRUNE_RISK, LOCBO_MINIMIZE);
    return 0;
}

/* A curve that falls to its final value. */
static double curve_at(double final, uint64_t step) { return final + (step < STEPS ? 2 * exp(-(double)step / 3) : 0); }

/* Evaluate one trial with this final value. Returns the step at which it was ended; 0: it is complete. */
static uint64_t evaluate(locbo_study *s, double final) {
    uint64_t trial = ask(s, NULL);
    for (uint64_t t = 1; t <= STEPS; t++)
        if (report_one(s, trial, t, curve_at(final, t))) return t;
    tell(s, trial, final);
    return 0;
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
    const locbo_decision *d = r->decision;
    memset(f, 0, sizeof *f); /* they are compared as bytes, the gaps between the fields too */
    f->state = r->state, f->failure = r->failure, f->attempt = r->attempt, f->count = r->count;
    f->decided = d != NULL;
    if (!d) return 1;
    f->decision.rule = d->rule, f->decision.attempt = d->attempt, f->decision.step = d->step;
    f->decision.value = d->value, f->decision.incumbent = d->incumbent, f->decision.tau = d->tau;
    f->decision.coin = d->coin, f->decision.event = d->event;
    f->decision.expected = d->expected, f->decision.expected_sd = d->expected_sd;
    return 1;
}

static found look(locbo_study *s, uint64_t trial) {
    found f;
    memset(&f, 0, sizeof f);
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
    uint64_t trial = ask(study, NULL);
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
    trial = ask(study, NULL);
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
    uint64_t trial = ask(study, NULL), waits;
    report_one(study, trial, 1, 5);
    refuse_report(77, 0, LOCBO_ERR_NOT_FOUND, "no trial 77");
    refuse_report(trial, 2, LOCBO_ERR_STATE, "has no attempt 2");
    check_ok(locbo_study_requeue(study, trial, 1, LOCBO_REQUEUE_SAME, 0, &error));
    refuse_report(trial, 1, LOCBO_ERR_STATE, "handed back");
    assert_int_equal(ask(study, NULL), trial);
    refuse_report(trial, 1, LOCBO_ERR_STATE, "attempt 2 has replaced it");
    report_one(study, trial, 1, 6); /* a new curve */
    drawn d = curves_of(study, trial);
    assert_true(d.curves == 2 && d.attempt == 2 && d.count == 1 && d.step[0].value == 6);
    tell(study, trial, 6);
    refuse_report(trial, 2, LOCBO_ERR_STATE, "has ended: COMPLETE");
    check_ok(locbo_study_enqueue(study, (double[]){0.5}, &waits, &error));
    refuse_report(waits, 0, LOCBO_ERR_STATE, "has not been handed out");
    assert_int_equal(ask(study, NULL), waits);
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
    uint64_t trial = ask(study, NULL);
    int end;
    assert_non_null(steps);
    for (size_t i = 0; i < MANY; i++) steps[i] = (locbo_step){i + 1, 1 + 1.0 / (double)(i + 1)};
    double begin = clock_now();
    check_ok(locbo_study_report(study, trial, 1, MANY, steps, &end, &error));
    double stored = clock_now();
    assert_int_equal(curves_of(study, trial).count, MANY);
    double read = clock_now();
    tell(study, trial, 1);
    for (int i = 0; i < FEW; i++) { /* complete, so that the rule has curves of this length */
        trial = ask(study, NULL);
        check_ok(locbo_study_report(study, trial, 1, MANY, steps, &end, &error));
        tell(study, trial, 1);
    }
    trial = ask(study, NULL);
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
    uint64_t trial = ask(study, NULL), before = stamp(), after;
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

/* Two trials that decide how a decision is made: poor ones once the rule has its curves. */
static void ended_or_kept(void **state) {
    (void)state;
    for (int i = 0; i < FEW; i++) assert_int_equal(evaluate(study, 1 + 0.02 * i), 0);
    uint64_t kept = 0, ended = 0;
    for (uint64_t trial = FEW + 1; trial <= 45; trial++) {
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
    assert_true(e.could_end == 35 && e.ended == ended && e.kept == kept && e.kept_beat == 0 && e.resolved == 45);
    check_close(e.tau, TAU - 0.1 * 0.05 * 45, 1e-12, 0); /* rounding of the steps */
    check_same(e.estimate, 0);
    check_close(e.bound, 0.05 + ((TAU - e.tau) / 0.1 + 10) / 45, 1e-12, 0);
    check_close(e.steps_saved, 9.0 * (double)ended, 1e-12, 0);
    check_close(e.steps, 10.0 * (double)(FEW + kept) + (double)ended, 1e-12, 0);
    locbo_census c = census_of(study);
    assert_true(c.state[LOCBO_PRUNED] == ended && c.state[LOCBO_COMPLETE] == FEW + kept && c.best_trial == 1);
    assert_true(c.since_best == 44 && c.failures_in_row == 0);
}

/* Steps that come one by one, and all at once, lead to the same decisions. */
static void one_by_one_or_all_at_once(void **state) {
    (void)state;
    locbo_study *s = make_study("b", LOCBO_PRUNE_RISK, LOCBO_MAXIMIZE);
    locbo_study *t = make_study("c", LOCBO_PRUNE_RISK, LOCBO_MAXIMIZE);
    draw d = draw_open(8, 8);
    uint64_t decided = 0;
    for (uint64_t k = 1; k <= 60; k++) {
        double final = -draw_exponential(&d), rate = 0.2 + draw_uniform(&d);
        locbo_step steps[STEPS];
        for (uint64_t i = 0; i < STEPS; i++)
            steps[i] = (locbo_step){3 * i + k % 3, i + 1 < STEPS ? final - 3 * exp(-rate * (double)i) : final};
        int one = 0, all;
        assert_true(ask(s, NULL) == k && ask(t, NULL) == k);
        for (size_t i = 0; i < STEPS && !one; i++) one = report_one(s, k, steps[i].step, steps[i].value);
        check_ok(locbo_study_report(t, k, 1, STEPS, steps, &all, &error));
        assert_int_equal(one, all);
        if (!one) tell(s, k, final);
        if (!all) tell(t, k, final);
        found a = look(s, k), b = look(t, k);
        assert_memory_equal(&a, &b, sizeof a);
        decided += a.decided != 0;
    }
    assert_true(decided > 20);
    check_same(ended_of(s).tau, ended_of(t).tau);
    locbo_study_close(s);
    locbo_study_close(t);
}

/* The first trial from `from` on that the coin keeps, or ends. */
static uint64_t next_coin(uint64_t from, int kept) {
    while (hopeless_is_kept(hopeless_coin(SEED, from)) != kept) from++;
    return from;
}

/* Complete trials without steps, up to this number. */
static void fill(locbo_study *s, uint64_t until) {
    while (census_of(s).trials < until) tell(s, ask(s, NULL), 5);
}

static void a_kept_one_is_never_ended(void **state) {
    (void)state;
    for (int i = 0; i < FEW; i++) evaluate(study, 1);
    uint64_t kept = next_coin(FEW + 1, 1);
    fill(study, kept - 1);
    assert_int_equal(ask(study, NULL), kept);
    assert_int_equal(report_one(study, kept, 1, 50), 0);
    assert_true(look(study, kept).decided);
    check_ok(locbo_study_requeue(study, kept, 1, LOCBO_REQUEUE_SAME, 0, &error));
    assert_int_equal(ask(study, NULL), kept);
    for (uint64_t t = 1; t < STEPS; t++) assert_int_equal(report_one(study, kept, t, 70), 0);
    assert_int_equal(look(study, kept).decision.attempt, 1);
    assert_int_equal(ended_of(study).outstanding, 1);
    tell(study, kept, 0.5); /* it beats its incumbent */
    locbo_ended e = ended_of(study);
    assert_true(e.kept_beat == 1 && e.resolved == FEW + 1 && e.outstanding == 0);
    check_close(e.tau, TAU - (FEW + 1) * 0.005 + 1, 1e-12, 0);
    check_close(e.estimate, 10.0 / (FEW + 1), 1e-12, 0);
}

static void ended_once(void **state) {
    (void)state;
    for (int i = 0; i < FEW; i++) evaluate(study, 1);
    uint64_t trial = next_coin(FEW + 1, 0);
    fill(study, trial - 1);
    assert_int_equal(ask(study, NULL), trial);
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
    for (int i = 0; i < FEW; i++) evaluate(study, 1);
    uint64_t trials[2], next = FEW + 1;
    for (int i = 0; i < 2; i++) {
        trials[i] = next_coin(next, 0);
        next = trials[i] + 1;
        fill(study, trials[i] - 1);
        assert_int_equal(ask(study, NULL), trials[i]);
        assert_int_equal(report_one(study, trials[i], 1, 50), 1);
    }
    assert_int_equal(ended_of(study).resolved, FEW + 2);
    check_ok(locbo_study_retract(study, trials[0], 0, "no", &error));
    assert_int_equal(look(study, trials[0]).state, LOCBO_RETRACTED);
    check_ok(locbo_study_fail(study, trials[1], LOCBO_STATE_FAILED, "no", &error));
    assert_int_equal(look(study, trials[1]).state, LOCBO_STATE_FAILED);
    locbo_ended e = ended_of(study);
    assert_true(e.could_end == 2 && e.ended == 0 && e.resolved == FEW);
    locbo_optimizer *o;
    check_ok(locbo_study_optimizer(study, &o, &error));
    /* and results, which the rule has seen: the incumbent is the next best */
    check_ok(locbo_study_retract(study, 1, 0, NULL, &error));
    assert_int_equal(ended_of(study).resolved, FEW - 1);
}

static void how_many_are_wanted(void **state) {
    (void)state;
    locbo_plan plan = {.struct_size = sizeof plan};
    for (int i = 0; i < FEW; i++) evaluate(study, 1);
    for (int i = 0; i < 10; i++) evaluate(study, 10);
    locbo_census c = census_of(study);
    assert_true(c.state[LOCBO_PRUNED] > 0);
    check_ok(locbo_study_plan(study, &plan, &error));
    plan.trials = FEW + 10;
    check_ok(locbo_study_set_plan(study, &plan, &error));
    assert_int_equal(locbo_study_end(study, &plan, &c), LOCBO_END_TRIALS);
    locbo_assignment a;
    double x[1];
    assert_int_equal(locbo_study_ask(study, NULL, &a, x, NULL), LOCBO_ERR_NOTHING);
    plan.trials = 0;
    plan.evaluations = FEW + 10;
    assert_int_equal(locbo_study_end(study, &plan, &c), LOCBO_END_EVALUATIONS);
    plan.evaluations = 0;
    plan.no_improvement = FEW + 9;
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

/* A plan with another rule: what was resolved before it does not count. */
static void from_now_on(void **state) {
    (void)state;
    locbo_plan plan = {.struct_size = sizeof plan};
    check_ok(locbo_study_plan(study, &plan, &error));
    plan.prune = LOCBO_PRUNE_NONE;
    check_ok(locbo_study_set_plan(study, &plan, &error));
    for (int i = 0; i < 8; i++) assert_int_equal(evaluate(study, i < 4 ? 1 : 10), 0);
    assert_true(ended_of(study).could_end == 0 && isnan(ended_of(study).tau));
    plan.prune = LOCBO_PRUNE_RISK;
    plan.prune_risk = 0.2;
    check_ok(locbo_study_set_plan(study, &plan, &error));
    assert_int_equal(ended_of(study).resolved, 0);
    check_same(ended_of(study).tau, TAU);
    evaluate(study, 10);
    plan.prune_risk = 0.1; /* the same rule: all that it has resolved counts, by the present delta */
    check_ok(locbo_study_set_plan(study, &plan, &error));
    assert_int_equal(ended_of(study).resolved, 1);
    check_close(ended_of(study).tau, TAU - 0.01, 1e-15, 0);
    const double bad[] = {0, 1, -0.5, (double)NAN, (double)INFINITY};
    for (int i = 0; i < 5; i++) {
        plan.prune_risk = bad[i];
        assert_int_equal(locbo_study_set_plan(study, &plan, NULL), LOCBO_ERR_ARGUMENT);
    }
    plan.prune_risk = 0.1;
    plan.prune = LOCBO_PRUNES;
    assert_int_equal(locbo_study_set_plan(study, &plan, NULL), LOCBO_ERR_ARGUMENT);
    assert_string_equal(locbo_prune_name(LOCBO_PRUNE_RISK), "risk");
    assert_string_equal(locbo_prune_name((locbo_prune)9), "unknown");
}

/* ---- the other rules --------------------------------------------------------------------------- */

static void by_the_median(void **state) {
    (void)state;
    locbo_study *s = make_study("m", LOCBO_PRUNE_MEDIAN, LOCBO_MAXIMIZE);
    const double finals[] = {1, 2, 3, 4, 5};
    for (int i = 0; i < 5; i++) {
        uint64_t trial = ask(s, NULL);
        for (uint64_t t = 1; t <= 4; t++) assert_int_equal(report_one(s, trial, t, finals[i]), 0);
        tell(s, trial, finals[i]);
    }
    uint64_t trial = ask(s, NULL);
    assert_int_equal(report_one(s, trial, 1, 3.5), 0);
    locbo_store *other = own_store_again(LOCBO_STORE_EXISTING); /* another process knows nothing of the first step */
    locbo_study *again;
    check_ok(locbo_study_open(&again, other, "m", &error));
    assert_int_equal(report_one(again, trial, 2, 1), 0); /* its best so far is better than the median */
    assert_int_equal(report_one(s, trial, 3, 1), 0);
    assert_int_equal(report_one(s, trial, 4, 1), 0); /* the last step */
    trial = ask(s, NULL);
    assert_int_equal(report_one(again, trial, 1, 2.5), 1);
    found f = look(s, trial);
    assert_true(f.state == LOCBO_PRUNED && f.decision.rule == LOCBO_PRUNE_MEDIAN && isnan(f.decision.coin));
    check_same(f.decision.expected, 2.5);
    check_same(f.decision.incumbent, 5);
    assert_true(ended_of(s).ended == 1 && isnan(ended_of(s).tau));
    locbo_study_close(again);
    locbo_store_close(other);
    locbo_study_close(s);
}

static void by_halving(void **state) {
    (void)state;
    locbo_study *s = make_study("h", LOCBO_PRUNE_HALVING, LOCBO_MINIMIZE);
    uint64_t trials[4];
    for (int i = 0; i < 4; i++) trials[i] = ask(s, NULL);
    assert_int_equal(report_one(s, trials[0], 2, 5), 0); /* rungs 2, 6, 18 ... */
    assert_int_equal(report_one(s, trials[1], 2, 4), 0);
    assert_int_equal(report_one(s, trials[2], 2, 4.5), 1); /* of three only the best goes on */
    assert_int_equal(report_one(s, trials[3], 2, 3), 0);
    assert_int_equal(report_one(s, trials[0], 5, 9), 0); /* no rung */
    assert_int_equal(report_one(s, trials[0], 7, 3), 0); /* one, and nobody else is there */
    assert_int_equal(report_one(s, trials[1], 6, 3), 0);
    assert_int_equal(report_one(s, trials[3], 8, 3.5), 1);
    found f = look(s, trials[3]);
    assert_true(f.decision.rule == LOCBO_PRUNE_HALVING && f.decision.step == 8 && isnan(f.decision.expected));
    tell(s, trials[0], 3);
    tell(s, trials[1], 3);
    for (int i = 0; i < 3; i++) { /* rung 18 would be the last step of those that are complete: nothing to save */
        uint64_t trial = ask(s, NULL);
        assert_int_equal(report_one(s, trial, 1, 9), 0);
        assert_int_equal(report_one(s, trial, 7, 1), 0);
        assert_int_equal(report_one(s, trial, 18, 9), 0);
        tell(s, trial, 9);
    }
    locbo_study_close(s);
}

/* ---- what the incumbent is --------------------------------------------------------------------- */

static locbo_study *make_with_outputs(const char *name, locbo_goal second, double bound, locbo_prune rule,
                                      locbo_status expected) {
    locbo_space *space;
    locbo_outputs *outputs;
    locbo_options options;
    locbo_plan plan;
    locbo_study *made = NULL;
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_real(space, "x", 0, 1, LOCBO_LINEAR, &error));
    check_ok(locbo_outputs_create(&outputs, &error));
    locbo_output_spec specs[2];
    for (int i = 0; i < 2; i++) specs[i] = (locbo_output_spec){.struct_size = sizeof *specs};
    specs[0].name = "loss";
    specs[1].name = "other";
    specs[1].goal = second;
    specs[1].bound = bound;
    for (int i = 0; i < 2; i++) check_ok(locbo_outputs_add(outputs, &specs[i], &error));
    locbo_options_init(&options);
    options.method = LOCBO_METHOD_RANDOM;
    options.seed = SEED;
    locbo_plan_init(&plan);
    plan.prune = rule;
    locbo_definition d = {.struct_size = sizeof d, .space = space, .options = &options, .outputs = outputs};
    assert_int_equal(locbo_study_create(&made, own_store, name, &d, &plan, NULL), expected);
    locbo_space_destroy(space);
    locbo_outputs_destroy(outputs);
    return made;
}

static void with_constraints(void **state) {
    (void)state;
    locbo_study *s = make_with_outputs("c", LOCBO_GOAL_AT_MOST, 1, LOCBO_PRUNE_RISK, LOCBO_OK);
    for (int i = 0; i < FEW; i++) { /* the best ones do not keep to the constraint */
        uint64_t trial = ask(s, NULL);
        for (uint64_t t = 1; t <= STEPS; t++) assert_int_equal(report_one(s, trial, t, curve_at(i, t)), 0);
        const locbo_measurement m[] = {{i, (double)NAN, 1}, {i < 3 ? 2 : 0, (double)NAN, 1}};
        check_ok(locbo_study_tell(s, trial, 0, 1, m, &error));
    }
    uint64_t trial = ask(s, NULL);
    report_one(s, trial, 1, 100);
    check_same(look(s, trial).decision.incumbent, 3);
    locbo_study_close(s);
}

static void several_objectives(void **state) {
    (void)state;
    make_with_outputs("two", LOCBO_GOAL_MINIMIZE, 0, LOCBO_PRUNE_RISK, LOCBO_ERR_ARGUMENT);
    locbo_study *s = make_with_outputs("two", LOCBO_GOAL_MINIMIZE, 0, LOCBO_PRUNE_NONE, LOCBO_OK);
    uint64_t trial = ask(s, NULL);
    assert_int_equal(report_one(s, trial, 1, 100), 0);
    assert_int_equal(curves_of(s, trial).count, 1);
    assert_int_equal(ended_of(s).could_end, 0);
    locbo_study_close(s);
}

/* A better value outside the present space is no incumbent; and who has not read the alteration ends nothing. */
static void in_an_altered_study(void **state) {
    (void)state;
    locbo_store *other = own_store_again(LOCBO_STORE_EXISTING);
    locbo_study *again;
    locbo_space *space;
    const locbo_measurement good = {-5, (double)NAN, 1};
    check_ok(locbo_study_import(study, 1, (double[]){0.9}, &good, NULL, &error));
    for (int i = 0; i < FEW; i++) {
        uint64_t trial;
        check_ok(locbo_study_enqueue(study, (double[]){0.1}, &trial, &error));
        evaluate(study, 1);
    }
    check_ok(locbo_study_open(&again, other, "a", &error));
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_real(space, "x", 0, 0.5, LOCBO_LINEAR, &error));
    locbo_definition d = {.struct_size = sizeof d};
    check_ok(locbo_study_definition(study, &d, &error));
    d.space = space;
    check_ok(locbo_study_alter(study, &d, NULL, NULL, 0, NULL, &error));
    locbo_space_destroy(space);
    uint64_t trial = ask(study, NULL);
    assert_int_equal(report_one(again, trial, 1, 50), 0);
    assert_false(look(study, trial).decided);
    report_one(study, trial, 2, 50);
    check_same(look(study, trial).decision.incumbent, 1);
    locbo_study_close(again);
    locbo_store_close(other);
}

/* ---- replay, copy, transfer -------------------------------------------------------------------- */

/* A study with everything: complete, ended, kept, late, failed, running ones, several attempts. */
static void play(locbo_study *s) {
    draw d = draw_open(3, 1);
    for (int i = 0; i < 30; i++) evaluate(s, 1 + 3 * draw_uniform(&d));
    uint64_t trial = ask(s, NULL);
    report_one(s, trial, 1, 1);
    check_ok(locbo_study_requeue(s, trial, 1, LOCBO_REQUEUE_SAME, 0, &error));
    ask(s, NULL);
    report_one(s, trial, 1, 1.5);
    check_ok(locbo_study_tell_failed(s, trial, 2, "broke", &error));
    for (uint64_t k = 1; k <= 30; k++)
        if (look(s, k).state == LOCBO_PRUNED) {
            tell(s, k, 2.5);
            break;
        }
    report_one(s, ask(s, NULL), 1, 1);
}

static char *state_of(locbo_study *s) {
    locbo_optimizer *o;
    char *text;
    check_ok(locbo_study_optimizer(s, &o, &error));
    check_ok(locbo_optimizer_save(o, &text, NULL, &error));
    return text;
}

static void check_same_study(locbo_study *a, locbo_study *b) {
    char *p = state_of(a), *q = state_of(b);
    locbo_ended e = ended_of(a), f = ended_of(b);
    drawn c = curves_of(a, 0), d = curves_of(b, 0);
    assert_string_equal(p, q);
    locbo_free(p);
    locbo_free(q);
    assert_memory_equal(&e, &f, sizeof e);
    assert_memory_equal(&c, &d, sizeof c);
    for (uint64_t k = 1; k <= census_of(a).trials; k++) {
        found x = look(a, k), y = look(b, k);
        if (x.state == LOCBO_RUNNING) x.state = LOCBO_WAITING;
        if (y.state == LOCBO_RUNNING) y.state = LOCBO_WAITING;
        assert_memory_equal(&x, &y, sizeof x);
    }
}

static void a_copy_goes_on_alike(void **state) {
    (void)state;
    char url[128];
    locbo_store *other;
    locbo_study *copy, *here;
    play(study);
    assert_true(census_of(study).state[LOCBO_PRUNED] > 3);
    snprintf(url, sizeof url, "sqlite:%s/other.db", own_folder);
    check_ok(locbo_store_open(&other, url, LOCBO_STORE_CREATE, &error));
    check_ok(locbo_study_copy(&copy, study, other, "a", 1, &error));
    check_ok(locbo_study_copy(&here, study, own_store, "b", 1, &error));
    check_same_study(study, copy);
    check_same_study(study, here);
    /* the one that runs waits in the copy: give it the same end in both */
    uint64_t open = census_of(study).trials;
    tell(study, open, 2);
    assert_int_equal(ask(copy, NULL), open);
    tell(copy, open, 2);
    draw d = draw_open(4, 1);
    for (int i = 0; i < 30; i++) {
        double final = 1 + 2 * draw_uniform(&d);
        assert_int_equal(evaluate(study, final), evaluate(copy, final));
        found x = look(study, open + 1 + (uint64_t)i), y = look(copy, open + 1 + (uint64_t)i);
        assert_memory_equal(&x.decision.value, &y.decision.value, 4 * sizeof(double)); /* not the event number */
    }
    /* a study that was opened just now knows the same as one that has followed */
    locbo_study *fresh;
    check_ok(locbo_study_open(&fresh, own_store, "a", &error));
    check_same_study(study, fresh);
    locbo_study_close(fresh);
    locbo_study_close(here);
    locbo_study_close(copy);
    locbo_store_close(other);
}

/* What a study gave, with memory of its own. */
typedef struct contents {
    size_t records, curves;
    locbo_record record[64];
    double x[64];
    locbo_measurement m[64];
    uint64_t sequence[64];
    locbo_decision decision[64];
    locbo_curve curve[64];
    locbo_step step[64][STEPS];
} contents;

static int take_record(const locbo_record *r, void *user) {
    contents *c = user;
    size_t i = c->records++;
    locbo_record *to = &c->record[i];
    *to = *r;
    c->x[i] = r->x[0];
    to->x = &c->x[i];
    if (r->count) c->m[i] = r->measurements[0], c->sequence[i] = r->sequence[0];
    to->measurements = &c->m[i];
    to->sequence = &c->sequence[i];
    to->told = NULL;
    if (r->decision) {
        c->decision[i] = *r->decision;
        to->decision = &c->decision[i];
    }
    to->worker = to->message = to->note = to->tags = "";
    to->pending = "[]";
    return 0;
}

static int keep_curve(const locbo_curve *from, void *user) {
    contents *c = user;
    size_t i = c->curves++;
    c->curve[i] = *from;
    memcpy(c->step[i], from->steps, from->count * sizeof *from->steps);
    c->curve[i].steps = c->step[i];
    return 0;
}

static void out_and_in_again(void **state) {
    (void)state;
    static contents c;
    locbo_definition d = {.struct_size = sizeof d};
    locbo_plan plan = {.struct_size = sizeof plan};
    locbo_study *made = NULL;
    memset(&c, 0, sizeof c);
    play(study);
    check_ok(locbo_study_each(study, NULL, take_record, &c, &error));
    check_ok(locbo_study_each_curve(study, 0, keep_curve, &c, &error));
    check_ok(locbo_study_definition(study, &d, &error));
    check_ok(locbo_study_plan(study, &plan, &error));
    locbo_contents in = {.record_count = c.records, .records = c.record, .curve_count = c.curves, .curves = c.curve};
    check_ok(locbo_study_create_from(&made, own_store, "b", &d, &plan, &in, &error));
    check_same_study(study, made);
    locbo_study_close(made);
    /* what cannot be is refused */
    locbo_curve *first = &c.curve[0], good = *first;
    const locbo_curve bad[] = {
        {0, 1, 1, good.steps}, {99, 1, 1, good.steps}, {1, 0, 1, good.steps}, {1, 1, 1, NULL}, {5, 1, 1, good.steps}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        *first = bad[i];
        assert_int_equal(locbo_study_create_from(&made, own_store, "c", &d, &plan, &in, NULL), LOCBO_ERR_ARGUMENT);
    }
    *first = good;
    locbo_step *step = &c.step[0][1], was = *step;
    const locbo_step wrong[] = {{1, 1}, {2, (double)NAN}, {2, (double)INFINITY}, {UINT64_MAX, 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        *step = wrong[i];
        assert_int_equal(locbo_study_create_from(&made, own_store, "c", &d, &plan, &in, NULL), LOCBO_ERR_ARGUMENT);
    }
    *step = was;
    size_t k = 0;
    while (c.record[k].state != LOCBO_PRUNED) k++;
    locbo_decision *decision = &c.decision[k], right = *decision;
    decision->rule = LOCBO_PRUNE_NONE;
    assert_int_equal(locbo_study_create_from(&made, own_store, "c", &d, &plan, &in, NULL), LOCBO_ERR_ARGUMENT);
    *decision = right;
    decision->coin = 2;
    assert_int_equal(locbo_study_create_from(&made, own_store, "c", &d, &plan, &in, NULL), LOCBO_ERR_ARGUMENT);
    *decision = right;
    c.record[k].failure = 0;
    assert_int_equal(locbo_study_create_from(&made, own_store, "c", &d, &plan, &in, NULL), LOCBO_ERR_ARGUMENT);
}

/* ---- the model --------------------------------------------------------------------------------- */

static locbo_study *make_modelled(const char *name, int fidelity) {
    locbo_space *space;
    locbo_options options;
    locbo_plan plan;
    locbo_study *made;
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_real(space, "x", 0, 1, LOCBO_LINEAR, &error));
    const locbo_parameter_spec epochs = {
        .struct_size = sizeof epochs, .name = "epochs", .kind = LOCBO_INT, .low = 1, .high = STEPS, .fidelity = 1};
    if (fidelity) check_ok(locbo_space_add(space, &epochs, &error));
    locbo_options_init(&options);
    options.initial = 3;
    options.seed = SEED;
    locbo_plan_init(&plan);
    plan.prune = LOCBO_PRUNE_RISK;
    locbo_definition d = {.struct_size = sizeof d, .space = space, .options = &options};
    check_ok(locbo_study_create(&made, own_store, name, &d, &plan, &error));
    locbo_space_destroy(space);
    return made;
}

/* What a study gives an optimizer: trials, and in the order of their events results and ended ones. */
typedef struct fact {
    uint64_t event, trial;
    locbo_measurement m;
    int ended;
    double x[2]; /* where it is known */
} fact;

typedef struct facts {
    size_t trials, count;
    locbo_trial trial[64];
    double x[64][2];
    fact fact[64];
} facts;

static int take_fact(const locbo_record *r, void *user) {
    facts *f = user;
    size_t i = f->trials++;
    f->trial[i] = r->trial;
    f->x[i][0] = r->x[0];
    f->x[i][1] = r->x[1];
    if (r->count > 0) f->fact[f->count++] = (fact){r->sequence[0], r->trial.id, r->measurements[0], 0, {0}};
    if (r->state != LOCBO_PRUNED) return 0;
    const locbo_decision *d = r->decision;
    f->fact[f->count++] = (fact){r->failure, r->trial.id, {d->expected, d->expected_sd, 1}, 1, {r->x[0], 0}};
    return 0;
}

static int by_event(const void *a, const void *b) {
    const fact *p = a, *q = b;
    return p->event < q->event ? -1 : 1;
}

/* The optimizer of a study is the one that was told the same directly, and the next proposal too. */
static void the_model_is_told(void **state) {
    (void)state;
    locbo_study *s = make_modelled("model", 0);
    draw d = draw_open(2, 2);
    static facts f;
    locbo_optimizer *direct, *replayed;
    locbo_definition what = {.struct_size = sizeof what};
    memset(&f, 0, sizeof f);
    for (int i = 0; i < FEW; i++) evaluate(s, 1 + 0.3 * draw_uniform(&d));
    for (int i = 0; i < 12; i++) evaluate(s, 2 + 2 * draw_uniform(&d)); /* rough curves would be better still */
    locbo_census c = census_of(s);
    assert_true(c.state[LOCBO_PRUNED] > 4);
    check_ok(locbo_study_each(s, NULL, take_fact, &f, &error));
    qsort(f.fact, f.count, sizeof *f.fact, by_event);
    check_ok(locbo_study_definition(s, &what, &error));
    check_ok(locbo_optimizer_create(&direct, what.space, what.options, &error));
    for (size_t i = 0; i < f.trials; i++) check_ok(locbo_optimizer_restore_trial(direct, &f.trial[i], f.x[i], &error));
    for (size_t i = 0; i < f.count; i++) {
        if (!(f.fact[i].m.sd > 0)) f.fact[i].m.sd = (double)NAN;
        if (f.fact[i].ended)
            check_ok(locbo_optimizer_tell_ended(direct, f.fact[i].trial, NULL, &f.fact[i].m, &error));
        else
            check_ok(locbo_optimizer_tell(direct, f.fact[i].trial, &f.fact[i].m, &error));
    }
    check_ok(locbo_study_optimizer(s, &replayed, &error));
    locbo_summary a, b;
    check_ok(locbo_optimizer_summary(direct, &a, &error));
    check_ok(locbo_optimizer_summary(replayed, &b, &error));
    assert_int_equal(a.told, b.told);
    locbo_trial_state at;
    for (size_t i = 0; i < f.count; i++) {
        check_ok(locbo_optimizer_trial(replayed, f.fact[i].trial, NULL, &at, NULL, &error));
        assert_int_equal(at, f.fact[i].ended ? LOCBO_TRIAL_ENDED : LOCBO_TRIAL_TOLD);
    }
    locbo_optimizer_destroy(direct);
    /* taken back, failed after all, told late: the study can be read and asked afterwards */
    uint64_t ended[3];
    size_t k = 0;
    for (size_t i = 0; i < f.count && k < 3; i++)
        if (f.fact[i].ended) ended[k++] = f.fact[i].trial;
    check_ok(locbo_study_retract(s, ended[0], 0, NULL, &error));
    check_ok(locbo_study_optimizer(s, &replayed, &error));
    check_ok(locbo_study_fail(s, ended[1], LOCBO_STATE_FAILED, NULL, &error));
    check_ok(locbo_study_optimizer(s, &replayed, &error));
    tell(s, ended[2], 3);
    check_ok(locbo_study_optimizer(s, &replayed, &error));
    check_ok(locbo_study_retract(s, 2, 0, NULL, &error));
    evaluate(s, 1.2);
    locbo_study *copy;
    check_ok(locbo_study_copy(&copy, s, own_store, "copy", 1, &error));
    char *p = state_of(s), *q = state_of(copy);
    assert_string_equal(p, q);
    locbo_free(p);
    locbo_free(q);
    locbo_study_close(copy);
    locbo_study_close(s);
}

/* With a fidelity parameter the last value is a measurement at its step; low fidelity is never ended. */
static void with_a_fidelity(void **state) {
    (void)state;
    locbo_study *s = make_modelled("fidelity", 1);
    uint64_t trial;
    for (int i = 0; i < FEW + 2; i++) { /* the last two are low: their values are no incumbents */
        check_ok(locbo_study_enqueue(s, (double[]){0.05 * i, i < FEW ? STEPS : 3}, &trial, &error));
        assert_int_equal(ask(s, NULL), trial);
        for (uint64_t t = 1; t <= (i < FEW ? STEPS : 3); t++)
            assert_int_equal(report_one(s, trial, t, curve_at(i < FEW ? 1 : -5, t)), 0);
        tell(s, trial, i < FEW ? 1 : -5);
    }
    check_ok(locbo_study_enqueue(s, (double[]){0.7, 3}, &trial, &error));
    assert_int_equal(ask(s, NULL), trial);
    assert_int_equal(report_one(s, trial, 1, 50), 0);
    assert_false(look(s, trial).decided);
    tell(s, trial, 50);
    do { /* until the coin does not keep one */
        check_ok(locbo_study_enqueue(s, (double[]){0.8, STEPS}, &trial, &error));
        assert_int_equal(ask(s, NULL), trial);
        report_one(s, trial, 1, curve_at(1, 1));
        report_one(s, trial, 2, 50);
        check_same(look(s, trial).decision.incumbent, 1);
    } while (look(s, trial).state != LOCBO_PRUNED);
    locbo_optimizer *o;
    locbo_trial_state at;
    check_ok(locbo_study_optimizer(s, &o, &error));
    check_ok(locbo_optimizer_trial(o, trial, NULL, &at, NULL, &error));
    assert_int_equal(at, LOCBO_TRIAL_ENDED);
    char *text;
    check_ok(locbo_optimizer_save(o, &text, NULL, &error));
    assert_non_null(strstr(text, "\"ended\""));
    locbo_free(text);
    locbo_study_close(s);
}

/* ---- several processes ------------------------------------------------------------------------- */

static locbo_study *open_again(const char *name) {
    locbo_study *s = NULL;
    locbo_store *store = NULL;
    locbo_error error = {LOCBO_OK, ""};
    if (locbo_store_open(&store, own_url, LOCBO_STORE_EXISTING, &error) != LOCBO_OK ||
        locbo_study_open(&s, store, name, &error) != LOCBO_OK) {
        fprintf(stderr, "child: %s\n", error.message);
        _exit(1);
    }
    return s;
}

/* Evaluates trials until it is killed. */
static void work_for_ever(uint64_t seed) {
    locbo_study *s = open_again("a");
    draw d = draw_open(seed, 2);
    for (;;) {
        locbo_assignment a;
        double x[1], final = 1 + 9 * draw_uniform(&d);
        int end = 0;
        if (locbo_study_ask(s, NULL, &a, x, NULL) != LOCBO_OK) _exit(1);
        for (uint64_t t = 1; t <= STEPS && !end; t++)
            if (locbo_study_report(s, a.trial, a.attempt, 1, &(locbo_step){t, curve_at(final, t)}, &end, NULL) !=
                LOCBO_OK)
                _exit(1);
        locbo_measurement m = {final, (double)NAN, 1};
        if (!end && locbo_study_tell(s, a.trial, a.attempt, 1, &m, NULL) != LOCBO_OK) _exit(1);
    }
}

static pid_t start(void (*work)(uint64_t), uint64_t seed) {
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        work(seed);
        _exit(0);
    }
    return pid;
}

typedef struct tally {
    uint64_t pruned, ended_event, open;
} tally;

static int check_record(const locbo_record *r, void *user) {
    tally *t = user;
    int ended = r->decision && r->decision->event > 0;
    assert_true((r->state == LOCBO_PRUNED) == ended);
    if (ended) assert_true(r->decision->event == r->failure && !hopeless_is_kept(r->decision->coin));
    if (r->decision && !ended) assert_true(hopeless_is_kept(r->decision->coin));
    t->pruned += ended;
    t->open += r->state == LOCBO_RUNNING;
    return 0;
}

/* Wherever a process is killed, a trial is ended with its decision, or neither. */
static void killed(void **state) {
    (void)state;
    enum { ROUNDS = 12, MOST = 120 }; /* on a slow machine more, and longer ones, until a trial was ended */
    draw d = draw_open(6, 6);
    for (int i = 0; i < 6; i++) evaluate(study, 1);
    for (uint64_t round = 0; round < ROUNDS || (round < MOST && census_of(study).state[LOCBO_PRUNED] == 0); round++) {
        pid_t pids[2];
        int ended;
        for (uint64_t k = 0; k < 2; k++) pids[k] = start(work_for_ever, 2 * round + k);
        usleep((useconds_t)((double)(1 + round / ROUNDS) * (40000 + 60000 * draw_uniform(&d))));
        for (int k = 0; k < 2; k++) kill(pids[k], SIGKILL);
        for (int k = 0; k < 2; k++) {
            waitpid(pids[k], &ended, 0);
            assert_true(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGKILL);
        }
    }
    tally t = {0};
    check_ok(locbo_study_each(study, NULL, check_record, &t, &error));
    locbo_census c = census_of(study);
    assert_true(t.pruned > 0 && c.state[LOCBO_PRUNED] == t.pruned);
    assert_int_equal(c.events, c.measurements + t.pruned); /* every event number is there once */
    assert_int_equal(ended_of(study).ended, t.pruned);
    print_message("%" PRIu64 " ended, %" PRIu64 " complete, %" PRIu64 " left running\n", t.pruned, c.measurements,
                  t.open);
}

static uint64_t shared_trial;

static void report_all(uint64_t seed) {
    locbo_study *s = open_again("n");
    int end;
    for (uint64_t t = 1; t <= 150; t++)
        if (locbo_study_report(s, shared_trial, 1, 1, &(locbo_step){2 * t + seed, (double)t}, &end, NULL) != LOCBO_OK)
            _exit(1);
}

/* Two processes that report the same attempt at once: each step is there once, in order. */
static void two_at_once(void **state) {
    (void)state;
    locbo_study *s = make_study("n", LOCBO_PRUNE_RISK, LOCBO_MINIMIZE);
    shared_trial = ask(s, NULL);
    pid_t pids[2];
    int ended;
    for (uint64_t k = 0; k < 2; k++) pids[k] = start(report_all, k);
    for (int k = 0; k < 2; k++) {
        waitpid(pids[k], &ended, 0);
        assert_true(WIFEXITED(ended) && WEXITSTATUS(ended) == 0);
    }
    drawn d = curves_of(s, shared_trial); /* take_curve checks the order */
    assert_true(d.count >= 150 && d.count <= 300);
    locbo_study_close(s);
}

/* ---- cost -------------------------------------------------------------------------------------- */

/* A study of thousands of complete curves. */
static locbo_study *make_large(const char *name, size_t trials, size_t steps) {
    locbo_definition d = {.struct_size = sizeof d};
    locbo_plan plan = {.struct_size = sizeof plan};
    locbo_study *made;
    locbo_record *records = calloc(trials, sizeof *records);
    locbo_curve *curves = calloc(trials, sizeof *curves);
    locbo_step *all = calloc(trials * steps, sizeof *all);
    locbo_measurement *m = calloc(trials, sizeof *m);
    uint64_t *sequence = calloc(trials, sizeof *sequence);
    const double x = 0.5, none = (double)NAN;
    for (size_t i = 0; i < trials; i++) {
        m[i] = (locbo_measurement){1 + (double)(i % 7), none, 1};
        sequence[i] = i + 1;
        records[i] = (locbo_record){.trial = {.id = i + 1},
                                    .state = LOCBO_COMPLETE,
                                    .x = &x,
                                    .count = 1,
                                    .measurements = &m[i],
                                    .sequence = &sequence[i],
                                    .attempt = 1,
                                    .asked = none,
                                    .started = none,
                                    .ended = none};
        curves[i] = (locbo_curve){i + 1, 1, steps, all + i * steps};
        for (size_t t = 0; t < steps; t++)
            all[i * steps + t] = (locbo_step){t + 1, m[i].value + 2 * exp(-(double)t / 20)};
    }
    check_ok(locbo_study_definition(study, &d, &error));
    check_ok(locbo_study_plan(study, &plan, &error));
    locbo_contents in = {.record_count = trials, .records = records, .curve_count = trials, .curves = curves};
    check_ok(locbo_study_create_from(&made, own_store, name, &d, &plan, &in, &error));
    free(records);
    free(curves);
    free(all);
    free(m);
    free(sequence);
    return made;
}

/* The times are shown; what is checked is far above them, for loaded machines. */
static void in_a_large_study(void **state) {
    (void)state;
    enum { REPORTS = 100, EVENTS = 20 };
    locbo_study *s = make_large("large", 3000, 100);
    uint64_t trial = ask(s, NULL);
    double begin = clock_now();
    report_one(s, trial, 1, 0.5); /* better than all: it goes on */
    double first = clock_now() - begin, with_events = 0;
    begin = clock_now();
    for (uint64_t t = 2; t < 2 + REPORTS; t++) report_one(s, trial, t, 0.5);
    double each = (clock_now() - begin) / REPORTS;
    begin = clock_now();
    for (int i = 0; i < REPORTS; i++) check_ok(locbo_study_beat(s, trial, 1, 1000, &error));
    double beat = (clock_now() - begin) / REPORTS;
    locbo_store *other = own_store_again(LOCBO_STORE_EXISTING);
    locbo_study *again;
    check_ok(locbo_study_open(&again, other, "large", &error));
    for (uint64_t t = 0; t < EVENTS; t++) { /* another process completes trials */
        uint64_t done = ask(again, NULL);
        for (uint64_t k = 1; k < 100; k += 10) report_one(again, done, k, 1);
        tell(again, done, 1);
        begin = clock_now();
        report_one(s, trial, 200 + t, 0.5);
        with_events += (clock_now() - begin) / EVENTS;
    }
    print_message("3000 complete trials of 100 steps: the first report takes %.1f ms, the next %.2f ms, one after an"
                  " event %.2f ms; a heartbeat %.2f ms\n",
                  1e3 * first, 1e3 * each, 1e3 * with_events, 1e3 * beat);
    assert_true(each < 0.2 && with_events < 0.3 && first < 5);
    locbo_study_close(again);
    locbo_store_close(other);
    locbo_study_close(s);
}

#define with_scene(test) cmocka_unit_test_setup_teardown(test, open_scene, own_study_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        with_scene(what_is_stored),
        with_scene(who_may_report),
        with_scene(one_hundred_thousand),
        with_scene(the_pulse_sees_steps),
        with_scene(ended_or_kept),
        with_scene(one_by_one_or_all_at_once),
        with_scene(a_kept_one_is_never_ended),
        with_scene(ended_once),
        with_scene(taken_back),
        with_scene(how_many_are_wanted),
        with_scene(from_now_on),
        with_scene(by_the_median),
        with_scene(by_halving),
        with_scene(with_constraints),
        with_scene(several_objectives),
        with_scene(in_an_altered_study),
        with_scene(a_copy_goes_on_alike),
        with_scene(out_and_in_again),
        with_scene(the_model_is_told),
        with_scene(with_a_fidelity),
        with_scene(killed),
        with_scene(two_at_once),
        with_scene(in_a_large_study),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
