/* test_replicates.c - measurements of one point as one row against the same measurements as a row each: likelihood and
 * gradient, posterior, weights and scores under Student's t, conformal sets, the success model, proposals. Also the
 * index of points, what is saved, and how many rows a model has. */
#include "replicates.h"

#include "feasible.h"
#include "gpfit.h"
#include "optimizer.h"
#include "reference/gp_reference.h"
#include "robust.h"
#include "scene.h"
#include "wcp.h"

enum { D = 3, LENGTHS = 2, COUNT = LENGTHS + 2, POINTS = 8, MOST = 60, TRIALS = 24 };
static const size_t groups[D] = {0, 1, 1}; /* the last two columns share a length scale */

/* ---- random measurements ----------------------------------------------------------------------- */

/* What is known of the measurements' accuracy. */
enum { NOTHING, COUNTS, ONE_SD, SOME_SDS, ALL_SDS, PATTERNS };

typedef struct setting {
    gp_spec spec;
    double theta[COUNT];
    size_t n, rows, point[MOST];
    double x[MOST * D], y[MOST], base[MOST], scale[MOST], extra[MOST]; /* scale: base, or weights on it */
    gp *merged, *apart;
} setting;

static double log_uniform(rng *r, double a, double b) { return exp(log(a) + log(b / a) * rng_uniform(r)); }

static gp_data data_of(const setting *s, int merged) {
    return (gp_data){s->n, s->x, s->y, s->scale, s->extra, merged ? s->point : NULL};
}

static void factor(setting *s) {
    gp_data merged = data_of(s, 1), apart = data_of(s, 0);
    check_ok(gp_factor(s->merged, s->theta, &merged, &error));
    check_ok(gp_factor(s->apart, s->theta, &apart, &error));
}

static void draw_noise(setting *s, size_t i, int pattern, rng *r) {
    double sd = pattern == ONE_SD ? 0.2 : log_uniform(r, 0.01, 1);
    int known = pattern == ALL_SDS || pattern == ONE_SD || (pattern == SOME_SDS && rng_uniform(r) < 0.5);
    s->base[i] = pattern == NOTHING || pattern == ONE_SD ? 1 : 1 / (double)(1 + rng_below(r, 4));
    s->scale[i] = s->base[i];
    s->extra[i] = known ? sd * sd : 0;
}

/* Measurements in any order, at fewer points than there are measurements. */
static setting make(uint64_t trial, int weighted) {
    rng r = rng_open(2718, trial, RNG_DESIGN);
    double at[POINTS * D], noise_var = log_uniform(&r, 1e-2, 0.5);
    size_t number[POINTS];
    setting s = {.spec = {(locbo_kernel)(trial % 3), D, LENGTHS, groups, trial % 4 != 3, 0},
                 .n = 2 + (size_t)rng_below(&r, MOST - 1)};
    for (size_t i = 0; i < LENGTHS; i++) s.theta[i] = log(0.2 + 0.6 * rng_uniform(&r));
    s.theta[LENGTHS] = log(0.5 + 2 * rng_uniform(&r));
    s.theta[LENGTHS + 1] = log(noise_var);
    for (size_t i = 0; i < POINTS * D; i++) at[i] = rng_uniform(&r);
    for (size_t p = 0; p < POINTS; p++) number[p] = SIZE_MAX;
    for (size_t i = 0; i < s.n; i++) {
        size_t p = (size_t)rng_below(&r, POINTS);
        if (number[p] == SIZE_MAX) number[p] = s.rows++;
        s.point[i] = number[p];
        memcpy(s.x + i * D, at + p * D, D * sizeof *at);
        draw_noise(&s, i, (int)(trial % PATTERNS), &r);
        s.y[i] = 1 + sin(5 * at[p * D]) * at[p * D + 1] + sqrt(noise_var * s.base[i] + s.extra[i]) * rng_normal(&r);
        if (i % 8 == 7) s.y[i] += 5 * rng_normal(&r);
        if (weighted) s.scale[i] *= log_uniform(&r, 0.8, 50);
    }
    check_ok(gp_create(&s.merged, &s.spec, &error));
    check_ok(gp_create(&s.apart, &s.spec, &error));
    factor(&s);
    assert_int_equal(gp_rows(s.merged), s.rows);
    assert_int_equal(gp_measurements(s.merged), s.n);
    assert_int_equal(gp_rows(s.apart), s.n);
    return s;
}

