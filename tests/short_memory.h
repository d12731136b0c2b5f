/* short_memory.h - memory that can fail, for one test program: calloc and realloc, wrapped by the linker. */
#ifndef SHORT_MEMORY_H
#define SHORT_MEMORY_H

#include <stddef.h>

static long allowed = -1; /* allocations until one fails; negative: none does */

static int may_allocate(void) { return allowed < 0 || allowed-- > 0; }

void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *memory, size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *memory, size_t size);

void *__wrap_calloc(size_t count, size_t size) { return may_allocate() ? __real_calloc(count, size) : NULL; }
void *__wrap_realloc(void *memory, size_t size) { return may_allocate() ? __real_realloc(memory, size) : NULL; }

#endif
