/* test_cost_run.c - runs of problems with a fidelity: the same bits for the same seed, rows by what is spent, methods
 * that share problem and noise, and settings that do not fit. */
#include "cost_run.h"

#include "check.h"

enum { ROUNDS = 8 };

static task make_task(const char *name) {
    task t;
    task_init(&t);
    snprintf(t.problem, sizeof t.problem, "%s", name);
    t.initial = 3;
    t.rounds = ROUNDS;
    t.noise = (noise){NOISE_GAUSSIAN, 0.02, 0};
    t.relative = t.move = 1;
    return t;
}

static task make_random(const char *name, task_fidelity fidelity) {
    task t = make_task(name);
    t.options.method = LOCBO_METHOD_RANDOM;
    t.fidelity = fidelity;
    return t;
}

static task make_choose(const char *name) {
    task t = make_task(name);
    t.fidelity = TASK_FIDELITY_CHOOSE;
    return t;
}

static task make_end(curve_rule rule) {
    task t = make_task("training-crossing");
    t.end = rule;
    t.rounds = 30;
    t.options.method = LOCBO_METHOD_RANDOM; /* which is fast, and has hopeless points */
    return t;
}

static task_record run(const task *t, uint64_t seed) {
    task_record record;
    check_ok(task_run(t, seed, &record, &error));
    assert_int_equal(record.rows, task_rows(t));
    return record;
}

static const task_row *last(const task_record *r) { return &r->row[r->rows - 1]; }

static void check_repeated(const task *t) {
    task_record a = run(t, 3), b = run(t, 3), c = run(t, 4);
    for (size_t i = 0; i < a.rows; i++)
        for (size_t j = 0; j < TASK_ROW_NUMBERS; j++) {
            double x = task_numbers(&a.row[i])[j], y = task_numbers(&b.row[i])[j];
            check_that(&task_numbers(&a.row[i])[j] == &a.row[i].ms || memcmp(&x, &y, sizeof x) == 0,
                       "%s, row %zu: %s %g, %g", t->problem, i, task_columns[j].name, x, y);
        }
    assert_true(last(&a)->recommended != last(&c)->recommended);
    task_record_release(&a);
    task_record_release(&b);
    task_record_release(&c);
}

static void the_same_seed_gives_the_same_bits(void **state) {
    (void)state;
    const task tasks[] = {make_task("branin-fidelity"), make_choose("branin-fidelity"),
                          make_choose("training-crossing"), make_random("currin-fidelity", TASK_FIDELITY_HYPERBAND),
                          make_end(CURVE_END_RISK)};
    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; i++) check_repeated(&tasks[i]);
}

/* At full fidelity a round is an evaluation, and a row has those before it. */
static void full_evaluations(void **state) {
    (void)state;
    task t = make_random("hartmann6-fidelity", TASK_FIDELITY_FULL);
    task_record r = run(&t, 1);
    double before = INFINITY;
    for (size_t i = 0; i < r.rows; i++) {
        const task_row *row = &r.row[i];
        assert_int_equal(row->t, i);
        check_same(row->evaluations, (double)i);
        check_close(row->cost, (double)i, 0, 1e-12); /* a sum */
        assert_true(row->recommended >= 0 && row->recommended == row->observed);
        assert_true(i == 0 ? isnan(row->full) : row->full == 1);
        before = fmin(before, row->recommended);
    }
    /* the middle of the box is recommended before anything is known */
    problem moved;
    problem_room room;
    double middle[6] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5};
    problem_move(&moved, &room, &problem_fidelity_find(t.problem)->full, 1, 0);
    check_same(r.row[0].recommended, problem_regret(&moved, middle));
    task_record_release(&r);
}

/* Nothing is known of an evaluation before its cost is spent. */
static void cheap_evaluations(void **state) {
    (void)state;
    const task tasks[] = {make_choose("branin-fidelity"), make_choose("borehole8-fidelity"),
                          make_random("branin-fidelity", TASK_FIDELITY_HYPERBAND),
                          make_random("training-plain", TASK_FIDELITY_HYPERBAND)};
    for (size_t i = 0; i < sizeof tasks / sizeof tasks[0]; i++) {
        task_record r = run(&tasks[i], 2);
        for (size_t k = 0; k < r.rows; k++) {
            const task_row *row = &r.row[k];
            check_that(row->cost <= (double)row->t + 1e-9 && row->evaluations >= row->cost - 1e-9,
                       "%s, row %zu: %g, %g", tasks[i].problem, k, row->cost, row->evaluations);
            assert_true(isfinite(row->recommended) && isfinite(row->observed));
        }
        check_that(last(&r)->evaluations > 1.1 * ROUNDS, "%s: %g", tasks[i].problem, last(&r)->evaluations);
        assert_true(last(&r)->full < 1);
        task_record_release(&r);
    }
}

