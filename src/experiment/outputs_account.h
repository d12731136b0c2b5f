/* outputs_account.h - the runs of problems with several outputs, by case and method: how good what they report is, and
 * how often it is truly feasible. */
#ifndef OUTPUTS_ACCOUNT_H
#define OUTPUTS_ACCOUNT_H

#include <stdio.h>

#include "sample.h"

/* Intervals are 95 % bootstrap intervals over the seeds; NAN: not defined. */
typedef struct outputs_account_row {
    size_t cell, seeds;
    stats_interval median; /* of the final regret of what is reported */
    stats_interval
        ratio;       /* geometric mean over the common seeds: the regret of `against` over this one's. Regrets below
                      * OUTPUTS_ACCOUNT_LEAST times the median of random search (the plan's `score`) count as that */
    double p;        /* Wilcoxon's, of the logarithms of these ratios; Holm over all rows */
    double measured; /* median regret of what was measured best */
    double feasible; /* mean of the shares that are truly feasible */
    double promised; /* mean of the model's probabilities that they are */
    double kept;     /* median regret over the runs in which all that is reported is truly feasible */
} outputs_account_row;

typedef struct outputs_account {
    size_t rows;
    outputs_account_row *row;
} outputs_account;

extern const double OUTPUTS_ACCOUNT_LEAST;

/* Whether the plan has a case with several outputs. */
int outputs_account_exists(const plan *p);
/* A row for every cell with such a problem and with runs. */
locbo_status outputs_account_make(const plan *p, const results *r, outputs_account *made, locbo_error *error);
void outputs_account_release(outputs_account *made);
/* The rows; then, for each method, its feasible shares over the problems with one objective. */
locbo_status outputs_account_print(const plan *p, const outputs_account *made, FILE *to, locbo_error *error);

#endif
