/* source.c - a database to read from. Layer: web, tools. */
#include "source.h"

#include <string.h>
#include <sys/stat.h>

enum { PATIENCE = 2 }; /* seconds that a call waits for the database: a user waits for the answer */

/* The path of a url, NULL if it names no file. */
static const char *file_of(const char *url) {
    static const char prefix[] = "sqlite:";
    if (strncmp(url, "postgres", 8) == 0 && strstr(url, "://")) return NULL;
    return strncmp(url, prefix, sizeof prefix - 1) == 0 ? url + sizeof prefix - 1 : url;
}

static int find_file(const source *s, struct stat *file) {
    const char *path = file_of(s->url);
    return path && stat(path, file) == 0;
}

locbo_status source_open(source *s, locbo_error *error) {
    locbo_error why;
    struct stat file;
    if (s->store) return LOCBO_OK;
    s->is_file = find_file(s, &file); /* before opening: a file replaced in between is then stale */
    if (s->is_file) s->device = file.st_dev, s->number = file.st_ino;
    locbo_status status =
        locbo_store_open_patiently(&s->store, s->url, LOCBO_STORE_READ_ONLY, PATIENCE, s->fn, s->user, &why);
    return status == LOCBO_OK ? LOCBO_OK : status_fail(error, LOCBO_ERR_BUSY, "%s", why.message);
}

/* The inode of an open file is not given to another file. */
int source_is_stale(const source *s) {
    struct stat file;
    if (!s->store || !s->is_file) return 0;
    return !find_file(s, &file) || file.st_dev != s->device || file.st_ino != s->number;
}

static int take_none(const char *name, void *user) {
    (void)name, (void)user;
    return 1;
}

int source_is_broken(const source *s, locbo_status status) {
    if (!s->store || (status != LOCBO_ERR_IO && status != LOCBO_ERR_SCHEMA)) return 0;
    return locbo_store_each(s->store, take_none, NULL, NULL) != LOCBO_OK;
}

void source_close(source *s) {
    locbo_store_close(s->store);
    s->store = NULL;
}
