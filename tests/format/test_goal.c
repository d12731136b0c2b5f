/* test_goal.c - outputs from NAME~GOAL,SETTING,... and back. */
#include "goal.h"

#include "check.h"
#include "mem.h"
#include "short_memory.h"

#define refuse(words, text) check_fails(goal_add(table, text, &error), LOCBO_ERR_ARGUMENT, words)

static locbo_outputs *table;

static int make_table(void **state) {
    (void)state;
    check_ok(locbo_outputs_create(&table, &error));
    return 0;
}

static int drop_table(void **state) {
    (void)state;
    locbo_outputs_destroy(table);
    return 0;
}

static locbo_output_spec last(void) {
    locbo_output_spec s = {.struct_size = sizeof s};
    check_ok(locbo_outputs_get(table, locbo_outputs_count(table) - 1, &s, &error));
    return s;
}

static locbo_output_spec add(const char *text) {
    check_ok(goal_add(table, text, &error));
    return last();
}

static void check_goal(const char *text, const char *name, locbo_goal goal, double bound) {
    locbo_output_spec s = add(text);
    assert_string_equal(s.name, name);
    assert_int_equal(s.goal, goal);
    check_same(s.bound, bound);
    assert_int_equal(s.scale, LOCBO_MODEL_SCALE_OPTION);
    assert_true(s.baseline == 0 && s.referenced == 0 && !s.expression);
}

static void goals(void **state) {
    (void)state;
    check_goal("loss~minimize", "loss", LOCBO_GOAL_MINIMIZE, 0);
    check_goal("gain~maximize", "gain", LOCBO_GOAL_MAXIMIZE, 0);
    check_goal("epochs~record", "epochs", LOCBO_GOAL_RECORD, 0);
    check_goal("memory<=512", "memory", LOCBO_GOAL_AT_MOST, 512);
    check_goal("purity>=0.9", "purity", LOCBO_GOAL_AT_LEAST, 0.9);
    check_goal("  _a9 ~ minimize ", "_a9", LOCBO_GOAL_MINIMIZE, 0);
    check_goal("\tb <= -1e-3\n", "b", LOCBO_GOAL_AT_MOST, -1e-3);
    check_goal("value~minimize", "value", LOCBO_GOAL_MINIMIZE, 0);
}

static void settings(void **state) {
    (void)state;
    assert_int_equal(add("a~minimize,scale=log").scale, LOCBO_MODEL_SCALE_LOG);
    assert_int_equal(add("b~minimize, scale = none ").scale, LOCBO_MODEL_SCALE_NONE);
    locbo_output_spec s = add("c~maximize,scale=logit(0,1),reference=0.35");
    assert_int_equal(s.scale, LOCBO_MODEL_SCALE_LOGIT);
    assert_true(s.scale_low == 0 && s.scale_high == 1 && s.referenced == 1 && s.reference == 0.35);
    s = add("d>=1.5,scale=logit ( -1 , 2e3 )");
    assert_true(s.goal == LOCBO_GOAL_AT_LEAST && s.bound == 1.5 && s.scale_low == -1 && s.scale_high == 2000);
    s = add("e<=1.1*trial(3)");
    assert_true(s.goal == LOCBO_GOAL_AT_MOST && s.bound == 1.1 && s.baseline == 3);
    s = add("f >= 0.5 * trial ( 12 ) ,scale=log");
    assert_true(s.bound == 0.5 && s.baseline == 12 && s.scale == LOCBO_MODEL_SCALE_LOG);
}

static void derived(void **state) {
    (void)state;
    add("loss~record"), add("latency~record"), add("not~record");
    assert_string_equal(add("cost~minimize,of=loss + 0.1*latency").expression, "loss + 0.1*latency");
    /* commas in parentheses and backquotes belong to the expression */
    locbo_output_spec s = add("worst<=3,of= max(loss, latency, `not`) ,scale=log");
    assert_string_equal(s.expression, "max(loss, latency, `not`)");
    assert_int_equal(s.scale, LOCBO_MODEL_SCALE_LOG);
    assert_string_equal(add("both~record,of=cost<=1 and worst == 2").expression, "cost<=1 and worst == 2");
    refuse("output 'x': expression 'loss +': there is no operand", "x~minimize,of=loss +");
    refuse("output 'x': expression '': it is empty", "x~minimize,of=");
    refuse("output 'x': there is no output 'lose' before it (did you mean loss?)", "x~minimize,of=lose");
    refuse("output 'x': there is no output 'y' before it", "x~minimize,of=y");
    refuse("output 'x': it cannot be computed from itself", "x~minimize,of=loss + x");
    refuse("output 'x': the expression '3 + 4' names no output", "x~minimize,of=3 + 4");
    refuse("unknown setting '`a,b`'", "x~minimize,of=loss,`a,b`");
    refuse("output 'x': expression '`a,b`", "x~minimize,of=`a,b`+");
}

