/* trial_table.c - all trials of a study in memory. Layer: view, facts. Cost: O(trials) the first time, read in pieces
 * so that there is no second copy of all trials; afterwards O(trials that have changed, wait or run), and only the
 * pulse if nothing has changed. */
#include "trial_table.h"

#include <math.h>
#include <string.h>

#include "mean.h"
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

/* How many outputs there are besides the first objective, and how many of them are modelled. */
static size_t count_others(const trial_table *t) { return t->outputs && t->outputs->table ? t->outputs->count - 1 : 0; }

static size_t count_beliefs(const trial_table *t) { return count_others(t) ? t->outputs->modelled - 1 : 0; }

static locbo_status make_room(trial_table *t, size_t need, locbo_error *error) {
    mem_array arrays[4] = {{&t->rows, sizeof *t->rows}, {&t->x, t->dim * sizeof *t->x}};
    size_t n = 2;
    if (count_others(t)) arrays[n++] = (mem_array){&t->others, count_others(t) * sizeof *t->others};
    if (count_beliefs(t)) arrays[n++] = (mem_array){&t->beliefs, count_beliefs(t) * sizeof *t->beliefs};
    if (!mem_reserve_all(n, arrays, &t->capacity, need)) return status_no_memory(error);
    if (need > t->count) t->count = need;
    return LOCBO_OK;
}

/* Output k of a record; results may lack it. */
static trial_output read_output(const locbo_record *r, size_t k) {
    const locbo_measurement none = {.value = (double)NAN, .sd = (double)NAN};
    size_t outputs = r->outputs ? r->outputs : 1;
    trial_output o = {(double)NAN, 0, r->count ? r->measurements[k] : none};
    double mean = 0;
    for (size_t i = 0; i < r->count; i++) {
        const locbo_measurement *m = &r->measurements[i * outputs + k];
        mean_add(&mean, &o.weight, m->value, m->n);
    }
    o.value = mean_of(mean, o.weight);
    return o;
}

static void fill_row(trial_row *row, const locbo_record *r, size_t first) {
    const trial_output o = read_output(r, first);
    row->state = r->state;
    row->trial = r->trial;
    row->value = r->value;
    row->count = r->count;
    row->weight = o.weight;
    row->first = o.first;
    row->event = r->count ? r->sequence[0] : r->failure;
    row->asked = r->asked;
    row->started = r->started;
    row->ended = r->ended;
    row->lease = r->lease;
    row->attempt = r->attempt;
    row->decision = r->decision ? *r->decision : (locbo_decision){.attempt = 0};
}

/* The place of output k among those that are not the first objective. */
static size_t place_of(size_t k, size_t first) { return k < first ? k : k - 1; }

static void fill_others(trial_table *t, size_t i, const locbo_record *r) {
    const output_list *list = t->outputs;
    for (size_t k = 0; count_others(t) && k < list->count; k++) {
        if (k == list->first) continue;
        t->others[i * count_others(t) + place_of(k, list->first)] = read_output(r, k);
        if (output_list_is_modelled(list, k))
            t->beliefs[i * count_beliefs(t) + place_of(list->model[k], list->model[list->first])] = r->beliefs[k];
    }
}

static void release_texts(trial_row *row) {
    mem_free(row->message);
    mem_free(row->note);
    mem_free(row->tags);
    row->message = row->note = row->tags = NULL;
}

/* Empty ones are not kept: most trials have none. */
static locbo_status copy_texts(trial_row *row, const locbo_record *r, locbo_error *error) {
    if (*r->message) row->message = mem_text(r->message);
    if (*r->note) row->note = mem_text(r->note);
    if (*r->tags) row->tags = mem_text(r->tags);
    int good = (row->message || !*r->message) && (row->note || !*r->note) && (row->tags || !*r->tags);
    return good ? LOCBO_OK : status_no_memory(error);
}

static locbo_status put_row(trial_table *t, const locbo_record *r, locbo_error *error) {
    size_t i = (size_t)(r->trial.id - 1), worker = 0;
    trial_row texts = {.message = NULL};
    locbo_status status = find_worker(t, r->worker, &worker, error);
    if (status == LOCBO_OK) status = copy_texts(&texts, r, error);
    if (status == LOCBO_OK) status = make_room(t, i + 1, error);
    if (status != LOCBO_OK) {
        release_texts(&texts);
        return status;
    }
    release_texts(&t->rows[i]);
    fill_row(&t->rows[i], r, t->outputs ? t->outputs->first : 0);
    fill_others(t, i, r);
    t->rows[i].worker = worker;
    t->rows[i].message = texts.message;
    t->rows[i].note = texts.note;
    t->rows[i].tags = texts.tags;
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
    for (size_t i = 0; i < t->count; i++) release_texts(&t->rows[i]);
    for (size_t i = 0; i < t->workers_count; i++) mem_free(t->workers[i]);
    mem_free(t->rows);
    mem_free(t->x);
    mem_free(t->others);
    mem_free(t->beliefs);
    mem_free(t->workers);
    mem_free(t->slots);
    *t = (trial_table){.dim = t->dim, .outputs = t->outputs};
}

