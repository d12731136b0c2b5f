/* test_robust.c - weights and leave-one-out scores against a model of the other rows, made anew for each row by dense
 * algebra, and against Student's t itself, integrated; a fit under Student's t when memory fails.
 *
 * The linker turns the core's calls of the allocator into calls of ours (tests/CMakeLists.txt): every allocation can be
 * made to fail in turn. */
#include "robust.h"

#include "reference/gp_reference.h"
#include "reference/law_reference.h"
#include "scene.h"
#include "short_memory.h"
#include "surrogate.h"

enum { D = 3, LENGTHS = 2, MAX_ROWS = 22 };
static const size_t groups[D] = {0, 1, 1}; /* the last two columns share a length scale */

/* ---- random models --------------------------------------------------------------------------- */

typedef struct setting {
    gp_spec spec;
    double theta[LENGTHS + 2], noise_var;
    size_t n;
    double x[MAX_ROWS * D], y[MAX_ROWS];
    double base[MAX_ROWS], scale[MAX_ROWS], extra[MAX_ROWS]; /* scale: base, or weights on it */
    gp *model;
} setting;

static double log_uniform(rng *r, double a, double b) { return exp(log(a) + log(b / a) * rng_uniform(r)); }

static gp_data data_of(const setting *s) { return (gp_data){s->n, s->x, s->y, s->scale, s->extra, NULL}; }

static void factor(setting *s) {
    gp_data data = data_of(s);
    if (!s->model) check_ok(gp_create(&s->model, &s->spec, &error));
    check_ok(gp_factor(s->model, s->theta, &data, &error));
}

/* Rows with replicated inputs, means of up to four measurements, known noise here and there, and every eighth far out.
 */
static void draw_row(setting *s, size_t i, int weighted, rng *r) {
    for (size_t c = 0; c < D; c++) s->x[i * D + c] = i % 5 == 4 ? s->x[(i - 2) * D + c] : rng_uniform(r);
    s->base[i] = 1 / (double)(1 + rng_below(r, 4));
    s->scale[i] = s->base[i] * (weighted ? log_uniform(r, 0.8, 50) : 1);
    s->extra[i] = i % 3 == 1 ? log_uniform(r, 1e-4, 0.1) : 0;
    s->y[i] = 1 + sin(5 * s->x[i * D]) * s->x[i * D + 1] + sqrt(s->noise_var) * rng_normal(r);
    if (i % 8 == 7) s->y[i] += 10 * rng_normal(r);
}

static setting make(uint64_t trial, double noise_var, int weighted) {
    rng r = rng_open(1907, trial, RNG_DESIGN);
    setting s = {.spec = {(locbo_kernel)(trial % 3), D, LENGTHS, groups, trial % 4 != 3, 0},
                 .noise_var = noise_var,
                 .n = 2 + (size_t)rng_below(&r, MAX_ROWS - 1)};
    for (size_t i = 0; i < LENGTHS; i++) s.theta[i] = log(0.2 + 0.6 * rng_uniform(&r));
    s.theta[LENGTHS] = log(0.5 + 2 * rng_uniform(&r));
    s.theta[LENGTHS + 1] = log(noise_var);
    for (size_t i = 0; i < s.n; i++) draw_row(&s, i, weighted, &r);
    factor(&s);
    return s;
}

static double some_noise(uint64_t trial) {
    rng r = rng_open(1908, trial, RNG_DESIGN);
    return log_uniform(&r, 1e-3, 0.5);
}

/* ---- the slow way ---------------------------------------------------------------------------- */

/* All rows but row i (none: i = n), less the constant mean. */
static setting without(const setting *s, size_t i, double mean) {
    setting rest = *s;
    rest.spec.estimate_mean = 0;
    rest.n = 0;
    for (size_t j = 0; j < s->n; j++) {
        if (j == i) continue;
        memcpy(rest.x + rest.n * D, s->x + j * D, D * sizeof *s->x);
        rest.y[rest.n] = s->y[j] - mean;
        rest.scale[rest.n] = s->scale[j];
        rest.extra[rest.n++] = s->extra[j];
    }
    return rest;
}

