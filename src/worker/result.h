/* result.h - the result of an evaluation: from its result file, its output, its exit.
 *
 * In this order: the result file, if it is there (an empty one is a bad result); the last line of standard output that
 * is a JSON object with "value" or "values"; the last line that is a bare number. {"value": 0.7, "sd": 0.1, "n": 4} is
 * one measurement, {"values": [0.7, 0.8]} are replicates (sd and n, if given, are of each; or an array as long). A line
 * that looks like a result and is none (NaN, Infinity, a text as value) counts as a bad result: an earlier, good line
 * does not hide it.
 *
 * With several outputs, or one that is not called "value", results have their names (named_result.h): the last line
 * that is a JSON object with the name of a measured output, {"loss": 0.31, "memory": 401}; without such a line, the
 * last line loss=0.31 of each output; without these, the last line that is a bare number, if one output is measured.
 * The result file may also hold the object over several lines.
 *
 * Lines of standard output that are steps (step_line.h) are not fed here.
 *
 * Exit 0: the result, FAILED if there is none or a bad one. 65: INFEASIBLE. 75: TRANSIENT. 124, or our own time-out:
 * FAILED "timed out". Killed from outside (SIGKILL, SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1): LOST. Any other exit or
 * signal: FAILED. */
#ifndef RESULT_H
#define RESULT_H

#include "reading.h"
#include "status.h"

/* Longer lines are no results (the result file may hold more), and more replicates are a bad one. */
enum { RESULT_LINE = 64 * 1024, RESULT_VALUES = READING_VALUES };

typedef enum outcome_kind {
    OUTCOME_VALUE,
    OUTCOME_FAILED,
    OUTCOME_INFEASIBLE,
    OUTCOME_TRANSIENT, /* try again with a new seed */
    OUTCOME_LOST,      /* try again with the same seed */
    OUTCOME_PRUNED     /* ended early by its steps; result_judge never says so */
} outcome_kind;

typedef struct outcome {
    outcome_kind kind;
    size_t count;
    locbo_measurement *measurements; /* OUTCOME_VALUE: count >= 1 rows of one for each output, value NAN where it is
                                        lacking; free with outcome_release */
    char message[256];               /* why, otherwise: one line, e.g. "exit code 3", "killed by signal 11 (Segmentation
                                        fault)", "exit code 0 but no result: the last line was '...'" */
} outcome;

/* Lines of output as they come: remembers the last of each kind. Begin with {.outputs = the table}; it must live as
 * long as this. */
typedef struct result {
    const locbo_outputs *outputs; /* NULL: one, called "value" */
    char *object;                 /* the last line that looks like a JSON result, or NULL */
    char *number;                 /* the last line that is a bare number (nan and inf too), or NULL */
    char *last;                   /* the last line that is not empty, shortened to 80 bytes, for messages; or NULL */
    char **values; /* with names: of each output the value of its last line NAME=VALUE, or NULL; NULL: no such line */
    char *other;   /* with names: the last line that begins with '{' and has none of them, shortened; or NULL */
    int longer;    /* a line that begins with '{' was longer than RESULT_LINE */
    int steps;     /* lines that are steps were there, see step_line.h; they are no results */
} result;

/* One line, without its end. Ignores a lack of memory after dropping what it had. */
void result_line(result *r, const char *line, size_t size);
/* Afterwards it is as at the beginning. */
void result_release(result *r);

/* Judge a finished evaluation, whose outputs are those of `lines` (NULL: nothing was printed, one output called
 * "value"). `file`: content of the result file (NULL: none). `status`: of waitpid. */
locbo_status result_judge(const result *lines, const char *file, size_t file_size, int status, int timed_out,
                          outcome *outcome, locbo_error *error);
/* A result as text from elsewhere (`tell`, the pipe): a bare number or a JSON object as above, or, with names, lines
 * NAME=VALUE and nothing else. `outputs` NULL: one, called "value". The rows are as in an outcome; free them with
 * mem_free. */
locbo_status result_parse(const locbo_outputs *outputs, const char *text, size_t size, size_t *count,
                          locbo_measurement **measurements, locbo_error *error);
void outcome_release(outcome *o);

#endif
