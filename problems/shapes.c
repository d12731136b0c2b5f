/* shapes.c - test functions in pairs of one kind of difficulty: holes in a plain, narrow peaks, bad scales, values over
 * many orders of magnitude, many optima, ridges, plateaus and kinks, parameters that do not matter. As in Surjanovic
 * and Bingham, Virtual Library of Simulation Experiments (shekel, powell, zakharov, schwefel, borehole, piston, easom),
 * in Hansen et al., Real-Parameter Black-Box Optimization Benchmarking (ellipsoid, different powers, sharp ridge, step
 * ellipsoid, weierstrass, Gallagher's peaks), and in Gonzalez et al. 2016 (cosines), unless the comment says otherwise.
 * Layer: problems. Cost: O(dim) a value; peaks5 21 times that. */
#include "catalogue.h"

#include <math.h>

#include "draw.h"

static double square(double a) { return a * a; }

/* Distance from the best point. */
static double away(const problem *p, const double *x) {
    double sum = 0;
    for (size_t i = 0; i < p->dim; i++) sum += square(x[i] - p->best[i]);
    return sqrt(sum);
}

/* (1 + cos(pi t))/2: 1 for t <= 0, falling to 0 at t = 1. */
static double fall(double t) { return t <= 0 ? 1 : t >= 1 ? 0 : (1 + cos(PI * t)) / 2; }

/* ---- a hole in a plain ------------------------------------------------------------------------- */

/* A tenth of the depth is left at a radius of 0.2285: that ball is 5 % of the cube. */
static double needle(const problem *p, const double *x) { return -exp(-square(away(p, x) / 0.1065) / 2); }

/* Of radius 0.126, 5 % of the square: a wall, a bottom at -0.8 and in its middle a tip of a quarter of the radius. */
static double crater(const problem *p, const double *x) {
    double t = away(p, x) / 0.126;
    return -0.8 * fall(2 * t - 1) - 0.2 * fall(4 * t);
}

/* ---- narrow peaks ------------------------------------------------------------------------------ */

static double shekel(const problem *p, const double *x) {
    static const double centre[10][2] = {{4, 4}, {1, 1}, {8, 8}, {6, 6}, {3, 7},
                                         {2, 9}, {5, 3}, {8, 1}, {6, 2}, {7, 3.6}}; /* coordinates 1 and 3, 2 and 4 */
    static const double width[10] = {0.1, 0.2, 0.2, 0.4, 0.4, 0.6, 0.3, 0.7, 0.5, 0.5};
    double sum = 0;
    for (size_t k = 0; k < 10; k++) {
        double inner = width[k];
        for (size_t i = 0; i < p->dim; i++) inner += square(x[i] - centre[k][i % 2]);
        sum += 1 / inner;
    }
    return -sum;
}

/* The deepest of 21 holes: -10 at the best point, there narrow in some directions, the others -9.1 to -1.1 at random
 * points. The constant stream is the table of positions and widths. */
static double peaks(const problem *p, const double *x) {
    static const double width[5] = {0.12, 0.2, 0.3, 0.15, 0.25};
    draw d = draw_open(21, 5);
    double inner = 0, deepest;
    for (size_t i = 0; i < p->dim; i++) inner += square((x[i] - p->best[i]) / width[i % 5]);
    deepest = 10 * exp(-inner / 2);
    for (int k = 0; k < 20; k++) {
        inner = 0;
        for (size_t i = 0; i < p->dim; i++) {
            double centre = 0.05 + 0.9 * draw_uniform(&d), side = 0.1 + 0.25 * draw_uniform(&d);
            inner += square((x[i] - centre) / side);
        }
        deepest = fmax(deepest, (1.1 + 8 * k / 19.0) * exp(-inner / 2));
    }
    return -deepest;
}

/* ---- bad scales, and values over many orders of magnitude -------------------------------------- */

/* From 0 to 1 over the parameters. */
static double share(const problem *p, size_t i) { return (double)i / (double)(p->dim - 1); }

