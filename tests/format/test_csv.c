/* test_csv.c - comma-separated values: what RFC 4180 says, what people write, and what is refused. */
#include "csv.h"

#include <stdio.h>
#include <string.h>

#include "check.h"

static locbo_error refusal;
static char text[4096];

static locbo_status parse(const char *source, csv *table) {
    size_t size = strlen(source);
    memcpy(text, source, size + 1);
    return csv_parse("f.csv", text, size, table, &refusal);
}

static void check_cell(const csv *t, size_t row, size_t column, const char *wanted) {
    assert_string_equal(csv_cell(t, row, column), wanted);
}

static void plain(void **state) {
    csv t;
    size_t column;
    (void)state;
    check_ok(parse("\xef\xbb\xbfx, y ,z\r\n1,2,3\r\n\r\n , b c\t,\"\"\r\n", &t));
    assert_int_equal(t.columns, 3);
    assert_int_equal(t.rows, 2);
    assert_string_equal(csv_name(&t, 1), "y");
    check_cell(&t, 0, 2, "3");
    check_cell(&t, 1, 0, "");
    check_cell(&t, 1, 1, "b c");
    check_cell(&t, 1, 2, "");
    assert_int_equal(t.line[0], 2);
    assert_int_equal(t.line[1], 4);
    assert_true(csv_find(&t, "z", &column) && column == 2);
    assert_false(csv_find(&t, "Z", &column));
    csv_release(&t);
}

static void quotes(void **state) {
    csv t;
    (void)state;
    check_ok(parse("\"a,b\",c\n\" x \"\"y\"\"\n,\" , \"\"\n1,\"\"\"\"", &t));
    assert_string_equal(csv_name(&t, 0), "a,b");
    assert_int_equal(t.rows, 2);
    check_cell(&t, 0, 0, " x \"y\"\n,");
    check_cell(&t, 0, 1, "");
    check_cell(&t, 1, 1, "\"");
    assert_int_equal(t.line[1], 4); /* the cell before has a line end in it */
    csv_release(&t);
}

static void one_column(void **state) {
    csv t;
    (void)state;
    check_ok(parse("x\n1\n\n\"\"\n2", &t)); /* a quoted empty cell is a row, an empty line is none */
    assert_int_equal(t.rows, 3);
    check_cell(&t, 1, 0, "");
    check_cell(&t, 2, 0, "2");
    csv_release(&t);
    check_ok(parse("x\r1\r2", &t)); /* line ends of old */
    assert_int_equal(t.rows, 2);
    csv_release(&t);
    check_ok(parse("x\n", &t));
    assert_int_equal(t.rows, 0);
    csv_release(&t);
}

static void check_refused(const char *source, const char *why) {
    csv t;
    assert_int_equal(parse(source, &t), LOCBO_ERR_IO);
    if (!strstr(refusal.message, why)) fail_msg("'%s' does not say '%s'", refusal.message, why);
    assert_null(t.cell);
    assert_null(t.line);
}

static void refused(void **state) {
    csv t;
    (void)state;
    check_refused("", "empty");
    check_refused("\n\r\n", "empty");
    check_refused("x,y\n1,2\n1\n", "f.csv:3: 1 cell under 2 columns");
    check_refused("x,y\n1,2,3\n", "f.csv:2: 3 cells");
    check_refused("x,y\n1,2,\n", "f.csv:2: 3 cells");
    check_refused("x,x\n1,2\n", "column 'x' occurs twice");
    check_refused("x,,y\n1,2,3\n", "column 2");
    check_refused("x,y\n1,\"2\n3,4\n", "f.csv:2: a quote");
    check_refused("x\n\"", "f.csv:2: a quote");
    check_refused("x\n\"1\"2\n", "f.csv:2: text after a closing quote");
    memcpy(text, "x\n1\0", 5);
    assert_int_equal(csv_parse("f.csv", text, 4, &t, &refusal), LOCBO_ERR_IO);
}

/* Whatever the bytes: an error or a table whose cells lie inside the text. */
static void any_bytes(void **state) {
    static const char alphabet[] = "ab,,\"\"\n\r \t1";
    uint64_t seed = 88172645463325252u;
    (void)state;
    for (int round = 0; round < 20000; round++) {
        char source[24];
        size_t size = 0;
        csv t;
        while (size < sizeof source - 1) {
            seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
            source[size++] = alphabet[seed % (sizeof alphabet - 1)];
        }
        source[size] = '\0';
        if (parse(source, &t) != LOCBO_OK) continue;
        for (size_t i = 0; i < (t.rows + 1) * t.columns; i++)
            assert_true(t.cell[i] >= text && t.cell[i] + strlen(t.cell[i]) <= text + size);
        csv_release(&t);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(plain), cmocka_unit_test(quotes), cmocka_unit_test(one_column),
                                       cmocka_unit_test(refused), cmocka_unit_test(any_bytes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
