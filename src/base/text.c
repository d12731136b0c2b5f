/* text.c - characters of UTF-8: their bytes, their width, those that control a terminal. Layer: base. */
#include "text.h"

#include <string.h>

static int continues(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

size_t text_step(const char *text, size_t size) {
    unsigned char first = (unsigned char)text[0];
    size_t want = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1, step = 1;
    if (first >= 0xf8) want = 1; /* not UTF-8 */
    while (step < want && step < size && continues(text[step])) step++;
    return step;
}

size_t text_character(const char *text, size_t size) {
    const unsigned char *c = (const unsigned char *)text;
    size_t n = c[0] < 0x80 ? 1 : c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
    if (n > size || (c[0] >= 0x80 && c[0] < 0xc2) || c[0] > 0xf4) return 0;
    for (size_t i = 1; i < n; i++)
        if (!continues(text[i])) return 0;
    if ((c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xed && c[1] > 0x9f)) return 0;
    if ((c[0] == 0xf0 && c[1] < 0x90) || (c[0] == 0xf4 && c[1] > 0x8f)) return 0;
    return n;
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
