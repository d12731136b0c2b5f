/* demo_study.c - a study of `locbo demo`. Points come from locbo_study_ask, values from the simulated problem, and what
 * they mean from result.c, as for any objective. Layer: demo. */
#include "demo_study.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "draw.h"
#include "identity.h"
#include "interrupt.h"
#include "mem.h"
#include "result.h"
#include "step_line.h"

/* ---- create ---------------------------------------------------------------------------------- */

enum { WORDS = DEMO_DIM + 5, WORD_TEXT = 64 };

typedef struct demo_command {
    char program[2 * PATH_MAX];
    char placeholders[DEMO_DIM][WORD_TEXT];
    const char *words[WORDS];
    size_t count;
} demo_command;

/* The file of this program, as a word of a template: its braces doubled. */
static locbo_status find_program(char *text, locbo_error *error) {
    char path[PATH_MAX];
    ssize_t size = readlink("/proc/self/exe", path, sizeof path);
    if (size < 0 || size == (ssize_t)sizeof path)
        return status_fail(error, LOCBO_ERR_IO, "cannot find the path of this program: %s",
                           size < 0 ? strerror(errno) : "the path is too long");
    for (ssize_t i = 0; i < size; i++) {
        if (path[i] == '{' || path[i] == '}') *text++ = path[i];
        *text++ = path[i];
    }
    *text = '\0';
    return LOCBO_OK;
}

/* PROGRAM demo --evaluate bread {temperature} {minutes} {seed} */
static locbo_status write_command(const demo_problem *p, const locbo_space *space, demo_command *c,
                                  locbo_error *error) {
    locbo_status status = find_program(c->program, error);
    const char *const begin[] = {c->program, "demo", "--evaluate", p->name};
    memcpy(c->words, begin, sizeof begin);
    c->count = sizeof begin / sizeof begin[0];
    for (size_t j = 0; j < locbo_space_dim(space) && status == LOCBO_OK; j++) {
        locbo_parameter parameter;
        status = locbo_space_parameter(space, j, &parameter, error);
        if (status == LOCBO_OK) snprintf(c->placeholders[j], WORD_TEXT, "{%s}", parameter.name);
        c->words[c->count++] = c->placeholders[j];
    }
    c->words[c->count++] = "{seed}";
    return status;
}

static locbo_status write_options(const demo_problem *p, const char *seed, locbo_options *options, locbo_error *error) {
    locbo_options_init(options);
    locbo_status status = p->direction ? locbo_options_set(options, "direction", p->direction, error) : LOCBO_OK;
    if (status == LOCBO_OK) status = locbo_options_set(options, "method", p->method, error);
    if (status == LOCBO_OK) status = locbo_options_set(options, "seed", seed, error);
    return status;
}

static locbo_status create(locbo_study **study, locbo_store *store, const demo_problem *p, const locbo_space *space,
                           const locbo_outputs *outputs, const char *seed, locbo_error *error) {
    locbo_options options;
    locbo_plan plan;
    demo_command *c = mem_new(1, sizeof *c);
    locbo_plan_init(&plan);
    plan.trials = p->wanted;
    plan.no_improvement = p->no_improvement;
    plan.timeout = p->timeout;
    plan.prune = p->prune;
    locbo_status status = c ? write_command(p, space, c, error) : status_no_memory(error);
    if (status == LOCBO_OK) status = write_options(p, seed, &options, error);
    if (status == LOCBO_OK) {
        locbo_definition definition = {.struct_size = sizeof definition,
                                       .space = space,
                                       .options = &options,
                                       .command_count = c->count,
                                       .command = c->words,
                                       .outputs = outputs};
        status = locbo_study_create(study, store, p->name, &definition, &plan, error);
    }
    mem_free(c);
    return status;
}

locbo_status demo_study_make(locbo_study **study, locbo_store *store, const demo_problem *p, const char *seed,
                             locbo_error *error) {
    locbo_space *space = NULL;
    locbo_outputs *outputs = NULL;
    locbo_study *made = NULL;
    locbo_status status = demo_problem_space(p, &space, error);
    if (status == LOCBO_OK) status = demo_problem_outputs(p, &outputs, error);
    if (status == LOCBO_OK) status = create(&made, store, p, space, outputs, seed, error);
    for (size_t i = 0; i < p->given_count && status == LOCBO_OK; i++)
        status = locbo_study_enqueue(made, p->given[i], NULL, error);
    locbo_space_destroy(space);
    locbo_outputs_destroy(outputs);
    if (status == LOCBO_OK)
        *study = made;
    else
        locbo_study_close(made);
    return status;
}

