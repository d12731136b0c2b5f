/* test_excerpt.c - rows that are taken are those of the whole; a sample has the best, the latest, and some of all. */
#include "check.h"

#include <excerpt.h>
#include <rng.h>

enum { N = 1000, D = 2 };

static void fill(dataset *d, int merged) {
    rng r = rng_open(31, 1, RNG_DESIGN);
    dataset_init(d, D, D, -1);
    d->merged = merged;
    for (size_t i = 0; i < N; i++) {
        double x[D] = {rng_uniform(&r), rng_uniform(&r)};
        if (i % 10 == 9) memcpy(x, d->x + (i - 4) * D, sizeof x); /* a replicate */
        locbo_measurement m = {rng_normal(&r), i % 7 == 0 ? 0.1 : NAN, (unsigned)(i % 3)};
        check_ok(dataset_append(d, x, x, &m, i + 1, &error));
        if (i % 50 == 0) dataset_set_aside(d);
    }
    dataset_rescale(d, dataset_standardise(d));
}

static void check_row(const excerpt *e, const dataset *d, size_t i) {
    size_t from = e->source[i];
    assert_memory_equal(e->rows.x + i * D, d->x + from * D, D * sizeof(double));
    assert_int_equal(e->rows.trial[i], d->trial[from]);
    assert_int_equal(e->rows.aside[i], d->aside[from]);
    check_same(e->rows.y[i], d->y[from]);
    check_same(e->rows.noise_scale[i], d->noise_scale[from]);
    check_same(e->rows.noise_extra[i], d->noise_extra[from]);
}

static void test_take(void **state) {
    (void)state;
    dataset d;
    excerpt e = {0};
    fill(&d, 1);
    const size_t row[] = {3, 5, 9, 700, 999};
    for (int merged = 0; merged < 2; merged++) {
        check_ok(excerpt_take(&e, &d, 5, row, merged, &error));
        assert_int_equal(e.rows.n, 5);
        assert_int_equal(e.rows.points, merged ? 4 : 5); /* 9 is a replicate of 5 */
        check_ok(excerpt_add(&e, &d, 12, &error));
        for (size_t i = 0; i < 6; i++) check_row(&e, &d, i);
        excerpt_remove_last(&e);
        assert_int_equal(e.rows.n, 5);
    }
    check_ok(excerpt_take(&e, &d, 0, row, 1, &error));
    assert_int_equal(e.rows.n, 0);
    excerpt_release(&e);
    dataset_release(&d);
}

static void test_sample(void **state) {
    (void)state;
    dataset d;
    excerpt e = {0};
    fill(&d, 1);
    check_ok(excerpt_sample(&e, &d, 200, &error));
    assert_int_equal(e.rows.n, 200);
    size_t best = dataset_best(&d), found = 0, latest = 0, tenths[10] = {0};
    double least = 0; /* of the 50 best */
    for (size_t i = 0; i < 200; i++) {
        check_row(&e, &d, i);
        if (i > 0) assert_true(e.source[i] > e.source[i - 1]);
        found += e.source[i] == best;
        latest += e.source[i] >= N - 50;
        tenths[e.source[i] / 100]++;
    }
    for (size_t i = 0; i < N; i++) {
        size_t better = 0;
        for (size_t k = 0; k < N; k++) better += d.measured[k].value < d.measured[i].value;
        if (better == 49) least = d.measured[i].value;
    }
    for (size_t i = 0; i < N; i++) {
        int taken = 0;
        for (size_t k = 0; k < 200; k++) taken = taken || e.source[k] == i;
        if (d.measured[i].value <= least) assert_true(taken);
    }
    assert_int_equal(found, 1);
    assert_int_equal(latest, 50);
    for (size_t k = 0; k < 9; k++) assert_true(tenths[k] >= 8);
    excerpt_release(&e);
    dataset_release(&d);
}

/* Few results far on the bad side are in the sample, the farthest ones first. */
static void test_outliers(void **state) {
    (void)state;
    const size_t out[] = {210, 330, 332, 333, 334, 335, 336, 337, 338, 339, 340, 341}; /* more than a fifth of 50 */
    dataset d;
    excerpt e = {0}, rather = {0};
    fill(&d, 1);
    for (size_t i = 0; i < 12; i++) d.measured[out[i]].value = 1000 + (double)i; /* smaller is better */
    dataset_rescale(&d, dataset_standardise(&d));
    check_ok(excerpt_sample(&e, &d, 200, &error));
    assert_int_equal(e.rows.n, 200);
    for (size_t i = 2; i < 12; i++) {
        size_t found = 0;
        for (size_t k = 0; k < 200; k++) found += e.source[k] == out[i];
        assert_int_equal(found, 1);
    }
    for (size_t i = 0; i < 12; i++) d.measured[out[i]].value = 12; /* rather far: the worst others have 3 */
    dataset_rescale(&d, dataset_standardise(&d));
    check_ok(excerpt_sample(&rather, &d, 200, &error));
    size_t others = 0;
    for (size_t i = 0; i < 12; i++)
        for (size_t k = 0; k < 200; k++) others += rather.source[k] == out[i];
    assert_true(others < 10);
    excerpt_release(&rather);
    excerpt_release(&e);
    dataset_release(&d);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_take), cmocka_unit_test(test_sample),
                                       cmocka_unit_test(test_outliers)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
