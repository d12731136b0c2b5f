/* bulk.h - many rows by few INSERT statements: a round trip to a server takes longer than an insertion. */
#ifndef BULK_H
#define BULK_H

#include "store.h"

/* Rows that are inserted when there are enough of them. Texts of the values must live until bulk_end. */
typedef struct bulk {
    locbo_store *store;
    const char *head; /* "INSERT INTO locbo_x (study, a, b) VALUES" */
    const char *row;  /* "($1, ?, coalesce(?, {now}))": each ? is the next value of the row */
    size_t shared;    /* values $1, $2 ... that all rows have */
    size_t count;     /* of values so far */
    store_value values[STORE_PARAMETERS];
} bulk;

/* Inside a transaction. */
void bulk_begin(bulk *b, locbo_store *store, const char *head, const char *row, size_t shared,
                const store_value *values);
locbo_status bulk_add(bulk *b, size_t width, const store_value *values, locbo_error *error);
locbo_status bulk_end(bulk *b, locbo_error *error);

#endif
