/* session.c - the beginning and the end of a subcommand. Layer: cli, middle. */
#include "session.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_code.h"
#include "identity.h"
#include "mem.h"
#include "number.h"
#include "value.h"

const arg_option session_options[] = {
    {"db", 0, "URL", "database: sqlite:FILE or postgresql://... (LOCBO_DB, or ./locbo.db)"},
    {"name", 0, "NAME", "name of the study (not needed if the database holds one)"},
    {NULL, 0, NULL, NULL}};

const arg_option format_options[] = {
    {"format", 'f', "FORMAT", "table, json or csv"},
    {"spreadsheet", 0, NULL, "csv: put ' before texts that a spreadsheet would take for formulas (= + - @)"},
    {NULL, 0, NULL, NULL}};

const arg_option change_options[] = {{"why", 'm', "TEXT", "the reason, which `locbo log` shows"},
                                     {"author", 0, "NAME", "who does it, for `locbo log` (USER@HOST)"},
                                     {NULL, 0, NULL, NULL}};

const char *session_url(const args *parsed) {
    const char *given = args_get(parsed, "db"), *environment = getenv("LOCBO_DB");
    if (given) return given;
    return environment && environment[0] ? environment : "sqlite:locbo.db";
}

int session_close(session *s, int code) {
    locbo_study_close(s->study);
    locbo_store_close(s->store);
    args_release(&s->args);
    *s = (session){.self = s->self, .code = code};
    return code;
}

int session_fail(session *s, const locbo_error *error) {
    message_print(s->self->name, 0, "%s", error->message);
    return session_close(s, exit_code_of(error->status));
}

int session_usage(session *s, const char *format, ...) {
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    message_print(s->self->name, 0, "%s", message);
    return session_close(s, EXIT_USAGE);
}

static int has_option(const command *self, const char *name) {
    for (const arg_option *const *table = self->options; *table; table++)
        for (const arg_option *o = *table; o->name; o++)
            if (strcmp(o->name, name) == 0) return 1;
    return 0;
}

static int check_format(session *s) {
    if (!has_option(s->self, "format")) return 1;
    const char *text = args_get(&s->args, "format");
    s->format_given = text != NULL;
    if (text && !output_format_parse(text, &s->format)) {
        session_usage(s, "--format must be table, json or csv, got '%s'", text);
        return 0;
    }
    output_for_spreadsheet(args_get(&s->args, "spreadsheet") != NULL);
    if (!args_get(&s->args, "spreadsheet") || s->format == OUTPUT_CSV) return 1;
    session_usage(s, "--spreadsheet is for -f csv");
    return 0;
}

static int check_positionals(session *s, size_t least, size_t most) {
    size_t count = args_positionals(&s->args);
    if (count >= least && count <= most) return 1;
    if (count > most)
        session_usage(s, "unexpected argument '%s'; usage: locbo %s %s", args_positional(&s->args, most), s->self->name,
                      s->self->usage);
    else
        session_usage(s, "too few arguments; usage: locbo %s %s", s->self->name, s->self->usage);
    return 0;
}

/* Words after "--" are plain arguments, whatever they begin with, unless the usage says that they are a command. */
static int take_words(session *s) {
    args *a = &s->args;
    if (a->after == 0 || strstr(s->self->usage, "-- ")) return 1;
    arg *items = mem_new(a->count + a->after, sizeof *items);
    if (!items) return (session_close(s, message_print(s->self->name, EXIT_RUNTIME, "out of memory")), 0);
    if (a->count > 0) memcpy(items, a->items, a->count * sizeof *items);
    for (size_t i = 0; i < a->after; i++) items[a->count + i] = (arg){NULL, a->command[i]};
    mem_free(a->items);
    a->items = items;
    a->count += a->after;
    a->after = 0;
    return 1;
}

locbo_status session_author(const session *s, locbo_store *store, locbo_error *error) {
    const char *given = args_get(&s->args, "author");
    char user[IDENTITY_TEXT];
    if (!given) identity_user(user);
    return locbo_store_author(store, given ? given : user, error);
}

int session_open(session *s, const command *self, int argc, char **argv, session_need need, int read_only, size_t least,
                 size_t most) {
    locbo_error error;
    *s = (session){.self = self, .definition = {.struct_size = sizeof s->definition}};
    if (!args_parse(self, argc, argv, &s->args, &s->code)) return 0;
    if (!take_words(s) || !check_format(s) || !check_positionals(s, least, most)) return 0;
    if (need == SESSION_ARGS) return 1;
    locbo_status status = locbo_store_open(&s->store, session_url(&s->args),
                                           read_only ? LOCBO_STORE_READ_ONLY : LOCBO_STORE_EXISTING, &error);
    if (status == LOCBO_OK && !read_only) status = session_author(s, s->store, &error);
    if (status == LOCBO_OK && need == SESSION_STUDY)
        status = locbo_study_open(&s->study, s->store, args_get(&s->args, "name"), &error);
    if (status == LOCBO_OK && s->study) status = locbo_study_definition(s->study, &s->definition, &error);
    if (status != LOCBO_OK) {
        session_fail(s, &error);
        return 0;
    }
    s->dim = locbo_space_dim(s->definition.space);
    return 1;
}

