/* message.c - a message of one line on standard error. Layer: system. */
#include "message.h"

#include <stdarg.h>
#include <stdio.h>

#include "text.h"

int message_print(const char *name, int code, const char *format, ...) {
    char message[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    text_clean(message);
    fprintf(stderr, "locbo%s%s: %s\n", name ? " " : "", name ? name : "", message);
    return code;
}
