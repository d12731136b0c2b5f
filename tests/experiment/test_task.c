/* test_task.c - one run of an experiment, and many by the runner: the same bits for the same seed, pairs that share
 * their problem, points and noise, and records that mean what they say. */
#include "task.h"

#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "experiment_file.h"
#include "runner.h"

/* ---- what the tests share ---------------------------------------------------------------------- */

static task make_task(const char *name, locbo_method method) {
    task t;
    task_init(&t);
    snprintf(t.problem, sizeof t.problem, "%s", name);
    t.rounds = 8;
    t.options.method = method;
    return t;
}

static task_record run(const task *t, uint64_t seed) {
    task_record record;
    check_ok(task_run(t, seed, &record, &error));
    assert_int_equal(record.rows, task_rows(t));
    assert_int_equal(record.points, t->grid);
    return record;
}

static int same_number(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

/* All of a row but its time. */
static int same_row(const task_row *a, const task_row *b) {
    const double *x = &a->observed, *y = &b->observed;
    int same = a->t == b->t;
    for (size_t i = 0; x + i <= &a->far_f; i++) same = same && (x + i == &a->ms || same_number(x[i], y[i]));
    return same;
}

static void check_same_record(const task_record *a, const task_record *b) {
    assert_int_equal(a->rows, b->rows);
    assert_int_equal(a->points, b->points);
    for (size_t i = 0; i < a->rows; i++)
        check_that(same_row(&a->row[i], &b->row[i]), "row %zu differs: %g, %g", i, a->row[i].observed,
                   b->row[i].observed);
    if (a->points) assert_memory_equal(a->point, b->point, a->points * sizeof *a->point);
}

static double last_of(const task *t, uint64_t seed) {
    task_record record = run(t, seed);
    double regret = record.row[record.rows - 1].observed;
    task_record_release(&record);
    return regret;
}

static const locbo_method methods[] = {LOCBO_METHOD_LOCBO, LOCBO_METHOD_BO,     LOCBO_METHOD_CBO,
                                       LOCBO_METHOD_OCBO,  LOCBO_METHOD_OCBO_L, LOCBO_METHOD_RANDOM};
enum { METHODS = sizeof methods / sizeof methods[0] };

/* ---- one run ----------------------------------------------------------------------------------- */

static void the_same_seed_gives_the_same_bits(void **state) {
    (void)state;
    for (size_t m = 0; m < METHODS; m++) {
        task t = make_task("branin", methods[m]);
        t.noise = (noise){NOISE_STUDENT, 0.2, 3};
        t.move = t.rotate = t.relative = 1;
        task_record a = run(&t, 3), b = run(&t, 3), c = run(&t, 4);
        check_same_record(&a, &b);
        check_that(!same_row(&a.row[0], &c.row[0]), "seed 4 is seed 3");
        task_record_release(&a);
        task_record_release(&b);
        task_record_release(&c);
    }
}

/* The same problem, the same initial points and the same noise, so the same first row. */
static void methods_start_from_the_same(void **state) {
    (void)state;
    static const char *const problems[] = {"hartmann3", "radio"};
    for (size_t p = 0; p < 2; p++)
        for (uint64_t seed = 1; seed < 4; seed++) {
            double first = (double)NAN;
            for (size_t m = 0; m < METHODS; m++) {
                task t = make_task(problems[p], methods[m]);
                t.rounds = 1;
                if (p == 0) t.noise = (noise){NOISE_GAUSSIAN, 2, 0}; /* who looks best is luck */
                task_record r = run(&t, seed);
                if (m == 0) first = r.row[0].observed;
                check_same(r.row[0].observed, first);
                task_record_release(&r);
            }
        }
}

/* Method random's points depend on nothing that is measured, so what it would have measured tells the noise: the same
 * runs with and without noise go through the same points, and the incumbent differs only by the noise. */
static void noise_changes_what_is_seen_and_not_the_points(void **state) {
    (void)state;
    task quiet = make_task("branin", LOCBO_METHOD_RANDOM), loud = quiet;
    quiet.rounds = loud.rounds = 30;
    loud.noise = (noise){NOISE_GAUSSIAN, 1e-9, 0};
    task_record a = run(&quiet, 5), b = run(&loud, 5);
    for (size_t i = 0; i < a.rows; i++) check_same(a.row[i].observed, b.row[i].observed);
    task_record_release(&b);
    loud.noise.scale = 200;
    b = run(&loud, 5);
    check_that(b.row[30].observed > a.row[30].observed, "noise of 200 changed nothing");
    task_record_release(&a);
    task_record_release(&b);
}

static void regret_without_noise_falls_to_zero_and_not_below(void **state) {
    (void)state;
    static const char *const problems[] = {"ackley-paper", "branin", "steps3"};
    for (size_t p = 0; p < 3; p++)
        for (size_t m = 0; m < METHODS; m++) {
            task t = make_task(problems[p], methods[m]);
            t.move = p > 0;
            task_record r = run(&t, 2);
            for (size_t i = 0; i < r.rows; i++) {
                check_that(r.row[i].observed >= -1e-12 && r.row[i].recommended >= -1e-12, "%s, row %zu: regret %g, %g",
                           problems[p], i, r.row[i].observed, r.row[i].recommended);
                check_that(i == 0 || r.row[i].observed <= r.row[i - 1].observed, "%s, row %zu: rose from %g to %g",
                           problems[p], i, r.row[i - 1].observed, r.row[i].observed);
            }
            task_record_release(&r);
        }
}

static void bo_beats_random_on_ackley(void **state) {
    (void)state;
    check_without_sanitizer();
    double bo = 0, random = 0;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        task t = make_task("ackley-paper", LOCBO_METHOD_BO), u;
        t.rounds = 30;
        u = t;
        u.options.method = LOCBO_METHOD_RANDOM;
        bo += last_of(&t, seed) / 5;
        random += last_of(&u, seed) / 5;
    }
    check_that(bo < 0.6 * random, "BO %g, random search %g", bo, random);
}

static void check_share(double share, double rounds) {
    check_that(share >= 0 && share <= 1, "a share of %g", share);
    check_close(share * rounds, round(share * rounds), 0, 1e-9); /* of whole rounds */
}

static void columns_are_shares_or_empty(void **state) {
    (void)state;
    for (size_t m = 0; m < METHODS; m++) {
        task t = make_task("branin", methods[m]);
        t.rounds = 7;
        t.every = 3; /* rows 0, 3, 6, 7 */
        t.options.acquisition = methods[m] == LOCBO_METHOD_BO ? LOCBO_ACQUISITION_PI : LOCBO_ACQUISITION_LOG_EI;
        task_record r = run(&t, 1);
        static const size_t rounds[] = {0, 3, 6, 7};
        for (size_t i = 0; i < r.rows; i++) {
            const task_row *w = &r.row[i];
            int empty = i == 0 || methods[m] == LOCBO_METHOD_RANDOM;
            assert_int_equal(w->t, rounds[i]);
            assert_int_equal(isnan(w->covered) != 0, empty);
            assert_int_equal(isnan(w->covered_f) != 0, empty);
            assert_int_equal(isnan(w->interval_f) != 0, empty);
            assert_int_equal(isnan(w->width) != 0, empty);
            assert_int_equal(isnan(w->utility) != 0, empty || methods[m] != LOCBO_METHOD_BO);
            for (const double *third = &w->near; third <= &w->far_f; third++)
                assert_int_equal(isnan(*third) != 0, empty || i < 3);
            check_that(i == 0 ? isnan(w->ms) : w->ms >= 0, "%g ms", w->ms);
            if (empty) continue;
            double since = i == 3 ? 1 : 3;
            check_share(w->covered, since);
            check_share(w->covered_f, since);
            check_share(w->interval_f, since);
            if (methods[m] == LOCBO_METHOD_BO) check_share(w->utility, since);
            check_that(w->width >= 0, "width %g", w->width);
        }
        task_record_release(&r);
    }
}

