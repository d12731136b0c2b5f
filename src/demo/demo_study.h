/* demo_study.h - a study of `locbo demo`: created, and filled by optimising its simulated problem. */
#ifndef DEMO_STUDY_H
#define DEMO_STUDY_H

#include <locbo/study.h>

#include "demo_problem.h"

/* A study with this program as its command, and the points that are evaluated first. `seed` as the option takes it. */
locbo_status demo_study_make(locbo_study **study, locbo_store *store, const demo_problem *p, const char *seed,
                             locbo_error *error);
/* Evaluate until as many trials are complete as the problem says, as its workers would, one at a
 * time being told. LOCBO_ERR_STOPPED: it was interrupted, and what ran waits. */
locbo_status demo_study_fill(locbo_study *study, const demo_problem *p, locbo_error *error);
/* What a filled study shows beside results: a point that waits, a trial under way, a stop. */
locbo_status demo_study_add_examples(locbo_study *study, const demo_problem *p, locbo_error *error);
/* Evaluate what was handed out, tell its result and keep its output. `seconds`: how long it took. */
locbo_status demo_study_finish(locbo_study *study, const demo_problem *p, const locbo_assignment *a, const double *x,
                               double seconds, locbo_error *error);

#endif
