/* setup.c - a study from the command line and a study file. Layer: cli, middle. */
#include "setup.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "disagreement.h"
#include "distribution.h"
#include "enqueue_lines.h"
#include "exit_code.h"
#include "goal.h"
#include "mem.h"
#include "nearest.h"
#include "number.h"
#include "rows.h"
#include "template.h"
#include "value.h"

const arg_option setup_options[] = {
    {"param", 'p', "NAME~DIST",
     "a parameter: float(LO,HI[,STEP]) log(LO,HI) int(LO,HI[,STEP]) intlog(LO,HI) cat(A,B,...) "
     "ordered(A,B,...) bool; then, if it is not always active, when NAME=VALUE or when NAME "
     "in (VALUE,...)"},
    {"fidelity", 0, "NAME~DIST",
     "a parameter that says how thorough an evaluation is, as epochs~int(1,81): what counts is its upper end"},
    {"cost", 0, "EXPRESSION", "what an evaluation costs, as 'epochs * width'; without it the seconds that it takes"},
    {"constraint", 0, "EXPRESSION", "only points for which it holds, as 'a + b <= 1' (may be repeated)"},
    {"maximize", 0, NULL, "larger is better"},
    {"minimize", 0, NULL, "smaller is better (the default)"},
    {"output", 0, "NAME~GOAL", "one of several outputs: NAME~minimize, ~maximize, ~record, NAME<=BOUND, NAME>=BOUND"},
    {"method", 0, "METHOD", "locbo (default), bo, cbo, ocbo, ocbo-l or random"},
    {"seed", 0, "SEED", "seed of all random numbers"},
    {"set", 0, "NAME=VALUE", "any option of `locbo options`"},
    {NULL, 0, NULL, NULL}};

const arg_option plan_options[] = {
    {"trials", 'n', "N", "stop at N completed trials, those of earlier runs included"},
    {"evaluations", 0, "N", "stop at N trials, failed and infeasible ones included; or none"},
    {"budget", 0, "COST", "start no trial once evaluations have cost this, in units of --cost or seconds; or none"},
    {"confirm", 0, "N", "the last N of the trials measure the recommended point (0)"},
    {"time", 0, "DURATION", "start no trial after this time of this run (90s, 10m, 2h)"},
    {"target", 0, "VALUE",
     "stop at a mean measured at a point as good as this; of outputs NAME=VALUE, all of them; or none"},
    {"no-improvement", 0, "N", "stop after N completed trials without a better value; or none"},
    {"expected-gain", 0, "GAIN", "stop when the model's last 5 proposals promised less improvement than this; or none"},
    {"timeout", 0, "DURATION", "end an evaluation that takes longer (it has failed); or none"},
    {"retries", 0, "N", "try again after a transient failure, N times (3)"},
    {"retry-delay", 0, "DURATION", "wait before the first retry; doubles each time (1s)"},
    {"max-failures", 0, "N", "give up after N failures in a row (5; 0: never)"},
    {"max-lost", 0, "N", "try again what was killed or lost its worker, N times (as --retries)"},
    {"lease", 0, "DURATION", "a worker without a sign of life for this time is counted as dead (60s)"},
    {"prune", 0, "RULE", "end hopeless evaluations early, by the steps they print: " VALUE_PRUNES " (none)"},
    {"prune-risk", 0, "DELTA",
     "of the rule risk: the share of trials that may be ended although they would be the best (0.05)"},
    {NULL, 0, NULL, NULL}};

/* ---- what it is -------------------------------------------------------------------------------- */

static locbo_status check_option(const char *name, locbo_error *error) {
    nearest guess = {.word = name};
    char hint[80];
    if (strcmp(name, "preset") == 0) return LOCBO_OK; /* several at once */
    for (size_t i = 0; i < locbo_option_count(); i++) {
        locbo_option option;
        locbo_option_describe(i, &option, NULL);
        if (strcmp(option.name, name) == 0) return LOCBO_OK;
        nearest_consider(&guess, option.name);
    }
    nearest_consider(&guess, "preset");
    nearest_hint(&guess, "", hint, sizeof hint);
    return status_fail(error, LOCBO_ERR_ARGUMENT, "--set: there is no option '%s'%s; `locbo options` lists them", name,
                       hint);
}

