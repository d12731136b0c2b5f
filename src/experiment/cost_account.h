/* cost_account.h - the runs of problems with a fidelity, by case and method: how good what they recommend is after the
 * same cost, what it costs them to be as good as the reference, and what ended evaluations save. */
#ifndef COST_ACCOUNT_H
#define COST_ACCOUNT_H

#include <stdio.h>

#include "sample.h"

/* "Target": the round `target` of the task. Intervals are 95 % bootstrap intervals over the seeds; NAN: not defined. */
typedef struct cost_account_row {
    size_t cell, seeds;
    double median, low, high; /* of the regret at the target: median and quartiles */
    double p90, worst;
    double lost;          /* share of the runs whose regret is above the median of random search */
    stats_interval ratio; /* geometric mean over the common seeds: the regret of `against` over this one's */
    double p;             /* Wilcoxon's, of the logarithms of these ratios; Holm over all rows */
    stats_interval reach; /* the cost of the regret that `against` has at the target, over the target: median over the
                           * common seeds. Above `limit`: not reached */
    double limit;         /* rounds over target */
    double never;         /* share of the seeds that did not reach it */
    double reach_median;  /* the same of the medians over the seeds, instead of single runs */
    double cost, evaluations, full, ended, mistaken; /* means over the runs, at the target; the last two as shares of
                                                      * the evaluations */
    double saved; /* mean share of the steps of all evaluations that was not run, since they were ended or cheap */
    double ms;    /* mean over the runs, per evaluation */
} cost_account_row;

typedef struct cost_account {
    size_t rows;
    cost_account_row *row;
} cost_account;

/* Whether the plan has a case with a fidelity. */
int cost_account_exists(const plan *p);
/* A row for every cell with such a problem and with runs. */
locbo_status cost_account_make(const plan *p, const results *r, cost_account *made, locbo_error *error);
void cost_account_release(cost_account *made);
/* Two tables: regrets, and costs. */
locbo_status cost_account_print(const plan *p, const cost_account *made, FILE *to, locbo_error *error);

#endif
