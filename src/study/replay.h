/* replay.h - an optimizer built from the rows of the database. */
#ifndef REPLAY_H
#define REPLAY_H

#include "ledger.h"

typedef struct replay {
    locbo_optimizer *optimizer; /* replay_release destroys it, unless the caller takes it and sets NULL */
    uint64_t trials;            /* number of the last trial */
    uint64_t fits;
    char *pending;  /* JSON list of the outstanding trials; mem_free */
    uint64_t *open; /* their numbers, `open_count` of them; mem_free */
    size_t open_count, open_capacity;
} replay;

/* From one snapshot of the database. On failure there is nothing to release. */
locbo_status replay_make(locbo_study *study, replay *made, locbo_error *error);
void replay_release(replay *r);

#endif
