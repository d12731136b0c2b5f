/* Whether results lay in their sets: by hand, and as the core itself counts them while a study runs. */
#include "judge.h"

#include "mem.h"
#include "fixture.h"

/* ---- by hand ----------------------------------------------------------------------------------- */

/* mean 10, sd_f 3, sd_y 5 (noise 4), the set [5, 16]. */
static trial_row row_with(double value, double sd, unsigned n) {
    return (trial_row){.state = LOCBO_COMPLETE,
                       .trial = {.id = 1,
                                 .origin = LOCBO_ORIGIN_MODEL,
                                 .belief = {.mean = 10, .sd_f = 3, .sd_y = 5, .y_low = 5, .y_high = 16}},
                       .count = 1,
                       .first = {value, sd, n},
                       .event = 1};
}

/* Of the only output of a row. */
static judge_verdict judge_row(trial_row *r) { return judge_output(&(trial_table){.count = 1, .rows = r}, 0, 0); }

static double score_row(trial_row *r) { return judge_score(&(trial_table){.count = 1, .rows = r}, 0, 0); }

static void a_set_has_two_ends(void **state) {
    (void)state;
    static const struct {
        double value;
        judge_verdict verdict;
    } cases[] = {{4.999, JUDGE_MISS}, {5.001, JUDGE_INSIDE}, {15.999, JUDGE_INSIDE}, {16.001, JUDGE_MISS}};
    for (size_t i = 0; i < 4; i++) {
        trial_row r = row_with(cases[i].value, (double)NAN, 1);
        assert_int_equal(judge_row(&r), cases[i].verdict);
        check_close(score_row(&r), (cases[i].value - 10) / 5, 1e-15, 0); /* a few roundings */
        r.first.n = 0;                                                   /* counts as 1 */
        assert_int_equal(judge_row(&r), cases[i].verdict);
    }
}

/* n = 16: spread sqrt(9 + 16/16) = sqrt(10); with sd 4 on top sqrt(26). The set is [-1, 1.2] spreads. */
static void a_result_is_judged_by_its_own_spread(void **state) {
    (void)state;
    trial_row r = row_with(10 + 1.19 * sqrt(10), (double)NAN, 16);
    assert_int_equal(judge_row(&r), JUDGE_INSIDE);
    check_close(score_row(&r), 1.19, 1e-14, 0); /* a few roundings */
    r = row_with(10 + 1.21 * sqrt(10), (double)NAN, 16);
    assert_int_equal(judge_row(&r), JUDGE_MISS);
    r = row_with(10 - 0.99 * sqrt(26), 4, 16);
    assert_int_equal(judge_row(&r), JUDGE_INSIDE);
    r = row_with(10 - 1.01 * sqrt(26), 4, 16);
    assert_int_equal(judge_row(&r), JUDGE_MISS);
    check_close(score_row(&r), -1.01, 1e-14, 0);
}

static void sets_may_be_infinite_or_empty(void **state) {
    (void)state;
    trial_row r = row_with(1e300, (double)NAN, 1);
    r.trial.belief.y_low = -INFINITY;
    r.trial.belief.y_high = INFINITY;
    assert_int_equal(judge_row(&r), JUDGE_INSIDE);
    r.trial.belief.y_low = INFINITY;
    r.trial.belief.y_high = -INFINITY;
    assert_int_equal(judge_row(&r), JUDGE_MISS);
    r = row_with(10, (double)NAN, 1);
    r.trial.belief.y_low = 11;
    r.trial.belief.y_high = 9;
    assert_int_equal(judge_row(&r), JUDGE_MISS);
}

