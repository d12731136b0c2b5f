/* What the views say of evaluations that report steps, against what the study's own functions say of them. */
#include "fixture.h"

static void set_rule(locbo_study *s, locbo_prune rule) {
    locbo_plan plan = {.struct_size = sizeof plan};
    check_ok(locbo_study_plan(s, &plan, &error));
    plan.prune = rule;
    check_ok(locbo_study_set_plan(s, &plan, &error));
}

static int report(locbo_study *s, uint64_t trial, uint64_t step, double value) {
    int end;
    check_ok(locbo_study_report(s, trial, 0, 1, &(locbo_step){step, value}, &end, &error));
    return end;
}

/* An evaluation of `steps` steps whose value falls to `last`; 1: it was ended early. */
static int evaluate(locbo_study *s, uint64_t steps, double last) {
    double x[4];
    uint64_t trial = fixture_ask(s, "me", x);
    for (uint64_t i = 1; i <= steps; i++)
        if (report(s, trial, i, last + exp(-(double)i / 4))) return 1;
    fixture_tell(s, trial, last);
    return 0;
}

static size_t length(json_t *a, const char *path) { return json_array_size(fixture_at(a, path)); }

/* The row of a trial among the curves; NULL: it is not shown. */
static json_t *find_curve(json_t *a, uint64_t trial) {
    size_t i;
    json_t *row;
    json_array_foreach(json_object_get(a, "curves"), i, row) {
        if (fixture_count(row, "trial") == (json_int_t)trial) return row;
    }
    return NULL;
}

/* ---- without ----------------------------------------------------------------------------------- */

static void without_steps_there_is_nothing(void **state) {
    (void)state;
    draw r = draw_open(1, 1);
    locbo_study *s = fixture_study("a", NULL);
    cache *c = fixture_cache("a");
    fixture_play(s, 3, &r);
    json_t *a = fixture_answer(c, "curves", NULL);
    assert_non_null(strstr(fixture_text(a, "nothing"), "no evaluation has reported steps"));
    json_decref(a);
    static const struct {
        const char *view, *key, *number;
    } without[] = {{"definition", "curves", NULL}, {"overview", "ended", NULL}, {"trial", "curves", "2"}};
    for (size_t i = 0; i < 3; i++) {
        a = fixture_answer(c, without[i].view, without[i].number ? "number" : NULL, without[i].number, NULL);
        assert_null(fixture_at(a, without[i].key));
        assert_null(fixture_at(a, "decision"));
        json_decref(a);
    }
    set_rule(s, LOCBO_PRUNE_RISK); /* a rule is worth an account before the first step */
    a = fixture_answer(c, "overview", NULL);
    assert_string_equal(fixture_text(a, "ended.rule"), "risk");
    check_same(fixture_real(a, "ended.target"), 0.05);
    assert_int_equal(fixture_count(a, "ended.ended"), 0);
    json_decref(a);
    cache_close(c);
    locbo_study_close(s);
}

static void wrong_numbers_of_curves_are_refused(void **state) {
    (void)state;
    locbo_study *s = fixture_study("a", NULL);
    cache *c = fixture_cache("a");
    json_t *a = NULL;
    static const char *const wrong[] = {"9", "2001", "x", ""};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        const query_item item = {"curves", wrong[i]};
        check_fails(view_answer(view_find("curves"), c, &(query){1, &item}, &a, &error), LOCBO_ERR_ARGUMENT,
                    "from 10 to 2000");
    }
    cache_close(c);
    locbo_study_close(s);
}

/* ---- facts ------------------------------------------------------------------------------------- */

typedef struct comparing {
    json_t *answer;
    size_t curves, ended, kept;
} comparing;

static int compare_curve(const locbo_curve *curve, void *user) {
    comparing *q = user;
    json_t *row = find_curve(q->answer, curve->trial);
    assert_non_null(row);
    q->curves++;
    assert_int_equal(fixture_count(row, "attempt"), curve->attempt);
    assert_int_equal(fixture_count(row, "steps"), curve->count);
    assert_int_equal(length(row, "step"), curve->count);
    assert_int_equal(length(row, "value"), curve->count);
    for (size_t i = 0; i < curve->count; i++) {
        assert_int_equal(json_integer_value(json_array_get(json_object_get(row, "step"), i)), curve->steps[i].step);
        check_same(json_real_value(json_array_get(json_object_get(row, "value"), i)), curve->steps[i].value);
    }
    return 0;
}

