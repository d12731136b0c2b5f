/* store.h - a database, whichever engine runs it. The engines are rows of one table; the statements are the same for
 * all of them, written once, in the study's files.
 *
 * Statements use $1, $2 ... for parameters (both engines take them), and these words, which every engine spells in its
 * own way: {now} for the present time as seconds since 1970 (double), {lock} for " FOR UPDATE", {skip} for " FOR UPDATE
 * SKIP LOCKED" (nothing, where a write transaction has the database to itself). Values are 64-bit integers, doubles
 * (bit for bit, but -0 is 0, which SQLite's columns of doubles cannot tell apart; NAN is stored as NULL and comes back
 * as NAN), UTF-8 texts, bytes. */
#ifndef STORE_H
#define STORE_H

#include <locbo/study.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

typedef enum store_kind { STORE_NULL, STORE_INT, STORE_REAL, STORE_TEXT, STORE_BYTES } store_kind;

/* Texts and bytes are the caller's (parameters), or valid during the call (columns); texts are terminated. */
typedef struct store_value {
    store_kind kind;
    int64_t integer;
    double real;
    const char *text;
    size_t size; /* of the text or the bytes */
} store_value;

store_value store_int(int64_t value);
store_value store_count(uint64_t value);
store_value store_real(double value);     /* NAN: NULL */
store_value store_text(const char *text); /* NULL: NULL */
store_value store_bytes(const char *bytes, size_t size);
/* A column as a number: NULL and what is no number are 0 or NAN; an integer column can be read as a real. */
int64_t store_as_int(const store_value *value);
uint64_t store_as_count(const store_value *value);
double store_as_real(const store_value *value);
const char *store_as_text(const store_value *value); /* NULL is "" */

/* A row of a query. An error ends the query and is passed on. */
typedef locbo_status store_row_fn(const store_value *columns, size_t count, void *user, locbo_error *error);

typedef struct store_link store_link; /* an open connection, the engine's own struct */

/* The back-end table. Every function returns LOCBO_ERR_BUSY where doing the transaction again may help: locked, lost,
 * unreachable, serialisation failure; LOCBO_ERR_IO where it will not. */
typedef struct store_engine {
    const char *name; /* "sqlite" */
    const char *now, *lock, *skip;
    locbo_status (*open)(store_link **link, const char *location, locbo_store_mode mode, locbo_error *error);
    void (*close)(store_link *link);
    /* After LOCBO_ERR_BUSY: connect again if the connection is gone. */
    locbo_status (*mend)(store_link *link, locbo_error *error);
    locbo_status (*begin)(store_link *link, int write, locbo_error *error); /* a read sees one snapshot */
    locbo_status (*commit)(store_link *link, locbo_error *error);
    void (*rollback)(store_link *link);
    /* One statement with parameters. `row` may be NULL. `changed` (may be NULL): rows written, or returned by it. */
    locbo_status (*query)(store_link *link, const char *sql, size_t count, const store_value *parameters,
                          store_row_fn *row, void *user, uint64_t *changed, locbo_error *error);
    /* Several statements without parameters. */
    locbo_status (*script)(store_link *link, const char *sql, locbo_error *error);
    /* Whether there are any tables (not of ours; never said of PostgreSQL, where they may stand beside), and whether
     * there is the table `locbo_schema`. In a write transaction, others who do the same wait until it has ended. */
    locbo_status (*survey)(store_link *link, int *foreign, int *ours, locbo_error *error);
} store_engine;

extern const store_engine store_sqlite;
extern const store_engine store_postgres; /* if built with LOCBO_POSTGRES */

/* What is done inside a transaction. It may be called again after a rollback, so it must begin its outputs anew. */
typedef locbo_status store_work_fn(locbo_store *store, void *user, locbo_error *error);

/* Begin, work, commit; roll back on any error. LOCBO_ERR_BUSY is waited out and all of it done again, as long as the
 * store's patience lasts. */
locbo_status store_read(locbo_store *store, store_work_fn *work, void *user, locbo_error *error);
locbo_status store_write(locbo_store *store, store_work_fn *work, void *user, locbo_error *error);

/* One statement, inside `work`. */
enum { STORE_PARAMETERS = 256 }; /* at most */
locbo_status store_query(locbo_store *store, const char *sql, size_t count, const store_value *parameters,
                         store_row_fn *row, void *user, uint64_t *changed, locbo_error *error);

/* One statement in a transaction of its own, to read. The rows are handed over after it, so that `row` may take its
 * time and use the store. `row` ends it with LOCBO_ERR_STOPPED, which is no error. */
locbo_status store_list(locbo_store *store, const char *sql, size_t count, const store_value *parameters,
                        store_row_fn *row, void *user, locbo_error *error);

/* Sleep, and say why, while something else than the database must be waited for (the proposer). `waited`: seconds so
 * far. LOCBO_ERR_BUSY if the store's waiting function says to give up. */
locbo_status store_pause(locbo_store *store, const char *why, double waited, double seconds, locbo_error *error);

/* The schema in steps: version v is what steps 1 to v make. For the tests: open a new database at an older version. */
enum { STORE_SCHEMA = 2 };
locbo_status store_open_at(locbo_store **store, const char *url, locbo_store_mode mode, int version,
                           locbo_error *error);

#endif
