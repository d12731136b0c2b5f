/* draw.c - SplitMix64 (Steele, Lea and Flood, 2014) started at a mixture of the two keys. Layer: base. */
#include "draw.h"

#include <math.h>

static uint64_t mix(uint64_t z) {
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static const uint64_t golden = UINT64_C(0x9e3779b97f4a7c15);

draw draw_open(uint64_t seed, uint64_t purpose) { return (draw){mix(mix(seed + golden) ^ (purpose * golden + 1))}; }

uint64_t draw_bits(draw *d) { return mix(d->state += golden); }

double draw_uniform(draw *d) { return ((double)(draw_bits(d) >> 12) + 0.5) * 0x1p-52; }

double draw_normal(draw *d) {
    double radius = sqrt(-2 * log(draw_uniform(d)));
    return radius * cos(6.283185307179586 * draw_uniform(d));
}

double draw_exponential(draw *d) { return -log(draw_uniform(d)); }

uint64_t draw_below(draw *d, uint64_t n) {
    uint64_t limit = UINT64_MAX - UINT64_MAX % n, bits; /* draws above would favour small numbers */
    do bits = draw_bits(d);
    while (bits >= limit);
    return bits % n;
}
