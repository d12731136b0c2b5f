/* cmd_export.c - locbo export: a whole study as JSON, or its results as CSV. Layer: cli, top. */
#include "commands.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cells.h"
#include "change_json.h"
#include "early_end.h"
#include "exit_code.h"
#include "file_write.h"
#include "json_build.h"
#include "json_text.h"
#include "mem.h"
#include "moment.h"
#include "rows.h"
#include "session.h"
#include "value.h"

static const arg_option export_options[] = {{"output", 'o', "FILE", "write there instead of standard output"},
                                            {NULL, 0, NULL, NULL}};

/* Versions of the JSON of a study: one that was changed after the fact; one with cheaper evaluations, which has all
 * that the other has. */
enum { ALTERED = 4, CHEAPER = 5 };

typedef struct exporting {
    session *session;
    rows_study study;
    buffer text;  /* JSON */
    json_t *rows; /* CSV; NULL: no memory */
    int any;
    int version; /* of the JSON */
    int lossy;   /* a trial has more than the version says: it must be 4 */
} exporting;

/* ---- JSON: the study on the first lines, then a line for each trial -------------------------- */

static void add_member(buffer *b, const char *key, json_t *value) {
    buffer_text(b, ",\n");
    json_text_string(b, key, strlen(key));
    buffer_char(b, ':', 1);
    if (value)
        json_text_write(b, value, 0);
    else
        b->failed = 1;
    json_decref(value);
}

/* One entry of a list, on a line of its own; takes the reference. */
static int add_row(exporting *e, json_t *row) {
    buffer_text(&e->text, e->any ? ",\n" : "\n");
    e->any = 1;
    if (row)
        json_text_write(&e->text, row, 0);
    else
        e->text.failed = 1;
    json_decref(row);
    return e->text.failed;
}

/* Whether it has what only version 4 has. */
static int is_marked(const locbo_record *r) {
    return r->note[0] || r->tags[0] || r->outside || r->retracted_count || r->state == LOCBO_RETRACTED;
}

static int add_trial(const locbo_record *record, void *user) {
    exporting *e = user;
    json_t *row = rows_record(&e->study, record, 1);
    if (record->decision && row && build_put(row, "decision", early_end_decision(record->decision)) != 0) {
        json_decref(row);
        row = NULL;
    }
    if (e->version < ALTERED) { /* as earlier programs wrote it */
        json_object_del(row, "note");
        json_object_del(row, "tags");
        e->lossy |= is_marked(record);
    }
    return add_row(e, row);
}

static int add_fit(const locbo_fit *fit, void *user) {
    exporting *e = user;
    return add_row(e, rows_fit(e->study.outputs, fit));
}

/* The reference point of several objectives; null: there is none. */
static locbo_status add_reference(session *s, exporting *e, locbo_error *error) {
    const locbo_outputs *outputs = e->study.outputs;
    size_t width = locbo_outputs_count(outputs), known = 0;
    double *reference = mem_new(width, sizeof *reference);
    locbo_status status = reference ? locbo_study_reference(s->study, reference, error) : status_no_memory(error);
    for (size_t i = 0; status == LOCBO_OK && i < width; i++) known += !isnan(reference[i]);
    if (status == LOCBO_OK)
        add_member(&e->text, "reference", known ? rows_numbers(outputs, reference, rows_is_objective) : json_null());
    mem_free(reference);
    return status;
}

/* What was changed after the fact, and what people noted. */
typedef struct aftermath {
    char *note, *tags;
    locbo_census census;
    locbo_plan plan;
    int curves; /* whether there are any */
    json_t *changes;
} aftermath;

static locbo_status read_aftermath(session *s, aftermath *a, locbo_error *error) {
    a->plan.struct_size = sizeof a->plan;
    locbo_status status = locbo_study_census(s->study, &a->census, error);
    if (status == LOCBO_OK) status = locbo_study_plan(s->study, &a->plan, error);
    if (status == LOCBO_OK) status = early_end_has_curves(s->study, &a->curves, error);
    if (status == LOCBO_OK) status = locbo_study_get_note(s->study, &a->note, &a->tags, error);
    return status == LOCBO_OK ? change_json_write(s->study, s->definition.outputs, &a->changes, error) : status;
}

