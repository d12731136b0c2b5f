/* retract.c - results that are taken back, and trials that have failed after all. Layer: study, middle.
 *
 * A result that was taken back keeps its row, marked with the event number of the change, and every reader of results
 * leaves it out. Fits of the model that saw it are deleted; what was believed of later trials stays, as it was their
 * prediction. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "change.h"
#include "mem.h"
#include "points.h"
#include "result_rows.h"
#include "spending.h"

typedef struct retraction {
    locbo_study *study;
    uint64_t trial, sequence; /* sequence 0: all results */
    const char *why;
    locbo_state state; /* RETRACTED, or what it is instead */
    /* what the database has */
    int found;
    locbo_state was;
    uint64_t event; /* of the change */
    uint64_t ended; /* trials that were ended early */
    size_t *rows;   /* of each output: results before the first that is taken back; SIZE_MAX: none is */
    size_t *seen;   /* of each output: results so far, while they are read */
} retraction;

static locbo_status take_state(const store_value *columns, size_t count, void *user, locbo_error *error) {
    retraction *r = user;
    (void)count, (void)error;
    r->was = ledger_state(store_as_text(&columns[0]));
    r->found = 1;
    return LOCBO_OK;
}

static locbo_status lock_trial(retraction *r, locbo_error *error) {
    r->found = 0;
    locbo_status status =
        store_query(r->study->store, "SELECT state FROM locbo_trial WHERE study = $1 AND number = $2{lock}",
                    VALUES(store_int(r->study->id), store_count(r->trial)), take_state, r, NULL, error);
    if (status != LOCBO_OK || r->found) return status;
    return status_fail(error, LOCBO_ERR_NOT_FOUND, "the study '%s' has no trial %" PRIu64, r->study->name, r->trial);
}

/* ---- fits -------------------------------------------------------------------------------------- */

/* Count the results of each output, derived ones too, up to the first that is taken back. */
static locbo_status take_result(const stored_result *s, void *user, locbo_error *error) {
    retraction *r = user;
    int back = s->trial == r->trial && (r->sequence == 0 || s->event == r->sequence);
    (void)error;
    for (size_t i = 0; i < r->study->table.count; i++) {
        if (isnan(s->row[i].value)) continue;
        if (back && r->rows[i] == SIZE_MAX) r->rows[i] = r->seen[i];
        r->seen[i]++;
    }
    return LOCBO_OK;
}

/* Before the results are marked. A fit of n results saw the first n. */
static locbo_status find_rows(retraction *r, locbo_error *error) {
    store_value id = store_int(r->study->id);
    for (size_t i = 0; i < r->study->table.count; i++) {
        r->rows[i] = SIZE_MAX;
        r->seen[i] = 0;
    }
    return result_rows_each(r->study,
                            "SELECT " RESULT_ROWS " FROM locbo_measurement WHERE study = $1 AND {valid} ORDER BY event",
                            1, &id, take_result, r, error);
}

/* In a study that was altered results may be set aside, and are then not counted by fits; trials that were ended early
 * are counted, and may themselves be taken back: all fits are deleted. */
static locbo_status delete_fits(const retraction *r, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < r->study->table.count && status == LOCBO_OK; i++) {
        if (r->rows[i] == SIZE_MAX && r->was != LOCBO_PRUNED) continue;
        int all = r->study->revision > 0 || r->ended > 0;
        status =
            store_query(r->study->store, "DELETE FROM locbo_fit WHERE study = $1 AND output = $2 AND result_rows > $3",
                        VALUES(store_int(r->study->id), store_count(i), store_count(all ? 0 : r->rows[i])), NULL, NULL,
                        NULL, error);
    }
    return status;
}

/* ---- results ----------------------------------------------------------------------------------- */

/* Mark them; `marked` receives how many rows, `left` how many results the trial still has. */
static locbo_status mark(const retraction *r, uint64_t *marked, uint64_t *left, locbo_error *error) {
    store_value values[] = {store_int(r->study->id), store_count(r->trial), store_count(r->event),
                            store_count(r->sequence)};
    locbo_status status = store_query(r->study->store,
                                      "UPDATE locbo_measurement SET retracted = $3 WHERE study = $1 AND trial = $2"
                                      " AND retracted IS NULL AND ($4 = 0 OR event = $4)",
                                      4, values, NULL, NULL, marked, error);
    if (status != LOCBO_OK) return status;
    return store_query(r->study->store,
                       "SELECT count(*) FROM locbo_measurement WHERE study = $1 AND trial = $2 AND retracted IS NULL",
                       2, values, ledger_take_count, left, NULL, error);
}

