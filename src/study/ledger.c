/* ledger.c - the rest of a trial after it was handed out: tell, fail, renew its lease, requeue, store its output.
 * Layer: study, middle. Each call is one short transaction.
 *
 * A transaction that takes event numbers (for results, a failure) locks the study's row until its commit: so the
 * numbers are in the order of the commits. It does so as late as it can, because all others wait for that row, and
 * after the trial's row: who has locked the study's row never waits for a trial's, so there are no deadlocks. */
#include "ledger.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "bulk.h"
#include "definition.h"
#include "mem.h"
#include "points.h"
#include "result_rows.h"
#include "text.h"

/* ---- shared ------------------------------------------------------------------------------------ */

locbo_status ledger_check_text(const char *what, const char *text, locbo_error *error) {
    if (!text || text_is_valid(text)) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_ARGUMENT, "%s: not UTF-8: '%s'", what, text);
}

/* Number of items: "[3,5]" has 2. */
static size_t list_length(const char *text) {
    size_t commas = 0;
    for (const char *c = text; *c; c++) commas += *c == ',';
    return strpbrk(text, "0123456789") ? commas + 1 : 0;
}

/* The columns of a belief: numbers, then the scale, which most have not. */
locbo_status ledger_read_belief(const store_value *columns, locbo_belief *belief, locbo_error *error) {
    double values[BELIEF_COUNT], *scale = NULL;
    size_t count = 0;
    for (size_t i = 0; i < BELIEF_SHOWN_COUNT; i++) values[i] = store_as_real(&columns[i]);
    for (size_t i = BELIEF_SHOWN_COUNT; i < BELIEF_COUNT; i++) values[i] = (double)NAN;
    locbo_status status = LOCBO_OK;
    if (columns[BELIEF_SHOWN_COUNT].kind != STORE_NULL)
        status = definition_read_list(store_as_text(&columns[BELIEF_SHOWN_COUNT]), &count, &scale, error);
    if (status == LOCBO_OK && scale && count != BELIEF_SCALE_COUNT)
        status = status_fail(error, LOCBO_ERR_IO, "its scale has %zu numbers, not %d", count, (int)BELIEF_SCALE_COUNT);
    if (status == LOCBO_OK && scale) memcpy(values + BELIEF_SHOWN_COUNT, scale, count * sizeof *scale);
    if (status == LOCBO_OK) memcpy(belief, values, sizeof values);
    mem_free(scale);
    return status;
}

locbo_status ledger_read_params(const locbo_study *study, const char *text, double *x, locbo_error *error) {
    int placed;
    return study->revision == 0 ? definition_read_params(study->space, text, x, error)
                                : definition_read_past(study->space, text, x, &placed, error);
}

locbo_status ledger_read_trial(const locbo_study *study, const store_value *columns, locbo_trial *trial, double *x,
                               locbo_error *error) {
    locbo_error why;
    trial->id = store_as_count(&columns[0]);
    trial->origin = (locbo_origin)store_as_int(&columns[2]);
    trial->told = store_as_count(&columns[3]);
    trial->pending = list_length(store_as_text(&columns[4]));
    locbo_status status = ledger_read_belief(columns + 5, &trial->belief, &why);
    if (status == LOCBO_OK) status = ledger_read_params(study, store_as_text(&columns[1]), x, &why);
    if (status != LOCBO_OK) return status_fail(error, status, "trial %" PRIu64 ": %s", trial->id, why.message);
    return LOCBO_OK;
}

/* The scale of a belief as text; NULL: it has none. */
static locbo_status write_scale(const locbo_belief *b, char **text, locbo_error *error) {
#define NUMBER(field) b->field,
    const double scale[BELIEF_SCALE_COUNT] = {BELIEF_SCALE(NUMBER)};
#undef NUMBER
    return belief_is_bent(b) ? definition_write_list(BELIEF_SCALE_COUNT, scale, text, error) : LOCBO_OK;
}

static int is_nothing(const locbo_belief *b) {
    double numbers[BELIEF_COUNT];
    memcpy(numbers, b, sizeof numbers);
    for (size_t i = 0; i < BELIEF_COUNT; i++)
        if (!isnan(numbers[i])) return 0;
    return 1;
}

