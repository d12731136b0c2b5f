/* cmd_import.c - locbo import: results from elsewhere. Layer: cli, top. Cost: linear in the rows.
 */
#include "commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "exit_code.h"
#include "mem.h"
#include "point_table.h"
#include "session.h"
#include "file_read.h"
#include "study_json.h"
#include "value.h"

static const arg_option import_options[] = {
    {"study", 0, "FILE.json", "restore a whole study from a file of `locbo export`"},
    {"ignore-extra", 0, NULL, "skip columns that are neither parameters nor value, sd, n, or outputs"},
    {"skip-outside", 0, NULL, "skip rows outside the space: beyond a range, or with another category"},
    {"fill", 0, "NAME=VALUE", "value of a parameter where the file has none (may be repeated)"},
    {"again", 0, NULL, "add also what the study has already"},
    {NULL, 0, NULL, NULL}};

/* A header never begins like this, and JSON always does. */
static int is_json(const char *text) {
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0) text += 3;
    text += strspn(text, " \t\r\n");
    return *text == '{' || *text == '[';
}

static locbo_status read_points(const session *s, const char *path, const double *fill, point_table *p,
                                locbo_error *error) {
    char *text;
    size_t size;
    locbo_status status = file_read(path, POINT_TABLE_BYTES, &text, &size, error);
    if (status != LOCBO_OK) return status;
    const char *file = file_read_name(path);
    point_reading how = {.space = s->definition.space,
                         .outputs = s->definition.outputs,
                         .measured = 1,
                         .ignore_extra = args_get(&s->args, "ignore-extra") != NULL,
                         .skip_outside = args_get(&s->args, "skip-outside") != NULL,
                         .fill = fill};
    if (is_json(text))
        status = point_table_from_json(&how, file, text, size, p, error);
    else
        status = point_table_from_csv(&how, file, text, size, p, error);
    mem_free(text);
    size_t others = p->left_out + p->failed + p->outside + p->retracted + p->pruned;
    if (status == LOCBO_OK && p->count == 0 && others == 0) {
        point_table_release(p);
        return status_fail(error, LOCBO_ERR_NOTHING, "%.120s has no results", file);
    }
    return status;
}

/* ---- a whole study --------------------------------------------------------------------------- */

static locbo_status make_study(session *s, const study_json *r, locbo_error *error) {
    const char *name = args_get(&s->args, "name");
    locbo_definition d = {.struct_size = sizeof d,
                          .space = r->file.space,
                          .options = &r->file.options,
                          .command_count = r->file.command_count,
                          .command = (const char *const *)r->file.command,
                          .outputs = r->file.outputs};
    if (!name) name = r->file.name;
    locbo_status status = locbo_store_open(&s->store, session_url(&s->args), LOCBO_STORE_CREATE, error);
    const locbo_contents contents = study_json_contents(r);
    if (status == LOCBO_OK) status = session_author(s, s->store, error);
    if (status == LOCBO_OK)
        status = locbo_study_create_from(&s->study, s->store, name, &d, &r->file.plan, &contents, error);
    return status;
}

static int restore(session *s, const char *path) {
    locbo_error error;
    study_json read = {.root = NULL};
    char *text = NULL;
    size_t size = 0;
    if (args_positionals(&s->args) > 0) return session_usage(s, "give either --study or a file of results");
    locbo_status status = file_read(path, POINT_TABLE_BYTES, &text, &size, &error);
    if (status == LOCBO_OK) status = study_json_read(file_read_name(path), text, size, &read, &error);
    mem_free(text);
    if (status == LOCBO_OK) {
        status = make_study(s, &read, &error);
        if (status == LOCBO_OK)
            message_print(s->self->name, 0, "restored the study '%s' with %s in %s", locbo_study_name(s->study),
                          value_count(read.record_count, "trial").text, locbo_store_url(s->store));
        study_json_release(&read);
    }
    return status == LOCBO_OK ? session_close(s, EXIT_OK) : session_fail(s, &error);
}

/* ---- results --------------------------------------------------------------------------------- */

