/* condition.h - a condition variable whose waits end at a time of clock.h. */
#ifndef CONDITION_H
#define CONDITION_H

#include <pthread.h>

/* Setting the time of day does not end a wait. */
void condition_init(pthread_cond_t *c);
/* Wait until it is signalled, or until clock_now() is `end` (INFINITY: no end). Returns 0 if it is that late. */
int condition_wait(pthread_cond_t *c, pthread_mutex_t *lock, double end);

#endif
