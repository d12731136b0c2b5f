/* test_store.c - the database under the studies: exact values, transactions that wait and are repeated, the
 * schema, and errors of files and servers. It runs on SQLite files, or on the server of LOCBO_TEST_DB (with-postgres).
 */
#include "store.h"

#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <inttypes.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "store_url.h"

#define VALUES(...)                                                                                                    \
    sizeof((store_value[]){__VA_ARGS__}) / sizeof(store_value), (store_value[]) { __VA_ARGS__ }

/* ---- databases to test on -------------------------------------------------------------------- */

static char directory[64] = "/tmp/locbo-store-XXXXXX";
static int on_postgres;

static void run_command(const char *format, ...) __attribute__((format(printf, 1, 2)));
static void run_command(const char *format, ...) {
    char command[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command, sizeof command, format, arguments);
    va_end(arguments);
    int code = system(command);
    check_that(code == 0, "%s: %d", command, code);
}

/* The url of a file that does not exist yet, or of an empty database. The last two urls are valid. */
static const char *fresh(void) {
    static char urls[2][256];
    static int count;
    char *url = urls[++count % 2];
    if (on_postgres) {
        run_command("psql -qc 'CREATE DATABASE test_%d'", count);
        snprintf(url, sizeof urls[0], "%s/test_%d", getenv("LOCBO_TEST_DB"), count);
    } else {
        snprintf(url, sizeof urls[0], "sqlite:%s/test_%d.db", directory, count);
    }
    return url;
}

static const char *file_of(const char *url) { return url + strlen("sqlite:"); }

static locbo_store *open_store(const char *url, locbo_store_mode mode) {
    locbo_store *store = NULL;
    check_ok(locbo_store_open(&store, url, mode, &error));
    return store;
}

static locbo_status open_close(const char *url, locbo_store_mode mode, locbo_error *error) {
    locbo_store *store = NULL;
    locbo_status status = locbo_store_open(&store, url, mode, error);
    check_that((status == LOCBO_OK) == (store != NULL), "status %d", (int)status);
    locbo_store_close(store);
    return status;
}

#define refuse_open(url, mode, code, words) check_fails(open_close((url), (mode), &error), code, words)

static double clock_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sleep_for(double seconds) {
    nanosleep(&(struct timespec){(time_t)seconds, (long)(1e9 * fmod(seconds, 1))}, NULL);
}

/* ---- one statement as a transaction ---------------------------------------------------------- */

typedef struct statement {
    const char *sql;
    size_t count;
    const store_value *parameters;
    store_row_fn *row;
    void *user;
    uint64_t changed;
} statement;

static locbo_status run_statement(locbo_store *store, void *user, locbo_error *error) {
    statement *s = user;
    return store_query(store, s->sql, s->count, s->parameters, s->row, s->user, &s->changed, error);
}

static uint64_t put(locbo_store *store, const char *sql, size_t count, const store_value *parameters) {
    statement s = {sql, count, parameters, NULL, NULL, 0};
    check_ok(store_write(store, run_statement, &s, &error));
    return s.changed;
}

static void get(locbo_store *store, const char *sql, store_row_fn *row, void *user) {
    statement s = {sql, 0, NULL, row, user, 0};
    check_ok(store_read(store, run_statement, &s, &error));
}

static locbo_status take_int(const store_value *columns, size_t count, void *user, locbo_error *error) {
    (void)error;
    assert_int_equal(count, 1);
    *(int64_t *)user = store_as_int(&columns[0]);
    return LOCBO_OK;
}

static int64_t get_int(locbo_store *store, const char *sql) {
    int64_t value = -77;
    get(store, sql, take_int, &value);
    return value;
}

static void put_study(locbo_store *store, int64_t id, const char *name) {
    put(store,
        "INSERT INTO locbo_study (id, name, created, definition, plan)"
        " VALUES ($1, $2, {now}, '{}', '{}')",
        VALUES(store_int(id), store_text(name)));
}

static locbo_store *open_with_table(void) {
    locbo_store *store = open_store(fresh(), LOCBO_STORE_CREATE);
    put(store, "CREATE TABLE scratch (k BIGINT, i BIGINT, r DOUBLE PRECISION, t TEXT, b BYTEA)", 0, NULL);
    return store;
}

/* ---- values ---------------------------------------------------------------------------------- */

static locbo_status same_real(const store_value *columns, size_t count, void *user, locbo_error *error) {
    (void)count, (void)error;
    const double *expected = user;
    size_t k = (size_t)store_as_int(&columns[0]);
    check_same(store_as_real(&columns[1]), expected[k]);
    return LOCBO_OK;
}

static void doubles_are_exact(void **state) {
    (void)state;
    const double list[] = {0.0,     1.0,      -3.0,      0.1,       1.0 / 3.0,   5e-324, -2.5e-310,      DBL_MIN,
                           DBL_MAX, -DBL_MAX, INFINITY,  -INFINITY, 0x1p53,      0x1p63, -0x1p63,        0x1p64,
                           1e15,    1e16 + 2, 123456789, M_PI,      DBL_EPSILON, 1e300,  nextafter(1, 2)};
    size_t n = sizeof list / sizeof list[0];
    locbo_store *store = open_with_table();
    for (size_t i = 0; i < n; i++)
        put(store, "INSERT INTO scratch (k, r) VALUES ($1, $2)", VALUES(store_count(i), store_real(list[i])));
    statement s = {"SELECT k, r FROM scratch ORDER BY k", 0, NULL, same_real, (void *)list, 0};
    check_ok(store_read(store, run_statement, &s, &error));
    assert_int_equal(s.changed, n);
    /* -0 is the 0 of both engines, NAN is NULL, and a real may be compared */
    put(store, "INSERT INTO scratch (k, r) VALUES (100, $1), (101, $2)",
        VALUES(store_real(-0.0), store_real((double)NAN)));
    const double zeros[101] = {0};
    get(store, "SELECT k, r FROM scratch WHERE k = 100", same_real, (void *)zeros);
    assert_int_equal(get_int(store, "SELECT count(*) FROM scratch WHERE r IS NULL"), 1);
    assert_int_equal(get_int(store, "SELECT count(*) FROM scratch WHERE r > 1e200"), 3);
    locbo_store_close(store);
}

static locbo_status is_nan(const store_value *columns, size_t count, void *user, locbo_error *error) {
    (void)count, (void)error;
    assert_int_equal(columns[0].kind, STORE_NULL);
    assert_true(isnan(store_as_real(&columns[0])));
    assert_int_equal(store_as_int(&columns[0]), 0);
    assert_string_equal(store_as_text(&columns[0]), "");
    ++*(int *)user;
    return LOCBO_OK;
}

static void nan_is_null(void **state) {
    (void)state;
    int seen = 0;
    locbo_store *store = open_with_table();
    put(store, "INSERT INTO scratch (r) VALUES ($1)", VALUES(store_real((double)NAN)));
    get(store, "SELECT r FROM scratch", is_nan, &seen);
    assert_int_equal(seen, 1);
    locbo_store_close(store);
}

static locbo_status same_int(const store_value *columns, size_t count, void *user, locbo_error *error) {
    (void)count, (void)error;
    const int64_t *expected = user;
    int64_t k = store_as_int(&columns[0]);
    check_that(store_as_int(&columns[1]) == expected[k], "%" PRId64, store_as_int(&columns[1]));
    assert_true(store_as_count(&columns[1]) == (uint64_t)expected[k]);
    return LOCBO_OK;
}

static void integers_are_exact(void **state) {
    (void)state;
    const int64_t list[] = {
        0,    1, -1, INT64_MAX, INT64_MIN, INT32_MAX, INT32_MIN, 127, (INT64_C(1) << 53) + 1, -129, 255, INT64_MAX - 1,
        65536};
    size_t n = sizeof list / sizeof list[0];
    locbo_store *store = open_with_table();
    for (size_t i = 0; i < n; i++)
        put(store, "INSERT INTO scratch (i, k) VALUES ($2, $1)", VALUES(store_count(i), store_int(list[i])));
    get(store, "SELECT k, i FROM scratch ORDER BY k", same_int, (void *)list);
    put(store, "DELETE FROM scratch", 0, NULL);
    const int64_t wrapped[] = {-2};
    put(store, "INSERT INTO scratch (k, i) VALUES (0, $1)", VALUES(store_count(UINT64_MAX - 1)));
    get(store, "SELECT k, i FROM scratch", same_int, (void *)wrapped);
    assert_int_equal(get_int(store, "SELECT CAST(-5 AS SMALLINT)"), -5);
    assert_int_equal(get_int(store, "SELECT CAST(-70000 AS INTEGER)"), -70000);
    assert_int_equal(get_int(store, "SELECT 1 = 1"), 1);
    locbo_store_close(store);
}