static int compare_record(const locbo_record *r, void *user) {
    comparing *q = user;
    json_t *row = find_curve(q->answer, r->trial.id);
    const locbo_decision *d = r->decision;
    assert_string_equal(fixture_text(row, "state"), locbo_state_name(r->state));
    check_same(fixture_real(row, "result"), r->value);
    if (!d) return !json_is_null(fixture_at(row, "decision"));
    assert_string_equal(fixture_text(row, "decision.rule"), locbo_prune_name(d->rule));
    assert_int_equal(fixture_count(row, "decision.step"), d->step);
    check_same(fixture_real(row, "decision.value"), d->value);
    check_same(fixture_real(row, "decision.incumbent"), d->incumbent);
    check_same(fixture_real(row, "decision.tau"), d->tau);
    check_same(fixture_real(row, "decision.coin"), d->coin);
    check_same(fixture_real(row, "decision.expected"), d->expected);
    assert_int_equal(json_is_true(fixture_at(row, "decision.ended")), d->event > 0);
    q->ended += d->event > 0;
    q->kept += d->event == 0;
    return 0;
}

static void compare_account(json_t *account, locbo_study *s) {
    locbo_ended e = {.struct_size = sizeof e};
    check_ok(locbo_study_ended(s, &e, &error));
    assert_int_equal(fixture_count(account, "could_end"), e.could_end);
    assert_int_equal(fixture_count(account, "ended"), e.ended);
    assert_int_equal(fixture_count(account, "kept"), e.kept);
    assert_int_equal(fixture_count(account, "kept_beat"), e.kept_beat);
    assert_int_equal(fixture_count(account, "outstanding"), e.outstanding);
    assert_int_equal(fixture_count(account, "resolved"), e.resolved);
    check_same(fixture_real(account, "steps"), e.steps);
    check_same(fixture_real(account, "steps_saved"), e.steps_saved);
    check_same(fixture_real(account, "share_saved"), e.steps_saved / (e.steps + e.steps_saved));
    check_same(fixture_real(account, "tau"), e.tau);
    check_same(fixture_real(account, "estimate"), e.estimate);
    check_same(fixture_real(account, "bound"), e.bound);
}

static void curves_are_what_was_reported(void **state) {
    (void)state;
    draw r = draw_open(3, 1);
    locbo_study *s = fixture_study("a", "method", "random", NULL);
    set_rule(s, LOCBO_PRUNE_RISK);
    cache *c = fixture_cache("a");
    size_t ended = 0;
    for (int i = 0; i < 90; i++) { /* read now and then: the table of curves is updated, not only filled */
        ended += (size_t)evaluate(s, 30, fabs(draw_normal(&r)));
        if (i % 20 == 5) json_decref(fixture_answer(c, "curves", NULL));
    }
    json_t *a = fixture_answer(c, "curves", NULL), *overview = fixture_answer(c, "overview", NULL);
    comparing q = {.answer = a};
    check_ok(locbo_study_each_curve(s, 0, compare_curve, &q, &error));
    check_ok(locbo_study_each(s, NULL, compare_record, &q, &error));
    assert_int_equal(q.curves, 90);
    assert_int_equal(q.ended, ended);
    assert_true(q.ended > 10 && q.kept > 0);
    assert_int_equal(fixture_count(a, "matching"), 90);
    assert_int_equal(fixture_count(a, "shown"), 90);
    assert_string_equal(fixture_text(a, "direction"), "minimize");
    check_same(fixture_real(a, "incumbent"), fixture_real(overview, "best.value"));
    json_t *best = find_curve(a, (uint64_t)fixture_count(overview, "best.trial"));
    assert_true(json_is_true(fixture_at(best, "best")));
    compare_account(fixture_at(a, "ended"), s);
    assert_true(json_equal(fixture_at(a, "ended"), fixture_at(overview, "ended")));
    assert_int_equal(fixture_count(a, "ended.evaluations"), 90);
    assert_int_equal(fixture_count(overview, "states.PRUNED"), ended);
    json_decref(overview);
    json_decref(a);
    a = fixture_answer(c, "definition", NULL);
    assert_true(json_is_true(fixture_at(a, "curves")));
    json_decref(a);
    cache_close(c);
    locbo_study_close(s);
}

