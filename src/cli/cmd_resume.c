/* cmd_resume.c - locbo resume: the end of a pause. Layer: cli, top. */
#include "commands.h"

#include "exit_code.h"
#include "session.h"

static int run(const command *self, int argc, char **argv) {
    session s;
    locbo_error error;
    locbo_census census;
    if (!session_open(&s, self, argc, argv, SESSION_STUDY, 0, 0, 0)) return s.code;
    locbo_status status = locbo_study_census(s.study, &census, &error);
    if (status == LOCBO_OK) status = locbo_study_resume(s.study, args_get(&s.args, "why"), &error);
    if (status != LOCBO_OK) return session_fail(&s, &error);
    message_print(self->name, 0, census.paused ? "resumed; the workers go on" : "the study was not paused");
    if (census.stopped)
        message_print(self->name, 0, "the study is stopped as well (`locbo stop --undo` lets it continue)");
    return session_close(&s, EXIT_OK);
}

const command command_resume = {
    .name = "resume",
    .summary = "end a pause: the workers go on",
    .usage = "[-m TEXT]",
    .description =
        "Ends a pause: trials are handed out again, and the workers that waited go on within a second or so. "
        "If the study was not paused nothing changes.",
    .examples = "    $ locbo resume\n"
                "    $ locbo resume --name pump -m 'the machine is free again'\n",
    .options = (const arg_option *const[]){session_options, change_options, NULL},
    .run = run,
};
