/* cmd_copy.c - locbo copy: a study once more, here or in another database. Layer: cli, top. */
#include "commands.h"

#include "exit_code.h"
#include "session.h"
#include "value.h"

static const arg_option copy_options[] = {
    {"to", 0, "URL", "database of the copy: sqlite:FILE or postgresql://... (the same one)"},
    {"without-trials", 0, NULL, "only the definition and the plan"},
    {"author", 0, "NAME", "who does it, for `locbo log` (USER@HOST)"},
    {NULL, 0, NULL, NULL}};

static locbo_status open_target(session *s, const char *url, locbo_store **store, locbo_error *error) {
    locbo_status status = locbo_store_open(store, url, LOCBO_STORE_CREATE, error);
    return status == LOCBO_OK ? session_author(s, *store, error) : status;
}

static void report(const session *s, const locbo_store *to, locbo_study *copy) {
    locbo_census census;
    if (locbo_study_census(copy, &census, NULL) != LOCBO_OK) census.trials = 0;
    message_print(s->self->name, 0, "copied '%s' with %s to '%s' in %s", locbo_study_name(s->study),
                  value_count(census.trials, "trial").text, locbo_study_name(copy), locbo_store_url(to));
}

static int run(const command *self, int argc, char **argv) {
    session s;
    locbo_error error;
    locbo_store *other = NULL;
    locbo_study *copy = NULL;
    if (!session_open(&s, self, argc, argv, SESSION_STUDY, 0, 1, 1)) return s.code;
    const char *url = args_get(&s.args, "to");
    locbo_status status = url ? open_target(&s, url, &other, &error) : LOCBO_OK;
    locbo_store *to = url ? other : s.store;
    if (status == LOCBO_OK)
        status = locbo_study_copy(&copy, s.study, to, args_positional(&s.args, 0),
                                  args_get(&s.args, "without-trials") == NULL, &error);
    if (status == LOCBO_OK) report(&s, to, copy);
    locbo_study_close(copy);
    locbo_store_close(other);
    return status == LOCBO_OK ? session_close(&s, EXIT_OK) : session_fail(&s, &error);
}

const command command_copy = {
    .name = "copy",
    .summary = "copy a study, also to another database",
    .usage = "NEW [--name STUDY] [--to URL] [--without-trials]",
    .description = "Copies the study, as it is at one moment, under the name NEW to the same database, or with --to to "
                   "another one, which is created if it does not exist: trials, results, calibration, notes and what "
                   "was changed, so that the copy continues exactly as the original would. Trials that run wait in "
                   "the copy. What evaluations printed is not copied. With --without-trials the copy begins anew, "
                   "with the same definition and plan.\n\n"
                   "To try an alteration, alter a copy.",
    .examples = "    $ locbo copy wider --name pump\n"
                "    $ locbo copy pump --to postgresql://db.example.org/lab\n"
                "    $ locbo copy again --name pump --without-trials\n",
    .options = (const arg_option *const[]){session_options, copy_options, NULL},
    .run = run,
};
