/* Which evaluations may be ended early: the share of those that should not have been, on random and adversarial curves;
 * the decisions against a slow reference; bad input. */
#include "hopeless.h"

#include "check.h"
#include "draw.h"
#include "reference/hopeless_reference.h"

enum { LAST = 12, TRIALS = 12000, OUTSTANDING = 8 };

/* ---- curves ------------------------------------------------------------------------------------ */

static void values_of_a_curve(void **state) {
    (void)state;
    const uint64_t steps[] = {2, 4, 10};
    const double values[] = {1, 3, 0};
    const hopeless_curve c = {3, steps, values, 0}, none = {0, NULL, NULL, 1};
    check_same(hopeless_value(&c, 2), 1);
    check_same(hopeless_value(&c, 3), 2);
    check_same(hopeless_value(&c, 7), 1.5);
    check_same(hopeless_value(&c, 10), 0);
    assert_true(isnan(hopeless_value(&c, 1)) && isnan(hopeless_value(&c, 11)) && isnan(hopeless_value(&none, 1)));
    const uint64_t far[] = {0, UINT64_MAX};
    const double large[] = {-1.7e308, 1.7e308};
    check_same(hopeless_value(&(hopeless_curve){2, far, large, 0}, UINT64_C(1) << 63), 0); /* does not overflow */
}

static void thinned(void **state) {
    (void)state;
    size_t kept[HOPELESS_POINTS];
    assert_int_equal(hopeless_thin(0, kept), 0);
    for (size_t count = 1; count < 1000000; count = count * 3 / 2 + 1) {
        size_t n = hopeless_thin(count, kept);
        assert_true(n <= HOPELESS_POINTS && n >= (count < 100 ? count : 100));
        assert_true(kept[0] == 0 && kept[n - 1] == count - 1);
        for (size_t i = 1; i < n; i++) assert_true(kept[i] > kept[i - 1]);
    }
}

/* The least squares line by the normal equations, at v: what is to come, and its standard deviation. */
static void by_hand(size_t n, const double *v, const double *rest, double at, double *mean, double *sd) {
    long double s1 = (long double)n, sx = 0, sy = 0, sxx = 0, sxy = 0, squares = 0;
    for (size_t i = 0; i < n; i++) sx += v[i], sy += rest[i], sxx += v[i] * v[i], sxy += v[i] * rest[i];
    long double slope = (s1 * sxy - sx * sy) / (s1 * sxx - sx * sx), base = (sy - slope * sx) / s1;
    for (size_t i = 0; i < n; i++) squares += (rest[i] - base - slope * v[i]) * (rest[i] - base - slope * v[i]);
    long double off = at - sx / s1, doubt = 1 + 1 / s1 + off * off / (sxx - sx * sx / s1);
    *mean = (double)(at + base + slope * at);
    *sd = (double)sqrtl(squares / (s1 - 2) * doubt);
}

