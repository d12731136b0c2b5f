/* test_noise.c - the law of every kind of noise, the paper's variances, and that paired runs stay
 * paired. Seeds are fixed; the bounds are such that one seed in 1e5 would fail. */
#include "noise.h"

#include "check.h"

enum { N = 100000 };

static double residual[N]; /* of the sample taken last, sorted */

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void take(const noise *n, const problem *p, double spread, const double *x, uint64_t seed) {
    draw d = draw_open(seed, 0);
    double f = problem_value(p, x);
    for (int i = 0; i < N; i++) residual[i] = noise_measure(n, p, spread, x, &d) - f;
    qsort(residual, N, sizeof *residual, ascending);
}

static double moment(int k) {
    double sum = 0;
    for (int i = 0; i < N; i++) sum += pow(residual[i], k) / N;
    return sum;
}

/* The sample taken last has this law times `scale`: Kolmogorov's distance exceeds 2.5/sqrt(N) with
 * probability 8e-6. */
static void check_law(const char *what, double (*cdf)(double t, double shape), double shape, double scale) {
    double distance = 0;
    for (int i = 0; i < N; i++) {
        double q = cdf(residual[i] / scale, shape);
        distance = fmax(distance, fmax(fabs(q - i / (double)N), fabs(q - (i + 1) / (double)N)));
    }
    check_that(distance < 2.5 / sqrt(N), "%s, shape %g: distance %g", what, shape, distance);
}

static double normal_cdf(double t, double unused) {
    (void)unused;
    return erfc(-t / sqrt(2)) / 2;
}

/* Gaussian: the law, and the first four moments, to 4.5 standard errors. */
static void check_gaussian(const char *what, double sd) {
    check_law(what, normal_cdf, 0, sd);
    check_close(moment(1) / sd, 0, 0, 4.5 * sqrt(1.0 / N));
    check_close(moment(2) / pow(sd, 2), 1, 0, 4.5 * sqrt(2.0 / N));
    check_close(moment(3) / pow(sd, 3), 0, 0, 4.5 * sqrt(15.0 / N));
    check_close(moment(4) / pow(sd, 4), 3, 0, 4.5 * sqrt(96.0 / N));
}

static const problem *branin(void) { return problem_find("branin"); }
static const double SOMEWHERE[] = {1, 12};

/* ---- names ----------------------------------------------------------------------------------- */

static void names(void **state) {
    (void)state;
    const char *all[] = {"none",   "gaussian", "norm",    "input",  "student",  "outliers", "multiplicative",
                         "skewed", "growing",  "uniform", "cauchy", "onesided", "wild",     "near"};
    for (int k = NOISE_NONE; k <= NOISE_NEAR; k++) {
        noise_kind kind = NOISE_NONE;
        assert_string_equal(noise_kind_text((noise_kind)k), all[k]);
        assert_true(noise_kind_parse(all[k], &kind));
        assert_int_equal(kind, k);
    }
    noise_kind kind = NOISE_INPUT;
    assert_false(noise_kind_parse("Gaussian", &kind));
    assert_false(noise_kind_parse("", &kind));
    assert_false(noise_kind_parse("normal", &kind));
    assert_int_equal(kind, NOISE_INPUT);
    assert_string_equal(noise_kind_text((noise_kind)99), "unknown");
}

/* ---- laws ------------------------------------------------------------------------------------ */

static void no_noise(void **state) {
    (void)state;
    noise n = {NOISE_NONE, 3, 4};
    draw d = draw_open(1, 0), before = d;
    check_same(noise_measure(&n, branin(), 1, SOMEWHERE, &d), problem_value(branin(), SOMEWHERE));
    assert_true(d.state == before.state);
}

static void gaussian(void **state) {
    (void)state;
    noise n = {NOISE_GAUSSIAN, 0.3, 0};
    take(&n, branin(), 1, SOMEWHERE, 2);
    check_gaussian("gaussian", 0.3);
}

/* The paper's two: (|x| + 1)/10 on wave and (|x| + 10)/20 on Ackley's function. */
static void papers(void **state) {
    (void)state;
    const problem *wave = problem_find("wave"), *ackley = problem_find("ackley-paper");
    noise on_wave = {NOISE_NORM, 10, 1}, on_ackley = {NOISE_NORM, 20, 10};
    const double line[] = {-5, -1.5, 0, 2, 4};
    for (size_t k = 0; k < sizeof line / sizeof line[0]; k++) {
        take(&on_wave, wave, 1, &line[k], 3 + k);
        check_gaussian("wave", sqrt((fabs(line[k]) + 1) / 10));
    }
    const double plane[][2] = {{0, 0}, {3, -4}, {-10, 10}, {0, 7}};
    const double length[] = {0, 5, 14.142135623730951, 7};
    for (size_t k = 0; k < sizeof length / sizeof length[0]; k++) {
        take(&on_ackley, ackley, 1, plane[k], 13 + k);
        check_gaussian("ackley", sqrt((length[k] + 10) / 20));
    }
}