/* Points that go on cost less, so there are more of them; the first rungs are the same. */
static void hyperband_goes_on(void **state) {
    (void)state;
    task t = make_random("training-plain", TASK_FIDELITY_HYPERBAND);
    task_record a = run(&t, 5);
    t.go_on = 1;
    task_record b = run(&t, 5);
    check_same(a.row[1].recommended, b.row[1].recommended);
    check_same(a.row[1].evaluations, 81);
    assert_true(last(&b)->evaluations > last(&a)->evaluations);
    task_record_release(&a);
    task_record_release(&b);
}

/* With rounds that are evaluations the cost is what is saved. */
static void early_ends(void **state) {
    (void)state;
    task none = make_end(CURVE_END_NONE);
    none.count = TASK_COUNT_EVALUATIONS;
    task_record full = run(&none, 1);
    check_close(last(&full)->cost, 30, 0, 1e-9);
    for (curve_rule rule = CURVE_END_RISK; rule <= CURVE_END_HALVING; rule++) {
        task t = make_end(rule);
        t.count = TASK_COUNT_EVALUATIONS;
        task_record r = run(&t, 1);
        const task_row *row = last(&r);
        check_that(row->evaluations == 30 && row->ended > 0 && row->mistaken <= row->ended && row->cost < 29,
                   "rule %d: %g, %g, %g", (int)rule, row->ended, row->mistaken, row->cost);
        assert_true(row->full == 1);
        /* until the first end they are the same runs */
        for (size_t i = 0; i < r.rows && r.row[i].ended == 0; i++)
            check_same(r.row[i].recommended, full.row[i].recommended);
        t.end_from = 80; /* nothing is saved before that */
        task_record late = run(&t, 1);
        check_that(last(&late)->cost >= 30 * 80.0 / 81 - 1e-9, "rule %d: %g", (int)rule, last(&late)->cost);
        task_record_release(&late);
        task_record_release(&r);
    }
    task_record_release(&full);
}

/* A cost that is measured leads to a run of the same kind. */
static void measured_costs(void **state) {
    (void)state;
    task t = make_choose("currin-fidelity");
    t.cost = TASK_PRICE_MEASURED;
    task_record r = run(&t, 1);
    assert_true(last(&r)->evaluations > ROUNDS);
    task_record_release(&r);
}

static void mistakes_are_refused(void **state) {
    (void)state;
    task t = make_task("branin");
    t.end = CURVE_END_RISK;
    check_fails(task_check(&t, &error), LOCBO_ERR_ARGUMENT, "are for problems with a fidelity, not branin");
    t = make_random("branin-fidelity", TASK_FIDELITY_CHOOSE);
    check_fails(task_check(&t, &error), LOCBO_ERR_ARGUMENT, "fidelity choose needs a model");
    t = make_task("branin-fidelity");
    t.fidelity = TASK_FIDELITY_HYPERBAND;
    check_fails(task_check(&t, &error), LOCBO_ERR_ARGUMENT, "fidelity hyperband needs method random");
    t = make_task("branin-fidelity");
    t.end = CURVE_END_RISK;
    check_fails(task_check(&t, &error), LOCBO_ERR_ARGUMENT,
                "end needs fidelity full, and a problem that reports steps");
    t = make_task("training-plain");
    t.end_risk = 1;
    check_fails(task_check(&t, &error), LOCBO_ERR_ARGUMENT, "end_risk must lie in (0,1), got 1");
    t = make_task("training-plain");
    t.target = 9;
    check_fails(task_check(&t, &error), LOCBO_ERR_ARGUMENT, "target must be at most rounds, 8, got 9");
    t = make_task("training-plain");
    t.go_on = 1;
    check_fails(task_check(&t, &error), LOCBO_ERR_ARGUMENT, "go_on needs fidelity hyperband");
    t = make_task("training-plain");
    t.end_from = 0;
    check_fails(task_check(&t, &error), LOCBO_ERR_ARGUMENT, "end_from must be at least 1");
    t = make_task("training-plain");
    t.rotate = 1;
    check_fails(task_check(&t, &error), LOCBO_ERR_ARGUMENT, "rotate is for real parameters");
    t = make_task("training-plain");
    strcpy(t.program, "true");
    check_fails(task_check(&t, &error), LOCBO_ERR_ARGUMENT, "training-plain is not for programs");
    t = make_task("training-plain");
    t.pool = 5;
    check_fails(task_check(&t, &error), LOCBO_ERR_ARGUMENT, "pool, grid, law and start");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_seed_gives_the_same_bits),
        cmocka_unit_test(full_evaluations),
        cmocka_unit_test(cheap_evaluations),
        cmocka_unit_test(hyperband_goes_on),
        cmocka_unit_test(early_ends),
        cmocka_unit_test(measured_costs),
        cmocka_unit_test(mistakes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
