/* assets.h - the files of the page, made from web/ and embedded in the program. */
#ifndef ASSETS_H
#define ASSETS_H

#include <stddef.h>

typedef struct asset {
    const char *path; /* "/", "/app.js", "/app.css", "/icon.svg"; "report" for the report's page, which is not served */
    const char *type; /* "text/html; charset=utf-8" */
    const char *etag; /* changes with the bytes; with the quotes of the header */
    const unsigned char *bytes;
    size_t size;
} asset;

/* NULL: there is none. */
const asset *asset_find(const char *path);

#endif
