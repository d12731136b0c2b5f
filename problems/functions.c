/* functions.c - standard test functions and some of our own, each with its optimum. The standard
 * ones are as in Surjanovic and Bingham, Virtual Library of Simulation Experiments; ackley and wave
 * are eq:2D_ackley and eq:synthetic_prediction_interval. Layer: problems. Cost: O(dim) a value. */
#include "catalogue.h"

#include <math.h>

static double square(double a) { return a * a; }

/* ---- published functions -------------------------------------------------------------------- */

static double branin(const problem *p, const double *x) {
    (void)p;
    double b = 5.1 / (4 * PI * PI), c = 5 / PI, t = 1 / (8 * PI);
    double inner = x[1] - b * x[0] * x[0] + c * x[0] - 6;
    return inner * inner + 10 * (1 - t) * cos(x[0]) + 10;
}

/* Four peaks; `A` their widths and `P` their centres, rows of p->dim numbers. */
static double hartmann(const problem *p, const double *A, const double *P, const double *x) {
    static const double height[4] = {1.0, 1.2, 3.0, 3.2};
    double sum = 0;
    for (size_t i = 0; i < 4; i++) {
        double inner = 0;
        for (size_t j = 0; j < p->dim; j++) inner += A[i * p->dim + j] * square(x[j] - P[i * p->dim + j]);
        sum += height[i] * exp(-inner);
    }
    return -sum;
}

static double hartmann3(const problem *p, const double *x) {
    static const double A[4 * 3] = {3, 10, 30, 0.1, 10, 35, 3, 10, 30, 0.1, 10, 35};
    static const double P[4 * 3] = {.3689, .1170, .2673, .4699, .4387, .7470, .1091, .8732, .5547, .0381, .5743, .8828};
    return hartmann(p, A, P, x);
}

static double hartmann6(const problem *p, const double *x) {
    static const double A[4 * 6] = {10, 3,   17,  3.5, 1.7, 8, 0.05, 10, 17,   0.1, 8,   14,
                                    3,  3.5, 1.7, 10,  17,  8, 17,   8,  0.05, 10,  0.1, 14};
    static const double P[4 * 6] = {.1312, .1696, .5569, .0124, .8283, .5886, .2329, .4135, .8307, .3736, .1004, .9991,
                                    .2348, .1451, .3522, .2883, .3047, .6650, .4047, .8828, .8732, .5743, .1091, .0381};
    return hartmann(p, A, P, x);
}

static double levy(const problem *p, const double *x) {
    double sum = square(sin(PI * (1 + (x[0] - 1) / 4)));
    for (size_t i = 0; i < p->dim; i++) {
        double w = 1 + (x[i] - 1) / 4;
        if (i + 1 < p->dim)
            sum += square(w - 1) * (1 + 10 * square(sin(PI * w + 1)));
        else
            sum += square(w - 1) * (1 + square(sin(2 * PI * w)));
    }
    return sum;
}

static double rosenbrock(const problem *p, const double *x) {
    double sum = 0;
    for (size_t i = 0; i + 1 < p->dim; i++) sum += 100 * square(x[i + 1] - x[i] * x[i]) + square(1 - x[i]);
    return sum;
}

static double rosenbrock_log(const problem *p, const double *x) { return log1p(rosenbrock(p, x)); }

/* With the usual steepness, m = 10. */
static double michalewicz(const problem *p, const double *x) {
    double sum = 0;
    for (size_t i = 0; i < p->dim; i++) sum += sin(x[i]) * pow(sin((double)(i + 1) * x[i] * x[i] / PI), 20);
    return -sum;
}

static double griewank(const problem *p, const double *x) {
    double sum = 0, product = 1;
    for (size_t i = 0; i < p->dim; i++) {
        sum += x[i] * x[i] / 4000;
        product *= cos(x[i] / sqrt((double)(i + 1)));
    }
    return sum - product + 1;
}

static double camel(const problem *p, const double *x) {
    (void)p;
    double a = x[0] * x[0], b = x[1] * x[1];
    return (4 - 2.1 * a + a * a / 3) * a + x[0] * x[1] + (4 * b - 4) * b;
}

static double styblinski_tang(const problem *p, const double *x) {
    double sum = 0;
    for (size_t i = 0; i < p->dim; i++) {
        double s = x[i] * x[i];
        sum += (s * s - 16 * s + 5 * x[i]) / 2;
    }
    return sum;
}

/* eq:2D_ackley with the sign turned. */
static double ackley(const problem *p, const double *x) {
    double squares = 0, cosines = 0, n = (double)p->dim;
    for (size_t i = 0; i < p->dim; i++) {
        squares += x[i] * x[i];
        cosines += cos(2 * PI * x[i]);
    }
    return 20 + exp(1) - 20 * exp(-0.2 * sqrt(squares / n)) - exp(cosines / n);
}

static double ackley_paper(const problem *p, const double *x) { return -ackley(p, x); }

