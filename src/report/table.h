/* table.h - aligned columns of text. */
#ifndef TABLE_H
#define TABLE_H

#include <stdio.h>

#include "status.h"

typedef struct table table;

/* `titles` has one text a column; a title that starts with '<' is of a column aligned to the left (without the sign).
 */
locbo_status table_create(table **made, size_t columns, const char *const *titles, locbo_error *error);
/* The next cell, row by row; the text is copied. */
locbo_status table_add(table *t, locbo_error *error, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Two blanks between columns, the titles above; an incomplete last row is left out. Returns 0 if it cannot be written.
 */
int table_print(const table *t, FILE *to);
void table_destroy(table *t);

#endif
