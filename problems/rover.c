/* rover.c - the path of a rover between obstacles, after the trajectory problem of Wang et al. (2018): thirty points of
 * the plane are the control points of a curve, whose cost is that of the ground along it, and of missing start and
 * goal. The obstacles are our own. Layer: problems. Cost: PIECES pieces times OBSTACLES a value, some 10 microseconds.
 */
#include "catalogue.h"

#include <math.h>

/* A uniform cubic B-spline whose first and last control points count three times, so that it begins and ends there. */
enum { CONTROLS = 30, SPANS = CONTROLS + 1, PIECES = 8, OBSTACLES = 15 };

static const double START = 0.05, GOAL = 0.95;        /* both coordinates */
static const double GROUND_COST = 20, MISS_COST = 10; /* of a unit of length in the middle of an obstacle; of a miss */

static const struct {
    double x, y, radius;
} obstacle[OBSTACLES] = {{0.22, 0.12, 0.09}, {0.10, 0.32, 0.10}, {0.40, 0.25, 0.10}, {0.27, 0.47, 0.10},
                         {0.62, 0.10, 0.10}, {0.60, 0.38, 0.11}, {0.86, 0.22, 0.10}, {0.80, 0.45, 0.09},
                         {0.46, 0.58, 0.09}, {0.10, 0.62, 0.11}, {0.30, 0.75, 0.10}, {0.65, 0.65, 0.09},
                         {0.52, 0.86, 0.10}, {0.88, 0.68, 0.10}, {0.75, 0.88, 0.09}};

/* The cost of a unit of length at a place: 0 between the obstacles. */
static double ground(double x, double y) {
    double sum = 0;
    for (int i = 0; i < OBSTACLES; i++) {
        double dx = x - obstacle[i].x, dy = y - obstacle[i].y, radius = obstacle[i].radius;
        double inside = 1 - (dx * dx + dy * dy) / (radius * radius);
        if (inside > 0) sum += GROUND_COST * inside * inside;
    }
    return sum;
}

/* A control point of the spline, -2 to CONTROLS + 1. */
static const double *control(const double *x, int k) { return x + 2 * (k < 0 ? 0 : k >= CONTROLS ? CONTROLS - 1 : k); }

/* The place of the curve at u in [0, 1] of a span. */
static void curve(const double *x, int span, double u, double *at) {
    double v = 1 - u;
    double b[4] = {v * v * v / 6, (3 * u * u * u - 6 * u * u + 4) / 6, (3 * v * v * v - 6 * v * v + 4) / 6,
                   u * u * u / 6};
    for (int c = 0; c < 2; c++) {
        at[c] = 0;
        for (int k = 0; k < 4; k++) at[c] += b[k] * control(x, span + k - 2)[c];
    }
}

/* The ground along the curve, by the middles of its pieces. */
static double along(const double *x) {
    double sum = 0, from[2], to[2];
    curve(x, 0, 0, from);
    for (int k = 1; k <= SPANS * PIECES; k++) {
        int span = (k - 1) / PIECES;
        curve(x, span, (k - span * PIECES) / (double)PIECES, to);
        sum += ground((from[0] + to[0]) / 2, (from[1] + to[1]) / 2) * hypot(to[0] - from[0], to[1] - from[1]);
        from[0] = to[0], from[1] = to[1];
    }
    return sum;
}

static double rover(const problem *p, const double *x) {
    const double *last = x + 2 * (CONTROLS - 1);
    (void)p;
    return along(x) +
           MISS_COST * (fabs(x[0] - START) + fabs(x[1] - START) + fabs(last[0] - GOAL) + fabs(last[1] - GOAL));
}

/* ---- the table -------------------------------------------------------------------------------------- */

/* The best point is a path that keeps clear of all obstacles; it is one of many. */
/* clang-format off */
const problem catalogue_rover[] = {
    {"rover60", 60, WIDE(0), WIDE(1), 0, 0,
     {0.05, 0.05, 0.05, 0.099, 0.076, 0.136, 0.111, 0.171, 0.145, 0.205, 0.184, 0.229, 0.219, 0.259, 0.254, 0.294,
      0.288, 0.328, 0.325, 0.355, 0.364, 0.379, 0.404, 0.4, 0.44, 0.43, 0.477, 0.457, 0.516, 0.481, 0.553, 0.508,
      0.595, 0.525, 0.643, 0.525, 0.691, 0.526, 0.726, 0.561, 0.76, 0.595, 0.76, 0.643, 0.76, 0.692, 0.764, 0.739,
      0.798, 0.773, 0.834, 0.804, 0.868, 0.838, 0.903, 0.873, 0.937, 0.907, 0.95, 0.95}, rover, NULL, NULL, 0},
    {.name = NULL},
};
/* clang-format on */
