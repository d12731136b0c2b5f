/* test_rng.c - the generator against its published answers, the streams against each other, and
 * moments. */
#include "rng.h"

#include <Random123/philox.h>

#include "scene.h"

/* Random123's own known answers for philox4x32-10 (its file kat_vectors). */
static const struct {
    uint32_t counter[4], key[2], expected[4];
} KNOWN[] = {
    {{0, 0, 0, 0}, {0, 0}, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
    {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xffffffff, 0xffffffff},
     {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
    {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
     {0xa4093822, 0x299f31d0},
     {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
};

static void known_answers(void **state) {
    (void)state;
    for (size_t k = 0; k < sizeof KNOWN / sizeof KNOWN[0]; k++) {
        philox4x32_ctr_t counter;
        philox4x32_key_t key = {{KNOWN[k].key[0], KNOWN[k].key[1]}};
        memcpy(counter.v, KNOWN[k].counter, sizeof counter.v);
        philox4x32_ctr_t out = philox4x32(counter, key);
        for (int i = 0; i < 4; i++) assert_int_equal(out.v[i], KNOWN[k].expected[i]);
    }
}

/* Seed, trial and purpose 0 are the first of them: words come in order, the high half first. */
static void a_stream_is_the_generator(void **state) {
    (void)state;
    rng r = rng_open(0, 0, (rng_purpose)0);
    assert_true(rng_bits(&r) == UINT64_C(0x6627e8d5e169c58d));
    assert_true(rng_bits(&r) == UINT64_C(0xbc57ac4c9b00dbd8));
    uint64_t seed = UINT64_C(0x299f31d0a4093822), trial = UINT64_C(0x13198a2e85a308d3);
    r = rng_open(seed, trial, (rng_purpose)0x03707344);
    r.block_number = 0x243f6a88;
    assert_true(rng_bits(&r) == UINT64_C(0xd16cfe0994fdcceb));
}

/* The same names give the same stream; any other name gives another one. */
static void streams_are_their_own(void **state) {
    (void)state;
    rng base = rng_open(7, 3, RNG_FIT), again = rng_open(7, 3, RNG_FIT);
    rng others[] = {rng_open(8, 3, RNG_FIT), rng_open(7, 4, RNG_FIT), rng_open(7, 3, RNG_CANDIDATES),
                    rng_open(7 + (UINT64_C(1) << 32), 3, RNG_FIT), rng_open(7, 3 + (UINT64_C(1) << 32), RNG_FIT)};
    for (int i = 0; i < 1000; i++) {
        uint64_t bits = rng_bits(&base);
        assert_true(bits == rng_bits(&again));
        for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) assert_true(bits != rng_bits(&others[k]));
    }
}

/* Streams of neighbouring trials are uncorrelated. */
static void streams_are_independent(void **state) {
    (void)state;
    enum { N = 100000 };
    rng a = rng_open(1, 1, RNG_CANDIDATES), b = rng_open(1, 2, RNG_CANDIDATES);
    double sum = 0;
    for (int i = 0; i < N; i++) sum += (rng_uniform(&a) - 0.5) * (rng_uniform(&b) - 0.5);
    /* a correlation has standard error 1/sqrt(N); five of them */
    assert_true(fabs(sum * 12 / N) < 5 / sqrt(N));
}

static void uniform_numbers(void **state) {
    (void)state;
    enum { N = 1000000, BINS = 100 };
    rng r = scene_random(5);
    int count[BINS] = {0};
    double sum = 0;
    for (int i = 0; i < N; i++) {
        double u = rng_uniform(&r);
        assert_true(u > 0 && u < 1);
        count[(int)(u * BINS)]++;
        sum += u;
    }
    double chi = 0;
    for (int k = 0; k < BINS; k++) chi += pow(count[k] - N / BINS, 2) / (N / BINS);
    /* chi-square with 99 degrees of freedom exceeds 182 once in a million */
    check_that(chi < 182, "chi-square %g", chi);
    check_close(sum / N, 0.5, 0, 5 * sqrt(1.0 / 12 / N)); /* five standard errors */
    /* the ends of the 52 bits */
    rng end = {.used = 0, .block = {0, 0, 0xffffffff, 0xffffffff}};
    assert_true(rng_uniform(&end) == 0x1p-53);
    assert_true(rng_uniform(&end) == 1 - 0x1p-53);
}

static void whole_numbers_without_bias(void **state) {
    (void)state;
    rng r = scene_random(6);
    const uint64_t sizes[] = {1, 2, 3, 7, 100};
    for (int s = 0; s < 5; s++) {
        enum { N = 200000 };
        int count[100] = {0};
        for (int i = 0; i < N; i++) {
            uint64_t k = rng_below(&r, sizes[s]);
            assert_true(k < sizes[s]);
            count[k]++;
        }
        double chi = 0, mean = (double)N / (double)sizes[s];
        for (uint64_t k = 0; k < sizes[s]; k++) chi += pow(count[k] - mean, 2) / mean;
        double df = (double)sizes[s] - 1;
        /* mean + 6 sd of a chi-square, plus 12 for its tail at few degrees: < 1e-5 */
        check_that(chi <= df + 6 * sqrt(2 * df) + 12, "n = %d: chi-square %g", (int)sizes[s], chi);
    }
    /* at 3 * 2^62 a plain remainder would be wrong by half: the three parts stay equal */
    uint64_t n = UINT64_C(3) << 62;
    int part[3] = {0};
    for (int i = 0; i < 30000; i++) part[rng_below(&r, n) >> 62]++;
    for (int k = 0; k < 3; k++)
        check_close(part[k], 10000, 0, 5 * sqrt(30000 * 2.0 / 9)); /* five standard deviations */
}

static void normal_numbers(void **state) {
    (void)state;
    enum { N = 500000 };
    rng r = scene_random(7);
    double m[5] = {0};
    for (int i = 0; i < N; i++) {
        double z = rng_normal(&r), power = 1;
        for (int k = 1; k < 5; k++) m[k] += (power *= z) / N;
    }
    /* five standard errors of each moment: variances 1, 2, 15, 96 over N */
    check_close(m[1], 0, 0, 5 * sqrt(1.0 / N));
    check_close(m[2], 1, 0, 5 * sqrt(2.0 / N));
    check_close(m[3], 0, 0, 5 * sqrt(15.0 / N));
    check_close(m[4], 3, 0, 5 * sqrt(96.0 / N));
}

/* All six orders of three items are equally likely. */
static void shuffles_are_fair(void **state) {
    (void)state;
    enum { N = 60000 };
    rng r = scene_random(8);
    int count[27] = {0};
    for (int i = 0; i < N; i++) {
        size_t items[] = {0, 1, 2};
        rng_shuffle(&r, 3, items);
        count[9 * items[0] + 3 * items[1] + items[2]]++;
    }
    int total = 0;
    const int orders[] = {5, 7, 11, 15, 19, 21};
    for (int k = 0; k < 6; k++) {
        check_close(count[orders[k]], N / 6, 0, 5 * sqrt(N * 5.0 / 36)); /* five sd */
        total += count[orders[k]];
    }
    assert_int_equal(total, N);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_answers),         cmocka_unit_test(a_stream_is_the_generator),
        cmocka_unit_test(streams_are_their_own), cmocka_unit_test(streams_are_independent),
        cmocka_unit_test(uniform_numbers),       cmocka_unit_test(whole_numbers_without_bias),
        cmocka_unit_test(normal_numbers),        cmocka_unit_test(shuffles_are_fair),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
