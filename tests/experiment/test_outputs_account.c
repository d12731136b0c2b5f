/* test_outputs_account.c - the table of problems with several outputs, for results small enough to be checked by hand.
 */
#include "outputs_account.h"

#include "by_hand.h"
#include "check.h"
#include "summary.h"

enum { SEEDS = 5, MODEL = 0, OTHER = 1, RANDOM = 2 };

static const char PLAN[] = "name: hand\n"
                           "against: model\n"
                           "score: random\n"
                           "groups: {limits: [f], loud: [noisy]}\n"
                           "settings: {problem: gramacy, rounds: 1}\n"
                           "cases: {f+clean: {}, f+noisy: {}, one+noisy: {problem: branin}}\n"
                           "methods:\n"
                           "  model: {}\n"
                           "  other: {outputs: penalty, only: [f+clean]}\n"
                           "  random: {method: random}\n";

/* The regret of seed 1, 2, ... is `regret` times 1, 2, ...; the last `infeasible` seeds have no feasible report. */
static void add(scene *s, size_t c, size_t m, double regret, size_t infeasible) {
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        task_row rows[2];
        for (size_t i = 0; i < 2; i++) {
            for (size_t k = 0; k < TASK_ROW_NUMBERS; k++) task_numbers(&rows[i])[k] = (double)NAN;
            rows[i].t = i;
            rows[i].observed = 10 * regret;
            rows[i].recommended = regret * (double)seed;
            rows[i].feasible = seed + infeasible <= SEEDS;
            if (m == MODEL) rows[i].promised = 0.75;
        }
        task_record record = {2, 0, rows, NULL};
        check_ok(results_add(s->results, plan_cell(&s->plan, c, m), seed, &record, &error));
    }
}

static void begin_all(scene *s) {
    begin(s, PLAN);
    add(s, 0, MODEL, 2, 0);
    add(s, 0, OTHER, 8, 2);
    add(s, 0, RANDOM, 1, 5);
    add(s, 1, MODEL, 0, 0);
    add(s, 1, RANDOM, 100, 0);
    add(s, 2, MODEL, 1, 0);
}

static void rows_by_hand(void **state) {
    (void)state;
    scene s;
    outputs_account made;
    begin_all(&s);
    assert_true(outputs_account_exists(&s.plan));
    check_ok(outputs_account_make(&s.plan, s.results, &made, &error));
    assert_int_equal(made.rows, 5); /* the case with one output has none */
    const outputs_account_row *model = &made.row[0], *other = &made.row[1], *random = &made.row[2];
    check_same(model->median.value, 6);
    assert_true(isnan(model->ratio.value) && isnan(model->p));
    check_same(model->measured, 20);
    check_same(model->feasible, 1);
    check_same(model->promised, 0.75);
    check_same(model->kept, 6);
    check_close(other->ratio.value, 0.25, 1e-12, 0); /* every pair has it: logarithms and their mean are rounded */
    check_close(other->ratio.low, 0.25, 1e-12, 0);
    check_same(other->feasible, 0.6);
    check_same(other->kept, 16); /* of 8, 16, 24 */
    assert_true(isnan(other->promised));
    check_close(random->ratio.value, 2, 1e-12, 0);
    assert_true(random->feasible == 0 && isnan(random->kept));
    /* no regret counts as a millionth of random search's median, which is 300: the mean over 100, ..., 500 */
    double expected = 0;
    for (int i = 1; i <= SEEDS; i++) expected += log(3e-4 / (100.0 * i)) / SEEDS;
    check_close(made.row[4].ratio.value, exp(expected), 1e-12, 0);
    /* exact two-sided p of five equal signs is 1/16 (ties have mean ranks); Holm over three rows */
    for (size_t i = 1; i < 5; i++)
        check_that(isnan(made.row[i].p) || (made.row[i].p > 0.05 && made.row[i].p <= 1), "p %g", made.row[i].p);
    outputs_account_release(&made);
    end(&s);
}

/* The page of a scored plan ends with the table; a group may name functions as well as kinds. */
static void the_page_has_the_table(void **state) {
    (void)state;
    scene s;
    char text[16384] = "";
    begin_all(&s);
    assert_true(s.plan.group[0].has[0] && s.plan.group[0].has[1] && !s.plan.group[0].has[2]);
    assert_true(!s.plan.group[1].has[0] && s.plan.group[1].has[1] && s.plan.group[1].has[2]);
    FILE *to = fmemopen(text, sizeof text, "w");
    assert_non_null(to);
    check_ok(summary_print(&s.plan, s.results, to, &error));
    fclose(to);
    const char *table = strstr(text, "model / it");
    check_that(table != NULL, "%s", text);
    check_that(strstr(table, "f+clean  other       5      24 [8, 40]") != NULL, "%s", table);
    check_that(strstr(table, "one+noisy") == NULL, "%s", table);
    /* random search: none of f+clean, all of f+noisy */
    check_that(strstr(table, "random         2     0.500  0.000  f+clean\n") != NULL, "%s", table);
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_by_hand),
        cmocka_unit_test(the_page_has_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
