/* guarantee.h - what runs covered against what the theory had promised them. */
#ifndef GUARANTEE_H
#define GUARANTEE_H

#include "sample.h"

/* Lemma 1, and the bound of online conformal prediction: for every sequence, so for every run and
 * every round. */
typedef struct guarantee_tally {
    size_t runs, judged; /* judged: those that had been promised something in the end */
    size_t broken;       /* judged ones that covered y less often than promised at some recorded round */
    double margin;       /* least coverage so far minus bound over all judged runs and recorded rounds */
    uint64_t seed;       /* of the run with that margin */
} guarantee_tally;

/* Add the runs of a cell to a tally, which begins as guarantee_none(). */
guarantee_tally guarantee_none(void);
void guarantee_count(const results *r, size_t cell, guarantee_tally *tally);

/* Lemma 2 and Theorem 1: a share that is kept on average over the noise, hence over the seeds. */
typedef struct guarantee_mean {
    size_t runs, n; /* n: those with a bound */
    stats_interval share, margin;
    double bound; /* mean over the seeds */
} guarantee_mean;

/* `column` is SAMPLE_COVERED_F or SAMPLE_UTILITY; both have the bound SAMPLE_BOUND_F. */
locbo_status guarantee_average(const results *r, size_t cell, sample_column column, guarantee_mean *mean,
                               locbo_error *error);

#endif
