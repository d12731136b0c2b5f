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
static json_t *cells_of(const json_t *row, json_t *changes, output_format format) {
    static const char *const same[] = {"author", "kind", "trial", "text"};
    json_t *to = json_object();
    int bad = build_put(to, "event", json_incref(json_object_get(row, "event")));
    bad |= build_put(to, "time", cells_time(json_number_value(json_object_get(row, "time")), format));
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++)
        bad |= build_put(to, same[i], json_incref(json_object_get(row, same[i])));
    bad |= build_put(to, "changes", changes);
    return build_finish(to, bad);
}

/* In a table each line of an alteration has a row: what is long is cut off there. */
static void put_row(output *o, json_t *row, output_format format) {
    const json_t *lines = json_object_get(row, "changes");
    size_t count = json_array_size(lines);
    if (format == OUTPUT_JSON) {
        output_row(o, json_incref(row));
        return;
    }
    int split = format == OUTPUT_TABLE && count > 1;
    output_row(o, cells_of(row, split ? json_incref(json_array_get(lines, 0)) : joined(lines), format));
    for (size_t i = 1; i < count && split; i++) output_row(o, json_pack("{s: O}", "changes", json_array_get(lines, i)));
}

static int print(json_t *rows, output_format format) {
    static const char *const columns[] = {"event", "time", "author", "kind", "trial", "text", "changes"};
    output *o = output_open(format, 0);
    if (format != OUTPUT_JSON) output_columns(o, sizeof columns / sizeof columns[0], columns);
    for (size_t i = 0; i < json_array_size(rows); i++) put_row(o, json_array_get(rows, i), format);
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