/* The rows of a table as outcomes: results of one group are one trial, at the place of its first. */
typedef struct gathered {
    size_t count;
    locbo_import_row *outcomes;
    locbo_measurement *measurements; /* those of a trial are adjacent */
} gathered;

static void release(gathered *g) {
    mem_free(g->outcomes);
    mem_free(g->measurements);
}

static locbo_status gather(const point_table *p, size_t dim, size_t width, gathered *g, locbo_error *error) {
    size_t *of = mem_new(p->count, sizeof *of), *place = mem_new(p->count, sizeof *place); /* 1 + outcome; by group */
    *g = (gathered){.outcomes = mem_new(p->count, sizeof *g->outcomes),
                    .measurements = mem_new(p->count, width * sizeof *g->measurements)};
    int memory = of && place && g->outcomes && g->measurements;
    for (size_t i = 0; memory && i < p->count; i++) {
        size_t *at = &place[p->group[i]];
        if (*at == 0) {
            *at = ++g->count;
            g->outcomes[*at - 1] =
                (locbo_import_row){.x = p->x + i * dim, .state = p->state[i], .message = p->message[i]};
        }
        of[i] = *at - 1;
        g->outcomes[of[i]].count += p->state[i] == LOCBO_COMPLETE;
    }
    locbo_measurement *next = g->measurements;
    for (size_t k = 0; memory && k < g->count; k++) {
        g->outcomes[k].measurements = next;
        next += g->outcomes[k].count * width;
        g->outcomes[k].count = 0;
    }
    for (size_t i = 0; memory && i < p->count; i++) {
        locbo_import_row *o = &g->outcomes[of[i]];
        if (o->state != LOCBO_COMPLETE) continue;
        locbo_measurement *to = g->measurements + ((size_t)(o->measurements - g->measurements) + o->count++ * width);
        memcpy(to, p->measurements + i * width, width * sizeof *to);
    }
    mem_free(of);
    mem_free(place);
    return memory ? LOCBO_OK : status_no_memory(error);
}

/* "imported 12 results and 3 failures as trials 1 to 14", and what was not. */
static void report(const char *name, const point_table *p, const locbo_imported *done) {
    value_counted results = value_count(done->results, "result"), failures = value_count(done->failures, "failure");
    if (p->left_out) message_print(name, 0, "left out %s that have not ended", value_count(p->left_out, "trial").text);
    if (p->failed)
        message_print(name, 0, "left out %s that failed or were infeasible, but have a value",
                      value_count(p->failed, "trial").text);
    if (p->retracted)
        message_print(name, 0, "left out %s that were taken back", value_count(p->retracted, "trial").text);
    if (p->pruned)
        message_print(name, 0, "left out %s ended early, without a result (--study FILE.json restores such trials)",
                      value_count(p->pruned, "trial").text);
    if (p->outside) message_print(name, 0, "skipped %s outside the space", value_count(p->outside, "row").text);
    if (done->skipped)
        message_print(name, 0, "skipped %s that the study has already (--again adds them)",
                      value_count(done->skipped, "row").text);
    if (done->trials == 0) {
        message_print(name, 0, "imported nothing");
        return;
    }
    char range[64];
    if (done->trials == 1)
        snprintf(range, sizeof range, "trial %" PRIu64, done->first);
    else
        snprintf(range, sizeof range, "trials %" PRIu64 " to %" PRIu64, done->first, done->first + done->trials - 1);
    message_print(name, 0, "imported %s%s%s as %s", done->results ? results.text : "",
                  done->results && done->failures ? " and " : "", done->failures ? failures.text : "", range);
}

static locbo_status add_points(const session *s, const point_table *p, locbo_imported *done, locbo_error *error) {
    gathered g;
    size_t width = s->definition.outputs ? locbo_outputs_count(s->definition.outputs) : 1;
    int again = args_get(&s->args, "again") != NULL;
    locbo_status status = gather(p, s->dim, width, &g, error);
    if (status == LOCBO_OK) status = locbo_study_import_outcomes(s->study, g.count, g.outcomes, again, done, error);
    release(&g);
    return status;
}