/* Without noise what is measured is the truth, so both columns are the same, and with much noise they are not. */
static void coverage_of_y_and_of_f(void **state) {
    (void)state;
    task t = make_task("branin", LOCBO_METHOD_LOCBO);
    t.rounds = 20;
    task_record r = run(&t, 1);
    for (size_t i = 1; i < r.rows; i++) check_same(r.row[i].covered, r.row[i].covered_f);
    task_record_release(&r);
    t.noise = (noise){NOISE_GAUSSIAN, 50, 0};
    double y = 0, f = 0;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        r = run(&t, seed);
        for (size_t i = 1; i < r.rows; i++) y += r.row[i].covered, f += r.row[i].covered_f;
        task_record_release(&r);
    }
    check_that(f > y, "covered: %g of y, %g of f", y, f); /* the set is made for y */
}

/* Recording less does not change the run, and the shares add up to the same. */
static void thinning_records_the_same_run(void **state) {
    (void)state;
    task all = make_task("hartmann3", LOCBO_METHOD_LOCBO), some = all;
    all.noise = some.noise = (noise){NOISE_GAUSSIAN, 0.3, 0};
    all.rounds = some.rounds = 23;
    some.every = 5;
    task_record a = run(&all, 9), b = run(&some, 9);
    assert_int_equal(b.rows, 6);
    double sum_a[3] = {0}, sum_b[3] = {0};
    for (size_t i = 1; i < a.rows; i++) {
        const double *share = &a.row[i].covered;
        for (size_t k = 0; k < 3; k++) sum_a[k] += share[k];
    }
    for (size_t i = 1; i < b.rows; i++) {
        const task_row *twin = &a.row[b.row[i].t];
        const double *share = &b.row[i].covered;
        check_same(b.row[i].observed, twin->observed);
        check_same(b.row[i].recommended, twin->recommended);
        check_same(b.row[i].width, twin->width);
        for (size_t k = 0; k < 3; k++) sum_b[k] += share[k] * (double)(b.row[i].t - b.row[i - 1].t);
    }
    for (size_t k = 0; k < 3; k++) check_close(sum_b[k], sum_a[k], 0, 1e-9);
    for (size_t k = 0; k < 6; k++) check_same((&b.row[5].near)[k], (&a.row[23].near)[k]);
    task_record_release(&a);
    task_record_release(&b);
}

/* Online conformal prediction's bound (gain 0) and Lemma 1's, at every round of real runs with a model that is wrong:
 * the share of results in their set is never below what is promised. */
static void bounds_hold_on_real_runs(void **state) {
    (void)state;
    check_without_sanitizer();
    static const struct {
        double gain, eta0, power, decay, localization;
    } laws[] = {{0, 0.1, 0.05, 0, 0.25}, {0, 1, 0.5, 0, 0.25}, {0.05, 1, 0.5, 0.9, 1}};
    for (size_t k = 0; k < sizeof laws / sizeof laws[0]; k++)
        for (uint64_t seed = 1; seed <= 3; seed++) {
            task t = make_task("ackley-paper", LOCBO_METHOD_LOCBO);
            t.noise = (noise){NOISE_NORM, 20, 10};
            t.rounds = 120;
            t.every = 1;
            t.options.gain = laws[k].gain;
            t.options.eta0 = laws[k].eta0;
            t.options.step_power = laws[k].power;
            t.options.decay = laws[k].decay;
            t.options.localization = laws[k].localization;
            t.options.length_scale = 0.2;
            t.options.noise_var = 1e-3;
            t.options.candidates = 50;
            t.options.refine = 0;
            task_record record = run(&t, seed);
            double covered = 0, last = (double)NAN;
            for (size_t i = 1; i < record.rows; i++) {
                covered += record.row[i].covered;
                last = record.row[i].bound;
                check_that(!(covered / (double)i < last - 1e-12),
                           "law %zu, seed %d, round %zu: %g covered, %g promised", k, (int)seed, i, covered / (double)i,
                           last);
            }
            check_that(last > 0, "law %zu promises nothing after 120 rounds: %g", k, last);
            task_record_release(&record);
        }
}

/* The optimum of sphere6 is in the middle of its box. In every coordinate, points of a corner are at least a tenth of a
 * side away from it; uniform points are nearer. */
static void corners_start_lies_in_one_corner(void **state) {
    (void)state;
    const problem *p = problem_find("sphere6");
    double side = p->high[0] - p->low[0], gap = 0.1 * side, least = 6 * gap * gap;
    assert_non_null(p);
    check_close(p->best[0], p->low[0] + 0.5 * side, 0, 1e-9);
    task t = make_task("sphere6", LOCBO_METHOD_RANDOM);
    t.rounds = 1;
    t.initial = 300;
    double uniform = last_of(&t, 1);
    t.start = TASK_START_CORNERS;
    for (uint64_t seed = 1; seed <= 6; seed++) {
        task_record r = run(&t, seed);
        check_that(r.row[0].observed >= least && r.row[0].observed > uniform, "seed %d: %g, at least %g, uniform %g",
                   (int)seed, r.row[0].observed, least, uniform);
        task_record_release(&r);
    }
}

/* One corner for all points of a run, and not always the same: the best of 60 points is near the optimum or far from
 * it. */
static void both_corners_occur(void **state) {
    (void)state;
    task t = make_task("ackley2-shifted", LOCBO_METHOD_RANDOM); /* the optimum is in the first half of its box */
    int near = 0, far = 0;
    t.rounds = 1;
    t.initial = 60;
    t.start = TASK_START_CORNERS;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        task_record r = run(&t, seed);
        /* the last corner begins at 4.7, which is ackley 12 or so; the first holds the optimum */
        if (r.row[0].observed > 9)
            far++;
        else
            near++;
        task_record_release(&r);
    }
    check_that(near >= 2 && far >= 2, "%d in the first corner, %d in the last", near, far);
}

/* Relative noise is in units of the spread, but for multiplicative noise, which is relative as it is: there only the
 * scale counts and `relative` changes nothing. */
static void relative_noise(void **state) {
    (void)state;
    task t = make_task("branin", LOCBO_METHOD_RANDOM), u;
    t.rounds = 20;
    t.noise = (noise){NOISE_GAUSSIAN, 0.4, 0};
    t.relative = 1;
    u = t;
    u.relative = 0;
    u.noise.scale = 0.4 * problem_spread(problem_find("branin"));
    task_record a = run(&t, 7), b = run(&u, 7);
    check_same_record(&a, &b);
    task_record_release(&a);
    task_record_release(&b);
    t.noise = u.noise = (noise){NOISE_MULTIPLICATIVE, 0.3, 0};
    a = run(&t, 7), b = run(&u, 7);
    check_same_record(&a, &b);
    task_record_release(&a);
    task_record_release(&b);
}

