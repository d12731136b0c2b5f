/* value.c - values of parameters as text and as JSON, counts and durations. Errors show what would have been right.
 * Layer: format. */
#include "value.h"

#include <locbo/study.h>

#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mem.h"
#include "number.h"

enum { LIST_TEXT = 128, LIST_ITEMS = 6, RANGE_TEXT = 2 * NUMBER_TEXT + 8 };

/* ---- what the messages show -------------------------------------------------------------------- */

/* Append one item of "a, b, c"; one that would overfill the text, or comes too late, is "...". Returns 0 then. */
static int list_item(char list[LIST_TEXT], size_t index, const char *item) {
    size_t used = strlen(list);
    const char *comma = index ? ", " : "";
    if (!*item) item = "''";
    int more = index < LIST_ITEMS && used + strlen(item) + 8 < LIST_TEXT;
    snprintf(list + used, LIST_TEXT - used, "%s%s", comma, more ? item : "...");
    return more;
}

static void list_categories(const locbo_parameter *p, char list[LIST_TEXT]) {
    list[0] = '\0';
    for (size_t k = 0; k < p->count; k++)
        if (!list_item(list, k, p->categories[k])) return;
}

static void list_names(const locbo_space *space, char list[LIST_TEXT]) {
    list[0] = '\0';
    for (size_t i = 0; i < locbo_space_dim(space); i++) {
        locbo_parameter p;
        if (locbo_space_parameter(space, i, &p, NULL) != LOCBO_OK || !list_item(list, i, p.name)) return;
    }
}

static void range_of(const locbo_parameter *p, char range[RANGE_TEXT]) {
    char low[NUMBER_TEXT], high[NUMBER_TEXT];
    number_print(p->low, low);
    number_print(p->high, high);
    snprintf(range, RANGE_TEXT, "[%s, %s]", low, high);
}

static locbo_status not_a_category(const locbo_parameter *p, const char *got, locbo_error *error) {
    char list[LIST_TEXT];
    list_categories(p, list);
    return status_fail(error, LOCBO_ERR_ARGUMENT, "%.40s must be one of %s, got %.40s", p->name, list, got);
}

static locbo_status not_a_number(const locbo_parameter *p, const char *got, locbo_error *error) {
    char range[RANGE_TEXT];
    range_of(p, range);
    return status_fail(error, LOCBO_ERR_ARGUMENT, "%.40s must be a %snumber in %s, got %.40s", p->name,
                       p->kind == LOCBO_INT ? "whole " : "", range, got);
}

static locbo_status not_a_bool(const locbo_parameter *p, const char *got, locbo_error *error) {
    return status_fail(error, LOCBO_ERR_ARGUMENT, "%.40s must be true or false, got %.40s", p->name, got);
}

/* Whether it is one of the values of a parameter with steps. */
static int is_on_step(const locbo_parameter *p, double number) {
    double steps = (number - p->low) / p->step, whole = nearbyint(steps);
    return p->step == 0 || fabs(steps - whole) <= 1e-9 * fmax(1, fabs(whole));
}

/* Keep a number that lies in the parameter's range; `got` is how it was written. */
static locbo_status keep(const locbo_parameter *p, double number, const char *got, double *value, locbo_error *error) {
    char range[RANGE_TEXT], step[NUMBER_TEXT];
    int inside = number >= p->low && number <= p->high;
    if (inside && is_on_step(p, number)) {
        *value = number;
        return status_ok(error);
    }
    range_of(p, range);
    if (!inside) return status_fail(error, LOCBO_ERR_ARGUMENT, "%.40s must lie in %s, got %.40s", p->name, range, got);
    number_print(p->step, step);
    return status_fail(error, LOCBO_ERR_ARGUMENT, "%.40s must lie in %s in steps of %s, got %.40s", p->name, range,
                       step, got);
}

/* ---- as text ----------------------------------------------------------------------------------- */

