/* cmd_trials.c - locbo trials: a line for each. Layer: cli, top. */
#include "commands.h"

#include <math.h>
#include <string.h>
#include <strings.h>

#include "cells.h"
#include "exit_code.h"
#include "mem.h"
#include "rows.h"
#include "session.h"
#include "value.h"

static const arg_option trials_options[] = {
    {"state", 0, "STATE", "only waiting, running, complete, failed or infeasible ones (may be repeated)"},
    {"last", 0, "N", "only the last N"},
    {"all-columns", 'l', NULL, "with beliefs, workers, times and messages"},
    {NULL, 0, NULL, NULL}};

typedef struct listing {
    rows_study study;
    output_format format;
    int full;
    json_t *rows; /* NULL: no memory */
} listing;

/* ---- rows ------------------------------------------------------------------------------------ */

static int put(json_t *row, const char *key, json_t *value) { return json_object_set_new(row, key, value); }

/* The known sd of the mean of the values, where all have one. */
static double sd_of(const locbo_record *r) {
    double sum = 0;
    for (size_t i = 0; i < r->count; i++) sum += r->measurements[i].sd * r->measurements[i].sd;
    return r->count ? sqrt(sum) / (double)r->count : (double)NAN;
}

static int put_more(json_t *row, const locbo_record *r, output_format format) {
    const locbo_belief *b = &r->trial.belief;
    int bad = put(row, "sd", value_real(sd_of(r)));
    bad |= put(row, "results", json_integer((json_int_t)r->count));
    bad |= put(row, "believed", value_real(b->mean));
    bad |= !cells_put_interval(row, "y_interval", b->y_low, b->y_high, format);
    bad |= put(row, "attempt", json_integer((json_int_t)r->attempt));
    bad |= put(row, "worker", rows_text(r->worker));
    bad |= put(row, "asked", cells_time(r->asked, format));
    bad |= put(row, "started", cells_time(r->started, format));
    bad |= put(row, "ended", cells_time(r->ended, format));
    bad |= put(row, "message", rows_text(r->message));
    return bad;
}

static json_t *flat_row(const listing *l, const locbo_record *r) {
    json_t *row = json_object();
    int bad = put(row, "trial", json_integer((json_int_t)r->trial.id));
    bad |= put(row, "state", json_string(locbo_state_name(r->state)));
    bad |= put(row, "params", value_object(l->study.space, r->x));
    bad |= put(row, "value", value_real(r->value));
    if (l->full) bad |= put_more(row, r, l->format);
    if (!bad) return row;
    json_decref(row);
    return NULL;
}

static int take(const locbo_record *record, void *user) {
    listing *l = user;
    json_t *row = l->format == OUTPUT_JSON ? rows_record(&l->study, record, l->full) : flat_row(l, record);
    if (json_array_append_new(l->rows, row) == 0) return 0;
    json_decref(l->rows);
    l->rows = NULL;
    return 1;
}

/* ---- the subcommand -------------------------------------------------------------------------- */

/* 0: there was a message, and the session is closed. */
static int read_filter(session *s, locbo_filter *filter) {
    const char *last = args_get(&s->args, "last");
    *filter = (locbo_filter){.struct_size = sizeof *filter, .newest_first = last != NULL};
    if (last && !session_count(s, "--last", last, &filter->limit)) return 0;
    for (size_t i = 0; i < s->args.count; i++) {
        const arg *a = &s->args.items[i];
        if (!a->option || strcmp(a->option->name, "state") != 0) continue;
        unsigned state = 0;
        while (state < LOCBO_STATES && strcasecmp(a->value, locbo_state_name((locbo_state)state)) != 0) state++;
        if (state == LOCBO_STATES)
            return (session_usage(s,
                                  "--state must be waiting, running, complete, failed or "
                                  "infeasible, got '%s'",
                                  a->value),
                    0);
        filter->states |= 1u << state;
    }
    return 1;
}

/* An empty list still has a header. */
static int name_columns(output *o, const locbo_space *space) {
    size_t dim = locbo_space_dim(space);
    const char **names = mem_new(dim + 3, sizeof *names);
    if (!names) return 0;
    names[0] = "trial";
    names[1] = "state";
    for (size_t i = 0; i < dim; i++) {
        locbo_parameter p;
        locbo_space_parameter(space, i, &p, NULL);
        names[2 + i] = p.name;
    }
    names[dim + 2] = "value";
    output_columns(o, dim + 3, names);
    mem_free(names);
    return 1;
}

static int print(const listing *l, int reversed) {
    size_t count = json_array_size(l->rows);
    output *o = output_open(l->format, 0);
    if (count == 0 && l->format != OUTPUT_JSON) name_columns(o, l->study.space);
    for (size_t i = 0; i < count; i++)
        output_row(o, json_incref(json_array_get(l->rows, reversed ? count - 1 - i : i)));
    return output_close(o);
}

static int run(const command *self, int argc, char **argv) {
    session s;
    locbo_error error;
    locbo_filter filter;
    if (!session_open(&s, self, argc, argv, SESSION_STUDY, 1, 0, 0)) return s.code;
    if (!read_filter(&s, &filter)) return s.code;
    listing l = {.format = s.format, .full = args_get(&s.args, "all-columns") != NULL, .rows = json_array()};
    locbo_status status = l.rows ? rows_study_read(&l.study, s.study, &error) : status_no_memory(&error);
    if (status == LOCBO_OK) status = locbo_study_each(s.study, &filter, take, &l, &error);
    if (status == LOCBO_OK && !l.rows) status = status_no_memory(&error);
    int code = status == LOCBO_OK && !print(&l, filter.newest_first) ? EXIT_RUNTIME : EXIT_OK;
    json_decref(l.rows);
    rows_study_release(&l.study);
    return status == LOCBO_OK ? session_close(&s, code) : session_fail(&s, &error);
}

const command command_trials = {
    .name = "trials",
    .summary = "list the trials",
    .usage = "[--state STATE]... [--last N] [-l] [-f table|json|csv]",
    .description = "Lists the trials in their order: number, state, parameters, and the mean of the measured values. "
                   "With -l also what is known of the noise, what was believed of the point when it was proposed, who "
                   "evaluated it when, and why it failed. In JSON, -l gives everything there is, as `locbo show` does "
                   "for one trial. Times are seconds since 1970, UTC in tables.",
    .examples = "    $ locbo trials --last 10\n"
                "    $ locbo trials --state failed -l\n"
                "    $ locbo trials -f csv >trials.csv\n",
    .options = (const arg_option *const[]){session_options, format_options, trials_options, NULL},
    .run = run,
};
