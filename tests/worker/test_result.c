/* test_result.c - what counts as a result, what as a bad one, and what the exits mean. */
#include "result.h"

#include <locale.h>
#include <signal.h>

#include "check.h"
#include "goal.h"
#include "mem.h"
#include "short_memory.h"

enum { EXITED_0 = 0 };
#define EXITED(code) ((code) << 8)

/* ---- one text -------------------------------------------------------------------------------- */

static locbo_measurement parse_one(const char *text) {
    size_t count = 0;
    locbo_measurement *m = NULL, one;
    check_ok(result_parse(NULL, text, strlen(text), &count, &m, &error));
    assert_int_equal(count, 1);
    one = m[0];
    mem_free(m);
    return one;
}

#define refuse(text, words)                                                                                            \
    do {                                                                                                               \
        size_t count_ = 7;                                                                                             \
        locbo_measurement *m_ = NULL;                                                                                  \
        check_fails(result_parse(NULL, text, strlen(text), &count_, &m_, &error), LOCBO_ERR_ARGUMENT, words);          \
        assert_int_equal(count_, 7);                                                                                   \
        assert_null(m_);                                                                                               \
    } while (0)

static void numbers(void **state) {
    (void)state;
    check_same(parse_one("0.1").value, 0.1);
    check_same(parse_one(" \t-1e-3\r\n").value, -1e-3);
    check_same(parse_one("12").value, 12);
    check_same(parse_one("0.30000000000000004").value, 0.1 + 0.2);
    assert_true(isnan(parse_one("5").sd));
    assert_int_equal(parse_one("5").n, 1);
    const char *const not_finite[] = {"nan", "NaN", "-inf", "Infinity", "1e999"};
    for (int i = 0; i < 5; i++) refuse(not_finite[i], "finite");
    const char *const none[] = {"", " ", "abc", "1 2", "1,5", "0x10", "loss: 3", "true", "[1]"};
    for (int i = 0; i < 9; i++) refuse(none[i], "neither");
    size_t count;
    locbo_measurement *m;
    check_fails(result_parse(NULL, "1\0002", 3, &count, &m, &error), LOCBO_ERR_ARGUMENT, "neither");
}

static void objects(void **state) {
    (void)state;
    locbo_measurement m = parse_one("{\"value\": 0.7, \"sd\": 0.1, \"n\": 4, \"more\": [1, {}]}");
    check_same(m.value, 0.7);
    check_same(m.sd, 0.1);
    assert_int_equal(m.n, 4);
    m = parse_one("{\n \"value\":\n 3,\n \"sd\": null\n}\n");
    check_same(m.value, 3);
    assert_true(isnan(m.sd));
    assert_int_equal(m.n, 1);
    check_same(parse_one("{\"value\": 123456789012345678901234567890}").value, 123456789012345678901234567890.0);
    check_same(parse_one("{\"value\": 0.30000000000000004}").value, 0.1 + 0.2);
}

static void replicates(void **state) {
    (void)state;
    static const char *const texts[] = {"{\"values\": [1, 2.5, -3]}",
                                        "{\"values\": [1, 2.5, -3], \"sd\": 0.5, \"n\": 2}",
                                        "{\"values\": [1, 2.5, -3], \"sd\": [0.5, null, 2], "
                                        "\"n\": [1, 2, 3]}"};
    static const double sd[3][3] = {{NAN, NAN, NAN}, {0.5, 0.5, 0.5}, {0.5, NAN, 2}};
    static const unsigned n[3][3] = {{1, 1, 1}, {2, 2, 2}, {1, 2, 3}};
    for (int i = 0; i < 3; i++) {
        size_t count = 0;
        locbo_measurement *m = NULL;
        check_ok(result_parse(NULL, texts[i], strlen(texts[i]), &count, &m, &error));
        assert_int_equal(count, 3);
        check_same(m[1].value, 2.5);
        check_same(m[2].value, -3);
        for (int j = 0; j < 3; j++) {
            assert_true(isnan(sd[i][j]) ? isnan(m[j].sd) : m[j].sd == sd[i][j]);
            assert_int_equal(m[j].n, n[i][j]);
        }
        mem_free(m);
    }
}