static void what_was_to_come(void **state) {
    (void)state;
    enum { N = 12 };
    const uint64_t steps[] = {1, 2, 3};
    double values[N][3], first[N], rest[N], mean, sd, mean1, sd1;
    hopeless_curve curves[N];
    for (int i = 0; i < N; i++) {
        for (int t = 0; t < 3; t++) values[i][t] = i + t;
        first[i] = i, rest[i] = 2 + 0.1 * i + (i % 3 ? 1 : -1);
        curves[i] = (hopeless_curve){3, steps, values[i], i + rest[i]};
    }
    curves[N - 1].count = 2; /* shorter: at step 2 it does not go on */
    hopeless_set set = {N, curves, hopeless_floor(N, curves)};
    hopeless_rest r = hopeless_look(&set, 1);
    assert_int_equal(r.count, N);
    check_close(r.scale, 2 + 0.1 * 11 + 1, 1e-15, 0); /* the largest */
    for (double at = -3; at < 20; at += 5) {
        by_hand(N, first, rest, at, &mean, &sd);
        hopeless_expect(&r, at, 1e9, &mean1, &sd1);
        check_close(mean1, mean, 1e-13, 1e-13);
        check_close(sd1, sd, 1e-13, 0);
    }
    hopeless_expect(&r, 10, 11, &mean, &sd);
    check_same(mean, 11); /* not better than the incumbent */
    r = hopeless_look(&set, 2);
    assert_int_equal(r.count, N - 1);
    r = hopeless_look(&set, 3);
    assert_true(r.count == 0 && r.scale == 0);
    assert_false(hopeless_by_risk(&r, 0, 1e9, 0)); /* the last step: nothing to save */
    r = hopeless_look(&set, 0);
    assert_int_equal(r.count, 0);
    set.count = HOPELESS_FEW - 1;
    r = hopeless_look(&set, 1);
    assert_false(hopeless_by_risk(&r, 0, 1e9, 0)); /* too few */
    set.count = HOPELESS_FEW;
    r = hopeless_look(&set, 1);
    assert_true(hopeless_by_risk(&r, 0, 1e9, 0));
    set.count = 4;
    r = hopeless_look(&set, 1);
    hopeless_expect(&r, 10, 20, &mean, &sd);
    assert_true(isnan(mean) && isnan(sd));
}

/* Curves that all had the same value: the line is level. */
static void all_alike(void **state) {
    (void)state;
    const uint64_t steps[] = {1, 2};
    double values[2] = {3, 0}, mean, sd;
    hopeless_curve curves[HOPELESS_FEW];
    for (int i = 0; i < HOPELESS_FEW; i++) curves[i] = (hopeless_curve){2, steps, values, i % 2 ? 4 : 6};
    hopeless_set set = {HOPELESS_FEW, curves, hopeless_floor(HOPELESS_FEW, curves)};
    hopeless_rest r = hopeless_look(&set, 1);
    hopeless_expect(&r, 7, 100, &mean, &sd);
    check_close(mean, 9, 1e-14, 0);
    check_close(sd, sqrt(10.0 / 8 * 1.1), 1e-14, 0);
}

/* Values of any size: no sum of squares overflows or vanishes. */
static void of_any_size(void **state) {
    (void)state;
    const uint64_t steps[] = {1, 2};
    const double sizes[] = {1e-300, 1e-160, 1, 1e160, 1e300};
    for (int k = 0; k < 5; k++) {
        double values[2] = {0, sizes[k]};
        hopeless_curve curves[HOPELESS_FEW];
        for (int i = 0; i < HOPELESS_FEW; i++) curves[i] = (hopeless_curve){2, steps, values, sizes[k]};
        hopeless_set set = {HOPELESS_FEW, curves, hopeless_floor(HOPELESS_FEW, curves)};
        hopeless_rest r = hopeless_look(&set, 1);
        check_close(r.scale, sizes[k], 1e-14, 0);
        assert_true(hopeless_by_risk(&r, 2, sizes[k], -1.5 * sizes[k]));
        assert_false(hopeless_by_risk(&r, 2, sizes[k], -0.5 * sizes[k]));
    }
    /* numbers that are none end nothing */
    double values[2] = {-1.7e308, 1.7e308};
    hopeless_curve curves[HOPELESS_FEW];
    for (int i = 0; i < HOPELESS_FEW; i++) curves[i] = (hopeless_curve){2, steps, values, 1.7e308};
    hopeless_set set = {HOPELESS_FEW, curves, hopeless_floor(HOPELESS_FEW, curves)};
    hopeless_rest r = hopeless_look(&set, 1);
    assert_false(hopeless_by_risk(&r, 2, 1.7e308, -1.7e308));
    assert_false(hopeless_by_risk(&r, 0, (double)NAN, 0));
    assert_false(hopeless_by_risk(&r, 2, 1, (double)NAN));
}

/* ---- the other rules --------------------------------------------------------------------------- */

