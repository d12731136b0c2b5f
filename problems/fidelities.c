/* fidelities.c - functions that can be evaluated at lower fidelity: published ones, two whose low fidelity is opposed
 * to the full one, and a simulated training run. Layer: problems. Cost: O(dim) a value. */
#include <math.h>

#include "catalogue.h"

static double square(double a) { return a * a; }

static double at(const char *name, const double *x) { return problem_value(problem_find(name), x); }

/* ---- a fidelity in [0, 1] ----------------------------------------------------------------------- */

static double price_real(double s) { return 0.05 + 0.95 * pow(s, 1.5); }

static double branin(const double *x, double s) {
    double b = 5.1 / (4 * PI * PI) - 0.1 * (1 - s), c = 5 / PI, t = 1 / (8 * PI);
    return square(x[1] - b * x[0] * x[0] + c * x[0] - 6) + 10 * (1 - t) * cos(x[0]) + 10;
}

/* The first of the four peaks is lower by 0.1 (1 - s). */
static double hartmann6(const double *x, double s) {
    static const double A[6] = {10, 3, 17, 3.5, 1.7, 8}, P[6] = {.1312, .1696, .5569, .0124, .8283, .5886};
    double inner = 0;
    for (size_t j = 0; j < 6; j++) inner += A[j] * square(x[j] - P[j]);
    return at("hartmann6", x) + 0.1 * (1 - s) * exp(-inner);
}

/* ---- two levels ----------------------------------------------------------------------------------- */

static double price_level(double s) { return 0.9 * s - 0.8; }

static double borehole(const double *x, double s) {
    double resistance = log(x[1] / x[0]) * (1.5 / x[2] + 1 / x[4]) + 2 * x[6] / (square(x[0]) * x[7]);
    return s > 1 ? at("borehole8", x) : 5 * (x[3] - x[5]) / resistance;
}

static double currin_high(double a, double b) {
    double above = ((2300 * a + 1900) * a + 2092) * a + 60, below = ((100 * a + 500) * a + 4) * a + 20;
    return above / below * (b > 0 ? 1 - exp(-0.5 / b) : 1);
}

/* The low one is the mean over four points around x. */
static double currin(const double *x, double s) {
    double by = 0.05, left = x[0] - by, right = x[0] + by, below = fmax(0, x[1] - by), above = x[1] + by;
    if (s > 1) return currin_high(x[0], x[1]);
    return (currin_high(right, above) + currin_high(right, below) + currin_high(left, above) +
            currin_high(left, below)) /
           4;
}

/* ---- a low fidelity that misleads ----------------------------------------------------------------- */

/* f at 1, of no use at 0.5, 100 - f at 0. */
static double branin_against(const double *x, double s) { return (2 * s - 1) * at("branin", x) + 100 * (1 - s); }

static double hartmann3_against(const double *x, double s) {
    return s > 1 ? at("hartmann3", x) : -4 - at("hartmann3", x);
}

/* ---- the error of a network while it is trained --------------------------------------------------- */

enum { EPOCHS = 81 };
static const double START = 0.9, LEAST = 0.04; /* the error after the first epoch; the best after the last */

static double price_epochs(double s) { return s / EPOCHS; }

/* log10 of the learning rate, -log10(1 - momentum), log2 of the width, log10 of the weight decay, dropout. */
enum { RATE, MOMENTUM, WIDTH, DECAY, DROPOUT };

/* How large the steps of the training are: log10(rate/(1 - momentum)). */
static double pace(const double *x) { return x[RATE] + x[MOMENTUM]; }

/* The error after the last epoch. A setting that is far off learns nothing. */
static double final_error(const double *x) {
    double off = 0.25 * square(pace(x) + 0.6) + 0.15 * square(x[MOMENTUM] - 1) + 0.05 * square(x[WIDTH] - 8) +
                 0.06 * square(x[DECAY] + 3.5 - 0.2 * (8 - x[WIDTH])) + 3 * square(x[DROPOUT] - 0.2);
    return START - (START - LEAST) * exp(-off);
}

