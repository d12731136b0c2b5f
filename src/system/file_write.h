/* file_write.h - a file that is whole, or as it was before. */
#ifndef FILE_WRITE_H
#define FILE_WRITE_H

#include <stdio.h>

#include "status.h"

/* Writes what a caller has to write. Returns 0 with errno set if that fails. */
typedef int file_write_fill(FILE *to, const void *user);

/* The bytes of the buffer `user`. */
file_write_fill file_write_buffer;

/* What is there stays until the new file is whole: it is written beside it, and renamed. What is no file (/dev/null, a
 * pipe) is written to, not replaced. LOCBO_ERR_IO: the message names the file, and nothing is left beside it. */
locbo_status file_write(const char *path, file_write_fill *fill, const void *user, locbo_error *error);

#endif
