/* complain.c - what went wrong, in one line on standard error. Layer: system. */
#include "complain.h"

#include <stdarg.h>
#include <stdio.h>

#include "text.h"

int complain(const char *name, int code, const char *format, ...) {
    char message[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    text_clean(message);
    fprintf(stderr, "locbo%s%s: %s\n", name ? " " : "", name ? name : "", message);
    return code;
}
