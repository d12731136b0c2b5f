/* test_push.c - the pushed discs against a slow reference in complex numbers, whose hands follow their arcs in small
 * steps, and against pushes that can be worked out by hand. */
#include "problems.h"

#include <complex.h>
#undef I /* a name of loops */

#include "check.h"
#include "draw.h"

enum { DIM = 14, STEPS = 320, SMALL = 200 };

static const problem *push(void) { return problem_find("push14"); }

static double complex number(double x, double y) { return x + y * _Complex_I; }

/* Where a hand is after the time s, by SMALL straight steps, each in the direction of its middle. */
static double complex slow_hand(const double *h, double s) {
    double complex at = number(h[0], h[1]);
    for (int k = 0; k < SMALL; k++) at += h[3] * s / SMALL * cexp(number(0, h[2] + h[5] * s * (k + 0.5) / SMALL));
    return at;
}

static double complex direction(double complex from, double complex to) {
    return to == from ? 1 : (to - from) / cabs(to - from);
}

static double complex pushed(double complex hand, double complex by, double complex disc) {
    double complex n = direction(hand, disc);
    double depth = fmax(1 - cabs(disc - hand), 0), along = cimag(by * conj(n));
    return disc + n * number(depth, fmax(fmin(along, depth / 2), -depth / 2));
}

static void slow_step(const double *x, double t, double dt, double complex *disc) {
    for (const double *h = x; h < x + DIM; h += 7) {
        double before = fmax(t - h[6], 0), after = fmin(t + dt - h[6], h[4]);
        if (after <= before) continue;
        double complex from = slow_hand(h, before), to = slow_hand(h, after);
        for (int i = 0; i < 2; i++) disc[i] = pushed(to, to - from, disc[i]);
    }
    double complex n = direction(disc[0], disc[1]);
    double half = fmax(1 - cabs(disc[1] - disc[0]), 0) / 2;
    disc[0] -= half * n;
    disc[1] += half * n;
}

static double slow_value(const double *x, double complex *disc) {
    disc[0] = number(-2, -2);
    disc[1] = number(2, -2);
    for (int k = 0; k < STEPS; k++) slow_step(x, 0.05 * k, 0.05, disc);
    return cabs(disc[0] - number(1, 2)) + cabs(disc[1] - number(-2, 1));
}

static void random_point(draw *d, double *x) {
    double u[DIM];
    for (int j = 0; j < DIM; j++) u[j] = draw_uniform(d);
    problem_from_unit(push(), u, x);
}

/* Small steps of the arc are off by their square; a push that is not central spreads differences, at most by a few e.
 */
static void a_slow_simulation_agrees(void **state) {
    (void)state;
    draw d = draw_open(5, 1);
    int moved = 0, together = 0;
    for (int i = 0; i < 60; i++) {
        double x[PROBLEM_MAX_DIM];
        double complex disc[2];
        random_point(&d, x);
        for (int h = 0; h < 2 && i % 2; h++) { /* every second one near its disc, towards the other one */
            x[7 * h] = (h ? 3 : -3) + 0.2 * (x[7 * h] / 5);
            x[7 * h + 1] = -2 + 0.3 * (x[7 * h + 1] / 5);
            x[7 * h + 2] = (h ? 3.14159 : 0) + (h ? -0.1 : 0.1) * fabs(x[7 * h + 2]);
        }
        double slow = slow_value(x, disc);
        check_close(problem_value(push(), x), slow, 1e-3, 0);
        moved += cabs(disc[0] - number(-2, -2)) > 0.1 || cabs(disc[1] - number(2, -2)) > 0.1;
        together += cabs(disc[1] - disc[0]) < 1 + 1e-6;
    }
    check_that(moved > 20 && together > 1, "%d of 60 moved a disc, %d brought both together", moved, together);
}

/* Nothing is touched: the distances at the beginning. A central push brings a disc exactly as far as the hand goes. */
static void pushes_worked_out_by_hand(void **state) {
    (void)state;
    double x[PROBLEM_MAX_DIM] = {-5, 5, 0, 0.5, 1, 0, 0, 5, 5, 0, 0, 1, 0, 0};
    check_close(problem_value(push(), x), 10, 1e-15, 0);
    double right[PROBLEM_MAX_DIM] = {-4, -2, 0, 0.5, 6, 0, 1, 5, 5, 0, 0, 1, 0, 0}; /* one unit free, two pushing */
    check_close(problem_value(push(), right), hypot(1, 4) + 5, 1e-12, 0);
    right[4] = 0; /* a hand that is lifted at once */
    check_close(problem_value(push(), right), 10, 1e-15, 0);
    double both[PROBLEM_MAX_DIM] = {-3, -2, 0, 1, 4, 0, 0, 5, 5, 0, 0, 1, 0, 0};
    /* the first disc meets the second after three units; one unit on, both are further by one. Each gives way by half
     * of a step, so the push is complete to a few steps of 0.05 only. */
    check_close(problem_value(push(), both), hypot(1, 4) + hypot(5, 3), 0, 0.1);
}

/* The best point: no rounding is blown up. */
static void the_best_pushes_arrive(void **state) {
    (void)state;
    double complex disc[2];
    check_close(problem_value(push(), push()->best), 0, 0, 1e-12);
    check_close(slow_value(push()->best, disc), 0, 0, 1e-9);
}

/* Finite and not negative, in the corners too; a share of the random points moves something, so that there is
 * something to learn. */
static void random_pushes(void **state) {
    (void)state;
    draw d = draw_open(6, 1);
    int moved = 0;
    for (int i = 0; i < 4000; i++) {
        double x[PROBLEM_MAX_DIM];
        random_point(&d, x);
        for (int j = 0; j < DIM && i % 2; j++) x[j] = i >> (j / 2) & 2 ? push()->low[j] : push()->high[j];
        double value = problem_value(push(), x);
        check_that(value >= 0 && value < 100, "%g", value);
        moved += i % 2 == 0 && fabs(value - 10) > 1e-9;
    }
    check_that(moved > 400 && moved < 1900, "%d of 2000 moved a disc", moved);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_slow_simulation_agrees),
        cmocka_unit_test(pushes_worked_out_by_hand),
        cmocka_unit_test(the_best_pushes_arrive),
        cmocka_unit_test(random_pushes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
