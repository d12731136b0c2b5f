/* test_recalibrate.c - OCBO's levels: the corrected update, what the law sees, the set shown. */
#include "check.h"

#include "law.h"
#include "normal.h"
#include "recalibrate.h"
#include "rng.h"

enum { COLUMNS = 2, M = 19 };

static const uint64_t seed = 20240612;

static recalibrate *make(double eta0, double power, double gain) {
    locp_config config = {COLUMNS, M, {eta0, power}, 0.25, gain, 4e-3, 0};
    recalibrate *r = NULL;
    check_ok(recalibrate_create(&r, &config, &error));
    return r;
}

static void starts_as_the_model(void **state) {
    (void)state;
    recalibrate *r = make(0.1, 0, 4);
    double x[COLUMNS] = {0.2, 0.9}, shape[M], low, high;
    recalibrate_shape(r, x, 3.4, shape);
    for (int i = 0; i < M; i++) {
        check_close(recalibrate_levels(r)[i], 0.05 * (i + 1), 1e-15, 0);
        check_same(shape[i], recalibrate_levels(r)[i]);
    }
    recalibrate_set(r, x, 0.1, &low, &high); /* on the grid; 0.95 and 1-0.05 may differ by an ulp */
    check_close(high, normal_isf(0.05), 1e-13, 0);
    check_close(low, -high, 1e-13, 0);
    recalibrate_set(r, x, 0.01, &low, &high); /* between the last level and the end knot: R(u) = u too */
    check_close(high, normal_isf(0.005), 1e-11, 0);
    recalibrate_destroy(r);
}

/* The stream is wider than the model and off its centre. */
static void levels_reach_their_coverage_and_the_printed_rule_its_opposite(void **state) {
    (void)state;
    enum { T = 20000 };
    rng s = rng_open(seed, 1, RNG_DESIGN);
    recalibrate *r = make(0.05, 0, 0);
    double x[COLUMNS] = {0.5, 0.5}, R[M], printed[M], below[M] = {0}, printed_below[M] = {0};
    memcpy(printed, recalibrate_levels(r), sizeof printed);
    for (int t = 0; t < T; t++) {
        double z = 0.5 + 2 * rng_normal(&s);
        recalibrate_raw(r, x, R);
        for (int i = 0; i < M; i++) {
            double a = recalibrate_levels(r)[i];
            below[i] += z <= (R[i] <= 0 ? -INFINITY : R[i] >= 1 ? INFINITY : normal_quantile(R[i]));
            double q = printed[i] <= 0 ? -INFINITY : printed[i] >= 1 ? INFINITY : normal_quantile(printed[i]);
            printed_below[i] += z <= q;
            printed[i] -= 0.05 * (a - (z > q)); /* eq: OCBO update rule 1 */
        }
        check_ok(recalibrate_update(r, x, z, 0.2, NULL, &error));
    }
    ocp_steps steps = {0.05, 0};
    for (int i = 0; i < M; i++) {
        double a = recalibrate_levels(r)[i];
        /* a deterministic bound, not a statistical one: (1 + eta)/(eta T) = 0.001 */
        check_close(below[i] / T, a, 0, ocp_bound(&steps, T));
        check_close(printed_below[i] / T, 1 - a, 0, ocp_bound(&steps, T));
    }
    recalibrate_destroy(r);
}

static void law_sees_sorted_levels_within_limits(void **state) {
    (void)state;
    rng s = rng_open(seed, 2, RNG_DESIGN);
    recalibrate *r = make(0.6, 0, 4);
    double shape[M], raw[M], x[COLUMNS];
    int crossed = 0, outside = 0;
    for (int t = 0; t < 200; t++) {
        x[0] = rng_uniform(&s);
        x[1] = rng_uniform(&s);
        recalibrate_raw(r, x, raw);
        recalibrate_shape(r, x, 3.4, shape);
        for (int i = 0; i < M; i++) {
            assert_true(shape[i] >= normal_sf(3.4) && shape[i] <= normal_cdf(3.4));
            assert_true(i == 0 || shape[i] >= shape[i - 1]);
            crossed += i > 0 && raw[i] < raw[i - 1];
            outside += raw[i] < 0 || raw[i] > 1;
        }
        check_ok(recalibrate_update(r, x, 3 * rng_normal(&s), 0.2, NULL, &error));
    }
    check_that(crossed > 0 && outside > 0, "the test saw no crossing or no level outside [0,1]");
    recalibrate_destroy(r);
}

