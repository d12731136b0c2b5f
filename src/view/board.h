/* board.h - the trials of a study as columns of numbers, kept up to date by reading only what has changed. What every
 * view but the model's is made from. */
#ifndef BOARD_H
#define BOARD_H

#include <locbo/study.h>

#include "status.h"

/* One trial, as far as the views of many trials need it. Times and values are NAN where there are none. */
typedef struct board_row {
    locbo_state state;
    locbo_trial trial;       /* id, origin, told, belief */
    double value;            /* mean of its measurements */
    double lowest, highest;  /* of them */
    size_t count;            /* of them */
    locbo_measurement first; /* the first one, which the calibration judged */
    uint64_t event;          /* its place in the order told; 0: there is none */
    double asked, started, ended, lease;
    uint64_t attempt;
    size_t worker; /* index into `workers`; 0 is "" */
    char *message; /* NULL: none */
} board_row;

typedef struct board {
    size_t dim, count, capacity;
    board_row *rows; /* by number: rows[i] is trial i + 1 */
    double *x;       /* count rows of dim */
    size_t workers_count, workers_capacity;
    char **workers;              /* every name once, in the order first seen; workers[0] is "" */
    size_t *places, places_size; /* where to find a name: indices into `workers` plus 1, by their hash */
    uint64_t events;             /* of the study, all of which are in it */
    uint64_t stamp;              /* of the pulse that it was read after */
    int whole;                   /* the last refresh succeeded */
} board;

/* An empty board, {0} but for `dim`, is filled; a filled one gets what has changed since. On an error it is as it was,
 * or behind the facts: the next refresh mends it. One whose study went back, because the database was restored, is read
 * anew. */
locbo_status board_refresh(board *b, locbo_study *study, locbo_error *error);
void board_release(board *b);
/* One row by itself, as the board would have it, but without worker and message. */
void board_fill(board_row *row, const locbo_record *record);

#endif
