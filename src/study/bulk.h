/* bulk.h - many rows by few INSERT statements: a round trip to a server takes longer than an insertion, and a statement
 * with thousands of parameters takes long to read. So a server gets a list for each column. */
#ifndef BULK_H
#define BULK_H

#include "store.h"

/* Rows that are inserted when there are enough of them. Texts of the values must live until bulk_end, or BULK_ROWS rows
 * later. */
typedef struct bulk {
    locbo_store *store;
    const char *into; /* "locbo_x (study, a, b)" */
    const char
        *row; /* "$1, ?i, coalesce(?r, {now})": each ?i (integer), ?r (real), ?t (text) is the row's next value */
    const char *tail;       /* what stands behind the rows: "", or " ON CONFLICT ..." */
    size_t shared;          /* values $1, $2 ... that all rows have */
    size_t width;           /* values of a row */
    size_t count, capacity; /* values so far, the shared ones among them; memory for them */
    store_value *values;
} bulk;

enum { BULK_ROWS = 1000 }; /* at most, in one statement */

/* Inside a transaction: begin, add rows, and end in any case. */
void bulk_begin(bulk *b, locbo_store *store, const char *into, const char *row, size_t shared,
                const store_value *values);
/* `width` values, as many as `row` has. */
locbo_status bulk_add(bulk *b, size_t width, const store_value *values, locbo_error *error);
/* Insert what is left, if all went well so far (`status`), and release the memory. Returns `status`, or why it failed.
 */
locbo_status bulk_end(bulk *b, locbo_status status, locbo_error *error);

#endif