static void numbers_of_other_kinds(void **state) {
    (void)state;
    store_value huge = store_real(1e300), nine = store_real(9.7), text = store_text("12");
    store_value seven = store_int(7), minus = store_real(-0x1p63), bytes = store_bytes("ab", 2);
    assert_int_equal(store_as_int(&huge), 0);
    assert_int_equal(store_as_int(&nine), 9);
    assert_int_equal(store_as_int(&text), 0);
    assert_true(store_as_int(&minus) == INT64_MIN);
    assert_true(isnan(store_as_real(&text)));
    check_same(store_as_real(&seven), 7);
    assert_string_equal(store_as_text(&seven), "");
    assert_string_equal(store_as_text(&bytes), "");
    assert_int_equal(store_text(NULL).kind, STORE_NULL);
}

static const char *const TEXTS[] = {"",
                                    "plain",
                                    "it's \"quoted\"",
                                    "two\nlines\r\n\ttab",
                                    "'); DROP TABLE scratch; --",
                                    "ä€𝄞 日本",
                                    "$1 {now} %s ? :x @y",
                                    "\\x41\\",
                                    "{\"json\": [1, 2.5, null]}"};
enum { TEXT_COUNT = sizeof TEXTS / sizeof TEXTS[0] };

static locbo_status same_text(const store_value *columns, size_t count, void *user, locbo_error *error) {
    (void)count, (void)error;
    size_t k = (size_t)store_as_int(&columns[0]);
    assert_string_equal(store_as_text(&columns[1]), TEXTS[k]);
    assert_int_equal(columns[1].size, strlen(TEXTS[k]));
    ++*(size_t *)user;
    return LOCBO_OK;
}

static void texts_are_exact(void **state) {
    (void)state;
    size_t seen = 0;
    locbo_store *store = open_with_table();
    for (size_t i = 0; i < TEXT_COUNT; i++)
        put(store, "INSERT INTO scratch (k, t) VALUES ($1, $2)", VALUES(store_count(i), store_text(TEXTS[i])));
    put(store, "INSERT INTO scratch (k, t) VALUES (-1, $1)", VALUES(store_text(NULL)));
    get(store, "SELECT k, t FROM scratch WHERE k >= 0", same_text, &seen);
    assert_int_equal(seen, TEXT_COUNT);
    assert_int_equal(get_int(store, "SELECT count(*) FROM scratch WHERE t IS NULL"), 1);
    locbo_store_close(store);
}

enum { BLOB = 300000 };
static char blob[BLOB];

static locbo_status same_bytes(const store_value *columns, size_t count, void *user, locbo_error *error) {
    (void)count, (void)error;
    size_t k = (size_t)store_as_int(&columns[0]);
    assert_int_equal(columns[1].kind, STORE_BYTES);
    assert_int_equal(columns[1].size, k);
    assert_memory_equal(columns[1].text, blob, k);
    ++*(int *)user;
    return LOCBO_OK;
}

static void bytes_are_exact(void **state) {
    (void)state;
    int seen = 0;
    for (size_t i = 0; i < BLOB; i++) blob[i] = (char)(i * i >> 3);
    const size_t sizes[] = {0, 1, 5, 256, BLOB};
    locbo_store *store = open_with_table();
    for (size_t i = 0; i < 5; i++)
        put(store, "INSERT INTO scratch (k, b) VALUES ($1, $2)",
            VALUES(store_count(sizes[i]), store_bytes(sizes[i] ? blob : NULL, sizes[i])));
    get(store, "SELECT k, b FROM scratch", same_bytes, &seen);
    assert_int_equal(seen, 5);
    locbo_store_close(store);
}

/* ---- statements ------------------------------------------------------------------------------ */

static locbo_status take_real(const store_value *columns, size_t count, void *user, locbo_error *error) {
    (void)count, (void)error;
    *(double *)user = store_as_real(&columns[0]);
    return LOCBO_OK;
}

static void words_are_spelled(void **state) {
    (void)state;
    double now = 0;
    locbo_store *store = open_with_table();
    get(store, "SELECT {now}", take_real, &now);
    check_close(now, (double)time(NULL), 0, 2); /* time() has whole seconds */
    double later = 0;
    sleep_for(0.02);
    get(store, "SELECT {now} + 0", take_real, &later);
    check_that(later > now + 0.01 && later < now + 2, "%.6f after %.6f", later, now);
    put(store, "INSERT INTO scratch (k, t) VALUES (1, '{lock')", 0, NULL);
    assert_int_equal(put(store, "SELECT k FROM scratch WHERE t = '{lock'{lock}", 0, NULL), 1);
    assert_int_equal(put(store, "SELECT k FROM scratch LIMIT 1{skip}", 0, NULL), 1);
    locbo_store_close(store);
}

static void changes_are_counted(void **state) {
    (void)state;
    locbo_store *store = open_with_table();
    uint64_t n = put(store, "INSERT INTO scratch (k) VALUES (1), (2), (3)", 0, NULL);
    assert_int_equal(n, 3);
    n = put(store, "UPDATE scratch SET i = k WHERE k > $1", VALUES(store_int(1)));
    assert_int_equal(n, 2);
    n = put(store, "UPDATE scratch SET i = 5 WHERE k > $2 RETURNING k", VALUES(store_text("not used"), store_int(2)));
    assert_int_equal(n, 1);
    assert_int_equal(put(store, "DELETE FROM scratch WHERE k = 9", 0, NULL), 0);
    assert_int_equal(put(store, "SELECT k FROM scratch", 0, NULL), 3);
    locbo_store_close(store);
}

static locbo_status fail_at_second(const store_value *columns, size_t count, void *user, locbo_error *error) {
    (void)columns, (void)count;
    if (++*(int *)user < 2) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_NOTHING, "enough");
}

typedef struct listed {
    locbo_store *store;
    int rows, end_at;
} listed;

/* Row k is (k, "t" k times): each row is deleted while the list continues. */
static locbo_status delete_row(const store_value *columns, size_t count, void *user, locbo_error *error) {
    listed *l = user;
    (void)error;
    assert_int_equal(count, 3);
    assert_int_equal(store_as_int(&columns[0]), ++l->rows);
    assert_int_equal(strlen(store_as_text(&columns[1])), l->rows);
    assert_int_equal(columns[2].kind, STORE_NULL);
    put(l->store, "DELETE FROM scratch WHERE k = $1", VALUES(columns[0]));
    return l->rows == l->end_at ? LOCBO_ERR_STOPPED : LOCBO_OK;
}

static void listed_rows_come_after_the_transaction(void **state) {
    (void)state;
    static const char all[] = "SELECT k, t, r FROM scratch WHERE k < $1 ORDER BY k";
    listed l = {.store = open_with_table(), .end_at = 4};
    int rows = 0;
    put(l.store, "INSERT INTO scratch (k, t) VALUES (1, 't'), (2, 'tt'), (3, 'ttt'), (4, 'tttt'), (5, ''), (6, '')", 0,
        NULL);
    check_ok(store_list(l.store, all, VALUES(store_int(6)), delete_row, &l, &error));
    assert_int_equal(l.rows, 4); /* where it was ended */
    assert_int_equal(put(l.store, "SELECT k FROM scratch", 0, NULL), 2);
    check_fails(store_list(l.store, all, VALUES(store_int(9)), fail_at_second, &rows, &error), LOCBO_ERR_NOTHING,
                "enough");
    check_ok(store_list(l.store, all, VALUES(store_int(0)), fail_at_second, &rows, &error)); /* none */
    check_fails(store_list(l.store, "SELEKT 1", 0, NULL, fail_at_second, &rows, &error), LOCBO_ERR_IO, "SELEKT");
    locbo_store_close(l.store);
}

static void errors_of_statements(void **state) {
    (void)state;
    int rows = 0;
    locbo_store *store = open_with_table();
    put(store, "INSERT INTO scratch (k) VALUES (1), (2), (3)", 0, NULL);
    statement s = {"SELECT k FROM scratch", 0, NULL, fail_at_second, &rows, 0};
    check_fails(store_read(store, run_statement, &s, &error), LOCBO_ERR_NOTHING, "enough");
    assert_int_equal(rows, 2);
    s = (statement){.sql = "SELEKT 1"};
    check_fails(store_write(store, run_statement, &s, &error), LOCBO_ERR_IO, "SELEKT");
    s = (statement){.sql = "SELECT k FROM scratch WHERE k = $1"};
    assert_int_not_equal(store_read(store, run_statement, &s, NULL), LOCBO_OK);
    assert_int_not_equal(store_read(store, run_statement, &s, NULL), LOCBO_ERR_BUSY);
    check_fails(store_query(store, "SELECT 1", 0, NULL, NULL, NULL, NULL, &error), LOCBO_ERR_STATE, "outside");
    put_study(store, 1, "one");
    s = (statement){.sql = "INSERT INTO locbo_study (id, name, created, definition, plan)"
                           " VALUES (1, 'two', 0, '', '')"};
    check_fails(store_write(store, run_statement, &s, &error), LOCBO_ERR_STATE, "");
    s = (statement){.sql = "INSERT INTO locbo_output (study, trial, attempt, exit_code, seconds)"
                           " VALUES (1, 1, 1, 0, 0)"};
    check_fails(store_write(store, run_statement, &s, &error), LOCBO_ERR_STATE, ""); /* foreign key */
    assert_int_equal(get_int(store, "SELECT count(*) FROM locbo_study"), 1);         /* still usable */
    locbo_store_close(store);
}

