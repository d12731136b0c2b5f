/* evaluation.c - one trial being evaluated. Layer: worker. */
#include "evaluation.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "credential.h"
#include "mem.h"
#include "template.h"
#include "value.h"

extern char **environ;

/* ---- start ------------------------------------------------------------------------------------- */

/* NULL stays NULL. */
static locbo_status copy_outputs(const locbo_outputs *from, locbo_outputs **copy, locbo_error *error) {
    *copy = NULL;
    locbo_status status = from ? locbo_outputs_create(copy, error) : LOCBO_OK;
    for (size_t i = 0; from && status == LOCBO_OK && i < locbo_outputs_count(from); i++) {
        locbo_output_spec spec = {.struct_size = sizeof spec};
        status = locbo_outputs_get(from, i, &spec, error);
        if (status == LOCBO_OK) status = locbo_outputs_add(*copy, &spec, error);
    }
    if (status == LOCBO_OK) return LOCBO_OK;
    locbo_outputs_destroy(*copy);
    *copy = NULL;
    return status;
}

static size_t width_of(const locbo_outputs *outputs) { return outputs ? locbo_outputs_count(outputs) : 1; }

size_t evaluation_width(const evaluation *e) { return width_of(e->outputs); }

static locbo_status start_process(evaluation *e, const evaluation_setup *s, locbo_error *error) {
    const locbo_assignment *a = &e->assignment;
    template_values values = {.space = s->space,
                              .x = e->x,
                              .trial = a->trial,
                              .seed = a->seed,
                              .attempt = a->attempt,
                              .workdir = e->folder.path,
                              .result_file = e->folder.result_file};
    char **words = NULL, **environment = NULL, **base = s->pass_credentials ? environ : credential_strip(environ);
    double timeout = isnan(s->plan->timeout) ? INFINITY : s->plan->timeout;
    locbo_status status = base ? LOCBO_OK : status_no_memory(error);
    if (status == LOCBO_OK) status = template_expand(&values, s->command_count, s->command, &words, error);
    if (status == LOCBO_OK) status = template_environment(&values, base, &environment, error);
    if (status == LOCBO_OK) status = child_start(&e->process, words, environment, timeout, error);
    if (status == LOCBO_OK) {
        child_set_outputs(e->process, e->outputs);
        child_set_grace(e->process, s->grace);
    }
    template_free(words);
    template_free(environment);
    if (base != environ) mem_free(base);
    return status;
}

locbo_status evaluation_start(evaluation *e, const evaluation_setup *setup, locbo_error *error) {
    locbo_status status = folder_make(&e->folder, setup->workdir, e->assignment.trial, e->assignment.attempt, error);
    if (status == LOCBO_OK) status = copy_outputs(setup->outputs, &e->outputs, error);
    if (status == LOCBO_OK) status = start_process(e, setup, error);
    if (status == LOCBO_OK)
        e->busy = 1;
    else
        evaluation_clear(e);
    return status;
}

void evaluation_clear(evaluation *e) {
    child_destroy(e->process);
    mem_free(e->steps);
    locbo_outputs_destroy(e->outputs);
    folder_release(&e->folder);
    *e = (evaluation){.x = e->x};
}

/* ---- steps ------------------------------------------------------------------------------------- */

int evaluation_has_steps(const evaluation *e) {
    return !e->mute && !e->pruned && !e->dropped && (e->steps || child_has_steps(e->process));
}

/* In short transactions. What could not be reported stays, and further steps wait in the process until it could. */
static locbo_status report_steps(evaluation *e, const evaluation_setup *s, int *end, locbo_error *error) {
    enum { MOST = 8192 };
    const locbo_assignment *a = &e->assignment;
    *end = 0;
    while (evaluation_has_steps(e) && !*end) {
        if (!e->steps) {
            e->steps = child_take_steps(e->process, &e->step_count);
            e->step_at = 0;
        }
        size_t count = e->step_count - e->step_at < MOST ? e->step_count - e->step_at : MOST;
        locbo_status status =
            locbo_study_report(s->study, a->trial, a->attempt, count, e->steps + e->step_at, end, error);
        e->mute = status == LOCBO_ERR_STATE;
        if (status != LOCBO_OK && status != LOCBO_ERR_STATE) return status;
        e->step_at += count;
        if (status == LOCBO_OK && e->step_at < e->step_count) continue;
        mem_free(e->steps);
        e->steps = NULL;
        if (status != LOCBO_OK) return status;
    }
    return LOCBO_OK;
}

