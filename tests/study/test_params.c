/* test_params.c - the params of a trial as text: read back bit for bit, in whatever way, and refused if damaged. */
#include "check.h"

#include <float.h>
#include <locale.h>
#include <locbo/locbo.h>

#include "definition.h"
#include "mem.h"

static locbo_space *make_space(const char *second) {
    locbo_space *space = NULL;
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_real(space, "x", -1e300, 1e300, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_real(space, second, -1, 1, LOCBO_LINEAR, &error));
    return space;
}

/* -0 is 0: one point has one text. */
static void check_back(const locbo_space *space, double a, double b) {
    double x[] = {a, b}, back[2];
    char *text = NULL;
    check_ok(definition_write_params(space, x, &text, &error));
    check_ok(definition_read_params(space, text, back, &error));
    check_same(back[0], a + 0.0);
    check_same(back[1], b + 0.0);
    mem_free(text);
}

static void numbers_come_back_bit_for_bit(void **state) {
    (void)state;
    static const char *const names[] = {"y", "a \"quoted\" name", "back\\slash", "\xc3\xbc"};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++) {
        locbo_space *space = make_space(names[k]);
        check_back(space, 0.1, -1.0 / 3);
        check_back(space, 1e300, -0.0);
        check_back(space, DBL_MIN, 5e-324);
        check_back(space, -1.2345678901234568e17, 1);
        locbo_space_destroy(space);
    }
}

/* Some locales have another decimal point; texts have not. */
static void another_locale_changes_nothing(void **state) {
    (void)state;
    locbo_space *space = make_space("y");
    int there = setlocale(LC_NUMERIC, "de_DE.UTF-8") != NULL;
    check_back(space, 0.1, -1.0 / 3);
    setlocale(LC_NUMERIC, "C");
    if (!there) print_message("there is no German locale here\n");
    locbo_space_destroy(space);
}

static void other_ways_to_write_them_are_read_too(void **state) {
    (void)state;
    locbo_space *space = make_space("y");
    static const char *const texts[] = {"{\"x\":2,\"y\":0.5}", "{\"y\":0.5,\"x\":2.0}",
                                        " { \"x\" : 2 , \"y\" : 5e-1 } ", "{\"x\":0.2e+1,\"y\":5E-1}",
                                        "{\"\\u0078\":2.0,\"y\":0.50}"};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        double x[2];
        check_ok(definition_read_params(space, texts[k], x, &error));
        check_same(x[0], 2);
        check_same(x[1], 0.5);
    }
    locbo_space_destroy(space);
}

static void damaged_ones_are_refused(void **state) {
    (void)state;
    locbo_space *space = make_space("y");
    static const char *const texts[] = {"",
                                        "{",
                                        "{}",
                                        "{\"x\":2}",
                                        "{\"x\":2,\"y\":0.5",
                                        "{\"x\":2,\"y\":0.5}}",
                                        "{\"x\":2,\"y\":0.5,\"z\":1}",
                                        "{\"x\":2,\"x\":0.5}",
                                        "{\"x\":2,\"yy\":0.5}",
                                        "{\"x\":02,\"y\":0.5}",
                                        "{\"x\":+2,\"y\":0.5}",
                                        "{\"x\":0x2,\"y\":0.5}",
                                        "{\"x\":2,\"y\":.5}",
                                        "{\"x\":2,\"y\":-}",
                                        "{\"x\":2,\"y\":inf}",
                                        "{\"x\":2,\"y\":nan}",
                                        "{\"x\":2,\"y\":1e}",
                                        "{\"x\":1e999,\"y\":0.5}",
                                        "{\"x\":2,\"y\":1.5}", /* not in the space */
                                        "{\"x\":2,\"y\":\"0.5\"}"};
    for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++) {
        double x[2];
        check_fails(definition_read_params(space, texts[k], x, &error), LOCBO_ERR_IO, "damaged list of params");
    }
    locbo_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_come_back_bit_for_bit),
        cmocka_unit_test(another_locale_changes_nothing),
        cmocka_unit_test(other_ways_to_write_them_are_read_too),
        cmocka_unit_test(damaged_ones_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