static locbo_status end_trial(const retraction *r, locbo_error *error) {
    return store_query(r->study->store,
                       "UPDATE locbo_trial SET state = $3, failure = $4, message = $5, lease = NULL,"
                       " ended = coalesce(ended, {now}) WHERE study = $1 AND number = $2",
                       VALUES(store_int(r->study->id), store_count(r->trial), store_text(locbo_state_name(r->state)),
                              store_count(r->event), store_text(r->why ? r->why : "")),
                       NULL, NULL, NULL, error);
}

static locbo_status nothing(const retraction *r, locbo_error *error) {
    if (r->sequence)
        return status_fail(error, LOCBO_ERR_STATE,
                           "trial %" PRIu64 " has no result with event number %" PRIu64 " to take back", r->trial,
                           r->sequence);
    return status_fail(error, LOCBO_ERR_STATE, "trial %" PRIu64 " is already %s", r->trial, locbo_state_name(r->was));
}

/* The trial's row is locked first, the study's afterwards, as always. */
static locbo_status retract(locbo_store *store, void *user, locbo_error *error) {
    retraction *r = user;
    uint64_t marked = 0, left = 0;
    locbo_status status = lock_trial(r, error);
    if (status == LOCBO_OK && r->sequence == 0 && r->was == r->state) return nothing(r, error);
    if (status == LOCBO_OK)
        status = change_record(r->study, r->state == LOCBO_RETRACTED ? LOCBO_CHANGE_RETRACT : LOCBO_CHANGE_FAIL,
                               r->trial, r->why, &r->event, error);
    if (status == LOCBO_OK) status = ledger_check_present(r->study, error); /* its outputs are counted */
    if (status == LOCBO_OK) status = find_rows(r, error);
    if (status == LOCBO_OK)
        status = store_query(store, "SELECT count(*) FROM locbo_trial WHERE study = $1 AND state = 'PRUNED'",
                             VALUES(store_int(r->study->id)), ledger_take_count, &r->ended, NULL, error);
    if (status == LOCBO_OK) status = mark(r, &marked, &left, error);
    if (status == LOCBO_OK && r->sequence && marked == 0) return nothing(r, error);
    if (status == LOCBO_OK) status = delete_fits(r, error);
    if (status == LOCBO_OK && left == 0) status = end_trial(r, error);
    if (status == LOCBO_OK && left == 0) status = spending_recount(r->study, error);
    if (status == LOCBO_OK && marked > 0) status = result_rows_recount(r->study, error);
    if (status == LOCBO_OK && marked > 0) status = points_take_back(r->study, r->trial, error);
    if (status != LOCBO_OK) return status;
    return store_query(store, "UPDATE locbo_study SET retraction = $2 WHERE id = $1",
                       VALUES(store_int(r->study->id), store_count(r->event)), NULL, NULL, NULL, error);
}

static locbo_status run(retraction *r, const char *call, locbo_error *error) {
    if (!r->study) return status_fail(error, LOCBO_ERR_ARGUMENT, "study must not be NULL");
    token_call c = {.call = call, .study = r->study->id, .work = retract, .user = r};
    locbo_status status = token_begin(&c, r->study->store, error);
    if (status == LOCBO_OK) status = ledger_check_text("why", r->why, error);
    if (status == LOCBO_OK && r->state != LOCBO_RETRACTED && r->state != LOCBO_STATE_FAILED &&
        r->state != LOCBO_STATE_INFEASIBLE)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "a trial cannot fail as %s: FAILED or INFEASIBLE",
                           locbo_state_name(r->state));
    if (status != LOCBO_OK) return status;
    r->rows = mem_new(r->study->table.count, sizeof *r->rows);
    r->seen = mem_new(r->study->table.count, sizeof *r->seen);
    status = r->rows && r->seen ? token_write(&c, r->study->store, error) : status_no_memory(error);
    mem_free(r->rows);
    mem_free(r->seen);
    return status;
}

locbo_status locbo_study_retract(locbo_study *study, uint64_t trial, uint64_t sequence, const char *why,
                                 locbo_error *error) {
    retraction r = {.study = study, .trial = trial, .sequence = sequence, .why = why, .state = LOCBO_RETRACTED};
    return run(&r, "retract", error);
}

locbo_status locbo_study_fail(locbo_study *study, uint64_t trial, locbo_state state, const char *why,
                              locbo_error *error) {
    retraction r = {
        .study = study, .trial = trial, .why = why, .state = state == LOCBO_RETRACTED ? LOCBO_STATES : state};
    return run(&r, "fail", error);
}
