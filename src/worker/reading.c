/* reading.c - measurements of one output from JSON. Layer: worker. Numbers are read whatever the locale: bare ones by
 * number.c, JSON by jansson. Nothing that is not exactly a measurement is taken as one. */
#include "reading.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "mem.h"
#include "number.h"
#include "text.h"
#include "value.h"

/* ---- texts ------------------------------------------------------------------------------------ */

size_t reading_clean(char *copy, size_t room, const char *text, size_t size) {
    size_t at = 0, used = 0;
    while (at < size) {
        size_t n = text_character(text + at, size - at);
        if (n > size - at) return size;
        if (used + (n ? n : 1) >= room) break;
        if (n == 0)
            copy[used++] = '?';
        else if (text[at] == '\t')
            copy[used++] = ' ';
        else if (!text_is_control(text + at, n))
            for (size_t i = 0; i < n; i++) copy[used++] = text[at + i];
        at += n ? n : 1;
        copy[used] = '\0';
    }
    return at;
}

void reading_trim(const char **text, size_t *size, const char *blanks) {
    while (*size > 0 && **text && strchr(blanks, **text)) ++*text, --*size;
    while (*size > 0 && (*text)[*size - 1] && strchr(blanks, (*text)[*size - 1])) --*size;
}

/* strtod would take 0x7ffe, too, but that is an address. */
int reading_number(const char *line, size_t size, double *value) {
    char text[READING_NUMBER];
    if (size == 0 || size >= sizeof text) return 0;
    memcpy(text, line, size);
    text[size] = '\0';
    /* most lines are none, and are known by their letters long before strtod */
    if (strspn(text, "+-.0123456789eEinftyaINFTYA") != size) return 0;
    return number_parse(text, value);
}

json_t *reading_json(const char *text, size_t size, json_error_t *why) {
    return json_loadb(text, size, JSON_DECODE_INT_AS_REAL | JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, why);
}

locbo_status reading_not_json(const json_error_t *why, const char *where, const char *text, size_t size,
                              locbo_error *error) {
    char shown[READING_SHOWN + 1] = "";
    /* jansson gives no reason if it could not start */
    if (!why->text[0] || json_error_code(why) == json_error_out_of_memory) return status_no_memory(error);
    reading_clean(shown, sizeof shown, text, size);
    return status_fail(error, LOCBO_ERR_ARGUMENT, "%snot JSON (%.80s): %s", where, why->text, shown);
}

/* ---- one measurement -------------------------------------------------------------------------- */

/* LOCBO_ERR_ARGUMENT: "sd must be ..., got ...". */
static locbo_status refuse(const char *what, const char *must, const json_t *got, locbo_error *error) {
    char *text = json_dumps(got, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(15));
    char shown[READING_SHOWN] = "";
    if (text) reading_clean(shown, sizeof shown, text, strlen(text));
    mem_free(text);
    return status_fail(error, LOCBO_ERR_ARGUMENT, "%s must be %s, got %s", what, must, shown);
}

static locbo_status read_value(const json_t *json, int may_lack, double *value, locbo_error *error) {
    *value = may_lack && json_is_null(json) ? NAN : json_number_value(json);
    if (isnan(*value) || (json_is_number(json) && isfinite(*value))) return LOCBO_OK;
    return refuse("the value", may_lack ? "a finite number or null" : "a finite number", json, error);
}

static locbo_status read_sd(const json_t *json, double *sd, locbo_error *error) {
    *sd = NAN;
    if (!json || json_is_null(json)) return LOCBO_OK;
    *sd = json_number_value(json);
    if (json_is_number(json) && isfinite(*sd) && *sd > 0) return LOCBO_OK;
    return refuse("sd", "a number above 0 (null: not known)", json, error);
}

static locbo_status read_n(const json_t *json, unsigned *n, locbo_error *error) {
    *n = 1;
    if (!json) return LOCBO_OK;
    double number = json_number_value(json);
    if (!json_is_number(json) || !(number >= 1 && number <= UINT_MAX) || number != floor(number))
        return refuse("n", "an integer of at least 1", json, error);
    *n = (unsigned)number;
    return LOCBO_OK;
}

