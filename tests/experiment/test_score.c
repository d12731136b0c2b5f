/* test_score.c - scores over many problems, for results small enough to be checked by hand; score.py
 * has the slow reference. */
#include "score.h"

#include <sys/stat.h>
#include <unistd.h>

#include "by_hand.h"
#include "check.h"
#include "experiment_file.h"
#include "score_print.h"
#include "summary.h"

/* ---- no memory ------------------------------------------------------------------------------ */

static long allocations_left = -1; /* below 0: as many as there are */

void *__real_calloc(size_t count, size_t size);
void *__wrap_calloc(size_t count, size_t size);

void *__wrap_calloc(size_t count, size_t size) {
    if (allocations_left == 0) return NULL;
    if (allocations_left > 0) allocations_left--;
    return __real_calloc(count, size);
}

/* ---- an experiment with runs made by hand --------------------------------------------------- */

enum { SEEDS = 10, ROWS = 2 };

static const char PLAN[] = "name: hand\n"
                           "figure: scores\n"
                           "against: A\n"
                           "score: random\n"
                           "groups: {any: [clean, loud]}\n"
                           "settings: {problem: branin, rounds: 1, alpha: 0.1}\n"
                           "cases: {f+clean: {}, g+clean: {}, f+loud: {}, g+loud: {}, plain: {}}\n"
                           "methods:\n"
                           "  random: {method: random}\n"
                           "  A: {method: locbo}\n"
                           "  B: {method: bo}\n"
                           "  idle: {method: cbo}\n";

static task_row nothing(size_t t) {
    const double no = (double)NAN;
    return (task_row){.t = t,
                      .observed = 99,
                      .recommended = 99,
                      .covered = no,
                      .covered_f = no,
                      .interval_f = no,
                      .utility = no,
                      .bound = no,
                      .bound_f = no,
                      .width = no,
                      .ms = no,
                      .near = no,
                      .middle = no,
                      .far = no,
                      .near_f = no,
                      .middle_f = no,
                      .far_f = no};
}

/* All seeds: this regret, and a hundredth more of it for every seed, so that no two differences are
 * alike and scores stay what they are. */
static void add(scene *s, size_t c, size_t m, double regret, double covered, double ms) {
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        task_row rows[ROWS] = {nothing(0), nothing(1)};
        rows[1].recommended = regret * (1 + (double)seed / 100);
        rows[1].covered = covered;
        rows[1].interval_f = covered / 2;
        rows[1].near_f = covered / 4;
        rows[1].far = covered / 8;
        rows[1].ms = ms;
        task_record record = {ROWS, 0, rows, NULL};
        check_ok(results_add(s->results, plan_cell(&s->plan, c, m), seed, &record, &error));
    }
}

/* Scores: A 0.5, 0.25, 1 and, since 0 has no logarithm, 1e-6; B 2, 0.25, 0.5 and 1e-6. On the last
 * problem random search has no regret. */
static void add_all(scene *s) {
    static const double regret[5][3] = {{2, 1, 4}, {4, 1, 1}, {1, 1, 0.5}, {10, 0, 0}, {0, 1, 1}};
    for (size_t c = 0; c < 5; c++) {
        add(s, c, 0, regret[c][0], (double)NAN, 1);
        add(s, c, 1, regret[c][1], c == 1 ? 1 : 0.5, 1 + (double)c);
        add(s, c, 2, regret[c][2], 0.25, 7);
    }
}

/* Made once, since every run is put on disk. */
static scene whole;

static int open_whole(void **state) {
    (void)state;
    begin(&whole, PLAN);
    add_all(&whole);
    return 0;
}

static int close_whole(void **state) {
    (void)state;
    end(&whole);
    return 0;
}

static void make(score *made) { check_ok(score_make(&whole.plan, whole.results, made, &error)); }

/* ---- columns -------------------------------------------------------------------------------- */

enum { CLEAN, LOUD, ANY, ALL, COLUMNS };

static void columns_are_kinds_groups_and_all(void **state) {
    (void)state;
    static const char *const names[COLUMNS] = {"clean", "loud", "any", "all"};
    static const size_t problems[COLUMNS] = {2, 2, 4, 5};
    score made;
    make(&made);
    assert_int_equal(made.columns, COLUMNS);
    for (size_t i = 0; i < COLUMNS; i++) {
        assert_string_equal(made.column[i].name, names[i]);
        assert_int_equal(made.column[i].problems, problems[i]);
    }
    assert_true(made.column[LOUD].has[2] && !made.column[LOUD].has[0] && !made.column[ANY].has[4]);
    assert_int_equal(made.solved, 1);
    score_release(&made);
}

