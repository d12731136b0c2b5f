/* summary.h - an experiment as a page of text: what it is, its tables, the verdict on the paper's claim. */
#ifndef SUMMARY_H
#define SUMMARY_H

#include <stdio.h>

#include "results.h"

/* If the plan is scored, scores and comparisons stand in place of the account, which has a row for
 * every case and method. */
locbo_status summary_print(const plan *p, const results *r, FILE *to, locbo_error *error);

typedef enum summary_table {
    SUMMARY_CASES,  /* account.h */
    SUMMARY_SCORES, /* score.h; these two only if the plan is scored */
    SUMMARY_COMPARISONS
} summary_table;

/* These tables alone. */
locbo_status summary_print_table(const plan *p, const results *r, summary_table table, FILE *to, locbo_error *error);
/* The same in DIR/NAME/summary.txt, with the command that makes these runs; `source` is the name or
 * file of the experiment. */
locbo_status summary_write(const plan *p, const results *r, const char *dir, const char *source, locbo_error *error);

#endif
