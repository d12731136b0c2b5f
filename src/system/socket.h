/* socket.h - the wait for an answer that comes through a socket. */
#ifndef SOCKET_H
#define SOCKET_H

/* Until something can be read (`writing`: or written), `seconds` have passed, or a signal came. */
void socket_await(int fd, int writing, double seconds);
/* End the connection in both directions: whoever uses it finds it lost. Returns 0 on failure. */
int socket_cut(int fd);

#endif
