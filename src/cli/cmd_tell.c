/* cmd_tell.c - locbo tell: the result of a trial. Layer: cli, top. */
#include "commands.h"

#include <jansson.h>
#include <limits.h>
#include <stdint.h>
#include <math.h>
#include <string.h>

#include "buffer.h"
#include "exit_code.h"
#include "mem.h"
#include "named_result.h"
#include "result.h"
#include "session.h"
#include "file_read.h"

static const arg_option tell_options[] = {
    {"sd", 0, "SD", "known standard deviation of each value"},
    {"reps", 0, "N", "each value is the mean of N repetitions"},
    {"attempt", 0, "A", "number of your attempt, as ask printed it"},
    {"failed", 0, NULL, "the evaluation failed; learnt from, not tried again"},
    {"infeasible", 0, NULL, "the point cannot be evaluated; learnt from, not tried again"},
    {"requeue", 0, NULL, "let the trial wait for another worker, with the same seed"},
    {"retry", 0, NULL, "the failure was transient: let it wait, with a new seed"},
    {"why", 0, "TEXT", "why it failed or is infeasible"},
    {NULL, 0, NULL, NULL}};

enum { MOST_BYTES = 1 << 20 };

typedef struct telling {
    uint64_t trial, attempt, reps;
    double sd;
    const char *mode; /* "failed", "infeasible", "requeue", "retry", or NULL: a value */
    const char *why;
    size_t count, capacity;
    locbo_measurement *measurements; /* count rows of one for each output */
    size_t ignored;                  /* keys of objects that are no outputs */
    char ignored_key[64];            /* the first of them */
} telling;

/* ---- arguments ------------------------------------------------------------------------------- */

/* At most one of the flags. 0: there was a message, and the session is closed (so in all of these).
 */
static int read_mode(session *s, telling *t) {
    static const char *const modes[] = {"failed", "infeasible", "requeue", "retry"};
    for (size_t i = 0; i < 4; i++) {
        if (!args_get(&s->args, modes[i])) continue;
        if (t->mode) return (session_usage(s, "--%s and --%s exclude each other", t->mode, modes[i]), 0);
        t->mode = modes[i];
    }
    return 1;
}

static int check_mode(session *s, const telling *t, const char *sd, const char *reps) {
    int values = args_positionals(&s->args) > 1, requeue = t->mode && t->mode[0] == 'r';
    if (t->mode && values)
        return (session_usage(s, "--%s takes no value, got '%s'", t->mode, args_positional(&s->args, 1)), 0);
    if (!t->mode && !values)
        return (session_usage(s, "a value is missing, or --failed, --infeasible, --requeue, --retry"), 0);
    if (t->why && (!t->mode || requeue)) return (session_usage(s, "--why needs --failed or --infeasible"), 0);
    if (t->mode && (sd || reps)) return (session_usage(s, "--sd and --reps need values, not --%s", t->mode), 0);
    return 1;
}

/* With several measured outputs it is not known whose sd it is. */
static int check_outputs(session *s, const char *sd, const char *reps) {
    const locbo_outputs *outputs = s->definition.outputs;
    char names[NAMED_RESULT_LIST];
    if ((!sd && !reps) || !outputs || named_result_measured(outputs) == 1) return 1;
    named_result_names(outputs, names);
    session_usage(s,
                  "--sd and --reps need a study with one measured output, this one has %s: write NAME='{\"value\": "
                  "0.5, \"sd\": 0.1, \"n\": 4}'",
                  names);
    return 0;
}

static int read_arguments(session *s, telling *t) {
    const char *attempt = args_get(&s->args, "attempt"), *reps = args_get(&s->args, "reps");
    const char *sd = args_get(&s->args, "sd");
    t->why = args_get(&s->args, "why");
    t->sd = (double)NAN;
    if (!session_count(s, "the trial", args_positional(&s->args, 0), &t->trial)) return 0;
    if (attempt && !session_count(s, "--attempt", attempt, &t->attempt)) return 0;
    if (reps && !session_count(s, "--reps", reps, &t->reps)) return 0;
    if (sd && !session_real(s, "--sd", sd, &t->sd)) return 0;
    if (t->sd < 0) return (session_usage(s, "--sd must not be negative, got %s", sd), 0);
    return read_mode(s, t) && check_mode(s, t, sd, reps) && check_outputs(s, sd, reps);
}