/* ---- scores --------------------------------------------------------------------------------- */

static const score_row *row_of(const score *made, size_t method, size_t column) {
    for (size_t i = 0; i < made->rows; i++)
        if (made->row[i].method == method && made->row[i].column == column) return &made->row[i];
    fail_msg("no row of method %zu, column %zu", method, column);
    return NULL;
}

static void scores_by_hand(void **state) {
    (void)state;
    static const double value[3][COLUMNS] = {
        {1, 1, 1, 1}, {0.375, 0.5000005, 0.375, 0.375}, {1.125, 0.2500005, 0.375, 0.375}};
    static const size_t problems[COLUMNS] = {2, 2, 4, 4};
    score made;
    make(&made);
    assert_int_equal(made.rows, 3 * COLUMNS); /* none of idle, which was not run */
    for (size_t m = 0; m < 3; m++)
        for (size_t i = 0; i < COLUMNS; i++) {
            const score_row *row = row_of(&made, m, i);
            assert_int_equal(row->problems, problems[i]);
            check_close(row->score.value, value[m][i], 1e-12, 0);
        }
    /* A is 0.5 and 0.25: drawn twice each, or one of each. All methods have the same seeds drawn, so
     * nothing else varies. */
    const stats_interval *clean = &row_of(&made, 1, CLEAN)->score;
    check_close(clean->low, 0.25, 1e-12, 0);
    check_close(clean->high, 0.5, 1e-12, 0);
    score_release(&made);
}

static void ranks_by_hand(void **state) {
    (void)state;
    score made;
    make(&made);
    check_close(row_of(&made, 1, CLEAN)->rank, (1 + 1.5) / 2, 1e-15, 0);
    check_close(row_of(&made, 2, CLEAN)->rank, (3 + 1.5) / 2, 1e-15, 0);
    check_close(row_of(&made, 0, CLEAN)->rank, (2 + 3) / 2., 1e-15, 0);
    check_close(row_of(&made, 1, ALL)->rank, (1 + 1.5 + 2.5 + 1.5) / 4, 1e-15, 0);
    check_close(row_of(&made, 2, ALL)->rank, (3 + 1.5 + 1 + 1.5) / 4, 1e-15, 0);
    score_release(&made);
}

static void coverage_by_hand(void **state) {
    (void)state;
    score made;
    make(&made);
    const score_row *a = row_of(&made, 1, ALL), *clean = row_of(&made, 1, CLEAN);
    check_close(a->target, 0.9, 1e-12, 0);
    check_close(a->ms, 3, 1e-15, 0); /* of 1 .. 5: problems without a score count, too */
    check_close(clean->ms, 1.5, 1e-15, 0);
    check_close(a->share[SAMPLE_COVERED], 0.6, 1e-15, 0);
    check_close(clean->share[SAMPLE_COVERED], 0.75, 1e-15, 0);
    check_close(a->share[SAMPLE_INTERVAL_F], 0.3, 1e-15, 0);
    check_close(a->share[SAMPLE_NEAR_F], 0.15, 1e-15, 0);
    check_close(a->share[SAMPLE_FAR], 0.075, 1e-15, 0);
    check_that(isnan(a->share[SAMPLE_NEAR]) && isnan(a->share[SAMPLE_FAR_F]), "%g", a->share[SAMPLE_NEAR]);
    check_that(isnan(row_of(&made, 0, ALL)->target), "random search has no set");
    score_release(&made);
}

/* ---- comparisons ---------------------------------------------------------------------------- */

static const score_pair *pair_of(const score *made, size_t method, size_t column) {
    for (size_t i = 0; i < made->pairs; i++)
        if (made->pair[i].method == method && made->pair[i].column == column) return &made->pair[i];
    fail_msg("no pair with method %zu, column %zu", method, column);
    return NULL;
}

static void check_counts(const score_pair *pair, size_t better, size_t worse, size_t neither) {
    assert_int_equal(pair->better, better);
    assert_int_equal(pair->worse, worse);
    assert_int_equal(pair->neither, neither);
    assert_int_equal(pair->problems, better + worse + neither);
}

