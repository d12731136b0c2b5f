/* cmd_ask.c - locbo ask: a trial to evaluate by other means. Layer: cli, top. */
#include "commands.h"

#include <inttypes.h>

#include "exit_code.h"
#include "ask_tell.h"
#include "mem.h"
#include "message.h"
#include "rows.h"
#include "session.h"

static const arg_option ask_options[] = {
    {"count", 'n', "COUNT", "number of trials to ask for, printed as a list"},
    {"fix", 0, "NAME=VALUE", "fix this parameter; the others are proposed (may be repeated)"},
    {"lease", 0, "DURATION", "after this time another worker may get the trial; none: never (1h)"},
    {"worker", 0, "TEXT", "who evaluates it, for people to read (ask@HOST)"},
    {"waiting", 0, NULL, "only a trial that waits, no new one"},
    {"more", 0, NULL, "also if the study has all trials of its plan (-n)"},
    {NULL, 0, NULL, NULL}};

enum { MOST_AT_ONCE = 10000, MOST_REFRESHES = 4 };

typedef struct asking {
    uint64_t count; /* 0: one, not as a list */
    locbo_request request;
    char worker[ASK_TELL_WORKER];
    double *fixed, *x;
    uint64_t given;
    locbo_assignment *assignments;
    json_t *rows;
} asking;

/* 0: there was a message, and the session is closed. */
static int read_arguments(session *s, asking *a) {
    const char *count = args_get(&s->args, "count"), *lease = args_get(&s->args, "lease");
    const char *worker = args_get(&s->args, "worker");
    locbo_error error;
    ask_tell_worker(a->worker);
    a->request = (locbo_request){.struct_size = sizeof a->request,
                                 .worker = worker ? worker : a->worker,
                                 .lease = ASK_TELL_LEASE,
                                 .waiting_only = args_get(&s->args, "waiting") != NULL,
                                 .more = args_get(&s->args, "more") != NULL};
    if (count && !session_count(s, "--count", count, &a->count)) return 0;
    if (a->count > MOST_AT_ONCE)
        return (session_usage(s, "--count must be at most %d, got %s", MOST_AT_ONCE, count), 0);
    if (lease && ask_tell_lease(lease, &a->request.lease, &error) != LOCBO_OK)
        return (session_usage(s, "--lease: %s", error.message), 0);
    if (args_get(&s->args, "fix") && a->request.waiting_only)
        return (session_usage(s, "--fix and --waiting exclude each other: --fix creates a new trial"), 0);
    return 1;
}

/* What depends on the definition. 0 as above. */
static int make_room(session *s, asking *a) {
    locbo_error error;
    mem_free(a->x);
    mem_free(a->fixed);
    a->fixed = NULL;
    a->x = mem_new(s->dim, sizeof *a->x);
    if (!a->x) {
        status_no_memory(&error);
        return (session_fail(s, &error), 0);
    }
    if (!args_get(&s->args, "fix")) return 1;
    a->fixed = session_values(s, "fix");
    a->request.fixed = a->fixed;
    return a->fixed != NULL;
}

/* No caller has seen those from number `from` on. Those that the study still holds are counted, and one is named. */
static void give_back(session *s, asking *a, uint64_t from) {
    locbo_error error, why = {LOCBO_OK, ""};
    locbo_status status = LOCBO_OK;
    uint64_t kept = 0, one = 0;
    for (uint64_t i = from; i < a->given; i++) {
        const locbo_assignment *of = &a->assignments[i];
        if (status != LOCBO_ERR_BUSY) /* one wait, not one for each */
            status = locbo_study_requeue(s->study, of->trial, of->attempt, LOCBO_REQUEUE_SAME, 0, &error);
        if (status == LOCBO_OK || status == LOCBO_ERR_STATE) continue;
        kept++;
        one = of->trial;
        why = error;
    }
    a->given = from;
    if (kept == 0) return;
    message_print(s->self->name, 0,
                  "trials that are neither printed nor given back: %" PRIu64 ", trial %" PRIu64
                  " among them (%.200s); they wait until their leases end, or for `locbo tell TRIAL --requeue`",
                  kept, one, why.message);
}

