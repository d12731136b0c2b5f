/* test_value.c - values of parameters in and out, as text and JSON; durations. */
#include "value.h"

#include <float.h>

#include "check.h"
#include "mem.h"

enum { X, LR, N, MODE, WIDE, DIM };
static const char *const MODES[] = {"a", "b c", "", "1", "2.0", "true", "1e-05"};

static locbo_space *make_space(void) {
    const int64_t most = INT64_C(1) << 53;
    locbo_space *s = NULL;
    check_ok(locbo_space_create(&s, &error));
    check_ok(locbo_space_add_real(s, "x", -5, 10, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_real(s, "lr", 1e-5, 1, LOCBO_LOG, &error));
    check_ok(locbo_space_add_int(s, "n", 1, 2000, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_categorical(s, "mode", 7, MODES, &error));
    check_ok(locbo_space_add_int(s, "wide", -most, most, LOCBO_LINEAR, &error));
    return s;
}

static locbo_parameter parameter(const locbo_space *s, size_t i) {
    locbo_parameter p = {.name = NULL};
    check_ok(locbo_space_parameter(s, i, &p, &error));
    return p;
}

/* A fixed sequence of 64 random bits. */
static uint64_t draw(uint64_t *state) {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

/* ---- text -------------------------------------------------------------------------------------- */

static void check_reads(const locbo_parameter *p, const char *text, double expected) {
    double value = NAN;
    check_ok(value_parse(p, text, &value, &error));
    check_same(value, expected);
}

static void check_writes(const locbo_parameter *p, double value, const char *expected) {
    char *text = value_text(p, value);
    assert_string_equal(text, expected);
    mem_free(text);
}

static locbo_parameter real_parameter(double low, double high, locbo_scale scale) {
    return (locbo_parameter){.name = "x", .kind = LOCBO_REAL, .scale = scale, .low = low, .high = high};
}

static void check_shows(locbo_parameter p, double value, const char *expected) {
    char *text = value_shown(&p, value);
    assert_string_equal(text, expected);
    mem_free(text);
}

static void digits_for_people(void **state) {
    (void)state;
    check_shows(real_parameter(150, 280, LOCBO_LINEAR), 230.51395449681036, "230.5");
    check_shows(real_parameter(150, 280, LOCBO_LINEAR), 230, "230");
    check_shows(real_parameter(0, 1, LOCBO_LINEAR), 0.123456, "0.123");
    check_shows(real_parameter(0, 1, LOCBO_LINEAR), 0.99999, "1");
    check_shows(real_parameter(-5, 5, LOCBO_LINEAR), -1e-9, "0");
    check_shows(real_parameter(-5, 5, LOCBO_LINEAR), -0.0, "0");
    check_shows(real_parameter(-5, 5, LOCBO_LINEAR), -0.04567, "-0.05");
    check_shows(real_parameter(0, 10000, LOCBO_LINEAR), 234.56, "235"); /* no digit before the point is lost */
    check_shows(real_parameter(0, 1e9, LOCBO_LINEAR), 123456789, "123457000");
    check_shows(real_parameter(1e6, 1e6 + 1, LOCBO_LINEAR), 1e6 + 0.123456, "1000000.123");
    check_shows(real_parameter(1e-5, 1, LOCBO_LOG), 0.010878177644422468, "0.0109");
    check_shows(real_parameter(1e-5, 1, LOCBO_LOG), 1.23456e-05, "1.23e-05");
    check_shows(real_parameter(1, 2, LOCBO_LOG), 1.234567, "1.2346");
    /* not out of the range */
    check_shows(real_parameter(0.12345, 9, LOCBO_LINEAR), 0.12345, "0.12345");
    check_shows(real_parameter(0.0004, 9, LOCBO_LINEAR), 0.00041, "0.0004");
    check_shows(real_parameter(0, 2.0 / 3, LOCBO_LINEAR), 2.0 / 3, "0.6666666666666666");
    check_shows(real_parameter(0.12345, 9, LOCBO_LINEAR), 0.123451, "0.1235");
    check_shows(real_parameter(0, 2.0 / 3, LOCBO_LINEAR), 0.6664, "0.6664");
    check_shows(real_parameter(-DBL_MAX, DBL_MAX, LOCBO_LINEAR), 1e300, "1e+300"); /* the range is no double */
    check_shows(real_parameter(0, 0x1p-1074, LOCBO_LINEAR), 0x1p-1074, "4.94065645841247e-324");
    locbo_space *s = make_space();
    check_shows(parameter(s, N), 1234, "1234");
    check_shows(parameter(s, MODE), 1, "b c");
    locbo_space_destroy(s);
}

/* Whatever range and value: read back it lies in the range, less than 1/1000 of it away. */
static void digits_of_anything(void **state) {
    (void)state;
    uint64_t bits = 12345;
    for (int i = 0; i < 20000; i++) {
        double unit[3], back;
        for (int k = 0; k < 3; k++) unit[k] = (double)(draw(&bits) >> 11) * 0x1p-53;
        int logarithmic = i % 2;
        double low = pow(10, 40 * unit[0] - 20) * (logarithmic || i % 4 ? 1 : -1);
        double high = low + fabs(low) * pow(10, 12 * unit[1] - 6);
        double at = logarithmic ? low * pow(high / low, unit[2]) : low + unit[2] * (high - low);
        double value = fmin(fmax(at, low), high);
        locbo_parameter p = real_parameter(low, high, logarithmic ? LOCBO_LOG : LOCBO_LINEAR);
        char *text = value_shown(&p, value), *exact = value_text(&p, value);
        check_ok(value_parse(&p, text, &back, &error));
        double off = logarithmic ? fabs(log(back / value)) / log(high / low) : fabs(back - value) / (high - low);
        check_that(off < 0.001, "%s for %s in [%.17g, %.17g]", text, exact, low, high);
        check_that(strlen(text) <= strlen(exact), "%s for %s", text, exact);
        mem_free(text);
        mem_free(exact);
    }
}

static void text_in(void **state) {
    (void)state;
    locbo_space *s = make_space();
    locbo_parameter x = parameter(s, X), n = parameter(s, N), mode = parameter(s, MODE), wide = parameter(s, WIDE);
    check_reads(&x, "-5", -5);
    check_reads(&x, "10", 10);
    check_reads(&x, "1e-3", 0.001);
    check_reads(&x, "-0", -0.0);
    check_reads(&n, "12", 12);
    check_reads(&n, "1e3", 1000);
    check_reads(&n, "7.0", 7);
    check_reads(&mode, "b c", 1);
    check_reads(&mode, "", 2);
    check_reads(&mode, "2.0", 4);
    check_reads(&wide, "9007199254740992", 0x1p53);
    check_reads(&wide, "-9007199254740991", -9007199254740991.0);
    check_reads(&wide, "-0", 0.0);
    locbo_space_destroy(s);
}

#define refuse(words, call) check_fails(call, LOCBO_ERR_ARGUMENT, words)

static void text_refused(void **state) {
    (void)state;
    locbo_space *s = make_space();
    locbo_parameter x = parameter(s, X), n = parameter(s, N), mode = parameter(s, MODE), wide = parameter(s, WIDE);
    double v = 123;
    refuse("x must lie in [-5, 10], got 11", value_parse(&x, "11", &v, &error));
    refuse("x must lie in [-5, 10], got nan", value_parse(&x, "nan", &v, &error));
    refuse("got inf", value_parse(&x, "inf", &v, &error));
    refuse("x must be a number in [-5, 10], got 'abc'", value_parse(&x, "abc", &v, &error));
    refuse("got ''", value_parse(&x, "", &v, &error));
    refuse("got ' 1'", value_parse(&x, " 1", &v, &error));
    refuse("got '1 '", value_parse(&x, "1 ", &v, &error));
    refuse("got '1,5'", value_parse(&x, "1,5", &v, &error));
    refuse("n must be a whole number in [1, 2000], got 2.5", value_parse(&n, "2.5", &v, &error));
    refuse("n must lie in [1, 2000], got 0", value_parse(&n, "0", &v, &error));
    refuse("[1, 2000], got 1e300", value_parse(&n, "1e300", &v, &error));
    refuse("got 99999999999999999999", value_parse(&n, "99999999999999999999", &v, &error));
    refuse("got 9007199254740993", value_parse(&wide, "9007199254740993", &v, &error));
    refuse("mode must be one of a, b c, '', 1, 2.0, true, ..., got 'A'", value_parse(&mode, "A", &v, &error));
    refuse("got 'line?feed'", value_parse(&mode, "line\nfeed", &v, &error));
    check_same(v, 123); /* as it was */
    assert_int_equal(value_parse(&x, "11", &v, NULL), LOCBO_ERR_ARGUMENT);
    locbo_space_destroy(s);
}

/* A list of long or many categories fits into a message, and says that there are more. */
static void long_lists(void **state) {
    (void)state;
    char texts[50][200];
    const char *list[50];
    for (int i = 0; i < 50; i++) {
        memset(texts[i], 'a' + i % 26, sizeof texts[i]);
        texts[i][sizeof texts[i] - 1] = '\0';
        snprintf(texts[i] + 10, 20, "%d", i);
        if (i == 3) texts[i][11] = 'z'; /* no terminator: a long one */
        list[i] = texts[i];
    }
    locbo_space *s = NULL;
    double v;
    check_ok(locbo_space_create(&s, &error));
    check_ok(locbo_space_add_categorical(s, "c", 50, list, &error));
    locbo_parameter p = parameter(s, 0);
    refuse("c must be one of aaaaaaaaaa0, bbbbbbbbbb1, cccccccccc2, ..., got 'q'", value_parse(&p, "q", &v, &error));
    locbo_space_destroy(s);
}

static void text_out(void **state) {
    (void)state;
    locbo_space *s = make_space();
    locbo_parameter x = parameter(s, X), n = parameter(s, N), mode = parameter(s, MODE), wide = parameter(s, WIDE);
    check_writes(&x, 0.25, "0.25");
    check_writes(&x, 0.1, "0.1");
    check_writes(&n, 12, "12");
    check_writes(&wide, 0x1p53, "9007199254740992");
    check_writes(&wide, 1e15, "1000000000000000");
    check_writes(&mode, 1, "b c");
    check_writes(&mode, 2, "");
    /* values that are none of the parameter's: shown, not trusted */
    check_writes(&mode, 7, "7");
    check_writes(&mode, -1, "-1");
    check_writes(&mode, NAN, ""); /* not active */
    check_writes(&n, 2.5, "2.5");
    check_writes(&n, INFINITY, "inf");
    locbo_space_destroy(s);
}

/* Any double that lies in a range is read back from its text and from its JSON text, bit for bit. */
static void exact_round_trips(void **state) {
    (void)state;
    locbo_space *s = NULL;
    uint64_t seed = UINT64_C(0x9e3779b97f4a7c15);
    check_ok(locbo_space_create(&s, &error));
    check_ok(locbo_space_add_real(s, "x", -8e307, 8e307, LOCBO_LINEAR, &error));
    locbo_parameter p = parameter(s, 0);
    for (int k = 0; k < 20000; k++) {
        uint64_t bits = draw(&seed);
        double value, back = NAN;
        memcpy(&value, &bits, sizeof value);
        if (!(fabs(value) <= 8e307)) continue;
        char *text = value_text(&p, value);
        check_reads(&p, text, value);
        mem_free(text);
        json_t *json = value_json(&p, value);
        text = json_dumps(json, JSON_ENCODE_ANY);
        json_decref(json);
        json = json_loads(text, JSON_DECODE_ANY, NULL);
        check_ok(value_from_json(&p, json, &back, &error));
        check_same(back, value);
        json_decref(json);
        free(text);
    }
    locbo_space_destroy(s);
}

static void whole_numbers(void **state) {
    (void)state;
    const char *const good[] = {"0", "-3", "+4", "1e3", "2.0", "-0", "9223372036854775807", "-9223372036854775808"};
    const int64_t expected[] = {0, -3, 4, 1000, 2, 0, INT64_MAX, INT64_MIN};
    const char *const bad[] = {"",
                               " 1",
                               "1 ",
                               "1.5",
                               "x",
                               "1x",
                               "nan",
                               "inf",
                               "1e19",
                               "-1e19",
                               "9223372036854775808",
                               "-9223372036854775809",
                               "--1"};
    int64_t whole = 77;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        check_that(value_whole(good[i], &whole), "'%s'", good[i]);
        assert_true(whole == expected[i]);
    }
    whole = 77;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) check_that(!value_whole(bad[i], &whole), "'%s'", bad[i]);
    assert_true(whole == 77);
}

/* ---- JSON -------------------------------------------------------------------------------------- */

static locbo_status from_json(const locbo_parameter *p, const char *text, double *value, locbo_error *error) {
    json_t *json = json_loads(text, JSON_DECODE_ANY | JSON_ALLOW_NUL, NULL);
    assert_non_null(json);
    locbo_status status = value_from_json(p, json, value, error);
    json_decref(json);
    return status;
}

static void check_json(const locbo_parameter *p, const char *text, double expected) {
    double value = NAN;
    check_ok(from_json(p, text, &value, &error));
    check_same(value, expected);
}

static void json_in(void **state) {
    (void)state;
    locbo_space *s = make_space();
    locbo_parameter x = parameter(s, X), n = parameter(s, N), mode = parameter(s, MODE), wide = parameter(s, WIDE);
    check_json(&x, "3", 3);
    check_json(&x, "0.1", 0.1);
    check_json(&n, "12", 12);
    check_json(&n, "12.0", 12);
    check_json(&n, "1e3", 1000);
    check_json(&wide, "-0.0", 0.0);
    check_json(&wide, "9007199254740992", 0x1p53);
    check_json(&mode, "\"b c\"", 1);
    check_json(&mode, "1", 3);
    check_json(&mode, "1.0", 3);
    check_json(&mode, "2.0", 4);
    check_json(&mode, "true", 5);
    check_json(&mode, "1e-5", 6);
    locbo_space_destroy(s);
}

static void json_refused(void **state) {
    (void)state;
    locbo_space *s = make_space();
    locbo_parameter x = parameter(s, X), n = parameter(s, N), mode = parameter(s, MODE), wide = parameter(s, WIDE);
    double v = 123;
    refuse("x must lie in [-5, 10], got 11", from_json(&x, "11", &v, &error));
    refuse("got the text '3'", from_json(&x, "\"3\"", &v, &error));
    refuse("got true", from_json(&x, "true", &v, &error));
    refuse("got null", from_json(&x, "null", &v, &error));
    refuse("got a list", from_json(&x, "[3]", &v, &error));
    refuse("got an object", from_json(&x, "{}", &v, &error));
    refuse("n must be a whole number in [1, 2000], got 2.5", from_json(&n, "2.5", &v, &error));
    refuse("got 1e+300", from_json(&n, "1e300", &v, &error));
    refuse("got 9007199254740993", from_json(&wide, "9007199254740993", &v, &error));
    refuse("got 9223372036854775807", from_json(&wide, "9223372036854775807", &v, &error));
    refuse("got 'c'", from_json(&mode, "\"c\"", &v, &error));
    refuse("got 'a'", from_json(&mode, "\"a\\u0000\"", &v, &error)); /* not the category a */
    refuse("got 2", from_json(&mode, "2", &v, &error));
    refuse("got false", from_json(&mode, "false", &v, &error));
    refuse("got null", from_json(&mode, "null", &v, &error));
    refuse("got a list", from_json(&mode, "[]", &v, &error));
    refuse("got nothing", value_from_json(&x, NULL, &v, &error));
    refuse("got nothing", value_from_json(&mode, NULL, &v, &error));
    check_same(v, 123);
    locbo_space_destroy(s);
}

static void json_out(void **state) {
    (void)state;
    locbo_space *s = make_space();
    const double x[] = {0.5, 0.1, 12, 1, 0x1p53}, odd[] = {NAN, INFINITY, 2.5, 9, NAN};
    json_t *object = value_object(s, x);
    char *text = json_dumps(object, JSON_COMPACT | JSON_REAL_PRECISION(15));
    assert_string_equal(text, "{\"x\":0.5,\"lr\":0.1,\"n\":12,\"mode\":\"b c\",\"wide\":9007199254740992}");
    free(text);
    json_decref(object);
    object = value_object(s, odd);
    text = json_dumps(object, JSON_COMPACT);
    assert_string_equal(text, "{\"x\":null,\"lr\":null,\"n\":2.5,\"mode\":9.0,\"wide\":null}");
    free(text);
    json_decref(object);
    locbo_space_destroy(s);
}

static locbo_status from_object(const locbo_space *s, const char *text, int partial, double *x, locbo_error *error) {
    json_t *json = json_loads(text, JSON_DECODE_ANY, NULL);
    assert_non_null(json);
    locbo_status status = value_from_object(s, json, partial, x, error);
    json_decref(json);
    return status;
}

static void objects(void **state) {
    (void)state;
    locbo_space *s = make_space();
    double x[DIM] = {1, 2, 3, 4, 5};
    const char *all = "{\"mode\":\"a\",\"x\":3,\"n\":4,\"lr\":0.5,\"wide\":-1}";
    refuse("no parameter 'z', only x, lr, n, mode, wide", from_object(s, "{\"x\":1,\"z\":2}", 1, x, &error));
    refuse("n must be", from_object(s, "{\"x\":7,\"n\":2.5}", 1, x, &error));
    refuse("the value of lr is missing", from_object(s, "{\"x\":7}", 0, x, &error));
    refuse("got a list", from_object(s, "[1]", 1, x, &error));
    refuse("got nothing", value_from_object(s, NULL, 1, x, &error));
    for (int i = 0; i < DIM; i++) check_same(x[i], i + 1);
    check_ok(from_object(s, all, 0, x, &error));
    const double expected[] = {3, 0.5, 4, 0, -1};
    for (int i = 0; i < DIM; i++) check_same(x[i], expected[i]);
    check_ok(from_object(s, "{\"n\":9}", 1, x, &error));
    for (int i = 0; i < DIM; i++) assert_true(i == N ? x[i] == 9 : isnan(x[i]));
    locbo_space_destroy(s);
}

static void assignments(void **state) {
    (void)state;
    locbo_space *s = NULL;
    const char *const odd[] = {"k=v", "="};
    double x[] = {NAN, NAN};
    check_ok(locbo_space_create(&s, &error));
    check_ok(locbo_space_add_real(s, "x", 0, 1, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_categorical(s, "c", 2, odd, &error));
    check_ok(value_assign(s, "x=0.5", x, &error));
    check_ok(value_assign(s, "c=k=v", x, &error));
    check_same(x[0], 0.5);
    check_same(x[1], 0);
    check_ok(value_assign(s, "c==", x, &error));
    check_same(x[1], 1);
    refuse("'x' is not of the form NAME=VALUE", value_assign(s, "x", x, &error));
    refuse("'=3' is not of the form", value_assign(s, "=3", x, &error));
    refuse("no parameter 'y', only x, c", value_assign(s, "y=3", x, &error));
    refuse("x must lie in [0, 1], got 3", value_assign(s, "x=3", x, &error));
    refuse("got ''", value_assign(s, "x=", x, &error));
    check_same(x[0], 0.5);
    locbo_space_destroy(s);
}

/* ---- durations --------------------------------------------------------------------------------- */

static void counted_nouns(void **state) {
    (void)state;
    assert_string_equal(value_count(0, "trial").text, "0 trials");
    assert_string_equal(value_count(1, "trial").text, "1 trial");
    assert_string_equal(value_count(2, "judged result").text, "2 judged results");
    assert_string_equal(value_count(1, "entry").text, "1 entry");
    assert_string_equal(value_count(3, "entry").text, "3 entries");
    assert_string_equal(value_count(UINT64_MAX, "retry").text, "18446744073709551615 retries");
}

static void durations_in(void **state) {
    (void)state;
    const struct {
        const char *text;
        double seconds;
    } good[] = {{"90", 90},     {"90s", 90},     {"10m", 600},  {"1.5h", 5400},
                {"2d", 172800}, {"1e-3", 0.001}, {"0.5s", 0.5}, {"36500d", 3153600000.0}};
    const char *const bad[] = {
        "",       "s",     "0",     "-1",
        "0s",     "nan",   "inf",   "infd",
        "10x",    "1 h",   " 1h",   "1hh",
        "36501d", "1e400", "1h30m", "0000000000000000000000000000000000000000000000000000000000000000001"};
    double seconds = 123;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        refuse("duration", duration_parse(bad[i], 0, &seconds, &error));
    refuse("at least 0", duration_parse("-1", 1, &seconds, &error));
    check_same(seconds, 123);
    check_ok(duration_parse("0.0", 1, &seconds, &error));
    check_same(seconds, 0);
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        check_ok(duration_parse(good[i].text, 0, &seconds, &error));
        check_same(seconds, good[i].seconds);
    }
}

static void durations_out(void **state) {
    (void)state;
    const struct {
        double seconds;
        const char *text;
    } table[] = {{0, "0 s"},     {1e-9, "0 s"},       {0.25, "0.25 s"},   {3, "3 s"},      {9.97, "10 s"},
                 {59.4, "59 s"}, {59.6, "1 min"},     {125, "2 min 5 s"}, {3599.7, "1 h"}, {4320, "1 h 12 min"},
                 {86399, "1 d"}, {273600, "3 d 4 h"}, {NAN, "-"},         {-1, "-"},       {INFINITY, "without end"}};
    char text[32];
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
        duration_text(table[i].seconds, text);
        assert_string_equal(text, table[i].text);
    }
    duration_text(1e300, text);
    assert_true(strlen(text) < sizeof text && strstr(text, " d"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_in),       cmocka_unit_test(text_refused),      cmocka_unit_test(long_lists),
        cmocka_unit_test(text_out),      cmocka_unit_test(exact_round_trips), cmocka_unit_test(whole_numbers),
        cmocka_unit_test(json_in),       cmocka_unit_test(json_refused),      cmocka_unit_test(json_out),
        cmocka_unit_test(objects),       cmocka_unit_test(assignments),       cmocka_unit_test(durations_in),
        cmocka_unit_test(durations_out), cmocka_unit_test(digits_for_people), cmocka_unit_test(digits_of_anything),
        cmocka_unit_test(counted_nouns),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
