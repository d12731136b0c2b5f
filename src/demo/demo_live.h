/* demo_live.h - a study of `locbo demo` that continues, slowly enough to be watched. */
#ifndef DEMO_LIVE_H
#define DEMO_LIVE_H

#include <locbo/study.h>

#include "demo_problem.h"

/* About one trial a second by two workers that send heartbeats, for so many seconds (INFINITY
 * allowed) or until Ctrl-C (LOCBO_ERR_STOPPED); what is under way then waits again. */
locbo_status demo_live(locbo_study *study, const demo_problem *p, double seconds, locbo_error *error);

#endif
