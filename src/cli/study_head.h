/* study_head.h - what an exported study is: its head has the keys of a study file, so it is read as one. */
#ifndef STUDY_HEAD_H
#define STUDY_HEAD_H

#include <jansson.h>

#include "study_file.h"

/* "parameters", "constraints", "outputs", "options", "command", "plan" and "name" of an object. Options that an older
 * export does not mention have the values of then. Release with study_file_release. */
locbo_status study_head_read(const char *path, const json_t *root, study_file *file, locbo_error *error);

#endif
