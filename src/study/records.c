/* records.c - the trials of a study with everything that is stored of them: results, those that were taken back,
 * beliefs, texts. Layer: study, middle. */
#include "records.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "curves.h"
#include "mean.h"
#include "mem.h"
#include "result_rows.h"

enum { TEXTS = 5 };

static void clear_results(result_list *l) {
    void *arrays[] = {l->measurements, l->sequence, l->owner, l->by, l->told};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
}

void records_clear(record_list *s) {
    for (size_t i = 0; i < TEXTS * s->count; i++) mem_free(s->texts[i]);
    void *arrays[] = {s->records, s->x, s->beliefs, s->texts, s->decision, s->decided};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) mem_free(arrays[i]);
    clear_results(&s->valid);
    clear_results(&s->retracted);
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
    int open = r->state == LOCBO_WAITING || r->state == LOCBO_RUNNING;
    r->outside = open ? store_as_count(&more[11]) : 0; /* of one that has ended it is no longer kept up to date */
    const store_value *texts[TEXTS] = {&more[3], &more[4], &columns[4], &more[12], &more[13]};
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
    result_list *to = r->retracted ? &s->retracted : &s->valid;
    size_t i = to->rows, outputs = s->study->table.count;
    mem_array arrays[] = {{&to->measurements, outputs * sizeof *to->measurements},
                          {&to->sequence, sizeof *to->sequence},
                          {&to->owner, sizeof *to->owner},
                          {&to->by, sizeof *to->by},
                          {&to->told, sizeof *to->told}};
    if (!mem_reserve_all(5, arrays, &to->capacity, i + 1)) return status_no_memory(error);
    to->owner[i] = r->trial;
    to->sequence[i] = r->event;
    to->by[i] = r->retracted;
    to->told[i] = r->told;
    memcpy(to->measurements + i * outputs, r->row, outputs * sizeof *r->row);
    to->rows++;
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

static locbo_status take_decision(const store_value *columns, size_t count, void *user, locbo_error *error) {
    record_list *s = user;
    mem_array arrays[] = {{&s->decision, sizeof *s->decision}, {&s->decided, sizeof *s->decided}};
    (void)count;
    if (!mem_reserve_all(2, arrays, &s->decision_room, s->decisions + 1)) return status_no_memory(error);
    s->decided[s->decisions] = store_as_count(&columns[0]);
    s->decision[s->decisions++] = curves_read_decision(columns + 1);
    return LOCBO_OK;
}

/* " AND state IN (...)" for the bits of a filter. */
static void state_clause(unsigned states, char *sql, size_t size) {
    size_t used = 0;
    sql[0] = '\0';
    for (unsigned i = 0; states && i < LOCBO_STATES; i++)
        if (states >> i & 1)
            used += (size_t)snprintf(sql + used, size - used, "%s'%s'", used ? ", " : " AND state IN (",
                                     locbo_state_name((locbo_state)i));
    if (used) snprintf(sql + used, size - used, ")");
}

/* The trials with a result, failure or change after event $4, and those that wait or run: each part is found by an
 * index. The unary plus before `number` and `trial` keeps SQLite from scanning the whole range of numbers instead. */
#define CHANGED                                                                                                        \
    " IN (SELECT trial FROM locbo_measurement WHERE study = $1 AND event > $4 UNION"                                   \
    " SELECT number FROM locbo_trial WHERE study = $1 AND state IN ('WAITING', 'RUNNING') UNION"                       \
    " SELECT number FROM locbo_trial WHERE study = $1 AND state IN ('FAILED', 'INFEASIBLE', 'RETRACTED', 'PRUNED')"    \
    " AND failure > $4 UNION {touched})"

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
    snprintf(sql, sizeof sql,
             "SELECT trial, " CURVES_DECISION " FROM locbo_decision WHERE study = $1"
             " AND %strial BETWEEN $2 AND $3%s ORDER BY trial",
             plus, changed);
    if (status == LOCBO_OK && store_version(store) >= 7)
        status = store_query(store, sql, count, found, take_decision, s, NULL, error);
    if (status != LOCBO_OK || s->study->table.count == 1) return status;
    snprintf(sql, sizeof sql,
             "SELECT trial, output" LEDGER_BELIEF " FROM locbo_belief WHERE study = $1"
             " AND %strial BETWEEN $2 AND $3%s",
             plus, changed);
    status = make_beliefs(s, error);
    return status == LOCBO_OK ? store_query(store, sql, count, found, take_belief, s, NULL, error) : status;
}

