/* run_end.h - the command at the end of a run (--on-end): a message to a person, the next step of a script. */
#ifndef RUN_END_H
#define RUN_END_H

#include "session.h"

/* Check the text of --on-end before anything is made. Returns 1; otherwise all is released and s->code says how it
 * ends.
 */
int run_end_check(session *s);
/* Run it, if it was given, and wait for it: without a shell, its input empty, its output on standard error. It gets
 * LOCBO_STUDY, LOCBO_REASON and LOCBO_BEST, the best value or nothing, and no credentials of the database. Nothing that
 * it does changes how the run ends: a failure is one message. */
void run_end_run(session *s, const char *reason);

#endif
