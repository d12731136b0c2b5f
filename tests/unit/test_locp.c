/* test_locp.c - localized online conformal prediction against the recursion written out. */
#include "check.h"

#include "locp.h"
#include "rng.h"

enum { COLUMNS = 3, LEVELS = 4, ROUNDS = 300 };

static const uint64_t seed = 20240611;

static locp_config settings(size_t levels, double power, double length, double gain, double decay) {
    return (locp_config){
        .columns = COLUMNS, .levels = levels, .steps = {0.7, power}, .length = length, .gain = gain, .decay = decay};
}

static void draw(rng *r, double *x) {
    for (size_t j = 0; j < COLUMNS; j++) x[j] = rng_uniform(r);
}

static void gain_zero_is_the_scalar_rule_bit_for_bit(void **state) {
    (void)state;
    rng r = rng_open(seed, 1, RNG_DESIGN);
    locp_config config = settings(1, 0.3, 0.25, 0, 0.5);
    locp *p = NULL;
    double c = 0.1, x[COLUMNS], threshold;
    check_ok(locp_create(&p, &config, &c, &error));
    for (uint64_t t = 1; t <= 2000; t++) {
        draw(&r, x);
        locp_thresholds(p, x, &threshold);
        check_same(threshold, c);
        int err = rng_uniform(&r) < 0.3;
        double residual = 0.1 - (double)err;
        check_ok(locp_update(p, x, &residual, &error));
        c = ocp_update(c, ocp_step(&config.steps, t), 0.1, err);
    }
    assert_int_equal(locp_rounds(p), 2000);
    locp_destroy(p);
}

/* g as the paper writes it: every coefficient is multiplied in every round. */
typedef struct naive {
    size_t n;
    double c[LEVELS], centre[ROUNDS][COLUMNS], coefficient[ROUNDS][LEVELS];
} naive;

static void naive_update(naive *g, const locp_config *k, const double *x, const double *residual) {
    double eta = k->steps.eta0 * pow((double)(g->n + 1), -k->steps.power);
    for (size_t i = 0; i < LEVELS; i++) {
        g->c[i] += eta * residual[i];
        for (size_t s = 0; s < g->n; s++) g->coefficient[s][i] *= 1 - k->decay * eta;
        g->coefficient[g->n][i] = eta * residual[i];
    }
    memcpy(g->centre[g->n++], x, sizeof g->centre[0]);
}

static double naive_threshold(const naive *g, const locp_config *k, const double *x, size_t i) {
    double sum = g->c[i];
    for (size_t s = 0; s < g->n; s++) {
        double r2 = 0;
        for (size_t j = 0; j < COLUMNS; j++) r2 += pow(x[j] - g->centre[s][j], 2);
        sum += g->coefficient[s][i] * k->gain * exp(-r2 / pow(k->length, 2));
    }
    return sum;
}

static void compare_with_naive(locp_config config, uint64_t stream) {
    rng r = rng_open(seed, stream, RNG_DESIGN);
    double start[LEVELS] = {0.1, 0.4, 0.6, 0.9}, x[COLUMNS], residual[LEVELS], got[LEVELS];
    naive *slow = calloc(1, sizeof *slow);
    locp *fast = NULL;
    assert_non_null(slow);
    memcpy(slow->c, start, sizeof start);
    check_ok(locp_create(&fast, &config, start, &error));
    for (size_t t = 0; t < ROUNDS; t++) {
        draw(&r, x);
        locp_thresholds(fast, x, got);
        for (size_t i = 0; i < LEVELS; i++) /* sums of some 300 terms of size 1: rounding 1e-13 */
            check_close(got[i], naive_threshold(slow, &config, x, i), 1e-12, 1e-12);
        for (size_t i = 0; i < LEVELS; i++) residual[i] = start[i] - (rng_uniform(&r) < 0.5);
        check_ok(locp_update(fast, x, residual, &error));
        naive_update(slow, &config, x, residual);
    }
    locp_destroy(fast);
    free(slow);
}

static void thresholds_follow_the_recursion(void **state) {
    (void)state;
    compare_with_naive(settings(LEVELS, 0.2, 0.25, 4, 4e-3), 2);
    compare_with_naive(settings(LEVELS, 0.5, 0.05, 1, 0.1), 3); /* most kernels underflow or nearly */
    compare_with_naive(settings(LEVELS, 0, 0.5, 2, 0), 4);      /* no decay */
    /* 1 - decay eta = 0.02: the scale falls below 1e-100 every 59 rounds and is multiplied in */
    compare_with_naive(settings(LEVELS, 0, 0.5, 2, 1.4), 5);
}

