/* source.h - a database to read from, which is opened when it is wanted, and again after it was replaced or failed. */
#ifndef SOURCE_H
#define SOURCE_H

#include <locbo/study.h>
#include <sys/types.h>

#include "status.h"

typedef struct source {
    const char *url;    /* the caller's */
    locbo_store *store; /* read-only; NULL: not open */
    locbo_wait_fn *fn;  /* asked while a call waits: see locbo_store_patience; may be NULL */
    void *user;
    int is_file;
    dev_t device; /* of the open file */
    ino_t number;
} source;

/* Open it if it is not. LOCBO_ERR_BUSY, with the reason, if that is not possible now, whatever the reason is. */
locbo_status source_open(source *s, locbo_error *error);
/* Whether what is open is not what the url names any more: a file was put in its place. */
int source_is_stale(const source *s);
/* Whether after such a failure it should be closed, so that it is opened anew. What is damaged in one study alone is no
 * reason: the database is asked for something else. */
int source_is_broken(const source *s, locbo_status status);
/* Close studies and desks first. */
void source_close(source *s);

#endif
