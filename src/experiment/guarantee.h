/* guarantee.h - the coverage of runs compared with the bounds of the theory. */
#ifndef GUARANTEE_H
#define GUARANTEE_H

#include "sample.h"

/* Lemma 1, and the bound of online conformal prediction: they hold for every sequence, so for every run and round. */
typedef struct guarantee_tally {
    size_t runs, judged; /* judged: runs with a bound at the end */
    size_t broken;       /* judged runs whose coverage of y was below the bound at a recorded round */
    double margin;       /* least difference of coverage and bound over all judged runs and recorded rounds */
    uint64_t seed;       /* of the run with that margin */
} guarantee_tally;

/* Adds the runs of a cell to a tally, which starts as guarantee_none(). */
guarantee_tally guarantee_none(void);
void guarantee_count(const results *r, size_t cell, guarantee_tally *tally);

/* Lemma 2 and Theorem 1: bounds on a share that hold on average over the noise, so over the seeds. */
typedef struct guarantee_mean {
    size_t runs, n; /* n: runs with a bound */
    stats_interval share, margin;
    double bound; /* mean over the seeds */
} guarantee_mean;

/* `column` is SAMPLE_COVERED_F or SAMPLE_UTILITY; both have the bound SAMPLE_BOUND_F. */
locbo_status guarantee_average(const results *r, size_t cell, sample_column column, guarantee_mean *mean,
                               locbo_error *error);

#endif
