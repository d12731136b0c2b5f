/* test_model_scale.c - outputs whose model works on a log or logit scale (locbo_model_scale): the same as an optimizer
 * that is told the logs, with everything in the user's units, and the same after a restart. */
#include <float.h>

#include "announced.h"
#include "belief.h"
#include "optimizer.h"
#include "origin.h"
#include "scene.h"

enum { DIM = 2, ROUNDS = 16 };

static const double low = -2, high = 6; /* of logit */

/* One way to have an output: as it is measured, or its image on scale none. */
typedef struct side {
    locbo_optimizer *o;
    int images;
} side;

static locbo_options options_of(const char *method, const char *scale) {
    locbo_options options = scene_options(&SCENE_METHODS[0], 5);
    scene_set(&options, "method", method);
    scene_set(&options, "scale", scale);
    return options;
}

static warp warp_for(locbo_model_scale scale) { return warp_of(scale, low, high); }

static locbo_output_spec spec_of(const char *name, locbo_goal goal, locbo_model_scale scale) {
    locbo_output_spec spec = {.struct_size = sizeof spec, .name = name, .goal = goal, .scale = scale};
    if (scale == LOCBO_MODEL_SCALE_LOGIT) spec.scale_low = low, spec.scale_high = high;
    return spec;
}

static locbo_optimizer *make(size_t n, const locbo_output_spec *specs, const locbo_options *options) {
    locbo_space *space = scene_cube(DIM);
    locbo_outputs *table = NULL;
    locbo_optimizer *o = NULL;
    check_ok(locbo_outputs_create(&table, &error));
    for (size_t i = 0; i < n; i++) check_ok(locbo_outputs_add(table, &specs[i], &error));
    check_ok(locbo_optimizer_create_for(&o, space, table, options, &error));
    locbo_outputs_destroy(table);
    locbo_space_destroy(space);
    return o;
}

/* A measurement at x: on the scale it is a bowl with even noise. Some have a known sd, some are means. */
static locbo_measurement measure(const warp *w, const double *x, uint64_t id) {
    rng r = rng_open(7, id, RNG_DESIGN);
    double bowl = 3 * (pow(x[0] - 0.3, 2) + pow(x[1] - 0.6, 2)) - 1, t = bowl + 0.1 * rng_normal(&r);
    locbo_measurement m = {warp_inverse(w, t), NAN, id % 3 == 0 ? 2 : 1};
    if (id % 4 == 0) m.sd = 0.05 / warp_slope(w, m.value);
    return m;
}

/* The same on the scale, for the optimizer that knows nothing of it. */
static locbo_measurement image(const warp *w, locbo_measurement m) {
    return (locbo_measurement){warp_at(w, m.value), isnan(m.sd) ? NAN : m.sd * warp_slope(w, m.value), m.n};
}

static void play(locbo_optimizer *o, const warp *w, int rounds) {
    for (int i = 0; i < rounds; i++) {
        double x[DIM];
        uint64_t id = scene_ask(o, NULL, x);
        locbo_measurement m = measure(w, x, id);
        check_ok(locbo_optimizer_tell(o, id, &m, &error));
    }
}

static locbo_optimizer *played(locbo_model_scale scale, locbo_goal goal, const char *method, int rounds) {
    locbo_options options = options_of(method, "auto");
    locbo_output_spec spec = spec_of("latency", goal, scale);
    locbo_optimizer *o = make(1, &spec, &options);
    warp w = warp_for(scale);
    play(o, &w, rounds);
    return o;
}

static locbo_fit fit_of(const locbo_optimizer *o) {
    locbo_fit fit;
    check_ok(locbo_optimizer_fit(o, &fit, &error));
    return fit;
}

/* ---- the same as being told the images ------------------------------------------------------- */

/* The models see the same numbers, but for the rounding of a few logs and exps; a maximum is found to its root. */
static const double near = 1e-6;

/* `own` has the inverse images of `plain`. */
static void check_belief(const warp *w, const locbo_belief *own, const locbo_belief *plain) {
    if (isnan(plain->mean)) {
        assert_true(isnan(own->mean) && isnan(own->power));
        return;
    }
    const double ends[][2] = {{own->mean, plain->mean},
                              {own->y_low, plain->y_low},
                              {own->y_high, plain->y_high},
                              {own->f_low, plain->f_low},
                              {own->f_high, plain->f_high}};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        if (isnan(ends[i][1]))
            assert_true(isnan(ends[i][0]));
        else
            check_close(ends[i][0], warp_inverse(w, ends[i][1]), near, near);
    check_close(own->sd_y, warp_sd(w, plain->mean, plain->sd_y), near, 0);
    check_close(own->sd_f, warp_sd(w, plain->mean, plain->sd_f), near, 0);
    if (!isnan(plain->threshold)) check_close(own->threshold, plain->threshold, near, near);
    check_same(own->power, w->power);
    check_same(own->low, w->low);
    check_same(own->high, w->high);
    check_close(own->centre, plain->mean, near, near);
    check_close(own->unit_y, plain->sd_y, near, 0);
    check_close(own->unit_f, plain->sd_f, near, 0);
}

