/* What each view says of a study with two objectives, constraints (one of them derived) and a recorded output, of which
 * some results lack outputs; and that a study without a table of outputs has none of the keys. */
#include "choice.h"
#include "judge.h"
#include "mem.h"
#include "overview.h"
#include "view_studies.h"

#include "several_outputs.h"

enum { ROUNDS = 24 };

static locbo_study *study;
static cache *c;
static const trial_table *all;

static void open_study(size_t objectives, int referenced, int rounds) {
    draw r = draw_open(7, 1);
    double x[4];
    study = several_study("a", objectives, referenced);
    several_play(study, rounds, &r);
    fixture_ask(study, "one", x);
    check_ok(locbo_study_tell_failed(study, (uint64_t)rounds + 1, 1, "why", &error));
    fixture_ask(study, "two", x);
    c = fixture_cache("a");
    check_ok(cache_trials(c, &all, &error));
}

static void close_study(void) {
    cache_close(c);
    locbo_study_close(study);
}

/* The mean of an output over the results of a trial, from the record itself. */
typedef struct means {
    uint64_t trial;
    double mean[OUTPUTS];
    locbo_belief belief[OUTPUTS];
    locbo_measurement first[OUTPUTS];
} means;

static int take_means(const locbo_record *r, void *user) {
    means *m = user;
    if (r->trial.id != m->trial) return 0;
    assert_int_equal(r->outputs, OUTPUTS);
    for (size_t k = 0; k < OUTPUTS; k++) {
        double sum = 0, count = 0;
        for (size_t i = 0; i < r->count; i++) {
            double value = r->measurements[i * OUTPUTS + k].value;
            if (!isnan(value)) sum += value, count++;
        }
        m->mean[k] = count > 0 ? sum / count : (double)NAN;
        m->belief[k] = r->beliefs[k];
        m->first[k] = r->count ? r->measurements[k] : (locbo_measurement){(double)NAN, (double)NAN, 0};
    }
    return 0;
}

static means means_of(uint64_t trial) {
    means m = {.trial = trial};
    check_ok(locbo_study_each(study, NULL, take_means, &m, &error));
    return m;
}

/* 1, 0, -1: as the contract has it. */
static int feasible_of(const means *m) {
    if (m->mean[MEMORY] > 9 || m->mean[COST] > 15) return 0;
    return isnan(m->mean[MEMORY]) || isnan(m->mean[COST]) ? -1 : 1;
}

static void check_feasible(json_t *json, int feasible) {
    check_that(feasible < 0 ? json_is_null(json) : json_is_boolean(json) && json_is_true(json) == feasible,
               "feasible should be %d", feasible);
}

/* ---- the table --------------------------------------------------------------------------------- */

static void the_table_has_every_output(void **state) {
    (void)state;
    open_study(2, 0, ROUNDS);
    const double *bounds;
    size_t lacking = 0, judged = 0;
    check_ok(cache_bounds(c, &bounds, &error));
    check_same(bounds[MEMORY], 9);
    check_same(bounds[COST], 15);
    assert_true(isnan(bounds[LOSS]) && isnan(bounds[EPOCHS]));
    for (size_t i = 0; i < all->count; i++) {
        means m = means_of(i + 1);
        for (size_t k = 0; k < OUTPUTS; k++) {
            trial_output o = trial_table_output(all, i, k);
            const locbo_belief *b = trial_table_belief(all, i, k);
            check_same(o.value, m.mean[k]);
            check_same(o.first.value, m.first[k].value);
            assert_int_equal(b == NULL, k == EPOCHS);
            if (b) check_same(b->mean, m.belief[k].mean);
            if (b) check_same(b->y_high, m.belief[k].y_high);
            lacking += isnan(o.value) != 0;
            judged += judge_output(all, i, k) != JUDGE_NONE;
        }
        assert_int_equal((int)trial_table_feasible(all, i, bounds), feasible_of(&m));
    }
    assert_true(lacking > 10 && judged > 20);
    close_study();
}