static double ellipsoid(const problem *p, const double *x) {
    double sum = 0;
    for (size_t i = 0; i < p->dim; i++) sum += pow(10, 6 * share(p, i)) * x[i] * x[i];
    return sum;
}

static double different_powers(const problem *p, const double *x) {
    double sum = 0;
    for (size_t i = 0; i < p->dim; i++) sum += pow(fabs(x[i]), 2 + 4 * share(p, i));
    return sqrt(sum);
}

static double zakharov(const problem *p, const double *x) {
    double squares = 0, slope = 0;
    for (size_t i = 0; i < p->dim; i++) {
        squares += x[i] * x[i];
        slope += 0.5 * (double)(i + 1) * x[i];
    }
    return squares + square(slope) + square(square(slope));
}

static double powell(const problem *p, const double *x) {
    (void)p;
    return square(x[0] + 10 * x[1]) + 5 * square(x[2] - x[3]) + square(square(x[1] - 2 * x[2])) +
           10 * square(square(x[0] - x[3]));
}

/* ---- many optima ------------------------------------------------------------------------------- */

/* Without the usual constant that moves the optimum to about 0. */
static double schwefel(const problem *p, const double *x) {
    double sum = 0;
    for (size_t i = 0; i < p->dim; i++) sum -= x[i] * sin(sqrt(fabs(x[i])));
    return sum;
}

/* 12 waves, each half as high as the one before and three times as fast: 1 - cos in place of a sum of cosines, so that
 * the optimum is exactly 0. */
static double weierstrass(const problem *p, const double *x) {
    double sum = 0;
    for (size_t i = 0; i < p->dim; i++) {
        double height = 1, speed = 2 * PI;
        for (int k = 0; k < 12; k++, height /= 2, speed *= 3) sum += height * (1 - cos(speed * x[i]));
    }
    return sum;
}

/* ---- a ridge; its pair is rosenbrock5 in functions.c --------------------------------------------- */

static double sharp_ridge(const problem *p, const double *x) {
    double sum = 0;
    for (size_t i = 1; i < p->dim; i++) sum += x[i] * x[i];
    return x[0] * x[0] + 100 * sqrt(sum);
}

/* ---- plateaus and kinks ------------------------------------------------------------------------ */

static double step_ellipsoid(const problem *p, const double *x) {
    double sum = 0;
    for (size_t i = 0; i < p->dim; i++) {
        double rounded = fabs(x[i]) > 0.5 ? floor(0.5 + x[i]) : floor(0.5 + 10 * x[i]) / 10;
        sum += pow(10, 2 * share(p, i)) * square(rounded);
    }
    return 0.1 * fmax(fabs(x[0]) / 1e4, sum);
}

/* The published |x sin x + 0.1 x| is 0 wherever sin x = -0.1. */
static double alpine(const problem *p, const double *x) {
    double sum = 0;
    for (size_t i = 0; i < p->dim; i++) sum += fabs(x[i] * sin(x[i])) + 0.1 * fabs(x[i]);
    return sum;
}

/* ---- parameters that do not matter, or little ---------------------------------------------------- */

/* Parameters rw, r, Tu, Hu, Tl, Hl, L, Kw. */
static double borehole(const problem *p, const double *x) {
    (void)p;
    double resistance = log(x[1] / x[0]) * (1 / x[2] + 1 / x[4]) + 2 * x[6] / (square(x[0]) * x[7]);
    return 2 * PI * (x[3] - x[5]) / resistance;
}

/* Parameters M, S, V0, k, P0, Ta, T0. */
static double piston(const problem *p, const double *x) {
    (void)p;
    double gas = x[4] * x[2] * x[5] / x[6]; /* P0 V0 Ta/T0 */
    double A = x[4] * x[1] + 19.62 * x[0] - x[3] * x[2] / x[1];
    double V = x[1] / (2 * x[3]) * (sqrt(A * A + 4 * x[3] * gas) - A);
    return 2 * PI * sqrt(x[0] / (x[3] + square(x[1] / V) * gas));
}

