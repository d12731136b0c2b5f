/* Studies: what is stored, which reports are refused, which proposals are the same to the bit. Runs on SQLite files of
 * its own, or on the database of LOCBO_TEST_DB (a PostgreSQL server of the test's own: tests/with-postgres). */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "own_store.h"
#include "mem.h"
#include "store.h"

/* ---- set-up ------------------------------------------------------------------------------------ */

static locbo_space *make_space(void) {
    locbo_space *space;
    const char *modes[] = {"plain", "it's; \"q\" {x}\n$(rm)", "'; DROP TABLE locbo_trial; --"};
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_real(space, "x", -5, 10, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_real(space, "rate", 1e-4, 1, LOCBO_LOG, &error));
    check_ok(locbo_space_add_int(space, "n", 1, 12, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_categorical(space, "mode", 3, modes, &error));
    return space;
}

static locbo_study *make_study(const char *name, void (*change)(locbo_options *)) {
    locbo_space *space = make_space();
    locbo_options options;
    locbo_study *study;
    locbo_options_init(&options);
    if (change) change(&options);
    const char *words[] = {"./sim", "--x={x}", "two words", "$(touch x)"};
    locbo_definition d = {
        .struct_size = sizeof d, .space = space, .options = &options, .command_count = 4, .command = words};
    check_ok(locbo_study_create(&study, own_store, name, &d, NULL, &error));
    locbo_space_destroy(space);
    return study;
}

static locbo_study *open_study(const char *name) {
    locbo_study *study;
    check_ok(locbo_study_open(&study, own_store, name, &error));
    return study;
}

static double objective(const double *x, uint64_t salt) {
    double noise = (double)((salt * 2654435761u) % 1000) / 1000 - 0.5;
    return pow(x[0] - 2, 2) / 10 + pow(log10(x[1]) + 2, 2) + fabs(x[2] - 6) / 4 + x[3] / 2 + noise / 5;
}

static locbo_assignment ask(locbo_study *study, double *x) {
    locbo_assignment a;
    check_ok(locbo_study_ask(study, NULL, &a, x, &error));
    return a;
}

static void tell(locbo_study *study, uint64_t trial, uint64_t attempt, double value) {
    locbo_measurement m = {value, (double)NAN, 1};
    check_ok(locbo_study_tell(study, trial, attempt, 1, &m, &error));
}

static void play(locbo_study *study, int rounds) {
    double x[4];
    for (int i = 0; i < rounds; i++) {
        locbo_assignment a = ask(study, x);
        tell(study, a.trial, a.attempt, objective(x, a.trial));
    }
}

typedef struct seen {
    size_t count;
    locbo_record last;
    double x[4], values[8];
    char worker[128], message[128];
} seen;

static int keep_record(const locbo_record *r, void *user) {
    seen *s = user;
    s->count++;
    s->last = *r;
    memcpy(s->x, r->x, sizeof s->x);
    for (size_t i = 0; i < r->count && i < 8; i++) s->values[i] = r->measurements[i].value;
    snprintf(s->worker, sizeof s->worker, "%s", r->worker);
    snprintf(s->message, sizeof s->message, "%s", r->message);
    return 0;
}

static seen look(locbo_study *study, uint64_t trial) {
    seen s = {0};
    locbo_filter f = {.struct_size = sizeof f, .first = trial, .limit = 1};
    check_ok(locbo_study_each(study, &f, keep_record, &s, &error));
    assert_int_equal(s.count, 1);
    assert_int_equal(s.last.trial.id, trial);
    return s;
}

static locbo_census census(locbo_study *study) {
    locbo_census c;
    check_ok(locbo_study_census(study, &c, &error));
    return c;
}

/* ---- definition -------------------------------------------------------------------------------- */

static void a_study_is_what_it_was_made(void **state) {
    (void)state;
    const char *name = "na\"me '; DROP TABLE locbo_study; --\n$(x) {y} \xc3\xa9";
    locbo_study *a = make_study(name, NULL);
    locbo_study *b = open_study(name);
    locbo_definition d = {.struct_size = sizeof d};
    check_ok(locbo_study_definition(b, &d, &error));
    assert_string_equal(locbo_study_name(b), name);
    check_ok(locbo_study_compare(a, &d, &error));
    assert_int_equal(d.command_count, 4);
    assert_string_equal(d.command[3], "$(touch x)");
    locbo_parameter p;
    check_ok(locbo_space_parameter(d.space, 3, &p, &error));
    assert_string_equal(p.categories[1], "it's; \"q\" {x}\n$(rm)");
    locbo_study_close(b);
    locbo_study_close(a);
    a = open_study(NULL); /* the only study */
    locbo_study_close(a);
    locbo_study_close(make_study("second", NULL));
    check_fails(locbo_study_open(&a, own_store, NULL, &error), LOCBO_ERR_NOT_FOUND, "name one");
    check_fails(locbo_study_open(&a, own_store, "third", &error), LOCBO_ERR_NOT_FOUND, "'third'");
    check_ok(locbo_study_delete(own_store, "second", &error));
    check_fails(locbo_study_delete(own_store, "second", &error), LOCBO_ERR_NOT_FOUND, "'second'");
}

static void mistakes_are_named(void **state) {
    (void)state;
    locbo_study *a = make_study("a", NULL), *b;
    locbo_definition d = {.struct_size = sizeof d};
    check_ok(locbo_study_definition(a, &d, &error));
    check_fails(locbo_study_create(&b, own_store, "a", &d, NULL, &error), LOCBO_ERR_STATE, "'a' exists already");
    check_fails(locbo_study_create(&b, own_store, "", &d, NULL, &error), LOCBO_ERR_ARGUMENT, "empty");
    check_fails(locbo_study_create(&b, own_store, "\xff", &d, NULL, &error), LOCBO_ERR_ARGUMENT, "UTF-8");
    locbo_plan plan;
    locbo_plan_init(&plan);
    plan.lease = -1;
    check_fails(locbo_study_create(&b, own_store, "b", &d, &plan, &error), LOCBO_ERR_ARGUMENT, "lease");
    locbo_measurement m = {(double)NAN, (double)NAN, 1};
    check_fails(locbo_study_tell(a, 1, 0, 1, &m, &error), LOCBO_ERR_ARGUMENT, "finite");
    m.value = 1;
    m.sd = -1;
    check_fails(locbo_study_tell(a, 1, 0, 1, &m, &error), LOCBO_ERR_ARGUMENT, "sd");
    m.sd = 1;
    check_fails(locbo_study_tell(a, 1, 0, 1, &m, &error), LOCBO_ERR_NOT_FOUND, "no trial 1");
    check_fails(locbo_study_tell_failed(a, 7, 0, NULL, &error), LOCBO_ERR_NOT_FOUND, "no trial 7");
    check_fails(locbo_study_beat(a, 7, 1, 10, &error), LOCBO_ERR_NOT_FOUND, "no trial 7");
    check_fails(locbo_study_beat(a, 7, 1, 0, &error), LOCBO_ERR_ARGUMENT, "lease");
    assert_int_equal(census(a).events, 0);
    locbo_study_close(a);
}

/* Sizes of settings structs that are refused: see struct_size in locbo.h. */
static void wrong_sizes_are_refused(void **state) {
    (void)state;
    locbo_study *a = make_study("a", NULL), *b;
    const size_t late = 8, wrong[] = {0, 7, sizeof(size_t) + 3, SIZE_MAX}; /* late: what is added to our own size */
    locbo_assignment got;
    double x[4];
    seen s = {0};
    for (size_t i = 0; i < 5; i++) {
#define WRONG(type) (i < 4 ? wrong[i] : sizeof(type) + late)
        locbo_definition d = {.struct_size = WRONG(locbo_definition)};
        locbo_plan plan;
        locbo_plan_init(&plan);
        plan.struct_size = WRONG(locbo_plan);
        locbo_request request = {.struct_size = WRONG(locbo_request)};
        locbo_filter filter = {.struct_size = WRONG(locbo_filter)};
        check_fails(locbo_study_definition(a, &d, &error), LOCBO_ERR_ARGUMENT, "definition: struct_size");
        check_fails(locbo_study_compare(a, &d, &error), LOCBO_ERR_ARGUMENT, "definition: struct_size");
        check_fails(locbo_study_create(&b, own_store, "b", &d, NULL, &error), LOCBO_ERR_ARGUMENT,
                    "definition: struct_size");
        check_fails(locbo_study_plan(a, &plan, &error), LOCBO_ERR_ARGUMENT, "plan: struct_size");
        check_fails(locbo_study_set_plan(a, &plan, &error), LOCBO_ERR_ARGUMENT, "plan: struct_size");
        check_fails(locbo_study_ask(a, &request, &got, x, &error), LOCBO_ERR_ARGUMENT, "request: struct_size");
        check_fails(locbo_study_each(a, &filter, keep_record, &s, &error), LOCBO_ERR_ARGUMENT, "filter: struct_size");
        d = (locbo_definition){.struct_size = sizeof d};
        check_ok(locbo_study_definition(a, &d, &error));
        check_fails(locbo_study_create(&b, own_store, "b", &d, &plan, &error), LOCBO_ERR_ARGUMENT, "plan: struct_size");
        locbo_options options = *d.options;
        options.struct_size = WRONG(locbo_options);
        d.options = &options;
        check_fails(locbo_study_compare(a, &d, &error), LOCBO_ERR_ARGUMENT, "options: struct_size");
    }
    assert_int_equal(census(a).trials, 0);
    locbo_study_close(a);
}

/* The structs of an older header: what they lack has its default, and is neither read nor written. */
static void older_settings_are_understood(void **state) {
    (void)state;
    locbo_study *a = make_study("a", NULL), *b;
    locbo_definition d = {.struct_size = sizeof d}, old = {.struct_size = offsetof(locbo_definition, command_count)};
    check_ok(locbo_study_definition(a, &d, &error));
    old.command_count = 99; /* beyond the end of an old one */
    check_ok(locbo_study_definition(a, &old, &error));
    assert_ptr_equal(old.space, d.space);
    assert_int_equal(old.command_count, 99);
    check_ok(locbo_study_compare(a, &old, &error));
    locbo_options options = *d.options;
    options.struct_size = offsetof(locbo_options, caution);
    options.caution = -5;
    old.options = &options;
    check_ok(locbo_study_compare(a, &old, &error));
    locbo_plan plan, full = {.struct_size = sizeof full};
    locbo_plan_init_sized(&plan, offsetof(locbo_plan, retries));
    assert_int_equal(plan.struct_size, offsetof(locbo_plan, retries));
    assert_true(isnan(plan.timeout));
    plan.trials = 1;
    plan.retries = 77;
    check_ok(locbo_study_create(&b, own_store, "b", &old, &plan, &error));
    check_ok(locbo_study_plan(b, &full, &error));
    assert_true(full.trials == 1 && full.retries == 3 && full.lease == 60);
    check_ok(locbo_study_set_plan(b, &plan, &error));
    check_ok(locbo_study_plan(b, &plan, &error));
    assert_true(plan.trials == 1 && plan.retries == 77);
    locbo_request request = {.struct_size = offsetof(locbo_request, limit), .limit = 5, .more = 1};
    locbo_assignment got;
    double x[4];
    check_ok(locbo_study_ask(b, &request, &got, x, &error));
    check_fails(locbo_study_ask(b, &request, &got, x, &error), LOCBO_ERR_NOTHING, "its 1 trials");
    locbo_filter filter = {.struct_size = sizeof(size_t), .states = 1u << LOCBO_COMPLETE, .first = 7};
    seen s = {0};
    check_ok(locbo_study_each(b, &filter, keep_record, &s, &error));
    assert_int_equal(s.count, 1);
    locbo_study_close(b);
    locbo_study_close(a);
}

static void differences_are_named(void **state) {
    (void)state;
    locbo_study *a = make_study("a", NULL);
    locbo_definition d = {.struct_size = sizeof d};
    locbo_options options;
    check_ok(locbo_study_definition(a, &d, &error));
    options = *d.options;
    options.alpha = 0.3;
    d.options = &options;
    check_fails(locbo_study_compare(a, &d, &error), LOCBO_ERR_STATE,
                "option alpha differs: 0.2 in the study, 0.3 given");
    options.alpha = 0.2;
    options.replicates = LOCBO_REPLICATES_ROWS;
    check_fails(locbo_study_compare(a, &d, &error), LOCBO_ERR_STATE,
                "option replicates differs: merged in the study, rows given");
    locbo_study *rows = NULL; /* as of a database that is older than the option, whose study file does not mention it */
    check_ok(locbo_study_create(&rows, own_store, "rows", &d, NULL, &error));
    options.replicates = LOCBO_REPLICATES_MERGED;
    check_ok(locbo_study_compare(rows, &d, &error));
    locbo_study_close(rows);
    options.remeasure = 0; /* the same of this option */
    check_fails(locbo_study_compare(a, &d, &error), LOCBO_ERR_STATE,
                "option remeasure differs: 0.15 in the study, 0 given");
    check_ok(locbo_study_create(&rows, own_store, "never again", &d, NULL, &error));
    options.remeasure = 0.15;
    check_ok(locbo_study_compare(rows, &d, &error));
    locbo_study_close(rows);
    const char *words[] = {"./other"};
    d.command = words;
    d.command_count = 1;
    check_fails(locbo_study_compare(a, &d, &error), LOCBO_ERR_STATE, "./other");
    d.command_count = 0;
    check_ok(locbo_study_compare(a, &d, &error));
    locbo_space *space;
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_real(space, "x", -5, 11, LOCBO_LINEAR, &error));
    d.space = space;
    check_fails(locbo_study_compare(a, &d, &error), LOCBO_ERR_STATE, "[-5, 10] in the study, [-5, 11] given");
    locbo_space_destroy(space);
    locbo_study_close(a);
}

