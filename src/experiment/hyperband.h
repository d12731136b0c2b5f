/* hyperband.h - the schedule of Hyperband (Li et al. 2018): brackets of successive halving, from many cheap evaluations
 * to few dear ones. */
#ifndef HYPERBAND_H
#define HYPERBAND_H

#include "problem_fidelity.h"

enum { HYPERBAND_RUNGS = 16 };

/* The fidelities that are used: rung 0 is full fidelity, and each costs a third of the one before, or less. */
typedef struct hyperband {
    size_t rungs;
    double fidelity[HYPERBAND_RUNGS], cost[HYPERBAND_RUNGS];
} hyperband;

hyperband hyperband_of(const problem_fidelity *p);
/* How many points of bracket b, which begins at rung b, are evaluated at this rung, 0 to b: the better ones of those at
 * rung + 1. All rungs of a bracket cost about the same, and all brackets too. */
size_t hyperband_count(const hyperband *h, size_t b, size_t rung);

#endif
