/* cmd_create.c - locbo create: a study, without running anything. Layer: cli, subcommand. */

#include "commands.h"
#include "exit_code.h"
#include "setup.h"

static int run(const command *self, int argc, char **argv) {
    session s;
    setup u;
    locbo_plan plan;
    if (!session_open(&s, self, argc, argv, SESSION_ARGS, 0, 0, 1)) return s.code;
    if (!setup_read(&u, &s)) return s.code;
    if (!u.has_definition) {
        setup_release(&u);
        return session_usage(&s, "no parameters: give -p NAME~DIST, or a study file");
    }
    locbo_plan_init(&plan);
    if (!setup_plan(&u, &s, &plan)) {
        setup_release(&u);
        return s.code;
    }
    if (!setup_study(&u, &s, 0, &plan)) return s.code;
    setup_release(&u);
    message_print(self->name, 0, "created the study '%s' in %s", locbo_study_name(s.study), locbo_store_url(s.store));
    return session_close(&s, EXIT_OK);
}

static const arg_option *const options[] = {session_options, setup_options, plan_options, NULL};

const command command_create = {
    .name = "create",
    .summary = "create a study",
    .usage = "[STUDY.yaml] [options] [-- COMMAND...]",
    .description = "Creates a study in the database (and the database, if there is none), without running"
                   " anything. The parameters come from a study file or from -p, several outputs from the file or from"
                   " --output. A command is needed only for"
                   " `locbo run` and `locbo work`; with `locbo ask` and `locbo tell` you evaluate yourself.",
    .examples = "    $ locbo create --name pump -p 'x~float(-5,10)' -p 'mode~cat(a,b)' --maximize\n"
                "    $ locbo create pump.yaml --db postgresql://db.example.org/lab\n",
    .options = options,
    .run = run};