/* ---- one trial ------------------------------------------------------------------------------- */

enum { STEPS = 5 }; /* that are reported at once */

/* Read what it printed, and report its steps. Where the study ends it early, the rest was never printed, and `ended` is
 * 1. */
static locbo_status read_lines(locbo_study *study, const locbo_assignment *a, demo_run *run, result *lines, int *ended,
                               locbo_error *error) {
    const char *at = run->out.data, *end = at + run->out.size;
    locbo_step steps[STEPS];
    locbo_status status = LOCBO_OK;
    size_t count = 0;
    *ended = 0;
    while (at < end && status == LOCBO_OK && !*ended) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t size = (size_t)((stop ? stop : end) - at);
        if (step_line_read(lines->outputs, at, size, &steps[count]) == STEP_LINE_GOOD)
            count++;
        else
            result_line(lines, at, size);
        at += size + 1;
        if (count < (at < end ? STEPS : 1)) continue;
        status = locbo_study_report(study, a->trial, a->attempt, count, steps, ended, error);
        count = 0;
    }
    if (*ended) run->out.size = (size_t)(at - run->out.data);
    return status;
}

static locbo_status judge(locbo_study *study, const locbo_assignment *a, demo_run *run, outcome *judged,
                          locbo_error *error) {
    locbo_definition definition = {.struct_size = sizeof definition};
    int ended = 0;
    locbo_status status = locbo_study_definition(study, &definition, error);
    if (status != LOCBO_OK) return status;
    result lines = {.outputs = definition.outputs};
    status = read_lines(study, a, run, &lines, &ended, error);
    if (status == LOCBO_OK && ended)
        judged->kind = OUTCOME_PRUNED;
    else if (status == LOCBO_OK)
        status = result_judge(&lines, NULL, 0, run->exit_code << 8, 0, judged, error); /* as waitpid has it */
    result_release(&lines);
    return status;
}

/* Its last line of standard error says why. */
static void add_reason(const buffer *err, outcome *o) {
    size_t used = strlen(o->message), size = err->size;
    while (size > 0 && err->data[size - 1] == '\n') size--;
    size_t from = size;
    while (from > 0 && err->data[from - 1] != '\n') from--;
    if (size > from)
        snprintf(o->message + used, sizeof o->message - used, ": %.*s", (int)(size - from), err->data + from);
}

static locbo_status tell(locbo_study *study, const locbo_assignment *a, const outcome *o, locbo_error *error) {
    switch (o->kind) {
    case OUTCOME_VALUE:
        return locbo_study_tell(study, a->trial, a->attempt, o->count, o->measurements, error);
    case OUTCOME_FAILED:
        return locbo_study_tell_failed(study, a->trial, a->attempt, o->message, error);
    case OUTCOME_INFEASIBLE:
        return locbo_study_tell_infeasible(study, a->trial, a->attempt, o->message, error);
    case OUTCOME_PRUNED:
        return LOCBO_OK; /* the study knows */
    case OUTCOME_TRANSIENT:
    case OUTCOME_LOST:
        break;
    }
    return locbo_study_requeue(study, a->trial, a->attempt, LOCBO_REQUEUE_RETRY, 0, error);
}

locbo_status demo_study_finish(locbo_study *study, const demo_problem *p, const locbo_assignment *a, const double *x,
                               double seconds, locbo_error *error) {
    demo_run run;
    outcome judged = {.kind = OUTCOME_LOST};
    locbo_status status = demo_problem_evaluate(p, x, a->seed, &run, error);
    if (status == LOCBO_OK) status = judge(study, a, &run, &judged, error);
    if (status == LOCBO_OK) {
        if (judged.kind != OUTCOME_VALUE && judged.kind != OUTCOME_PRUNED) add_reason(&run.err, &judged);
        locbo_output output = {.out = run.out.data,
                               .out_size = run.out.size,
                               .err = run.err.data,
                               .err_size = run.err.size,
                               .exit_code = run.exit_code,
                               .seconds = seconds};
        status = locbo_study_keep_output(study, a->trial, a->attempt, &output, error);
    }
    if (status == LOCBO_OK) status = tell(study, a, &judged, error);
    outcome_release(&judged);
    demo_run_release(&run);
    return status;
}

