/* test_acquisition.c - which functional of the law each acquisition is. */
#include "acquisition.h"
#include "check.h"

static law example(void) {
    law l = {.kind = LAW_SET, .mu = 0.2, .v = 0.5, .s2 = 0.1, .tail_mass = 0.1, .shape_n = 2};
    l.shape[0] = -1.3, l.shape[1] = 1.1;
    return l;
}

static void each_kind_is_its_functional(void **state) {
    (void)state;
    law l = example();
    acquisition a = {LOCBO_ACQUISITION_EI, 0.9, 0.95};
    law_grad g, expected;

    double log_ei = law_log_ei(&l, a.best, &expected);
    check_same(acquisition_score(&a, &l, &g), log_ei);
    check_same(g.mu, expected.mu);
    check_same(acquisition_value(&a, &l), law_ei(&l, a.best, NULL));
    a.kind = LOCBO_ACQUISITION_LOG_EI;
    check_same(acquisition_score(&a, &l, NULL), log_ei);
    check_same(acquisition_value(&a, &l), log_ei);

    a.kind = LOCBO_ACQUISITION_PI;
    check_same(acquisition_score(&a, &l, &g), law_log_pi(&l, a.best, &expected));
    check_same(g.shape[1], expected.shape[1]);
    check_same(acquisition_value(&a, &l), law_pi(&l, a.best, NULL));

    a.kind = LOCBO_ACQUISITION_UCB;
    check_same(acquisition_score(&a, &l, &g), law_quantile(&l, 0.95, &expected));
    check_same(g.v, expected.v);
    check_same(acquisition_value(&a, &l), law_quantile(&l, 0.95, NULL));
}

/* Ranking by the score must be ranking by the value. */
static void score_and_value_order_alike(void **state) {
    (void)state;
    const locbo_acquisition kinds[] = {LOCBO_ACQUISITION_EI, LOCBO_ACQUISITION_LOG_EI,
                                       LOCBO_ACQUISITION_PI, LOCBO_ACQUISITION_UCB};
    for (size_t k = 0; k < 4; ++k) {
        acquisition a = {kinds[k], 0.9, 0.9};
        law l = example();
        double score = -INFINITY, value = -INFINITY;
        for (l.mu = -3; l.mu < 3; l.mu += 0.1) {
            double s = acquisition_score(&a, &l, NULL), v = acquisition_value(&a, &l);
            check_that(s > score && v > value, "kind %d, mu = %g", (int)kinds[k], l.mu);
            score = s, value = v;
        }
    }
}

static void thompson_has_no_score(void **state) {
    (void)state;
    law l = example();
    acquisition a = {LOCBO_ACQUISITION_THOMPSON, 0.9, 0.95};
    assert_true(isnan(acquisition_score(&a, &l, NULL)) && isnan(acquisition_value(&a, &l)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_kind_is_its_functional),
        cmocka_unit_test(score_and_value_order_alike),
        cmocka_unit_test(thompson_has_no_score),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
