/* test_gp.c - predictions against the dense long double reference, appends against refactoring,
 * gradients against differences, and what must survive: duplicates, reordering, failures. */
#include "check.h"

#include <gp.h>
#include <rng.h>

#include "reference/gp_reference.h"

enum { MAX_ROWS = 80, D = 4, LENGTHS = 3, POINTS = 9 };
static const uint64_t seed = 4242;
static const size_t groups[D] = {0, 1, 2, 2}; /* the last two columns: one categorical parameter */

typedef struct setting {
    gp_spec spec;
    double theta[LENGTHS + 3];
    double x[MAX_ROWS * D], y[MAX_ROWS], scale[MAX_ROWS], extra[MAX_ROWS];
    double at[POINTS * D];
    size_t n;
} setting;

/* log signal_var and after it log noise_var. */
static double *last_thetas(setting *s) { return s->theta + gp_thetas(&s->spec) - 2; }

static gp_data data_of(const setting *s) { return (gp_data){s->n, s->x, s->y, s->scale, s->extra, NULL}; }

/* Random rows with replicated inputs, means of several measurements and rows of known noise. The
 * last point of `at` is a row, the one before is far outside. */
static void make(setting *s, locbo_kernel family, size_t n, int estimate_mean, uint64_t trial) {
    rng r = rng_open(seed, trial, RNG_DESIGN);
    *s = (setting){.spec = {family, D, LENGTHS, groups, estimate_mean, estimate_mean && trial % 2 ? D : 0}, .n = n};
    for (size_t i = 0; i < LENGTHS; i++) s->theta[i] = log(0.2 + 0.6 * rng_uniform(&r));
    if (s->spec.trend) s->theta[LENGTHS] = log(0.1 + rng_uniform(&r)); /* fade */
    last_thetas(s)[0] = log(0.5 + 2 * rng_uniform(&r));
    last_thetas(s)[1] = log(1e-3 + 1e-2 * rng_uniform(&r));
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < D; c++) s->x[i * D + c] = i % 7 == 6 ? s->x[(i - 3) * D + c] : rng_uniform(&r);
        s->y[i] = 1.5 + sin(5 * s->x[i * D]) * s->x[i * D + 1] + 0.1 * rng_normal(&r);
        s->scale[i] = i % 5 == 0 ? 0.25 : 1;
        s->extra[i] = i % 4 == 0 ? 0.01 : 0;
    }
    for (size_t i = 0; i < POINTS * D; i++) s->at[i] = rng_uniform(&r);
    for (size_t c = 0; c < D && n; c++) {
        s->at[(POINTS - 2) * D + c] = 50;
        s->at[(POINTS - 1) * D + c] = s->x[c];
    }
}

static gp *factored(const setting *s) {
    gp *g = NULL;
    gp_data data = data_of(s);
    check_ok(gp_create(&g, &s->spec, &error));
    check_ok(gp_factor(g, s->theta, &data, &error));
    return g;
}

/* Condition numbers here are below 1e5 (noise 1e-3 and more, at most 80 rows), signal variances
 * below 3: the double computation keeps about 16 - 5 digits. */
static const double accuracy = 1e-10;

static void compare(const gp *g, const setting *s, size_t pending, const double *x_pending) {
    double mu[POINTS], v[POINTS], cov[POINTS * POINTS], mean;
    double mu1[POINTS], v1[POINTS], cov1[POINTS * POINTS];
    gp_data data = data_of(s);
    gp_work work = {0};
    gp_reference_predict(&s->spec, s->theta, &data, gp_jitter(g), pending, x_pending, POINTS, s->at, mu, v, cov, &mean);
    check_ok(gp_predict(g, POINTS, s->at, mu1, v1, &work, &error));
    check_ok(gp_covariance(g, POINTS, &work, cov1, &error));
    check_close(gp_mean(g), mean, 0, accuracy);
    for (size_t p = 0; p < POINTS; p++) {
        check_close(mu1[p], mu[p], 1e-11, accuracy); /* a trend is large far from the rows */
        check_close(v1[p], v[p], 0, accuracy);
        for (size_t q = 0; q < POINTS; q++) check_close(cov1[p + q * POINTS], cov[p * POINTS + q], 0, accuracy);
    }
    gp_work_release(&work);
}

