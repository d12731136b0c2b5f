/* cmd_stop.c - locbo stop: ask the workers to end. Layer: cli, top. */
#include "commands.h"

#include <inttypes.h>
#include <stdio.h>

#include "exit_code.h"
#include "session.h"

static const arg_option stop_options[] = {{"undo", 0, NULL, "undo a stop: workers may continue"},
                                          {NULL, 0, NULL, NULL}};

static int run(const command *self, int argc, char **argv) {
    session s;
    locbo_error error;
    locbo_census census;
    if (!session_open(&s, self, argc, argv, SESSION_STUDY, 0, 0, 1)) return s.code;
    const char *reason = args_positional(&s.args, 0);
    int undo = args_get(&s.args, "undo") != NULL;
    if (undo && reason) return session_usage(&s, "--undo takes no reason, got '%s'", reason);
    if (!undo && !reason) reason = "by hand";
    locbo_status status = locbo_study_stop(s.study, undo ? NULL : reason, &error);
    if (status == LOCBO_OK) status = locbo_study_census(s.study, &census, &error);
    if (status != LOCBO_OK) return session_fail(&s, &error);
    if (undo)
        message_print(self->name, 0, "the stop was undone; start the workers again");
    else
        message_print(self->name, 0, "stopped; trials still running: %" PRIu64, census.state[LOCBO_RUNNING]);
    return session_close(&s, EXIT_OK);
}

const command command_stop = {
    .name = "stop",
    .summary = "ask all workers to end after their present trials",
    .usage = "[REASON] | --undo",
    .description = "Marks the study as stopped: workers, wherever they are, end after their present trials, and "
                   "`locbo ask` answers that there is nothing to do. Results may still be told. --undo takes it back; "
                   "the workers must then be started again.",
    .examples = "    $ locbo stop 'the machine is needed'\n"
                "    $ locbo stop --undo\n",
    .options = (const arg_option *const[]){session_options, stop_options, NULL},
    .run = run,
};