static void check_answers(const warp *w, locbo_optimizer *own, locbo_optimizer *plain) {
    locbo_choice a, b;
    double x[DIM], y[DIM], at[][DIM] = {{0.3, 0.6}, {0.9, 0.1}, {0, 1}};
    locbo_belief p[3], q[3];
    check_ok(locbo_optimizer_recommend(own, &a, x, &error));
    check_ok(locbo_optimizer_recommend(plain, &b, y, &error));
    for (int i = 0; i < DIM; i++) check_close(x[i], y[i], 0, near);
    check_close(a.value, warp_inverse(w, b.value), near, near);
    check_close(a.low, warp_inverse(w, b.low), near, near);
    check_close(a.high, warp_inverse(w, b.high), near, near);
    check_ok(locbo_optimizer_best(own, &a, x, &error));
    check_ok(locbo_optimizer_best(plain, &b, y, &error));
    assert_int_equal(a.trial, b.trial);
    check_ok(locbo_optimizer_predict(own, 3, *at, p, &error));
    check_ok(locbo_optimizer_predict(plain, 3, *at, q, &error));
    for (int i = 0; i < 3; i++) check_belief(w, &p[i], &q[i]);
    locbo_fit f = fit_of(own), g = fit_of(plain);
    assert_int_equal(f.member_count, g.member_count);
    for (size_t i = 0; i < f.member_count; i++) check_close(f.members[i].score, g.members[i].score, near, near);
    locbo_summary s = scene_summary(own), t = scene_summary(plain);
    assert_int_equal(s.judged, t.judged);
    check_same(s.coverage, t.coverage);
    check_same(s.coverage_online, t.coverage_online);
}

/* Student's t has another scale if the option is auto and results are far from the others: not so here. */
static void check_equal_lives(locbo_model_scale scale, locbo_goal goal, const char *method, const char *option,
                              const char *noise) {
    warp w = warp_for(scale);
    locbo_options mine = options_of(method, option), none = options_of(method, "none");
    locbo_output_spec spec = spec_of("latency", goal, scale), image_spec = spec_of("image", goal, 0);
    scene_set(&mine, "noise_law", noise);
    scene_set(&none, "noise_law", noise);
    locbo_optimizer *own = make(1, &spec, &mine), *plain = make(1, &image_spec, &none);
    for (int i = 0; i < ROUNDS; i++) {
        double x[DIM], y[DIM];
        locbo_trial t, u;
        uint64_t id = scene_ask(own, &t, x);
        scene_ask(plain, &u, y);
        assert_int_equal(t.origin, u.origin);
        for (int k = 0; k < DIM; k++) check_close(x[k], y[k], 0, near);
        check_belief(&w, &t.belief, &u.belief);
        locbo_measurement m = measure(&w, x, id), n = image(&w, m);
        check_ok(locbo_optimizer_tell(own, id, &m, &error));
        check_ok(locbo_optimizer_tell(plain, id, &n, &error));
    }
    if (strcmp(method, "random") != 0) check_answers(&w, own, plain);
    locbo_optimizer_destroy(own);
    locbo_optimizer_destroy(plain);
}

static void logs_are_modelled(void **state) {
    (void)state;
    check_equal_lives(LOCBO_MODEL_SCALE_LOG, LOCBO_GOAL_MINIMIZE, "locbo", "none", "auto");
    check_equal_lives(LOCBO_MODEL_SCALE_LOG, LOCBO_GOAL_MAXIMIZE, "locbo", "auto", "auto");
    check_equal_lives(LOCBO_MODEL_SCALE_LOG, LOCBO_GOAL_MINIMIZE, "bo", "none", "student");
    check_equal_lives(LOCBO_MODEL_SCALE_LOG, LOCBO_GOAL_MINIMIZE, "ocbo", "none", "gaussian");
}

static void logits_are_modelled(void **state) {
    (void)state;
    check_equal_lives(LOCBO_MODEL_SCALE_LOGIT, LOCBO_GOAL_MAXIMIZE, "locbo", "auto", "auto");
    check_equal_lives(LOCBO_MODEL_SCALE_LOGIT, LOCBO_GOAL_MINIMIZE, "locbo", "none", "auto");
    check_equal_lives(LOCBO_MODEL_SCALE_LOGIT, LOCBO_GOAL_MINIMIZE, "cbo", "none", "little");
}

