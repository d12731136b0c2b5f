/* What the model believes, as the views show it: slices and contours are what the optimizer
 * predicts at the same points; the
 * choices are its own; deviations are in the user's units; what is asked wrongly is named. */
#include "warp.h"
#include "choice.h"
#include "axis.h"
#include "mem.h"
#include "rows.h"
#include "fixture.h"
#include "value.h"

enum { DIM = 4 };

/* ---- a study, and another look at it --------------------------------------------------------- */

/* The same facts through a handle of its own. */
typedef struct scene {
    locbo_study *study;
    cache *cache;
    locbo_optimizer *optimizer;
    const locbo_space *space;
} scene;

/* The number of a trial; 0, as in a choice, where there is none: the point has not been evaluated. */
static json_int_t trial_at(json_t *answer, const char *path) {
    return json_is_null(fixture_at(answer, path)) ? 0 : fixture_count(answer, path);
}

static scene open_scene(const char *name, const char *method, int rounds) {
    draw r = draw_open(3, 1);
    scene s = {.study = fixture_study(name, "method", method, NULL)};
    fixture_play(s.study, rounds, &r);
    s.cache = fixture_cache(name);
    s.space = cache_space(s.cache);
    check_ok(locbo_study_optimizer(s.study, &s.optimizer, &error));
    return s;
}

static void close_scene(scene *s) {
    cache_close(s->cache);
    locbo_study_close(s->study);
}

static locbo_parameter parameter(const scene *s, const char *name, size_t *index) {
    locbo_parameter p;
    check_ok(locbo_space_find(s->space, name, index, &error));
    check_ok(locbo_space_parameter(s->space, *index, &p, &error));
    return p;
}

/* The grid of an axis as numbers; returns its length. */
static size_t read_grid(json_t *list, const locbo_parameter *p, double *grid) {
    size_t n = json_array_size(list);
    assert_in_range(n, 1, 500);
    for (size_t i = 0; i < n; i++) check_ok(value_from_json(p, json_array_get(list, i), &grid[i], &error));
    return n;
}

/* The same numbers come from the same arithmetic: only a library that rounds otherwise between
 * calls may differ. */
static void check_cell(json_t *answer, const char *key, size_t i, double expected) {
    json_t *cell = json_array_get(json_object_get(answer, key), i);
    check_that(cell != NULL, "%s has no element %zu", key, i);
    double value = rows_real(cell);
    if (isnan(expected))
        check_that(json_is_null(cell), "%s of %zu is not null", key, i);
    else
        check_that(check_agrees(value, expected, 1e-12, 0), "%s of %zu is %.17g and not %.17g", key, i, value,
                   expected);
}

static void check_beliefs(json_t *answer, size_t n, const locbo_belief *b, int is_slice) {
    for (size_t i = 0; i < n; i++) {
        check_cell(answer, "mean", i, b[i].mean);
        check_cell(answer, "sd_f", i, b[i].sd_f);
        check_cell(answer, "threshold", i, b[i].threshold);
        check_cell(answer, "acquisition", i, b[i].acquisition);
        check_cell(answer, "success", i, b[i].success);
        if (!is_slice) continue;
        check_cell(answer, "f_low", i, b[i].f_low);
        check_cell(answer, "f_high", i, b[i].f_high);
        check_cell(answer, "y_low", i, b[i].y_low);
        check_cell(answer, "y_high", i, b[i].y_high);
    }
    const char *keys[] = {"mean", "sd_f", "threshold", "acquisition", "success"};
    for (size_t k = 0; k < 5; k++) assert_int_equal(json_array_size(json_object_get(answer, keys[k])), n);
}

/* ---- slices and contours --------------------------------------------------------------------- */

