/* sample.h - one number of each run, sorted by seed, and statistics of such samples. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include "results.h"
#include "stats.h"

/* The columns of TASK_COLUMNS: SAMPLE_OBSERVED and so on. */
#define SAMPLE_COLUMN(name, NAME, ...) SAMPLE_##NAME,
typedef enum sample_column { TASK_COLUMNS(SAMPLE_COLUMN) } sample_column;

typedef struct sample {
    size_t n;
    uint64_t *seed; /* ascending */
    double *value;  /* runs with NAN are left out */
} sample;

/* The number of each run of a cell; the sample may be empty. */
locbo_status sample_take(const results *r, size_t cell, sample_column column, sample *taken, locbo_error *error);
/* The same after round t: from the last row at or before t; shares, widths and times are over the rounds up to it. */
locbo_status sample_at(const results *r, size_t cell, size_t t, sample_column column, sample *taken,
                       locbo_error *error);
/* Removes the seeds that are not in both. */
void sample_match(sample *a, sample *b);
/* a - b for the seeds that both have. */
locbo_status sample_difference(const sample *a, const sample *b, sample *difference, locbo_error *error);
void sample_release(sample *s);

/* mean(a)/mean(b) over the common seeds, with a 95 % bootstrap interval that resamples pairs. */
locbo_status sample_ratio(const sample *a, const sample *b, stats_interval *ratio, locbo_error *error);
/* Mean or median with a 95 % bootstrap interval. */
locbo_status sample_interval(const sample *s, stats_measure measure, stats_interval *interval, locbo_error *error);

#endif
