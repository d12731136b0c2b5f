/* test_scale.c - the option scale as its user meets it: when a Box-Cox scale is chosen, what is then believed and how
 * it is judged, and that everything comes back from stored facts with the same bits. */
#include "announced.h"
#include "belief.h"
#include "origin.h"
#include "members.h"
#include "optimizer.h"
#include "scene.h"

enum { DIM = 2, ROUNDS = 20, MARGIN = 1 };

static const scene_method *const LOCBO = &SCENE_METHODS[0];

/* Smooth after the logarithm, with noise that is a factor; far results are common. */
static double skewed(const double *x, uint64_t trial) {
    rng r = rng_open(77, trial, RNG_DESIGN);
    double z = rng_normal(&r);
    return exp(6 * (pow(x[0] - 0.3, 2) + pow(x[1] - 0.6, 2)) + 0.3 * z);
}

static double even(const double *x, uint64_t trial) {
    rng r = rng_open(78, trial, RNG_DESIGN);
    return sin(5 * x[0]) + x[1] + 0.05 * rng_normal(&r);
}

typedef double objective(const double *x, uint64_t trial);

static locbo_options options_of(const char *scale, const char *noise_law) {
    locbo_options options = scene_options(LOCBO, 3);
    scene_set(&options, "scale", scale);
    scene_set(&options, "noise_law", noise_law);
    return options;
}

static locbo_optimizer *make(const locbo_options *options) {
    locbo_space *space = scene_cube(DIM);
    locbo_optimizer *o = scene_optimizer(space, options);
    locbo_space_destroy(space);
    return o;
}

/* Rounds in the direction of the optimizer; known sds and means of several measurements among the results. */
static void play(locbo_optimizer *o, int rounds, objective *f) {
    for (int i = 0; i < rounds; i++) {
        double x[DIM], sign = -o->quantity->data.scale.sign;
        uint64_t id = scene_ask(o, NULL, x);
        locbo_measurement m = {sign * f(x, id), id % 5 == 3 ? 0.1 : NAN, 1 + (unsigned)(id % 3)};
        check_ok(locbo_optimizer_tell(o, id, &m, &error));
    }
}

static locbo_optimizer *played(const char *scale, const char *noise_law, int rounds, objective *f) {
    locbo_options options = options_of(scale, noise_law);
    locbo_optimizer *o = make(&options);
    play(o, rounds, f);
    return o;
}

static locbo_fit fit_of(const locbo_optimizer *o) {
    locbo_fit fit;
    check_ok(locbo_optimizer_fit(o, &fit, &error));
    return fit;
}

static locbo_trial trial_of(const locbo_optimizer *o, uint64_t id) {
    locbo_trial t;
    check_ok(locbo_optimizer_trial(o, id, &t, NULL, NULL, &error));
    return t;
}

/* ---- the choice ------------------------------------------------------------------------------ */

/* The members are in the order of their simplicity, and each that was taken leads by the margin. */
static void check_choice(const locbo_fit *fit) {
    size_t best = 0;
    for (size_t i = 1; i < fit->member_count; i++)
        if (fit->members[i].score > fit->members[best].score + MARGIN) best = i;
    assert_int_equal(fit->chosen, best);
    for (size_t i = 0; i < fit->member_count; i++) {
        const locbo_member *m = &fit->members[i];
        int student = m->law == LOCBO_NOISE_LAW_STUDENT;
        assert_int_equal(m->count, DIM + 2 + student);
        if (student) check_close(exp(m->theta[DIM + 2]), 4, 1e-15, 0); /* rounding */
        check_that(isnan(m->power) || i > 0, "the first is not on the user's scale");
    }
}

/* The scale and the theta of the chosen member are those of the fit. */
static void check_taken(const locbo_fit *fit) {
    const locbo_member *m = &fit->members[fit->chosen];
    check_same(m->shift, fit->shift);
    check_same(m->spread, fit->spread);
    assert_int_equal(isnan(m->power), isnan(fit->power));
    if (!isnan(m->power)) check_same(m->power, fit->power);
    assert_int_equal(m->count, fit->count);
    for (size_t i = 0; i < fit->count; i++) check_same(m->theta[i], fit->theta[i]);
}

