/* What the views say of a study about which someone changed their mind: results taken back, notes, pauses, alterations.
 */
#include "redefinition.h"
#include "judge.h"
#include "fixture.h"
#include "view_studies.h"

static const char AUTHOR[] = "ann@lab3";

static int open_fixture(void **state) {
    int bad = own_store_open(state);
    return bad ? bad : locbo_store_author(own_store, AUTHOR, NULL) != LOCBO_OK;
}

/* Changes given as kind, text, kind, text, ... ALTER_KINDS. */
static locbo_alteration alter(locbo_study *study, const char *why, ...) {
    redefinition_edit edits[8];
    size_t count = 0;
    locbo_definition d = {.struct_size = sizeof d};
    locbo_alteration effect;
    redefinition a;
    va_list list;
    va_start(list, why);
    for (int kind = va_arg(list, int); kind != ALTER_KINDS; kind = va_arg(list, int))
        edits[count++] = (redefinition_edit){(redefinition_kind)kind, va_arg(list, const char *)};
    va_end(list);
    check_ok(locbo_study_definition(study, &d, &error));
    check_ok(redefinition_make(&a, &d, NULL, count, edits, &error));
    check_ok(locbo_study_alter(study, &a.definition, NULL, why, 0, &effect, &error));
    redefinition_release(&a);
    return effect;
}

static size_t size_at(json_t *json, const char *path) { return json_array_size(fixture_at(json, path)); }

/* ---- trials ------------------------------------------------------------------------------------ */

static void what_was_taken_back_is_shown_as_such(void **state) {
    (void)state;
    draw d = draw_open(7, 1);
    locbo_study *s = fixture_study("a", NULL);
    cache *c = fixture_cache("a");
    fixture_play(s, 12, &d);
    fixture_tell(s, 5, 99);
    json_t *a = fixture_answer(c, "trial", "number", "5", NULL);
    json_int_t typo = fixture_count(a, "measurements.1.sequence");
    assert_null(fixture_at(a, "retracted"));
    assert_int_equal(size_at(a, "changes"), 0);
    json_decref(a);
    json_decref(fixture_answer(c, "trials", NULL)); /* the table is filled */
    check_ok(locbo_study_retract(s, 5, (uint64_t)typo, "a typo", &error));
    check_ok(locbo_study_retract(s, 3, 0, "the wrong nozzle", &error));
    check_ok(locbo_study_fail(s, 4, LOCBO_STATE_INFEASIBLE, NULL, &error));

    a = fixture_answer(c, "overview", NULL);
    assert_int_equal(fixture_count(a, "states.RETRACTED"), 1);
    assert_int_equal(fixture_count(a, "states.INFEASIBLE"), 1);
    assert_int_equal(fixture_count(a, "states.COMPLETE"), 10);
    assert_int_equal(fixture_count(a, "revision"), 0);
    assert_null(fixture_at(a, "coverage.since"));
    json_decref(a);
    a = fixture_answer(c, "trial", "number", "5", NULL);
    assert_string_equal(fixture_text(a, "state"), "COMPLETE");
    assert_int_equal(size_at(a, "measurements"), 1);
    assert_int_equal(size_at(a, "retracted"), 1);
    check_same(fixture_real(a, "retracted.0.value"), 99);
    assert_int_equal(fixture_count(a, "retracted.0.sequence"), typo);
    assert_int_equal(fixture_count(a, "retracted.0.by"), fixture_count(a, "changes.0.event"));
    assert_string_equal(fixture_text(a, "changes.0.kind"), "retract");
    assert_string_equal(fixture_text(a, "changes.0.text"), "a typo");
    assert_string_equal(fixture_text(a, "changes.0.author"), AUTHOR);
    json_decref(a);
    a = fixture_answer(c, "trials", "state", "RETRACTED", NULL);
    assert_int_equal(size_at(a, "rows"), 1);
    assert_int_equal(fixture_count(a, "rows.0.trial"), 3);
    assert_true(json_is_null(fixture_at(a, "rows.0.value")));
    json_decref(a);
    a = fixture_answer(c, "history", NULL);
    assert_string_equal(fixture_text(a, "columns.state.2"), "RETRACTED");
    assert_true(json_is_null(fixture_at(a, "columns.value.2")) && json_is_null(fixture_at(a, "columns.miss.2")));
    assert_int_equal(size_at(a, "alterations"), 0);
    json_decref(a);
    a = fixture_answer(c, "parameters", NULL); /* a retracted trial says nothing of its point */
    assert_int_equal(fixture_count(a, "trials"), 11);
    json_decref(a);
    cache_close(c);
    locbo_study_close(s);
}

