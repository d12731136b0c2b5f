/* source.c - a database to read from. Layer: web, tools. */
#include "source.h"

#include <string.h>
#include <sys/stat.h>

enum { PATIENCE = 2 }; /* seconds that a call waits for the database: people are looking */

/* The file of a url, NULL if it is none. */
static const char *file_of(const char *url) {
    static const char prefix[] = "sqlite:";
    if (strncmp(url, "postgres", 8) == 0 && strstr(url, "://")) return NULL;
    return strncmp(url, prefix, sizeof prefix - 1) == 0 ? url + sizeof prefix - 1 : url;
}

static int look(const source *s, struct stat *file) {
    const char *path = file_of(s->url);
    return path && stat(path, file) == 0;
}

locbo_status source_open(source *s, locbo_error *error) {
    locbo_error why;
    struct stat file;
    if (s->store) return LOCBO_OK;
    s->is_file = look(s, &file); /* before: one put there meanwhile makes it stale */
    if (s->is_file) s->device = file.st_dev, s->number = file.st_ino;
    if (locbo_store_open(&s->store, s->url, LOCBO_STORE_READ_ONLY, &why) != LOCBO_OK)
        return status_fail(error, LOCBO_ERR_BUSY, "%s", why.message);
    locbo_store_patience(s->store, PATIENCE, s->fn, s->user);
    return LOCBO_OK;
}

/* A file that is open keeps its number, so that no other file can have it. */
int source_is_stale(const source *s) {
    struct stat file;
    if (!s->store || !s->is_file) return 0;
    return !look(s, &file) || file.st_dev != s->device || file.st_ino != s->number;
}

int source_is_broken(locbo_status status) {
    return status == LOCBO_ERR_IO || status == LOCBO_ERR_SCHEMA;
}

void source_close(source *s) {
    locbo_store_close(s->store);
    s->store = NULL;
}
