/* ask_tell.h - trials evaluated by another program or a person: for ask, beat and the pipe. */
#ifndef ASK_TELL_H
#define ASK_TELL_H

#include <locbo/study.h>

#include "status.h"

enum { ASK_TELL_LEASE = 3600, ASK_TELL_WORKER = 80 };

/* "none" (never ends) or a duration. */
locbo_status ask_tell_lease(const char *text, double *seconds, locbo_error *error);
/* "ask@HOST": not an identity, so no worker checks whether its process is dead. */
void ask_tell_worker(char text[ASK_TELL_WORKER]);
/* locbo_study_ask, but a study that was stopped or is paused is LOCBO_ERR_NOTHING too. */
locbo_status ask_tell_ask(locbo_study *study, const locbo_request *request, locbo_assignment *assignment, double *x,
                          locbo_error *error);

#endif
