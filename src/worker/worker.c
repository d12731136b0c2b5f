/* worker.c - the loop of `locbo run` and `locbo work`. Layer: worker.
 *
 * One process, one thread: ask, start, poll, tell, beat. Everything durable is in the study; what is lost with this
 * process is only what its evaluations had computed so far, and their trials wait again once their leases end, or as
 * soon as a worker on the same machine sees that this process is gone. Others may pause or alter the study, or take a
 * trial back, while it runs. */
#include "worker.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "clock.h"
#include "message.h"
#include "exit_code.h"
#include "fallback.h"
#include "goal.h"
#include "identity.h"
#include "interrupt.h"
#include "mem.h"
#include "news.h"
#include "pareto.h"
#include "template.h"
#include "value.h"

enum { EMPTY_IN_ROW = 100 }; /* trials in a row without a result: the run gives up */

typedef struct worker {
    const worker_setup *setup;
    locbo_study *study;
    evaluation_setup evaluation; /* as the study is now */
    locbo_plan plan;
    char identity[IDENTITY_TEXT];
    evaluation *slots;
    double *points;           /* jobs x dim */
    locbo_assignment *handed; /* by one ask, at most `jobs` */
    double *handed_x;
    struct pollfd *polls;
    progress *progress;
    double began, last_look, look_took, next_summary, last_roll, idle_until, idle_pause, last_notice;
    locbo_census census;
    uint64_t failures_before, empty_before; /* in a row, when we began: a new run counts anew */
    size_t objectives;
    uint64_t front; /* of several objectives: points of the front */
    double volume;  /* and its hypervolume; NAN: not known */
    double coverage, coverage_most, target;
    uint64_t finished;    /* evaluations that ended here */
    uint64_t last_failed; /* the last trial that failed here, and why; 0: none */
    char last_why[256];
    int bad_step;   /* a line that is no step was reported */
    int paused;     /* the study is, and that was said */
    int ending;     /* start nothing more */
    int yields;     /* the present call is not needed any more once SIGUSR1 comes */
    int interrupts; /* already acted upon */
    double acted;   /* when that was */
    int code;
} worker;

static size_t busy(const worker *w) {
    size_t count = 0;
    for (size_t i = 0; i < w->setup->jobs; i++) count += w->slots[i].busy != 0;
    return count;
}

/* ---- signals ----------------------------------------------------------------------------------- */

/* Whether there is a signal to act upon. One within a second of another is the same: a batch system may send it to this
 * process and to the script that passes it on. */
static int is_interrupted(worker *w) {
    if (interrupt_count() == w->interrupts) return 0;
    if (clock_now() - w->acted >= 1) return 1;
    w->interrupts = interrupt_count();
    return 0;
}

static void take_interrupt(worker *w) {
    w->interrupts = interrupt_count();
    w->acted = clock_now();
}

/* Whether no trial is to be started, because of a signal. */
static int is_signalled(worker *w) { return is_interrupted(w) || interrupt_is_finish(); }

/* While the database is unreachable: report it from time to time; a signal may end the waiting; evaluations continue.
 */
static int on_wait(const char *why, double waited, void *user) {
    worker *w = user;
    double now = clock_now();
    if (w->yields ? is_signalled(w) : is_interrupted(w)) return 1;
    for (size_t i = 0; i < w->setup->jobs; i++) /* their output is taken, their time-outs hold */
        if (w->slots[i].busy) child_check(w->slots[i].process);
    if (waited < 1 || now - w->last_notice < 5) return 0;
    w->last_notice = now;
    progress_say(w->progress, "waiting for the database: %s", why);
    return 0;
}

/* ---- when to stop ------------------------------------------------------------------------------ */

/* How many trials of a row ended since this run began. */
static uint64_t since(uint64_t in_row, uint64_t *before) {
    if (in_row < *before) *before = 0; /* the old row was broken */
    return in_row - *before;
}

static const char all_complete[] = "all trials are complete";
static const char all_evaluated[] = "all evaluations are done (--evaluations)";
static const char all_spent[] = "the budget is spent (--budget)";

static uint64_t ended_trials(const locbo_census *c) {
    return c->state[LOCBO_COMPLETE] + c->state[LOCBO_PRUNED] + c->state[LOCBO_STATE_FAILED] +
           c->state[LOCBO_STATE_INFEASIBLE];
}