/* ---- values ---------------------------------------------------------------------------------- */

/* --sd and --reps are for plain numbers: an object says these itself. */
static locbo_status apply(const telling *t, const char *text, size_t size, size_t count, locbo_measurement *m,
                          locbo_error *error) {
    int object = memchr(text, '{', size) != NULL;
    if (object && (t->reps || !isnan(t->sd)))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "--sd and --reps are for plain numbers; an object has \"sd\" and \"n\"");
    for (size_t i = 0; i < count && !object; i++) {
        if (isnan(m[i].value)) continue;
        m[i].sd = t->sd;
        m[i].n = t->reps ? (unsigned)t->reps : 1;
    }
    return LOCBO_OK;
}

/* The keys of an object that are no outputs: objectives may print more than is asked for, but a wrong name is often a
 * mistake, so it is reported. */
static void note_ignored(telling *t, const locbo_outputs *outputs, const char *text, size_t size) {
    json_t *object = outputs ? json_loadb(text, size, 0, NULL) : NULL, *value;
    const char *key;
    json_object_foreach(object, key, value) {
        if (locbo_outputs_find(outputs, key, &(size_t){0}, NULL) == LOCBO_OK) continue;
        if (t->ignored++ == 0) reading_clean(t->ignored_key, sizeof t->ignored_key, key, strlen(key));
    }
    json_decref(object);
}

static locbo_status add_text(const locbo_outputs *outputs, telling *t, const char *text, size_t size,
                             locbo_error *error) {
    size_t count, width = outputs ? locbo_outputs_count(outputs) : 1;
    locbo_measurement *m = NULL;
    locbo_status status = result_parse(outputs, text, size, &count, &m, error);
    if (status == LOCBO_OK) status = apply(t, text, size, count * width, m, error);
    if (status == LOCBO_OK && !mem_reserve(&t->measurements, &t->capacity, t->count + count, width * sizeof *m))
        status = status_no_memory(error);
    if (status == LOCBO_OK) {
        memcpy(t->measurements + t->count * width, m, count * width * sizeof *m);
        t->count += count;
        if (outputs) note_ignored(t, outputs, text, size);
    }
    mem_free(m);
    return status;
}

static locbo_status add_input(const locbo_outputs *outputs, telling *t, locbo_error *error) {
    char *text;
    size_t size;
    locbo_status status = file_read("-", MOST_BYTES, &text, &size, error);
    if (status != LOCBO_OK) return status;
    status = add_text(outputs, t, text, size, error);
    mem_free(text);
    return status;
}

static int is_assignment(const char *text) { return text[strspn(text, " \t\r\n")] != '{' && strchr(text, '='); }

/* Whether the words are NAME=VALUE, which make one result together. */
static int has_assignments(const session *s) {
    for (size_t i = 1; i < args_positionals(&s->args); i++)
        if (is_assignment(args_positional(&s->args, i))) return named_result_applies(s->definition.outputs);
    return 0;
}

/* As the lines that an objective prints. */
static locbo_status add_assignments(const session *s, telling *t, locbo_error *error) {
    buffer lines = {0};
    locbo_status status = LOCBO_OK;
    for (size_t i = 1; i < args_positionals(&s->args) && status == LOCBO_OK; i++) {
        const char *text = args_positional(&s->args, i);
        if (!is_assignment(text))
            status = status_fail(error, LOCBO_ERR_ARGUMENT,
                                 "'%.60s' beside NAME=VALUE: a result is either words NAME=VALUE, or an object", text);
        buffer_text(&lines, text);
        buffer_char(&lines, '\n', 1);
    }
    if (status == LOCBO_OK && lines.failed) status = status_no_memory(error);
    if (status == LOCBO_OK) status = add_text(s->definition.outputs, t, lines.data, lines.size, error);
    mem_free(lines.data);
    return status;
}

static locbo_status read_values(const session *s, telling *t, locbo_error *error) {
    const locbo_outputs *outputs = s->definition.outputs;
    locbo_status status = LOCBO_OK;
    if (has_assignments(s)) return add_assignments(s, t, error);
    for (size_t i = 1; i < args_positionals(&s->args) && status == LOCBO_OK; i++) {
        const char *text = args_positional(&s->args, i);
        status =
            strcmp(text, "-") == 0 ? add_input(outputs, t, error) : add_text(outputs, t, text, strlen(text), error);
    }
    return status;
}

