/* store_url.c - the url of a database: its engine, and what of it may be shown. Layer: study. */
#include "store_url.h"

#include <string.h>

#include "mem.h"

/* With percent signs a name can be "password" without containing it. */
static int is_secret(const char *item, size_t length) {
    const char *end = memchr(item, '=', length);
    if (!end) return 1; /* not a parameter: perhaps part of a password that contains '?' */
    size_t name = (size_t)(end - item);
    return memmem(item, name, "password", 8) || memmem(item, name, "secret", 6) || memchr(item, '%', name);
}

/* Append the query part without its secrets; returns the end of what was written. */
static char *copy_query(char *to, const char *query) {
    char mark = '?';
    for (const char *item = query + 1; *item;) {
        size_t length = strcspn(item, "&");
        if (length > 0 && !is_secret(item, length)) {
            *to++ = mark;
            memcpy(to, item, length);
            to += length;
            mark = '&';
        }
        item += length + (item[length] == '&');
    }
    return to;
}

/* The credentials end at the first '@' before the first '/', as in libpq. */
static locbo_status hide_password(const char *url, char **shown, locbo_error *error) {
    const char *start = strstr(url, "://") + 3;
    const char *at = memchr(start, '@', strcspn(start, "/"));
    const char *rest = at ? at + 1 : start;
    const char *query = strchrnul(rest, '?');
    if (memchr(rest, '@', (size_t)(query - rest)))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "the database url has an '@' too many: in names and passwords write %%40"
                           " for '@', %%2F for '/', %%3F for '?'");
    char *copy = mem_new(strlen(url) + 1, 1);
    if (!copy) return status_no_memory(error);
    char *to = mempcpy(copy, url, (size_t)(start - url));
    size_t user = at ? strcspn(start, ":@") : 0;
    to = mempcpy(to, start, user);
    if (user > 0) *to++ = '@';
    to = mempcpy(to, rest, (size_t)(query - rest));
    if (*query) copy_query(to, query);
    *shown = copy;
    return LOCBO_OK;
}

static int begins(const char *text, const char *with) { return strncmp(text, with, strlen(with)) == 0; }

static locbo_status read_file(store_url *parts, const char *url, locbo_error *error) {
    parts->location = begins(url, "sqlite:") ? url + strlen("sqlite:") : url;
    if (!*parts->location) return status_fail(error, LOCBO_ERR_ARGUMENT, "the database url '%s' names no file", url);
    /* other programs read three slashes as a relative path and four as an absolute one: refuse both */
    if (begins(url, "sqlite://"))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "the database url '%s' has too many slashes: write sqlite:PATH",
                           url);
    const char *scheme_end = strstr(url, "://");
    if (scheme_end || begins(url, "postgres:") || begins(url, "postgresql:"))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "a database url is sqlite:PATH, PATH or postgresql://..., got '%.*s...'",
                           (int)strcspn(url, ":") + 1, url);
    parts->shown = mem_text(url);
    return parts->shown ? LOCBO_OK : status_no_memory(error);
}

locbo_status store_url_read(store_url *parts, const char *url, locbo_error *error) {
    *parts = (store_url){.location = url};
    parts->postgres = begins(url, "postgresql://") || begins(url, "postgres://");
    return parts->postgres ? hide_password(url, &parts->shown, error) : read_file(parts, url, error);
}
