/* request.h - one request from its first line to its answer. */
#ifndef REQUEST_H
#define REQUEST_H

#include <microhttpd.h>
#include <pthread.h>

#include "guard.h"
#include "db_connection.h"
#include "peers.h"
#include "watch.h"

/* What all requests share. */
typedef struct site {
    const char *url;
    unsigned port;
    int edit;                /* whether edits are allowed, with the token */
    char token[GUARD_TOKEN]; /* "" without edits */
    peers *peers;
    db_connection *facts, *model;
    watch *watch;
    pthread_mutex_t proposing; /* held by an edit that may compute: one at a time */
} site;

/* Callbacks of the HTTP server; `user` is a site. The context of each connection is its peer. At the first line of a
 * request; at its headers, each part of its body and its end; after the answer. */
void *request_begin(void *user, const char *raw, struct MHD_Connection *c);
enum MHD_Result request_handle(void *user, struct MHD_Connection *c, const char *path, const char *method,
                               const char *version, const char *data, size_t *size, void **state);
void request_end(void *user, struct MHD_Connection *c, void **state, enum MHD_RequestTerminationCode why);

#endif
