/* proposal.c - ask and enqueue: hand out a waiting trial, or create a new one. Layer: study, top.
 *
 * A proposal is computed outside any transaction from one snapshot of the database, and is written only if no other
 * trial was created meanwhile (the study's `trials` has not changed): so trial k is always computed from the k - 1
 * trials before it, by any process. The proposer's lock only avoids that two processes compute the same proposal. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "definition.h"
#include "ledger.h"
#include "mem.h"
#include "replay.h"
#include "sized.h"

/* ---- seeds ------------------------------------------------------------------------------------- */

/* A permutation of 32 bits keyed by the study's seed: four rounds of a Feistel network. */
static uint32_t scramble(uint64_t key, uint32_t value) {
    uint32_t left = value >> 16, right = value & 0xffff;
    for (uint64_t round = 0; round < 4; round++) {
        uint64_t z = (key ^ (round << 60)) + (uint64_t)right * UINT64_C(0x9e3779b97f4a7c15);
        z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9); /* the finaliser of splitmix64 */
        z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
        uint32_t next = left ^ (uint32_t)((z ^ (z >> 31)) & 0xffff);
        left = right;
        right = next;
    }
    return left << 16 | right;
}

/* 23 bits of trial and 8 of retry and replicate, permuted within 31 bits (repeated until the result is below 2^31): the
 * seeds of the first eight million trials differ, and fit any program's integer. */
uint64_t locbo_study_seed(const locbo_study *study, uint64_t trial, uint64_t retry, uint64_t replicate) {
    if (!study) return 0;
    uint32_t seed = (uint32_t)((trial << 8 | ((retry + replicate) & 0xff)) & 0x7fffffff);
    do seed = scramble(study->options.seed, seed);
    while (seed >> 31);
    return seed;
}

/* ---- a trial that waits ------------------------------------------------------------------------ */

typedef enum next_step { STEP_CLAIMED, STEP_PROPOSE, STEP_WAIT, STEP_NOTHING } next_step;

typedef struct asking {
    locbo_study *study;
    locbo_request request; /* its worker is not NULL */
    const char *proposer;
    int enqueue;
    double lease;           /* seconds; NAN: without end */
    uint64_t limit, trials; /* largest number of trials, 0: no limit; number of the last trial */
    next_step next;
    locbo_assignment assignment;
    double *x;
} asking;

/* Read the study's row in the transaction that hands out the trial: an error if the study was stopped, except for
 * enqueue, which is always allowed. */
#define STUDY_ROW "stop_reason, plan, trials"
static locbo_status check_study(const store_value *columns, size_t count, void *user, locbo_error *error) {
    asking *a = user;
    const locbo_request *r = &a->request;
    locbo_plan plan;
    (void)count;
    if (columns[0].kind != STORE_NULL && !a->enqueue)
        return status_fail(error, LOCBO_ERR_STOPPED, "the study '%.60s' was stopped: %.127s", a->study->name,
                           store_as_text(&columns[0]));
    locbo_status status = definition_read_plan(store_as_text(&columns[1]), &plan, error);
    if (status != LOCBO_OK) return status;
    a->limit = r->more || a->enqueue ? 0 : r->limit ? r->limit : plan.trials;
    a->lease = a->enqueue || isinf(r->lease) ? (double)NAN : r->lease == 0 ? plan.lease : r->lease;
    a->trials = store_as_count(&columns[2]);
    return LOCBO_OK;
}

static locbo_status take_claimed(const store_value *columns, size_t count, void *user, locbo_error *error) {
    asking *a = user;
    (void)count;
    locbo_assignment *to = &a->assignment;
    locbo_status status = ledger_read_trial(a->study, columns, &to->info, a->x, error);
    to->trial = to->info.id;
    to->attempt = store_as_count(&columns[LEDGER_COLUMN_COUNT]);
    to->retries = store_as_count(&columns[LEDGER_COLUMN_COUNT + 1]);
    to->seed = locbo_study_seed(a->study, to->trial, to->retries, 0);
    a->next = STEP_CLAIMED;
    return status;
}

