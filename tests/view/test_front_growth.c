/* How the measured front grew: against a front and a volume that are computed anew from the first trials, and the time
 * that it takes of many. */
#include "front_growth.h"

#include <time.h>

#include "several_outputs.h"

enum { MOST_OUTPUTS = 6 };

/* A table of trials by hand: a recorded output, the objectives in turn to be minimised and maximised, a constraint. */
typedef struct hand {
    locbo_outputs *table;
    output_list list;
    trial_table trials;
    double bounds[MOST_OUTPUTS], reference[MOST_OUTPUTS];
} hand;

static void open_hand(hand *h, size_t objectives, int constrained, size_t count) {
    static const char *const names[] = {"a", "b", "c", "d"};
    check_ok(locbo_outputs_create(&h->table, &error));
    several_add(h->table, (locbo_output_spec){.name = "recorded", .goal = LOCBO_GOAL_RECORD});
    for (size_t k = 0; k < objectives; k++)
        several_add(h->table,
                    (locbo_output_spec){.name = names[k], .goal = k % 2 ? LOCBO_GOAL_MAXIMIZE : LOCBO_GOAL_MINIMIZE});
    if (constrained)
        several_add(h->table, (locbo_output_spec){.name = "limit", .goal = LOCBO_GOAL_AT_LEAST, .bound = 0.3});
    check_ok(output_list_make(&h->list, h->table, &error));
    for (size_t k = 0; k < h->list.count; k++) {
        h->bounds[k] = output_list_is_constraint(&h->list, k) ? 0.3 : (double)NAN;
        h->reference[k] = !output_list_is_objective(&h->list, k) ? (double)NAN : k % 2 ? 0.9 : 0.1;
    }
    h->trials = (trial_table){.dim = 1, .outputs = &h->list, .count = count};
    h->trials.rows = calloc(count, sizeof *h->trials.rows);
    h->trials.others = calloc(count * (h->list.count - 1), sizeof *h->trials.others);
    h->trials.x = calloc(count, sizeof *h->trials.x);
}

static void close_hand(hand *h) {
    free(h->trials.rows);
    free(h->trials.others);
    free(h->trials.x);
    output_list_release(&h->list);
    locbo_outputs_destroy(h->table);
}

/* `value`: of each output, at x. Events are in reverse: the last trial was told first. */
static void set_row(hand *h, size_t i, double x, const double *value) {
    size_t others = 0;
    trial_row *r = &h->trials.rows[i];
    r->trial.id = i + 1;
    r->state = LOCBO_COMPLETE;
    r->count = 1;
    r->weight = 1 + (double)(i % 3);
    h->trials.x[i] = x;
    r->event = h->trials.count - i;
    for (size_t k = 0; k < h->list.count; k++)
        if (k == h->list.first)
            r->value = value[k];
        else
            h->trials.others[i * (h->list.count - 1) + others++] =
                (trial_output){.value = value[k], .weight = 1 + (double)(i % 3)};
}

/* ---- the plainest program ---------------------------------------------------------------------- */

/* The mean of an output over all trials at the point of trial i. */
static double mean_at(const hand *h, size_t i, size_t k) {
    double sum = 0, weight = 0;
    for (size_t j = 0; j < h->trials.count; j++) {
        trial_output o = trial_table_output(&h->trials, j, k);
        if (h->trials.x[j] != h->trials.x[i] || isnan(o.value)) continue;
        sum += o.weight * o.value;
        weight += o.weight;
    }
    return weight > 0 ? sum / weight : (double)NAN;
}

/* Whether trial i was the first at its point: the last in the table is told first. */
static int is_first(const hand *h, size_t i) {
    for (size_t j = i + 1; j < h->trials.count; j++)
        if (h->trials.x[j] == h->trials.x[i]) return 0;
    return 1;
}

static int counts(const hand *h, size_t i) {
    if (!is_first(h, i)) return 0;
    for (size_t k = 0; k < h->list.count; k++) {
        double value = mean_at(h, i, k);
        if (k > 0 && isnan(value)) return 0;
        if (output_list_is_constraint(&h->list, k) && value < 0.3) return 0;
    }
    return 1;
}

static int covers(const hand *h, size_t i, size_t j) {
    for (size_t k = 0; k < h->list.count; k++) {
        double a = mean_at(h, i, k), b = mean_at(h, j, k);
        if (output_list_is_objective(&h->list, k) && (h->list.spec[k].goal == LOCBO_GOAL_MAXIMIZE ? a < b : a > b))
            return 0;
    }
    return 1;
}

/* Whether the point of trial i is on the front of those told first, from `first` on. Of equals the first. */
static int is_on_front(const hand *h, size_t first, size_t i) {
    if (!counts(h, i)) return 0;
    for (size_t j = first; j < h->trials.count; j++)
        if (j != i && counts(h, j) && covers(h, j, i) && (!covers(h, i, j) || j > i)) return 0;
    return 1;
}