/* From a fifth at the low corner to nine fifths at the high one, by the mean coordinate. */
static void by_input(void **state) {
    (void)state;
    noise n = {NOISE_INPUT, 0.5, 0};
    const double x[][2] = {{-5, 0}, {10, 15}, {10, 0}, {-5, 15}, {-2, 6}};
    const double times[] = {0.2, 1.8, 1, 1, 0.2 + 1.6 * 0.3};
    for (size_t k = 0; k < sizeof times / sizeof times[0]; k++) {
        take(&n, branin(), 1, x[k], 20 + k);
        check_gaussian("input", 0.5 * times[k]);
    }
}

/* Student's distribution function by Simpson's rule on the density in s = atan(t / sqrt(dof)): its
 * density there is proportional to cos(s)^(dof - 1). */
static double student_cdf(double t, double dof) {
    enum { PANELS = 200 };
    double end = atan(t / sqrt(dof)), step = end / PANELS, sum = 0;
    for (int i = 0; i <= PANELS; i++) {
        double weight = i == 0 || i == PANELS ? 1 : i % 2 ? 4 : 2;
        sum += weight * pow(cos(step * i), dof - 1);
    }
    double constant = exp(lgamma((dof + 1) / 2) - lgamma(dof / 2)) / sqrt(acos(-1));
    return 0.5 + constant * sum * step / 3;
}

static void student(void **state) {
    (void)state;
    check_close(student_cdf(1, 1), 0.75, 1e-9, 0); /* the reference itself: Cauchy, and tables */
    check_close(student_cdf(2.353363435, 3), 0.95, 1e-9, 0);
    check_close(student_cdf(-1.812461123, 10), 0.05, 1e-8, 0);
    const double dofs[] = {1, 1.5, 2, 3, 5, 30};
    for (size_t k = 0; k < sizeof dofs / sizeof dofs[0]; k++) {
        noise n = {NOISE_STUDENT, 0.7, dofs[k]};
        take(&n, branin(), 1, SOMEWHERE, 30 + k);
        check_law("student", student_cdf, dofs[k], 0.7);
    }
    /* variance dof/(dof - 2), and the kurtosis, of which its error is made, 3 + 6/(dof - 4) */
    check_close(moment(2) / 0.49, 30.0 / 28, 4.5 * sqrt((2 + 6.0 / 26) / N), 0);
}

/* No degrees of freedom, no law; very many, a Gaussian, with the same numbers drawn. */
static void student_ends(void **state) {
    (void)state;
    const double wrong[] = {0, -1, NAN};
    for (int k = 0; k < 3; k++) {
        noise n = {NOISE_STUDENT, 1, wrong[k]};
        draw d = draw_open(40, 0);
        assert_true(isnan(noise_measure(&n, branin(), 1, SOMEWHERE, &d)));
    }
    noise many = {NOISE_STUDENT, 1, 1e12}, gauss = {NOISE_GAUSSIAN, 1, 0};
    draw d = draw_open(41, 0), e = d;
    for (int i = 0; i < 1000; i++)
        check_close(noise_measure(&many, branin(), 1, SOMEWHERE, &d), noise_measure(&gauss, branin(), 1, SOMEWHERE, &e),
                    0, 1e-9);
}

static double outlier_cdf(double t, double share) {
    return (1 - share) * normal_cdf(t, 0) + share * normal_cdf(t / 10, 0);
}

static void outliers(void **state) {
    (void)state;
    const double shares[] = {0, 0.05, 0.3, 1};
    for (size_t k = 0; k < sizeof shares / sizeof shares[0]; k++) {
        noise n = {NOISE_OUTLIERS, 0.2, shares[k]};
        take(&n, branin(), 1, SOMEWHERE, 50 + k);
        check_law("outliers", outlier_cdf, shares[k], 0.2);
        double var = 1 + 99 * shares[k], fourth = 3 * (1 + 9999 * shares[k]);
        check_close(moment(2) / 0.04, var, 0, 4.5 * sqrt((fourth - var * var) / N));
    }
}

