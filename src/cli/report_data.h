/* report_data.h - what a report holds: every answer that its page asks for, as one JSON text that
 * may stand in a script element. */
#ifndef REPORT_DATA_H
#define REPORT_DATA_H

#include <locbo/study.h>

#include "buffer.h"

enum {
    REPORT_ROWS = 5000,   /* trials of the table: the newest */
    REPORT_TRIALS = 1000, /* trials with a page of their own, and what they printed */
    REPORT_OUTPUT = 4096  /* bytes of each output: the last */
};

/* Called now and then: so many answers of so many are there. */
typedef void report_progress_fn(size_t done, size_t total, void *user);

/* All answers are of one moment. {"made": time, "version": "0.1.0", "answers": {"overview": {...},
 * "slice?at=recommended&parameter=x": {...}, ...}}: a key is the view's name and its query, keys in alphabetical order,
 * values as encodeURIComponent has them. None of < > & and no line separator occurs in it, so that nothing ends the
 * element. `name` NULL: the only study. `text` is released by the caller, whatever is returned. */
locbo_status report_data_write(locbo_store *store, const char *name, buffer *text, report_progress_fn *fn, void *user,
                               locbo_error *error);

#endif
