/* board.c - the trials of a study as columns. Layer: view, facts. Cost: O(trials) the first time, read in pieces so that
 * no second copy of all of them is ever held; afterwards O(what has changed, waits or runs). */
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
    locbo_error *error;
} reading;

/* ---- workers --------------------------------------------------------------------------------- */

static locbo_status add_worker(board *b, const char *name, locbo_error *error) {
    char *copy = NULL;
    if (mem_reserve(&b->workers, &b->workers_capacity, b->workers_count + 1, sizeof *b->workers))
        copy = mem_text(name);
    if (!copy) return status_no_memory(error);
    b->workers[b->workers_count++] = copy;
    return LOCBO_OK;
}

/* There are few of them, and the one before is the likeliest. */
static locbo_status find_worker(board *b, const char *name, size_t near, size_t *index,
                                locbo_error *error) {
    *index = near;
    if (near < b->workers_count && strcmp(b->workers[near], name) == 0) return LOCBO_OK;
    for (*index = 0; *index < b->workers_count; ++*index)
        if (strcmp(b->workers[*index], name) == 0) return LOCBO_OK;
    return add_worker(b, name, error);
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Rows up to `need`. Numbers have no gaps, but a row that were never read would have to be told from a real one: its id
 * is 0. */
static locbo_status make_room(board *b, size_t need, locbo_error *error) {
    mem_array arrays[] = {{&b->rows, sizeof *b->rows}, {&b->x, b->dim * sizeof *b->x}};
    if (!mem_reserve_all(2, arrays, &b->capacity, need)) return status_no_memory(error);
    if (need > b->count) b->count = need;
    return LOCBO_OK;
}

static void fill(board_row *row, const locbo_record *r) {
    const locbo_measurement none = {.value = (double)NAN, .sd = (double)NAN};
    row->state = r->state;
    row->trial = r->trial;
    row->value = r->value;
    row->count = r->count;
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
    size_t near = i > 0 && i <= b->count ? b->rows[i - 1].worker : 0;
    char *message = NULL;
    locbo_status status = find_worker(b, r->worker, near, &worker, error);
    if (status == LOCBO_OK && *r->message && !(message = mem_text(r->message)))
        status = status_no_memory(error);
    if (status == LOCBO_OK) status = make_room(b, i + 1, error);
    if (status != LOCBO_OK) {
        mem_free(message);
        return status;
    }
    fill(&b->rows[i], r);
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
        all->status = status_fail(all->error, LOCBO_ERR_IO,
                                  "the study is damaged: trial %llu follows trial %zu",
                                  (unsigned long long)r->trial.id, all->board->count);
        return 1;
    }
    all->status = put_row(all->board, r, all->error);
    all->taken++;
    all->last = r->trial.id;
    return all->status != LOCBO_OK;
}

static locbo_status read_pieces(board *b, locbo_study *study, locbo_error *error) {
    reading all = {.board = b, .taken = PIECE, .error = error};
    locbo_filter filter = {
        .struct_size = sizeof filter, .limit = PIECE, .changed_after = b->events};
    locbo_status status = LOCBO_OK;
    while (status == LOCBO_OK && all.taken == PIECE) {
        all.taken = 0;
        filter.first = all.last + 1;
        status = locbo_study_each(study, &filter, take_record, &all, error);
        if (status == LOCBO_OK) status = all.status;
    }
    return status;
}

/* The number of events is read before the rows: what happens in between is read now and once more next time, and nothing
 * is missed. */
locbo_status board_refresh(board *b, locbo_study *study, locbo_error *error) {
    locbo_census census;
    locbo_status status = LOCBO_OK;
    if (b->workers_count == 0) status = add_worker(b, "", error);
    if (status == LOCBO_OK) status = locbo_study_census(study, &census, error);
    if (status == LOCBO_OK) status = read_pieces(b, study, error);
    if (status != LOCBO_OK) return status;
    b->events = census.events;
    return status_ok(error);
}

void board_release(board *b) {
    for (size_t i = 0; i < b->count; i++) mem_free(b->rows[i].message);
    for (size_t i = 0; i < b->workers_count; i++) mem_free(b->workers[i]);
    mem_free(b->rows);
    mem_free(b->x);
    mem_free(b->workers);
    *b = (board){.dim = b->dim};
}
