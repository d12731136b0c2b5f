/* folder.c - the folder of one evaluation. Layer: worker. The names below --workdir can be foreseen, so another user
 * may have put something there: nothing is opened through a symbolic link, and what belongs to others is not used. */
#include "folder.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "mem.h"

enum { OWNER_ONLY = 0700, RESULT_MOST = 4 << 20 };
static const char RESULT[] = "result";

static char *join(const char *parent, const char *name) {
    size_t size = strlen(parent) + strlen(name) + 2;
    char *path = mem_new(size, 1);
    if (path) snprintf(path, size, "%s/%s", parent, name);
    return path;
}

/* ---- a folder that is ours --------------------------------------------------------------------- */

static locbo_status refuse(const char *what, const char *path, const struct stat *info, locbo_error *error) {
    if (S_ISLNK(info->st_mode))
        return status_fail(error, LOCBO_ERR_IO, "the %s '%.120s' is a symbolic link, which is not followed", what,
                           path);
    return status_fail(error, LOCBO_ERR_IO, "the %s '%.120s' belongs to another user (number %u)", what, path,
                       (unsigned)info->st_uid);
}

/* The system is short of something: what was to be opened may well be there. */
static int is_short(int code) { return code == EMFILE || code == ENFILE || code == ENOMEM || code == EIO; }

/* Opened only to find files by: the right to list it is not needed. Root could do anything anyway. errno says why it
 * could not be opened, 0: it was refused. */
static locbo_status open_own(int at, const char *name, const char *path, int also_roots, int *fd, locbo_error *error) {
    struct stat info;
    *fd = openat(at, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int code = errno, known = *fd >= 0 ? fstat(*fd, &info) : fstatat(at, name, &info, AT_SYMLINK_NOFOLLOW);
    if (*fd >= 0 && known == 0 && (info.st_uid == geteuid() || (also_roots && info.st_uid == 0))) return LOCBO_OK;
    if (known == 0 && (*fd >= 0 || S_ISLNK(info.st_mode)))
        refuse("folder", path, &info, error);
    else
        status_fail(error, LOCBO_ERR_IO, "cannot use the folder '%.120s': %s", path, strerror(code));
    if (*fd >= 0) close(*fd), code = 0;
    *fd = -1;
    errno = code;
    return LOCBO_ERR_IO;
}

static locbo_status make_own(int at, const char *name, const char *path, int also_roots, int *fd, locbo_error *error) {
    if (mkdirat(at, name, OWNER_ONLY) != 0 && errno != EEXIST)
        return status_fail(error, LOCBO_ERR_IO, "cannot create the folder '%.120s': %s", path, strerror(errno));
    return open_own(at, name, path, also_roots, fd, error);
}

/* What an earlier evaluation left would count as the result of this one. */
static locbo_status remove_old_result(const folder *f, int fd, locbo_error *error) {
    struct stat info;
    if (fstatat(fd, RESULT, &info, AT_SYMLINK_NOFOLLOW) != 0) return LOCBO_OK;
    if (S_ISLNK(info.st_mode) || (info.st_uid != geteuid() && info.st_uid != 0))
        return refuse("result file", f->result_file, &info, error);
    if (unlinkat(fd, RESULT, 0) == 0 || errno == ENOENT) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_IO, "cannot remove the old result file '%.120s': %s", f->result_file,
                       strerror(errno));
}

/* ---- made, read, released ---------------------------------------------------------------------- */

static char *absolute(const char *path) {
    char *real = realpath(path, NULL), *copy = mem_text(real ? real : path);
    free(real);
    return copy;
}

static locbo_status make_temporary(folder *f, locbo_error *error) {
    const char *given = getenv("TMPDIR");
    char *path = join(given && given[0] ? given : "/tmp", "locbo-XXXXXX");
    locbo_status status = path ? LOCBO_OK : status_no_memory(error);
    if (path && !mkdtemp(path))
        status = status_fail(error, LOCBO_ERR_IO, "cannot create the folder '%.120s': %s", path, strerror(errno));
    if (status == LOCBO_OK) {
        f->temporary = 1;
        f->path = absolute(path);
        f->result_file = f->path ? join(f->path, RESULT) : NULL;
        if (!f->path) rmdir(path);
        if (!f->result_file) status = status_no_memory(error);
    }
    mem_free(path);
    return status;
}

