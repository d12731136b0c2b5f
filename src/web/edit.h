/* edit.h - what may be changed through the server, if it was started so: "Edits" of docs/api.md. */
#ifndef EDIT_H
#define EDIT_H

#include <jansson.h>
#include <locbo/study.h>

#include "status.h"

typedef struct edit edit;

/* By its name ("stop"); NULL: there is none. */
const edit *edit_find(const char *name);
/* `body`: the JSON text that was posted. Opens the database for writing, for this once. *answer: {"ok": true, ...}.
 * LOCBO_ERR_ARGUMENT: the body; LOCBO_ERR_NOT_FOUND: the study; LOCBO_ERR_STATE: not possible now. */
locbo_status edit_make(const edit *e, const char *url, const char *body, size_t size,
                       json_t **answer, locbo_error *error);

#endif
