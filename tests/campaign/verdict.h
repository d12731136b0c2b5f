/* verdict.h - whether what a call answered agrees with what the database has after it. */
#ifndef VERDICT_H
#define VERDICT_H

#include "calls.h"
#include "record.h"

/* What became of a call. From LOST on: an error of the library. */
typedef enum outcome { DONE, NOT_DONE, UNSURE, LOST, DOUBLED, ORPHAN, REFUSED, EMPTY, WRONG, OUTCOMES } outcome;
extern const char *const verdict_names[OUTCOMES];

/* What a call answered, and the database after it. */
typedef struct result {
    locbo_status status;
    locbo_error error;
    char *answer, *state, *kinds;
    record_sums sums;
    char *crashed; /* the state if the power failed now */
    record_sums crashed_sums;
} result;

void verdict_release(result *r);

/* How a caller meets a fault: it waits, it gives up, or it gives up and a new process repeats the call with the same
 * token. */
typedef enum manner { PATIENT, IMPATIENT, REPEATING, MANNERS } manner;
/* `before`: the database without the call; `once`: the call without faults; `r`: the call with them. */
outcome verdict_find(const call *c, manner how, const result *before, const result *once, const result *r);

#endif
