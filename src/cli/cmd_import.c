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
    {NULL, 0, NULL, NULL}};

/* A header never begins like this, and JSON always does. */
static int is_json(const char *text) {
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0) text += 3;
    text += strspn(text, " \t\r\n");
    return *text == '{' || *text == '[';
}

static locbo_status read_points(const session *s, const char *path, point_table *p, locbo_error *error) {
    char *text;
    size_t size;
    locbo_status status = file_read(path, POINT_TABLE_BYTES, &text, &size, error);
    if (status != LOCBO_OK) return status;
    const locbo_definition *d = &s->definition;
    const char *file = file_read_name(path);
    int ignore_extra = args_get(&s->args, "ignore-extra") != NULL;
    if (is_json(text))
        status = point_table_from_json(d->space, d->outputs, file, text, size, ignore_extra, p, error);
    else
        status = point_table_from_csv(d->space, d->outputs, file, text, size, 1, ignore_extra, p, error);
    mem_free(text);
    if (status == LOCBO_OK && p->count == 0) {
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
    const locbo_contents contents = {.record_count = r->record_count,
                                     .records = r->records,
                                     .fit_count = r->fit_count,
                                     .fits = r->fits,
                                     .reference = r->reference};
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

static int import_results(const command *self, int argc, char **argv) {
    session s;
    locbo_error error;
    point_table p = {0};
    uint64_t first;
    if (!session_open(&s, self, argc, argv, SESSION_STUDY, 0, 1, 1)) return s.code;
    locbo_status status = read_points(&s, args_positional(&s.args, 0), &p, &error);
    if (status == LOCBO_OK) status = locbo_study_import(s.study, p.count, p.x, p.measurements, &first, &error);
    if (status == LOCBO_OK && p.left_out)
        message_print(self->name, 0, "left out %s without a result", value_count(p.left_out, "trial").text);
    if (status == LOCBO_OK && p.count == 1) message_print(self->name, 0, "imported 1 result as trial %" PRIu64, first);
    if (status == LOCBO_OK && p.count != 1)
        message_print(self->name, 0, "imported %zu results as trials %" PRIu64 " to %" PRIu64, p.count, first,
                      first + p.count - 1);
    point_table_release(&p);
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
    .usage = "FILE.csv|FILE.json|- [--ignore-extra] | --study FILE.json",
    .description = "Adds results as complete trials: data for the model, never for its calibration. A CSV file has a "
                   "header: the parameters by name, value, and if known sd (the standard deviation of the value) and "
                   "n (of how many repetitions it is the mean). A parameter that is itself called value, sd or n is "
                   "the column params.value and so on, if both are there. JSON is what `locbo export` or `locbo "
                   "trials -f json` writes, or a list of {\"params\": {\"x\": 0.5}, \"value\": 1.2}. Each result "
                   "becomes a trial of its own, in the order told; trials without a result are left out.\n\n"
                   "In a study with several outputs the columns are NAME, and if known NAME.sd and NAME.n, of any of "
                   "them (outputs.NAME, if a parameter has that name too); an empty cell is a value that is lacking. "
                   "In JSON {\"params\": {\"x\": 0.5}, \"outputs\": {\"loss\": 1.2, \"memory\": {\"value\": 401, "
                   "\"sd\": 2, \"n\": 4}}}. Derived outputs are computed anew.\n\n"
                   "With --study a whole study is restored from what `locbo export` wrote, under --name or its own "
                   "name: trials, results, calibration and all, so that it continues exactly as the original would. "
                   "This moves a study from SQLite to PostgreSQL and back.\n\n"
                   "Everything is checked before anything is written: a mistake, named with its line, changes nothing.",
    .examples = "    $ locbo import measured.csv\n"
                "    $ locbo export --name old | locbo import --name new -\n",
    .options = (const arg_option *const[]){session_options, import_options, NULL},
    .run = run,
};