/* ---- replicates -------------------------------------------------------------------------------- */

/* What is measured: a value or a list of them; sd and n of each, or lists as long. NULL: not given. */
typedef struct source {
    const char *list; /* what messages call the list of values */
    const json_t *values, *sd, *n;
    int may_lack;
} source;

/* Of an array the element, otherwise the thing itself, which is of each. */
static const json_t *element(const json_t *json, size_t index) {
    return json_is_array(json) ? json_array_get(json, index) : json;
}

static locbo_status check_length(const char *name, const json_t *list, size_t count, locbo_error *error) {
    if (!json_is_array(list) || json_array_size(list) == count) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_ARGUMENT, "\"%s\" has %s for %s", name,
                       value_count(json_array_size(list), "entry").text, value_count(count, "value").text);
}

static locbo_status check_lengths(const source *s, locbo_error *error) {
    size_t count = json_array_size(s->values);
    if (!json_is_array(s->values) || count == 0)
        return refuse(s->list, "a list of at least one number", s->values, error);
    if (count > READING_VALUES)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "%s has %zu numbers, at most %d are taken", s->list, count,
                           READING_VALUES);
    locbo_status status = check_length("sd", s->sd, count, error);
    return status == LOCBO_OK ? check_length("n", s->n, count, error) : status;
}

static locbo_status read_each(const source *s, size_t count, locbo_measurement *m, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < count && status == LOCBO_OK; i++) {
        int listed = json_is_array(s->values);
        status = read_value(element(s->values, i), s->may_lack, &m[i].value, error);
        if (status == LOCBO_OK) status = read_sd(listed ? element(s->sd, i) : s->sd, &m[i].sd, error);
        if (status == LOCBO_OK) status = read_n(listed ? element(s->n, i) : s->n, &m[i].n, error);
    }
    return status;
}

static locbo_status read_source(const source *s, size_t count, size_t *measured, locbo_measurement **measurements,
                                locbo_error *error) {
    locbo_measurement *m = mem_new(count, sizeof *m);
    if (!m) return status_no_memory(error);
    locbo_status status = read_each(s, count, m, error);
    if (status != LOCBO_OK) {
        mem_free(m);
        return status;
    }
    *measurements = m;
    *measured = count;
    return LOCBO_OK;
}

locbo_status reading_object(const json_t *object, int may_lack, size_t *count, locbo_measurement **measurements,
                            locbo_error *error) {
    const json_t *one = json_object_get(object, "value"), *many = json_object_get(object, "values");
    source s = {"\"values\"", many ? many : one, json_object_get(object, "sd"), json_object_get(object, "n"), may_lack};
    if (!one == !many)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "the JSON object has %s",
                           one ? "both \"value\" and \"values\"" : "no \"value\" or \"values\"");
    locbo_status status = many ? check_lengths(&s, error) : LOCBO_OK;
    if (status == LOCBO_OK && json_is_array(one))
        status = refuse("\"value\"", "one number (\"values\" is the list)", one, error);
    if (status != LOCBO_OK) return status;
    return read_source(&s, many ? json_array_size(many) : 1, count, measurements, error);
}

locbo_status reading_any(const json_t *json, size_t *count, locbo_measurement **measurements, locbo_error *error) {
    source s = {.list = "the list", .values = json, .may_lack = 1};
    int listed = json_is_array(json);
    if (json_is_object(json)) return reading_object(json, 1, count, measurements, error);
    if (!listed && !json_is_number(json) && !json_is_null(json))
        return refuse("the value", "a number, null, a list of numbers or an object with \"value\"", json, error);
    locbo_status status = listed ? check_lengths(&s, error) : LOCBO_OK;
    return status == LOCBO_OK ? read_source(&s, listed ? json_array_size(json) : 1, count, measurements, error)
                              : status;
}
