/* test_feasible.c - the probability of success: walls, odd labels, gradients. */
#include "feasible.h"

#include "scene.h"

enum { WORKED = 15, MOST = 20 };
static const size_t GROUP[] = {0, 1};
static const gp_spec SPEC = {LOCBO_KERNEL_MATERN52, 2, 2, GROUP, 1, 0};

/* What works lies at x < 0.5, the m failures at x > 0.6. */
static feasible *fitted(size_t m, int sure, uint64_t seed) {
    rng r = rng_open(seed, 1, RNG_DESIGN);
    double worked[2 * WORKED], failed[2 * MOST];
    int label[MOST];
    for (int i = 0; i < WORKED; i++) {
        worked[2 * i] = 0.5 * rng_uniform(&r);
        worked[2 * i + 1] = rng_uniform(&r);
    }
    for (size_t i = 0; i < m; i++) {
        failed[2 * i] = i == 0 ? 0.8 : 0.6 + 0.4 * rng_uniform(&r);
        failed[2 * i + 1] = i == 0 ? 0.5 : rng_uniform(&r);
        label[i] = sure;
    }
    feasible *f = NULL;
    check_ok(feasible_create(&f, &SPEC, 2, &error));
    assert_true(feasible_is_trivial(f));
    check_ok(feasible_fit(f, 0, WORKED, worked, NULL, m, failed, label, r, &error));
    assert_false(feasible_is_trivial(f));
    return f;
}

static double log_at(feasible *f, double x, double y) {
    double u[] = {x, y}, log_p;
    check_ok(feasible_log_weight(f, 1, u, &log_p, &error));
    assert_true(log_p <= 0 && isfinite(log_p));
    return log_p;
}

/* Points that failed, and those beyond them, are unlikely; points that worked stay likely. */
static void failures_repel(void **state) {
    (void)state;
    feasible *one = fitted(1, 1, 1), *many = fitted(10, 1, 1);
    double there = log_at(one, 0.8, 0.5), behind = log_at(many, 0.9, 0.1);
    check_that(there < -100, "one failure: log weight %g there", there);
    check_that(behind < -100, "ten failures: log weight %g between them", behind);
    assert_true(log_at(one, 0.2, 0.5) > log(0.9) && log_at(many, 0.2, 0.5) > log(0.9));
    feasible_destroy(one);
    feasible_destroy(many);
}

/* Three failures close together among a hundred successes around them are not noise: proposals avoid that region, and
 * only that. */
static void a_small_pocket_repels(void **state) {
    (void)state;
    enum { AROUND = 100, IN_IT = 3 };
    rng r = rng_open(3, 1, RNG_DESIGN);
    double worked[2 * AROUND], failed[2 * IN_IT] = {0.3, 0.6, 0.31, 0.6, 0.3, 0.61};
    int label[IN_IT] = {0, 0, 0};
    for (size_t i = 0; i < 2 * AROUND; i++) worked[i] = rng_uniform(&r);
    for (size_t i = 0; i < AROUND; i++) /* none inside */
        if (hypot(worked[2 * i] - 0.3, worked[2 * i + 1] - 0.6) < 0.1) worked[2 * i] = 0.9;
    feasible *f = NULL;
    check_ok(feasible_create(&f, &SPEC, 2, &error));
    check_ok(feasible_fit(f, 0, AROUND, worked, NULL, IN_IT, failed, label, r, &error));
    check_that(log_at(f, 0.3, 0.6) < -100, "log weight %g in the pocket", log_at(f, 0.3, 0.6));
    check_that(log_at(f, 0.6, 0.3) > log(0.8), "log weight %g elsewhere", log_at(f, 0.6, 0.3));
    feasible_destroy(f);
}

/* A failed trial, whose cause may be chance, says less than an infeasible one: between what works and what does not the
 * probability falls later. (At the failures themselves the fitted length scales decide.) */
static void failed_says_less_than_infeasible(void **state) {
    (void)state;
    double failed = 0, infeasible = 0, p, u[] = {0.6, 0.5};
    for (uint64_t seed = 1; seed <= 10; seed++) {
        feasible *maybe = fitted(5, 0, seed), *surely = fitted(5, 1, seed);
        check_ok(feasible_probability(maybe, 1, u, &p, &error));
        failed += p / 10;
        check_ok(feasible_probability(surely, 1, u, &p, &error));
        infeasible += p / 10;
        feasible_destroy(maybe);
        feasible_destroy(surely);
    }
    check_that(failed > infeasible, "mean p %g after failures, %g after infeasible ones", failed, infeasible);
}

