/* uri.c - the address of a request parsed. Layer: web, tools. */
#include "uri.h"

#include <string.h>

#include "mem.h"
#include "text.h"

/* ---- texts ----------------------------------------------------------------------------------- */

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

/* Overwrites the text. Returns 0 if an escape is incomplete or encodes NUL. */
static int decode(char *text) {
    char *to = text;
    for (const char *from = text; *from; from++) {
        char c = *from == '+' ? ' ' : *from;
        if (c == '%') {
            int high = hex_digit(from[1]), low = high < 0 ? -1 : hex_digit(from[2]);
            if (low < 0 || (high == 0 && low == 0)) return 0;
            c = (char)(high << 4 | low);
            from += 2;
        }
        *to++ = c;
    }
    *to = '\0';
    return 1;
}

/* ---- parts ----------------------------------------------------------------------------------- */

static locbo_status add_item(uri *u, char *item, locbo_error *error) {
    char *equals = strchr(item, '=');
    char *value = equals ? equals + 1 : item + strlen(item);
    if (equals) *equals = '\0';
    if (u->query.count == URI_KEYS)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "the query has more than %d keys", URI_KEYS);
    if (!decode(item) || !decode(value))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "the query has a bad percent escape");
    if (!text_is_valid(item) || !text_is_valid(value))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "the query is not UTF-8");
    if (!*item) return status_fail(error, LOCBO_ERR_ARGUMENT, "the query has a key without a name");
    u->items[u->query.count++] = (query_item){item, value};
    return LOCBO_OK;
}

static locbo_status split(uri *u, char *rest, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    while (rest && status == LOCBO_OK) {
        char *item = strsep(&rest, "&");
        if (*item) status = add_item(u, item, error);
    }
    return status;
}

locbo_status uri_read(uri *u, const char *raw, locbo_error *error) {
    *u = (uri){.path = ""};
    u->query.items = u->items;
    for (const char *c = raw; *c; c++)
        if (*c <= ' ' || *c >= 0x7f) /* char may be signed or not */
            return status_fail(error, LOCBO_ERR_ARGUMENT, "the address has a byte that must be percent-encoded");
    u->text = mem_text(raw);
    if (!u->text) return status_no_memory(error);
    char *rest = u->text;
    u->path = strsep(&rest, "?");
    return split(u, rest, error);
}

void uri_release(uri *u) {
    mem_free(u->text);
    *u = (uri){.path = ""};
}
