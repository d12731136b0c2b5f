/* server.c - the dashboard's HTTP server: start and stop. Layer: web, top. */
#include "server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "mem.h"
#include "request.h"

enum {
    THREADS = PEERS_CONNECTIONS + PEERS_ENDING, /* one for each connection */
    MEMORY = 32 << 10,                          /* bytes for the headers of one connection */
    STACK = 1 << 20,                            /* bytes of a thread */
    BACKLOG = 512,          /* connections that nobody has accepted yet: above it a client tries again after 1 s */
    FACTS = PEERS_REQUESTS, /* requests for facts that may wait: they are short */
    MODELS = 32             /* requests for the model that may wait: they must not take all connections */
};

struct server {
    site site;
    char *url;
    int is_six; /* the address is ::1 */
    struct MHD_Daemon *daemon;
};

/* ---- the socket ------------------------------------------------------------------------------ */

typedef union endpoint {
    struct sockaddr any;
    struct sockaddr_in four;
    struct sockaddr_in6 six;
} endpoint;

/* Loopback addresses only: on any other address, everybody on the network could read the studies. Returns the length, 0
 * if it is none. */
static socklen_t resolve(const char *address, unsigned port, endpoint *p) {
    *p = (endpoint){0};
    if (strcmp(address, "localhost") == 0) address = "127.0.0.1";
    if (strcmp(address, "127.0.0.1") == 0 && inet_pton(AF_INET, address, &p->four.sin_addr) == 1) {
        p->four.sin_family = AF_INET;
        p->four.sin_port = htons((uint16_t)port);
        return sizeof p->four;
    }
    if (strcmp(address, "::1") == 0 && inet_pton(AF_INET6, address, &p->six.sin6_addr) == 1) {
        p->six.sin6_family = AF_INET6;
        p->six.sin6_port = htons((uint16_t)port);
        return sizeof p->six;
    }
    return 0;
}

static int bind_socket(int fd, const endpoint *p, socklen_t length) {
    int yes = 1;
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes) != 0) return 0;
    return bind(fd, &p->any, length) == 0 && listen(fd, BACKLOG) == 0;
}

static unsigned port_of(int fd) {
    endpoint p = {0};
    socklen_t length = sizeof p;
    if (getsockname(fd, &p.any, &length) != 0) return 0;
    return ntohs(p.any.sa_family == AF_INET6 ? p.six.sin6_port : p.four.sin_port);
}

static locbo_status socket_failure(const server_options *o, locbo_error *error) {
    if (errno == EADDRINUSE)
        return status_fail(error, LOCBO_ERR_BUSY,
                           "port %u of %s is in use: choose another with --port (0: any free one)", o->port,
                           o->address);
    if (errno == EACCES)
        return status_fail(error, LOCBO_ERR_IO, "port %u of %s needs privileges: choose one from 1024 on with --port",
                           o->port, o->address);
    return status_fail(error, LOCBO_ERR_IO, "cannot listen on port %u of %s: %s", o->port, o->address, strerror(errno));
}

static locbo_status open_socket(const server_options *o, server *s, int *made, locbo_error *error) {
    endpoint p;
    socklen_t length = resolve(o->address, o->port, &p);
    if (length == 0)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "the address must be 127.0.0.1 or ::1, got '%s'", o->address);
    int fd = socket(p.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || !bind_socket(fd, &p, length)) {
        locbo_status status = socket_failure(o, error);
        if (fd >= 0) close(fd);
        return status;
    }
    s->is_six = p.any.sa_family == AF_INET6;
    s->site.port = port_of(fd);
    *made = fd;
    return LOCBO_OK;
}

/* ---- start and stop -------------------------------------------------------------------------- */

/* uri.c decodes addresses, strictly. */
static size_t leave_escapes(void *user, struct MHD_Connection *c, char *text) {
    (void)user, (void)c;
    return strlen(text);
}

static enum MHD_Result admit(void *user, const struct sockaddr *from, socklen_t length) {
    const server *s = user;
    (void)length;
    return peers_admit(s->site.peers, from) ? MHD_YES : MHD_NO;
}

