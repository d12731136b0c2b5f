/* pipe_alter.h - the request "alter" of `locbo pipe`. */
#ifndef PIPE_ALTER_H
#define PIPE_ALTER_H

#include <jansson.h>
#include <locbo/study.h>

#include "status.h"

/* `wanted` has the keys of a study file that are to differ: "parameters", "outputs" and "options" by name,
 * "constraints" and "command" as a whole, and "plan", whose keys are those of `locbo status -f json`, null for none.
 * `token` is that of the request, 0: none; `only_try`: nothing is changed. The answer gets "event", "changes",
 * "outside", "aside", "withdrawn" and "fits". Afterwards the study has been refreshed. */
locbo_status pipe_alter(locbo_store *store, locbo_study *study, json_t *wanted, const char *why, int only_try,
                        uint64_t token, json_t *answer, locbo_error *error);

#endif
