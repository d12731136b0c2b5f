/* problems.h - test problems with known optima. libm only. All are written as minimisation, as published. */
#ifndef PROBLEMS_H
#define PROBLEMS_H

#include <stddef.h>

enum { PROBLEM_MAX_DIM = 18 };

typedef struct problem {
    const char *name;
    size_t dim;
    double low[PROBLEM_MAX_DIM], high[PROBLEM_MAX_DIM];
    double optimum;                 /* smallest value in the box */
    double argmin[PROBLEM_MAX_DIM]; /* one point where it is taken */
    double (*value)(size_t dim, const double *x);
} problem;

/* By name ("branin", "hartmann6", "levy5", "ackley2", "ackley2-shifted"); NULL if there is none. */
const problem *problem_find(const char *name);
/* All of them. */
const problem *problem_list(size_t *count);

#endif
