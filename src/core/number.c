/* number.c - doubles as text. The C library's conversions use the decimal point of the caller's locale; ours
 * is always '.'. Layer: core, bottom. */
#include "number.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char decimal_point(void) { return localeconv()->decimal_point[0]; }

static void swap_point(char *text, char from, char to) {
    char *point = from == to ? NULL : strchr(text, from);
    if (point) *point = to;
}

int number_parse(const char *text, double *value) {
    char copy[128];
    size_t length = strlen(text);
    if (length == 0 || length >= sizeof copy || isspace((unsigned char)text[0])) return 0;
    if (decimal_point() != '.' && strchr(text, decimal_point())) return 0;
    memcpy(copy, text, length + 1);
    swap_point(copy, '.', decimal_point());
    char *end;
    double parsed = strtod(copy, &end);
    if (*end) return 0;
    *value = parsed;
    return 1;
}

void number_print(double value, char text[NUMBER_TEXT]) {
    if (isnan(value)) {
        memcpy(text, "nan", 4);
        return;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, NUMBER_TEXT, "%.*g", digits, value);
        if (strtod(text, NULL) == value) break;
    }
    swap_point(text, decimal_point(), '.');
}