static void trials_ended_early_count_as_wanted(void **state) {
    (void)state;
    locbo_study *s = fixture_study("a", NULL);
    locbo_plan plan = {.struct_size = sizeof plan};
    set_rule(s, LOCBO_PRUNE_MEDIAN);
    check_ok(locbo_study_plan(s, &plan, &error));
    plan.trials = 30;
    check_ok(locbo_study_set_plan(s, &plan, &error));
    uint64_t ended = 0;
    for (int i = 0; i < 12; i++) ended += (uint64_t)evaluate(s, 10, i % 3);
    assert_true(ended > 0);
    cache *c = fixture_cache("a");
    json_t *a = fixture_answer(c, "overview", NULL);
    assert_string_equal(fixture_text(a, "rules.0.rule"), "trials");
    assert_int_equal(fixture_count(a, "rules.0.done"), 12);
    assert_true(json_is_null(fixture_at(a, "ended.estimate")) && json_is_null(fixture_at(a, "ended.target")));
    json_decref(a);
    cache_close(c);
    locbo_study_close(s);
}

/* ---- attempts, live ---------------------------------------------------------------------------- */

static void a_new_attempt_begins_a_new_curve(void **state) {
    (void)state;
    double x[4];
    locbo_study *s = fixture_study("a", NULL);
    cache *c = fixture_cache("a");
    uint64_t trial = fixture_ask(s, "me", x);
    for (uint64_t i = 1; i <= 4; i++) report(s, trial, i, 10.0 - (double)i);
    json_t *a = fixture_answer(c, "curves", NULL);
    assert_int_equal(length(a, "curves.0.step"), 4);
    assert_string_equal(fixture_text(a, "curves.0.state"), "RUNNING");
    json_decref(a);
    report(s, trial, 7, 2.5); /* live */
    a = fixture_answer(c, "curves", NULL);
    assert_int_equal(fixture_count(a, "curves.0.step.4"), 7);
    check_same(fixture_real(a, "curves.0.value.4"), 2.5);
    json_decref(a);
    check_ok(locbo_study_requeue(s, trial, 1, LOCBO_REQUEUE_SAME, 0, &error));
    a = fixture_answer(c, "curves", NULL);
    assert_string_equal(fixture_text(a, "curves.0.state"), "WAITING");
    json_decref(a);
    assert_int_equal(fixture_ask(s, "me", x), trial);
    a = fixture_answer(c, "curves", NULL); /* the second attempt has reported nothing */
    assert_non_null(fixture_at(a, "nothing"));
    json_decref(a);
    report(s, trial, 1, 3);
    a = fixture_answer(c, "curves", NULL);
    assert_int_equal(fixture_count(a, "curves.0.attempt"), 2);
    assert_int_equal(length(a, "curves.0.step"), 1);
    json_decref(a);
    a = fixture_answer(c, "trial", "number", "1", NULL);
    assert_int_equal(length(a, "curves"), 2);
    assert_int_equal(fixture_count(a, "curves.0.attempt"), 1);
    assert_int_equal(fixture_count(a, "curves.0.steps"), 5);
    check_same(fixture_real(a, "curves.1.value.0"), 3);
    assert_null(fixture_at(a, "decision"));
    json_decref(a);
    cache_close(c);
    locbo_study_close(s);
}

static void the_page_of_an_ended_trial_says_why(void **state) {
    (void)state;
    char number[24];
    double x[4];
    locbo_study *s = fixture_study("a", NULL);
    set_rule(s, LOCBO_PRUNE_MEDIAN);
    for (int i = 0; i < 6; i++) evaluate(s, 10, 0.1 * i);
    cache *c = fixture_cache("a");
    uint64_t trial = fixture_ask(s, "me", x);
    json_decref(fixture_answer(c, "curves", NULL));
    uint64_t last = 1;
    while (!report(s, trial, last, 100) && last < 50) last++;
    assert_true(last < 50);
    snprintf(number, sizeof number, "%d", (int)trial);
    json_t *a = fixture_answer(c, "trial", "number", number, NULL);
    assert_string_equal(fixture_text(a, "state"), "PRUNED");
    assert_true(json_is_true(fixture_at(a, "decision.ended")));
    assert_string_equal(fixture_text(a, "decision.rule"), "median");
    assert_int_equal(fixture_count(a, "decision.step"), last);
    assert_int_equal(length(a, "curves.0.step"), last);
    json_decref(a);
    a = fixture_answer(c, "curves", NULL);
    json_t *row = find_curve(a, trial);
    assert_string_equal(fixture_text(row, "state"), "PRUNED");
    assert_int_equal(length(row, "step"), last);
    json_decref(a);
    cache_close(c);
    locbo_study_close(s);
}

