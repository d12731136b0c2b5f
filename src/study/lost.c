/* lost.c - trials whose worker was lost wait again: their leases have ended, or their worker is known to be dead. One
 * that was lost too often has failed: it may be what kills its workers. Layer: study, middle. */
#include "lost.h"

#include <inttypes.h>
#include <stdio.h>

#include "definition.h"
#include "mem.h"

/* Trials whose worker was lost: all whose lease has ended, or all of one worker. */
typedef struct sweep {
    locbo_study *study;
    const char *worker; /* NULL: whose lease has ended */
    uint64_t most;      /* times that a trial may be lost and tried again */
    uint64_t requeued;
    size_t count, capacity;
    struct found {
        uint64_t number, lost, outside;
    } * trials;
} sweep;

static locbo_status take_limit(const store_value *columns, size_t count, void *user, locbo_error *error) {
    sweep *s = user;
    locbo_plan plan;
    (void)count;
    locbo_status status = definition_read_plan(store_as_text(&columns[0]), &plan, error);
    s->most = plan.max_lost ? plan.max_lost : plan.retries;
    return status;
}

static locbo_status take_trial(const store_value *columns, size_t count, void *user, locbo_error *error) {
    sweep *s = user;
    (void)count;
    if (!mem_reserve(&s->trials, &s->capacity, s->count + 1, sizeof *s->trials)) return status_no_memory(error);
    s->trials[s->count++] =
        (struct found){store_as_count(&columns[0]), store_as_count(&columns[1]), store_as_count(&columns[2])};
    return LOCBO_OK;
}

/* Find and lock them, in the order of their numbers and before the study's row. */
static locbo_status find_trials(sweep *s, locbo_error *error) {
    static const char *const sql[] = {
        "SELECT number, lost, outside FROM locbo_trial WHERE study = $1 AND state = 'RUNNING' AND lease < {now}"
        " ORDER BY number{lock}",
        "SELECT number, lost, outside FROM locbo_trial WHERE study = $1 AND state = 'RUNNING' AND worker = $2"
        " ORDER BY number{lock}"};
    store_value values[] = {store_int(s->study->id), store_text(s->worker)};
    size_t by_worker = s->worker != NULL;
    s->count = 0;
    return store_query(s->study->store, sql[by_worker], 1 + by_worker, values, take_trial, s, NULL, error);
}

static locbo_status requeue(sweep *s, const struct found *t, locbo_error *error) {
    if (t->outside) return ledger_withdraw_trial(s->study, t->number, t->outside, error);
    s->requeued++;
    return store_query(
        s->study->store,
        "UPDATE locbo_trial SET state = 'WAITING', lease = NULL, lease_length = $3, lost = lost + 1"
        " WHERE study = $1 AND number = $2",
        VALUES(store_int(s->study->id), store_count(t->number), store_real(s->worker ? (double)NAN : -1)), NULL, NULL,
        NULL, error);
}

static locbo_status fail_lost(sweep *s, const struct found *t, locbo_error *error) {
    char why[96];
    snprintf(why, sizeof why, "its worker was lost, or it was killed, %" PRIu64 " times", t->lost + 1);
    locbo_status status = ledger_fail_trial(s->study, t->number, why, error);
    if (status != LOCBO_OK) return status;
    return store_query(s->study->store, "UPDATE locbo_trial SET lost = lost + 1 WHERE study = $1 AND number = $2",
                       VALUES(store_int(s->study->id), store_count(t->number)), NULL, NULL, NULL, error);
}

static locbo_status sweep_trials(sweep *s, locbo_error *error) {
    uint64_t found = 0;
    locbo_status status = store_query(s->study->store, "SELECT plan FROM locbo_study WHERE id = $1",
                                      VALUES(store_int(s->study->id)), take_limit, s, &found, error);
    if (status == LOCBO_OK && found == 0) return ledger_gone(s->study, error);
    if (status == LOCBO_OK) status = find_trials(s, error);
    for (size_t i = 0; i < s->count && status == LOCBO_OK; i++) {
        const struct found *t = &s->trials[i];
        status = t->lost < s->most ? requeue(s, t, error) : fail_lost(s, t, error);
    }
    return status;
}

/* Leases that lie further ahead than they are long begin now. */
static locbo_status shorten_leases(const locbo_study *study, locbo_error *error) {
    return store_query(study->store,
                       "UPDATE locbo_trial SET lease = {now} + lease_length WHERE study = $1 AND number IN"
                       " (SELECT number FROM locbo_trial WHERE study = $1 AND state IN ('RUNNING', 'WAITING')"
                       " AND " LOST_AHEAD "{skip})",
                       VALUES(store_int(study->id)), NULL, NULL, NULL, error);
}

locbo_status lost_expire(locbo_study *study, uint64_t *requeued, locbo_error *error) {
    sweep s = {.study = study};
    locbo_status status = sweep_trials(&s, error);
    if (status == LOCBO_OK) status = shorten_leases(study, error);
    if (requeued) *requeued = s.requeued;
    mem_free(s.trials);
    return status;
}

/* A call by which trials wait again; it returns how many. */
typedef struct sweep_call {
    locbo_study *study;
    const char *worker;
    token_call request;
    uint64_t requeued;
} sweep_call;

static locbo_status forget(locbo_store *store, void *user, locbo_error *error) {
    sweep_call *c = user;
    sweep s = {.study = c->study, .worker = c->worker};
    locbo_status status = sweep_trials(&s, error);
    c->requeued = s.requeued;
    c->request.count = 1;
    mem_free(s.trials);
    if (status != LOCBO_OK) return status;
    return store_query(store,
                       "UPDATE locbo_study SET proposer = NULL, proposer_until = NULL"
                       " WHERE id = $1 AND proposer = $2",
                       VALUES(store_int(c->study->id), store_text(c->worker)), NULL, NULL, NULL, error);
}

static locbo_status expire(locbo_store *store, void *user, locbo_error *error) {
    sweep_call *c = user;
    (void)store;
    c->request.count = 1;
    return lost_expire(c->study, &c->requeued, error);
}

static locbo_status run_sweep(sweep_call *c, const char *call, store_work_fn *work, uint64_t *requeued,
                              locbo_error *error) {
    if (!c->study) return status_fail(error, LOCBO_ERR_ARGUMENT, "study must not be NULL");
    c->request =
        (token_call){.call = call, .study = c->study->id, .work = work, .user = c, .answer = &c->requeued, .most = 1};
    locbo_status status = token_begin(&c->request, c->study->store, error);
    if (status == LOCBO_OK) status = ledger_check_text("worker", c->worker, error);
    if (status == LOCBO_OK) status = token_write(&c->request, c->study->store, error);
    if (status == LOCBO_OK && requeued) *requeued = c->requeued;
    return status;
}

locbo_status locbo_study_forget_worker(locbo_study *study, const char *worker, uint64_t *requeued, locbo_error *error) {
    sweep_call c = {.study = study, .worker = worker ? worker : ""};
    return run_sweep(&c, "forget_worker", forget, requeued, error);
}

locbo_status locbo_study_expire(locbo_study *study, uint64_t *requeued, locbo_error *error) {
    sweep_call c = {.study = study};
    return run_sweep(&c, "expire", expire, requeued, error);
}
