/* cmd_show.c - locbo show: everything about one trial. Layer: cli, top. */
#include "commands.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "buffer.h"
#include "cells.h"
#include "early_end.h"
#include "exit_code.h"
#include "mem.h"
#include "rows.h"
#include "session.h"
#include "json_build.h"
#include "text.h"
#include "value.h"

static const arg_option show_options[] = {
    {"raw", 0, NULL, "only the standard output of the last attempt, byte for byte"}, {NULL, 0, NULL, NULL}};

/* ---- what the attempts printed --------------------------------------------------------------- */

/* Bytes that a terminal may see: control characters but line ends and tabs, and what is no UTF-8, as \x1b. */
static void add_safe(buffer *b, const char *bytes, size_t size) {
    for (size_t i = 0; i < size;) {
        size_t step = text_step(bytes + i, size - i);
        unsigned char first = (unsigned char)bytes[i];
        int plain = first == '\n' || first == '\t';
        int stray = step == 1 && first >= 0x80;
        if (plain || (!stray && !text_is_control(bytes + i, step))) {
            buffer_add(b, bytes + i, step);
        } else {
            for (size_t k = 0; k < step; k++) buffer_print(b, "\\x%02x", (unsigned)(unsigned char)bytes[i + k]);
        }
        i += step;
    }
    if (size > 0 && bytes[size - 1] != '\n') buffer_char(b, '\n', 1);
}

static void add_part(buffer *b, uint64_t attempt, const char *what, const char *bytes, size_t size) {
    if (size == 0) return;
    buffer_print(b, "\n--- attempt %" PRIu64 ", %s, %s\n", attempt, what, value_count(size, "byte").text);
    add_safe(b, bytes, size);
}

static int add_output(uint64_t attempt, const locbo_output *o, void *user) {
    buffer *b = user;
    char time[32];
    duration_text(o->seconds, time);
    buffer_print(b, "\nattempt %" PRIu64 ": %s %d after %s\n", attempt,
                 o->exit_code < 0 ? "ended by signal" : "exit code", o->exit_code < 0 ? -o->exit_code : o->exit_code,
                 time);
    add_part(b, attempt, "standard output", o->out, o->out_size);
    add_part(b, attempt, "standard error", o->err, o->err_size);
    return 0;
}

/* The last attempt's, since attempts come in their order. */
static int keep_raw(uint64_t attempt, const locbo_output *o, void *user) {
    buffer *b = user;
    (void)attempt;
    b->size = 0;
    buffer_add(b, o->out, o->out_size);
    return 0;
}

static int add_json(uint64_t attempt, const locbo_output *o, void *user) {
    json_t *row = json_object();
    int bad = build_put(row, "attempt", json_integer((json_int_t)attempt));
    bad |= build_put(row, "exit_code", json_integer(o->exit_code));
    bad |= build_put(row, "seconds", value_real(o->seconds));
    bad |= build_put(row, "stdout", rows_bytes(o->out, o->out_size));
    bad |= build_put(row, "stderr", rows_bytes(o->err, o->err_size));
    if (bad) {
        json_decref(row);
        row = json_null(); /* no memory: better than nothing at all */
    }
    return json_array_append_new(user, row) != 0;
}

static int print(const buffer *b) { return b->size == 0 || fwrite(b->data, 1, b->size, stdout) == b->size; }

/* ---- the trial, for people ------------------------------------------------------------------- */

/* "0.5, sd 0.1, mean of 3" */
static void add_measurement(buffer *b, const json_t *m) {
    char number[32];
    json_int_t reps = json_integer_value(json_object_get(m, "n"));
    value_brief(rows_real_of(m, "value"), number);
    buffer_text(b, number);
    value_brief(rows_real_of(m, "sd"), number);
    if (!isnan(rows_real_of(m, "sd"))) buffer_print(b, ", sd %s", number);
    if (reps > 1) buffer_print(b, ", mean of %" JSON_INTEGER_FORMAT, reps);
}

