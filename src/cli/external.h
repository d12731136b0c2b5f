/* external.h - trials evaluated by another program or a person: for ask, beat and the pipe. */
#ifndef EXTERNAL_H
#define EXTERNAL_H

#include <locbo/study.h>

#include "status.h"

enum { EXTERNAL_LEASE = 3600, EXTERNAL_WORKER = 80 };

/* "none" (never ends) or a duration. */
locbo_status external_lease(const char *text, double *seconds, locbo_error *error);
/* "ask@HOST": not an identity, so no worker checks whether its process is dead. */
void external_worker(char text[EXTERNAL_WORKER]);
/* locbo_study_ask, but a study that was stopped is LOCBO_ERR_NOTHING too. */
locbo_status external_ask(locbo_study *study, const locbo_request *request, locbo_assignment *assignment, double *x,
                          locbo_error *error);

#endif