static locbo_status claim(locbo_store *store, asking *a, locbo_error *error) {
    store_value id = store_int(a->study->id);
    locbo_status status = ledger_expire(a->study, NULL, error);
    if (status != LOCBO_OK) return status;
    return store_query(store,
                       "UPDATE locbo_trial SET state = 'RUNNING', attempt = attempt + 1, worker = $2,"
                       " lease = {now} + $3, started = {now} WHERE study = $1 AND number ="
                       " (SELECT number FROM locbo_trial WHERE study = $1 AND state = 'WAITING'"
                       " AND (lease IS NULL OR lease <= {now}) ORDER BY number LIMIT 1{skip})"
                       " RETURNING " LEDGER_COLUMNS ", attempt, retries",
                       VALUES(id, store_text(a->request.worker), store_real(a->lease)), take_claimed, a, NULL, error);
}

/* Lock the computation of a proposal for 5 s + 2 ns n^3 at most: a fit costs O(n^3), and takes less than 5 s for a
 * thousand results. */
static locbo_status become_proposer(locbo_store *store, asking *a, locbo_error *error) {
    uint64_t won = 0;
    double n = (double)a->trials;
    locbo_status status =
        store_query(store,
                    "UPDATE locbo_study SET proposer = $2, proposer_until = {now} + $3 WHERE id = $1"
                    " AND (proposer IS NULL OR proposer = $2 OR proposer_until < {now})",
                    VALUES(store_int(a->study->id), store_text(a->proposer), store_real(5 + 2e-9 * n * n * n)), NULL,
                    NULL, &won, error);
    a->next = won > 0 ? STEP_PROPOSE : STEP_WAIT;
    return status;
}

static locbo_status release_proposer(locbo_store *store, void *user, locbo_error *error) {
    const asking *a = user;
    return store_query(store,
                       "UPDATE locbo_study SET proposer = NULL, proposer_until = NULL WHERE id = $1 AND proposer = $2",
                       VALUES(store_int(a->study->id), store_text(a->proposer)), NULL, NULL, NULL, error);
}

/* Whether as many trials as wanted are complete, running or waiting. */
static locbo_status check_limit(locbo_store *store, const asking *a, int *reached, locbo_error *error) {
    uint64_t used = 0;
    *reached = 0;
    if (a->limit == 0) return LOCBO_OK;
    locbo_status status = store_query(store,
                                      "SELECT count(*) FROM locbo_trial WHERE study = $1"
                                      " AND state IN ('COMPLETE', 'RUNNING', 'WAITING')",
                                      VALUES(store_int(a->study->id)), ledger_take_count, &used, NULL, error);
    *reached = used >= a->limit;
    return status;
}

/* Decide what to do next, in one transaction. */
static locbo_status step(locbo_store *store, void *user, locbo_error *error) {
    asking *a = user;
    store_value id = store_int(a->study->id);
    uint64_t found = 0;
    int reached;
    a->next = STEP_NOTHING;
    locbo_status status = store_query(store, "SELECT " STUDY_ROW " FROM locbo_study WHERE id = $1", 1, &id, check_study,
                                      a, &found, error);
    if (status == LOCBO_OK && found == 0) return ledger_gone(a->study, error);
    if (status == LOCBO_OK && !a->request.fixed) status = claim(store, a, error);
    if (status != LOCBO_OK || a->next == STEP_CLAIMED || a->request.waiting_only) return status;
    status = check_limit(store, a, &reached, error);
    if (status != LOCBO_OK || reached) return status;
    status = become_proposer(store, a, error);
    if (status != LOCBO_OK || a->next != STEP_PROPOSE) return status;
    /* the last proposer may have created the last trial before it released the lock */
    status = check_limit(store, a, &reached, error);
    if (status != LOCBO_OK || !reached) return status;
    a->next = STEP_NOTHING;
    return release_proposer(store, a, error);
}

/* ---- a new trial ------------------------------------------------------------------------------- */

typedef struct insertion {
    asking *ask;
    const replay *facts;
    locbo_record record;
    const char *theta; /* NULL: no new fit */
    locbo_fit fit;
    int made;
} insertion;

