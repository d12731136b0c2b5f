/* rival.h - a method that is a program of its own: one process a run, to which the harness speaks
 * line by line through pipes (the protocol is in docs/experiments.md). Nothing it does can hang,
 * end or crash the harness: what it does wrong is an error that says what. */
#ifndef RIVAL_H
#define RIVAL_H

#include <stdint.h>

#include "status.h"

typedef struct rival rival;

/* Starts `command` by /bin/sh, in a process group of its own. `seconds`: how long it may take for a
 * line, and for its end. It dies with us. */
locbo_status rival_start(rival **started, const char *command, double seconds, locbo_error *error);
/* The first line: so many parameters, the seed, so many initial points, so many rounds. */
locbo_status rival_greet(rival *r, size_t dim, uint64_t seed, size_t initial, size_t rounds, locbo_error *error);
/* A line of numbers. One that it does not read is no error: its next line tells. */
locbo_status rival_tell(rival *r, size_t n, const double *number, locbo_error *error);
/* Its next line: a point of the unit cube. */
locbo_status rival_ask(rival *r, double *u, locbo_error *error);
/* After its last line: it must say no more and end, with exit code 0. */
locbo_status rival_finish(rival *r, locbo_error *error);
/* Ends it and all it started, if it has not ended. */
void rival_destroy(rival *r);

#endif
