/* hidden.c - functions of a few parameters among a hundred that do not matter. They are in the unit cube, the ones that
 * matter come first; moving such a problem permutes them. Layer: problems. Cost: that of the function. */
#include "catalogue.h"

/* The function `name` at the first parameters of a point of the unit cube. */
static double value_of(const char *name, const double *u) {
    double x[PROBLEM_MAX_DIM];
    const problem *p = problem_find(name);
    problem_from_unit(p, u, x);
    return problem_value(p, x);
}

static double hidden_branin(const problem *p, const double *x) {
    (void)p;
    return value_of("branin", x);
}

static double hidden_hartmann(const problem *p, const double *x) {
    (void)p;
    return value_of("hartmann6", x);
}

static double hidden_ackley(const problem *p, const double *x) {
    (void)p;
    return value_of("ackley6", x);
}

/* ---- the table -------------------------------------------------------------------------------------- */

#define MIDDLE HUNDRED(0.5) /* of the parameters that do not matter */
#define THIRD (5.0 / 15)    /* the place of 0 in [-5, 10] */

/* clang-format off */
const problem catalogue_hidden[] = {
    {"hidden-branin102", 102, WIDE(0), WIDE(1), 0, 0.39788735772973833942, {(PI + 5) / 15, 2.275 / 15, MIDDLE},
     hidden_branin, NULL, NULL, 2},
    {"hidden-hartmann106", 106, WIDE(0), WIDE(1), 0, -3.3223680114155148001,
     {0.20168951100670542433, 0.15001069182345796879, 0.47687397422189699032,
      0.27533243049405606824, 0.31165161660011324245, 0.65730053406562030606, MIDDLE}, hidden_hartmann, NULL, NULL, 6},
    {"hidden-ackley106", 106, WIDE(0), WIDE(1), 0, 0, {THIRD, THIRD, THIRD, THIRD, THIRD, THIRD, MIDDLE},
     hidden_ackley, NULL, NULL, 6},
    {.name = NULL},
};
/* clang-format on */