/* Parameter of another kind, range or scale, missing, added, moved; value, option, word of the command. */
static void each_kind_of_difference_is_named(void **state) {
    (void)state;
    const char *ab[] = {"a", "b"}, *ac[] = {"a", "c"}, *words[] = {"./sim", "{x}", "--fast"}, *two[] = {"./sim", "{y}"};
    locbo_study *s;
    locbo_space *space, *spaces[8];
    for (int i = 0; i < 8; i++) { /* 0: the study's; the others differ from it in one way each */
        check_ok(locbo_space_create(&space, &error));
        if (i == 6) check_ok(locbo_space_add_categorical(space, "m", 2, ab, &error));
        if (i == 1)
            check_ok(locbo_space_add_int(space, "x", 1, 8, LOCBO_LINEAR, &error));
        else
            check_ok(
                locbo_space_add_real(space, "x", 1, i == 2 ? 0.1 + 8 : 8, i == 3 ? LOCBO_LOG : LOCBO_LINEAR, &error));
        if (i != 4 && i != 6)
            check_ok(locbo_space_add_categorical(space, "m", i == 7 ? 1 : 2, i == 5 ? ac : ab, &error));
        spaces[i] = space;
    }
    locbo_definition d = {
        .struct_size = sizeof d, .space = spaces[0], .command_count = 2, .command = (const char *const *)words};
    check_ok(locbo_study_create(&s, own_store, "differs", &d, NULL, &error));
    const char *said[] = {NULL,
                          "parameter x differs: float in the study, int given",
                          "parameter x differs: [1, 8] in the study, [1, 8.1] given",
                          "parameter x differs: float in the study, float (log) given",
                          "parameter m of the study is not given",
                          "value 2 of parameter m differs: 'b' in the study, 'c' given",
                          "the order of the parameters differs: x in the study, m given",
                          "value 2 of parameter m differs: 'b' in the study, none given"};
    for (int i = 1; i < 8; i++) {
        d.space = spaces[i];
        check_fails(locbo_study_compare(s, &d, &error), LOCBO_ERR_STATE, said[i]);
    }
    check_ok(locbo_space_add_int(spaces[0], "n", 1, 3, LOCBO_LINEAR, &error)); /* the study has its own copy */
    d.space = spaces[0];
    check_fails(locbo_study_compare(s, &d, &error), LOCBO_ERR_STATE, "parameter n is given and is not in the study");
    check_ok(locbo_study_definition(s, &d, &error));
    locbo_options options = *d.options;
    d.options = &options;
    d.command_count = 3;
    d.command = words;
    check_fails(locbo_study_compare(s, &d, &error), LOCBO_ERR_STATE,
                "word 3 of the command differs: none in the study, '--fast' given");
    d.command_count = 1;
    check_fails(locbo_study_compare(s, &d, &error), LOCBO_ERR_STATE,
                "word 2 of the command differs: '{x}' in the study, none given");
    d.command_count = 2;
    d.command = two;
    check_fails(locbo_study_compare(s, &d, &error), LOCBO_ERR_STATE,
                "word 2 of the command differs: '{x}' in the study, '{y}' given");
    options.direction = LOCBO_MAXIMIZE;
    check_fails(locbo_study_compare(s, &d, &error), LOCBO_ERR_STATE,
                "option direction differs: minimize in the study, maximize given");
    for (int i = 0; i < 8; i++) locbo_space_destroy(spaces[i]);
    locbo_study_close(s);
}

static void a_plan_may_change(void **state) {
    (void)state;
    locbo_study *a = make_study("a", NULL);
    locbo_plan plan = {.struct_size = sizeof plan};
    check_ok(locbo_study_plan(a, &plan, &error));
    assert_int_equal(plan.trials, 0);
    assert_true(isnan(plan.timeout));
    plan.trials = 60;
    plan.timeout = 0.1;
    check_ok(locbo_study_set_plan(a, &plan, &error));
    locbo_plan again = {.struct_size = sizeof again};
    check_ok(locbo_study_plan(a, &again, &error));
    assert_int_equal(again.trials, 60);
    check_same(again.timeout, 0.1);
    assert_true(isnan(again.target));
    check_ok(locbo_study_stop(a, "enough", &error));
    assert_int_equal(census(a).stopped, 1);
    assert_string_equal(census(a).stop_reason, "enough");
    check_ok(locbo_study_stop(a, NULL, &error));
    assert_int_equal(census(a).stopped, 0);
    locbo_study_close(a);
}

static void a_deleted_study_is_gone(void **state) {
    (void)state;
    locbo_study *a = make_study("a", NULL), *b = make_study("b", NULL);
    double x[4];
    play(a, 3);
    play(b, 2);
    check_ok(locbo_study_delete(own_store, "a", &error));
    assert_int_equal(census(b).measurements, 2);
    locbo_assignment got;
    check_fails(locbo_study_ask(a, NULL, &got, x, &error), LOCBO_ERR_NOT_FOUND, "deleted");
    locbo_measurement m = {1, (double)NAN, 1};
    check_fails(locbo_study_tell(a, 1, 0, 1, &m, &error), LOCBO_ERR_NOT_FOUND, "deleted");
    /* its id is not used again: a late worker would take the next study for its own */
    check_ok(locbo_study_delete(own_store, "b", &error));
    locbo_study *next = make_study("next", NULL);
    ask(next, x);
    check_fails(locbo_study_tell(a, 1, 1, 1, &m, &error), LOCBO_ERR_NOT_FOUND, "deleted");
    check_fails(locbo_study_tell(b, 1, 1, 1, &m, &error), LOCBO_ERR_NOT_FOUND, "deleted");
    assert_int_equal(census(next).measurements, 0);
    locbo_study_close(next);
    locbo_study_close(a);
    locbo_study_close(b);
}

/* ---- the same bits ----------------------------------------------------------------------------- */

static void random_seed(locbo_options *o) { o->seed = 77; }

