/* store.h - a database of either engine, SQLite or PostgreSQL. The files of the study write each statement once, for
 * both; an engine is a struct of functions.
 *
 * Statements use $1, $2 ... for parameters (both engines accept them), and these words, which are replaced:
 *
 *     {now}    the present time as seconds since 1970 (double)
 *     {lock}   " FOR UPDATE"; this and the next two are empty for SQLite, where only one transaction can write
 *     {skip}   " FOR UPDATE SKIP LOCKED"
 *     {queue}  a further condition of an UPDATE of locbo_study WHERE id = $1: those who want to change this row wait in
 * a queue, where PostgreSQL would otherwise wake all of them whenever one has ended
 *     {lost}   the column of locbo_trial, which older schemas lack; likewise {scale} of locbo_trial, {choice} of
 *              locbo_fit, {reference} of locbo_study, {output} of locbo_measurement and locbo_fit, {revision},
 *              {retraction}, {paused}, {results}, {timed} and {seconds} of locbo_study, {outside} of locbo_trial,
 * {note} and {tags} of both {valid}  a condition on rows of locbo_measurement: the result was not taken back {by_run} a
 * condition on rows of locbo_trial of study $1: it failed, and nobody said so afterwards {ahead} likewise: it was made
 * for a process that waits, and given to nobody so far {touched} a query: the trials of study $1 that were changed
 * after event $4 {steps}  the last reported step of the row of locbo_trial; older schemas have no table of them
 *
 * Values are 64-bit integers, doubles (bit for bit, but -0 becomes 0, because SQLite's columns of doubles have no -0;
 * NAN is stored as NULL and read as NAN), UTF-8 texts, bytes. */
#ifndef STORE_H
#define STORE_H

#include <locbo/study.h>
#include <stddef.h>
#include <stdint.h>

#include "status.h"

typedef enum store_kind { STORE_NULL, STORE_INT, STORE_REAL, STORE_TEXT, STORE_BYTES, STORE_LIST } store_kind;

/* Texts and bytes belong to the caller (parameters), or are valid during the call (columns); texts end with a 0. */
typedef struct store_value {
    store_kind kind;
    int64_t integer;
    double real;
    const char *text;
    size_t size; /* of the text or the bytes; of a list: of items */
    const struct store_value
        *items;  /* of a list: items[0], items[step], items[2 * step] ..., integers, reals or texts */
    size_t step; /* as `integer` says (a store_kind), or NULL */
} store_value;

store_value store_int(int64_t value);
store_value store_count(uint64_t value);
store_value store_real(double value);     /* NAN: NULL */
store_value store_text(const char *text); /* NULL: NULL */
store_value store_bytes(const char *bytes, size_t size);
/* A parameter for engines that have lists. The items belong to the caller. */
store_value store_list_of(store_kind kind, size_t count, const store_value *items, size_t step);
/* A column as a number: NULL and texts are 0 or NAN; an integer column can be read as a real. */
int64_t store_as_int(const store_value *value);
uint64_t store_as_count(const store_value *value);
double store_as_real(const store_value *value);
const char *store_as_text(const store_value *value); /* NULL is "" */

/* Two arguments of store_query: the number of values, and the values. */
#define VALUES(...)                                                                                                    \
    sizeof((store_value[]){__VA_ARGS__}) / sizeof(store_value), (store_value[]) { __VA_ARGS__ }

/* Called with each row of a query. An error ends the query, which returns it. */
typedef locbo_status store_row_fn(const store_value *columns, size_t count, void *user, locbo_error *error);

typedef struct store_link store_link; /* an open connection; each engine defines it */

/* Called while the database does not answer, with the seconds waited so far. Return 0 to continue to wait. */
typedef int store_attend_fn(double waited, void *user);

typedef enum store_access {
    STORE_READ, /* one snapshot */
    STORE_HOLD, /* one that several calls read, see locbo_store_hold */
    STORE_WRITE,
    STORE_SINGLE /* one statement that reads: it needs no transaction */
} store_access;

/* The functions of an engine. They return LOCBO_ERR_BUSY where repeating the transaction may help (locked, connection
 * lost, unreachable, serialisation failure), LOCBO_ERR_IO where it does not. */
