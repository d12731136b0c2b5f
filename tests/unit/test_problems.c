/* test_problems.c - test functions at published points, their optima against searches, and what
 * moving a problem may and may not change. */
#include "problems.h"

#include "check.h"
#include "draw.h"

static const double PI = 3.14159265358979323846;

static const problem *find(const char *name) {
    const problem *p = problem_find(name);
    check_that(p != NULL, "no problem %s", name);
    return p;
}

/* A point of the box, uniformly. */
static void sample(const problem *p, draw *d, double *x) {
    double u[PROBLEM_MAX_DIM];
    for (size_t j = 0; j < p->dim; j++) u[j] = draw_uniform(d);
    problem_from_unit(p, u, x);
}

/* Of many parameters: tests that search look at fewer points. */
static int is_large(const problem *p) { return p->dim >= 14; }

/* Numbers of parameters: 1 to 18, and 200. */
static size_t next_dim(size_t dim) { return dim == 18 ? PROBLEM_MAX_DIM : dim + 1; }

static double same_everywhere(const char *name, double coordinate) {
    const problem *p = find(name);
    double x[PROBLEM_MAX_DIM];
    for (size_t j = 0; j < p->dim; j++) x[j] = coordinate;
    return problem_value(p, x);
}

static double at(const char *name, double a, double b) { return problem_value(find(name), (double[]){a, b}); }

/* ---- the functions -------------------------------------------------------------------------- */

/* To the digits they are published with. */
static void published_optima(void **state) {
    (void)state;
    static const struct {
        const char *name;
        double optimum;
    } known[] = {{"branin", 0.397887},
                 {"hartmann3", -3.86278},
                 {"hartmann6", -3.32237},
                 {"michalewicz2", -1.8013},
                 {"michalewicz5", -4.68766},
                 {"camel", -1.0316},
                 {"levy2", 0},
                 {"levy10", 0},
                 {"griewank5", 0},
                 {"ackley2", 0},
                 {"rosenbrock4", 0},
                 {"dixon-price4", 0},
                 {"rastrigin4", 0},
                 {"styblinski-tang2", -2 * 39.16617},
                 {"ackley-paper", 0},
                 {"styblinski-tang4", -4 * 39.16617}};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        check_close(find(known[k].name)->optimum, known[k].optimum, 0, 5e-5);
    check_close(exp(find("goldstein-price-log")->optimum), 3, 1e-15, 0);
}

/* Stationary points, given with four digits or more: the value is off by the square of the rest. */
static void published_points(void **state) {
    (void)state;
    check_close(at("branin", -PI, 12.275), 0.397887, 0, 1e-6);
    check_close(at("branin", PI, 2.275), 0.397887, 0, 1e-6);
    check_close(at("branin", 9.42478, 2.475), 0.397887, 0, 1e-6);
    check_close(at("camel", 0.0898, -0.7126), -1.0316, 0, 5e-5);
    check_close(at("camel", -0.0898, 0.7126), -1.0316, 0, 5e-5);
    check_close(at("camel", 1.7036, -0.7961), -0.2155, 0, 5e-5);
    check_close(at("camel", -1.6071, -0.5687), 2.1043, 0, 5e-5);
    check_close(exp(at("goldstein-price-log", -0.6, -0.4)), 30, 1e-13, 0);
    check_close(exp(at("goldstein-price-log", 1.8, 0.2)), 84, 1e-13, 0);
    check_close(exp(at("goldstein-price-log", 1.2, 0.8)), 840, 1e-13, 0);
    check_close(at("michalewicz2", 2.20, 1.57), -1.8011, 0, 5e-5);
    double three[] = {0.114614, 0.555649, 0.852547};
    check_close(problem_value(find("hartmann3"), three), -3.86278, 0, 5e-6);
    double six[] = {0.20169, 0.150011, 0.476874, 0.275332, 0.311652, 0.6573};
    check_close(problem_value(find("hartmann6"), six), -3.32237, 0, 5e-6);
    double five[] = {2.202906, 1.570796, 1.284992, 1.923058, 1.720470};
    check_close(problem_value(find("michalewicz5"), five), -4.687658, 0, 5e-7);
}

