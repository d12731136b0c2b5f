/* ranked.h - rows in the order of a number, the largest first; of equals, the earlier. */
#ifndef RANKED_H
#define RANKED_H

#include <stdlib.h>

typedef struct ranked {
    double value;
    size_t row;
} ranked;

static inline int ranked_compare(const void *a, const void *b) {
    const ranked *p = a, *q = b;
    if (p->value != q->value) return p->value < q->value ? 1 : -1;
    return p->row < q->row ? -1 : p->row > q->row;
}

static inline void ranked_sort(size_t n, ranked *rows) {
    if (n > 0) qsort(rows, n, sizeof *rows, ranked_compare);
}

#endif
