/* source.h - a database to read from: opened at the first use, and again after its file was replaced or it failed. */
#ifndef SOURCE_H
#define SOURCE_H

#include <locbo/study.h>
#include <sys/types.h>

#include "status.h"

typedef struct source {
    const char *url;    /* the caller's */
    locbo_store *store; /* read-only; NULL: not open */
    locbo_wait_fn *fn;  /* called while a call waits: see locbo_store_patience; may be NULL */
    void *user;
    int is_file;
    dev_t device; /* of the open file */
    ino_t number;
} source;

/* Open it if it is not. LOCBO_ERR_BUSY, with the reason, if that is not possible. */
locbo_status source_open(source *s, locbo_error *error);
/* Whether the file that the url names was replaced since it was opened. */
int source_is_stale(const source *s);
/* Whether, after a call that returned `status`, it should be closed and opened again: not if one study alone is
 * damaged, so another query is tried. */
int source_is_broken(const source *s, locbo_status status);
/* Close studies and caches first. */
void source_close(source *s);

#endif
