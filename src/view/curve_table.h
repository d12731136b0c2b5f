/* curve_table.h - the curve of the last attempt of each trial in memory, thinned, and kept up to date by reading only
 * those that may have changed. */
#ifndef CURVE_TABLE_H
#define CURVE_TABLE_H

#include "trial_table.h"

enum { CURVE_POINTS = 100 }; /* of one curve that are kept; its first and its last are among them */

typedef struct curve_row {
    uint64_t attempt; /* whose curve it is */
    int over;         /* the trial had ended when it was read: the curve stays as it is */
    uint64_t steps;   /* how many were reported; 0: none */
    size_t count;
    locbo_step *points;
} curve_row;

typedef struct curve_table {
    size_t count, capacity;
    curve_row *rows;        /* by number, as those of the table of trials */
    size_t curves;          /* rows with steps */
    uint64_t events, stamp; /* of the table of trials when this one was last read */
    int whole;              /* the last refresh succeeded */
} curve_table;

/* Fills an empty table ({0}), and updates a filled one. The trials are those of the study, as of now or before. */
locbo_status curve_table_refresh(curve_table *t, const trial_table *trials, locbo_study *study, locbo_error *error);
void curve_table_release(curve_table *t);

/* At most `most` of some steps, released with mem_free: the first, the last, and the extremes in between. */
locbo_status curve_table_thin(size_t count, const locbo_step *steps, size_t most, locbo_step **points, size_t *kept,
                              locbo_error *error);

#endif