static void median(void **state) {
    (void)state;
    const uint64_t steps[] = {1, 3};
    double values[6][2];
    hopeless_curve curves[6];
    for (int i = 0; i < 6; i++) {
        values[i][0] = i;
        values[i][1] = i;
        curves[i] = (hopeless_curve){2, steps, values[i], i};
    }
    hopeless_set set = {5, curves, 0}; /* 0 1 2 3 4 */
    assert_true(hopeless_by_median(&set, 2, 1.9));
    assert_false(hopeless_by_median(&set, 2, 2));
    assert_false(hopeless_by_median(&set, 3, -9)); /* the last step */
    assert_false(hopeless_by_median(&set, 0, -9));
    set.count = 6; /* 0 1 2 3 4 5: between the middle ones it goes on */
    assert_true(hopeless_by_median(&set, 1, 1.9));
    assert_false(hopeless_by_median(&set, 1, 2.5));
    set.count = 4;
    assert_false(hopeless_by_median(&set, 1, -9));
}

static void halving(void **state) {
    (void)state;
    const double others[] = {1, 2, 3, 4, 5, 6, 7, 8};
    assert_false(hopeless_by_halving(0, others, 0));
    assert_false(hopeless_by_halving(1, others, 0)); /* of two none */
    assert_true(hopeless_by_halving(2, others, 0));
    assert_false(hopeless_by_halving(2, others, 3)); /* of three the best */
    assert_true(hopeless_by_halving(2, others, 1.5));
    assert_false(hopeless_by_halving(8, others, 6.5)); /* of nine three */
    assert_true(hopeless_by_halving(8, others, 5.5));
    assert_int_equal(hopeless_rung(1, 0, 1), 1);
    assert_int_equal(hopeless_rung(1, 1, 2), 0);
    assert_int_equal(hopeless_rung(1, 2, 3), 3);
    assert_int_equal(hopeless_rung(1, 3, 30), 27); /* one report may pass several */
    assert_int_equal(hopeless_rung(0, 0, 1), 1);
    assert_int_equal(hopeless_rung(10, 0, 9), 0);
    assert_int_equal(hopeless_rung(10, 29, 35), 30);
    assert_true(hopeless_rung(1, 0, UINT64_MAX) > UINT64_MAX / 3);
}

/* ---- the coin, and tau ------------------------------------------------------------------------- */

static void the_coin(void **state) {
    (void)state;
    size_t kept = 0;
    for (uint64_t trial = 1; trial <= 100000; trial++) {
        double coin = hopeless_coin(3, trial);
        assert_true(coin > 0 && coin < 1);
        check_same(coin, hopeless_coin(3, trial));
        kept += hopeless_is_kept(coin) != 0;
    }
    assert_true(fabs((double)kept - 10000) < 4.5 * sqrt(9000)); /* binomial, 4.5 standard deviations */
    assert_true(hopeless_coin(3, 1) != hopeless_coin(4, 1));
    assert_true(hopeless_is_kept(0.0999) && !hopeless_is_kept(0.1));
}

static void tau(void **state) {
    (void)state;
    hopeless_risk r = hopeless_begin(0.1);
    assert_true(isnan(hopeless_estimate(&r)) && isnan(hopeless_bound(&r, 0)));
    check_same(r.tau, 1.5);
    hopeless_resolve(&r, 1);
    check_close(r.tau, 2.49, 1e-15, 0);
    for (int i = 0; i < 1000; i++) hopeless_resolve(&r, 0);
    check_same(r.tau, 0); /* never below */
    check_close(hopeless_estimate(&r), 10.0 / 1001, 1e-15, 0);
    check_close(hopeless_bound(&r, 4), 0.1 + (24.9 + 50) / 1001, 1e-13, 0);
}

/* ---- the promise ------------------------------------------------------------------------------- */

/* How the curves of a study are made: by trial, the present tau, scales and incumbent, whom an adversary knows. */
typedef struct scene {
    draw d;
    double incumbent;
    double tau;
    const hopeless_set *set;
    int kind;
} scene;