/* A study that is closed and opened between any two calls proposes what one optimizer in memory does. */
static void a_study_equals_an_optimizer(void **state) {
    (void)state;
    enum { ROUNDS = 22 };
    locbo_study *study = make_study("same", random_seed);
    locbo_definition d = {.struct_size = sizeof d};
    locbo_optimizer *o;
    check_ok(locbo_study_definition(study, &d, &error));
    check_ok(locbo_optimizer_create(&o, d.space, d.options, &error));
    for (int i = 0; i < ROUNDS; i++) {
        double x[4], y[4];
        locbo_trial trial;
        locbo_assignment a = ask(study, x);
        check_ok(locbo_optimizer_ask(o, &trial, y, &error));
        assert_int_equal(a.trial, trial.id);
        assert_memory_equal(x, y, sizeof x);
        assert_int_equal(a.info.told, trial.told);
        assert_true(a.info.origin == trial.origin);
        assert_memory_equal(&a.info.belief, &trial.belief, sizeof trial.belief);
        locbo_study_close(study);
        study = open_study("same");
        if (i % 7 == 5) {
            check_ok(locbo_study_tell_infeasible(study, a.trial, a.attempt, "wall", &error));
            check_ok(locbo_optimizer_tell_infeasible(o, trial.id, &error));
        } else if (i % 7 == 6) {
            check_ok(locbo_study_tell_failed(study, a.trial, a.attempt, NULL, &error));
            check_ok(locbo_optimizer_tell_failed(o, trial.id, &error));
        } else {
            locbo_measurement m = {objective(x, a.trial), i % 3 ? (double)NAN : 0.01, 1u + i % 2u};
            check_ok(locbo_study_tell(study, a.trial, a.attempt, 1, &m, &error));
            check_ok(locbo_optimizer_tell(o, trial.id, &m, &error));
        }
    }
    locbo_optimizer *loaded;
    locbo_summary one, two;
    check_ok(locbo_study_optimizer(study, &loaded, &error));
    check_ok(locbo_optimizer_summary(loaded, &one, &error));
    check_ok(locbo_optimizer_summary(o, &two, &error));
    assert_int_equal(one.told, two.told);
    assert_int_equal(one.judged, two.judged);
    assert_int_equal(one.fits, two.fits);
    check_same(one.coverage, two.coverage);
    check_same(one.coverage_online, two.coverage_online);
    check_same(one.log_posterior, two.log_posterior);
    locbo_optimizer_destroy(o);
    locbo_study_close(study);
}

/* The same where the model works on a Box-Cox scale: fit, candidates and judgements come back with the same bits. */
static void a_scale_comes_back(void **state) {
    (void)state;
    locbo_study *study = make_study("same", random_seed);
    locbo_definition d = {.struct_size = sizeof d};
    locbo_optimizer *o, *loaded;
    int bent = 0;
    check_ok(locbo_study_definition(study, &d, &error));
    check_ok(locbo_optimizer_create(&o, d.space, d.options, &error));
    for (int i = 0; i < 22; i++) {
        double x[4], y[4];
        locbo_trial trial;
        locbo_assignment a = ask(study, x);
        check_ok(locbo_optimizer_ask(o, &trial, y, &error));
        assert_memory_equal(x, y, sizeof x);
        assert_memory_equal(&a.info.belief, &trial.belief, sizeof trial.belief);
        bent += !isnan(trial.belief.power);
        locbo_measurement m = {exp(2 * objective(x, a.trial)), i % 3 ? (double)NAN : 0.01, 1u + i % 2u};
        check_ok(locbo_study_tell(study, a.trial, a.attempt, 1, &m, &error));
        check_ok(locbo_optimizer_tell(o, trial.id, &m, &error));
    }
    check_that(bent > 5, "%d proposals on a Box-Cox scale", bent);
    char *one = NULL, *two = NULL;
    check_ok(locbo_study_optimizer(study, &loaded, &error));
    check_ok(locbo_optimizer_save(loaded, &one, NULL, &error));
    check_ok(locbo_optimizer_save(o, &two, NULL, &error));
    assert_string_equal(one, two);
    locbo_free(one);
    locbo_free(two);
    locbo_optimizer_destroy(o);
    locbo_study_close(study);
}

/* Several outstanding, told in another order. */
static void a_study_equals_an_optimizer_with_outstanding_trials(void **state) {
    (void)state;
    locbo_study *study = make_study("same", random_seed);
    locbo_definition d = {.struct_size = sizeof d};
    locbo_optimizer *o;
    double x[4][4], y[4];
    check_ok(locbo_study_definition(study, &d, &error));
    check_ok(locbo_optimizer_create(&o, d.space, d.options, &error));
    for (int i = 0; i < 7; i++) {
        locbo_assignment a[3];
        for (int k = 0; k < 3; k++) {
            locbo_trial trial;
            a[k] = ask(study, x[k]);
            check_ok(locbo_optimizer_ask(o, &trial, y, &error));
            assert_memory_equal(x[k], y, sizeof y);
            assert_int_equal(a[k].info.pending, trial.pending);
        }
        for (int k = 2; k >= 0; k--) {
            locbo_measurement m = {objective(x[k], a[k].trial), (double)NAN, 1};
            check_ok(locbo_study_tell(study, a[k].trial, a[k].attempt, 1, &m, &error));
            check_ok(locbo_optimizer_tell(o, a[k].trial, &m, &error));
        }
    }
    locbo_optimizer_destroy(o);
    locbo_study_close(study);
}

typedef struct copy {
    size_t records, fits;
    locbo_record record[64];
    locbo_fit fit[64];
    double x[64][4];
    char text[64][5][128];
    locbo_measurement measurement[64];
    uint64_t sequence[64];
    double told[64], theta[64][8], thetas[64][8][8];
    locbo_member members[64][8];
} copy;

static int copy_record(const locbo_record *r, void *user) {
    copy *c = user;
    size_t i = c->records++;
    locbo_record *to = &c->record[i];
    *to = *r;
    memcpy(c->x[i], r->x, sizeof c->x[i]);
    to->x = c->x[i];
    const char *texts[] = {r->worker, r->message, r->pending, r->note, r->tags};
    for (int k = 0; k < 5; k++) snprintf(c->text[i][k], sizeof c->text[i][k], "%s", texts[k]);
    to->worker = c->text[i][0];
    to->message = c->text[i][1];
    to->pending = c->text[i][2];
    to->note = c->text[i][3];
    to->tags = c->text[i][4];
    if (r->count) {
        c->measurement[i] = r->measurements[0];
        c->sequence[i] = r->sequence[0];
        c->told[i] = r->told[0];
    }
    to->measurements = &c->measurement[i];
    to->sequence = &c->sequence[i];
    to->told = &c->told[i];
    return 0;
}

static int copy_fit(const locbo_fit *f, void *user) {
    copy *c = user;
    size_t i = c->fits++;
    c->fit[i] = *f;
    memcpy(c->theta[i], f->theta, f->count * sizeof c->theta[i][0]);
    c->fit[i].theta = c->theta[i];
    for (size_t k = 0; k < f->member_count; k++) {
        memcpy(c->thetas[i][k], f->members[k].theta, f->members[k].count * sizeof(double));
        c->members[i][k] = f->members[k];
        c->members[i][k].theta = c->thetas[i][k];
    }
    c->fit[i].members = c->members[i];
    return 0;
}

/* A restored copy of a study continues as the original. */
static void a_restored_study_goes_on_the_same(void **state) {
    (void)state;
    locbo_study *a = make_study("a", random_seed), *b = NULL;
    copy *c = mem_new(1, sizeof *c);
    double x[4], y[4];
    play(a, 12);
    locbo_assignment failing = ask(a, x);
    check_ok(locbo_study_tell_failed(a, failing.trial, 1, "no", &error));
    ask(a, x); /* outstanding */
    check_ok(locbo_study_each(a, NULL, copy_record, c, &error));
    check_ok(locbo_study_each_fit(a, copy_fit, c, &error));
    assert_int_equal(c->records, 14);
    assert_true(c->fits > 0);
    locbo_definition same = {.struct_size = sizeof same};
    check_ok(locbo_study_definition(a, &same, &error));
    locbo_contents contents = {.record_count = c->records, .records = c->record, .fit_count = c->fits, .fits = c->fit};
    check_ok(locbo_study_create_from(&b, own_store, "b", &same, NULL, &contents, &error));
    check_fails(locbo_study_create_from(&b, own_store, "b", &same, NULL, &contents, &error), LOCBO_ERR_STATE,
                "the study 'b' exists already");
    assert_int_equal(census(b).events, census(a).events);
    assert_int_equal(look(b, 14).last.state, LOCBO_WAITING);
    assert_int_equal(ask(b, y).trial, 14); /* it waits in the copy */
    for (int i = 0; i < 4; i++) {
        locbo_assignment p = ask(a, x), q = ask(b, y);
        assert_int_equal(p.trial, q.trial);
        assert_int_equal(p.seed, q.seed);
        assert_memory_equal(x, y, sizeof x);
        tell(a, p.trial, 1, objective(x, p.trial));
        tell(b, q.trial, 1, objective(y, q.trial));
    }
    locbo_study *none = NULL;
    c->record[3].count = 0;
    check_fails(locbo_study_create_from(&none, own_store, "c", &same, NULL, &contents, &error), LOCBO_ERR_ARGUMENT,
                "trial 4: state COMPLETE");
    c->record[3].count = 1;
    c->x[5][0] = 1000;
    check_fails(locbo_study_create_from(&none, own_store, "c", &same, NULL, &contents, &error), LOCBO_ERR_ARGUMENT,
                "trial 6: parameter 'x'");
    check_fails(locbo_study_open(&none, own_store, "c", &error), LOCBO_ERR_NOT_FOUND, "there is no study 'c'");
    locbo_study_close(a);
    locbo_study_close(b);
    mem_free(c);
}

/* ---- leases and attempts ----------------------------------------------------------------------- */

static locbo_assignment ask_for(locbo_study *study, const char *worker, double lease, double *x) {
    locbo_assignment a;
    locbo_request r = {.struct_size = sizeof r, .worker = worker, .lease = lease};
    check_ok(locbo_study_ask(study, &r, &a, x, &error));
    return a;
}

static void nap(double seconds) { usleep((useconds_t)(seconds * 1e6)); }

