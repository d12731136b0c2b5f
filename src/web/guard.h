/* guard.h - who may ask: the checks of the headers Host, Origin, Sec-Fetch-Site and
 * Authorization. Pure functions. */
#ifndef GUARD_H
#define GUARD_H

enum { GUARD_TOKEN = 33 }; /* room for a token: 128 bits in hexadecimal */

/* Whether a Host header names this server: 127.0.0.1, localhost or [::1] with this port, which only 80 may leave out. A
 * page from elsewhere whose name was made to lead here (DNS rebinding) has another one. NULL: there was none. */
int guard_host(const char *header, unsigned port);
/* Whether an Origin header is that of a page of this server. */
int guard_origin(const char *header, unsigned port);
/* Whether a Sec-Fetch-Site header, which a browser adds by itself, is that of a page of this server or of the address
 * bar. */
int guard_site(const char *header);
/* Whether an Authorization header is "Bearer TOKEN"; takes the same time whichever character differs. */
int guard_token(const char *header, const char *token);
/* A new token; returns 0 if there is no randomness. */
int guard_make_token(char token[GUARD_TOKEN]);

#endif
