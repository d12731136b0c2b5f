/* change.c - what people change after the fact: written, and listed with the definitions before and after. Layer:
 * study, middle. */
#include "change.h"

#include <math.h>
#include <string.h>

#include "definition.h"
#include "mem.h"

static const char *const names[LOCBO_CHANGES] = {"alter", "retract",  "fail",   "pause", "resume",
                                                 "stop",  "continue", "rename", "note",  "copy"};

const char *locbo_change_name(locbo_change_kind kind) {
    return (unsigned)kind < LOCBO_CHANGES ? names[kind] : "unknown";
}

/* ---- writing ----------------------------------------------------------------------------------- */

locbo_status change_insert(const locbo_study *study, const change_row *row, locbo_error *error) {
    return store_query(
        study->store,
        "INSERT INTO locbo_change (study, event, time, author, kind, trial, text, definition, plan)"
        " VALUES ($1, $2, coalesce($3, {now}), $4, $5, $6, $7, $8, $9)",
        VALUES(store_int(study->id), store_count(row->event), store_real(row->time),
               store_text(row->author ? row->author : store_author(study->store)),
               store_text(locbo_change_name(row->kind)), row->trial ? store_count(row->trial) : store_text(NULL),
               store_text(row->text ? row->text : ""), store_text(row->definition), store_text(row->plan)),
        NULL, NULL, NULL, error);
}

locbo_status change_record(const locbo_study *study, locbo_change_kind kind, uint64_t trial, const char *text,
                           uint64_t *event, locbo_error *error) {
    change_row row = {.kind = kind, .trial = trial, .text = text, .time = (double)NAN};
    locbo_status status = ledger_take_event(study, &row.event, error);
    if (status == LOCBO_OK) status = change_insert(study, &row, error);
    if (event) *event = row.event;
    return status;
}

/* ---- reading ----------------------------------------------------------------------------------- */

enum { AUTHOR, TEXT, DEFINITION, PLAN, TEXTS };

struct change_item {
    uint64_t event, trial;
    double time;
    locbo_change_kind kind;
    char *text[TEXTS]; /* NULL: none */
};

void change_release(change_list *list) {
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = 0; k < TEXTS; k++) mem_free(list->items[i].text[k]);
    mem_free(list->items);
    mem_free(list->definition);
    mem_free(list->plan);
    *list = (change_list){.study = list->study, .after = list->after};
}

static locbo_status take_change(const store_value *columns, size_t count, void *user, locbo_error *error) {
    change_list *list = user;
    const char *kind = store_as_text(&columns[2]);
    unsigned k = 0;
    (void)count;
    while (k < LOCBO_CHANGES && strcmp(kind, names[k]) != 0) k++;
    if (k == LOCBO_CHANGES)
        return status_fail(error, LOCBO_ERR_IO, "the study '%s' is damaged: there is no change '%s'", list->study->name,
                           kind);
    if (!mem_reserve(&list->items, &list->capacity, list->count + 1, sizeof *list->items))
        return status_no_memory(error);
    struct change_item *item = &list->items[list->count++];
    *item = (struct change_item){.event = store_as_count(&columns[0]),
                                 .time = store_as_real(&columns[1]),
                                 .kind = (locbo_change_kind)k,
                                 .trial = store_as_count(&columns[3])};
    for (size_t i = 0; i < TEXTS; i++) {
        if (columns[4 + i].kind == STORE_NULL) continue;
        item->text[i] = mem_text(store_as_text(&columns[4 + i]));
        if (!item->text[i]) return status_no_memory(error);
    }
    return LOCBO_OK;
}

static locbo_status take_present(const store_value *columns, size_t count, void *user, locbo_error *error) {
    change_list *list = user;
    (void)count;
    list->definition = mem_text(store_as_text(&columns[0]));
    list->plan = mem_text(store_as_text(&columns[1]));
    return list->definition && list->plan ? LOCBO_OK : status_no_memory(error);
}

locbo_status change_read(change_list *list, locbo_error *error) {
    locbo_store *store = list->study->store;
    store_value id = store_int(list->study->id);
    uint64_t found = 0;
    change_release(list);
    locbo_status status = store_query(store, "SELECT definition, plan FROM locbo_study WHERE id = $1", 1, &id,
                                      take_present, list, &found, error);
    if (status == LOCBO_OK && found == 0) return ledger_gone(list->study, error);
    if (status != LOCBO_OK || store_version(store) < 6) return status;
    return store_query(store,
                       "SELECT event, time, kind, trial, author, text, definition, plan FROM locbo_change"
                       " WHERE study = $1 AND event > $2 ORDER BY event",
                       VALUES(id, store_count(list->after)), take_change, list, NULL, error);
}

