/* Changing one's mind: what is altered, taken back, paused, renamed, noted and copied, against optimizers that were
 * built without a database. Runs on SQLite files of its own, or on the database of LOCBO_TEST_DB (tests/with-postgres).
 */
#include <locbo/study.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "own_store.h"
#include "mem.h"

static locbo_study *study;
static const char *const WORDS[] = {"a", "b", "c", "d"};

/* ---- set-up ------------------------------------------------------------------------------------ */

typedef struct shape {
    double low, high;
    size_t categories;
    const unsigned char *retired;
    double frozen; /* of n; NAN: not */
    int extra;     /* there is one more parameter */
    double past;   /* of it */
    const char *limit;
} shape;

static const shape FIRST = {.low = 0, .high = 1, .categories = 3, .frozen = (double)NAN};

static locbo_space *make_space(const shape *s) {
    locbo_space *space;
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_real(space, "x", s->low, s->high, LOCBO_LINEAR, &error));
    const locbo_parameter_spec specs[] = {
        {.struct_size = sizeof *specs,
         .name = "n",
         .kind = LOCBO_INT,
         .high = 9,
         .is_frozen = !isnan(s->frozen),
         .frozen = isnan(s->frozen) ? 0 : s->frozen},
        {.struct_size = sizeof *specs,
         .name = "word",
         .kind = LOCBO_CATEGORICAL,
         .count = s->categories,
         .categories = WORDS,
         .retired = s->retired},
        {.struct_size = sizeof *specs, .name = "extra", .low = -1, .high = 1, .has_past = 1, .past = s->past}};
    for (int i = 0; i < 2 + s->extra; i++) check_ok(locbo_space_add(space, &specs[i], &error));
    if (s->limit) check_ok(locbo_space_add_constraint(space, s->limit, &error));
    return space;
}

static locbo_options make_options(locbo_method method) {
    locbo_options options;
    locbo_options_init(&options);
    options.method = method;
    options.initial = 4;
    options.seed = 5;
    return options;
}

static locbo_study *make_study(const char *name, const shape *s, locbo_method method) {
    locbo_space *space = make_space(s);
    locbo_options options = make_options(method);
    locbo_study *made;
    locbo_definition d = {.struct_size = sizeof d, .space = space, .options = &options};
    locbo_study_delete(own_store, name, NULL);
    check_ok(locbo_study_create(&made, own_store, name, &d, NULL, &error));
    locbo_space_destroy(space);
    return made;
}

static int open_scene(void **state) {
    if (own_store_open(state) != 0) return -1;
    check_ok(locbo_store_author(own_store, "ann@lab", &error));
    study = make_study("a", &FIRST, LOCBO_METHOD_LOCBO);
    return 0;
}

static int close_scene(void **state) {
    locbo_study_close(study);
    return own_store_close(state);
}

static double measure(const double *x, uint64_t k) {
    double word = isnan(x[2]) ? 0 : x[2];
    return pow(x[0] - 0.4, 2) + 0.05 * fabs(x[1] - 4) + 0.1 * word + 0.02 * sin(50 * (double)k);
}

static locbo_assignment ask(locbo_study *s, double *x) {
    locbo_assignment a;
    check_ok(locbo_study_ask(s, NULL, &a, x, &error));
    return a;
}

static void tell(locbo_study *s, uint64_t trial, double value) {
    locbo_measurement m = {value, (double)NAN, 1};
    check_ok(locbo_study_tell(s, trial, 0, 1, &m, &error));
}

static void play(locbo_study *s, int rounds) {
    double x[4];
    for (int i = 0; i < rounds; i++) {
        uint64_t trial = ask(s, x).trial;
        tell(s, trial, measure(x, trial));
    }
}

/* Results, a replicate, a failure, an infeasible point, one that runs, one that waits. */
static void play_all(locbo_study *s) {
    double x[4];
    play(s, 6);
    check_ok(locbo_study_tell_failed(s, ask(s, x).trial, 1, "broke", &error));
    check_ok(locbo_study_tell_infeasible(s, ask(s, x).trial, 1, NULL, &error));
    play(s, 4);
    tell(s, 5, 0.4);
    ask(s, x);
    check_ok(locbo_study_enqueue(s, (double[]){0.9, 7, 2}, NULL, &error));
}

static char *saved(locbo_optimizer *o) {
    char *text;
    check_ok(locbo_optimizer_save(o, &text, NULL, &error));
    return text;
}

/* The state of a study, as text. */
static char *state_of(locbo_study *s) {
    locbo_optimizer *o;
    check_ok(locbo_study_optimizer(s, &o, &error));
    return saved(o);
}

static void check_same_state(locbo_study *a, locbo_study *b) {
    char *p = state_of(a), *q = state_of(b);
    assert_string_equal(p, q);
    locbo_free(p);
    locbo_free(q);
}

static locbo_study *copy_as(const char *name) {
    locbo_study *copy;
    locbo_study_delete(own_store, name, NULL);
    check_ok(locbo_study_copy(&copy, study, own_store, name, 1, &error));
    return copy;
}

static locbo_census census(void) {
    locbo_census c;
    check_ok(locbo_study_census(study, &c, &error));
    return c;
}

typedef struct seen {
    locbo_record record;
    double x[4], retracted[4];
    uint64_t by[4];
    char message[128], note[128], tags[128];
} seen;

static int keep(const locbo_record *r, void *user) {
    seen *s = user;
    s->record = *r;
    memcpy(s->x, r->x, 3 * sizeof *s->x);
    for (size_t i = 0; i < r->retracted_count && i < 4; i++) {
        s->retracted[i] = r->retracted[i].value;
        s->by[i] = r->retracted_by[i];
    }
    snprintf(s->message, sizeof s->message, "%s", r->message);
    snprintf(s->note, sizeof s->note, "%s", r->note);
    snprintf(s->tags, sizeof s->tags, "%s", r->tags);
    return 0;
}

static seen look(uint64_t trial) {
    seen s = {0};
    locbo_filter f = {.struct_size = sizeof f, .first = trial, .limit = 1};
    check_ok(locbo_study_each(study, &f, keep, &s, &error));
    assert_int_equal(s.record.trial.id, trial);
    return s;
}

static locbo_alteration alter_to(const shape *s, int only_try) {
    locbo_space *space = make_space(s);
    locbo_definition d = {.struct_size = sizeof d};
    locbo_alteration effect;
    check_ok(locbo_study_definition(study, &d, &error));
    d.space = space;
    check_ok(locbo_study_alter(study, &d, NULL, "because", only_try, &effect, &error));
    locbo_space_destroy(space);
    return effect;
}

/* ---- taken back -------------------------------------------------------------------------------- */

typedef struct facts {
    locbo_optimizer *optimizer;
} facts;

static int restore_trial(const locbo_record *r, void *user) {
    facts *f = user;
    check_ok(locbo_optimizer_restore_trial(f->optimizer, &r->trial, r->x, &error));
    return 0;
}

typedef struct told_list {
    size_t count;
    struct {
        uint64_t trial, event;
        locbo_measurement m;
    } item[64];
} told_list;

static int take_told(const locbo_record *r, void *user) {
    told_list *l = user;
    for (size_t i = 0; i < r->count; i++) {
        size_t at = l->count++;
        for (; at > 0 && l->item[at - 1].event > r->sequence[i]; at--) l->item[at] = l->item[at - 1];
        l->item[at].trial = r->trial.id;
        l->item[at].event = r->sequence[i];
        l->item[at].m = r->measurements[i];
    }
    return 0;
}

/* The state of an optimizer with the trials of the study and its results but those of one trial, in the order told. */
static char *without(uint64_t skipped) {
    locbo_definition d = {.struct_size = sizeof d};
    facts f = {.optimizer = NULL};
    told_list l = {0};
    check_ok(locbo_study_definition(study, &d, &error));
    check_ok(locbo_optimizer_create(&f.optimizer, d.space, d.options, &error));
    check_ok(locbo_study_each(study, NULL, restore_trial, &f, &error));
    check_ok(locbo_study_each(study, NULL, take_told, &l, &error));
    for (size_t i = 0; i < l.count; i++)
        if (l.item[i].trial != skipped)
            check_ok(locbo_optimizer_tell(f.optimizer, l.item[i].trial, &l.item[i].m, &error));
    check_ok(locbo_optimizer_cancel(f.optimizer, skipped, &error));
    char *text = saved(f.optimizer);
    locbo_optimizer_destroy(f.optimizer);
    return text;
}

