/* parameter_merge.h - a parameter of a study that is given anew. Its categories keep those that the study had: one that
 * is no longer given is retired, and one that is given is not. Values that are categories are found by their texts,
 * since their numbers may change. */
#ifndef PARAMETER_MERGE_H
#define PARAMETER_MERGE_H

#include "status.h"

typedef struct parameter_merge {
    locbo_parameter_spec spec; /* pointers into what follows, and into the spaces */
    /* private */
    const char **texts;
    double *numbers, *when;
    unsigned char *retired;
} parameter_merge;

/* Parameter i of `given`, with what it keeps of `old` (NULL: the study did not have it), for the space `into`, which
 * has the parameter that it depends on. `past` is that of `given`, otherwise that of `old`. parameter_merge_release
 * even after an error. */
locbo_status parameter_merge_begin(parameter_merge *m, const locbo_space *given, size_t i, const locbo_parameter *old,
                                   const locbo_space *into, locbo_error *error);
/* Changes of it; values as texts. */
locbo_status parameter_merge_freeze(parameter_merge *m, const char *value, locbo_error *error);
void parameter_merge_unfreeze(parameter_merge *m);
locbo_status parameter_merge_past(parameter_merge *m, const char *value, locbo_error *error);
locbo_status parameter_merge_retire(parameter_merge *m, const char *category, int retired, locbo_error *error);
void parameter_merge_release(parameter_merge *m);

#endif