/* Where the formula can be worked out by hand; Hartmann's in the middle by mpmath in 40 digits. */
static void worked_points(void **state) {
    (void)state;
    const double tight = 1e-13; /* a few roundings */
    check_close(at("branin", 0, 0), 36 + 20 - 10 / (8 * PI), tight, 0);
    check_close(same_everywhere("hartmann3", 0.5), -0.62802201507059419935, tight, 0);
    check_close(same_everywhere("hartmann6", 0.5), -0.50531499170223313651, tight, 0);
    check_close(same_everywhere("rosenbrock4", 0), 3, tight, 0);
    check_close(same_everywhere("rosenbrock2", 2), 401, tight, 0);
    check_close(same_everywhere("rosenbrock4-log", 2), log(1 + 3 * 401), tight, 0);
    check_close(same_everywhere("ackley2", 1), 3.6253849384403627, tight, 0);
    check_close(same_everywhere("ackley2-shifted", 1), 20 * (1 - exp(-0.2)), tight, 0);
    check_close(same_everywhere("ackley-paper", 0.5), 20 * exp(-0.1) + exp(-1) - 20 - exp(1), tight, 0);
    check_close(same_everywhere("levy2", -3), 2 + 10 * pow(sin(1), 2), tight, 0);
    check_close(same_everywhere("levy5", -3), 5 + 40 * pow(sin(1), 2), tight, 0);
    check_close(same_everywhere("levy2", 3), 1 + 0.25 * (1 + 10 * pow(cos(1), 2)) + 0.25, tight, 0);
    check_close(same_everywhere("michalewicz5", PI / 2), -(1 + 3.0 / 1024), tight, 0);
    double shifted[5] = {PI, 0, 0, 0, 0};
    check_close(problem_value(find("griewank5"), shifted), 2 + PI * PI / 4000, tight, 0);
    shifted[0] = 0, shifted[3] = PI;
    check_close(problem_value(find("griewank5"), shifted), 1 + PI * PI / 4000, tight, 0);
    check_close(same_everywhere("styblinski-tang4", 1), -20, tight, 0);
    check_close(same_everywhere("dixon-price4", 0), 1, tight, 0);
    check_close(same_everywhere("dixon-price4", 1), 9, tight, 0);
    check_close(same_everywhere("rastrigin4", 1), 4, tight, 0);
    check_close(same_everywhere("rastrigin4", 0.5), 81, tight, 0);
    check_close(same_everywhere("sphere6", 2), 24, tight, 0);
    check_close(same_everywhere("ackley6", 1), 20 * (1 - exp(-0.2)), tight, 0);
    check_close(same_everywhere("ackley10", 1), 20 * (1 - exp(-0.2)), tight, 0);
    check_close(same_everywhere("ackley100", 0.5), 20 - 20 * exp(-0.1) + exp(1) - exp(-1), tight, 0);
    check_close(same_everywhere("ackley200", 1), 20 * (1 - exp(-0.2)), tight, 0);
    check_close(same_everywhere("levy20", -3), 20 + 190 * pow(sin(1), 2), tight, 0);
    check_close(same_everywhere("levy100", -3), 100 + 990 * pow(sin(1), 2), tight, 0);
    check_close(same_everywhere("levy200", -3), 200 + 1990 * pow(sin(1), 2), tight, 0);
    check_close(same_everywhere("rosenbrock8", 2), 7 * 401, tight, 0);
    check_close(same_everywhere("rosenbrock20", 0), 19, tight, 0);
    check_close(same_everywhere("rosenbrock100", 2), 99 * 401, tight, 0);
    check_close(same_everywhere("rosenbrock200", 0), 199, tight, 0);
    check_close(same_everywhere("wave", 0), 1, tight, 0);
    check_close(same_everywhere("wave", PI / 4), PI / 4 + cos(PI * PI / 4), tight, 0);
}

/* Our own functions have the faults they are there for. */
static void our_own(void **state) {
    (void)state;
    const problem *kinked = find("kink4"), *stepped = find("steps3"), *holed = find("bump6");
    double x[PROBLEM_MAX_DIM];
    memcpy(x, kinked->best, sizeof x);
    for (double h = 1e-3; h > 1e-10; h /= 10) { /* steeper and steeper towards the optimum */
        x[0] = kinked->best[0] + h;
        check_close(problem_value(kinked, x), pow(h, 0.8) + h, 1e-4, 0);
    }
    draw d = draw_open(1, 0);
    int levels[100] = {0}, seen = 0;
    for (int i = 0; i < 10000; i++) {
        sample(stepped, &d, x);
        double twice = 2 * problem_value(stepped, x);
        assert_true(twice >= 0 && twice < 100 && twice == floor(twice));
        seen += levels[(int)twice]++ == 0;
    }
    assert_in_range(seen, 15, 60);
    /* within a third of the box of the hole its depth is seen; from its rim the plain leads away */
    const double bottom[6] = {0.8, 0.2, 0.7, 0.3, 0.3, 0.8};
    check_close(problem_value(holed, bottom), -0.02, 0.1, 0);
    assert_true(problem_regret(holed, bottom) > 0.9);
}

