/* test_step_line.c - which lines are steps, which are meant as steps, and which are something else. */
#include "step_line.h"

#include <string.h>

#include "check.h"

static step_line kind_of(const locbo_outputs *outputs, const char *line, locbo_step *step) {
    return step_line_read(outputs, line, strlen(line), step);
}

static void check_step(const locbo_outputs *outputs, const char *line, uint64_t number, double value) {
    locbo_step step = {7, 7};
    if (kind_of(outputs, line, &step) != STEP_LINE_GOOD) fail_msg("no step: %s", line);
    assert_true(step.step == number);
    check_same(step.value, value);
}

/* Nothing is changed by a line that is no good step. */
static void check_kind(const locbo_outputs *outputs, const char *line, step_line expected) {
    locbo_step step = {7, 7};
    if (kind_of(outputs, line, &step) != expected) fail_msg("another kind: %s", line);
    assert_true(step.step == 7);
    check_same(step.value, 7);
}

static locbo_outputs *table(const char *first, const char *second) {
    locbo_outputs *made = NULL;
    check_ok(locbo_outputs_create(&made, &error));
    check_ok(locbo_outputs_add(
        made, &(locbo_output_spec){.struct_size = sizeof(locbo_output_spec), .name = first, .goal = LOCBO_GOAL_RECORD},
        &error));
    check_ok(locbo_outputs_add(
        made,
        &(locbo_output_spec){.struct_size = sizeof(locbo_output_spec), .name = second, .goal = LOCBO_GOAL_MINIMIZE},
        &error));
    return made;
}

static void words(void **state) {
    (void)state;
    check_step(NULL, "step 10 0.53", 10, 0.53);
    check_step(NULL, "  step\t0   -1e-3 \r", 0, -1e-3);
    check_step(NULL, "step 1e3 5", 1000, 5);
    check_step(NULL, "step 9007199254740992 1", 9007199254740992u, 1);
}

static void objects(void **state) {
    (void)state;
    check_step(NULL, "{\"step\": 10, \"value\": 0.53}", 10, 0.53);
    check_step(NULL, " {\"value\": 2, \"more\": [1], \"step\": 3.0}", 3, 2);
}

static void named(void **state) {
    (void)state;
    locbo_outputs *o = table("memory", "loss"), *called = table("step", "loss");
    check_step(o, "{\"step\": 10, \"loss\": 0.53, \"memory\": 400}", 10, 0.53);
    check_step(o, "{\"step\": 10, \"value\": 0.5}", 10, 0.5);
    check_kind(o, "{\"step\": 10, \"memory\": 400}", STEP_LINE_BAD); /* nor is it a result */
    check_kind(o, "{\"loss\": 0.53}", STEP_LINE_OTHER);
    check_kind(called, "{\"step\": 10, \"loss\": 0.53}", STEP_LINE_OTHER);
    check_kind(called, "step = 10", STEP_LINE_OTHER);
    check_step(called, "step 10 0.53", 10, 0.53);
    locbo_outputs_destroy(o);
    locbo_outputs_destroy(called);
}

static void bad(void **state) {
    static const char *const lines[] = {"step",
                                        "step x y",
                                        "step 10",
                                        "step 10 nan",
                                        "step 10 inf",
                                        "step -1 0.5",
                                        "step 1.5 0.5",
                                        "step 9007199254740994 1",
                                        "step 1e400 1",
                                        "step 10 1e400",
                                        "step 3 of 10 done",
                                        "{\"step\": 10, \"value\": NaN}",
                                        "{\"step\": \"10\", \"value\": 1}",
                                        "{\"step\": 10, \"value\": null}",
                                        "{\"step\": -1, \"value\": 1}",
                                        "{\"step\": 1e300, \"value\": 1}",
                                        "{\"step\": 10, \"values\": [1, 2]}",
                                        "{'step': 10, 'value': 1}",
                                        "{\"step\": 10, \"value\": 1"};
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) check_kind(NULL, lines[i], STEP_LINE_BAD);
}

static void others(void **state) {
    static const char *const lines[] = {"",
                                        "0.5",
                                        "steps 10 0.5",
                                        "stepped",
                                        "step=10",
                                        "Step 10 0.5",
                                        "a step 1 2",
                                        "{\"value\": 1}",
                                        "{\"step\": 10}",
                                        "{\"step\": 10, \"lr\": 0.1}",
                                        "{\"value\": 1, \"at\": {\"step\": 3}}"};
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) check_kind(NULL, lines[i], STEP_LINE_OTHER);
}

/* A NUL is no end of the line. */
static void nul_bytes(void **state) {
    (void)state;
    locbo_step step;
    assert_int_equal(step_line_read(NULL, "step 1 2\0003", 10, &step), STEP_LINE_BAD);
    assert_int_equal(step_line_read(NULL, "step\0 1 2", 9, &step), STEP_LINE_OTHER);
    assert_int_equal(step_line_read(NULL, "\0", 1, &step), STEP_LINE_OTHER);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(words), cmocka_unit_test(objects), cmocka_unit_test(named),
        cmocka_unit_test(bad),   cmocka_unit_test(others),  cmocka_unit_test(nul_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
