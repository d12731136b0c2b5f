/* watch.h - one thread that checks twice a second whether any study has changed, while there are watchers, and wakes
 * them. */
#ifndef WATCH_H
#define WATCH_H

#include <stdint.h>

#include "status.h"

typedef struct watch watch;

/* Starts the thread. `url` is the caller's and must outlive it. */
locbo_status watch_create(watch **made, const char *url, locbo_error *error);
/* Wakes all watchers with WATCH_END. */
void watch_stop(watch *w);
/* Joins the thread. Only when no watcher waits. */
void watch_destroy(watch *w);

/* What a watcher is told. */
typedef enum watch_news {
    WATCH_QUIET,   /* nothing so far */
    WATCH_CHANGE,  /* the study has changed, or this is the first check, or it can be read again */
    WATCH_TROUBLE, /* the database cannot be read */
    WATCH_GONE,    /* there is no such study */
    WATCH_END      /* the watch was stopped */
} watch_news;

/* One that waits for changes of a study, and what it has been told. */
typedef struct watcher {
    char *name;                     /* of the study; NULL: the only one */
    uint64_t first;                 /* number of the first check that is new enough */
    int told;                       /* it has been told a change */
    uint64_t stamp, trials, events; /* as last told */
    char trouble[256];              /* as last told; "": none */
} watcher;

/* `name` (may be NULL) is copied. */
locbo_status watch_join(watch *w, watcher *who, const char *name, locbo_error *error);
void watch_leave(watch *w, watcher *who);
/* Wait for news, at most so many seconds. */
watch_news watch_await(watch *w, watcher *who, double seconds);

#endif
