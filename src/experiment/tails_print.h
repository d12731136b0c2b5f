/* tails_print.h - bad runs, their comparisons and intervals at the recommended point as text tables. */
#ifndef TAILS_PRINT_H
#define TAILS_PRINT_H

#include <stdio.h>

#include "tails.h"

/* Each method over all problems and by group, and its 90th percentile and lost runs by kind. */
locbo_status tails_print_rows(const plan *p, const tails *t, FILE *to, locbo_error *error);
/* The method `against` compared with every other one. */
locbo_status tails_print_pairs(const plan *p, const tails *t, FILE *to, locbo_error *error);
/* Intervals of f at the recommended point by the number of results, proposals on a bound, coverage of y by quarters. */
locbo_status tails_print_intervals(const plan *p, const tails *t, FILE *to, locbo_error *error);

#endif