locbo_status evaluation_report(evaluation *e, const evaluation_setup *setup, locbo_error *error) {
    int end;
    locbo_status status = report_steps(e, setup, &end, error);
    if (status != LOCBO_OK || !end) return status;
    e->pruned = 1;
    child_end(e->process, 0);
    return LOCBO_OK;
}

/* ---- finish ------------------------------------------------------------------------------------ */

static locbo_status keep_output(const evaluation *e, locbo_study *study, locbo_error *error) {
    locbo_output output = {.seconds = child_seconds(e->process)};
    int status = child_status(e->process);
    output.exit_code = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    output.out = child_out(e->process, &output.out_size);
    output.err = child_err(e->process, &output.err_size);
    return locbo_study_keep_output(study, e->assignment.trial, e->assignment.attempt, &output, error);
}

/* The last line of standard error often says why it failed: it is added to the message, printable. */
static void quote_last_line(const child *process, outcome *o) {
    size_t size, used = strlen(o->message);
    const char *text = child_err(process, &size);
    if (o->kind != OUTCOME_FAILED) return;
    while (size > 0 && (unsigned char)text[size - 1] <= ' ') size--;
    size_t from = size;
    while (from > 0 && text[from - 1] != '\n' && size - from < 120) from--;
    if (from == size || used + (size - from) + 3 > sizeof o->message) return;
    used += (size_t)snprintf(o->message + used, sizeof o->message - used, ": ");
    for (; from < size; from++) /* ASCII only: a character may have been cut in two */
        o->message[used++] = text[from] >= ' ' && text[from] < 0x7f ? text[from] : '?';
    o->message[used] = '\0';
}

/* Another attempt while retries are left; otherwise it failed. */
static void decide_retry(const locbo_assignment *a, const locbo_plan *plan, outcome *o) {
    int lost = o->kind == OUTCOME_LOST;
    if (o->kind != OUTCOME_TRANSIENT && !lost) return;
    uint64_t had = lost ? a->lost : a->retries;
    if (had < (lost && plan->max_lost ? plan->max_lost : plan->retries)) return;
    char message[sizeof o->message];
    snprintf(message, sizeof message, "%.200s, after %s", o->message, value_count(had, "retry").text);
    memcpy(o->message, message, sizeof message);
    o->kind = OUTCOME_FAILED;
}

/* Outputs that the study got while it ran come after the others; the results lack them. */
static locbo_status tell_values(const evaluation *e, const evaluation_setup *s, const outcome *o, locbo_error *error) {
    const locbo_assignment *a = &e->assignment;
    size_t had = evaluation_width(e), width = width_of(s->outputs);
    if (had == width) return locbo_study_tell(s->study, a->trial, a->attempt, o->count, o->measurements, error);
    locbo_measurement *rows = mem_new(o->count, width * sizeof *rows);
    if (!rows) return status_no_memory(error);
    for (size_t i = 0; i < o->count; i++)
        for (size_t k = 0; k < width; k++)
            rows[i * width + k] =
                k < had ? o->measurements[i * had + k] : (locbo_measurement){(double)NAN, (double)NAN, 1};
    locbo_status status = locbo_study_tell(s->study, a->trial, a->attempt, o->count, rows, error);
    mem_free(rows);
    return status;
}

static locbo_status tell(const evaluation *e, const evaluation_setup *s, const outcome *o, locbo_error *error) {
    const locbo_assignment *a = &e->assignment;
    locbo_store_token(s->store, e->token);
    switch (o->kind) {
    case OUTCOME_VALUE:
        return tell_values(e, s, o, error);
    case OUTCOME_FAILED:
        return locbo_study_tell_failed(s->study, a->trial, a->attempt, o->message, error);
    case OUTCOME_INFEASIBLE:
        return locbo_study_tell_infeasible(s->study, a->trial, a->attempt, o->message, error);
    case OUTCOME_TRANSIENT: {
        double delay = s->plan->retry_delay * exp2((double)(a->retries < 20 ? a->retries : 20));
        return locbo_study_requeue(s->study, a->trial, a->attempt, LOCBO_REQUEUE_RETRY, delay, error);
    }
    case OUTCOME_PRUNED:
    case OUTCOME_LOST:
        break;
    }
    return locbo_study_requeue(s->study, a->trial, a->attempt, LOCBO_REQUEUE_KILLED, 0, error);
}

