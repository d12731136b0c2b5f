/* test_dominated.c - the volume that points dominate: by hand, against inclusion and exclusion, without memory. */
#include "dominated.h"

#include "check.h"
#include "draw.h"
#include "problem_outputs.h"
#include "short_memory.h"

static const dominated_point ONES = {{1, 1, 1}};

static double volume(size_t n, const dominated_point *p) {
    dominated_point copy[64];
    for (size_t i = 0; i < n; i++) copy[i] = p[i];
    return dominated_volume(n, copy, &ONES);
}

/* The box between the reference point and the worst of the chosen points in each objective; `chosen` has a bit each. */
static double common_box(size_t n, const dominated_point *p, unsigned chosen) {
    double box = 1;
    for (int k = 0; k < 3; k++) {
        double worst = -INFINITY;
        for (size_t i = 0; i < n; i++)
            if (chosen >> i & 1) worst = fmax(worst, p[i].f[k]);
        box *= fmax(0, 1 - worst);
    }
    return box;
}

/* The volume of a union of boxes: the sum over all sets of points, odd ones counting positive. */
static double by_inclusion(size_t n, const dominated_point *p) {
    double sum = 0;
    for (unsigned chosen = 1; chosen < 1u << n; chosen++) {
        int odd = 0;
        for (size_t i = 0; i < n; i++) odd ^= chosen >> i & 1;
        sum += (odd ? 1 : -1) * common_box(n, p, chosen);
    }
    return sum;
}

static void by_hand(void **state) {
    (void)state;
    const dominated_point one = {{0.5, 0.25, 0}}, two[] = {{{0.25, 0.5, 0}}, {{0.5, 0.25, 0}}};
    const dominated_point equal[] = {{{0.5, 0.25, 0}}, {{0.5, 0.25, 0}}, {{0.5, 0.5, 0}}, {{0.75, 0.25, 0}}};
    check_same(volume(0, NULL), 0);
    check_same(volume(1, &one), 0.375);
    check_same(volume(2, two), 2 * 0.375 - 0.25);
    check_same(volume(4, equal), 0.375);
    const dominated_point three[] = {{{0.5, 0.5, 0}}, {{0, 0.5, 0.5}}, {{0.5, 0, 0.5}}};
    check_same(volume(3, three), 3 * 0.25 - 3 * 0.125 + 0.125);
}

/* Points that are not better than the reference point in every objective, or no numbers, add nothing. */
static void points_that_do_not_count(void **state) {
    (void)state;
    const dominated_point p[] = {{{0.5, 0.5, 0.5}}, {{1, 0, 0}},   {{0, 1.5, 0}},    {{0, 0, 1}},
                                 {{0, 0, 2}},       {{NAN, 0, 0}}, {{0, NAN, 0.25}}, {{0, 0, NAN}}};
    check_same(volume(8, p), 0.125);
}

/* In any order, with ties: coordinates are multiples of 1/8, so all sums are exact. */
static void random_sets(void **state) {
    (void)state;
    const uint64_t seed = 11;
    draw d = draw_open(seed, 0);
    for (int i = 0; i < 2000; i++) {
        dominated_point p[9];
        size_t n = 1 + draw_below(&d, 9);
        for (size_t j = 0; j < n; j++)
            for (int k = 0; k < 3; k++) p[j].f[k] = (double)draw_below(&d, 9) / 8;
        check_that(volume(n, p) == by_inclusion(n, p), "set %d, seed %d", i, (int)seed);
    }
}

/* Two objectives, the third being 0: a fine staircase under a circle has its area. */
static void two_objectives(void **state) {
    (void)state;
    enum { N = 10000 };
    dominated_point *p = calloc(N, sizeof *p);
    for (int i = 0; i < N; i++) {
        double t = (i + 0.5) / N * acos(0);
        p[i] = (dominated_point){{cos(t), sin(t), 0}};
    }
    double found = dominated_volume(N, p, &(dominated_point){{1.1, 1.1, 1}}), exact = 1.21 - acos(0) / 2;
    assert_true(found < exact);
    check_close(found, exact, 0, 2.0 / N); /* the steps: sum of da db/2 over the arc, pi/(8 N) and less */
    free(p);
}

/* Each of the two allocations fails, of the points and of the staircase. */
static void no_memory(void **state) {
    (void)state;
    const double y[] = {0.5, 0.5};
    for (long k = 0; k < 3; k++) {
        allowed = k;
        double found = problem_outputs_hypervolume(problem_outputs_find("zdt1"), 1, y);
        allowed = -1;
        if (k < 2)
            assert_true(isnan(found));
        else
            check_same(found, 10.5 * 10.5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_hand),     cmocka_unit_test(points_that_do_not_count),
        cmocka_unit_test(random_sets), cmocka_unit_test(two_objectives),
        cmocka_unit_test(no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
