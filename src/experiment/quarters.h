/* quarters.h - coverage by quarters: the rounds of a run, sorted by a number and split into four parts. */
#ifndef QUARTERS_H
#define QUARTERS_H

#include <stddef.h>

enum { QUARTERS = 4 };

typedef struct quarters_round {
    double key;
    int in_set;
    size_t order; /* set by quarters_measure */
} quarters_round;

/* Sorts the n rounds by their keys, equal keys by their order, and gives the share of each quarter that is in its set.
 * The sizes differ by at most one; the first parts are the larger ones. NANs: an empty quarter, or all keys equal. */
void quarters_measure(size_t n, quarters_round *round, double share[QUARTERS]);

#endif