static void end(setting *s) {
    gp_destroy(s->merged);
    gp_destroy(s->apart);
}

/* ---- the model --------------------------------------------------------------------------------- */

/* The fit has a jitter of 1e-10 signal_var, at most 3e-10, on the diagonal, of every measurement or of every row. The
 * least variance is 1e-2 / 4: each term of the likelihood changes by 1.2e-7 of itself at most, those of its gradient by
 * twice that. */
static const double by_jitter = 3e-7, a_little = 1e-5;

static void check_slopes(gpfit_work *w, const gpfit_config *c, const gp_data *data, double *theta, const double *grad) {
    for (size_t i = 0; i < COUNT; i++) {
        double up, down, h = 1e-4, kept = theta[i], largest = 1;
        for (size_t k = 0; k < COUNT; k++) largest = fmax(largest, fabs(grad[k]));
        theta[i] = kept + h;
        check_ok(gpfit_objective(w, c, data, theta, &up, NULL, &error));
        theta[i] = kept - h;
        check_ok(gpfit_objective(w, c, data, theta, &down, NULL, &error));
        theta[i] = kept;
        check_close(grad[i], (up - down) / (2 * h), 0, 1e-6 * largest); /* h^2 / 6 third derivatives */
    }
}

static void likelihood_and_gradient_are_those_of_rows(void **state) {
    (void)state;
    gpfit_settings settings = {.surrogate = LOCBO_SURROGATE_MAP,
                               .length_scale = NAN,
                               .noise_var = NAN,
                               .noise_floor = 1e-8,
                               .input_span = 1,
                               .pooling = 0.5};
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        setting s = make(trial, trial % 2);
        gp_data merged = data_of(&s, 1), apart = data_of(&s, 0);
        gpfit_work *w = NULL;
        gpfit_config c;
        double value, rows, grad[COUNT], row_grad[COUNT], prior[COUNT], none, largest = 0;
        check_ok(gpfit_work_create(&w, &s.spec, &error));
        check_ok(gpfit_config_init(&c, &s.spec, D, &settings, &error));
        check_ok(gpfit_objective(w, &c, &apart, s.theta, &rows, row_grad, &error));
        check_ok(gpfit_objective(w, &c, &merged, s.theta, &value, grad, &error));
        check_close(value, rows, by_jitter, a_little);
        for (size_t i = 0; i < COUNT; i++) largest = fmax(largest, fabs(row_grad[i]));
        for (size_t i = 0; i < COUNT; i++) check_close(grad[i], row_grad[i], 0, by_jitter * largest + a_little);
        check_slopes(w, &c, &merged, s.theta, grad);
        check_ok(gpfit_objective(w, &c, &(gp_data){0}, s.theta, &none, prior, &error)); /* the prior alone */
        check_close(value - none, gp_reference_likelihood(&s.spec, s.theta, &apart, 0), by_jitter, a_little);
        gpfit_config_release(&c);
        gpfit_work_destroy(w);
        end(&s);
    }
}

/* No jitter here: only rounding, with condition numbers up to 1e4. */
static void the_posterior_is_that_of_rows(void **state) {
    (void)state;
    enum { AT = 5, PENDING = 2 };
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        setting s = make(trial, trial % 2);
        rng r = rng_open(2719, trial, RNG_DESIGN);
        gp_data rows = data_of(&s, 0);
        double x[AT * D], pending[PENDING * D], mu[AT], v[AT], mu_rows[AT], v_rows[AT], mean, fitted[MOST],
            at_rows[MOST];
        gp *copy = NULL;
        gp_work work = {0};
        for (size_t i = 0; i < AT * D; i++) x[i] = rng_uniform(&r);
        for (size_t i = 0; i < PENDING * D; i++) pending[i] = rng_uniform(&r);
        memcpy(pending, s.x, D * sizeof *x); /* one of them where there are measurements */
        check_ok(gp_create(&copy, &s.spec, &error));
        check_ok(gp_copy(copy, s.merged, PENDING, &error));
        for (size_t k = 0; k < PENDING; k++) check_ok(gp_append_pending(copy, pending + k * D, &error));
        check_ok(gp_predict(copy, AT, x, mu, v, &work, &error));
        gp_reference_predict(&s.spec, s.theta, &rows, 0, PENDING, pending, AT, x, mu_rows, v_rows, NULL, &mean);
        check_close(gp_mean(s.merged), mean, 0, 1e-10);
        for (size_t k = 0; k < AT; k++) {
            check_close(mu[k], mu_rows[k], 0, 1e-10);
            check_close(v[k], v_rows[k], 0, 1e-10);
        }
        gp_fitted(s.merged, fitted);
        gp_fitted(s.apart, at_rows);
        for (size_t i = 0; i < s.n; i++) check_close(fitted[s.point[i]], at_rows[i], 0, 1e-10);
        gp_work_release(&work);
        gp_destroy(copy);
        end(&s);
    }
}