/* The outcome by the result file, what was printed and how it ended. */
static locbo_status judge(const evaluation *e, outcome *judged, locbo_error *error) {
    char *file = NULL, why[FOLDER_WHY];
    size_t size = 0;
    int ending = child_status(e->process), timed_out = child_timed_out(e->process);
    int unread = child_unread(e->process);
    if (unread) return status_fail(error, LOCBO_ERR_IO, "%s", strerror(unread));
    locbo_status status = folder_read_result(&e->folder, &file, &size, why, error);
    if (status != LOCBO_OK) return status;
    status = result_judge(child_result(e->process), file, size, ending, timed_out, judged, error);
    mem_free(file);
    if (status == LOCBO_OK && why[0] && !timed_out && WIFEXITED(ending) && WEXITSTATUS(ending) == 0) {
        outcome_release(judged); /* what it printed does not replace a result file that is wrong */
        judged->kind = OUTCOME_FAILED;
        snprintf(judged->message, sizeof judged->message, "exit code 0 but the result file %s", why);
    }
    return status;
}

/* What it measured is not known because of this process, not because of the objective: `error` says why. The trial
 * waits again. */
static locbo_status give_back(evaluation *e, const evaluation_setup *s, locbo_error *error) {
    locbo_error why = *error;
    const locbo_assignment *a = &e->assignment;
    status_fail(error, LOCBO_ERR_IO, "the result of trial %" PRIu64 " cannot be read: %.150s", a->trial, why.message);
    if (locbo_study_requeue(s->study, a->trial, a->attempt, LOCBO_REQUEUE_SAME, 0, NULL) == LOCBO_OK)
        evaluation_clear(e);
    return LOCBO_ERR_IO;
}

/* Tell the outcome. Values that no result of this study can have, as -1 on a log scale, are a bad result. */
static locbo_status tell_checked(const evaluation *e, const evaluation_setup *s, outcome *o, locbo_error *error) {
    locbo_status status = tell(e, s, o, error);
    if (status != LOCBO_ERR_ARGUMENT || o->kind != OUTCOME_VALUE) return status;
    outcome_release(o);
    o->kind = OUTCOME_FAILED;
    snprintf(o->message, sizeof o->message, "exit code 0 but a bad result: %.200s", error->message);
    return tell(e, s, o, error);
}

/* Its trial is over: only what it printed is kept. */
static locbo_status finish_pruned(evaluation *e, const evaluation_setup *s, outcome *judged, locbo_error *error) {
    outcome_release(judged);
    judged->kind = OUTCOME_PRUNED;
    locbo_status status = keep_output(e, s->study, error);
    evaluation_clear(e);
    return status;
}

locbo_status evaluation_finish(evaluation *e, const evaluation_setup *setup, outcome *judged, locbo_error *error) {
    int end = 0;
    locbo_status status = report_steps(e, setup, &end, error);
    if (status != LOCBO_OK && status != LOCBO_ERR_STATE) return status;
    if (e->pruned) return finish_pruned(e, setup, judged, error);
    status = judge(e, judged, error);
    if (end && (status != LOCBO_OK || judged->kind != OUTCOME_VALUE)) return finish_pruned(e, setup, judged, error);
    if (status != LOCBO_OK) return give_back(e, setup, error);
    if (e->token == 0) status = locbo_token_draw(&e->token, error);
    if (status != LOCBO_OK) return status;
    quote_last_line(e->process, judged);
    decide_retry(&e->assignment, setup->plan, judged);
    status = tell_checked(e, setup, judged, error);
    /* another worker has the trial: a failure of this attempt does not count, a value always does */
    if (status == LOCBO_ERR_STATE && judged->kind != OUTCOME_VALUE) status = LOCBO_OK;
    if (status != LOCBO_OK) return status;
    status = keep_output(e, setup->study, error);
    evaluation_clear(e);
    return status;
}

locbo_status evaluation_abandon(evaluation *e, const evaluation_setup *setup, locbo_error *error) {
    const locbo_assignment *a = &e->assignment;
    locbo_status status = locbo_study_requeue(setup->study, a->trial, a->attempt, LOCBO_REQUEUE_SAME, 0, error);
    if (status == LOCBO_ERR_STATE) status = LOCBO_OK;
    evaluation_clear(e);
    return status;
}
