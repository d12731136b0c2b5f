/* Studies with a fidelity parameter: what counts, what evaluations have cost, and the budget. Runs on SQLite files of
 * its own, or on the database of LOCBO_TEST_DB (tests/with-postgres). */
#include <locbo/study.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>

#include "own_study.h"
#include "belief.h"
#include "definition.h"
#include "mem.h"

enum { DIM = 3 };
static const char *const WORDS[] = {"a", "b"};

/* ---- set-up ------------------------------------------------------------------------------------ */

/* `high` 0: no fidelity. */
static locbo_space *make_space(double high, const char *cost) {
    locbo_space *space;
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_real(space, "x", 0, 1, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_categorical(space, "word", 2, WORDS, &error));
    const locbo_parameter_spec epochs = {.struct_size = sizeof epochs,
                                         .name = "epochs",
                                         .kind = LOCBO_INT,
                                         .scale = LOCBO_LOG,
                                         .low = 1,
                                         .high = high > 0 ? high : 27,
                                         .has_past = 1,
                                         .past = 27,
                                         .fidelity = high > 0};
    check_ok(locbo_space_add(space, &epochs, &error));
    check_ok(locbo_space_set_cost(space, cost, &error));
    return space;
}

static locbo_options make_options(void) {
    locbo_options options;
    locbo_options_init(&options);
    options.initial = 4;
    options.seed = 3;
    return options;
}

static locbo_study *make_study(const char *name, double high, const char *cost, double budget) {
    locbo_space *space = make_space(high, cost);
    locbo_options options = make_options();
    locbo_plan plan;
    locbo_plan_init(&plan);
    plan.budget = budget;
    return own_study_create(name, space, &options, &plan);
}

static int open_scene(void **state) {
    if (own_store_open(state) != 0) return -1;
    study = make_study("a", 27, "2 * epochs", (double)NAN);
    return 0;
}

static double measure(const double *x) { return pow(x[0] - 0.4, 2) + 0.1 * x[1] + 0.5 / x[2]; }

/* Evaluate this point. */
static uint64_t evaluate(locbo_study *s, double x, double epochs, double value) {
    uint64_t trial;
    double at[DIM];
    check_ok(locbo_study_enqueue(s, (double[]){x, 0, epochs}, &trial, &error));
    assert_int_equal(ask(s, at), trial);
    tell(s, trial, value);
    return trial;
}

static void play(locbo_study *s, int rounds) {
    double x[DIM];
    for (int i = 0; i < rounds; i++) {
        uint64_t trial = ask(s, x);
        tell(s, trial, measure(x));
    }
}

/* ---- the definition ---------------------------------------------------------------------------- */

static void stored(void **state) {
    (void)state;
    locbo_study *again;
    locbo_definition d = {.struct_size = sizeof d};
    check_ok(locbo_study_open(&again, own_store, "a", &error));
    check_ok(locbo_study_definition(again, &d, &error));
    assert_int_equal(locbo_space_fidelity(d.space), 2);
    assert_string_equal(locbo_space_cost(d.space), "2 * epochs");
    check_ok(locbo_study_compare(study, &d, &error));
    locbo_study_close(again);
}

