/* account.h - what the runs of an experiment come to: a row for every case and method. */
#ifndef ACCOUNT_H
#define ACCOUNT_H

#include <stdio.h>

#include "sample.h"

/* Intervals are 95 % bootstrap intervals; NAN where there is nothing. */
typedef struct account_row {
    size_t cell, seeds;
    stats_interval mean, median;           /* of the final regret (or value) of the best observed point */
    stats_interval recommended;            /* mean, of the recommended point */
    stats_interval difference;             /* mean paired difference against the method of reference */
    size_t pairs;                          /* seeds that both have */
    double p;                              /* Wilcoxon's, of these differences, corrected after Holm over all rows */
    double target;                         /* 1 - alpha */
    double covered, covered_f, interval_f; /* means over the runs */
    double width;                          /* median over the runs */
    double ms;                             /* mean over the runs */
} account_row;

typedef struct account {
    size_t rows;
    account_row *row;
} account;

/* A row for every cell that has runs. */
locbo_status account_make(const plan *p, const results *r, account *a, locbo_error *error);
void account_release(account *a);
/* The mean over the runs of a cell; NAN if there are none, or it has no such thing. */
locbo_status account_mean(const results *r, size_t cell, sample_column column, double *mean, locbo_error *error);
/* As two tables for people. */
locbo_status account_print(const plan *p, const account *a, FILE *to, locbo_error *error);

#endif