static void trials_are_found_by_their_tags(void **state) {
    (void)state;
    draw d = draw_open(7, 2);
    locbo_study *s = fixture_study("a", NULL);
    cache *c = fixture_cache("a");
    fixture_import(s, 6, &d);
    json_t *a = fixture_answer(c, "trials", NULL);
    assert_int_equal(json_object_size(fixture_at(a, "tags")), 0);
    assert_true(json_is_null(fixture_at(a, "rows.0.note")) && size_at(a, "rows.0.tags") == 0);
    json_decref(a);
    check_ok(locbo_study_note(s, 2, "<b>loud</b>", "rerun, noisy", &error));
    check_ok(locbo_study_note(s, 5, NULL, "noisy", &error));
    check_ok(locbo_study_note(s, 0, "of the study", "winter", &error));
    a = fixture_answer(c, "trials", "tag", "noisy", "order", "asc", NULL);
    assert_int_equal(fixture_count(a, "matching"), 2);
    assert_int_equal(fixture_count(a, "rows.0.trial"), 2);
    assert_string_equal(fixture_text(a, "rows.0.note"), "<b>loud</b>");
    assert_string_equal(fixture_text(a, "rows.0.tags.0"), "noisy");
    assert_string_equal(fixture_text(a, "rows.0.tags.1"), "rerun");
    assert_int_equal(fixture_count(a, "tags.noisy"), 2);
    assert_int_equal(fixture_count(a, "tags.rerun"), 1);
    json_decref(a);
    static const struct {
        const char *key, *value;
        json_int_t found;
    } cases[] = {{"tag", "rerun", 1}, {"tag", "nois", 0}, {"tag", "noisy rerun", 0}, {"q", "LOUD", 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        a = fixture_answer(c, "trials", cases[i].key, cases[i].value, NULL);
        check_that(fixture_count(a, "matching") == cases[i].found, "%s=%s", cases[i].key, cases[i].value);
        json_decref(a);
    }
    check_ok(locbo_study_note(s, 2, "", "", &error));
    a = fixture_answer(c, "trials", "tag", "rerun", NULL);
    assert_int_equal(fixture_count(a, "matching"), 0);
    json_decref(a);
    a = fixture_answer(c, "overview", NULL);
    assert_string_equal(fixture_text(a, "note"), "of the study");
    assert_string_equal(fixture_text(a, "tags.0"), "winter");
    json_decref(a);
    cache_close(c);
    locbo_study_close(s);
}

/* ---- the study --------------------------------------------------------------------------------- */

static void a_pause_is_said_with_its_reason(void **state) {
    (void)state;
    locbo_study *s = fixture_study("a", NULL);
    cache *c = fixture_cache("a");
    json_t *a = fixture_answer(c, "overview", NULL);
    assert_true(json_is_null(fixture_at(a, "paused")));
    json_decref(a);
    check_ok(locbo_study_pause(s, "cleaning", &error));
    a = fixture_answer(c, "overview", NULL);
    assert_string_equal(fixture_text(a, "paused"), "cleaning");
    json_decref(a);
    check_ok(view_studies(own_store, 0, &a, &error));
    assert_string_equal(fixture_text(a, "studies.0.paused"), "cleaning");
    json_decref(a);
    check_ok(locbo_study_resume(s, NULL, &error));
    check_ok(view_studies(own_store, 0, &a, &error));
    assert_true(json_is_null(fixture_at(a, "studies.0.paused")));
    json_decref(a);
    cache_close(c);
    locbo_study_close(s);
}

static void the_log_lists_the_newest_first(void **state) {
    (void)state;
    draw d = draw_open(7, 3);
    locbo_study *s = fixture_study("a", NULL);
    cache *c = fixture_cache("a");
    json_t *a = fixture_answer(c, "log", NULL);
    assert_int_equal(fixture_count(a, "matching"), 0);
    json_decref(a);
    fixture_import(s, 4, &d);
    check_ok(locbo_study_retract(s, 2, 0, "why not", &error));
    check_ok(locbo_study_pause(s, NULL, &error));
    check_ok(locbo_study_note(s, 2, NULL, "bad", &error));
    alter(s, "too small", ALTER_PARAMETER, "x~float(-5,20)", ALTER_FREEZE, "n=3", ALTER_KINDS);
    locbo_plan plan = {.struct_size = sizeof plan};
    check_ok(locbo_study_plan(s, &plan, &error));
    plan.trials = 77;
    check_ok(locbo_study_alter(s, NULL, &plan, NULL, 0, NULL, &error));
    a = fixture_answer(c, "log", NULL);
    static const char *const kinds[] = {"alter", "alter", "note", "pause", "retract"};
    assert_int_equal(size_at(a, "rows"), 5);
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(json_string_value(json_object_get(json_array_get(fixture_at(a, "rows"), i), "kind")),
                            kinds[i]);
    assert_string_equal(fixture_text(a, "rows.0.changes.0"), "trials: none -> 77");
    assert_string_equal(fixture_text(a, "rows.1.changes.0"), "x: float(-5,10) -> float(-5,20)");
    assert_string_equal(fixture_text(a, "rows.1.text"), "too small");
    assert_true(json_is_null(fixture_at(a, "rows.3.trial")));
    assert_int_equal(fixture_count(a, "rows.4.trial"), 2);
    assert_true(fixture_count(a, "rows.0.event") > fixture_count(a, "rows.1.event"));
    json_decref(a);
    a = fixture_answer(c, "log", "trial", "2", "size", "1", NULL);
    assert_int_equal(fixture_count(a, "matching"), 2);
    assert_int_equal(fixture_count(a, "shown"), 1);
    assert_string_equal(fixture_text(a, "rows.0.kind"), "note");
    json_decref(a);
    cache_close(c);
    locbo_study_close(s);
}

/* ---- alterations ------------------------------------------------------------------------------- */

/* The cache was filled before: what it holds of the old space must not be used. */
static void an_altered_study_is_read_anew(void **state) {
    (void)state;
    draw d = draw_open(7, 4);
    locbo_study *s = fixture_study("a", NULL), *other;
    cache *c = fixture_cache("a");
    fixture_import(s, 12, &d);
    static const char *const views_before[] = {"overview", "trials", "choices", "parameters", "definition"};
    for (size_t i = 0; i < sizeof views_before / sizeof views_before[0]; i++)
        json_decref(fixture_answer(c, views_before[i], NULL));
    check_ok(locbo_study_open(&other, own_store, "a", &error));
    locbo_alteration effect =
        alter(other, NULL, ALTER_PARAMETER, "x~float(-2,20)", ALTER_FREEZE, "n=3", ALTER_RETIRE, "mode=third",
              ALTER_PARAMETER, "extra~float(0,1)", ALTER_PAST, "extra=0.25", ALTER_KINDS);
    locbo_study_close(other);
    json_t *a = fixture_answer(c, "definition", NULL);
    assert_int_equal(size_at(a, "parameters"), 5);
    check_same(fixture_real(a, "parameters.0.high"), 20);
    assert_int_equal(fixture_count(a, "parameters.2.frozen"), 3);
    assert_string_equal(fixture_text(a, "parameters.3.retired.0"), "third");
    check_same(fixture_real(a, "parameters.4.past"), 0.25);
    json_decref(a);
    a = fixture_answer(c, "trials", NULL);
    assert_int_equal(fixture_count(a, "trials"), 12);
    check_same(fixture_real(a, "rows.0.params.extra"), 0.25);
    json_decref(a);
    a = fixture_answer(c, "overview", NULL);
    assert_int_equal(fixture_count(a, "revision"), (json_int_t)effect.event);
    json_decref(a);
    a = fixture_answer(c, "history", NULL);
    assert_int_equal(size_at(a, "alterations"), 1);
    assert_int_equal(fixture_count(a, "alterations.0.after"), 12);
    assert_int_equal(size_at(a, "alterations.0.changes"), 4);
    json_decref(a);
    a = fixture_answer(c, "slice", "parameter", "extra", NULL);
    check_same(fixture_real(a, "at.params.n"), 3);
    json_decref(a);
    a = fixture_answer(c, "choices", NULL); /* the best may be outside, where nothing more is proposed */
    assert_true(json_is_object(fixture_at(a, "best")) && json_is_object(fixture_at(a, "recommended")));
    assert_true(json_is_true(fixture_at(a, "best.outside")));
    json_decref(a);
    cache_close(c);
    locbo_study_close(s);
}

static void a_frozen_parameter_is_no_axis(void **state) {
    (void)state;
    draw d = draw_open(7, 5);
    locbo_study *s = fixture_study("a", NULL);
    cache *c = fixture_cache("a");
    fixture_import(s, 15, &d);
    alter(s, NULL, ALTER_FREEZE, "n=3", ALTER_RETIRE, "mode=third", ALTER_PARAMETER, "x~float(-1,1)", ALTER_KINDS);
    json_t *a = NULL;
    const query_item frozen = {"parameter", "n"}, pair[] = {{"x", "x"}, {"y", "n"}};
    query q = {1, &frozen};
    check_fails(view_answer(view_find("slice"), c, &q, &a, &error), LOCBO_ERR_ARGUMENT,
                "'n' is frozen: it must be one of x, rate, mode");
    q = (query){2, pair};
    check_fails(view_answer(view_find("contour"), c, &q, &a, &error), LOCBO_ERR_ARGUMENT, "'n' is frozen");
    a = fixture_answer(c, "slice", "parameter", "mode", NULL);
    assert_int_equal(size_at(a, "grid"), 3);
    assert_true(json_is_number(fixture_at(a, "mean.0")) && json_is_number(fixture_at(a, "mean.1")));
    assert_true(json_is_null(fixture_at(a, "mean.2"))); /* retired: trials have it, nothing more is proposed there */
    json_decref(a);
    for (int trial = 1; trial <= 15; trial++) { /* each of them, though most are outside the space now */
        char number[16];
        snprintf(number, sizeof number, "%d", trial);
        a = fixture_answer(c, "slice", "parameter", "mode", "at", number, "points", "5", NULL);
        check_same(fixture_real(a, "at.params.n"), 3);
        assert_true(fabs(fixture_real(a, "at.params.x")) <= 1);
        assert_true(json_is_number(fixture_at(a, "mean.0")));
        json_decref(a);
    }
    cache_close(c);
    locbo_study_close(s);
}

static void coverage_begins_anew(void **state) {
    (void)state;
    draw d = draw_open(7, 6);
    locbo_study *s = fixture_study("a", "initial", "4", NULL);
    cache *c = fixture_cache("a");
    fixture_play(s, 14, &d);
    json_t *a = fixture_answer(c, "calibration", NULL);
    json_int_t judged = fixture_count(a, "judged"), inside = fixture_count(a, "inside");
    assert_int_equal(judged, 10);
    assert_null(fixture_at(a, "since"));
    json_decref(a);
    locbo_alteration effect = alter(s, NULL, ALTER_PARAMETER, "x~float(-5,12)", ALTER_KINDS);
    a = fixture_answer(c, "calibration", NULL);
    assert_int_equal(fixture_count(a, "judged"), 0);
    assert_int_equal(fixture_count(a, "since"), (json_int_t)effect.event);
    assert_int_equal(fixture_count(a, "whole.judged"), judged);
    assert_int_equal(fixture_count(a, "whole.inside"), inside);
    json_decref(a);
    a = fixture_answer(c, "overview", NULL);
    assert_int_equal(fixture_count(a, "coverage.judged"), 0);
    assert_true(json_is_null(fixture_at(a, "coverage.coverage")));
    assert_int_equal(fixture_count(a, "coverage.whole.judged"), judged);
    json_decref(a);
    fixture_play(s, 5, &d);
    a = fixture_answer(c, "calibration", NULL);
    assert_int_equal(fixture_count(a, "judged"), 5);
    assert_int_equal(fixture_count(a, "whole.judged"), judged + 5);
    assert_int_equal(fixture_count(a, "running.trial.0"), 15);
    json_int_t sum = 0;
    for (size_t i = 0; i < size_at(a, "by_origin"); i++)
        sum += json_integer_value(json_object_get(json_array_get(fixture_at(a, "by_origin"), i), "judged"));
    assert_int_equal(sum, 5);
    json_decref(a);
    a = fixture_answer(c, "overview", NULL); /* as the model counts */
    locbo_optimizer *o;
    locbo_summary summary;
    check_ok(cache_model(c, &o, &error));
    check_ok(locbo_optimizer_summary(o, &summary, &error));
    assert_int_equal(fixture_count(a, "coverage.judged"), (json_int_t)summary.judged);
    check_same(fixture_real(a, "coverage.coverage"), summary.coverage);
    assert_int_equal(fixture_count(a, "coverage.since"), (json_int_t)effect.event);
    json_decref(a);
    cache_close(c);
    locbo_study_close(s);
}

static void a_study_has_its_new_name(void **state) {
    (void)state;
    locbo_study *s = fixture_study("a", NULL);
    cache *c = fixture_cache("a");
    json_decref(fixture_answer(c, "overview", NULL));
    check_ok(locbo_study_rename(s, "b", &error));
    json_t *a = fixture_answer(c, "definition", NULL);
    assert_string_equal(fixture_text(a, "name"), "b");
    json_decref(a);
    cache_close(c);
    locbo_study_close(s);
}

/* A report is of one moment: its views are made of what was held, and what it has of the definition stays valid. */
static void what_is_held_does_not_change(void **state) {
    (void)state;
    draw d = draw_open(7, 8);
    locbo_study *s = fixture_study("a", NULL);
    locbo_store *reader;
    cache *c;
    fixture_import(s, 3, &d);
    alter(s, NULL, ALTER_FREEZE, "n=3", ALTER_KINDS);
    check_ok(locbo_store_open(&reader, locbo_store_url(own_store), LOCBO_STORE_READ_ONLY, &error));
    check_ok(cache_open(&c, reader, "a", &error));
    check_ok(locbo_store_hold(reader, &error));
    check_ok(cache_refresh(c, &error));
    const locbo_space *space = cache_space(c);
    alter(s, NULL, ALTER_FREEZE, "n=4", ALTER_KINDS);
    fixture_play(s, 2, &d);
    json_t *a = fixture_answer(c, "trials", NULL);
    assert_int_equal(fixture_count(a, "matching"), 3);
    json_decref(a);
    assert_ptr_equal(cache_space(c), space);
    locbo_store_release(reader);
    a = fixture_answer(c, "trials", NULL);
    assert_int_equal(fixture_count(a, "matching"), 5);
    json_decref(a);
    cache_close(c);
    locbo_store_close(reader);
    locbo_study_close(s);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_fixture, own_store_close)

int main(void) {
    const struct CMUnitTest tests[] = {TEST(what_was_taken_back_is_shown_as_such),
                                       TEST(trials_are_found_by_their_tags),
                                       TEST(a_pause_is_said_with_its_reason),
                                       TEST(the_log_lists_the_newest_first),
                                       TEST(an_altered_study_is_read_anew),
                                       TEST(a_frozen_parameter_is_no_axis),
                                       TEST(coverage_begins_anew),
                                       TEST(a_study_has_its_new_name),
                                       TEST(what_is_held_does_not_change)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
