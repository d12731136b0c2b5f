/* test_landmarks.c - the summary against the covariance matrix that it stands for, written out; against the exact model
 * where both are the same; which rows are chosen; appends; failures. */
#include "check.h"

#include <gp.h>
#include <landmarks.h>
#include <linalg.h>
#include <rng.h>

enum { ROWS = 60, D = 3, LENGTHS = 3, POINTS = 8, MOST_THETAS = LENGTHS + 3 };
static const uint64_t seed = 977;
static const size_t groups[D] = {0, 1, 2};

typedef struct setting {
    gp_spec spec;
    double theta[MOST_THETAS];
    double x[ROWS * D], y[ROWS], scale[ROWS], extra[ROWS], at[POINTS * D];
    size_t point[ROWS];
} setting;

static gp_data data_of(const setting *s) { return (gp_data){ROWS, s->x, s->y, s->scale, s->extra, s->point}; }

/* Every sixth measurement is of the point three before it. */
static void make(setting *s, locbo_kernel family, int trend, uint64_t trial) {
    rng r = rng_open(seed, trial, RNG_DESIGN);
    size_t points = 0;
    *s = (setting){.spec = {family, D, LENGTHS, groups, 1, trend ? D : 0}};
    double *last = s->theta + gp_thetas(&s->spec) - 2;
    for (size_t i = 0; i < LENGTHS; i++) s->theta[i] = log(0.2 + 0.4 * rng_uniform(&r));
    if (trend) s->theta[LENGTHS] = log(0.3);
    last[0] = log(0.8);
    last[1] = log(0.02);
    for (size_t i = 0; i < ROWS; i++) {
        int again = i % 6 == 5;
        for (size_t c = 0; c < D; c++) s->x[i * D + c] = again ? s->x[(i - 3) * D + c] : rng_uniform(&r);
        s->point[i] = again ? s->point[i - 3] : points++;
        s->y[i] = 0.7 + sin(6 * s->x[i * D]) + s->x[i * D + 1] + 0.1 * rng_normal(&r);
        s->scale[i] = i % 4 == 0 ? 0.5 : 1;
        s->extra[i] = i % 7 == 0 ? 0.01 : 0;
    }
    for (size_t i = 0; i < POINTS * D; i++) s->at[i] = rng_uniform(&r);
}

static gp *summed_up(const setting *s, size_t most, landmarks *l) {
    gp *g = NULL;
    gp_data data = data_of(s);
    check_ok(gp_create(&g, &s->spec, &error));
    check_ok(landmarks_make(l, &s->spec, s->theta, &data, &(landmarks_plan){.most = most}, NULL, &error));
    gp_data rows = landmarks_data(l);
    check_ok(gp_factor_summary(g, s->theta, &rows, &l->summary, &error));
    return g;
}

static gp *exact(const setting *s) {
    gp *g = NULL;
    gp_data data = data_of(s);
    check_ok(gp_create(&g, &s->spec, &error));
    check_ok(gp_factor(g, s->theta, &data, &error));
    return g;
}

static void check_same_predictions(const gp *g, const gp *h, const setting *s, double accuracy) {
    double mu[2][POINTS], v[2][POINTS];
    gp_work work = {0};
    check_ok(gp_predict(g, POINTS, s->at, mu[0], v[0], &work, &error));
    check_ok(gp_predict(h, POINTS, s->at, mu[1], v[1], &work, &error));
    for (size_t p = 0; p < POINTS; p++) {
        check_close(mu[0][p], mu[1][p], 0, accuracy);
        check_close(v[0][p], v[1][p], 0, accuracy);
    }
    gp_work_release(&work);
}

/* ---- all rows are landmarks ---------------------------------------------------------------------- */

