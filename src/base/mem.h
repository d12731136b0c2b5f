/* mem.h - the allocations of every layer. */
#ifndef MEM_H
#define MEM_H

#include <stddef.h>

/* `count` zeroed items of `size` bytes; NULL if there is no memory or the product overflows.
 * A count of 0 gives a valid pointer. */
void *mem_new(size_t count, size_t size);

/* One of several arrays that grow together: the address of the pointer to it, and the size of an item. */
typedef struct mem_array {
    void *address;
    size_t size;
} mem_array;

/* Make `count` arrays with one common capacity hold at least `need` items each: the capacity doubles, contents are
 * kept, new items are zero. Returns 0 if there is no memory; the contents and the capacity are then unchanged. */
int mem_reserve_all(size_t count, const mem_array *arrays, size_t *capacity, size_t need);
/* The same for one array; `address` is that of the pointer to it. */
int mem_reserve(void *address, size_t *capacity, size_t need, size_t size);

/* A copy of a text, NULL if there is no memory. */
char *mem_text(const char *text);

/* Like free. */
void mem_free(void *memory);

#endif
