/* archive.c - reading a study: its trials, its running workers, its outputs, its optimizer. Layer: study,
 * top. What is read comes from one snapshot. The caller's functions are called after the transaction, so that they
 * cannot block it. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ledger.h"
#include "mean.h"
#include "mem.h"
#include "replay.h"
#include "result_rows.h"
#include "sized.h"

static const char *const state_names[LOCBO_STATES] = {"WAITING", "RUNNING", "COMPLETE", "FAILED", "INFEASIBLE"};

const char *locbo_state_name(locbo_state state) {
    return (unsigned)state < LOCBO_STATES ? state_names[state] : "UNKNOWN";
}

locbo_state ledger_state(const char *name) {
    unsigned state = 0;
    while (state + 1 < LOCBO_STATES && strcmp(name, state_names[state]) != 0) state++;
    return (locbo_state)state;
}

/* ---- trials ------------------------------------------------------------------------------------ */

enum { TEXTS = 3 };

typedef struct record_list {
    locbo_study *study;
    const locbo_filter *filter;
    size_t count, capacity;
    locbo_record *records;
    double *x;
    locbo_belief *beliefs; /* with several outputs: one for each of them of each record */
    char **texts;          /* TEXTS of each record: worker, message, pending */
    uint64_t least, most;  /* trial numbers */
    size_t rows, row_capacity;
    locbo_measurement *measurements; /* rows x outputs */
    uint64_t *sequence, *owner;
    double *told;
} record_list;

static void clear(record_list *s) {
    for (size_t i = 0; i < TEXTS * s->count; i++) mem_free(s->texts[i]);
    void *arrays[] = {s->records, s->x, s->beliefs, s->texts, s->measurements, s->sequence, s->owner, s->told};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
    *s = (record_list){.study = s->study, .filter = s->filter, .least = UINT64_MAX};
}

static locbo_status take_record(const store_value *columns, size_t count, void *user, locbo_error *error) {
    record_list *s = user;
    size_t dim = s->study->dim, i = s->count;
    (void)count;
    mem_array arrays[] = {
        {&s->records, sizeof *s->records}, {&s->x, dim * sizeof *s->x}, {&s->texts, TEXTS * sizeof *s->texts}};
    if (!mem_reserve_all(3, arrays, &s->capacity, i + 1)) return status_no_memory(error);
    locbo_record *r = &s->records[i];
    locbo_status status = ledger_read_trial(s->study, columns, &r->trial, s->x + i * dim, error);
    if (status != LOCBO_OK) return status;
    const store_value *more = columns + LEDGER_COLUMN_COUNT;
    r->state = ledger_state(store_as_text(&more[0]));
    r->attempt = store_as_count(&more[1]);
    r->retries = store_as_count(&more[2]);
    r->lease = r->state == LOCBO_RUNNING ? store_as_real(&more[5]) : (double)NAN;
    r->asked = store_as_real(&more[6]);
    r->started = store_as_real(&more[7]);
    r->ended = store_as_real(&more[8]);
    r->seed = locbo_study_seed(s->study, r->trial.id, r->retries, 0);
    r->failure = store_as_count(&more[9]);
    r->lost = store_as_count(&more[10]);
    const store_value *texts[TEXTS] = {&more[3], &more[4], &columns[4]};
    s->count++;
    if (r->trial.id < s->least) s->least = r->trial.id;
    if (r->trial.id > s->most) s->most = r->trial.id;
    for (size_t k = 0; k < TEXTS && status == LOCBO_OK; k++) {
        s->texts[TEXTS * i + k] = mem_text(store_as_text(texts[k]));
        if (!s->texts[TEXTS * i + k]) status = status_no_memory(error);
    }
    return status;
}

static locbo_status take_result(const stored_result *r, void *user, locbo_error *error) {
    record_list *s = user;
    size_t i = s->rows, outputs = s->study->table.count;
    mem_array arrays[] = {{&s->measurements, outputs * sizeof *s->measurements},
                          {&s->sequence, sizeof *s->sequence},
                          {&s->owner, sizeof *s->owner},
                          {&s->told, sizeof *s->told}};
    if (!mem_reserve_all(4, arrays, &s->row_capacity, i + 1)) return status_no_memory(error);
    s->owner[i] = r->trial;
    s->sequence[i] = r->event;
    s->told[i] = r->told;
    memcpy(s->measurements + i * outputs, r->row, outputs * sizeof *r->row);
    s->rows++;
    return LOCBO_OK;
}

/* The place of a trial in the list, which is sorted by number; s->count if it is not there. */
static size_t find_record(const record_list *s, uint64_t number) {
    size_t low = 0, high = s->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint64_t at = s->records[middle].trial.id;
        if (at == number) return middle;
        if ((at < number) == !s->filter->newest_first)
            low = middle + 1;
        else
            high = middle;
    }
    return s->count;
}

