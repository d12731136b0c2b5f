/* external.h - an external method: a program that proposes the points of a run. Each run has its own process, which
 * exchanges lines with the harness through pipes (docs/experiments.md, "Programs"). The program cannot block, end or
 * crash the harness: whatever it does wrong becomes an error. */
#ifndef EXTERNAL_H
#define EXTERNAL_H

#include <stdint.h>

#include "status.h"

typedef struct external external;

/* Starts `command` with /bin/sh in its own process group, which ends when this process ends. `seconds`: time limit for
 * each line, and for the exit. */
locbo_status external_start(external **started, const char *command, double seconds, locbo_error *error);
/* Sends the first line: the numbers of parameters, initial points and rounds, and the seed; then `more`, if it is not
 * empty: the kinds of the parameters, the size of a batch. */
locbo_status external_greet(external *r, size_t dim, uint64_t seed, size_t initial, size_t rounds, const char *more,
                            locbo_error *error);
/* Sends a line of numbers. A program that has closed its input is not an error here; external_ask finds out. */
locbo_status external_tell(external *r, size_t n, const double *number, locbo_error *error);
/* Reads the next line: a point of the unit cube. */
locbo_status external_ask(external *r, double *u, locbo_error *error);
/* After the last line: the program must write nothing more and exit with code 0. */
locbo_status external_finish(external *r, locbo_error *error);
/* Kills the program and all processes it started, if it still runs. */
void external_destroy(external *r);

#endif
