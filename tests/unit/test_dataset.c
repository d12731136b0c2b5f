/* test_dataset.c - rows, signs and standardisation. */
#include "dataset.h"

#include <float.h>

#include "scene.h"

static void fill(dataset *d, double sign, size_t n, const double *values) {
    dataset_init(d, 1, 1, sign);
    for (size_t i = 0; i < n; i++) {
        double x = (double)i;
        locbo_measurement m = {values[i], NAN, 1};
        check_ok(dataset_append(d, &x, &x, &m, i + 1, &error));
    }
    dataset_rescale(d, dataset_standardise(d));
}

static void rows_are_kept(void **state) {
    (void)state;
    dataset d;
    dataset_init(&d, 2, 3, 1);
    for (int i = 0; i < 100; i++) {
        double x[] = {i, 2 * i}, u[] = {i, -i, 0.5};
        locbo_measurement m = {3 * i, i % 2 ? 0.1 : NAN, (unsigned)i};
        check_ok(dataset_append(&d, x, u, &m, (uint64_t)(i / 2), &error));
    }
    assert_int_equal(d.n, 100);
    for (int i = 0; i < 100; i++) {
        assert_true(d.x[2 * i + 1] == 2 * i && d.u[3 * i + 1] == -i && d.measured[i].value == 3 * i);
        assert_int_equal(d.trial[i], i / 2);
        check_same(d.noise_scale[i], 1.0 / (i ? i : 1));
    }
    assert_int_equal(dataset_view(&d, 7).n, 7);
    dataset_release(&d);
}

static void standardised_rows(void **state) {
    (void)state;
    const double values[] = {3, 7, -2, 11, 4.5};
    for (int sign = -1; sign <= 1; sign += 2) {
        dataset d;
        double mean = 0, square = 0;
        fill(&d, sign, 5, values);
        for (int i = 0; i < 5; i++) mean += d.y[i] / 5;
        for (int i = 0; i < 5; i++) square += (d.y[i] - mean) * (d.y[i] - mean) / 4;
        check_close(mean, 0, 0, 1e-15); /* rounding of five numbers of size 1 */
        check_close(square, 1, 1e-14, 0);
        for (int i = 0; i < 5; i++) {
            check_close(scaling_out(&d.scale, d.y[i]), values[i], 1e-15, 1e-15); /* rounding */
            check_same(scaling_in(&d.scale, values[i]), d.y[i]);
        }
        assert_int_equal(dataset_best(&d), sign > 0 ? 3 : 2);
        dataset_release(&d);
    }
}

/* Minimising f and maximising -f are the same rows, bit for bit. */
static void signs_are_symmetric(void **state) {
    (void)state;
    rng r = scene_random(2);
    double values[30], opposite[30];
    for (int i = 0; i < 30; i++) opposite[i] = -(values[i] = rng_normal(&r) * 1e5 + 3e4);
    dataset down, up;
    fill(&down, -1, 30, values);
    fill(&up, 1, 30, opposite);
    for (int i = 0; i < 30; i++) check_same(down.y[i], up.y[i]);
    assert_int_equal(dataset_best(&down), dataset_best(&up));
    dataset_release(&down);
    dataset_release(&up);
}

static void known_noise_is_scaled(void **state) {
    (void)state;
    dataset d;
    const double values[] = {0, 10};
    fill(&d, 1, 2, values);
    double x = 0.5;
    const double sd[] = {NAN, 0, 5, 1e300};
    for (int i = 0; i < 4; i++) {
        locbo_measurement m = {1, sd[i], 4};
        check_ok(dataset_append(&d, &x, &x, &m, 0, &error));
        check_same(d.noise_scale[2 + i], 0.25);
        assert_true(isfinite(d.noise_extra[2 + i]));
    }
    assert_true(d.noise_extra[2] == 0 && d.noise_extra[3] == 0);
    check_close(d.noise_extra[4], 25 / (d.scale.spread * d.scale.spread), 1e-14, 0); /* rounding */
    assert_true(d.noise_extra[5] >= 1e12); /* so much noise that the row has no weight */
    dataset_release(&d);
}

/* Weights are removed, everything else of a row stays. */
static void weights_are_taken_off(void **state) {
    (void)state;
    dataset d;
    const double values[] = {0, 10};
    const unsigned n[] = {0, 1, 3};
    const double scale[] = {1, 1, 1 / 3.0};
    fill(&d, -1, 2, values);
    for (size_t i = 0; i < 3; i++) {
        locbo_measurement m = {2, 5, n[i]};
        check_ok(dataset_append(&d, &values[0], &values[0], &m, 0, &error));
    }
    double y = d.y[4], extra = d.noise_extra[4];
    for (size_t i = 0; i < 5; i++) d.noise_scale[i] = 77;
    dataset_unweigh(&d);
    for (size_t i = 0; i < 5; i++) check_same(d.noise_scale[i], i < 2 ? 1 : scale[i - 2]);
    check_same(d.y[4], y);
    check_same(d.noise_extra[4], extra);
    dataset_release(&d);
}