static void check_slice(scene *s, json_t *answer, const char *name, const double *at) {
    double grid[500], x[500 * DIM];
    locbo_belief beliefs[500];
    size_t index;
    locbo_parameter p = parameter(s, name, &index);
    size_t n = read_grid(json_object_get(answer, "grid"), &p, grid);
    for (size_t i = 0; i < n; i++) {
        memcpy(x + i * DIM, at, DIM * sizeof *x);
        x[i * DIM + index] = grid[i];
    }
    check_ok(locbo_optimizer_predict(s->optimizer, n, x, beliefs, &error));
    check_beliefs(answer, n, beliefs, 1);
    assert_string_equal(fixture_text(answer, "parameter.name"), name);
}

static void slices_are_predictions(void **state) {
    (void)state;
    static const char *const names[] = {"x", "rate", "n", "mode"};
    static const size_t lengths[] = {101, 101, 12, 3};
    scene s = open_scene("a", "locbo", 14);
    locbo_choice choice;
    double at[DIM];
    check_ok(locbo_optimizer_recommend(s.optimizer, &choice, at, &error));
    for (size_t i = 0; i < DIM; i++) {
        json_t *answer = fixture_answer(s.cache, "slice", "parameter", names[i], NULL);
        check_slice(&s, answer, names[i], at);
        assert_int_equal(json_array_size(json_object_get(answer, "grid")), lengths[i]);
        assert_string_equal(fixture_text(answer, "at.what"), "recommended");
        assert_int_equal(trial_at(answer, "at.trial"), choice.trial);
        check_same(fixture_real(answer, "at.params.x"), at[0]);
        json_decref(answer);
    }
    close_scene(&s);
}

static void other_points_can_be_held(void **state) {
    (void)state;
    scene s = open_scene("a", "bo", 12);
    locbo_choice choice;
    double at[DIM];
    check_ok(locbo_optimizer_best(s.optimizer, &choice, at, &error));
    json_t *answer = fixture_answer(s.cache, "slice", "parameter", "rate", "at", "best", "points", "7", NULL);
    check_slice(&s, answer, "rate", at);
    assert_string_equal(fixture_text(answer, "at.what"), "best");
    assert_int_equal(trial_at(answer, "at.trial"), choice.trial);
    assert_true(json_is_null(fixture_at(answer, "threshold.0"))); /* bo has none */
    json_decref(answer);
    check_ok(locbo_optimizer_trial(s.optimizer, 5, NULL, NULL, at, &error));
    answer = fixture_answer(s.cache, "slice", "parameter", "mode", "at", "5", NULL);
    check_slice(&s, answer, "mode", at);
    assert_string_equal(fixture_text(answer, "at.what"), "trial");
    assert_int_equal(fixture_count(answer, "at.trial"), 5);
    assert_string_equal(fixture_text(answer, "grid.1"), "it's \"q\"");
    json_decref(answer);
    close_scene(&s);
}

/* Rows along y: element j * columns + i. */
static void check_contour(scene *s, const char *x_name, const char *y_name, const char *points) {
    double grid[2][500], *x, at[DIM];
    size_t index[2];
    locbo_choice choice;
    check_ok(locbo_optimizer_recommend(s->optimizer, &choice, at, &error));
    json_t *answer = fixture_answer(s->cache, "contour", "x", x_name, "y", y_name, "points", points, NULL);
    locbo_parameter px = parameter(s, x_name, &index[0]), py = parameter(s, y_name, &index[1]);
    size_t columns = read_grid(fixture_at(answer, "x.grid"), &px, grid[0]);
    size_t rows = read_grid(fixture_at(answer, "y.grid"), &py, grid[1]), n = rows * columns;
    locbo_belief *beliefs = calloc(n, sizeof *beliefs);
    x = calloc(n * DIM, sizeof *x);
    for (size_t j = 0; j < rows; j++)
        for (size_t i = 0; i < columns; i++) {
            double *row = x + (j * columns + i) * DIM;
            memcpy(row, at, sizeof at);
            row[index[0]] = grid[0][i];
            row[index[1]] = grid[1][j];
        }
    check_ok(locbo_optimizer_predict(s->optimizer, n, x, beliefs, &error));
    check_beliefs(answer, n, beliefs, 0);
    assert_string_equal(fixture_text(answer, "y.name"), y_name);
    assert_null(fixture_at(answer, "f_low"));
    free(beliefs);
    free(x);
    json_decref(answer);
}

