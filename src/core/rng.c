/* rng.c - Philox 4x32-10 (Random123) as named streams. Layer: core, bottom.
 *
 * The key is the seed and the counter is (block number, trial, purpose): 2^32 blocks of 128 bits for each
 * 64-bit trial number and each purpose. */
#include "rng.h"

#include <Random123/philox.h>

#include "normal.h"

rng rng_open(uint64_t seed, uint64_t trial, rng_purpose purpose) {
    rng r = {.seed = seed, .trial = trial, .purpose = (uint32_t)purpose, .used = 4};
    return r;
}

static uint32_t next_word(rng *r) {
    if (r->used == 4) {
        philox4x32_key_t key = {{(uint32_t)r->seed, (uint32_t)(r->seed >> 32)}};
        philox4x32_ctr_t counter = {{r->block_number++, (uint32_t)r->trial, (uint32_t)(r->trial >> 32), r->purpose}};
        philox4x32_ctr_t out = philox4x32(counter, key);
        for (int i = 0; i < 4; i++) r->block[i] = out.v[i];
        r->used = 0;
    }
    return r->block[r->used++];
}

uint64_t rng_bits(rng *r) {
    uint64_t high = next_word(r);
    return high << 32 | next_word(r);
}

double rng_uniform(rng *r) {
    /* odd multiples of 2^-53: never 0, never 1 */
    return ((double)(rng_bits(r) >> 12) + 0.5) * 0x1p-52;
}

double rng_normal(rng *r) { return normal_quantile(rng_uniform(r)); }

uint64_t rng_below(rng *r, uint64_t n) {
    uint64_t reject = (0 - n) % n; /* 2^64 mod n: the first `reject` values would be too many */
    uint64_t bits;
    do bits = rng_bits(r);
    while (bits < reject);
    return bits % n;
}

void rng_shuffle(rng *r, size_t n, size_t *items) {
    for (size_t i = n; i > 1; i--) {
        size_t j = (size_t)rng_below(r, i);
        size_t kept = items[i - 1];
        items[i - 1] = items[j];
        items[j] = kept;
    }
}
