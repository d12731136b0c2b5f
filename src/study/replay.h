/* replay.h - the optimizer as the facts have it. */
#ifndef REPLAY_H
#define REPLAY_H

#include "ledger.h"

typedef struct replay {
    locbo_optimizer *optimizer; /* the caller's to destroy */
    uint64_t trials;            /* numbered 1 to here */
    uint64_t fits;
    char *pending;  /* JSON list of the outstanding trials; mem_free */
    uint64_t *open; /* their numbers, `open_count` of them; mem_free */
    size_t open_count, open_capacity;
} replay;

/* From one snapshot of the database. On failure there is nothing to release. */
locbo_status replay_make(locbo_study *study, replay *made, locbo_error *error);
void replay_release(replay *r); /* the optimizer too, unless taken */

#endif