static void release_aftermath(aftermath *a) {
    locbo_free(a->note);
    locbo_free(a->tags);
    json_decref(a->changes);
}

/* The least version that has all of it, so that programs read it that know no more. */
static int version_of(const locbo_definition *d, const aftermath *a) {
    if (locbo_space_fidelity(d->space) != SIZE_MAX || locbo_space_cost(d->space) || !isnan(a->plan.budget) ||
        a->plan.prune != LOCBO_PRUNE_NONE || a->curves)
        return CHEAPER;
    if (json_array_size(a->changes) || a->note[0] || a->tags[0] || a->census.paused || rows_is_altered(d->space))
        return ALTERED;
    if (!rows_is_plain(d->space)) return 3;
    return d->outputs ? 2 : 1;
}

/* Why it is paused: the census has the beginning, the last change of that kind all of it. */
static json_t *pause_of(const aftermath *a) {
    const char *reason = a->census.pause_reason;
    for (size_t i = json_array_size(a->changes); i-- > 0;) {
        const json_t *change = json_array_get(a->changes, i), *text = json_object_get(change, "text");
        if (strcmp(json_string_value(json_object_get(change, "kind")), "pause") != 0) continue;
        if (strlen(reason) == sizeof a->census.pause_reason - 1) return json_incref((json_t *)text);
        break;
    }
    return rows_text(reason);
}

/* A plan as earlier programs wrote it: without later fields that have their defaults. */
static void drop_later_fields(json_t *plan) {
    locbo_plan usual;
    locbo_plan_init(&usual);
    const char *rule = json_string_value(json_object_get(plan, "prune"));
    if (json_is_null(json_object_get(plan, "budget"))) json_object_del(plan, "budget");
    if (!rule || strcmp(rule, locbo_prune_name(LOCBO_PRUNE_NONE)) != 0) return;
    json_object_del(plan, "prune");
    if (rows_real_of(plan, "prune_risk") == usual.prune_risk) json_object_del(plan, "prune_risk");
}

static void add_aftermath(exporting *e, const aftermath *a) {
    const locbo_census *c = &a->census;
    add_member(&e->text, "note", rows_note(a->note));
    add_member(&e->text, "tags", rows_tags(a->tags));
    add_member(&e->text, "paused", c->paused ? pause_of(a) : json_null());
    buffer_text(&e->text, ",\n\"changes\":[");
    e->any = 0;
    for (size_t i = 0; i < json_array_size(a->changes); i++) {
        json_t *change = json_array_get(a->changes, i);
        if (e->version < CHEAPER) drop_later_fields(json_object_get(change, "plan_before"));
        add_row(e, json_incref(change));
    }
    buffer_text(&e->text, "\n]");
}

/* The curves are written after the fits, a line each. */
static locbo_status write_curves(session *s, exporting *e, locbo_error *error) {
    json_t *curves = NULL;
    locbo_status status = early_end_curves(s->study, 0, &curves, error);
    buffer_text(&e->text, ",\n\"curves\":[");
    e->any = 0;
    for (size_t i = 0; i < json_array_size(curves); i++) {
        json_t *row = json_incref(json_array_get(curves, i));
        json_object_del(row, "steps"); /* the lists have their length */
        add_row(e, row);
    }
    json_decref(curves);
    buffer_text(&e->text, "\n]");
    return status;
}

static locbo_status write_head(session *s, exporting *e, locbo_error *error) {
    const locbo_definition *d = &s->definition;
    locbo_plan plan = {.struct_size = sizeof plan};
    locbo_status status = locbo_study_plan(s->study, &plan, error);
    if (status != LOCBO_OK) return status;
    buffer_print(&e->text, "{\"format\":\"locbo study\",\n\"version\":%d", e->version);
    add_member(&e->text, "name", rows_text(locbo_study_name(s->study)));
    add_member(&e->text, "parameters", rows_parameters(d->space));
    if (locbo_space_constraint_count(d->space)) add_member(&e->text, "constraints", rows_constraints(d->space));
    if (locbo_space_cost(d->space)) add_member(&e->text, "cost", rows_text(locbo_space_cost(d->space)));
    if (d->outputs) add_member(&e->text, "outputs", rows_outputs(d->outputs));
    add_member(&e->text, "options", rows_options(d->options));
    add_member(&e->text, "command", rows_words(d->command_count, d->command));
    json_t *planned = rows_plan(d->outputs, &plan);
    if (e->version < CHEAPER) drop_later_fields(planned);
    add_member(&e->text, "plan", planned);
    return d->outputs ? add_reference(s, e, error) : LOCBO_OK;
}