static void test_all_rows_are_the_exact_model(void **state) {
    (void)state;
    for (uint64_t trial = 0; trial < 6; trial++) {
        setting s;
        landmarks l;
        make(&s, trial % 2 ? LOCBO_KERNEL_RBF : LOCBO_KERNEL_MATERN52, trial >= 4, trial);
        gp *g = summed_up(&s, ROWS, &l), *h = exact(&s);
        assert_int_equal(l.n, gp_rows(h));
        check_close(gp_mean(g), gp_mean(h), 0, 1e-8); /* the summary has a jitter of 1e-10 of the signal */
        check_same_predictions(g, h, &s, 1e-8);
        double mu[ROWS], mu1[ROWS];
        gp_fitted(g, mu);
        gp_fitted(h, mu1);
        for (size_t i = 0; i < l.n; i++) check_close(mu[i], mu1[i], 0, 1e-8);
        gp_destroy(g);
        gp_destroy(h);
        landmarks_release(&l);
    }
}

/* ---- against the matrix that it stands for ------------------------------------------------------- */

/* Prior covariance of f at two points, from the model itself: one without rows predicts the prior. */
static double prior(const setting *s, const double *a, const double *b) {
    gp *g = NULL;
    gp_work work = {0};
    double pair[2 * D], mu[2], v[2], cov[4];
    memcpy(pair, a, D * sizeof *a);
    memcpy(pair + D, b, D * sizeof *b);
    check_ok(gp_create(&g, &s->spec, &error));
    check_ok(gp_factor(g, s->theta, &(gp_data){0}, &error));
    check_ok(gp_predict(g, 2, pair, mu, v, &work, &error));
    check_ok(gp_covariance(g, 2, &work, cov, &error));
    gp_work_release(&work);
    gp_destroy(g);
    return cov[1];
}

/* q(a, b) = k(a, Z) K^-1 k(Z, b) from V = L^-1 k(Z, .). */
static void project(const setting *s, const landmarks *l, const double *L, const double *x, double *v) {
    for (size_t i = 0; i < l->n; i++) v[i] = prior(s, l->x + i * D, x);
    linalg_solve_lower(l->n, L, l->n, v);
}

static void terms_at(const setting *s, const double *x, double h[GP_TERMS]) {
    h[0] = 1;
    gp_trend_at(x[D - 1], h + 1);
    for (size_t k = 1; !s->spec.trend && k < GP_TERMS; k++) h[k] = 0;
}

/* Mean and variance at s->at by the covariance of all measurements, Q + diag(k - q + noise), with one rest for each
 * point: measurements of one point share it. */
static void written_out(const setting *s, const landmarks *l, double *mu, double *v) {
    static double L[ROWS * ROWS], C[ROWS * ROWS], V[ROWS][ROWS], white[GP_TERMS][ROWS], y[ROWS];
    size_t m = l->n;
    double noise = exp(s->theta[gp_thetas(&s->spec) - 1]), rest[ROWS], b[GP_TERMS], within;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j <= i; j++) L[i + j * m] = prior(s, l->x + i * D, l->x + j * D);
    assert_true(linalg_cholesky(m, L, m));
    for (size_t i = 0; i < ROWS; i++) {
        project(s, l, L, s->x + i * D, V[i]);
        rest[i] = prior(s, s->x + i * D, s->x + i * D) - linalg_dot(m, V[i], V[i]);
    }
    for (size_t i = 0; i < ROWS; i++)
        for (size_t j = 0; j <= i; j++) {
            C[i + j * ROWS] = linalg_dot(m, V[i], V[j]) + (s->point[i] == s->point[j] ? rest[i] : 0);
            if (i == j) C[i + j * ROWS] += noise * s->scale[i] + s->extra[i];
        }
    assert_true(linalg_cholesky(ROWS, C, ROWS));
    const double *terms[GP_TERMS];
    for (size_t i = 0; i < ROWS; i++) {
        double h[GP_TERMS];
        terms_at(s, s->x + i * D, h);
        for (size_t k = 0; k < GP_TERMS; k++) white[k][i] = h[k];
        y[i] = s->y[i];
    }
    for (size_t k = 0; k < GP_TERMS; k++) linalg_solve_lower(ROWS, C, ROWS, white[k]), terms[k] = white[k];
    linalg_solve_lower(ROWS, C, ROWS, y);
    assert_true(gp_solve_mean(ROWS, terms, y, NULL, b, &within));
    for (size_t k = 0; k < GP_TERMS; k++) linalg_axpy(ROWS, -b[k], white[k], y);
    for (size_t p = 0; p < POINTS; p++) {
        double at[ROWS], q[ROWS], h[GP_TERMS];
        const double *x = s->at + p * D;
        project(s, l, L, x, at);
        for (size_t i = 0; i < ROWS; i++) q[i] = linalg_dot(m, V[i], at);
        linalg_solve_lower(ROWS, C, ROWS, q);
        terms_at(s, x, h);
        mu[p] = linalg_dot(ROWS, q, y) + linalg_dot(GP_TERMS, b, h);
        v[p] = prior(s, x, x) - linalg_dot(ROWS, q, q);
    }
}