static void check_differ(const task_record *a, const task_record *b) {
    int differs = 0;
    check_same(a->row[0].observed, b->row[0].observed);
    for (size_t i = 1; i < a->rows; i++) differs += !same_row(&a->row[i], &b->row[i]);
    check_that(differs > 0, "another law gave the same run");
}

static void the_published_laws_are_others(void **state) {
    (void)state;
    task t = make_task("ackley-paper", LOCBO_METHOD_LOCBO);
    t.rounds = 12;
    t.noise = (noise){NOISE_NORM, 20, 10};
    task_record exact = run(&t, 1);
    t.law = TASK_LAW_PUBLISHED;
    task_record published = run(&t, 1);
    t.law = TASK_LAW_SCRIPT;
    task_record script = run(&t, 1);
    check_differ(&exact, &published);
    check_differ(&exact, &script);
    check_differ(&published, &script);
    task_record_release(&exact);
    task_record_release(&published);
    task_record_release(&script);
}

/* ---- a run by hand ----------------------------------------------------------------------------- */

/* The same run through the library's own calls, every round recorded: one stream for the initial points (the first
 * number chooses the corner), one for the noise of each evaluation. */
typedef struct hand {
    const task *task;
    const problem *problem;
    const radio *radio;
    uint64_t seed, evaluations;
    locbo_optimizer *optimizer;
    double best_y, best_x[PROBLEM_MAX_DIM];
    struct {
        double x[PROBLEM_MAX_DIM];
        int in[2]; /* y in its set, f in its interval */
    } query[32];
    size_t queries;
    struct {
        locbo_trial trial;
        double x[PROBLEM_MAX_DIM], before; /* the best value when it was asked for */
    } batch[8];
} hand;

static double hand_measure(hand *h, const double *x) {
    draw d = draw_open(h->seed, 1000 + h->evaluations++);
    return h->radio ? radio_measure(h->radio, x, h->task->channels, &d)
                    : noise_measure(&h->task->noise, h->problem, problem_spread(h->problem), x, &d);
}

static int hand_better(const hand *h, double a, double b) { return h->problem->maximize ? a > b : a < b; }

static void hand_observe(hand *h, const double *x, double y) {
    if (!isnan(h->best_y) && !hand_better(h, y, h->best_y)) return;
    h->best_y = y;
    memcpy(h->best_x, x, h->problem->dim * sizeof *x);
}

static void hand_begin(hand *h, locbo_space **space) {
    char name[16];
    locbo_options options = h->task->options;
    double x[PROBLEM_MAX_DIM];
    draw d = draw_open(h->seed, 1);
    draw_below(&d, 2);
    options.seed = h->seed;
    options.direction = h->problem->maximize ? LOCBO_MAXIMIZE : LOCBO_MINIMIZE;
    options.initial = (int)h->task->initial;
    check_ok(locbo_space_create(space, &error));
    for (size_t i = 0; i < h->problem->dim; i++) {
        snprintf(name, sizeof name, "x%d", (int)i + 1);
        check_ok(locbo_space_add_real(*space, name, h->problem->low[i], h->problem->high[i], LOCBO_LINEAR, &error));
    }
    check_ok(locbo_optimizer_create(&h->optimizer, *space, &options, &error));
    for (size_t k = 0; k < h->task->initial; k++) {
        for (size_t i = 0; i < h->problem->dim; i++)
            x[i] = h->problem->low[i] + (h->problem->high[i] - h->problem->low[i]) * draw_uniform(&d);
        locbo_measurement m = {hand_measure(h, x), NAN, 1};
        check_ok(locbo_optimizer_add(h->optimizer, x, &m, &error));
        if (!h->radio) hand_observe(h, x, m.value);
    }
    for (size_t i = 0; h->radio && i < RADIO_DIM; i++) h->best_x[i] = i < 9 ? 46 : 0;
}

/* Radio: station (round - 1) mod 9 is free, power and tilt; the rest is held where it was measured best. */
static void hand_ask(const hand *h, size_t round, locbo_trial *trial, double *x) {
    locbo_ask_options how = {.struct_size = sizeof how, .candidates = h->task->pool};
    double fixed[PROBLEM_MAX_DIM];
    memcpy(fixed, h->best_x, sizeof fixed);
    fixed[(round - 1) % 9] = fixed[9 + (round - 1) % 9] = NAN;
    if (h->radio) how.fixed = fixed;
    if (h->radio)
        check_ok(locbo_optimizer_ask_with(h->optimizer, &how, trial, x, &error));
    else
        check_ok(locbo_optimizer_ask(h->optimizer, trial, x, &error));
}

static double hand_merit(const hand *h, const double *x) {
    double truth = problem_value(h->problem, x);
    return h->radio ? truth : fabs(truth - h->problem->optimum);
}

/* The interval of f at what is recommended now. */
static void hand_interval(const hand *h, const task_row *row) {
    double at[PROBLEM_MAX_DIM];
    locbo_choice c;
    check_ok(locbo_optimizer_recommend(h->optimizer, &c, at, &error));
    double truth = problem_value(h->problem, at);
    check_same(row->holds, c.low <= truth && truth <= c.high);
    if (!h->radio) check_close(row->holds_width * problem_spread(h->problem), c.high - c.low, 1e-12, 0);
}

/* Whether a coordinate is an end of its range. */
static int hand_on_bound(const hand *h, const double *x) {
    int any = 0;
    for (size_t i = 0; i < h->problem->dim; i++) any |= x[i] == h->problem->low[i] || x[i] == h->problem->high[i];
    return any;
}

/* The first round of a batch asks for all of its trials, the last batch for those that are left. */
static void hand_batch(hand *h, size_t round) {
    for (size_t k = 0; k < h->task->batch && round + k <= h->task->rounds; k++) {
        h->batch[k].before = h->best_y;
        hand_ask(h, round + k, &h->batch[k].trial, h->batch[k].x);
    }
}

static void hand_round(hand *h, size_t round, const task_row *row) {
    size_t k = (round - 1) % h->task->batch;
    if (k == 0) hand_batch(h, round);
    locbo_trial trial = h->batch[k].trial;
    double x[PROBLEM_MAX_DIM], before = h->batch[k].before;
    memcpy(x, h->batch[k].x, sizeof x);
    const locbo_belief *b = &trial.belief;
    double truth = problem_value(h->problem, x);
    locbo_measurement m = {hand_measure(h, x), NAN, 1};
    hand_observe(h, x, m.value);
    check_ok(locbo_optimizer_tell(h->optimizer, trial.id, &m, &error));
    assert_int_equal(row->t, round);
    check_close(row->observed, hand_merit(h, h->best_x), 1e-12, 1e-12);
    check_same(row->covered, m.value >= b->y_low && m.value <= b->y_high);
    check_same(row->covered_f, truth >= b->y_low && truth <= b->y_high);
    check_same(row->interval_f, truth >= b->f_low && truth <= b->f_high);
    check_same(row->width, b->y_high - b->y_low);
    memcpy(h->query[h->queries].x, x, sizeof x);
    h->query[h->queries].in[0] = m.value >= b->y_low && m.value <= b->y_high;
    h->query[h->queries++].in[1] = truth >= b->f_low && truth <= b->f_high;
    check_that(isnan(row->near) == (round < h->task->rounds), "near %g", row->near);
    check_that(isnan(row->truth4) == (round < h->task->rounds), "truth4 %g", row->truth4);
    check_same(row->on_bound, hand_on_bound(h, x));
    hand_interval(h, row);
    if (h->task->options.acquisition != LOCBO_ACQUISITION_PI) return;
    /* Theorem 1 with u = 1{f better than the best} - 1 and epsilon = 1: u >= (2/alpha) E u, and E u = PI - 1 */
    double u = hand_better(h, truth, before) ? 0 : -1, bound = 2 / h->task->options.alpha * (b->acquisition - 1);
    check_same(row->utility, u >= bound);
}

