/* test_localmin.c - known minima in boxes, walls, fixed coordinates, and the promises of the
 * record. */
#include "check.h"

#include <localmin.h>

static const localmin_limits tight = {.max_evals = 2000, .f_tol_abs = 1e-14};

typedef struct counter {
    int evals, after_wall;
    double first, best;
    const double *low, *high;
} counter;

static void watch(counter *c, size_t n, const double *x, double value) {
    if (c->evals++ == 0) c->first = value;
    if (c->evals == 1 || value < c->best) c->best = value;
    for (size_t i = 0; c->low && i < n; i++)
        check_that(x[i] >= c->low[i] && x[i] <= c->high[i], "x[%zu] = %g left the box", i, x[i]);
}

/* sum_i (i+1) (x_i - i)^2 */
static double quadratic(size_t n, const double *x, double *grad, void *user) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        double u = x[i] - (double)i;
        sum += (double)(i + 1) * u * u;
        grad[i] = 2 * (double)(i + 1) * u;
    }
    watch(user, n, x, sum);
    return sum;
}

static double rosenbrock(size_t n, const double *x, double *grad, void *user) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) grad[i] = 0;
    for (size_t i = 0; i + 1 < n; i++) {
        double a = x[i + 1] - x[i] * x[i], b = 1 - x[i];
        sum += 100 * a * a + b * b;
        grad[i] += -400 * a * x[i] - 2 * b;
        grad[i + 1] += 200 * a;
    }
    watch(user, n, x, sum);
    return sum;
}

static void test_quadratic(void **state) {
    (void)state;
    enum { N = 6 };
    double low[N], high[N], x[N], f;
    for (size_t i = 0; i < N; i++) low[i] = -1, high[i] = 2.5, x[i] = 0.3;
    counter c = {.low = low, .high = high};
    int evals = -1;
    check_ok(localmin_run(quadratic, &c, N, low, high, &tight, x, &f, &evals, &error));
    assert_int_equal(evals, c.evals);
    double expected = 0;
    for (size_t i = 0; i < N; i++) {
        double at = fmin((double)i, 2.5);
        /* f stops improving by 1e-14, and is quadratic: half of the digits */
        check_close(x[i], at, 0, 1e-6);
        expected += (double)(i + 1) * pow(at - (double)i, 2);
    }
    check_close(f, expected, 1e-12, 0);
    check_same(f, c.best);
}

static void test_rosenbrock(void **state) {
    (void)state;
    for (size_t n = 2; n <= 20; n += 6) {
        double low[20], high[20], x[20], f;
        for (size_t i = 0; i < n; i++) low[i] = -2, high[i] = 2, x[i] = -1.2;
        counter c = {.low = low, .high = high};
        check_ok(localmin_run(rosenbrock, &c, n, low, high, &tight, x, &f, NULL, &error));
        check_same(f, c.best);
        /* from n = 4 on there is a second, local minimum near x_0 = -1 with f = 3.7 .. 4 */
        check_that(f < 1e-8 || (f > 3.5 && f < 4), "n = %zu: f = %g", n, f);
    }
    /* bounded away from (1, 1): the minimum is at x = 1/2, y = 1/4 */
    double low[] = {-2, -2}, high[] = {0.5, 2}, x[] = {-1.2, 1}, f;
    counter c = {.low = low, .high = high};
    check_ok(localmin_run(rosenbrock, &c, 2, low, high, &tight, x, &f, NULL, &error));
    check_close(f, 0.25, 1e-8, 0);
    check_close(x[1], 0.25, 0, 1e-5); /* curvature 200, f right to 1e-8 */
}

/* A quadratic that is not defined for x_0 > 1, in one of four ways; the minimum is at x_0 = 0.9. */
typedef struct walled {
    counter c;
    int kind;
} walled;

static double with_wall(size_t n, const double *x, double *grad, void *user) {
    walled *w = user;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        sum += (x[i] - 0.9) * (x[i] - 0.9) * (i ? 1 : 50);
        grad[i] = 2 * (x[i] - 0.9) * (i ? 1 : 50);
    }
    if (x[0] > 1) {
        w->c.after_wall++;
        if (w->kind == 0) return NAN;
        if (w->kind == 1) return INFINITY;
        if (w->kind == 2) return -INFINITY;
        grad[n - 1] = NAN;
        return sum - 1000;
    }
    watch(&w->c, n, x, sum);
    return sum;
}

static void test_walls(void **state) {
    (void)state;
    double low[] = {-5, -5, -5}, high[] = {5, 5, 5};
    for (int kind = 0; kind < 4; kind++)
        for (double from = -4.5; from < 1; from += 0.7) {
            double x[] = {from, 4, -3}, f;
            walled w = {{.low = low, .high = high}, kind};
            int evals;
            check_ok(localmin_run(with_wall, &w, 3, low, high, &tight, x, &f, &evals, &error));
            check_that(x[0] <= 1 && isfinite(f), "a wall became the result");
            check_that(evals <= tight.max_evals, "%d evaluations", evals);
            check_same(f, w.c.best);
            /* a wall may end the search early, but not before it has found the valley */
            check_that(f < 1, "kind %d from %g: f = %g", kind, from, f);
        }
    double x[] = {2, 2, 2}, f = 7; /* nothing but walls */
    double low_wall[] = {1.5, -5, -5};
    walled w = {{0}, 0};
    check_fails(localmin_run(with_wall, &w, 3, low_wall, high, &tight, x, &f, NULL, &error), LOCBO_ERR_NUMERIC,
                "no finite value");
    check_same(x[0], 2.0);
    check_same(f, 7.0);
    check_that(w.c.after_wall <= tight.max_evals, "%d evaluations", w.c.after_wall);
}

