/* test_baseline.c - noisy expected improvement against the textbook formula in long double and against plain
 * Monte-Carlo, its gradients against differences, which rows are chosen, and the limits: no noise, one row, many
 * columns, points on top of rows. */
#include "own_score.h"
#include "stage.h"

#include <baseline.h>
#include <gp.h>

#include "reference/gp_reference.h"
#include "reference/nei_reference.h"

enum { MAX_ROWS = 24, MAX_PENDING = 3, MAX_COLUMNS = 40, AT = 3 };
static const double FIRST_JITTER = 1e-9; /* of the library, relative to the signal variance */

/* Data, pending rows and points to look at. */
typedef struct setting {
    gp_spec spec;
    size_t group[MAX_COLUMNS];
    double theta[MAX_COLUMNS + 2];
    size_t n, pending;
    double x[(MAX_ROWS + MAX_PENDING) * MAX_COLUMNS], at[AT * MAX_COLUMNS];
    double y[MAX_ROWS], scale[MAX_ROWS], extra[MAX_ROWS];
} setting;

/* The model of a setting, and its baseline. */
typedef struct subject {
    gp *model;
    baseline b;
    double mean[MAX_ROWS + MAX_PENDING];
    double rho[BASELINE_POINTS], rho_at; /* stretch at the chosen rows, and where it is looked at */
} subject;

static gp_data data_of(const setting *s) { return (gp_data){s->n, s->x, s->y, s->scale, s->extra, NULL}; }

static const double *pending_of(const setting *s) { return s->x + s->n * s->spec.columns; }

/* ---- settings ---------------------------------------------------------------------------------- */

static void set_model(setting *s, locbo_kernel family, size_t columns, int isotropic, double noise_var, rng *r) {
    s->spec = (gp_spec){family, columns, isotropic ? 1 : columns, s->group, rng_below(r, 2) == 0, 0};
    for (size_t c = 0; c < columns; c++) s->group[c] = isotropic ? 0 : c;
    /* the diagonal of the cube is a few lengths, in any number of columns */
    for (size_t i = 0; i < s->spec.lengths; i++)
        s->theta[i] = log(sqrt((double)columns) * (0.1 + 0.3 * rng_uniform(r)));
    s->theta[s->spec.lengths] = log(0.5 + 2 * rng_uniform(r));
    s->theta[s->spec.lengths + 1] = log(noise_var);
}

/* n rows, every fifth at the point of another, some more or less noisy than the rest; the last pending row is at the
 * point of a data row; the last point is close to one. */
static void set_rows(setting *s, size_t n, size_t pending, rng *r) {
    size_t d = s->spec.columns;
    s->n = n, s->pending = pending;
    for (size_t i = 0; i < (n + pending) * d; i++) s->x[i] = rng_uniform(r);
    for (size_t i = 4; i < n; i += 5) memcpy(s->x + i * d, s->x + (i - 3) * d, d * sizeof *s->x);
    if (pending > 1) memcpy(s->x + (n + pending - 1) * d, s->x, d * sizeof *s->x);
    double noise = exp(s->theta[s->spec.lengths + 1]);
    for (size_t i = 0; i < n; i++) {
        s->scale[i] = i % 3 == 1 ? 0.5 : 1;
        s->extra[i] = i % 4 == 2 ? noise : 0;
        s->y[i] = sin(5 * s->x[i * d]) + s->x[i * d + d - 1] + sqrt(noise) * rng_normal(r);
    }
    for (size_t i = 0; i < AT * d; i++) s->at[i] = rng_uniform(r);
    for (size_t c = 0; c < d; c++) s->at[(AT - 1) * d + c] = s->x[c] + 0.02;
}

static setting *random_setting(uint64_t trial, rng *r) {
    setting *s = calloc(1, sizeof *s);
    double noise_var = pow(10, -6 * rng_uniform(r));
    set_model(s, (locbo_kernel)(trial % 3), 1 + (size_t)rng_below(r, 4), rng_below(r, 2) == 0, noise_var, r);
    set_rows(s, 1 + (size_t)rng_below(r, MAX_ROWS), (size_t)rng_below(r, MAX_PENDING + 1), r);
    return s;
}

