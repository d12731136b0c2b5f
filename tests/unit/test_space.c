/* test_space.c - refused definitions, three ways to write a point, steps, orders, conditions, finite spaces. */
#include "space.h"

#include "scene.h"

static const char *const WORDS[] = {"red", "green", "blue", "grey"};
static const double SIZES[] = {1, 10, 100, 10000};

static void add(locbo_space *s, locbo_parameter_spec spec) {
    spec.struct_size = sizeof spec;
    check_ok(locbo_space_add(s, &spec, &error));
}

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
    add(s, (locbo_parameter_spec){.name = "steps", .high = 1, .step = 0.05});
    add(s, (locbo_parameter_spec){.name = "odd steps", .low = -1, .high = 1.1, .step = 0.7});
    add(s, (locbo_parameter_spec){.name = "eights", .kind = LOCBO_INT, .low = 8, .high = 256, .step = 8});
    add(s, (locbo_parameter_spec){.name = "from 0", .kind = LOCBO_INT, .scale = LOCBO_LOG, .high = 1000});
    add(s, (locbo_parameter_spec){.name = "order", .kind = LOCBO_ORDERED, .count = 4, .categories = WORDS});
    add(s, (locbo_parameter_spec){.name = "sizes",
                                  .kind = LOCBO_ORDERED,
                                  .scale = LOCBO_LOG,
                                  .count = 4,
                                  .categories = WORDS,
                                  .numbers = SIZES});
    add(s, (locbo_parameter_spec){.name = "flag", .kind = LOCBO_BOOL});
    return s;
}
enum { FULL_DIM = 15, FULL_COLUMNS = 18 };

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
    refuse("got -1", locbo_space_add_int(s, "x", -1, 9, LOCBO_LOG, &error));
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
        check_same(a.step, b.step);
        assert_true(!a.numbers == !b.numbers && a.parent == b.parent && a.when_count == b.when_count);
        for (size_t k = 0; a.numbers && k < a.count; k++) check_same(a.numbers[k], b.numbers[k]);
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
            double rel = space_is_continuous(s, i) ? 1e-14 : 0;
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
            if (space_is_continuous(s, i)) /* as for unit coordinates */
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

/* ---- steps, orders, conditions ----------------------------------------------------------------- */

#define refuse_spec(words, ...)                                                                                        \
    refuse(words, locbo_space_add(                                                                                     \
                      s, &(locbo_parameter_spec){.struct_size = sizeof(locbo_parameter_spec), __VA_ARGS__}, &error))

static void bad_specs(void **state) {
    (void)state;
    locbo_space *s = full_space();
    const double falling[] = {1, 3, 2, 4}, zero[] = {0, 1, 2, 3}, odd[] = {1, INFINITY, 2, 3}, none[] = {9};
    refuse("must not be NULL", locbo_space_add(s, NULL, &error));
    refuse("struct_size", locbo_space_add(s, &(locbo_parameter_spec){.name = "x", .high = 1}, &error));
    refuse_spec("the step must be positive, got -0.1", .name = "x", .high = 1, .step = -0.1);
    refuse_spec("the step must be positive, got nan", .name = "x", .high = 1, .step = (double)NAN);
    refuse_spec("the last one is 0.9", .name = "x", .high = 1, .step = 0.3);
    refuse_spec("does not suit the range [0, 1]", .name = "x", .high = 1, .step = 3);
    refuse_spec("a step 0.1 needs a linear scale", .name = "x", .low = 0.1, .high = 1, .step = 0.1, .scale = LOCBO_LOG);
    refuse_spec("a positive whole number, got 1.5", .name = "x", .kind = LOCBO_INT, .high = 9, .step = 1.5);
    refuse_spec("got [0.5, 9]", .name = "x", .kind = LOCBO_INT, .low = 0.5, .high = 9);
    refuse_spec("unknown kind 7", .name = "x", .kind = (locbo_kind)7, .high = 1);
    refuse_spec("must increase, got 2 after 3", .name = "x", .kind = LOCBO_ORDERED, .count = 4, .categories = WORDS,
                .numbers = falling);
    refuse_spec("number 1 must be finite", .name = "x", .kind = LOCBO_ORDERED, .count = 4, .categories = WORDS,
                .numbers = odd);
    refuse_spec("needs low > 0, got 0", .name = "x", .kind = LOCBO_ORDERED, .scale = LOCBO_LOG, .count = 4,
                .categories = WORDS, .numbers = zero);
    refuse_spec("a log scale needs numbers", .name = "x", .kind = LOCBO_ORDERED, .scale = LOCBO_LOG, .count = 4,
                .categories = WORDS);
    refuse_spec("depends on 'y', which is not a parameter before it", .name = "x", .high = 1, .parent = "y",
                .when_count = 1, .when = zero);
    refuse_spec("depends on 'x', which is not", .name = "x", .high = 1, .parent = "x", .when_count = 1, .when = zero);
    refuse_spec("depends on 'lin', a real number", .name = "x", .high = 1, .parent = "lin", .when_count = 1,
                .when = zero);
    refuse_spec("no value for which it is active", .name = "x", .high = 1, .parent = "cat");
    refuse_spec("depends on 'cat': parameter 'cat' must be a whole number in [0, 3], got 9", .name = "x", .high = 1,
                .parent = "cat", .when_count = 1, .when = none);
    assert_int_equal(locbo_space_dim(s), FULL_DIM);
    locbo_space_destroy(s);
}