static int count_fit(const locbo_fit *fit, void *user) {
    uint64_t *most = user;
    if (fit->rows > *most) *most = fit->rows;
    return 0;
}

/* The facts alone: what comes before the fits in a saved state. */
static void check_same_facts(char *a, char *b) {
    size_t size = 0;
    while (a[size] && strncmp(a + size, "\"fit\"", 5) != 0) size++;
    assert_true(a[size] && strlen(b) > size);
    assert_memory_equal(a, b, size);
    locbo_free(a);
    locbo_free(b);
}

static void what_is_taken_back_was_never_told(void **state) {
    (void)state;
    play(study, 14);
    uint64_t most = 0;
    double before[4], after[4];
    seen later = look(12);
    char *expected = without(6);
    check_ok(locbo_study_retract(study, 6, 0, "a typo", &error));
    check_same_facts(expected, state_of(study));
    check_ok(locbo_study_each_fit(study, count_fit, &most, &error));
    assert_true(most > 0 && most < 6); /* fits that saw it are gone, those before it are there */
    seen s = look(12);
    assert_memory_equal(&later.record.trial.belief, &s.record.trial.belief, sizeof later.record.trial.belief);
    s = look(6);
    assert_true(s.record.state == LOCBO_RETRACTED && s.record.count == 0 && s.record.retracted_count == 1);
    assert_true(s.record.failure == 15 && s.by[0] == 15 && isnan(s.record.value));
    assert_string_equal(s.message, "a typo");
    locbo_census c = census();
    assert_true(c.measurements == 13 && c.state[LOCBO_RETRACTED] == 1 && c.state[LOCBO_COMPLETE] == 13);
    assert_int_equal(c.events, 15);
    /* another process proposes the same */
    locbo_study *copy = copy_as("b");
    check_same_state(study, copy);
    ask(study, before);
    ask(copy, after);
    assert_memory_equal(before, after, 3 * sizeof *before);
    locbo_study_close(copy);
    /* it is over, until another result is told */
    check_fails(locbo_study_retract(study, 6, 0, NULL, &error), LOCBO_ERR_STATE, "trial 6 is already RETRACTED");
    check_fails(locbo_study_beat(study, 6, 1, 10, &error), LOCBO_ERR_STATE, "has ended: RETRACTED");
    tell(study, 6, 0.3);
    s = look(6);
    assert_true(s.record.state == LOCBO_COMPLETE && s.record.count == 1 && s.record.retracted_count == 1);
    check_same(s.record.value, 0.3);
}

/* Who imports the same file again does not get it back, unless they insist. */
static void an_import_does_not_bring_it_back(void **state) {
    (void)state;
    const double x[] = {0.25, 3, 1};
    const locbo_measurement m = {0.5, (double)NAN, 1};
    const locbo_import_row row = {x, LOCBO_COMPLETE, 1, &m, NULL};
    locbo_imported done;
    check_ok(locbo_study_import_outcomes(study, 1, &row, 0, &done, &error));
    check_ok(locbo_study_retract(study, 1, 0, NULL, &error));
    check_ok(locbo_study_import_outcomes(study, 1, &row, 0, &done, &error));
    assert_true(done.results == 0 && done.skipped == 1 && census().measurements == 0);
    check_ok(locbo_study_import_outcomes(study, 1, &row, 1, &done, &error));
    assert_true(done.results == 1 && census().measurements == 1);
    check_ok(locbo_study_fail(study, 2, LOCBO_STATE_FAILED, NULL, &error));
    check_ok(locbo_study_import_outcomes(study, 1, &row, 0, &done, &error));
    assert_true(done.results == 0 && done.skipped == 1);
}

static void one_result_of_several(void **state) {
    (void)state;
    play(study, 5);
    for (int i = 0; i < 2; i++) tell(study, 3, 10 + i); /* events 6 and 7 */
    check_ok(locbo_study_retract(study, 3, 6, NULL, &error));
    seen s = look(3);
    assert_true(s.record.state == LOCBO_COMPLETE && s.record.count == 2 && s.record.retracted_count == 1);
    check_same(s.retracted[0], 10);
    check_fails(locbo_study_retract(study, 3, 6, NULL, &error), LOCBO_ERR_STATE,
                "trial 3 has no result with event number 6 to take back");
    check_fails(locbo_study_retract(study, 3, 99, NULL, &error), LOCBO_ERR_STATE, "event number 99");
    check_fails(locbo_study_retract(study, 77, 0, NULL, &error), LOCBO_ERR_NOT_FOUND, "has no trial 77");
    assert_int_equal(census().events, 8); /* what was refused has taken no number */
}

/* Trials that wait or run, and those that failed. */
static void what_is_not_complete(void **state) {
    (void)state;
    play_all(study);
    for (uint64_t k = 7; k <= 14; k++)
        if (k < 9 || k > 12) check_ok(locbo_study_retract(study, k, 0, NULL, &error));
    for (uint64_t k = 7; k <= 14; k++) assert_true((look(k).record.state == LOCBO_RETRACTED) == (k < 9 || k > 12));
    locbo_optimizer *o;
    locbo_summary summary;
    check_ok(locbo_study_optimizer(study, &o, &error));
    check_ok(locbo_optimizer_summary(o, &summary, &error));
    assert_true(summary.failed == 0 && summary.infeasible == 0 && summary.pending == 0 && summary.told == 10);
    double x[4];
    assert_int_equal(ask(study, x).trial, 15); /* what waited is not handed out */
}

static void a_result_that_was_a_failure(void **state) {
    (void)state;
    play(study, 8);
    check_ok(locbo_study_fail(study, 4, LOCBO_STATE_FAILED, "the sensor was loose", &error));
    check_ok(locbo_study_fail(study, 5, LOCBO_STATE_INFEASIBLE, NULL, &error));
    seen s = look(4);
    assert_true(s.record.state == LOCBO_STATE_FAILED && s.record.count == 0 && s.record.retracted_count == 1);
    assert_string_equal(s.message, "the sensor was loose");
    locbo_optimizer *o;
    locbo_summary summary;
    check_ok(locbo_study_optimizer(study, &o, &error));
    check_ok(locbo_optimizer_summary(o, &summary, &error));
    assert_true(summary.failed == 1 && summary.infeasible == 1 && summary.told == 6);
    assert_true(census().failures_in_row == 0 && census().empty_in_row == 0); /* nothing that a run is stopped for */
    check_fails(locbo_study_fail(study, 4, LOCBO_STATE_FAILED, NULL, &error), LOCBO_ERR_STATE, "already FAILED");
    check_ok(locbo_study_fail(study, 4, LOCBO_STATE_INFEASIBLE, NULL, &error));
    check_fails(locbo_study_fail(study, 4, LOCBO_COMPLETE, NULL, &error), LOCBO_ERR_ARGUMENT,
                "cannot fail as COMPLETE");
    check_fails(locbo_study_fail(study, 4, LOCBO_RETRACTED, NULL, &error), LOCBO_ERR_ARGUMENT, "cannot fail as");
    play(study, 2);
}

/* ---- altered ----------------------------------------------------------------------------------- */

/* The study's state after an alteration is that of locbo_optimizer_alter, which needs no database. */
static void check_altered(const shape *s) {
    locbo_optimizer *o, *expected;
    locbo_space *space = make_space(s);
    uint64_t aside;
    check_ok(locbo_study_optimizer(study, &o, &error));
    check_ok(locbo_optimizer_alter(&expected, o, space, NULL, &aside, &error));
    char *was = saved(expected);
    uint64_t before = census().events;
    locbo_alteration tried = alter_to(s, 1), done = alter_to(s, 0);
    assert_int_equal(done.event, before + 1);
    assert_true(tried.event == 0 && tried.fits == done.fits && tried.outside == done.outside &&
                tried.withdrawn == done.withdrawn && tried.aside == aside && done.aside == aside);
    if (done.withdrawn) { /* the optimizer does not know that such trials are over */
        check_ok(locbo_optimizer_cancel(expected, 14, &error));
        locbo_free(was);
        was = saved(expected);
    }
    char *is = state_of(study);
    if (!s->limit) assert_string_equal(was, is);
    check_same_facts(was, is); /* with another constraint the fits still hold */
    locbo_optimizer_destroy(expected);
    locbo_space_destroy(space);
    assert_int_equal(census().revision, done.event);
}

