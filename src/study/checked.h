/* checked.h - what a study may be given: checked, and written as the texts of the database, which mem_free releases. */
#ifndef CHECKED_H
#define CHECKED_H

#include <locbo/study.h>

#include "measured.h"

/* A complete definition (definition_take). `table`, empty before, is released also after a failure. */
locbo_status checked_definition(const locbo_definition *definition, char **text, measured *table, locbo_error *error);
/* The caller's plan (NULL: the default), for a study with these outputs. */
locbo_status checked_plan(const locbo_plan *plan, const measured *table, char **text, locbo_error *error);

#endif