/* ---- transactions ---------------------------------------------------------------------------- */

typedef struct job {
    int calls, busy; /* the first `busy` calls return LOCBO_ERR_BUSY */
    locbo_status end;
    locbo_store *inner;
} job;

static locbo_status work(locbo_store *store, void *user, locbo_error *error) {
    job *j = user;
    locbo_status status = store_query(store, "INSERT INTO scratch (k) VALUES ($1)", VALUES(store_int(++j->calls)), NULL,
                                      NULL, NULL, error);
    if (status == LOCBO_OK && j->calls <= j->busy) return status_fail(error, LOCBO_ERR_BUSY, "made busy");
    if (status == LOCBO_OK && j->end != LOCBO_OK) return status_fail(error, j->end, "made to fail");
    return status;
}

static void errors_roll_back(void **state) {
    (void)state;
    locbo_store *store = open_with_table();
    job j = {.end = LOCBO_ERR_STATE};
    check_fails(store_write(store, work, &j, &error), LOCBO_ERR_STATE, "made to fail");
    assert_int_equal(j.calls, 1);
    assert_int_equal(get_int(store, "SELECT count(*) FROM scratch"), 0);
    j = (job){0};
    check_ok(store_write(store, work, &j, &error));
    assert_int_equal(get_int(store, "SELECT count(*) FROM scratch"), 1);
    locbo_store_close(store);
}

static int note_wait(const char *why, double waited, void *user) {
    int *calls = user;
    assert_non_null(strstr(why, "busy"));
    assert_true(waited >= 0);
    return ++*calls >= 1000;
}

static void busy_is_repeated(void **state) {
    (void)state;
    int waits = 0;
    locbo_store *store = open_with_table();
    locbo_store_patience(store, INFINITY, note_wait, &waits);
    job j = {.busy = 4};
    locbo_error error = {LOCBO_ERR_IO, "before"};
    assert_int_equal(store_write(store, work, &j, &error), LOCBO_OK);
    assert_string_equal(error.message, "");
    assert_int_equal(error.status, LOCBO_OK);
    assert_int_equal(j.calls, 5);
    assert_int_equal(waits, 4);
    assert_int_equal(get_int(store, "SELECT count(*) FROM scratch"), 1);
    assert_int_equal(get_int(store, "SELECT k FROM scratch"), 5); /* of the last try only */
    locbo_store_close(store);
}

static void patience_ends(void **state) {
    (void)state;
    locbo_store *store = open_with_table();
    job j = {.busy = 1000000};
    locbo_store_patience(store, 0.3, NULL, NULL);
    double start = clock_now();
    check_fails(store_write(store, work, &j, &error), LOCBO_ERR_BUSY, "made busy (waited 0.");
    double took = clock_now() - start;
    check_that(took >= 0.3 && took < 3, "took %g s", took);
    check_that(j.calls >= 4, "%d calls", j.calls);
    locbo_store_patience(store, 0, NULL, NULL);
    j.calls = 0;
    check_fails(store_write(store, work, &j, &error), LOCBO_ERR_BUSY, "made busy");
    assert_int_equal(j.calls, 1);
    locbo_store_patience(store, (double)NAN, NULL, NULL);
    check_fails(store_write(store, work, &j, &error), LOCBO_ERR_BUSY, "made busy");
    assert_int_equal(store_write(store, work, &j, NULL), LOCBO_ERR_BUSY);
    assert_int_equal(get_int(store, "SELECT count(*) FROM scratch"), 0);
    locbo_store_close(store);
}

static int give_up_third(const char *why, double waited, void *user) {
    (void)why, (void)waited;
    return ++*(int *)user == 3;
}

static int give_up_first(const char *why, double waited, void *user) {
    (void)why, (void)waited;
    return ++*(int *)user == 1;
}

static void waiting_can_be_ended(void **state) {
    (void)state;
    int waits = 0;
    locbo_store *store = open_with_table();
    locbo_store_patience(store, INFINITY, give_up_third, &waits);
    job j = {.busy = 1000000};
    check_fails(store_write(store, work, &j, &error), LOCBO_ERR_BUSY, "gave up waiting: made busy");
    assert_int_equal(j.calls, 3);
    waits = 0;
    double start = clock_now();
    check_ok(store_pause(store, "the proposer", 0, 0.05, &error));
    check_that(clock_now() - start >= 0.05, "%g", clock_now() - start);
    check_ok(store_pause(store, "the proposer", 0, 0, &error));
    check_fails(store_pause(store, "the proposer", 0, 9, &error), LOCBO_ERR_BUSY, "the proposer");
    locbo_store_close(store);
}

static locbo_status nest(locbo_store *store, void *user, locbo_error *error) {
    return store_read(store, work, user, error);
}

static void no_nesting_and_no_writing_of_readers(void **state) {
    (void)state;
    const char *url = fresh();
    locbo_store_close(open_store(url, LOCBO_STORE_CREATE));
    locbo_store *store = open_store(url, LOCBO_STORE_READ_ONLY);
    job j = {0};
    check_fails(store_write(store, work, &j, &error), LOCBO_ERR_STATE, "reading only");
    check_fails(store_read(store, nest, &j, &error), LOCBO_ERR_STATE, "inside");
    assert_int_equal(j.calls, 0);
    assert_int_equal(get_int(store, "SELECT count(*) FROM locbo_trial"), 0);
    statement s = {.sql = "DELETE FROM locbo_study"};
    check_fails(store_read(store, run_statement, &s, &error), LOCBO_ERR_IO, "");
    locbo_store_close(store);
}

/* A read sees one snapshot, whatever is written meanwhile, and does not block it. */
static locbo_status count_twice(locbo_store *store, void *user, locbo_error *error) {
    job *j = user;
    for (int i = 0; i < 2; i++) {
        int64_t n = -1;
        locbo_status status =
            store_query(store, "SELECT count(*) FROM locbo_study", 0, NULL, take_int, &n, NULL, error);
        if (status != LOCBO_OK) return status;
        assert_int_equal(n, 0);
        put_study(j->inner, i + 1, i ? "b" : "a");
    }
    return LOCBO_OK;
}

static void reads_see_one_snapshot(void **state) {
    (void)state;
    const char *url = fresh();
    job j = {.inner = open_store(url, LOCBO_STORE_CREATE)};
    locbo_store *reader = open_store(url, LOCBO_STORE_READ_ONLY);
    locbo_store_patience(j.inner, 0, NULL, NULL);
    check_ok(store_read(reader, count_twice, &j, &error));
    assert_int_equal(get_int(reader, "SELECT count(*) FROM locbo_study"), 2);
    locbo_store_close(reader);
    locbo_store_close(j.inner);
}

/* ---- processes ------------------------------------------------------------------------------- */

typedef int child_fn(void *user); /* 0: all was well */

/* No connection may cross a fork: the child opens its own. It leaves without the parent's exit
 * functions. */
static pid_t start_child(child_fn *fn, void *user) {
    fflush(NULL);
    pid_t pid = fork();
    assert_int_not_equal(pid, -1);
    if (pid == 0) _exit(fn(user));
    return pid;
}

