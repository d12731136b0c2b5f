/* hyperband.c - rungs and brackets. Where costs fall by exactly 3 the numbers are those of the publication; the lower
 * of two levels may cost less. Layer: experiment, above the problems. Cost: O(rungs). */
#include "hyperband.h"

#include <math.h>

static const double RATIO = 3, ROUNDING = 1e-9;

hyperband hyperband_of(const problem_fidelity *p) {
    hyperband h = {.rungs = 1, .fidelity = {p->high}, .cost = {1}};
    while (h.rungs < HYPERBAND_RUNGS) {
        double s = problem_fidelity_for(p, h.cost[h.rungs - 1] / RATIO * (1 + ROUNDING));
        if (isnan(s)) break;
        h.fidelity[h.rungs] = s;
        h.cost[h.rungs++] = p->price(s);
    }
    return h;
}

size_t hyperband_count(const hyperband *h, size_t b, size_t rung) {
    double first = ceil((double)h->rungs / (double)(b + 1) / h->cost[b] - ROUNDING);
    return (size_t)fmax(1, floor(first * h->cost[b] / h->cost[rung] + ROUNDING));
}
