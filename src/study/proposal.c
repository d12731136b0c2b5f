/* proposal.c - make a new trial. Layer: study, top.
 *
 * A proposal by the model is computed outside any transaction from one snapshot of the database, and is written only if
 * no other trial was created meanwhile (the study's `trials` has not changed): so trial k is always computed from the
 * k - 1 trials before it, by any process. Who computes also makes trials for those who wait for it meanwhile: they
 * claim them, and the model is fitted once for all. What needs no model takes no time: it is made inside the
 * transaction that has locked the study's row. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ask.h"
#include "mem.h"
#include "reference.h"
#include "result_rows.h"

/* The record of the trial at x. */
static locbo_record new_record(const asking *a, const double *x, const char *pending) {
    return (locbo_record){.state = a->enqueue ? LOCBO_WAITING : LOCBO_RUNNING,
                          .x = x,
                          .attempt = a->enqueue ? 0 : 1,
                          .worker = a->request.worker,
                          .pending = pending,
                          .asked = (double)NAN,
                          .started = (double)NAN,
                          .ended = (double)NAN};
}

static locbo_status insert(asking *a, const locbo_record *r, locbo_error *error) {
    locbo_assignment made = {.trial = r->trial.id,
                             .attempt = r->attempt,
                             .seed = locbo_study_seed(a->study, r->trial.id, 0, 0),
                             .info = r->trial};
    locbo_status status = ledger_insert_trial(a->study, r, a->lease, error);
    if (status == LOCBO_OK) ask_hand_out(a, &made);
    return status;
}

/* After the study's row was locked and `made` trials counted up: how many of them the limit allows, an error if none.
 * a->trials is then the number before them. */
static locbo_status check_room(asking *a, size_t made, size_t *allowed, locbo_error *error) {
    a->trials -= made;
    locbo_status status = ask_check_room(a, a->trials, made, allowed, error);
    return status == LOCBO_OK && *allowed == 0 ? ask_nothing(a, error) : status;
}

/* ---- by the model ------------------------------------------------------------------------------ */

enum { AHEAD = 15 }; /* proposals at most for others, who wait */

/* The caller's proposal, and those for the others. */
typedef struct insertion {
    asking *ask;
    const replay *facts;
    size_t asked, count, allowed; /* trials of the optimizer; proposals; how many of them the limit allows */
    locbo_record record[1 + AHEAD];
    char *pending[1 + AHEAD]; /* of each its list of outstanding trials */
    double *x;                /* of each a point */
    /* of all outputs */
    locbo_belief *beliefs; /* of each proposal */
    uint64_t *fitted;      /* how many fits each had before the ask */
    size_t fits;           /* the new ones */
    locbo_fit *fit;
    double *reference, *known; /* the reference point; as it was before the ask */
} insertion;

static locbo_status begin_insertion(insertion *i, locbo_error *error) {
    size_t outputs = i->ask->study->table.count;
    i->x = mem_new((1 + AHEAD) * i->ask->study->dim, sizeof *i->x);
    i->beliefs = mem_new((1 + AHEAD) * outputs, sizeof *i->beliefs);
    i->fitted = mem_new(outputs, sizeof *i->fitted);
    i->fit = mem_new(outputs, sizeof *i->fit);
    i->reference = mem_new(outputs, sizeof *i->reference);
    i->known = mem_new(outputs, sizeof *i->known);
    return i->x && i->beliefs && i->fitted && i->fit && i->reference && i->known ? LOCBO_OK : status_no_memory(error);
}

static void end_insertion(insertion *i) {
    void *arrays[] = {i->x, i->beliefs, i->fitted, i->fit, i->reference, i->known};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) mem_free(arrays[k]);
    for (size_t k = 0; k < i->count; k++) mem_free(i->pending[k]);
}

/* Those for the others, as what they are: they are handed out within the limit only (claim.c). */
static locbo_status insert_ahead(const insertion *i, locbo_error *error) {
    const asking *a = i->ask;
    locbo_status status = LOCBO_OK;
    for (size_t k = 1; k < i->allowed && status == LOCBO_OK; k++)
        status = ledger_insert_trial(a->study, &i->record[k], (double)NAN, error);
    if (status != LOCBO_OK || i->allowed < 2) return status;
    return store_query(a->study->store,
                       "UPDATE locbo_trial SET lease_length = $4 WHERE study = $1 AND number BETWEEN $2 AND $3",
                       VALUES(store_int(a->study->id), store_count(i->record[1].trial.id),
                              store_count(i->record[i->allowed - 1].trial.id), store_real(LEDGER_AHEAD)),
                       NULL, NULL, NULL, error);
}