/* A power law from the first epoch to the last. */
static double curve(double end, double power, double s) {
    double last = pow(EPOCHS, -power);
    return end + (START - end) * (pow(s, -power) - last) / (1 - last);
}

/* Large steps learn fast, large networks and dropout slowly. The best setting is beaten until epoch 10 to 20. */
static double training_crossing(const double *x, double s) {
    double power = 0.4 + 2 / (1 + exp(-3 * (pace(x) - 0.1)));
    power *= (1 - 0.06 * (x[WIDTH] - 8)) * (1 - 0.5 * (x[DROPOUT] - 0.2));
    return curve(final_error(x), power, s);
}

static double training_plain(const double *x, double s) { return curve(final_error(x), 1, s); }

/* ---- the table ------------------------------------------------------------------------------ */

/* As problems, at full fidelity. */
#define FULL(function, top)                                                                                            \
    static double function##_full(const problem *p, const double *x) {                                                 \
        (void)p;                                                                                                       \
        return function(x, top);                                                                                       \
    }
FULL(branin, 1)
FULL(hartmann6, 1)
FULL(borehole, 2)
FULL(currin, 2)
FULL(branin_against, 1)
FULL(hartmann3_against, 2)
FULL(training_crossing, EPOCHS)
FULL(training_plain, EPOCHS)

#define REAL PROBLEM_REAL, 0, 1, 0, "0.05 + 0.95 * fidelity ^ 1.5", price_real
#define LEVELS PROBLEM_INTEGER, 1, 2, 0, "0.9 * fidelity - 0.8", price_level
#define STEPS PROBLEM_INTEGER, 1, EPOCHS, 1, "fidelity / 81", price_epochs

/* clang-format off */
#define TRAINING(name, function)                                                                                       \
    {{name, 5, {-4, 0, 4, -6, 0}, {0, 2, 9, -1, 0.5}, 0, 0.04, {-1.6, 1, 8, -3.5, 0.2}, function##_full, NULL, "rrirr",    \
      0},                                                                                                               \
     STEPS, function}

const problem_fidelity catalogue_fidelities[] = {
    {{"branin-fidelity", 2, {-5, 0}, {10, 15}, 0, 0.39788735772973833942, {PI, 2.275}, branin_full, NULL, NULL, 0},
     REAL, branin},
    {{"hartmann6-fidelity", 6, ALL(0), ALL(1), 0, -3.3223680114155148001,
      {0.20168951100670542433, 0.15001069182345796879, 0.47687397422189699032,
       0.27533243049405606824, 0.31165161660011324245, 0.65730053406562030606}, hartmann6_full, NULL, NULL, 0},
     REAL, hartmann6},
    {{"borehole8-fidelity", 8, {0.05, 100, 63070, 990, 63.1, 700, 1120, 9855},
      {0.15, 50000, 115600, 1110, 116, 820, 1680, 12045}, 0, 7.8196763287552305551,
      {0.05, 50000, 63070, 990, 63.1, 820, 1680, 9855}, borehole_full, NULL, NULL, 0},
     LEVELS, borehole},
    {{"currin-fidelity", 2, ALL(0), ALL(1), 1, 13.798722044728434505, {13.0 / 60, 0}, currin_full, NULL, NULL, 0},
     LEVELS, currin},
    {{"branin-against", 2, {-5, 0}, {10, 15}, 0, 0.39788735772973833942, {PI, 2.275}, branin_against_full, NULL, NULL, 0},
     REAL, branin_against},
    {{"hartmann3-against", 3, ALL(0), ALL(1), 0, -3.8627797873326625228,
      {0.11458887665506896836, 0.55564889461693004477, 0.85254698468667743762}, hartmann3_against_full, NULL, NULL, 0},
     LEVELS, hartmann3_against},
    TRAINING("training-crossing", training_crossing),
    TRAINING("training-plain", training_plain),
    {.full = {.name = NULL}},
};
/* clang-format on */