/* A surrogate without a choice of law and scale has the user's scale, too. */
static void other_surrogates_have_the_scale(void **state) {
    (void)state;
    warp w = warp_for(LOCBO_MODEL_SCALE_LOG);
    locbo_options options = options_of("locbo", "auto");
    scene_set(&options, "surrogate", "gamma");
    locbo_output_spec spec = spec_of("latency", LOCBO_GOAL_MINIMIZE, LOCBO_MODEL_SCALE_LOG);
    locbo_optimizer *o = make(1, &spec, &options);
    play(o, &w, 10);
    check_same(fit_of(o).power, LOCBO_MODEL_SCALE_LOG);
    locbo_optimizer_destroy(o);
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* With outliers Student's t has the median of the logs and three times the spread that their quartiles say. */
static void far_results_have_limited_influence(void **state) {
    (void)state;
    warp w = warp_for(LOCBO_MODEL_SCALE_LOG);
    locbo_options options = options_of("locbo", "auto");
    locbo_output_spec spec = spec_of("latency", LOCBO_GOAL_MINIMIZE, LOCBO_MODEL_SCALE_LOG);
    locbo_optimizer *o = make(1, &spec, &options);
    double logs[20], x[DIM];
    for (int i = 0; i < 20; i++) {
        uint64_t id = scene_ask(o, NULL, x);
        double y = i == 4 ? 1e200 : measure(&w, x, id).value;
        logs[i] = log(y);
        scene_tell(o, id, y);
    }
    scene_ask(o, NULL, x); /* fits */
    qsort(logs, 20, sizeof *logs, ascending);
    locbo_fit fit = fit_of(o);
    assert_true(fit.members[2].law == LOCBO_NOISE_LAW_STUDENT && fit.rows == 20);
    check_close(fit.members[2].shift, logs[9], 1e-15, 0); /* rounding */
    check_close(fit.members[2].spread, 3 * (logs[14] - logs[4]) / 1.349, 1e-14, 0);
    assert_true(fit.members[0].spread > 2 * fit.members[2].spread);
    locbo_optimizer_destroy(o);
}

/* Two outputs of `side`: told as measured, or as images. `second`: its warp. */
static void tell_two(const side *s, uint64_t id, const double *x, const warp *first, const warp *second) {
    const double turned[DIM] = {x[1], x[0]};
    locbo_measurement m[2] = {measure(first, x, id), measure(second, turned, id + 100)};
    if (s->images) m[0] = image(first, m[0]), m[1] = image(second, m[1]);
    check_ok(locbo_optimizer_tell_outputs(s->o, id, m, &error));
}

/* Both sides side by side, for tables of two outputs that are `first` and `second` on scale. */
static void check_equal_pairs(const locbo_output_spec own[2], const locbo_output_spec images[2], double *reference) {
    warp first = warp_for(own[0].scale), second = warp_for(own[1].scale);
    locbo_options options = options_of("locbo", "none");
    side a = {make(2, own, &options), 0}, b = {make(2, images, &options), 1};
    for (int i = 0; i < ROUNDS; i++) {
        double x[DIM], y[DIM];
        uint64_t id = scene_ask(a.o, NULL, x);
        scene_ask(b.o, NULL, y);
        for (int k = 0; k < DIM; k++) check_close(x[k], y[k], 0, near);
        tell_two(&a, id, x, &first, &second);
        tell_two(&b, id, x, &first, &second);
    }
    locbo_belief p[2], q[2];
    check_ok(locbo_optimizer_trial_beliefs(a.o, ROUNDS, p, &error));
    check_ok(locbo_optimizer_trial_beliefs(b.o, ROUNDS, q, &error));
    check_belief(&first, &p[0], &q[0]);
    check_belief(&second, &p[1], &q[1]);
    check_ok(locbo_optimizer_reference(a.o, reference, &error));
    check_ok(locbo_optimizer_reference(b.o, reference + 2, &error));
    locbo_optimizer_destroy(a.o);
    locbo_optimizer_destroy(b.o);
}

static void constraints_have_scales(void **state) {
    (void)state;
    warp w = warp_for(LOCBO_MODEL_SCALE_LOGIT);
    double ignored[4];
    locbo_output_spec own[2] = {spec_of("latency", LOCBO_GOAL_MINIMIZE, LOCBO_MODEL_SCALE_LOG),
                                spec_of("share", LOCBO_GOAL_AT_MOST, LOCBO_MODEL_SCALE_LOGIT)};
    locbo_output_spec images[2] = {spec_of("a", LOCBO_GOAL_MINIMIZE, 0), spec_of("b", LOCBO_GOAL_AT_MOST, 0)};
    own[1].bound = 1;
    images[1].bound = warp_at(&w, 1);
    check_equal_pairs(own, images, ignored);
}

/* The reference point is inferred on the scale: in the user's units it might lie outside the range. */
static void objectives_have_scales(void **state) {
    (void)state;
    warp log = warp_for(LOCBO_MODEL_SCALE_LOG), logit = warp_for(LOCBO_MODEL_SCALE_LOGIT);
    double reference[4];
    locbo_output_spec own[2] = {spec_of("rate", LOCBO_GOAL_MAXIMIZE, LOCBO_MODEL_SCALE_LOG),
                                spec_of("share", LOCBO_GOAL_MINIMIZE, LOCBO_MODEL_SCALE_LOGIT)};
    locbo_output_spec images[2] = {spec_of("a", LOCBO_GOAL_MAXIMIZE, 0), spec_of("b", LOCBO_GOAL_MINIMIZE, 0)};
    check_equal_pairs(own, images, reference);
    locbo_options options = options_of("locbo", "auto");
    locbo_optimizer *o = make(2, own, &options);
    check_ok(locbo_optimizer_restore_reference(o, reference, &error));
    check_fails(locbo_optimizer_restore_reference(o, (double[]){-1, 0}, &error), LOCBO_ERR_ARGUMENT,
                "output 'rate' has a log scale: the reference must be positive, got -1");
    check_fails(locbo_optimizer_restore_reference(o, (double[]){1, INFINITY}, &error), LOCBO_ERR_ARGUMENT, "finite");
    check_same(o->reference[0], reference[0]);
    locbo_optimizer_destroy(o);
    check_close(reference[0], warp_inverse(&log, reference[2]), 1e-9, 0); /* rounding of log and exp */
    check_close(reference[1], warp_inverse(&logit, reference[3]), 1e-9, 1e-9);
}

/* A multiple of a measured value may lie outside the range: then the constraint always holds, or never does. */
static void a_bound_outside_the_range(void **state) {
    (void)state;
    for (int never = 0; never < 2; never++) {
        warp log = warp_for(LOCBO_MODEL_SCALE_LOG), logit = warp_for(LOCBO_MODEL_SCALE_LOGIT);
        locbo_options options = options_of("locbo", "auto");
        locbo_output_spec specs[2] = {spec_of("latency", LOCBO_GOAL_MINIMIZE, LOCBO_MODEL_SCALE_LOG),
                                      spec_of("share", LOCBO_GOAL_AT_MOST, LOCBO_MODEL_SCALE_LOGIT)};
        specs[1].baseline = 1;
        specs[1].bound = never ? -1000 : 1000;
        side s = {make(2, specs, &options), 0};
        for (int i = 0; i < 10; i++) {
            double x[DIM];
            uint64_t id = scene_ask(s.o, NULL, x);
            tell_two(&s, id, x, &log, &logit);
        }
        locbo_belief b[2];
        double chance, x[DIM] = {0.5, 0.5};
        check_ok(locbo_optimizer_predict_outputs(s.o, 1, x, b, &chance, &error));
        check_close(chance, never ? 0 : 1, 0, 1e-12); /* normal tails of hundreds of standard deviations */
        locbo_optimizer_destroy(s.o);
    }
}

/* ---- none and option ------------------------------------------------------------------------- */

/* The skewed results of scale auto: the table says none, or says nothing. */
static void none_is_the_option_none(void **state) {
    (void)state;
    warp w = warp_for(LOCBO_MODEL_SCALE_LOG);
    const locbo_model_scale scales[] = {LOCBO_MODEL_SCALE_NONE, LOCBO_MODEL_SCALE_OPTION};
    for (int k = 0; k < 2; k++) {
        locbo_options automatic = options_of("locbo", "auto"), same = options_of("locbo", k == 0 ? "none" : "auto");
        locbo_output_spec spec = spec_of("latency", LOCBO_GOAL_MINIMIZE, scales[k]);
        locbo_space *space = scene_cube(DIM);
        locbo_optimizer *a = make(1, &spec, &automatic), *b = scene_optimizer(space, &same);
        play(a, &w, ROUNDS);
        play(b, &w, ROUNDS);
        for (uint64_t id = 1; id <= ROUNDS; id++) {
            double x[DIM], y[DIM];
            locbo_trial t, u;
            check_ok(locbo_optimizer_trial(a, id, &t, NULL, x, &error));
            check_ok(locbo_optimizer_trial(b, id, &u, NULL, y, &error));
            assert_memory_equal(x, y, sizeof x);
            check_same(t.belief.mean, u.belief.mean);
            check_same(t.belief.y_low, u.belief.y_low);
        }
        assert_int_equal(fit_of(a).member_count, fit_of(b).member_count);
        locbo_space_destroy(space);
        locbo_optimizer_destroy(a);
        locbo_optimizer_destroy(b);
    }
}

/* ---- how it is judged ------------------------------------------------------------------------ */

/* The formula of locbo.h, written out. */
static double plain_score(const locbo_belief *b, const locbo_measurement *m) {
    int is_log = b->power == LOCBO_MODEL_SCALE_LOG;
    double t = is_log ? log(m->value) : log((m->value - b->low) / (b->high - m->value));
    double slope = is_log ? 1 / m->value : (b->high - b->low) / ((m->value - b->low) * (b->high - m->value));
    double known = isnan(m->sd) ? 0 : m->sd * slope;
    return (t - b->centre) / sqrt(pow(b->unit_f, 2) + (pow(b->unit_y, 2) - pow(b->unit_f, 2)) / m->n + known * known);
}

static void results_are_judged_on_the_scale(void **state) {
    (void)state;
    for (int scale = LOCBO_MODEL_SCALE_LOG; scale <= LOCBO_MODEL_SCALE_LOGIT; scale++) {
        warp w = warp_for((locbo_model_scale)scale);
        locbo_belief b = {.mean = 99, .sd_f = 99, .sd_y = 99, .power = w.power, .low = w.low, .high = w.high};
        b.y_low = 1.5, b.y_high = 4.5, b.centre = warp_at(&w, 2.5), b.unit_f = 0.3, b.unit_y = 0.5;
        assert_true(announced_is_valid(&b));
        for (double y = 0.05; y < 6; y += 0.1)
            for (unsigned n = 1; n <= 9; n += 4) {
                locbo_measurement m = {y, n == 5 ? 0.7 : NAN, n};
                check_close(announced_score(&b, &m), plain_score(&b, &m), 1e-12, 1e-13); /* a few roundings */
            }
        for (double y = 0.05; y < 6; y += 0.1) /* one measurement of fitted noise: the set as it is shown */
            assert_int_equal(announced_holds(&b, &(locbo_measurement){y, NAN, 1}), y >= 1.5 && y <= 4.5);
        b.y_low = w.low, b.y_high = scale == LOCBO_MODEL_SCALE_LOG ? INFINITY : w.high; /* the whole range */
        assert_true(announced_holds(&b, &(locbo_measurement){5.999, NAN, 1}));
        assert_true(announced_holds(&b, &(locbo_measurement){1e-300, NAN, 1}));
        b.y_low = 3, b.y_high = 2; /* empty */
        assert_false(announced_holds(&b, &(locbo_measurement){2.5, NAN, 1}));
        b.low = NAN;
        assert_false(announced_is_valid(&b));
    }
}

/* ---- in the user's units --------------------------------------------------------------------- */

static void check_inside(const warp *w, const locbo_belief *b) {
    double top = w->power == LOCBO_MODEL_SCALE_LOG ? INFINITY : w->high;
    const double ends[] = {b->y_low, b->y_high, b->f_low, b->f_high};
    check_that(warp_holds(w, b->mean) && isfinite(b->mean), "mean %g", b->mean);
    check_that(b->sd_y > 0 && isfinite(b->sd_y) && b->sd_f >= 0, "sd %g and %g", b->sd_f, b->sd_y);
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++)
        check_that(isnan(ends[i]) || (ends[i] >= w->low && ends[i] <= top), "end %zu is %g", i, ends[i]);
    assert_true(isnan(b->f_low) || b->f_low <= b->f_high);
}

