/* score_print.h - scores as text tables. */
#ifndef SCORE_PRINT_H
#define SCORE_PRINT_H

#include <stdio.h>

#include "score.h"

/* One row for each method: scores by column, mean rank, cost; then a table of its coverage. */
locbo_status score_print_rows(const plan *p, const score *s, FILE *to, locbo_error *error);
/* The method `against` compared with every other one. */
locbo_status score_print_pairs(const plan *p, const score *s, FILE *to, locbo_error *error);

#endif