int value_whole(const char *text, int64_t *whole) {
    double number;
    char *end;
    if (!number_parse(text, &number)) return 0;
    errno = 0;
    long long digits = strtoll(text, &end, 10); /* exact where a double is not */
    if (*end == '\0' && errno == 0) {
        *whole = digits;
        return 1;
    }
    if (*end == '\0' || number != floor(number) || fabs(number) >= 0x1p63) return 0;
    *whole = (int64_t)number;
    return 1;
}

/* Whether the value is one of the parameter's category numbers. */
static int is_category(const locbo_parameter *p, double value) {
    return value >= 0 && value < (double)p->count && value == floor(value);
}

static int is_whole(double value) { return value == floor(value) && fabs(value) <= 0x1p53; }

/* A whole number as a double; NAN, which lies in no range, for one that a double may not hold exactly. */
static double exact(int64_t whole) {
    const int64_t most = INT64_C(1) << 53;
    return whole >= -most && whole <= most ? (double)whole : (double)NAN;
}

char *value_text(const locbo_parameter *p, double value) {
    char text[NUMBER_TEXT];
    if (isnan(value)) return mem_text(""); /* it is not active */
    if (p->count > 0 && is_category(p, value)) return mem_text(p->categories[(size_t)value]);
    if (p->kind == LOCBO_BOOL) return mem_text(value != 0 ? "true" : "false");
    if (p->kind == LOCBO_INT && is_whole(value))
        snprintf(text, sizeof text, "%" PRId64, (int64_t)value);
    else
        number_print(value, text);
    return mem_text(text);
}

/* Significant digits that leave out less than 1/1000 of the parameter's range; below 1: all of the value is less. Below
 * a million the digits before the point are kept. */
static int digits_of(const locbo_parameter *p, double value) {
    double step = (p->high / 2 - p->low / 2) / 500; /* halves: it does not overflow */
    if (p->scale == LOCBO_LOG) step = value * (log(p->high) - log(p->low)) / 1000;
    int before = (int)floor(log10(fabs(value))) + 1;                      /* digits before the point */
    int digits = before - (int)floor(fmin(fmax(log10(step), -400), 400)); /* a step may underflow or overflow */
    int least = before < 6 ? before : 6;
    return digits > least ? digits : least;
}

char *value_shown(const locbo_parameter *p, double value) {
    char text[NUMBER_TEXT];
    double rounded = value;
    if (p->kind != LOCBO_REAL || p->step > 0 || value == 0 || value == p->low || value == p->high || !isfinite(value))
        return value_text(p, value + 0.0); /* no -0 */
    for (int digits = digits_of(p, value); digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits > 0 ? digits : 0, value);
        rounded = digits > 0 ? strtod(text, NULL) : 0;
        if (p->low <= rounded && rounded <= p->high) break;
    }
    number_print(rounded, text);
    return mem_text(text);
}

/* The number of a category, `count` if it is none. A text from JSON may hold a NUL, so its length counts. */
static size_t find_category(const locbo_parameter *p, const char *text, size_t length) {
    size_t k = 0;
    while (k < p->count && (strlen(p->categories[k]) != length || memcmp(p->categories[k], text, length) != 0)) k++;
    return k;
}

static locbo_status parse_category(const locbo_parameter *p, const char *text, size_t length, double *value,
                                   locbo_error *error) {
    size_t k = find_category(p, text, length);
    if (k == p->count) {
        char got[48];
        snprintf(got, sizeof got, "'%.36s'", text);
        return not_a_category(p, got, error);
    }
    *value = (double)k;
    return status_ok(error);
}

static locbo_status parse_bool(const locbo_parameter *p, const char *text, double *value, locbo_error *error) {
    static const char *const words[] = {"false", "true", "0", "1"};
    char got[48];
    for (int i = 0; i < 4; i++)
        if (strcmp(text, words[i]) == 0) {
            *value = i % 2;
            return status_ok(error);
        }
    snprintf(got, sizeof got, "'%.36s'", text);
    return not_a_bool(p, got, error);
}

