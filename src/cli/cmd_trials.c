/* cmd_trials.c - locbo trials: a line for each. Layer: cli, top. */
#include "commands.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cells.h"
#include "early_end.h"
#include "exit_code.h"
#include "mem.h"
#include "rows.h"
#include "session.h"
#include "value.h"

static const arg_option trials_options[] = {
    {"state", 0, "STATE",
     "only waiting, running, complete, failed, infeasible, retracted or pruned ones (may be repeated)"},
    {"tag", 0, "WORD", "only those with this tag (repeated: with all of them)"},
    {"feasible", 0, "yes|no", "only those whose measured constraints hold, or do not"},
    {"last", 0, "N", "only the last N"},
    {"sort", 0, "COLUMN", "in the order of a column: a parameter, value, an output, state ..."},
    {"reverse", 0, NULL, "the largest first; without --sort the last trial first"},
    {"all-columns", 'l', NULL, "with beliefs, workers, times and messages"},
    {NULL, 0, NULL, NULL}};

typedef struct listing {
    rows_study study;
    output_format format;
    int full;
    json_type feasible; /* JSON_TRUE or JSON_FALSE: only these; JSON_NULL: all */
    const args *args;   /* --tag */
    uint64_t most;      /* 0: all */
    uint64_t found;     /* trials so far */
    int newest_first;
    json_t *rows; /* NULL: no memory */
} listing;

/* ---- rows ------------------------------------------------------------------------------------ */

static int put(json_t *row, const char *key, json_t *value) { return json_object_set_new(row, key, value); }

/* The known sd of the mean of the values of output `k` of `width`, where all have one. */
static double sd_of(const locbo_record *r, size_t k, size_t width) {
    double sum = 0, count = 0;
    for (size_t i = k; i < r->count * width; i += width) {
        if (isnan(r->measurements[i].value)) continue;
        sum += r->measurements[i].sd * r->measurements[i].sd;
        count++;
    }
    return sqrt(sum) / count;
}

/* Of each output the sd and, if it is modelled, what was believed. */
static int put_outputs(json_t *row, const locbo_outputs *outputs, const locbo_record *r, output_format format) {
    size_t width = locbo_outputs_count(outputs);
    int bad = 0;
    for (size_t i = 0; i < width; i++) {
        const locbo_belief *b = r->beliefs ? &r->beliefs[i] : &r->trial.belief;
        locbo_output_spec spec = {.struct_size = sizeof spec};
        char key[CELLS_KEY];
        locbo_outputs_get(outputs, i, &spec, NULL);
        cells_key(spec.name, "sd", key);
        if (!spec.expression && format != OUTPUT_CSV) bad |= put(row, key, value_real(sd_of(r, i, width)));
        if (!rows_is_modelled(&spec)) continue;
        cells_key(spec.name, "believed", key);
        bad |= put(row, key, value_real(b->mean));
        cells_key(spec.name, "y_interval", key);
        bad |= !cells_put_interval(row, key, b->y_low, b->y_high, format);
    }
    return bad;
}

static int put_rest(json_t *row, const locbo_record *r, output_format format) {
    int bad = put(row, "attempt", json_integer((json_int_t)r->attempt));
    bad |= put(row, "worker", cells_worker(r->worker, format));
    bad |= put(row, "asked", cells_time(r->asked, format));
    bad |= put(row, "started", cells_time(r->started, format));
    bad |= put(row, "ended", cells_time(r->ended, format));
    bad |= put(row, "message", rows_text(r->message));
    return bad;
}

/* A record with one result alone, as a line of CSV has it. */
static int is_line(const listing *l) { return l->format == OUTPUT_CSV; }

/* What is known of the accuracy of a result: columns that are there if a line has something to say in them. */
static int put_accuracy(json_t *row, const char *of, const locbo_measurement *m) {
    char key[CELLS_KEY];
    int bad = 0;
    if (isnan(m->value)) return 0;
    if (!isnan(m->sd)) bad |= put(row, cells_key(of, "sd", key), value_real(m->sd));
    if (m->n != 1) bad |= put(row, cells_key(of, "n", key), json_integer(m->n));
    return bad;
}

