/* change_list.c - what was changed after the fact, as JSON rows. Layer: view, shapes. Cost: O(changes). */
#include "change_list.h"

#include "difference.h"
#include "json_build.h"
#include "rows.h"
#include "value.h"

typedef struct reading {
    change_filter filter;
    locbo_definition now; /* names the outputs of an alteration of the plan alone */
    json_t *rows;
    int bad; /* no memory */
} reading;

/* What an alteration changed, a line each. */
static json_t *lines_json(const locbo_change *c, const locbo_definition *now) {
    difference d = {.count = 0};
    const locbo_definition *before = c->before ? c->before : now, *after = c->before ? c->after : now;
    if (c->kind != LOCBO_CHANGE_ALTER) return json_array();
    locbo_status status = difference_find(before, after, c->plan_before, c->plan_after, &d, NULL);
    json_t *lines = status == LOCBO_OK ? rows_words(d.count, (const char *const *)d.lines) : NULL;
    difference_release(&d);
    return lines;
}

static json_t *row_json(const locbo_change *c, const locbo_definition *now) {
    json_t *row = rows_change(c);
    int bad = !row;
    bad |= build_put(row, "changes", lines_json(c, now));
    return build_finish(row, bad);
}

static int take_change(const locbo_change *c, void *user) {
    reading *r = user;
    if (r->filter.trial && c->trial != r->filter.trial) return 0;
    if (r->filter.definitions && !c->before) return 0;
    r->bad = json_array_append_new(r->rows, row_json(c, &r->now)) != 0;
    return r->bad;
}

locbo_status change_list_read(locbo_study *study, change_filter filter, json_t **rows, locbo_error *error) {
    reading r = {.filter = filter, .now = {.struct_size = sizeof r.now}, .rows = json_array()};
    locbo_status status = r.rows ? locbo_study_definition(study, &r.now, error) : status_no_memory(error);
    if (status == LOCBO_OK) status = locbo_study_each_change(study, 0, take_change, &r, error);
    if (status == LOCBO_OK && r.bad) status = status_no_memory(error);
    if (status == LOCBO_OK)
        *rows = r.rows;
    else
        json_decref(r.rows);
    return status;
}
