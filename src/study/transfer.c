/* transfer.c - copy a study from one database to another: list its fits, write trials and fits to a new one. Layer:
 * study, middle. */
#include "transfer.h"

#include <inttypes.h>
#include <math.h>

#include "announced.h"
#include "reference.h"
#include "result_rows.h"
#include "warp.h"

/* ---- fits -------------------------------------------------------------------------------------- */

typedef struct fitting {
    locbo_fit_fn *fn;
    void *user;
} fitting;

static locbo_status give_fit(const store_value *columns, size_t count, void *user, locbo_error *error) {
    const fitting *f = user;
    ledger_fit read;
    (void)count;
    locbo_status status = ledger_read_fit(columns, &read, error);
    if (status == LOCBO_OK && f->fn(&read.fit, f->user) != 0) status = LOCBO_ERR_STOPPED;
    ledger_release_fit(&read);
    return status;
}

locbo_status locbo_study_each_fit(locbo_study *study, locbo_fit_fn *fn, void *user, locbo_error *error) {
    if (!study || !fn) return status_fail(error, LOCBO_ERR_ARGUMENT, "study and fn must be given");
    fitting f = {fn, user};
    return store_list(study->store, LEDGER_FITS, VALUES(store_int(study->id)), give_fit, &f, error);
}

/* ---- contents ---------------------------------------------------------------------------------- */

static locbo_status write_trial(bulk *b, const locbo_study *study, locbo_record from, locbo_error *error) {
    if (from.state == LOCBO_RUNNING) from.state = LOCBO_WAITING;
    locbo_status status = ledger_insert_trial(study, &from, (double)NAN, error);
    for (size_t i = 0; i < from.count && status == LOCBO_OK; i++)
        status = result_rows_add(b, study,
                                 &(stored_result){.trial = from.trial.id,
                                                  .event = from.sequence[i],
                                                  .told = from.told ? from.told[i] : (double)NAN,
                                                  .row = from.measurements + i * study->table.count},
                                 error);
    return status;
}

static locbo_status write_trials(const locbo_study *study, const locbo_contents *c, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    bulk b;
    result_rows_begin(&b, study, 0);
    for (size_t i = 0; i < c->record_count && status == LOCBO_OK; i++)
        status = write_trial(&b, study, c->records[i], error);
    return status == LOCBO_OK ? bulk_end(&b, error) : status;
}

static locbo_status write_fits(const locbo_study *study, const locbo_contents *c, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < c->fit_count && status == LOCBO_OK; i++)
        status = ledger_insert_fit(study, i + 1, &c->fits[i], error);
    return status;
}

locbo_status transfer_write(const locbo_study *study, const locbo_contents *c, uint64_t events, locbo_error *error) {
    locbo_status status = store_query(
        study->store, "UPDATE locbo_study SET trials = $2, events = $3, last_event = {now} WHERE id = $1",
        VALUES(store_int(study->id), store_count(c->record_count), store_count(events)), NULL, NULL, NULL, error);
    if (status == LOCBO_OK) status = write_trials(study, c, error);
    if (status == LOCBO_OK) status = write_fits(study, c, error);
    if (status == LOCBO_OK && c->reference) status = reference_write(study, c->reference, error);
    return status;
}

static locbo_status check_results(const measured *table, const locbo_record *from, locbo_error *error) {
    size_t outputs = from->outputs ? from->outputs : 1;
    locbo_status status = LOCBO_OK;
    if (outputs != table->count && (from->count > 0 || from->beliefs))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "it has %zu outputs, the study %zu", outputs, table->count);
    for (size_t k = 0; k < from->count && status == LOCBO_OK; k++) {
        status = measured_check(table, from->measurements + k * table->count, 1, error);
        if (status == LOCBO_OK && from->sequence[k] == 0)
            status = status_fail(error, LOCBO_ERR_ARGUMENT, "a result without a sequence number");
    }
    int possible = announced_is_valid(&from->trial.belief);
    for (size_t k = 0; from->beliefs && k < table->count; k++)
        possible = possible && announced_is_valid(&from->beliefs[k]);
    if (status == LOCBO_OK && !possible)
        status = status_fail(error, LOCBO_ERR_ARGUMENT, "the scale of its belief is not possible");
    return status;
}