static int put_value(const listing *l, json_t *row, const locbo_record *r) {
    int bad = put(row, "value", value_real(r->value));
    if (is_line(l) && r->count > 0) bad |= put_accuracy(row, NULL, r->measurements);
    if (!l->full) return bad;
    if (!is_line(l)) bad |= put(row, "sd", value_real(sd_of(r, 0, 1)));
    if (!is_line(l)) bad |= put(row, "results", json_integer((json_int_t)r->count));
    bad |= put(row, "believed", value_real(r->trial.belief.mean));
    return bad | !cells_put_interval(row, "y_interval", r->trial.belief.y_low, r->trial.belief.y_high, l->format);
}

/* With a table of outputs, from the row that JSON has. */
static int put_values(const listing *l, json_t *row, const locbo_record *r, const json_t *whole) {
    json_t *outputs = json_copy(json_object_get(whole, "outputs"));
    int bad = !outputs;
    for (size_t i = 0; is_line(l) && r->count > 0 && i < locbo_outputs_count(l->study.outputs); i++) {
        locbo_output_spec spec = {.struct_size = sizeof spec};
        locbo_outputs_get(l->study.outputs, i, &spec, NULL);
        if (!spec.expression) bad |= put_accuracy(outputs, spec.name, &r->measurements[i]);
    }
    if (l->full) bad |= put_outputs(outputs, l->study.outputs, r, l->format);
    bad |= put(row, "outputs", outputs);
    if (cells_has_constraints(l->study.outputs))
        bad |= put(row, "feasible", cells_feasible(json_object_get(whole, "feasible")));
    if (l->full && !is_line(l)) bad |= put(row, "results", json_integer((json_int_t)r->count));
    return bad;
}

/* Columns that are there if a trial has one. */
static int put_notes(json_t *row, const locbo_record *r) {
    int bad = 0;
    if (r->tags[0]) bad |= put(row, "tags", rows_text(r->tags));
    if (r->note[0]) bad |= put(row, "note", rows_text(r->note));
    return bad;
}

/* The last value of one that was ended early: no result, and marked as such. */
static int put_pruned(json_t *row, const locbo_record *r, output_format format) {
    json_t *decision = early_end_decision(r->decision);
    int bad = !decision || cells_put_pruned(row, decision, format);
    json_decref(decision);
    return bad;
}

static json_t *flat_row(const listing *l, const locbo_record *r, const json_t *whole) {
    json_t *row = json_object();
    int bad = put(row, "trial", json_integer((json_int_t)r->trial.id));
    bad |= put(row, "state", json_string(locbo_state_name(r->state)));
    bad |= put(row, "params", value_object(l->study.space, r->x));
    bad |= l->study.outputs ? put_values(l, row, r, whole) : put_value(l, row, r);
    if (l->full) bad |= put_rest(row, r, l->format);
    if (!l->full && is_line(l) && r->message[0]) bad |= put(row, "message", rows_text(r->message));
    if (r->decision && r->state == LOCBO_PRUNED) bad |= put_pruned(row, r, l->format);
    bad |= put_notes(row, r);
    if (!bad) return row;
    json_decref(row);
    return NULL;
}

/* The row as it is printed; NULL with *left_out set if it is not. `feasible`: whether constraints hold, from the whole
 * trial if this is one line of it; NULL: from this row. */
static json_t *row_of(const listing *l, const locbo_record *record, json_t *feasible, int *left_out) {
    int flat = l->format != OUTPUT_JSON;
    if (flat && !l->study.outputs) return flat_row(l, record, NULL);
    json_t *whole = rows_record(&l->study, record, l->full && !flat);
    if (whole && !flat && record->decision && put(whole, "decision", early_end_decision(record->decision)) != 0) {
        json_decref(whole);
        return NULL;
    }
    if (whole && feasible) put(whole, "feasible", json_incref(feasible));
    *left_out = l->feasible != JSON_NULL && whole && json_typeof(json_object_get(whole, "feasible")) != l->feasible;
    if (whole && !flat && !*left_out) return whole;
    json_t *row = whole && !*left_out ? flat_row(l, record, whole) : NULL;
    json_decref(whole);
    return row;
}