/* Verdicts of each output, and of all together, are those that the core counts. */
static void verdicts_are_the_core_s(void **state) {
    (void)state;
    open_study(2, 0, ROUNDS);
    locbo_optimizer *o;
    uint64_t judged, inside, by[LOCBO_ORIGINS], inside_by[LOCBO_ORIGINS], whole = 0, held = 0;
    check_ok(cache_model(c, &o, &error));
    for (size_t k = 0; k < OUTPUTS; k++) {
        locbo_summary s;
        size_t *order, count;
        judge_count(all, k, 0, by, inside_by);
        check_ok(judge_order(all, k, 0, &order, &count, &error));
        mem_free(order);
        if (k == EPOCHS) assert_int_equal(count, 0);
        if (k == EPOCHS) continue;
        check_ok(locbo_optimizer_summary_of(o, k, &s, &error));
        assert_int_equal(count, s.judged);
        assert_memory_equal(by, s.judged_by, sizeof by);
        assert_memory_equal(inside_by, s.inside_by, sizeof inside_by);
    }
    check_ok(locbo_optimizer_whole_coverage(o, &judged, &inside, &error));
    for (size_t i = 0; i < all->count; i++) {
        judge_verdict v = judge_together(all, i);
        whole += v != JUDGE_NONE;
        held += v == JUDGE_INSIDE;
        int miss = 0;
        for (size_t k = 0; k < OUTPUTS; k++) miss |= judge_output(all, i, k) == JUDGE_MISS;
        assert_int_equal(judge_any(all, i) == JUDGE_MISS, miss);
    }
    assert_true(judged > 0 && judged == whole && inside == held);
    close_study();
}

/* ---- the views --------------------------------------------------------------------------------- */

static void the_definition_has_the_outputs(void **state) {
    (void)state;
    open_study(2, 1, 3);
    json_t *a = fixture_answer(c, "definition", NULL);
    assert_int_equal(json_array_size(fixture_at(a, "outputs")), OUTPUTS);
    assert_string_equal(fixture_text(a, "outputs.0.goal"), "record");
    assert_string_equal(fixture_text(a, "outputs.4.of"), "loss + memory / 2");
    check_same(fixture_real(a, "outputs.2.bound"), 9);
    check_same(fixture_real(a, "outputs.3.reference"), -20);
    json_decref(a);
    json_t *row = NULL;
    check_ok(view_studies_row(study, &row, &error));
    assert_string_equal(fixture_text(row, "outputs.3.name"), "speed");
    assert_true(json_is_null(fixture_at(row, "best")));
    json_decref(row);
    close_study();
}

static void the_overview_counts(void **state) {
    (void)state;
    open_study(2, 1, ROUNDS);
    size_t count[3] = {0, 0, 0};
    for (uint64_t i = 1; i <= ROUNDS; i++) {
        means m = means_of(i);
        count[feasible_of(&m) + 1]++;
    }
    json_t *a = fixture_answer(c, "overview", NULL), *b;
    assert_true(count[0] > 0 && count[1] > 0 && count[2] > 0);
    assert_int_equal(fixture_count(a, "feasible.unknown"), count[0]);
    assert_int_equal(fixture_count(a, "feasible.no"), count[1]);
    assert_int_equal(fixture_count(a, "feasible.yes"), count[2]);
    assert_true(json_is_null(fixture_at(a, "best")));
    assert_int_equal(json_array_size(fixture_at(a, "outputs")), OUTPUTS);
    assert_int_equal(json_array_size(fixture_at(a, "coverage_by_output")), 4);
    assert_string_equal(fixture_text(a, "coverage_by_output.0.output"), "loss");
    assert_int_equal(fixture_count(a, "coverage_by_output.0.judged"), fixture_count(a, "coverage.judged"));
    assert_true(fixture_count(a, "coverage_together.judged") <= fixture_count(a, "coverage_by_output.1.judged"));
    b = fixture_answer(c, "pareto", NULL);
    size_t on_front = 0, i;
    json_t *cell;
    json_array_foreach(fixture_at(b, "columns.front"), i, cell) on_front += json_is_true(cell);
    assert_int_equal(fixture_count(a, "front.points"), on_front);
    json_decref(b);
    b = fixture_answer(c, "hypervolume", NULL);
    size_t last = json_array_size(fixture_at(b, "volume")) - 1;
    check_same(json_number_value(json_array_get(fixture_at(b, "volume"), last)), fixture_real(a, "front.hypervolume"));
    assert_int_equal(fixture_count(a, "front.since"), fixture_count(b, "since"));
    assert_int_equal(fixture_count(a, "since_best"), fixture_count(b, "since"));
    json_decref(a);
    json_decref(b);
    close_study();
}

