/* score.h - scores of methods over many problems, all with the same weight. A problem is a case.
 *
 * The score of a method on a problem is the median over the seeds of the final regret of the recommended point, divided
 * by that of the reference method (the plan's `score`, usually random search): 1 is no better, 0 is the optimum. Scores
 * below SCORE_LEAST count as SCORE_LEAST, so that they have logarithms. If the reference has a median regret of 0 on a
 * problem, no method has a score there; these problems are counted.
 *
 * Columns are sets of problems: the kinds of cases (plan_kind) in the order of the plan, the plan's groups, and "all".
 * Intervals are 95 % bootstrap intervals: the problems of the column are resampled and, for each, its seeds; methods
 * with the same number of seeds get the same draws. */
#ifndef SCORE_H
#define SCORE_H

#include "sample.h"

extern const double SCORE_LEAST;
extern const double SCORE_LEVEL; /* significance level: a smaller p-value is a difference */

/* The shares that a score row has: y in its set, f in its interval, each also by thirds of the rounds. */
enum { SCORE_SHARES = 8 };
extern const sample_column score_shares[SCORE_SHARES];

typedef struct score_column {
    const char *name; /* the plan's */
    size_t problems;
    char *has; /* for each case: whether it belongs to the column */
} score_column;

/* A method on the problems of a column; NAN: not defined. */
typedef struct score_row {
    size_t method, column;
    size_t problems;      /* with a score of the method */
    stats_interval score; /* median over them */
    double rank;          /* mean, 1 is the best, over the problems on which all methods have scores */
    double ms;            /* per round; this and the shares are means over the problems it was run on */
    double target, share[TASK_ROW_NUMBERS]; /* by column, those of score_shares only */
} score_row;

/* The plan's method `against` compared with another one, over the problems on which both have scores. */
typedef struct score_pair {
    size_t method, column; /* the other one */
    size_t problems;
    stats_interval ratio; /* median score of `against` over that of the other */
    double p;             /* Wilcoxon's, of the differences of log scores over the problems; Holm over all pairs */
    /* Problems on which the regrets of `against` are less than the other's, greater, or neither: by Wilcoxon's test
     * over the seeds at SCORE_LEVEL, Holm over all problems of the method. */
    size_t better, worse, neither;
} score_pair;

typedef struct score {
    size_t columns, rows, pairs;
    score_column *column;
    score_row *row;   /* by method, then by column; methods without runs are left out */
    score_pair *pair; /* by method, then by column; pairs without problems are left out */
    size_t solved;    /* problems left out because the reference has no regret there */
} score;

/* The plan must be `scored`. */
locbo_status score_make(const plan *p, const results *r, score *s, locbo_error *error);
void score_release(score *s);

#endif
