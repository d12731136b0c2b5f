/* pipe_ops.h - the requests of `locbo pipe`: JSON in, JSON out. docs/pipe.md is the manual. */
#ifndef PIPE_OPS_H
#define PIPE_OPS_H

#include <jansson.h>
#include <locbo/study.h>

#include "identity.h"

/* A trial handed out here and not ended yet. */
typedef struct pipe_trial {
    uint64_t trial, attempt;
} pipe_trial;

typedef struct pipe_state {
    locbo_store *store;
    locbo_study *study;
    const locbo_space *space;
    const locbo_outputs *outputs; /* NULL: there is no table */
    const locbo_options *options;
    const char *url;
    size_t dim;
    char worker[IDENTITY_TEXT];
    size_t open, capacity;
    pipe_trial *trials; /* `open` of them; mem_free */
} pipe_state;

/* One request, a line without its end, and its answer: {"ok":true,...} or
 * {"ok":false,"error":"...","code":2}, with the "id" of the request. NULL: no memory even for that.
 */
json_t *pipe_answer(pipe_state *state, const char *line, size_t size);
/* An answer that says no. */
json_t *pipe_refusal(const locbo_error *error, json_t *id);
/* Let wait again whatever was handed out and not ended; returns how many. `*kept`: how many the study could not take
 * back now; they wait again when their leases end. */
size_t pipe_give_back(pipe_state *state, size_t *kept);

#endif
