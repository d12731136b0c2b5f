/* sqlite_clock.h - the time of day as SQLite sees it, under the test's control. */
#ifndef SQLITE_CLOCK_H
#define SQLITE_CLOCK_H

/* From now on every connection of this process, and of those it forks, reads this clock. */
void sqlite_clock_install(void);
/* It stands still at `seconds` since 1970. */
void sqlite_clock_stand(double seconds);
/* It is the system's clock plus `seconds`, for this process and those it has forked. */
void sqlite_clock_run(double seconds);

#endif
