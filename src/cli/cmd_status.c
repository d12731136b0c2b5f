/* cmd_status.c - locbo status: how a study is doing, or all of a database. Layer: cli, top. */
#include "commands.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "buffer.h"
#include "distribution.h"
#include "cells.h"
#include "early_end.h"
#include "exit_code.h"
#include "identity.h"
#include "fallback.h"
#include "goal.h"
#include "mem.h"
#include "moment.h"
#include "overview.h"
#include "rows.h"
#include "session.h"
#include "json_build.h"
#include "value.h"

static json_int_t count_of(const json_t *row, const char *key) { return json_integer_value(json_object_get(row, key)); }

/* "3 s ago", "-" if it never was. */
static json_t *ago(const json_t *view, const char *key) {
    char text[32], whole[40];
    double seconds = rows_real_of(view, "now") - rows_real_of(view, key);
    if (isnan(seconds)) return json_null();
    duration_text(seconds > 0 ? seconds : 0, text);
    snprintf(whole, sizeof whole, "%s ago", text);
    return json_string(whole);
}

/* ---- one study, for people ------------------------------------------------------------------- */

/* Lines that have nothing to say are left out. */
static int put_known(json_t *table, const char *key, json_t *value) {
    if (!json_is_null(value)) return build_put(table, key, value);
    return 0;
}

static int put_parameters(json_t *table, const locbo_space *space) {
    int bad = 0;
    for (size_t i = 0; i < locbo_space_dim(space) && !bad; i++) {
        locbo_parameter p;
        locbo_space_parameter(space, i, &p, NULL);
        char *text = distribution_text(space, i), key[300];
        snprintf(key, sizeof key, "parameter %.250s", p.name);
        bad = !text || build_put(table, key, rows_text(text));
        mem_free(text);
    }
    return bad;
}

static int put_constraints(json_t *table, const locbo_space *space) {
    int bad = 0;
    for (size_t i = 0; i < locbo_space_constraint_count(space) && !bad; i++) {
        char key[40];
        snprintf(key, sizeof key, "constraint %zu", i + 1);
        bad = build_put(table, key, rows_text(locbo_space_constraint(space, i)));
    }
    return bad;
}

/* "cost": its expression; "spent": what evaluations have cost. */
static int put_cost(json_t *table, const json_t *view, const locbo_definition *d) {
    const char *text = locbo_space_cost(d->space);
    int bad = text ? build_put(table, "cost", rows_text(text)) : 0;
    json_t *spent =
        cells_spent(json_object_get(view, "spent"), rows_real_of(json_object_get(view, "plan"), "budget"), d->space);
    return bad | put_known(table, "spent", spent);
}

/* "output loss": what is wanted of it, as --output takes it after the name. */
static int put_outputs(json_t *table, const locbo_outputs *outputs) {
    int bad = 0;
    for (size_t i = 0; i < locbo_outputs_count(outputs) && !bad; i++) {
        locbo_output_spec spec = {.struct_size = sizeof spec};
        locbo_outputs_get(outputs, i, &spec, NULL);
        char *text = goal_text(&spec), key[300];
        const char *goal = text ? text + strlen(spec.name) : NULL;
        snprintf(key, sizeof key, "output %.250s", spec.name);
        bad = !text || build_put(table, key, rows_text(*goal == '~' ? goal + 1 : goal));
        mem_free(text);
    }
    return bad;
}

/* "12: 10 complete, 2 running" */
static json_t *trials_text(const json_t *view) {
    char text[256];
    const char *name, *separator = ": ";
    json_t *value;
    size_t used = (size_t)snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT, count_of(view, "trials"));
    json_object_foreach(json_object_get(view, "states"), name, value) {
        if (json_integer_value(value) == 0) continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%" JSON_INTEGER_FORMAT " ", separator,
                                 json_integer_value(value));
        for (const char *c = name; *c && used + 1 < sizeof text; c++) text[used++] = (char)tolower((unsigned char)*c);
        text[used] = '\0';
        separator = ", ";
    }
    return json_string(text);
}

