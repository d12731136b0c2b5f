/* file_write.c - a file that is whole, or as it was before. Layer: system. */
#include "file_write.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "buffer.h"
#include "mem.h"

#define ENDING ".XXXXXX" /* of a file that is not whole yet */

int file_write_buffer(FILE *to, const void *user) {
    const buffer *b = user;
    return (b->size == 0 || fwrite(b->data, 1, b->size, to) == b->size) && fflush(to) == 0;
}

static locbo_status cannot_write(const char *path, int code, locbo_error *error) {
    return status_fail(error, LOCBO_ERR_IO, "cannot write '%.150s': %s", path, strerror(code));
}

/* A new file beside `path`, its name in `part`: one that no other process can have created, with the mode that any new
 * file has. NULL with errno set. */
static FILE *create_beside(const char *path, char *part, size_t size) {
    snprintf(part, size, "%s" ENDING, path);
    int fd = mkostemp(part, O_CLOEXEC);
    if (fd < 0) return NULL;
    mode_t mask = umask(0);
    umask(mask);
    FILE *file = fchmod(fd, 0666 & ~mask) == 0 ? fdopen(fd, "w") : NULL;
    if (file) return file;
    int code = errno;
    close(fd);
    unlink(part);
    errno = code;
    return NULL;
}

/* Writes and closes. Returns 0 with errno set if that fails. */
static int fill_and_close(FILE *to, file_write_fill *fill, const void *user) {
    int good = fill(to, user), code = errno;
    if (fclose(to) != 0 && good) return 0;
    errno = code;
    return good;
}

static locbo_status replace_file(const char *path, file_write_fill *fill, const void *user, locbo_error *error) {
    size_t size = strlen(path) + sizeof ENDING;
    char *part = mem_new(size, 1);
    if (!part) return status_no_memory(error);
    FILE *to = create_beside(path, part, size);
    int good = to && fill_and_close(to, fill, user) && rename(part, path) == 0, code = errno;
    if (to && !good) unlink(part);
    mem_free(part);
    return good ? LOCBO_OK : cannot_write(path, code, error);
}

locbo_status file_write(const char *path, file_write_fill *fill, const void *user, locbo_error *error) {
    struct stat there;
    if (stat(path, &there) != 0 || S_ISREG(there.st_mode)) return replace_file(path, fill, user, error);
    FILE *to = fopen(path, "we");
    return to && fill_and_close(to, fill, user) ? LOCBO_OK : cannot_write(path, errno, error);
}