static void test_stands_for_its_matrix(void **state) {
    (void)state;
    for (uint64_t trial = 0; trial < 4; trial++) {
        setting s;
        landmarks l;
        make(&s, LOCBO_KERNEL_MATERN52, trial % 2, 10 + trial);
        gp *g = summed_up(&s, 15, &l);
        double mu[POINTS], v[POINTS], mu1[POINTS], v1[POINTS];
        gp_work work = {0};
        assert_int_equal(l.n, 15);
        written_out(&s, &l, mu, v);
        check_ok(gp_predict(g, POINTS, s.at, mu1, v1, &work, &error));
        for (size_t p = 0; p < POINTS; p++) {
            check_close(mu1[p], mu[p], 1e-8, 1e-8); /* the jitter of 1e-10, and a condition of some thousand */
            check_close(v1[p], v[p], 0, 1e-8);
        }
        gp_work_release(&work);
        gp_destroy(g);
        landmarks_release(&l);
    }
}

/* The means at the rows are those that are predicted there. */
static void test_fitted(void **state) {
    (void)state;
    setting s;
    landmarks l;
    make(&s, LOCBO_KERNEL_MATERN52, 1, 20);
    gp *g = summed_up(&s, 20, &l);
    double fitted[ROWS], mu[ROWS];
    gp_work work = {0};
    check_ok(gp_append(g, s.at, 0.3, 1, 0, &error));
    gp_fitted(g, fitted);
    check_ok(gp_predict_mean(g, gp_rows(g), gp_inputs(g), mu, &work, &error));
    for (size_t i = 0; i < gp_rows(g); i++) check_close(fitted[i], mu[i], 1e-9, 1e-9);
    gp_work_release(&work);
    gp_destroy(g);
    landmarks_release(&l);
}

/* Far from all rows the prior is left. */
static void test_far_away(void **state) {
    (void)state;
    setting s;
    landmarks l;
    make(&s, LOCBO_KERNEL_MATERN52, 0, 30);
    double far[D] = {30, 30, 30}, mu, v, signal = exp(s.theta[LENGTHS]);
    gp *g = summed_up(&s, 10, &l);
    gp_work work = {0};
    check_ok(gp_predict(g, 1, far, &mu, &v, &work, &error));
    check_close(v, signal, 1e-12, 0);
    gp_work_release(&work);
    gp_destroy(g);
    landmarks_release(&l);
}

/* ---- appends, copies ----------------------------------------------------------------------------- */

static void test_append_and_copy(void **state) {
    (void)state;
    setting s;
    landmarks l;
    make(&s, LOCBO_KERNEL_MATERN52, 1, 40);
    gp *g = summed_up(&s, 20, &l), *h = NULL;
    check_ok(gp_create(&h, &s.spec, &error));
    for (size_t i = 0; i < 4; i++) check_ok(gp_append(g, s.at + i * D, 0.1 * (double)i, 1, 0, &error));
    check_ok(gp_copy(h, g, 2, &error));
    check_same_predictions(g, h, &s, 0);
    check_ok(gp_append_pending(h, s.at + 5 * D, &error));
    double mu[2], v[2];
    gp_work work = {0};
    check_ok(gp_predict(g, 1, s.at + 5 * D, mu, v, &work, &error));
    check_ok(gp_predict(h, 1, s.at + 5 * D, mu + 1, v + 1, &work, &error));
    check_close(mu[1], mu[0], 0, 1e-12);
    assert_true(v[1] < v[0]);
    gp_work_release(&work);
    gp_destroy(g);
    gp_destroy(h);
    landmarks_release(&l);
}

