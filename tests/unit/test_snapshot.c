/* test_snapshot.c - a loaded optimizer continues exactly as the saved one; a damaged text is refused,
 * and never anything worse. */
#include <jansson.h>

#include "several.h"

static char *save(const locbo_optimizer *o) {
    char *text = NULL;
    size_t length = 0;
    check_ok(locbo_optimizer_save(o, &text, &length, &error));
    assert_int_equal(strlen(text), length);
    return text;
}

static locbo_optimizer *load(const char *text) {
    locbo_optimizer *o = NULL;
    check_ok(locbo_optimizer_load(&o, text, strlen(text), &error));
    return o;
}

/* ---- continuing ------------------------------------------------------------------------------ */

/* One random step in the life of an optimizer: everything that can happen to it. */
typedef struct life {
    uint64_t open[4];
    double x[4][3];
    size_t count;
    uint64_t last; /* a told trial, for replicates */
    int explored;  /* proposals of a copy too */
} life;

static void close_one(life *l, size_t k) {
    l->open[k] = l->open[--l->count];
    memcpy(l->x[k], l->x[l->count], sizeof l->x[k]);
}

/* Of one output the bowl; of several each may be missing, but for the last. */
static void measure(const locbo_optimizer *o, const double *x, rng *r, locbo_measurement *m) {
    size_t outputs = locbo_outputs_count(locbo_optimizer_outputs(o));
    double bowl = scene_bowl(locbo_optimizer_space(o), x) + 0.1 * rng_normal(r);
    m[0] = (locbo_measurement){bowl, rng_uniform(r) < 0.3 ? 0.1 : NAN, (unsigned)rng_below(r, 4)};
    if (outputs == 1) return;
    several_measure(o, x, 0.05, r, m);
    for (size_t k = 0; k < outputs; k++) {
        if (rng_uniform(r) < 0.2) m[k].sd = 0.02;
        m[k].n = (unsigned)rng_below(r, 3);
        if (k + 1 < outputs && rng_uniform(r) < 0.1) m[k].value = NAN;
    }
}

static void live(locbo_optimizer *o, life *l, rng *r) {
    double what = rng_uniform(r);
    if (l->count < 4 && (l->count == 0 || what < 0.45)) {
        l->open[l->count] = scene_ask(o, NULL, l->x[l->count]);
        l->count++;
        return;
    }
    size_t k = (size_t)rng_below(r, l->count);
    uint64_t id = l->open[k];
    locbo_measurement m[SEVERAL_MOST];
    measure(o, l->x[k], r, m);
    if (what < 0.55 && l->last) {
        check_ok(locbo_optimizer_tell_outputs(o, l->last, m, &error));
    } else if (what < 0.62) {
        check_ok(locbo_optimizer_add_outputs(o, l->x[k], m, &error));
    } else if (what < 0.70) {
        check_ok(locbo_optimizer_tell_failed(o, id, &error));
        if (rng_uniform(r) < 0.3) check_ok(locbo_optimizer_tell_outputs(o, id, m, &error));
        close_one(l, k);
    } else if (what < 0.76) {
        check_ok(locbo_optimizer_tell_infeasible(o, id, &error));
        close_one(l, k);
    } else if (what < 0.80) {
        check_ok(locbo_optimizer_cancel(o, id, &error));
        close_one(l, k);
    } else {
        check_ok(locbo_optimizer_tell_outputs(o, id, m, &error));
        l->last = id;
        close_one(l, k);
    }
}

static void check_same_belief(const locbo_belief *a, const locbo_belief *b) {
    check_same(a->mean, b->mean);
    check_same(a->sd_f, b->sd_f);
    check_same(a->sd_y, b->sd_y);
    check_same(a->threshold, b->threshold);
    check_same(a->y_low, b->y_low);
    check_same(a->y_high, b->y_high);
    check_same(a->f_low, b->f_low);
    check_same(a->f_high, b->f_high);
    check_same(a->acquisition, b->acquisition);
}

static void check_same_trial(const locbo_trial *a, const locbo_trial *b) {
    assert_int_equal(a->id, b->id);
    assert_int_equal(a->origin, b->origin);
    assert_int_equal(a->told, b->told);
    assert_int_equal(a->pending, b->pending);
    check_same_belief(&a->belief, &b->belief);
}