static void ranges_parameters_and_categories(void **state) {
    (void)state;
    static const unsigned char retired[] = {0, 1, 0, 0};
    const shape shapes[] = {
        {.low = -1, .high = 2, .categories = 3, .frozen = (double)NAN},
        {.low = 0.1, .high = 0.6, .categories = 3, .frozen = (double)NAN},
        {.low = 0, .high = 1, .categories = 4, .frozen = (double)NAN},
        {.low = 0, .high = 1, .categories = 4, .retired = retired, .frozen = (double)NAN},
        {.low = 0, .high = 1, .categories = 4, .retired = retired, .frozen = 4},
        {.low = 0, .high = 1, .categories = 4, .frozen = (double)NAN, .extra = 1, .past = 0.5},
        {.low = 0,
         .high = 1,
         .categories = 4,
         .frozen = (double)NAN,
         .extra = 1,
         .past = 0.5,
         .limit = "x + extra <= 1"},
    };
    play_all(study);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        check_altered(&shapes[i]);
        double x[4];
        locbo_definition d = {.struct_size = sizeof d};
        check_ok(locbo_study_definition(study, &d, &error));
        locbo_assignment a = ask(study, x);
        if (i == 0) {
            assert_int_equal(a.trial, 14); /* it waited, and is inside */
            check_ok(locbo_study_requeue(study, 14, 1, LOCBO_REQUEUE_SAME, 0, &error));
            continue;
        }
        check_ok(locbo_space_check(d.space, x, &error));
        tell(study, a.trial, measure(x, a.trial));
    }
    seen s = look(14);
    assert_int_equal(s.record.state, LOCBO_RETRACTED);
    check_that(strstr(s.message, "outside the space since it was altered") != NULL, "%s", s.message);
    assert_true(look(13).record.outside > 0); /* it runs */
    alter_to(&(shape){.low = 0, .high = 1, .categories = 4, .frozen = (double)NAN, .extra = 1, .past = 0.5}, 0);
    assert_int_equal(look(13).record.outside, 0); /* inside again */
}

/* Nothing differs: no event, no revision. */
static void nothing_differs(void **state) {
    (void)state;
    play(study, 6);
    locbo_alteration effect = alter_to(&FIRST, 0);
    locbo_plan plan = {.struct_size = sizeof plan};
    check_ok(locbo_study_plan(study, &plan, &error));
    check_ok(locbo_study_set_plan(study, &plan, &error));
    assert_true(effect.event == 0 && effect.fits == 0 && census().revision == 0 && census().events == 6);
}

static void options_command_outputs_plan(void **state) {
    (void)state;
    play(study, 8);
    locbo_definition d = {.struct_size = sizeof d};
    locbo_options options;
    const char *command[] = {"./run", "{x}"};
    locbo_alteration effect;
    check_ok(locbo_study_definition(study, &d, &error));
    d.command = command;
    d.command_count = 2;
    check_ok(locbo_study_alter(study, &d, NULL, NULL, 0, &effect, &error));
    assert_true(effect.event == 9 && effect.fits == 0); /* the model is the same */
    check_ok(locbo_study_definition(study, &d, &error));
    assert_string_equal(d.command[1], "{x}");
    options = *d.options;
    options.alpha = 0.3;
    d.options = &options;
    check_ok(locbo_study_alter(study, &d, NULL, NULL, 0, &effect, &error));
    assert_true(effect.event == 10 && effect.fits > 0);
    play(study, 2);
    /* a table of outputs, with one that is derived */
    locbo_outputs *outputs;
    check_ok(locbo_outputs_create(&outputs, &error));
    const locbo_output_spec specs[] = {{.struct_size = sizeof *specs, .name = "value", .goal = LOCBO_GOAL_MINIMIZE},
                                       {.struct_size = sizeof *specs,
                                        .name = "twice",
                                        .goal = LOCBO_GOAL_AT_MOST,
                                        .bound = 0.5,
                                        .expression = "2*value"},
                                       {.struct_size = sizeof *specs, .name = "seconds", .goal = LOCBO_GOAL_RECORD}};
    for (int i = 0; i < 3; i++) check_ok(locbo_outputs_add(outputs, &specs[i], &error));
    check_ok(locbo_study_definition(study, &d, &error));
    d.outputs = outputs;
    check_ok(locbo_study_alter(study, &d, NULL, NULL, 0, &effect, &error));
    locbo_outputs_destroy(outputs);
    seen s = {0};
    check_ok(locbo_study_each(study, NULL, keep, &s, &error));
    assert_int_equal(s.record.outputs, 3);
    double x[4];
    locbo_assignment a = ask(study, x);
    locbo_measurement row[3] = {
        {measure(x, a.trial), (double)NAN, 1}, {(double)NAN, (double)NAN, 1}, {7, (double)NAN, 1}};
    check_ok(locbo_study_tell(study, a.trial, 1, 1, row, &error));
    locbo_optimizer *o;
    locbo_summary summary;
    check_ok(locbo_study_optimizer(study, &o, &error));
    check_ok(locbo_optimizer_summary_of(o, 1, &summary, &error));
    assert_int_equal(summary.told, 11);
    assert_int_equal(summary.judged, 1); /* the last ask had a model of it */
    locbo_plan plan = {.struct_size = sizeof plan};
    check_ok(locbo_study_plan(study, &plan, &error));
    plan.trials = 40;
    check_ok(locbo_study_alter(study, NULL, &plan, "more", 0, &effect, &error));
    assert_true(effect.event > 0 && census().revision < effect.event);
    plan.confirm = 50;
    check_fails(locbo_study_alter(study, NULL, &plan, NULL, 0, NULL, &error), LOCBO_ERR_ARGUMENT, "confirm");
}

static void coverage_is_counted_anew(void **state) {
    (void)state;
    locbo_optimizer *o;
    locbo_summary before, after;
    play(study, 10);
    check_ok(locbo_study_optimizer(study, &o, &error));
    check_ok(locbo_optimizer_summary(o, &before, &error));
    assert_true(before.judged > 2);
    alter_to(&(shape){.low = 0, .high = 2, .categories = 3, .frozen = (double)NAN}, 0);
    check_ok(locbo_study_optimizer(study, &o, &error));
    check_ok(locbo_optimizer_summary(o, &after, &error));
    assert_int_equal(after.judged, 0);
    play(study, 3);
    check_ok(locbo_study_optimizer(study, &o, &error));
    check_ok(locbo_optimizer_summary(o, &after, &error));
    assert_int_equal(after.judged, 3);
    assert_int_equal(after.told, 13);
}

/* A trial that runs while the space becomes narrower: its value is kept, its worker's loss ends it. */
static void trials_that_run(void **state) {
    (void)state;
    double x[4];
    play(study, 5);
    locbo_request r = {.struct_size = sizeof r, .worker = "w", .fixed = (double[]){0.9, 5, 1}};
    locbo_assignment a, b;
    check_ok(locbo_study_ask(study, &r, &a, x, &error));
    check_ok(locbo_study_ask(study, &r, &b, x, &error));
    alter_to(&(shape){.low = 0, .high = 0.5, .categories = 3, .frozen = (double)NAN}, 0);
    assert_int_equal(look(a.trial).record.outside, 6);
    check_ok(locbo_study_beat(study, a.trial, 1, 100, &error)); /* it may end */
    tell(study, a.trial, 0.2);
    assert_true(look(a.trial).record.state == LOCBO_COMPLETE && look(a.trial).record.outside == 0);
    check_ok(locbo_study_requeue(study, b.trial, 1, LOCBO_REQUEUE_SAME, 0, &error));
    assert_int_equal(look(b.trial).record.state, LOCBO_RETRACTED); /* nobody gets it again */
    locbo_assignment c = ask(study, x);
    assert_true(c.trial > b.trial && x[0] <= 0.5);
    /* the same for one that is lost */
    r.fixed = (double[]){0.4, 5, 1};
    check_ok(locbo_study_ask(study, &r, &a, x, &error));
    alter_to(&(shape){.low = 0, .high = 0.3, .categories = 3, .frozen = (double)NAN}, 0);
    uint64_t requeued = 9;
    check_ok(locbo_study_forget_worker(study, "w", &requeued, &error));
    assert_int_equal(requeued, 0);
    assert_int_equal(look(a.trial).record.state, LOCBO_RETRACTED);
}

