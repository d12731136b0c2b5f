/* What each view says of a study, against what happened in it. */
#include "choice.h"
#include "judge.h"
#include "mem.h"
#include "overview.h"
#include "fixture.h"
#include "view_studies.h"

/* ---- all of them ------------------------------------------------------------------------------- */

static void check_empty(json_t *list, const char *path) {
    check_that(json_is_array(fixture_at(list, path)) && json_array_size(fixture_at(list, path)) == 0, "%s is not empty",
               path);
}

static void an_empty_study_has_answers(void **state) {
    (void)state;
    locbo_study *s = fixture_study("a", NULL);
    cache *c = fixture_cache(NULL); /* the only one */
    json_t *a = fixture_answer(c, "overview", NULL);
    assert_int_equal(fixture_count(a, "trials"), 0);
    assert_true(json_is_null(fixture_at(a, "best")) && json_is_null(fixture_at(a, "coverage")));
    assert_true(json_is_null(fixture_at(a, "rate.per_hour")));
    check_empty(a, "workers");
    check_empty(a, "rules");
    json_decref(a);
    a = fixture_answer(c, "history", "study", "a", NULL); /* every view knows `study` */
    check_empty(a, "columns.miss");
    check_empty(a, "best.trial");
    json_decref(a);
    a = fixture_answer(c, "calibration", NULL);
    assert_int_equal(fixture_count(a, "judged"), 0);
    check_empty(a, "running.round");
    check_empty(a, "reliability.share");
    assert_true(json_is_null(fixture_at(a, "calibrated")));
    json_decref(a);
    a = fixture_answer(c, "parameters", NULL);
    check_empty(a, "columns.params.mode");
    json_decref(a);
    a = fixture_answer(c, "trials", NULL);
    check_empty(a, "rows");
    assert_string_equal(fixture_text(a, "sort"), "trial");
    assert_string_equal(fixture_text(a, "order"), "desc");
    json_decref(a);
    cache_close(c);
    locbo_study_close(s);
}

static void wrong_questions_are_refused(void **state) {
    (void)state;
    locbo_study *s = fixture_study("a", NULL);
    cache *c = fixture_cache("a");
    json_t *a = NULL;
    query_item item;
    query q = {1, &item};
    static const struct {
        const char *view, *key, *value, *words;
        locbo_status status;
    } cases[] = {{"overview", "points", "5", "no key 'points' here, only: study", LOCBO_ERR_ARGUMENT},
                 {"history", "points", "9", "from 10 to 20000", LOCBO_ERR_ARGUMENT},
                 {"calibration", "points", "20001", "from 10 to 20000", LOCBO_ERR_ARGUMENT},
                 {"parameters", "points", "5001", "from 10 to 5000", LOCBO_ERR_ARGUMENT},
                 {"trials", "sort", "colour", "one of trial, state", LOCBO_ERR_ARGUMENT},
                 {"trials", "sort", "param:y", "no parameter 'y'", LOCBO_ERR_ARGUMENT},
                 {"trials", "order", "up", "asc, desc", LOCBO_ERR_ARGUMENT},
                 {"trials", "state", "FAILED,DONE", "got 'DONE'", LOCBO_ERR_ARGUMENT},
                 {"trials", "state", "", "state must be", LOCBO_ERR_ARGUMENT},
                 {"trials", "page", "0", "page must", LOCBO_ERR_ARGUMENT},
                 {"trials", "size", "501", "from 1 to 500", LOCBO_ERR_ARGUMENT},
                 {"trials", "miss", "2", "miss must", LOCBO_ERR_ARGUMENT},
                 {"trial", "study", "a", "number", LOCBO_ERR_ARGUMENT},
                 {"trial", "number", "0", "number must", LOCBO_ERR_ARGUMENT},
                 {"trial", "number", "1", "no trial 1", LOCBO_ERR_NOT_FOUND}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        item = (query_item){cases[i].key, cases[i].value};
        check_fails(view_answer(view_find(cases[i].view), c, &q, &a, &error), cases[i].status, cases[i].words);
        assert_null(a);
    }
    assert_null(view_find("nothing"));
    cache_close(c);
    check_fails(cache_open(&c, own_store, "b", &error), LOCBO_ERR_NOT_FOUND, "'b'");
    locbo_study_close(s);
}

static void a_deleted_study_is_said_to_be(void **state) {
    (void)state;
    draw r = draw_open(1, 1);
    locbo_study *s = fixture_study("a", NULL);
    fixture_import(s, 5, &r);
    cache *c = fixture_cache("a");
    json_decref(fixture_answer(c, "overview", NULL));
    check_ok(locbo_study_delete(own_store, "a", &error));
    locbo_study *again = fixture_study("a", NULL);
    const query none = {0, NULL};
    static const char *const names[] = {"overview", "definition", "history", "calibration", "curves",
                                        "trials",   "parameters", "choices", "importance"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        json_t *a = NULL;
        check_fails(view_answer(view_find(names[i]), c, &none, &a, &error), LOCBO_ERR_NOT_FOUND, "deleted");
    }
    cache_close(c);
    locbo_study_close(again);
    locbo_study_close(s);
}

