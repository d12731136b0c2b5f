/* peers.c - the connections of all clients: their limits and deadlines. Layer: web, tools. Each call costs
 * O(connections). libmicrohttpd's own timeout begins anew with each byte, and its limits do not know what a connection
 * is used for. */
#include "peers.h"

#include <math.h>
#include <netinet/in.h>
#include <string.h>

#include "clock.h"
#include "condition.h"
#include "mem.h"

enum { MOST = PEERS_CONNECTIONS + PEERS_ENDING, KINDS = 3 };

static const unsigned all_may[KINDS] = {PEERS_CONNECTIONS, PEERS_REQUESTS, PEERS_STREAMS};
static const char *const names[KINDS] = {"connections", "requests", "streams of events"};

typedef struct address {
    unsigned char bytes[16];
} address;

struct peer {
    peers *all; /* NULL: free */
    address from;
    int fd;
    peer_kind kind;
    double since;    /* it waits for a request */
    double deadline; /* INFINITY: none */
    int cut;         /* it was shut down, and counts no more */
};

struct peers {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t wake;
    int stopped;
    double next;                /* the thread sleeps until then */
    double seconds;             /* for a request */
    unsigned client_may[KINDS]; /* PEER_WAITING stands for connections of any kind */
    peer peers[MOST];
};

static address address_of(const struct sockaddr *from) {
    address a = {{0}};
    if (from->sa_family == AF_INET6)
        memcpy(a.bytes, &((const struct sockaddr_in6 *)(const void *)from)->sin6_addr, sizeof a.bytes);
    else if (from->sa_family == AF_INET)
        memcpy(a.bytes, &((const struct sockaddr_in *)(const void *)from)->sin_addr, sizeof(struct in_addr));
    return a;
}

/* ---- limits; the lock is held ---------------------------------------------------------------- */

/* `from` NULL: of any client. */
static int is_of(const peer *who, const address *from) {
    return who->all && !who->cut && (!from || memcmp(who->from.bytes, from->bytes, sizeof from->bytes) == 0);
}

/* PEER_WAITING: connections of any kind. */
static unsigned count(const peers *p, const address *from, peer_kind kind) {
    unsigned number = 0;
    for (size_t i = 0; i < MOST; i++)
        number += is_of(&p->peers[i], from) && (kind == PEER_WAITING || p->peers[i].kind == kind);
    return number;
}

/* Its thread, which reads or writes, then gets an error. */
static void cut(peer *who) {
    shutdown(who->fd, SHUT_RDWR);
    who->cut = 1;
}

/* Returns 0 if none waits. */
static int cut_oldest(peers *p, const address *from) {
    peer *oldest = NULL;
    for (size_t i = 0; i < MOST; i++) {
        peer *who = &p->peers[i];
        if (is_of(who, from) && who->kind == PEER_WAITING && (!oldest || who->since < oldest->since)) oldest = who;
    }
    if (oldest) cut(oldest);
    return oldest != NULL;
}

static peer_verdict judge(const peers *p, const address *from, peer_kind kind) {
    if (count(p, from, kind) >= p->client_may[kind]) return PEER_OVER_SHARE;
    if (count(p, NULL, kind) >= all_may[kind]) return PEER_FULL;
    return PEER_ALLOWED;
}

/* ---- deadlines ------------------------------------------------------------------------------- */

/* The lock is held. */
static void set_deadline(peer *who, double deadline) {
    who->deadline = deadline;
    if (deadline < who->all->next) pthread_cond_signal(&who->all->wake);
}

/* Returns the next deadline. The lock is held. */
static double cut_late(peers *p) {
    double now = clock_now(), next = INFINITY;
    for (size_t i = 0; i < MOST; i++) {
        peer *who = &p->peers[i];
        if (!is_of(who, NULL)) continue;
        if (who->deadline <= now)
            cut(who);
        else if (who->deadline < next)
            next = who->deadline;
    }
    return next;
}

