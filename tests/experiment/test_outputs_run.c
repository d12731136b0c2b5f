/* test_outputs_run.c - runs of problems with several outputs: the same bits for the same seed, pairs that share points
 * and noise, records that mean what they say, and runs by hand with the library alone. */
#include "outputs_run.h"

#include <unistd.h>

#include "check.h"
#include "outputs_log.h"

enum { INITIAL = 6, ROUNDS = 4 };

static task make_task(const char *name, task_view view) {
    task t;
    task_init(&t);
    snprintf(t.problem, sizeof t.problem, "%s", name);
    t.outputs = view;
    t.initial = INITIAL;
    t.rounds = ROUNDS;
    t.noise = (noise){NOISE_GAUSSIAN, 0.05, 0};
    t.relative = 1;
    return t;
}

static task make_random(const char *name) {
    task t = make_task(name, TASK_VIEW_MODEL);
    t.options.method = LOCBO_METHOD_RANDOM;
    return t;
}

static task_record run(const task *t, uint64_t seed) {
    task_record record;
    check_ok(task_run(t, seed, &record, &error));
    assert_int_equal(record.rows, task_rows(t));
    return record;
}

static const struct {
    const char *problem;
    task_view view;
} cells[] = {{"gramacy", TASK_VIEW_MODEL}, {"gramacy", TASK_VIEW_PENALTY}, {"gramacy", TASK_VIEW_EXIT},
             {"zdt3", TASK_VIEW_MODEL},    {"zdt3", TASK_VIEW_SCALARIZE},  {"welded-beam2", TASK_VIEW_SCALARIZE}};
enum { CELLS = sizeof cells / sizeof cells[0] };

static void the_same_seed_gives_the_same_bits(void **state) {
    (void)state;
    for (size_t k = 0; k < CELLS; k++) {
        task t = make_task(cells[k].problem, cells[k].view);
        task_record a = run(&t, 3), b = run(&t, 3), c = run(&t, 4);
        for (size_t i = 0; i < a.rows; i++)
            for (size_t j = 0; j < TASK_ROW_NUMBERS; j++) {
                double x = task_numbers(&a.row[i])[j], y = task_numbers(&b.row[i])[j];
                check_that(&task_numbers(&a.row[i])[j] == &a.row[i].ms || memcmp(&x, &y, sizeof x) == 0,
                           "%s, row %zu: %s %g, %g", t.problem, i, task_columns[j].name, x, y);
            }
        /* the regrets may be equal: two points that are not feasible are worth the same */
        check_that(a.row[ROUNDS].recommended != c.row[ROUNDS].recommended || a.row[0].observed != c.row[0].observed,
                   "%s, view %d: seed 4 is seed 3", t.problem, (int)t.outputs);
        task_record_release(&a);
        task_record_release(&b);
        task_record_release(&c);
    }
}

/* Initial points and their noise are the same however the outputs are seen, so what is measured best is, too. */
static void all_start_from_the_same(void **state) {
    (void)state;
    for (size_t k = 0; k < CELLS; k++) {
        task t = make_task(cells[k].problem, cells[k].view), u = make_random(cells[k].problem);
        task_record a = run(&t, 5), b = run(&u, 5);
        check_same(a.row[0].observed, b.row[0].observed);
        check_same(b.row[ROUNDS].recommended, b.row[ROUNDS].observed); /* random search has no model */
        task_record_release(&a);
        task_record_release(&b);
    }
}

static void columns_mean_what_they_say(void **state) {
    (void)state;
    for (size_t k = 0; k < CELLS; k++) {
        task t = make_task(cells[k].problem, cells[k].view);
        const problem_outputs *p = problem_outputs_find(t.problem);
        double worst = isnan(p->optimum) ? p->hypervolume : problem_outputs_worst(p);
        task_record r = run(&t, 9);
        for (size_t i = 0; i < r.rows; i++) {
            const task_row *row = &r.row[i];
            int covers = t.outputs == TASK_VIEW_MODEL && i > 0;
            check_that(row->observed >= 0 && row->observed <= worst, "%s: observed %g", t.problem, row->observed);
            check_that(row->recommended >= 0 && row->recommended <= worst, "%s: %g", t.problem, row->recommended);
            check_that(row->feasible >= 0 && row->feasible <= 1 + 1e-9, "%s: feasible %g", t.problem, row->feasible);
            check_that(row->feasible > 0 || row->recommended == worst, "%s: infeasible, %g", t.problem,
                       row->recommended);
            assert_true(isnan(row->covered) != covers && isnan(row->interval_f) != covers);
            assert_true(isnan(row->bound) && isnan(row->width) && isnan(row->holds));
            if (i > 0) assert_true(row->ms > 0);
        }
        task_record_release(&r);
    }
}

