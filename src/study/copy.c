/* copy.c - a study copied as it is at one moment, to the same database or another. Layer: study, top. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "creation.h"
#include "curves.h"
#include "definition.h"
#include "mem.h"
#include "records.h"
#include "reference.h"

/* All of a study, in memory. */
typedef struct copying {
    locbo_study *study;
    int with_trials;
    locbo_filter all;
    record_list trials;
    size_t points, point_room;
    char **point; /* of each trial of a study that was altered: its point as it was written then */
    size_t fits, capacity;
    ledger_fit *fit;
    double *reference;
    change_list changes;
    curve_list curves;
    uint64_t events;
    char *texts[4]; /* plan, paused, note, tags; NULL: none */
} copying;

static void release(copying *c) {
    records_clear(&c->trials);
    for (size_t i = 0; i < c->points; i++) mem_free(c->point[i]);
    c->points = 0;
    for (size_t i = 0; i < c->fits; i++) ledger_release_fit(&c->fit[i]);
    c->fits = 0;
    change_release(&c->changes);
    curves_release(&c->curves);
    for (size_t i = 0; i < 4; i++) {
        mem_free(c->texts[i]);
        c->texts[i] = NULL;
    }
}

static locbo_status take_texts(const store_value *columns, size_t count, void *user, locbo_error *error) {
    copying *c = user;
    (void)count;
    for (size_t i = 0; i < 4; i++) {
        if (columns[i].kind == STORE_NULL) continue;
        c->texts[i] = mem_text(store_as_text(&columns[i]));
        if (!c->texts[i]) return status_no_memory(error);
    }
    c->events = store_as_count(&columns[4]);
    return LOCBO_OK;
}

static locbo_status take_fit(const store_value *columns, size_t count, void *user, locbo_error *error) {
    copying *c = user;
    (void)count;
    if (!mem_reserve(&c->fit, &c->capacity, c->fits + 1, sizeof *c->fit)) return status_no_memory(error);
    return ledger_read_fit(columns, &c->fit[c->fits++], error);
}

static locbo_status take_point(const store_value *columns, size_t count, void *user, locbo_error *error) {
    copying *c = user;
    (void)count;
    if (!mem_reserve(&c->point, &c->point_room, c->points + 1, sizeof *c->point)) return status_no_memory(error);
    c->point[c->points] = mem_text(store_as_text(&columns[0]));
    return c->point[c->points++] ? LOCBO_OK : status_no_memory(error);
}

static locbo_status read_all(locbo_store *store, void *user, locbo_error *error) {
    copying *c = user;
    store_value id = store_int(c->study->id);
    release(c);
    locbo_status status =
        store_query(store, "SELECT plan, {paused}, {note}, {tags}, events FROM locbo_study WHERE id = $1", 1, &id,
                    take_texts, c, NULL, error);
    if (status == LOCBO_OK) status = ledger_check_present(c->study, error);
    if (status != LOCBO_OK || !c->with_trials) return status;
    status = records_read(&c->trials, error);
    if (status == LOCBO_OK && c->study->revision > 0)
        status = store_query(store, "SELECT params FROM locbo_trial WHERE study = $1 ORDER BY number", 1, &id,
                             take_point, c, NULL, error);
    if (status == LOCBO_OK)
        status = store_query(store, LEDGER_FITS, VALUES(id, store_count(0)), take_fit, c, NULL, error);
    if (status == LOCBO_OK) status = reference_read(c->study, c->reference, error);
    if (status == LOCBO_OK) status = curves_read(&c->curves, error);
    return status == LOCBO_OK ? change_read(&c->changes, error) : status;
}

/* What the new study gets. */
static locbo_status write_copy(locbo_study **copy, const copying *c, locbo_store *to, const char *name,
                               locbo_error *error) {
    locbo_definition definition = {.struct_size = sizeof definition};
    locbo_plan plan;
    locbo_fit *fits = mem_new(c->fits + 1, sizeof *fits);
    char origin[256];
    snprintf(origin, sizeof origin, "of '%.80s' in %.120s", c->study->name, locbo_store_url(c->study->store));
    locbo_status status = fits ? locbo_study_definition(c->study, &definition, error) : status_no_memory(error);
    if (status == LOCBO_OK) status = definition_read_plan(c->texts[0], &plan, error);
    for (size_t i = 0; status == LOCBO_OK && i < c->fits; i++) {
        fits[i] = c->fit[i].fit;
        fits[i].members = c->fit[i].members; /* the list may have moved while it grew */
    }
    const locbo_contents contents = {.record_count = c->trials.count,
                                     .records = c->trials.records,
                                     .fit_count = c->fits,
                                     .fits = fits,
                                     .reference = c->with_trials ? c->reference : NULL,
                                     .paused = c->with_trials ? c->texts[1] : NULL,
                                     .note = c->texts[2],
                                     .tags = c->texts[3],
                                     .curve_count = c->curves.count,
                                     .curves = c->curves.curves};
    const creation_source from = {.contents = &contents,
                                  .changes = c->with_trials ? &c->changes : NULL,
                                  .events = c->with_trials ? c->events : 0,
                                  .point_count = c->points,
                                  .points = (const char *const *)c->point,
                                  .origin = origin};
    if (status == LOCBO_OK) status = creation_copy(copy, to, name, &definition, &plan, &from, error);
    mem_free(fits);
    return status;
}

locbo_status locbo_study_copy(locbo_study **copy, locbo_study *study, locbo_store *to, const char *name,
                              int with_trials, locbo_error *error) {
    if (!study || !to || !name) return status_fail(error, LOCBO_ERR_ARGUMENT, "study, store and name must not be NULL");
    copying c = {.study = study, .with_trials = with_trials, .all = {.struct_size = sizeof c.all}};
    locbo_study *made = NULL;
    c.trials = (record_list){.study = study, .filter = &c.all, .least = UINT64_MAX};
    c.changes.study = study;
    c.curves.study = study;
    c.reference = mem_new(study->table.count, sizeof *c.reference);
    locbo_status status = c.reference ? store_read(study->store, read_all, &c, error) : status_no_memory(error);
    if (status == LOCBO_OK) status = write_copy(&made, &c, to, name, error);
    release(&c);
    mem_free(c.fit);
    mem_free(c.point);
    mem_free(c.reference);
    if (status == LOCBO_OK && copy)
        *copy = made;
    else
        locbo_study_close(made);
    return status == LOCBO_OK ? status_ok(error) : status;
}