static void end_child(pid_t pid) {
    int status;
    assert_int_equal(waitpid(pid, &status, 0), pid);
    check_that(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child: wait status %x", (unsigned)status);
}

static int complain(const char *what, const locbo_error *error) {
    fprintf(stderr, "child: %s: %d '%s'\n", what, (int)error->status, error->message);
    return 1;
}

static int create_and_add(void *user) {
    locbo_store *store = NULL;
    locbo_error error = {LOCBO_OK, ""};
    if (locbo_store_open(&store, user, LOCBO_STORE_CREATE, &error) != LOCBO_OK) return complain("open", &error);
    char name[32];
    snprintf(name, sizeof name, "by %d", (int)getpid());
    store_value values[] = {store_int(getpid()), store_text(name)};
    statement s = {"INSERT INTO locbo_study (id, name, created, definition, plan)"
                   " VALUES ($1, $2, {now}, '', '')",
                   2,
                   values,
                   NULL,
                   NULL,
                   0};
    locbo_status status = store_write(store, run_statement, &s, &error);
    locbo_store_close(store);
    return status == LOCBO_OK ? 0 : complain("write", &error);
}

static void created_by_many_at_once(void **state) {
    (void)state;
    enum { PROCESSES = 8 };
    for (int round = 0; round < 3; round++) {
        char url[256];
        snprintf(url, sizeof url, "%s", fresh());
        pid_t children[PROCESSES];
        for (int i = 0; i < PROCESSES; i++) children[i] = start_child(create_and_add, url);
        for (int i = 0; i < PROCESSES; i++) end_child(children[i]);
        locbo_store *store = open_store(url, LOCBO_STORE_EXISTING);
        assert_int_equal(get_int(store, "SELECT count(*) FROM locbo_study"), PROCESSES);
        assert_int_equal(get_int(store, "SELECT count(*) FROM locbo_schema"), 1);
        assert_int_equal(get_int(store, "SELECT version FROM locbo_schema"), STORE_SCHEMA);
        locbo_store_close(store);
    }
}

static int add_often(void *user) {
    locbo_store *store = NULL;
    locbo_error error = {LOCBO_OK, ""};
    locbo_status status = locbo_store_open(&store, user, LOCBO_STORE_EXISTING, &error);
    statement s = {.sql = "UPDATE locbo_study SET trials = trials + 1 WHERE id = 1"};
    for (int i = 0; status == LOCBO_OK && i < 40; i++) status = store_write(store, run_statement, &s, &error);
    locbo_store_close(store);
    return status == LOCBO_OK ? 0 : complain("add", &error);
}

static void many_writers(void **state) {
    (void)state;
    enum { PROCESSES = 6 };
    char url[256];
    snprintf(url, sizeof url, "%s", fresh());
    locbo_store *store = open_store(url, LOCBO_STORE_CREATE);
    put_study(store, 1, "one");
    locbo_store_close(store);
    pid_t children[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) children[i] = start_child(add_often, url);
    for (int i = 0; i < PROCESSES; i++) end_child(children[i]);
    store = open_store(url, LOCBO_STORE_READ_ONLY);
    assert_int_equal(get_int(store, "SELECT trials FROM locbo_study"), PROCESSES * 40);
    locbo_store_close(store);
}

typedef struct holder {
    char url[256];
    int ready[2]; /* a pipe: a byte when the lock is held */
    double seconds;
} holder;

static locbo_status hold(locbo_store *store, void *user, locbo_error *error) {
    const holder *h = user;
    locbo_status status =
        store_query(store, "UPDATE locbo_study SET plan = 'held' WHERE id = 1", 0, NULL, NULL, NULL, NULL, error);
    if (write(h->ready[1], "x", 1) != 1) return status_fail(error, LOCBO_ERR_IO, "pipe");
    sleep_for(h->seconds);
    return status;
}

static int hold_lock(void *user) {
    holder *h = user;
    locbo_store *store = NULL;
    locbo_error error = {LOCBO_OK, ""};
    locbo_status status = locbo_store_open(&store, h->url, LOCBO_STORE_EXISTING, &error);
    if (status == LOCBO_OK) status = store_write(store, hold, h, &error);
    locbo_store_close(store);
    return status == LOCBO_OK ? 0 : complain("hold", &error);
}

static pid_t start_holder(holder *h, child_fn *fn, const char *url, double seconds) {
    snprintf(h->url, sizeof h->url, "%s", url);
    h->seconds = seconds;
    assert_int_equal(pipe(h->ready), 0);
    pid_t pid = start_child(fn, h);
    char byte;
    close(h->ready[1]);
    assert_int_equal(read(h->ready[0], &byte, 1), 1);
    close(h->ready[0]);
    return pid;
}

static void a_lock_is_waited_out(void **state) {
    (void)state;
    holder h;
    int waits = 0;
    const char *url = fresh();
    locbo_store *store = open_store(url, LOCBO_STORE_CREATE);
    put_study(store, 1, "one");
    pid_t child = start_holder(&h, hold_lock, url, on_postgres ? 3.5 : 1);
    statement s = {.sql = "UPDATE locbo_study SET plan = plan || '!' WHERE id = 1"};
    locbo_store_patience(store, 0, NULL, NULL);
    check_fails(store_write(store, run_statement, &s, &error), LOCBO_ERR_BUSY, "is busy: another process is writing");
    assert_int_equal(get_int(store, "SELECT count(*) FROM locbo_study WHERE plan = '{}'"), 1);
    locbo_store_patience(store, 30, note_wait, &waits);
    check_ok(store_write(store, run_statement, &s, &error));
    end_child(child);
    assert_int_equal(get_int(store, "SELECT count(*) FROM locbo_study WHERE plan = 'held!'"), 1);
    check_that(waits > 0, "the waiting function was not called");
    locbo_store_close(store);
}

/* An exclusive lock: no other process can even read. */
static int bar_file(void *user) {
    const holder *h = user;
    sqlite3 *db = NULL;
    int code = sqlite3_open(file_of(h->url), &db);
    if (code == SQLITE_OK)
        code = sqlite3_exec(db, "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE", NULL, NULL, NULL);
    if (code != SQLITE_OK || write(h->ready[1], "x", 1) != 1) return 1;
    sleep_for(h->seconds);
    sqlite3_close(db);
    return 0;
}

static locbo_status bar_table(locbo_store *store, void *user, locbo_error *error) {
    const holder *h = user;
    locbo_status status =
        store_query(store, "LOCK TABLE locbo_schema IN ACCESS EXCLUSIVE MODE", 0, NULL, NULL, NULL, NULL, error);
    if (write(h->ready[1], "x", 1) != 1) return status_fail(error, LOCBO_ERR_IO, "pipe");
    sleep_for(h->seconds);
    return status;
}

static int bar(void *user) {
    holder *h = user;
    locbo_store *store = NULL;
    locbo_error error = {LOCBO_OK, ""};
    if (!on_postgres) return bar_file(h);
    locbo_status status = locbo_store_open(&store, h->url, LOCBO_STORE_EXISTING, &error);
    if (status == LOCBO_OK) status = store_write(store, bar_table, h, &error);
    locbo_store_close(store);
    return status == LOCBO_OK ? 0 : complain("bar", &error);
}

static locbo_status open_patiently(const char *url, locbo_store_mode mode, double seconds, locbo_wait_fn *fn,
                                   void *user, locbo_error *error) {
    locbo_store *store = NULL;
    locbo_status status = locbo_store_open_patiently(&store, url, mode, seconds, fn, user, error);
    check_that((status == LOCBO_OK) == (store != NULL), "status %d", (int)status);
    locbo_store_close(store);
    return status;
}

static locbo_status stay_busy(locbo_store *store, void *user, locbo_error *error) {
    (void)store, (void)user;
    return status_fail(error, LOCBO_ERR_BUSY, "made busy");
}

/* locbo_store_open_patiently waits for its seconds and calls its function; later calls do the same. */
static void opening_has_its_patience(void **state) {
    (void)state;
    holder h;
    int waits = 0;
    char url[256];
    snprintf(url, sizeof url, "%s", fresh());
    check_ok(open_close(url, LOCBO_STORE_CREATE, &error));
    pid_t child = start_holder(&h, bar, url, 6);
    double start = clock_now();
    check_fails(open_patiently(url, LOCBO_STORE_READ_ONLY, 0.4, NULL, NULL, &error), LOCBO_ERR_BUSY,
                "is busy: another process is writing (waited");
    check_that(clock_now() - start < 3, "it took %g s", clock_now() - start);
    for (int mode = 0; mode < 3; mode++) {
        waits = 0;
        check_fails(open_patiently(url, (locbo_store_mode)mode, INFINITY, give_up_first, &waits, &error),
                    LOCBO_ERR_BUSY, "gave up waiting: the");
        assert_int_equal(waits, 1);
    }
    check_that(clock_now() - start < 5.5, "the database was free too early for this test");
    waits = 0;
    check_ok(open_patiently(url, LOCBO_STORE_READ_ONLY, INFINITY, note_wait, &waits, &error));
    check_that(waits > 0, "the waiting function was not called");
    end_child(child);
    locbo_store *store = NULL;
    waits = 0;
    check_ok(locbo_store_open_patiently(&store, url, LOCBO_STORE_EXISTING, INFINITY, give_up_first, &waits, &error));
    check_fails(store_read(store, stay_busy, NULL, &error), LOCBO_ERR_BUSY, "gave up waiting");
    assert_int_equal(waits, 1);
    locbo_store_close(store);
    check_fails(open_patiently(NULL, LOCBO_STORE_EXISTING, 1, NULL, NULL, &error), LOCBO_ERR_ARGUMENT, "url");
}

/* ---- the schema ------------------------------------------------------------------------------ */

static void upgrade_keeps_the_data(void **state) {
    (void)state;
    const char *url = fresh();
    locbo_store *store = NULL;
    check_ok(store_open_at(&store, url, LOCBO_STORE_CREATE, 1, &error));
    put_study(store, 1, "old");
    put(store,
        "INSERT INTO locbo_trial (study, number, state, params, origin, told, pending, asked)"
        " VALUES (1, 1, 'WAITING', '{}', 0, 0, '[]', 0.5)",
        0, NULL);
    put(store, "INSERT INTO locbo_measurement VALUES (1, 1, 1, 1, 2.5, NULL, 1, 0.75, 77)", 0, NULL);
    statement s = {.sql = "SELECT count(*) FROM locbo_output"};
    assert_int_not_equal(store_read(store, run_statement, &s, NULL), LOCBO_OK);
    locbo_store_close(store);

    refuse_open(url, LOCBO_STORE_READ_ONLY, LOCBO_ERR_SCHEMA,
                "has schema version 1, this program reads 9: opening it once for writing");
    store = open_store(url, LOCBO_STORE_EXISTING);
    assert_int_equal(get_int(store, "SELECT version FROM locbo_schema"), STORE_SCHEMA);
    assert_int_equal(get_int(store, "SELECT count(*) FROM locbo_study WHERE name = 'old'"), 1);
    assert_int_equal(get_int(store, "SELECT count(*) FROM locbo_trial WHERE asked = 0.5"), 1);
    assert_int_equal(get_int(store, "SELECT count(*) FROM locbo_output"), 0);
    /* the trial's table was made anew: its results are there, and still refer to it */
    assert_int_equal(get_int(store, "SELECT count(*) FROM locbo_measurement WHERE value = 2.5 AND token = 77"), 1);
    assert_int_equal(get_int(store, "SELECT count(*) FROM locbo_trial WHERE lost = 0 AND lease_length IS NULL"), 1);
    assert_int_equal(get_int(store, "SELECT count(*) FROM locbo_trial WHERE scale IS NULL"), 1);
    assert_int_equal(get_int(store, "SELECT count(choice) FROM locbo_fit"), 0);
    put(store, "UPDATE locbo_trial SET state = 'PRUNED'", 0, NULL);
    statement bad = {.sql = "UPDATE locbo_trial SET state = 'ANY'"};
    assert_int_not_equal(store_write(store, run_statement, &bad, NULL), LOCBO_OK);
    put(store, "DELETE FROM locbo_study", 0, NULL);
    assert_int_equal(get_int(store, "SELECT count(*) FROM locbo_measurement"), 0);
    locbo_store_close(store);
    check_ok(open_close(url, LOCBO_STORE_READ_ONLY, &error));
}

static void newer_schema_is_refused(void **state) {
    (void)state;
    const char *url = fresh();
    locbo_store *store = open_store(url, LOCBO_STORE_CREATE);
    put(store, "UPDATE locbo_schema SET version = 10", 0, NULL);
    for (locbo_store_mode mode = LOCBO_STORE_EXISTING; mode <= LOCBO_STORE_READ_ONLY; mode++)
        refuse_open(url, mode, LOCBO_ERR_SCHEMA,
                    "has schema version 10, this program knows up to 9: use a newer locbo");
    assert_int_equal(get_int(store, "SELECT version FROM locbo_schema"), 10);
    put(store, "UPDATE locbo_schema SET version = -1", 0, NULL);
    refuse_open(url, LOCBO_STORE_CREATE, LOCBO_ERR_SCHEMA, "version -1");
    put(store, "DELETE FROM locbo_schema", 0, NULL);
    refuse_open(url, LOCBO_STORE_CREATE, LOCBO_ERR_SCHEMA, "0 rows");
    locbo_store_close(store);
}

/* A step that fails changes nothing. */
static void failed_upgrade_changes_nothing(void **state) {
    (void)state;
    const char *url = fresh();
    locbo_store *store = NULL;
    check_ok(store_open_at(&store, url, LOCBO_STORE_CREATE, 1, &error));
    put(store, "CREATE TABLE locbo_output (mine BIGINT)", 0, NULL);
    refuse_open(url, LOCBO_STORE_EXISTING, LOCBO_ERR_IO, "locbo_output");
    assert_int_equal(get_int(store, "SELECT version FROM locbo_schema"), 1);
    assert_int_equal(get_int(store, "SELECT count(mine) FROM locbo_output"), 0);
    locbo_store_close(store);
}

static int join_names(const char *name, void *user) {
    strcat(strcat(user, name), ";");
    return strcmp(name, "stop") == 0;
}

static int look_inside(const char *name, void *user) { /* the callee may use the store */
    (void)name;
    assert_int_equal(get_int(user, "SELECT count(*) FROM locbo_study"), 4);
    return 0;
}

static void names_of_studies(void **state) {
    (void)state;
    char names[64] = "";
    locbo_store *store = open_store(fresh(), LOCBO_STORE_CREATE);
    check_ok(locbo_store_each(store, join_names, names, &error));
    assert_string_equal(names, "");
    put_study(store, 2, "a b");
    put_study(store, 1, "z'ü");
    put_study(store, 3, "stop");
    put_study(store, 4, "never");
    check_ok(locbo_store_each(store, join_names, names, &error));
    assert_string_equal(names, "z'ü;a b;stop;");
    check_ok(locbo_store_each(store, look_inside, store, &error));
    check_fails(locbo_store_each(store, NULL, NULL, &error), LOCBO_ERR_ARGUMENT, "fn");
    locbo_store_close(store);
}

/* ---- urls ------------------------------------------------------------------------------------ */

static void passwords_are_not_shown(void **state) {
    (void)state;
    const char *const pairs[][2] = {
        {"postgresql://", "postgresql://"},
        {"postgresql://u:geheim@h:5/d", "postgresql://u@h:5/d"},
        {"postgres://u@h/d", "postgres://u@h/d"},
        {"postgresql://:geheim@h/d", "postgresql://h/d"},
        {"postgresql://u:ge?heim@h/d?a=1", "postgresql://u@h/d?a=1"},
        {"postgresql://u:ge:heim@h,i:7/d", "postgresql://u@h,i:7/d"},
        {"postgresql://h/d?password=geheim", "postgresql://h/d"},
        {"postgresql://h/d?user=a@b&password=geheim&host=/run", "postgresql://h/d?user=a@b&host=/run"},
        {"postgresql:///d?sslpassword=geheim&&port=1", "postgresql:///d?port=1"},
        {"postgresql:///d?p%61ssword=geheim", "postgresql:///d"},
        {"postgresql://u:x?geheim/geheim@h/d", "postgresql://u:x"},
        {"postgresql://?host=/run&password=geheim", "postgresql://?host=/run"},
        {"study.db", "study.db"},
        {"sqlite:/a/study.db", "sqlite:/a/study.db"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        store_url parts;
        check_ok(store_url_read(&parts, pairs[i][0], &error));
        assert_string_equal(parts.shown, pairs[i][1]);
        assert_int_equal(parts.postgres, pairs[i][0][0] == 'p');
        free(parts.shown);
    }
}

static void bad_urls(void **state) {
    (void)state;
    const char *const list[][2] = {{"", "names no file"},
                                   {"sqlite:", "names no file"},
                                   {"sqlite:///x.db", "sqlite:PATH"},
                                   {"mysql://u:geheim@h/d", "'mysql:...'"},
                                   {"postgresql:d", "postgresql://"},
#ifdef LOCBO_POSTGRES
                                   {"postgresql://u:ge%zzheim@h/d", "percent-encoded"},
                                   {"postgresql://u:geheim@[::1/d", "cannot be read"},
                                   {"postgresql://u:geheim@h/d?nonsense=1", "nonsense"},
                                   {"postgresql:///d?sslmode=nonsense&password=geheim", "sslmode"},
                                   {"postgresql://u:x?geheim/geheim@h/d", "percent-encoded"},
#else
                                   {"postgresql://u:geheim@h/d", "built without PostgreSQL"},
#endif
                                   {"postgresql://u:geheim@geheim@h/d", "%40"},
                                   {"postgresql://u:x/geheim@h/d", "%2F"}};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        locbo_error error = {LOCBO_OK, ""};
        locbo_status status = open_close(list[i][0], LOCBO_STORE_CREATE, &error);
        check_that(status == LOCBO_ERR_ARGUMENT && strstr(error.message, list[i][1]), "%s: %d %s", list[i][0],
                   (int)status, error.message);
        check_that(!strstr(error.message, "heim"), "%s", error.message);
    }
    check_fails(locbo_store_open(NULL, "x", LOCBO_STORE_CREATE, &error), LOCBO_ERR_ARGUMENT, "NULL");
    refuse_open(NULL, LOCBO_STORE_CREATE, LOCBO_ERR_ARGUMENT, "NULL");
    refuse_open("x", (locbo_store_mode)3, LOCBO_ERR_ARGUMENT, "mode 3");
    locbo_store_close(NULL);
}

/* ---- SQLite: files --------------------------------------------------------------------------- */

static unsigned long pretended; /* the type of every file system, if not 0 */
static char asked_of[256];
int __real_statfs(const char *path, struct statfs *place);
int __wrap_statfs(const char *path, struct statfs *place);
int __wrap_statfs(const char *path, struct statfs *place) {
    snprintf(asked_of, sizeof asked_of, "%s", path);
    int result = __real_statfs(path, place);
    if (result == 0 && pretended) place->f_type = (long)pretended;
    return result;
}

static void execute_raw(const char *path, const char *sql) {
    sqlite3 *db;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    char *message = NULL;
    check_that(sqlite3_exec(db, sql, NULL, NULL, &message) == SQLITE_OK, "%s: %s", sql, message);
    sqlite3_close(db);
}

static void write_file(const char *path, long offset, const char *bytes, size_t size) {
    int file = open(path, O_WRONLY | O_CREAT, 0644);
    assert_int_equal(pwrite(file, bytes, size, offset), size);
    close(file);
}

/* The whole file, as a number. */
static uint64_t file_hash(const char *path) {
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    uint64_t hash = 1;
    for (int c; (c = getc(file)) != EOF;) hash = hash * 1099511628211u + (uint64_t)c + 1;
    fclose(file);
    return hash;
}

static int exists(const char *path) { return access(path, F_OK) == 0; }

static void sqlite_missing(void **state) {
    (void)state;
    const char *url = fresh();
    refuse_open(url, LOCBO_STORE_EXISTING, LOCBO_ERR_NOT_FOUND, "there is no file /tmp/locbo-store");
    refuse_open(url, LOCBO_STORE_READ_ONLY, LOCBO_ERR_NOT_FOUND, file_of(url));
    assert_false(exists(file_of(url)));
    char inner[512];
    snprintf(inner, sizeof inner, "%s/none/x.db", directory);
    refuse_open(inner, LOCBO_STORE_EXISTING, LOCBO_ERR_NOT_FOUND, "/none/x.db");
    refuse_open(inner, LOCBO_STORE_CREATE, LOCBO_ERR_IO, "there is no directory /tmp/locbo-store");
    refuse_open(directory, LOCBO_STORE_CREATE, LOCBO_ERR_IO, "is a directory");
    refuse_open("/dev/null", LOCBO_STORE_CREATE, LOCBO_ERR_IO, "not a regular file");
    refuse_open("/dev/null/x", LOCBO_STORE_CREATE, LOCBO_ERR_IO, "Not a directory");
}

static void sqlite_names_are_files(void **state) {
    (void)state;
    const char *const names[] = {":memory:", "file:x?mode=memory", "a b'ü.db"};
    char *old = getcwd(NULL, 0);
    assert_int_equal(chdir(directory), 0);
    for (size_t i = 0; i < 3; i++) {
        check_ok(open_close(names[i], LOCBO_STORE_CREATE, &error));
        check_that(exists(names[i]), "%s", names[i]);
        check_ok(open_close(names[i], LOCBO_STORE_EXISTING, &error));
    }
    locbo_store *store = open_store("sqlite:relative.db", LOCBO_STORE_CREATE);
    assert_int_equal(chdir(old), 0);
    free(old);
    put_study(store, 1, "from elsewhere");
    assert_string_equal(locbo_store_url(store), "sqlite:relative.db");
    locbo_store_close(store);
}

static locbo_status is_text(const store_value *columns, size_t count, void *user, locbo_error *error) {
    (void)count, (void)error;
    assert_string_equal(store_as_text(&columns[0]), user);
    return LOCBO_OK;
}

static void sqlite_settings(void **state) {
    (void)state;
    locbo_store *store = open_store(fresh(), LOCBO_STORE_CREATE);
    get(store, "PRAGMA journal_mode", is_text, (void *)"wal");
    assert_int_equal(get_int(store, "PRAGMA synchronous"), 2);
    assert_int_equal(get_int(store, "PRAGMA foreign_keys"), 1);
    assert_int_equal(get_int(store, "PRAGMA application_id"), 0x4c4f4342);
    locbo_store_close(store);
}

static void sqlite_foreign_and_garbage(void **state) {
    (void)state;
    const char *url = fresh(), *path = file_of(url);
    execute_raw(path, "CREATE TABLE theirs (x); INSERT INTO theirs VALUES (1)");
    uint64_t before = file_hash(path);
    for (locbo_store_mode mode = LOCBO_STORE_EXISTING; mode <= LOCBO_STORE_READ_ONLY; mode++)
        refuse_open(url, mode, LOCBO_ERR_SCHEMA, "is a SQLite database, but not one of locbo");
    assert_true(file_hash(path) == before);
    execute_raw(path, "ALTER TABLE theirs RENAME TO locbosomething");
    refuse_open(url, LOCBO_STORE_CREATE, LOCBO_ERR_SCHEMA, "not one of locbo");
    url = fresh(), path = file_of(url);
    char text[5000];
    memset(text, 'x', sizeof text);
    write_file(path, 0, text, sizeof text);
    before = file_hash(path);
    for (locbo_store_mode mode = LOCBO_STORE_EXISTING; mode <= LOCBO_STORE_READ_ONLY; mode++)
        refuse_open(url, mode, LOCBO_ERR_SCHEMA, "is not a database");
    assert_true(file_hash(path) == before);
}

static void sqlite_empty_file(void **state) {
    (void)state;
    const char *url = fresh();
    write_file(file_of(url), 0, "", 0);
    refuse_open(url, LOCBO_STORE_EXISTING, LOCBO_ERR_SCHEMA, "is empty, not a locbo database");
    refuse_open(url, LOCBO_STORE_READ_ONLY, LOCBO_ERR_SCHEMA, "is empty, not a locbo database");
    struct stat file;
    assert_int_equal(stat(file_of(url), &file), 0);
    assert_int_equal(file.st_size, 0);
    check_ok(open_close(url, LOCBO_STORE_CREATE, &error));
    check_ok(open_close(url, LOCBO_STORE_EXISTING, &error));
    /* a process that was killed after it set the log mode and before it created the tables */
    url = fresh();
    execute_raw(file_of(url), "PRAGMA journal_mode = WAL");
    refuse_open(url, LOCBO_STORE_EXISTING, LOCBO_ERR_SCHEMA, "not a locbo database");
    check_ok(open_close(url, LOCBO_STORE_CREATE, &error));
}

static void fill(locbo_store *store, int rows) {
    for (int i = 0; i < rows; i++)
        put(store,
            "INSERT INTO locbo_study (id, name, created, definition, plan)"
            " VALUES ($1, $2, 0, $3, '')",
            VALUES(store_int(i), store_text((char[]){(char)('A' + i / 26), (char)('a' + i % 26), 0}),
                   store_text("a definition of some length, so that there are several pages of them,"
                              " and the middle of the file is somewhere in this table, as it should"
                              " be for this test; and on and on it goes, without saying anything")));
}

static locbo_status ignore_row(const store_value *columns, size_t count, void *user, locbo_error *error) {
    (void)columns, (void)count, (void)user, (void)error;
    return LOCBO_OK;
}

static void sqlite_damaged_file(void **state) {
    (void)state;
    const char *url = fresh();
    locbo_store *store = open_store(url, LOCBO_STORE_CREATE);
    fill(store, 600);
    locbo_store_close(store);
    struct stat file;
    assert_int_equal(stat(file_of(url), &file), 0);
    long pages = (long)file.st_size / 4096;
    char noise[4096];
    memset(noise, 0x5a, sizeof noise);
    for (long page = pages / 2; page < pages; page++) write_file(file_of(url), page * 4096, noise, sizeof noise);
    store = open_store(url, LOCBO_STORE_EXISTING);
    statement s = {"SELECT * FROM locbo_study", 0, NULL, ignore_row, NULL, 0};
    check_fails(store_read(store, run_statement, &s, &error), LOCBO_ERR_IO, "is damaged");
    locbo_store_close(store);
    for (long page = 1; page < pages; page++) write_file(file_of(url), page * 4096, noise, sizeof noise);
    refuse_open(url, LOCBO_STORE_EXISTING, LOCBO_ERR_IO, "is damaged");
    assert_int_equal(truncate(file_of(url), 700), 0);
    locbo_error error = {LOCBO_OK, ""};
    locbo_status status = open_close(url, LOCBO_STORE_CREATE, &error);
    check_that(status == LOCBO_ERR_IO || status == LOCBO_ERR_SCHEMA, "%d %s", (int)status, error.message);
}

static void sqlite_deleted_in_use(void **state) {
    (void)state;
    const char *url = fresh();
    locbo_store *store = open_store(url, LOCBO_STORE_CREATE);
    assert_int_equal(unlink(file_of(url)), 0);
    statement s = {.sql = "DELETE FROM locbo_study"};
    check_fails(store_write(store, run_statement, &s, &error), LOCBO_ERR_IO, "moved or deleted");
    check_fails(store_read(store, run_statement, &s, &error), LOCBO_ERR_IO, "moved or deleted");
    locbo_store_close(store);
}

/* Permissions do not hold for root: the child is another user. */
typedef struct attempt {
    const char *url, *words;
    locbo_store_mode mode;
    locbo_status status;
} attempt;

static int try_as_nobody(void *user) {
    const attempt *a = user;
    locbo_error error = {LOCBO_OK, ""};
    locbo_store *store = NULL;
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) return 1;
    locbo_status status = locbo_store_open(&store, a->url, a->mode, &error);
    locbo_store_close(store);
    if (status == a->status && strstr(error.message, a->words)) return 0;
    return complain(a->url, &error);
}

