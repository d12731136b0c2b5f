/* run_options.h - the settings of this process that `run` and `work` share: how many at once, which command, where. */
#ifndef RUN_OPTIONS_H
#define RUN_OPTIONS_H

#include "evaluation.h"
#include "session.h"
#include "setup.h"

extern const arg_option run_options[]; /* -j, --command, --workdir, --grace, --pass-credentials, -q */

typedef struct run_settings {
    size_t jobs;
    int quiet, pass_credentials;
    const char *workdir;
    double grace; /* seconds */
    char **own;   /* --command, split; NULL: the study's */
    size_t own_count;
} run_settings;

/* Check the options before anything is made. Returns 1; otherwise all is released and s->code says how it ends. */
int run_settings_check(session *s, setup *u);
/* Read them; the study is open. `jobs`: of the study file, 0 if none. Returns 1 or 0 as above. */
int run_settings_read(run_settings *r, session *s, unsigned jobs);
evaluation_setup run_settings_evaluation(const run_settings *r, const session *s, const locbo_plan *plan);
void run_settings_release(run_settings *r);

#endif