static double percent(json_int_t done, json_int_t of) { return 100.0 * (double)done / (double)of; }

/* "60 of 60 (100 %), 62 of 80 evaluations (78 %)": of the completed trials and of those with any outcome, as wanted. */
static json_t *progress_text(const json_t *view) {
    char text[192] = "";
    const json_t *states = json_object_get(view, "states"), *plan = json_object_get(view, "plan");
    json_int_t done = count_of(states, "COMPLETE") + count_of(states, "PRUNED"), total = count_of(plan, "trials");
    json_int_t ended = done + count_of(states, "FAILED") + count_of(states, "INFEASIBLE");
    json_int_t budget = count_of(plan, "evaluations");
    size_t used = 0;
    if (total == 0 && budget == 0) return json_null();
    if (total > 0)
        used = (size_t)snprintf(text, sizeof text, "%" JSON_INTEGER_FORMAT " of %" JSON_INTEGER_FORMAT " (%.0f %%)",
                                done, total, percent(done, total));
    if (budget > 0)
        snprintf(text + used, sizeof text - used,
                 "%s%" JSON_INTEGER_FORMAT " of %" JSON_INTEGER_FORMAT " evaluations (%.0f %%)", used ? ", " : "",
                 ended, budget, percent(ended, budget));
    return json_string(text);
}

static json_t *time_text(const json_t *view) {
    double seconds = rows_real_of(json_object_get(view, "plan"), "time");
    char text[32];
    if (isnan(seconds)) return json_null();
    duration_text(seconds, text);
    return json_sprintf("%s, of the last run", text);
}

static json_t *confirm_text(const json_t *view) {
    json_int_t count = count_of(json_object_get(view, "plan"), "confirm");
    if (count == 0) return json_null();
    if (count == 1) return json_string("the last trial measures the recommended point");
    return json_sprintf("the last %" JSON_INTEGER_FORMAT " trials measure the recommended point", count);
}

static json_t *best_text(const json_t *view) {
    char text[160], value[32], mean[40] = "";
    const json_t *best = json_object_get(view, "best");
    if (!json_is_object(best)) return json_null();
    value_brief(rows_real_of(best, "value"), value);
    if (count_of(best, "results") > 1)
        snprintf(mean, sizeof mean, "mean of %" JSON_INTEGER_FORMAT ", ", count_of(best, "results"));
    snprintf(text, sizeof text, "%s (%strial %" JSON_INTEGER_FORMAT ", %" JSON_INTEGER_FORMAT " completed since)",
             value, mean, count_of(best, "trial"), count_of(view, "since_best"));
    return json_string(text);
}

static json_t *feasible_text(const json_t *view) {
    const json_t *f = json_object_get(view, "feasible");
    json_int_t yes = count_of(f, "yes"), no = count_of(f, "no"), unknown = count_of(f, "unknown");
    if (!json_is_object(f) || yes + no + unknown == 0) return json_null();
    if (unknown == 0)
        return json_sprintf("%" JSON_INTEGER_FORMAT " of %" JSON_INTEGER_FORMAT
                            " complete trials keep to the constraints",
                            yes, yes + no);
    return json_sprintf("%" JSON_INTEGER_FORMAT " of %" JSON_INTEGER_FORMAT
                        " complete trials keep to the constraints, of %" JSON_INTEGER_FORMAT " it is not known",
                        yes, yes + no + unknown, unknown);
}

/* Outputs that no trial has: they may be printed under another name. */
static json_t *lacking_text(const json_t *view) {
    char text[256] = "";
    size_t used = 0;
    const char *name;
    json_t *count;
    json_object_foreach(json_object_get(view, "measured"), name, count) {
        if (json_integer_value(count) > 0 || used >= sizeof text) continue;
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? ", " : "", name);
    }
    return used && count_of(view, "measurements") > 0 ? json_string(text) : json_null();
}

