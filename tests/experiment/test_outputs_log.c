/* test_outputs_log.c - measured points of several outputs: their means, their front against its definition, and the
 * true worth of points. */
#include "outputs_log.h"

#include "check.h"
#include "draw.h"

static const problem_outputs *find(const char *name) {
    const problem_outputs *p = problem_outputs_find(name);
    assert_non_null(p);
    return p;
}

/* Measurements at one and the same point count once, with their mean. */
static void repetitions_are_averaged(void **state) {
    (void)state;
    outputs_log log = {.problem = find("gramacy")};
    const double a[] = {0.5, 0.5}, b[] = {0.5, 0.25};
    check_ok(outputs_log_add(&log, a, (double[]){1, -1, 2}, &error));
    check_ok(outputs_log_add(&log, b, (double[]){5, 5, 5}, &error));
    check_ok(outputs_log_add(&log, a, (double[]){2, -3, -8}, &error));
    assert_int_equal(log.n, 2);
    assert_int_equal(log.point[0].n, 2);
    assert_int_equal(log.point[1].n, 1);
    check_same(log.point[0].y[0], 1.5);
    check_same(log.point[0].y[1], -2);
    check_same(log.point[0].y[2], -3);
    double x[2 * PROBLEM_MAX_DIM];
    assert_int_equal(outputs_log_front(&log, x), 1); /* the other one is measured infeasible */
    check_same(x[0], 0.5);
    check_same(x[1], 0.5);
    outputs_log_release(&log);
}

static int is_listed(size_t n, const double *list, const double *x, size_t dim) {
    for (size_t i = 0; i < n; i++)
        if (memcmp(list + i * PROBLEM_MAX_DIM, x, dim * sizeof *x) == 0) return 1;
    return 0;
}

/* A point of the front is feasible and no feasible point is better; one that is not listed is not so. */
static void the_front_is_what_no_other_dominates(void **state) {
    (void)state;
    static const char *const names[] = {"welded-beam2", "vehicle-safety", "gramacy"};
    draw d = draw_open(7, 1);
    for (size_t k = 0; k < 3; k++) {
        outputs_log log = {.problem = find(names[k])};
        size_t objectives = problem_outputs_objectives(log.problem), listed = 0;
        double x[40 * PROBLEM_MAX_DIM];
        for (size_t i = 0; i < 40; i++) {
            double at[PROBLEM_MAX_DIM], y[PROBLEM_MAX_OUTPUTS];
            for (size_t j = 0; j < log.problem->dim; j++) at[j] = draw_uniform(&d);
            for (size_t j = 0; j < log.problem->count; j++) y[j] = draw_normal(&d) - (j >= objectives);
            check_ok(outputs_log_add(&log, at, y, &error));
        }
        size_t n = outputs_log_front(&log, x);
        for (size_t i = 0; i < log.n; i++) {
            const outputs_log_point *p = &log.point[i];
            int on = problem_outputs_feasible(log.problem, p->y);
            for (size_t j = 0; j < log.n; j++) {
                int covers = j != i && problem_outputs_feasible(log.problem, log.point[j].y);
                for (size_t m = 0; m < objectives; m++) covers = covers && log.point[j].y[m] <= p->y[m];
                on = on && !covers;
            }
            assert_int_equal(is_listed(n, x, p->x, log.problem->dim), on);
            listed += (size_t)on;
        }
        assert_int_equal(listed, n);
        if (objectives == 1) assert_int_equal(n, 1);
        outputs_log_release(&log);
    }
}

/* The convention for one objective: what is not feasible is worth the worst feasible point. */
static void worth_of_one_objective(void **state) {
    (void)state;
    const problem_outputs *p = find("gramacy");
    double worst = problem_outputs_worst(p), x[PROBLEM_MAX_DIM] = {0, 0};
    outputs_worth w;
    check_ok(outputs_worth_of(p, worst, 1, p->best, &w, &error));
    check_close(w.regret, 0, 0, 1e-8); /* `best` is best but for 1e-9 */
    check_same(w.feasible, 1);
    check_ok(outputs_worth_of(p, worst, 1, x, &w, &error)); /* the least sum, where the first constraint is 1.5 */
    check_same(w.regret, worst);
    check_same(w.feasible, 0);
    check_ok(outputs_worth_of(p, worst, 0, x, &w, &error));
    check_same(w.regret, worst);
    check_same(w.feasible, 0);
}

static void worth_of_several_objectives(void **state) {
    (void)state;
    const problem_outputs *p = find("zdt1");
    double x[2 * PROBLEM_MAX_DIM] = {0};
    outputs_worth w;
    x[PROBLEM_MAX_DIM] = 1;
    check_ok(outputs_worth_of(p, (double)NAN, 0, x, &w, &error));
    check_same(w.regret, p->hypervolume);
    check_same(w.feasible, 0);
    check_ok(outputs_worth_of(p, (double)NAN, 2, x, &w, &error)); /* (0, 1) and (1, 0) of the front */
    check_close(w.regret, p->hypervolume - (11 * 10 + 10), 0, 1e-12 * p->hypervolume);
    check_same(w.feasible, 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(repetitions_are_averaged),
        cmocka_unit_test(the_front_is_what_no_other_dominates),
        cmocka_unit_test(worth_of_one_objective),
        cmocka_unit_test(worth_of_several_objectives),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