static void nobody_gets(const char *url, locbo_store_mode mode, locbo_status status, const char *words) {
    attempt a = {url, words, mode, status};
    end_child(start_child(try_as_nobody, &a));
}

static void sqlite_permissions(void **state) {
    (void)state;
    char place[128], url[192], other[192];
    snprintf(place, sizeof place, "%s/locked", directory);
    snprintf(url, sizeof url, "%s/x.db", place);
    snprintf(other, sizeof other, "%s/new.db", place);
    assert_int_equal(mkdir(place, 0755), 0);
    locbo_store_close(open_store(url, LOCBO_STORE_CREATE));
    chmod(directory, 0755);
    chmod(url, 0444), chmod(place, 0777); /* a file that may only be read */
    nobody_gets(url, LOCBO_STORE_EXISTING, LOCBO_ERR_IO, "x.db is read-only");
    nobody_gets(url, LOCBO_STORE_READ_ONLY, LOCBO_OK, "");
    chmod(url, 0600);
    if (geteuid() == 0) nobody_gets(url, LOCBO_STORE_READ_ONLY, LOCBO_ERR_IO, "x.db may not be read");
    run_command("rm -f %s-wal %s-shm", url, url); /* a reader cannot take them away */
    chmod(url, 0666), chmod(place, 0555);         /* and a directory */
    nobody_gets(url, LOCBO_STORE_EXISTING, LOCBO_ERR_IO, "is not writable");
    nobody_gets(url, LOCBO_STORE_READ_ONLY, LOCBO_ERR_IO, "is not writable");
    nobody_gets(other, LOCBO_STORE_CREATE, LOCBO_ERR_IO, "is not writable");
    nobody_gets(other, LOCBO_STORE_EXISTING, LOCBO_ERR_NOT_FOUND, "new.db");
    assert_false(exists(other));
    chmod(place, 0755);
}