/* The trials for the others wait to be claimed. */
static locbo_status insert_all(const insertion *i, locbo_error *error) {
    asking *a = i->ask;
    memcpy(a->x, i->x, a->study->dim * sizeof *a->x);
    locbo_status status = insert(a, &i->record[0], error);
    if (status == LOCBO_OK) status = insert_ahead(i, error);
    if (status != LOCBO_OK || i->allowed == i->count) return status;
    return store_query(a->study->store, "UPDATE locbo_study SET trials = trials - $2 WHERE id = $1",
                       VALUES(store_int(a->study->id), store_count(i->count - i->allowed)), NULL, NULL, NULL, error);
}

static locbo_status write_proposal(locbo_store *store, void *user, locbo_error *error) {
    insertion *i = user;
    asking *a = i->ask;
    uint64_t found = 0;
    a->count = a->write.count = 0;
    locbo_status status =
        store_query(store,
                    "UPDATE locbo_study SET trials = trials + $5, proposer = NULL, proposer_until = NULL, waiting = 0"
                    " WHERE id = $1 AND trials = $2 AND revision = $3 AND retraction = $4{queue} RETURNING " ASK_STUDY,
                    VALUES(store_int(a->study->id), store_count(i->facts->trials), store_count(a->study->revision),
                           store_count(i->facts->retraction), store_count(i->count)),
                    ask_take_study, a, &found, error);
    a->write.nothing = found == 0; /* another process has created this trial, or something was taken back */
    if (status != LOCBO_OK || found == 0) return status;
    status = check_room(a, i->count, &i->allowed, error);
    if (status == LOCBO_OK) status = insert_all(i, error);
    for (size_t k = 0; k < i->fits && status == LOCBO_OK; k++)
        status = ledger_insert_fit(a->study, i->facts->fits + 1 + k, &i->fit[k], error);
    int inferred = memcmp(i->reference, i->known, a->study->table.count * sizeof *i->known) != 0;
    return status == LOCBO_OK && inferred ? reference_write(a->study, i->reference, error) : status;
}

/* How many fits the model of an output has had; 0 if it has no model. */
static locbo_status count_fits(const insertion *i, size_t output, uint64_t *fits, locbo_error *error) {
    locbo_summary summary;
    locbo_status status = locbo_optimizer_summary_of(i->facts->optimizer, output, &summary, error);
    *fits = status == LOCBO_OK ? summary.fits : 0;
    return status == LOCBO_ERR_NOT_FOUND ? LOCBO_OK : status;
}

/* What an ask may change, before it. */
static locbo_status note_before(insertion *i, locbo_error *error) {
    locbo_status status = locbo_optimizer_reference(i->facts->optimizer, i->known, error);
    for (size_t k = 0; k < i->ask->study->table.count && status == LOCBO_OK; k++)
        status = count_fits(i, k, &i->fitted[k], error);
    return status;
}

/* What the asks have found out and is stored beside the trials: the new fits of the models of all outputs, the
 * reference point. */
static locbo_status note_after(insertion *i, locbo_error *error) {
    locbo_optimizer *o = i->facts->optimizer;
    locbo_status status = locbo_optimizer_reference(o, i->reference, error);
    for (size_t k = 0; k < i->ask->study->table.count && status == LOCBO_OK; k++) {
        uint64_t fits;
        status = count_fits(i, k, &fits, error);
        if (status == LOCBO_OK && fits > i->fitted[k]) status = locbo_optimizer_fit_of(o, k, &i->fit[i->fits++], error);
    }
    return status;
}

/* Called often by the optimizer. */
static int watch(void *user) {
    asking *a = user;
    proposer_renew(a);
    return ask_watch(a, NULL) != LOCBO_OK;
}

/* Conditions of the next trial after so many: the last ones of the limit measure the recommended point. Trials that
 * failed or were taken back do not count, as for the limit. */