static locbo_status nothing(const asking *a, locbo_error *error) {
    if (a->request.waiting_only) return status_fail(error, LOCBO_ERR_NOTHING, "no trial of '%s' waits", a->study->name);
    return status_fail(error, LOCBO_ERR_NOTHING, "the study '%s' has its %" PRIu64 " trials, complete or under way",
                       a->study->name, a->limit);
}

static locbo_status write_proposal(locbo_store *store, void *user, locbo_error *error) {
    insertion *i = user;
    uint64_t found = 0;
    i->made = 0;
    locbo_status status = store_query(
        store,
        "UPDATE locbo_study SET trials = trials + 1, proposer = NULL, proposer_until = NULL"
        " WHERE id = $1 AND trials = $2 RETURNING " STUDY_ROW,
        VALUES(store_int(i->ask->study->id), store_count(i->facts->trials)), check_study, i->ask, &found, error);
    if (status != LOCBO_OK || found == 0) return status; /* another process has created this trial */
    int reached;
    status = check_limit(store, i->ask, &reached, error); /* the study's row is locked now */
    if (status == LOCBO_OK && reached) return nothing(i->ask, error);
    if (status != LOCBO_OK) return status;
    status = ledger_insert_trial(i->ask->study, &i->record, i->ask->lease, error);
    if (status == LOCBO_OK && i->theta)
        status = ledger_insert_fit(i->ask->study, i->facts->fits + 1, &i->fit, i->theta, error);
    i->made = status == LOCBO_OK;
    return status;
}

/* If the optimizer has fitted its model again, the fit is stored with the trial. */
static locbo_status note_fit(insertion *i, char **theta, locbo_error *error) {
    locbo_summary summary;
    locbo_optimizer *o = i->facts->optimizer;
    locbo_status status = locbo_optimizer_summary(o, &summary, error);
    if (status == LOCBO_OK) status = locbo_optimizer_fit(o, &i->fit, error);
    if (status != LOCBO_OK || summary.fits <= i->facts->fits) return status;
    status = definition_write_list(i->fit.count, i->fit.theta, theta, error);
    i->theta = *theta;
    return status;
}

static int is_given(const asking *a) {
    for (size_t j = 0; j < a->study->dim; j++)
        if (isnan(a->request.fixed[j])) return 0;
    return 1;
}

/* Enqueue with every coordinate given needs no model, which may take long to fit: the trial has no prediction. */
static locbo_status take_given(asking *a, const replay *facts, locbo_trial *trial, locbo_error *error) {
    locbo_summary summary;
    locbo_status status = locbo_space_check(a->study->space, a->request.fixed, error);
    if (status == LOCBO_OK) status = locbo_optimizer_summary(facts->optimizer, &summary, error);
    if (status != LOCBO_OK) return status;
    *trial = (locbo_trial){
        .id = facts->trials + 1, .origin = LOCBO_ORIGIN_GIVEN, .told = summary.told, .belief = BELIEF_NONE};
    memcpy(a->x, a->request.fixed, a->study->dim * sizeof *a->x);
    return LOCBO_OK;
}

/* Compute a proposal and write it; `made` is 0 if another process has created that trial. */
static locbo_status propose_from(asking *a, const replay *facts, int *made, locbo_error *error) {
    char *theta = NULL;
    locbo_ask_options how = {.struct_size = sizeof how, .fixed = a->request.fixed};
    insertion i = {.ask = a,
                   .facts = facts,
                   .record = {.state = a->enqueue ? LOCBO_WAITING : LOCBO_RUNNING,
                              .x = a->x,
                              .attempt = a->enqueue ? 0 : 1,
                              .worker = a->request.worker,
                              .pending = facts->pending,
                              .asked = (double)NAN,
                              .started = (double)NAN,
                              .ended = (double)NAN}};
    locbo_trial *trial = &i.record.trial;
    locbo_status status = a->enqueue && is_given(a)
                              ? take_given(a, facts, trial, error)
                              : locbo_optimizer_ask_with(facts->optimizer, &how, trial, a->x, error);
    if (status == LOCBO_OK) status = note_fit(&i, &theta, error);
    if (status == LOCBO_OK) status = store_write(a->study->store, write_proposal, &i, error);
    a->assignment = (locbo_assignment){.trial = trial->id,
                                       .attempt = i.record.attempt,
                                       .seed = locbo_study_seed(a->study, trial->id, 0, 0),
                                       .info = *trial};
    *made = i.made;
    mem_free(theta);
    return status;
}

