/* test_leaders.c - the leaders against a slow computation of the fronts; the latest results; constraints; which results
 * never lead; what comes later changes nothing. */
#include "check.h"

#include <leaders.h>
#include <rng.h>
#include <told.h>

enum { N = 200, D = 2, MOST = 40, PARTS = 4, OUTPUTS = 1 + PARTS };

typedef struct scene {
    locbo_space *space;
    locbo_outputs *outputs;
    told told;
    size_t listed[PARTS];
    leaders leaders;
} scene;

static void add_output(scene *s, const char *name, locbo_goal goal, uint64_t baseline) {
    locbo_output_spec spec = {
        .struct_size = sizeof spec, .name = name, .goal = goal, .bound = baseline ? 1.5 : 0.3, .baseline = baseline};
    check_ok(locbo_outputs_add(s->outputs, &spec, &error));
}

/* The table: something recorded, then constraints (at most 0.3), then objectives, larger is better for every second. */
static void open_scene(scene *s, size_t objectives, size_t constraints, uint64_t baseline) {
    static const char *const names[] = {"a", "b", "c", "d"};
    *s = (scene){0};
    check_ok(locbo_space_create(&s->space, &error));
    for (size_t j = 0; j < D; j++) check_ok(locbo_space_add_real(s->space, names[j], 0, 1, LOCBO_LINEAR, &error));
    check_ok(locbo_outputs_create(&s->outputs, &error));
    add_output(s, "recorded", LOCBO_GOAL_RECORD, 0);
    for (size_t k = 0; k < constraints; k++) {
        s->listed[objectives + k] = 1 + k;
        add_output(s, names[k], LOCBO_GOAL_AT_MOST, baseline);
    }
    for (size_t k = 0; k < objectives; k++) {
        s->listed[k] = 1 + constraints + k;
        add_output(s, names[constraints + k], k % 2 ? LOCBO_GOAL_MAXIMIZE : LOCBO_GOAL_MINIMIZE, 0);
    }
    told_init(&s->told, D, D, 1 + constraints + objectives);
    s->leaders = (leaders){&s->told, s->outputs, s->space, s->listed, objectives, objectives + constraints};
}

static void close_scene(scene *s) {
    told_release(&s->told);
    locbo_outputs_destroy(s->outputs);
    locbo_space_destroy(s->space);
}

/* A result, of an output each; NAN: it lacks the output. */
static void tell(scene *s, const double *x, uint64_t trial, const double *value) {
    locbo_measurement m[OUTPUTS];
    for (size_t k = 0; k < s->told.outputs; k++) m[k] = (locbo_measurement){value[k], NAN, 1};
    check_ok(told_append(&s->told, x, x, trial, m, &error));
}

static void tell_random(scene *s, size_t n, rng *r) {
    for (size_t i = 0; i < n; i++) {
        double x[D] = {rng_uniform(r), rng_uniform(r)}, value[OUTPUTS];
        for (size_t k = 0; k < s->told.outputs; k++) value[k] = rng_uniform(r) < 0.05 ? NAN : rng_uniform(r);
        tell(s, x, i + 1, value);
    }
}

static size_t find(const scene *s, size_t part, size_t n, size_t most, size_t *row) {
    size_t count = SIZE_MAX;
    check_ok(leaders_find(&s->leaders, part, n, most, row, &count, &error));
    assert_true(count <= most && count <= LEADERS_MOST);
    for (size_t i = 1; i < count; i++) assert_true(row[i] > row[i - 1]);
    return count;
}

static int contains(size_t count, const size_t *row, size_t wanted) {
    for (size_t i = 0; i < count; i++)
        if (row[i] == wanted) return 1;
    return 0;
}

/* ---- slow computations ------------------------------------------------------------------------- */

static double value_of(const scene *s, size_t i, size_t part) {
    double value = s->told.measured[i * s->told.outputs + s->listed[part]].value;
    return part < s->leaders.objectives && part % 2 == 0 ? -value : value; /* of objectives larger is better */
}

