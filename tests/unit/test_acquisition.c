/* test_acquisition.c - which functional of the law each acquisition is, and scores of the caller's own. */
#include "acquisition.h"

#include <float.h>

#include "own_score.h"

static law example(void) {
    law l = {.kind = LAW_SET, .mu = 0.2, .v = 0.5, .s2 = 0.1, .tail_mass = 0.1, .shape_n = 2};
    l.shape[0] = -1.3, l.shape[1] = 1.1;
    return l;
}

/* Score and value where nothing but the law is known. */
static double score_of(const acquisition *a, const law *l, law_grad *g) {
    acquisition_point at = {.law = *l};
    acquisition_grad grad;
    double score = acquisition_score(a, &at, g ? &grad : NULL);
    if (g) *g = grad.law;
    return score;
}

static double value_of(const acquisition *a, const law *l) {
    acquisition_point at = {.law = *l};
    return acquisition_value(a, &at);
}

static void each_kind_is_its_functional(void **state) {
    (void)state;
    law l = example();
    acquisition a = {.kind = LOCBO_ACQUISITION_EI, .best = 0.9, .ucb_level = 0.95};
    law_grad g, expected;

    double log_ei = law_log_ei(&l, a.best, &expected);
    check_same(score_of(&a, &l, &g), log_ei);
    check_same(g.mu, expected.mu);
    check_same(value_of(&a, &l), law_ei(&l, a.best, NULL));
    a.kind = LOCBO_ACQUISITION_LOG_EI;
    check_same(score_of(&a, &l, NULL), log_ei);
    check_same(value_of(&a, &l), log_ei);

    a.kind = LOCBO_ACQUISITION_PI;
    check_same(score_of(&a, &l, &g), law_log_pi(&l, a.best, &expected));
    check_same(g.shape[1], expected.shape[1]);
    check_same(value_of(&a, &l), law_pi(&l, a.best, NULL));

    a.kind = LOCBO_ACQUISITION_UCB;
    check_same(score_of(&a, &l, &g), law_quantile(&l, 0.95, &expected));
    check_same(g.v, expected.v);
    check_same(value_of(&a, &l), law_quantile(&l, 0.95, NULL));
}

/* Ranking by the score must be ranking by the value. */
static void score_and_value_order_alike(void **state) {
    (void)state;
    const locbo_acquisition kinds[] = {LOCBO_ACQUISITION_EI, LOCBO_ACQUISITION_LOG_EI, LOCBO_ACQUISITION_PI,
                                       LOCBO_ACQUISITION_UCB};
    for (size_t k = 0; k < 4; ++k) {
        acquisition a = {.kind = kinds[k], .best = 0.9, .ucb_level = 0.9};
        law l = example();
        double score = -INFINITY, value = -INFINITY;
        for (l.mu = -3; l.mu < 3; l.mu += 0.1) {
            double s = score_of(&a, &l, NULL), v = value_of(&a, &l);
            check_that(s > score && v > value, "kind %d, mu = %g", (int)kinds[k], l.mu);
            score = s, value = v;
        }
    }
}

static void thompson_has_no_score(void **state) {
    (void)state;
    law l = example();
    acquisition a = {.kind = LOCBO_ACQUISITION_THOMPSON, .best = 0.9, .ucb_level = 0.95};
    assert_true(isnan(score_of(&a, &l, NULL)) && isnan(value_of(&a, &l)));
}

/* ---- scores of the caller's own -------------------------------------------------------------- */

static double remember(const locbo_view *view, void *user) {
    *(locbo_view *)user = *view;
    return 3;
}

static void a_score_sees_the_law(void **state) {
    (void)state;
    law l = example();
    locbo_view seen;
    acquisition a = {.kind = LOCBO_ACQUISITION_UCB, .best = 0.9, .score = remember, .user = &seen};
    check_same(score_of(&a, &l, NULL), 3.0);
    check_same(value_of(&a, &l), 3.0);
    assert_true(acquisition_is_logarithm(&a));
    assert_true(seen.mean == 0.2 && seen.var_f == 0.5 && seen.noise_var == 0.1);
    assert_true(seen.best == 0.9 && seen.tail_mass == 0.1);
    check_close(seen.set_low, 0.2 - 1.3 * sqrt(0.6), 1e-15, 0);
    check_close(seen.set_high, 0.2 + 1.1 * sqrt(0.6), 1e-15, 0);
    for (int kind = 0; kind < 2; kind++) { /* the other two have no set */
        l.kind = kind ? LAW_QUANTILE : LAW_NORMAL;
        score_of(&a, &l, NULL);
        assert_true(isnan(seen.set_low) && isnan(seen.set_high) && isnan(seen.tail_mass));
        assert_true(seen.mean == 0.2 && seen.best == 0.9);
    }
}

