/* faults_disk.c - SQLite on a disk that fails: the functions of the C library that SQLite calls are replaced by these,
 * which fail at the k-th call of the thread that armed them. */
#include <errno.h>
#include <pthread.h>
#include <sqlite3.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "check.h"
#include "faults.h"
#include "record.h"
#include "store.h"

enum { DISK_ERROR, DISK_GONE, DISK_FULL, DISK_BUSY, DISK_FAULTS };
static const char *const names[DISK_FAULTS] = {"I/O error", "I/O errors from there on", "disk full", "busy for 0.1 s"};
enum { STEPS = 4096, PAUSE = 100 };

static _Thread_local struct {
    int armed;
    size_t step, count, fault;
    uint64_t random; /* not 0: a fault at one call of 16 */
    char kinds[STEPS];
} disk;

/* Count a call. 1: it must fail, with this errno. */
static int fails(char kind) {
    if (!disk.armed || disk.fault == DISK_BUSY) return 0;
    if (disk.count + 1 < STEPS) disk.kinds[disk.count] = kind;
    disk.count++;
    int hit = disk.fault == DISK_GONE ? disk.step && disk.count >= disk.step : disk.count == disk.step;
    if (disk.random) {
        disk.random = disk.random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        hit = disk.random >> 60 == 0;
    }
    if (!hit || (disk.fault == DISK_FULL && kind != 'w' && kind != 't')) return 0;
    errno = disk.fault == DISK_FULL ? ENOSPC : EIO;
    return 1;
}

#define REPLACES __attribute__((visibility("default")))
ssize_t REPLACES pwrite64(int to, const void *data, size_t size, off64_t at);
ssize_t REPLACES pread64(int from, void *data, size_t size, off64_t at);
int REPLACES fdatasync(int file);
int REPLACES ftruncate64(int file, off64_t size);

ssize_t pwrite64(int to, const void *data, size_t size, off64_t at) {
    return fails('w') ? -1 : syscall(SYS_pwrite64, to, data, size, at);
}

ssize_t pread64(int from, void *data, size_t size, off64_t at) {
    return fails('r') ? -1 : syscall(SYS_pread64, from, data, size, at);
}

int fdatasync(int file) { return fails('C') ? -1 : (int)syscall(SYS_fdatasync, file); }

int ftruncate64(int file, off64_t size) { return fails('t') ? -1 : (int)syscall(SYS_ftruncate, file, size); }

/* ---- another process that writes --------------------------------------------------------------- */

static sqlite3 *writer;
static pthread_t writing;
static int is_writing;

static void *write_for_a_while(void *user) {
    (void)user;
    struct timespec t = {0, PAUSE * 1000000L};
    nanosleep(&t, NULL);
    assert_int_equal(sqlite3_exec(writer, "ROLLBACK", NULL, NULL, NULL), SQLITE_OK);
    return NULL;
}

/* ---- the source -------------------------------------------------------------------------------- */

static locbo_store *store;
static char folder[64], url[96], blank[96];

static locbo_store *direct(void) { return store; }

static void start(size_t step, size_t fault, uint64_t random) {
    disk.armed = 1;
    disk.step = step;
    disk.fault = fault;
    disk.random = random;
    disk.count = 0;
    memset(disk.kinds, 0, sizeof disk.kinds);
}

static void arm(size_t step, size_t fault) {
    if (step && fault == DISK_BUSY) {
        assert_int_equal(sqlite3_exec(writer, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
        assert_int_equal(pthread_create(&writing, NULL, write_for_a_while, NULL), 0);
        is_writing = 1;
    }
    start(step, fault, 0);
}

static void arm_random(uint64_t seed) { start(0, DISK_ERROR, seed * 2 + 1); }

static const char *disarm(void) {
    disk.armed = 0;
    if (is_writing) assert_int_equal(pthread_join(writing, NULL), 0);
    is_writing = 0;
    return disk.kinds;
}

static void run(const char *format, const char *a, const char *b) {
    char command[512];
    snprintf(command, sizeof command, format, a, b, a, b);
    assert_int_equal(system(command), 0);
}

static void clear_blank(void) { run("rm -f '%s/blank.db' '%s/blank.db-'*", folder, folder); }

static char *look_blank(void) {
    locbo_store *s = NULL;
    locbo_error error;
    /* for writing, because SQLite undoes what was not finished */
    locbo_status status = locbo_store_open(&s, blank, LOCBO_STORE_EXISTING, &error);
    locbo_store_close(s);
    int nothing = status == LOCBO_ERR_NOT_FOUND || (status == LOCBO_ERR_SCHEMA && strstr(error.message, "is empty"));
    return strdup(status == LOCBO_OK ? "complete" : nothing ? "nothing" : error.message);
}

/* A copy of the files as they are now, without the shared memory: what is read after the power has failed. */
static char *look_after_crash(record_sums *sums) {
    char copy[96];
    locbo_store *s;
    run("cp '%s/a.db' '%s/copy.db' && rm -f '%s/copy.db-wal' '%s/copy.db-shm'", folder, folder);
    run("cp '%s/a.db-wal' '%s/copy.db-wal'", folder, folder);
    snprintf(copy, sizeof copy, "sqlite:%s/copy.db", folder);
    check_ok(locbo_store_open(&s, copy, LOCBO_STORE_EXISTING, &error));
    char *text = record_all(s, sums);
    locbo_store_close(s);
    return text;
}

static int has_no_step(size_t fault) { return fault == DISK_BUSY; }

/* Patience makes no difference to an I/O error. */
static int is_wanted(size_t fault, char kind, int full, int brief) {
    if (fault == DISK_BUSY) return full || !brief;
    return !brief && (full || (fault == DISK_ERROR && kind == 'C'));
}

static void close_all(void) {
    sqlite3_close(writer);
    locbo_store_close(store);
    run("rm -rf '%s%s'", folder, "");
}

const fault_source *fault_disk(void) {
    static const fault_source source = {.title = "SQLite",
                                        .names = names,
                                        .count = DISK_FAULTS,
                                        .url = url,
                                        .blank = blank,
                                        .direct = direct,
                                        .arm = arm,
                                        .arm_random = arm_random,
                                        .disarm = disarm,
                                        .has_no_step = has_no_step,
                                        .clear_blank = clear_blank,
                                        .look_blank = look_blank,
                                        .look_after_crash = look_after_crash,
                                        .is_wanted = is_wanted,
                                        .close = close_all};
    /* in memory if possible: what is tested is that errors are heard, not that the disk is slow */
    snprintf(folder, sizeof folder, "%s/locbo-lost-XXXXXX", access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
    assert_non_null(mkdtemp(folder));
    snprintf(url, sizeof url, "sqlite:%s/a.db", folder);
    snprintf(blank, sizeof blank, "sqlite:%s/blank.db", folder);
    check_ok(locbo_store_open(&store, url, LOCBO_STORE_CREATE, &error));
    assert_int_equal(sqlite3_open(url + strlen("sqlite:"), &writer), SQLITE_OK);
    return &source;
}
