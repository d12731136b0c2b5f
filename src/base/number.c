/* number.c - doubles as text, and in order. The C library's conversions use the decimal point of the caller's locale;
 * ours is always '.'. Layer: base. */
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

/* Whether fewer digits than the 16 of `text` could do, or be written another way. A text of 15 digits that reads back
 * lies within 1.2 units of the 16th digit from the value, so that digit is then 9, 0 (which %g leaves out) or 1; where
 * doubles are spaced unevenly (powers of 2, subnormals) nothing follows. From 1e15 on %g writes exponents by precision.
 */
static int may_be_shorter(double value, const char *text) {
    int digits = 0, exponent;
    char last = '0';
    for (const char *c = text; *c && *c != 'e'; c++)
        if (*c >= '0' && *c <= '9' && (digits > 0 || *c != '0')) digits++, last = *c;
    return (digits == 16 && (last == '1' || last == '9')) || fabs(value) >= 1e15 || fabs(value) < DBL_MIN ||
           fabs(frexp(value, &exponent)) == 0.5;
}

void number_print(double value, char text[NUMBER_TEXT]) {
    if (isnan(value)) {
        memcpy(text, "nan", 4);
        return;
    }
    char text16[NUMBER_TEXT + POINT_TEXT], other[NUMBER_TEXT + POINT_TEXT], point[POINT_TEXT], *shown = text16;
    snprintf(text16, sizeof text16, "%.16g", value);
    if (may_be_shorter(value, text16)) {
        snprintf(other, sizeof other, "%.15g", value);
        if (strtod(other, NULL) == value) shown = other;
    }
    if (shown == text16 && strtod(text16, NULL) != value) {
        snprintf(other, sizeof other, "%.17g", value);
        shown = other;
    }
    if (strchr(shown, '.')) { /* so the locale's point is ours */
        memcpy(text, shown, strlen(shown) + 1);
        return;
    }
    decimal_point(point);
    replace(shown, point, ".", text, NUMBER_TEXT);
}

int number_ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    if (isnan(x) || isnan(y)) return (isnan(x) != 0) - (isnan(y) != 0);
    return (x > y) - (x < y);
}