static void contours_are_predictions(void **state) {
    (void)state;
    scene s = open_scene("a", "locbo", 14);
    check_contour(&s, "x", "mode", "9");
    check_contour(&s, "n", "rate", "5");
    check_contour(&s, "mode", "n", "100");
    json_t *answer = fixture_answer(s.cache, "contour", "x", "x", "y", "rate", NULL);
    assert_int_equal(json_array_size(json_object_get(answer, "mean")), 41 * 41);
    json_decref(answer);
    close_scene(&s);
}

/* ---- grids ----------------------------------------------------------------------------------- */

static axis divide(locbo_parameter p, size_t points) {
    axis a = {.parameter = p};
    check_ok(axis_divide(&a, points, &error));
    assert_in_range(a.count, 1, points);
    check_same(a.grid[0], p.low);
    check_same(a.grid[a.count - 1], p.high);
    for (size_t i = 1; i < a.count; i++)
        check_that(a.grid[i] > a.grid[i - 1], "%g follows %g", a.grid[i], a.grid[i - 1]);
    return a;
}

/* Even in the parameter's own scale; the ends exactly. Rounding of a few operations is allowed. */
static void grids_of_numbers(void **state) {
    (void)state;
    axis a = divide((locbo_parameter){.low = -5, .high = 10}, 7);
    for (size_t i = 0; i < 7; i++) check_close(a.grid[i], -5 + 2.5 * (double)i, 1e-14, 1e-14);
    axis_release(&a);
    a = divide((locbo_parameter){.low = 1e-4, .high = 1, .scale = LOCBO_LOG}, 5);
    for (size_t i = 0; i < 5; i++) check_close(a.grid[i], pow(10, (double)i - 4), 1e-13, 0);
    axis_release(&a);
    a = divide((locbo_parameter){.low = -1e308, .high = 1e308}, 3); /* whose width is infinite */
    check_same(a.grid[1], 0);
    axis_release(&a);
    a = divide((locbo_parameter){.low = 1e-300, .high = 1e300, .scale = LOCBO_LOG}, 3);
    check_close(a.grid[1], 1, 1e-12, 0);
    axis_release(&a);
}

static void grids_of_whole_numbers(void **state) {
    (void)state;
    locbo_parameter p = {.kind = LOCBO_INT, .low = 3, .high = 9};
    axis a = divide(p, 7);
    assert_int_equal(a.count, 7);
    for (size_t i = 0; i < 7; i++) check_same(a.grid[i], 3 + (double)i);
    axis_release(&a);
    a = divide(p, 4); /* 3, 5, 7, 9 */
    assert_int_equal(a.count, 4);
    check_same(a.grid[1], 5);
    axis_release(&a);
    p = (locbo_parameter){.kind = LOCBO_INT, .low = 1, .high = 1024, .scale = LOCBO_LOG};
    a = divide(p, 11);
    for (size_t i = 0; i < 11; i++) check_same(a.grid[i], ldexp(1, (int)i));
    axis_release(&a);
    a = divide(p, 101); /* 1, 1.07, 1.15 ... are one number */
    assert_in_range(a.count, 60, 100);
    axis_release(&a);
    p = (locbo_parameter){.kind = LOCBO_INT, .low = 4, .high = 4};
    a = divide(p, 2);
    assert_int_equal(a.count, 1);
    axis_release(&a);
    p = (locbo_parameter){.kind = LOCBO_CATEGORICAL, .low = 0, .high = 49, .count = 50};
    a = divide(p, 10);
    assert_int_equal(a.count, 10);
    axis_release(&a);
}

/* ---- choices and what was learnt ------------------------------------------------------------- */

