/* test_ratio.c - Langevin chains and the likelihood ratio learnt from two samples. */
#include "check.h"

#include "ratio.h"

static const uint64_t seed = 20240614;

/* ---- chains ---- */

typedef struct bump {
    size_t columns;
    double centre, sd;
    int calls, fail_at;
} bump;

/* Log density of a bump at (centre, .., centre). */
static locbo_status bump_density(const double *x, double *value, double *grad, void *user, locbo_error *error) {
    bump *b = user;
    if (++b->calls == b->fail_at) return status_fail(error, LOCBO_ERR_NUMERIC, "call %d failed", b->calls);
    *value = 0;
    for (size_t j = 0; j < b->columns; j++) {
        double d = (x[j] - b->centre) / b->sd;
        *value -= d * d / 2;
        grad[j] = -d / b->sd;
    }
    return LOCBO_OK;
}

static void chains_stay_in_the_box_and_favour_the_density(void **state) {
    (void)state;
    enum { CHAINS = 40, STEPS = 400, KEPT = CHAINS * STEPS / 2 };
    double low[3] = {0, 0.2, 0}, high[3] = {1, 0.9, 1}, start[CHAINS * 3], past[3] = {0.1, 0.3, 0.1};
    double *sample = malloc(KEPT * 3 * sizeof *sample), mean[3] = {0}, square[3] = {0};
    bump b = {3, 0.7, 0.2, 0, 0};
    ratio_box box = {3, low, high, NULL};
    ratio_chains chains = {CHAINS, STEPS, bump_density, &b};
    rng r = rng_open(seed, 1, RNG_CHAINS);
    assert_non_null(sample);
    assert_int_equal(ratio_sample_size(&chains), KEPT);
    ratio_starts(&box, CHAINS, 1, past, &r, start);
    check_ok(ratio_sample(&chains, &box, start, &r, sample, &error));
    for (size_t i = 0; i < KEPT; i++)
        for (size_t j = 0; j < 3; j++) {
            double x = sample[i * 3 + j];
            assert_true(x >= low[j] && x <= high[j]);
            mean[j] += x / KEPT;
            square[j] += x * x / KEPT;
        }
    /* Means of N(0.7, 0.2^2) cut to the boxes: 0.6724 and 0.6463 (scipy truncnorm), sd 0.1754 and
     * 0.1530. The chain forgets in some (sd/step)^2 = 4 .. 10 steps, so the mean of 8000 is good to
     * 0.008; the step, half the bump's sd, biases by about as much. */
    check_close(mean[0], 0.6724, 0, 0.03);
    check_close(mean[1], 0.6463, 0, 0.03);
    check_close(mean[2], 0.6724, 0, 0.03);
    check_close(sqrt(square[0] - mean[0] * mean[0]), 0.1754, 0.15, 0);
    free(sample);
}

static void a_flat_density_gives_uniform_points(void **state) {
    (void)state;
    enum { CHAINS = 60, STEPS = 500, KEPT = CHAINS * STEPS / 2 };
    double low = 2, high = 4, start[CHAINS], past = 2, bins[10] = {0};
    double *sample = malloc(KEPT * sizeof *sample);
    bump b = {1, 0, 1e9, 0, 0};
    ratio_box box = {1, &low, &high, NULL};
    ratio_chains chains = {CHAINS, STEPS, bump_density, &b};
    rng r = rng_open(seed, 2, RNG_CHAINS);
    assert_non_null(sample);
    ratio_starts(&box, CHAINS, 1, &past, &r, start);
    check_ok(ratio_sample(&chains, &box, start, &r, sample, &error));
    for (size_t i = 0; i < KEPT; i++) bins[(int)fmin(9, (sample[i] - low) / (high - low) * 10)]++;
    /* Reflected noise keeps the uniform law. Forgetting takes some 50 steps: 15000/50 independent
     * draws, 30 a bin, and 4 of its standard deviations are 70 %. */
    for (int k = 0; k < 10; k++) check_close(bins[k] / KEPT, 0.1, 0.7, 0);
    free(sample);
}

