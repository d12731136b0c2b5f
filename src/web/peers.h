/* peers.h - the connections of all clients: how many one client may hold, of which kind, and how long each may take. A
 * client is an address. A connection that is late is shut down; the thread that serves it then ends it. */
#ifndef PEERS_H
#define PEERS_H

#include <sys/socket.h>

#include "status.h"

/* Of all clients together. One client may hold its share of each (peers_options). Streams and requests together are
 * fewer than all, so there are always connections that wait, and the oldest of these is closed for a new one. */
enum {
    PEERS_STREAMS = 64,
    PEERS_REQUESTS = 288,
    PEERS_CONNECTIONS = 416,
    PEERS_ENDING = 96, /* more connections at most that were shut down and whose thread has not ended yet */
};

typedef struct peers peers;
typedef struct peer peer; /* one connection */

typedef struct peers_options {
    unsigned share;   /* per cent that one client may hold, 1 to 100 */
    unsigned seconds; /* for a complete request, from the opening or from the end of the last answer */
} peers_options;

enum { PEERS_READING = 3 }; /* reading an answer may take so many times these seconds */

/* Starts the thread that shuts down late connections. */
locbo_status peers_create(peers **made, const peers_options *options, locbo_error *error);
/* Only when all connections are closed. */
void peers_destroy(peers *p);

/* Make room for one more connection from this address. Returns 0 if there is none: refuse it. */
int peers_admit(peers *p, const struct sockaddr *from);
/* After it was admitted: it waits for a request now. `fd` must stay open until peer_close. NULL: there is no room. */
peer *peers_open(peers *p, const struct sockaddr *from, int fd);
void peer_close(peer *who);

typedef enum peer_kind {
    PEER_WAITING, /* for a complete request, the first or the next one */
    PEER_REQUEST, /* it has sent one, and is being answered */
    PEER_STREAM   /* by a stream of events */
} peer_kind;

typedef enum peer_verdict {
    PEER_ALLOWED,
    PEER_OVER_SHARE, /* the client holds its share of this kind */
    PEER_FULL        /* all clients together hold as many as there may be */
} peer_verdict;

/* The connection becomes a request or a stream, without a deadline: the server computes. If it is not allowed the kind
 * stays, and the error says why. */
peer_verdict peer_begin(peer *who, peer_kind kind, locbo_error *error);
/* The server waits until the client has read what is sent, or computes what is to be sent next. */
void peer_sends(peer *who);
void peer_computes(peer *who);
/* The answer was sent: it waits for the next request. */
void peer_wait(peer *who);

#endif
