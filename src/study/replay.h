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
    uint64_t ends, ends_sum;    /* trials that have ended so or were ended early, and the sum of their numbers */
    uint64_t result;            /* event number of the last result */
    double told;                /* its time */
    int counts_anew;            /* coverage, since the study was altered */
    size_t aside_room;          /* in a study that was altered: */
    unsigned char *aside;       /* of each trial, by number: not 0: it has no place in the space, or no result to see */
    char *pending;              /* JSON list of the outstanding trials; mem_free */
    int unsure;                 /* the optimizer may have what the database does not have: it is not continued */
    int lent;                   /* a caller has it: */
    locbo_summary state;        /* what it was then */
} replay;

/* From one snapshot of the database: an optimizer that has all of it. It is given only what is new since the last time,
 * which leads to the same bits. On failure there is nothing to release. */
locbo_status replay_follow(locbo_study *study, replay *known, locbo_error *error);
/* The same inside a transaction, and without the list of the outstanding trials. */
locbo_status replay_continue(locbo_study *study, replay *known, locbo_error *error);
/* Inside a transaction, for method random: the trials alone, up to number `last`: the study's row is locked now. */
locbo_status replay_last_trials(locbo_study *study, replay *known, uint64_t last, locbo_error *error);
/* Inside a transaction: the JSON list of the outstanding trials; mem_free. */
locbo_status replay_pending(const locbo_study *study, char **pending, locbo_error *error);
/* Let a caller have the optimizer until the next call. If it was asked or told something meanwhile, it is not
 * continued. */
locbo_status replay_lend(replay *r, locbo_optimizer **optimizer, locbo_error *error);
void replay_release(replay *r);

#endif
