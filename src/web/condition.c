/* condition.c - a condition variable with the clock that only goes forwards. Layer: web, tools. */
#include "condition.h"

#include <math.h>

#include "clock.h"

void condition_init(pthread_cond_t *c) {
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(c, &monotonic);
    pthread_condattr_destroy(&monotonic);
}

int condition_wait(pthread_cond_t *c, pthread_mutex_t *lock, double end) {
    if (isinf(end)) return pthread_cond_wait(c, lock) == 0;
    struct timespec then = clock_span(end);
    return pthread_cond_timedwait(c, lock, &then) == 0;
}