static locbo_status propose(asking *a, int *made, locbo_error *error) {
    replay facts;
    *made = 0;
    locbo_status status = replay_make(a->study, &facts, error);
    if (status == LOCBO_OK) {
        status = propose_from(a, &facts, made, error);
        locbo_optimizer_destroy(a->study->optimizer);
        a->study->optimizer = facts.optimizer;
        facts.optimizer = NULL;
        replay_release(&facts);
    }
    if (status != LOCBO_OK) store_write(a->study->store, release_proposer, a, NULL);
    return status;
}

/* ---- ask --------------------------------------------------------------------------------------- */

/* Repeat until a trial is handed out. */
static locbo_status ask_until(asking *a, locbo_error *error) {
    const double pause = 0.01;
    double waited = 0;
    for (;;) {
        int made = 0;
        locbo_status status = store_write(a->study->store, step, a, error);
        if (status != LOCBO_OK || a->next == STEP_CLAIMED) return status;
        if (a->next == STEP_NOTHING) return nothing(a, error);
        if (a->next == STEP_PROPOSE) {
            status = propose(a, &made, error);
            if (status != LOCBO_OK || made) return status;
        } else {
            status = store_pause(a->study->store, "another process computes a proposal", waited, pause, error);
            if (status != LOCBO_OK) return status;
            waited += pause;
        }
    }
}

/* The proposer's name: the worker's, or a random one. */
static locbo_status name_proposer(const char *worker, char name[24], const char **proposer, locbo_error *error) {
    uint64_t number = 0;
    *proposer = worker;
    if (worker[0]) return LOCBO_OK;
    locbo_status status = ledger_draw(&number, error);
    if (status != LOCBO_OK) return status;
    snprintf(name, 24, "%016" PRIx64, number);
    *proposer = name;
    return LOCBO_OK;
}

static locbo_status check_request(const locbo_request *r, locbo_error *error) {
    if (!(r->lease >= 0)) return status_fail(error, LOCBO_ERR_ARGUMENT, "a lease must be positive, got %g", r->lease);
    return ledger_check_text("worker", r->worker, error);
}

/* The outputs are written only on success. */
static locbo_status run_ask(asking *a, locbo_assignment *assignment, double *x, locbo_error *error) {
    char name[24];
    a->x = mem_new(a->study->dim, sizeof *a->x);
    if (!a->x) return status_no_memory(error);
    locbo_status status = name_proposer(a->request.worker, name, &a->proposer, error);
    if (status == LOCBO_OK) status = ask_until(a, error);
    if (status == LOCBO_OK) {
        *assignment = a->assignment;
        if (x) memcpy(x, a->x, a->study->dim * sizeof *x);
        status_ok(error);
    }
    mem_free(a->x);
    return status;
}

locbo_status locbo_study_ask(locbo_study *study, const locbo_request *request, locbo_assignment *assignment, double *x,
                             locbo_error *error) {
    if (!study || !assignment || !x)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "study, assignment and x must not be NULL");
    asking a = {.study = study, .request = {.struct_size = sizeof a.request}};
    locbo_status status = sized_take("request", &a.request, sizeof a.request, request, error);
    if (status == LOCBO_OK) status = check_request(&a.request, error);
    if (!a.request.worker) a.request.worker = "";
    return status == LOCBO_OK ? run_ask(&a, assignment, x, error) : status;
}

locbo_status locbo_study_enqueue(locbo_study *study, const double *fixed, uint64_t *trial, locbo_error *error) {
    if (!study || !fixed) return status_fail(error, LOCBO_ERR_ARGUMENT, "study and fixed must not be NULL");
    asking a = {.study = study, .request = {.worker = "", .fixed = fixed}, .enqueue = 1};
    locbo_assignment assignment = {.trial = 0};
    locbo_status status = run_ask(&a, &assignment, NULL, error);
    if (status == LOCBO_OK && trial) *trial = assignment.trial;
    return status;
}
