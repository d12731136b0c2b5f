/* test_linalg.c - every wrapper against the loops it stands for, empty sizes, and matrices that
 * must be refused. */
#include "check.h"

#include <linalg.h>
#include <rng.h>

enum { N = 23, M = 7, K = 5, LD = 31 }; /* odd sizes and a leading dimension that is not the size */
static const uint64_t seed = 20240611;

/* Sums of N products of numbers below 1 in size: rounding of at most about N^2 eps, with room. */
static const double rounding = 1e-12;

static void fill(rng *r, size_t count, double *a) {
    for (size_t i = 0; i < count; i++) a[i] = 2 * rng_uniform(r) - 1;
}

/* A well-conditioned lower triangle with rubbish above the diagonal, which must not be read. */
static void fill_lower(rng *r, double *l) {
    fill(r, LD * N, l);
    for (size_t j = 0; j < N; j++) {
        l[j + j * LD] = 3 + fabs(l[j + j * LD]);
        for (size_t i = 0; i < j; i++) l[i + j * LD] = 1e6;
    }
}

static double lower(const double *l, size_t i, size_t j) { return i >= j ? l[i + j * LD] : 0; }
static double symmetric(const double *a, size_t i, size_t j) { return i >= j ? a[i + j * LD] : a[j + i * LD]; }

static void test_cholesky_and_inverse(void **state) {
    (void)state;
    print_message("seed %llu\n", (unsigned long long)seed);
    rng r = rng_open(seed, 1, RNG_DESIGN);
    double l[LD * N], a[LD * N], inverse[LD * N];
    fill_lower(&r, l);
    for (size_t j = 0; j < N; j++)
        for (size_t i = 0; i < LD; i++) {
            a[i + j * LD] = i < j ? 1e6 : 0;
            for (size_t k = 0; k < N && i < N && i >= j; k++) a[i + j * LD] += lower(l, i, k) * lower(l, j, k);
        }
    memcpy(inverse, a, sizeof a);
    assert_true(linalg_cholesky(N, inverse, LD));
    for (size_t j = 0; j < N; j++)
        for (size_t i = j; i < N; i++) check_close(inverse[i + j * LD], l[i + j * LD], 0, rounding);
    linalg_cholesky_inverse(N, inverse, LD);
    for (size_t i = 0; i < N; i++)
        for (size_t j = 0; j < N; j++) {
            double sum = 0;
            for (size_t k = 0; k < N; k++) sum += symmetric(inverse, i, k) * symmetric(a, k, j);
            check_close(sum, i == j, 0, rounding);
        }
}

static void test_cholesky_refuses(void **state) {
    (void)state;
    const double bad[] = {NAN, INFINITY, -INFINITY, -1, 0};
    for (size_t b = 0; b < 5; b++)
        for (size_t at = 0; at < 4; at++) {
            double a[] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2};
            a[at * 5] = bad[b];
            check_that(!linalg_cholesky(4, a, 4), "diagonal %zu = %g was accepted", at, bad[b]);
        }
    for (size_t b = 0; b < 3; b++) {
        double a[] = {2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2};
        a[2] = bad[b]; /* below the diagonal */
        check_that(!linalg_cholesky(4, a, 4), "an entry %g was accepted", bad[b]);
    }
    double indefinite[] = {1, 2, 2, 1};
    assert_false(linalg_cholesky(2, indefinite, 2));
}

static void test_solves(void **state) {
    (void)state;
    rng r = rng_open(seed, 2, RNG_DESIGN);
    double l[LD * N], x[LD * M], b[LD * M], bt[LD * M];
    fill_lower(&r, l);
    fill(&r, LD * M, x);
    memcpy(b, x, sizeof b);
    memcpy(bt, x, sizeof bt);
    for (size_t p = 0; p < M; p++)
        for (size_t i = 0; i < N; i++) {
            b[i + p * LD] = bt[i + p * LD] = 0;
            for (size_t k = 0; k < N; k++) {
                b[i + p * LD] += lower(l, i, k) * x[k + p * LD];
                bt[i + p * LD] += lower(l, k, i) * x[k + p * LD];
            }
        }
    double product[N];
    memcpy(product, x, sizeof product);
    linalg_mul_lower(N, l, LD, product);
    for (size_t i = 0; i < N; i++) check_close(product[i], b[i], 0, rounding);
    double one[N];
    memcpy(one, b, sizeof one);
    linalg_solve_lower(N, l, LD, one);
    for (size_t i = 0; i < N; i++) check_close(one[i], x[i], 0, rounding);
    memcpy(one, bt, sizeof one);
    linalg_solve_lower_t(N, l, LD, one);
    for (size_t i = 0; i < N; i++) check_close(one[i], x[i], 0, rounding);
    linalg_solve_lower_many(N, M, l, LD, b, LD);
    for (size_t i = 0; i < LD * M; i++) /* rows beyond N untouched */
        check_close(b[i], x[i], 0, rounding);
    linalg_solve_lower_t_many(N, M, l, LD, bt, LD);
    for (size_t i = 0; i < LD * M; i++) check_close(bt[i], x[i], 0, rounding);
}

