/* lane.c - a way to the database that one request at a time goes along. Layer: web, parts. */
#include "lane.h"

#include <pthread.h>
#include <string.h>

#include "mem.h"
#include "source.h"

enum { DESKS = 4 }; /* studies kept ready; the one not used for longest makes room */

typedef struct place {
    char *name; /* NULL: free */
    desk *desk;
    uint64_t used; /* when last, by counting */
} place;

struct lane {
    pthread_mutex_t lock; /* of the next five */
    pthread_cond_t turn;
    size_t waiting, most; /* requests that wait, and may */
    int busy, stopped;
    source source; /* this and what follows: of whoever is in */
    place places[DESKS];
    uint64_t uses;
};

/* ---- one at a time --------------------------------------------------------------------------- */

int lane_is_stopped(lane *l) {
    pthread_mutex_lock(&l->lock);
    int stopped = l->stopped;
    pthread_mutex_unlock(&l->lock);
    return stopped;
}

/* Calls that wait for the database ask this. */
static int give_up(const char *why, double waited, void *user) {
    (void)why, (void)waited;
    return lane_is_stopped(user);
}

locbo_status lane_create(lane **made, const char *url, size_t most, locbo_error *error) {
    lane *l = mem_new(1, sizeof *l);
    if (!l) return status_no_memory(error);
    l->most = most;
    l->source = (source){.url = url, .fn = give_up, .user = l};
    pthread_mutex_init(&l->lock, NULL);
    pthread_cond_init(&l->turn, NULL);
    *made = l;
    return LOCBO_OK;
}

static void drop(place *p) {
    desk_close(p->desk);
    mem_free(p->name);
    *p = (place){0};
}

static void clear(lane *l) {
    for (size_t i = 0; i < DESKS; i++) drop(&l->places[i]);
    source_close(&l->source);
}

void lane_stop(lane *l) {
    if (!l) return;
    pthread_mutex_lock(&l->lock);
    l->stopped = 1;
    pthread_cond_broadcast(&l->turn);
    pthread_mutex_unlock(&l->lock);
}

void lane_destroy(lane *l) {
    if (!l) return;
    clear(l);
    pthread_cond_destroy(&l->turn);
    pthread_mutex_destroy(&l->lock);
    mem_free(l);
}

static locbo_status take_turn(lane *l, locbo_error *error) {
    if (l->waiting >= l->most) return status_fail(error, LOCBO_ERR_BUSY, "%zu requests are waiting already", l->most);
    l->waiting++;
    while (l->busy && !l->stopped) pthread_cond_wait(&l->turn, &l->lock);
    l->waiting--;
    if (l->stopped) return status_fail(error, LOCBO_ERR_BUSY, "the server is stopping");
    l->busy = 1;
    return LOCBO_OK;
}

locbo_status lane_enter(lane *l, locbo_error *error) {
    pthread_mutex_lock(&l->lock);
    locbo_status status = take_turn(l, error);
    pthread_mutex_unlock(&l->lock);
    if (status != LOCBO_OK) return status;
    if (source_is_stale(&l->source)) clear(l);
    status = source_open(&l->source, error);
    if (status != LOCBO_OK) lane_leave(l, status);
    return status;
}

void lane_leave(lane *l, locbo_status status) {
    if (source_is_broken(&l->source, status)) clear(l);
    pthread_mutex_lock(&l->lock);
    l->busy = 0;
    pthread_cond_signal(&l->turn);
    pthread_mutex_unlock(&l->lock);
}

locbo_store *lane_store(lane *l) { return l->source.store; }

/* ---- desks ----------------------------------------------------------------------------------- */

static place *find_place(lane *l, const char *name) {
    for (size_t i = 0; i < DESKS; i++)
        if (l->places[i].name && strcmp(l->places[i].name, name) == 0) return &l->places[i];
    return NULL;
}

/* A place where nothing is. */
static place *make_room(lane *l) {
    place *oldest = &l->places[0];
    for (size_t i = 0; i < DESKS && oldest->name; i++)
        if (!l->places[i].name || l->places[i].used < oldest->used) oldest = &l->places[i];
    drop(oldest);
    return oldest;
}

/* `name` NULL: the only one. */
static locbo_status open_desk(lane *l, const char *name, place **opened, locbo_error *error) {
    place fresh = {0}; /* nobody makes room for a study that cannot be opened */
    locbo_status status = desk_open(&fresh.desk, l->source.store, name, error);
    if (status != LOCBO_OK) return status;
    fresh.name = mem_text(locbo_study_name(desk_study(fresh.desk)));
    if (!fresh.name) {
        drop(&fresh);
        return status_no_memory(error);
    }
    *opened = make_room(l);
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

/* The desk of the only study; with none or several of them the failure that opening it brings. */
static locbo_status only_desk(lane *l, place **found, locbo_error *error) {
    only o = {0};
    locbo_status status = locbo_store_each(l->source.store, take_name, &o, error);
    *found = status == LOCBO_OK && o.count == 1 && o.name ? find_place(l, o.name) : NULL;
    mem_free(o.name);
    if (status == LOCBO_OK && !*found) status = open_desk(l, NULL, found, error);
    return status;
}

static locbo_status find_desk(lane *l, const char *name, place **found, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    *found = name ? find_place(l, name) : NULL;
    if (!name)
        status = only_desk(l, found, error);
    else if (!*found)
        status = open_desk(l, name, found, error);
    if (status == LOCBO_OK) (*found)->used = ++l->uses;
    return status;
}

/* ---- views ----------------------------------------------------------------------------------- */

/* Whether what was not found is the study itself. */
static int is_deleted(desk *d) {
    const locbo_census *census;
    return desk_census(d, &census, NULL) == LOCBO_ERR_NOT_FOUND;
}

/* *again: the study on the desk has been deleted; there may be a new one of its name. */
static locbo_status try_view(lane *l, const view *v, const query *q, json_t **answer, int *again, locbo_error *error) {
    place *p = NULL;
    locbo_status status = find_desk(l, query_get(q, "study"), &p, error);
    *again = 0;
    if (status != LOCBO_OK) return status;
    status = view_answer(v, p->desk, q, answer, error);
    *again = status == LOCBO_ERR_NOT_FOUND && is_deleted(p->desk);
    if (*again) drop(p);
    return status;
}

locbo_status lane_view(lane *l, const view *v, const query *q, json_t **answer, locbo_error *error) {
    int again;
    locbo_status status = try_view(l, v, q, answer, &again, error);
    return again ? try_view(l, v, q, answer, &again, error) : status;
}
