/* test_calibrator.c - each method's law, set, update and guarantee through the one interface.
 *
 * The linker turns the core's calls of the allocator into calls of ours (tests/CMakeLists.txt): every allocation can be
 * made to fail in turn. */
#include "check.h"

#include "calibrator.h"
#include "normal.h"
#include "short_memory.h"

enum { COLUMNS = 2, ROWS = 12 };

static const uint64_t seed = 20240616;

/* ---- settings and a model ---- */

static locbo_options settings(locbo_method method) {
    return (locbo_options){.method = method,
                           .alpha = 0.2,
                           .eta0 = 0.3,
                           .head_start = 1,
                           .step_power = 0.2,
                           .localization = 0.3,
                           .gain = 2,
                           .decay = 4e-3,
                           .tail = 1,
                           .z_max = 3.4,
                           .levels = 19,
                           .cbo_temperature = 0.1,
                           .cbo_chains = 3,
                           .cbo_steps = 20};
}

static calibrator *make(const locbo_options *config) {
    calibrator *c = NULL;
    check_ok(calibrator_create(&c, config, COLUMNS, COLUMNS, &error));
    return c;
}

static gp *make_model(size_t rows) {
    static const size_t group[COLUMNS] = {0, 0};
    gp_spec spec = {LOCBO_KERNEL_MATERN52, COLUMNS, 1, group, 1, 0};
    double theta[3] = {log(0.4), 0, log(0.05)}, x[ROWS * COLUMNS], y[ROWS], scale[ROWS], extra[ROWS];
    rng r = rng_open(seed, 99, RNG_DESIGN);
    for (size_t i = 0; i < rows; i++) {
        x[2 * i] = rng_uniform(&r);
        x[2 * i + 1] = rng_uniform(&r);
        y[i] = sin(5 * x[2 * i]) - x[2 * i + 1] + 0.3 * rng_normal(&r);
        scale[i] = 1;
        extra[i] = 0;
    }
    gp_data data = {rows, x, y, scale, extra, NULL};
    gp *g = NULL;
    check_ok(gp_create(&g, &spec, &error));
    check_ok(gp_factor(g, theta, &data, &error));
    return g;
}

static const double cube_low[COLUMNS] = {0, 0}, cube_high[COLUMNS] = {1, 1};

static calibrator_context scene_of(const gp *model) {
    return (calibrator_context){
        .model = model, .best = 0.5, .low = cube_low, .high = cube_high, .stream = rng_open(seed, 7, RNG_CHAINS)};
}

static calibrator_point point_at(const gp *model, const double *x, gp_work *work) {
    calibrator_point p = {.x = x, .s2 = gp_noise_var(model)};
    check_ok(gp_predict(model, 1, x, &p.mu, &p.v, work, &error));
    p.w = work->w;
    p.rows = gp_rows(model) + gp_pending(model);
    return p;
}

/* ---- BO and random search ---- */

static void bo_is_the_model(void **state) {
    (void)state;
    const locbo_method both[] = {LOCBO_METHOD_BO, LOCBO_METHOD_RANDOM};
    for (int k = 0; k < 2; k++) {
        locbo_options config = settings(both[k]);
        calibrator *c = make(&config);
        double x[COLUMNS] = {0.5, 0.5}, dx[COLUMNS] = {1, 2};
        calibrator_point p = {.x = x, .mu = 0.3, .v = 0.4, .s2 = 0.1};
        calibrator_set set;
        law l;
        law_grad g = {0};
        int covered = -1;
        check_ok(calibrator_prepare(c, NULL, &error));
        calibrator_law(c, &p, &l);
        assert_true(l.kind == LAW_NORMAL && l.mu == 0.3 && l.v == 0.4 && l.s2 == 0.1);
        calibrator_chain(c, &p, &l, &g, dx);
        assert_true(dx[0] == 1 && dx[1] == 2);
        calibrator_set_at(c, &p, &set);
        assert_true(isnan(set.threshold));
        check_close(set.high, normal_isf(0.1), 1e-15, 0);
        check_same(set.low, -set.high);
        check_ok(calibrator_tell(c, x, 1.2, &set, NULL, &covered, &error));
        assert_int_equal(covered, 1);
        check_ok(calibrator_tell(c, x, -1.3, &set, NULL, &covered, &error));
        assert_int_equal(covered, 0);
        calibrator_destroy(c);
    }
}

/* ---- LOCBO ---- */