static void a_lost_lease_comes_back(void **state) {
    (void)state;
    locbo_study *s = make_study("a", NULL);
    double x[4], again[4];
    locbo_assignment first = ask_for(s, "one", 0.05, x);
    nap(0.1);
    locbo_assignment second = ask_for(s, "two", 100, again);
    assert_int_equal(second.trial, first.trial);
    assert_int_equal(second.attempt, 2);
    assert_int_equal(second.seed, first.seed);
    assert_memory_equal(x, again, sizeof x);
    assert_memory_equal(&first.info.belief, &second.info.belief, sizeof first.info.belief);
    assert_string_equal(look(s, 1).worker, "two");
    /* the first worker can no longer change the state ... */
    check_fails(locbo_study_beat(s, 1, 1, 10, &error), LOCBO_ERR_STATE, "attempt 2 has replaced it");
    check_fails(locbo_study_tell_failed(s, 1, 1, "x", &error), LOCBO_ERR_STATE, "attempt 2 has replaced it");
    check_fails(locbo_study_requeue(s, 1, 1, 0, 0, &error), LOCBO_ERR_STATE, "attempt 2 has replaced it");
    check_fails(locbo_study_beat(s, 1, 3, 10, &error), LOCBO_ERR_STATE, "attempt 3");
    assert_int_equal(census(s).events, 0);
    /* ... but what it measured is kept, and so is what the second one measures */
    tell(s, 1, 1, 0.5);
    assert_int_equal(look(s, 1).last.state, LOCBO_COMPLETE);
    tell(s, 1, 2, 0.7);
    seen kept = look(s, 1);
    assert_int_equal(kept.last.count, 2);
    check_same(kept.values[0], 0.5);
    check_same(kept.values[1], 0.7);
    check_same(kept.last.value, 0.6);
    assert_int_equal(census(s).state[LOCBO_COMPLETE], 1);
    check_fails(locbo_study_beat(s, 1, 2, 10, &error), LOCBO_ERR_STATE, "has ended: COMPLETE");
    locbo_study_close(s);
}

static void a_beat_keeps_the_lease(void **state) {
    (void)state;
    locbo_study *s = make_study("a", NULL);
    double x[4];
    uint64_t requeued;
    ask_for(s, "one", 0.2, x);
    check_ok(locbo_study_beat(s, 1, 1, 100, &error));
    nap(0.3);
    check_ok(locbo_study_expire(s, &requeued, &error));
    assert_int_equal(requeued, 0);
    check_ok(locbo_study_beat(s, 1, 1, 0.01, &error));
    nap(0.05);
    check_ok(locbo_study_expire(s, &requeued, &error));
    assert_int_equal(requeued, 1);
    assert_int_equal(look(s, 1).last.state, LOCBO_WAITING);
    check_ok(locbo_study_beat(s, 1, 1, 100, &error)); /* no other worker has taken it */
    assert_int_equal(look(s, 1).last.state, LOCBO_RUNNING);
    check_ok(locbo_study_requeue(s, 1, 1, LOCBO_REQUEUE_SAME, 0, &error));
    check_fails(locbo_study_beat(s, 1, 1, 100, &error), LOCBO_ERR_STATE, "trial 1 waits again: it was handed back");
    ask_for(s, "two", 100, x);
    check_ok(locbo_study_beat(s, 1, 2, INFINITY, &error));
    assert_true(isnan(look(s, 1).last.lease));
    locbo_study_close(s);
}

static void a_late_result_mends_a_failure(void **state) {
    (void)state;
    locbo_study *s = make_study("a", NULL);
    double x[4];
    ask(s, x);
    check_ok(locbo_study_tell_failed(s, 1, 1, "timed out", &error));
    assert_string_equal(look(s, 1).message, "timed out");
    check_fails(locbo_study_tell_infeasible(s, 1, 1, NULL, &error), LOCBO_ERR_STATE, "has ended: FAILED");
    tell(s, 1, 1, 3);
    assert_int_equal(look(s, 1).last.state, LOCBO_COMPLETE);
    assert_string_equal(look(s, 1).message, "");
    locbo_optimizer *o;
    locbo_summary summary;
    check_ok(locbo_study_optimizer(s, &o, &error));
    check_ok(locbo_optimizer_summary(o, &summary, &error));
    assert_int_equal(summary.failed, 0);
    assert_int_equal(summary.told, 1);
    locbo_study_close(s);
}

static void a_retry_has_a_new_seed_and_a_delay(void **state) {
    (void)state;
    locbo_study *s = make_study("a", NULL);
    double x[4];
    locbo_assignment a = ask(s, x), b;
    check_ok(locbo_study_requeue(s, 1, 1, 1, 0.2, &error));
    locbo_request only = {.struct_size = sizeof only, .waiting_only = 1};
    check_fails(locbo_study_ask(s, &only, &b, x, &error), LOCBO_ERR_NOTHING, "waits");
    nap(0.25);
    b = ask(s, x);
    assert_int_equal(b.trial, 1);
    assert_int_equal(b.retries, 1);
    assert_true(b.seed != a.seed);
    check_ok(locbo_study_requeue(s, 1, 2, 0, 0, &error));
    locbo_assignment c = ask(s, x);
    assert_int_equal(c.attempt, 3);
    assert_int_equal(c.seed, b.seed);
    locbo_study_close(s);
}

static int name_seen(const char *worker, uint64_t trial, double lease, void *user) {
    (void)lease;
    char *names = user;
    snprintf(names + strlen(names), 64, "%s:%" PRIu64 " ", worker, trial);
    return 0;
}

static void a_dead_worker_is_forgotten(void **state) {
    (void)state;
    locbo_study *s = make_study("a", NULL);
    double x[4];
    char names[256] = "";
    ask_for(s, "dead", 1000, x);
    ask_for(s, "alive", 1000, x);
    check_ok(locbo_study_each_running(s, name_seen, names, &error));
    assert_string_equal(names, "dead:1 alive:2 ");
    uint64_t requeued = 9;
    check_ok(locbo_study_forget_worker(s, "dead", &requeued, &error));
    assert_int_equal(requeued, 1);
    assert_int_equal(ask_for(s, "new", 1000, x).trial, 1);
    locbo_study_close(s);
}

static locbo_status pretend_proposer(locbo_store *st, void *user, locbo_error *error) {
    (void)user;
    return store_query(st, "UPDATE locbo_study SET proposer = 'dead', proposer_until = {now} + 10", 0, NULL, NULL, NULL,
                       NULL, error);
}

static int give_up(const char *why, double waited, void *user) {
    *(int *)user += strstr(why, "proposal") != NULL;
    return waited > 0.1;
}

static void a_dead_proposer_is_forgotten(void **state) {
    (void)state;
    locbo_study *s = make_study("a", NULL);
    double x[4];
    int asked = 0;
    char names[256] = "";
    locbo_assignment a;
    check_ok(store_write(own_store, pretend_proposer, NULL, &error));
    check_ok(locbo_study_each_running(s, name_seen, names, &error));
    assert_string_equal(names, "dead:0 ");
    locbo_store_patience(own_store, 30, give_up, &asked);
    check_fails(locbo_study_ask(s, NULL, &a, x, &error), LOCBO_ERR_BUSY, "proposal");
    assert_true(asked > 0);
    locbo_store_patience(own_store, 30, NULL, NULL);
    check_ok(locbo_study_forget_worker(s, "dead", NULL, &error));
    assert_int_equal(ask(s, x).trial, 1);
    locbo_study_close(s);
}

/* ---- enqueued points, imported results --------------------------------------------------------- */

static void queued_points_come_first(void **state) {
    (void)state;
    locbo_study *s = make_study("a", NULL);
    double whole[4] = {1, 0.1, 3, 2}, part[4] = {(double)NAN, 0.5, (double)NAN, 1}, x[4];
    uint64_t trial;
    check_ok(locbo_study_enqueue(s, whole, &trial, &error));
    assert_int_equal(trial, 1);
    check_ok(locbo_study_enqueue(s, part, &trial, &error));
    assert_int_equal(trial, 2);
    assert_int_equal(census(s).state[LOCBO_WAITING], 2);
    check_fails(locbo_study_beat(s, 1, 0, 10, &error), LOCBO_ERR_STATE, "not been handed out");
    locbo_assignment a = ask(s, x);
    assert_memory_equal(x, whole, sizeof x);
    assert_int_equal(a.attempt, 1);
    assert_int_equal(a.info.origin, LOCBO_ORIGIN_GIVEN);
    a = ask(s, x);
    assert_int_equal(a.trial, 2);
    check_same(x[1], 0.5);
    check_same(x[3], 1);
    double wrong[4] = {11, 0.1, 3, 2};
    check_fails(locbo_study_enqueue(s, wrong, NULL, &error), LOCBO_ERR_ARGUMENT, "x");
    assert_int_equal(census(s).trials, 2);
    locbo_study_close(s);
}

static void a_fixed_coordinate_is_held(void **state) {
    (void)state;
    locbo_study *s = make_study("a", NULL);
    double fixed[4] = {(double)NAN, (double)NAN, 7, (double)NAN}, x[4];
    play(s, 10);
    locbo_request r = {.struct_size = sizeof r, .fixed = fixed};
    locbo_assignment a;
    check_ok(locbo_study_ask(s, &r, &a, x, &error));
    check_same(x[2], 7);
    assert_int_equal(a.info.origin, LOCBO_ORIGIN_MODEL);
    locbo_study_close(s);
}

static void imported_results_are_trials(void **state) {
    (void)state;
    enum { N = 150 };
    locbo_study *s = make_study("a", NULL);
    double points[N * 4], x[4];
    locbo_measurement m[N];
    for (int i = 0; i < N; i++) {
        double p[4] = {-5 + 0.1 * i, 0.01 + 0.001 * i, 1 + i % 12, i % 3};
        memcpy(points + 4 * i, p, sizeof p);
        m[i] = (locbo_measurement){objective(p, (uint64_t)i), i % 2 ? 0.1 : (double)NAN, 2};
    }
    uint64_t first;
    check_ok(locbo_study_import(s, N, points, m, &first, &error));
    assert_int_equal(first, 1);
    assert_int_equal(census(s).state[LOCBO_COMPLETE], N);
    seen one = look(s, 17);
    assert_memory_equal(one.x, points + 4 * 16, sizeof x);
    check_same(one.values[0], m[16].value);
    locbo_assignment a = ask(s, x);
    assert_int_equal(a.trial, N + 1);
    assert_int_equal(a.info.origin, LOCBO_ORIGIN_MODEL); /* the imported results replace the initial design */
    m[3].value = INFINITY;
    check_fails(locbo_study_import(s, N, points, m, NULL, &error), LOCBO_ERR_ARGUMENT, "row 4");
    m[3].value = 1;
    points[4 * 5] = 99;
    check_fails(locbo_study_import(s, N, points, m, NULL, &error), LOCBO_ERR_ARGUMENT, "row 6");
    assert_int_equal(census(s).trials, N + 1);
    locbo_study_close(s);
}

