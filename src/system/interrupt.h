/* interrupt.h - Ctrl-C and its like (SIGINT, SIGTERM, SIGHUP) as a number that the loop looks at. */
#ifndef INTERRUPT_H
#define INTERRUPT_H

#include <poll.h>

void interrupt_install(void);
/* Undo interrupt_install. */
void interrupt_restore(void);
/* How many signals so far. */
int interrupt_count(void);
/* poll that a signal wakes, even one that came just before. `seconds` may be INFINITY. */
int interrupt_poll(struct pollfd *set, nfds_t count, double seconds);

#endif
