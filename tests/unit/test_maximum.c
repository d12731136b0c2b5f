/* test_maximum.c - draws of the largest value of f and the score given them: against the entropies on a grid, the model
 * that is told what was drawn for outstanding trials, the limits of the draws, and differences. */
#include "check.h"
#include "linalg.h"
#include "maximum.h"
#include "normal.h"

#include <string.h>

enum { COLUMNS = 2, ROWS = 9, PENDING = 3, POINTS = 40 };

typedef struct scene {
    gp *model, *plain; /* with the pending rows, and without */
    double x[(ROWS + PENDING) * COLUMNS], y[ROWS], scale[ROWS + PENDING], extra[ROWS + PENDING];
    double theta[COLUMNS + 2], u[POINTS * COLUMNS], rho[POINTS];
    maximum drawn;
} scene;

static const size_t group[COLUMNS] = {0, 1};
static const gp_spec spec = {LOCBO_KERNEL_MATERN52, COLUMNS, COLUMNS, group, 0, 0};

static void open_scene(scene *s, size_t pending, double rho, uint64_t seed) {
    rng r = rng_open(seed, 1, RNG_DESIGN);
    memset(s, 0, sizeof *s);
    for (size_t i = 0; i < (ROWS + PENDING) * COLUMNS; i++) s->x[i] = rng_uniform(&r);
    for (size_t i = 0; i < ROWS; i++) s->y[i] = rng_normal(&r);
    for (size_t i = 0; i < ROWS + PENDING; i++) s->scale[i] = 1;
    for (size_t i = 0; i < POINTS * COLUMNS; i++) s->u[i] = rng_uniform(&r);
    for (size_t i = 0; i < POINTS; i++) s->rho[i] = rho;
    s->theta[0] = log(0.3), s->theta[1] = log(0.5), s->theta[2] = log(1.2), s->theta[3] = log(0.02);
    gp_data data = {ROWS, s->x, s->y, s->scale, s->extra, NULL};
    check_ok(gp_create(&s->model, &spec, &error));
    check_ok(gp_create(&s->plain, &spec, &error));
    check_ok(gp_factor(s->model, s->theta, &data, &error));
    check_ok(gp_factor(s->plain, s->theta, &data, &error));
    for (size_t k = 0; k < pending; k++) check_ok(gp_append_pending(s->model, s->x + (ROWS + k) * COLUMNS, &error));
    check_ok(maximum_draw(&s->drawn, s->model, POINTS, s->u, s->rho, rng_open(seed, 2, RNG_MAXIMUM), &error));
}

static void close_scene(scene *s) {
    maximum_release(&s->drawn);
    gp_destroy(s->model);
    gp_destroy(s->plain);
}

/* The score at u, with its gradient by way of the model if `grad` is not NULL; rho is 1.3 there. */
static double score_at(const scene *s, const double *u, double *grad, maximum_view *view, maximum_view *by) {
    gp_work work = {0};
    maximum_view at = {.rho = 1.3, .s2 = gp_noise_var(s->model)};
    double dmu[COLUMNS], dv[COLUMNS];
    check_ok(gp_predict_grad(s->model, u, &at.mu, &at.v, dmu, dv, &work, &error));
    maximum_tie(&s->drawn, &work, 0, at.t);
    double score = maximum_log_gain(&s->drawn, &at, by);
    for (size_t c = 0; grad && c < COLUMNS; c++) grad[c] = by->mu * dmu[c] + by->v * dv[c];
    if (grad) maximum_chain(&s->drawn, s->model, &work, by->t, grad);
    if (view) *view = at;
    gp_work_release(&work);
    return score;
}

/* H(y) - H(y | f <= m) by sums over a grid of y, f given y being normal. */
static double by_grid(double m, double mu, double v, double s2) {
    double sy = sqrt(v + s2), log_all = normal_log_sf(-(m - mu) / sqrt(v)), entropy = 0, step = 2e-4;
    for (double w = -14; w < 14; w += step) {
        double mean = mu + v / sy * w, sd = sqrt(v * s2 / (v + s2));
        double log_q = normal_log_pdf(w) + normal_log_sf(-(m - mean) / sd) - log_all;
        if (log_q > -700) entropy -= step * exp(log_q) * log_q;
    }
    return 0.5 * (log(8 * atan(1)) + 1) - entropy;
}