/* The summaries of all modelled outputs, and what is of all of them. */
static void compare_summaries(locbo_optimizer *o, locbo_optimizer *copy) {
    size_t outputs = locbo_outputs_count(locbo_optimizer_outputs(o));
    uint64_t counts[4];
    double mine[SEVERAL_MOST], other[SEVERAL_MOST];
    for (size_t k = 0; k < outputs; k++) {
        locbo_summary a, b;
        if (locbo_optimizer_summary_of(o, k, &a, NULL) != LOCBO_OK) continue;
        check_ok(locbo_optimizer_summary_of(copy, k, &b, &error));
        assert_int_equal(a.judged, b.judged);
        assert_true(a.told == b.told && a.failed == b.failed && a.infeasible == b.infeasible);
        assert_true(a.pending == b.pending && a.added == b.added && a.fits == b.fits);
        check_same(a.coverage, b.coverage);
        check_same(a.coverage_online, b.coverage_online);
        check_same(a.threshold_mean, b.threshold_mean);
        check_same(a.noise_var, b.noise_var);
    }
    check_ok(locbo_optimizer_whole_coverage(o, &counts[0], &counts[1], &error));
    check_ok(locbo_optimizer_whole_coverage(copy, &counts[2], &counts[3], &error));
    assert_true(counts[0] == counts[2] && counts[1] == counts[3]);
    check_ok(locbo_optimizer_reference(o, mine, &error));
    check_ok(locbo_optimizer_reference(copy, other, &error));
    assert_memory_equal(mine, other, outputs * sizeof *mine);
}

/* The same ask of both. */
static void compare_proposals(locbo_optimizer *o, locbo_optimizer *copy, life *l) {
    locbo_trial mine, other;
    locbo_belief a[SEVERAL_MOST], b[SEVERAL_MOST];
    double x[3], y[3];
    scene_ask(o, &mine, x);
    scene_ask(copy, &other, y);
    for (size_t j = 0; j < locbo_space_dim(locbo_optimizer_space(o)); j++) check_same(y[j], x[j]);
    check_same_trial(&other, &mine);
    check_ok(locbo_optimizer_trial_beliefs(o, mine.id, a, &error));
    check_ok(locbo_optimizer_trial_beliefs(copy, mine.id, b, &error));
    for (size_t k = 0; k < locbo_outputs_count(locbo_optimizer_outputs(o)); k++) check_same_belief(&a[k], &b[k]);
    l->explored += mine.origin == LOCBO_ORIGIN_EXPLORE;
    l->open[l->count] = mine.id;
    memcpy(l->x[l->count++], x, sizeof x);
}

/* The optimizer from its facts, told in the same order: trials, outcomes, fits, reference. */
static locbo_optimizer *rebuild(const locbo_optimizer *o, const char *text) {
    locbo_options options;
    locbo_optimizer *copy = NULL;
    const locbo_outputs *t = locbo_optimizer_outputs(o);
    size_t outputs = locbo_outputs_count(t);
    locbo_options_init(&options);
    check_ok(locbo_optimizer_options(o, &options, &error));
    check_ok(locbo_optimizer_create_for(&copy, locbo_optimizer_space(o), t, &options, &error));
    locbo_trial trial;
    locbo_trial_state is;
    double x[3], reference[SEVERAL_MOST];
    for (uint64_t id = 1; locbo_optimizer_trial(o, id, &trial, NULL, x, NULL) == LOCBO_OK; id++) {
        locbo_belief b[SEVERAL_MOST];
        check_ok(locbo_optimizer_trial_beliefs(o, id, b, &error));
        check_ok(locbo_optimizer_restore_trial_outputs(copy, &trial, b, x, &error));
    }
    json_t *root = json_loads(text, 0, NULL), *results = json_object_get(root, "results"), *item;
    size_t i;
    json_array_foreach(results, i, item) {
        locbo_measurement m[SEVERAL_MOST];
        uint64_t id = strtoull(json_string_value(json_object_get(item, "trial")), NULL, 10);
        for (size_t k = 0; k < outputs; k++) {
            json_t *one = json_array_get(json_object_get(item, "values"), k);
            double number[2];
            for (size_t c = 0; c < 2; c++)
                number[c] = json_is_string(json_array_get(one, c)) ? NAN : json_number_value(json_array_get(one, c));
            m[k] = (locbo_measurement){number[0], number[1], (unsigned)json_integer_value(json_array_get(one, 2))};
        }
        for (size_t j = 0; id == 0 && j < locbo_space_dim(locbo_optimizer_space(o)); j++)
            x[j] = json_number_value(json_array_get(json_object_get(item, "x"), j));
        check_ok(id ? locbo_optimizer_tell_outputs(copy, id, m, &error)
                    : locbo_optimizer_add_outputs(copy, x, m, &error));
    }
    json_array_foreach(json_object_get(root, "failures"), i, item) {
        uint64_t id = strtoull(json_string_value(item), NULL, 10);
        check_ok(locbo_optimizer_trial(o, id, NULL, &is, NULL, &error));
        check_ok(is == LOCBO_TRIAL_FAILED ? locbo_optimizer_tell_failed(copy, id, &error)
                                          : locbo_optimizer_tell_infeasible(copy, id, &error));
    }
    for (uint64_t id = 1; locbo_optimizer_trial(o, id, NULL, &is, NULL, NULL) == LOCBO_OK; id++)
        if (is == LOCBO_TRIAL_CANCELLED) check_ok(locbo_optimizer_cancel(copy, id, &error));
    for (size_t k = 0; k < outputs; k++) {
        locbo_fit fit;
        if (locbo_optimizer_fit_of(o, k, &fit, NULL) != LOCBO_OK || fit.rows == 0) continue;
        check_ok(locbo_optimizer_restore_fit(copy, &fit, &error));
    }
    check_ok(locbo_optimizer_reference(o, reference, &error));
    check_ok(locbo_optimizer_restore_reference(copy, reference, &error));
    json_decref(root);
    return copy;
}