static void mistakes(void **state) {
    (void)state;
    refuse("there is no goal and no bound in ''; write it as in loss~minimize, memory<=512 or epochs~record", "");
    refuse("there is no goal and no bound in 'loss'", "loss");
    refuse("there is no goal and no bound in 'loss=3'", "loss=3");
    refuse("a bound needs <= or >= in 'loss<3'; write it as in", "loss<3");
    refuse("a bound needs <= or >= in 'loss>3'", "loss>3");
    refuse("an output's name is made of letters, digits and _, with no digit first, got ''", "~minimize");
    refuse("got '1x'", "1x~minimize");
    refuse("got 'a b'", "a b~minimize");
    refuse("got 'a-b'", "a-b<=3");
    refuse("got '\xc3\xa9'", "\xc3\xa9~minimize");
    refuse("an output cannot be named 'trial'", "trial~minimize");
    refuse("an output cannot be named 'op'", "op<=2");
    refuse("unknown goal 'minimise' (did you mean minimize?) in 'x~minimise'; write it as in loss~minimize",
           "x~minimise");
    refuse("unknown goal '' in 'x~'", "x~");
    refuse("unknown goal 'best' in 'x~best'", "x~best");
    refuse("unknown goal 'minimize(scale=log)' in", "x~minimize(scale=log)");
    refuse("the bound is no number in 'x<=big'; write it as in memory<=512 or memory<=1.1*trial(3)", "x<=big");
    refuse("the bound is no number", "x<=");
    refuse("the bound is no number", "x<=nan");
    refuse("the bound is no number", "x>=-inf");
    refuse("the bound is no number", "x<=512 MB");
    refuse("the bound is no number", "x<=trial(3)");
    refuse("there is no trial(K) after '*' in 'x<=2*'", "x<=2*");
    refuse("there is no trial(K) after '*'", "x<=2*trial(0)");
    refuse("there is no trial(K) after '*'", "x<=2*trial()");
    refuse("there is no trial(K) after '*'", "x<=2*trial(1.5)");
    refuse("there is no trial(K) after '*'", "x<=2*trail(3)");
    refuse("there is no trial(K) after '*'", "x<=2*trial(3");
    refuse("unknown setting '' in 'x~minimize,'; write it as in scale=log, reference=3 or of=", "x~minimize,");
    refuse("unknown setting 'scale' in", "x~minimize,scale");
    refuse("unknown setting 'scal' in", "x~minimize,scal=log");
    refuse("unknown scale in 'x~minimize,scale=ln'; write it as in scale=none, scale=log or scale=logit(0,1)",
           "x~minimize,scale=ln");
    refuse("unknown scale", "x~minimize,scale=logit");
    refuse("unknown scale", "x~minimize,scale=logit(1)");
    refuse("unknown scale", "x~minimize,scale=logit(0,1");
    refuse("unknown scale", "x~minimize,scale=logit(0,1,2)");
    refuse("unknown scale", "x~minimize,scale=logit(a,b)");
    refuse("unknown scale", "x~minimize,scale=");
    refuse("scale is given twice", "x~minimize,scale=log,scale=log");
    refuse("the reference is no number in", "x~minimize,reference=high");
    refuse("reference is given twice", "x~minimize,reference=1,reference=1");
    refuse("of is given twice", "x~minimize,of=a,of=a");
    refuse("output 'x': logit needs low < high", "x~minimize,scale=logit(1,0)");
    refuse("output 'x': only an objective has a reference", "x~record,reference=3");
    refuse("output 'x': only an objective has a reference", "x<=2,reference=3");
    assert_int_equal(locbo_outputs_count(table), 0); /* nothing of it was added */
    add("x~minimize");
    refuse("'x' exists already", "x<=3");
    assert_int_equal(goal_add(table, "x", NULL), LOCBO_ERR_ARGUMENT);
}

/* A long text is cut in the message, which stays one line. */
static void long_texts(void **state) {
    (void)state;
    char text[3000];
    memset(text, 'n', sizeof text);
    text[sizeof text - 1] = '\0';
    refuse("there is no goal and no bound in 'nnn", text);
    memcpy(text + 100, "~\n", 2);
    refuse("write it as in loss~minimize", text);
    memcpy(text + 100, "<=1*trial(", 10);
    text[sizeof text - 2] = ')';
    refuse("there is no trial(K)", text);
    strcpy(text + 100, "~minimize");
    assert_int_equal(strlen(add(text).name), 100);
}