/* The standard deviation of this variance in the user's units: the model's scale may be another. */
static double in_units(double variance, const locbo_fit *fit) {
    const warp b = {fit->power, fit->offset, fit->low, fit->high};
    double sd = sqrt(variance) * fit->spread;
    return isnan(fit->power) ? sd : fabs(warp_inverse(&b, fit->shift + sd) - warp_inverse(&b, fit->shift - sd)) / 2;
}

static void choices_are_the_optimizers(void **state) {
    (void)state;
    scene s = open_scene("a", "locbo", 14);
    locbo_choice best, recommended;
    locbo_summary summary;
    locbo_fit fit;
    double x[DIM];
    check_ok(locbo_optimizer_best(s.optimizer, &best, x, &error));
    check_ok(locbo_optimizer_recommend(s.optimizer, &recommended, x, &error));
    check_ok(locbo_optimizer_summary(s.optimizer, &summary, &error));
    check_ok(locbo_optimizer_fit(s.optimizer, &fit, &error));
    json_t *answer = fixture_answer(s.cache, "choices", NULL);
    assert_int_equal(fixture_count(answer, "best.trial"), best.trial);
    check_same(fixture_real(answer, "best.value"), best.value);
    assert_int_equal(trial_at(answer, "recommended.trial"), recommended.trial);
    check_same(fixture_real(answer, "recommended.mean"), recommended.value);
    check_same(fixture_real(answer, "recommended.interval.1"), recommended.high);
    check_same(fixture_real(answer, "recommended.params.rate"), x[1]);
    assert_true(json_is_null(fixture_at(answer, "why")));
    assert_int_equal(fixture_count(answer, "model.results"), 14);
    assert_int_equal(fixture_count(answer, "model.fits"), summary.fits);
    assert_string_equal(fixture_text(answer, "model.guarantee"), summary.guarantee);
    check_close(fixture_real(answer, "model.noise_sd"), in_units(summary.noise_var, &fit), 1e-11, 0);
    /* 1e-11: in_units is the difference of numbers near each other */
    check_close(fixture_real(answer, "model.signal_sd"), in_units(summary.signal_var, &fit), 1e-11, 0);
    json_decref(answer);
    close_scene(&s);
}

/* The same study with results of another unit and origin. */
static void learn(const char *name, double factor, double shift, double sd[2]) {
    draw r = draw_open(5, 2);
    double x[DIM];
    locbo_study *study = fixture_study(name, NULL);
    for (int i = 0; i < 12; i++) {
        uint64_t trial = fixture_ask(study, "me", x);
        fixture_tell(study, trial, shift + factor * (fixture_objective(x) + 0.3 * draw_normal(&r)));
    }
    cache *c = fixture_cache(name);
    json_t *answer = fixture_answer(c, "choices", NULL);
    sd[0] = fixture_real(answer, "model.noise_sd");
    sd[1] = fixture_real(answer, "model.signal_sd");
    json_decref(answer);
    cache_close(c);
    locbo_study_close(study);
}

/* A power of two changes no digit, so that the same points are proposed and the same model is
 * fitted. */
static void deviations_are_in_the_users_units(void **state) {
    (void)state;
    double plain[2], scaled[2];
    learn("plain", 1, 0, plain);
    learn("scaled", 1024, 0, scaled);
    assert_true(plain[0] > 0 && plain[1] > 0);
    for (int i = 0; i < 2; i++) check_close(scaled[i], 1024 * plain[i], 1e-9, 0);
}

