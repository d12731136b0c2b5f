/* import.c - outcomes of other origin as trials that have ended, in one transaction. Layer: study, top.
 * One statement inserts many rows, because a round trip to a server takes longer than the insertion. What the study has
 * already is looked up in the same transaction, so that two imports at once do not add it twice. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "bulk.h"
#include "definition.h"
#include "known.h"
#include "mem.h"
#include "points.h"
#include "result_rows.h"

enum { BATCH = BULK_ROWS }; /* trials whose texts are kept at a time */
/* The numbers of the answer. */
enum { FIRST, TRIALS, RESULTS, FAILURES, SKIPPED, ANSWERS };

typedef struct importing {
    locbo_study *study;
    size_t n;
    const locbo_import_row *outcomes;
    int again;
    unsigned char *skip;              /* of each event (result or failure) in order: the study has it */
    size_t kept;                      /* events that it has not */
    uint64_t trials, events, results; /* in the study so far */
    points_list points;               /* of the new results */
    uint64_t answer[ANSWERS];
    token_call request;
} importing;

static size_t events_of(const locbo_import_row *o) { return o->count > 0 ? o->count : 1; }

static const locbo_measurement *row_of(const importing *m, const locbo_import_row *o, size_t i) {
    return o->count > 0 ? o->measurements + i * m->study->table.count : NULL;
}

/* ---- what is already there --------------------------------------------------------------------- */

static locbo_status find_known(importing *m, locbo_error *error) {
    known k;
    size_t e = 0;
    locbo_status status = known_read(&k, m->study, error);
    for (size_t i = 0; i < m->n && status == LOCBO_OK; i++) {
        const locbo_import_row *o = &m->outcomes[i];
        for (size_t j = 0; j < events_of(o); j++)
            m->skip[e++] = (unsigned char)known_take(&k, o->x, o->state, row_of(m, o, j));
    }
    known_release(&k);
    return status;
}

/* How many of the events of an outcome, which begin at `skip`, are new. */
static size_t new_events(const locbo_import_row *o, const unsigned char *skip) {
    size_t count = 0;
    for (size_t j = 0; j < events_of(o); j++) count += !skip[j];
    return count;
}

static void count_new(importing *m) {
    const unsigned char *skip = m->skip;
    for (size_t i = 0; i < m->n; skip += events_of(&m->outcomes[i++])) {
        size_t fresh = new_events(&m->outcomes[i], skip);
        m->kept += fresh;
        m->answer[TRIALS] += fresh > 0;
        m->answer[SKIPPED] += events_of(&m->outcomes[i]) - fresh;
    }
}

/* ---- insertion --------------------------------------------------------------------------------- */

/* Outcomes whose new events are written together: the trials first, because results refer to them. */
typedef struct batch {
    size_t count;
    struct {
        const locbo_import_row *outcome;
        const unsigned char *skip;
        uint64_t trial, event; /* its number, and the event number before its first one */
        char *params;
        store_value point;
    } item[BATCH];
} batch;

static locbo_status insert_trials(const importing *m, batch *b, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    bulk rows;
    uint64_t results = m->results;
    bulk_begin(
        &rows, m->study->store,
        "locbo_trial (study, origin, pending, asked, ended, number, state, params, point, told, failure, message)",
        "$1, $2, '[]', {now}, {now}, ?i, ?t, ?t, ?i, ?i, ?i, ?t",
        VALUES(store_int(m->study->id), store_int(LOCBO_ORIGIN_GIVEN)));
    for (size_t i = 0; i < b->count && status == LOCBO_OK; i++) {
        const locbo_import_row *o = b->item[i].outcome;
        status = definition_write_params(m->study->space, o->x, &b->item[i].params, error);
        if (status != LOCBO_OK) break;
        b->item[i].point = points_number(m->study, b->item[i].params);
        status = bulk_add(&rows,
                          VALUES(store_count(b->item[i].trial), store_text(locbo_state_name(o->state)),
                                 store_text(b->item[i].params), b->item[i].point, store_count(results),
                                 o->count == 0 ? store_count(b->item[i].event + 1) : store_text(NULL),
                                 store_text(o->message ? o->message : "")),
                          error);
        if (o->count > 0) results += new_events(o, b->item[i].skip);
    }
    return bulk_end(&rows, status, error);
}

