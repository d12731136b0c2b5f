/* offer.h - what can stand at the end of a command line that is being typed, for the shells' completion. */
#ifndef OFFER_H
#define OFFER_H

#include <stddef.h>

/* Prints on stdout what the last of these words, which is unfinished, can become; the words are those after "locbo" and
 * at least one. The first line says what the others are:
 *     words            whole words, each with what it means behind a tab, if there is something to say
 *     begun            the same, and something must follow them directly
 *     files PREFIX     no other lines: a file's name, behind PREFIX
 *     commands         no other lines: a command, or a file's name
 * Returns an exit code: an error only if the names of studies are wanted and the database cannot be read. */
int offer_print(const char *self, char *const *words, size_t count);

#endif
