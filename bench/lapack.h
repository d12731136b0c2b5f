/* lapack.h - the unit of the benchmarks: one dpotrf and one dpotri of OpenBLAS, as they are. */
#ifndef LAPACK_H
#define LAPACK_H

#include <stddef.h>

void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t uplo_len);
void dpotri_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t uplo_len);

/* The inverse of the n x n matrix a, lower triangle, in place. Returns 0 if it is not positive definite. */
static inline int lapack_inverse(size_t n, double *a) {
    int order = (int)n, info = 0;
    dpotrf_("L", &order, a, &order, &info, 1);
    if (info == 0) dpotri_("L", &order, a, &order, &info, 1);
    return info == 0;
}

#endif