static locbo_status set_pair(locbo_options *options, const char *pair, locbo_error *error) {
    char name[64];
    const char *equals = strchr(pair, '=');
    if (!equals || equals == pair || (size_t)(equals - pair) >= sizeof name)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "--set takes NAME=VALUE, got '%s'", pair);
    memcpy(name, pair, (size_t)(equals - pair));
    name[equals - pair] = '\0';
    locbo_status status = check_option(name, error);
    return status == LOCBO_OK ? locbo_options_set(options, name, equals + 1, error) : status;
}

locbo_status setup_apply_options(const args *given, locbo_options *options, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < given->count && status == LOCBO_OK; i++) {
        const arg *a = &given->items[i];
        const char *name = a->option ? a->option->name : "";
        if (strcmp(name, "maximize") == 0 || strcmp(name, "minimize") == 0)
            status = locbo_options_set(options, "direction", name, error);
        else if (strcmp(name, "method") == 0 || strcmp(name, "seed") == 0)
            status = locbo_options_set(options, name, a->value, error);
        else if (strcmp(name, "set") == 0)
            status = set_pair(options, a->value, error);
    }
    return status == LOCBO_OK ? locbo_options_check(options, error) : status;
}

/* -p and --fidelity. */
static locbo_status add_parameters(setup *u, const args *given, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < given->count && status == LOCBO_OK; i++) {
        const arg *a = &given->items[i];
        int fidelity = a->option && strcmp(a->option->name, "fidelity") == 0;
        const char *option = fidelity ? "--fidelity" : "-p";
        if (!a->option || (!fidelity && strcmp(a->option->name, "param") != 0)) continue;
        if (u->file.space)
            return status_fail(error, LOCBO_ERR_ARGUMENT, "%s %s: the study file has the parameters, %s cannot add one",
                               option, a->value, option);
        if (!u->space) status = locbo_space_create(&u->space, error);
        if (status != LOCBO_OK) return status;
        status = fidelity ? distribution_add_fidelity(u->space, a->value, error)
                          : distribution_add(u->space, a->value, error);
    }
    return status;
}

static locbo_status set_cost(setup *u, const args *given, locbo_error *error) {
    const char *text = args_get(given, "cost");
    locbo_error why;
    if (!text) return LOCBO_OK;
    if (!u->space)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "--cost %.80s: %s", text,
                           u->file.space ? "the study file has the parameters, so write it there"
                                         : "it is given together with the parameters (-p)");
    locbo_status status = locbo_space_set_cost(u->space, text, &why);
    return status == LOCBO_OK ? LOCBO_OK : status_fail(error, status, "--cost: %.240s", why.message);
}

static locbo_status add_constraints(setup *u, const args *given, locbo_error *error) {
    for (size_t i = 0; i < given->count; i++) {
        const arg *a = &given->items[i];
        locbo_error why;
        if (!a->option || strcmp(a->option->name, "constraint") != 0) continue;
        if (!u->space)
            return status_fail(error, LOCBO_ERR_ARGUMENT, "--constraint %.80s: %s", a->value,
                               u->file.space ? "the study file has the parameters, so write it there"
                                             : "it is given together with the parameters (-p)");
        locbo_status status = locbo_space_add_constraint(u->space, a->value, &why);
        if (status != LOCBO_OK) return status_fail(error, status, "--constraint: %.240s", why.message);
    }
    return LOCBO_OK;
}

/* Whether the points to begin with can be had: what is given of each is active, and satisfies the constraints. */
static locbo_status check_enqueued(const setup *u, locbo_optimizer *optimizer, const char *path, locbo_error *error) {
    size_t dim = locbo_space_dim(u->file.space);
    double *x = mem_new(dim, sizeof *x);
    locbo_status status = x ? LOCBO_OK : status_no_memory(error);
    for (size_t i = 0; i < u->file.enqueue_count && status == LOCBO_OK; i++) {
        locbo_ask_options how = {.struct_size = sizeof how, .fixed = u->file.enqueue + i * dim};
        locbo_trial trial;
        locbo_error why;
        status = locbo_optimizer_ask_with(optimizer, &how, &trial, x, &why);
        if (status == LOCBO_ERR_ARGUMENT) status = LOCBO_ERR_FORMAT;
        if (status != LOCBO_OK) status_fail(error, status, "%.80s: enqueue[%zu]: %s", path, i, why.message);
    }
    mem_free(x);
    return status;
}

