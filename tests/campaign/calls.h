/* calls.h - every call of study.h that uses the database, once each on the same small study, and what it answered as a
 * text. The studies of the scene (scene_fill): "s" has 6 results (trials 1 to 6), two RUNNING trials of the worker "a"
 * (7, 8), of which 7 has an output, and two that wait (9, 10); "several" has the outputs a, b (objectives) and c,
 * derived (a constraint), 6 results and a RUNNING trial (7); "empty" has no trials. */
#ifndef CALLS_H
#define CALLS_H

#include <locbo/study.h>
#include <stdio.h>

typedef struct scene {
    const char *url;     /* with faults */
    const char *blank;   /* with faults: an empty database */
    locbo_store *direct; /* without faults */
    double patience;     /* of `store`, seconds */
    locbo_store *store;  /* of `url` */
    locbo_study *study;  /* of `store`: "s" */
} scene;

typedef enum call_kind {
    CALL_WRITES,
    CALL_ASKS,  /* what it leaves RUNNING must be what it answered */
    CALL_BEATS, /* may be repeated as often as one likes */
    CALL_READS,
    CALL_OPENS /* `store` is not open before */
} call_kind;

typedef struct call {
    const char *name;
    call_kind kind;
    const char *study;  /* of the scene; "": `study` is not opened. NULL: "s" */
    const char *change; /* a statement that changes the scene before the call, or NULL */
    locbo_status (*run)(scene *s, FILE *answer, locbo_error *error);
} call;

extern const call calls[];
extern const size_t call_count;

/* Create the studies in a database without others, and keep a copy of the tables. */
void scene_fill(locbo_store *direct);
/* All as after scene_fill; then the statement of the call. */
void scene_restore(locbo_store *direct, const char *change);

#endif