static void skewed_results_are_bent(void **state) {
    (void)state;
    locbo_optimizer *o = played("auto", "auto", ROUNDS, skewed);
    locbo_fit fit = fit_of(o);
    assert_int_equal(fit.member_count, 8);
    check_that(fit.chosen >= 4 && fit.power > -0.5 && fit.power < 0.5, "chosen %zu, power %g", fit.chosen, fit.power);
    check_choice(&fit);
    check_taken(&fit);
    for (size_t i = 0; i < 8; i++) {
        assert_int_equal(fit.members[i].law, LOCBO_NOISE_LAW_LITTLE + i % 4);
        assert_int_equal(isnan(fit.members[i].power), i < 4);
    }
    check_same(fit.members[1].spread, fit.members[0].spread);
    assert_true(fit.members[2].spread <= fit.members[0].spread);
    locbo_optimizer_destroy(o);
}

static void even_results_stay(void **state) {
    (void)state;
    locbo_optimizer *o = played("auto", "auto", ROUNDS, even);
    locbo_fit fit = fit_of(o);
    check_that(fit.chosen < 4 && isnan(fit.power), "chosen %zu, power %g", fit.chosen, fit.power);
    check_choice(&fit);
    check_taken(&fit);
    locbo_optimizer_destroy(o);
}

/* Without other scales: four laws on the plain one. */
static void none_is_none(void **state) {
    (void)state;
    locbo_optimizer *o = played("none", "auto", ROUNDS, skewed);
    locbo_fit fit = fit_of(o);
    assert_int_equal(fit.member_count, 4);
    check_choice(&fit);
    check_taken(&fit);
    for (size_t i = 0; i < 4; i++) {
        assert_true(isnan(fit.members[i].power) && isnan(fit.members[i].low));
        check_same(fit.members[i].spread, fit.members[0].spread);
    }
    for (uint64_t id = 1; id <= ROUNDS; id++) assert_true(isnan(trial_of(o, id).belief.unit_y));
    locbo_optimizer_destroy(o);
}

/* A law that is asked for is the only one, on one scale or the other. */
static void a_law_that_is_asked_for(void **state) {
    (void)state;
    static const char *const names[] = {"little", "gaussian", "student", "much"};
    for (int k = 0; k < 4; k++) {
        locbo_optimizer *o = played("auto", names[k], ROUNDS, skewed);
        locbo_fit fit = fit_of(o);
        assert_int_equal(fit.member_count, 2);
        for (size_t i = 0; i < 2; i++) assert_int_equal(fit.members[i].law, LOCBO_NOISE_LAW_LITTLE + k);
        check_choice(&fit);
        check_taken(&fit);
        locbo_optimizer_destroy(o);
        o = played("none", names[k], 8, skewed);
        assert_int_equal(fit_of(o).member_count, 0);
        locbo_optimizer_destroy(o);
    }
}

static void where_it_has_no_say(void **state) {
    (void)state;
    static const char *const settings[][2] = {{"surrogate", "paper"}, {"surrogate", "gamma"}, {"noise_var", "0.01"}};
    for (size_t k = 0; k < sizeof settings / sizeof settings[0]; k++) {
        locbo_options options = options_of("auto", "auto"), plain = options_of("none", "auto");
        scene_set(&options, settings[k][0], settings[k][1]);
        scene_set(&plain, settings[k][0], settings[k][1]);
        locbo_optimizer *a = make(&options), *b = make(&plain);
        double x[DIM], y[DIM];
        for (int i = 0; i < 9; i++) {
            uint64_t id = scene_ask(a, NULL, x);
            scene_ask(b, NULL, y);
            assert_memory_equal(x, y, sizeof x);
            scene_tell(a, id, skewed(x, id));
            scene_tell(b, id, skewed(x, id));
        }
        assert_true(isnan(fit_of(a).power) && fit_of(a).member_count == 0);
        locbo_optimizer_destroy(a);
        locbo_optimizer_destroy(b);
    }
    locbo_options preset;
    locbo_options_init(&preset);
    assert_int_equal(preset.scale, LOCBO_OUTPUT_SCALE_AUTO);
    scene_set(&preset, "preset", "paper-ackley");
    assert_int_equal(preset.scale, LOCBO_OUTPUT_SCALE_NONE);
}