/* Alone at its point, a measurement is its row, bit for bit, whatever shares its model. */
static void single_measurements_stay_as_they_are(void **state) {
    (void)state;
    const double x[4] = {0.1, 0.7, 0.1, 0.4}, y[4] = {1.1, 0.3, 0.9, 1.0 / 7};
    const double scale[4] = {1.0 / 3, 1.0 / 7, 1, 1.0 / 49}, extra[4] = {0, 0.01, 0, 0};
    const size_t point[4] = {0, 1, 0, 2};
    gp_data data = {4, x, y, scale, extra, point};
    replicates r = {0};
    assert_true(replicates_build(&r, &data, 1));
    gp_data rows = replicates_at(&r, 0.3);
    assert_int_equal(rows.n, 3);
    for (size_t i = 1; i < 4; i += 2) {
        check_same(rows.x[point[i]], x[i]);
        check_same(rows.y[point[i]], y[i]);
        check_same(rows.scale[point[i]], scale[i]);
        check_same(rows.extra[point[i]], extra[i]);
    }
    check_close(rows.scale[0], 0.25, 1e-15, 0);
    check_close(rows.y[0], (3 * y[0] + y[2]) / 4, 1e-15, 0);
    check_same(r.count[0], 2);
    data.point = NULL;
    assert_true(replicates_build(&r, &data, 1));
    check_same(replicates_at(&r, 0.3).y[2], y[2]);
    check_same(replicates_within(&r, 0.3), 0);
    replicates_release(&r);
}

/* ---- what is computed for each measurement ----------------------------------------------------- */

static void weights_and_scores_are_those_of_rows(void **state) {
    (void)state;
    const double dof = 4;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        setting s = make(trial, 1);
        robust_work work = {0};
        double merged[MOST], apart[MOST], score, row_score;
        for (int round = 0; round < 3; round++) {
            check_ok(robust_weigh(s.merged, dof, s.base, merged, &work, &error));
            check_ok(robust_weigh(s.apart, dof, s.base, apart, &work, &error));
            for (size_t i = 0; i < s.n; i++) check_close(merged[i], apart[i], 1e-8, 0); /* squares of residuals */
            memcpy(s.scale, apart, s.n * sizeof *apart);
            factor(&s);
        }
        for (int student = 0; student < 2; student++) {
            check_ok(robust_leave_one_out(s.merged, student * dof, s.base, &score, &work, &error));
            check_ok(robust_leave_one_out(s.apart, student * dof, s.base, &row_score, &work, &error));
            check_close(score, row_score, 1e-8, 1e-8);
        }
        robust_work_release(&work);
        end(&s);
    }
}

