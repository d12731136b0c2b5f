/* sized.c - structs that may be shorter than ours. Layer: base. */
#include "sized.h"

#include <string.h>

static size_t size_of(const void *given) {
    size_t size;
    memcpy(&size, given, sizeof size); /* the first field */
    return size;
}

locbo_status sized_check(const char *what, const void *given, size_t size, locbo_error *error) {
    size_t has = size_of(given);
    if (has >= sizeof has && has <= size && has % sizeof has == 0) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_ARGUMENT,
                       "%s: struct_size is %zu, this library knows %zu: initialise the struct, or link a later library",
                       what, has, size);
}

/* All but the first field. */
static void copy(void *to, const void *from, size_t size) {
    memcpy((char *)to + sizeof size, (const char *)from + sizeof size, size - sizeof size);
}

locbo_status sized_take(const char *what, void *ours, size_t size, const void *given, locbo_error *error) {
    if (!given) return LOCBO_OK;
    locbo_status status = sized_check(what, given, size, error);
    if (status == LOCBO_OK) copy(ours, given, size_of(given));
    return status;
}

locbo_status sized_give(const char *what, const void *ours, size_t size, void *to, locbo_error *error) {
    locbo_status status = sized_check(what, to, size, error);
    if (status == LOCBO_OK) copy(to, ours, size_of(to));
    return status;
}
