/* json_text.c - JSON on one line. Layer: format. */
#include "json_text.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "value.h"

static void write_escape(buffer *b, char c) {
    static const char named[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
    const char *found = c ? strchr(named, c) : NULL;
    char text[8];
    if (found)
        snprintf(text, sizeof text, "\\%c", letters[found - named]);
    else
        snprintf(text, sizeof text, "\\u%04x", (unsigned)(unsigned char)c);
    buffer_text(b, text);
}

void json_text_string(buffer *b, const char *text, size_t size) {
    buffer_char(b, '"', 1);
    size_t done = 0;
    for (size_t i = 0; i < size; i++) {
        char c = text[i];
        if ((unsigned char)c >= 0x20 && c != '"' && c != '\\' && c != 0x7f) continue;
        buffer_add(b, text + done, i - done);
        write_escape(b, c);
        done = i + 1;
    }
    buffer_add(b, text + done, size - done);
    buffer_char(b, '"', 1);
}

/* ---- doubles --------------------------------------------------------------------------------- */

enum { DIGITS = 17 };

/* 0.d d d ... times ten to the power `point`. */
typedef struct decimal {
    int negative, point;
    char digit[DIGITS];
} decimal;

static void take_apart(double value, decimal *d) {
    char text[NUMBER_TEXT]; /* -d.dddddddddddddddde+dd */
    snprintf(text, sizeof text, "%.*e", DIGITS - 1, value);
    const char *at = text + (text[0] == '-');
    d->negative = text[0] == '-';
    d->digit[0] = at[0];
    memcpy(d->digit + 1, at + 2, DIGITS - 1);
    d->point = atoi(at + DIGITS + 2) + 1;
}

/* To so many digits; 9.99 may become 10.0. */
static void round_off(decimal *d, int digits) {
    int up = d->digit[digits] >= '5', i = digits - 1;
    for (; up && i >= 0; i--) {
        up = d->digit[i] == '9';
        d->digit[i] = up ? '0' : (char)(d->digit[i] + 1);
    }
    if (!up) return;
    d->digit[0] = '1'; /* all were nines, and are zeros now */
    d->point++;
}

static char *put(char *to, const char *from, int count) {
    memcpy(to, from, (size_t)count);
    return to + count;
}

/* As printf's %.*g writes so many digits. */
static void lay_out(const decimal *d, int digits, char *text) {
    static const char zeros[] = "0.000000000000000000";
    int precision = digits, point = d->point;
    while (digits > 1 && d->digit[digits - 1] == '0') digits--;
    if (d->negative) *text++ = '-';
    int before = point < -3 || point > precision ? 1 : point; /* digits before the point */
    if (before <= 0) text = put(text, zeros, 2 - before);
    int shown = before < 0 ? 0 : before < digits ? before : digits;
    text = put(text, d->digit, shown);
    if (before > digits) text = put(text, zeros + 2, before - digits);
    if (before > 0 && digits > shown) *text++ = '.';
    text = put(text, d->digit + shown, digits - shown);
    *text = '\0';
    if (before != point) snprintf(text, 13, "e%+03d", point - 1);
}

/* Half a step between doubles is less than 12 in the last of 17 digits, so that fewer digits can do only near 00. */
static int may_be_short(double value, const decimal *d) {
    int tail = (d->digit[DIGITS - 2] - '0') * 10 + d->digit[DIGITS - 1] - '0';
    return tail < 12 || tail > 88 || fabs(value) < DBL_MIN;
}

void json_text_real(double value, char text[NUMBER_TEXT]) {
    decimal exact, rounded;
    take_apart(value, &exact);
    if (exact.digit[DIGITS - 1] == '5') { /* half-way: the digits behind decide */
        number_print(value, text);
        return;
    }
    for (int digits = may_be_short(value, &exact) ? 15 : 16; digits < DIGITS; digits++) {
        rounded = exact;
        round_off(&rounded, digits);
        lay_out(&rounded, digits, text);
        if (strtod(text, NULL) == value) return;
    }
    lay_out(&exact, DIGITS, text);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* A double stays one for the reader: 5.0, not 5. */
static void write_real(buffer *b, double value, int brief) {
    char text[NUMBER_TEXT];
    if (brief)
        value_brief(value, text);
    else
        json_text_real(value, text);
    buffer_text(b, text);
    if (!brief && !strpbrk(text, ".e")) buffer_text(b, ".0");
}

static void write_integer(buffer *b, json_int_t value) {
    char text[32];
    snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, value);
    buffer_text(b, text);
}

static void write_array(buffer *b, const json_t *array, int brief) {
    buffer_char(b, '[', 1);
    for (size_t i = 0; i < json_array_size(array); i++) {
        if (i > 0) buffer_char(b, ',', 1);
        json_text_write(b, json_array_get(array, i), brief);
    }
    buffer_char(b, ']', 1);
}

static void write_object(buffer *b, const json_t *object, int brief) {
    json_t *o = (json_t *)object, *value; /* only read */
    const char *key, *comma = "";
    buffer_char(b, '{', 1);
    json_object_foreach(o, key, value) {
        buffer_text(b, comma);
        comma = ",";
        json_text_string(b, key, strlen(key));
        buffer_char(b, ':', 1);
        json_text_write(b, value, brief);
    }
    buffer_char(b, '}', 1);
}

void json_text_write(buffer *b, const json_t *value, int brief) {
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        write_object(b, value, brief);
        break;
    case JSON_ARRAY:
        write_array(b, value, brief);
        break;
    case JSON_STRING:
        json_text_string(b, json_string_value(value), json_string_length(value));
        break;
    case JSON_INTEGER:
        write_integer(b, json_integer_value(value));
        break;
    case JSON_REAL:
        write_real(b, json_real_value(value), brief);
        break;
    case JSON_TRUE:
        buffer_text(b, "true");
        break;
    case JSON_FALSE:
        buffer_text(b, "false");
        break;
    case JSON_NULL:
        buffer_text(b, "null");
        break;
    }
}