enum { NORMAL, CROSSING, LATE, JUST_BELOW, WINNERS, HIDING, KINDS };

/* Values in [0, 1], so that some tau protects all. `late` jumps at the end; an adversary stays just below the bound and
 * then wins, as often as it can. */
static double make_curve(scene *s, double v[LAST]) {
    draw *d = &s->d;
    double quality = draw_uniform(d), final = quality * 0.9, rate = 1 + 4 * draw_uniform(d);
    for (int t = 0; t < LAST; t++) v[t] = final * (1 - exp(-rate * (t + 1) / LAST)) + 0.02 * draw_normal(d);
    if (s->kind == CROSSING)
        for (int t = 0; t < LAST; t++) v[t] = final * pow((t + 1.0) / LAST, 0.2 + 4 * draw_uniform(d) * quality);
    if (s->kind == LATE && draw_uniform(d) < 0.3)
        for (int t = 0; t + 1 < LAST; t++) v[t] = 0.1 * draw_uniform(d);
    int wants = s->kind == WINNERS || s->kind == JUST_BELOW || (s->kind == HIDING && s->tau < 1);
    for (int t = 0; wants && t + 1 < LAST; t++) {
        double scale = hopeless_look(s->set, (uint64_t)t + 1).scale;
        v[t] = s->kind == WINNERS ? 0 : fmax(0, s->incumbent - s->tau * scale - 1e-9);
    }
    if (wants && s->incumbent > 0)
        final = fmin(1, s->incumbent + 1e-7); /* it wins by very little, so that it can go on */
    v[LAST - 1] = final;
    return final;
}

/* A study with OUTSTANDING trials at once: each is decided by what is known when it began, and resolved later. */
typedef struct outcome {
    double tau_range, share, estimate, bound;
    size_t wrong, could;
} outcome;

typedef struct open_trial {
    double v[LAST], final, incumbent;
    int could, kept;
} open_trial;

typedef struct memory {
    uint64_t steps[LAST];
    double values[HOPELESS_CURVES][LAST], final[HOPELESS_CURVES];
    hopeless_curve curves[HOPELESS_CURVES];
    size_t count, next;
    hopeless_set set;
} memory;

static void remember(memory *m, const open_trial *t) {
    size_t at = m->next;
    memcpy(m->values[at], t->v, sizeof t->v);
    m->final[at] = t->final;
    m->curves[at] = (hopeless_curve){LAST, m->steps, m->values[at], t->final};
    m->next = (at + 1) % HOPELESS_CURVES;
    if (m->count < HOPELESS_CURVES) m->count++;
    m->set = (hopeless_set){m->count, m->curves, hopeless_floor(m->count, m->curves)};
}

static void begin_trial(scene *s, const memory *m, open_trial *t, uint64_t seed, uint64_t number) {
    *t = (open_trial){.could = 0};
    t->final = make_curve(s, t->v);
    for (int i = 0; i < LAST && !t->could; i++) {
        hopeless_rest r = hopeless_look(&m->set, (uint64_t)i + 1);
        t->could = hopeless_by_risk(&r, s->tau, s->incumbent, t->v[i]);
    }
    t->incumbent = s->incumbent;
    t->kept = hopeless_is_kept(hopeless_coin(seed, number));
}

static outcome run(int kind, double delta, uint64_t seed) {
    static open_trial trials[OUTSTANDING];
    memory *m = test_calloc(1, sizeof *m);
    hopeless_risk risk = hopeless_begin(delta);
    scene s = {.d = draw_open(seed, (uint64_t)kind), .kind = kind, .set = &m->set, .incumbent = 0};
    outcome o = {0};
    for (uint64_t t = 0; t < LAST; t++) m->steps[t] = t + 1;
    for (uint64_t k = 0; k < TRIALS + OUTSTANDING; k++) {
        open_trial *t = &trials[k % OUTSTANDING];
        if (k >= OUTSTANDING) { /* the one that began OUTSTANDING trials ago is resolved */
            int beats = t->final > t->incumbent, ended = t->could && !t->kept;
            o.could += t->could != 0;
            o.wrong += t->could && beats;
            hopeless_resolve(&risk, t->could && t->kept && beats);
            if (!ended) remember(m, t);
            if (!ended && t->final > s.incumbent) s.incumbent = t->final;
        }
        s.tau = risk.tau;
        begin_trial(&s, m, t, seed, k);
    }
    o.tau_range = risk.high - risk.low;
    o.share = (double)o.wrong / TRIALS;
    o.estimate = hopeless_estimate(&risk);
    o.bound = hopeless_bound(&risk, OUTSTANDING);
    test_free(m);
    return o;
}