/* One result: "0.5, sd 0.1 (event 7)", "0.5 (event 7, taken back by event 9)", or with names "loss 0.5, sd 0.1; memory
 * 401 (event 7)". */
static json_t *result_text(const json_t *result) {
    json_t *outputs = json_object_get(result, "outputs"), *m;
    const char *name;
    buffer b = {0};
    if (!outputs) add_measurement(&b, result);
    json_object_foreach(outputs, name, m) {
        if (b.size) buffer_text(&b, "; ");
        buffer_text(&b, name);
        buffer_text(&b, " ");
        add_measurement(&b, m);
    }
    json_int_t by = json_integer_value(json_object_get(result, "by"));
    buffer_print(&b, " (event %" JSON_INTEGER_FORMAT, json_integer_value(json_object_get(result, "sequence")));
    if (by) buffer_print(&b, ", taken back by event %" JSON_INTEGER_FORMAT, by);
    buffer_char(&b, ')', 1);
    json_t *text = b.failed ? NULL : json_stringn(b.data, b.size);
    mem_free(b.data);
    return text;
}

/* `what`: "result", or "taken back" */
static int put_results(json_t *table, const char *what, const json_t *list) {
    int bad = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        char key[48];
        snprintf(key, sizeof key, "%s %zu", what, i + 1);
        bad |= build_put(table, key, result_text(json_array_get(list, i)));
    }
    return bad;
}

static int put_measurements(json_t *table, const json_t *record) {
    return put_results(table, "result", json_object_get(record, "measurements")) |
           put_results(table, "taken back", json_object_get(record, "retracted"));
}

/* The note and the tags, with a blank between these; nothing if there are none. */
static int put_notes(json_t *table, const json_t *record) {
    json_t *note = json_object_get(record, "note"), *tag;
    buffer b = {0};
    size_t i;
    int bad = json_is_string(note) && json_object_set(table, "note", note) != 0;
    json_array_foreach(json_object_get(record, "tags"), i, tag) {
        if (i > 0) buffer_char(&b, ' ', 1);
        buffer_text(&b, json_string_value(tag));
    }
    if (b.size) bad |= b.failed || build_put(table, "tags", json_stringn(b.data, b.size));
    mem_free(b.data);
    return bad;
}

static int put_believed(json_t *table, const char *of, const char *name, const json_t *belief, output_format format) {
    char key[CELLS_KEY], shown[CELLS_KEY + 16];
    json_t *value = json_object_get(belief, name);
    snprintf(shown, sizeof shown, "believed %s", cells_key(of, name, key));
    if (json_is_null(value) && format != OUTPUT_CSV) return 0;
    return json_object_set(table, shown, value);
}

/* Of the point, not of one output. */
static int put_shared(json_t *table, const json_t *belief, output_format format) {
    return put_believed(table, NULL, "acquisition", belief, format) |
           put_believed(table, NULL, "success", belief, format);
}

/* What was believed of one output: "believed mean", or with its name "believed loss.mean". */
static int put_belief(json_t *table, const char *of, const json_t *belief, output_format format) {
    static const char *const names[] = {"mean", "sd_f", "sd_y", "threshold"};
    char key[CELLS_KEY], shown[CELLS_KEY + 16];
    int bad = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        bad |= put_believed(table, of, names[i], belief, format);
    if (!of) bad |= put_shared(table, belief, format);
    const json_t *y = json_object_get(belief, "y_interval");
    const json_t *f = json_object_get(belief, "f_interval");
    snprintf(shown, sizeof shown, "believed %s", cells_key(of, "y_interval", key));
    if (!json_is_null(y) || format == OUTPUT_CSV) bad |= !cells_spread_interval(table, shown, y, format);
    int withheld = json_is_null(f) && !isnan(rows_real_of(belief, "mean"));
    snprintf(shown, sizeof shown, "believed %s", cells_key(of, "f_interval", key));
    if (!json_is_null(f) || withheld || format == OUTPUT_CSV)
        bad |= !cells_put_interval_of_f(table, shown, rows_real(json_array_get(f, 0)), rows_real(json_array_get(f, 1)),
                                        withheld, format);
    return bad;
}