/* Trials with several results, failures and infeasible points; what is there is skipped, unless `again`. */
static void imported_outcomes_are_trials(void **state) {
    (void)state;
    locbo_study *s = make_study("a", NULL);
    double x[3][4] = {{0, 0.1, 3, 1}, {1, 0.1, 3, 1}, {2, 0.1, 3, 0}};
    locbo_measurement m[3] = {{1, NAN, 1}, {1, 0.5, 2}, {3, NAN, 1}};
    locbo_import_row rows[3] = {{x[0], LOCBO_COMPLETE, 2, m, NULL},
                                {x[1], LOCBO_STATE_FAILED, 0, NULL, "broke"},
                                {x[2], LOCBO_STATE_INFEASIBLE, 0, NULL, NULL}};
    locbo_imported done, repeated;
    for (int i = 0; i < 2; i++) {
        locbo_store_token(own_store, 77);
        check_ok(locbo_study_import_outcomes(s, 3, rows, 0, i ? &repeated : &done, &error));
    }
    assert_memory_equal(&done, &repeated, sizeof done);
    assert_true(done.first == 1 && done.trials == 3 && done.results == 2 && done.failures == 2 && done.skipped == 0);
    locbo_census c = census(s);
    assert_true(c.trials == 3 && c.events == 4 && c.measurements == 2 && c.state[LOCBO_STATE_FAILED] == 1);
    seen one = look(s, 1);
    assert_true(one.last.count == 2 && one.values[0] == 1 && one.values[1] == 1);
    assert_true(look(s, 2).last.failure == 3 && look(s, 3).last.failure == 4);
    /* equal replicates are two results: a third of them is new, and so is another value, or another state */
    rows[0].count = 3;
    rows[2].state = LOCBO_STATE_FAILED;
    check_ok(locbo_study_import_outcomes(s, 3, rows, 0, &done, &error));
    assert_true(done.first == 4 && done.trials == 2 && done.results == 1 && done.failures == 1 && done.skipped == 3);
    assert_true(look(s, 4).values[0] == 3 && look(s, 4).last.trial.told == 2 && census(s).events == 6);
    check_ok(locbo_study_import_outcomes(s, 3, rows, 0, &done, &error));
    assert_true(done.trials == 0 && done.skipped == 5 && census(s).trials == 5);
    check_ok(locbo_study_import_outcomes(s, 3, rows, 1, &done, &error));
    assert_true(done.first == 6 && done.trials == 3 && done.results == 3 && done.skipped == 0);
    locbo_optimizer *optimizer;
    check_ok(locbo_study_optimizer(s, &optimizer, &error)); /* the facts can be replayed */
    rows[1].state = LOCBO_RUNNING;
    check_fails(locbo_study_import_outcomes(s, 3, rows, 1, NULL, &error), LOCBO_ERR_ARGUMENT,
                "row 2: state RUNNING has not ended");
    rows[1].state = LOCBO_COMPLETE;
    check_fails(locbo_study_import_outcomes(s, 3, rows, 1, NULL, &error), LOCBO_ERR_ARGUMENT,
                "row 2: state COMPLETE is not possible with 0 results");
    rows[1].state = LOCBO_STATE_FAILED;
    rows[1].message = "\xff";
    check_fails(locbo_study_import_outcomes(s, 3, rows, 1, NULL, &error), LOCBO_ERR_ARGUMENT, "row 2: message");
    assert_int_equal(census(s).trials, 8);
    locbo_study_close(s);
}

/* All results at a point count, of whatever trial, by their repetitions. */
static void the_best_is_a_mean(void **state) {
    (void)state;
    locbo_study *s = make_study("a", NULL);
    double x[3][4] = {{0, 0.1, 3, 1}, {1, 0.1, 3, 1}, {0, 0.1, 3, 1}};
    locbo_measurement m[3] = {{1, NAN, 1}, {2, NAN, 7}, {5, NAN, 3}};
    check_ok(locbo_study_import(s, 1, x[0], m, NULL, &error));
    assert_true(census(s).best_value == 1 && census(s).best_count == 1 && census(s).since_best == 0);
    check_ok(locbo_study_import(s, 2, x[1], m + 1, NULL, &error));
    locbo_census c = census(s); /* the mean of 1 and three times 5 is 4 */
    assert_true(c.best_trial == 2 && c.best_value == 2 && c.best_count == 1 && c.since_best == 1);
    locbo_measurement lucky[4] = {{0, NAN, 1}, {0, NAN, 1}, {0, NAN, 1}, {0, NAN, 1}};
    check_ok(locbo_study_tell(s, 3, 0, 4, lucky, &error));
    c = census(s);
    assert_true(c.best_trial == 1 && c.best_value == 2 && c.best_count == 6); /* 16 / 8: equal, and measured first */
    check_ok(locbo_study_tell(s, 3, 0, 1, lucky, &error));
    c = census(s);
    assert_true(c.best_trial == 1 && c.best_count == 7 && c.best_value == 16.0 / 9);
    locbo_optimizer *optimizer;
    locbo_choice best;
    double at[4];
    check_ok(locbo_study_optimizer(s, &optimizer, &error));
    check_ok(locbo_optimizer_best(optimizer, &best, at, &error));
    assert_true(best.trial == 1 && best.results == 7);
    assert_true(fabs(best.value - 16.0 / 9) < 1e-15); /* another order of the same sum */
    locbo_study_close(s);
}

/* Trials of every outcome count; those that wait are handed out. */
static void evaluations_are_a_budget(void **state) {
    (void)state;
    locbo_study *s = make_study("a", NULL);
    double x[4];
    locbo_assignment a;
    locbo_plan plan = {.struct_size = sizeof plan};
    check_ok(locbo_study_plan(s, &plan, &error));
    assert_int_equal(plan.evaluations, 0);
    plan.evaluations = 3;
    check_ok(locbo_study_set_plan(s, &plan, &error));
    for (int i = 0; i < 3; i++) a = ask(s, x);
    check_ok(locbo_study_tell_failed(s, 1, 1, NULL, &error));
    check_ok(locbo_study_tell_infeasible(s, 2, 1, NULL, &error));
    check_fails(locbo_study_ask(s, NULL, &a, x, &error), LOCBO_ERR_NOTHING, "has its 3 evaluations, done or under way");
    check_ok(locbo_study_requeue(s, 3, 1, LOCBO_REQUEUE_SAME, 0, &error));
    a = ask(s, x);
    assert_int_equal(a.trial, 3);
    locbo_request more = {.struct_size = sizeof more, .more = 1};
    check_ok(locbo_study_ask(s, &more, &a, x, &error));
    assert_int_equal(a.trial, 4);
    plan.evaluations = (uint64_t)INT32_MAX + 1;
    check_fails(locbo_study_set_plan(s, &plan, &error), LOCBO_ERR_ARGUMENT, "too large");
    locbo_study_close(s);
}

/* ---- the recommended point is measured at the end ---------------------------------------------- */

static void plan_of(locbo_study *s, uint64_t trials, uint64_t confirm) {
    locbo_plan plan = {.struct_size = sizeof plan};
    check_ok(locbo_study_plan(s, &plan, &error));
    plan.trials = trials;
    plan.confirm = confirm;
    check_ok(locbo_study_set_plan(s, &plan, &error));
}

static void use_random(locbo_options *o) { o->method = LOCBO_METHOD_RANDOM; }
static void use_maximum(locbo_options *o) { o->explore = LOCBO_EXPLORE_NONE; }

/* The last trials of the plan, several of them outstanding; failures do not count, and with a larger number of trials
 * the search goes on. */
static void the_last_trials_measure_the_recommended_point(void **state) {
    (void)state;
    for (int random = 0; random < 2; random++) {
        locbo_study *s = make_study(random ? "random" : "a", random ? use_random : use_maximum);
        locbo_origin usual = random ? LOCBO_ORIGIN_RANDOM : LOCBO_ORIGIN_MODEL;
        double x[3][4];
        locbo_assignment a[3];
        plan_of(s, 14, 3);
        play(s, 10);
        a[0] = ask(s, x[0]);
        assert_int_equal(a[0].info.origin, usual);
        check_ok(locbo_study_tell_failed(s, a[0].trial, 1, NULL, &error));
        a[0] = ask(s, x[0]); /* the eleventh that counts */
        assert_int_equal(a[0].info.origin, usual);
        tell(s, a[0].trial, 1, objective(x[0], 1));
        for (int i = 0; i < 3; i++) {
            a[i] = ask(s, x[i]);
            assert_int_equal(a[i].info.origin, LOCBO_ORIGIN_CONFIRM);
            assert_memory_equal(x[i], x[0], sizeof x[0]); /* nothing was told meanwhile */
        }
        check_fails(locbo_study_ask(s, NULL, &a[0], x[0], &error), LOCBO_ERR_NOTHING, "14 trials");
        for (int i = 0; i < 3; i++) tell(s, a[i].trial, 1, objective(x[i], a[i].trial));
        plan_of(s, 17, 2);
        a[0] = ask(s, x[0]);
        assert_int_equal(a[0].info.origin, usual);
        tell(s, a[0].trial, 1, objective(x[0], 1));
        assert_int_equal(ask(s, x[0]).info.origin, LOCBO_ORIGIN_CONFIRM);
        locbo_study_close(s);
    }
}

static void what_the_caller_wants_comes_before_confirming(void **state) {
    (void)state;
    locbo_study *s = make_study("a", NULL);
    double x[4], fixed[4] = {(double)NAN, (double)NAN, 7, (double)NAN};
    locbo_assignment a;
    locbo_request r = {.struct_size = sizeof r, .fixed = fixed};
    plan_of(s, 10, 4);
    play(s, 6);
    check_ok(locbo_study_enqueue(s, fixed, NULL, &error));
    a = ask(s, x);
    check_same(x[2], 7);
    assert_int_not_equal(a.info.origin, LOCBO_ORIGIN_CONFIRM);
    check_ok(locbo_study_ask(s, &r, &a, x, &error));
    check_same(x[2], 7);
    assert_int_not_equal(a.info.origin, LOCBO_ORIGIN_CONFIRM);
    locbo_request more = {.struct_size = sizeof more, .more = 1}; /* beyond any limit */
    check_ok(locbo_study_ask(s, &more, &a, x, &error));
    assert_int_not_equal(a.info.origin, LOCBO_ORIGIN_CONFIRM);
    locbo_study_close(s);
}

