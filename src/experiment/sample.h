/* sample.h - numbers of many runs, in the order of their seeds, as statistics want them. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include "results.h"
#include "stats.h"

/* The number of a run that each column makes, as TASK_COLUMNS says: SAMPLE_OBSERVED and so on. */
#define SAMPLE_COLUMN(name, NAME, ...) SAMPLE_##NAME,
typedef enum sample_column { TASK_COLUMNS(SAMPLE_COLUMN) } sample_column;

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
