/* point_table.h - points and results from files, CSV or JSON: for import and predict. */
#ifndef POINT_TABLE_H
#define POINT_TABLE_H

#include "status.h"

typedef struct point_table {
    size_t count, capacity;
    double *x;                       /* count rows of dim */
    locbo_measurement *measurements; /* count rows of one for each output, of one without a table; value NAN: lacking */
    uint64_t *sequence;              /* the order told; 0: not known */
    size_t left_out;                 /* trials of an export without a result */
} point_table;

enum { POINT_TABLE_BYTES = 1 << 30 }; /* a longer file is a mistake */

/* From the text of a CSV file (with a terminator; split inside its own memory). Columns are the parameters by name,
 * "params.NAME" where a name is also one of ours; the cell of a parameter that is not active is empty. `measured`: also
 * what was measured, at least one value in each row: value, sd, n, or with a table of outputs NAME, NAME.sd, NAME.n of
 * each, "outputs.NAME" where a name is not only an output's; and trial, state, feasible, which export and trials write.
 * Rows without a value whose state is not COMPLETE are left out. Derived outputs are ignored. Other columns are an
 * error unless `ignore_extra`. Every message names line and column. On failure nothing is to be released. */
locbo_status point_table_from_csv(const locbo_space *space, const locbo_outputs *outputs, const char *file, char *text,
                                  size_t size, int measured, int ignore_extra, point_table *made, locbo_error *error);
/* From JSON: what `export` and `trials -f json` write, or a list of {"params":{},"value":0.5}, with a table of outputs
 * {"params":{},"outputs":{"loss":0.5,"memory":{"value":401,"sd":2,"n":4}}}. In the order told. */
locbo_status point_table_from_json(const locbo_space *space, const locbo_outputs *outputs, const char *file,
                                   const char *text, size_t size, int ignore_extra, point_table *made,
                                   locbo_error *error);
void point_table_release(point_table *p);

#endif