/* The share of all resolved trials that could be ended and would have beaten their incumbent. For each of the W of them
 * the coin adds 10 or 0, with variance 9: 4.5 standard deviations. */
static void the_share_has_its_bound(void **state) {
    (void)state;
    check_without_sanitizer();
    static const char *const names[KINDS] = {"normal", "crossing", "late", "just below", "winners", "hiding"};
    const double deltas[] = {0.02, 0.05, 0.2};
    for (int kind = 0; kind < KINDS; kind++)
        for (int i = 0; i < 3; i++) {
            outcome o = run(kind, deltas[i], 11);
            double coin = 4.5 * 3 * sqrt((double)o.wrong) / TRIALS;
            print_message("%-10s delta %.2f: could be ended %5.3f, wrongly %.4f (estimate %.4f), bound %.4f + %.4f,"
                          " range of tau %.2f\n",
                          names[kind], deltas[i], (double)o.could / TRIALS, o.share, o.estimate, o.bound, coin,
                          o.tau_range);
            check_that(o.estimate <= o.bound, "%s", names[kind]);
            check_that(o.share <= o.bound + coin, "%s", names[kind]);
            /* values in [0, 1] and a floor of the scale: tau need not go far, so the bound says something */
            check_that(o.bound <= deltas[i] + 0.06, "%s", names[kind]);
        }
}

/* ---- the reference ----------------------------------------------------------------------------- */

static void against_the_reference(void **state) {
    (void)state;
    size_t ends = 0;
    for (uint64_t seed = 1; seed <= 2000; seed++) {
        draw d = draw_open(seed, 3);
        enum { MOST = 16 };
        double table[MOST * LAST], final[MOST];
        uint64_t steps[LAST];
        hopeless_curve curves[MOST];
        size_t count = 6 + draw_below(&d, MOST - 5);
        for (size_t t = 0; t < LAST; t++) steps[t] = t + 1;
        for (size_t i = 0; i < count; i++) {
            for (size_t t = 0; t < LAST; t++) table[i * LAST + t] = draw_normal(&d) * exp(-(double)t);
            final[i] = draw_uniform(&d) < 0.5 ? table[i * LAST + LAST - 1] : draw_normal(&d);
            curves[i] = (hopeless_curve){LAST, steps, table + i * LAST, final[i]};
        }
        hopeless_set set = {count, curves, hopeless_floor(count, curves)};
        for (size_t step = 1; step <= LAST; step++) {
            double value = 3 * draw_normal(&d), tau = 3 * draw_uniform(&d);
            hopeless_rest r = hopeless_look(&set, step);
            int ended = hopeless_by_risk(&r, tau, 0.5, value);
            ends += ended != 0;
            assert_int_equal(ended, hopeless_reference(count, LAST, table, final, tau, 0.5, step, value));
        }
    }
    assert_true(ends > 1000);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_of_a_curve),
        cmocka_unit_test(thinned),
        cmocka_unit_test(what_was_to_come),
        cmocka_unit_test(all_alike),
        cmocka_unit_test(of_any_size),
        cmocka_unit_test(median),
        cmocka_unit_test(halving),
        cmocka_unit_test(the_coin),
        cmocka_unit_test(tau),
        cmocka_unit_test(the_share_has_its_bound),
        cmocka_unit_test(against_the_reference),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
