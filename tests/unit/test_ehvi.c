/* test_ehvi.c - expected hypervolume improvement against a sum over all cells of the grid of coordinates, Monte Carlo,
 * expected improvement (one objective) and the gain of a certain vector; its gradient against differences; and all of
 * that where it underflows. */
#include "ehvi.h"

#include "check.h"
#include "law.h"
#include "reference/front_reference.h"
#include "rng.h"

enum { M = FRONT_OBJECTIVES, POINTS = 8, SEED = 1854 }; /* POINTS: as many as the reference is quick for */
static const double zero[M] = {0};

/* A front and a normal vector. */
typedef struct setting {
    size_t m, n;
    double y[FRONT_POINTS * M], mu[M], sd[M];
    front_boxes boxes; /* above 0 */
} setting;

static rng open_stream(uint64_t trial) {
    print_message("seed %d, trial %d\n", SEED, (int)trial);
    return rng_open(SEED, trial, RNG_DESIGN);
}

static double log_uniform(rng *r, double a, double b) { return exp(log(a) + log(b / a) * rng_uniform(r)); }

/* The mean lies up to `depth` standard deviations below the reference, or among the front. */
static void draw(setting *s, int i, double depth, rng *r) {
    s->m = 1 + (size_t)i % M;
    s->n = (size_t)rng_below(r, s->m == 4 ? 7 : POINTS + 1);
    front_reference_draw((front_reference_kind)rng_below(r, FRONT_KINDS), s->m, s->n, s->y, r);
    for (size_t k = 0; k < s->m; k++) {
        s->sd[k] = log_uniform(r, 0.05, 5);
        s->mu[k] = rng_below(r, 2) ? 2 * rng_uniform(r) : -depth * s->sd[k] * rng_uniform(r);
    }
    check_ok(front_boxes_make(&s->boxes, s->m, s->n, s->y, zero, &error));
}

static double value(const setting *s) { return ehvi_log(&s->boxes, s->mu, s->sd, NULL, NULL); }

/* How many standard deviations separate the mean from the farthest of the front and of 0. */
static double farthest(const setting *s) {
    double h = 0;
    for (size_t k = 0; k < s->m; k++)
        for (size_t j = 0; j + 1 < s->boxes.levels[k]; j++)
            h = fmax(h, fabs(s->boxes.level[k][j] - s->mu[k]) / s->sd[k]);
    return h;
}

/* ---- the value --------------------------------------------------------------------------------- */

/* EI at h changes by h^2 roundings (1.1e-16) when h does by one, and h has three, in each of m objectives; the boxes'
 * sum adds some tens. The reference has 2000 times smaller roundings. */
static double tolerance(const setting *s) { return 1e-14 + 2e-15 * farthest(s) * farthest(s); }

static void sum_over_the_cells_of_the_grid(void **state) {
    (void)state;
    const double depth[] = {1, 10, 20, 40};
    rng r = open_stream(1);
    setting s = {0};
    int tiny = 0;
    for (int i = 0; i < 1600; i++) {
        draw(&s, i, depth[i / 4 % 4], &r);
        long double mu[M], sd[M];
        for (size_t k = 0; k < s.m; k++) mu[k] = s.mu[k], sd[k] = s.sd[k];
        double expected = (double)front_reference_log_ehvi(s.m, s.n, s.y, zero, mu, sd);
        tiny += expected < -700;
        check_close(value(&s), expected, 2.3e-16, tolerance(&s));
    }
    print_message("%d of them underflow\n", tiny);
    assert_true(tiny > 50);
    front_boxes_release(&s.boxes);
}

