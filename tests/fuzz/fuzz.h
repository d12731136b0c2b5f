/* fuzz.h - what every fuzz target starts from. A target is one function that takes any bytes. clang's libFuzzer calls
 * it with bytes that it makes up (the preset `clang`, tools/soak); feed.c calls it with the files of its corpus. */
#ifndef FUZZ_H
#define FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <locbo/locbo.h>

#include "text.h"

/* Returns 0. Does not return if something is wrong. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A check that a fuzzer sees as a crash; assert would be left out of a release build. */
#define must(condition) ((condition) ? (void)0 : fuzz_fail(__FILE__, __LINE__, #condition, ""))
/* A call that must succeed; it is given `&error`. */
#define must_do(call) ((call) == LOCBO_OK ? (void)0 : fuzz_fail(__FILE__, __LINE__, #call, error.message))

static locbo_error error;

static inline _Noreturn void fuzz_fail(const char *file, int line, const char *what, const char *why) {
    fprintf(stderr, "%s:%d: not true: %s %s\n", file, line, what, why);
    abort();
}

/* One line of characters, none of which controls a terminal. */
static inline int fuzz_is_line(const char *text) {
    if (!*text || !text_is_valid(text)) return 0;
    for (; *text; text++)
        if ((unsigned char)*text < 0x20 || *text == 0x7f) return 0;
    return 1;
}

/* Whether the call succeeded. If it did not, it says so in full: status and message, one line of UTF-8. */
static inline int fuzz_done(locbo_status status) {
    if (status == LOCBO_OK) return 1;
    must(error.status == status);
    if (!fuzz_is_line(error.message)) fuzz_fail(__FILE__, __LINE__, "one line of UTF-8", error.message);
    return 0;
}

/* A terminated copy, of exactly that size, so that a sanitizer sees what is read behind it; free it. */
static inline char *fuzz_copy(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    must(text);
    if (size) memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

/* The same up to the first NUL, for functions that take a text alone. */
static inline char *fuzz_text(const uint8_t *data, size_t size) {
    const uint8_t *end = size ? memchr(data, 0, size) : NULL;
    return fuzz_copy(data, end ? (size_t)(end - data) : size);
}

static inline int fuzz_same(double a, double b) { return memcmp(&a, &b, sizeof a) == 0; }

/* A space with every kind of parameter, and names and categories that are easily confused. */
static inline locbo_space *fuzz_space(void) {
    static const char *const modes[] = {"plain", "a b\t'c' \"d\", \n;e", "{x}{{}}", "12", "caf\xc3\xa9"};
    locbo_space *space;
    must_do(locbo_space_create(&space, &error));
    must_do(locbo_space_add_real(space, "x", -5, 10, LOCBO_LINEAR, &error));
    must_do(locbo_space_add_real(space, "rate", 1e-4, 1, LOCBO_LOG, &error));
    must_do(locbo_space_add_int(space, "n", 1, 12, LOCBO_LINEAR, &error));
    must_do(locbo_space_add_categorical(space, "mode", 5, modes, &error));
    return space;
}
enum { FUZZ_DIM = 4 };

/* Whether two parameters are the same. */
static inline int fuzz_same_parameter(const locbo_parameter *a, const locbo_parameter *b) {
    if (strcmp(a->name, b->name) != 0 || a->kind != b->kind || a->scale != b->scale || a->count != b->count ||
        !fuzz_same(a->low, b->low) || !fuzz_same(a->high, b->high))
        return 0;
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->categories[i], b->categories[i]) != 0) return 0;
    if (!fuzz_same(a->step, b->step) || !a->numbers != !b->numbers || a->parent != b->parent ||
        a->when_count != b->when_count)
        return 0;
    for (size_t i = 0; a->numbers && i < a->count; i++)
        if (!fuzz_same(a->numbers[i], b->numbers[i])) return 0;
    for (size_t i = 0; i < a->count; i++)
        if ((a->retired && a->retired[i]) != (b->retired && b->retired[i])) return 0;
    if (!fuzz_same(a->frozen, b->frozen) || !fuzz_same(a->past, b->past)) return 0;
    return a->when_count == 0 || memcmp(a->when, b->when, a->when_count * sizeof *a->when) == 0;
}

#endif
