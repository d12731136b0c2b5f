/* summary.h - an experiment as text: title, tables, and the verdict on the paper's claim. */
#ifndef SUMMARY_H
#define SUMMARY_H

#include <stdio.h>

#include "results.h"

/* A scored plan has the tables of scores and comparisons, and with its `tails` those of bad runs; others have those by
 * case and method. Cases with several outputs have a further table. Cases with a fidelity have their
 * own tables in place of those by case and method. */
locbo_status summary_print(const plan *p, const results *r, FILE *to, locbo_error *error);

typedef enum summary_table {
    SUMMARY_CASES,  /* account.h */
    SUMMARY_SCORES, /* score.h; these and the following only if the plan is scored */
    SUMMARY_COMPARISONS,
    SUMMARY_TAILS, /* tails.h */
    SUMMARY_CONTRASTS,
    SUMMARY_INTERVALS,
    SUMMARY_OUTPUTS, /* outputs_account.h; only if a case has several outputs */
    SUMMARY_COSTS    /* cost_account.h; only if a case has a fidelity */
} summary_table;

/* Prints one of the tables. */
locbo_status summary_print_table(const plan *p, const results *r, summary_table table, FILE *to, locbo_error *error);
/* Writes the summary to DIR/NAME/summary.txt, below the command that makes these runs; `source` is the name or file of
 * the experiment. */
locbo_status summary_write(const plan *p, const results *r, const char *dir, const char *source, locbo_error *error);

#endif
