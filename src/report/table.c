/* table.c - cells kept until the widths are known. Layer: report. */
#include "table.h"

#include <stdarg.h>
#include <string.h>

#include "mem.h"

enum { CELL = 128 };

struct table {
    size_t columns, cells, room;
    char **cell; /* the titles first */
};

static locbo_status keep(table *t, const char *text, locbo_error *error) {
    if (!mem_reserve(&t->cell, &t->room, t->cells + 1, sizeof *t->cell)) return status_no_memory(error);
    t->cell[t->cells] = mem_text(text);
    if (!t->cell[t->cells]) return status_no_memory(error);
    t->cells++;
    return LOCBO_OK;
}

locbo_status table_create(table **made, size_t columns, const char *const *titles, locbo_error *error) {
    table *t = mem_new(1, sizeof *t);
    if (!t) return status_no_memory(error);
    t->columns = columns;
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < columns && status == LOCBO_OK; i++) status = keep(t, titles[i], error);
    if (status == LOCBO_OK)
        *made = t;
    else
        table_destroy(t);
    return status;
}

locbo_status table_add(table *t, locbo_error *error, const char *format, ...) {
    char text[CELL];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return keep(t, text, error);
}

static int is_left(const table *t, size_t column) { return t->cell[column][0] == '<'; }

/* The text of a cell; a title without its '<'. */
static const char *shown(const table *t, size_t i) { return t->cell[i] + (i < t->columns && is_left(t, i)); }

static size_t width_of(const table *t, size_t column) {
    size_t width = 0;
    for (size_t i = column; i < t->cells; i += t->columns)
        if (strlen(shown(t, i)) > width) width = strlen(shown(t, i));
    return width;
}

static int print_cell(const table *t, size_t i, FILE *to) {
    size_t column = i % t->columns;
    int last = column + 1 == t->columns, width = (int)width_of(t, column);
    if (is_left(t, column) && last) width = 0; /* no blanks at the end of a line */
    const char *end = last ? "\n" : "  ";
    return fprintf(to, is_left(t, column) ? "%-*s%s" : "%*s%s", width, shown(t, i), end) >= 0;
}

locbo_status table_print(const table *t, FILE *to, locbo_error *error) {
    for (size_t i = 0; i < t->cells - t->cells % t->columns; i++)
        if (!print_cell(t, i, to)) return status_fail(error, LOCBO_ERR_IO, "the table could not be written");
    return LOCBO_OK;
}

void table_destroy(table *t) {
    if (!t) return;
    for (size_t i = 0; i < t->cells; i++) mem_free(t->cell[i]);
    mem_free(t->cell);
    mem_free(t);
}
