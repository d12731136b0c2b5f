/* record.h - what a database has, as a text: equal texts, equal studies. Times are left out; of a lease it says whether
 * it is long. */
#ifndef RECORD_H
#define RECORD_H

#include <locbo/study.h>
#include <stdio.h>

/* Callbacks of study.h; `file` is a FILE. */
int record_name(const char *name, void *file);
int record_pulse(const locbo_pulse *pulse, void *file);
int record_trial(const locbo_record *record, void *file);
int record_output(uint64_t attempt, const locbo_output *output, void *file);
int record_curve(const locbo_curve *c, void *file);
int record_fit(const locbo_fit *fit, void *file);
int record_change(const locbo_change *change, void *file);
int record_running(const char *worker, uint64_t trial, double lease, void *file);

locbo_status record_census(locbo_study *study, FILE *file, locbo_error *error);
locbo_status record_plan(locbo_study *study, FILE *file, locbo_error *error);

void record_names(locbo_store *store, FILE *file);

/* Numbers of all studies together. */
typedef struct record_sums {
    uint64_t studies, empty, trials, running, measurements, events, attempts, retries;
} record_sums;

/* All of a database; the text is released by free. */
char *record_all(locbo_store *store, record_sums *sums);

#endif