static void confirming_needs_a_number_of_trials(void **state) {
    (void)state;
    locbo_study *s = make_study("a", NULL);
    locbo_plan plan = {.struct_size = sizeof plan};
    check_ok(locbo_study_plan(s, &plan, &error));
    assert_int_equal(plan.confirm, 0);
    plan.confirm = 5;
    check_fails(locbo_study_set_plan(s, &plan, &error), LOCBO_ERR_ARGUMENT, "confirm 5 needs a number of trials");
    plan.trials = 5;
    check_fails(locbo_study_set_plan(s, &plan, &error), LOCBO_ERR_ARGUMENT, "below trials, got 5 of 5");
    plan.trials = 6;
    check_ok(locbo_study_set_plan(s, &plan, &error));
    check_ok(locbo_study_plan(s, &plan, &error));
    assert_int_equal(plan.confirm, 5);
    locbo_study_close(s);
}

static void the_limit_counts_what_is_under_way(void **state) {
    (void)state;
    locbo_study *s = make_study("a", NULL);
    double x[4];
    locbo_assignment a;
    locbo_request r = {.struct_size = sizeof r, .limit = 2, .lease = 100};
    check_ok(locbo_study_ask(s, &r, &a, x, &error));
    check_ok(locbo_study_ask(s, &r, &a, x, &error));
    check_fails(locbo_study_ask(s, &r, &a, x, &error), LOCBO_ERR_NOTHING, "2 trials");
    tell(s, 1, 1, 1);
    check_fails(locbo_study_ask(s, &r, &a, x, &error), LOCBO_ERR_NOTHING, "2 trials");
    check_ok(locbo_study_tell_failed(s, 2, 1, NULL, &error)); /* a failure does not count */
    check_ok(locbo_study_ask(s, &r, &a, x, &error));
    assert_int_equal(a.trial, 3);
    locbo_study_close(s);
}

static void set_trials(locbo_study *study, uint64_t trials) {
    locbo_plan plan = {.struct_size = sizeof plan};
    check_ok(locbo_study_plan(study, &plan, &error));
    plan.trials = trials;
    check_ok(locbo_study_set_plan(study, &plan, &error));
}

static void the_plan_limits_who_asks(void **state) {
    (void)state;
    locbo_study *s = make_study("a", NULL), *there;
    locbo_store *second;
    locbo_assignment a;
    locbo_request fewer = {.struct_size = sizeof fewer, .limit = 2}, other = {.struct_size = sizeof other, .limit = 4},
                  more = {.struct_size = sizeof more, .limit = 1, .more = 1};
    double x[4], point[4] = {1, 0.1, 3, 2};
    uint64_t trial;
    check_ok(locbo_store_open(&second, own_url, LOCBO_STORE_EXISTING, &error));
    check_ok(locbo_study_open(&there, second, "a", &error));
    set_trials(s, 3);
    ask(s, x);
    ask(there, x);
    check_fails(locbo_study_ask(s, &fewer, &a, x, &error), LOCBO_ERR_NOTHING, "'a' has its 2 trials");
    ask(s, x);
    check_fails(locbo_study_ask(s, NULL, &a, x, &error), LOCBO_ERR_NOTHING, "3 trials, complete or under way");
    check_fails(locbo_study_ask(there, NULL, &a, x, &error), LOCBO_ERR_NOTHING, "3 trials, complete or under way");
    /* a point in the queue is handed out all the same, and then counts */
    check_ok(locbo_study_enqueue(there, point, &trial, &error));
    assert_int_equal(ask(s, x).trial, trial);
    check_fails(locbo_study_ask(s, &other, &a, x, &error), LOCBO_ERR_NOTHING, "4 trials");
    check_ok(locbo_study_ask(s, &more, &a, x, &error));
    assert_int_equal(a.trial, 5);
    other.limit = 6;
    check_ok(locbo_study_ask(there, &other, &a, x, &error));
    set_trials(there, 7); /* the other process sees it at once */
    assert_int_equal(ask(s, x).trial, 7);
    check_fails(locbo_study_ask(s, NULL, &a, x, &error), LOCBO_ERR_NOTHING, "7 trials");
    locbo_study_close(there);
    locbo_store_close(second);
    locbo_study_close(s);
}

static void a_stopped_study_hands_out_nothing(void **state) {
    (void)state;
    locbo_study *s = make_study("a", NULL);
    double x[4], point[4] = {1, 0.1, 3, 2};
    locbo_assignment a = ask(s, x), untouched = {.trial = 99};
    locbo_request requests[] = {{.struct_size = sizeof *requests},
                                {.struct_size = sizeof *requests, .more = 1},
                                {.struct_size = sizeof *requests, .waiting_only = 1},
                                {.struct_size = sizeof *requests, .fixed = point},
                                {.struct_size = sizeof *requests, .limit = 100}};
    check_ok(locbo_study_stop(s, "enough", &error));
    check_ok(locbo_study_enqueue(s, point, NULL, &error)); /* for later */
    for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++)
        check_fails(locbo_study_ask(s, &requests[i], &untouched, x, &error), LOCBO_ERR_STOPPED,
                    "the study 'a' was stopped: enough");
    check_fails(locbo_study_ask(s, NULL, &untouched, x, &error), LOCBO_ERR_STOPPED, "stopped: enough");
    assert_int_equal(untouched.trial, 99);
    tell(s, a.trial, a.attempt, 1); /* a measured value is still accepted */
    assert_int_equal(census(s).trials, 2);
    check_ok(locbo_study_stop(s, "", &error)); /* an empty reason stops too */
    check_fails(locbo_study_ask(s, NULL, &a, x, &error), LOCBO_ERR_STOPPED, "was stopped: ");
    check_ok(locbo_study_stop(s, NULL, &error));
    assert_int_equal(ask(s, x).trial, 2);
    assert_int_equal(ask(s, x).trial, 3);
    locbo_study_close(s);
}

/* ---- reading ----------------------------------------------------------------------------------- */

static void the_census_counts(void **state) {
    (void)state;
    locbo_study *s = make_study("a", NULL);
    double x[4];
    for (int i = 0; i < 9; i++) ask(s, x);
    tell(s, 1, 1, 5);
    tell(s, 2, 1, 2);
    tell(s, 3, 1, 4);
    tell(s, 2, 1, 3);
    check_ok(locbo_study_tell_failed(s, 4, 1, NULL, &error));
    check_ok(locbo_study_tell_infeasible(s, 5, 1, NULL, &error));
    check_ok(locbo_study_tell_failed(s, 6, 1, NULL, &error));
    check_ok(locbo_study_tell_failed(s, 7, 1, NULL, &error));
    check_ok(locbo_study_requeue(s, 8, 1, 0, 0, &error));
    locbo_census c = census(s);
    assert_int_equal(c.trials, 9);
    assert_int_equal(c.state[LOCBO_WAITING], 1);
    assert_int_equal(c.state[LOCBO_RUNNING], 1);
    assert_int_equal(c.state[LOCBO_COMPLETE], 3);
    assert_int_equal(c.state[LOCBO_STATE_FAILED], 3);
    assert_int_equal(c.state[LOCBO_STATE_INFEASIBLE], 1);
    assert_int_equal(c.measurements, 4);
    assert_int_equal(c.events, 8);
    assert_int_equal(c.best_trial, 2);
    check_same(c.best_value, 2.5); /* the mean of 2 and 3 */
    assert_int_equal(c.best_count, 2);
    assert_int_equal(c.since_best, 1);
    assert_int_equal(c.failures_in_row, 2);
    assert_int_equal(c.empty_in_row, 4);
    assert_true(c.now >= c.last_event && c.last_event >= c.created && c.created > 1.5e9);
    seen all = {0}, failed = {0}, newest = {0};
    locbo_filter f = {.struct_size = sizeof f, .states = 1u << LOCBO_STATE_FAILED};
    check_ok(locbo_study_each(s, NULL, keep_record, &all, &error));
    check_ok(locbo_study_each(s, &f, keep_record, &failed, &error));
    assert_int_equal(all.count, 9);
    assert_int_equal(all.last.trial.id, 9);
    assert_int_equal(failed.count, 3);
    f = (locbo_filter){.struct_size = sizeof f, .newest_first = 1, .limit = 7};
    check_ok(locbo_study_each(s, &f, keep_record, &newest, &error));
    assert_int_equal(newest.last.trial.id, 3);
    check_same(newest.values[0], 4);
    locbo_study_close(s);
}

static int keep_bytes(uint64_t attempt, const locbo_output *o, void *user) {
    char *text = user;
    snprintf(text + strlen(text), 200, "%" PRIu64 ":%d:%zu:%.*s:%zu;", attempt, o->exit_code, o->out_size,
             (int)o->out_size, o->out_size ? o->out : "", o->err_size);
    return 0;
}

static void outputs_are_kept(void **state) {
    (void)state;
    locbo_study *s = make_study("a", NULL);
    double x[4];
    char text[600] = "";
    locbo_output o = {.out = "first", .out_size = 5, .err = "a\0\xff", .err_size = 3, .exit_code = -9, .seconds = 1};
    ask(s, x);
    check_ok(locbo_study_keep_output(s, 1, 1, &o, &error));
    o = (locbo_output){.out = "again", .out_size = 5, .seconds = 2};
    check_ok(locbo_study_keep_output(s, 1, 1, &o, &error));
    check_ok(locbo_study_requeue(s, 1, 1, 0, 0, &error));
    ask(s, x);
    o = (locbo_output){.exit_code = 3};
    check_ok(locbo_study_keep_output(s, 1, 2, &o, &error));
    check_ok(locbo_study_each_output(s, 1, keep_bytes, text, &error));
    assert_string_equal(text, "1:0:5:again:0;2:3:0::0;");
    check_fails(locbo_study_keep_output(s, 5, 1, &o, &error), LOCBO_ERR_NOT_FOUND, "no trial 5");
    locbo_study_close(s);
}

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