/* A result of a new trial at the point of an old one counts for both. */
static void trials_at_one_point_are_judged_together(void **state) {
    (void)state;
    open_study(2, 1, ROUNDS);
    uint64_t trial;
    json_t *a = fixture_answer(c, "overview", NULL), *b = NULL, *status = NULL;
    size_t at = 0;
    for (means m = means_of(1); feasible_of(&m) != 1; m = means_of(at + 1)) assert_true(++at < all->count);
    locbo_measurement bad[OUTPUTS];
    for (size_t k = 0; k < OUTPUTS; k++) bad[k] = (locbo_measurement){k == COST ? (double)NAN : 1e6, (double)NAN, 1};
    check_ok(locbo_study_import(study, 1, all->x + at * all->dim, bad, &trial, &error));
    b = fixture_answer(c, "overview", NULL);
    assert_int_equal(fixture_count(b, "feasible.yes"), fixture_count(a, "feasible.yes") - 1);
    assert_int_equal(fixture_count(b, "feasible.no"), fixture_count(a, "feasible.no") + 2);
    check_ok(overview_make(study, "", 0, &status, &error));
    assert_true(json_equal(fixture_at(status, "feasible"), fixture_at(b, "feasible")));
    json_decref(status);
    json_decref(a);
    json_decref(b);
    close_study();
}

static void targets_are_rules(void **state) {
    (void)state;
    open_study(2, 0, 8);
    locbo_plan plan;
    locbo_plan_init(&plan);
    plan.targets[0] = 1e9;  /* loss */
    plan.targets[2] = -1e9; /* speed */
    check_ok(locbo_study_set_plan(study, &plan, &error));
    json_t *a = fixture_answer(c, "overview", NULL);
    double best = INFINITY;
    for (uint64_t i = 1; i <= 8; i++) {
        means m = means_of(i);
        if (feasible_of(&m) == 1) best = fmin(best, m.mean[LOSS]);
    }
    assert_int_equal(json_array_size(fixture_at(a, "rules")), 2);
    assert_string_equal(fixture_text(a, "rules.0.output"), "loss");
    check_same(fixture_real(a, "rules.0.value"), best);
    check_same(fixture_real(a, "rules.1.target"), -1e9);
    assert_true(json_is_true(fixture_at(a, "rules.1.reached")));
    json_decref(a);
    close_study();
}

static void the_history_is_of_one_output(void **state) {
    (void)state;
    open_study(2, 0, ROUNDS);
    json_t *plain = fixture_answer(c, "history", NULL), *named = fixture_answer(c, "history", "output", "loss", NULL);
    assert_true(json_equal(plain, named));
    assert_string_equal(fixture_text(plain, "output"), "loss");
    json_decref(plain);
    json_decref(named);
    for (size_t k = 0; k < OUTPUTS; k++) {
        json_t *a = fixture_answer(c, "history", "output", output_name[k], NULL);
        double best = k == SPEED ? -INFINITY : INFINITY;
        size_t better = 0;
        assert_string_equal(fixture_text(a, "output"), output_name[k]);
        check_same(fixture_real(a, "bound"), k == MEMORY ? 9 : k == COST ? 15 : (double)NAN);
        for (size_t i = 0; i < all->count; i++) {
            means m = means_of(i + 1);
            trial_output o = trial_table_output(all, i, k);
            check_same(json_number_value(json_array_get(fixture_at(a, "columns.value"), i)),
                       isnan(o.value) ? 0 : o.value);
            check_feasible(json_array_get(fixture_at(a, "columns.feasible"), i), feasible_of(&m));
            if (isnan(o.value) || feasible_of(&m) != 1 || !(k == SPEED ? o.value > best : o.value < best)) continue;
            best = o.value; /* each trial has a point of its own */
            better++;
        }
        int objective = k == LOSS || k == SPEED;
        assert_int_equal(json_array_size(fixture_at(a, "best.trial")), objective ? better : 0);
        json_decref(a);
    }
    close_study();
}

