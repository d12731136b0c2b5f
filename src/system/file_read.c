/* file_read.c - a whole file in memory. Layer: system. */
#include "file_read.h"

#include <errno.h>
#include <string.h>

#include "buffer.h"
#include "mem.h"

const char *file_read_name(const char *path) { return strcmp(path, "-") == 0 ? "standard input" : path; }

char *file_read_stream(FILE *in, size_t most, size_t *size) {
    char chunk[65536];
    buffer b = {0};
    for (size_t got; b.size <= most && !b.failed && (got = fread(chunk, 1, sizeof chunk, in)) > 0;)
        buffer_add(&b, chunk, got);
    int code = b.failed ? ENOMEM : ferror(in) ? errno : 0;
    if (b.size > most) b.size = most + 1;
    *size = b.size;
    buffer_char(&b, '\0', 1);
    if (!code && !b.failed) return b.data;
    mem_free(b.data);
    errno = code ? code : ENOMEM;
    return NULL;
}

locbo_status file_read(const char *path, size_t most, char **text, size_t *size, locbo_error *error) {
    int standard = strcmp(path, "-") == 0;
    FILE *in = standard ? stdin : fopen(path, "re");
    int short_of = !in && (errno == EMFILE || errno == ENFILE || errno == ENOMEM); /* it may well be there */
    if (!in)
        return status_fail(error, short_of ? LOCBO_ERR_IO : LOCBO_ERR_NOT_FOUND, "cannot open %.120s: %s", path,
                           strerror(errno));
    size_t got;
    char *read = file_read_stream(in, most, &got);
    int code = errno;
    if (!standard) fclose(in);
    if (!read && code == ENOMEM) return status_no_memory(error);
    if (!read) return status_fail(error, LOCBO_ERR_IO, "cannot read %.120s: %s", file_read_name(path), strerror(code));
    if (got > most) {
        mem_free(read);
        return status_fail(error, LOCBO_ERR_IO, "%.120s has more than %zu bytes", file_read_name(path), most);
    }
    *text = read;
    *size = got;
    return status_ok(error);
}
