/* output_list.c - the outputs of a study, by number and by name. Layer: view, facts. */
#include "output_list.h"

#include <stdio.h>
#include <string.h>

#include "json_build.h"
#include "mem.h"
#include "rows.h"
#include "value.h"

/* ---- the list -------------------------------------------------------------------------------- */

static locbo_status add(output_list *list, size_t i, locbo_error *error) {
    locbo_output_spec *s = &list->spec[i];
    s->struct_size = sizeof *s;
    locbo_status status = locbo_outputs_get(list->table, i, s, error);
    if (status != LOCBO_OK) return status;
    if (rows_is_objective(s) && list->objectives++ == 0) list->first = i;
    list->constraints += rows_is_constraint(s) != 0;
    if (rows_is_modelled(s)) list->model[i] = list->modelled++;
    return LOCBO_OK;
}

locbo_status output_list_make(output_list *list, const locbo_outputs *table, locbo_error *error) {
    *list =
        (output_list){.table = table, .count = locbo_outputs_count(table), .modelled = !table, .objectives = !table};
    if (!table) return LOCBO_OK;
    list->spec = mem_new(list->count, sizeof *list->spec);
    list->model = mem_new(list->count, sizeof *list->model);
    locbo_status status = list->spec && list->model ? LOCBO_OK : status_no_memory(error);
    for (size_t i = 0; i < list->count && status == LOCBO_OK; i++) status = add(list, i, error);
    return status;
}

void output_list_release(output_list *list) {
    mem_free(list->spec);
    mem_free(list->model);
    *list = (output_list){0};
}

int output_list_is_objective(const output_list *list, size_t output) {
    return !list->table || rows_is_objective(&list->spec[output]);
}

int output_list_is_constraint(const output_list *list, size_t output) {
    return list->table && rows_is_constraint(&list->spec[output]);
}

int output_list_is_modelled(const output_list *list, size_t output) {
    return !list->table || rows_is_modelled(&list->spec[output]);
}

/* ---- by name --------------------------------------------------------------------------------- */

enum { NAMES = 140 };

/* "loss, memory" as far as there is room, then "...". */
static void list_names(const output_list *list, int modelled, char names[NAMES]) {
    size_t used = 0;
    names[0] = '\0';
    for (size_t i = 0; i < list->count; i++) {
        const char *name = list->spec[i].name;
        if (modelled && !output_list_is_modelled(list, i)) continue;
        int fits = used + strlen(name) + 8 < NAMES;
        used += (size_t)snprintf(names + used, NAMES - used, "%s%s", used ? ", " : "", fits ? name : "...");
        if (!fits) return;
    }
}

locbo_status output_list_read(const output_list *list, const query *q, int modelled, size_t *output,
                              locbo_error *error) {
    const char *name = query_get(q, "output");
    char names[NAMES];
    size_t found = list->first;
    if (name && !list->table)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "output: this study has one output, without a name, got '%.60s'",
                           name);
    list_names(list, modelled, names);
    if (name && locbo_outputs_find(list->table, name, &found, NULL) != LOCBO_OK)
        return status_fail(error, LOCBO_ERR_ARGUMENT, "output: there is no output '%.60s': it must be one of %s", name,
                           names);
    if (modelled && !output_list_is_modelled(list, found))
        return status_fail(error, LOCBO_ERR_ARGUMENT,
                           "output: '%.60s' is recorded, and there is no model of it: it must be one of %s", name,
                           names);
    *output = found;
    return LOCBO_OK;
}

int output_list_put(json_t *row, const output_list *list, size_t output, const double *bounds) {
    if (!list->table) return 0;
    int bad = build_put(row, "output", json_string(list->spec[output].name));
    bad |= build_put(row, "goal", json_string(rows_goal_name(list->spec[output].goal)));
    return bad | build_put(row, "bound", value_real(bounds[output]));
}

json_t *output_list_names(const output_list *list, output_shown_fn *is_shown) {
    json_t *all = json_array();
    int bad = !all;
    for (size_t i = 0; i < list->count && !bad; i++)
        if (!is_shown || is_shown(list, i))
            bad = json_array_append_new(all, json_pack("{s:s, s:s}", "name", list->spec[i].name, "goal",
                                                       rows_goal_name(list->spec[i].goal))) != 0;
    return build_finish(all, bad);
}

json_t *output_list_object(const output_list *list, output_shown_fn *is_shown, output_cell_fn *cell,
                           const void *source) {
    json_t *all = json_object();
    int bad = !all;
    for (size_t i = 0; i < list->count && !bad; i++)
        if (!is_shown || is_shown(list, i)) bad = build_put(all, list->spec[i].name, cell(source, i));
    return build_finish(all, bad);
}