/* Means as the optimizer takes them, and a baseline from this stream. */
static void prepare(subject *t, rng stream) {
    const gp *g = t->model;
    size_t n = gp_rows(g), pending = gp_pending(g), columns = gp_get_spec(g)->columns;
    double v[MAX_PENDING];
    gp_work work = {0};
    gp_fitted(g, t->mean);
    check_ok(gp_predict(g, pending, gp_inputs(g) + n * columns, t->mean + n, v, &work, &error));
    baseline_choose(&t->b, g, t->mean, NULL);
    check_ok(baseline_prepare(&t->b, g, t->rho, stream, &error));
    gp_work_release(&work);
}

/* Stretched: by anything from 0.3 to 3. */
static subject open_subject(const setting *s, uint64_t seed, int stretched) {
    subject t = {.rho_at = 1};
    rng r = rng_open(seed, 1, RNG_BASELINE);
    for (size_t k = 0; k < BASELINE_BEST; k++) t.rho[k] = stretched ? pow(3, 2 * rng_uniform(&r) - 1) : 1;
    if (stretched) t.rho_at = pow(3, 2 * rng_uniform(&r) - 1);
    gp_data data = data_of(s);
    size_t d = s->spec.columns;
    check_ok(gp_create(&t.model, &s->spec, &error));
    check_ok(gp_factor(t.model, s->theta, &data, &error));
    for (size_t i = 0; i < s->pending; i++) check_ok(gp_append_pending(t.model, pending_of(s) + i * d, &error));
    check_ok(baseline_init(&t.b, d, &error));
    prepare(&t, rng_open(seed, 0, RNG_BASELINE));
    return t;
}

static void close_subject(subject *t) {
    baseline_release(&t->b);
    gp_destroy(t->model);
}

/* The scores of the points of a setting. */
static void score(const subject *t, size_t m, const double *at, double *log_ei) {
    double mu[AT], v[AT];
    gp_work work = {0};
    check_ok(gp_predict(t->model, m, at, mu, v, &work, &error));
    for (size_t i = 0; i < m; i++) {
        baseline_view view = {mu[i], v[i], t->rho_at, {0}};
        baseline_tie(&t->b, &work, i, view.d);
        log_ei[i] = baseline_log_ei(&t->b, &view, NULL);
    }
    gp_work_release(&work);
}

/* ---- against the textbook ---------------------------------------------------------------------- */

/* The joint posterior of f at the chosen rows and at x, by the reference. */
static void joint_of(const setting *s, const subject *t, const double *x, double *mu, double *cov) {
    size_t d = s->spec.columns, n = t->b.points;
    double points[(BASELINE_POINTS + 1) * MAX_COLUMNS];
    gp_data data = data_of(s);
    for (size_t k = 0; k < n; k++) memcpy(points + k * d, s->x + t->b.row[k] * d, d * sizeof *points);
    memcpy(points + n * d, x, d * sizeof *points);
    gp_reference_predict(&s->spec, s->theta, &data, gp_jitter(t->model), s->pending, pending_of(s), n + 1, points, mu,
                         NULL, cov, NULL);
}

/* Every standard deviation times its rho; correlations unchanged. */
static void stretch(const subject *t, double *cov) {
    size_t n = t->b.points, all = n + 1;
    for (size_t i = 0; i < all; i++)
        for (size_t j = 0; j < all; j++)
            cov[i * all + j] *= (i < n ? t->rho[i] : t->rho_at) * (j < n ? t->rho[j] : t->rho_at);
}

/* The jitter that the library's factor has: of those it may have, the one that explains the first pivot. */
static double jitter_of(const subject *t, const double *cov) {
    double signal = gp_signal_var(t->model), first = t->b.factor[0] * t->b.factor[0];
    for (double jitter = FIRST_JITTER; jitter < 2e-3; jitter *= 10)
        if (fabs(first - cov[0] - jitter * signal) < 0.1 * jitter * signal) return jitter * signal;
    fail_msg("F_00^2 = %.17g is not %.17g with jitter", first, cov[0]);
    return NAN;
}

