/* run_options.c - the settings of this process that `run` and `work` share. Layer: cli, middle. */
#include "run_options.h"

#include <string.h>

#include "exit_code.h"
#include "mem.h"
#include "template.h"
#include "words.h"

const arg_option run_options[] = {
    {"jobs", 'j', "N", "evaluations at once (1)"},
    {"command", 0, "TEXT", "run this command here instead of the study's"},
    {"workdir", 0, "DIR", "keep each trial's {workdir} below DIR (temporary ones otherwise)"},
    {"grace", 0, "DURATION", "from SIGTERM to SIGKILL, when an evaluation is ended (5s)"},
    {"pass-credentials", 0, NULL, "leave LOCBO_DB, PGPASSWORD and the like in the command's environment"},
    {"quiet", 'q', NULL, "no progress"},
    {NULL, 0, NULL, NULL}};

enum { JOBS_MOST = 1024 };

static int read_jobs(session *s, unsigned of_file, size_t *jobs) {
    const char *text = args_get(&s->args, "jobs");
    uint64_t count = of_file ? of_file : 1;
    if (text && !session_count(s, "--jobs", text, &count)) return 0;
    if (count > JOBS_MOST) {
        session_usage(s, "--jobs must be at most %d, got %s", JOBS_MOST, text ? text : "more");
        return 0;
    }
    *jobs = (size_t)count;
    return 1;
}

static int read_grace(session *s, double *grace) {
    const char *text = args_get(&s->args, "grace");
    *grace = CHILD_GRACE;
    return !text || session_delay(s, "--grace", text, grace);
}

/* Checked first: the command of a stored study cannot be changed. */
static int check_program(session *s, const setup *u) {
    locbo_error error;
    const char *program = u->definition.command_count ? u->definition.command[0] : NULL;
    if (!program || strchr(program, '{') || args_get(&s->args, "command")) return 1;
    if (child_find(program, &error) == LOCBO_OK) return 1;
    message_print(s->self->name, 0, "%s", error.message);
    session_close(s, EXIT_RUNTIME);
    return 0;
}

int run_settings_check(session *s, setup *u) {
    size_t jobs;
    double grace;
    u->must_exist = u->definition.command_count == 0 && !args_get(&s->args, "command");
    return read_jobs(s, u->file.jobs, &jobs) && read_grace(s, &grace) && check_program(s, u);
}

int run_settings_read(run_settings *r, session *s, unsigned jobs) {
    locbo_error error;
    const char *own = args_get(&s->args, "command");
    *r = (run_settings){.quiet = args_get(&s->args, "quiet") != NULL,
                        .pass_credentials = args_get(&s->args, "pass-credentials") != NULL,
                        .workdir = args_get(&s->args, "workdir")};
    if (!read_jobs(s, jobs, &r->jobs) || !read_grace(s, &r->grace)) return 0;
    locbo_status status = own ? words_split(own, &r->own, &r->own_count, &error) : LOCBO_OK;
    evaluation_setup e = run_settings_evaluation(r, s, NULL);
    if (status == LOCBO_OK && e.command_count == 0)
        status = status_fail(&error, LOCBO_ERR_ARGUMENT,
                             "the study '%s' has no command: give --command, or use ask and tell",
                             locbo_study_name(s->study));
    if (status == LOCBO_OK) status = template_check(e.space, e.command_count, e.command, &error);
    if (status == LOCBO_OK) return 1;
    run_settings_release(r);
    session_fail(s, &error);
    return 0;
}

evaluation_setup run_settings_evaluation(const run_settings *r, const session *s, const locbo_plan *plan) {
    evaluation_setup e = {.store = s->store,
                          .study = s->study,
                          .space = s->definition.space,
                          .outputs = s->definition.outputs,
                          .command_count = s->definition.command_count,
                          .command = s->definition.command,
                          .plan = plan,
                          .pass_credentials = r->pass_credentials,
                          .workdir = r->workdir,
                          .grace = r->grace};
    if (r->own) {
        e.command_count = r->own_count;
        e.command = (const char *const *)r->own;
    }
    return e;
}

void run_settings_release(run_settings *r) {
    mem_free(r->own);
    r->own = NULL;
}