/* eq:synthetic_prediction_interval */
static double wave(const problem *p, const double *x) {
    (void)p;
    return x[0] * sin(2 * x[0]) + cos(PI * x[0]);
}

static double goldstein_price_log(const problem *p, const double *x) {
    (void)p;
    double a = x[0], b = x[1];
    double first = 19 - 14 * a + 3 * a * a - 14 * b + 6 * a * b + 3 * b * b;
    double second = 18 - 32 * a + 12 * a * a + 48 * b - 36 * a * b + 27 * b * b;
    return log(1 + square(a + b + 1) * first) + log(30 + square(2 * a - 3 * b) * second);
}

static double dixon_price(const problem *p, const double *x) {
    double sum = square(x[0] - 1);
    for (size_t i = 1; i < p->dim; i++) sum += (double)(i + 1) * square(2 * x[i] * x[i] - x[i - 1]);
    return sum;
}

static double rastrigin(const problem *p, const double *x) {
    double sum = 0;
    for (size_t i = 0; i < p->dim; i++) sum += x[i] * x[i] + 10 * (1 - cos(2 * PI * x[i]));
    return sum;
}

static double sphere(const problem *p, const double *x) {
    double sum = 0;
    for (size_t i = 0; i < p->dim; i++) sum += x[i] * x[i];
    return sum;
}

/* ---- our own: functions that no smooth stationary model describes ---------------------------- */

/* No gradient at the optimum, nor anywhere on five hyperplanes through it, one of them oblique. */
static double kink(const problem *p, const double *x) {
    double sum = 0, ridge = 0;
    for (size_t i = 0; i < p->dim; i++) {
        double u = x[i] - p->best[i];
        sum += sqrt((double)(i + 1)) * pow(fabs(u), 0.8);
        ridge += i % 2 ? -u : u;
    }
    return sum + fabs(ridge);
}

/* A smooth bowl rounded down to halves: flat but for jumps. The optimum is taken on a whole
 * ellipsoid around `best`. */
static double steps(const problem *p, const double *x) {
    double sum = 0;
    for (size_t i = 0; i < p->dim; i++) sum += (double)(i + 1) * square(x[i] - p->best[i]);
    return floor(2 * (sqrt(1 + sum) - 1)) / 2;
}

/* A plain that sinks gently towards its bottom, and elsewhere a deep narrow hole, its length scale
 * a seventh of the box. */
static double bump(const problem *p, const double *x) {
    static const double hole[6] = {0.25, 0.7, 0.4, 0.75, 0.6, 0.3};
    static const double bottom[6] = {0.8, 0.2, 0.7, 0.3, 0.3, 0.8};
    double to_hole = 0, to_bottom = 0;
    for (size_t i = 0; i < p->dim; i++) {
        to_hole += square(x[i] - hole[i]);
        to_bottom += square(x[i] - bottom[i]);
    }
    return 0.05 * to_bottom - 1 / (1 + to_hole / square(0.15));
}

/* ---- the table ------------------------------------------------------------------------------ */

#define STYBLINSKI_TANG (-39.166165703771415464) /* a coordinate's share */

