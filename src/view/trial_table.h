/* trial_table.h - all trials of a study in memory, kept up to date by reading only what has changed. All views but
 * those of the model are made from it. */
#ifndef TRIAL_TABLE_H
#define TRIAL_TABLE_H

#include <locbo/study.h>

#include "output_list.h"
#include "point_means.h"
#include "status.h"

/* One trial, as far as the views of many trials need it. Times and values are NAN where there are none. */
typedef struct trial_row {
    locbo_state state;
    locbo_trial trial;       /* id, origin, told, belief of the first objective */
    double value;            /* of the first objective: mean of its measurements */
    double weight;           /* the repetitions that they are the means of, together */
    locbo_measurement first; /* that of the first result, which the calibration judged */
    size_t count;            /* results */
    uint64_t event;          /* number of its first result, or of its failure; 0: none */
    double asked, started, ended, lease;
    uint64_t attempt;
    locbo_decision decision; /* to end it early, or that it was kept; attempt 0: none */
    size_t worker;           /* index into `workers`; 0 is "" */
    char *message;           /* NULL: none */
    char *note;              /* NULL: none */
    char *tags;              /* words with one space between them; NULL: none */
} trial_row;

/* What a trial measured of one output. */
typedef struct trial_output {
    double value, weight;
    locbo_measurement first;
} trial_output;

typedef struct trial_table {
    size_t dim, count, capacity;
    const output_list *outputs; /* NULL: there is no table of outputs */
    trial_row *rows;            /* by number: rows[i] is trial i + 1 */
    double *x;                  /* count rows of dim */
    /* Of the outputs besides the first objective, which is in `rows`: what was measured, count rows of all of them, and
     * what was believed, count rows of those that are modelled. NULL if there are none. */
    trial_output *others;
    locbo_belief *beliefs;
    size_t workers_count, workers_capacity;
    char **workers;            /* every name once, in the order first seen; workers[0] is "" */
    size_t *slots, slots_size; /* hash table of the names: index into `workers` plus 1; 0: free */
    uint64_t events;           /* of the study; all of them are in the table */
    uint64_t stamp;            /* of the pulse read before the rows */
    int whole;                 /* the last refresh succeeded */
} trial_table;

/* Fills an empty table ({0} except `dim` and `outputs`), and updates a filled one. After an error some rows may be out
 * of date: the next refresh reads them again. If the database was restored from a backup, all rows are read again.
 * LOCBO_ERR_CHANGED: the study was altered; the table must be released, and filled with the new `dim` and `outputs`. */
locbo_status trial_table_refresh(trial_table *t, locbo_study *study, locbo_error *error);
void trial_table_release(trial_table *t);

/* Whether row i has a tag. */
int trial_table_is_tagged(const trial_table *t, size_t i, const char *tag);

/* Output k of row i; and what was believed of it, NULL if it is not modelled. */
trial_output trial_table_output(const trial_table *t, size_t i, size_t k);
const locbo_belief *trial_table_belief(const trial_table *t, size_t i, size_t k);

/* What row i measured, as results at its point, whose number is returned: `means` has the outputs of the table, or one
 * if it has none. */
locbo_status trial_table_take(const trial_table *t, size_t i, point_means *means, size_t *point, locbo_error *error);
/* All rows with a result, by their numbers; finished. Release `means` also after a failure. */
locbo_status trial_table_means(const trial_table *t, point_means *means, locbo_error *error);

/* Whether the means of the measured constraints keep to `bounds` (locbo_study_bounds), as rows_is_feasible says it. A
 * bound that is not known, NAN, holds. */
typedef enum trial_feasible {
    TRIAL_FEASIBLE_UNKNOWN = -1, /* there is no constraint, or one lacks its value while the others hold */
    TRIAL_FEASIBLE_NO = 0,
    TRIAL_FEASIBLE_YES = 1
} trial_feasible;
trial_feasible trial_table_feasible(const trial_table *t, size_t i, const double *bounds);
/* The same of values, one of each output. */
trial_feasible trial_feasible_of(const output_list *list, const double *bounds, const double *value);
/* true, false, null; NULL: no memory. */
json_t *trial_feasible_json(trial_feasible feasible);

#endif