/* Ask until there are enough. That there is nothing more is an error only of the first. */
static locbo_status collect(session *s, asking *a, locbo_error *error) {
    uint64_t wanted = a->count ? a->count : 1;
    while (a->given < wanted) {
        locbo_assignment *to = &a->assignments[a->given];
        locbo_status status = ask_tell_ask(s->study, &a->request, to, a->x, error);
        if (status == LOCBO_ERR_NOTHING && a->given > 0) break;
        if (status != LOCBO_OK) return status;
        a->given++;
        json_t *row = rows_assignment(s->definition.space, to, a->x);
        if (json_array_append_new(a->rows, row) == 0) continue;
        give_back(s, a, a->given - 1);
        return status_no_memory(error);
    }
    return status_ok(error);
}

static int print(const session *s, const asking *a) {
    output *o = output_open(s->format, a->count == 0 && s->format == OUTPUT_JSON);
    for (size_t i = 0; i < json_array_size(a->rows); i++) output_row(o, json_incref(json_array_get(a->rows, i)));
    return output_close(o);
}

/* What was handed out is printed even if the next one could not be had. */
static int ask_and_end(session *s, asking *a) {
    locbo_error error = {LOCBO_OK, ""};
    locbo_status status = LOCBO_ERR_CHANGED;
    a->assignments = mem_new((size_t)(a->count ? a->count : 1), sizeof *a->assignments);
    a->rows = json_array();
    if (!a->assignments || !a->rows) status = status_no_memory(&error);
    for (int times = 0; status == LOCBO_ERR_CHANGED && a->given == 0 && times < MOST_REFRESHES; times++) {
        if (times > 0 && !session_refresh(s)) break;
        if (!make_room(s, a)) break;
        status = collect(s, a, &error);
    }
    if (!s->study) return s->code; /* there was a message */
    if (a->given > 0 && !print(s, a)) {
        give_back(s, a, 0);
        return session_close(s, EXIT_RUNTIME);
    }
    return status == LOCBO_OK ? session_close(s, EXIT_OK) : session_fail(s, &error);
}

static int run(const command *self, int argc, char **argv) {
    session s;
    asking a = {0};
    if (!session_open(&s, self, argc, argv, SESSION_STUDY, 0, 0, 0)) return s.code;
    if (!s.format_given) s.format = OUTPUT_JSON;
    int code = read_arguments(&s, &a) ? ask_and_end(&s, &a) : s.code;
    mem_free(a.fixed);
    mem_free(a.x);
    mem_free(a.assignments);
    json_decref(a.rows);
    return code;
}

const command command_ask = {
    .name = "ask",
    .summary = "a trial to evaluate by your own means",
    .usage = "[-n COUNT] [--fix NAME=VALUE]... [--lease DURATION] [--worker TEXT] [--waiting] "
             "[-f json|table|csv]",
    .description = "Prints a trial to evaluate: one that waits, or a new proposal. Tell the result with `locbo tell`. "
                   "The trial is yours for an hour, or as long as --lease says; `locbo beat` renews that. After it "
                   "another worker may get the trial, and a value that you tell is still welcome.\n\n"
                   "With -n it prints a list, shorter if there is nothing more to do. With --fix the other parameters "
                   "are proposed. {\"seed\"} is for the objective: different for every trial.\n\n"
                   "Ends with 4 if there is nothing to do: the study has all its trials, was stopped or is paused, or "
                   "(--waiting) none waits.",
    .examples = "    $ locbo ask\n"
                "    {\"trial\":17,\"attempt\":1,\"seed\":123,\"params\":{\"x\":0.5}}\n"
                "    $ locbo ask -n 4 --lease 2h\n"
                "    $ locbo ask --fix mode=fast --fix n=3\n",
    .options = (const arg_option *const[]){session_options, format_options, ask_options, NULL},
    .run = run,
};
