/* test_constraints.c - known constraints of a space: which are refused, and where they hold. */
#include "constraints.h"

#include "scene.h"
#include "space.h"

static const char *const WORDS[] = {"small", "medium", "large"};
static const double SIZES[] = {1, 4, 9};

/* a and b in [0, 1], n in 0 .. 9, word, size (1, 4, 9), flag, deep where flag. */
static locbo_space *make_space(void) {
    locbo_space *s = scene_cube(0);
    check_ok(locbo_space_add_real(s, "a", 0, 1, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_real(s, "b 2", 0, 1, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_int(s, "n", 0, 9, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_categorical(s, "word", 3, WORDS, &error));
    const locbo_parameter_spec more[] = {{.struct_size = sizeof *more,
                                          .name = "size",
                                          .kind = LOCBO_ORDERED,
                                          .count = 3,
                                          .categories = WORDS,
                                          .numbers = SIZES},
                                         {.struct_size = sizeof *more, .name = "flag", .kind = LOCBO_BOOL},
                                         {.struct_size = sizeof *more,
                                          .name = "deep",
                                          .high = 1,
                                          .parent = "flag",
                                          .when_count = 1,
                                          .when = (double[]){1}}};
    for (size_t i = 0; i < 3; i++) check_ok(locbo_space_add(s, &more[i], &error));
    return s;
}
enum { DIM = 7 };

#define refuse(words, call) check_fails(call, LOCBO_ERR_ARGUMENT, words)

static void mistakes_are_named(void **state) {
    (void)state;
    locbo_space *s = make_space();
    refuse("there is no parameter 'c'", locbo_space_add_constraint(s, "a + c <= 1", &error));
    refuse("names no parameter", locbo_space_add_constraint(s, "1 < 2", &error));
    refuse("the categories of 'word' are no numbers", locbo_space_add_constraint(s, "word == 1", &error));
    refuse("is a number, not a condition", locbo_space_add_constraint(s, "a + n", &error));
    refuse("is a number, not a condition", locbo_space_add_constraint(s, "(a < 1) + (n < 2)", &error));
    refuse("is a number, not a condition", locbo_space_add_constraint(s, "a < 1 and n", &error));
    refuse("there is no operand", locbo_space_add_constraint(s, "a + <= 1", &error));
    refuse("must not be NULL", locbo_space_add_constraint(s, NULL, &error));
    refuse("must be finite, got inf", locbo_space_add_linear(s, (double[DIM]){1}, INFINITY, &error));
    refuse("coefficient of 'a' must be finite", locbo_space_add_linear(s, (double[DIM]){(double)NAN}, 1, &error));
    refuse("the categories of 'word'", locbo_space_add_linear(s, (double[DIM]){1, 0, 0, 1}, 1, &error));
    refuse("names no parameter", locbo_space_add_linear(s, (double[DIM]){0}, 1, &error));
    assert_int_equal(locbo_space_constraint_count(s), 0);
    assert_null(locbo_space_constraint(s, 0));
    assert_null(space_limits(s));
    locbo_space_destroy(s);
}

static int is_low(const double *x, size_t dim, void *user) {
    assert_int_equal(dim, DIM);
    return x[0] <= *(double *)user;
}

static void where_they_hold(void **state) {
    (void)state;
    const double nan = (double)NAN;
    locbo_space *s = make_space(), *copy = NULL;
    double most = 0.9;
    check_ok(locbo_space_add_constraint(s, "a + `b 2` <= 1", &error));
    check_ok(locbo_space_add_constraint(s, "n < size or not flag == 0", &error));
    check_ok(locbo_space_add_constraint(s, "deep > a", &error));
    check_ok(locbo_space_add_linear(s, (double[DIM]){-2.5, 0, 1}, 4, &error));
    assert_string_equal(locbo_space_constraint(s, 3), " - 2.5*`a` + 1*`n` <= 4");
    locbo_space_set_allowed(s, is_low, &most);
    check_ok(space_copy(&copy, s, &error));
    const struct {
        double x[DIM];
        const char *broken; /* NULL: all hold */
    } cases[] = {{{0.5, 0.5, 3, 0, 1, 0, nan}, NULL},
                 {{0.5, 0.6, 3, 0, 1, 0, nan}, "a + `b 2` <= 1"},
                 {{0.5, 0.5, 4, 0, 1, 0, nan}, "n < size"},  /* 4 < 4 */
                 {{0.5, 0.5, 4, 0, 2, 0, nan}, NULL},        /* 4 < 9 */
                 {{0.5, 0.5, 4, 0, 1, 1, 0.6}, NULL},        /* the flag is set */
                 {{0.5, 0.5, 4, 0, 1, 1, 0.5}, "deep > a"},  /* strictly */
                 {{0.1, 0.5, 5, 0, 2, 0, nan}, "- 2.5*`a`"}, /* 5 - 0.25 > 4 */
                 {{0.95, 0, 3, 0, 1, 0, nan}, "the caller's function"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        for (int k = 0; k < 2; k++) {
            const locbo_space *at = k ? copy : s;
            assert_int_equal(constraints_hold(space_limits(at), cases[i].x, DIM), !cases[i].broken);
            if (cases[i].broken)
                refuse(cases[i].broken, locbo_space_check(at, cases[i].x, &error));
            else
                check_ok(locbo_space_check(at, cases[i].x, &error));
        }
    locbo_space_destroy(copy);
    locbo_space_destroy(s);
}

/* log(a) of a = 0 is -inf, of a negative number NAN: the first is a number, the second does not hold. */
static void values_that_are_no_numbers(void **state) {
    (void)state;
    locbo_space *s = scene_cube(0);
    check_ok(locbo_space_add_real(s, "a", -1, 1, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_constraint(s, "log(a) < 0", &error));
    check_ok(locbo_space_check(s, (double[]){0.5}, &error));
    check_ok(locbo_space_check(s, (double[]){0}, &error));
    refuse("log(a) < 0", locbo_space_check(s, (double[]){-0.5}, &error));
    locbo_space_destroy(s);
}

static void by_how_much(void **state) {
    (void)state;
    const double nan = (double)NAN;
    locbo_space *s = make_space();
    static const char *const texts[] = {"a + n <= 3", "a + n < 3",       "a + n >= 3", "n*n > 3",
                                        "n == 3",     "a < 1 and n < 3", "deep < 0.5"};
    const double x[DIM] = {0.5, 0, 3, 0, 0, 0, nan};
    double excess = 0, expected[] = {0.5, 0.5, -0.5, -6};
    for (size_t i = 0; i < 7; i++) check_ok(locbo_space_add_constraint(s, texts[i], &error));
    for (size_t i = 0; i < 4; i++) {
        assert_true(constraints_excess(space_limits(s), i, x, &excess));
        check_same(excess, expected[i]);
    }
    for (size_t i = 4; i < 7; i++) assert_false(constraints_excess(space_limits(s), i, x, &excess));
    assert_true(constraints_mentions(space_limits(s), 0, 2) && !constraints_mentions(space_limits(s), 3, 0));
    locbo_space_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mistakes_are_named),
        cmocka_unit_test(where_they_hold),
        cmocka_unit_test(values_that_are_no_numbers),
        cmocka_unit_test(by_how_much),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
