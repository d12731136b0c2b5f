/* rng.h - counter-based random streams keyed by (seed, trial, purpose).
 *
 * A stream is a value: opening it twice gives the same numbers, and drawing from it changes no other stream. So the
 * k-th proposal depends on the seed and on k, never on what else was drawn. */
#ifndef RNG_H
#define RNG_H

#include <stddef.h>
#include <stdint.h>

typedef enum rng_purpose {
    RNG_DESIGN = 1,      /* the initial design (trial 0) */
    RNG_CANDIDATES = 2,  /* candidates of a proposal */
    RNG_FIT = 3,         /* restarts of the hyper-parameter fit (trial = results told) */
    RNG_THOMPSON = 4,    /* the sampled path */
    RNG_CHAINS = 5,      /* CBO's Langevin chains (trial = results told) */
    RNG_RECOMMEND = 6,   /* candidates of a recommendation */
    RNG_FEASIBLE = 7,    /* restarts of the success model's fit */
    RNG_BASELINE = 8,    /* draws of f at the points that may be the best (trial = results told + 2^32 output) */
    RNG_EXPLORE = 9,     /* points of a proposal that explores (trial = 32 trial + point) */
    RNG_CONTEST = 10,    /* which points may be the best of several outputs (trial = results told) */
    RNG_IMPORTANCE = 11, /* points of the space at which the importance of parameters is found (trial 0) */
    RNG_MAXIMUM = 12,    /* draws of the largest value of f (trial = results told) */
    RNG_CONTENDERS = 13  /* the points that it is drawn at (trial = results told) */
} rng_purpose;

typedef struct rng {
    uint64_t seed, trial;
    uint32_t purpose;
    uint32_t block_number; /* of the next block */
    uint32_t block[4];
    unsigned used; /* words of `block` already handed out */
} rng;

rng rng_open(uint64_t seed, uint64_t trial, rng_purpose purpose);
uint64_t rng_bits(rng *r);
double rng_uniform(rng *r);             /* in the open interval (0, 1), 52 bits */
double rng_normal(rng *r);              /* N(0, 1) by inversion: one draw each */
uint64_t rng_below(rng *r, uint64_t n); /* uniform on 0 .. n-1, n >= 1, without bias */
void rng_shuffle(rng *r, size_t n, size_t *items);

#endif
