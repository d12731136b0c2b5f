/* test_normal.c - the normal law and its tail integrals against 50-digit values and identities. */
#include "check.h"
#include "golden/normal_golden.h"
#include "normal.h"

#define ROWS(table) (sizeof(table) / sizeof(table)[0])

/* u^2/2 is rounded once: the log forms are good to 1e-15 of themselves, plus 2e-13 where H is the
 * difference of larger terms (u just below 3). Left of 0 log Q is minus a tail: u^2/2 roundings of
 * it. */
static void log_forms_match_golden_values(void **state) {
    (void)state;
    for (size_t i = 0; i < ROWS(golden_logs); ++i) {
        const double *g = golden_logs[i];
        check_close(normal_log_sf(g[0]), g[1], g[0] < 0 ? 1e-14 : 4e-15, 1e-300);
        check_close(normal_log_G(g[0]), g[2], 4e-15, 2e-14);
        check_close(normal_log_H(g[0]), g[3], 4e-15, 2e-13);
    }
}

/* exp turns the absolute error of the log, about u^2 roundings, into a relative one. */
static void plain_forms_match_golden_values(void **state) {
    (void)state;
    for (size_t i = 0; i < ROWS(golden_logs); ++i) {
        const double *g = golden_logs[i];
        if (fabs(g[0]) > 31) continue;
        check_close(normal_sf(g[0]), exp(g[1]), 5e-13, 0);
        check_close(normal_cdf(-g[0]), exp(g[1]), 5e-13, 0);
        check_close(normal_G(g[0]), exp(g[2]), 5e-13, 0);
        check_close(normal_H(g[0]), exp(g[3]), 5e-13, 0);
    }
}

static void recurrence_and_reflection_hold(void **state) {
    (void)state;
    for (double u = 0; u < 4; u += 0.03125) {
        double phi = normal_pdf(u), Q = normal_sf(u), G = normal_G(u), H = normal_H(u);
        check_close(G + u * Q, phi, 1e-14, 0);
        check_close(2 * H + u * G, Q, 1e-14, 0);
        check_close(normal_G(-u), G + u, 1e-15, 0);
        check_close(normal_H(-u) + H, 0.5 * (u * u + 1), 1e-15, 0);
        check_close(normal_mills(u) * phi, Q, 1e-14, 0);
        check_close(normal_scaled(u).Q, normal_mills(u), 1e-14, 0);
    }
}

/* The two ways to the ratios meet at u = 3, where the plain one has lost u^4 roundings. */
static void ratios_are_continuous(void **state) {
    (void)state;
    normal_ratios below = normal_scaled(nextafter(3, 0)), above = normal_scaled(3);
    check_close(below.Q, above.Q, 1e-14, 0);
    check_close(below.G, above.G, 1e-13, 0);
    check_close(below.H, above.H, 1e-12, 0);
    for (double u = 3; u < 1e10; u *= 1.01) /* u^3 H/phi rises to 1 */
        check_that(u * u * u * normal_scaled(u).H < 1 + 1e-12, "u = %g", u);
}

static void quantile_matches_golden_values(void **state) {
    (void)state;
    for (size_t i = 0; i < ROWS(golden_isf); ++i) {
        double p = golden_isf[i][0], z = golden_isf[i][1];
        check_close(normal_isf(p), z, 4e-16, 0); /* two roundings */
        check_close(normal_quantile(p), -z, 4e-16, 0);
    }
}

static void quantile_inverts_the_law(void **state) {
    (void)state;
    for (double z = -5; z <= 37; z += 0.0625) {
        /* p near 1 is known to 1e-16 only, which is 1e-16/phi(z) in z */
        double tolerance = 1e-15 * fabs(z) + 2e-16 / normal_pdf(fmin(z, 0));
        check_close(normal_isf(normal_sf(z)), z, 0, tolerance);
    }
    check_same(normal_isf(0.5), 0.0);
}

static void quantile_of_the_ends(void **state) {
    (void)state;
    assert_true(normal_quantile(0) == -INFINITY && normal_quantile(1) == INFINITY);
    assert_true(normal_isf(0) == INFINITY && normal_isf(1) == -INFINITY);
    assert_true(isnan(normal_quantile(-0.1)) && isnan(normal_quantile(1.1)) && isnan(normal_isf(NAN)));
    assert_true(isfinite(normal_isf(5e-324)));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(log_forms_match_golden_values),  cmocka_unit_test(plain_forms_match_golden_values),
        cmocka_unit_test(recurrence_and_reflection_hold), cmocka_unit_test(ratios_are_continuous),
        cmocka_unit_test(quantile_matches_golden_values), cmocka_unit_test(quantile_inverts_the_law),
        cmocka_unit_test(quantile_of_the_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
