/* linalg.h - the linear algebra we use. The one file that names BLAS and LAPACK is linalg.c.
 * Matrices are column-major with a leading dimension; "lower" means the lower triangle is
 * referenced. */
#ifndef LINALG_H
#define LINALG_H

#include <stddef.h>

/* Cholesky A = L L^T in place, lower. Returns 1 on success, 0 if A is not positive definite or not
 * finite. */
int linalg_cholesky(size_t n, double *a, size_t lda);
/* A^{-1} from its factor, in place, lower triangle only. */
void linalg_cholesky_inverse(size_t n, double *l, size_t lda);
/* x <- L^{-1} x and x <- L^{-T} x for one right side, B <- L^{-1} B and B <- L^{-T} B for m of them. */
void linalg_solve_lower(size_t n, const double *l, size_t ldl, double *x);
void linalg_solve_lower_t(size_t n, const double *l, size_t ldl, double *x);
void linalg_solve_lower_many(size_t n, size_t m, const double *l, size_t ldl, double *b, size_t ldb);
void linalg_solve_lower_t_many(size_t n, size_t m, const double *l, size_t ldl, double *b, size_t ldb);
/* L <- L^-1, its lower triangle; none of its pivots is 0. */
void linalg_invert_lower(size_t n, double *l, size_t ldl);
/* B <- L B for m columns: as a rule twice as fast as a solution with L. */
void linalg_mul_lower_many(size_t n, size_t m, const double *l, size_t ldl, double *b, size_t ldb);
/* x <- L x */
void linalg_mul_lower(size_t n, const double *l, size_t ldl, double *x);
/* C <- alpha A^T B + beta C; A is k x m, B is k x n, C is m x n. */
void linalg_gemm_tn(size_t m, size_t n, size_t k, double alpha, const double *a, size_t lda, const double *b,
                    size_t ldb, double beta, double *c, size_t ldc);
/* C <- alpha A B + beta C with A n x n symmetric, lower; B and C n x m. */
void linalg_symm(size_t n, size_t m, double alpha, const double *a, size_t lda, const double *b, size_t ldb,
                 double beta, double *c, size_t ldc);
/* C <- alpha A^T A + beta C, lower; A is k x n. */
void linalg_syrk_t(size_t n, size_t k, double alpha, const double *a, size_t lda, double beta, double *c, size_t ldc);
/* C <- alpha A A^T + beta C, lower; A is n x k. */
void linalg_syrk(size_t n, size_t k, double alpha, const double *a, size_t lda, double beta, double *c, size_t ldc);
/* A <- L^-T A L^-1, A n x n and symmetric; the lower triangle is read, all of it is written. */
void linalg_between_inverses(size_t n, const double *l, size_t ldl, double *a, size_t lda);
/* y <- alpha A x + beta y and y <- alpha A^T x + beta y; A is m x n. */
void linalg_gemv(size_t m, size_t n, double alpha, const double *a, size_t lda, const double *x, double beta,
                 double *y);
void linalg_gemv_t(size_t m, size_t n, double alpha, const double *a, size_t lda, const double *x, double beta,
                   double *y);
double linalg_dot(size_t n, const double *x, const double *y);
void linalg_axpy(size_t n, double alpha, const double *x, double *y);

#endif
