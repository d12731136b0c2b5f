/* test_noise_law.c - the option noise_law as its user meets it: which law of the noise is chosen, what that does to
 * the model, and that a fit under Student's t is a fact like any other. */
#include <jansson.h>

#include "scene.h"

static const scene_method PLAIN = {"bo", "bo", "0.25"};

static locbo_options options_of(const char *noise_law, uint64_t seed) {
    locbo_options options = scene_options(&PLAIN, seed);
    scene_set(&options, "noise_law", noise_law);
    scene_set(&options, "scale", "none"); /* the laws alone; test_scale.c has both */
    return options;
}

static locbo_fit fit_of(const locbo_optimizer *o) {
    locbo_fit fit;
    check_ok(locbo_optimizer_fit(o, &fit, &error));
    return fit;
}

static size_t dim_of(const locbo_optimizer *o) { return locbo_space_dim(locbo_optimizer_space(o)); }

/* Whether the last fit has degrees of freedom. */
static int is_student(const locbo_optimizer *o) { return fit_of(o).count == dim_of(o) + 3; }

/* ---- which law is chosen --------------------------------------------------------------------- */

/* Something to measure; whether larger is better does not matter. */
typedef double truth(const double *x);

static double smooth(const double *x) { return sin(4 * x[0]) + cos(3 * x[1]); }
static double rippled(const double *x) {
    return 2 * (x[0] - 0.4) * (x[0] - 0.4) + x[1] + 0.4 * sin(13 * x[0]) + 0.3 * cos(11 * x[1]);
}

/* n results at random points, every tenth `far` off to either side, and the fit of the first proposal. */
static locbo_optimizer *measured(const char *noise_law, uint64_t seed, size_t n, truth *f, double noise, double far) {
    locbo_options options = options_of(noise_law, seed);
    locbo_space *space = scene_cube(2);
    locbo_optimizer *o = scene_optimizer(space, &options);
    rng r = rng_open(seed, n, RNG_DESIGN);
    double x[2];
    for (size_t i = 0; i < n; i++) {
        for (int j = 0; j < 2; j++) x[j] = rng_uniform(&r);
        double y = f(x) + noise * rng_normal(&r), sign = rng_uniform(&r) < 0.5 ? -1 : 1;
        scene_add(o, x, i % 10 == 4 ? y + sign * far : y);
    }
    scene_ask(o, NULL, x);
    locbo_space_destroy(space);
    return o;
}

/* Root of the mean square of what the posterior mean is off by, over a grid. */
static double error_of(locbo_optimizer *o, truth *f) {
    enum { SIDE = 15 };
    double x[SIDE * SIDE * 2], sum = 0;
    locbo_belief b[SIDE * SIDE];
    for (size_t i = 0; i < SIDE * SIDE; i++) {
        x[2 * i] = ((double)(i / SIDE) + 0.5) / SIDE;
        x[2 * i + 1] = ((double)(i % SIDE) + 0.5) / SIDE;
    }
    check_ok(locbo_optimizer_predict(o, SIDE * SIDE, x, b, &error));
    for (size_t i = 0; i < SIDE * SIDE; i++) sum += pow(b[i].mean - f(x + 2 * i), 2);
    return sqrt(sum / (SIDE * SIDE));
}

/* Outliers of 20 standard deviations of the noise. */
static void outliers_call_for_student(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        locbo_optimizer *chosen = measured("auto", seed, 40, smooth, 0.05, 1);
        locbo_optimizer *little = measured("little", seed, 40, smooth, 0.05, 1);
        double mine = error_of(chosen, smooth), other = error_of(little, smooth);
        print_message("seed %d: off by %.3f, little noise by %.3f\n", (int)seed, mine, other);
        assert_int_equal(fit_of(chosen).count, 5);
        assert_int_equal(fit_of(little).count, 4);
        check_close(exp(fit_of(chosen).theta[4]), 4, 1e-15, 0);
        check_that(mine < 0.75 * other, "off by %g, little noise by %g", mine, other);
        locbo_optimizer_destroy(chosen);
        locbo_optimizer_destroy(little);
    }
}