static int put_beliefs(json_t *table, const json_t *record, const locbo_outputs *outputs, output_format format) {
    json_t *beliefs = json_object_get(record, "beliefs"), *belief;
    const char *name;
    int bad = 0;
    if (!beliefs) return put_belief(table, NULL, json_object_get(record, "belief"), format);
    json_object_foreach(beliefs, name, belief) { bad |= put_belief(table, name, belief, format); }
    locbo_output_spec first = {.struct_size = sizeof first};
    locbo_outputs_get(outputs, rows_first_objective(outputs), &first, NULL);
    belief = json_object_get(beliefs, first.name);
    return belief ? bad | put_shared(table, belief, format) : bad;
}

/* The means of the results: of the value, or of the outputs and whether they keep to the constraints. */
static int put_values(json_t *table, const json_t *record, const locbo_outputs *outputs) {
    if (!outputs) return json_object_set(table, "value", json_object_get(record, "value"));
    int bad = json_object_set(table, "outputs", json_object_get(record, "outputs"));
    if (cells_has_constraints(outputs))
        bad |= build_put(table, "feasible", cells_feasible(json_object_get(record, "feasible")));
    return bad;
}

static int put_times(json_t *table, const json_t *record, output_format format) {
    static const char *const names[] = {"asked", "started", "ended", "lease"};
    int bad = 0;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (!isnan(rows_real_of(record, names[i])) || format == OUTPUT_CSV)
            bad |=
                build_put(table, i == 3 ? "lease ends" : names[i], cells_time(rows_real_of(record, names[i]), format));
    return bad;
}

/* "epochs 9 of 81": how thorough the evaluation was. */
static int put_fidelity(json_t *table, const json_t *record, const locbo_space *space) {
    rows_fidelity f = rows_fidelity_of(space);
    locbo_parameter p;
    char value[32], full[32];
    if (f.at == SIZE_MAX || locbo_space_parameter(space, f.at, &p, NULL) != LOCBO_OK) return 0;
    value_brief(rows_real_of(json_object_get(record, "params"), p.name), value);
    value_brief(f.full, full);
    return build_put(table, "fidelity", json_sprintf("%s %s of %s", p.name, value, full));
}

static json_t *table_of(const json_t *record, const locbo_definition *definition, output_format format) {
    static const char *const first[] = {"trial", "state", "params"};
    static const char *const last[] = {"origin", "told", "pending", "attempt", "retries", "seed", "worker", "message"};
    json_t *table = json_object();
    int bad = 0;
    for (size_t i = 0; i < sizeof first / sizeof first[0]; i++)
        bad |= json_object_set(table, first[i], json_object_get(record, first[i]));
    bad |= build_put(table, "params", cells_point(definition->space, json_object_get(record, "params"), format));
    if (format == OUTPUT_TABLE) bad |= put_fidelity(table, record, definition->space);
    bad |= put_values(table, record, definition->outputs);
    if (format == OUTPUT_TABLE) bad |= put_measurements(table, record);
    for (size_t i = 0; i < sizeof last / sizeof last[0]; i++) {
        json_t *value = json_object_get(record, last[i]);
        int empty = json_is_string(value) && json_string_length(value) == 0;
        if (!empty || format == OUTPUT_CSV) bad |= json_object_set(table, last[i], value);
        if (!empty && strcmp(last[i], "worker") == 0)
            bad |= build_put(table, last[i], cells_worker(json_string_value(value), format));
    }
    if (format == OUTPUT_TABLE) bad |= early_end_put_text(table, record);
    if (format == OUTPUT_CSV) bad |= cells_put_pruned(table, json_object_get(record, "decision"), format);
    bad |= put_notes(table, record);
    bad |= put_beliefs(table, record, definition->outputs, format);
    bad |= put_times(table, record, format);
    if (!bad) return table;
    json_decref(table);
    return NULL;
}

