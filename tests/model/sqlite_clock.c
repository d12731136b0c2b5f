/* sqlite_clock.c - a copy of SQLite's default file system whose clock is the test's. What it reads is in memory that
 * forked processes share, so that a step of the clock is seen by all. */
#include "sqlite_clock.h"

#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

static const double EPOCH = 2440587.5 * 86400; /* 1970 as a Julian date, in seconds */

static struct reading {
    volatile int stands;
    volatile double seconds;
} * clock_reading;
static sqlite3_vfs changed;
static int (*system_time)(sqlite3_vfs *, sqlite3_int64 *);

static int milliseconds(sqlite3_vfs *vfs, sqlite3_int64 *now) {
    sqlite3_int64 step = (sqlite3_int64)((clock_reading->seconds + (clock_reading->stands ? EPOCH : 0)) * 1000);
    int code = clock_reading->stands ? SQLITE_OK : system_time(vfs, now);
    *now = clock_reading->stands ? step : *now + step;
    return code;
}

void sqlite_clock_install(void) {
    void *shared = mmap(NULL, sizeof *clock_reading, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    sqlite3_vfs *usual = sqlite3_vfs_find(NULL);
    if (shared == MAP_FAILED || !usual || usual->iVersion < 2) {
        fprintf(stderr, "SQLite's clock cannot be replaced\n");
        exit(1);
    }
    clock_reading = shared;
    changed = *usual;
    system_time = usual->xCurrentTimeInt64;
    changed.zName = "stepping";
    changed.xCurrentTimeInt64 = milliseconds;
    sqlite3_vfs_register(&changed, 1);
}

void sqlite_clock_stand(double seconds) {
    clock_reading->stands = 1;
    clock_reading->seconds = seconds;
}

void sqlite_clock_run(double seconds) {
    clock_reading->seconds = seconds;
    clock_reading->stands = 0;
}