/* One belief of another output than the first objective; `scale` receives its text, which the caller releases. */
static locbo_status add_belief(bulk *b, size_t output, const locbo_belief *belief, char **scale, locbo_error *error) {
    locbo_status status = write_scale(belief, scale, error);
    if (status != LOCBO_OK) return status;
#define VALUE(field) , store_real(belief->field)
    return bulk_add(b, VALUES(store_count(output) BELIEF_SHOWN(VALUE), store_text(*scale)), error);
#undef VALUE
}

static locbo_status insert_beliefs(const locbo_study *study, const locbo_record *r, locbo_error *error) {
    size_t outputs = study->table.count;
    if (outputs == 1 || !r->beliefs) return LOCBO_OK;
    char **scales = mem_new(outputs, sizeof *scales);
    locbo_status status = scales ? LOCBO_OK : status_no_memory(error);
    bulk b;
#define MARK(field) ", ?r"
    bulk_begin(&b, study->store, "locbo_belief (study, trial, output" LEDGER_BELIEF ")",
               "$1, $2, ?i" BELIEF_SHOWN(MARK) ", ?t", VALUES(store_int(study->id), store_count(r->trial.id)));
#undef MARK
    for (size_t i = 0; i < outputs && status == LOCBO_OK; i++)
        if (i != study->table.first && !is_nothing(&r->beliefs[i]))
            status = add_belief(&b, i, &r->beliefs[i], &scales[i], error);
    status = bulk_end(&b, status, error);
    for (size_t i = 0; scales && i < outputs; i++) mem_free(scales[i]);
    mem_free(scales);
    return status;
}

locbo_status ledger_insert_trial(const locbo_study *study, const locbo_record *r, double lease, locbo_error *error) {
    const locbo_trial *t = &r->trial;
    enum { OTHERS = 16 };
    char sql[1024], *params = NULL, *scale = NULL;
    int used =
        snprintf(sql, sizeof sql,
                 "INSERT INTO locbo_trial (study, state, attempt, retries, worker, message, failure, ended,"
                 " asked, started, lease, lease_length, lost, note, tags, outside, point, " LEDGER_COLUMNS ") VALUES"
                 " ($1, $2, $3, $4, $5, $6, $7, $8, coalesce($9, {now}),"
                 " CASE WHEN $2 = 'RUNNING' THEN {now} ELSE $10 END, {now} + $11, $11, $12, $13, $14, $15, $16");
    for (int i = 1; i <= LEDGER_COLUMN_COUNT; i++)
        used +=
            snprintf(sql + used, sizeof sql - (size_t)used, ", $%d%s", OTHERS + i, i == LEDGER_COLUMN_COUNT ? ")" : "");
    locbo_status status = definition_write_params(study->space, r->x, &params, error);
    if (status == LOCBO_OK) status = write_scale(&t->belief, &scale, error);
#define VALUE(field) , store_real(t->belief.field)
    if (status == LOCBO_OK)
        status = store_query(
            study->store, sql,
            VALUES(store_int(study->id), store_text(locbo_state_name(r->state)), store_count(r->attempt),
                   store_count(r->retries), store_text(r->worker ? r->worker : ""),
                   store_text(r->message ? r->message : ""), r->failure ? store_count(r->failure) : store_text(NULL),
                   store_real(r->ended), store_real(r->asked), store_real(r->started), store_real(lease),
                   store_count(r->lost), store_text(r->note ? r->note : ""), store_text(r->tags ? r->tags : ""),
                   r->outside ? store_count(r->outside) : store_text(NULL), points_number(study, params),
                   store_count(t->id), store_text(params), store_int(t->origin), store_count(t->told),
                   store_text(r->pending ? r->pending : "[]") BELIEF_SHOWN(VALUE), store_text(scale)),
            NULL, NULL, NULL, error);
#undef VALUE
    mem_free(params);
    mem_free(scale);
    return status == LOCBO_OK ? insert_beliefs(study, r, error) : status;
}

locbo_status ledger_gone(const locbo_study *study, locbo_error *error) {
    return status_fail(error, LOCBO_ERR_NOT_FOUND, "the study '%s' has been deleted", study->name);
}

locbo_status ledger_check_revision(const locbo_study *study, uint64_t revision, locbo_error *error) {
    if (revision == study->revision) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_CHANGED, "the study '%.60s' was altered (event %" PRIu64 "): read it again",
                       study->name, revision);
}