/* The laws are tried from little noise on, so choosing it is the very fit that is made without a choice. */
static void ripples_are_no_noise(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        locbo_optimizer *chosen = measured("auto", seed, 40, rippled, 0, 0);
        locbo_optimizer *little = measured("little", seed, 40, rippled, 0, 0);
        locbo_fit a = fit_of(chosen), b = fit_of(little);
        assert_int_equal(a.count, 4);
        for (size_t i = 0; i < 4; i++) check_same(a.theta[i], b.theta[i]);
        check_that(scene_summary(chosen).noise_var < 1e-3, "noise variance %g", scene_summary(chosen).noise_var);
        locbo_optimizer_destroy(chosen);
        locbo_optimizer_destroy(little);
    }
}

static double with_plateau(const double *x) {
    double hills = sin(9 * x[0]) * sin(8 * x[1]);
    return fmin(hills + 0.7, 0) + fmax(hills - 0.7, 0);
}

/* Where most results are the same, the others are no outliers: what was found is recommended. */
static void a_plateau_is_no_noise(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        double x[2];
        locbo_choice choice;
        locbo_optimizer *o = measured("auto", seed, 60, with_plateau, 0, 0);
        check_ok(locbo_optimizer_recommend(o, &choice, x, &error));
        double off = error_of(o, with_plateau), found = with_plateau(x);
        print_message("seed %d: off by %.3f, recommended %.3f\n", (int)seed, off, found);
        assert_false(is_student(o));
        check_that(found < -0.1, "off by %g, recommended %g", off, found);
        locbo_optimizer_destroy(o);
    }
}

/* The summary's variance is that of standardised results. */
static void normal_noise_is_found(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed <= 5; seed++) {
        locbo_optimizer *o = measured("auto", seed, 40, smooth, 0.3, 0);
        double spread = fit_of(o).spread, found = scene_summary(o).noise_var * spread * spread;
        print_message("seed %d: noise variance %.3f of 0.09%s\n", (int)seed, found,
                      is_student(o) ? ", Student's t" : "");
        check_that(found > 0.03 && found < 0.27, "noise variance %g of 0.09", found);
        locbo_optimizer_destroy(o);
    }
}

static locbo_noise_law chosen_law(const locbo_optimizer *o) { return fit_of(o).members[fit_of(o).chosen].law; }

/* Few results with more noise than function: the other laws take some of it for bumps. */
static void much_noise_is_found(void **state) {
    (void)state;
    double sum[2] = {0, 0};
    int found = 0;
    for (uint64_t seed = 1; seed <= 10; seed++) {
        const char *const laws[] = {"gaussian", "much"};
        for (int k = 0; k < 2; k++) {
            locbo_optimizer *o = measured(laws[k], seed, 15, smooth, 1.5, 0);
            sum[k] += log(scene_summary(o).noise_var);
            locbo_optimizer_destroy(o);
        }
        locbo_optimizer *o = measured("auto", seed, 30, smooth, 1.5, 0);
        found += chosen_law(o) == LOCBO_NOISE_LAW_MUCH;
        locbo_optimizer_destroy(o);
    }
    print_message("much noise in %d of 10; variance %.3f where gaussian has %.3f\n", found, exp(sum[1] / 10),
                  exp(sum[0] / 10));
    check_that(exp(sum[1] / 10) > 0.2 && sum[0] < sum[1] - 10, "much noise has not much more: %g", sum[1] - sum[0]);
    assert_in_range(found, 2, 10);
    locbo_optimizer *o = measured("auto", 1, 40, smooth, 0.02, 0);
    assert_int_not_equal(chosen_law(o), LOCBO_NOISE_LAW_MUCH);
    locbo_optimizer_destroy(o);
}

