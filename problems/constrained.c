/* constrained.c - test problems with constraints, as published: Gardner et al. 2014, Bayesian Optimization with
 * Inequality Constraints (gardner); Gramacy et al. 2016, Modeling an Augmented Lagrangian for Blackbox Constrained
 * Optimization (gramacy); Deb 2000, An Efficient Constraint Handling Method for Genetic Algorithms (the welded beam);
 * Coello 2000, Use of a Self-Adaptive Penalty Approach for Engineering Optimization Problems (the spring). A constraint
 * "load at most limit" of the last two is log(load/limit): the same points are feasible, and over the box the numbers
 * are of one magnitude, as noise in units of their spread needs. Layer: problems. Cost: O(dim) for all outputs. */
#include "catalogue.h"

#include <math.h>

static double square(double a) { return a * a; }

/* The published constraint cos(x) cos(y) - sin(x) sin(y) is cos(x + y). */
static void gardner1(const problem_outputs *p, const double *x, double *y) {
    (void)p;
    y[0] = cos(2 * x[0]) * cos(x[1]) + sin(x[0]);
    y[1] = cos(x[0] + x[1]) - 0.5;
}

static void gardner2(const problem_outputs *p, const double *x, double *y) {
    (void)p;
    y[0] = sin(x[0]) + x[1];
    y[1] = sin(x[0]) * sin(x[1]) + 0.95;
}

static void gramacy(const problem_outputs *p, const double *x, double *y) {
    (void)p;
    y[0] = x[0] + x[1];
    y[1] = 1.5 - x[0] - 2 * x[1] - 0.5 * sin(2 * PI * (square(x[0]) - 2 * x[1]));
    y[2] = square(x[0]) + square(x[1]) - 1.5;
}

/* ---- the welded beam ------------------------------------------------------------------------- */

/* A beam of height t and width b, held by a weld of height h and length l; x is h, l, t, b, in inches. */
static double beam_cost(const double *x) { return 1.10471 * square(x[0]) * x[1] + 0.04811 * x[2] * x[3] * (14 + x[1]); }

/* Inches at the end of the beam, under 6000 pounds. */
static double beam_deflection(const double *x) { return 2.1952 / (x[2] * square(x[2]) * x[3]); }

/* Shear stress of the weld, bending stress and buckling load of the beam, in logarithms of the shares of their limits;
 * the weld is not higher than the beam is wide. */
static void beam_limits(const double *x, double *y) {
    double h = x[0], l = x[1], t = x[2], b = x[3];
    double area = sqrt(2) * h * l, radius2 = (square(l) + square(h + t)) / 4;
    double direct = 6000 / area;
    double turning = 6000 * (14 + l / 2) * sqrt(radius2) / (area * (square(l) / 12 + square(h + t) / 4));
    double shear = sqrt(square(direct) + direct * turning * l / sqrt(radius2) + square(turning));
    y[0] = log(shear / 13600);
    y[1] = log(504000 / (b * square(t)) / 30000);
    y[2] = h - b;
    y[3] = log(6000 / (64746.022 * (1 - 0.0282346 * t) * t * b * square(b)));
}

static void welded_beam(const problem_outputs *p, const double *x, double *y) {
    (void)p;
    y[0] = beam_cost(x);
    beam_limits(x, y + 1);
    y[5] = log(beam_deflection(x) / 0.25);
}

/* In logarithms, since over the box the deflection has values over eight orders of magnitude. */
static void welded_beam2(const problem_outputs *p, const double *x, double *y) {
    (void)p;
    y[0] = log(beam_cost(x));
    y[1] = log(beam_deflection(x));
    beam_limits(x, y + 2);
}

/* ---- the spring, and a ball ------------------------------------------------------------------- */

/* Parameters: the diameters of the wire and of the coil, in inches, and the number of coils. The published box has
 * wires up to 2, thicker than their coils, where the stress has a pole. The fourth published constraint holds in all of
 * this box. */
static void tension_spring(const problem_outputs *p, const double *x, double *y) {
    double d = x[0], D = x[1], n = x[2], d3 = d * square(d);
    (void)p;
    y[0] = (n + 2) * D * square(d);
    y[1] = log(71785 * d * d3 / (D * square(D) * n)); /* deflection */
    y[2] = log(D * (4 * D - d) / (12566 * d3 * (D - d)) + 1 / (5108 * square(d)));
    y[3] = log(square(D) * n / (140.45 * d)); /* frequency of its surge waves */
}