/* Why no further trial is to be started, or NULL. */
static const char *stop_reason(const worker *w) {
    const locbo_census *c = &w->census;
    switch (locbo_study_end(w->study, &w->plan, c)) {
    case LOCBO_END_TRIALS:
        return all_complete;
    case LOCBO_END_EVALUATIONS:
        return all_evaluated;
    case LOCBO_END_STOPPED:
        return c->stop_reason[0] ? c->stop_reason : "stopped";
    case LOCBO_END_TARGET:
        return c->reached ? "all targets are reached" : "the target is reached";
    case LOCBO_END_NO_IMPROVEMENT:
        return w->objectives > 1 ? "the front did not improve in the last trials (--no-improvement)"
                                 : "no better value in the last trials (--no-improvement)";
    case LOCBO_END_EXPECTED_GAIN:
        return "the model expects no better value (--expected-gain)";
    case LOCBO_END_BUDGET:
        return all_spent;
    case LOCBO_END_NOT:
        break;
    }
    if (!isnan(w->setup->time) && clock_now() - w->began >= w->setup->time) return "the time limit is reached";
    return NULL;
}

/* One line, also if quiet: the reason of the last failure is the best hint there is. */
static void give_up(const worker *w, const char *failures) {
    char last[320] = "";
    if (w->last_failed > 0)
        snprintf(last, sizeof last, ", the last of trial %" PRIu64 ": %s", w->last_failed, w->last_why);
    message_print(w->setup->name, 0,
                  "giving up after %s in a row%s; `locbo trials --state FAILED` and `locbo show TRIAL` show why",
                  failures, last);
}

static int too_many_failures(worker *w) {
    uint64_t failed = since(w->census.failures_in_row, &w->failures_before);
    uint64_t empty = since(w->census.empty_in_row, &w->empty_before);
    uint64_t most = w->plan.max_failures;
    if (most == 0 || (failed < most && empty < EMPTY_IN_ROW)) return 0;
    if (failed >= most)
        give_up(w, value_count(failed, "failure").text);
    else
        message_print(w->setup->name, 0, "giving up: %" PRIu64 " trials in a row had no result", empty);
    return 1;
}

/* ---- looking and showing ----------------------------------------------------------------------- */

static int fail(worker *w, const locbo_error *error) {
    message_print(w->setup->name, 0, "%s", error->message);
    w->code = exit_code_of(error->status);
    w->ending = 1;
    return 0;
}

/* A call that a signal has ended is no error: the loop acts on the signal. */
static int fail_unless_signalled(worker *w, const locbo_error *error) {
    int given_up = error->status == LOCBO_ERR_BUSY || error->status == LOCBO_ERR_CANCELLED;
    return given_up && (w->ending || is_signalled(w)) ? 0 : fail(w, error);
}

static void show(worker *w) {
    const locbo_census *c = &w->census;
    int budgeted = w->plan.trials == 0 && w->plan.evaluations > 0;
    double left = w->setup->time - (clock_now() - w->began);
    progress_state state = {.done = budgeted ? ended_trials(c) : c->state[LOCBO_COMPLETE] + c->state[LOCBO_PRUNED],
                            .total = budgeted ? w->plan.evaluations : w->plan.trials,
                            .ended = ended_trials(c),
                            .budget = budgeted ? 0 : w->plan.evaluations,
                            .cost = c->cost,
                            .most_cost = isnan(w->plan.budget) ? 0 : w->plan.budget,
                            .time_left = left > 0 ? left : 0, /* without a limit 0 */
                            .running = c->state[LOCBO_RUNNING],
                            .failed = c->state[LOCBO_STATE_FAILED],
                            .infeasible = c->state[LOCBO_STATE_INFEASIBLE],
                            .pruned = c->state[LOCBO_PRUNED],
                            .results = goal_constraints(w->evaluation.outputs) > 0 ? c->measurements : 0,
                            .best = c->best_value,
                            .best_trial = c->best_trial,
                            .best_count = c->best_count,
                            .objectives = w->objectives,
                            .points = w->front,
                            .volume = w->volume,
                            .since_front = c->since_best,
                            .coverage = w->coverage,
                            .coverage_most = w->coverage_most,
                            .target = w->target};
    progress_update(w->progress, &state);
}

/* Coverage of the outputs: the smallest and, if there are several, the largest. */
static void summarise_coverage(worker *w, locbo_optimizer *o) {
    locbo_summary summary;
    double low = (double)NAN, high = (double)NAN;
    size_t judged = 0;
    for (size_t i = 0; i < locbo_outputs_count(locbo_optimizer_outputs(o)); i++) {
        if (locbo_optimizer_summary_of(o, i, &summary, NULL) != LOCBO_OK) continue; /* it is not modelled */
        w->target = summary.target;
        judged += summary.judged > 0;
        low = fmin(low, summary.coverage);
        high = fmax(high, summary.coverage);
    }
    w->coverage = low;
    w->coverage_most = judged > 1 ? high : (double)NAN;
}

