/* output.h - data on standard output: the same rows as a table for people, JSON or CSV for programs. */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <jansson.h>
#include <stddef.h>

typedef enum output_format { OUTPUT_TABLE, OUTPUT_JSON, OUTPUT_CSV } output_format;

/* "table", "json", "csv"; returns 0 if it is none of them. */
int output_format_parse(const char *text, output_format *format);

typedef struct output output;

/* Rows of named columns. JSON: a list of objects (or, `single`, one object). Table: aligned columns, numbers to the
 * right, doubles with 6 digits, texts with control characters escaped as in C (\n, \t, \x1b, \u202e); `single`: one
 * "name value" line per column. CSV (RFC 4180, but lines end in LF alone): a header line, full precision, quotes where
 * needed; nested values as compact JSON. */
/* For all CSV from now on: a text (not a number) that begins with = + - @, a tab or CR gets ' before it, so that no
 * spreadsheet program takes it for a formula. What is read back then differs. */
void output_for_spreadsheet(int on);
output *output_open(output_format format, int single);
/* A row: a JSON object whose keys are the columns, in order; takes the reference. Columns are those of the first row,
 * and of `columns` if given before (for an empty table or CSV still with a header). Keys starting with '.' appear in
 * JSON only (without the dot); keys starting with '-' in tables and CSV only. null is an empty cell. An object value
 * {"a":1,"b":2} under key "params" becomes the columns a and b in table and CSV ("params.a" if there is another column
 * a), and so does one under key "outputs" ("outputs.a" if there is another column or a parameter a). Keys that only
 * later rows have are columns at the end. */
void output_columns(output *o, size_t count, const char *const *names);
/* Texts of a table are not cut, however wide they are. */
void output_in_full(output *o);
int output_row(output *o, json_t *row); /* 0: no memory */
/* Print it all and release. Returns 0 if standard output could not be written (the message is on stderr, but
 * none if the reader has gone, as in `| head`). */
int output_close(output *o);
/* The same into a file, which stays as it is if that fails (file_write). */
int output_save(output *o, const char *path);

#endif
