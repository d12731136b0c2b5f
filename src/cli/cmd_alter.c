/* cmd_alter.c - locbo alter: another definition or plan for a study. Layer: cli, subcommand. */
#include "commands.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "redefinition.h"
#include "difference.h"
#include "exit_code.h"
#include "mem.h"
#include "setup.h"
#include "template.h"
#include "text.h"
#include "value.h"
#include "words.h"

/* The study may be altered by others meanwhile. */
enum { TRIES = 3 };

static const arg_option alter_options[] = {
    {"past", 0, "NAME=VALUE", "the value that trials so far are taken to have had of a new parameter"},
    {"freeze", 0, "NAME=VALUE", "every further trial has this value: so a parameter is removed"},
    {"unfreeze", 0, "NAME", "vary the parameter again"},
    {"retire", 0, "NAME=CATEGORY", "no further trial has this category"},
    {"unretire", 0, "NAME=CATEGORY", "further trials may have it again"},
    {"no-constraint", 0, "EXPRESSION", "take away a constraint, by its text"},
    {"command", 0, "TEXT", "another command, as one text; or its words after --"},
    {"dry-run", 0, NULL, "only say what would change"},
    {NULL, 0, NULL, NULL}};

/* What the command line and the file want, and what comes of it. */
typedef struct altering {
    session *s;
    setup u; /* of it only the file */
    int has_file;
    locbo_options options; /* those of the file, with those of the command line */
    size_t count;
    redefinition_edit *edits;
    size_t command_count;
    const char *const *command;
    char **split; /* memory of --command */
    /* of a try */
    redefinition made;
    const char *unmentioned; /* a new parameter that the command does not get; NULL: none */
    locbo_plan plan, wanted;
    difference what;
    int definition_differs;
    locbo_alteration effect;
} altering;

/* ---- what is wanted ---------------------------------------------------------------------------- */

/* What the file says cannot be said beside it. */
static locbo_status refuse_beside(const char *option, const char *value, locbo_error *error) {
    return status_fail(error, LOCBO_ERR_ARGUMENT, "%s %.80s: the study file says it, so write it there", option, value);
}

static locbo_status read_edits(altering *a, locbo_error *error) {
    const args *given = &a->s->args;
    a->edits = mem_new(given->count + 1, sizeof *a->edits);
    if (!a->edits) return status_no_memory(error);
    for (size_t i = 0; i < given->count; i++) {
        const arg *item = &given->items[i];
        for (int k = 0; k < ALTER_KINDS && item->option; k++) {
            const char *option = redefinition_option((redefinition_kind)k);
            if (strcmp(item->option->name, option + 2) != 0) continue;
            int whole = k == ALTER_PARAMETER || k == ALTER_CONSTRAINT || k == ALTER_NO_CONSTRAINT ||
                        k == ALTER_OUTPUT || k == ALTER_FIDELITY || k == ALTER_COST;
            if (a->has_file && whole) return refuse_beside(option, item->value, error);
            a->edits[a->count++] = (redefinition_edit){(redefinition_kind)k, item->value};
        }
    }
    return LOCBO_OK;
}

static locbo_status read_command(altering *a, locbo_error *error) {
    const args *given = &a->s->args;
    const char *text = args_get(given, "command");
    if (given->separated && given->after == 0)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "there is no command after --");
    if (text && given->after > 0)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "--command %.80s: there is another command after --", text);
    a->command_count = given->after;
    a->command = (const char *const *)given->command;
    if (!text) return LOCBO_OK;
    locbo_status status = words_split(text, &a->split, &a->command_count, error);
    a->command = (const char *const *)a->split;
    if (status == LOCBO_OK && (a->command_count == 0 || !a->command[0][0]))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "--command '%.80s': there is no program's name", text);
    return status;
}

static locbo_status read_file(altering *a, locbo_error *error) {
    const char *path = args_positional(&a->s->args, 0);
    if (!path) return LOCBO_OK;
    locbo_status status = study_file_read(path, &a->u.file, error);
    if (status != LOCBO_OK) return status;
    a->has_file = 1;
    a->options = a->u.file.options;
    return setup_apply_options(&a->s->args, &a->options, error);
}

static locbo_status open_study(altering *a, locbo_error *error) {
    session *s = a->s;
    const char *name = args_get(&s->args, "name");
    const char *url = a->u.file.db && !args_get(&s->args, "db") ? a->u.file.db : session_url(&s->args);
    if (!name && a->has_file) name = a->u.file.name ? a->u.file.name : "default";
    locbo_status status = locbo_store_open(&s->store, url, LOCBO_STORE_EXISTING, error);
    if (status == LOCBO_OK) status = session_author(s, s->store, error);
    return status == LOCBO_OK ? locbo_study_open(&s->study, s->store, name, error) : status;
}

/* ---- the definition that the study is to have -------------------------------------------------- */

