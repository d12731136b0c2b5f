/* test_scaling.c - affine and Box-Cox scales: bijections of the whole line, against 500 digits and at the ends of the
 * doubles. */
#include "scaling.h"

#include <float.h>

#include "golden/scaling_golden.h"
#include "scene.h"

enum { MOST = 64 };

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static int box_cox_of(scaling *s, double sign, size_t n, const double *losses) {
    double sorted[MOST];
    memcpy(sorted, losses, n * sizeof *losses);
    qsort(sorted, n, sizeof *sorted, ascending);
    return scaling_box_cox(s, sign, n, sorted);
}

static double draw(rng *r, int kind) {
    double z = rng_normal(r);
    switch (kind) {
    case 0:
        return z;
    case 1:
        return exp(2 * z); /* skewed */
    case 2:
        return 1e8 - exp(z);
    default:
        return z / rng_normal(r); /* Cauchy's law */
    }
}

/* A scale of random results, in either direction. */
static scaling random_scale(rng *r, int trial) {
    double losses[MOST];
    scaling s;
    size_t n = 5 + (size_t)(trial % 40);
    for (size_t i = 0; i < n; i++) losses[i] = draw(r, trial % 4);
    check_that(box_cox_of(&s, trial % 8 < 4 ? 1 : -1, n, losses), "trial %d has no scale", trial);
    return s;
}

/* The offset, the power, z and its slope. */
static void golden_values(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof golden_scales / sizeof golden_scales[0]; k++)
        for (int sign = -1; sign <= 1; sign += 2) {
            const struct golden_scale *g = &golden_scales[k];
            scaling s;
            assert_true(box_cox_of(&s, sign, GOLDEN_LOSSES, g->loss));
            check_close(s.bend.power, g->power, 1e-15, 0);           /* rounding */
            check_close(-sign * s.bend.offset, g->offset, 1e-15, 0); /* rounding */
            for (int i = 0; i < GOLDEN_POINTS; i++) {
                /* c is the difference of numbers that are rounded to 1e-16 of their size, 1e6 times that of c here */
                double digits = k == 2 ? 1e-9 : 1e-12, y = -sign * g->at[i];
                check_close(scaling_in(&s, y), g->z[i], digits, digits);
                check_close(scaling_slope(&s, y), g->slope[i], digits, 0);
            }
        }
}

/* z increases as the loss falls, over the whole line; its slope is the difference quotient; out is the inverse. */
static void bijections(void **state) {
    (void)state;
    rng r = scene_random(41);
    for (int trial = 0; trial < 400; trial++) {
        scaling s = random_scale(&r, trial);
        double range = s.bend.high - s.bend.low, last = INFINITY;
        for (int i = -50; i <= 150; i++) { /* from the low end outwards */
            double y = s.bend.low + range * i / 100, z = scaling_in(&s, y), h = fabs(range) * 1e-5;
            check_that(z < last, "trial %d: z does not fall at %g", trial, y);
            last = z;
            double quotient = fabs(scaling_in(&s, y + h) - scaling_in(&s, y - h)) / (2 * h);
            /* near `low` the slope changes within (low - offset) / range, 1e-3 and less: steps there are too coarse */
            if (i > 20 || i < 0) check_close(scaling_slope(&s, y), quotient, 1e-3, 0);
            /* the inverse multiplies the rounding of z by 1/slope */
            double error = 1e-14 * (fabs(y) + fabs(s.bend.offset) + (1 + fabs(z)) / scaling_slope(&s, y));
            check_close(scaling_out(&s, z), y, 0, error);
        }
        assert_true(scaling_out(&s, INFINITY) == s.sign * INFINITY && scaling_out(&s, -INFINITY) == -s.sign * INFINITY);
        assert_true(scaling_in(&s, s.sign * INFINITY) == INFINITY && scaling_in(&s, -s.sign * INFINITY) == -INFINITY);
    }
}

/* Value and slope are continuous at the ends of the curved part. */
static void ends_are_smooth(void **state) {
    (void)state;
    rng r = scene_random(42);
    for (int trial = 0; trial < 200; trial++) {
        if (trial % 4 == 2) continue; /* results of 1e8 that differ by 1: too few digits for small steps */
        scaling s = random_scale(&r, trial);
        const double ends[] = {s.bend.low, s.bend.high};
        for (int i = 0; i < 2; i++) {
            double h = 1e-9 * fabs(s.bend.low - s.bend.offset) + 1e-12 * fabs(ends[i]); /* many roundings */
            double slope = scaling_slope(&s, ends[i]);
            check_close(scaling_slope(&s, ends[i] + h), slope, 1e-3, 0); /* continuous, but for what h changes */
            check_close(scaling_slope(&s, ends[i] - h), slope, 1e-3, 0);
            check_close(scaling_in(&s, ends[i] + h), scaling_in(&s, ends[i]), 0, 2 * slope * h + 1e-14);
            check_close(scaling_in(&s, ends[i] - h), scaling_in(&s, ends[i]), 0, 2 * slope * h + 1e-14);
        }
    }
}