/* Decimal steps give the numbers that people write; an integer's may start anywhere. */
static void steps_are_the_numbers_people_write(void **state) {
    (void)state;
    locbo_space *s = NULL;
    check_ok(locbo_space_create(&s, &error));
    add(s, (locbo_parameter_spec){.name = "a", .high = 1, .step = 0.05});
    add(s, (locbo_parameter_spec){.name = "b", .low = -0.3, .high = 0.3, .step = 0.1});
    add(s, (locbo_parameter_spec){.name = "c", .kind = LOCBO_INT, .low = 3, .high = 24, .step = 7});
    static const double a[] = {0,    0.05, 0.1,  0.15, 0.2,  0.25, 0.3,  0.35, 0.4,  0.45, 0.5,
                               0.55, 0.6,  0.65, 0.7,  0.75, 0.8,  0.85, 0.9,  0.95, 1};
    static const double b[] = {-0.3, -0.2, -0.1, 0, 0.1, 0.2, 0.3}, c[] = {3, 10, 17, 24};
    for (size_t i = 0; i < 21; i++)
        for (size_t k = 0; k < 7; k++)
            for (size_t m = 0; m < 4; m++) {
                double x[] = {a[i], b[k], c[m]}, y[3], t[3];
                check_ok(locbo_space_check(s, x, &error));
                uint64_t number = space_number(s, NULL, x);
                assert_int_equal(number, i + 21 * (k + 7 * m));
                space_point(s, NULL, number, y);
                for (int j = 0; j < 3; j++) check_same(x[j], y[j]);
                space_to_unit(s, x, t);
                space_from_unit(s, t, y);
                for (int j = 0; j < 3; j++) check_same(x[j], y[j]);
            }
    check_same(space_neighbour(s, 0, 0.1, 1), 0.15);
    check_same(space_neighbour(s, 2, 10, -1), 3);
    assert_true(isnan(space_neighbour(s, 2, 24, 1)) && isnan(space_neighbour(s, 0, 0, -1)));
    refuse("in steps of 0.05, got 0.07", locbo_space_check(s, (double[]){0.07, 0, 3}, &error));
    refuse("in steps of 7, got 4", locbo_space_check(s, (double[]){0.05, 0, 4}, &error));
    locbo_space_destroy(s);
}

static void places_on_a_scale(void **state) {
    (void)state;
    locbo_space *s = full_space();
    static const double sizes[] = {0, 0.25, 0.5, 1}, order[] = {0, 1. / 3, 2. / 3, 1};
    for (int k = 0; k < 4; k++) {
        check_close(space_encode_value(s, 13, k), sizes[k], 1e-15, 1e-15);
        check_close(space_encode_value(s, 12, k), order[k], 1e-15, 1e-15);
    }
    check_same(space_encode_value(s, 14, 0), 0);
    check_same(space_encode_value(s, 14, 1), 1);
    check_close(space_encode_value(s, 11, 9), log(10) / log(1001), 1e-15, 0);
    locbo_space_destroy(s);
}

/* kernel: rbf, poly, linear; gamma where rbf or poly, degree where poly, offset where degree is 3, plain always. */
enum { KERNEL, GAMMA, DEGREE, OFFSET, PLAIN, TREE_DIM };
static locbo_space *tree_space(void) {
    static const char *const kernels[] = {"rbf", "poly", "linear"};
    locbo_space *s = NULL;
    check_ok(locbo_space_create(&s, &error));
    check_ok(locbo_space_add_categorical(s, "kernel", 3, kernels, &error));
    add(s, (locbo_parameter_spec){.name = "gamma",
                                  .low = 1e-3,
                                  .high = 10,
                                  .scale = LOCBO_LOG,
                                  .parent = "kernel",
                                  .when_count = 2,
                                  .when = (double[]){0, 1}});
    add(s, (locbo_parameter_spec){.name = "degree",
                                  .kind = LOCBO_INT,
                                  .low = 2,
                                  .high = 5,
                                  .parent = "kernel",
                                  .when_count = 1,
                                  .when = (double[]){1}});
    add(s, (locbo_parameter_spec){.name = "offset",
                                  .kind = LOCBO_CATEGORICAL,
                                  .count = 4,
                                  .categories = WORDS,
                                  .parent = "degree",
                                  .when_count = 1,
                                  .when = (double[]){3}});
    add(s, (locbo_parameter_spec){.name = "plain", .kind = LOCBO_INT, .low = 0, .high = 1});
    return s;
}