static void bad_objects(void **state) {
    (void)state;
    refuse("{}", "no \"value\"");
    refuse("{\"val\": 1}", "no \"value\"");
    refuse("{\"value\": 1, \"values\": [1]}", "both");
    refuse("{\"value\": \"0.7\"}", "\"0.7\"");
    refuse("{\"value\": true}", "true");
    refuse("{\"value\": null}", "null");
    refuse("{\"value\": [1]}", "[1");
    refuse("{\"value\": {\"value\": 1}}", "finite number");
    refuse("{\"value\": NaN}", "not JSON");
    refuse("{\"value\": -Infinity}", "not JSON");
    refuse("{\"value\": 1e999}", "not JSON");
    refuse("{\"value\": 1} 2", "not JSON");
    refuse("{\"value\": 1, \"value\": 2}", "not JSON");
    refuse("{'value': 1}", "not JSON");
    refuse("{", "not JSON");
    refuse("{\"values\": []}", "at least one");
    refuse("{\"values\": 3}", "list");
    refuse("{\"values\": [1, null]}", "null");
    refuse("{\"values\": [1, \"2\"]}", "\"2\"");
    refuse("{\"value\": 1, \"sd\": 0}", "sd must be");
    refuse("{\"value\": 1, \"sd\": -1}", "-1");
    refuse("{\"value\": 1, \"sd\": \"1\"}", "sd must be");
    refuse("{\"value\": 1, \"sd\": [1]}", "sd must be");
    refuse("{\"value\": 1, \"n\": 0}", "n must be");
    refuse("{\"value\": 1, \"n\": 1.5}", "1.5");
    refuse("{\"value\": 1, \"n\": -1}", "n must be");
    refuse("{\"value\": 1, \"n\": 1e10}", "n must be");
    refuse("{\"value\": 1, \"n\": null}", "n must be");
    refuse("{\"values\": [1, 2], \"sd\": [1]}", "\"sd\" has 1 entry for 2 values");
    refuse("{\"values\": [1, 2], \"n\": [1, 2, 3]}", "\"n\" has 3");
}

static void at_most_ten_thousand(void **state) {
    (void)state;
    for (size_t wanted = RESULT_VALUES; wanted <= RESULT_VALUES + 1; wanted++) {
        char *text = malloc(2 * wanted + 20);
        size_t used = (size_t)sprintf(text, "{\"values\":[1"), count = 0;
        for (size_t i = 1; i < wanted; i++) used += (size_t)sprintf(text + used, ",1");
        used += (size_t)sprintf(text + used, "]}");
        locbo_measurement *m = NULL;
        if (wanted == RESULT_VALUES)
            check_ok(result_parse(NULL, text, used, &count, &m, &error));
        else
            check_fails(result_parse(NULL, text, used, &count, &m, &error), LOCBO_ERR_ARGUMENT, "10001");
        mem_free(m);
        free(text);
    }
}

/* ---- a whole evaluation ---------------------------------------------------------------------- */

static void feed(result *r, const char *text) {
    while (*text) {
        size_t size = strcspn(text, "\n");
        result_line(r, text, size);
        text += size + (text[size] == '\n');
    }
}

static outcome judge(const char *printed, const char *file, int status, int timed_out) {
    result lines = {0};
    outcome o = {.kind = OUTCOME_LOST};
    feed(&lines, printed);
    check_ok(result_judge(&lines, file, file ? strlen(file) : 0, status, timed_out, &o, &error));
    result_release(&lines);
    assert_null(lines.last);
    assert_true((o.kind == OUTCOME_VALUE) == (o.message[0] == '\0'));
    assert_true((o.kind == OUTCOME_VALUE) == (o.count > 0));
    return o;
}

static void check_value(const char *printed, const char *file, double expected) {
    outcome o = judge(printed, file, EXITED_0, 0);
    if (o.kind != OUTCOME_VALUE) fail_msg("[%s] [%s]: %s", printed, file ? file : "", o.message);
    check_same(o.measurements[0].value, expected);
    outcome_release(&o);
    assert_null(o.measurements);
}

static void check_judged(outcome o, outcome_kind kind, const char *words) {
    if (o.kind != kind || !strstr(o.message, words))
        fail_msg("kind %d '%s', expected %d with '%s'", (int)o.kind, o.message, (int)kind, words);
    outcome_release(&o);
}

static void check_bad(const char *printed, const char *file, const char *words) {
    check_judged(judge(printed, file, EXITED_0, 0), OUTCOME_FAILED, words);
}

static void last_of_its_kind(void **state) {
    (void)state;
    check_value("1\n2\nthe end\n", NULL, 2);
    check_value("  3.5 \r\n\n\n", NULL, 3.5);
    check_value("{\"value\": 1}\n{\"value\": 2}\nbye\n", NULL, 2);
    check_value("{\"value\": 1}\n5\n", NULL, 1); /* an object is worth more than a number */
    check_value("5\n{\"loss\": 3}\n", NULL, 5);
    check_value("5\n{\"metrics\": {\"value\": 3}}\n", NULL, 5); /* not its own value */
    check_value("5\n{'value_loss': 3}\n{broken\n0x7ffe1234\n", NULL, 5);
    check_value("{\"value\": NaN}\n{\"value\": 2}\n", NULL, 2);
    check_value("nan\n2\n", NULL, 2);
}

static void bad_lines_are_not_hidden(void **state) {
    (void)state;
    check_bad("1\nnan\n", NULL, "finite, got nan");
    check_bad("1\n-inf\n", NULL, "finite, got -inf");
    check_bad("{\"value\": 1}\n{\"value\": NaN}\n", NULL, "NaN");
    check_bad("1\n{\"value\": NaN}\n2\n", NULL, "not JSON");
    check_bad("{\"value\": 1}\n{\"value\": \"x\"}\n", NULL, "\"x\"");
    check_bad("{'value': 1}\n", NULL, "not JSON");
    check_bad("{\"values\": []}\n", NULL, "at least one");
}