static double hand_distance(const hand *h, const double *a, const double *b) {
    double sum = 0;
    for (size_t i = 0; i < h->problem->dim; i++)
        sum += pow((a[i] - b[i]) / (h->problem->high[i] - h->problem->low[i]), 2);
    return sum;
}

/* Each query has a rank: how many are nearer to what is recommended at the end. */
static void hand_thirds(const hand *h, const task_row *row) {
    double at[PROBLEM_MAX_DIM], in[2][3] = {{0}};
    locbo_choice choice;
    size_t n = h->queries, near = (n + 2) / 3, middle = (n + 1) / 3, count[3] = {0};
    check_ok(locbo_optimizer_recommend(h->optimizer, &choice, at, &error));
    check_close(row->recommended, hand_merit(h, at), 1e-12, 1e-12);
    for (size_t i = 0; i < n; i++) {
        double mine = hand_distance(h, h->query[i].x, at);
        size_t rank = 0;
        for (size_t k = 0; k < n; k++) rank += hand_distance(h, h->query[k].x, at) < mine;
        size_t part = rank < near ? 0 : rank < near + middle ? 1 : 2;
        count[part]++;
        for (size_t k = 0; k < 2; k++) in[k][part] += h->query[i].in[k];
    }
    assert_int_equal(count[0], near); /* no two are as far, so the ranks are those of any sort */
    assert_int_equal(count[1], middle);
    for (size_t part = 0; part < 3; part++) {
        check_close((&row->near)[part], in[0][part] / (double)count[part], 1e-15, 0);
        check_close((&row->near_f)[part], in[1][part] / (double)count[part], 1e-15, 0);
    }
}

/* The same by quarters of a number: here rank 0 is the best truth, or the least noise. */
static void hand_quarters(const hand *h, const double *key, const double *share) {
    size_t n = h->queries, in[4] = {0}, count[4] = {0};
    for (size_t i = 0; i < n; i++) {
        size_t rank = 0, part = 0;
        for (size_t k = 0; k < n; k++) rank += key[k] < key[i] || (key[k] == key[i] && k < i);
        for (size_t end = (n + 3) / 4; rank >= end; end += (n + 3 - part) / 4) part++;
        count[part]++;
        in[part] += (size_t)h->query[i].in[0];
    }
    for (size_t part = 0; part < 4; part++) check_close(share[part], (double)in[part] / (double)count[part], 1e-15, 0);
}

static void hand_all_quarters(const hand *h, const task_row *row) {
    double truth[32], level[32];
    for (size_t i = 0; i < h->queries; i++) {
        truth[i] = problem_value(h->problem, h->query[i].x) * (h->problem->maximize ? -1 : 1);
        level[i] = noise_level(&h->task->noise, h->problem, 1, h->query[i].x);
    }
    hand_quarters(h, truth, &row->truth1);
    if (h->task->noise.kind == NOISE_NORM)
        hand_quarters(h, level, &row->noise1);
    else
        assert_true(isnan(row->noise1) && isnan(row->noise4));
}

static void check_by_hand(const task *t, const problem *p, const radio *r, uint64_t seed) {
    hand h = {.task = t, .problem = p, .radio = r, .seed = seed, .best_y = NAN};
    locbo_space *space = NULL;
    task_record record = run(t, seed);
    hand_begin(&h, &space);
    check_close(record.row[0].observed, hand_merit(&h, h.best_x), 1e-12, 1e-12);
    for (size_t round = 1; round <= t->rounds; round++) hand_round(&h, round, &record.row[round]);
    hand_thirds(&h, &record.row[t->rounds]);
    hand_all_quarters(&h, &record.row[t->rounds]);
    locbo_optimizer_destroy(h.optimizer);
    locbo_space_destroy(space);
    task_record_release(&record);
}

static void a_run_by_hand(void **state) {
    (void)state;
    task t = make_task("branin", LOCBO_METHOD_LOCBO);
    t.rounds = 25;
    t.noise = (noise){NOISE_GAUSSIAN, 30, 0};
    check_by_hand(&t, problem_find("branin"), NULL, 3);
    t = make_task("ackley-paper", LOCBO_METHOD_LOCBO);
    t.rounds = 25;
    t.options.acquisition = LOCBO_ACQUISITION_PI;
    t.options.alpha = 0.8; /* so that the event is neither rare nor sure */
    t.noise = (noise){NOISE_NORM, 20, 10};
    t.options.recommendation = LOCBO_RECOMMEND_ANYWHERE;
    check_by_hand(&t, problem_find("ackley-paper"), NULL, 4);
}

/* With batches, whose last is not full: points and beliefs are those of trials that were asked for together. */
static void a_run_of_batches_by_hand(void **state) {
    (void)state;
    task t = make_task("ackley-paper", LOCBO_METHOD_LOCBO);
    t.rounds = 22;
    t.batch = 5;
    t.options.acquisition = LOCBO_ACQUISITION_PI;
    t.options.alpha = 0.8;
    t.noise = (noise){NOISE_GAUSSIAN, 1, 0};
    check_by_hand(&t, problem_find("ackley-paper"), NULL, 4);
}

/* Rounds are evaluations: a larger batch than there are rounds is as large as these, random points are the same in
 * batches of any size, and rows may be in the middle of a batch. */
static void batches_change_the_order_only(void **state) {
    (void)state;
    task t = make_task("levy5", LOCBO_METHOD_RANDOM), many = t, all = make_task("levy5", LOCBO_METHOD_LOCBO),
         more = all;
    many.batch = 3;
    task_record one = run(&t, 2), three = run(&many, 2);
    for (size_t k = 0; k < one.rows; k++) check_same(one.row[k].observed, three.row[k].observed);
    all.batch = 8;
    more.batch = 1000000000;
    task_record eight = run(&all, 2), most = run(&more, 2);
    check_same_record(&eight, &most);
    task_record_release(&one);
    task_record_release(&three);
    task_record_release(&eight);
    task_record_release(&most);
}

/* Where f is neither the mean nor the median of a measurement, its interval is not judged; it has a width. */
static void intervals_are_judged_where_they_can_be(void **state) {
    (void)state;
    task t = make_task("branin", LOCBO_METHOD_LOCBO);
    t.rounds = 3;
    t.relative = 1;
    const noise laws[] = {{NOISE_ONESIDED, 0.2, 0}, {NOISE_GROWING, 0.2, 0}, {NOISE_UNIFORM, 0, 0.01}};
    for (int k = 0; k < 3; k++) {
        t.noise = laws[k];
        task_record r = run(&t, 2);
        assert_int_equal(isnan(r.row[3].holds), k != 1);
        assert_true(r.row[3].holds_width > 0);
        assert_int_equal(isnan(r.row[3].noise1), k == 0);
        task_record_release(&r);
    }
}

