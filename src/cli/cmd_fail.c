/* cmd_fail.c - locbo fail: a trial has failed after all. Layer: cli, top. */
#include "commands.h"

#include <inttypes.h>

#include "exit_code.h"
#include "mem.h"
#include "session.h"

static const arg_option fail_options[] = {
    {"infeasible", 0, NULL, "the point cannot be evaluated: INFEASIBLE, not FAILED"}, {NULL, 0, NULL, NULL}};

static int run(const command *self, int argc, char **argv) {
    session s;
    locbo_error error;
    size_t count;
    if (!session_open(&s, self, argc, argv, SESSION_STUDY, 0, 1, SIZE_MAX)) return s.code;
    int infeasible = args_get(&s.args, "infeasible") != NULL;
    uint64_t *trials = session_trials(&s, &count);
    if (!trials) return s.code;
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < count && status == LOCBO_OK; i++) {
        status = locbo_study_fail(s.study, trials[i], infeasible ? LOCBO_STATE_INFEASIBLE : LOCBO_STATE_FAILED,
                                  args_get(&s.args, "why"), &error);
        if (status == LOCBO_OK)
            message_print(self->name, 0, "trial %" PRIu64 " %s", trials[i],
                          infeasible ? "is infeasible now" : "has failed now");
    }
    mem_free(trials);
    return status == LOCBO_OK ? session_close(&s, EXIT_OK) : session_fail(&s, &error);
}

const command command_fail = {
    .name = "fail",
    .summary = "trials have failed after all",
    .usage = "TRIAL... [--infeasible] [-m TEXT]",
    .description =
        "Gives the trials the state FAILED, or INFEASIBLE, whatever they were: their results are taken back as "
        "by `locbo retract`, and proposals keep away from these points. A worker that evaluates one of "
        "them learns it by its next heartbeat and ends the evaluation. (A failure of an evaluation "
        "that you run yourself is told with `locbo tell TRIAL --failed`.)\n\n"
        "The trials are changed one by one; each is said when it is stored. `locbo log` lists it with its "
        "author and reason.",
    .examples = "    $ locbo fail 17 -m 'the mesh had collapsed'\n"
                "    $ locbo fail 3 8 9 --infeasible\n",
    .options = (const arg_option *const[]){session_options, change_options, fail_options, NULL},
    .run = run,
};