/* None twice, and no other row has a larger mean by the reference. */
static void check_choice(const setting *s, const subject *t) {
    size_t d = s->spec.columns, rows = s->n + s->pending, points = 0;
    double mu[MAX_ROWS + MAX_PENDING], least = INFINITY;
    gp_data data = data_of(s);
    gp_reference_predict(&s->spec, s->theta, &data, gp_jitter(t->model), s->pending, pending_of(s), rows, s->x, mu,
                         NULL, NULL, NULL);
    for (size_t k = 0; k < t->b.points; k++) least = fmin(least, mu[t->b.row[k]]);
    for (size_t i = 0; i < rows; i++) {
        size_t times = 0, before = 0;
        for (size_t k = 0; k < t->b.points; k++)
            times += memcmp(s->x + t->b.row[k] * d, s->x + i * d, d * sizeof *s->x) == 0;
        for (size_t j = 0; j < i; j++) before += memcmp(s->x + j * d, s->x + i * d, d * sizeof *s->x) == 0;
        points += before == 0;
        assert_true(times <= 1);
        if (times == 0) assert_true(mu[i] <= least + 1e-8); /* as far as the model knows it */
    }
    assert_int_equal(t->b.points, points < BASELINE_BEST ? points : BASELINE_BEST);
}

/* The points of s by the reference; returns how many of them are known well: neither the rows nor x are close enough to
 * the chosen ones for f there to be known but for rounding, and EI is not in the far tail. */
static int check_setting(const setting *s, const subject *t) {
    double mu[BASELINE_POINTS + 1], cov[(BASELINE_POINTS + 1) * (BASELINE_POINTS + 1)];
    double found[AT], left, signal = gp_signal_var(t->model), pivot = INFINITY;
    size_t n = t->b.points;
    int well = 0;
    score(t, AT, s->at, found);
    for (size_t k = 0; k < n; k++) pivot = fmin(pivot, pow(t->b.factor[k + k * n], 2));
    for (size_t i = 0; i < AT; i++) {
        joint_of(s, t, s->at + i * s->spec.columns, mu, cov);
        double jitter = jitter_of(t, cov);
        for (size_t k = 0; k < n; k++) cov[k * (n + 1) + k] += jitter;
        stretch(t, cov);
        double expected = nei_reference_log(n, mu, cov, BASELINE_DRAWS, t->b.draw[0], BASELINE_POINTS, &left);
        int strict = pivot > 1e-5 * signal && left > 1e-5 * signal && expected > -100;
        /* otherwise rounding of 1e-16 meets a jitter of 1e-9, and scores that are their square */
        double tolerance = strict ? 1e-8 : expected > -1000 ? 1e-2 : INFINITY;
        well += strict;
        check_that(isfinite(found[i]) && fabs(found[i] - expected) <= tolerance,
                   "point %zu of %zu+%zu rows, %zu columns: log EI %.17g, expected %.17g", i, s->n, s->pending,
                   s->spec.columns, found[i], expected);
        if (expected < -1000) assert_true(found[i] < -900);
    }
    return well;
}

static void the_textbook_formula(void **state) {
    (void)state;
    enum { MODELS = 240 };
    int well = 0;
    rng r = scene_random(71);
    for (uint64_t trial = 0; trial < MODELS; trial++) {
        setting *s = random_setting(trial, &r);
        subject t = open_subject(s, trial, trial % 4 > 0);
        check_choice(s, &t);
        well += check_setting(s, &t);
        close_subject(&t);
        free(s);
    }
    print_message("%d of %d points known well\n", well, MODELS * AT);
    assert_true(well > MODELS * AT / 2);
}

/* ---- against Monte-Carlo ----------------------------------------------------------------------- */

/* exp(score) at x over many streams: mean and standard error. */
static double mean_of_streams(subject *t, const double *x, size_t streams, double *error_of_mean) {
    double sum = 0, squares = 0, log_ei;
    for (uint64_t i = 0; i < streams; i++) {
        prepare(t, rng_open(5, i, RNG_BASELINE));
        score(t, 1, x, &log_ei);
        sum += exp(log_ei);
        squares += exp(2 * log_ei);
    }
    double mean = sum / (double)streams;
    *error_of_mean = sqrt((squares / (double)streams - mean * mean) / (double)streams);
    return mean;
}