locbo_status ledger_check_present(const locbo_study *study, locbo_error *error) {
    uint64_t revision = 0, found = 0;
    locbo_status status = store_query(study->store, "SELECT {revision} FROM locbo_study WHERE id = $1",
                                      VALUES(store_int(study->id)), ledger_take_count, &revision, &found, error);
    if (status == LOCBO_OK && found == 0) return ledger_gone(study, error);
    return status == LOCBO_OK ? ledger_check_revision(study, revision, error) : status;
}

locbo_status ledger_lock_study(const locbo_study *study, store_row_fn *row, void *user, locbo_error *error) {
    uint64_t found = 0;
    locbo_status status = store_query(study->store,
                                      "UPDATE locbo_study SET events = events WHERE id = $1{queue} RETURNING events,"
                                      " definition, plan, revision, stop_reason, paused, name, note, tags, trials",
                                      VALUES(store_int(study->id)), row, user, &found, error);
    return status == LOCBO_OK && found == 0 ? ledger_gone(study, error) : status;
}

locbo_status ledger_take_event(const locbo_study *study, uint64_t *event, locbo_error *error) {
    uint64_t found = 0;
    locbo_status status =
        store_query(study->store, "UPDATE locbo_study SET events = events + 1 WHERE id = $1{queue} RETURNING events",
                    VALUES(store_int(study->id)), ledger_take_count, event, &found, error);
    return status == LOCBO_OK && found == 0 ? ledger_gone(study, error) : status;
}

locbo_status ledger_take_count(const store_value *columns, size_t count, void *user, locbo_error *error) {
    (void)count, (void)error;
    *(uint64_t *)user = store_as_count(&columns[0]);
    return LOCBO_OK;
}

locbo_status ledger_read_fit(const store_value *columns, ledger_fit *read, locbo_error *error) {
    *read = (ledger_fit){.fit = {.rows = store_as_count(&columns[0]),
                                 .shift = store_as_real(&columns[1]),
                                 .spread = store_as_real(&columns[2]),
                                 .log_posterior = store_as_real(&columns[3]),
                                 .output = (size_t)store_as_count(&columns[6])}};
    size_t count = 0;
    locbo_status status = definition_read_list(store_as_text(&columns[4]), &read->fit.count, &read->theta, error);
    if (status == LOCBO_OK && columns[5].kind != STORE_NULL)
        status = definition_read_list(store_as_text(&columns[5]), &count, &read->choice, error);
    if (status == LOCBO_OK && !fit_numbers_read(count, read->choice, &read->fit, read->members))
        status = status_fail(error, LOCBO_ERR_IO,
                             "the fit of %" PRIu64 " results is damaged: its choice is no such list", read->fit.rows);
    read->fit.theta = read->theta;
    return status;
}

void ledger_release_fit(ledger_fit *read) {
    mem_free(read->theta);
    mem_free(read->choice);
}

/* Scale and candidates of a fit as text; NULL: it has none. */
static locbo_status write_choice(const locbo_fit *fit, char **text, locbo_error *error) {
    size_t count = fit_numbers_count(fit);
    if (count == 0) return LOCBO_OK;
    double *numbers = mem_new(count, sizeof *numbers);
    if (!numbers) return status_no_memory(error);
    fit_numbers_write(fit, numbers);
    locbo_status status = definition_write_list(count, numbers, text, error);
    mem_free(numbers);
    return status;
}

locbo_status ledger_insert_fit(const locbo_study *study, uint64_t number, const locbo_fit *fit, locbo_error *error) {
    char *theta = NULL, *choice = NULL;
    locbo_status status = definition_write_list(fit->count, fit->theta, &theta, error);
    if (status == LOCBO_OK) status = write_choice(fit, &choice, error);
    if (status == LOCBO_OK)
        status = store_query(study->store,
                             "INSERT INTO locbo_fit (study, fit, result_rows, shift, spread, log_posterior, theta,"
                             " choice, output) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
                             VALUES(store_int(study->id), store_count(number), store_count(fit->rows),
                                    store_real(fit->shift), store_real(fit->spread), store_real(fit->log_posterior),
                                    store_text(theta), store_text(choice), store_count(fit->output)),
                             NULL, NULL, NULL, error);
    mem_free(theta);
    mem_free(choice);
    return status;
}

