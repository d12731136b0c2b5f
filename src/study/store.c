/* store.c - a database of either engine: opening, the schema, transactions that are repeated while the database is
 * busy. Layer: study. */
#include "store.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock.h"
#include "mem.h"
#include "store_url.h"
#include "text.h"

enum { PATIENCE = 30 };          /* seconds, by default */
static const double SLICE = 0.1; /* seconds of a pause, between questions whether to continue to wait */

struct locbo_store {
    const store_engine *engine;
    store_link *link;
    char *url; /* without a password */
    locbo_store_mode mode;
    int version; /* of the schema */
    double patience;
    locbo_wait_fn *fn;
    void *user;
    int inside;     /* a transaction is open, and statements may be made */
    int held, lost; /* locbo_store_hold has opened one that stays; it has failed since */
    int failed;     /* the last transaction failed: check the connection first */
    int gave_up;    /* the caller has, while a statement was not answered */
    int unsure;     /* an earlier try of the present transaction may have been committed */
    uint64_t token; /* of the next call that writes; 0: a random one */
    char *author;   /* of changes; NULL: not known */
};

/* ---- values ---------------------------------------------------------------------------------- */

store_value store_int(int64_t value) { return (store_value){.kind = STORE_INT, .integer = value}; }

/* All 64 bits are kept: counts from 2^63 on are negative in the database. */
store_value store_count(uint64_t value) { return store_int((int64_t)value); }

/* SQLite's columns of doubles have no -0; stored as 0, both engines have the same bits. */
store_value store_real(double value) {
    if (isnan(value)) return (store_value){.kind = STORE_NULL};
    return (store_value){.kind = STORE_REAL, .real = value == 0 ? 0.0 : value};
}

store_value store_text(const char *text) {
    if (!text) return (store_value){.kind = STORE_NULL};
    return (store_value){.kind = STORE_TEXT, .text = text, .size = strlen(text)};
}

store_value store_bytes(const char *bytes, size_t size) {
    return (store_value){.kind = STORE_BYTES, .text = size > 0 ? bytes : "", .size = size};
}

store_value store_list_of(store_kind kind, size_t count, const store_value *items, size_t step) {
    return (store_value){.kind = STORE_LIST, .integer = kind, .size = count, .items = items, .step = step};
}

int64_t store_as_int(const store_value *value) {
    if (value->kind == STORE_INT) return value->integer;
    int fits = value->kind == STORE_REAL && value->real >= -0x1p63 && value->real < 0x1p63;
    return fits ? (int64_t)value->real : 0;
}

uint64_t store_as_count(const store_value *value) { return (uint64_t)store_as_int(value); }

double store_as_real(const store_value *value) {
    if (value->kind == STORE_INT) return (double)value->integer;
    return value->kind == STORE_REAL ? value->real : (double)NAN;
}

const char *store_as_text(const store_value *value) { return value->kind == STORE_TEXT ? value->text : ""; }

/* ---- waiting --------------------------------------------------------------------------------- */

double store_jitter(void) {
    uint64_t mixed = ((uint64_t)(1e9 * clock_now()) ^ (uint64_t)getpid() << 20) * UINT64_C(0x9e3779b97f4a7c15);
    return 0.5 + (double)(mixed >> 40) * 0x1p-25;
}

/* A signal ends the sleep early; the caller then asks locbo_wait_fn whether to continue. */
static void sleep_for(double seconds) {
    struct timespec t = clock_span(seconds < 3600 ? seconds : 3600);
    if (seconds > 0) nanosleep(&t, NULL);
}

locbo_status store_pause(locbo_store *store, const char *why, double waited, double seconds, locbo_error *error) {
    locbo_error copy; /* `why` may be the message of `error` */
    snprintf(copy.message, sizeof copy.message, "%s", why);
    if (!(waited < store->patience))
        return waited < 0.1 ? status_fail(error, LOCBO_ERR_BUSY, "%s", copy.message)
                            : status_fail(error, LOCBO_ERR_BUSY, "%.220s (waited %.1f s)", copy.message, waited);
    double left = fmin(seconds, store->patience - waited);
    for (;; left -= SLICE) {
        if (store->fn && store->fn(copy.message, waited, store->user) != 0)
            return status_fail(error, LOCBO_ERR_BUSY, "gave up waiting: %.220s", copy.message);
        sleep_for(fmin(left, SLICE));
        waited += SLICE;
        if (left <= SLICE) return LOCBO_OK;
    }
}