static void seeds_differ(void **state) {
    (void)state;
    enum { TRIALS = 20000, EACH = 4 };
    locbo_study *s = make_study("a", random_seed);
    uint64_t *seeds = mem_new(TRIALS * EACH, sizeof *seeds);
    for (uint64_t t = 0; t < TRIALS; t++)
        for (uint64_t r = 0; r < EACH; r++) seeds[t * EACH + r] = locbo_study_seed(s, t + 1, r, 0);
    assert_int_equal(locbo_study_seed(s, 3, 1, 1), locbo_study_seed(s, 3, 2, 0));
    double mean = 0;
    for (size_t i = 0; i < TRIALS * EACH; i++) mean += (double)seeds[i] / TRIALS / EACH;
    qsort(seeds, TRIALS * EACH, sizeof *seeds, by_value);
    for (size_t i = 1; i < TRIALS * EACH; i++) assert_true(seeds[i] > seeds[i - 1]);
    assert_true(seeds[TRIALS * EACH - 1] < UINT64_C(1) << 31);
    check_close(mean, 0x1p30, 0.02, 0); /* 6 standard deviations of a mean of 80 000 uniform numbers */
    mem_free(seeds);
    locbo_study_close(s);
}

/* ---- many workers ------------------------------------------------------------------------------ */

static void work_until_done(uint64_t limit, unsigned seed) {
    locbo_store *own;
    locbo_study *study;
    locbo_error e;
    double x[4];
    char name[32];
    snprintf(name, sizeof name, "worker %u", seed);
    if (locbo_store_open(&own, own_url, LOCBO_STORE_EXISTING, &e) != LOCBO_OK) _exit(10);
    if (locbo_study_open(&study, own, "crowd", &e) != LOCBO_OK) _exit(11);
    locbo_request r = {.struct_size = sizeof r, .worker = name, .lease = 100, .limit = limit};
    for (;;) {
        locbo_assignment a;
        locbo_status status = locbo_study_ask(study, &r, &a, x, &e);
        if (status == LOCBO_ERR_NOTHING || status == LOCBO_ERR_STOPPED) break;
        if (status != LOCBO_OK) {
            fprintf(stderr, "ask: %s\n", e.message);
            _exit(12);
        }
        locbo_measurement m = {objective(x, a.trial), (double)NAN, 1};
        if (locbo_study_tell(study, a.trial, a.attempt, 1, &m, &e) != LOCBO_OK) {
            fprintf(stderr, "tell: %s\n", e.message);
            _exit(13);
        }
    }
    locbo_study_close(study);
    locbo_store_close(own);
    _exit(0);
}

enum { WORKERS = 4 };

static void start_workers(uint64_t limit, pid_t pids[WORKERS]) {
    fflush(NULL);
    for (unsigned i = 0; i < WORKERS; i++)
        if ((pids[i] = fork()) == 0) work_until_done(limit, i);
}

