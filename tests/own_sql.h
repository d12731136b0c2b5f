/* own_sql.h - statements on a test's own database, behind the library's back. */
#ifndef OWN_SQL_H
#define OWN_SQL_H

#include "own_store.h"
#include "store.h"

static inline locbo_status own_sql_run(locbo_store *store, void *user, locbo_error *e) {
    return store_query(store, user, 0, NULL, NULL, NULL, NULL, e);
}

static inline void own_sql_change(const char *sql) {
    check_ok(store_write(own_store, own_sql_run, (void *)sql, &error));
}

static inline locbo_status own_sql_take(const store_value *columns, size_t count, void *user, locbo_error *e) {
    (void)count, (void)e;
    *(int64_t *)user = store_as_int(&columns[0]);
    return LOCBO_OK;
}

/* The one number that it selects. */
static inline int64_t own_sql_number(const char *sql) {
    int64_t found = -1;
    check_ok(store_single(own_store, sql, 0, NULL, own_sql_take, &found, NULL, &error));
    return found;
}

#endif