/* ---- by hand ----------------------------------------------------------------------------------- */

typedef struct hand {
    const problem_outputs *problem;
    uint64_t seed, evaluations;
    noise noise[PROBLEM_MAX_OUTPUTS];
    double spread[PROBLEM_MAX_OUTPUTS];
    draw start;
} hand;

static hand hand_begin(const task *t, uint64_t seed) {
    hand h = {.problem = problem_outputs_find(t->problem), .seed = seed, .start = draw_open(seed, 1)};
    problem_outputs_spread(h.problem, h.spread);
    problem_outputs_noise(h.problem, &t->noise, h.spread, h.noise);
    draw_below(&h.start, 2);
    return h;
}

static void hand_measure(hand *h, const double *x, locbo_measurement *m) {
    double y[PROBLEM_MAX_OUTPUTS];
    draw d = draw_open(h->seed, 1000 + h->evaluations++);
    problem_outputs_measure(h->problem, h->noise, h->spread, x, &d, y);
    for (size_t k = 0; k < h->problem->count; k++) m[k] = (locbo_measurement){y[k], (double)NAN, 1};
}

static locbo_optimizer *hand_optimizer(const hand *h, const task *t) {
    const problem_outputs *p = h->problem;
    locbo_space *space;
    locbo_outputs *table;
    locbo_optimizer *made;
    locbo_options options = t->options;
    check_ok(locbo_space_create(&space, &error));
    for (size_t i = 0; i < p->dim; i++) {
        char name[8];
        snprintf(name, sizeof name, "x%zu", i + 1);
        check_ok(locbo_space_add_real(space, name, p->low[i], p->high[i], LOCBO_LINEAR, &error));
    }
    check_ok(locbo_outputs_create(&table, &error));
    for (size_t k = 0; k < p->count; k++) {
        int several = !isnan(p->output[k].reference);
        locbo_output_spec spec = {.struct_size = sizeof spec,
                                  .name = p->output[k].name,
                                  .goal =
                                      p->output[k].goal == PROBLEM_MINIMIZE ? LOCBO_GOAL_MINIMIZE : LOCBO_GOAL_AT_MOST,
                                  .reference = several ? p->output[k].reference : 0,
                                  .referenced = (uint64_t)several};
        check_ok(locbo_outputs_add(table, &spec, &error));
    }
    options.seed = h->seed;
    options.initial = INITIAL;
    check_ok(locbo_optimizer_create_for(&made, space, table, &options, &error));
    locbo_outputs_destroy(table);
    locbo_space_destroy(space);
    return made;
}

/* All rounds of the task, with the library alone. */
static void hand_run(hand *h, locbo_optimizer *o) {
    double x[PROBLEM_MAX_DIM];
    locbo_measurement m[PROBLEM_MAX_OUTPUTS];
    for (size_t k = 0; k < INITIAL; k++) {
        for (size_t i = 0; i < h->problem->dim; i++)
            x[i] = h->problem->low[i] + (h->problem->high[i] - h->problem->low[i]) * draw_uniform(&h->start);
        hand_measure(h, x, m);
        check_ok(locbo_optimizer_add_outputs(o, x, m, &error));
    }
    for (size_t k = 0; k < ROUNDS; k++) {
        locbo_trial trial;
        check_ok(locbo_optimizer_ask(o, &trial, x, &error));
        hand_measure(h, x, m);
        check_ok(locbo_optimizer_tell_outputs(o, trial.id, m, &error));
    }
}