/* The quadrature is good to 2e-7. */
static void the_score_is_the_mean_of_entropies(void **state) {
    (void)state;
    for (size_t pending = 0; pending <= PENDING; pending += PENDING) {
        scene s;
        open_scene(&s, pending, 1, 5);
        for (size_t i = 0; i < 4; i++) {
            maximum_view at;
            double sum = 0, score = score_at(&s, s.u + i * COLUMNS, NULL, &at, NULL);
            for (size_t k = 0; k < MAXIMUM_DRAWS; k++)
                sum += by_grid(s.drawn.value[k], at.mu + at.rho * at.t[k], at.rho * at.rho * at.v, at.s2);
            check_close(exp(score), sum / MAXIMUM_DRAWS, 1e-6, 1e-9);
        }
        close_scene(&s);
    }
}

/* What the draws make of outstanding trials is what the model would be if it were told these results: with innovations
 * z the results are mean + the lower right block of L times z. */
static void drawn_results_move_the_mean_as_told_ones_do(void **state) {
    (void)state;
    scene s;
    open_scene(&s, PENDING, 1, 6);
    size_t stride, rows = ROWS + PENDING;
    const double *L = gp_factor_matrix(s.model, &stride);
    double mu[PENDING], v[PENDING], y[ROWS + PENDING];
    gp_work work = {0}, other = {0};
    check_ok(gp_predict(s.plain, PENDING, s.x + ROWS * COLUMNS, mu, v, &work, &error));
    for (size_t k = 0; k < MAXIMUM_DRAWS; k++) {
        double z[ROWS + PENDING];
        for (size_t i = 0; i < rows; i++) { /* z = L^T a */
            z[i] = 0;
            for (size_t j = i; j < rows; j++) z[i] += L[j + i * stride] * s.drawn.weight[k * rows + j];
            if (i < ROWS) check_close(z[i], 0, 0, 1e-12);
        }
        memcpy(y, s.y, sizeof s.y);
        for (size_t i = 0; i < PENDING; i++) {
            y[ROWS + i] = mu[i];
            for (size_t j = 0; j <= i; j++) y[ROWS + i] += L[ROWS + i + (ROWS + j) * stride] * z[ROWS + j];
        }
        gp *told;
        check_ok(gp_create(&told, &spec, &error));
        check_ok(gp_factor(told, s.theta, &(gp_data){rows, s.x, y, s.scale, s.extra, NULL}, &error));
        for (size_t i = 0; i < 5; i++) {
            double t[MAXIMUM_DRAWS], before, after, v0, v1;
            check_ok(gp_predict(told, 1, s.u + i * COLUMNS, &after, &v0, &other, &error));
            check_ok(gp_predict(s.model, 1, s.u + i * COLUMNS, &before, &v1, &work, &error));
            maximum_tie(&s.drawn, &work, 0, t);
            check_close(before + t[k], after, 1e-9, 1e-9); /* rounding of two factorisations */
            check_close(v0, v1, 1e-9, 1e-9);
        }
        gp_destroy(told);
    }
    gp_work_release(&work);
    gp_work_release(&other);
    close_scene(&s);
}

/* A draw has one of the values at the points: with a spread of almost nothing the largest mean, otherwise more on
 * average, and more if the spread is stretched. */
static void draws_are_of_the_largest_value(void **state) {
    (void)state;
    double mean[3] = {0}, mu[POINTS], v[POINTS], top = -INFINITY;
    static const double stretch[] = {1e-9, 1, 3};
    for (size_t k = 0; k < 3; k++) {
        scene s;
        gp_work work = {0};
        open_scene(&s, 0, stretch[k], 7);
        check_ok(gp_predict(s.plain, POINTS, s.u, mu, v, &work, &error));
        for (size_t i = 0; i < POINTS; i++) top = fmax(top, mu[i]);
        for (size_t i = 0; i < MAXIMUM_DRAWS; i++) mean[k] += s.drawn.value[i] / MAXIMUM_DRAWS;
        gp_work_release(&work);
        close_scene(&s);
    }
    check_close(mean[0], top, 0, 1e-7);
    check_that(mean[1] > mean[0] && mean[2] > mean[1], "%g %g %g", mean[0], mean[1], mean[2]);
}

