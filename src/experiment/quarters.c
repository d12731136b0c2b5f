/* quarters.c - shares of the four quarters of the rounds of a run. Layer: experiment. Cost: O(n log n). */
#include "quarters.h"

#include <math.h>
#include <stdlib.h>

static int by_key(const void *a, const void *b) {
    const quarters_round *x = a, *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

void quarters_measure(size_t n, quarters_round *round, double share[QUARTERS]) {
    for (size_t i = 0; i < n; i++) round[i].order = i;
    if (n > 0) qsort(round, n, sizeof *round, by_key);
    int equal = n == 0 || round[0].key == round[n - 1].key;
    for (size_t k = 0, at = 0; k < QUARTERS; k++) {
        size_t size = n / QUARTERS + (k < n % QUARTERS), inside = 0;
        for (size_t i = 0; i < size; i++) inside += (size_t)round[at++].in_set;
        share[k] = equal || size == 0 ? (double)NAN : (double)inside / (double)size;
    }
}