static void what_is_not_there_yet_is_an_answer(void **state) {
    (void)state;
    locbo_study *s = fixture_study("a", NULL), *random = fixture_study("b", "method", "random", NULL);
    draw r = draw_open(1, 1);
    cache *c = fixture_cache("a");
    json_t *a = fixture_answer(c, "importance", NULL);
    assert_non_null(strstr(fixture_text(a, "nothing"), "two results"));
    json_decref(a);
    fixture_import(s, 3, &r);
    locbo_optimizer *o;
    check_ok(cache_model(c, &o, &error));
    cache_close(c);
    fixture_import(random, 3, &r);
    c = fixture_cache("b");
    a = fixture_answer(c, "importance", NULL);
    assert_non_null(strstr(fixture_text(a, "nothing"), "random"));
    json_decref(a);
    cache_close(c);
    locbo_study_close(s);
    locbo_study_close(random);
}

/* ---- the model --------------------------------------------------------------------------------- */

/* The same object while nothing is told, another once something is; and it tells what the study's own does. */
static void the_model_follows_the_results(void **state) {
    (void)state;
    draw r = draw_open(2, 1);
    double x[4] = {1, 0.1, 3, 1};
    locbo_study *s = fixture_study("a", NULL);
    cache *c = fixture_cache("a");
    locbo_optimizer *o;
    locbo_belief before, after, expected;
    fixture_play(s, 8, &r);
    check_ok(cache_model(c, &o, &error));
    check_ok(locbo_optimizer_predict(o, 1, x, &before, &error));
    json_decref(fixture_answer(c, "overview", NULL)); /* other looks leave it as it is */
    check_ok(locbo_optimizer_predict(o, 1, x, &after, &error));
    check_same(after.mean, before.mean);
    fixture_play(s, 3, &r);
    check_ok(cache_model(c, &o, &error));
    check_ok(locbo_optimizer_predict(o, 1, x, &after, &error));
    assert_true(after.mean != before.mean);
    check_ok(locbo_study_optimizer(s, &o, &error));
    check_ok(locbo_optimizer_predict(o, 1, x, &expected, &error));
    check_same(after.mean, expected.mean);
    check_same(after.sd_f, expected.sd_f);
    fixture_ask(s, "me", x); /* a proposal stores a fit */
    x[0] = 1;
    check_ok(cache_model(c, &o, &error));
    check_ok(locbo_optimizer_predict(o, 1, x, &after, &error));
    check_ok(locbo_study_optimizer(s, &o, &error));
    check_ok(locbo_optimizer_predict(o, 1, x, &expected, &error));
    check_same(after.mean, expected.mean);
    cache_close(c);
    locbo_study_close(s);
}

static void there_is_a_limit_to_the_exact_model(void **state) {
    (void)state;
    draw r = draw_open(2, 1);
    locbo_study *s = fixture_study("a", "exact_rows", "0", NULL), *landmarks = fixture_study("b", NULL);
    cache *c = fixture_cache("a"), *d = fixture_cache("b");
    locbo_optimizer *o;
    fixture_import(s, CHOICE_MANY + 1, &r);
    fixture_import(landmarks, CHOICE_MANY + 1, &r);
    check_fails(cache_model(c, &o, &error), LOCBO_ERR_NOTHING, "3000 results, and there are 3001");
    check_ok(cache_model(d, &o, &error)); /* one that is not exact has none */
    cache_close(c);
    cache_close(d);
    locbo_study_close(s);
    locbo_study_close(landmarks);
}

/* ---- overview ---------------------------------------------------------------------------------- */

static void plan_for(locbo_study *s, uint64_t trials, uint64_t no_improvement, double target) {
    locbo_plan plan = {.struct_size = sizeof plan};
    check_ok(locbo_study_plan(s, &plan, &error));
    plan.trials = trials;
    plan.no_improvement = no_improvement;
    plan.target = target;
    check_ok(locbo_study_set_plan(s, &plan, &error));
}

