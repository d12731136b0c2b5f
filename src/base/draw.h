/* draw.h - reproducible random numbers for code outside the core: test problems, noise, bootstrap. A stream is a
 * value keyed by two numbers: opening it twice gives the same numbers, and no other stream is disturbed. */
#ifndef DRAW_H
#define DRAW_H

#include <stdint.h>

typedef struct draw {
    uint64_t state;
} draw;

draw draw_open(uint64_t seed, uint64_t purpose);
uint64_t draw_bits(draw *d);
double draw_uniform(draw *d);             /* in the open interval (0, 1) */
double draw_normal(draw *d);              /* N(0, 1); two uniforms each */
double draw_exponential(draw *d);         /* mean 1 */
uint64_t draw_below(draw *d, uint64_t n); /* uniform on 0 .. n-1, n >= 1 */

#endif
