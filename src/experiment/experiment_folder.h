/* experiment_folder.h - the folder of an experiment's results, DIR/NAME. It has the definition that the results were
 * made with, and a lock: one process writes at a time. */
#ifndef EXPERIMENT_FOLDER_H
#define EXPERIMENT_FOLDER_H

#include "plan.h"
#include "status.h"

/* Creates a folder unless it exists; its parent must exist. */
locbo_status experiment_folder_make(const char *path, locbo_error *error);
/* Checks that the results belong to this experiment: LOCBO_ERR_STATE if not, with the first difference;
 * LOCBO_ERR_NOT_FOUND if there are none. */
locbo_status experiment_folder_check(const plan *p, const char *dir, locbo_error *error);
/* Creates and locks the folder, and writes the definition; close *fd to unlock it. LOCBO_ERR_BUSY: another process has
 * locked it; LOCBO_ERR_STATE: the results belong to another experiment. */
locbo_status experiment_folder_claim(const plan *p, const char *dir, const char *text, int *fd, locbo_error *error);

#endif
