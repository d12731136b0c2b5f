/* kernel.c - Matern-5/2, Matern-3/2 and squared exponential correlations (eq:matern_kernel) as
 * functions of r2, the squared distance in units of the length scales. Layer: core, above linalg.
 *
 *     matern52  k = (1 + s + s^2/3) e^-s,  s = sqrt(5 r2),  dk/dr2 = -(5/6) (1 + s) e^-s
 *     matern32  k = (1 + s) e^-s,          s = sqrt(3 r2),  dk/dr2 = -(3/2) e^-s
 *     rbf       k = e^(-r2/2),                              dk/dr2 = -k/2
 *
 * Distances come from r2_ij = |z_i|^2 + |z_j|^2 - 2 z_i.z_j, one BLAS product for all of them.
 * Cost: 1-2 ns per correlation with AVX2. That needs a vector exponential: glibc's libmvec has one,
 * within 4 ulp, which the compiler uses once it is told that exp has simd versions. Elsewhere the
 * same loops call the scalar exp. */
#include "kernel.h"

#include <math.h>

#include "linalg.h"

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__)
extern double exp(double) __attribute__((simd("notinbranch"), const));
/* One version per instruction set, chosen when the program is loaded. Sanitizers instrument the
 * choice, which runs before they are ready. */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define CLONES __attribute__((target_clones("avx2", "default")))
#endif
#endif
#ifndef CLONES
#define CLONES
#endif

/* Element i depends on element i only, also when k is r2. */
#if defined(__clang__)
#define EACH_ALONE _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define EACH_ALONE _Pragma("GCC ivdep")
#else
#define EACH_ALONE
#endif

/* max(r2, 0), exactly; without the comparison, which the compiler would turn into a branch around
 * exp. */
static inline double not_negative(double r2) { return 0.5 * (r2 + fabs(r2)); }

CLONES static void matern52(size_t n, const double *r2, double *k) {
    EACH_ALONE
    for (size_t i = 0; i < n; i++) {
        double s2 = 5 * not_negative(r2[i]), s = sqrt(s2);
        k[i] = (1 + s + s2 * (1.0 / 3)) * exp(-s);
    }
}

CLONES static void matern52_slope(size_t n, const double *r2, double *k, double *slope) {
    EACH_ALONE
    for (size_t i = 0; i < n; i++) {
        double s2 = 5 * not_negative(r2[i]), s = sqrt(s2), e = exp(-s);
        slope[i] = (-5.0 / 6) * (1 + s) * e;
        k[i] = (1 + s + s2 * (1.0 / 3)) * e;
    }
}

CLONES static void matern32(size_t n, const double *r2, double *k) {
    EACH_ALONE
    for (size_t i = 0; i < n; i++) {
        double s = sqrt(3 * not_negative(r2[i]));
        k[i] = (1 + s) * exp(-s);
    }
}

CLONES static void matern32_slope(size_t n, const double *r2, double *k, double *slope) {
    EACH_ALONE
    for (size_t i = 0; i < n; i++) {
        double s = sqrt(3 * not_negative(r2[i])), e = exp(-s);
        slope[i] = -1.5 * e;
        k[i] = (1 + s) * e;
    }
}

CLONES static void rbf(size_t n, const double *r2, double *k) {
    EACH_ALONE
    for (size_t i = 0; i < n; i++) k[i] = exp(-0.5 * not_negative(r2[i]));
}

CLONES static void rbf_slope(size_t n, const double *r2, double *k, double *slope) {
    EACH_ALONE
    for (size_t i = 0; i < n; i++) {
        double e = exp(-0.5 * not_negative(r2[i]));
        slope[i] = -0.5 * e;
        k[i] = e;
    }
}

void kernel_eval(locbo_kernel family, size_t n, const double *r2, double *k, double *slope) {
    switch (family) {
    case LOCBO_KERNEL_MATERN52:
        if (slope)
            matern52_slope(n, r2, k, slope);
        else
            matern52(n, r2, k);
        return;
    case LOCBO_KERNEL_MATERN32:
        if (slope)
            matern32_slope(n, r2, k, slope);
        else
            matern32(n, r2, k);
        return;
    case LOCBO_KERNEL_RBF:
        if (slope)
            rbf_slope(n, r2, k, slope);
        else
            rbf(n, r2, k);
        return;
    }
}

void kernel_scale(size_t n, size_t columns, const double *x, const double *inv_length, double *z, double *norm) {
    for (size_t i = 0; i < n; i++) {
        double sum = 0;
        for (size_t c = 0; c < columns; c++) {
            double value = (x[i * columns + c] - 0.5) * inv_length[c];
            z[i * columns + c] = value;
            sum += value * value;
        }
        norm[i] = sum;
    }
}

void kernel_gram(locbo_kernel family, size_t n, size_t columns, const double *z, const double *norm, double *k,
                 size_t ldk, double *slope) {
    linalg_syrk_t(n, columns, -2, z, columns, 0, k, ldk);
    for (size_t j = 0; j < n; j++) {
        double *r2 = k + j * ldk, own = norm[j];
        for (size_t i = j; i < n; i++) r2[i] += norm[i] + own;
        r2[j] = own - own; /* exactly 0, or NaN if the point is not finite */
        kernel_eval(family, n - j, r2 + j, r2 + j, slope ? slope + j * ldk + j : NULL);
    }
}

void kernel_cross(locbo_kernel family, size_t n, size_t m, size_t columns, const double *z, const double *norm,
                  const double *z_other, const double *norm_other, double *k, size_t ldk, double *slope) {
    linalg_gemm_tn(n, m, columns, -2, z, columns, z_other, columns, 0, k, ldk);
    for (size_t j = 0; j < m; j++) {
        double *r2 = k + j * ldk, own = norm_other[j];
        for (size_t i = 0; i < n; i++) r2[i] += norm[i] + own;
        kernel_eval(family, n, r2, r2, slope ? slope + j * ldk : NULL);
    }
}
