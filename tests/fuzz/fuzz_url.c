/* fuzz_url.c - the url of a database. What is shown of it is a url that is shown the same, and neither that nor a
 * message has the password: what libpq takes for one, if the word "hunter2" is in it and nowhere else. */
#include "fuzz.h"
#include "mem.h"
#include "store_url.h"

#ifdef LOCBO_POSTGRES
#include <libpq-fe.h>

static int is_secret_of(const char *url, const char *word) {
    const char *at = strstr(url, word);
    if (!at || strstr(at + 1, word)) return 0;
    int found = 0;
    PQconninfoOption *all = PQconninfoParse(url, NULL);
    for (PQconninfoOption *o = all; o && o->keyword; o++)
        found |= strstr(o->keyword, "password") && o->val && strstr(o->val, word);
    PQconninfoFree(all);
    return found;
}
#else
static int is_secret_of(const char *url, const char *word) { return !url || !word; }
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char word[] = "hunter2";
    char *url = fuzz_text(data, size);
    store_url parts, again;
    error.message[0] = '\0';
    int done = fuzz_done(store_url_read(&parts, url, &error));
    if (strncmp(url, "postgres", 8) == 0 && is_secret_of(url, word))
        must(!strstr(error.message, word) && !(done && strstr(parts.shown, word)));
    /* An '@' behind a '?' ends the credentials or does not, by what else is left of the query. */
    const char *query = strchrnul(url, '?');
    if (done && !strchr(query, '@')) {
        must_do(store_url_read(&again, parts.shown, &error));
        must(again.postgres == parts.postgres && strcmp(again.shown, parts.shown) == 0);
        mem_free(again.shown);
    }
    if (done) mem_free(parts.shown);
    free(url);
    return 0;
}
