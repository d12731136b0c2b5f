/* mem.h - the only allocations of the core. */
#ifndef MEM_H
#define MEM_H

#include <stddef.h>

/* `count` zeroed items of `size` bytes; NULL if there is no memory or the product overflows.
 * A count of 0 gives a valid pointer. */
void *mem_new(size_t count, size_t size);

/* Make *array hold at least `need` items of `size` bytes: *capacity doubles, contents are kept, new
 * items are zero. Returns 0 and changes nothing if there is no memory. */
int mem_reserve(void **array, size_t *capacity, size_t need, size_t size);

/* A copy of a text, NULL if there is no memory. */
char *mem_text(const char *text);

/* Like free. */
void mem_free(void *memory);

#endif
