/* spread.c - what all problems share: the kinds of their parameters, their value, how far a point is from the optimum,
 * how much they vary over the box. Layer: problems. Cost: problem_spread 2048 values. */
#include "problems.h"

#include <math.h>
#include <stdlib.h>

#include "draw.h"
#include "number.h"

/* With more parameters than MOST_EVEN the steps of neighbours are almost equal, and their coordinates go together: the
 * points are random ones, always the same. */
enum { POINTS = 2048, MOST_EVEN = 20, STREAM_POINTS = 1 };

problem_kind problem_kind_of(const problem *p, size_t i) { return p->kinds ? (problem_kind)p->kinds[i] : PROBLEM_REAL; }

int problem_when(const problem *p, size_t i) { return p->kinds && p->kinds[p->dim] ? p->kinds[p->dim + i] - '1' : -1; }

int problem_counts(const problem *p, size_t i, const double *x) {
    int when = problem_when(p, i);
    return when < 0 || (int)x[0] == when;
}

size_t problem_choices(const problem *p, size_t i) { return (size_t)(p->high[i] - p->low[i]) + 1; }

void problem_from_unit(const problem *p, const double *u, double *x) {
    for (size_t i = 0; i < p->dim; i++) {
        if (problem_kind_of(p, i) == PROBLEM_REAL)
            x[i] = p->low[i] + (p->high[i] - p->low[i]) * u[i];
        else
            x[i] = fmin(p->low[i] + floor(u[i] * (double)problem_choices(p, i)), p->high[i]);
    }
}

double problem_value(const problem *p, const double *x) { return p->value(p, x); }

double problem_regret(const problem *p, const double *x) {
    double value = problem_value(p, x);
    return p->maximize ? p->optimum - value : value - p->optimum;
}

/* Steps of an additive recurrence whose points fill the cube evenly: the powers of 1 / g, g > 1 the
 * root of g^(dim + 1) = g + 1 (the golden ratio for dim 1). */
static void make_steps(size_t dim, double *step) {
    double g = 2, power = 1;
    for (int i = 0; i < 100; i++) g = pow(1 + g, 1 / (double)(dim + 1)); /* contracts by 1/2 or more */
    for (size_t j = 0; j < dim; j++) step[j] = power /= g;
}

static void point_at(const problem *p, const double *step, int i, double *x) {
    double u[PROBLEM_MAX_DIM];
    draw d = draw_open((uint64_t)i, STREAM_POINTS);
    for (size_t j = 0; j < p->dim; j++) {
        double t = 0.5 + i * step[j];
        u[j] = p->dim <= MOST_EVEN ? t - floor(t) : draw_uniform(&d);
    }
    problem_from_unit(p, u, x);
}

double problem_spread(const problem *p) {
    double step[PROBLEM_MAX_DIM], x[PROBLEM_MAX_DIM], mean = 0, squares = 0;
    make_steps(p->dim, step);
    for (int i = 1; i <= POINTS; i++) {
        point_at(p, step, i, x);
        double off = problem_value(p, x) - mean;
        mean += off / i;
        squares += off * off * (i - 1) / i; /* Welford's update */
    }
    return sqrt(squares / POINTS);
}

/* The regrets at the points, sorted; without a known optimum the values. */
static void sorted_regrets(const problem *p, double *regret) {
    double step[PROBLEM_MAX_DIM], x[PROBLEM_MAX_DIM];
    make_steps(p->dim, step);
    for (int i = 1; i <= POINTS; i++) {
        point_at(p, step, i, x);
        regret[i - 1] = isnan(p->optimum) ? problem_value(p, x) : problem_regret(p, x);
    }
    qsort(regret, POINTS, sizeof *regret, number_ascending);
}

double problem_range(const problem *p) {
    double regret[POINTS];
    sorted_regrets(p, regret);
    return regret[POINTS - 1] - regret[0];
}

double problem_worst(const problem *p) {
    double regret[POINTS];
    sorted_regrets(p, regret);
    return regret[POINTS - 1];
}

double problem_near(const problem *p) {
    double regret[POINTS];
    sorted_regrets(p, regret);
    return regret[POINTS / 50];
}
