/* test_meeting.c - where the exact model ends and landmarks begin, as users meet it: no jump of a prediction or of the
 * acquisition along a line, and no cliff at the result that is one too many for the exact model; and answers there are
 * the same whether or not somebody looked before. */
#include "optimizer.h"
#include "scene.h"

enum { D = 3, LIMIT = 120 };

/* A model of LIMIT landmarks beyond so many results; judged ones beyond that share their centres. */
static locbo_optimizer *begin(const locbo_space *space, uint64_t seed) {
    locbo_options options = scene_options(&SCENE_METHODS[0], seed);
    options.exact_rows = LIMIT;
    scene_set(&options, "noise_law", "gaussian"); /* the same law, whatever the fit */
    scene_set(&options, "scale", "none");
    return scene_optimizer(space, &options);
}

static void add_random(locbo_optimizer *o, size_t n, rng *r) {
    double x[D];
    for (size_t i = 0; i < n; i++) {
        for (size_t c = 0; c < D; c++) x[c] = rng_uniform(r);
        scene_add(o, x, scene_bowl(locbo_optimizer_space(o), x) + sin(9 * x[0]) + 0.1 * rng_normal(r));
    }
}

/* ---- along lines -------------------------------------------------------------------------------- */

enum { FINE = 4001 };
typedef struct steps {
    double mean, sd, threshold, acquisition;
} steps;

/* The largest differences between points of the line that are `stride` apart. */
static steps largest_steps(const locbo_belief *b, size_t stride) {
    steps s = {0, 0, 0, 0};
    for (size_t i = stride; i < FINE; i += stride) {
        const locbo_belief *p = &b[i - stride], *q = &b[i];
        s.mean = fmax(s.mean, fabs(p->mean - q->mean));
        s.sd = fmax(s.sd, fabs(p->sd_f - q->sd_f));
        s.threshold = fmax(s.threshold, fabs(p->threshold - q->threshold));
        s.acquisition = fmax(s.acquisition, fabs(p->acquisition - q->acquisition));
    }
    return s;
}

/* A step of a continuous function with a bounded slope is a quarter if the points are four times as near; a jump is a
 * jump. Bends make the ratio inexact: 0.4 lies far from both. */
static void check_shrinks(double fine, double coarse, const char *what) {
    if (fine > 0.4 * coarse && fine > 1e-9) fail_msg("%s jumps along a line: %g, from %g", what, fine, coarse);
}

static void check_line(locbo_optimizer *o, const double *from, const double *to) {
    double *x = calloc(FINE * D, sizeof *x);
    locbo_belief *b = calloc(FINE, sizeof *b);
    assert_non_null(x);
    assert_non_null(b);
    for (size_t i = 0; i < FINE; i++)
        for (size_t c = 0; c < D; c++) x[i * D + c] = from[c] + (to[c] - from[c]) * (double)i / (FINE - 1);
    check_ok(locbo_optimizer_predict(o, FINE, x, b, &error));
    steps coarse = largest_steps(b, 4), fine = largest_steps(b, 1);
    assert_true(coarse.mean > 0 && coarse.sd > 0 && coarse.acquisition > 0);
    check_shrinks(fine.mean, coarse.mean, "the mean");
    check_shrinks(fine.sd, coarse.sd, "the sd");
    check_shrinks(fine.threshold, coarse.threshold, "the threshold");
    check_shrinks(fine.acquisition, coarse.acquisition, "the acquisition");
    free(x);
    free(b);
}