typedef struct store_engine {
    const char *name; /* "sqlite" */
    const char *now, *lock, *skip, *queue;
    char mark; /* before the number of a parameter; statements have $ */
    int lists; /* a parameter may be a list: unnest($1::bigint[]) */
    locbo_status (*open)(store_link **link, const char *location, locbo_store_mode mode, locbo_error *error);
    void (*close)(store_link *link);
    /* Whom to ask while a statement is not answered: gives up the connection if it says so. */
    void (*attend)(store_link *link, store_attend_fn *fn, void *user);
    /* After a failed transaction: connect again if the connection is lost. */
    locbo_status (*reconnect)(store_link *link, locbo_error *error);
    locbo_status (*begin)(store_link *link, store_access access, locbo_error *error);
    /* `unsure` on failure: 1 if the transaction may have been committed all the same, otherwise 0. */
    locbo_status (*commit)(store_link *link, int *unsure, locbo_error *error);
    void (*rollback)(store_link *link);
    /* Whether the transaction is open and can go on, after a statement failed. */
    int (*is_open)(const store_link *link);
    /* One statement with parameters. `row` may be NULL. `changed` (may be NULL): rows written, or returned by it. */
    locbo_status (*query)(store_link *link, const char *sql, size_t count, const store_value *parameters,
                          store_row_fn *row, void *user, uint64_t *changed, locbo_error *error);
    /* Several statements without parameters. */
    locbo_status (*script)(store_link *link, const char *sql, locbo_error *error);
    /* Before (1) and after (0) the transaction that upgrades the schema, which may drop a table that others refer to.
     */
    locbo_status (*upgrade)(store_link *link, int begins, locbo_error *error);
    /* Whether the database has tables of other programs (always 0 for PostgreSQL, where they do not matter), and
     * whether it has the table `locbo_schema`. In a write transaction this also locks out other processes that call it.
     */
    locbo_status (*survey)(store_link *link, int *foreign, int *ours, locbo_error *error);
} store_engine;

extern const store_engine store_sqlite;
extern const store_engine store_postgres; /* if built with LOCBO_POSTGRES */

int store_has_lists(const locbo_store *store);
/* The version of the schema when the store was opened. */
int store_version(const locbo_store *store);

/* The statements of a transaction. It may be called again after a rollback, so it must reset its outputs first. */
typedef locbo_status store_work_fn(locbo_store *store, void *user, locbo_error *error);

/* Begin, work, commit; roll back on any error. After LOCBO_ERR_BUSY it waits and repeats all of it, for as long as
 * locbo_store_patience allows; after a commit that failed while reading or writing, once. What cannot be repeated
 * without harm is written by token_run (token.h). While the store is held (locbo_store_hold), reading is the work
 * alone, once, and writing is refused. */
locbo_status store_read(locbo_store *store, store_work_fn *work, void *user, locbo_error *error);
locbo_status store_write(locbo_store *store, store_work_fn *work, void *user, locbo_error *error);
/* LOCBO_ERR_STATE if it would refuse to write: for calls that wait before they do. */
locbo_status store_check_write(const locbo_store *store, locbo_error *error);
/* The same, tried once, without waiting. */
locbo_status store_write_once(locbo_store *store, store_work_fn *work, void *user, locbo_error *error);

/* Whether the last transaction ended well: if not, the next one may wait for a database that does not answer. */
int store_is_well(const locbo_store *store);
/* Whether an earlier try of the present transaction may have been committed. store_set_sure: it is now known. */
int store_is_unsure(const locbo_store *store);
void store_set_sure(locbo_store *store);
/* The token that locbo_store_token has set for the next call, which is then used up; 0: none. */
uint64_t store_take_token(locbo_store *store);
/* Who makes changes; "": not known. */
const char *store_author(const locbo_store *store);

/* One statement, inside `work`. */
enum { STORE_PARAMETERS = 256 }; /* at most */
locbo_status store_query(locbo_store *store, const char *sql, size_t count, const store_value *parameters,
                         store_row_fn *row, void *user, uint64_t *changed, locbo_error *error);

/* One statement that reads, repeated while the database is busy. It costs one round trip to a server. */
locbo_status store_single(locbo_store *store, const char *sql, size_t count, const store_value *parameters,
                          store_row_fn *row, void *user, uint64_t *rows, locbo_error *error);

/* One statement in its own read transaction. `row` is called after the transaction, so that it does not block others
 * and may use the store. It ends the list by LOCBO_ERR_STOPPED, which is no error. */
locbo_status store_list(locbo_store *store, const char *sql, size_t count, const store_value *parameters,
                        store_row_fn *row, void *user, locbo_error *error);

/* Call the store's locbo_wait_fn with `why` and the seconds `waited` so far, then sleep. LOCBO_ERR_BUSY if it says to
 * give up, or if the patience has ended. */
locbo_status store_pause(locbo_store *store, const char *why, double waited, double seconds, locbo_error *error);

/* In [0.5, 1), different in each process: a factor of pauses, so that two processes do not try again at the same time.
 * Results do not depend on it. */
double store_jitter(void);

/* Schema version v is the result of steps 1 to v. store_open_at: for tests, create a database of an older version. */
enum { STORE_SCHEMA = 9, STORE_OLDEST_READ = 2 /* the oldest that can be read without an upgrade */ };
locbo_status store_open_at(locbo_store **store, const char *url, locbo_store_mode mode, int version,
                           locbo_error *error);

#endif
