/* replay.c - build an optimizer from the rows of the database. It continues exactly as the one that wrote them: trials
 * in the order asked, results and then failures in the order told, fits in the order created. Layer: study, middle.
 * Cost: O(rows) to read, and at most O(rows^2) for the updates of the calibrator; the model is factored when it is
 * needed. */
#include "replay.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "mem.h"

typedef struct source {
    locbo_study *study;
    locbo_optimizer *optimizer;
    replay *made;
    double *x;
} source;

static locbo_status note_open(replay *r, uint64_t number, locbo_error *error) {
    if (!mem_reserve(&r->open, &r->open_capacity, r->open_count + 1, sizeof *r->open)) return status_no_memory(error);
    r->open[r->open_count++] = number;
    return LOCBO_OK;
}

/* The optimizer refuses a row: the database is damaged. */
static locbo_status accept(locbo_status status, locbo_error *error) {
    if (status != LOCBO_ERR_ARGUMENT && status != LOCBO_ERR_NOT_FOUND && status != LOCBO_ERR_STATE) return status;
    if (error) error->status = LOCBO_ERR_IO;
    return LOCBO_ERR_IO;
}

static locbo_status take_trial(const store_value *columns, size_t count, void *user, locbo_error *error) {
    source *s = user;
    locbo_trial trial;
    (void)count;
    locbo_status status = ledger_read_trial(s->study, columns, &trial, s->x, error);
    if (status == LOCBO_OK) status = accept(locbo_optimizer_restore_trial(s->optimizer, &trial, s->x, error), error);
    if (status != LOCBO_OK) return status;
    s->made->trials = trial.id;
    const char *state = store_as_text(&columns[LEDGER_COLUMN_COUNT]);
    if (strcmp(state, "RUNNING") == 0 || strcmp(state, "WAITING") == 0) status = note_open(s->made, trial.id, error);
    return status;
}

static locbo_status take_result(const store_value *columns, size_t count, void *user, locbo_error *error) {
    source *s = user;
    (void)count;
    locbo_measurement m = ledger_read_measurement(columns + 1);
    return accept(locbo_optimizer_tell(s->optimizer, store_as_count(&columns[0]), &m, error), error);
}

static locbo_status take_failure(const store_value *columns, size_t count, void *user, locbo_error *error) {
    source *s = user;
    (void)count;
    uint64_t number = store_as_count(&columns[0]);
    int failed = strcmp(store_as_text(&columns[1]), "FAILED") == 0;
    return accept(failed ? locbo_optimizer_tell_failed(s->optimizer, number, error)
                         : locbo_optimizer_tell_infeasible(s->optimizer, number, error),
                  error);
}

static locbo_status take_fit(const store_value *columns, size_t count, void *user, locbo_error *error) {
    source *s = user;
    double *theta = NULL;
    locbo_fit fit;
    (void)count;
    locbo_status status = ledger_read_fit(columns, &fit, &theta, error);
    if (status == LOCBO_OK) status = accept(locbo_optimizer_restore_fit(s->optimizer, &fit, error), error);
    mem_free(theta);
    s->made->fits++;
    return status;
}

static locbo_status read_facts(locbo_store *store, source *s, locbo_error *error) {
    store_value id = store_int(s->study->id);
    static const struct {
        const char *sql;
        store_row_fn *take;
    } parts[] = {
        {"SELECT " LEDGER_COLUMNS ", state FROM locbo_trial WHERE study = $1 ORDER BY number", take_trial},
        {"SELECT trial, " LEDGER_MEASUREMENT " FROM locbo_measurement WHERE study = $1 ORDER BY event", take_result},
        {"SELECT number, state FROM locbo_trial WHERE study = $1 AND failure IS NOT NULL"
         " ORDER BY failure",
         take_failure},
        {LEDGER_FITS, take_fit},
    };
    uint64_t last = 0;
    locbo_status status = store_query(store, "SELECT trials FROM locbo_study WHERE id = $1", 1, &id, ledger_take_count,
                                      &last, NULL, error);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0] && status == LOCBO_OK; i++)
        status = store_query(store, parts[i].sql, 1, &id, parts[i].take, s, NULL, error);
    if (status == LOCBO_OK && last != s->made->trials)
        return status_fail(error, LOCBO_ERR_IO,
                           "the study '%s' is damaged: it counts %" PRIu64 " trials, the last is %" PRIu64,
                           s->study->name, last, s->made->trials);
    return status;
}

static locbo_status list_open(replay *r, locbo_error *error) {
    size_t size = r->open_count * 21 + 3, used = 1;
    r->pending = mem_new(size, 1);
    if (!r->pending) return status_no_memory(error);
    r->pending[0] = '[';
    for (size_t i = 0; i < r->open_count; i++)
        used += (size_t)snprintf(r->pending + used, size - used, "%s%" PRIu64, i ? "," : "", r->open[i]);
    r->pending[used] = ']';
    return LOCBO_OK;
}

/* A transaction may be repeated: release what an earlier try has built. */
static locbo_status work(locbo_store *store, void *user, locbo_error *error) {
    source *s = user;
    replay_release(s->made);
    locbo_status status = locbo_optimizer_create(&s->made->optimizer, s->study->space, &s->study->options, error);
    s->optimizer = s->made->optimizer;
    if (status == LOCBO_OK) status = read_facts(store, s, error);
    return status == LOCBO_OK ? list_open(s->made, error) : status;
}

locbo_status replay_make(locbo_study *study, replay *made, locbo_error *error) {
    memset(made, 0, sizeof *made);
    source s = {.study = study, .made = made, .x = mem_new(study->dim, sizeof(double))};
    if (!s.x) return status_no_memory(error);
    locbo_status status = store_read(study->store, work, &s, error);
    if (status != LOCBO_OK) replay_release(made);
    mem_free(s.x);
    return status;
}

void replay_release(replay *r) {
    locbo_optimizer_destroy(r->optimizer);
    mem_free(r->pending);
    mem_free(r->open);
    memset(r, 0, sizeof *r);
}