/* One row. */
static int add_row(listing *l, const locbo_record *record, json_t *feasible) {
    int left_out = 0;
    json_t *row = row_of(l, record, feasible, &left_out);
    if (left_out || json_array_append_new(l->rows, row) == 0) return 1;
    json_decref(l->rows);
    l->rows = NULL;
    return 0;
}

/* In CSV a line for each result, so that nothing is lost: the last first, if the trials come so. */
static int add_lines(listing *l, const locbo_record *record) {
    size_t width = l->study.outputs ? locbo_outputs_count(l->study.outputs) : 1;
    size_t first = rows_first_objective(l->study.outputs);
    json_t *whole = l->study.outputs ? rows_record(&l->study, record, 0) : NULL;
    int done = whole || !l->study.outputs;
    for (size_t i = 0; done && i < record->count; i++) {
        size_t at = l->newest_first ? record->count - 1 - i : i;
        locbo_record one = *record;
        one.count = 1;
        one.measurements += at * width;
        one.sequence += at;
        one.told += at;
        one.value = one.measurements[first].value;
        done = add_row(l, &one, json_object_get(whole, "feasible"));
    }
    json_decref(whole);
    return done;
}

/* Whether it is one of the words, which have one blank between them. */
static int has_word(const char *words, const char *word) {
    size_t size = strlen(word);
    for (const char *at = strstr(words, word); at; at = strstr(at + 1, word))
        if ((at == words || at[-1] == ' ') && (at[size] == ' ' || at[size] == '\0')) return 1;
    return 0;
}

static int has_tags(const listing *l, const locbo_record *r) {
    for (size_t i = 0; i < l->args->count; i++) {
        const arg *a = &l->args->items[i];
        if (a->option && strcmp(a->option->name, "tag") == 0 && !has_word(r->tags, a->value)) return 0;
    }
    return 1;
}

static int take(const locbo_record *record, void *user) {
    listing *l = user;
    if (!has_tags(l, record)) return 0;
    size_t before = json_array_size(l->rows);
    int done = l->format == OUTPUT_CSV && record->count > 1 ? add_lines(l, record) : add_row(l, record, NULL);
    if (!done) return 1;
    l->found += json_array_size(l->rows) > before;
    return l->most && l->found == l->most;
}

/* ---- the subcommand -------------------------------------------------------------------------- */

/* 0: there was a message, and the session is closed. (So in all of these.) */
static int read_states(session *s, locbo_filter *filter) {
    for (size_t i = 0; i < s->args.count; i++) {
        const arg *a = &s->args.items[i];
        if (!a->option || strcmp(a->option->name, "state") != 0) continue;
        unsigned state = 0;
        while (state < LOCBO_STATES && strcasecmp(a->value, locbo_state_name((locbo_state)state)) != 0) state++;
        if (state == LOCBO_STATES)
            return (session_usage(s,
                                  "--state must be waiting, running, complete, failed, "
                                  "infeasible, retracted or pruned, got '%s'",
                                  a->value),
                    0);
        filter->states |= 1u << state;
    }
    return 1;
}

static int read_feasible(session *s, listing *l) {
    const char *text = args_get(&s->args, "feasible");
    l->feasible = JSON_NULL;
    if (!text) return 1;
    if (strcmp(text, "yes") != 0 && strcmp(text, "no") != 0)
        return (session_usage(s, "--feasible must be yes or no, got '%s'", text), 0);
    if (!cells_has_constraints(s->definition.outputs))
        return (session_usage(s, "--feasible needs a study with measured constraints"), 0);
    l->feasible = text[0] == 'y' ? JSON_TRUE : JSON_FALSE;
    return 1;
}

/* A tag is one word. */
static int check_tags(session *s) {
    for (size_t i = 0; i < s->args.count; i++) {
        const arg *a = &s->args.items[i];
        if (!a->option || strcmp(a->option->name, "tag") != 0) continue;
        if (!a->value[0] || a->value[strcspn(a->value, " ,\t\n")])
            return (session_usage(s, "--tag must be one word, got '%s'", a->value), 0);
    }
    return 1;
}