/* Results up to the ends of the range, or of the doubles, with outliers: all intervals stay inside. */
static void intervals_stay_inside(void **state) {
    (void)state;
    const double logs[] = {1e-300, 1, 1e300, 5e-324, DBL_MAX, 3, 4, 5, 2, 1}, e = 1e-13;
    const double logits[] = {low + e, 0, high - e, nextafter(low, 0), nextafter(high, 0), 1, 2, 3, 4, 5};
    for (int i = 0; i < 4; i++) {
        locbo_model_scale scale = i < 2 ? LOCBO_MODEL_SCALE_LOG : LOCBO_MODEL_SCALE_LOGIT;
        locbo_options options = options_of("locbo", "auto");
        locbo_output_spec spec = spec_of("latency", i % 2 ? LOCBO_GOAL_MINIMIZE : LOCBO_GOAL_MAXIMIZE, scale);
        locbo_optimizer *o = make(1, &spec, &options), *b;
        warp w = warp_for(scale);
        for (int k = 0; k < 14; k++) {
            double x[DIM];
            locbo_trial t;
            uint64_t id = scene_ask(o, &t, x);
            if (!isnan(t.belief.mean)) check_inside(&w, &t.belief);
            scene_tell(o, id, (i < 2 ? logs : logits)[k % 10]);
        }
        for (double u = 0; u <= 1; u += 0.125) {
            locbo_belief belief;
            check_ok(locbo_optimizer_predict(o, 1, (double[DIM]){u, 1 - u * u}, &belief, &error));
            check_inside(&w, &belief);
        }
        char *text = NULL;
        check_ok(locbo_optimizer_save(o, &text, NULL, &error));
        check_ok(locbo_optimizer_load(&b, text, strlen(text), &error)); /* every belief can be stored */
        locbo_free(text);
        locbo_optimizer_destroy(o);
        locbo_optimizer_destroy(b);
    }
}

