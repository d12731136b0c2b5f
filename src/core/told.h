/* told.h - the results in the order told: where, by which trial, and what was measured of each output. */
#ifndef TOLD_H
#define TOLD_H

#include "status.h"

typedef struct told {
    size_t dim, columns, outputs;
    size_t n, capacity;
    double *x;                   /* n x dim */
    double *u;                   /* n x columns: encoded */
    uint64_t *trial;             /* 0: added */
    locbo_measurement *measured; /* n x outputs; value NAN: this result lacks the output */
    unsigned char *aside;        /* 1: of a trial that was ended early: the model sees it, and it is never the best */
} told;

void told_init(told *t, size_t dim, size_t columns, size_t outputs);
void told_release(told *t);
locbo_status told_append(told *t, const double *x, const double *u, uint64_t trial, const locbo_measurement *measured,
                         locbo_error *error);
void told_remove_last(told *t);
/* The mean of what a trial measured of an output; NAN: nothing. */
double told_mean(const told *t, uint64_t trial, size_t output);

#endif
