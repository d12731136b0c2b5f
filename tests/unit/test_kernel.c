/* test_kernel.c - correlations and slopes against long double, distances against loops. */
#include "check.h"

#include <kernel.h>
#include <rng.h>

static const uint64_t seed = 71;

static long double exact(locbo_kernel family, long double r2, long double *slope) {
    if (family == LOCBO_KERNEL_RBF) {
        *slope = -expl(-r2 / 2) / 2;
        return expl(-r2 / 2);
    }
    if (family == LOCBO_KERNEL_MATERN32) {
        long double t = sqrtl(3 * r2);
        *slope = -1.5L * expl(-t);
        return (1 + t) * expl(-t);
    }
    long double s = sqrtl(5 * r2);
    *slope = -5 * (1 + s) * expl(-s) / 6;
    return (1 + s + s * s / 3) * expl(-s);
}

/* 4 ulp of the vector exponential, 4 roundings around it, and the rounding of its argument, which
 * counts s times (s < 120 here). */
static double tolerance(double r2) { return (8 + 2 * sqrt(5 * r2)) * 2.3e-16; }
static double rbf_tolerance(double r2) { return (8 + r2) * 2.3e-16; }

static void test_values(void **state) {
    (void)state;
    print_message("seed %llu\n", (unsigned long long)seed);
    enum { N = 4099 }; /* not a multiple of any vector length */
    static double r2[N], k[N], slope[N], alone[N];
    rng r = rng_open(seed, 0, RNG_DESIGN);
    for (size_t i = 0; i < N; i++) r2[i] = pow(10, -18 + 21 * rng_uniform(&r));
    r2[0] = 0;
    r2[7] = 5e-324;
    for (int family = 0; family < 3; family++) {
        kernel_eval((locbo_kernel)family, N, r2, k, slope);
        kernel_eval((locbo_kernel)family, N, r2, alone, NULL);
        check_same(k[0], 1.0);
        for (size_t i = 0; i < N; i++) {
            long double slope_exact, k_exact = exact((locbo_kernel)family, r2[i], &slope_exact);
            double rel = family == LOCBO_KERNEL_RBF ? rbf_tolerance(r2[i]) : tolerance(r2[i]);
            check_close(k[i], (double)k_exact, rel, 0);
            check_close(slope[i], (double)slope_exact, rel, 0);
            check_close(alone[i], (double)k_exact, rel, 0);
        }
    }
}

static void test_extremes(void **state) {
    (void)state;
    double r2[] = {-1e-12, -0.0, 1e6, 1e300, NAN, -1e-12, -0.0, 1e6, 1e300}, k[9], slope[9];
    for (int family = 0; family < 3; family++) {
        kernel_eval((locbo_kernel)family, 9, r2, k, slope);
        for (size_t i = 0; i < 9; i++) {
            if (i == 4) {
                assert_true(isnan(k[i]));
            } else if (i % 5 < 2) { /* rounding below zero is zero */
                check_same(k[i], 1.0);
            } else {
                check_same(k[i], 0.0);
                check_close(slope[i], 0, 0, 0);
            }
        }
    }
    kernel_eval(LOCBO_KERNEL_RBF, 0, NULL, NULL, NULL);
}

static void test_in_place(void **state) {
    (void)state;
    for (size_t n = 1; n < 40; n++)
        for (int family = 0; family < 3; family++) {
            double r2[40], k[40], slope[40], both[40];
            for (size_t i = 0; i < n; i++) r2[i] = both[i] = 0.3 * (double)i;
            kernel_eval((locbo_kernel)family, n, r2, k, NULL);
            kernel_eval((locbo_kernel)family, n, both, both, slope);
            for (size_t i = 0; i < n; i++) check_close(both[i], k[i], 1e-15, 0); /* 4 ulp each */
        }
}

/* gram and cross against distances taken entry by entry. */
static void test_matrices(void **state) {
    (void)state;
    enum { N = 37, M = 11, D = 5, LD = 41 };
    double x[N * D], q[M * D], inv[D], z[N * D], norm[N], zq[M * D], norm_q[M];
    static double k[LD * N], s[LD * N], c[LD * M], cs[LD * M];
    rng r = rng_open(seed, 1, RNG_DESIGN);
    for (size_t i = 0; i < N * D; i++) x[i] = rng_uniform(&r);
    for (size_t i = 0; i < M * D; i++) q[i] = i < 2 * D ? x[i] : rng_uniform(&r); /* two points equal */
    for (size_t i = 0; i < D; i++) inv[i] = 0.3 * (double)(i + 1);
    kernel_scale(N, D, x, inv, z, norm);
    kernel_scale(M, D, q, inv, zq, norm_q);
    kernel_gram(LOCBO_KERNEL_MATERN52, N, D, z, norm, k, LD, s);
    kernel_cross(LOCBO_KERNEL_MATERN52, N, M, D, z, norm, zq, norm_q, c, LD, cs);
    for (size_t j = 0; j < N; j++)
        for (size_t i = j; i < N; i++) {
            double r2 = 0, k1, s1;
            for (size_t d = 0; d < D; d++) r2 += pow((x[i * D + d] - x[j * D + d]) * inv[d], 2);
            kernel_eval(LOCBO_KERNEL_MATERN52, 1, &r2, &k1, &s1);
            /* |z|^2 < 4: the expanded square is right to some eps of that, and the derivatives of k
             * and slope are below 3 */
            check_close(k[i + j * LD], k1, 0, 1e-14);
            check_close(s[i + j * LD], s1, 0, 1e-14);
            if (j >= M) continue;
            double r2q = 0;
            for (size_t d = 0; d < D; d++) r2q += pow((x[i * D + d] - q[j * D + d]) * inv[d], 2);
            kernel_eval(LOCBO_KERNEL_MATERN52, 1, &r2q, &k1, &s1);
            check_close(c[i + j * LD], k1, 0, 1e-14);
            check_close(cs[i + j * LD], s1, 0, 1e-14);
        }
    for (size_t i = 0; i < N; i++) check_same(k[i + i * LD], 1.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_values), cmocka_unit_test(test_extremes),
                                       cmocka_unit_test(test_in_place), cmocka_unit_test(test_matrices)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