void locbo_store_patience(locbo_store *store, double seconds, locbo_wait_fn *fn, void *user) {
    if (!store) return;
    store->patience = seconds > 0 ? seconds : 0;
    store->fn = fn;
    store->user = user;
}

/* After a transaction that failed with LOCBO_ERR_BUSY (`error`): wait, LOCBO_OK if it is to be tried again. Pauses grow
 * from 5 ms to 1 s. */
static locbo_status await_turn(locbo_store *store, int tries, double waited, locbo_error *error) {
    double pause = fmin(1, 0.005 * ldexp(1, tries < 8 ? tries : 8)) * store_jitter();
    return store_pause(store, error->message, waited, pause, error);
}

/* A statement is not answered; transact then gives up, or tries again. A server that is only busy says so after a
 * second (lock_timeout), so each statement has two. */
static int attend(double waited, void *user) {
    locbo_store *store = user;
    if (store->fn && store->fn("the database is busy, or does not answer", waited, store->user) != 0)
        store->gave_up = 1;
    return store->gave_up || !(waited < fmax(store->patience, 2));
}

/* ---- transactions ---------------------------------------------------------------------------- */

/* An older database that is only read: another process may have added to its schema since it was opened. */
static int is_older(const locbo_store *store) {
    return store->mode == LOCBO_STORE_READ_ONLY && store->version > 0 && store->version < STORE_SCHEMA;
}

static locbo_status take_later(const store_value *columns, size_t count, void *user, locbo_error *error) {
    locbo_store *store = user;
    int64_t version = store_as_int(&columns[0]);
    (void)count;
    if (version > STORE_SCHEMA)
        return status_fail(error, LOCBO_ERR_SCHEMA, "%s was upgraded to a newer schema: use a newer locbo", store->url);
    store->version = (int)version;
    return LOCBO_OK;
}

static locbo_status look_again(locbo_store *store, void *user, locbo_error *error) {
    (void)user;
    return store_query(store, "SELECT version FROM locbo_schema", 0, NULL, take_later, store, NULL, error);
}

static locbo_status try_once(locbo_store *store, store_access access, store_work_fn *work, void *user,
                             locbo_error *error) {
    const store_engine *e = store->engine;
    locbo_status status = store->failed ? e->reconnect(store->link, error) : LOCBO_OK;
    store->inside = 1;
    if (status == LOCBO_OK) status = e->begin(store->link, access, error);
    if (status == LOCBO_OK && is_older(store)) status = look_again(store, NULL, error);
    if (status == LOCBO_OK) status = work(store, user, error);
    if (status == LOCBO_OK && access != STORE_HOLD) {
        int unsure = 0;
        status = e->commit(store->link, &unsure, error);
        if (status != LOCBO_OK && unsure) store->unsure = 1;
    }
    if (status != LOCBO_OK) e->rollback(store->link);
    store->inside = 0;
    store->failed = status != LOCBO_OK;
    return status;
}

/* Inside the transaction of locbo_store_hold. What has failed there cannot be repeated: its moment has passed. */
static locbo_status read_held(locbo_store *store, store_work_fn *work, void *user, locbo_error *error) {
    locbo_error local = {LOCBO_OK, ""};
    if (store->lost)
        return status_fail(error, LOCBO_ERR_BUSY, "what was held of %s is lost: hold it again", store->url);
    store->inside = 1;
    locbo_status status = work(store, user, &local);
    store->inside = 0;
    if (status == LOCBO_OK) return status_ok(error);
    store->lost = status == LOCBO_ERR_BUSY || !store->engine->is_open(store->link);
    if (status == LOCBO_ERR_BUSY)
        return status_fail(error, status, "%.190s; what was held is lost: hold it again", local.message);
    if (error) *error = local;
    return status;
}