/* A change of one trial. */
typedef struct change {
    locbo_study *study;
    uint64_t trial, attempt; /* attempt 0: not checked */
    /* what the database has */
    int found;
    char state[16];
    uint64_t present; /* its last attempt */
    uint64_t outside; /* the event since which it is outside the space; 0: inside */
    store_value point;
    double started, ended;
    int lease_ended; /* it waits because its lease had ended */
    uint64_t events;
    int64_t timed; /* what the change adds to trials that took a time, and to their seconds */
    double seconds;
    int counted; /* its results are, by the study's row */
    /* what is changed */
    const char *new_state, *why;
    size_t count; /* of results */
    const locbo_measurement *measurements;
    token_call request;
    locbo_requeue how;
    double delay, lease;
    const locbo_output *output;
} change;

static locbo_status take_state(const store_value *columns, size_t count, void *user, locbo_error *error) {
    change *c = user;
    (void)count, (void)error;
    const char *state = store_as_text(&columns[0]);
    size_t size = strnlen(state, sizeof c->state - 1);
    memcpy(c->state, state, size);
    c->state[size] = '\0';
    c->present = store_as_count(&columns[1]);
    c->lease_ended = strcmp(c->state, "WAITING") == 0 && store_as_real(&columns[2]) == -1;
    c->outside = store_as_count(&columns[3]);
    c->point = columns[4];
    c->started = store_as_real(&columns[5]);
    c->ended = store_as_real(&columns[6]);
    c->found = 1;
    return LOCBO_OK;
}

static locbo_status no_trial(const change *c, locbo_error *error) {
    uint64_t found = 0;
    locbo_status status = store_query(c->study->store, "SELECT id FROM locbo_study WHERE id = $1",
                                      VALUES(store_int(c->study->id)), NULL, NULL, &found, error);
    if (status != LOCBO_OK) return status;
    if (found == 0) return ledger_gone(c->study, error);
    return status_fail(error, LOCBO_ERR_NOT_FOUND, "the study '%s' has no trial %" PRIu64, c->study->name, c->trial);
}

/* Read and lock the trial; LOCBO_ERR_STATE for an attempt that was never handed out. */
static locbo_status lock_trial(change *c, locbo_error *error) {
    c->found = 0;
    locbo_status status =
        store_query(c->study->store,
                    "SELECT state, attempt, lease_length, outside, point, started, ended FROM locbo_trial WHERE study "
                    "= $1 AND number = $2{lock}",
                    VALUES(store_int(c->study->id), store_count(c->trial)), take_state, c, NULL, error);
    if (status == LOCBO_OK && !c->found) return no_trial(c, error);
    if (status == LOCBO_OK && c->attempt > c->present)
        return status_fail(error, LOCBO_ERR_STATE, "trial %" PRIu64 " has no attempt %" PRIu64 ", the last is %" PRIu64,
                           c->trial, c->attempt, c->present);
    return status;
}

/* Only the last attempt of a trial that has not ended may change its state. */
static locbo_status check_attempt(const change *c, locbo_error *error) {
    if (strcmp(c->state, "RUNNING") != 0 && strcmp(c->state, "WAITING") != 0)
        return status_fail(error, LOCBO_ERR_STATE, "trial %" PRIu64 " has ended: %s", c->trial, c->state);
    if (c->attempt == 0 || c->attempt == c->present) return LOCBO_OK;
    return status_fail(error, LOCBO_ERR_STATE,
                       "attempt %" PRIu64 " of trial %" PRIu64 " is over: attempt %" PRIu64 " has replaced it",
                       c->attempt, c->trial, c->present);
}

static locbo_status take_events(const store_value *columns, size_t count, void *user, locbo_error *error) {
    change *c = user;
    (void)count, (void)error;
    c->events = store_as_count(&columns[0]);
    c->counted = columns[1].kind != STORE_NULL;
    return LOCBO_OK;
}

/* Take `count` event numbers, for c->count results or one failure; c->events is the last of them. */
static locbo_status take_numbers(change *c, uint64_t count, locbo_error *error) {
    uint64_t found = 0;
    locbo_status status =
        store_query(c->study->store,
                    "UPDATE locbo_study SET events = events + $2, results = results + $3, timed = timed + $4,"
                    " seconds = seconds + $5, last_event = {now} WHERE id = $1{queue} RETURNING events, results",
                    VALUES(store_int(c->study->id), store_count(count), store_count(c->count), store_int(c->timed),
                           store_real(c->seconds)),
                    take_events, c, &found, error);
    if (status == LOCBO_OK && found == 0) return ledger_gone(c->study, error);
    return status;
}