static int import_results(const command *self, int argc, char **argv) {
    session s;
    locbo_error error;
    point_table p = {0};
    locbo_imported done = {0};
    if (!session_open(&s, self, argc, argv, SESSION_STUDY, 0, 1, 1)) return s.code;
    double *fill = session_values(&s, "fill");
    if (!fill) return s.code;
    locbo_status status = read_points(&s, args_positional(&s.args, 0), fill, &p, &error);
    if (status == LOCBO_OK) status = add_points(&s, &p, &done, &error);
    if (status == LOCBO_OK) report(self->name, &p, &done);
    point_table_release(&p);
    mem_free(fill);
    return status == LOCBO_OK ? session_close(&s, EXIT_OK) : session_fail(&s, &error);
}

static int run(const command *self, int argc, char **argv) {
    session s;
    if (!session_open(&s, self, argc, argv, SESSION_ARGS, 0, 0, 1)) return s.code;
    const char *study = args_get(&s.args, "study");
    if (study) return restore(&s, study);
    session_close(&s, EXIT_OK);
    return import_results(self, argc, argv);
}

const command command_import = {
    .name = "import",
    .summary = "add results that were measured elsewhere",
    .usage = "FILE.csv|FILE.json|- [--ignore-extra] [--skip-outside] [--fill NAME=VALUE]... [--again] | --study "
             "FILE.json",
    .description =
        "Adds results as complete trials: data for the model, never for its calibration. A CSV file has a "
        "header: the parameters by name, value, and if known sd (the standard deviation of the value) and "
        "n (of how many repetitions it is the mean). A parameter that is itself called value, sd or n is "
        "the column params.value and so on, if both are there. A first column without a name, as pandas "
        "writes it, is skipped. JSON is what `locbo export` or `locbo "
        "trials -f json` writes, or a list of {\"params\": {\"x\": 0.5}, \"value\": 1.2}.\n\n"
        "A row without a value may be a failure: the column state (in JSON \"state\") then says FAILED or "
        "INFEASIBLE, and message why. Rows of any other state but COMPLETE are left out and counted: those trials have "
        "not ended (WAITING, RUNNING), were taken back (RETRACTED), or were ended early (PRUNED): the value at their "
        "last step is no result, and only --study keeps it. So are failures with a value. An empty state is as none; "
        "any other word is a mistake. A parameter or an output that is itself called state has the column, unless "
        "there is also params.state or outputs.state. Results stay together in one trial if the file has them so: "
        "neighbouring rows of a CSV file with the same number in the column trial and the same point, or "
        "\"measurements\" in JSON. "
        "So what `locbo trials -f csv` or `locbo trials -l -f json` prints can be imported, and loses no result.\n\n"
        "What the study has already is skipped and counted: a result with equal point and values, a "
        "failure at an equal point. The same file can thus be imported again after it has grown; --again "
        "adds everything. With --skip-outside rows outside the space are counted and skipped, otherwise "
        "they are a mistake; --fill says what a parameter was in rows that do not have it.\n\n"
        "In a study with several outputs the columns are NAME, and if known NAME.sd and NAME.n, of any of "
        "them (outputs.NAME, if a parameter has that name too); an empty cell is a value that is lacking. "
        "In JSON {\"params\": {\"x\": 0.5}, \"outputs\": {\"loss\": 1.2, \"memory\": {\"value\": 401, "
        "\"sd\": 2, \"n\": 4}}}. Derived outputs are computed anew.\n\n"
        "With --study a whole study is restored from what `locbo export` wrote, under --name or its own "
        "name: trials, results, calibration and all, so that it continues exactly as the original would. "
        "This moves a study from SQLite to PostgreSQL and back.\n\n"
        "Everything is checked before anything is written: a mistake, named with its line, changes nothing.",
    .examples = "    $ locbo import measured.csv\n"
                "    $ locbo import old.csv --fill momentum=0 --skip-outside\n"
                "    $ locbo export --name old | locbo import --name new -\n",
    .options = (const arg_option *const[]){session_options, import_options, NULL},
    .run = run,
};