/* Coverage and front: the calibration is followed through all results, which may take a while. At most once a second,
 * and a twentieth of the time; but while there are few results, so that the first point of a front is seen at once. */
static void summarise(worker *w, double now) {
    enum { FEW = 50 };
    locbo_optimizer *o;
    int quick = w->objectives > 1 && w->census.measurements <= FEW;
    if (w->setup->quiet || (now < w->next_summary && !quick)) return;
    if (locbo_study_optimizer(w->study, &o, NULL) == LOCBO_OK) {
        summarise_coverage(w, o);
        if (w->objectives > 1) pareto_measured(o, &w->front, &w->volume, NULL);
    }
    w->next_summary = now + fmax(1, 20 * (clock_now() - now));
}

/* ---- changes by others ------------------------------------------------------------------------- */

/* Room for points of the present space, and where each evaluation has its own. What runs no longer needs its point. */
static int make_room(worker *w) {
    size_t jobs = w->setup->jobs, dim = locbo_space_dim(w->evaluation.space);
    double *points = mem_new(jobs * dim, sizeof *points), *handed = mem_new(jobs * dim, sizeof *handed);
    if (!points || !handed) {
        mem_free(points);
        mem_free(handed);
        return 0;
    }
    mem_free(w->points);
    mem_free(w->handed_x);
    w->points = points;
    w->handed_x = handed;
    for (size_t i = 0; i < jobs; i++) w->slots[i].x = points + i * dim;
    return 1;
}

/* The definition as it is now, for evaluations that begin from now on. */
static locbo_status take_definition(worker *w, locbo_error *error) {
    locbo_definition d = {.struct_size = sizeof d};
    locbo_status status = locbo_study_definition(w->study, &d, error);
    if (status == LOCBO_OK) status = locbo_study_plan(w->study, &w->plan, error);
    if (status != LOCBO_OK) return status;
    w->evaluation.space = d.space;
    w->evaluation.outputs = d.outputs;
    w->objectives = goal_objectives(d.outputs);
    if (!w->setup->own_command) {
        w->evaluation.command_count = d.command_count;
        w->evaluation.command = d.command;
    }
    if (w->evaluation.command_count == 0)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "the study '%.60s' has no command any more",
                           locbo_study_name(w->study));
    if (!make_room(w)) return status_no_memory(error);
    return template_check(d.space, w->evaluation.command_count, w->evaluation.command, error);
}

/* The study was altered: continue with what it is now. What runs ends as it began. Returns 0 if that fails. */
static int refresh(worker *w) {
    locbo_error error;
    locbo_status status = locbo_study_refresh(w->study, NULL, &error);
    if (status == LOCBO_OK) status = take_definition(w, &error);
    if (status != LOCBO_OK) return fail_unless_signalled(w, &error);
    news last = news_last(w->study, 1u << LOCBO_CHANGE_ALTER, 0);
    progress_say(w->progress, "the study was altered%s%s%s", last.by, last.why, last.what);
    return 1;
}

/* Stay, and ask again in a second. */
static void wait_paused(worker *w) {
    w->idle_pause = 1;
    w->idle_until = clock_now() + w->idle_pause;
    if (w->paused) return;
    w->paused = 1;
    news last = news_last(w->study, 1u << LOCBO_CHANGE_PAUSE, 0);
    progress_say(w->progress, "paused%s%s; waiting", last.by, last.why);
}

static void end_pause(worker *w) {
    if (!w->paused) return;
    w->paused = 0;
    w->idle_until = w->idle_pause = 0;
    progress_say(w->progress, "resumed");
}

/* What was decided of a trial whose heartbeat was refused. */
typedef struct decision {
    uint64_t trial, attempt, failure;
    locbo_state state;
} decision;

static int read_decision(const locbo_record *r, void *user) {
    decision *d = user;
    if (r->trial.id != d->trial) return 1;
    d->state = r->state;
    d->attempt = r->attempt;
    d->failure = r->failure;
    return 1;
}

/* Its evaluation is ended early, or nobody needs it: whatever it prints, nothing is told. */
static void end_evaluation(evaluation *e) {
    e->next_beat = (double)INFINITY;
    child_end(e->process, 0);
}

