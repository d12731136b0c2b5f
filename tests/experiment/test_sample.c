/* test_sample.c - numbers of many runs, the account of an experiment and its tables: small cases by hand. */
#include "sample.h"

#include <sys/stat.h>
#include <unistd.h>

#include "account.h"
#include "by_hand.h"
#include "check.h"
#include "experiment_file.h"
#include "table.h"

/* ---- an experiment with runs made by hand ------------------------------------------------------ */

/* Rows at 0, 2, 4, 5. Three methods, two cases; B is run in case y only. */
static const char PLAN[] = "name: hand\n"
                           "figure: sweep\n"
                           "against: BO\n"
                           "settings: {problem: branin, rounds: 5, every: 2, alpha: 0.1}\n"
                           "cases: {x: {at: 1}, y: {at: 2}}\n"
                           "methods:\n"
                           "  BO: {method: bo}\n"
                           "  A: {method: locbo}\n"
                           "  B: {method: random, only: [y]}\n";

/* A run that ends with this regret: 4, 3, 2 more at rounds 0, 2, 4. Two rounds half covered, two covered, one not. */
static void add(scene *s, size_t c, size_t m, uint64_t seed, double regret) {
    const double none = NAN, wide = INFINITY;
#define NONE18                                                                                                         \
    none, none, none, none, none, none, none, none, none, none, none, none, none, none, none, none, none, none
#define NONE24 none, none, none, none, none, none, NONE18
    task_row rows[] = {
        {0, regret + 4, regret + 8, none, none, none, none, none, none, none, none, NONE24},
        {2, regret + 3, regret + 6, 0.5, 1, 0, none, 0.1, 0.01, 1, 10, NONE24},
        {4, regret + 2, regret + 4, 1, 1, 0.5, none, 0.2, 0.02, 3, 20, NONE24},
        {5, regret, 2 * regret, 0, 1, 1, none, 0.3, none, wide, 60, 1, 0.5, 0, 0.75, 0.25, none, NONE18}};
    task_record record = {4, 0, rows, NULL};
    check_ok(results_add(s->results, plan_cell(&s->plan, c, m), seed, &record, &error));
}

static void check_values(const sample *s, size_t n, const double *expected) {
    assert_int_equal(s->n, n);
    for (size_t i = 0; i < n; i++) check_close(s->value[i], expected[i], 1e-14, 0);
}

/* ---- one number a run -------------------------------------------------------------------------- */

static double only(const scene *s, size_t t, sample_column column) {
    sample taken;
    check_ok(sample_at(s->results, 0, t, column, &taken, &error));
    assert_true(taken.n <= 1);
    double value = taken.n ? taken.value[0] : NAN;
    sample_release(&taken);
    return value;
}

static void columns_by_hand(void **state) {
    (void)state;
    scene s;
    begin(&s, PLAN);
    add(&s, 0, 0, 1, 7);
    const size_t all = 1000;
    check_close(only(&s, all, SAMPLE_OBSERVED), 7, 0, 0);
    check_close(only(&s, all, SAMPLE_RECOMMENDED), 14, 0, 0);
    check_close(only(&s, all, SAMPLE_COVERED), (2 * 0.5 + 2 * 1 + 0) / 5, 1e-15, 0);
    check_close(only(&s, all, SAMPLE_COVERED_F), 1, 1e-15, 0);
    check_close(only(&s, all, SAMPLE_INTERVAL_F), (0 + 2 * 0.5 + 1) / 5, 1e-15, 0);
    check_that(isnan(only(&s, all, SAMPLE_UTILITY)), "utility");
    check_close(only(&s, all, SAMPLE_BOUND), 0.3, 0, 0);
    check_that(isnan(only(&s, all, SAMPLE_BOUND_F)), "bound_f");
    check_close(only(&s, all, SAMPLE_WIDTH), 3, 0, 0); /* the median of 1, 3 and infinity */
    check_close(only(&s, all, SAMPLE_MS), (2 * 10 + 2 * 20 + 60) / 5., 1e-15, 0);
    check_close(only(&s, all, SAMPLE_NEAR), 1, 0, 0);
    check_close(only(&s, all, SAMPLE_MIDDLE), 0.5, 0, 0);
    check_close(only(&s, all, SAMPLE_FAR), 0, 0, 0);
    check_close(only(&s, all, SAMPLE_NEAR_F), 0.75, 0, 0);
    check_close(only(&s, all, SAMPLE_MIDDLE_F), 0.25, 0, 0);
    check_that(isnan(only(&s, all, SAMPLE_FAR_F)), "far_f");
    check_that(isnan(only(&s, 4, SAMPLE_NEAR)), "thirds before the end");
    end(&s);
}