locbo_status value_parse(const locbo_parameter *p, const char *text, double *value, locbo_error *error) {
    double number;
    int64_t whole;
    char got[48];
    if (p->count > 0) return parse_category(p, text, strlen(text), value, error);
    if (p->kind == LOCBO_BOOL) return parse_bool(p, text, value, error);
    if (!number_parse(text, &number)) {
        snprintf(got, sizeof got, "'%.36s'", text);
        return not_a_number(p, got, error);
    }
    if (p->kind == LOCBO_REAL) return keep(p, number, text, value, error);
    if (!value_whole(text, &whole)) return not_a_number(p, text, error);
    return keep(p, exact(whole), text, value, error);
}

locbo_status value_parse_anywhere(const locbo_parameter *p, const char *text, double *value, locbo_error *error) {
    locbo_parameter wide = *p;
    if (p->kind != LOCBO_REAL && p->kind != LOCBO_INT) return value_parse(p, text, value, error);
    wide.low = -DBL_MAX;
    wide.high = DBL_MAX;
    wide.step = 0;
    if (value_parse(&wide, text, value, error) == LOCBO_OK) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_ARGUMENT, "%.40s must be a %snumber, got '%.40s'", p->name,
                       p->kind == LOCBO_INT ? "whole " : "", text);
}

/* ---- as JSON ----------------------------------------------------------------------------------- */

void value_brief(double value, char text[32]) {
    if (isnan(value))
        strcpy(text, "-");
    else
        snprintf(text, 32, "%.6g", value);
}

json_t *value_real(double value) {
    if (isnan(value)) return json_null();
    if (isinf(value)) return json_string(value > 0 ? "inf" : "-inf");
    return json_real(value);
}

json_t *value_json(const locbo_parameter *p, double value) {
    if (p->count > 0 && is_category(p, value)) return json_string(p->categories[(size_t)value]);
    if (p->kind == LOCBO_BOOL && !isnan(value)) return json_boolean(value != 0);
    if (p->kind == LOCBO_INT && is_whole(value)) return json_integer((json_int_t)value);
    return isfinite(value) ? json_real(value) : json_null(); /* JSON has no nan */
}

static const char *describe_type(const json_t *json) {
    switch (json_typeof(json)) {
    case JSON_TRUE:
        return "true";
    case JSON_FALSE:
        return "false";
    case JSON_ARRAY:
        return "a list";
    case JSON_OBJECT:
        return "an object";
    default:
        return "null";
    }
}

/* What a JSON value is, in words: 0.5, the text 'a', true, null, a list. NULL is no value at all. */
static void describe(const json_t *json, char got[48]) {
    if (!json)
        snprintf(got, 48, "nothing");
    else if (json_is_string(json))
        snprintf(got, 48, "the text '%.28s'", json_string_value(json));
    else if (json_is_integer(json))
        snprintf(got, 48, "%" JSON_INTEGER_FORMAT, json_integer_value(json));
    else if (json_is_real(json))
        number_print(json_real_value(json), got);
    else
        snprintf(got, 48, "%s", describe_type(json));
}

/* A JSON number or bool whose text is a category: 1 and true name the categories "1" and "true", 2.0 the category "2.0"
 * or "2". */
static locbo_status category_from_json(const locbo_parameter *p, const json_t *json, double *value,
                                       locbo_error *error) {
    char text[48];
    if (json_is_string(json)) return parse_category(p, json_string_value(json), json_string_length(json), value, error);
    describe(json, text);
    size_t k = p->count;
    if (json_is_number(json) || json_is_boolean(json)) k = find_category(p, text, strlen(text));
    if (k == p->count && json_is_real(json) && strlen(text) + 3 < sizeof text) {
        size_t length = strlen(text);
        memcpy(text + length, ".0", 3);
        k = find_category(p, text, length + 2);
        text[length] = '\0';
    }
    if (k == p->count) return not_a_category(p, text, error);
    *value = (double)k;
    return status_ok(error);
}

