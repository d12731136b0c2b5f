/* test_wcp.c - the conformal set by breakpoints against a grid over y' that computes everything
 * anew, and its coverage. */
#include "check.h"

#include "rng.h"
#include "wcp.h"

enum { COLUMNS = 2, MOST = 16 };

static const uint64_t seed = 20240613;

/* ---- a model and the data behind it ---- */

typedef struct data {
    size_t n;
    double x[MOST + 1][COLUMNS], y[MOST + 1], noise[MOST + 1]; /* entry n is the new point */
    double length, signal, mean;
} data;

static double covariance(const data *d, size_t i, size_t j) { /* Matern 5/2 */
    double r2 = 0;
    for (size_t c = 0; c < COLUMNS; c++) r2 += pow((d->x[i][c] - d->x[j][c]) / d->length, 2);
    double r = sqrt(5 * r2);
    return d->signal * (1 + r + r * r / 3) * exp(-r);
}

static gp *fit(data *d, double noise_var, int estimate_mean) {
    static const size_t group[COLUMNS] = {0, 0};
    gp_spec spec = {LOCBO_KERNEL_MATERN52, COLUMNS, 1, group, estimate_mean, 0};
    double theta[3] = {log(d->length), log(d->signal), log(noise_var)}, scale[MOST], extra[MOST];
    gp *g = NULL;
    for (size_t i = 0; i < d->n; i++) {
        scale[i] = 1;
        extra[i] = fmax(d->noise[i] - noise_var, 0);
    }
    gp_data rows = {d->n, d->x[0], d->y, scale, extra, NULL};
    check_ok(gp_create(&g, &spec, &error));
    check_ok(gp_factor(g, theta, &rows, &error));
    for (size_t i = 0; i < d->n; i++) d->noise[i] = gp_row_noise(g, i);
    d->mean = gp_mean(g);
    return g;
}

/* ---- the slow way ---- */

static void invert(size_t n, double a[MOST + 1][MOST + 1], double inverse[MOST + 1][MOST + 1]) {
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) inverse[i][j] = i == j;
    for (size_t k = 0; k < n; k++) {
        double pivot = a[k][k]; /* positive definite: no exchange is needed */
        for (size_t j = 0; j < n; j++) a[k][j] /= pivot, inverse[k][j] /= pivot;
        for (size_t i = 0; i < n; i++) {
            double factor = a[i][k];
            if (i == k) continue;
            for (size_t j = 0; j < n; j++) {
                a[i][j] -= factor * a[k][j];
                inverse[i][j] -= factor * inverse[k][j];
            }
        }
    }
}

/* Scores of all n + 1 pairs, from the posterior of the model that has seen all of them. */
static void scores(const data *d, double *score) {
    size_t n = d->n + 1;
    double K[MOST + 1][MOST + 1], A[MOST + 1][MOST + 1], inverse[MOST + 1][MOST + 1];
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) {
            K[i][j] = covariance(d, i, j);
            A[i][j] = K[i][j] + (i == j ? d->noise[i] : 0);
        }
    invert(n, A, inverse);
    for (size_t i = 0; i < n; i++) {
        double m = d->mean, v = K[i][i];
        for (size_t j = 0; j < n; j++)
            for (size_t k = 0; k < n; k++) {
                m += K[i][j] * inverse[j][k] * (d->y[k] - d->mean);
                v -= K[i][j] * inverse[j][k] * K[k][i];
            }
        double total = v + d->noise[i];
        score[i] = -pow(d->y[i] - m, 2) / (2 * total) - log(total) / 2;
    }
}

/* 1: in, 0: out, -1: too close to a breakpoint to tell. */
static int slow_member(const data *d, const double *weight, double alpha) {
    double score[MOST + 1], sum = 0, all = 0;
    scores(d, score);
    for (size_t i = 0; i <= d->n; i++) {
        all += weight[i];
        if (i < d->n && fabs(score[i] - score[d->n]) < 1e-8 * (1 + fabs(score[i]))) return -1;
        if (score[i] <= score[d->n]) sum += weight[i];
    }
    if (fabs(sum - alpha * all) < 1e-12 * all) return -1;
    return sum > alpha * all;
}

static int member(const wcp_set *set, double z) {
    for (size_t k = 0; k < set->count; k++)
        if (set->intervals[k].low <= z && z <= set->intervals[k].high) return 1;
    return 0;
}

/* Returns how many intervals the set had. */
static size_t compare_case(rng *r, int kind) {
    static const double noises[] = {1e-4, 0.01, 0.1, 1};
    data d = {.n = 3 + (size_t)rng_below(r, MOST - 2)};
    double noise = noises[rng_below(r, 4)], weight[MOST + 1];
    d.length = exp(-1.5 + 1.5 * rng_uniform(r));
    d.signal = exp(rng_normal(r) / 2);
    for (size_t i = 0; i <= d.n; i++) {
        for (size_t c = 0; c < COLUMNS; c++) d.x[i][c] = rng_uniform(r);
        d.y[i] = sin(6 * d.x[i][0]) + d.x[i][1] + 0.5 * rng_normal(r) / (0.1 + rng_uniform(r));
        d.noise[i] = kind == 2 && i < d.n ? noise * (1 + rng_uniform(r)) : noise;
        weight[i] = kind == 0 ? 1 : exp(2 * rng_normal(r));
    }
    gp *g = fit(&d, noise, kind == 1);
    gp_work work = {0};
    wcp *w = NULL;
    double mu, v, alpha = 0.05 + 0.7 * rng_uniform(r);
    check_ok(gp_predict(g, 1, d.x[d.n], &mu, &v, &work, &error));
    check_ok(wcp_create(&w, &error));
    check_ok(wcp_bind(w, g, &error));
    if (kind > 0) wcp_weigh(w, weight);
    wcp_point point = {v, noise, work.w, weight[d.n]};
    wcp_set set;
    wcp_set_at(w, &point, alpha, &set);
    size_t unclear = 0, count = set.count;
    for (int k = -150; k <= 150; k++) {
        double z = k * fabs((double)k) / 150.0 / 5; /* dense near 0, out to 30 */
        d.y[d.n] = mu + z * sqrt(v + noise);
        int slow = slow_member(&d, weight, alpha);
        if (slow < 0)
            unclear++;
        else
            check_that(slow == member(&set, z), "z = %g: grid says %d (n = %zu, kind %d)", z, slow, d.n, kind);
    }
    check_that(unclear < 20, "%zu of 301 points were unclear", unclear);
    wcp_destroy(w);
    gp_work_release(&work);
    gp_destroy(g);
    return count;
}

