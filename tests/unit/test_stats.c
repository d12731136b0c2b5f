/* test_stats.c - quantiles, bootstrap, signed ranks and Holm against slow references and published
 * values. */
#include "stats.h"

#include "check.h"
#include "draw.h"

static void moments_and_quantiles(void **state) {
    (void)state;
    double x[] = {4, NAN, -1, INFINITY, 2, -INFINITY, NAN, 0.5};
    stats_sort(8, x);
    const double ascending[] = {-INFINITY, -1, 0.5, 2, 4, INFINITY};
    for (int i = 0; i < 6; i++) check_same(x[i], ascending[i]);
    assert_true(isnan(x[6]) && isnan(x[7]));
    const double y[] = {1, 2, 4, 8};
    check_same(stats_mean(4, y), 3.75);
    check_close(stats_sd(4, y), sqrt(28.75 / 3), 1e-15, 0); /* rounding */
    assert_true(isnan(stats_mean(0, y)) && isnan(stats_sd(1, y)) && isnan(stats_sd(0, y)));
    /* R: quantile(c(1, 2, 4, 8), c(0, .1, .5, .9, 1)) */
    const double at[] = {0, 0.1, 0.5, 0.9, 1}, value[] = {1, 1.3, 3, 6.8, 8};
    for (int i = 0; i < 5; i++) check_close(stats_quantile_sorted(4, y, at[i]), value[i], 1e-14, 0);
    check_same(stats_quantile_sorted(6, x, 0.01), -INFINITY);
    check_same(stats_quantile_sorted(6, x, 0.99), INFINITY);
    check_same(stats_quantile_sorted(6, x, 0.5), 1.25);
    assert_true(isnan(stats_quantile_sorted(0, y, 0.5)) && isnan(stats_quantile_sorted(4, y, 1.1)) &&
                isnan(stats_quantile_sorted(4, y, NAN)));
}

/* ---- signed ranks ---------------------------------------------------------------------------- */

/* All 2^n signs of the ranks: how many give a sum at least as far from the middle. */
static double by_all_signs(size_t n, const double *d, double *sum) {
    double rank[16], middle = 0, w = 0, far = 0;
    for (size_t i = 0; i < n; i++) {
        rank[i] = 0.5;
        for (size_t k = 0; k < n; k++) rank[i] += (fabs(d[k]) < fabs(d[i])) + 0.5 * (fabs(d[k]) == fabs(d[i]));
        middle += 0.5 * rank[i];
        if (d[i] > 0) w += rank[i];
    }
    for (unsigned signs = 0; signs < 1u << n; signs++) {
        double sum_here = 0;
        for (size_t i = 0; i < n; i++) sum_here += signs >> i & 1 ? rank[i] : 0;
        far += fabs(sum_here - middle) >= fabs(w - middle);
    }
    *sum = w;
    return far / (double)(1u << n);
}

static void exact_signed_ranks(void **state) {
    (void)state;
    draw d = draw_open(3, 1);
    for (size_t n = 1; n <= 12; n++)
        for (int repetition = 0; repetition < 10; repetition++) {
            double x[12], p, sum, sum_slow;
            for (size_t i = 0; i < n; i++) x[i] = draw_normal(&d) + 0.3 * repetition - 1;
            check_ok(stats_wilcoxon(n, x, &p, &sum, &error));
            double slow = by_all_signs(n, x, &sum_slow);
            check_same(p, slow); /* both count whole numbers and divide by 2^n */
            check_same(sum, sum_slow);
        }
}