/* What the file says of points, as far as only a search can tell: that any satisfies the constraints, and that those to
 * begin with can be had. Before anything is created, and so that the message names the file. */
static locbo_status check_points(const setup *u, const args *given, locbo_error *error) {
    locbo_optimizer *optimizer = NULL;
    locbo_error why;
    const char *path = args_positional(given, 0);
    if (!u->file.space || rows_is_plain(u->file.space)) return LOCBO_OK;
    locbo_status status = locbo_optimizer_create(&optimizer, u->file.space, &u->options, &why);
    if (status == LOCBO_OK)
        status = check_enqueued(u, optimizer, path, error);
    else if (status == LOCBO_ERR_ARGUMENT)
        status = status_fail(error, LOCBO_ERR_FORMAT, "%.80s: constraints: %s", path, why.message);
    else
        status_fail(error, status, "%s", why.message);
    locbo_optimizer_destroy(optimizer);
    return status;
}

static locbo_status add_outputs(setup *u, const args *given, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < given->count && status == LOCBO_OK; i++) {
        const arg *a = &given->items[i];
        if (!a->option || strcmp(a->option->name, "output") != 0) continue;
        if (u->file.outputs)
            return status_fail(error, LOCBO_ERR_ARGUMENT,
                               "--output %s: the study file has the outputs, --output cannot add one", a->value);
        if (!u->outputs) status = locbo_outputs_create(&u->outputs, error);
        if (status == LOCBO_OK) status = goal_add(u->outputs, a->value, error);
    }
    locbo_error why;
    if (status != LOCBO_OK || !u->outputs || (status = goal_check(u->outputs, &why)) == LOCBO_OK) return status;
    return status_fail(error, status, "--output: %.240s", why.message);
}

locbo_status setup_refuse_direction(const args *given, const locbo_outputs *outputs, locbo_error *error) {
    for (size_t i = 0; i < given->count && outputs; i++) {
        const arg *a = &given->items[i];
        const char *name = a->option ? a->option->name : "";
        int set = strcmp(name, "set") == 0 && strncmp(a->value, "direction=", strlen("direction=")) == 0;
        if (set || strcmp(name, "maximize") == 0 || strcmp(name, "minimize") == 0)
            return status_fail(error, LOCBO_ERR_ARGUMENT,
                               "--%s%s%s is for a study without named outputs: here each output has its goal, as in "
                               "--output loss~minimize",
                               name, set ? " " : "", set ? a->value : "");
    }
    return LOCBO_OK;
}

static locbo_status check_command(const setup *u, const args *given, locbo_error *error) {
    locbo_error why;
    const locbo_definition *d = &u->definition;
    locbo_status status = template_check(d->space, d->command_count, d->command, &why);
    if (status == LOCBO_OK) return LOCBO_OK;
    if (given->after > 0) return status_fail(error, status, "%s", why.message);
    return status_fail(error, LOCBO_ERR_FORMAT, "%.80s:%zu: command: %s", args_positional(given, 0),
                       u->file.command_line, why.message);
}

static locbo_status define(setup *u, const session *s, locbo_error *error) {
    const args *given = &s->args;
    locbo_status status = add_parameters(u, given, error);
    if (status == LOCBO_OK) status = add_constraints(u, given, error);
    if (status == LOCBO_OK) status = set_cost(u, given, error);
    if (status == LOCBO_OK) status = setup_apply_options(given, &u->options, error);
    if (status == LOCBO_OK) status = check_points(u, given, error);
    if (status == LOCBO_OK) status = add_outputs(u, given, error);
    const locbo_outputs *outputs = u->outputs ? u->outputs : u->file.outputs;
    if (status == LOCBO_OK) status = setup_refuse_direction(given, outputs, error);
    if (status != LOCBO_OK) return status;
    u->has_definition = u->space || u->file.space;
    u->definition = (locbo_definition){
        .struct_size = sizeof u->definition,
        .space = u->space ? u->space : u->file.space,
        .options = &u->options,
        .command_count = u->file.command_count,
        .command = (const char *const *)u->file.command,
        .outputs = outputs,
    };
    if (given->separated && given->after == 0)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "there is no command after --");
    if (given->after > 0) {
        u->definition.command_count = given->after;
        u->definition.command = (const char *const *)given->command;
    }
    return u->has_definition ? check_command(u, given, error) : LOCBO_OK;
}