static int holds(const scene *s, size_t i) {
    for (size_t k = 0; k < s->leaders.parts; k++) {
        if (isnan(value_of(s, i, k))) return 0;
        if (k >= s->leaders.objectives && value_of(s, i, k) > 0.3) return 0;
    }
    return 1;
}

/* Flags of the latest of the results that have all outputs. */
static void flag_latest(const scene *s, size_t n, size_t count, unsigned char *latest) {
    memset(latest, 0, n);
    for (size_t i = n; i-- > 0 && count > 0;) {
        int whole = 1;
        for (size_t k = 0; k < s->leaders.parts; k++) whole = whole && !isnan(value_of(s, i, k));
        latest[i] = (unsigned char)whole;
        count -= (size_t)whole;
    }
}

static int dominates(const scene *s, size_t a, size_t b) {
    for (size_t k = 0; k < s->leaders.objectives; k++)
        if (value_of(s, a, k) < value_of(s, b, k)) return 0;
    return 1;
}

/* The number of the front of each result, from 1; 0: it does not hold, or is one of the latest. */
static void fronts(const scene *s, size_t n, const unsigned char *latest, int *front) {
    for (size_t i = 0; i < n; i++) front[i] = holds(s, i) && !latest[i] ? -1 : 0;
    for (int level = 1, left = 1; left; level++) {
        left = 0;
        for (size_t i = 0; i < n; i++) {
            int dominated = front[i] != -1;
            for (size_t j = 0; j < n && !dominated; j++)
                dominated = j != i && (front[j] == -1 || front[j] == -2) && dominates(s, j, i);
            if (!dominated) front[i] = -2;
        }
        for (size_t i = 0; i < n; i++) {
            if (front[i] == -2) front[i] = level;
            left += front[i] == -1;
        }
    }
}

static size_t row_of(const scene *s, size_t result, size_t part) {
    size_t row = 0;
    for (size_t i = 0; i < result; i++) row += !isnan(value_of(s, i, part));
    return row;
}

/* The latest results lead; of the others none that is in a later front than one that does not. */
static void test_fronts(void **state) {
    (void)state;
    for (size_t trial = 0; trial < 8; trial++) {
        size_t objectives = 1 + trial % 3, constraints = trial / 4;
        scene s;
        rng r = rng_open(5, trial, RNG_DESIGN);
        int front[N], last = 0;
        unsigned char latest[N];
        open_scene(&s, objectives, constraints, 0);
        tell_random(&s, N, &r);
        flag_latest(&s, N, MOST / 2, latest);
        fronts(&s, N, latest, front);
        for (size_t part = 0; part < s.leaders.parts; part++) {
            size_t row[MOST], rows = row_of(&s, N, part), count = find(&s, part, rows, MOST, row), seen = 0;
            assert_int_equal(count, MOST); /* about 50 of 200 hold the constraint */
            for (size_t i = 0; i < N; i++)
                if (front[i] > 0 && contains(count, row, row_of(&s, i, part)) && !isnan(value_of(&s, i, part))) {
                    last = front[i] > last ? front[i] : last;
                    seen++;
                }
            for (size_t i = 0; i < N; i++)
                if (latest[i] || (front[i] > 0 && front[i] < last))
                    assert_true(contains(count, row, row_of(&s, i, part)));
            assert_int_equal(seen, count - MOST / 2);
        }
        close_scene(&s);
    }
}

/* A front with more than there is room for: both ends of it lead, and others between. */
static void test_evenly(void **state) {
    (void)state;
    scene s;
    size_t row[MOST];
    open_scene(&s, 2, 0, 0);
    for (size_t i = 0; i < N; i++) { /* the first is minimised, the second maximised: all of them are in the front */
        double t = (double)(i * 37 % N) / N, x[D] = {t, t}, value[] = {0, t, t};
        tell(&s, x, i + 1, value);
    }
    assert_int_equal(find(&s, 0, N, 18, row), 18);
    double gap = 0, at[9];
    for (size_t i = 0; i < 9; i++) at[i] = s.told.x[row[i] * D]; /* the other nine are the latest */
    for (double t = 0; t < 1; t += 1e-3) {
        double next = 1;
        for (size_t i = 0; i < 9; i++) next = fmin(next, fabs(at[i] - t));
        gap = fmax(gap, next);
    }
    assert_true(gap < 0.07); /* half of 1/8, and a step of 1/200 or 2/200 */
    close_scene(&s);
}

