/* mem.c - overflow-checked allocation. Layer: base. */
#include "mem.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *mem_new(size_t count, size_t size) {
    if (count == 0 || size == 0) count = size = 1;
    return calloc(count, size);
}

/* A pointer of any type is read and written by its bytes, so no type is punned. */
static int grow(const mem_array *a, size_t from, size_t to) {
    void *old;
    memcpy(&old, a->address, sizeof old);
    if (a->size != 0 && to > SIZE_MAX / a->size) return 0;
    char *bytes = realloc(old, to * a->size);
    if (!bytes) return 0;
    memset(bytes + from * a->size, 0, (to - from) * a->size);
    memcpy(a->address, &bytes, sizeof bytes);
    return 1;
}

int mem_reserve_all(size_t count, const mem_array *arrays, size_t *capacity, size_t need) {
    if (need <= *capacity) return 1;
    size_t grown = *capacity > SIZE_MAX / 2 ? need : *capacity * 2;
    if (grown < need) grown = need;
    if (grown < 8) grown = 8;
    for (size_t i = 0; i < count; i++)
        if (!grow(&arrays[i], *capacity, grown)) return 0;
    *capacity = grown;
    return 1;
}

int mem_reserve(void *address, size_t *capacity, size_t need, size_t size) {
    return mem_reserve_all(1, &(mem_array){address, size}, capacity, need);
}

char *mem_text(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = mem_new(size, 1);
    if (copy) memcpy(copy, text, size);
    return copy;
}

void mem_free(void *memory) { free(memory); }