static void choices_without_a_model(void **state) {
    (void)state;
    draw r = draw_open(1, 1);
    double x[DIM];
    locbo_study *study = fixture_study("a", "exact_rows", "0", NULL);
    cache *c = fixture_cache("a");
    json_t *answer = fixture_answer(c, "choices", NULL);
    assert_true(json_is_null(fixture_at(answer, "best")) && json_is_null(fixture_at(answer, "model")));
    assert_string_equal(fixture_text(answer, "why"), "there is no result yet");
    json_decref(answer);
    fixture_tell(study, fixture_ask(study, "me", x), 7);
    answer = fixture_answer(c, "choices", NULL);
    check_same(fixture_real(answer, "best.value"), 7);
    assert_true(json_is_null(fixture_at(answer, "recommended")));
    assert_non_null(strstr(fixture_text(answer, "why"), "two results"));
    json_decref(answer);
    fixture_play(study, 1, &r); /* a model that is not fitted yet */
    answer = fixture_answer(c, "choices", NULL);
    assert_true(json_is_object(fixture_at(answer, "recommended")));
    assert_int_equal(fixture_count(answer, "model.fits"), 0);
    assert_true(json_is_null(fixture_at(answer, "model.noise_sd")));
    json_decref(answer);
    fixture_import(study, CHOICE_MANY, &r);
    answer = fixture_answer(c, "choices", NULL);
    assert_true(json_is_null(fixture_at(answer, "recommended")) && json_is_null(fixture_at(answer, "model")));
    assert_true(json_is_null(fixture_at(answer, "best.interval")) && fixture_count(answer, "best.trial") > 0);
    assert_non_null(strstr(fixture_text(answer, "why"), "3000"));
    json_decref(answer);
    cache_close(c);
    locbo_study_close(study);
}

/* ---- importance ------------------------------------------------------------------------------ */

static void importance_is_that_of_the_model(void **state) {
    (void)state;
    scene s = open_scene("a", "locbo", 14);
    double length[DIM], first[DIM], total[DIM];
    check_ok(locbo_optimizer_length_scales(s.optimizer, length, &error));
    check_ok(locbo_optimizer_importance(s.optimizer, 0, first, total, &error));
    json_t *answer = fixture_answer(s.cache, "importance", NULL);
    for (int i = 0; i < DIM; i++) {
        json_t *row = json_array_get(json_object_get(answer, "parameters"), (size_t)i);
        check_same(fixture_real(row, "length_scale"), length[i]);
        check_same(fixture_real(row, "first"), first[i]);
        check_same(fixture_real(row, "total"), total[i]);
    }
    assert_string_equal(fixture_text(answer, "parameters.3.name"), "mode");
    assert_non_null(strstr(fixture_text(answer, "caveat"), "near the optimum"));
    assert_null(strstr(fixture_text(answer, "caveat"), "not active"));
    json_decref(answer);
    close_scene(&s);
}

/* One length scale for all says nothing of any; the indices do. */
static void importance_with_one_length_scale(void **state) {
    (void)state;
    draw r = draw_open(2, 1);
    locbo_study *study = fixture_study("p", "surrogate", "paper", NULL);
    fixture_play(study, 10, &r);
    cache *c = fixture_cache("p");
    json_t *answer = fixture_answer(c, "importance", NULL);
    check_same(fixture_real(answer, "parameters.2.length_scale"), fixture_real(answer, "parameters.0.length_scale"));
    assert_true(fixture_real(answer, "parameters.2.total") != fixture_real(answer, "parameters.0.total"));
    json_decref(answer);
    cache_close(c);
    locbo_study_close(study);
}

/* ---- nothing, and mistakes ------------------------------------------------------------------- */

static locbo_status make(cache *c, const char *name, const char *const *items, locbo_error *error) {
    query_item list[6];
    query q = {0, list};
    json_t *answer = NULL;
    for (; items[0]; items += 2) list[q.count++] = (query_item){items[0], items[1]};
    locbo_status status = view_find(name)->make(c, &q, &answer, error);
    assert_null(answer);
    return status;
}

#define ITEMS(...)                                                                                                     \
    (const char *const[]) { __VA_ARGS__, NULL }

