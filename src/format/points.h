/* points.h - points and results from files, CSV or JSON: for import and predict. */
#ifndef POINTS_H
#define POINTS_H

#include "status.h"

typedef struct points {
    size_t count, capacity;
    double *x; /* count rows of dim */
    locbo_measurement *measurements;
    uint64_t *sequence; /* the order told; 0: not known */
    size_t left_out;    /* trials of an export without a result */
} points;

enum { POINTS_BYTES = 1 << 30 }; /* a longer file is a mistake */

/* From the text of a CSV file (with a terminator; taken apart in place). Columns are the parameters
 * by name, "params.NAME" where a name is also one of ours; `measured`: value (needed), sd, n, and
 * trial and state, which export writes and nobody reads. Other columns are an error unless
 * `ignore_extra`. Every message names line and column. On failure nothing is to be released. */
locbo_status points_from_csv(const locbo_space *space, const char *file, char *text, size_t size, int measured,
                             int ignore_extra, points *made, locbo_error *error);
/* From JSON: what `export` and `trials -f json` write, or a list of {"params":{},"value":0.5}. In
 * the order told. */
locbo_status points_from_json(const locbo_space *space, const char *file, const char *text, size_t size, points *made,
                              locbo_error *error);
void points_release(points *p);

#endif