/* Another process has it open. */
static void others_are_told(void **state) {
    (void)state;
    locbo_study *other;
    locbo_assignment a;
    double x[4];
    int changed = 0;
    locbo_census c;
    locbo_optimizer *o;
    locbo_alteration effect;
    seen s;
    play(study, 6);
    check_ok(locbo_study_open(&other, own_store, "a", &error));
    check_ok(locbo_study_ask(other, NULL, &a, x, &error));
    const shape wider = {.low = 0, .high = 1, .categories = 3, .frozen = (double)NAN, .extra = 1, .past = 0};
    alter_to(&wider, 0);
    check_fails(locbo_study_ask(other, NULL, &a, x, &error), LOCBO_ERR_CHANGED, "'a' was altered (event 7)");
    check_fails(locbo_study_enqueue(other, x, NULL, &error), LOCBO_ERR_CHANGED, "was altered");
    check_fails(locbo_study_each(other, NULL, keep, &s, &error), LOCBO_ERR_CHANGED, "was altered");
    check_fails(locbo_study_census(other, &c, &error), LOCBO_ERR_CHANGED, "was altered");
    check_fails(locbo_study_optimizer(other, &o, &error), LOCBO_ERR_CHANGED, "was altered");
    locbo_definition d = {.struct_size = sizeof d};
    check_ok(locbo_study_definition(other, &d, &error));
    check_fails(locbo_study_alter(other, &d, NULL, NULL, 0, &effect, &error), LOCBO_ERR_CHANGED, "was altered");
    locbo_measurement m = {0.5, (double)NAN, 1};
    check_fails(locbo_study_import(other, 1, x, &m, NULL, &error), LOCBO_ERR_CHANGED, "was altered");
    check_ok(locbo_study_beat(other, 7, 1, 50, &error));
    tell(other, 7, 0.5); /* a result is taken all the same */
    check_ok(locbo_study_refresh(other, &changed, &error));
    assert_int_equal(changed, 1);
    check_ok(locbo_study_refresh(other, &changed, &error));
    assert_int_equal(changed, 0);
    check_ok(locbo_study_ask(other, NULL, &a, x, &error));
    assert_true(x[3] >= -1 && x[3] <= 1);
    check_same_state(study, other);
    locbo_study_close(other);
}

/* While a proposal is computed. */
typedef struct interruption {
    locbo_store *store;
    int kind, done;
} interruption;

static int interrupt(void *user) {
    interruption *i = user;
    locbo_study *s;
    if (i->done) return 0;
    i->done = 1;
    check_ok(locbo_study_open(&s, i->store, "a", &error));
    if (i->kind == 0) {
        locbo_space *space = make_space(&(shape){.low = 0, .high = 0.5, .categories = 3, .frozen = (double)NAN});
        locbo_definition d = {.struct_size = sizeof d};
        check_ok(locbo_study_definition(s, &d, &error));
        d.space = space;
        check_ok(locbo_study_alter(s, &d, NULL, NULL, 0, NULL, &error));
        locbo_space_destroy(space);
    } else if (i->kind == 1) {
        check_ok(locbo_study_retract(s, 3, 0, NULL, &error));
    } else {
        check_ok(locbo_study_pause(s, NULL, &error));
    }
    locbo_study_close(s);
    return 0;
}

static void a_change_while_a_proposal_is_computed(void **state) {
    (void)state;
    for (int kind = 0; kind < 3; kind++) {
        interruption i = {.kind = kind};
        locbo_assignment a;
        double x[4], y[4];
        locbo_study_close(study);
        study = make_study("a", &FIRST, LOCBO_METHOD_LOCBO);
        play(study, 7);
        check_ok(locbo_store_open(&i.store, own_url, LOCBO_STORE_EXISTING, &error));
        locbo_study_watch(study, interrupt, &i);
        if (kind == 1) {
            check_ok(locbo_study_ask(study, NULL, &a, x, &error));
            assert_int_equal(a.info.told, 6); /* computed anew, without it */
            locbo_study *copy = copy_as("b");
            check_same_state(study, copy);
            locbo_study_close(copy);
        } else {
            check_fails(locbo_study_ask(study, NULL, &a, y, &error), kind ? LOCBO_ERR_PAUSED : LOCBO_ERR_CHANGED,
                        "'a'");
        }
        assert_int_equal(i.done, 1);
        locbo_store_close(i.store);
    }
}