locbo_status value_from_json(const locbo_parameter *p, const json_t *json, double *value, locbo_error *error) {
    char got[48];
    if (p->count > 0) return category_from_json(p, json, value, error);
    describe(json, got);
    if (p->kind == LOCBO_BOOL && json_is_boolean(json)) {
        *value = json_is_true(json);
        return status_ok(error);
    }
    if (p->kind == LOCBO_BOOL && !json_is_integer(json)) return not_a_bool(p, got, error);
    if (!json_is_number(json)) return not_a_number(p, got, error);
    double number = json_number_value(json);
    if (p->kind == LOCBO_REAL) return keep(p, number, got, value, error);
    if (number != floor(number)) return not_a_number(p, got, error);
    number = json_is_integer(json) ? exact(json_integer_value(json)) : number + 0.0; /* no -0 */
    return keep(p, number, got, value, error);
}

json_t *value_object(const locbo_space *space, const double *x) {
    json_t *object = json_object();
    for (size_t i = 0; object && i < locbo_space_dim(space); i++) {
        locbo_parameter p;
        if (locbo_space_parameter(space, i, &p, NULL) != LOCBO_OK ||
            json_object_set_new(object, p.name, value_json(&p, x[i])) != 0) {
            json_decref(object);
            return NULL;
        }
    }
    return object;
}

static locbo_status find(const locbo_space *space, const char *name, size_t *index, locbo_error *error) {
    if (locbo_space_find(space, name, index, NULL) == LOCBO_OK) return LOCBO_OK;
    char list[LIST_TEXT];
    list_names(space, list);
    return status_fail(error, LOCBO_ERR_ARGUMENT, "there is no parameter '%.40s', only %s", name, list);
}

static locbo_status read_members(const locbo_space *space, json_t *object, double *x, locbo_error *error) {
    const char *name;
    json_t *json;
    json_object_foreach(object, name, json) {
        size_t i;
        locbo_parameter p;
        locbo_status status = find(space, name, &i, error);
        if (status == LOCBO_OK) status = locbo_space_parameter(space, i, &p, error);
        int absent = status == LOCBO_OK && json_is_null(json) && p.parent != SIZE_MAX; /* it is not active */
        if (status == LOCBO_OK && !absent) status = value_from_json(&p, json, &x[i], error);
        if (status != LOCBO_OK) return status;
    }
    return LOCBO_OK;
}

locbo_status value_check_point(const locbo_space *space, const double *x, locbo_error *error) {
    size_t dim = locbo_space_dim(space);
    unsigned char *active = mem_new(dim, sizeof *active);
    locbo_status status = active ? locbo_space_active(space, x, active, error) : status_no_memory(error);
    for (size_t i = 0; i < dim && status == LOCBO_OK; i++) {
        locbo_parameter p;
        locbo_space_parameter(space, i, &p, NULL);
        if (active[i] && isnan(x[i]))
            status = status_fail(error, LOCBO_ERR_ARGUMENT, "the value of %.40s is missing", p.name);
    }
    mem_free(active);
    return status == LOCBO_OK ? locbo_space_check(space, x, error) : status;
}

locbo_status value_from_object(const locbo_space *space, json_t *object, int partial, double *x, locbo_error *error) {
    size_t dim = locbo_space_dim(space);
    char got[48];
    if (!json_is_object(object)) {
        describe(object, got);
        return status_fail(error, LOCBO_ERR_ARGUMENT, "a point must be an object like {\"x\": 0.5}, got %s", got);
    }
    double *read = mem_new(dim, sizeof *read);
    if (!read) return status_no_memory(error);
    for (size_t i = 0; i < dim; i++) read[i] = NAN;
    locbo_status status = read_members(space, object, read, error);
    if (status == LOCBO_OK && !partial) status = value_check_point(space, read, error);
    if (status == LOCBO_OK) memcpy(x, read, dim * sizeof *x);
    mem_free(read);
    return status == LOCBO_OK ? status_ok(error) : status;
}

/* ---- assignments ------------------------------------------------------------------------------- */