static double threshold_at(const calibrator *c, const double *x) {
    calibrator_point p = {.x = x, .v = 1, .s2 = 0.1};
    calibrator_set set;
    calibrator_set_at(c, &p, &set);
    return set.threshold;
}

static void locbo_law_and_set_follow_the_threshold(void **state) {
    (void)state;
    locbo_options config = settings(LOCBO_METHOD_LOCBO);
    config.tail = 0.5;
    calibrator *c = make(&config);
    double x[COLUMNS] = {0.5, 0.5};
    calibrator_point p = {.x = x, .mu = 1, .v = 0.4, .s2 = 0.1};
    law l;
    calibrator_set set;
    calibrator_law(c, &p, &l);
    calibrator_set_at(c, &p, &set);
    assert_true(l.kind == LAW_SET && l.shape_n == 2);
    check_close(l.tail_mass, 0.1, 1e-15, 0);
    check_same(set.threshold, 0.2);
    check_close(l.shape[1], normal_isf(0.1), 1e-13, 0);
    check_same(l.shape[0], -l.shape[1]);
    check_close(set.high, l.shape[1], 1e-13, 0);
    calibrator_destroy(c);
}

static void locbo_covers_all_below_zero_and_nothing_above_one(void **state) {
    (void)state;
    locbo_options config = settings(LOCBO_METHOD_LOCBO);
    config.eta0 = 2;
    config.gain = 0;
    config.step_power = 0;
    calibrator *c = make(&config);
    double x[COLUMNS] = {0.5, 0.5};
    calibrator_point p = {.x = x, .v = 0.4, .s2 = 0.1};
    calibrator_set set = {0};
    law l;
    int covered = -1;
    check_ok(calibrator_tell(c, x, 50, &set, NULL, &covered, &error)); /* 0.2 - 2 * 0.8 = -1.4 */
    assert_int_equal(covered, 0);
    calibrator_set_at(c, &p, &set);
    assert_true(set.threshold < 0 && set.low == -INFINITY && set.high == INFINITY);
    calibrator_law(c, &p, &l); /* the law is clamped, the set is not */
    check_close(l.shape[1], 3.4, 1e-12, 0);
    check_ok(calibrator_tell(c, x, INFINITY, &set, NULL, &covered, &error));
    assert_int_equal(covered, 1); /* everything is */
    for (int t = 0; t < 6; t++) { /* -1.0 .. 1.4 */
        check_that(threshold_at(c, x) <= 1, "step %d", t);
        check_ok(calibrator_tell(c, x, 0, &set, NULL, &covered, &error));
        assert_int_equal(covered, 1);
    }
    calibrator_set_at(c, &p, &set);
    assert_true(set.threshold > 1 && set.low > set.high);
    calibrator_law(c, &p, &l);
    check_close(l.shape[1], 0, 0, 1e-15);
    check_ok(calibrator_tell(c, x, 0, &set, NULL, &covered, &error));
    assert_int_equal(covered, 0); /* nothing is */
    check_fails(calibrator_tell(c, x, NAN, &set, NULL, &covered, &error), LOCBO_ERR_ARGUMENT, "score z");
    calibrator_destroy(c);
}

/* s = lambda is covered: here both are exactly 1. */
static void locbo_covers_a_tie(void **state) {
    (void)state;
    locbo_options config = settings(LOCBO_METHOD_LOCBO);
    config.alpha = 0.5;
    config.eta0 = 1;
    config.gain = 0;
    calibrator *c = make(&config);
    double x[COLUMNS] = {0.5, 0.5};
    calibrator_set set = {0};
    int covered = -1;
    check_ok(calibrator_tell(c, x, 0, &set, NULL, &covered, &error));
    check_same(threshold_at(c, x), 1);
    check_ok(calibrator_tell(c, x, 0, &set, NULL, &covered, &error));
    assert_int_equal(covered, 1);
    calibrator_destroy(c);
}

/* Coverage is decided by the current threshold, not by the one announced at the ask. */
static void locbo_judges_by_the_threshold_now(void **state) {
    (void)state;
    locbo_options config = settings(LOCBO_METHOD_LOCBO);
    calibrator *c = make(&config);
    double x[COLUMNS] = {0.5, 0.5}, z = normal_isf(0.075); /* score 0.15 */
    calibrator_point p = {.x = x, .v = 0.4, .s2 = 0.1};
    calibrator_set asked;
    int covered = -1;
    calibrator_set_at(c, &p, &asked);
    assert_true(z > asked.high);
    check_ok(calibrator_tell(c, x, 50, &asked, NULL, &covered, &error)); /* the threshold falls below 0.15 */
    check_ok(calibrator_tell(c, x, z, &asked, NULL, &covered, &error));
    assert_int_equal(covered, 1);
    calibrator_destroy(c);
}