static void differs(void **state) {
    (void)state;
    locbo_options options = make_options();
    const struct {
        double high;
        const char *cost, *words;
    } cases[] = {{0, "2 * epochs", "parameter epochs differs: the fidelity in the study, not the fidelity given"},
                 {81, "2 * epochs", "parameter epochs differs: [1, 27] in the study, [1, 81] given"},
                 {27, NULL, "the cost differs: 2 * epochs in the study, measured given"},
                 {27, "epochs", "the cost differs: 2 * epochs in the study, epochs given"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        locbo_space *space = make_space(cases[i].high, cases[i].cost);
        locbo_definition d = {.struct_size = sizeof d, .space = space, .options = &options};
        check_fails(locbo_study_compare(study, &d, &error), LOCBO_ERR_STATE, cases[i].words);
        locbo_space_destroy(space);
    }
}

/* A study without both is stored as it always was. */
static void plain_texts(void **state) {
    (void)state;
    locbo_space *space = make_space(0, NULL);
    locbo_options options = make_options();
    locbo_definition d = {.struct_size = sizeof d, .space = space, .options = &options};
    char *text;
    check_ok(definition_write(&d, &text, &error));
    assert_null(strstr(text, "\"fidelity\":true"));
    assert_null(strstr(text, "\"cost\""));
    mem_free(text);
    locbo_space_destroy(space);
}

static void refused(void **state) {
    (void)state;
    locbo_options options = make_options();
    locbo_space *space = make_space(27, "epochs - 5");
    locbo_study *made;
    locbo_plan plan;
    locbo_definition d = {.struct_size = sizeof d, .space = space, .options = &options};
    check_fails(locbo_study_create(&made, own_store, "b", &d, NULL, &error), LOCBO_ERR_ARGUMENT,
                "cost 'epochs - 5' must be positive and finite, got -4");
    check_ok(locbo_space_set_cost(space, NULL, &error));
    locbo_plan_init(&plan);
    plan.budget = 0;
    check_fails(locbo_study_create(&made, own_store, "b", &d, &plan, &error), LOCBO_ERR_ARGUMENT,
                "budget must be positive, got 0");
    plan.budget = INFINITY;
    check_fails(locbo_study_create(&made, own_store, "b", &d, &plan, &error), LOCBO_ERR_ARGUMENT, "budget must be");
    locbo_space_destroy(space);
}

/* ---- what counts ------------------------------------------------------------------------------- */

/* The last five proposals of the model at full fidelity, the newest first. */
struct promised {
    int count, skipped;
    double most;
};

static int take_promise(const locbo_record *r, void *user) {
    struct promised *p = user;
    if (r->trial.origin != LOCBO_ORIGIN_MODEL || p->count == 5) return 0;
    if (r->x[2] < 27) return (p->skipped++, 0);
    const locbo_belief *b = &r->trial.belief;
    double gain = exp(b->acquisition);
    if (belief_is_bent(b)) gain *= b->sd_f / b->unit_f;
    p->count++;
    p->most = fmax(p->most, gain);
    return 0;
}

static void full_counts(void **state) {
    (void)state;
    locbo_optimizer *o;
    locbo_choice best;
    locbo_plan plan;
    double x[DIM];
    evaluate(study, 0.1, 3, -9);
    locbo_census c = census_of(study);
    assert_int_equal(c.best_trial, 0);
    assert_true(isnan(c.best_value));
    uint64_t full = evaluate(study, 0.2, 27, 5);
    evaluate(study, 0.3, 26, -7);
    evaluate(study, 0.2, 27, 4);
    c = census_of(study);
    assert_int_equal(c.best_trial, full);
    check_same(c.best_value, 4.5);
    assert_int_equal(c.best_count, 2);
    assert_int_equal(c.since_best, 1); /* of the two after it one is below */
    check_ok(locbo_study_optimizer(study, &o, &error));
    check_ok(locbo_optimizer_best(o, &best, x, &error));
    assert_int_equal(best.trial, full);
    check_same(best.value, c.best_value);
    check_same(x[2], 27);
    /* a target is reached at full fidelity only */
    locbo_plan_init(&plan);
    plan.target = 0;
    assert_int_equal(locbo_study_end(study, &plan, &c), LOCBO_END_NOT);
    plan.target = 4.6;
    assert_int_equal(locbo_study_end(study, &plan, &c), LOCBO_END_TARGET);
}

/* What the model promised below full fidelity says nothing. */
static void gain_of_full(void **state) {
    (void)state;
    locbo_plan plan;
    locbo_filter newest = {.struct_size = sizeof newest, .newest_first = 1};
    locbo_plan_init(&plan);
    plan.expected_gain = 1e-9;
    check_ok(locbo_study_set_plan(study, &plan, &error));
    play(study, 6);
    for (int i = 0; i < 40 && isnan(census_of(study).expected_gain); i++) {
        const double fixed[DIM] = {(double)NAN, (double)NAN, i % 2 ? 27 : 3};
        locbo_request request = {.struct_size = sizeof request, .fixed = fixed};
        locbo_assignment a;
        double x[DIM];
        check_ok(locbo_study_ask(study, &request, &a, x, &error));
        tell(study, a.trial, measure(x));
    }
    struct promised p = {0};
    check_ok(locbo_study_each(study, &newest, take_promise, &p, &error));
    assert_int_equal(p.count, 5);
    assert_true(p.skipped > 0);
    check_same(census_of(study).expected_gain, p.most);
}

static void recommended_full(void **state) {
    (void)state;
    locbo_optimizer *o;
    locbo_choice chosen;
    double x[DIM];
    play(study, 8);
    check_ok(locbo_study_optimizer(study, &o, &error));
    check_ok(locbo_optimizer_recommend(o, &chosen, x, &error));
    check_same(x[2], 27);
}

/* ---- cost -------------------------------------------------------------------------------------- */

static void cost_by_expression(void **state) {
    (void)state;
    const double x[] = {0.7, 1, 27};
    const locbo_measurement m = {1, (double)NAN, 1};
    double at[DIM];
    uint64_t trial;
    check_same(census_of(study).cost, 0);
    evaluate(study, 0.1, 3, 1);
    evaluate(study, 0.2, 27, 1);
    locbo_census c = census_of(study);
    check_same(c.cost, 60);
    check_same(c.cost_below, 6);
    check_same(c.cost_expected, 0);
    check_ok(locbo_study_import(study, 1, x, &m, NULL, &error)); /* cost nothing */
    check_ok(locbo_study_enqueue(study, (double[]){0.3, 0, 9}, &trial, &error));
    c = census_of(study);
    check_same(c.cost, 60);
    check_same(c.cost_expected, 18);
    assert_int_equal(ask(study, at), trial);
    check_ok(locbo_study_tell_failed(study, trial, 0, "no", &error));
    c = census_of(study);
    check_same(c.cost, 78);
    check_same(c.cost_below, 24);
    check_same(c.cost_expected, 0);
}

static double sum;
static int add_seconds(const locbo_record *r, void *user) {
    *(double *)user += r->state == LOCBO_COMPLETE ? r->ended - r->started : 0;
    return 0;
}

/* The time from start to end, which the optimizer is told. */
static void cost_by_time(void **state) {
    (void)state;
    locbo_study *s = make_study("seconds", 27, NULL, (double)NAN);
    locbo_optimizer *o;
    char *text;
    double x[DIM];
    for (int i = 0; i < 3; i++) {
        uint64_t trial = ask(s, x);
        usleep(20000);
        tell(s, trial, measure(x));
    }
    sum = 0;
    check_ok(locbo_study_each(s, NULL, add_seconds, &sum, &error));
    locbo_census c = census_of(s);
    check_close(c.cost, sum, 0, 1e-9); /* the same sum, maybe in another order */
    assert_true(c.cost > 0.06);
    assert_true(c.cost_below >= 0 && c.cost_below <= c.cost);
    ask(s, x);
    assert_true(census_of(s).cost_expected > 0);
    check_ok(locbo_study_optimizer(s, &o, &error));
    check_ok(locbo_optimizer_save(o, &text, NULL, &error));
    assert_non_null(strstr(text, "\"cost\""));
    locbo_free(text);
    locbo_study_close(s);
    /* without a fidelity it is the same sum */
    s = make_study("plain", 0, NULL, (double)NAN);
    uint64_t trial = ask(s, x);
    usleep(20000);
    tell(s, trial, 1);
    ask(s, x);
    sum = 0;
    check_ok(locbo_study_each(s, NULL, add_seconds, &sum, &error));
    c = census_of(s);
    check_close(c.cost, sum, 0, 1e-9);
    check_close(c.cost_expected, c.cost, 0, 1e-9);
    assert_true(isnan(c.cost_below));
    locbo_study_close(s);
}

/* An evaluation that was ended early costs what its steps have. */
static void cost_of_ended(void **state) {
    (void)state;
    locbo_plan plan;
    uint64_t trial;
    double at[DIM];
    int end = 0;
    locbo_plan_init(&plan);
    plan.prune = LOCBO_PRUNE_MEDIAN;
    check_ok(locbo_study_set_plan(study, &plan, &error));
    for (int i = 0; i < 6; i++) {
        check_ok(locbo_study_enqueue(study, (double[]){0.1 * i, 0, 27}, &trial, &error));
        ask(study, at);
        for (uint64_t t = 1; t <= 27; t++) report_one(study, trial, t, 1.0 / (double)t);
        tell(study, trial, 1.0 / 27);
    }
    check_same(census_of(study).cost, 6 * 54);
    check_ok(locbo_study_enqueue(study, (double[]){0.9, 0, 27}, &trial, &error));
    ask(study, at);
    uint64_t step = 0;
    while (!end && step < 26) end = report_one(study, trial, ++step, 50);
    assert_true(end);
    locbo_census c = census_of(study);
    check_same(c.cost, 6 * 54 + 2 * (double)step);
    check_same(c.cost_below, 2 * (double)step);
}

/* ---- the budget -------------------------------------------------------------------------------- */

static void budget(void **state) {
    (void)state;
    locbo_study *s = make_study("budget", 27, "epochs", 100);
    locbo_assignment a;
    locbo_plan plan = {.struct_size = sizeof plan};
    double x[DIM], spent = 0;
    uint64_t trial;
    locbo_status status;
    locbo_error why;
    while ((status = locbo_study_ask(s, NULL, &a, x, &why)) == LOCBO_OK) {
        assert_true(spent < 100);
        spent += x[2];
    }
    assert_int_equal(status, LOCBO_ERR_NOTHING); /* what runs counts as expected */
    assert_non_null(strstr(why.message, "the study 'budget' has its budget of 100, spent or under way"));
    locbo_census c = census_of(s);
    check_same(c.cost_expected, spent);
    check_ok(locbo_study_plan(s, &plan, &error));
    assert_int_equal(locbo_study_end(s, &plan, &c), LOCBO_END_NOT);
    for (uint64_t k = 1; k <= c.trials; k++) tell(s, k, 1);
    /* a point in the queue is evaluated all the same */
    check_ok(locbo_study_enqueue(s, (double[]){0.5, 0, 27}, &trial, &error));
    c = census_of(s);
    assert_int_equal(locbo_study_end(s, &plan, &c), LOCBO_END_NOT);
    assert_int_equal(ask(s, x), trial);
    tell(s, trial, 1);
    c = census_of(s);
    check_same(c.cost, spent + 27);
    assert_int_equal(locbo_study_end(s, &plan, &c), LOCBO_END_BUDGET);
    locbo_request more = {.struct_size = sizeof more, .more = 1};
    check_ok(locbo_study_ask(s, &more, &a, x, &error));
    plan.budget = 1000;
    check_ok(locbo_study_set_plan(s, &plan, &error));
    ask(s, x);
    locbo_study_close(s);
}

/* A budget of the caller's own, beside that of the plan: the smaller one holds. */
static void budget_of_one(void **state) {
    (void)state;
    locbo_study *s = make_study("own", 27, "epochs", 100);
    locbo_request less = {.struct_size = sizeof less, .budget = 40}, more = less, any = less;
    locbo_assignment a;
    double x[DIM];
    more.budget = 1000, any.budget = (double)NAN;
    evaluate(s, 0.1, 27, 1);
    evaluate(s, 0.2, 13, 1);
    check_fails(locbo_study_ask(s, &less, &a, x, &error), LOCBO_ERR_NOTHING,
                "has its budget of 40, spent or under way");
    evaluate(s, 0.3, 27, 1);
    evaluate(s, 0.4, 27, 1);
    check_ok(locbo_study_ask(s, NULL, &a, x, &error));
    tell(s, a.trial, 1);
    evaluate(s, 0.5, 6, 1);
    check_fails(locbo_study_ask(s, &more, &a, x, &error), LOCBO_ERR_NOTHING, "has its budget of 100, spent");
    check_fails(locbo_study_ask(s, &any, &a, x, &error), LOCBO_ERR_NOTHING, "has its budget of 100, spent");
    less.more = 1;
    check_ok(locbo_study_ask(s, &less, &a, x, &error));
    for (int i = 0; i < 2; i++) {
        any.budget = i ? -1 : (double)INFINITY;
        check_fails(locbo_study_ask(s, &any, &a, x, &error), LOCBO_ERR_ARGUMENT, "budget must be positive, got");
    }
    locbo_study_close(s);
}

/* In a process of its own: ask and tell until this budget is spent. */
static void spend(double budget) {
    locbo_store *own;
    locbo_study *s;
    locbo_error e;
    locbo_assignment a;
    locbo_status status;
    double x[DIM];
    locbo_request r = {.struct_size = sizeof r, .lease = 100, .budget = budget};
    if (locbo_store_open(&own, own_url, LOCBO_STORE_EXISTING, &e) != LOCBO_OK) _exit(10);
    if (locbo_study_open(&s, own, "a", &e) != LOCBO_OK) _exit(11);
    while ((status = locbo_study_ask(s, &r, &a, x, &e)) == LOCBO_OK) {
        locbo_measurement m = {measure(x), (double)NAN, 1};
        if (locbo_study_tell(s, a.trial, a.attempt, 1, &m, &e) != LOCBO_OK) _exit(12);
    }
    _exit(status == LOCBO_ERR_NOTHING ? 0 : 13);
}

static int take_cost(const locbo_record *r, void *user) {
    *(double *)user = 2 * r->x[2];
    return 1;
}

/* Many ask for the last trial of a budget at the same time, repeatedly: one of them gets it. */
static void many_keep_to_a_budget(void **state) {
    (void)state;
    enum { WORKERS = 4 };
    for (double budget = 50; budget <= 500; budget += 50) {
        pid_t pids[WORKERS];
        fflush(NULL);
        for (int i = 0; i < WORKERS; i++)
            if ((pids[i] = fork()) == 0) spend(budget);
        for (int i = 0; i < WORKERS; i++) {
            int status;
            assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
            assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        }
        locbo_filter last = {.struct_size = sizeof last, .newest_first = 1, .limit = 1};
        double cost = 0;
        check_ok(locbo_study_each(study, &last, take_cost, &cost, &error));
        locbo_census c = census_of(study);
        assert_true(c.cost >= budget && c.cost - cost < budget);
        assert_int_equal(c.state[LOCBO_COMPLETE], c.trials);
    }
}

/* ---- the same bits ------------------------------------------------------------------------------ */

/* Copies go on alike, whether the cost is an expression or was measured. */
static void copies_go_on(void **state) {
    (void)state;
    const char *const costs[] = {"epochs", NULL};
    for (int i = 0; i < 2; i++) {
        locbo_study *s = make_study("original", 27, costs[i], (double)NAN), *copy;
        double x[DIM], y[DIM];
        play(s, 7);
        locbo_study_delete(own_store, "copy", NULL);
        check_ok(locbo_study_copy(&copy, s, own_store, "copy", 1, &error));
        locbo_census c = census_of(s), d = census_of(copy);
        check_same(c.cost, d.cost);
        check_same(c.best_value, d.best_value);
        assert_int_equal(ask(s, x), ask(copy, y));
        for (int j = 0; j < DIM; j++) check_same(x[j], y[j]);
        locbo_study_close(copy);
        locbo_study_close(s);
    }
}

/* ---- another fidelity --------------------------------------------------------------------------- */

static void give(locbo_study *s, double high, const char *cost, locbo_alteration *effect) {
    locbo_space *space = make_space(high, cost);
    locbo_options options = make_options();
    locbo_definition d = {.struct_size = sizeof d, .space = space, .options = &options};
    check_ok(locbo_study_alter(s, &d, NULL, NULL, 0, effect, &error));
    locbo_space_destroy(space);
}

/* With the upper end higher, results at the old one are of a lower fidelity. */
static void upper_end_moved(void **state) {
    (void)state;
    locbo_alteration effect;
    play(study, 6);
    evaluate(study, 0.5, 27, -1);
    check_same(census_of(study).best_value, -1);
    give(study, 81, "2 * epochs", &effect);
    assert_int_equal(effect.outside, 0);
    assert_true(effect.fits > 0);
    locbo_census c = census_of(study);
    assert_int_equal(c.best_trial, 0);
    check_same(c.cost_below, c.cost);
    uint64_t trial = evaluate(study, 0.5, 81, -2);
    check_same(census_of(study).best_value, -2);
    play(study, 1);
    give(study, 27, "2 * epochs", &effect); /* back again: the result at 81 is outside */
    assert_true(effect.outside >= 1);
    c = census_of(study);
    assert_int_not_equal(c.best_trial, trial);
    check_same(c.best_value, -1);
    play(study, 1);
}

static void other_cost(void **state) {
    (void)state;
    locbo_alteration effect;
    play(study, 6);
    double cost = census_of(study).cost;
    give(study, 27, "4 * epochs", &effect);
    assert_int_equal(effect.fits, 0); /* the models are the same */
    check_same(census_of(study).cost, 2 * cost);
    play(study, 1);
}

/* A parameter becomes the fidelity, and is one no longer. */
static void becomes_fidelity(void **state) {
    (void)state;
    locbo_study *s = make_study("plain", 0, NULL, (double)NAN);
    evaluate(s, 0.1, 3, -9);
    uint64_t full = evaluate(s, 0.2, 27, 1);
    play(s, 4);
    check_same(census_of(s).best_value, -9);
    give(s, 27, "epochs", NULL);
    assert_int_equal(census_of(s).best_trial, full);
    play(s, 1);
    give(s, 0, NULL, NULL);
    check_same(census_of(s).best_value, -9);
    play(s, 1);
    locbo_study_close(s);
}

int main(void) {
#define with_scene(test) cmocka_unit_test_setup_teardown(test, open_scene, own_study_close)
    const struct CMUnitTest tests[] = {
        with_scene(stored),
        with_scene(differs),
        with_scene(plain_texts),
        with_scene(refused),
        with_scene(full_counts),
        with_scene(recommended_full),
        with_scene(gain_of_full),
        with_scene(cost_by_expression),
        with_scene(cost_by_time),
        with_scene(cost_of_ended),
        with_scene(budget),
        with_scene(copies_go_on),
        with_scene(upper_end_moved),
        with_scene(other_cost),
        with_scene(becomes_fidelity),
        with_scene(budget_of_one),
        with_scene(many_keep_to_a_budget),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