/* The same proposal of an optimizer that was rebuilt from the facts. */
static void compare_with_rebuilt(locbo_optimizer *o, life *l) {
    char *text = save(o);
    locbo_optimizer *copy = rebuild(o, text);
    if (l->count < 4) compare_proposals(o, copy, l);
    locbo_optimizer_destroy(copy);
    locbo_free(text);
}

/* Save and load; the copy must then ask, and say, what the original does. */
static void compare_with_copy(locbo_optimizer *o, life *l) {
    char *text = save(o);
    locbo_optimizer *copy = load(text);
    char *again = save(copy);
    assert_string_equal(again, text);
    compare_summaries(o, copy);
    if (l->count < 4) compare_proposals(o, copy, l);
    locbo_optimizer_destroy(copy);
    locbo_free(text);
    locbo_free(again);
}

static void a_copy_goes_on_bit_for_bit(void **state) {
    (void)state;
    rng r = scene_random(20);
    int explored = 0;
    for (size_t k = 0; k < 4 * SCENE_METHOD_COUNT; k++) {
        locbo_options options = scene_options(&SCENE_METHODS[k / 4], 7 + k);
        options.refit_every = k % 2 ? 5 : 1;
        options.direction = k % 3 ? LOCBO_MINIMIZE : LOCBO_MAXIMIZE;
        options.eta0 = 0.1;
        if (k % 4 < 2) options.exact_rows = 12; /* landmarks */
        if (k % 5 == 4) options.acquisition = LOCBO_ACQUISITION_THOMPSON;
        if (k % 7 == 3) options.surrogate = LOCBO_SURROGATE_PAPER;
        if (k % 7 == 5) options.surrogate = LOCBO_SURROGATE_GAMMA, options.input_span = 20;
        locbo_space *space = k & 2 ? scene_mixed() : scene_cube(2);
        locbo_optimizer *o = scene_optimizer(space, &options);
        life l = {.count = 0};
        for (int step = 0; step < 70; step++) {
            if (rng_uniform(&r) < 0.25) compare_with_copy(o, &l);
            live(o, &l, &r);
        }
        compare_with_copy(o, &l);
        explored += l.explored;
        locbo_optimizer_destroy(o);
        locbo_space_destroy(space);
    }
    print_message("%d of the proposals explored\n", explored);
    assert_true(explored >= 10);
}