static void plain_monte_carlo(void **state) {
    (void)state;
    rng r = scene_random(72);
    for (uint64_t trial = 0; trial < 6; trial++) {
        setting *s = calloc(1, sizeof *s);
        double mu[BASELINE_POINTS + 1], cov[(BASELINE_POINTS + 1) * (BASELINE_POINTS + 1)], e1, e2;
        set_model(s, (locbo_kernel)(trial % 3), 2, 0, 0.05 + 0.4 * rng_uniform(&r), &r);
        set_rows(s, 4 + 2 * (size_t)trial, trial % 2 ? 2 : 0, &r);
        subject t = open_subject(s, trial, trial % 2);
        for (size_t i = 0; i < AT; i++) {
            const double *x = s->at + i * s->spec.columns;
            double mean = mean_of_streams(&t, x, 250, &e1);
            joint_of(s, &t, x, mu, cov);
            stretch(&t, cov);
            double naive = nei_reference_monte_carlo(t.b.points, mu, cov, 20000, &r, &e2);
            /* 18 comparisons: with other seeds 1 run of 1000 would fail; the errors show one of 20 % */
            check_that(fabs(mean - naive) <= 4 * hypot(e1, e2), "NEI %g (%g), naively %g (%g)", mean, e1, naive, e2);
            if (naive > 0.02) assert_true(hypot(e1, e2) < 0.05 * naive);
        }
        close_subject(&t);
        free(s);
    }
}

/* ---- gradients --------------------------------------------------------------------------------- */

/* Derivatives by mu, v, rho and d. */
static void check_partial(const baseline *b, baseline_view at) {
    baseline_view g;
    double *argument[BASELINE_POINTS + 3] = {&at.mu, &at.v, &at.rho};
    double *partial[BASELINE_POINTS + 3] = {&g.mu, &g.v, &g.rho};
    baseline_log_ei(b, &at, &g);
    for (size_t k = 0; k < b->points; k++) argument[k + 3] = &at.d[k], partial[k + 3] = &g.d[k];
    for (size_t k = 0; k < b->points + 3; k++) {
        double centre = *argument[k], step = 1e-6;
        *argument[k] = centre + step;
        double up = baseline_log_ei(b, &at, NULL);
        *argument[k] = centre - step;
        double slope = (up - baseline_log_ei(b, &at, NULL)) / (2 * step);
        *argument[k] = centre;
        /* rounding 1e-15/step, third derivatives of 1e4 or less */
        check_close(*partial[k], slope, 1e-6, 1e-7);
    }
}

static void partial_derivatives(void **state) {
    (void)state;
    rng r = scene_random(73);
    for (uint64_t trial = 0; trial < 30; trial++) {
        setting *s = calloc(1, sizeof *s);
        set_model(s, (locbo_kernel)(trial % 3), 2, 0, 0.1, &r);
        set_rows(s, 2 + (size_t)rng_below(&r, 20), 0, &r);
        subject t = open_subject(s, trial, 1);
        double size = 0, top = t.b.mu[0];
        baseline_view at = {top - 1 + rng_uniform(&r), 0, t.rho_at, {0}};
        for (size_t k = 0; k < t.b.points; k++) at.d[k] = 0.3 * rng_normal(&r), size += at.d[k] * at.d[k];
        at.v = size + 0.3 + rng_uniform(&r);
        check_partial(&t.b, at);
        at.v = 0.5 * size; /* nothing is left when f(A) is known */
        at.mu = top + 4;   /* EI is f(x) - best */
        check_partial(&t.b, at);
        at.mu = top - 6; /* or next to nothing, and moves with v */
        check_partial(&t.b, at);
        close_subject(&t);
        free(s);
    }
}

/* A surface of the plain model over the subject. */
static surface open_surface(const setting *s, const subject *t, calibrator **plain, surface_work *work) {
    locbo_options config = {.method = LOCBO_METHOD_BO, .alpha = 0.1, .z_max = 3.4};
    check_ok(calibrator_create(plain, &config, s->spec.columns, 1, &error));
    check_ok(surface_work_init(work, s->spec.columns, &error));
    return (surface){.part = {{t->model, gp_noise_var(t->model), *plain, work, NULL}},
                     .acquisition = {.kind = LOCBO_ACQUISITION_LOG_EI, .baseline = &t->b, .parts = 1, .alpha = 0.1},
                     .columns = s->spec.columns};
}

