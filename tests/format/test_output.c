/* test_output.c - the same rows as table, JSON and CSV; texts that could do harm; a full disk; time. */
#include "output.h"
#include "value.h"

#include <fcntl.h>
#include <float.h>
#include <time.h>

#include "capture.h"
#include "json_text.h"

/* Print rows, given as one JSON list, and compare. `columns`: names given beforehand, NULL-terminated; or NULL. */
static void check_print(output_format format, int single, const char *const *columns, const char *rows,
                        const char *expected) {
    json_error_t mistake;
    json_t *list = json_loads(rows, 0, &mistake);
    check_that(list, "%s: %s", rows, mistake.text);
    output *o = output_open(format, single);
    size_t count = 0;
    while (columns && columns[count]) count++;
    if (columns) output_columns(o, count, columns);
    for (size_t i = 0; i < json_array_size(list); i++)
        assert_int_equal(output_row(o, json_incref(json_array_get(list, i))), 1);
    json_decref(list);
    capture c = capture_begin(STDOUT_FILENO);
    int written = output_close(o);
    capture_end(&c);
    assert_int_equal(written, 1);
    assert_string_equal(c.text, expected);
    capture_free(&c);
}

static void formats(void **state) {
    (void)state;
    output_format f = OUTPUT_TABLE;
    assert_true(output_format_parse("csv", &f) && f == OUTPUT_CSV);
    assert_true(output_format_parse("json", &f) && f == OUTPUT_JSON);
    assert_true(output_format_parse("table", &f) && f == OUTPUT_TABLE);
    assert_false(output_format_parse("JSON", &f) || output_format_parse("", &f) || output_format_parse("csv ", &f));
}

static const char trials[] = "[{\"trial\":1,\"state\":\"COMPLETE\",\"params\":{\"x\":0.1,\"mode\":"
                             "\"a, b\"},\"value\":0.30000000000000004,"
                             "\".values\":[0.5,1.0],\"-when\":\"now\"},"
                             "{\"trial\":12,\"state\":\"FAILED\",\"params\":{\"x\":-1234567.25,"
                             "\"mode\":\"c\"},\"value\":null,"
                             "\".values\":[],\"-when\":\"\"}]";

static void three_ways(void **state) {
    (void)state;
    check_print(OUTPUT_TABLE, 0, NULL, trials,
                "trial  state                x  mode  value  when\n"
                "    1  COMPLETE           0.1  a, b    0.3  now\n"
                "   12  FAILED    -1.23457e+06  c\n");
    check_print(OUTPUT_JSON, 0, NULL, trials,
                "[\n{\"trial\":1,\"state\":\"COMPLETE\",\"params\":{\"x\":0.1,\"mode\":\"a, b\"},"
                "\"value\":0.30000000000000004,\"values\":[0.5,1.0]},\n"
                "{\"trial\":12,\"state\":\"FAILED\",\"params\":{\"x\":-1234567.25,\"mode\":\"c\"},"
                "\"value\":null,\"values\":[]}\n]\n");
    check_print(OUTPUT_CSV, 0, NULL, trials,
                "trial,state,x,mode,value,when\n"
                "1,COMPLETE,0.1,\"a, b\",0.30000000000000004,now\n"
                "12,FAILED,-1234567.25,c,,\"\"\n");
}

static void single(void **state) {
    (void)state;
    const char *row = "[{\"trial\":3,\"params\":{\"x\":0.123456789},\"interval\":[0.1,0.123456789],"
                      "\"note\":\"0123456789012345678901234567890123456789012345678901234567890123\","
                      "\"best\":null}]";
    check_print(OUTPUT_TABLE, 1, NULL, row,
                "trial     3\n"
                "x         0.123457\n"
                "interval  [0.1,0.123457]\n"
                "note      0123456789012345678901234567890123456789012345678901234567890123\n"
                "best\n");
    check_print(OUTPUT_JSON, 1, NULL, "[{\"a\":1,\"b\":{\"c\":true}}]", "{\"a\":1,\"b\":{\"c\":true}}\n");
    check_print(OUTPUT_CSV, 1, NULL, row,
                "trial,x,interval,note,best\n3,0.123456789,\"[0.1,0.123456789]\",0123456789012345678"
                "901234567890123456789012345678901234567890123,\n");
}

