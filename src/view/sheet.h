/* sheet.h - JSON put together piece by piece. A lack of memory is gathered as a flag: `bad |= sheet_put(...)`, and
 * sheet_finish at the end. */
#ifndef SHEET_H
#define SHEET_H

#include <jansson.h>
#include <stdint.h>

#include "status.h"

/* Not 0: there was no memory for the value, the object or the place. The value is the object's from now on. */
int sheet_put(json_t *object, const char *key, json_t *value);
json_t *sheet_count(uint64_t count);
/* The object, or NULL if something is missing. */
json_t *sheet_finish(json_t *object, int bad);
/* The same for an answer. */
locbo_status sheet_answer(json_t *object, int bad, json_t **answer, locbo_error *error);

/* Columns: lists of equal length, one element per row. A cell may be made of anything. */
typedef json_t *sheet_cell_fn(const void *source, size_t row);
typedef struct sheet_column {
    const char *name; /* NULL: the list of columns ends */
    sheet_cell_fn *cell;
} sheet_column;

/* The cells of the rows `chosen` (NULL: 0, 1, 2 ...), `count` of them. */
json_t *sheet_list(sheet_cell_fn *cell, const void *source, size_t count, const size_t *chosen);
json_t *sheet_columns(const sheet_column *columns, const void *source, size_t count, const size_t *chosen);

#endif
