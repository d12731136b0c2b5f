/* closing.h - the last words of a run: best, recommended, coverage. */
#ifndef CLOSING_H
#define CLOSING_H

#include "session.h"

/* On standard output, in the session's format. Returns an exit code: EXIT_OK, or that of what went wrong (said on
 * stderr). */
int closing_print(session *s);

#endif
