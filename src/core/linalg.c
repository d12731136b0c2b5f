/* linalg.c - short names for the BLAS and LAPACK routines we use. Layer: core, bottom.
 *
 * Nearly everything is one call of OpenBLAS; what this file adds is the conversion of sizes, empty
 * matrices (a leading dimension of 0 is an error to BLAS, and a GP may have no rows), a Cholesky
 * that also refuses matrices that are not finite, and a lock: OpenBLAS built without threads does
 * not guard its scratch memory, so two threads that call it at once get wrong numbers.
 * The lock is the only state of the library that is not in an object. Level 1 needs no scratch.
 * Cost: that of the routine. */
#include "linalg.h"

#include <cblas.h>
#include <math.h>
#include <pthread.h>

/* Debian's OpenBLAS has LAPACK inside, but no C header of it. Fortran passes the length of a
 * character argument last. */
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t uplo_len);
void dtrtri_(const char *uplo, const char *diag, const int *n, double *a, const int *lda, int *info, size_t uplo_len,
             size_t diag_len);
void dlauum_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t uplo_len);

static pthread_mutex_t scratch = PTHREAD_MUTEX_INITIALIZER;

#define LOCKED(call)                                                                                                   \
    do {                                                                                                               \
        pthread_mutex_lock(&scratch);                                                                                  \
        call;                                                                                                          \
        pthread_mutex_unlock(&scratch);                                                                                \
    } while (0)

int linalg_cholesky(size_t n, double *a, size_t lda) {
    if (n == 0) return 1;
    int order = (int)n, stride = (int)lda, info = 0;
    LOCKED(dpotrf_("L", &order, a, &stride, &info, 1));
    if (info != 0) return 0;
    /* A NaN passes dpotrf's test of the pivot, but every NaN of row i reaches pivot i. */
    for (size_t i = 0; i < n; i++)
        if (!(isfinite(a[i + i * lda]) && a[i + i * lda] > 0)) return 0;
    return 1;
}

/* L^-1 in place, by halves: [A 0; B C]^-1 = [A^-1 0; -C^-1 B A^-1 C^-1]. OpenBLAS's own dtrtri goes column by column up
 * to some hundred rows, and this is several times as fast. */
static void invert_lower(int n, double *l, int lda) {
    enum { SMALL = 32 };
    int info = 0, half = (n / 2 + 7) / 8 * 8, rest = n - half;
    if (n <= SMALL) {
        dtrtri_("L", "N", &n, l, &lda, &info, 1, 1); /* fails only for a zero pivot, which cholesky excludes */
        return;
    }
    double *b = l + half, *c = b + (size_t)half * (size_t)lda;
    invert_lower(half, l, lda);
    invert_lower(rest, c, lda);
    cblas_dtrmm(CblasColMajor, CblasRight, CblasLower, CblasNoTrans, CblasNonUnit, rest, half, 1, l, lda, b, lda);
    cblas_dtrmm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, rest, half, -1, c, lda, b, lda);
}

/* L^-T L^-1: what dpotri does. */
static void invert_product(size_t n, double *l, size_t lda) {
    int order = (int)n, stride = (int)lda, info = 0;
    invert_lower(order, l, stride);
    dlauum_("L", &order, l, &stride, &info, 1);
}

void linalg_cholesky_inverse(size_t n, double *l, size_t lda) {
    if (n == 0) return;
    LOCKED(invert_product(n, l, lda));
}

void linalg_solve_lower(size_t n, const double *l, size_t ldl, double *x) {
    if (n == 0) return;
    LOCKED(cblas_dtrsv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, (int)n, l, (int)ldl, x, 1));
}

void linalg_solve_lower_t(size_t n, const double *l, size_t ldl, double *x) {
    if (n == 0) return;
    LOCKED(cblas_dtrsv(CblasColMajor, CblasLower, CblasTrans, CblasNonUnit, (int)n, l, (int)ldl, x, 1));
}

void linalg_solve_lower_many(size_t n, size_t m, const double *l, size_t ldl, double *b, size_t ldb) {
    if (n == 0 || m == 0) return;
    LOCKED(cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, (int)n, (int)m, 1, l, (int)ldl,
                       b, (int)ldb));
}

void linalg_solve_lower_t_many(size_t n, size_t m, const double *l, size_t ldl, double *b, size_t ldb) {
    if (n == 0 || m == 0) return;
    LOCKED(cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, (int)n, (int)m, 1, l, (int)ldl,
                       b, (int)ldb));
}

void linalg_invert_lower(size_t n, double *l, size_t ldl) {
    if (n == 0) return;
    LOCKED(invert_lower((int)n, l, (int)ldl));
}

