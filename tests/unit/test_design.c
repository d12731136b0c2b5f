/* test_design.c - initial designs: slices, spread, repeatability. */
#include "design.h"

#include "scene.h"

static double *make(locbo_design design, size_t n, size_t dim, uint64_t seed) {
    double *t = calloc(n * dim + 1, sizeof *t);
    rng r = rng_open(seed, 0, RNG_DESIGN);
    check_ok(design_make(design, n, dim, &r, t, &error));
    for (size_t i = 0; i < n * dim; i++) assert_true(t[i] >= 0 && t[i] <= 1);
    return t;
}

/* One point in each of n slices of every coordinate; small ones are compared, large ones not. */
static void latin_hypercubes(void **state) {
    (void)state;
    const size_t sizes[] = {1, 2, 5, 20, 200, 201, 1000};
    for (size_t s = 0; s < sizeof sizes / sizeof sizes[0]; s++)
        for (size_t dim = 1; dim <= 7; dim += 3) {
            size_t n = sizes[s];
            double *t = make(LOCBO_DESIGN_LHS, n, dim, s);
            for (size_t j = 0; j < dim; j++) {
                int *seen = calloc(n, sizeof *seen);
                for (size_t i = 0; i < n; i++) seen[(size_t)(t[i * dim + j] * (double)n)]++;
                for (size_t i = 0; i < n; i++) assert_int_equal(seen[i], 1);
                free(seen);
            }
            free(t);
        }
}

static double separation(size_t n, size_t dim, const double *t) {
    double least = INFINITY;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < i; k++) {
            double square = 0;
            for (size_t j = 0; j < dim; j++) square += pow(t[i * dim + j] - t[k * dim + j], 2);
            least = fmin(least, sqrt(square));
        }
    return least;
}

/* The best of ten is further apart than uniform points, on average over seeds. */
static void spread_out(void **state) {
    (void)state;
    double latin = 0, uniform = 0;
    for (uint64_t seed = 0; seed < 50; seed++) {
        double *a = make(LOCBO_DESIGN_LHS, 10, 2, seed), *b = make(LOCBO_DESIGN_UNIFORM, 10, 2, seed);
        latin += separation(10, 2, a) / 50;
        uniform += separation(10, 2, b) / 50;
        free(a);
        free(b);
    }
    check_that(latin > 1.5 * uniform, "mean separation %g, uniform %g", latin, uniform);
}

static void repeatable(void **state) {
    (void)state;
    for (int design = 0; design < 2; design++) {
        double *a = make((locbo_design)design, 12, 3, 4), *b = make((locbo_design)design, 12, 3, 4);
        double *c = make((locbo_design)design, 12, 3, 5);
        assert_memory_equal(a, b, 36 * sizeof *a);
        assert_memory_not_equal(a, c, 36 * sizeof *a);
        free(a);
        free(b);
        free(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(latin_hypercubes),
        cmocka_unit_test(spread_out),
        cmocka_unit_test(repeatable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