/* Points of the pairs of shapes.c where the formula can be worked out by hand. */
static void shapes(void **state) {
    (void)state;
    const double tight = 1e-13;
    check_close(find("shekel4")->optimum, -10.5364, 0, 5e-5);
    check_close(same_everywhere("ellipsoid5", 1), 1 + pow(10, 1.5) + 1000 + pow(10, 4.5) + 1e6, tight, 0);
    check_close(same_everywhere("different-powers5", 2), sqrt(4 + 8 + 16 + 32 + 64), tight, 0);
    check_close(same_everywhere("zakharov4", 1), 4 + 25 + 625, tight, 0);
    check_close(same_everywhere("powell4", 1), 121 + 1, tight, 0);
    check_close(same_everywhere("schwefel3", PI * PI / 4), -3 * PI * PI / 4, tight, 0);
    check_close(same_everywhere("weierstrass3", 0.5), 6 * (2 - pow(2, -11)), tight, 0);
    check_close(same_everywhere("sharp-ridge4", -1), 1 + 100 * sqrt(3), tight, 0);
    check_close(same_everywhere("rosenbrock5", 0), 4, tight, 0);
    check_close(same_everywhere("step-ellipsoid4", 1.3), 0.1 * (1 + pow(10, 2.0 / 3) + pow(10, 4.0 / 3) + 100), tight,
                0);
    check_close(same_everywhere("step-ellipsoid4", 0.04), 0.1 * 0.04 / 1e4, tight, 0);
    check_close(same_everywhere("alpine4", -PI / 2), 4 * 1.1 * PI / 2, tight, 0);
    check_close(same_everywhere("cosines5", 0.5), 2 * (0.09 - 0.3 * cos(0.9 * PI)), tight, 0);
    check_close(same_everywhere("easom-wide5", 0), -exp(-2 * PI * PI / 10), tight, 0);
}

static double share_below(const char *name, double level) {
    enum { N = 100000 };
    double x[PROBLEM_MAX_DIM];
    int below = 0;
    draw d = draw_open(6, 6);
    for (int i = 0; i < N; i++) {
        sample(find(name), &d, x);
        below += problem_value(find(name), x) < level;
    }
    return below / (double)N;
}

/* The holes are as large as they are said to be; of the peaks one is clearly the deepest, and seldom met; three
 * parameters do not matter. */
static void holes_and_peaks(void **state) {
    (void)state;
    check_close(share_below("needle3", -0.1), 0.05, 0.05, 0);
    check_close(share_below("crater2", -1e-6), 0.05, 0.05, 0);
    check_close(share_below("crater2", -0.8 - 1e-6), 0.05 / 16, 0.2, 0);
    check_that(share_below("peaks5", -9.1) < 1e-3, "peaks5: the deepest hole is not narrow");
    check_that(share_below("peaks5", -1) > 0.2, "peaks5 is a plain");
    const char *two[] = {"cosines5", "easom-wide5"};
    for (int k = 0; k < 2; k++)
        check_same(problem_value(find(two[k]), (double[]){1, 1, 0, 0.2, 1}),
                   problem_value(find(two[k]), (double[]){1, 1, 1, 0.9, 0.1}));
}

/* ---- the table ------------------------------------------------------------------------------ */

static void names(void **state) {
    (void)state;
    size_t count = 0;
    while (problem_at(count)) count++;
    assert_in_range(count, 20, 100);
    assert_int_equal(find("ackley200")->dim, PROBLEM_MAX_DIM);
    for (size_t k = 0; problem_at(k); k++) {
        const problem *p = problem_at(k);
        assert_ptr_equal(problem_find(p->name), p); /* also: no name twice */
        assert_null(p->data);
        assert_in_range(p->dim, 1, PROBLEM_MAX_DIM);
        size_t digits = strcspn(p->name, "0123456789");
        int told = atoi(p->name + digits); /* the number in a name is the dimension */
        assert_true(told == 0 || (size_t)told == p->dim);
    }
    assert_null(problem_find("ackley"));
    assert_null(problem_find(""));
    assert_true(find("wave")->maximize && find("ackley-paper")->maximize);
    assert_false(find("ackley2")->maximize);
}