/* With much_noise=never there are the three other laws, and a fit of the fourth is refused. */
static void much_noise_may_be_left_out(void **state) {
    (void)state;
    locbo_options options = options_of("auto", 3);
    scene_set(&options, "much_noise", "never");
    locbo_space *space = scene_cube(2);
    locbo_optimizer *all = measured("auto", 3, 15, smooth, 1.5, 0), *three = scene_optimizer(space, &options);
    double x[2] = {0.5, 0.5};
    for (int i = 0; i < 15; i++) scene_add(three, x, i);
    locbo_fit fit = fit_of(all);
    check_fails(locbo_optimizer_restore_fit(three, &fit, &error), LOCBO_ERR_ARGUMENT, "noise law 4");
    scene_ask(three, NULL, x);
    for (size_t i = 0; i < fit_of(three).member_count; i++)
        assert_int_not_equal(fit_of(three).members[i].law, LOCBO_NOISE_LAW_MUCH);
    locbo_optimizer_destroy(all);
    locbo_optimizer_destroy(three);
    locbo_space_destroy(space);
}

/* A law that is asked for is had, whatever the results say; of Student's t the variance is twice its scale. */
static void a_law_that_is_asked_for(void **state) {
    (void)state;
    locbo_optimizer *o = measured("gaussian", 1, 25, smooth, 0.05, 1);
    assert_int_equal(is_student(o), 0);
    check_close(scene_summary(o).noise_var, exp(fit_of(o).theta[3]), 1e-15, 0);
    locbo_optimizer_destroy(o);
    o = measured("student", 1, 25, rippled, 0, 0);
    assert_int_equal(is_student(o), 1);
    check_close(scene_summary(o).noise_var, 2 * exp(fit_of(o).theta[3]), 1e-15, 0);
    locbo_optimizer_destroy(o);
}

/* ---- where it has no say --------------------------------------------------------------------- */

enum { ROUNDS = 9, NUMBERS = 2 * ROUNDS };

/* The proposals of a short run with outliers, one after another. */
static void propose(const locbo_options *options, double *x) {
    locbo_space *space = scene_cube(2);
    locbo_optimizer *o = scene_optimizer(space, options);
    rng r = rng_open(5, 5, RNG_DESIGN);
    for (int i = 0; i < ROUNDS; i++) {
        uint64_t id = scene_ask(o, NULL, x + 2 * i);
        double y = smooth(x + 2 * i) + 0.1 * rng_normal(&r);
        scene_tell(o, id, i % 4 == 1 ? y + 5 : y);
    }
    locbo_optimizer_destroy(o);
    locbo_space_destroy(space);
}

static int all_laws_agree(const char *option, const char *value) {
    const char *const laws[] = {"auto", "little", "gaussian", "student", "much"};
    double first[NUMBERS], other[NUMBERS];
    int same = 1;
    for (size_t k = 0; k < 5; k++) {
        locbo_options options = options_of(laws[k], 3);
        options.initial = 5;
        scene_set(&options, option, value);
        propose(&options, k ? other : first);
        same = same && (!k || memcmp(first, other, sizeof first) == 0);
    }
    return same;
}

static void other_surrogates_and_known_noise(void **state) {
    (void)state;
    assert_true(all_laws_agree("surrogate", "paper"));
    assert_true(all_laws_agree("surrogate", "gamma"));
    assert_true(all_laws_agree("noise_var", "0.01"));
    assert_true(all_laws_agree("method", "random"));
    assert_false(all_laws_agree("surrogate", "map")); /* the test can tell */
}

/* ---- continuing ------------------------------------------------------------------------------ */

/* What happened to an optimizer, as a store of its own would keep it: results of trials, 0 being an added one. */
enum { MOST = 80 };
typedef struct diary {
    size_t n;
    uint64_t trial[MOST];
    double x[MOST][2];
    locbo_measurement result[MOST];
} diary;