static void mistakes(void **state) {
    (void)state;
    play(study, 5);
    locbo_space *less, *more, *kind, *fewer, *none;
    locbo_definition d = {.struct_size = sizeof d}, was = d;
    check_ok(locbo_study_definition(study, &was, &error));
    locbo_space **spaces[] = {&less, &more, &kind, &fewer, &none};
    for (int i = 0; i < 5; i++) check_ok(locbo_space_create(spaces[i], &error));
    check_ok(locbo_space_add_real(less, "x", 0, 1, LOCBO_LINEAR, &error));
    for (int i = 1; i < 5; i++) {
        if (i == 2)
            check_ok(locbo_space_add_categorical(*spaces[i], "x", 2, WORDS, &error));
        else
            check_ok(locbo_space_add_real(*spaces[i], "x", 0, 1, LOCBO_LINEAR, &error));
        check_ok(locbo_space_add_int(*spaces[i], "n", 0, 9, LOCBO_LINEAR, &error));
        check_ok(locbo_space_add_categorical(*spaces[i], "word", i == 3 ? 2 : 3, WORDS, &error));
    }
    check_ok(locbo_space_add_real(more, "extra", 0, 1, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_constraint(none, "x >= 2", &error));
    static const char *const words[] = {"'n' is not in the new space: freeze it", "'extra' is new: it needs",
                                        "'x' cannot become one of another kind", "'c' cannot be removed: retire it",
                                        "x >= 2"};
    for (int i = 0; i < 5; i++) {
        d.space = *spaces[i];
        check_fails(locbo_study_alter(study, &d, NULL, NULL, 0, NULL, &error), LOCBO_ERR_ARGUMENT, words[i]);
    }
    locbo_outputs *outputs;
    check_ok(locbo_outputs_create(&outputs, &error));
    check_ok(locbo_outputs_add(outputs, &(locbo_output_spec){.struct_size = sizeof(locbo_output_spec), .name = "loss"},
                               &error));
    d = was;
    d.outputs = outputs;
    check_fails(locbo_study_alter(study, &d, NULL, NULL, 0, NULL, &error), LOCBO_ERR_ARGUMENT,
                "output 1 is 'value' and cannot become 'loss'");
    locbo_outputs_destroy(outputs);
    for (int i = 0; i < 5; i++) locbo_space_destroy(*spaces[i]);
    check_fails(locbo_study_alter(NULL, NULL, NULL, NULL, 0, NULL, &error), LOCBO_ERR_ARGUMENT, "NULL");
    check_fails(locbo_study_rename(study, "", &error), LOCBO_ERR_ARGUMENT, "must not be empty");
    check_fails(locbo_study_note(study, 99, "x", NULL, &error), LOCBO_ERR_NOT_FOUND, "has no trial 99");
    check_fails(locbo_study_note(study, 1, "\xff", NULL, &error), LOCBO_ERR_ARGUMENT, "not UTF-8");
    assert_true(census().events == 5 && census().revision == 0);
}

/* ---- what must suit an alteration -------------------------------------------------------------- */

static const locbo_output_spec VALUE = {.struct_size = sizeof VALUE, .name = "value", .goal = LOCBO_GOAL_MINIMIZE};

static locbo_output_spec second(locbo_goal goal, double bound, locbo_model_scale scale) {
    return (locbo_output_spec){
        .struct_size = sizeof(locbo_output_spec), .name = "second", .goal = goal, .bound = bound, .scale = scale};
}

/* Give the study this table of outputs. */
static locbo_status alter_outputs(size_t count, const locbo_output_spec *specs, locbo_error *error) {
    locbo_outputs *outputs;
    locbo_definition d = {.struct_size = sizeof d};
    locbo_status status = locbo_outputs_create(&outputs, error);
    for (size_t i = 0; i < count && status == LOCBO_OK; i++) status = locbo_outputs_add(outputs, &specs[i], error);
    if (status == LOCBO_OK) status = locbo_study_definition(study, &d, error);
    d.outputs = outputs;
    if (status == LOCBO_OK) status = locbo_study_alter(study, &d, NULL, NULL, 0, NULL, error);
    locbo_outputs_destroy(outputs);
    return status;
}

/* Trials whose results have a value and `sign` (1 + x) as second output; a third is derived. */
static void play_outputs(int rounds, double sign) {
    double x[4];
    for (int i = 0; i < rounds; i++) {
        uint64_t trial = ask(study, x).trial;
        const locbo_measurement row[] = {{measure(x, trial), (double)NAN, 1},
                                         {sign != 0 ? sign * (1 + x[0]) : (double)NAN, (double)NAN, 1},
                                         {(double)NAN, (double)NAN, 1}};
        check_ok(locbo_study_tell(study, trial, 0, 1, row, &error));
    }
}

/* A trial that was handed out before there was a second output: whatever was measured of it is kept. */
static void told_after_an_output_was_added(void **state) {
    (void)state;
    double x[4];
    const locbo_output_spec specs[] = {VALUE, second(LOCBO_GOAL_RECORD, 0, LOCBO_MODEL_SCALE_OPTION)};
    uint64_t first = ask(study, x).trial, other = ask(study, x).trial;
    check_ok(alter_outputs(2, specs, &error));
    const locbo_measurement none = {(double)NAN, (double)NAN, 1},
                            twice[] = {{0.3, (double)NAN, 1}, none, {0.5, (double)NAN, 1}, {7, (double)NAN, 1}},
                            new_one[] = {none, {3, (double)NAN, 1}};
    check_ok(locbo_study_tell(study, first, 0, 2, twice, &error));
    check_ok(locbo_study_tell(study, other, 0, 1, new_one, &error));
    assert_true(census().measurements == 3 && census().best_trial == first);
    check_close(census().best_value, 0.4, 1e-15, 0); /* a sum of two */
    check_ok(locbo_study_retract(study, first, 0, NULL, &error));
    assert_true(census().measurements == 1 && census().best_trial == 0);
}

/* A model's proposals are known to whatever method follows. */
static void another_method(void **state) {
    (void)state;
    static const locbo_method methods[] = {LOCBO_METHOD_RANDOM, LOCBO_METHOD_OCBO, LOCBO_METHOD_RANDOM,
                                           LOCBO_METHOD_LOCBO};
    play(study, 8);
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        locbo_definition d = {.struct_size = sizeof d};
        check_ok(locbo_study_definition(study, &d, &error));
        locbo_options options = *d.options;
        options.method = methods[i];
        d.options = &options;
        check_ok(locbo_study_alter(study, &d, NULL, NULL, 0, NULL, &error));
        play(study, 3);
        locbo_free(state_of(study));
    }
}

/* An output that was only recorded gets a scale: its results must be possible on it, and what was once believed of it
 * on another one is forgotten. */
static void another_scale(void **state) {
    (void)state;
    locbo_output_spec specs[] = {VALUE, second(LOCBO_GOAL_RECORD, 0, LOCBO_MODEL_SCALE_OPTION)};
    check_ok(alter_outputs(2, specs, &error));
    play_outputs(3, -1);
    specs[1] = second(LOCBO_GOAL_AT_MOST, 1.5, LOCBO_MODEL_SCALE_LOG);
    check_fails(alter_outputs(2, specs, &error), LOCBO_ERR_ARGUMENT, "output 'second' has results from -");
    for (uint64_t k = 1; k <= 3; k++) check_ok(locbo_study_retract(study, k, 0, NULL, &error));
    check_ok(alter_outputs(2, specs, &error));
    play_outputs(8, 1);
    specs[1] = second(LOCBO_GOAL_RECORD, 0, LOCBO_MODEL_SCALE_OPTION);
    check_ok(alter_outputs(2, specs, &error));
    specs[1] = second(LOCBO_GOAL_AT_MOST, 1.5, LOCBO_MODEL_SCALE_OPTION);
    check_ok(alter_outputs(2, specs, &error));
    play_outputs(2, 1);
}

/* Who does not know of the scale yet tells what is not possible on it: the model does not see that value. */
static void told_on_the_scale_before(void **state) {
    (void)state;
    double x[4];
    locbo_study *other, *copy;
    locbo_optimizer *o;
    locbo_summary summary;
    locbo_output_spec specs[] = {VALUE, second(LOCBO_GOAL_RECORD, 0, LOCBO_MODEL_SCALE_OPTION)};
    check_ok(alter_outputs(2, specs, &error));
    play_outputs(4, 1);
    uint64_t first = ask(study, x).trial, last = ask(study, x).trial;
    check_ok(locbo_study_open(&other, own_store, "a", &error));
    specs[1] = second(LOCBO_GOAL_AT_MOST, 1.5, LOCBO_MODEL_SCALE_LOG);
    check_ok(alter_outputs(2, specs, &error));
    const locbo_measurement row[] = {{0.3, (double)NAN, 1}, {-1, (double)NAN, 1}};
    const locbo_measurement alone[] = {{(double)NAN, (double)NAN, 1}, {-1, (double)NAN, 1}};
    check_ok(locbo_study_tell(other, first, 0, 1, row, &error));
    check_ok(locbo_study_tell(other, last, 0, 1, alone, &error));
    locbo_study_close(other);
    check_ok(locbo_study_optimizer(study, &o, &error));
    check_ok(locbo_optimizer_summary_of(o, 1, &summary, &error));
    assert_true(summary.told == 5 && summary.pending == 0); /* results with anything */
    copy = copy_as("b");
    check_same_state(study, copy);
    locbo_study_close(copy);
    check_ok(locbo_study_tell(study, last, 0, 1, (locbo_measurement[]){row[0], alone[0]}, &error));
    check_ok(locbo_study_optimizer(study, &o, &error));
    check_ok(locbo_optimizer_summary_of(o, 1, &summary, &error));
    assert_int_equal(summary.told, 6);
    play_outputs(2, 1);
}

/* A fit is of the values that an output had, also if they are others by what it is derived from. */
static void another_expression(void **state) {
    (void)state;
    uint64_t most = 0;
    locbo_output_spec specs[] = {VALUE, second(LOCBO_GOAL_RECORD, 0, LOCBO_MODEL_SCALE_OPTION),
                                 second(LOCBO_GOAL_AT_MOST, 1.5, LOCBO_MODEL_SCALE_OPTION)};
    specs[1].expression = "2*value";
    specs[2].name = "third";
    specs[2].expression = "second + 1";
    check_ok(alter_outputs(3, specs, &error));
    play_outputs(8, 0);
    specs[1].expression = "log(value - 0.3)"; /* few results have it */
    check_ok(alter_outputs(3, specs, &error));
    check_ok(locbo_study_each_fit(study, count_fit, &most, &error));
    assert_true(most > 0); /* those of the value */
    play_outputs(2, 0);
}

/* The reference point is the one that the table has, or is inferred anew. */
static void another_reference(void **state) {
    (void)state;
    double inferred[2], given[2], known[2];
    locbo_optimizer *o;
    locbo_output_spec specs[] = {VALUE, second(LOCBO_GOAL_MINIMIZE, 0, LOCBO_MODEL_SCALE_OPTION)};
    check_ok(alter_outputs(2, specs, &error));
    play_outputs(7, 1);
    check_ok(locbo_study_reference(study, inferred, &error));
    assert_true(inferred[1] > 1.25);
    specs[1].referenced = 1;
    specs[1].reference = 1.25;
    check_ok(alter_outputs(2, specs, &error));
    play_outputs(1, 1);
    check_ok(locbo_study_reference(study, given, &error));
    check_ok(locbo_study_optimizer(study, &o, &error));
    check_ok(locbo_optimizer_reference(o, known, &error));
    check_same(given[1], 1.25);
    for (int i = 0; i < 2; i++) check_same(given[i], known[i]);
}

