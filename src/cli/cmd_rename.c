/* cmd_rename.c - locbo rename: another name for a study. Layer: cli, top. */
#include "commands.h"

#include "exit_code.h"
#include "mem.h"
#include "session.h"

static const arg_option rename_options[] = {{"author", 0, "NAME", "who does it, for `locbo log` (USER@HOST)"},
                                            {NULL, 0, NULL, NULL}};

static int run(const command *self, int argc, char **argv) {
    session s;
    locbo_error error;
    if (!session_open(&s, self, argc, argv, SESSION_STUDY, 0, 1, 1)) return s.code;
    const char *name = args_positional(&s.args, 0);
    char *before = mem_text(locbo_study_name(s.study));
    locbo_status status = before ? locbo_study_rename(s.study, name, &error) : status_no_memory(&error);
    if (status == LOCBO_OK) message_print(self->name, 0, "renamed '%s' to '%s'", before, name);
    mem_free(before);
    return status == LOCBO_OK ? session_close(&s, EXIT_OK) : session_fail(&s, &error);
}

const command command_rename = {
    .name = "rename",
    .summary = "give a study another name",
    .usage = "NEW [--name STUDY]",
    .description =
        "Gives the study the name NEW, which no other study of the database may have. Workers that run go on; "
        "commands that are started later need the new name.",
    .examples = "    $ locbo rename pump-2026 --name pump\n",
    .options = (const arg_option *const[]){session_options, rename_options, NULL},
    .run = run,
};