/* The rounds are the same whatever is recommended, and recommended is what was asked for. */
static void recommendation_is_the_task_s(void **state) {
    (void)state;
    task t = make_task("branin", LOCBO_METHOD_BO);
    t.noise = (noise){NOISE_GAUSSIAN, 30, 0};
    t.rounds = 15;
    assert_int_equal(t.options.recommendation, LOCBO_RECOMMEND_EVALUATED);
    task_record evaluated = run(&t, 1);
    t.options.recommendation = LOCBO_RECOMMEND_OBSERVED;
    task_record observed = run(&t, 1);
    t.options.recommendation = LOCBO_RECOMMEND_ANYWHERE;
    task_record anywhere = run(&t, 1);
    int others = 0;
    for (size_t i = 0; i < evaluated.rows; i++) {
        check_same(observed.row[i].observed, evaluated.row[i].observed);
        check_same(anywhere.row[i].observed, evaluated.row[i].observed);
        check_same(observed.row[i].recommended, observed.row[i].observed);
        others += !same_number(evaluated.row[i].recommended, observed.row[i].observed);
        others += !same_number(evaluated.row[i].recommended, anywhere.row[i].recommended);
    }
    check_that(others > 5, "%d rows differ", others);
    task_record_release(&evaluated);
    task_record_release(&observed);
    task_record_release(&anywhere);
}

static void a_radio_run_by_hand(void **state) {
    (void)state;
    radio deployed;
    problem p;
    radio_options options = {5, 0, 0};
    task t = make_task("radio", LOCBO_METHOD_LOCBO);
    t.rounds = 20;
    t.initial = 12;
    t.sectors = 1;
    t.pool = 40;
    t.channels = 2;
    radio_deploy(&deployed, &options);
    radio_problem(&p, &deployed);
    check_by_hand(&t, &p, &deployed, 5);
}

/* ---- a program --------------------------------------------------------------------------------- */

/* Proposes (i/10, 1/4) for i = 1, 2, ..., recommends (7/8, 1/2), and writes down all it is told. */
static const char FIXED[] = "read d s n r; echo $d $s $n $r >NOTES; i=0; while [ $i -lt $n ]; do "
                            "read l; echo $l >>NOTES; i=$((i+1)); done; i=0; while [ $i -lt $r ]; do i=$((i+1)); "
                            "echo 0.$i 0.25; read y; echo $y >>NOTES; done; echo 0.875 0.5";

static task fixed_task(const char *name, const char *notes) {
    task t = make_task(name, LOCBO_METHOD_LOCBO);
    char *to = t.program;
    for (const char *from = FIXED; *from;) {
        const char *word = strncmp(from, "NOTES", 5) == 0 ? notes : NULL;
        to += word ? sprintf(to, "%s", word) : sprintf(to, "%c", *from);
        from += word ? 5 : 1;
    }
    assert_true(to < t.program + sizeof t.program);
    t.rounds = 5;
    t.initial = 3;
    t.noise = (noise){NOISE_GAUSSIAN, 5, 0};
    return t;
}

static double next_number(FILE *from) {
    char text[64];
    double value = NAN;
    assert_int_equal(fscanf(from, "%63s", text), 1);
    check_that(sscanf(text, "%lf", &value) == 1, "'%s' is no number", text);
    return value;
}

/* What it was told is what the same streams give by hand, bit for bit, and smaller is better. */
static void check_told(hand *h, FILE *notes, const task_record *r) {
    draw d = draw_open(h->seed, 1);
    const problem *p = h->problem;
    double sign = p->maximize ? -1 : 1, last[2] = {0.875, 0.5};
    draw_below(&d, 2);
    check_same(next_number(notes), 2);
    check_same(next_number(notes), (double)h->seed);
    check_same(next_number(notes), 3);
    check_same(next_number(notes), 5);
    for (size_t k = 0; k < 8; k++) {
        double u[2] = {0.1 * (double)(k - 2), 0.25}, x[2];
        if (k > 2) u[0] = (double)(k - 2) / 10; /* as "0.3" is read */
        for (size_t i = 0; i < 2 && k < 3; i++) {
            u[i] = draw_uniform(&d);
            check_same(next_number(notes), u[i]);
        }
        for (size_t i = 0; i < 2; i++) x[i] = p->low[i] + (p->high[i] - p->low[i]) * u[i];
        double y = hand_measure(h, x);
        check_same(next_number(notes), sign * y);
        hand_observe(h, x, y);
        if (k < 2) continue;
        const task_row *row = &r->row[k - 2];
        check_close(row->observed, hand_merit(h, h->best_x), 1e-12, 1e-12);
        if (k < 7) check_same(row->recommended, row->observed);
    }
    for (size_t i = 0; i < 2; i++) last[i] = p->low[i] + (p->high[i] - p->low[i]) * last[i];
    check_close(r->row[5].recommended, hand_merit(h, last), 1e-12, 1e-12);
}

static void a_program_sees_what_others_see(void **state) {
    (void)state;
    static const char *const problems[] = {"branin", "ackley-paper"}; /* the second is maximised */
    for (size_t i = 0; i < 2; i++) {
        char notes[] = "/tmp/told-XXXXXX";
        close(mkstemp(notes));
        task t = fixed_task(problems[i], notes), u = make_task(problems[i], LOCBO_METHOD_RANDOM);
        task_record r = run(&t, 11);
        hand h = {.task = &t, .problem = problem_find(problems[i]), .seed = 11, .best_y = NAN};
        FILE *told = fopen(notes, "r");
        assert_non_null(told);
        check_told(&h, told, &r);
        fclose(told);
        for (size_t k = 0; k < r.rows; k++) /* it has neither sets nor times */
            for (const double *x = &r.row[k].covered; x <= &r.row[k].far_f; x++)
                check_that(isnan(*x), "row %zu has %g", k, *x);
        u.initial = t.initial;
        u.noise = t.noise;
        task_record others = run(&u, 11);
        check_same(r.row[0].observed, others.row[0].observed);
        task_record_release(&others);
        task_record_release(&r);
        remove(notes);
    }
}

/* Every method proposes values of the parameters: a real one for a category would have been refused by the problem,
 * whose regret is never negative. All begin with the same points. */
static void parameters_that_are_not_real(void **state) {
    (void)state;
    static const char *const problems[] = {"switch-b", "mixed-b", "tune-a"};
    for (size_t i = 0; i < 3; i++) {
        double first = NAN;
        for (size_t m = 0; m < METHODS; m++) {
            task t = make_task(problems[i], methods[m]);
            t.move = 1;
            task_record r = run(&t, 5);
            for (size_t k = 0; k < r.rows; k++)
                assert_true(r.row[k].observed > -1e-12 && r.row[k].recommended > -1e-12);
            if (m == 0) first = r.row[0].observed;
            check_same(r.row[0].observed, first);
            task_record_release(&r);
        }
    }
    task t = make_task("switch-a", LOCBO_METHOD_RANDOM);
    task_record record;
    t.rotate = 1;
    check_fails(task_run(&t, 1, &record, &error), LOCBO_ERR_ARGUMENT,
                "rotate is for real parameters, and switch-a has");
}