static locbo_status take_belief(const store_value *columns, size_t count, void *user, locbo_error *error) {
    record_list *s = user;
    (void)count;
    size_t i = find_record(s, store_as_count(&columns[0])), outputs = s->study->table.count;
    uint64_t output = store_as_count(&columns[1]);
    if (i == s->count || output >= outputs) return LOCBO_OK;
    return ledger_read_belief(columns + 2, &s->beliefs[i * outputs + output], error);
}

/* Beliefs of all outputs: that of the first objective is in the trial's row. */
static locbo_status make_beliefs(record_list *s, locbo_error *error) {
    const measured *table = &s->study->table;
    s->beliefs = mem_new(s->count * table->count, sizeof *s->beliefs);
    if (!s->beliefs) return status_no_memory(error);
    for (size_t i = 0; i < s->count * table->count; i++) s->beliefs[i] = BELIEF_NONE;
    for (size_t i = 0; i < s->count; i++) s->beliefs[i * table->count + table->first] = s->records[i].trial.belief;
    return LOCBO_OK;
}

/* " AND state IN (...)" for the bits of a filter. */
static void state_clause(unsigned states, char *sql, size_t size) {
    size_t used = 0;
    sql[0] = '\0';
    for (unsigned i = 0; states && i < LOCBO_STATES; i++)
        if (states >> i & 1)
            used +=
                (size_t)snprintf(sql + used, size - used, "%s'%s'", used ? ", " : " AND state IN (", state_names[i]);
    if (used) snprintf(sql + used, size - used, ")");
}

/* The trials with a result or failure after event $4, and those that wait or run: each part is found by an index. The
 * unary plus before `number` and `trial` keeps SQLite from scanning the whole range of numbers instead. */
#define CHANGED                                                                                                        \
    " IN (SELECT trial FROM locbo_measurement WHERE study = $1 AND event > $4 UNION"                                   \
    " SELECT number FROM locbo_trial WHERE study = $1 AND state IN ('WAITING', 'RUNNING') UNION"                       \
    " SELECT number FROM locbo_trial WHERE study = $1 AND state IN ('FAILED', 'INFEASIBLE')"                           \
    " AND failure > $4)"

/* Results, and with several outputs beliefs, of the trials that were found. */
static locbo_status read_parts(locbo_store *store, record_list *s, size_t count, const store_value *found,
                               locbo_error *error) {
    char sql[1024];
    const char *plus = s->filter->changed_after ? "+" : "",
               *changed = s->filter->changed_after ? " AND trial" CHANGED : "";
    snprintf(sql, sizeof sql,
             "SELECT " RESULT_ROWS " FROM locbo_measurement WHERE study = $1"
             " AND %strial BETWEEN $2 AND $3%s ORDER BY trial, event",
             plus, changed);
    locbo_status status = result_rows_each(s->study, sql, count, found, take_result, s, error);
    if (status != LOCBO_OK || s->study->table.count == 1) return status;
    snprintf(sql, sizeof sql,
             "SELECT trial, output" LEDGER_BELIEF " FROM locbo_belief WHERE study = $1"
             " AND %strial BETWEEN $2 AND $3%s",
             plus, changed);
    status = make_beliefs(s, error);
    return status == LOCBO_OK ? store_query(store, sql, count, found, take_belief, s, NULL, error) : status;
}

static locbo_status read_records(locbo_store *store, void *user, locbo_error *error) {
    record_list *s = user;
    const locbo_filter *f = s->filter;
    char states[128], sql[1024];
    clear(s);
    state_clause(f->states, states, sizeof states);
    snprintf(sql, sizeof sql,
             "SELECT " LEDGER_COLUMNS ", state, attempt, retries, worker, message, lease, asked,"
             " started, ended, failure, {lost} FROM locbo_trial WHERE study = $1 AND %snumber >= $2"
             "%s%s ORDER BY number %s LIMIT $3",
             f->changed_after ? "+" : "", states, f->changed_after ? " AND number" CHANGED : "",
             f->newest_first ? "DESC" : "ASC");
    const store_value range[] = {store_int(s->study->id), store_count(f->first),
                                 store_int(f->limit ? (int64_t)f->limit : INT64_MAX), store_count(f->changed_after)};
    size_t count = f->changed_after ? 4 : 3;
    locbo_status status = store_query(store, sql, count, range, take_record, s, NULL, error);
    if (status != LOCBO_OK || s->count == 0) return status;
    const store_value found[] = {range[0], store_count(s->least), store_count(s->most), range[3]};
    return read_parts(store, s, count, found, error);
}