/* A heartbeat or a report was refused. Usually the lease had ended and another worker has the trial: a value is still
 * welcome. But if somebody took the trial back or declared it failed, or reported a step for which it was ended early,
 * its evaluation is ended, and nothing is told. */
static void resolve(worker *w, evaluation *e) {
    locbo_filter one = {.struct_size = sizeof one, .first = e->assignment.trial, .limit = 1};
    decision d = {.trial = e->assignment.trial, .state = LOCBO_RUNNING};
    locbo_status status = locbo_study_each(w->study, &one, read_decision, &d, NULL);
    if (status == LOCBO_ERR_CHANGED) {
        refresh(w); /* and once more in the next round */
        return;
    }
    e->doubted = 0;
    if (status != LOCBO_OK) return;
    if (d.state == LOCBO_PRUNED && d.attempt == e->assignment.attempt) {
        e->pruned = 1;
        end_evaluation(e);
        return;
    }
    news why = news_of(w->study, d.failure);
    if (why.event == 0) return; /* it failed by itself, or runs elsewhere */
    e->dropped = 1;
    end_evaluation(e);
    progress_say(w->progress, "trial %" PRIu64 " %s%s%s; its evaluation is ended", d.trial,
                 d.state == LOCBO_RETRACTED ? "was taken back" : "was declared failed", why.by, why.why);
}

/* Read the numbers of the study now; 0 if that fails. */
static int look_now(worker *w, double now) {
    locbo_error error;
    locbo_status status;
    w->last_look = now;
    while ((status = locbo_study_census(w->study, &w->census, &error)) == LOCBO_ERR_CHANGED)
        if (!refresh(w)) return 0;
    if (status != LOCBO_OK) return fail_unless_signalled(w, &error);
    w->look_took = clock_now() - now;
    if (!w->census.paused) end_pause(w);
    summarise(w, now);
    show(w);
    return 1;
}

/* The same, but not too often. `ended`: at once, because an evaluation has ended; but for a fifth of the time at most,
 * and beside other workers for less: together they would do little else. */
static int look(worker *w, int ended) {
    double now = clock_now();
    int alone = w->census.state[LOCBO_RUNNING] <= w->setup->jobs;
    double pause = alone ? fmin(4 * w->look_took, 0.5) : fmin(50 * w->look_took, 2);
    if (now - w->last_look < (ended ? pause : fmax(pause, 0.5))) return 1;
    w->yields = 1;
    int good = look_now(w, now);
    w->yields = 0;
    return good;
}

/* ---- dead workers of this machine --------------------------------------------------------------- */

static int forget_if_dead(const char *name, uint64_t trial, double lease, void *user) {
    worker *w = user;
    (void)trial, (void)lease;
    if (identity_is_dead(name)) locbo_study_forget_worker(w->study, name, NULL, NULL);
    return 0;
}

/* Their trials wait again at once, not only when their leases end. Looked at once a second at most. */
static locbo_status forget_dead_now(worker *w, locbo_error *error) {
    w->last_roll = clock_now();
    return locbo_study_each_running(w->study, forget_if_dead, w, error);
}

static void forget_dead(worker *w) {
    if (clock_now() - w->last_roll >= 1) forget_dead_now(w, NULL);
}

/* ---- one round --------------------------------------------------------------------------------- */

/* A lease of ours ended while we were busy, and the trial was handed to us again: it is still running here, as the new
 * attempt. */
static int resume_own(worker *w, const locbo_assignment *handed) {
    for (size_t i = 0; i < w->setup->jobs; i++) {
        evaluation *e = &w->slots[i];
        if (!e->busy || e->assignment.trial != handed->trial) continue;
        e->assignment.attempt = handed->attempt;
        e->mute = 0;
        e->next_beat = clock_now() + w->plan.lease / 3;
        return 1;
    }
    return 0;
}

static locbo_status renew(worker *w, evaluation *e, double now, locbo_error *error) {
    e->next_beat = now + w->plan.lease / 3;
    return locbo_study_beat(w->study, e->assignment.trial, e->assignment.attempt, w->plan.lease, error);
}

static void beat(worker *w, evaluation *e, double now) {
    locbo_error error;
    if (now < e->next_beat) return;
    locbo_status status = renew(w, e, now, &error);
    if (status == LOCBO_ERR_STATE) e->doubted = 1; /* not here: this may be called while the study computes */
    if (status != LOCBO_OK && status != LOCBO_ERR_STATE) fail_unless_signalled(w, &error);
}

/* The steps of an evaluation since the last report, in one transaction. Not for each of them if they come quickly: ten
 * times a second at most, a fifth of the time, and if no rule may end it, so that people look at them only, once a
 * second. */
