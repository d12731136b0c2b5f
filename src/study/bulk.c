/* bulk.c - many rows by few INSERT statements. Layer: study. Cost: O(rows). */
#include "bulk.h"

#include <string.h>

#include "buffer.h"
#include "mem.h"

enum { MANY = 16 }; /* rows from which on a list for each column is faster than a parameter for each value */

void bulk_begin(bulk *b, locbo_store *store, const char *into, const char *row, size_t shared,
                const store_value *values) {
    *b = (bulk){.store = store, .into = into, .row = row, .tail = "", .shared = shared};
    for (const char *c = row; *c; c++) b->width += *c == '?';
    if (mem_reserve(&b->values, &b->capacity, shared + b->width, sizeof *b->values)) {
        memcpy(b->values, values, shared * sizeof *values);
        b->count = shared;
    }
}

/* A row: "$1, $7, coalesce($8, {now})", its values from number `next` on; or with lists "$1, c1, coalesce(c2, {now})".
 */
static void write_row(const bulk *b, buffer *sql, const char *value, size_t next) {
    for (const char *c = b->row; *c; c++)
        if (*c == '?')
            buffer_print(sql, "%s%zu", value, next++), c++;
        else
            buffer_char(sql, *c, 1);
}

static void write_values(const bulk *b, buffer *sql) {
    for (size_t next = b->shared; next < b->count; next += b->width) {
        buffer_text(sql, next > b->shared ? ", (" : " VALUES (");
        write_row(b, sql, "$", next + 1);
        buffer_char(sql, ')', 1);
    }
}

/* " SELECT $1, c1, c2 FROM unnest($2::bigint[], $3::text[]) AS row (c1, c2)" */
static void write_lists(const bulk *b, buffer *sql) {
    size_t i = 0;
    buffer_text(sql, " SELECT ");
    write_row(b, sql, "c", 1);
    for (const char *c = b->row; *c; c++)
        if (*c == '?') {
            const char *type = c[1] == 'i' ? "bigint" : c[1] == 'r' ? "double precision" : "text";
            buffer_print(sql, "%s$%zu::%s[]", i ? ", " : " FROM unnest(", b->shared + i + 1, type);
            i++;
        }
    for (i = 0; i < b->width; i++) buffer_print(sql, "%sc%zu", i ? ", " : ") AS rows (", i + 1);
    buffer_char(sql, ')', 1);
}

/* The columns of the rows so far, as lists after the shared values. */
static size_t make_lists(const bulk *b, store_value *parameters) {
    size_t i = 0, rows = (b->count - b->shared) / b->width;
    memcpy(parameters, b->values, b->shared * sizeof *parameters);
    for (const char *c = b->row; *c; c++)
        if (*c == '?') {
            store_kind kind = c[1] == 'i' ? STORE_INT : c[1] == 'r' ? STORE_REAL : STORE_TEXT;
            parameters[b->shared + i] = store_list_of(kind, rows, b->values + b->shared + i, b->width);
            i++;
        }
    return b->shared + b->width;
}

static locbo_status insert(bulk *b, locbo_error *error) {
    store_value lists[STORE_PARAMETERS];
    buffer sql = {0};
    int many = store_has_lists(b->store) && b->count - b->shared >= MANY * b->width;
    if (b->count == b->shared) return LOCBO_OK;
    buffer_print(&sql, "INSERT INTO ");
    buffer_text(&sql, b->into);
    if (many)
        write_lists(b, &sql);
    else
        write_values(b, &sql);
    buffer_add(&sql, b->tail, strlen(b->tail) + 1);
    size_t count = many ? make_lists(b, lists) : b->count;
    locbo_status status =
        sql.failed ? status_no_memory(error)
                   : store_query(b->store, sql.data, count, many ? lists : b->values, NULL, NULL, NULL, error);
    mem_free(sql.data);
    b->count = b->shared;
    return status;
}

locbo_status bulk_add(bulk *b, size_t width, const store_value *values, locbo_error *error) {
    size_t most = store_has_lists(b->store) ? b->shared + BULK_ROWS * b->width : STORE_PARAMETERS;
    if (!b->values || width != b->width) return status_no_memory(error);
    locbo_status status = b->count + width > most ? insert(b, error) : LOCBO_OK;
    if (status != LOCBO_OK) return status;
    if (!mem_reserve(&b->values, &b->capacity, b->count + width, sizeof *b->values)) return status_no_memory(error);
    memcpy(b->values + b->count, values, width * sizeof *values);
    b->count += width;
    return LOCBO_OK;
}

locbo_status bulk_end(bulk *b, locbo_status status, locbo_error *error) {
    if (status == LOCBO_OK) status = insert(b, error);
    mem_free(b->values);
    b->values = NULL;
    return status;
}