static locbo_ask_options conditions(const asking *a, const replay *facts, uint64_t trials) {
    return (locbo_ask_options){.struct_size = sizeof(locbo_ask_options),
                               .fixed = a->request.fixed,
                               .confirm =
                                   a->limit > 0 && a->confirm > 0 && trials - facts->without + a->confirm >= a->limit};
}

/* The outstanding trials of the next proposal: those of the last one, and itself. */
static char *next_pending(const insertion *i) {
    if (i->count == 0) return mem_text(i->facts->pending);
    const char *before = i->pending[i->count - 1];
    size_t size = strlen(before) + 24;
    char *list = mem_new(size, 1);
    if (list)
        snprintf(list, size, "%.*s%s%" PRIu64 "]", (int)strlen(before) - 1, before, strcmp(before, "[]") ? "," : "",
                 i->record[i->count - 1].trial.id);
    return list;
}

/* One more proposal. */
static locbo_status propose_one(insertion *i, locbo_error *error) {
    const locbo_study *study = i->ask->study;
    locbo_optimizer *o = i->facts->optimizer;
    double *x = i->x + i->count * study->dim;
    locbo_belief *beliefs = i->beliefs + i->count * study->table.count;
    const locbo_ask_options how = conditions(i->ask, i->facts, i->facts->trials + i->count);
    char *pending = next_pending(i);
    locbo_record *r = &i->record[i->count];
    *r = new_record(i->ask, x, pending);
    if (i->count > 0) {
        r->state = LOCBO_WAITING;
        r->attempt = 0;
        r->worker = "";
    }
    r->beliefs = beliefs;
    locbo_status status = pending ? LOCBO_OK : status_no_memory(error);
    if (status == LOCBO_OK) status = locbo_optimizer_ask_with(o, &how, &r->trial, x, error);
    i->asked += status == LOCBO_OK;
    if (status == LOCBO_OK) status = locbo_optimizer_trial_beliefs(o, r->trial.id, beliefs, error);
    if (status == LOCBO_OK)
        i->pending[i->count++] = pending;
    else
        mem_free(pending);
    return status;
}

/* How many trials are made for others who wait: none beyond the limit, and none with a budget, since what they cost is
 * known when they end. */
static size_t count_ahead(const asking *a, const replay *facts) {
    uint64_t most = AHEAD, limits[] = {a->limit ? a->limit + facts->without : 0, a->evaluations};
    if (a->enqueue || a->request.fixed || !isnan(a->budget)) return 0;
    for (size_t k = 0; k < 2; k++) {
        uint64_t left = limits[k] > facts->trials + 1 ? limits[k] - facts->trials - 1 : 0;
        if (limits[k] > 0 && left < most) most = left;
    }
    uint64_t waiting = most > 0 ? proposer_waiting(a) : 0;
    return (size_t)(waiting < most ? waiting : most);
}

/* The caller's proposal, then those for the others; what cannot be had for them is not missed. */
static locbo_status propose_all(insertion *i, locbo_error *error) {
    locbo_status status = propose_one(i, error);
    size_t ahead = status == LOCBO_OK ? count_ahead(i->ask, i->facts) : 0;
    for (size_t k = 0; k < ahead && propose_one(i, NULL) == LOCBO_OK; k++) {
    }
    return status;
}

/* Compute proposals and write them. Until they are in the database, the optimizer has trials too many. */
static locbo_status propose_from(asking *a, replay *facts, locbo_error *error) {
    insertion i = {.ask = a, .facts = facts};
    locbo_status status = begin_insertion(&i, error);
    if (status == LOCBO_OK) status = note_before(&i, error);
    locbo_optimizer_watch(facts->optimizer, watch, a);
    if (status == LOCBO_OK) status = propose_all(&i, error);
    locbo_optimizer_watch(facts->optimizer, NULL, NULL);
    facts->unsure = i.asked > 0; /* an ask that fails changes nothing */
    if (status == LOCBO_OK) status = note_after(&i, error);
    a->write.work = write_proposal;
    a->write.user = &i;
    if (status == LOCBO_OK) status = token_write(&a->write, a->study->store, error);
    a->write.user = NULL;
    if (status == LOCBO_OK && a->count > 0 && !a->write.repeated) {
        facts->trials += i.allowed;
        facts->fits += i.fits;
        facts->unsure = i.allowed < i.asked;
    }
    end_insertion(&i);
    return status;
}