static void report_steps(worker *w, evaluation *e, double now) {
    locbo_error error;
    if (!evaluation_has_steps(e) || (now < e->next_report && !child_has_many_steps(e->process))) return;
    locbo_status status = evaluation_report(e, &w->evaluation, &error);
    double end = clock_now();
    e->next_report = end + fmax(4 * (end - now), w->plan.prune == LOCBO_PRUNE_NONE ? 1 : 0.1);
    if (e->pruned) e->next_beat = (double)INFINITY;
    if (status == LOCBO_ERR_STATE) e->doubted = 1;
    if (status != LOCBO_OK && status != LOCBO_ERR_STATE) fail_unless_signalled(w, &error);
}

/* Once: a program may print many such lines. */
static void report_bad_step(worker *w, const evaluation *e) {
    char line[CHILD_BAD];
    child_take_bad_step(e->process, line);
    if (!line[0] || w->bad_step) return;
    w->bad_step = 1;
    progress_say(w->progress, "trial %" PRIu64 ": '%s' is no step, and is ignored; a step is a line like: step 10 0.53",
                 e->assignment.trial, line);
}

/* While a proposal is computed or awaited: heartbeats continue, output is taken, time-outs hold; a signal ends it. */
static int on_watch(void *user) {
    worker *w = user;
    for (size_t i = 0; i < w->setup->jobs; i++) {
        if (!w->slots[i].busy) continue;
        child_check(w->slots[i].process);
        beat(w, &w->slots[i], clock_now());
    }
    return w->ending || is_signalled(w);
}

/* What the study hands out at most may have become less since this worker began. */
static void take_bounds(worker *w) {
    locbo_plan now = {.struct_size = sizeof now};
    if (locbo_study_plan(w->study, &now, NULL) != LOCBO_OK) return;
    w->plan.budget = fmin(w->plan.budget, now.budget);
    if (now.evaluations > 0 && (w->plan.evaluations == 0 || w->plan.evaluations > now.evaluations))
        w->plan.evaluations = now.evaluations;
}

/* Nothing can be handed out now: what is left is under way elsewhere, or waits for its time, or there is no more. Look
 * again after a pause, which grows; `look` sees it if the study was stopped, or has all it may have. */
static void idle(worker *w) {
    take_bounds(w);
    w->idle_pause = fmin(fmax(2 * w->idle_pause, 0.05), 1);
    w->idle_until = clock_now() + w->idle_pause;
    forget_dead(w);
}

/* Ask for as many trials as can be started; returns how many there are. */
static size_t ask(worker *w, size_t most) {
    locbo_error error;
    size_t count = 0;
    locbo_request request = {.struct_size = sizeof request,
                             .worker = w->identity,
                             .lease = w->plan.lease,
                             /* what this worker began with, not what the study has now */
                             .limit = w->plan.trials,
                             .budget = w->plan.budget,
                             .more = w->plan.trials == 0 && w->plan.evaluations == 0 && isnan(w->plan.budget)};
    locbo_status status = locbo_study_ask_many(w->study, &request, most, w->handed, w->handed_x, &count, &error);
    if (status == LOCBO_OK || status == LOCBO_ERR_NOTHING) end_pause(w);
    if (status == LOCBO_OK) {
        w->idle_pause = 0;
        return count;
    }
    if (status == LOCBO_ERR_CHANGED)
        refresh(w); /* the next round asks again */
    else if (status == LOCBO_ERR_PAUSED)
        wait_paused(w);
    else if (status == LOCBO_ERR_NOTHING || status == LOCBO_ERR_STOPPED)
        idle(w);
    else
        fail_unless_signalled(w, &error);
    return 0;
}

static evaluation *free_slot(worker *w) {
    size_t i = 0;
    while (w->slots[i].busy) i++;
    return &w->slots[i];
}

/* A new trial that the model did not propose, though it should have. */
static void report_random(worker *w, const evaluation *e) {
    locbo_definition definition = {.struct_size = sizeof definition};
    if (!e->busy || e->assignment.attempt > 1 || w->setup->quiet) return;
    if (locbo_study_definition(w->study, &definition, NULL) != LOCBO_OK) return;
    if (fallback_is(&e->assignment.info, definition.options->method))
        progress_say(w->progress, "trial %" PRIu64 " was proposed at random: " FALLBACK_REASON, e->assignment.trial);
}

static void hand_back(worker *w, const locbo_assignment *handed) {
    locbo_study_requeue(w->study, handed->trial, handed->attempt, LOCBO_REQUEUE_SAME, 0, NULL);
}