/* The same row again and again: the pivots of exact copies with little noise are rounding at some time, and the factor
 * is then made anew from the summary. */
static void test_append_copies(void **state) {
    (void)state;
    setting s;
    landmarks l;
    make(&s, LOCBO_KERNEL_RBF, 0, 41);
    s.theta[gp_thetas(&s.spec) - 1] = log(1e-16);
    memset(s.extra, 0, sizeof s.extra);
    gp *g = summed_up(&s, 20, &l);
    for (int i = 0; i < 5; i++) check_ok(gp_append(g, s.at, 1, 1e-3, 0, &error));
    double mu, v;
    gp_work work = {0};
    check_ok(gp_predict(g, 1, s.at, &mu, &v, &work, &error));
    check_close(mu, 1, 0, 0.1);
    gp_work_release(&work);
    gp_destroy(g);
    landmarks_release(&l);
}

/* ---- points that are kept apart ------------------------------------------------------------------ */

/* The rows that the others and those apart make, the same as if the others alone were summed up and each point apart,
 * with all that was measured there, appended. */
static void test_apart(void **state) {
    (void)state;
    for (uint64_t trial = 0; trial < 4; trial++) {
        static const size_t apart[] = {3, 8, 9, 20, 23, 59}; /* 23 is again at the point of 20, and 59 at that of 56 */
        size_t most = trial < 2 ? 12 : ROWS, n = 0, points = 0;
        setting s, rest;
        landmarks l, alone;
        make(&s, LOCBO_KERNEL_MATERN52, 0, 70 + trial);
        rest = s;
        for (size_t i = 0; i < ROWS; i++) {
            int out = 0;
            for (size_t k = 0; k < 6; k++) out = out || s.point[i] == s.point[apart[k]];
            if (out) continue;
            memcpy(rest.x + n * D, s.x + i * D, D * sizeof *s.x);
            rest.y[n] = s.y[i], rest.scale[n] = s.scale[i], rest.extra[n] = s.extra[i];
            rest.point[n] = points;
            for (size_t j = 0; j < n; j++)
                if (memcmp(rest.x + j * D, rest.x + n * D, D * sizeof *s.x) == 0) rest.point[n] = rest.point[j];
            points += rest.point[n] == points;
            n++;
        }
        gp_data all = data_of(&s), others = {n, rest.x, rest.y, rest.scale, rest.extra, rest.point};
        gp *g = NULL, *h = NULL;
        check_ok(gp_create(&g, &s.spec, &error));
        check_ok(gp_create(&h, &s.spec, &error));
        check_ok(landmarks_make(&l, &s.spec, s.theta, &all, &(landmarks_plan){most, 6, apart}, NULL, &error));
        check_ok(landmarks_make(&alone, &s.spec, s.theta, &others, &(landmarks_plan){.most = most}, NULL, &error));
        gp_data rows = landmarks_data(&l), rows_alone = landmarks_data(&alone);
        assert_int_equal(l.apart, 5);
        for (size_t i = 0; i < 5; i++) {
            size_t own = l.row[l.n + i];
            for (size_t j = 0; j < own; j++) assert_true(s.point[j] != s.point[own]); /* the first there */
        }
        check_ok(gp_factor_summary(g, s.theta, &rows, &l.summary, &error));
        check_ok(gp_factor_summary(h, s.theta, &rows_alone, &alone.summary, &error));
        assert_int_equal(gp_rows(g), gp_rows(h));
        gp *whole = exact(&s);
        for (size_t i = l.n; i < l.n + l.apart; i++) {
            check_ok(gp_append(g, l.x + i * D, l.y[i], l.scale[i], l.extra[i], &error));
            for (size_t j = 0; j < ROWS; j++)
                if (s.point[j] == s.point[l.row[i]]) /* one measurement after the other, instead of all in one */
                    check_ok(gp_append(h, s.x + j * D, s.y[j], s.scale[j], s.extra[j], &error));
        }
        check_same_predictions(g, h, &s, 1e-8); /* by another order of sums; the matrices have conditions below 1e4 */
        if (most == ROWS) check_same_predictions(g, whole, &s, 1e-7); /* the summary's jitter of 1e-10 of the signal */
        gp_destroy(g);
        gp_destroy(h);
        gp_destroy(whole);
        landmarks_release(&l);
        landmarks_release(&alone);
    }
}

