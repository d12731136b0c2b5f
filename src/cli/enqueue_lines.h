/* enqueue_lines.h - the points of `enqueue` in a study file, queued in a study that may have some of them already. */
#ifndef ENQUEUE_LINES_H
#define ENQUEUE_LINES_H

#include "session.h"
#include "study_file.h"

/* Queue the points that no trial of the study has, in any state; a point that the file has twice needs two trials. The
 * names of the file's parameters must be those of the study. `queued` receives how many. Several processes that start
 * with the same file queue each point once. */
locbo_status enqueue_lines_add(session *s, const study_file *file, size_t *queued, locbo_error *error);

#endif
