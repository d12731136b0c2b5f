/* test_front.c - fronts and volumes against their definitions, boxes as a partition of the region that a front does not
 * dominate, and memory that fails.
 *
 * The linker turns the core's calls of the allocator into calls of ours (tests/CMakeLists.txt). */
#include "front.h"

#include "check.h"
#include "reference/front_reference.h"
#include "rng.h"
#include "short_memory.h"

enum { M = FRONT_OBJECTIVES, SEED = 1896, MANY = 4000 };
static const double zero[M] = {0};

static rng open_stream(uint64_t trial) {
    print_message("seed %d, trial %d\n", SEED, (int)trial);
    return rng_open(SEED, trial, RNG_DESIGN);
}

static double volume_of(size_t m, size_t n, const double *y, const double *reference) {
    double volume = NAN;
    check_ok(front_volume(m, n, y, reference, &volume, &error));
    return volume;
}

/* ---- the front and its volume ------------------------------------------------------------------ */

static void front_by_definition(void **state) {
    (void)state;
    rng r = open_stream(1);
    double y[20 * M];
    size_t index[20];
    for (int i = 0; i < 2000; i++) {
        size_t m = 1 + (size_t)rng_below(&r, M), n = (size_t)rng_below(&r, 21), next = 0;
        front_reference_draw((front_reference_kind)(i % FRONT_KINDS), m, n, y, &r);
        size_t found = front_find(m, n, y, zero, index);
        for (size_t j = 0; j < n; j++) {
            if (!front_reference_is_in(m, n, y, zero, j)) continue;
            check_that(next < found && index[next] == j, "m %zu, n %zu: vector %zu is not number %zu", m, n, j, next);
            next++;
        }
        assert_int_equal(found, next);
    }
}

static void front_of_odd_vectors(void **state) {
    (void)state;
    const double y[] = {1, NAN, 2, 2, 2, 2, 0, 5};
    size_t index[4];
    assert_int_equal(front_find(2, 0, NULL, zero, NULL), 0);
    assert_int_equal(front_find(2, 4, y, zero, index), 1); /* {0, 5} is not above 0 */
    assert_int_equal(index[0], 1);
    assert_int_equal(front_find(2, 4, y, NULL, index), 2);
    assert_int_equal(index[1], 3);
}

/* The reference cancels: 2^9 terms of size 40 at most, each with a few roundings of 5e-20, or 1e-15 in all. The
 * library's sum has positive terms only, and loses no more roundings (1e-16) than it has terms and factors, some tens.
 */
static void volume_by_inclusion_and_exclusion(void **state) {
    (void)state;
    rng r = open_stream(2);
    double y[9 * M];
    for (int i = 0; i < 2000; i++) {
        size_t m = 1 + (size_t)rng_below(&r, M), n = (size_t)rng_below(&r, 10);
        double reference[M];
        front_reference_draw((front_reference_kind)(i % FRONT_KINDS), m, n, y, &r);
        for (size_t k = 0; k < m; k++) reference[k] = i % 2 ? 0 : rng_normal(&r) / 2;
        check_close(volume_of(m, n, y, reference), (double)front_reference_volume(m, n, y, reference), 1e-14, 1e-15);
    }
}

/* All vectors of positive integers with a given sum: the last follows from the others. */
static size_t lattice_front(size_t m, int sum, double *y) {
    size_t n = 0, choices = 1;
    for (size_t k = 0; k + 1 < m; k++) choices *= (size_t)sum;
    for (size_t choice = 0; choice < choices; choice++) {
        double left = sum;
        size_t digits = choice;
        for (size_t k = 0; k + 1 < m; k++, digits /= (size_t)sum) {
            y[n * m + k] = (double)(digits % (size_t)sum + 1);
            left -= y[n * m + k];
        }
        y[n * m + m - 1] = left;
        n += left > 0;
    }
    return n;
}

/* They dominate the vectors whose sum is no more: s!/(m!(s-m)!) unit cubes. Integers, so there is no rounding. */
static void volume_of_thousands(void **state) {
    (void)state;
    static const struct {
        size_t m;
        int sum;
        size_t points;
        double volume;
    } cases[] = {{1, 7, 1, 7}, {2, 4000, 3999, 7998000}, {3, 80, 3081, 82160}, {4, 28, 2925, 20475}};
    static double y[MANY * M], shuffled[MANY * M];
    static size_t order[MANY];
    rng r = open_stream(3);
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        size_t m = cases[c].m, n = lattice_front(m, cases[c].sum, y);
        assert_int_equal(n, cases[c].points);
        for (size_t i = 0; i < n; i++) order[i] = i;
        rng_shuffle(&r, n, order);
        for (size_t i = 0; i < n; i++) memcpy(shuffled + i * m, y + order[i] * m, m * sizeof *y);
        check_same(volume_of(m, n, shuffled, zero), cases[c].volume);
    }
}

