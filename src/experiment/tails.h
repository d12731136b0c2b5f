/* tails.h - the bad runs of methods over many problems, their comparisons, and the intervals of f at the recommended
 * point.
 *
 * The score of a run is the final regret of its recommended point, divided by the median regret of the reference method
 * (the plan's `score`, usually random search) on that problem. A run is *lost* if its score is above 1. Problems on
 * which the reference has a median regret of 0 are left out. Runs are pooled over the columns of score.h, and over each
 * problem. */
#ifndef TAILS_H
#define TAILS_H

#include "score.h"

/* Numbers of results told at which intervals are looked at. */
enum { TAILS_CHECKPOINTS = 4 };
extern const size_t tails_checkpoints[TAILS_CHECKPOINTS];

/* The interval of f at the recommended point after so many results; NAN: no runs. */
typedef struct tails_interval {
    double holds;    /* share that hold the truth, of those that can be judged */
    double width;    /* median, in units of the problem's spread, of those that there are */
    double withheld; /* share of the runs without an interval */
} tails_interval;

/* Means over the runs: proposals on a bound, coverage of y by quarters of noise and truth. */
enum { TAILS_SHARES = 9 };
extern const sample_column tails_shares[TAILS_SHARES];

/* The runs of a method on the problems of a column, or on one problem. */
typedef struct tails_row {
    size_t method;
    const char *over; /* the name of the column or problem */
    int of_problem;
    size_t problems, runs;
    double mean, median, p90, worst, lost; /* of the scores; `lost`: share of the runs */
    const char *hardest;                   /* the problem with the greatest 90th percentile; NULL: none */
    double hardest_p90;
    tails_interval interval[TAILS_CHECKPOINTS];
    double share[TASK_ROW_NUMBERS]; /* by column, those of tails_shares only */
} tails_row;

/* The plan's method `against` compared with another one over a group of the plan, or all problems. Pairs are runs of
 * the same problem and seed; scores below SCORE_LEAST count as SCORE_LEAST. */
typedef struct tails_pair {
    size_t method; /* the other one */
    const char *over;
    size_t problems, pairs;
    double ratio;      /* geometric mean over the pairs of the score of `against` over that of the other */
    double p_problems; /* Wilcoxon's over the problems, each with the median of its log ratios; Holm over all rows */
    double p_pairs;    /* the same over all pairs */
    double p90_ratio;  /* geometric mean over the problems of the ratio of the 90th percentiles, of the pairs' runs */
    double p90_less;   /* share of the problems on which that of `against` is less */
} tails_pair;

typedef struct tails {
    size_t rows, pairs, columns;
    tails_row *row;   /* by method: the columns of the score, then the problems it was run on */
    tails_pair *pair; /* by method, then by group */
} tails;

/* `s` is the score of the same plan and results, and must outlive what is made. */
locbo_status tails_make(const plan *p, const results *r, const score *s, tails *made, locbo_error *error);
void tails_release(tails *t);

#endif
