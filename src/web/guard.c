/* guard.c - which requests are allowed. Layer: web, tools. */
#include "guard.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

/* The part of a Host header after the name, NULL if the name is not that of this server. */
static const char *after_name(const char *header) {
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t length = strlen(names[i]);
        if (strncasecmp(header, names[i], length) == 0) return header + length;
    }
    return NULL;
}

int guard_host(const char *header, unsigned port) {
    char expected[16];
    const char *rest = header ? after_name(header) : NULL;
    if (!rest) return 0;
    snprintf(expected, sizeof expected, ":%u", port);
    return strcmp(rest, expected) == 0 || (port == 80 && *rest == '\0');
}

int guard_origin(const char *header, unsigned port) {
    static const char scheme[] = "http://";
    size_t length = sizeof scheme - 1;
    return strncmp(header, scheme, length) == 0 && guard_host(header + length, port);
}

int guard_site(const char *header) { return strcmp(header, "same-origin") == 0 || strcmp(header, "none") == 0; }

int guard_token(const char *header, const char *token) {
    static const char scheme[] = "Bearer ";
    size_t length = sizeof scheme - 1;
    if (!header || strncasecmp(header, scheme, length) != 0) return 0;
    const char *given = header + length;
    if (strlen(given) != GUARD_TOKEN - 1 || strlen(token) != GUARD_TOKEN - 1) return 0;
    unsigned differ = 0;
    for (size_t i = 0; i < GUARD_TOKEN - 1; i++)
        differ |= (unsigned)((unsigned char)given[i] ^ (unsigned char)token[i]);
    return differ == 0;
}

int guard_length(const char *header) { return header[0] != '\0' && header[strspn(header, "0123456789")] == '\0'; }

/* "Content-Length7": of "Content-Length:" and " 7" in the next line. */
static int has_more(const char *name, const char *begin) {
    size_t length = strlen(begin);
    return strncasecmp(name, begin, length) == 0 && name[length] != '\0';
}

int guard_form(const char *name, const char *value) {
    static const char allowed[] = "!#$%&'*+-.^_`|~0123456789"
                                  "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if (name[0] == '\0' || name[strspn(name, allowed)] != '\0') return 0;
    if (has_more(name, "Content-Length") || has_more(name, "Transfer-Encoding")) return 0;
    for (; *value; value++)
        if (((unsigned char)*value < ' ' && *value != '\t') || *value == 0x7f) return 0;
    return 1;
}

int guard_make_token(char token[GUARD_TOKEN]) {
    unsigned char bytes[(GUARD_TOKEN - 1) / 2];
    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes) return 0;
    for (size_t i = 0; i < sizeof bytes; i++) snprintf(token + 2 * i, 3, "%02x", bytes[i]);
    return 1;
}
