/* db_connection.c - a database connection with its lock and its cached studies. Layer: web, parts. */
#include "db_connection.h"

#include <pthread.h>
#include <string.h>

#include "mem.h"
#include "source.h"

enum { SLOTS = 4 }; /* cached studies; the least recently used one is dropped for a new one */

typedef struct slot {
    char *name; /* NULL: free */
    cache *cache;
    uint64_t used; /* number of its last use */
} slot;

struct db_connection {
    pthread_mutex_t lock; /* of the next five */
    pthread_cond_t turn;
    size_t waiting, most; /* requests that wait, and how many may */
    int busy, stopped;
    source source; /* this and what follows: used by the request that has the turn */
    slot slots[SLOTS];
    uint64_t uses;
};

/* ---- one at a time --------------------------------------------------------------------------- */

int db_connection_is_stopped(db_connection *d) {
    pthread_mutex_lock(&d->lock);
    int stopped = d->stopped;
    pthread_mutex_unlock(&d->lock);
    return stopped;
}

/* Called while a call waits for the database. */
static int give_up(const char *why, double waited, void *user) {
    (void)why, (void)waited;
    return db_connection_is_stopped(user);
}

locbo_status db_connection_create(db_connection **made, const char *url, size_t most, locbo_error *error) {
    db_connection *d = mem_new(1, sizeof *d);
    if (!d) return status_no_memory(error);
    d->most = most;
    d->source = (source){.url = url, .fn = give_up, .user = d};
    pthread_mutex_init(&d->lock, NULL);
    pthread_cond_init(&d->turn, NULL);
    *made = d;
    return LOCBO_OK;
}

static void drop(slot *p) {
    cache_close(p->cache);
    mem_free(p->name);
    *p = (slot){0};
}

static void clear(db_connection *d) {
    for (size_t i = 0; i < SLOTS; i++) drop(&d->slots[i]);
    source_close(&d->source);
}

void db_connection_stop(db_connection *d) {
    if (!d) return;
    pthread_mutex_lock(&d->lock);
    d->stopped = 1;
    pthread_cond_broadcast(&d->turn);
    pthread_mutex_unlock(&d->lock);
}

void db_connection_destroy(db_connection *d) {
    if (!d) return;
    clear(d);
    pthread_cond_destroy(&d->turn);
    pthread_mutex_destroy(&d->lock);
    mem_free(d);
}

static locbo_status take_turn(db_connection *d, locbo_error *error) {
    if (d->waiting >= d->most) return status_fail(error, LOCBO_ERR_BUSY, "%zu requests are waiting already", d->most);
    d->waiting++;
    while (d->busy && !d->stopped) pthread_cond_wait(&d->turn, &d->lock);
    d->waiting--;
    if (d->stopped) return status_fail(error, LOCBO_ERR_BUSY, "the server is stopping");
    d->busy = 1;
    return LOCBO_OK;
}

locbo_status db_connection_enter(db_connection *d, locbo_error *error) {
    pthread_mutex_lock(&d->lock);
    locbo_status status = take_turn(d, error);
    pthread_mutex_unlock(&d->lock);
    if (status != LOCBO_OK) return status;
    if (source_is_stale(&d->source)) clear(d);
    status = source_open(&d->source, error);
    if (status != LOCBO_OK) db_connection_leave(d, status);
    return status;
}

void db_connection_leave(db_connection *d, locbo_status status) {
    if (source_is_broken(&d->source, status)) clear(d);
    pthread_mutex_lock(&d->lock);
    d->busy = 0;
    pthread_cond_signal(&d->turn);
    pthread_mutex_unlock(&d->lock);
}

locbo_store *db_connection_store(db_connection *d) { return d->source.store; }

/* ---- cached studies -------------------------------------------------------------------------- */

static slot *find_slot(db_connection *d, const char *name) {
    for (size_t i = 0; i < SLOTS; i++)
        if (d->slots[i].name && strcmp(d->slots[i].name, name) == 0) return &d->slots[i];
    return NULL;
}

/* A free slot. */
static slot *free_slot(db_connection *d) {
    slot *oldest = &d->slots[0];
    for (size_t i = 0; i < SLOTS && oldest->name; i++)
        if (!d->slots[i].name || d->slots[i].used < oldest->used) oldest = &d->slots[i];
    drop(oldest);
    return oldest;
}

/* `name` NULL: the only one. */
static locbo_status open_study(db_connection *d, const char *name, slot **opened, locbo_error *error) {
    slot fresh = {0}; /* no slot is freed for a study that cannot be opened */
    locbo_status status = cache_open(&fresh.cache, d->source.store, name, error);
    if (status != LOCBO_OK) return status;
    fresh.name = mem_text(locbo_study_name(cache_study(fresh.cache)));
    if (!fresh.name) {
        drop(&fresh);
        return status_no_memory(error);
    }
    *opened = free_slot(d);
    **opened = fresh;
    return LOCBO_OK;
}

typedef struct only {
    size_t count;
    char *name; /* of the first */
} only;

static int take_name(const char *name, void *user) {
    only *o = user;
    if (o->count++ == 0) o->name = mem_text(name);
    return o->count > 1;
}

/* The slot of the only study; with none or several studies, the error of opening it. */
static locbo_status only_study(db_connection *d, slot **found, locbo_error *error) {
    only o = {0};
    locbo_status status = locbo_store_each(d->source.store, take_name, &o, error);
    *found = status == LOCBO_OK && o.count == 1 && o.name ? find_slot(d, o.name) : NULL;
    mem_free(o.name);
    if (status == LOCBO_OK && !*found) status = open_study(d, NULL, found, error);
    return status;
}

static locbo_status find_study(db_connection *d, const char *name, slot **found, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    *found = name ? find_slot(d, name) : NULL;
    if (!name)
        status = only_study(d, found, error);
    else if (!*found)
        status = open_study(d, name, found, error);
    if (status == LOCBO_OK) (*found)->used = ++d->uses;
    return status;
}

/* ---- views ----------------------------------------------------------------------------------- */

/* Whether LOCBO_ERR_NOT_FOUND was of the study itself. */
static int is_deleted(cache *c) {
    const locbo_census *census;
    return cache_census(c, &census, NULL) == LOCBO_ERR_NOT_FOUND;
}

static int is_renamed(const slot *p) { return strcmp(p->name, locbo_study_name(cache_study(p->cache))) != 0; }

/* *again: the cached study has been deleted or renamed; there may be a new one of the same name. */
static locbo_status try_view(db_connection *d, const view *v, const query *q, json_t **answer, int *again,
                             locbo_error *error) {
    slot *p = NULL;
    locbo_status status = find_study(d, query_get(q, "study"), &p, error);
    *again = 0;
    if (status != LOCBO_OK) return status;
    status = view_answer(v, p->cache, q, answer, error);
    *again = is_renamed(p) || (status == LOCBO_ERR_NOT_FOUND && is_deleted(p->cache));
    if (!*again) return status;
    if (status == LOCBO_OK) json_decref(*answer);
    *answer = NULL;
    drop(p);
    return status;
}

locbo_status db_connection_view(db_connection *d, const view *v, const query *q, json_t **answer, locbo_error *error) {
    int again;
    locbo_status status = try_view(d, v, q, answer, &again, error);
    return again ? try_view(d, v, q, answer, &again, error) : status;
}
