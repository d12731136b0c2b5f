/* ask.c - ask and enqueue: decide who gets which trial. Layer: study, top.
 *
 *     look (one read)  ->  trials wait: claim.c  ->  done
 *                      ->  the limit is reached: nothing
 *                      ->  no model is needed: proposal.c, at once
 *                      ->  nobody computes: become the proposer, proposal.c
 *                      ->  somebody computes: pause, look again
 *
 * What a look has found may have changed a moment later: each step that writes checks again what it depends on, in its
 * own transaction. Waiting processes read, with pauses that grow with the time waited, and write once for each proposal
 * that they wait for. */
#include "ask.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "definition.h"
#include "lost.h"
#include "mem.h"
#include "sized.h"
#include "spending.h"

/* ---- the study --------------------------------------------------------------------------------- */

static locbo_status is_paused(const asking *a, const store_value *reason, locbo_error *error) {
    const char *why = store_as_text(reason);
    return status_fail(error, LOCBO_ERR_PAUSED, "the study '%.60s' is paused%s%.127s", a->study->name, *why ? ": " : "",
                       why);
}

locbo_status ask_take_study(const store_value *columns, size_t count, void *user, locbo_error *error) {
    asking *a = user;
    const locbo_request *r = &a->request;
    locbo_plan plan;
    (void)count;
    if (columns[0].kind != STORE_NULL && !a->enqueue)
        return status_fail(error, LOCBO_ERR_STOPPED, "the study '%.60s' was stopped: %.127s", a->study->name,
                           store_as_text(&columns[0]));
    locbo_status status = ledger_check_revision(a->study, store_as_count(&columns[3]), error);
    if (status == LOCBO_OK && columns[4].kind != STORE_NULL && !a->enqueue) status = is_paused(a, &columns[4], error);
    if (status == LOCBO_OK) status = definition_read_plan(store_as_text(&columns[1]), &plan, error);
    if (status != LOCBO_OK) return status;
    a->limit = r->more || a->enqueue ? 0 : r->limit ? r->limit : plan.trials;
    a->evaluations = r->more || a->enqueue ? 0 : plan.evaluations;
    a->budget = r->more || a->enqueue ? (double)NAN : r->budget > 0 ? fmin(r->budget, plan.budget) : plan.budget;
    a->confirm = r->fixed ? 0 : plan.confirm;
    a->lease = a->enqueue || isinf(r->lease) ? (double)NAN : r->lease == 0 ? plan.lease : r->lease;
    a->trials = store_as_count(&columns[2]);
    return LOCBO_OK;
}

static locbo_status take_look(const store_value *columns, size_t count, void *user, locbo_error *error) {
    asking *a = user;
    locbo_status status = ask_take_study(columns, count, a, error);
    const store_value *more = columns + ASK_COLUMNS;
    snprintf(a->proposer, sizeof a->proposer, "%s", store_as_text(&more[0]));
    a->proposer_until = store_as_real(&more[1]);
    a->now = store_as_real(&more[2]);
    a->waiting = store_as_int(&more[3]) != 0;
    a->expired = store_as_int(&more[4]) != 0 || store_as_int(&more[5]) != 0;
    return status;
}

/* Of those that wait for their time only a few are looked at: all, if none can be handed out now. */
#define WAITS                                                                                                          \
    "EXISTS (SELECT 1 FROM locbo_trial WHERE study = $1 AND state = 'WAITING' AND (lease IS NULL OR lease <= {now}))"

static locbo_status look(asking *a, locbo_error *error) {
    uint64_t found = 0;
    locbo_status status =
        store_single(a->study->store,
                     "SELECT " ASK_STUDY ", proposer, proposer_until, {now},"
                     " " WAITS ","
                     " EXISTS (SELECT 1 FROM locbo_trial WHERE study = $1 AND state = 'RUNNING'"
                     " AND (lease < {now} OR (" LOST_AHEAD "))),"
                     " CASE WHEN " WAITS " THEN 0 ELSE (SELECT count(*) FROM locbo_trial WHERE study = $1"
                     " AND state = 'WAITING' AND " LOST_AHEAD ") END"
                     " FROM locbo_study WHERE id = $1",
                     VALUES(store_int(a->study->id)), take_look, a, &found, error);
    return status == LOCBO_OK && found == 0 ? ledger_gone(a->study, error) : status;
}