static void no_result(void **state) {
    (void)state;
    check_bad("", NULL, "exit code 0 but no result: nothing was printed");
    check_bad("loss: 3\n\n \n", NULL, "exit code 0 but no result: the last line was 'loss: 3'");
    outcome o;
    check_ok(result_judge(NULL, NULL, 0, EXITED_0, 0, &o, &error));
    assert_int_equal(o.kind, OUTCOME_FAILED);
}

static void files(void **state) {
    (void)state;
    check_value("1\n", "2\n", 2);
    check_value("{\"value\": 1}\n", "2", 2);
    check_value("1\n", "{\n  \"value\": 4,\n  \"more\": \"text\"\n}\n", 4);
    check_value("1\n", "# notes\n{\"value\": 3}\n{\"value\": 5}\n", 5);
    check_bad("1\n", "", "the result file is empty"); /* what was printed does not replace it */
    check_bad("1\n", "nan", "result file");
    check_bad("1\n", "notes\n", "no result in the result file: the last line was 'notes'");
    check_bad("1\n", "\n", "result file: nothing was written");
    check_bad("1\n", "{\"loss\": 3}", "no \"value\"");
    check_bad("1\n", "{\n  \"value\": NaN\n}\n", "not JSON");
    check_bad("1\n", "[1]", "'[1]'");
}

static void exits(void **state) {
    (void)state;
    check_judged(judge("1\n", "2", EXITED(65), 0), OUTCOME_INFEASIBLE, "exit code 65");
    check_judged(judge("1\n", "2", EXITED(75), 0), OUTCOME_TRANSIENT, "exit code 75");
    check_judged(judge("1\n", "2", EXITED(124), 0), OUTCOME_FAILED, "timed out");
    check_judged(judge("1\n", "2", EXITED(3), 0), OUTCOME_FAILED, "exit code 3");
    check_judged(judge("1\n", "2", EXITED_0, 1), OUTCOME_FAILED, "timed out");
    check_judged(judge("1\n", "2", SIGKILL, 1), OUTCOME_FAILED, "timed out");
    check_judged(judge("1\n", "2", EXITED(75), 1), OUTCOME_FAILED, "timed out");
    const int outside[] = {SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1};
    for (int i = 0; i < 6; i++) check_judged(judge("1\n", "2", outside[i], 0), OUTCOME_LOST, "killed by signal");
    check_judged(judge("1\n", "2", SIGSEGV | 0x80, 0), OUTCOME_FAILED, "killed by signal 11 (Segmentation fault)");
    check_judged(judge("1\n", NULL, SIGABRT, 0), OUTCOME_FAILED, "killed by signal 6 (Aborted)");
    check_judged(judge("1\n", NULL, SIGXCPU, 0), OUTCOME_FAILED, "killed by signal");
}

/* ---- hostile output -------------------------------------------------------------------------- */

static int is_clean(const char *text) {
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7f || (unsigned char)*text == 0xff) return 0;
    return 1;
}

static void messages_are_one_line(void **state) {
    (void)state;
    outcome o = judge("\x1b[31mred\x07\ttext\xff\xc3\x28\xc2\x9b!\n", NULL, EXITED_0, 0);
    assert_true(is_clean(o.message));
    assert_non_null(strstr(o.message, "'[31mred text?\?(!'"));
    outcome_release(&o);
    char line[401];
    for (int shift = 0; shift < 3; shift++) { /* the cut falls on every byte of a character */
        memset(line, 'a', (size_t)shift);
        for (int i = 0; i < 120; i++) memcpy(line + shift + 3 * i, "\xe2\x82\xac", 3);
        line[shift + 360] = '\0';
        o = judge(line, NULL, EXITED_0, 0);
        const char *quote = strchr(o.message, '\'') + 1, *dots = strstr(o.message, "...'");
        assert_non_null(dots);
        assert_true(dots + 3 - quote <= 80);
        assert_int_equal((dots - quote - shift) % 3, 0);
        outcome_release(&o);
    }
    memset(line, '"', 400);
    memcpy(line, "{\"value\": \"", 11);
    line[400] = '\0';
    o = judge(line, NULL, EXITED_0, 0);
    assert_int_equal(o.kind, OUTCOME_FAILED);
    assert_true(strlen(o.message) < sizeof o.message && is_clean(o.message));
    outcome_release(&o);
}

static void nul_bytes(void **state) {
    (void)state;
    static const char object[] = "{\"value\": 1}\0", number[] = "1\0";
    static const char inside[] = "{\"value\": 1, \"a\": \"b\0c\"}";
    result lines = {0};
    outcome o;
    result_line(&lines, number, 2);
    assert_null(lines.number);
    result_line(&lines, object, sizeof object - 1);
    check_ok(result_judge(&lines, NULL, 0, EXITED_0, 0, &o, &error));
    check_judged(o, OUTCOME_FAILED, "not JSON");
    result_line(&lines, inside, sizeof inside - 1);
    check_ok(result_judge(&lines, inside, sizeof inside - 1, EXITED_0, 0, &o, &error));
    check_judged(o, OUTCOME_FAILED, "not JSON");
    result_release(&lines);
}

