/* test_hyperband.c - rungs and brackets by the formulas of the publication, and what they cost. */
#include "hyperband.h"

#include "check.h"

/* R = 81 and eta = 3: n = ceil(5/(b + 1) 3^b) points in bracket b, floor(n 3^-i) of them in its rung i. */
static void as_published(void **state) {
    (void)state;
    static const size_t table[5][5] = {
        {81, 27, 9, 3, 1}, {34, 11, 3, 1, 0}, {15, 5, 1, 0, 0}, {8, 2, 0, 0, 0}, {5, 0, 0, 0, 0}};
    hyperband h = hyperband_of(problem_fidelity_find("training-plain"));
    assert_int_equal(h.rungs, 5);
    for (size_t k = 0; k < 5; k++) check_same(h.fidelity[k], pow(3, 4 - (double)k));
    for (size_t b = 0; b < 5; b++)
        for (size_t i = 0; i <= b; i++)
            check_that(hyperband_count(&h, b, b - i) == table[4 - b][i], "bracket %zu, rung %zu: %zu", b, b - i,
                       hyperband_count(&h, b, b - i));
}

static void other_costs(void **state) {
    (void)state;
    hyperband two = hyperband_of(problem_fidelity_find("currin-fidelity"));
    assert_int_equal(two.rungs, 2);
    check_same(two.fidelity[1], 1);
    check_close(two.cost[1], 0.1, 0, 1e-15);
    assert_int_equal(hyperband_count(&two, 1, 1), 10); /* ten cheap ones cost as much as one */
    assert_int_equal(hyperband_count(&two, 1, 0), 1);
    assert_int_equal(hyperband_count(&two, 0, 0), 2);
    hyperband real = hyperband_of(problem_fidelity_find("branin-fidelity"));
    assert_int_equal(real.rungs, 3);             /* 1/27 is less than the least cost, 0.05 */
    check_close(real.cost[1], 1.0 / 3, 0, 1e-8); /* costs may be off by the rounding of their fidelity */
    check_close(real.cost[2], 1.0 / 9, 0, 1e-8);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_published), cmocka_unit_test(other_costs)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
