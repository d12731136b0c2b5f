/* tradeoffs.c - test problems with several objectives, as published: Zitzler, Deb and Thiele 2000, Comparison of
 * Multiobjective Evolutionary Algorithms (zdt); Deb et al. 2005, Scalable Test Problems for Evolutionary Multiobjective
 * Optimization (dtlz2); Surjanovic and Bingham, Virtual Library of Simulation Experiments (branin, currin); Liao et al.
 * 2008, Multiobjective Optimization for Crash Safety Design of Vehicles (vehicle-safety). Layer: problems. Cost: O(dim)
 * for all outputs. */
#include "catalogue.h"

#include <math.h>

static double square(double a) { return a * a; }

/* ---- zdt: a parameter along the front, the others 0 on it ------------------------------------------ */

/* From 1 on the front to 10. */
static double zdt_distance(const problem_outputs *p, const double *x) {
    double sum = 0;
    for (size_t i = 1; i < p->dim; i++) sum += x[i];
    return 1 + 9 * sum / (double)(p->dim - 1);
}

static void zdt1(const problem_outputs *p, const double *x, double *y) {
    double g = zdt_distance(p, x);
    y[0] = x[0];
    y[1] = g * (1 - sqrt(x[0] / g));
}

static void zdt2(const problem_outputs *p, const double *x, double *y) {
    double g = zdt_distance(p, x);
    y[0] = x[0];
    y[1] = g * (1 - square(x[0] / g));
}

static void zdt3(const problem_outputs *p, const double *x, double *y) {
    double g = zdt_distance(p, x);
    y[0] = x[0];
    y[1] = g * (1 - sqrt(x[0] / g) - x[0] / g * sin(10 * PI * x[0]));
}

/* ---- dtlz2: angles of a point of a sphere, the other parameters 1/2 on the front --------------------- */

static void dtlz2(const problem_outputs *p, const double *x, double *y) {
    size_t angles = p->count - 1;
    double radius = 1;
    for (size_t i = angles; i < p->dim; i++) radius += square(x[i] - 0.5);
    for (size_t k = 0; k < p->count; k++) {
        y[k] = k > 0 ? radius * sin(x[angles - k] * PI / 2) : radius;
        for (size_t i = 0; i < angles - k; i++) y[k] *= cos(x[i] * PI / 2);
    }
}

/* ---- two functions of one square, and a car ----------------------------------------------------- */

static double currin(double a, double b) {
    double above = ((2300 * a + 1900) * a + 2092) * a + 60, below = ((100 * a + 500) * a + 4) * a + 20;
    return above / below * (b > 0 ? 1 - exp(-0.5 / b) : 1);
}

static void branin_currin(const problem_outputs *p, const double *x, double *y) {
    (void)p;
    y[0] = problem_value(problem_find("branin"), (double[]){15 * x[0] - 5, 15 * x[1]});
    y[1] = currin(x[0], x[1]);
}

/* Mass, acceleration and intrusion, as polynomials of the thicknesses of five parts. */
static void vehicle_safety(const problem_outputs *p, const double *x, double *y) {
    double a = x[0], b = x[1], c = x[2], d = x[3], e = x[4];
    (void)p;
    y[0] = 1640.2823 + 2.3573285 * a + 2.3220035 * b + 4.5688768 * c + 7.7213633 * d + 4.4559504 * e;
    y[1] = 6.5856 + 1.15 * a - 1.0427 * b + 0.9738 * c + 0.8364 * d - 0.3695 * a * d + 0.0861 * a * e + 0.3628 * b * d -
           0.1106 * a * a - 0.3437 * c * c + 0.1764 * d * d;
    y[2] = -0.0551 + 0.0181 * a + 0.1024 * b + 0.0421 * c - 0.0073 * a * b + 0.024 * b * c - 0.0118 * b * d -
           0.0204 * c * d - 0.008 * c * e - 0.0241 * b * b + 0.0109 * d * d;
}

/* ---- the table ------------------------------------------------------------------------------ */

/* clang-format off */
/* Reference points are those of the literature (zdt: Yang et al. 2019, Multi-Objective Bayesian Global Optimization
 * using expected hypervolume improvement gradient; dtlz2 and branin-currin: Daulton et al. 2020), but for
 * vehicle-safety: the usual one has a mass of 1864.7, five times the width of the front away from it. Volumes are
 * exact, or from tools/golden_outputs.py and rounded up. */
const problem_outputs catalogue_tradeoffs[] = {
    {.name = "zdt1", .dim = 6, .count = 2, .low = ALL(0), .high = ALL(1), .evaluate = zdt1,
     .output = {OBJECTIVE("f1", 0, 11), OBJECTIVE("f2", 0, 11)}, .optimum = NAN, .hypervolume = 121 - 1.0 / 3},
    {.name = "zdt2", .dim = 5, .count = 2, .low = ALL(0), .high = ALL(1), .evaluate = zdt2,
     .output = {OBJECTIVE("f1", 0, 11), OBJECTIVE("f2", 0, 11)}, .optimum = NAN, .hypervolume = 121 - 2.0 / 3},
    {.name = "zdt3", .dim = 4, .count = 2, .low = ALL(0), .high = ALL(1), .evaluate = zdt3,
     .output = {OBJECTIVE("f1", 0, 11), OBJECTIVE("f2", -0.7733690123266406, 11)}, .optimum = NAN,
     .hypervolume = 128.77811613069076},
    {.name = "dtlz2-2", .dim = 5, .count = 2, .low = ALL(0), .high = ALL(1), .evaluate = dtlz2,
     .output = {OBJECTIVE("f1", 0, 1.1), OBJECTIVE("f2", 0, 1.1)}, .optimum = NAN, .hypervolume = 1.21 - PI / 4},
    {.name = "dtlz2-3", .dim = 6, .count = 3, .low = ALL(0), .high = ALL(1), .evaluate = dtlz2,
     .output = {OBJECTIVE("f1", 0, 1.1), OBJECTIVE("f2", 0, 1.1), OBJECTIVE("f3", 0, 1.1)}, .optimum = NAN,
     .hypervolume = 1.331 - PI / 6},
    {.name = "branin-currin", .dim = 2, .count = 2, .low = ALL(0), .high = ALL(1), .evaluate = branin_currin,
     .output = {OBJECTIVE("branin", 0.39788735772973833942, 18), OBJECTIVE("currin", 1.1804080208620998, 6)},
     .optimum = NAN, .hypervolume = 59.4067},
    {.name = "vehicle-safety", .dim = 5, .count = 3, .low = ALL(1), .high = ALL(3), .evaluate = vehicle_safety,
     .output = {OBJECTIVE("mass", 1661.7078225, 1700), OBJECTIVE("acceleration", 6.1428, 12),
                OBJECTIVE("intrusion", 0.0394, 0.3)},
     .optimum = NAN, .hypervolume = 48.07},
    {.name = NULL},
};
/* clang-format on */
