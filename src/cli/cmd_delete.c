/* cmd_delete.c - locbo delete: a study and all its trials. Layer: cli, top. */
#include "commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "exit_code.h"
#include "mem.h"
#include "session.h"
#include "text.h"
#include "value.h"

static const arg_option delete_options[] = {{"yes", 'y', NULL, "do not ask for confirmation"}, {NULL, 0, NULL, NULL}};

/* Whether the next line of standard input is that name. */
static int types(const char *name) {
    char *line = NULL;
    size_t capacity = 0;
    ssize_t size = getline(&line, &capacity, stdin);
    if (size > 0 && line[size - 1] == '\n') line[--size] = '\0';
    int same = size >= 0 && strcmp(line, name) == 0;
    mem_free(line);
    return same;
}

/* 1: continue. Otherwise the session is closed. */
static int confirm(session *s, const char *name, const locbo_census *census) {
    if (args_get(&s->args, "yes")) return 1;
    if (!isatty(STDIN_FILENO))
        return (
            session_usage(s, "--yes is needed: standard input is not a terminal, so locbo cannot ask for confirmation"),
            0);
    char *shown = mem_text(name);
    if (shown) text_clean(shown);
    fprintf(stderr, "%s of '%s' in %s will be deleted.\nType the study's name to confirm: ",
            value_count(census->trials, "trial").text, shown ? shown : "", locbo_store_url(s->store));
    mem_free(shown);
    if (types(name)) return 1;
    message_print(s->self->name, 0, "the name differs; nothing was deleted");
    session_close(s, EXIT_RUNTIME);
    return 0;
}

static int run(const command *self, int argc, char **argv) {
    session s;
    locbo_error error;
    locbo_census census;
    if (!session_open(&s, self, argc, argv, SESSION_STUDY, 0, 0, 0)) return s.code;
    locbo_status status = locbo_study_census(s.study, &census, &error);
    char *name = mem_text(locbo_study_name(s.study));
    if (status == LOCBO_OK && !name) status = status_no_memory(&error);
    if (status == LOCBO_OK && !confirm(&s, name, &census)) {
        mem_free(name);
        return s.code;
    }
    locbo_study_close(s.study);
    s.study = NULL;
    if (status == LOCBO_OK) status = locbo_study_delete(s.store, name, &error);
    if (status == LOCBO_OK)
        message_print(self->name, 0, "deleted '%s' and its %s", name, value_count(census.trials, "trial").text);
    mem_free(name);
    return status == LOCBO_OK ? session_close(&s, EXIT_OK) : session_fail(&s, &error);
}

const command command_delete = {
    .name = "delete",
    .summary = "delete a study and all its trials",
    .usage = "[--name NAME] [--yes]",
    .description = "Deletes a study with everything that was measured. On a terminal it asks for the study's "
                   "name first; elsewhere --yes is needed. `locbo export` keeps a copy.",
    .examples = "    $ locbo delete --name old --yes\n",
    .options = (const arg_option *const[]){session_options, delete_options, NULL},
    .run = run,
};