static locbo_status transact(locbo_store *store, store_access access, store_work_fn *work, void *user,
                             locbo_error *error) {
    if (store->inside)
        return status_fail(error, LOCBO_ERR_STATE, "a transaction inside a transaction on %s", store->url);
    if (store->held) return read_held(store, work, user, error);
    locbo_error local = {LOCBO_OK, ""};
    double start = clock_now();
    int again = 1; /* after a commit that failed: what it wrote is replaced by the second try, or found by it */
    locbo_status status;
    store->unsure = store->gave_up = 0;
    for (int tries = 0;; tries += tries < 100) {
        status = try_once(store, access, work, user, &local);
        if (status == LOCBO_ERR_IO && store->unsure && again-- > 0) continue;
        if (status != LOCBO_ERR_BUSY) break;
        if (store->gave_up) {
            status_fail(&local, status, "gave up waiting: the database is busy, or does not answer");
            break;
        }
        status = await_turn(store, tries, clock_now() - start, &local);
        if (status != LOCBO_OK) break;
    }
    if (status == LOCBO_OK) return status_ok(error);
    if (error) *error = local;
    return status;
}

locbo_status store_read(locbo_store *store, store_work_fn *work, void *user, locbo_error *error) {
    return transact(store, STORE_READ, work, user, error);
}

locbo_status store_check_write(const locbo_store *store, locbo_error *error) {
    if (store->mode == LOCBO_STORE_READ_ONLY)
        return status_fail(error, LOCBO_ERR_STATE, "%s was opened for reading only", store->url);
    if (store->held)
        return status_fail(error, LOCBO_ERR_STATE, "%s is held for reading: release it before a call that writes",
                           store->url);
    return LOCBO_OK;
}

locbo_status store_write(locbo_store *store, store_work_fn *work, void *user, locbo_error *error) {
    locbo_status status = store_check_write(store, error);
    return status == LOCBO_OK ? transact(store, STORE_WRITE, work, user, error) : status;
}

locbo_status store_write_once(locbo_store *store, store_work_fn *work, void *user, locbo_error *error) {
    double patience = store->patience;
    locbo_wait_fn *fn = store->fn;
    locbo_store_patience(store, 0, NULL, store->user);
    locbo_status status = store_write(store, work, user, error);
    locbo_store_patience(store, patience, fn, store->user);
    return status;
}

/* Both engines take their snapshot at the first statement, so one is made. */
locbo_status locbo_store_hold(locbo_store *store, locbo_error *error) {
    if (!store) return status_fail(error, LOCBO_ERR_ARGUMENT, "store must not be NULL");
    if (store->held) return status_fail(error, LOCBO_ERR_STATE, "%s is held already", store->url);
    locbo_status status = transact(store, STORE_HOLD, look_again, NULL, error);
    store->held = status == LOCBO_OK;
    store->lost = 0;
    return status;
}

void locbo_store_release(locbo_store *store) {
    if (!store || !store->held) return;
    int unsure;
    store->held = 0;
    store->failed = store->lost || store->engine->commit(store->link, &unsure, NULL) != LOCBO_OK;
    if (store->failed) store->engine->rollback(store->link);
}

int store_is_well(const locbo_store *store) { return !store->failed; }

int store_version(const locbo_store *store) { return store->version; }

int store_has_lists(const locbo_store *store) { return store->engine->lists; }

int store_is_unsure(const locbo_store *store) { return store->unsure; }

/* After a failed commit SQLite's log may hold the whole transaction, which counts if the power fails before another
 * commit replaces it: that it cannot be read now says nothing. */
void store_set_sure(locbo_store *store) {
    if (store->engine != &store_sqlite) store->unsure = 0;
}

void locbo_store_token(locbo_store *store, uint64_t token) {
    if (store) store->token = token;
}

locbo_status locbo_store_author(locbo_store *store, const char *author, locbo_error *error) {
    if (!store || !author) return status_fail(error, LOCBO_ERR_ARGUMENT, "store and author must not be NULL");
    if (!text_is_valid(author)) return status_fail(error, LOCBO_ERR_ARGUMENT, "author: not UTF-8: '%s'", author);
    char *copy = mem_text(author);
    if (!copy) return status_no_memory(error);
    mem_free(store->author);
    store->author = copy;
    return status_ok(error);
}

