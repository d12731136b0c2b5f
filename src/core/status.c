/* status.c - status codes, their texts, and the caller-owned error. Layer: core, bottom. */
#include "status.h"

#include <stdarg.h>
#include <stdio.h>

const char *locbo_status_text(locbo_status status) {
    switch (status) {
#define LOCBO_STATUS_TEXT(name, value, text)                                                       \
    case name:                                                                                     \
        return text;
        LOCBO_STATUS_LIST(LOCBO_STATUS_TEXT)
#undef LOCBO_STATUS_TEXT
    }
    return "unknown status";
}

const char *locbo_version(void) {
#define TEXT_OF(x) #x
#define VERSION_TEXT(a, b, c) TEXT_OF(a) "." TEXT_OF(b) "." TEXT_OF(c)
    return VERSION_TEXT(LOCBO_VERSION_MAJOR, LOCBO_VERSION_MINOR, LOCBO_VERSION_PATCH);
}

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

locbo_status status_no_memory(locbo_error *error) {
    return status_fail(error, LOCBO_ERR_MEMORY, "out of memory");
}

locbo_status status_ok(locbo_error *error) {
    if (error) {
        error->status = LOCBO_OK;
        error->message[0] = '\0';
    }
    return LOCBO_OK;
}