static void note(diary *d, locbo_optimizer *o, uint64_t trial, const double *x, locbo_measurement m) {
    d->trial[d->n] = trial;
    memcpy(d->x[d->n], x, sizeof d->x[0]);
    d->result[d->n++] = m;
    if (trial)
        check_ok(locbo_optimizer_tell(o, trial, &m, &error));
    else
        check_ok(locbo_optimizer_add(o, x, &m, &error));
}

/* One more measurement: sometimes an outlier, a known sd, a mean of several, a replicate. */
static locbo_measurement measure(const double *x, size_t i, rng *r) {
    locbo_measurement m = {smooth(x) + 0.05 * rng_normal(r), i % 7 == 2 ? 0.03 : NAN, 1 + (unsigned)(i % 3)};
    if (i % 9 == 4) m.value += i % 2 ? 1 : -1;
    return m;
}

static void restore_facts(locbo_optimizer *copy, const locbo_optimizer *o, const diary *d) {
    locbo_trial t;
    double x[2];
    for (uint64_t id = 1; locbo_optimizer_trial(o, id, &t, NULL, x, NULL) == LOCBO_OK; id++)
        check_ok(locbo_optimizer_restore_trial(copy, &t, x, &error));
    for (size_t i = 0; i < d->n; i++)
        check_ok(d->trial[i] ? locbo_optimizer_tell(copy, d->trial[i], &d->result[i], &error)
                             : locbo_optimizer_add(copy, d->x[i], &d->result[i], &error));
    locbo_fit fit = fit_of(o);
    check_ok(locbo_optimizer_restore_fit(copy, &fit, &error));
}

static locbo_optimizer *loaded(const locbo_optimizer *o) {
    locbo_optimizer *copy = NULL;
    char *text = NULL;
    size_t length;
    check_ok(locbo_optimizer_save(o, &text, &length, &error));
    check_ok(locbo_optimizer_load(&copy, text, length, &error));
    locbo_free(text);
    return copy;
}

static locbo_optimizer *restored(const locbo_optimizer *o, const diary *d) {
    locbo_options options;
    locbo_options_init(&options);
    check_ok(locbo_optimizer_options(o, &options, &error));
    locbo_optimizer *copy = scene_optimizer(locbo_optimizer_space(o), &options);
    restore_facts(copy, o, d);
    return copy;
}

/* The next proposal of all three, with what each believes of it, and its result told to all. */
static void go_on_together(locbo_optimizer **three, diary *d, rng *r) {
    locbo_trial first, t;
    double x[2], y[2];
    uint64_t id = scene_ask(three[0], &first, x);
    for (int k = 1; k < 3; k++) {
        assert_int_equal(scene_ask(three[k], &t, y), id);
        assert_memory_equal(y, x, sizeof x);
        check_same(t.belief.mean, first.belief.mean);
        check_same(t.belief.sd_y, first.belief.sd_y);
        check_same(t.belief.y_low, first.belief.y_low);
        check_same(t.belief.acquisition, first.belief.acquisition);
        check_same(scene_summary(three[k]).noise_var, scene_summary(three[0]).noise_var);
    }
    locbo_measurement m = measure(x, d->n, r);
    for (int k = 1; k < 3; k++) check_ok(locbo_optimizer_tell(three[k], id, &m, &error));
    note(d, three[0], id, x, m);
}

/* The optimizer is copied in both ways, and the copies make the same next three proposals; repeatedly. */
static void copy_and_go_on(locbo_optimizer *o, diary *d, int rounds, rng *r) {
    int student = 0;
    for (int round = 0; round < rounds; round++) {
        locbo_optimizer *three[] = {o, loaded(o), restored(o, d)};
        student += is_student(o);
        for (int i = 0; i < 3; i++) go_on_together(three, d, r);
        locbo_optimizer_destroy(three[1]);
        locbo_optimizer_destroy(three[2]);
    }
    check_that(student == rounds, "Student's t in %d of %d rounds", student, rounds);
}

