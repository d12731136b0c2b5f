/* trial_table.c - all trials of a study in memory. Layer: view, facts. Cost: O(trials) the first time, read in pieces
 * so that there is no second copy of all trials; afterwards O(trials that have changed, wait or run), and only the
 * pulse if nothing has changed. */
#include "trial_table.h"

#include <math.h>
#include <string.h>

#include "mem.h"

enum { PIECE = 4096 }; /* trials read at once */

typedef struct reading {
    trial_table *table;
    size_t taken;  /* of this piece */
    uint64_t last; /* number */
    locbo_status status;
    locbo_error error; /* of `status`: locbo_study_each succeeds when its callback ends it */
} reading;

/* ---- workers --------------------------------------------------------------------------------- */

/* The slot of a name in a hash table that is never full, or the free slot for it. A table, since there may be as many
 * workers as trials. */
static size_t find_slot(char **workers, const size_t *slots, size_t size, const char *name) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (const char *c = name; *c; c++) hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    size_t at = (size_t)((hash ^ hash >> 32) % size);
    while (slots[at] && strcmp(workers[slots[at] - 1], name) != 0) at = (at + 1) % size;
    return at;
}

/* At least twice as many slots as names. */
static locbo_status grow_slots(trial_table *t, locbo_error *error) {
    if (t->slots_size > 2 * t->workers_count) return LOCBO_OK;
    size_t size = 4 * t->workers_count + 16, *slots = mem_new(size, sizeof *slots);
    if (!slots) return status_no_memory(error);
    for (size_t i = 0; i < t->workers_count; i++) slots[find_slot(t->workers, slots, size, t->workers[i])] = i + 1;
    mem_free(t->slots);
    t->slots = slots;
    t->slots_size = size;
    return LOCBO_OK;
}

static locbo_status find_worker(trial_table *t, const char *name, size_t *index, locbo_error *error) {
    locbo_status status = grow_slots(t, error);
    if (status != LOCBO_OK) return status;
    size_t at = find_slot(t->workers, t->slots, t->slots_size, name);
    if (t->slots[at] == 0) {
        char *copy = NULL;
        if (mem_reserve(&t->workers, &t->workers_capacity, t->workers_count + 1, sizeof *t->workers))
            copy = mem_text(name);
        if (!copy) return status_no_memory(error);
        t->workers[t->workers_count++] = copy;
        t->slots[at] = t->workers_count;
    }
    *index = t->slots[at] - 1;
    return LOCBO_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static locbo_status make_room(trial_table *t, size_t need, locbo_error *error) {
    mem_array arrays[] = {{&t->rows, sizeof *t->rows}, {&t->x, t->dim * sizeof *t->x}};
    if (!mem_reserve_all(2, arrays, &t->capacity, need)) return status_no_memory(error);
    if (need > t->count) t->count = need;
    return LOCBO_OK;
}

void trial_row_fill(trial_row *row, const locbo_record *r) {
    const locbo_measurement none = {.value = (double)NAN, .sd = (double)NAN};
    row->state = r->state;
    row->trial = r->trial;
    row->value = r->value;
    row->count = r->count;
    row->lowest = row->highest = (double)NAN;
    for (size_t i = 0; i < r->count; i++) {
        row->lowest = fmin(row->lowest, r->measurements[i].value);
        row->highest = fmax(row->highest, r->measurements[i].value);
    }
    row->first = r->count ? r->measurements[0] : none;
    row->event = r->count ? r->sequence[0] : r->failure;
    row->asked = r->asked;
    row->started = r->started;
    row->ended = r->ended;
    row->lease = r->lease;
    row->attempt = r->attempt;
}

static locbo_status put_row(trial_table *t, const locbo_record *r, locbo_error *error) {
    size_t i = (size_t)(r->trial.id - 1), worker = 0;
    char *message = NULL;
    locbo_status status = find_worker(t, r->worker, &worker, error);
    if (status == LOCBO_OK && *r->message && !(message = mem_text(r->message))) status = status_no_memory(error);
    if (status == LOCBO_OK) status = make_room(t, i + 1, error);
    if (status != LOCBO_OK) {
        mem_free(message);
        return status;
    }
    trial_row_fill(&t->rows[i], r);
    t->rows[i].worker = worker;
    mem_free(t->rows[i].message);
    t->rows[i].message = message;
    memcpy(t->x + i * t->dim, r->x, t->dim * sizeof *t->x);
    return LOCBO_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Trials are numbered without gaps. A larger number is damage, and memory must not be reserved for it. */
static int take_record(const locbo_record *r, void *user) {
    reading *all = user;
    if (r->trial.id == 0 || r->trial.id > all->table->count + 1) {
        all->status = status_fail(&all->error, LOCBO_ERR_IO, "the study is damaged: trial %llu follows trial %zu",
                                  (unsigned long long)r->trial.id, all->table->count);
        return 1;
    }
    all->status = put_row(all->table, r, &all->error);
    all->taken++;
    all->last = r->trial.id;
    return all->status != LOCBO_OK;
}

/* Rows from all.last + 1 on; all.taken is their number. */
static locbo_status read_some(reading *all, locbo_study *study, uint64_t limit, locbo_error *error) {
    locbo_filter filter = {
        .struct_size = sizeof filter, .first = all->last + 1, .limit = limit, .changed_after = all->table->events};
    all->taken = 0;
    locbo_status status = locbo_study_each(study, &filter, take_record, all, error);
    if (status != LOCBO_OK || all->status == LOCBO_OK) return status;
    if (error) *error = all->error;
    return all->status;
}

/* Changes are read in one query: with pieces, the database would search all changes again for each piece. */
static locbo_status read_rows(trial_table *t, locbo_study *study, locbo_error *error) {
    reading all = {.table = t, .taken = PIECE};
    locbo_status status = LOCBO_OK;
    if (t->events > 0) return read_some(&all, study, 0, error);
    while (status == LOCBO_OK && all.taken == PIECE) status = read_some(&all, study, PIECE, error);
    return status;
}

/* The pulse is read before the rows: a change in between is read here and again by the next refresh, never missed. If
 * the counts have decreased, the database was restored from a backup, and all rows are read again. */
locbo_status trial_table_refresh(trial_table *t, locbo_study *study, locbo_error *error) {
    locbo_pulse pulse;
    size_t none; /* index 0 is the empty name */
    locbo_status status = locbo_study_pulse(study, &pulse, error);
    if (status != LOCBO_OK) return status;
    if (t->whole && t->stamp == pulse.stamp) return status_ok(error);
    if (pulse.events < t->events || pulse.trials < t->count) trial_table_release(t);
    t->whole = 0;
    status = find_worker(t, "", &none, error);
    if (status == LOCBO_OK) status = read_rows(t, study, error);
    if (status != LOCBO_OK) return status;
    t->events = pulse.events;
    t->stamp = pulse.stamp;
    t->whole = 1;
    return status_ok(error);
}

void trial_table_release(trial_table *t) {
    for (size_t i = 0; i < t->count; i++) mem_free(t->rows[i].message);
    for (size_t i = 0; i < t->workers_count; i++) mem_free(t->workers[i]);
    mem_free(t->rows);
    mem_free(t->x);
    mem_free(t->workers);
    mem_free(t->slots);
    *t = (trial_table){.dim = t->dim};
}
