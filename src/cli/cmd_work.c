/* cmd_work.c - locbo work: one more worker of a study. Layer: cli, subcommand. */
#include <math.h>
#include <stdio.h>

#include "commands.h"
#include "exit_code.h"
#include "interrupt.h"
#include "run_options.h"
#include "worker.h"

static const arg_option work_options[] = {{"time", 0, "DURATION", "start no trial after this time (90s, 10m, 2h)"},
                                          {NULL, 0, NULL, NULL}};

static int run(const command *self, int argc, char **argv) {
    session s;
    locbo_plan plan = {.struct_size = sizeof plan};
    locbo_error error;
    run_settings settings;
    interrupt_take_finish(); /* at any time, also while the database is opened */
    if (!session_open(&s, self, argc, argv, SESSION_STUDY, 0, 0, 0)) return s.code;
    double time = (double)NAN;
    const char *text = args_get(&s.args, "time");
    if (text && !session_duration(&s, "--time", text, &time)) return s.code;
    if (locbo_study_plan(s.study, &plan, &error) != LOCBO_OK) return session_fail(&s, &error);
    if (!run_settings_read(&settings, &s, 0)) return s.code;
    worker_setup w = {.name = self->name,
                      .store = s.store,
                      .evaluation = run_settings_evaluation(&settings, &s, &plan),
                      .jobs = settings.jobs,
                      .own_command = settings.own != NULL,
                      .time = time,
                      .quiet = settings.quiet};
    int code = worker_run(&w);
    run_settings_release(&settings);
    return session_close(&s, code);
}

static const arg_option *const options[] = {session_options, work_options, run_options, NULL};

const command command_work = {
    .name = "work",
    .summary = "join a study as one more worker, on this machine or another",
    .usage = "[options]",
    .description = "Evaluates trials of an existing study beside its other workers, with the command that"
                   " the study holds, until the study's stop rules hold. Through PostgreSQL the workers may"
                   " be on any number of machines; a SQLite file is for those of one. A worker that dies is"
                   " noticed by its silence (the study's lease), and its trials are given to others.\n\n"
                   "SIGTERM ends the evaluations, within the time of --grace, and their trials wait again (exit code"
                   " 130). SIGUSR1, which batch systems can send before the time limit of a job: the present"
                   " evaluations are finished and no other is started (exit code 0).\n\n"
                   "Anyone who can write the database decides which command its workers run, with their user's"
                   " rights. Use --command to decide it here instead.",
    .examples = "    $ locbo work --db postgresql://db.example.org/lab --name pump\n"
                "    $ locbo work --name pump -j 4 --time 8h\n",
    .options = options,
    .run = run};