const char *store_author(const locbo_store *store) { return store->author ? store->author : ""; }

uint64_t store_take_token(locbo_store *store) {
    uint64_t token = store->token;
    store->token = 0;
    return token;
}

/* ---- statements ------------------------------------------------------------------------------ */

static const char BY_RUN[] = "failure NOT IN (SELECT event FROM locbo_change WHERE study = $1)";
static const char TOUCHED[] = "SELECT trial FROM locbo_change WHERE study = $1 AND event > $4 AND trial IS NOT NULL";
static const char STEPS[] = "(SELECT max(step) FROM locbo_step s WHERE s.study = locbo_trial.study"
                            " AND s.trial = locbo_trial.number AND s.attempt = locbo_trial.attempt)";
/* Trials that were made for processes that wait, and given to nobody so far: LEDGER_AHEAD. */
static const char AHEAD[] = "(state = 'WAITING' AND coalesce(lease_length, 0) = -2)";
static const char NOTHING_TOUCHED[] = "SELECT number FROM locbo_trial WHERE 1 = 0";

/* What the engine writes for the word at `sql`, whose length is `length`. NULL: not one of these words. */
static const char *spelling(const locbo_store *store, const char *sql, size_t *length) {
    const store_engine *engine = store->engine;
    int changeable = store->version >= 6;
    const struct {
        const char *word, *spelling;
    } words[] = {{"{now}", engine->now},
                 {"{lock}", engine->lock},
                 {"{skip}", engine->skip},
                 {"{queue}", engine->queue},
                 {"{lost}", store->version >= 3 ? "lost" : "0"},
                 {"{scale}", store->version >= 4 ? "scale" : "NULL"},
                 {"{choice}", store->version >= 4 ? "choice" : "NULL"},
                 {"{reference}", store->version >= 5 ? "reference" : "NULL"},
                 {"{output}", store->version >= 5 ? "output" : "0"},
                 {"{revision}", changeable ? "revision" : "0"},
                 {"{retraction}", changeable ? "retraction" : "0"},
                 {"{paused}", changeable ? "paused" : "NULL"},
                 {"{note}", changeable ? "note" : "''"},
                 {"{tags}", changeable ? "tags" : "''"},
                 {"{outside}", changeable ? "outside" : "NULL"},
                 {"{retracted}", changeable ? "retracted" : "NULL"},
                 {"{valid}", changeable ? "retracted IS NULL" : "1 = 1"},
                 {"{by_run}", changeable ? BY_RUN : "1 = 1"},
                 {"{ahead}", store->version >= 9 ? AHEAD : "1 = 0"},
                 {"{touched}", changeable ? TOUCHED : NOTHING_TOUCHED},
                 {"{results}", store->version >= 8 ? "results" : "NULL"},
                 {"{timed}", store->version >= 8 ? "timed" : "NULL"},
                 {"{seconds}", store->version >= 8 ? "seconds" : "NULL"},
                 {"{steps}", store->version >= 7 ? STEPS : "NULL"}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        *length = strlen(words[i].word);
        if (strncmp(sql, words[i].word, *length) == 0) return words[i].spelling;
    }
    return NULL;
}

static char *expand(const locbo_store *store, const char *sql) {
    const store_engine *engine = store->engine;
    size_t longest = sizeof TOUCHED + sizeof STEPS + strlen(engine->now) + strlen(engine->lock) + strlen(engine->skip) +
                     strlen(engine->queue),
           room = 1;
    for (const char *c = sql; *c; c++) room += *c == '{' ? longest + 1 : 1;
    char *expanded = mem_new(room, 1), *to = expanded;
    while (expanded && *sql) {
        size_t length = 0;
        const char *word = *sql == '{' ? spelling(store, sql, &length) : NULL;
        if (word) {
            to = stpcpy(to, word);
            sql += length;
        } else {
            *to++ = *sql++;
        }
    }
    for (char *c = expanded; c && *c; c++)
        if (*c == '$') *c = engine->mark;
    return expanded;
}