static void long_lines(void **state) {
    (void)state;
    enum { SIZE = RESULT_LINE + 1 };
    char *line = malloc(SIZE);
    memset(line, ' ', SIZE);
    memcpy(line, "{\"value\": 1", 11);
    result lines = {0};
    line[SIZE - 2] = '}'; /* 64 KiB */
    result_line(&lines, line, SIZE - 1);
    assert_non_null(lines.object);
    result_release(&lines);
    line[SIZE - 2] = ' ', line[SIZE - 1] = '}';
    result_line(&lines, line, SIZE);
    assert_null(lines.object);
    assert_non_null(lines.last);
    outcome o;
    check_ok(result_judge(&lines, NULL, 0, EXITED_0, 0, &o, &error));
    check_judged(o, OUTCOME_FAILED, "a line of more than 65536 bytes is not read; write such a result to the file");
    result_release(&lines);
    line[SIZE - 1] = ' '; /* one that was cut behind a blank */
    result_line(&lines, line, SIZE);
    assert_true(!lines.object && lines.longer);
    result_release(&lines);
    memset(line, '[', SIZE); /* deep nesting must not end the stack */
    memcpy(line, "{\"value\":", 9);
    result_line(&lines, line, SIZE - 1);
    check_ok(result_judge(&lines, NULL, 0, EXITED_0, 0, &o, &error));
    check_judged(o, OUTCOME_FAILED, "not JSON");
    result_release(&lines);
    free(line);
}

/* Random bytes of the kind that matters: no crash, and always an outcome. */
static void noise(void **state) {
    (void)state;
    static const char *const parts[] = {"{",    "}",  "\"value\"",  ":", "1",    "nan", "[", "]",
                                        "\xff", "\n", "\"values\"", ",", "-1e5", "\"",  "'", "\\u00"};
    unsigned seed = 1;
    for (int round = 0; round < 5000; round++) {
        char text[300] = "";
        for (int i = 0; i < 12; i++) {
            seed = seed * 1103515245u + 12345u;
            strcat(text, parts[(seed >> 16) % 16]);
        }
        outcome o = judge(text, round % 2 ? text : NULL, EXITED_0, 0);
        assert_true(o.kind == OUTCOME_VALUE || o.kind == OUTCOME_FAILED);
        outcome_release(&o);
    }
}

/* ---- results with names ---------------------------------------------------------------------- */

static locbo_outputs *table_of(const char *const *texts) {
    locbo_outputs *table;
    check_ok(locbo_outputs_create(&table, &error));
    for (; *texts; texts++) check_ok(goal_add(table, *texts, &error));
    return table;
}

/* Two objectives or constraints that are measured, one recorded, one derived. */
enum { LOSS, MEMORY, EPOCHS, COST, WIDTH };
static const char *const FOUR[] = {"loss~minimize", "memory<=512", "epochs~record", "cost~minimize,of=loss + epochs",
                                   NULL};

static locbo_outputs *table;

static int make_table(void **state) {
    (void)state;
    table = table_of(FOUR);
    return 0;
}

static int drop_table(void **state) {
    (void)state;
    locbo_outputs_destroy(table);
    return 0;
}

static outcome judge_named(const locbo_outputs *outputs, const char *printed, const char *file) {
    result lines = {.outputs = outputs};
    outcome o = {.kind = OUTCOME_LOST};
    feed(&lines, printed);
    check_ok(result_judge(&lines, file, file ? strlen(file) : 0, EXITED_0, 0, &o, &error));
    result_release(&lines);
    assert_true(!lines.last && !lines.values && !lines.other && lines.outputs == outputs);
    assert_true((o.kind == OUTCOME_VALUE) == (o.message[0] == '\0') && (o.kind == OUTCOME_VALUE) == (o.count > 0));
    return o;
}

static void check_number(double actual, double expected) {
    if (isnan(expected) ? !isnan(actual) : actual != expected) fail_msg("%g, expected %g", actual, expected);
}

/* One row, loss, memory and epochs; cost is never there. */
static void check_row(const char *printed, const char *file, double loss, double memory, double epochs) {
    outcome o = judge_named(table, printed, file);
    if (o.kind != OUTCOME_VALUE) fail_msg("[%s] [%s]: %s", printed, file ? file : "", o.message);
    assert_int_equal(o.count, 1);
    check_number(o.measurements[LOSS].value, loss);
    check_number(o.measurements[MEMORY].value, memory);
    check_number(o.measurements[EPOCHS].value, epochs);
    check_number(o.measurements[COST].value, NAN);
    outcome_release(&o);
}

static void check_named_bad(const char *printed, const char *file, const char *words) {
    check_judged(judge_named(table, printed, file), OUTCOME_FAILED, words);
}