int trial_table_is_tagged(const trial_table *t, size_t i, const char *tag) {
    size_t length = strlen(tag);
    for (const char *word = t->rows[i].tags; word && length > 0;) {
        size_t size = strcspn(word, " ");
        if (size == length && memcmp(word, tag, size) == 0) return 1;
        word = word[size] ? word + size + 1 : NULL;
    }
    return 0;
}

/* ---- outputs --------------------------------------------------------------------------------- */

static int is_first(const trial_table *t, size_t k) { return count_others(t) == 0 || k == t->outputs->first; }

trial_output trial_table_output(const trial_table *t, size_t i, size_t k) {
    const trial_row *r = &t->rows[i];
    if (is_first(t, k)) return (trial_output){r->value, r->weight, r->first};
    return t->others[i * count_others(t) + place_of(k, t->outputs->first)];
}

const locbo_belief *trial_table_belief(const trial_table *t, size_t i, size_t k) {
    const output_list *list = t->outputs;
    if (is_first(t, k)) return &t->rows[i].trial.belief;
    if (!output_list_is_modelled(list, k)) return NULL;
    return &t->beliefs[i * count_beliefs(t) + place_of(list->model[k], list->model[list->first])];
}

/* ---- points ---------------------------------------------------------------------------------- */

locbo_status trial_table_take(const trial_table *t, size_t i, point_means *means, size_t *point, locbo_error *error) {
    locbo_status status = point_means_add(means, t->x + i * t->dim, i, point, error);
    for (size_t k = 0; k < means->outputs && status == LOCBO_OK; k++) {
        const trial_output o = trial_table_output(t, i, k);
        point_means_take(means, *point, k, o.value, o.weight);
    }
    return status;
}

locbo_status trial_table_means(const trial_table *t, point_means *means, locbo_error *error) {
    size_t point, outputs = t->outputs ? t->outputs->count : 0;
    locbo_status status = LOCBO_OK;
    *means = (point_means){.dim = t->dim, .outputs = outputs ? outputs : 1};
    for (size_t i = 0; i < t->count && status == LOCBO_OK; i++)
        if (t->rows[i].count > 0) status = trial_table_take(t, i, means, &point, error);
    point_means_finish(means);
    return status;
}

/* ---- constraints ----------------------------------------------------------------------------- */

/* `sum`: of what the constraints so far say. A bound that is not known holds. */
typedef struct verdict {
    int missed, lacking;
} verdict;

static void judge_constraint(verdict *sum, const output_list *list, size_t k, double bound, double value) {
    if (!output_list_is_constraint(list, k)) return;
    sum->lacking += isnan(value) != 0;
    sum->missed += list->spec[k].goal == LOCBO_GOAL_AT_MOST ? value > bound : value < bound;
}

static trial_feasible verdict_of(verdict sum) {
    return sum.missed ? TRIAL_FEASIBLE_NO : sum.lacking ? TRIAL_FEASIBLE_UNKNOWN : TRIAL_FEASIBLE_YES;
}

trial_feasible trial_table_feasible(const trial_table *t, size_t i, const double *bounds) {
    verdict sum = {0, 0};
    if (!t->outputs || t->outputs->constraints == 0) return TRIAL_FEASIBLE_UNKNOWN;
    for (size_t k = 0; k < t->outputs->count; k++)
        judge_constraint(&sum, t->outputs, k, bounds[k], trial_table_output(t, i, k).value);
    return verdict_of(sum);
}

trial_feasible trial_feasible_of(const output_list *list, const double *bounds, const double *value) {
    verdict sum = {0, 0};
    if (list->constraints == 0) return TRIAL_FEASIBLE_UNKNOWN;
    for (size_t k = 0; k < list->count; k++) judge_constraint(&sum, list, k, bounds[k], value[k]);
    return verdict_of(sum);
}

json_t *trial_feasible_json(trial_feasible feasible) {
    return feasible == TRIAL_FEASIBLE_UNKNOWN ? json_null() : json_boolean(feasible == TRIAL_FEASIBLE_YES);
}
