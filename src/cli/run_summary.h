/* run_summary.h - the summary at the end of a run: best, recommended, coverage. */
#ifndef RUN_SUMMARY_H
#define RUN_SUMMARY_H

#include "session.h"

/* On standard output, in the session's format. Returns an exit code: EXIT_OK, or that of the error (reported on
 * stderr). */
int run_summary_print(session *s);

#endif
