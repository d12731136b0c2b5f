/* cmd_beat.c - locbo beat: renew a lease. Layer: cli, top. */
#include "commands.h"

#include "exit_code.h"
#include "ask_tell.h"
#include "session.h"

static const arg_option beat_options[] = {{"attempt", 0, "A", "number of your attempt, as ask printed it"},
                                          {"lease", 0, "DURATION", "how long from now; none: never ends (1h)"},
                                          {NULL, 0, NULL, NULL}};

static int run(const command *self, int argc, char **argv) {
    session s;
    locbo_error error;
    uint64_t trial, number = 0;
    double seconds = ASK_TELL_LEASE;
    if (!session_open(&s, self, argc, argv, SESSION_STUDY, 0, 1, 1)) return s.code;
    const char *attempt = args_get(&s.args, "attempt"), *lease = args_get(&s.args, "lease");
    if (!session_count(&s, "the trial", args_positional(&s.args, 0), &trial)) return s.code;
    if (attempt && !session_count(&s, "--attempt", attempt, &number)) return s.code;
    if (lease && ask_tell_lease(lease, &seconds, &error) != LOCBO_OK)
        return session_usage(&s, "--lease: %s", error.message);
    if (locbo_study_beat(s.study, trial, number, seconds, &error) != LOCBO_OK) return session_fail(&s, &error);
    return session_close(&s, EXIT_OK);
}

const command command_beat = {
    .name = "beat",
    .summary = "renew the lease of a trial",
    .usage = "TRIAL [--attempt A] [--lease DURATION]",
    .description = "Says that a trial is still being evaluated: its lease now ends in an hour, or in --lease. Ends "
                   "with 1 if the trial has ended, or (with --attempt) if another worker has it: the evaluation may "
                   "then be given up, though its value would still be welcome.",
    .examples = "    $ locbo beat 17 --attempt 1 --lease 10m\n",
    .options = (const arg_option *const[]){session_options, beat_options, NULL},
    .run = run,
};
