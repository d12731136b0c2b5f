/* transfer.c - copy a study from one database to another: list its fits, restore its trials and fits. Layer: study,
 * top. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "definition.h"
#include "ledger.h"
#include "mem.h"

/* ---- fits -------------------------------------------------------------------------------------- */

typedef struct fitting {
    locbo_fit_fn *fn;
    void *user;
} fitting;

static locbo_status give_fit(const store_value *columns, size_t count, void *user, locbo_error *error) {
    const fitting *f = user;
    double *theta = NULL;
    locbo_fit fit;
    (void)count;
    locbo_status status = ledger_read_fit(columns, &fit, &theta, error);
    if (status == LOCBO_OK && f->fn(&fit, f->user) != 0) status = LOCBO_ERR_STOPPED;
    mem_free(theta);
    return status;
}

locbo_status locbo_study_each_fit(locbo_study *study, locbo_fit_fn *fn, void *user, locbo_error *error) {
    if (!study || !fn) return status_fail(error, LOCBO_ERR_ARGUMENT, "study and fn must be given");
    fitting f = {fn, user};
    return store_list(study->store, LEDGER_FITS, VALUES(store_int(study->id)), give_fit, &f, error);
}

/* ---- restore ----------------------------------------------------------------------------------- */

typedef struct restoring {
    locbo_study *study;
    size_t record_count, fit_count;
    const locbo_record *records;
    const locbo_fit *fits;
    uint64_t events;
} restoring;

static locbo_status restore_trial(const restoring *r, locbo_record from, locbo_error *error) {
    if (from.state == LOCBO_RUNNING) from.state = LOCBO_WAITING;
    locbo_status status = ledger_insert_trial(r->study, &from, (double)NAN, error);
    for (size_t i = 0; i < from.count && status == LOCBO_OK; i++)
        status = ledger_insert_measurement(r->study, from.sequence[i], from.trial.id, 0, &from.measurements[i],
                                           from.told ? from.told[i] : (double)NAN, 0, error);
    return status;
}

static locbo_status restore_fits(const restoring *r, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < r->fit_count && status == LOCBO_OK; i++) {
        const locbo_fit *f = &r->fits[i];
        char *theta = NULL;
        status = definition_write_list(f->count, f->theta, &theta, error);
        if (status == LOCBO_OK) status = ledger_insert_fit(r->study, i + 1, f, theta, error);
        mem_free(theta);
    }
    return status;
}

static locbo_status restore(locbo_store *store, void *user, locbo_error *error) {
    restoring *r = user;
    uint64_t empty = 0;
    locbo_status status = store_query(
        store, "UPDATE locbo_study SET trials = $2, events = $3, last_event = {now} WHERE id = $1 AND trials = 0",
        VALUES(store_int(r->study->id), store_count(r->record_count), store_count(r->events)), NULL, NULL, &empty,
        error);
    if (status == LOCBO_OK && empty == 0)
        return status_fail(error, LOCBO_ERR_STATE, "the study '%s' has trials already", r->study->name);
    for (size_t i = 0; i < r->record_count && status == LOCBO_OK; i++) status = restore_trial(r, r->records[i], error);
    return status == LOCBO_OK ? restore_fits(r, error) : status;
}

/* Check one trial: the records may come from a file. */
static locbo_status check_record(const restoring *r, size_t i, locbo_error *error) {
    const locbo_record *from = &r->records[i];
    locbo_status status = locbo_space_check(r->study->space, from->x, error);
    if (status == LOCBO_OK && (from->trial.id != i + 1 || (unsigned)from->state >= LOCBO_STATES))
        status = status_fail(error, LOCBO_ERR_ARGUMENT, "number %" PRIu64 " or state %d is wrong", from->trial.id,
                             (int)from->state);
    int ended = from->state == LOCBO_STATE_FAILED || from->state == LOCBO_STATE_INFEASIBLE;
    if (status == LOCBO_OK && ((from->count > 0) != (from->state == LOCBO_COMPLETE) || (from->failure > 0) != ended))
        status = status_fail(error, LOCBO_ERR_ARGUMENT, "state %s is not possible with %zu results",
                             locbo_state_name(from->state), from->count);
    for (size_t k = 0; k < from->count && status == LOCBO_OK; k++) {
        status = ledger_check_measurement(&from->measurements[k], error);
        if (status == LOCBO_OK && from->sequence[k] == 0)
            status = status_fail(error, LOCBO_ERR_ARGUMENT, "a result without a sequence number");
    }
    if (status == LOCBO_OK) status = ledger_check_text("worker", from->worker, error);
    if (status == LOCBO_OK) status = ledger_check_text("message", from->message, error);
    return status;
}

/* Check all trials before the transaction, and find the last event number. */
static locbo_status check_all(restoring *r, locbo_error *error) {
    for (size_t i = 0; i < r->record_count; i++) {
        const locbo_record *from = &r->records[i];
        locbo_error why;
        locbo_status status = check_record(r, i, &why);
        if (status != LOCBO_OK) return status_fail(error, status, "trial %zu: %s", i + 1, why.message);
        if (from->failure > r->events) r->events = from->failure;
        for (size_t k = 0; k < from->count; k++)
            if (from->sequence[k] > r->events) r->events = from->sequence[k];
    }
    if (r->events > INT32_MAX)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "%" PRIu64 " events are too many", r->events);
    return LOCBO_OK;
}

locbo_status locbo_study_restore(locbo_study *study, size_t record_count, const locbo_record *records, size_t fit_count,
                                 const locbo_fit *fits, locbo_error *error) {
    if (!study || (record_count > 0 && !records) || (fit_count > 0 && !fits))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "study, records and fits must be given");
    restoring r = {
        .study = study, .record_count = record_count, .fit_count = fit_count, .records = records, .fits = fits};
    locbo_status status = check_all(&r, error);
    if (status == LOCBO_OK) status = store_write(study->store, restore, &r, error);
    return status == LOCBO_OK ? status_ok(error) : status;
}
