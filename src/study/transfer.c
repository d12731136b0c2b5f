/* transfer.c - copy a study from one database to another: list its fits, write trials and fits to a new one. Layer:
 * study, middle. */
#include "transfer.h"

#include <inttypes.h>
#include <math.h>

#include "announced.h"
#include "change.h"
#include "curves.h"
#include "definition.h"
#include "mem.h"
#include "points.h"
#include "reference.h"
#include "result_rows.h"
#include "spending.h"
#include "warp.h"

/* ---- fits -------------------------------------------------------------------------------------- */

typedef struct fitting {
    const locbo_study *study;
    locbo_fit_fn *fn;
    void *user;
} fitting;

static locbo_status give_fit(const store_value *columns, size_t count, void *user, locbo_error *error) {
    const fitting *f = user;
    ledger_fit read;
    (void)count;
    locbo_status status = ledger_check_revision(f->study, store_as_count(&columns[8]), error);
    if (status != LOCBO_OK) return status;
    status = ledger_read_fit(columns, &read, error);
    if (status == LOCBO_OK && f->fn(&read.fit, f->user) != 0) status = LOCBO_ERR_STOPPED;
    ledger_release_fit(&read);
    return status;
}

locbo_status locbo_study_each_fit(locbo_study *study, locbo_fit_fn *fn, void *user, locbo_error *error) {
    if (!study || !fn) return status_fail(error, LOCBO_ERR_ARGUMENT, "study and fn must be given");
    fitting f = {study, fn, user};
    return store_list(study->store,
                      "SELECT result_rows, shift, spread, log_posterior, theta, {choice}, {output}, fit, {revision}"
                      " FROM locbo_fit CROSS JOIN locbo_study WHERE study = $1 AND id = $1 ORDER BY fit",
                      VALUES(store_int(study->id)), give_fit, &f, error);
}

/* ---- contents ---------------------------------------------------------------------------------- */

static locbo_status write_trial(bulk *b, const locbo_study *study, locbo_record from, locbo_error *error) {
    if (from.state == LOCBO_RUNNING && from.outside) { /* it would not be handed out again */
        from.state = LOCBO_RETRACTED;
        from.failure = from.outside;
        from.message = "it ran, outside the space, when the study was copied";
    }
    if (from.state == LOCBO_RUNNING) from.state = LOCBO_WAITING;
    locbo_status status = ledger_insert_trial(study, &from, (double)NAN, error);
    if (status == LOCBO_OK && from.decision)
        status = curves_insert_decision(study, from.trial.id, from.decision, error);
    for (size_t i = 0; i < from.count && status == LOCBO_OK; i++)
        status = result_rows_add(b, study,
                                 &(stored_result){.trial = from.trial.id,
                                                  .event = from.sequence[i],
                                                  .told = from.told ? from.told[i] : (double)NAN,
                                                  .row = from.measurements + i * study->table.count},
                                 error);
    for (size_t i = 0; i < from.retracted_count && status == LOCBO_OK; i++)
        status = result_rows_add(b, study,
                                 &(stored_result){.trial = from.trial.id,
                                                  .event = from.retracted_sequence[i],
                                                  .retracted = from.retracted_by[i],
                                                  .told = from.retracted_told ? from.retracted_told[i] : (double)NAN,
                                                  .row = from.retracted + i * study->table.count},
                                 error);
    return status;
}

/* The results at each point. The statements that insert the trials write their points once more. */
static locbo_status write_points(const locbo_study *study, const locbo_contents *c, locbo_error *error) {
    points_list points = {0};
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; points_are_kept(study) && i < c->record_count && status == LOCBO_OK; i++) {
        const locbo_record *from = c->records[i].count > 0 ? &c->records[i] : NULL;
        char *params = NULL;
        if (!from) continue;
        status = definition_write_params(study->space, from->x, &params, error);
        for (size_t k = 0; k < from->count && status == LOCBO_OK; k++)
            status = points_note(&points, points_number(study, params), from->trial.id, from->sequence[k],
                                 &from->measurements[k], error);
        mem_free(params);
    }
    return points_write(study, &points, status, error);
}

static locbo_status write_trials(const locbo_study *study, const locbo_contents *c, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    bulk b;
    result_rows_begin(&b, study, 0);
    for (size_t i = 0; i < c->record_count && status == LOCBO_OK; i++)
        status = write_trial(&b, study, c->records[i], error);
    return bulk_end(&b, status, error);
}

static locbo_status write_fits(const locbo_study *study, const locbo_contents *c, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < c->fit_count && status == LOCBO_OK; i++)
        status = ledger_insert_fit(study, i + 1, &c->fits[i], error);
    return status;
}