static void the_overview_counts(void **state) {
    (void)state;
    draw r = draw_open(3, 1);
    double x[4];
    locbo_study *s = fixture_study("a", "direction", "maximize", "alpha", "0.3", NULL);
    locbo_census c;
    fixture_play(s, 12, &r);
    fixture_ask(s, "a", x);
    check_ok(locbo_study_tell_failed(s, 13, 1, "no", &error));
    fixture_ask(s, "b", x);
    plan_for(s, 40, 10, 1e6);
    check_ok(locbo_study_stop(s, "lunch", &error));
    check_ok(locbo_study_census(s, &c, &error));
    cache *d = fixture_cache("a");
    json_t *a = fixture_answer(d, "overview", NULL);
    assert_string_equal(fixture_text(a, "name"), "a");
    assert_string_equal(fixture_text(a, "direction"), "maximize");
    check_close(fixture_real(a, "level"), 0.7, 1e-15, 0); /* 1 - 0.3 rounded */
    assert_int_equal(fixture_count(a, "trials"), 14);
    assert_int_equal(fixture_count(a, "states.COMPLETE"), 12);
    assert_int_equal(fixture_count(a, "states.FAILED"), 1);
    assert_int_equal(fixture_count(a, "states.RUNNING"), 1);
    assert_int_equal(fixture_count(a, "events"), 15); /* results, a failure, and the two changes */
    assert_int_equal(fixture_count(a, "best.trial"), c.best_trial);
    check_same(fixture_real(a, "best.value"), c.best_value);
    assert_true(json_is_string(fixture_at(a, "best.params.mode")));
    assert_int_equal(fixture_count(a, "failures_in_row"), 1);
    assert_string_equal(fixture_text(a, "stop_reason"), "lunch");
    assert_int_equal(json_array_size(fixture_at(a, "rules")), 3);
    assert_int_equal(fixture_count(a, "rules.0.done"), 12);
    assert_int_equal(fixture_count(a, "rules.0.of"), 40);
    assert_int_equal(fixture_count(a, "rules.1.done"), c.since_best);
    assert_true(json_is_false(fixture_at(a, "rules.2.reached")));
    assert_int_equal(fixture_count(a, "coverage.judged"), 12 - 8); /* after the design of 2 d */
    json_decref(a);
    plan_for(s, 0, 0, c.best_value);
    a = fixture_answer(d, "overview", NULL);
    assert_int_equal(json_array_size(fixture_at(a, "rules")), 1);
    assert_true(json_is_true(fixture_at(a, "rules.0.reached")));
    json_decref(a);
    cache_close(d);
    locbo_study_close(s);
}

/* Origins are written into the database: of 16 trials 8 are the design; the model chose the others. */
static void coverage_and_bounds_by_origin(void **state) {
    (void)state;
    draw r = draw_open(3, 1);
    locbo_study *s = fixture_study("a", "remeasure", "0", "explore", "none", NULL);
    fixture_play(s, 16, &r);
    fixture_sql("UPDATE locbo_trial SET origin = 4, y_low = 5, y_high = 4 WHERE number IN (9, 12)");
    fixture_sql("UPDATE locbo_trial SET origin = 5 WHERE number = 10");
    fixture_sql("UPDATE locbo_trial SET origin = 6, mean = NULL, sd_y = NULL WHERE number = 11");
    fixture_sql("UPDATE locbo_trial SET params = '{\"x\":-5,\"rate\":0.01,\"n\":3,\"mode\":\"plain\"}'"
                " WHERE number > 6 AND number < 10");
    fixture_sql("UPDATE locbo_trial SET params = '{\"x\":1,\"rate\":0.01,\"n\":3,\"mode\":\"plain\"}'"
                " WHERE number > 9");
    cache *c = fixture_cache("a");
    json_t *a = fixture_answer(c, "calibration", NULL), *b = fixture_answer(c, "overview", NULL);
    assert_int_equal(fixture_count(a, "judged"), 7);
    assert_int_equal(json_array_size(fixture_at(a, "by_origin")), 3); /* number 11 has no prediction */
    assert_string_equal(fixture_text(a, "by_origin.0.origin"), "model");
    assert_int_equal(fixture_count(a, "by_origin.0.judged"), 4);
    assert_string_equal(fixture_text(a, "by_origin.1.origin"), "again");
    assert_int_equal(fixture_count(a, "by_origin.1.judged"), 2);
    assert_int_equal(fixture_count(a, "by_origin.1.inside"), 0);
    check_same(fixture_real(a, "by_origin.1.coverage"), 0);
    assert_string_equal(fixture_text(a, "by_origin.2.origin"), "explore");
    assert_int_equal(fixture_count(b, "bounds.proposals"), 8);
    assert_int_equal(fixture_count(b, "bounds.on_bound"), 1); /* number 9: 7 and 8 are of the design */
    json_decref(a);
    json_decref(b);
    cache_close(c);
    json_t *o; /* the same by the optimizer */
    check_ok(overview_make(s, "here", 1, &o, &error));
    assert_int_equal(json_array_size(fixture_at(o, "coverage.by_origin")), 3);
    assert_int_equal(fixture_count(o, "coverage.by_origin.1.judged"), 2);
    assert_int_equal(fixture_count(o, "coverage.by_origin.1.inside"), 0);
    assert_int_equal(fixture_count(o, "bounds.proposals"), 8);
    assert_int_equal(fixture_count(o, "bounds.on_bound"), 1);
    json_decref(o);
    locbo_study_close(s);
}

/* The last five, with gaps of 6 seconds between them and one of 8 hours and 6 seconds, of which 60 count. */
static void the_rate_does_not_count_pauses(void **state) {
    (void)state;
    draw r = draw_open(3, 1);
    locbo_study *s = fixture_study("a", "method", "random", NULL);
    fixture_play(s, 12, &r);
    fixture_sql("UPDATE locbo_trial SET started = 1000 + 10 * number, ended = 1004 + 10 * number");
    fixture_sql("UPDATE locbo_trial SET started = started + 28800, ended = ended + 28800 WHERE number > 10");
    cache *c = fixture_cache("a");
    json_t *a = fixture_answer(c, "overview", NULL);
    check_close(fixture_real(a, "rate.per_hour"), 3600 * 5.0 / (50 + 54), 1e-12, 0); /* a few roundings */
    json_decref(a);
    cache_close(c);
    locbo_study_close(s);
}