static void inactive_parameters_have_no_value(void **state) {
    (void)state;
    const double nan = (double)NAN;
    rng r = scene_random(13);
    locbo_space *s = tree_space(), *copy = NULL;
    unsigned char active[TREE_DIM];
    check_ok(space_copy(&copy, s, &error));
    for (int n = 0; n < 2000; n++) {
        double x[TREE_DIM], y[TREE_DIM], t[TREE_DIM];
        random_point(s, &r, x);
        check_ok(locbo_space_check(s, x, &error));
        check_ok(locbo_space_check(copy, x, &error));
        check_ok(locbo_space_active(s, x, active, &error));
        assert_int_equal(active[GAMMA], x[KERNEL] != 2);
        assert_int_equal(active[DEGREE], x[KERNEL] == 1);
        assert_int_equal(active[OFFSET], x[KERNEL] == 1 && x[DEGREE] == 3);
        for (int i = 0; i < TREE_DIM; i++) assert_int_equal(active[i], !isnan(x[i]));
        space_to_unit(s, x, t);
        space_from_unit(s, t, y);
        for (int i = 0; i < TREE_DIM; i++) assert_true(isnan(x[i]) == isnan(y[i]));
        assert_true(space_same(s, x, x));
    }
    refuse("'degree' is not active there, so it has no value, got 2",
           locbo_space_check(s, (double[]){0, 1, 2, nan, 0}, &error));
    refuse("'gamma' must be a number in [0.001, 10], got nan",
           locbo_space_check(s, (double[]){0, nan, nan, nan, 0}, &error));
    refuse("space, x and active", locbo_space_active(s, NULL, active, &error));
    locbo_space_destroy(copy);
    locbo_space_destroy(s);
}

/* Two points that both lack a parameter have no distance along it, whatever else differs. */
static void what_both_lack_makes_no_distance(void **state) {
    (void)state;
    const double nan = (double)NAN;
    locbo_space *s = tree_space();
    double u[16], w[16], a[] = {2, nan, nan, nan, 0}, b[] = {2, nan, nan, nan, 1}, square = 0;
    space_encode(s, a, u);
    space_encode(s, b, w);
    for (size_t c = 0; c < space_columns(s); c++) square += pow(u[c] - w[c], 2);
    check_same(square, 1); /* of `plain` */
    locbo_space_destroy(s);
}

static void conditional_points_once(void **state) {
    (void)state;
    static const char *const words[] = {"a", "b"};
    const double nan = (double)NAN;
    locbo_space *s = NULL;
    check_ok(locbo_space_create(&s, &error));
    check_ok(locbo_space_add_categorical(s, "kind", 2, words, &error));
    add(s, (locbo_parameter_spec){.name = "n",
                                  .kind = LOCBO_INT,
                                  .low = 1,
                                  .high = 4,
                                  .parent = "kind",
                                  .when_count = 1,
                                  .when = (double[]){1}});
    add(s, (locbo_parameter_spec){
               .name = "flag", .kind = LOCBO_BOOL, .parent = "n", .when_count = 2, .when = (double[]){2, 4}});
    double x[3];
    size_t points = 0;
    for (uint64_t k = 0; k < (uint64_t)space_points(s, NULL); k++) {
        if (!space_point(s, NULL, k, x)) continue;
        check_ok(locbo_space_check(s, x, &error));
        assert_int_equal(space_number(s, NULL, x), k);
        points++;
    }
    assert_int_equal(points, 1 + 2 + 2 * 2); /* a; b with n = 1, 3; b with n = 2, 4 and a flag */
    const double at_a[] = {0, nan, nan}, at_2[] = {1, 2, nan};
    assert_true(space_points(s, at_a) == 1 && space_points(s, at_2) == 2);
    assert_true(!space_is_open(s, at_a, 1) && !space_is_open(s, at_a, 2) && space_is_open(s, at_2, 2));
    refuse("'n' is fixed at 2, but 'kind' is not fixed at a value for which it is active",
           space_check_fixed(s, (double[]){nan, 2, nan}, &error));
    check_ok(space_check_fixed(s, at_2, &error));
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
        cmocka_unit_test(bad_specs),
        cmocka_unit_test(steps_are_the_numbers_people_write),
        cmocka_unit_test(places_on_a_scale),
        cmocka_unit_test(inactive_parameters_have_no_value),
        cmocka_unit_test(what_both_lack_makes_no_distance),
        cmocka_unit_test(conditional_points_once),
        cmocka_unit_test(sameness),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