static void test_against_reference(void **state) {
    (void)state;
    print_message("seed %llu\n", (unsigned long long)seed);
    const size_t sizes[] = {0, 1, 2, 7, 40};
    for (int family = 0; family < 3; family++)
        for (size_t k = 0; k < 5; k++)
            for (int mean = 0; mean < 2; mean++) {
                setting s;
                make(&s, (locbo_kernel)family, sizes[k], mean, (uint64_t)family * 100 + k);
                gp *g = factored(&s);
                check_same(gp_jitter(g), 0.0);
                compare(g, &s, 0, NULL);
                gp_destroy(g);
            }
}

static void test_pending(void **state) {
    (void)state;
    for (int family = 0; family < 3; family++)
        for (size_t n = 0; n <= 30; n += 15) {
            setting s;
            make(&s, (locbo_kernel)family, n, 1, 7);
            gp *g = factored(&s), *copy = factored(&s);
            double x[3 * D];
            check_ok(gp_copy(copy, g, n == 15 ? 0 : 3, &error));
            for (size_t i = 0; i < 3 * D; i++) x[i] = i < D ? s.at[i] : 0.1 * (double)i - 0.2;
            for (size_t p = 1; p <= 3; p++) {
                check_ok(gp_append_pending(copy, x + (p - 1) * D, &error));
                assert_int_equal(gp_pending(copy), p);
                assert_int_equal(gp_rows(copy), n);
                compare(copy, &s, p, x);
            }
            check_fails(gp_append(copy, x, 0, 1, 0, &error), LOCBO_ERR_STATE, "pending");
            gp_destroy(copy);
            compare(g, &s, 0, NULL);
            check_ok(gp_append(g, x, 0, 1, 0, &error));
            gp_destroy(g);
        }
}

/* The same point many times over: never an error, and the variance there falls towards zero. */
static void test_many_equal_pending(void **state) {
    (void)state;
    setting s;
    make(&s, LOCBO_KERNEL_RBF, 10, 1, 8);
    last_thetas(&s)[1] = log(1e-16);
    for (size_t i = 0; i < s.n; i++) s.scale[i] = 1, s.extra[i] = 1e-3;
    gp *g = factored(&s);
    gp_work work = {0};
    double mu, v, before = INFINITY, mu0;
    check_ok(gp_predict(g, 1, s.at, &mu0, &v, &work, &error));
    for (int k = 0; k < 40; k++) {
        check_ok(gp_append_pending(g, s.at, &error));
        check_ok(gp_predict(g, 1, s.at, &mu, &v, &work, &error));
        check_that(v >= 0 && v <= before + 1e-9, "v = %g after %g", v, before);
        check_close(mu, mu0, 1e-12, 0); /* the mean knows nothing of pending rows; gemv's order may change */
        before = v;
    }
    check_that(v < 1e-8, "v = %g", v); /* 1e-10 signal_var is the least noise such a row can have */
    gp_work_release(&work);
    gp_destroy(g);
}

