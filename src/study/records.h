/* records.h - the trials of a study with everything that is stored of them, read in one transaction. */
#ifndef RECORDS_H
#define RECORDS_H

#include "ledger.h"

/* Results in the order of their trials and events. */
typedef struct result_list {
    size_t rows, capacity;
    locbo_measurement *measurements; /* rows x outputs */
    uint64_t *sequence, *owner, *by; /* event, trial, and the event by which it was taken back */
    double *told;
} result_list;

typedef struct record_list {
    locbo_study *study;
    const locbo_filter *filter;
    size_t count, capacity;
    locbo_record *records;
    double *x;
    locbo_belief *beliefs; /* with several outputs: one for each of them of each record */
    size_t decisions, decision_room;
    locbo_decision *decision; /* those that there are, */
    uint64_t *decided;        /* and of which trial each is, growing */
    char **texts;             /* of each record: worker, message, pending, note, tags */
    uint64_t least, most;     /* trial numbers */
    result_list valid, retracted;
} record_list;

/* Inside a transaction, which may be repeated. The records are complete, and valid until records_clear, which is needed
 * also after a failure. */
locbo_status records_read(record_list *list, locbo_error *error);
void records_clear(record_list *list);

#endif
