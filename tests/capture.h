/* capture.h - what a call writes to standard output or standard error, as a text. Nothing may be asserted in between: a
 * failed check would leave the descriptor elsewhere. */
#ifndef CAPTURE_H
#define CAPTURE_H

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check.h"

typedef struct capture {
    int fd, saved;
    FILE *file;
    char *text; /* after capture_end, until capture_free */
} capture;

static inline capture capture_begin(int fd) {
    capture c = {.fd = fd, .saved = dup(fd), .file = tmpfile()};
    assert_true(c.saved != -1 && c.file);
    fflush(NULL);
    dup2(fileno(c.file), fd);
    return c;
}

static inline const char *capture_end(capture *c) {
    fflush(NULL);
    dup2(c->saved, c->fd);
    close(c->saved);
    long size = fseek(c->file, 0, SEEK_END) == 0 ? ftell(c->file) : -1;
    assert_true(size >= 0);
    rewind(c->file);
    c->text = calloc((size_t)size + 1, 1);
    assert_non_null(c->text);
    assert_int_equal(fread(c->text, 1, (size_t)size, c->file), (size_t)size);
    fclose(c->file);
    return c->text;
}

static inline void capture_free(capture *c) { free(c->text); }

#endif