/* With conditions and without, a run has the same problem, initial points and noise. */
static void parameters_that_do_not_always_count(void **state) {
    (void)state;
    static const char *const problems[] = {"models-a", "models-b"};
    for (size_t i = 0; i < 2; i++)
        for (int move = 0; move < 2; move++) {
            task flat = make_task(problems[i], LOCBO_METHOD_LOCBO), t = flat;
            flat.move = t.move = move;
            t.conditional = 1;
            task_record a = run(&t, 5), b = run(&flat, 5);
            check_same(a.row[0].observed, b.row[0].observed);
            for (size_t k = 0; k < a.rows; k++)
                assert_true(a.row[k].observed > -1e-12 && a.row[k].recommended > -1e-12);
            task_record_release(&a);
            task_record_release(&b);
        }
    task t = make_task("branin", LOCBO_METHOD_BO);
    task_record record;
    t.conditional = 1;
    check_fails(task_run(&t, 1, &record, &error), LOCBO_ERR_ARGUMENT, "conditional is for problems with conditions");
    t = make_task("models-a", LOCBO_METHOD_BO);
    t.conditional = 1;
    strcpy(t.program, "cat");
    check_fails(task_run(&t, 1, &record, &error), LOCBO_ERR_ARGUMENT, "conditional needs the optimizer's space");
}

/* A program is told the kinds of the parameters; equal parts of the unit interval are their values. */
static void a_program_is_told_the_kinds(void **state) {
    (void)state;
    char notes[] = "/tmp/kinds-XXXXXX", line[200];
    close(mkstemp(notes));
    task t = make_task("mixed-b", LOCBO_METHOD_LOCBO);
    t.initial = t.rounds = 1;
    snprintf(t.program, sizeof t.program,
             "read l; echo $l >%s; read l; echo 0.6 0.9 0.8 0.6 0.75; read y; echo $y >>%s; "
             "echo 0.7 0.7 0.75 0.6 0.75",
             notes, notes);
    task_record r = run(&t, 3);
    FILE *told = fopen(notes, "r");
    assert_non_null(told);
    assert_non_null(fgets(line, sizeof line, told));
    assert_string_equal(line, "5 3 1 1 cat:4 cat:3 int:0:10 real real\n");
    /* the best point: category 2 of 0 to 3, 2 of 0 to 2, 8 of 0 to 10 */
    check_close(next_number(told), 0, 0, 1e-12);
    check_close(r.row[1].recommended, 0, 0, 1e-12);
    fclose(told);
    task_record_release(&r);
    remove(notes);
}

/* A program is told the size of a batch at the end of its first line. One that writes all points of a batch before it
 * reads gets their values in the same order; one that reads each value at once may do that too. */
static void a_program_may_write_batches(void **state) {
    (void)state;
    char notes[] = "/tmp/batch-XXXXXX", line[200];
    close(mkstemp(notes));
    task t = make_task("branin", LOCBO_METHOD_LOCBO);
    t.initial = 1;
    t.rounds = 3;
    t.batch = 3;
    snprintf(t.program, sizeof t.program,
             "read l; echo $l >%s; read l; echo 0.5 0.5; echo 0.1 0.2; echo 1 0; for i in 1 2 3; do "
             "read y; echo $y >>%s; done; echo 0.1 0.2",
             notes, notes);
    task_record together = run(&t, 3);
    FILE *told = fopen(notes, "r");
    assert_non_null(told);
    assert_non_null(fgets(line, sizeof line, told));
    assert_string_equal(line, "2 3 1 3 batch:3\n");
    const double at[3][2] = {{2.5, 7.5}, {-3.5, 3}, {10, 0}};
    for (size_t k = 0; k < 3; k++)
        check_close(next_number(told), problem_value(problem_find("branin"), at[k]), 1e-12, 0);
    fclose(told);
    strcpy(t.program, "read l; read l; for p in '0.5 0.5' '0.1 0.2' '1 0'; do echo $p; read y; done; echo 0.1 0.2");
    task_record apart = run(&t, 3);
    check_same_record(&together, &apart);
    strcpy(t.problem, "mixed-b");
    t.rounds = 1;
    snprintf(t.program, sizeof t.program, "read l; echo $l >%s; read l; echo 0 0 0 0 0; read y; echo 0 0 0 0 0", notes);
    task_record mixed = run(&t, 3);
    told = fopen(notes, "r");
    assert_non_null(told);
    assert_non_null(fgets(line, sizeof line, told));
    assert_string_equal(line, "5 3 1 1 cat:4 cat:3 int:0:10 real real batch:3\n");
    fclose(told);
    task_record_release(&together);
    task_record_release(&apart);
    task_record_release(&mixed);
    remove(notes);
}

/* Lines of 200 numbers go both ways. */
static void a_program_may_have_many_parameters(void **state) {
    (void)state;
    task t = make_task("ackley200", LOCBO_METHOD_LOCBO);
    t.move = 1;
    t.initial = t.rounds = 2;
    strcpy(t.program, "read l; read a; read b; a=${a% *}; echo $a; read y; echo ${b% *}; read y; echo $a");
    task_record r = run(&t, 3);
    check_same(r.row[2].observed, r.row[0].observed); /* the initial points again */
    task_record_release(&r);
}

/* A program that fails gives an error, and nothing is left of the run. */
static void a_program_may_fail(void **state) {
    (void)state;
    task t = make_task("branin", LOCBO_METHOD_LOCBO);
    task_record record;
    strcpy(t.program, "echo 0.5 0.5; echo 0.5 2");
    check_fails(task_run(&t, 1, &record, &error), LOCBO_ERR_FORMAT,
                "point 2 must lie in the unit cube, got the coordinate '2'");
    assert_null(record.row);
    strcpy(t.program, "/no/such/program");
    check_fails(task_run(&t, 1, &record, &error), LOCBO_ERR_IO,
                "program '/no/such/program' ended with exit code 127 before point 1: ");
    assert_null(record.row);
    strcpy(t.program, " ");
    check_fails(task_run(&t, 1, &record, &error), LOCBO_ERR_ARGUMENT, "program is empty");
    t = make_task("wave", LOCBO_METHOD_LOCBO);
    strcpy(t.program, "true");
    t.grid = 5;
    check_fails(task_run(&t, 1, &record, &error), LOCBO_ERR_ARGUMENT, "grid needs the optimizer's model");
}

/* ---- the radio problem ------------------------------------------------------------------------- */

static task make_radio(locbo_method method) {
    task t = make_task("radio", method);
    t.rounds = 27;
    t.initial = 20;
    t.sectors = 1;
    t.pool = 100;
    t.every = 9;
    t.options.refit_every = 10;
    return t;
}

/* It begins at full power without tilt, where nothing is measured, and gets better. */
static void sectors_improve_on_their_start(void **state) {
    (void)state;
    double rise = 0;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        radio_options options = {seed, 0, 0};
        radio deployed;
        double x[RADIO_DIM] = {0};
        for (size_t b = 0; b < RADIO_STATIONS; b++) x[b] = 46;
        radio_deploy(&deployed, &options);
        task t = make_radio(LOCBO_METHOD_BO);
        task_record r = run(&t, seed);
        check_same(r.row[0].observed, radio_capacity(&deployed, x));
        rise += r.row[r.rows - 1].observed - r.row[0].observed;
        task_record_release(&r);
    }
    check_that(rise / 3 > 0.05, "capacity rose by %g", rise / 3);
}

/* Random search draws all values at once, so after one round the incumbent is nowhere near the start; the others change
 * one station: with the pool of one candidate the first round is one random change of station 1. */
