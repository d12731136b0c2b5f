/* account.h - the statistics of an experiment's runs by case and method. */
#ifndef ACCOUNT_H
#define ACCOUNT_H

#include <stdio.h>

#include "sample.h"

/* Intervals are 95 % bootstrap intervals; NAN: not defined. */
typedef struct account_row {
    size_t cell, seeds;
    stats_interval mean, median;           /* of the final regret (or value) of the best observed point */
    stats_interval recommended;            /* mean, of the recommended point */
    stats_interval difference;             /* mean paired difference to the reference method */
    size_t pairs;                          /* common seeds */
    double p;                              /* Wilcoxon's, of these differences; Holm over all rows */
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
/* The mean of a column over the runs of a cell; NAN if there are no runs, or no such number. */
locbo_status account_mean(const results *r, size_t cell, sample_column column, double *mean, locbo_error *error);
/* Prints two tables: final regrets, then coverage. */
locbo_status account_print(const plan *p, const account *a, FILE *to, locbo_error *error);

#endif