/* ---- constraints ------------------------------------------------------------------------------- */

/* Where nothing holds, those that miss by least lead. */
static void test_nothing_holds(void **state) {
    (void)state;
    scene s;
    size_t row[10];
    open_scene(&s, 1, 1, 0);
    for (size_t i = 0; i < N; i++) {
        double x[D] = {0.5, 0.5}, value[] = {0, 0.31 + (double)((i * 77) % N), -(double)i};
        tell(&s, x, i + 1, value);
    }
    assert_int_equal(find(&s, 0, N, 10, row), 10);
    for (size_t i = 0; i < 10; i++) assert_true(i < 5 ? (row[i] * 77) % N < 5 : row[i] == N - 10 + i);
    close_scene(&s);
}

/* A bound of 1.5 times what trial 1 measures, as it is by then: 1.5 at first, and 0.75 after a second measurement. */
static void test_relative_bound(void **state) {
    (void)state;
    scene s;
    size_t row[1];
    const double x[D] = {0.5, 0.5};
    open_scene(&s, 1, 1, 1);
    tell(&s, x, 1, (const double[]){0, 1, 5});
    tell(&s, x, 2, (const double[]){0, 1.2, 3});
    tell(&s, x, 3, (const double[]){0, 0.7, 4});
    tell(&s, x, 1, (const double[]){0, 0, 5});
    assert_true(find(&s, 0, 3, 1, row) == 1 && row[0] == 1);
    assert_true(find(&s, 0, 4, 1, row) == 1 && row[0] == 2);
    close_scene(&s);
}

/* ---- who never leads --------------------------------------------------------------------------- */

static void test_never(void **state) {
    (void)state;
    scene s;
    size_t row[N];
    const double inside[D] = {0.5, 0.5}, outside[D] = {0.5, 1.5};
    open_scene(&s, 2, 0, 0);
    tell(&s, inside, 1, (const double[]){0, 1, 1});
    tell(&s, outside, 2, (const double[]){0, 0, 2}); /* it dominates the first */
    tell(&s, inside, 3, (const double[]){0, 0, NAN});
    tell(&s, inside, 4, (const double[]){0, 0, 2});
    s.told.aside[3] = 1;
    tell(&s, inside, 5, (const double[]){0, 2, 0});
    assert_int_equal(find(&s, 0, 5, N, row), 2);
    assert_true(row[0] == 0 && row[1] == 4);
    assert_int_equal(find(&s, 1, 4, N, row), 2);
    assert_true(row[0] == 0 && row[1] == 3); /* the second output has one row less */
    assert_int_equal(find(&s, 0, 0, N, row), 0);
    assert_int_equal(find(&s, 0, 5, 0, row), 0);
    close_scene(&s);
}

/* What is told later is not seen. */
static void test_of_the_first_results(void **state) {
    (void)state;
    scene s;
    rng r = rng_open(6, 0, RNG_DESIGN);
    size_t before[2][MOST], after[2][MOST];
    open_scene(&s, 2, 1, 0);
    tell_random(&s, N, &r);
    size_t n[2] = {row_of(&s, N, 0), row_of(&s, N, 2)}, count[2];
    for (size_t k = 0; k < 2; k++) count[k] = find(&s, 2 * k, n[k], MOST, before[k]);
    tell_random(&s, N, &r);
    for (size_t k = 0; k < 2; k++) {
        assert_int_equal(find(&s, 2 * k, n[k], MOST, after[k]), count[k]);
        assert_memory_equal(after[k], before[k], count[k] * sizeof after[k][0]);
    }
    close_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fronts),        cmocka_unit_test(test_evenly),
        cmocka_unit_test(test_nothing_holds), cmocka_unit_test(test_relative_bound),
        cmocka_unit_test(test_never),         cmocka_unit_test(test_of_the_first_results),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
