/* text.c - width, control characters, mistyped names. Layer: cli. */
#include "text.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_NAME = 40 };

static int continues(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

size_t text_step(const char *text, size_t size) {
    unsigned char first = (unsigned char)text[0];
    size_t want = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1, step = 1;
    if (first >= 0xf8) want = 1; /* not UTF-8 */
    while (step < want && step < size && continues(text[step])) step++;
    return step;
}

size_t text_width_of(const char *text, size_t size) {
    size_t width = 0;
    for (size_t i = 0; i < size; i += text_step(text + i, size - i)) width++;
    return width;
}

size_t text_width(const char *text) { return text_width_of(text, strlen(text)); }

/* Besides the ASCII ones those of U+0080 to U+009F: some terminals obey them. */
int text_is_control(const char *text, size_t step) {
    unsigned char first = (unsigned char)text[0];
    if (step == 1) return first < 0x20 || first == 0x7f || (first >= 0x80 && first < 0xa0);
    return step == 2 && first == 0xc2 && (unsigned char)text[1] < 0xa0;
}

void text_clean(char *text) {
    size_t size = strlen(text), to = 0;
    for (size_t from = 0; from < size;) {
        size_t step = text_step(text + from, size - from);
        if (text_is_control(text + from, step)) {
            text[to++] = '?';
        } else {
            memmove(text + to, text + from, step);
            to += step;
        }
        from += step;
    }
    text[to] = '\0';
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static int same(char a, char b) { return tolower((unsigned char)a) == tolower((unsigned char)b); }

/* How many letters to insert, drop, replace or swap with their neighbour; capitals count as small. */
static size_t edits(const char *a, const char *b) {
    size_t m = strlen(a), n = strlen(b), d[LONGEST_NAME + 1][LONGEST_NAME + 1];
    for (size_t i = 0; i <= m; i++) d[i][0] = i;
    for (size_t j = 0; j <= n; j++) d[0][j] = j;
    for (size_t i = 1; i <= m; i++)
        for (size_t j = 1; j <= n; j++) {
            size_t replaced = d[i - 1][j - 1] + !same(a[i - 1], b[j - 1]);
            d[i][j] = least(least(d[i - 1][j], d[i][j - 1]) + 1, replaced);
            if (i > 1 && j > 1 && same(a[i - 1], b[j - 2]) && same(a[i - 2], b[j - 1]))
                d[i][j] = least(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[m][n];
}

void text_consider(text_guess *guess, const char *name) {
    size_t length = strlen(guess->word);
    if (length < 2 || length > LONGEST_NAME || strlen(name) > LONGEST_NAME) return;
    size_t distance = edits(guess->word, name);
    if (strncmp(name, guess->word, length) == 0) distance = least(distance, 1); /* its beginning */
    if (distance > (length + 1) / 3 || (guess->best && distance >= guess->distance)) return;
    guess->best = name;
    guess->distance = distance;
}

void text_hint(const text_guess *guess, const char *dashes, char *hint, size_t size) {
    hint[0] = '\0';
    if (guess->best) snprintf(hint, size, " (did you mean %s%s?)", dashes, guess->best);
}
