/* runner.h - makes the runs of an experiment in several processes, and saves each when it ends. */
#ifndef RUNNER_H
#define RUNNER_H

#include "results.h"

enum { RUNNER_MOST_JOBS = 256 };

typedef struct runner_state {
    size_t done, total;           /* runs of this call */
    double work_done, work_total; /* the same, weighted by the expected cost of a run */
} runner_state;

typedef struct runner_options {
    uint64_t first;                                     /* the first seed; 0 means 1 */
    size_t seeds;                                       /* how many */
    const char *methods;                                /* a flag for each method of the plan; NULL: run all */
    const char *cases;                                  /* the same for the cases */
    unsigned jobs;                                      /* processes, 1 .. RUNNER_MOST_JOBS */
    int (*tick)(const runner_state *state, void *user); /* called several times a second; returns 0 to stop */
    void *user;
} runner_options;

/* Makes the missing runs; *ran is their number. It stops at the first failed run, whose error begins with experiment,
 * case, method and seed. LOCBO_ERR_STOPPED: `tick` returned 0; the finished runs are saved. */
locbo_status runner_run(const plan *p, results *r, const runner_options *options, size_t *ran, locbo_error *error);

#endif