/* Fronts as large as the reference's (n + 1)^m cells allow. */
static void large_fronts(void **state) {
    (void)state;
    const size_t points[M] = {64, 64, 30, 12};
    rng r = open_stream(9);
    setting s = {0};
    for (int i = 0; i < 16; i++) {
        long double mu[M], sd[M];
        draw(&s, i, 0, &r);
        s.n = points[s.m - 1];
        front_reference_draw(FRONT_SPHERE, s.m, s.n, s.y, &r);
        check_ok(front_boxes_make(&s.boxes, s.m, s.n, s.y, zero, &error));
        for (size_t k = 0; k < s.m; k++) {
            mu[k] = s.mu[k] = rng_uniform(&r);
            sd[k] = s.sd[k] = i < 8 ? 0.3 : 0.02;
        }
        double expected = (double)front_reference_log_ehvi(s.m, s.n, s.y, zero, mu, sd);
        check_close(value(&s), expected, 2.3e-16, tolerance(&s));
    }
    front_boxes_release(&s.boxes);
}

/* Between plain doubles and logarithms, which the log of 1e-280 separates (-645): on a line through there, the values
 * differ from the reference by no more than elsewhere. */
static void both_forms_agree(void **state) {
    (void)state;
    rng r = open_stream(2);
    setting s = {0};
    for (int i = 0; i < 40; i++) {
        draw(&s, i, 0, &r);
        double span = 36 / sqrt((double)s.m); /* about where half its square, in m objectives, is 645 */
        for (int j = -20; j <= 20; j++) {
            long double mu[M], sd[M];
            for (size_t k = 0; k < s.m; k++) mu[k] = s.mu[k] = -(span + 0.1 * j) * s.sd[k], sd[k] = s.sd[k];
            double expected = (double)front_reference_log_ehvi(s.m, s.n, s.y, zero, mu, sd);
            check_close(value(&s), expected, 2.3e-16, tolerance(&s));
        }
    }
    front_boxes_release(&s.boxes);
}

/* Within five standard errors, for 40 cases; the spread is wide enough for draws to show a gain. */
static void monte_carlo(void **state) {
    (void)state;
    rng r = open_stream(3);
    setting s = {0};
    for (int i = 0; i < 40; i++) {
        double error;
        draw(&s, i, 1, &r);
        for (size_t k = 0; k < s.m; k++) s.mu[k] = 1 + 2 * rng_uniform(&r), s.sd[k] = log_uniform(&r, 1, 5);
        double mean = front_reference_monte_carlo(s.m, s.n, s.y, zero, s.mu, s.sd, 4000, &r, &error);
        check_close(exp(value(&s)), mean, 0, 5 * error);
    }
    front_boxes_release(&s.boxes);
}

/* One objective: expected improvement over the best, at any distance, also with sd = 0. Each has its own form of G near
 * h, of relative error h^2 roundings up to h = 8; farther out the same one. */
static void one_objective_is_expected_improvement(void **state) {
    (void)state;
    const double y[] = {0.3, 1.25, -4, 1.25}, reference[] = {0.5}, high[] = {2}, sds[] = {2, 0.1, 1e-5, 1e-80, 0};
    front_boxes b = {0};
    for (int above = 0; above < 2; above++) { /* is the reference above all vectors? */
        check_ok(front_boxes_make(&b, 1, 4, y, above ? high : reference, &error));
        for (size_t i = 0; i < sizeof sds / sizeof *sds; i++)
            for (double mu = -100; mu < 50; mu += 0.37) {
                double dmu, dsd;
                law l = {.kind = LAW_NORMAL, .mu = mu, .v = sds[i] * sds[i]};
                law_grad grad;
                double expected = law_log_ei(&l, above ? 2 : 1.25, &grad);
                check_close(ehvi_log(&b, &mu, &sds[i], &dmu, &dsd), expected, 1e-14, 1e-14);
                check_close(dmu, grad.mu, 3e-14, 0);
                if (sds[i] > 1e-70) check_close(dsd, 2 * sds[i] * grad.v, 3e-14, 1e-300);
                if (sds[i] < 1e-70) check_same(dsd, 0.0);
            }
    }
    front_boxes_release(&b);
}

/* sd -> 0: by what the volume grows when mu is added; a difference of volumes, so relative to the larger. The standard
 * deviation still moves it, by at most the sum of sd_k times the other lengths (5 at most). */