static json_t *front_text(const json_t *view) {
    const json_t *f = json_object_get(view, "front");
    json_int_t since = count_of(f, "since");
    char volume[32], text[160];
    if (!json_is_object(f)) return json_null();
    if (count_of(f, "points") == 0)
        return json_string("empty: no trial has all objectives and keeps to the constraints");
    value_brief(rows_real_of(f, "hypervolume"), volume);
    snprintf(text, sizeof text, "%s, hypervolume %s", value_count((uint64_t)count_of(f, "points"), "point").text,
             isnan(rows_real_of(f, "hypervolume")) ? "not known yet" : volume);
    return json_sprintf("%s (%" JSON_INTEGER_FORMAT " completed since it improved)", text, since);
}

static json_t *one_coverage(const json_t *c) {
    char text[160];
    snprintf(text, sizeof text, "%.3g of %s, target %.3g", rows_real_of(c, "coverage"),
             value_count((uint64_t)count_of(c, "judged"), "judged result").text, rows_real_of(c, "target"));
    return json_string(text);
}

static json_t *coverage_text(const json_t *view) {
    const json_t *c = json_object_get(view, "coverage");
    if (count_of(view, "measurements") > OVERVIEW_MANY)
        return json_sprintf("not counted above %d results; the dashboard and reports have it", OVERVIEW_MANY);
    return json_is_object(c) ? one_coverage(c) : json_null();
}

/* "coverage loss", ..., "coverage together" in place of "coverage" */
static int put_coverages(json_t *table, const json_t *view) {
    const json_t *list = json_object_get(view, "coverage_by_output"), *item;
    const json_t *together = json_object_get(view, "coverage_together");
    int bad = 0;
    size_t i;
    json_array_foreach(list, i, item) {
        char key[300];
        snprintf(key, sizeof key, "coverage %.250s", json_string_value(json_object_get(item, "output")));
        if (count_of(item, "judged") > 0) bad |= build_put(table, key, one_coverage(item));
    }
    if (json_array_size(list) > 1 && json_is_object(together))
        bad |= build_put(table, "coverage together",
                         json_sprintf("%.3g of %s had all of them inside", rows_real_of(together, "coverage"),
                                      value_count((uint64_t)count_of(together, "judged"), "result").text));
    return bad;
}

/* "model 0.8 of 50, again 0.5 of 4", if there are several. */
static json_t *origins_text(const json_t *view) {
    char text[256] = "";
    size_t used = 0, i;
    const json_t *list = json_object_get(json_object_get(view, "coverage"), "by_origin"), *item;
    if (json_array_size(list) < 2) return json_null();
    json_array_foreach(list, i, item) used += (size_t)snprintf(
        text + used, sizeof text - used, "%s%s %.3g of %" JSON_INTEGER_FORMAT, i ? ", " : "",
        json_string_value(json_object_get(item, "origin")), rows_real_of(item, "coverage"), count_of(item, "judged"));
    return json_string(text);
}

static json_t *bounds_text(const json_t *view) {
    const json_t *bounds = json_object_get(view, "bounds");
    if (!json_is_object(bounds)) return json_null();
    return json_sprintf("%" JSON_INTEGER_FORMAT " of %" JSON_INTEGER_FORMAT " lie on a bound",
                        count_of(bounds, "on_bound"), count_of(bounds, "proposals"));
}

/* What the guarantee is about, if there is one. */
static json_t *online_text(const json_t *view) {
    char text[160];
    const json_t *c = json_object_get(view, "coverage");
    if (isnan(rows_real_of(c, "bound"))) return json_null();
    snprintf(text, sizeof text, "%.3g by the threshold when told, at least %.3g guaranteed", rows_real_of(c, "online"),
             rows_real_of(c, "bound"));
    return json_string(text);
}

static json_t *random_text(const json_t *view) {
    json_int_t count = count_of(view, "random_proposals");
    return count > 0 ? json_sprintf("%" JSON_INTEGER_FORMAT ": " FALLBACK_REASON, count) : json_null();
}

/* "HOST:PID, for 3 s, lease ends in 57 s" under "running 12"; "lost with HOST:PID, attempt 2, lease ended 3 s ago" if
 * its worker is known to be dead, or silent for longer than its lease. */
