/* cmd_run.c - locbo run: create or resume a study and run its command. Layer: cli, subcommand. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "run_summary.h"
#include "commands.h"
#include "exit_code.h"
#include "interrupt.h"
#include "mem.h"
#include "run_end.h"
#include "run_options.h"
#include "setup.h"
#include "text.h"
#include "words.h"
#include "worker.h"

/* If that many trials are complete there is nothing to do, and the stored number stays. */
static locbo_status store_plan(session *s, const locbo_plan *plan, const locbo_plan *before, locbo_error *error) {
    locbo_census census;
    locbo_plan stored = *plan;
    locbo_status status = locbo_study_census(s->study, &census, error);
    if (status != LOCBO_OK) return status;
    uint64_t done = census.state[LOCBO_COMPLETE] + census.state[LOCBO_PRUNED];
    if (plan->trials > 0 && plan->trials <= done && before->trials > plan->trials) stored.trials = before->trials;
    return locbo_study_set_plan(s->study, &stored, error);
}

/* The plan as stored, with what was given now on top; stored again if that changes anything. */
static int merge_plan(const setup *u, session *s, locbo_plan *plan) {
    locbo_error error;
    locbo_status status = locbo_study_plan(s->study, plan, &error);
    if (status != LOCBO_OK) {
        session_fail(s, &error);
        return 0;
    }
    locbo_plan before = *plan;
    plan->time = (double)NAN; /* that of an earlier run is over */
    if (!setup_plan(u, s, plan)) return 0;
    if (memcmp(&before, plan, sizeof before) != 0) status = store_plan(s, plan, &before, &error);
    if (status == LOCBO_OK) status = locbo_study_stop(s->study, NULL, &error);
    if (status == LOCBO_OK) return 1;
    session_fail(s, &error);
    return 0;
}

/* Commands that can be copied: with the database and the name, where they are not the defaults. */
static void next_commands(const session *s) {
    const char *more[4];
    size_t count = 0;
    if (!isatty(STDERR_FILENO)) return;
    if (strcmp(locbo_store_url(s->store), "sqlite:locbo.db") != 0) {
        more[count++] = "--db";
        more[count++] = locbo_store_url(s->store);
    }
    if (strcmp(locbo_study_name(s->study), "default") != 0) {
        more[count++] = "--name";
        more[count++] = locbo_study_name(s->study);
    }
    char *where = words_join(count, more);
    if (where) text_clean(where);
    if (where)
        fprintf(stderr,
                "\nNext:  locbo trials %s\n       locbo recommend %s\n"
                "       the same command with a larger -n continues\n",
                where, where);
    mem_free(where);
}

static int go(session *s, const setup *u, const locbo_plan *plan) {
    run_settings settings;
    char reason[WORKER_REASON] = "";
    if (!run_settings_read(&settings, s, u->file.jobs)) return s->code;
    worker_setup w = {.name = s->self->name,
                      .store = s->store,
                      .evaluation = run_settings_evaluation(&settings, s, plan),
                      .jobs = settings.jobs,
                      .own_command = settings.own != NULL,
                      .time = plan->time,
                      .quiet = settings.quiet,
                      .reason = reason};
    int code = worker_run(&w);
    run_settings_release(&settings);
    if (code == EXIT_OK || code == EXIT_INTERRUPTED || code == EXIT_FAILURES) {
        if (!session_refresh(s)) return s->code; /* it may have been altered meanwhile */
        int printed = run_summary_print(s);
        if (code == EXIT_OK) code = printed;
        if (code == EXIT_OK && !settings.quiet) next_commands(s);
        if (code == EXIT_INTERRUPTED)
            fprintf(stderr, "interrupted; all results are stored, the same command continues\n");
        run_end_run(s, reason);
    }
    return session_close(s, code);
}

static int run(const command *self, int argc, char **argv) {
    session s;
    setup u;
    locbo_plan plan;
    interrupt_take_finish(); /* at any time, also while the database is opened */
    if (!session_open(&s, self, argc, argv, SESSION_ARGS, 0, 0, 1)) return s.code;
    if (!setup_read(&u, &s)) return s.code;
    locbo_plan_init(&plan);
    /* everything that can be wrong is found before a study is created */
    if (!setup_plan(&u, &s, &plan) || !run_settings_check(&s, &u) || !run_end_check(&s)) {
        setup_release(&u);
        return s.code;
    }
    if (!setup_study(&u, &s, 1, &plan)) return s.code;
    if (!merge_plan(&u, &s, &plan)) {
        setup_release(&u);
        return s.code;
    }
    int code = go(&s, &u, &plan);
    setup_release(&u);
    return code;
}

static const arg_option end_options[] = {
    {"on-end", 0, "TEXT", "run this command at the end, with LOCBO_STUDY, LOCBO_REASON, LOCBO_BEST set"},
    {NULL, 0, NULL, NULL}};

static const arg_option *const options[] = {session_options, setup_options,  plan_options, run_options,
                                            end_options,     format_options, NULL};

const command command_run = {
    .name = "run",
    .summary = "optimise a program: create a study or continue one",
    .usage = "[STUDY.yaml] [options] [-- COMMAND...]",
    .description =
        "Runs COMMAND again and again with values of the parameters and looks for the best ones."
        " {NAME} in its words is replaced by the parameter's value, {seed} {trial} {attempt}"
        " {workdir} {result_file} likewise; without any parameter's placeholder --NAME=VALUE is"
        " appended for each. No shell is involved. The result is the last line it prints that is"
        " a number or a JSON object with \"value\" (or the file {result_file}); with --output one with the"
        " names of the outputs, {\"loss\": 0.3, \"memory\": 401}, or lines NAME=VALUE. Exit code 0: a"
        " result; 65: infeasible point; 75: try again; anything else: failed.\n\n"
        "While it runs it may print lines `step 10 0.53` or {\"step\": 10, \"value\": 0.53}: the value of the (first)"
        " objective at a step. They are stored, are no results, and with --prune a rule ends evaluations early that"
        " are hopeless (PRUNED).\n\n"
        "Everything is kept in the database as it happens. The same command again continues where"
        " it was, also after a crash; -n counts the completed trials of all runs, so a larger one"
        " continues a finished study.\n\n"
        "--on-end names a command that is run when the run ends, whatever the reason (not if there was nothing"
        " to do, or the database failed). It is split into words as in a study file, without a shell. Its"
        " environment has LOCBO_STUDY, LOCBO_REASON (\"all trials are complete\", \"interrupted\", \"too many"
        " failures\" ...) and LOCBO_BEST, the best value or nothing; what it prints is on standard error. It does"
        " not change the exit code: if it fails, a message says so.\n\n"
        "Exit codes: 0 done, or SIGUSR1 came and what ran is finished, 4 nothing to do, 7 too many failures,"
        " 130 interrupted; see locbo(1).",
    .examples = "    $ locbo run -p 'x~float(-5,10)' -p 'lr~log(1e-5,1)' -n 60 -j 2 -- ./sim --x={x} "
                "--lr={lr}\n"
                "    $ locbo run pump.yaml\n"
                "    $ locbo run -p 'x~float(0,1)' --output loss~minimize --output size~minimize --output "
                "'memory<=512' -n 60 -- "
                "./sim --x={x}\n"
                "    $ locbo run -p 'rate~log(1e-4,1)' -n 60 --prune risk -- ./train --rate={rate}\n"
                "    $ locbo run --name pump -n 100            # continue an existing study\n",
    .options = options,
    .run = run};