static int write_beyond_limit(void *user) {
    locbo_store *store = NULL;
    locbo_error error = {LOCBO_OK, ""};
    signal(SIGXFSZ, SIG_IGN);
    struct rlimit limit = {200000, 200000};
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 1;
    if (locbo_store_open(&store, user, LOCBO_STORE_EXISTING, &error) != LOCBO_OK) return complain("open", &error);
    static char big[400000];
    store_value value = store_bytes(big, sizeof big);
    statement s = {"UPDATE scratch SET b = $1", 1, &value, NULL, NULL, 0};
    locbo_status status = store_write(store, run_statement, &s, &error);
    if (status != LOCBO_ERR_IO || !strstr(error.message, "the disk is full")) return complain("write", &error);
    s = (statement){.sql = "UPDATE scratch SET k = 2"}; /* a small change still fits */
    if (store_write(store, run_statement, &s, &error) != LOCBO_OK) return complain("after", &error);
    locbo_store_close(store);
    return 0;
}

static void sqlite_full_disk(void **state) {
    (void)state;
    const char *url = fresh();
    locbo_store *store = open_store(url, LOCBO_STORE_CREATE);
    put(store, "CREATE TABLE scratch (k BIGINT, b BYTEA)", 0, NULL);
    put(store, "INSERT INTO scratch (k) VALUES (1)", 0, NULL);
    locbo_store_close(store);
    end_child(start_child(write_beyond_limit, (void *)url));
    store = open_store(url, LOCBO_STORE_EXISTING);
    assert_int_equal(get_int(store, "SELECT count(*) FROM scratch WHERE k = 2 AND b IS NULL"), 1);
    get_int(store, "PRAGMA max_page_count = 1"); /* becomes the present size: SQLITE_FULL itself */
    static char big[400000];
    store_value value = store_bytes(big, sizeof big);
    statement s = {"UPDATE scratch SET b = $1", 1, &value, NULL, NULL, 0};
    check_fails(store_write(store, run_statement, &s, &error), LOCBO_ERR_IO, "the disk is full");
    locbo_store_close(store);
}