/* EI's derivative through the shape alone, mu and v held: by differences in x. */
static void chain_agrees_with_differences(locbo_method method) {
    locbo_options config = settings(method);
    config.gain = 0.5;
    calibrator *c = make(&config);
    rng r = rng_open(seed, 1, RNG_DESIGN);
    calibrator_set set = {0};
    double x[COLUMNS], h = 1e-5;
    int covered, tested = 0, moved = 0;
    for (int t = 0; t < 15; t++) {
        x[0] = rng_uniform(&r);
        x[1] = rng_uniform(&r);
        check_ok(calibrator_tell(c, x, 1.2 * rng_normal(&r), &set, NULL, &covered, &error));
    }
    for (int k = 0; k < 40; k++) {
        double dx[COLUMNS] = {0}, value[3];
        calibrator_point p = {.x = x, .mu = 0.3 * rng_normal(&r), .v = 0.5, .s2 = 0.1};
        law l;
        law_grad g;
        x[0] = rng_uniform(&r);
        x[1] = rng_uniform(&r);
        calibrator_law(c, &p, &l);
        value[0] = law_ei(&l, 0.5, &g);
        calibrator_chain(c, &p, &l, &g, dx);
        for (int j = 0; j < COLUMNS; j++) {
            double kept = x[j];
            for (int side = 1; side <= 2; side++) {
                x[j] = kept + (side == 1 ? h : -h);
                calibrator_law(c, &p, &l);
                value[side] = law_ei(&l, 0.5, NULL);
            }
            x[j] = kept;
            double slope = (value[1] - value[2]) / (2 * h), right = (value[1] - value[0]) / h;
            if (fabs(slope - right) > 1e-2 * (fabs(slope) + 1e-2)) continue; /* a clamp or a crossing is near */
            /* curvature h^2 and rounding 1e-16/h are below 1e-8; small kinks pass the line above */
            check_close(dx[j], slope, 2e-2, 2e-4);
            tested++;
            moved += fabs(slope) > 1e-3;
        }
    }
    check_that(tested > 50 && moved > 8, "%d tested, %d of them not flat", tested, moved);
    calibrator_destroy(c);
}

static void chains_agree_with_differences(void **state) {
    (void)state;
    chain_agrees_with_differences(LOCBO_METHOD_LOCBO);
    chain_agrees_with_differences(LOCBO_METHOD_OCBO_L);
}

/* ---- OCBO ---- */

static void ocbo_ignores_the_gain_and_ocbo_l_does_not(void **state) {
    (void)state;
    locbo_options config = settings(LOCBO_METHOD_OCBO);
    calibrator *global = make(&config);
    config.method = LOCBO_METHOD_OCBO_L;
    calibrator *local = make(&config);
    double here[COLUMNS] = {0.1, 0.1}, there[COLUMNS] = {0.9, 0.9};
    calibrator_point a = {.x = here, .v = 1, .s2 = 0.1}, b = a;
    b.x = there;
    calibrator_set set = {0}, other;
    int covered;
    law l;
    for (int t = 0; t < 3; t++) {
        check_ok(calibrator_tell(global, here, 0.4, &set, NULL, &covered, &error));
        check_ok(calibrator_tell(local, here, 0.4, &set, NULL, &covered, &error));
    }
    calibrator_set_at(global, &a, &set);
    calibrator_set_at(global, &b, &other);
    assert_true(set.low == other.low && set.high == other.high && isnan(set.threshold));
    calibrator_set_at(local, &a, &set);
    calibrator_set_at(local, &b, &other);
    assert_true(set.low != other.low);
    calibrator_law(local, &a, &l);
    assert_true(l.kind == LAW_QUANTILE && l.shape_n == 19 && l.z_max == 3.4);
    check_close(l.level[18], 0.95, 1e-15, 0);
    calibrator_destroy(global);
    calibrator_destroy(local);
}

/* ---- CBO ---- */

