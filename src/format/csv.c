/* csv.c - comma-separated values, split inside their own memory. Layer: format. Cost: linear in the bytes. */
#include "csv.h"

#include <string.h>

#include "mem.h"
#include "value.h"

enum { MOST_COLUMNS = 10000 };

typedef struct reader {
    const char *file;
    char *at, *end;
    size_t line;  /* of `at` */
    size_t start; /* line of the present row */
    int quoted;   /* the last cell was */
    csv *table;
    size_t cells, cell_capacity, row_capacity;
} reader;

static locbo_status bad(const reader *r, size_t line, const char *what, locbo_error *error) {
    return status_fail(error, LOCBO_ERR_IO, "%.100s:%zu: %s", r->file, line, what);
}

static int ends_cell(const reader *r, const char *at) {
    return at == r->end || *at == ',' || *at == '\n' || *at == '\r';
}

/* Behind the opening quote; `cell` ends up terminated. */
static locbo_status read_quoted(reader *r, char **cell, locbo_error *error) {
    size_t line = r->line;
    char *to = ++r->at;
    *cell = to;
    for (;; *to++ = *r->at++) {
        if (r->at == r->end) return bad(r, line, "a quote that is not closed", error);
        if (*r->at == '\n') r->line++;
        if (*r->at != '"') continue;
        r->at++;
        if (r->at == r->end || *r->at != '"') break;
    }
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t')) r->at++;
    if (!ends_cell(r, r->at)) return bad(r, r->line, "text after a closing quote", error);
    *to = '\0'; /* at the latest where the closing quote was */
    r->quoted = 1;
    return LOCBO_OK;
}

/* The end is not terminated yet: the separator is still to be read. */
static void read_plain(reader *r, char **cell, char **last) {
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t')) r->at++;
    *cell = r->at;
    while (!ends_cell(r, r->at)) r->at++;
    *last = r->at;
    while (*last > *cell && ((*last)[-1] == ' ' || (*last)[-1] == '\t')) --*last;
    r->quoted = 0;
}

/* One cell and what ends it; `more` says whether another follows in this row. */
static locbo_status read_cell(reader *r, char **cell, int *more, locbo_error *error) {
    char *last = NULL, *first = r->at;
    while (first < r->end && (*first == ' ' || *first == '\t')) first++;
    if (first < r->end && *first == '"') {
        r->at = first;
        locbo_status status = read_quoted(r, cell, error);
        if (status != LOCBO_OK) return status;
    } else {
        read_plain(r, cell, &last);
    }
    char separator = r->at < r->end ? *r->at++ : '\n';
    if (separator == '\r' && r->at < r->end && *r->at == '\n') r->at++;
    *more = separator == ',';
    if (!*more) r->line++;
    if (last) *last = '\0';
    return LOCBO_OK;
}

static locbo_status read_row(reader *r, size_t *count, locbo_error *error) {
    int more = 1;
    *count = 0;
    r->start = r->line;
    while (more) {
        char *cell;
        locbo_status status = read_cell(r, &cell, &more, error);
        if (status != LOCBO_OK) return status;
        if (!mem_reserve(&r->table->cell, &r->cell_capacity, r->cells + 1, sizeof(char *)))
            return status_no_memory(error);
        r->table->cell[r->cells++] = cell;
        ++*count;
    }
    return LOCBO_OK;
}

static locbo_status keep_row(reader *r, size_t count, locbo_error *error) {
    csv *t = r->table;
    if (t->columns == 0) {
        t->columns = count;
        return LOCBO_OK;
    }
    if (count != t->columns)
        return status_fail(error, LOCBO_ERR_IO, "%.100s:%zu: %s under %s", r->file, r->start,
                           value_count(count, "cell").text, value_count(t->columns, "column").text);
    if (!mem_reserve(&t->line, &r->row_capacity, t->rows + 1, sizeof *t->line)) return status_no_memory(error);
    t->line[t->rows++] = r->start;
    return LOCBO_OK;
}

static locbo_status check_header(const reader *r, locbo_error *error) {
    const csv *t = r->table;
    size_t other;
    if (t->columns == 0) return bad(r, 1, "empty, not even a header", error);
    if (t->columns > MOST_COLUMNS) return bad(r, 1, "more than 10000 columns", error);
    for (size_t i = 0; i < t->columns; i++) {
        if (i > 0 && !csv_name(t, i)[0])
            return status_fail(error, LOCBO_ERR_IO, "%.100s: column %zu has no name", r->file, i + 1);
        if (csv_find(t, csv_name(t, i), &other) && other != i)
            return status_fail(error, LOCBO_ERR_IO, "%.100s: the column '%.60s' occurs twice", r->file, csv_name(t, i));
    }
    return LOCBO_OK;
}

locbo_status csv_parse(const char *file, char *text, size_t size, csv *table, locbo_error *error) {
    reader r = {.file = file, .at = text, .end = text + size, .line = 1, .table = table};
    locbo_status status = LOCBO_OK;
    *table = (csv){0};
    if (memchr(text, '\0', size))
        status = status_fail(error, LOCBO_ERR_IO, "%.100s: it holds a NUL byte and so is not text", file);
    if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) r.at += 3;
    while (status == LOCBO_OK && r.at < r.end) {
        size_t count;
        status = read_row(&r, &count, error);
        if (status != LOCBO_OK) break;
        if (count == 1 && !r.quoted && !table->cell[r.cells - 1][0])
            r.cells--; /* an empty line */
        else
            status = keep_row(&r, count, error);
    }
    if (status == LOCBO_OK) status = check_header(&r, error);
    if (status == LOCBO_OK) return status_ok(error);
    csv_release(table);
    return status;
}

const char *csv_name(const csv *t, size_t column) { return t->cell[column]; }

const char *csv_cell(const csv *t, size_t row, size_t column) { return t->cell[(row + 1) * t->columns + column]; }

int csv_find(const csv *t, const char *name, size_t *column) {
    for (size_t i = 0; i < t->columns; i++)
        if (strcmp(csv_name(t, i), name) == 0) return (*column = i, 1);
    return 0;
}

void csv_release(csv *table) {
    mem_free(table->cell);
    mem_free(table->line);
    *table = (csv){0};
}
