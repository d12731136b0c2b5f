/* result.h - the result of an evaluation: from its result file, its output, its exit.
 *
 * In this order: the result file, if it is there (an empty one is a bad result); the last line of standard output that
 * is a JSON object with "value" or "values"; the last line that is a bare number. {"value": 0.7, "sd": 0.1, "n": 4} is
 * one measurement,
 * {"values": [0.7, 0.8]} are replicates (sd and n, if given, are of each; or an array as long). A line that looks like
 * a result and is none (NaN, Infinity, a text as value) counts as a bad result: an earlier, good line does not hide it.
 *
 * Exit 0: the result, FAILED if there is none or a bad one. 65: INFEASIBLE. 75: TRANSIENT. 124, or our own time-out:
 * FAILED "timed out". Killed from outside (SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT): LOST. Any other exit or signal:
 * FAILED. */
#ifndef RESULT_H
#define RESULT_H

#include "status.h"

/* Longer lines are no results (the result file may hold more), and more replicates are a bad one. */
enum { RESULT_LINE = 64 * 1024, RESULT_VALUES = 10000 };

typedef enum outcome_kind {
    OUTCOME_VALUE,
    OUTCOME_FAILED,
    OUTCOME_INFEASIBLE,
    OUTCOME_TRANSIENT, /* try again with a new seed */
    OUTCOME_LOST       /* try again with the same seed */
} outcome_kind;

typedef struct outcome {
    outcome_kind kind;
    size_t count;
    locbo_measurement *measurements; /* OUTCOME_VALUE: count >= 1; free with outcome_release */
    char message[256];               /* why, otherwise: one line, e.g. "exit code 3", "killed by signal 11 (Segmentation
                                        fault)", "exit code 0 but no result: the last line was '...'" */
} outcome;

/* Lines of output as they come: remembers the last of each kind. */
typedef struct result {
    char *object; /* the last line that looks like a JSON result, or NULL */
    char *number; /* the last line that is a bare number (nan and inf too), or NULL */
    char *last;   /* the last line that is not empty, shortened to 80 bytes, for messages; or NULL */
} result;

/* One line, without its end. Ignores a lack of memory after dropping what it had. */
void result_line(result *r, const char *line, size_t size);
void result_release(result *r);

/* Judge a finished evaluation. `file`: content of the result file (NULL: none). `status`: of waitpid. */
locbo_status result_judge(const result *lines, const char *file, size_t file_size, int status, int timed_out,
                          outcome *outcome, locbo_error *error);
/* A result as text from elsewhere (`tell`, the pipe): a bare number or a JSON object as above. */
locbo_status result_parse(const char *text, size_t size, size_t *count, locbo_measurement **measurements,
                          locbo_error *error);
void outcome_release(outcome *o);

#endif
