/* json_build.c - JSON objects and lists built step by step. Layer: view, shapes. */
#include "json_build.h"

int build_put(json_t *object, const char *key, json_t *value) { return json_object_set_new(object, key, value) != 0; }

json_t *build_count(uint64_t count) { return json_integer((json_int_t)count); }

json_t *build_finish(json_t *object, int bad) {
    if (!bad) return object;
    json_decref(object);
    return NULL;
}

locbo_status build_answer(json_t *object, int bad, json_t **answer, locbo_error *error) {
    json_t *made = build_finish(object, bad);
    if (!made) return status_no_memory(error);
    *answer = made;
    return status_ok(error);
}

json_t *build_list(build_cell_fn *cell, const void *source, size_t count, const size_t *chosen) {
    json_t *list = json_array();
    int bad = !list;
    for (size_t i = 0; i < count && !bad; i++)
        bad = json_array_append_new(list, cell(source, chosen ? chosen[i] : i)) != 0;
    return build_finish(list, bad);
}

json_t *build_columns(const build_column *columns, const void *source, size_t count, const size_t *chosen) {
    json_t *all = json_object();
    int bad = !all;
    for (const build_column *c = columns; c->name && !bad; c++)
        bad = build_put(all, c->name, build_list(c->cell, source, count, chosen));
    return build_finish(all, bad);
}