/* Each budget that the plan has is a rule. */
static void budgets_are_rules(void **state) {
    (void)state;
    draw r = draw_open(6, 1);
    locbo_plan plan;
    locbo_study *s = fixture_study("a", "method", "random", NULL);
    fixture_play(s, 4, &r);
    locbo_plan_init(&plan);
    plan.trials = 9;
    plan.evaluations = 12;
    plan.time = 3600;
    check_ok(locbo_study_set_plan(s, &plan, &error));
    cache *c = fixture_cache("a");
    json_t *a = fixture_answer(c, "overview", NULL);
    assert_int_equal(json_array_size(fixture_at(a, "rules")), 3);
    assert_string_equal(fixture_text(a, "rules.1.rule"), "evaluations");
    assert_int_equal(fixture_count(a, "rules.1.done"), 4);
    assert_int_equal(fixture_count(a, "rules.1.of"), 12);
    assert_string_equal(fixture_text(a, "rules.2.rule"), "time");
    check_same(fixture_real(a, "rules.2.seconds"), 3600);
    json_decref(a);
    cache_close(c);
    locbo_study_close(s);
}

/* Trials end every 10 s after 4 s of work, but the one before the last five took long. */
static void the_rate_is_that_of_late(void **state) {
    (void)state;
    draw r = draw_open(3, 1);
    locbo_study *s = fixture_study("a", "method", "random", NULL);
    fixture_play(s, 12, &r);
    fixture_import(s, 3, &r); /* not evaluated here */
    fixture_sql("UPDATE locbo_trial SET started = 1000 + 10 * number, ended = 1004 + 10 * number"
                " WHERE number > 6 AND number < 13");
    fixture_sql("UPDATE locbo_trial SET started = number, ended = 1 + number WHERE number < 7");
    plan_for(s, 25, 0, (double)NAN);
    cache *c = fixture_cache("a");
    json_t *a = fixture_answer(c, "overview", NULL);
    check_close(fixture_real(a, "rate.per_hour"), 360, 1e-12, 0); /* a few roundings */
    check_close(fixture_real(a, "rate.evaluation_seconds"), 4, 1e-12, 0);
    assert_true(json_is_null(fixture_at(a, "rate.left_seconds"))); /* no worker evaluates */
    json_decref(a);
    locbo_assignment running;
    double x[16];
    check_ok(locbo_study_ask(s, NULL, &running, x, &error));
    a = fixture_answer(c, "overview", NULL);
    check_close(fixture_real(a, "rate.left_seconds"), 100, 1e-12, 0); /* 15 are complete */
    json_decref(a);
    fixture_sql("UPDATE locbo_trial SET lease = 1 WHERE state = 'RUNNING'");
    a = fixture_answer(c, "overview", NULL);
    assert_true(json_is_null(fixture_at(a, "rate.left_seconds"))); /* nor any more */
    json_decref(a);
    plan_for(s, 10, 0, (double)NAN);
    a = fixture_answer(c, "overview", NULL);
    check_same(fixture_real(a, "rate.left_seconds"), 0);
    json_decref(a);
    cache_close(c);
    locbo_study_close(s);
}

static void workers_are_told_apart(void **state) {
    (void)state;
    double x[4];
    locbo_study *s = fixture_study("a", "method", "random", NULL);
    draw r = draw_open(3, 1);
    fixture_import(s, 2, &r); /* without a worker */
    for (int i = 0; i < 6; i++) {
        uint64_t trial = fixture_ask(s, i % 2 ? "odd" : "even", x);
        if (i < 3) fixture_tell(s, trial, 1);
        if (i == 3) check_ok(locbo_study_tell_failed(s, trial, 0, "", &error));
    }
    check_ok(locbo_study_requeue(s, 8, 1, 0, 0, &error)); /* the last one of odd */
    fixture_sql("UPDATE locbo_study SET proposer = 'third', proposer_until = 1");
    cache *c = fixture_cache("a");
    json_t *a = fixture_answer(c, "overview", NULL);
    assert_int_equal(json_array_size(fixture_at(a, "workers")), 2);
    assert_string_equal(fixture_text(a, "workers.0.worker"), "even"); /* workers with a trial are first */
    assert_int_equal(fixture_count(a, "workers.0.complete"), 2);
    assert_int_equal(fixture_count(a, "workers.0.running.trial"), 7);
    assert_true(fixture_real(a, "workers.0.running.lease") > fixture_real(a, "now"));
    assert_string_equal(fixture_text(a, "workers.1.worker"), "odd");
    assert_int_equal(fixture_count(a, "workers.1.complete"), 1);
    assert_int_equal(fixture_count(a, "workers.1.failed"), 1);
    assert_true(json_is_null(fixture_at(a, "workers.1.running")));
    assert_true(fixture_real(a, "workers.1.last_ended") > 0);
    assert_true(json_is_null(fixture_at(a, "proposer"))); /* its time was over long ago */
    json_decref(a);
    fixture_sql("UPDATE locbo_study SET proposer_until = 1e12");
    a = fixture_answer(c, "overview", NULL);
    assert_string_equal(fixture_text(a, "proposer"), "third");
    json_decref(a);
    cache_close(c);
    locbo_study_close(s);
}