static void sweep_equals_the_grid(void **state) {
    (void)state;
    rng r = rng_open(seed, 1, RNG_DESIGN);
    int several = 0, empty = 0;
    for (int i = 0; i < 240; i++) {
        size_t count = compare_case(&r, i % 3); /* 0: weights 1, 1: weights and mean, 2: and row noise */
        several += count > 1;
        empty += count == 0;
    }
    print_message("of 240 sets %d were several intervals, %d empty\n", several, empty);
}

/* Exchangeable pairs and a wrong model: the set covers with 1 - alpha .. 1 - alpha + 1/(n+1). */
static void coverage_holds_on_exchangeable_data(void **state) {
    (void)state;
    enum { N = 12, CASES = 6000 };
    const double alpha = 0.25, noise = 0.05;
    rng r = rng_open(seed, 2, RNG_DESIGN);
    wcp *w = NULL;
    gp_work work = {0};
    int covered = 0;
    check_ok(wcp_create(&w, &error));
    for (int k = 0; k < CASES; k++) {
        data d = {.n = N, .length = 0.3, .signal = 1};
        for (size_t i = 0; i <= N; i++) {
            for (size_t c = 0; c < COLUMNS; c++) d.x[i][c] = rng_uniform(&r);
            double e = rng_normal(&r), far = rng_uniform(&r) < 0.1 ? 5 : 1;
            d.y[i] = 3 * sin(9 * d.x[i][0]) + 0.4 * far * e;
            d.noise[i] = noise;
        }
        gp *g = fit(&d, noise, 0);
        double mu, v;
        check_ok(gp_predict(g, 1, d.x[N], &mu, &v, &work, &error));
        check_ok(wcp_bind(w, g, &error));
        wcp_point point = {v, noise, work.w, 1};
        wcp_set set;
        wcp_set_at(w, &point, alpha, &set);
        covered += member(&set, (d.y[N] - mu) / sqrt(v + noise));
        gp_destroy(g);
    }
    double share = (double)covered / CASES, sd = sqrt(alpha * (1 - alpha) / CASES);
    print_message("coverage %.4f, target %.4f, standard error %.4f\n", share, 1 - alpha, sd);
    /* four standard errors: a false alarm once in 30 000 seeds */
    assert_true(share >= 1 - alpha - 4 * sd);
    assert_true(share <= 1 - alpha + 1.0 / (N + 1) + 4 * sd);
    wcp_destroy(w);
    gp_work_release(&work);
}

static void few_rows_or_a_heavy_point_leave_nothing_out(void **state) {
    (void)state;
    data d = {.n = 5, .length = 0.3, .signal = 1};
    for (size_t i = 0; i <= d.n; i++) {
        d.x[i][0] = d.x[i][1] = 0.15 * (double)i;
        d.y[i] = (double)(i % 3);
        d.noise[i] = 0.1;
    }
    gp *g = fit(&d, 0.1, 0);
    gp_work work = {0};
    wcp *w = NULL;
    wcp_set set;
    double mu, v, weights[5] = {1, 2, 3, 2, 1};
    check_ok(gp_predict(g, 1, d.x[5], &mu, &v, &work, &error));
    check_ok(wcp_create(&w, &error));
    assert_null(wcp_model(w));
    check_ok(wcp_bind(w, g, &error));
    assert_ptr_equal(wcp_model(w), g);
    wcp_point point = {v, 0.1, work.w, 1};
    wcp_set_at(w, &point, 0.1, &set); /* 1/6 > 0.1 */
    assert_true(set.everything && set.count == 1 && set.intervals[0].low == -INFINITY);
    wcp_set_at(w, &point, 0.2, &set);
    assert_false(set.everything);
    point.weight = 5;
    wcp_set_at(w, &point, 0.5, &set); /* exactly alpha is not above it */
    assert_false(set.everything);
    point.weight = 1;
    wcp_weigh(w, weights);
    wcp_set_at(w, &point, 0.11, &set); /* 1/10 */
    assert_false(set.everything);
    point.weight = 2; /* 2/11 */
    wcp_set_at(w, &point, 0.11, &set);
    assert_true(set.everything);
    point.s2 = 0;
    point.weight = 1;
    wcp_set_at(w, &point, 0.5, &set);
    assert_true(set.everything);
    wcp_release(w);
    assert_null(wcp_model(w));
    wcp_destroy(w);
    wcp_destroy(NULL);
    gp_work_release(&work);
    gp_destroy(g);
}

int main(void) {
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sweep_equals_the_grid),
        cmocka_unit_test(coverage_holds_on_exchangeable_data),
        cmocka_unit_test(few_rows_or_a_heavy_point_leave_nothing_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
