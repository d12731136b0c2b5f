/* result_rows.c - results written as rows of the database, and rows put together to results. Layer: study, middle.
 * Cost: O(rows). */
#include "result_rows.h"

#include <inttypes.h>
#include <math.h>

#include "mem.h"

/* ---- writing ----------------------------------------------------------------------------------- */

void result_rows_begin(bulk *b, const locbo_study *study, uint64_t token) {
    bulk_begin(b, study->store,
               "locbo_measurement (study, token, event, trial, attempt, told, output, value, sd, n, retracted)",
               "$1, $2, ?i, ?i, ?i, coalesce(?r, {now}), ?i, ?r, ?r, ?i, ?i",
               VALUES(store_int(study->id), store_count(token)));
}

locbo_status result_rows_add(bulk *b, const locbo_study *study, const stored_result *r, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < study->table.count && status == LOCBO_OK; i++) {
        const locbo_measurement *m = &r->row[i];
        if (isnan(m->value) || measured_is_derived(&study->table, i)) continue;
        status =
            bulk_add(b,
                     VALUES(store_count(r->event), store_count(r->trial), store_count(r->attempt), store_real(r->told),
                            store_count(i), store_real(m->value), store_real(m->sd), store_count(m->n ? m->n : 1),
                            r->retracted ? store_count(r->retracted) : store_text(NULL)),
                     error);
    }
    return status;
}

/* ---- reading ----------------------------------------------------------------------------------- */

typedef struct gathering {
    const locbo_study *study;
    result_rows_fn *fn;
    void *user;
    stored_result result; /* event 0: none so far */
    locbo_measurement *row;
} gathering;

/* The present result is complete. */
static locbo_status give(gathering *g, locbo_error *error) {
    if (g->result.event == 0) return LOCBO_OK;
    measured_derive(&g->study->table, g->row);
    return g->fn(&g->result, g->user, error);
}

static locbo_status gather(const store_value *columns, size_t count, void *user, locbo_error *error) {
    gathering *g = user;
    uint64_t event = store_as_count(&columns[1]), output = store_as_count(&columns[3]);
    (void)count;
    if (event == 0 || output >= g->study->table.count)
        return status_fail(error, LOCBO_ERR_IO,
                           "the study '%s' is damaged: event %" PRIu64 " has output %" PRIu64 " of %zu", g->study->name,
                           event, output, g->study->table.count);
    if (event != g->result.event) {
        locbo_status status = give(g, error);
        if (status != LOCBO_OK) return status;
        measured_clear(&g->study->table, g->row);
        g->result = (stored_result){.trial = store_as_count(&columns[0]),
                                    .event = event,
                                    .told = store_as_real(&columns[2]),
                                    .retracted = store_as_count(&columns[7]),
                                    .row = g->row};
    }
    g->row[output] = (locbo_measurement){.value = store_as_real(&columns[4]),
                                         .sd = store_as_real(&columns[5]),
                                         .n = (unsigned)store_as_count(&columns[6])};
    return LOCBO_OK;
}

locbo_status result_rows_each(const locbo_study *study, const char *sql, size_t count, const store_value *values,
                              result_rows_fn *fn, void *user, locbo_error *error) {
    gathering g = {.study = study, .fn = fn, .user = user, .row = mem_new(study->table.count, sizeof *g.row)};
    locbo_status status = g.row ? LOCBO_OK : status_no_memory(error);
    if (status == LOCBO_OK) status = store_query(study->store, sql, count, values, gather, &g, NULL, error);
    if (status == LOCBO_OK) status = give(&g, error);
    mem_free(g.row);
    return status;
}

#define COUNTED "(SELECT count(DISTINCT event) FROM locbo_measurement WHERE study = $1 AND {valid})"

locbo_status result_rows_count(const locbo_study *study, uint64_t *count, locbo_error *error) {
    return store_query(study->store,
                       "SELECT CASE WHEN {results} IS NULL THEN " COUNTED " ELSE {results} END FROM locbo_study"
                       " WHERE id = $1",
                       VALUES(store_int(study->id)), ledger_take_count, count, NULL, error);
}

locbo_status result_rows_recount(const locbo_study *study, locbo_error *error) {
    return store_query(study->store,
                       "UPDATE locbo_study SET results = " COUNTED " WHERE id = $1 AND results IS NOT NULL",
                       VALUES(store_int(study->id)), NULL, NULL, NULL, error);
}