/* R's example (Hollander and Wolfe's depression scores) and scipy's (Darwin's maize). */
static void published_values(void **state) {
    (void)state;
    const double before[] = {1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30};
    const double after[] = {0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
    const double maize[] = {6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75};
    double difference[9], p, sum;
    for (int i = 0; i < 9; i++) difference[i] = before[i] - after[i];
    check_ok(stats_wilcoxon(9, difference, &p, &sum, &error));
    check_same(p, 0.0390625);
    check_same(sum, 40);
    check_ok(stats_wilcoxon(15, maize, &p, &sum, &error));
    check_same(p, 0.041259765625);
    check_same(sum, 96);
}

/* Ties: the formula by hand, and near the distribution over all signs. Zeros do not count. */
static void ties_and_zeros(void **state) {
    (void)state;
    const double x[] = {0, 1, 1, -1, 2, 2, 3, 0, -4, 5, 5, 5}, without[] = {1, 1, -1, 2, 2, 3, -4, 5, 5, 5};
    double p, sum, sum_slow;
    check_ok(stats_wilcoxon(12, x, &p, &sum, &error));
    /* n = 10; ties of 3, 2, 3: variance 10 11 21/24 - 54/48; |46 - 27.5| - 1/2 = 18 */
    check_close(p, erfc(18 / sqrt(2 * (10 * 11 * 21 / 24.0 - 54 / 48.0))), 1e-13, 0);
    check_close(p, 0.06495797077612138, 1e-13, 0); /* rounding */
    check_same(sum, 46);
    check_close(p, by_all_signs(10, without, &sum_slow), 0.05, 0); /* an approximation, n = 10 */
    check_same(sum, sum_slow);
}

/* From 26 on the normal approximation, although nothing is tied. */
static void many_differences(void **state) {
    (void)state;
    double x[26], p, sum;
    for (int i = 0; i < 26; i++) x[i] = (i + 1) * (i % 3 == 0 ? -1 : 1) + 0.25;
    check_ok(stats_wilcoxon(26, x, &p, &sum, &error));
    check_close(p, 0.1407287427705665, 1e-13, 0); /* exact: 0.1427 */
    check_same(sum, 234);
    check_ok(stats_wilcoxon(25, x, &p, &sum, &error));
    check_close(p, 0.23036134243011475, 1e-15, 0); /* approximately: 0.2260 */
    for (int i = 0; i < 26; i++) x[i] = i + 1;
    check_ok(stats_wilcoxon(25, x, &p, NULL, &error));
    check_same(p, ldexp(1, -24)); /* the least that 25 can give */
}

static void signed_ranks_at_the_edges(void **state) {
    (void)state;
    const double zeros[] = {0, -0.0, 0}, pair[] = {1, -1}, one[] = {-3}, endless[] = {INFINITY, -2, 1, 3};
    double bad[] = {1, NAN}, p = 7, sum = 7, q;
    check_fails(stats_wilcoxon(2, bad, &p, &sum, &error), LOCBO_ERR_ARGUMENT, "difference 1 of 2");
    assert_true(p == 7 && sum == 7);
    check_ok(stats_wilcoxon(3, zeros, &p, &sum, &error));
    assert_true(p == 1 && sum == 0);
    check_ok(stats_wilcoxon(0, NULL, &p, &sum, &error));
    assert_true(p == 1 && sum == 0);
    check_ok(stats_wilcoxon(2, pair, &p, &sum, &error));
    assert_true(p == 1 && sum == 1.5);
    check_ok(stats_wilcoxon(1, one, &p, &sum, &error));
    assert_true(p == 1 && sum == 0);
    check_ok(stats_wilcoxon(4, endless, &p, &sum, &error));
    assert_true(p == 0.375 && sum == 8); /* {}, {1}, {2} of 16, twice */
    double mirrored[4];
    for (int i = 0; i < 4; i++) mirrored[i] = -endless[i];
    check_ok(stats_wilcoxon(4, mirrored, &q, &sum, &error));
    assert_true(p == q && sum == 2);
}

/* Under the null hypothesis p <= 0.05 about one time in twenty, with and without ties. */
static void level_of_the_test(void **state) {
    (void)state;
    draw d = draw_open(5, 1);
    for (int rounded = 0; rounded < 2; rounded++) {
        int rejected = 0;
        for (int repetition = 0; repetition < 2000; repetition++) {
            double x[30], p;
            for (int i = 0; i < 30; i++) {
                x[i] = draw_normal(&d);
                if (rounded) x[i] = round(4 * x[i]);
            }
            check_ok(stats_wilcoxon(30, x, &p, NULL, &error));
            rejected += p <= 0.05;
        }
        /* 100 expected, standard deviation 10 */
        check_that(rejected >= 65 && rejected <= 135, "%d of 2000 rejected", rejected);
    }
}

/* ---- Holm ------------------------------------------------------------------------------------ */

static void holm(void **state) {
    (void)state;
    /* R: p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm") */
    double p[] = {0.01, NAN, 0.04, 0.03, 0.005}, large[] = {0.9, 0.5, 0.5}, bad[] = {0.01, 1.5};
    check_ok(stats_holm(5, p, sizeof *p, &error));
    const double expected[] = {0.03, NAN, 0.06, 0.06, 0.02};
    for (int i = 0; i < 5; i++)
        if (i != 1) check_close(p[i], expected[i], 1e-15, 0);
    assert_true(isnan(p[1]));
    check_ok(stats_holm(3, large, sizeof *large, &error));
    for (int i = 0; i < 3; i++) check_same(large[i], 1);
    check_fails(stats_holm(2, bad, sizeof *bad, &error), LOCBO_ERR_ARGUMENT, "p-value 1 must lie in [0,1], got 1.5");
    check_same(bad[0], 0.01);
    check_ok(stats_holm(0, NULL, sizeof(double), &error));
}

/* ---- the bootstrap --------------------------------------------------------------------------- */

static stats_interval boot(stats_measure measure, size_t n, const double *x, double level, size_t draws,
                           uint64_t seed) {
    stats_interval interval = {0, 0, 0};
    check_ok(stats_bootstrap(measure, n, x, level, draws, seed, &interval, &error));
    return interval;
}

/* Of three values the median of a resample is the least with 7/27, the middle one with 13/27; of
 * two, their mean with 1/2. So the quantiles jump where we know. 20000 draws: the frequencies are
 * right to 0.003 (one standard deviation), and we look 0.02 away. */
static void known_distributions(void **state) {
    (void)state;
    const double three[] = {10, 1, 5}, two[] = {3, 1};
    stats_interval i = boot(STATS_MEDIAN, 3, three, 1 - 2 * 0.24, 20000, 1);
    assert_true(i.low == 1 && i.value == 5 && i.high == 10);
    i = boot(STATS_MEDIAN, 3, three, 1 - 2 * 0.28, 20000, 1);
    assert_true(i.low == 5 && i.value == 5 && i.high == 5);
    for (int measure = STATS_MEAN; measure <= STATS_MEDIAN; measure++) {
        i = boot((stats_measure)measure, 2, two, 1 - 2 * 0.23, 20000, 1);
        assert_true(i.low == 1 && i.value == 2 && i.high == 3);
        i = boot((stats_measure)measure, 2, two, 1 - 2 * 0.27, 20000, 1);
        assert_true(i.low == 2 && i.value == 2 && i.high == 2);
    }
}

static void repeatable(void **state) {
    (void)state;
    double x[101], shuffled[101];
    draw d = draw_open(9, 1);
    for (int i = 0; i < 101; i++) shuffled[100 - i] = x[i] = draw_normal(&d);
    for (int measure = STATS_MEAN; measure <= STATS_MEDIAN; measure++) {
        stats_interval a = boot((stats_measure)measure, 101, x, 0.9, 500, 4);
        stats_interval b = boot((stats_measure)measure, 101, x, 0.9, 500, 4);
        stats_interval c = boot((stats_measure)measure, 101, x, 0.9, 500, 5);
        stats_interval e = boot((stats_measure)measure, 101, shuffled, 0.9, 500, 4);
        assert_memory_equal(&a, &b, sizeof a);
        assert_memory_equal(&a, &e, sizeof a);
        if (measure == STATS_MEAN) assert_true(a.low != c.low && a.high != c.high);
        assert_true(a.low < a.value && a.value < a.high);
    }
}

/* The interval of the mean is near that of the t distribution: 0.05 of its width at 4000 draws. */
static void near_the_theory(void **state) {
    (void)state;
    double x[400];
    draw d = draw_open(2, 1);
    for (int i = 0; i < 400; i++) x[i] = draw_exponential(&d);
    stats_interval i = boot(STATS_MEAN, 400, x, 0.95, 4000, 1);
    double half = 1.966 * stats_sd(400, x) / 20, mean = stats_mean(400, x);
    check_close(i.value, mean, 1e-13, 0); /* summed in another order */
    check_close(i.low, mean - half, 0, 0.1 * half);
    check_close(i.high, mean + half, 0, 0.1 * half);
}

static void coverage(void **state) {
    (void)state;
    draw d = draw_open(7, 1);
    int covered[2] = {0, 0};
    for (uint64_t repetition = 0; repetition < 400; repetition++) {
        double x[40];
        for (int i = 0; i < 40; i++) x[i] = draw_normal(&d);
        for (int measure = STATS_MEAN; measure <= STATS_MEDIAN; measure++) {
            stats_interval i = boot((stats_measure)measure, 40, x, 0.95, 600, repetition);
            covered[measure] += i.low <= 0 && 0 <= i.high;
        }
    }
    for (int measure = STATS_MEAN; measure <= STATS_MEDIAN; measure++)
        check_that(covered[measure] >= 360 && covered[measure] <= 392, "measure %d: %d of 400", measure,
                   covered[measure]);
}

static void small_and_bad_samples(void **state) {
    (void)state;
    const double one[] = {3}, bad[] = {1, NAN, 2}, endless[] = {1, INFINITY, INFINITY};
    stats_interval i = boot(STATS_MEDIAN, 1, one, 0.95, 10, 0);
    assert_true(i.low == -INFINITY && i.value == 3 && i.high == INFINITY);
    i = boot(STATS_MEAN, 0, NULL, 0.95, 10, 0);
    assert_true(isnan(i.low) && isnan(i.value) && isnan(i.high));
    i = boot(STATS_MEDIAN, 3, endless, 0.95, 1000, 0);
    assert_true(i.low == 1 && i.value == INFINITY && i.high == INFINITY);
    stats_interval kept = {1, 2, 3};
    check_fails(stats_bootstrap(STATS_MEDIAN, 3, bad, 0.95, 10, 0, &kept, &error), LOCBO_ERR_ARGUMENT,
                "value 1 of 3 is nan");
    check_fails(stats_bootstrap(STATS_MEAN, 3, endless, 0.95, 10, 0, &kept, &error), LOCBO_ERR_ARGUMENT,
                "value 1 of 3 is inf");
    check_fails(stats_bootstrap(STATS_MEAN, 1, one, 1, 10, 0, &kept, &error), LOCBO_ERR_ARGUMENT,
                "level must lie in (0,1), got 1");
    check_fails(stats_bootstrap(STATS_MEAN, 1, one, 0.9, 0, 0, &kept, &error), LOCBO_ERR_ARGUMENT, "draws");
    check_fails(stats_bootstrap((stats_measure)5, 1, one, 0.9, 9, 0, &kept, &error), LOCBO_ERR_ARGUMENT, "measure, 5");
    assert_true(kept.low == 1 && kept.value == 2 && kept.high == 3);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moments_and_quantiles), cmocka_unit_test(exact_signed_ranks),
        cmocka_unit_test(published_values),      cmocka_unit_test(ties_and_zeros),
        cmocka_unit_test(many_differences),      cmocka_unit_test(signed_ranks_at_the_edges),
        cmocka_unit_test(level_of_the_test),     cmocka_unit_test(holm),
        cmocka_unit_test(known_distributions),   cmocka_unit_test(repeatable),
        cmocka_unit_test(near_the_theory),       cmocka_unit_test(coverage),
        cmocka_unit_test(small_and_bad_samples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