static locbo_status check_budget(asking *a, locbo_error *error) {
    spending s;
    a->spent = 0;
    if (isnan(a->budget)) return LOCBO_OK;
    locbo_status status = spending_read(a->study, &s, error);
    if (status == LOCBO_OK) a->spent = s.all + s.expected >= a->budget;
    return status;
}

static void leave_room(uint64_t most, uint64_t before, size_t *room) {
    uint64_t left = most > before ? most - before : 0;
    if (left < *room) *room = (size_t)left;
}

/* Failed and infeasible trials do not count for the limit: they are few, and found by an index. */
locbo_status ask_check_room(asking *a, uint64_t before, size_t wanted, size_t *room, locbo_error *error) {
    uint64_t others = 0;
    *room = wanted;
    if (a->evaluations > 0) leave_room(a->evaluations, before, room);
    locbo_status status = *room > 0 ? check_budget(a, error) : LOCBO_OK;
    if (a->spent) *room = 0;
    if (status != LOCBO_OK || a->limit == 0 || before + *room <= a->limit) return status;
    status = store_query(a->study->store,
                         "SELECT count(*) FROM locbo_trial WHERE study = $1"
                         " AND state IN ('FAILED', 'INFEASIBLE', 'RETRACTED')",
                         VALUES(store_int(a->study->id)), ledger_take_count, &others, NULL, error);
    leave_room(a->limit + others, before, room);
    return status;
}

int ask_is_limited(const asking *a) {
    return (a->limit > 0 && a->trials >= a->limit) || (a->evaluations > 0 && a->trials >= a->evaluations) ||
           !isnan(a->budget);
}

typedef struct limit_check {
    asking *ask;
    size_t room;
} limit_check;

static locbo_status read_limit(locbo_store *store, void *user, locbo_error *error) {
    limit_check *c = user;
    (void)store;
    return ask_check_room(c->ask, c->ask->trials, 1, &c->room, error);
}

locbo_status ask_nothing(const asking *a, locbo_error *error) {
    if (a->request.waiting_only) return status_fail(error, LOCBO_ERR_NOTHING, "no trial of '%s' waits", a->study->name);
    if (a->evaluations > 0 && a->trials >= a->evaluations)
        return status_fail(error, LOCBO_ERR_NOTHING,
                           "the study '%s' has its %" PRIu64 " evaluations, done or under way", a->study->name,
                           a->evaluations);
    if (a->spent)
        return status_fail(error, LOCBO_ERR_NOTHING, "the study '%s' has its budget of %g, spent or under way",
                           a->study->name, a->budget);
    return status_fail(error, LOCBO_ERR_NOTHING, "the study '%s' has its %" PRIu64 " trials, complete or under way",
                       a->study->name, a->limit);
}

void ask_hand_out(asking *a, const locbo_assignment *assignment) {
    a->assignments[a->count++] = *assignment;
    a->write.answer[a->write.count++] = assignment->trial;
    a->write.answer[a->write.count++] = assignment->attempt;
}

/* ---- waiting ----------------------------------------------------------------------------------- */

locbo_status ask_watch(asking *a, locbo_error *error) {
    const locbo_study *s = a->study;
    double time = clock_now();
    if (!s->watch || time < a->next_watch) return LOCBO_OK;
    a->next_watch = time + 0.05;
    if (s->watch(s->watch_user) == 0) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_CANCELLED, "the ask was cancelled");
}