static void a_round_changes_one_station_but_for_random(void **state) {
    (void)state;
    task t = make_radio(LOCBO_METHOD_BO);
    t.rounds = 1;
    t.every = 1;
    t.pool = 1;
    double one = 0, all = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        t.options.method = LOCBO_METHOD_BO;
        task_record r = run(&t, seed);
        one += fabs(r.row[1].observed - r.row[0].observed);
        task_record_release(&r);
        t.options.method = LOCBO_METHOD_RANDOM;
        r = run(&t, seed);
        all += fabs(r.row[1].observed - r.row[0].observed);
        task_record_release(&r);
    }
    check_that(all > 2 * one && one > 0, "one station: %g, all: %g", one, all);
}

static void radio_settings_count(void **state) {
    (void)state;
    task t = make_radio(LOCBO_METHOD_RANDOM);
    t.rounds = 2;
    task_record plain = run(&t, 1);
    t.shadowing = 6;
    task_record shadowed = run(&t, 1);
    t.shadowing = 0;
    t.script = 1;
    task_record script = run(&t, 1);
    check_that(!same_number(plain.row[0].observed, shadowed.row[0].observed), "no shadows");
    check_that(!same_number(plain.row[0].observed, script.row[0].observed), "no variant");
    task_record_release(&plain);
    task_record_release(&shadowed);
    task_record_release(&script);
}

/* ---- the grid ---------------------------------------------------------------------------------- */

static void the_grid_holds_the_final_belief(void **state) {
    (void)state;
    const problem *p = problem_find("wave");
    task t = make_task("wave", LOCBO_METHOD_LOCBO);
    t.grid = 21;
    t.noise = (noise){NOISE_NORM, 10, 1};
    task_record r = run(&t, 1);
    for (size_t i = 0; i < r.points; i++) {
        const task_point *q = &r.point[i];
        double x = p->low[0] + (p->high[0] - p->low[0]) * (double)i / 20;
        check_close(q->x, x, 1e-15, 1e-15);
        check_same(q->truth, problem_value(p, &q->x));
        check_that(q->f_low <= q->mean && q->mean <= q->f_high, "%g in [%g, %g]", q->mean, q->f_low, q->f_high);
        check_that(q->low <= q->high, "[%g, %g]", q->low, q->high);
    }
    task_record_release(&r);
    t.grid = 1;
    r = run(&t, 1);
    check_close(r.point[0].x, 0.5 * (p->low[0] + p->high[0]), 1e-15, 1e-15);
    task_record_release(&r);
}

/* ---- what cannot be run ------------------------------------------------------------------------ */

static void refuse(task t, const char *words) {
    task_record record;
    check_fails(task_check(&t, &error), LOCBO_ERR_ARGUMENT, words);
    check_fails(task_run(&t, 1, &record, &error), LOCBO_ERR_ARGUMENT, words);
    assert_null(record.row);
    assert_null(record.point);
}

#define refuse_with(start, change, words)                                                                              \
    do {                                                                                                               \
        task t = start;                                                                                                \
        check_ok(task_check(&t, &error));                                                                              \
        change;                                                                                                        \
        refuse(t, words);                                                                                              \
    } while (0)

static void mistakes_are_refused(void **state) {
    (void)state;
    task good = make_task("branin", LOCBO_METHOD_LOCBO), mast = make_radio(LOCBO_METHOD_BO);
    refuse_with(good, strcpy(t.problem, "barnin"), "there is no problem 'barnin'");
    refuse_with(good, t.problem[0] = '\0', "problem is missing");
    refuse_with(good, t.rounds = 0, "rounds");
    refuse_with(good, t.every = 0, "every");
    refuse_with(good, t.initial = 0, "initial must lie in [1, 1000000], got 0");
    refuse_with(good, t.initial = 1000001, "initial");
    refuse_with(good, t.batch = 0, "batch must be at least 1, got 0");
    refuse_with(make_task("gramacy", LOCBO_METHOD_BO), t.batch = 2, "batch is for one output at full fidelity");
    refuse_with(make_task("branin-fidelity", LOCBO_METHOD_BO), t.batch = 2, "batch is for one output at full fidelity");
    refuse_with(mast, (t.sectors = 1, t.batch = 2), "not for sectors");
    refuse_with(good, t.sectors = 1, "radio problem, not branin");
    refuse_with(good, t.channels = 2, "radio problem, not branin");
    refuse_with(good, t.script = 1, "radio problem, not branin");
    refuse_with(good, t.shadowing = 1, "radio problem, not branin");
    refuse_with(good, t.grid = 5, "branin has 2");
    refuse_with(good, t.options.alpha = 2, "alpha");
    refuse_with(mast, t.grid = 5, "radio has 18");
    refuse_with(mast, t.channels = 0, "channels must be at least 1, got 0");
    refuse_with(mast, t.shadowing = -1, "shadowing");
    refuse_with(mast, t.shadowing = NAN, "shadowing");
    refuse_with(mast, t.move = 1, "move, rotate and noise are not for the radio problem");
    refuse_with(mast, t.noise.kind = NOISE_GAUSSIAN, "its own noise");
    refuse_with(good, t.noise.kind = NOISE_GAUSSIAN, "noise gaussian needs a scale above 0, got 0");
    refuse_with(good, (t.noise = (noise){NOISE_INPUT, -1, 0}), "noise input needs a scale");
    refuse_with(good, (t.noise = (noise){NOISE_INPUT, INFINITY, 0}), "noise input needs a scale");
    refuse_with(good, (t.noise = (noise){NOISE_STUDENT, 1, 0}), "noise student needs a shape");
    refuse_with(good, (t.noise = (noise){NOISE_OUTLIERS, 1, 1.5}), "noise outliers needs a shape");
    refuse_with(good, (t.noise = (noise){NOISE_OUTLIERS, 1, 0}), "noise outliers needs a shape");
    refuse_with(good, (t.noise = (noise){NOISE_NORM, 20, -1}), "noise norm needs a shape");
    refuse_with(good, (t.noise = (noise){NOISE_NORM, 20, 1}, t.relative = 1), "cannot be relative");
    refuse_with(good, (t.law = TASK_LAW_PUBLISHED, t.options.method = LOCBO_METHOD_BO), "published");
    refuse_with(good, (t.law = TASK_LAW_PUBLISHED, t.options.acquisition = LOCBO_ACQUISITION_THOMPSON), "published");
}

/* ---- the runner -------------------------------------------------------------------------------- */

static const char PLAN[] = "name: runner\n"
                           "settings: {problem: wave, noise: {kind: norm, scale: 10, shape: 1}, rounds: 5, grid: 7}\n"
                           "cases:\n"
                           "  a: {initial: 3}\n"
                           "  b: {initial: 6}\n"
                           "methods:\n"
                           "  BO: {method: bo}\n"
                           "  LOCBO: {method: locbo}\n"
                           "  random: {method: random, only: [b]}\n";

typedef struct scene {
    char dir[64];
    plan plan;
    results *results;
} scene;

static void open_results(scene *s) { check_ok(results_open(&s->results, &s->plan, s->dir, &error)); }

static void begin(scene *s) {
    char path[128];
    *s = (scene){.dir = "/tmp/locbo-task-XXXXXX"};
    assert_non_null(mkdtemp(s->dir));
    check_ok(experiment_file_parse("p.yaml", PLAN, strlen(PLAN), &s->plan, &error));
    snprintf(path, sizeof path, "%s/runner", s->dir);
    assert_int_equal(mkdir(path, 0777), 0);
    open_results(s);
}

