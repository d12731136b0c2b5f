/* clients.c - see clients.h. Every value, point and reason that a client writes is a number used once, its key, so that
 * it can be looked for in the database afterwards. */
#include "clients.h"

#include <inttypes.h>
#include <pthread.h>
#include <time.h>

#include "check.h"

enum { CLIENTS = 4, ROWS = 3, NAME = 24 };

/* Where a key is: a measured value, the reason of a failure, the first coordinate of a trial. */
typedef enum place { VALUE, REASON, POINT, PLACES } place;

typedef struct fact {
    place place;
    double key;
    locbo_status status; /* that was answered */
} fact;

typedef struct held {
    uint64_t trial, attempt;
} held;

typedef struct client {
    client_group *all;
    pthread_t thread;
    int number;
    char worker[NAME], why[256]; /* why: the call that could not go on */
    uint64_t random, serial, calls, unsure, unsure_asks, refused;
    locbo_store *store;
    locbo_study *study;
    held held[64]; /* trials that it was given, and that have not ended */
    size_t held_count, fact_count, capacity;
    fact *facts;
} client;

struct client_group {
    const fault_source *source;
    double until;
    client clients[CLIENTS];
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t draw(client *c, uint64_t below) {
    c->random = c->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (c->random >> 33) % below;
}

/* ---- clients ----------------------------------------------------------------------------------- */

static void note(client *c, place where, double key, locbo_status status) {
    if (c->fact_count == c->capacity) {
        c->capacity = 2 * c->capacity + 64;
        fact *more = realloc(c->facts, c->capacity * sizeof *more);
        if (!more) abort();
        c->facts = more;
    }
    c->facts[c->fact_count++] = (fact){where, key, status};
}

/* Every call here is allowed; an error is "unsure" (busy) or a refusal. */
static void count(client *c, locbo_status status, const locbo_error *error) {
    c->calls++;
    if (status == LOCBO_OK) return;
    if (status == LOCBO_ERR_BUSY) {
        c->unsure++;
        return;
    }
    if (c->refused++ == 0) snprintf(c->why, sizeof c->why, "%.250s", error->message);
}

static double next_key(client *c) { return 1e7 * (c->number + 1) + (double)++c->serial; }

static void ask(client *c) {
    locbo_request request = {.struct_size = sizeof request, .worker = c->worker, .lease = 1e6};
    locbo_assignment a;
    locbo_error error;
    double x[1];
    locbo_status status = locbo_study_ask(c->study, &request, &a, x, &error);
    count(c, status, &error);
    c->unsure_asks += status == LOCBO_ERR_BUSY;
    if (status == LOCBO_OK) c->held[c->held_count++] = (held){a.trial, a.attempt};
}

/* The first of those held ends, or waits again. */
static void end_one(client *c) {
    held h = c->held[0];
    double key = next_key(c);
    char why[32];
    locbo_error error;
    locbo_status status;
    memmove(c->held, c->held + 1, --c->held_count * sizeof *c->held);
    snprintf(why, sizeof why, "%.0f", key);
    locbo_measurement y = {key, (double)NAN, 1};
    switch (draw(c, 6)) {
    case 0:
        status = locbo_study_tell_failed(c->study, h.trial, h.attempt, why, &error);
        note(c, REASON, key, status);
        break;
    case 1:
        status = locbo_study_tell_infeasible(c->study, h.trial, h.attempt, why, &error);
        note(c, REASON, key, status);
        break;
    case 2:
        status = locbo_study_requeue(c->study, h.trial, h.attempt, LOCBO_REQUEUE_SAME, 0, &error);
        break;
    default:
        status = locbo_study_tell(c->study, h.trial, h.attempt, 1, &y, &error);
        note(c, VALUE, key, status);
    }
    count(c, status, &error);
}

static void enqueue(client *c) {
    double key = next_key(c);
    locbo_error error;
    locbo_status status = locbo_study_enqueue(c->study, &key, NULL, &error);
    count(c, status, &error);
    note(c, POINT, key, status);
}

static void import(client *c) {
    double x[ROWS];
    locbo_measurement y[ROWS];
    locbo_error error;
    for (int i = 0; i < ROWS; i++) x[i] = next_key(c), y[i] = (locbo_measurement){x[i], (double)NAN, 1};
    locbo_status status = locbo_study_import(c->study, ROWS, x, y, NULL, &error);
    count(c, status, &error);
    for (int i = 0; i < ROWS; i++) note(c, VALUE, x[i], status), note(c, POINT, x[i], status);
}

static void *work(void *user) {
    client *c = user;
    while (now() < c->all->until && c->refused == 0) {
        uint64_t what = draw(c, 8);
        if (what < 4 && c->held_count < 3)
            ask(c);
        else if (what < 6 && c->held_count > 0)
            end_one(c);
        else if (what == 6)
            enqueue(c);
        else if (what == 7)
            import(c);
    }
    return NULL;
}

static void create_study(const fault_source *source) {
    locbo_study *study;
    locbo_space *space;
    locbo_options options;
    locbo_options_init(&options);
    options.method = LOCBO_METHOD_RANDOM;
    locbo_definition d = {.struct_size = sizeof d, .options = &options};
    check_ok(locbo_space_create(&space, &error));
    check_ok(locbo_space_add_real(space, "x", 0, 1e9, LOCBO_LINEAR, &error));
    d.space = space;
    locbo_study_delete(source->direct(), "crowd", NULL);
    check_ok(locbo_study_create(&study, source->direct(), "crowd", &d, NULL, &error));
    locbo_study_close(study);
    locbo_space_destroy(space);
}

client_group *clients_run(const fault_source *source, double seconds, uint64_t seed) {
    client_group *all = calloc(1, sizeof *all);
    assert_non_null(all);
    create_study(source);
    all->source = source;
    for (int i = 0; i < CLIENTS; i++) {
        client *c = &all->clients[i];
        *c = (client){.all = all, .number = i, .random = seed + (uint64_t)i};
        snprintf(c->worker, sizeof c->worker, "w%d", i);
        check_ok(locbo_store_open_patiently(&c->store, source->url, LOCBO_STORE_EXISTING, 60, NULL, NULL, &error));
        check_ok(locbo_study_open(&c->study, c->store, "crowd", &error));
    }
    all->until = now() + seconds;
    source->arm_often(seed);
    for (int i = 0; i < CLIENTS; i++)
        assert_int_equal(pthread_create(&all->clients[i].thread, NULL, work, &all->clients[i]), 0);
    for (int i = 0; i < CLIENTS; i++) pthread_join(all->clients[i].thread, NULL);
    source->disarm();
    if (source->settle) source->settle();
    return all;
}

/* ---- judgement --------------------------------------------------------------------------------- */

typedef struct keys {
    size_t count, capacity;
    double *list;
} keys;

typedef struct found {
    const client_group *all;
    keys keys[PLACES];
    uint64_t running, orphans;
} found;

static void add_key(keys *k, double key) {
    if (k->count == k->capacity) {
        k->capacity = 2 * k->capacity + 64;
        k->list = realloc(k->list, k->capacity * sizeof *k->list);
        assert_non_null(k->list);
    }
    k->list[k->count++] = key;
}

static int is_held(const client_group *all, const locbo_record *r) {
    for (int i = 0; i < CLIENTS; i++)
        for (size_t k = 0; k < all->clients[i].held_count; k++)
            if (all->clients[i].held[k].trial == r->trial.id && all->clients[i].held[k].attempt == r->attempt &&
                strcmp(all->clients[i].worker, r->worker) == 0)
                return 1;
    return 0;
}

static int take(const locbo_record *r, void *user) {
    found *f = user;
    add_key(&f->keys[POINT], r->x[0]);
    if (r->message[0]) add_key(&f->keys[REASON], atof(r->message));
    for (size_t i = 0; i < r->count; i++) add_key(&f->keys[VALUE], r->measurements[i].value);
    f->running += r->state == LOCBO_RUNNING;
    f->orphans += r->state == LOCBO_RUNNING && !is_held(f->all, r);
    return 0;
}

static void judge_fact(const fact *a, const keys *k, clients_report *report) {
    uint64_t times = 0;
    for (size_t i = 0; i < k->count; i++) times += k->list[i] == a->key;
    report->doubled += times > 1;
    report->lost += a->status == LOCBO_OK && times == 0;
    report->refused += a->status != LOCBO_OK && a->status != LOCBO_ERR_BUSY && times > 0;
}

clients_report clients_judge(client_group *all, const fault_source *source) {
    clients_report report = {0};
    found f = {.all = all};
    uint64_t unsure_asks = 0, held_count = 0;
    locbo_study *study;
    check_ok(locbo_study_open(&study, source->direct(), "crowd", &error));
    check_ok(locbo_study_each(study, NULL, take, &f, &error));
    locbo_study_close(study);
    check_ok(locbo_study_delete(source->direct(), "crowd", &error));
    for (int i = 0; i < CLIENTS; i++) {
        client *c = &all->clients[i];
        for (size_t k = 0; k < c->fact_count; k++) judge_fact(&c->facts[k], &f.keys[c->facts[k].place], &report);
        if (c->refused) print_message("client %d was refused: %s\n", i, c->why);
        report.calls += c->calls;
        report.unsure += c->unsure;
        report.refused += c->refused;
        unsure_asks += c->unsure_asks;
        held_count += c->held_count;
        locbo_study_close(c->study);
        locbo_store_close(c->store);
        free(c->facts);
    }
    report.orphans = f.orphans > unsure_asks ? f.orphans - unsure_asks : 0;
    report.lost += f.running < held_count + f.orphans; /* a trial that was given to a client is not its own */
    for (int i = 0; i < PLACES; i++) free(f.keys[i].list);
    free(all);
    return report;
}