/* The same bits, whatever the order of the vectors. */
static void volume_in_any_order(void **state) {
    (void)state;
    rng r = open_stream(4);
    double y[50 * M], shuffled[50 * M];
    size_t order[50];
    for (int i = 0; i < 200; i++) {
        size_t m = 1 + (size_t)rng_below(&r, M);
        front_reference_draw((front_reference_kind)(i % FRONT_KINDS), m, 50, y, &r);
        for (size_t j = 0; j < 50 * m; j++) y[j] *= 0.1; /* so that sums of a lattice's numbers are rounded */
        for (size_t j = 0; j < 50; j++) order[j] = j;
        rng_shuffle(&r, 50, order);
        for (size_t j = 0; j < 50; j++) memcpy(shuffled + j * m, y + order[j] * m, m * sizeof *y);
        check_same(volume_of(m, 50, shuffled, zero), volume_of(m, 50, y, zero));
    }
}

/* ---- the boxes --------------------------------------------------------------------------------- */

static void check_levels(const front_boxes *b, const double *reference) {
    for (size_t k = 0; k < b->m; k++) {
        size_t last = b->levels[k] - 1;
        check_same(b->level[k][0], reference[k]);
        check_same(b->level[k][last], INFINITY);
        for (size_t j = 1; j <= last; j++) assert_true(b->level[k][j] > b->level[k][j - 1]);
    }
    for (size_t c = 0; c < b->boxes; c++)
        for (size_t k = 0; k < b->m; k++)
            assert_true(b->box[c].low[k] < b->box[c].high[k] && b->box[c].high[k] < b->levels[k]);
}

static size_t boxes_with(const front_boxes *b, const double *at) {
    size_t count = 0;
    for (size_t c = 0; c < b->boxes; c++) {
        size_t inside = 0;
        for (size_t k = 0; k < b->m; k++)
            inside += at[k] >= b->level[k][b->box[c].low[k]] && at[k] < b->level[k][b->box[c].high[k]];
        count += inside == b->m;
    }
    return count;
}

/* Is `at` below one of the vectors in every objective? */
static int is_beneath(size_t m, size_t n, const double *y, const double *at) {
    for (size_t i = 0; i < n; i++) {
        size_t less = 0;
        for (size_t k = 0; k < m; k++) less += at[k] < y[i * m + k];
        if (less == m) return 1;
    }
    return 0;
}

/* A point above the reference; often on a level of the boxes, where the ends of boxes are told apart. */
static void draw_point(const front_boxes *b, const double *reference, double *at, rng *r) {
    for (size_t k = 0; k < b->m; k++) {
        at[k] = reference[k] + (rng_below(r, 4) ? 2 : 10) * rng_uniform(r);
        if (rng_below(r, 3) == 0) at[k] = b->level[k][rng_below(r, b->levels[k] - 1)];
    }
}

/* One object for all cases: what an earlier one left must not matter. */
static void boxes_are_a_partition(void **state) {
    (void)state;
    rng r = open_stream(5);
    double y[FRONT_POINTS * M], reference[M], at[M];
    front_boxes b = {0};
    for (int i = 0; i < 1500; i++) {
        size_t m = 1 + (size_t)rng_below(&r, M), n = (size_t)rng_below(&r, i % 10 ? 15 : FRONT_POINTS + 1);
        for (size_t k = 0; k < m; k++) reference[k] = i % 2 ? 0 : rng_normal(&r) / 2;
        front_reference_draw((front_reference_kind)(i % FRONT_KINDS), m, n, y, &r);
        check_ok(front_boxes_make(&b, m, n, y, reference, &error));
        assert_int_equal(b.m, m);
        check_levels(&b, reference);
        for (int j = 0; j < 300; j++) {
            draw_point(&b, reference, at, &r);
            size_t expected = !is_beneath(m, n, y, at), count = boxes_with(&b, at);
            check_that(count == expected, "case %d, m %zu, n %zu: a point in %zu boxes, not %zu", i, m, n, count,
                       expected);
        }
    }
    front_boxes_release(&b);
}

/* The length of [low, high) below y. */
static double overlap(double low, double high, double y) { return fmax(fmin(y, high) - low, 0); }

/* By what the volume grows when y is added is the volume of the boxes below y. A difference of two volumes: up to some
 * tens of roundings (1e-16) of the larger. */