static void fixed_and_held_columns_do_not_move(void **state) {
    (void)state;
    enum { CHAINS = 3, STEPS = 20, COLUMNS = 4 };
    double low[COLUMNS] = {0, 0.25, 0, 0}, high[COLUMNS] = {1, 0.25, 0.7, 0.7};
    double past[2][COLUMNS] = {{0.1, 0.9, 0.7, 0}, {0.2, 0.8, 0, 0.7}}, start[CHAINS * COLUMNS];
    double sample[CHAINS * (STEPS / 2) * COLUMNS];
    const unsigned char held[COLUMNS] = {0, 0, 1, 1};
    bump b = {COLUMNS, 0.5, 0.01, 0, 0}; /* steep: the drift is cut, and no step leaves the box */
    ratio_box box = {COLUMNS, low, high, held};
    ratio_chains chains = {CHAINS, STEPS, bump_density, &b};
    rng r = rng_open(seed, 3, RNG_CHAINS);
    ratio_starts(&box, CHAINS, 2, past[0], &r, start);
    check_ok(ratio_sample(&chains, &box, start, &r, sample, &error));
    for (size_t i = 0; i < CHAINS * (STEPS / 2); i++) {
        const double *x = sample + i * COLUMNS;
        assert_true(x[0] > 0 && x[0] < 1);
        check_same(x[1], 0.25);
        assert_true((x[2] == 0.7 && x[3] == 0) || (x[2] == 0 && x[3] == 0.7));
    }
}

static void long_chains_are_thinned(void **state) {
    (void)state;
    double low = 0, high = 1, start[2] = {0.2, 0.4}, sample[2 * 256 + 1];
    bump b = {1, 0.5, 0.2, 0, 0};
    ratio_box box = {1, &low, &high, NULL};
    for (int steps = 1; steps < 3000; steps += 1 + steps / 7) {
        ratio_chains chains = {2, steps, bump_density, &b};
        rng r = rng_open(seed, 8, RNG_CHAINS);
        size_t size = ratio_sample_size(&chains);
        assert_true(size == 2 * (size_t)((steps + 1) / 2) || size == 2 * 256);
        for (size_t i = 0; i <= size; i++) sample[i] = -1;
        check_ok(ratio_sample(&chains, &box, start, &r, sample, &error));
        for (size_t i = 0; i < size; i++) assert_true(sample[i] >= 0);
        check_same(sample[size], -1); /* exactly as many as announced */
    }
}

static void a_failing_density_ends_the_sampling(void **state) {
    (void)state;
    double low = 0, high = 1, start[2] = {0.2, 0.4}, sample[20];
    bump b = {1, 0.5, 0.1, 0, 7};
    ratio_box box = {1, &low, &high, NULL};
    ratio_chains chains = {2, 10, bump_density, &b};
    rng r = rng_open(seed, 4, RNG_CHAINS);
    check_fails(ratio_sample(&chains, &box, start, &r, sample, &error), LOCBO_ERR_NUMERIC, "call 7");
    assert_int_equal(b.calls, 7);
}

/* ---- regression ---- */

enum { SAMPLE = 20000 };

/* exp of this, against the uniform law on the unit square. */
static double log_tilt(const double *x) {
    double a = x[0] - 0.6, b = x[1] - 0.3;
    return -3 * a * a - 2 * b * b + 2 * a * b;
}

