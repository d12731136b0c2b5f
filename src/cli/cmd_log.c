/* cmd_log.c - locbo log: what was changed in a study after the fact. Layer: cli, top. */
#include "commands.h"

#include <string.h>

#include "buffer.h"
#include "cells.h"
#include "change_list.h"
#include "exit_code.h"
#include "json_build.h"
#include "mem.h"
#include "rows.h"
#include "session.h"

/* The lines of an alteration as one cell. */
static json_t *joined(const json_t *lines) {
    buffer b = {.data = NULL};
    for (size_t i = 0; i < json_array_size(lines); i++) {
        if (i > 0) buffer_text(&b, "; ");
        buffer_text(&b, json_string_value(json_array_get(lines, i)));
    }
    buffer_char(&b, '\0', 1);
    json_t *text = b.failed ? NULL : rows_text(b.data);
    mem_free(b.data);
    return text;
}

/* A row for a table or CSV. */
static json_t *cells_of(json_t *row, output_format format) {
    json_t *to = json_object();
    int bad = build_put(to, "event", json_incref(json_object_get(row, "event")));
    bad |= build_put(to, "time", cells_time(json_number_value(json_object_get(row, "time")), format));
    bad |= build_put(to, "author", json_incref(json_object_get(row, "author")));
    bad |= build_put(to, "kind", json_incref(json_object_get(row, "kind")));
    bad |= build_put(to, "trial", json_incref(json_object_get(row, "trial")));
    bad |= build_put(to, "text", json_incref(json_object_get(row, "text")));
    bad |= build_put(to, "changes", joined(json_object_get(row, "changes")));
    return build_finish(to, bad);
}

static int print(json_t *rows, output_format format) {
    static const char *const columns[] = {"event", "time", "author", "kind", "trial", "text", "changes"};
    output *o = output_open(format, 0);
    if (format != OUTPUT_JSON) output_columns(o, sizeof columns / sizeof columns[0], columns);
    for (size_t i = 0; i < json_array_size(rows); i++) {
        json_t *row = json_array_get(rows, i);
        output_row(o, format == OUTPUT_JSON ? json_incref(row) : cells_of(row, format));
    }
    return output_close(o);
}

static int run(const command *self, int argc, char **argv) {
    session s;
    locbo_error error;
    json_t *rows = NULL;
    if (!session_open(&s, self, argc, argv, SESSION_STUDY, 1, 0, 0)) return s.code;
    locbo_status status = change_list_read(s.study, (change_filter){.trial = 0}, &rows, &error);
    if (status != LOCBO_OK) return session_fail(&s, &error);
    int code = print(rows, s.format) ? EXIT_OK : EXIT_RUNTIME;
    json_decref(rows);
    return session_close(&s, code);
}

const command command_log = {
    .name = "log",
    .summary = "list what was changed in a study, when, by whom and why",
    .usage = "[-f table|json|csv]",
    .description =
        "Lists the changes of a study in their order: alterations of its definition and plan (alter), results and "
        "trials "
        "taken back (retract), trials that failed after all (fail), pauses, stops, notes, and another name. Each has "
        "its "
        "event number: results and failures are counted in the same order. The text is the reason that was given, the "
        "note, or the name before; `changes` is what an alteration changed.",
    .examples = "    $ locbo log\n"
                "    $ locbo log --name pump -f json | jq '.[] | select(.kind == \"alter\") | .changes'\n",
    .options = (const arg_option *const[]){session_options, format_options, NULL},
    .run = run,
};