static int put_running(json_t *table, const json_t *view) {
    const json_t *list = json_object_get(view, "running");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *r = json_array_get(list, i);
        const char *worker = json_string_value(json_object_get(r, "worker"));
        char key[48], since[32], left[32], text[256], attempt[40] = "";
        double now = rows_real_of(view, "now"), lease = rows_real_of(r, "lease") - now;
        snprintf(key, sizeof key, "running %" JSON_INTEGER_FORMAT, count_of(r, "trial"));
        duration_text(fmax(0, now - rows_real_of(r, "started")), since);
        duration_text(fabs(lease), left);
        int lost = lease < 0 || identity_is_dead(worker);
        if (lost || count_of(r, "attempt") > 1)
            snprintf(attempt, sizeof attempt, ", attempt %" JSON_INTEGER_FORMAT, count_of(r, "attempt"));
        snprintf(text, sizeof text, "%s, for %s, lease %s%s%s", attempt, since,
                 isnan(lease) ? "never ends"
                 : lease < 0  ? "ended "
                              : "ends in ",
                 isnan(lease) ? "" : left, lease < 0 ? " ago" : "");
        json_t *name = cells_worker(worker, OUTPUT_TABLE);
        int bad =
            !name ||
            build_put(table, key, json_sprintf("%s%s%s", lost ? "lost with " : "", json_string_value(name), text)) != 0;
        json_decref(name);
        if (bad) return 1;
    }
    return 0;
}

static json_t *paused_text(const json_t *view) {
    const char *why = json_string_value(json_object_get(view, "paused"));
    if (!why) return json_null();
    return why[0] ? json_sprintf("%s (`locbo resume` lets the workers go on)", why)
                  : json_string("`locbo resume` lets the workers go on");
}

static json_t *altered_text(const json_t *view) {
    json_int_t revision = count_of(view, "revision");
    return revision ? json_sprintf("last by event %" JSON_INTEGER_FORMAT " (`locbo log` lists the changes)", revision)
                    : json_null();
}

/* The tags with a blank between them. */
static json_t *tags_text(const json_t *view) {
    const json_t *list = json_object_get(view, "tags"), *tag;
    buffer b = {0};
    size_t i;
    json_array_foreach(list, i, tag) {
        if (i > 0) buffer_char(&b, ' ', 1);
        buffer_text(&b, json_string_value(tag));
    }
    json_t *text = b.failed ? NULL : b.size ? json_stringn(b.data, b.size) : json_null();
    mem_free(b.data);
    return text;
}

static json_t *table_of(const json_t *view, const locbo_definition *d) {
    json_t *table = json_object();
    int bad = json_object_set(table, "study", json_object_get(view, "name"));
    bad |= json_object_set(table, "database", json_object_get(view, "database"));
    if (!d->outputs) bad |= json_object_set(table, "direction", json_object_get(view, "direction"));
    bad |= json_object_set(table, "method", json_object_get(view, "method"));
    bad |= put_parameters(table, d->space);
    bad |= put_constraints(table, d->space);
    bad |= put_outputs(table, d->outputs);
    bad |= build_put(table, "trials", trials_text(view));
    bad |= put_known(table, "progress", progress_text(view));
    bad |= put_cost(table, view, d);
    bad |= put_known(table, "time limit", time_text(view));
    bad |= put_known(table, "confirm", confirm_text(view));
    bad |= put_known(table, "never measured", lacking_text(view));
    bad |= put_known(table, "feasible", feasible_text(view));
    bad |= put_known(table, "best observed", best_text(view));
    bad |= put_known(table, "front", front_text(view));
    if (d->outputs && count_of(view, "measurements") <= OVERVIEW_MANY) {
        bad |= put_coverages(table, view);
    } else {
        bad |= put_known(table, "coverage", coverage_text(view));
        bad |= put_known(table, "coverage by origin", origins_text(view));
        bad |= put_known(table, "online coverage", online_text(view));
    }
    bad |= early_end_put_account(table, json_object_get(view, "early_end"));
    bad |= put_known(table, "proposals", bounds_text(view));
    bad |= put_known(table, "proposed at random", random_text(view));
    bad |= put_running(table, view);
    if (count_of(view, "failures_in_row") > 1)
        bad |= json_object_set(table, "failures in a row", json_object_get(view, "failures_in_row"));
    if (json_is_true(json_object_get(view, "stopped")))
        bad |= json_object_set(table, "stopped", json_object_get(view, "stop_reason"));
    bad |= put_known(table, "paused", paused_text(view));
    bad |= put_known(table, "altered", altered_text(view));
    bad |= put_known(table, "note", json_incref(json_object_get(view, "note")));
    bad |= put_known(table, "tags", tags_text(view));
    bad |= build_put(table, "created", ago(view, "created"));
    bad |= put_known(table, "last event", ago(view, "last_event"));
    if (!bad) return table;
    json_decref(table);
    return NULL;
}