locbo_status store_query(locbo_store *store, const char *sql, size_t count, const store_value *parameters,
                         store_row_fn *row, void *user, uint64_t *changed, locbo_error *error) {
    if (!store->inside) return status_fail(error, LOCBO_ERR_STATE, "a statement outside a transaction: %s", sql);
    if (count > STORE_PARAMETERS)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "%zu parameters, at most %d: %s", count, STORE_PARAMETERS, sql);
    char *expanded = expand(store, sql);
    if (!expanded) return status_no_memory(error);
    uint64_t ignored;
    locbo_status status =
        store->engine->query(store->link, expanded, count, parameters, row, user, changed ? changed : &ignored, error);
    mem_free(expanded);
    return status;
}

typedef struct single {
    const char *sql;
    size_t count;
    const store_value *parameters;
    store_row_fn *row;
    void *user;
    uint64_t *rows;
} single;

static locbo_status run_single(locbo_store *store, void *user, locbo_error *error) {
    const single *s = user;
    return store_query(store, s->sql, s->count, s->parameters, s->row, s->user, s->rows, error);
}

locbo_status store_single(locbo_store *store, const char *sql, size_t count, const store_value *parameters,
                          store_row_fn *row, void *user, uint64_t *rows, locbo_error *error) {
    single s = {sql, count, parameters, row, user, rows};
    return transact(store, STORE_SINGLE, run_single, &s, error);
}

typedef struct row_list {
    const char *sql;
    size_t parameter_count;
    const store_value *parameters;
    size_t columns, count, capacity;
    store_value *values; /* count x columns; texts and bytes are copies */
} row_list;

static void clear_rows(row_list *l) {
    for (size_t i = 0; i < l->count * l->columns; i++) {
        mem_free((void *)l->values[i].text);
        l->values[i].text = NULL;
    }
    l->count = 0;
}

static locbo_status keep_row(const store_value *columns, size_t count, void *user, locbo_error *error) {
    row_list *l = user;
    l->columns = count;
    if (!mem_reserve(&l->values, &l->capacity, l->count + 1, count * sizeof *l->values)) return status_no_memory(error);
    store_value *row = l->values + l->count++ * count;
    for (size_t i = 0; i < count; i++) {
        int copied = columns[i].kind == STORE_TEXT || columns[i].kind == STORE_BYTES;
        char *text = copied ? mem_new(columns[i].size + 1, 1) : NULL;
        row[i] = columns[i];
        row[i].text = text;
        if (copied && !text) return status_no_memory(error);
        if (copied && columns[i].size) memcpy(text, columns[i].text, columns[i].size);
    }
    return LOCBO_OK;
}

static locbo_status keep_rows(locbo_store *store, void *user, locbo_error *error) {
    row_list *l = user;
    clear_rows(l);
    return store_query(store, l->sql, l->parameter_count, l->parameters, keep_row, l, NULL, error);
}

locbo_status store_list(locbo_store *store, const char *sql, size_t count, const store_value *parameters,
                        store_row_fn *row, void *user, locbo_error *error) {
    row_list l = {.sql = sql, .parameter_count = count, .parameters = parameters};
    locbo_status status = store_read(store, keep_rows, &l, error);
    for (size_t i = 0; i < l.count && status == LOCBO_OK; i++)
        status = row(l.values + i * l.columns, l.columns, user, error);
    clear_rows(&l);
    mem_free(l.values);
    return status == LOCBO_OK || status == LOCBO_ERR_STOPPED ? status_ok(error) : status;
}

/* ---- the schema ------------------------------------------------------------------------------ */

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Woverlength-strings" /* gcc and clang accept far longer ones */
static const char schema[] =
#include "schema.inc"
    ;
#pragma GCC diagnostic pop

/* From the heading "-- step N:" or "-- step N, ENGINE:" to the next one; nothing if there is no such heading. */
static locbo_status run_part(locbo_store *store, int step, const char *engine, locbo_error *error) {
    char heading[48];
    snprintf(heading, sizeof heading, "\n-- step %d%s%s:", step, *engine ? ", " : "", engine);
    const char *from = strstr(schema, heading);
    if (!from) return LOCBO_OK;
    char *text = mem_text(from + 1);
    if (!text) return status_no_memory(error);
    char *next = strstr(text, "\n-- step ");
    if (next) *next = '\0';
    locbo_status status = store->engine->script(store->link, text, error);
    mem_free(text);
    return status;
}