/* Against a dense inverse, with rows that were appended and with pending ones, which do not count. */
static void test_inverse_diagonal(void **state) {
    (void)state;
    const size_t sizes[] = {0, 1, 2, 7, 40};
    for (size_t k = 0; k < 5; k++) {
        setting s;
        make(&s, (locbo_kernel)(k % 3), sizes[k], 1, 300 + k);
        gp *g = factored(&s);
        size_t n = s.n + 1;
        long double c[(40 + 1) * (40 + 1)], log_det, signal = expl(last_thetas(&s)[0]);
        double inverse[(40 + 1) * (40 + 1)], diagonal[40 + 1];
        memcpy(s.x + s.n * D, s.at, D * sizeof *s.at);
        s.scale[s.n] = 0.5, s.extra[s.n] = 0.02;
        check_ok(gp_append(g, s.at, 1, 0.5, 0.02, &error));
        for (int p = 0; p < 30; p++) check_ok(gp_append_pending(g, s.at + D, &error));
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++)
                c[i * n + j] = signal * gp_reference_correlation(&s.spec, s.theta, s.x + i * D, s.x + j * D);
        for (size_t i = 0; i < n; i++) c[i * n + i] += expl(last_thetas(&s)[1]) * s.scale[i] + s.extra[i];
        long double *expected = gp_reference_invert(n, c, &log_det);
        gp_inverse_diagonal(g, inverse, diagonal);
        for (size_t i = 0; i < n; i++) {
            check_close(diagonal[i], (double)expected[i * n + i], accuracy, 0);
            check_same(gp_row_extra(g, i), s.extra[i]);
        }
        free(expected);
        gp_destroy(g);
    }
}

static void test_append_equals_factor(void **state) {
    (void)state;
    for (int family = 0; family < 3; family++)
        for (int mean = 0; mean < 2; mean++) {
            setting s, part;
            make(&s, (locbo_kernel)family, MAX_ROWS, mean, 21);
            part = s;
            part.n = 1;
            gp *g = factored(&part), *whole = factored(&s);
            for (size_t i = 1; i < MAX_ROWS; i++)
                check_ok(gp_append(g, s.x + i * D, s.y[i], s.scale[i], s.extra[i], &error));
            assert_int_equal(gp_rows(g), MAX_ROWS);
            check_same(gp_jitter(g), 0.0);
            double mu[POINTS], v[POINTS], mu1[POINTS], v1[POINTS];
            gp_work work = {0};
            check_ok(gp_predict(whole, POINTS, s.at, mu, v, &work, &error));
            check_ok(gp_predict(g, POINTS, s.at, mu1, v1, &work, &error));
            check_close(gp_mean(g), gp_mean(whole), 0, accuracy);
            for (size_t p = 0; p < POINTS; p++) {
                check_close(mu1[p], mu[p], 1e-11, accuracy);
                check_close(v1[p], v[p], 0, accuracy);
            }
            size_t ld, ld_whole;
            const double *L = gp_factor_matrix(g, &ld), *L_whole = gp_factor_matrix(whole, &ld_whole);
            for (size_t j = 0; j < MAX_ROWS; j++) {
                check_same(gp_row_noise(g, j), gp_row_noise(whole, j));
                check_same(gp_outputs(g)[j], s.y[j]);
                for (size_t i = j; i < MAX_ROWS; i++)
                    check_close(L[i + j * ld], L_whole[i + j * ld_whole], 0, accuracy);
            }
            assert_memory_equal(gp_inputs(g), s.x, sizeof s.x);
            gp_work_release(&work);
            gp_destroy(g);
            gp_destroy(whole);
        }
}

static void test_order_of_rows(void **state) {
    (void)state;
    setting s, t;
    make(&s, LOCBO_KERNEL_MATERN52, 60, 1, 31);
    t = s;
    size_t order[60];
    rng r = rng_open(seed, 32, RNG_DESIGN);
    for (size_t i = 0; i < 60; i++) order[i] = i;
    rng_shuffle(&r, 60, order);
    for (size_t i = 0; i < 60; i++) {
        memcpy(t.x + i * D, s.x + order[i] * D, D * sizeof(double));
        t.y[i] = s.y[order[i]], t.scale[i] = s.scale[order[i]], t.extra[i] = s.extra[order[i]];
    }
    gp *g = factored(&s), *h = factored(&t);
    double mu[POINTS], v[POINTS], mu1[POINTS], v1[POINTS];
    gp_work work = {0};
    check_ok(gp_predict(g, POINTS, s.at, mu, v, &work, &error));
    check_ok(gp_predict(h, POINTS, s.at, mu1, v1, &work, &error));
    for (size_t p = 0; p < POINTS; p++) {
        check_close(mu1[p], mu[p], 0, accuracy);
        check_close(v1[p], v[p], 0, accuracy);
    }
    gp_work_release(&work);
    gp_destroy(g);
    gp_destroy(h);
}