static void *run(void *user) {
    peers *p = user;
    pthread_mutex_lock(&p->lock);
    while (!p->stopped) {
        p->next = cut_late(p);
        condition_wait(&p->wake, &p->lock, p->next);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* ---- create and destroy ---------------------------------------------------------------------- */

static void release(peers *p) {
    pthread_cond_destroy(&p->wake);
    pthread_mutex_destroy(&p->lock);
    mem_free(p);
}

locbo_status peers_create(peers **made, const peers_options *options, locbo_error *error) {
    peers *p = mem_new(1, sizeof *p);
    if (!p) return status_no_memory(error);
    p->seconds = options->seconds;
    for (size_t i = 0; i < KINDS; i++) {
        unsigned share = all_may[i] * options->share / 100;
        p->client_may[i] = share > 0 ? share : 1;
    }
    pthread_mutex_init(&p->lock, NULL);
    condition_init(&p->wake);
    if (pthread_create(&p->thread, NULL, run, p) != 0) {
        release(p);
        return status_fail(error, LOCBO_ERR_IO, "the system has no more threads");
    }
    *made = p;
    return LOCBO_OK;
}

void peers_destroy(peers *p) {
    if (!p) return;
    pthread_mutex_lock(&p->lock);
    p->stopped = 1;
    pthread_cond_signal(&p->wake);
    pthread_mutex_unlock(&p->lock);
    pthread_join(p->thread, NULL);
    release(p);
}

/* ---- one connection -------------------------------------------------------------------------- */

int peers_admit(peers *p, const struct sockaddr *from) {
    address a = address_of(from);
    pthread_mutex_lock(&p->lock);
    peer_verdict verdict = judge(p, &a, PEER_WAITING);
    int room = verdict == PEER_ALLOWED || cut_oldest(p, verdict == PEER_OVER_SHARE ? &a : NULL);
    pthread_mutex_unlock(&p->lock);
    return room;
}

/* The lock is held. */
static void begin_wait(peer *who) {
    who->kind = PEER_WAITING;
    who->since = clock_now();
    set_deadline(who, who->since + who->all->seconds);
}

peer *peers_open(peers *p, const struct sockaddr *from, int fd) {
    peer *who = NULL;
    pthread_mutex_lock(&p->lock);
    for (size_t i = 0; i < MOST && !who; i++)
        if (!p->peers[i].all) who = &p->peers[i];
    if (who) {
        *who = (peer){.all = p, .from = address_of(from), .fd = fd};
        begin_wait(who);
    }
    pthread_mutex_unlock(&p->lock);
    return who;
}

void peer_close(peer *who) {
    peers *p = who->all;
    pthread_mutex_lock(&p->lock);
    who->all = NULL;
    pthread_mutex_unlock(&p->lock);
}

static void explain(peer_verdict verdict, unsigned most, peer_kind kind, locbo_error *error) {
    if (verdict == PEER_OVER_SHARE)
        status_fail(error, LOCBO_ERR_BUSY, "this client has %u %s already, which is its share", most, names[kind]);
    else
        status_fail(error, LOCBO_ERR_BUSY, "there are %u %s already", most, names[kind]);
}

peer_verdict peer_begin(peer *who, peer_kind kind, locbo_error *error) {
    peers *p = who->all;
    pthread_mutex_lock(&p->lock);
    peer_verdict verdict = judge(p, &who->from, kind);
    if (verdict == PEER_ALLOWED) {
        who->kind = kind;
        who->deadline = INFINITY;
    }
    pthread_mutex_unlock(&p->lock);
    if (verdict != PEER_ALLOWED)
        explain(verdict, verdict == PEER_FULL ? all_may[kind] : p->client_may[kind], kind, error);
    return verdict;
}

void peer_sends(peer *who) {
    pthread_mutex_lock(&who->all->lock);
    set_deadline(who, clock_now() + PEERS_READING * who->all->seconds);
    pthread_mutex_unlock(&who->all->lock);
}

void peer_computes(peer *who) {
    pthread_mutex_lock(&who->all->lock);
    set_deadline(who, INFINITY);
    pthread_mutex_unlock(&who->all->lock);
}

void peer_wait(peer *who) {
    pthread_mutex_lock(&who->all->lock);
    begin_wait(who);
    pthread_mutex_unlock(&who->all->lock);
}