static void empty(void **state) {
    (void)state;
    const char *const names[] = {"trial", "-state", ".hidden", NULL};
    check_print(OUTPUT_TABLE, 0, names, "[]", "trial  state\n");
    check_print(OUTPUT_CSV, 0, names, "[]", "trial,state\n");
    check_print(OUTPUT_JSON, 0, names, "[]", "[]\n");
    check_print(OUTPUT_TABLE, 0, NULL, "[]", "");
    check_print(OUTPUT_CSV, 0, NULL, "[]", "");
    check_print(OUTPUT_TABLE, 0, NULL, "[{}, {}]", "");
    check_print(OUTPUT_JSON, 0, NULL, "[{}, {}]", "[\n{},\n{}\n]\n");
}

/* Names given beforehand lead; later rows may know more; a parameter may be called like a column. */
static void columns(void **state) {
    (void)state;
    const char *const names[] = {"value", "x", "never", NULL};
    check_print(OUTPUT_CSV, 0, names,
                "[{\"trial\":1,\"params\":{\"x\":2},\"value\":3},"
                "{\"trial\":2,\"params\":{\"x\":4,\"y\":5},\"value\":6}]",
                "value,x,never,trial,y\n3,2,,1,\n6,4,,2,5\n");
    check_print(OUTPUT_CSV, 0, NULL, "[{\"trial\":1,\"params\":{\"trial\":2,\"value\":7},\"value\":3}]",
                "trial,params.trial,params.value,value\n1,2,7,3\n");
    check_print(OUTPUT_TABLE, 0, names, "[{\"trial\":1,\"params\":{\"value\":7},\"value\":3}]",
                "value  x  never  trial  params.value\n"
                "    3                1             7\n");
    check_print(OUTPUT_CSV, 0, NULL, "[{\"a\":1},{\"b\":2},{\"a\":3,\"b\":4}]", "a,b\n1,\n,2\n3,4\n");
}

/* Outputs are columns too, named with their group where a parameter or a column of ours has the name. */
static void output_columns_too(void **state) {
    (void)state;
    const char *const names[] = {"trial", "x", "loss", NULL};
    check_print(OUTPUT_CSV, 0, names,
                "[{\"trial\":1,\"params\":{\"x\":2},\"outputs\":{\"loss\":3,\"loss.sd\":null,\"x\":4,\"state\":5},"
                "\"state\":\"a\"}]",
                "trial,x,loss,loss.sd,outputs.x,outputs.state,state\n1,2,3,,4,5,a\n");
    check_print(OUTPUT_TABLE, 0, NULL,
                "[{\"params\":{\"a\":1},\"outputs\":{\"a\":2,\"b\":0.5},\"a\":3},"
                "{\"params\":{\"a\":1},\"outputs\":{\"b\":null},\"a\":3}]",
                "params.a  outputs.a    b  a\n"
                "       1          2  0.5  3\n"
                "       1                  3\n");
    check_print(OUTPUT_JSON, 0, NULL, "[{\"outputs\":{\"a\":1}}]", "[\n{\"outputs\":{\"a\":1}}\n]\n");
    check_print(OUTPUT_CSV, 0, NULL, "[{\"outputs\":[1,2]}]", "outputs\n\"[1,2]\"\n");
}

static void csv_quotes(void **state) {
    (void)state;
    check_print(OUTPUT_CSV, 0, NULL,
                "[{\"a,b\":\"say \\\"hi\\\"\",\"c\":\"two\\nlines\",\"d\":\" blank\",\"e\":\"\",\"f\":"
                "{\"x\":[1,\"y\"]},\"g\":true}]",
                "\"a,b\",c,d,e,f,g\n\"say \"\"hi\"\"\",\"two\nlines\",\" blank\",\"\",\"{\"\"x\"\":[1,"
                "\"\"y\"\"]}\",true\n");
    check_print(OUTPUT_CSV, 0, NULL, "[{\"a\":null},{\"a\":1}]", "a\n\"\"\n1\n");
    check_print(OUTPUT_CSV, 0, NULL, "[{\"a\":\"back\\\\slash\\ttab\"}]", "a\nback\\slash\ttab\n");
}