static void certain_vector(void **state) {
    (void)state;
    const double sds[] = {1e-12, 1e-60, 1e-100, 0};
    rng r = open_stream(4);
    setting s = {0};
    double all[(POINTS + 1) * M];
    for (int i = 0; i < 400; i++) {
        double before, after;
        draw(&s, i, 0, &r);
        for (size_t k = 0; k < s.m; k++) {
            s.mu[k] = all[s.n * s.m + k] = 3 * rng_uniform(&r);
            s.sd[k] = sds[i / 4 % 4];
        }
        memcpy(all, s.y, s.n * s.m * sizeof *all);
        check_ok(front_volume(s.m, s.n, all, zero, &before, &error));
        check_ok(front_volume(s.m, s.n + 1, all, zero, &after, &error));
        double gain = exp(value(&s));
        check_close(gain, after - before, 0, 1e-14 * after + 4 * 125 * s.sd[0]);
    }
    front_boxes_release(&s.boxes);
}

/* The order of objectives is of no matter; other boxes, so other roundings. */
static void any_order_of_objectives(void **state) {
    (void)state;
    rng r = open_stream(5);
    setting s = {0}, turned = {0};
    for (int i = 0; i < 400; i++) {
        draw(&s, i, 30, &r);
        for (size_t k = 0; k < s.m; k++) {
            size_t to = (k + 1) % s.m;
            for (size_t j = 0; j < s.n; j++) turned.y[j * s.m + to] = s.y[j * s.m + k];
            turned.mu[to] = s.mu[k], turned.sd[to] = s.sd[k];
        }
        check_ok(front_boxes_make(&turned.boxes, s.m, s.n, turned.y, zero, &error));
        check_close(value(&turned), value(&s), 2.3e-16, tolerance(&s));
    }
    front_boxes_release(&s.boxes);
    front_boxes_release(&turned.boxes);
}

/* ---- the gradient ------------------------------------------------------------------------------ */

/* The reference's derivative by mu_k, or by sd_k if `by_sd`, from values at four points `step` apart: an error of
 * step^4/30 of the fifth derivative, and roundings of 1e-19 |log EHVI|/step. */
static double difference(const setting *s, size_t k, int by_sd, double step) {
    const long double weights[] = {1, -8, 0, 8, -1};
    long double sum = 0;
    for (int i = -2; i <= 2; i++) {
        long double mu[M], sd[M];
        for (size_t j = 0; j < s->m; j++) mu[j] = s->mu[j], sd[j] = s->sd[j];
        *(by_sd ? &sd[k] : &mu[k]) += i * (long double)step;
        if (i != 0) sum += weights[i + 2] * front_reference_log_ehvi(s->m, s->n, s->y, zero, mu, sd);
    }
    return (double)(sum / (12 * (long double)step));
}

/* A step of 1e-3 sd/(1 + h): derivatives grow by factors of h/sd by mu, h^2/sd by sd, and so does what a tolerance is
 * relative to; 1e-9 of it is 1e-12 for the truncation, 1e-13 for rounding, and some hundred for what fifth derivatives
 * are larger. */
static void gradient_is_that_of_the_reference(void **state) {
    (void)state;
    const double depth[] = {0, 5, 20, 40};
    rng r = open_stream(6);
    setting s = {0};
    for (int i = 0; i < 400; i++) {
        double dmu[M], dsd[M], alone[M];
        draw(&s, i, depth[i / 4 % 4], &r);
        double h = 1 + farthest(&s), plain = value(&s);
        check_same(ehvi_log(&s.boxes, s.mu, s.sd, dmu, dsd), plain);
        for (size_t k = 0; k < s.m; k++) {
            double scale = h / s.sd[k], step = 1e-3 / scale;
            check_close(dmu[k], difference(&s, k, 0, step), 0, 1e-9 * scale);
            check_close(dsd[k], difference(&s, k, 1, step / h), 0, 1e-9 * scale * h);
            assert_true(dmu[k] > 0);
        }
        ehvi_log(&s.boxes, s.mu, s.sd, NULL, alone);
        for (size_t k = 0; k < s.m; k++) check_same(alone[k], dsd[k]);
        ehvi_log(&s.boxes, s.mu, s.sd, alone, NULL);
        for (size_t k = 0; k < s.m; k++) check_same(alone[k], dmu[k]);
    }
    front_boxes_release(&s.boxes);
}