static int read_arguments(session *s, locbo_filter *filter, listing *l) {
    const char *last = args_get(&s->args, "last");
    *filter = (locbo_filter){.struct_size = sizeof *filter, .newest_first = last != NULL};
    if (last && !session_count(s, "--last", last, &l->most)) return 0;
    l->full = args_get(&s->args, "all-columns") != NULL;
    l->format = s->format;
    l->newest_first = filter->newest_first;
    l->args = &s->args;
    if (!read_states(s, filter) || !read_feasible(s, l) || !check_tags(s)) return 0;
    if (l->feasible == JSON_NULL && !args_get(&s->args, "tag"))
        filter->limit = l->most; /* otherwise it is not known how many have to be read */
    return 1;
}

/* An empty list still has a header. */
static int name_columns(output *o, const rows_study *study) {
    size_t dim = locbo_space_dim(study->space), width = locbo_outputs_count(study->outputs), n = 0;
    const char **names = mem_new(dim + width + 3, sizeof *names);
    if (!names) return 0;
    names[n++] = "trial";
    names[n++] = "state";
    for (size_t i = 0; i < dim; i++) {
        locbo_parameter p;
        locbo_space_parameter(study->space, i, &p, NULL);
        names[n++] = p.name;
    }
    for (size_t i = 0; i < width; i++) {
        locbo_output_spec spec = {.struct_size = sizeof spec};
        locbo_outputs_get(study->outputs, i, &spec, NULL);
        names[n++] = spec.name;
    }
    if (!study->outputs) names[n++] = "value";
    if (cells_has_constraints(study->outputs)) names[n++] = "feasible";
    output_columns(o, n, names);
    mem_free(names);
    return 1;
}

/* ---- order ------------------------------------------------------------------------------------- */

/* The value of a column: of the row itself, else of its parameters or outputs, as "x" or "params.x". */
static const json_t *cell_of(const json_t *row, const char *column) {
    static const char *const groups[] = {"params", "outputs"};
    const json_t *found = json_object_get(row, column);
    for (size_t i = 0; !found && i < sizeof groups / sizeof groups[0]; i++) {
        size_t length = strlen(groups[i]);
        int named = strncmp(column, groups[i], length) == 0 && column[length] == '.';
        found = json_object_get(json_object_get(row, groups[i]), column + (named ? length + 1 : 0));
    }
    return found;
}

typedef struct ranked {
    const json_t *cell;
    json_t *row;
    size_t index;
} ranked;

/* Numbers before texts before what is not known. */
static int kind_of(const json_t *cell) { return !isnan(rows_real(cell)) ? 0 : json_is_string(cell) ? 1 : 2; }

static int compare_cells(const json_t *a, const json_t *b) {
    double x = rows_real(a), y = rows_real(b);
    if (kind_of(a) == 0) return (x > y) - (x < y);
    return kind_of(a) == 1 ? strcmp(json_string_value(a), json_string_value(b)) : 0;
}

/* Equal ones stay in the order of their numbers. */
static int rising(const void *a, const void *b) {
    const ranked *p = a, *q = b;
    int order = kind_of(p->cell) - kind_of(q->cell);
    if (order == 0) order = compare_cells(p->cell, q->cell);
    return order ? order : (p->index > q->index) - (p->index < q->index);
}

static int falling(const void *a, const void *b) {
    const ranked *p = a, *q = b;
    int order = kind_of(p->cell) - kind_of(q->cell);
    if (order == 0) order = compare_cells(q->cell, p->cell);
    return order ? order : (p->index > q->index) - (p->index < q->index);
}