/* Only texts, only if wanted. */
static void formulas(void **state) {
    (void)state;
    const char *rows = "[{\"@t\":\"=1+1\",\"n\":-1.5,\"i\":-2,\"inf\":\"-inf\",\"u\":\"a=1\"},"
                       "{\"@t\":\"-x,y\",\"n\":1},{\"@t\":\"+1\"},{\"@t\":\"\\t=1\"},{\"@t\":\"\\r\"},{\"@t\":\"-5\"}]";
    check_print(OUTPUT_CSV, 0, NULL, rows,
                "@t,n,i,inf,u\n=1+1,-1.5,-2,-inf,a=1\n\"-x,y\",1,,,\n+1,,,,\n\"\t=1\",,,,\n\"\r\",,,,\n-5,,,,\n");
    output_for_spreadsheet(1);
    check_print(OUTPUT_CSV, 0, NULL, rows,
                "'@t,n,i,inf,u\n'=1+1,-1.5,-2,-inf,a=1\n\"'-x,y\",1,,,\n'+1,,,,\n'\t=1,,,,\n\"'\r\",,,,\n'-5,,,,\n");
    check_print(OUTPUT_TABLE, 1, NULL, "[{\"t\":\"=1\"}]", "t  =1\n");
    output_for_spreadsheet(0);
}

static void harmless(void **state) {
    (void)state;
    check_print(OUTPUT_TABLE, 0, NULL,
                "[{\"t\":\"a\\nb\\tc\\u001b[2J\\u007f\\u0001\\u009b\\\\é\",\"u\":1},{\"t\":\"é\",\"u\":2}]",
                "t                               u\n"
                "a\\nb\\tc\\x1b[2J\\x7f\\x01\\u009b\\é  1\n"
                "é                               2\n");
    check_print(OUTPUT_JSON, 1, NULL, "[{\"t\\n\":\"\\u001b\\b\\u007f\\\"\\\\/é€\"}]",
                "{\"t\\n\":\"\\u001b\\b\\u007f\\\"\\\\/é€\"}\n");
    check_print(OUTPUT_TABLE, 0, NULL, "[{\"a\\u001bb\":1}]", "a\\x1bb\n     1\n");
    /* direction, lines, no width, tags */
    const char *hidden = "[{\"\\u202e\":\"a\\u202eb\\u2028\\u009b\\ufeff\\udb40\\udc01€😀\"}]";
    check_print(OUTPUT_TABLE, 0, NULL, hidden, "\\u202e\na\\u202eb\\u2028\\u009b\\ufeff\\U000e0001€😀\n");
    check_print(OUTPUT_JSON, 1, NULL, hidden, "{\"\\u202e\":\"a\\u202eb\\u2028\\u009b\\ufeff\\udb40\\udc01€😀\"}\n");
}

/* Sixty columns are shown whole, sixty-one are cut; an escape is not cut in two. */
static void long_texts(void **state) {
    (void)state;
    const char *sixty = "123456789 123456789 123456789 123456789 123456789 12345678éé";
    char row[400], expected[400];
    snprintf(row, sizeof row, "[{\"t\":\"%s\",\"n\":1},{\"t\":\"%sx\",\"n\":2}]", sixty, sixty);
    snprintf(expected, sizeof expected, "t%61sn\n%s  1\n%.*s…  2\n", "", sixty, (int)strlen(sixty) - 2, sixty);
    check_print(OUTPUT_TABLE, 0, NULL, row, expected);
    snprintf(row, sizeof row, "[{\"t\":\"%.57s\\u001bmore\",\"n\":1}]", sixty);
    snprintf(expected, sizeof expected, "t%59sn\n%.57s…  1\n", "", sixty);
    check_print(OUTPUT_TABLE, 0, NULL, row, expected);
    check_print(OUTPUT_TABLE, 0, NULL,
                "[{\"l\":[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26]}]",
                "l\n[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,2…\n");
}

static void numbers(void **state) {
    (void)state;
    char text[32];
    value_brief(NAN, text);
    assert_string_equal(text, "-");
    value_brief(-1.0 / 3, text);
    assert_string_equal(text, "-0.333333");
    value_brief(INFINITY, text);
    assert_string_equal(text, "inf");
    output *o = output_open(OUTPUT_JSON, 0);
    const double values[] = {NAN, INFINITY, -INFINITY, 0.1, 5, -0.0, 1e300, 5e-324, 1.0 / 3};
    for (size_t i = 0; i < 9; i++) output_row(o, json_pack("{s:o}", "v", value_real(values[i])));
    capture c = capture_begin(STDOUT_FILENO);
    output_close(o);
    assert_string_equal(capture_end(&c),
                        "[\n{\"v\":null},\n{\"v\":\"inf\"},\n{\"v\":\"-inf\"},\n{\"v\":0.1},\n{\"v\":5.0},\n"
                        "{\"v\":-0.0},\n{\"v\":1e+300},\n{\"v\":4.94065645841247e-324},\n"
                        "{\"v\":0.3333333333333333}\n]\n");
    capture_free(&c);
    check_print(OUTPUT_TABLE, 0, NULL, "[{\"v\":\"inf\",\"w\":1.5},{\"v\":-2,\"w\":9007199254740993}]",
                "  v                 w\ninf               1.5\n -2  9007199254740993\n");
}