/* Start what was handed out as number i; on failure it waits again, and nothing more is started. */
static void start(worker *w, size_t i) {
    locbo_error error;
    const locbo_assignment *handed = &w->handed[i];
    size_t dim = locbo_space_dim(w->evaluation.space);
    if (resume_own(w, handed)) return;
    if (w->ending || is_signalled(w)) {
        hand_back(w, handed);
        return;
    }
    evaluation *e = free_slot(w);
    e->assignment = *handed;
    memcpy(e->x, w->handed_x + i * dim, dim * sizeof *e->x);
    locbo_status status = evaluation_start(e, &w->evaluation, &error);
    e->next_beat = clock_now() + w->plan.lease / 3;
    if (status == LOCBO_OK) {
        report_random(w, e);
        return;
    }
    hand_back(w, handed);
    error.status = LOCBO_ERR_IO; /* whatever was missing, it is not in the study */
    fail(w, &error);
}

static void start_all(worker *w) {
    while (!w->ending && busy(w) < w->setup->jobs && clock_now() >= w->idle_until) {
        if (is_signalled(w)) return;
        w->yields = 1;
        size_t count = ask(w, w->setup->jobs - busy(w));
        w->yields = 0;
        for (size_t i = 0; i < count; i++) start(w, i);
        if (count == 0) return;
        if (!isnan(w->setup->time) && clock_now() - w->began >= w->setup->time) return;
    }
}

/* The first trial has failed: a program that reads its parameters in another way may not know what it was given. */
static void explain_appended(worker *w, uint64_t trial) {
    const evaluation_setup *e = &w->evaluation;
    locbo_parameter p;
    if (trial != 1 || w->setup->quiet || !template_appends(e->space, e->command_count, e->command)) return;
    if (locbo_space_parameter(e->space, 0, &p, NULL) != LOCBO_OK) return;
    progress_say(
        w->progress,
        "no word of the command has a placeholder such as {%s}, so --%s=VALUE was appended to it, and likewise "
        "for each parameter",
        p.name, p.name);
}

static void report(worker *w, uint64_t trial, const outcome *o) {
    static const char *const words[] = {[OUTCOME_FAILED] = "failed",
                                        [OUTCOME_INFEASIBLE] = "is infeasible",
                                        [OUTCOME_TRANSIENT] = "will be tried again",
                                        [OUTCOME_LOST] = "waits again"};
    if (o->kind == OUTCOME_FAILED) {
        if (w->last_failed == 0) explain_appended(w, trial);
        w->last_failed = trial;
        snprintf(w->last_why, sizeof w->last_why, "%s", o->message);
    }
    if (o->kind == OUTCOME_VALUE || o->kind == OUTCOME_PRUNED || w->setup->quiet) return;
    progress_say(w->progress, "trial %" PRIu64 " %s: %s", trial, words[o->kind], o->message);
}

/* One row of measured values, a line each: without memory, which may be what is lacking. */
static void report_row(const worker *w, const char *state, const evaluation *e, const locbo_measurement *row) {
    const locbo_outputs *outputs = e->outputs;
    uint64_t trial = e->assignment.trial;
    for (size_t i = 0; i < (outputs ? locbo_outputs_count(outputs) : 1); i++) {
        locbo_output_spec spec = {.struct_size = sizeof spec, .name = ""};
        if (isnan(row[i].value)) continue;
        if (outputs) locbo_outputs_get(outputs, i, &spec, NULL);
        message_print(w->setup->name, 0, "%s: trial %" PRIu64 " measured %s%s%.17g", state, trial, spec.name,
                      outputs ? "=" : "", row[i].value);
    }
}

/* Measured values that could not be stored are printed. Whether they are stored after all is not known if the study
 * says so in its message. */
static void report_lost_values(worker *w, const evaluation *e, const outcome *o, const locbo_error *error) {
    const char *state = strstr(error->message, "not known whether") ? "not known whether stored" : "not stored";
    size_t width = evaluation_width(e);
    for (size_t i = 0; o->kind == OUTCOME_VALUE && i < o->count; i++)
        report_row(w, state, e, o->measurements + i * width);
}

/* After an interrupt: wait 5 seconds for the database at most. */
static void shorten_waits(worker *w) {
    take_interrupt(w);
    w->code = EXIT_INTERRUPTED;
    w->ending = 1;
    locbo_store_patience(w->setup->store, 5, on_wait, w);
}