/* The best point is in the box and has the value it is said to have. */
static void best_points(void **state) {
    (void)state;
    for (size_t k = 0; problem_at(k); k++) {
        const problem *p = problem_at(k);
        for (size_t j = 0; j < p->dim; j++)
            if (p == find("borehole8") || p == find("piston7"))
                assert_true(p->best[j] == p->low[j] || p->best[j] == p->high[j]);
            else if (problem_kind_of(p, j) == PROBLEM_REAL)
                assert_true(p->low[j] < p->best[j] && p->best[j] < p->high[j]);
            else
                assert_true(p->low[j] <= p->best[j] && p->best[j] <= p->high[j] && p->best[j] == floor(p->best[j]));
        /* 1e-12: the coordinates are rounded, which matters by its square, or by its power 0.8 */
        check_close(problem_value(p, p->best), p->optimum, 1e-12, 1e-12);
        check_close(problem_regret(p, p->best), 0, 0, 1e-10);
    }
}

/* Steps along the axes, kept where they help, halved when none does. Returns the last regret. */
static double descend(const problem *p, double *x) {
    double best = problem_regret(p, x), smallest = is_large(p) ? 1e-3 : 1e-9;
    int rounds = is_large(p) ? 3 : 200;
    for (double step = 0.05; step > smallest; step /= 2)
        for (int again = 1, round = 0; again && round < rounds; round++) {
            again = 0;
            for (size_t k = 0; k < 2 * p->dim; k++) {
                size_t j = k / 2;
                double old = x[j], by = (k % 2 ? -step : step) * (p->high[j] - p->low[j]);
                if (problem_kind_of(p, j) != PROBLEM_REAL) by = k % 2 ? -1 : 1;
                x[j] = fmin(fmax(old + by, p->low[j]), p->high[j]);
                double regret = problem_regret(p, x);
                again |= regret < best;
                if (regret < best)
                    best = regret;
                else
                    x[j] = old;
            }
        }
    return best;
}

/* No point of many beats the optimum, nor do descents from one in 500 of them and from the best
 * point. Returns the least regret met but by the last. */
static double attack(const problem *p, int points, uint64_t seed) {
    double x[PROBLEM_MAX_DIM], least = INFINITY;
    draw d = draw_open(seed, 0);
    for (int i = 0; i < points; i++) {
        sample(p, &d, x);
        double regret = i % 500 ? problem_regret(p, x) : descend(p, x);
        check_that(regret >= -1e-9, "%s: seed %d: regret %g", p->name, (int)seed, regret);
        least = fmin(least, regret);
    }
    memcpy(x, p->best, sizeof x);
    double from_best = descend(p, x);
    check_that(from_best >= -1e-12 * (1 + fabs(p->optimum)), "%s: %g from best", p->name, from_best);
    return least;
}

static void nothing_is_better(void **state) {
    (void)state;
    for (size_t k = 0; problem_at(k); k++) attack(problem_at(k), is_large(problem_at(k)) ? 2000 : 20000, 2 + k);
    /* and on those without traps the attack gets there, so it can find what there is */
    const char *easy[] = {"branin", "camel",    "hartmann3", "hartmann6", "sphere6",  "wave",   "bump6", "shekel4",
                          "peaks5", "cosines5", "borehole8", "piston7",   "switch-a", "tune-a", "tune-b"};
    for (size_t k = 0; k < sizeof easy / sizeof easy[0]; k++) check_close(attack(find(easy[k]), 20000, 2), 0, 0, 1e-9);
}

/* wave: the best point of a dense grid, then bisection of the slope beside it. (The values
 * themselves determine the position to the square root of the rounding only.) */
static void wave_optimum(void **state) {
    (void)state;
    const problem *p = find("wave");
    enum { CELLS = 1000000 };
    double at_best = 0, best = -INFINITY;
    for (int i = 0; i <= CELLS; i++) {
        double x = -5 + 10.0 * i / CELLS, y = problem_value(p, &x);
        if (y >= best) best = y, at_best = x;
    }
    check_close(fabs(at_best), p->best[0], 0, 1e-5); /* an even function: two optima */
    double low = p->best[0] - 1e-5, high = p->best[0] + 1e-5;
    for (int i = 0; i < 60; i++) {
        double x = (low + high) / 2;
        double slope = sin(2 * x) + 2 * x * cos(2 * x) - PI * sin(PI * x);
        if (slope > 0)
            low = x;
        else
            high = x;
    }
    check_close(p->best[0], low, 0, 1e-12);
    check_close(p->optimum, problem_value(p, &low), 0, 1e-12);
    assert_true(p->optimum >= best - 1e-12 && p->optimum - best < 1e-8);
}

/* ---- regret and spread ----------------------------------------------------------------------- */

static double first_coordinate(const problem *p, const double *x) {
    (void)p;
    return x[0];
}