/* After round t: the last row at or before it; shares over what came until then. */
static void columns_at_a_round(void **state) {
    (void)state;
    scene s;
    begin(&s, PLAN);
    add(&s, 0, 0, 1, 7);
    static const double observed[] = {11, 11, 10, 10, 9, 7};
    for (size_t t = 0; t < 6; t++) check_close(only(&s, t, SAMPLE_OBSERVED), observed[t], 0, 0);
    check_that(isnan(only(&s, 1, SAMPLE_COVERED)), "nothing is covered before the first round");
    check_close(only(&s, 2, SAMPLE_COVERED), 0.5, 1e-15, 0);
    check_close(only(&s, 4, SAMPLE_COVERED), 0.75, 1e-15, 0);
    check_close(only(&s, 4, SAMPLE_WIDTH), 2, 1e-15, 0);
    check_close(only(&s, 4, SAMPLE_BOUND_F), 0.02, 0, 0);
    end(&s);
}

/* ---- many runs --------------------------------------------------------------------------------- */

static void samples_are_of_one_cell_in_the_order_of_seeds(void **state) {
    (void)state;
    scene s;
    sample taken;
    begin(&s, PLAN);
    add(&s, 0, 1, 2, 20);
    add(&s, 1, 0, 1, 99);
    add(&s, 0, 1, 9, 90);
    add(&s, 0, 1, 1, 10);
    add(&s, 0, 1, 5, NAN); /* left out */
    check_ok(sample_take(s.results, plan_cell(&s.plan, 0, 1), SAMPLE_OBSERVED, &taken, &error));
    check_values(&taken, 3, (double[]){10, 20, 90});
    assert_int_equal(taken.seed[0], 1);
    assert_int_equal(taken.seed[1], 2);
    assert_int_equal(taken.seed[2], 9);
    sample_release(&taken);
    check_ok(sample_take(s.results, plan_cell(&s.plan, 1, 2), SAMPLE_OBSERVED, &taken, &error));
    assert_int_equal(taken.n, 0); /* the last cell, and an empty one */
    sample_release(&taken);
    end(&s);
}

static void pairs_are_seeds_that_both_have(void **state) {
    (void)state;
    sample a = {4, (uint64_t[]){1, 2, 5, 7}, (double[]){10, 20, 50, 70}};
    sample b = {4, (uint64_t[]){2, 3, 7, 8}, (double[]){1, 2, 3, 4}}, d;
    check_ok(sample_difference(&a, &b, &d, &error));
    check_values(&d, 2, (double[]){19, 67});
    assert_int_equal(d.seed[0], 2);
    assert_int_equal(d.seed[1], 7);
    sample_release(&d);
    sample none = {0, NULL, NULL};
    check_ok(sample_difference(&a, &none, &d, &error));
    assert_int_equal(d.n, 0);
    sample_release(&d);
    check_ok(sample_difference(&none, &a, &d, &error));
    assert_int_equal(d.n, 0);
    sample_release(&d);
}

/* The ratio of means, not the mean of ratios. If one is always half the other there is nothing uncertain; if not, the
 * interval lies within the extremes of what resampling can give. */
static void ratios_by_hand(void **state) {
    (void)state;
    sample a = {3, (uint64_t[]){1, 2, 3}, (double[]){1, 2, 6}};
    sample b = {3, (uint64_t[]){1, 2, 3}, (double[]){2, 4, 12}}, none = {0, NULL, NULL};
    sample c = {4, (uint64_t[]){1, 2, 3, 4}, (double[]){1, 8, 6, 100}};
    stats_interval r;
    check_ok(sample_ratio(&a, &b, &r, &error));
    check_close(r.low, 0.5, 1e-15, 0);
    check_close(r.value, 0.5, 1e-15, 0);
    check_close(r.high, 0.5, 1e-15, 0);
    check_ok(sample_ratio(&a, &c, &r, &error));
    check_close(r.value, 9. / 15, 1e-15, 0);
    check_close(r.low, 0.25, 1e-15, 0); /* all draws of seed 2: one in 27, more than 2.5 % */
    check_close(r.high, 1, 1e-15, 0);
    check_ok(sample_ratio(&a, &none, &r, &error));
    check_that(isnan(r.value) && isnan(r.low) && isnan(r.high), "%g", r.value);
}

