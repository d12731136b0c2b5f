/* point_table.h - points and results from files, CSV or JSON: for import and predict. */
#ifndef POINT_TABLE_H
#define POINT_TABLE_H

#include <locbo/study.h>

#include "status.h"

typedef struct point_table {
    size_t count, capacity;
    double *x;                       /* count rows of dim */
    locbo_measurement *measurements; /* count rows of one for each output, of one without a table; value NAN: lacking */
    uint64_t *sequence;              /* the order told; 0: not known */
    locbo_state *state;              /* COMPLETE; FAILED or INFEASIBLE, without any value */
    char **message;                  /* why it failed; NULL: not known */
    size_t *group;                   /* rows with the same number are results of one trial, at one point */
    size_t left_out;                 /* rows of trials that have not ended */
    size_t failed;                   /* rows of trials that failed or were infeasible, and yet have a value */
    size_t retracted;                /* rows of trials that were taken back */
    size_t pruned;                   /* rows of trials that were ended early */
    size_t outside;                  /* rows outside the space that were skipped */
} point_table;

enum { POINT_TABLE_BYTES = 1 << 30 }; /* a longer file is a mistake */

/* What is read, and how. */
typedef struct point_reading {
    const locbo_space *space;
    const locbo_outputs *outputs; /* NULL: one value */
    int measured;                 /* also what was measured; always in JSON */
    int ignore_extra;             /* columns and outputs that are not known are skipped */
    int skip_outside;             /* so are rows with a value outside its parameter's range or categories */
    const double *fill;           /* of each parameter: its value where the file has none; NAN, or NULL: an error */
} point_reading;

/* From the text of a CSV file (with a terminator; split inside its own memory). Columns are the parameters by name,
 * "params.NAME" where a name is also one of ours; the cell of a parameter that is not active is empty. `measured`: also
 * what was measured, at least one value in each row: value, sd, n, or with a table of outputs NAME, NAME.sd, NAME.n of
 * each, "outputs.NAME" where a name is not only an output's; and trial, state, message, feasible, which export and
 * trials write. A first column without a name is skipped. An empty state is as none, and one that no trial has is an
 * error. Rows of state FAILED or INFEASIBLE are failures if they have no value, and left out otherwise. Rows of any
 * other state but COMPLETE are left out whatever they have: the last value of an evaluation that runs, or that was
 * ended early (other programs write it for PRUNED), is no result. Adjacent rows with the same trial and point are one
 * group. Derived outputs are ignored. Other columns are an error unless `ignore_extra`. Every message names line and
 * column. On failure nothing is to be released. */
locbo_status point_table_from_csv(const point_reading *how, const char *file, char *text, size_t size,
                                  point_table *made, locbo_error *error);
/* From JSON: what `export` and `trials -f json` write, or a list of {"params":{},"value":0.5}, with a table of outputs
 * {"params":{},"outputs":{"loss":0.5,"memory":{"value":401,"sd":2,"n":4}}}; {"params":{},"state":"FAILED","message":""}
 * for failures. In the order told. */
locbo_status point_table_from_json(const point_reading *how, const char *file, const char *text, size_t size,
                                   point_table *made, locbo_error *error);
void point_table_release(point_table *p);

#endif
