/* protocol.h - what all runs share, whatever their problem: the random streams that pair them, the initial points, and
 * the clock of their cost. */
#ifndef PROTOCOL_H
#define PROTOCOL_H

#include <stddef.h>
#include <stdint.h>

#include "draw.h"

extern const double PROTOCOL_LINE_SECONDS; /* time limit for a line of an external method */

/* The initial points of a run, one after another. */
typedef struct protocol_start {
    draw d;
    int corners; /* all points in [0, 0.4] of every side, or all in [0.6, 1] */
    int end;     /* which of the two */
} protocol_start;
protocol_start protocol_begin(uint64_t seed, int corners);
/* The next one, in the unit cube. */
void protocol_initial(protocol_start *s, size_t dim, double *u);

/* The stream of the noise of evaluation 0, 1, ... */
draw protocol_noise(uint64_t seed, uint64_t evaluation);
/* The same of one of its steps, if it reports several values; step 0 is the stream above. */
draw protocol_step(uint64_t seed, uint64_t evaluation, uint64_t step);
/* The stream of what a method itself draws in a round (the weights of a scalarisation). */
draw protocol_round(uint64_t seed, uint64_t round);

/* Processor time of this process, in milliseconds. */
double protocol_ms(void);

#endif