static void intervals_by_hand(void **state) {
    (void)state;
    sample s = {5, (uint64_t[]){1, 2, 3, 4, 5}, (double[]){5, 1, 4, 2, 3}};
    sample same = {3, (uint64_t[]){1, 2, 3}, (double[]){2, 2, 2}};
    stats_interval i, again;
    check_ok(sample_interval(&s, STATS_MEAN, &i, &error));
    check_close(i.value, 3, 1e-15, 0);
    /* five draws of 1 .. 5: the standard error is sqrt(2/5) = 0.63, so roughly 3 -+ 1.24, in steps of 0.2 */
    check_close(i.low, 1.8, 0, 0.21);
    check_close(i.high, 4.2, 0, 0.21);
    check_ok(sample_interval(&s, STATS_MEAN, &again, &error));
    assert_memory_equal(&i, &again, sizeof i); /* the draws are always the same */
    check_ok(sample_interval(&s, STATS_MEDIAN, &i, &error));
    check_close(i.value, 3, 0, 0);
    check_ok(sample_interval(&same, STATS_MEDIAN, &i, &error));
    check_close(i.low, 2, 0, 0);
    check_close(i.high, 2, 0, 0);
}

/* ---- the plan ---------------------------------------------------------------------------------- */

static void a_method_of_one_case_stands_for_all(void **state) {
    (void)state;
    scene s;
    begin(&s, PLAN);
    plan *p = &s.plan;
    assert_int_equal(plan_source(p, 0, 1), plan_cell(p, 0, 1));
    assert_int_equal(plan_source(p, 0, 2), plan_cell(p, 1, 2)); /* B, of case y */
    assert_int_equal(plan_source(p, 1, 2), plan_cell(p, 1, 2));
    p->figure = PLAN_FIGURE_DOTS; /* cases that are no places on an axis stand for themselves */
    assert_int_equal(plan_source(p, 0, 2), plan_cells(p));
    assert_int_equal(plan_find_case(p, "y"), 1);
    assert_int_equal(plan_find_case(p, "z"), 2);
    assert_int_equal(plan_find_method(p, "B"), 2);
    assert_int_equal(plan_find_method(p, "b"), 3);
    assert_false(plan_is_value(p));
    end(&s);
}

/* ---- the account ------------------------------------------------------------------------------- */

/* Case x: A below BO by 1 .. 5. Case y: A now above, now below; B has a seed of its own only. */
static void add_all(scene *s) {
    static const double swing[] = {1, -2, 3, -4, 5};
    for (uint64_t seed = 1; seed <= 5; seed++) {
        double bo = 10 * (double)seed;
        add(s, 0, 0, seed, bo);
        add(s, 0, 1, seed, bo - (double)seed);
        add(s, 1, 0, seed, bo);
        add(s, 1, 1, seed, bo + swing[seed - 1]);
    }
    add(s, 1, 2, 8, 1);
}

static void the_account_by_hand(void **state) {
    (void)state;
    scene s;
    account a;
    begin(&s, PLAN);
    add_all(&s);
    check_ok(account_make(&s.plan, s.results, &a, &error));
    assert_int_equal(a.rows, 5); /* B is not run in x */
    static const size_t cells[] = {0, 1, 3, 4, 5};
    static const double means[] = {30, 27, 30, 30.6, 1}, medians[] = {30, 27, 30, 33, 1};
    for (size_t i = 0; i < 5; i++) {
        const account_row *row = &a.row[i];
        assert_int_equal(row->cell, cells[i]);
        assert_int_equal(row->seeds, i < 4 ? 5 : 1);
        check_close(row->mean.value, means[i], 1e-14, 0);
        check_close(row->median.value, medians[i], 1e-14, 0);
        check_close(row->recommended.value, 2 * means[i], 1e-14, 0);
        check_that(row->mean.low <= row->mean.value && row->mean.value <= row->mean.high, "%g", means[i]);
        check_close(row->target, 0.9, 1e-15, 0);
        check_close(row->covered, 0.6, 1e-14, 0);
        check_close(row->covered_f, 1, 1e-14, 0);
        check_close(row->interval_f, 0.4, 1e-14, 0);
        check_close(row->width, 3, 0, 0);
        check_close(row->ms, 24, 1e-14, 0);
    }
    /* the method of reference has none, nor has a method without a common seed */
    check_that(isnan(a.row[0].p) && isnan(a.row[2].p) && isnan(a.row[4].p), "p of BO: %g", a.row[0].p);
    check_that(isnan(a.row[0].difference.value) && isnan(a.row[4].difference.value), "difference");
    check_close(a.row[1].difference.value, -3, 1e-14, 0);
    check_close(a.row[3].difference.value, 0.6, 1e-12, 0);
    /* five of one sign: 2/32, and of two tests the smaller counts twice; rank sum 9 of 15: 26/32 */
    check_close(a.row[1].p, 2 * 2 / 32., 1e-12, 0);
    check_close(a.row[3].p, 26 / 32., 1e-12, 0);
    check_that(a.row[4].mean.low == -INFINITY && a.row[4].mean.high == INFINITY, "one seed: %g", a.row[4].mean.low);
    account_release(&a);
    end(&s);
}