static void test_fixed(void **state) {
    (void)state;
    double low[] = {-5, 3, -5, 0.1}, high[] = {5, 3, 5, 0.1}, x[] = {4, 0, 4, 4}, f;
    counter c = {.low = low, .high = high};
    check_ok(localmin_run(quadratic, &c, 4, low, high, &tight, x, &f, NULL, &error));
    check_close(x[0], 0, 0, 1e-6);
    check_same(x[1], 3.0);
    check_close(x[2], 2, 0, 1e-6);
    check_same(x[3], 0.1);
    for (size_t i = 0; i < 4; i++) low[i] = high[i] = 1; /* nothing to move */
    counter once = {0};
    int evals;
    check_ok(localmin_run(quadratic, &once, 4, low, high, &tight, x, &f, &evals, &error));
    assert_int_equal(evals, 1);
    check_close(f, 1 + 0 + 3 + 16, 1e-15, 0);
    check_ok(localmin_run(quadratic, &once, 0, low, high, &tight, x, &f, &evals, &error));
    check_same(f, 0.0);
}

static void test_start_at_the_optimum(void **state) {
    (void)state;
    double low[] = {-5, -5}, high[] = {5, 5}, x[] = {0, 1}, f;
    counter c = {.low = low, .high = high};
    check_ok(localmin_run(quadratic, &c, 2, low, high, &tight, x, &f, NULL, &error));
    check_same(f, 0.0);
    /* in a corner, and started outside of the box */
    double corner_low[] = {1, 2};
    x[0] = -7, x[1] = -9;
    c.low = corner_low;
    check_ok(localmin_run(quadratic, &c, 2, corner_low, high, &tight, x, &f, NULL, &error));
    check_same(x[0], 1.0);
    check_same(x[1], 2.0);
}

static void test_limits(void **state) {
    (void)state;
    double low[10], high[10], x[10], f;
    for (int most = 1; most < 30; most += 4) {
        for (size_t i = 0; i < 10; i++) low[i] = -2, high[i] = 2, x[i] = -1.2;
        counter c = {.low = low, .high = high};
        localmin_limits limits = {.max_evals = most};
        int evals;
        check_ok(localmin_run(rosenbrock, &c, 10, low, high, &limits, x, &f, &evals, &error));
        check_that(evals <= most && c.evals <= most, "%d evaluations of %d", evals, most);
        check_that(f <= c.first, "worse than the start");
        check_same(f, c.best);
    }
}

/* Cancelled at the watcher's call number *user. */
static int count_down(void *user) { return --*(int *)user == 0; }

static void test_cancel(void **state) {
    (void)state;
    double low[] = {-2, -2}, high[] = {2, 2}, f = 7;
    for (int patience = 1; patience < 12; patience += 3) {
        double x[] = {-1.2, 1};
        counter c = {.low = low, .high = high};
        int left = patience, evals = 7;
        watcher w = {count_down, &left, 0};
        localmin_limits limits = {.max_evals = 2000, .f_tol_abs = 1e-14, .watcher = &w};
        check_fails(localmin_run(rosenbrock, &c, 2, low, high, &limits, x, &f, &evals, &error), LOCBO_ERR_CANCELLED,
                    "cancelled by the caller");
        assert_int_equal(c.evals, patience - 1); /* none after it */
        assert_int_equal(left, 0);               /* and the watcher is not asked again */
        assert_true(x[0] == -1.2 && x[1] == 1 && f == 7 && evals == 7);
    }
}

static void test_bad_input(void **state) {
    (void)state;
    double low[] = {0, 1}, high[] = {1, 0}, x[] = {0, 0}, f;
    counter c = {0};
    check_fails(localmin_run(quadratic, &c, 2, low, high, &tight, x, &f, NULL, &error), LOCBO_ERR_ARGUMENT,
                "low[1] = 1 exceeds high[1] = 0");
    high[1] = NAN;
    check_fails(localmin_run(quadratic, &c, 2, low, high, &tight, x, &f, NULL, &error), LOCBO_ERR_ARGUMENT, "low[1]");
    high[1] = 2;
    x[1] = NAN;
    check_fails(localmin_run(quadratic, &c, 2, low, high, &tight, x, &f, NULL, &error), LOCBO_ERR_ARGUMENT, "x[1]");
    x[1] = 1;
    localmin_limits none = {0};
    check_fails(localmin_run(quadratic, &c, 2, low, high, &none, x, &f, NULL, &error), LOCBO_ERR_ARGUMENT, "max_evals");
    assert_int_equal(c.evals, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_quadratic),
                                       cmocka_unit_test(test_rosenbrock),
                                       cmocka_unit_test(test_walls),
                                       cmocka_unit_test(test_fixed),
                                       cmocka_unit_test(test_start_at_the_optimum),
                                       cmocka_unit_test(test_limits),
                                       cmocka_unit_test(test_cancel),
                                       cmocka_unit_test(test_bad_input)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