/* Begin a call: before its arguments are checked, so that a token of the caller's is used up in any case. */
static locbo_status begin_change(change *c, const char *call, store_work_fn *work, locbo_error *error) {
    if (!c->study) return status_fail(error, LOCBO_ERR_ARGUMENT, "study must not be NULL");
    c->request = (token_call){.call = call, .study = c->study->id, .work = work, .user = c};
    locbo_status status = token_begin(&c->request, c->study->store, error);
    return status == LOCBO_OK ? ledger_check_text("why", c->why, error) : status;
}

static locbo_status run_change(change *c, const char *call, store_work_fn *work, locbo_error *error) {
    locbo_status status = begin_change(c, call, work, error);
    return status == LOCBO_OK ? token_write(&c->request, c->study->store, error) : status;
}

/* ---- tell -------------------------------------------------------------------------------------- */

/* The trial has ended: what that adds to the study's seconds. A late result ends it a second time. */
static locbo_status take_ended(const store_value *columns, size_t count, void *user, locbo_error *error) {
    change *c = user;
    double ended = store_as_real(&columns[0]);
    int before = c->ended > c->started, after = ended > c->started;
    (void)count, (void)error;
    if (c->present == 0) return LOCBO_OK;
    c->timed = after - before;
    c->seconds = (after ? ended - c->started : 0) - (before ? c->ended - c->started : 0);
    return LOCBO_OK;
}

static locbo_status tell(locbo_store *store, void *user, locbo_error *error) {
    change *c = user;
    c->timed = 0;
    c->seconds = 0;
    locbo_status status = lock_trial(c, error);
    if (status == LOCBO_OK)
        status = store_query(store,
                             "UPDATE locbo_trial SET state = 'COMPLETE', ended = {now}, lease = NULL,"
                             " failure = NULL, message = ''"
                             " WHERE study = $1 AND number = $2 AND state <> 'COMPLETE' RETURNING ended",
                             VALUES(store_int(c->study->id), store_count(c->trial)), take_ended, c, NULL, error);
    if (status == LOCBO_OK) status = take_numbers(c, c->count, error);
    bulk b;
    result_rows_begin(&b, c->study, c->request.token);
    for (size_t i = 0; i < c->count && status == LOCBO_OK; i++)
        status = result_rows_add(&b, c->study,
                                 &(stored_result){.trial = c->trial,
                                                  .event = c->events - c->count + 1 + i,
                                                  .attempt = c->attempt,
                                                  .told = (double)NAN,
                                                  .row = c->measurements + i * c->study->table.count},
                                 error);
    status = bulk_end(&b, status, error);
    for (size_t i = 0; c->counted && c->point.kind != STORE_NULL && i < c->count && status == LOCBO_OK; i++)
        status =
            points_add(c->study, c->point.integer, c->trial, c->events - c->count + 1 + i, &c->measurements[i], error);
    return status;
}

locbo_status locbo_study_tell(locbo_study *study, uint64_t trial, uint64_t attempt, size_t count,
                              const locbo_measurement *measurements, locbo_error *error) {
    change c = {.study = study, .trial = trial, .attempt = attempt, .count = count, .measurements = measurements};
    locbo_status status = begin_change(&c, "tell", tell, error);
    if (status == LOCBO_OK && (count == 0 || !measurements))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "there is no measurement to tell");
    for (size_t i = 0; i < count && status == LOCBO_OK; i++)
        status = measured_check(&study->table, measurements + i * study->table.count, MEASURED_NOW, error);
    return status == LOCBO_OK ? token_write(&c.request, study->store, error) : status;
}

/* ---- failures ---------------------------------------------------------------------------------- */

/* With the event number c->events. It had not ended before. */
static locbo_status end_trial(const change *c, locbo_error *error) {
    store_value id = store_int(c->study->id), trial = store_count(c->trial);
    locbo_status status = store_query(
        c->study->store,
        "UPDATE locbo_trial SET state = $3, ended = {now}, lease = NULL,"
        " failure = $4, message = $5 WHERE study = $1 AND number = $2",
        VALUES(id, trial, store_text(c->new_state), store_count(c->events), store_text(c->why ? c->why : "")), NULL,
        NULL, NULL, error);
    if (status != LOCBO_OK) return status;
    return store_query(c->study->store,
                       "UPDATE locbo_study SET timed = timed + 1, seconds = seconds + (SELECT ended - started FROM"
                       " locbo_trial WHERE study = $1 AND number = $2) WHERE id = $1 AND EXISTS (SELECT 1 FROM"
                       " locbo_trial WHERE study = $1 AND number = $2 AND attempt > 0 AND ended > started)",
                       VALUES(id, trial), NULL, NULL, NULL, error);
}

