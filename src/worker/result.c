/* result.c - lines, files and exits of an evaluation made into an outcome. Layer: worker. Numbers are read whatever the
 * locale: bare ones by number.c, JSON by jansson. Nothing that is not exactly a result is taken as one. */
#include "result.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "mem.h"
#include "number.h"
#include "text.h"
#include "value.h"

enum {
    SHOWN = 80,        /* bytes of a line that messages quote */
    NUMBER_LINE = 128, /* number_parse takes less */
    EXIT_OF_INFEASIBLE = 65,
    EXIT_OF_TRANSIENT = 75,
    EXIT_OF_TIMEOUT = 124
};

/* ---- texts for people ------------------------------------------------------------------------ */

/* Copy what people can read, cut between characters to less than `room` bytes: valid UTF-8, which a
 * database insists on, without control characters. Returns how many bytes of the text went in. */
static size_t clean(char *copy, size_t room, const char *text, size_t size) {
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

static void trim(const char **text, size_t *size, const char *blanks) {
    while (*size > 0 && **text && strchr(blanks, **text)) ++*text, --*size;
    while (*size > 0 && (*text)[*size - 1] && strchr(blanks, (*text)[*size - 1])) --*size;
}

/* ---- lines as they come ---------------------------------------------------------------------- */

static int has(const char *text, size_t size, const char *word) {
    return memmem(text, size, word, strlen(word)) != NULL;
}

static json_t *load(const char *text, size_t size, json_error_t *why) {
    return json_loadb(text, size, JSON_DECODE_INT_AS_REAL | JSON_REJECT_DUPLICATES, why);
}

static int has_value(const json_t *object) {
    return json_object_get(object, "value") || json_object_get(object, "values");
}

/* Whether a line is meant as a result: an object that has one, or something that would be one if it
 * were JSON, like Python's {"value": NaN} or {'value': 1}. */
static int looks_like_object(const char *line, size_t size) {
    if (size == 0 || line[0] != '{') return 0;
    if (!has(line, size, "\"value\"") && !has(line, size, "\"values\"") && !has(line, size, "'value'") &&
        !has(line, size, "'values'"))
        return 0;
    json_error_t why;
    json_t *json = load(line, size, &why);
    int yes = !json || has_value(json);
    json_decref(json);
    return yes;
}

/* Decimal numbers, nan and inf. strtod would take 0x7ffe, too, but that is an address. */
static int read_number(const char *line, size_t size, double *value) {
    char text[NUMBER_LINE];
    if (size == 0 || size >= sizeof text) return 0;
    memcpy(text, line, size);
    text[size] = '\0';
    /* most lines are none, and are known by their letters long before strtod */
    if (strspn(text, "+-.0123456789eEinftyaINFTYA") != size) return 0;
    return number_parse(text, value);
}

/* A copy of the line in *kept, which has `room` bytes once it is allocated; NULL without memory. */
static void keep(char **kept, size_t room, const char *line, size_t size) {
    if (!*kept) *kept = mem_new(room, 1);
    if (!*kept) return;
    memcpy(*kept, line, size);
    (*kept)[size] = '\0';
}

static void keep_last(result *r, const char *line, size_t size) {
    if (!r->last) r->last = mem_new(SHOWN + 1, 1);
    if (!r->last) return;
    r->last[0] = '\0';
    if (clean(r->last, SHOWN + 1, line, size) == size) return;
    clean(r->last, SHOWN + 1 - 3, line, size);
    strcat(r->last, "...");
}

void result_line(result *r, const char *line, size_t size) {
    double value;
    trim(&line, &size, " \t\r");
    if (size == 0) return;
    keep_last(r, line, size);
    if (size > RESULT_LINE) return;
    if (read_number(line, size, &value)) keep(&r->number, NUMBER_LINE, line, size);
    if (!looks_like_object(line, size)) return;
    mem_free(r->object);
    r->object = NULL;
    keep(&r->object, size + 1, line, size);
    /* a NUL is no JSON, and neither is what it becomes: the line stays invalid */
    for (size_t i = 0; r->object && i < size; i++)
        if (!r->object[i]) r->object[i] = 1;
}

void result_release(result *r) {
    mem_free(r->object);
    mem_free(r->number);
    mem_free(r->last);
    *r = (result){0};
}

/* ---- measurements ---------------------------------------------------------------------------- */

/* LOCBO_ERR_ARGUMENT: "sd must be ..., got ...". */
static locbo_status refuse(const char *what, const char *must, const json_t *got, locbo_error *error) {
    char *text = json_dumps(got, JSON_ENCODE_ANY | JSON_COMPACT | JSON_REAL_PRECISION(15));
    char shown[SHOWN] = "";
    if (text) clean(shown, sizeof shown, text, strlen(text));
    mem_free(text);
    return status_fail(error, LOCBO_ERR_ARGUMENT, "%s must be %s, got %s", what, must, shown);
}

static locbo_status read_value(const json_t *json, double *value, locbo_error *error) {
    *value = json_number_value(json);
    if (json_is_number(json) && isfinite(*value)) return LOCBO_OK;
    return refuse("the value", "a finite number", json, error);
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

/* Of an array the element, otherwise the thing itself, which is of each. */
static const json_t *element(const json_t *json, size_t index) {
    return json_is_array(json) ? json_array_get(json, index) : json;
}

static locbo_status check_lengths(const json_t *object, const json_t *values, locbo_error *error) {
    static const char *const names[] = {"sd", "n"};
    size_t count = json_array_size(values);
    if (!json_is_array(values) || count == 0)
        return refuse("\"values\"", "a list of at least one number", values, error);
    if (count > RESULT_VALUES)
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "\"values\" has %zu numbers, at most %d are "
                           "taken",
                           count, RESULT_VALUES);
    for (int i = 0; i < 2; i++) {
        const json_t *list = json_object_get(object, names[i]);
        if (json_is_array(list) && json_array_size(list) != count)
            return status_fail(error, LOCBO_ERR_ARGUMENT, "\"%s\" has %s for %s", names[i],
                               value_count(json_array_size(list), "entry").text, value_count(count, "value").text);
    }
    return LOCBO_OK;
}

static locbo_status read_each(const json_t *object, const json_t *values, size_t count, locbo_measurement *m,
                              locbo_error *error) {
    const json_t *sd = json_object_get(object, "sd"), *n = json_object_get(object, "n");
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < count && status == LOCBO_OK; i++) {
        int listed = json_is_array(values);
        status = read_value(listed ? json_array_get(values, i) : values, &m[i].value, error);
        if (status == LOCBO_OK) status = read_sd(listed ? element(sd, i) : sd, &m[i].sd, error);
        if (status == LOCBO_OK) status = read_n(listed ? element(n, i) : n, &m[i].n, error);
    }
    return status;
}

