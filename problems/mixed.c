/* mixed.c - test functions of real, integer and categorical parameters, in pairs. Their optima are exact: for every
 * choice of categories and integers the best real values are known. Layer: problems. Cost: O(dim) a value. */
#include "catalogue.h"

#include <math.h>

static double square(double a) { return a * a; }

/* 0 at 0, with ripples of period 1/3. */
static double rippled(double u) { return square(u) + 0.1 * (1 - cos(6 * PI * u)); }

/* ---- a category that chooses a function of two reals in [0, 1] ----------------------------------- */

/* The best values are 0 for category 1, then 0.1 and 0.3. */
static double switch_a(const problem *p, const double *x) {
    (void)p;
    double u = x[1], v = x[2];
    switch ((int)x[0]) {
    case 0:
        return 0.1 + 2 * (square(u - 0.3) + square(v - 0.7));
    case 1:
        return rippled(u - 0.65) + rippled(v - 0.35);
    default:
        return 0.3 + fabs(u - v) + 0.5 * square(u + v - 1);
    }
}

/* The best values are 0 for category 2, then 0.08, 0.15 and 0.4. */
static double switch_b(const problem *p, const double *x) {
    (void)p;
    double u = x[1], v = x[2], a = square(4 * u - 2), b = 4 * v - 2;
    switch ((int)x[0]) {
    case 0: /* a curved valley */
        return 0.15 + log1p(100 * square(b - a) + square(3 - 4 * u)) / 8;
    case 1: /* two holes, the better one at (0.8, 0.8) */
        return 0.88 - 0.8 * exp(-8 * (square(u - 0.8) + square(v - 0.8))) -
               0.6 * exp(-8 * (square(u - 0.2) + square(v - 0.2))) * (square(u - 0.8) + square(v - 0.8));
    case 2: /* a cone without a gradient at its tip */
        return sqrt(square(u - 0.25) + 4 * square(v - 0.6));
    default:
        return 0.4 + 0.3 * (rippled(u - 0.5) + rippled(v - 0.5));
    }
}

/* ---- two categories, an integer and reals that interact ------------------------------------------ */

/* Categories (3 and 2), an integer 1 to 8, three reals. The second category matters by what the first is; both, and the
 * integer, move the best real values. */
static double mixed_a(const problem *p, const double *x) {
    static const double floor_of[3][2] = {{0.25, 0.1}, {0, 0.4}, {0.15, 0.5}}, steps[3] = {3, 6, 5};
    int a = (int)x[0], b = (int)x[1];
    double n = x[2], sum = floor_of[a][b] + 0.02 * square(n - steps[a]);
    (void)p;
    sum += square(x[3] - (0.2 + 0.2 * a));
    sum += 2 * square(x[4] - (b ? 0.7 : 0.3) - 0.02 * (n - 4));
    return sum + rippled(x[5] - (a == b ? 0.6 : 0.4));
}

/* Categories (4 and 3), an integer 0 to 10, two reals, with kinks; the integer counts the more, the worse the first
 * category is. */
static double mixed_b(const problem *p, const double *x) {
    static const double floor_of[4][3] = {{0.5, 0.3, 0.6}, {0.12, 0.35, 0.2}, {0.4, 0.1, 0}, {0.3, 0.6, 0.45}};
    int a = (int)x[0], b = (int)x[1];
    double n = x[2], best = 2 + 2 * a + b; /* 2 to 10 */
    (void)p;
    return floor_of[a][b] + 0.05 * (1 + floor_of[a][b]) * fabs(n - best) + fabs(x[3] - (0.2 + 0.05 * n)) +
           1.5 * square(x[4] - (0.25 + 0.25 * b)) * (1 + 0.3 * a);
}

/* ---- like tuning a support vector machine ---------------------------------------------------------- */

enum { LINEAR, POLYNOMIAL, RADIAL };

/* log10 C, log10 gamma, kernel, degree, constant of the polynomial, tolerance. An error of 0.5 is that of chance. */
typedef struct tuned {
    double c, gamma, degree, constant; /* where the kernel is best */
    double most;                       /* the share of the possible gain over chance that it reaches there */
} tuned;

/* A larger C does the work of a larger gamma, so the valley is oblique; beyond the best C the error rises slowly, and
 * far from the best gamma it is that of chance. */
static double error_rate(const tuned kernels[3], const double *x) {
    int kernel = (int)x[2];
    const tuned *k = &kernels[kernel];
    double c = x[0] - k->c, gamma = kernel == LINEAR ? 0 : x[1] - k->gamma, tolerance = x[5] - 0.3;
    double off = square(c + 0.5 * gamma) / (c > 0 ? 16 : 6) + square(gamma) / 2;
    if (kernel == POLYNOMIAL) off += 0.15 * square(x[3] - k->degree) + 0.8 * square(x[4] - k->constant);
    return 0.5 - 0.45 * k->most * exp(-off) * (1 - 0.03 * square(tolerance));
}

static double tune_a(const problem *p, const double *x) {
    static const tuned kernels[3] = {
        [LINEAR] = {-0.5, 0, 0, 0, 0.8}, [POLYNOMIAL] = {0, -0.8, 3, 0.6, 0.94}, [RADIAL] = {1, -1.5, 0, 0, 1}};
    (void)p;
    return error_rate(kernels, x);
}

static double tune_b(const problem *p, const double *x) {
    static const tuned kernels[3] = {
        [LINEAR] = {0.5, 0, 0, 0, 0.9}, [POLYNOMIAL] = {-1, -0.5, 4, 0.4, 1}, [RADIAL] = {1.5, -2.2, 0, 0, 0.95}};
    (void)p;
    return error_rate(kernels, x);
}

/* ---- the table ------------------------------------------------------------------------------ */

/* clang-format off */
const problem catalogue_mixed[] = {
    {"switch-a", 3, {0, 0, 0}, {2, 1, 1}, 0, 0, {1, 0.65, 0.35}, switch_a, NULL, "crr", 0},
    {"switch-b", 3, {0, 0, 0}, {3, 1, 1}, 0, 0, {2, 0.25, 0.6}, switch_b, NULL, "crr", 0},
    {"mixed-a", 6, {0, 0, 1, 0, 0, 0}, {2, 1, 8, 1, 1, 1}, 0, 0, {1, 0, 6, 0.4, 0.34, 0.4}, mixed_a, NULL, "ccirrr", 0},
    {"mixed-b", 5, {0, 0, 0, 0, 0}, {3, 2, 10, 1, 1}, 0, 0, {2, 2, 8, 0.6, 0.75}, mixed_b, NULL, "ccirr", 0},
    {"tune-a", 6, {-3, -4, 0, 2, 0, 0}, {3, 1, 2, 5, 1, 1}, 0, 0.05, {1, -1.5, RADIAL, 3, 0.5, 0.3}, tune_a, NULL,
     "rrcirr", 0},
    {"tune-b", 6, {-3, -4, 0, 2, 0, 0}, {3, 1, 2, 5, 1, 1}, 0, 0.05, {-1, -0.5, POLYNOMIAL, 4, 0.4, 0.3}, tune_b, NULL,
     "rrcirr", 0},
    {.name = NULL},
};
/* clang-format on */