static void trials_have_outputs(void **state) {
    (void)state;
    open_study(2, 0, ROUNDS);
    json_t *a = fixture_answer(c, "trials", "sort", "outputs.speed", "order", "asc", NULL);
    double before = -INFINITY;
    for (size_t i = 0; i < all->count; i++) {
        json_t *row = json_array_get(fixture_at(a, "rows"), i);
        means m = means_of((uint64_t)fixture_count(row, "trial"));
        assert_int_equal(json_object_size(row), 20);
        assert_int_equal(json_object_size(fixture_at(row, "outputs")), OUTPUTS);
        assert_true(json_is_null(fixture_at(row, "value")) && json_is_null(fixture_at(row, "interval")));
        for (size_t k = 0; k < OUTPUTS; k++) {
            json_t *value = json_object_get(fixture_at(row, "outputs"), output_name[k]);
            check_that(json_is_null(value) ? isnan(m.mean[k]) : json_number_value(value) == m.mean[k], "row %zu", i);
        }
        check_feasible(fixture_at(row, "feasible"), feasible_of(&m));
        double speed = fixture_real(row, "outputs.speed");
        check_that(isnan(speed) || speed >= before, "row %zu is in the wrong place", i);
        before = isnan(speed) ? INFINITY : speed; /* those without are last */
    }
    json_decref(a);
    size_t found = 0;
    static const char *const words[] = {"yes", "no"};
    for (size_t w = 0; w < 2; w++) {
        a = fixture_answer(c, "trials", "feasible", words[w], NULL);
        size_t i;
        json_t *row;
        json_array_foreach(fixture_at(a, "rows"), i, row) check_feasible(fixture_at(row, "feasible"), w == 0);
        found += json_array_size(fixture_at(a, "rows"));
        json_decref(a);
    }
    assert_true(found > 10 && found < ROUNDS);
    close_study();
}

static void a_trial_has_beliefs_and_misses(void **state) {
    (void)state;
    open_study(2, 0, ROUNDS);
    locbo_output printed = {.out = "text", .err = "", .out_size = 4, .seconds = 1};
    check_ok(locbo_study_keep_output(study, 18, 1, &printed, &error));
    json_t *a = fixture_answer(c, "trial", "number", "18", NULL);
    means m = means_of(18);
    assert_string_equal(fixture_text(a, "attempts.0.out"), "text");
    check_same(fixture_real(a, "outputs.loss"), m.mean[LOSS]);
    assert_int_equal(json_array_size(fixture_at(a, "measurements")), 2);
    assert_int_equal(json_object_size(fixture_at(a, "measurements.1.outputs")), 1);
    assert_null(fixture_at(a, "belief"));
    check_same(fixture_real(a, "beliefs.cost.mean"), m.belief[COST].mean);
    assert_int_equal(json_object_size(fixture_at(a, "misses")), 4);
    for (size_t k = 1; k < OUTPUTS; k++) {
        json_t *miss = json_object_get(fixture_at(a, "misses"), output_name[k]),
               *same = judge_json(judge_output(all, 17, k));
        assert_true(json_equal(miss, same));
        json_decref(same);
    }
    json_t *any = judge_json(judge_any(all, 17));
    assert_true(json_equal(fixture_at(a, "miss"), any));
    json_decref(any);
    json_decref(a);
    close_study();
}

static void parameters_and_calibration_of_an_output(void **state) {
    (void)state;
    open_study(2, 0, ROUNDS);
    json_t *a = fixture_answer(c, "parameters", "output", "memory", "points", "10", NULL);
    assert_int_equal(json_array_size(fixture_at(a, "columns.feasible")), 10);
    assert_string_equal(fixture_text(a, "goal"), "at_most");
    json_decref(a);
    for (size_t k = 1; k < OUTPUTS; k++) {
        uint64_t judged[LOCBO_ORIGINS], inside[LOCBO_ORIGINS], sum = 0;
        a = fixture_answer(c, "calibration", "output", output_name[k], NULL);
        judge_count(all, k, 0, judged, inside);
        for (size_t i = 0; i < LOCBO_ORIGINS; i++) sum += judged[i];
        assert_int_equal(fixture_count(a, "judged"), sum);
        assert_string_equal(fixture_text(a, "output"), output_name[k]);
        json_decref(a);
    }
    close_study();
}