/* A quarter of the time waited so far: a crowd that has waited long looks seldom. The caller is asked more often. */
static locbo_status pause(asking *a, double since, locbo_error *error) {
    double now = clock_now(), end = now + fmin(fmax((now - since) / 4, 0.01), 1) * store_jitter();
    locbo_status status = LOCBO_OK;
    for (; now < end && status == LOCBO_OK; now = clock_now()) {
        status = ask_watch(a, error);
        if (status == LOCBO_OK)
            status = store_pause(a->study->store, "another process computes a proposal", now - since,
                                 fmin(end - now, 0.1), error);
    }
    if (status != LOCBO_ERR_BUSY) return status;
    a->next_watch = 0; /* the caller may have ended both: then the ask was cancelled, whichever saw it first */
    locbo_status watched = ask_watch(a, error);
    return watched != LOCBO_OK ? watched : status;
}

/* ---- ask --------------------------------------------------------------------------------------- */

static locbo_status expire(locbo_store *store, void *user, locbo_error *error) {
    asking *a = user;
    (void)store;
    return lost_expire(a->study, NULL, error);
}

/* A new trial, if one may be made now. */
static locbo_status make_one(asking *a, int *made, locbo_error *error) {
    int won = 0;
    *made = 0;
    if (!proposal_needs_model(a)) {
        *made = 1;
        return proposal_at_once(a, error);
    }
    if (!proposer_is_free(a)) {
        proposer_wait(a);
        return LOCBO_OK;
    }
    locbo_status status = proposer_become(a, &won, error);
    if (status != LOCBO_OK || !won) return status;
    status = proposal_by_model(a, made, error);
    if (status != LOCBO_OK || !*made) proposer_release(a); /* another trial was created meanwhile */
    return status;
}

/* One look, and what follows from it. */
static locbo_status try_ask(asking *a, double since, locbo_error *error) {
    limit_check limit = {.ask = a, .room = 1};
    locbo_status status = look(a, error);
    if (status == LOCBO_OK && a->expired) {
        status = store_write(a->study->store, expire, a, error);
        a->waiting = 1;
    }
    if (status == LOCBO_OK && a->waiting && !a->request.fixed) status = claim_waiting(a, error);
    if (status != LOCBO_OK || a->count > 0 || a->write.repeated) return status;
    if (a->request.waiting_only) return ask_nothing(a, error);
    if (ask_is_limited(a)) status = store_read(a->study->store, read_limit, &limit, error);
    if (status == LOCBO_OK && limit.room == 0) return ask_nothing(a, error);
    int made = 0;
    if (status == LOCBO_OK) status = make_one(a, &made, error);
    return status == LOCBO_OK && !made ? pause(a, since, error) : status;
}

static locbo_status no_work(locbo_store *store, void *user, locbo_error *error) {
    asking *a = user;
    (void)store, (void)error;
    a->write.nothing = 1;
    return LOCBO_OK;
}

/* Whether a call with the caller's token was stored before. */
static locbo_status recall(asking *a, locbo_error *error) {
    a->write.work = no_work;
    a->write.user = a;
    return a->write.given ? token_write(&a->write, a->study->store, error) : LOCBO_OK;
}

/* The trials of a repeated call. Those of a token of ours that are no longer ours are left to others: ask anew. */
static locbo_status repeat(asking *a, locbo_error *error) {
    if (a->enqueue) { /* it was added, whoever has it by now */
        a->assignments[0].trial = a->write.answer[0];
        a->count = 1;
        return LOCBO_OK;
    }
    locbo_status status = claim_again(a, error);
    if (status != LOCBO_OK || a->count > 0) return status;
    if (a->write.given)
        return status_fail(error, LOCBO_ERR_STATE,
                           "the ask with token %" PRIu64 " is stale: attempt %" PRIu64 " of trial %" PRIu64 " is over",
                           a->write.token, a->write.answer[1], a->write.answer[0]);
    a->write.repeated = 0;
    return token_begin(&a->write, a->study->store, error);
}

/* Until a trial is handed out. */
static locbo_status ask_until(asking *a, locbo_error *error) {
    double since = clock_now();
    locbo_status status = recall(a, error);
    while (status == LOCBO_OK) {
        if (a->write.repeated) status = repeat(a, error);
        if (status != LOCBO_OK || a->count > 0) return status;
        status = try_ask(a, since, error);
    }
    return status;
}

