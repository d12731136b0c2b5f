/* cmd_retract.c - locbo retract: take back a trial, or one of its results. Layer: cli, top. */
#include "commands.h"

#include <inttypes.h>

#include "exit_code.h"
#include "mem.h"
#include "rows.h"
#include "session.h"

static const arg_option retract_options[] = {
    {"result", 0, "N", "only the N-th result of the trial, as `locbo show` numbers them"}, {NULL, 0, NULL, NULL}};

static locbo_status retract(session *s, size_t count, const uint64_t *trials, uint64_t number, locbo_error *error) {
    const char *why = args_get(&s->args, "why");
    uint64_t sequence = 0; /* all of the trial */
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < count && status == LOCBO_OK; i++) {
        if (number) status = rows_find_result(s->study, trials[i], number, &sequence, error);
        if (status == LOCBO_OK) status = locbo_study_retract(s->study, trials[i], sequence, why, error);
        if (status != LOCBO_OK) break;
        if (number)
            message_print(s->self->name, 0, "result %" PRIu64 " of trial %" PRIu64 " was taken back", number,
                          trials[i]);
        else
            message_print(s->self->name, 0, "trial %" PRIu64 " was taken back", trials[i]);
    }
    return status;
}

static int run(const command *self, int argc, char **argv) {
    session s;
    locbo_error error;
    size_t count;
    uint64_t number = 0;
    if (!session_open(&s, self, argc, argv, SESSION_STUDY, 0, 1, SIZE_MAX)) return s.code;
    const char *result = args_get(&s.args, "result");
    if (result && !session_count(&s, "--result", result, &number)) return s.code;
    if (result && args_positionals(&s.args) > 1)
        return session_usage(&s, "--result is for one trial, got %zu", args_positionals(&s.args));
    uint64_t *trials = session_trials(&s, &count);
    if (!trials) return s.code;
    locbo_status status = retract(&s, count, trials, number, &error);
    mem_free(trials);
    return status == LOCBO_OK ? session_close(&s, EXIT_OK) : session_fail(&s, &error);
}

const command command_retract = {
    .name = "retract",
    .summary = "take back trials, or one result of a trial",
    .usage = "TRIAL... [--result N] [-m TEXT]",
    .description =
        "Takes back what was told of the trials: results, a failure, an infeasible point; with --result only "
        "one result. It stays visible (`locbo show`), but the model no longer knows it, and fits of the "
        "model that knew it are dropped. What was believed when later trials were proposed stays. A trial "
        "that has nothing left has the state RETRACTED. So has one that waits, which is then not handed "
        "out, and one that runs: its worker learns it by its next heartbeat and ends the evaluation. A "
        "result that is told afterwards counts again: to correct a typing error, take the result back and "
        "tell the right one.\n\n"
        "The trials are taken back one by one; each is said when it is stored. `locbo log` lists it with "
        "its author and reason.",
    .examples = "    $ locbo retract 17 -m 'the cable was loose'\n"
                "    $ locbo retract 17 --result 2 && locbo tell 17 0.71\n",
    .options = (const arg_option *const[]){session_options, change_options, retract_options, NULL},
    .run = run,
};