/* Lines through the box and from result to result: through landmarks, and through rows that are summed up at them. */
static void nothing_jumps_along_a_line(void **state) {
    (void)state;
    locbo_space *space = scene_cube(D);
    locbo_optimizer *o = begin(space, 5);
    rng r = scene_random(31);
    add_random(o, 3 * LIMIT, &r);
    scene_rounds(o, 2 * LIMIT, 0.1, &r);
    assert_true(scene_summary(o).judged > LIMIT);
    for (int line = 0; line < 6; line++) {
        double from[D], to[D];
        for (size_t c = 0; c < D; c++) from[c] = rng_uniform(&r), to[c] = rng_uniform(&r);
        if (line % 2) check_ok(locbo_optimizer_trial(o, (uint64_t)(20 + 3 * line), NULL, NULL, from, &error));
        if (line % 3 == 2) check_ok(locbo_optimizer_trial(o, (uint64_t)(50 + line), NULL, NULL, to, &error));
        check_line(o, from, to);
    }
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

/* ---- one result too many ------------------------------------------------------------------------ */

/* The same results and the same fit, exact and with as many landmarks as the option allows: one row of LIMIT + 1 is
 * summed up at the others, the one of which they say most. */
static void there_is_no_cliff(void **state) {
    (void)state;
    enum { AT = 300 };
    double x[AT * D], far = 0;
    locbo_belief a[AT], b[AT];
    locbo_fit fit;
    locbo_space *space = scene_cube(D);
    rng r = scene_random(32), again = r;
    locbo_options options = scene_options(&SCENE_METHODS[0], 6);
    options.exact_rows = 0;
    locbo_optimizer *few = begin(space, 6), *all = scene_optimizer(space, &options);
    add_random(few, LIMIT + 1, &r);
    add_random(all, LIMIT + 1, &again);
    for (size_t i = 0; i < AT * D; i++) x[i] = rng_uniform(&r);
    scene_ask(few, NULL, (double[D]){0});
    check_ok(locbo_optimizer_fit(few, &fit, &error));
    check_ok(locbo_optimizer_restore_fit(all, &fit, &error));
    check_ok(locbo_optimizer_predict(few, AT, x, a, &error));
    check_ok(locbo_optimizer_predict(all, AT, x, b, &error));
    for (size_t i = 0; i < AT; i++) {
        far = fmax(far, fabs(a[i].mean - b[i].mean) / b[i].sd_f);
        far = fmax(far, fabs(a[i].sd_f / b[i].sd_f - 1));
    }
    assert_true(far > 0);    /* they are two models, */
    assert_true(far < 0.05); /* and nobody would see it: a twentieth of what is not known anyway */
    locbo_optimizer_destroy(few);
    locbo_optimizer_destroy(all);
    locbo_space_destroy(space);
}

/* A point measured again is no point more: the model still has as many landmarks as there may be. The values of f have
 * nothing to do with each other, so no landmark can be spared. */
static void measured_again_it_keeps_its_landmarks(void **state) {
    (void)state;
    enum { LARGE = 1000, MANY = 15000 }; /* 15000 LARGE^2 is more than the work of a model (equations.md) */
    locbo_space *space = scene_cube(D);
    locbo_options options = scene_options(&SCENE_METHODS[2], 7);
    options.exact_rows = LARGE;
    options.candidates = options.refine = 1;
    scene_set(&options, "noise_law", "gaussian");
    scene_set(&options, "scale", "none");
    locbo_optimizer *o = scene_optimizer(space, &options);
    rng start = scene_random(34), points = start;
    double x[D];
    for (size_t i = 0; i < MANY; i++) {
        if (i % (LARGE + 1) == 0) points = start;
        for (size_t c = 0; c < D; c++) x[c] = rng_uniform(&points);
        scene_add(o, x, rng_normal(&points) + 0.01 * (double)(i % 7));
    }
    scene_ask(o, NULL, x);
    assert_int_equal(gp_rows(o->quantity->surrogate.model), LARGE);
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

/* ---- gross outliers ----------------------------------------------------------------------------- */

/* Results that are far from all others, so few that a sample taken evenly has none of them. */
static void gross_outliers_are_known(void **state) {
    (void)state;
    static const struct {
        int results, every;
        double value;
    } cases[] = {{700, 400, 1e6}, {1500, 400, 1e3}, {1500, 160, 1e6}};
    locbo_space *space = scene_cube(2);
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        locbo_options options = scene_options(&SCENE_METHODS[0], 9);
        locbo_optimizer *o = scene_optimizer(space, &options);
        locbo_choice choice;
        double x[2];
        rng r = scene_random(35);
        for (int i = 0; i < cases[k].results; i++) {
            x[0] = rng_uniform(&r), x[1] = rng_uniform(&r);
            double y = scene_bowl(space, x) + 0.05 * rng_normal(&r);
            scene_add(o, x, i % cases[k].every == 77 ? cases[k].value : y);
        }
        scene_ask(o, NULL, x);
        check_ok(locbo_optimizer_recommend(o, &choice, x, &error));
        /* 0.05 of the bowl, whose values go to 4, is within 0.11 of its bottom */
        assert_true(scene_bowl(space, x) < 0.05);
        assert_true(fabs(choice.value) < 0.1);
        locbo_optimizer_destroy(o);
    }
    locbo_space_destroy(space);
}

/* ---- who looked --------------------------------------------------------------------------------- */

enum { FITTED = 10, LAST = FITTED + 251, RESTARTED = -1 };

static locbo_optimizer *restart(locbo_optimizer *o) {
    char *text;
    size_t length;
    locbo_optimizer *copy;
    check_ok(locbo_optimizer_save(o, &text, &length, &error));
    check_ok(locbo_optimizer_load(&copy, text, length, &error));
    locbo_optimizer_destroy(o);
    locbo_free(text);
    return copy;
}

/* What is believed of a point when the results are one more than the exact model has, and more of them came since the
 * fit than are appended to landmarks. `look`: at how many results somebody looked, or a process began anew. */
static locbo_belief believe_after(const locbo_space *space, const char *noise_law, int look, int merged) {
    locbo_options options = scene_options(&SCENE_METHODS[2], 8);
    double x[D], at[D] = {0.3, 0.4, 0.5};
    locbo_trial trial;
    locbo_belief b;
    options.exact_rows = LAST - 1 - (merged ? 5 : 0);
    scene_set(&options, "noise_law", noise_law);
    locbo_optimizer *o = scene_optimizer(space, &options);
    rng r = rng_open(33, 0, RNG_DESIGN);
    for (int i = 0; i < LAST; i++) {
        if (i == FITTED) check_ok(locbo_optimizer_cancel(o, scene_ask(o, &trial, x), &error));
        if (i == look || (look > 0 && i == look - 50)) check_ok(locbo_optimizer_predict(o, 1, at, &b, &error));
        if (!merged || i < 200 || i >= 205)
            for (size_t c = 0; c < D; c++) x[c] = rng_uniform(&r);
        double outlier = i % 11 == 3 ? 3 * rng_normal(&r) : 0;
        scene_add(o, x, scene_bowl(space, x) + 0.1 * rng_normal(&r) + outlier);
    }
    if (look == RESTARTED) o = restart(o);
    check_ok(locbo_optimizer_predict(o, 1, at, &b, &error));
    assert_int_equal(scene_summary(o).fits, 1);
    locbo_optimizer_destroy(o);
    return b;
}

static void looks_change_no_answer(void **state) {
    (void)state;
    static const char *const laws[] = {"student", "gaussian"};
    static const int looks[] = {RESTARTED, LAST - 1, LAST - 2, LAST - 40};
    locbo_space *space = scene_cube(D);
    for (size_t k = 0; k < 4; k++) {
        locbo_belief never = believe_after(space, laws[k / 2], 0, k % 2);
        for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++) {
            locbo_belief b = believe_after(space, laws[k / 2], looks[i], k % 2);
            check_same(b.mean, never.mean);
            check_same(b.sd_f, never.sd_f);
            check_same(b.f_low, never.f_low);
        }
    }
    locbo_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_jumps_along_a_line),
        cmocka_unit_test(there_is_no_cliff),
        cmocka_unit_test(measured_again_it_keeps_its_landmarks),
        cmocka_unit_test(gross_outliers_are_known),
        cmocka_unit_test(looks_change_no_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
