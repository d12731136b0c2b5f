/* cmd_import.c - locbo import: results from elsewhere. Layer: cli, top. Cost: linear in the rows.
 */
#include "commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "exit_code.h"
#include "mem.h"
#include "points.h"
#include "session.h"
#include "slurp.h"

static const arg_option import_options[] = {
    {"ignore-extra", 0, NULL, "skip columns that are neither parameters nor value, sd, n"},
    {NULL, 0, NULL, NULL}};

/* A header never begins like this, and JSON always does. */
static int is_json(const char *text) {
    if (strncmp(text, "\xef\xbb\xbf", 3) == 0) text += 3;
    text += strspn(text, " \t\r\n");
    return *text == '{' || *text == '[';
}

static locbo_status read_points(const session *s, const char *path, points *p, locbo_error *error) {
    char *text;
    size_t size;
    locbo_status status = slurp(path, POINTS_BYTES, &text, &size, error);
    if (status != LOCBO_OK) return status;
    const char *file = slurp_name(path);
    if (is_json(text))
        status = points_from_json(s->definition.space, file, text, size, p, error);
    else
        status = points_from_csv(s->definition.space, file, text, size, 1,
                                 args_get(&s->args, "ignore-extra") != NULL, p, error);
    mem_free(text);
    if (status == LOCBO_OK && p->count == 0) {
        points_release(p);
        return status_fail(error, LOCBO_ERR_NOTHING, "%.120s has no results", file);
    }
    return status;
}

static int run(const command *self, int argc, char **argv) {
    session s;
    locbo_error error;
    points p = {0};
    uint64_t first;
    if (!session_open(&s, self, argc, argv, SESSION_STUDY, 0, 1, 1)) return s.code;
    locbo_status status = read_points(&s, args_positional(&s.args, 0), &p, &error);
    if (status == LOCBO_OK)
        status = locbo_study_import(s.study, p.count, p.x, p.measurements, &first, &error);
    if (status == LOCBO_OK && p.left_out)
        complain(self, 0, "left out %zu trials without a result", p.left_out);
    if (status == LOCBO_OK)
        complain(self, 0, "imported %zu results as trials %" PRIu64 " to %" PRIu64, p.count, first,
                 first + p.count - 1);
    points_release(&p);
    return status == LOCBO_OK ? session_close(&s, EXIT_OK) : session_fail(&s, &error);
}

const command command_import = {
    .name = "import",
    .summary = "add results that were measured elsewhere",
    .usage = "FILE.csv|FILE.json|- [--ignore-extra]",
    .description =
        "Adds results as complete trials: data for the model, never for its calibration. A CSV "
        "file "
        "has a header: the parameters by name, value, and if known sd (the standard deviation of "
        "the "
        "value) and n (of how many repetitions it is the mean). A parameter that is itself called "
        "value, sd or n is the column params.value and so on, if both are there. JSON is what "
        "`locbo "
        "export` or `locbo trials -f json` writes, or a list of {\"params\": {\"x\": 0.5}, "
        "\"value\": "
        "1.2}. Each result becomes a trial of its own, in the order told; trials without a result "
        "are left out.\n\n"
        "Everything is checked before anything is written: a mistake, named with its line, changes "
        "nothing.",
    .examples = "    $ locbo import measured.csv\n"
                "    $ locbo export --name old | locbo import --name new -\n",
    .options = (const arg_option *const[]){session_options, import_options, NULL},
    .run = run,
};
