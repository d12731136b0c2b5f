/* request.h - one request from its first line to its answer. */
#ifndef REQUEST_H
#define REQUEST_H

#include <microhttpd.h>
#include <pthread.h>

#include "guard.h"
#include "lane.h"
#include "watch.h"

enum { REQUEST_TIMEOUT = 20 }; /* seconds that a client may be silent in mid-request */

/* What all requests share. */
typedef struct site {
    const char *url;
    unsigned port;
    int edit;                /* whether edits are allowed, with the token */
    char token[GUARD_TOKEN]; /* "" without edits */
    lane *facts, *model;
    watch *watch;
    pthread_mutex_t proposing; /* held by an edit that may compute: one at a time */
} site;

/* What the server calls, each with a site as its closure: for the first line of a request, for its headers, body and
 * end, and when all is over. */
void *request_begin(void *user, const char *raw, struct MHD_Connection *c);
enum MHD_Result request_handle(void *user, struct MHD_Connection *c, const char *path, const char *method,
                               const char *version, const char *data, size_t *size, void **state);
void request_end(void *user, struct MHD_Connection *c, void **state, enum MHD_RequestTerminationCode why);

#endif