static locbo_status write_lists(session *s, exporting *e, locbo_error *error) {
    buffer_text(&e->text, ",\n\"trials\":[");
    e->any = 0;
    locbo_status status = locbo_study_each(s->study, NULL, add_trial, e, error);
    buffer_text(&e->text, "\n],\n\"fits\":[");
    e->any = 0;
    if (status == LOCBO_OK) status = locbo_study_each_fit(s->study, add_fit, e, error);
    buffer_text(&e->text, "\n]");
    if (status == LOCBO_OK && e->version >= CHEAPER) status = write_curves(s, e, error);
    buffer_text(&e->text, "}\n");
    return status == LOCBO_OK && e->text.failed ? status_no_memory(error) : status;
}

static locbo_status write_json(session *s, exporting *e, locbo_error *error) {
    aftermath a = {.note = NULL};
    locbo_status status = read_aftermath(s, &a, error);
    if (status == LOCBO_OK) e->version = version_of(&s->definition, &a);
    do { /* a second time, if a trial has more than was known by then */
        if (e->lossy) e->version = ALTERED;
        e->lossy = 0;
        e->text.size = 0;
        if (status == LOCBO_OK) status = write_head(s, e, error);
        if (status == LOCBO_OK && e->version >= ALTERED) add_aftermath(e, &a);
        if (status == LOCBO_OK) status = write_lists(s, e, error);
    } while (status == LOCBO_OK && e->lossy);
    release_aftermath(&a);
    return status;
}

/* ---- CSV: a line for each measurement -------------------------------------------------------- */

static int put_measurement(json_t *row, const char *of, const locbo_measurement *m) {
    char sd[CELLS_KEY], n[CELLS_KEY];
    int lacking = isnan(m->value) != 0;
    int bad = json_object_set_new(row, of ? of : "value", value_real(m->value));
    bad |= json_object_set_new(row, cells_key(of, "sd", sd), value_real(m->sd));
    bad |= json_object_set_new(row, cells_key(of, "n", n), lacking ? json_null() : json_integer(m->n));
    return bad;
}

/* The outputs that are measured: what is derived from them is no result. */
static json_t *outputs_of(const locbo_outputs *outputs, const locbo_measurement *m) {
    json_t *row = json_object();
    int bad = 0;
    for (size_t i = 0; i < locbo_outputs_count(outputs); i++) {
        locbo_output_spec spec = {.struct_size = sizeof spec};
        locbo_outputs_get(outputs, i, &spec, NULL);
        if (!spec.expression) bad |= put_measurement(row, spec.name, &m[i]);
    }
    return build_finish(row, bad);
}

static json_t *line_of(const exporting *e, const locbo_record *r, size_t i) {
    const locbo_outputs *outputs = e->study.outputs;
    const locbo_measurement *m = r->measurements + i * (outputs ? locbo_outputs_count(outputs) : 1);
    json_t *row = json_object();
    int bad = json_object_set_new(row, "params", value_object(e->study.space, r->x));
    bad |= outputs ? json_object_set_new(row, "outputs", outputs_of(outputs, m)) : put_measurement(row, NULL, m);
    bad |= json_object_set_new(row, "trial", json_integer((json_int_t)r->trial.id));
    bad |= json_object_set_new(row, "state", json_string(locbo_state_name(r->state)));
    if (!bad) return row;
    json_decref(row);
    return NULL;
}

static int add_lines(const locbo_record *r, void *user) {
    exporting *e = user;
    for (size_t i = 0; i < r->count; i++) {
        if (json_array_append_new(e->rows, line_of(e, r, i)) == 0) continue;
        json_decref(e->rows);
        e->rows = NULL;
        return 1;
    }
    return 0;
}