static void gradients_of_models(void **state) {
    (void)state;
    rng r = scene_random(74);
    for (uint64_t trial = 0; trial < 60; trial++) {
        setting *s = calloc(1, sizeof *s);
        calibrator *plain;
        set_model(s, (locbo_kernel)(trial % 3), 2 + trial % 4, trial % 2, 0.01 + 0.2 * rng_uniform(&r), &r);
        set_rows(s, 2 + (size_t)rng_below(&r, MAX_ROWS - 2), (size_t)rng_below(&r, 4), &r);
        subject t = open_subject(s, trial, 0);
        surface_work work;
        surface f = open_surface(s, &t, &plain, &work);
        for (size_t i = 0; i < AT; i++) stage_check_gradient(&f, s->at + i * s->spec.columns);
        surface_work_release(&work);
        calibrator_destroy(plain);
        close_subject(&t);
        free(s);
    }
}

/* The baseline of a stage as the optimizer makes it: stretched by the calibrator. */
static void prepare_stage(stage *s, baseline *b) {
    const gp *g = s->model;
    size_t rows = gp_rows(g) + gp_pending(g);
    double mean[STAGE_ROWS + MAX_PENDING], rho[BASELINE_POINTS];
    check_ok(surface_predict(&s->surface, rows, gp_inputs(g), &error));
    memcpy(mean, s->work.mu, rows * sizeof *mean);
    baseline_choose(b, g, mean, NULL);
    check_ok(surface_predict(&s->surface, b->points, baseline_inputs(b), &error));
    for (size_t k = 0; k < b->points; k++) {
        calibrator_point p = surface_point(&s->surface, 0, baseline_inputs(b), k);
        law l;
        calibrator_law(s->calibrator, &p, &l);
        rho[k] = acquisition_stretch(&s->surface.acquisition, &l, NULL);
    }
    check_ok(baseline_prepare(b, g, rho, rng_open(75, 0, RNG_BASELINE), &error));
    s->surface.acquisition.baseline = b;
}

/* At random points, with the success model and without. */
static void check_stage(stage *s, rng *r) {
    for (int i = 0; i < 8; i++) {
        double x[STAGE_MAX], u[STAGE_MAX], with, without;
        stage_point(s, r, x, u);
        s->surface.success = NULL;
        stage_check_gradient(&s->surface, u);
        check_ok(surface_score(&s->surface, 1, u, &without, &error));
        s->surface.success = s->success;
        stage_check_gradient(&s->surface, u);
        check_ok(surface_score(&s->surface, 1, u, &with, &error));
        check_that(with < without, "the success model raised %g to %g", without, with);
    }
}

/* Every calibrator but CBO's, whose gradient leaves out how its set moves; categories; pending rows. */
static void gradients_of_calibrated_laws(void **state) {
    (void)state;
    locbo_space *space = scene_mixed();
    rng r = scene_random(75);
    for (size_t k = 0; k + 1 < SCENE_METHOD_COUNT; k++) {
        double x[STAGE_MAX], u[STAGE_MAX];
        baseline b;
        if (strcmp(SCENE_METHODS[k].method, "cbo") == 0) continue;
        stage *s = stage_open(space, &SCENE_METHODS[k], 75);
        check_ok(baseline_init(&b, s->columns, &error));
        for (int pending = 0; pending < MAX_PENDING; pending++) {
            prepare_stage(s, &b);
            check_stage(s, &r);
            stage_point(s, &r, x, u);
            check_ok(gp_append_pending(s->model, u, &error));
        }
        baseline_release(&b);
        stage_close(s);
    }
    locbo_space_destroy(space);
}