locbo_status ledger_fail_trial(locbo_study *study, uint64_t trial, const char *why, locbo_error *error) {
    change c = {.study = study, .trial = trial, .new_state = "FAILED", .why = why};
    locbo_status status = take_numbers(&c, 1, error);
    return status == LOCBO_OK ? end_trial(&c, error) : status;
}

locbo_status ledger_prune_trial(locbo_study *study, uint64_t trial, uint64_t *event, locbo_error *error) {
    change c = {.study = study, .trial = trial, .new_state = "PRUNED"};
    locbo_status status = take_numbers(&c, 1, error);
    *event = c.events;
    return status == LOCBO_OK ? end_trial(&c, error) : status;
}

void ledger_write_outside(uint64_t event, char text[LEDGER_OUTSIDE]) {
    snprintf(text, LEDGER_OUTSIDE, "outside the space since it was altered (event %" PRIu64 ")", event);
}

locbo_status ledger_withdraw_trial(locbo_study *study, uint64_t trial, uint64_t outside, locbo_error *error) {
    char why[LEDGER_OUTSIDE];
    uint64_t event;
    ledger_write_outside(outside, why);
    locbo_status status = ledger_take_event(study, &event, error);
    change c = {.study = study, .trial = trial, .new_state = "RETRACTED", .why = why, .events = event};
    if (status == LOCBO_OK) status = end_trial(&c, error);
    if (status != LOCBO_OK) return status;
    return store_query(study->store, "UPDATE locbo_study SET retraction = $2 WHERE id = $1",
                       VALUES(store_int(study->id), store_count(event)), NULL, NULL, NULL, error);
}

static locbo_status end_without_result(locbo_store *store, void *user, locbo_error *error) {
    change *c = user;
    (void)store;
    locbo_status status = lock_trial(c, error);
    if (status == LOCBO_OK) status = check_attempt(c, error);
    if (status == LOCBO_OK) status = take_numbers(c, 1, error);
    return status == LOCBO_OK ? end_trial(c, error) : status;
}

locbo_status locbo_study_tell_failed(locbo_study *study, uint64_t trial, uint64_t attempt, const char *why,
                                     locbo_error *error) {
    change c = {.study = study, .trial = trial, .attempt = attempt, .new_state = "FAILED", .why = why};
    return run_change(&c, "tell_failed", end_without_result, error);
}

locbo_status locbo_study_tell_infeasible(locbo_study *study, uint64_t trial, uint64_t attempt, const char *why,
                                         locbo_error *error) {
    change c = {.study = study, .trial = trial, .attempt = attempt, .new_state = "INFEASIBLE", .why = why};
    return run_change(&c, "tell_infeasible", end_without_result, error);
}

/* ---- leases ------------------------------------------------------------------------------------ */

/* Its last attempt runs, as far as its worker can know. */
static locbo_status check_running(const change *c, locbo_error *error) {
    locbo_status status = check_attempt(c, error);
    if (status == LOCBO_OK && c->present == 0)
        return status_fail(error, LOCBO_ERR_STATE, "trial %" PRIu64 " has not been handed out", c->trial);
    if (status == LOCBO_OK && strcmp(c->state, "WAITING") == 0 && !c->lease_ended)
        return status_fail(error, LOCBO_ERR_STATE, "trial %" PRIu64 " waits again: it was handed back", c->trial);
    return status;
}

locbo_status ledger_lock_running(locbo_study *study, uint64_t trial, uint64_t *attempt, int *pruned,
                                 locbo_error *error) {
    change c = {.study = study, .trial = trial, .attempt = *attempt};
    locbo_status status = lock_trial(&c, error);
    if (status != LOCBO_OK) return status;
    *pruned = strcmp(c.state, "PRUNED") == 0 && (*attempt == 0 || *attempt == c.present);
    if (!*pruned) status = check_running(&c, error);
    if (status == LOCBO_OK) *attempt = c.present;
    return status;
}

