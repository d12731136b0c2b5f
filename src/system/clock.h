/* clock.h - time that only goes forwards. */
#ifndef CLOCK_H
#define CLOCK_H

/* Seconds since some moment in the past, whatever the time of day is set to. */
double clock_now(void);

#endif