/* It has ended: nothing is told of one that was dropped. */
static void finish_one(worker *w, evaluation *e) {
    locbo_error error;
    w->finished++;
    w->idle_until = w->idle_pause = 0;
    if (e->dropped) {
        evaluation_clear(e);
        return;
    }
    outcome judged = {.kind = OUTCOME_LOST};
    uint64_t trial = e->assignment.trial;
    locbo_status status = evaluation_finish(e, &w->evaluation, &judged, &error);
    if (status == LOCBO_ERR_BUSY && e->busy && is_interrupted(w)) {
        shorten_waits(w); /* Ctrl-C ended the waiting, but this has been measured: one more try */
        outcome_release(&judged);
        judged = (outcome){.kind = OUTCOME_LOST};
        status = evaluation_finish(e, &w->evaluation, &judged, &error);
    }
    if (status == LOCBO_OK) {
        report(w, trial, &judged);
    } else {
        if (e->busy) report_lost_values(w, e, &judged, &error); /* otherwise only its output was not stored */
        evaluation_clear(e);
        fail(w, &error);
    }
    outcome_release(&judged);
}

/* Sleep until something happens. */
static void wait_for_event(worker *w) {
    nfds_t count = 0;
    double now = clock_now(), wait = 1;
    if (w->idle_until > now) wait = fmin(wait, w->idle_until - now);
    for (size_t i = 0; i < w->setup->jobs; i++) {
        const evaluation *e = &w->slots[i];
        if (!e->busy) continue;
        count += child_poll_set(e->process, w->polls + count);
        wait = fmin(wait, fmin(child_deadline(e->process), e->next_beat - now));
        if (evaluation_has_steps(e)) wait = fmin(wait, e->next_report - now);
    }
    interrupt_poll(w->polls, count, fmax(wait, 0));
}

static int check_all(worker *w) {
    int ended = 0;
    for (size_t i = 0; i < w->setup->jobs; i++) {
        evaluation *e = &w->slots[i];
        if (!e->busy) continue;
        child_state state = child_check(e->process);
        report_bad_step(w, e);
        if (state == CHILD_ENDED) {
            finish_one(w, e);
            ended = 1;
            continue;
        }
        report_steps(w, e, clock_now());
        beat(w, e, clock_now());
        if (e->doubted && !e->dropped) resolve(w, e);
    }
    return ended;
}

/* ---- the end ----------------------------------------------------------------------------------- */

/* One that ended well after all has measured something: that is kept. */
static void abandon(worker *w, evaluation *e) {
    locbo_error error;
    int status = child_status(e->process);
    if (e->dropped || e->pruned || (WIFEXITED(status) && WEXITSTATUS(status) == 0)) {
        finish_one(w, e);
        return;
    }
    if (evaluation_abandon(e, &w->evaluation, &error) != LOCBO_OK)
        message_print(w->setup->name, 0, "%s (the trial waits again when its lease ends)", error.message);
}

/* A batch system may signal the evaluation too: what ended so was interrupted with us. */
static int is_ended_with_us(const worker *w, const evaluation *e) {
    int status = child_status(e->process), number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return w->code == EXIT_INTERRUPTED && (number == SIGTERM || number == SIGINT || number == SIGHUP);
}

/* `now`: with SIGKILL. What ended by itself before the signal is told. */
static void end_all(worker *w, int now) {
    for (size_t i = 0; i < w->setup->jobs; i++) {
        evaluation *e = &w->slots[i];
        if (!e->busy) continue;
        if (now || child_check(e->process) == CHILD_RUNNING)
            child_end(e->process, now);
        else if (!is_ended_with_us(w, e))
            finish_one(w, e);
    }
}

/* Whether any still runs. Its trial stays ours while it has time to end, if the database answers. */
static int are_running(worker *w) {
    int running = 0;
    for (size_t i = 0; i < w->setup->jobs; i++) {
        evaluation *e = &w->slots[i];
        double now = clock_now();
        if (!e->busy || child_check(e->process) == CHILD_ENDED) continue;
        running = 1;
        if (now >= e->next_beat && renew(w, e, now, NULL) != LOCBO_OK) e->next_beat = (double)INFINITY;
    }
    return running;
}

/* Ctrl-C, or a database that is lost: end what runs, let its trials wait again. */
static void abandon_all(worker *w) {
    const double patience = 5; /* seconds: for one call, and for handing back all trials */
    locbo_store_patience(w->setup->store, patience, on_wait, w);
    end_all(w, 0);
    while (are_running(w)) {
        wait_for_event(w);
        if (!is_interrupted(w)) continue;
        take_interrupt(w);
        end_all(w, 1); /* a second Ctrl-C */
    }
    double end = clock_now() + patience;
    for (size_t i = 0; i < w->setup->jobs; i++) {
        if (!w->slots[i].busy) continue;
        locbo_store_patience(w->setup->store, fmax(end - clock_now(), 0), on_wait, w);
        abandon(w, &w->slots[i]);
    }
}

