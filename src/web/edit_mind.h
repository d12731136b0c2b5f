/* edit_mind.h - the edits by which someone changes their mind: results taken back, trials failed after all, pauses,
 * notes, another range or plan, another name. "Edits" of docs/api.md has their bodies; the keys are already checked. */
#ifndef EDIT_MIND_H
#define EDIT_MIND_H

#include <jansson.h>
#include <locbo/study.h>

#include "status.h"

/* Changes the study as the body says, and adds to the answer what there is to say. */
typedef locbo_status edit_fn(locbo_study *study, json_t *body, json_t *answer, locbo_error *error);
edit_fn edit_retract, edit_fail, edit_pause, edit_resume, edit_note, edit_plan, edit_alter, edit_rename;

/* A text of the body: `otherwise` if it is not given or null. */
locbo_status edit_text(json_t *body, const char *key, const char *otherwise, const char **text, locbo_error *error);

#endif