static void named_objects(void **state) {
    (void)state;
    check_row("{\"loss\": 0.31, \"memory\": 401, \"epochs\": 12}\n", NULL, 0.31, 401, 12);
    check_row("{\"memory\": 401, \"loss\": 0.31}\nbye\n", NULL, 0.31, 401, NAN);
    check_row("{\"loss\": 1}\n{\"loss\": 2, \"memory\": null}\n5\nmemory=4\n", NULL, 2, NAN, NAN); /* it wins */
    check_row("{\"memory\": 1}\n", NULL, NAN, 1, NAN);
    check_row("{\"loss\": 1}\n{\"value\": 2}\n{\"lss\": 3}\n{\"metrics\": {\"loss\": 3}}\n", NULL, 1, NAN, NAN);
    check_row("{\"loss\": 1}\n{\"cost\": 5}\n", NULL, 1, NAN, NAN); /* a derived one is no result */
    check_row("{\"loss\": 1, \"cost\": \"computed\", \"more\": [1, {}], \"value\": 3}\n", NULL, 1, NAN, NAN);
    check_row("{\"loss\": NaN}\n{\"loss\": 2}\n", NULL, 2, NAN, NAN);
    check_row("{\"l\\u006fss\": 2}\n", NULL, 2, NAN, NAN);
    check_row("x\n", "{\n  \"loss\": 1,\n  \"memory\": {\"value\": 2}\n}\n", 1, 2, NAN);
    check_row("{\"loss\": 7}\n", "# notes\n{\"loss\": 3}\n", 3, NAN, NAN); /* the file comes first */
    check_row("{\"loss\": 7}\n", "loss=3\nmemory = 4\n", 3, 4, NAN);
}

static void named_lines(void **state) {
    (void)state;
    check_row("loss=0.31\nmemory=401\n", NULL, 0.31, 401, NAN);
    check_row("loss=1\n  memory \t=  4e2\r\nloss = 2\nepochs=3\ndone\n", NULL, 2, 400, 3);
    check_row("loss=.5\nlosses=3\n=4\nx=loss=4\nloss: 3\ncost=9\n", NULL, 0.5, NAN, NAN);
    check_row("loss=nan\nloss=+1.\n7\n", NULL, 1, NAN, NAN);
    check_row("loss=1\nmemory=null\n", NULL, 1, NAN, NAN);
    check_named_bad("loss=1\nloss=nan\n", NULL, "a bad result: loss: the value must be finite, got nan");
    check_named_bad("loss=1\nmemory=-inf\n", NULL, "memory: the value must be finite, got -inf");
    check_named_bad("loss=0.31 memory=2\n", NULL, "loss: '0.31 memory=2' is not a number");
    check_named_bad("loss=high\n", NULL, "loss: 'high' is not a number");
    check_named_bad("loss=\n", NULL, "loss: '' is not a number");
    check_named_bad("loss=0x10\n", NULL, "loss: '0x10' is not a number");
    check_named_bad("loss=true\n", NULL, "loss: the value must be a number, null");
    outcome o = judge_named(table, "loss={\"value\": 1, \"sd\": 0.5, \"n\": 3}\nmemory=[]\nmemory=2\n", NULL);
    assert_int_equal(o.kind, OUTCOME_VALUE);
    assert_true(o.measurements[LOSS].value == 1 && o.measurements[LOSS].sd == 0.5 && o.measurements[LOSS].n == 3);
    outcome_release(&o);
}

static void named_details(void **state) {
    (void)state;
    outcome o = judge_named(table, "{\"loss\": {\"value\": 0.31, \"sd\": 0.1, \"n\": 4}, \"memory\": 3}\n", NULL);
    assert_int_equal(o.count, 1);
    const locbo_measurement *m = o.measurements;
    assert_true(m[LOSS].value == 0.31 && m[LOSS].sd == 0.1 && m[LOSS].n == 4);
    assert_true(m[MEMORY].value == 3 && isnan(m[MEMORY].sd) && m[MEMORY].n == 1);
    assert_true(isnan(m[EPOCHS].value) && isnan(m[EPOCHS].sd) && m[EPOCHS].n == 1);
    outcome_release(&o);
    check_row("{\"loss\": {\"value\": null, \"sd\": null}, \"memory\": 1}\n", NULL, NAN, 1, NAN);
}

static void named_replicates(void **state) {
    (void)state;
    const char *text = "{\"loss\": [1, 2, 3], \"memory\": {\"values\": [4, null, 6], \"sd\": [1, 2, null], \"n\": 2}, "
                       "\"epochs\": 7}\n";
    const double expected[3][3] = {{1, 4, 7}, {2, NAN, NAN}, {3, 6, NAN}}; /* epochs counts once */
    outcome o = judge_named(table, text, NULL);
    if (o.kind != OUTCOME_VALUE) fail_msg("%s", o.message);
    assert_int_equal(o.count, 3);
    for (int i = 0; i < 9; i++) check_number(o.measurements[i / 3 * WIDTH + i % 3].value, expected[i / 3][i % 3]);
    check_number(o.measurements[WIDTH + MEMORY].sd, 2);
    check_number(o.measurements[2 * WIDTH + MEMORY].sd, NAN);
    assert_int_equal(o.measurements[2 * WIDTH + MEMORY].n, 2);
    outcome_release(&o);
    o = judge_named(table, "{\"loss\": [1, null], \"memory\": [null, 2], \"epochs\": null}\n", NULL);
    assert_int_equal(o.count, 2);
    outcome_release(&o);
    check_named_bad("{\"loss\": [1, 2], \"memory\": [1]}\n", NULL,
                    "the lists of one result must be of one length, got 2 for loss and 1 for memory");
    check_named_bad("{\"memory\": [1], \"epochs\": [1, 2]}\n", NULL, "got 1 for memory and 2 for epochs");
    check_named_bad("{\"loss\": []}\n", NULL, "loss: the list must be a list of at least one number, got []");
    check_named_bad("{\"loss\": [1, \"2\"]}\n", NULL, "loss: the value must be a finite number or null, got \"2\"");
    check_named_bad("{\"loss\": [1, [2]]}\n", NULL, "loss: the value must be a finite number or null");
    check_named_bad("{\"loss\": [1, null]}\n", NULL, "replicate 2 of 2 has no value of an objective or constraint");
    check_named_bad("{\"loss\": 1, \"epochs\": [1, 2, 3]}\n", NULL, "replicate 2 of 3 has no value of an objective");
}

