/* result.c - lines, files and exits of an evaluation made into an outcome. Layer: worker. Nothing that is not exactly a
 * result is taken as one. */
#include "result.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "mem.h"
#include "named_result.h"

enum { SHOWN = READING_SHOWN, EXIT_OF_INFEASIBLE = 65, EXIT_OF_TRANSIENT = 75, EXIT_OF_TIMEOUT = 124 };

/* ---- lines as they come ---------------------------------------------------------------------- */

static int has(const char *text, size_t size, const char *word) {
    return memmem(text, size, word, strlen(word)) != NULL;
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
    json_t *json = reading_json(line, size, &why);
    int yes = !json || has_value(json);
    json_decref(json);
    return yes;
}

/* A copy of the line in *kept, which has `room` bytes once it is allocated; NULL without memory. */
static void keep(char **kept, size_t room, const char *line, size_t size) {
    if (!*kept) *kept = mem_new(room, 1);
    if (!*kept) return;
    memcpy(*kept, line, size);
    (*kept)[size] = '\0';
}

/* The same of a line that messages quote, shortened. */
static void keep_shown(char **kept, const char *line, size_t size) {
    if (!*kept) *kept = mem_new(SHOWN + 1, 1);
    if (!*kept) return;
    (*kept)[0] = '\0';
    if (reading_clean(*kept, SHOWN + 1, line, size) == size) return;
    reading_clean(*kept, SHOWN + 1 - 3, line, size);
    strcat(*kept, "...");
}

/* A copy that is terminated. A NUL inside makes no JSON and no number, and neither does what it becomes. */
static void keep_text(char **kept, const char *text, size_t size) {
    mem_free(*kept);
    *kept = NULL;
    keep(kept, size + 1, text, size);
    for (size_t i = 0; *kept && i < size; i++)
        if (!(*kept)[i]) (*kept)[i] = 1;
}

/* A line of results with names. */
static void keep_named(result *r, const char *line, size_t size) {
    size_t output, value_size;
    const char *value;
    if (named_result_is_object(r->outputs, line, size)) {
        keep_text(&r->object, line, size);
    } else if (line[0] == '{') {
        keep_shown(&r->other, line, size);
    } else if (named_result_is_line(r->outputs, line, size, &output, &value, &value_size)) {
        if (!r->values) r->values = mem_new(locbo_outputs_count(r->outputs), sizeof *r->values);
        if (r->values) keep_text(&r->values[output], value, value_size);
    }
}

void result_line(result *r, const char *line, size_t size) {
    double value;
    int longer = size > RESULT_LINE; /* it may have been cut behind a blank */
    reading_trim(&line, &size, " \t\r");
    if (size == 0) return;
    keep_shown(&r->last, line, size);
    if (longer) {
        r->longer |= line[0] == '{';
        return;
    }
    if (reading_number(line, size, &value)) keep(&r->number, READING_NUMBER, line, size);
    if (named_result_applies(r->outputs))
        keep_named(r, line, size);
    else if (looks_like_object(line, size))
        keep_text(&r->object, line, size);
}

void result_release(result *r) {
    for (size_t i = 0; r->values && i < locbo_outputs_count(r->outputs); i++) mem_free(r->values[i]);
    mem_free(r->values);
    mem_free(r->object);
    mem_free(r->number);
    mem_free(r->last);
    mem_free(r->other);
    *r = (result){.outputs = r->outputs};
}

/* ---- one text ---------------------------------------------------------------------------------- */

static locbo_status parse_object(const char *text, size_t size, size_t *count, locbo_measurement **measurements,
                                 locbo_error *error) {
    json_error_t why = {0};
    json_t *json = reading_json(text, size, &why);
    if (!json) return reading_not_json(&why, "", text, size, error);
    locbo_status status = reading_object(json, 0, count, measurements, error);
    json_decref(json);
    return status;
}

static locbo_status parse_number(const char *text, size_t size, size_t *count, locbo_measurement **measurements,
                                 locbo_error *error) {
    double value;
    char shown[SHOWN + 1] = "";
    reading_clean(shown, sizeof shown, text, size);
    if (!reading_number(text, size, &value))
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

/* LOCBO_ERR_NOT_FOUND: it has none of the names. */
static locbo_status parse(const locbo_outputs *outputs, const char *text, size_t size, size_t *count,
                          locbo_measurement **measurements, locbo_error *error) {
    reading_trim(&text, &size, " \t\r\n");
    if (named_result_applies(outputs)) return named_result_parse(outputs, text, size, count, measurements, error);
    if (size > 0 && text[0] == '{') return parse_object(text, size, count, measurements, error);
    return parse_number(text, size, count, measurements, error);
}

locbo_status result_parse(const locbo_outputs *outputs, const char *text, size_t size, size_t *count,
                          locbo_measurement **measurements, locbo_error *error) {
    if (!text || !count || !measurements)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "text, count and measurements must not be NULL");
    locbo_status status = parse(outputs, text, size, count, measurements, error);
    if (status == LOCBO_OK) return status_ok(error);
    if (status != LOCBO_ERR_NOT_FOUND) return status;
    if (error) error->status = LOCBO_ERR_ARGUMENT; /* nothing was looked for that could be elsewhere */
    return LOCBO_ERR_ARGUMENT;
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
    reading_clean(o->message, sizeof o->message, text, strlen(text));
}