/* Central differences with h = 1e-5: truncation h^2 times third derivatives (up to about 1e3 at
 * these length scales) and rounding 1e-11 / h: 1e-6 each. */
static void test_gradient(void **state) {
    (void)state;
    for (int family = 0; family < 3; family++)
        for (size_t pending = 0; pending < 2; pending++) {
            setting s;
            make(&s, (locbo_kernel)family, 40, 1, 41);
            gp *g = factored(&s);
            if (pending) check_ok(gp_append_pending(g, s.at, &error));
            gp_work work = {0};
            for (size_t p = 1; p + 2 < POINTS; p++) {
                double mu, v, dmu[D], dv[D], mu0, v0;
                const double *x = s.at + p * D;
                check_ok(gp_predict_grad(g, x, &mu, &v, dmu, dv, &work, &error));
                check_ok(gp_predict(g, 1, x, &mu0, &v0, &work, &error));
                check_close(mu, mu0, 0, accuracy);
                check_close(v, v0, 0, accuracy);
                for (size_t c = 0; c < D; c++) {
                    double two[2 * D], m2[2], v2[2], h = 1e-5;
                    memcpy(two, x, D * sizeof *x);
                    memcpy(two + D, x, D * sizeof *x);
                    two[c] -= h;
                    two[D + c] += h;
                    check_ok(gp_predict(g, 2, two, m2, v2, &work, &error));
                    check_close(dmu[c], (m2[1] - m2[0]) / (2 * h), 1e-6, 5e-6);
                    check_close(dv[c], (v2[1] - v2[0]) / (2 * h), 1e-6, 5e-6);
                }
            }
            gp_work_release(&work);
            gp_destroy(g);
        }
}

/* Every row four times, noise at the floor: the matrix is singular but for 1e-8. */
static void test_duplicates(void **state) {
    (void)state;
    for (int family = 0; family < 3; family++)
        for (int tiny = 0; tiny < 2; tiny++) {
            setting s;
            make(&s, (locbo_kernel)family, MAX_ROWS, 1, 51);
            for (size_t i = 0; i < MAX_ROWS; i++) {
                memcpy(s.x + i * D, s.x + i / 4 * 4 * D, D * sizeof(double));
                s.y[i] = s.x[i * D], s.scale[i] = 1, s.extra[i] = 0;
            }
            for (size_t i = 0; i < LENGTHS; i++) s.theta[i] = log(3);
            if (s.spec.trend) s.theta[LENGTHS] = log(1e-3);
            last_thetas(&s)[0] = log(100);
            last_thetas(&s)[1] = tiny ? log(1e-30) : log(1e-8);
            gp *g = factored(&s);
            check_that(gp_jitter(g) <= 1e-6, "jitter %g", gp_jitter(g));
            if (tiny) check_that(gp_jitter(g) >= 1e-10, "no jitter was reported");
            double mu[POINTS], v[POINTS];
            gp_work work = {0};
            check_ok(gp_predict(g, POINTS, s.at, mu, v, &work, &error));
            for (size_t p = 0; p + 2 < POINTS; p++) {
                check_that(v[p] >= 0 && v[p] <= 100, "v = %g", v[p]);
                /* y is linear in x and the prior is wide: the mean follows to a few per cent */
                check_close(mu[p], s.at[p * D], 0, 0.05);
            }
            /* one more replicate, by append */
            check_ok(gp_append(g, s.x, s.y[0], 1, 0, &error));
            assert_int_equal(gp_rows(g), MAX_ROWS + 1);
            gp_work_release(&work);
            gp_destroy(g);
        }
}