/* ---- facts ----------------------------------------------------------------------------------- */

static void check_same_fit(const locbo_optimizer *a, const locbo_optimizer *b) {
    locbo_fit f = fit_of(a), g = fit_of(b);
    assert_true(f.rows == g.rows && f.member_count == g.member_count && f.chosen == g.chosen && f.count == g.count);
    check_same(f.shift, g.shift);
    check_same(f.spread, g.spread);
    assert_memory_equal(&f.power, &g.power, 4 * sizeof(double)); /* power to high */
    assert_memory_equal(f.theta, g.theta, f.count * sizeof(double));
    for (size_t i = 0; i < f.member_count; i++) {
        const locbo_member *m = &f.members[i], *n = &g.members[i];
        assert_true(m->law == n->law && m->count == n->count);
        assert_memory_equal(&m->shift, &n->shift, 7 * sizeof(double)); /* shift to score */
    }
}

static void check_go_on(locbo_optimizer *a, locbo_optimizer *b, const warp *w, int rounds) {
    check_same_fit(a, b);
    for (int i = 0; i < rounds; i++) {
        locbo_trial t, u;
        double x[DIM], y[DIM];
        uint64_t id = scene_ask(a, &t, x);
        assert_int_equal(scene_ask(b, &u, y), id);
        assert_memory_equal(x, y, sizeof x);
        assert_memory_equal(&t.belief, &u.belief, sizeof t.belief);
        check_same_fit(a, b);
        locbo_measurement m = measure(w, x, id);
        check_ok(locbo_optimizer_tell(a, id, &m, &error));
        check_ok(locbo_optimizer_tell(b, id, &m, &error));
    }
    check_same(scene_summary(a).coverage_online, scene_summary(b).coverage_online);
    check_same(scene_summary(a).threshold_mean, scene_summary(b).threshold_mean);
}