/* ---- a line per study ------------------------------------------------------------------------ */

/* Several have each its own direction. */
static size_t objectives_of(const json_t *view) {
    size_t count = 0;
    const char *name;
    json_t *spec;
    json_object_foreach(json_object_get(view, "outputs"), name, spec) {
        const char *goal = json_string_value(json_object_get(spec, "goal"));
        count += goal && strcmp(goal, "record") != 0;
    }
    return count;
}

static json_t *line_of(json_t *view, output_format format) {
    const json_t *best = json_object_get(view, "best"), *cover = json_object_get(view, "coverage");
    json_t *front = json_object_get(view, "front"), *feasible = json_object_get(view, "feasible");
    json_t *row = json_object();
    int bad = json_object_set(row, "name", json_object_get(view, "name"));
    bad |=
        json_object_set(row, "direction", objectives_of(view) > 1 ? json_null() : json_object_get(view, "direction"));
    bad |= json_object_set(row, "method", json_object_get(view, "method"));
    bad |= json_object_set(row, "trials", json_object_get(view, "trials"));
    const char *name;
    json_t *count;
    json_object_foreach(json_object_get(view, "states"), name, count) {
        char key[16];
        int rare = strcmp(name, "RETRACTED") == 0 || strcmp(name, "PRUNED") == 0;
        if (rare && json_integer_value(count) == 0) continue; /* most studies have none */
        snprintf(key, sizeof key, "%.15s", name);
        for (char *c = key; *c; c++) *c = (char)tolower((unsigned char)*c);
        bad |= json_object_set(row, key, count);
    }
    bad |= build_put(row, "best_value", value_real(rows_real_of(best, "value")));
    bad |=
        build_put(row, "best_trial", best && !json_is_null(best) ? json_integer(count_of(best, "trial")) : json_null());
    if (format == OUTPUT_CSV) {
        bad |= build_put(row, "coverage", value_real(rows_real_of(cover, "coverage")));
        bad |= build_put(row, "target", value_real(rows_real_of(cover, "target")));
        bad |= json_object_set(row, "created", json_object_get(view, "created"));
        bad |= json_object_set(row, "last_event", json_object_get(view, "last_event"));
    }
    bad |= json_object_set(row, "stopped", json_object_get(view, "stop_reason"));
    if (!json_is_null(json_object_get(view, "paused")))
        bad |= json_object_set(row, "paused", json_object_get(view, "paused"));
    if (json_is_object(feasible)) bad |= json_object_set(row, "feasible", json_object_get(feasible, "yes"));
    if (json_is_object(front)) {
        bad |= json_object_set(row, "front", json_object_get(front, "points"));
        bad |= json_object_set(row, "hypervolume", json_object_get(front, "hypervolume"));
    }
    if (!bad) return row;
    json_decref(row);
    return NULL;
}

/* ---- the subcommand -------------------------------------------------------------------------- */

/* What is shown, all of one moment. */
typedef struct reading {
    session *session;
    json_t *names;               /* of the studies that are shown */
    json_t *views;               /* of them, up to the first that cannot be shown */
    int whole;                   /* one study, with its coverage */
    locbo_definition definition; /* of that one */
} reading;

static int take_name(const char *name, void *user) {
    return json_array_append_new(user, json_string(name)) != 0; /* names are UTF-8 */
}