static locbo_status refuse_missing(const altering *a, locbo_error *error) {
    if (a->made.missing)
        return status_fail(
            error, LOCBO_ERR_ARGUMENT,
            "%.80s does not have the parameter %.40s of the study: add --freeze '%.40s=VALUE', the value "
            "that further trials are to have",
            args_positional(&a->s->args, 0), a->made.missing, a->made.missing);
    return status_fail(error, LOCBO_ERR_ARGUMENT,
                       "the parameter %.40s is new: add --past '%.40s=VALUE', the value that trials so far had",
                       a->made.pastless, a->made.pastless);
}

static locbo_status make_definition(altering *a, const locbo_definition *study, locbo_error *error) {
    const study_file *f = &a->u.file;
    const locbo_definition given = {.struct_size = sizeof given,
                                    .space = f->space,
                                    .options = &a->options,
                                    .command_count = f->command_count,
                                    .command = (const char *const *)f->command,
                                    .outputs = f->outputs};
    locbo_status status = redefinition_make(&a->made, study, a->has_file ? &given : NULL, a->count, a->edits, error);
    if (status == LOCBO_OK && !a->has_file) status = setup_apply_options(&a->s->args, &a->made.options, error);
    if (status != LOCBO_OK) return status;
    if (a->made.missing || a->made.pastless) return refuse_missing(a, error);
    if (a->command_count > 0) {
        a->made.definition.command_count = a->command_count;
        a->made.definition.command = a->command;
    }
    const locbo_definition *d = &a->made.definition;
    status = setup_refuse_direction(&a->s->args, d->outputs, error);
    return status == LOCBO_OK ? template_check(d->space, d->command_count, d->command, error) : status;
}

/* Whether a word has {NAME} or {NAME:...}. */
static int mentions(const locbo_definition *d, const char *name) {
    size_t length = strlen(name);
    for (size_t i = 0; i < d->command_count; i++)
        for (const char *c = strchr(d->command[i], '{'); c; c = strchr(c + 1, '{'))
            if (strncmp(c + 1, name, length) == 0 && (c[1 + length] == '}' || c[1 + length] == ':')) return 1;
    return 0;
}

/* A new parameter whose value the command does not get, though it gets those of others. */
static void find_unmentioned(altering *a, const locbo_definition *study) {
    const locbo_definition *d = &a->made.definition;
    int any = 0;
    size_t at;
    locbo_parameter p;
    a->unmentioned = NULL;
    for (size_t i = 0; i < locbo_space_dim(d->space); i++) {
        locbo_space_parameter(d->space, i, &p, NULL);
        int there = mentions(d, p.name);
        any |= there;
        if (!there && locbo_space_find(study->space, p.name, &at, NULL) != LOCBO_OK) a->unmentioned = p.name;
    }
    if (!any) a->unmentioned = NULL; /* all are appended */
}

/* 0: there was a message, and the session is closed. */
static int make_plan(altering *a, const locbo_outputs *before) {
    session *s = a->s;
    a->wanted = a->plan;
    difference_move_targets(before, a->made.definition.outputs, &a->wanted);
    s->definition = a->made.definition; /* whose outputs the targets name */
    return setup_plan(&a->u, s, &a->wanted);
}

/* What differs; the command of `made` may be the study's own, which an alteration replaces. */
static locbo_status find_differences(altering *a, const locbo_definition *study, locbo_error *error) {
    difference_release(&a->what);
    locbo_status status = difference_find(study, &a->made.definition, NULL, NULL, &a->what, error);
    a->definition_differs = a->what.count > 0;
    difference_release(&a->what);
    if (status != LOCBO_OK) return status;
    return difference_find(study, &a->made.definition, &a->plan, &a->wanted, &a->what, error);
}

/* ---- a try ------------------------------------------------------------------------------------- */

/* 0: make_plan has ended it. */
static int try_once(altering *a, locbo_status *status, locbo_error *error) {
    session *s = a->s;
    locbo_definition study = {.struct_size = sizeof study};
    redefinition_release(&a->made);
    a->plan = (locbo_plan){.struct_size = sizeof a->plan};
    *status = locbo_study_definition(s->study, &study, error);
    if (*status == LOCBO_OK) *status = locbo_study_plan(s->study, &a->plan, error);
    if (*status == LOCBO_OK) *status = make_definition(a, &study, error);
    if (*status != LOCBO_OK) return 1;
    find_unmentioned(a, &study);
    if (!make_plan(a, study.outputs)) return 0;
    *status = find_differences(a, &study, error);
    if (*status == LOCBO_OK && a->what.count > 0)
        *status =
            locbo_study_alter(s->study, a->definition_differs ? &a->made.definition : NULL, &a->wanted,
                              args_get(&s->args, "why"), args_get(&s->args, "dry-run") != NULL, &a->effect, error);
    return 1;
}

/* ---- what was done ----------------------------------------------------------------------------- */

static void add_part(char *text, size_t size, const char *format, const char *words) {
    size_t used = strlen(text);
    snprintf(text + used, size - used, used > 0 ? "; " : ": ");
    used = strlen(text);
    snprintf(text + used, size - used, format, words);
}

