/* setup.h - a study from the command line and a study file: what it is, how it is run, where it lives. */
#ifndef SETUP_H
#define SETUP_H

#include "session.h"
#include "study_file.h"

extern const arg_option
    setup_options[]; /* -p, --constraint, --maximize, --minimize, --output, --method, --seed, --set */
extern const arg_option plan_options[]; /* -n, --time, --target, --no-improvement, --timeout, --retries, ... */

typedef struct setup {
    study_file file;             /* of the first positional argument; empty without one */
    int has_definition;          /* parameters were given, here or in the file */
    int must_exist;              /* but no command: enough to continue a study, not to create one */
    locbo_definition definition; /* pointers into `file`, `space`, argv */
    locbo_space *space;
    locbo_outputs *outputs; /* of --output; NULL: none */
    locbo_options options;
    const char *name, *url; /* name NULL: not given */
} setup;

/* Read file and arguments, check everything that can be checked without a database. Returns 1 to continue; otherwise
 * all is released and s->code says how it ends. */
int setup_read(setup *u, session *s);
void setup_release(setup *u);

/* Open the study, or create it with this plan. `may_open`: an existing one that agrees is fine. s->store and s->study
 * are set. Returns 1, or 0 as above. */
int setup_study(setup *u, session *s, int may_open, const locbo_plan *plan);
/* The options of the command line, in the order given, so that the last one wins. */
locbo_status setup_apply_options(const args *given, locbo_options *options, locbo_error *error);
/* A direction belongs to one output; of several each has its goal. */
locbo_status setup_refuse_direction(const args *given, const locbo_outputs *outputs, locbo_error *error);
/* What the file and the command line say of the plan, on top of what is there. Returns 1, or 0 as above. */
int setup_plan(const setup *u, session *s, locbo_plan *plan);

#endif
