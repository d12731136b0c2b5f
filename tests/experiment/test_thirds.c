/* test_thirds.c - coverage by distance: small cases by hand. */
#include "thirds.h"

#include "check.h"

static const double NONE = NAN;

/* A box of sides 10 and 1, so that the cube counts and not the box. */
static const problem box = {.dim = 2, .low = {0, 5}, .high = {10, 6}};

static void check_thirds(size_t n, thirds_query *query, const double set[3], const double interval[3]) {
    const double at[2] = {5, 5.5};
    thirds found = thirds_measure(&box, at, n, query);
    for (size_t i = 0; i < 3; i++) {
        check_that(isnan(set[i]) ? isnan(found.in_set[i]) : found.in_set[i] == set[i],
                   "%zu queries, part %zu: %g, not %g", n, i, found.in_set[i], set[i]);
        check_that(isnan(interval[i]) ? isnan(found.in_interval[i]) : found.in_interval[i] == interval[i],
                   "%zu queries, part %zu: %g, not %g", n, i, found.in_interval[i], interval[i]);
    }
}

/* What cannot be divided by three belongs to the nearer parts. */
static void few_queries(void **state) {
    (void)state;
    thirds_query q[5] = {{{9, 5.5}, 1, 0, 0, 0},
                         {{5, 5.5}, 0, 1, 0, 0},
                         {{5, 5.8}, 1, 1, 0, 0},
                         {{4, 5.5}, 0, 0, 0, 0},
                         {{7, 5.7}, 1, 0, 0, 0}};
    thirds_query some[5];
#define TAKE(n) (memcpy(some, q, sizeof q), (size_t)(n)), some
    check_thirds(0, some, (double[]){NONE, NONE, NONE}, (double[]){NONE, NONE, NONE});
    check_thirds(TAKE(1), (double[]){1, NONE, NONE}, (double[]){0, NONE, NONE});
    check_thirds(TAKE(2), (double[]){0, 1, NONE}, (double[]){1, 0, NONE});
    check_thirds(TAKE(3), (double[]){0, 1, 1}, (double[]){1, 1, 0});
    /* distances 0.4, 0, 0.3, 0.1, then 0.28 */
    check_thirds(TAKE(4), (double[]){0, 1, 1}, (double[]){0.5, 1, 0});
    check_thirds(TAKE(5), (double[]){0, 1, 1}, (double[]){0.5, 0.5, 0});
}

/* In the box the second would be nearer; equal distances stay in the order of the rounds. */
static void distances_are_of_the_cube(void **state) {
    (void)state;
    thirds_query q[3] = {{{7, 5.5}, 1, 1, 0, 0}, {{5, 5.9}, 0, 1, 0, 0}, {{5, 5.2}, 0, 0, 0, 0}};
    check_thirds(3, q, (double[]){1, 0, 0}, (double[]){1, 0, 1});
    thirds_query equal[3] = {{{6, 5.5}, 1, 0, 0, 0}, {{6, 5.5}, 0, 0, 0, 0}, {{6, 5.5}, 0, 1, 0, 0}};
    check_thirds(3, equal, (double[]){1, 0, 0}, (double[]){0, 0, 1});
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_queries),
        cmocka_unit_test(distances_are_of_the_cube),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