/* The ends of the sets are roots of quadratics of the same numbers. */
static void conformal_sets_are_those_of_rows(void **state) {
    (void)state;
    for (uint64_t trial = 0; trial < TRIALS; trial++) {
        setting s = make(trial, 0);
        rng r = rng_open(2720, trial, RNG_DESIGN);
        const gp *models[2] = {s.merged, s.apart};
        double x[D], weight[MOST], ends[2][2 * MOST + 2];
        size_t count[2];
        for (size_t c = 0; c < D; c++) x[c] = rng_uniform(&r);
        for (size_t i = 0; i < s.n; i++) weight[i] = log_uniform(&r, 0.5, 2);
        for (size_t k = 0; k < 2; k++) {
            wcp *w = NULL;
            wcp_set set;
            gp_work work = {0};
            double mu, v;
            check_ok(wcp_create(&w, &error));
            check_ok(wcp_bind(w, models[k], &error));
            wcp_weigh(w, weight);
            check_ok(gp_predict(models[k], 1, x, &mu, &v, &work, &error));
            wcp_set_at(w, &(wcp_point){v, gp_noise_var(models[k]), work.w, 1}, 0.2, &set);
            count[k] = set.count;
            memcpy(ends[k], set.intervals, set.count * sizeof *set.intervals);
            gp_work_release(&work);
            wcp_destroy(w);
        }
        assert_int_equal(count[0], count[1]);
        for (size_t k = 0; k < 2 * count[0]; k++) check_close(ends[0][k], ends[1][k], 1e-7, 1e-7);
        end(&s);
    }
}

static void the_success_model_is_that_of_rows(void **state) {
    (void)state;
    for (uint64_t trial = 0; trial < 6; trial++) {
        setting s = make(trial, 0);
        const double failed[2 * D] = {0.9, 0.9, 0.9, 0.1, 0.8, 0.5};
        const int sure[2] = {1, 0};
        double p[2][POINTS], w[2], grad[2][D];
        for (int k = 0; k < 2; k++) {
            feasible *f = NULL;
            check_ok(feasible_create(&f, &s.spec, LENGTHS, &error));
            check_ok(feasible_fit(f, 0, s.n, s.x, k ? NULL : s.point, 2, failed, sure, rng_open(1, 1, RNG_FEASIBLE),
                                  &error));
            check_ok(feasible_probability(f, 2, s.x, p[k], &error));
            check_ok(feasible_log_weight_grad(f, failed, &w[k], grad[k], &error));
            feasible_destroy(f);
        }
        /* a search that stops where a step gains 1e-3 has another end by rounding */
        for (size_t i = 0; i < 2; i++) check_close(p[0][i], p[1][i], 1e-5, 1e-5);
        check_close(w[0], w[1], 1e-4, 1e-4);
        for (size_t c = 0; c < D; c++) check_close(grad[0][c], grad[1][c], 1e-3, 1e-3);
        end(&s);
    }
}

/* ---- points of the data ------------------------------------------------------------------------ */

static void append(dataset *d, double u) {
    check_ok(dataset_append(d, &u, &u, &(locbo_measurement){u, NAN, 1}, 0, &error));
}

static void the_data_knows_its_points(void **state) {
    (void)state;
    enum { N = 1000 };
    rng r = scene_random(2721);
    for (int merged = 0; merged < 2; merged++) {
        dataset d;
        double u[N];
        dataset_init(&d, 1, 1, 1);
        d.merged = merged;
        for (size_t i = 0; i < N; i++) {
            u[i] = (double)rng_below(&r, 150) / 150;
            append(&d, 2 + rng_uniform(&r)); /* is taken back */
            if (merged && i > 0) {
                dataset_remove_last(&d);
                append(&d, u[0]);
            }
            dataset_remove_last(&d);
            append(&d, u[i] == 0 && i % 2 ? -0.0 : u[i]);
        }
        assert_int_equal(d.n, N);
        for (size_t i = 0, points = 0; i < N; i++) {
            size_t first = 0;
            while (merged ? u[first] != u[i] : first < i) first++;
            points += first == i;
            assert_int_equal(d.point[i], first == i ? points - 1 : d.point[first]);
            assert_int_equal(d.first[d.point[i]], first);
        }
        dataset_release(&d);
    }
}

/* ---- proposals --------------------------------------------------------------------------------- */

static locbo_optimizer *with_replicates(const locbo_space *space, locbo_options options, const char *word) {
    scene_set(&options, "replicates", word);
    return scene_optimizer(space, &options);
}

