/* summary.h - an experiment as a page of text: what it is, its tables, the verdict on the paper's claim. */
#ifndef SUMMARY_H
#define SUMMARY_H

#include <stdio.h>

#include "results.h"

locbo_status summary_print(const plan *p, const results *r, FILE *to, locbo_error *error);
/* The same in DIR/NAME/summary.txt, with the command that makes these runs; `source` is the name or
 * file of the experiment. */
locbo_status summary_write(const plan *p, const results *r, const char *dir, const char *source,
                           locbo_error *error);

#endif