/* The only study stays open, because its definition is printed. `name` NULL: the only one. */
static locbo_status read_study(reading *r, const char *name, locbo_error *error) {
    session *s = r->session;
    json_t *view = NULL;
    locbo_study_close(s->study);
    s->study = NULL;
    locbo_status status = locbo_study_open(&s->study, s->store, name, error);
    if (status == LOCBO_OK) status = locbo_study_definition(s->study, &r->definition, error);
    if (status == LOCBO_OK) status = overview_make(s->study, locbo_store_url(s->store), r->whole, &view, error);
    if (status == LOCBO_OK) status = early_end_add_account(s->study, view, error);
    if (status != LOCBO_OK) {
        json_decref(view);
        return status;
    }
    return json_array_append_new(r->views, view) == 0 ? LOCBO_OK : status_no_memory(error);
}

static locbo_status read_all(void *user, locbo_error *error) {
    reading *r = user;
    const char *name = args_get(&r->session->args, "name");
    json_array_clear(r->names);
    json_array_clear(r->views);
    locbo_status status = locbo_store_each(r->session->store, take_name, r->names, error);
    r->whole = name || json_array_size(r->names) < 2;
    if (status == LOCBO_OK && r->whole) return read_study(r, name, error);
    for (size_t i = 0; i < json_array_size(r->names) && status == LOCBO_OK; i++)
        status = read_study(r, json_string_value(json_array_get(r->names, i)), error);
    return status;
}

static json_t *row_of(const reading *r, json_t *view) {
    output_format format = r->session->format;
    if (format == OUTPUT_JSON) return json_incref(view);
    return r->whole && format == OUTPUT_TABLE ? table_of(view, &r->definition) : line_of(view, format);
}

static int run(const command *self, int argc, char **argv) {
    session s;
    locbo_error error;
    if (!session_open(&s, self, argc, argv, SESSION_STORE, 1, 0, 0)) return s.code;
    reading r = {.session = &s,
                 .names = json_array(),
                 .views = json_array(),
                 .definition = {.struct_size = sizeof r.definition}};
    locbo_status status = r.names && r.views ? moment_read(s.store, read_all, &r, &error) : status_no_memory(&error);
    int written = 0;
    if (status == LOCBO_OK || json_array_size(r.views) > 0) { /* those before one that cannot be shown, too */
        output *o = output_open(s.format, r.whole && s.format != OUTPUT_CSV);
        for (size_t i = 0; i < json_array_size(r.views); i++) output_row(o, row_of(&r, json_array_get(r.views, i)));
        written = output_close(o);
    }
    json_decref(r.names);
    json_decref(r.views);
    if (status != LOCBO_OK) return session_fail(&s, &error);
    return session_close(&s, written ? EXIT_OK : EXIT_RUNTIME);
}

const command command_status = {
    .name = "status",
    .summary = "how a study is doing",
    .usage = "[--db URL] [--name NAME] [-f table|json|csv]",
    .description =
        "Shows what a study is and how far it has come: trials by state, progress against its plan (trials, "
        "evaluations, the time limit of the last run), the best mean measured at a point, the coverage of its "
        "intervals "
        "against the target, also by the origin of the trials (see locbo(1)); of several outputs the goal and the "
        "coverage of each, how many trials are at points that keep to the constraints, and how many points the Pareto "
        "front has, with its hypervolume; what ending evaluations early has done, and what it risks; how many "
        "proposals of the model lie on a bound of a parameter, how many "
        "trials were proposed at random after numerical trouble, who is running what, whether it was stopped, is "
        "paused "
        "or was altered; its note and tags. A trial whose worker is dead, or silent for longer than its lease, is "
        "lost, "
        "until another worker gets it as the next attempt. Without --name, on a database with several studies: a line "
        "for each. It never waits for a model and never blocks a worker.",
    .examples = "    $ locbo status\n"
                "    $ locbo status --name pump -f json | jq .states\n",
    .options = (const arg_option *const[]){session_options, format_options, NULL},
    .run = run,
};
