/* results.h - the recorded runs of an experiment: one tidy CSV file, plain while runs are added, compressed when it is
 * complete.
 *
 *   DIR/NAME/runs.csv   experiment,case,method,seed,t, then TASK_COLUMNS (task.h), the first two as regret_observed and
 *                       regret_recommended, or value_ where the optimum is not known
 *   DIR/NAME/grid.csv   experiment,case,method,seed, then TASK_POINTS            (if the tasks have a grid)
 *
 * or runs.csv.gz, grid.csv.gz. results_open keeps complete runs only: a run that a kill left incomplete is dropped.
 * Empty cells are NAN. Files of earlier versions, which do not have the last columns, are read too. */
#ifndef RESULTS_H
#define RESULTS_H

#include "plan.h"

typedef struct results results;

typedef struct results_run {
    size_t cell;
    uint64_t seed;
    size_t rows, points;
    const task_row *row; /* ascending t */
    const task_point *point;
} results_run;

/* Reads the files; they need not exist. LOCBO_ERR_FORMAT, with file and line: not a file of results, or runs of cells
 * that the plan does not have. */
locbo_status results_open(results **opened, const plan *p, const char *dir, locbo_error *error);
void results_close(results *r);

size_t results_count(const results *r);
results_run results_at(const results *r, size_t i); /* by cell, then by seed */
/* The index of the first run of a cell, or where it would be. The runs of a cell are
 * results_first(r, cell) .. results_first(r, cell + 1) - 1. */
size_t results_first(const results *r, size_t cell);
/* The run of a cell and seed; returns 0 if there is none. */
int results_find(const results *r, size_t cell, uint64_t seed, results_run *run);

/* Adds a run; it is on disk when this returns. */
locbo_status results_add(results *r, size_t cell, uint64_t seed, const task_record *record, locbo_error *error);
/* Writes all runs in order to compressed files, and removes the plain ones. */
locbo_status results_finish(results *r, locbo_error *error);

#endif