void linalg_mul_lower_many(size_t n, size_t m, const double *l, size_t ldl, double *b, size_t ldb) {
    if (n == 0 || m == 0) return;
    LOCKED(cblas_dtrmm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, (int)n, (int)m, 1, l, (int)ldl,
                       b, (int)ldb));
}

void linalg_mul_lower(size_t n, const double *l, size_t ldl, double *x) {
    if (n == 0) return;
    LOCKED(cblas_dtrmv(CblasColMajor, CblasLower, CblasNoTrans, CblasNonUnit, (int)n, l, (int)ldl, x, 1));
}

/* BLAS returns without applying beta when k = 0, so products of empty matrices are done here. */
static void scale_matrix(size_t m, size_t n, double beta, double *c, size_t ldc) {
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < m; i++) c[i + j * ldc] = beta == 0 ? 0 : beta * c[i + j * ldc];
}

void linalg_gemm_tn(size_t m, size_t n, size_t k, double alpha, const double *a, size_t lda, const double *b,
                    size_t ldb, double beta, double *c, size_t ldc) {
    if (m == 0 || n == 0) return;
    if (k == 0) {
        scale_matrix(m, n, beta, c, ldc);
        return;
    }
    LOCKED(cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, (int)m, (int)n, (int)k, alpha, a, (int)lda, b, (int)ldb,
                       beta, c, (int)ldc));
}

void linalg_symm(size_t n, size_t m, double alpha, const double *a, size_t lda, const double *b, size_t ldb,
                 double beta, double *c, size_t ldc) {
    if (n == 0 || m == 0) return;
    LOCKED(cblas_dsymm(CblasColMajor, CblasLeft, CblasLower, (int)n, (int)m, alpha, a, (int)lda, b, (int)ldb, beta, c,
                       (int)ldc));
}

static void syrk(CBLAS_TRANSPOSE how, size_t n, size_t k, double alpha, const double *a, size_t lda, double beta,
                 double *c, size_t ldc) {
    if (n == 0) return;
    if (k == 0) {
        for (size_t j = 0; j < n; j++) scale_matrix(n - j, 1, beta, c + j + j * ldc, ldc);
        return;
    }
    LOCKED(cblas_dsyrk(CblasColMajor, CblasLower, how, (int)n, (int)k, alpha, a, (int)lda, beta, c, (int)ldc));
}

void linalg_syrk_t(size_t n, size_t k, double alpha, const double *a, size_t lda, double beta, double *c, size_t ldc) {
    syrk(CblasTrans, n, k, alpha, a, lda, beta, c, ldc);
}

void linalg_syrk(size_t n, size_t k, double alpha, const double *a, size_t lda, double beta, double *c, size_t ldc) {
    syrk(CblasNoTrans, n, k, alpha, a, lda, beta, c, ldc);
}

static void solve_both_sides(int n, const double *l, int ldl, double *a, int lda) {
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasTrans, CblasNonUnit, n, n, 1, l, ldl, a, lda);
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasNoTrans, CblasNonUnit, n, n, 1, l, ldl, a, lda);
}

void linalg_between_inverses(size_t n, const double *l, size_t ldl, double *a, size_t lda) {
    if (n == 0) return;
    for (size_t j = 0; j < n; j++)
        for (size_t i = j + 1; i < n; i++) a[j + i * lda] = a[i + j * lda];
    LOCKED(solve_both_sides((int)n, l, (int)ldl, a, (int)lda));
}

void linalg_gemv(size_t m, size_t n, double alpha, const double *a, size_t lda, const double *x, double beta,
                 double *y) {
    if (m == 0) return;
    if (n == 0) {
        scale_matrix(m, 1, beta, y, m);
        return;
    }
    LOCKED(cblas_dgemv(CblasColMajor, CblasNoTrans, (int)m, (int)n, alpha, a, (int)lda, x, 1, beta, y, 1));
}

void linalg_gemv_t(size_t m, size_t n, double alpha, const double *a, size_t lda, const double *x, double beta,
                   double *y) {
    if (n == 0) return;
    if (m == 0) {
        scale_matrix(n, 1, beta, y, n);
        return;
    }
    LOCKED(cblas_dgemv(CblasColMajor, CblasTrans, (int)m, (int)n, alpha, a, (int)lda, x, 1, beta, y, 1));
}

double linalg_dot(size_t n, const double *x, const double *y) { return cblas_ddot((int)n, x, 1, y, 1); }

void linalg_axpy(size_t n, double alpha, const double *x, double *y) { cblas_daxpy((int)n, alpha, x, 1, y, 1); }