static void slices_are_predictions(void **state) {
    (void)state;
    open_study(2, 0, ROUNDS);
    locbo_optimizer *o;
    json_t *a = fixture_answer(c, "slice", "parameter", "x", "output", "memory", "at", "3", NULL), *b;
    locbo_belief beliefs[OUTPUTS];
    double x[4], feasible;
    memcpy(x, all->x + 2 * 4, sizeof x);
    x[0] = fixture_real(a, "grid.7");
    check_ok(cache_model(c, &o, &error));
    check_ok(locbo_optimizer_predict_outputs(o, 1, x, beliefs, &feasible, &error));
    check_close(fixture_real(a, "mean.7"), beliefs[MEMORY].mean, 1e-9, 1e-9); /* many points at once, or one */
    check_close(fixture_real(a, "feasible.7"), feasible, 1e-6, 1e-9);
    check_same(fixture_real(a, "bound"), 9);
    json_decref(a);
    a = fixture_answer(c, "choices", NULL);
    b = fixture_answer(c, "contour", "x", "x", "y", "n", "points", "5", NULL);
    int found = 0;
    size_t i;
    json_t *point;
    json_array_foreach(fixture_at(a, "recommended.front"), i, point) found |=
        json_equal(fixture_at(point, "params"), fixture_at(b, "at.params"));
    assert_true(found); /* the others are fixed at a point of the front */
    assert_int_equal(json_array_size(fixture_at(b, "feasible")), 25);
    json_decref(a);
    json_decref(b);
    a = fixture_answer(c, "importance", "output", "cost", NULL);
    double length[4];
    check_ok(locbo_optimizer_length_scales_of(o, COST, length, &error));
    check_same(fixture_real(a, "parameters.1.length_scale"), length[1]);
    json_decref(a);
    close_study();
}

/* Measure some points again. */
static void repeat(uint64_t first, uint64_t last) {
    draw r = draw_open(9, 1);
    locbo_measurement m[OUTPUTS];
    for (uint64_t i = first; i <= last; i++) {
        uint64_t trial;
        const double *x = all->x + (i - 1) * 4;
        check_ok(locbo_study_enqueue(study, x, &trial, &error));
        several_measure(x, &r, m);
        check_ok(locbo_study_tell(study, trial, 0, 1, m, &error));
    }
}

/* The trials of the front `best` of choices are those of the view pareto: both are of points. */
static void check_same_front(json_t *choices, json_t *pareto) {
    size_t n = 0, i;
    json_t *point, *trial;
    json_array_foreach(fixture_at(pareto, "columns.trial"), i, trial) {
        if (!json_is_true(json_array_get(fixture_at(pareto, "columns.front"), i))) continue;
        int found = 0;
        size_t j;
        json_array_foreach(fixture_at(choices, "best.front"), j, point) {
            if (!json_equal(fixture_at(point, "trial"), trial)) continue;
            found = 1;
            check_close(json_number_value(json_array_get(fixture_at(pareto, "columns.values.speed"), i)),
                        fixture_real(point, "outputs.speed.value"), 1e-14, 0); /* sums in another order */
        }
        check_that(found, "trial %d is on one front only", (int)json_integer_value(trial));
        n++;
    }
    assert_int_equal(n, json_array_size(fixture_at(choices, "best.front")));
}

static void choices_are_fronts(void **state) {
    (void)state;
    open_study(2, 1, ROUNDS);
    repeat(1, 12);
    json_t *a = fixture_answer(c, "choices", NULL), *b = fixture_answer(c, "pareto", NULL);
    assert_true(json_array_size(fixture_at(a, "best.front")) > 0);
    check_same_front(a, b);
    assert_true(json_equal(fixture_at(a, "recommended.front"), fixture_at(b, "believed")));
    assert_int_equal(json_array_size(fixture_at(a, "models")), 4);
    assert_string_equal(fixture_text(a, "models.3.output"), "cost");
    check_same(fixture_real(a, "models.0.noise_sd"), fixture_real(a, "model.noise_sd"));
    check_same(fixture_real(b, "reference.loss"), 20);
    assert_int_equal(json_array_size(fixture_at(b, "objectives")), 2);
    assert_true(json_is_null(fixture_at(b, "why")));
    size_t count = json_array_size(fixture_at(b, "columns.trial"));
    assert_true(count < ROUNDS && json_array_size(fixture_at(b, "columns.values.speed")) == count);
    assert_int_equal(fixture_count(b, "matching"), count);
    json_decref(a);
    json_decref(b);
    close_study();
}