/* What we write, jansson reads back to the same value. */
static void reads_back(void **state) {
    (void)state;
    const char *text = "{\"a\":[0.1,2.5e-7,1e22,-3,true,false,null,\"\\u0000x\"],\"b\":{},\"c\":[]}";
    json_t *row = json_loads(text, JSON_ALLOW_NUL, NULL);
    assert_non_null(row);
    output *o = output_open(OUTPUT_JSON, 1);
    output_row(o, json_incref(row));
    capture c = capture_begin(STDOUT_FILENO);
    output_close(o);
    json_t *again = json_loads(capture_end(&c), JSON_ALLOW_NUL, NULL);
    check_that(json_equal(row, again), "%s", c.text);
    json_decref(row);
    json_decref(again);
    capture_free(&c);
}

static void no_room(void **state) {
    (void)state;
    output *o = output_open(OUTPUT_TABLE, 0);
    output_row(o, json_pack("{s:i}", "a", 1));
    int full = open("/dev/full", O_WRONLY), saved = dup(STDOUT_FILENO);
    if (full == -1) skip();
    capture c = capture_begin(STDERR_FILENO);
    fflush(stdout);
    dup2(full, STDOUT_FILENO);
    int written = output_close(o);
    dup2(saved, STDOUT_FILENO);
    clearerr(stdout);
    capture_end(&c);
    close(full);
    close(saved);
    assert_int_equal(written, 0);
    assert_string_equal(c.text, "locbo: cannot write standard output: No space left on device\n");
    capture_free(&c);
}

/* Callers need not look at every step. */
static void nothing_there(void **state) {
    (void)state;
    capture c = capture_begin(STDERR_FILENO);
    int row = output_row(NULL, json_object()), closed = output_close(NULL);
    output *o = output_open(OUTPUT_JSON, 0);
    int null_row = output_row(o, NULL), null_closed = output_close(o);
    capture_end(&c);
    assert_true(!row && !closed && !null_row && !null_closed);
    assert_string_equal(c.text, "locbo: out of memory\nlocbo: out of memory\n");
    capture_free(&c);
}

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* 10 000 rows with five doubles take 30 to 60 ms; instrumented builds and slow machines get twenty times that. */
static void many_rows(void **state) {
    (void)state;
    const output_format all[] = {OUTPUT_TABLE, OUTPUT_JSON, OUTPUT_CSV};
    for (size_t f = 0; f < 3; f++) {
        output *o = output_open(all[f], 0);
        for (int i = 0; i < 10000; i++)
            output_row(o,
                       json_pack("{s:i, s:s, s:{s:f, s:f, s:f}, s:f, s:f}", "trial", i, "state", "COMPLETE", "params",
                                 "x", sin(i), "y", cos(i), "z", 1.0 / (i + 1), "value", exp(-i * 1e-3), "sd", 0.5));
        capture c = capture_begin(STDOUT_FILENO);
        double start = seconds();
        int written = output_close(o);
        double took = seconds() - start;
        capture_end(&c);
        size_t lines = 0;
        for (const char *at = c.text; (at = strchr(at, '\n')); at++) lines++;
        capture_free(&c);
        assert_int_equal(written, 1);
        assert_int_equal(lines, all[f] == OUTPUT_JSON ? 10002 : 10001);
        if (getenv("SHOW_TIMES")) print_message("format %zu: %.1f ms\n", f, 1e3 * took);
        check_that(took < 1.2, "%.3f s", took);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats),    cmocka_unit_test(three_ways),    cmocka_unit_test(single),
        cmocka_unit_test(empty),      cmocka_unit_test(columns),       cmocka_unit_test(output_columns_too),
        cmocka_unit_test(csv_quotes), cmocka_unit_test(formulas),      cmocka_unit_test(harmless),
        cmocka_unit_test(long_texts), cmocka_unit_test(numbers),       cmocka_unit_test(reads_back),
        cmocka_unit_test(no_room),    cmocka_unit_test(nothing_there), cmocka_unit_test(many_rows),
    };
    return cmocka_run_group_tests_name("output", tests, NULL, NULL);
}
