/* test_hidden.c - functions among parameters that do not matter: which ones do, before and after a move. */
#include "problems.h"

#include "check.h"
#include "draw.h"

static const struct {
    const char *name, *function;
} hidden[] = {{"hidden-branin102", "branin"}, {"hidden-hartmann106", "hartmann6"}, {"hidden-ackley106", "ackley6"}};

enum { KINDS = 3 };

static void random_point(size_t dim, draw *d, double *u) {
    for (size_t j = 0; j < dim; j++) u[j] = draw_uniform(d);
}

/* The value is that of the function at the first parameters; a hundred others do not matter. */
static void values_are_those_of_the_function(void **state) {
    (void)state;
    draw d = draw_open(1, 1);
    for (size_t k = 0; k < KINDS; k++) {
        const problem *p = problem_find(hidden[k].name), *of = problem_find(hidden[k].function);
        double u[PROBLEM_MAX_DIM], x[PROBLEM_MAX_DIM];
        assert_int_equal(p->matter, of->dim);
        assert_int_equal(p->dim, of->dim + 100);
        check_same(p->optimum, of->optimum);
        for (int i = 0; i < 100; i++) {
            random_point(p->dim, &d, u);
            problem_from_unit(of, u, x);
            check_same(problem_value(p, u), problem_value(of, x));
            random_point(p->dim - of->dim, &d, u + of->dim);
            check_same(problem_value(p, u), problem_value(of, x));
        }
    }
}

/* Which parameters change the value of a moved problem, looked for one by one at many points. Returns how many. */
static size_t find_those_that_matter(const problem *p, uint64_t seed, char *matters) {
    double u[PROBLEM_MAX_DIM];
    draw d = draw_open(seed, 7);
    memset(matters, 0, p->dim);
    for (int i = 0; i < 20; i++) {
        random_point(p->dim, &d, u);
        double before = problem_value(p, u);
        for (size_t j = 0; j < p->dim; j++) {
            double kept = u[j];
            u[j] = draw_uniform(&d);
            matters[j] |= problem_value(p, u) != before;
            u[j] = kept;
        }
    }
    size_t n = 0;
    for (size_t j = 0; j < p->dim; j++) n += (size_t)matters[j];
    return n;
}

/* Every seed has others that matter; each parameter is among them equally often. */
static void a_move_hides_them_elsewhere(void **state) {
    (void)state;
    enum { SEEDS = 300 };
    const problem *base = problem_find("hidden-hartmann106");
    size_t often[PROBLEM_MAX_DIM] = {0}, first_half = 0;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        problem p;
        problem_room room;
        char matters[PROBLEM_MAX_DIM];
        problem_move(&p, &room, base, seed, 0);
        assert_int_equal(find_those_that_matter(&p, seed, matters), base->matter);
        for (size_t j = 0; j < p.dim; j++) often[j] += (size_t)matters[j];
        check_close(problem_value(&p, p.best), p.optimum, 0, 1e-12);
    }
    double mean = SEEDS * 6 / 106.0;
    for (size_t j = 0; j < base->dim; j++) { /* five standard errors */
        check_close((double)often[j], mean, 0, 5 * sqrt(mean));
        first_half += j < 53 ? often[j] : 0;
    }
    check_close((double)first_half, SEEDS * 3, 0, 5 * sqrt(SEEDS * 6 / 4.0));
}

/* The slow way: the parameter of the moved problem that belongs to each one of the function, its offset mirrored. */
static void moved_values(void **state) {
    (void)state;
    draw d = draw_open(2, 2);
    for (uint64_t seed = 0; seed < 10; seed++) {
        const problem *base = problem_find("hidden-ackley106");
        problem p;
        problem_room room;
        double x[PROBLEM_MAX_DIM], z[PROBLEM_MAX_DIM] = {0};
        problem_move(&p, &room, base, seed, 0);
        random_point(p.dim, &d, x);
        for (size_t i = 0; i < 6; i++) {
            size_t j = 0;
            while (room.turn[i][j] == 0) j++;
            z[i] = base->best[i] + x[j] - p.best[j];
            while (z[i] < 0 || z[i] > 1) z[i] = z[i] < 0 ? -z[i] : 2 - z[i];
        }
        check_close(problem_value(&p, x), problem_value(base, z), 1e-12, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_those_of_the_function),
        cmocka_unit_test(a_move_hides_them_elsewhere),
        cmocka_unit_test(moved_values),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