static void regression_recovers_a_known_ratio(void **state) {
    (void)state;
    double *next = malloc(2 * SAMPLE * sizeof *next), *past = malloc(2 * SAMPLE * sizeof *past);
    double low[2] = {0, 0}, high[2] = {1, 1}, mass = 0;
    rng r = rng_open(seed, 5, RNG_CHAINS);
    assert_true(next && past);
    for (size_t i = 0; i < 2 * SAMPLE; i++) past[i] = rng_uniform(&r);
    for (size_t i = 0; i < SAMPLE;) { /* rejection: the tilt is at most 0 */
        double x[2] = {rng_uniform(&r), rng_uniform(&r)};
        if (rng_uniform(&r) < exp(log_tilt(x))) memcpy(next + 2 * i++, x, sizeof x);
    }
    for (int a = 0; a < 200; a++)
        for (int b = 0; b < 200; b++) {
            double x[2] = {(a + 0.5) / 200, (b + 0.5) / 200};
            mass += exp(log_tilt(x)) / 40000;
        }
    ratio *w = NULL;
    ratio_box box = {2, low, high, NULL};
    check_ok(ratio_fit(&w, &box, SAMPLE, next, SAMPLE / 2, past, NULL, &error)); /* unequal on purpose */
    for (int a = 1; a < 10; a++)
        for (int b = 1; b < 10; b++) {
            double x[2] = {a / 10.0, b / 10.0};
            /* coefficients are good to 1/sqrt(20000 * 0.25 * feature variance) = 0.03 .. 0.05 */
            check_close(log(ratio_at(w, x)), log_tilt(x) - log(mass), 0, 0.12);
        }
    ratio_destroy(w);
    free(next);
    free(past);
}

static void separated_samples_stay_within_the_limits(void **state) {
    (void)state;
    enum { N = 50, COLUMNS = 15 }; /* above 12 columns: squares only */
    double next[N * COLUMNS], past[N * COLUMNS], low[COLUMNS], high[COLUMNS];
    rng r = rng_open(seed, 6, RNG_CHAINS);
    for (size_t j = 0; j < COLUMNS; j++) low[j] = 0, high[j] = 1;
    for (size_t i = 0; i < N * COLUMNS; i++) {
        next[i] = 0.9 + 0.1 * rng_uniform(&r);
        past[i] = 0.1 * rng_uniform(&r);
    }
    ratio *w = NULL;
    ratio_box box = {COLUMNS, low, high, NULL};
    check_ok(ratio_fit(&w, &box, N, next, N, past, NULL, &error));
    check_close(ratio_at(w, next), RATIO_LIMIT, 1e-12, 0);
    check_close(ratio_at(w, past), 1 / RATIO_LIMIT, 1e-12, 0);
    ratio_destroy(w);
}

static void without_free_columns_the_ratio_is_one(void **state) {
    (void)state;
    double low[2] = {0.3, 0}, high[2] = {0.3, 1}, next[4] = {0.3, 1, 0.3, 1}, past[2] = {0.9, 0};
    const unsigned char held[2] = {0, 1};
    ratio *w = NULL;
    ratio_box box = {2, low, high, held};
    check_ok(ratio_fit(&w, &box, 2, next, 1, past, NULL, &error));
    check_close(ratio_at(w, past), 1, 1e-9, 0);
    ratio_destroy(w);
    w = NULL;
    check_fails(ratio_fit(&w, &box, 0, next, 1, past, NULL, &error), LOCBO_ERR_ARGUMENT, "points of both p' and p");
    check_fails(ratio_fit(&w, &box, 2, next, 0, past, NULL, &error), LOCBO_ERR_ARGUMENT, "points of both p' and p");
    assert_null(w);
    ratio_destroy(NULL);
}

int main(void) {
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_stay_in_the_box_and_favour_the_density),
        cmocka_unit_test(a_flat_density_gives_uniform_points),
        cmocka_unit_test(fixed_and_held_columns_do_not_move),
        cmocka_unit_test(long_chains_are_thinned),
        cmocka_unit_test(a_failing_density_ends_the_sampling),
        cmocka_unit_test(regression_recovers_a_known_ratio),
        cmocka_unit_test(separated_samples_stay_within_the_limits),
        cmocka_unit_test(without_free_columns_the_ratio_is_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