static void copies_go_on_bit_for_bit(void **state) {
    (void)state;
    const int refit_every[] = {1, 5};
    for (size_t k = 0; k < 4; k++) {
        scene_method m = SCENE_METHODS[k < 2 ? 0 : k + 1]; /* locbo, locbo, cbo, ocbo */
        locbo_options options = scene_options(&m, 40 + k);
        options.refit_every = refit_every[k % 2];
        if (k == 3) { /* from the last fit alone, without looking further */
            options.fit_restarts = 0;
            scene_set(&options, "noise_law", "student");
        }
        locbo_space *space = scene_cube(2);
        locbo_optimizer *o = scene_optimizer(space, &options);
        rng r = rng_open(6, k, RNG_DESIGN);
        diary d = {.n = 0};
        double x[2];
        while (d.n < 36) {
            for (int j = 0; j < 2; j++) x[j] = rng_uniform(&r);
            note(&d, o, 0, x, measure(x, d.n, &r));
        }
        uint64_t id = scene_ask(o, NULL, x);
        note(&d, o, id, x, measure(x, d.n, &r));
        copy_and_go_on(o, &d, 2, &r);
        locbo_optimizer_destroy(o);
        locbo_space_destroy(space);
    }
}

/* ---- fits that are refused ------------------------------------------------------------------- */

/* A fit as stored by versions without Student's t. */
static void fits_without_degrees_of_freedom(void **state) {
    (void)state;
    locbo_optimizer *o = measured("auto", 2, 40, smooth, 0.05, 1);
    locbo_fit fit = fit_of(o);
    double x[2], theta[5];
    assert_int_equal(fit.count, 5);
    memcpy(theta, fit.theta, sizeof theta);
    fit.theta = theta;
    fit.count = 4;
    check_ok(locbo_optimizer_restore_fit(o, &fit, &error));
    assert_int_equal(fit_of(o).count, 4);
    check_close(scene_summary(o).noise_var, exp(theta[3]), 1e-15, 0);
    locbo_belief before, after;
    check_ok(locbo_optimizer_predict(o, 1, (double[]){0.3, 0.3}, &before, &error));
    fit.count = 5;
    check_ok(locbo_optimizer_restore_fit(o, &fit, &error));
    check_ok(locbo_optimizer_predict(o, 1, (double[]){0.3, 0.3}, &after, &error));
    check_that(before.mean != after.mean, "weights make no difference");
    scene_tell(o, scene_ask(o, NULL, x), 0.5);
    scene_ask(o, NULL, x);
    locbo_optimizer_destroy(o);
}

static void check_one_line(locbo_optimizer *o, const locbo_fit *fit, const char *words) {
    locbo_error why = {LOCBO_OK, ""};
    assert_int_equal(locbo_optimizer_restore_fit(o, fit, &why), LOCBO_ERR_ARGUMENT);
    check_that(strstr(why.message, words) && !strchr(why.message, '\n'), "'%s' without '%s'", why.message, words);
}

/* Whatever is refused leaves the fit that was there. */
static void nonsense_is_refused(void **state) {
    (void)state;
    locbo_optimizer *o = measured("auto", 2, 40, smooth, 0.05, 1);
    const size_t counts[] = {0, 1, 3, 6, 7, SIZE_MAX};
    const double dof[] = {NAN, INFINITY, -INFINITY, 101, -101, 1e300};
    locbo_fit fit = fit_of(o);
    double theta[8] = {0}, last = fit.theta[4];
    memcpy(theta, fit.theta, 5 * sizeof *theta);
    fit.theta = theta;
    for (size_t k = 0; k < sizeof counts / sizeof counts[0]; k++) {
        fit.count = counts[k];
        check_one_line(o, &fit, "hyper-parameters, the model has 4");
    }
    fit.count = 5;
    for (size_t k = 0; k < sizeof dof / sizeof dof[0]; k++) {
        theta[4] = dof[k];
        check_one_line(o, &fit, "theta[4]");
    }
    assert_int_equal(fit_of(o).count, 5);
    check_same(fit_of(o).theta[4], last);
    locbo_optimizer_destroy(o);
}

