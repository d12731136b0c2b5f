/* curve_table.c - the curves of a study in memory. Layer: view, facts. Cost: O(steps) the first time; afterwards one
 * query for each trial that runs or has ended since. */
#include "curve_table.h"

#include <string.h>

#include "mem.h"
#include "thin.h"

enum { QUERIES = 40 }; /* if more curves are to be read, all are read by one query */

typedef struct reading {
    curve_table *table;
    const trial_table *trials;
    locbo_status status;
    locbo_error error; /* of `status` */
} reading;

/* ---- thinning -------------------------------------------------------------------------------- */

static locbo_status choose(size_t count, const locbo_step *steps, size_t most, size_t **chosen, size_t *kept,
                           locbo_error *error) {
    double *values = mem_new(count, sizeof *values);
    if (!values) return status_no_memory(error);
    for (size_t i = 0; i < count; i++) values[i] = steps[i].value;
    locbo_status status = thin_extremes(count, values, most, chosen, kept, error);
    mem_free(values);
    return status;
}

locbo_status curve_table_thin(size_t count, const locbo_step *steps, size_t most, locbo_step **points, size_t *kept,
                              locbo_error *error) {
    size_t *chosen = NULL, n = 0;
    locbo_status status = choose(count, steps, most, &chosen, &n, error);
    if (status != LOCBO_OK) return status;
    locbo_step *made = mem_new(n, sizeof *made);
    for (size_t i = 0; made && i < n; i++) made[i] = steps[chosen[i]];
    mem_free(chosen);
    if (!made) return status_no_memory(error);
    *points = made;
    *kept = n;
    return LOCBO_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

static void clear_row(curve_table *t, curve_row *row) {
    t->curves -= row->steps > 0;
    mem_free(row->points);
    *row = (curve_row){.points = NULL};
}

static int is_over(const trial_row *trial) { return trial->state != LOCBO_RUNNING && trial->state != LOCBO_WAITING; }

/* Whether the curve of a trial may differ from what was read. */
static int is_due(const curve_row *row, const trial_row *trial) {
    return trial->attempt > 0 && (!row->over || row->attempt != trial->attempt);
}

static locbo_status put_curve(curve_table *t, const trial_table *trials, const locbo_curve *c, locbo_error *error) {
    size_t i = (size_t)(c->trial - 1);
    locbo_step *points;
    size_t kept;
    if (c->trial == 0 || c->trial > t->count || c->attempt != trials->rows[i].attempt || c->count == 0) return LOCBO_OK;
    locbo_status status = curve_table_thin(c->count, c->steps, CURVE_POINTS, &points, &kept, error);
    if (status != LOCBO_OK) return status;
    clear_row(t, &t->rows[i]);
    t->rows[i] = (curve_row){.attempt = c->attempt, .steps = c->count, .count = kept, .points = points};
    t->curves++;
    return LOCBO_OK;
}

/* Trials that came after the table of trials was read, and attempts that are not the last one, are left out. */
static int take_curve(const locbo_curve *c, void *user) {
    reading *r = user;
    if (c->trial > 0 && c->trial <= r->table->count &&
        !is_due(&r->table->rows[c->trial - 1], &r->trials->rows[c->trial - 1]))
        return 0;
    r->status = put_curve(r->table, r->trials, c, &r->error);
    return r->status != LOCBO_OK;
}

static locbo_status read_curves(reading *r, locbo_study *study, uint64_t trial, locbo_error *error) {
    locbo_status status = locbo_study_each_curve(study, trial, take_curve, r, error);
    if (status != LOCBO_OK || r->status == LOCBO_OK) return status;
    if (error) *error = r->error;
    return r->status;
}

/* ---- the table ------------------------------------------------------------------------------- */

static locbo_status make_room(curve_table *t, size_t need, locbo_error *error) {
    if (!mem_reserve(&t->rows, &t->capacity, need, sizeof *t->rows)) return status_no_memory(error);
    for (; t->count < need; t->count++) t->rows[t->count] = (curve_row){.points = NULL};
    return LOCBO_OK;
}

static size_t count_due(const curve_table *t, const trial_table *trials) {
    size_t due = 0;
    for (size_t i = 0; i < t->count; i++) due += is_due(&t->rows[i], &trials->rows[i]) != 0;
    return due;
}

/* A trial that has another attempt loses the curve of the last one. */
static void settle(curve_table *t, const trial_table *trials) {
    for (size_t i = 0; i < t->count; i++) {
        curve_row *row = &t->rows[i];
        if (row->attempt != trials->rows[i].attempt) clear_row(t, row);
        row->attempt = trials->rows[i].attempt;
        row->over = is_over(&trials->rows[i]);
    }
}

/* Every step that is reported changes the stamp. If the counts have decreased, the database was restored from a backup.
 * After an error the rows that were due still are. */
locbo_status curve_table_refresh(curve_table *t, const trial_table *trials, locbo_study *study, locbo_error *error) {
    if (t->whole && t->stamp == trials->stamp && t->count == trials->count) return status_ok(error);
    if (trials->events < t->events || trials->count < t->count) curve_table_release(t);
    t->whole = 0;
    reading r = {.table = t, .trials = trials};
    locbo_status status = make_room(t, trials->count, error);
    size_t due = count_due(t, trials);
    if (status == LOCBO_OK && due > QUERIES) status = read_curves(&r, study, 0, error);
    for (size_t i = 0; i < t->count && due <= QUERIES && status == LOCBO_OK; i++)
        if (is_due(&t->rows[i], &trials->rows[i])) status = read_curves(&r, study, i + 1, error);
    if (status != LOCBO_OK) return status;
    settle(t, trials);
    t->events = trials->events;
    t->stamp = trials->stamp;
    t->whole = 1;
    return status_ok(error);
}

void curve_table_release(curve_table *t) {
    for (size_t i = 0; i < t->count; i++) mem_free(t->rows[i].points);
    mem_free(t->rows);
    *t = (curve_table){.count = 0};
}
