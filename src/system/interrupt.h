/* interrupt.h - Ctrl-C and its like (SIGINT, SIGTERM, SIGHUP) as a number that the loop looks at. */
#ifndef INTERRUPT_H
#define INTERRUPT_H

#include <poll.h>

void interrupt_install(void);
/* Undo interrupt_install. */
void interrupt_restore(void);
/* How many signals so far. */
int interrupt_count(void);
/* Let signals in also outside interrupt_poll, so that they end a sleep: for calls that may take long. From signal
 * number `limit` on (or the next one, if there were as many) the process ends at once with `code`. Until
 * interrupt_hold. */
void interrupt_let_in(int limit, int code);
void interrupt_hold(void);
/* poll that a signal wakes, even one that came just before. `seconds` may be INFINITY. */
int interrupt_poll(struct pollfd *set, nfds_t count, double seconds);

#endif