static const char *choose_url(const setup *u, const args *given) {
    return u->file.db && !args_get(given, "db") ? u->file.db : session_url(given);
}

int setup_read(setup *u, session *s) {
    locbo_error error;
    const char *path = args_positional(&s->args, 0);
    memset(u, 0, sizeof *u);
    locbo_options_init(&u->options);
    locbo_status status = path ? study_file_read(path, &u->file, &error) : LOCBO_OK;
    if (status == LOCBO_ERR_NOT_FOUND && !s->args.separated) {
        locbo_error why = error;
        status_fail(&error, LOCBO_ERR_NOT_FOUND, "%.160s (a command is written after --)", why.message);
    }
    if (status == LOCBO_OK && path) u->options = u->file.options;
    if (status == LOCBO_OK) status = define(u, s, &error);
    if (status != LOCBO_OK) {
        setup_release(u);
        session_fail(s, &error);
        return 0;
    }
    const char *name = args_get(&s->args, "name");
    u->name = name ? name : u->file.name;
    u->url = choose_url(u, &s->args);
    return 1;
}

void setup_release(setup *u) {
    study_file_release(&u->file);
    locbo_space_destroy(u->space);
    locbo_outputs_destroy(u->outputs);
    memset(u, 0, sizeof *u);
}

/* ---- open or make ------------------------------------------------------------------------------ */

static locbo_status make(const setup *u, session *s, const locbo_plan *plan, locbo_error *error) {
    size_t queued;
    locbo_status status =
        locbo_study_create(&s->study, s->store, u->name ? u->name : "default", &u->definition, plan, error);
    return status == LOCBO_OK ? enqueue_lines_add(s, &u->file, &queued, error) : status;
}

/* A study that is there: what was given must agree with it. Points that were added to the file are queued. */
static locbo_status take(const setup *u, session *s, disagreement *d, locbo_error *error) {
    size_t queued = 0;
    locbo_status status = disagreement_find(s, &u->definition, d, error);
    if (status == LOCBO_OK) status = enqueue_lines_add(s, &u->file, &queued, error);
    if (status == LOCBO_ERR_CHANGED) { /* between the two: once more, with what it is now */
        status = locbo_study_refresh(s->study, NULL, error);
        if (status == LOCBO_OK) status = disagreement_find(s, &u->definition, d, error);
        if (status == LOCBO_OK) status = enqueue_lines_add(s, &u->file, &queued, error);
    }
    if (queued > 0)
        message_print(s->self->name, 0, "queued %s of the study file that the study did not have",
                      value_count(queued, "point").text);
    return status;
}

/* A study that must be there; what else was given must agree with it. */
static locbo_status open_only(const setup *u, session *s, disagreement *d, locbo_error *error) {
    locbo_definition there = {.struct_size = sizeof there}, given;
    locbo_status status = locbo_study_open(&s->study, s->store, u->name, error);
    if (status == LOCBO_OK) status = locbo_study_definition(s->study, &there, error);
    if (status != LOCBO_OK) return status;
    locbo_options options = *there.options;
    status = setup_apply_options(&s->args, &options, error);
    given = u->definition;
    given.space = there.space;
    given.options = &options;
    if (!given.outputs) given.outputs = there.outputs;
    if (status == LOCBO_OK) status = setup_refuse_direction(&s->args, there.outputs, error);
    return status == LOCBO_OK ? disagreement_find(s, &given, d, error) : status;
}

static locbo_status no_command(locbo_error *error) {
    return status_fail(error, LOCBO_ERR_ARGUMENT, "no command: give it after --, or in the study file");
}

