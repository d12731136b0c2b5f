/* words.c - a text as words, and words as a text. Layer: format.
 * One pass, O(length): words only get shorter, so the room they need is known before. */
#include "words.h"

#include <string.h>

#include "mem.h"

static int is_blank(char c) { return c && strchr(" \t\n\r\v\f", c); }

static int is_continued(const char *c) { return c[0] == '\\' && c[1] == '\n'; }

static const char *skip_blanks(const char *c) {
    while (is_blank(*c) || is_continued(c)) c += is_blank(*c) ? 1 : 2;
    return c;
}

/* From behind a quote to where its partner is; NULL: there is none. */
static const char *take_verbatim(const char *c, char **out) {
    for (; *c && *c != '\''; c++) *(*out)++ = *c;
    return *c ? c : NULL;
}

static const char *take_quoted(const char *c, char **out) {
    for (; *c && *c != '"'; c++) {
        if (c[0] == '\\' && (c[1] == '"' || c[1] == '\\')) c++;
        *(*out)++ = *c;
    }
    return *c ? c : NULL;
}

/* From a backslash to the character it covers. */
static const char *take_covered(const char *c, char **out) {
    if (!c[1]) return NULL;
    if (!is_continued(c)) *(*out)++ = c[1];
    return c + 1;
}

/* One word; returns where the text continues. NULL: what began with *open does not end. */
static const char *take_word(const char *c, char **out, char *open) {
    for (; *c && !is_blank(*c); c++) {
        *open = *c;
        if (*c == '\'')
            c = take_verbatim(c + 1, out);
        else if (*c == '"')
            c = take_quoted(c + 1, out);
        else if (*c == '\\')
            c = take_covered(c, out);
        else
            *(*out)++ = *c;
        if (!c) return NULL;
    }
    *(*out)++ = '\0';
    return c;
}

locbo_status words_split(const char *text, char ***words, size_t *count, locbo_error *error) {
    if (!text || !words || !count)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "text, words and count must not be NULL");
    size_t length = strlen(text), most = length / 2 + 2; /* with the NULL at the end */
    char **list = mem_new(1, most * sizeof *list + length + 1);
    if (!list) return status_no_memory(error);
    char *out = (char *)(list + most), open = 0;
    size_t n = 0;
    for (const char *c = skip_blanks(text); *c; c = skip_blanks(c)) {
        list[n++] = out;
        c = take_word(c, &out, &open);
        if (!c) {
            mem_free(list);
            return status_fail(error, LOCBO_ERR_ARGUMENT, "%s in: %.150s",
                               open == '\\' ? "a backslash at the end" : "a quote is not closed", text);
        }
    }
    *words = list;
    *count = n;
    return status_ok(error);
}

/* Words a shell, too, would take as they are. */
static int is_plain(const char *word) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=./:,@%^{}";
    const char *c = word;
    while (*c && (strchr(plain, *c) || (unsigned char)*c >= 0x80)) c++;
    if (strchr(word, '{') && (strchr(word, ',') || strstr(word, ".."))) return 0; /* bash has {a,b} and {1..9} */
    return c != word && !*c;
}

static char *put(char *out, const char *text) {
    size_t size = strlen(text);
    memcpy(out, text, size);
    return out + size;
}

static char *put_word(char *out, const char *word) {
    if (is_plain(word)) return put(out, word);
    *out++ = '\'';
    for (const char *c = word; *c; c++) {
        if (*c == '\'')
            out = put(out, "'\\''");
        else
            *out++ = *c;
    }
    *out++ = '\'';
    return out;
}

char *words_join(size_t count, const char *const *words) {
    size_t room = 1;
    for (size_t i = 0; i < count; i++) room += 4 * strlen(words[i]) + 3; /* all quotes: four for one */
    char *text = mem_new(room, 1), *out = text;
    if (!text) return NULL;
    for (size_t i = 0; i < count; i++) {
        if (i > 0) *out++ = ' ';
        out = put_word(out, words[i]);
    }
    return text;
}