static void sqlite_network(void **state) {
    (void)state;
    static const struct {
        unsigned long type;
        const char *words;
    } list[] = {
        {0x6969, "(nfs)"}, {0xff534d42, "(cifs)"}, {0xfe534d42, "(smb)"}, {0x65735546, "(fuse)"}, {0x01021997, "(9p)"}};
    const char *there = fresh(), *missing = fresh();
    check_ok(open_close(there, LOCBO_STORE_CREATE, &error));
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        pretended = list[i].type;
        refuse_open(there, LOCBO_STORE_EXISTING, LOCBO_ERR_ARGUMENT, list[i].words);
        assert_string_equal(asked_of, file_of(there));
        refuse_open(missing, LOCBO_STORE_CREATE, LOCBO_ERR_ARGUMENT, list[i].words);
        assert_string_equal(asked_of, directory);
        refuse_open(there, LOCBO_STORE_READ_ONLY, LOCBO_ERR_ARGUMENT, "or PostgreSQL");
    }
    refuse_open("no-such-file.db", LOCBO_STORE_CREATE, LOCBO_ERR_ARGUMENT, "");
    assert_string_equal(asked_of, ".");
    pretended = 0xffffffffff534d42; /* as a 32-bit kernel may extend it */
    refuse_open(there, LOCBO_STORE_EXISTING, LOCBO_ERR_ARGUMENT, "(cifs)");
    pretended = 0;
    assert_false(exists(file_of(missing)));
    check_ok(open_close(there, LOCBO_STORE_EXISTING, &error));
}

/* ---- PostgreSQL: servers --------------------------------------------------------------------- */

static void end_other_connections(const char *url) {
    locbo_store *store = open_store(url, LOCBO_STORE_EXISTING);
    uint64_t ended = put(store,
                         "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                         " WHERE application_name = 'locbo' AND datname = current_database()"
                         " AND pid <> pg_backend_pid()",
                         0, NULL);
    check_that(ended >= 1, "no connection was ended");
    locbo_store_close(store);
    sleep_for(0.1);
}

typedef struct disturbed {
    const char *url;
    int calls;
} disturbed;

/* The first time, the connection ends in the middle of the transaction. */
static locbo_status be_disturbed(locbo_store *store, void *user, locbo_error *error) {
    disturbed *d = user;
    locbo_status status =
        store_query(store, "UPDATE locbo_study SET plan = plan || '+'", 0, NULL, NULL, NULL, NULL, error);
    if (status == LOCBO_OK && d->calls++ == 0) end_other_connections(d->url);
    if (status == LOCBO_OK)
        status = store_query(store, "UPDATE locbo_study SET plan = plan || '-'", 0, NULL, NULL, NULL, NULL, error);
    return status;
}

static void postgres_lost_connection(void **state) {
    (void)state;
    const char *url = fresh();
    locbo_store *store = open_store(url, LOCBO_STORE_CREATE);
    put_study(store, 1, "one");
    end_other_connections(url);
    assert_int_equal(get_int(store, "SELECT count(*) FROM locbo_study"), 1);
    disturbed d = {url, 0};
    check_ok(store_write(store, be_disturbed, &d, &error));
    assert_int_equal(d.calls, 2);
    assert_int_equal(get_int(store, "SELECT count(*) FROM locbo_study WHERE plan = '{}+-'"), 1);
    end_other_connections(url);
    locbo_store_patience(store, 0, NULL, NULL); /* without patience the next call connects again */
    statement s = {.sql = "SELECT 1"};
    check_fails(store_read(store, run_statement, &s, &error), LOCBO_ERR_BUSY, "PostgreSQL: ");
    check_ok(store_read(store, run_statement, &s, &error));
    locbo_store_close(store);
}

static int restart_later(void *user) {
    sleep_for(1.5);
    return system(user) != 0;
}

static int note_any(const char *why, double waited, void *user) {
    (void)waited;
    assert_non_null(strstr(why, "PostgreSQL: "));
    ++*(int *)user;
    return 0;
}