/* Rows whose value more than half of the points have are not scored, unless all have it; a point counts once. */
static void a_plateau_is_not_scored(void **state) {
    (void)state;
    const struct {
        double value[7];
        double plateau;
    } rows[] = {{{1, 2, 1, 3, 1, 4, 1}, 1},   {{2, 1, 3, 1, 4, 1, 1}, 1},   {{1, 1, 1, 5, 6, 7, 8}, NAN},
                {{3, 3, 3, 3, 3, 3, 3}, NAN}, {{1, 1, 2, 2, 3, 3, 3}, NAN}, {{0, -0.0, 0, 5, -0.0, 6, 7}, 0}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        dataset d;
        fill(&d, 1, 7, rows[k].value);
        dataset_scope scope = dataset_scope_of(&d);
        check_same(scope.plateau + 0.0, rows[k].plateau);
        for (size_t i = 0; i < 7; i++)
            assert_int_equal(dataset_is_scored(&d, &scope, i), d.measured[i].value != rows[k].plateau);
        dataset_release(&d);
    }
    dataset d;
    dataset_init(&d, 1, 1, 1);
    d.merged = 1;
    for (size_t i = 0; i < 9; i++) { /* the value 1 six times at one point */
        double x = i < 6 ? 0 : (double)i;
        check_ok(dataset_append(&d, &x, &x, &(locbo_measurement){i < 6 ? 1 : x, NAN, 1}, i + 1, &error));
    }
    assert_true(isnan(dataset_scope_of(&d).plateau));
    dataset_release(&d);
}

/* Values at the ends of the doubles: everything stays finite. */
static void extreme_values(void **state) {
    (void)state;
    const double rows[][3] = {{5, 5, 5},
                              {0, 0, 0},
                              {1, 1 + DBL_EPSILON, 1},
                              {-DBL_MAX, DBL_MAX, DBL_MAX},
                              {-DBL_MAX, DBL_MAX, 0},
                              {1e300, -1e300, 1},
                              {5e-324, 0, -5e-324},
                              {1e-300, 2e-300, 3e-300},
                              {1, 2, DBL_MAX}};
    for (size_t k = 0; k < sizeof rows / sizeof rows[0]; k++) {
        dataset d;
        fill(&d, -1, 3, rows[k]);
        check_that(isfinite(d.scale.shift) && isfinite(d.scale.spread) && d.scale.spread > 0,
                   "row %zu: shift %g, spread %g", k, d.scale.shift, d.scale.spread);
        for (int i = 0; i < 3; i++) check_that(fabs(d.y[i]) < 10, "row %zu: y[%d] = %g", k, i, d.y[i]);
        dataset_release(&d);
    }
}

static void measurements_are_checked(void **state) {
    (void)state;
    locbo_measurement fine = {1, NAN, 0}, value = {NAN, NAN, 1}, sd = {1, -1, 1};
    check_ok(dataset_check(&fine, &error));
    check_fails(dataset_check(&value, &error), LOCBO_ERR_ARGUMENT, "nan");
    check_fails(dataset_check(&sd, &error), LOCBO_ERR_ARGUMENT, "-1");
    check_fails(dataset_check(NULL, &error), LOCBO_ERR_ARGUMENT, "NULL");
}

/* ---- points ------------------------------------------------------------------------------------ */

/* The first row at the place of row i, or at another u. */
static size_t first_at(const dataset *d, size_t n, const double *u) {
    for (size_t k = 0; k < n; k++)
        if (d->u[2 * k] == u[0] && d->u[2 * k + 1] == u[1]) return k;
    return SIZE_MAX;
}

/* The mean of what counts at the place of row i, written out; NAN: nothing counts there. */
static double mean_there(const dataset *d, size_t i) {
    double sum = 0, weight = 0, mean = NAN;
    for (size_t k = 0; k < d->n; k++) {
        double n = d->measured[k].n;
        if (d->u[2 * k] != d->u[2 * i] || d->u[2 * k + 1] != d->u[2 * i + 1] || d->aside[k]) continue;
        sum += n * d->measured[k].value;
        weight += n;
        mean = sum / weight;
    }
    return mean;
}

static void check_points(const dataset *d) {
    double best = INFINITY, nowhere[] = {0.5, 77};
    dataset_mean m;
    for (size_t i = 0; i < d->n; i++) {
        size_t first = first_at(d, d->n, d->u + 2 * i), point = dataset_find(d, d->u + 2 * i);
        assert_int_equal(d->first[point], first);
        assert_int_equal(d->point[i] == point, d->merged || first == i);
        double mean = mean_there(d, i);
        if (isnan(mean)) continue;
        /* sums of at most 400 terms */
        check_close(dataset_mean_at(d, i).value, mean, 1e-13, 1e-13);
        best = fmin(best, mean);
    }
    assert_int_equal(dataset_find(d, nowhere), SIZE_MAX);
    check_ok(dataset_best_mean(d, &m, &error));
    check_close(m.value, best, 1e-13, 1e-13);
}

/* Points by their places, whether or not measurements of one place are one point, and when rows are taken back. */
static void points_are_found(void **state) {
    (void)state;
    for (int merged = 0; merged < 2; merged++) {
        rng r = scene_random(7);
        dataset d;
        dataset_init(&d, 2, 2, -1);
        d.merged = merged;
        for (int i = 0; i < 400; i++) {
            double u[] = {(double)rng_below(&r, 16) / 8 - 1, (double)rng_below(&r, 8) / 8};
            locbo_measurement m = {rng_normal(&r), NAN, 1 + (unsigned)rng_below(&r, 3)};
            if (u[0] == 0 && i % 2) u[0] = -0.0; /* the same place */
            check_ok(dataset_append(&d, u, u, &m, 0, &error));
            if (i % 7 == 3) dataset_set_aside(&d);
            if (i % 5 == 4) dataset_remove_last(&d);
            if (i % 40 == 39) check_points(&d);
        }
        while (d.n > 30) dataset_remove_last(&d);
        check_points(&d);
        dataset_release(&d);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_kept),         cmocka_unit_test(standardised_rows),
        cmocka_unit_test(signs_are_symmetric),   cmocka_unit_test(known_noise_is_scaled),
        cmocka_unit_test(extreme_values),        cmocka_unit_test(measurements_are_checked),
        cmocka_unit_test(weights_are_taken_off), cmocka_unit_test(a_plateau_is_not_scored),
        cmocka_unit_test(points_are_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