static double slow_volume(const hand *h, size_t first) {
    size_t count = h->list.count, n = 0;
    double *values = calloc((h->trials.count - first) * count, sizeof *values), volume;
    for (size_t i = first; i < h->trials.count; i++) {
        if (!counts(h, i)) continue;
        for (size_t k = 0; k < count; k++) values[n * count + k] = mean_at(h, i, k);
        n++;
    }
    check_ok(locbo_hypervolume(h->table, n, values, h->reference, &volume, &error));
    free(values);
    return volume;
}

/* ---- comparison -------------------------------------------------------------------------------- */

static void check_growth(hand *h) {
    front_growth g;
    size_t step = 0, n = h->trials.count, on_front = 0;
    check_ok(front_growth_find(&g, &h->trials, h->bounds, &error));
    assert_int_equal(g.completed, n);
    for (size_t told = 1; told <= n; told++) {
        size_t row = n - told;
        double volume;
        int extends = is_on_front(h, row, row);
        check_that(!extends ||
                       (step < g.steps && g.point[g.step[step]].row == row && g.point[g.step[step]].completed == told),
                   "trial %zu extends the front, and is not step %zu", row + 1, step);
        step += (size_t)extends;
        check_ok(front_growth_volume(&g, &h->list, h->reference, step, &volume, &error));
        check_close(volume, slow_volume(h, row), 1e-12, 1e-14); /* sums in another order */
    }
    assert_int_equal(step, g.steps);
    for (size_t i = 0; i < g.count; i++) {
        on_front += (size_t)front_growth_has(&g, i);
        assert_int_equal(front_growth_has(&g, i), is_on_front(h, 0, g.point[i].row));
        for (size_t k = 0; k < h->list.count; k++) {
            double mean = mean_at(h, g.point[i].row, k), value = g.value[i * h->list.count + k];
            assert_int_equal(isnan(value), isnan(mean));
            if (!isnan(mean)) check_close(value, mean, 1e-14, 0); /* sums in another order */
        }
    }
    assert_int_equal(on_front, g.front);
    front_growth_release(&g);
}

/* Values on a coarse grid, so that some are equal; some lacking; some points measured several times. */
static void it_is_that_of_the_first_trials(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 60; seed++) {
        draw r = draw_open(seed, 1);
        hand h;
        size_t objectives = 2 + seed % 3, count = 1 + (size_t)draw_below(&r, 40);
        open_hand(&h, objectives, seed % 2, count);
        for (size_t i = 0; i < count; i++) {
            double value[MOST_OUTPUTS];
            for (size_t k = 0; k < h.list.count; k++)
                value[k] = draw_below(&r, 12) == 0 ? (double)NAN : (double)draw_below(&r, 8) / 8;
            set_row(&h, i, seed % 4 ? (double)i : (double)draw_below(&r, count), value);
        }
        print_message("seed %d\n", (int)seed);
        check_growth(&h);
        close_hand(&h);
    }
}

static void nothing_has_no_front(void **state) {
    (void)state;
    hand h;
    front_growth g;
    double volume;
    open_hand(&h, 2, 0, 0);
    check_ok(front_growth_find(&g, &h.trials, h.bounds, &error));
    assert_true(g.count == 0 && g.front == 0 && g.completed == 0);
    check_ok(front_growth_volume(&g, &h.list, h.reference, 0, &volume, &error));
    check_same(volume, 0);
    assert_true(front_growth_is_measurable(&h.list, h.reference));
    h.reference[1] = (double)NAN;
    assert_false(front_growth_is_measurable(&h.list, h.reference));
    front_growth_release(&g);
    close_hand(&h);
}

/* ---- many -------------------------------------------------------------------------------------- */

static double seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Random values in four dimensions, and a front of two that every trial extends. The limits are fifty times what it
 * takes on an idle machine. */
static void many_take_little_time(void **state) {
    (void)state;
    enum { MANY = 50000 };
    static const struct {
        size_t objectives;
        int all;
        double most;
    } cases[] = {{2, 0, 1}, {4, 0, 1}, {2, 1, 5}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        draw r = draw_open(c, 2);
        hand h;
        front_growth g;
        size_t n = cases[c].all ? MANY / 5 : MANY;
        open_hand(&h, cases[c].objectives, 1, n);
        for (size_t i = 0; i < n; i++) {
            double value[MOST_OUTPUTS];
            for (size_t k = 0; k < h.list.count; k++) value[k] = draw_uniform(&r);
            if (cases[c].all) value[1] = value[2] = (double)i / (double)n, value[3] = 1;
            set_row(&h, i, (double)i, value);
        }
        double before = seconds();
        check_ok(front_growth_find(&g, &h.trials, h.bounds, &error));
        double took = seconds() - before;
        print_message("%zu objectives: %zu steps, %zu points, %.3f s\n", cases[c].objectives, g.steps, g.front, took);
        check_that(took < cases[c].most, "it took %g s", took);
        front_growth_release(&g);
        close_hand(&h);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_that_of_the_first_trials),
        cmocka_unit_test(nothing_has_no_front),
        cmocka_unit_test(many_take_little_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