static void test_products(void **state) {
    (void)state;
    rng r = rng_open(seed, 3, RNG_DESIGN);
    double a[LD * N], b[LD * M], c[LD * M], start[LD * M], s[LD * N], s0[LD * N];
    fill(&r, LD * N, a);
    fill(&r, LD * M, b);
    fill(&r, LD * M, start);
    fill(&r, LD * N, s0);
    memcpy(c, start, sizeof c);
    linalg_gemm_tn(N, M, K, 0.7, a, LD, b, LD, -0.3, c, LD);
    for (size_t p = 0; p < M; p++)
        for (size_t i = 0; i < N; i++) {
            double sum = -0.3 * start[i + p * LD];
            for (size_t k = 0; k < K; k++) sum += 0.7 * a[k + i * LD] * b[k + p * LD];
            check_close(c[i + p * LD], sum, 0, rounding);
        }
    memcpy(c, start, sizeof c);
    linalg_symm(N, M, 0.7, a, LD, b, LD, -0.3, c, LD);
    for (size_t p = 0; p < M; p++)
        for (size_t i = 0; i < N; i++) {
            double sum = -0.3 * start[i + p * LD];
            for (size_t k = 0; k < N; k++) sum += 0.7 * symmetric(a, i, k) * b[k + p * LD];
            check_close(c[i + p * LD], sum, 0, rounding);
        }
    memcpy(s, s0, sizeof s);
    linalg_syrk_t(N, K, 0.7, a, LD, -0.3, s, LD);
    for (size_t j = 0; j < N; j++)
        for (size_t i = 0; i < N; i++) {
            double sum = i < j ? s0[i + j * LD] : -0.3 * s0[i + j * LD]; /* the upper triangle stays */
            for (size_t k = 0; k < K && i >= j; k++) sum += 0.7 * a[k + i * LD] * a[k + j * LD];
            check_close(s[i + j * LD], sum, 0, rounding);
        }
}

static void test_vectors(void **state) {
    (void)state;
    rng r = rng_open(seed, 4, RNG_DESIGN);
    double a[LD * M], x[N], y[N], u[M];
    fill(&r, LD * M, a);
    fill(&r, N, x);
    fill(&r, N, y);
    fill(&r, M, u);
    double got[N], got_t[M], dot = 0;
    memcpy(got, y, sizeof got);
    linalg_gemv(N, M, 0.7, a, LD, u, -0.3, got);
    memcpy(got_t, u, sizeof got_t);
    linalg_gemv_t(N, M, 0.7, a, LD, x, -0.3, got_t);
    for (size_t i = 0; i < N; i++) {
        double sum = -0.3 * y[i];
        for (size_t k = 0; k < M; k++) sum += 0.7 * a[i + k * LD] * u[k];
        check_close(got[i], sum, 0, rounding);
        dot += x[i] * y[i];
    }
    for (size_t k = 0; k < M; k++) {
        double sum = -0.3 * u[k];
        for (size_t i = 0; i < N; i++) sum += 0.7 * a[i + k * LD] * x[i];
        check_close(got_t[k], sum, 0, rounding);
    }
    check_close(linalg_dot(N, x, y), dot, 0, rounding);
    memcpy(got, y, sizeof got);
    linalg_axpy(N, 0.7, x, got);
    for (size_t i = 0; i < N; i++) check_close(got[i], y[i] + 0.7 * x[i], 0, rounding);
}

static void test_empty(void **state) {
    (void)state;
    double a[4] = {1, 2, 3, 4}, c[4] = {1, 1, NAN, 1};
    assert_true(linalg_cholesky(0, a, 0));
    linalg_cholesky_inverse(0, a, 0);
    linalg_solve_lower(0, a, 0, a);
    linalg_solve_lower_t(0, a, 0, a);
    linalg_solve_lower_many(0, 2, a, 0, a, 0);
    linalg_mul_lower(0, a, 0, a);
    linalg_symm(0, 1, 1, a, 0, a, 0, 0, a, 0);
    check_same(linalg_dot(0, a, a), 0.0);
    linalg_axpy(0, 1, a, a);
    linalg_gemm_tn(0, 2, 1, 1, a, 1, a, 1, 0, a, 0);
    for (size_t i = 0; i < 4; i++) check_same(a[i], (double)(i + 1));
    /* no inner dimension: only beta is left, and beta = 0 clears even a NaN */
    linalg_gemm_tn(2, 1, 0, 1, a, 0, a, 0, 3, c, 2);
    linalg_gemm_tn(1, 1, 0, 1, a, 0, a, 0, 0, c + 2, 1);
    check_same(c[0], 3.0);
    check_same(c[1], 3.0);
    check_same(c[2], 0.0);
    linalg_syrk_t(2, 0, 1, a, 0, 0.5, c, 2);
    check_same(c[0], 1.5);
    check_same(c[2], 0.0);
    linalg_gemv(2, 0, 1, a, 2, a, 2, c);
    check_same(c[0], 3.0);
    linalg_gemv_t(0, 2, 1, a, 1, a, 2, c);
    check_same(c[0], 6.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_cholesky_and_inverse),
                                       cmocka_unit_test(test_cholesky_refuses),
                                       cmocka_unit_test(test_solves),
                                       cmocka_unit_test(test_products),
                                       cmocka_unit_test(test_vectors),
                                       cmocka_unit_test(test_empty)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