static locbo_status open_or_make(const setup *u, session *s, int may_open, const locbo_plan *plan, disagreement *d,
                                 locbo_error *error) {
    if (!u->has_definition) return open_only(u, s, d, error);
    const char *name = u->name ? u->name : "default";
    locbo_status status = may_open ? locbo_study_open(&s->study, s->store, name, error) : LOCBO_ERR_NOT_FOUND;
    if (status == LOCBO_OK) return take(u, s, d, error);
    if (status != LOCBO_ERR_NOT_FOUND) return status;
    if (u->must_exist) return no_command(error);
    status = make(u, s, plan, error);
    /* two that start together: one creates it, the other opens it */
    if (status == LOCBO_ERR_STATE && may_open && !s->study) {
        status = locbo_study_open(&s->study, s->store, name, error);
        if (status == LOCBO_OK) status = take(u, s, d, error);
    }
    return status;
}

/* The database, if a command has to name it: not that of LOCBO_DB, and not the usual one. */
static const char *url_to_name(const setup *u, const session *s) {
    return u->file.db || args_get(&s->args, "db") ? locbo_store_url(s->store) : NULL;
}

int setup_study(setup *u, session *s, int may_open, const locbo_plan *plan) {
    locbo_error error;
    disagreement d = {.found = 0};
    int may_make = u->has_definition && !u->must_exist;
    locbo_status status =
        locbo_store_open(&s->store, u->url, may_make ? LOCBO_STORE_CREATE : LOCBO_STORE_EXISTING, &error);
    if (status == LOCBO_ERR_NOT_FOUND && u->has_definition) status = no_command(&error);
    if (status == LOCBO_ERR_NOT_FOUND && !u->name)
        status_fail(&error, LOCBO_ERR_NOT_FOUND, "%s holds no study yet: -p NAME~DIST or a study file creates one",
                    u->url);
    if (status == LOCBO_OK) status = session_author(s, s->store, &error);
    if (status == LOCBO_OK) status = open_or_make(u, s, may_open, plan, &d, &error);
    if (status == LOCBO_OK) status = locbo_study_definition(s->study, &s->definition, &error);
    if (status == LOCBO_OK) {
        s->dim = locbo_space_dim(s->definition.space);
        return 1;
    }
    if (d.found) {
        disagreement_print(s, &d, url_to_name(u, s), &error);
        session_close(s, EXIT_USAGE);
    } else {
        session_fail(s, &error);
    }
    difference_release(&d.what);
    setup_release(u);
    return 0;
}

/* ---- how it is run ----------------------------------------------------------------------------- */

/* `outputs`: those of the study, in whose order targets are. */
static void apply_file(const study_file *f, const locbo_outputs *outputs, locbo_plan *plan) {
#define APPLY(field)                                                                                                   \
    if (f->sets.field) plan->field = f->plan.field;
    PLAN_FIELDS(APPLY, APPLY, APPLY, APPLY)
    if (!f->sets.target) return;
    memcpy(plan->targets, f->plan.targets, sizeof plan->targets);
    difference_move_targets(f->outputs, outputs, plan);
}

/* "none" removes a rule. */
static int is_none(const char *text) { return strcmp(text, "none") == 0; }

/* 0 is a number here. */
static int read_count(session *s, const char *name, const char *text, uint64_t *count) {
    if (strcmp(text, "0") == 0) {
        *count = 0;
        return 1;
    }
    return session_count(s, name, text, count);
}

static int read_prune(session *s, const char *name, const char *text, uint64_t *rule) {
    if (value_prune(text, rule)) return 1;
    session_usage(s, "%s must be " VALUE_PRUNES ", got '%s'", name, text);
    return 0;
}

static int read_share(session *s, const char *name, const char *text, double *share) {
    if (!session_real(s, name, text, share)) return 0;
    if (*share > 0 && *share < 1) return 1;
    session_usage(s, "%s must lie between 0 and 1, got %s", name, text);
    return 0;
}

static int refuse_target(session *s, const char *text, const char *why) {
    session_usage(s, "--target %s: %s", text, why);
    return 0;
}

/* --target NAME=VALUE. `known`: the outputs are known, otherwise the study is still to be opened. */
static int read_named_target(session *s, const char *text, const locbo_outputs *outputs, int known, locbo_plan *plan) {
    locbo_error error;
    char name[64];
    double value;
    size_t number = 0, size = (size_t)(strchr(text, '=') - text);
    snprintf(name, sizeof name, "%.*s", (int)(size < sizeof name ? size : sizeof name - 1), text);
    if (known && !outputs) return refuse_target(s, text, "the study has no named outputs, so a target is a number");
    if (known && goal_find_target(outputs, name, &number, &error) != LOCBO_OK)
        return refuse_target(s, text, error.message);
    if (!number_parse(text + size + 1, &value) || !isfinite(value))
        return refuse_target(s, text, "there must be a number after =");
    plan->targets[number] = value;
    return 1;
}

