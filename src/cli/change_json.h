/* change_json.h - what was changed in a study, in its export. */
#ifndef CHANGE_JSON_H
#define CHANGE_JSON_H

#include <jansson.h>
#include <locbo/study.h>

#include "study_file.h"

/* [{"event","time","author","kind","trial","text","before":{},"plan_before":{}}, ...]: the last two of an alteration
 * that changed the definition or the plan, as the head of an export has them; what they became is what the next one
 * has, or the study. `present`: the outputs that it has now. */
locbo_status change_json_write(locbo_study *study, const locbo_outputs *present, json_t **list, locbo_error *error);

typedef struct change_json {
    size_t count;
    locbo_change *changes;
    study_file *files;             /* of each: what it was before, if it is an alteration */
    locbo_definition *definitions; /* the same, as the library takes it; the last is the present one */
} change_json;

/* "changes" of an export, whose head is `file`; the texts live in `root`. */
locbo_status change_json_read(const char *path, const json_t *root, const study_file *file, change_json *read,
                              locbo_error *error);
void change_json_release(change_json *read);

#endif