/* Results in another unit, a power of two: the same points, powers and scores up to the rounding of logarithms. */
static void the_unit_does_not_matter(void **state) {
    (void)state;
    locbo_options options = options_of("auto", "auto");
    locbo_optimizer *a = make(&options), *b = make(&options);
    double x[DIM], y[DIM];
    for (int i = 0; i < ROUNDS; i++) {
        locbo_trial t, u;
        uint64_t id = scene_ask(a, &t, x);
        scene_ask(b, &u, y);
        for (int j = 0; j < DIM; j++) check_same(x[j], y[j]);
        if (t.origin == LOCBO_ORIGIN_MODEL) check_same(u.belief.mean, 0x1p40 * t.belief.mean);
        scene_tell(a, id, skewed(x, id));
        scene_tell(b, id, 0x1p40 * skewed(x, id));
    }
    locbo_fit f = fit_of(a), g = fit_of(b);
    assert_true(f.power == g.power && g.low == 0x1p40 * f.low && f.chosen == g.chosen);
    for (size_t k = 0; k < 8; k++) check_close(f.members[k].score, g.members[k].score, 0, 1e-10);
    locbo_optimizer_destroy(a);
    locbo_optimizer_destroy(b);
}

/* The score of a member: its leave-one-out score and the log of the slopes relative to the plain scale. Shown for
 * the chosen one, whose model the optimizer has. */
static void scores_have_the_jacobian(void **state) {
    (void)state;
    locbo_optimizer *o = played("auto", "auto", ROUNDS, skewed);
    double x[DIM], score, base[ROUNDS], sum = 0;
    scene_ask(o, NULL, x); /* fits the last result */
    locbo_fit fit = fit_of(o);
    const locbo_member *m = &fit.members[fit.chosen];
    assert_false(isnan(m->power));
    robust_work work = {0};
    for (int i = 0; i < ROUNDS; i++) base[i] = 1.0 / o->quantity->data.measured[i].n;
    check_ok(robust_leave_one_out(o->quantity->surrogate.model, m->law == LOCBO_NOISE_LAW_STUDENT ? 4 : 0, base, &score,
                                  &work, &error));
    scaling plain = {.sign = -1, .shift = fit.members[0].shift, .spread = fit.members[0].spread};
    for (int i = 0; i < ROUNDS; i++) {
        double y = o->quantity->data.measured[i].value,
               h = 1e-6 * y; /* of a central difference, in units of y's size */
        double bent = scaling_in(&o->quantity->data.scale, y - h) - scaling_in(&o->quantity->data.scale, y + h);
        sum += log(bent / (scaling_in(&plain, y - h) - scaling_in(&plain, y + h)));
    }
    check_close(m->score, score + sum, 0, 1e-4); /* 20 slopes by differences */
    robust_work_release(&work);
    locbo_optimizer_destroy(o);
}

/* With more than 100 results most fits keep law and scale, and the members of the last choice. */
static void many_results_are_chosen_for_rarely(void **state) {
    (void)state;
    locbo_options options = options_of("auto", "little");
    options.fit_restarts = 0;
    options.exact_rows = 0; /* with a limit every fourth result, not every second */
    locbo_optimizer *o = make(&options);
    rng r = rng_open(5, 5, RNG_DESIGN);
    double x[DIM];
    for (uint64_t i = 0; i < 104; i++) {
        x[0] = rng_uniform(&r), x[1] = rng_uniform(&r);
        scene_add(o, x, skewed(x, 1000 + i));
    }
    scene_tell(o, scene_ask(o, NULL, x), 5); /* fits 104 */
    locbo_fit first = fit_of(o);
    double score = first.members[0].score, spread = first.spread, low = first.low;
    assert_true(first.rows == 104 && first.member_count == 2 && !isnan(first.power));
    scene_tell(o, scene_ask(o, NULL, x), 0.1); /* 105: of the same pair as 104; then the best so far */
    locbo_fit same = fit_of(o);
    assert_int_equal(same.rows, 105);
    check_same(same.members[0].score, score);
    assert_true(!isnan(same.power) && same.spread != spread && same.low == low);
    scene_ask(o, NULL, x); /* 106: a choice */
    locbo_fit next = fit_of(o);
    assert_int_equal(next.rows, 106);
    assert_true(next.members[0].score != score && next.low == 0.1);
    check_taken(&next);
    locbo_optimizer_destroy(o);
}

/* ---- what is believed ------------------------------------------------------------------------ */