static double cosines(const problem *p, const double *x) {
    (void)p;
    double sum = 0;
    for (size_t i = 0; i < 2; i++) {
        double u = 1.6 * x[i] - 0.5;
        sum += u * u - 0.3 * cos(3 * PI * u);
    }
    return sum;
}

/* The hole is sqrt(10) times as wide as the published one, and the box 13 times as small. */
static double easom(const problem *p, const double *x) {
    (void)p;
    return -cos(x[0]) * cos(x[1]) * exp(-(square(x[0] - PI) + square(x[1] - PI)) / 10);
}

/* ---- the table ------------------------------------------------------------------------------ */

/* clang-format off */
/* Numbers of more than a few digits are from tools/golden_problems.py, or exact. The best points of the holes lie near
 * the middle, so that no other hole appears where a moved function is reflected. */
const problem catalogue_shapes[] = {
    {"needle3", 3, ALL(0), ALL(1), 0, -1, {0.42, 0.55, 0.47}, needle, NULL, NULL, 0},
    {"crater2", 2, ALL(0), ALL(1), 0, -1, {0.56, 0.43}, crater, NULL, NULL, 0},
    {"shekel4", 4, ALL(0), ALL(10), 0, -10.536443153483527869,
     {4.0007468682706343883, 3.9995094800857735584, 4.0007468682706343883, 3.9995094800857735584}, shekel, NULL, NULL, 0},
    {"peaks5", 5, ALL(0), ALL(1), 0, -10, {0.45, 0.6, 0.55, 0.4, 0.5}, peaks, NULL, NULL, 0},
    {"ellipsoid5", 5, ALL(-5), ALL(5), 0, 0, ALL(0), ellipsoid, NULL, NULL, 0},
    {"different-powers5", 5, ALL(-5), ALL(5), 0, 0, ALL(0), different_powers, NULL, NULL, 0},
    {"zakharov4", 4, ALL(-5), ALL(10), 0, 0, ALL(0), zakharov, NULL, NULL, 0},
    {"powell4", 4, ALL(-4), ALL(5), 0, 0, ALL(0), powell, NULL, NULL, 0},
    {"schwefel3", 3, ALL(-500), ALL(500), 0, -3 * 418.98288727243370627, ALL(420.96874635998202731), schwefel, NULL, NULL, 0},
    {"weierstrass3", 3, ALL(-0.5), ALL(0.5), 0, 0, ALL(0), weierstrass, NULL, NULL, 0},
    {"sharp-ridge4", 4, ALL(-5), ALL(5), 0, 0, ALL(0), sharp_ridge, NULL, NULL, 0},
    {"step-ellipsoid4", 4, ALL(-5), ALL(5), 0, 0, ALL(0), step_ellipsoid, NULL, NULL, 0},
    {"alpine4", 4, ALL(-10), ALL(10), 0, 0, ALL(0), alpine, NULL, NULL, 0},
    /* corners: borehole8 is monotone in every parameter, as the formula shows; piston7 by search */
    {"borehole8", 8, {0.05, 100, 63070, 990, 63.1, 700, 1120, 9855}, {0.15, 50000, 115600, 1110, 116, 820, 1680, 12045},
     0, 7.8196763287552305551, {0.05, 50000, 63070, 990, 63.1, 820, 1680, 9855}, borehole, NULL, NULL, 0},
    {"piston7", 7, {30, 0.005, 0.002, 1000, 90000, 290, 340}, {60, 0.02, 0.01, 5000, 110000, 296, 360},
     0, 0.16422884916253186043, {30, 0.02, 0.002, 5000, 110000, 290, 360}, piston, NULL, NULL, 0},
    {"cosines5", 5, ALL(0), ALL(1), 0, -0.6, {0.3125, 0.3125, 0.5, 0.5, 0.5}, cosines, NULL, NULL, 0},
    {"easom-wide5", 5, {-5, -5, 0, 0, 0}, {10, 10, 1, 1, 1}, 0, -1, {PI, PI, 0.5, 0.5, 0.5}, easom, NULL, NULL, 0},
    {.name = NULL},
};
/* clang-format on */