static int takes_back(locbo_change_kind kind) { return kind == LOCBO_CHANGE_RETRACT || kind == LOCBO_CHANGE_FAIL; }

locbo_status change_copy(const change_list *list, const locbo_study *to, locbo_error *error) {
    uint64_t revision = 0, retraction = 0;
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; i < list->count && status == LOCBO_OK; i++) {
        const struct change_item *item = &list->items[i];
        if (item->text[DEFINITION]) revision = item->event;
        if (takes_back(item->kind)) retraction = item->event;
        status = change_insert(to,
                               &(change_row){.event = item->event,
                                             .kind = item->kind,
                                             .trial = item->trial,
                                             .text = item->text[TEXT],
                                             .definition = item->text[DEFINITION],
                                             .plan = item->text[PLAN],
                                             .author = item->text[AUTHOR],
                                             .time = item->time},
                               error);
    }
    if (status != LOCBO_OK) return status;
    return store_query(to->store, "UPDATE locbo_study SET revision = $2, retraction = $3 WHERE id = $1",
                       VALUES(store_int(to->id), store_count(revision), store_count(retraction)), NULL, NULL, NULL,
                       error);
}

/* A text of change i, or of the next one that has it: what was in force after change i - 1. */
static const char *text_from(const change_list *list, size_t i, size_t which) {
    while (i < list->count && !list->items[i].text[which]) i++;
    if (i < list->count) return list->items[i].text[which];
    return which == PLAN ? list->plan : list->definition;
}

/* A definition of the past, as the caller sees it. */
typedef struct past {
    definition_parts parts;
    locbo_definition definition;
} past;

static locbo_status read_past(past *p, const char *text, locbo_error *error) {
    locbo_status status = definition_read(text, &p->parts, error);
    p->definition = (locbo_definition){.struct_size = sizeof p->definition,
                                       .space = p->parts.space,
                                       .options = &p->parts.options,
                                       .command_count = p->parts.command_count,
                                       .command = (const char *const *)p->parts.command,
                                       .outputs = p->parts.outputs};
    return status;
}

/* One change; `end` receives what the caller's function returned. */
static locbo_status give(const change_list *list, size_t i, locbo_change_fn *fn, void *user, int *end,
                         locbo_error *error) {
    const struct change_item *item = &list->items[i];
    past before = {.parts = {.space = NULL}}, after = before;
    locbo_plan plan_before, plan_after;
    locbo_change change = {.event = item->event,
                           .time = item->time,
                           .author = item->text[AUTHOR],
                           .kind = item->kind,
                           .trial = item->trial,
                           .text = item->text[TEXT]};
    locbo_status status = LOCBO_OK;
    if (item->text[DEFINITION]) {
        status = read_past(&before, item->text[DEFINITION], error);
        if (status == LOCBO_OK) status = read_past(&after, text_from(list, i + 1, DEFINITION), error);
        change.before = &before.definition;
        change.after = &after.definition;
    }
    if (status == LOCBO_OK && item->text[PLAN]) {
        status = definition_read_plan(item->text[PLAN], &plan_before, error);
        if (status == LOCBO_OK) status = definition_read_plan(text_from(list, i + 1, PLAN), &plan_after, error);
        change.plan_before = &plan_before;
        change.plan_after = &plan_after;
    }
    if (status == LOCBO_OK) *end = fn(&change, user);
    definition_release(&before.parts);
    definition_release(&after.parts);
    return status;
}

locbo_status change_give(const change_list *list, locbo_change_fn *fn, void *user, locbo_error *error) {
    locbo_status status = LOCBO_OK;
    int end = 0;
    for (size_t i = 0; i < list->count && status == LOCBO_OK && !end; i++)
        status = give(list, i, fn, user, &end, error);
    return status;
}

static locbo_status read_all(locbo_store *store, void *user, locbo_error *error) {
    (void)store;
    return change_read(user, error);
}

locbo_status locbo_study_each_change(locbo_study *study, uint64_t after, locbo_change_fn *fn, void *user,
                                     locbo_error *error) {
    if (!study || !fn) return status_fail(error, LOCBO_ERR_ARGUMENT, "study and fn must be given");
    change_list list = {.study = study, .after = after};
    locbo_status status = store_read(study->store, read_all, &list, error);
    if (status == LOCBO_OK) status = change_give(&list, fn, user, error);
    change_release(&list);
    return status == LOCBO_OK ? status_ok(error) : status;
}
