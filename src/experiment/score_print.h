/* score_print.h - scores as tables for people. */
#ifndef SCORE_PRINT_H
#define SCORE_PRINT_H

#include <stdio.h>

#include "score.h"

/* A row a method: scores by column, mean rank, cost; then its coverage. */
locbo_status score_print_rows(const plan *p, const score *s, FILE *to, locbo_error *error);
/* The method `against` set against every other one. */
locbo_status score_print_pairs(const plan *p, const score *s, FILE *to, locbo_error *error);

#endif
