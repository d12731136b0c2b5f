/* test_optimizer.c - what ask, tell and their relatives promise (locbo.h), seen from outside. */
#include <float.h>

#include "origin.h"
#include "own_score.h"
#include "scene.h"

enum { MANY = 32 };

static const scene_method *LOCBO = &SCENE_METHODS[0];
static const scene_method *BO = &SCENE_METHODS[2];
static const scene_method *RANDOM = &SCENE_METHODS[6];

static double distance(size_t dim, const double *a, const double *b) {
    double sum = 0;
    for (size_t j = 0; j < dim; j++) sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sqrt(sum);
}

/* An optimizer on the unit square with `n` results of the bowl at random points. */
static locbo_optimizer *informed(const locbo_options *options, size_t n, uint64_t seed) {
    locbo_space *space = scene_cube(2);
    locbo_optimizer *o = scene_optimizer(space, options);
    rng r = rng_open(seed, 9, RNG_DESIGN);
    for (size_t i = 0; i < n; i++) {
        double x[] = {rng_uniform(&r), rng_uniform(&r)};
        scene_add(o, x, scene_bowl(space, x) + 0.05 * rng_normal(&r));
    }
    locbo_space_destroy(space);
    return o;
}

/* ---- the initial design ---------------------------------------------------------------------- */

