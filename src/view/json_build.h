/* json_build.h - JSON objects and lists built step by step. A lack of memory is collected in a flag,
 * `bad |= build_put(...)`, and build_finish at the end returns NULL if it is set. */
#ifndef JSON_BUILD_H
#define JSON_BUILD_H

#include <jansson.h>
#include <stdint.h>

#include "status.h"

/* Not 0: value or object is NULL, or there is no memory. Takes ownership of the value. */
int build_put(json_t *object, const char *key, json_t *value);
json_t *build_count(uint64_t count);
/* The object, or NULL after a failure. */
json_t *build_finish(json_t *object, int bad);
/* The same, as the result of a view. */
locbo_status build_answer(json_t *object, int bad, json_t **answer, locbo_error *error);

/* Columns: lists of equal length, one element per row. `cell` makes the element of a row. */
typedef json_t *build_cell_fn(const void *source, size_t row);
typedef struct build_column {
    const char *name; /* NULL: the list of columns ends */
    build_cell_fn *cell;
} build_column;

/* The cells of the rows `chosen` (NULL: 0, 1, 2 ...), `count` of them. */
json_t *build_list(build_cell_fn *cell, const void *source, size_t count, const size_t *chosen);
json_t *build_columns(const build_column *columns, const void *source, size_t count, const size_t *chosen);

#endif
