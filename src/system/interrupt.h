/* interrupt.h - Ctrl-C and its like (SIGINT, SIGTERM, SIGHUP) as a number that the loop looks at; SIGUSR1 as the wish
 * that nothing more is begun. */
#ifndef INTERRUPT_H
#define INTERRUPT_H

#include <poll.h>

void interrupt_install(void);
/* Undo interrupt_install. */
void interrupt_restore(void);
/* How many signals so far, without SIGUSR1. */
int interrupt_count(void);
/* Take SIGUSR1 too, from now to the end of the process: call it before interrupt_install. */
void interrupt_take_finish(void);
/* Whether SIGUSR1 came. */
int interrupt_is_finish(void);
/* Let signals in also outside interrupt_poll, so that they end a sleep: for calls that may take long. From signal
 * number `limit` on (or the next one, if there were as many) the process ends at once with `code`. Until
 * interrupt_hold. */
void interrupt_let_in(int limit, int code);
void interrupt_hold(void);
/* poll that a signal wakes, even one that came just before. `seconds` may be INFINITY. */
int interrupt_poll(struct pollfd *set, nfds_t count, double seconds);

#endif
