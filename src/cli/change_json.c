/* change_json.c - what was changed in a study, written to an export and read back. Layer: cli, middle.
 * An alteration has what was before it: reading goes from the last one backwards, from what the study is now. */
#include "change_json.h"

#include <math.h>
#include <string.h>

#include "json_build.h"
#include "mem.h"
#include "rows.h"
#include "study_head.h"
#include "value.h"

/* ---- writing ----------------------------------------------------------------------------------- */

/* A change of the plan alone has no definition with it, but its targets need the names of outputs: it waits for the
 * definition that was in force, which the next change of the definition has. */
typedef struct waiting {
    json_t *row; /* belongs to the list */
    locbo_plan plan;
} waiting;

typedef struct writing {
    json_t *list;
    waiting *waits;
    size_t count, capacity;
    int bad;
} writing;

static void write_plans(writing *w, const locbo_outputs *outputs) {
    for (size_t i = 0; i < w->count; i++)
        w->bad |= build_put(w->waits[i].row, "plan_before", rows_plan(outputs, &w->waits[i].plan));
    w->count = 0;
}

static int write_change(const locbo_change *c, void *user) {
    writing *w = user;
    json_t *row = rows_change(c);
    int bad = !row;
    if (c->before) {
        write_plans(w, c->before->outputs);
        bad |= build_put(row, "before", rows_definition(c->before));
    }
    if (c->plan_before) {
        if (!mem_reserve(&w->waits, &w->capacity, w->count + 1, sizeof *w->waits))
            bad = 1;
        else
            w->waits[w->count++] = (waiting){row, *c->plan_before};
        if (c->before && !bad) write_plans(w, c->before->outputs);
    }
    bad |= json_array_append_new(w->list, row);
    w->bad |= bad;
    return w->bad;
}

locbo_status change_json_write(locbo_study *study, const locbo_outputs *present, json_t **list, locbo_error *error) {
    writing w = {.list = json_array()};
    locbo_status status = w.list ? locbo_study_each_change(study, 0, write_change, &w, error) : status_no_memory(error);
    if (status == LOCBO_OK && !w.bad) write_plans(&w, present);
    if (status == LOCBO_OK && w.bad) status = status_no_memory(error);
    mem_free(w.waits);
    if (status == LOCBO_OK)
        *list = w.list;
    else
        json_decref(w.list);
    return status;
}

/* ---- reading ----------------------------------------------------------------------------------- */

static locbo_status bad(locbo_error *error, const char *path, size_t i, const char *what) {
    return status_fail(error, LOCBO_ERR_FORMAT, "%.100s: changes[%zu]: %s", path, i, what);
}

static int read_kind(const json_t *item, locbo_change_kind *kind) {
    const char *name = json_string_value(json_object_get(item, "kind"));
    for (int i = 0; name && i < LOCBO_CHANGES; i++)
        if (strcmp(name, locbo_change_name((locbo_change_kind)i)) == 0) {
            *kind = (locbo_change_kind)i;
            return 1;
        }
    return 0;
}

static int read_number(const json_t *item, const char *key, uint64_t *number) {
    const json_t *value = json_object_get(item, key);
    json_int_t whole = json_integer_value(value);
    *number = whole > 0 ? (uint64_t)whole : 0;
    return json_is_null(value) || (json_is_integer(value) && whole > 0 && whole <= INT32_MAX);
}

static int read_facts(const json_t *item, locbo_change *to) {
    to->author = json_string_value(json_object_get(item, "author"));
    to->text = json_string_value(json_object_get(item, "text"));
    to->time = rows_real_of(item, "time");
    return to->author && to->text && isfinite(to->time) && read_kind(item, &to->kind) &&
           read_number(item, "event", &to->event) && to->event > 0 && read_number(item, "trial", &to->trial);
}

static locbo_definition definition_of(const study_file *f) {
    return (locbo_definition){.struct_size = sizeof(locbo_definition),
                              .space = f->space,
                              .options = &f->options,
                              .command_count = f->command_count,
                              .command = (const char *const *)f->command,
                              .outputs = f->outputs};
}

/* What was before an alteration as a head: its definition, or the one that stayed, and its plan if that was altered. */
static json_t *head_before(const json_t *item, const json_t *stayed) {
    json_t *before = json_object_get(item, "before"), *plan = json_object_get(item, "plan_before");
    json_t *head = json_copy(before ? before : (json_t *)stayed);
    json_object_del(head, "plan");
    if (head && plan && json_object_set(head, "plan", plan) != 0) {
        json_decref(head);
        return NULL;
    }
    return head;
}

/* What is known after an alteration, as reading goes back. */
typedef struct reached {
    const json_t *head; /* of the definition */
    const locbo_definition *definition;
    const locbo_plan *plan;
} reached;

static locbo_status read_before(const char *path, const json_t *item, size_t i, change_json *r, reached *now,
                                locbo_error *error) {
    locbo_change *c = &r->changes[i];
    const json_t *before = json_object_get(item, "before"), *plan = json_object_get(item, "plan_before");
    if (!before && !plan) return LOCBO_OK;
    if (c->kind != LOCBO_CHANGE_ALTER || (before && !json_is_object(before)) || (plan && !json_is_object(plan)))
        return bad(error, path, i, "before or plan_before is no object, or not of an alteration");
    json_t *head = head_before(item, now->head);
    locbo_error why;
    locbo_status status = head ? study_head_read(path, head, &r->files[i], &why) : status_no_memory(&why);
    json_decref(head);
    if (status == LOCBO_ERR_MEMORY) return status_no_memory(error);
    if (status != LOCBO_OK) return bad(error, path, i, why.message);
    r->definitions[i] = definition_of(&r->files[i]);
    if (before) {
        c->before = &r->definitions[i];
        c->after = now->definition;
        *now = (reached){before, c->before, now->plan};
    }
    if (plan) {
        c->plan_before = &r->files[i].plan;
        c->plan_after = now->plan;
        now->plan = c->plan_before;
    }
    return LOCBO_OK;
}

locbo_status change_json_read(const char *path, const json_t *root, const study_file *file, change_json *read,
                              locbo_error *error) {
    const json_t *list = json_object_get(root, "changes");
    change_json r = {.count = json_array_size(list)};
    if (list && !json_is_array(list)) return status_fail(error, LOCBO_ERR_FORMAT, "%.100s: changes is no list", path);
    r.changes = mem_new(r.count, sizeof *r.changes);
    r.files = mem_new(r.count, sizeof *r.files);
    r.definitions = mem_new(r.count + 1, sizeof *r.definitions);
    locbo_status status = r.changes && r.files && r.definitions ? LOCBO_OK : status_no_memory(error);
    if (status == LOCBO_OK) r.definitions[r.count] = definition_of(file);
    for (size_t i = 0; status == LOCBO_OK && i < r.count; i++)
        if (!read_facts(json_array_get(list, i), &r.changes[i]))
            status = bad(error, path, i, "event, time, author, kind, trial or text is missing or wrong");
    reached now = {root, r.definitions ? &r.definitions[r.count] : NULL, &file->plan};
    for (size_t i = r.count; status == LOCBO_OK && i-- > 0;)
        status = read_before(path, json_array_get(list, i), i, &r, &now, error);
    if (status == LOCBO_OK)
        *read = r;
    else
        change_json_release(&r);
    return status;
}

void change_json_release(change_json *r) {
    for (size_t i = 0; r->files && i < r->count; i++) study_file_release(&r->files[i]);
    mem_free(r->changes);
    mem_free(r->files);
    mem_free(r->definitions);
    memset(r, 0, sizeof *r);
}
