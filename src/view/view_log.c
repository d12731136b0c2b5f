/* view_log.c - the list of changes, newest first. Layer: view, answers. Cost: O(changes). */
#include "change_list.h"
#include "json_build.h"
#include "views.h"

const char *const log_keys[] = {"trial", "size", NULL};

enum { MOST = 5000, USUAL = 200 };

/* The last `count` of the rows, the last one first. */
static json_t *newest(const json_t *rows, size_t count) {
    json_t *list = json_array();
    int bad = !list;
    for (size_t i = 0; i < count && !bad; i++)
        bad = json_array_append(list, json_array_get(rows, json_array_size(rows) - 1 - i)) != 0;
    return build_finish(list, bad);
}

locbo_status view_log(cache *c, const query *q, json_t **answer, locbo_error *error) {
    change_filter filter = {0, 0};
    uint64_t size;
    json_t *rows = NULL;
    locbo_status status = query_count(q, "trial", 1, INT64_MAX, 0, &filter.trial, error);
    if (status == LOCBO_OK) status = query_count(q, "size", 1, MOST, USUAL, &size, error);
    if (status == LOCBO_OK) status = change_list_read(cache_study(c), filter, &rows, error);
    if (status != LOCBO_OK) return status;
    size_t matching = json_array_size(rows), shown = matching < size ? matching : (size_t)size;
    json_t *row = json_object();
    int bad = build_put(row, "matching", build_count(matching));
    bad |= build_put(row, "shown", build_count(shown));
    bad |= build_put(row, "rows", newest(rows, shown));
    json_decref(rows);
    return build_answer(row, bad, answer, error);
}
