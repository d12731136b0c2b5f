/* mem.c - overflow-checked allocation. Layer: core, bottom. */
#include "mem.h"

#include <locbo/locbo.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

void *mem_new(size_t count, size_t size) {
    if (count == 0 || size == 0) count = size = 1;
    return calloc(count, size);
}

int mem_reserve(void **array, size_t *capacity, size_t need, size_t size) {
    if (need <= *capacity) return 1;
    size_t grown = *capacity > SIZE_MAX / 2 ? need : *capacity * 2;
    if (grown < need) grown = need;
    if (grown < 8) grown = 8;
    if (grown > SIZE_MAX / size) return 0;
    char *bytes = realloc(*array, grown * size);
    if (!bytes) return 0;
    memset(bytes + *capacity * size, 0, (grown - *capacity) * size);
    *array = bytes;
    *capacity = grown;
    return 1;
}

char *mem_text(const char *text) {
    size_t size = strlen(text) + 1;
    char *copy = mem_new(size, 1);
    if (copy) memcpy(copy, text, size);
    return copy;
}

void mem_free(void *memory) { free(memory); }

void locbo_free(void *memory) { free(memory); }