static void multiplicative(void **state) {
    (void)state;
    noise n = {NOISE_MULTIPLICATIVE, 0.1, 0};
    const double x[][2] = {{3.14159265358979323846, 2.275}, {1, 12}, {-5, 0}};
    for (size_t k = 0; k < 3; k++)
        for (double spread = 0; spread < 100; spread += 51.4) {
            double f = problem_value(branin(), x[k]);
            take(&n, branin(), spread, x[k], 60 + k);
            check_gaussian("multiplicative", sqrt(pow(0.1 * f, 2) + pow(0.01 * spread, 2)));
        }
}

static double skewed_cdf(double t, double unused) {
    (void)unused;
    return t > -1 ? -expm1(-(t + 1)) : 0;
}

static void skewed(void **state) {
    (void)state;
    noise n = {NOISE_SKEWED, 2, 0};
    take(&n, branin(), 1, SOMEWHERE, 70);
    check_law("skewed", skewed_cdf, 0, 2);
    check_close(moment(1) / 2, 0, 0, 4.5 * sqrt(1.0 / N));
    check_close(moment(2) / 4, 1, 0, 4.5 * sqrt(8.0 / N)); /* fourth central moment 9 */
    assert_true(residual[0] > -2 && residual[0] < -1.999);
    check_close(residual[N / 2], 2 * (log(2) - 1), 0, 0.05);
}

/* The law of y - f on Branin at SOMEWHERE, where the loss is `loss()`. */
static double loss(void) { return problem_regret(branin(), SOMEWHERE); }

static double growing_cdf(double t, double scale) { return t > -1 ? normal_cdf(log1p(t) / scale, 0) : 0; }

/* The loss times a lognormal number; the same loss below the optimum of a problem that is maximised. */
static void growing(void **state) {
    (void)state;
    noise n = {NOISE_GROWING, 1, 0};
    take(&n, branin(), 1, SOMEWHERE, 71);
    check_law("growing", growing_cdf, 1, loss());
    problem turned = *branin();
    turned.maximize = 1, turned.optimum = 400;
    draw d = draw_open(1, 1), e = d;
    check_close((400 - noise_measure(&n, &turned, 1, SOMEWHERE, &d)) / problem_regret(&turned, SOMEWHERE),
                (noise_measure(&n, branin(), 1, SOMEWHERE, &e) - branin()->optimum) / loss(), 1e-12, 0);
    check_close(noise_measure(&n, branin(), 1, branin()->best, &d), branin()->optimum, 1e-12, 0);
}

/* (y - optimum)/loss = U^b L^(a U'), L = 1e9/loss: with E = -log U the logarithm is a log(L) U' - b E. */
static double uniform_cdf(double t, double shape) {
    double s = log1p(t), a = shape * (0.49 + 0.5) * log(1e9 / loss()), b = shape;
    if (t <= -1) return 0;                    /* P(E > (a u - s)/b) over u in (0, 1) */
    double certain = fmin(fmax(s / a, 0), 1); /* below it any E does */
    return certain + b / a * (exp((s - a * certain) / b) - exp((s - a) / b));
}

static void uniform(void **state) {
    (void)state;
    const double shapes[] = {1, 0.01};
    for (int k = 0; k < 2; k++) {
        noise n = {NOISE_UNIFORM, 0, shapes[k]};
        take(&n, branin(), 1, SOMEWHERE, 72);
        check_law("uniform", uniform_cdf, shapes[k], loss());
    }
    noise n = {NOISE_UNIFORM, 0, 1};
    draw d = draw_open(1, 1);
    check_same(noise_measure(&n, branin(), 1, branin()->best, &d), branin()->optimum);
}

/* f in all but a share, beyond it half a Cauchy law; better than f never. */
static void cauchy(void **state) {
    (void)state;
    noise n = {NOISE_CAUCHY, 2, 0.2};
    take(&n, branin(), 1, SOMEWHERE, 73);
    assert_true(residual[0] == 0 && residual[(int)(0.79 * N)] == 0 && residual[(int)(0.81 * N)] > 0);
    check_close(residual[(int)(0.9 * N)], 2 * 1, 0.06, 0);           /* its median */
    check_close(residual[(int)(0.98 * N)], 2 * 6.313751515, 0.1, 0); /* its quantile 0.9 */
}

/* |z| exp(z'): P(<= t) as a mean over z by quadrature. */
static double onesided_cdf(double t, double unused) {
    (void)unused;
    if (t <= 0) return 0;
    enum { PANELS = 2000 };
    double sum = 0;
    for (int i = 0; i < PANELS; i++) {
        double z = -8 + 16 * (i + 0.5) / PANELS;
        sum += exp(-z * z / 2) * erf(t * exp(-z) / sqrt(2)) * 16 / PANELS;
    }
    return sum / sqrt(2 * acos(-1));
}

