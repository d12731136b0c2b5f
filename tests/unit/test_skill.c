/* test_skill.c - how much better than a constant the model predicts. */
#include "skill.h"

#include "optimizer.h"
#include "scene.h"

/* ---- a constant -------------------------------------------------------------------------------- */

static double log_density(double z, double centre, double scale, int student) {
    double r = (z - centre) / scale;
    return student ? log(0.375) - 2.5 * log(1 + r * r / 4) - log(scale)
                   : -0.5 * r * r - 0.5 * log(6.283185307179586) - log(scale);
}

/* The largest likelihood by a grid over location and log scale that is made finer about its best point. */
static double by_grid(size_t n, const double *z, int student) {
    double best = -INFINITY, centre = 0, scale = 0, wide = 4;
    for (int round = 0; round < 60; round++, wide *= 0.7) {
        double c0 = centre, s0 = scale;
        for (int a = -10; a <= 10; a++)
            for (int b = -10; b <= 10; b++) {
                double c = c0 + wide * a / 10, s = s0 + 2 * wide * b / 10, sum = 0;
                for (size_t i = 0; i < n; i++) sum += log_density(z[i], c, exp(s), student);
                if (sum > best) best = sum, centre = c, scale = s;
            }
    }
    return best;
}

/* Normal, heavy-tailed and skewed numbers, two groups, a single outlier. The tolerance is that of the grid, whose last
 * step is 1e-9: 1e-9 squared, or rounding. */
static void a_constant_is_the_best_of_a_grid(void **state) {
    (void)state;
    rng r = scene_random(4);
    int won[2] = {0};
    for (int k = 0; k < 40; k++) {
        double z[30];
        size_t n = 2 + rng_below(&r, 29);
        for (size_t i = 0; i < n; i++) {
            double x = rng_normal(&r);
            z[i] = k % 4 == 0 ? x : k % 4 == 1 ? x * x * x : k % 4 == 2 ? exp(x) - 1 : (i % 2 ? 1 : -1) + 0.1 * x;
        }
        if (k % 5 == 4) z[0] = 8;
        double normal = by_grid(n, z, 0), student = by_grid(n, z, 1);
        check_close(skill_of_constant(n, z), fmax(normal, student) - 2, 1e-9, 1e-7);
        won[student > normal]++;
    }
    assert_true(won[0] > 5 && won[1] > 5);
}

/* Finite whatever the numbers are: all the same, or nearly all, for which the likelihood has no maximum. */
static void numbers_that_are_all_the_same(void **state) {
    (void)state;
    double same[20] = {0}, one_other[20] = {[7] = 4.3};
    assert_true(isfinite(skill_of_constant(20, same)));
    assert_true(isfinite(skill_of_constant(20, one_other)));
    assert_true(skill_of_constant(20, same) > skill_of_constant(20, one_other));
    assert_true(skill_of_constant(20, one_other) > 0);
    check_close(skill_of_constant(1, same), skill_of_constant(1, same + 1), 0, 0);
}

/* ---- the model --------------------------------------------------------------------------------- */

/* An optimizer of the default kind with n results and a fit to them; signal: of the bowl, else noise alone. */
static locbo_optimizer *fitted(size_t n, double signal, double unit, const char *scale, uint64_t seed) {
    locbo_space *space = scene_cube(2);
    locbo_options options = scene_options(&SCENE_METHODS[0], seed);
    scene_set(&options, "scale", scale);
    locbo_optimizer *o = scene_optimizer(space, &options);
    rng r = rng_open(seed, 1, RNG_DESIGN);
    double x[2];
    for (size_t i = 0; i < n; i++) {
        for (int j = 0; j < 2; j++) x[j] = rng_uniform(&r);
        scene_add(o, x, unit * exp(signal * scene_bowl(space, x) + 0.3 * rng_normal(&r)));
    }
    scene_ask(o, NULL, x);
    locbo_space_destroy(space);
    return o;
}

static double skill(const locbo_optimizer *o) { return skill_of_model(&o->quantity->surrogate, &o->quantity->data); }

/* Noise may look like a signal, but does not in half of the runs or more. */
static void a_model_has_skill_where_there_is_a_signal(void **state) {
    (void)state;
    int without = 0;
    for (uint64_t seed = 1; seed <= 8; seed++) {
        locbo_optimizer *noise = fitted(25, 0, 1, "auto", seed), *bowl = fitted(25, 2, 1, "auto", seed);
        without += skill(noise) < 2;
        check_that(skill(bowl) > 10, "bowl: %g", skill(bowl));
        locbo_optimizer_destroy(noise);
        locbo_optimizer_destroy(bowl);
    }
    assert_in_range(without, 4, 8);
}

/* Log densities of the results in the user's units: unlike skill.c, without the plain scale between. */
static void it_is_the_difference_of_log_densities_on_any_scale(void **state) {
    (void)state;
    int bent = 0;
    for (uint64_t seed = 1; seed <= 4; seed++) {
        locbo_optimizer *o = fitted(25, 2, 100, "auto", seed);
        const surrogate *s = &o->quantity->surrogate;
        const dataset *d = &o->quantity->data;
        double z[25], slopes = 0, mean = 0, spread = 0;
        bent += !scaling_is_affine(&s->fit_scale);
        for (size_t i = 0; i < d->n; i++) {
            z[i] = scaling_in(&s->fit_scale, d->measured[i].value);
            slopes += log(scaling_slope(&s->fit_scale, d->measured[i].value));
            mean += d->measured[i].value / 25;
        }
        for (size_t i = 0; i < d->n; i++) spread += pow(d->measured[i].value - mean, 2) / 24;
        double constant = fmax(by_grid(25, z, 0), by_grid(25, z, 1)) - 2 + slopes;
        double model = s->choice.item[s->choice.chosen].score - 25 * log(sqrt(spread));
        check_close(skill(o), model - constant, 1e-7, 1e-7);
        locbo_optimizer_destroy(o);
    }
    assert_true(bent > 0);
}

/* Not measured without a choice, nor with that of an earlier fit; results after the fit do not matter. */
static void it_is_that_of_the_last_fit(void **state) {
    (void)state;
    locbo_optimizer *o = fitted(25, 2, 1, "auto", 2);
    double before = skill(o), x[] = {0.5, 0.5};
    surrogate *s = &o->quantity->surrogate;
    scene_add(o, x, 7);
    check_same(skill(o), before);
    s->theta[0] += 1e-9; /* as if fitted again without a choice */
    check_same(skill(o), INFINITY);
    s->theta[0] = s->choice.item[s->choice.chosen].theta[0];
    check_same(skill(o), before);
    s->choice.count = 0;
    check_same(skill(o), INFINITY);
    locbo_optimizer_destroy(o);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_constant_is_the_best_of_a_grid),
        cmocka_unit_test(numbers_that_are_all_the_same),
        cmocka_unit_test(a_model_has_skill_where_there_is_a_signal),
        cmocka_unit_test(it_is_the_difference_of_log_densities_on_any_scale),
        cmocka_unit_test(it_is_that_of_the_last_fit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