static void the_definition_keeps_the_order(void **state) {
    (void)state;
    locbo_study *s = fixture_study("a", NULL);
    cache *c = fixture_cache("a");
    json_t *a = fixture_answer(c, "definition", NULL);
    static const char *const names[] = {"x", "rate", "n", "mode"};
    for (int i = 0; i < 4; i++) {
        char path[32];
        snprintf(path, sizeof path, "parameters.%d.name", i);
        assert_string_equal(fixture_text(a, path), names[i]);
    }
    assert_true(json_is_true(fixture_at(a, "parameters.1.log")));
    assert_true(json_is_null(fixture_at(a, "parameters.1.values")));
    assert_true(json_is_null(fixture_at(a, "parameters.3.low")));
    assert_string_equal(fixture_text(a, "parameters.3.values.1"), "it's \"q\"");
    assert_string_equal(fixture_text(a, "command.1"), "--x={x}");
    assert_string_equal(fixture_text(a, "options.method"), "locbo");
    assert_int_equal(fixture_count(a, "plan.retries"), 3);
    json_decref(a);
    cache_close(c);
    locbo_study_close(s);
}

/* ---- history ----------------------------------------------------------------------------------- */

static void check_lengths(json_t *columns, size_t length) {
    const char *name;
    json_t *list;
    json_object_foreach(columns, name, list)
        check_that(json_array_size(list) == length, "the column %s has another length", name);
}

static void the_history_has_every_trial(void **state) {
    (void)state;
    draw r = draw_open(4, 1);
    double x[4];
    locbo_study *s = fixture_study("a", NULL);
    fixture_play(s, 14, &r);
    fixture_ask(s, "me", x);
    cache *c = fixture_cache("a");
    json_t *a = fixture_answer(c, "history", NULL);
    const trial_table *b;
    check_ok(cache_trials(c, &b, &error));
    assert_int_equal(fixture_count(a, "trials"), 15);
    assert_int_equal(fixture_count(a, "shown"), 15);
    check_lengths(fixture_at(a, "columns"), 15);
    for (size_t i = 0; i < 15; i++) {
        char path[64];
        judge_verdict v = judge_output(b, i, 0);
        snprintf(path, sizeof path, "columns.miss.%zu", i);
        json_t *miss = fixture_at(a, path);
        assert_true(v == JUDGE_NONE ? json_is_null(miss)
                                    : json_is_boolean(miss) && json_is_true(miss) == (v == JUDGE_MISS));
        snprintf(path, sizeof path, "columns.value.%zu", i);
        assert_true(i == 14 ? isnan(fixture_real(a, path)) : fixture_real(a, path) == b->rows[i].value);
        snprintf(path, sizeof path, "columns.mean.%zu", i);
        assert_int_equal(isnan(fixture_real(a, path)), isnan(b->rows[i].trial.belief.mean));
    }
    assert_string_equal(fixture_text(a, "columns.origin.0"), "design");
    assert_string_equal(fixture_text(a, "columns.origin.13"), "model");
    assert_string_equal(fixture_text(a, "columns.state.14"), "RUNNING");
    json_decref(a);
    cache_close(c);
    locbo_study_close(s);
}

/* Every improvement, and nothing else, whatever is thinned. */
static void check_best(json_t *a, const trial_table *b, int sign) {
    json_t *trials = fixture_at(a, "best.trial"), *values = fixture_at(a, "best.value");
    double best = -INFINITY;
    size_t k = 0;
    for (size_t i = 0; i < b->count; i++)
        if (sign * b->rows[i].value > best) { /* one measurement each */
            best = sign * b->rows[i].value;
            assert_int_equal(json_integer_value(json_array_get(trials, k)), i + 1);
            check_same(json_number_value(json_array_get(values, k)), b->rows[i].value);
            k++;
        }
    assert_int_equal(json_array_size(trials), k);
    assert_true(k > 2);
}

static void a_part_of_the_history(void **state) {
    draw r = draw_open(6, 1);
    locbo_study *s = fixture_study("part", NULL);
    fixture_import(s, 100, &r);
    cache *c = fixture_cache("part");
    json_t *a = fixture_answer(c, "history", "from", "31", "to", "60", NULL);
    (void)state;
    assert_int_equal(fixture_count(a, "trials"), 100);
    assert_int_equal(fixture_count(a, "matching"), 30);
    assert_int_equal(fixture_count(a, "shown"), 30);
    assert_int_equal(fixture_count(a, "columns.trial.0"), 31);
    assert_int_equal(fixture_count(a, "columns.trial.29"), 60);
    json_decref(a);
    a = fixture_answer(c, "history", "from", "101", NULL);
    assert_int_equal(fixture_count(a, "matching"), 0);
    json_decref(a);
    a = fixture_answer(c, "history", "from", "60", "to", "31", NULL);
    assert_int_equal(fixture_count(a, "matching"), 0);
    json_decref(a);
    cache_close(c);
    locbo_study_close(s);
}