/* Unusual degrees of freedom are accepted, and the optimizer continues. */
static void odd_degrees_of_freedom(void **state) {
    (void)state;
    const double log_dof[] = {-100, -20, 0, 20, 100};
    for (size_t k = 0; k < sizeof log_dof / sizeof log_dof[0]; k++) {
        locbo_optimizer *o = measured("student", 3, 25, smooth, 0.05, 1);
        locbo_fit fit = fit_of(o);
        double x[2], theta[5];
        memcpy(theta, fit.theta, sizeof theta);
        theta[4] = log_dof[k];
        fit.theta = theta;
        check_ok(locbo_optimizer_restore_fit(o, &fit, &error));
        locbo_belief b;
        check_ok(locbo_optimizer_predict(o, 1, (double[]){0.3, 0.3}, &b, &error));
        check_that(isfinite(b.mean) && b.sd_f >= 0, "log dof %g: mean %g, sd %g", log_dof[k], b.mean, b.sd_f);
        scene_tell(o, scene_ask(o, NULL, x), 0.5);
        scene_ask(o, NULL, x);
        check_close(exp(fit_of(o).theta[4]), 4, 1e-15, 0); /* fitted again */
        locbo_optimizer_destroy(o);
    }
}

/* The same by a saved text: of all lengths of theta two can be read. */
static void a_saved_theta_of_another_length(void **state) {
    (void)state;
    locbo_optimizer *o = measured("auto", 2, 40, smooth, 0.05, 1), *copy = NULL;
    char *text = NULL;
    check_ok(locbo_optimizer_save(o, &text, NULL, &error));
    json_t *root = json_loads(text, 0, NULL);
    json_t *theta = json_object_get(json_object_get(root, "fit"), "theta");
    assert_int_equal(json_array_size(theta), 5);
    while (json_array_size(theta) < 8) json_array_append_new(theta, json_real(0.5));
    for (size_t n = 8; n < 9; n--) {
        char *damaged = json_dumps(root, JSON_COMPACT | JSON_REAL_PRECISION(17));
        if (n == 4 || n == 5) {
            check_ok(locbo_optimizer_load(&copy, damaged, strlen(damaged), &error));
            assert_int_equal(fit_of(copy).count, n);
            locbo_optimizer_destroy(copy);
        } else {
            check_fails(locbo_optimizer_load(&copy, damaged, strlen(damaged), &error), LOCBO_ERR_FORMAT,
                        n > 5 ? "damaged at 'fit'" : "the model has 4");
        }
        free(damaged);
        if (n) json_array_remove(theta, n - 1);
    }
    json_decref(root);
    locbo_free(text);
    locbo_optimizer_destroy(o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(outliers_call_for_student),
        cmocka_unit_test(ripples_are_no_noise),
        cmocka_unit_test(a_plateau_is_no_noise),
        cmocka_unit_test(normal_noise_is_found),
        cmocka_unit_test(much_noise_is_found),
        cmocka_unit_test(much_noise_may_be_left_out),
        cmocka_unit_test(a_law_that_is_asked_for),
        cmocka_unit_test(other_surrogates_and_known_noise),
        cmocka_unit_test(copies_go_on_bit_for_bit),
        cmocka_unit_test(fits_without_degrees_of_freedom),
        cmocka_unit_test(nonsense_is_refused),
        cmocka_unit_test(odd_degrees_of_freedom),
        cmocka_unit_test(a_saved_theta_of_another_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
