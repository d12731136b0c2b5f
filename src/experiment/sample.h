/* sample.h - numbers of many runs, in the order of their seeds, as statistics want them. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include "results.h"
#include "stats.h"

typedef enum sample_column {
    SAMPLE_OBSERVED,    /* final regret, or value, of the best observed point */
    SAMPLE_RECOMMENDED, /* of the recommended one */
    SAMPLE_COVERED,     /* share over all rounds: y in its set */
    SAMPLE_COVERED_F,   /* f in it */
    SAMPLE_INTERVAL_F,  /* f in its interval */
    SAMPLE_UTILITY,     /* Theorem 1's event */
    SAMPLE_BOUND,       /* at the end */
    SAMPLE_BOUND_F,
    SAMPLE_WIDTH, /* median over the recorded rounds */
    SAMPLE_MS,    /* a round, mean */
    /* of the third of the rounds nearest to the final recommendation, the next, the farthest: */
    SAMPLE_NEAR, /* share with y in its set */
    SAMPLE_MIDDLE,
    SAMPLE_FAR,
    SAMPLE_NEAR_F, /* share with f in its interval */
    SAMPLE_MIDDLE_F,
    SAMPLE_FAR_F
} sample_column;

typedef struct sample {
    size_t n;
    uint64_t *seed; /* ascending */
    double *value;  /* NANs are left out */
} sample;

/* One number of every run of a cell. An empty sample is fine. */
locbo_status sample_take(const results *r, size_t cell, sample_column column, sample *taken, locbo_error *error);
/* The value after round t of every run: that of the last row at or before t; shares, widths and times over the rounds
 * up to it. */
locbo_status sample_at(const results *r, size_t cell, size_t t, sample_column column, sample *taken,
                       locbo_error *error);
/* Cut down to the seeds that both have. */
void sample_match(sample *a, sample *b);
/* a - b for the seeds that both have. */
locbo_status sample_difference(const sample *a, const sample *b, sample *difference, locbo_error *error);
void sample_release(sample *s);

/* mean(a)/mean(b) with a 95 % bootstrap interval, the seeds that both have resampled together. */
locbo_status sample_ratio(const sample *a, const sample *b, stats_interval *ratio, locbo_error *error);
/* Mean or median with a 95 % bootstrap interval. */
locbo_status sample_interval(const sample *s, stats_measure measure, stats_interval *interval, locbo_error *error);

#endif