/* ---- the choice ---------------------------------------------------------------------------------- */

/* Rows in two heaps: both get landmarks, no landmark is of a point that is one already, and what is chosen depends on
 * nothing but the data. */
static void test_choice(void **state) {
    (void)state;
    setting s;
    landmarks l, again;
    make(&s, LOCBO_KERNEL_MATERN52, 0, 50);
    for (size_t i = 0; i < ROWS; i++)
        for (size_t c = 0; c < D; c++) s.x[i * D + c] = (s.point[i] % 2 ? 0.8 : 0.1) + 0.1 * s.x[i * D + c];
    gp_data data = data_of(&s);
    check_ok(landmarks_make(&l, &s.spec, s.theta, &data, &(landmarks_plan){.most = 12}, NULL, &error));
    check_ok(landmarks_make(&again, &s.spec, s.theta, &data, &(landmarks_plan){.most = 12}, NULL, &error));
    size_t heap[2] = {0};
    assert_int_equal(l.n, again.n);
    for (size_t i = 0; i < l.n; i++) {
        assert_int_equal(l.row[i], again.row[i]);
        if (i > 0) assert_true(l.row[i] > l.row[i - 1]);
        for (size_t j = 0; j < i; j++) assert_true(s.point[l.row[i]] != s.point[l.row[j]]);
        for (size_t j = 0; j < l.row[i]; j++) assert_true(s.point[j] != s.point[l.row[i]]); /* the first there */
        heap[s.point[l.row[i]] % 2]++;
    }
    check_same(l.y[0], again.y[0]);
    assert_true(heap[0] >= 3 && heap[1] >= 3);
    landmarks_release(&l);
    landmarks_release(&again);
}

/* All rows nearly at one place: few landmarks say everything. */
static void test_stops_where_nothing_is_left(void **state) {
    (void)state;
    setting s;
    landmarks l;
    make(&s, LOCBO_KERNEL_RBF, 0, 51);
    for (size_t i = 0; i < ROWS * D; i++) s.x[i] = 0.5 + 1e-4 * s.x[i];
    gp *g = summed_up(&s, 40, &l);
    assert_true(l.n < 10);
    gp_destroy(g);
    landmarks_release(&l);
}

static int stop(void *user) {
    (void)user;
    return 1;
}

static void test_cancelled(void **state) {
    (void)state;
    setting s;
    landmarks l;
    watcher w = {.fn = stop};
    make(&s, LOCBO_KERNEL_MATERN52, 0, 60);
    gp_data data = data_of(&s);
    check_fails(landmarks_make(&l, &s.spec, s.theta, &data, &(landmarks_plan){.most = 12}, &w, &error),
                LOCBO_ERR_CANCELLED, "cancelled");
    landmarks_release(&l);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_rows_are_the_exact_model),
        cmocka_unit_test(test_stands_for_its_matrix),
        cmocka_unit_test(test_fitted),
        cmocka_unit_test(test_far_away),
        cmocka_unit_test(test_append_and_copy),
        cmocka_unit_test(test_append_copies),
        cmocka_unit_test(test_apart),
        cmocka_unit_test(test_choice),
        cmocka_unit_test(test_stops_where_nothing_is_left),
        cmocka_unit_test(test_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