/* Mean, deviations and intervals are inverse images. */
static void beliefs_are_inverse_images(void **state) {
    (void)state;
    locbo_optimizer *o = played("auto", "auto", ROUNDS, skewed);
    int bent = 0;
    for (uint64_t id = 1; id <= ROUNDS; id++) {
        locbo_belief b = trial_of(o, id).belief;
        if (!belief_is_bent(&b)) continue;
        bent++;
        const warp B = {b.power, b.offset, b.low, b.high};
        check_close(warp_at(&B, b.mean), b.centre, 1e-10, 1e-10);
        double up = warp_inverse(&B, b.centre + b.unit_y), down = warp_inverse(&B, b.centre - b.unit_y);
        check_close(b.sd_y, (up - down) / 2, 1e-10, 0);
        up = warp_inverse(&B, b.centre + b.unit_f), down = warp_inverse(&B, b.centre - b.unit_f);
        check_close(b.sd_f, (up - down) / 2, 1e-10, 0);
        assert_true(b.y_low < b.mean && b.mean < b.y_high && b.f_low < b.mean && b.mean < b.f_high);
        /* the set of locbo is centred on the model's scale */
        double low = warp_at(&B, b.y_low), high = warp_at(&B, b.y_high);
        if (isfinite(b.y_low)) check_close(high - b.centre, b.centre - low, 1e-9, 1e-9);
    }
    check_that(bent > 5, "only %d of %d beliefs are on a Box-Cox scale", bent, ROUNDS);
    locbo_optimizer_destroy(o);
}

/* Minimising y and maximising -y: the same points, and beliefs of the other sign. */
static void directions_are_symmetric(void **state) {
    (void)state;
    locbo_options down = options_of("auto", "auto"), up = down;
    up.direction = LOCBO_MAXIMIZE;
    locbo_optimizer *a = make(&down), *b = make(&up);
    play(a, ROUNDS, skewed);
    play(b, ROUNDS, skewed);
    assert_false(isnan(fit_of(a).power));
    for (uint64_t id = 1; id <= ROUNDS; id++) {
        double x[DIM], y[DIM];
        locbo_trial t, u;
        check_ok(locbo_optimizer_trial(a, id, &t, NULL, x, &error));
        check_ok(locbo_optimizer_trial(b, id, &u, NULL, y, &error));
        assert_memory_equal(x, y, sizeof x);
        if (t.origin != LOCBO_ORIGIN_MODEL) continue;
        check_same(t.belief.mean, -u.belief.mean);
        check_same(t.belief.y_low, -u.belief.y_high);
        check_same(t.belief.f_low, -u.belief.f_high);
        check_same(t.belief.sd_y, u.belief.sd_y);
        if (!belief_is_bent(&t.belief)) continue;
        check_same(t.belief.centre, u.belief.centre);
        check_same(t.belief.offset, -u.belief.offset);
        locbo_measurement m = {skewed(x, id), 0.1, 3}, n = {-m.value, 0.1, 3};
        check_same(announced_score(&t.belief, &m), -announced_score(&u.belief, &n));
        assert_int_equal(announced_holds(&t.belief, &m), announced_holds(&u.belief, &n));
    }
    check_same(scene_summary(a).coverage, scene_summary(b).coverage);
    locbo_optimizer_destroy(a);
    locbo_optimizer_destroy(b);
}

/* ---- how it is judged ------------------------------------------------------------------------ */

/* The formula of locbo.h, written out. */
static double plain_score(const locbo_belief *b, const locbo_measurement *m) {
    double c = (m->value - b->offset) / (b->low - b->offset);
    double B = b->power == 0 ? log(c) : (pow(c, b->power) - 1) / b->power;
    double slope = pow(c, b->power - 1) / (b->low - b->offset), known = isnan(m->sd) ? 0 : m->sd * slope;
    return (B - b->centre) / sqrt(pow(b->unit_f, 2) + (pow(b->unit_y, 2) - pow(b->unit_f, 2)) / m->n + known * known);
}