static void a_constrained_run_by_hand(void **state) {
    (void)state;
    task t = make_task("gramacy", TASK_VIEW_MODEL);
    hand h = hand_begin(&t, 6);
    locbo_optimizer *o = hand_optimizer(&h, &t);
    double x[PROBLEM_MAX_DIM], y[PROBLEM_MAX_OUTPUTS];
    locbo_choice choice;
    t.every = ROUNDS; /* a recommendation changes no later proposal, but let nothing depend on that */
    hand_run(&h, o);
    check_ok(locbo_optimizer_recommend(o, &choice, x, &error));
    problem_outputs_evaluate(h.problem, x, y);
    task_record r = run(&t, 6);
    const task_row *last = &r.row[r.rows - 1];
    int feasible = problem_outputs_feasible(h.problem, y);
    check_same(last->recommended, feasible ? problem_outputs_regret(h.problem, y) : problem_outputs_worst(h.problem));
    check_same(last->feasible, feasible);
    check_same(last->promised, choice.feasible);
    task_record_release(&r);
    locbo_optimizer_destroy(o);
}

static void a_run_of_two_objectives_by_hand(void **state) {
    (void)state;
    task t = make_task("zdt3", TASK_VIEW_MODEL);
    hand h = hand_begin(&t, 6);
    locbo_optimizer *o = hand_optimizer(&h, &t);
    enum { MOST = INITIAL + ROUNDS };
    locbo_front_point point[MOST];
    double x[MOST * 4], y[MOST * 2];
    size_t count;
    hand_run(&h, o);
    check_ok(locbo_optimizer_front(o, LOCBO_FRONT_BELIEVED, MOST, point, x, NULL, NULL, &count, &error));
    for (size_t i = 0; i < count; i++) problem_outputs_evaluate(h.problem, x + 4 * i, y + 2 * i);
    task_record r = run(&t, 6);
    check_same(r.row[ROUNDS].recommended, h.problem->hypervolume - problem_outputs_hypervolume(h.problem, count, y));
    check_close(r.row[ROUNDS].feasible, 1, 0, 1e-12);
    task_record_release(&r);
    locbo_optimizer_destroy(o);
}

/* ---- what the views lead to ---------------------------------------------------------------------- */

/* Without noise: the constraints are known, and the penalty or the exit code keep the optimizer where they hold. */
static void constraints_are_kept_without_noise(void **state) {
    (void)state;
    static const task_view views[] = {TASK_VIEW_MODEL, TASK_VIEW_PENALTY, TASK_VIEW_EXIT};
    for (size_t v = 0; v < 3; v++) {
        task t = make_task("gramacy", views[v]);
        t.noise.kind = NOISE_NONE;
        t.initial = 10;
        t.rounds = 20;
        task_record r = run(&t, 1);
        /* a fifth of the regret of random search, which is 0.1 or so after 30 points */
        check_that(r.row[20].observed < 0.05, "view %zu: %g", v, r.row[20].observed);
        if (views[v] != TASK_VIEW_PENALTY) check_same(r.row[20].feasible, 1);
        task_record_release(&r);
    }
}

static void both_ways_find_a_front(void **state) {
    (void)state;
    double regret[3];
    task ways[] = {make_task("zdt1", TASK_VIEW_MODEL), make_task("zdt1", TASK_VIEW_SCALARIZE), make_random("zdt1")};
    for (size_t v = 0; v < 3; v++) {
        ways[v].initial = 12;
        ways[v].rounds = 20;
        ways[v].every = 20;
        task_record r = run(&ways[v], 2);
        regret[v] = r.row[1].recommended;
        task_record_release(&r);
    }
    /* after 32 evaluations random search lacks a tenth of the volume, the others less than a fiftieth */
    check_that(regret[0] < 0.3 * regret[2] && regret[1] < 0.5 * regret[2], "%g, %g, random %g", regret[0], regret[1],
               regret[2]);
}

/* ---- external methods ---------------------------------------------------------------------------- */

/* A program that notes what it is told and proposes (0.1, 0.25), (0.2, 0.25), ... */
static task make_program(const char *name, const char *notes, const char *last) {
    task t = make_task(name, TASK_VIEW_MODEL);
    snprintf(t.program, sizeof t.program,
             "read a; echo $a >%s; for i in 1 2 3 4 5 6; do read a; echo $a >>%s; done; "
             "for i in 1 2 3 4; do echo 0.$i 0.25; read a; echo $a >>%s; done%s",
             notes, notes, notes, last);
    return t;
}

static size_t words_of(FILE *from, char *line, size_t size) {
    size_t n = 0;
    assert_non_null(fgets(line, (int)size, from));
    for (char *at = line; *at; at++) n += *at == ' ' || *at == '\n';
    return n;
}