static void some_are_not_judged(void **state) {
    (void)state;
    trial_row good = row_with(10, (double)NAN, 1), r;
    r = good;
    r.first.value = (double)NAN;
    assert_int_equal(judge_row(&r), JUDGE_NONE);
    r = good;
    r.trial.origin = LOCBO_ORIGIN_DESIGN;
    assert_int_equal(judge_row(&r), JUDGE_NONE);
    assert_true(isnan(score_row(&r)));
    r = good;
    r.trial.belief.y_low = (double)NAN;
    assert_int_equal(judge_row(&r), JUDGE_NONE);
    r = good;
    r.trial.belief.sd_y = 0;
    assert_int_equal(judge_row(&r), JUDGE_NONE);
    assert_int_equal(judge_row(&good), JUDGE_INSIDE);
    json_t *miss = judge_json(JUDGE_NONE);
    assert_true(json_is_null(miss));
    json_decref(miss);
}

static void they_come_in_the_order_told(void **state) {
    (void)state;
    trial_row rows[5];
    for (size_t i = 0; i < 5; i++) rows[i] = row_with(10, (double)NAN, 1);
    const uint64_t event[] = {7, 3, 9, 1, 4};
    for (size_t i = 0; i < 5; i++) rows[i].event = event[i];
    rows[4].trial.origin = LOCBO_ORIGIN_GIVEN;
    trial_table b = {.count = 5, .rows = rows};
    size_t *order, count;
    check_ok(judge_order(&b, 0, 0, &order, &count, &error));
    assert_int_equal(count, 4);
    const size_t expected[] = {3, 1, 0, 2};
    assert_memory_equal(order, expected, sizeof expected);
    mem_free(order);
}

/* ---- the band ---------------------------------------------------------------------------------- */

/* The smallest k with P(K <= k) >= level, all probabilities added up from 0. */
static size_t slow_quantile(size_t n, long double p, long double level) {
    long double probability = powl(1 - p, (long double)n), sum = probability;
    size_t k = 0;
    for (; k < n && sum < level; k++) {
        probability *= (long double)(n - k) * p / ((long double)(k + 1) * (1 - p));
        sum += probability;
    }
    return k;
}

static void the_band_is_that_of_the_binomial(void **state) {
    (void)state;
    const double levels[] = {0.5, 0.9, 0.95, 0.99};
    for (size_t n = 1; n < 400; n += n < 30 ? 1 : 37)
        for (int i = 1; i < 20; i++)
            for (size_t l = 0; l < 4; l++) {
                double p = 0.05 * i + 0.003, low, high; /* no cumulated probability is a level */
                judge_band(n, p, levels[l], &low, &high);
                check_same(low, (double)slow_quantile(n, p, (1 - levels[l]) / 2) / (double)n);
                check_same(high, (double)slow_quantile(n, p, (1 + levels[l]) / 2) / (double)n);
            }
}

static void the_band_has_its_limits(void **state) {
    (void)state;
    double low, high;
    judge_band(0, 0.8, 0.95, &low, &high);
    check_same(low, 0);
    check_same(high, 1);
    judge_band(10, 1, 0.95, &low, &high);
    check_same(low, 1);
    check_same(high, 1);
    judge_band(10, 0, 0.95, &low, &high);
    check_same(low, 0);
    check_same(high, 0);
    /* de Moivre: for a million draws the normal law is right to its own step */
    judge_band(1000000, 0.8, 0.95, &low, &high);
    check_close(low, 0.8 - 1.959964 * 4e-4, 0, 2e-6);
    check_close(high, 0.8 + 1.959964 * 4e-4, 0, 2e-6);
}

/* ---- as the core counts ------------------------------------------------------------------------ */

static void count(cache *c, size_t *judged, size_t *inside) {
    const trial_table *b;
    *judged = *inside = 0;
    check_ok(cache_trials(c, &b, &error));
    for (size_t i = 0; i < b->count; i++) {
        judge_verdict v = judge_output(b, i, 0);
        *judged += v != JUDGE_NONE;
        *inside += v == JUDGE_INSIDE;
    }
}

