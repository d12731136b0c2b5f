/* test_outputs.c - the table of outputs: what it accepts, what it says of the rest, its copies, and specs of other
 * sizes.
 */
#include "check.h"

#include <outputs.h>

static locbo_outputs *table(void) {
    locbo_outputs *t = NULL;
    check_ok(locbo_outputs_create(&t, &error));
    return t;
}

static locbo_output_spec spec_of(const char *name, locbo_goal goal) {
    return (locbo_output_spec){.struct_size = sizeof(locbo_output_spec), .name = name, .goal = goal};
}

static void add(locbo_outputs *t, const char *name, locbo_goal goal) {
    locbo_output_spec s = spec_of(name, goal);
    check_ok(locbo_outputs_add(t, &s, &error));
}

/* `count` outputs of this goal, named by `letter` and their number. */
static void add_many(locbo_outputs *t, size_t count, char letter, locbo_goal goal) {
    for (size_t i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "%c%zu", letter, i);
        add(t, name, goal);
    }
}

static void what_is_added_is_read(void **state) {
    (void)state;
    char name[] = "latency", formula[] = "a + b";
    locbo_output_spec full = {.struct_size = sizeof full,
                              .name = name,
                              .goal = LOCBO_GOAL_AT_MOST,
                              .bound = 12.5,
                              .baseline = 3,
                              .scale = LOCBO_MODEL_SCALE_LOGIT,
                              .scale_low = -1,
                              .scale_high = 2,
                              .expression = formula};
    locbo_outputs *t = table();
    assert_int_equal(locbo_outputs_count(t), 0);
    check_ok(locbo_outputs_add(t, &full, &error));
    name[0] = formula[0] = 'X'; /* the table has its own */
    add(t, "cost", LOCBO_GOAL_MAXIMIZE);
    locbo_output_spec s = {.struct_size = sizeof s};
    check_ok(locbo_outputs_get(t, 0, &s, &error));
    assert_string_equal(s.name, "latency");
    assert_string_equal(s.expression, "a + b");
    assert_int_equal(s.goal, LOCBO_GOAL_AT_MOST);
    assert_true(s.bound == 12.5 && s.baseline == 3 && s.scale == LOCBO_MODEL_SCALE_LOGIT);
    assert_true(s.scale_low == -1 && s.scale_high == 2 && !s.referenced);
    size_t index = 9;
    check_ok(locbo_outputs_find(t, "cost", &index, &error));
    assert_int_equal(index, 1);
    check_ok(locbo_outputs_find(t, "latency", NULL, &error));
    check_ok(locbo_outputs_get(t, 1, &s, &error));
    assert_null(s.expression);
    assert_int_equal(locbo_outputs_count(t), 2);
    locbo_outputs_destroy(t);
}

static void null_pointers(void **state) {
    (void)state;
    locbo_outputs *t = table();
    locbo_output_spec s = spec_of("y", LOCBO_GOAL_MINIMIZE);
    check_fails(locbo_outputs_create(NULL, &error), LOCBO_ERR_ARGUMENT, "outputs must not be NULL");
    check_fails(locbo_outputs_add(NULL, &s, &error), LOCBO_ERR_ARGUMENT, "outputs and spec must not be NULL");
    check_fails(locbo_outputs_add(t, NULL, &error), LOCBO_ERR_ARGUMENT, "outputs and spec must not be NULL");
    check_fails(locbo_outputs_get(NULL, 0, &s, &error), LOCBO_ERR_ARGUMENT, "outputs and spec must not be NULL");
    check_fails(locbo_outputs_get(t, 0, NULL, &error), LOCBO_ERR_ARGUMENT, "outputs and spec must not be NULL");
    check_fails(locbo_outputs_find(NULL, "y", NULL, &error), LOCBO_ERR_ARGUMENT, "outputs and name must not be NULL");
    check_fails(locbo_outputs_find(t, NULL, NULL, &error), LOCBO_ERR_ARGUMENT, "outputs and name must not be NULL");
    assert_int_equal(locbo_outputs_count(NULL), 0);
    assert_int_equal(locbo_outputs_add(NULL, &s, NULL), LOCBO_ERR_ARGUMENT);
    locbo_outputs_destroy(NULL);
    locbo_outputs_destroy(t);
}

/* What is refused, and the words that say why. */
typedef struct refusal {
    locbo_output_spec spec;
    const char *words;
} refusal;

#define OF(...)                                                                                                        \
    { .struct_size = sizeof(locbo_output_spec), __VA_ARGS__ }

