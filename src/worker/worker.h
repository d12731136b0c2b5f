/* worker.h - the loop of `locbo run` and `locbo work`: hand out trials, run them side by side, tell their results,
 * until a stop rule holds. */
#ifndef WORKER_H
#define WORKER_H

#include "evaluation.h"
#include "progress.h"

enum { WORKER_REASON = 160 };

typedef struct worker_setup {
    const char *name; /* of the subcommand, for messages */
    locbo_store *store;
    evaluation_setup evaluation;
    size_t jobs;     /* evaluations at once */
    int own_command; /* the command is this worker's own: it stays when that of the study is altered */
    double time;     /* seconds after which no trial is started; NAN: no limit */
    int quiet;
    char *reason; /* receives why the run ended, in WORKER_REASON bytes; NULL: not wanted */
} worker_setup;

/* Returns an exit code: 0 (a stop rule holds, or SIGUSR1 came and what ran has ended), 4 (one held from the beginning),
 * 7 (too many failures), 130 (interrupted; all that ran waits again), 1, 3, 5 (database). Messages are on stderr. While
 * the study is paused it waits; after an alteration it continues with the new definition and plan. */
int worker_run(const worker_setup *setup);

#endif
