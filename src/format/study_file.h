/* study_file.h - a study described in YAML (JSON is YAML). docs/study-file.md is its manual.
 *
 *     name: pump                       # optional
 *     db: sqlite:pump.db               # optional
 *     direction: maximize              # or minimize, the default; or, in place of it:
 *     outputs:
 *       loss: minimize                 # or maximize, record
 *       latency: {goal: minimize, scale: log, reference: 10}
 *       memory: {at_most: 512}         # or at_least
 *       power: {at_most: 1.1, relative_to: 3}
 *       cost: {goal: minimize, of: "loss + 0.1*latency"}
 *     parameters:
 *       x: float(-5, 10)               # as in -p x~float(-5,10)
 *       lr: {type: float, low: 1e-5, high: 1, log: true}
 *       n: {type: int, low: 1, high: 12}
 *       mode: {type: categorical, values: [a, b]}
 *     fidelity: {epochs: int(1, 81)}   # one more parameter: how thorough an evaluation is
 *     cost: "epochs * n"               # of an evaluation; without it, the time that it takes
 *     command: [./sim, "--x={x}"]      # a list of words, or one text split as in words.h
 *     trials: 60
 *     budget: 4000                     # what evaluations may cost together
 *     confirm: 5
 *     jobs: 2
 *     timeout: 10m                     # seconds, or with a unit: s m h d
 *     retries: 3
 *     retry_delay: 1s
 *     max_failures: 5
 *     max_lost: 3
 *     lease: 60s
 *     stop: {time: 2h, target: 0.1, no_improvement: 20}      # with outputs also target: {loss: 0.1, memory: 400}
 *     options: {method: locbo, alpha: 0.2, seed: 1}
 *     enqueue:                         # points to evaluate first
 *       - {x: 1, lr: 0.1}
 *
 * Every mistake is an error "FILE:LINE: KEY: what is wrong", e.g. "pump.yaml:7: parameters.lr.low: ...": unknown keys
 * (with the nearest known one), duplicate keys, wrong types, bad values, anchors and aliases included. */
#ifndef STUDY_FILE_H
#define STUDY_FILE_H

#include <locbo/study.h>

#include "plan_fields.h"
#include "status.h"

typedef struct study_file {
    char *name, *db; /* NULL: not given */
    locbo_space *space;
    locbo_outputs *outputs; /* NULL: not given */
    locbo_options options;
    locbo_plan plan;
    unsigned jobs; /* 0: not given */
    size_t command_count;
    char **command;      /* NULL-terminated; NULL: not given */
    size_t command_line; /* of the file, where it stands */
    size_t enqueue_count;
    double *enqueue; /* enqueue_count x dim, NAN where free */
    /* which fields of the plan the file sets, so that the command line and a stored plan can be merged with it;
     * `target` stands for `targets` too */
#define STUDY_FILE_SETS(field) unsigned field : 1;
    struct {
        PLAN_FIELDS(STUDY_FILE_SETS, STUDY_FILE_SETS, STUDY_FILE_SETS, STUDY_FILE_SETS)
    } sets;
} study_file;

/* LOCBO_ERR_NOT_FOUND: the file cannot be opened; LOCBO_ERR_FORMAT: a mistake in it. "-" reads standard input. */
locbo_status study_file_read(const char *path, study_file *file, locbo_error *error);
/* The same from memory; `path` is for messages. */
locbo_status study_file_parse(const char *path, const char *text, size_t size, study_file *file, locbo_error *error);
void study_file_release(study_file *file);

#endif