static void regrets(void **state) {
    (void)state;
    problem p = {.name = "line", .dim = 1, .low = {2}, .high = {5}, .value = first_coordinate};
    double x = 3;
    p.optimum = 2;
    check_same(problem_regret(&p, &x), 1);
    p.optimum = 5;
    p.maximize = 1;
    check_same(problem_regret(&p, &x), 2);
    p.optimum = NAN;
    assert_true(isnan(problem_regret(&p, &x)));
}

static double sum_of_coordinates(const problem *p, const double *x) {
    double sum = 0;
    for (size_t j = 0; j < p->dim; j++) sum += x[j];
    return sum;
}

/* In no number of dimensions do the coordinates of the points go together: variances add up, to
 * three standard errors of as many random points. */
static void spread_fills_the_box(void **state) {
    (void)state;
    for (size_t dim = 1; dim <= PROBLEM_MAX_DIM; dim = next_dim(dim)) {
        problem p = {.name = "sum", .dim = dim, .value = sum_of_coordinates};
        for (size_t j = 0; j < dim; j++) p.low[j] = -3, p.high[j] = -2;
        check_close(problem_spread(&p), sqrt((double)dim / 12), 3 / sqrt(2 * 2048), 0);
    }
}

/* Against closed forms, and for the others a hundred thousand random points. */
static void spreads(void **state) {
    (void)state;
    problem line = {.name = "line", .dim = 1, .low = {2}, .high = {5}, .value = first_coordinate};
    check_close(problem_spread(&line), 3 / sqrt(12), 0.005, 0);
    line.low[0] += 1e6, line.high[0] += 1e6; /* no cancellation */
    check_close(problem_spread(&line), 3 / sqrt(12), 0.005, 0);
    check_close(problem_spread(find("sphere6")), 5.12 * 5.12 * sqrt(6 * 4 / 45.0), 0.03, 0);
    check_same(problem_spread(find("ackley2")), problem_spread(find("ackley2")));
    check_close(problem_spread(find("ackley2")), problem_spread(find("ackley-paper")), 1e-12, 0);
    for (size_t k = 0; problem_at(k); k++) {
        const problem *p = problem_at(k);
        const int N = is_large(p) ? 10000 : 100000;
        double x[PROBLEM_MAX_DIM], sum = 0, squares = 0;
        draw d = draw_open(k, 1);
        for (int i = 0; i < N; i++) {
            sample(p, &d, x);
            double y = problem_value(p, x);
            sum += y / N;
            squares += y * y / N;
        }
        /* 2048 points of a law with heavy tails: a standard error of 2 to 5 % */
        check_close(problem_spread(p), sqrt(squares - sum * sum), 0.15, 0);
    }
}

/* Range and smallest losses of a line, whose values are evenly spread over 2 to 5. */
static void ranges(void **state) {
    (void)state;
    problem line = {.name = "line", .dim = 1, .low = {2}, .high = {5}, .value = first_coordinate, .optimum = 2};
    check_close(problem_range(&line), 3, 0.002, 0);
    check_close(problem_near(&line), 0.02 * 3, 0.05, 0);
    line.maximize = 1, line.optimum = 5;
    check_close(problem_range(&line), 3, 0.002, 0);
    check_close(problem_near(&line), 0.02 * 3, 0.05, 0);
    line.optimum = NAN;
    check_close(problem_range(&line), 3, 0.002, 0);
}

/* ---- moved problems -------------------------------------------------------------------------- */

enum { SEEDS = 20 };

/* The optimum is kept, is where it is said to be, and is not beaten. */
static void moved_optima(void **state) {
    (void)state;
    for (size_t k = 0; problem_at(k); k++)
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            const problem *base = problem_at(k);
            problem p;
            problem_room room;
            problem_move(&p, &room, base, seed, seed % 2);
            check_same(p.optimum, base->optimum);
            assert_int_equal(p.maximize, base->maximize);
            assert_memory_equal(p.low, base->low, sizeof p.low);
            assert_memory_equal(p.high, base->high, sizeof p.high);
            for (size_t j = 0; j < p.dim; j++) {
                double t = (p.best[j] - p.low[j]) / (p.high[j] - p.low[j]);
                if (problem_kind_of(&p, j) == PROBLEM_REAL) assert_true(t > 0.1 - 1e-12 && t < 0.9 + 1e-12);
                check_close(t, room.centre[j], 0, 1e-14);
            }
            check_close(problem_value(&p, p.best), p.optimum, 0, 1e-9);
            if (seed < (is_large(&p) ? 2 : 4)) attack(&p, is_large(&p) ? 100 : 1000, seed);
        }
}

static double looked[PROBLEM_MAX_DIM]; /* where `watched` was asked last, in the unit cube */

