/* edit.h - the changes that the server accepts if it was started with --allow-edit: "Edits" of docs/api.md. */
#ifndef EDIT_H
#define EDIT_H

#include <jansson.h>
#include <locbo/study.h>

#include "status.h"

typedef struct edit edit;

/* The database, and the function called while an edit waits for it, or for a proposal of another process. */
typedef struct edit_database {
    const char *url;
    locbo_wait_fn *fn; /* see locbo_store_patience */
    void *user;
} edit_database;

/* By its name ("stop"); NULL: there is none. */
const edit *edit_find(const char *name);
/* Whether it may have to compute a proposal, for as long as that takes. */
int edit_is_long(const edit *e);
/* `body`: the JSON text that was posted. Opens the database for writing and closes it again. *answer: {"ok": true,
 * ...}. LOCBO_ERR_ARGUMENT: the body; LOCBO_ERR_NOT_FOUND: the study; LOCBO_ERR_STATE: not possible now;
 * LOCBO_ERR_BUSY: it waited too long. */
locbo_status edit_make(const edit *e, const edit_database *at, const char *body, size_t size, json_t **answer,
                       locbo_error *error);

#endif
