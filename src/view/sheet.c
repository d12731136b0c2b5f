/* sheet.c - JSON put together piece by piece. Layer: view, shapes. */
#include "sheet.h"

int sheet_put(json_t *object, const char *key, json_t *value) { return json_object_set_new(object, key, value) != 0; }

json_t *sheet_count(uint64_t count) { return json_integer((json_int_t)count); }

json_t *sheet_finish(json_t *object, int bad) {
    if (!bad) return object;
    json_decref(object);
    return NULL;
}

locbo_status sheet_answer(json_t *object, int bad, json_t **answer, locbo_error *error) {
    json_t *made = sheet_finish(object, bad);
    if (!made) return status_no_memory(error);
    *answer = made;
    return status_ok(error);
}

json_t *sheet_list(sheet_cell_fn *cell, const void *source, size_t count, const size_t *chosen) {
    json_t *list = json_array();
    int bad = !list;
    for (size_t i = 0; i < count && !bad; i++)
        bad = json_array_append_new(list, cell(source, chosen ? chosen[i] : i)) != 0;
    return sheet_finish(list, bad);
}

json_t *sheet_columns(const sheet_column *columns, const void *source, size_t count, const size_t *chosen) {
    json_t *all = json_object();
    int bad = !all;
    for (const sheet_column *c = columns; c->name && !bad; c++)
        bad = sheet_put(all, c->name, sheet_list(c->cell, source, count, chosen));
    return sheet_finish(all, bad);
}
