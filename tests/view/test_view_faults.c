/* Views without memory: whichever allocation fails, an error is returned, nothing is lost, and the next time it works.
 * The linker turns the libraries' calls of the allocator into ours, and jansson is told to use the same. */
#include "redefinition.h"
#include "several_outputs.h"

static long left = -1; /* allocations that still succeed; -1: all */

static int is_refused(void) {
    if (left == 0) return 1;
    if (left > 0) left--;
    return 0;
}

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

void *__wrap_malloc(size_t size) { return is_refused() ? NULL : __real_malloc(size); }
void *__wrap_calloc(size_t count, size_t size) { return is_refused() ? NULL : __real_calloc(count, size); }
void *__wrap_realloc(void *memory, size_t size) { return is_refused() ? NULL : __real_realloc(memory, size); }

/* jansson's reader itself does not survive a lack of memory (its strbuffer ignores it, and an assertion fails), so it
 * always has some; what it makes may still fail. */
json_t *__real_json_loads(const char *text, size_t flags, json_error_t *error);
json_t *__wrap_json_loads(const char *text, size_t flags, json_error_t *error);

json_t *__wrap_json_loads(const char *text, size_t flags, json_error_t *error) {
    long kept = left;
    left = -1;
    json_t *json = __real_json_loads(text, flags, error);
    left = kept;
    return json;
}

/* Every n-th allocation in turn, in growing steps: where one fails late, most of the work has been done. */
static void check_view(const char *name, const char *key, const char *value) {
    query_item item = {key, value};
    query q = {key ? 1 : 0, &item};
    long n = 0;
    for (int done = 0; !done; n += 1 + n / 24) {
        cache *c = fixture_cache("a");
        json_t *answer = NULL;
        locbo_error why = {LOCBO_OK, ""};
        left = n;
        locbo_status status = view_answer(view_find(name), c, &q, &answer, &why);
        left = -1;
        done = status == LOCBO_OK;
        check_that(done ? answer != NULL : !answer && status == LOCBO_ERR_MEMORY && *why.message,
                   "%s, allocation %ld: status %d '%s'", name, n, (int)status, why.message);
        if (!done) /* the same cache still works */
            check_ok(view_answer(view_find(name), c, &q, &answer, &error));
        json_decref(answer);
        cache_close(c);
    }
    print_message("%s: failed up to allocation %ld\n", name, n);
}

static void every_view_survives(void **state) {
    (void)state;
    draw r = draw_open(1, 1);
    double x[4];
    locbo_study *s = fixture_study("a", NULL);
    fixture_play(s, 12, &r);
    fixture_ask(s, "one", x);
    check_ok(locbo_study_tell_failed(s, 13, 1, "why", &error));
    fixture_ask(s, "two", x);
    locbo_output o = {.out = "text", .err = "", .out_size = 4, .seconds = 1};
    check_ok(locbo_study_keep_output(s, 12, 1, &o, &error));
    json_set_alloc_funcs(__wrap_malloc, free);
    check_view("overview", NULL, NULL);
    check_view("definition", NULL, NULL);
    check_view("history", "points", "10");
    check_view("calibration", NULL, NULL);
    check_view("parameters", "points", "10");
    check_view("trials", "sort", "worker");
    check_view("trial", "number", "12");
    check_view("choices", NULL, NULL);
    check_view("slice", "parameter", "mode");
    check_view("importance", NULL, NULL);
    locbo_study_close(s);
}

static void every_view_of_several_outputs_survives(void **state) {
    (void)state;
    draw r = draw_open(1, 1);
    locbo_study *s = several_study("a", 2, 1);
    several_play(s, 12, &r);
    json_set_alloc_funcs(__wrap_malloc, free);
    check_view("overview", NULL, NULL);
    check_view("definition", NULL, NULL);
    check_view("history", "output", "memory");
    check_view("calibration", "output", "cost");
    check_view("parameters", "output", "epochs");
    check_view("trials", "sort", "outputs.speed");
    check_view("trial", "number", "12");
    check_view("choices", NULL, NULL);
    check_view("slice", "parameter", "mode");
    check_view("importance", "output", "speed");
    check_view("pareto", "points", "10");
    check_view("hypervolume", NULL, NULL);
    locbo_study_close(s);
}