static locbo_status insert_results(importing *m, const batch *b, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    bulk rows;
    result_rows_begin(&rows, m->study, m->request.token);
    for (size_t i = 0; i < b->count; i++) {
        const locbo_import_row *o = b->item[i].outcome;
        uint64_t event = b->item[i].event;
        for (size_t j = 0; j < o->count && status == LOCBO_OK; j++) {
            if (b->item[i].skip[j]) continue;
            status = result_rows_add(
                &rows, m->study,
                &(stored_result){
                    .trial = b->item[i].trial, .event = ++event, .told = (double)NAN, .row = row_of(m, o, j)},
                error);
            if (status == LOCBO_OK)
                status = points_note(&m->points, b->item[i].point, b->item[i].trial, event, row_of(m, o, j), error);
            m->results++;
        }
    }
    return bulk_end(&rows, status, error);
}

static locbo_status insert_batch(importing *m, batch *b, locbo_error *error) {
    locbo_status status = insert_trials(m, b, error);
    if (status == LOCBO_OK) status = insert_results(m, b, error);
    for (size_t i = 0; i < b->count; i++) mem_free(b->item[i].params);
    memset(b, 0, sizeof *b);
    return status;
}

static locbo_status insert_all(importing *m, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    const unsigned char *skip = m->skip;
    batch b = {.count = 0};
    for (size_t i = 0; i < m->n && status == LOCBO_OK; skip += events_of(&m->outcomes[i++])) {
        size_t fresh = new_events(&m->outcomes[i], skip);
        if (fresh == 0) continue;
        b.item[b.count].outcome = &m->outcomes[i];
        b.item[b.count].skip = skip;
        b.item[b.count].trial = ++m->trials;
        b.item[b.count++].event = m->events;
        m->events += fresh;
        if (b.count == BATCH) status = insert_batch(m, &b, error);
    }
    return status == LOCBO_OK ? insert_batch(m, &b, error) : status;
}

/* ---- the call ---------------------------------------------------------------------------------- */

static locbo_status take_counters(const store_value *columns, size_t count, void *user, locbo_error *error) {
    importing *m = user;
    (void)count;
    m->trials = store_as_count(&columns[0]);
    m->events = store_as_count(&columns[1]);
    return ledger_check_revision(m->study, store_as_count(&columns[2]), error);
}

/* The study's row is locked first: nothing is added between the look at what is there and the insertion. */
static locbo_status import_all(locbo_store *store, void *user, locbo_error *error) {
    importing *m = user;
    store_value id = store_int(m->study->id);
    uint64_t found = 0;
    m->kept = 0;
    memset(m->answer, 0, sizeof m->answer);
    locbo_status status = store_query(store,
                                      "UPDATE locbo_study SET last_event = last_event WHERE id = $1{queue}"
                                      " RETURNING trials, events, revision",
                                      1, &id, take_counters, m, &found, error);
    if (status == LOCBO_OK && found == 0) return ledger_gone(m->study, error);
    if (status == LOCBO_OK && !m->again) status = find_known(m, error);
    if (status != LOCBO_OK) return status;
    count_new(m);
    m->answer[FIRST] = m->trials + 1;
    m->request.count = ANSWERS;
    if (m->kept > 0)
        status = store_query(store,
                             "UPDATE locbo_study SET trials = trials + $2, events = events + $3, last_event = {now},"
                             " waiting = 0 WHERE id = $1",
                             VALUES(id, store_count(m->answer[TRIALS]), store_count(m->kept)), NULL, NULL, NULL, error);
    if (status == LOCBO_OK) status = result_rows_count(m->study, &m->results, error);
    uint64_t before = m->results;
    if (status == LOCBO_OK) status = insert_all(m, error);
    status = points_write(m->study, &m->points, status, error);
    m->answer[RESULTS] = m->results - before;
    m->answer[FAILURES] = m->kept - m->answer[RESULTS];
    if (status != LOCBO_OK || m->answer[RESULTS] == 0) return status;
    return store_query(store, "UPDATE locbo_study SET results = results + $2 WHERE id = $1",
                       VALUES(id, store_count(m->answer[RESULTS])), NULL, NULL, NULL, error);
}