/* A result of trial `id` that both are told: up to six measurements, of different accuracy if `known`. */
static void tell_both(locbo_optimizer *both[2], uint64_t id, const double *x, double noise, int known, rng *r) {
    size_t count = 1 + (size_t)rng_below(r, 6);
    for (size_t k = 0; k < count; k++) {
        double sd = known && rng_uniform(r) < 0.5 ? 0.05 + 0.2 * rng_uniform(r) : NAN;
        double value = scene_bowl(locbo_optimizer_space(both[0]), x) + noise * rng_normal(r);
        if (rng_uniform(r) < 0.05) value += 15 * noise;
        locbo_measurement m = {value, sd, known ? 1 + (unsigned)rng_below(r, 3) : 1};
        for (int o = 0; o < 2; o++) check_ok(locbo_optimizer_tell(both[o], id, &m, &error));
    }
}

/* The hyper-parameters come from a search that stops where a step gains less than 1e-3, and so does the point: both
 * follow rounding, and the jitter of the fit, only by a tiny part of their own tolerance. */
static void check_points(const double *a, const double *b, size_t dim, const char *label, int round) {
    for (size_t c = 0; c < dim; c++)
        if (!(fabs(a[c] - b[c]) <= 1e-6))
            fail_msg("%s, proposal %d: x%zu is %.17g, with a row for each measurement %.17g", label, round, c, a[c],
                     b[c]);
}

static void compare_lives(const char *label, locbo_options options, double noise, int known, int failures,
                          uint64_t seed) {
    enum { ROUNDS = 14, DIM = 2 };
    rng r = rng_open(seed, 7, RNG_DESIGN);
    locbo_space *space = scene_cube(DIM);
    locbo_optimizer *both[2] = {with_replicates(space, options, "merged"), with_replicates(space, options, "rows")};
    double x[2][DIM], last[DIM] = {0};
    uint64_t open = 0;
    for (int round = 0; round < ROUNDS; round++) {
        locbo_belief b[2];
        uint64_t id = 0;
        for (int o = 0; o < 2; o++) id = scene_ask(both[o], NULL, x[o]);
        check_points(x[0], x[1], DIM, label, round);
        memcpy(last, x[1], sizeof last);
        if (round % 4 == 3) { /* stays outstanding for a round */
            open = id;
            continue;
        }
        if (failures && round % 5 == 4) {
            for (int o = 0; o < 2; o++) check_ok(locbo_optimizer_tell_infeasible(both[o], id, &error));
        } else {
            tell_both(both, id, last, noise, known, &r);
        }
        if (open) tell_both(both, open, last, noise, known, &r);
        open = 0;
        for (int o = 0; o < 2; o++) check_ok(locbo_optimizer_predict(both[o], 1, last, &b[o], &error));
        if (isnan(b[1].mean)) continue;
        assert_int_equal(gp_rows(both[0]->quantity->surrogate.model), both[0]->quantity->data.points);
        assert_int_equal(gp_rows(both[1]->quantity->surrogate.model), both[1]->quantity->data.n);
        check_close(b[0].mean, b[1].mean, 1e-5, 1e-5);
        check_close(b[0].sd_f, b[1].sd_f, 1e-4, 1e-5);
        check_close(b[0].sd_y, b[1].sd_y, 1e-4, 1e-5);
    }
    locbo_choice choice[2];
    for (int o = 0; o < 2; o++) check_ok(locbo_optimizer_recommend(both[o], &choice[o], x[o], &error));
    check_points(x[0], x[1], DIM, label, ROUNDS);
    assert_int_equal(choice[0].trial, choice[1].trial);
    assert_int_equal(scene_summary(both[0]).fits, scene_summary(both[1]).fits);
    assert_true(both[0]->quantity->data.points < both[0]->quantity->data.n);
    for (int o = 0; o < 2; o++) locbo_optimizer_destroy(both[o]);
    locbo_space_destroy(space);
}

static void proposals_are_those_of_rows(void **state) {
    (void)state;
    static const char *const settings[][2] = {
        {"noise_law", "gaussian"}, {"noise_law", "student"}, {"noise_law", "auto"},
        {"noise_law", "little"},   {"refit_every", "1000"},  {"surrogate", "paper"},
        {"incumbent", "observed"}, {"incumbent", "mean"},    {"acquisition", "ucb"}};
    for (size_t k = 0; k < sizeof settings / sizeof settings[0]; k++)
        for (int known = 0; known < 2; known++) {
            locbo_options options = scene_options(&SCENE_METHODS[0], 40 + k);
            char label[96];
            scene_set(&options, settings[k][0], settings[k][1]);
            scene_set(&options, "scale", "none"); /* the methods below have other scales */
            snprintf(label, sizeof label, "%s=%s%s", settings[k][0], settings[k][1], known ? ", known sds" : "");
            compare_lives(label, options, 0.2, known, 0, 40 + k);
        }
    for (size_t m = 0; m + 1 < SCENE_METHOD_COUNT; m++)
        compare_lives(SCENE_METHODS[m].label, scene_options(&SCENE_METHODS[m], 60 + m), 0.2, m % 2 == 0, m % 3 == 0,
                      60 + m);
}

