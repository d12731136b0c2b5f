/* query.h - the keys and values of a request, already decoded. */
#ifndef QUERY_H
#define QUERY_H

#include <stddef.h>
#include <stdint.h>

#include "status.h"

typedef struct query_item {
    const char *key, *value;
} query_item;

typedef struct query {
    size_t count;
    const query_item *items;
} query;

/* The value of a key, NULL if it is not given; the last one of several. */
const char *query_get(const query *q, const char *key);
/* A whole number from low to high, `fallback` if the key is not given; errors name key, value and range. */
locbo_status query_count(const query *q, const char *key, uint64_t low, uint64_t high, uint64_t fallback,
                         uint64_t *count, locbo_error *error);
/* A finite number, `fallback` (may be NAN) if the key is not given. */
locbo_status query_real(const query *q, const char *key, double fallback, double *value, locbo_error *error);
/* One of `words` (NULL-terminated): its index; `fallback` if the key is not given. */
locbo_status query_word(const query *q, const char *key, const char *const *words, size_t fallback, size_t *index,
                        locbo_error *error);
/* LOCBO_ERR_ARGUMENT names the first key that is not among `keys` (NULL-terminated). */
locbo_status query_check(const query *q, const char *const *keys, locbo_error *error);

#endif