static void postgres_server_restarts(void **state) {
    (void)state;
    int waits = 0;
    char start_it[128];
    snprintf(start_it, sizeof start_it, "pg_ctlcluster %s regress start", getenv("PGVERSION"));
    const char *url = fresh();
    locbo_store *store = open_store(url, LOCBO_STORE_CREATE);
    put_study(store, 1, "one");
    run_command("pg_ctlcluster %s regress stop -m fast", getenv("PGVERSION"));
    double start = clock_now();
    refuse_open(url, LOCBO_STORE_EXISTING, LOCBO_ERR_BUSY, "PostgreSQL: connection to server");
    check_that(clock_now() - start < 3, "opening waited");
    pid_t child = start_child(restart_later, start_it);
    locbo_store_patience(store, 60, note_any, &waits);
    statement s = {.sql = "UPDATE locbo_study SET plan = 'after'"};
    check_ok(store_write(store, run_statement, &s, &error));
    end_child(child);
    check_that(waits >= 2, "%d waits", waits);
    assert_int_equal(s.changed, 1);
    locbo_store_close(store);
}

static void postgres_refusals(void **state) {
    (void)state;
    const char *base = "postgresql://postgres:geheim@localhost/postgres";
    locbo_error wrong = {LOCBO_OK, ""};
    assert_int_equal(open_close(base, LOCBO_STORE_CREATE, &wrong), LOCBO_ERR_IO);
    check_that(strstr(wrong.message, "28P01"), "%s", wrong.message);
    check_that(!strstr(wrong.message, "geheim"), "%s", wrong.message);
    refuse_open("postgresql://nobody_such@localhost/postgres", LOCBO_STORE_CREATE, LOCBO_ERR_IO, "nobody_such");
    refuse_open("postgresql:///no_such_db", LOCBO_STORE_CREATE, LOCBO_ERR_NOT_FOUND, "no_such_db");
    refuse_open("postgresql://127.0.0.1:1/x", LOCBO_STORE_CREATE, LOCBO_ERR_BUSY, "127.0.0.1");
    refuse_open("postgresql://no-such-host.invalid/x", LOCBO_STORE_CREATE, LOCBO_ERR_BUSY, "no-such-host.invalid");
    char *password = strdup(getenv("PGPASSWORD"));
    unsetenv("PGPASSWORD");
    refuse_open("postgresql:///postgres", LOCBO_STORE_CREATE, LOCBO_ERR_IO, "password");
    setenv("PGPASSWORD", password, 1);
    free(password);
}

static void postgres_too_many(void **state) {
    (void)state;
    const char *url = fresh();
    run_command("psql -qc \"CREATE ROLE few LOGIN PASSWORD 'f' CONNECTION LIMIT 1\""
                " -c 'GRANT ALL ON DATABASE %s TO few'"
                " -c 'ALTER DATABASE %s OWNER TO few'",
                strrchr(url, '/') + 1, strrchr(url, '/') + 1);
    char limited[256];
    snprintf(limited, sizeof limited, "postgresql://few:f@/%s", strrchr(url, '/') + 1);
    locbo_store *store = open_store(limited, LOCBO_STORE_CREATE);
    assert_non_null(strstr(locbo_store_url(store), "//few@/test_"));
    refuse_open(limited, LOCBO_STORE_EXISTING, LOCBO_ERR_BUSY, "53300");
    locbo_store_close(store);
}

static void postgres_beside_others(void **state) {
    (void)state;
    const char *url = fresh();
    const char *name = strrchr(url, '/') + 1;
    refuse_open(url, LOCBO_STORE_EXISTING, LOCBO_ERR_NOT_FOUND, "there are no studies in");
    refuse_open(url, LOCBO_STORE_READ_ONLY, LOCBO_ERR_NOT_FOUND, "there are no studies in");
    run_command("psql -q %s -c 'CREATE TABLE study (x INT)' -c 'CREATE TABLE trial (y TEXT)'", name);
    locbo_store_close(open_store(url, LOCBO_STORE_CREATE));
    run_command("test \"$(psql -Atc \"SELECT string_agg(relname, ' ' ORDER BY relname) FROM pg_class"
                " WHERE relkind = 'r' AND relname NOT LIKE 'locbo\\_%%'"
                " AND relnamespace = 'public'::regnamespace\" %s)\" = 'study trial'",
                name);
    check_ok(open_close(url, LOCBO_STORE_EXISTING, &error));
}

/* A column of a type that store.h does not have is an error; the settings of the server do not matter. */
static void postgres_types_and_settings(void **state) {
    (void)state;
    const char *url = fresh();
    run_command("psql -q -c \"ALTER DATABASE %s SET default_transaction_isolation = serializable\""
                " -c \"ALTER DATABASE %s SET default_transaction_read_only = on\""
                " -c \"ALTER DATABASE %s SET lc_numeric = 'C'\""
                " -c \"ALTER DATABASE %s SET extra_float_digits = -15\"",
                strrchr(url, '/') + 1, strrchr(url, '/') + 1, strrchr(url, '/') + 1, strrchr(url, '/') + 1);
    locbo_store *store = open_store(url, LOCBO_STORE_CREATE);
    double value = 0;
    put(store, "CREATE TABLE t AS SELECT $1 AS r", VALUES(store_real(0.1 + 0.2)));
    get(store, "SELECT r FROM t", take_real, &value);
    check_same(value, 0.1 + 0.2);
    get(store, "SELECT 0.5::float4", take_real, &value);
    check_same(value, 0.5);
    statement s = {"SELECT 1.5::numeric AS odd", 0, NULL, take_real, &value, 0};
    check_fails(store_read(store, run_statement, &s, &error), LOCBO_ERR_IO, "'odd'");
    locbo_store_close(store);
}

/* ---- */

static int set_up(void **state) {
    (void)state;
    on_postgres = getenv("LOCBO_TEST_DB") != NULL;
    return on_postgres || mkdtemp(directory) ? 0 : -1;
}

static int tear_down(void **state) {
    (void)state;
    if (!on_postgres) run_command("rm -rf %s", directory);
    return 0;
}

int main(void) {
    const struct CMUnitTest both[] = {
        cmocka_unit_test(doubles_are_exact),
        cmocka_unit_test(nan_is_null),
        cmocka_unit_test(integers_are_exact),
        cmocka_unit_test(numbers_of_other_kinds),
        cmocka_unit_test(texts_are_exact),
        cmocka_unit_test(bytes_are_exact),
        cmocka_unit_test(words_are_spelled),
        cmocka_unit_test(changes_are_counted),
        cmocka_unit_test(listed_rows_come_after_the_transaction),
        cmocka_unit_test(errors_of_statements),
        cmocka_unit_test(errors_roll_back),
        cmocka_unit_test(busy_is_repeated),
        cmocka_unit_test(patience_ends),
        cmocka_unit_test(waiting_can_be_ended),
        cmocka_unit_test(no_nesting_and_no_writing_of_readers),
        cmocka_unit_test(reads_see_one_snapshot),
        cmocka_unit_test(created_by_many_at_once),
        cmocka_unit_test(many_writers),
        cmocka_unit_test(a_lock_is_waited_out),
        cmocka_unit_test(opening_has_its_patience),
        cmocka_unit_test(upgrade_keeps_the_data),
        cmocka_unit_test(newer_schema_is_refused),
        cmocka_unit_test(failed_upgrade_changes_nothing),
        cmocka_unit_test(names_of_studies),
        cmocka_unit_test(passwords_are_not_shown),
        cmocka_unit_test(bad_urls),
    };
    const struct CMUnitTest files[] = {
        cmocka_unit_test(sqlite_missing),        cmocka_unit_test(sqlite_names_are_files),
        cmocka_unit_test(sqlite_settings),       cmocka_unit_test(sqlite_foreign_and_garbage),
        cmocka_unit_test(sqlite_empty_file),     cmocka_unit_test(sqlite_damaged_file),
        cmocka_unit_test(sqlite_deleted_in_use), cmocka_unit_test(sqlite_permissions),
        cmocka_unit_test(sqlite_full_disk),      cmocka_unit_test(sqlite_network),
    };
    const struct CMUnitTest servers[] = {
        cmocka_unit_test(postgres_lost_connection), cmocka_unit_test(postgres_server_restarts),
        cmocka_unit_test(postgres_refusals),        cmocka_unit_test(postgres_too_many),
        cmocka_unit_test(postgres_beside_others),   cmocka_unit_test(postgres_types_and_settings),
    };
    int failed = cmocka_run_group_tests_name("both", both, set_up, tear_down);
    strcpy(directory, "/tmp/locbo-store-XXXXXX");
    failed += getenv("LOCBO_TEST_DB") ? cmocka_run_group_tests_name("servers", servers, set_up, tear_down)
                                      : cmocka_run_group_tests_name("files", files, set_up, tear_down);
    return failed;
}
