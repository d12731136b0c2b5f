/* test_rover.c - the path of the rover against a slow reference: the spline by the recursion of Cox and de Boor, the
 * cost by many small pieces. */
#include "problems.h"

#include "check.h"
#include "draw.h"

enum { DIM = 60, CONTROLS = 30, PADDED = CONTROLS + 4, SPANS = PADDED - 3, OBSTACLES = 15 };

static const double obstacle[OBSTACLES][3] = {
    {0.22, 0.12, 0.09}, {0.10, 0.32, 0.10}, {0.40, 0.25, 0.10}, {0.27, 0.47, 0.10}, {0.62, 0.10, 0.10},
    {0.60, 0.38, 0.11}, {0.86, 0.22, 0.10}, {0.80, 0.45, 0.09}, {0.46, 0.58, 0.09}, {0.10, 0.62, 0.11},
    {0.30, 0.75, 0.10}, {0.65, 0.65, 0.09}, {0.52, 0.86, 0.10}, {0.88, 0.68, 0.10}, {0.75, 0.88, 0.09}};

static const problem *rover(void) { return problem_find("rover60"); }

/* The B-spline of a degree over the knots k, k + 1, ..., at t. */
static double basis(int degree, int k, double t) {
    if (degree == 0) return t >= k && t < k + 1;
    return (t - k) / degree * basis(degree - 1, k, t) + (k + degree + 1 - t) / degree * basis(degree - 1, k + 1, t);
}

/* The place at t in [0, SPANS): the knots of the curve begin at 3. */
static void place(const double *x, double t, double *at) {
    at[0] = at[1] = 0;
    for (int k = 0; k < PADDED; k++) {
        int c = k < 2 ? 0 : k - 2 >= CONTROLS ? CONTROLS - 1 : k - 2;
        double weight = basis(3, k, t + 3);
        at[0] += weight * x[2 * c];
        at[1] += weight * x[2 * c + 1];
    }
}

static double ground(const double *at) {
    double sum = 0;
    for (int i = 0; i < OBSTACLES; i++) {
        double d = hypot(at[0] - obstacle[i][0], at[1] - obstacle[i][1]) / obstacle[i][2];
        if (d < 1) sum += 20 * pow(1 - d * d, 2);
    }
    return sum;
}

/* The cost of the ground by n pieces of each span. */
static double slow_cost(const double *x, int n) {
    double sum = 0, from[2], to[2];
    place(x, 0, from);
    for (int k = 1; k <= n * SPANS; k++) {
        place(x, fmin(k / (double)n, SPANS - 1e-12), to);
        double middle[2] = {(from[0] + to[0]) / 2, (from[1] + to[1]) / 2};
        sum += ground(middle) * hypot(to[0] - from[0], to[1] - from[1]);
        memcpy(from, to, sizeof from);
    }
    return sum;
}

static double miss(const double *x) {
    return 10 * (fabs(x[0] - 0.05) + fabs(x[1] - 0.05) + fabs(x[58] - 0.95) + fabs(x[59] - 0.95));
}

static void random_path(draw *d, double *x) {
    for (int j = 0; j < DIM; j++) x[j] = draw_uniform(d);
}

/* With the same pieces it is the same number; with thirty times as many one that is near, as an integral should be. */
static void the_cost_is_an_integral(void **state) {
    (void)state;
    draw d = draw_open(3, 1);
    for (int i = 0; i < 20; i++) {
        double x[PROBLEM_MAX_DIM];
        random_path(&d, x);
        double value = problem_value(rover(), x);
        check_close(value, slow_cost(x, 8) + miss(x), 1e-9, 0); /* the end of the last span is cut by 1e-12 */
        if (i < 3) check_close(value, slow_cost(x, 240) + miss(x), 0.02, 0);
    }
}

/* A path that stays where it is costs the misses, and the ground nothing. */
static void paths_worked_out_by_hand(void **state) {
    (void)state;
    double x[PROBLEM_MAX_DIM];
    for (int j = 0; j < DIM; j++) x[j] = 0.22;
    check_close(problem_value(rover(), x), 10 * 2 * (0.17 + 0.73), 1e-12, 0);
    for (int k = 0; k < CONTROLS; k++) { /* through the middle of the obstacle at (0.62, 0.10), from below the others */
        x[2 * k] = 0.62;
        x[2 * k + 1] = 0.2 * k / (CONTROLS - 1);
    }
    /* the integral of 20 (1 - (t/r)^2)^2 from -r to r is 20 r 16/15 */
    check_close(problem_value(rover(), x), 20 * 0.1 * 16 / 15 + miss(x), 1e-3, 0);
}

/* The best path keeps clear of the obstacles, and a straight one does not. */
static void the_best_path_is_free(void **state) {
    (void)state;
    double x[PROBLEM_MAX_DIM];
    check_same(problem_value(rover(), rover()->best), 0);
    check_same(slow_cost(rover()->best, 100), 0);
    for (int k = 0; k < CONTROLS; k++) x[2 * k] = x[2 * k + 1] = 0.05 + 0.9 * k / (CONTROLS - 1);
    check_that(problem_value(rover(), x) > 1, "the straight path costs %g", problem_value(rover(), x));
}

/* Nowhere negative, finite in the corners too. */
static void values_are_costs(void **state) {
    (void)state;
    draw d = draw_open(4, 1);
    for (int i = 0; i < 2000; i++) {
        double x[PROBLEM_MAX_DIM];
        random_path(&d, x);
        for (int j = 0; j < DIM && i % 2; j++) x[j] = x[j] > 0.5;
        double value = problem_value(rover(), x);
        check_that(value >= 0 && value < 1000, "%g", value);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_cost_is_an_integral),
        cmocka_unit_test(paths_worked_out_by_hand),
        cmocka_unit_test(the_best_path_is_free),
        cmocka_unit_test(values_are_costs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