static const refusal REFUSALS[] = {
    {OF(.name = NULL), "output 2 has no name"},
    {OF(.name = ""), "output 2 has no name"},
    {OF(.name = "\xff\xfe"), "the name of output 2 is not UTF-8"},
    {OF(.name = "first"), "output 'first' exists already"},
    {OF(.name = "y", .goal = (locbo_goal)5), "output 'y': unknown goal 5"},
    {OF(.name = "y", .goal = (locbo_goal)-1), "output 'y': unknown goal -1"},
    {OF(.name = "y", .goal = LOCBO_GOAL_AT_MOST, .bound = NAN), "output 'y': the bound must be finite, got nan"},
    {OF(.name = "y", .goal = LOCBO_GOAL_AT_LEAST, .bound = INFINITY), "output 'y': the bound must be finite, got inf"},
    {OF(.name = "y", .referenced = 1, .reference = NAN), "output 'y': the reference must be finite, got nan"},
    {OF(.name = "y", .referenced = 1, .reference = -INFINITY), "output 'y': the reference must be finite, got -inf"},
    {OF(.name = "y", .goal = LOCBO_GOAL_RECORD, .referenced = 1), "only an objective has a reference"},
    {OF(.name = "y", .goal = LOCBO_GOAL_AT_MOST, .referenced = 1, .reference = 3), "only an objective has a reference"},
    {OF(.name = "y", .baseline = 1), "output 'y': only a constraint has a baseline"},
    {OF(.name = "y", .goal = LOCBO_GOAL_RECORD, .baseline = 1), "output 'y': only a constraint has a baseline"},
    {OF(.name = "y", .expression = "\x80"), "output 'y': its expression is not UTF-8"},
    {OF(.name = "y", .scale = (locbo_model_scale)4), "output 'y': unknown scale 4"},
    {OF(.name = "y", .scale = (locbo_model_scale)-1), "output 'y': unknown scale -1"},
    {OF(.name = "y", .scale = LOCBO_MODEL_SCALE_LOGIT), "logit needs low < high at a finite distance, got 0 and 0"},
    {OF(.name = "y", .scale = LOCBO_MODEL_SCALE_LOGIT, .scale_low = 2, .scale_high = 1), "got 2 and 1"},
    {OF(.name = "y", .scale = LOCBO_MODEL_SCALE_LOGIT, .scale_high = INFINITY), "got 0 and inf"},
    {OF(.name = "y", .scale = LOCBO_MODEL_SCALE_LOGIT, .scale_low = NAN, .scale_high = 1), "got nan and 1"},
};

static void every_refusal(void **state) {
    (void)state;
    locbo_outputs *t = table();
    add(t, "first", LOCBO_GOAL_MINIMIZE);
    for (size_t i = 0; i < sizeof REFUSALS / sizeof REFUSALS[0]; i++) {
        check_fails(locbo_outputs_add(t, &REFUSALS[i].spec, &error), LOCBO_ERR_ARGUMENT, REFUSALS[i].words);
        assert_int_equal(locbo_outputs_count(t), 1);
    }
    size_t index = 7;
    check_fails(locbo_outputs_find(t, "second", &index, &error), LOCBO_ERR_NOT_FOUND, "there is no output 'second'");
    assert_int_equal(index, 7);
    locbo_output_spec s = spec_of("y", LOCBO_GOAL_MINIMIZE);
    check_fails(locbo_outputs_get(t, 1, &s, &error), LOCBO_ERR_NOT_FOUND, "there is no output 1: the table has 1");
    assert_string_equal(s.name, "y");
    locbo_outputs_destroy(t);
}

/* What nobody uses may be anything: the bound of an objective, the reference of one that has none, other limits. */
static void unused_fields(void **state) {
    (void)state;
    static const locbo_output_spec unused[] = {OF(.name = "a", .bound = NAN), OF(.name = "b", .reference = INFINITY),
                                               OF(.name = "c", .scale_low = 5, .scale_high = NAN),
                                               OF(.name = "d", .goal = LOCBO_GOAL_RECORD, .bound = NAN)};
    locbo_outputs *t = table();
    for (size_t i = 0; i < sizeof unused / sizeof unused[0]; i++) check_ok(locbo_outputs_add(t, &unused[i], &error));
    check_ok(locbo_outputs_check(t, &error));
    locbo_outputs_destroy(t);
}

static void check_counts(size_t objectives, size_t constraints, size_t recorded, const char *words) {
    locbo_outputs *t = table();
    add_many(t, recorded, 'r', LOCBO_GOAL_RECORD);
    add_many(t, constraints, 'c', LOCBO_GOAL_AT_LEAST);
    add_many(t, objectives, 'o', LOCBO_GOAL_MAXIMIZE);
    if (words)
        check_fails(locbo_outputs_check(t, &error), LOCBO_ERR_ARGUMENT, words);
    else
        check_ok(locbo_outputs_check(t, &error));
    locbo_outputs_destroy(t);
}

static void limits(void **state) {
    (void)state;
    check_counts(1, 0, 0, NULL);
    check_counts(4, 8, 40, NULL);
    check_counts(1, 11, 0, NULL);
    check_counts(0, 0, 0, "no output is minimized or maximized");
    check_counts(0, 2, 3, "no output is minimized or maximized");
    check_counts(5, 0, 0, "at most 4 outputs can be objectives, got 5");
    check_counts(1, 12, 0, "at most 12 outputs can be objectives or constraints, got 13");
    check_counts(4, 9, 5, "at most 12 outputs can be objectives or constraints, got 13");
    check_fails(locbo_outputs_check(NULL, &error), LOCBO_ERR_ARGUMENT, "no output is minimized or maximized");
}

