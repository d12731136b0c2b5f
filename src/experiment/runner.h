/* runner.h - all runs of an experiment on all cores, each saved as it ends. */
#ifndef RUNNER_H
#define RUNNER_H

#include "results.h"

enum { RUNNER_MOST_JOBS = 256 };

typedef struct runner_state {
    size_t done, total;           /* runs of this call */
    double work_done, work_total; /* the same weighted by what a run of the cell is expected to cost */
} runner_state;

typedef struct runner_options {
    size_t seeds;        /* 1 .. seeds */
    const char *methods; /* a flag for each method of the plan: whether to run it; NULL: all */
    unsigned jobs;       /* processes, 1 .. RUNNER_MOST_JOBS */
    int (*tick)(const runner_state *state, void *user); /* called several times a second; returns 0 to stop */
    void *user;
} runner_options;

/* Runs what is missing. A failed run ends it, with the run's name before the message. LOCBO_ERR_STOPPED: `tick` said
 * so; what was done is saved. *ran: how many runs were made. */
locbo_status runner_run(const plan *p, results *r, const runner_options *options, size_t *ran, locbo_error *error);

#endif