/* ---- fill ------------------------------------------------------------------------------------ */

typedef struct slot {
    const char *worker;
    int busy;
    double began;
    locbo_assignment assignment;
    double x[DEMO_DIM];
} slot;

typedef struct filling {
    locbo_study *study;
    const demo_problem *problem;
    size_t count, busy;
    slot slots[DEMO_WORKERS];
    draw who; /* is ready next */
} filling;

/* Give every idle worker a trial, as long as there are any. */
static locbo_status hand_out(filling *f, locbo_error *error) {
    locbo_request request = {.struct_size = sizeof request, .limit = f->problem->filled};
    for (size_t i = 0; i < f->count; i++) {
        slot *s = &f->slots[i];
        if (s->busy) continue;
        request.worker = s->worker;
        locbo_status status = locbo_study_ask(f->study, &request, &s->assignment, s->x, error);
        if (status == LOCBO_ERR_NOTHING) return status_ok(error);
        if (status != LOCBO_OK) return status;
        s->began = clock_now();
        s->busy = 1;
        f->busy++;
    }
    return LOCBO_OK;
}

/* One of those under way, drawn by lot: workers are not equally fast. */
static locbo_status finish_one(filling *f, locbo_error *error) {
    uint64_t which = draw_below(&f->who, f->busy);
    slot *s = f->slots;
    while (!s->busy || which-- > 0) s++;
    s->busy = 0;
    f->busy--;
    return demo_study_finish(f->study, f->problem, &s->assignment, s->x, clock_now() - s->began, error);
}

static locbo_status give_back(filling *f, locbo_error *error) {
    for (size_t i = 0; i < f->count; i++) {
        const locbo_assignment *a = &f->slots[i].assignment;
        if (f->slots[i].busy) locbo_study_requeue(f->study, a->trial, a->attempt, LOCBO_REQUEUE_SAME, 0, NULL);
    }
    return status_fail(error, LOCBO_ERR_STOPPED, "interrupted; the study '%s' has only a part of its trials",
                       f->problem->name);
}

locbo_status demo_study_fill(locbo_study *study, const demo_problem *p, locbo_error *error) {
    locbo_definition definition = {.struct_size = sizeof definition};
    locbo_status status = locbo_study_definition(study, &definition, error);
    if (status != LOCBO_OK) return status;
    filling f = {.study = study, .problem = p, .who = draw_open(definition.options->seed, 4)};
    while (f.count < DEMO_WORKERS && p->workers[f.count]) {
        f.slots[f.count].worker = p->workers[f.count];
        f.count++;
    }
    for (;;) {
        status = hand_out(&f, error);
        if (status != LOCBO_OK || f.busy == 0) return status;
        if (interrupt_count() > 0) return give_back(&f, error);
        status = finish_one(&f, error);
        if (status != LOCBO_OK) return status;
    }
}

/* The worker is this process, so that another one on this machine notices when it is gone and takes the trial over. */
static locbo_status leave_running(locbo_study *study, locbo_error *error) {
    char identity[IDENTITY_TEXT];
    double x[DEMO_DIM];
    locbo_assignment assignment;
    locbo_request request = {.struct_size = sizeof request, .worker = identity};
    locbo_status status = identity_make(identity, error);
    return status == LOCBO_OK ? locbo_study_ask(study, &request, &assignment, x, error) : status;
}

locbo_status demo_study_add_examples(locbo_study *study, const demo_problem *p, locbo_error *error) {
    locbo_status status = p->running ? leave_running(study, error) : LOCBO_OK;
    if (status == LOCBO_OK && p->queued) status = locbo_study_enqueue(study, p->queued, NULL, error);
    if (status == LOCBO_OK && p->stopped) status = locbo_study_stop(study, p->stopped, error);
    return status;
}
