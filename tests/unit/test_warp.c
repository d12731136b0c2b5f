/* test_warp.c - log and logit: bijections of their range, against 700 digits and at the ends of the doubles. Box-Cox is
 * tested through scaling.h (test_scaling.c). */
#include "warp.h"

#include <float.h>

#include "golden/warp_golden.h"
#include "scene.h"

enum { WARPS = sizeof golden_warps / sizeof golden_warps[0] };

static warp golden(size_t k) {
    const struct golden_warp *g = &golden_warps[k];
    return warp_of((locbo_model_scale)g->power, g->low, g->high);
}

/* Distance of y from the nearer end of the range. */
static double room(const warp *w, double y) {
    return w->power == LOCBO_MODEL_SCALE_LOG ? y : fmin(y - w->low, w->high - y);
}

static void golden_values(void **state) {
    (void)state;
    for (size_t k = 0; k < WARPS; k++)
        for (int i = 0; i < GOLDEN_WARP_POINTS; i++) {
            const struct golden_warp *g = &golden_warps[k];
            warp w = golden(k);
            assert_true(warp_is_set(&w) && warp_is_natural(&w) && warp_is_valid(&w) && warp_holds(&w, g->at[i]));
            /* two logarithms of at most 30 in the middle, rounded */
            check_close(warp_at(&w, g->at[i]), g->image[i], 1e-15, 1e-14);
            check_close(warp_slope(&w, g->at[i]), g->slope[i], 1e-15, 0); /* rounding */
            /* an image of up to 700 is rounded to 1e-13, which is the relative error of its inverse; the last term is
             * the rounding of y itself, or of numbers below DBL_MIN */
            check_close(room(&w, warp_inverse(&w, g->image[i])), room(&w, g->at[i]), 1e-12, 1e-16 * fabs(g->at[i]));
            check_close(warp_sd(&w, g->image[i], g->sd[i]), g->half[i], 1e-12, DBL_TRUE_MIN);
        }
}

/* Over the range: increasing, the slope is the difference quotient, the inverse is one, sd is by the inverse. */
static void bijections(void **state) {
    (void)state;
    rng r = scene_random(71);
    for (int i = 0; i < 2000; i++) {
        warp w = golden((size_t)i % WARPS);
        double t = 20 * (2 * rng_uniform(&r) - 1), y = warp_inverse(&w, t), h = 1e-5 * room(&w, y);
        assert_true(warp_holds(&w, y) && warp_at(&w, y + h) > warp_at(&w, y));
        assert_true(warp_direction(&w) == 1);
        /* y is rounded to 1e-16 of its size, which may be many times its distance from the end */
        double rounding = 4e-16 * fabs(y) / room(&w, y);
        check_close(warp_at(&w, y), t, 1e-14, 1e-14 + rounding);
        double quotient = (warp_at(&w, y + h) - warp_at(&w, y - h)) / (2 * h);
        check_close(warp_slope(&w, y), quotient, 1e-9 + rounding / 1e-5, 0); /* h^2, and rounding/h */
        double sd = 0.5 + rng_uniform(&r), half = (warp_inverse(&w, t + sd) - warp_inverse(&w, t - sd)) / 2;
        check_close(warp_sd(&w, t, sd), half, 1e-13 + 10 * rounding, 0);
    }
}

/* Nothing is infinite, 0 or outside the range unless the image is infinite. */
static void the_ends(void **state) {
    (void)state;
    for (size_t k = 0; k < WARPS; k++) {
        warp w = golden(k);
        int is_log = w.power == LOCBO_MODEL_SCALE_LOG;
        double low = w.low, high = is_log ? INFINITY : w.high;
        assert_true(warp_at(&w, low) == -INFINITY && warp_at(&w, low - 1) == -INFINITY);
        assert_true(warp_at(&w, high) == INFINITY && isnan(warp_at(&w, NAN)));
        assert_true(warp_inverse(&w, -INFINITY) == low && warp_inverse(&w, INFINITY) == high);
        assert_true(isnan(warp_inverse(&w, NAN)));
        assert_false(warp_holds(&w, low) || warp_holds(&w, NAN));
        assert_true(is_log || !warp_holds(&w, high));
        for (double t = -1e6; t <= 1e6; t += 1e3) {
            double y = warp_inverse(&w, t);
            check_that(low < y && y < high && isfinite(y), "warp %zu: %g has the inverse %g", k, t, y);
            check_that(isfinite(warp_at(&w, y)), "warp %zu: %g has no image", k, y);
            check_that(warp_slope(&w, y) > 0 && isfinite(warp_slope(&w, y)), "warp %zu: slope at %g", k, y);
            for (double sd = 1e-9; sd < 1e4; sd *= 10)
                check_that(warp_sd(&w, t, sd) > 0 && isfinite(warp_sd(&w, t, sd)), "warp %zu: sd %g at %g", k, sd, t);
            check_same(warp_sd(&w, t, 0), 0);
        }
    }
}

static void stored_numbers(void **state) {
    (void)state;
    const warp bad[] = {{2, 1, 0, 0}, {2, 0, 1, 0},          {2, 0, 0, NAN},      {3, 0, 1, 1},
                        {3, 0, 2, 1}, {3, 0, NAN, 1},        {3, 0, 0, INFINITY}, {3, 1, 0, 1},
                        {3, 0, 0, 0}, {3, 0, -1e308, 1e308}, {2.5, 0, 0, 1},      {4, 0, 0, 1}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        check_that(warp_is_set(&bad[i]) && !warp_is_valid(&bad[i]), "bad warp %zu is accepted", i);
    for (int scale = LOCBO_MODEL_SCALE_OPTION; scale <= LOCBO_MODEL_SCALE_NONE; scale++) {
        warp none = warp_of((locbo_model_scale)scale, 1, 2);
        assert_false(warp_is_set(&none) || warp_is_natural(&none));
        assert_true(warp_holds(&none, -1e300));
    }
    const warp falling = {0.5, 3, 2, 1}, rising = {0.5, 0, 1, 2};
    assert_true(warp_direction(&falling) == -1 && warp_direction(&rising) == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_values),
        cmocka_unit_test(bijections),
        cmocka_unit_test(the_ends),
        cmocka_unit_test(stored_numbers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
