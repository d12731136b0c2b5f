/* nearest.c - the name that is nearest to a mistyped word, by the number of edits. Layer: format. */
#include "nearest.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { LONGEST_NAME = 40 };

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

void nearest_consider(nearest *guess, const char *name) {
    size_t length = strlen(guess->word);
    if (length < 2 || length > LONGEST_NAME || strlen(name) > LONGEST_NAME) return;
    size_t distance = edits(guess->word, name);
    if (strncmp(name, guess->word, length) == 0) distance = least(distance, 1); /* its beginning */
    if (distance > (length + 1) / 3 || (guess->best && distance >= guess->distance)) return;
    guess->best = name;
    guess->distance = distance;
}

void nearest_hint(const nearest *guess, const char *dashes, char *hint, size_t size) {
    hint[0] = '\0';
    if (guess->best) snprintf(hint, size, " (did you mean %s%s?)", dashes, guess->best);
}
