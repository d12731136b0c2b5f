/* test_quarters.c - shares by quarters: sizes, order, ties, and what has none. */
#include "quarters.h"

#include "check.h"

static void sizes_and_order(void **state) {
    (void)state;
    for (size_t n = 4; n < 40; n++) {
        quarters_round round[40];
        double share[QUARTERS];
        size_t first = 0;
        for (size_t i = 0; i < n; i++) /* descending keys; the last quarter of the keys is in its set */
            round[i] = (quarters_round){.key = (double)(n - i), .in_set = n - i > n - n / 4};
        quarters_measure(n, round, share);
        for (int k = 0; k < 3; k++) check_same(share[k], 0);
        check_same(share[3], 1);
        for (size_t i = 1; i < n; i++) assert_true(round[i - 1].key < round[i].key);
        for (size_t i = 0; i < n; i++) round[i].in_set = i == 0; /* only the first: one over the size of its quarter */
        quarters_measure(n, round, share);
        while (first * 4 < n) first++;
        check_close(share[0], 1 / (double)first, 1e-12, 0);
    }
}

static void ties_keep_their_order(void **state) {
    (void)state;
    quarters_round round[8];
    double share[QUARTERS];
    for (size_t i = 0; i < 8; i++) round[i] = (quarters_round){.key = i < 7, .in_set = i < 2};
    quarters_measure(8, round, share); /* the last has the least key, then 0, 1, ... */
    check_same(share[0], 0.5);
    check_same(share[1], 0.5);
    check_same(share[2], 0);
}

static void none(void **state) {
    (void)state;
    quarters_round round[5] = {{.key = 1, .in_set = 1}, {.key = 1, .in_set = 1}, {.key = 1}, {.key = 1}, {.key = 1}};
    double share[QUARTERS];
    quarters_measure(5, round, share);
    for (int k = 0; k < QUARTERS; k++) assert_true(isnan(share[k]));
    quarters_measure(0, NULL, share);
    for (int k = 0; k < QUARTERS; k++) assert_true(isnan(share[k]));
    round[0].key = 0;
    quarters_measure(2, round, share); /* two rounds are in the first two */
    check_same(share[0], 1);
    assert_true(!isnan(share[1]) && isnan(share[2]) && isnan(share[3]));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sizes_and_order),
        cmocka_unit_test(ties_keep_their_order),
        cmocka_unit_test(none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
