/* watcher.h - how a long computation hears that its caller wants it to end (locbo_optimizer_watch). Layer: core,
 * bottom.
 *
 * An optimizer has one watcher; its models and their configurations point to it, and whatever computes for long asks it
 * between two pieces of work: of a few hundredths of a second each with some thousand rows, or of one LAPACK call.
 * Cost: one call of the caller's function. */
#ifndef WATCHER_H
#define WATCHER_H

#include "status.h"

typedef struct watcher {
    locbo_watch_fn *fn; /* NULL: nobody watches */
    void *user;
    int cancelled; /* fn has cancelled the present call; it is not called again until the next one */
} watcher;

/* Whether the computation is to end; w may be NULL. */
static inline int watcher_cancels(watcher *w) {
    if (!w || !w->fn) return 0;
    if (!w->cancelled) w->cancelled = w->fn(w->user) != 0;
    return w->cancelled;
}

/* The same as a status. */
static inline locbo_status watcher_check(watcher *w, locbo_error *error) {
    return watcher_cancels(w) ? status_fail(error, LOCBO_ERR_CANCELLED, "cancelled by the caller") : LOCBO_OK;
}

/* Whether a failure ends the whole call: no memory, or cancelled. After any other, which is numerical trouble,
 * something else is tried. */
static inline int watcher_is_end(locbo_status status) {
    return status == LOCBO_ERR_MEMORY || status == LOCBO_ERR_CANCELLED;
}

#endif