/* All candidates are on the one scale, in the fit and in the trials' beliefs. */
static void facts_have_the_scale(void **state) {
    (void)state;
    for (int scale = LOCBO_MODEL_SCALE_LOG; scale <= LOCBO_MODEL_SCALE_LOGIT; scale++) {
        locbo_optimizer *o = played((locbo_model_scale)scale, LOCBO_GOAL_MINIMIZE, "locbo", ROUNDS);
        warp w = warp_for((locbo_model_scale)scale);
        locbo_fit fit = fit_of(o);
        assert_true(fit.member_count == 4); /* the laws */
        for (size_t i = 0; i < fit.member_count; i++) assert_memory_equal(&fit.members[i].power, &w, sizeof w);
        assert_memory_equal(&fit.power, &w, sizeof w);
        check_same(fit.members[fit.chosen].spread, fit.spread);
        for (uint64_t id = 1; id <= ROUNDS; id++) {
            locbo_trial t;
            check_ok(locbo_optimizer_trial(o, id, &t, NULL, NULL, &error));
            if (belief_is_bent(&t.belief)) assert_memory_equal(&t.belief.power, &w, sizeof w);
            assert_int_equal(belief_is_bent(&t.belief), origin_is_model(t.origin));
        }
        locbo_optimizer_destroy(o);
    }
}

static void a_snapshot_goes_on(void **state) {
    (void)state;
    for (int scale = LOCBO_MODEL_SCALE_LOG; scale <= LOCBO_MODEL_SCALE_LOGIT; scale++) {
        locbo_optimizer *a = played((locbo_model_scale)scale, LOCBO_GOAL_MAXIMIZE, "locbo", 12), *b = NULL;
        warp w = warp_for((locbo_model_scale)scale);
        char *text = NULL;
        check_ok(locbo_optimizer_save(a, &text, NULL, &error));
        check_ok(locbo_optimizer_load(&b, text, strlen(text), &error));
        check_go_on(a, b, &w, 4);
        locbo_free(text);
        locbo_optimizer_destroy(a);
        locbo_optimizer_destroy(b);
    }
}

