/* status.c - the caller-owned error. Layer: base. */
#include "status.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>

#include "text.h"

/* Messages quote data from outside, and may cut it inside a character: each byte that is part of none becomes '?', and
 * so do control characters. */
static void make_line(char *text) {
    while (*text) {
        size_t step = text_character(text, SIZE_MAX);
        if (step == 0 || (unsigned char)*text < 0x20 || *text == 0x7f) {
            *text = '?';
            step = 1;
        }
        text += step;
    }
}

locbo_status status_fail(locbo_error *error, locbo_status code, const char *format, ...) {
    if (!error) return code;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->message, sizeof error->message, format, arguments);
    va_end(arguments);
    make_line(error->message);
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