/* Where CBO's set is everything a point is worth nothing, however much the model hopes for. */
static void worthless_points(void **state) {
    (void)state;
    locbo_space *space = scene_cube(4);
    rng r = scene_random(76);
    stage *s = stage_open(space, &SCENE_METHODS[3], 2);
    size_t worthless = 0, others = 0;
    baseline b;
    check_ok(baseline_init(&b, s->columns, &error));
    prepare_stage(s, &b);
    for (int i = 0; i < 400; i++) {
        double x[STAGE_MAX], u[STAGE_MAX], grad[STAGE_MAX], found, same;
        law l;
        stage_point(s, &r, x, u);
        check_ok(surface_score(&s->surface, 1, u, &found, &error));
        check_ok(surface_score_grad(&s->surface, u, &same, grad, &error));
        calibrator_point p = surface_point(&s->surface, 0, u, 0);
        calibrator_law(s->calibrator, &p, &l);
        check_close(same, found, 1e-8, 1e-8);
        if (l.kind == LAW_NORMAL) {
            worthless++;
            check_that(found < -1e9, "log EI %g", found);
        } else {
            others++;
            assert_true(found > -1e9);
        }
        for (size_t c = 0; c < s->columns; c++) assert_true(isfinite(grad[c]));
    }
    print_message("%zu worthless points, %zu others\n", worthless, others);
    assert_true(worthless > 10 && others > 10);
    baseline_release(&b);
    stage_close(s);
    locbo_space_destroy(space);
}

/* ---- limits ------------------------------------------------------------------------------------ */

/* One result without noise: EI over it. */
static void one_row_without_noise(void **state) {
    (void)state;
    rng r = scene_random(76);
    for (int family = 0; family < 3; family++)
        for (int k = 0; k < 20; k++) {
            setting *s = calloc(1, sizeof *s);
            double mu, v, found;
            gp_work work = {0};
            set_model(s, (locbo_kernel)family, 2, 0, 1e-14, &r);
            set_rows(s, 1, 0, &r);
            subject t = open_subject(s, 1, 0);
            assert_int_equal(t.b.points, 1);
            check_ok(gp_predict(t.model, 1, s->at, &mu, &v, &work, &error));
            locbo_view view = {.mean = mu, .var_f = v, .best = s->y[0]};
            score(&t, 1, s->at, &found);
            /* the jitter makes the best uncertain by 1e-9 of the signal variance; antithetic draws leave the square of
             * that sd, relative to the variance at the point */
            check_close(found, own_log_ei(&view, NULL), 0, 1e-7);
            gp_work_release(&work);
            close_subject(&t);
            free(s);
        }
}

/* A score and a gradient on each chosen row, and beside it by less than the eye of the model. */
static void check_on_top(const setting *s, const subject *t) {
    calibrator *plain;
    surface_work work;
    surface f = open_surface(s, t, &plain, &work);
    size_t d = s->spec.columns;
    for (size_t k = 0; k < t->b.points; k++)
        for (int beside = 0; beside < 3; beside++) {
            double u[MAX_COLUMNS], grad[MAX_COLUMNS], one, batch;
            memcpy(u, s->x + t->b.row[k] * d, d * sizeof *u);
            u[0] += beside * 1e-9;
            check_ok(surface_score_grad(&f, u, &one, grad, &error));
            check_ok(surface_score(&f, 1, u, &batch, &error));
            assert_true(isfinite(one) && isfinite(batch));
            for (size_t c = 0; c < d; c++) assert_true(isfinite(grad[c]));
        }
    surface_work_release(&work);
    calibrator_destroy(plain);
}

static void points_on_top_of_rows(void **state) {
    (void)state;
    static const double noises[] = {1e-40, 1e-12, 1e-6, 1e-2, 1};
    rng r = scene_random(77);
    for (size_t k = 0; k < 15; k++)
        for (size_t n = 1; n <= MAX_ROWS; n += n < 4 ? 1 : 10) {
            setting *s = calloc(1, sizeof *s);
            set_model(s, (locbo_kernel)(k % 3), 1 + k % 4, 0, noises[k / 3], &r);
            set_rows(s, n, n % 2 ? 2 : 0, &r);
            subject t = open_subject(s, k, 0);
            check_on_top(s, &t);
            close_subject(&t);
            free(s);
        }
}