static void keep_reason(worker *w, const char *reason) {
    if (w->setup->reason) snprintf(w->setup->reason, WORKER_REASON, "%s", reason);
}

/* Start nothing more. */
static void end_for(worker *w, const char *reason) {
    w->ending = 1;
    keep_reason(w, reason);
    if (w->setup->quiet) return;
    if (busy(w) > 0)
        progress_say(w->progress, "%s; trials still running: %zu", reason, busy(w));
    else if (reason != all_complete && reason != all_evaluated && reason != all_spent)
        progress_say(w->progress, "stopped: %s", reason);
}

static void loop(worker *w) {
    while (!w->ending || busy(w) > 0) {
        if (is_interrupted(w) || (w->ending && w->code != EXIT_OK)) break;
        if (!w->ending && interrupt_is_finish()) end_for(w, "asked to finish (SIGUSR1)");
        if (!w->ending) start_all(w);
        if (busy(w) > 0 || !w->ending) wait_for_event(w);
        if (is_interrupted(w)) break;
        int ended = check_all(w);
        if (!w->ending && look(w, ended) && !w->ending) {
            const char *reason = stop_reason(w);
            if (reason) {
                end_for(w, reason);
            } else if (too_many_failures(w)) {
                w->ending = 1;
                keep_reason(w, "too many failures");
                w->code = EXIT_FAILURES;
            }
        }
    }
}

static int prepare(worker *w) {
    locbo_error error;
    const worker_setup *s = w->setup;
    w->slots = mem_new(s->jobs, sizeof *w->slots);
    w->polls = mem_new(3 * s->jobs, sizeof *w->polls);
    w->handed = mem_new(s->jobs, sizeof *w->handed);
    if (!w->slots || !w->polls || !w->handed || !make_room(w)) {
        message_print(s->name, 0, "out of memory");
        w->code = EXIT_RUNTIME;
        return 0;
    }
    if (identity_make(w->identity, &error) != LOCBO_OK) return fail(w, &error);
    locbo_store_patience(s->store, INFINITY, on_wait, w);
    locbo_study_watch(w->study, on_watch, w);
    w->yields = 1;
    locbo_status status = forget_dead_now(w, &error);
    w->yields = 0;
    return status == LOCBO_OK ? look(w, 1) : fail_unless_signalled(w, &error);
}

/* Until the end, whatever its reason. */
static void work(worker *w) {
    loop(w);
    if (is_interrupted(w)) {
        take_interrupt(w);
        w->code = EXIT_INTERRUPTED;
    }
    if (w->code == EXIT_INTERRUPTED) keep_reason(w, "interrupted");
    if (w->code != EXIT_OK) abandon_all(w);
    int code = w->code;
    w->next_summary = w->last_look = 0;
    look(w, 1);
    if (code != EXIT_OK) w->code = code;
}

int worker_run(const worker_setup *setup) {
    worker w = {.setup = setup,
                .study = setup->evaluation.study,
                .evaluation = setup->evaluation,
                .plan = *setup->evaluation.plan,
                .progress = progress_open(setup->quiet),
                .began = clock_now(),
                .acted = -(double)INFINITY,
                .objectives = goal_objectives(setup->evaluation.outputs),
                .volume = (double)NAN,
                .coverage = (double)NAN,
                .coverage_most = (double)NAN,
                .target = (double)NAN};
    w.evaluation.plan = &w.plan;
    interrupt_install();
    const char *reason = prepare(&w) ? stop_reason(&w) : NULL;
    w.failures_before = w.census.failures_in_row;
    w.empty_before = w.census.empty_in_row;
    if (reason) {
        message_print(setup->name, 0, "nothing to do: %s", reason);
        w.code = EXIT_NOTHING;
    } else if (w.code == EXIT_OK) { /* also if a signal has ended prepare: then it does nothing */
        work(&w);
    }
    progress_close(w.progress);
    interrupt_restore();
    locbo_store_patience(setup->store, 30, NULL, NULL);
    locbo_study_watch(w.study, NULL, NULL);
    mem_free(w.handed);
    mem_free(w.handed_x);
    mem_free(w.slots);
    mem_free(w.points);
    mem_free(w.polls);
    return w.code;
}
