/* guard.h - which requests are allowed: checks of the headers Host, Origin, Sec-Fetch-Site, Authorization and
 * Content-Length. Pure functions. */
#ifndef GUARD_H
#define GUARD_H

enum { GUARD_TOKEN = 33 }; /* room for a token: 128 bits in hexadecimal */

/* Whether a Host header names this server: 127.0.0.1, localhost or [::1] with this port, which may be left out if it
 * is 80. A page of another host whose name was resolved to this address (DNS rebinding) has another Host. NULL: there
 * is no header. */
int guard_host(const char *header, unsigned port);
/* Whether an Origin header is that of a page of this server. */
int guard_origin(const char *header, unsigned port);
/* Whether a Sec-Fetch-Site header, which a browser adds by itself, is that of a page of this server or of the address
 * bar. */
int guard_site(const char *header);
/* Whether an Authorization header is "Bearer TOKEN"; takes the same time whichever character differs. */
int guard_token(const char *header, const char *token);
/* Whether a Content-Length header is digits alone. */
int guard_length(const char *header);
/* Whether any header has a name and a value of characters that HTTP allows, and cannot be taken for a Content-Length or
 * Transfer-Encoding that libmicrohttpd did not see: of a header in two lines it adds the second one to the name. */
int guard_form(const char *name, const char *value);
/* A new token; returns 0 if the system gives no random bytes. */
int guard_make_token(char token[GUARD_TOKEN]);

#endif
