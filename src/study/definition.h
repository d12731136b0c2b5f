/* definition.h - the JSON texts of the database: definition, plan, and the params of a trial. Doubles are exact.
 * Reading a damaged text is LOCBO_ERR_IO. */
#ifndef DEFINITION_H
#define DEFINITION_H

#include <locbo/study.h>

#include "status.h"

/* All texts are released with mem_free. The options must not be NULL, and their struct_size is that of this library. */
locbo_status definition_write(const locbo_definition *definition, char **text, locbo_error *error);
/* What a definition says, as objects of the reader's. */
typedef struct definition_parts {
    locbo_space *space;
    locbo_outputs *outputs; /* NULL: none are given */
    locbo_options options;
    size_t command_count;
    char **command; /* one allocation, NULL-terminated */
} definition_parts;
/* Copy the caller's definition, completed with the default options. With a table of outputs the option `direction` says
 * nothing: here it becomes that of the first objective, so that who reads it is not misled. */
locbo_status definition_take(const locbo_definition *given, locbo_definition *d, locbo_options *options,
                             locbo_error *error);
/* Which parts of two texts of definitions differ, as bits; both can be read. */
enum { DEFINITION_PARAMETERS = 1, DEFINITION_OPTIONS = 2, DEFINITION_OTHERS = 4 };
locbo_status definition_differences(const char *a, const char *b, unsigned *parts, locbo_error *error);
/* Release `parts` also after a failure. */
locbo_status definition_read(const char *text, definition_parts *parts, locbo_error *error);
void definition_release(definition_parts *parts);

locbo_status definition_write_plan(const locbo_plan *plan, char **text, locbo_error *error);
locbo_status definition_read_plan(const char *text, locbo_plan *plan, locbo_error *error);
/* LOCBO_OK if every field is acceptable. */
locbo_status definition_check_plan(const locbo_plan *plan, locbo_error *error);
/* Whether an output has a target. */
int definition_has_targets(const locbo_plan *plan);

locbo_status definition_write_params(const locbo_space *space, const double *x, char **text, locbo_error *error);
locbo_status definition_read_params(const locbo_space *space, const char *text, double *x, locbo_error *error);
/* Those of a trial that may be older than an alteration: it may be outside the space, and lack parameters, which get
 * their past values. `placed` is 0 if it has no place in the space (locbo_space_place); x then has the values that are
 * there, and NAN. */
locbo_status definition_read_past(const locbo_space *space, const char *text, double *x, int *placed,
                                  locbo_error *error);

/* A list of numbers, "[1,2.5]". */
locbo_status definition_write_list(size_t count, const double *numbers, char **text, locbo_error *error);
/* `numbers` is released with mem_free. */
locbo_status definition_read_list(const char *text, size_t *count, double **numbers, locbo_error *error);

#endif
