/* import.c - results of other origin as complete trials, in one transaction. Layer: study, top.
 * One statement inserts many rows, because a round trip to a server takes longer than the insertion. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "definition.h"
#include "ledger.h"
#include "mem.h"
#include "result_rows.h"

enum { BATCH = 50, SQL_TEXT = 128 + BATCH * 96 };

typedef struct importing {
    locbo_study *study;
    size_t n;
    const double *x;
    const locbo_measurement *measurements;
    uint64_t trials, events, results; /* before the import */
    uint64_t first;                   /* number of the first trial */
    token_call request;
} importing;

static locbo_status take_counters(const store_value *columns, size_t count, void *user, locbo_error *error) {
    importing *m = user;
    (void)count, (void)error;
    m->trials = store_as_count(&columns[0]) - m->n;
    m->events = store_as_count(&columns[1]) - m->n;
    return LOCBO_OK;
}

/* Trials `from` to `from + count - 1`; `params` receives their texts, which the caller releases. */
static locbo_status insert_trials(locbo_store *store, const importing *m, size_t from, size_t count, char **params,
                                  locbo_error *error) {
    char sql[SQL_TEXT];
    store_value values[1 + 3 * BATCH] = {store_int(m->study->id)};
    size_t n = 1;
    int used = snprintf(sql, sizeof sql,
                        "INSERT INTO locbo_trial (study, state, origin, pending, asked, ended,"
                        " number, params, told) VALUES");
    for (size_t i = 0; i < count; i++) {
        const double *x = m->x + (from + i) * m->study->dim;
        locbo_status status = definition_write_params(m->study->space, x, &params[i], error);
        if (status != LOCBO_OK) return status;
        used += snprintf(sql + used, sizeof sql - (size_t)used,
                         "%s ($1, 'COMPLETE', %d, '[]', {now}, {now}, $%zu, $%zu, $%zu)", i ? "," : "",
                         (int)LOCBO_ORIGIN_GIVEN, n + 1, n + 2, n + 3);
        values[n++] = store_count(m->trials + 1 + from + i);
        values[n++] = store_text(params[i]);
        values[n++] = store_count(m->results + from + i);
    }
    return store_query(store, sql, n, values, NULL, NULL, NULL, error);
}

static locbo_status insert_results(const importing *m, size_t from, size_t count, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    bulk b;
    result_rows_begin(&b, m->study, m->request.token);
    for (size_t i = from; i < from + count && status == LOCBO_OK; i++)
        status = result_rows_add(&b, m->study,
                                 &(stored_result){.trial = m->trials + 1 + i,
                                                  .event = m->events + 1 + i,
                                                  .told = (double)NAN,
                                                  .row = m->measurements + i * m->study->table.count},
                                 error);
    return status == LOCBO_OK ? bulk_end(&b, error) : status;
}

static locbo_status insert_batch(locbo_store *store, const importing *m, size_t from, locbo_error *error) {
    char *params[BATCH] = {NULL};
    size_t count = m->n - from < BATCH ? m->n - from : BATCH;
    locbo_status status = insert_trials(store, m, from, count, params, error);
    for (size_t i = 0; i < count; i++) mem_free(params[i]);
    return status == LOCBO_OK ? insert_results(m, from, count, error) : status;
}

static locbo_status import_all(locbo_store *store, void *user, locbo_error *error) {
    importing *m = user;
    store_value id = store_int(m->study->id);
    uint64_t found = 0;
    locbo_status status = store_query(store,
                                      "UPDATE locbo_study SET trials = trials + $2, events = events + $2,"
                                      " last_event = {now} WHERE id = $1 RETURNING trials, events",
                                      VALUES(id, store_count(m->n)), take_counters, m, &found, error);
    m->first = m->trials + 1;
    m->request.count = 1;
    if (status == LOCBO_OK && found == 0) return ledger_gone(m->study, error);
    if (status == LOCBO_OK) status = result_rows_count(m->study, &m->results, error);
    for (size_t i = 0; i < m->n && status == LOCBO_OK; i += BATCH) status = insert_batch(store, m, i, error);
    return status;
}

static locbo_status check_rows(const importing *m, locbo_error *error) {
    for (size_t i = 0; i < m->n; i++) {
        locbo_error why;
        locbo_status status = locbo_space_check(m->study->space, m->x + i * m->study->dim, &why);
        if (status == LOCBO_OK)
            status = measured_check(&m->study->table, m->measurements + i * m->study->table.count, 0, &why);
        if (status != LOCBO_OK) return status_fail(error, status, "row %zu: %s", i + 1, why.message);
    }
    return LOCBO_OK;
}

locbo_status locbo_study_import(locbo_study *study, size_t n, const double *x, const locbo_measurement *measurements,
                                uint64_t *first, locbo_error *error) {
    if (!study) return status_fail(error, LOCBO_ERR_ARGUMENT, "study must not be NULL");
    importing m = {.study = study, .n = n, .x = x, .measurements = measurements};
    m.request = (token_call){
        .call = "import", .study = study->id, .work = import_all, .user = &m, .answer = &m.first, .most = 1};
    locbo_status status = token_begin(&m.request, study->store, error);
    if (status == LOCBO_OK && n > 0 && (!x || !measurements))
        return status_fail(error, LOCBO_ERR_ARGUMENT, "x and measurements must not be NULL");
    if (status == LOCBO_OK) status = check_rows(&m, error);
    if (status == LOCBO_OK && n > 0) status = token_write(&m.request, study->store, error);
    if (status != LOCBO_OK) return status;
    if (first) *first = n > 0 ? m.first : 1;
    return status_ok(error);
}
