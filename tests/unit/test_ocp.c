/* test_ocp.c - steps, update and bound of online conformal prediction of a scalar. */
#include "check.h"

#include "ocp.h"

static void steps_fall_with_the_power(void **state) {
    (void)state;
    ocp_steps constant = {0.3, 0}, root = {0.3, 0.5};
    check_same(ocp_step(&constant, 1), 0.3);
    check_same(ocp_step(&constant, 1000), 0.3);
    check_same(ocp_step(&root, 1), 0.3);
    check_close(ocp_step(&root, 100), 0.03, 1e-15, 0); /* pow is good to an ulp */
}

static void update_moves_against_errors(void **state) {
    (void)state;
    check_same(ocp_update(0.5, 0.1, 0.2, 1), 0.5 + 0.1 * (0.2 - 1.0));
    check_same(ocp_update(0.5, 0.1, 0.2, 0), 0.5 + 0.1 * 0.2);
}

static void bound_is_that_of_summation_by_parts(void **state) {
    (void)state;
    ocp_steps s = {0.5, 0.25};
    check_close(ocp_bound(&s, 16), 1.5 / (0.25 * 16), 1e-14, 0); /* 16^-1/4 = 1/2 */
    assert_true(ocp_bound(&s, 0) == INFINITY);
    assert_true(ocp_bound(&s, 1000000) < ocp_bound(&s, 1000));
    ocp_steps too_fast = {0.5, 1}; /* eta_T T constant: the bound never falls */
    check_close(ocp_bound(&too_fast, 1000000), 3, 1e-12, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_fall_with_the_power),
        cmocka_unit_test(update_moves_against_errors),
        cmocka_unit_test(bound_is_that_of_summation_by_parts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
