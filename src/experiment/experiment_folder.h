/* experiment_folder.h - the folder of an experiment's results, DIR/NAME: the definition they were made by stands beside
 * them, and one process writes at a time. */
#ifndef EXPERIMENT_FOLDER_H
#define EXPERIMENT_FOLDER_H

#include "plan.h"
#include "status.h"

/* A folder that is there is fine; the one above it must be. */
locbo_status experiment_folder_make(const char *path, locbo_error *error);
/* Whether the results are of this experiment, as far as they go: LOCBO_ERR_STATE if not, with what differs;
 * LOCBO_ERR_NOT_FOUND if there are none. */
locbo_status experiment_folder_check(const plan *p, const char *dir, locbo_error *error);
/* Make the folder ours, with this definition in it; *fd is to be closed when all is written. LOCBO_ERR_BUSY: another
 * process is at work there; LOCBO_ERR_STATE: the results are of another experiment. */
locbo_status experiment_folder_claim(const plan *p, const char *dir, const char *text, int *fd, locbo_error *error);

#endif
