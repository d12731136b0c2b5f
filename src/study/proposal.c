/* proposal.c - make a new trial. Layer: study, top.
 *
 * A proposal by the model is computed outside any transaction from one snapshot of the database, and is written only if
 * no other trial was created meanwhile (the study's `trials` has not changed): so trial k is always computed from the
 * k - 1 trials before it, by any process. What needs no model takes no time: it is made inside the transaction that has
 * locked the study's row. */
#include <math.h>
#include <string.h>

#include "ask.h"
#include "mem.h"
#include "reference.h"
#include "result_rows.h"

typedef struct insertion {
    asking *ask;
    const replay *facts;
    locbo_record record;
    /* of all outputs */
    locbo_belief *beliefs;
    uint64_t *fitted; /* how many fits each had before the ask */
    size_t fits;      /* the new ones */
    locbo_fit *fit;
    double *reference, *known; /* the reference point; as it was before the ask */
} insertion;

static locbo_status begin_insertion(insertion *i, size_t outputs, locbo_error *error) {
    i->beliefs = mem_new(outputs, sizeof *i->beliefs);
    i->fitted = mem_new(outputs, sizeof *i->fitted);
    i->fit = mem_new(outputs, sizeof *i->fit);
    i->reference = mem_new(outputs, sizeof *i->reference);
    i->known = mem_new(outputs, sizeof *i->known);
    return i->beliefs && i->fitted && i->fit && i->reference && i->known ? LOCBO_OK : status_no_memory(error);
}

static void end_insertion(insertion *i) {
    void *arrays[] = {i->beliefs, i->fitted, i->fit, i->reference, i->known};
    for (size_t k = 0; k < sizeof arrays / sizeof arrays[0]; k++) mem_free(arrays[k]);
}

/* The record of the trial at a->x. */
static locbo_record new_record(const asking *a, const char *pending) {
    return (locbo_record){.state = a->enqueue ? LOCBO_WAITING : LOCBO_RUNNING,
                          .x = a->x,
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

/* After the study's row was locked and its trials counted up: refuse what is beyond the limit. */
static locbo_status check_room(asking *a, locbo_error *error) {
    int reached = 0;
    a->trials--; /* without the one that is being made */
    locbo_status status = ask_check_limit(a->study->store, a, &reached, error);
    return status == LOCBO_OK && reached ? ask_nothing(a, error) : status;
}

/* ---- by the model ------------------------------------------------------------------------------ */

static locbo_status write_proposal(locbo_store *store, void *user, locbo_error *error) {
    insertion *i = user;
    asking *a = i->ask;
    uint64_t found = 0;
    a->count = a->write.count = 0;
    locbo_status status =
        store_query(store,
                    "UPDATE locbo_study SET trials = trials + 1, proposer = NULL, proposer_until = NULL"
                    " WHERE id = $1 AND trials = $2 AND revision = $3 AND retraction = $4{queue} RETURNING " ASK_STUDY,
                    VALUES(store_int(a->study->id), store_count(i->facts->trials), store_count(a->study->revision),
                           store_count(i->facts->retraction)),
                    ask_take_study, a, &found, error);
    a->write.nothing = found == 0; /* another process has created this trial, or something was taken back */
    if (status != LOCBO_OK || found == 0) return status;
    status = check_room(a, error);
    if (status == LOCBO_OK) status = insert(a, &i->record, error);
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

/* What the ask has found out and is stored with the trial: the beliefs of all outputs, the new fits of their models,
 * the reference point. */
static locbo_status note_after(insertion *i, locbo_error *error) {
    locbo_optimizer *o = i->facts->optimizer;
    locbo_status status = locbo_optimizer_trial_beliefs(o, i->record.trial.id, i->beliefs, error);
    if (status == LOCBO_OK) status = locbo_optimizer_reference(o, i->reference, error);
    for (size_t k = 0; k < i->ask->study->table.count && status == LOCBO_OK; k++) {
        uint64_t fits;
        status = count_fits(i, k, &fits, error);
        if (status == LOCBO_OK && fits > i->fitted[k]) status = locbo_optimizer_fit_of(o, k, &i->fit[i->fits++], error);
    }
    i->record.beliefs = i->beliefs;
    return status;
}

/* Called often by the optimizer. */
static int watch(void *user) {
    asking *a = user;
    proposer_renew(a);
    return ask_watch(a, NULL) != LOCBO_OK;
}

/* Conditions of the next trial: the last ones of the limit measure the recommended point. Trials that failed or were
 * taken back do not count, as for the limit. */
static locbo_ask_options conditions(const asking *a, const replay *facts) {
    return (locbo_ask_options){.struct_size = sizeof(locbo_ask_options),
                               .fixed = a->request.fixed,
                               .confirm = a->limit > 0 && a->confirm > 0 &&
                                          facts->trials - facts->without + a->confirm >= a->limit};
}

/* Compute a proposal and write it. */
static locbo_status propose_from(asking *a, const replay *facts, locbo_error *error) {
    const locbo_ask_options how = conditions(a, facts);
    insertion i = {.ask = a, .facts = facts, .record = new_record(a, facts->pending)};
    locbo_status status = begin_insertion(&i, a->study->table.count, error);
    if (status == LOCBO_OK) status = note_before(&i, error);
    locbo_optimizer_watch(facts->optimizer, watch, a);
    if (status == LOCBO_OK) status = locbo_optimizer_ask_with(facts->optimizer, &how, &i.record.trial, a->x, error);
    locbo_optimizer_watch(facts->optimizer, NULL, NULL);
    if (status == LOCBO_OK) status = note_after(&i, error);
    a->write.work = write_proposal;
    a->write.user = &i;
    if (status == LOCBO_OK) status = token_write(&a->write, a->study->store, error);
    a->write.user = NULL;
    end_insertion(&i);
    return status;
}

locbo_status proposal_by_model(asking *a, int *made, locbo_error *error) {
    replay facts;
    locbo_status status = replay_make(a->study, &facts, error);
    if (status == LOCBO_OK) {
        status = propose_from(a, &facts, error);
        locbo_optimizer_destroy(a->study->optimizer);
        a->study->optimizer = facts.optimizer;
        facts.optimizer = NULL;
        replay_release(&facts);
    }
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
    locbo_status status = store_query(
        a->study->store, "UPDATE locbo_study SET trials = trials + 1 WHERE id = $1{queue} RETURNING " ASK_STUDY,
        VALUES(store_int(a->study->id)), ask_take_study, a, &found, error);
    if (status == LOCBO_OK && found == 0) return ledger_gone(a->study, error);
    return status == LOCBO_OK ? check_room(a, error) : status;
}

/* The optimizer of method random is kept between asks, and learns what is new. */
static locbo_status take_random(asking *a, locbo_trial *trial, locbo_error *error) {
    replay *known = &a->study->known;
    locbo_status status = replay_last_trials(a->study, known, a->trials, error);
    const locbo_ask_options how = conditions(a, known);
    if (status == LOCBO_OK) status = locbo_optimizer_ask_with(known->optimizer, &how, trial, a->x, error);
    known->asked = 1;
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
    locbo_record record = new_record(a, k->pending);
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
    if (status == LOCBO_OK && !a->write.repeated && !is_given(a)) a->study->known.asked = 0; /* it is in the database */
    mem_free(k.pending);
    return status;
}
