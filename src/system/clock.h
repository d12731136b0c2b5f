/* clock.h - time that only goes forwards. */
#ifndef CLOCK_H
#define CLOCK_H

#include <time.h>

/* Seconds since some moment in the past, whatever the time of day is set to (CLOCK_MONOTONIC). */
double clock_now(void);
/* Seconds as the system takes them; what is not above 0 is 0. */
struct timespec clock_span(double seconds);

#endif
