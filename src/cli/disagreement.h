/* disagreement.h - a study that differs from what is given for it: every difference, and the command that alters the
 * study so. */
#ifndef DISAGREEMENT_H
#define DISAGREEMENT_H

#include "difference.h"
#include "session.h"

typedef struct disagreement {
    int found;
    difference what; /* empty if only the error says it; to be released */
} disagreement;

/* LOCBO_OK if the study, which is open, is as `given` says: a parameter that is not given is frozen, a category
 * retired, an output only recorded; without a command any is fine. */
locbo_status disagreement_find(const session *s, const locbo_definition *given, disagreement *d, locbo_error *error);
/* Say so on standard error. `url`: the database if the command has to name it, otherwise NULL. */
void disagreement_print(const session *s, const disagreement *d, const char *url, const locbo_error *error);

#endif
