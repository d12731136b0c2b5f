/* status.c - the caller-owned error. Layer: base. */
#include "status.h"

#include <stdarg.h>
#include <stdio.h>

locbo_status status_fail(locbo_error *error, locbo_status code, const char *format, ...) {
    if (!error) return code;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    for (char *c = error->message; *c; c++)
        if ((unsigned char)*c < 0x20 || *c == 0x7f) *c = '?';
    error->status = code;
    return code;
}

locbo_status status_no_memory(locbo_error *error) { return status_fail(error, LOCBO_ERR_MEMORY, "out of memory"); }

locbo_status status_ok(locbo_error *error) {
    if (error) {
        error->status = LOCBO_OK;
        error->message[0] = '\0';
    }
    return LOCBO_OK;
}
