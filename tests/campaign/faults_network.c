/* faults_network.c - PostgreSQL through the proxy. */
#include <stdio.h>

#include "check.h"
#include "faults.h"
#include "proxy.h"
#include "store.h"

enum { PAUSE = 100 }; /* milliseconds: longer than it takes to connect again and repeat the call */

static locbo_store *store;
static char url[128], blank[192], direct_blank[128];

static locbo_store *direct(void) { return store; }

static void arm(size_t step, size_t fault) { proxy_arm(step, (proxy_fault)fault, PAUSE); }

static void arm_random(uint64_t seed) { proxy_arm_random(seed, 0.08, 4, PAUSE); }

static void arm_often(uint64_t seed) { proxy_arm_random(seed, 0.01, SIZE_MAX, PAUSE / 2); }

static locbo_status drop_blank(locbo_store *s, void *user, locbo_error *error) {
    (void)user;
    locbo_status status = store_query(s, "DROP SCHEMA IF EXISTS blank CASCADE", 0, NULL, NULL, NULL, NULL, error);
    if (status == LOCBO_OK) status = store_query(s, "CREATE SCHEMA blank", 0, NULL, NULL, NULL, NULL, error);
    return status;
}

static void clear_blank(void) { check_ok(store_write(store, drop_blank, NULL, &error)); }

static char *look_blank(void) {
    locbo_store *s = NULL;
    locbo_error error;
    locbo_status status = locbo_store_open(&s, direct_blank, LOCBO_STORE_READ_ONLY, &error);
    locbo_store_close(s);
    return strdup(status == LOCBO_OK ? "complete" : status == LOCBO_ERR_NOT_FOUND ? "nothing" : error.message);
}

/* A short test: the faults after which a caller does not know whether a commit was made. A long one: all; where the
 * message is one of a group that libpq sends at once, and the server answers at its end, one of them. */
static int is_wanted(size_t fault, char kind, int full, int brief) {
    int unsure = fault == PROXY_LOSE || fault == PROXY_RESET || fault == PROXY_LATE;
    if (!full) return kind == 'C' && (brief ? fault == PROXY_LOSE : unsure);
    return strchr("PBDE", kind) ? fault == PROXY_RESET && !brief : !brief || unsure;
}

static void close_all(void) {
    locbo_store_close(store);
    proxy_stop();
}

const fault_source *fault_network(void) {
    static const fault_source source = {.title = "PostgreSQL",
                                        .names = proxy_fault_names,
                                        .count = PROXY_FAULTS,
                                        .url = url,
                                        .blank = blank,
                                        .direct = direct,
                                        .arm = arm,
                                        .arm_random = arm_random,
                                        .arm_often = arm_often,
                                        .disarm = proxy_disarm,
                                        .settle = proxy_settle,
                                        .clear_blank = clear_blank,
                                        .look_blank = look_blank,
                                        .is_wanted = is_wanted,
                                        .close = close_all};
    const char *given = getenv("LOCBO_TEST_DB"), *in_blank = "options=-csearch_path%3Dblank";
    snprintf(url, sizeof url, "postgresql://127.0.0.1:%d/?sslmode=disable&gssencmode=disable", proxy_start());
    snprintf(blank, sizeof blank, "%s&%s", url, in_blank);
    snprintf(direct_blank, sizeof direct_blank, "%s?%s", given, in_blank);
    check_ok(locbo_store_open(&store, given, LOCBO_STORE_CREATE, &error));
    return &source;
}
