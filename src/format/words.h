/* words.h - a text split into words as a shell would, without running anything: blanks and line ends separate;
 * '...' is verbatim; "..." knows \" and \\; outside quotes \c is c, and a backslash before a line end removes both.
 * Nothing else is special: no $, *, ~, #, ; and no newline ends a command. */
#ifndef WORDS_H
#define WORDS_H

#include "status.h"

/* `words` is one allocation of `count` pointers, NULL-terminated, with the texts behind them: free with mem_free. */
locbo_status words_split(const char *text, char ***words, size_t *count, locbo_error *error);
/* One text that words_split splits into these words again; readable. NULL: no memory. Free with mem_free. */
char *words_join(size_t count, const char *const *words);

#endif