static locbo_status check_outcome(const locbo_study *study, const locbo_import_row *o, locbo_error *error) {
    if (!o->x || (o->count > 0 && !o->measurements))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "x and measurements must not be NULL");
    int failed = o->state == LOCBO_STATE_FAILED || o->state == LOCBO_STATE_INFEASIBLE;
    if (!failed && o->state != LOCBO_COMPLETE)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "state %s %s", locbo_state_name(o->state),
                           o->state == LOCBO_WAITING || o->state == LOCBO_RUNNING ? "has not ended" : "has no outcome");
    if ((o->count == 0) != failed)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "state %s is not possible with %zu results",
                           locbo_state_name(o->state), o->count);
    locbo_status status = locbo_space_check(study->space, o->x, error);
    for (size_t k = 0; k < o->count && status == LOCBO_OK; k++)
        status = measured_check(&study->table, o->measurements + k * study->table.count, MEASURED_NOW, error);
    return status == LOCBO_OK ? ledger_check_text("message", o->message, error) : status;
}

static locbo_status check_outcomes(const importing *m, size_t *events, locbo_error *error) {
    *events = 0;
    for (size_t i = 0; i < m->n; i++) {
        locbo_error why;
        locbo_status status = check_outcome(m->study, &m->outcomes[i], &why);
        if (status != LOCBO_OK) return status_fail(error, status, "row %zu: %s", i + 1, why.message);
        *events += events_of(&m->outcomes[i]);
    }
    return LOCBO_OK;
}

/* Check everything, then write it in one transaction. */
static locbo_status write_outcomes(importing *m, locbo_error *error) {
    size_t events;
    locbo_status status = check_outcomes(m, &events, error);
    if (status != LOCBO_OK || m->n == 0) return status;
    m->skip = mem_new(events, sizeof *m->skip);
    status = m->skip ? token_write(&m->request, m->study->store, error) : status_no_memory(error);
    mem_free(m->skip);
    return status;
}

static locbo_status begin(importing *m, locbo_study *study, int again, locbo_error *error) {
    if (!study) return status_fail(error, LOCBO_ERR_ARGUMENT, "study must not be NULL");
    *m = (importing){.study = study, .again = again, .answer = {[FIRST] = 1}};
    m->request = (token_call){
        .call = "import", .study = study->id, .work = import_all, .user = m, .answer = m->answer, .most = ANSWERS};
    return token_begin(&m->request, study->store, error);
}

locbo_status locbo_study_import_outcomes(locbo_study *study, size_t n, const locbo_import_row *outcomes, int again,
                                         locbo_imported *imported, locbo_error *error) {
    importing m;
    locbo_status status = begin(&m, study, again, error);
    if (status == LOCBO_OK && n > 0 && !outcomes)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "outcomes must not be NULL");
    m.n = n;
    m.outcomes = outcomes;
    if (status == LOCBO_OK) status = write_outcomes(&m, error);
    if (status != LOCBO_OK) return status;
    if (imported)
        *imported = (locbo_imported){m.answer[FIRST], m.answer[TRIALS], m.answer[RESULTS], m.answer[FAILURES],
                                     m.answer[SKIPPED]};
    return status_ok(error);
}

locbo_status locbo_study_import(locbo_study *study, size_t n, const double *x, const locbo_measurement *measurements,
                                uint64_t *first, locbo_error *error) {
    importing m;
    locbo_status status = begin(&m, study, 1, error);
    if (status == LOCBO_OK && n > 0 && (!x || !measurements))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "x and measurements must not be NULL");
    if (status != LOCBO_OK) return status;
    locbo_import_row *outcomes = mem_new(n, sizeof *outcomes);
    if (!outcomes) return status_no_memory(error);
    for (size_t i = 0; i < n; i++)
        outcomes[i] = (locbo_import_row){.x = x + i * study->dim,
                                         .state = LOCBO_COMPLETE,
                                         .count = 1,
                                         .measurements = measurements + i * study->table.count};
    m.n = n;
    m.outcomes = outcomes;
    status = write_outcomes(&m, error);
    mem_free(outcomes);
    if (status != LOCBO_OK) return status;
    if (first) *first = m.answer[FIRST];
    return status_ok(error);
}