static void gain_is_the_sum_over_boxes(void **state) {
    (void)state;
    rng r = open_stream(6);
    double y[31 * M];
    front_boxes b = {0};
    for (int i = 0; i < 2000; i++) {
        size_t m = 1 + (size_t)rng_below(&r, M), n = (size_t)rng_below(&r, 31);
        double sum = 0, *new = y + n *m;
        front_reference_draw((front_reference_kind)(i % FRONT_KINDS), m, n + 1, y, &r);
        for (size_t k = 0; k < m; k++) new[k] *= 0.5 + rng_uniform(&r);
        check_ok(front_boxes_make(&b, m, n, y, zero, &error));
        for (size_t c = 0; c < b.boxes; c++) {
            double product = 1;
            for (size_t k = 0; k < m; k++)
                product *= overlap(b.level[k][b.box[c].low[k]], b.level[k][b.box[c].high[k]], new[k]);
            sum += product;
        }
        double after = volume_of(m, n + 1, y, zero), before = volume_of(m, n, y, zero);
        check_close(sum, after - before, 0, 1e-14 * after);
    }
    front_boxes_release(&b);
}

/* The nodes of the grid of levels that are in the region while every neighbour below them is not: each is the lower end
 * of a box in every partition, so there is none with fewer boxes. */
static size_t least_count(const front_boxes *b, size_t n, const double *y) {
    size_t nodes = 1, count = 0;
    for (size_t k = 0; k < b->m; k++) nodes *= b->levels[k] - 1;
    for (size_t node = 0; node < nodes; node++) {
        double at[M];
        size_t digit[M];
        for (size_t k = 0, left = node; k < b->m; k++) {
            digit[k] = left % (b->levels[k] - 1);
            left /= b->levels[k] - 1;
            at[k] = b->level[k][digit[k]];
        }
        int corner = !is_beneath(b->m, n, y, at);
        for (size_t k = 0; k < b->m && corner; k++) {
            if (digit[k] == 0) continue;
            at[k] = b->level[k][digit[k] - 1];
            corner = is_beneath(b->m, n, y, at);
            at[k] = b->level[k][digit[k]];
        }
        count += (size_t)corner;
    }
    return count;
}

static void boxes_are_few(void **state) {
    (void)state;
    rng r = open_stream(7);
    double y[FRONT_POINTS * M];
    front_boxes b = {0};
    for (size_t m = 1; m <= M; m++)
        for (size_t n = 0; n <= FRONT_POINTS; n++) {
            front_reference_draw(FRONT_SPHERE, m, n, y, &r);
            check_ok(front_boxes_make(&b, m, n, y, zero, &error));
            if (m == 1) assert_int_equal(b.boxes, 1);
            if (m == 2) assert_int_equal(b.boxes, n + 1);
            if (m == 3) assert_int_equal(b.boxes, 2 * n + 1);
            if (m == 4) assert_in_range(b.boxes, n + 1, (n + 1) * (n + 1));
            if (n <= 12) assert_int_equal(b.boxes, least_count(&b, n, y));
            if (n == 30 || n == 64) print_message("%zu objectives, %zu points: %zu boxes\n", m, n, b.boxes);
        }
    front_boxes_release(&b);
}

/* Half of the points trade the first two objectives, half the last two: any corner of the one staircase goes with any
 * of the other. */
static void front_with_many_boxes(void **state) {
    (void)state;
    enum { HALF = FRONT_POINTS / 2 };
    double y[FRONT_POINTS * M];
    for (int i = 0; i < HALF; i++) {
        const double up = i + 1, down = HALF - i, one[] = {up, down, 99, 99}, other[] = {99, 99, up, down};
        memcpy(y + (size_t)i * M, one, sizeof one);
        memcpy(y + (size_t)(HALF + i) * M, other, sizeof other);
    }
    front_boxes b = {0};
    check_ok(front_boxes_make(&b, M, FRONT_POINTS, y, zero, &error));
    print_message("%zu boxes\n", b.boxes);
    assert_in_range(b.boxes, (HALF + 1) * (HALF + 1), (FRONT_POINTS + 1) * (FRONT_POINTS + 1));
    front_boxes_release(&b);
}

static void no_vectors(void **state) {
    (void)state;
    const double reference[] = {1, -2, 3}, below[] = {1, 5, 5};
    front_boxes b = {0};
    for (size_t n = 0; n < 2; n++) {
        check_ok(front_boxes_make(&b, 3, n, below, reference, &error));
        assert_int_equal(b.boxes, 1);
        for (size_t k = 0; k < 3; k++) {
            assert_int_equal(b.levels[k], 2);
            assert_int_equal(b.box[0].low[k], 0);
            assert_int_equal(b.box[0].high[k], 1);
        }
        check_same(volume_of(3, n, below, reference), 0.0);
    }
    front_boxes_release(&b);
    front_boxes_release(&b);
}