static void onesided(void **state) {
    (void)state;
    noise n = {NOISE_ONESIDED, 0.5, 0};
    take(&n, branin(), 1, SOMEWHERE, 74);
    for (int k = 1; k < 20; k++) { /* at 19 quantiles, to 4.5 standard errors */
        double q = k / 20.0;
        check_close(onesided_cdf(residual[(int)(q * N)] / 0.5, 0), q, 0, 4.5 * sqrt(q * (1 - q) / N));
    }
}

static double wild_cdf(double t, double times) { return 0.95 * normal_cdf(t, 0) + 0.05 * normal_cdf(t / times, 0); }

static void wild_and_near(void **state) {
    (void)state;
    noise wild = {NOISE_WILD, 1e6, 0}, near = {NOISE_NEAR, 0.7, 0};
    take(&wild, branin(), 3, SOMEWHERE, 75);
    check_law("wild", wild_cdf, 1e6 / 0.3, 0.3);
    take(&near, branin(), 3, SOMEWHERE, 76);
    check_gaussian("near", 0.7);
}

static void units(void **state) {
    (void)state;
    const noise_kind own[] = {NOISE_MULTIPLICATIVE, NOISE_GROWING, NOISE_UNIFORM};
    for (int k = 0; k < 3; k++) check_same(noise_unit(&(noise){own[k], 1, 1}, branin(), 7), 1);
    check_same(noise_unit(&(noise){NOISE_GAUSSIAN, 1, 1}, branin(), 7), 7);
    check_same(noise_unit(&(noise){NOISE_ONESIDED, 1, 1}, branin(), 7), 7);
    check_same(noise_unit(&(noise){NOISE_WILD, 1, 1}, branin(), 7), problem_range(branin()));
    check_same(noise_unit(&(noise){NOISE_NEAR, 1, 1}, branin(), 7), problem_near(branin()));
}

/* ---- what all have in common ----------------------------------------------------------------- */

static const noise SEVERAL[] = {{NOISE_NONE, 1, 0},       {NOISE_GAUSSIAN, 0.1, 0}, {NOISE_NORM, 10, 1},
                                {NOISE_INPUT, 0.1, 0},    {NOISE_STUDENT, 0.1, 3},  {NOISE_STUDENT, 0.1, 2.5},
                                {NOISE_OUTLIERS, 0.1, 1}, {NOISE_OUTLIERS, 1, 0.1}, {NOISE_MULTIPLICATIVE, 0.1, 0},
                                {NOISE_SKEWED, 0.1, 0},   {NOISE_GROWING, 1, 0},    {NOISE_UNIFORM, 0, 1},
                                {NOISE_CAUCHY, 0.1, 0.2}, {NOISE_ONESIDED, 0.1, 0}, {NOISE_WILD, 10, 0},
                                {NOISE_NEAR, 0.1, 0},     {NOISE_CAUCHY, 0.1, 0.9}};
enum { KINDS = sizeof SEVERAL / sizeof SEVERAL[0] };

/* After a thousand measurements at other points, of another problem too, the streams are at the
 * same position; and a second measurement from the same stream is the same. */
static void draws_do_not_depend_on_x(void **state) {
    (void)state;
    const problem *p = branin(), *six = problem_find("hartmann6");
    for (size_t k = 0; k < KINDS; k++) {
        draw a = draw_open(80, k), b = a, c = a, places = draw_open(81, k);
        for (int i = 0; i < 1000; i++) {
            double x[2], y[6];
            for (int j = 0; j < 2; j++) x[j] = p->low[j] + (p->high[j] - p->low[j]) * draw_uniform(&places);
            for (int j = 0; j < 6; j++) y[j] = draw_uniform(&places);
            draw again = a;
            double first = noise_measure(&SEVERAL[k], p, 1, x, &a);
            check_same(noise_measure(&SEVERAL[k], p, 1, x, &again), first);
            noise_measure(&SEVERAL[k], p, 1, SOMEWHERE, &b);
            noise_measure(&SEVERAL[k], six, 1, y, &c);
            assert_true(a.state == b.state && a.state == c.state);
        }
    }
}

