/* test_cost_account.c - the tables of problems with a fidelity, for results small enough to be checked by hand. */
#include "cost_account.h"

#include "by_hand.h"
#include "check.h"
#include "summary.h"

enum { SEEDS = 5, ROUNDS = 6, CHOOSE = 0, FULL = 1, RANDOM = 2 };

static const char PLAN[] = "name: hand\n"
                           "against: full\n"
                           "settings: {problem: branin-fidelity, rounds: 6, target: 5}\n"
                           "cases: {f: {}, one: {problem: branin, target: 0}}\n"
                           "methods:\n"
                           "  choose: {fidelity: choose, only: [f]}\n"
                           "  full: {}\n"
                           "  random: {method: random}\n";

/* The regret of seed 1, 2, ... after round t is `regret` times seed times (7 - t), at most `most`. */
static void add(scene *s, size_t c, size_t m, double regret, double most, double cheap) {
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        task_row rows[ROUNDS + 1];
        for (size_t i = 0; i <= ROUNDS; i++) {
            for (size_t k = 0; k < TASK_ROW_NUMBERS; k++) task_numbers(&rows[i])[k] = (double)NAN;
            rows[i].t = i;
            rows[i].observed = rows[i].recommended = fmin(most, regret * (double)seed * (double)(7 - i));
            rows[i].cost = (double)i;
            rows[i].evaluations = cheap * (double)i;
            rows[i].full = 1 / cheap;
            rows[i].ended = (double)i;
            rows[i].mistaken = (double)i / 2;
            rows[i].ms = 10;
        }
        task_record record = {ROUNDS + 1, 0, rows, NULL};
        check_ok(results_add(s->results, plan_cell(&s->plan, c, m), seed, &record, &error));
    }
}

static void begin_all(scene *s) {
    begin(s, PLAN);
    add(s, 0, CHOOSE, 0.5, 100, 4); /* half the regret of full */
    add(s, 0, FULL, 1, 100, 1);
    add(s, 0, RANDOM, 3.5, 100, 1); /* 7 at seed 1 and round 5, when full has 2; never as good */
    add(s, 1, FULL, 1, 100, 1);
}

static void rows_by_hand(void **state) {
    (void)state;
    scene s;
    cost_account made;
    begin_all(&s);
    assert_true(cost_account_exists(&s.plan));
    check_ok(cost_account_make(&s.plan, s.results, &made, &error));
    assert_int_equal(made.rows, 3); /* the case without a fidelity has none */
    const cost_account_row *choose = &made.row[0], *full = &made.row[1], *random = &made.row[2];
    /* at round 5: 1, 2, 3, 4, 5; 2, 4, ..., 10; 7, 14, ..., 35 */
    check_same(choose->median, 3);
    check_same(choose->low, 2);
    check_same(choose->high, 4);
    check_close(choose->p90, 4.6, 1e-12, 0);
    check_same(choose->worst, 5);
    assert_true(choose->lost == 0 && full->lost == 0);
    check_close(random->lost, 0.4, 1e-12, 0); /* 28 and 35 of 21 */
    check_close(choose->ratio.value, 2, 1e-12, 0);
    assert_true(isnan(full->ratio.value) && isnan(full->p));
    /* 0.5 seed (7 - t) <= 2 seed from t = 3 on: 3/5 of the target */
    check_close(choose->reach.value, 0.6, 1e-12, 0);
    check_close(choose->reach.low, 0.6, 1e-12, 0);
    check_close(choose->reach_median, 0.6, 1e-12, 0);
    check_close(choose->limit, 1.2, 1e-12, 0);
    assert_true(choose->never == 0);
    check_close(full->reach.value, 1, 1e-12, 0);
    assert_true(random->never == 1 && random->reach.value > random->limit && random->reach_median > random->limit);
    check_close(choose->cost, 5, 1e-12, 0);
    check_close(choose->evaluations, 20, 1e-12, 0);
    check_close(choose->saved, 0.75, 1e-12, 0);
    check_close(choose->ended, 0.25, 1e-12, 0);
    check_close(choose->mistaken, 0.125, 1e-12, 0);
    check_close(choose->full, 0.25, 1e-12, 0);
    check_same(choose->ms, 10);
    cost_account_release(&made);
    end(&s);
}

static void the_page_has_the_tables(void **state) {
    (void)state;
    scene s;
    char text[16384] = "";
    begin_all(&s);
    FILE *to = fmemopen(text, sizeof text, "w");
    assert_non_null(to);
    check_ok(summary_print(&s.plan, s.results, to, &error));
    fclose(to);
    check_that(strstr(text, "full / it") != NULL, "%s", text);
    check_that(strstr(text, "f     choose      5            3 (2, 4)") != NULL, "%s", text);
    check_that(strstr(text, "0.6 [0.6, 0.6]         0.6   0.00") != NULL, "%s", text);
    check_that(strstr(text, ">1.2 [>1.2, >1.2]        >1.2   1.00") != NULL, "%s", text);
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_by_hand),
        cmocka_unit_test(the_page_has_the_tables),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
