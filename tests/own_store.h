/* own_store.h - a database for a test, without studies: a SQLite file in a new folder, or that of LOCBO_TEST_DB
 * (tests/with-postgres). */
#ifndef OWN_STORE_H
#define OWN_STORE_H

#include <locbo/study.h>
#include <unistd.h>

#include "check.h"

static char own_folder[64], own_url[96];
static locbo_store *own_store;

static inline int own_store_take_name(const char *name, void *user) {
    snprintf(user, 256, "%s", name);
    return 1;
}

/* For cmocka: the studies of the last test are deleted. */
static inline int own_store_open(void **state) {
    (void)state;
    const char *given = getenv("LOCBO_TEST_DB");
    char name[256];
    snprintf(own_folder, sizeof own_folder, "/tmp/locbo-test-XXXXXX");
    if (!mkdtemp(own_folder)) return -1;
    snprintf(own_url, sizeof own_url, given ? "%s" : "sqlite:%s/a.db", given ? given : own_folder);
    check_ok(locbo_store_open(&own_store, own_url, LOCBO_STORE_CREATE, &error));
    for (;;) {
        name[0] = '\0';
        check_ok(locbo_store_each(own_store, own_store_take_name, name, &error));
        if (!*name) return 0;
        check_ok(locbo_study_delete(own_store, name, &error));
    }
}

static inline int own_store_close(void **state) {
    (void)state;
    char command[96];
    locbo_store_close(own_store);
    own_store = NULL;
    snprintf(command, sizeof command, "rm -rf '%s'", own_folder);
    return system(command);
}

/* Another connection to it. */
static inline locbo_store *own_store_again(locbo_store_mode mode) {
    locbo_store *made = NULL;
    check_ok(locbo_store_open(&made, own_url, mode, &error));
    return made;
}

#endif