/* The built-in log EI of a normal law, and its gradient. The error of differences with a relative step of 1e-5 is 1e-10
 * of truncation, times a third derivative that grows like h^3 in units of sd, and 1e-16/1e-5 times the size of the
 * score, h^2: 1e-6 holds for both with |h| up to 40. */
static void own_gradients(void **state) {
    (void)state;
    for (double v = 1e-6; v < 10; v *= 10)
        for (double h = -3; h < 40; h += 0.7) {
            law l = {.kind = LAW_NORMAL, .mu = 0.3, .v = v, .s2 = 0.01};
            acquisition a = {.kind = LOCBO_ACQUISITION_LOG_EI, .best = 0.3 + h * sqrt(v)};
            law_grad expected, g;
            double score = score_of(&a, &l, &expected);
            a.score = own_log_ei;
            check_close(score_of(&a, &l, &g), score, 1e-10, 1e-10);
            check_close(g.mu, expected.mu, 1e-6, 0);
            check_close(g.v, expected.v, 1e-6, 1e-6 / v);
            check_same(g.s2, 0.0);
        }
}

/* Through the ends of the set: they move with mu, v and z. */
static double top_of_set(const locbo_view *view, void *user) {
    (void)user;
    assert_true(view->set_low <= view->set_high);
    return view->set_high - 2 * view->set_low;
}

static void own_gradients_of_a_set(void **state) {
    (void)state;
    law l = example();
    law_grad g;
    double sy = sqrt(0.6);
    acquisition a = {.best = 0.9, .score = top_of_set};
    score_of(&a, &l, &g); /* 1e-9: rounding, 1e-16/1e-5, with some to spare */
    check_close(g.mu, -1, 1e-9, 0);
    check_close(g.v, (1.1 + 2 * 1.3) / (2 * sy), 1e-9, 0);
    check_close(g.shape[0], -2 * sy, 1e-9, 0);
    check_close(g.shape[1], sy, 1e-9, 0);
    l.shape[0] = l.shape[1] = 0; /* a point: the ends do not cross */
    score_of(&a, &l, &g);
    check_close(g.shape[0], -2 * sy, 1e-9, 0);
    check_close(g.shape[1], sy, 1e-9, 0);
    l.v = 0; /* nor does a variance become negative */
    score_of(&a, &l, &g);
    check_same(g.v, 0.0);
}

static double nothing_above(const locbo_view *view, void *user) {
    const double *limit = user;
    if (view->mean > limit[0]) return limit[1];
    return 2 * view->mean;
}

/* What is not finite is worst of all, has no slope, and does not spoil the slope beside it. */
static void odd_scores(void **state) {
    (void)state;
    const double odd[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < 3; i++) {
        law l = example();
        law_grad g;
        double limit[] = {l.mu, odd[i]};
        acquisition a = {.best = 0.9, .score = nothing_above, .user = limit};
        check_close(score_of(&a, &l, &g), 0.4, 1e-15, 0);
        check_close(g.mu, 2, 1e-9, 0); /* from below only */
        limit[0] = 0;
        double worst = score_of(&a, &l, &g);
        assert_true(isfinite(worst) && worst < -1e50 && worst - 1e9 > -DBL_MAX);
        assert_true(g.mu == 0 && g.v == 0 && g.s2 == 0 && g.shape[0] == 0 && g.shape[1] == 0);
        check_same(value_of(&a, &l), worst);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_is_its_functional),
        cmocka_unit_test(score_and_value_order_alike),
        cmocka_unit_test(thompson_has_no_score),
        cmocka_unit_test(a_score_sees_the_law),
        cmocka_unit_test(own_gradients),
        cmocka_unit_test(own_gradients_of_a_set),
        cmocka_unit_test(odd_scores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