static void cbo_uses_the_conformal_set(void **state) {
    (void)state;
    locbo_options config = settings(LOCBO_METHOD_CBO);
    calibrator *c = make(&config);
    gp *model = make_model(ROWS);
    gp_work work = {0};
    rng r = rng_open(seed, 2, RNG_DESIGN);
    int bounded = 0, worthless = 0;
    double x[COLUMNS] = {0.4, 0.6};
    law l;
    calibrator_set set;

    calibrator_point p = point_at(model, x, &work);
    calibrator_law(c, &p, &l); /* not prepared: the model without calibration */
    assert_true(l.kind == LAW_NORMAL && l.mu == p.mu);
    calibrator_set_at(c, &p, &set);
    check_close(set.high, normal_isf(0.1), 1e-15, 0);

    calibrator_context scene = scene_of(model);
    check_ok(calibrator_prepare(c, &scene, &error));
    for (int k = 0; k < 200; k++) {
        x[0] = rng_uniform(&r);
        x[1] = rng_uniform(&r);
        p = point_at(model, x, &work);
        calibrator_law(c, &p, &l);
        calibrator_set_at(c, &p, &set);
        assert_true(isnan(set.threshold));
        if (l.kind == LAW_NORMAL) {
            worthless++;
            assert_true(set.low == -INFINITY && set.high == INFINITY);
            check_same(law_ei(&l, scene.best, NULL), 0);
            assert_true(isfinite(law_log_ei(&l, scene.best, NULL)));
            continue;
        }
        assert_true(l.shape[0] >= -3.4 && l.shape[1] <= 3.4 && l.shape[0] <= l.shape[1]);
        if (set.low <= set.high) {
            bounded++;
            check_same(l.shape[0], fmax(set.low, -3.4));
            check_same(l.shape[1], fmin(set.high, 3.4));
        }
    }
    print_message("of 200 points %d had a set, %d weighed too much\n", bounded, worthless);
    assert_true(bounded > 20);

    /* the same stream gives the same bits, and a second preparation forgets the first */
    calibrator *again = make(&config);
    check_ok(calibrator_prepare(c, &scene, &error));
    check_ok(calibrator_prepare(again, &scene, &error));
    law m;
    calibrator_law(c, &p, &l);
    calibrator_law(again, &p, &m);
    check_same(l.mu, m.mu);
    for (size_t i = 0; i < l.shape_n; i++) check_same(l.shape[i], m.shape[i]);
    calibrator_destroy(again);
    calibrator_destroy(c);
    gp_work_release(&work);
    gp_destroy(model);
}

/* Pending rows do not change the set of y. */
static void cbo_looks_at_data_only(void **state) {
    (void)state;
    locbo_options config = settings(LOCBO_METHOD_CBO);
    config.alpha = 0.3;
    calibrator *c = make(&config);
    gp *model = make_model(ROWS), *copy = make_model(ROWS);
    gp_work work = {0};
    calibrator_context scene = scene_of(model);
    int compared = 0;
    check_ok(calibrator_prepare(c, &scene, &error));
    for (int k = 0; k < 9; k++) {
        double x[COLUMNS] = {0.1 + 0.1 * k, 0.9 - 0.1 * k}, nearby[COLUMNS] = {x[0] + 0.1, x[1]};
        calibrator_set before, after;
        calibrator_point p = point_at(model, x, &work);
        double mu = p.mu, sy = sqrt(p.v + p.s2);
        calibrator_set_at(c, &p, &before);
        check_ok(gp_copy(copy, model, 1, &error));
        check_ok(gp_append_pending(copy, nearby, &error));
        p = point_at(copy, x, &work);
        double narrow = sqrt(p.v + p.s2);
        assert_true(narrow < sy);
        calibrator_set_at(c, &p, &after);
        if (!isfinite(before.low)) continue;
        /* v is rebuilt as v + |w|^2 of the pending rows: rounding only */
        check_close(p.mu + narrow * after.low, mu + sy * before.low, 1e-8, 1e-8);
        check_close(p.mu + narrow * after.high, mu + sy * before.high, 1e-8, 1e-8);
        compared++;
    }
    assert_true(compared > 3);
    calibrator_destroy(c);
    gp_work_release(&work);
    gp_destroy(model);
    gp_destroy(copy);
}