/* Check one trial: the records may come from a file. */
static locbo_status check_record(const locbo_space *space, const measured *table, const locbo_record *from, size_t i,
                                 locbo_error *error) {
    locbo_status status = locbo_space_check(space, from->x, error);
    if (status == LOCBO_OK && (from->trial.id != i + 1 || (unsigned)from->state >= LOCBO_STATES))
        status = status_fail(error, LOCBO_ERR_ARGUMENT, "number %" PRIu64 " or state %d is wrong", from->trial.id,
                             (int)from->state);
    int ended = from->state == LOCBO_STATE_FAILED || from->state == LOCBO_STATE_INFEASIBLE;
    if (status == LOCBO_OK && ((from->count > 0) != (from->state == LOCBO_COMPLETE) || (from->failure > 0) != ended))
        status = status_fail(error, LOCBO_ERR_ARGUMENT, "state %s is not possible with %zu results",
                             locbo_state_name(from->state), from->count);
    if (status == LOCBO_OK) status = check_results(table, from, error);
    if (status == LOCBO_OK) status = ledger_check_text("worker", from->worker, error);
    if (status == LOCBO_OK) status = ledger_check_text("message", from->message, error);
    return status;
}

static int are_finite(size_t count, const double *numbers) {
    for (size_t i = 0; i < count; i++)
        if (!isfinite(numbers[i])) return 0;
    return 1;
}

static int is_scale(double shift, double spread, warp bend) {
    return isfinite(shift) && spread > 0 && isfinite(spread) && (!warp_is_set(&bend) || warp_is_valid(&bend));
}

/* Whether the numbers of a fit can be stored; whether they suit the study is seen when its optimizer is made. */
static int is_fit(const locbo_fit *f) {
    int good = are_finite(f->count, f->theta) && f->member_count <= FIT_MEMBERS &&
               (f->member_count == 0 || f->chosen < f->member_count) &&
               is_scale(f->shift, f->spread, (warp){f->power, f->offset, f->low, f->high});
    for (size_t i = 0; good && i < f->member_count; i++) {
        const locbo_member *m = &f->members[i];
        good = are_finite(m->count, m->theta) && isfinite(m->score) &&
               is_scale(m->shift, m->spread, (warp){m->power, m->offset, m->low, m->high});
    }
    return good;
}

static locbo_status check_fits(const measured *table, const locbo_contents *c, locbo_error *error) {
    for (size_t i = 0; i < c->fit_count; i++) {
        if (!is_fit(&c->fits[i]))
            return status_fail(error, LOCBO_ERR_ARGUMENT, "fit %zu: theta, scale or candidates are not possible",
                               i + 1);
        if (c->fits[i].output >= table->count)
            return status_fail(error, LOCBO_ERR_ARGUMENT, "fit %zu: there is no output %zu, the study has %zu", i + 1,
                               c->fits[i].output, table->count);
    }
    return LOCBO_OK;
}

locbo_status transfer_check(const locbo_space *space, const measured *table, const locbo_contents *c, uint64_t *events,
                            locbo_error *error) {
    *events = 0;
    if ((c->record_count > 0 && !c->records) || (c->fit_count > 0 && !c->fits))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "records and fits must be given");
    for (size_t i = 0; i < c->record_count; i++) {
        const locbo_record *from = &c->records[i];
        locbo_error why;
        locbo_status status = check_record(space, table, from, i, &why);
        if (status != LOCBO_OK) return status_fail(error, status, "trial %zu: %s", i + 1, why.message);
        if (from->failure > *events) *events = from->failure;
        for (size_t k = 0; k < from->count; k++)
            if (from->sequence[k] > *events) *events = from->sequence[k];
    }
    locbo_status status = check_fits(table, c, error);
    if (status == LOCBO_OK && c->reference) status = reference_check(table, c->reference, error);
    if (status == LOCBO_OK && *events > INT32_MAX)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "%" PRIu64 " events are too many", *events);
    return status;
}