/* Half the length of the inverse image, and for a small sd that sd divided by the slope. */
static void shown_deviations(void **state) {
    (void)state;
    rng r = scene_random(43);
    for (int trial = 0; trial < 200; trial++) {
        scaling s = random_scale(&r, trial);
        double mu = 2 * rng_normal(&r), sd = rng_uniform(&r), y = scaling_out(&s, mu);
        double half = fabs(scaling_out(&s, mu + sd) - scaling_out(&s, mu - sd)) / 2;
        check_close(scaling_sd_out(&s, mu, sd), half, 1e-9,
                    1e-15 * fabs(y)); /* half is the difference of large numbers */
        double tiny = 1e-4 * fabs(s.bend.low - s.bend.offset) * scaling_slope(&s, y);
        check_close(scaling_sd_out(&s, mu, tiny), tiny / scaling_slope(&s, y), 1e-2, 0);
        assert_true(scaling_sd_out(&s, mu, 1e-12) > 0); /* whatever the size of the results is */
    }
    scaling plain = {.sign = -1, .shift = 7, .spread = 3};
    check_same(scaling_sd_out(&plain, 5, 2), 6);
    check_same(scaling_slope(&plain, 1e300), 1.0 / 3);
}

/* Minimising y and maximising -y: the same bits. */
static void directions_are_symmetric(void **state) {
    (void)state;
    rng r = scene_random(44);
    for (int trial = 0; trial < 40; trial++) {
        double losses[MOST];
        for (int i = 0; i < 20; i++) losses[i] = draw(&r, trial % 4);
        scaling down, up;
        assert_true(box_cox_of(&down, -1, 20, losses) && box_cox_of(&up, 1, 20, losses));
        check_same(down.shift, up.shift);
        check_same(down.spread, up.spread);
        for (int i = 0; i < 20; i++) {
            double y = draw(&r, trial % 4);
            check_same(scaling_in(&down, y), scaling_in(&up, -y));
            check_same(scaling_out(&down, y), -scaling_out(&up, y));
        }
    }
}

/* The images of the results have mean 0 and standard deviation 1, whatever their unit; the unit changes no image. */
static void images_are_standardised(void **state) {
    (void)state;
    rng r = scene_random(45);
    for (int trial = 0; trial < 40; trial++) {
        double losses[20], far[20], mean = 0, square = 0;
        for (int i = 0; i < 20; i++) far[i] = 0x1p-600 * (losses[i] = draw(&r, trial % 4));
        scaling s, t;
        assert_true(box_cox_of(&s, -1, 20, losses) && box_cox_of(&t, -1, 20, far));
        for (int i = 0; i < 20; i++) mean += scaling_in(&s, losses[i]) / 20;
        for (int i = 0; i < 20; i++) square += pow(scaling_in(&s, losses[i]) - mean, 2) / 19;
        check_close(mean, 0, 0, 1e-13); /* rounding of 20 numbers */
        check_close(square, 1, 1e-12, 0);
        for (int i = 0; i < 20; i++) check_same(scaling_in(&s, losses[i]), scaling_in(&t, far[i]));
    }
}

