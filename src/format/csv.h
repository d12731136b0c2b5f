/* csv.h - comma-separated values as in RFC 4180: a header, quoted cells with commas, line ends and "" inside, LF or
 * CRLF, a byte order mark. Blanks around a cell without quotes do not count; empty lines are skipped. */
#ifndef CSV_H
#define CSV_H

#include "status.h"

typedef struct csv {
    size_t columns, rows; /* the header is not a row */
    char **cell;          /* the header first, then row by row; texts inside the given one */
    size_t *line;         /* where each row begins, from 1 */
} csv;

/* Splits `text` (`size` bytes and a terminator) inside its own memory: it must live as long as the table. `file` is for
 * messages, which are "FILE:LINE: what": LOCBO_ERR_IO for anything that is wrong with the text. */
locbo_status csv_parse(const char *file, char *text, size_t size, csv *table, locbo_error *error);
const char *csv_name(const csv *table, size_t column);
const char *csv_cell(const csv *table, size_t row, size_t column);
/* The column of that name; returns 0 if there is none. */
int csv_find(const csv *table, const char *name, size_t *column);
void csv_release(csv *table);

#endif