static double watch(const problem *p, const double *x) {
    for (size_t j = 0; j < p->dim; j++) looked[j] = (x[j] - p->low[j]) / (p->high[j] - p->low[j]);
    return 17;
}

/* A base that sees where it is asked; its best point is in a corner. */
static problem watched(size_t dim) {
    problem p = {.name = "watched", .dim = dim, .optimum = 17, .value = watch};
    for (size_t j = 0; j < dim; j++) {
        p.low[j] = -1 - (double)j;
        p.high[j] = 3;
        p.best[j] = j % 2 ? 3 : p.low[j];
    }
    return p;
}

static double distance(size_t n, const double *a, const double *b) {
    double sum = 0;
    for (size_t j = 0; j < n; j++) sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sqrt(sum);
}

/* A number mirrored into [0, 1], the slow way. */
static double fold(double t) {
    while (t < 0 || t > 1) t = t < 0 ? -t : 2 - t;
    return t;
}

/* The base is asked inside its box only, at the point the header says. */
static void moved_asks_the_base(void **state) {
    (void)state;
    for (size_t dim = 1; dim <= PROBLEM_MAX_DIM; dim = next_dim(dim)) {
        problem base = watched(dim), p;
        problem_room room;
        double x[PROBLEM_MAX_DIM];
        int mirrored = 0;
        draw d = draw_open(dim, 2);
        problem_move(&p, &room, &base, dim, 1);
        for (int i = 0; i < 500; i++) {
            sample(&p, &d, x);
            check_same(problem_value(&p, x), 17);
            for (size_t k = 0; k < dim; k++) {
                double t = (double)(k % 2); /* the corner */
                for (size_t j = 0; j < dim; j++)
                    t += room.turn[k][j] * ((x[j] - p.low[j]) / (p.high[j] - p.low[j]) - room.centre[j]);
                assert_true(looked[k] >= 0 && looked[k] <= 1);
                check_close(looked[k], fold(t), 0, 1e-13);
                mirrored += t < 0 || t > 1;
            }
        }
        assert_true(mirrored > 100); /* the best point is in a corner: half of all coordinates are */
    }
}

/* In the unit cube the base is never asked at points further apart than the points were: so the
 * moved problem is as continuous as the base, across the mirrors too. */
static void moved_is_continuous(void **state) {
    (void)state;
    for (size_t dim = 1; dim <= 18; dim += 4) {
        problem base = watched(dim), p;
        problem_room room;
        double x[2][PROBLEM_MAX_DIM], t[2][PROBLEM_MAX_DIM], z[2][PROBLEM_MAX_DIM];
        draw d = draw_open(dim, 3);
        problem_move(&p, &room, &base, 5 + dim, 1);
        for (int i = 0; i < 3000; i++) {
            double reach = pow(10, -(i % 8)); /* far pairs and near ones */
            for (size_t j = 0; j < dim; j++) {
                t[0][j] = draw_uniform(&d);
                t[1][j] = t[0][j] + reach * (draw_uniform(&d) - t[0][j]);
            }
            for (int k = 0; k < 2; k++) {
                for (size_t j = 0; j < dim; j++) x[k][j] = p.low[j] + t[k][j] * (p.high[j] - p.low[j]);
                problem_value(&p, x[k]);
                memcpy(z[k], looked, sizeof looked);
            }
            assert_true(distance(dim, z[0], z[1]) <= distance(dim, t[0], t[1]) + 1e-14);
        }
    }
}

static double orthogonality_error(const problem_room *room, size_t dim) {
    double worst = 0;
    for (size_t a = 0; a < dim; a++)
        for (size_t b = 0; b < dim; b++) {
            double sum = 0;
            for (size_t j = 0; j < dim; j++) sum += room->turn[a][j] * room->turn[b][j];
            worst = fmax(worst, fabs(sum - (a == b)));
        }
    return worst;
}

static void turns(void **state) {
    (void)state;
    for (size_t dim = 1; dim <= PROBLEM_MAX_DIM; dim = next_dim(dim))
        for (uint64_t seed = 0; seed < SEEDS; seed++) {
            problem base = watched(dim), p;
            problem_room turned, straight;
            problem_move(&p, &turned, &base, seed, 1);
            assert_true(orthogonality_error(&turned, dim) < 1e-14);
            problem_move(&p, &straight, &base, seed, 0);
            for (size_t j = 0; j < dim; j++) /* turning does not change where the optimum goes */
                check_same(straight.centre[j], turned.centre[j]);
            for (size_t a = 0; a < dim; a++)
                for (size_t b = 0; b < dim; b++) check_same(straight.turn[a][b], a == b);
        }
}

