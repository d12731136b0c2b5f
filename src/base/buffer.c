/* buffer.c - a text that grows. Layer: base. */
#include "buffer.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "mem.h"

static int make_room(buffer *b, size_t size) {
    if (size > SIZE_MAX - b->size || !mem_reserve(&b->data, &b->capacity, b->size + size, 1)) b->failed = 1;
    return !b->failed;
}

void buffer_add(buffer *b, const char *data, size_t size) {
    if (size == 0 || !make_room(b, size)) return;
    memcpy(b->data + b->size, data, size);
    b->size += size;
}

void buffer_text(buffer *b, const char *text) { buffer_add(b, text, strlen(text)); }

void buffer_char(buffer *b, char c, size_t times) {
    if (times == 0 || !make_room(b, times)) return;
    memset(b->data + b->size, c, times);
    b->size += times;
}

void buffer_print(buffer *b, const char *format, ...) {
    char text[BUFFER_PRINT];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    buffer_text(b, text);
}