/* In a sweep a method that was run for another case only is still what the others are compared with. */
static void the_reference_may_be_of_another_case(void **state) {
    (void)state;
    scene s;
    account a;
    begin(&s, PLAN);
    s.plan.against = 2; /* B, of case y */
    for (uint64_t seed = 1; seed <= 3; seed++) {
        add(&s, 0, 0, seed, 10);
        add(&s, 1, 2, seed, 4);
    }
    check_ok(account_make(&s.plan, s.results, &a, &error));
    assert_int_equal(a.rows, 2);
    check_close(a.row[0].difference.value, 6, 1e-14, 0);
    check_that(isnan(a.row[1].difference.value), "%g", a.row[1].difference.value);
    account_release(&a);
    end(&s);
}

static char *printed(const scene *s) {
    char *text = NULL;
    size_t size;
    account a;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    check_ok(account_make(&s->plan, s->results, &a, &error));
    check_ok(account_print(&s->plan, &a, to, &error));
    account_release(&a);
    fclose(to);
    return text;
}

static void check_says(const char *text, const char *words) {
    check_that(strstr(text, words) != NULL, "no '%s' in\n%s", words, text);
}

static void the_account_as_tables(void **state) {
    (void)state;
    scene s;
    begin(&s, PLAN);
    add_all(&s);
    char *text = printed(&s);
    check_says(text, "simple regret");
    check_says(text, "mean - BO");
    check_says(text, "-3.000 [");
    check_says(text, "0.1250\n");
    check_that(strstr(text, "inf") == NULL, "one seed has no interval:\n%s", text);
    check_says(text, "x     A        0.900     0.600     1.000       0.400      3     24.00\n");
    free(text);
    end(&s);
    begin(&s, PLAN); /* nothing at all: titles only */
    text = printed(&s);
    check_says(text, "case  method  seeds");
    free(text);
    end(&s);
}

/* ---- tables ------------------------------------------------------------------------------------ */

static char *table_text(table *t) {
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    check_ok(table_print(t, to, &error));
    fclose(to);
    return text;
}

static void tables_are_aligned(void **state) {
    (void)state;
    table *t;
    static const char *const titles[] = {"<name", "n", "<what"};
    check_ok(table_create(&t, 3, titles, &error));
    char *text = table_text(t);
    assert_string_equal(text, "name  n  what\n");
    free(text);
    check_ok(table_add(t, &error, "%s", "a"));
    check_ok(table_add(t, &error, "%d", 12345));
    check_ok(table_add(t, &error, "first"));
    check_ok(table_add(t, &error, "longer"));
    check_ok(table_add(t, &error, "7"));
    check_ok(table_add(t, &error, "%s", "<x>"));
    check_ok(table_add(t, &error, "left out"));
    text = table_text(t);
    assert_string_equal(text, "name          n  what\n"
                              "a         12345  first\n"
                              "longer        7  <x>\n");
    free(text);
    table_destroy(t);
    table_destroy(NULL);
}

static void a_table_that_cannot_be_written(void **state) {
    (void)state;
    table *t;
    static const char *const titles[] = {"n"};
    check_ok(table_create(&t, 1, titles, &error));
    FILE *to = fopen("/dev/null", "r"); /* not for writing */
    assert_non_null(to);
    check_fails(table_print(t, to, &error), LOCBO_ERR_IO, "the table could not be written");
    fclose(to);
    table_destroy(t);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_by_hand),
        cmocka_unit_test(columns_at_a_round),
        cmocka_unit_test(samples_are_of_one_cell_in_the_order_of_seeds),
        cmocka_unit_test(pairs_are_seeds_that_both_have),
        cmocka_unit_test(ratios_by_hand),
        cmocka_unit_test(intervals_by_hand),
        cmocka_unit_test(a_method_of_one_case_stands_for_all),
        cmocka_unit_test(the_account_by_hand),
        cmocka_unit_test(the_reference_may_be_of_another_case),
        cmocka_unit_test(the_account_as_tables),
        cmocka_unit_test(tables_are_aligned),
        cmocka_unit_test(a_table_that_cannot_be_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