/* Over many seeds: centres uniform on the middle 80 %, directions uniform. */
static void moves_are_even(void **state) {
    (void)state;
    enum { N = 20000, DIM = 3 };
    problem base = watched(DIM), p;
    problem_room room;
    double mean = 0, square = 0, least = 1, most = 0, entry = 0, entry2 = 0, entry4 = 0;
    for (uint64_t seed = 0; seed < N; seed++) {
        problem_move(&p, &room, &base, seed, 1);
        double c = room.centre[1], r = room.turn[2][1];
        mean += c / N;
        square += (c - 0.5) * (c - 0.5) / N;
        least = fmin(least, c);
        most = fmax(most, c);
        entry += r / N;
        entry2 += r * r / N;
        entry4 += r * r * r * r / N;
    }
    check_close(mean, 0.5, 0, 4.5 * 0.8 / sqrt(12.0 * N));
    check_close(square, 0.64 / 12, 0.03, 0); /* 4.5 standard errors: 4.5 sqrt(0.8/N) of it */
    assert_true(least > 0.1 && least < 0.101 && most < 0.9 && most > 0.899);
    /* a coordinate of a point on the sphere is uniform on (-1, 1) in three dimensions */
    check_close(entry, 0, 0, 4.5 * sqrt(1.0 / 3 / N));
    check_close(entry2, 1.0 / 3, 0, 4.5 * sqrt(4.0 / 45 / N));
    check_close(entry4, 1.0 / 5, 0, 4.5 * sqrt(16.0 / 225 / N));
}

static void same_seed_same_problem(void **state) {
    (void)state;
    const problem *base = find("hartmann6");
    problem p, q, r;
    problem_room of_p, of_q, of_r;
    memset(&of_p, 1, sizeof of_p); /* what was there before does not matter */
    memset(&of_q, 2, sizeof of_q);
    problem_move(&p, &of_p, base, 8, 1);
    problem_move(&q, &of_q, base, 8, 1);
    problem_move(&r, &of_r, base, 9, 1);
    assert_memory_equal(&of_p, &of_q, sizeof of_p);
    draw d = draw_open(4, 4);
    for (int i = 0; i < 1000; i++) {
        double x[PROBLEM_MAX_DIM];
        sample(base, &d, x);
        check_same(problem_value(&p, x), problem_value(&q, x));
        assert_true(problem_value(&p, x) != problem_value(&r, x));
    }
}

/* A moved problem is a problem like others: it can be moved again. */
static void moved_twice(void **state) {
    (void)state;
    problem once, twice;
    problem_room first, second;
    problem_move(&once, &first, find("camel"), 1, 1);
    problem_move(&twice, &second, &once, 2, 1);
    check_close(problem_value(&twice, twice.best), find("camel")->optimum, 0, 1e-9);
    attack(&twice, 1000, 1);
}

/* The least value over the reals for each choice of the others, which is all there is to know of a mixed problem. */
static double least_of_choice(const problem *p, const double *chosen) {
    double x[PROBLEM_MAX_DIM], least = INFINITY;
    draw d = draw_open(11, 11);
    for (int i = 0; i < 60; i++) {
        sample(p, &d, x);
        for (size_t j = 0; j < p->dim; j++)
            if (problem_kind_of(p, j) != PROBLEM_REAL) x[j] = chosen[j];
        problem fixed = *p;
        fixed.kinds = NULL;
        for (size_t j = 0; j < p->dim; j++) /* a box without room */
            if (problem_kind_of(p, j) != PROBLEM_REAL) fixed.low[j] = fixed.high[j] = chosen[j];
        least = fmin(least, descend(&fixed, x));
    }
    return least;
}

/* For every choice of categories and integers: none is better than the best one, the second best category is near. */
static void mixed_choices(void **state) {
    (void)state;
    const char *name[] = {"switch-a", "switch-b", "mixed-a", "mixed-b", "tune-a", "tune-b"};
    for (int k = 0; k < 6; k++) {
        const problem *p = find(name[k]);
        double x[PROBLEM_MAX_DIM], second = INFINITY;
        memcpy(x, p->low, sizeof x);
        for (size_t j = 0; j < p->dim;) { /* counts through all choices */
            int same = 1;
            for (size_t i = 0; i < p->dim; i++)
                if (problem_kind_of(p, i) == PROBLEM_CATEGORY) same &= x[i] == p->best[i];
            double least = least_of_choice(p, x);
            assert_true(least > -1e-12);
            if (!same) second = fmin(second, least);
            for (j = 0; j < p->dim; j++) {
                if (problem_kind_of(p, j) == PROBLEM_REAL) continue;
                if (++x[j] <= p->high[j]) break;
                x[j] = p->low[j];
            }
        }
        check_that(second > 0.02 * problem_spread(p) && second < 0.8 * problem_spread(p), "%s: second %g, spread %g",
                   p->name, second, problem_spread(p));
    }
}