/* The measurements of one trial are adjacent; the first of them is found by bisection. */
static void attach(record_list *s, locbo_record *r) {
    size_t low = 0, high = s->rows;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->owner[middle] < r->trial.id)
            low = middle + 1;
        else
            high = middle;
    }
    const measured *table = &s->study->table;
    double mean = 0, weight = 0;
    r->value = (double)NAN;
    if (low == s->rows) return; /* none; without any row there are no arrays to point into */
    r->measurements = s->measurements + low * table->count;
    r->sequence = s->sequence + low;
    r->told = s->told + low;
    for (; low < s->rows && s->owner[low] == r->trial.id; low++) {
        const locbo_measurement *m = &s->measurements[low * table->count + table->first];
        mean_add(&mean, &weight, m->value, m->n);
        r->count++;
    }
    r->value = mean_of(mean, weight);
}

locbo_status locbo_study_each(locbo_study *study, const locbo_filter *filter, locbo_record_fn *fn, void *user,
                              locbo_error *error) {
    locbo_filter which = {.struct_size = sizeof which};
    if (!study || !fn) return status_fail(error, LOCBO_ERR_ARGUMENT, "study and fn must be given");
    record_list s = {.study = study, .filter = &which};
    locbo_status status = sized_take("filter", &which, sizeof which, filter, error);
    if (status == LOCBO_OK) status = store_read(study->store, read_records, &s, error);
    for (size_t i = 0; status == LOCBO_OK && i < s.count; i++) {
        locbo_record *r = &s.records[i];
        r->x = s.x + i * study->dim;
        r->worker = s.texts[TEXTS * i];
        r->message = s.texts[TEXTS * i + 1];
        r->pending = s.texts[TEXTS * i + 2];
        r->outputs = study->table.count;
        r->beliefs = s.beliefs ? s.beliefs + i * study->table.count : NULL;
        attach(&s, r);
        if (fn(r, user) != 0) break;
    }
    clear(&s);
    return status == LOCBO_OK ? status_ok(error) : status;
}

/* ---- workers ----------------------------------------------------------------------------------- */

typedef struct running {
    locbo_worker_fn *fn;
    void *user;
} running;

static locbo_status give_runner(const store_value *columns, size_t count, void *user, locbo_error *error) {
    const running *r = user;
    (void)count, (void)error;
    int end = r->fn(store_as_text(&columns[0]), store_as_count(&columns[1]), store_as_real(&columns[2]), r->user);
    return end ? LOCBO_ERR_STOPPED : LOCBO_OK;
}

locbo_status locbo_study_each_running(locbo_study *study, locbo_worker_fn *fn, void *user, locbo_error *error) {
    if (!study || !fn) return status_fail(error, LOCBO_ERR_ARGUMENT, "study and fn must be given");
    running r = {fn, user};
    return store_list(study->store,
                      "SELECT worker, number, lease FROM locbo_trial WHERE study = $1 AND state ="
                      " 'RUNNING' UNION ALL SELECT proposer, 0, proposer_until FROM locbo_study"
                      " WHERE id = $1 AND proposer IS NOT NULL ORDER BY 2",
                      VALUES(store_int(study->id)), give_runner, &r, error);
}

/* ---- outputs ----------------------------------------------------------------------------------- */

typedef struct printing {
    locbo_output_fn *fn;
    void *user;
} printing;

static locbo_status give_output(const store_value *columns, size_t count, void *user, locbo_error *error) {
    const printing *p = user;
    (void)count, (void)error;
    const store_value *out = &columns[3], *err = &columns[4];
    locbo_output output = {.out = out->text ? out->text : "",
                           .err = err->text ? err->text : "",
                           .out_size = out->size,
                           .err_size = err->size,
                           .exit_code = (int)store_as_int(&columns[1]),
                           .seconds = store_as_real(&columns[2])};
    return p->fn(store_as_count(&columns[0]), &output, p->user) == 0 ? LOCBO_OK : LOCBO_ERR_STOPPED;
}

locbo_status locbo_study_each_output(locbo_study *study, uint64_t trial, locbo_output_fn *fn, void *user,
                                     locbo_error *error) {
    if (!study || !fn) return status_fail(error, LOCBO_ERR_ARGUMENT, "study and fn must be given");
    printing p = {fn, user};
    return store_list(study->store,
                      "SELECT attempt, exit_code, seconds, out, err FROM locbo_output"
                      " WHERE study = $1 AND trial = $2 ORDER BY attempt",
                      VALUES(store_int(study->id), store_count(trial)), give_output, &p, error);
}

/* ---- the optimizer ----------------------------------------------------------------------------- */

locbo_status locbo_study_optimizer(locbo_study *study, locbo_optimizer **optimizer, locbo_error *error) {
    if (!study || !optimizer) return status_fail(error, LOCBO_ERR_ARGUMENT, "study and optimizer must not be NULL");
    replay facts;
    locbo_status status = replay_make(study, &facts, error);
    if (status != LOCBO_OK) return status;
    locbo_optimizer_destroy(study->optimizer);
    *optimizer = study->optimizer = facts.optimizer;
    facts.optimizer = NULL;
    replay_release(&facts);
    return status_ok(error);
}
