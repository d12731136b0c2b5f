/* cpu_time.h - what every benchmark needs: CPU time, and an end with a reason. */
#ifndef CPU_TIME_H
#define CPU_TIME_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double cpu_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline void die(const char *what) {
    fprintf(stderr, "benchmark: %s\n", what);
    exit(1);
}

#endif
