/* replay.h - an optimizer built from the rows of the database. */
#ifndef REPLAY_H
#define REPLAY_H

#include <locbo/study.h>

typedef struct replay {
    locbo_optimizer *optimizer; /* replay_release destroys it, unless the caller takes it and sets NULL */
    uint64_t trials;            /* number of the last trial */
    uint64_t events;            /* the last event number */
    uint64_t fits;              /* number of the last fit */
    uint64_t retraction;        /* event by which something was last taken back */
    uint64_t without;           /* trials that have ended without a result, or were taken back */
    int counts_anew;            /* coverage, since the study was altered */
    size_t aside_room;          /* in a study that was altered: */
    unsigned char *aside;       /* of each trial, by number: not 0: it has no place in the space, or no result to see */
    char *pending;              /* JSON list of the outstanding trials; mem_free */
    int asked;                  /* it has been asked for a trial that is not yet in the database */
} replay;

/* From one snapshot of the database. On failure there is nothing to release. */
locbo_status replay_make(locbo_study *study, replay *made, locbo_error *error);
/* Inside a transaction, for method random: read only what is new since the last time; all of it the first time. Without
 * a model the order of results and failures does not matter. On failure there is nothing to release. */
locbo_status replay_continue(locbo_study *study, replay *known, locbo_error *error);
/* The same for trials alone, up to number `last`: the study's row is locked now. */
locbo_status replay_last_trials(locbo_study *study, replay *known, uint64_t last, locbo_error *error);
/* Inside a transaction: the JSON list of the outstanding trials; mem_free. */
locbo_status replay_pending(const locbo_study *study, char **pending, locbo_error *error);
void replay_release(replay *r);

#endif