static void facts_one_by_one_go_on(void **state) {
    (void)state;
    for (int scale = LOCBO_MODEL_SCALE_LOG; scale <= LOCBO_MODEL_SCALE_LOGIT; scale++) {
        warp w = warp_for((locbo_model_scale)scale);
        locbo_options options = options_of("locbo", "auto");
        locbo_output_spec spec = spec_of("latency", LOCBO_GOAL_MINIMIZE, (locbo_model_scale)scale);
        locbo_optimizer *a = played(spec.scale, LOCBO_GOAL_MINIMIZE, "locbo", 12), *b = make(1, &spec, &options);
        for (uint64_t id = 1; id <= 12; id++) {
            double x[DIM];
            locbo_trial t;
            check_ok(locbo_optimizer_trial(a, id, &t, NULL, x, &error));
            check_ok(locbo_optimizer_restore_trial(b, &t, x, &error));
        }
        for (size_t i = 0; i < 12; i++)
            check_ok(locbo_optimizer_tell(b, a->quantity->data.trial[i], &a->quantity->data.measured[i], &error));
        locbo_fit fit = fit_of(a);
        check_ok(locbo_optimizer_restore_fit(b, &fit, &error));
        check_go_on(a, b, &w, 4);
        locbo_optimizer_destroy(a);
        locbo_optimizer_destroy(b);
    }
}

/* Facts of another scale: their numbers have no images here, or other ones. */
static void facts_of_another_scale_are_refused(void **state) {
    (void)state;
    locbo_optimizer *a = played(LOCBO_MODEL_SCALE_LOG, LOCBO_GOAL_MINIMIZE, "locbo", 12),
                    *b = played(LOCBO_MODEL_SCALE_LOGIT, LOCBO_GOAL_MINIMIZE, "locbo", 12),
                    *c = played(LOCBO_MODEL_SCALE_NONE, LOCBO_GOAL_MINIMIZE, "locbo", 12), *all[] = {a, b, c};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++) {
            locbo_fit fit = fit_of(all[i]);
            locbo_trial t;
            double x[DIM];
            check_ok(locbo_optimizer_trial(all[i], 12, &t, NULL, x, &error));
            t.id = (uint64_t)all[k]->trials + 1;
            if (i == k) {
                check_ok(locbo_optimizer_restore_fit(all[k], &fit, &error));
                check_ok(locbo_optimizer_restore_trial(all[k], &t, x, &error));
                continue;
            }
            check_fails(locbo_optimizer_restore_fit(all[k], &fit, &error), LOCBO_ERR_ARGUMENT, "has no scale");
            if (i < 2)
                check_fails(locbo_optimizer_restore_trial(all[k], &t, x, &error), LOCBO_ERR_ARGUMENT,
                            "scale of the belief");
        }
    locbo_fit fit = fit_of(a);
    locbo_member item[8];
    memcpy(item, fit.members, fit.member_count * sizeof *item);
    fit.members = item;
    item[1].power = NAN, item[1].low = NAN;
    check_fails(locbo_optimizer_restore_fit(a, &fit, &error), LOCBO_ERR_ARGUMENT, "has no scale");
    for (int i = 0; i < 3; i++) locbo_optimizer_destroy(all[i]);
}

/* ---- bad values ------------------------------------------------------------------------------ */

static char *saved(const locbo_optimizer *o) {
    char *text = NULL;
    check_ok(locbo_optimizer_save(o, &text, NULL, &error));
    return text;
}

static void values_outside_are_refused(void **state) {
    (void)state;
    static const struct {
        locbo_model_scale scale;
        double value;
        const char *message;
    } bad[] = {
        {LOCBO_MODEL_SCALE_LOG, -1, "output 'latency' has a log scale: values must be positive, got -1"},
        {LOCBO_MODEL_SCALE_LOG, 0, "output 'latency' has a log scale: values must be positive, got 0"},
        {LOCBO_MODEL_SCALE_LOGIT, 6, "output 'latency' has a logit scale: values must lie between -2 and 6, got 6"},
        {LOCBO_MODEL_SCALE_LOGIT, -2, "output 'latency' has a logit scale: values must lie between -2 and 6, got -2"},
        {LOCBO_MODEL_SCALE_LOGIT, 9, "output 'latency' has a logit scale: values must lie between -2 and 6, got 9"},
        {LOCBO_MODEL_SCALE_LOG, INFINITY, "a measured value must be finite"}};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        locbo_optimizer *o = played(bad[i].scale, LOCBO_GOAL_MINIMIZE, "locbo", 6);
        double x[DIM];
        uint64_t id = scene_ask(o, NULL, x);
        char *before = saved(o);
        locbo_measurement m = {bad[i].value, NAN, 1};
        check_fails(locbo_optimizer_tell(o, id, &m, &error), LOCBO_ERR_ARGUMENT, bad[i].message);
        check_fails(locbo_optimizer_add(o, x, &m, &error), LOCBO_ERR_ARGUMENT, bad[i].message);
        char *after = saved(o);
        assert_string_equal(before, after);
        locbo_free(before);
        locbo_free(after);
        locbo_optimizer_destroy(o);
    }
}

