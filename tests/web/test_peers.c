/* test_peers.c - the connections of all clients: shares, which one is closed for a new one, deadlines. */
#include "peers.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

/* One connection: the client's end and the server's. */
typedef struct line {
    int client, server;
    peer *peer;
} line;

static struct sockaddr_in address(const char *text) {
    struct sockaddr_in a = {.sin_family = AF_INET};
    assert_int_equal(inet_pton(AF_INET, text, &a.sin_addr), 1);
    return a;
}

static line connect_from(peers *p, const char *text) {
    struct sockaddr_in from = address(text);
    int ends[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);
    assert_true(peers_admit(p, (struct sockaddr *)&from));
    line made = {ends[0], ends[1], peers_open(p, (struct sockaddr *)&from, ends[1])};
    assert_non_null(made.peer);
    return made;
}

static void disconnect(line *l) {
    peer_close(l->peer);
    close(l->client);
    close(l->server);
}

/* Whether it is shut down within so many milliseconds. */
static int is_cut(const line *l, int milliseconds) {
    struct pollfd end = {.fd = l->client, .events = POLLIN};
    return poll(&end, 1, milliseconds) == 1;
}

static peers *make(unsigned share, unsigned seconds) {
    peers *p = NULL;
    locbo_error error;
    assert_int_equal(peers_create(&p, &(peers_options){.share = share, .seconds = seconds}, &error), LOCBO_OK);
    return p;
}

/* 1 per cent: 4 connections, 2 requests, 1 stream (of 0.64). The oldest that waits is closed, never one that works. */
static void shares(void **state) {
    (void)state;
    peers *p = make(1, 100);
    locbo_error error;
    line l[6];
    for (size_t i = 0; i < 4; i++) l[i] = connect_from(p, "127.0.0.1");
    assert_int_equal(peer_begin(l[0].peer, PEER_REQUEST, &error), PEER_ALLOWED);
    assert_int_equal(peer_begin(l[1].peer, PEER_REQUEST, &error), PEER_ALLOWED);
    assert_int_equal(peer_begin(l[2].peer, PEER_REQUEST, &error), PEER_OVER_SHARE);
    assert_non_null(strstr(error.message, "this client has 2 requests already"));
    assert_int_equal(peer_begin(l[1].peer, PEER_STREAM, &error), PEER_ALLOWED);
    assert_int_equal(peer_begin(l[2].peer, PEER_REQUEST, &error), PEER_ALLOWED);
    assert_int_equal(peer_begin(l[2].peer, PEER_STREAM, &error), PEER_OVER_SHARE);
    l[4] = connect_from(p, "127.0.0.2"); /* another client: nobody is closed */
    for (size_t i = 0; i < 4; i++) assert_false(is_cut(&l[i], 0));
    peer_wait(l[0].peer); /* waits now, but for a shorter time than number 3 */
    l[5] = connect_from(p, "127.0.0.1");
    for (size_t i = 0; i < 6; i++) assert_int_equal(is_cut(&l[i], 0), i == 3);
    for (size_t i = 0; i < 6; i++) disconnect(&l[i]);
    peers_destroy(p);
}

/* All clients together: the oldest that waits, of whichever client. */
static void full(void **state) {
    (void)state;
    peers *p = make(75, 100);
    locbo_error error;
    static line l[PEERS_CONNECTIONS + 1];
    for (size_t i = 0; i < PEERS_CONNECTIONS; i++) {
        l[i] = connect_from(p, i % 2 ? "127.0.0.1" : "127.0.0.2");
        if (i < PEERS_STREAMS) assert_int_equal(peer_begin(l[i].peer, PEER_STREAM, &error), PEER_ALLOWED);
    }
    l[PEERS_CONNECTIONS] = connect_from(p, "127.0.0.3");
    for (size_t i = 0; i <= PEERS_CONNECTIONS; i++) assert_int_equal(is_cut(&l[i], 0), i == PEERS_STREAMS);
    assert_int_equal(peer_begin(l[PEERS_CONNECTIONS].peer, PEER_STREAM, &error), PEER_FULL);
    assert_non_null(strstr(error.message, "there are 64 streams"));
    assert_int_equal(peer_begin(l[PEERS_CONNECTIONS].peer, PEER_REQUEST, &error), PEER_ALLOWED);
    for (size_t i = 0; i <= PEERS_CONNECTIONS; i++) disconnect(&l[i]);
    peers_destroy(p);
}

/* Only what the client owes has a deadline. */
static void deadlines(void **state) {
    (void)state;
    peers *p = make(75, 1);
    locbo_error error;
    line waits = connect_from(p, "127.0.0.1"), reads = connect_from(p, "127.0.0.1");
    line computes = connect_from(p, "127.0.0.1");
    assert_int_equal(peer_begin(reads.peer, PEER_REQUEST, &error), PEER_ALLOWED);
    peer_sends(reads.peer);
    assert_int_equal(peer_begin(computes.peer, PEER_STREAM, &error), PEER_ALLOWED);
    peer_sends(computes.peer);
    peer_computes(computes.peer);
    assert_true(is_cut(&waits, 60000));
    assert_true(is_cut(&reads, 60000));
    assert_false(is_cut(&computes, 0));
    disconnect(&waits);
    disconnect(&reads);
    disconnect(&computes);
    peers_destroy(p);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(shares), cmocka_unit_test(full), cmocka_unit_test(deadlines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