/* Sort the rows by a column. 0: no row has it, or no memory. */
static int sort_rows(listing *l, const char *column, int reverse) {
    size_t count = json_array_size(l->rows), found = 0;
    ranked *list = mem_new(count, sizeof *list);
    json_t *sorted = json_array();
    for (size_t i = 0; list && i < count; i++) {
        json_t *row = json_array_get(l->rows, i);
        list[i] = (ranked){cell_of(row, column), row, i};
        found += list[i].cell != NULL;
    }
    if (list && count > 1) qsort(list, count, sizeof *list, reverse ? falling : rising);
    for (size_t i = 0; list && i < count; i++) json_array_append(sorted, list[i].row);
    int good = list && json_array_size(sorted) == count && (found > 0 || count == 0);
    mem_free(list);
    json_decref(good ? l->rows : sorted);
    if (good) l->rows = sorted;
    return good;
}

static int print(const listing *l, int reversed) {
    size_t count = json_array_size(l->rows);
    output *o = output_open(l->format, 0);
    if (count == 0 && l->format != OUTPUT_JSON) name_columns(o, &l->study);
    for (size_t i = 0; i < count; i++)
        output_row(o, json_incref(json_array_get(l->rows, reversed ? count - 1 - i : i)));
    return output_close(o);
}

/* In the order of --sort and --reverse. Returns an exit code. */
static int print_sorted(session *s, listing *l, int newest_first) {
    const char *column = args_get(&s->args, "sort");
    int reverse = args_get(&s->args, "reverse") != NULL;
    if (!column) return print(l, newest_first != reverse) ? EXIT_OK : EXIT_RUNTIME;
    if (!sort_rows(l, column, reverse))
        return message_print(s->self->name, EXIT_USAGE, "--sort: no trial has a column '%s'", column);
    return print(l, 0) ? EXIT_OK : EXIT_RUNTIME;
}

static int run(const command *self, int argc, char **argv) {
    session s;
    locbo_error error;
    locbo_filter filter;
    listing l = {.rows = NULL};
    if (!session_open(&s, self, argc, argv, SESSION_STUDY, 1, 0, 0)) return s.code;
    if (!read_arguments(&s, &filter, &l)) return s.code;
    l.rows = json_array();
    locbo_status status = l.rows ? rows_study_read(&l.study, s.study, &error) : status_no_memory(&error);
    if (status == LOCBO_OK) status = locbo_study_each(s.study, &filter, take, &l, &error);
    if (status == LOCBO_OK && !l.rows) status = status_no_memory(&error);
    int code = status == LOCBO_OK ? print_sorted(&s, &l, filter.newest_first) : EXIT_OK;
    json_decref(l.rows);
    rows_study_release(&l.study);
    return status == LOCBO_OK ? session_close(&s, code) : session_fail(&s, &error);
}

const command command_trials = {
    .name = "trials",
    .summary = "list the trials",
    .usage = "[--state STATE]... [--tag WORD]... [--feasible yes|no] [--last N] [--sort COLUMN] [--reverse] [-l] "
             "[-f table|json|csv]",
    .description = "Lists the trials in their order: number, state, parameters, and the mean of the measured values; "
                   "with several outputs that of each, and whether the means keep to the constraints (feasible; "
                   "nothing if one was not measured). In CSV there is a line for each result, with sd and n where they "
                   "are known, and the message of a failure, so that `locbo import` reads it without loss. "
                   "A trial that was ended early (PRUNED) has no value: the last one that it reported is in the column "
                   "pruned, in CSV pruned_step and pruned_value, in JSON \"decision\". "
                   "With -l also what is known of the noise, what was believed of the point when it was proposed, who "
                   "evaluated it when, and why it failed. In JSON, -l gives everything there is, as `locbo show` does "
                   "for one trial. Notes and tags (`locbo note`) are columns if a trial has one. Times are seconds "
                   "since 1970, UTC in tables.",
    .examples = "    $ locbo trials --last 10\n"
                "    $ locbo trials --state failed -l\n"
                "    $ locbo trials --tag noisy\n"
                "    $ locbo trials --feasible yes\n"
                "    $ locbo trials --sort value --reverse\n"
                "    $ locbo trials -f csv >trials.csv\n",
    .options = (const arg_option *const[]){session_options, format_options, trials_options, NULL},
    .run = run,
};
