/* slurp.c - a whole file in memory. Layer: system. */
#include "slurp.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "buffer.h"
#include "mem.h"

const char *slurp_name(const char *path) { return strcmp(path, "-") == 0 ? "standard input" : path; }

static locbo_status read_all(FILE *in, const char *name, size_t most, buffer *b, locbo_error *error) {
    char chunk[65536];
    size_t got;
    while ((got = fread(chunk, 1, sizeof chunk, in)) > 0) {
        buffer_add(b, chunk, got);
        if (b->failed) return status_no_memory(error);
        if (b->size > most) return status_fail(error, LOCBO_ERR_IO, "%.120s has more than %zu bytes", name, most);
    }
    if (ferror(in)) return status_fail(error, LOCBO_ERR_IO, "cannot read %.120s: %s", name, strerror(errno));
    buffer_char(b, '\0', 1);
    return b->failed ? status_no_memory(error) : status_ok(error);
}

locbo_status slurp(const char *path, size_t most, char **text, size_t *size, locbo_error *error) {
    int standard = strcmp(path, "-") == 0;
    buffer b = {0};
    FILE *in = standard ? stdin : fopen(path, "re");
    if (!in) return status_fail(error, LOCBO_ERR_NOT_FOUND, "cannot open %.120s: %s", path, strerror(errno));
    locbo_status status = read_all(in, slurp_name(path), most, &b, error);
    if (!standard) fclose(in);
    if (status != LOCBO_OK) {
        mem_free(b.data);
        return status;
    }
    *text = b.data;
    *size = b.size - 1;
    return LOCBO_OK;
}