/* Measurements that are all equal: the noise variance ends at its floor, 1e-8, and as noise of every measurement the
 * jitter of the fit matters. The rows of the slow way have a condition number of 1e9: its likelihood has
 * seven digits, and the search for its maximum, which stops where a step gains 1e-3, another end. */
static void equal_measurements_are_those_of_rows(void **state) {
    (void)state;
    enum { DIM = 2 };
    locbo_space *space = scene_cube(DIM);
    locbo_options options = scene_options(&SCENE_METHODS[0], 80);
    locbo_optimizer *both[2] = {with_replicates(space, options, "merged"), with_replicates(space, options, "rows")};
    rng r = scene_random(2724);
    for (int i = 0; i < 40; i++) {
        double x[DIM] = {(double)rng_below(&r, 4) / 4, (double)rng_below(&r, 3) / 3};
        for (int o = 0; o < 2; o++) scene_add(both[o], x, scene_bowl(space, x));
    }
    for (int i = 0; i < 20; i++) {
        double x[DIM] = {rng_uniform(&r), rng_uniform(&r)};
        locbo_belief b[2];
        for (int o = 0; o < 2; o++) check_ok(locbo_optimizer_predict(both[o], 1, x, &b[o], &error));
        check_close(b[0].mean, b[1].mean, 0, 1e-4);
        check_close(b[0].sd_f, b[1].sd_f, 0, 1e-4);
    }
    for (int o = 0; o < 2; o++) locbo_optimizer_destroy(both[o]);
    locbo_space_destroy(space);
}

/* The model follows results between fits: the same bits whether it is looked at after each of them or not. */
static void looking_changes_nothing(void **state) {
    (void)state;
    enum { DIM = 2 };
    locbo_space *space = scene_cube(DIM);
    locbo_options options = scene_options(&SCENE_METHODS[0], 5);
    options.refit_every = 1000;
    locbo_optimizer *both[2] = {with_replicates(space, options, "merged"), with_replicates(space, options, "merged")};
    rng r = scene_random(2722);
    double x[2][DIM];
    for (int round = 0; round < 12; round++) {
        uint64_t id = 0;
        for (int o = 0; o < 2; o++) id = scene_ask(both[o], NULL, x[o]);
        for (size_t c = 0; c < DIM; c++) check_same(x[0][c], x[1][c]);
        for (int k = 0; k < 5; k++) {
            uint64_t of = rng_uniform(&r) < 0.5 ? id : 1 + rng_below(&r, id);
            double value = scene_bowl(space, x[0]) + 0.2 * rng_normal(&r);
            locbo_belief b;
            for (int o = 0; o < 2; o++) scene_tell(both[o], of, value);
            if (round > 5) check_ok(locbo_optimizer_predict(both[0], 1, x[0], &b, &error));
        }
    }
    assert_int_equal(scene_summary(both[0]).fits, scene_summary(both[1]).fits);
    for (int o = 0; o < 2; o++) locbo_optimizer_destroy(both[o]);
    locbo_space_destroy(space);
}

/* ---- saved states ------------------------------------------------------------------------------ */

static const char *replicates_of(const locbo_optimizer *o, char text[16]) {
    locbo_options options;
    locbo_options_init(&options);
    check_ok(locbo_optimizer_options(o, &options, &error));
    check_ok(locbo_options_get(&options, "replicates", text, 16, &error));
    return text;
}