static locbo_status write_change(const locbo_study *study, const locbo_change *from, locbo_error *error) {
    char *definition = NULL, *plan = NULL;
    locbo_definition what;
    locbo_options options;
    locbo_status status = LOCBO_OK;
    if (from->before) {
        status = definition_take(from->before, &what, &options, error);
        if (status == LOCBO_OK) status = definition_write(&what, &definition, error);
    }
    if (status == LOCBO_OK && from->plan_before) status = definition_write_plan(from->plan_before, &plan, error);
    if (status == LOCBO_OK)
        status = change_insert(study,
                               &(change_row){.event = from->event,
                                             .kind = from->kind,
                                             .trial = from->trial,
                                             .text = from->text,
                                             .definition = definition,
                                             .plan = plan,
                                             .author = from->author ? from->author : "",
                                             .time = from->time},
                               error);
    mem_free(definition);
    mem_free(plan);
    return status;
}

/* The last event number of the changes that `is_one` accepts. */
static uint64_t last_change(const locbo_contents *c, int (*is_one)(const locbo_change *)) {
    uint64_t last = 0;
    for (size_t i = 0; i < c->change_count; i++)
        if (is_one(&c->changes[i]) && c->changes[i].event > last) last = c->changes[i].event;
    return last;
}

static int is_revision(const locbo_change *c) { return c->kind == LOCBO_CHANGE_ALTER && c->before; }

static int is_retraction(const locbo_change *c) {
    return c->kind == LOCBO_CHANGE_RETRACT || c->kind == LOCBO_CHANGE_FAIL;
}

static locbo_status write_study(const locbo_study *study, const locbo_contents *c, uint64_t events,
                                locbo_error *error) {
    return store_query(study->store,
                       "UPDATE locbo_study SET trials = $2, events = $3, last_event = {now}, revision = $4,"
                       " retraction = $5, paused = $6, note = $7, tags = $8 WHERE id = $1",
                       VALUES(store_int(study->id), store_count(c->record_count), store_count(events),
                              store_count(last_change(c, is_revision)), store_count(last_change(c, is_retraction)),
                              store_text(c->paused), store_text(c->note ? c->note : ""),
                              store_text(c->tags ? c->tags : "")),
                       NULL, NULL, NULL, error);
}

locbo_status transfer_write(const locbo_study *study, const locbo_contents *c, uint64_t events, locbo_error *error) {
    locbo_status status = write_study(study, c, events, error);
    if (status == LOCBO_OK) status = write_trials(study, c, error);
    if (status == LOCBO_OK) status = result_rows_recount(study, error);
    if (status == LOCBO_OK) status = spending_recount(study, error);
    if (status == LOCBO_OK) status = write_points(study, c, error);
    if (status == LOCBO_OK) status = curves_write(study, c->curve_count, c->curves, error);
    if (status == LOCBO_OK) status = write_fits(study, c, error);
    for (size_t i = 0; i < c->change_count && status == LOCBO_OK; i++)
        status = write_change(study, &c->changes[i], error);
    if (status == LOCBO_OK && c->reference) status = reference_write(study, c->reference, error);
    return status;
}

static locbo_status check_result(const measured *table, int altered, const locbo_measurement *row, uint64_t sequence,
                                 locbo_error *error) {
    locbo_status status = measured_check(table, row, altered ? MEASURED_PAST : MEASURED_STORED, error);
    if (status == LOCBO_OK && sequence == 0)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "a result without a sequence number");
    return status;
}

static locbo_status check_results(const measured *table, int altered, const locbo_record *from, locbo_error *error) {
    size_t outputs = from->outputs ? from->outputs : 1;
    locbo_status status = LOCBO_OK;
    if (outputs != table->count && (from->count > 0 || from->retracted_count > 0 || from->beliefs))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "it has %zu outputs, the study %zu", outputs, table->count);
    for (size_t k = 0; k < from->count && status == LOCBO_OK; k++)
        status = check_result(table, altered, from->measurements + k * table->count, from->sequence[k], error);
    for (size_t k = 0; k < from->retracted_count && status == LOCBO_OK; k++) {
        status = check_result(table, altered, from->retracted + k * table->count, from->retracted_sequence[k], error);
        if (status == LOCBO_OK && from->retracted_by[k] <= from->retracted_sequence[k])
            status = status_fail(error, LOCBO_ERR_ARGUMENT, "a result is taken back before it was told");
    }
    int possible = announced_is_valid(&from->trial.belief);
    for (size_t k = 0; from->beliefs && k < table->count; k++)
        possible = possible && announced_is_valid(&from->beliefs[k]);
    if (status == LOCBO_OK && !possible)
        status = status_fail(error, LOCBO_ERR_ARGUMENT, "the scale of its belief is not possible");
    return status;
}

/* A point of a study that was altered may be outside the space, and lack values; a number that became whole may not be
 * so there. */
static locbo_status check_past(const locbo_space *space, const double *x, locbo_error *error) {
    for (size_t i = 0; i < locbo_space_dim(space); i++) {
        locbo_parameter p;
        locbo_space_parameter(space, i, &p, NULL);
        int whole = x[i] == floor(x[i]), in_list = p.count > 0 || p.kind == LOCBO_BOOL;
        if (isnan(x[i])) continue;
        if (isinf(x[i]) || (in_list && (!whole || x[i] < p.low || x[i] > p.high)))
            return status_fail(error, LOCBO_ERR_ARGUMENT, "parameter '%.40s' cannot be %g", p.name, x[i]);
    }
    return LOCBO_OK;
}