/* Nothing the model may say of a point makes the score infinite. */
static void extreme_beliefs(void **state) {
    (void)state;
    static const double values[] = {0, 5e-324, 1e-310, 1e-150, 1e-16, 1, 1e16, 1e50};
    enum { VALUES = sizeof values / sizeof values[0] };
    setting *s = calloc(1, sizeof *s);
    rng r = scene_random(78);
    set_model(s, LOCBO_KERNEL_MATERN52, 2, 0, 0.1, &r);
    set_rows(s, 20, 0, &r);
    subject t = open_subject(s, 1, 0);
    for (size_t i = 0; i < VALUES * VALUES * VALUES * 2; i++) {
        double v = values[i / 2 / VALUES % VALUES];
        baseline_view g, at = {(i % 2 ? -1 : 1) * values[i / 2 % VALUES], v, i % 3 ? 1 : 0.1, {0}};
        for (size_t k = 0; k < t.b.points; k++)
            at.d[k] = sqrt(v) * fmin(values[i / 2 / VALUES / VALUES], 1) * (k % 2 ? -1 : 1);
        double found = baseline_log_ei(&t.b, &at, &g);
        int finite = isfinite(found) && isfinite(g.mu) && isfinite(g.v) && isfinite(g.rho);
        for (size_t k = 0; k < t.b.points; k++) finite = finite && isfinite(g.d[k]);
        check_that(finite, "mu %g, v %g, d %g: %g, gradient %g %g %g %g", at.mu, v, at.d[0], found, g.mu, g.v, g.rho,
                   g.d[0]);
    }
    close_subject(&t);
    free(s);
}

/* Rows at the same point count once, whichever has the best mean; pending ones as well. */
static void a_place_is_chosen_once(void **state) {
    (void)state;
    setting *s = calloc(1, sizeof *s);
    rng r = scene_random(79);
    set_model(s, LOCBO_KERNEL_MATERN52, 1, 0, 0.1, &r);
    s->spec.estimate_mean = 0;
    set_rows(s, 4, 2, &r);
    static const double x[] = {0.2, 0.8, 0.8, 0.5, 0.8, 0.3}, y[] = {0, 2, 2.5, 1};
    memcpy(s->x, x, sizeof x);
    memcpy(s->y, y, sizeof y);
    subject t = open_subject(s, 1, 0);
    assert_int_equal(t.b.points, 4);
    for (size_t k = 0; k < 4; k++)
        for (size_t j = 0; j < k; j++) assert_true(x[t.b.row[k]] != x[t.b.row[j]]);
    assert_true(x[t.b.row[0]] == 0.8);
    /* what it is given decides, not the model */
    double mean[] = {5, 1, 1, 3, 4, 2};
    baseline_choose(&t.b, t.model, mean, NULL);
    static const size_t order[] = {0, 4, 3, 5};
    for (size_t k = 0; k < 4; k++) {
        assert_int_equal(t.b.row[k], order[k]);
        check_same(baseline_inputs(&t.b)[k], x[order[k]]);
    }
    close_subject(&t);
    free(s);
}

/* Draws come in pairs, and the same stream gives the same; one baseline serves models of any size. */
static void draws(void **state) {
    (void)state;
    rng r = scene_random(80);
    baseline b;
    check_ok(baseline_init(&b, 2, &error));
    for (size_t n = 24; n >= 1; n = n == 24 ? 2 : n == 2 ? 13 : n == 13 ? 1 : 0) {
        setting *s = calloc(1, sizeof *s);
        double one, other;
        baseline_view at = {0.5, 1, 1, {0.1}};
        set_model(s, LOCBO_KERNEL_MATERN32, 2, 0, 0.1, &r);
        set_rows(s, n, 0, &r);
        subject t = open_subject(s, 3, 1);
        baseline_choose(&b, t.model, t.mean, NULL);
        check_ok(baseline_prepare(&b, t.model, t.rho, rng_open(3, 0, RNG_BASELINE), &error));
        for (size_t i = 0; i < BASELINE_DRAWS; i += 2)
            for (size_t k = 0; k < b.points; k++) {
                check_same(b.draw[i][k], t.b.draw[i][k]);
                check_same(b.draw[i + 1][k], -b.draw[i][k]);
            }
        one = baseline_log_ei(&b, &at, NULL);
        other = baseline_log_ei(&t.b, &at, NULL);
        check_same(one, other);
        check_ok(baseline_prepare(&b, t.model, t.rho, rng_open(4, 0, RNG_BASELINE), &error));
        assert_true(b.draw[0][0] != t.b.draw[0][0]);
        close_subject(&t);
        free(s);
    }
    baseline_release(&b);
    baseline_release(&b); /* twice does no harm */
}

