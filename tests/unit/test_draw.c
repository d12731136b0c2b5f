/* test_draw.c - the generator against its published answers, its streams against each other, and
 * the laws of what is drawn. Seeds are fixed; bounds are such that one seed in 1e5 would fail. */
#include "draw.h"

#include "check.h"

enum { N = 1000000 };

/* The published generator: the outputs for the states 0 and 1234567. */
static void known_answers(void **state) {
    (void)state;
    draw zero = {0}, other = {1234567};
    assert_true(draw_bits(&zero) == UINT64_C(0xe220a8397b1dcdaf));
    assert_true(draw_bits(&zero) == UINT64_C(0x6e789e6aa1b965f4));
    assert_true(draw_bits(&zero) == UINT64_C(0x06c45d188009454f));
    assert_true(draw_bits(&other) == UINT64_C(6457827717110365317));
    assert_true(draw_bits(&other) == UINT64_C(3203168211198807973));
    assert_true(draw_bits(&other) == UINT64_C(9817491932198370423));
}

/* What files of results were made with must stay what it is. */
static void streams_stay(void **state) {
    (void)state;
    draw d = draw_open(7, 3), e = draw_open(7, 3);
    uint64_t first = draw_bits(&d);
    assert_true(first == draw_bits(&e));
    assert_true(first == UINT64_C(0x9f2c0faf59bdb377));
}