static void its_gradient_is_that_of_differences(void **state) {
    (void)state;
    const double step = 1e-5;
    for (size_t pending = 0; pending <= PENDING; pending += PENDING) {
        scene s;
        open_scene(&s, pending, 1.3, 8);
        for (size_t i = 0; i < 10; i++) {
            double u[COLUMNS], grad[COLUMNS];
            maximum_view at, by;
            memcpy(u, s.u + i * COLUMNS, sizeof u);
            score_at(&s, u, grad, &at, &by);
            for (size_t c = 0; c < COLUMNS; c++) {
                u[c] += step;
                double up = score_at(&s, u, NULL, NULL, NULL);
                u[c] -= 2 * step;
                double slope = (up - score_at(&s, u, NULL, NULL, NULL)) / (2 * step);
                u[c] += step;
                check_close(grad[c], slope, 1e-5, 1e-5); /* third derivatives of some 1e3 times step^2 */
            }
            double *number[] = {&at.rho, &at.s2}, wanted[] = {by.rho, by.s2};
            for (size_t c = 0; c < 2; c++) {
                double centre = *number[c], h = 1e-5 * centre;
                *number[c] = centre + h;
                double up = maximum_log_gain(&s.drawn, &at, NULL);
                *number[c] = centre - h;
                double slope = (up - maximum_log_gain(&s.drawn, &at, NULL)) / (2 * h);
                *number[c] = centre;
                check_close(wanted[c], slope, 1e-5, 1e-5);
            }
        }
        close_scene(&s);
    }
}

/* No noise, no variance, far below and far above the maximum: always a finite number. */
static void scores_are_finite(void **state) {
    (void)state;
    scene s;
    open_scene(&s, 0, 1, 9);
    static const double means[] = {-1e100, -1e6, -3, 0, 3, 1e6}, variances[] = {0, 1e-300, 1e-12, 1, 1e6},
                        noises[] = {0, 1e-8, 1, 1e6};
    for (size_t i = 0; i < 6; i++)
        for (size_t j = 0; j < 5; j++)
            for (size_t k = 0; k < 4; k++) {
                maximum_view by, at = {.mu = means[i], .v = variances[j], .rho = 1, .s2 = noises[k]};
                double score = maximum_log_gain(&s.drawn, &at, &by);
                check_that(isfinite(score) && isfinite(by.mu) && isfinite(by.v), "%g %g %g: %g, by %g %g", at.mu, at.v,
                           at.s2, score, by.mu, by.v);
            }
    close_scene(&s);
}

/* A measurement of correlation sqrt(v/(v + s2)) is one at the point itself; a smaller correlation tells less. */
static void a_correlation_takes_the_place_of_noise(void **state) {
    (void)state;
    scene s;
    open_scene(&s, PENDING, 1, 10);
    for (size_t i = 0; i < POINTS; i++) {
        maximum_view at;
        double score = score_at(&s, s.u + i * COLUMNS, NULL, &at, NULL), v = at.rho * at.rho * at.v;
        double r = sqrt(v / (v + at.s2));
        check_close(maximum_log_gain_of(&s.drawn, &at, r), score, 1e-9, 1e-9);
        check_that(maximum_log_gain_of(&s.drawn, &at, 0.5 * r) < score, "correlation %g", 0.5 * r);
        assert_true(isfinite(maximum_log_gain_of(&s.drawn, &at, 0)));
        assert_true(isfinite(maximum_log_gain_of(&s.drawn, &at, 1)));
    }
    close_scene(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_score_is_the_mean_of_entropies),
        cmocka_unit_test(drawn_results_move_the_mean_as_told_ones_do),
        cmocka_unit_test(draws_are_of_the_largest_value),
        cmocka_unit_test(its_gradient_is_that_of_differences),
        cmocka_unit_test(scores_are_finite),
        cmocka_unit_test(a_correlation_takes_the_place_of_noise),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