static void results_are_judged_on_the_scale(void **state) {
    (void)state;
    const double powers[] = {-1, -0.35, 0, 0.5, 1};
    for (int i = 0; i < 5; i++) {
        locbo_belief b = {.mean = 99,
                          .sd_f = 99,
                          .sd_y = 99,
                          .y_low = 1.5,
                          .y_high = 6,
                          .power = powers[i],
                          .offset = 0.5,
                          .low = 1,
                          .high = 30,
                          .centre = 1,
                          .unit_f = 0.3,
                          .unit_y = 0.5};
        const warp B = {b.power, b.offset, b.low, b.high};
        double mid = warp_inverse(&B, b.centre);
        for (double y = 1; y <= 30; y += 0.25)
            for (unsigned n = 1; n <= 9; n += 4) {
                locbo_measurement m = {y, n == 5 ? 0.7 : NAN, n};
                check_close(announced_score(&b, &m), plain_score(&b, &m), 1e-12, 1e-13); /* a few roundings */
            }
        /* one measurement of fitted noise: the set as it is shown */
        for (double y = 1.01; y <= 30; y += 0.25) {
            locbo_measurement m = {y, NAN, 1};
            if (mid > 1.5 && mid < 6) assert_int_equal(announced_holds(&b, &m), y >= 1.5 && y <= 6);
        }
        b.y_low = -INFINITY, b.y_high = INFINITY;
        assert_int_equal(announced_holds(&b, &(locbo_measurement){-1e300, NAN, 1}), 1);
        b.y_low = 3, b.y_high = 2; /* empty */
        assert_int_equal(announced_holds(&b, &(locbo_measurement){2.5, NAN, 1}), 0);
    }
}

/* The summary counts what announced.c says of the stored beliefs. */
static void coverage_is_counted_by_the_same_rule(void **state) {
    (void)state;
    locbo_optimizer *o = played("auto", "auto", ROUNDS, skewed);
    double judged = 0, covered = 0;
    for (uint64_t id = 1; id <= ROUNDS; id++) {
        locbo_trial t = trial_of(o, id);
        if (!origin_is_judged(&t)) continue;
        judged++;
        covered += announced_holds(&t.belief, &o->quantity->data.measured[id - 1]);
    }
    check_same(scene_summary(o).coverage, covered / judged);
    locbo_optimizer_destroy(o);
}

/* ---- facts ----------------------------------------------------------------------------------- */

static void check_same_fit(const locbo_optimizer *a, const locbo_optimizer *b) {
    locbo_fit f = fit_of(a), g = fit_of(b);
    assert_int_equal(f.rows, g.rows);
    assert_int_equal(f.member_count, g.member_count);
    assert_int_equal(f.chosen, g.chosen);
    for (size_t i = 0; i < f.member_count; i++) {
        const locbo_member *m = &f.members[i], *n = &g.members[i];
        assert_true(m->law == n->law && m->count == n->count);
        assert_memory_equal(&m->shift, &n->shift, 7 * sizeof(double)); /* shift to score */
        assert_memory_equal(m->theta, n->theta, m->count * sizeof(double));
    }
}

/* The same proposals, beliefs, members and counts from here on. */
static void check_go_on(locbo_optimizer *a, locbo_optimizer *b, int rounds) {
    check_same_fit(a, b);
    for (int i = 0; i < rounds; i++) {
        locbo_trial t, u;
        double x[DIM], y[DIM];
        uint64_t id = scene_ask(a, &t, x);
        assert_int_equal(scene_ask(b, &u, y), id);
        assert_memory_equal(x, y, sizeof x);
        assert_memory_equal(&t.belief, &u.belief, sizeof t.belief);
        check_same_fit(a, b);
        scene_tell(a, id, skewed(x, id));
        scene_tell(b, id, skewed(x, id));
    }
    locbo_summary s = scene_summary(a), z = scene_summary(b);
    assert_int_equal(s.judged, z.judged);
    check_same(s.coverage, z.coverage);
    check_same(s.coverage_online, z.coverage_online);
    check_same(s.threshold_mean, z.threshold_mean);
}

static locbo_optimizer *reloaded(const locbo_optimizer *o) {
    char *text = NULL;
    locbo_optimizer *b = NULL;
    size_t length;
    check_ok(locbo_optimizer_save(o, &text, &length, &error));
    check_ok(locbo_optimizer_load(&b, text, length, &error));
    locbo_free(text);
    return b;
}

static void a_snapshot_goes_on(void **state) {
    (void)state;
    for (int rounds = 5; rounds <= 17; rounds += 4) {
        locbo_optimizer *a = played("auto", "auto", rounds, skewed), *b = reloaded(a);
        check_go_on(a, b, 5);
        locbo_optimizer_destroy(a);
        locbo_optimizer_destroy(b);
    }
}