/* One of several outputs; a recorded one has no model, and takes any value. */
static void several_outputs_are_checked(void **state) {
    (void)state;
    locbo_options options = options_of("locbo", "auto");
    locbo_output_spec specs[3] = {spec_of("loss", LOCBO_GOAL_MINIMIZE, 0),
                                  spec_of("latency", LOCBO_GOAL_AT_MOST, LOCBO_MODEL_SCALE_LOG),
                                  spec_of("note", LOCBO_GOAL_RECORD, LOCBO_MODEL_SCALE_LOG)};
    specs[1].bound = 2;
    locbo_optimizer *o = make(3, specs, &options);
    double x[DIM];
    uint64_t id = scene_ask(o, NULL, x);
    locbo_measurement m[3] = {{-1, NAN, 1}, {-1, NAN, 1}, {-1, NAN, 1}};
    check_fails(locbo_optimizer_tell_outputs(o, id, m, &error), LOCBO_ERR_ARGUMENT,
                "output 'latency' has a log scale: values must be positive, got -1");
    assert_int_equal(o->told.n, 0);
    assert_int_equal(scene_summary(o).pending, 1);
    m[1].value = 1;
    check_ok(locbo_optimizer_tell_outputs(o, id, m, &error));
    locbo_optimizer_destroy(o);
}

static void impossible_tables_are_refused(void **state) {
    (void)state;
    locbo_outputs *table = NULL;
    check_ok(locbo_outputs_create(&table, &error));
#define REFUSED(words, kind, is, change)                                                                               \
    do {                                                                                                               \
        locbo_output_spec spec = spec_of("latency", kind, is);                                                         \
        change;                                                                                                        \
        check_fails(locbo_outputs_add(table, &spec, &error), LOCBO_ERR_ARGUMENT, words);                               \
    } while (0)
    const locbo_model_scale log = LOCBO_MODEL_SCALE_LOG, logit = LOCBO_MODEL_SCALE_LOGIT;
    const char *positive = "output 'latency' has a log scale: the bound must be positive, got ";
    REFUSED(positive, LOCBO_GOAL_AT_MOST, log, spec.bound = 0);
    REFUSED(positive, LOCBO_GOAL_AT_LEAST, log, spec.bound = -3);
    REFUSED(positive, LOCBO_GOAL_AT_LEAST, log, (spec.bound = -3, spec.baseline = 1));
    REFUSED("the bound must lie between -2 and 6, got 6", LOCBO_GOAL_AT_MOST, logit, spec.bound = 6);
    REFUSED("the bound must lie between -2 and 6, got -2", LOCBO_GOAL_AT_MOST, logit, spec.bound = -2);
    REFUSED("the reference must be positive, got -1", LOCBO_GOAL_MINIMIZE, log,
            (spec.reference = -1, spec.referenced = 1));
    REFUSED("logit needs low < high", LOCBO_GOAL_MINIMIZE, logit, spec.scale_low = 6);
    REFUSED("logit needs low < high", LOCBO_GOAL_MINIMIZE, logit, spec.scale_low = NAN);
    REFUSED("logit needs low < high", LOCBO_GOAL_MINIMIZE, logit, (spec.scale_low = -1e308, spec.scale_high = 1e308));
    assert_int_equal(locbo_outputs_count(table), 0);
    locbo_outputs_destroy(table);
}

/* A state whose table says another scale than its facts. */
static void damaged_states_are_refused(void **state) {
    (void)state;
    locbo_optimizer *a = played(LOCBO_MODEL_SCALE_LOG, LOCBO_GOAL_MINIMIZE, "locbo", 8), *b = NULL;
    char *text = NULL;
    check_ok(locbo_optimizer_save(a, &text, NULL, &error));
    char *at = strstr(text, "\"scale\":2");
    assert_non_null(at);
    at[strlen("\"scale\":")] = '0';
    check_fails(locbo_optimizer_load(&b, text, strlen(text), &error), LOCBO_ERR_FORMAT, "scale");
    locbo_free(text);
    locbo_optimizer_destroy(a);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logs_are_modelled),
        cmocka_unit_test(logits_are_modelled),
        cmocka_unit_test(other_surrogates_have_the_scale),
        cmocka_unit_test(far_results_have_limited_influence),
        cmocka_unit_test(constraints_have_scales),
        cmocka_unit_test(objectives_have_scales),
        cmocka_unit_test(a_bound_outside_the_range),
        cmocka_unit_test(none_is_the_option_none),
        cmocka_unit_test(results_are_judged_on_the_scale),
        cmocka_unit_test(intervals_stay_inside),
        cmocka_unit_test(facts_have_the_scale),
        cmocka_unit_test(a_snapshot_goes_on),
        cmocka_unit_test(facts_one_by_one_go_on),
        cmocka_unit_test(facts_of_another_scale_are_refused),
        cmocka_unit_test(values_outside_are_refused),
        cmocka_unit_test(several_outputs_are_checked),
        cmocka_unit_test(impossible_tables_are_refused),
        cmocka_unit_test(damaged_states_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