static void chain_agrees_with_differences(void **state) {
    (void)state;
    rng s = rng_open(seed, 3, RNG_DESIGN);
    recalibrate *r = make(0.2, 0.2, 1);
    double x[COLUMNS], weight[M], up[M], down[M], h = 1e-6;
    int tested = 0;
    for (int t = 0; t < 40; t++) {
        x[0] = rng_uniform(&s);
        x[1] = rng_uniform(&s);
        check_ok(recalibrate_update(r, x, 1.5 * rng_normal(&s), 0.2, NULL, &error));
    }
    for (int repeat = 0; repeat < 50; repeat++) {
        double dx[COLUMNS] = {0};
        x[0] = rng_uniform(&s);
        x[1] = rng_uniform(&s);
        for (int i = 0; i < M; i++) weight[i] = rng_normal(&s);
        recalibrate_chain(r, x, 3.4, weight, dx);
        for (int j = 0; j < COLUMNS; j++) {
            double kept = x[j], slope = 0, one_sided = 0, here[M];
            recalibrate_shape(r, x, 3.4, here);
            x[j] = kept + h;
            recalibrate_shape(r, x, 3.4, up);
            x[j] = kept - h;
            recalibrate_shape(r, x, 3.4, down);
            x[j] = kept;
            for (int i = 0; i < M; i++) {
                slope += weight[i] * (up[i] - down[i]) / (2 * h);
                one_sided += weight[i] * (up[i] - here[i]) / h;
            }
            if (fabs(slope - one_sided) > 1e-2 * (1 + fabs(slope))) continue; /* a kink is near */
            /* rounding 1e-15/h = 1e-9 each; kinks left over are below the test above */
            check_close(dx[j], slope, 1e-2, 1e-3);
            tested++;
        }
    }
    check_that(tested > 80, "only %d directions were away from kinks", tested);
    recalibrate_destroy(r);
}

static void sets_beyond_the_levels_are_unbounded_or_empty(void **state) {
    (void)state;
    double x[COLUMNS] = {0, 0}, low, high;
    locp_config config = {COLUMNS, 1, {1.4, 0}, 0.25, 0, 0, 0};
    recalibrate *r = NULL;
    check_ok(recalibrate_create(&r, &config, &error));
    check_ok(recalibrate_update(r, x, 0, 0.2, NULL, &error)); /* a tie: z = q(1/2) = 0 counts as below */
    recalibrate_raw(r, x, &low);
    check_close(low, -0.2, 1e-14, 0);
    check_ok(recalibrate_update(r, x, -50, 0.2, NULL, &error)); /* nothing is below -inf: up by 0.7 */
    check_ok(recalibrate_update(r, x, -50, 0.2, NULL, &error)); /* R(1/2) = -0.2, so R(0.55) = -0.08 */
    recalibrate_set(r, x, 0.9, &low, &high);
    assert_true(low == INFINITY && high == -INFINITY);
    recalibrate_set(r, x, 0.1, &low, &high); /* R(0.05) = -0.02, R(0.95) = -0.2 + 0.9 1.2 */
    assert_true(low == -INFINITY);
    check_close(high, normal_quantile(0.88), 1e-13, 0);
    recalibrate_destroy(r);

    r = make(0.5, 0, 0);
    for (int t = 0; t < 20; t++) check_ok(recalibrate_update(r, x, t % 2 ? 50 : -50, 0.2, NULL, &error));
    recalibrate_set(r, x, 0.1, &low, &high);
    assert_true(low == -INFINITY && high == INFINITY);
    recalibrate_destroy(r);
}

static void bad_settings_are_refused(void **state) {
    (void)state;
    recalibrate *r = NULL;
    locp_config config = {COLUMNS, 0, {0.1, 0}, 0.25, 0, 0, 0};
    check_fails(recalibrate_create(&r, &config, &error), LOCBO_ERR_ARGUMENT, "levels");
    config.levels = LAW_MAX_SHAPE + 1;
    check_fails(recalibrate_create(&r, &config, &error), LOCBO_ERR_ARGUMENT, "levels");
    config.levels = LAW_MAX_SHAPE;
    config.steps.eta0 = -1;
    check_fails(recalibrate_create(&r, &config, &error), LOCBO_ERR_ARGUMENT, "eta0");
    assert_null(r);
    recalibrate_destroy(NULL);
}

int main(void) {
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(starts_as_the_model),
        cmocka_unit_test(levels_reach_their_coverage_and_the_printed_rule_its_opposite),
        cmocka_unit_test(law_sees_sorted_levels_within_limits),
        cmocka_unit_test(chain_agrees_with_differences),
        cmocka_unit_test(sets_beyond_the_levels_are_unbounded_or_empty),
        cmocka_unit_test(bad_settings_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