static void facts_one_by_one_go_on(void **state) {
    (void)state;
    locbo_options options = options_of("auto", "auto");
    locbo_optimizer *a = played("auto", "auto", ROUNDS, skewed), *b = make(&options);
    for (uint64_t id = 1; id <= ROUNDS; id++) {
        double x[DIM];
        locbo_trial t;
        check_ok(locbo_optimizer_trial(a, id, &t, NULL, x, &error));
        check_ok(locbo_optimizer_restore_trial(b, &t, x, &error));
    }
    for (size_t i = 0; i < ROUNDS; i++)
        check_ok(locbo_optimizer_tell(b, a->quantity->data.trial[i], &a->quantity->data.measured[i], &error));
    locbo_fit fit = fit_of(a);
    check_ok(locbo_optimizer_restore_fit(b, &fit, &error));
    check_go_on(a, b, 4);
    fit = fit_of(a); /* its own, put back where it is */
    check_ok(locbo_optimizer_restore_fit(a, &fit, &error));
    check_go_on(a, b, 3);
    locbo_optimizer_destroy(a);
    locbo_optimizer_destroy(b);
}

/* A state from before the option, and one without its facts. */
static void older_states_have_none(void **state) {
    (void)state;
    locbo_optimizer *a = played("none", "auto", 12, skewed), *b = NULL;
    char *text = NULL, *at;
    check_ok(locbo_optimizer_save(a, &text, NULL, &error));
    at = strstr(text, "\"scale\":\"none\",");
    assert_non_null(at);
    memmove(at, at + strlen("\"scale\":\"none\","), strlen(at + strlen("\"scale\":\"none\",")) + 1);
    at = strstr(text, ",\"choice\":[");
    assert_non_null(at);
    char *end = strchr(at, ']');
    memmove(at, end + 1, strlen(end + 1) + 1);
    check_ok(locbo_optimizer_load(&b, text, strlen(text), &error));
    locbo_options options = {.struct_size = sizeof options};
    check_ok(locbo_optimizer_options(b, &options, &error));
    assert_int_equal(options.scale, LOCBO_OUTPUT_SCALE_NONE);
    assert_int_equal(fit_of(b).member_count, 0);
    for (int i = 0; i < 4; i++) {
        double x[DIM], y[DIM];
        uint64_t id = scene_ask(a, NULL, x);
        scene_ask(b, NULL, y);
        assert_memory_equal(x, y, sizeof x);
        scene_tell(a, id, skewed(x, id));
        scene_tell(b, id, skewed(x, id));
    }
    locbo_free(text);
    locbo_optimizer_destroy(a);
    locbo_optimizer_destroy(b);
}

static void impossible_facts_are_refused(void **state) {
    (void)state;
    locbo_optimizer *a = played("auto", "auto", ROUNDS, skewed), *fixed = played("auto", "little", 8, skewed);
    locbo_fit fit = fit_of(a), bad = fit;
    locbo_member item[8];
    double theta[5] = {0, 0, 0, 101, 0};
#define REFUSED(words, change)                                                                                         \
    do {                                                                                                               \
        bad = fit;                                                                                                     \
        memcpy(item, fit.members, sizeof item);                                                                        \
        bad.members = item;                                                                                            \
        change;                                                                                                        \
        check_fails(locbo_optimizer_restore_fit(a, &bad, &error), LOCBO_ERR_ARGUMENT, words);                          \
    } while (0)
    REFUSED("power 1.5", bad.power = 1.5);
    REFUSED("no scale", bad.offset = bad.high);
    REFUSED("number 8 of 8", bad.chosen = 8);
    REFUSED("at most 8 candidates", bad.member_count = 9);
    REFUSED("at most 8 candidates", bad.members = NULL);
    REFUSED("noise law 0", item[1].law = LOCBO_NOISE_LAW_AUTO);
    REFUSED("noise law 5", item[1].law = (locbo_noise_law)5);
    REFUSED("score nan", item[2].score = NAN);
    REFUSED("spread > 0", item[0].spread = 0);
    REFUSED("low inf", item[4].low = INFINITY);
    REFUSED("5 hyper-parameters", item[0].count = 5);
    REFUSED("4 hyper-parameters", item[2].count = 4);
    REFUSED("theta[3]", item[0].theta = theta);
    bad = fit, bad.rows = 5, bad.count = 4;
    check_fails(locbo_optimizer_restore_fit(fixed, &bad, &error), LOCBO_ERR_ARGUMENT, "noise law");
    locbo_trial t = trial_of(a, ROUNDS);
    double x[DIM] = {0.5, 0.5};
    t.id = ROUNDS + 1;
    assert_true(belief_is_bent(&t.belief));
    double *const fields[] = {&t.belief.power,  &t.belief.offset, &t.belief.low,   &t.belief.high,
                              &t.belief.centre, &t.belief.unit_f, &t.belief.unit_y};
    for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
        double good = *fields[i];
        *fields[i] = INFINITY;
        check_fails(locbo_optimizer_restore_trial(a, &t, x, &error), LOCBO_ERR_ARGUMENT, "scale of the belief");
        *fields[i] = good;
    }
    check_ok(locbo_optimizer_restore_trial(a, &t, x, &error));
    locbo_optimizer_destroy(a);
    locbo_optimizer_destroy(fixed);
}

