/* bulk.c - many rows by few INSERT statements. Layer: study. */
#include "bulk.h"

#include <string.h>

#include "buffer.h"
#include "mem.h"

void bulk_begin(bulk *b, locbo_store *store, const char *head, const char *row, size_t shared,
                const store_value *values) {
    b->store = store;
    b->head = head;
    b->row = row;
    b->shared = b->count = shared;
    memcpy(b->values, values, shared * sizeof *values);
}

/* The statement for all rows. */
static char *write_sql(const bulk *b) {
    buffer sql = {0};
    size_t next = b->shared;
    buffer_text(&sql, b->head);
    while (next < b->count) {
        buffer_text(&sql, next > b->shared ? ", " : " ");
        for (const char *c = b->row; *c; c++)
            if (*c == '?')
                buffer_print(&sql, "$%zu", ++next);
            else
                buffer_char(&sql, *c, 1);
    }
    buffer_char(&sql, '\0', 1);
    if (!sql.failed) return sql.data;
    mem_free(sql.data);
    return NULL;
}

locbo_status bulk_end(bulk *b, locbo_error *error) {
    if (b->count == b->shared) return LOCBO_OK;
    char *sql = write_sql(b);
    if (!sql) return status_no_memory(error);
    locbo_status status = store_query(b->store, sql, b->count, b->values, NULL, NULL, NULL, error);
    mem_free(sql);
    b->count = b->shared;
    return status;
}

locbo_status bulk_add(bulk *b, size_t width, const store_value *values, locbo_error *error) {
    locbo_status status = b->count + width > STORE_PARAMETERS ? bulk_end(b, error) : LOCBO_OK;
    if (status != LOCBO_OK) return status;
    memcpy(b->values + b->count, values, width * sizeof *values);
    b->count += width;
    return LOCBO_OK;
}