static void named_bad(void **state) {
    (void)state;
    check_named_bad("{\"loss\": 1}\n{\"loss\": NaN}\n", NULL,
                    "a bad result: after \"loss\": not JSON (invalid token near 'NaN')");
    check_named_bad("{\"a\": {\"b\": [1]}, \"memory\": {\"value\": -Infinity}}\n", NULL, "after \"memory\": not JSON");
    check_named_bad("{\"loss\": 1e999}\n", NULL, "after \"loss\": not JSON");
    check_named_bad("{\"a\\\"b\": 1, \"loss\": nan}\n", NULL, "after \"loss\": not JSON");
    check_named_bad("{\"loss\": 1, \"memory\": 3, \"loss\": 2}\n", NULL,
                    "a bad result: not JSON (duplicate object key near '\"loss\"')");
    check_named_bad("{'loss': 1}\n", NULL, "not JSON");
    check_named_bad("{\"loss\": \"0.3\"}\n", NULL,
                    "loss: the value must be a number, null, a list of numbers or an ob");
    check_named_bad("{\"memory\": true}\n", NULL, "memory: the value must be a number");
    check_named_bad("{\"loss\": {\"sd\": 1}}\n", NULL, "loss: the JSON object has no \"value\" or \"values\"");
    check_named_bad("{\"loss\": {\"value\": 1, \"sd\": -1}}\n", NULL, "loss: sd must be a number above 0");
    check_named_bad("{\"loss\": {\"value\": 1, \"n\": 0}}\n", NULL, "loss: n must be");
    check_named_bad("{\"loss\": 1, \"sd\": 0.1}\n", NULL,
                    "\"sd\" must stand in the object of its output, as in {\"loss\": {\"value\": 0.5, \"sd\": 0.1");
    check_named_bad("{\"loss\": 1, \"n\": 4}\n", NULL, "\"n\" must stand in the object of its output");
    check_named_bad("{\"loss\": null}\n", NULL, "the result has no value of an objective or constraint");
    check_named_bad("{\"epochs\": 4}\n", NULL, "the result has no value of an objective or constraint");
    check_named_bad("epochs=4\n", NULL, "the result has no value of an objective or constraint");
}

static void named_none(void **state) {
    (void)state;
    check_named_bad("0.5\n", NULL,
                    "exit code 0 but no result: a bare number is not enough for the outputs loss, memory, epochs; "
                    "write {\"loss\": 0.5, ...}");
    check_named_bad("", NULL, "exit code 0 but no result: nothing was printed");
    check_named_bad(
        "{\"lss\": 3, \"mem\": 4}\ndone\n", NULL,
        "exit code 0 but no result: '{\"lss\": 3, \"mem\": 4}' has none of the outputs loss, memory, epochs; "
        "write {\"loss\": 0.5, ...}");
    check_named_bad("lss=3\n", NULL, "no result: 'lss=3' has none of the outputs loss, memory, epochs");
    check_named_bad("{\"cost\": 3}\n", NULL,
                    "no result: '{\"cost\": 3}' has none of the outputs loss, memory, epochs;");
    check_named_bad("x\n", "{\"lss\": 3}",
                    "no result in the result file: the JSON object has none of the outputs loss,");
    check_named_bad("x\n", "lss=3", "no result in the result file: 'lss=3' has none of the outputs");
    check_named_bad("x\n", "7", "no result in the result file: a bare number is not enough");
    check_named_bad("loss=1\n", "", "the result file is empty");
    check_named_bad("loss=1\n", "{\n  \"loss\": NaN\n}\n", "a bad result in the result file: after \"loss\": not JSON");
}

/* One output that is measured: a bare number is enough. */
static void named_bare(void **state) {
    (void)state;
    const char *const one[] = {"loss~minimize", NULL}, *const two[] = {"loss~record", "twice~minimize,of=2*loss", NULL};
    const char *const value[] = {"value~maximize", NULL};
    for (int i = 0; i < 2; i++) {
        locbo_outputs *t = table_of(i ? two : one);
        outcome o = judge_named(t, "1\n0.25\n", NULL);
        assert_int_equal(o.kind, OUTCOME_VALUE);
        check_same(o.measurements[0].value, 0.25);
        if (i) assert_true(isnan(o.measurements[1].value));
        outcome_release(&o);
        check_judged(judge_named(t, "1\nnan\n", NULL), OUTCOME_FAILED, "loss: the value must be finite, got nan");
        check_judged(judge_named(t, "{\"value\": 1}\n", NULL), OUTCOME_FAILED,
                     "'{\"value\": 1}' has none of the outputs loss; write {\"loss\": 0.5}");
        locbo_outputs_destroy(t);
    }
    locbo_outputs *t = table_of(value); /* as without a table */
    outcome o = judge_named(t, "{\"value\": 3, \"sd\": 0.5}\nvalue=4\n", NULL);
    assert_true(o.kind == OUTCOME_VALUE && o.measurements[0].value == 3 && o.measurements[0].sd == 0.5);
    outcome_release(&o);
    check_judged(judge_named(t, "value=4\n", NULL), OUTCOME_FAILED, "no result: the last line was 'value=4'");
    locbo_outputs_destroy(t);
}