static void test_failure_changes_nothing(void **state) {
    (void)state;
    setting s, bad;
    make(&s, LOCBO_KERNEL_MATERN52, 20, 1, 61);
    gp *g = factored(&s);
    bad = s;
    bad.x[3] = 1e200; /* finite, but its square is not */
    gp_data data = data_of(&bad);
    bad.theta[0] = 1;
    check_fails(gp_factor(g, bad.theta, &data, &error), LOCBO_ERR_NUMERIC, "cannot be factored");
    compare(g, &s, 0, NULL);
    assert_memory_equal(gp_theta(g), s.theta, sizeof s.theta);
    double x[D] = {1e200, 0, 0, 0};
    check_fails(gp_append(g, x, 0, 1, 0, &error), LOCBO_ERR_NUMERIC, "cannot be factored");
    check_fails(gp_append_pending(g, x, &error), LOCBO_ERR_NUMERIC, "pending");
    assert_int_equal(gp_rows(g), 20);
    assert_int_equal(gp_pending(g), 0);
    compare(g, &s, 0, NULL);
    check_ok(gp_append(g, s.at, 0, 1, 0, &error)); /* and the model can still be used */
    gp_destroy(g);
}

static void test_bad_input(void **state) {
    (void)state;
    setting s;
    make(&s, LOCBO_KERNEL_MATERN52, 10, 1, 71);
    gp *g = NULL;
    gp_spec spec = s.spec;
    spec.columns = 0;
    check_fails(gp_create(&g, &spec, &error), LOCBO_ERR_ARGUMENT, "columns");
    spec = s.spec;
    spec.lengths = 2;
    check_fails(gp_create(&g, &spec, &error), LOCBO_ERR_ARGUMENT, "group[2] must be below 2, got 2");
    spec.lengths = 0;
    check_fails(gp_create(&g, &spec, &error), LOCBO_ERR_ARGUMENT, "lengths");
    spec = s.spec;
    spec.family = (locbo_kernel)17;
    check_fails(gp_create(&g, &spec, &error), LOCBO_ERR_ARGUMENT, "unknown kernel 17");
    assert_null(g);
    gp_destroy(NULL);

    double mu, v, d[D];
    gp_work work = {0};
    check_ok(gp_create(&g, &s.spec, &error));
    check_fails(gp_predict(g, 1, s.at, &mu, &v, &work, &error), LOCBO_ERR_STATE, "not been factored");
    check_fails(gp_predict_grad(g, s.at, &mu, &v, d, d, &work, &error), LOCBO_ERR_STATE, "factored");
    check_fails(gp_append(g, s.at, 0, 1, 0, &error), LOCBO_ERR_STATE, "factored");
    check_fails(gp_append_pending(g, s.at, &error), LOCBO_ERR_STATE, "factored");
    gp_data data = data_of(&s);
    double theta[LENGTHS + 3] = {0, NAN};
    check_fails(gp_factor(g, theta, &data, &error), LOCBO_ERR_ARGUMENT, "theta[1]");
    s.y[2] = INFINITY;
    check_fails(gp_factor(g, s.theta, &data, &error), LOCBO_ERR_ARGUMENT, "y must be finite");
    s.y[2] = 0, s.x[5] = NAN;
    check_fails(gp_factor(g, s.theta, &data, &error), LOCBO_ERR_ARGUMENT, "x[1]");
    s.x[5] = 0, s.scale[1] = -1;
    check_fails(gp_factor(g, s.theta, &data, &error), LOCBO_ERR_ARGUMENT, "scale");
    s.scale[1] = 1, s.extra[1] = NAN;
    check_fails(gp_factor(g, s.theta, &data, &error), LOCBO_ERR_ARGUMENT, "extra");
    s.extra[1] = 0;
    check_ok(gp_factor(g, s.theta, &data, &error));
    check_fails(gp_append(g, s.at, NAN, 1, 0, &error), LOCBO_ERR_ARGUMENT, "y must be finite");
    double cov[4];
    check_fails(gp_covariance(g, 2, &work, cov, &error), LOCBO_ERR_ARGUMENT, "gp_predict");
    check_ok(gp_predict(g, 0, NULL, NULL, NULL, &work, &error));
    gp_work_release(&work);
    gp_destroy(g);
}

