/* cmd_pause.c - locbo pause: workers wait. Layer: cli, top. */
#include "commands.h"

#include <inttypes.h>

#include "exit_code.h"
#include "session.h"

static int run(const command *self, int argc, char **argv) {
    session s;
    locbo_error error;
    locbo_census census;
    if (!session_open(&s, self, argc, argv, SESSION_STUDY, 0, 0, 0)) return s.code;
    locbo_status status = locbo_study_pause(s.study, args_get(&s.args, "why"), &error);
    if (status == LOCBO_OK) status = locbo_study_census(s.study, &census, &error);
    if (status != LOCBO_OK) return session_fail(&s, &error);
    message_print(self->name, 0, "paused; trials still running: %" PRIu64 "; `locbo resume` lets the workers go on",
                  census.state[LOCBO_RUNNING]);
    return session_close(&s, EXIT_OK);
}

const command command_pause = {
    .name = "pause",
    .summary = "let the workers wait: no trial is handed out",
    .usage = "[-m TEXT]",
    .description =
        "Pauses the study: until `locbo resume` no trial is handed out, and `locbo ask` answers that there is "
        "nothing to do. Evaluations that run go on and their results are taken. Workers stay and wait, "
        "wherever they are; unlike `locbo stop` it does not end them. A pause of a paused study replaces "
        "the reason.",
    .examples = "    $ locbo pause -m 'the machine is needed until noon'\n"
                "    $ locbo resume\n",
    .options = (const arg_option *const[]){session_options, change_options, NULL},
    .run = run,
};