static void first_asks_are_the_design(void **state) {
    (void)state;
    locbo_options options = scene_options(LOCBO, 5);
    options.initial = 7;
    locbo_space *space = scene_cube(2);
    locbo_optimizer *o = scene_optimizer(space, &options);
    for (int i = 0; i < 10; i++) {
        double x[2];
        locbo_trial t;
        uint64_t id = scene_ask(o, &t, x);
        assert_int_equal(id, i + 1);
        assert_int_equal(t.told, i);
        assert_int_equal(t.origin, i < 7 ? LOCBO_ORIGIN_DESIGN : LOCBO_ORIGIN_MODEL);
        assert_int_equal(isnan(t.belief.mean), i < 7);
        scene_tell(o, id, scene_bowl(space, x));
    }
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

static void initial_zero_means_automatic(void **state) {
    (void)state;
    const size_t dims[] = {1, 2, 4, 8, 12}, expected[] = {5, 5, 8, 16, 20};
    for (size_t k = 0; k < 5; k++) {
        locbo_options options = scene_options(RANDOM, 5);
        locbo_space *space = scene_cube(dims[k]);
        locbo_optimizer *o = scene_optimizer(space, &options);
        size_t designed = 0;
        for (size_t i = 0; i < 25; i++) {
            double x[12];
            locbo_trial t;
            scene_ask(o, &t, x);
            designed += t.origin == LOCBO_ORIGIN_DESIGN;
        }
        assert_int_equal(designed, expected[k]);
        locbo_optimizer_destroy(o);
        locbo_space_destroy(space);
    }
}

/* Added results count as part of the design. */
static void added_results_shorten_the_design(void **state) {
    (void)state;
    locbo_options options = scene_options(BO, 5);
    options.initial = 6;
    locbo_optimizer *o = informed(&options, 4, 1);
    for (int i = 0; i < 4; i++) {
        double x[2];
        locbo_trial t;
        scene_ask(o, &t, x);
        assert_int_equal(t.origin, i < 2 ? LOCBO_ORIGIN_DESIGN : LOCBO_ORIGIN_MODEL);
    }
    locbo_optimizer_destroy(o);
}

/* ---- outstanding trials ---------------------------------------------------------------------- */

static void outstanding_trials_differ(void **state) {
    (void)state;
    for (size_t k = 0; k < SCENE_METHOD_COUNT; k++)
        for (size_t count = 8; count <= MANY; count *= 4) {
            locbo_options options = scene_options(&SCENE_METHODS[k], 11);
            locbo_optimizer *o = informed(&options, 8, 2);
            double x[MANY][2];
            for (size_t i = 0; i < count; i++) {
                locbo_trial t;
                scene_ask(o, &t, x[i]);
                if (t.origin == LOCBO_ORIGIN_MODEL) assert_int_equal(t.pending, i);
                for (size_t j = 0; j < i; j++)
                    check_that(distance(2, x[i], x[j]) > 0, "%s: trials %zu and %zu are equal", SCENE_METHODS[k].label,
                               i + 1, j + 1);
            }
            assert_int_equal(scene_summary(o).pending, count);
            locbo_optimizer_destroy(o);
        }
}

/* Five at once are further apart than one proposal repeated would be: without counting the
 * outstanding ones the maximiser would return to the same hill each time, within its accuracy of
 * about 1e-3. */
static void outstanding_trials_spread_out(void **state) {
    (void)state;
    locbo_options options = scene_options(BO, 11);
    options.candidates = 500;
    options.refine = 4;
    locbo_optimizer *o = informed(&options, 12, 3);
    double x[5][2], least = INFINITY;
    for (size_t i = 0; i < 5; i++) {
        scene_ask(o, NULL, x[i]);
        for (size_t j = 0; j < i; j++) least = fmin(least, distance(2, x[i], x[j]));
    }
    check_that(least > 0.02, "two of five proposals are only %g apart", least);
    locbo_optimizer_destroy(o);
}

/* The belief stored with a trial depends on results alone: outstanding trials do not narrow it. */
static void belief_ignores_outstanding_trials(void **state) {
    (void)state;
    locbo_options options = scene_options(LOCBO, 11);
    options.averaging = LOCBO_AVERAGING_OFF; /* otherwise answers average over more than trials do */
    locbo_optimizer *o = informed(&options, 10, 4);
    for (int i = 0; i < 4; i++) {
        double x[2];
        locbo_trial t;
        locbo_belief now;
        scene_ask(o, &t, x);
        check_ok(locbo_optimizer_predict(o, 1, x, &now, &error));
        check_same(t.belief.mean, now.mean);
        check_same(t.belief.sd_y, now.sd_y);
        check_same(t.belief.threshold, now.threshold);
        check_same(t.belief.y_low, now.y_low);
        check_same(t.belief.f_high, now.f_high);
    }
    locbo_optimizer_destroy(o);
}

static void told_out_of_order(void **state) {
    (void)state;
    locbo_options options = scene_options(LOCBO, 11);
    locbo_optimizer *o = informed(&options, 6, 5);
    const locbo_space *space = locbo_optimizer_space(o);
    double x[6][2];
    uint64_t id[6];
    for (int i = 0; i < 6; i++) id[i] = scene_ask(o, NULL, x[i]);
    const int order[] = {4, 0, 5, 2, 1, 3};
    for (int i = 0; i < 6; i++) scene_tell(o, id[order[i]], scene_bowl(space, x[order[i]]));
    locbo_summary s = scene_summary(o);
    assert_int_equal(s.told, 6);
    assert_int_equal(s.judged, 6);
    assert_int_equal(s.pending, 0);
    locbo_optimizer_destroy(o);
}

/* ---- the life of a trial --------------------------------------------------------------------- */

/* A replicate is one more row, and is not judged again. */
static void replicates_are_rows(void **state) {
    (void)state;
    locbo_options options = scene_options(LOCBO, 11);
    locbo_optimizer *o = informed(&options, 6, 6);
    double x[2];
    locbo_trial t;
    uint64_t id = scene_ask(o, NULL, x);
    for (int i = 0; i < 3; i++) scene_tell(o, id, 1 + 0.1 * i);
    scene_ask(o, &t, x);
    assert_int_equal(t.told, 9);
    locbo_summary s = scene_summary(o);
    assert_int_equal(s.told, 1);
    assert_int_equal(s.judged, 1);
    assert_int_equal(s.added, 6);
    locbo_optimizer_destroy(o);
}

static void a_late_result_replaces_a_failure(void **state) {
    (void)state;
    locbo_options options = scene_options(LOCBO, 11);
    locbo_optimizer *o = informed(&options, 6, 7);
    double x[2];
    uint64_t id = scene_ask(o, NULL, x);
    check_ok(locbo_optimizer_tell_failed(o, id, &error));
    assert_int_equal(scene_summary(o).failed, 1);
    scene_tell(o, id, 0.5);
    locbo_summary s = scene_summary(o);
    assert_int_equal(s.failed, 0);
    assert_int_equal(s.told, 1);
    assert_int_equal(s.judged, 1);
    scene_ask(o, NULL, x); /* the success model is gone again */
    locbo_optimizer_destroy(o);
}

static void a_trial_ends_once(void **state) {
    (void)state;
    locbo_options options = scene_options(BO, 11);
    locbo_optimizer *o = informed(&options, 6, 8);
    double x[2];
    uint64_t failed = scene_ask(o, NULL, x), infeasible = scene_ask(o, NULL, x);
    uint64_t told = scene_ask(o, NULL, x), cancelled = scene_ask(o, NULL, x);
    check_ok(locbo_optimizer_tell_failed(o, failed, &error));
    check_ok(locbo_optimizer_tell_infeasible(o, infeasible, &error));
    check_ok(locbo_optimizer_cancel(o, cancelled, &error));
    scene_tell(o, told, 0.3);
    const uint64_t ended[] = {failed, infeasible, told, cancelled};
    for (int i = 0; i < 4; i++) {
        check_fails(locbo_optimizer_tell_failed(o, ended[i], &error), LOCBO_ERR_STATE, "not outstanding");
        check_fails(locbo_optimizer_tell_infeasible(o, ended[i], &error), LOCBO_ERR_STATE, "not outstanding");
        check_fails(locbo_optimizer_cancel(o, ended[i], &error), LOCBO_ERR_STATE, "not outstanding");
    }
    locbo_summary s = scene_summary(o);
    assert_int_equal(s.failed, 1);
    assert_int_equal(s.infeasible, 1);
    assert_int_equal(s.told, 1);
    assert_int_equal(s.asked, 4);
    assert_int_equal(s.pending, 0);
    locbo_optimizer_destroy(o);
}

/* ---- calibration ----------------------------------------------------------------------------- */

/* What the paper's rule does for gain = 0, kept by hand. */
typedef struct ledger {
    double c, eta0, power, alpha;
    uint64_t judged, covered, announced; /* by c when told, by the set when asked */
    uint64_t differ;                     /* judged differently by the two */
} ledger;

static void ledger_tell(ledger *l, const locbo_trial *t, double y) {
    double z = (y - t->belief.mean) / t->belief.sd_y;
    double score = erfc(fabs(z) / sqrt(2.0)); /* 2 Q(|z|) */
    int err = score < l->c;
    l->judged++;
    l->covered += !err;
    int inside = t->belief.y_low <= y && y <= t->belief.y_high;
    assert_int_equal(locbo_belief_holds(&t->belief, &(locbo_measurement){y, (double)NAN, 1}), inside);
    l->announced += inside;
    l->differ += inside == err;
    l->c += l->eta0 * pow((double)l->judged, -l->power) * (l->alpha - err);
}

/* Trials are told in a random order, up to eight outstanding, mixed with results that must not
 * count. The threshold that the calibration goes by is the one current at the tell; whether y lay in the set announced
 * at the ask is counted beside it. */
static void coverage_is_decided_at_the_tell(void **state) {
    (void)state;
    for (int maximise = 0; maximise < 2; maximise++) {
        rng r = scene_random(71);
        locbo_options options = scene_options(LOCBO, 21);
        options.direction = maximise ? LOCBO_MAXIMIZE : LOCBO_MINIMIZE;
        options.gain = 0;
        options.eta0 = 0.1;
        options.step_power = 0.1;
        options.scale = LOCBO_OUTPUT_SCALE_NONE; /* the ledger's z is that of the user's units */
        locbo_optimizer *o = informed(&options, 3, 9);
        ledger l = {.c = options.alpha * options.head_start, .eta0 = 0.1, .power = 0.1, .alpha = options.alpha};
        locbo_trial open[8];
        double at[8][2];
        size_t count = 0;
        for (int round = 0; round < 120; round++) {
            if (count < 8 && (count == 0 || rng_uniform(&r) < 0.55)) {
                scene_ask(o, &open[count], at[count]);
                if (origin_is_judged(&open[count])) /* rounding of c: 1e-12 */
                    check_close(open[count].belief.threshold, l.c, 1e-12, 0);
                count++;
                continue;
            }
            size_t k = (size_t)rng_below(&r, count);
            /* noise far larger than the model expects at first, so that some are not covered */
            double y = scene_bowl(locbo_optimizer_space(o), at[k]) + 0.3 * rng_normal(&r);
            scene_tell(o, open[k].id, y);
            if (origin_is_judged(&open[k])) ledger_tell(&l, &open[k], y);
            if (rng_uniform(&r) < 0.2) scene_tell(o, open[k].id, y + 0.1); /* a replicate */
            if (rng_uniform(&r) < 0.2) scene_add(o, at[k], y - 0.1);
            open[k] = open[--count];
            memcpy(at[k], at[count], sizeof at[k]);
        }
        locbo_summary s = scene_summary(o);
        assert_int_equal(s.judged, l.judged);
        check_close(s.coverage_online, (double)l.covered / (double)l.judged, 1e-15, 0); /* one division */
        check_close(s.coverage, (double)l.announced / (double)l.judged, 1e-15, 0);
        assert_true(l.judged > 30 && l.covered < l.judged && l.differ > 0);
        assert_true(s.threshold_min <= s.threshold_mean && s.threshold_mean <= s.threshold_max);
        locbo_optimizer_destroy(o);
    }
}

/* A mean of four has half the noise, and a known sd of the same size widens the set by sqrt(2). */
static void sets_are_as_wide_as_the_measurement_needs(void **state) {
    (void)state;
    const double none = (double)NAN;
    const locbo_belief belief = {.mean = 0, .sd_f = 0, .sd_y = 1, .y_low = -1, .y_high = 1};
    const locbo_belief nothing = {.mean = none, .sd_f = none, .sd_y = none, .y_low = none, .y_high = none};
    assert_true(locbo_belief_holds(&belief, &(locbo_measurement){0.8, none, 1}));
    assert_true(locbo_belief_holds(&belief, &(locbo_measurement){0.8, none, 0}));
    assert_false(locbo_belief_holds(&belief, &(locbo_measurement){0.8, none, 4}));
    assert_true(locbo_belief_holds(&belief, &(locbo_measurement){0.4, none, 4}));
    assert_false(locbo_belief_holds(&belief, &(locbo_measurement){-1.3, none, 1}));
    assert_true(locbo_belief_holds(&belief, &(locbo_measurement){-1.3, 1, 1}));
    assert_false(locbo_belief_holds(&belief, &(locbo_measurement){none, none, 1}));
    assert_false(locbo_belief_holds(&nothing, &(locbo_measurement){0, none, 1}));
    assert_false(locbo_belief_holds(NULL, NULL));
}

/* Initial design, added and given points are data, never calibration. */
static void only_the_models_own_proposals_count(void **state) {
    (void)state;
    locbo_options options = scene_options(LOCBO, 21);
    options.initial = 5;
    options.gain = 0;
    options.eta0 = 0.2;
    locbo_space *space = scene_cube(2);
    locbo_optimizer *o = scene_optimizer(space, &options);
    double x[2], fixed[] = {0.25, 0.75};
    locbo_trial t;
    locbo_ask_options how = {sizeof how, fixed, 0, 0};
    for (int i = 0; i < 5; i++) {
        uint64_t id = scene_ask(o, NULL, x);
        scene_tell(o, id, scene_bowl(space, x));
    }
    check_ok(locbo_optimizer_ask_with(o, &how, &t, x, &error));
    assert_int_equal(t.origin, LOCBO_ORIGIN_GIVEN);
    check_same(x[0], fixed[0]);
    check_same(x[1], fixed[1]);
    assert_false(isnan(t.belief.mean)); /* believed, but not judged */
    scene_tell(o, t.id, 100);
    scene_add(o, fixed, -100);
    locbo_summary s = scene_summary(o);
    assert_int_equal(s.judged, 0);
    assert_true(isnan(s.coverage) && isnan(s.coverage_online) && isnan(s.threshold_mean));
    scene_ask(o, &t, x);
    check_same(t.belief.threshold, options.alpha * options.head_start);
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

/* ---- symmetry and measurements --------------------------------------------------------------- */

static void minimising_f_is_maximising_minus_f(void **state) {
    (void)state;
    for (size_t k = 0; k < SCENE_METHOD_COUNT; k++) {
        locbo_options options = scene_options(&SCENE_METHODS[k], 31);
        locbo_space *space = scene_mixed();
        locbo_optimizer *down = scene_optimizer(space, &options);
        options.direction = LOCBO_MAXIMIZE;
        locbo_optimizer *up = scene_optimizer(space, &options);
        for (int i = 0; i < 15; i++) {
            double a[3], b[3];
            uint64_t id = scene_ask(down, NULL, a);
            scene_ask(up, NULL, b);
            for (int j = 0; j < 3; j++) check_same(b[j], a[j]);
            if (i == 8) { /* with a failure, too */
                check_ok(locbo_optimizer_tell_failed(down, id, &error));
                check_ok(locbo_optimizer_tell_failed(up, id, &error));
                continue;
            }
            double y = scene_bowl(space, a) + 0.1 * sin(40.0 * i);
            scene_tell(down, id, y);
            scene_tell(up, id, -y);
        }
        check_same(scene_summary(up).coverage, scene_summary(down).coverage);
        locbo_optimizer_destroy(down);
        locbo_optimizer_destroy(up);
        locbo_space_destroy(space);
    }
}

/* How far one odd measurement in the middle moves the prediction there. */
static double moved_by(locbo_measurement odd) {
    locbo_options options = scene_options(BO, 41);
    options.length_scale = 0.3;
    options.noise_var = 0.01;
    locbo_optimizer *o = informed(&options, 15, 10);
    double at[] = {0.5, 0.5};
    locbo_belief before, after;
    check_ok(locbo_optimizer_predict(o, 1, at, &before, &error));
    odd.value += before.mean;
    check_ok(locbo_optimizer_add(o, at, &odd, &error));
    check_ok(locbo_optimizer_predict(o, 1, at, &after, &error));
    locbo_optimizer_destroy(o);
    return fabs(after.mean - before.mean);
}

static void known_sd_and_n_are_used(void **state) {
    (void)state;
    double plain = moved_by((locbo_measurement){1, NAN, 1});
    double many = moved_by((locbo_measurement){1, NAN, 100});
    double zero = moved_by((locbo_measurement){1, NAN, 0});
    double rough = moved_by((locbo_measurement){1, 100, 1});
    double exact = moved_by((locbo_measurement){1, 0, 1});
    check_that(many > plain, "100 repetitions move it by %g, one by %g", many, plain);
    check_same(zero, plain);
    check_same(exact, plain);
    /* its weight is about v/(v + 100^2) of a full one; the standardisation also moves a little */
    check_that(rough < 0.1 * plain, "sd = 100 moves it by %g, unknown sd by %g", rough, plain);
}

/* A result is judged by the spread it has: that of f, 1/n of the noise, and its known sd. */
static void results_are_judged_by_their_own_spread(void **state) {
    (void)state;
    const struct {
        double off; /* of the mean, in sd_y; the set at level 0.8 reaches to 1.28 */
        double sd;  /* in sd_y */
        unsigned n;
        int covered;
    } cases[] = {{1.1, NAN, 1, 1}, {1.1, NAN, 1000000, 0}, {3, NAN, 1, 0}, {3, 5, 1, 1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        locbo_options options = scene_options(BO, 7);
        options.noise_var = 0.5; /* so that sd_f is well below sd_y */
        locbo_optimizer *o = informed(&options, 20, 9);
        locbo_trial trial;
        locbo_summary summary;
        double x[2];
        check_ok(locbo_optimizer_ask(o, &trial, x, &error));
        const locbo_belief *b = &trial.belief;
        check_that(b->sd_f < 0.8 * b->sd_y, "sd_f %g, sd_y %g", b->sd_f, b->sd_y);
        locbo_measurement m = {b->mean + cases[i].off * b->sd_y, cases[i].sd * b->sd_y, cases[i].n};
        check_ok(locbo_optimizer_tell(o, trial.id, &m, &error));
        check_ok(locbo_optimizer_summary(o, &summary, &error));
        check_that(summary.judged == 1 && summary.coverage == cases[i].covered, "case %zu", i);
        locbo_optimizer_destroy(o);
    }
}

/* Every trial can be looked up again, in whatever state it is. */
static void trials_by_number(void **state) {
    (void)state;
    locbo_options options = scene_options(LOCBO, 21);
    locbo_optimizer *o = informed(&options, 6, 21);
    double x[5][2], again[2];
    locbo_trial asked[5], found;
    locbo_trial_state is;
    for (int i = 0; i < 5; i++) check_ok(locbo_optimizer_ask(o, &asked[i], x[i], &error));
    scene_tell(o, 2, 0.5);
    check_ok(locbo_optimizer_tell_failed(o, 3, &error));
    check_ok(locbo_optimizer_tell_infeasible(o, 4, &error));
    check_ok(locbo_optimizer_cancel(o, 5, &error));
    for (int i = 0; i < 5; i++) { /* the states are in this order in the enum */
        check_ok(locbo_optimizer_trial(o, asked[i].id, &found, &is, again, &error));
        assert_int_equal(is, i);
        assert_memory_equal(again, x[i], sizeof again);
        assert_int_equal(found.id, i + 1);
        check_same(found.belief.mean, asked[i].belief.mean);
        check_ok(locbo_optimizer_trial(o, asked[i].id, NULL, NULL, NULL, &error));
    }
    check_fails(locbo_optimizer_trial(o, 6, &found, &is, again, &error), LOCBO_ERR_NOT_FOUND, "6");
    check_fails(locbo_optimizer_trial(NULL, 1, &found, &is, again, &error), LOCBO_ERR_ARGUMENT, "NULL");
    locbo_optimizer_destroy(o);
}

/* ---- questions change nothing ---------------------------------------------------------------- */

static void ask_questions(locbo_optimizer *o, rng *r) {
    double x[6];
    locbo_choice choice;
    locbo_belief beliefs[2];
    locbo_summary s;
    const locbo_space *space = locbo_optimizer_space(o);
    size_t dim = locbo_space_dim(space);
    for (uint64_t i = rng_below(r, 4); i > 0; i--) switch (rng_below(r, 5)) {
        case 0:
            for (size_t j = 0; j < 2 * dim; j++) x[j] = 1; /* a point of both spaces */
            check_ok(locbo_optimizer_predict(o, 2, x, beliefs, &error));
            break;
        case 1:
            locbo_optimizer_best(o, &choice, x, NULL);
            break;
        case 2:
            locbo_optimizer_recommend(o, &choice, x, NULL);
            break;
        case 3:
            check_ok(locbo_optimizer_summary(o, &s, &error));
            break;
        default:
            check_ok(locbo_optimizer_length_scales(o, x, &error));
        }
}

static void questions_never_change_a_proposal(void **state) {
    (void)state;
    rng r = scene_random(72);
    for (size_t k = 0; k < 2 * SCENE_METHOD_COUNT; k++) {
        locbo_options options = scene_options(&SCENE_METHODS[k / 2], 51);
        options.refit_every = k % 2 ? 3 : 1;
        options.recommendation = LOCBO_RECOMMEND_ANYWHERE;
        locbo_space *space = k % 2 ? scene_mixed() : scene_cube(2);
        locbo_optimizer *silent = scene_optimizer(space, &options);
        locbo_optimizer *talker = scene_optimizer(space, &options);
        for (int i = 0; i < 20; i++) {
            double a[3], b[3];
            ask_questions(talker, &r);
            uint64_t id = scene_ask(silent, NULL, a);
            scene_ask(talker, NULL, b);
            for (size_t j = 0; j < locbo_space_dim(space); j++) check_same(b[j], a[j]);
            ask_questions(talker, &r);
            if (i % 6 == 5) {
                check_ok(locbo_optimizer_tell_infeasible(silent, id, &error));
                check_ok(locbo_optimizer_tell_infeasible(talker, id, &error));
            } else if (i % 5 != 4) { /* some stay outstanding */
                scene_tell(silent, id, scene_bowl(space, a));
                scene_tell(talker, id, scene_bowl(space, a));
            }
        }
        locbo_optimizer_destroy(silent);
        locbo_optimizer_destroy(talker);
        locbo_space_destroy(space);
    }
}

/* ---- conditions ------------------------------------------------------------------------------ */

/* The radio protocol: a block of coordinates moves, the rest is held, best of 100 random
 * candidates. */
static void blocks_of_coordinates(void **state) {
    (void)state;
    locbo_options options = scene_options(LOCBO, 61);
    locbo_space *space = scene_cube(6);
    locbo_optimizer *o = scene_optimizer(space, &options);
    double current[6] = {0.5, 0.5, 0.5, 0.5, 0.5, 0.5}, x[6], fixed[6];
    for (int round = 0; round < 24; round++) {
        locbo_trial t;
        locbo_ask_options how = {sizeof how, fixed, 100, 0};
        for (int j = 0; j < 6; j++) fixed[j] = j / 2 == round % 3 ? NAN : current[j];
        check_ok(locbo_optimizer_ask_with(o, &how, &t, x, &error));
        check_ok(locbo_space_check(space, x, &error));
        for (int j = 0; j < 6; j++)
            if (!isnan(fixed[j])) check_same(x[j], fixed[j]);
        scene_tell(o, t.id, scene_bowl(space, x));
        if (scene_bowl(space, x) < scene_bowl(space, current)) memcpy(current, x, sizeof x);
    }
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

/* A fixed category and a fixed integer are respected by all methods, refined or not. */
static void fixed_values_of_every_kind(void **state) {
    (void)state;
    for (size_t k = 0; k < SCENE_METHOD_COUNT; k++) {
        locbo_options options = scene_options(&SCENE_METHODS[k], 62);
        locbo_space *space = scene_mixed();
        locbo_optimizer *o = scene_optimizer(space, &options);
        for (int i = 0; i < 12; i++) {
            double x[3], fixed[] = {NAN, i % 2 ? 7 : NAN, i % 3 ? 2 : NAN};
            locbo_trial t;
            locbo_ask_options how = {sizeof how, fixed, i % 4 == 3 ? 20 : 0, 0};
            check_ok(locbo_optimizer_ask_with(o, &how, &t, x, &error));
            for (int j = 0; j < 3; j++)
                if (!isnan(fixed[j])) check_same(x[j], fixed[j]);
            scene_tell(o, t.id, scene_bowl(space, x));
        }
        locbo_optimizer_destroy(o);
        locbo_space_destroy(space);
    }
}

/* ---- failures are avoided -------------------------------------------------------------------- */

/* What became of runs in which only some points work, on average. */
typedef struct outcome {
    double share; /* of the last 25 of 45 proposals that worked */
    double best;  /* value */
} outcome;

static outcome run_with_failures(const locbo_space *space, const scene_method *m, uint64_t seed, double noise,
                                 int (*works)(const double *x)) {
    enum { ROUNDS = 45, LAST = 25 };
    locbo_options options = scene_options(m, seed);
    locbo_optimizer *o = scene_optimizer(space, &options);
    locbo_choice best;
    rng r = scene_random(seed);
    double x[3];
    int good = 0;
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t id = scene_ask(o, NULL, x);
        good += i >= ROUNDS - LAST && works(x);
        if (works(x))
            scene_tell(o, id, scene_bowl(space, x) + noise * rng_normal(&r));
        else if (i % 3 == 0)
            check_ok(locbo_optimizer_tell_failed(o, id, &error));
        else
            check_ok(locbo_optimizer_tell_infeasible(o, id, &error));
    }
    check_ok(locbo_optimizer_best(o, &best, x, &error));
    locbo_optimizer_destroy(o);
    return (outcome){(double)good / LAST, best.value};
}

static outcome runs_with_failures(locbo_space *space, const scene_method *m, double noise,
                                  int (*works)(const double *x)) {
    enum { RUNS = 6 };
    outcome mean = {0, 0};
    for (uint64_t seed = 0; seed < RUNS; seed++) {
        outcome one = run_with_failures(space, m, seed, noise, works);
        mean.share += one.share / RUNS;
        mean.best += one.best / RUNS;
    }
    locbo_space_destroy(space);
    return mean;
}

static int left_part(const double *x) { return x[0] < 0.6; }
/* The bottom of the bowl is forbidden: all that is to be gained lies at the border, (0.5, 0.4). */
static int right_half(const double *x) { return x[0] > 0.5; }
/* The best colour is forbidden. */
static int not_green(const double *x) { return x[2] != 1; }

static void infeasible_regions_are_avoided(void **state) {
    (void)state;
    check_without_sanitizer();
    const scene_method *methods[] = {LOCBO, BO};
    for (int i = 0; i < 2; i++) {
        const char *label = methods[i]->label;
        /* random search has 0.6 and 2/3; the rest lies mostly at the border */
        outcome part = runs_with_failures(scene_cube(2), methods[i], 0, left_part);
        check_that(part.share >= 0.75, "%s: half plane, share %g", label, part.share);
        outcome category = runs_with_failures(scene_mixed(), methods[i], 0, not_green);
        check_that(category.share >= 0.8, "%s: category, share %g", label, category.share);
        /* the best feasible value is 0.16 */
        outcome border = runs_with_failures(scene_cube(2), methods[i], 0, right_half);
        check_that(border.best < 0.25, "%s: border, best %g", label, border.best);
        /* under noise there is always something left to learn on this side; random search has 0.5 */
        outcome noisy = runs_with_failures(scene_cube(2), methods[i], 0.05, right_half);
        check_that(noisy.share >= 0.65, "%s: wall, share %g", label, noisy.share);
    }
}

/* When nothing but failures came back, ask still answers. */
static void nothing_ever_works(void **state) {
    (void)state;
    for (size_t k = 0; k < SCENE_METHOD_COUNT; k++) {
        locbo_options options = scene_options(&SCENE_METHODS[k], 82);
        locbo_space *space = scene_mixed();
        locbo_optimizer *o = scene_optimizer(space, &options);
        for (int i = 0; i < 15; i++) {
            double x[3];
            check_ok(locbo_optimizer_tell_failed(o, scene_ask(o, NULL, x), &error));
        }
        locbo_optimizer_destroy(o);
        locbo_space_destroy(space);
    }
}

/* ---- finite spaces --------------------------------------------------------------------------- */

static locbo_space *small_space(void) {
    static const char *const words[] = {"a", "b", "c"};
    locbo_space *space = NULL;
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_int(space, "n", 0, 4, LOCBO_LINEAR, &error));
    check_ok(locbo_space_add_categorical(space, "w", 3, words, &error));
    return space;
}

/* Each of the 15 points comes once, then they come again. */
static void finite_spaces_are_exhausted_first(void **state) {
    (void)state;
    for (size_t k = 0; k < SCENE_METHOD_COUNT; k++)
        for (int thompson = 0; thompson < 2; thompson++) {
            locbo_options options = scene_options(&SCENE_METHODS[k], 83);
            if (thompson) options.acquisition = LOCBO_ACQUISITION_THOMPSON;
            locbo_space *space = small_space();
            locbo_optimizer *o = scene_optimizer(space, &options);
            int seen[15] = {0};
            for (int i = 0; i < 30; i++) {
                double x[2];
                uint64_t id = scene_ask(o, NULL, x);
                int *here = &seen[3 * (int)x[0] + (int)x[1]];
                if (i < 15) check_that(*here == 0, "%s: proposal %d is an old one", SCENE_METHODS[k].label, i + 1);
                ++*here;
                if (i % 4) scene_tell(o, id, x[0] + x[1]); /* every fourth stays outstanding */
            }
            locbo_optimizer_destroy(o);
            locbo_space_destroy(space);
        }
}

/* ---- every method, every acquisition --------------------------------------------------------- */

/* Mean true value at the recommended point after n rounds. */
static double quality(const scene_method *m, int mixed, int n, int seeds) {
    double sum = 0;
    for (int seed = 0; seed < seeds; seed++) {
        rng r = rng_open(seed, 3, RNG_DESIGN);
        locbo_options options = scene_options(m, 100 + seed);
        locbo_space *space = mixed ? scene_mixed() : scene_cube(2);
        locbo_optimizer *o = scene_optimizer(space, &options);
        locbo_choice choice;
        double x[3];
        scene_rounds(o, n, 0.1, &r);
        check_ok(locbo_optimizer_recommend(o, &choice, x, &error));
        sum += scene_bowl(space, x);
        locbo_summary s = scene_summary(o);
        assert_int_equal(s.told, n);
        assert_int_equal(s.troubles, 0);
        locbo_optimizer_destroy(o);
        locbo_space_destroy(space);
    }
    return sum / seeds;
}

static void every_method_beats_random_search(void **state) {
    (void)state;
    check_without_sanitizer();
    for (int mixed = 0; mixed < 2; mixed++) {
        double random = quality(RANDOM, mixed, 40, 6);
        for (size_t k = 0; k + 1 < SCENE_METHOD_COUNT; k++) {
            double model = quality(&SCENE_METHODS[k], mixed, 40, 6);
            print_message("%s: %.4f, random %.4f\n", SCENE_METHODS[k].label, model, random);
            check_that(model < random, "%s: mean %g, random search %g", SCENE_METHODS[k].label, model, random);
        }
    }
}

static void every_acquisition_runs(void **state) {
    (void)state;
    for (size_t k = 0; k < SCENE_METHOD_COUNT; k++)
        for (int a = LOCBO_ACQUISITION_LOG_EI; a <= LOCBO_ACQUISITION_MES; a++) {
            rng r = rng_open(4, 4, RNG_DESIGN);
            locbo_options options = scene_options(&SCENE_METHODS[k], 91);
            options.acquisition = (locbo_acquisition)a;
            options.incumbent = a % 2 ? LOCBO_INCUMBENT_MEAN : LOCBO_INCUMBENT_OBSERVED;
            locbo_space *space = scene_mixed();
            locbo_optimizer *o = scene_optimizer(space, &options);
            double x[3];
            locbo_trial t;
            scene_rounds(o, 15, 0.1, &r);
            check_ok(locbo_optimizer_tell_failed(o, scene_ask(o, NULL, x), &error));
            scene_ask(o, &t, x);
            int shown = t.origin == LOCBO_ORIGIN_MODEL && a != LOCBO_ACQUISITION_THOMPSON;
            assert_int_equal(isfinite(t.belief.acquisition), shown);
            locbo_optimizer_destroy(o);
            locbo_space_destroy(space);
        }
}

/* ---- scores of the caller's own -------------------------------------------------------------- */

/* The log EI of BO, set as a score, proposes what the built-in one does. Both climb the same candidates with gradients
 * that agree to 1e-6, until a step moves less than 1e-6 or gains next to nothing; where the top is flat that leaves
 * 1e-3 in x. */
static void an_own_log_ei_proposes_the_same(void **state) {
    (void)state;
    locbo_options options = scene_options(BO, 92);
    options.candidates = 500;
    options.incumbent = LOCBO_INCUMBENT_OBSERVED;
    options.scale = LOCBO_OUTPUT_SCALE_NONE; /* on others log EI is shown in the model's units */
    for (uint64_t seed = 0; seed < 8; seed++) {
        locbo_optimizer *a = informed(&options, 8 + seed, seed), *b = informed(&options, 8 + seed, seed);
        locbo_trial t, u;
        double x[2], y[2], spread;
        check_ok(locbo_optimizer_set_score(b, own_log_ei, NULL, &error));
        scene_ask(a, &t, x);
        scene_ask(b, &u, y);
        check_that(distance(2, x, y) < 1e-3, "%g %g and %g %g", x[0], x[1], y[0], y[1]);
        locbo_fit fit;
        check_ok(locbo_optimizer_fit(b, &fit, &error));
        spread = log(fit.spread); /* the built-in one is shown in the user's units */
        check_close(u.belief.acquisition + spread, t.belief.acquisition, 1e-4, 1e-4);
        /* and without it, b is a again */
        check_ok(locbo_optimizer_set_score(b, NULL, NULL, &error));
        locbo_belief p, q;
        check_ok(locbo_optimizer_predict(a, 1, x, &p, &error));
        check_ok(locbo_optimizer_predict(b, 1, x, &q, &error));
        check_same(q.acquisition, p.acquisition);
        locbo_optimizer_destroy(a);
        locbo_optimizer_destroy(b);
    }
}

static double least_known(const locbo_view *view, void *user) {
    ++*(int *)user;
    return log(view->var_f);
}

/* A score that looks for the unknown finds it, for every method, also with failures, trials outstanding and
 * parameters of every kind; random search does not ask for it. */
static void an_own_score_is_followed(void **state) {
    (void)state;
    for (size_t k = 0; k < SCENE_METHOD_COUNT; k++) {
        rng r = rng_open(6, k, RNG_DESIGN);
        locbo_options options = scene_options(&SCENE_METHODS[k], 93);
        options.acquisition = LOCBO_ACQUISITION_UCB;
        options.scale = LOCBO_OUTPUT_SCALE_NONE; /* sd_f is the model's, times the spread */
        locbo_space *space = scene_mixed();
        locbo_optimizer *o = scene_optimizer(space, &options);
        locbo_trial t;
        double x[3];
        int calls = 0;
        check_ok(locbo_optimizer_set_score(o, least_known, &calls, &error));
        scene_rounds(o, 12, 0.1, &r);
        check_ok(locbo_optimizer_tell_failed(o, scene_ask(o, NULL, x), &error));
        for (int i = 0; i < 3; i++) scene_ask(o, &t, x);
        int model = k + 1 < SCENE_METHOD_COUNT;
        assert_int_equal(t.origin, model ? LOCBO_ORIGIN_MODEL : LOCBO_ORIGIN_RANDOM);
        assert_true(model ? calls > 100 : calls == 0);
        if (model) {
            locbo_fit fit;
            check_ok(locbo_optimizer_fit(o, &fit, &error));
            check_close(t.belief.acquisition, 2 * log(t.belief.sd_f / fit.spread), 1e-9, 1e-9);
        }
        locbo_optimizer_destroy(o);
        locbo_space_destroy(space);
    }
}

static double never_a_number(const locbo_view *view, void *user) {
    (void)view, (void)user;
    return NAN;
}

static double only_below(const locbo_view *view, void *user) {
    (void)user;
    return view->mean < 0 ? view->mean : INFINITY;
}

static void odd_scores_never_stop_it(void **state) {
    (void)state;
    locbo_score_fn *odd[] = {never_a_number, only_below};
    for (size_t i = 0; i < 2; i++) {
        locbo_options options = scene_options(LOCBO, 94);
        rng r = rng_open(7, i, RNG_DESIGN);
        locbo_optimizer *o = informed(&options, 8, 3);
        locbo_trial t;
        double x[2];
        check_ok(locbo_optimizer_set_score(o, odd[i], NULL, &error));
        scene_rounds(o, 5, 0.1, &r);
        scene_ask(o, &t, x);
        assert_int_equal(t.origin, LOCBO_ORIGIN_MODEL);
        assert_true(isfinite(t.belief.acquisition));
        if (i == 1) check_that(t.belief.acquisition > -10, "the wall was proposed");
        assert_int_equal(scene_summary(o).troubles, 0);
        locbo_optimizer_destroy(o);
    }
}

/* Recommendations are the model's; thompson has no use for a score; a saved optimizer forgets it. */
static void where_an_own_score_does_not_count(void **state) {
    (void)state;
    locbo_options options = scene_options(LOCBO, 95);
    options.recommendation = LOCBO_RECOMMEND_ANYWHERE;
    locbo_optimizer *a = informed(&options, 12, 4), *b = informed(&options, 12, 4), *copy = NULL;
    locbo_choice choice, other;
    locbo_belief p, q;
    double x[2], y[2];
    char *text = NULL;
    size_t length;
    int calls = 0;
    check_ok(locbo_optimizer_set_score(b, least_known, &calls, &error));
    check_ok(locbo_optimizer_recommend(a, &choice, x, &error));
    check_ok(locbo_optimizer_recommend(b, &other, y, &error));
    check_same(other.value, choice.value);
    assert_memory_equal(x, y, sizeof x);
    check_ok(locbo_optimizer_save(b, &text, &length, &error));
    check_ok(locbo_optimizer_load(&copy, text, length, &error));
    check_ok(locbo_optimizer_predict(a, 1, x, &p, &error));
    check_ok(locbo_optimizer_predict(copy, 1, x, &q, &error));
    check_same(q.acquisition, p.acquisition);
    locbo_free(text);
    locbo_optimizer_destroy(a);
    locbo_optimizer_destroy(b);
    locbo_optimizer_destroy(copy);
    options.acquisition = LOCBO_ACQUISITION_THOMPSON;
    a = informed(&options, 4, 4);
    check_fails(locbo_optimizer_set_score(a, least_known, &calls, &error), LOCBO_ERR_STATE, "thompson");
    check_ok(locbo_optimizer_set_score(a, NULL, NULL, &error));
    check_fails(locbo_optimizer_set_score(NULL, NULL, NULL, &error), LOCBO_ERR_ARGUMENT, "NULL");
    locbo_optimizer_destroy(a);
}

/* ---- events, summary, run -------------------------------------------------------------------- */

typedef struct heard {
    int fits, others;
    uint64_t told;
} heard;

static void listen(const locbo_event *event, void *user) {
    heard *h = user;
    if (event->kind == LOCBO_EVENT_FIT) {
        h->fits++;
        h->told = event->told;
        assert_true(isfinite(event->value));
    } else {
        h->others++;
    }
    assert_non_null(event->message);
    assert_null(strchr(event->message, '\n'));
}

static void fits_are_announced(void **state) {
    (void)state;
    locbo_options options = scene_options(BO, 92);
    options.initial = 5;
    options.refit_every = 4;
    options.scale = LOCBO_OUTPUT_SCALE_NONE; /* a result better than all others is far on a Box-Cox scale: a fit */
    locbo_space *space = scene_cube(2);
    locbo_optimizer *o = scene_optimizer(space, &options);
    heard h = {0, 0, 0};
    rng r = rng_open(5, 5, RNG_DESIGN);
    locbo_optimizer_on_event(o, listen, &h);
    scene_rounds(o, 14, 0.1, &r); /* asks of the model see 5 .. 13 results: fits at 5, 9, 13 */
    assert_int_equal(h.fits, 3);
    assert_int_equal(h.told, 13);
    assert_int_equal(h.others, 0);
    assert_int_equal(scene_summary(o).fits, 3);
    locbo_optimizer_on_event(o, NULL, NULL);
    scene_rounds(o, 6, 0.1, &r);
    assert_int_equal(h.fits, 3);
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

static void summary_before_and_after(void **state) {
    (void)state;
    for (size_t k = 0; k < SCENE_METHOD_COUNT; k++) {
        rng r = rng_open(6, 6, RNG_DESIGN);
        locbo_options options = scene_options(&SCENE_METHODS[k], 93);
        locbo_space *space = scene_cube(2);
        locbo_optimizer *o = scene_optimizer(space, &options);
        double lengths[2];
        locbo_summary s = scene_summary(o);
        assert_true(isnan(s.noise_var) && isnan(s.length_min) && isnan(s.coverage));
        assert_true(s.asked == 0 && s.fits == 0);
        check_same(s.target, 1 - options.alpha);
        assert_true(strlen(s.guarantee) > 10);
        check_ok(locbo_optimizer_length_scales(o, lengths, &error));
        assert_true(isnan(lengths[0]) && isnan(lengths[1]));
        scene_rounds(o, 12, 0.1, &r);
        s = scene_summary(o);
        int random = &SCENE_METHODS[k] == RANDOM;
        assert_int_equal(s.judged, random ? 0 : 7);
        assert_int_equal(s.fits, random ? 0 : 7);
        assert_int_equal(isnan(s.noise_var), random);
        check_ok(locbo_optimizer_length_scales(o, lengths, &error));
        if (!random) {
            assert_true(s.noise_var > 0 && s.signal_var > 0 && s.length_min > 0);
            check_same(fmin(lengths[0], lengths[1]), s.length_min);
            check_same(fmax(lengths[0], lengths[1]), s.length_max);
            assert_true(s.coverage >= 0 && s.coverage <= 1);
        }
        assert_int_equal(isnan(s.threshold_mean), strcmp(SCENE_METHODS[k].method, "locbo") != 0);
        assert_null(strchr(s.guarantee, '\n'));
        locbo_optimizer_destroy(o);
        locbo_space_destroy(space);
    }
}

/* gain = 0: online CP's bound holds on every sequence and is reported once it says something. */
static void guarantee_of_online_cp(void **state) {
    (void)state;
    locbo_options options = scene_options(LOCBO, 94);
    options.gain = 0;
    options.eta0 = 0.5;
    options.step_power = 0;
    locbo_space *space = scene_cube(1);
    locbo_optimizer *o = scene_optimizer(space, &options);
    rng r = rng_open(7, 7, RNG_DESIGN);
    scene_rounds(o, 35, 0.1, &r);
    locbo_summary s = scene_summary(o);
    /* alpha + (1 + eta)/(eta T) = 0.2 + 3/30 */
    check_close(s.coverage_bound, 0.7, 1e-12, 0); /* rounding */
    assert_true(s.coverage >= s.coverage_bound);
    check_same(s.coverage_online, s.coverage); /* one at a time */
    assert_non_null(strstr(s.guarantee, "0.3"));
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

static locbo_outcome sometimes(const double *x, size_t dim, const locbo_trial *trial, locbo_measurement *m,
                               void *user) {
    int *calls = user;
    assert_int_equal(dim, 2);
    ++*calls;
    if (trial->id == 4) return LOCBO_FAILED;
    if (trial->id == 6) return LOCBO_INFEASIBLE;
    if (trial->id == 9) return LOCBO_STOP;
    m->value = x[0] + x[1];
    return LOCBO_EVALUATED;
}

static void run_is_ask_and_tell(void **state) {
    (void)state;
    locbo_options options = scene_options(BO, 95);
    locbo_space *space = scene_cube(2);
    locbo_optimizer *o = scene_optimizer(space, &options);
    int calls = 0;
    check_ok(locbo_optimizer_run(o, 0, sometimes, &calls, &error));
    assert_int_equal(calls, 0);
    check_ok(locbo_optimizer_run(o, 7, sometimes, &calls, &error));
    assert_int_equal(calls, 7);
    check_fails(locbo_optimizer_run(o, 7, sometimes, &calls, &error), LOCBO_ERR_STOPPED, "trial 9");
    locbo_summary s = scene_summary(o);
    assert_true(s.told == 6 && s.failed == 1 && s.infeasible == 1 && s.pending == 0);
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

/* ---- best and recommended -------------------------------------------------------------------- */

static void best_and_recommended(void **state) {
    (void)state;
    for (int by = 0; by < 3; by++) {
        locbo_options options = scene_options(LOCBO, 96);
        options.recommendation = (locbo_recommendation)by;
        locbo_optimizer *o = informed(&options, 25, 11);
        double lucky[] = {0.95, 0.05}, x[2];
        locbo_choice choice;
        for (int i = 0; i < 10; i++) scene_add(o, lucky, 2.2); /* the truth */
        scene_add(o, lucky, -0.2);
        check_ok(locbo_optimizer_best(o, &choice, x, &error));
        assert_true(x[0] != lucky[0] && choice.results == 1); /* eleven results with a mean of 2 are not the best */
        check_same(choice.level, 1 - options.alpha);
        for (int i = 0; i < 11; i++) scene_add(o, lucky, -9); /* (10 2.2 - 0.2 - 11 9) / 22 */
        check_ok(locbo_optimizer_best(o, &choice, x, &error));
        check_same(x[0], lucky[0]);
        check_close(choice.value, -3.509090909090909, 1e-14, 0); /* a sum of 22 numbers */
        assert_true(choice.trial == 0 && choice.results == 22);
        locbo_optimizer_destroy(o);
        o = informed(&options, 25, 11);
        for (int i = 0; i < 10; i++) scene_add(o, lucky, 2.2);
        scene_add(o, lucky, -0.2);
        check_ok(locbo_optimizer_recommend(o, &choice, x, &error));
        assert_true(choice.low <= choice.high);
        if (by == LOCBO_RECOMMEND_OBSERVED)
            check_same(x[0], lucky[0]);
        else
            check_that(distance(2, x, (double[]){0.3, 0.4}) < 0.3, "recommended (%g, %g)", x[0], x[1]);
        locbo_belief b;
        check_ok(locbo_optimizer_predict(o, 1, x, &b, &error));
        check_same(choice.value, b.mean);
        check_same(choice.low, b.f_low);
        locbo_optimizer_destroy(o);
    }
}

static void beliefs_without_a_model(void **state) {
    (void)state;
    locbo_options options = scene_options(LOCBO, 97);
    options.averaging = LOCBO_AVERAGING_OFF; /* an average needs five results */
    locbo_space *space = scene_cube(2);
    locbo_optimizer *o = scene_optimizer(space, &options);
    double x[] = {0.5, 0.5};
    locbo_belief b;
    locbo_choice choice;
    check_fails(locbo_optimizer_best(o, &choice, x, &error), LOCBO_ERR_STATE, "no result");
    check_fails(locbo_optimizer_recommend(o, &choice, x, &error), LOCBO_ERR_STATE, "no result");
    for (int i = 0; i < 2; i++) {
        check_ok(locbo_optimizer_predict(o, 1, x, &b, &error));
        assert_true(isnan(b.mean) && isnan(b.sd_f) && isnan(b.y_low) && isnan(b.acquisition));
        scene_add(o, (double[]){0.2 + 0.3 * i, 0.1}, i);
    }
    check_ok(locbo_optimizer_predict(o, 1, x, &b, &error));
    assert_true(isfinite(b.mean) && b.sd_f > 0 && b.sd_y >= b.sd_f && b.f_low < b.f_high);
    check_ok(locbo_optimizer_predict(o, 0, NULL, NULL, &error));
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

/* ---- numerical trouble ----------------------------------------------------------------------- */

static double all_equal(int i, const double *x) { return (void)i, (void)x, 3.7; }
static double all_zero(int i, const double *x) { return (void)i, (void)x, 0; }
static double huge(int i, const double *x) { return 1e300 * (x[0] - 0.5) + 1e299 * (i % 3); }
static double largest(int i, const double *x) { return x[0] > 0.5 ? DBL_MAX : i % 2 ? -DBL_MAX : 1; }
static double tiny(int i, const double *x) { return 1e-300 * x[0] + 1e-302 * (i % 3); }
static double denormal(int i, const double *x) { return 5e-324 * (int)(10 * x[0]) * (i % 3 + 1); }
static double almost_equal(int i, const double *x) { return (void)x, 1 + DBL_EPSILON * (i % 5); }
static double outliers(int i, const double *x) { return i % 7 == 3 ? 1e12 * (i - 8) : x[0]; }
static double penalty(int i, const double *x) { return i % 4 == 1 ? DBL_MAX : x[0] + x[1]; }

/* Whatever the values are, ask answers, tell accepts and questions are answered. */
static void odd_values_never_stop_it(void **state) {
    (void)state;
    double (*const values[])(int, const double *) = {all_equal, all_zero, huge,         largest, tiny,
                                                     denormal,  outliers, almost_equal, penalty};
    for (size_t f = 0; f < sizeof values / sizeof values[0]; f++)
        for (size_t k = 0; k < SCENE_METHOD_COUNT; k++) {
            locbo_options options = scene_options(&SCENE_METHODS[k], 98);
            if (f % 2) options.direction = LOCBO_MAXIMIZE;
            locbo_space *space = scene_cube(2);
            locbo_optimizer *o = scene_optimizer(space, &options);
            for (int i = 0; i < 16; i++) {
                double x[2];
                locbo_choice choice;
                locbo_belief b;
                locbo_trial t;
                scene_ask(o, &t, x);
                if (t.origin == LOCBO_ORIGIN_MODEL) assert_true(isfinite(t.belief.mean) && isfinite(t.belief.sd_y));
                scene_tell(o, t.id, values[f](i, x));
                check_ok(locbo_optimizer_predict(o, 1, x, &b, &error));
                check_ok(locbo_optimizer_recommend(o, &choice, x, &error));
            }
            locbo_optimizer_destroy(o);
            locbo_space_destroy(space);
        }
}

/* Fifty results at one point, differing or not. */
static void duplicate_points(void **state) {
    (void)state;
    for (size_t k = 0; k < SCENE_METHOD_COUNT; k++)
        for (int noisy = 0; noisy < 2; noisy++) {
            locbo_options options = scene_options(&SCENE_METHODS[k], 99);
            locbo_optimizer *o = informed(&options, 3, 12);
            double at[] = {0.4, 0.6}, x[2];
            for (int i = 0; i < 50; i++) scene_add(o, at, 0.5 + 0.1 * noisy * sin(i));
            for (int i = 0; i < 5; i++) {
                uint64_t id = scene_ask(o, NULL, x);
                for (int j = 0; j < 5; j++) scene_tell(o, id, x[0]);
            }
            locbo_optimizer_destroy(o);
        }
}

/* Fixed hyper-parameters far outside of any reason. */
static void odd_settings(void **state) {
    (void)state;
    const double odd[] = {1e-6, 1e-3, 1e3, 1e6};
    for (int i = 0; i < 8; i++) {
        locbo_options options = scene_options(i % 2 ? LOCBO : BO, 100);
        (i < 4 ? &options.length_scale : &options.noise_var)[0] = odd[i % 4];
        locbo_optimizer *o = informed(&options, 8, 13);
        for (int k = 0; k < 4; k++) {
            double x[2];
            uint64_t id = scene_ask(o, NULL, x);
            scene_tell(o, id, x[0]);
        }
        locbo_optimizer_destroy(o);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(first_asks_are_the_design),
        cmocka_unit_test(initial_zero_means_automatic),
        cmocka_unit_test(added_results_shorten_the_design),
        cmocka_unit_test(outstanding_trials_differ),
        cmocka_unit_test(outstanding_trials_spread_out),
        cmocka_unit_test(belief_ignores_outstanding_trials),
        cmocka_unit_test(told_out_of_order),
        cmocka_unit_test(replicates_are_rows),
        cmocka_unit_test(a_late_result_replaces_a_failure),
        cmocka_unit_test(a_trial_ends_once),
        cmocka_unit_test(coverage_is_decided_at_the_tell),
        cmocka_unit_test(sets_are_as_wide_as_the_measurement_needs),
        cmocka_unit_test(only_the_models_own_proposals_count),
        cmocka_unit_test(minimising_f_is_maximising_minus_f),
        cmocka_unit_test(known_sd_and_n_are_used),
        cmocka_unit_test(results_are_judged_by_their_own_spread),
        cmocka_unit_test(trials_by_number),
        cmocka_unit_test(questions_never_change_a_proposal),
        cmocka_unit_test(blocks_of_coordinates),
        cmocka_unit_test(fixed_values_of_every_kind),
        cmocka_unit_test(infeasible_regions_are_avoided),
        cmocka_unit_test(nothing_ever_works),
        cmocka_unit_test(finite_spaces_are_exhausted_first),
        cmocka_unit_test(every_method_beats_random_search),
        cmocka_unit_test(every_acquisition_runs),
        cmocka_unit_test(an_own_log_ei_proposes_the_same),
        cmocka_unit_test(an_own_score_is_followed),
        cmocka_unit_test(odd_scores_never_stop_it),
        cmocka_unit_test(where_an_own_score_does_not_count),
        cmocka_unit_test(fits_are_announced),
        cmocka_unit_test(summary_before_and_after),
        cmocka_unit_test(guarantee_of_online_cp),
        cmocka_unit_test(run_is_ask_and_tell),
        cmocka_unit_test(best_and_recommended),
        cmocka_unit_test(beliefs_without_a_model),
        cmocka_unit_test(odd_values_never_stop_it),
        cmocka_unit_test(duplicate_points),
        cmocka_unit_test(odd_settings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
