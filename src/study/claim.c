/* claim.c - hand out trials that wait. Layer: study, middle. */
#include <math.h>
#include <string.h>

#include "ask.h"
#include "mem.h"

#define CLAIMED LEDGER_COLUMNS ", attempt, retries, lost"

static locbo_status take_claimed(const store_value *columns, size_t count, void *user, locbo_error *error) {
    asking *a = user;
    locbo_assignment to;
    (void)count;
    if (a->count == a->most) return LOCBO_OK;
    locbo_status status = ledger_read_trial(a->study, columns, &to.info, a->x + a->count * a->study->dim, error);
    if (status != LOCBO_OK) return status;
    to.trial = to.info.id;
    to.attempt = store_as_count(&columns[LEDGER_COLUMN_COUNT]);
    to.retries = store_as_count(&columns[LEDGER_COLUMN_COUNT + 1]);
    to.lost = store_as_count(&columns[LEDGER_COLUMN_COUNT + 2]);
    to.seed = locbo_study_seed(a->study, to.trial, to.retries, 0);
    ask_hand_out(a, &to);
    return LOCBO_OK;
}

/* How many trials that were made ahead may be handed out now. They are new, so the limits hold for them; others that
 * wait were begun before, or somebody wants them. The study's row is locked: who claims meanwhile waits. */
static locbo_status check_ahead(asking *a, size_t *ahead, locbo_error *error) {
    locbo_store *store = a->study->store;
    store_value id = store_int(a->study->id);
    uint64_t waiting = 0;
    *ahead = a->most;
    if (!ask_is_limited(a)) return LOCBO_OK;
    locbo_status status =
        store_query(store, "UPDATE locbo_study SET trials = trials WHERE id = $1{queue} RETURNING " ASK_STUDY, 1, &id,
                    ask_take_study, a, NULL, error);
    if (status == LOCBO_OK)
        status = store_query(store, "SELECT count(*) FROM locbo_trial WHERE study = $1 AND {ahead}", 1, &id,
                             ledger_take_count, &waiting, NULL, error);
    if (status != LOCBO_OK || waiting == 0) return status;
    status = ask_check_room(a, a->trials - waiting, a->most, ahead, error);
    if (!isnan(a->budget) && *ahead > 1) *ahead = 1; /* what the others cost is expected when that one runs */
    return status;
}

/* A process that gets a trial again whose lease had ended has not lost it; another of the same name may have. */
static locbo_status claim(locbo_store *store, void *user, locbo_error *error) {
    asking *a = user;
    size_t ahead;
    a->count = a->write.count = 0;
    locbo_status status = check_ahead(a, &ahead, error);
    if (status != LOCBO_OK) return status;
    status = store_query(
        store,
        "WITH waiting AS MATERIALIZED (SELECT number AS chosen FROM locbo_trial"
        " WHERE study = $1 AND state = 'WAITING' AND (lease IS NULL OR lease <= {now})"
        " AND (SELECT coalesce(stop_reason, paused) FROM locbo_study WHERE id = $1) IS NULL"
        " AND (SELECT revision FROM locbo_study WHERE id = $1) = $6"
        " AND ($7 > 0 OR NOT {ahead})"
        " ORDER BY number LIMIT $4{skip})"
        " UPDATE locbo_trial SET state = 'RUNNING', attempt = attempt + 1,"
        " lost = lost - CASE WHEN lease_length = -1 AND worker = $2 AND $2 = $5 THEN 1 ELSE 0 END, worker = $2,"
        " lease = {now} + $3, lease_length = $3, started = {now}"
        " WHERE study = $1 AND number IN (SELECT chosen FROM waiting) RETURNING " CLAIMED,
        VALUES(store_int(a->study->id), store_text(a->request.worker), store_real(a->lease),
               store_count(ahead > 0 ? ahead : a->most), store_text(a->identity), store_count(a->study->revision),
               store_count(ahead)),
        take_claimed, a, NULL, error);
    a->write.nothing = a->count == 0;
    return status;
}

locbo_status claim_waiting(asking *a, locbo_error *error) {
    a->write.work = claim;
    a->write.user = a;
    return token_write(&a->write, a->study->store, error);
}

/* What an earlier try of the call had handed out, and the ask to give it to. */
typedef struct repetition {
    asking *ask;
    const uint64_t *answer;
    size_t count;
} repetition;

/* The lease begins anew: it may have ended meanwhile. */
static locbo_status find_again(locbo_store *store, void *user, locbo_error *error) {
    const repetition *r = user;
    asking *a = r->ask;
    locbo_status status = ledger_check_present(a->study, error);
    a->count = a->write.count = 0;
    for (size_t i = 0; i + 1 < r->count && status == LOCBO_OK; i += 2)
        status = store_query(store,
                             "UPDATE locbo_trial SET lease = {now} + lease_length WHERE study = $1 AND number = $2"
                             " AND attempt = $3 AND state = 'RUNNING' RETURNING " CLAIMED,
                             VALUES(store_int(a->study->id), store_count(r->answer[i]), store_count(r->answer[i + 1])),
                             take_claimed, a, NULL, error);
    return status;
}

locbo_status claim_again(asking *a, locbo_error *error) {
    size_t count = a->write.count;
    uint64_t *answer = mem_new(count, sizeof *answer);
    if (!answer) return status_no_memory(error);
    memcpy(answer, a->write.answer, count * sizeof *answer);
    repetition r = {a, answer, count};
    locbo_status status = store_write(a->study->store, find_again, &r, error);
    if (a->count == 0) { /* for the message */
        memcpy(a->write.answer, answer, count * sizeof *answer);
        a->write.count = count;
    }
    mem_free(answer);
    return status;
}