/* A plan is for the outputs that a study has. */
static void plans_and_outputs(void **state) {
    (void)state;
    locbo_study *other;
    locbo_plan plan = {.struct_size = sizeof plan};
    const locbo_output_spec two[] = {VALUE, second(LOCBO_GOAL_MINIMIZE, 0, LOCBO_MODEL_SCALE_OPTION)};
    locbo_output_spec three[] = {VALUE, two[1], two[1]};
    play(study, 8);
    check_ok(locbo_study_plan(study, &plan, &error));
    plan.trials = 12;
    plan.confirm = 3;
    check_ok(locbo_study_set_plan(study, &plan, &error));
    check_fails(alter_outputs(2, two, &error), LOCBO_ERR_ARGUMENT,
                "confirm 3 needs one objective, the study has 2: no point is recommended: give another plan, too");
    plan.confirm = 0;
    check_ok(locbo_study_set_plan(study, &plan, &error));
    check_ok(locbo_study_open(&other, own_store, "a", &error));
    check_ok(alter_outputs(2, two, &error));
    plan.confirm = 2;
    uint64_t most = 0;
    check_fails(locbo_study_set_plan(other, &plan, &error), LOCBO_ERR_CHANGED, "was altered");
    check_fails(locbo_study_each_fit(other, count_fit, &most, &error), LOCBO_ERR_CHANGED, "was altered");
    locbo_study_close(other);
    /* targets are in the order of the objectives and constraints */
    three[2].name = "third";
    check_ok(alter_outputs(3, three, &error));
    plan.confirm = 0;
    plan.targets[2] = 1;
    check_ok(locbo_study_set_plan(study, &plan, &error));
    three[1].goal = LOCBO_GOAL_RECORD;
    check_fails(alter_outputs(3, three, &error), LOCBO_ERR_ARGUMENT, "target");
    plan.targets[2] = (double)NAN;
    plan.targets[1] = 1;
    check_ok(locbo_study_set_plan(study, &plan, &error));
    check_fails(alter_outputs(3, three, &error), LOCBO_ERR_ARGUMENT, "the plan has targets");
}

/* What was taken back does not count for the limit, nor for the last trials before it. */
static void confirmed_at_the_end(void **state) {
    (void)state;
    locbo_plan plan = {.struct_size = sizeof plan};
    locbo_assignment a;
    double x[4];
    unsigned confirmed = 0;
    check_ok(locbo_study_plan(study, &plan, &error));
    plan.trials = 10;
    plan.confirm = 2;
    check_ok(locbo_study_set_plan(study, &plan, &error));
    play(study, 6);
    for (uint64_t k = 1; k <= 3; k++) check_ok(locbo_study_retract(study, k, 0, NULL, &error));
    for (int i = 0; i < 7; i++) {
        a = ask(study, x);
        confirmed += a.info.origin == LOCBO_ORIGIN_CONFIRM;
        tell(study, a.trial, measure(x, a.trial));
    }
    check_fails(locbo_study_ask(study, NULL, &a, x, &error), LOCBO_ERR_NOTHING, "has its 10 trials");
    assert_int_equal(confirmed, 2);
}

/* What proposals promised says nothing about the study without a result that they knew. */
static void promises_before_it(void **state) {
    (void)state;
    locbo_plan plan = {.struct_size = sizeof plan};
    check_ok(locbo_study_plan(study, &plan, &error));
    plan.expected_gain = 1e-6;
    check_ok(locbo_study_set_plan(study, &plan, &error));
    play(study, 5);
    tell(study, 5, -1000); /* a typo: nothing better is expected */
    while (isnan(census().expected_gain)) play(study, 1);
    check_ok(locbo_study_retract(study, 5, 6, NULL, &error));
    assert_true(isnan(census().expected_gain));
    usleep(2000);
    while (isnan(census().expected_gain)) play(study, 1);
}

/* A past point and a new one are the same if they are so in the present space. */
static void the_best_of_an_altered_study(void **state) {
    (void)state;
    double x[4];
    locbo_optimizer *o;
    locbo_choice best;
    play(study, 5);
    check_ok(locbo_study_enqueue(study, (double[]){0.4, 4, 0}, NULL, &error));
    tell(study, ask(study, x).trial, -1);
    alter_to(&(shape){.low = 0, .high = 1, .categories = 3, .frozen = (double)NAN, .extra = 1, .past = 0.5}, 0);
    for (int i = 0; i < 2; i++) {
        check_ok(locbo_study_enqueue(study, (double[]){0.4, 4, 0, 0.5}, NULL, &error));
        tell(study, ask(study, x).trial, i == 0 ? 0 : 3);
        check_ok(locbo_study_optimizer(study, &o, &error));
        check_ok(locbo_optimizer_best(o, &best, x, &error));
        locbo_census c = census();
        assert_true(c.best_trial == best.trial && c.best_count == best.results && c.best_trial == (i == 0 ? 6 : 5));
        check_same(c.best_value, best.value);
    }
}