/* Check one trial: the records may come from a file. */
static locbo_status check_record(const locbo_space *space, int altered, const measured *table, const locbo_record *from,
                                 size_t i, locbo_error *error) {
    locbo_status status = altered ? check_past(space, from->x, error) : locbo_space_check(space, from->x, error);
    if (status == LOCBO_OK && (from->trial.id != i + 1 || (unsigned)from->state >= LOCBO_STATES))
        status = status_fail(error, LOCBO_ERR_ARGUMENT, "number %" PRIu64 " or state %d is wrong", from->trial.id,
                             (int)from->state);
    int ended = from->state == LOCBO_STATE_FAILED || from->state == LOCBO_STATE_INFEASIBLE ||
                from->state == LOCBO_RETRACTED || from->state == LOCBO_PRUNED;
    if (status == LOCBO_OK && ((from->count > 0) != (from->state == LOCBO_COMPLETE) || (from->failure > 0) != ended))
        status = status_fail(error, LOCBO_ERR_ARGUMENT, "state %s is not possible with %zu results",
                             locbo_state_name(from->state), from->count);
    if (status == LOCBO_OK) status = check_results(table, altered, from, error);
    if (status == LOCBO_OK && from->decision) status = curves_check_decision(from->decision, error);
    if (status == LOCBO_OK) status = ledger_check_text("worker", from->worker, error);
    if (status == LOCBO_OK) status = ledger_check_text("message", from->message, error);
    if (status == LOCBO_OK) status = ledger_check_text("note", from->note, error);
    return status == LOCBO_OK ? ledger_check_text("tags", from->tags, error) : status;
}

static locbo_status check_change(const locbo_change *c, uint64_t trials, locbo_error *error) {
    locbo_definition what;
    locbo_options options;
    char *text = NULL;
    if ((unsigned)c->kind >= LOCBO_CHANGES || c->event == 0 || c->trial > trials || isinf(c->time))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "kind %d, event %" PRIu64 " or trial %" PRIu64 " is not possible",
                           (int)c->kind, c->event, c->trial);
    locbo_status status = ledger_check_text("author", c->author, error);
    if (status == LOCBO_OK) status = ledger_check_text("text", c->text, error);
    if (status == LOCBO_OK && c->before) {
        status = definition_take(c->before, &what, &options, error);
        if (status == LOCBO_OK) status = definition_write(&what, &text, error);
    }
    if (status == LOCBO_OK && c->plan_before) status = definition_check_plan(c->plan_before, error);
    mem_free(text);
    return status;
}

/* Events are in order, so that none is there twice. */
static locbo_status check_changes(const locbo_contents *c, uint64_t *events, locbo_error *error) {
    uint64_t last = 0;
    if (c->change_count > 0 && !c->changes) return status_fail(error, LOCBO_ERR_ARGUMENT, "changes must be given");
    for (size_t i = 0; i < c->change_count; i++) {
        locbo_error why;
        locbo_status status = check_change(&c->changes[i], c->record_count, &why);
        if (status == LOCBO_OK && c->changes[i].event <= last)
            status = status_fail(&why, LOCBO_ERR_ARGUMENT, "event %" PRIu64 " cannot follow event %" PRIu64,
                                 c->changes[i].event, last);
        if (status != LOCBO_OK) return status_fail(error, status, "change %zu: %s", i + 1, why.message);
        last = c->changes[i].event;
    }
    if (last > *events) *events = last;
    locbo_status status = ledger_check_text("note", c->note, error);
    if (status == LOCBO_OK) status = ledger_check_text("tags", c->tags, error);
    return status == LOCBO_OK ? ledger_check_text("paused", c->paused, error) : status;
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
    int altered = last_change(c, is_revision) > 0;
    *events = 0;
    if ((c->record_count > 0 && !c->records) || (c->fit_count > 0 && !c->fits))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "records and fits must be given");
    for (size_t i = 0; i < c->record_count; i++) {
        const locbo_record *from = &c->records[i];
        locbo_error why;
        locbo_status status = check_record(space, altered, table, from, i, &why);
        if (status != LOCBO_OK) return status_fail(error, status, "trial %zu: %s", i + 1, why.message);
        if (from->failure > *events) *events = from->failure;
        if (from->decision && from->decision->event > *events) *events = from->decision->event;
        for (size_t k = 0; k < from->count; k++)
            if (from->sequence[k] > *events) *events = from->sequence[k];
        for (size_t k = 0; k < from->retracted_count; k++)
            if (from->retracted_by[k] > *events) *events = from->retracted_by[k];
    }
    locbo_status status = check_fits(table, c, error);
    if (status == LOCBO_OK) status = curves_check(c->record_count, c->curve_count, c->curves, error);
    if (status == LOCBO_OK) status = check_changes(c, events, error);
    if (status == LOCBO_OK && c->reference) status = reference_check(table, c->reference, error);
    if (status == LOCBO_OK && *events > INT32_MAX)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "%" PRIu64 " events are too many", *events);
    return status;
}
