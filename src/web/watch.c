/* watch.c - one thread that checks whether any study has changed. Layer: web, parts. */
#include "watch.h"

#include <stdio.h>
#include <string.h>

#include "clock.h"
#include "condition.h"
#include "mem.h"
#include "source.h"

static const double interval = 0.5; /* seconds between two checks */

/* All studies at one check. */
typedef struct snapshot {
    size_t count, capacity;
    struct seen {
        char *name;
        uint64_t stamp, trials, events;
    } * seen;
    int failed; /* no memory */
} snapshot;

struct watch {
    pthread_t thread;
    source source; /* the thread's */
    pthread_mutex_t lock;
    pthread_cond_t wake, news; /* for the thread; for the watchers */
    int stopped;
    size_t watchers;
    uint64_t begun, done; /* numbers of checks */
    uint64_t wanted;      /* a watcher waits for this check */
    snapshot snapshot;
    char trouble[256]; /* error of the last check; "": none */
};

/* ---- one check ------------------------------------------------------------------------------- */

static void clear(snapshot *s) {
    for (size_t i = 0; i < s->count; i++) mem_free(s->seen[i].name);
    mem_free(s->seen);
    *s = (snapshot){0};
}

static int take_pulse(const locbo_pulse *pulse, void *user) {
    snapshot *s = user;
    char *name = mem_text(pulse->name);
    if (!name || !mem_reserve(&s->seen, &s->capacity, s->count + 1, sizeof *s->seen)) {
        mem_free(name);
        s->failed = 1;
        return 1;
    }
    s->seen[s->count++] = (struct seen){name, pulse->stamp, pulse->trials, pulse->events};
    return 0;
}

static locbo_status check_all(source *from, snapshot *s, locbo_error *error) {
    if (source_is_stale(from)) source_close(from);
    locbo_status status = source_open(from, error);
    if (status == LOCBO_OK) status = locbo_store_each_pulse(from->store, take_pulse, s, error);
    if (status == LOCBO_OK && s->failed) status = status_no_memory(error);
    if (source_is_broken(from, status)) source_close(from);
    return status;
}

/* The lock is held on entry and on return, not in between. */
static void check_once(watch *w) {
    snapshot fresh = {0};
    locbo_error error;
    w->begun++;
    pthread_mutex_unlock(&w->lock);
    locbo_status status = check_all(&w->source, &fresh, &error);
    pthread_mutex_lock(&w->lock);
    w->done++;
    w->trouble[0] = '\0';
    if (status != LOCBO_OK) {
        snprintf(w->trouble, sizeof w->trouble, "%s", error.message);
        clear(&fresh); /* the result of the last good check stays */
    } else {
        clear(&w->snapshot);
        w->snapshot = fresh;
    }
    pthread_cond_broadcast(&w->news);
}

/* ---- the thread ------------------------------------------------------------------------------ */

static void *run(void *user) {
    watch *w = user;
    pthread_mutex_lock(&w->lock);
    while (!w->stopped) {
        if (w->watchers == 0) {
            pthread_cond_wait(&w->wake, &w->lock);
            continue;
        }
        check_once(w);
        if (!w->stopped && w->wanted <= w->done) condition_wait(&w->wake, &w->lock, clock_now() + interval);
    }
    pthread_mutex_unlock(&w->lock);
    source_close(&w->source);
    return NULL;
}

/* Called while a check waits for the database. */
static int give_up(const char *why, double waited, void *user) {
    watch *w = user;
    (void)why, (void)waited;
    pthread_mutex_lock(&w->lock);
    int stopped = w->stopped;
    pthread_mutex_unlock(&w->lock);
    return stopped;
}

static void init_locks(watch *w) {
    pthread_mutex_init(&w->lock, NULL);
    condition_init(&w->wake);
    condition_init(&w->news);
}

static void destroy_locks(watch *w) {
    pthread_cond_destroy(&w->news);
    pthread_cond_destroy(&w->wake);
    pthread_mutex_destroy(&w->lock);
}

locbo_status watch_create(watch **made, const char *url, locbo_error *error) {
    watch *w = mem_new(1, sizeof *w);
    if (!w) return status_no_memory(error);
    w->source = (source){.url = url, .fn = give_up, .user = w};
    init_locks(w);
    if (pthread_create(&w->thread, NULL, run, w) != 0) {
        destroy_locks(w);
        mem_free(w);
        return status_fail(error, LOCBO_ERR_IO, "the system has no more threads");
    }
    *made = w;
    return LOCBO_OK;
}

void watch_stop(watch *w) {
    if (!w) return;
    pthread_mutex_lock(&w->lock);
    w->stopped = 1;
    pthread_cond_broadcast(&w->wake);
    pthread_cond_broadcast(&w->news);
    pthread_mutex_unlock(&w->lock);
}

void watch_destroy(watch *w) {
    if (!w) return;
    watch_stop(w);
    pthread_join(w->thread, NULL);
    clear(&w->snapshot);
    destroy_locks(w);
    mem_free(w);
}

/* ---- watchers -------------------------------------------------------------------------------- */

locbo_status watch_join(watch *w, watcher *who, const char *name, locbo_error *error) {
    char *copy = name ? mem_text(name) : NULL;
    if (name && !copy) return status_no_memory(error);
    pthread_mutex_lock(&w->lock);
    /* a check that has begun already may miss the latest changes */
    *who = (watcher){.name = copy, .first = w->begun + 1};
    w->wanted = w->begun + 1;
    w->watchers++;
    pthread_cond_signal(&w->wake);
    pthread_mutex_unlock(&w->lock);
    return LOCBO_OK;
}

void watch_leave(watch *w, watcher *who) {
    pthread_mutex_lock(&w->lock);
    w->watchers--;
    pthread_mutex_unlock(&w->lock);
    mem_free(who->name);
    who->name = NULL;
}

static const struct seen *find(const snapshot *s, const char *name) {
    if (!name) return s->count == 1 ? &s->seen[0] : NULL;
    for (size_t i = 0; i < s->count; i++)
        if (strcmp(s->seen[i].name, name) == 0) return &s->seen[i];
    return NULL;
}

static watch_news tell_trouble(watcher *who, const char *trouble) {
    if (strcmp(who->trouble, trouble) == 0) return WATCH_QUIET;
    snprintf(who->trouble, sizeof who->trouble, "%s", trouble);
    return WATCH_TROUBLE;
}

/* What the watcher has not been told yet; marks it as told. */
static watch_news tell(const watch *w, watcher *who) {
    if (w->stopped) return WATCH_END;
    if (w->done < who->first) return WATCH_QUIET;
    if (w->trouble[0]) return tell_trouble(who, w->trouble);
    const struct seen *seen = find(&w->snapshot, who->name);
    if (!seen) return WATCH_GONE;
    if (who->told && !who->trouble[0] && who->stamp == seen->stamp) return WATCH_QUIET;
    if (!who->name) who->name = mem_text(seen->name); /* the same study, also when others are created */
    who->told = 1;
    who->trouble[0] = '\0';
    who->stamp = seen->stamp, who->trials = seen->trials, who->events = seen->events;
    return WATCH_CHANGE;
}

watch_news watch_await(watch *w, watcher *who, double seconds) {
    double end = clock_now() + seconds;
    watch_news news;
    int late = 0;
    pthread_mutex_lock(&w->lock);
    while ((news = tell(w, who)) == WATCH_QUIET && !late) late = !condition_wait(&w->news, &w->lock, end);
    pthread_mutex_unlock(&w->lock);
    return news;
}