static int after_some(void *user) { return --*(int *)user < 0; }

/* A call that is cancelled, before, in and after its fit, leaves the members as they were. */
static void a_cancelled_call_leaves_the_members(void **state) {
    (void)state;
    locbo_optimizer *a = played("auto", "auto", 12, skewed), *b = reloaded(a), *c = reloaded(a);
    enum { PLENTY = 1000000 };
    int left = PLENTY;
    double x[DIM];
    locbo_optimizer_watch(c, after_some, &left);
    scene_ask(c, NULL, x);
    const int asked = PLENTY - left, calls[] = {0, asked / 8, asked / 4, asked / 2, asked - 1};
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        locbo_trial t;
        left = calls[i];
        locbo_optimizer_watch(a, after_some, &left);
        check_fails(locbo_optimizer_ask(a, &t, x, &error), LOCBO_ERR_CANCELLED, "");
        check_same_fit(a, b);
    }
    locbo_optimizer_watch(a, NULL, NULL);
    check_go_on(a, b, 2);
    locbo_optimizer_destroy(a);
    locbo_optimizer_destroy(b);
    locbo_optimizer_destroy(c);
}

/* With more than 200 results most choices leave out what was far behind at the last one, and every fourth does not. */
static void hopeless_candidates_are_tried_rarely(void **state) {
    (void)state;
    locbo_options options = options_of("auto", "auto");
    options.fit_restarts = 0;
    options.candidates = 20;
    options.refine = 0;
    locbo_optimizer *o = make(&options);
    rng r = rng_open(6, 6, RNG_DESIGN);
    double x[DIM];
    size_t fewest = SIZE_MAX, most = 0;
    for (uint64_t i = 0; i < 230; i++) {
        x[0] = rng_uniform(&r), x[1] = rng_uniform(&r);
        scene_add(o, x, skewed(x, 2000 + i));
    }
    for (uint64_t i = 0; i < 50; i++) {
        uint64_t id = scene_ask(o, NULL, x);
        scene_tell(o, id, skewed(x, 3000 + i));
        locbo_fit fit = fit_of(o);
        assert_true(fit.chosen < fit.member_count);
        if (fit.member_count < fewest) fewest = fit.member_count;
        if (fit.member_count > most) most = fit.member_count;
    }
    print_message("%zu to %zu candidates\n", fewest, most);
    assert_true(fewest >= 1 && fewest < most);
    locbo_optimizer_destroy(o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(skewed_results_are_bent),
        cmocka_unit_test(even_results_stay),
        cmocka_unit_test(none_is_none),
        cmocka_unit_test(a_law_that_is_asked_for),
        cmocka_unit_test(where_it_has_no_say),
        cmocka_unit_test(the_unit_does_not_matter),
        cmocka_unit_test(scores_have_the_jacobian),
        cmocka_unit_test(many_results_are_chosen_for_rarely),
        cmocka_unit_test(hopeless_candidates_are_tried_rarely),
        cmocka_unit_test(beliefs_are_inverse_images),
        cmocka_unit_test(directions_are_symmetric),
        cmocka_unit_test(results_are_judged_on_the_scale),
        cmocka_unit_test(coverage_is_counted_by_the_same_rule),
        cmocka_unit_test(a_snapshot_goes_on),
        cmocka_unit_test(facts_one_by_one_go_on),
        cmocka_unit_test(older_states_have_none),
        cmocka_unit_test(impossible_facts_are_refused),
        cmocka_unit_test(a_cancelled_call_leaves_the_members),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