static void gradients(void **state) {
    (void)state;
    rng r = scene_random(3);
    feasible *f = fitted(6, 1, 3);
    const double step = 1e-5;
    for (int i = 0; i < 50; i++) {
        double u[] = {rng_uniform(&r), rng_uniform(&r)}, log_p, grad[2];
        check_ok(feasible_log_weight_grad(f, u, &log_p, grad, &error));
        check_close(log_p, log_at(f, u[0], u[1]), 1e-10, 1e-12); /* dgemv and dgemm round apart */
        double dx = (log_at(f, u[0] + step, u[1]) - log_at(f, u[0] - step, u[1])) / (2 * step);
        double dy = (log_at(f, u[0], u[1] + step) - log_at(f, u[0], u[1] - step)) / (2 * step);
        double size = fabs(grad[0]) + fabs(grad[1]);
        check_close(grad[0], dx, 0, 1e-5 * size + 1e-6); /* as in test_surface.c */
        check_close(grad[1], dy, 0, 1e-5 * size + 1e-6);
    }
    feasible_destroy(f);
}

/* Forgotten: every point succeeds. Fitted again to the same labels: the same bits. */
static void clear_and_repeat(void **state) {
    (void)state;
    feasible *a = fitted(5, 1, 4), *b = fitted(5, 1, 4);
    check_same(log_at(a, 0.7, 0.3), log_at(b, 0.7, 0.3));
    double u[] = {0.7, 0.3}, log_p = 1, grad[] = {1, 1};
    feasible_clear(a);
    assert_true(feasible_is_trivial(a));
    assert_true(log_at(a, 0.7, 0.3) == 0);
    check_ok(feasible_log_weight_grad(a, u, &log_p, grad, &error));
    assert_true(log_p == 0 && grad[0] == 0 && grad[1] == 0);
    feasible_destroy(a);
    feasible_destroy(b);
    feasible_destroy(NULL);
}

/* Only failures, contradictions at one point: a finite answer. */
static void odd_labels(void **state) {
    (void)state;
    feasible *f = NULL;
    double same[2 * MOST];
    int sure[MOST] = {0};
    for (int i = 0; i < 2 * MOST; i++) same[i] = 0.5;
    check_ok(feasible_create(&f, &SPEC, 2, &error));
    check_ok(feasible_fit(f, 0, 0, same, NULL, 3, same, sure, rng_open(1, 1, RNG_FIT), &error));
    log_at(f, 0.5, 0.5);
    check_ok(feasible_fit(f, 0, MOST, same, NULL, MOST, same, sure, rng_open(1, 1, RNG_FIT), &error));
    double luck = log_at(f, 0.5, 0.5);
    for (int i = 0; i < MOST; i++) sure[i] = 1;
    check_ok(feasible_fit(f, 0, MOST, same, NULL, MOST, same, sure, rng_open(1, 1, RNG_FIT), &error));
    double even = log_at(f, 0.5, 0.5);
    check_that(even < log(0.5), "as many infeasible as worked: log weight %g", even);
    check_that(luck > even, "as many failed as worked: log weight %g", luck);
    feasible_destroy(f);
}

/* Of many labels it sees some: a wall, a pocket among thousands of successes, and successes next to failures are still
 * found, and replicates are counted as one row. */
static void many_labels(void **state) {
    (void)state;
    enum { MANY = 5000, FAILED = 300, LIMIT = 150 };
    static double worked[2 * MANY], failed[2 * FAILED];
    static size_t point[MANY];
    static int sure[FAILED];
    rng r = rng_open(4, 1, RNG_DESIGN);
    for (size_t i = 0; i < MANY; i++) {
        point[i] = i / 2; /* each twice */
        worked[2 * i] = i % 2 ? worked[2 * i - 2] : 0.6 * rng_uniform(&r);
        worked[2 * i + 1] = i % 2 ? worked[2 * i - 1] : rng_uniform(&r);
    }
    for (size_t i = 0; i < FAILED; i++) {
        failed[2 * i] = 0.7 + 0.3 * rng_uniform(&r);
        failed[2 * i + 1] = rng_uniform(&r);
        sure[i] = 1;
    }
    feasible *f = NULL;
    check_ok(feasible_create(&f, &SPEC, 2, &error));
    check_ok(feasible_fit(f, LIMIT, MANY, worked, point, FAILED, failed, sure, r, &error));
    check_that(log_at(f, 0.9, 0.5) < -100, "log weight %g beyond the wall", log_at(f, 0.9, 0.5));
    check_that(log_at(f, 0.3, 0.5) > log(0.8), "log weight %g before it", log_at(f, 0.3, 0.5));
    for (size_t i = 0; i < 3; i++) failed[2 * i] = 0.3 + 0.002 * (double)i, failed[2 * i + 1] = 0.6;
    check_ok(feasible_fit(f, LIMIT, MANY, worked, NULL, 3, failed, sure, r, &error));
    check_that(log_at(f, 0.302, 0.6) < log_at(f, 0.5, 0.2) - 0.1, "log weight %g in the pocket, %g elsewhere",
               log_at(f, 0.302, 0.6), log_at(f, 0.5, 0.2));
    feasible_destroy(f);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failures_repel),
        cmocka_unit_test(a_small_pocket_repels),
        cmocka_unit_test(failed_says_less_than_infeasible),
        cmocka_unit_test(gradients),
        cmocka_unit_test(clear_and_repeat),
        cmocka_unit_test(odd_labels),
        cmocka_unit_test(many_labels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