static locbo_status make_kept(folder *f, const char *workdir, const char *name, locbo_error *error) {
    int parent = -1, own = -1;
    locbo_status status = make_own(AT_FDCWD, workdir, workdir, 1, &parent, error);
    if (status != LOCBO_OK) return status;
    char *root = absolute(workdir);
    f->path = root ? join(root, name) : NULL;
    f->result_file = f->path ? join(f->path, RESULT) : NULL;
    mem_free(root);
    if (!f->result_file) status = status_no_memory(error);
    if (status == LOCBO_OK) status = make_own(parent, name, f->path, 0, &own, error);
    if (status == LOCBO_OK) status = remove_old_result(f, own, error);
    if (own >= 0) close(own);
    close(parent);
    return status;
}

locbo_status folder_make(folder *f, const char *workdir, uint64_t trial, uint64_t attempt, locbo_error *error) {
    char name[64];
    *f = (folder){0};
    snprintf(name, sizeof name, "trial-%" PRIu64 "-%" PRIu64, trial, attempt);
    locbo_status status = workdir ? make_kept(f, workdir, name, error) : make_temporary(f, error);
    if (status != LOCBO_OK) folder_release(f);
    return status;
}

/* Why an open file cannot be the result; NULL: it can. A container may have written it as root. */
static const char *judge_file(int fd, struct stat *info) {
    if (fstat(fd, info) != 0 || !S_ISREG(info->st_mode)) return "is not a regular file";
    if (info->st_uid != geteuid() && info->st_uid != 0) return "belongs to another user";
    return NULL;
}

static locbo_status read_all(int fd, size_t most, char **text, size_t *size, locbo_error *error) {
    char *bytes = mem_new(most + 1, 1);
    if (!bytes) return status_no_memory(error);
    ssize_t got = read(fd, bytes, most);
    if (got >= 0) {
        *text = bytes;
        *size = (size_t)got;
        return LOCBO_OK;
    }
    status_fail(error, LOCBO_ERR_IO, "%s", strerror(errno));
    mem_free(bytes);
    return LOCBO_ERR_IO;
}

locbo_status folder_read_result(const folder *f, char **text, size_t *size, char why[FOLDER_WHY], locbo_error *error) {
    int own;
    struct stat info;
    locbo_error refused;
    *text = NULL;
    *size = 0;
    why[0] = '\0';
    if (lstat(f->path, &info) != 0 && errno == ENOENT) return LOCBO_OK; /* the objective has removed its folder */
    if (open_own(AT_FDCWD, f->path, f->path, 0, &own, &refused) != LOCBO_OK) {
        if (is_short(errno)) return status_fail(error, LOCBO_ERR_IO, "%s", strerror(errno));
        snprintf(why, FOLDER_WHY, "is not in the folder that was made for it");
        return LOCBO_OK;
    }
    int fd = openat(own, RESULT, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY), code = errno;
    close(own);
    if (fd < 0 && is_short(code)) return status_fail(error, LOCBO_ERR_IO, "%s", strerror(code));
    if (fd < 0 && code == ELOOP)
        snprintf(why, FOLDER_WHY, "is a symbolic link");
    else if (fd < 0 && code != ENOENT)
        snprintf(why, FOLDER_WHY, "cannot be read: %s", strerror(code));
    if (fd < 0) return LOCBO_OK;
    const char *wrong = judge_file(fd, &info);
    if (wrong) snprintf(why, FOLDER_WHY, "%s", wrong);
    size_t most = wrong || info.st_size > RESULT_MOST ? RESULT_MOST : (size_t)info.st_size;
    locbo_status status = wrong ? LOCBO_OK : read_all(fd, most, text, size, error);
    close(fd);
    return status;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where) {
    (void)info, (void)kind, (void)where;
    remove(path); /* what cannot be removed stays */
    return 0;
}

void folder_release(folder *f) {
    if (f->path && f->temporary) nftw(f->path, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
    mem_free(f->path);
    mem_free(f->result_file);
    *f = (folder){0};
}
