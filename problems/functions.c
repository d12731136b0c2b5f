/* functions.c - standard test functions (Surjanovic and Bingham, Virtual Library of Simulation Experiments). */
#include <math.h>
#include <string.h>

#include "problems.h"

static const double PI = 3.14159265358979323846;

static double branin(size_t dim, const double *x) {
    (void)dim;
    double b = 5.1 / (4 * PI * PI), c = 5 / PI, t = 1 / (8 * PI);
    double inner = x[1] - b * x[0] * x[0] + c * x[0] - 6;
    return inner * inner + 10 * (1 - t) * cos(x[0]) + 10;
}

static double hartmann6(size_t dim, const double *x) {
    static const double height[4] = {1.0, 1.2, 3.0, 3.2};
    static const double A[4][6] = {{10, 3, 17, 3.5, 1.7, 8},
                                   {0.05, 10, 17, 0.1, 8, 14},
                                   {3, 3.5, 1.7, 10, 17, 8},
                                   {17, 8, 0.05, 10, 0.1, 14}};
    static const double P[4][6] = {{.1312, .1696, .5569, .0124, .8283, .5886},
                                   {.2329, .4135, .8307, .3736, .1004, .9991},
                                   {.2348, .1451, .3522, .2883, .3047, .6650},
                                   {.4047, .8828, .8732, .5743, .1091, .0381}};
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        double inner = 0;
        for (size_t j = 0; j < dim; j++) inner += A[i][j] * (x[j] - P[i][j]) * (x[j] - P[i][j]);
        sum += height[i] * exp(-inner);
    }
    return -sum;
}

static double square(double a) { return a * a; }

static double levy(size_t dim, const double *x) {
    double sum = square(sin(PI * (1 + (x[0] - 1) / 4)));
    for (size_t i = 0; i < dim; i++) {
        double w = 1 + (x[i] - 1) / 4;
        if (i + 1 < dim)
            sum += square(w - 1) * (1 + 10 * square(sin(PI * w + 1)));
        else
            sum += square(w - 1) * (1 + square(sin(2 * PI * w)));
    }
    return sum;
}

/* eq:2D_ackley with the sign turned. */
static double ackley(size_t dim, const double *x) {
    double squares = 0, cosines = 0;
    for (size_t i = 0; i < dim; i++) {
        squares += x[i] * x[i];
        cosines += cos(2 * PI * x[i]);
    }
    double n = (double)dim;
    return 20 + exp(1) - 20 * exp(-0.2 * sqrt(squares / n)) - exp(cosines / n);
}

#define BOX(a)                                                                                     \
    { a, a, a, a, a, a }

static const problem problems[] = {
    {"branin", 2, {-5, 0}, {10, 15}, 0.39788735772973816, {3.14159265358979323846, 2.275}, branin},
    {"hartmann6",
     6,
     BOX(0),
     BOX(1),
     -3.3223680114155147,
     {.20168952, .15001069, .47687398, .27533243, .31165162, .65730054},
     hartmann6},
    {"levy5", 5, BOX(-10), BOX(10), 0, BOX(1), levy},
    {"ackley2", 2, BOX(-10), BOX(10), 0, {0, 0}, ackley},
    /* the optimum off the centre, where no search hits it by construction */
    {"ackley2-shifted", 2, BOX(-7.3), BOX(12.7), 0, {0, 0}, ackley},
};

const problem *problem_list(size_t *count) {
    *count = sizeof problems / sizeof problems[0];
    return problems;
}

const problem *problem_find(const char *name) {
    for (size_t i = 0; i < sizeof problems / sizeof problems[0]; i++)
        if (strcmp(problems[i].name, name) == 0) return &problems[i];
    return NULL;
}