/* A connection begins and ends; its context is its peer. Its socket is closed after this. */
static void notice(void *user, struct MHD_Connection *c, void **context, enum MHD_ConnectionNotificationCode code) {
    const server *s = user;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *from = MHD_get_connection_info(c, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
        int fd = MHD_get_connection_info(c, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
        *context = peers_open(s->site.peers, from->client_addr, fd);
        if (!*context) shutdown(fd, SHUT_RDWR);
    } else if (*context) {
        peer_close(*context);
        *context = NULL;
    }
}

/* Owns the socket if it succeeds. */
static locbo_status start_daemon(server *s, int fd, locbo_error *error) {
    s->daemon = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION | MHD_USE_POLL, 0,
                                 admit, s, request_handle, &s->site,                   /* */
                                 MHD_OPTION_LISTEN_SOCKET, fd,                         /* */
                                 MHD_OPTION_CONNECTION_LIMIT, (unsigned)THREADS,       /* */
                                 MHD_OPTION_NOTIFY_CONNECTION, notice, s,              /* */
                                 MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)MEMORY,   /* */
                                 MHD_OPTION_THREAD_STACK_SIZE, (size_t)STACK,          /* */
                                 MHD_OPTION_UNESCAPE_CALLBACK, leave_escapes, NULL,    /* */
                                 MHD_OPTION_URI_LOG_CALLBACK, request_begin, &s->site, /* */
                                 MHD_OPTION_NOTIFY_COMPLETED, request_end, &s->site, MHD_OPTION_END);
    if (s->daemon) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_IO, "the server cannot be started: %s", strerror(errno));
}

static locbo_status prepare(server *s, const server_options *o, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    s->url = mem_text(o->url);
    if (!s->url) return status_no_memory(error);
    s->site.url = s->url;
    s->site.edit = o->edit;
    if (o->edit && !guard_make_token(s->site.token))
        return status_fail(error, LOCBO_ERR_IO, "the system gives no random bytes for a token");
    status = peers_create(&s->site.peers, &o->peers, error);
    if (status == LOCBO_OK) status = db_connection_create(&s->site.facts, s->url, FACTS, error);
    if (status == LOCBO_OK) status = db_connection_create(&s->site.model, s->url, MODELS, error);
    if (status == LOCBO_OK) status = watch_create(&s->site.watch, s->url, error);
    return status;
}

locbo_status server_start(server **made, const server_options *options, locbo_error *error) {
    int fd = -1;
    server *s = mem_new(1, sizeof *s);
    if (!s) return status_no_memory(error);
    json_object_seed(0); /* before threads would do it at the same time */
    pthread_mutex_init(&s->site.proposing, NULL);
    locbo_status status = open_socket(options, s, &fd, error);
    if (status == LOCBO_OK) status = prepare(s, options, error);
    if (status == LOCBO_OK) status = start_daemon(s, fd, error);
    if (status != LOCBO_OK) {
        if (fd >= 0) close(fd);
        server_stop(s);
        return status;
    }
    *made = s;
    return status_ok(error);
}

/* All waits are ended first, so that the threads can be joined. */
void server_stop(server *s) {
    if (!s) return;
    db_connection_stop(s->site.facts);
    db_connection_stop(s->site.model);
    watch_stop(s->site.watch);
    if (s->daemon) MHD_stop_daemon(s->daemon);
    peers_destroy(s->site.peers);
    watch_destroy(s->site.watch);
    db_connection_destroy(s->site.model);
    db_connection_destroy(s->site.facts);
    pthread_mutex_destroy(&s->site.proposing);
    mem_free(s->url);
    mem_free(s);
}

void server_address(const server *s, char address[SERVER_ADDRESS]) {
    snprintf(address, SERVER_ADDRESS, "http://%s:%u/%s%s", s->is_six ? "[::1]" : "127.0.0.1", s->site.port,
             s->site.edit ? "#token=" : "", s->site.token);
}