static void a_front_without_a_model_survives(void **state) {
    (void)state;
    draw r = draw_open(1, 1);
    locbo_study *s = several_study("a", 2, 1);
    several_play(s, 1, &r);
    json_set_alloc_funcs(__wrap_malloc, free);
    check_view("choices", NULL, NULL);
    check_view("pareto", NULL, NULL);
    locbo_study_close(s);
}

/* With notes, tags, results taken back and an alteration. */
static void views_of_changes_survive(void **state) {
    (void)state;
    draw r = draw_open(1, 1);
    locbo_study *s = fixture_study("a", NULL);
    const redefinition_edit edits[] = {{ALTER_FREEZE, "n=3"}, {ALTER_PARAMETER, "x~float(-5,12)"}};
    locbo_definition d = {.struct_size = sizeof d};
    redefinition a;
    fixture_play(s, 12, &r);
    fixture_tell(s, 4, 7);
    check_ok(locbo_study_retract(s, 4, 0, "a typo", &error));
    check_ok(locbo_study_note(s, 4, "a note", "one two", &error));
    check_ok(locbo_study_note(s, 0, "a note", "one two", &error));
    check_ok(locbo_study_pause(s, "cleaning", &error));
    check_ok(locbo_study_definition(s, &d, &error));
    check_ok(redefinition_make(&a, &d, NULL, 2, edits, &error));
    check_ok(locbo_study_alter(s, &a.definition, NULL, "why", 0, NULL, &error));
    redefinition_release(&a);
    json_set_alloc_funcs(__wrap_malloc, free);
    check_view("overview", NULL, NULL);
    check_view("definition", NULL, NULL);
    check_view("history", NULL, NULL);
    check_view("calibration", NULL, NULL);
    check_view("trials", "tag", "two");
    check_view("trial", "number", "4");
    check_view("log", NULL, NULL);
    check_view("slice", "parameter", "mode");
    locbo_study_close(s);
}

/* With curves of two attempts, and some ended early. */
static void views_of_curves_survive(void **state) {
    (void)state;
    double x[4];
    int end;
    locbo_study *s = fixture_study("a", "method", "random", NULL);
    locbo_plan plan = {.struct_size = sizeof plan};
    check_ok(locbo_study_plan(s, &plan, &error));
    plan.prune = LOCBO_PRUNE_MEDIAN;
    check_ok(locbo_study_set_plan(s, &plan, &error));
    for (int i = 0; i < 10; i++) {
        uint64_t trial = fixture_ask(s, "one", x);
        const locbo_step steps[] = {{1, 3 + i}, {2, 2 + i}, {3, 1 + i}};
        if (i == 9) check_ok(locbo_study_requeue(s, trial, 1, LOCBO_REQUEUE_SAME, 0, &error));
        if (i == 9) fixture_ask(s, "one", x);
        check_ok(locbo_study_report(s, trial, 0, 3, steps, &end, &error));
        if (!end) fixture_tell(s, trial, 1 + i);
    }
    json_set_alloc_funcs(__wrap_malloc, free);
    check_view("curves", NULL, NULL);
    check_view("overview", NULL, NULL);
    check_view("definition", NULL, NULL);
    check_view("trial", "number", "10");
    locbo_study_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(every_view_of_several_outputs_survives, own_store_open, own_store_close),
        cmocka_unit_test_setup_teardown(a_front_without_a_model_survives, own_store_open, own_store_close),
        cmocka_unit_test_setup_teardown(views_of_changes_survive, own_store_open, own_store_close),
        cmocka_unit_test_setup_teardown(views_of_curves_survive, own_store_open, own_store_close),
        cmocka_unit_test_setup_teardown(every_view_survives, own_store_open, own_store_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