static void end(scene *s) {
    static const char *const names[] = {"/runner/runs.csv", "/runner/grid.csv", "/runner", ""};
    char path[128];
    results_close(s->results);
    plan_release(&s->plan);
    for (size_t i = 0; i < 4; i++) {
        snprintf(path, sizeof path, "%s%s", s->dir, names[i]);
        check_that(remove(path) == 0, "%s is not there", path);
    }
}

/* With the nine digits of the file. */
static void round_record(task_record *record) {
    char text[40];
    double *row, *point;
    for (size_t i = 0; i < record->rows; i++)
        for (row = &record->row[i].observed; row <= &record->row[i].far_f; row++) {
            snprintf(text, sizeof text, "%.9g", *row);
            *row = isnan(*row) ? (double)NAN : strtod(text, NULL);
        }
    for (size_t i = 0; i < record->points; i++)
        for (point = &record->point[i].x; point <= &record->point[i].f_high; point++) {
            snprintf(text, sizeof text, "%.9g", *point);
            *point = isnan(*point) ? (double)NAN : strtod(text, NULL);
        }
}

/* Cells in the order of the file, each run as task_run makes it, whatever the number of processes; NULL: all methods.
 */
static void check_runs(const scene *s, size_t seeds) {
    size_t count = 0;
    for (size_t cell = 0; cell < plan_cells(&s->plan); cell++)
        for (uint64_t seed = 1; seed <= seeds && s->plan.present[cell]; seed++, count++) {
            results_run found;
            check_that(results_find(s->results, cell, seed, &found), "cell %zu, seed %d", cell, (int)seed);
            task_record expected = run(&s->plan.task[cell], seed);
            task_record got = {found.rows, found.points, (task_row *)found.row, (task_point *)found.point};
            round_record(&expected);
            check_same_record(&got, &expected);
            task_record_release(&expected);
        }
    assert_int_equal(results_count(s->results), count);
}

static void processes_give_the_runs_of_task_run(void **state) {
    (void)state;
    static const unsigned jobs[] = {1, 3};
    for (size_t j = 0; j < 2; j++) {
        scene s;
        begin(&s);
        runner_options o = {.seeds = 3, .jobs = jobs[j]};
        size_t ran = 0;
        check_ok(runner_run(&s.plan, s.results, &o, &ran, &error));
        assert_int_equal(ran, 15);
        check_runs(&s, 3);
        check_ok(runner_run(&s.plan, s.results, &o, &ran, &error));
        assert_int_equal(ran, 0); /* nothing is missing */
        o.seeds = 4;
        check_ok(runner_run(&s.plan, s.results, &o, &ran, &error));
        assert_int_equal(ran, 5);
        check_runs(&s, 4);
        end(&s);
    }
}

static void only_the_methods_asked_for_are_run(void **state) {
    (void)state;
    scene s;
    begin(&s);
    runner_options o = {.seeds = 2, .jobs = 2, .methods = (char[]){0, 0, 1}};
    size_t ran = 0;
    check_ok(runner_run(&s.plan, s.results, &o, &ran, &error));
    assert_int_equal(ran, 2);
    for (size_t i = 0; i < 2; i++) assert_int_equal(results_at(s.results, i).cell, plan_cell(&s.plan, 1, 2));
    end(&s);
}

static int stop_after_two(const runner_state *state, void *user) {
    runner_state *seen = user;
    check_that(state->done <= state->total && state->work_done <= state->work_total * (1 + 1e-12), "%zu of %zu",
               state->done, state->total);
    *seen = *state;
    return state->done < 2;
}

static void a_stop_keeps_what_is_done(void **state) {
    (void)state;
    scene s;
    begin(&s);
    runner_state seen = {0};
    runner_options o = {.seeds = 30, .jobs = 2, .tick = stop_after_two, .user = &seen};
    size_t ran = 0;
    check_fails(runner_run(&s.plan, s.results, &o, &ran, &error), LOCBO_ERR_STOPPED, "of 150 runs");
    assert_int_equal(ran, results_count(s.results));
    assert_int_equal(ran, seen.done);
    check_that(ran >= 2 && ran < 150, "%zu runs", ran);
    results_close(s.results);
    open_results(&s);
    assert_int_equal(results_count(s.results), ran);
    end(&s);
}

/* A task that passes the checks of the file but not the library's: the run is named. */
static void a_failed_run_is_named(void **state) {
    (void)state;
    scene s;
    begin(&s);
    s.plan.task[plan_cell(&s.plan, 1, 1)].pool = -5;
    runner_options o = {.seeds = 2, .jobs = 2};
    size_t ran = 0;
    check_fails(runner_run(&s.plan, s.results, &o, &ran, &error), LOCBO_ERR_ARGUMENT, "runner, b, LOCBO, seed 1: ");
    assert_int_equal(ran, results_count(s.results));
    runner_options rest = {.seeds = 1, .jobs = 1, .methods = (char[]){1, 0, 1}};
    check_ok(runner_run(&s.plan, s.results, &rest, &ran, &error)); /* the others can still be made */
    end(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_same_seed_gives_the_same_bits),
        cmocka_unit_test(methods_start_from_the_same),
        cmocka_unit_test(noise_changes_what_is_seen_and_not_the_points),
        cmocka_unit_test(regret_without_noise_falls_to_zero_and_not_below),
        cmocka_unit_test(bo_beats_random_on_ackley),
        cmocka_unit_test(columns_are_shares_or_empty),
        cmocka_unit_test(coverage_of_y_and_of_f),
        cmocka_unit_test(thinning_records_the_same_run),
        cmocka_unit_test(bounds_hold_on_real_runs),
        cmocka_unit_test(corners_start_lies_in_one_corner),
        cmocka_unit_test(both_corners_occur),
        cmocka_unit_test(relative_noise),
        cmocka_unit_test(the_published_laws_are_others),
        cmocka_unit_test(a_run_by_hand),
        cmocka_unit_test(a_radio_run_by_hand),
        cmocka_unit_test(a_run_of_batches_by_hand),
        cmocka_unit_test(batches_change_the_order_only),
        cmocka_unit_test(intervals_are_judged_where_they_can_be),
        cmocka_unit_test(recommendation_is_the_task_s),
        cmocka_unit_test(a_program_sees_what_others_see),
        cmocka_unit_test(parameters_that_are_not_real),
        cmocka_unit_test(parameters_that_do_not_always_count),
        cmocka_unit_test(a_program_is_told_the_kinds),
        cmocka_unit_test(a_program_may_write_batches),
        cmocka_unit_test(a_program_may_have_many_parameters),
        cmocka_unit_test(a_program_may_fail),
        cmocka_unit_test(sectors_improve_on_their_start),
        cmocka_unit_test(a_round_changes_one_station_but_for_random),
        cmocka_unit_test(radio_settings_count),
        cmocka_unit_test(the_grid_holds_the_final_belief),
        cmocka_unit_test(mistakes_are_refused),
        cmocka_unit_test(processes_give_the_runs_of_task_run),
        cmocka_unit_test(only_the_methods_asked_for_are_run),
        cmocka_unit_test(a_stop_keeps_what_is_done),
        cmocka_unit_test(a_failed_run_is_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
