/* results.h - what runs have brought: one tidy CSV for an experiment, plain while it grows, compressed when it is
 * complete.
 *
 *   DIR/NAME/runs.csv   experiment,case,method,seed,t, then TASK_COLUMNS (task.h), the first two as regret_observed and
 *                       regret_recommended, or value_ where the optimum is not known
 *   DIR/NAME/grid.csv   experiment,case,method,seed, then TASK_POINTS            (if the tasks have a grid)
 *
 * or runs.csv.gz, grid.csv.gz. A run is in the file as a whole or not at all: what a kill left half written is dropped
 * by the next results_open. Empty cells are NAN. Files of earlier versions, which lack the last columns, are read too.
 */
#ifndef RESULTS_H
#define RESULTS_H

#include "plan.h"

typedef struct results results;

typedef struct results_run {
    size_t cell;
    uint64_t seed;
    size_t rows, points;
    const task_row *row; /* ascending t; the last is the end of the run */
    const task_point *point;
} results_run;

/* Read what is there (nothing is fine). LOCBO_ERR_FORMAT: a file is not one of ours, with file and line. Runs of cells
 * that the plan does not have are an error, since the experiment must have changed. */
locbo_status results_open(results **opened, const plan *p, const char *dir, locbo_error *error);
void results_close(results *r);

size_t results_count(const results *r);
results_run results_at(const results *r, size_t i); /* by cell, then by seed */
/* The first run of a cell, or where it would be: those of a cell are from results_first(r, cell) to before
 * results_first(r, cell + 1). */
size_t results_first(const results *r, size_t cell);
/* The run of a cell and seed; returns 0 if there is none. */
int results_find(const results *r, size_t cell, uint64_t seed, results_run *run);

/* Add a run, durably: it is in the file when this returns. */
locbo_status results_add(results *r, size_t cell, uint64_t seed, const task_record *record, locbo_error *error);
/* Everything in order, compressed; the plain files go. */
locbo_status results_finish(results *r, locbo_error *error);

#endif
