/* experiment_rows.h - what the runs of an experiment come to, as rows for programs. */
#ifndef EXPERIMENT_ROWS_H
#define EXPERIMENT_ROWS_H

#include "output.h"
#include "summary.h"

/* One table on standard output. An error without a message: it could not be written, which has been said. */
locbo_status experiment_rows(const plan *p, const results *r, summary_table table, output_format format,
                             locbo_error *error);

#endif