/* The best so far is the best mean of a point, as everywhere. */
static void the_best_of_replicates(void **state) {
    locbo_measurement two[] = {{5, (double)NAN, 1}, {1, (double)NAN, 1}}, one = {2, (double)NAN, 1};
    locbo_study *s = fixture_study("replicates", NULL);
    locbo_assignment first, second;
    locbo_measurement later[] = {{6, (double)NAN, 1}, {2.5, (double)NAN, 1}};
    double x[2 * 4];
    uint64_t trial;
    (void)state;
    check_ok(locbo_study_ask(s, NULL, &first, x, &error));
    check_ok(locbo_study_ask(s, NULL, &second, x, &error));
    check_ok(locbo_study_tell(s, first.trial, 0, 2, two, &error));
    check_ok(locbo_study_tell(s, second.trial, 0, 1, &one, &error));
    cache *c = fixture_cache("replicates");
    json_t *a = fixture_answer(c, "history", NULL);
    check_same(fixture_real(a, "columns.value.0"), 3);
    assert_int_equal(json_array_size(fixture_at(a, "best.trial")), 2);
    check_same(fixture_real(a, "best.value.0"), 3);
    check_same(fixture_real(a, "best.value.1"), 2);
    json_decref(a);
    memcpy(x + 4, (double[4]){1, 0.25, 4, 1}, 4 * sizeof *x);
    check_ok(locbo_study_import(s, 2, x, later, &trial, &error)); /* the mean of trials 2 and 3 is 4 */
    a = fixture_answer(c, "history", NULL);
    assert_int_equal(json_array_size(fixture_at(a, "best.trial")), 2);
    check_same(fixture_real(a, "best.value.0"), 3);
    assert_int_equal(fixture_count(a, "best.trial.1"), 4);
    check_same(fixture_real(a, "best.value.1"), 2.5);
    json_decref(a);
    cache_close(c);
    locbo_study_close(s);
}

static void check_long_history(const char *direction) {
    draw r = draw_open(5, 1);
    locbo_study *s = fixture_study(direction, "direction", direction, NULL);
    fixture_import(s, 1000, &r);
    cache *c = fixture_cache(direction);
    const trial_table *b;
    json_t *a = fixture_answer(c, "history", "points", "40", NULL);
    check_ok(cache_trials(c, &b, &error));
    size_t shown = (size_t)fixture_count(a, "shown"), low = 0, high = 0;
    assert_true(shown <= 40 && shown >= 30); /* some of the four of a run may coincide */
    assert_int_equal(fixture_count(a, "trials"), 1000);
    check_lengths(fixture_at(a, "columns"), shown);
    check_best(a, b, *direction == 'm' && direction[1] == 'a' ? 1 : -1);
    for (size_t i = 0; i < 1000; i++) {
        if (b->rows[i].value < b->rows[low].value) low = i;
        if (b->rows[i].value > b->rows[high].value) high = i;
    }
    int found = 0;
    for (size_t i = 0; i < shown; i++) {
        size_t trial = (size_t)json_integer_value(json_array_get(fixture_at(a, "columns.trial"), i));
        found += (trial == low + 1) + (trial == high + 1);
        check_same(json_number_value(json_array_get(fixture_at(a, "columns.value"), i)), b->rows[trial - 1].value);
    }
    assert_int_equal(found, 2);
    json_decref(a);
    cache_close(c);
    locbo_study_close(s);
}

static void a_long_history_keeps_its_extremes(void **state) {
    (void)state;
    check_long_history("minimize");
    check_long_history("maximize");
}

/* ---- calibration ------------------------------------------------------------------------------- */

/* P(|Z| <= q) = level by bisection, and then what the definition says. */
static double share_inside(const trial_table *b, double level, double *count) {
    double low = 0, high = 10, held = 0;
    *count = 0;
    for (int i = 0; i < 100; i++) {
        double q = (low + high) / 2;
        *(erf(q / sqrt(2)) < level ? &low : &high) = q;
    }
    for (size_t i = 0; i < b->count; i++) {
        double z = judge_score(b, i, 0);
        if (isnan(z)) continue;
        ++*count;
        held += fabs(z) <= low;
    }
    return held / *count;
}