/* With few results, and by random search, there is a measured front all the same. */
static void a_front_needs_no_model(void **state) {
    (void)state;
    open_study(2, 1, 1);
    json_t *a = fixture_answer(c, "choices", NULL);
    assert_int_equal(fixture_count(a, "best.points"), 1);
    check_same(fixture_real(a, "best.front.0.outputs.loss.value"), trial_table_output(all, 0, LOSS).value);
    assert_true(json_is_null(fixture_at(a, "best.front.0.outputs.loss.mean")));
    assert_true(fixture_real(a, "best.hypervolume") > 0);
    assert_true(json_is_null(fixture_at(a, "recommended")) && json_is_null(fixture_at(a, "models")));
    json_decref(a);
    a = fixture_answer(c, "pareto", NULL);
    assert_int_equal(json_array_size(fixture_at(a, "believed")), 0);
    assert_non_null(strstr(fixture_text(a, "why"), "two results"));
    json_decref(a);
    close_study();
}

/* Results of nothing but a constraint: there is a model, and nothing to choose. */
static void without_the_objective_there_is_little(void **state) {
    (void)state;
    for (size_t objectives = 1; objectives <= 2; objectives++) {
        char name[2] = {(char)('a' + objectives), 0};
        locbo_study *s = several_study(name, objectives, 0);
        double x[4];
        locbo_measurement m[OUTPUTS];
        draw r = draw_open(1, 1);
        for (int i = 0; i < 4; i++) {
            uint64_t trial = fixture_ask(s, "me", x);
            several_measure(x, &r, m);
            m[LOSS].value = m[SPEED].value = (double)NAN;
            check_ok(locbo_study_tell(s, trial, 0, 1, m, &error));
        }
        cache *of = fixture_cache(name);
        static const char *const views_asked[] = {"overview", "choices",     "history",    "calibration", "importance",
                                                  "pareto",   "hypervolume", "parameters", "trials"};
        for (size_t i = 0; i < sizeof views_asked / sizeof views_asked[0]; i++)
            json_decref(fixture_answer(of, views_asked[i], NULL));
        json_t *a = fixture_answer(of, "choices", NULL);
        assert_true(json_is_string(fixture_at(a, "why")) && json_is_null(fixture_at(a, "recommended")));
        json_decref(a);
        a = fixture_answer(of, "slice", "parameter", "x", NULL);
        assert_true(json_is_string(fixture_at(a, "nothing")));
        json_decref(a);
        cache_close(of);
        locbo_study_close(s);
    }
}

static void one_objective_has_no_front(void **state) {
    (void)state;
    open_study(1, 0, ROUNDS);
    json_t *a = fixture_answer(c, "pareto", NULL);
    assert_non_null(strstr(fixture_text(a, "nothing"), "one objective"));
    json_decref(a);
    a = fixture_answer(c, "hypervolume", NULL);
    assert_non_null(strstr(fixture_text(a, "nothing"), "one objective"));
    json_decref(a);
    a = fixture_answer(c, "overview", NULL);
    assert_true(json_is_null(fixture_at(a, "front")) && json_is_object(fixture_at(a, "best")));
    json_decref(a);
    a = fixture_answer(c, "choices", NULL);
    assert_true(json_is_number(fixture_at(a, "best.value")) && json_is_number(fixture_at(a, "recommended.mean")));
    assert_true(json_is_number(fixture_at(a, "recommended.outputs.memory.mean")));
    assert_null(fixture_at(a, "recommended.outputs.speed")); /* it is recorded */
    json_decref(a);
    a = fixture_answer(c, "trials", NULL);
    check_same(fixture_real(a, "rows.2.value"), fixture_real(a, "rows.2.outputs.loss"));
    json_decref(a);
    close_study();
}

static void the_reference_may_be_unknown(void **state) {
    (void)state;
    open_study(2, 0, 3);
    json_t *a = fixture_answer(c, "hypervolume", NULL);
    assert_true(json_is_null(fixture_at(a, "reference")) && json_is_string(fixture_at(a, "why")));
    json_decref(a);
    a = fixture_answer(c, "overview", NULL);
    assert_true(json_is_null(fixture_at(a, "front.hypervolume")));
    json_decref(a);
    close_study();
}

