/* clock.c - time that only goes forwards. Layer: system. */
#include "clock.h"

#include <math.h>

double clock_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

struct timespec clock_span(double seconds) {
    double whole = seconds > 0 ? floor(seconds) : 0;
    return (struct timespec){(time_t)whole, seconds > 0 ? (long)(1e9 * (seconds - whole)) : 0};
}
