/* pulse.c - a stamp that differs after each change of a study. Layer: study, top. Cost: two queries for any number of
 * studies: the rows of the studies, and their trials that wait or run, which an index finds. Ended trials need not be
 * read, because each of them changed `events` in the study's row. */
#include <string.h>

#include "ledger.h"
#include "mem.h"

typedef struct pulses {
    const locbo_study *study;   /* NULL: of all studies */
    size_t count, capacity, at; /* at: the study whose open trials are being read */
    struct beat {
        int64_t id;
        char *name;
        locbo_pulse pulse;
    } * beats;
} pulses;

static void clear(pulses *p) {
    for (size_t i = 0; i < p->count; i++) mem_free(p->beats[i].name);
    mem_free(p->beats);
    *p = (pulses){.study = p->study};
}

/* The hash FNV-1a. */
static void mix(uint64_t *stamp, const void *bytes, size_t size) {
    const unsigned char *b = bytes;
    for (size_t i = 0; i < size; i++) *stamp = (*stamp ^ b[i]) * UINT64_C(0x100000001b3);
}

/* Kinds and sizes are hashed too: different lists of columns are then different bytes. */
static void mix_columns(uint64_t *stamp, const store_value *columns, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const store_value *v = &columns[i];
        mix(stamp, &v->kind, sizeof v->kind);
        if (v->kind == STORE_INT) mix(stamp, &v->integer, sizeof v->integer);
        if (v->kind == STORE_REAL) mix(stamp, &v->real, sizeof v->real);
        if (v->kind != STORE_TEXT) continue;
        mix(stamp, &v->size, sizeof v->size);
        mix(stamp, v->text, v->size);
    }
}

static locbo_status take_study(const store_value *columns, size_t count, void *user, locbo_error *error) {
    pulses *p = user;
    char *name = NULL;
    if (mem_reserve(&p->beats, &p->capacity, p->count + 1, sizeof *p->beats))
        name = mem_text(store_as_text(&columns[1]));
    if (!name) return status_no_memory(error);
    struct beat *b = &p->beats[p->count++];
    b->id = store_as_int(&columns[0]);
    b->name = name;
    b->pulse = (locbo_pulse){.trials = store_as_count(&columns[2]),
                             .events = store_as_count(&columns[3]),
                             .stamp = UINT64_C(0xcbf29ce484222325)};
    mix_columns(&b->pulse.stamp, columns, count);
    return LOCBO_OK;
}

/* Both lists are sorted by the id of the study, and come from one snapshot. */
static locbo_status take_open(const store_value *columns, size_t count, void *user, locbo_error *error) {
    pulses *p = user;
    int64_t id = store_as_int(&columns[0]);
    (void)error;
    while (p->at < p->count && p->beats[p->at].id < id) p->at++;
    if (p->at == p->count || p->beats[p->at].id != id) return LOCBO_OK;
    locbo_pulse *pulse = &p->beats[p->at].pulse;
    pulse->running += strcmp(store_as_text(&columns[2]), "RUNNING") == 0;
    mix_columns(&pulse->stamp, columns + 1, count - 1);
    return LOCBO_OK;
}

/* The rows of one study ($1), or of all. */
static locbo_status read_beats(locbo_store *store, pulses *p, locbo_error *error) {
    static const char *const sql[] = {
        "SELECT id, name, trials, events, stop_reason, plan, proposer, proposer_until, {paused}, {revision}"
        " FROM locbo_study ORDER BY id",
        "SELECT id, name, trials, events, stop_reason, plan, proposer, proposer_until, {paused}, {revision}"
        " FROM locbo_study WHERE id = $1"};
    store_value id = store_int(p->study ? p->study->id : 0);
    size_t one = p->study != NULL;
    return store_query(store, sql[one], one, &id, take_study, p, NULL, error);
}

/* The open trials of one study, or of all. The cross join makes SQLite go through the studies first, and find the
 * trials of each by the index. */
static locbo_status read_open(locbo_store *store, pulses *p, locbo_error *error) {
    static const char *const sql[] = {
        "SELECT study, number, state, attempt, retries, {lost}, worker, lease,"
        " CASE WHEN attempt > 0 THEN {steps} END FROM locbo_study CROSS JOIN"
        " locbo_trial WHERE study = id AND state IN ('RUNNING', 'WAITING')"
        " ORDER BY study, state, number",
        "SELECT study, number, state, attempt, retries, {lost}, worker, lease,"
        " CASE WHEN attempt > 0 THEN {steps} END FROM locbo_trial"
        " WHERE study = $1 AND state IN ('RUNNING', 'WAITING') ORDER BY study, state, number"};
    store_value id = store_int(p->study ? p->study->id : 0);
    size_t one = p->study != NULL;
    return store_query(store, sql[one], one, &id, take_open, p, NULL, error);
}

static locbo_status read_pulses(locbo_store *store, void *user, locbo_error *error) {
    pulses *p = user;
    clear(p);
    locbo_status status = read_beats(store, p, error);
    if (status == LOCBO_OK && p->study && p->count == 0) return ledger_gone(p->study, error);
    return status == LOCBO_OK ? read_open(store, p, error) : status;
}

locbo_status locbo_store_each_pulse(locbo_store *store, locbo_pulse_fn *fn, void *user, locbo_error *error) {
    if (!store || !fn) return status_fail(error, LOCBO_ERR_ARGUMENT, "store and fn must be given");
    pulses p = {0};
    locbo_status status = store_read(store, read_pulses, &p, error);
    for (size_t i = 0; status == LOCBO_OK && i < p.count; i++) {
        p.beats[i].pulse.name = p.beats[i].name;
        if (fn(&p.beats[i].pulse, user) != 0) break;
    }
    clear(&p);
    return status == LOCBO_OK ? status_ok(error) : status;
}

locbo_status locbo_study_pulse(locbo_study *study, locbo_pulse *pulse, locbo_error *error) {
    if (!study || !pulse) return status_fail(error, LOCBO_ERR_ARGUMENT, "study and pulse must not be NULL");
    pulses p = {.study = study};
    locbo_status status = store_read(study->store, read_pulses, &p, error);
    if (status == LOCBO_OK) {
        *pulse = p.beats[0].pulse;
        pulse->name = study->name;
    }
    clear(&p);
    return status == LOCBO_OK ? status_ok(error) : status;
}
