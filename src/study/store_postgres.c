/* store_postgres.c - the engine for many machines: PostgreSQL by libpq. Layer: study.
 *
 * Values are sent in binary, so that doubles are exact and the locale does not matter. A lost connection, one that is
 * refused for the moment, or a conflict with another transaction is LOCBO_ERR_BUSY; store.c waits, connects again, and
 * repeats the transaction. */
#include <ctype.h>
#include <endian.h>
#include <inttypes.h>
#include <libpq-fe.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "buffer.h"
#include "clock.h"
#include "mem.h"
#include "socket.h"
#include "store.h"
#include "store_url.h"

enum { KEPT = 128, KEPT_PARAMETERS = 64 };

/* A statement that was made before, on this connection. */
typedef struct kept_statement {
    char *sql;
    size_t count;
    Oid types[KEPT_PARAMETERS];
    unsigned seen;
    int prepared; /* the server has it, by this name */
    char name[24];
} kept_statement;

struct store_link {
    PGconn *connection;
    kept_statement kept[KEPT];
    size_t kept_count;
    int forgetful;           /* the server does not keep them: there is a pooler between */
    store_attend_fn *attend; /* NULL: wait for ever */
    void *user;
    store_access access; /* of the present transaction */
};

/* From the server's catalogue pg_type. */
enum {
    TYPE_BOOL = 16,
    TYPE_BYTEA = 17,
    TYPE_NAME = 19,
    TYPE_INT8 = 20,
    TYPE_INT2 = 21,
    TYPE_INT4 = 23,
    TYPE_TEXT = 25,
    TYPE_FLOAT4 = 700,
    TYPE_FLOAT8 = 701,
    TYPE_TEXT_LIST = 1009,
    TYPE_INT8_LIST = 1016,
    TYPE_FLOAT8_LIST = 1022,
    TYPE_VARCHAR = 1043
};

/* ---- failures -------------------------------------------------------------------------------- */

/* Whether the server's code (SQLSTATE) is of a temporary error. */
static int is_temporary(const char *state) {
    static const char *const known[] = {
        "40001", /* serialisation failure */
        "40P01", /* deadlock */
        "55P03", /* a lock that was waited for too long */
        "57014", /* cancelled: the administrator's time limit */
        "57P01", /* shut down, or this connection ended */
        "57P02", /* crashed */
        "57P03", /* starting, or shutting down */
        "57P05", /* idle for too long */
        "25P03", /* the same inside a transaction */
        "53200", /* the server is out of memory */
        "53300"  /* too many connections */
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(state, known[i]) == 0) return 1;
    return strncmp(state, "08", 2) == 0 && strcmp(state, "08P01") != 0; /* the connection; misuse */
}

static locbo_status status_of(const char *state) {
    if (is_temporary(state)) return LOCBO_ERR_BUSY;
    if (strcmp(state, "3D000") == 0) return LOCBO_ERR_NOT_FOUND; /* no such database */
    return strncmp(state, "23", 2) == 0 ? LOCBO_ERR_STATE /* a constraint */ : LOCBO_ERR_IO;
}

/* The length of the first line of libpq's message; the other lines are advice. */
static int first_line(const char *text) { return (int)strcspn(text, "\n"); }

/* The code in "...FATAL:  28P01: words", as libpq writes it with PQERRORS_VERBOSE: there is no other way to know the
 * code of a refused connection. "" if there is none. */
static void find_state(const char *text, char state[6]) {
    state[0] = '\0';
    for (const char *c = strstr(text, ":  "); c; c = strstr(c + 1, ":  ")) {
        size_t length = 0;
        while (isupper((unsigned char)c[3 + length]) || isdigit((unsigned char)c[3 + length])) length++;
        if (length != 5 || c[8] != ':') continue;
        memcpy(state, c + 3, 5);
        state[5] = '\0';
        return;
    }
}

/* The error of a refused connection; LOCBO_ERR_BUSY if it may be temporary. */
static locbo_status refused(const PGconn *connection, locbo_error *error) {
    const char *words = PQerrorMessage(connection);
    char state[6];
    find_state(words, state);
    locbo_status status = state[0] ? status_of(state) : LOCBO_ERR_BUSY;
    if (PQconnectionNeedsPassword(connection)) status = LOCBO_ERR_IO;
    return status_fail(error, status, "PostgreSQL: %.*s", first_line(words), words);
}