/* Sizes as every struct with struct_size has them: a shorter one ends behind a whole field. */
static void other_sizes(void **state) {
    (void)state;
    locbo_outputs *t = table();
    locbo_output_spec s = spec_of("y", LOCBO_GOAL_AT_MOST);
    s.bound = 4;
    s.baseline = 2;
    s.struct_size = 0;
    check_fails(locbo_outputs_add(t, &s, &error), LOCBO_ERR_ARGUMENT, "struct_size");
    s.struct_size = sizeof s + 8;
    check_fails(locbo_outputs_add(t, &s, &error), LOCBO_ERR_ARGUMENT, "struct_size");
    s.struct_size = offsetof(locbo_output_spec, reference) + 1;
    check_fails(locbo_outputs_add(t, &s, &error), LOCBO_ERR_ARGUMENT, "struct_size");
    s.struct_size = offsetof(locbo_output_spec, baseline); /* of a header that had no baseline */
    check_ok(locbo_outputs_add(t, &s, &error));
    locbo_output_spec back;
    memset(&back, 0x55, sizeof back);
    back.struct_size = offsetof(locbo_output_spec, baseline);
    uint64_t untouched = back.baseline;
    check_ok(locbo_outputs_get(t, 0, &back, &error));
    assert_true(back.bound == 4 && back.baseline == untouched &&
                back.struct_size == offsetof(locbo_output_spec, baseline));
    back.struct_size = sizeof back;
    check_ok(locbo_outputs_get(t, 0, &back, &error));
    assert_true(back.baseline == 0 && back.scale == LOCBO_MODEL_SCALE_OPTION && !back.expression);
    assert_int_equal(back.struct_size, sizeof back);
    back.struct_size = 3;
    check_fails(locbo_outputs_get(t, 0, &back, &error), LOCBO_ERR_ARGUMENT, "struct_size");
    locbo_outputs_destroy(t);
}

/* Copies share nothing, and an optimizer has one of its own. */
static void copies(void **state) {
    (void)state;
    locbo_outputs *t = table(), *copy = NULL;
    add(t, "a", LOCBO_GOAL_MINIMIZE);
    locbo_output_spec derived = OF(.name = "b", .goal = LOCBO_GOAL_AT_LEAST, .bound = 1, .expression = "2 * a");
    check_ok(locbo_outputs_add(t, &derived, &error));
    check_ok(outputs_copy(&copy, t, &error));
    locbo_outputs_destroy(t);
    assert_int_equal(locbo_outputs_count(copy), 2);
    assert_string_equal(outputs_at(copy, 0)->name, "a");
    assert_string_equal(outputs_at(copy, 1)->expression, "2 * a");
    assert_true(outputs_at(copy, 1)->bound == 1);
    locbo_space *space = NULL;
    locbo_optimizer *o = NULL;
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_real(space, "x", 0, 1, LOCBO_LINEAR, &error));
    check_ok(locbo_optimizer_create_for(&o, space, copy, NULL, &error));
    locbo_outputs_destroy(copy);
    assert_string_equal(outputs_at(locbo_optimizer_outputs(o), 1)->name, "b");
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
    assert_null(locbo_optimizer_outputs(NULL));
}

static void signs_and_kinds(void **state) {
    (void)state;
    static const struct {
        locbo_goal goal;
        int objective, constraint;
        double sign;
    } rows[] = {{LOCBO_GOAL_MINIMIZE, 1, 0, -1},
                {LOCBO_GOAL_MAXIMIZE, 1, 0, 1},
                {LOCBO_GOAL_AT_MOST, 0, 1, -1},
                {LOCBO_GOAL_AT_LEAST, 0, 1, 1},
                {LOCBO_GOAL_RECORD, 0, 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        locbo_output_spec s = spec_of("y", rows[i].goal);
        assert_int_equal(outputs_is_objective(&s), rows[i].objective);
        assert_int_equal(outputs_is_constraint(&s), rows[i].constraint);
        if (rows[i].sign != 0) check_same(outputs_sign(&s), rows[i].sign);
    }
    for (int d = LOCBO_MINIMIZE; d <= LOCBO_MAXIMIZE; d++) {
        locbo_outputs *plain = NULL;
        check_ok(outputs_plain(&plain, (locbo_direction)d, &error));
        assert_int_equal(locbo_outputs_count(plain), 1);
        assert_string_equal(outputs_at(plain, 0)->name, "value");
        assert_int_equal(outputs_at(plain, 0)->goal, d == LOCBO_MAXIMIZE ? LOCBO_GOAL_MAXIMIZE : LOCBO_GOAL_MINIMIZE);
        locbo_outputs_destroy(plain);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_added_is_read),
        cmocka_unit_test(null_pointers),
        cmocka_unit_test(every_refusal),
        cmocka_unit_test(unused_fields),
        cmocka_unit_test(limits),
        cmocka_unit_test(other_sizes),
        cmocka_unit_test(copies),
        cmocka_unit_test(signs_and_kinds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