static void infinite_length_is_the_limit(void **state) {
    (void)state;
    rng r = rng_open(seed, 6, RNG_DESIGN);
    double start[LEVELS] = {0.1, 0.4, 0.6, 0.9}, x[COLUMNS], residual[LEVELS], a[LEVELS], b[LEVELS];
    double weight[LEVELS] = {1, 1, 1, 1}, dx[COLUMNS] = {0};
    locp_config flat = settings(LEVELS, 0.2, INFINITY, 4, 1.4), wide = flat;
    wide.length = 1e9; /* |x-x'|^2/l^2 < 3e-18: the kernel rounds to its gain */
    locp *p = NULL, *q = NULL;
    check_ok(locp_create(&p, &flat, start, &error));
    check_ok(locp_create(&q, &wide, start, &error));
    for (size_t t = 0; t < ROUNDS; t++) {
        draw(&r, x);
        for (size_t i = 0; i < LEVELS; i++) residual[i] = start[i] - (rng_uniform(&r) < 0.5);
        check_ok(locp_update(p, x, residual, &error));
        check_ok(locp_update(q, x, residual, &error));
        draw(&r, x);
        locp_thresholds(p, x, a);
        locp_thresholds(q, x, b);
        for (size_t i = 0; i < LEVELS; i++) check_close(a[i], b[i], 1e-12, 1e-12);
    }
    locp_chain(p, x, weight, dx);
    for (size_t j = 0; j < COLUMNS; j++) check_same(dx[j], 0);
    locp_destroy(p);
    locp_destroy(q);
}

static void check_gradient(size_t most) {
    rng r = rng_open(seed, 7, RNG_DESIGN);
    double start[LEVELS] = {0.1, 0.4, 0.6, 0.9}, x[COLUMNS], residual[LEVELS];
    locp_config config = settings(LEVELS, 0.2, 0.3, 4, 4e-3);
    config.most = most;
    locp *p = NULL;
    check_ok(locp_create(&p, &config, start, &error));
    for (size_t t = 0; t < 60; t++) {
        draw(&r, x);
        for (size_t i = 0; i < LEVELS; i++) residual[i] = start[i] - (rng_uniform(&r) < 0.5);
        check_ok(locp_update(p, x, residual, &error));
    }
    for (int repeat = 0; repeat < 50; repeat++) {
        double weight[LEVELS], dx[COLUMNS] = {1, 2, 3}, up[LEVELS], down[LEVELS], h = 1e-5;
        draw(&r, x);
        for (size_t i = 0; i < LEVELS; i++) weight[i] = rng_normal(&r);
        locp_chain(p, x, weight, dx);
        for (size_t j = 0; j < COLUMNS; j++) {
            double kept = x[j], slope = 0;
            x[j] = kept + h;
            locp_thresholds(p, x, up);
            x[j] = kept - h;
            locp_thresholds(p, x, down);
            x[j] = kept;
            for (size_t i = 0; i < LEVELS; i++) slope += weight[i] * (up[i] - down[i]) / (2 * h);
            /* h^2 f'''/6 with f''' of some 1e3 is 2e-8, rounding 1e-15/h = 1e-10; dx is added to */
            check_close(dx[j] - (double)(j + 1), slope, 1e-6, 1e-6);
        }
    }
    locp_destroy(p);
}

static void gradient_agrees_with_differences(void **state) {
    (void)state;
    check_gradient(0);
    check_gradient(20); /* most of the 60 rounds are merged */
}

static void far_centres_and_silly_decay_give_no_nan(void **state) {
    (void)state;
    locp_config config = settings(1, 0, 1e-3, 4, 5); /* 1 - decay eta = -2.5 */
    double start = 0.1, residual = -0.9, here[COLUMNS] = {0}, there[COLUMNS] = {1, 1, 1};
    double threshold, dx[COLUMNS] = {0}, one = 1;
    locp *p = NULL;
    check_ok(locp_create(&p, &config, &start, &error));
    for (int t = 0; t < 10; t++) check_ok(locp_update(p, here, &residual, &error));
    locp_thresholds(p, there, &threshold);
    check_close(threshold, 0.1 - 10 * 0.7 * 0.9, 1e-14, 0);
    locp_thresholds(p, here, &threshold); /* only the last centre is left */
    check_close(threshold, 0.1 - 10 * 0.7 * 0.9 - 0.7 * 0.9 * 4, 1e-14, 0);
    locp_chain(p, there, &one, dx);
    for (size_t j = 0; j < COLUMNS; j++) check_same(dx[j], 0);
    locp_destroy(p);
}