static void await_workers(const pid_t pids[WORKERS]) {
    for (unsigned i = 0; i < WORKERS; i++) {
        int status;
        waitpid(pids[i], &status, 0);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
}

static void many_workers_share_a_study(void **state) {
    (void)state;
    enum { TRIALS = 60 };
    locbo_study *s = make_study("crowd", NULL);
    pid_t pids[WORKERS];
    start_workers(TRIALS, pids);
    await_workers(pids);
    locbo_census c = census(s);
    assert_int_equal(c.trials, TRIALS);
    assert_int_equal(c.state[LOCBO_COMPLETE], TRIALS);
    assert_int_equal(c.measurements, TRIALS);
    locbo_study_close(s);
}

/* Many workers ask for the last trial at the same time, repeatedly: one of them gets it. */
static void many_workers_keep_to_the_plan(void **state) {
    (void)state;
    locbo_study *s = make_study("crowd", NULL);
    for (uint64_t trials = 1; trials <= 10; trials++) {
        pid_t pids[WORKERS];
        set_trials(s, trials);
        start_workers(0, pids);
        await_workers(pids);
        assert_int_equal(census(s).trials, trials);
        assert_int_equal(census(s).state[LOCBO_COMPLETE], trials);
    }
    locbo_study_close(s);
}

/* A proposal is not handed out if the study was stopped while it was computed. */
static void a_stop_ends_many_workers(void **state) {
    (void)state;
    locbo_study *s = make_study("crowd", NULL);
    for (uint64_t trials = 5; trials <= 40; trials += 5) {
        pid_t pids[WORKERS];
        check_ok(locbo_study_stop(s, NULL, &error));
        start_workers(0, pids);
        while (census(s).trials < trials) nap(0.001);
        check_ok(locbo_study_stop(s, "enough", &error));
        uint64_t made = census(s).trials;
        await_workers(pids);
        locbo_census c = census(s);
        assert_int_equal(c.trials, made);
        assert_int_equal(c.state[LOCBO_COMPLETE] + c.state[LOCBO_WAITING], made); /* some were made for others */
        if (made > trials) trials = made;
    }
    locbo_study_close(s);
}

/* ---- what has changed --------------------------------------------------------------------------- */

typedef struct listing {
    size_t count;
    uint64_t trial[16];
    size_t results[16];
} listing;

static int list_record(const locbo_record *r, void *user) {
    listing *l = user;
    assert_true(l->count < 16);
    l->trial[l->count] = r->trial.id;
    l->results[l->count++] = r->count;
    return 0;
}

static listing changed_after(locbo_study *study, uint64_t event, locbo_filter f) {
    listing l = {0};
    f.struct_size = sizeof f;
    f.changed_after = event;
    check_ok(locbo_study_each(study, &f, list_record, &l, &error));
    return l;
}

static void check_listing(listing l, size_t count, const uint64_t *trials) {
    assert_int_equal(l.count, count);
    for (size_t i = 0; i < count; i++) assert_int_equal(l.trial[i], trials[i]);
}

/* Events: 1 to 6 are trials 1 to 6; 7: trial 8 fails; 8: trial 2 again; 9: trial 9 is infeasible. 7 and 10 wait or run.
 */
static void what_has_changed_is_found(void **state) {
    (void)state;
    locbo_study *s = make_study("a", NULL);
    const locbo_filter all = {0};
    double x[4];
    play(s, 6);
    assert_int_equal(ask(s, x).trial, 7);
    assert_int_equal(ask(s, x).trial, 8);
    assert_int_equal(ask(s, x).trial, 9);
    check_ok(locbo_study_tell_failed(s, 8, 1, "no", &error));
    tell(s, 2, 1, 0.5);
    check_ok(locbo_study_tell_infeasible(s, 9, 1, NULL, &error));
    assert_int_equal(ask(s, x).trial, 10);
    check_ok(locbo_study_requeue(s, 10, 1, 0, 0, &error));
    check_listing(changed_after(s, 9, all), 2, (uint64_t[]){7, 10});
    check_listing(changed_after(s, 8, all), 3, (uint64_t[]){7, 9, 10});
    check_listing(changed_after(s, 7, all), 4, (uint64_t[]){2, 7, 9, 10});
    check_listing(changed_after(s, 5, all), 6, (uint64_t[]){2, 6, 7, 8, 9, 10});
    check_listing(changed_after(s, UINT64_C(1) << 40, all), 2, (uint64_t[]){7, 10});
    assert_int_equal(changed_after(s, 0, all).count, 10); /* 0: no condition */
    /* each with all its results; also combined with other conditions */
    assert_int_equal(changed_after(s, 7, all).results[0], 2);
    check_listing(changed_after(s, 5, (locbo_filter){.first = 6, .limit = 3}), 3, (uint64_t[]){6, 7, 8});
    check_listing(changed_after(s, 5, (locbo_filter){.newest_first = 1, .limit = 2}), 2, (uint64_t[]){10, 9});
    check_listing(changed_after(s, 5, (locbo_filter){.states = 1u << LOCBO_COMPLETE}), 2, (uint64_t[]){2, 6});
    locbo_study_close(s);
}

static locbo_pulse pulse_of(locbo_study *study) {
    locbo_pulse p;
    check_ok(locbo_study_pulse(study, &p, &error));
    return p;
}

static int find_pulse(const locbo_pulse *p, void *user) {
    locbo_pulse *wanted = user;
    if (strcmp(p->name, wanted->name) != 0) return 0;
    const char *name = wanted->name;
    *wanted = *p;
    wanted->name = name;
    return 1;
}

/* The stamp differs from the last one, and is remembered; locbo_study_pulse and locbo_store_each_pulse agree. */
static void check_beat(locbo_study *study, uint64_t *stamp, const char *after) {
    locbo_pulse one = pulse_of(study), listed = {.name = locbo_study_name(study)};
    check_ok(locbo_store_each_pulse(own_store, find_pulse, &listed, &error));
    check_that(one.stamp != *stamp, "the stamp is the same after: %s", after);
    check_that(one.stamp == listed.stamp && one.trials == listed.trials && one.events == listed.events &&
                   one.running == listed.running,
               "the two pulses differ after: %s", after);
    check_that(pulse_of(study).stamp == one.stamp, "a stamp by itself changes after: %s", after);
    *stamp = one.stamp;
}

static void every_change_is_felt(void **state) {
    (void)state;
    locbo_study *s = make_study("a", NULL), *other = make_study("b", NULL);
    uint64_t stamp = 0, still = pulse_of(other).stamp;
    double x[4], free_point[4] = {(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    locbo_plan plan = {.struct_size = sizeof plan};
    check_beat(s, &stamp, "nothing yet");
    ask(s, x);
    check_beat(s, &stamp, "ask");
    assert_int_equal(pulse_of(s).running, 1);
    check_ok(locbo_study_beat(s, 1, 1, 1000, &error));
    check_beat(s, &stamp, "beat");
    check_ok(locbo_study_requeue(s, 1, 1, 0, 0, &error));
    check_beat(s, &stamp, "requeue");
    assert_int_equal(pulse_of(s).running, 0);
    ask(s, x);
    check_beat(s, &stamp, "the second attempt");
    tell(s, 1, 2, 1);
    check_beat(s, &stamp, "tell");
    tell(s, 1, 2, 1);
    check_beat(s, &stamp, "a replicate");
    assert_int_equal(pulse_of(s).events, 2);
    check_ok(locbo_study_enqueue(s, free_point, NULL, &error));
    check_beat(s, &stamp, "enqueue");
    check_ok(locbo_study_tell_failed(s, 2, 0, "", &error));
    check_beat(s, &stamp, "a failure");
    check_ok(locbo_study_stop(s, "", &error));
    check_beat(s, &stamp, "stop");
    check_ok(locbo_study_stop(s, NULL, &error));
    check_beat(s, &stamp, "resume");
    check_ok(locbo_study_plan(s, &plan, &error));
    plan.trials = 7;
    check_ok(locbo_study_set_plan(s, &plan, &error));
    check_beat(s, &stamp, "plan");
    check_that(pulse_of(other).stamp == still, "the other study has not changed");
    check_ok(locbo_study_delete(own_store, "a", &error));
    locbo_pulse gone;
    check_fails(locbo_study_pulse(s, &gone, &error), LOCBO_ERR_NOT_FOUND, "deleted");
    locbo_study_close(s);
    locbo_study_close(other);
    s = make_study("a", NULL);
    check_beat(s, &stamp, "made again");
    locbo_study_close(s);
}

/* The two functions agree for each of many studies, with and without trials that wait or run. */
static void pulses_are_not_mixed_up(void **state) {
    (void)state;
    enum { STUDIES = 6 };
    static const char *const names[STUDIES] = {"a", "b", "c", "d", "e", "f"};
    locbo_study *all[STUDIES];
    double x[4], point[4] = {(double)NAN, (double)NAN, (double)NAN, (double)NAN};
    for (int i = 0; i < STUDIES; i++) all[i] = make_study(names[i], NULL);
    for (int i = 1; i < STUDIES; i += 2) {
        for (int k = 0; k < i; k++) ask(all[i], x);
        if (i > 2) check_ok(locbo_study_enqueue(all[i], point, NULL, &error));
    }
    for (int i = 0; i < STUDIES; i++) {
        uint64_t stamp = 0;
        check_beat(all[i], &stamp, names[i]);
        assert_int_equal(pulse_of(all[i]).running, i % 2 ? i : 0);
        for (int k = 0; k < i; k++) assert_true(pulse_of(all[k]).stamp != stamp);
    }
    for (int i = 0; i < STUDIES; i++) locbo_study_close(all[i]);
}

/* ---- damage ------------------------------------------------------------------------------------ */

static locbo_status run_sql(locbo_store *st, void *user, locbo_error *error) {
    return store_query(st, user, 0, NULL, NULL, NULL, NULL, error);
}

static void damaged_rows_are_errors(void **state) {
    (void)state;
    static char *const damage[] = {
        "UPDATE locbo_trial SET params = '{' WHERE number = 3",
        "UPDATE locbo_trial SET params = '[1,2]' WHERE number = 3",
        "UPDATE locbo_trial SET params = '{\"x\":1e9,\"rate\":1,\"n\":1,\"mode\":\"plain\"}' WHERE "
        "number = 3",
        "UPDATE locbo_trial SET origin = 77 WHERE number = 3",
        "UPDATE locbo_trial SET number = 99 WHERE number = 12",
        "UPDATE locbo_study SET trials = trials + 1",
        "UPDATE locbo_fit SET theta = '[]'",
        "UPDATE locbo_fit SET theta = '[\"a\"]'",
        "UPDATE locbo_fit SET spread = 0",
        "UPDATE locbo_fit SET result_rows = 1000000",
        "UPDATE locbo_fit SET choice = '[0,0,0,0]'",
        "UPDATE locbo_fit SET choice = '[2,-1,0,1,0]'",
        "UPDATE locbo_fit SET choice = '[0,0,0,0,0,1,0,0,1,0,0,0,0,1,0]'",
        "UPDATE locbo_fit SET choice = '[0,0,0,0,0,1,0,0,1,0,0,0,0,9,0]'",
        "UPDATE locbo_trial SET scale = '[]' WHERE number = 3",
        "UPDATE locbo_trial SET scale = '[0,-1,0,1,0,0.1,\"a\"]' WHERE number = 3",
        "UPDATE locbo_trial SET scale = '[0,1,0,1,0,0.1,0.2]' WHERE number = 3",
    };
    for (size_t i = 0; i < sizeof damage / sizeof damage[0]; i++) {
        locbo_study *s = make_study("a", NULL);
        double x[4];
        locbo_assignment a;
        play(s, 11);
        ask(s, x);
        check_ok(store_write(own_store, run_sql, damage[i], &error));
        locbo_study_close(s); /* who has read them does not read them again */
        check_ok(locbo_study_open(&s, own_store, "a", &error));
        locbo_error e;
        locbo_status status = locbo_study_ask(s, NULL, &a, x, &e);
        if (status != LOCBO_ERR_IO) fail_msg("%s: status %d %s", damage[i], (int)status, e.message);
        locbo_study_close(s);
        check_ok(locbo_study_delete(own_store, "a", &error));
    }
    static char *const broken[] = {
        "UPDATE locbo_study SET definition = 'x'",
        "UPDATE locbo_study SET definition = '{}'",
        "UPDATE locbo_study SET definition = '{\"parameters\":[{\"name\":\"x\",\"type\":\"float\","
        "\"low\":1,\"high\":0}],\"options\":{},\"command\":[]}'",
    };
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        locbo_study_close(make_study("a", NULL));
        locbo_study *s;
        check_ok(store_write(own_store, run_sql, broken[i], &error));
        check_fails(locbo_study_open(&s, own_store, "a", &error), LOCBO_ERR_IO, "");
        check_ok(locbo_study_delete(own_store, "a", &error));
    }
}

/* Each rule of a plan, at its bound and one short of it. */
static void the_rules_to_stop(void **state) {
    (void)state;
    locbo_study *study = make_study("ends", NULL);
    locbo_plan plan;
    locbo_plan_init(&plan);
    locbo_census c = {.best_value = 0.5, .expected_gain = 0.1, .since_best = 4};
    c.state[LOCBO_COMPLETE] = 7;
    c.state[LOCBO_STATE_FAILED] = 2;
    assert_int_equal(locbo_study_end(study, &plan, &c), LOCBO_END_NOT);
    plan.trials = 7;
    assert_int_equal(locbo_study_end(study, &plan, &c), LOCBO_END_TRIALS);
    c.state[LOCBO_WAITING] = 1;
    assert_int_equal(locbo_study_end(study, &plan, &c), LOCBO_END_NOT);
    c.state[LOCBO_WAITING] = 0;
    plan.trials = 8;
    plan.evaluations = 10;
    assert_int_equal(locbo_study_end(study, &plan, &c), LOCBO_END_NOT);
    plan.evaluations = 9;
    assert_int_equal(locbo_study_end(study, &plan, &c), LOCBO_END_EVALUATIONS);
    plan.evaluations = 0;
    plan.target = 0.49;
    assert_int_equal(locbo_study_end(study, &plan, &c), LOCBO_END_NOT);
    plan.target = 0.5;
    assert_int_equal(locbo_study_end(study, &plan, &c), LOCBO_END_TARGET);
    c.stopped = 1;
    assert_int_equal(locbo_study_end(study, &plan, &c), LOCBO_END_STOPPED);
    c.stopped = 0;
    plan.target = (double)NAN;
    plan.no_improvement = 5;
    plan.expected_gain = 0.1;
    assert_int_equal(locbo_study_end(study, &plan, &c), LOCBO_END_NOT);
    plan.no_improvement = 4;
    assert_int_equal(locbo_study_end(study, &plan, &c), LOCBO_END_NO_IMPROVEMENT);
    plan.no_improvement = 0;
    c.expected_gain = 0.09;
    assert_int_equal(locbo_study_end(study, &plan, &c), LOCBO_END_EXPECTED_GAIN);
    locbo_study_close(study);
}

#define on_scene(test) cmocka_unit_test_setup_teardown(test, own_store_open, own_store_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        on_scene(the_rules_to_stop),
        on_scene(a_study_is_what_it_was_made),
        on_scene(mistakes_are_named),
        on_scene(wrong_sizes_are_refused),
        on_scene(older_settings_are_understood),
        on_scene(differences_are_named),
        on_scene(each_kind_of_difference_is_named),
        on_scene(a_plan_may_change),
        on_scene(a_deleted_study_is_gone),
        on_scene(a_study_equals_an_optimizer),
        on_scene(a_study_equals_an_optimizer_with_outstanding_trials),
        on_scene(a_scale_comes_back),
        on_scene(a_restored_study_goes_on_the_same),
        on_scene(a_lost_lease_comes_back),
        on_scene(a_beat_keeps_the_lease),
        on_scene(a_late_result_mends_a_failure),
        on_scene(a_retry_has_a_new_seed_and_a_delay),
        on_scene(a_dead_worker_is_forgotten),
        on_scene(a_dead_proposer_is_forgotten),
        on_scene(queued_points_come_first),
        on_scene(a_fixed_coordinate_is_held),
        on_scene(imported_results_are_trials),
        on_scene(imported_outcomes_are_trials),
        on_scene(the_best_is_a_mean),
        on_scene(evaluations_are_a_budget),
        on_scene(the_last_trials_measure_the_recommended_point),
        on_scene(what_the_caller_wants_comes_before_confirming),
        on_scene(confirming_needs_a_number_of_trials),
        on_scene(the_limit_counts_what_is_under_way),
        on_scene(the_plan_limits_who_asks),
        on_scene(a_stopped_study_hands_out_nothing),
        on_scene(the_census_counts),
        on_scene(outputs_are_kept),
        on_scene(what_has_changed_is_found),
        on_scene(every_change_is_felt),
        on_scene(pulses_are_not_mixed_up),
        on_scene(seeds_differ),
        on_scene(many_workers_share_a_study),
        on_scene(many_workers_keep_to_the_plan),
        on_scene(a_stop_ends_many_workers),
        on_scene(damaged_rows_are_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
