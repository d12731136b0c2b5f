/* server.h - the dashboard's HTTP server: threads of its own that answer until it is stopped. Only programs on
 * the same machine can reach it. */
#ifndef SERVER_H
#define SERVER_H

#include "peers.h"
#include "status.h"

typedef struct server server;

typedef struct server_options {
    const char *url;     /* of the database */
    const char *address; /* "127.0.0.1" or "::1"; "localhost" is the former */
    unsigned port;       /* 0: any free one */
    int edit;            /* whether edits are allowed */
    peers_options peers; /* limits of each client */
} server_options;

/* Texts are copied. Threads inherit the signals that the caller has blocked. LOCBO_ERR_ARGUMENT: the address;
 * LOCBO_ERR_BUSY: the port is in use; LOCBO_ERR_IO: another error of the system. */
locbo_status server_start(server **made, const server_options *options, locbo_error *error);
/* Ends all streams and connections; waits for a model that is being computed. */
void server_stop(server *s);

/* "http://127.0.0.1:8080/", followed by the token if there is one. */
enum { SERVER_ADDRESS = 96 };
void server_address(const server *s, char address[SERVER_ADDRESS]);

#endif