locbo_status session_reread(session *s, locbo_error *error) {
    locbo_status status = locbo_study_refresh(s->study, NULL, error);
    if (status == LOCBO_OK) status = locbo_study_definition(s->study, &s->definition, error);
    if (status == LOCBO_OK) s->dim = locbo_space_dim(s->definition.space);
    return status;
}

int session_refresh(session *s) {
    locbo_error error;
    locbo_status status = session_reread(s, &error);
    if (status != LOCBO_OK) session_fail(s, &error);
    return status == LOCBO_OK;
}

int session_count(session *s, const char *what, const char *text, uint64_t *count) {
    char *end;
    if (text[0] >= '0' && text[0] <= '9') {
        unsigned long long value = strtoull(text, &end, 10);
        if (*end == '\0' && value > 0 && value <= INT32_MAX) {
            *count = value;
            return 1;
        }
    }
    session_usage(s, "%s must be a whole number in [1, %d], got '%s'", what, INT32_MAX, text);
    return 0;
}

uint64_t *session_trials(session *s, size_t *count) {
    locbo_error error = {LOCBO_OK, ""};
    locbo_census census;
    *count = args_positionals(&s->args);
    uint64_t *trials = mem_new(*count, sizeof *trials);
    for (size_t i = 0; trials && i < *count; i++)
        if (!session_count(s, "the trial", args_positional(&s->args, i), &trials[i])) return (mem_free(trials), NULL);
    locbo_status status = trials ? locbo_study_census(s->study, &census, &error) : status_no_memory(&error);
    for (size_t i = 1; status == LOCBO_OK && i < *count; i++)
        for (size_t k = 0; status == LOCBO_OK && k < i; k++)
            if (trials[i] == trials[k])
                status = status_fail(&error, LOCBO_ERR_ARGUMENT, "trial %" PRIu64 " is given twice", trials[i]);
    for (size_t i = 0; status == LOCBO_OK && i < *count; i++)
        if (trials[i] > census.trials)
            status = status_fail(&error, LOCBO_ERR_NOT_FOUND, "the study '%s' has no trial %" PRIu64,
                                 locbo_study_name(s->study), trials[i]);
    if (status == LOCBO_OK) return trials;
    mem_free(trials);
    session_fail(s, &error);
    return NULL;
}

int session_real(session *s, const char *what, const char *text, double *value) {
    if (number_parse(text, value) && isfinite(*value)) return 1;
    session_usage(s, "%s must be a number, got '%s'", what, text);
    return 0;
}

static int read_duration(session *s, const char *what, const char *text, int zero, double *seconds) {
    locbo_error error;
    if (duration_parse(text, zero, seconds, &error) == LOCBO_OK) return 1;
    session_usage(s, "%s: %s", what, error.message);
    return 0;
}

int session_duration(session *s, const char *what, const char *text, double *seconds) {
    return read_duration(s, what, text, 0, seconds);
}

int session_delay(session *s, const char *what, const char *text, double *seconds) {
    return read_duration(s, what, text, 1, seconds);
}

static int is_meant(const arg *a, const char *option) {
    return option ? a->option && strcmp(a->option->name, option) == 0 : !a->option;
}

static locbo_status assign(const locbo_space *space, const char *text, double *x, double *one, locbo_error *error) {
    size_t dim = locbo_space_dim(space);
    for (size_t j = 0; j < dim; j++) one[j] = (double)NAN;
    locbo_status status = value_assign(space, text, one, error);
    for (size_t j = 0; j < dim && status == LOCBO_OK; j++) {
        if (isnan(one[j])) continue;
        if (!isnan(x[j])) return status_fail(error, LOCBO_ERR_ARGUMENT, "'%.60s': the parameter is given twice", text);
        x[j] = one[j];
    }
    return status;
}

double *session_values(session *s, const char *option) {
    locbo_error error = {LOCBO_OK, ""};
    double *x = mem_new(s->dim, sizeof *x), *one = mem_new(s->dim, sizeof *one);
    locbo_status status = x && one ? LOCBO_OK : status_no_memory(&error);
    for (size_t j = 0; x && j < s->dim; j++) x[j] = (double)NAN;
    for (size_t i = 0; i < s->args.count && status == LOCBO_OK; i++)
        if (is_meant(&s->args.items[i], option))
            status = assign(s->definition.space, s->args.items[i].value, x, one, &error);
    mem_free(one);
    if (status == LOCBO_OK) return x;
    mem_free(x);
    session_fail(s, &error);
    return NULL;
}

int session_check_values(session *s, const double *x) {
    locbo_error error;
    if (value_check_point(s->definition.space, x, &error) == LOCBO_OK) return 1;
    session_fail(s, &error);
    return 0;
}

int session_no_dashboard(const command *self, int argc, char **argv) {
    session s;
    if (!session_open(&s, self, argc, argv, SESSION_ARGS, 1, 0, 0)) return s.code;
    return session_close(&s, message_print(self->name, EXIT_RUNTIME,
                                           "locbo was built without the dashboard (it needs"
                                           " libmicrohttpd and npm; see README.md)"));
}
