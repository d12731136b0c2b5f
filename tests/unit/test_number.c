/* test_number.c - doubles as text and back, exactly, whatever the locale. */
#include "number.h"

#include <float.h>
#include <locale.h>

#include "scene.h"

static void check_round_trip(double value) {
    char text[NUMBER_TEXT];
    double back;
    number_print(value, text);
    assert_true(strlen(text) < NUMBER_TEXT);
    assert_int_equal(number_parse(text, &back), 1);
    check_same(back, value);
}

static const double SPECIAL[] = {0.0,
                                 -0.0,
                                 1,
                                 -1,
                                 0.1,
                                 1.0 / 3,
                                 1e300,
                                 5e-324,
                                 DBL_MIN,
                                 DBL_MAX,
                                 -DBL_MAX,
                                 DBL_EPSILON,
                                 0x1p53,
                                 1e23,
                                 INFINITY,
                                 -INFINITY,
                                 123456789.123456789};

static void special_values(void) {
    for (size_t i = 0; i < sizeof SPECIAL / sizeof SPECIAL[0]; i++) check_round_trip(SPECIAL[i]);
    char text[NUMBER_TEXT];
    double back = 0;
    number_print(-NAN, text);
    assert_string_equal(text, "nan");
    assert_true(number_parse("nan", &back) && isnan(back));
}

static void values_survive(void **state) {
    (void)state;
    special_values();
    rng r = scene_random(1);
    for (int i = 0; i < 100000; i++) {
        uint64_t bits = rng_bits(&r);
        double value;
        memcpy(&value, &bits, sizeof value);
        if (!isnan(value)) check_round_trip(value);
    }
}

static void texts_are_short(void **state) {
    (void)state;
    const struct {
        double value;
        const char *text;
    } rows[] = {{0.2, "0.2"},
                {5e-3, "0.005"},
                {1, "1"},
                {1e-12, "1e-12"},
                {INFINITY, "inf"},
                {-INFINITY, "-inf"},
                {0.1 + 0.2, "0.30000000000000004"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char text[NUMBER_TEXT];
        number_print(rows[i].value, text);
        assert_string_equal(text, rows[i].text);
    }
}

/* The first of 15, 16 and 17 digits that reads back: the slow and obvious way. */
static void the_shortest_is_found(void **state) {
    (void)state;
    /* clang-format off */
    const double odd[] = {0, -0.0, 1, -1, 10, 1e15, 1e16, 123456789012345680.0, 1e-4, 1e-5, 9.5e-5, 1e22, 1e23,
                          5e-324, DBL_MIN, DBL_MAX, 0.1, 0.3, 2.5, 1e100, 1e-100, 100, 123000, 999999999999999,
                          1.0 / 3, 9999999999999998, 0.99999999999999989, 99999999999999.98};
    /* clang-format on */
    uint64_t bits = 88172645463325252u; /* xorshift */
    for (size_t i = 0; i < 200000; i++) {
        double value = i < sizeof odd / sizeof odd[0] ? odd[i] : 0;
        bits ^= bits << 13, bits ^= bits >> 7, bits ^= bits << 17;
        if (i >= 100000)
            memcpy(&value, &bits, sizeof value);
        else if (i >= sizeof odd / sizeof odd[0])
            value = (double)(int64_t)bits / (i % 2 ? 0x1p63 : 0x1p45);
        if (i > 100 && i % 10 == 9) value = (double)(bits % 1000000) / 1000;
        char quick[NUMBER_TEXT], plain[NUMBER_TEXT];
        if (!isfinite(value)) continue;
        number_print(value, quick);
        for (int digits = 15; digits <= 17; digits++) {
            snprintf(plain, sizeof plain, "%.*g", digits, value);
            if (strtod(plain, NULL) == value) break;
        }
        if (strcmp(quick, plain) != 0) fail_msg("'%s' is not '%s'", quick, plain);
    }
}

static const char *const NO_NUMBERS[] = {"",   " ",   " 1",   "1 ",   "1,5", "1.5.2", "x",
                                         "1e", "--1", "0.1a", "infx", ".",   "1 2",   "+"};

static void check_refusals(void) {
    for (size_t i = 0; i < sizeof NO_NUMBERS / sizeof NO_NUMBERS[0]; i++) {
        double value = 7;
        check_that(!number_parse(NO_NUMBERS[i], &value), "'%s' was read as %g", NO_NUMBERS[i], value);
        assert_true(value == 7);
    }
}

static void other_texts_are_refused(void **state) {
    (void)state;
    check_refusals();
    char longest[300];
    double value = 7;
    memset(longest, '1', sizeof longest);
    longest[sizeof longest - 1] = '\0';
    assert_false(number_parse(longest, &value));
}

/* With a decimal comma the same texts mean the same. Skipped where no such locale is installed. */
static void the_locale_does_not_matter(void **state) {
    (void)state;
    const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "de_DE", "fr_FR.UTF-8", "ru_RU.UTF-8"};
    int found = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0] && !found; i++) found = setlocale(LC_ALL, names[i]) != NULL;
    if (!found || strcmp(localeconv()->decimal_point, ",") != 0) {
        setlocale(LC_ALL, "C");
        skip();
    }
    char text[NUMBER_TEXT];
    double value = 0;
    number_print(1.5, text);
    int parsed = number_parse("2.25", &value);
    special_values();
    check_refusals();
    setlocale(LC_ALL, "C");
    assert_string_equal(text, "1.5");
    assert_true(parsed && value == 2.25);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_survive),
        cmocka_unit_test(texts_are_short),
        cmocka_unit_test(the_shortest_is_found),
        cmocka_unit_test(other_texts_are_refused),
        cmocka_unit_test(the_locale_does_not_matter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
