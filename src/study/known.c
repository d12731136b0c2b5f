/* known.c - the outcomes of a study in a hash table, by point, state and values. Layer: study, middle. */
#include "known.h"

#include <math.h>
#include <string.h>

#include "definition.h"
#include "mem.h"
#include "result_rows.h"

/* Equal numbers have equal bytes: one zero, one NAN. */
static double canonical(double value) { return isnan(value) ? (double)NAN : value + 0.0; }

static void make_key(known *k, const double *x, locbo_state state, const locbo_measurement *row) {
    const measured *table = &k->study->table;
    size_t dim = k->study->dim;
    for (size_t i = 0; i < dim; i++) k->key[i] = canonical(x[i]);
    k->key[dim] = (double)state;
    for (size_t i = 0; i < table->count; i++)
        k->key[dim + 1 + i] = row && !measured_is_derived(table, i) ? canonical(row[i].value) : 0;
}

/* FNV-1a */
static size_t bucket_of(const known *k, const double *key) {
    const unsigned char *bytes = (const unsigned char *)key;
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < k->width * sizeof *key; i++) hash = (hash ^ bytes[i]) * UINT64_C(1099511628211);
    return (size_t)((hash ^ hash >> 32) % k->buckets);
}

static locbo_status add_key(known *k, const double *x, locbo_state state, const locbo_measurement *row,
                            locbo_error *error) {
    mem_array arrays[] = {{&k->keys, k->width * sizeof *k->keys}, {&k->next, sizeof *k->next}};
    if (!mem_reserve_all(2, arrays, &k->capacity, k->count + 1)) return status_no_memory(error);
    make_key(k, x, state, row);
    memcpy(k->keys + k->count++ * k->width, k->key, k->width * sizeof *k->key);
    return LOCBO_OK;
}

/* A trial is kept until its results are read; a failure is a key of its own. */
static locbo_status take_trial(const store_value *columns, size_t count, void *user, locbo_error *error) {
    known *k = user;
    locbo_state state = ledger_state(store_as_text(&columns[2]));
    mem_array arrays[] = {{&k->number, sizeof *k->number}, {&k->x, k->study->dim * sizeof *k->x}};
    (void)count;
    if (!mem_reserve_all(2, arrays, &k->trial_capacity, k->trials + 1)) return status_no_memory(error);
    double *x = k->x + k->trials * k->study->dim;
    locbo_status status = ledger_read_params(k->study, store_as_text(&columns[1]), x, error);
    if (status != LOCBO_OK) return status;
    k->number[k->trials++] = store_as_count(&columns[0]);
    int failed = state == LOCBO_STATE_FAILED || state == LOCBO_STATE_INFEASIBLE;
    return failed ? add_key(k, x, state, NULL, error) : LOCBO_OK;
}

/* Trials and results are both read by trial number. */
static locbo_status take_result(const stored_result *r, void *user, locbo_error *error) {
    known *k = user;
    while (k->current < k->trials && k->number[k->current] < r->trial) k->current++;
    if (k->current == k->trials || k->number[k->current] != r->trial) return LOCBO_OK;
    return add_key(k, k->x + k->current * k->study->dim, LOCBO_COMPLETE, r->row, error);
}

static locbo_status fill_buckets(known *k, locbo_error *error) {
    k->buckets = 2 * k->count + 1;
    k->first = mem_new(k->buckets, sizeof *k->first);
    if (!k->first) return status_no_memory(error);
    for (size_t i = 0; i < k->count; i++) {
        size_t *first = &k->first[bucket_of(k, k->keys + i * k->width)];
        k->next[i] = *first;
        *first = i + 1;
    }
    return LOCBO_OK;
}

locbo_status known_read(known *k, const locbo_study *study, locbo_error *error) {
    store_value id = store_int(study->id);
    *k = (known){.study = study, .width = study->dim + 1 + study->table.count};
    k->key = mem_new(k->width, sizeof *k->key);
    if (!k->key) return status_no_memory(error);
    locbo_status status = store_query(study->store,
                                      "SELECT number, params, state FROM locbo_trial WHERE study = $1 AND state IN"
                                      " ('COMPLETE', 'FAILED', 'INFEASIBLE', 'RETRACTED') ORDER BY number",
                                      1, &id, take_trial, k, NULL, error);
    if (status == LOCBO_OK)
        status = result_rows_each(
            study, "SELECT " RESULT_ROWS " FROM locbo_measurement WHERE study = $1 ORDER BY trial, event", 1, &id,
            take_result, k, error);
    return status == LOCBO_OK ? fill_buckets(k, error) : status;
}

void known_release(known *k) {
    void *arrays[] = {k->keys, k->next, k->first, k->key, k->number, k->x};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
    *k = (known){.study = NULL};
}

int known_take(known *k, const double *x, locbo_state state, const locbo_measurement *row) {
    make_key(k, x, state, row);
    for (size_t *at = &k->first[bucket_of(k, k->key)]; *at; at = &k->next[*at - 1]) {
        if (memcmp(k->keys + (*at - 1) * k->width, k->key, k->width * sizeof *k->key) != 0) continue;
        *at = k->next[*at - 1];
        return 1;
    }
    return 0;
}