static void states_without_the_option_have_rows(void **state) {
    (void)state;
    static const char *const words[] = {"merged", "rows", ""};
    locbo_space *space = scene_cube(2);
    char text[16], member[40];
    for (size_t k = 0; k < 3; k++) {
        const char *word = words[k][0] ? words[k] : "merged";
        locbo_optimizer *o = with_replicates(space, scene_options(&SCENE_METHODS[0], 3), word), *loaded = NULL;
        rng r = rng_open(3, 3, RNG_DESIGN);
        char *saved = NULL;
        scene_rounds(o, 7, 0.1, &r);
        for (int i = 0; i < 10; i++) scene_tell(o, 1 + rng_below(&r, 7), rng_uniform(&r));
        check_ok(locbo_optimizer_save(o, &saved, NULL, &error));
        if (!words[k][0]) { /* as an older library wrote it */
            snprintf(member, sizeof member, "\"replicates\":\"merged\",");
            char *at = strstr(saved, member);
            assert_non_null(at);
            memmove(at, at + strlen(member), strlen(at + strlen(member)) + 1);
        }
        check_ok(locbo_optimizer_load(&loaded, saved, strlen(saved), &error));
        assert_string_equal(replicates_of(loaded, text), words[k][0] ? words[k] : "rows");
        double x[2];
        scene_ask(loaded, NULL, x);
        assert_int_equal(gp_rows(loaded->quantity->surrogate.model), k == 0 ? 7 : 17);
        assert_int_equal(gp_measurements(loaded->quantity->surrogate.model), 17);
        locbo_free(saved);
        locbo_optimizer_destroy(loaded);
        locbo_optimizer_destroy(o);
    }
    locbo_space_destroy(space);
}

/* ---- many -------------------------------------------------------------------------------------- */

/* A few points with thousands of measurements are a few rows: without that, 3000 rows take minutes and 50 000 do not
 * fit into memory. */
static void many_measurements_are_few_rows(void **state) {
    (void)state;
    static const struct {
        const char *method;
        size_t times;
        int known, failure;
    } cases[] = {
        {"locbo", 600, 0, 0}, {"locbo", 10000, 0, 0}, {"locbo", 10000, 1, 0}, {"bo", 10000, 0, 1}, {"cbo", 600, 0, 0}};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        locbo_space *space = scene_cube(2);
        scene_method method = {"", cases[k].method, "0.25"};
        locbo_options options = scene_options(&method, 9);
        options.initial = 5;
        locbo_optimizer *o = scene_optimizer(space, &options);
        rng r = scene_random(2723 + k);
        double x[2];
        for (int point = 0; point < 5; point++) {
            uint64_t id = scene_ask(o, NULL, x);
            for (size_t i = 0; i < cases[k].times; i++) {
                double value = scene_bowl(space, x) + 0.3 * rng_normal(&r);
                locbo_measurement m = {value, cases[k].known ? 0.1 + 0.1 * rng_uniform(&r) : NAN, 1};
                check_ok(locbo_optimizer_tell(o, id, &m, &error));
            }
        }
        uint64_t id = scene_ask(o, NULL, x);
        assert_int_equal(gp_rows(o->quantity->surrogate.model), 5);
        assert_int_equal(gp_measurements(o->quantity->surrogate.model), 5 * cases[k].times);
        if (cases[k].failure) {
            check_ok(locbo_optimizer_tell_infeasible(o, id, &error));
            scene_ask(o, NULL, x);
        }
        locbo_summary s = scene_summary(o);
        check_that(s.noise_var > 0 && s.troubles == 0, "noise %g, troubles %d", s.noise_var, (int)s.troubles);
        locbo_optimizer_destroy(o);
        locbo_space_destroy(space);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(likelihood_and_gradient_are_those_of_rows),
                                       cmocka_unit_test(the_posterior_is_that_of_rows),
                                       cmocka_unit_test(single_measurements_stay_as_they_are),
                                       cmocka_unit_test(weights_and_scores_are_those_of_rows),
                                       cmocka_unit_test(conformal_sets_are_those_of_rows),
                                       cmocka_unit_test(the_success_model_is_that_of_rows),
                                       cmocka_unit_test(the_data_knows_its_points),
                                       cmocka_unit_test(proposals_are_those_of_rows),
                                       cmocka_unit_test(equal_measurements_are_those_of_rows),
                                       cmocka_unit_test(looking_changes_nothing),
                                       cmocka_unit_test(states_without_the_option_have_rows),
                                       cmocka_unit_test(many_measurements_are_few_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
