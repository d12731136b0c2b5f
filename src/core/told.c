/* told.c - the list of results. Layer: core. Cost: O(dim + outputs) a result. */
#include "told.h"

#include <string.h>

#include "mean.h"
#include "mem.h"

void told_init(told *t, size_t dim, size_t columns, size_t outputs) {
    *t = (told){.dim = dim, .columns = columns, .outputs = outputs};
}

void told_release(told *t) {
    mem_free(t->x);
    mem_free(t->u);
    mem_free(t->trial);
    mem_free(t->measured);
    mem_free(t->aside);
}

locbo_status told_append(told *t, const double *x, const double *u, uint64_t trial, const locbo_measurement *measured,
                         locbo_error *error) {
    mem_array arrays[] = {{&t->x, t->dim * sizeof *t->x},
                          {&t->u, t->columns * sizeof *t->u},
                          {&t->trial, sizeof *t->trial},
                          {&t->measured, t->outputs * sizeof *t->measured},
                          {&t->aside, sizeof *t->aside}};
    if (!mem_reserve_all(5, arrays, &t->capacity, t->n + 1)) return status_no_memory(error);
    memcpy(t->x + t->n * t->dim, x, t->dim * sizeof *x);
    memcpy(t->u + t->n * t->columns, u, t->columns * sizeof *u);
    memcpy(t->measured + t->n * t->outputs, measured, t->outputs * sizeof *measured);
    t->aside[t->n] = 0;
    t->trial[t->n++] = trial;
    return LOCBO_OK;
}

void told_remove_last(told *t) { t->n--; }

double told_mean(const told *t, uint64_t trial, size_t output) {
    double mean = 0, weight = 0;
    for (size_t i = 0; i < t->n; i++) {
        const locbo_measurement *m = &t->measured[i * t->outputs + output];
        if (t->trial[i] == trial) mean_add(&mean, &weight, m->value, m->n);
    }
    return mean_of(mean, weight);
}
