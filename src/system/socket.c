/* socket.c - the wait for an answer that comes through a socket. Layer: system. */
#include "socket.h"

#include <poll.h>
#include <sys/socket.h>

void socket_await(int fd, int writing, double seconds) {
    struct pollfd set = {.fd = fd, .events = (short)(POLLIN | (writing ? POLLOUT : 0))};
    poll(&set, 1, (int)(1000 * seconds));
}

int socket_cut(int fd) { return shutdown(fd, SHUT_RDWR) == 0; }
