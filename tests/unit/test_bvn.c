/* test_bvn.c - the bivariate normal orthant against 30-digit quadrature, identities and limits. */
#include "bvn.h"
#include "check.h"
#include "golden/normal_golden.h"
#include "normal.h"

/* What Genz promises, and what law_tail.c relies on to choose between closed form and
 * quadrature. */
static const double absolute = 5e-16;

static void matches_golden_values(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof golden_bvn / sizeof *golden_bvn; ++i) {
        const double *g = golden_bvn[i];
        check_close(bvn_upper(g[0], g[1], g[2]), g[3], 0, absolute);
        check_close(bvn_upper(g[1], g[0], g[2]), g[3], 0, absolute);
    }
}

/* P(Z>h, W>k; r) + P(Z>h, W<k; r) = Q(h): the two sides come from different branches. */
static void complements_add_up(void **state) {
    (void)state;
    for (double r = -1; r <= 1; r += 0.015625)
        for (double h = -4; h <= 4; h += 0.71)
            for (double k = -4; k <= 4; k += 0.53) {
                double sum = bvn_upper(h, k, r) + bvn_upper(h, -k, -r);
                check_close(sum, normal_sf(h), 0, 2 * absolute);
            }
}

static void arcsine_law_at_the_origin(void **state) {
    (void)state;
    for (double r = -1; r <= 1; r += 0.0078125)
        check_close(bvn_upper(0, 0, r), 0.25 + asin(r) / 6.28318530717958647693, 0, absolute);
}

static void limits_of_the_correlation(void **state) {
    (void)state;
    for (double h = -3; h <= 3; h += 0.37) {
        for (double k = -3; k <= 3; k += 0.41) {
            check_close(bvn_upper(h, k, 0), normal_sf(h) * normal_sf(k), 0, absolute);
            check_close(bvn_upper(h, k, 1), normal_sf(fmax(h, k)), 0, absolute);
            check_close(bvn_upper(h, k, -1), fmax(0, normal_sf(h) - normal_sf(-k)), 0, absolute);
        }
        check_same(bvn_upper(h, INFINITY, 0.5), 0.0);
        check_same(bvn_upper(INFINITY, h, 0.5), 0.0);
        check_same(bvn_upper(h, -INFINITY, 0.5), normal_sf(h));
        check_same(bvn_upper(-INFINITY, h, 0.5), normal_sf(h));
    }
}

/* With rr given apart from r, the step at h = k is resolved where r itself rounds to 1: there
 * P = Q(h) - rr phi(h)/sqrt(pi) .. = first order in rr. */
static void small_rr_is_not_lost(void **state) {
    (void)state;
    double h = 0.75, rr = 1e-9;
    double expected = normal_sf(h) - rr * normal_pdf(h) / sqrt(2 * 3.14159265358979323846);
    check_close(bvn_upper_rr(h, h, 1, rr), expected, 0, absolute);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(matches_golden_values),     cmocka_unit_test(complements_add_up),
        cmocka_unit_test(arcsine_law_at_the_origin), cmocka_unit_test(limits_of_the_correlation),
        cmocka_unit_test(small_rr_is_not_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
