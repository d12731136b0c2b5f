/* Reads as of one moment: begun again while the connection is lost, and released whatever happens. Runs on SQLite files
 * of its own, or on the database of LOCBO_TEST_DB (tests/with-postgres). */
#include "moment.h"

#include "own_store.h"
#include "store.h"

typedef struct reading {
    int calls, losses; /* so many of the calls find the connection lost */
    locbo_status end;  /* of the others */
} reading;

static locbo_status run_sql(locbo_store *store, void *sql, locbo_error *error) {
    return store_query(store, sql, 0, NULL, NULL, NULL, NULL, error);
}

/* On a server the connection is really lost; a file has none. */
static locbo_status lose(locbo_error *why) {
    static const char end[] = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
                              " AND state = 'idle in transaction'";
    if (!getenv("LOCBO_TEST_DB")) return status_fail(why, LOCBO_ERR_BUSY, "lost");
    locbo_store *other = own_store_again(LOCBO_STORE_EXISTING);
    check_ok(store_read(other, run_sql, (void *)end, &error));
    locbo_store_close(other);
    return store_read(own_store, run_sql, "SELECT 1", why);
}

static locbo_status read_some(void *user, locbo_error *why) {
    reading *r = user;
    check_fails(locbo_store_hold(own_store, &error), LOCBO_ERR_STATE, "held already");
    if (r->calls++ < r->losses) return lose(why);
    return r->end == LOCBO_OK ? store_read(own_store, run_sql, "SELECT 1", why) : status_fail(why, r->end, "no");
}

/* It is not held, and can be read and written. */
static void check_released(void) {
    check_ok(store_write(own_store, run_sql, "UPDATE locbo_schema SET version = version", &error));
    check_ok(locbo_store_hold(own_store, &error));
    locbo_store_release(own_store);
}

static void once(void **state) {
    (void)state;
    reading good = {.end = LOCBO_OK}, bad = {.end = LOCBO_ERR_CHANGED};
    check_ok(moment_read(own_store, read_some, &good, &error));
    assert_int_equal(good.calls, 1);
    check_released();
    check_fails(moment_read(own_store, read_some, &bad, &error), LOCBO_ERR_CHANGED, "no");
    assert_int_equal(bad.calls, 1);
    check_released();
}

static void again_when_it_was_lost(void **state) {
    (void)state;
    reading r = {.losses = 2, .end = LOCBO_OK};
    check_ok(moment_read(own_store, read_some, &r, &error));
    assert_int_equal(r.calls, 3);
    check_released();
}

static void not_for_ever(void **state) {
    (void)state;
    reading r = {.losses = 100};
    check_fails(moment_read(own_store, read_some, &r, &error), LOCBO_ERR_BUSY, "lost");
    assert_in_range(r.calls, 2, 20);
    check_released();
}

#define with_store(test) cmocka_unit_test_setup_teardown(test, own_store_open, own_store_close)

int main(void) {
    const struct CMUnitTest tests[] = {with_store(once), with_store(again_when_it_was_lost), with_store(not_for_ever)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
