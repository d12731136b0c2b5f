/* text.c - characters of UTF-8: their bytes, their width, those that are not shown as themselves. Layer: base. */
#include "text.h"

#include <stdint.h>
#include <string.h>

int text_continues(char byte) { return ((unsigned char)byte & 0xc0) == 0x80; }

size_t text_character(const char *text, size_t size) {
    const unsigned char *c = (const unsigned char *)text;
    if (c[0] < 0x80) return 1;
    if (c[0] < 0xc2 || c[0] > 0xf4) return 0;
    size_t n = c[0] < 0xe0 ? 2 : c[0] < 0xf0 ? 3 : 4;
    unsigned char least = c[0] == 0xe0 ? 0xa0 : c[0] == 0xf0 ? 0x90 : 0x80; /* less: an overlong form */
    unsigned char most = c[0] == 0xed ? 0x9f : c[0] == 0xf4 ? 0x8f : 0xbf;  /* more: a surrogate; beyond U+10FFFF */
    if (size > 1 && (c[1] < least || c[1] > most)) return 0;
    for (size_t i = 2; i < n && i < size; i++)
        if (!text_continues(text[i])) return 0;
    return n;
}

int text_is_valid(const char *text) {
    size_t n = 1;
    for (; *text && n > 0; text += n) n = text_character(text, SIZE_MAX);
    return n > 0;
}

size_t text_step(const char *text, size_t size) {
    unsigned char first = (unsigned char)text[0];
    size_t want = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc0 ? 2 : 1, step = 1;
    if (first >= 0xf8) want = 1; /* not UTF-8 */
    while (step < want && step < size && text_continues(text[step])) step++;
    return step;
}

size_t text_width_of(const char *text, size_t size) {
    size_t width = 0;
    for (size_t i = 0; i < size; i += text_step(text + i, size - i)) width++;
    return width;
}

size_t text_width(const char *text) { return text_width_of(text, strlen(text)); }

uint32_t text_code(const char *text, size_t step) {
    static const unsigned char lead[] = {0, 0xff, 0x1f, 0x0f, 0x07};
    uint32_t code = (unsigned char)text[0] & lead[step];
    for (size_t i = 1; i < step; i++) code = code << 6 | ((unsigned char)text[i] & 0x3f);
    return code;
}

int text_is_control(const char *text, size_t step) {
    static const struct {
        uint32_t first, last;
    } hidden[] = {
        {0, 0x1f},          /* ASCII */
        {0x7f, 0x9f},       /* some terminals obey these too, also as one byte */
        {0x61c, 0x61c},     /* direction: a mark */
        {0x180e, 0x180e},   /* no width */
        {0x200b, 0x200f},   /* no width: space and joiners; direction: marks */
        {0x2028, 0x202e},   /* ends of lines and paragraphs; direction: embeddings and overrides */
        {0x2060, 0x206f},   /* no width: joiner, operators; direction: isolates; old format characters */
        {0xfeff, 0xfeff},   /* no width */
        {0xfff9, 0xfffb},   /* annotations */
        {0xe0000, 0xe007f}, /* tags */
    };
    uint32_t code = text_code(text, step);
    if (code >= ' ' && code < 0x7f) return 0; /* most */
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++)
        if (code >= hidden[i].first && code <= hidden[i].last) return 1;
    return 0;
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