/* ---- the subcommand -------------------------------------------------------------------------- */

static int show_raw(session *s, uint64_t trial) {
    buffer b = {0};
    locbo_error error;
    json_t *record = NULL;
    locbo_status status = rows_find(s->study, trial, 0, &record, &error);
    json_decref(record);
    if (status == LOCBO_OK) status = locbo_study_each_output(s->study, trial, keep_raw, &b, &error);
    if (status == LOCBO_OK && b.failed) status = status_no_memory(&error);
    int written = status == LOCBO_OK && print(&b);
    mem_free(b.data);
    if (status != LOCBO_OK) return session_fail(s, &error);
    return session_close(s, written ? EXIT_OK : EXIT_RUNTIME);
}

static locbo_status gather(session *s, uint64_t trial, json_t **record, buffer *b, locbo_error *error) {
    locbo_status status = rows_find(s->study, trial, 1, record, error);
    if (status == LOCBO_OK) status = early_end_put(*record, s->study, trial, error);
    if (status != LOCBO_OK || s->format == OUTPUT_CSV) return status;
    if (s->format == OUTPUT_TABLE) {
        status = locbo_study_each_output(s->study, trial, add_output, b, error);
        return status == LOCBO_OK && b->failed ? status_no_memory(error) : status;
    }
    json_t *list = json_array();
    if (!list) return status_no_memory(error);
    status = locbo_study_each_output(s->study, trial, add_json, list, error);
    if (json_object_set_new(*record, rows_printed_key(s->definition.outputs), list) != 0)
        return status_no_memory(error);
    return status;
}

static int show(session *s, uint64_t trial) {
    locbo_error error;
    json_t *record = NULL;
    buffer b = {0};
    locbo_status status = gather(s, trial, &record, &b, &error);
    int written = 0;
    if (status == LOCBO_OK) {
        output *o = output_open(s->format, s->format != OUTPUT_CSV);
        output_row(o, s->format == OUTPUT_JSON ? json_incref(record) : table_of(record, &s->definition, s->format));
        written = output_close(o) && print(&b);
    }
    json_decref(record);
    mem_free(b.data);
    if (status != LOCBO_OK) return session_fail(s, &error);
    return session_close(s, written ? EXIT_OK : EXIT_RUNTIME);
}

static int run(const command *self, int argc, char **argv) {
    session s;
    uint64_t trial;
    if (!session_open(&s, self, argc, argv, SESSION_STUDY, 1, 1, 1)) return s.code;
    if (!session_count(&s, "the trial", args_positional(&s.args, 0), &trial)) return s.code;
    return args_get(&s.args, "raw") ? show_raw(&s, trial) : show(&s, trial);
}

const command command_show = {
    .name = "show",
    .summary = "everything about one trial",
    .usage = "TRIAL [--raw] [-f table|json|csv]",
    .description = "Shows one trial: parameters, results, also those that were taken back, note and tags, what was "
                   "believed of the point when it was proposed, with "
                   "several outputs of each, who evaluated it when, and what each attempt printed. Of one that "
                   "reports steps: the curve of each attempt, in a table some of many steps, and the decision to end "
                   "it early, or that it could be ended and was kept. Control characters "
                   "in that are shown as \\x1b "
                   "and the like, so that no terminal obeys them; --raw prints the standard output of the last attempt "
                   "as it was. In JSON, bytes that are no UTF-8 become U+FFFD, and what the attempts printed is "
                   "\"outputs\", in a study with outputs \"attempts\".",
    .examples = "    $ locbo show 17\n"
                "    $ locbo show 17 --raw >out.txt\n"
                "    $ locbo show 17 -f json | jq .belief\n",
    .options = (const arg_option *const[]){session_options, format_options, show_options, NULL},
    .run = run,
};