/* ---- bad input, and no memory ------------------------------------------------------------------ */

static void refuses_bad_input(void **state) {
    (void)state;
    double y[(FRONT_POINTS + 1) * M] = {1, 2, 3, 4}, volume = -7;
    const double bad[] = {0, INFINITY};
    front_boxes b = {0};
    check_ok(front_boxes_make(&b, 2, 1, y, zero, &error));
    front_boxes before = b;
    check_fails(front_boxes_make(&b, 0, 1, y, zero, &error), LOCBO_ERR_ARGUMENT, "must be 1 to 4, got 0");
    check_fails(front_boxes_make(&b, 5, 1, y, zero, &error), LOCBO_ERR_ARGUMENT, "must be 1 to 4, got 5");
    check_fails(front_boxes_make(&b, 2, 65, y, zero, &error), LOCBO_ERR_ARGUMENT, "must be at most 64, got 65");
    check_fails(front_boxes_make(&b, 2, 1, y, bad, &error), LOCBO_ERR_ARGUMENT, "reference[1] must be finite, got inf");
    y[3] = NAN;
    check_fails(front_boxes_make(&b, 2, 2, y, zero, &error), LOCBO_ERR_ARGUMENT,
                "objective 1 of vector 1 must be finite");
    check_fails(front_volume(2, 2, y, zero, &volume, &error), LOCBO_ERR_ARGUMENT, "objective 1 of vector 1");
    check_fails(front_volume(9, 1, y, zero, &volume, &error), LOCBO_ERR_ARGUMENT, "must be 1 to 4, got 9");
    assert_memory_equal(&b, &before, sizeof b);
    check_same(volume, -7.0);
    front_boxes_release(&b);
}

static void volume_without_memory(void **state) {
    (void)state;
    const double y[] = {1, 2, 2, 1};
    for (int i = 0; i < 3; i++) {
        double volume = -7;
        allowed = i;
        check_fails(front_volume(2, 2, y, zero, &volume, &error), LOCBO_ERR_MEMORY, "memory");
        allowed = -1;
        check_same(volume, -7.0);
    }
    check_same(volume_of(2, 2, y, zero), 3.0);
}

/* Each allocation in turn fails; the boxes of before are still there, and the next attempt succeeds. */
static void boxes_without_memory(void **state) {
    (void)state;
    rng r = open_stream(8);
    double few[2] = {1, 2}, y[FRONT_POINTS * M];
    front_reference_draw(FRONT_SPHERE, M, FRONT_POINTS, y, &r);
    int failures = 0;
    front_boxes whole = {0};
    check_ok(front_boxes_make(&whole, M, FRONT_POINTS, y, zero, &error));
    for (locbo_status status = LOCBO_ERR_MEMORY; status != LOCBO_OK; failures++) {
        front_boxes b = {0};
        check_ok(front_boxes_make(&b, 2, 1, few, zero, &error));
        front_box kept[2] = {b.box[0], b.box[1]};
        allowed = failures;
        status = front_boxes_make(&b, M, FRONT_POINTS, y, zero, NULL);
        allowed = -1;
        if (status != LOCBO_OK) {
            assert_int_equal(status, LOCBO_ERR_MEMORY);
            assert_true(b.m == 2 && b.boxes == 2 && b.levels[0] == 3 && b.level[1][1] == 2);
            assert_memory_equal(b.box, kept, sizeof kept);
            check_ok(front_boxes_make(&b, M, FRONT_POINTS, y, zero, &error));
        }
        assert_int_equal(b.boxes, whole.boxes);
        assert_memory_equal(b.box, whole.box, whole.boxes * sizeof *whole.box);
        front_boxes_release(&b);
    }
    assert_true(failures > 2); /* corners and boxes grow, several times */
    front_boxes_release(&whole);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(front_by_definition),
        cmocka_unit_test(front_of_odd_vectors),
        cmocka_unit_test(volume_by_inclusion_and_exclusion),
        cmocka_unit_test(volume_of_thousands),
        cmocka_unit_test(volume_in_any_order),
        cmocka_unit_test(boxes_are_a_partition),
        cmocka_unit_test(gain_is_the_sum_over_boxes),
        cmocka_unit_test(boxes_are_few),
        cmocka_unit_test(front_with_many_boxes),
        cmocka_unit_test(no_vectors),
        cmocka_unit_test(refuses_bad_input),
        cmocka_unit_test(volume_without_memory),
        cmocka_unit_test(boxes_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