locbo_status proposal_by_model(asking *a, int *made, locbo_error *error) {
    replay *facts = &a->study->known;
    locbo_status status = replay_follow(a->study, facts, error);
    if (status == LOCBO_OK) status = propose_from(a, facts, error);
    *made = a->count > 0 || a->write.repeated;
    return status;
}

/* ---- without the model ------------------------------------------------------------------------- */

/* Enqueue with every coordinate given, of those that are active: the trial has no prediction. */
static int is_given(const asking *a) {
    if (!a->enqueue) return 0;
    for (size_t j = 0; j < a->study->dim; j++)
        if (isnan(a->request.fixed[j])) return locbo_space_check(a->study->space, a->request.fixed, NULL) == LOCBO_OK;
    return 1;
}

int proposal_needs_model(const asking *a) { return a->study->options.method != LOCBO_METHOD_RANDOM && !is_given(a); }

/* What a trial without the model needs to know, read from one snapshot before the study's row is locked: all others
 * wait for that row. */
typedef struct knowledge {
    asking *ask;
    char *pending;
    uint64_t told;
} knowledge;

static locbo_status read_knowledge(locbo_store *store, void *user, locbo_error *error) {
    knowledge *k = user;
    locbo_study *study = k->ask->study;
    (void)store;
    mem_free(k->pending);
    k->pending = NULL;
    locbo_status status = replay_pending(study, &k->pending, error);
    if (status != LOCBO_OK) return status;
    if (!is_given(k->ask)) return replay_continue(study, &study->known, error);
    return result_rows_count(study, &k->told, error);
}

/* Lock the study's row, and count the trial that is being made. */
static locbo_status take_number(asking *a, locbo_error *error) {
    uint64_t found = 0;
    locbo_status status =
        store_query(a->study->store,
                    "UPDATE locbo_study SET trials = trials + 1, waiting = 0 WHERE id = $1{queue} RETURNING " ASK_STUDY,
                    VALUES(store_int(a->study->id)), ask_take_study, a, &found, error);
    if (status == LOCBO_OK && found == 0) return ledger_gone(a->study, error);
    size_t allowed;
    return status == LOCBO_OK ? check_room(a, 1, &allowed, error) : status;
}

/* The optimizer of method random is kept between asks, and learns what is new. */
static locbo_status take_random(asking *a, locbo_trial *trial, locbo_error *error) {
    replay *known = &a->study->known;
    locbo_status status = replay_last_trials(a->study, known, a->trials, error);
    const locbo_ask_options how = conditions(a, known, known->trials);
    if (status == LOCBO_OK) status = locbo_optimizer_ask_with(known->optimizer, &how, trial, a->x, error);
    known->unsure = 1;
    known->trials = trial->id;
    return status;
}

static void take_given(asking *a, const knowledge *k, locbo_trial *trial) {
    *trial = (locbo_trial){.id = a->trials + 1, .origin = LOCBO_ORIGIN_GIVEN, .told = k->told, .belief = BELIEF_NONE};
    memcpy(a->x, a->request.fixed, a->study->dim * sizeof *a->x);
}

static locbo_status make_at_once(locbo_store *store, void *user, locbo_error *error) {
    const knowledge *k = user;
    asking *a = k->ask;
    (void)store;
    a->count = a->write.count = 0;
    locbo_status status = take_number(a, error);
    locbo_record record = new_record(a, a->x, k->pending);
    if (status == LOCBO_OK && is_given(a))
        take_given(a, k, &record.trial);
    else if (status == LOCBO_OK)
        status = take_random(a, &record.trial, error);
    return status == LOCBO_OK ? insert(a, &record, error) : status;
}

locbo_status proposal_at_once(asking *a, locbo_error *error) {
    knowledge k = {.ask = a};
    locbo_status status = is_given(a) ? locbo_space_check(a->study->space, a->request.fixed, error) : LOCBO_OK;
    a->write.work = make_at_once;
    a->write.user = &k;
    if (status == LOCBO_OK) status = store_read(a->study->store, read_knowledge, &k, error);
    if (status == LOCBO_OK) status = token_write(&a->write, a->study->store, error);
    if (status == LOCBO_OK && !a->write.repeated && !is_given(a))
        a->study->known.unsure = 0; /* it is in the database */
    mem_free(k.pending);
    return status;
}
