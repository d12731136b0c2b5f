/* proxy.c - see proxy.h. One thread accepts; each connection has a thread that passes messages on.
 *
 * A message of the client is a type (1 byte), a length (4 bytes, itself included) and a body; the first one of a
 * connection has no type. The server has answered a query (Q) or the end of a group (S) once it says Z. */
#include "proxy.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

const char *const proxy_fault_names[PROXY_FAULTS] = {"reset",       "half sent", "dropped", "answer lost",
                                                     "half answer", "late",      "delayed", "refused"};

enum { KINDS = 4096, CHUNK = 65536 };

static struct {
    pthread_mutex_t lock;
    pthread_t thread;
    int listener, stopping, connections, late;
    /* what to do, and what was seen */
    int armed;
    size_t step, count, left;
    proxy_fault fault;
    unsigned pause;
    double chance;
    uint64_t random, made;
    double refused_until;
    char kinds[KINDS];
} proxy = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- time and sockets -------------------------------------------------------------------------- */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void sleep_ms(unsigned ms) {
    struct timespec t = {ms / 1000, (long)(ms % 1000) * 1000000};
    nanosleep(&t, NULL);
}

static int send_all(int to, const void *data, size_t size) {
    const char *at = data;
    while (size > 0) {
        ssize_t sent = send(to, at, size, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return 0;
        at += sent;
        size -= (size_t)sent;
    }
    return 1;
}

/* Close so that the peer sees a reset. */
static void reset(int *socket) {
    struct linger none = {1, 0};
    if (*socket < 0) return;
    setsockopt(*socket, SOL_SOCKET, SO_LINGER, &none, sizeof none);
    close(*socket);
    *socket = -1;
}

static int connect_to_server(void) {
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM}, *list = NULL;
    const char *host = getenv("PGHOST"), *port = getenv("PGPORT");
    if (getaddrinfo(host ? host : "localhost", port ? port : "5432", &hints, &list) != 0) return -1;
    int to = -1, yes = 1;
    for (const struct addrinfo *a = list; a && to < 0; a = a->ai_next) {
        to = socket(a->ai_family, a->ai_socktype | SOCK_CLOEXEC, a->ai_protocol);
        if (to >= 0 && connect(to, a->ai_addr, a->ai_addrlen) != 0) close(to), to = -1;
    }
    freeaddrinfo(list);
    if (to >= 0) setsockopt(to, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    return to;
}

/* ---- one connection ---------------------------------------------------------------------------- */

typedef struct bytes {
    unsigned char *data;
    size_t size, capacity;
} bytes;

typedef struct relay {
    int client, server;
    int greeted; /* the first message is over: the others have a type */
    bytes in;    /* from the client, not yet passed on */
} relay;

/* Read what has come; 0 at the end of the connection. */
static int read_some(int from, bytes *b) {
    if (b->capacity - b->size < CHUNK) {
        unsigned char *larger = realloc(b->data, b->size + CHUNK);
        if (!larger) return 0;
        b->data = larger;
        b->capacity = b->size + CHUNK;
    }
    ssize_t got;
    do got = recv(from, b->data + b->size, b->capacity - b->size, 0);
    while (got < 0 && errno == EINTR);
    if (got <= 0) return 0;
    b->size += (size_t)got;
    return 1;
}

/* Size of the message at `from` whose type has `type` bytes; 0: it is not complete yet. */
static size_t message_size(const bytes *b, size_t from, size_t type) {
    if (b->size < from + type + 4) return 0;
    const unsigned char *d = b->data + from + type;
    size_t size = type + ((size_t)d[0] << 24 | (size_t)d[1] << 16 | (size_t)d[2] << 8 | d[3]);
    return b->size < from + size ? 0 : size;
}

/* Read the server's answer: to Z after a query, otherwise one message. */
static void read_answer(const relay *r, char kind, bytes *answer) {
    int query = kind == 'Q' || kind == 'S' || kind == 'C';
    if (!query && kind != '0' && kind != 'p') return; /* it answers the whole group */
    for (size_t at = 0;;) {
        size_t size = message_size(answer, at, 1);
        if (size > 0 && (!query || answer->data[at] == 'Z')) return;
        at += size;
        if (size == 0 && !read_some(r->server, answer)) return;
    }
}

static uint64_t draw(void) { /* splitmix64 */
    uint64_t z = (proxy.random += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Count a message. 1: make the fault. */
static int choose_fault(char kind, proxy_fault *fault, unsigned *pause) {
    int hit = 0;
    pthread_mutex_lock(&proxy.lock);
    if (proxy.armed && kind != 'X') {
        if (proxy.count + 1 < KINDS) proxy.kinds[proxy.count] = kind;
        proxy.count++;
        hit = proxy.count == proxy.step;
        *fault = proxy.fault;
        if (proxy.left > 0 && (double)(draw() >> 11) * 0x1p-53 < proxy.chance * (kind == 'C' ? 4 : 1)) {
            hit = 1;
            proxy.left--;
            *fault = (proxy_fault)(draw() % PROXY_FAULTS);
        }
        *pause = proxy.pause;
        proxy.made += (uint64_t)hit;
        if (hit && *fault == PROXY_REFUSE) proxy.refused_until = now() + 1e-3 * *pause;
        if (hit && *fault == PROXY_LATE) proxy.late++;
    }
    pthread_mutex_unlock(&proxy.lock);
    return hit;
}

static void act(relay *r, proxy_fault fault, unsigned pause, char kind, const unsigned char *message, size_t size) {
    bytes answer = {0};
    int late = fault == PROXY_LATE;
    if (late) reset(&r->client);
    if (late || fault == PROXY_DROP) sleep_ms(pause);
    if (late || fault == PROXY_LOSE || fault == PROXY_HALF_ANSWER) {
        if (send_all(r->server, message, size)) read_answer(r, kind, &answer);
    } else if (fault == PROXY_HALF) {
        send_all(r->server, message, size / 2);
    }
    if (fault == PROXY_HALF_ANSWER) {
        send_all(r->client, answer.data, answer.size / 2);
        close(r->client);
        r->client = -1;
    }
    reset(&r->client);
    free(answer.data);
    pthread_mutex_lock(&proxy.lock);
    proxy.late -= late;
    pthread_mutex_unlock(&proxy.lock);
}

static int is_commit(const unsigned char *message, size_t size) {
    return size == 12 && memcmp(message, "Q\0\0\0\013COMMIT", 12) == 0;
}

/* Requests of encryption are declined; the same connection then begins as usual. */
static int declines(const relay *r, const unsigned char *message, size_t size) {
    static const unsigned char ssl[4] = {4, 210, 22, 47}, gss[4] = {4, 210, 22, 48};
    if (r->greeted || size != 8 || (memcmp(message + 4, ssl, 4) != 0 && memcmp(message + 4, gss, 4) != 0)) return 0;
    send_all(r->client, "N", 1);
    return 1;
}

/* Pass on the whole messages of the client; 0: the connection has ended. */
static int pass_messages(relay *r) {
    size_t at = 0, size;
    while ((size = message_size(&r->in, at, (size_t)r->greeted)) > 0) {
        const unsigned char *message = r->in.data + at;
        at += size;
        if (declines(r, message, size)) continue;
        char kind = !r->greeted ? '0' : is_commit(message, size) ? 'C' : (char)message[0];
        proxy_fault fault;
        unsigned pause = 0;
        int hit = choose_fault(kind, &fault, &pause);
        r->greeted = 1;
        if (hit && fault != PROXY_DELAY) {
            act(r, fault, pause, kind, message, size);
            return 0;
        }
        if (!send_all(r->server, message, size)) return 0;
        if (hit) sleep_ms(pause);
    }
    memmove(r->in.data, r->in.data + at, r->in.size - at);
    r->in.size -= at;
    return 1;
}

static void *relay_run(void *user) {
    relay *r = user;
    bytes back = {0};
    struct pollfd ends[2] = {{.fd = r->client, .events = POLLIN}, {.fd = r->server, .events = POLLIN}};
    int going = r->server >= 0;
    while (going && poll(ends, 2, -1) >= 0) {
        if (ends[1].revents) {
            back.size = 0;
            going = read_some(r->server, &back) && send_all(r->client, back.data, back.size);
        }
        if (going && ends[0].revents) going = read_some(r->client, &r->in) && pass_messages(r);
    }
    if (r->client >= 0) close(r->client);
    if (r->server >= 0) close(r->server);
    free(back.data);
    free(r->in.data);
    free(r);
    pthread_mutex_lock(&proxy.lock);
    proxy.connections--;
    pthread_mutex_unlock(&proxy.lock);
    return NULL;
}

/* ---- the proxy --------------------------------------------------------------------------------- */

static void serve(int client) {
    int yes = 1;
    pthread_t thread;
    pthread_mutex_lock(&proxy.lock);
    int refused = now() < proxy.refused_until;
    pthread_mutex_unlock(&proxy.lock);
    relay *r = refused ? NULL : calloc(1, sizeof *r);
    if (!r) {
        reset(&client);
        return;
    }
    setsockopt(client, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    *r = (relay){.client = client, .server = connect_to_server()};
    pthread_mutex_lock(&proxy.lock);
    proxy.connections++;
    pthread_mutex_unlock(&proxy.lock);
    assert_int_equal(pthread_create(&thread, NULL, relay_run, r), 0);
    pthread_detach(thread);
}

static void *accept_all(void *user) {
    (void)user;
    for (;;) {
        int client = accept4(proxy.listener, NULL, NULL, SOCK_CLOEXEC);
        if (proxy.stopping) return NULL;
        if (client >= 0) serve(client);
    }
}

int proxy_start(void) {
    struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
    socklen_t size = sizeof at;
    proxy.listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_true(proxy.listener >= 0);
    assert_int_equal(bind(proxy.listener, (struct sockaddr *)&at, size), 0);
    assert_int_equal(listen(proxy.listener, 128), 0);
    assert_int_equal(getsockname(proxy.listener, (struct sockaddr *)&at, &size), 0);
    assert_int_equal(pthread_create(&proxy.thread, NULL, accept_all, NULL), 0);
    return ntohs(at.sin_port);
}

/* Wait until a counter of the proxy is 0. */
static void await_none(const int *counter) {
    for (int left = 1; left > 0;) {
        pthread_mutex_lock(&proxy.lock);
        left = *counter;
        pthread_mutex_unlock(&proxy.lock);
        if (left > 0) sleep_ms(1);
    }
}

void proxy_stop(void) {
    proxy.stopping = 1;
    shutdown(proxy.listener, SHUT_RDWR);
    pthread_join(proxy.thread, NULL);
    close(proxy.listener);
    await_none(&proxy.connections);
}

static void arm(size_t step, proxy_fault fault, size_t most, double chance, uint64_t seed, unsigned pause) {
    pthread_mutex_lock(&proxy.lock);
    proxy.armed = 1;
    proxy.step = step;
    proxy.fault = fault;
    proxy.left = most;
    proxy.chance = chance;
    proxy.random = seed;
    proxy.pause = pause;
    proxy.count = 0;
    proxy.refused_until = 0;
    memset(proxy.kinds, 0, sizeof proxy.kinds);
    pthread_mutex_unlock(&proxy.lock);
}

void proxy_arm(size_t step, proxy_fault fault, unsigned pause) { arm(step, fault, 0, 0, 0, pause); }

void proxy_arm_random(uint64_t seed, double chance, size_t most, unsigned pause) {
    arm(0, PROXY_RESET, most, chance, seed, pause);
}

const char *proxy_disarm(void) {
    pthread_mutex_lock(&proxy.lock);
    proxy.armed = 0;
    proxy.refused_until = 0;
    pthread_mutex_unlock(&proxy.lock);
    return proxy.kinds;
}

void proxy_settle(void) { await_none(&proxy.late); }

uint64_t proxy_count(void) {
    pthread_mutex_lock(&proxy.lock);
    uint64_t made = proxy.made;
    pthread_mutex_unlock(&proxy.lock);
    return made;
}
