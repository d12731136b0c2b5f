/* nearest.h - the name that is nearest to a mistyped word. */
#ifndef NEAREST_H
#define NEAREST_H

#include <stddef.h>

/* Start with {.word = word}, consider all names, read `best` (NULL: none is near). */
typedef struct nearest {
    const char *word;
    const char *best;
    size_t distance;
} nearest;

void nearest_consider(nearest *guess, const char *name);
/* " (did you mean NAME?)", or nothing; `dashes` stand before the name. */
void nearest_hint(const nearest *guess, const char *dashes, char *hint, size_t size);

#endif