static void comparisons_by_hand(void **state) {
    (void)state;
    score made;
    make(&made);
    assert_int_equal(made.pairs, 2 * COLUMNS); /* A with random and with B */
    check_close(pair_of(&made, 2, CLEAN)->ratio.value, 0.375 / 1.125, 1e-12, 0);
    check_close(pair_of(&made, 2, CLEAN)->ratio.low, 0.25, 1e-12, 0); /* 0.5/2, or 0.25/0.25 */
    check_close(pair_of(&made, 2, CLEAN)->ratio.high, 1, 1e-12, 0);
    check_close(pair_of(&made, 2, ALL)->ratio.value, 1, 1e-12, 0);
    check_close(pair_of(&made, 0, ALL)->ratio.value, 0.375, 1e-12, 0);
    for (size_t i = 0; i < made.pairs; i++) check_same(made.pair[i].p, 1); /* few problems */
    /* ten differences of one sign: 2/1024, of four problems */
    check_counts(pair_of(&made, 2, ALL), 1, 1, 2);
    check_counts(pair_of(&made, 2, CLEAN), 1, 0, 1);
    check_counts(pair_of(&made, 2, LOUD), 0, 1, 1);
    check_counts(pair_of(&made, 0, ANY), 3, 0, 1);
    score_release(&made);
}

/* ---- little or nothing ---------------------------------------------------------------------- */

static void without_the_reference(void **state) {
    (void)state;
    scene s;
    score made;
    begin(&s, PLAN);
    check_ok(score_make(&s.plan, s.results, &made, &error)); /* no runs at all */
    assert_int_equal(made.rows + made.pairs, 0);
    score_release(&made);
    add(&s, 0, 1, 3, 0.5, 2);
    check_ok(score_make(&s.plan, s.results, &made, &error));
    assert_int_equal(made.rows, COLUMNS);
    assert_int_equal(made.pairs, 0);
    check_that(isnan(made.row[ALL].score.value) && made.row[ALL].problems == 0, "%g", made.row[ALL].score.value);
    check_that(isnan(made.row[ALL].rank), "%g", made.row[ALL].rank);
    check_close(made.row[ALL].share[SAMPLE_COVERED], 0.5, 1e-15, 0);
    score_release(&made);
    add(&s, 0, 0, 6, (double)NAN, 1); /* one problem says nothing of others */
    check_ok(score_make(&s.plan, s.results, &made, &error));
    const stats_interval *one = &row_of(&made, 1, ALL)->score;
    check_close(one->value, 0.5, 1e-15, 0);
    check_that(one->low == -INFINITY && one->high == INFINITY, "%g to %g", one->low, one->high);
    score_release(&made);
    end(&s);
}

static void no_memory(void **state) {
    (void)state;
    scene s;
    score made;
    long n = 0;
    locbo_error error;
    begin(&s, PLAN);
    add(&s, 0, 0, 2, 0.5, 1);
    add(&s, 0, 1, 1, 0.5, 1);
    /* the first ones all, then every seventh: cells repeat themselves, and not in sevens */
    for (locbo_status status = LOCBO_ERR_MEMORY; status != LOCBO_OK; n += n < 60 ? 1 : 7) {
        allocations_left = n;
        status = score_make(&s.plan, s.results, &made, &error);
        allocations_left = -1;
        check_that(status == LOCBO_OK || (status == LOCBO_ERR_MEMORY && !made.row), "%ld: %s", n, error.message);
    }
    check_that(n > 100, "only %ld allocations", n);
    score_release(&made);
    end(&s);
}

/* ---- for people ----------------------------------------------------------------------------- */

static void check_says(const char *text, const char *words) {
    check_that(strstr(text, words) != NULL, "no '%s' in\n%s", words, text);
}

static void the_page(void **state) {
    (void)state;
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    assert_non_null(to);
    check_ok(summary_print(&whole.plan, whole.results, to, &error));
    fclose(to);
    check_says(text, "over that of random");
    check_says(text, "A       0.375   0.5  0.375  0.375 [");
    check_says(text, "1.62      3.00\n");
    check_says(text, "1 problem is left out: random has no regret there");
    check_says(text, "A       y    0.900      -       -  0.075  0.750  0.500  0.625  0.600\n");
    check_says(text, "A       f    0.900  0.150       -      -  0.375  0.250  0.312  0.300\n");
    check_that(strstr(text, "\nrandom  y") == NULL, "random search has no set:\n%s", text);
    check_says(text, "B       clean         2  0.333 [0.250, 1.000]    1.0000       1      0        1\n");
    check_that(strstr(text, "f+clean") == NULL, "no table of all cases:\n%s", text);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_kinds_groups_and_all),
        cmocka_unit_test(scores_by_hand),
        cmocka_unit_test(ranks_by_hand),
        cmocka_unit_test(coverage_by_hand),
        cmocka_unit_test(comparisons_by_hand),
        cmocka_unit_test(without_the_reference),
        cmocka_unit_test(no_memory),
        cmocka_unit_test(the_page),
    };
    return cmocka_run_group_tests(tests, open_whole, close_whole);
}
