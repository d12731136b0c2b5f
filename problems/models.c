/* models.c - test functions like the choice of a model with its own settings: a category says which of the other
 * parameters count. Their optima are exact. Layer: problems. Cost: O(1) a value. */
#include "catalogue.h"

#include <math.h>

static double square(double a) { return a * a; }

/* ---- three algorithms: an error rate ---------------------------------------------------------------- */

enum { RIDGE, FOREST, BOOSTING };

/* How far the settings of the algorithm are from its best ones. */
static double off_of(const double *x) {
    switch ((int)x[0]) {
    case RIDGE: /* log10 of the penalty, share of the absolute values in it */
        return square(x[1] + 1) / 8 + square(x[2] - 0.4) / 2;
    case FOREST: /* depth, share of the features, log2 of the leaf size */
        return square(x[3] - 9) / 60 + 2 * square(x[4] - 0.4) + square(x[5] - 1.5) / 12;
    default: /* log10 of the rate, depth, share of the data: deeper trees need a smaller rate */
        return square(x[6] + 1.3 + 0.12 * (x[7] - 4)) + square(x[7] - 4) / 10 + 2 * square(x[8] - 0.7);
    }
}

/* 0.5 is the error of chance, 0.05 the best there is; the second best algorithm reaches 0.0815. */
static double models_a(const problem *p, const double *x) {
    static const double most[] = {[RIDGE] = 0.8, [FOREST] = 0.93, [BOOSTING] = 1};
    (void)p;
    return 0.5 - 0.45 * most[(int)x[0]] * exp(-off_of(x));
}

/* ---- three algorithms and a setting that all of them have: a loss with kinks -------------------------- */

/* The best values are 0 for category 1, then 0.06 and 0.12. */
static double models_b(const problem *p, const double *x) {
    double all = 0.3 * fabs(x[1] - 0.45);
    (void)p;
    switch ((int)x[0]) {
    case 0:
        return all + 0.12 + 0.5 * fabs(x[2] - 0.3);
    case 1:
        return all + 1.5 * square(x[3] - 0.6 + 0.5 * (x[4] - 0.25)) + 0.3 * fabs(x[4] - 0.25);
    default:
        return all + 0.06 + square(x[5] - 0.5) + 0.04 * fabs(x[6] - 3) + 0.5 * square(x[7] - 0.8);
    }
}

/* ---- the table -------------------------------------------------------------------------------------- */

/* clang-format off */
const problem catalogue_models[] = {
    {"models-a", 9, {0, -4, 0, 2, 0.1, 0, -3, 1, 0.3}, {2, 2, 1, 16, 1, 5, 0, 8, 1}, 0, 0.05,
     {BOOSTING, -1, 0.4, 9, 0.4, 1.5, -1.3, 4, 0.7}, models_a, NULL, "crrirrrir011222333", 0},
    {"models-b", 8, {0, 0, 0, 0, 0, 0, 1, 0}, {2, 1, 1, 1, 1, 1, 8, 1}, 0, 0,
     {1, 0.45, 0.3, 0.6, 0.25, 0.5, 3, 0.8}, models_b, NULL, "crrrrrir00122333", 0},
    {.name = NULL},
};
/* clang-format on */