/* Two rows, one row, and many columns: the same checks. */
static void few_rows_many_columns(void **state) {
    (void)state;
    rng r = scene_random(81);
    for (size_t k = 0; k < 18; k++) {
        setting *s = calloc(1, sizeof *s);
        calibrator *plain;
        set_model(s, (locbo_kernel)(k % 3), k % 2 ? MAX_COLUMNS : 3, k % 4 == 1, 0.05, &r);
        set_rows(s, k < 6 ? 2 : k < 12 ? 1 : MAX_ROWS, k < 12 ? 0 : 3, &r);
        subject t = open_subject(s, k, 0);
        check_choice(s, &t);
        assert_int_equal(check_setting(s, &t), AT);
        surface_work work;
        surface f = open_surface(s, &t, &plain, &work);
        for (size_t i = 0; i < AT; i++) stage_check_gradient(&f, s->at + i * s->spec.columns);
        surface_work_release(&work);
        calibrator_destroy(plain);
        close_subject(&t);
        free(s);
    }
}

/* rho compares the widths of intervals of y at the same level, and never says that the model is certain. */
static void stretches(void **state) {
    (void)state;
    static const double level[] = {0.1, 0.5, 0.9}, z05 = 1.6448536269514727; /* Q(z05) = 0.05 */
    law normal = {.kind = LAW_NORMAL, .mu = 3, .v = 2, .s2 = 1};
    check_same(law_stretch(&normal, 0.1, NULL), 1.0);
    law set = {.kind = LAW_SET, .mu = 3, .v = 2, .s2 = 1, .tail_mass = 0.1, .shape_n = 2};
    set.shape[0] = -1, set.shape[1] = 2.5;
    check_close(law_stretch(&set, 0.1, NULL), 3.5 / (2 * z05), 1e-14, 0);
    set.shape[0] = set.shape[1] = 0;
    law_grad g;
    check_same(law_stretch(&set, 0.1, &g), LAW_LEAST_STRETCH);
    assert_true(g.shape[0] == 0 && g.shape[1] == 0);
    /* quantiles as they are give the model back, at levels of the table; others spread them */
    law table = {.kind = LAW_QUANTILE, .v = 2, .s2 = 1, .z_max = 4, .level = level, .shape_n = 3};
    for (size_t i = 0; i < 3; i++) table.shape[i] = level[i];
    check_close(law_stretch(&table, 0.2, NULL), 1, 1e-12, 0);
    table.shape[0] = 0.05, table.shape[2] = 0.95;
    check_close(law_stretch(&table, 0.2, NULL), z05 / 1.2815515655446004, 1e-12, 0);
}

/* What the user is shown is the log for log-ei and its exponential for ei. */
static void values_shown(void **state) {
    (void)state;
    locbo_space *space = scene_cube(2);
    stage *s = stage_open(space, &SCENE_METHODS[0], 82);
    double u[] = {0.3, 0.5, 0.7, 0.1, 0.45, 0.2}, log_ei[AT];
    baseline b;
    check_ok(baseline_init(&b, 2, &error));
    prepare_stage(s, &b);
    check_ok(surface_score(&s->surface, AT, u, log_ei, &error));
    for (size_t i = 0; i < AT; i++) {
        acquisition_point at;
        surface_at(&s->surface, u, i, &at);
        s->surface.acquisition.kind = LOCBO_ACQUISITION_LOG_EI;
        check_same(acquisition_value(&s->surface.acquisition, &at), log_ei[i]);
        s->surface.acquisition.kind = LOCBO_ACQUISITION_EI;
        check_close(acquisition_value(&s->surface.acquisition, &at), exp(log_ei[i]), 1e-12, 0);
    }
    baseline_release(&b);
    stage_close(s);
    locbo_space_destroy(space);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_textbook_formula),
        cmocka_unit_test(plain_monte_carlo),
        cmocka_unit_test(partial_derivatives),
        cmocka_unit_test(gradients_of_models),
        cmocka_unit_test(gradients_of_calibrated_laws),
        cmocka_unit_test(worthless_points),
        cmocka_unit_test(one_row_without_noise),
        cmocka_unit_test(points_on_top_of_rows),
        cmocka_unit_test(extreme_beliefs),
        cmocka_unit_test(a_place_is_chosen_once),
        cmocka_unit_test(draws),
        cmocka_unit_test(few_rows_many_columns),
        cmocka_unit_test(stretches),
        cmocka_unit_test(values_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