/* ---- the subcommand -------------------------------------------------------------------------- */

static locbo_status read_csv(session *s, exporting *e, locbo_error *error) {
    json_decref(e->rows);
    e->rows = json_array();
    locbo_status status = e->rows ? locbo_study_each(s->study, NULL, add_lines, e, error) : status_no_memory(error);
    return status == LOCBO_OK && !e->rows ? status_no_memory(error) : status;
}

/* The whole export, in memory: no more of the database is needed. */
static locbo_status read_all(void *user, locbo_error *error) {
    exporting *e = user;
    session *s = e->session;
    rows_study_release(&e->study);
    e->lossy = 0;
    locbo_status status = session_reread(s, error);
    if (status == LOCBO_OK) status = rows_study_read(&e->study, s->study, error);
    if (status != LOCBO_OK) return status;
    return s->format == OUTPUT_CSV ? read_csv(s, e, error) : write_json(s, e, error);
}

/* Returns whether it could be written; why not has been reported. */
static int put_csv(const exporting *e, const char *path) {
    output *o = output_open(OUTPUT_CSV, 0);
    for (size_t i = 0; i < json_array_size(e->rows); i++) output_row(o, json_incref(json_array_get(e->rows, i)));
    return path ? output_save(o, path) : output_close(o);
}

/* A reader that has gone is no error to report. */
static locbo_status put_json(const exporting *e, const char *path, int *written, locbo_error *error) {
    locbo_status status = path ? file_write(path, file_write_buffer, &e->text, error) : LOCBO_OK;
    *written = status == LOCBO_OK && (path || file_write_buffer(stdout, &e->text));
    if (*written || status != LOCBO_OK || errno == EPIPE) return status;
    return status_fail(error, LOCBO_ERR_IO, "cannot write: %s", strerror(errno));
}

static int run(const command *self, int argc, char **argv) {
    session s;
    locbo_error error;
    int written = 0;
    if (!session_open(&s, self, argc, argv, SESSION_STUDY, 1, 0, 0)) return s.code;
    if (s.format_given && s.format == OUTPUT_TABLE)
        return session_usage(&s, "--format must be json or csv, got 'table'");
    const char *path = args_get(&s.args, "output");
    exporting e = {.session = &s};
    locbo_status status = moment_read(s.store, read_all, &e, &error);
    if (status == LOCBO_OK && s.format == OUTPUT_CSV)
        written = put_csv(&e, path);
    else if (status == LOCBO_OK)
        status = put_json(&e, path, &written, &error);
    rows_study_release(&e.study);
    json_decref(e.rows);
    mem_free(e.text.data);
    if (status != LOCBO_OK) return session_fail(&s, &error);
    return session_close(&s, written ? EXIT_OK : EXIT_RUNTIME);
}

const command command_export = {
    .name = "export",
    .summary = "write a whole study as JSON, or its results as CSV",
    .usage = "[-o FILE] [-f json|csv]",
    .description = "Writes all of a study as JSON: parameters, outputs, options, command, plan, and every trial with "
                   "its results in the order told (\"sequence\") and what was believed when it was proposed. Numbers "
                   "are exact. With -f csv: a line for each result, with the parameters, value, sd, n, and the trial "
                   "it belongs to; trials without a result have no line. With several outputs the columns are NAME, "
                   "NAME.sd and NAME.n of each that is measured, empty where a result lacks it. `locbo import` reads "
                   "the results of both. All of it is of one moment, also while workers run.\n\n"
                   "The JSON of a study with a fidelity, a cost, a budget, steps of evaluations (\"curves\") or a rule "
                   "to end them early has \"version\" 5, else that of one that was altered "
                   "or otherwise changed after the fact (`locbo log`), or that "
                   "has notes or tags, 4, else that of one with steps, ordered or bool parameters, "
                   "conditions or constraints 3, "
                   "else that of one with outputs 2, and any other 1. Older programs refuse a version "
                   "that they do not know.",
    .examples = "    $ locbo export -o study.json\n"
                "    $ locbo export -f csv >results.csv\n",
    .options = (const arg_option *const[]){session_options, format_options, export_options, NULL},
    .run = run,
};