static void wrong_questions_are_refused(void **state) {
    (void)state;
    open_study(2, 0, 3);
    static const struct {
        const char *view, *key, *value, *words;
    } cases[] = {{"history", "output", "x", "no output 'x'"},       {"calibration", "output", "epochs", "recorded"},
                 {"importance", "output", "epochs", "recorded"},    {"trials", "sort", "outputs.x", "no output 'x'"},
                 {"trials", "feasible", "maybe", "one of no, yes"}, {"pareto", "points", "9", "from 10 to 20000"},
                 {"pareto", "output", "loss", "no key 'output'"},   {"overview", "output", "loss", "no key 'output'"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        query_item item = {cases[i].key, cases[i].value};
        query q = {1, &item};
        json_t *a = NULL;
        check_fails(view_answer(view_find(cases[i].view), c, &q, &a, &error), LOCBO_ERR_ARGUMENT, cases[i].words);
        assert_null(a);
    }
    close_study();
}

/* ---- without a table ---------------------------------------------------------------------------- */

/* The keys of an answer, in their order: programs may rely on the bytes. */
static void check_keys(cache *of, const char *asked, const char *key, const char *value, const char *expected) {
    json_t *a = fixture_answer(of, asked, key, value, NULL), *cell;
    char keys[512] = "";
    const char *name;
    json_object_foreach(a, name, cell) snprintf(keys + strlen(keys), sizeof keys - strlen(keys), "%s ", name);
    assert_string_equal(keys, expected);
    json_decref(a);
}

static void a_study_without_a_table_has_no_new_keys(void **state) {
    (void)state;
    draw r = draw_open(1, 1);
    locbo_study *s = fixture_study("b", NULL);
    fixture_play(s, 12, &r);
    cache *of = fixture_cache("b");
    check_keys(of, "overview", NULL, NULL,
               "name database direction method level trials states measurements events best since_best failures_in_row "
               "rules rate workers proposer coverage bounds stopped stop_reason paused revision created now last_event "
               "note tags ");
    check_keys(of, "definition", NULL, NULL, "name parameters options defaults command plan ");
    check_keys(of, "choices", NULL, NULL, "best recommended why model ");
    check_keys(of, "history", NULL, NULL, "direction level trials matching shown columns best alterations ");
    check_keys(of, "calibration", NULL, NULL,
               "target judged inside method running reliability calibrated recent by_origin shown ");
    check_keys(of, "slice", "parameter", "x",
               "parameter grid at mean sd_f f_low f_high y_low y_high threshold acquisition success ");
    check_keys(of, "importance", NULL, NULL, "parameters caveat ");
    check_keys(of, "parameters", NULL, NULL, "direction parameters trials shown columns ");
    check_keys(of, "trials", NULL, NULL, "trials matching page size sort order tags rows ");
    check_keys(
        of, "trial", "number", "11",
        "trial state params value values note tags measurements origin told pending belief attempt retries lost seed "
        "worker message failure asked started ended lease miss changes level outputs ");
    check_keys(of, "pareto", NULL, NULL, "nothing ");
    json_t *a = fixture_answer(of, "trials", NULL);
    assert_int_equal(json_object_size(fixture_at(a, "rows.0")), 18);
    json_decref(a);
    query_item item = {"output", "value"};
    query q = {1, &item};
    a = NULL;
    check_fails(view_answer(view_find("history"), of, &q, &a, &error), LOCBO_ERR_ARGUMENT, "without a name");
    cache_close(of);
    locbo_study_close(s);
}

#define with_fixture(test) cmocka_unit_test_setup_teardown(test, own_store_open, own_store_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        with_fixture(the_table_has_every_output),
        with_fixture(verdicts_are_the_core_s),
        with_fixture(the_definition_has_the_outputs),
        with_fixture(the_overview_counts),
        with_fixture(targets_are_rules),
        with_fixture(trials_at_one_point_are_judged_together),
        with_fixture(the_history_is_of_one_output),
        with_fixture(trials_have_outputs),
        with_fixture(a_trial_has_beliefs_and_misses),
        with_fixture(parameters_and_calibration_of_an_output),
        with_fixture(slices_are_predictions),
        with_fixture(choices_are_fronts),
        with_fixture(a_front_needs_no_model),
        with_fixture(without_the_objective_there_is_little),
        with_fixture(one_objective_has_no_front),
        with_fixture(the_reference_may_be_unknown),
        with_fixture(wrong_questions_are_refused),
        with_fixture(a_study_without_a_table_has_no_new_keys),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
