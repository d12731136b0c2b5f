/* watch.h - one thread that looks twice a second whether any study has changed, as long as somebody wants to know, and
 * wakes those who do. */
#ifndef WATCH_H
#define WATCH_H

#include <stdint.h>

#include "status.h"

typedef struct watch watch;

/* Starts the thread. `url` is the caller's and must outlive it. */
locbo_status watch_create(watch **made, const char *url, locbo_error *error);
/* Whoever waits is woken, and told WATCH_END. */
void watch_stop(watch *w);
/* Joins the thread. When nobody waits any more. */
void watch_destroy(watch *w);

/* What there is to tell of a study. */
typedef enum watch_news {
    WATCH_QUIET,   /* nothing so far */
    WATCH_CHANGE,  /* it has changed, or this is the first look, or it can be read again */
    WATCH_TROUBLE, /* the database cannot be read */
    WATCH_GONE,    /* there is no such study */
    WATCH_END      /* the watch was stopped */
} watch_news;

/* Somebody who wants to know: what he has been told. */
typedef struct watcher {
    char *name;                     /* of the study; NULL: the only one */
    uint64_t look;                  /* the first one that counts for him */
    int told;                       /* he has heard of a change */
    uint64_t stamp, trials, events; /* as last told */
    char trouble[256];              /* as last told; "": none */
} watcher;

/* `name` (may be NULL) is copied. LOCBO_ERR_BUSY: there are too many. */
locbo_status watch_join(watch *w, watcher *who, const char *name, locbo_error *error);
void watch_leave(watch *w, watcher *who);
/* Wait for news, at most so long. */
watch_news watch_await(watch *w, watcher *who, double seconds);

#endif