static locbo_status beat(locbo_store *store, void *user, locbo_error *error) {
    change *c = user;
    locbo_status status = lock_trial(c, error);
    if (status == LOCBO_OK) status = check_running(c, error);
    if (status != LOCBO_OK) return status;
    /* a trial that waits because its lease had ended was not lost after all */
    return store_query(
        store,
        "UPDATE locbo_trial SET lost = lost - $4, state = 'RUNNING', lease = {now} + $3, lease_length = $3"
        " WHERE study = $1 AND number = $2",
        VALUES(store_int(c->study->id), store_count(c->trial), store_real(isinf(c->lease) ? (double)NAN : c->lease),
               store_int(c->lease_ended)),
        NULL, NULL, NULL, error);
}

locbo_status locbo_study_beat(locbo_study *study, uint64_t trial, uint64_t attempt, double lease, locbo_error *error) {
    change c = {.study = study, .trial = trial, .attempt = attempt, .lease = lease};
    if (!study) return status_fail(error, LOCBO_ERR_ARGUMENT, "study must not be NULL");
    if (!(lease > 0)) return status_fail(error, LOCBO_ERR_ARGUMENT, "a lease must be positive, got %g", lease);
    locbo_status status = store_write(study->store, beat, &c, error);
    return status == LOCBO_OK ? status_ok(error) : status;
}

static locbo_status requeue(locbo_store *store, void *user, locbo_error *error) {
    change *c = user;
    locbo_status status = lock_trial(c, error);
    if (status == LOCBO_OK) status = check_attempt(c, error);
    if (status != LOCBO_OK) return status;
    if (strcmp(c->state, "WAITING") == 0 && !c->lease_ended) return LOCBO_OK; /* already */
    if (c->outside) return ledger_withdraw_trial(c->study, c->trial, c->outside, error);
    return store_query(
        store,
        "UPDATE locbo_trial SET state = 'WAITING', lease = {now} + $3, lease_length = $3,"
        " retries = retries + $4, lost = lost + $5 WHERE study = $1 AND number = $2",
        VALUES(store_int(c->study->id), store_count(c->trial), store_real(c->delay > 0 ? c->delay : (double)NAN),
               store_int(c->how == LOCBO_REQUEUE_RETRY), store_int((c->how == LOCBO_REQUEUE_KILLED) - c->lease_ended)),
        NULL, NULL, NULL, error);
}

locbo_status locbo_study_requeue(locbo_study *study, uint64_t trial, uint64_t attempt, locbo_requeue how, double delay,
                                 locbo_error *error) {
    change c = {.study = study, .trial = trial, .attempt = attempt, .how = how, .delay = delay};
    locbo_status status = begin_change(&c, "requeue", requeue, error);
    if (status == LOCBO_OK && ((int)how < LOCBO_REQUEUE_SAME || how > LOCBO_REQUEUE_KILLED))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "there is no way %d to queue a trial again", (int)how);
    if (status == LOCBO_OK && !(delay >= 0 && isfinite(delay)))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "a delay must not be negative, got %g", delay);
    return status == LOCBO_OK ? token_write(&c.request, study->store, error) : status;
}

/* ---- output ------------------------------------------------------------------------------------ */

static locbo_status keep_output(locbo_store *store, void *user, locbo_error *error) {
    change *c = user;
    const locbo_output *o = c->output;
    locbo_status status = lock_trial(c, error);
    if (status != LOCBO_OK) return status;
    return store_query(store,
                       "INSERT INTO locbo_output (study, trial, attempt, exit_code, seconds, out, err)"
                       " VALUES ($1, $2, $3, $4, $5, $6, $7)"
                       " ON CONFLICT (study, trial, attempt) DO UPDATE SET exit_code = excluded.exit_code,"
                       " seconds = excluded.seconds, out = excluded.out, err = excluded.err",
                       VALUES(store_int(c->study->id), store_count(c->trial), store_count(c->attempt),
                              store_int(o->exit_code), store_real(o->seconds), store_bytes(o->out, o->out_size),
                              store_bytes(o->err, o->err_size)),
                       NULL, NULL, NULL, error);
}

locbo_status locbo_study_keep_output(locbo_study *study, uint64_t trial, uint64_t attempt, const locbo_output *output,
                                     locbo_error *error) {
    change c = {.study = study, .trial = trial, .attempt = attempt, .output = output};
    locbo_status status = begin_change(&c, "keep_output", keep_output, error);
    if (status == LOCBO_OK && (!output || !isfinite(output->seconds)))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "an output, and its seconds, must be given");
    return status == LOCBO_OK ? token_write(&c.request, study->store, error) : status;
}
