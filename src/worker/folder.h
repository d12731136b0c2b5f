/* folder.h - the folder of one evaluation, for its owner only, and the result file in it. */
#ifndef FOLDER_H
#define FOLDER_H

#include "status.h"

typedef struct folder {
    char *path, *result_file; /* absolute: an objective may change its own folder; NULL: none was made */
    int temporary;
} folder;

/* workdir/trial-TRIAL-ATTEMPT, or (`workdir` NULL) a temporary folder below TMPDIR. Of an earlier evaluation of that
 * name the folder is used again and its result file is removed. LOCBO_ERR_IO, with nothing touched: one of them is a
 * symbolic link or belongs to another user (`workdir` itself may belong to root), or cannot be made. */
locbo_status folder_make(folder *f, const char *workdir, uint64_t trial, uint64_t attempt, locbo_error *error);

enum { FOLDER_WHY = 100 };
/* The content of the result file, to be freed with mem_free; NULL: there is none, and if there is one that cannot be
 * taken `why` continues "the result file ", otherwise it is empty. A file too long to be a result is cut. An error is
 * one of the system (no memory, no descriptors, a read that fails): the file may well be a good one. */
locbo_status folder_read_result(const folder *f, char **text, size_t *size, char why[FOLDER_WHY], locbo_error *error);

/* Removes it, if it is temporary. */
void folder_release(folder *f);

#endif
