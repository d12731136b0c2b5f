/* store_url.h - what a database's url says, and how it is shown. */
#ifndef STORE_URL_H
#define STORE_URL_H

#include "status.h"

typedef struct store_url {
    int postgres;         /* otherwise SQLite */
    const char *location; /* in the url given: the file, or the whole url */
    char *shown;          /* without passwords; the caller's */
} store_url;

/* LOCBO_ERR_ARGUMENT, which never repeats a password, if it is no url of ours. */
locbo_status store_url_read(store_url *parts, const char *url, locbo_error *error);

#endif