/* y_i less what a model of all other rows expects there, and that model's variance of f; the constant mean is given. */
static double leave_out(const setting *s, size_t i, double mean, double *v) {
    setting rest = without(s, i, mean);
    gp_data data = data_of(&rest);
    double mu;
    gp_reference_predict(&rest.spec, s->theta, &data, gp_jitter(s->model), 0, NULL, 1, s->x + i * D, &mu, v, NULL,
                         NULL);
    return s->y[i] - mean - mu;
}

static double log_normal(double r, double variance) {
    return -0.5 * (r * r / variance + log(variance) + log(2 * acos(-1)));
}

static double log_t(double z, double dof) {
    return lgamma((dof + 1) / 2) - lgamma(dof / 2) - 0.5 * log(dof * acos(-1)) - (dof + 1) / 2 * log1p(z * z / dof);
}

/* Density at r of a normal number of this sd plus `width` times Student's t, on one panel of values of the latter. */
static double panel(double a, double b, double r, double sd, double width, double dof) {
    double sum = 0;
    for (int i = 0; i < LAW_REFERENCE_POINTS; i++) {
        double x, w;
        law_reference_node(i, &x, &w);
        double t = a + (b - a) * x;
        sum += (b - a) * w * exp(log_normal(r - t, sd * sd) + log_t(t / width, dof)) / width;
    }
    return sum;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The whole of it, as far as 38 sd: panels of sd/4, finer towards the top of Student's t. */
static double log_student_slowly(double r, double v, double width, double dof) {
    enum { NORMAL = 152, STUDENT = 80 };
    double at[2 * NORMAL + 1 + 2 * STUDENT], sd = sqrt(v), sum = 0;
    size_t n = 0;
    if (v == 0) return log_t(r / width, dof) - log(width);
    for (int k = -NORMAL; k <= NORMAL; k++) at[n++] = r + 0.25 * k * sd;
    double low = at[0], high = at[n - 1];
    for (int k = 0; k < STUDENT; k++) {
        double step = width * pow(2, 0.5 * k - 10);
        if (-step > low && -step < high) at[n++] = -step;
        if (step > low && step < high) at[n++] = step;
    }
    qsort(at, n, sizeof *at, ascending);
    for (size_t k = 0; k + 1 < n; k++) sum += panel(at[k], at[k + 1], r, sd, width, dof);
    return log(sum);
}

static double mean_of(const setting *s) {
    gp_data data = data_of(s);
    double mean;
    gp_reference_predict(&s->spec, s->theta, &data, gp_jitter(s->model), 0, NULL, 0, NULL, NULL, NULL, NULL, &mean);
    return mean;
}

/* The score by definition; *size receives the sum of its terms without their signs. */
static double score_slowly(const setting *s, double dof, double *size) {
    double mean = mean_of(s), sum = 0;
    *size = 0;
    for (size_t i = 0; i < s->n; i++) {
        double v, r = leave_out(s, i, mean, &v), width = sqrt(s->noise_var * s->base[i]);
        double normal = v + s->noise_var * s->scale[i] + s->extra[i];
        double term = dof > 0 ? log_student_slowly(r, v + s->extra[i], width, dof) : log_normal(r, normal);
        sum += term;
        *size += fabs(term);
    }
    return sum;
}

static double score_of(const setting *s, double dof) {
    robust_work work = {0};
    double score;
    check_ok(robust_leave_one_out(s->model, dof, s->base, &score, &work, &error));
    robust_work_release(&work);
    return score;
}

static void check_score(const setting *s, double dof, double tolerance) {
    double size, expected = score_slowly(s, dof, &size), score = score_of(s, dof);
    check_that(fabs(score - expected) <= tolerance * size,
               "%zu rows, dof %g, noise %g, jitter %g: %.12g, expected %.12g (%.2g of its terms)", s->n, dof,
               s->noise_var, gp_jitter(s->model), score, expected, fabs(score - expected) / size);
}

/* ---- leave one out --------------------------------------------------------------------------- */

/* Condition numbers below 1e5: eleven digits are left. */
static void the_normal_score_is_that_of_models_without_the_row(void **state) {
    (void)state;
    for (uint64_t trial = 0; trial < 40; trial++) {
        setting s = make(trial, some_noise(trial), trial % 2);
        check_score(&s, 0, 1e-8);
        gp_destroy(s.model);
    }
}

/* Next to no noise. What the noise does not tell apart, 1e-8 of the signal, costs eight digits. */
static void scores_at_the_noise_floor(void **state) {
    (void)state;
    for (uint64_t trial = 0; trial < 20; trial++) {
        setting s = make(trial, 1e-8, 0);
        check_score(&s, 0, 1e-6);
        check_score(&s, 4, 1e-6);
        gp_destroy(s.model);
    }
}

/* log p(y_i | the others) is what row i adds to the likelihood, the mean held. */
static double score_by_likelihood(const setting *s) {
    setting all = without(s, s->n, mean_of(s));
    gp_data data = data_of(&all);
    double jitter = gp_jitter(s->model), sum = 0;
    double whole = gp_reference_likelihood(&all.spec, s->theta, &data, jitter);
    for (size_t i = 0; i < s->n; i++) {
        setting rest = without(&all, i, 0);
        data = data_of(&rest);
        sum += whole - gp_reference_likelihood(&rest.spec, s->theta, &data, jitter);
    }
    return sum;
}

/* Next to no noise at all. Rows at the same point need jitter, which is part of the noise here, and 1e-10 of the signal
 * costs ten of sixteen digits, for each row. Without such rows (at most 4) there is no need, and no loss. */
static void jitter_is_noise(void **state) {
    (void)state;
    int jittered = 0, plain = 0;
    for (uint64_t trial = 0; trial < 40; trial++) {
        setting s = make(trial, 1e-26, 0);
        for (size_t i = 0; i < s.n; i++) {
            s.extra[i] = 0;
            s.y[i] = sin(5 * s.x[i * D]) + (i % 5 == 4 ? 2e-5 : 0);
        }
        factor(&s);
        int needed = gp_jitter(s.model) > 0;
        jittered += needed;
        plain += s.n < 5;
        if (needed || s.n < 5) /* otherwise the factor was a rounding's luck */
            check_close(score_of(&s, 0), score_by_likelihood(&s), needed ? 1e-5 : 1e-9, 1e-9);
        gp_destroy(s.model);
    }
    check_that(jittered > 5 && plain > 3, "%d with jitter, %d without", jittered, plain);
}

static void the_student_score_is_the_integral_of_its_density(void **state) {
    (void)state;
    const double dof[] = {4, 3, 30};
    for (uint64_t trial = 0; trial < 12; trial++) {
        setting s = make(100 + trial, some_noise(trial), trial % 2);
        for (size_t k = 0; k < 3; k++) check_score(&s, dof[k], 1e-6);
        gp_destroy(s.model);
    }
}

/* However far out a row is: 1e2 to 1e8 standard deviations of its noise. */
static void far_outliers_count_as_their_density_says(void **state) {
    (void)state;
    for (int far = 0; far < 7; far++) {
        setting s = make(8, 1e-4, 0);
        s.y[3] += pow(10, far);
        factor(&s);
        check_score(&s, 4, 1e-6);
        gp_destroy(s.model);
    }
}

/* The difference falls like 1/dof. */
static void many_degrees_of_freedom_are_normal(void **state) {
    (void)state;
    for (uint64_t trial = 0; trial < 6; trial++) {
        setting s = make(200 + trial, some_noise(trial), 0);
        for (size_t i = 7; i < s.n; i += 8) s.y[i] = 1; /* none far out */
        factor(&s);
        double normal = score_of(&s, 0), last = INFINITY;
        for (double dof = 100; dof < 2e5; dof *= 10) {
            double off = fabs(score_of(&s, dof) - normal);
            check_that(off < 0.2 * last && off < 100 * (double)s.n / dof, "dof %g is off by %g, before by %g", dof, off,
                       last);
            last = off;
        }
        gp_destroy(s.model);
    }
}

/* Pending rows are no data: they change neither scores nor weights. */
static void pending_rows_do_not_count(void **state) {
    (void)state;
    setting s = make(3, 0.01, 0);
    double before = score_of(&s, 4), x[D] = {0.4, 0.1, 0.9};
    for (int i = 0; i < 30; i++) {
        x[1] = 0.03 * i;
        check_ok(gp_append_pending(s.model, x, &error));
    }
    check_close(score_of(&s, 4), before, 1e-12, 0); /* the same factor in another stride */
    gp_destroy(s.model);
}

static void variances(void **state) {
    (void)state;
    check_same(robust_variance(0), 1.0);
    check_same(robust_variance(4), 2.0);
    check_same(robust_variance(3), 3.0);
    check_same(robust_variance(2), 1.0); /* infinite: the scale has to do */
}

/* ---- weights --------------------------------------------------------------------------------- */

static void weigh(const setting *s, double dof, double *scale) {
    robust_work work = {0};
    check_ok(robust_weigh(s->model, dof, s->base, scale, &work, &error));
    robust_work_release(&work);
}

/* The formula of robust.h with the posterior of f at the rows from a textbook. Given the whole noise n of a row, with
 * posterior mean r and variance v, that part of it which is not the known error is N(n share, own known / whole). */
static void weights_follow_the_posterior(void **state) {
    (void)state;
    const double dof[] = {4, 1.5, 30};
    for (uint64_t trial = 0; trial < 30; trial++) {
        setting s = make(300 + trial, some_noise(trial), trial % 2);
        gp_data data = data_of(&s);
        double mu[MAX_ROWS], v[MAX_ROWS], scale[MAX_ROWS], nu = dof[trial % 3];
        gp_reference_predict(&s.spec, s.theta, &data, 0, 0, NULL, s.n, s.x, mu, v, NULL, NULL);
        weigh(&s, nu, scale);
        for (size_t i = 0; i < s.n; i++) {
            double own = s.noise_var * s.scale[i], whole = own + s.extra[i], r = s.y[i] - mu[i];
            double share = own / whole;
            double square = share * share * (r * r + v[i]) + own * s.extra[i] / whole;
            double lambda = (nu + 1) / (nu + square / (s.noise_var * s.base[i]));
            check_close(scale[i], s.base[i] / lambda, 1e-8, 0);
        }
        gp_destroy(s.model);
    }
}

/* A few rounds on rows of which one lies 20 sd out: it counts for little, and the others for what they did. */
static void an_outlier_is_weighed_down(void **state) {
    (void)state;
    enum { OUT = 9 };
    for (int sign = -1; sign <= 1; sign += 2) {
        setting s = {.spec = {LOCBO_KERNEL_MATERN52, D, LENGTHS, groups, 1, 0},
                     .theta = {log(0.8), log(0.8), 0, log(0.01)},
                     .noise_var = 0.01,
                     .n = MAX_ROWS};
        rng r = rng_open(1909, 0, RNG_DESIGN);
        for (size_t i = 0; i < s.n; i++) {
            for (size_t c = 0; c < D; c++) s.x[i * D + c] = rng_uniform(&r);
            s.base[i] = s.scale[i] = i % 3 == 2 ? 0.5 : 1;
            s.y[i] = sin(3 * s.x[i * D]) + s.x[i * D + 1] + (i % 2 ? 0.1 : -0.1) * sqrt(s.base[i]);
        }
        s.y[OUT] += sign * 20 * 0.1 * sqrt(s.base[OUT]);
        factor(&s);
        for (int round = 0; round < 4; round++) {
            weigh(&s, 4, s.scale);
            factor(&s);
        }
        for (size_t i = 0; i < s.n; i++) {
            double by = s.scale[i] / s.base[i];
            check_that(i == OUT ? by > 10 : by > 0.5 && by < 2, "row %zu is weighed by %g", i, by);
        }
        gp_destroy(s.model);
    }
}

/* No finite row makes a weight that a model would refuse. */
static void weights_are_finite(void **state) {
    (void)state;
    const double y[] = {0, 1e3, 1e8, 1e100, 1e200}, noise[] = {1e-40, 1e-8, 1};
    for (size_t a = 0; a < 5; a++)
        for (size_t b = 0; b < 3; b++) {
            setting s = make(4, noise[b], 0);
            double scale[MAX_ROWS];
            s.y[1] += y[a];
            factor(&s);
            weigh(&s, 4, scale);
            for (size_t i = 0; i < s.n; i++)
                check_that(scale[i] > 0 && isfinite(scale[i]), "y %g, noise %g: scale[%zu] %g", y[a], noise[b], i,
                           scale[i]);
            gp_destroy(s.model);
        }
}

/* ---- when memory fails ----------------------------------------------------------------------- */

static void failures_leave_outputs_alone(void **state) {
    (void)state;
    setting s = make(5, 0.01, 0);
    double expected = score_of(&s, 4), score, scale[MAX_ROWS];
    int failures = 0;
    for (int k = 0;; k++) {
        robust_work work = {0};
        locbo_error why = {LOCBO_OK, ""};
        score = scale[0] = -77;
        allowed = k;
        locbo_status status = robust_leave_one_out(s.model, 4, s.base, &score, &work, &why);
        int scored = status == LOCBO_OK;
        allowed = scored ? -1 : 0;
        if (!scored) status = robust_weigh(s.model, 4, s.base, scale, &work, &why);
        allowed = -1;
        if (scored) {
            check_same(score, expected);
            robust_work_release(&work);
            break;
        }
        assert_int_equal(status, LOCBO_ERR_MEMORY);
        assert_int_equal(why.status, LOCBO_ERR_MEMORY);
        assert_true(score == -77 && scale[0] == -77);
        check_ok(robust_leave_one_out(s.model, 4, s.base, &score, &work, &error));
        check_same(score, expected); /* with what the failure left in work */
        robust_work_release(&work);
        failures++;
    }
    assert_true(failures >= 2);
    gp_destroy(s.model);
}

typedef struct fitted {
    locbo_space *space;
    surrogate model;
    dataset data;
} fitted;

/* Rows about a wave, every seventh far off. */
static void add_rows(fitted *f, size_t n) {
    for (size_t i = 0; i < n; i++) {
        rng r = rng_open(1910, f->data.n, RNG_DESIGN);
        double x = rng_uniform(&r);
        locbo_measurement m = {sin(6 * x) + 0.05 * rng_normal(&r), NAN, 1};
        if (f->data.n % 7 == 3) m.value += 4;
        check_ok(dataset_append(&f->data, &x, &x, &m, 0, &error));
    }
}

static void open_fitted(fitted *f, const char *noise) {
    locbo_options options;
    locbo_options_init(&options);
    scene_set(&options, "noise_law", noise);
    options.fit_restarts = 0;
    options.refit_every = 4;
    memset(f, 0, sizeof *f);
    f->space = scene_cube(1);
    dataset_init(&f->data, 1, 1, -1);
    check_ok(surrogate_init(&f->model, f->space, &options, &error));
    add_rows(f, 28);
}

static void close_fitted(fitted *f) {
    surrogate_release(&f->model);
    dataset_release(&f->data);
    locbo_space_destroy(f->space);
}

static locbo_status refresh(fitted *f, int may_fit, locbo_error *error) {
    const notifier none = {NULL, NULL};
    int ready = 0;
    locbo_status status = surrogate_refresh(&f->model, &f->data, may_fit, &none, &ready, error);
    return status == LOCBO_OK && !ready ? LOCBO_ERR_STATE : status;
}

/* Preview, fit, rows in between, the fit taken over as a fact, and the next fit; `victim` is the allocation that
 * fails. Returns whether one did. */
static int live(fitted *f, long victim) {
    locbo_error why = {LOCBO_OK, ""};
    allowed = victim;
    for (int step = 0; step < 5; step++) {
        locbo_status status = refresh(f, step > 0, &why);
        long left = allowed;
        if (status != LOCBO_OK) {
            check_that(status == LOCBO_ERR_MEMORY && left < 0, "status %d: %s", (int)status, why.message);
            status = refresh(f, step > 0, &why);
        }
        check_that(status == LOCBO_OK, "again: %s", why.message);
        allowed = -1;
        if (step > 0) add_rows(f, step == 1 ? 2 : 1); /* the third is the fourth since the fit */
        if (step == 2)
            surrogate_take_fit(&f->model, f->model.fit_rows, f->model.fit_scale, f->model.value,
                               surrogate_theta_count(&f->model), f->model.theta);
        allowed = left;
    }
    int failed = victim >= 0 && allowed < 0;
    allowed = -1;
    return failed;
}

static void check_same_model(const fitted *a, const fitted *b) {
    double at[] = {0.2, 0.7}, mu[2], v[2], mu1[2], v1[2];
    gp_work work = {0};
    check_ok(gp_predict(a->model.model, 2, at, mu, v, &work, &error));
    check_ok(gp_predict(b->model.model, 2, at, mu1, v1, &work, &error));
    for (int i = 0; i < 2; i++) {
        check_same(mu[i], mu1[i]);
        check_same(v[i], v1[i]);
    }
    assert_int_equal(surrogate_theta_count(&a->model), surrogate_theta_count(&b->model));
    for (size_t i = 0; i < surrogate_theta_count(&a->model); i++) check_same(a->model.theta[i], b->model.theta[i]);
    for (size_t i = 0; i < a->data.n; i++) check_same(a->data.noise_scale[i], b->data.noise_scale[i]);
    check_same(surrogate_noise_var(&a->model), surrogate_noise_var(&b->model));
    gp_work_release(&work);
}

static void a_fit_survives_every_failure(void **state) {
    (void)state;
    const char *const laws[] = {"auto", "student"};
    for (size_t k = 0; k < 2; k++) {
        fitted plain;
        int failures = 0, done = 0;
        open_fitted(&plain, laws[k]);
        assert_int_equal(live(&plain, -1), 0);
        check_that(plain.model.dof == 4, "Student's t was not chosen");
        for (long victim = 0; !done; victim += CHECK_SANITIZED ? 2 : 3) {
            fitted f;
            open_fitted(&f, laws[k]);
            int failed = live(&f, victim);
            check_same_model(&f, &plain);
            done = !failed;
            failures += failed;
            close_fitted(&f);
        }
        print_message("%s: %d allocations failed\n", laws[k], failures);
        assert_true(failures > 10);
        close_fitted(&plain);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_normal_score_is_that_of_models_without_the_row),
        cmocka_unit_test(scores_at_the_noise_floor),
        cmocka_unit_test(jitter_is_noise),
        cmocka_unit_test(the_student_score_is_the_integral_of_its_density),
        cmocka_unit_test(far_outliers_count_as_their_density_says),
        cmocka_unit_test(many_degrees_of_freedom_are_normal),
        cmocka_unit_test(pending_rows_do_not_count),
        cmocka_unit_test(variances),
        cmocka_unit_test(weights_follow_the_posterior),
        cmocka_unit_test(an_outlier_is_weighed_down),
        cmocka_unit_test(weights_are_finite),
        cmocka_unit_test(failures_leave_outputs_alone),
        cmocka_unit_test(a_fit_survives_every_failure),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