/* Numbers that are whole from now on: other results are set aside, and a copy has them where they were. */
static void whole_from_now_on(void **state) {
    (void)state;
    locbo_space *space;
    locbo_definition d = {.struct_size = sizeof d};
    locbo_alteration effect;
    locbo_optimizer *o;
    locbo_choice best;
    double x[4];
    play(study, 6);
    check_ok(locbo_study_enqueue(study, (double[]){1, 4, 0}, NULL, &error));
    tell(study, ask(study, x).trial, 5);
    check_ok(locbo_study_definition(study, &d, &error));
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_int(space, "x", 0, 3, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_int(space, "n", 0, 9, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_categorical(space, "word", 3, WORDS, &error));
    d.space = space;
    check_ok(locbo_study_alter(study, &d, NULL, NULL, 0, &effect, &error));
    assert_true(effect.aside > 0 && effect.aside < 7);
    check_ok(locbo_study_optimizer(study, &o, &error));
    check_ok(locbo_optimizer_best(o, &best, x, &error));
    assert_int_equal(census().best_trial, best.trial);
    locbo_study *copy = copy_as("b"), *was = study;
    for (uint64_t k = 1; k <= 7; k++) {
        double here = look(k).x[0];
        study = copy;
        double there = look(k).x[0];
        study = was;
        check_same(here, there);
    }
    check_same_state(study, copy);
    locbo_study_close(copy);
    locbo_space_destroy(space);
}

/* What past trials are taken to have had may be changed in a copy, too. */
static void another_past_in_a_copy(void **state) {
    (void)state;
    shape s = {.low = 0, .high = 1, .categories = 3, .frozen = (double)NAN, .extra = 1, .past = 0.5};
    play(study, 5);
    alter_to(&s, 0);
    play(study, 2);
    locbo_study *copy = copy_as("b"), *was = study;
    s.past = -0.5;
    alter_to(&s, 0);
    study = copy;
    alter_to(&s, 0);
    study = was;
    check_same_state(study, copy);
    locbo_study_close(copy);
}

/* A trial that runs outside the space is not handed out by a copy either. */
static void a_copy_of_one_that_runs(void **state) {
    (void)state;
    double x[4];
    locbo_assignment a;
    locbo_request r = {.struct_size = sizeof r, .worker = "w", .fixed = (double[]){0.9, 5, 1}};
    play(study, 5);
    check_ok(locbo_study_ask(study, &r, &a, x, &error));
    alter_to(&(shape){.low = 0, .high = 0.5, .categories = 3, .frozen = (double)NAN}, 0);
    locbo_study *copy = copy_as("b"), *was = study;
    assert_int_equal(ask(copy, x).trial, 7);
    study = copy;
    seen s = look(6);
    study = was;
    assert_true(s.record.state == LOCBO_RETRACTED && s.record.failure == 6);
    locbo_study_close(copy);
}

/* ---- pause, names, notes ------------------------------------------------------------------------ */

static void paused(void **state) {
    (void)state;
    locbo_assignment a;
    double x[4];
    play(study, 2);
    a = ask(study, x);
    check_ok(locbo_study_enqueue(study, (double[]){0.1, 1, 1}, NULL, &error));
    check_ok(locbo_study_pause(study, "the lab is closed", &error));
    check_fails(locbo_study_ask(study, NULL, &a, x, &error), LOCBO_ERR_PAUSED, "is paused: the lab is closed");
    tell(study, 3, 0.3);
    check_ok(locbo_study_enqueue(study, (double[]){0.2, 1, 1}, NULL, &error));
    assert_true(census().paused && strcmp(census().pause_reason, "the lab is closed") == 0);
    check_ok(locbo_study_pause(study, "the lab is closed", &error)); /* nothing new */
    assert_int_equal(census().events, 4);
    check_ok(locbo_study_resume(study, NULL, &error));
    check_ok(locbo_study_resume(study, NULL, &error));
    assert_true(!census().paused && census().events == 5);
    assert_int_equal(ask(study, x).trial, 4);
}

static void names_notes_and_tags(void **state) {
    (void)state;
    char *note, *tags;
    play(study, 2);
    locbo_study_close(make_study("taken", &FIRST, LOCBO_METHOD_RANDOM));
    check_fails(locbo_study_rename(study, "taken", &error), LOCBO_ERR_STATE, "the study 'taken' exists already");
    check_ok(locbo_study_rename(study, "bread", &error));
    assert_string_equal(locbo_study_name(study), "bread");
    play(study, 1);
    locbo_study_delete(own_store, "taken", NULL);
    check_ok(locbo_study_note(study, 0, "first try", " warm,slow  warm ", &error));
    check_ok(locbo_study_get_note(study, &note, &tags, &error));
    assert_string_equal(note, "first try");
    assert_string_equal(tags, "slow warm");
    locbo_free(note);
    locbo_free(tags);
    check_ok(locbo_study_note(study, 2, "odd", NULL, &error));
    check_ok(locbo_study_note(study, 2, NULL, "x,y", &error));
    seen s = look(2);
    assert_string_equal(s.note, "odd");
    assert_string_equal(s.tags, "x y");
    check_ok(locbo_study_note(study, 2, "", "", &error));
    assert_string_equal(look(2).tags, "");
    /* only what was touched is read again */
    seen touched = {0};
    locbo_filter f = {.struct_size = sizeof f, .changed_after = census().events - 1};
    check_ok(locbo_study_each(study, &f, keep, &touched, &error));
    assert_int_equal(touched.record.trial.id, 2);
    check_ok(locbo_study_rename(study, "a", &error));
}

/* ---- the list of changes, copies ---------------------------------------------------------------- */

typedef struct listed {
    size_t count;
    locbo_change_kind kind[16];
    uint64_t event[16];
    double before, after; /* the upper end of x */
    uint64_t trials_after;
} listed;

static int take_change(const locbo_change *c, void *user) {
    listed *l = user;
    locbo_parameter p;
    assert_string_equal(c->author, "ann@lab");
    l->kind[l->count] = c->kind;
    l->event[l->count++] = c->event;
    if (c->plan_after) l->trials_after = c->plan_after->trials;
    if (!c->before) return 0;
    check_ok(locbo_space_parameter(c->before->space, 0, &p, &error));
    l->before = p.high;
    check_ok(locbo_space_parameter(c->after->space, 0, &p, &error));
    l->after = p.high;
    return 0;
}

static void change_everything(void) {
    locbo_plan plan = {.struct_size = sizeof plan};
    play_all(study);
    check_ok(locbo_study_note(study, 3, "odd", "x", &error));
    check_ok(locbo_study_note(study, 0, "of the study", "y", &error));
    check_ok(locbo_study_retract(study, 2, 0, "why not", &error));
    check_ok(locbo_study_fail(study, 4, LOCBO_STATE_FAILED, NULL, &error));
    alter_to(&(shape){.low = 0, .high = 0.8, .categories = 4, .frozen = (double)NAN, .extra = 1, .past = 0.5}, 0);
    check_ok(locbo_study_plan(study, &plan, &error));
    plan.trials = 77;
    check_ok(locbo_study_set_plan(study, &plan, &error));
    play(study, 2);
    alter_to(&(shape){.low = 0, .high = 0.7, .categories = 4, .frozen = 3, .extra = 1, .past = 0.5}, 0);
    check_ok(locbo_study_stop(study, "enough", &error));
    check_ok(locbo_study_stop(study, NULL, &error));
    check_ok(locbo_study_pause(study, "noon", &error));
}

static void changes_are_listed(void **state) {
    (void)state;
    change_everything();
    listed l = {0};
    check_ok(locbo_study_each_change(study, 0, take_change, &l, &error));
    static const locbo_change_kind kinds[] = {
        LOCBO_CHANGE_NOTE,  LOCBO_CHANGE_NOTE,  LOCBO_CHANGE_RETRACT, LOCBO_CHANGE_FAIL,     LOCBO_CHANGE_ALTER,
        LOCBO_CHANGE_ALTER, LOCBO_CHANGE_ALTER, LOCBO_CHANGE_STOP,    LOCBO_CHANGE_CONTINUE, LOCBO_CHANGE_PAUSE};
    assert_int_equal(l.count, 10);
    assert_memory_equal(l.kind, kinds, sizeof kinds);
    assert_true(l.before == 0.8 && l.after == 0.7 && l.trials_after == 77);
    for (size_t i = 1; i < l.count; i++) assert_true(l.event[i] > l.event[i - 1]);
    listed last = {0};
    check_ok(locbo_study_each_change(study, l.event[8], take_change, &last, &error));
    assert_int_equal(last.count, 1);
    assert_string_equal(locbo_change_name(LOCBO_CHANGE_CONTINUE), "continue");
}

static int count_change(const locbo_change *c, void *user) {
    size_t *count = user;
    ++*count;
    return c->kind == LOCBO_CHANGE_COPY ? 7 : 0;
}

static void a_copy_is_the_same(void **state) {
    (void)state;
    change_everything();
    char other_url[128];
    locbo_store *other;
    locbo_study *copy, *empty;
    double x[4], y[4];
    size_t changes = 0;
    snprintf(other_url, sizeof other_url, "sqlite:%s/other.db", own_folder);
    check_ok(locbo_store_open(&other, other_url, LOCBO_STORE_CREATE, &error));
    check_ok(locbo_study_copy(&copy, study, other, "copy", 1, &error));
    check_same_state(study, copy);
    check_ok(locbo_study_each_change(copy, 0, count_change, &changes, &error));
    assert_int_equal(changes, 11);
    check_fails(locbo_study_copy(NULL, study, other, "copy", 1, &error), LOCBO_ERR_STATE,
                "the study 'copy' exists already");
    check_ok(locbo_study_copy(&empty, study, other, "empty", 0, &error));
    locbo_census c;
    check_ok(locbo_study_census(empty, &c, &error));
    assert_true(c.trials == 0 && !c.paused && c.revision == 0 && c.events == 1);
    check_ok(locbo_study_resume(study, NULL, &error));
    check_ok(locbo_study_resume(copy, NULL, &error));
    ask(study, x); /* trial 13 ran: in the copy it waits, so it is handed out first */
    assert_int_equal(ask(copy, y).trial, 13);
    ask(copy, y);
    locbo_study_close(empty);
    locbo_study_close(copy);
    locbo_store_close(other);
}

/* ---- a crowd ----------------------------------------------------------------------------------- */

enum { WORKERS = 8 };

/* A worker that refreshes when it has to. */
static void work(unsigned seed) {
    locbo_store *mine;
    locbo_study *s;
    locbo_error error;
    srand(seed);
    if (locbo_store_open(&mine, own_url, LOCBO_STORE_EXISTING, &error) != LOCBO_OK) _exit(1);
    if (locbo_study_open(&s, mine, "a", &error) != LOCBO_OK) _exit(1);
    for (int i = 0; i < 400; i++) {
        locbo_assignment a;
        double x[8];
        locbo_request r = {.struct_size = sizeof r, .worker = "w", .lease = 1};
        locbo_status status = locbo_study_ask(s, &r, &a, x, &error);
        if (status == LOCBO_ERR_CHANGED) {
            locbo_study_refresh(s, NULL, &error);
        } else if (status == LOCBO_ERR_PAUSED) {
            usleep(2000);
        } else if (status == LOCBO_OK && rand() % 10 == 0) {
            locbo_study_tell_failed(s, a.trial, a.attempt, "by chance", &error);
        } else if (status == LOCBO_OK && rand() % 12 > 0) { /* or it forgets it */
            locbo_measurement m = {measure(x, a.trial), (double)NAN, 1};
            locbo_study_tell(s, a.trial, a.attempt, 1, &m, &error);
        } else if (status != LOCBO_OK && status != LOCBO_ERR_BUSY) {
            fprintf(stderr, "worker: %s\n", error.message);
            _exit(3);
        }
    }
    _exit(0);
}

static void change_something(locbo_study *s, unsigned k) {
    static const unsigned char retired[] = {0, 1, 0, 0};
    const shape shapes[] = {
        {.low = 0, .high = 1, .categories = 4, .frozen = (double)NAN, .extra = 1, .past = 0.5},
        {.low = 0.2, .high = 0.7, .categories = 4, .frozen = 5, .extra = 1, .past = 0.5},
        {.low = -1, .high = 2, .categories = 4, .retired = retired, .frozen = (double)NAN, .extra = 1, .past = 0.5}};
    locbo_error error;
    locbo_definition d = {.struct_size = sizeof d};
    locbo_space *space = make_space(&shapes[k % 3]);
    locbo_census c = {0};
    int fails = locbo_study_census(s, &c, &error) != LOCBO_OK;
    uint64_t trial = c.trials ? 1 + (uint64_t)rand() % c.trials : 1;
    locbo_study_definition(s, &d, &error);
    d.space = space;
    locbo_status status = LOCBO_OK;
    switch (fails ? 0 : k % 7) {
    case 0:
    case 3:
        status = locbo_study_alter(s, &d, NULL, NULL, 0, NULL, &error);
        break;
    case 1:
        status = locbo_study_retract(s, trial, 0, "by chance", &error);
        break;
    case 2:
        status = locbo_study_fail(s, trial, LOCBO_STATE_FAILED, NULL, &error);
        break;
    case 4:
        status = locbo_study_pause(s, NULL, &error);
        usleep(3000);
        if (status == LOCBO_OK) status = locbo_study_resume(s, NULL, &error);
        break;
    case 5:
        status = locbo_study_note(s, trial, "seen", "t", &error);
        break;
    default:
        status = locbo_study_enqueue(s, (double[]){0.5, 5, 0, 0.1}, NULL, &error);
        break;
    }
    locbo_space_destroy(space);
    if (status == LOCBO_ERR_CHANGED) locbo_study_refresh(s, NULL, &error);
    int expected = status == LOCBO_OK || status == LOCBO_ERR_CHANGED || status == LOCBO_ERR_STATE ||
                   status == LOCBO_ERR_NOT_FOUND || status == LOCBO_ERR_BUSY || status == LOCBO_ERR_ARGUMENT;
    if (!expected) {
        fprintf(stderr, "change %u: %s\n", k % 7, error.message);
        _exit(4);
    }
}

static void change_on(unsigned seed) {
    locbo_store *mine;
    locbo_study *s;
    locbo_error error;
    srand(seed);
    if (locbo_store_open(&mine, own_url, LOCBO_STORE_EXISTING, &error) != LOCBO_OK) _exit(1);
    if (locbo_study_open(&s, mine, "a", &error) != LOCBO_OK) _exit(1);
    for (unsigned k = 0; k < 200; k++) {
        change_something(s, (unsigned)rand());
        usleep(5000);
    }
    _exit(0);
}

static pid_t start(void (*fn)(unsigned), unsigned seed) {
    pid_t child = fork();
    if (child == 0) fn(seed);
    assert_true(child > 0);
    return child;
}

static int tally(const locbo_record *r, void *user) {
    uint64_t *counts = user;
    counts[r->state]++;
    counts[LOCBO_STATES] += r->count;
    assert_true((r->count > 0) == (r->state == LOCBO_COMPLETE));
    return 0;
}

static void end_child(pid_t child) {
    int ended;
    kill(child, SIGKILL);
    waitpid(child, &ended, 0);
    assert_true(WIFSIGNALED(ended) || WEXITSTATUS(ended) == 0);
}

/* Whether everything has happened that is to happen. */
static int is_enough(void) {
    check_ok(locbo_study_refresh(study, NULL, &error));
    locbo_census c = {0};
    return locbo_study_census(study, &c, NULL) == LOCBO_OK && c.revision > 0 && c.state[LOCBO_RETRACTED] > 2 &&
           c.state[LOCBO_COMPLETE] > 20 && c.state[LOCBO_STATE_FAILED] > 2;
}

/* Workers and one who changes everything, all killed at random: what is left is whole, and its copy is the same. */
static void crowd(locbo_method method) {
    locbo_study_close(study);
    study = make_study("a", &FIRST, method);
    pid_t child[WORKERS + 1];
    unsigned seed = 1;
    for (int i = 0; i <= WORKERS; i++) child[i] = start(i ? work : change_on, seed++);
    for (int k = 0; k < 40 || (k < 1000 && !is_enough()); k++) {
        int i = rand() % (WORKERS + 1);
        usleep(40000);
        end_child(child[i]);
        child[i] = start(i ? work : change_on, seed++);
    }
    for (int i = 0; i <= WORKERS; i++) end_child(child[i]);
    assert_true(is_enough());
    check_ok(locbo_study_forget_worker(study, "w", NULL, &error)); /* a copy has no trial that runs outside the space */
    uint64_t counts[LOCBO_STATES + 1] = {0};
    check_ok(locbo_study_each(study, NULL, tally, counts, &error));
    locbo_census c = census();
    assert_memory_equal(counts, c.state, sizeof c.state);
    assert_int_equal(counts[LOCBO_STATES], c.measurements);
    char other_url[128];
    locbo_store *other;
    locbo_study *copy;
    snprintf(other_url, sizeof other_url, "sqlite:%s/crowd%d.db", own_folder, (int)method);
    check_ok(locbo_store_open(&other, other_url, LOCBO_STORE_CREATE, &error));
    check_ok(locbo_study_copy(&copy, study, other, "a", 1, &error));
    check_same_state(study, copy);
    locbo_study_close(copy);
    locbo_store_close(other);
}

static void a_crowd_of_random_search(void **state) {
    (void)state;
    crowd(LOCBO_METHOD_RANDOM);
}

static void a_crowd_with_a_model(void **state) {
    (void)state;
    crowd(LOCBO_METHOD_LOCBO);
}

#define with_scene(test) cmocka_unit_test_setup_teardown(test, open_scene, close_scene)

int main(void) {
    const struct CMUnitTest tests[] = {
        with_scene(what_is_taken_back_was_never_told),
        with_scene(an_import_does_not_bring_it_back),
        with_scene(one_result_of_several),
        with_scene(what_is_not_complete),
        with_scene(a_result_that_was_a_failure),
        with_scene(ranges_parameters_and_categories),
        with_scene(nothing_differs),
        with_scene(options_command_outputs_plan),
        with_scene(coverage_is_counted_anew),
        with_scene(trials_that_run),
        with_scene(others_are_told),
        with_scene(a_change_while_a_proposal_is_computed),
        with_scene(mistakes),
        with_scene(another_method),
        with_scene(another_scale),
        with_scene(told_after_an_output_was_added),
        with_scene(told_on_the_scale_before),
        with_scene(another_expression),
        with_scene(another_reference),
        with_scene(plans_and_outputs),
        with_scene(confirmed_at_the_end),
        with_scene(promises_before_it),
        with_scene(the_best_of_an_altered_study),
        with_scene(whole_from_now_on),
        with_scene(another_past_in_a_copy),
        with_scene(a_copy_of_one_that_runs),
        with_scene(paused),
        with_scene(names_notes_and_tags),
        with_scene(changes_are_listed),
        with_scene(a_copy_is_the_same),
        with_scene(a_crowd_of_random_search),
        with_scene(a_crowd_with_a_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
