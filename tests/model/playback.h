/* playback.h - a sequence of operations, one after the other by several connections, beside the model. */
#ifndef PLAYBACK_H
#define PLAYBACK_H

#include "database.h"
#include "sequence.h"

typedef struct playback_figures {
    uint64_t calls, repeats, crashes, clock_steps;
    uint64_t ended, kept; /* reports that ended a trial, decisions to keep one */
} playback_figures;

/* Returns 0 if every answer and what is stored is what the model says; otherwise 1, and `why` says what differs, after
 * which operation. `often`: compare what is stored after each operation. `trace`, which may be NULL: each operation
 * with its answer in plain words. */
int playback_run(const sequence *s, int often, FILE *trace, playback_figures *figures, char why[DATABASE_WHY]);

#endif
