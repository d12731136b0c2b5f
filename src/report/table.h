/* table.h - aligned columns of text. */
#ifndef TABLE_H
#define TABLE_H

#include <stdio.h>

#include "status.h"

typedef struct table table;

/* `titles` has one text for each column; '<' at its beginning, which is not printed, aligns the column to the left. */
locbo_status table_create(table **made, size_t columns, const char *const *titles, locbo_error *error);
/* The next cell, row by row; the text is copied. */
locbo_status table_add(table *t, locbo_error *error, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Two blanks between columns, the titles above; an incomplete last row is not printed. */
locbo_status table_print(const table *t, FILE *to, locbo_error *error);
void table_destroy(table *t);

#endif
