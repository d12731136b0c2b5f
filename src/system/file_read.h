/* file_read.h - a whole file in memory. */
#ifndef FILE_READ_H
#define FILE_READ_H

#include <stdio.h>

#include "status.h"

/* "-" is standard input. `text` is terminated (it may hold other NULs) and to be released with mem_free.
 * LOCBO_ERR_NOT_FOUND: it cannot be opened; LOCBO_ERR_IO: it cannot be read, or has more than `most` bytes. */
locbo_status file_read(const char *path, size_t most, char **text, size_t *size, locbo_error *error);
/* What is left of a stream; if that is more than `most` bytes, `most` + 1 of them. NULL: errno says why not. */
char *file_read_stream(FILE *in, size_t most, size_t *size);
/* The path as messages show it. */
const char *file_read_name(const char *path);

#endif