static locbo_status check_request(const locbo_request *r, locbo_error *error) {
    if (!(r->lease >= 0)) return status_fail(error, LOCBO_ERR_ARGUMENT, "a lease must be positive, got %g", r->lease);
    if (r->budget < 0 || isinf(r->budget))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "budget must be positive, got %g", r->budget);
    return ledger_check_text("worker", r->worker, error);
}

/* The outputs are written only on success. */
static locbo_status run_ask(asking *a, locbo_error *error) {
    size_t dim = a->study->dim;
    a->x = mem_new(a->most * dim, sizeof *a->x);
    a->assignments = mem_new(a->most, sizeof *a->assignments);
    a->write.answer = mem_new(2 * a->most, sizeof *a->write.answer);
    a->write.most = 2 * a->most;
    locbo_status status =
        a->x && a->assignments && a->write.answer ? store_check_write(a->study->store, error) : status_no_memory(error);
    if (identity_make(a->identity, NULL) != LOCBO_OK) /* no /proc: a name that nobody can see dead */
        snprintf(a->identity, sizeof a->identity, "%016" PRIx64, a->write.token);
    if (status == LOCBO_OK) status = ask_until(a, error);
    if (status != LOCBO_OK) proposer_leave(a);
    return status;
}

static void release(asking *a) {
    mem_free(a->x);
    mem_free(a->assignments);
    mem_free(a->write.answer);
}

locbo_status locbo_study_ask_many(locbo_study *study, const locbo_request *given, size_t most,
                                  locbo_assignment *assignments, double *x, size_t *count, locbo_error *error) {
    if (!study) return status_fail(error, LOCBO_ERR_ARGUMENT, "study must not be NULL");
    asking a = {.study = study, .request = {.struct_size = sizeof a.request}, .most = most};
    a.write = (token_call){.call = "ask", .study = study->id};
    locbo_status status = token_begin(&a.write, study->store, error);
    if (status == LOCBO_OK && (!assignments || !x || !count))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "assignments, x and count must not be NULL");
    if (status == LOCBO_OK && most == 0)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "at least one trial must be asked for, got 0");
    if (status == LOCBO_OK) status = sized_take("request", &a.request, sizeof a.request, given, error);
    if (status == LOCBO_OK) status = check_request(&a.request, error);
    if (!a.request.worker) a.request.worker = "";
    if (status == LOCBO_OK) status = run_ask(&a, error);
    if (status == LOCBO_OK) {
        memcpy(assignments, a.assignments, a.count * sizeof *assignments);
        memcpy(x, a.x, a.count * study->dim * sizeof *x);
        *count = a.count;
        status_ok(error);
    }
    release(&a);
    return status;
}

locbo_status locbo_study_ask(locbo_study *study, const locbo_request *given, locbo_assignment *assignment, double *x,
                             locbo_error *error) {
    size_t count;
    return locbo_study_ask_many(study, given, 1, assignment, x, &count, error);
}

locbo_status locbo_study_enqueue(locbo_study *study, const double *fixed, uint64_t *trial, locbo_error *error) {
    if (!study) return status_fail(error, LOCBO_ERR_ARGUMENT, "study must not be NULL");
    asking a = {.study = study, .request = {.worker = "", .fixed = fixed}, .enqueue = 1, .most = 1};
    a.write = (token_call){.call = "enqueue", .study = study->id};
    locbo_status status = token_begin(&a.write, study->store, error);
    if (status == LOCBO_OK && !fixed) return status_fail(error, LOCBO_ERR_ARGUMENT, "fixed must not be NULL");
    if (status == LOCBO_OK) status = run_ask(&a, error);
    if (status == LOCBO_OK && trial) *trial = a.assignments[0].trial;
    release(&a);
    return status == LOCBO_OK ? status_ok(error) : status;
}

void locbo_study_watch(locbo_study *study, locbo_watch_fn *fn, void *user) {
    if (!study) return;
    study->watch = fn;
    study->watch_user = user;
}