static void bad_settings_are_refused(void **state) {
    (void)state;
    struct {
        locp_config config;
        const char *words;
    } bad[] = {
        {{0, 1, {1, 0}, 1, 1, 0, 0}, "columns"},        {{1, 0, {1, 0}, 1, 1, 0, 0}, "levels"},
        {{1, 1, {-1, 0}, 1, 1, 0, 0}, "eta0"},          {{1, 1, {NAN, 0}, 1, 1, 0, 0}, "eta0"},
        {{1, 1, {1, -1}, 1, 1, 0, 0}, "step_power"},    {{1, 1, {1, 0}, 0, 1, 0, 0}, "localization"},
        {{1, 1, {1, 0}, NAN, 1, 0, 0}, "localization"}, {{1, 1, {1, 0}, 1, -1, 0, 0}, "gain"},
        {{1, 1, {1, 0}, 1, INFINITY, 0, 0}, "gain"},    {{1, 1, {1, 0}, 1, 1, -1, 0}, "decay"},
    };
    double start = 0.1;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        locp *p = NULL;
        check_fails(locp_create(&p, &bad[i].config, &start, &error), LOCBO_ERR_ARGUMENT, bad[i].words);
        assert_null(p);
    }
    locp_destroy(NULL);
}

static void a_bad_round_changes_nothing(void **state) {
    (void)state;
    locp_config config = settings(1, 0.2, 0.3, 4, 0);
    double start = 0.1, x[COLUMNS] = {0.5, 0.5, 0.5}, nowhere[COLUMNS] = {0.5, NAN, 0.5};
    double residual = 0.1, nothing = NAN, before, after;
    locp *p = NULL;
    check_ok(locp_create(&p, &config, &start, &error));
    check_ok(locp_update(p, x, &residual, &error));
    locp_thresholds(p, x, &before);
    check_fails(locp_update(p, x, &nothing, &error), LOCBO_ERR_ARGUMENT, "residual 0");
    check_fails(locp_update(p, nowhere, &residual, &error), LOCBO_ERR_ARGUMENT, "coordinate 1");
    locp_thresholds(p, x, &after);
    check_same(after, before);
    assert_int_equal(locp_rounds(p), 1);
    locp_destroy(p);
}

static void lemma_1_is_told_only_where_it_holds(void **state) {
    (void)state;
    locp_config good = {2, 1, {1.5, 0.5}, 0.25, 0.01, 0.5, 0};
    double bound;
    const char *why;
    assert_true(locp_bound(&good, 0.1, 2, 10000, &bound, &why));
    assert_null(why);
    double rho = 0.01 * sqrt(2 / exp(1.0)) / 0.25;
    double beta = 2 / 1.5 + 4 * sqrt(rho * 0.01 * sqrt(2.0)) / (1.5 * 0.5) + 2 * (2 * 0.01 + 1);
    check_close(bound, 0.1 + beta / 100 + 0.01, 1e-14, 0);

    /* rho is the largest slope of the kernel: attained at r = l/sqrt(2) */
    double r = 0.25 / sqrt(2.0);
    check_close(2 * r / (0.25 * 0.25) * 0.01 * exp(-0.5), rho, 1e-14, 0);

    struct {
        locp_config config;
        uint64_t T;
        const char *words;
    } bad[] = {
        {good, 0, "no result"},
        {{2, 1, {1.5, 0.5}, 0.25, 0, 0.5, 0}, 9, "gain"},
        {{2, 1, {1.5, 0.5}, INFINITY, 0.01, 0.5, 0}, 9, "finite localization"},
        {{2, 1, {1.5, 0.2}, 0.25, 0.01, 0.5, 0}, 9, "step_power"},
        {{2, 1, {1.5, 0.5}, 0.25, 0.01, 0, 0}, 9, "decay > 0"},
        {{2, 1, {1.5, 0.5}, 0.25, 0.01, 0.7, 0}, 9, "eta0 decay < 1"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(locp_bound(&bad[i].config, 0.1, 2, bad[i].T, &bound, &why));
        check_that(strstr(why, bad[i].words) != NULL, "'%s' lacks '%s'", why, bad[i].words);
        assert_false(locp_bound(&bad[i].config, 0.1, 2, bad[i].T, &bound, NULL));
    }
}

int main(void) {
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gain_zero_is_the_scalar_rule_bit_for_bit),
        cmocka_unit_test(thresholds_follow_the_recursion),
        cmocka_unit_test(infinite_length_is_the_limit),
        cmocka_unit_test(gradient_agrees_with_differences),
        cmocka_unit_test(far_centres_and_silly_decay_give_no_nan),
        cmocka_unit_test(bad_settings_are_refused),
        cmocka_unit_test(a_bad_round_changes_nothing),
        cmocka_unit_test(lemma_1_is_told_only_where_it_holds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