static locbo_status read_rows(record_list *s, locbo_error *error) {
    locbo_store *store = s->study->store;
    const locbo_filter *f = s->filter;
    char states[128], sql[1200];
    records_clear(s);
    state_clause(f->states, states, sizeof states);
    snprintf(sql, sizeof sql,
             "SELECT " LEDGER_COLUMNS ", state, attempt, retries, worker, message, lease, asked,"
             " started, ended, failure, {lost}, {outside}, {note}, {tags} FROM locbo_trial WHERE study = $1 AND "
             "%snumber >= $2"
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

/* The results of one trial are adjacent; the first of them is found by bisection. */
static size_t find_first(const result_list *l, uint64_t trial) {
    size_t low = 0, high = l->rows;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (l->owner[middle] < trial)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static size_t count_from(const result_list *l, size_t first, uint64_t trial) {
    size_t count = 0;
    while (first + count < l->rows && l->owner[first + count] == trial) count++;
    return count;
}

static void attach_results(const record_list *s, locbo_record *r) {
    const measured *table = &s->study->table;
    const result_list *l = &s->valid;
    size_t first = find_first(l, r->trial.id);
    double mean = 0, weight = 0;
    r->value = (double)NAN;
    r->count = count_from(l, first, r->trial.id);
    if (r->count == 0) return; /* without any row there are no arrays to point into */
    r->measurements = l->measurements + first * table->count;
    r->sequence = l->sequence + first;
    r->told = l->told + first;
    for (size_t i = 0; i < r->count; i++) {
        const locbo_measurement *m = &r->measurements[i * table->count + table->first];
        mean_add(&mean, &weight, m->value, m->n);
    }
    r->value = mean_of(mean, weight);
}

static void attach_retracted(const record_list *s, locbo_record *r) {
    const result_list *l = &s->retracted;
    size_t first = find_first(l, r->trial.id);
    r->retracted_count = count_from(l, first, r->trial.id);
    if (r->retracted_count == 0) return;
    r->retracted = l->measurements + first * s->study->table.count;
    r->retracted_sequence = l->sequence + first;
    r->retracted_by = l->by + first;
    r->retracted_told = l->told + first;
}

static const locbo_decision *find_decision(const record_list *s, uint64_t trial) {
    size_t low = 0, high = s->decisions;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (s->decided[middle] < trial)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->decisions && s->decided[low] == trial ? &s->decision[low] : NULL;
}

locbo_status records_read(record_list *s, locbo_error *error) {
    locbo_status status = ledger_check_present(s->study, error);
    if (status == LOCBO_OK) status = read_rows(s, error);
    for (size_t i = 0; status == LOCBO_OK && i < s->count; i++) {
        locbo_record *r = &s->records[i];
        char **texts = s->texts + TEXTS * i;
        r->x = s->x + i * s->study->dim;
        r->worker = texts[0];
        r->message = texts[1];
        r->pending = texts[2];
        r->note = texts[3];
        r->tags = texts[4];
        r->outputs = s->study->table.count;
        r->beliefs = s->beliefs ? s->beliefs + i * s->study->table.count : NULL;
        attach_results(s, r);
        attach_retracted(s, r);
        r->decision = find_decision(s, r->trial.id);
    }
    return status;
}