static void cbo_with_few_rows_finds_everything_worthless(void **state) {
    (void)state;
    locbo_options config = settings(LOCBO_METHOD_CBO);
    config.alpha = 0.1;
    calibrator *c = make(&config);
    gp *model = make_model(4);
    gp_work work = {0};
    calibrator_context scene = scene_of(model);
    double x[COLUMNS] = {0.3, 0.3};
    law l;
    check_ok(calibrator_prepare(c, &scene, &error)); /* the first acquisition is 0 everywhere: a flat p' */
    calibrator_point p = point_at(model, x, &work);
    calibrator_law(c, &p, &l);
    check_same(l.mu, p.mu - CALIBRATOR_WORTHLESS);
    check_same(l.v, p.v);
    calibrator_destroy(c);
    gp_work_release(&work);
    gp_destroy(model);
}

/* ---- guarantees ---- */

static void guarantees_say_what_holds(void **state) {
    (void)state;
    struct {
        locbo_method method;
        double gain, power, length, decay;
        uint64_t T;
        double bound; /* NAN: none */
        const char *words;
    } cases[] = {
        {LOCBO_METHOD_LOCBO, 0, 0, 1, 0, 100, 0.2 + 1.3 / 30, "miscoverage <= 0.243"},
        {LOCBO_METHOD_LOCBO, 0, 0, 1, 0, 2, NAN, "bound on the miscoverage is 2.37"},
        {LOCBO_METHOD_LOCBO, 0, 0, 1, 0, 0, NAN, "no result"},
        {LOCBO_METHOD_LOCBO, 4, 0.2, 0.25, 4e-3, 50, NAN, "step_power = 0.5"},
        {LOCBO_METHOD_LOCBO, 4, 0.5, INFINITY, 4e-3, 50, NAN, "finite localization"},
        {LOCBO_METHOD_LOCBO, 4, 0.5, 0.25, 4e-3, 50, NAN, "says nothing"},
        {LOCBO_METHOD_OCBO, 4, 0, 1, 0, 100, NAN, "within 0.0433 of it"},
        {LOCBO_METHOD_OCBO, 4, 0, 1, 0, 1, NAN, "says nothing"},
        {LOCBO_METHOD_OCBO_L, 4, 0, 1, 0, 100, NAN, "not localized"},
        {LOCBO_METHOD_BO, 0, 0, 1, 0, 100, NAN, "no guarantee: bo"},
        {LOCBO_METHOD_RANDOM, 0, 0, 1, 0, 100, NAN, "no guarantee: random"},
        {LOCBO_METHOD_CBO, 0, 0, 1, 0, 100, NAN, "likelihood ratios"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        locbo_options config = settings(cases[i].method);
        config.gain = cases[i].gain;
        config.step_power = cases[i].power;
        config.localization = cases[i].length;
        config.decay = cases[i].decay;
        calibrator *c = make(&config);
        char text[256];
        double bound = calibrator_guarantee(c, cases[i].T, text, sizeof text);
        check_that(strstr(text, cases[i].words) != NULL, "'%s' lacks '%s'", text, cases[i].words);
        if (isnan(cases[i].bound))
            assert_true(isnan(bound));
        else
            check_close(bound, cases[i].bound, 1e-12, 0);
        calibrator_guarantee(c, UINT64_MAX, text, sizeof text);
        assert_true(strlen(text) < sizeof text - 1);
        calibrator_destroy(c);
    }
}

static void lemma_1_is_told_where_it_says_something(void **state) {
    (void)state;
    locbo_options config = settings(LOCBO_METHOD_LOCBO);
    config.gain = 0.05;
    config.step_power = 0.5;
    config.eta0 = 2;
    config.decay = 0.4;
    calibrator *c = make(&config);
    char text[256];
    double bound = calibrator_guarantee(c, 10000, text, sizeof text);
    assert_true(bound > 0.25 && bound < 0.4);
    assert_non_null(strstr(text, "Lemma 1, T = 10000"));
    calibrator_destroy(c);
}

/* ---- bad settings, no memory ---- */

static void refuse(locbo_options config, const char *words) {
    calibrator *c = NULL;
    check_fails(calibrator_create(&c, &config, COLUMNS, COLUMNS, &error), LOCBO_ERR_ARGUMENT, words);
    assert_null(c);
}

#define REFUSE(method, field, value, words)                                                                            \
    do {                                                                                                               \
        locbo_options config_ = settings(method);                                                                      \
        config_.field = value;                                                                                         \
        refuse(config_, words);                                                                                        \
    } while (0)

static void bad_settings_are_refused(void **state) {
    (void)state;
    refuse(settings((locbo_method)6), "unknown method");
    REFUSE(LOCBO_METHOD_BO, alpha, 0, "alpha");
    REFUSE(LOCBO_METHOD_BO, alpha, 1, "alpha");
    REFUSE(LOCBO_METHOD_BO, alpha, NAN, "alpha");
    calibrator *none = NULL;
    locbo_options bo = settings(LOCBO_METHOD_BO);
    check_fails(calibrator_create(&none, &bo, 0, COLUMNS, &error), LOCBO_ERR_ARGUMENT, "columns");
    assert_null(none);
    REFUSE(LOCBO_METHOD_BO, tail, 1.5, "tail");
    REFUSE(LOCBO_METHOD_BO, z_max, 0, "z_max");
    REFUSE(LOCBO_METHOD_LOCBO, eta0, -1, "eta0");
    REFUSE(LOCBO_METHOD_LOCBO, localization, -1, "localization");
    REFUSE(LOCBO_METHOD_LOCBO, gain, NAN, "gain");
    REFUSE(LOCBO_METHOD_OCBO, levels, 0, "levels");
    REFUSE(LOCBO_METHOD_OCBO, levels, -3, "levels");
    REFUSE(LOCBO_METHOD_OCBO_L, levels, LAW_MAX_SHAPE + 1, "levels");
    REFUSE(LOCBO_METHOD_CBO, cbo_temperature, 0, "cbo_temperature");
    REFUSE(LOCBO_METHOD_CBO, cbo_chains, 0, "cbo_chains");
    REFUSE(LOCBO_METHOD_CBO, cbo_steps, 0, "cbo_steps");
    calibrator_destroy(NULL);
}

static void every_allocation_may_fail(void **state) {
    (void)state;
    gp *model = make_model(ROWS);
    calibrator_context scene = scene_of(model);
    gp_work work = {0};
    double x[COLUMNS] = {0.4, 0.6};
    calibrator_point p = point_at(model, x, &work);
    for (int method = 0; method <= LOCBO_METHOD_RANDOM; method++) {
        locbo_options config = settings((locbo_method)method);
        calibrator *c = NULL;
        locbo_status status = LOCBO_ERR_MEMORY;
        for (long k = 0; status != LOCBO_OK; k++) {
            allowed = k;
            status = calibrator_create(&c, &config, COLUMNS, COLUMNS, NULL);
            allowed = -1;
            assert_true(status == LOCBO_OK || (status == LOCBO_ERR_MEMORY && !c));
        }
        status = LOCBO_ERR_MEMORY;
        for (long k = 0; status != LOCBO_OK; k++) {
            law l;
            allowed = k;
            status = calibrator_prepare(c, &scene, NULL);
            allowed = -1;
            assert_true(status == LOCBO_OK || status == LOCBO_ERR_MEMORY);
            calibrator_law(c, &p, &l); /* usable all the same */
            assert_true(isfinite(l.mu) && l.v == p.v);
        }
        calibrator_set before, after;
        calibrator_set_at(c, &p, &before);
        status = LOCBO_ERR_MEMORY;
        for (long k = 0; status != LOCBO_OK; k++) {
            int covered = -7;
            allowed = k;
            status = calibrator_tell(c, x, 0.1, &before, NULL, &covered, NULL);
            allowed = -1;
            if (status == LOCBO_OK) break;
            assert_int_equal(covered, -7);
            calibrator_set_at(c, &p, &after);
            check_same(after.low, before.low);
            check_same(after.high, before.high);
        }
        calibrator_destroy(c);
    }
    gp_work_release(&work);
    gp_destroy(model);
}

int main(void) {
    print_message("seed %llu\n", (unsigned long long)seed);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bo_is_the_model),
        cmocka_unit_test(locbo_law_and_set_follow_the_threshold),
        cmocka_unit_test(locbo_covers_all_below_zero_and_nothing_above_one),
        cmocka_unit_test(locbo_covers_a_tie),
        cmocka_unit_test(locbo_judges_by_the_threshold_now),
        cmocka_unit_test(chains_agree_with_differences),
        cmocka_unit_test(ocbo_ignores_the_gain_and_ocbo_l_does_not),
        cmocka_unit_test(cbo_uses_the_conformal_set),
        cmocka_unit_test(cbo_looks_at_data_only),
        cmocka_unit_test(cbo_with_few_rows_finds_everything_worthless),
        cmocka_unit_test(guarantees_say_what_holds),
        cmocka_unit_test(lemma_1_is_told_where_it_says_something),
        cmocka_unit_test(bad_settings_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