static void whole_tables(void **state) {
    (void)state;
    check_fails(goal_check(table, &error), LOCBO_ERR_ARGUMENT, "no output is minimized or maximized");
    add("n~minimize");
    check_ok(goal_check(table, &error)); /* alone it may have the name */
    add("loss~minimize");
    check_fails(goal_check(table, &error), LOCBO_ERR_ARGUMENT, "of several outputs none can be named 'n'");
}

/* The text is read back to the same output; `a` and `b` are what expressions need. */
static void check_again(const char *text, const locbo_output_spec *before) {
    locbo_outputs *other;
    locbo_output_spec after = {.struct_size = sizeof after};
    check_ok(locbo_outputs_create(&other, &error));
    check_ok(goal_add(other, "a~record", &error));
    check_ok(goal_add(other, "b~record", &error));
    check_ok(goal_add(other, text, &error));
    check_ok(locbo_outputs_get(other, 2, &after, &error));
    assert_string_equal(before->name, after.name);
    assert_true(before->goal == after.goal && before->bound == after.bound && before->scale == after.scale);
    assert_true(before->scale_low == after.scale_low && before->scale_high == after.scale_high);
    assert_true(before->reference == after.reference && before->referenced == after.referenced);
    assert_true(before->baseline == after.baseline && !before->expression == !after.expression);
    if (before->expression) assert_string_equal(before->expression, after.expression);
    locbo_outputs_destroy(other);
}

static void texts(void **state) {
    (void)state;
    const struct {
        const char *given, *shown;
    } rows[] = {{" loss ~ minimize ", "loss~minimize"},
                {"gain~maximize,reference=0.1,scale=log", "gain~maximize,scale=log,reference=0.1"},
                {"epochs~record", "epochs~record"},
                {"memory <= 512.0", "memory<=512"},
                {"speed>=1.10 * trial( 7 ),scale=none", "speed>=1.1*trial(7),scale=none"},
                {"share~minimize,scale=logit(0, 1)", "share~minimize,scale=logit(0,1)"},
                {"cost~minimize,of=max(a,b),reference=1e-3", "cost~minimize,reference=0.001,of=max(a,b)"},
                {"sum<=0.30000000000000004", "sum<=0.30000000000000004"}};
    add("a~record"), add("b~record");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        locbo_output_spec before = add(rows[i].given);
        char *text = goal_text(&before);
        assert_string_equal(text, rows[i].shown);
        check_again(text, &before);
        mem_free(text);
    }
}

/* Every allocation fails in turn; the table is then as it was. */
static void no_memory(void **state) {
    (void)state;
    locbo_status status = LOCBO_ERR_MEMORY;
    long failures = 0;
    add("loss~record");
    while (status == LOCBO_ERR_MEMORY) {
        allowed = failures++;
        status = goal_add(table, "cost~minimize,of=2*loss", NULL);
        allowed = -1;
        assert_int_equal(locbo_outputs_count(table), status == LOCBO_OK ? 2 : 1);
    }
    assert_int_equal(status, LOCBO_OK);
    assert_true(failures > 4); /* the copy, the expression, name and text in the table */
    locbo_output_spec spec = last();
    char *text = NULL;
    for (failures = 0; !text; failures++) {
        allowed = failures;
        text = goal_text(&spec);
        allowed = -1;
    }
    assert_true(failures > 1);
    assert_string_equal(text, "cost~minimize,of=2*loss");
    mem_free(text);
}

/* Which number of a plan's targets an output has; recorded ones have none. */
static void targets(void **state) {
    (void)state;
    size_t number = 77;
    assert_true(goal_objectives(NULL) == 1 && goal_constraints(NULL) == 0);
    add("epochs~record"), add("loss~minimize"), add("memory<=512"), add("purity>=0.9"), add("gain~maximize");
    assert_true(goal_objectives(table) == 2 && goal_constraints(table) == 2);
    static const char *const names[] = {"loss", "memory", "purity", "gain"};
    for (size_t i = 0; i < 4; i++) {
        check_ok(goal_find_target(table, names[i], &number, &error));
        assert_int_equal(number, i);
    }
    check_fails(goal_find_target(table, "epochs", &number, &error), LOCBO_ERR_ARGUMENT, "'epochs' is recorded only");
    check_fails(goal_find_target(table, "los", &number, &error), LOCBO_ERR_ARGUMENT,
                "no output 'los' (did you mean loss?)");
    check_fails(goal_find_target(table, "", &number, &error), LOCBO_ERR_ARGUMENT, "there is no output ''");
    assert_int_equal(number, 3);
}

#define table_test(name) cmocka_unit_test_setup_teardown(name, make_table, drop_table)

int main(void) {
    const struct CMUnitTest tests[] = {
        table_test(goals),    table_test(settings),   table_test(derived),
        table_test(mistakes), table_test(long_texts), table_test(whole_tables),
        table_test(texts),    table_test(no_memory),  table_test(targets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