/* ": 3 results are outside the space and stay in the model; ..." */
static void describe_effect(const locbo_alteration *e, char *text, size_t size) {
    text[0] = '\0';
    if (e->outside > 0)
        add_part(text, size,
                 e->outside == 1 ? "%s is outside the space and stays in the model"
                                 : "%s are outside the space and stay in the model",
                 value_count(e->outside, "result").text);
    if (e->aside > 0)
        add_part(text, size,
                 e->aside == 1 ? "%s has no place in the space and is set aside"
                               : "%s have no place in the space and are set aside",
                 value_count(e->aside, "result").text);
    if (e->withdrawn > 0)
        add_part(text, size, e->withdrawn == 1 ? "%s is withdrawn" : "%s are withdrawn",
                 value_count(e->withdrawn, "waiting trial").text);
    if (e->fits > 0) add_part(text, size, "%s", "the model is fitted anew");
}

static void report(const altering *a) {
    const session *s = a->s;
    char effect[400];
    const char *name = locbo_study_name(s->study);
    if (a->what.count == 0) {
        message_print(s->self->name, 0, "nothing differs: the study '%s' is like that already", name);
        return;
    }
    for (size_t i = 0; i < a->what.count; i++) {
        text_clean(a->what.lines[i]);
        printf("%s\n", a->what.lines[i]);
    }
    fflush(stdout); /* before what is said of it */
    if (a->unmentioned)
        message_print(s->self->name, 0, "the command has no {%s}: it gets the new parameter only as LOCBO_PARAM_%s",
                      a->unmentioned, a->unmentioned);
    describe_effect(&a->effect, effect, sizeof effect);
    if (args_get(&s->args, "dry-run"))
        message_print(s->self->name, 0, "this would alter the study '%s'%s", name, effect);
    else
        message_print(s->self->name, 0, "altered the study '%s', event %" PRIu64 "%s", name, a->effect.event, effect);
}

/* ---- the subcommand ---------------------------------------------------------------------------- */

static void release(altering *a) {
    study_file_release(&a->u.file);
    mem_free(a->edits);
    mem_free(a->split);
    redefinition_release(&a->made);
    difference_release(&a->what);
}

static int alter(altering *a) {
    locbo_error error;
    locbo_status status = read_file(a, &error);
    if (status == LOCBO_OK) status = read_edits(a, &error);
    if (status == LOCBO_OK) status = read_command(a, &error);
    if (status == LOCBO_OK) status = open_study(a, &error);
    for (int i = 0; i < TRIES && status == LOCBO_OK; i++) {
        if (!try_once(a, &status, &error)) return a->s->code;
        if (status != LOCBO_ERR_CHANGED) break;
        status = i + 1 < TRIES ? locbo_study_refresh(a->s->study, NULL, &error) : status;
    }
    if (status != LOCBO_OK) return session_fail(a->s, &error);
    report(a);
    return session_close(a->s, EXIT_OK);
}

static int run(const command *self, int argc, char **argv) {
    session s;
    if (!session_open(&s, self, argc, argv, SESSION_ARGS, 0, 0, 1)) return s.code;
    altering a = {.s = &s};
    int code = alter(&a);
    release(&a);
    return code;
}

static const arg_option *const options[] = {session_options, setup_options,  alter_options,
                                            plan_options,    change_options, NULL};

const command command_alter = {
    .name = "alter",
    .summary = "change what a study is: ranges, parameters, outputs, options, command, plan",
    .usage = "[STUDY.yaml] [options] [-- COMMAND...]",
    .description =
        "Changes the definition or the plan of a study that exists, and prints a line for each difference. Its trials "
        "and "
        "results stay. With a study file the study becomes as the file says.\n\n"
        "-p gives a parameter anew: its range, step, categories and condition. A category that is left out is retired: "
        "no "
        "further trial has it. A name that the study does not have is a new parameter, which needs --past: the value "
        "that "
        "trials so far are taken to have had. A parameter is not removed but frozen at a value (--freeze); results "
        "with "
        "other values still inform the model. --output changes the output of that name, or adds one; one that is no "
        "longer "
        "wanted becomes NAME~record. A derived output (of=EXPRESSION) is computed for earlier results too. --fidelity "
        "gives the fidelity parameter anew, or says which one it is (--fidelity NAME), or that there is none any more "
        "(none): when its upper end is moved up, results at the old one are of a lower fidelity.\n\n"
        "Results outside new ranges stay in the model; waiting trials outside are withdrawn (RETRACTED); trials that "
        "run end "
        "as they began. The model is fitted anew, and coverage is counted from here on. Workers take the change over "
        "with "
        "their next trial. `locbo log` lists what was changed, when, by whom and why.",
    .examples = "    $ locbo alter -p 'x~float(0,2)' -m 'the best was on the bound'\n"
                "    $ locbo alter -p 'rate~log(1e-4,1)' --past rate=0.01 -- ./sim {x} {rate}\n"
                "    $ locbo alter --freeze minutes=35 --retire mode=slow --dry-run\n"
                "    $ locbo alter --fidelity 'epochs~int(1,243)' --budget 40000\n"
                "    $ locbo alter --output 'memory<=400' --set alpha=0.1 -n 200\n"
                "    $ locbo alter pump.yaml\n",
    .options = options,
    .run = run};
