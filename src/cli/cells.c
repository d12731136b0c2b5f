/* cells.c - points, intervals and times as cells of a table or CSV file. Layer: cli, middle. */
#include "cells.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "mem.h"
#include "rows.h"
#include "json_build.h"
#include "value.h"

json_t *cells_point(const locbo_space *space, json_t *params, output_format format) {
    if (format != OUTPUT_TABLE) return json_incref(params);
    json_t *shown = json_copy(params);
    for (size_t i = 0; shown && i < locbo_space_dim(space); i++) {
        locbo_parameter p;
        locbo_space_parameter(space, i, &p, NULL);
        const json_t *value = json_object_get(params, p.name);
        if (!json_is_real(value)) continue;
        char *text = value_shown(&p, json_real_value(value));
        if (!text || build_put(shown, p.name, json_string(text)) != 0) {
            json_decref(shown);
            shown = NULL;
        }
        mem_free(text);
    }
    return shown;
}

int cells_put_interval(json_t *row, const char *name, double low, double high, output_format format) {
    char key[CELLS_KEY + 8], from[32], to[32], text[80];
    if (format == OUTPUT_JSON) return build_put(row, name, rows_interval(low, high)) == 0;
    if (format == OUTPUT_CSV) {
        snprintf(key, sizeof key, "%s_low", name);
        if (build_put(row, key, value_real(low)) != 0) return 0;
        snprintf(key, sizeof key, "%s_high", name);
        return build_put(row, key, value_real(high)) == 0;
    }
    if (isnan(low) || isnan(high)) return build_put(row, name, json_null()) == 0;
    value_brief(low, from);
    value_brief(high, to);
    snprintf(text, sizeof text, "%s .. %s", from, to);
    return build_put(row, name, json_string(low > high ? "empty" : text)) == 0;
}

_Static_assert(LOCBO_AVERAGING_RESULTS == 5, "CELLS_NO_INTERVAL says 5");
int cells_is_withheld(const locbo_options *options, uint64_t results) {
    return options->method != LOCBO_METHOD_RANDOM && options->averaging == LOCBO_AVERAGING_ON &&
           results < LOCBO_AVERAGING_RESULTS;
}

int cells_put_interval_of_f(json_t *row, const char *name, double low, double high, int withheld,
                            output_format format) {
    if (withheld && isnan(low) && format == OUTPUT_TABLE)
        return build_put(row, name, json_string(CELLS_NO_INTERVAL)) == 0;
    return cells_put_interval(row, name, low, high, format);
}

int cells_spread_interval(json_t *row, const char *name, const json_t *interval, output_format format) {
    return cells_put_interval(row, name, rows_real(json_array_get(interval, 0)), rows_real(json_array_get(interval, 1)),
                              format);
}

const char *cells_key(const char *name, const char *what, char key[CELLS_KEY]) {
    snprintf(key, CELLS_KEY, "%.200s%s%.50s", name ? name : "", name ? "." : "", what);
    return key;
}

int cells_has_constraints(const locbo_outputs *outputs) {
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++) {
        locbo_output_spec spec = {.struct_size = sizeof spec};
        if (locbo_outputs_get(outputs, i, &spec, NULL) == LOCBO_OK && rows_is_constraint(&spec)) return 1;
    }
    return 0;
}

json_t *cells_spent(const json_t *spent, double budget, const locbo_space *space) {
    const char *unit = locbo_space_cost(space) ? "" : " s";
    char cost[32], most[32], of[48] = "", below[32], part[96] = "";
    if (!json_is_object(spent)) return json_null();
    value_brief(rows_real_of(spent, "cost"), cost);
    value_brief(rows_real_of(spent, "below"), below);
    value_brief(budget, most);
    if (!isnan(budget)) snprintf(of, sizeof of, " of %s", most);
    if (!isnan(rows_real_of(spent, "below")))
        snprintf(part, sizeof part, ", of it %s%s below full fidelity", below, unit);
    return json_sprintf("%s%s%s%s", cost, of, unit, part);
}

int cells_put_pruned(json_t *row, const json_t *decision, output_format format) {
    char value[32];
    json_t *step = json_object_get(decision, "step");
    if (!json_is_true(json_object_get(decision, "ended"))) return 0;
    if (format == OUTPUT_CSV)
        return json_object_set(row, "pruned_step", step) |
               json_object_set(row, "pruned_value", json_object_get(decision, "value"));
    value_brief(rows_real_of(decision, "value"), value);
    return build_put(row, "pruned", json_sprintf("%s at step %" JSON_INTEGER_FORMAT, value, json_integer_value(step)));
}

json_t *cells_feasible(const json_t *json) {
    return json_is_boolean(json) ? json_string(json_is_true(json) ? "yes" : "no") : json_null();
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

json_t *cells_worker(const char *name, output_format format) {
    const char *host = strchr(name, ':'), *pid = host ? strchr(host + 1, ':') : NULL;
    int is_ours = pid && strspn(host + 1, "0123456789") == (size_t)(pid - host - 1) && strchr(pid + 1, ':');
    return rows_bytes(name, format == OUTPUT_TABLE && is_ours ? (size_t)(pid - name) : strlen(name));
}
