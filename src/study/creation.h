/* creation.h - a new study with what was read of another. */
#ifndef CREATION_H
#define CREATION_H

#include "change.h"

typedef struct creation_source {
    const locbo_contents *contents; /* without changes; not checked: they come from a database */
    const change_list *changes;     /* NULL: only the definition and the plan are copied */
    uint64_t events;                /* the last event number */
    size_t point_count;             /* of a study that was altered: */
    const char *const *points;      /* of trial 1, 2 ...: its point as it was written then */
    const char *origin;             /* for the list of changes: of which study it is a copy */
} creation_source;

locbo_status creation_copy(locbo_study **study, locbo_store *store, const char *name,
                           const locbo_definition *definition, const locbo_plan *plan, const creation_source *source,
                           locbo_error *error);

#endif
