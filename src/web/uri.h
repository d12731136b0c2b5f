/* uri.h - the address of a request parsed: path and query, decoded strictly. */
#ifndef URI_H
#define URI_H

#include "query.h"

enum {
    URI_LENGTH = 8192, /* bytes at most; longer ones are not parsed */
    URI_KEYS = 32      /* at most in one query */
};

typedef struct uri {
    const char *path; /* not decoded: no path of this server has escapes */
    query query;
    char *text; /* what path and query point into */
    query_item items[URI_KEYS];
} uri;

/* LOCBO_ERR_ARGUMENT: a bad percent escape, text that is not UTF-8, a NUL, a key without a name, too many keys, bytes
 * not allowed in an address. A '+' is a blank, as in forms. Release it also after a failure. Do not copy a uri:
 * it points into itself. */
locbo_status uri_read(uri *u, const char *raw, locbo_error *error);
void uri_release(uri *u);

#endif
