/* number.c - doubles as text. The C library's conversions use the decimal point of the caller's locale; ours
 * is always '.'. Layer: base. */
#include "number.h"

#include <ctype.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { POINT_TEXT = 8 };

/* The locale's decimal point: what stands between the digits of 1.5. (localeconv is not safe with threads.) */
static void decimal_point(char point[POINT_TEXT]) {
    char shown[POINT_TEXT + 2];
    snprintf(shown, sizeof shown, "%.1f", 1.5);
    size_t length = strlen(shown) - 2;
    memcpy(point, shown + 1, length);
    point[length] = '\0';
}

/* Copy a text with its first `from` replaced by `to`; the copy must fit. */
static void replace(const char *text, const char *from, const char *to, char *copy, size_t size) {
    const char *at = strstr(text, from);
    if (at)
        snprintf(copy, size, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    else
        snprintf(copy, size, "%.*s", (int)size - 1, text);
}

int number_parse(const char *text, double *value) {
    char copy[128 + POINT_TEXT], point[POINT_TEXT];
    size_t length = strlen(text);
    if (length == 0 || length >= 128 || isspace((unsigned char)text[0])) return 0;
    decimal_point(point);
    if (strcmp(point, ".") != 0 && strstr(text, point)) return 0;
    replace(text, ".", point, copy, sizeof copy);
    char *end;
    double parsed = strtod(copy, &end);
    if (*end) return 0;
    *value = parsed;
    return 1;
}

/* Where to begin to look for the shortest text, `longest` being that of 17 digits: half a step between doubles is less
 * than 12 in the last of them, so that 15 can do only if the last two are near 00. */
static int fewest_digits(double value, const char *longest) {
    int digits = 0, tail = 0;
    for (const char *c = longest; *c && *c != 'e'; c++)
        if (*c >= '0' && *c <= '9' && (digits > 0 || *c != '0')) {
            digits++;
            tail = (tail * 10 + *c - '0') % 100;
        }
    return digits == 17 && tail >= 12 && tail <= 88 && fabs(value) >= DBL_MIN ? 16 : 15;
}

void number_print(double value, char text[NUMBER_TEXT]) {
    if (isnan(value)) {
        memcpy(text, "nan", 4);
        return;
    }
    char longest[NUMBER_TEXT + POINT_TEXT], shorter[NUMBER_TEXT + POINT_TEXT], point[POINT_TEXT], *shown = longest;
    snprintf(longest, sizeof longest, "%.17g", value);
    for (int digits = fewest_digits(value, longest); digits < 17 && shown == longest; digits++) {
        snprintf(shorter, sizeof shorter, "%.*g", digits, value);
        if (strtod(shorter, NULL) == value) shown = shorter;
    }
    if (strchr(shown, '.')) { /* so the locale's point is ours */
        memcpy(text, shown, strlen(shown) + 1);
        return;
    }
    decimal_point(point);
    replace(shown, point, ".", text, NUMBER_TEXT);
}