static void report_ignored(const session *s, const telling *t) {
    if (t->ignored == 1)
        message_print(s->self->name, 0, "ignored \"%s\", which is no output", t->ignored_key);
    else if (t->ignored > 1)
        message_print(s->self->name, 0, "ignored \"%s\" and %zu more, which are no outputs", t->ignored_key,
                      t->ignored - 1);
}

/* ---- telling --------------------------------------------------------------------------------- */

static locbo_status tell(session *s, telling *t, locbo_error *error) {
    if (!t->mode) {
        locbo_status status = read_values(s, t, error);
        if (status != LOCBO_OK) return status;
        return locbo_study_tell(s->study, t->trial, t->attempt, t->count, t->measurements, error);
    }
    if (t->mode[0] == 'f') return locbo_study_tell_failed(s->study, t->trial, t->attempt, t->why, error);
    if (t->mode[0] == 'i') return locbo_study_tell_infeasible(s->study, t->trial, t->attempt, t->why, error);
    int retry = strcmp(t->mode, "retry") == 0;
    return locbo_study_requeue(s->study, t->trial, t->attempt, retry ? LOCBO_REQUEUE_RETRY : LOCBO_REQUEUE_SAME, 0,
                               error);
}

static int run(const command *self, int argc, char **argv) {
    session s;
    telling t = {0};
    locbo_error error;
    if (!session_open(&s, self, argc, argv, SESSION_STUDY, 0, 1, SIZE_MAX)) return s.code;
    if (!read_arguments(&s, &t)) return s.code;
    locbo_status status = tell(&s, &t, &error);
    if (status == LOCBO_OK) report_ignored(&s, &t);
    mem_free(t.measurements);
    return status == LOCBO_OK ? session_close(&s, EXIT_OK) : session_fail(&s, &error);
}

const command command_tell = {
    .name = "tell",
    .summary = "tell the result of a trial",
    .usage = "TRIAL VALUE... [--sd SD] [--reps N] [--attempt A] | TRIAL NAME=VALUE... [--attempt A] | TRIAL --failed "
             "[--why TEXT] | TRIAL --infeasible [--why TEXT] | TRIAL --requeue|--retry",
    .description = "Stores the result of an evaluation. It is on disk when the command ends. Several values are "
                   "replicates: measured at the same point, each one result; further ones may be told later. A value "
                   "may also be a JSON object as an objective prints it, {\"value\": 0.7, \"sd\": 0.1, \"n\": 4} or "
                   "{\"values\": [0.7, 0.8]}; - reads it from standard input.\n\n"
                   "In a study with several outputs all NAME=VALUE make one result. What is not given is lacking; at "
                   "least one objective or constraint is needed. A value may be a list of replicates, all lists of "
                   "one length, or an object with the value's sd and n: --sd and --reps are for studies with one "
                   "measured output. The same as a JSON object, {\"loss\": 0.3, \"memory\": 401}: several objects "
                   "are replicates, and keys that are no outputs are ignored, which is reported.\n\n"
                   "--failed and --infeasible are learnt from: proposals keep away from there. Do not tell a made-up "
                   "bad value instead. --requeue lets the trial wait again, with the same seed, --retry with a new "
                   "one.\n\n"
                   "With --attempt (as `locbo ask` gave it), a failure told too late, after the lease ended and "
                   "another worker got the trial, is refused. A value is always kept.",
    .examples = "    $ locbo tell 17 -0.5\n"
                "    $ locbo tell 17 0.71 0.69 0.74\n"
                "    $ locbo tell 17 0.7 --sd 0.02 --reps 10\n"
                "    $ ./simulate | locbo tell 17 -\n"
                "    $ locbo tell 17 loss=0.31 memory=401\n"
                "    $ locbo tell 17 loss='[0.31, 0.33]' memory='{\"value\": 401, \"sd\": 2, \"n\": 4}'\n"
                "    $ locbo tell 17 --failed --why 'the mesh collapsed'\n",
    .options = (const arg_option *const[]){session_options, tell_options, NULL},
    .run = run,
};
