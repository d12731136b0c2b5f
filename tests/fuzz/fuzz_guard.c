/* fuzz_guard.c - the headers that decide whether a request is allowed, each against a list of all that are. */
#include <strings.h>

#include "fuzz.h"
#include "guard.h"

static const char TOKEN[] = "0123456789abcdef0123456789abcdef";

/* The host alone in any case of letters; an origin begins with a scheme in small letters. */
static int is_listed(const char *header, const char *scheme, unsigned port) {
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    size_t length = strlen(scheme);
    if (strncmp(header, scheme, length) != 0) return 0;
    for (size_t i = 0; i < 3; i++) {
        char host[64];
        snprintf(host, sizeof host, "%s:%u", names[i], port);
        if (strcasecmp(header + length, host) == 0) return 1;
        if (port == 80 && strcasecmp(header + length, names[i]) == 0) return 1;
    }
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const unsigned ports[] = {80, 8080, 65535};
    char *text = fuzz_text(data, size);
    for (size_t i = 0; i < 3; i++) {
        must(!guard_host(text, ports[i]) == !is_listed(text, "", ports[i]));
        must(!guard_origin(text, ports[i]) == !is_listed(text, "http://", ports[i]));
    }
    must(!guard_site(text) == !(strcmp(text, "same-origin") == 0 || strcmp(text, "none") == 0));
    must(!guard_token(text, TOKEN) == !(strncasecmp(text, "Bearer ", 7) == 0 && strcmp(text + 7, TOKEN) == 0));
    free(text);
    return 0;
}