/* What both engines share, then what this one needs. */
static locbo_status run_step(locbo_store *store, int step, locbo_error *error) {
    locbo_status status = run_part(store, step, "", error);
    return status == LOCBO_OK ? run_part(store, step, store->engine->name, error) : status;
}

typedef struct survey {
    int foreign, ours;
    int64_t version, rows;
} survey;

static locbo_status take_version(const store_value *columns, size_t count, void *user, locbo_error *error) {
    (void)count, (void)error;
    survey *found = user;
    found->version = store_as_int(&columns[0]);
    found->rows++;
    return LOCBO_OK;
}

static locbo_status judge(const locbo_store *store, const survey *found, locbo_error *error) {
    if (found->foreign && !found->ours)
        return status_fail(error, LOCBO_ERR_SCHEMA, "%s is a SQLite database, but not one of locbo", store->url);
    if (found->ours && (found->rows != 1 || found->version < 1))
        return status_fail(error, LOCBO_ERR_SCHEMA,
                           "%s: its table locbo_schema is damaged: %" PRId64 " rows, version %" PRId64, store->url,
                           found->rows, found->version);
    if (found->version > STORE_SCHEMA)
        return status_fail(error, LOCBO_ERR_SCHEMA,
                           "%s has schema version %" PRId64 ", this program knows up to %d: use a newer locbo",
                           store->url, found->version, (int)STORE_SCHEMA);
    return LOCBO_OK;
}

/* Find out what the database has (`user`: a survey); LOCBO_ERR_SCHEMA if it is not one of locbo. */
static locbo_status look(locbo_store *store, void *user, locbo_error *error) {
    survey *found = user;
    *found = (survey){0};
    locbo_status status = store->engine->survey(store->link, &found->foreign, &found->ours, error);
    if (status == LOCBO_OK && found->ours)
        status = store_query(store, "SELECT version FROM locbo_schema", 0, NULL, take_version, found, NULL, error);
    return status == LOCBO_OK ? judge(store, found, error) : status;
}

/* Upgrade the schema to the version `*user`, in one transaction. It looks again, because another process may have done
 * it meanwhile. */
static locbo_status build(locbo_store *store, void *user, locbo_error *error) {
    int version = *(int *)user;
    survey found;
    locbo_status status = look(store, &found, error);
    if (status == LOCBO_OK && !found.ours)
        status = store->engine->script(store->link,
                                       "CREATE TABLE locbo_schema (version BIGINT NOT NULL);"
                                       "INSERT INTO locbo_schema (version) VALUES (0)",
                                       error);
    int64_t at = found.version;
    for (; status == LOCBO_OK && at < version; at++) status = run_step(store, (int)at + 1, error);
    store_value reached = store_int(at);
    if (status == LOCBO_OK)
        status = store_query(store, "UPDATE locbo_schema SET version = $1", 1, &reached, NULL, NULL, NULL, error);
    return status;
}

static locbo_status not_there(const locbo_store *store, locbo_error *error) {
    if (store->engine == &store_sqlite)
        return status_fail(error, LOCBO_ERR_SCHEMA, "%s is empty, not a locbo database", store->url);
    return status_fail(error, LOCBO_ERR_NOT_FOUND, "there are no studies in %s", store->url);
}

/* Check the schema, and create or upgrade it if the mode allows it. */
static locbo_status settle(locbo_store *store, int version, locbo_error *error) {
    survey found;
    locbo_status status = store_read(store, look, &found, error);
    if (status != LOCBO_OK) return status;
    if (!found.ours && store->mode != LOCBO_STORE_CREATE) return not_there(store, error);
    store->version = (int)found.version;
    if (found.version >= version) return LOCBO_OK;
    if (store->mode == LOCBO_STORE_READ_ONLY && found.version >= STORE_OLDEST_READ) return LOCBO_OK;
    if (store->mode == LOCBO_STORE_READ_ONLY)
        return status_fail(error, LOCBO_ERR_SCHEMA,
                           "%s has schema version %" PRId64
                           ", this program reads %d: opening it once for writing upgrades it",
                           store->url, found.version, version);
    status = store->engine->upgrade(store->link, 1, error);
    if (status == LOCBO_OK) status = store_write(store, build, &version, error);
    if (status == LOCBO_OK) status = store->engine->upgrade(store->link, 0, error);
    store->version = version;
    return status;
}