/* A result that was read, or FAILED with the reason why it was not. `from` is "" or where the result stands. */
static locbo_status conclude(locbo_status status, const outcome *taken, const locbo_error *why, const char *from,
                             outcome *o, locbo_error *error) {
    if (status == LOCBO_ERR_MEMORY) return status_no_memory(error);
    if (status == LOCBO_OK)
        *o = *taken;
    else
        say(o, OUTCOME_FAILED, "exit code 0 but %s%s: %s", status == LOCBO_ERR_NOT_FOUND ? "no result" : "a bad result",
            from, why->message);
    return LOCBO_OK;
}

/* What a text that is meant as a result says. */
static locbo_status take(const locbo_outputs *outputs, const char *text, size_t size, const char *from, outcome *o,
                         locbo_error *error) {
    locbo_error why = {LOCBO_OK, ""};
    outcome taken = {.kind = OUTCOME_VALUE};
    locbo_status status = parse(outputs, text, size, &taken.count, &taken.measurements, &why);
    return conclude(status, &taken, &why, from, o, error);
}

static locbo_status take_values(const result *lines, const char *from, outcome *o, locbo_error *error) {
    locbo_error why = {LOCBO_OK, ""};
    outcome taken = {.kind = OUTCOME_VALUE};
    locbo_status status = named_result_values(lines->outputs, lines->values, &taken.count, &taken.measurements, &why);
    return conclude(status, &taken, &why, from, o, error);
}

/* No line is meant as a result. */
static void say_none(const result *lines, const char *from, outcome *o) {
    char names[NAMED_RESULT_LIST], example[NAMED_RESULT_LIST];
    const char *line = lines->other ? lines->other : lines->last;
    if (!line) {
        say(o, OUTCOME_FAILED, "exit code 0 but no result%s: nothing%s was %s", from, lines->steps ? " but steps" : "",
            *from ? "written" : "printed");
    } else if (lines->longer && !*from) {
        say(o, OUTCOME_FAILED,
            "exit code 0 but no result: a line of more than %d bytes is not read; write such a result to the file "
            "{result_file}",
            RESULT_LINE);
    } else if (!named_result_applies(lines->outputs)) {
        say(o, OUTCOME_FAILED, "exit code 0 but no result%s: the last line was '%s'", from, line);
    } else {
        named_result_names(lines->outputs, names);
        named_result_example(lines->outputs, example);
        say(o, OUTCOME_FAILED, "exit code 0 but no result%s: '%s' has none of the outputs %s; write %s", from, line,
            names, example);
    }
}

static locbo_status take_lines(const result *lines, const char *from, outcome *o, locbo_error *error) {
    const char *text = lines->object ? lines->object : lines->number;
    if (lines->values && !lines->object) return take_values(lines, from, o, error);
    if (text) return take(lines->outputs, text, strlen(text), from, o, error);
    say_none(lines, from, o);
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
static locbo_status take_file(const locbo_outputs *outputs, const char *file, size_t size, outcome *o,
                              locbo_error *error) {
    static const char from[] = " in the result file";
    const char *text = file;
    size_t rest = size;
    reading_trim(&text, &rest, " \t\r\n");
    json_error_t why;
    json_t *json = reading_json(text, rest, &why);
    int whole = json_is_object(json);
    json_decref(json);
    if (whole) return take(outputs, text, rest, from, o, error);
    result lines = {.outputs = outputs};
    split_lines(&lines, text, rest);
    /* an object over many lines that is not JSON: the reason says more than its last line, '}' */
    int broken = rest > 0 && text[0] == '{' && !lines.object && !lines.number && !lines.values;
    locbo_status status = broken ? take(outputs, text, rest, from, o, error) : take_lines(&lines, from, o, error);
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
    int outside = number == SIGKILL || number == SIGTERM || number == SIGINT || number == SIGHUP || number == SIGQUIT ||
                  number == SIGUSR1;
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
        judged = take_file(lines ? lines->outputs : NULL, file, file_size, o, error);
    else
        judged = take_lines(lines ? lines : &none, "", o, error);
    return judged == LOCBO_OK ? status_ok(error) : judged;
}

void outcome_release(outcome *o) {
    mem_free(o->measurements);
    *o = (outcome){.kind = o->kind};
}
