/* cmd_beat.c - locbo beat: renew a lease, report a step. Layer: cli, top. */
#include "commands.h"

#include <math.h>

#include "exit_code.h"
#include "ask_tell.h"
#include "number.h"
#include "session.h"

static const double LAST_STEP = 9007199254740992; /* 2^53 */

static const arg_option beat_options[] = {{"attempt", 0, "A", "number of your attempt, as ask printed it"},
                                          {"lease", 0, "DURATION", "how long from now; none: never ends (1h)"},
                                          {"step", 0, "N", "the evaluation is at this step: its --value is stored"},
                                          {"value", 0, "VALUE", "of the first objective at that step"},
                                          {NULL, 0, NULL, NULL}};

/* --step and --value. Returns 0 after a message. */
static int read_step(session *s, int *given, locbo_step *step) {
    const char *number = args_get(&s->args, "step"), *value = args_get(&s->args, "value");
    double whole = 0;
    *given = number != NULL;
    if (!number && !value) return 1;
    if (!number || !value) return (session_usage(s, "--step and --value are given together"), 0);
    if (!number_parse(number, &whole) || !(whole >= 0 && whole <= LAST_STEP) || floor(whole) != whole)
        return (session_usage(s, "--step must be a whole number from 0 to 2^53, got '%s'", number), 0);
    step->step = (uint64_t)whole;
    return session_real(s, "--value", value, &step->value);
}

static int run(const command *self, int argc, char **argv) {
    session s;
    locbo_error error;
    uint64_t trial, number = 0;
    locbo_step step = {0};
    int with_step = 0, end = 0;
    double seconds = ASK_TELL_LEASE;
    if (!session_open(&s, self, argc, argv, SESSION_STUDY, 0, 1, 1)) return s.code;
    const char *attempt = args_get(&s.args, "attempt"), *lease = args_get(&s.args, "lease");
    if (!session_count(&s, "the trial", args_positional(&s.args, 0), &trial)) return s.code;
    if (attempt && !session_count(&s, "--attempt", attempt, &number)) return s.code;
    if (lease && ask_tell_lease(lease, &seconds, &error) != LOCBO_OK)
        return session_usage(&s, "--lease: %s", error.message);
    if (!read_step(&s, &with_step, &step)) return s.code;
    if (with_step && locbo_study_report(s.study, trial, number, 1, &step, &end, &error) != LOCBO_OK)
        return session_fail(&s, &error);
    if (end) return session_close(&s, EXIT_NOTHING);
    if (locbo_study_beat(s.study, trial, number, seconds, &error) != LOCBO_OK) return session_fail(&s, &error);
    return session_close(&s, EXIT_OK);
}

const command command_beat = {
    .name = "beat",
    .summary = "renew the lease of a trial",
    .usage = "TRIAL [--attempt A] [--lease DURATION] [--step N --value VALUE]",
    .description = "Says that a trial is still being evaluated: its lease now ends in an hour, or in --lease. Ends "
                   "with 1 if the trial has ended, or (with --attempt) if another worker has it: the evaluation may "
                   "then be given up, though its value would still be welcome.\n\n"
                   "--step and --value say how the evaluation is doing: they are stored, and the rule of the study "
                   "(--prune) may end it early. Ends with 4 if it did: the trial is PRUNED then, the evaluation is to "
                   "be stopped, and nothing is told. A step that is not larger than the last one is skipped.\n\n"
                   "Exit codes: 0 go on, 4 ended early, 1 it has ended or is another's; see locbo(1).",
    .examples = "    $ locbo beat 17 --attempt 1 --lease 10m\n"
                "    $ locbo beat 17 --step 10 --value 0.53 || break\n",
    .options = (const arg_option *const[]){session_options, beat_options, NULL},
    .run = run,
};
