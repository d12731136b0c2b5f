/* board.c - the trials of a study as columns. Layer: view, facts. Cost: O(trials) the first time, read in pieces so
 * that no second copy of all of them is ever held; afterwards O(what has changed, waits or runs), and only the pulse if
 * nothing has happened. */
#include "board.h"

#include <math.h>
#include <string.h>

#include "mem.h"

enum { PIECE = 4096 }; /* trials read at once */

typedef struct reading {
    board *board;
    size_t taken;  /* of this piece */
    uint64_t last; /* number */
    locbo_status status;
    locbo_error error; /* its own: a reading that a row ends is a success to the study */
} reading;

/* ---- workers --------------------------------------------------------------------------------- */

/* Where a name is or should go, in a table that is never full. Every trial may have a worker of its own, so they are
 * not searched one by one. */
static size_t find_place(char **workers, const size_t *places, size_t size, const char *name) {
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (const char *c = name; *c; c++) hash = (hash ^ (unsigned char)*c) * UINT64_C(0x100000001b3);
    size_t at = (size_t)((hash ^ hash >> 32) % size);
    while (places[at] && strcmp(workers[places[at] - 1], name) != 0) at = (at + 1) % size;
    return at;
}

/* Twice as many places as there are names, at least. */
static locbo_status widen(board *b, locbo_error *error) {
    if (b->places_size > 2 * b->workers_count) return LOCBO_OK;
    size_t size = 4 * b->workers_count + 16, *places = mem_new(size, sizeof *places);
    if (!places) return status_no_memory(error);
    for (size_t i = 0; i < b->workers_count; i++) places[find_place(b->workers, places, size, b->workers[i])] = i + 1;
    mem_free(b->places);
    b->places = places;
    b->places_size = size;
    return LOCBO_OK;
}

static locbo_status find_worker(board *b, const char *name, size_t *index, locbo_error *error) {
    locbo_status status = widen(b, error);
    if (status != LOCBO_OK) return status;
    size_t at = find_place(b->workers, b->places, b->places_size, name);
    if (b->places[at] == 0) {
        char *copy = NULL;
        if (mem_reserve(&b->workers, &b->workers_capacity, b->workers_count + 1, sizeof *b->workers))
            copy = mem_text(name);
        if (!copy) return status_no_memory(error);
        b->workers[b->workers_count++] = copy;
        b->places[at] = b->workers_count;
    }
    *index = b->places[at] - 1;
    return LOCBO_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static locbo_status make_room(board *b, size_t need, locbo_error *error) {
    mem_array arrays[] = {{&b->rows, sizeof *b->rows}, {&b->x, b->dim * sizeof *b->x}};
    if (!mem_reserve_all(2, arrays, &b->capacity, need)) return status_no_memory(error);
    if (need > b->count) b->count = need;
    return LOCBO_OK;
}

void board_fill(board_row *row, const locbo_record *r) {
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

static locbo_status put_row(board *b, const locbo_record *r, locbo_error *error) {
    size_t i = (size_t)(r->trial.id - 1), worker = 0;
    char *message = NULL;
    locbo_status status = find_worker(b, r->worker, &worker, error);
    if (status == LOCBO_OK && *r->message && !(message = mem_text(r->message))) status = status_no_memory(error);
    if (status == LOCBO_OK) status = make_room(b, i + 1, error);
    if (status != LOCBO_OK) {
        mem_free(message);
        return status;
    }
    board_fill(&b->rows[i], r);
    b->rows[i].worker = worker;
    mem_free(b->rows[i].message);
    b->rows[i].message = message;
    memcpy(b->x + i * b->dim, r->x, b->dim * sizeof *b->x);
    return LOCBO_OK;
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Trials are numbered without gaps, so a number far ahead of its fellows would be damage; it must not cost memory. */
static int take_record(const locbo_record *r, void *user) {
    reading *all = user;
    if (r->trial.id == 0 || r->trial.id > all->board->count + 1) {
        all->status = status_fail(&all->error, LOCBO_ERR_IO, "the study is damaged: trial %llu follows trial %zu",
                                  (unsigned long long)r->trial.id, all->board->count);
        return 1;
    }
    all->status = put_row(all->board, r, &all->error);
    all->taken++;
    all->last = r->trial.id;
    return all->status != LOCBO_OK;
}

/* Rows from all.last on; all.taken says how many there were. */
static locbo_status read_some(reading *all, locbo_study *study, uint64_t limit, locbo_error *error) {
    locbo_filter filter = {
        .struct_size = sizeof filter, .first = all->last + 1, .limit = limit, .changed_after = all->board->events};
    all->taken = 0;
    locbo_status status = locbo_study_each(study, &filter, take_record, all, error);
    if (status != LOCBO_OK || all->status == LOCBO_OK) return status;
    if (error) *error = all->error;
    return all->status;
}

/* What has changed is read at once: the database would look for all of it again for each piece. */
static locbo_status read_rows(board *b, locbo_study *study, locbo_error *error) {
    reading all = {.board = b, .taken = PIECE};
    locbo_status status = LOCBO_OK;
    if (b->events > 0) return read_some(&all, study, 0, error);
    while (status == LOCBO_OK && all.taken == PIECE) status = read_some(&all, study, PIECE, error);
    return status;
}

/* The pulse is read before the rows: what happens in between is read now and once more next time, and nothing is
 * missed. Numbers that go back are those of a database that was restored; what is on the board never happened there. */
locbo_status board_refresh(board *b, locbo_study *study, locbo_error *error) {
    locbo_pulse pulse;
    size_t nobody; /* the first, whoever comes */
    locbo_status status = locbo_study_pulse(study, &pulse, error);
    if (status != LOCBO_OK) return status;
    if (b->whole && b->stamp == pulse.stamp) return status_ok(error);
    if (pulse.events < b->events || pulse.trials < b->count) board_release(b);
    b->whole = 0;
    status = find_worker(b, "", &nobody, error);
    if (status == LOCBO_OK) status = read_rows(b, study, error);
    if (status != LOCBO_OK) return status;
    b->events = pulse.events;
    b->stamp = pulse.stamp;
    b->whole = 1;
    return status_ok(error);
}

void board_release(board *b) {
    for (size_t i = 0; i < b->count; i++) mem_free(b->rows[i].message);
    for (size_t i = 0; i < b->workers_count; i++) mem_free(b->workers[i]);
    mem_free(b->rows);
    mem_free(b->x);
    mem_free(b->workers);
    mem_free(b->places);
    *b = (board){.dim = b->dim};
}
