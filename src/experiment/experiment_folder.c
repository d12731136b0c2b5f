/* experiment_folder.c - definition and lock of an experiment's results. Layer: experiment. */
#include "experiment_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "experiment_file.h"
#include "mem.h"
#include "file_read.h"

enum { PATH_ROOM = 4096, MOST_BYTES = 1 << 20 };

locbo_status experiment_folder_make(const char *path, locbo_error *error) {
    if (mkdir(path, 0777) == 0 || errno == EEXIST) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_IO, "cannot create %s: %s", path, strerror(errno));
}

static void definition_path(const plan *p, const char *dir, char path[PATH_ROOM]) {
    snprintf(path, PATH_ROOM, "%s/%s/experiment.yaml", dir, p->name);
}

/* By rename, so that no incomplete definition can be read. */
static locbo_status write_definition(const char *path, const char *text, locbo_error *error) {
    char part[PATH_ROOM + 8];
    snprintf(part, sizeof part, "%s.part", path);
    FILE *to = fopen(part, "w");
    int good = to && fputs(text, to) != EOF;
    if (to && fclose(to) != 0) good = 0;
    if (good && rename(part, path) == 0) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_IO, "cannot write %s: %s", path, strerror(errno));
}

locbo_status experiment_folder_check(const plan *p, const char *dir, locbo_error *error) {
    char path[PATH_ROOM], *text;
    size_t size;
    plan kept;
    locbo_error why;
    definition_path(p, dir, path);
    locbo_status status = file_read(path, MOST_BYTES, &text, &size, error);
    if (status != LOCBO_OK) return status;
    status = experiment_file_parse(path, text, size, &kept, error);
    mem_free(text);
    if (status != LOCBO_OK) return status;
    status = plan_compare(&kept, p, &why);
    plan_release(&kept);
    if (status == LOCBO_OK) return status;
    return status_fail(error, status, "the results in %s/%s were made with other settings (%s)", dir, p->name,
                       why.message);
}

/* Two writers would overwrite each other's runs. Workers share the lock, and end with their parent. On a file system
 * without locks there is none. */
static locbo_status lock(const char *path, int *fd, locbo_error *error) {
    *fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*fd < 0) return status_fail(error, LOCBO_ERR_IO, "cannot open %s: %s", path, strerror(errno));
    if (flock(*fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return LOCBO_OK;
    close(*fd);
    return status_fail(error, LOCBO_ERR_BUSY, "another locbo experiment run is writing to %s", path);
}

static int has(const plan *p, const char *dir, const char *file) {
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s/%s/%s", dir, p->name, file);
    return access(path, F_OK) == 0;
}

/* A definition that fits the existing runs replaces the one there; runs without a definition are refused. */
static locbo_status define(const plan *p, const char *dir, const char *text, locbo_error *error) {
    char path[PATH_ROOM];
    locbo_status status = LOCBO_OK;
    definition_path(p, dir, path);
    if (has(p, dir, "experiment.yaml"))
        status = experiment_folder_check(p, dir, error);
    else if (has(p, dir, "runs.csv") || has(p, dir, "runs.csv.gz"))
        status = status_fail(error, LOCBO_ERR_STATE,
                             "%s/%s has runs but no experiment.yaml: their settings are not known", dir, p->name);
    return status == LOCBO_OK ? write_definition(path, text, error) : status;
}

locbo_status experiment_folder_claim(const plan *p, const char *dir, const char *text, int *fd, locbo_error *error) {
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s/%s", dir, p->name);
    locbo_status status = experiment_folder_make(dir, error);
    if (status == LOCBO_OK) status = experiment_folder_make(path, error);
    if (status == LOCBO_OK) status = lock(path, fd, error);
    if (status != LOCBO_OK) return status;
    status = define(p, dir, text, error);
    if (status != LOCBO_OK) close(*fd);
    return status;
}