/* The error of a result that is not good. */
static locbo_status failure(const store_link *link, const PGresult *result, locbo_error *error) {
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const char *words = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    if (!state || !words) { /* an error of libpq, not of the server */
        words = PQerrorMessage(link->connection);
        int lost = PQstatus(link->connection) != CONNECTION_OK;
        if (!result && !lost) return status_no_memory(error);
        return status_fail(error, lost ? LOCBO_ERR_BUSY : LOCBO_ERR_IO, "PostgreSQL: %.*s", first_line(words), words);
    }
    if (strcmp(state, "55P03") == 0)
        return status_fail(error, LOCBO_ERR_BUSY, "the PostgreSQL database is busy: another process is writing");
    if (strcmp(state, "53100") == 0) return status_fail(error, LOCBO_ERR_IO, "PostgreSQL: the disk is full: %s", words);
    return status_fail(error, status_of(state), "PostgreSQL: %s", words);
}

static int is_good(const PGresult *result) {
    ExecStatusType status = PQresultStatus(result);
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

/* ---- waiting --------------------------------------------------------------------------------- */

static const double TICK = 0.1; /* seconds between questions whether to continue to wait */

/* The answer to what was sent: the last result, or the first that is not good, as PQexec gives it. A connection that is
 * given up counts as lost. */
static PGresult *await_answer(store_link *link) {
    PGconn *c = link->connection;
    PGresult *answer = NULL, *next;
    double start = clock_now();
    int unsent, open = 1;
    while ((unsent = PQflush(c)) >= 0 && open && PQconsumeInput(c) && (unsent || PQisBusy(c))) {
        socket_await(PQsocket(c), unsent, TICK);
        double waited = clock_now() - start;
        if (waited >= TICK && link->attend && link->attend(waited, link->user) != 0) open = !socket_cut(PQsocket(c));
    }
    while ((next = PQgetResult(c)) != NULL) {
        if (answer && !is_good(answer)) {
            PQclear(next);
            continue;
        }
        PQclear(answer);
        answer = next;
    }
    return answer;
}

static locbo_status script(store_link *link, const char *sql, locbo_error *error) {
    PGresult *result = PQsendQuery(link->connection, sql) ? await_answer(link) : NULL;
    locbo_status status = is_good(result) ? LOCBO_OK : failure(link, result, error);
    PQclear(result);
    return status;
}

/* ---- opening --------------------------------------------------------------------------------- */

/* libpq's message about a url that it cannot read may repeat the password: take the message about the url without it.
 */
static locbo_status check_url(const char *url, locbo_error *error) {
    PQconninfoOption *options = PQconninfoParse(url, NULL);
    PQconninfoFree(options);
    if (options) return LOCBO_OK;
    store_url parts;
    locbo_status status = store_url_read(&parts, url, error);
    if (status != LOCBO_OK) return status;
    char *words = NULL;
    options = PQconninfoParse(parts.shown, &words);
    status =
        status_fail(error, LOCBO_ERR_ARGUMENT, "the database url cannot be read: %.*s",
                    words ? first_line(words) : INT_MAX, words ? words : "the password is not well percent-encoded");
    PQconninfoFree(options);
    PQfreemem(words);
    mem_free(parts.shown);
    return status;
}

/* Whether the environment sets it. */
static int is_set(const char *keyword) {
    PQconninfoOption *options = PQconndefaults();
    int set = 0;
    for (const PQconninfoOption *o = options; o && o->keyword; o++)
        set = set || (strcmp(o->keyword, keyword) == 0 && o->val);
    PQconninfoFree(options);
    return set;
}

enum { SETTINGS = 9 };

/* The url (dbname) overrides the settings before it; those after it override the url. */
static void choose_settings(const char *url, const char *keywords[SETTINGS], const char *values[SETTINGS]) {
    const char *const list[SETTINGS][2] = {
        {"fallback_application_name", "locbo"},
        {"keepalives_idle", "30"}, /* a peer that does not answer is noticed after a minute */
        {"keepalives_interval", "10"},
        {"keepalives_count", "3"},
        {"tcp_user_timeout", "60000"},
        {"connect_timeout", is_set("connect_timeout") ? NULL : "10"},
        {"dbname", url},
        {"client_encoding", "UTF8"},
        {NULL, NULL},
    };
    for (size_t i = 0; i < SETTINGS; i++) keywords[i] = list[i][0], values[i] = list[i][1];
}

static void keep_silent(void *user, const char *message) { (void)user, (void)message; }

/* Connect once more after a refusal, to get its code, and find out whether there is a server. Not after a time-out. */
static locbo_status ask_again(PGconn *connection, const char *const *keywords, const char *const *values,
                              time_t started, locbo_error *error) {
    if (time(NULL) - started >= 5) return refused(connection, error);
    const char *words = PQerrorMessage(connection);
    status_fail(error, LOCBO_ERR_ARGUMENT, "PostgreSQL: %.*s", first_line(words), words);
    PQreset(connection);
    if (PQstatus(connection) == CONNECTION_OK) return LOCBO_OK;
    char state[6];
    find_state(PQerrorMessage(connection), state);
    if (!state[0] && PQpingParams(keywords, values, 1) == PQPING_NO_ATTEMPT)
        return LOCBO_ERR_ARGUMENT; /* with the message of the first try */
    return refused(connection, error);
}

static locbo_status connect_link(store_link *link, const char *url, locbo_error *error) {
    const char *keywords[SETTINGS], *values[SETTINGS];
    choose_settings(url, keywords, values);
    time_t started = time(NULL);
    link->connection = PQconnectdbParams(keywords, values, 1);
    if (!link->connection) return status_no_memory(error);
    PQsetNoticeProcessor(link->connection, keep_silent, NULL);
    PQsetErrorVerbosity(link->connection, PQERRORS_VERBOSE);
    if (PQstatus(link->connection) == CONNECTION_OK) return LOCBO_OK;
    return ask_again(link->connection, keywords, values, started, error);
}

static void forget_statements(store_link *link) {
    while (link->kept_count > 0) mem_free(link->kept[--link->kept_count].sql);
}

static void close_link(store_link *link) {
    forget_statements(link);
    PQfinish(link->connection);
    mem_free(link);
}

static locbo_status open_link(store_link **link, const char *location, locbo_store_mode mode, locbo_error *error) {
    (void)mode; /* the database itself is created by its administrator */
    locbo_status status = check_url(location, error);
    if (status != LOCBO_OK) return status;
    store_link *l = mem_new(1, sizeof *l);
    if (!l) return status_no_memory(error);
    status = connect_link(l, location, error);
    if (status == LOCBO_OK)
        *link = l;
    else
        close_link(l);
    return status;
}

static void attend(store_link *link, store_attend_fn *fn, void *user) {
    link->attend = fn;
    link->user = user;
}

static locbo_status reconnect(store_link *link, locbo_error *error) {
    PGconn *c = link->connection;
    if (PQstatus(c) == CONNECTION_OK && PQtransactionStatus(c) == PQTRANS_IDLE) return LOCBO_OK;
    forget_statements(link);
    PQreset(c);
    return PQstatus(c) == CONNECTION_OK ? LOCBO_OK : refused(c, error);
}

/* ---- transactions ---------------------------------------------------------------------------- */

/* All statements find their rows by an index; the server might otherwise choose, and keep, to read whole tables that
 * are still small. Compiling them (jit) takes longer than they do. It waits for locks only for a short time; store.c
 * repeats. A writer that is stopped or disconnected loses its locks after 60 s, a snapshot that is held is lost after
 * an hour without a statement. */
static locbo_status begin(store_link *link, store_access access, locbo_error *error) {
    static const char *const scripts[] = {
        [STORE_READ] = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;"
                       "SET LOCAL enable_seqscan = off;SET LOCAL jit = off;SET LOCAL lock_timeout = '1s'",
        [STORE_HOLD] = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;"
                       "SET LOCAL lock_timeout = '1s';SET LOCAL idle_in_transaction_session_timeout = '1h'",
        [STORE_WRITE] =
            "BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;SET LOCAL enable_seqscan = off;SET LOCAL jit = off;"
            "SET LOCAL lock_timeout = '1s';SET LOCAL idle_in_transaction_session_timeout = '60s'",
    };
    link->access = access;
    return access == STORE_SINGLE ? LOCBO_OK : script(link, scripts[access], error);
}

/* In a failed transaction the server answers COMMIT with ROLLBACK and reports success. */
static locbo_status commit(store_link *link, int *unsure, locbo_error *error) {
    if (link->access == STORE_SINGLE) return LOCBO_OK;
    PGresult *result = PQsendQuery(link->connection, "COMMIT") ? await_answer(link) : NULL;
    locbo_status status = LOCBO_OK;
    *unsure = PQstatus(link->connection) != CONNECTION_OK; /* its answer was lost */
    if (!is_good(result))
        status = failure(link, result, error);
    else if (strcmp(PQcmdStatus(result), "COMMIT") != 0)
        status = status_fail(error, LOCBO_ERR_IO, "PostgreSQL: a failed transaction was committed");
    PQclear(result);
    return status;
}

static void rollback(store_link *link) {
    if (PQstatus(link->connection) != CONNECTION_OK) return;
    if (PQtransactionStatus(link->connection) == PQTRANS_IDLE) return;
    PQclear(PQexec(link->connection, "ROLLBACK"));
}

static int is_open(const store_link *link) { return PQtransactionStatus(link->connection) == PQTRANS_INTRANS; }

/* ---- statements ------------------------------------------------------------------------------ */

/* Parameters in libpq's form: numbers in network byte order. */
typedef struct binding {
    Oid types[STORE_PARAMETERS];
    const char *values[STORE_PARAMETERS];
    int lengths[STORE_PARAMETERS], formats[STORE_PARAMETERS];
    uint64_t numbers[STORE_PARAMETERS];
    size_t lists;
    char *list[STORE_PARAMETERS];
} binding;

static void bind_number(binding *b, size_t i, Oid type, const void *eight_bytes) {
    memcpy(&b->numbers[i], eight_bytes, 8);
    b->numbers[i] = htobe64(b->numbers[i]);
    b->types[i] = type;
    b->values[i] = (const char *)&b->numbers[i];
    b->lengths[i] = 8;
}

static void add_int4(buffer *to, int64_t value) {
    uint32_t bytes = htobe32((uint32_t)value);
    buffer_add(to, (const char *)&bytes, sizeof bytes);
}

static void add_item(buffer *to, const store_value *v) {
    uint64_t bytes;
    if (v->kind == STORE_TEXT) {
        add_int4(to, (int64_t)v->size);
        buffer_add(to, v->text, v->size);
        return;
    }
    add_int4(to, v->kind == STORE_NULL ? -1 : 8);
    if (v->kind == STORE_NULL) return;
    memcpy(&bytes, v->kind == STORE_INT ? (const void *)&v->integer : (const void *)&v->real, sizeof bytes);
    bytes = htobe64(bytes);
    buffer_add(to, (const char *)&bytes, sizeof bytes);
}

/* An array of one dimension in the server's binary form: dimensions, whether there are NULLs, type of the items, how
 * many, the number of the first; then each with its length, -1 for NULL. */
static locbo_status bind_list(binding *b, size_t i, const store_value *v, locbo_error *error) {
    static const int types[][2] = {[STORE_INT] = {TYPE_INT8_LIST, TYPE_INT8},
                                   [STORE_REAL] = {TYPE_FLOAT8_LIST, TYPE_FLOAT8},
                                   [STORE_TEXT] = {TYPE_TEXT_LIST, TYPE_TEXT}};
    const int64_t head[] = {1, 1, types[v->integer][1], (int64_t)v->size, 1};
    buffer bytes = {0};
    for (size_t k = 0; k < sizeof head / sizeof head[0]; k++) add_int4(&bytes, head[k]);
    for (size_t k = 0; k < v->size; k++) add_item(&bytes, &v->items[k * v->step]);
    b->list[b->lists++] = bytes.data;
    if (bytes.failed || bytes.size > INT_MAX) return status_no_memory(error);
    b->types[i] = (Oid)types[v->integer][0];
    b->values[i] = bytes.data;
    b->lengths[i] = (int)bytes.size;
    return LOCBO_OK;
}

static locbo_status bind_value(binding *b, size_t i, const store_value *v, locbo_error *error) {
    b->types[i] = 0; /* the server infers the type of a NULL */
    b->values[i] = NULL;
    b->lengths[i] = 0;
    b->formats[i] = 1;
    if (v->kind == STORE_INT) bind_number(b, i, TYPE_INT8, &v->integer);
    if (v->kind == STORE_REAL) bind_number(b, i, TYPE_FLOAT8, &v->real);
    if (v->kind == STORE_LIST) return bind_list(b, i, v, error);
    if (v->kind != STORE_TEXT && v->kind != STORE_BYTES) return LOCBO_OK;
    if (v->size > INT_MAX) return status_fail(error, LOCBO_ERR_ARGUMENT, "PostgreSQL: a value of %zu bytes", v->size);
    b->types[i] = v->kind == STORE_TEXT ? TYPE_TEXT : TYPE_BYTEA;
    b->values[i] = v->text;
    b->lengths[i] = (int)v->size;
    return LOCBO_OK;
}

static int64_t read_integer(const char *bytes, int length) {
    uint64_t value = (unsigned char)bytes[0] & 0x80 ? UINT64_MAX : 0;
    for (int i = 0; i < length; i++) value = value << 8 | (unsigned char)bytes[i];
    return (int64_t)value;
}

static double read_real(const char *bytes, int length) {
    uint64_t bits = (uint64_t)read_integer(bytes, length);
    double value;
    if (length == 8) {
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    uint32_t half = (uint32_t)bits;
    float narrow;
    memcpy(&narrow, &half, sizeof narrow);
    return (double)narrow;
}

static locbo_status read_column(const PGresult *result, int row, int i, store_value *v, locbo_error *error) {
    const char *bytes = PQgetvalue(result, row, i);
    int length = PQgetlength(result, row, i);
    *v = (store_value){.kind = STORE_NULL};
    if (PQgetisnull(result, row, i)) return LOCBO_OK;
    switch (PQftype(result, i)) {
    case TYPE_INT8:
    case TYPE_INT4:
    case TYPE_INT2:
    case TYPE_BOOL:
        *v = store_int(read_integer(bytes, length));
        return LOCBO_OK;
    case TYPE_FLOAT8:
    case TYPE_FLOAT4:
        *v = store_real(read_real(bytes, length));
        return LOCBO_OK;
    case TYPE_TEXT:
    case TYPE_VARCHAR:
    case TYPE_NAME:
        v->kind = STORE_TEXT;
        break;
    case TYPE_BYTEA:
        v->kind = STORE_BYTES;
        break;
    default:
        return status_fail(error, LOCBO_ERR_IO, "PostgreSQL: column '%s' is of an unknown type, %u", PQfname(result, i),
                           PQftype(result, i));
    }
    v->text = bytes;
    v->size = (size_t)length;
    return LOCBO_OK;
}

static locbo_status pass_rows(const PGresult *result, store_row_fn *row, void *user, locbo_error *error) {
    int rows = PQntuples(result), count = PQnfields(result);
    store_value *columns = mem_new((size_t)count, sizeof *columns);
    if (!columns) return status_no_memory(error);
    locbo_status status = LOCBO_OK;
    for (int r = 0; status == LOCBO_OK && r < rows; r++) {
        for (int i = 0; status == LOCBO_OK && i < count; i++) status = read_column(result, r, i, &columns[i], error);
        if (status == LOCBO_OK) status = row(columns, (size_t)count, user, error);
    }
    mem_free(columns);
    return status;
}

/* ---- statements that are kept ---------------------------------------------------------------- */

/* The entry of a statement with these types of parameters; NULL: there is no room. */
static kept_statement *find_kept(store_link *link, const char *sql, size_t count, const Oid *types) {
    for (size_t i = 0; i < link->kept_count; i++) {
        kept_statement *k = &link->kept[i];
        if (k->count == count && strcmp(k->sql, sql) == 0 && memcmp(k->types, types, count * sizeof *types) == 0)
            return k;
    }
    if (link->kept_count == KEPT || count > KEPT_PARAMETERS) return NULL;
    kept_statement *k = &link->kept[link->kept_count];
    *k = (kept_statement){.sql = mem_text(sql), .count = count};
    memcpy(k->types, types, count * sizeof *types);
    if (!k->sql) return NULL;
    link->kept_count++;
    return k;
}

/* Its name on the server, made from its text (FNV-1a): behind a pooler a server process may have the statements of
 * several clients. */
static void name_statement(kept_statement *k) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (const char *c = k->sql; *c; c++) hash = (hash ^ (unsigned char)*c) * UINT64_C(1099511628211);
    for (size_t i = 0; i < k->count; i++) hash = (hash ^ k->types[i]) * UINT64_C(1099511628211);
    snprintf(k->name, sizeof k->name, "locbo_%016" PRIx64, hash);
}

/* Behind a pooler the next transaction may be that of another server process, which has not this statement, or has it
 * already. The transaction is then repeated, and nothing is prepared any more. */
static int is_forgetful(store_link *link, const PGresult *result) {
    const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    int other = state && (strcmp(state, "26000") == 0 || strcmp(state, "42P05") == 0);
    link->forgetful = link->forgetful || other;
    return other;
}

static locbo_status fail_kept(store_link *link, const PGresult *result, locbo_error *error) {
    if (is_forgetful(link, result))
        return status_fail(error, LOCBO_ERR_BUSY, "PostgreSQL: another server process answers");
    return failure(link, result, error);
}

/* A statement that comes a second time is prepared: the server then need not read and plan it again. `name` receives
 * its name; NULL: it is sent as it is. */
static locbo_status prepare(store_link *link, const char *sql, size_t count, const Oid *types, const char **name,
                            locbo_error *error) {
    *name = NULL;
    if (link->forgetful || link->access == STORE_SINGLE || link->access == STORE_HOLD) return LOCBO_OK;
    kept_statement *k = find_kept(link, sql, count, types);
    if (!k || !k->seen++) return LOCBO_OK;
    *name = k->name;
    if (k->prepared) return LOCBO_OK;
    name_statement(k);
    PGresult *result = PQsendPrepare(link->connection, k->name, sql, (int)count, types) ? await_answer(link) : NULL;
    k->prepared = is_good(result);
    locbo_status status = k->prepared ? LOCBO_OK : fail_kept(link, result, error);
    PQclear(result);
    return status;
}

static locbo_status query(store_link *link, const char *sql, size_t count, const store_value *parameters,
                          store_row_fn *row, void *user, uint64_t *changed, locbo_error *error) {
    binding b;
    locbo_status status = LOCBO_OK;
    int sent = 0;
    b.lists = 0;
    for (size_t i = 0; status == LOCBO_OK && i < count; i++) status = bind_value(&b, i, &parameters[i], error);
    const char *name = NULL;
    if (status == LOCBO_OK) status = prepare(link, sql, count, b.types, &name, error);
    if (status == LOCBO_OK && name)
        sent = PQsendQueryPrepared(link->connection, name, (int)count, b.values, b.lengths, b.formats, 1);
    else if (status == LOCBO_OK)
        sent = PQsendQueryParams(link->connection, sql, (int)count, b.types, b.values, b.lengths, b.formats, 1);
    for (size_t i = 0; i < b.lists; i++) mem_free(b.list[i]);
    if (status != LOCBO_OK) return status;
    PGresult *result = sent ? await_answer(link) : NULL;
    if (!is_good(result))
        status = fail_kept(link, result, error);
    else if (row)
        status = pass_rows(result, row, user, error);
    if (result) *changed = strtoull(PQcmdTuples(result), NULL, 10);
    PQclear(result);
    return status;
}

static locbo_status take_one(const store_value *columns, size_t count, void *user, locbo_error *error) {
    (void)count, (void)error;
    *(int *)user = store_as_int(&columns[0]) != 0;
    return LOCBO_OK;
}

/* An advisory lock lets one process at a time create or upgrade; its number is the text "locbo". The catalogue is read
 * as a table, because to_regclass may use what it has cached before the wait. */
static locbo_status survey(store_link *link, int *foreign, int *ours, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    uint64_t rows;
    *foreign = *ours = 0;
    if (link->access == STORE_WRITE) status = script(link, "SELECT pg_advisory_xact_lock(465725252207)", error);
    if (status == LOCBO_OK)
        status = query(link,
                       "SELECT count(*) FROM pg_catalog.pg_class WHERE relname = 'locbo_schema'"
                       " AND relkind IN ('r', 'p') AND pg_table_is_visible(oid)",
                       0, NULL, take_one, ours, &rows, error);
    return status;
}

static locbo_status upgrade(store_link *link, int begins, locbo_error *error) {
    (void)link, (void)begins, (void)error;
    return LOCBO_OK;
}

const store_engine store_postgres = {
    .name = "postgresql",
    .now = "CAST(extract(epoch FROM clock_timestamp()) AS DOUBLE PRECISION)",
    .lock = " FOR UPDATE",
    .skip = " FOR UPDATE SKIP LOCKED",
    .queue = " AND CASE WHEN id = $1 THEN pg_advisory_xact_lock(id) IS NOT NULL ELSE FALSE END",
    .mark = '$',
    .lists = 1,
    .open = open_link,
    .close = close_link,
    .attend = attend,
    .reconnect = reconnect,
    .begin = begin,
    .commit = commit,
    .rollback = rollback,
    .is_open = is_open,
    .query = query,
    .script = script,
    .upgrade = upgrade,
    .survey = survey,
};
