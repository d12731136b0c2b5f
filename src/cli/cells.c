/* cells.c - intervals and times as cells of a table or CSV file. Layer: cli, middle. */
#include "cells.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#include "rows.h"
#include "value.h"

static int put(json_t *object, const char *key, json_t *value) { return json_object_set_new(object, key, value); }

int cells_put_interval(json_t *row, const char *name, double low, double high, output_format format) {
    char key[64], from[32], to[32], text[80];
    if (format == OUTPUT_JSON) return put(row, name, rows_interval(low, high)) == 0;
    if (format == OUTPUT_CSV) {
        snprintf(key, sizeof key, "%s_low", name);
        if (put(row, key, value_real(low)) != 0) return 0;
        snprintf(key, sizeof key, "%s_high", name);
        return put(row, key, value_real(high)) == 0;
    }
    if (isnan(low) || isnan(high)) return put(row, name, json_null()) == 0;
    value_brief(low, from);
    value_brief(high, to);
    snprintf(text, sizeof text, "%s .. %s", from, to);
    return put(row, name, json_string(low > high ? "empty" : text)) == 0;
}

int cells_spread_interval(json_t *row, const char *name, const json_t *interval, output_format format) {
    return cells_put_interval(row, name, rows_real(json_array_get(interval, 0)), rows_real(json_array_get(interval, 1)),
                              format);
}

json_t *cells_time(double seconds, output_format format) {
    char text[64];
    struct tm parts;
    if (format != OUTPUT_TABLE || !(fabs(seconds) < 1e11)) return value_real(seconds);
    time_t whole = (time_t)seconds;
    if (!gmtime_r(&whole, &parts)) return value_real(seconds);
    strftime(text, sizeof text, "%Y-%m-%d %H:%M:%SZ", &parts);
    return json_string(text);
}
