/* score.h - how methods do over many problems, each counted alike. A problem is a case.
 *
 * The score of a method on a problem: the median over the seeds of the final regret of the point it
 * recommends, over the same of the method of reference (the plan's `score`, random search as a
 * rule); 1 is no better, 0 the optimum. Scores below SCORE_LEAST count as SCORE_LEAST: their
 * logarithms are compared, and of a regret of 0 there is none. A problem on which the method of
 * reference has a median regret of 0 has no unit: nobody has a score there, and it is counted.
 *
 * Columns are sets of problems: the kinds of cases (plan_kind) in the order they come, the plan's
 * groups, and "all". Intervals are 95 % bootstrap intervals: problems of the column are drawn again
 * and, for each, its seeds, the same for all methods that have the same number of them. */
#ifndef SCORE_H
#define SCORE_H

#include "sample.h"

extern const double SCORE_LEAST;
extern const double SCORE_LEVEL; /* below which a p-value counts as a difference */

/* The shares that are part of a score: y in its set, f in its interval, both also by thirds of the rounds. */
enum { SCORE_SHARES = 8 };
extern const sample_column score_shares[SCORE_SHARES];

typedef struct score_column {
    const char *name; /* the plan's */
    size_t problems;
    char *has; /* of every case, whether it belongs to it */
} score_column;

/* A method on the problems of a column; NAN where there is nothing. */
typedef struct score_row {
    size_t method, column;
    size_t problems;      /* that it has a score on */
    stats_interval score; /* median over them */
    double rank;          /* mean, 1 is the best, over the problems on which all methods have scores */
    double ms;            /* a round; this and the shares are means over the problems it was run on */
    double target, share[TASK_ROW_NUMBERS]; /* by column, those of score_shares only */
} score_row;

/* The plan's method `against` and another one, over the problems on which both have scores. */
typedef struct score_pair {
    size_t method, column; /* the other one */
    size_t problems;
    stats_interval ratio; /* of the medians over the problems, that of `against` above */
    double p;             /* Wilcoxon's, of the log scores problem by problem, Holm over all pairs */
    /* Problems on which the regrets of `against`, seed by seed, are less or greater than the
     * other's: Wilcoxon's p, Holm over all problems of this method, is below SCORE_LEVEL. */
    size_t better, worse, neither;
} score_pair;

typedef struct score {
    size_t columns, rows, pairs;
    score_column *column;
    score_row *row;   /* by method, then by column; of methods that have runs */
    score_pair *pair; /* by method, then by column; where there are problems */
    size_t solved;    /* problems left out because the reference has no regret there */
} score;

/* The plan is `scored`. */
locbo_status score_make(const plan *p, const results *r, score *s, locbo_error *error);
void score_release(score *s);

#endif