/* Where only the truth differs, the noise is the same number. */
static void paired(void **state) {
    (void)state;
    const double x[] = {2, 3}, y[] = {7, 1};
    const noise_kind kinds[] = {NOISE_GAUSSIAN, NOISE_STUDENT, NOISE_OUTLIERS, NOISE_SKEWED};
    for (size_t k = 0; k < 4; k++) {
        noise n = {kinds[k], 0.5, kinds[k] == NOISE_STUDENT ? 3 : 0.5};
        draw a = draw_open(82, k), b = a;
        for (int i = 0; i < 1000; i++)
            check_close(noise_measure(&n, branin(), 1, x, &a) - problem_value(branin(), x),
                        noise_measure(&n, branin(), 1, y, &b) - problem_value(branin(), y), 1e-9, 1e-12);
    }
}

/* The least share of either sign in a sample. */
static void symmetry(void **state) {
    (void)state;
    check_same(noise_symmetry(&SEVERAL[0]), 0.5);
    for (size_t k = 1; k < KINDS; k++) {
        int above = 0, below = 0;
        if (SEVERAL[k].kind == NOISE_UNIFORM) continue; /* the least over all points */
        take(&SEVERAL[k], branin(), 1, SOMEWHERE, 90 + k);
        for (int i = 0; i < N; i++) above += residual[i] >= 0, below += residual[i] <= 0;
        double share = fmin(0.5 * N, fmin(above, below)) / N, b = noise_symmetry(&SEVERAL[k]);
        check_close(share, b, 0, 4.5 * sqrt(b * (1 - b) / N));
    }
    noise skew = {NOISE_SKEWED, 1, 0};
    check_close(noise_symmetry(&skew), 0.36787944117144233, 1e-15, 0);
}

/* Where f is said to be the median, half of a sample is on either side; where it is the mean, the mean of a sample is
 * f, unless the variance is infinite; where it is neither, neither holds. */
static void centres(void **state) {
    (void)state;
    for (size_t k = 1; k < KINDS; k++) {
        int above = 0, below = 0;
        take(&SEVERAL[k], branin(), 1, SOMEWHERE, 120 + k);
        for (int i = 0; i < N; i++) above += residual[i] > 0, below += residual[i] < 0;
        double most = fmax(above, below) / N, error = 4.5 * sqrt(moment(2) / N);
        noise_centre centre = noise_centre_of(&SEVERAL[k]);
        assert_int_equal(!!(centre & NOISE_MEDIAN), most < 0.5 + 4.5 * 0.5 / sqrt(N));
        if (SEVERAL[k].kind != NOISE_CAUCHY) assert_int_equal(!!(centre & NOISE_MEAN), fabs(moment(1)) < error);
    }
    assert_int_equal(noise_centre_of(&SEVERAL[0]), NOISE_BOTH);
    assert_int_equal(noise_centre_of(&(noise){NOISE_STUDENT, 1, 1}), NOISE_MEDIAN);
    assert_int_equal(noise_centre_of(&(noise){NOISE_CAUCHY, 1, 0.5}), NOISE_MEDIAN);
}

/* The sd of a normal law, by a sample of 199: a standard error of a tenth; and in the order of the sds. */
static void levels(void **state) {
    (void)state;
    noise none = {NOISE_NONE, 0, 0}, input = {NOISE_INPUT, 0.5, 0};
    const double low[] = {-5, 0}, high[] = {10, 15};
    check_same(noise_level(&none, branin(), 1, low), 0);
    check_close(noise_level(&input, branin(), 1, high), 0.9, 0.3, 0);
    check_close(noise_level(&input, branin(), 1, high) / noise_level(&input, branin(), 1, low), 9, 1e-9, 0);
}

static void no_such_law(void **state) {
    (void)state;
    noise n = {(noise_kind)99, 1, 1};
    draw d = draw_open(1, 1);
    assert_true(isnan(noise_measure(&n, branin(), 1, SOMEWHERE, &d)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(no_noise),
        cmocka_unit_test(gaussian),
        cmocka_unit_test(papers),
        cmocka_unit_test(by_input),
        cmocka_unit_test(student),
        cmocka_unit_test(student_ends),
        cmocka_unit_test(outliers),
        cmocka_unit_test(multiplicative),
        cmocka_unit_test(skewed),
        cmocka_unit_test(growing),
        cmocka_unit_test(uniform),
        cmocka_unit_test(cauchy),
        cmocka_unit_test(onesided),
        cmocka_unit_test(wild_and_near),
        cmocka_unit_test(units),
        cmocka_unit_test(draws_do_not_depend_on_x),
        cmocka_unit_test(paired),
        cmocka_unit_test(symmetry),
        cmocka_unit_test(centres),
        cmocka_unit_test(levels),
        cmocka_unit_test(no_such_law),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