static locbo_status read_object(const json_t *object, size_t *count, locbo_measurement **measurements,
                                locbo_error *error) {
    const json_t *one = json_object_get(object, "value"), *many = json_object_get(object, "values");
    if (!one == !many)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "the JSON object has %s",
                           one ? "both \"value\" and \"values\"" : "no \"value\" or \"values\"");
    locbo_status status = many ? check_lengths(object, many, error) : LOCBO_OK;
    if (status == LOCBO_OK && json_is_array(one))
        status = refuse("\"value\"", "one number (\"values\" is the list)", one, error);
    if (status != LOCBO_OK) return status;
    size_t n = many ? json_array_size(many) : 1;
    locbo_measurement *m = mem_new(n, sizeof *m);
    if (!m) return status_no_memory(error);
    status = read_each(object, many ? many : one, n, m, error);
    if (status != LOCBO_OK) {
        mem_free(m);
        return status;
    }
    *measurements = m;
    *count = n;
    return LOCBO_OK;
}

static locbo_status parse_object(const char *text, size_t size, size_t *count, locbo_measurement **measurements,
                                 locbo_error *error) {
    json_error_t why = {0};
    json_t *json = load(text, size, &why);
    /* jansson gives no reason if it could not start */
    if (!json && (!why.text[0] || json_error_code(&why) == json_error_out_of_memory)) return status_no_memory(error);
    if (!json) {
        char shown[SHOWN + 1] = "";
        clean(shown, sizeof shown, text, size);
        return status_fail(error, LOCBO_ERR_ARGUMENT, "not JSON (%.80s): %s", why.text, shown);
    }
    locbo_status status = read_object(json, count, measurements, error);
    json_decref(json);
    return status;
}

static locbo_status parse_number(const char *text, size_t size, size_t *count, locbo_measurement **measurements,
                                 locbo_error *error) {
    double value;
    char shown[SHOWN + 1] = "";
    clean(shown, sizeof shown, text, size);
    if (!read_number(text, size, &value))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "'%s' is neither a number nor a JSON object with \"value\"",
                           shown);
    if (!isfinite(value)) return status_fail(error, LOCBO_ERR_ARGUMENT, "the value must be finite, got %s", shown);
    locbo_measurement *m = mem_new(1, sizeof *m);
    if (!m) return status_no_memory(error);
    *m = (locbo_measurement){value, NAN, 1};
    *measurements = m;
    *count = 1;
    return LOCBO_OK;
}

locbo_status result_parse(const char *text, size_t size, size_t *count, locbo_measurement **measurements,
                          locbo_error *error) {
    if (!text || !count || !measurements)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "text, count and measurements must not be NULL");
    trim(&text, &size, " \t\r\n");
    locbo_status status = size > 0 && text[0] == '{' ? parse_object(text, size, count, measurements, error)
                                                     : parse_number(text, size, count, measurements, error);
    return status == LOCBO_OK ? status_ok(error) : status;
}

