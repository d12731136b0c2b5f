/* scratch.h - a folder of the process's own, in memory where the system has that, which is removed at its end. */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <ftw.h>
#include <unistd.h>

#include "fuzz.h"

static char scratch_folder[64];

static inline int scratch_remove(const char *path, const struct stat *about, int kind, struct FTW *where) {
    (void)about, (void)kind, (void)where;
    return remove(path);
}

static inline void scratch_end(void) { nftw(scratch_folder, scratch_remove, 8, FTW_DEPTH | FTW_PHYS); }

/* The path of a file in the folder; valid as long as `path` is. */
static inline const char *scratch_path(char path[128], const char *name) {
    if (!scratch_folder[0]) {
        const char *parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
        snprintf(scratch_folder, sizeof scratch_folder, "%s/locbo-fuzz-XXXXXX", parent);
        must(mkdtemp(scratch_folder));
        atexit(scratch_end);
    }
    snprintf(path, 128, "%s/%s", scratch_folder, name);
    return path;
}

static inline void scratch_write(const char *name, const void *data, size_t size) {
    char path[128];
    FILE *file = fopen(scratch_path(path, name), "w");
    must(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
}

/* A database, and the files that SQLite may have left beside it. */
static inline void scratch_drop(const char *name) {
    static const char *const endings[] = {"", "-wal", "-shm", "-journal"};
    char path[128], whole[140];
    scratch_path(path, name);
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        snprintf(whole, sizeof whole, "%s%s", path, endings[i]);
        unlink(whole);
    }
}

#endif