/* ---- many -------------------------------------------------------------------------------------- */

/* 300 curves; of one of 5000 steps, with one high value among them, the ends and the extreme are kept. */
static void many_curves_and_steps_are_thinned(void **state) {
    (void)state;
    enum { MANY = 300, LONG = 5000, OUTLIER = 3210, RUNNING = 7 };
    static locbo_step steps[LONG];
    double x[4];
    int end;
    locbo_study *s = fixture_study("a", "method", "random", NULL);
    for (int i = 0; i < MANY; i++) evaluate(s, 2, i == 123 ? -5 : 1 + i % 7);
    for (int i = 0; i < LONG; i++) steps[i] = (locbo_step){(uint64_t)i + 1, i == OUTLIER ? 9 : 1.0 / (i + 1)};
    uint64_t longest = fixture_ask(s, "me", x);
    check_ok(locbo_study_report(s, longest, 0, LONG, steps, &end, &error));
    for (int i = 1; i < RUNNING; i++) report(s, fixture_ask(s, "me", x), 1, 1);
    cache *c = fixture_cache("a");
    json_t *a = fixture_answer(c, "curves", NULL);
    assert_int_equal(fixture_count(a, "matching"), MANY + RUNNING);
    assert_int_equal(fixture_count(a, "shown"), 200);
    assert_int_equal(length(a, "curves"), 200);
    assert_non_null(find_curve(a, 124)); /* the best */
    json_int_t before = 0;
    for (size_t i = 0; i < 200; i++) {
        json_t *row = json_array_get(fixture_at(a, "curves"), i);
        assert_true(fixture_count(row, "trial") > before);
        before = fixture_count(row, "trial");
    }
    for (uint64_t i = 0; i < RUNNING; i++) assert_non_null(find_curve(a, MANY + 1 + i));
    json_t *row = find_curve(a, longest);
    size_t n = length(row, "step");
    assert_true(n <= CURVE_POINTS && n > CURVE_POINTS / 2);
    assert_int_equal(fixture_count(row, "steps"), LONG);
    assert_int_equal(fixture_count(row, "step.0"), 1);
    assert_int_equal(json_integer_value(json_array_get(json_object_get(row, "step"), n - 1)), LONG);
    double highest = 0;
    for (size_t i = 0; i < n; i++)
        highest = fmax(highest, json_real_value(json_array_get(json_object_get(row, "value"), i)));
    check_same(highest, 9);
    json_decref(a);
    a = fixture_answer(c, "curves", "curves", "10", NULL);
    assert_int_equal(length(a, "curves"), 10);
    assert_non_null(find_curve(a, 124));
    json_decref(a);
    a = fixture_answer(c, "curves", "curves", "2000", NULL);
    assert_int_equal(length(a, "curves"), MANY + RUNNING);
    json_decref(a);
    char number[24];
    snprintf(number, sizeof number, "%d", (int)longest);
    a = fixture_answer(c, "trial", "number", number, NULL);
    assert_true(length(a, "curves.0.step") <= 1000 && length(a, "curves.0.step") > 500);
    json_decref(a);
    cache_close(c);
    locbo_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(without_steps_there_is_nothing, own_store_open, own_store_close),
        cmocka_unit_test_setup_teardown(wrong_numbers_of_curves_are_refused, own_store_open, own_store_close),
        cmocka_unit_test_setup_teardown(curves_are_what_was_reported, own_store_open, own_store_close),
        cmocka_unit_test_setup_teardown(trials_ended_early_count_as_wanted, own_store_open, own_store_close),
        cmocka_unit_test_setup_teardown(a_new_attempt_begins_a_new_curve, own_store_open, own_store_close),
        cmocka_unit_test_setup_teardown(the_page_of_an_ended_trial_says_why, own_store_open, own_store_close),
        cmocka_unit_test_setup_teardown(many_curves_and_steps_are_thinned, own_store_open, own_store_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
