/* seed.c - the seeds that evaluations get. Layer: study. */
#include "ledger.h"

/* A permutation of 32 bits keyed by the study's seed: four rounds of a Feistel network. */
static uint32_t scramble(uint64_t key, uint32_t value) {
    uint32_t left = value >> 16, right = value & 0xffff;
    for (uint64_t round = 0; round < 4; round++) {
        uint64_t z = (key ^ (round << 60)) + (uint64_t)right * UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9); /* the finaliser of splitmix64 */
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        uint32_t next = left ^ (uint32_t)((z ^ (z >> 31)) & 0xffff);
        left = right;
        right = next;
    }
    return left << 16 | right;
}

/* 23 bits of trial and 8 of retry and replicate, permuted within 31 bits (repeated until the result is below 2^31): the
 * seeds of the first eight million trials differ, and fit any program's integer. */
uint64_t locbo_study_seed(const locbo_study *study, uint64_t trial, uint64_t retry, uint64_t replicate) {
    if (!study) return 0;
    uint32_t seed = (uint32_t)((trial << 8 | ((retry + replicate) & 0xff)) & 0x7fffffff);
    do seed = scramble(study->options.seed, seed);
    while (seed >> 31);
    return seed;
}