/* No scale, or one whose numbers are finite. */
static void extreme_results(void **state) {
    (void)state;
    const double rows[][6] = {{5, 5, 5, 5, 5, 5},
                              {0, 0, 0, 0, 0, 0},
                              {1, 1, 2, 2, 2, 2}, /* ties at the least */
                              {1, 2, 1, 2, 1, 2},
                              {1, 1 + DBL_EPSILON, 1 + 2 * DBL_EPSILON, 1 + 3 * DBL_EPSILON, 2, 3},
                              {-DBL_MAX, DBL_MAX, 0, 1, 2, 3},
                              {1e308, 1.1e308, 1.2e308, 1.3e308, 1.4e308, 1.5e308},
                              {-1e308, -1.1e308, -1.2e308, 1e308, 1.1e308, 1.2e308},
                              {5e-324, 0, -5e-324, 1e-323, 2e-323, 3e-323},
                              {1e-300, 2e-300, 3e-300, 4e-300, 5e-300, 6e-300},
                              {0, 1e-200, 2e-200, 1, 1e100, 1e200},
                              {0, 1, 2, 3, 1e11, 1e300},
                              {1, 2, 3, 4, 5, DBL_MAX}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++)
        for (int sign = -1; sign <= 1; sign += 2) {
            scaling s = {.sign = 99};
            check_that(!box_cox_of(&s, sign, 6, rows[k]) && s.sign == 99, "row %zu has a scale", k);
        }
    /* the widest and the narrowest that there are */
    const double edges[][6] = {{0, 1e239, 2e239, 3e239, 4e239, 1e250},
                               {0, 1e-248, 2e-248, 3e-248, 4e-248, 5e-248},
                               {0, 1, 2, 3, 4, 9e10},
                               {-1e9, -1e9 + 0.1, -1e9 + 0.2, -1e9 + 0.3, 0, 0}};
    for (size_t k = 0; k < sizeof edges / sizeof edges[0]; k++) {
        scaling s;
        check_that(box_cox_of(&s, -1, 6, edges[k]), "edge %zu has no scale", k);
        assert_true(isfinite(s.shift) && s.spread > 0 && isfinite(s.spread));
        const double more[] = {edges[k][0], edges[k][5], -1e30 * fabs(s.bend.high), 1e30 * s.bend.high, 0};
        for (size_t i = 0; i < sizeof more / sizeof more[0]; i++) {
            double z = scaling_in(&s, more[i]), slope = scaling_slope(&s, more[i]);
            check_that(isfinite(z) && slope > 0 && isfinite(slope), "edge %zu, %g: z %g, slope %g", k, more[i], z,
                       slope);
        }
        for (double z = -40; z <= 40; z += 0.5)
            check_that(isfinite(scaling_out(&s, z)) && isfinite(scaling_sd_out(&s, z, 1)), "edge %zu, z = %g", k, z);
    }
}

/* Only where the plain spread is larger than three times what the quartiles say. */
static void robust_scales(void **state) {
    (void)state;
    scaling plain = {.sign = -1, .shift = 100, .spread = 50};
    const double losses[] = {0, 1, 2, 3, 4, 5, 6, 7, 1000}; /* quartiles 2 and 6, median 4 */
    scaling s = scaling_robust(plain, 9, losses);
    check_same(s.shift, 4);
    check_close(s.spread, 3 * 4 / 1.349, 1e-15, 0); /* rounding */
    plain.sign = 1;
    check_same(scaling_robust(plain, 9, losses).shift, -4);
    plain.spread = 8.8;
    check_same(scaling_robust(plain, 9, losses).spread, 8.8);
    check_same(scaling_robust(plain, 9, losses).shift, 100);
    plain.spread = 1e300;
    const double same[] = {1, 1, 1, 1, 1, 1, 1, 1, 1e301}, wide[] = {-1e308, -1e308, 1e308, 1e308, 1e308};
    check_same(scaling_robust(plain, 9, same).spread, 1e300);
    check_same(scaling_robust(plain, 5, wide).spread, 1e300);
    check_same(scaling_robust(plain, 0, NULL).spread, 1e300);
}

static void stored_scales_are_checked(void **state) {
    (void)state;
    const warp good = {0.5, -1, 0, 10}, up = {-1, 1, 0, -10};
    assert_true(warp_is_valid(&good) && warp_is_valid(&up) && warp_is_set(&up));
    const warp none[] = {{0, 0, 0, 0}, {NAN, NAN, NAN, NAN}, {NAN, 0, 0, 0}};
    for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) assert_false(warp_is_set(&none[i]));
    const warp bad[] = {{1.1, -1, 0, 10},    {NAN, -1, 0, 10},          {0.5, 1, 0, 10},        {0.5, 0, 0, 10},
                        {0.5, -1, 0, NAN},   {0.5, NAN, 0, 10},         {0.5, -1, 0, INFINITY}, {0.5, -1e-13, 0, 10},
                        {0.5, -1e20, 0, 10}, {0.5, -1e-251, 0, 1e-250}, {0, -1e251, 0, 1e251}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        check_that(!warp_is_valid(&bad[i]), "bad scale %zu is accepted", i);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(golden_values),
        cmocka_unit_test(bijections),
        cmocka_unit_test(ends_are_smooth),
        cmocka_unit_test(shown_deviations),
        cmocka_unit_test(directions_are_symmetric),
        cmocka_unit_test(images_are_standardised),
        cmocka_unit_test(extreme_results),
        cmocka_unit_test(robust_scales),
        cmocka_unit_test(stored_scales_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
