/* view_studies.c - one row for each study of a database. Layer: view, answers. Cost: for each study three small
 * transactions and a census. */
#include "view_studies.h"

#include "rows.h"
#include "json_build.h"
#include "output_list.h"
#include "overview.h"
#include "value.h"

/* ---- one study ------------------------------------------------------------------------------- */

static json_t *outputs_json(const locbo_outputs *table) {
    output_list list;
    json_t *made = output_list_make(&list, table, NULL) == LOCBO_OK ? output_list_names(&list, NULL) : NULL;
    output_list_release(&list);
    return made;
}

static json_t *row_json(const char *name, const locbo_definition *d, const locbo_plan *plan, const locbo_census *c,
                        const char *tags) {
    json_t *row = json_object();
    int bad = build_put(row, "name", rows_text(name));
    bad |= build_put(row, "direction", rows_option(d->options, "direction"));
    bad |= build_put(row, "method", rows_option(d->options, "method"));
    bad |= build_put(row, "parameters", build_count(locbo_space_dim(d->space)));
    bad |= build_put(row, "trials", build_count(c->trials));
    bad |= build_put(row, "complete", build_count(c->state[LOCBO_COMPLETE]));
    bad |= build_put(row, "pruned", build_count(c->state[LOCBO_PRUNED]));
    bad |= build_put(row, "running", build_count(c->state[LOCBO_RUNNING]));
    bad |= build_put(row, "failed", build_count(c->state[LOCBO_STATE_FAILED]));
    bad |= build_put(row, "wanted", plan->trials ? build_count(plan->trials) : json_null());
    bad |= build_put(row, "best", overview_best(c));
    bad |= build_put(row, "stopped", json_boolean(c->stopped));
    bad |= build_put(row, "paused", c->paused ? rows_text(c->pause_reason) : json_null());
    bad |= build_put(row, "tags", rows_tags(tags));
    bad |= build_put(row, "created", value_real(c->created));
    bad |= build_put(row, "last_event", value_real(c->last_event));
    if (d->outputs) bad |= build_put(row, "outputs", outputs_json(d->outputs));
    return build_finish(row, bad);
}

locbo_status view_studies_row(locbo_study *study, json_t **row, locbo_error *error) {
    locbo_definition definition = {.struct_size = sizeof definition};
    locbo_plan plan = {.struct_size = sizeof plan};
    locbo_census census;
    char *note = NULL, *tags = NULL;
    locbo_status status = locbo_study_definition(study, &definition, error);
    if (status == LOCBO_OK) status = locbo_study_plan(study, &plan, error);
    if (status == LOCBO_OK) status = locbo_study_census(study, &census, error);
    if (status == LOCBO_OK) status = locbo_study_get_note(study, &note, &tags, error);
    if (status != LOCBO_OK) return status;
    json_t *made = row_json(locbo_study_name(study), &definition, &plan, &census, tags);
    locbo_free(note);
    locbo_free(tags);
    if (!made) return status_no_memory(error);
    *row = made;
    return status_ok(error);
}

/* ---- all of them ----------------------------------------------------------------------------- */

locbo_status view_studies_answer(const char *url, int edit, json_t *rows, json_t **answer, locbo_error *error) {
    json_t *made = json_object();
    int bad = build_put(made, "version", rows_text(locbo_version()));
    bad |= build_put(made, "database", rows_text(url));
    bad |= build_put(made, "edit", json_boolean(edit));
    bad |= build_put(made, "studies", rows);
    return build_answer(made, bad, answer, error);
}

/* Names as JSON texts: they may be any text. */
static int take_name(const char *name, void *user) {
    json_t **names = user;
    if (*names && json_array_append_new(*names, json_string(name)) == 0) return 0;
    json_decref(*names);
    *names = NULL;
    return 1;
}

static json_t *broken_json(const char *name, const locbo_error *why) {
    json_t *row = json_object();
    int bad = build_put(row, "name", rows_text(name));
    bad |= build_put(row, "error", rows_text(why->message));
    return build_finish(row, bad);
}

/* Whether a failure concerns this study alone: an option of a newer version, damage. */
static int is_its_own(locbo_status status) {
    return status != LOCBO_OK && status != LOCBO_ERR_BUSY && status != LOCBO_ERR_MEMORY;
}

/* A study deleted meanwhile has no row; one that cannot be read has a row with the error. */
static locbo_status add_row(locbo_store *store, const char *name, json_t *rows, size_t *broken, locbo_error *error) {
    locbo_study *study = NULL;
    locbo_error why;
    json_t *row = NULL;
    locbo_status status = locbo_study_open(&study, store, name, &why);
    if (status == LOCBO_OK) status = view_studies_row(study, &row, &why);
    locbo_study_close(study);
    if (status == LOCBO_ERR_NOT_FOUND) return LOCBO_OK;
    if (status != LOCBO_OK && !is_its_own(status)) {
        if (error) *error = why;
        return status;
    }
    if (status != LOCBO_OK) ++*broken, row = broken_json(name, &why);
    return json_array_append_new(rows, row) == 0 ? LOCBO_OK : status_no_memory(error);
}

static int take_none(const char *name, void *user) {
    (void)name, (void)user;
    return 1;
}

/* If studies cannot be read because the database cannot be read, that is the error of the whole view. */
static locbo_status add_rows(locbo_store *store, const json_t *names, json_t *rows, locbo_error *error) {
    size_t broken = 0;
    locbo_status status = LOCBO_OK;
    for (size_t i = 0; status == LOCBO_OK && i < json_array_size(names); i++)
        status = add_row(store, json_string_value(json_array_get(names, i)), rows, &broken, error);
    if (status == LOCBO_OK && broken > 0) status = locbo_store_each(store, take_none, NULL, error);
    return status;
}

locbo_status view_studies(locbo_store *store, int edit, json_t **answer, locbo_error *error) {
    json_t *names = json_array(), *rows = json_array();
    locbo_status status = locbo_store_each(store, take_name, &names, error);
    if (status == LOCBO_OK && (!names || !rows)) status = status_no_memory(error);
    if (status == LOCBO_OK) status = add_rows(store, names, rows, error);
    json_decref(names);
    if (status == LOCBO_OK) return view_studies_answer(locbo_store_url(store), edit, rows, answer, error);
    json_decref(rows);
    return status;
}
