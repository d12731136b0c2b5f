/* pulse.c - whether anything of a study has changed, in a few numbers. Layer: study, top. Cost: for each study its own row
 * and its trials that wait or run, which an index finds; what has ended is counted in the study's row. */
#include <string.h>

#include "ledger.h"
#include "mem.h"

typedef struct pulses {
    size_t count, capacity;
    struct beat {
        int64_t id;
        char *name;
        locbo_pulse pulse;
    } * beats;
} pulses;

static void clear(pulses *p) {
    for (size_t i = 0; i < p->count; i++) mem_free(p->beats[i].name);
    mem_free(p->beats);
    *p = (pulses){0};
}

/* FNV-1a. */
static void mix(uint64_t *stamp, const void *bytes, size_t size) {
    const unsigned char *b = bytes;
    for (size_t i = 0; i < size; i++) *stamp = (*stamp ^ b[i]) * UINT64_C(0x100000001b3);
}

/* Kind and size go in too, so that no two lists of columns are the same bytes. */
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

static locbo_status take_study(const store_value *columns, size_t count, void *user,
                               locbo_error *error) {
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

static locbo_status take_open(const store_value *columns, size_t count, void *user,
                              locbo_error *error) {
    locbo_pulse *p = user;
    (void)error;
    p->running += strcmp(store_as_text(&columns[1]), "RUNNING") == 0;
    mix_columns(&p->stamp, columns, count);
    return LOCBO_OK;
}

static locbo_status read_pulses(locbo_store *store, void *user, locbo_error *error) {
    pulses *p = user;
    clear(p);
    locbo_status status =
        store_query(store,
                    "SELECT id, name, trials, events, stop_reason, plan, proposer, proposer_until"
                    " FROM locbo_study ORDER BY id",
                    0, NULL, take_study, p, NULL, error);
    for (size_t i = 0; status == LOCBO_OK && i < p->count; i++)
        status = store_query(store,
                             "SELECT number, state, attempt, retries, worker, lease"
                             " FROM locbo_trial WHERE study = $1 AND state IN ('RUNNING',"
                             " 'WAITING') ORDER BY state, number",
                             VALUES(store_int(p->beats[i].id)), take_open, &p->beats[i].pulse, NULL,
                             error);
    return status;
}

locbo_status locbo_store_each_pulse(locbo_store *store, locbo_pulse_fn *fn, void *user,
                                    locbo_error *error) {
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