/* So many results that fits see a sample, and that there are fewer fits than results. */
static void a_copy_of_many_results(void **state) {
    (void)state;
    rng r = scene_random(27);
    locbo_options options = scene_options(&SCENE_METHODS[0], 9);
    options.exact_rows = 200;
    options.refit_every = 0;
    locbo_space *space = scene_cube(2);
    locbo_optimizer *o = scene_optimizer(space, &options);
    life l = {.count = 0};
    for (int i = 0; i < 450; i++) {
        double x[2] = {rng_uniform(&r), rng_uniform(&r)};
        locbo_measurement m = {scene_bowl(space, x) + 0.1 * rng_normal(&r), NAN, 1};
        check_ok(locbo_optimizer_add(o, x, &m, &error));
    }
    for (int step = 0; step < 20; step++) {
        compare_with_copy(o, &l);
        live(o, &l, &r);
    }
    locbo_summary s;
    check_ok(locbo_optimizer_summary(o, &s, &error));
    assert_true(s.fits >= 2 && s.fits < 8);
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

/* Results far beyond the last fit, as after an import: what is believed depends neither on when someone looked nor on
 * whether the optimizer is a copy. */
static void a_copy_of_results_without_a_fit(void **state) {
    (void)state;
    rng r = scene_random(29);
    locbo_options options = scene_options(&SCENE_METHODS[0], 9);
    options.exact_rows = 50;
    locbo_space *space = scene_cube(2);
    locbo_optimizer *o = scene_optimizer(space, &options);
    scene_rounds(o, 20, 0.1, &r);
    for (int i = 1; i <= 900; i++) {
        double x[2] = {rng_uniform(&r), rng_uniform(&r)};
        locbo_measurement m = {scene_bowl(space, x) + 0.1 * rng_normal(&r), NAN, 1};
        check_ok(locbo_optimizer_add(o, x, &m, &error));
        if (i % 70 && i < 890) continue;
        char *text = save(o);
        locbo_optimizer *copy = load(text);
        locbo_belief mine, other;
        check_ok(locbo_optimizer_predict(o, 1, x, &mine, &error));
        check_ok(locbo_optimizer_predict(copy, 1, x, &other, &error));
        check_same(other.mean, mine.mean);
        check_same(other.sd_f, mine.sd_f);
        locbo_optimizer_destroy(copy);
        locbo_free(text);
    }
    life l = {.count = 0};
    compare_with_copy(o, &l);
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

/* So many outstanding trials that proposals share their candidates, and what is known there: a copy knows nothing of
 * that, and proposes the same. */
static void a_copy_of_a_crowd(void **state) {
    (void)state;
    rng r = scene_random(28);
    for (size_t k = 0; k < 4; k++) {
        locbo_options options = scene_options(&SCENE_METHODS[k % 2 ? 2 : 0], 10 + k);
        options.exact_rows = k < 2 ? 20 : 1000;
        locbo_space *space = k % 2 ? scene_mixed() : scene_cube(2);
        locbo_optimizer *o = scene_optimizer(space, &options);
        uint64_t open[40];
        double x[40][3];
        scene_rounds(o, 30, 0.1, &r);
        for (int i = 0; i < 40; i++) {
            locbo_trial mine, other;
            double y[3];
            char *text = save(o);
            locbo_optimizer *copy = load(text);
            open[i] = scene_ask(o, &mine, x[i]);
            scene_ask(copy, &other, y);
            check_same_trial(&other, &mine);
            for (size_t j = 0; j < locbo_space_dim(space); j++) check_same(y[j], x[i][j]);
            if (i == 20) check_ok(locbo_optimizer_cancel(o, open[3], &error));
            if (i % 15 == 14) {
                locbo_measurement m = {scene_bowl(space, x[i]), NAN, 1};
                check_ok(locbo_optimizer_tell(o, open[i], &m, &error));
            }
            locbo_optimizer_destroy(copy);
            locbo_free(text);
        }
        locbo_optimizer_destroy(o);
        locbo_space_destroy(space);
    }
}

/* The same of several outputs, also rebuilt through the functions that restore. */
static void copies_of_several_outputs(void **state) {
    (void)state;
    static const size_t tables[][3] = {{0, 1, 1}, {2, 2, 1}, {1, 0, 1}, {0, 0, 2}, {1, 1, 2}, {0, 2, 3}, {0, 0, 4}};
    rng r = scene_random(26);
    for (size_t k = 0; k < 3 * sizeof tables / sizeof tables[0]; k++) {
        const size_t *counts = tables[k / 3];
        /* several objectives: locbo, bo and random */
        size_t method = counts[2] == 1 ? k % SCENE_METHOD_COUNT : (size_t[]){0, 2, 6}[k % 3];
        locbo_options options = scene_options(&SCENE_METHODS[method], 7 + k);
        options.refit_every = k % 2 ? 5 : 1;
        options.eta0 = 0.1;
        if (k % 4 < 2) options.exact_rows = 10;
        locbo_space *space = k & 1 ? scene_mixed() : scene_cube(2);
        locbo_outputs *t = several_table(counts[0], counts[1], counts[2]);
        locbo_optimizer *o = several_optimizer(space, t, &options);
        life l = {.count = 0};
        for (int step = 0; step < 50; step++) {
            double what = rng_uniform(&r);
            if (what < 0.15) compare_with_copy(o, &l);
            if (what > 0.85) compare_with_rebuilt(o, &l);
            live(o, &l, &r);
        }
        compare_with_copy(o, &l);
        locbo_optimizer_destroy(o);
        locbo_outputs_destroy(t);
        locbo_space_destroy(space);
    }
}

/* So many results that each output has landmarks of its own, with fits of different ages since results lack outputs;
 * and somebody looks in between. */
static void copies_of_many_results_of_several_outputs(void **state) {
    (void)state;
    rng r = scene_random(31);
    for (size_t k = 0; k < 2; k++) {
        locbo_options options = scene_options(&SCENE_METHODS[0], 9);
        options.exact_rows = 60;
        options.refit_every = 4;
        locbo_space *space = scene_cube(2);
        locbo_outputs *t = several_table(0, k ? 0 : 2, k ? 2 : 1);
        locbo_optimizer *o = several_optimizer(space, t, &options);
        life l = {.count = 0};
        for (int i = 0; i < 150; i++) {
            double x[2] = {rng_uniform(&r), rng_uniform(&r)};
            locbo_measurement m[SEVERAL_MOST];
            measure(o, x, &r, m);
            check_ok(locbo_optimizer_add_outputs(o, x, m, &error));
        }
        for (int step = 0; step < 30; step++) {
            if (step % 3 == 0) compare_with_copy(o, &l);
            if (step % 5 == 0) compare_with_rebuilt(o, &l);
            live(o, &l, &r);
        }
        locbo_optimizer_destroy(o);
        locbo_outputs_destroy(t);
        locbo_space_destroy(space);
    }
}

/* Everything that a table of outputs can say survives. */
static void tables_survive(void **state) {
    (void)state;
    locbo_space *space = scene_cube(1);
    locbo_outputs *t = NULL;
    check_ok(locbo_outputs_create(&t, &error));
    several_add(t, (locbo_output_spec){.name = "a \"b\"", .referenced = 1, .reference = -1e-310});
    several_add(t, (locbo_output_spec){.name = "g", .goal = LOCBO_GOAL_AT_LEAST, .bound = 0.1, .baseline = UINT64_MAX});
    several_add(t, (locbo_output_spec){.name = "h",
                                       .goal = LOCBO_GOAL_AT_MOST,
                                       .bound = -1e-308,
                                       .scale = LOCBO_MODEL_SCALE_LOGIT,
                                       .scale_low = -1,
                                       .scale_high = 2,
                                       .expression = "\xc3\xa9 + 1"});
    several_add(t, (locbo_output_spec){.name = "r", .goal = LOCBO_GOAL_RECORD, .bound = NAN, .reference = INFINITY});
    several_add(t, (locbo_output_spec){.name = "l", .goal = LOCBO_GOAL_MAXIMIZE, .scale = LOCBO_MODEL_SCALE_LOG});
    locbo_optimizer *o = several_optimizer(space, t, NULL);
    char *text = save(o);
    locbo_optimizer *copy = load(text);
    for (size_t i = 0; i < 5; i++) {
        locbo_output_spec a = several_spec(t, i), b = several_spec(locbo_optimizer_outputs(copy), i);
        assert_string_equal(a.name, b.name);
        assert_true(a.goal == b.goal && a.referenced == b.referenced && a.baseline == b.baseline && a.scale == b.scale);
        assert_memory_equal(&a.bound, &b.bound, sizeof a.bound);
        assert_memory_equal(&a.reference, &b.reference, sizeof a.reference);
        assert_true(a.scale_low == b.scale_low && a.scale_high == b.scale_high);
        assert_true((a.expression != NULL) == (b.expression != NULL));
        if (a.expression) assert_string_equal(a.expression, b.expression);
    }
    locbo_free(text);
    locbo_optimizer_destroy(o);
    locbo_optimizer_destroy(copy);
    locbo_outputs_destroy(t);
    locbo_space_destroy(space);
}

/* A text saved before an option existed is read as one with its default. */
static void options_that_came_later(void **state) {
    (void)state;
    rng r = scene_random(25);
    locbo_options options = scene_options(&SCENE_METHODS[0], 8);
    locbo_space *space = scene_cube(2);
    locbo_optimizer *o = scene_optimizer(space, &options);
    scene_rounds(o, 9, 0.1, &r);
    char *text = save(o);
    json_t *root = json_loads(text, 0, NULL);
    assert_int_equal(json_object_del(json_object_get(root, "options"), "input_span"), 0);
    char *old = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(17));
    locbo_optimizer *copy = load(old);
    char *again = save(copy);
    assert_string_equal(again, text);
    double x[2], y[2];
    scene_ask(o, NULL, x);
    scene_ask(copy, NULL, y);
    check_same(y[0], x[0]);
    check_same(y[1], x[1]);
    json_decref(root);
    free(old);
    locbo_free(text);
    locbo_free(again);
    locbo_optimizer_destroy(o);
    locbo_optimizer_destroy(copy);
    locbo_space_destroy(space);
}

/* A chain of save and load after every step is one long life. */
static void saved_after_every_step(void **state) {
    (void)state;
    locbo_options options = scene_options(&SCENE_METHODS[0], 77);
    options.refit_every = 3;
    locbo_space *space = scene_mixed();
    locbo_optimizer *one = scene_optimizer(space, &options), *other = scene_optimizer(space, &options);
    for (int i = 0; i < 15; i++) {
        double x[3], y[3];
        uint64_t id = scene_ask(one, NULL, x);
        scene_ask(other, NULL, y);
        for (int j = 0; j < 3; j++) check_same(y[j], x[j]);
        scene_tell(one, id, scene_bowl(space, x));
        scene_tell(other, id, scene_bowl(space, x));
        char *text = save(other);
        locbo_optimizer_destroy(other);
        other = load(text);
        locbo_free(text);
    }
    locbo_optimizer_destroy(one);
    locbo_optimizer_destroy(other);
    locbo_space_destroy(space);
}

static void odd_names_and_values_survive(void **state) {
    (void)state;
    const char *const words[] = {"", "\"quoted\"", "back\\slash", "new\nline", "\xc3\xa9\xe2\x82\xac"};
    locbo_space *space = NULL;
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_categorical(space, "w\xc3\xb6rt", 5, words, &error));
    check_ok(locbo_space_add_real(space, "a b", -1e-310, 1e308, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_int(space, "n", -(INT64_C(1) << 53), INT64_C(1) << 53, LOCBO_LINEAR, &error));
    locbo_options options = scene_options(&SCENE_METHODS[0], UINT64_MAX);
    options.localization = INFINITY;
    options.length_scale = 0.1;
    locbo_optimizer *o = scene_optimizer(space, &options);
    double x[] = {4, 1e307, -9007199254740992.0};
    scene_add(o, x, -0.0);
    scene_add(o, (double[]){1, 5e-324, 3}, 5e-324);
    scene_add(o, (double[]){2, -5e-324, 4}, 1.7976931348623157e308);
    char *text = save(o);
    locbo_optimizer *copy = load(text);
    char *again = save(copy);
    assert_string_equal(again, text);
    locbo_parameter p;
    check_ok(locbo_space_parameter(locbo_optimizer_space(copy), 0, &p, &error));
    for (int k = 0; k < 5; k++) assert_string_equal(p.categories[k], words[k]);
    locbo_options loaded;
    locbo_options_init(&loaded);
    check_ok(locbo_optimizer_options(copy, &loaded, &error));
    assert_true(loaded.seed == UINT64_MAX && isinf(loaded.localization));
    assert_true(isnan(loaded.noise_var) && loaded.length_scale == 0.1);
    locbo_free(text);
    locbo_free(again);
    locbo_optimizer_destroy(o);
    locbo_optimizer_destroy(copy);
    locbo_space_destroy(space);
}

static void *count_malloc(size_t size) {
    size_t *block = malloc(size + 64);
    return block ? (char *)block + 64 : NULL;
}
static void count_free(void *memory) {
    if (memory) free((char *)memory - 64);
}

/* A host program may give jansson its own allocator; locbo_free must still fit. */
static void the_text_is_ours_to_free(void **state) {
    (void)state;
    locbo_options options = scene_options(&SCENE_METHODS[2], 3);
    locbo_space *space = scene_cube(1);
    locbo_optimizer *o = scene_optimizer(space, &options);
    json_malloc_t make;
    json_free_t release;
    json_get_alloc_funcs(&make, &release);
    json_set_alloc_funcs(count_malloc, count_free);
    char *text = save(o);
    locbo_optimizer *copy = load(text);
    json_set_alloc_funcs(make, release);
    locbo_free(text);
    locbo_optimizer_destroy(copy);
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

/* ---- damage ---------------------------------------------------------------------------------- */

/* A life with everything in it, as text; of one output, or with two objectives, a constraint and a recorded output. */
static char *full_text_of(const char *method, int several) {
    rng r = rng_open(31, 1, RNG_DESIGN);
    scene_method m = {method, method, "0.25"};
    locbo_options options = scene_options(&m, 5);
    locbo_space *space = scene_mixed();
    locbo_outputs *t = several ? several_table(1, 1, 2) : NULL;
    locbo_optimizer *o = several_optimizer(space, t, &options);
    life l = {.count = 0};
    for (int i = 0; i < 45; i++) live(o, &l, &r);
    char *text = save(o);
    locbo_optimizer_destroy(o);
    locbo_outputs_destroy(t);
    locbo_space_destroy(space);
    return text;
}

static char *full_text(const char *method) { return full_text_of(method, 0); }

/* Load what may be damaged. If it loads it must work. Returns whether it did. */
static int try_load(const char *text, size_t length) {
    locbo_optimizer *o = NULL;
    locbo_error why = {LOCBO_OK, ""};
    locbo_status status = locbo_optimizer_load(&o, text, length, &why);
    if (status != LOCBO_OK) {
        check_that(status == LOCBO_ERR_FORMAT && why.status == status, "status %d: %s", (int)status, why.message);
        assert_true(strlen(why.message) > 0);
        assert_null(o);
        return 0;
    }
    double *x = calloc(locbo_space_dim(locbo_optimizer_space(o)), sizeof *x);
    size_t outputs = locbo_outputs_count(locbo_optimizer_outputs(o));
    locbo_measurement *m = calloc(outputs, sizeof *m);
    for (size_t k = 0; k < outputs; k++) m[k] = (locbo_measurement){0.5, NAN, 1};
    locbo_options options;
    locbo_options_init(&options);
    check_ok(locbo_optimizer_options(o, &options, &error));
    /* damage may ask for a million candidates: valid, but not worth the time */
    if (options.candidates <= 2000 && options.fit_restarts <= 5 && options.cbo_steps <= 200) {
        check_ok(locbo_optimizer_tell_outputs(o, scene_ask(o, NULL, x), m, &error));
        char *again = save(o);
        locbo_free(again);
    }
    free(x);
    free(m);
    locbo_optimizer_destroy(o);
    return 1;
}

static void check_truncated(char *text) {
    size_t length = strlen(text);
    for (size_t cut = 0; cut < length; cut += cut < 400 ? 1 : 37) {
        char *part = malloc(cut + 1); /* its own block, so that a read too far is seen */
        memcpy(part, text, cut);
        assert_int_equal(try_load(part, cut), 0);
        free(part);
    }
    assert_int_equal(try_load(text, length), 1);
    locbo_free(text);
}

static void truncated_anywhere(void **state) {
    (void)state;
    check_truncated(full_text("locbo"));
    check_truncated(full_text_of("locbo", 1));
}

static void flipped_bytes(void **state) {
    (void)state;
    rng r = scene_random(21);
    const char *const methods[] = {"locbo", "cbo", "ocbo-l", "bo"};
    for (size_t m = 0; m < 4; m++) {
        char *text = full_text_of(methods[m], m == 3);
        size_t length = strlen(text);
        int loaded = 0;
        for (int i = 0; i < 1200; i++) {
            char *copy = malloc(length);
            memcpy(copy, text, length);
            for (uint64_t k = rng_below(&r, 3) + 1; k > 0; k--) {
                size_t at = (size_t)rng_below(&r, length);
                /* half of them digits for digits: those parse */
                copy[at] = rng_uniform(&r) < 0.5 ? (char)('0' + rng_below(&r, 10)) : (char)rng_below(&r, 256);
            }
            loaded += try_load(copy, length);
            free(copy);
        }
        print_message("%s: %d of 1200 damaged texts are still valid\n", methods[m], loaded);
        locbo_free(text);
    }
}

/* Every value in the document, one after another, is replaced by something else. */
static const char *const SUBSTITUTES[] = {
    "null", "true",    "-1",       "0",  "7",     "1e308", "0.5",
    "\"\"", "\"nan\"", "\"-inf\"", "[]", "[1,2]", "{}",    "\"99999999999999999999\""};

static void visit(json_t *root, json_t *node, int *count);

static void replace_everywhere(json_t *root, json_t *parent, const char *key, size_t index, int *count) {
    json_t *old = json_incref(key ? json_object_get(parent, key) : json_array_get(parent, index));
    size_t step = CHECK_SANITIZED ? 1 : 5; /* where the sanitizers look on, all; otherwise others at each place */
    for (size_t s = (size_t)*count % step; s < sizeof SUBSTITUTES / sizeof SUBSTITUTES[0]; s += step) {
        json_t *other = json_loads(SUBSTITUTES[s], JSON_DECODE_ANY, NULL);
        if (key)
            json_object_set_new(parent, key, other);
        else
            json_array_set_new(parent, index, other);
        char *text = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(17));
        try_load(text, strlen(text));
        free(text);
        ++*count;
    }
    if (key)
        json_object_set_new(parent, key, old);
    else
        json_array_set_new(parent, index, old);
}

/* Of a list only the first, a middle and the last item are tried: the others are like them. */
static void visit(json_t *root, json_t *node, int *count) {
    size_t n = json_array_size(node);
    for (size_t i = 0; i<n; i += n> 4 ? (n - 1) / 2 : 1) {
        replace_everywhere(root, node, NULL, i, count);
        visit(root, json_array_get(node, i), count);
    }
    for (void *at = json_object_iter(node); at; at = json_object_iter_next(node, at)) {
        char key[64];
        snprintf(key, sizeof key, "%s", json_object_iter_key(at));
        replace_everywhere(root, node, key, 0, count);
        at = json_object_iter_at(node, key);
        visit(root, json_object_iter_value(at), count);
    }
}

static void check_swapped(char *text) {
    json_t *root = json_loads(text, 0, NULL);
    int count = 0;
    visit(root, root, &count);
    print_message("%d substitutions\n", count);
    json_decref(root);
    locbo_free(text);
}

static void swapped_types(void **state) {
    (void)state;
    check_swapped(full_text("locbo"));
    check_swapped(full_text_of("bo", 1));
}

/* Leaving out any one part is an error, even where it would be empty. */
static void check_missing_parts(const char *text) {
    json_t *root = json_loads(text, 0, NULL);
    const char *const keys[] = {"format", "version", "space",    "options", "trials",     "results",        "failures",
                                "fit",    "fits",    "troubles", "outputs", "other_fits", "reference_point"};
    for (size_t k = 0; k < sizeof keys / sizeof keys[0]; k++) {
        json_t *part = json_incref(json_object_get(root, keys[k]));
        if (k >= 10 && !part) continue; /* of several outputs alone */
        assert_non_null(part);
        json_object_del(root, keys[k]);
        char *rest = json_dumps(root, JSON_REAL_PRECISION(17));
        check_that(!try_load(rest, strlen(rest)), "loaded without '%s'", keys[k]);
        free(rest);
        json_object_set_new(root, keys[k], part);
    }
    json_decref(root);
}

static void missing_parts(void **state) {
    (void)state;
    locbo_options options = scene_options(&SCENE_METHODS[0], 3);
    locbo_space *space = scene_cube(1);
    locbo_optimizer *fresh = scene_optimizer(space, &options);
    char *full = full_text("locbo"), *empty = save(fresh), *several = full_text_of("locbo", 1);
    check_missing_parts(full);
    check_missing_parts(several);
    check_missing_parts(empty);
    locbo_free(full);
    locbo_free(empty);
    locbo_free(several);
    locbo_optimizer_destroy(fresh);
    locbo_space_destroy(space);
}

static void other_texts(void **state) {
    (void)state;
    locbo_optimizer *o = NULL;
    const char *later = "{\"format\":\"locbo optimizer\",\"version\":99}";
    check_fails(locbo_optimizer_load(&o, later, strlen(later), &error), LOCBO_ERR_FORMAT, "99");
    const char *foreign = "{\"format\":\"something else\",\"version\":1}";
    check_fails(locbo_optimizer_load(&o, foreign, strlen(foreign), &error), LOCBO_ERR_FORMAT, "not a saved optimizer");
    const char *const others[] = {"", "x", "[]", "null", "3", "{}", "[[[[[[[["};
    for (size_t k = 0; k < sizeof others / sizeof others[0]; k++)
        assert_int_equal(try_load(others[k], strlen(others[k])), 0);
    assert_null(o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_copy_goes_on_bit_for_bit),
        cmocka_unit_test(a_copy_of_many_results),
        cmocka_unit_test(a_copy_of_results_without_a_fit),
        cmocka_unit_test(a_copy_of_a_crowd),
        cmocka_unit_test(copies_of_several_outputs),
        cmocka_unit_test(copies_of_many_results_of_several_outputs),
        cmocka_unit_test(tables_survive),
        cmocka_unit_test(options_that_came_later),
        cmocka_unit_test(saved_after_every_step),
        cmocka_unit_test(odd_names_and_values_survive),
        cmocka_unit_test(the_text_is_ours_to_free),
        cmocka_unit_test(truncated_anywhere),
        cmocka_unit_test(flipped_bytes),
        cmocka_unit_test(swapped_types),
        cmocka_unit_test(missing_parts),
        cmocka_unit_test(other_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
