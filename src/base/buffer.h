/* buffer.h - a text that grows. A lack of memory is remembered, so that one check at the end is enough. */
#ifndef BUFFER_H
#define BUFFER_H

#include <stddef.h>

enum { BUFFER_PRINT = 256 };

typedef struct buffer {
    char *data; /* not terminated; free with mem_free */
    size_t size, capacity;
    int failed; /* something did not fit; what came later was dropped */
} buffer;

void buffer_add(buffer *b, const char *data, size_t size);
void buffer_text(buffer *b, const char *text);
void buffer_char(buffer *b, char c, size_t times);
/* As printf does, but no more than BUFFER_PRINT - 1 bytes. */
void buffer_print(buffer *b, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
