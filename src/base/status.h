/* status.h - how functions report failure. */
#ifndef STATUS_H
#define STATUS_H

#include <locbo/locbo.h>

/* Record a failure and return its code: `return status_fail(error, LOCBO_ERR_ARGUMENT, "...", x);`
 * `error` may be NULL. Control characters in the message and bytes that are not UTF-8 become '?': it is one line of
 * text. */
locbo_status status_fail(locbo_error *error, locbo_status code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The failure every allocation has. */
locbo_status status_no_memory(locbo_error *error);

/* Clear `error` and return LOCBO_OK. */
locbo_status status_ok(locbo_error *error);

#endif