static void calibration_adds_up(void **state) {
    (void)state;
    draw r = draw_open(6, 1);
    locbo_study *s = fixture_study("a", NULL);
    fixture_play(s, 40, &r);
    cache *c = fixture_cache("a");
    const trial_table *b;
    json_t *a = fixture_answer(c, "calibration", NULL);
    check_ok(cache_trials(c, &b, &error));
    double n, low, high, inside = 0;
    for (int k = 0; k < 19; k++) {
        char path[64];
        double level = 0.05 * (k + 1), share = share_inside(b, level, &n);
        snprintf(path, sizeof path, "reliability.level.%d", k);
        check_close(fixture_real(a, path), level, 1e-15, 0); /* 0.05 rounded */
        snprintf(path, sizeof path, "reliability.share.%d", k);
        check_same(fixture_real(a, path), share);
    }
    assert_int_equal(fixture_count(a, "judged"), n);
    assert_int_equal(json_array_size(fixture_at(a, "reliability.level")), 19);
    check_lengths(fixture_at(a, "running"), (size_t)n);
    for (int i = 0; i < (int)n; i++) {
        char path[64];
        snprintf(path, sizeof path, "running.miss.%d", i);
        inside += json_is_false(fixture_at(a, path));
        snprintf(path, sizeof path, "running.coverage.%d", i);
        check_same(fixture_real(a, path), inside / (i + 1));
        snprintf(path, sizeof path, "running.threshold.%d", i);
        assert_true(isfinite(fixture_real(a, path)));
    }
    size_t half = (size_t)n - (size_t)n / 2, lately = 0;
    for (size_t i = (size_t)n - half; i < (size_t)n; i++)
        lately += json_is_false(json_array_get(fixture_at(a, "running.miss"), i));
    assert_int_equal(fixture_count(a, "recent.judged"), half);
    assert_int_equal(fixture_count(a, "recent.inside"), lately);
    judge_band((size_t)n, 0.8, 0.95, &low, &high);
    check_same(fixture_real(a, "calibrated.low"), low);
    check_same(fixture_real(a, "calibrated.high"), high);
    check_same(fixture_real(a, "calibrated.share"), inside / n);
    assert_int_equal(fixture_count(a, "inside"), inside);
    json_decref(a);
    a = fixture_answer(c, "calibration", "points", "10", NULL);
    assert_int_equal(fixture_count(a, "shown"), 10);
    check_lengths(fixture_at(a, "running"), 10);
    check_same(fixture_real(a, "running.coverage.9"), inside / n);
    json_decref(a);
    cache_close(c);
    locbo_study_close(s);
}

/* ---- parameters -------------------------------------------------------------------------------- */

static int lists(json_t *list, size_t trial) {
    for (size_t i = 0; i < json_array_size(list); i++)
        if (json_integer_value(json_array_get(list, i)) == (json_int_t)trial) return 1;
    return 0;
}

static void the_best_half_is_shown(void **state) {
    (void)state;
    draw r = draw_open(7, 1);
    double x[4];
    locbo_study *s = fixture_study("a", "method", "random", "direction", "maximize", NULL);
    fixture_import(s, 300, &r);
    for (int i = 0; i < 30; i++) {
        uint64_t trial = fixture_ask(s, "me", x);
        if (i < 20) check_ok(locbo_study_tell_failed(s, trial, 0, "", &error));
    }
    cache *c = fixture_cache("a");
    const trial_table *b;
    json_t *a = fixture_answer(c, "parameters", "points", "50", NULL);
    check_ok(cache_trials(c, &b, &error));
    assert_int_equal(fixture_count(a, "trials"), 320); /* not those that run */
    assert_int_equal(fixture_count(a, "shown"), 50);
    json_t *trials = fixture_at(a, "columns.trial");
    check_lengths(fixture_at(a, "columns.params"), 50);
    int failed = 0;
    for (size_t i = 0; i < 50; i++) {
        size_t trial = (size_t)json_integer_value(json_array_get(trials, i));
        if (i > 0) assert_true(json_integer_value(json_array_get(trials, i - 1)) < (json_int_t)trial);
        assert_true(b->rows[trial - 1].state != LOCBO_RUNNING);
        failed += b->rows[trial - 1].state == LOCBO_STATE_FAILED;
        check_same(json_number_value(json_array_get(fixture_at(a, "columns.params.rate"), i)),
                   b->x[4 * (trial - 1) + 1]);
    }
    assert_true(failed > 0);
    for (size_t i = 0; i < 300; i++) {
        size_t better = 0;
        for (size_t k = 0; k < 300; k++) better += b->rows[k].value > b->rows[i].value;
        if (better < 25) check_that(lists(trials, i + 1), "trial %zu, the %zuth best, is lost", i + 1, better);
    }
    json_decref(a);
    a = fixture_answer(c, "parameters", NULL);
    assert_int_equal(fixture_count(a, "shown"), 320);
    assert_string_equal(fixture_text(a, "parameters.3.name"), "mode");
    assert_true(json_is_string(fixture_at(a, "columns.params.mode.0")));
    json_decref(a);
    cache_close(c);
    locbo_study_close(s);
}

/* ---- one trial --------------------------------------------------------------------------------- */

static void a_trial_is_shown_with_its_output(void **state) {
    (void)state;
    draw r = draw_open(8, 1);
    locbo_study *s = fixture_study("a", NULL);
    fixture_play(s, 10, &r);
    enum { LONG = 200000 };
    char *out = malloc(LONG), path[32];
    for (size_t i = 0; i < LONG; i++) out[i] = "\xc3\xa9"[i % 2]; /* two bytes each */
    locbo_output o = {
        .out = out, .err = "bad\xff\n", .out_size = LONG - 1, .err_size = 5, .exit_code = -9, .seconds = 1.5};
    check_ok(locbo_study_keep_output(s, 10, 1, &o, &error));
    cache *c = fixture_cache("a");
    json_t *a = fixture_answer(c, "trial", "number", "10", NULL);
    assert_int_equal(fixture_count(a, "trial"), 10);
    assert_true(json_is_boolean(fixture_at(a, "miss")));
    check_close(fixture_real(a, "level"), 0.8, 1e-15, 0); /* 1 - 0.2 rounded */
    assert_int_equal(json_array_size(fixture_at(a, "outputs")), 1);
    assert_int_equal(fixture_count(a, "outputs.0.exit_code"), -9);
    assert_int_equal(fixture_count(a, "outputs.0.out_bytes"), LONG - 1);
    assert_int_equal(fixture_count(a, "outputs.0.err_bytes"), 5);
    assert_string_equal(fixture_text(a, "outputs.0.err"), "bad\xef\xbf\xbd\n");
    /* the end of it, from a whole character on; the last byte is half a one */
    const char *shown = fixture_text(a, "outputs.0.out");
    assert_true(strlen(shown) <= 65536 + 2 && strlen(shown) > 65530);
    assert_int_equal((unsigned char)shown[0], 0xc3);
    snprintf(path, sizeof path, "measurements.0.value");
    check_same(fixture_real(a, path), fixture_real(a, "value"));
    json_decref(a);
    a = fixture_answer(c, "trial", "number", "1", NULL);
    assert_true(json_is_null(fixture_at(a, "miss")));
    check_empty(a, "outputs");
    json_decref(a);
    free(out);
    cache_close(c);
    locbo_study_close(s);
}

