/* handout.h - trials handed to somebody who evaluates them outside of locbo: for ask, beat and the
 * pipe. */
#ifndef HANDOUT_H
#define HANDOUT_H

#include <locbo/study.h>

#include "status.h"

enum { HANDOUT_LEASE = 3600, HANDOUT_WORKER = 80 };

/* "none" (for ever) or a duration. */
locbo_status handout_lease(const char *text, double *seconds, locbo_error *error);
/* "ask@HOST": no process, so that nobody takes it for a dead one. */
void handout_worker(char text[HANDOUT_WORKER]);
/* locbo_study_ask, but a study that was stopped is LOCBO_ERR_NOTHING too. */
locbo_status handout_ask(locbo_study *study, const locbo_request *request, locbo_assignment *assignment, double *x,
                         locbo_error *error);

#endif
