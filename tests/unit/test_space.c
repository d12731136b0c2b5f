/* test_space.c - refused definitions, three ways to write a point, finite spaces. */
#include "space.h"

#include "scene.h"

static const char *const WORDS[] = {"red", "green", "blue", "grey"};

/* All kinds and scales, narrow and wide. */
static locbo_space *full_space(void) {
    locbo_space *s = NULL;
    check_ok(locbo_space_create(&s, &error));
    check_ok(locbo_space_add_real(s, "lin", -3, 7, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_categorical(s, "cat", 4, WORDS, &error));
    check_ok(locbo_space_add_real(s, "log", 1e-8, 1e3, LOCBO_LOG, &error));
    check_ok(locbo_space_add_int(s, "int", -5, 5, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_int(s, "logint", 1, 1000, LOCBO_LOG, &error));
    check_ok(locbo_space_add_int(s, "one", 3, 3, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_categorical(s, "only", 1, WORDS, &error));
    check_ok(locbo_space_add_int(s, "wide", -(INT64_C(1) << 53), INT64_C(1) << 53, LOCBO_LINEAR, &error));
    return s;
}
enum { FULL_DIM = 8, FULL_COLUMNS = 11 };

/* ---- definitions ----------------------------------------------------------------------------- */

#define refuse(words, call) check_fails(call, LOCBO_ERR_ARGUMENT, words)

static void bad_ranges(void **state) {
    (void)state;
    locbo_space *s = full_space();
    const double odd[] = {NAN, INFINITY, -INFINITY};
    refuse("'x'", locbo_space_add_real(s, "x", 1, 1, LOCBO_LINEAR, &error));
    refuse("[2, 1]", locbo_space_add_real(s, "x", 2, 1, LOCBO_LINEAR, &error));
    for (int i = 0; i < 3; i++) {
        refuse("'x'", locbo_space_add_real(s, "x", odd[i], 1, LOCBO_LINEAR, &error));
        refuse("'x'", locbo_space_add_real(s, "x", 0, odd[i], LOCBO_LINEAR, &error));
    }
    refuse("'x'", locbo_space_add_real(s, "x", -1.7e308, 1.7e308, LOCBO_LINEAR, &error));
    refuse("got 0", locbo_space_add_real(s, "x", 0, 1, LOCBO_LOG, &error));
    refuse("got -1", locbo_space_add_real(s, "x", -1, 1, LOCBO_LOG, &error));
    refuse("[3, 2]", locbo_space_add_int(s, "x", 3, 2, LOCBO_LINEAR, &error));
    refuse("got 0", locbo_space_add_int(s, "x", 0, 9, LOCBO_LOG, &error));
    refuse("9007199254740993", locbo_space_add_int(s, "x", 0, (INT64_C(1) << 53) + 1, LOCBO_LINEAR, &error));
    refuse("'x'", locbo_space_add_int(s, "x", INT64_MIN, 0, LOCBO_LINEAR, &error));
    refuse("'x'", locbo_space_add_int(s, "x", 0, INT64_MAX, LOCBO_LINEAR, &error));
    assert_int_equal(locbo_space_dim(s), FULL_DIM);
    assert_int_equal(space_columns(s), FULL_COLUMNS);
    locbo_space_destroy(s);
}

static void bad_texts(void **state) {
    (void)state;
    locbo_space *s = full_space();
    const char *const not_utf8[] = {"\xff",
                                    "a\xc3",
                                    "\xc0\xaf",
                                    "\xed\xa0\x80",
                                    "\xf4\x90\x80\x80",
                                    "\xe2\x82",
                                    "\x80",
                                    "\xf8\x88\x80\x80\x80",
                                    "\xe0\x80\x80",
                                    "\xf0\x80\x80\x80"};
    refuse("empty", locbo_space_add_real(s, "", 0, 1, LOCBO_LINEAR, &error));
    refuse("'lin'", locbo_space_add_real(s, "lin", 0, 1, LOCBO_LINEAR, &error));
    refuse("'cat'", locbo_space_add_int(s, "cat", 0, 1, LOCBO_LINEAR, &error));
    for (size_t i = 0; i < sizeof not_utf8 / sizeof not_utf8[0]; i++) {
        const char *const texts[] = {"fine", not_utf8[i]};
        refuse("UTF-8", locbo_space_add_real(s, not_utf8[i], 0, 1, LOCBO_LINEAR, &error));
        refuse("'x': category 1", locbo_space_add_categorical(s, "x", 2, texts, &error));
    }
    const char *const hole[] = {"a", NULL}, *const twice[] = {"a", "b", "a"};
    refuse("'x': category 1 is NULL", locbo_space_add_categorical(s, "x", 2, hole, &error));
    refuse("'a' occurs twice", locbo_space_add_categorical(s, "x", 3, twice, &error));
    refuse("'x' has no categories", locbo_space_add_categorical(s, "x", 0, twice, &error));
    assert_int_equal(locbo_space_dim(s), FULL_DIM);
    check_ok(locbo_space_add_real(s, "\xf0\x9f\x98\x80 \xc3\xa9", 0, 1, LOCBO_LINEAR, &error));
    locbo_space_destroy(s);
}

static void parameters_are_described(void **state) {
    (void)state;
    locbo_space *s = full_space(), *copy = NULL;
    check_ok(space_copy(&copy, s, &error));
    for (size_t i = 0; i < FULL_DIM; i++) {
        locbo_parameter a, b;
        size_t index;
        check_ok(locbo_space_parameter(s, i, &a, &error));
        check_ok(locbo_space_parameter(copy, i, &b, &error));
        assert_string_equal(a.name, b.name);
        assert_ptr_not_equal(a.name, b.name);
        assert_true(a.kind == b.kind && a.scale == b.scale && a.count == b.count);
        check_same(a.low, b.low);
        check_same(a.high, b.high);
        for (size_t k = 0; k < a.count; k++) assert_string_equal(a.categories[k], b.categories[k]);
        check_ok(locbo_space_find(copy, a.name, &index, &error));
        assert_int_equal(index, i);
    }
    locbo_parameter cat;
    check_ok(locbo_space_parameter(s, 1, &cat, &error));
    assert_true(cat.count == 4 && cat.low == 0 && cat.high == 3 && cat.scale == LOCBO_LINEAR);
    assert_string_equal(cat.categories[2], "blue");
    locbo_space_destroy(s);
    locbo_space_destroy(copy);
}

/* ---- the three ways to write a point --------------------------------------------------------- */

static void random_point(const locbo_space *s, rng *r, double *x) {
    double t[FULL_DIM];
    for (size_t i = 0; i < locbo_space_dim(s); i++) t[i] = rng_uniform(r);
    space_from_unit(s, t, x);
}

static void unit_coordinates(void **state) {
    (void)state;
    rng r = scene_random(11);
    locbo_space *s = full_space();
    for (int n = 0; n < 2000; n++) {
        double x[FULL_DIM], t[FULL_DIM], y[FULL_DIM];
        random_point(s, &r, x);
        if (n < 2) { /* the corners */
            for (int i = 0; i < FULL_DIM; i++) t[i] = n;
            space_from_unit(s, t, x);
        }
        check_ok(locbo_space_check(s, x, &error));
        space_to_unit(s, x, t);
        space_from_unit(s, t, y);
        for (size_t i = 0; i < FULL_DIM; i++) {
            assert_true(t[i] >= 0 && t[i] <= 1);
            /* real: a logarithm of size 18 and back, about 1e-15 * 25; the integers beyond 2^52
             * lose the half that points at the middle of their share; all others are exact */
            double rel = space_kind(s, i) == LOCBO_REAL ? 1e-14 : 0;
            check_close(y[i], x[i], rel, i == 7 ? 2 : rel);
        }
    }
    locbo_space_destroy(s);
}

/* Every value of an integer parameter has its share of [0, 1], on either scale. */
static void all_values_are_drawn(void **state) {
    (void)state;
    locbo_space *s = NULL;
    check_ok(locbo_space_create(&s, &error));
    check_ok(locbo_space_add_int(s, "n", -2, 2, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_int(s, "m", 1, 5, LOCBO_LOG, &error));
    check_ok(locbo_space_add_categorical(s, "c", 4, WORDS, &error));
    int seen[3][5] = {{0}};
    enum { DRAWS = 10000 };
    for (int k = 0; k < DRAWS; k++) {
        double t = (k + 0.5) / DRAWS, at[] = {t, t, t}, x[3];
        space_from_unit(s, at, x);
        seen[0][(int)x[0] + 2]++;
        seen[1][(int)x[1] - 1]++;
        seen[2][(int)x[2]]++;
    }
    for (int v = 0; v < 5; v++) {
        assert_true(abs(seen[0][v] - DRAWS / 5) <= 1);
        double share = log((v + 1.5) / (v + 0.5)) / log(5.5 / 0.5);
        assert_true(fabs(seen[1][v] - share * DRAWS) <= 1);
        if (v < 4) assert_true(abs(seen[2][v] - DRAWS / 4) <= 1);
    }
    locbo_space_destroy(s);
}

static void encoding(void **state) {
    (void)state;
    rng r = scene_random(12);
    locbo_space *s = full_space();
    assert_int_equal(space_columns(s), FULL_COLUMNS);
    for (int n = 0; n < 1000; n++) {
        double x[FULL_DIM], y[FULL_DIM], u[FULL_COLUMNS], w[FULL_COLUMNS], square = 0, expected = 0;
        random_point(s, &r, x);
        random_point(s, &r, y);
        space_encode(s, x, u);
        space_encode(s, y, w);
        for (int c = 0; c < FULL_COLUMNS; c++) {
            assert_true(u[c] >= 0 && u[c] <= 1);
            square += (u[c] - w[c]) * (u[c] - w[c]);
        }
        for (size_t i = 0; i < FULL_DIM; i++) {
            if (space_kind(s, i) == LOCBO_CATEGORICAL) {
                expected += x[i] != y[i];
            } else {
                double a = space_encode_value(s, i, x[i]), b = space_encode_value(s, i, y[i]);
                check_same(u[space_column(s, i)], a);
                expected += (a - b) * (a - b);
            }
            if (space_kind(s, i) == LOCBO_REAL) /* as for unit coordinates */
                check_close(space_decode_real(s, i, u[space_column(s, i)]), x[i], 1e-14, 1e-14);
        }
        check_close(square, expected, 1e-14, 0); /* rounding of sqrt(1/2)^2 */
    }
    locbo_space_destroy(s);
}

static void ends_are_exact(void **state) {
    (void)state;
    locbo_space *s = full_space();
    for (size_t i = 0; i < FULL_DIM; i++) {
        locbo_parameter p;
        check_ok(locbo_space_parameter(s, i, &p, &error));
        if (p.kind == LOCBO_CATEGORICAL) continue;
        check_same(space_encode_value(s, i, p.low), 0);
        check_same(space_encode_value(s, i, p.high), p.low < p.high ? 1 : 0);
        if (p.kind != LOCBO_REAL) continue;
        /* the end itself or, through the logarithm, within rounding of it, and never beyond */
        check_close(space_decode_real(s, i, 0), p.low, 1e-14, 0);
        check_close(space_decode_real(s, i, 1), p.high, 1e-14, 0);
        assert_true(space_decode_real(s, i, 0) >= p.low && space_decode_real(s, i, 1) <= p.high);
    }
    locbo_space_destroy(s);
}

/* Ranges of a few representable numbers: their logarithms may be equal. */
static void ranges_of_rounding_size(void **state) {
    (void)state;
    locbo_space *s = NULL;
    check_ok(locbo_space_create(&s, &error));
    double high = nextafter(1e10, INFINITY);
    check_ok(locbo_space_add_real(s, "a", 1e10, high, LOCBO_LOG, &error));
    check_ok(locbo_space_add_real(s, "b", 1e10, high, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_real(s, "c", 5e-324, 1e-323, LOCBO_LOG, &error));
    for (int k = 0; k < 2; k++) {
        double x[] = {k ? high : 1e10, k ? high : 1e10, k ? 1e-323 : 5e-324}, u[3], t[3], y[3];
        space_encode(s, x, u);
        space_to_unit(s, x, t);
        space_from_unit(s, t, y);
        for (int i = 0; i < 3; i++) assert_true(u[i] >= 0 && u[i] <= 1 && t[i] >= 0 && t[i] <= 1);
        check_ok(locbo_space_check(s, y, &error));
    }
    locbo_space_destroy(s);
}

/* ---- finite spaces --------------------------------------------------------------------------- */

static void every_point_once(void **state) {
    (void)state;
    locbo_space *s = NULL;
    check_ok(locbo_space_create(&s, &error));
    check_ok(locbo_space_add_int(s, "n", -1, 3, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_categorical(s, "c", 4, WORDS, &error));
    check_ok(locbo_space_add_int(s, "one", 3, 3, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_int(s, "m", 1, 3, LOCBO_LOG, &error));
    assert_true(space_points(s, NULL) == 60);
    int seen[5][4][3] = {{{0}}};
    for (uint64_t k = 0; k < 60; k++) {
        double x[4];
        space_point(s, NULL, k, x);
        check_ok(locbo_space_check(s, x, &error));
        seen[(int)x[0] + 1][(int)x[1]][(int)x[3] - 1]++;
    }
    for (int i = 0; i < 60; i++) assert_int_equal(((int *)seen)[i], 1);
    const double fixed[] = {NAN, 2, NAN, NAN};
    assert_true(space_points(s, fixed) == 15);
    for (uint64_t k = 0; k < 15; k++) {
        double x[4];
        space_point(s, fixed, k, x);
        assert_true(x[1] == 2);
        seen[(int)x[0] + 1][2][(int)x[3] - 1]++;
    }
    for (int i = 0; i < 15; i++) assert_int_equal(seen[i / 3][2][i % 3], 2);
    check_ok(locbo_space_add_real(s, "x", 0, 1, LOCBO_LINEAR, &error));
    assert_true(isinf(space_points(s, NULL)));
    const double held[] = {NAN, NAN, NAN, NAN, 0.5};
    assert_true(space_points(s, held) == 60);
    locbo_space_destroy(s);
}

static void sameness(void **state) {
    (void)state;
    locbo_space *s = scene_mixed();
    double a[] = {0.1, 3, 1}, b[] = {0.1, 3, 1};
    assert_true(space_same(s, a, b));
    b[0] = nextafter(b[0], 1);
    assert_false(space_same(s, a, b));
    locbo_space_destroy(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bad_ranges),
        cmocka_unit_test(bad_texts),
        cmocka_unit_test(parameters_are_described),
        cmocka_unit_test(unit_coordinates),
        cmocka_unit_test(all_values_are_drawn),
        cmocka_unit_test(encoding),
        cmocka_unit_test(ends_are_exact),
        cmocka_unit_test(ranges_of_rounding_size),
        cmocka_unit_test(every_point_once),
        cmocka_unit_test(sameness),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