static int by_number(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Streams of small keys, their order included: no two begin with the same number. */
static void streams_are_their_own(void **state) {
    (void)state;
    enum { SIDE = 300 };
    static uint64_t first[SIDE * SIDE];
    for (uint64_t s = 0; s < SIDE; s++)
        for (uint64_t p = 0; p < SIDE; p++) {
            draw d = draw_open(s, p);
            first[s * SIDE + p] = draw_bits(&d);
        }
    qsort(first, SIDE * SIDE, sizeof *first, by_number);
    for (int i = 1; i < SIDE * SIDE; i++) assert_true(first[i - 1] != first[i]);
}

/* Neighbouring streams are uncorrelated: number by number, and in the first numbers of many streams. */
static void streams_are_independent(void **state) {
    (void)state;
    draw a = draw_open(1, 1), b = draw_open(1, 2), c = draw_open(2, 1);
    double ab = 0, ac = 0, firsts = 0;
    for (uint64_t i = 0; i < N; i++) {
        double u = draw_uniform(&a) - 0.5;
        draw d = draw_open(i, 0), e = draw_open(i + 1, 0);
        ab += u * (draw_uniform(&b) - 0.5);
        ac += u * (draw_uniform(&c) - 0.5);
        firsts += (draw_uniform(&d) - 0.5) * (draw_uniform(&e) - 0.5);
    }
    /* a correlation has standard error 1/sqrt(N), and 12 makes it one */
    assert_true(fabs(ab * 12 / N) < 4.5 / sqrt(N));
    assert_true(fabs(ac * 12 / N) < 4.5 / sqrt(N));
    assert_true(fabs(firsts * 12 / N) < 4.5 / sqrt(N));
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Kolmogorov's distance exceeds 2.5/sqrt(N) with probability 2 exp(-12.5), 8e-6. */
static void check_law(double (*next)(draw *), double (*cdf)(double), uint64_t seed) {
    static double sample[N];
    draw d = draw_open(seed, 0);
    double distance = 0;
    for (int i = 0; i < N; i++) sample[i] = next(&d);
    qsort(sample, N, sizeof *sample, ascending);
    for (int i = 0; i < N; i++) {
        double p = cdf(sample[i]);
        distance = fmax(distance, fmax(fabs(p - i / (double)N), fabs(p - (i + 1) / (double)N)));
    }
    check_that(distance < 2.5 / sqrt(N), "seed %d: distance %g", (int)seed, distance);
}

static double uniform_cdf(double u) { return u; }
static double normal_cdf(double z) { return erfc(-z / sqrt(2)) / 2; }
static double exponential_cdf(double t) { return -expm1(-t); }

static void laws(void **state) {
    (void)state;
    check_law(draw_uniform, uniform_cdf, 11);
    check_law(draw_normal, normal_cdf, 12);
    check_law(draw_exponential, exponential_cdf, 13);
}

/* Kolmogorov's distance is blind to tails: moments, to 4.5 of their standard errors. */
static void moments(void **state) {
    (void)state;
    draw d = draw_open(14, 0), e = draw_open(15, 0);
    double z2 = 0, z4 = 0, lag = 0, t1 = 0, t2 = 0, last = 0;
    for (int i = 0; i < N; i++) {
        double z = draw_normal(&d), t = draw_exponential(&e);
        z2 += z * z / N;
        z4 += z * z * z * z / N;
        lag += z * last / N;
        t1 += t / N;
        t2 += t * t / N;
        last = z;
    }
    check_close(z2, 1, 0, 4.5 * sqrt(2.0 / N));
    check_close(z4, 3, 0, 4.5 * sqrt(96.0 / N));
    check_close(lag, 0, 0, 4.5 * sqrt(1.0 / N));
    check_close(t1, 1, 0, 4.5 * sqrt(1.0 / N));
    check_close(t2, 2, 0, 4.5 * sqrt(20.0 / N));
}

/* z with z ^ (z >> shift) = y */
static uint64_t unshift(uint64_t y, int shift) {
    uint64_t z = y;
    for (int known = shift; known < 64; known += shift) z = y ^ (z >> shift);
    return z;
}

/* 1 / odd modulo 2^64, by Newton's method. */
static uint64_t inverse(uint64_t odd) {
    uint64_t r = odd;
    for (int i = 0; i < 6; i++) r *= 2 - odd * r;
    return r;
}

/* A stream whose next bits are these. */
static draw before(uint64_t bits) {
    uint64_t z = unshift(bits, 31) * inverse(UINT64_C(0x94d049bb133111eb));
    z = unshift(z, 27) * inverse(UINT64_C(0xbf58476d1ce4e5b9));
    return (draw){unshift(z, 30) - UINT64_C(0x9e3779b97f4a7c15)};
}

/* The extreme bits give numbers in the open interval, and so finite normals and exponentials. */
static void ends_are_open(void **state) {
    (void)state;
    const uint64_t extremes[] = {0, UINT64_MAX};
    for (int k = 0; k < 2; k++) {
        draw d = before(extremes[k]);
        assert_true(draw_bits(&d) == extremes[k]);
        d = before(extremes[k]);
        double u = draw_uniform(&d);
        assert_true(u > 0 && u < 1);
        check_same(u, k ? 1 - 0x1p-53 : 0x1p-53);
        d = before(extremes[k]);
        assert_true(isfinite(draw_normal(&d)));
        d = before(extremes[k]);
        double t = draw_exponential(&d);
        assert_true(isfinite(t) && t > 0);
    }
}

/* Two uniforms for each normal and one for the others: paired runs rely on it. */
static void costs(void **state) {
    (void)state;
    draw d = draw_open(16, 0), e = d;
    for (int i = 0; i < 1000; i++) {
        draw_normal(&d);
        draw_exponential(&d);
        for (int k = 0; k < 3; k++) draw_uniform(&e);
        assert_true(d.state == e.state);
    }
}

/* Small n: even (chi-square of 6 degrees of freedom: 33 has probability 1e-5). */
static void below_small(void **state) {
    (void)state;
    double count[7] = {0}, chi = 0;
    draw d = draw_open(17, 0);
    for (int i = 0; i < N; i++) {
        uint64_t k = draw_below(&d, 7);
        assert_true(k < 7);
        count[k]++;
        assert_true(draw_below(&d, 1) == 0);
    }
    for (int k = 0; k < 7; k++) chi += pow(count[k] - N / 7.0, 2) / (N / 7.0);
    check_that(chi < 33, "chi-square %g", chi);
}

/* Large n, where a plain remainder would fall below n/3 in half of the draws instead of a third. */
static void below_large(void **state) {
    (void)state;
    const uint64_t n = UINT64_C(3) << 62;
    int low = 0;
    draw d = draw_open(18, 0);
    for (int i = 0; i < N; i++) {
        uint64_t k = draw_below(&d, n);
        assert_true(k < n);
        low += k < n / 3;
        assert_true(draw_below(&d, UINT64_MAX) < UINT64_MAX);
    }
    check_close(low / (double)N, 1.0 / 3, 0, 4.5 * sqrt(2.0 / 9 / N));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),
        cmocka_unit_test(streams_stay),
        cmocka_unit_test(streams_are_their_own),
        cmocka_unit_test(streams_are_independent),
        cmocka_unit_test(laws),
        cmocka_unit_test(moments),
        cmocka_unit_test(ends_are_open),
        cmocka_unit_test(costs),
        cmocka_unit_test(below_small),
        cmocka_unit_test(below_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