/* clang-format off */
/* Numbers of more than a few digits are from tools/golden_problems.py, or exact. */
const problem catalogue_functions[] = {
    {"branin", 2, {-5, 0}, {10, 15}, 0, 0.39788735772973833942, {PI, 2.275}, branin, NULL, NULL, 0},
    {"hartmann3", 3, ALL(0), ALL(1), 0, -3.8627797873326625228,
     {0.11458887665506896836, 0.55564889461693004477, 0.85254698468667743762}, hartmann3, NULL, NULL, 0},
    {"hartmann6", 6, ALL(0), ALL(1), 0, -3.3223680114155148001,
     {0.20168951100670542433, 0.15001069182345796879, 0.47687397422189699032,
      0.27533243049405606824, 0.31165161660011324245, 0.65730053406562030606}, hartmann6, NULL, NULL, 0},
    {"levy2", 2, ALL(-10), ALL(10), 0, 0, ALL(1), levy, NULL, NULL, 0},
    {"levy5", 5, ALL(-10), ALL(10), 0, 0, ALL(1), levy, NULL, NULL, 0},
    {"levy10", 10, ALL(-10), ALL(10), 0, 0, ALL(1), levy, NULL, NULL, 0},
    {"levy20", 20, ALL(-10), ALL(10), 0, 0, ALL(1), levy, NULL, NULL, 0},
    {"levy100", 100, WIDE(-10), WIDE(10), 0, 0, WIDE(1), levy, NULL, NULL, 0},
    {"levy200", 200, WIDE(-10), WIDE(10), 0, 0, WIDE(1), levy, NULL, NULL, 0},
    {"rosenbrock2", 2, ALL(-5), ALL(10), 0, 0, ALL(1), rosenbrock, NULL, NULL, 0},
    {"rosenbrock4", 4, ALL(-5), ALL(10), 0, 0, ALL(1), rosenbrock, NULL, NULL, 0},
    {"rosenbrock5", 5, ALL(-5), ALL(10), 0, 0, ALL(1), rosenbrock, NULL, NULL, 0},
    {"rosenbrock8", 8, ALL(-5), ALL(10), 0, 0, ALL(1), rosenbrock, NULL, NULL, 0},
    {"rosenbrock20", 20, ALL(-5), ALL(10), 0, 0, ALL(1), rosenbrock, NULL, NULL, 0},
    {"rosenbrock100", 100, WIDE(-5), WIDE(10), 0, 0, WIDE(1), rosenbrock, NULL, NULL, 0},
    {"rosenbrock200", 200, WIDE(-5), WIDE(10), 0, 0, WIDE(1), rosenbrock, NULL, NULL, 0},
    {"rosenbrock4-log", 4, ALL(-5), ALL(10), 0, 0, ALL(1), rosenbrock_log, NULL, NULL, 0}, /* log(1 + f) */
    {"michalewicz2", 2, ALL(0), ALL(PI), 0, -1.8013034100985525327,
     {2.2029055201726093461, PI / 2}, michalewicz, NULL, NULL, 0},
    {"michalewicz5", 5, ALL(0), ALL(PI), 0, -4.6876581790881462522,
     {2.2029055201726093461, PI / 2, 1.2849915705529243599, 1.9230584698663628432,
      1.7204697725658412801}, michalewicz, NULL, NULL, 0},
    /* in the published box, [-600, 600], only the bowl matters */
    {"griewank5", 5, ALL(-10), ALL(10), 0, 0, ALL(0), griewank, NULL, NULL, 0},
    {"camel", 2, {-3, -2}, {3, 2}, 0, -1.0316284534898773504,
     {0.089842013100318062422, -0.7126564030207396334}, camel, NULL, NULL, 0},
    {"styblinski-tang2", 2, ALL(-5), ALL(5), 0, 2 * STYBLINSKI_TANG, ALL(-2.9035340277711770951),
     styblinski_tang, NULL, NULL, 0},
    {"styblinski-tang4", 4, ALL(-5), ALL(5), 0, 4 * STYBLINSKI_TANG, ALL(-2.9035340277711770951),
     styblinski_tang, NULL, NULL, 0},
    {"ackley2", 2, ALL(-10), ALL(10), 0, 0, ALL(0), ackley, NULL, NULL, 0},
    /* the optimum is off the centre, which some searches try by construction */
    {"ackley2-shifted", 2, ALL(-7.3), ALL(12.7), 0, 0, ALL(0), ackley, NULL, NULL, 0},
    {"ackley6", 6, ALL(-5), ALL(10), 0, 0, ALL(0), ackley, NULL, NULL, 0},
    {"ackley10", 10, ALL(-5), ALL(10), 0, 0, ALL(0), ackley, NULL, NULL, 0},
    {"ackley100", 100, WIDE(-5), WIDE(10), 0, 0, WIDE(0), ackley, NULL, NULL, 0},
    {"ackley200", 200, WIDE(-5), WIDE(10), 0, 0, WIDE(0), ackley, NULL, NULL, 0},
    {"ackley-paper", 2, ALL(-10), ALL(10), 1, 0, ALL(0), ackley_paper, NULL, NULL, 0},
    {"wave", 1, {-5}, {5}, 1, 4.9580136099433990569, {3.9933485208154305979}, wave, NULL, NULL, 0},
    {"goldstein-price-log", 2, ALL(-2), ALL(2), 0, 1.0986122886681096914, {0, -1},
     goldstein_price_log, NULL, NULL, 0},
    /* best: 2^-((2^i - 2) / 2^i) */
    {"dixon-price4", 4, ALL(-10), ALL(10), 0, 0,
     {1, 0.70710678118654752440, 0.59460355750136053336, 0.54525386633262882960},
     dixon_price, NULL, NULL, 0},
    {"rastrigin4", 4, ALL(-5.12), ALL(5.12), 0, 0, ALL(0), rastrigin, NULL, NULL, 0},
    {"sphere6", 6, ALL(-5.12), ALL(5.12), 0, 0, ALL(0), sphere, NULL, NULL, 0},
    {"kink4", 4, ALL(-2), ALL(2), 0, 0, {0.7, -1.1, 0.3, 1.4}, kink, NULL, NULL, 0},
    {"steps3", 3, ALL(-5), ALL(5), 0, 0, {-1.3, 2.2, 0.9}, steps, NULL, NULL, 0},
    {"bump6", 6, ALL(0), ALL(1), 0, -0.94081658576998521575,
     {0.25061813682998298845, 0.69943805742728819232, 0.40033716554362708461,
      0.74949425168455937309, 0.59966283445637291539, 0.30056194257271180768}, bump, NULL, NULL, 0},
    {.name = NULL},
};
/* clang-format on */