/* ---- opening and closing --------------------------------------------------------------------- */

static locbo_status choose_engine(const store_url *parts, const store_engine **engine, locbo_error *error) {
    *engine = &store_sqlite;
    if (!parts->postgres) return LOCBO_OK;
#ifdef LOCBO_POSTGRES
    (void)error;
    *engine = &store_postgres;
    return LOCBO_OK;
#else
    return status_fail(error, LOCBO_ERR_ARGUMENT, "this locbo was built without PostgreSQL: %s", parts->shown);
#endif
}

/* How a store is to be opened. */
typedef struct opening {
    locbo_store_mode mode;
    int version;
    double patience;
    locbo_wait_fn *fn;
    void *user;
} opening;

static locbo_status open_store(locbo_store **store, const char *url, const opening *how, locbo_error *error) {
    if (!store || !url) return status_fail(error, LOCBO_ERR_ARGUMENT, "store and url must not be NULL");
    if ((int)how->mode < LOCBO_STORE_EXISTING || how->mode > LOCBO_STORE_READ_ONLY)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "there is no store mode %d", (int)how->mode);
    locbo_store *s = mem_new(1, sizeof *s);
    if (!s) return status_no_memory(error);
    s->mode = how->mode;
    locbo_store_patience(s, how->patience, how->fn, how->user);
    store_url parts;
    locbo_status status = store_url_read(&parts, url, error);
    s->url = parts.shown;
    if (status == LOCBO_OK) status = choose_engine(&parts, &s->engine, error);
    if (status == LOCBO_OK) status = s->engine->open(&s->link, parts.location, s->mode, error);
    if (status == LOCBO_OK) s->engine->attend(s->link, attend, s);
    if (status == LOCBO_OK) status = settle(s, how->version, error);
    if (status != LOCBO_OK) {
        locbo_store_close(s);
        return status;
    }
    *store = s;
    return status_ok(error);
}

locbo_status store_open_at(locbo_store **store, const char *url, locbo_store_mode mode, int version,
                           locbo_error *error) {
    return open_store(store, url, &(opening){mode, version, PATIENCE, NULL, NULL}, error);
}

locbo_status locbo_store_open(locbo_store **store, const char *url, locbo_store_mode mode, locbo_error *error) {
    return store_open_at(store, url, mode, STORE_SCHEMA, error);
}

locbo_status locbo_store_open_patiently(locbo_store **store, const char *url, locbo_store_mode mode, double seconds,
                                        locbo_wait_fn *fn, void *user, locbo_error *error) {
    return open_store(store, url, &(opening){mode, STORE_SCHEMA, seconds, fn, user}, error);
}

void locbo_store_close(locbo_store *store) {
    if (!store) return;
    if (store->link) store->engine->close(store->link);
    mem_free(store->url);
    mem_free(store->author);
    mem_free(store);
}

const char *locbo_store_url(const locbo_store *store) { return store ? store->url : ""; }

/* ---- the studies in it ----------------------------------------------------------------------- */

typedef struct naming {
    locbo_name_fn *fn;
    void *user;
} naming;

static locbo_status give_name(const store_value *columns, size_t count, void *user, locbo_error *error) {
    const naming *n = user;
    (void)count, (void)error;
    return n->fn(store_as_text(&columns[0]), n->user) == 0 ? LOCBO_OK : LOCBO_ERR_STOPPED;
}

locbo_status locbo_store_each(locbo_store *store, locbo_name_fn *fn, void *user, locbo_error *error) {
    if (!store || !fn) return status_fail(error, LOCBO_ERR_ARGUMENT, "store and fn must not be NULL");
    naming n = {fn, user};
    return store_list(store, "SELECT name FROM locbo_study ORDER BY id", 0, NULL, give_name, &n, error);
}
