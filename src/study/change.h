/* change.h - what people change after the fact, as rows of the database. */
#ifndef CHANGE_H
#define CHANGE_H

#include "ledger.h"

typedef struct change_row {
    uint64_t event;
    locbo_change_kind kind;
    uint64_t trial;                /* 0: the study */
    const char *text;              /* NULL: "" */
    const char *definition, *plan; /* JSON, as they were before; NULL: they are the same */
    const char *author;            /* NULL: the store's */
    double time;                   /* NAN: now */
} change_row;

/* Inside a transaction: with its event number, for a study that is being restored. */
locbo_status change_insert(const locbo_study *study, const change_row *row, locbo_error *error);
/* Inside a transaction: with the next event number, which `event` (may be NULL) receives; by the store's author, now.
 */
locbo_status change_record(const locbo_study *study, locbo_change_kind kind, uint64_t trial, const char *text,
                           uint64_t *event, locbo_error *error);

/* All changes of a study, read in one transaction. */
typedef struct change_list {
    locbo_study *study;
    uint64_t after;
    size_t count, capacity;
    struct change_item *items;
    char *definition, *plan; /* the present ones */
} change_list;

/* Inside a transaction; it may be repeated. */
locbo_status change_read(change_list *list, locbo_error *error);
/* Give each to `fn`; until that returns anything but 0. */
locbo_status change_give(const change_list *list, locbo_change_fn *fn, void *user, locbo_error *error);
void change_release(change_list *list);
/* Inside a transaction: write them to another study, with what they say of the study's row. */
locbo_status change_copy(const change_list *list, const locbo_study *to, locbo_error *error);

#endif