/* ---- far out ----------------------------------------------------------------------------------- */

/* Beyond the reference's range: up to 1e6 standard deviations below, a mean that is higher and (since the mean is
 * below) a spread that is wider are better, by what the gradient says. */
static void far_below_it_orders_points(void **state) {
    (void)state;
    const double depths[] = {40, 200, 1e4, 1e6};
    rng r = open_stream(7);
    setting s = {0};
    for (int i = 0; i < 400; i++) {
        double h = depths[i / 4 % 4], dmu[M], dsd[M], before;
        draw(&s, i, 0, &r);
        for (size_t k = 0; k < s.m; k++) s.mu[k] = -h * s.sd[k];
        before = ehvi_log(&s.boxes, s.mu, s.sd, dmu, dsd);
        for (size_t k = 0; k < s.m; k++) {
            setting moved = s;
            /* a step raises the log by 0.01 or (so that rounding, 2e-16 of h^2, is less than 1e-2 of it) more */
            double by_mu = fmax(0.01, 1e-13 * h * h) / dmu[k], by_sd = fmax(0.01, 1e-13 * h * h) / dsd[k];
            moved.mu[k] += by_mu;
            double rise = value(&moved) - before;
            check_close(rise, by_mu * dmu[k], 0.05, 0);
            moved.mu[k] = s.mu[k], moved.sd[k] += by_sd;
            rise = value(&moved) - before;
            check_close(rise, by_sd * dsd[k], 0.05, 0);
        }
    }
    front_boxes_release(&s.boxes);
}

static void always_finite(void **state) {
    (void)state;
    const double sds[] = {0, 1e-320, 1e-200, 1e-70, 1e-10, 1, 1e10, 1e100};
    const double mus[] = {-1e300, -1e80, -1e9, -1, 0, 0.5, 1, 7, 1e9, 1e80, 1e300};
    enum { SDS = sizeof sds / sizeof *sds, MUS = sizeof mus / sizeof *mus };
    rng r = open_stream(8);
    setting s = {0};
    for (int i = 0; i < 20000; i++) {
        double dmu[M], dsd[M];
        if (i % 100 < M) draw(&s, i, 0, &r);
        for (size_t k = 0; k < s.m; k++) {
            s.sd[k] = sds[rng_below(&r, SDS)], s.mu[k] = mus[rng_below(&r, MUS)];
            if (rng_below(&r, 3) == 0) s.mu[k] = s.boxes.level[k][rng_below(&r, s.boxes.levels[k] - 1)];
        }
        double with = ehvi_log(&s.boxes, s.mu, s.sd, dmu, dsd);
        check_that(isfinite(with), "%g", with);
        check_same(value(&s), with);
        for (size_t k = 0; k < s.m; k++)
            check_that(isfinite(dmu[k]) && isfinite(dsd[k]) && dmu[k] >= 0, "m %zu, objective %zu, mu %g, sd %g: %g %g",
                       s.m, k, s.mu[k], s.sd[k], dmu[k], dsd[k]);
    }
    front_boxes_release(&s.boxes);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sum_over_the_cells_of_the_grid),
        cmocka_unit_test(large_fronts),
        cmocka_unit_test(both_forms_agree),
        cmocka_unit_test(monte_carlo),
        cmocka_unit_test(one_objective_is_expected_improvement),
        cmocka_unit_test(certain_vector),
        cmocka_unit_test(any_order_of_objectives),
        cmocka_unit_test(gradient_is_that_of_the_reference),
        cmocka_unit_test(far_below_it_orders_points),
        cmocka_unit_test(always_finite),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
