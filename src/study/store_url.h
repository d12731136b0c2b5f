/* store_url.h - the parts of a database's url. */
#ifndef STORE_URL_H
#define STORE_URL_H

#include "status.h"

typedef struct store_url {
    int postgres;         /* otherwise SQLite */
    const char *location; /* points into the url: the file, or the whole url */
    char *shown;          /* the url without passwords; released by the caller */
} store_url;

/* LOCBO_ERR_ARGUMENT if it is not a url of a database; the message never contains a password. */
locbo_status store_url_read(store_url *parts, const char *url, locbo_error *error);

#endif
