/* proxy.h - a proxy between libpq and a PostgreSQL server that makes the faults of a network: at the k-th message of
 * the client it delays, drops, cuts off or resets. One proxy per program; it forwards to the server of PGHOST and
 * PGPORT, and listens on a port of the loopback interface. */
#ifndef PROXY_H
#define PROXY_H

#include <stddef.h>
#include <stdint.h>

typedef enum proxy_fault {
    PROXY_RESET,       /* reset; the message does not reach the server */
    PROXY_HALF,        /* half of the message reaches the server, then reset */
    PROXY_DROP,        /* the message is lost and nothing answers; reset after the pause */
    PROXY_LOSE,        /* the server does it; reset before its answer goes back */
    PROXY_HALF_ANSWER, /* the server does it; half of its answer goes back, then the end of the connection */
    PROXY_LATE,        /* reset at once; the message reaches the server after the pause, and the server does it */
    PROXY_DELAY,       /* the answer comes after the pause */
    PROXY_REFUSE,      /* reset, and new connections are refused during the pause */
    PROXY_FAULTS
} proxy_fault;
extern const char *const proxy_fault_names[PROXY_FAULTS];

/* Start; returns the port. Fails the test if it cannot. */
int proxy_start(void);
void proxy_stop(void);

/* Count the client's messages from now on, and make the fault at number `step` (from 1; 0: none). `pause` is in
 * milliseconds. */
void proxy_arm(size_t step, proxy_fault fault, unsigned pause);
/* A fault at each message with this chance (four times that at a COMMIT), `most` faults at most. */
void proxy_arm_random(uint64_t seed, double chance, size_t most, unsigned pause);
/* No faults from now on. Returns one letter for each message counted: 'C' for a COMMIT, otherwise its type in the
 * protocol, '0' for the first one of a connection. Valid until the next call. */
const char *proxy_disarm(void);
/* Wait until the server has answered everything that was sent to it late. */
void proxy_settle(void);
/* Faults made since the start. */
uint64_t proxy_count(void);

#endif