/* All --target together replace those of the file and of the study. */
static int read_targets(const setup *u, session *s, locbo_plan *plan) {
    const locbo_outputs *outputs = s->study ? s->definition.outputs : u->definition.outputs;
    int known = u->has_definition || s->study, named = 0, bare = 0;
    if (!args_get(&s->args, "target")) return 1;
    plan->target = (double)NAN;
    for (size_t i = 0; i < LOCBO_MAX_TARGETS; i++) plan->targets[i] = (double)NAN;
    for (size_t i = 0; i < s->args.count; i++) {
        const arg *a = &s->args.items[i];
        if (!a->option || strcmp(a->option->name, "target") != 0 || is_none(a->value)) continue;
        int has_name = strchr(a->value, '=') != NULL;
        named |= has_name;
        bare |= !has_name;
        if (named && bare) return refuse_target(s, a->value, "either all targets name their output, or there is one");
        if (bare && known && goal_objectives(outputs) > 1)
            return refuse_target(s, a->value, "with several objectives a target names its output, as in loss=0.1");
        if (has_name ? !read_named_target(s, a->value, outputs, known, plan)
                     : !session_real(s, "--target", a->value, &plan->target))
            return 0;
    }
    return 1;
}

/* NAN: there is none. */
static int is_positive(session *s, const char *what, double value) {
    if (isnan(value) || value > 0) return 1;
    session_usage(s, "%s must be positive, got %g", what, value);
    return 0;
}

int setup_plan(const setup *u, session *s, locbo_plan *plan) {
    apply_file(&u->file, s->study ? s->definition.outputs : u->file.outputs, plan);
    if (!read_targets(u, s, plan)) return 0;
    const struct {
        const char *name;
        int (*count)(session *, const char *, const char *, uint64_t *);
        uint64_t *to_count;
        int (*real)(session *, const char *, const char *, double *);
        double *to_real;
        int optional;
    } list[] = {{"trials", session_count, &plan->trials, NULL, NULL, 1},
                {"evaluations", session_count, &plan->evaluations, NULL, NULL, 1},
                {"budget", NULL, NULL, session_real, &plan->budget, 1},
                {"confirm", read_count, &plan->confirm, NULL, NULL, 1},
                {"time", NULL, NULL, session_duration, &plan->time, 1},
                {"no-improvement", read_count, &plan->no_improvement, NULL, NULL, 1},
                {"expected-gain", NULL, NULL, session_real, &plan->expected_gain, 1},
                {"timeout", NULL, NULL, session_duration, &plan->timeout, 1},
                {"retries", read_count, &plan->retries, NULL, NULL, 0},
                {"retry-delay", NULL, NULL, session_delay, &plan->retry_delay, 0},
                {"max-failures", read_count, &plan->max_failures, NULL, NULL, 0},
                {"max-lost", read_count, &plan->max_lost, NULL, NULL, 0},
                {"lease", NULL, NULL, session_duration, &plan->lease, 0},
                {"prune", read_prune, &plan->prune, NULL, NULL, 0},
                {"prune-risk", NULL, NULL, read_share, &plan->prune_risk, 0}};
    for (size_t i = 0; i < sizeof list / sizeof list[0]; i++) {
        const char *text = args_get(&s->args, list[i].name);
        char what[32];
        snprintf(what, sizeof what, "--%s", list[i].name);
        if (!text) continue;
        if (list[i].optional && is_none(text)) {
            if (list[i].to_count) *list[i].to_count = 0;
            if (list[i].to_real) *list[i].to_real = (double)NAN;
            continue;
        }
        if (list[i].count && !list[i].count(s, what, text, list[i].to_count)) return 0;
        if (list[i].real && !list[i].real(s, what, text, list[i].to_real)) return 0;
    }
    if (plan->lease < 1) return (session_usage(s, "--lease must be at least 1 second, got %g", plan->lease), 0);
    return is_positive(s, "--budget", plan->budget) && is_positive(s, "--expected-gain", plan->expected_gain);
}
