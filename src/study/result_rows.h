/* result_rows.h - results in the table locbo_measurement: a row for each output that was measured, with the event
 * number of the result. */
#ifndef RESULT_ROWS_H
#define RESULT_ROWS_H

#include "bulk.h"
#include "ledger.h"

typedef struct stored_result {
    uint64_t trial, event;
    uint64_t attempt;             /* for writing */
    double told;                  /* time; writing: NAN is now */
    uint64_t retracted;           /* event by which it was taken back; 0: it was not */
    const locbo_measurement *row; /* one for each output; derived ones are filled in when read, and not written */
} stored_result;

/* Inside a transaction: begin, add each, and then bulk_end. */
void result_rows_begin(bulk *b, const locbo_study *study, uint64_t token);
locbo_status result_rows_add(bulk *b, const locbo_study *study, const stored_result *r, locbo_error *error);

/* The columns of a SELECT whose rows are put together to results: those of one result are adjacent if it is ordered by
 * event (and trial before it, or not). */
#define RESULT_ROWS "trial, event, told, {output} AS output, value, sd, n, {retracted} AS retracted"
typedef locbo_status result_rows_fn(const stored_result *result, void *user, locbo_error *error);
/* Inside a transaction: `fn` is called with each result. */
locbo_status result_rows_each(const locbo_study *study, const char *sql, size_t count, const store_value *values,
                              result_rows_fn *fn, void *user, locbo_error *error);
/* Inside a transaction: the number of results of the study that were not taken back, as its row has it; of a study that
 * was created before schema version 8 they are counted. */
locbo_status result_rows_count(const locbo_study *study, uint64_t *count, locbo_error *error);
/* Inside a transaction in which the study's row is locked: count them, for the study's row. */
locbo_status result_rows_recount(const locbo_study *study, locbo_error *error);

#endif