/* Noise far above what the model expects at first, so that there are misses; repeated and known ones among them. */
static void play_noisily(locbo_study *study, int rounds, draw *r) {
    double x[4];
    for (int i = 0; i < rounds; i++) {
        uint64_t trial = fixture_ask(study, "me", x);
        unsigned n = i % 3 == 1 ? 4 : 1;
        double sd = i % 4 == 2 ? 0.5 : (double)NAN, noise = draw_exponential(r) * draw_normal(r);
        locbo_measurement m[2];
        for (int k = 0; k < 2; k++) m[k] = (locbo_measurement){fixture_objective(x) + noise, sd, n};
        m[1].value += draw_normal(r);
        if (i % 9 == 7) check_ok(locbo_study_tell_failed(study, trial, 0, "for now", &error));
        check_ok(locbo_study_tell(study, trial, 0, i % 5 == 0 ? 2 : 1, m, &error));
    }
}

/* The same by eight workers: results come in any order, while others are under way. */
static void play_together(locbo_study *study, int rounds, draw *r) {
    enum { WORKERS = 8 };
    uint64_t held[WORKERS];
    double x[WORKERS][4];
    for (int i = 0; i < rounds; i++) {
        size_t w = i < WORKERS ? (size_t)i : (size_t)(draw_uniform(r) * WORKERS);
        if (i >= WORKERS) {
            double noise = draw_exponential(r) * draw_normal(r);
            locbo_measurement m = {fixture_objective(x[w]) + noise, i % 4 == 2 ? 0.5 : (double)NAN, i % 3 == 1 ? 4 : 1};
            check_ok(locbo_study_tell(study, held[w], 0, 1, &m, &error));
        }
        held[w] = fixture_ask(study, "me", x[w]);
    }
}

/* Returns whether the share by the sets announced and that by the sets when told differ: never one at a time, or for
 * methods that are judged by the set announced in any case. */
static int check_method(const char *method, const char *direction, int together) {
    draw r = draw_open(5, 1);
    char name[64];
    snprintf(name, sizeof name, "%s %s %d", method, direction, together);
    locbo_study *study =
        fixture_study(name, "method", method, "direction", direction, "refit_every", "4", "cbo_steps", "5", NULL);
    if (together)
        play_together(study, 60, &r);
    else
        play_noisily(study, 36, &r);
    cache *c = fixture_cache(name);
    size_t judged, inside;
    count(c, &judged, &inside);
    locbo_optimizer *o;
    locbo_summary s;
    check_ok(locbo_study_optimizer(study, &o, &error));
    check_ok(locbo_optimizer_summary(o, &s, &error));
    check_that(judged == s.judged && judged >= 20, "%s: %zu judged, the core says %zu", name, judged, (size_t)s.judged);
    check_that(inside == (size_t)lround(s.coverage * (double)s.judged) && inside < judged,
               "%s: %zu of %zu inside, the core says %.6f", name, inside, judged, s.coverage);
    check_same(s.coverage, (double)inside / (double)judged);
    int differ = s.coverage_online < s.coverage || s.coverage_online > s.coverage;
    int may_differ = together && strcmp(method, "bo") != 0 && strcmp(method, "cbo") != 0;
    check_that(may_differ || !differ, "%s: %.6f, online %.6f", name, s.coverage, s.coverage_online);
    cache_close(c);
    locbo_study_close(study);
    return differ;
}

static void the_core_counts_the_same(void **state) {
    (void)state;
    int differ = 0;
    for (int together = 0; together < 2; together++) {
        differ += check_method("locbo", "minimize", together);
        differ += check_method("locbo", "maximize", together);
        differ += check_method("bo", "minimize", together);
        differ += check_method("bo", "maximize", together);
        differ += check_method("ocbo", "minimize", together);
        differ += check_method("ocbo-l", "maximize", together);
        differ += check_method("cbo", "minimize", together);
    }
    assert_true(differ > 0); /* or nothing was tested */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_set_has_two_ends),
        cmocka_unit_test(a_result_is_judged_by_its_own_spread),
        cmocka_unit_test(sets_may_be_infinite_or_empty),
        cmocka_unit_test(some_are_not_judged),
        cmocka_unit_test(they_come_in_the_order_told),
        cmocka_unit_test(the_band_is_that_of_the_binomial),
        cmocka_unit_test(the_band_has_its_limits),
        cmocka_unit_test_setup_teardown(the_core_counts_the_same, own_store_open, own_store_close),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