/* What does not count changes nothing, and the category for which it counts is moved with the others. */
static void parameters_that_count(void **state) {
    (void)state;
    const char *name[] = {"models-a", "models-b"};
    draw d = draw_open(7, 1);
    for (uint64_t k = 0; k < 200; k++) {
        const problem *base = find(name[k % 2]);
        problem p;
        problem_room room;
        double u[PROBLEM_MAX_DIM], x[PROBLEM_MAX_DIM], other[PROBLEM_MAX_DIM];
        problem_move(&p, &room, base, k, 0);
        for (size_t i = 0; i < p.dim; i++) u[i] = draw_uniform(&d);
        problem_from_unit(&p, u, x);
        for (size_t i = 1; i < p.dim; i++) u[i] = problem_counts(&p, i, x) ? u[i] : draw_uniform(&d);
        problem_from_unit(&p, u, other);
        check_same(problem_value(&p, x), problem_value(&p, other));
        for (size_t i = 0; i < p.dim; i++)
            assert_int_equal(problem_counts(&p, i, x), problem_counts(base, i, &room.category[0][(size_t)x[0]]));
    }
    assert_int_equal(problem_when(find("models-a"), 0), -1);
    assert_int_equal(problem_when(find("models-a"), 3), 1);
    assert_int_equal(problem_when(find("mixed-a"), 3), -1);
    assert_int_equal(problem_when(find("branin"), 1), -1);
}

/* The values of a parameter that is not real are asked equally often, and moving maps them one to one. */
static void moved_choices(void **state) {
    (void)state;
    const problem *base = find("mixed-b");
    size_t at_best[3][11] = {{0}};
    for (uint64_t seed = 0; seed < 2000; seed++) {
        problem p;
        problem_room room;
        problem_move(&p, &room, base, seed, 0);
        for (size_t j = 0; j < 3; j++) at_best[j][(size_t)p.best[j]]++;
        double others[PROBLEM_MAX_DIM], there[PROBLEM_MAX_DIM], seen[4] = {0};
        memcpy(others, p.best, sizeof others);
        memcpy(there, base->best, sizeof there);
        for (int c = 0; c < 4; c++) { /* the floors of the four categories, each once */
            others[0] = c;
            seen[(int)room.category[0][c]]++;
            there[0] = room.category[0][c]; /* the same point of the base */
            check_close(problem_value(&p, others), problem_value(base, there), 0, 1e-12);
        }
        for (int c = 0; c < 4; c++) check_same(seen[c], 1);
    }
    for (size_t j = 0; j < 3; j++) {
        double n = (double)problem_choices(base, j), share = 2000 / n;
        for (size_t c = 0; c < (size_t)n; c++) /* 4.5 standard errors */
            check_close((double)at_best[j][c], share, 0, 4.5 * sqrt(share));
    }
}

/* Without a known optimum the middle of the box is what moves. */
static void moved_unknown(void **state) {
    (void)state;
    problem base = watched(4), p;
    problem_room room;
    base.optimum = NAN;
    for (size_t j = 0; j < 4; j++) base.best[j] = NAN;
    problem_move(&p, &room, &base, 3, 1);
    assert_true(isnan(p.optimum));
    problem_value(&p, p.best);
    for (size_t j = 0; j < 4; j++) check_close(looked[j], 0.5, 0, 1e-14);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(published_optima),
        cmocka_unit_test(published_points),
        cmocka_unit_test(worked_points),
        cmocka_unit_test(our_own),
        cmocka_unit_test(shapes),
        cmocka_unit_test(holes_and_peaks),
        cmocka_unit_test(names),
        cmocka_unit_test(best_points),
        cmocka_unit_test(nothing_is_better),
        cmocka_unit_test(wave_optimum),
        cmocka_unit_test(regrets),
        cmocka_unit_test(spread_fills_the_box),
        cmocka_unit_test(spreads),
        cmocka_unit_test(ranges),
        cmocka_unit_test(moved_optima),
        cmocka_unit_test(moved_asks_the_base),
        cmocka_unit_test(moved_is_continuous),
        cmocka_unit_test(turns),
        cmocka_unit_test(moves_are_even),
        cmocka_unit_test(same_seed_same_problem),
        cmocka_unit_test(moved_twice),
        cmocka_unit_test(mixed_choices),
        cmocka_unit_test(parameters_that_count),
        cmocka_unit_test(moved_choices),
        cmocka_unit_test(moved_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