/* ---- all studies ------------------------------------------------------------------------------- */

static json_t *studies(void) {
    json_t *answer = NULL;
    check_ok(view_studies(own_store, 1, &answer, &error));
    return answer;
}

static void every_study_has_a_row(void **state) {
    (void)state;
    draw r = draw_open(11, 1);
    json_t *a = studies();
    check_empty(a, "studies");
    json_decref(a);
    locbo_study *s = fixture_study("a", "method", "random", NULL);
    fixture_play(s, 4, &r);
    locbo_study_close(s);
    locbo_study_close(fixture_study("b", "direction", "maximize", NULL));
    a = studies();
    assert_int_equal(json_array_size(fixture_at(a, "studies")), 2);
    assert_int_equal(fixture_count(a, "studies.0.complete"), 4);
    assert_string_equal(fixture_text(a, "studies.1.direction"), "maximize");
    assert_true(json_is_null(fixture_at(a, "studies.1.best")));
    json_decref(a);
}

/* A study that cannot be read has a row with the error; the others are not affected. */
static void a_broken_study_breaks_no_other(void **state) {
    (void)state;
    static const char *const broken[] = {
        "UPDATE locbo_study SET definition = '{}' WHERE name = 'b'",
        "UPDATE locbo_study SET definition = replace(definition, '\"options\":{',"
        " '\"options\":{\"newer\":\"yes\",') WHERE name = 'b'",
        "UPDATE locbo_study SET plan = '[' WHERE name = 'b'",
    };
    static const char *const names[] = {"a", "b", "c"};
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        for (int k = 0; k < 3; k++) locbo_study_close(fixture_study(names[k], NULL));
        fixture_sql(broken[i]);
        json_t *a = studies();
        assert_int_equal(json_array_size(fixture_at(a, "studies")), 3);
        for (size_t k = 0; k < 3; k++) {
            json_t *row = json_array_get(fixture_at(a, "studies"), k);
            assert_string_equal(fixture_text(row, "name"), names[k]);
            assert_int_equal(json_object_size(row), k == 1 ? 2 : 16);
        }
        check_that(strlen(fixture_text(a, "studies.1.error")) > 10, "no reason");
        json_decref(a);
        for (int k = 0; k < 3; k++) check_ok(locbo_study_delete(own_store, names[k], &error));
    }
}

/* If nothing can be read at all, that is an error and no list of errors. */
static void a_broken_database_is_an_error(void **state) {
    (void)state;
    json_t *answer = NULL;
    locbo_study_close(fixture_study("a", NULL));
    fixture_sql("ALTER TABLE locbo_study RENAME TO elsewhere");
    check_fails(view_studies(own_store, 0, &answer, &error), LOCBO_ERR_IO, "locbo_study");
    assert_null(answer);
    fixture_sql("ALTER TABLE elsewhere RENAME TO locbo_study");
    json_decref(studies());
}

#define with_fixture(test) cmocka_unit_test_setup_teardown(test, own_store_open, own_store_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        with_fixture(an_empty_study_has_answers),
        with_fixture(wrong_questions_are_refused),
        with_fixture(a_deleted_study_is_said_to_be),
        with_fixture(what_is_not_there_yet_is_an_answer),
        with_fixture(the_model_follows_the_results),
        with_fixture(there_is_a_limit_to_the_exact_model),
        with_fixture(the_overview_counts),
        with_fixture(coverage_and_bounds_by_origin),
        with_fixture(the_rate_does_not_count_pauses),
        with_fixture(budgets_are_rules),
        with_fixture(the_rate_is_that_of_late),
        with_fixture(workers_are_told_apart),
        with_fixture(the_definition_keeps_the_order),
        with_fixture(the_history_has_every_trial),
        with_fixture(a_long_history_keeps_its_extremes),
        with_fixture(calibration_adds_up),
        with_fixture(a_part_of_the_history),
        with_fixture(the_best_of_replicates),
        with_fixture(the_best_half_is_shown),
        with_fixture(a_trial_is_shown_with_its_output),
        with_fixture(every_study_has_a_row),
        with_fixture(a_broken_study_breaks_no_other),
        with_fixture(a_broken_database_is_an_error),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
