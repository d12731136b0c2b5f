/* test_entropy.c - the information about the maximum: against the definition on a grid, its limits, its gradient. */
#include "check.h"
#include "entropy.h"
#include "normal.h"

/* H(y) - H(y | g <= m) by the definition, on a grid of w = (y - my)/sd: the density of w given g <= m is
 * q(w) = phi(w) Phi((b - rho w)/sqrt(1 - rho^2)) / Phi(b), and the standard normal's entropy is log(2 pi e)/2. */
static double by_grid(double b, double rho) {
    const double step = 1e-4;
    double s = sqrt(1 - rho * rho), log_all = normal_log_sf(-b), entropy = 0;
    for (double w = -45; w < 12; w += step) {
        double log_q = normal_log_pdf(w) + normal_log_sf(-(b - rho * w) / s) - log_all;
        if (log_q > -700) entropy -= step * exp(log_q) * log_q;
    }
    return 0.5 * (log(8 * atan(1)) + 1) - entropy;
}

/* The trapezoidal sum of a smooth density is good to rounding while the step is small beside its features. */
static void it_is_the_difference_of_entropies(void **state) {
    (void)state;
    for (double b = -6; b <= 3; b += 1.5)
        for (double rho = 0.2; rho < 0.999; rho += 0.195)
            check_close(exp(entropy_log_gain(b, asin(rho), NULL)), by_grid(b, rho), 5e-8, 1e-11);
    check_close(exp(entropy_log_gain(-2, asin(0.99), NULL)), 1.126027503, 5e-8, 0);
    check_close(exp(entropy_log_gain(-2, asin(0.999), NULL)), 1.31603048, 5e-8, 0);
}

/* Without noise, at full fidelity: max-value entropy search as published, b phi/(2 Phi) - log Phi. */
static void without_noise_it_is_the_known_form(void **state) {
    (void)state;
    for (double b = -8; b <= 4; b += 0.5) {
        double k = exp(normal_log_pdf(b) - normal_log_sf(-b));
        check_close(exp(entropy_log_gain(b, asin(1), NULL)), b * k / 2 - normal_log_sf(-b), 2e-7, 0);
    }
}

/* Small correlations: I = rho^2 k (k + b)/2 (1 + O(rho^2)). */
static void without_correlation_it_is_nothing(void **state) {
    (void)state;
    assert_true(entropy_log_gain(0.3, 0, NULL) == -INFINITY);
    for (double b = -30; b <= 30; b += 2.5) {
        double log_k = normal_log_pdf(b) - normal_log_sf(-b), k = exp(log_k);
        double h = b < 0 ? normal_scaled(-b).G / normal_scaled(-b).Q : b + k;
        check_close(entropy_log_gain(b, 1e-6, NULL), log_k + log(h / 2) - 12 * log(10), 1e-10, 1e-9);
    }
}

static void it_grows_with_the_angle_and_falls_with_the_maximum(void **state) {
    (void)state;
    for (double b = -20; b <= 40; b += 0.5)
        for (double angle = 0.05; angle < 1.5; angle += 0.1) {
            double here = entropy_log_gain(b, angle, NULL);
            assert_true(isfinite(here));
            assert_true(entropy_log_gain(b, angle + 0.04, NULL) > here);
            assert_true(entropy_log_gain(b + 0.5, angle, NULL) < here);
        }
}

/* Central differences of step 1e-5: 1e-10 of the third derivative, and 1e-11 of rounding; that by the angle is exact,
 * and the differences are those of the quadrature, whose error wavers. */
static void its_gradient_is_that_of_differences(void **state) {
    (void)state;
    const double step = 1e-5;
    for (double b = -10; b <= 10; b += 0.75)
        for (double angle = 0.05; angle < 1.57; angle += 0.08) {
            entropy_grad grad;
            entropy_log_gain(b, angle, &grad);
            double by_b = entropy_log_gain(b + step, angle, NULL) - entropy_log_gain(b - step, angle, NULL);
            double by_angle = entropy_log_gain(b, angle + step, NULL) - entropy_log_gain(b, angle - step, NULL);
            check_close(grad.b, by_b / (2 * step), 1e-6, 1e-7);
            check_close(grad.angle, by_angle / (2 * step), 1e-6, 1e-6);
        }
    entropy_grad end;
    entropy_log_gain(0.5, 2 * atan(1), &end);
    assert_true(isfinite(end.b) && isfinite(end.angle));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_the_difference_of_entropies),
        cmocka_unit_test(without_noise_it_is_the_known_form),
        cmocka_unit_test(without_correlation_it_is_nothing),
        cmocka_unit_test(it_grows_with_the_angle_and_falls_with_the_maximum),
        cmocka_unit_test(its_gradient_is_that_of_differences),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