static void hartmann6_ball(const problem_outputs *p, const double *x, double *y) {
    y[0] = problem_value(problem_find("hartmann6"), x);
    y[1] = -0.64;
    for (size_t i = 0; i < p->dim; i++) y[1] += square(x[i]);
}

/* ---- the table ------------------------------------------------------------------------------ */

/* clang-format off */
/* Numbers of more than a few digits are from tools/golden_outputs.py, or exact; the volume is rounded up. */
const problem_outputs catalogue_constrained[] = {
    {.name = "gardner1", .dim = 2, .count = 2, .low = ALL(0), .high = ALL(6), .evaluate = gardner1,
     .output = {OBJECTIVE("objective", -2, NAN), CONSTRAINT("constraint", -1.5)},
     .optimum = -2, .best = {1.5 * PI, 0}, .hypervolume = NAN},
    {.name = "gardner2", .dim = 2, .count = 2, .low = ALL(0), .high = ALL(6), .evaluate = gardner2,
     .output = {OBJECTIVE("objective", -1, NAN), CONSTRAINT("constraint", -0.05)},
     .optimum = 0.25323589750337511651, /* asin(0.95) - 1 */
     .best = {1.5 * PI, 1.2532358978236314243}, .hypervolume = NAN},
    {.name = "gramacy", .dim = 2, .count = 3, .low = ALL(0), .high = ALL(1), .evaluate = gramacy,
     .output = {OBJECTIVE("sum", 0, NAN), CONSTRAINT("wave", -1.7755509829111835), CONSTRAINT("circle", -1.5)},
     .optimum = 0.59978805201006756114, .best = {0.19512268354454404987, 0.40466536855148838566}, .hypervolume = NAN},
    {.name = "welded-beam", .dim = 4, .count = 6, .low = {0.125, 0.1, 0.1, 0.125}, .high = {2, 10, 10, 2},
     .evaluate = welded_beam,
     .output = {OBJECTIVE("cost", 0.010205496875, NAN), CONSTRAINT("shear", -2.7592453071426806),
                CONSTRAINT("bending", -2.4769384801388235), CONSTRAINT("side", -1.875),
                CONSTRAINT("buckling", -6.4289717076121192), CONSTRAINT("deflection", -5.4283349398727619)},
     .optimum = 2.3809564858540511898,
     .best = {0.24436895335439481799, 6.2175201516542381463, 8.2914717700253306431, 0.24436895345439481799},
     .hypervolume = NAN},
    {.name = "tension-spring", .dim = 3, .count = 4, .low = {0.05, 0.25, 2}, .high = {0.1, 1.3, 15},
     .evaluate = tension_spring,
     .output = {OBJECTIVE("weight", 0.0025, NAN), CONSTRAINT("deflection", -4.2966412691588532),
                CONSTRAINT("stress", -1.9736637085498219), CONSTRAINT("frequency", -4.7217080022360431)},
     .optimum = 0.012665232788319416629,
     .best = {0.051689061086179786629, 0.35671773983728951227, 11.288965752133397631}, .hypervolume = NAN},
    {.name = "hartmann6-ball", .dim = 6, .count = 2, .low = ALL(0), .high = ALL(1), .evaluate = hartmann6_ball,
     .output = {OBJECTIVE("objective", -3.3223680114155148001, NAN), CONSTRAINT("radius", -0.64)},
     .optimum = -2.95944279570870188,
     .best = {0.16856155276133225803, 0.11460503781546711619, 0.31836294114571045576, 0.25619322345531379076,
              0.29062220684524939938, 0.58906832454905398387}, .hypervolume = NAN},
    {.name = "welded-beam2", .dim = 4, .count = 6, .low = {0.125, 0.1, 0.1, 0.125}, .high = {5, 10, 10, 5},
     .evaluate = welded_beam2,
     .output = {OBJECTIVE("log-cost", -4.5848287945376613, 3.6888794541139363), /* log 40 */
                OBJECTIVE("log-deflection", -7.7309200328668075, -3.912023005428146), /* log 0.02 */
                CONSTRAINT("shear", -3.879137474333482), CONSTRAINT("bending", -3.3932292120129786),
                CONSTRAINT("side", -4.875), CONSTRAINT("buckling", -9.177843903234583)},
     .optimum = NAN, .hypervolume = 6.71995},
    {.name = NULL},
};
/* clang-format on */
