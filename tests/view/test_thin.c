/* The choice of points to show: few enough, ascending, with both ends and every extreme. */
#include "thin.h"

#include "check.h"
#include "draw.h"
#include "mem.h"

static void check_ascending(const size_t *chosen, size_t count, size_t n, size_t most) {
    assert_true(count <= most && count <= n);
    for (size_t i = 0; i < count; i++) {
        assert_true(chosen[i] < n);
        if (i > 0) assert_true(chosen[i] > chosen[i - 1]);
    }
    if (n > 0 && most > 1) {
        assert_int_equal(chosen[0], 0);
        assert_int_equal(chosen[count - 1], n - 1);
    }
}

static int has(const size_t *chosen, size_t count, size_t index) {
    for (size_t i = 0; i < count; i++)
        if (chosen[i] == index) return 1;
    return 0;
}

static void what_fits_is_all_shown(void **state) {
    (void)state;
    const double value[] = {3, (double)NAN, 1, 1};
    size_t *chosen, count;
    for (size_t n = 0; n <= 4; n++) {
        check_ok(thin_extremes(n, value, 4, &chosen, &count, &error));
        assert_int_equal(count, n);
        check_ascending(chosen, count, n, 4);
        mem_free(chosen);
        check_ok(thin_evenly(n, 4, &chosen, &count, &error));
        assert_int_equal(count, n);
        check_ascending(chosen, count, n, 4);
        mem_free(chosen);
    }
}

/* Against the definition, run by run. */
static void check_extremes(size_t n, const double *value, size_t most) {
    size_t *chosen, count, runs = (most - 2) / 4;
    check_ok(thin_extremes(n, value, most, &chosen, &count, &error));
    check_ascending(chosen, count, n, most);
    for (size_t j = 0; j < runs; j++) {
        size_t from = n * j / runs, to = n * (j + 1) / runs, low = from, high = from, any = 0;
        for (size_t i = from; i < to; i++) {
            any |= has(chosen, count, i);
            if (value[i] < value[low] || isnan(value[low])) low = i;
            if (value[i] > value[high] || isnan(value[high])) high = i;
        }
        check_that(has(chosen, count, from) && has(chosen, count, from + (to - from) / 2),
                   "run %zu of %zu shows nothing but extremes", j, runs);
        check_that(any, "nothing of run %zu of %zu is shown", j, runs);
        if (isnan(value[low])) continue;
        check_that(has(chosen, count, low) && has(chosen, count, high),
                   "an extreme of run %zu of %zu is lost (%zu of %zu)", j, runs, most, n);
    }
    mem_free(chosen);
}

static void no_extreme_is_lost(void **state) {
    (void)state;
    draw d = draw_open(11, 1);
    double value[1000];
    for (int round = 0; round < 200; round++) {
        size_t n = 20 + (size_t)draw_below(&d, 980), most = 10 + (size_t)draw_below(&d, n - 15);
        for (size_t i = 0; i < n; i++) value[i] = draw_below(&d, 3) ? draw_normal(&d) : (double)NAN;
        check_extremes(n, value, most);
    }
    for (size_t i = 0; i < 1000; i++) value[i] = (double)NAN;
    check_extremes(1000, value, 10);
    for (size_t i = 0; i < 1000; i++) value[i] = 1;
    check_extremes(1000, value, 11);
}

static void even_is_even(void **state) {
    (void)state;
    for (size_t n = 1; n < 60; n++)
        for (size_t most = 1; most < 70; most++) {
            size_t *chosen, count;
            check_ok(thin_evenly(n, most, &chosen, &count, &error));
            assert_int_equal(count, n < most ? n : most);
            check_ascending(chosen, count, n, most);
            /* gaps differ by at most one step of rounding either side */
            for (size_t i = 2; i < count; i++) {
                double gap = (double)(chosen[i] - chosen[i - 1]);
                double mean = (double)(n - 1) / (double)(count - 1);
                assert_true(fabs(gap - mean) <= 1);
            }
            mem_free(chosen);
        }
}

static void few_places_are_no_trouble(void **state) {
    (void)state;
    const double value[] = {1, 2, 3, 4, 5};
    for (size_t most = 0; most < 4; most++) {
        size_t *chosen, count;
        check_ok(thin_extremes(5, value, most, &chosen, &count, &error));
        assert_true(count <= most);
        mem_free(chosen);
        check_ok(thin_evenly(5, most, &chosen, &count, &error));
        assert_int_equal(count, most);
        mem_free(chosen);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_fits_is_all_shown),
        cmocka_unit_test(no_extreme_is_lost),
        cmocka_unit_test(even_is_even),
        cmocka_unit_test(few_places_are_no_trouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