static void no_model_yet(void **state) {
    (void)state;
    double x[DIM];
    locbo_study *study = fixture_study("a", NULL), *other = fixture_study("b", "method", "random", NULL);
    cache *c = fixture_cache("a"), *random = fixture_cache("b");
    fixture_tell(study, fixture_ask(study, "me", x), 7);
    const char *const *slice = ITEMS("parameter", "x"), *const *none = (const char *const[]){NULL};
    check_fails(make(c, "slice", slice, &error), LOCBO_ERR_NOTHING, "two results");
    check_fails(make(c, "contour", ITEMS("x", "x", "y", "n"), &error), LOCBO_ERR_NOTHING, "model");
    check_fails(make(c, "importance", none, &error), LOCBO_ERR_NOTHING, "no model yet");
    check_fails(make(random, "slice", slice, &error), LOCBO_ERR_NOTHING, "random");
    fixture_tell(study, fixture_ask(study, "me", x), 8);
    check_fails(make(c, "importance", none, &error), LOCBO_ERR_NOTHING, "no length scales yet");
    json_t *answer = fixture_answer(random, "slice", "parameter", "x", NULL);
    assert_non_null(strstr(fixture_text(answer, "nothing"), "random"));
    json_decref(answer);
    answer = fixture_answer(c, "slice", "parameter", "x", NULL); /* a preview of two results */
    assert_int_equal(json_array_size(json_object_get(answer, "mean")), 101);
    json_decref(answer);
    cache_close(c);
    cache_close(random);
    locbo_study_close(study);
    locbo_study_close(other);
}

static void mistakes_are_named(void **state) {
    (void)state;
    scene s = open_scene("a", "locbo", 3);
    const locbo_status wrong = LOCBO_ERR_ARGUMENT;
    check_fails(make(s.cache, "slice", ITEMS("points", "9"), &error), wrong,
                "parameter must name a parameter: one of x, rate, n, mode");
    check_fails(make(s.cache, "slice", ITEMS("parameter", "speed"), &error), wrong,
                "parameter: there is no parameter 'speed': it must be one of x, rate, n, mode");
    check_fails(make(s.cache, "contour", ITEMS("x", "x", "y", "X"), &error), wrong, "y: there is no parameter 'X'");
    check_fails(make(s.cache, "contour", ITEMS("y", "x"), &error), wrong, "x must name");
    check_fails(make(s.cache, "contour", ITEMS("x", "n", "y", "n"), &error), wrong, "both are 'n'");
    check_fails(make(s.cache, "slice", ITEMS("parameter", "x", "at", "middle"), &error), wrong,
                "at must be recommended, best or the number of a trial, got 'middle'");
    check_fails(make(s.cache, "slice", ITEMS("parameter", "x", "at", "4"), &error), LOCBO_ERR_NOT_FOUND,
                "there is no trial 4");
    check_fails(make(s.cache, "slice", ITEMS("parameter", "x", "at", "0"), &error), LOCBO_ERR_NOT_FOUND, "trial 0");
    check_fails(make(s.cache, "slice", ITEMS("parameter", "x", "points", "501"), &error), wrong, "500");
    check_fails(make(s.cache, "contour", ITEMS("x", "x", "y", "n", "points", "1"), &error), wrong,
                "points must be a whole number from 2 to 100, got '1'");
    close_scene(&s);
}

#define at_the_stand(name) cmocka_unit_test_setup_teardown(name, own_store_open, own_store_close)

int main(void) {
    const struct CMUnitTest tests[] = {
        at_the_stand(slices_are_predictions),
        at_the_stand(other_points_can_be_held),
        at_the_stand(contours_are_predictions),
        cmocka_unit_test(grids_of_numbers),
        cmocka_unit_test(grids_of_whole_numbers),
        at_the_stand(choices_are_the_optimizers),
        at_the_stand(deviations_are_in_the_users_units),
        at_the_stand(choices_without_a_model),
        at_the_stand(importance_is_that_of_the_model),
        at_the_stand(importance_with_one_length_scale),
        at_the_stand(no_model_yet),
        at_the_stand(mistakes_are_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