/* ---- judgement ------------------------------------------------------------------------------- */

static void say(outcome *o, outcome_kind kind, const char *format, ...) __attribute__((format(printf, 3, 4)));
static void say(outcome *o, outcome_kind kind, const char *format, ...) {
    char text[2 * sizeof o->message];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    *o = (outcome){.kind = kind};
    clean(o->message, sizeof o->message, text, strlen(text));
}

/* What a text that is meant as a result says: a value, or FAILED with the reason. */
static locbo_status take(const char *text, size_t size, const char *from, outcome *o, locbo_error *error) {
    locbo_error why = {LOCBO_OK, ""};
    outcome taken = {.kind = OUTCOME_VALUE};
    locbo_status status = result_parse(text, size, &taken.count, &taken.measurements, &why);
    if (status == LOCBO_ERR_MEMORY) return status_no_memory(error);
    if (status == LOCBO_OK)
        *o = taken;
    else
        say(o, OUTCOME_FAILED, "exit code 0 but a bad result%s: %s", from, why.message);
    return LOCBO_OK;
}

static locbo_status take_lines(const result *lines, const char *from, outcome *o, locbo_error *error) {
    const char *text = lines->object ? lines->object : lines->number;
    if (text) return take(text, strlen(text), from, o, error);
    if (lines->last)
        say(o, OUTCOME_FAILED, "exit code 0 but no result%s: the last line was '%s'", from, lines->last);
    else
        say(o, OUTCOME_FAILED, "exit code 0 but no result%s: nothing was %s", from, *from ? "written" : "printed");
    return LOCBO_OK;
}

static void split_lines(result *lines, const char *text, size_t size) {
    while (size > 0) {
        const char *end = memchr(text, '\n', size);
        size_t length = end ? (size_t)(end - text) : size;
        result_line(lines, text, length);
        if (end) length++;
        text += length;
        size -= length;
    }
}

/* The whole file may be one object, over many lines; otherwise it is read like output. */
static locbo_status take_file(const char *file, size_t size, outcome *o, locbo_error *error) {
    static const char from[] = " in the result file";
    const char *text = file;
    size_t rest = size;
    trim(&text, &rest, " \t\r\n");
    json_error_t why;
    json_t *json = load(text, rest, &why);
    int whole = json_is_object(json);
    json_decref(json);
    if (whole) return take(text, rest, from, o, error);
    result lines = {0};
    split_lines(&lines, text, rest);
    /* an object over many lines that is not JSON: the reason says more than its last line, '}' */
    int broken = rest > 0 && text[0] == '{' && !lines.object && !lines.number;
    locbo_status status = broken ? take(text, rest, from, o, error) : take_lines(&lines, from, o, error);
    result_release(&lines);
    return status;
}

static void judge_exit(int code, outcome *o) {
    switch (code) {
    case EXIT_OF_INFEASIBLE:
        say(o, OUTCOME_INFEASIBLE, "exit code %d", code);
        break;
    case EXIT_OF_TRANSIENT:
        say(o, OUTCOME_TRANSIENT, "exit code %d", code);
        break;
    case EXIT_OF_TIMEOUT:
        say(o, OUTCOME_FAILED, "timed out (exit code %d)", code);
        break;
    default:
        say(o, OUTCOME_FAILED, "exit code %d", code);
        break;
    }
}

static void judge_signal(int number, outcome *o) {
    int outside = number == SIGKILL || number == SIGTERM || number == SIGINT || number == SIGHUP || number == SIGQUIT;
    const char *name = sigdescr_np(number);
    say(o, outside ? OUTCOME_LOST : OUTCOME_FAILED, "killed by signal %d (%s)", number, name ? name : "unknown");
}

locbo_status result_judge(const result *lines, const char *file, size_t file_size, int status, int timed_out,
                          outcome *o, locbo_error *error) {
    static const result none = {0};
    locbo_status judged = LOCBO_OK;
    if (timed_out)
        say(o, OUTCOME_FAILED, "timed out");
    else if (WIFSIGNALED(status))
        judge_signal(WTERMSIG(status), o);
    else if (!WIFEXITED(status))
        say(o, OUTCOME_FAILED, "ended with the unknown status %d", status);
    else if (WEXITSTATUS(status) != 0)
        judge_exit(WEXITSTATUS(status), o);
    else if (file && file_size == 0)
        say(o, OUTCOME_FAILED, "exit code 0 but the result file is empty");
    else if (file)
        judged = take_file(file, file_size, o, error);
    else
        judged = take_lines(lines ? lines : &none, "", o, error);
    return judged == LOCBO_OK ? status_ok(error) : judged;
}

void outcome_release(outcome *o) {
    mem_free(o->measurements);
    *o = (outcome){.kind = o->kind};
}