static void a_program_sees_all_outputs(void **state) {
    (void)state;
    char notes[] = "/tmp/told-XXXXXX", line[400];
    close(mkstemp(notes));
    task t = make_program("gramacy", notes, "; echo 0.2 0.4"), u = make_random("gramacy");
    task_record r = run(&t, 8), other = run(&u, 8);
    const problem_outputs *p = problem_outputs_find("gramacy");
    double y[PROBLEM_MAX_OUTPUTS];
    FILE *told = fopen(notes, "r");
    assert_non_null(told);
    words_of(told, line, sizeof line);
    assert_string_equal(line, "2 8 6 4 minimize at-most-0 at-most-0\n");
    for (size_t k = 0; k < INITIAL; k++) assert_int_equal(words_of(told, line, sizeof line), 5);
    for (size_t k = 0; k < ROUNDS; k++) assert_int_equal(words_of(told, line, sizeof line), 3);
    fclose(told);
    problem_outputs_evaluate(p, (double[]){0.2, 0.4}, y);
    assert_true(problem_outputs_feasible(p, y) == (r.row[ROUNDS].feasible == 1));
    check_same(r.row[0].observed, other.row[0].observed);
    check_same(r.row[1].recommended, r.row[1].observed);
    assert_true(isnan(r.row[ROUNDS].ms) && isnan(r.row[ROUNDS].promised));
    task_record_release(&r);
    task_record_release(&other);
    remove(notes);
}

/* With several objectives it recommends nothing: what it measured best counts. */
static void a_program_reports_no_front(void **state) {
    (void)state;
    task t = make_program("branin-currin", "/dev/null", "");
    task_record r = run(&t, 8);
    for (size_t i = 0; i < r.rows; i++) check_same(r.row[i].recommended, r.row[i].observed);
    task_record_release(&r);
    t = make_program("branin-currin", "/dev/null", "; echo 0.2 0.4");
    check_fails(task_run(&t, 8, &r, &error), LOCBO_ERR_FORMAT, "more than 4 points");
}

/* ---- mistakes ------------------------------------------------------------------------------------ */

static void mistakes_are_refused(void **state) {
    (void)state;
    task t = make_task("branin", TASK_VIEW_PENALTY);
    check_fails(task_check(&t, &error), LOCBO_ERR_ARGUMENT, "outputs penalty needs several outputs, branin has one");
    t = make_task("zdt1", TASK_VIEW_EXIT);
    check_fails(task_check(&t, &error), LOCBO_ERR_ARGUMENT, "outputs exit-code needs one objective, zdt1 has 2");
    t = make_task("gramacy", TASK_VIEW_SCALARIZE);
    check_fails(task_check(&t, &error), LOCBO_ERR_ARGUMENT, "scalarize needs several objectives, gramacy has 1");
    t = make_task("dtlz2-3", TASK_VIEW_MODEL);
    t.move = 1;
    check_fails(task_check(&t, &error), LOCBO_ERR_ARGUMENT, "move and rotate are for one objective, dtlz2-3 has 3");
    t = make_task("gramacy", TASK_VIEW_MODEL);
    t.grid = 5;
    check_fails(task_check(&t, &error), LOCBO_ERR_ARGUMENT, "grid is for one parameter, gramacy has 2");
    t = make_task("gramacy", TASK_VIEW_MODEL);
    t.law = TASK_LAW_PUBLISHED;
    check_fails(task_check(&t, &error), LOCBO_ERR_ARGUMENT, "law is for one output");
    t = make_task("gramacy", TASK_VIEW_MODEL);
    t.move = t.rotate = 1;
    check_ok(task_check(&t, &error));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_seed_gives_the_same_bits),
        cmocka_unit_test(all_start_from_the_same),
        cmocka_unit_test(columns_mean_what_they_say),
        cmocka_unit_test(a_constrained_run_by_hand),
        cmocka_unit_test(a_run_of_two_objectives_by_hand),
        cmocka_unit_test(constraints_are_kept_without_noise),
        cmocka_unit_test(both_ways_find_a_front),
        cmocka_unit_test(a_program_sees_all_outputs),
        cmocka_unit_test(a_program_reports_no_front),
        cmocka_unit_test(mistakes_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