/* A workspace that has seen the largest size is not moved again, whatever is predicted with it. */
static void test_predict_does_not_allocate(void **state) {
    (void)state;
    setting s;
    make(&s, LOCBO_KERNEL_MATERN52, 30, 1, 81);
    gp *g = factored(&s);
    enum { MANY = 200 };
    static double x[MANY * D], mu[MANY], v[MANY];
    for (size_t i = 0; i < MANY * D; i++) x[i] = fmod(0.37 * (double)i, 1);
    gp_work work = {0};
    double m1, v1, dmu[D], dv[D];
    check_ok(gp_predict(g, MANY, x, mu, v, &work, &error));
    gp_work before = work;
    for (size_t i = 0; i < MANY; i++) { /* blocks change nothing but rounding */
        check_ok(gp_predict(g, 1, x + i * D, &m1, &v1, &work, &error));
        check_close(m1, mu[i], 0, accuracy);
        check_close(v1, v[i], 0, accuracy);
        check_ok(gp_predict_grad(g, x + i * D, &m1, &v1, dmu, dv, &work, &error));
    }
    assert_memory_equal(&before, &work, sizeof work);
    gp_work_release(&work);
    gp_destroy(g);
}

/* Pending rows after the points were predicted: as if they had been there before, to the bit, and as gp_predict says.
 */
static void test_predict_more(void **state) {
    (void)state;
    for (uint64_t trial = 0; trial < 6; trial++) {
        setting s;
        make(&s, LOCBO_KERNEL_MATERN52, 30, 1, trial);
        gp *g = factored(&s);
        gp_work kept = {0}, fresh = {0}, plain = {0};
        double mu[3][POINTS], v[3][POINTS];
        size_t have = 0;
        for (size_t pending = 0; pending < 40; pending++) { /* more than the columns have room for */
            if (pending > 0) check_ok(gp_append_pending(g, s.at + pending % POINTS * D, &error));
            check_ok(gp_predict_more(g, POINTS, s.at, mu[0], v[0], &kept, have, &error));
            check_ok(gp_predict_more(g, POINTS, s.at, mu[1], v[1], &fresh, 0, &error));
            check_ok(gp_predict(g, POINTS, s.at, mu[2], v[2], &plain, &error));
            have = gp_rows(g) + gp_pending(g);
            for (size_t p = 0; p < POINTS; p++) {
                check_same(mu[0][p], mu[1][p]);
                check_same(v[0][p], v[1][p]);
                check_close(mu[0][p], mu[2][p], 1e-12, 1e-12);
                check_close(v[0][p], v[2][p], 0, 1e-12);
                for (size_t i = 0; i < have; i++) {
                    size_t at = i + p * kept.stride;
                    check_same(kept.w[at], fresh.w[i + p * fresh.stride]);
                    check_close(kept.w[at], plain.w[i + p * plain.stride], 1e-10, 1e-12);
                    check_close(kept.k[at], plain.k[i + p * plain.stride], 1e-12, 1e-14);
                }
            }
        }
        gp_work_release(&kept);
        gp_work_release(&fresh);
        gp_work_release(&plain);
        gp_destroy(g);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_predict_more),     cmocka_unit_test(test_against_reference),
        cmocka_unit_test(test_pending),          cmocka_unit_test(test_many_equal_pending),
        cmocka_unit_test(test_inverse_diagonal), cmocka_unit_test(test_append_equals_factor),
        cmocka_unit_test(test_order_of_rows),    cmocka_unit_test(test_gradient),
        cmocka_unit_test(test_duplicates),       cmocka_unit_test(test_failure_changes_nothing),
        cmocka_unit_test(test_bad_input),        cmocka_unit_test(test_predict_does_not_allocate)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