/* An objective that is derived needs all that it is computed from, through other derived ones too. */
static void named_derived(void **state) {
    (void)state;
    const char *const texts[] = {"a~record", "b~record", "s~record,of=a + b", "c~minimize,of=2*s", NULL};
    locbo_outputs *t = table_of(texts);
    outcome o = judge_named(t, "{\"a\": 1, \"b\": 2}\n", NULL);
    assert_int_equal(o.kind, OUTCOME_VALUE);
    outcome_release(&o);
    check_judged(judge_named(t, "{\"a\": 1}\n", NULL), OUTCOME_FAILED, "no value of an objective or constraint");
    check_judged(judge_named(t, "{\"a\": [1, 2], \"b\": 1}\n", NULL), OUTCOME_FAILED, "replicate 2 of 2 has no value");
    locbo_outputs_destroy(t);
}

/* Texts of tell and of the pipe: nothing but the result. */
static void named_texts(void **state) {
    (void)state;
    size_t count = 7;
    locbo_measurement *m = NULL;
    const char *const good[] = {"{\"loss\": 1, \"memory\": 2, \"op\": \"tell\", \"trial\": 3}", "loss=1\nmemory=2",
                                "\n memory = 2 \r\n\n loss=1\n\n"};
    for (int i = 0; i < 3; i++) {
        check_ok(result_parse(table, good[i], strlen(good[i]), &count, &m, &error));
        assert_true(count == 1 && m[LOSS].value == 1 && m[MEMORY].value == 2 && isnan(m[COST].value));
        mem_free(m);
    }
    const struct {
        const char *text, *words;
    } bad[] = {{"loss=1\nnotes", "'notes' is not NAME=VALUE of one of the outputs loss, memory, epochs"},
               {"lss=1", "'lss=1' is not NAME=VALUE of one of the outputs"},
               {"cost=1", "'cost=1' is not NAME=VALUE of one of the outputs"},
               {"loss=1\nloss=2", "loss is given twice"},
               {"loss=x", "loss: 'x' is not a number"},
               {"1", "a bare number is not enough for the outputs loss, memory, epochs; write {\"loss\": 0.5, ...}"},
               {"", "'' is no result of the outputs loss, memory, epochs; write {\"loss\": 0.5, ...}"},
               {"abc", "'abc' is no result of the outputs"},
               {"{}", "the JSON object has none of the outputs loss, memory, epochs"},
               {"{", "not JSON"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        m = NULL;
        count = 7;
        check_fails(result_parse(table, bad[i].text, strlen(bad[i].text), &count, &m, &error), LOCBO_ERR_ARGUMENT,
                    bad[i].words);
        assert_true(!m && count == 7);
        assert_int_equal(result_parse(table, bad[i].text, strlen(bad[i].text), &count, &m, NULL), LOCBO_ERR_ARGUMENT);
    }
    check_fails(result_parse(table, "loss=1\0002", 8, &count, &m, &error), LOCBO_ERR_ARGUMENT, "a NUL byte");
}

/* Ten thousand other keys, and names that need more room than a message has. */
static void named_sizes(void **state) {
    (void)state;
    char *text = malloc(300000), name[400];
    size_t used = (size_t)sprintf(text, "{\"memory\": 2"), count = 0;
    for (int i = 0; i < 10000; i++) used += (size_t)sprintf(text + used, ", \"key %d\": [%d]", i, i);
    used += (size_t)sprintf(text + used, ", \"loss\": 1}");
    locbo_measurement *m = NULL;
    check_ok(result_parse(table, text, used, &count, &m, &error));
    assert_true(count == 1 && m[LOSS].value == 1 && m[MEMORY].value == 2);
    mem_free(m);
    check_row("", text, 1, 2, NAN); /* and in the result file */
    free(text);
    locbo_outputs *t;
    check_ok(locbo_outputs_create(&t, &error));
    for (int i = 0; i < 50; i++) {
        memset(name, 'a' + i % 26, sizeof name);
        snprintf(name + 300, 99, "_%d~minimize", i);
        check_ok(goal_add(t, name, &error));
    }
    outcome o = judge_named(t, "{\"lss\": 3}\n", NULL);
    assert_non_null(strstr(o.message, "has none of the outputs aaa"));
    outcome_release(&o);
    locbo_outputs_destroy(t);
}

static void named_nul_bytes(void **state) {
    (void)state;
    static const char line[] = "loss=1\0002", object[] = "{\"loss\": 1}\0", name[] = "lo\0ss=1";
    result lines = {.outputs = table};
    outcome o;
    result_line(&lines, name, sizeof name - 1);
    assert_null(lines.values);
    result_line(&lines, line, sizeof line - 1);
    check_ok(result_judge(&lines, NULL, 0, EXITED_0, 0, &o, &error));
    check_judged(o, OUTCOME_FAILED, "is not a number");
    result_line(&lines, object, sizeof object - 1);
    check_ok(result_judge(&lines, NULL, 0, EXITED_0, 0, &o, &error));
    check_judged(o, OUTCOME_FAILED, "not JSON");
    result_release(&lines);
}

/* Every allocation of ours fails in turn. */
static void named_without_memory(void **state) {
    (void)state;
    const char *const texts[] = {"{\"loss\": [1, 2], \"memory\": 3}", "loss=1\nmemory=2",
                                 "{\"epochs\": 1, \"loss\": 2}"};
    for (int i = 0; i < 3; i++) {
        size_t count = 0;
        locbo_measurement *m = NULL;
        locbo_status status = LOCBO_ERR_MEMORY;
        long failures = 0;
        for (; status == LOCBO_ERR_MEMORY; failures++) {
            assert_true(!m && count == 0);
            allowed = failures;
            status = result_parse(table, texts[i], strlen(texts[i]), &count, &m, NULL);
            allowed = -1;
        }
        assert_int_equal(status, LOCBO_OK);
        assert_true(failures > 4); /* two outputs, the table of them, the rows, what each row has */
        mem_free(m);
    }
    for (allowed = 0; allowed < 6; allowed++) { /* lines are dropped */
        long before = allowed;
        result lines = {.outputs = table};
        feed(&lines, "loss=1\n{\"lss\": 2}\n{\"loss\": 3}\nmemory=4\n5\n");
        result_release(&lines);
        allowed = before;
    }
    allowed = -1;
}

/* Random bytes of the kind that matters: no crash, and always an outcome whose rows have something. */
static void named_noise(void **state) {
    (void)state;
    static const char *const parts[] = {"{",         "}",  "\"loss\"", ":",       "1",      "nan",     "[",
                                        "]",         "\n", "\xff",     "loss",    ",",      "memory=", "\"epochs\"",
                                        "\"value\"", "=",  "null",     "\\u006c", "\"sd\"", "2"};
    static const char *const starts[] = {"", "{\"loss\":", "loss=1\n"};
    unsigned seed = 1;
    print_message("seed %u\n", seed);
    int values = 0;
    for (int round = 0; round < 20000; round++) {
        char text[300];
        strcpy(text, starts[round % 3]);
        for (int i = 0; i < 10; i++) {
            seed = seed * 1103515245u + 12345u;
            strcat(text, parts[(seed >> 16) % 20]);
        }
        outcome o = judge_named(table, text, round % 2 ? text : NULL);
        assert_true(o.kind == OUTCOME_VALUE || o.kind == OUTCOME_FAILED);
        for (size_t i = 0; i < o.count; i++)
            assert_false(isnan(o.measurements[i * WIDTH + LOSS].value) &&
                         isnan(o.measurements[i * WIDTH + MEMORY].value));
        values += o.kind == OUTCOME_VALUE;
        outcome_release(&o);
    }
    assert_true(values > 20); /* both happen */
}

/* Another decimal point changes nothing. */
static void locale(void **state) {
    (void)state;
    const char *const places[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "nl_NL.UTF-8"};
    int found = 0;
    for (int i = 0; i < 4 && !found; i++) found = setlocale(LC_ALL, places[i]) != NULL;
    check_same(parse_one("0.5").value, 0.5);
    check_same(parse_one("{\"value\": 0.5}").value, 0.5);
    refuse("0,5", "neither");
    refuse("{\"value\": \"a\", \"sd\": 0.5}", "finite number");
    setlocale(LC_ALL, "C");
    if (!found) print_message("no locale with a decimal comma is installed\n");
}

#define table_test(name) cmocka_unit_test_setup_teardown(name, make_table, drop_table)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers),
        cmocka_unit_test(objects),
        cmocka_unit_test(replicates),
        cmocka_unit_test(bad_objects),
        cmocka_unit_test(at_most_ten_thousand),
        cmocka_unit_test(last_of_its_kind),
        cmocka_unit_test(bad_lines_are_not_hidden),
        cmocka_unit_test(no_result),
        cmocka_unit_test(files),
        cmocka_unit_test(exits),
        cmocka_unit_test(messages_are_one_line),
        cmocka_unit_test(nul_bytes),
        cmocka_unit_test(long_lines),
        cmocka_unit_test(noise),
        cmocka_unit_test(locale),
        table_test(named_objects),
        table_test(named_lines),
        table_test(named_details),
        table_test(named_replicates),
        table_test(named_bad),
        table_test(named_none),
        table_test(named_bare),
        table_test(named_derived),
        table_test(named_texts),
        table_test(named_sizes),
        table_test(named_nul_bytes),
        table_test(named_without_memory),
        table_test(named_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
