/* trial_table.h - all trials of a study in memory, kept up to date by reading only what has changed. All views but
 * those of the model are made from it. */
#ifndef TRIAL_TABLE_H
#define TRIAL_TABLE_H

#include <locbo/study.h>

#include "status.h"

/* One trial, as far as the views of many trials need it. Times and values are NAN where there are none. */
typedef struct trial_row {
    locbo_state state;
    locbo_trial trial;       /* id, origin, told, belief */
    double value;            /* mean of its measurements */
    double lowest, highest;  /* of them */
    size_t count;            /* of them */
    locbo_measurement first; /* the first one, which the calibration judged */
    uint64_t event;          /* number of its first event; 0: none */
    double asked, started, ended, lease;
    uint64_t attempt;
    size_t worker; /* index into `workers`; 0 is "" */
    char *message; /* NULL: none */
} trial_row;

typedef struct trial_table {
    size_t dim, count, capacity;
    trial_row *rows; /* by number: rows[i] is trial i + 1 */
    double *x;       /* count rows of dim */
    size_t workers_count, workers_capacity;
    char **workers;            /* every name once, in the order first seen; workers[0] is "" */
    size_t *slots, slots_size; /* hash table of the names: index into `workers` plus 1; 0: free */
    uint64_t events;           /* of the study; all of them are in the table */
    uint64_t stamp;            /* of the pulse read before the rows */
    int whole;                 /* the last refresh succeeded */
} trial_table;

/* Fills an empty table ({0} except `dim`), and updates a filled one. After an error some rows may be out of date: the
 * next refresh reads them again. If the database was restored from a backup, all rows are read again. */
locbo_status trial_table_refresh(trial_table *t, locbo_study *study, locbo_error *error);
void trial_table_release(trial_table *t);
/* One row as in the table, except worker and message. */
void trial_row_fill(trial_row *row, const locbo_record *record);

#endif