locbo_status value_assign(const locbo_space *space, const char *text, double *x, locbo_error *error) {
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "'%.40s' is not of the form NAME=VALUE", text);
    char *name = mem_text(text);
    if (!name) return status_no_memory(error);
    name[equals - text] = '\0';
    size_t index;
    locbo_parameter p;
    locbo_status status = find(space, name, &index, error);
    mem_free(name);
    if (status == LOCBO_OK) status = locbo_space_parameter(space, index, &p, error);
    if (status == LOCBO_OK) status = value_parse(&p, equals + 1, &x[index], error);
    return status;
}

/* ---- counted nouns ----------------------------------------------------------------------------- */

value_counted value_count(uint64_t count, const char *noun) {
    value_counted c;
    int length = (int)strlen(noun), changes = count != 1 && noun[length - 1] == 'y';
    snprintf(c.text, sizeof c.text, "%" PRIu64 " %.*s%s", count, length - changes, noun,
             count == 1 ? ""
             : changes  ? "ies"
                        : "s");
    return c;
}

/* ---- durations --------------------------------------------------------------------------------- */

/* The seconds of a unit's letter, 0 for any other character. */
static double unit(char letter) {
    switch (letter) {
    case 's':
        return 1;
    case 'm':
        return 60;
    case 'h':
        return 3600;
    case 'd':
        return 86400;
    default:
        return 0;
    }
}

locbo_status duration_parse(const char *text, int zero, double *seconds, locbo_error *error) {
    const double longest = 36500 * 86400.0; /* clocks and timers can still add it up */
    char digits[64];
    double number;
    size_t length = strlen(text);
    double factor = length ? unit(text[length - 1]) : 0;
    if (factor > 0) length--;
    snprintf(digits, sizeof digits, "%.*s", (int)(length < 64 ? length : 0), text);
    if (factor <= 0) factor = 1;
    if (!number_parse(digits, &number))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "'%.40s' is not a duration: write seconds, or 90s, 10m, 1.5h, 2d",
                           text);
    if (!((zero ? number >= 0 : number * factor > 0) && number * factor <= longest))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "a duration must be %s 0 and at most 36500d, got %.40s",
                           zero ? "at least" : "more than", text);
    *seconds = number * factor + 0.0; /* -0 is 0 */
    return status_ok(error);
}

static void two_units(double count, double per, const char *large, const char *small, char text[32]) {
    double whole = floor(count / per), rest = count - whole * per;
    if (whole >= 1e6)
        snprintf(text, 32, "%.3g %s", whole, large);
    else if (rest > 0)
        snprintf(text, 32, "%.0f %s %.0f %s", whole, large, rest, small);
    else
        snprintf(text, 32, "%.0f %s", whole, large);
}

void duration_text(double seconds, char text[32]) {
    double s = round(seconds), m = round(seconds / 60), h = round(seconds / 3600);
    if (isnan(seconds) || seconds < 0)
        snprintf(text, 32, "-");
    else if (isinf(seconds))
        snprintf(text, 32, "without end");
    else if (seconds < 0.001)
        snprintf(text, 32, "0 s");
    else if (seconds < 9.95)
        snprintf(text, 32, "%.2g s", seconds);
    else if (s < 60)
        snprintf(text, 32, "%.0f s", s);
    else if (s < 3600)
        two_units(s, 60, "min", "s", text);
    else if (m < 1440)
        two_units(m, 60, "h", "min", text);
    else
        two_units(h, 24, "d", "h", text);
}

locbo_parameter value_parameter(const locbo_parameter_spec *spec) {
    return (locbo_parameter){.name = spec->name,
                             .kind = spec->kind,
                             .scale = spec->scale,
                             .low = spec->low,
                             .high = spec->high,
                             .count = spec->count,
                             .categories = spec->categories,
                             .step = spec->step};
}

int value_prune(const char *name, uint64_t *rule) {
    for (unsigned i = 0; i < LOCBO_PRUNES; i++)
        if (strcmp(name, locbo_prune_name((locbo_prune)i)) == 0) {
            *rule = i;
            return 1;
        }
    return 0;
}
